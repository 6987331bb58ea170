/* ------------------------------------------------------------------------------------------------
 * Bindings. DPX_I, DPX_F: vectors of DPX_L words and floats; DPX_Q, DPX_D: of DPX_L / 2 words of 64
 * bits and doubles; DPX_M, DPX_N: their masks.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_NOISE_PASS_ == 1
#define DPX_(name) name##simd128_
#define DPX_L 4
#define DPX_I simde__m128i
#define DPX_ILOAD(p) simde_mm_loadu_si128((const simde__m128i *)(const void *)(p))
#define DPX_ISET(x) simde_mm_set1_epi32((int32_t)(x))
#define DPX_IADD(a, b) simde_mm_add_epi32(a, b)
#define DPX_IXOR(a, b) simde_mm_xor_si128(a, b)
#define DPX_IROL(a, r) simde_mm_or_si128(simde_mm_slli_epi32(a, r), simde_mm_srli_epi32(a, 32 - r))
#define DPX_UNPACK_LO32(a, b) simde_mm_unpacklo_epi32(a, b)
#define DPX_UNPACK_HI32(a, b) simde_mm_unpackhi_epi32(a, b)
#define DPX_UNPACK_LO64(a, b) simde_mm_unpacklo_epi64(a, b)
#define DPX_UNPACK_HI64(a, b) simde_mm_unpackhi_epi64(a, b)
#define DPX_STORE_PARTS(p, stride, a) simde_mm_storeu_si128((simde__m128i *)(void *)(p), a)

#elif DPPAIR_NOISE_PASS_ == 2
#define DPX_(name) name##avx2_
#define DPX_L 8
#define DPX_I __m256i
#define DPX_F __m256
#define DPX_Q __m256i
#define DPX_D __m256d
#define DPX_M __m256
#define DPX_N __m256d
#define DPX_ILOAD(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define DPX_ISET(x) _mm256_set1_epi32((int32_t)(x))
#define DPX_IADD(a, b) _mm256_add_epi32(a, b)
#define DPX_IAND(a, b) _mm256_and_si256(a, b)
#define DPX_IOR(a, b) _mm256_or_si256(a, b)
#define DPX_IXOR(a, b) _mm256_xor_si256(a, b)
#define DPX_ISLL(a, n) _mm256_slli_epi32(a, n)
#define DPX_ISRL(a, n) _mm256_srli_epi32(a, n)
#define DPX_IGT(a, b) _mm256_castsi256_ps(_mm256_cmpgt_epi32(a, b))
#define DPX_BYTES(a, order) _mm256_shuffle_epi8(a, _mm256_broadcastsi128_si256(order))
#define DPX_IROL(a, r)                                                                             \
  ((r) == 16  ? DPX_BYTES(a, _mm_set_epi8(13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6, 1, 0, 3, 2))   \
   : (r) == 8 ? DPX_BYTES(a, _mm_set_epi8(14, 13, 12, 15, 10, 9, 8, 11, 6, 5, 4, 7, 2, 1, 0, 3))   \
              : _mm256_or_si256(_mm256_slli_epi32(a, r), _mm256_srli_epi32(a, 32 - (r))))
#define DPX_UNPACK_LO32(a, b) _mm256_unpacklo_epi32(a, b)
#define DPX_UNPACK_HI32(a, b) _mm256_unpackhi_epi32(a, b)
#define DPX_UNPACK_LO64(a, b) _mm256_unpacklo_epi64(a, b)
#define DPX_UNPACK_HI64(a, b) _mm256_unpackhi_epi64(a, b)
#define DPX_STORE_PARTS(p, stride, a)                                                              \
  do {                                                                                             \
    _mm_storeu_si128((__m128i *)(void *)(p), _mm256_castsi256_si128(a));                           \
    _mm_storeu_si128((__m128i *)(void *)((p) + (stride)), _mm256_extracti128_si256(a, 1));         \
  } while (0)
#define DPX_EVEN_ODD(even, odd, p)                                                                 \
  do {                                                                                             \
    const __m256 a_ = _mm256_loadu_ps((const float *)(const void *)(p));                           \
    const __m256 b_ = _mm256_loadu_ps((const float *)(const void *)((p) + 8));                     \
    even = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(a_, b_, 0x88)), 0xd8);   \
    odd = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(a_, b_, 0xdd)), 0xd8);    \
  } while (0)
#define DPX_I2F(a) _mm256_cvtepi32_ps(a)
#define DPX_U2F(a)                                                                                 \
  _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(a, 16)), _mm256_set1_ps(65536.0f),          \
                  _mm256_cvtepi32_ps(_mm256_and_si256(a, _mm256_set1_epi32(0xffff))))
#define DPX_FBITS(a) _mm256_castps_si256(a)
#define DPX_BITSF(a) _mm256_castsi256_ps(a)
#define DPX_FSET(x) _mm256_set1_ps(x)
#define DPX_FADD(a, b) _mm256_add_ps(a, b)
#define DPX_FSUB(a, b) _mm256_sub_ps(a, b)
#define DPX_FMUL(a, b) _mm256_mul_ps(a, b)
#define DPX_FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define DPX_FSQRT(a) _mm256_sqrt_ps(a)
#define DPX_FRINT(a) _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define DPX_FSTORE(p, a) _mm256_storeu_ps(p, a)
#define DPX_FLOAD(p) _mm256_loadu_ps(p)
#define DPX_FSEL(m, a, b) _mm256_blendv_ps(b, a, m)
#define DPX_FGE(a, b) _mm256_cmp_ps(a, b, _CMP_NLT_UQ)
#define DPX_FGT(a, b) _mm256_cmp_ps(a, b, _CMP_GT_OQ)
#define DPX_MNONE _mm256_setzero_ps()
#define DPX_MOR(a, b) _mm256_or_ps(a, b)
#define DPX_M_LO(m)                                                                                \
  _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(_mm256_castps_si256(m))))
#define DPX_M_HI(m)                                                                                \
  _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm256_extracti128_si256(_mm256_castps_si256(m), 1)))
#define DPX_M_BITS(m) ((unsigned)_mm256_movemask_ps(m))
#define DPX_F_LO(a) _mm256_cvtps_pd(_mm256_castps256_ps128(a))
#define DPX_F_HI(a) _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1))
#define DPX_D2F(lo, hi)                                                                            \
  _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(lo)), _mm256_cvtpd_ps(hi), 1)
#define DPX_QSET(x) _mm256_set1_epi64x((long long)(x))
#define DPX_QADD(a, b) _mm256_add_epi64(a, b)
#define DPX_QSUB(a, b) _mm256_sub_epi64(a, b)
#define DPX_QAND(a, b) _mm256_and_si256(a, b)
#define DPX_QANDNOT(a, b) _mm256_andnot_si256(a, b)
#define DPX_QOR(a, b) _mm256_or_si256(a, b)
#define DPX_QXOR(a, b) _mm256_xor_si256(a, b)
#define DPX_QSLL(a, n) _mm256_slli_epi64(a, n)
#define DPX_QSRL(a, n) _mm256_srli_epi64(a, n)
#define DPX_QGT(a, b) _mm256_castsi256_pd(_mm256_cmpgt_epi64(a, b))
#define DPX_WIDEN(p) _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(const void *)(p)))
/* 64-bit integers by their halves, each inside the digits of a double: one rounding in all. */
#define DPX_Q2D(a)                                                                                 \
  _mm256_add_pd(                                                                                   \
      _mm256_sub_pd(_mm256_castsi256_pd(_mm256_xor_si256(_mm256_srli_epi64(a, 32),                 \
                                                         _mm256_set1_epi64x(0x4530000080000000))), \
                    _mm256_set1_pd(19342822341709703277445120.0)),                                 \
      _mm256_castsi256_pd(_mm256_blend_epi32(a, _mm256_set1_epi64x(0x4330000000000000), 0xaa)))
#define DPX_UQ2D(a)                                                                                \
  _mm256_add_pd(                                                                                   \
      _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(_mm256_srli_epi64(a, 32),                  \
                                                        _mm256_set1_epi64x(0x4530000000000000))),  \
                    _mm256_set1_pd(19342813118337666422669312.0)),                                 \
      _mm256_castsi256_pd(_mm256_blend_epi32(a, _mm256_set1_epi64x(0x4330000000000000), 0xaa)))
#define DPX_DBITS(a) _mm256_castpd_si256(a)
#define DPX_BITSD(a) _mm256_castsi256_pd(a)
#define DPX_DSET(x) _mm256_set1_pd(x)
#define DPX_DLOAD(p) _mm256_loadu_pd(p)
#define DPX_DSTORE(p, a) _mm256_storeu_pd(p, a)
#define DPX_DLOADF(p) _mm256_cvtps_pd(_mm_loadu_ps(p))
#define DPX_DSTOREF(p, a) _mm_storeu_ps(p, _mm256_cvtpd_ps(a))
#define DPX_DADD(a, b) _mm256_add_pd(a, b)
#define DPX_DSUB(a, b) _mm256_sub_pd(a, b)
#define DPX_DMUL(a, b) _mm256_mul_pd(a, b)
#define DPX_DDIV(a, b) _mm256_div_pd(a, b)
#define DPX_DFMA(a, b, c) _mm256_fmadd_pd(a, b, c)
#define DPX_DSQRT(a) _mm256_sqrt_pd(a)
#define DPX_DRINT(a) _mm256_round_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define DPX_NNONE _mm256_setzero_pd()
#define DPX_DSEL(m, a, b) _mm256_blendv_pd(b, a, m)
#define DPX_DGE(a, b) _mm256_cmp_pd(a, b, _CMP_NLT_UQ)
#define DPX_NOR(a, b) _mm256_or_pd(a, b)
#define DPX_N_BITS(m) ((unsigned)_mm256_movemask_pd(m))

#else
/* gcc 12 has these two as macros whose own casts trip its warning. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
DPPAIR_FORCE_INLINE_ __m512 dppair_rint_ps_avx512_(__m512 a) {
  return _mm512_maskz_roundscale_ps(0xffff, a, 0x08);
}
DPPAIR_FORCE_INLINE_ __m512d dppair_rint_pd_avx512_(__m512d a) {
  return _mm512_maskz_roundscale_pd(0xff, a, 0x08);
}
#pragma GCC diagnostic pop
#define DPX_(name) name##avx512_
#define DPX_L 16
#define DPX_I __m512i
#define DPX_F __m512
#define DPX_Q __m512i
#define DPX_D __m512d
#define DPX_M __mmask16
#define DPX_N __mmask8
#define DPX_ILOAD(p) _mm512_loadu_si512((const void *)(p))
#define DPX_ISET(x) _mm512_set1_epi32((int32_t)(x))
#define DPX_IADD(a, b) _mm512_add_epi32(a, b)
#define DPX_IAND(a, b) _mm512_and_si512(a, b)
#define DPX_IOR(a, b) _mm512_or_si512(a, b)
#define DPX_IXOR(a, b) _mm512_xor_si512(a, b)
#define DPX_ISLL(a, n) _mm512_maskz_slli_epi32(0xffff, a, n)
#define DPX_ISRL(a, n) _mm512_maskz_srli_epi32(0xffff, a, n)
#define DPX_IGT(a, b) _mm512_cmpgt_epi32_mask(a, b)
#define DPX_IROL(a, r) _mm512_maskz_rol_epi32(0xffff, a, r)
#define DPX_UNPACK_LO32(a, b) _mm512_maskz_unpacklo_epi32(0xffff, a, b)
#define DPX_UNPACK_HI32(a, b) _mm512_maskz_unpackhi_epi32(0xffff, a, b)
#define DPX_UNPACK_LO64(a, b) _mm512_maskz_unpacklo_epi64(0xff, a, b)
#define DPX_UNPACK_HI64(a, b) _mm512_maskz_unpackhi_epi64(0xff, a, b)
#define DPX_EVEN_ODD(even, odd, p)                                                                 \
  do {                                                                                             \
    const __m512i a_ = _mm512_loadu_si512((const void *)(p));                                      \
    const __m512i b_ = _mm512_loadu_si512((const void *)((p) + 16));                               \
    even = _mm512_permutex2var_epi32(                                                              \
        a_, _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0), b_);      \
    odd = _mm512_permutex2var_epi32(                                                               \
        a_, _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1), b_);      \
  } while (0)
#define DPX_I2F(a) _mm512_maskz_cvtepi32_ps(0xffff, a)
#define DPX_U2F(a) _mm512_maskz_cvtepu32_ps(0xffff, a)
#define DPX_FBITS(a) _mm512_castps_si512(a)
#define DPX_BITSF(a) _mm512_castsi512_ps(a)
#define DPX_FSET(x) _mm512_set1_ps(x)
#define DPX_FADD(a, b) _mm512_add_ps(a, b)
#define DPX_FSUB(a, b) _mm512_sub_ps(a, b)
#define DPX_FMUL(a, b) _mm512_mul_ps(a, b)
#define DPX_FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define DPX_FSQRT(a) _mm512_maskz_sqrt_ps(0xffff, a)
#define DPX_FRINT(a) dppair_rint_ps_avx512_(a)
#define DPX_FSTORE(p, a) _mm512_storeu_ps(p, a)
#define DPX_FLOAD(p) _mm512_loadu_ps(p)
#define DPX_FSEL(m, a, b) _mm512_mask_blend_ps(m, b, a)
#define DPX_FGE(a, b) _mm512_cmp_ps_mask(a, b, _CMP_NLT_UQ)
#define DPX_FGT(a, b) _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ)
#define DPX_MNONE ((__mmask16)0)
#define DPX_MOR(a, b) ((__mmask16)((a) | (b)))
#define DPX_M_LO(m) ((__mmask8)((m)&0xff))
#define DPX_M_HI(m) ((__mmask8)((unsigned)(m) >> 8))
#define DPX_M_BITS(m) ((unsigned)(m))
#define DPX_F_LO(a) _mm512_maskz_cvtps_pd(0xff, _mm512_maskz_extractf32x8_ps(0xff, a, 0))
#define DPX_F_HI(a) _mm512_maskz_cvtps_pd(0xff, _mm512_maskz_extractf32x8_ps(0xff, a, 1))
#define DPX_D2F(lo, hi)                                                                            \
  _mm512_maskz_insertf32x8(0xffff, _mm512_castps256_ps512(_mm512_maskz_cvtpd_ps(0xff, lo)),        \
                           _mm512_maskz_cvtpd_ps(0xff, hi), 1)
#define DPX_QSET(x) _mm512_set1_epi64((long long)(x))
#define DPX_QADD(a, b) _mm512_add_epi64(a, b)
#define DPX_QSUB(a, b) _mm512_sub_epi64(a, b)
#define DPX_QAND(a, b) _mm512_and_si512(a, b)
#define DPX_QANDNOT(a, b) _mm512_maskz_andnot_epi64(0xff, a, b)
#define DPX_QOR(a, b) _mm512_or_si512(a, b)
#define DPX_QXOR(a, b) _mm512_xor_si512(a, b)
#define DPX_QSLL(a, n) _mm512_maskz_slli_epi64(0xff, a, n)
#define DPX_QSRL(a, n) _mm512_maskz_srli_epi64(0xff, a, n)
#define DPX_QGT(a, b) _mm512_cmpgt_epi64_mask(a, b)
#define DPX_WIDEN(p)                                                                               \
  _mm512_maskz_cvtepu32_epi64(0xff, _mm256_loadu_si256((const __m256i *)(const void *)(p)))
#define DPX_Q2D(a) _mm512_maskz_cvtepi64_pd(0xff, a)
#define DPX_UQ2D(a) _mm512_maskz_cvtepu64_pd(0xff, a)
#define DPX_DBITS(a) _mm512_castpd_si512(a)
#define DPX_BITSD(a) _mm512_castsi512_pd(a)
#define DPX_DSET(x) _mm512_set1_pd(x)
#define DPX_DLOAD(p) _mm512_loadu_pd(p)
#define DPX_DSTORE(p, a) _mm512_storeu_pd(p, a)
#define DPX_DLOADF(p) _mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(p))
#define DPX_DSTOREF(p, a) _mm256_storeu_ps(p, _mm512_maskz_cvtpd_ps(0xff, a))
#define DPX_DADD(a, b) _mm512_add_pd(a, b)
#define DPX_DSUB(a, b) _mm512_sub_pd(a, b)
#define DPX_DMUL(a, b) _mm512_mul_pd(a, b)
#define DPX_DDIV(a, b) _mm512_div_pd(a, b)
#define DPX_DFMA(a, b, c) _mm512_fmadd_pd(a, b, c)
#define DPX_DSQRT(a) _mm512_maskz_sqrt_pd(0xff, a)
#define DPX_DRINT(a) dppair_rint_pd_avx512_(a)
#define DPX_NNONE ((__mmask8)0)
#define DPX_DSEL(m, a, b) _mm512_mask_blend_pd(m, b, a)
#define DPX_DGE(a, b) _mm512_cmp_pd_mask(a, b, _CMP_NLT_UQ)
#define DPX_NOR(a, b) ((__mmask8)((a) | (b)))
#define DPX_N_BITS(m) ((unsigned)(m))
#endif
