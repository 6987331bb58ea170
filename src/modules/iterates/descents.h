/* ------------------------------------------------------------------------------------------------
 * Output perturbation: the sensitivity of what gradient descent returns
 *
 * `move` is the sensitivity of the mean gradient of the data part (dppair_sensitivity_pair_mean,
 * _rank, _metric); smoothness and alpha are those of the FULL objective with its regulariser. Pairs
 * may be clipped where the margin is linear in the parameters: the clip then limits the slope of a
 * convex function of the margin, and leaves a smooth one smooth. Elsewhere clipped gradients belong
 * to no convex objective, and nothing here holds. Relies on sensitivity.h.
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

/*
 * Last iterate of projected gradient descent, T = `steps` steps of size eta from a public start in
 * a convex set, objective alpha-strongly convex (alpha = 0: convex) and smooth:
 *
 *   move eta (1 - r^T)/(1 - r),   r = max(|1 - eta alpha|, |1 - eta smoothness|),
 *
 * which is move (1 - (1 - eta alpha)^T)/alpha for eta <= 2/(smoothness + alpha), and move eta T for
 * alpha = 0. Proof: the gradient map is r-Lipschitz, the projection 1-Lipschitz, and each step adds
 * eta move. Attained (half of Xue et al. 2021, Lemma 1, with move = 4G/n). The step size is part of
 * the proof: STEP_SIZE for eta > 2/smoothness. An eta that is 2/smoothness rounded up is accepted,
 * and the bound allows for it. NO_PROOF: no finite smoothness (hinge).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_pgd(double *sensitivity, double move,
                                                                  double alpha, double smoothness,
                                                                  double eta, size_t steps) {
  const dppair_status status = dppair_sensitivity_args_(sensitivity, 2, move, alpha, eta);
  double fast, sum;
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(smoothness)) return DPPAIR_ERR_NO_PROOF;
  if (!(smoothness > 0.0) || alpha > smoothness) return DPPAIR_ERR_DOMAIN;
  if (eta * smoothness > 2.0) return DPPAIR_ERR_STEP_SIZE;
  /* both ends of the spectrum: 1 - eta alpha and eta smoothness - 1 */
  sum = dppair_geometric_(eta * alpha * (1.0 - DBL_EPSILON), (double)steps);
  fast = dppair_geometric_(dppair_step_gap_(eta, smoothness, 0.0), (double)steps);
  if (fast > sum) sum = fast;
  return dppair_sensitivity_store_(sensitivity, move * eta * sum * (1.0 + 1e-14));
}

/*
 * Mean of the iterates w_0 .. w_T of projected gradient descent on a convex smooth objective,
 * eta <= 2/smoothness: move eta T/2, half of the last iterate's. (For the mean of w_1 .. w_T it
 * would be move eta (T+1)/2.) For one epoch of an algorithm that works through disjoint parts of
 * the records, pass the `move` of the part's size; the epochs compose in parallel
 * (dppair_parallel_epsilon). Errors: as dppair_sensitivity_pgd.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_pgd_average(
    double *sensitivity, double move, double smoothness, double eta, size_t steps) {
  const dppair_status status = dppair_sensitivity_args_(sensitivity, 2, move, eta, 0.0);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(smoothness)) return DPPAIR_ERR_NO_PROOF;
  if (!(smoothness > 0.0)) return DPPAIR_ERR_DOMAIN;
  if (eta * smoothness > 2.0) return DPPAIR_ERR_STEP_SIZE;
  return dppair_sensitivity_store_(sensitivity, 0.5 * move * eta * (double)steps *
                                                    dppair_growth_(eta, smoothness, 0.0, steps));
}

/*
 * The minimiser over a convex set of mean pair loss + regulariser, strong convexity alpha > 0:
 * (move + 2 tolerance)/alpha, where the solver stopped with a gradient (mapping) of norm <=
 * tolerance, and the tolerance does not depend on the data. Proof, from first-order optimality and
 * strong monotonicity: alpha ||w - w'||^2 <= <g'(w') - g(w'), w' - w> <= move ||w - w'||. With move
 * = 4G/n this is 4G/(alpha n). Smoothness is not needed, so hinge is covered. For m single records,
 * kernel bound kappa and a C_L-Lipschitz loss (Nie and Wang 2017, Theorem 2), move = 2 kappa C_L/m.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_erm(double *sensitivity, double move,
                                                                  double alpha, double tolerance) {
  const dppair_status status = dppair_sensitivity_args_(sensitivity, 2, move, alpha, tolerance);
  if (status != DPPAIR_OK) return status;
  if (!(alpha > 0.0)) return DPPAIR_ERR_DOMAIN;
  return dppair_sensitivity_store_(sensitivity, (move + 2.0 * tolerance) / alpha);
}
