/* ------------------------------------------------------------------------------------------------
 * Tier 1: 128 bits through SIMDe
 *
 * The key stream only. x86 has no fused multiply-add at this tier, so that noise would have other
 * bits than elsewhere; the noise is made by scalar code. DPR_I is a vector of DPR_LANES words.
 * ---------------------------------------------------------------------------------------------- */

#define DPR_FN(name) DPPAIR_CAT(name, simd128_)
#define DPR_NOISE 0
#define DPR_LANES 4
#define DPR_I simde__m128i
#define DPR_ILOAD(p) simde_mm_loadu_si128((const simde__m128i *)(const void *)(p))
#define DPR_ISET(x) simde_mm_set1_epi32((int32_t)(x))
#define DPR_IADD(a, b) simde_mm_add_epi32(a, b)
#define DPR_IXOR(a, b) simde_mm_xor_si128(a, b)
#define DPR_IROL(a, r) simde_mm_or_si128(simde_mm_slli_epi32(a, r), simde_mm_srli_epi32(a, 32 - r))
#define DPR_UNPACK_LO32(a, b) simde_mm_unpacklo_epi32(a, b)
#define DPR_UNPACK_HI32(a, b) simde_mm_unpackhi_epi32(a, b)
#define DPR_UNPACK_LO64(a, b) simde_mm_unpacklo_epi64(a, b)
#define DPR_UNPACK_HI64(a, b) simde_mm_unpackhi_epi64(a, b)
#define DPR_STORE_PARTS(p, stride, a) simde_mm_storeu_si128((simde__m128i *)(void *)(p), a)
