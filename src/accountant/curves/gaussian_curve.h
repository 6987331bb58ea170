/* ------------------------------------------------------------------------------------------------
 * The exact Gaussian curve
 *
 * N(0,1) against N(mu,1), mu = sensitivity / sigma (Balle and Wang 2018; Dong, Roth and Su 2022):
 *     delta(epsilon) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu).
 * With t = epsilon/mu - mu/2 the second term is phi(t) R(t + mu), so
 *     delta = phi(t) [R(t) - R(t + mu)] = phi(t) * integral from t to t + mu of (1 - x R(x)) dx:
 * nothing overflows, and for small mu the integral does not cancel. T adaptive steps with
 * mu_1 .. mu_T are exactly one step with mu = sqrt(sum mu_t^2). Relies on normal.h.
 * ---------------------------------------------------------------------------------------------- */

/* One point of the curve. delta and log_delta are the computed values, not bounds. */
typedef struct dppair_curve_point_ {
  double delta; /* 0 on underflow */
  double log_delta;
  double per_mu;  /* d log_delta / d mu */
  double per_eps; /* d log_delta / d epsilon */
} dppair_curve_point_;

/* Bounds of the relative error of delta and of the absolute error of log_delta. Where the ratios
 * are subtracted, mu > (t + 2)/40, their errors of 7e-16 count (R(t) + R(t + mu))/(R(t) - R(t +
 * mu)) times, which is at most 81: 80.2 in the limit of large t, 78 at t = -1. The integral has
 * 2e-15. The rest adds a few 1e-16, and log_delta a rounding of its own. */
#define DPPAIR_CURVE_SLACK_ 6e-14
#define DPPAIR_CURVE_LARGEST_ 1e9 /* for a larger mu the curve is only an upper bound */
DPPAIR_API double dppair_curve_log_slack_(double log_delta) {
  return DPPAIR_CURVE_SLACK_ + 6e-16 * dppair_fabs_(log_delta);
}

/* R(t) - R(s) for t >= -1 and s = t + mu, mu > 0. */
DPPAIR_API double dppair_mills_difference_(double t, double s, double mu) {
  /* Gauss-Legendre on four nodes: error below 1e-16 relative for mu <= (t + 2)/40. */
  static const double node[4] = {0.069431844202973712388, 0.33000947820757186760,
                                 0.66999052179242813240, 0.93056815579702628761};
  static const double weight[4] = {0.17392742256872692869, 0.32607257743127307131,
                                   0.32607257743127307131, 0.17392742256872692869};
  double sum = 0.0;
  int k;
  if (mu > 0.025 * (t + 2.0)) return dppair_mills_(t) - dppair_mills_(s);
  for (k = 0; k < 4; k++) sum += weight[k] * dppair_mills_slope_(t + mu * node[k]);
  return mu * sum;
}

/* Upper bounds where t = epsilon/mu - mu/2 is huge or has lost its digits; ratio = epsilon/mu. */
DPPAIR_API dppair_curve_point_ dppair_curve_far_(double ratio, double mu) {
  dppair_curve_point_ p = {0.0, -4e199, 0.0, 0.0};
  double t = ratio - 0.5 * mu;
  if (!dppair_isfinite_f64(ratio) || t > 1e100 || t < -1e100) {
    if (!(t >= 0.0)) { /* or nothing is known */
      p.delta = 1.0;
      p.log_delta = 0.0;
    }
    return p;
  }
  t -= 1e-15 * (ratio + 0.5 * mu); /* surely smaller; delta <= exp(-t^2/2) falls with t */
  p.log_delta = t > 0.0 ? -0.5 * t * t : 0.0;
  p.delta = dppair_exp_(p.log_delta);
  p.per_mu = t > 0.0 ? t * (ratio / mu + 0.5) : 0.0;
  p.per_eps = t > 0.0 ? -t / mu : 0.0;
  return p;
}

/* The rounding error of t = ratio - mu/2, ratio = epsilon/mu: what the difference lost and what the
 * quotient lost. */
DPPAIR_API double dppair_curve_lost_(double epsilon, double mu, double ratio, double t) {
  const double half = 0.5 * mu, shift = t - ratio, back = ratio * mu;
  const double difference = (ratio - (t - shift)) - (half + shift);
  return difference + ((epsilon - back) - dppair_product_error_(ratio, mu, back)) / mu;
}

/* The curve at epsilon >= 0 and mu > 0, both finite. */
DPPAIR_API dppair_curve_point_ dppair_curve_(double epsilon, double mu) {
  dppair_curve_point_ p;
  const double ratio = epsilon / mu, s = ratio + 0.5 * mu, t = ratio - 0.5 * mu;
  double lo, kernel;
  /* beyond 1e8 what Mills' ratio adds to t^2/2 is below 1e-14 of it, and lo may exceed 1 */
  if (!dppair_isfinite_f64(ratio) || t > 1e8 || t < -1e100 || mu > DPPAIR_CURVE_LARGEST_)
    return dppair_curve_far_(ratio, mu);
  /* t + lo is exact. lo matters where t is squared and, to first order, in Mills' ratio, when it
   * exceeds 1e-15: it is an ulp of mu. */
  lo = dppair_curve_lost_(epsilon, mu, ratio, t);
  kernel = DPPAIR_INV_SQRT_2PI_ * dppair_gauss_kernel_(t, lo);
  if (t >= -1.0) {
    double difference = dppair_mills_difference_(t, s, mu);
    if (dppair_fabs_(lo) > 1e-15)
      difference -= lo * (dppair_mills_slope_(t) - dppair_mills_slope_(s));
    p.delta = kernel * difference;
    if (p.delta > 1e-290)
      p.log_delta = dppair_log_(p.delta);
    else
      p.log_delta = -0.5 * t * t - t * lo - DPPAIR_LOG_SQRT_2PI_ + dppair_log_(difference);
    p.per_mu = 1.0 / difference;
    p.per_eps = -dppair_mills_(s) / difference;
  } else {
    const double moved = dppair_fabs_(lo) > 1e-15 ? lo * dppair_mills_slope_(-t) : 0.0;
    const double rest = kernel * (dppair_mills_(-t) + moved + dppair_mills_(s));
    p.delta = 1.0 - rest;
    p.log_delta = dppair_log1p_(-rest);
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

/* *delta >= the exact delta at epsilon >= 0 and mu >= 0, within 1e-12 relative where delta >=
 * 1e-300 and mu <= 1e9. It is 0 only for mu = 0; on underflow it is the smallest normal number.
 * Errors: NULL, ENVIRONMENT, NOT_FINITE, EPSILON, DOMAIN (mu); so for the functions below. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_delta(double *delta, double epsilon,
                                                                 double mu) {
  double value;
  if (delta == NULL) return DPPAIR_ERR_NULL;
  *delta = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(mu)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (mu < 0.0) return DPPAIR_ERR_DOMAIN;
  if (mu == 0.0) return DPPAIR_OK;
  value = dppair_curve_(epsilon, mu).delta;
  value *= 1.0 + DPPAIR_CURVE_SLACK_;
  *delta = value < DBL_MIN ? DBL_MIN : (value < 1.0 ? value : 1.0); /* 1 for a NaN */
  return DPPAIR_OK;
}

/* *log_delta: the logarithm of the same, rounded up. delta itself may be far below the smallest
 * double. Errors: NULL, ENVIRONMENT, NOT_FINITE, EPSILON (< 0), DOMAIN (mu <= 0). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_log_delta(double *log_delta,
                                                                     double epsilon, double mu) {
  if (log_delta == NULL) return DPPAIR_ERR_NULL;
  *log_delta = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(mu)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (mu <= 0.0) return DPPAIR_ERR_DOMAIN;
  *log_delta = dppair_curve_log_upper_(epsilon, mu);
  return DPPAIR_OK;
}

/* About the epsilon at which log delta is `target`: Newton's method in a bracket, stopped on the
 * safe side, where log_delta is about 1.2 times its error bound below the target. */
DPPAIR_API double dppair_curve_epsilon_(double target, double mu) {
  /* Concentrated privacy (Bun and Steinke 2016) is an upper end of the bracket; 0.9 of its last
   * term is near the answer. */
  const double tail = dppair_sqrt_(-2.0 * target);
  double low = 0.0, high = dppair_up_(dppair_up_(0.5 * mu * mu + mu * tail));
  double x = 0.5 * mu * mu + 0.9 * mu * tail;
  int i;
  for (i = 0; i < 200; i++) {
    const dppair_curve_point_ p = dppair_curve_(x, mu);
    const double excess = p.log_delta - target;
    double next, step;
    if (excess <= 0.0)
      high = x;
    else
      low = x;
    if (p.per_eps < 0.0 && dppair_fabs_(excess) <= dppair_curve_log_slack_(p.log_delta))
      return x - (excess + 1.2 * dppair_curve_log_slack_(p.log_delta)) / p.per_eps;
    next = p.per_eps < 0.0 ? x - excess / p.per_eps : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    step = dppair_fabs_(next - x);
    x = next;
    if (step <= 1e-15 * x || high - low <= 1e-15 * high) break;
  }
  return x;
}

/* *epsilon >= the smallest epsilon >= 0 at which a mu-Gaussian mechanism is (epsilon,
 * delta)-private. delta in (0, 1); mu in [0, 1e70] (DOMAIN). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_epsilon(double *epsilon, double delta,
                                                                   double mu) {
  double target, x, step;
  if (epsilon == NULL) return DPPAIR_ERR_NULL;
  *epsilon = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(delta) || !dppair_isfinite_f64(mu)) return DPPAIR_ERR_NOT_FINITE;
  if (!(delta > 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  if (mu < 0.0 || mu > 1e70) return DPPAIR_ERR_DOMAIN;
  if (mu == 0.0) return DPPAIR_OK;
  target = dppair_log_(delta) * (1.0 + 3e-16); /* at most log delta, whatever log was rounded to */
  if (dppair_curve_log_upper_(0.0, mu) <= target) return DPPAIR_OK;
  x = dppair_curve_epsilon_(target, mu);
  for (step = 1e-15 * x + 1e-300; !(dppair_curve_log_upper_(x, mu) <= target); step *= 2.0) {
    x += step;
    if (!dppair_isfinite_f64(x)) return DPPAIR_ERR_OVERFLOW;
  }
  *epsilon = dppair_up_(x);
  return DPPAIR_OK;
}

/*
 * About the mu at which log delta is `target`, from `low`, which is known to be below it: Halley's
 * method in y = log mu, stopped on the safe side. With g = log delta, g' = mu per_mu and
 * g'' = g' (1 + t (t + mu) - g').
 */
DPPAIR_API double dppair_curve_mu_(double target, double epsilon, double low) {
  double high = 0.0, x = low * 1.15; /* a first guess */
  int i;
  for (i = 0; i < 200; i++) {
    const dppair_curve_point_ p = dppair_curve_(epsilon, x);
    const double excess = p.log_delta - target, slack = dppair_curve_log_slack_(p.log_delta);
    double next = 0.0, step;
    if (excess <= 0.0)
      low = x;
    else
      high = x;
    if (p.per_mu > 0.0) {
      const double slope = x * p.per_mu, r = epsilon / x;
      const double bend = 1.0 + (r - 0.5 * x) * (r + 0.5 * x) - slope;
      double move = -excess / slope, curb = 1.0 + 0.5 * move * bend;
      if (dppair_fabs_(excess) <=
          slack) { /* close enough: step back to the safe side, if it is near */
        const double back = (excess + 1.2 * slack) / slope + 2e-16;
        return back < 0.5 ? x * (1.0 - back) : x;
      }
      move /= curb > 0.5 ? (curb < 2.0 ? curb : 2.0) : 0.5;
      next = x * dppair_exp_(move);
    }
    if (high == 0.0) { /* no upper end yet: between 2 and 8 times as far */
      if (!(next > low)) next = 2.0 * low;
      if (next > 8.0 * low) next = 8.0 * low;
    } else if (!(next > low && next < high)) {
      next = dppair_sqrt_(low) * dppair_sqrt_(high);
    }
    step = dppair_fabs_(next - x);
    x = next;
    if (step <= 2e-16 * x || (high > 0.0 && high - low <= 1e-15 * high)) break;
  }
  return x;
}

/* *mu <= the largest mu for which N(mu, 1) against N(0, 1) is (epsilon, delta)-private. epsilon in
 * [0, 1e100]; delta in (0, 1). OVERFLOW: no double is small enough. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_mu(double *mu, double epsilon,
                                                              double delta) {
  double target, tail, low, x, step;
  if (mu == NULL) return DPPAIR_ERR_NULL;
  *mu = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(delta)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0 || epsilon > 1e100) return DPPAIR_ERR_EPSILON;
  if (!(delta > 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  target = dppair_log_(delta) * (1.0 + 3e-16);
  /* Two lower ends: concentrated privacy, and delta <= 2 Phi(mu/2) - 1 <= mu / sqrt(2 pi). */
  tail = dppair_sqrt_(-2.0 * target);
  low = 2.0 * epsilon / (dppair_sqrt_(tail * tail + 2.0 * epsilon) + tail);
  if (low < delta * 2.5) low = delta * 2.5;
  x = dppair_curve_mu_(target, epsilon, low * 0.999999);
  for (step = 1e-15; dppair_curve_log_upper_(epsilon, x) > target;
       step = step < 0.25 ? 2.0 * step : 0.5) {
    x -= x * step;
    if (!(x > 0.0)) return DPPAIR_ERR_OVERFLOW;
  }
  if (!dppair_isfinite_f64(x)) return DPPAIR_ERR_OVERFLOW;
  *mu = dppair_down_(x);
  return DPPAIR_OK;
}

/*
 * *sigma: the noise scale that makes `steps` >= 1 adaptive releases, each with this l2 sensitivity,
 * (epsilon, delta)-private together: sensitivity * sqrt(steps) / mu(epsilon, delta), rounded up.
 * sensitivity >= 0; 0 gives 0. Errors: those of dppair_gaussian_mu, SENSITIVITY, SIZE (steps).
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
  if (sensitivity > 0.0 && sensitivity < DBL_MIN) sensitivity = DBL_MIN; /* its product rounds */
  if (steps == 0) return DPPAIR_ERR_SIZE;
  status = dppair_gaussian_mu(&mu, epsilon, delta);
  if (status != DPPAIR_OK) return status;
  value = dppair_up_(dppair_up_(sensitivity * dppair_sqrt_((double)steps) / mu));
  if (!dppair_isfinite_f64(value)) return DPPAIR_ERR_OVERFLOW;
  if (sensitivity > 0.0 && value < DBL_MIN) value = DBL_MIN;
  *sigma = value;
  return DPPAIR_OK;
}
