/* SPDX-License-Identifier: MIT */
/*
 * dppair_accountant.h - how much noise, and what it buys: sensitivities, mechanisms, composition,
 * conversion and calibration for differentially private pairwise learning.
 *
 *   A record of a pairwise problem sits in n-1 pairs. This header knows what that does to the
 *   sensitivity of a mean over pairs, to the subsampling of pairs, and to the stability of pairwise
 *   stochastic gradient descent; and it turns noise into (epsilon, delta) and back.
 *
 *     #include "dppair_accountant.h"
 *
 *     double move, sigma, epsilon;
 *     dppair_accountant a;
 *     if (dppair_sensitivity_rank_ind(&move, 1.0, 1.0, 512) != DPPAIR_OK ||   one gradient's move
 *         dppair_gaussian_sigma(&sigma, move, 1.0, 1e-5, 100) != DPPAIR_OK)   100 steps, (1, 1e-5)
 *       return 1;
 *     dppair_accountant_init(&a);
 *     for (t = 0; t < 100; t++) {
 *       if (dppair_accountant_gaussian(&a, move, sigma, 1) != DPPAIR_OK) return 1;
 *       ... release the gradient with noise sigma, take the step ...
 *     }
 *     if (dppair_accountant_epsilon(&epsilon, &a, 1e-5) != DPPAIR_OK) return 1;    epsilon <= 1
 *
 * Numerical contract. Natural logarithms, doubles. No figure is optimistic: epsilon, delta, sigma
 * and sensitivities are rounded up, mu is rounded down, each by a bound on the rounding error of
 * its own computation. The exact Gaussian curve is within 1e-12 relative.
 *
 * Errors. Every fallible function returns a dppair_status and zeroes its outputs first. A NaN, an
 * infinity, or a value outside its range is an error, never a guess. An accountant that was handed
 * a step that it could not account for stays broken: it refuses every later question.
 *
 * Memory. Plain structs, copied by assignment: fork an accountant, try a step, commit by assigning.
 * No allocation, no input or output, no global state but constant tables.
 *
 * Neighbouring data sets (dppair_adjacency, dppair.h) are an argument wherever they matter; n, the
 * number of records, is public throughout.
 */
#ifndef DPPAIR_ACCOUNTANT_H
#define DPPAIR_ACCOUNTANT_H

#include "dppair.h"

DPPAIR_FP_BEGIN_

/* ------------------------------------------------------------------------------------------------
 * The normal distribution's tail
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_LOG_SQRT_2PI_ 0.91893853320467274178
#define DPPAIR_SQRT_2PI_ 2.50662827463100050242
#define DPPAIR_INV_SQRT_2PI_ 0.39894228040143267794

/* x * (1 + 2^-51): more than what one rounded operation can have taken away. For x >= 0. */
DPPAIR_API double dppair_up_(double x) { return x + x * 4.5e-16; }

/* The other way; at least 0 stays 0. */
DPPAIR_API double dppair_down_(double x) { return x - x * 4.5e-16; }

/* Clenshaw's recurrence for sum c[k] T_k(w), |w| <= 1. */
DPPAIR_API double dppair_chebyshev_(const double *c, size_t count, double w) {
  const double w2 = 2.0 * w;
  double b1 = 0.0, b2 = 0.0;
  size_t k;
  for (k = count - 1; k > 0; k--) {
    const double b = c[k] + (w2 * b1 - b2);
    b2 = b1;
    b1 = b;
  }
  return c[0] + (w * b1 - b2);
}

/*
 * Mills' ratio R(x) = (1 - Phi(x)) / phi(x) = sqrt(pi/2) erfcx(x / sqrt 2) for x >= -1, within
 * 4e-16 relative. (x + 3/2) R(x) is a smooth function of w = (x - 5)/(x + 7), which maps
 * [-1, inf) to [-1, 1): a Chebyshev series, its coefficients computed with 50 digits.
 */
DPPAIR_API double dppair_mills_(double x) {
  static const double c[29] = {
      1.3878196703775885,      -0.4882676686916938,     0.08171229831830493,
      0.06089347383671997,     -0.07334429450972871,    0.04767408729768181,
      -0.02349103385286079,    0.009480704044436643,    -0.003212261510583724,
      0.0009157830799177352,   -0.00021621280464091027, 4.044584267281609e-05,
      -5.299377060607836e-06,  2.445288171644698e-07,   8.459070681091039e-08,
      -2.325255612596454e-08,  1.8042694208657892e-09,  3.8505095159724805e-10,
      -1.1326241173826648e-10, 3.496034929229157e-12,   3.2529351856730526e-12,
      -4.890791376870167e-13,  -6.209462018491717e-14,  2.3156448427791205e-14,
      3.494411845978243e-16,   -8.923009454171421e-16,  4.3921061929977664e-17,
      3.2540620766400877e-17,  -3.2943344678385757e-18};
  return dppair_chebyshev_(c, 29, (x - 5.0) / (x + 7.0)) / (x + 1.5);
}

/* -R'(x) = 1 - x R(x) for x >= -1, within 5e-16 relative where the formula itself would cancel.
 * The same construction for (x + 3/2)^2 (1 - x R(x)). */
DPPAIR_API double dppair_mills_slope_(double x) {
  static const double c[32] = {
      1.4741594034271435,     -0.43392028431202645,    -0.21815318223920233,
      0.3100791050133143,     -0.19093701412660785,    0.0732601121852008,
      -0.012981508235506417,  -0.005297845679572974,   0.006147007937076444,
      -0.003345662974551171,  0.0013054348454582534,   -0.0003925235168699972,
      9.035906124406828e-05,  -1.4594138564482792e-05, 1.0532158109025516e-06,
      2.0907948551322775e-07, -7.865038614370767e-08,  8.352016205556503e-09,
      1.2028888051108167e-09, -4.853289093432904e-10,  2.7650986869803698e-11,
      1.4188675060827541e-11, -2.7352976585858756e-12, -2.5259327665136084e-13,
      1.319670945215105e-13,  -1.1259603342913497e-15, -5.329797889152376e-15,
      3.9755452536290456e-16, 2.0476342718835897e-16,  -2.7051205146014418e-17,
      -7.98336123900056e-18,  1.4661536548708386e-18};
  return dppair_chebyshev_(c, 32, (x - 5.0) / (x + 7.0)) / (x + 1.5) / (x + 1.5);
}

/* exp(-(hi + lo)^2 / 2) with a relative error of a few 1e-16 also in the far tail: the square of
 * the upper 26 bits of hi is exact, the rest is small. |lo| is at most an ulp of hi. */
DPPAIR_API double dppair_gauss_kernel_(double hi, double lo) {
  double head;
  uint64_t bits;
  memcpy(&bits, &hi, sizeof bits);
  bits &= UINT64_C(0xfffffffff8000000);
  memcpy(&head, &bits, sizeof head);
  return exp(-0.5 * head * head) * exp(-0.5 * ((hi - head) * (hi + head)) - hi * lo);
}

/* log Phi(x), finite for |x| <= 1e150. */
DPPAIR_API double dppair_log_phi_(double x) {
  if (x < 0.0) return -0.5 * x * x - DPPAIR_LOG_SQRT_2PI_ + log(dppair_mills_(-x));
  return log1p(-DPPAIR_INV_SQRT_2PI_ * dppair_gauss_kernel_(x, 0.0) * dppair_mills_(x));
}

/* Phi(x). */
DPPAIR_API double dppair_phi_(double x) {
  const double tail =
      DPPAIR_INV_SQRT_2PI_ * dppair_gauss_kernel_(x, 0.0) * dppair_mills_(x < 0.0 ? -x : x);
  return x < 0.0 ? tail : 1.0 - tail;
}

/* ------------------------------------------------------------------------------------------------
 * The exact Gaussian curve
 *
 * N(0,1) against N(mu,1), mu = sensitivity / sigma (Balle and Wang 2018; Dong, Roth and Su 2022):
 *     delta(epsilon) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu).
 * With t = epsilon/mu - mu/2 the second term is phi(t) R(t + mu), so
 *     delta = phi(t) [R(t) - R(t + mu)] = phi(t) * integral from t to t + mu of (1 - x R(x)) dx:
 * nothing overflows, and for small mu the integral does not cancel. T adaptive steps with
 * mu_1 .. mu_T are exactly one step with mu = sqrt(sum mu_t^2).
 * ---------------------------------------------------------------------------------------------- */

/* What is known about one point of the curve. */
typedef struct dppair_curve_point_ {
  double delta;     /* nearest; 0 on underflow */
  double log_delta; /* nearest */
  double per_mu;    /* d log_delta / d mu */
  double per_eps;   /* d log_delta / d epsilon */
} dppair_curve_point_;

/* Relative bound on the error of delta, and absolute bound on the error of log_delta: the
 * difference above loses at most a factor (t + mu + 3/2)/mu <= 51 of two ratios' 4.2e-16 each, the
 * rest adds a few 1e-16, and log_delta a rounding of its own. */
#define DPPAIR_CURVE_SLACK_ 6e-14
DPPAIR_API double dppair_curve_log_slack_(double log_delta) {
  return DPPAIR_CURVE_SLACK_ + 6e-16 * fabs(log_delta);
}

/* R(t) - R(t + mu) for t >= -1, mu > 0. */
DPPAIR_API double dppair_mills_difference_(double t, double s, double mu) {
  /* Gauss-Legendre on four nodes: error below 1e-16 relative for mu <= (t + 3/2)/50. */
  static const double node[4] = {0.069431844202973712388, 0.33000947820757186760,
                                 0.66999052179242813240, 0.93056815579702628761};
  static const double weight[4] = {0.17392742256872692869, 0.32607257743127307131,
                                   0.32607257743127307131, 0.17392742256872692869};
  double sum = 0.0;
  int k;
  if (mu > 0.02 * (t + 1.5)) return dppair_mills_(t) - dppair_mills_(s);
  for (k = 0; k < 4; k++) sum += weight[k] * dppair_mills_slope_(t + mu * node[k]);
  return mu * sum;
}

/* epsilon >= 0 and mu > 0, both finite. */
DPPAIR_API dppair_curve_point_ dppair_curve_(double epsilon, double mu) {
  dppair_curve_point_ p;
  const double ratio = epsilon / mu;
  double t = ratio - 0.5 * mu, lo, s = ratio + 0.5 * mu, kernel, difference;
  if (!dppair_isfinite_f64(ratio) || t > 1e100 || t < -1e100) {
    /* Upper bounds: delta decreases in t. */
    p.delta = t < 0.0 ? 1.0 : 0.0;
    p.log_delta = t < 0.0 ? 0.0 : -4e199;
    p.per_mu = p.per_eps = 0.0;
    return p;
  }
  /* The rounding error of t matters when t is squared: what the difference and the quotient lost.
   */
  {
    const double half = 0.5 * mu, shift = t - ratio;
    lo = (ratio - (t - shift)) - (half + shift) + fma(-ratio, mu, epsilon) / mu;
  }
  kernel = DPPAIR_INV_SQRT_2PI_ * dppair_gauss_kernel_(t, lo);
  if (t >= -1.0) {
    difference = dppair_mills_difference_(t, s, mu);
    p.delta = kernel * difference;
    if (p.delta > 1e-290)
      p.log_delta = log(p.delta);
    else
      p.log_delta = -0.5 * t * t - t * lo - DPPAIR_LOG_SQRT_2PI_ + log(difference);
    p.per_mu = 1.0 / difference;
    p.per_eps = -dppair_mills_(s) / difference;
  } else {
    const double rest = kernel * (dppair_mills_(-t) + dppair_mills_(s));
    p.delta = 1.0 - rest;
    p.log_delta = log1p(-rest);
    p.per_mu = kernel / p.delta;
    p.per_eps = -kernel * dppair_mills_(s) / p.delta;
  }
  return p;
}

/* An upper bound of log delta. */
DPPAIR_API double dppair_curve_log_upper_(double epsilon, double mu) {
  const double log_delta = dppair_curve_(epsilon, mu).log_delta;
  const double upper = log_delta + dppair_curve_log_slack_(log_delta);
  return upper < 0.0 ? upper : 0.0;
}

/* *delta >= the exact delta at this epsilon >= 0 and mu >= 0, within 1e-12 relative where delta is
 * at least 1e-300. Never 0 unless mu = 0: underflow gives the smallest normal number. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_delta(double *delta, double epsilon,
                                                                 double mu) {
  double value;
  if (delta == NULL) return DPPAIR_ERR_NULL;
  *delta = 0.0;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(mu)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (mu < 0.0) return DPPAIR_ERR_DOMAIN;
  if (mu == 0.0) return DPPAIR_OK;
  value = dppair_curve_(epsilon, mu).delta;
  value += value * DPPAIR_CURVE_SLACK_;
  *delta = value < DBL_MIN ? DBL_MIN : (value > 1.0 ? 1.0 : value);
  return DPPAIR_OK;
}

/* log of the same, rounded up, where delta itself may be far below the smallest double; mu > 0. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_log_delta(double *log_delta,
                                                                     double epsilon, double mu) {
  if (log_delta == NULL) return DPPAIR_ERR_NULL;
  *log_delta = 0.0;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(mu)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (mu <= 0.0) return DPPAIR_ERR_DOMAIN;
  *log_delta = dppair_curve_log_upper_(epsilon, mu);
  return DPPAIR_OK;
}

/* The smallest epsilon >= 0 at which a mu-Gaussian mechanism is (epsilon, delta)-private, rounded
 * up. delta in (0, 1); mu >= 0. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_epsilon(double *epsilon, double delta,
                                                                   double mu) {
  double target, low = 0.0, high, x, step;
  int i;
  if (epsilon == NULL) return DPPAIR_ERR_NULL;
  *epsilon = 0.0;
  if (!dppair_isfinite_f64(delta) || !dppair_isfinite_f64(mu)) return DPPAIR_ERR_NOT_FINITE;
  if (!(delta > 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  if (mu < 0.0 || mu > 1e70) return DPPAIR_ERR_DOMAIN;
  if (mu == 0.0) return DPPAIR_OK;
  target = log(delta) * (1.0 + 3e-16);
  if (dppair_curve_log_upper_(0.0, mu) <= target) return DPPAIR_OK;
  /* Concentrated privacy (Bun and Steinke 2016) is an upper end of the bracket. */
  high = dppair_up_(dppair_up_(0.5 * mu * mu + mu * sqrt(-2.0 * target)));
  x = 0.5 * mu * mu + 0.9 * mu * sqrt(-2.0 * target);
  for (i = 0; i < 200; i++) {
    const dppair_curve_point_ p = dppair_curve_(x, mu);
    const double excess = p.log_delta - target;
    double next;
    if (excess <= 0.0)
      high = x;
    else
      low = x;
    next = p.per_eps < 0.0 ? x - excess / p.per_eps : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    step = fabs(next - x);
    x = next;
    if (step <= 2e-15 * x || high - low <= 1e-15 * high) break;
  }
  for (step = 1e-15 * x + 1e-300; dppair_curve_log_upper_(x, mu) > target; step *= 2.0) x += step;
  *epsilon = dppair_up_(x);
  return DPPAIR_OK;
}

/* The largest mu for which N(mu, 1) against N(0, 1) is (epsilon, delta)-private, rounded down.
 * epsilon >= 0; delta in (0, 1). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_mu(double *mu, double epsilon,
                                                              double delta) {
  double target, tail, low, high = 0.0, x, step;
  int i;
  if (mu == NULL) return DPPAIR_ERR_NULL;
  *mu = 0.0;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(delta)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0 || epsilon > 1e100) return DPPAIR_ERR_EPSILON;
  if (!(delta > 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  target = log(delta) * (1.0 + 3e-16);
  /* delta <= 2 Phi(mu/2) - 1 <= mu / sqrt(2 pi), and concentrated privacy: both are lower ends. */
  tail = sqrt(-2.0 * target);
  low = 2.0 * epsilon / (sqrt(tail * tail + 2.0 * epsilon) + tail);
  if (low < delta * 2.5) low = delta * 2.5;
  low *= 0.999999;
  x = low * 1.1;
  for (i = 0; i < 200; i++) {
    const dppair_curve_point_ p = dppair_curve_(epsilon, x);
    const double excess = p.log_delta - target;
    double next;
    if (excess <= 0.0)
      low = x;
    else
      high = x;
    /* Newton in log mu. */
    next = p.per_mu > 0.0 ? x * exp(-excess / (p.per_mu * x)) : 0.0;
    if (high == 0.0) {
      if (!(next > low)) next = 2.0 * low;
      if (next > 8.0 * low) next = 8.0 * low;
    } else if (!(next > low && next < high)) {
      next = sqrt(low) * sqrt(high);
    }
    step = fabs(next - x);
    x = next;
    if (step <= 2e-15 * x || (high > 0.0 && high - low <= 1e-15 * high)) break;
  }
  for (step = 1e-15; dppair_curve_log_upper_(epsilon, x) > target; step *= 2.0) x -= x * step;
  *mu = dppair_down_(x);
  return DPPAIR_OK;
}

/*
 * The noise scale that makes `steps` adaptive releases, each with this l2 sensitivity,
 * (epsilon, delta)-private together: sensitivity * sqrt(steps) / mu(epsilon, delta), rounded up.
 * sensitivity >= 0 (0 gives 0), steps >= 1.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_sigma(double *sigma, double sensitivity,
                                                                 double epsilon, double delta,
                                                                 size_t steps) {
  double mu, value;
  dppair_status status;
  if (sigma == NULL) return DPPAIR_ERR_NULL;
  *sigma = 0.0;
  if (!dppair_isfinite_f64(sensitivity)) return DPPAIR_ERR_NOT_FINITE;
  if (sensitivity < 0.0) return DPPAIR_ERR_SENSITIVITY;
  if (steps == 0) return DPPAIR_ERR_SIZE;
  status = dppair_gaussian_mu(&mu, epsilon, delta);
  if (status != DPPAIR_OK) return status;
  value = dppair_up_(dppair_up_(sensitivity * sqrt((double)steps) / mu));
  if (!dppair_isfinite_f64(value)) return DPPAIR_ERR_OVERFLOW;
  if (sensitivity > 0.0 && value < DBL_MIN) value = DBL_MIN;
  *sigma = value;
  return DPPAIR_OK;
}

/* ------------------------------------------------------------------------------------------------
 * Sensitivities
 *
 * G bounds the l2 norm of the gradient of one pair's loss, without the regulariser (which is the
 * same on both data sets and cancels), at every point where a gradient is evaluated.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_API dppair_status dppair_sensitivity_check_(double *out, double value) {
  if (!dppair_isfinite_f64(value)) return DPPAIR_ERR_OVERFLOW;
  *out = value;
  return DPPAIR_OK;
}

/*
 * The mean over the n(n-1) ordered pairs (or the n(n-1)/2 unordered ones) of a vector of norm <= G:
 * 4G/n for one replaced record, 2G/n for one zeroed record. n >= 2, G >= 0.
 * Proof: 2(n-1) of the n(n-1) ordered pairs touch the record; each moves by at most 2G, or G.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_pair_mean(
    double *sensitivity, double lipschitz, size_t n, dppair_adjacency adjacency) {
  if (sensitivity == NULL) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  if (!dppair_isfinite_f64(lipschitz)) return DPPAIR_ERR_NOT_FINITE;
  if (lipschitz < 0.0) return DPPAIR_ERR_DOMAIN;
  if (n < 2) return DPPAIR_ERR_SIZE;
  if (adjacency != DPPAIR_REPLACE_ONE && adjacency != DPPAIR_ZERO_OUT) return DPPAIR_ERR_ADJACENCY;
  return dppair_sensitivity_check_(
      sensitivity, dppair_up_(dppair_up_((adjacency == DPPAIR_REPLACE_ONE ? 4.0 : 2.0) * lipschitz /
                                         (double)n)));
}

DPPAIR_API dppair_status dppair_sensitivity_rank_(double *sensitivity, double factor, double radius,
                                                  double slope, size_t n) {
  if (sensitivity == NULL) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  if (!dppair_isfinite_f64(radius) || !dppair_isfinite_f64(slope)) return DPPAIR_ERR_NOT_FINITE;
  if (radius < 0.0 || slope < 0.0) return DPPAIR_ERR_DOMAIN;
  if (n < 2) return DPPAIR_ERR_SIZE;
  return dppair_sensitivity_check_(
      sensitivity, dppair_up_(dppair_up_(dppair_up_(factor * radius * slope / (double)n))));
}

/*
 * Gradient of the pairwise ranking risk, normalised by n(n-1), rows ||x|| <= radius, phi
 * non-increasing with 0 <= -phi' <= slope at every margin that is reached; one record replaced or
 * zeroed (the value is the same for both: never halve it again). Do not put a clip constant or any
 * other bound of the gradient for radius * slope.
 *
 *   rank_diff   phi((y - y') w.(x - x')), labels in [-1, 1]:     8 radius slope / n
 *   rank_ind    phi(w.(x - x')) 1[y = 1, y' = -1], two labels:   2 radius slope / n
 *
 * That is half and a quarter of 4G/n. Proof: fix the partner z'. The two orders of a pair sum to a
 * multiple in [0, k slope] of +-(x - x'), the sign given by the labels; x - x' runs over the ball
 * B(-x', radius), which contains 0 because ||x'|| <= radius, so all values lie in a convex set of
 * diameter 2 k radius slope, k = 4 ('diff') or 1 ('ind'). n - 1 partners, divided by n(n-1).
 * (Zeroed: 0 lies in that set.) Attained. In real labels the slopes a and 2 - a of opposite sign
 * give no more.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_rank_diff(double *sensitivity,
                                                                        double radius, double slope,
                                                                        size_t n) {
  return dppair_sensitivity_rank_(sensitivity, 8.0, radius, slope, n);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_rank_ind(double *sensitivity,
                                                                       double radius, double slope,
                                                                       size_t n) {
  return dppair_sensitivity_rank_(sensitivity, 2.0, radius, slope, n);
}

/* ------------------------------------------------------------------------------------------------
 * Steps: one mechanism, its parameters, and how often it runs
 * ---------------------------------------------------------------------------------------------- */

/* How the records (or pairs) of a step are drawn, freshly in every step. */
typedef enum dppair_sampling_kind {
  DPPAIR_NO_SAMPLING = 0,
  DPPAIR_POISSON = 1,             /* each record (pair) by its own coin of probability q */
  DPPAIR_WITHOUT_REPLACEMENT = 2, /* m of n records, a uniform subset; q = m/n */
  DPPAIR_WITH_REPLACEMENT = 3, /* m independent uniform draws from n records (or from the pairs) */
  DPPAIR_MATCHING = 4          /* q n records without replacement, paired at random */
} dppair_sampling_kind;

/* n records; m drawn (0: not given); q the inclusion probability (0: m/n). */
typedef struct dppair_sampling {
  dppair_sampling_kind kind;
  dppair_adjacency adjacency;
  double q;
  size_t n, m;
} dppair_sampling;

typedef enum dppair_mechanism_kind {
  DPPAIR_GAUSSIAN = 1, /* noise_multiplier: sigma / sensitivity */
  DPPAIR_LAPLACE = 2,  /* noise_multiplier: scale / l1 sensitivity */
  DPPAIR_PURE = 3,     /* any epsilon-private mechanism; noise_multiplier: epsilon */
  DPPAIR_ZCDP = 4,     /* noise_multiplier: rho */
  DPPAIR_SAMPLED_GAUSSIAN = 5,
  DPPAIR_SAMPLED_PAIRS = 6,
  DPPAIR_RANDOMISED_RESPONSE = 7 /* two answers; noise_multiplier: epsilon */
} dppair_mechanism_kind;

/*
 * What noise_multiplier means for the sampled kinds: sigma over
 *   Poisson records             the move when one record is added or zeroed (both adjacencies:
 *                               replace-one is the pair of mixtures towards +1 and -1)
 *   without replacement, with replacement, matching
 *                               the replace-one sensitivity of the batch statistic (one slot)
 *   sampled pairs               the clip of one pair's vector
 * pair_rate is the probability of each unordered pair (Poisson pairs), 0 elsewhere.
 */
typedef struct dppair_step {
  dppair_mechanism_kind kind;
  dppair_sampling sampling;
  double noise_multiplier;
  double pair_rate;
  size_t steps;
} dppair_step;

/* ------------------------------------------------------------------------------------------------
 * The accountant
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_STEP_CAPACITY 32

typedef struct dppair_accountant {
  uint32_t ready;       /* set by dppair_accountant_init */
  dppair_status broken; /* the first step that could not be accounted for */
  double gaussian;      /* sum of (sensitivity / sigma)^2 over plain Gaussian steps, rounded up */
  double failure;       /* probability that is added to delta */
  size_t count;         /* distinct other steps */
  dppair_step step[DPPAIR_STEP_CAPACITY];
} dppair_accountant;

#define DPPAIR_ACCOUNTANT_READY_ UINT32_C(0x64707061)

/* An empty account: nothing released yet. */
DPPAIR_API dppair_status dppair_accountant_init(dppair_accountant *a) {
  if (a == NULL) return DPPAIR_ERR_NULL;
  memset(a, 0, sizeof *a);
  a->ready = DPPAIR_ACCOUNTANT_READY_;
  a->broken = DPPAIR_OK;
  return DPPAIR_OK;
}

DPPAIR_API dppair_status dppair_accountant_usable_(const dppair_accountant *a) {
  if (a == NULL) return DPPAIR_ERR_NULL;
  if (a->ready != DPPAIR_ACCOUNTANT_READY_) return DPPAIR_ERR_DOMAIN;
  return a->broken;
}

/* Marks the account as broken, so that a status nobody looked at cannot become a small epsilon. */
DPPAIR_API dppair_status dppair_accountant_break_(dppair_accountant *a, dppair_status status) {
  if (a->broken == DPPAIR_OK) a->broken = status;
  return status;
}

/* `steps` releases with Gaussian noise sigma > 0 of statistics with this l2 sensitivity >= 0. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_gaussian(dppair_accountant *a,
                                                                      double sensitivity,
                                                                      double sigma, size_t steps) {
  const dppair_status status = dppair_accountant_usable_(a);
  double ratio;
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(sensitivity) || !dppair_isfinite_f64(sigma))
    return dppair_accountant_break_(a, DPPAIR_ERR_NOT_FINITE);
  if (sensitivity < 0.0) return dppair_accountant_break_(a, DPPAIR_ERR_SENSITIVITY);
  if (!(sigma > 0.0)) return dppair_accountant_break_(a, DPPAIR_ERR_SIGMA);
  ratio = dppair_up_(sensitivity / sigma);
  if (sensitivity > 0.0 && ratio < 1e-150) ratio = 1e-150;
  ratio = dppair_up_(dppair_up_(ratio * ratio * dppair_up_((double)steps)));
  if (!dppair_isfinite_f64(ratio)) return dppair_accountant_break_(a, DPPAIR_ERR_OVERFLOW);
  a->gaussian = a->gaussian > 0.0 ? dppair_up_(a->gaussian + ratio) : ratio;
  return dppair_isfinite_f64(a->gaussian) ? DPPAIR_OK
                                          : dppair_accountant_break_(a, DPPAIR_ERR_OVERFLOW);
}

/* An event of probability at most gamma in [0, 1], under both data sets, in which the account may
 * be wrong (a capped number of hits, a sampled bound): it is added to delta. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_failure(dppair_accountant *a,
                                                                     double gamma) {
  const dppair_status status = dppair_accountant_usable_(a);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(gamma)) return dppair_accountant_break_(a, DPPAIR_ERR_NOT_FINITE);
  if (gamma < 0.0 || gamma > 1.0) return dppair_accountant_break_(a, DPPAIR_ERR_DOMAIN);
  a->failure = a->failure > 0.0 ? dppair_up_(a->failure + gamma) : gamma;
  return DPPAIR_OK;
}

/* The epsilon of everything in the account at this delta in (0, 1), rounded up. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_epsilon(double *epsilon,
                                                                     const dppair_accountant *a,
                                                                     double delta) {
  dppair_status status;
  double rest;
  if (epsilon == NULL) return DPPAIR_ERR_NULL;
  *epsilon = 0.0;
  status = dppair_accountant_usable_(a);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(delta)) return DPPAIR_ERR_NOT_FINITE;
  if (!(delta > 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  rest = a->failure > 0.0 ? delta - dppair_up_(a->failure) : delta;
  if (rest <= 0.0) return DPPAIR_ERR_DELTA;
  return dppair_gaussian_epsilon(epsilon, dppair_down_(rest), dppair_up_(sqrt(a->gaussian)));
}

/* The delta of everything in the account at this epsilon >= 0, rounded up. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_delta(double *delta,
                                                                   const dppair_accountant *a,
                                                                   double epsilon) {
  dppair_status status;
  if (delta == NULL) return DPPAIR_ERR_NULL;
  *delta = 0.0;
  status = dppair_accountant_usable_(a);
  if (status != DPPAIR_OK) return status;
  status = dppair_gaussian_delta(delta, epsilon, dppair_up_(sqrt(a->gaussian)));
  if (status != DPPAIR_OK) return status;
  if (a->failure > 0.0) *delta = dppair_up_(*delta + a->failure);
  if (*delta > 1.0) *delta = 1.0;
  return DPPAIR_OK;
}

DPPAIR_FP_END_

/* ================================================================================================
 * Numerical composition: dppair_contour_* and dppair_pld_*
 * ============================================================================================== */

/* ================================================================================================
 * End of numerical composition
 * ============================================================================================== */

#endif /* DPPAIR_ACCOUNTANT_H */
