/* ------------------------------------------------------------------------------------------------
 * Domains: exact Euclidean projections
 *
 *   vectors    l2 ball   box   simplex {w >= 0, sum w = t}   l1 ball
 *   matrices   Frobenius ball (dppair_project_l2_f64 on all d*d numbers), semidefinite cone,
 *              its intersections with the Frobenius and the trace ball, spectra within [low, high]
 *
 * A projection is non-expansive, and one on a public set costs no privacy. Each function works in
 * place and zeroes w on any error: DOMAIN for a radius, total or trace below DBL_MIN, ENVIRONMENT
 * for another rounding mode, NULL and WORKSPACE for the workspace. Balls and boxes are exact: the
 * computed point lies inside. A computed semidefinite matrix has eigenvalues above -1e-13 times its
 * norm.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The checks that the projections of w[0..count) share. On an error w is zeroed, but for a count
 * that no memory has. */
DPPAIR_API dppair_status dppair_project_args_(double *w, size_t count, int parameters_ok) {
  dppair_status status = dppair_array_(w, count);
  if (status != DPPAIR_OK) return status;
  status = !parameters_ok                    ? DPPAIR_ERR_DOMAIN
           : dppair_all_finite_f64(w, count) ? dppair_environment_check()
                                             : DPPAIR_ERR_NOT_FINITE;
  if (status != DPPAIR_OK && count) memset(w, 0, count * sizeof *w);
  return status;
}
/* Whether a radius is finite and a normal number: below that products lose relative accuracy, and
 * the computed point could lie outside of the ball. */
DPPAIR_API int dppair_positive_(double x) { return dppair_isfinite_f64(x) && x >= DBL_MIN; }

/* w becomes the nearest point of the ball ||w|| <= radius, radius >= DBL_MIN. The result's norm is
 * at most radius in exact arithmetic. NOT_FINITE (w zeroed), DOMAIN for a bad radius (w zeroed). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_l2_f64(double *w, size_t d,
                                                                 double radius) {
  const dppair_status status = dppair_project_args_(w, d, dppair_positive_(radius));
  double norm;
  size_t k;
  if (status != DPPAIR_OK) return status;
  /* the computed norm and the products err by less than (d + 8) units in the last place */
  norm = dppair_norm_f64(w, d) * (1.0 + (double)(d + 8) * DBL_EPSILON);
  if (norm <= radius) return DPPAIR_OK;
  if (!dppair_isfinite_f64(norm)) {
    memset(w, 0, d * sizeof *w);
    return DPPAIR_ERR_NOT_FINITE;
  }
  for (k = 0; k < d; k++) w[k] = w[k] / norm * radius; /* radius / norm could underflow */
  return DPPAIR_OK;
}

/* w[k] held within [low, high] for k < d; low <= high, both finite. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_box_f64(double *w, size_t d, double low,
                                                                  double high) {
  const int ok = dppair_isfinite_f64(low) && dppair_isfinite_f64(high) && low <= high;
  const dppair_status status = dppair_project_args_(w, d, ok);
  size_t k;
  if (status != DPPAIR_OK) return status;
  for (k = 0; k < d; k++) w[k] = w[k] < low ? low : w[k] > high ? high : w[k];
  return DPPAIR_OK;
}

/* The t with sum over k of max(0, (w[k] - top) - t) = total > 0, for w sorted ascending and top its
 * last element. top is subtracted first, so that numbers much larger than total lose nothing. */
DPPAIR_API double dppair_simplex_threshold_(const double *w, size_t d, double total) {
  double sum = 0.0, threshold = 0.0;
  size_t k;
  for (k = d; k > 0; k--) { /* an element is kept while it is above the threshold that it causes */
    const double v = w[k - 1] - w[d - 1], next = (sum + v - total) / (double)(d - k + 1);
    if (k < d && v <= next) break;
    sum += v;
    threshold = next;
  }
  return threshold;
}

/* *bytes = the workspace of dppair_project_simplex_f64 and _l1_f64 for d numbers. Errors zero it:
 * NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_l1_workspace(size_t *bytes, size_t d) {
  return dppair_work_bytes_(bytes, d);
}

/* dppair_project_args_, then *room = the place of `needed` doubles in the workspace. */
DPPAIR_API dppair_status dppair_project_open_(double **room, size_t needed, double *w, size_t count,
                                              int parameters_ok, void *work, size_t bytes) {
  dppair_status status = dppair_project_args_(w, count, parameters_ok);
  if (status != DPPAIR_OK) return status;
  status = dppair_work_(room, needed, work, bytes);
  if (status != DPPAIR_OK && count) memset(w, 0, count * sizeof *w);
  return status;
}

/* w becomes the nearest point of {w >= 0, sum of w = total}, total > 0, d >= 1 (Held, Wolfe and
 * Crowder 1974). The computed sum is within d units in the last place of total. work: as
 * dppair_project_l1_workspace says. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_simplex_f64(double *w, size_t d,
                                                                      double total, void *work,
                                                                      size_t bytes) {
  double threshold, *sorted;
  size_t k;
  const int ok = d >= 1 && dppair_positive_(total);
  const dppair_status status = dppair_project_open_(&sorted, d, w, d, ok, work, bytes);
  if (status != DPPAIR_OK) return status;
  memcpy(sorted, w, d * sizeof *w);
  dppair_sort_f64(sorted, d);
  threshold = dppair_simplex_threshold_(sorted, d, total);
  for (k = 0; k < d; k++) {
    const double v = w[k] - sorted[d - 1];
    w[k] = v > threshold ? v - threshold : 0.0;
  }
  return dppair_project_args_(w, d, 1);
}

/* w becomes the nearest point of {sum of |w[k]| <= radius}, radius >= DBL_MIN. work: as
 * dppair_project_l1_workspace says. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_l1_f64(double *w, size_t d, double radius,
                                                                 void *work, size_t bytes) {
  const double inside = radius * (1.0 - (double)(d + 8) * DBL_EPSILON); /* room for rounding */
  double sum = 0.0, threshold, *sorted;
  size_t k;
  const dppair_status status =
      dppair_project_open_(&sorted, d, w, d, dppair_positive_(radius), work, bytes);
  if (status != DPPAIR_OK) return status;
  for (k = 0; k < d; k++) sum += sorted[k] = dppair_fabs_(w[k]);
  if (sum <= inside) return DPPAIR_OK;
  dppair_sort_f64(sorted, d);
  threshold = dppair_simplex_threshold_(sorted, d, inside);
  for (k = 0; k < d; k++) {
    const double v = dppair_fabs_(w[k]) - sorted[d - 1], size = v > threshold ? v - threshold : 0.0;
    w[k] = w[k] < 0.0 ? -size : size;
  }
  return dppair_project_args_(w, d, 1);
}

DPPAIR_FP_END_
