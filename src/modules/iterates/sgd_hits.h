/* ------------------------------------------------------------------------------------------------
 * Stability by the number of hits
 *
 * Bounds for sigmas that are fixed before the indices are drawn: for a number of hits, for a
 * quantile of it, and for its mixture. Relies on sgd_stability.h and binomial.h.
 * ---------------------------------------------------------------------------------------------- */

/* The smallest k for which Pr[Bin(n, p) > k] <= gamma, and that probability, rounded up.
 * 0 < gamma < 1, 0 <= p <= 1. Errors: DELTA and DOMAIN outside these ranges, NOT_FINITE,
 * ENVIRONMENT (another rounding mode), OVERFLOW where a deviation is more than a million. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_binomial_quantile_(size_t *k, double *tail,
                                                                     size_t n, double p,
                                                                     double gamma) {
  size_t low = 0, high = n;
  if (k == NULL || tail == NULL) return DPPAIR_ERR_NULL;
  *k = 0;
  *tail = 1.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(p) || !dppair_isfinite_f64(gamma)) return DPPAIR_ERR_NOT_FINITE;
  if (p < 0.0 || p > 1.0) return DPPAIR_ERR_DOMAIN;
  if (!(gamma > 0.0 && gamma < 1.0)) return DPPAIR_ERR_DELTA;
  if (dppair_sqrt_((double)n * p * (1.0 - p)) > (double)DPPAIR_BINOMIAL_MOST_)
    return DPPAIR_ERR_OVERFLOW;
  { /* Chernoff's bounds end the search: N <= mean + L/2 + sqrt(L^2/4 + 2 mean L) but for
     * probability e^-L, and N > mean - sqrt(2 mean L) but for that. */
    const double mean = (double)n * p, level = -dppair_log_(gamma) * 1.000001 + 1e-9;
    const double bound =
        dppair_ceil_(mean + 0.5 * level + dppair_sqrt_(0.25 * level * level + 2.0 * mean * level)) +
        1.0;
    const double under =
        mean - dppair_sqrt_(2.0 * mean * (-dppair_log1p_(-gamma) * 1.000001 + 1e-9)) * 1.000001;
    if (bound < (double)n) high = (size_t)bound;
    if (under > 2.0 && under - 2.0 < (double)high) low = (size_t)(under - 2.0);
  }
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (dppair_binomial_tail_(n, p, middle) <= gamma)
      high = middle;
    else
      low = middle + 1;
  }
  *k = low;
  *tail = dppair_binomial_tail_(n, p, low);
  return DPPAIR_OK;
}

/* The harmonic number H_m: the sum below 32, the asymptotic series from there on. */
DPPAIR_API double dppair_harmonic_(double m) {
  const double r2 = 1.0 / (m * m);
  double sum = 0.0, k;
  if (m < 32.0) {
    for (k = 1.0; k <= m; k += 1.0) sum += 1.0 / k;
    return sum;
  }
  return dppair_log_(m) + 0.57721566490153286061 + 0.5 / m -
         r2 * (1.0 / 12.0 - r2 * (1.0 / 120.0 - r2 / 252.0));
}

/* A bound on the sensitivity for every sequence in which the record is hit N = `hits` times:
 * c [ (2/3) sqrt T + (1/T) sum_t S(t) ], S(t) = t for t < N, N - 1 + N (H_t - H_{N-1}) afterwards
 * (the hits come first in the worst case). When smooth, without the square root; 0 for no hit. */
DPPAIR_API dppair_status dppair_uas_hits_(double *sensitivity, const dppair_uas *u, size_t hits) {
  double c, cap, value, t, n;
  dppair_status status;
  *sensitivity = 0.0;
  status = dppair_uas_check_(&c, &cap, u);
  if (status != DPPAIR_OK || hits == 0) return status;
  t = (double)u->steps;
  n = (double)(hits < u->steps ? hits : u->steps);
  if (u->last_iterate) {
    value =
        n >= t ? t - 1.0 : n - 1.0 + n * (dppair_harmonic_(t - 1.0) - dppair_harmonic_(n - 1.0));
    if (u->smoothness <= 0.0) value += dppair_uas_away_(u) * dppair_sqrt_(t);
  } else {
    const double hn = dppair_harmonic_(n - 1.0), ht = dppair_harmonic_(t - 1.0);
    value = 0.5 * n * (n - 1.0);
    if (n < t)
      value += (t - n) * (n - 1.0 - n * hn) + n * ((t * ht - (t - 1.0)) - (n * hn - (n - 1.0)));
    value /= t;
    if (u->smoothness <= 0.0) value += dppair_uas_away_(u) * (2.0 / 3.0) * dppair_sqrt_(t);
  }
  value *= c * (1.0 + 1e-11) * dppair_uas_growth_(u);
  if (u->diameter > 0.0 && value > u->diameter) value = u->diameter;
  return dppair_sensitivity_store_(sensitivity, value);
}

/* A sensitivity that holds with high probability, for i.i.d. uniform indices: N ~ Bin(T, 1/n) hits.
 * *hits is the exact quantile with Pr[N > hits] <= gamma, and at least 1 (with 0, every hit would
 * be a failure, and the release would need no noise). *failure is Pr[N > hits]: add it to delta by
 * dppair_accountant_failure. *sensitivity is the bound for *hits. On an error *failure is 1, which
 * no budget has, and the others are 0. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_uas_quantile(
    double *sensitivity, double *failure, size_t *hits, const dppair_uas *u, double gamma) {
  dppair_status status;
  if (sensitivity == NULL || failure == NULL || hits == NULL) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  *failure = 1.0;
  *hits = 0;
  if (u == NULL) return DPPAIR_ERR_NULL;
  if (u->n < 2) return DPPAIR_ERR_SIZE;
  status =
      dppair_binomial_quantile_(hits, failure, u->steps, dppair_up_(1.0 / (double)u->n), gamma);
  if (status != DPPAIR_OK) return status;
  if (*hits == 0) {
    *hits = 1;
    *failure = dppair_binomial_tail_(u->steps, dppair_up_(1.0 / (double)u->n), 1);
  }
  status = dppair_uas_hits_(sensitivity, u, *hits);
  if (status != DPPAIR_OK) {
    *failure = 1.0;
    *hits = 0;
  }
  return status;
}

/* The sum of dppair_uas_delta_ over the numbers of hits. It begins 12 deviations below the mean,
 * where fewer hits count as so many (they cost no more), and ends where the tail is nothing beside
 * the sum; the tail is looked at once in 8 terms. */
DPPAIR_API dppair_status dppair_uas_mixture_(double *sum, const dppair_uas *u, double sigma,
                                             double epsilon) {
  const double rate = 1.0 / (double)u->n, mean = (double)u->steps * rate;
  const double spread = dppair_sqrt_(mean) + 1.0;
  const size_t low = mean > 12.0 * spread ? (size_t)(mean - 12.0 * spread) : 1;
  double total = 0.0, term, rest;
  size_t k;
  for (k = low; k <= u->steps; k++) {
    double sensitivity;
    dppair_status status = dppair_uas_hits_(&sensitivity, u, k);
    if (status == DPPAIR_OK)
      status = dppair_gaussian_delta(&term, epsilon, dppair_up_(sensitivity / sigma));
    if (status != DPPAIR_OK) return status;
    total += term * dppair_exp_(dppair_binomial_log_pmf_(u->steps, rate, k));
    if (k == low && low > 1) total += term * (1.0 - dppair_binomial_tail_(u->steps, rate, low - 1));
    if (!((double)k > mean && (k - low) % 8 == 0)) continue;
    rest = dppair_binomial_tail_(u->steps, rate, k);
    if (rest <= 1e-13 * total || rest < 1e-290) {
      total += rest;
      break;
    }
  }
  *sum = total * (1.0 + 1e-11);
  return DPPAIR_OK;
}

/*
 * delta at epsilon of the release with a sigma fixed in advance, for i.i.d. uniform indices and
 * without a failure probability:
 * delta(epsilon) <= sum_N Pr[Bin(T, 1/n) = N] delta_G(epsilon, sensitivity(N)/sigma)
 * (the hockey-stick divergence is jointly convex, the position is fixed, N has one law).
 * Errors: those of u; NOT_FINITE, SIGMA, EPSILON; OVERFLOW where a record expects more than 1e8
 * hits.
 */
DPPAIR_API dppair_status dppair_uas_delta_(double *delta, const dppair_uas *u, double sigma,
                                           double epsilon) {
  double total;
  dppair_status status;
  *delta = 0.0;
  if (!dppair_isfinite_f64(sigma)) return DPPAIR_ERR_NOT_FINITE;
  if (!(sigma > 0.0)) return DPPAIR_ERR_SIGMA;
  if ((double)u->steps * (1.0 / (double)u->n) > 1e8) return DPPAIR_ERR_OVERFLOW;
  status = dppair_uas_mixture_(&total, u, sigma, epsilon);
  if (status != DPPAIR_OK) return status;
  *delta = total < DBL_MIN ? DBL_MIN : (total < 1.0 ? total : 1.0);
  return DPPAIR_OK;
}

/* The sigma that makes dppair_uas_delta_ at most delta at this epsilon, within 1e-9, rounded up.
 * DELTA when delta >= Pr[N >= 1], about T/n: such a delta is met without noise, which protects
 * nobody who is drawn. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_uas_sigma(double *sigma, const dppair_uas *u,
                                                            double epsilon, double delta) {
  double low, high = 0.0, worst, reached;
  dppair_status status;
  int i;
  if (sigma == NULL) return DPPAIR_ERR_NULL;
  *sigma = 0.0;
  if (u == NULL) return DPPAIR_ERR_NULL;
  if (u->n < 2 || u->steps < 1) return DPPAIR_ERR_SIZE;
  if (delta >=
      -dppair_expm1_((double)u->steps * dppair_log1p_(-1.0 / (double)u->n)) * (1.0 - 1e-12))
    return DPPAIR_ERR_DELTA;
  /* No sequence is worse than T hits: an upper end. */
  status = dppair_uas_hits_(&worst, u, u->steps);
  if (status == DPPAIR_OK) status = dppair_gaussian_sigma(&high, worst, epsilon, delta, 1);
  if (status != DPPAIR_OK || high <= 0.0) return status;
  low = high * 1e-12;
  for (i = 0; i < 100 && high > low * (1.0 + 1e-9); i++) {
    const double middle = dppair_sqrt_(low * high);
    status = dppair_uas_delta_(&reached, u, middle, epsilon);
    if (status != DPPAIR_OK) return status;
    if (reached <= delta)
      high = middle;
    else
      low = middle;
  }
  *sigma = high;
  return DPPAIR_OK;
}
