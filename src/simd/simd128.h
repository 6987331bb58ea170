/* ------------------------------------------------------------------------------------------------
 * Tier 1: 128 bits through SIMDe (SSE2, NEON, VSX)
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_
DPV_INLINE_ simde__m128d dppair_loadf_simd128_(const float *p) {
  return simde_mm_set_pd((double)p[1], (double)p[0]);
}
DPV_INLINE_ void dppair_storef_simd128_(float *p, simde__m128d a) {
  double t[2];
  simde_mm_storeu_pd(t, a);
  p[0] = (float)t[0];
  p[1] = (float)t[1];
}
#endif
#if DPPAIR_F64_
#define DPN_T simde__m128d
#else
#define DPN_T simde__m128
#endif
#define DPN_M DPN_T
#define DPN_K 4
#define DPN_SET(x) DPN_PD(simde_mm_set1_)(x)
#define DPN_LOAD(p) DPN_PD(simde_mm_loadu_)(p)
#define DPN_STORE(p, a) DPN_PD(simde_mm_storeu_)(p, a)
#define DPN_LOADF(p) dppair_loadf_simd128_(p)
#define DPN_STOREF(p, a) dppair_storef_simd128_(p, a)
/* Two roundings either way; SIMDe takes numbers one by one, in vectors at -O2 at best. */
#if defined(__SSE2__) && !defined(__FMA__) && !defined(__FMA4__)
#define DPN_FMA(a, b, c) DPN_ADD(DPN_MUL(a, b), c)
#else
#define DPN_FMA(a, b, c) DPN_PD(simde_mm_fmadd_)(a, b, c)
#endif
#define DPN_SQRT(a) DPN_PD(simde_mm_sqrt_)(a)
#define DPN_MAX(a, b) DPN_SEL(DPN_LT(b, a), a, b) /* simde_mm_max differs on NaN and -0 */
#define DPN_MIN(a, b) DPN_SEL(DPN_LT(a, b), a, b)
#define DPN_LT(a, b) DPN_PD(simde_mm_cmplt_)(a, b)
#define DPN_LE(a, b) DPN_PD(simde_mm_cmple_)(a, b)
#define DPN_EQ(a, b) DPN_PD(simde_mm_cmpeq_)(a, b)
#define DPN_SEL(m, a, b) DPN_OR(DPN_AND(m, a), DPN_PD(simde_mm_andnot_)(m, b))
#define DPN_MAND(a, b) DPN_AND(a, b)
#define DPN_MOR(a, b) DPN_OR(a, b)
#define DPN_AND(a, b) DPN_PD(simde_mm_and_)(a, b)
#define DPN_OR(a, b) DPN_PD(simde_mm_or_)(a, b)
#define DPN_XOR(a, b) DPN_PD(simde_mm_xor_)(a, b)
#if DPPAIR_F64_
#define DPN_INT(a) simde_mm_castpd_si128(a)
#else
#define DPN_INT(a) simde_mm_castps_si128(a)
#endif
#define DPN_FLOAT(u) DPN_PD(simde_mm_castsi128_)(u)
#define DPN_SHL(a, n) DPN_FLOAT(DPN_EPI(simde_mm_slli_)(DPN_INT(a), n))
#define DPN_SHR(a, n) DPN_FLOAT(DPN_EPI(simde_mm_srli_)(DPN_INT(a), n))
#define DPN_ADD_BITS(a, b) DPN_FLOAT(simde_mm_add_epi64(DPN_INT(a), DPN_INT(b)))
#define DPN_IT(i, s)                                                                               \
  {                                                                                                \
    enum { k = i };                                                                                \
    s;                                                                                             \
  }
#define DPN_EACH(s) DPN_IT(0, s) DPN_IT(1, s) DPN_IT(2, s) DPN_IT(3, s)
#define DPN_REGISTERS 16
DPN_VECTORS;
