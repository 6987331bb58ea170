/* The harmonic number H_m. */
DPPAIR_API double dppair_harmonic_(double m) {
  const double r2 = 1.0 / (m * m);
  double sum = 0.0, k;
  if (m < 32.0) {
    for (k = 1.0; k <= m; k += 1.0) sum += 1.0 / k;
    return sum;
  }
  return log(m) + 0.57721566490153286061 + 0.5 / m -
         r2 * (1.0 / 12.0 - r2 * (1.0 / 120.0 - r2 / 252.0));
}

/*
 * A bound on the same sensitivity for every sequence in which the record is hit `hits` times:
 * c [ (2/3) sqrt T + (1/T) sum_t S(t) ], S(t) = t for t < N, N - 1 + N (H_t - H_{N-1}) afterwards
 * (the hits come first in the worst case); without the square root when smooth; 0 for no hit.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_uas_hits(double *sensitivity,
                                                                       const dppair_uas *u,
                                                                       size_t hits) {
  double c, cap, value, t, n;
  dppair_status status;
  if (sensitivity == NULL) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  status = dppair_uas_check_(&c, &cap, u);
  if (status != DPPAIR_OK || hits == 0) return status;
  t = (double)u->steps;
  n = (double)(hits < u->steps ? hits : u->steps);
  if (u->last_iterate) {
    value =
        n >= t ? t - 1.0 : n - 1.0 + n * (dppair_harmonic_(t - 1.0) - dppair_harmonic_(n - 1.0));
    if (u->smoothness <= 0.0) value += dppair_uas_away_(u) * sqrt(t);
  } else {
    const double hn = dppair_harmonic_(n - 1.0), ht = dppair_harmonic_(t - 1.0);
    value = 0.5 * n * (n - 1.0);
    if (n < t)
      value += (t - n) * (n - 1.0 - n * hn) + n * ((t * ht - (t - 1.0)) - (n * hn - (n - 1.0)));
    value /= t;
    if (u->smoothness <= 0.0) value += dppair_uas_away_(u) * (2.0 / 3.0) * sqrt(t);
  }
  value *= c * (1.0 + 1e-11) * dppair_uas_growth_(u);
  if (u->diameter > 0.0 && value > u->diameter) value = u->diameter;
  return dppair_sensitivity_store_(sensitivity, value);
}

/*
 * High probability: N ~ Bin(T, 1/n) hits; *hits is the exact quantile with Pr[N > hits] <= gamma, 1
 * at least (to call every hit a failure would be a release without noise), *failure that
 * probability (pay it: dppair_accountant_failure), *sensitivity the bound for it. Needs i.i.d.
 * uniform indices.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_uas_quantile(
    double *sensitivity, double *failure, size_t *hits, const dppair_uas *u, double gamma) {
  dppair_status status;
  if (sensitivity == NULL || failure == NULL || hits == NULL) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  *failure = 1.0;
  *hits = 0;
  if (u == NULL) return DPPAIR_ERR_NULL;
  if (u->n < 2) return DPPAIR_ERR_SIZE;
  status = dppair_binomial_quantile(hits, failure, u->steps, dppair_up_(1.0 / (double)u->n), gamma);
  if (status != DPPAIR_OK) return status;
  if (*hits == 0) {
    *hits = 1;
    *failure = dppair_binomial_tail_(u->steps, dppair_up_(1.0 / (double)u->n), 1);
  }
  status = dppair_sensitivity_uas_hits(sensitivity, u, *hits);
  if (status != DPPAIR_OK) *failure = 1.0;
  return status;
}

/*
 * No failure probability, sigma fixed in advance, i.i.d. uniform indices:
 * delta(epsilon) <= sum_N Pr[Bin(T, 1/n) = N] delta_G(epsilon, sensitivity(N)/sigma)
 * (the hockey-stick divergence is jointly convex, the position is fixed, N has one law).
 * OVERFLOW where a record expects more than 1e8 hits.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_uas_delta(double *delta, const dppair_uas *u,
                                                            double sigma, double epsilon) {
  double rate, mean, spread, total, term;
  size_t low, k;
  if (delta == NULL) return DPPAIR_ERR_NULL;
  *delta = 0.0;
  if (u == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(sigma) || !dppair_isfinite_f64(epsilon)) return DPPAIR_ERR_NOT_FINITE;
  if (!(sigma > 0.0)) return DPPAIR_ERR_SIGMA;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (u->n < 2 || u->steps < 1) return DPPAIR_ERR_SIZE;
  rate = 1.0 / (double)u->n;
  mean = (double)u->steps * rate;
  if (mean > 1e8) return DPPAIR_ERR_OVERFLOW;
  spread = sqrt(mean) + 1.0;
  low = mean > 12.0 * spread ? (size_t)(mean - 12.0 * spread) : 1;
  total = 0.0;
  for (k = low; k <= u->steps; k++) {
    double sensitivity, rest;
    dppair_status status = dppair_sensitivity_uas_hits(&sensitivity, u, k);
    if (status == DPPAIR_OK)
      status = dppair_gaussian_delta(&term, epsilon, dppair_up_(sensitivity / sigma));
    if (status != DPPAIR_OK) return status;
    total += term * exp(dppair_binomial_log_pmf_(u->steps, rate, k));
    if (k == low && low > 1) /* fewer hits: no worse than low */
      total += term * (1.0 - dppair_binomial_tail_(u->steps, rate, low - 1));
    if ((double)k > mean && (k - low) % 8 == 0) {
      rest = dppair_binomial_tail_(u->steps, rate, k);
      if (rest <= 1e-13 * total || rest < 1e-290) {
        total += rest;
        break;
      }
    }
  }
  total *= 1.0 + 1e-11;
  *delta = total < DBL_MIN ? DBL_MIN : (total < 1.0 ? total : 1.0);
  return DPPAIR_OK;
}

/* The sigma that makes dppair_uas_delta at most delta at this epsilon, within 1e-9, rounded up.
 * DELTA when delta >= Pr[N >= 1], about T/n: no noise would do, by leaving whoever is drawn
 * unprotected. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_uas_sigma(double *sigma, const dppair_uas *u,
                                                            double epsilon, double delta) {
  double low, high = 0.0, worst, reached;
  dppair_status status;
  int i;
  if (sigma == NULL) return DPPAIR_ERR_NULL;
  *sigma = 0.0;
  if (u == NULL) return DPPAIR_ERR_NULL;
  if (u->n < 2 || u->steps < 1) return DPPAIR_ERR_SIZE;
  if (delta >= -expm1((double)u->steps * log1p(-1.0 / (double)u->n)) * (1.0 - 1e-12))
    return DPPAIR_ERR_DELTA;
  /* No sequence is worse than T hits: an upper end. */
  status = dppair_sensitivity_uas_hits(&worst, u, u->steps);
  if (status == DPPAIR_OK) status = dppair_gaussian_sigma(&high, worst, epsilon, delta, 1);
  if (status != DPPAIR_OK || high <= 0.0) return status;
  low = high * 1e-12;
  for (i = 0; i < 100 && high > low * (1.0 + 1e-9); i++) {
    const double middle = sqrt(low * high);
    status = dppair_uas_delta(&reached, u, middle, epsilon);
    if (status != DPPAIR_OK) return status;
    if (reached <= delta)
      high = middle;
    else
      low = middle;
  }
  *sigma = high;
  return DPPAIR_OK;
}
