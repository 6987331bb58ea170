/* ------------------------------------------------------------------------------------------------
 * Rounding: what arithmetic adds to a sensitivity
 *
 * For sums over pairs of rows, whatever computes their coefficients, and for X^T c. Relies on
 * core/environment.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* NAME_allowance, where the formulas are proved (pairs/template.h), for `count` rows and sums over
 * pairs whose weights are `mass` in sum, both sides added. Slopes exceed their range by at most
 * `error` at either end (below 0: nobody knows), and a coefficient is off by `chain` per partner.
 */
DPPAIR_API dppair_status dppair_allowance_by_(double *factor, double *rounding, double error,
                                              double chain, double epsilon, double count,
                                              double mass, double radius, double slope) {
  const double u = 0.5 * DBL_EPSILON;
  if (factor) *factor = 0.0;
  if (rounding) *rounding = 0.0;
  if (!factor || !rounding) return DPPAIR_ERR_NULL;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!(error >= 0.0) || !dppair_isfinite_f64(radius) || !(radius >= 0.0) ||
      !dppair_isfinite_f64(slope) || !(slope >= 0.0) || (error > 0.0 && !(slope > 0.0)))
    return DPPAIR_ERR_DOMAIN;
  if (count * u > 0.001) return DPPAIR_ERR_SIZE; /* k u/(1 - k u) < 1.01 k u */
  *rounding = 2.0 * 1.01 * radius * mass * (chain + (slope + error) * (count + 4.0) * u);
  *factor = (1.0 + (error > 0.0 ? 2.0 * error / slope : 0.0)) * (1.0 + 8.0 * epsilon);
  if (dppair_isfinite_f64(*rounding) && dppair_isfinite_f64(*factor)) return DPPAIR_OK;
  *factor = *rounding = 0.0;
  return DPPAIR_ERR_OVERFLOW;
}

/* `chain` of the pair loops, which add in a type with this epsilon: 64 additions and a sum of lanes
 * in that type, then double. */
DPPAIR_API double dppair_loops_chain_(double epsilon, double count, double slope) {
  return slope * (80.0 * 0.5 * epsilon + (count + 16.0) * (0.5 * DBL_EPSILON));
}

/*
 * NAME_allowance for m listed pairs: add *rounding to a sensitivity of what NAME_pairs_gradient,
 * NAME_form_pairs, or NAME_pairs followed by dppair_combine over n records computes.
 * size: a bound of the norm of |weight| times a pair's gradient, as computed. With a clip, that is
 * the clip times max |weight|; without one 2 radius slope max |weight|, where slope is the bound of
 * |phi'| times 1 + 8 epsilon of the element type. S takes the same factor: 4 epsilon are those of a
 * computed slope, the rest those of a rounded difference of rows.
 *
 * Proof. The gradient of a listed pair is a function of its two records: a row with a factor is
 * rounded, number by number, towards 0, so that radius bounds it too; then their difference is. The
 * sum of these is one chain of m fused multiply-adds in double, off by at most m u
 * (m size), u = 2^-53. A coefficient of NAME_pairs is off by as much, and X^T c adds n u (m size).
 * Two neighbouring data sets double that.
 *
 * Errors zero *rounding: NULL, ENVIRONMENT, DOMAIN (size negative or not finite), SIZE ((m + n) u
 * beyond 1/1000), OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_pairs_allowance_(double *rounding, size_t m,
                                                                   size_t n, double size) {
  const double u = 0.5 * DBL_EPSILON, steps = (double)m + (double)n + 16.0;
  if (!rounding) return DPPAIR_ERR_NULL;
  *rounding = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(size) || !(size >= 0.0)) return DPPAIR_ERR_DOMAIN;
  if (steps * u > 0.001) return DPPAIR_ERR_SIZE;
  *rounding = 2.0 * 1.01 * (double)m * size * steps * u;
  if (dppair_isfinite_f64(*rounding)) return DPPAIR_OK;
  *rounding = 0.0;
  return DPPAIR_ERR_OVERFLOW;
}

DPPAIR_FP_END_
