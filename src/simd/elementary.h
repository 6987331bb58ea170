/* ------------------------------------------------------------------------------------------------
 * Exponential, logarithm and functions made of them
 *
 * Error bounds are listed in simd/vocabulary.h. DPN_* are constants of the element type.
 * ---------------------------------------------------------------------------------------------- */

/* e^x = 2^n e^r with |r| <= ln(2)/2. e^r is a polynomial 1 + r + r^2 q(r), of relative error 4e-9
 * in float (minimax) and 4e-18 in double (Taylor). ln 2 is split into two numbers; n times the
 * first is exact. NaN gives NaN. dpv_exp_below needs x <= 710 (float: 89); dpv_exp ensures it. */
DPV_INLINE_ DPV_T dpv_exp_below(DPV_T x) {
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
DPV_INLINE_ DPV_T dpv_exp(DPV_T x) {
  return dpv_exp_below(DPV_MIN(DPN_C(DPPAIR_F64_ ? 710.0 : 89.0), x));
}

/* ln x = e ln 2 + ln m with m in [sqrt(1/2), sqrt 2). ln m = 2 atanh((m-1)/(m+1)) is computed as
 * g - g^2/2 + s (g^2/2 + R) with g = m - 1, s = g/(2+g) and R a polynomial in s^2. Numbers below
 * the normal ones are scaled first. 0 gives -infinity, a negative number NaN. */
DPV_INLINE_ DPV_T dpv_log(DPV_T x) {
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
  /* m into [1/2, 1), then into [sqrt(1/2), sqrt 2) */
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

/* ln(1+x) for x >= 0: the logarithm of u = 1 + x rounded, plus (1 + x - u)/u for the rounding. */
DPV_INLINE_ DPV_T dpv_log1p(DPV_T x) {
  const DPV_T u = DPV_ADD(x, DPN_C(1.0));
  return DPV_ADD(DPV_LOG(u), DPV_DIV(DPV_SUB(x, DPV_SUB(u, DPN_C(1.0))), u));
}

/* 1/(1+e^-u) and ln(1+e^u), both by e^-|u|, which cannot overflow. */
DPV_INLINE_ DPV_T dpv_sigmoid(DPV_T u) {
  const DPV_T one = DPN_C(1.0), e = dpv_exp_below(dpv_bit_or(u, DPN_BITS(DPN_SIGN)));
  return DPV_DIV(DPV_SEL(DPV_LT(u, DPN_C(0.0)), e, one), DPV_ADD(one, e));
}
DPV_INLINE_ DPV_T dpv_softplus(DPV_T u) {
  const DPV_T e = dpv_exp_below(dpv_bit_or(u, DPN_BITS(DPN_SIGN)));
  return DPV_ADD(DPV_MAX(u, DPN_C(0.0)), DPV_LOG1P(e));
}
