/* ------------------------------------------------------------------------------------------------
 * Output perturbation: the sensitivity of what gradient descent returns
 *
 * `move` is the sensitivity of the mean gradient of the data part (dppair_sensitivity, _metric);
 * smoothness and alpha are those of the FULL objective with its regulariser. Pairs may be clipped
 * where the margin is linear in the parameters: the clip then limits the slope of a convex function
 * of the margin, and leaves a smooth one smooth. Elsewhere clipped gradients belong to no convex
 * objective, and nothing here holds. Relies on sensitivity.h.
 * ---------------------------------------------------------------------------------------------- */

/* 2 - eta (a + b), rounded down: at least -3 DBL_EPSILON if eta is 2/(a + b) as computed. */
DPPAIR_API double dppair_step_gap_(double eta, double a, double b) {
  const double product = eta * (a + b);
  return (2.0 - product) - 1.5 * DBL_EPSILON * product;
}

/* The sum of `terms` powers 1 + r + r^2 + .. with r = 1 - gap, or r = 0 where the gap exceeds 1. r
 * can exceed 1 by rounding. */
DPPAIR_API double dppair_geometric_(double gap, double terms) {
  double power;
  if (terms <= 0.0) return 0.0;
  if (gap >= 1.0) return 1.0;
  power = terms * dppair_log1p_(-gap);
  if (!(gap > 0.0 || gap < 0.0)) return terms;
  return -dppair_expm1_(power) / gap * (power > 0.0 ? 1.0 + 4.0 * DBL_EPSILON * power : 1.0);
}

/* The factor by which rates that exceed 1 by rounding can enlarge a sum over `steps` steps. */
DPPAIR_API double dppair_growth_(double eta, double a, double b, size_t steps) {
  const double gap = dppair_step_gap_(eta, a, b);
  return gap < 0.0 ? dppair_exp_(-gap * (double)steps) * (1.0 + 1e-15) : 1.0;
}

/* What is released of a descent. */
typedef enum dppair_descent_output {
  DPPAIR_LAST_ITERATE = 1, /* w_T; reads alpha, smoothness, eta, steps */
  DPPAIR_MEAN_ITERATE = 2, /* the mean of w_0 .. w_T; reads smoothness, eta, steps */
  DPPAIR_MINIMISER = 3     /* what a solver found; reads alpha, tolerance */
} dppair_descent_output;

/* T = `steps` steps of projected gradient descent from a public start in a convex set, or a
 * regularised minimiser. Fields that the output does not read must be 0. */
typedef struct dppair_descent {
  dppair_descent_output output;
  double alpha;      /* strong convexity of the full objective; 0: convex */
  double smoothness; /* of the full objective */
  double eta;        /* the step size */
  double
      tolerance; /* the solver stopped where the norm of the gradient (mapping) is at most this */
  size_t steps;
} dppair_descent;

/* move eta times a sum of powers: see dppair_sensitivity_descent. */
DPPAIR_API dppair_status dppair_descent_last_(double *sensitivity, double move,
                                              const dppair_descent *d) {
  double fast, sum;
  if (d->alpha > d->smoothness) return DPPAIR_ERR_DOMAIN;
  /* both ends of the spectrum: 1 - eta alpha and eta smoothness - 1 */
  sum = dppair_geometric_(d->eta * d->alpha * (1.0 - DBL_EPSILON), (double)d->steps);
  fast = dppair_geometric_(dppair_step_gap_(d->eta, d->smoothness, 0.0), (double)d->steps);
  if (fast > sum) sum = fast;
  return dppair_sensitivity_store_(sensitivity, move * d->eta * sum * (1.0 + 1e-14));
}

/* Of iterates: the checks that both outputs share, and the sum. */
DPPAIR_API dppair_status dppair_descent_steps_(double *sensitivity, double move,
                                               const dppair_descent *d) {
  const int mean = d->output == DPPAIR_MEAN_ITERATE;
  if (d->tolerance > 0.0 || (mean && d->alpha > 0.0)) return DPPAIR_ERR_UNREAD;
  if (!dppair_isfinite_f64(d->smoothness)) return DPPAIR_ERR_NO_PROOF;
  if (!(d->smoothness > 0.0)) return DPPAIR_ERR_DOMAIN;
  if (d->eta * d->smoothness > 2.0) return DPPAIR_ERR_STEP_SIZE;
  if (!mean) return dppair_descent_last_(sensitivity, move, d);
  return dppair_sensitivity_store_(sensitivity,
                                   0.5 * move * d->eta * (double)d->steps *
                                       dppair_growth_(d->eta, d->smoothness, 0.0, d->steps));
}

/*
 * *sensitivity of what a descent returns, by its output:
 *
 *   LAST_ITERATE  move eta (1 - r^T)/(1 - r), r = max(|1 - eta alpha|, |1 - eta smoothness|), which
 *                 is move (1 - (1 - eta alpha)^T)/alpha for eta <= 2/(smoothness + alpha), and move
 *                 eta T for alpha = 0
 *   MEAN_ITERATE  convex: move eta T/2, half of the last iterate's. (For the mean of w_1 .. w_T it
 *                 would be move eta (T+1)/2.)
 *   MINIMISER     over a convex set, alpha > 0: (move + 2 tolerance)/alpha. The tolerance does not
 *                 depend on the data. With move = 4G/n this is 4G/(alpha n). Smoothness is not
 *                 needed, so hinge is covered. For m single records, kernel bound kappa and a
 *                 C_L-Lipschitz loss (Nie and Wang 2017, Theorem 2), move = 2 kappa C_L/m
 *
 * The step size is part of the proof of iterates: STEP_SIZE for eta > 2/smoothness. An eta that is
 * 2/smoothness rounded up is accepted, and the bound allows for it. For one epoch of an algorithm
 * that works through disjoint parts of the records, pass the `move` of the part's size; the epochs
 * compose in parallel (dppair_parallel_epsilon).
 * Errors: NULL, NOT_FINITE, DOMAIN; NO_PROOF: no finite smoothness (hinge); UNREAD: a field that
 * the output does not read.
 *
 * Proof. Iterates: the gradient map is r-Lipschitz, the projection 1-Lipschitz, and each step adds
 * eta move. Attained (half of Xue et al. 2021, Lemma 1, with move = 4G/n). Minimiser, from
 * first-order optimality and strong monotonicity: alpha ||w - w'||^2 <= <g'(w') - g(w'), w' - w>
 * <= move ||w - w'||.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_descent(double *sensitivity, double move, const dppair_descent *descent) {
  const dppair_descent *d = descent;
  dppair_status status = dppair_sensitivity_args_(sensitivity, 2, move, 0.0, 0.0);
  if (status != DPPAIR_OK) return status;
  if (d == NULL) return DPPAIR_ERR_NULL;
  status = dppair_sensitivity_args_(sensitivity, 2, d->alpha, d->eta, d->tolerance);
  if (status != DPPAIR_OK) return status;
  switch (d->output) {
  case DPPAIR_LAST_ITERATE:
  case DPPAIR_MEAN_ITERATE:
    return dppair_descent_steps_(sensitivity, move, d);
  case DPPAIR_MINIMISER:
    if (d->smoothness != 0.0 || d->eta > 0.0 || d->steps > 0) return DPPAIR_ERR_UNREAD;
    if (!(d->alpha > 0.0)) return DPPAIR_ERR_DOMAIN;
    return dppair_sensitivity_store_(sensitivity, (move + 2.0 * d->tolerance) / d->alpha);
  }
  return DPPAIR_ERR_DOMAIN;
}
