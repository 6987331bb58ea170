/* ------------------------------------------------------------------------------------------------
 * Tier 1: 128 bits through SIMDe
 *
 * Noise on SSE2, NEON and WebAssembly. A product and a sum are fused on ARM only; every bound tau
 * holds for both. Where AVX2 is compiled too, this tier serves processors before 2013 only: compile
 * time matters more, and it has the key stream only, as on other processors.
 * ---------------------------------------------------------------------------------------------- */

#define DPR_FN(name) DPPAIR_CAT(name, simd128_)
#define DPR_LANES 4
#define DPR_I simde__m128i
#define DPR_F simde__m128
#define DPR_Q simde__m128i
#define DPR_D simde__m128d
#define DPR_M simde__m128
#define DPR_N simde__m128d

/* Where nothing is fused, simde_mm_fmadd_pd takes numbers one by one. DPPAIR_NOISE_FUSED_ is for
 * `make exhaust`, which tries what ARM computes on x86 with FMA. */
#if defined(__aarch64__) || defined(DPPAIR_NOISE_FUSED_)
#define DPR_FFMA(a, b, c) simde_mm_fmadd_ps(a, b, c)
#define DPR_DFMA(a, b, c) simde_mm_fmadd_pd(a, b, c)
#else
#define DPR_FFMA(a, b, c) DPR_FADD(DPR_FMUL(a, b), c)
#define DPR_DFMA(a, b, c) DPR_DADD(DPR_DMUL(a, b), c)
#endif

/* Words of 32 bits. */
#define DPR_ILOAD(p) simde_mm_loadu_si128((const simde__m128i *)(const void *)(p))
#define DPR_ISET(x) simde_mm_set1_epi32((int32_t)(x))
#define DPR_IADD(a, b) simde_mm_add_epi32(a, b)
#define DPR_IAND(a, b) simde_mm_and_si128(a, b)
#define DPR_IXOR(a, b) simde_mm_xor_si128(a, b)
#define DPR_ISHL(a, n) simde_mm_slli_epi32(a, n)
#define DPR_ISHR(a, n) simde_mm_srli_epi32(a, n)
#define DPR_IGT(a, b) simde_mm_castsi128_ps(simde_mm_cmpgt_epi32(a, b))
#define DPR_IROL(a, r) simde_mm_or_si128(simde_mm_slli_epi32(a, r), simde_mm_srli_epi32(a, 32 - r))
#define DPR_UNPACK_LO32(a, b) simde_mm_unpacklo_epi32(a, b)
#define DPR_UNPACK_HI32(a, b) simde_mm_unpackhi_epi32(a, b)
#define DPR_UNPACK_LO64(a, b) simde_mm_unpacklo_epi64(a, b)
#define DPR_UNPACK_HI64(a, b) simde_mm_unpackhi_epi64(a, b)
#define DPR_STORE_PARTS(p, stride, a) simde_mm_storeu_si128((simde__m128i *)(void *)(p), a)
#define DPR_EVEN_ODD(even, odd, p)                                                                 \
  do {                                                                                             \
    const simde__m128 a_ = simde_mm_castsi128_ps(DPR_ILOAD(p));                                    \
    const simde__m128 b_ = simde_mm_castsi128_ps(DPR_ILOAD((p) + 4));                              \
    even = simde_mm_castps_si128(simde_mm_shuffle_ps(a_, b_, 0x88));                               \
    odd = simde_mm_castps_si128(simde_mm_shuffle_ps(a_, b_, 0xdd));                                \
  } while (0)

/* Floats; DPR_FGE is true for NaN, which simde_mm_cmpnlt_ps is not. There is no conversion of
 * unsigned words: the last bit is left out, and the bounds count it as unread. The two choices
 * between a and b have an exclusive or in common. */
#if defined(SIMDE_X86_SSE2_NATIVE)
#define DPR_FGE(a, b) _mm_cmpnlt_ps(a, b)
#define DPR_DGE(a, b) _mm_cmpnlt_pd(a, b)
#else
#define DPR_FGE(a, b) simde_mm_xor_ps(simde_mm_cmplt_ps(a, b), DPR_FLOAT(DPR_ISET(-1)))
#define DPR_DGE(a, b) simde_mm_xor_pd(simde_mm_cmplt_pd(a, b), DPR_DOUBLE(DPR_QSET(-1)))
#endif
#define DPR_I2F(a) simde_mm_cvtepi32_ps(a)
#define DPR_U2F(a) DPR_FADD(DPR_I2F(DPR_ISHR(a, 1)), DPR_I2F(DPR_ISHR(a, 1)))
#define DPR_FINT(a) simde_mm_castps_si128(a)
#define DPR_FLOAT(u) simde_mm_castsi128_ps(u)
#define DPR_FSET(x) simde_mm_set1_ps(x)
#define DPR_FSQRT(a) simde_mm_sqrt_ps(a)
#define DPR_FROUND(a) dppair_rint_simd128_(a)
#define DPR_FSTORE(p, a) simde_mm_storeu_ps(p, a)
#define DPR_FLOAD(p) simde_mm_loadu_ps(p)
#define DPR_FSEL(m, a, b)                                                                          \
  DPR_FLOAT(DPR_IXOR(DPR_FINT(b), DPR_IAND(DPR_FINT(m), DPR_IXOR(DPR_FINT(a), DPR_FINT(b)))))
#define DPR_FGT(a, b) simde_mm_cmpgt_ps(a, b)

/* Masks of floats. */
#define DPR_MNONE simde_mm_setzero_ps()
#define DPR_MOR(a, b) simde_mm_or_ps(a, b)
#define DPR_M_BITS(m) ((unsigned)simde_mm_movemask_ps(m))

/* Words of 64 bits. */
#define DPR_QSET(x) simde_mm_set1_epi64x((int64_t)(x))
#define DPR_QADD(a, b) simde_mm_add_epi64(a, b)
#define DPR_QSUB(a, b) simde_mm_sub_epi64(a, b)
#define DPR_QAND(a, b) simde_mm_and_si128(a, b)
#define DPR_QANDNOT(a, b) simde_mm_andnot_si128(a, b)
#define DPR_QOR(a, b) simde_mm_or_si128(a, b)
#define DPR_QXOR(a, b) simde_mm_xor_si128(a, b)
#define DPR_QSHL(a, n) simde_mm_slli_epi64(a, n)
#define DPR_QSHR(a, n) simde_mm_srli_epi64(a, n)
#define DPR_QGT(a, b) dppair_greater_simd128_(a, b)
#define DPR_HALF(p) simde_mm_loadl_epi64((const simde__m128i *)(const void *)(p))
#define DPR_WIDEN(p) simde_mm_unpacklo_epi32(DPR_HALF(p), simde_mm_setzero_si128())
/* As on AVX2. */
#define DPR_LOW32(a) DPR_QOR(DPR_QAND(a, DPR_QSET(0xffffffff)), DPR_QSET(0x4330000000000000))
#define DPR_Q2D(a)                                                                                 \
  DPR_DADD(DPR_DSUB(DPR_DOUBLE(DPR_QXOR(DPR_QSHR(a, 32), DPR_QSET(0x4530000080000000))),           \
                    DPR_DSET(19342822341709703277445120.0)),                                       \
           DPR_DOUBLE(DPR_LOW32(a)))
#define DPR_UQ2D(a)                                                                                \
  DPR_DADD(DPR_DSUB(DPR_DOUBLE(DPR_QOR(DPR_QSHR(a, 32), DPR_QSET(0x4530000000000000))),            \
                    DPR_DSET(19342813118337666422669312.0)),                                       \
           DPR_DOUBLE(DPR_LOW32(a)))

/* Doubles. */
#define DPR_DINT(a) simde_mm_castpd_si128(a)
#define DPR_DOUBLE(u) simde_mm_castsi128_pd(u)
#define DPR_DSET(x) simde_mm_set1_pd(x)
#define DPR_DLOAD(p) simde_mm_loadu_pd(p)
#define DPR_DSTORE(p, a) simde_mm_storeu_pd(p, a)
#define DPR_DLOADF(p) simde_mm_cvtps_pd(DPR_FLOAT(DPR_HALF(p)))
#define DPR_DSTOREF(p, a)                                                                          \
  simde_mm_storel_epi64((simde__m128i *)(void *)(p), DPR_FINT(simde_mm_cvtpd_ps(a)))
#define DPR_DSQRT(a) simde_mm_sqrt_pd(a)

/* Masks of doubles; DPR_DGE is true for NaN. */
#define DPR_DSEL(m, a, b)                                                                          \
  DPR_DOUBLE(DPR_QXOR(DPR_DINT(b), DPR_QAND(DPR_DINT(m), DPR_QXOR(DPR_DINT(a), DPR_DINT(b)))))
#define DPR_NOR(a, b) simde_mm_or_pd(a, b)
#define DPR_N_BITS(m) ((unsigned)simde_mm_movemask_pd(m))

#if DPPAIR_NOISE_SIMD128_
/* a > b as signed words of 64 bits: by the upper halves, and where these are equal by the borrow of
 * b - a. The upper half is then the mask. */
DPPAIR_FORCE_INLINE_ DPR_N dppair_greater_simd128_(DPR_Q a, DPR_Q b) {
  const DPR_Q same = simde_mm_cmpeq_epi32(a, b), less = DPR_QAND(same, DPR_QSUB(b, a));
  const DPR_Q all = DPR_QOR(less, simde_mm_cmpgt_epi32(a, b));
  return DPR_DOUBLE(simde_mm_shuffle_epi32(all, 0xf5));
}

/* To the nearest integer: |a| + 2^23 rounds, and from 2^23 on a is an integer. */
DPPAIR_FORCE_INLINE_ DPR_F dppair_rint_simd128_(DPR_F a) {
  const DPR_F two_23 = DPR_FSET(8388608.0f), sign = DPR_FLOAT(DPR_ISET(0x80000000u));
  const DPR_F size = simde_mm_andnot_ps(sign, a);
  DPR_F sum = DPR_FADD(size, two_23);
  DPR_OPAQUE(sum);
  sum = simde_mm_or_ps(DPR_FSUB(sum, two_23), simde_mm_and_ps(sign, a));
  return DPR_FSEL(simde_mm_cmplt_ps(size, two_23), sum, a);
}
#endif
