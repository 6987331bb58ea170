/* ------------------------------------------------------------------------------------------------
 * Powers, hyperbolic functions and logarithms of other bases, made of exp, expm1, log and log1p
 *
 * u = 2^-53; errors are relative, and those of their parts are in math_exp.h and math_log.h.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_EXP2_ERROR_ 2.0 /* in u; the others' likewise */
#define DPPAIR_LOG2_ERROR_ 3.8
#define DPPAIR_LOG10_ERROR_ 2.8
#define DPPAIR_SINH_ERROR_ 5.0
#define DPPAIR_TANH_ERROR_ 4.0
#define DPPAIR_ASINH_ERROR_ 5.0
#define DPPAIR_CBRT_ERROR_ 3.0

DPPAIR_FP_BEGIN_

/* 2^x; exact where x is whole. x = n + f; f ln 2 <= 0.3466 is off by u 0.52 of itself, 0.2 u,
 * rounded by 0.25 u, and e^(f ln 2) has 1.2 u. */
DPPAIR_API double dppair_exp2_(double x) {
  const double magic = 6755399441055744.0;
  double n;
  if (!(x < 1024.0)) return x > 0.0 ? HUGE_VAL : x;
  if (x < -1076.0) return 0.0;
  n = (x + magic) - magic;
  return dppair_by_power_of_two_(dppair_exp_core_(1.0, (x - n) * 0.6931471805599453, 0.0, 0.0),
                                 (int)n);
}

/* Exact for powers of two. The fraction's part: 1.2 u of the logarithm, 1.3 u of 1/ln 2 and the
 * product; it is at most half of the whole where k is not 0, or as large as it (k = -1, 1). */
DPPAIR_API double dppair_log2_(double x) {
  double z, high, low;
  int k, place, up = 0;
  if (!(x > 0.0 && x < HUGE_VAL)) return dppair_log_(x);
  if (x < DBL_MIN) {
    x *= 18014398509481984.0;
    up = 54;
  }
  z = dppair_log_reduce_(x, &k, &place);
  high = dppair_log_core_(z, 0, place, 0.0, &low);
  return (double)(k - up) + (high + low) * 1.4426950408889634;
}

DPPAIR_API double dppair_log10_(double x) { return dppair_log_(x) * 0.4342944819032518; }

/* x^y for x >= 0, within (5.3 + 0.2 |y ln x|) u: y ln x is in two parts, of which ln x brings 0.1 u
 * and the head, rounded, nothing; the second is a factor 1 + tail, off by tail^2 < 2^-86. Two
 * exponentials have 1.1 u each, the factor and two products u. */
DPPAIR_API double dppair_pow_(double x, double y) {
  double z, high, low, product, tail, head_x, head_y;
  int k, place, up = 0;
  if (y == 0.0 || x == 1.0) return 1.0;
  if (!(x >= 0.0) || y != y) return (x - x) / (x - x) + y;
  if (x == 0.0 || x > DBL_MAX) return (x == 0.0) == (y > 0.0) ? 0.0 : HUGE_VAL;
  if (x < DBL_MIN) {
    x *= 18014398509481984.0;
    up = 54;
  }
  z = dppair_log_reduce_(x, &k, &place);
  high = dppair_log_core_(z, k - up, place, 0.0, &low);
  product = high + low;
  low = (high - product) + low;
  high = product;
  product = y * high;
  if (product > 710.0) return HUGE_VAL;
  if (product < -746.0) return 0.0;
  head_x = dppair_head_(high);
  head_y = dppair_head_(y);
  tail = ((head_x * head_y - product) + head_x * (y - head_y) + (high - head_x) * head_y) +
         (high - head_x) * (y - head_y) + y * low;
  return dppair_exp_(0.5 * product) * (1.0 + tail) * dppair_exp_(0.5 * product);
}

/* One step of Newton's method squares what log and exp leave, 300 u; its sum has u, t^3 2 u, a
 * third of which counts. */
DPPAIR_API double dppair_cbrt_(double x) {
  double t;
  if (!(x > 0.0 && x < HUGE_VAL)) return x < 0.0 ? -dppair_cbrt_(-x) : x;
  if (x < DBL_MIN) return dppair_cbrt_(x * 18014398509481984.0) * 3.814697265625e-06; /* 2^-18 */
  t = dppair_exp_(dppair_log_(x) * (1.0 / 3.0));
  return t - (t * t * t - x) / (3.0 * t * t);
}

/* (h + h/(h + 1))/2, h = e^|x| - 1 with 1.5 u, the quotient 3.5 u and less of h, the sum u. */
DPPAIR_API double dppair_sinh_(double x) {
  const double size = dppair_fabs_(x);
  double y;
  if (size < 700.0) {
    const double h = dppair_expm1_(size);
    y = 0.5 * (h + h / (h + 1.0));
  } else {
    const double h = dppair_exp_(0.5 * size);
    y = 0.5 * h * h;
  }
  return x < 0.0 ? -y : x == 0.0 ? x : y;
}

/* h/(h + 2), h = e^(2|x|) - 1: 1.5 u of h count 2/(h + 2) times, sum and quotient u each. */
DPPAIR_API double dppair_tanh_(double x) {
  const double size = dppair_fabs_(x), h = dppair_expm1_(2.0 * (size < 30.0 ? size : 30.0));
  const double y = h / (h + 2.0);
  return x < 0.0 ? -y : x > 0.0 ? y : x;
}

/* ln(1 + (a + a^2/(1 + sqrt(1 + a^2)))), a = |x|: the second term is below the first and has 4 u,
 * the argument 3 u, which count once at most; log1p 1.2 u. From 2^28 on, ln a + ln 2 has 2.2 u. */
DPPAIR_API double dppair_asinh_(double x) {
  const double a = dppair_fabs_(x);
  double y;
  if (a < 268435456.0)
    y = dppair_log1p_(a + a * a / (1.0 + dppair_sqrt_(1.0 + a * a)));
  else
    y = dppair_log_(a) + 0.6931471805599453;
  return x < 0.0 ? -y : x > 0.0 ? y : x;
}

DPPAIR_FP_END_
