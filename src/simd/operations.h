typedef struct DPV_T {
  DPN_T r[DPN_K];
} DPV_T;
typedef struct DPV_M {
  DPN_M r[DPN_K];
} DPV_M;

/* The body of an operation that acts on each native register alone: v.r[k] = e. */
#define DPN_EVERY(type, e)                                                                         \
  type v;                                                                                          \
  DPN_EACH(v.r[k] = e)                                                                             \
  return v

DPPAIR_FORCE_INLINE_ DPV_T dpv_set(DPV_R x) { DPN_EVERY(DPV_T, DPN_SET(x)); }
DPPAIR_FORCE_INLINE_ DPV_T dpv_load(const DPV_R *p) { DPN_EVERY(DPV_T, DPN_LOAD(p + k * DPN_PER)); }
DPPAIR_FORCE_INLINE_ void dpv_store(DPV_R *p, DPV_T v) {
  DPN_EACH(DPN_STORE(p + k * DPN_PER, v.r[k]));
}
DPPAIR_FORCE_INLINE_ DPV_T dpv_loadn(const DPV_R *p, size_t n, DPV_R fill) {
  DPV_R t[DPV_LANES];
  for (int i = 0; i < DPV_LANES; i++) t[i] = fill;
  for (size_t i = 0; i < n; i++) t[i] = p[i];
  return DPV_LOAD(t);
}
DPPAIR_FORCE_INLINE_ void dpv_storen(DPV_R *p, DPV_T v, size_t n) {
  DPV_R t[DPV_LANES];
  DPV_STORE(t, v);
  for (size_t i = 0; i < n; i++) p[i] = t[i];
}
#if DPPAIR_F64_
/* Eight floats, widened to double; and back, rounded once. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_load_f32(const float *p) {
  DPN_EVERY(DPV_T, DPN_LOADF(p + k * DPN_PER));
}
DPPAIR_FORCE_INLINE_ void dpv_store_f32(float *p, DPV_T v) {
  DPN_EACH(DPN_STOREF(p + k * DPN_PER, v.r[k]));
}
#endif
DPPAIR_FORCE_INLINE_ DPV_T dpv_add(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_ADD(a.r[k], b.r[k])); }
DPPAIR_FORCE_INLINE_ DPV_T dpv_sub(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_SUB(a.r[k], b.r[k])); }
DPPAIR_FORCE_INLINE_ DPV_T dpv_mul(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_MUL(a.r[k], b.r[k])); }
DPPAIR_FORCE_INLINE_ DPV_T dpv_div(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_DIV(a.r[k], b.r[k])); }
DPPAIR_FORCE_INLINE_ DPV_T dpv_max(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_MAX(a.r[k], b.r[k])); }
DPPAIR_FORCE_INLINE_ DPV_T dpv_min(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_MIN(a.r[k], b.r[k])); }
DPPAIR_FORCE_INLINE_ DPV_T dpv_sqrt(DPV_T a) { DPN_EVERY(DPV_T, DPN_SQRT(a.r[k])); }
DPPAIR_FORCE_INLINE_ DPV_T dpv_fma(DPV_T a, DPV_T b, DPV_T c) {
  DPN_EVERY(DPV_T, DPN_FMA(a.r[k], b.r[k], c.r[k]));
}
DPPAIR_FORCE_INLINE_ DPV_M dpv_lt(DPV_T a, DPV_T b) { DPN_EVERY(DPV_M, DPN_LT(a.r[k], b.r[k])); }
DPPAIR_FORCE_INLINE_ DPV_M dpv_le(DPV_T a, DPV_T b) { DPN_EVERY(DPV_M, DPN_LE(a.r[k], b.r[k])); }
DPPAIR_FORCE_INLINE_ DPV_M dpv_eq(DPV_T a, DPV_T b) { DPN_EVERY(DPV_M, DPN_EQ(a.r[k], b.r[k])); }
DPPAIR_FORCE_INLINE_ DPV_M dpv_both(DPV_M a, DPV_M b) {
  DPN_EVERY(DPV_M, DPN_MAND(a.r[k], b.r[k]));
}
DPPAIR_FORCE_INLINE_ DPV_M dpv_either(DPV_M a, DPV_M b) {
  DPN_EVERY(DPV_M, DPN_MOR(a.r[k], b.r[k]));
}
DPPAIR_FORCE_INLINE_ DPV_T dpv_sel(DPV_M m, DPV_T a, DPV_T b) {
  DPN_EVERY(DPV_T, DPN_SEL(m.r[k], a.r[k], b.r[k]));
}

/* Bit patterns, for signs and exponents. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_bit_and(DPV_T a, DPV_T b) {
  DPN_EVERY(DPV_T, DPN_AND(a.r[k], b.r[k]));
}
DPPAIR_FORCE_INLINE_ DPV_T dpv_bit_or(DPV_T a, DPV_T b) {
  DPN_EVERY(DPV_T, DPN_OR(a.r[k], b.r[k]));
}
DPPAIR_FORCE_INLINE_ DPV_T dpv_bit_xor(DPV_T a, DPV_T b) {
  DPN_EVERY(DPV_T, DPN_XOR(a.r[k], b.r[k]));
}
#if DPPAIR_F64_
#define DPN_BITS(u) DPV_SET(dppair_from_bits_f64_(UINT64_C(u)))
#define DPN_MANTISSA 52
#define DPN_BIAS 1023.0
#define DPN_MAGIC DPPAIR_MAGIC_F64_
#define DPN_TWO_P 4503599627370496.0 /* 2^52 */
#define DPN_SIGN 0x8000000000000000
#define DPN_NORM 0x3fe6a09e667f3bcd /* sqrt(1/2) */
#define DPN_C(x) DPV_SET(x)
#else
#define DPN_BITS(u) DPV_SET(dppair_from_bits_f32_(UINT32_C(u)))
#define DPN_MANTISSA 23
#define DPN_BIAS 127.0f
#define DPN_MAGIC DPPAIR_MAGIC_F32_
#define DPN_TWO_P 8388608.0f
#define DPN_SIGN 0x80000000
#define DPN_NORM 0x3f3504f3
#define DPN_C(x) DPV_SET((float)(x))
#endif
DPPAIR_FORCE_INLINE_ DPV_T dpv_shl_mantissa(DPV_T a) {
  DPN_EVERY(DPV_T, DPN_SHL(a.r[k], DPN_MANTISSA));
}
DPPAIR_FORCE_INLINE_ DPV_T dpv_shr_mantissa(DPV_T a) {
  DPN_EVERY(DPV_T, DPN_SHR(a.r[k], DPN_MANTISSA));
}

DPPAIR_FORCE_INLINE_ DPV_T dpv_neg(DPV_T a) { return dpv_bit_xor(a, DPN_BITS(DPN_SIGN)); }
DPPAIR_FORCE_INLINE_ DPV_T dpv_abs(DPV_T a) {
  return dpv_bit_xor(a, dpv_bit_and(a, DPN_BITS(DPN_SIGN)));
}
/* To the nearest integer, ties to even. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_round(DPV_T a) {
  DPV_T big = DPV_SET(DPN_TWO_P), sign = dpv_bit_and(a, DPN_BITS(DPN_SIGN));
  DPV_T t = DPV_ABS(a), r = DPV_SUB(DPV_ADD(t, big), big);
  return DPV_SEL(DPV_LT(t, big), dpv_bit_or(r, sign), a);
}
DPPAIR_FORCE_INLINE_ DPV_R dpv_sum(DPV_T a) {
  DPV_R t[DPV_LANES];
  DPV_STORE(t, a);
  for (int w = DPV_LANES / 2; w > 0; w /= 2)
    for (int i = 0; i < w; i++) t[i] += t[i + w];
  return t[0];
}
DPPAIR_FORCE_INLINE_ DPV_T dpv_call(DPV_R (*f)(DPV_R), DPV_T a) {
  DPV_R t[DPV_LANES];
  DPV_STORE(t, a);
  for (int i = 0; i < DPV_LANES; i++) t[i] = f(t[i]);
  return DPV_LOAD(t);
}

/* 2^n for an integer-valued n whose power is a normal number. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_pow2(DPV_T n) {
  return dpv_shl_mantissa(DPV_ADD(n, DPN_C(DPN_MAGIC + DPN_BIAS)));
}

/* p 2^n, rounded once, for 1/2 <= p <= 2 and any integer-valued n that occurs in exp. The power is
 * applied in two halves, so that results underflow gradually and overflow to infinity. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_scale(DPV_T p, DPV_T n) {
#if DPPAIR_TIER_ == 3
  DPV_T v;
  DPN_EACH(v.r[k] = DPN_PD(_mm512_maskz_scalef_)(DPN_ALL, p.r[k], n.r[k]))
  return v;
#else
  const DPV_T magic = DPV_SET(DPN_MAGIC);
  const DPV_T half = DPV_SUB(DPV_FMA(n, DPN_C(0.5), magic), magic);
  return DPV_MUL(DPV_MUL(p, dpv_pow2(half)), dpv_pow2(DPV_SUB(n, half)));
#endif
}

/* e^x = 2^n e^r, |r| <= ln(2)/2, by a polynomial 1 + r + r^2 q(r) of relative error 4e-9 in float
 * (least maximum) and 4e-18 in double (Taylor); ln 2 is split so that n times its head is exact.
 * NaN stays NaN. exp_below is for arguments that are not far above 0. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_exp_below(DPV_T x) {
#if DPPAIR_F64_
  const DPV_T low = DPV_SET(-746.0);
  const DPV_T minus_hi = DPV_SET(-0.6931471803691238);
  const DPV_T minus_lo = DPV_SET(-1.9082149292705877e-10);
#else
  const DPV_T low = DPV_SET(-104.0f);
  const DPV_T minus_hi = DPV_SET(-0.693359375f), minus_lo = DPV_SET(0.00021219444f);
#endif
  const DPV_T magic = DPV_SET(DPN_MAGIC);
  DPV_T n, r, p;
  x = DPV_MAX(low, x);
  n = DPV_SUB(DPV_FMA(x, DPN_C(1.4426950408889634), magic), magic);
  r = DPV_FMA(n, minus_lo, DPV_FMA(n, minus_hi, x));
#if DPPAIR_F64_
  p = DPV_SET(1.0 / 6227020800.0);
  p = DPV_FMA(p, r, DPV_SET(1.0 / 479001600.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 39916800.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 3628800.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 362880.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 40320.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 5040.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 720.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 120.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 24.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 6.0));
#else
  p = DPV_SET(0.0013863781f);
  p = DPV_FMA(p, r, DPV_SET(0.0083674826f));
  p = DPV_FMA(p, r, DPV_SET(0.0416672379f));
  p = DPV_FMA(p, r, DPV_SET(0.1666653454f));
#endif
  p = DPV_FMA(p, r, DPN_C(0.5));
  p = DPV_ADD(DPV_FMA(DPV_MUL(r, r), p, r), DPN_C(1.0));
  return dpv_scale(p, n);
}
DPPAIR_FORCE_INLINE_ DPV_T dpv_exp(DPV_T x) {
  return dpv_exp_below(DPV_MIN(DPN_C(DPPAIR_F64_ ? 710.0 : 89.0), x));
}

/* ln x = e ln 2 + ln m, m in [sqrt(1/2), sqrt 2), ln m = 2 atanh((m-1)/(m+1)) as
 * g - g^2/2 + s (g^2/2 + R), g = m - 1, s = g/(2+g). Zero gives -inf, a negative number NaN. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_log(DPV_T x) {
#if DPPAIR_F64_
  const DPV_T smallest = DPV_SET(DBL_MIN), up = DPV_SET(18014398509481984.0), shift = DPV_SET(54.0);
  const DPV_T hi = DPV_SET(0.6931471803691238), lo = DPV_SET(1.9082149292705877e-10);
  const DPV_T infinity = DPN_BITS(0x7ff0000000000000), nan = DPN_BITS(0x7ff8000000000000);
#else
  const DPV_T smallest = DPV_SET(FLT_MIN), up = DPV_SET(33554432.0f), shift = DPV_SET(25.0f);
  const DPV_T hi = DPV_SET(0.69313812f), lo = DPV_SET(9.0580014e-06f);
  const DPV_T infinity = DPN_BITS(0x7f800000), nan = DPN_BITS(0x7fc00000);
#endif
  const DPV_T zero = DPN_C(0.0), one = DPN_C(1.0), two_p = DPV_SET(DPN_TWO_P);
  const DPV_M tiny = DPV_LT(x, smallest);
  DPV_T m = DPV_SEL(tiny, DPV_MUL(x, up), x), e, g, s, z, h, p;
  DPV_M below;
  e = DPV_SUB(dpv_bit_or(dpv_shr_mantissa(m), two_p), two_p);
  e = DPV_SUB(e, DPN_C(DPN_BIAS - 1));
  e = DPV_SUB(e, DPV_SEL(tiny, shift, zero));
  /* mantissa into [1/2, 1), then into [sqrt(1/2), sqrt 2) */
#if DPPAIR_F64_
  m = dpv_bit_and(m, DPN_BITS(0x000fffffffffffff));
  m = dpv_bit_or(m, DPN_BITS(0x3fe0000000000000));
#else
  m = dpv_bit_or(dpv_bit_and(m, DPN_BITS(0x007fffff)), DPN_BITS(0x3f000000));
#endif
  below = DPV_LT(m, DPN_BITS(DPN_NORM));
  m = DPV_SEL(below, DPV_ADD(m, m), m);
  e = DPV_SEL(below, DPV_SUB(e, one), e);
  g = DPV_SUB(m, one);
  s = DPV_DIV(g, DPV_ADD(g, DPN_C(2.0)));
  z = DPV_MUL(s, s);
#if DPPAIR_F64_
  p = DPV_SET(2.0 / 21.0);
  p = DPV_FMA(p, z, DPV_SET(2.0 / 19.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 17.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 15.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 13.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 11.0));
#else
  p = DPN_C(2.0 / 11.0);
#endif
  p = DPV_FMA(p, z, DPN_C(2.0 / 9.0));
  p = DPV_FMA(p, z, DPN_C(2.0 / 7.0));
  p = DPV_FMA(p, z, DPN_C(2.0 / 5.0));
  p = DPV_FMA(p, z, DPN_C(2.0 / 3.0));
  p = DPV_MUL(p, z);
  h = DPV_MUL(DPV_MUL(DPN_C(0.5), g), g);
  p = DPV_FMA(s, DPV_ADD(h, p), DPV_MUL(e, lo));
  p = DPV_FMA(e, hi, DPV_SUB(g, DPV_SUB(h, p)));
  p = DPV_SEL(DPV_EQ(x, infinity), infinity, p);
  p = DPV_SEL(DPV_EQ(x, zero), DPV_NEG(infinity), p);
  return DPV_SEL(DPV_LE(zero, x), p, nan);
}

/* ln(1+x) for x >= 0: the logarithm of the rounded sum, corrected for its rounding. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_log1p(DPV_T x) {
  const DPV_T u = DPV_ADD(x, DPN_C(1.0));
  return DPV_ADD(DPV_LOG(u), DPV_DIV(DPV_SUB(x, DPV_SUB(u, DPN_C(1.0))), u));
}
DPPAIR_FORCE_INLINE_ DPV_T dpv_sigmoid(DPV_T u) {
  const DPV_T one = DPN_C(1.0), e = dpv_exp_below(dpv_bit_or(u, DPN_BITS(DPN_SIGN)));
  return DPV_DIV(DPV_SEL(DPV_LT(u, DPN_C(0.0)), e, one), DPV_ADD(one, e));
}
DPPAIR_FORCE_INLINE_ DPV_T dpv_softplus(DPV_T u) {
  const DPV_T e = dpv_exp_below(dpv_bit_or(u, DPN_BITS(DPN_SIGN)));
  return DPV_ADD(DPV_MAX(u, DPN_C(0.0)), DPV_LOG1P(e));
}
