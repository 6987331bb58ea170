/* ------------------------------------------------------------------------------------------------
 * Tier 3: AVX-512 F, DQ, BW, VL
 *
 * The maskz forms do what the plain ones do; gcc 12 warns of the undefined operand inside those.
 * ---------------------------------------------------------------------------------------------- */

/* gcc 12 has this intrinsic as a macro whose own casts trip its warning. 8: to nearest, without
 * exceptions. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
DPPAIR_FORCE_INLINE_ __m512 dppair_rint_ps_avx512_(__m512 a) {
  return _mm512_maskz_roundscale_ps(0xffff, a, 0x08);
}
#pragma GCC diagnostic pop
#define DPR_FN(name) DPPAIR_CAT(name, avx512_)
#define DPR_LANES 16
#define DPR_I __m512i
#define DPR_F __m512
#define DPR_Q __m512i
#define DPR_D __m512d
#define DPR_M __mmask16
#define DPR_N __mmask8

/* Words of 32 bits. */
#define DPR_ILOAD(p) _mm512_loadu_si512((const void *)(p))
#define DPR_ISET(x) _mm512_set1_epi32((int32_t)(x))
#define DPR_IADD(a, b) _mm512_add_epi32(a, b)
#define DPR_IAND(a, b) _mm512_and_si512(a, b)
#define DPR_IOR(a, b) _mm512_or_si512(a, b)
#define DPR_IXOR(a, b) _mm512_xor_si512(a, b)
#define DPR_ISHL(a, n) _mm512_maskz_slli_epi32(0xffff, a, n)
#define DPR_ISHR(a, n) _mm512_maskz_srli_epi32(0xffff, a, n)
#define DPR_IGT(a, b) _mm512_cmpgt_epi32_mask(a, b)
#define DPR_IROL(a, r) _mm512_maskz_rol_epi32(0xffff, a, r)
#define DPR_UNPACK_LO32(a, b) _mm512_maskz_unpacklo_epi32(0xffff, a, b)
#define DPR_UNPACK_HI32(a, b) _mm512_maskz_unpackhi_epi32(0xffff, a, b)
#define DPR_UNPACK_LO64(a, b) _mm512_maskz_unpacklo_epi64(0xff, a, b)
#define DPR_UNPACK_HI64(a, b) _mm512_maskz_unpackhi_epi64(0xff, a, b)
#define DPR_EVEN_ODD(even, odd, p)                                                                 \
  do {                                                                                             \
    const __m512i a_ = _mm512_loadu_si512((const void *)(p));                                      \
    const __m512i b_ = _mm512_loadu_si512((const void *)((p) + 16));                               \
    even = _mm512_permutex2var_epi32(                                                              \
        a_, _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0), b_);      \
    odd = _mm512_permutex2var_epi32(                                                               \
        a_, _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1), b_);      \
  } while (0)

/* Floats; DPR_FGE is true for NaN. */
#define DPR_I2F(a) _mm512_maskz_cvtepi32_ps(0xffff, a)
#define DPR_U2F(a) _mm512_maskz_cvtepu32_ps(0xffff, a)
#define DPR_FINT(a) _mm512_castps_si512(a)
#define DPR_FLOAT(u) _mm512_castsi512_ps(u)
#define DPR_FSET(x) _mm512_set1_ps(x)
#define DPR_FFMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define DPR_FSQRT(a) _mm512_maskz_sqrt_ps(0xffff, a)
#define DPR_FROUND(a) dppair_rint_ps_avx512_(a)
#define DPR_FSTORE(p, a) _mm512_storeu_ps(p, a)
#define DPR_FLOAD(p) _mm512_loadu_ps(p)
#define DPR_FSEL(m, a, b) _mm512_mask_blend_ps(m, b, a)
#define DPR_FGE(a, b) _mm512_cmp_ps_mask(a, b, _CMP_NLT_UQ)
#define DPR_FGT(a, b) _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ)

/* Masks of floats. */
#define DPR_MNONE ((__mmask16)0)
#define DPR_MOR(a, b) ((__mmask16)((a) | (b)))
#define DPR_M_BITS(m) ((unsigned)(m))

/* Words of 64 bits. */
#define DPR_QSET(x) _mm512_set1_epi64((long long)(x))
#define DPR_QADD(a, b) _mm512_add_epi64(a, b)
#define DPR_QSUB(a, b) _mm512_sub_epi64(a, b)
#define DPR_QAND(a, b) _mm512_and_si512(a, b)
#define DPR_QANDNOT(a, b) _mm512_maskz_andnot_epi64(0xff, a, b)
#define DPR_QOR(a, b) _mm512_or_si512(a, b)
#define DPR_QXOR(a, b) _mm512_xor_si512(a, b)
#define DPR_QSHL(a, n) _mm512_maskz_slli_epi64(0xff, a, n)
#define DPR_QSHR(a, n) _mm512_maskz_srli_epi64(0xff, a, n)
#define DPR_QGT(a, b) _mm512_cmpgt_epi64_mask(a, b)
#define DPR_WIDEN(p)                                                                               \
  _mm512_maskz_cvtepu32_epi64(0xff, _mm256_loadu_si256((const __m256i *)(const void *)(p)))
#define DPR_Q2D(a) _mm512_maskz_cvtepi64_pd(0xff, a)
#define DPR_UQ2D(a) _mm512_maskz_cvtepu64_pd(0xff, a)

/* Doubles. */
#define DPR_DINT(a) _mm512_castpd_si512(a)
#define DPR_DOUBLE(u) _mm512_castsi512_pd(u)
#define DPR_DSET(x) _mm512_set1_pd(x)
#define DPR_DLOAD(p) _mm512_loadu_pd(p)
#define DPR_DSTORE(p, a) _mm512_storeu_pd(p, a)
#define DPR_DLOADF(p) _mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(p))
#define DPR_DSTOREF(p, a) _mm256_storeu_ps(p, _mm512_maskz_cvtpd_ps(0xff, a))
#define DPR_DFMA(a, b, c) _mm512_fmadd_pd(a, b, c)
#define DPR_DSQRT(a) _mm512_maskz_sqrt_pd(0xff, a)

/* Masks of doubles; DPR_DGE is true for NaN. */
#define DPR_DSEL(m, a, b) _mm512_mask_blend_pd(m, b, a)
#define DPR_DGE(a, b) _mm512_cmp_pd_mask(a, b, _CMP_NLT_UQ)
#define DPR_NOR(a, b) ((__mmask8)((a) | (b)))
#define DPR_N_BITS(m) ((unsigned)(m))

/* AES on units of 16 bytes. */
#define DPR_ISTORE(p, a) _mm512_storeu_si512((void *)(p), a)
#define DPR_AES_KEY(p)                                                                             \
  _mm512_maskz_broadcast_i32x4(0xffff, _mm_loadu_si128((const __m128i *)(const void *)(p)))
#define DPR_AES_REVERSE(a)                                                                         \
  _mm512_shuffle_epi8(                                                                             \
      a, _mm512_maskz_broadcast_i32x4(                                                             \
             0xffff, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
#define DPR_AES(a, k) _mm512_aesenc_epi128(a, k)
#define DPR_AES_LAST(a, k) _mm512_aesenclast_epi128(a, k)
