/* ------------------------------------------------------------------------------------------------
 * Calibration, over whatever composition the caller can evaluate
 * ---------------------------------------------------------------------------------------------- */

/* Writes the epsilon (rounded up) of the caller's composition at this value of the parameter. */
typedef dppair_status (*dppair_epsilon_function)(double *epsilon, double value, void *context);

/* epsilon at `value`, with "no finite bound" reported as DBL_MAX. Whatever else is wrong (a delta
 * that failures use up, a sigma) is so at every value, and is the answer. */
DPPAIR_API dppair_status dppair_calibrate_try_(double *epsilon, double value,
                                               dppair_epsilon_function function, void *context) {
  dppair_status status = function(epsilon, value, context);
  if (status == DPPAIR_ERR_OVERFLOW || status == DPPAIR_ERR_NO_CONVERGENCE) {
    *epsilon = DBL_MAX;
    return DPPAIR_OK;
  }
  if (status == DPPAIR_OK && !(*epsilon >= 0.0)) return DPPAIR_ERR_NOT_FINITE;
  return status;
}

/*
 * The smallest noise whose epsilon is at most `target`: *noise is the safe end of a bracket of
 * relative width `tolerance` (1e-9, say), *epsilon what it gives. function must decrease in the
 * noise; guess > 0 starts the search. DPPAIR_ERR_NO_CONVERGENCE when no noise up to 1e30 suffices,
 * or the bracket does not close; DPPAIR_ERR_DOMAIN when any noise down to 1e-30 does: epsilon then
 * hardly depends on it. Errors of function are handed on.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_calibrate_noise(double *noise, double *epsilon,
                                                                  double target, double guess,
                                                                  double tolerance,
                                                                  dppair_epsilon_function function,
                                                                  void *context) {
  double low = 0.0, high = 0.0, e_low = DBL_MAX, e_high = 0.0, x, e, slope = -1.0;
  dppair_status status;
  int i;
  if (noise == NULL || epsilon == NULL) return DPPAIR_ERR_NULL;
  *noise = *epsilon = 0.0;
  if (function == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(target) || !dppair_isfinite_f64(guess) ||
      !dppair_isfinite_f64(tolerance))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(target > 0.0)) return DPPAIR_ERR_EPSILON;
  if (!(guess > 0.0) || !(tolerance >= 1e-14 && tolerance < 1.0)) return DPPAIR_ERR_DOMAIN;
  x = guess > 1e12 ? 1e12 : (guess < 1e-12 ? 1e-12 : guess);
  for (i = 0; i < 300; i++) {
    double next;
    status = dppair_calibrate_try_(&e, x, function, context);
    if (status != DPPAIR_OK) return status;
    if (e <= target) {
      high = x;
      e_high = e;
    } else {
      low = x;
      e_low = e;
    }
    if (high > 0.0 && high <= low * (1.0 + tolerance)) break;
    if (x > 1e30) return DPPAIR_ERR_NO_CONVERGENCE;
    if (high > 0.0 && high < 1e-30) return DPPAIR_ERR_DOMAIN;
    /* log epsilon is nearly linear in log noise: secant where both ends are known, else the last
     * slope, always stepping past the root by a little so that the bracket closes. */
    if (low > 0.0 && high > 0.0 && e_low < DBL_MAX && e_high > 0.0) {
      const double fresh = log(e_low / e_high) / log(low / high);
      if (fresh < -1e-3) slope = fresh;
    }
    if (e > 0.0 && e < DBL_MAX) {
      next = x * exp(log(target / e) / slope);
      next *= e <= target ? 1.0 - 0.4 * tolerance : 1.0 + 0.4 * tolerance;
      if (next > 16.0 * x) next = 16.0 * x;
      if (next < x / 16.0) next = x / 16.0;
    } else {
      next = e > target ? 4.0 * x : 0.25 * x;
    }
    if (low > 0.0 && high > 0.0) {
      if (i % 4 == 3 || !(next > low && next < high)) {
        /* Newton landed outside or creeps: bisect, or clip to just inside when it is close. */
        if (next >= high && next < high * (1.0 + tolerance))
          next = high * (1.0 - 0.4 * tolerance);
        else if (next <= low && next > low * (1.0 - tolerance))
          next = low * (1.0 + 0.4 * tolerance);
        else
          next = sqrt(low) * sqrt(high);
      }
    } else if (high > 0.0 && next >= high) {
      next = 0.5 * high;
    } else if (low > 0.0 && high <= 0.0 && next <= low) {
      next = 2.0 * low;
    }
    x = next;
  }
  if (!(high > 0.0 && high <= low * (1.0 + tolerance))) return DPPAIR_ERR_NO_CONVERGENCE;
  *noise = high;
  *epsilon = e_high;
  return DPPAIR_OK;
}

/*
 * The largest count (of steps, of batch records, ...) up to `most` whose epsilon is at most
 * `target`, 0 when even 1 is too many. function must increase in the count.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_calibrate_count(size_t *count, double *epsilon,
                                                                  double target, size_t most,
                                                                  dppair_epsilon_function function,
                                                                  void *context) {
  size_t low = 0, high, x = 1;
  double e, e_low = 0.0;
  dppair_status status;
  if (count == NULL || epsilon == NULL) return DPPAIR_ERR_NULL;
  *count = 0;
  *epsilon = 0.0;
  if (function == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(target)) return DPPAIR_ERR_NOT_FINITE;
  if (target < 0.0) return DPPAIR_ERR_EPSILON;
  if (most == 0 || most > SIZE_MAX / 4) return DPPAIR_ERR_SIZE;
  high = most + 1;
  while (low + 1 < high) {
    status = dppair_calibrate_try_(&e, (double)x, function, context);
    if (status != DPPAIR_OK) return status;
    if (e <= target) {
      low = x;
      e_low = e;
      x = high > most && 4 * x < high ? 4 * x : low + (high - low) / 2;
    } else {
      high = x;
      x = low + (high - low) / 2;
    }
    if (x <= low) x = low + 1;
  }
  *count = low;
  *epsilon = e_low;
  return DPPAIR_OK;
}

/* A list of steps whose multipliers are all scaled by the calibrated value: the usual composition.
 */
typedef struct dppair_plan {
  const dppair_step *steps;
  size_t count;
  double delta;
  double failure;
  double *workspace; /* for dppair_accountant_certify; NULL: Renyi orders */
  size_t workspace_doubles;
} dppair_plan;

/* A dppair_epsilon_function over a dppair_plan. Steps without noise (pure, zCDP) stay as they are;
 * a plan of nothing else has nothing to scale: DPPAIR_ERR_DOMAIN. */
DPPAIR_API dppair_status dppair_plan_epsilon(double *epsilon, double value, void *context) {
  const dppair_plan *plan = (const dppair_plan *)context;
  dppair_accountant a;
  dppair_status status;
  size_t i;
  int noisy = 0;
  if (epsilon == NULL) return DPPAIR_ERR_NULL;
  *epsilon = 0.0;
  if (plan == NULL || plan->steps == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(plan->failure)) return DPPAIR_ERR_NOT_FINITE;
  dppair_accountant_init(&a);
  for (i = 0; i < plan->count; i++) {
    dppair_step step = plan->steps[i];
    if (step.kind == DPPAIR_GAUSSIAN || step.kind == DPPAIR_LAPLACE ||
        step.kind == DPPAIR_SAMPLED_GAUSSIAN || step.kind == DPPAIR_SAMPLED_PAIRS) {
      step.noise_multiplier *= value;
      noisy = 1;
    }
    status = dppair_accountant_step(&a, &step);
    if (status != DPPAIR_OK) return status;
  }
  if (!noisy) return DPPAIR_ERR_DOMAIN;
  if (!(plan->failure <= 0.0 && plan->failure >= 0.0)) { /* 0: none; negative ones are refused */
    status = dppair_accountant_failure(&a, plan->failure);
    if (status != DPPAIR_OK) return status;
  }
  if (plan->workspace != NULL) {
    double lower, estimate;
    return dppair_accountant_certify_(epsilon, &lower, &estimate, &a, plan->delta, 0,
                                      plan->workspace, plan->workspace_doubles);
  }
  return dppair_accountant_epsilon(epsilon, &a, plan->delta);
}
