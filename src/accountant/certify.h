/* ------------------------------------------------------------------------------------------------
 * The account, certified
 *
 * dppair_accountant_certify: a lower and an upper bound of the epsilon of everything in an account,
 * from the exact Gaussian curve, from composition (compose.h), or from Renyi orders where an
 * account cannot be composed.
 * ---------------------------------------------------------------------------------------------- */

/* Doubles of workspace that dppair_accountant_certify needs, for any account (18 megabytes). With
 * only dppair_contour_workspace(.., DPPAIR_STEP_CAPACITY + 1) it leaves the lattice route out. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_certify_workspace(size_t *doubles) {
  return dppair_compose_workspace(doubles, DPPAIR_STEP_CAPACITY + 1);
}

/* dppair_compose_epsilon, or the contour alone where the workspace allows no more. */
DPPAIR_API dppair_status dppair_certify_steps_(double *upper, double *lower, double *estimate,
                                               const dppair_step *steps, size_t count, double delta,
                                               double *workspace, size_t workspace_doubles) {
  dppair_bracket_ b;
  dppair_question_ q;
  dppair_status status;
  q.steps = steps;
  q.count = count;
  q.for_delta = 0;
  q.given = delta;
  q.workspace = workspace;
  q.workspace_doubles = workspace_doubles;
  status = dppair_compose_(upper, lower, estimate, &b.route, &q);
  if (status != DPPAIR_ERR_WORKSPACE) return status;
  status = dppair_bracket_contour_(&b, &q);
  if (status != DPPAIR_OK) return status;
  (void)dppair_bracket_improve_(&b, &q);
  dppair_bracket_write_(upper, lower, estimate, &b, &q);
  return DPPAIR_OK;
}

/* The largest epsilon below `upper` at which the curve surely exceeds delta; 0 when none. */
DPPAIR_API double dppair_gaussian_epsilon_below_(double upper, double delta, double mu) {
  const double target = log(delta);
  double gap;
  if (mu > DPPAIR_CURVE_LARGEST_) return 0.0;
  for (gap = 1e-15; gap < 1.0; gap *= 2.0) {
    const double x = upper * (1.0 - gap), log_delta = dppair_curve_(x, mu).log_delta;
    if (log_delta - dppair_curve_log_slack_(log_delta) > target + 3e-16 * fabs(target)) return x;
  }
  return 0.0;
}

/* What the true sum of mu^2 is of the account's at least. Every addition rounded it up by up to
 * 2^-51, and each term was rounded a few times. */
DPPAIR_API double dppair_gaussian_less_(const dppair_accountant *a) {
  const double less = 1.0 - 4.5e-16 * (a->additions + 16.0);
  return less > 0.0 ? less : 0.0;
}

/* mu^2 terms below 1e-300 were raised to it when they were added: a sum from here on hardly
 * noticed, a smaller one is no lower bound. */
#define DPPAIR_GAUSSIAN_LEAST_ 1e-250

DPPAIR_API dppair_status dppair_accountant_certify_(double *upper, double *lower, double *estimate,
                                                    const dppair_accountant *a, double delta,
                                                    int both, double *workspace,
                                                    size_t workspace_doubles);

/*
 * An account with zCDP steps, for which no dominating pair is known, and others; `rest` of delta is
 * left for both. *upper is the smaller of two bounds: the best Renyi order of all of it, and the
 * sum of two epsilons that share delta, the zCDP steps' from their Renyi curve and the other steps'
 * from composition. (Two interactive mechanisms that run at the same time, each (epsilon_i,
 * delta_i)- private, are (sum, sum)-private: Vadhan and Zhang 2023, concurrent composition.) Two
 * shares of delta are tried. The lower bound is that of the other steps alone.
 */
DPPAIR_API dppair_status dppair_certify_zcdp_(double *upper, double *lower, double *estimate,
                                              const dppair_accountant *a, double delta, double rest,
                                              int both, double *workspace,
                                              size_t workspace_doubles) {
  static const double shares[2] = {0.1, 1e-3};
  dppair_accountant others = *a, zcdp;
  dppair_status status = dppair_accountant_epsilon(upper, a, delta);
  double order;
  int i;
  if (status != DPPAIR_OK) *upper = HUGE_VAL;
  others.zcdp = 0.0;
  (void)dppair_accountant_init(&zcdp);
  zcdp.zcdp = a->zcdp;
  for (i = 0; i < 2; i++) {
    const double share = shares[i] * rest;
    double epsilon, high, low, ignored;
    if (!(share >= DBL_MIN)) break;
    if (dppair_accountant_epsilon_renyi(&epsilon, &order, &zcdp, share) != DPPAIR_OK) continue;
    if (dppair_accountant_certify_(&high, &low, &ignored, &others,
                                   dppair_down_(dppair_down_(delta - share)), 0, workspace,
                                   workspace_doubles) != DPPAIR_OK)
      continue;
    if (dppair_add_up_(high, epsilon) < *upper) *upper = dppair_add_up_(high, epsilon);
  }
  if (!(*upper <= DBL_MAX)) {
    *upper = 0.0;
    return status;
  }
  if (both) {
    double high, ignored;
    if (dppair_accountant_certify_(&high, lower, &ignored, &others, delta, 1, workspace,
                                   workspace_doubles) != DPPAIR_OK)
      *lower = 0.0;
    if (*lower > *upper) *lower = *upper;
  }
  *estimate = *upper;
  return DPPAIR_OK;
}

/* Takes the pure steps out of the account when there are others and the pure epsilons sum to at
 * most 1e-9. Returns that sum, which is added to the others' epsilon at the same delta. (Their
 * atoms would force all of the account on the lattice.) */
DPPAIR_API double dppair_take_negligible_(dppair_accountant *others, const dppair_accountant *a) {
  size_t i;
  if (a->folded || !(a->pure > 0.0 && a->pure <= 1e-9)) return 0.0;
  *others = *a;
  others->pure = 0.0;
  others->count = 0;
  for (i = 0; i < a->count; i++)
    if (dppair_step_is_sampled_(&a->step[i]))
      others->step[others->count++] = a->step[i];
  return others->count > 0 || a->gaussian > 0.0 || a->zcdp > 0.0 ? a->pure : 0.0;
}

/* An account of plain Gaussian steps: the exact curve, and its inverse at the lower mu and the
 * whole delta. */
DPPAIR_API dppair_status dppair_certify_gaussian_(double *upper, double *lower, double *estimate,
                                                  const dppair_accountant *a, double delta) {
  const double mu = sqrt(a->gaussian * dppair_gaussian_less_(a));
  double other;
  const dppair_status status = dppair_accountant_epsilon(upper, a, delta);
  if (status != DPPAIR_OK) return status;
  if (*upper > 0.0 && a->gaussian > DPPAIR_GAUSSIAN_LEAST_ &&
      dppair_gaussian_epsilon(&other, delta, mu) == DPPAIR_OK && other > 0.0)
    *lower = dppair_gaussian_epsilon_below_(other, delta, mu);
  *estimate = *upper;
  return DPPAIR_OK;
}

/* The lower bound of what was really run: all of delta, no failures, and no rounding of mu. The
 * Gaussian steps are the last of the list. */
DPPAIR_API double dppair_certify_below_(dppair_step *steps, size_t count,
                                        const dppair_accountant *a, double delta, double *workspace,
                                        size_t workspace_doubles) {
  const double less = dppair_gaussian_less_(a);
  double upper, lower, estimate;
  if (a->gaussian > 0.0 && less > 0.0 && a->gaussian > DPPAIR_GAUSSIAN_LEAST_)
    steps[count - 1].noise_multiplier = dppair_up_(1.0 / sqrt(a->gaussian * less));
  else if (a->gaussian > 0.0)
    count--;
  return dppair_certify_steps_(&upper, &lower, &estimate, steps, count, delta, workspace,
                               workspace_doubles) == DPPAIR_OK
             ? lower
             : 0.0;
}

/* An account whose steps all have dominating pairs, `rest` of delta being left for them: by
 * composition. */
DPPAIR_API dppair_status dppair_certify_composed_(double *upper, double *lower, double *estimate,
                                                  const dppair_accountant *a, double delta,
                                                  double rest, int both, double *workspace,
                                                  size_t workspace_doubles) {
  dppair_step steps[DPPAIR_STEP_CAPACITY + 1];
  size_t count;
  dppair_status status = dppair_accountant_steps(steps, &count, a);
  if (status != DPPAIR_OK) return status;
  status = dppair_certify_steps_(upper, lower, estimate, steps, count,
                                 a->failure > 0.0 ? dppair_down_(rest) : rest, workspace,
                                 workspace_doubles);
  if (!both) *lower = 0.0;
  if (status == DPPAIR_OK && *lower > 0.0 && (a->failure > 0.0 || a->gaussian > 0.0))
    *lower = dppair_certify_below_(steps, count, a, delta, workspace, workspace_doubles);
  return status;
}

/* dppair_accountant_certify, where both = 0 leaves *lower 0: it may cost a second composition. */
DPPAIR_API dppair_status dppair_accountant_certify_(double *upper, double *lower, double *estimate,
                                                    const dppair_accountant *a, double delta,
                                                    int both, double *workspace,
                                                    size_t workspace_doubles) {
  dppair_accountant others;
  dppair_status status;
  double rest, pure;
  if (upper == NULL || lower == NULL || estimate == NULL) return DPPAIR_ERR_NULL;
  *upper = *lower = *estimate = 0.0;
  status = dppair_accountant_rest_(&rest, a, delta);
  if (status != DPPAIR_OK) return status;
  if (!(rest >= DBL_MIN)) return DPPAIR_ERR_DELTA;
  if (dppair_accountant_is_gaussian(a))
    return dppair_certify_gaussian_(upper, lower, estimate, a, delta);
  pure = dppair_take_negligible_(&others, a);
  if (pure > 0.0) {
    status = dppair_accountant_certify_(upper, lower, estimate, &others, delta, both, workspace,
                                        workspace_doubles);
    if (status == DPPAIR_OK) {
      *upper = dppair_add_up_(*upper, pure);
      *estimate = dppair_estimate_(*upper, *lower, *estimate);
    }
    return status;
  }
  if (a->zcdp > 0.0 && !a->folded && (a->count > 0 || a->gaussian > 0.0))
    return dppair_certify_zcdp_(upper, lower, estimate, a, delta, rest, both, workspace,
                                workspace_doubles);
  status = dppair_certify_composed_(upper, lower, estimate, a, delta, rest, both, workspace,
                                    workspace_doubles);
  if (status == DPPAIR_ERR_WORKSPACE || status == DPPAIR_ERR_NULL) return status;
  if (status != DPPAIR_OK || !dppair_isfinite_f64(*upper)) { /* what the Renyi orders say */
    *lower = 0.0;
    status = dppair_accountant_epsilon(upper, a, delta);
    *estimate = *upper;
    return status;
  }
  if (dppair_accountant_is_pure_(a) && a->pure < *upper) *upper = a->pure;
  if (*lower > *upper) *lower = *upper;
  *estimate = dppair_estimate_(*upper, *lower, *estimate);
  return DPPAIR_OK;
}

/*
 * The tightest certified enclosure *lower <= epsilon <= *upper of everything in the account at this
 * delta in [DBL_MIN, 1), with the best estimate between: from the exact curve for Gaussian
 * accounts, else from numerical composition; *upper is never more than the best Renyi order or the
 * sum of pure epsilons. *lower is 0 where it is not known to be attained (dppair_compose_epsilon),
 * and where the account is beyond the reach of composition (folded steps, losses that are too
 * wide). With a failure probability, *lower is for the mechanisms without it at the whole delta.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_certify(
    double *upper, double *lower, double *estimate, const dppair_accountant *a, double delta,
    double *workspace, size_t workspace_doubles) {
  const dppair_status status =
      dppair_accountant_certify_(upper, lower, estimate, a, delta, 1, workspace, workspace_doubles);
  if (status == DPPAIR_OK && a->unattained) {
    *lower = 0.0;
    *estimate = *upper;
  }
  return status;
}
