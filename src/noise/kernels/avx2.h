/* ------------------------------------------------------------------------------------------------
 * Tier 2: AVX2 with FMA
 * ---------------------------------------------------------------------------------------------- */

#define DPR_FN(name) DPPAIR_CAT(name, avx2_)
#define DPR_LANES 8
#define DPR_I __m256i
#define DPR_F __m256
#define DPR_Q __m256i
#define DPR_D __m256d
#define DPR_M __m256
#define DPR_N __m256d

/* Words of 32 bits. */
#define DPR_ILOAD(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define DPR_ISET(x) _mm256_set1_epi32((int32_t)(x))
#define DPR_IADD(a, b) _mm256_add_epi32(a, b)
#define DPR_IAND(a, b) _mm256_and_si256(a, b)
#define DPR_IOR(a, b) _mm256_or_si256(a, b)
#define DPR_IXOR(a, b) _mm256_xor_si256(a, b)
#define DPR_ISHL(a, n) _mm256_slli_epi32(a, n)
#define DPR_ISHR(a, n) _mm256_srli_epi32(a, n)
#define DPR_IGT(a, b) _mm256_castsi256_ps(_mm256_cmpgt_epi32(a, b))
#define DPR_BYTES(a, order) _mm256_shuffle_epi8(a, _mm256_broadcastsi128_si256(order))
#define DPR_IROL(a, r)                                                                             \
  ((r) == 16  ? DPR_BYTES(a, _mm_set_epi8(13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6, 1, 0, 3, 2))   \
   : (r) == 8 ? DPR_BYTES(a, _mm_set_epi8(14, 13, 12, 15, 10, 9, 8, 11, 6, 5, 4, 7, 2, 1, 0, 3))   \
              : _mm256_or_si256(_mm256_slli_epi32(a, r), _mm256_srli_epi32(a, 32 - (r))))
#define DPR_UNPACK_LO32(a, b) _mm256_unpacklo_epi32(a, b)
#define DPR_UNPACK_HI32(a, b) _mm256_unpackhi_epi32(a, b)
#define DPR_UNPACK_LO64(a, b) _mm256_unpacklo_epi64(a, b)
#define DPR_UNPACK_HI64(a, b) _mm256_unpackhi_epi64(a, b)
#define DPR_STORE_PARTS(p, stride, a)                                                              \
  do {                                                                                             \
    _mm_storeu_si128((__m128i *)(void *)(p), _mm256_castsi256_si128(a));                           \
    _mm_storeu_si128((__m128i *)(void *)((p) + (stride)), _mm256_extracti128_si256(a, 1));         \
  } while (0)
#define DPR_EVEN_ODD(even, odd, p)                                                                 \
  do {                                                                                             \
    const __m256 a_ = _mm256_loadu_ps((const float *)(const void *)(p));                           \
    const __m256 b_ = _mm256_loadu_ps((const float *)(const void *)((p) + 8));                     \
    even = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(a_, b_, 0x88)), 0xd8);   \
    odd = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(a_, b_, 0xdd)), 0xd8);    \
  } while (0)

/* Floats; DPR_FGE is true for NaN. */
#define DPR_I2F(a) _mm256_cvtepi32_ps(a)
#define DPR_U2F(a)                                                                                 \
  _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(a, 16)), _mm256_set1_ps(65536.0f),          \
                  _mm256_cvtepi32_ps(_mm256_and_si256(a, _mm256_set1_epi32(0xffff))))
#define DPR_FINT(a) _mm256_castps_si256(a)
#define DPR_FLOAT(u) _mm256_castsi256_ps(u)
#define DPR_FSET(x) _mm256_set1_ps(x)
#define DPR_FFMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define DPR_FSQRT(a) _mm256_sqrt_ps(a)
#define DPR_FROUND(a) _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define DPR_FSTORE(p, a) _mm256_storeu_ps(p, a)
#define DPR_FLOAD(p) _mm256_loadu_ps(p)
#define DPR_FSEL(m, a, b) _mm256_blendv_ps(b, a, m)
#define DPR_FGE(a, b) _mm256_cmp_ps(a, b, _CMP_NLT_UQ)
#define DPR_FGT(a, b) _mm256_cmp_ps(a, b, _CMP_GT_OQ)

/* Masks of floats. */
#define DPR_MNONE _mm256_setzero_ps()
#define DPR_MOR(a, b) _mm256_or_ps(a, b)
#define DPR_M_BITS(m) ((unsigned)_mm256_movemask_ps(m))

/* Words of 64 bits. */
#define DPR_QSET(x) _mm256_set1_epi64x((long long)(x))
#define DPR_QADD(a, b) _mm256_add_epi64(a, b)
#define DPR_QSUB(a, b) _mm256_sub_epi64(a, b)
#define DPR_QAND(a, b) _mm256_and_si256(a, b)
#define DPR_QANDNOT(a, b) _mm256_andnot_si256(a, b)
#define DPR_QOR(a, b) _mm256_or_si256(a, b)
#define DPR_QXOR(a, b) _mm256_xor_si256(a, b)
#define DPR_QSHL(a, n) _mm256_slli_epi64(a, n)
#define DPR_QSHR(a, n) _mm256_srli_epi64(a, n)
#define DPR_QGT(a, b) _mm256_castsi256_pd(_mm256_cmpgt_epi64(a, b))
#define DPR_WIDEN(p) _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(const void *)(p)))
/* Signed and unsigned words to doubles. The halves of 32 bits become the low digits of 2^84 and
 * 2^52; 2^84 + 2^52 (signed: and 2^63, which makes the word unsigned) is subtracted exactly, so
 * that the sum is the only rounding. */
#define DPR_Q2D(a)                                                                                 \
  _mm256_add_pd(                                                                                   \
      _mm256_sub_pd(_mm256_castsi256_pd(_mm256_xor_si256(_mm256_srli_epi64(a, 32),                 \
                                                         _mm256_set1_epi64x(0x4530000080000000))), \
                    _mm256_set1_pd(19342822341709703277445120.0)),                                 \
      _mm256_castsi256_pd(_mm256_blend_epi32(a, _mm256_set1_epi64x(0x4330000000000000), 0xaa)))
#define DPR_UQ2D(a)                                                                                \
  _mm256_add_pd(                                                                                   \
      _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(_mm256_srli_epi64(a, 32),                  \
                                                        _mm256_set1_epi64x(0x4530000000000000))),  \
                    _mm256_set1_pd(19342813118337666422669312.0)),                                 \
      _mm256_castsi256_pd(_mm256_blend_epi32(a, _mm256_set1_epi64x(0x4330000000000000), 0xaa)))

/* Doubles. */
#define DPR_DINT(a) _mm256_castpd_si256(a)
#define DPR_DOUBLE(u) _mm256_castsi256_pd(u)
#define DPR_DSET(x) _mm256_set1_pd(x)
#define DPR_DLOAD(p) _mm256_loadu_pd(p)
#define DPR_DSTORE(p, a) _mm256_storeu_pd(p, a)
#define DPR_DLOADF(p) _mm256_cvtps_pd(_mm_loadu_ps(p))
#define DPR_DSTOREF(p, a) _mm_storeu_ps(p, _mm256_cvtpd_ps(a))
#define DPR_DFMA(a, b, c) _mm256_fmadd_pd(a, b, c)
#define DPR_DSQRT(a) _mm256_sqrt_pd(a)

/* Masks of doubles; DPR_DGE is true for NaN. */
#define DPR_DSEL(m, a, b) _mm256_blendv_pd(b, a, m)
#define DPR_DGE(a, b) _mm256_cmp_pd(a, b, _CMP_NLT_UQ)
#define DPR_NOR(a, b) _mm256_or_pd(a, b)
#define DPR_N_BITS(m) ((unsigned)_mm256_movemask_pd(m))

/* AES on units of 16 bytes. */
#define DPR_ISTORE(p, a) _mm256_storeu_si256((__m256i *)(void *)(p), a)
#define DPR_AES_KEY(p)                                                                             \
  _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define DPR_AES_REVERSE(a)                                                                         \
  DPR_BYTES(a, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define DPR_AES(a, k) _mm256_aesenc_epi128(a, k)
#define DPR_AES_LAST(a, k) _mm256_aesenclast_epi128(a, k)
