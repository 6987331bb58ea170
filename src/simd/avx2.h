/* ------------------------------------------------------------------------------------------------
 * Tier 2: AVX2 with FMA
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_
#define DPN_T __m256d
#define DPN_INT(a) _mm256_castpd_si256(a)
#else
#define DPN_T __m256
#define DPN_INT(a) _mm256_castps_si256(a)
#endif
#define DPN_M DPN_T
#define DPN_K 2
#define DPN_SET(x) DPN_PD(_mm256_set1_)(x)
#define DPN_LOAD(p) DPN_PD(_mm256_loadu_)(p)
#define DPN_STORE(p, a) DPN_PD(_mm256_storeu_)(p, a)
#define DPN_LOADF(p) _mm256_cvtps_pd(_mm_loadu_ps(p))
#define DPN_STOREF(p, a) _mm_storeu_ps(p, _mm256_cvtpd_ps(a))
#define DPN_FMA(a, b, c) DPN_PD(_mm256_fmadd_)(a, b, c)
#define DPN_SQRT(a) DPN_PD(_mm256_sqrt_)(a)
#define DPN_MAX(a, b) DPN_PD(_mm256_max_)(a, b)
#define DPN_MIN(a, b) DPN_PD(_mm256_min_)(a, b)
#define DPN_LT(a, b) DPN_PD(_mm256_cmp_)(a, b, _CMP_LT_OQ)
#define DPN_LE(a, b) DPN_PD(_mm256_cmp_)(a, b, _CMP_LE_OQ)
#define DPN_EQ(a, b) DPN_PD(_mm256_cmp_)(a, b, _CMP_EQ_OQ)
#define DPN_SEL(m, a, b) DPN_PD(_mm256_blendv_)(b, a, m)
#define DPN_MAND(a, b) DPN_AND(a, b)
#define DPN_MOR(a, b) DPN_OR(a, b)
#define DPN_AND(a, b) DPN_PD(_mm256_and_)(a, b)
#define DPN_OR(a, b) DPN_PD(_mm256_or_)(a, b)
#define DPN_XOR(a, b) DPN_PD(_mm256_xor_)(a, b)
#define DPN_FLOAT(u) DPN_PD(_mm256_castsi256_)(u)
#define DPN_SHL(a, n) DPN_FLOAT(DPN_EPI(_mm256_slli_)(DPN_INT(a), n))
#define DPN_SHR(a, n) DPN_FLOAT(DPN_EPI(_mm256_srli_)(DPN_INT(a), n))
#define DPN_ADD_BITS(a, b) DPN_FLOAT(_mm256_add_epi64(DPN_INT(a), DPN_INT(b)))
#define DPN_IT(i, s)                                                                               \
  {                                                                                                \
    enum { k = i };                                                                                \
    s;                                                                                             \
  }
#define DPN_EACH(s) DPN_IT(0, s) DPN_IT(1, s)
#define DPN_REGISTERS 16
DPN_VECTORS;

/* Faster forms of functions in rows/kernels_f64.h and rows/kernels_f32.h, with the same bits. */
#define DPN_OWN_SUMS8
#if DPPAIR_F64_
#define DPN_OWN_ROWS8
DPV_INLINE_ void dpv_rows8(DPV_T *c, const double *base, const size_t *at) {
  DPV_UNROLL_
  for (int l = 0; l < 8; l += 4) {
    DPV_UNROLL_
    for (int m = 0; m < 8; m += 4) {
      const __m256d r0 = _mm256_loadu_pd(base + at[l] + m);
      const __m256d r1 = _mm256_loadu_pd(base + at[l + 1] + m);
      const __m256d r2 = _mm256_loadu_pd(base + at[l + 2] + m);
      const __m256d r3 = _mm256_loadu_pd(base + at[l + 3] + m);
      const __m256d u0 = _mm256_unpacklo_pd(r0, r1), u1 = _mm256_unpackhi_pd(r0, r1);
      const __m256d u2 = _mm256_unpacklo_pd(r2, r3), u3 = _mm256_unpackhi_pd(r2, r3);
      c[m].r[l / 4] = _mm256_permute2f128_pd(u0, u2, 0x20);
      c[m + 1].r[l / 4] = _mm256_permute2f128_pd(u1, u3, 0x20);
      c[m + 2].r[l / 4] = _mm256_permute2f128_pd(u0, u2, 0x31);
      c[m + 3].r[l / 4] = _mm256_permute2f128_pd(u1, u3, 0x31);
    }
  }
}

DPV_INLINE_ DPV_T dpv_sums8(const double *part) {
  DPV_T v;
  DPV_UNROLL_
  for (int l = 0; l < 2; l++) {
    const double *p = part + 32 * l;
    const __m256d h0 = _mm256_loadu_pd(p) + _mm256_loadu_pd(p + 4);
    const __m256d h1 = _mm256_loadu_pd(p + 8) + _mm256_loadu_pd(p + 12);
    const __m256d h2 = _mm256_loadu_pd(p + 16) + _mm256_loadu_pd(p + 20);
    const __m256d h3 = _mm256_loadu_pd(p + 24) + _mm256_loadu_pd(p + 28);
    const __m256d e0 = _mm256_permute2f128_pd(h0, h2, 0x20) + _mm256_permute2f128_pd(h0, h2, 0x31);
    const __m256d e1 = _mm256_permute2f128_pd(h1, h3, 0x20) + _mm256_permute2f128_pd(h1, h3, 0x31);
    v.r[l] = _mm256_unpacklo_pd(e0, e1) + _mm256_unpackhi_pd(e0, e1);
  }
  return v;
}
#else
DPV_INLINE_ void dpv_sums8(float *s, const float *part) {
  __m256 h[4], e, o;
  DPV_UNROLL_
  for (int l = 0; l < 4; l++) {
    const float *p = part + 16 * l, *q = part + 16 * l + 64;
    const __m256 x = _mm256_loadu_ps(p) + _mm256_loadu_ps(p + 8);
    const __m256 y = _mm256_loadu_ps(q) + _mm256_loadu_ps(q + 8);
    h[l] = _mm256_permute2f128_ps(x, y, 0x20) + _mm256_permute2f128_ps(x, y, 0x31);
  }
  e = _mm256_shuffle_ps(h[0], h[1], 0x44) + _mm256_shuffle_ps(h[0], h[1], 0xee);
  o = _mm256_shuffle_ps(h[2], h[3], 0x44) + _mm256_shuffle_ps(h[2], h[3], 0xee);
  _mm256_storeu_ps(s, _mm256_shuffle_ps(e, o, 0x88) + _mm256_shuffle_ps(e, o, 0xdd));
}
#endif
