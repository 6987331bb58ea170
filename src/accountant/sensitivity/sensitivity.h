/* ------------------------------------------------------------------------------------------------
 * Sensitivities by hand
 *
 * A sensitivity is the largest l2 distance between the values of a statistic on two neighbouring
 * data sets. Each bound here has its proof. n, the number of records, is public. Relies on steps.h.
 *
 * Which function? If an instance of dppair.h computes the gradient, use NAME_sensitivity: it knows
 * the loss, the batch, the clip and all rounding. If your own code sums over pairs, use
 * dppair_sensitivity (pairs.h). The others are for statistics of another form: metrics, means that
 * are clipped for each record, queries, groups, items with several owners.
 *
 * A bound of a pair's gradient must hold at every point where a gradient is evaluated. Noisy
 * iterates leave a ball unless they are projected back, so a bound that holds on a ball only needs
 * the projection, or a clip per pair. Logistic and hinge slopes are bounded everywhere. The
 * regulariser is the same on both data sets and cancels.
 *
 * A computed gradient differs from the exact one by rounding: add twice its certified error to the
 * sensitivity of the release. Results here are rounded up. Arguments are 0 or in [1e-90, 1e90].
 * Errors of all functions: NULL, NOT_FINITE, DOMAIN (an argument), SIZE (n < 2), ADJACENCY,
 * OVERFLOW, ENVIRONMENT.
 *
 * Sums over (positive, negative) pairs alone are divided by n(n-1) too. Divided by n+ n-, with
 * private labels, they have no bound that shrinks with n: with one positive, replacing it changes
 * every pair.
 * ---------------------------------------------------------------------------------------------- */

/* *out = value rounded up, where value is a few roundings to nearest away from its formula. */
DPPAIR_API dppair_status dppair_sensitivity_store_(double *out, double value) {
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  value *= 1.0 + 2e-15;
  if (!dppair_isfinite_f64(value)) return DPPAIR_ERR_OVERFLOW;
  *out = value;
  return DPPAIR_OK;
}

/* Is x 0 or in [1e-90, 1e90]? Products of a few such numbers stay normal, so that a relative slack
 * rounds them up; with smaller ones a product would be 0 or lose its digits. */
DPPAIR_API int dppair_ordinary_(double x) { return !(x > 0.0) || (x >= 1e-90 && x <= 1e90); }

/* Are a, b and c finite, >= 0 and ordinary, and is n >= 2? Zeroes *out. */
DPPAIR_API dppair_status dppair_sensitivity_args_(double *out, size_t n, double a, double b,
                                                  double c) {
  if (out == NULL) return DPPAIR_ERR_NULL;
  *out = 0.0;
  if (!dppair_isfinite_f64(a) || !dppair_isfinite_f64(b) || !dppair_isfinite_f64(c))
    return DPPAIR_ERR_NOT_FINITE;
  if (a < 0.0 || b < 0.0 || c < 0.0) return DPPAIR_ERR_DOMAIN;
  if (!dppair_ordinary_(a) || !dppair_ordinary_(b) || !dppair_ordinary_(c))
    return DPPAIR_ERR_DOMAIN;
  return n < 2 ? DPPAIR_ERR_SIZE : DPPAIR_OK;
}

/*
 * Gradient (in W, Frobenius norm) of the metric-learning risk with margin yy'(1 - M_W(x, x')),
 * normalised by n(n-1), rows ||x|| <= radius, V = 4 radius^2; phi convex and non-increasing, or the
 * square. slope_same and slope_opposite bound |phi'| over the margins that pairs of equal and of
 * opposite labels reach: |phi'(1 - V B)| and |phi'(-1)| for positive semidefinite ||W|| <= B,
 * |phi'(1 - V B)| and |phi'(-1 - V B)| for symmetric W. The margins are those that are computed, so
 * both ends need room (float: 2^-10 of the largest; a projected W has eigenvalues just below 0),
 * and where phi' jumps at an end, both sides count; dppair_constants_find does this.
 *
 *   replaced  2 V (slope_same + slope_opposite)/n
 *   zeroed    2 V max(slope_same, slope_opposite)/n
 *
 * Proof: with the partner fixed, equal labels give +a v v^T and opposite ones -b w w^T, and two
 * members of one family differ by at most V sup slope (||a v v^T - b w w^T||_F <= s V for v, w in
 * B(-x',R)).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_metric(double *sensitivity, double radius, double slope_same,
                          double slope_opposite, size_t n, dppair_adjacency adjacency) {
  const double v = 4.0 * radius * radius;
  double move;
  dppair_status status =
      dppair_sensitivity_args_(sensitivity, n, radius, slope_same, slope_opposite);
  if (status == DPPAIR_OK) status = dppair_adjacency_records_(adjacency);
  if (status != DPPAIR_OK) return status;
  move = adjacency == DPPAIR_REPLACE_ONE
             ? slope_same + slope_opposite
             : (slope_same > slope_opposite ? slope_same : slope_opposite);
  return dppair_sensitivity_store_(sensitivity, 2.0 * v * move / (double)n);
}

/*
 * (1/n) sum_i clip_R( mean over j of g_ij ), each ||g_ij|| <= C = pair_clip. Replacing a record
 * moves its own term by 2R and every other one by min(2R, 2C/(n-1)), so [2R + (n-1) min(2R,
 * 2C/(n-1))]/n; zeroing one moves them by R and min(2R, C/(n-1)), as a clipped term can still turn
 * around. pair_clip = 0 means unclipped pairs: then the other n-1 terms move by 2R each, and the
 * bound does not shrink with n.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_record_clip(double *sensitivity, double record_clip, double pair_clip, size_t n,
                               dppair_adjacency adjacency) {
  const double times = adjacency == DPPAIR_REPLACE_ONE ? 2.0 : 1.0;
  double other = 2.0 * record_clip, touched;
  dppair_status status = dppair_sensitivity_args_(sensitivity, n, record_clip, pair_clip, 0.0);
  if (status == DPPAIR_OK) status = dppair_adjacency_records_(adjacency);
  if (status != DPPAIR_OK) return status;
  touched = times * pair_clip / (double)(n - 1);
  if (pair_clip > 0.0 && touched < other) other = touched;
  return dppair_sensitivity_store_(sensitivity,
                                   (times * record_clip + (double)(n - 1) * other) / (double)n);
}
