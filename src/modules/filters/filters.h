/* ------------------------------------------------------------------------------------------------
 * Filters: budgets for steps that are chosen from earlier outputs
 *
 * A filter stops a run before its budget is exceeded; the individual filter keeps a budget per
 * record. Relies on gaussian_curve.h and account.h.
 * ---------------------------------------------------------------------------------------------- */

/*
 * A Renyi filter (Feldman and Zrnic 2021; Lecuyer 2021): the parameters of a step may depend on
 * earlier outputs, and the run stops before the sum of the divergences of one order, which is fixed
 * in advance, exceeds the budget. order = 0 is for Gaussian steps, which spend mu^2; the whole run
 * is then exactly sqrt(budget)-Gaussian. (Proof: pad the transcript with one Gaussian that uses up
 * the budget. The log-likelihood ratio then has conditionally Gaussian increments with a constant
 * total variance.)
 */
typedef struct dppair_filter {
  double order, budget, spent;
} dppair_filter;

/* Sets the budget that makes the whole run (epsilon, delta)-private. order = 0 or > 1. Errors:
 * NULL, ENVIRONMENT, NOT_FINITE, EPSILON, DELTA, DOMAIN (order), EXHAUSTED: at this order nothing
 * is left to spend. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_filter_init(dppair_filter *f, double epsilon,
                                                              double delta, double order) {
  double budget;
  if (f == NULL) return DPPAIR_ERR_NULL;
  f->order = f->budget = f->spent = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(delta) || !dppair_isfinite_f64(order))
    return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (!(delta > 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  if (order <= 0.0 && order >= 0.0) {
    double mu;
    const dppair_status status = dppair_gaussian_mu(&mu, epsilon, delta);
    if (status != DPPAIR_OK) return status;
    budget = dppair_down_(dppair_down_(mu * mu));
    if (!dppair_isfinite_f64(budget)) return DPPAIR_ERR_EPSILON;
  } else {
    if (!(order > 1.0)) return DPPAIR_ERR_DOMAIN;
    budget = epsilon - dppair_log1p_(-1.0 / order) +
             (dppair_log_(delta) + dppair_log_(order)) / (order - 1.0);
    budget -= 1e-13 * (1.0 + epsilon + 800.0 / (order - 1.0));
    if (!(budget > 0.0)) return DPPAIR_ERR_EXHAUSTED;
  }
  f->order = order;
  f->budget = budget;
  return DPPAIR_OK;
}

/* Call this BEFORE a step that costs `spend` (mu^2, or the divergence of the filter's order). OK:
 * the step has been charged. EXHAUSTED: nothing was charged, and the step must not run. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_filter_step(dppair_filter *f, double spend) {
  double total;
  if (f == NULL) return DPPAIR_ERR_NULL;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(spend)) return DPPAIR_ERR_NOT_FINITE;
  if (spend < 0.0) return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(f->budget) || !(f->spent >= 0.0)) return DPPAIR_ERR_DOMAIN;
  total = dppair_add_up_(f->spent, spend);
  if (!(total <= f->budget)) return DPPAIR_ERR_EXHAUSTED;
  f->spent = total;
  return DPPAIR_OK;
}

/*
 * The individual filter for full-batch PAIRWISE gradient descent. Every record has the same budget
 * B and is charged only what it can cost itself; a record whose budget does not cover a step is
 * dropped for good, with all its pairs. Public are n, the number of steps, which is fixed in
 * advance, step sizes, sigma, B, the domain, the loss and the start.
 *
 * Before step t, for every record i that is still active, compute g_i = sup over z' in the domain
 * of
 * || (grad l(z_i,z') + grad l(z',z_i))/2 || at the released w_t, from z_i and public quantities
 * only, NEVER from the other records, and charge r_i = 2 g_i^2/(n^2 sigma^2). Then release w_t -
 * eta ( (1/(n(n-1))) sum over pairs with both ends active + N(0, sigma^2 I) ); n(n-1) must not be
 * replaced by the number of active pairs.
 *
 * CLAIM. If one record is zeroed (its pairs contribute nothing, n stays), the whole transcript is
 * B-zCDP and sqrt(2B)-Gaussian, in both directions. If one record is replaced, it is 2 sqrt(2B)-
 * Gaussian, for the two-level ranking losses 2 sqrt(B). This is one guarantee for everybody, not a
 * smaller epsilon for small records. Do not release the charges, who is active, how many are, or
 * training losses: they are not covered.
 * Proof. Given the outputs so far, the flags of all j != i are the same in both runs, because they
 * are functions of z_j and the outputs. So the means differ by (2/N) sum over active j of gbar_ij,
 * N = n(n-1), which is predictable and has a norm of at most 2 g_i/n; the squares always sum to at
 * most 2B; pad with one Gaussian as for dppair_filter. (To charge a record for its ACTUAL pairs is
 * unsound: then its presence changes who else is dropped, and nobody is charged for that.)
 */

/* *budget: the B that gives (epsilon, delta) under this adjacency, rounded down. ranking != 0: a
 * two-level ranking loss, for which replacing a record costs half. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_individual_budget(double *budget, double epsilon,
                                                                    double delta,
                                                                    dppair_adjacency adjacency,
                                                                    int ranking) {
  double mu;
  dppair_status status;
  if (budget == NULL) return DPPAIR_ERR_NULL;
  *budget = 0.0;
  status = dppair_adjacency_records_(adjacency);
  if (status == DPPAIR_OK) status = dppair_gaussian_mu(&mu, epsilon, delta);
  if (status != DPPAIR_OK) return status;
  *budget = dppair_down_(
      dppair_down_(mu * mu / (adjacency == DPPAIR_ZERO_OUT ? 2.0 : (ranking ? 4.0 : 8.0))));
  return DPPAIR_OK;
}

/* Charges factor (norm[i]/unit)^2 to every active record, or drops the record. */
DPPAIR_API dppair_status dppair_individual_charge_(double *spent, unsigned char *active,
                                                   const double *norm, size_t n, double factor,
                                                   double unit, double sigma, double budget) {
  dppair_status status = dppair_array_(active, n);
  size_t i;
  if (status != DPPAIR_OK) return status;
  if (spent == NULL || active == NULL || norm == NULL)
    status = DPPAIR_ERR_NULL;
  else if (n < 2)
    status = DPPAIR_ERR_SIZE;
  else if (!dppair_isfinite_f64(sigma) || !(sigma > 0.0) || !dppair_isfinite_f64(unit))
    status = DPPAIR_ERR_SIGMA;
  else if (!dppair_isfinite_f64(budget) || !(budget >= 0.0))
    status = DPPAIR_ERR_DOMAIN;
  else
    status = dppair_environment_check();
  if (status != DPPAIR_OK) { /* fail closed */
    if (n > 0) memset(active, 0, n);
    return status;
  }
  for (i = 0; i < n; i++) {
    double ratio, total;
    if (!active[i]) continue;
    ratio = norm[i] / unit;
    total = dppair_isfinite_f64(ratio) && ratio >= 0.0 && spent[i] >= 0.0
                ? (spent[i] + factor * ratio * ratio) * (1.0 + 2e-15)
                : DBL_MAX;
    if (total <= budget)
      spent[i] = total;
    else
      active[i] = 0;
  }
  return DPPAIR_OK;
}

/*
 * One step of the filter: charges g[i] to every active record, or drops the record. spent[n] starts
 * at 0 and active[n] at 1; both are secret. A g[i] or spent[i] that is not a finite number >= 0
 * drops the record too. Errors: NULL, SIZE (n < 2), SIGMA (n sigma is no number, too), DOMAIN
 * (budget), ENVIRONMENT, which make all records inactive; OVERFLOW (no array has n bytes), which
 * leaves `active` alone.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_individual_step(double *spent,
                                                                  unsigned char *active,
                                                                  const double *g, size_t n,
                                                                  double sigma, double budget) {
  return dppair_individual_charge_(spent, active, g, n, 2.0, (double)n * sigma, sigma, budget);
}

/*
 * The same for a sum of vectors of one record each, as pairs made pointwise are (NAME_coeffs_from_
 * histogram), with what a record ACTUALLY adds. The statistic is the sum over active records of
 * a_i, with N(0, sigma^2 I); a_i depends on record i, on public numbers and on what was RELEASED
 * before, and norm[i] = |a_i|, as it stands in the statistic (clip(c_i v_i)/n in a mean gradient),
 * with its rounding. Each active record is charged norm[i]^2/(2 sigma^2) or dropped for good. A
 * histogram of scores is such a sum: every active record has norm 1 and sigma is the scale of its
 * noise. A dropped record leaves later histograms as well as later gradients (weight 0).
 *
 * Coefficients must come from the histogram WITH its noise. Those of its exact counts, or of all
 * pairs, depend on the other records: then a record changes what others are charged and who is
 * dropped, and nobody pays for that.
 *
 * CLAIM and budget: those of the filter above, for a loss that is not a ranking loss
 * (dppair_individual_budget, ranking = 0): with a record zeroed the transcript is sqrt(2 B)-
 * Gaussian; with one replaced by another it is 2 sqrt(2 B)-Gaussian.
 * Proof. Given the outputs so far, flags and vectors of all j != i are the same in both runs, so
 * the means differ by a_i while record i is active, and by nothing afterwards; the squares sum to
 * at most 2 B sigma^2. Where it is replaced they differ by a_i - a'_i, whose squares sum to at most
 * 2 B (1 + 1)^2 sigma^2 by Minkowski's inequality. Padding: as for dppair_filter.
 * Arguments and errors: dppair_individual_step.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_individual_sum_step(double *spent,
                                                                      unsigned char *active,
                                                                      const double *norm, size_t n,
                                                                      double sigma, double budget) {
  return dppair_individual_charge_(spent, active, norm, n, 0.5, sigma, sigma, budget);
}
