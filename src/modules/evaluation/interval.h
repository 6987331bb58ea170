/* ------------------------------------------------------------------------------------------------
 * Intervals: tails of the sum of a normal variable and noise, and inverted tests
 *
 * Relies on permit.h and on accountant/curves/normal.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* P(a standard normal variable > x), x >= 0. */
DPPAIR_API double dppair_normal_above_(double x) {
  return x < 39.0 ? DPPAIR_INV_SQRT_2PI_ * dppair_gauss_kernel_(x, 0.0) * dppair_mills_(x) : 0.0;
}

/* The least x >= 0 with P(a standard normal variable > x) <= tail, to 1e-15; 39 for tails below
 * 1e-320. */
DPPAIR_API double dppair_normal_quantile_(double tail) {
  double low = 0.0, high = 39.0;
  int i;
  if (tail >= 0.5) return 0.0;
  for (i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    if (dppair_normal_above_(middle) <= tail)
      high = middle;
    else
      low = middle;
  }
  return high;
}

/*
 * P(s N + L > d) for a standard normal N, Laplace L of scale b > 0, s >= 0, d >= 0. With u = d/s,
 * k = s/b, the upper normal tail F, its density f and Mills' ratio R = F/f,
 *
 *   F(u) + e^(k^2/2 - u k) F(k - u) / 2 - e^(k^2/2 + u k) F(u + k) / 2
 *     = f(u) (R(u) - R(u + k)/2) + A/2,
 *
 * A = f(u) R(k - u) where u < k, else e^(k^2/2 - u k) F(k - u).
 *
 * R falls, so the bracket is at least R(u)/2, and no exponent is above 0: nothing overflows or
 * cancels at any s, b and d.
 */
DPPAIR_API double dppair_laplace_above_(double d, double s, double b) {
  double u, k, density, first, second;
  if (!(s > 1e-9 * b)) return 0.5 * dppair_exp_(-d / b); /* within 1e-9 of it */
  if (!(b > 1e-12 * s)) return dppair_normal_above_(d / s);
  u = d / s;
  k = s / b;
  density = u < 39.0 ? DPPAIR_INV_SQRT_2PI_ * dppair_gauss_kernel_(u, 0.0) : 0.0;
  first = density > 0.0 ? density * (dppair_mills_(u) - 0.5 * dppair_mills_(u + k)) : 0.0;
  if (u < k)
    second = density > 0.0 ? density * dppair_mills_(k - u) : 0.0;
  else
    second = dppair_exp_(0.5 * k * k - d / b) * (1.0 - dppair_normal_above_(u - k));
  return first + 0.5 * second;
}

/* P(s N + noise > d), with noise of the law and scale of an evaluation. */
DPPAIR_API double dppair_noise_above_(double d, double s, double scale, int gaussian) {
  return gaussian ? dppair_normal_above_(d / dppair_sqrt_(s * s + scale * scale))
                  : dppair_laplace_above_(d, s, scale);
}

/* The least d with P(noise > d) <= tail. */
DPPAIR_API double dppair_noise_quantile_(double scale, double tail, int gaussian) {
  if (gaussian) return scale * dppair_normal_quantile_(tail);
  return tail < 0.5 ? -scale * dppair_log_(2.0 * tail) : 0.0;
}

/* A number in [0, 1] was released with noise of this scale; what it estimates has, where its mean
 * is x, a variance of at most min(variance, x (1 - x) / size). */
typedef struct dppair_released_ {
  double number, scale, variance, size;
  int gaussian;
} dppair_released_;

/* Is x within the interval, that is, would the test of "the mean is x" accept? */
DPPAIR_API int dppair_released_accepts_(const dppair_released_ *r, double x, double alpha) {
  const double at = x * (1.0 - x) / r->size;
  const double s = dppair_sqrt_(at < r->variance ? at : r->variance);
  return dppair_noise_above_(dppair_fabs_(r->number - x), s, r->scale, r->gaussian) >= 0.5 * alpha;
}

/* The end of the interval between `inside`, which is accepted, and `outside`, 0 or 1: `outside`
 * where that is accepted, else by bisection, whose bracket cannot be lost. */
DPPAIR_API double dppair_released_end_(const dppair_released_ *r, double inside, double outside,
                                       double alpha) {
  int i;
  if (dppair_released_accepts_(r, outside, alpha)) return outside;
  for (i = 0; i < 60; i++) {
    const double middle = 0.5 * (inside + outside);
    if (dppair_released_accepts_(r, middle, alpha))
      inside = middle;
    else
      outside = middle;
  }
  return inside;
}

/* The interval of the mean, between 0 and 1. It holds the number moved into [0, 1], because there
 * the tail is 1/2. That the x which the tests accept are one interval is seen, not proved; where
 * they are not, each end is one at which accepting turns into refusing. */
DPPAIR_API void dppair_released_interval_(double *lower, double *upper, dppair_released_ *r,
                                          double alpha) {
  r->number = r->number < 0.0 ? 0.0 : r->number > 1.0 ? 1.0 : r->number;
  *lower = dppair_released_end_(r, r->number, 0.0, alpha);
  *upper = dppair_released_end_(r, r->number, 1.0, alpha);
}

/*
 * A variance v >= 0 was released as `noisy` with noise of this scale: a bound that is above 0 and
 * on average at least v, (noisy + sqrt(noisy^2 + (1 + z^2) q)) / 2 where q is the noise's variance
 * and z the normal quantile of the interval. (The root is at least |noisy|, so the bound is at
 * least noisy, whose mean is v.) A negative number is divided out, which cannot cancel.
 */
DPPAIR_API double dppair_variance_bound_(double noisy, double scale, double alpha, int gaussian) {
  const double z = dppair_normal_quantile_(0.5 * alpha);
  const double q = (gaussian ? 1.0 : 2.0) * (1.0 + z * z);
  const double ratio = noisy / scale, root = dppair_sqrt_(ratio * ratio + q);
  return 0.5 * scale * (ratio > 0.0 ? ratio + root : q / (root - ratio));
}

DPPAIR_FP_END_
