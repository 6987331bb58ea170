/* ------------------------------------------------------------------------------------------------
 * Fused multiply-add in plain C
 *
 * dppair_fma_f64_ and _f32_ are a b + c, rounded once: fma() of the C library where it does that,
 * else the functions in pieces below.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* a + b rounded to odd: if the sum is not exact, the one of its two neighbours whose last digit is
 * odd. Such a number, rounded once more to fewer digits, is the exact sum rounded once. (s + e =
 * a + b exactly, by Knuth's two-sum.) */
DPPAIR_API double dppair_sum_to_odd_(double a, double b) {
  const double s = a + b, t = s - a, e = (a - (s - t)) + (b - t);
  const uint64_t bits = dppair_bits_f64_(s);
  if (!(e != 0.0) || (bits & 1)) return s;
  return dppair_from_bits_f64_((e > 0.0) == (s > 0.0) ? bits + 1 : bits - 1);
}

/*
 * a b + c, rounded once, for C libraries whose fma() rounds twice (that of MinGW multiplies in 64
 * binary digits), and for none. The product and the sum are computed exactly as sums of pieces
 * (Dekker, Knuth); the small pieces are rounded to odd (Boldo and Melquiond 2008). A result below
 * the normal numbers ends at 2^-1074: 2^-1022 is added and taken away again, so that its one
 * rounding is there. (of_a is at least -1193 where the sum is reached: 2^-1022 can be scaled.)
 */
DPPAIR_API double dppair_fma_in_pieces_(double a, double b, double c) {
  double a_high, b_high, high, low, s, t, e, v;
  int of_a, of_b, of_c;
  if (!dppair_isfinite_f64(c) && dppair_isfinite_f64(a) && dppair_isfinite_f64(b))
    return c; /* the exact product is finite, though a * b may not be */
  if (!dppair_isfinite_f64(a) || !dppair_isfinite_f64(b) || !dppair_isfinite_f64(c) ||
      !(a != 0.0) || !(b != 0.0))
    return a * b + c;
  if (!(c != 0.0)) return a * b; /* a product that vanishes keeps its sign */
  a = dppair_frexp_(a, &of_a);
  b = dppair_frexp_(b, &of_b);
  (void)dppair_frexp_(c, &of_c);
  of_a += of_b;
  if (of_c - of_a > 120) return c; /* the product is below a quarter of c's last digit */
  c = of_c - of_a < -200 ? dppair_copysign_(dppair_ldexp_(1.0, -200), c) : dppair_ldexp_(c, -of_a);
  high = a * b;
  t = 134217729.0 * a; /* 2^27 + 1 */
  a_high = t - (t - a);
  t = 134217729.0 * b;
  b_high = t - (t - b);
  low = ((a_high * b_high - high) + a_high * (b - b_high) + (a - a_high) * b_high) +
        (a - a_high) * (b - b_high);
  s = c + low;
  t = s - c;
  e = (c - (s - t)) + (low - t);
  v = high + s;
  t = v - high;
  s = (high - (v - t)) + (s - t);
  e = dppair_sum_to_odd_(s, e);
  if (!(v != 0.0)) { /* all cancelled but e, which is exact then */
    v = e;
    e = 0.0;
  }
  if (of_a < -900) {
    const double unit = dppair_copysign_(dppair_ldexp_(1.0, -1022 - of_a), v);
    if (dppair_fabs_(v) < dppair_fabs_(unit)) {
      s = unit + v;
      t = v - (s - unit);
      return dppair_ldexp_(dppair_copysign_((s + dppair_sum_to_odd_(t, e)) - unit, v), of_a);
    }
  }
  return dppair_ldexp_(v + e, of_a);
}

/* The same in float: the product is exact in double. */
DPPAIR_API float dppair_fmaf_in_pieces_(float a, float b, float c) {
  const double product = (double)a * (double)b;
  if (!dppair_isfinite_f64(product) || !dppair_isfinite_f64((double)c))
    return (float)(product + (double)c);
  return (float)dppair_sum_to_odd_(product, (double)c);
}

DPPAIR_FP_END_

/* The C library of MinGW rounds twice unless the compiler emits the processor's instruction. */
#if defined(DPPAIR_FREESTANDING) && defined(__FP_FAST_FMA) /* an instruction, no call */
#define dppair_fma_f64_ __builtin_fma
#elif defined(DPPAIR_FREESTANDING)
#define dppair_fma_f64_ dppair_fma_in_pieces_
#elif defined(__MINGW32__) && !defined(__FMA__)
#define dppair_fma_f64_ dppair_fma_in_pieces_
#define dppair_fma_f32_ dppair_fmaf_in_pieces_
#else
#define dppair_fma_f64_ fma
#define dppair_fma_f32_ fmaf
#endif
#if defined(DPPAIR_FREESTANDING) && defined(__FP_FAST_FMAF)
#define dppair_fma_f32_ __builtin_fmaf
#elif defined(DPPAIR_FREESTANDING)
#define dppair_fma_f32_ dppair_fmaf_in_pieces_
#endif

DPPAIR_FP_BEGIN_

/* OK if fma() gives the error of a product, which tables in double-double need; else ENVIRONMENT.
 * The product of these two numbers shows it: 64 binary digits are too few for it. */
DPPAIR_API dppair_status dppair_fma_check_(void) {
  volatile double a = 1.2247930764501165, b = 1.6377637257694275;
  const double left = a, right = b, product = left * right;
  const double error = dppair_fma_f64_(left, right, -product);
  return error == 4.5175727124355734e-17 ? DPPAIR_OK : DPPAIR_ERR_ENVIRONMENT;
}

DPPAIR_FP_END_
