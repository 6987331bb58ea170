/* ------------------------------------------------------------------------------------------------
 * Tier 3: AVX-512 F, DQ, BW, VL
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_
#define DPN_T __m512d
#define DPN_M __mmask8
#define DPN_ALL 0xff
#define DPN_INT(a) _mm512_castpd_si512(a)
#else
#define DPN_T __m512
#define DPN_M __mmask16
#define DPN_ALL 0xffff
#define DPN_INT(a) _mm512_castps_si512(a)
#endif
/* The maskz forms with all lanes on do what the plain ones do. gcc 12 warns of an uninitialised
 * operand in the plain ones. */
#define DPN_K 1
#define DPN_SET(x) DPN_PD(_mm512_set1_)(x)
#define DPN_LOAD(p) DPN_PD(_mm512_loadu_)(p)
#define DPN_STORE(p, a) DPN_PD(_mm512_storeu_)(p, a)
#define DPN_LOADF(p) _mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(p))
#define DPN_STOREF(p, a) _mm256_storeu_ps(p, _mm512_maskz_cvtpd_ps(0xff, a))
#define DPN_FMA(a, b, c) DPN_PD(_mm512_fmadd_)(a, b, c)
#define DPN_SQRT(a) DPN_PD(_mm512_maskz_sqrt_)(DPN_ALL, a)
#define DPN_MAX(a, b) DPN_PD(_mm512_maskz_max_)(DPN_ALL, a, b)
#define DPN_MIN(a, b) DPN_PD(_mm512_maskz_min_)(DPN_ALL, a, b)
#define DPN_CMP(a, b, how) DPPAIR_CAT(DPN_PD(_mm512_cmp_), _mask)(a, b, how)
#define DPN_LT(a, b) DPN_CMP(a, b, _CMP_LT_OQ)
#define DPN_LE(a, b) DPN_CMP(a, b, _CMP_LE_OQ)
#define DPN_EQ(a, b) DPN_CMP(a, b, _CMP_EQ_OQ)
#define DPN_SEL(m, a, b) DPN_PD(_mm512_mask_blend_)(m, b, a)
#define DPN_MAND(a, b) ((DPN_M)((a) & (b)))
#define DPN_MOR(a, b) ((DPN_M)((a) | (b)))
#define DPN_AND(a, b) DPN_PD(_mm512_and_)(a, b)
#define DPN_OR(a, b) DPN_PD(_mm512_or_)(a, b)
#define DPN_XOR(a, b) DPN_PD(_mm512_xor_)(a, b)
#define DPN_FLOAT(u) DPN_PD(_mm512_castsi512_)(u)
#define DPN_SHL(a, n) DPN_FLOAT(DPN_EPI(_mm512_maskz_slli_)(DPN_ALL, DPN_INT(a), n))
#define DPN_SHR(a, n) DPN_FLOAT(DPN_EPI(_mm512_maskz_srli_)(DPN_ALL, DPN_INT(a), n))
#define DPN_ADD_BITS(a, b) DPN_FLOAT(_mm512_add_epi64(DPN_INT(a), DPN_INT(b)))
#define DPN_EACH(s)                                                                                \
  {                                                                                                \
    enum { k = 0 };                                                                                \
    s;                                                                                             \
  }
#define DPN_REGISTERS 32
DPN_VECTORS;

/* p 2^n in one instruction; the generic form is in simd/operations.h. */
#define DPN_OWN_SCALE
DPV_INLINE_ DPV_T dpv_scale(DPV_T p, DPV_T n) {
  DPN_EVERY(DPV_T, DPN_PD(_mm512_maskz_scalef_)(DPN_ALL, p.r[k], n.r[k]));
}

/* Faster forms of functions in rows/kernels_f64.h and rows/kernels_f32.h, with the same bits. */
#define DPN_OWN_ROW_END
#define DPN_OWN_SUMS8
#if DPPAIR_F64_
DPV_INLINE_ DPV_T dpv_row_end(const void *x, size_t at, size_t n, int is_f32) {
  const __mmask8 m = (__mmask8)((1u << n) - 1u);
  DPV_T v;
  v.r[0] = is_f32 ? _mm512_maskz_cvtps_pd(0xff, _mm256_maskz_loadu_ps(m, (const float *)x + at))
                  : _mm512_maskz_loadu_pd(m, (const double *)x + at);
  return v;
}

#define DPN_OWN_ROWS8
DPV_INLINE_ void dpv_rows8(DPV_T *c, const double *base, const size_t *at) {
  __m512d r[8], u[8], v[8];
  DPV_UNROLL_
  for (int l = 0; l < 8; l++) r[l] = _mm512_loadu_pd(base + at[l]);
  DPV_UNROLL_
  for (int l = 0; l < 8; l += 2) {
    u[l] = _mm512_maskz_unpacklo_pd(0xff, r[l], r[l + 1]);
    u[l + 1] = _mm512_maskz_unpackhi_pd(0xff, r[l], r[l + 1]);
  }
  DPV_UNROLL_
  for (int l = 0; l < 2; l++) {
    DPV_UNROLL_
    for (int m = 0; m < 8; m += 4) {
      v[m + l] = _mm512_maskz_shuffle_f64x2(0xff, u[m + l], u[m + l + 2], 0x88);
      v[m + l + 2] = _mm512_maskz_shuffle_f64x2(0xff, u[m + l], u[m + l + 2], 0xdd);
    }
  }
  DPV_UNROLL_
  for (int l = 0; l < 2; l++) {
    c[l].r[0] = _mm512_maskz_shuffle_f64x2(0xff, v[l], v[l + 4], 0x88);
    c[l + 4].r[0] = _mm512_maskz_shuffle_f64x2(0xff, v[l], v[l + 4], 0xdd);
    c[l + 2].r[0] = _mm512_maskz_shuffle_f64x2(0xff, v[l + 2], v[l + 6], 0x88);
    c[l + 6].r[0] = _mm512_maskz_shuffle_f64x2(0xff, v[l + 2], v[l + 6], 0xdd);
  }
}

DPV_INLINE_ DPV_T dpv_sums8(const double *part) {
  DPV_T v;
  __m512d h[4], e[2], x, y;
  DPV_UNROLL_
  for (int l = 0; l < 4; l++) {
    x = _mm512_loadu_pd(part + 8 * l);
    y = _mm512_loadu_pd(part + 8 * l + 32);
    h[l] =
        _mm512_maskz_shuffle_f64x2(0xff, x, y, 0x44) + _mm512_maskz_shuffle_f64x2(0xff, x, y, 0xee);
  }
  DPV_UNROLL_
  for (int l = 0; l < 2; l++)
    e[l] = _mm512_maskz_shuffle_f64x2(0xff, h[l], h[l + 2], 0x88) +
           _mm512_maskz_shuffle_f64x2(0xff, h[l], h[l + 2], 0xdd);
  x = _mm512_maskz_unpacklo_pd(0xff, e[0], e[1]) + _mm512_maskz_unpackhi_pd(0xff, e[0], e[1]);
  v.r[0] = _mm512_maskz_shuffle_f64x2(0xff, x, x, 0xd8);
  return v;
}
#else
DPV_INLINE_ DPV_T dpv_row_end(const float *x, size_t n) {
  DPV_T v;
  v.r[0] = _mm512_maskz_loadu_ps((__mmask16)((1u << n) - 1u), x);
  return v;
}
/* The same additions as on AVX2: after the first one, 8 lanes are left. */
DPV_INLINE_ void dpv_sums8(float *s, const float *part) { dpv_sums8_f32_avx2(s, part); }
#endif
