/* ------------------------------------------------------------------------------------------------
 * Scores of rows, and gradients of linear scores
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Sizes first, as an output of absurd size must not be touched: n rows at distance ld and d numbers
 * of 8 bytes have to be addressable. Then out (count elements of `size` bytes) is zeroed, and the
 * pointers and ld >= d are checked; `with` is the vector that goes with the rows, `terms` long. */
DPPAIR_API dppair_status dppair_linear_args_(void *out, size_t count, size_t size, const void *x,
                                             size_t n, size_t d, size_t ld, const void *with,
                                             size_t terms) {
  if (dppair_area_(dppair_area_(n, ld > 0 ? ld : 1), 8) == SIZE_MAX || d > SIZE_MAX / 8)
    return DPPAIR_ERR_OVERFLOW;
  if (!out && count) return DPPAIR_ERR_NULL;
  if (count) memset(out, 0, count * size);
  if ((!x && n && d) || (!with && terms)) return DPPAIR_ERR_NULL;
  return ld < d ? DPPAIR_ERR_SIZE : DPPAIR_OK;
}

/* OK, or NOT_FINITE with out[0..count) zeroed when a number of it is not finite. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_finish_(double *out, size_t count) {
  if (dppair_all_finite_f64(out, count)) return DPPAIR_OK;
  memset(out, 0, count * sizeof *out);
  return DPPAIR_ERR_NOT_FINITE;
}

/* s[i] = <row i of x, w> for i < n: x has n rows of d numbers, row i starts at x + i * ld, ld >= d.
 * Each score is a function of its row and w alone: one fixed order of summation, in the type of s.
 * _mixed: rows of float, the rest in double. Errors zero s: NULL, SIZE (ld < d), NOT_FINITE (w or a
 * score); OVERFLOW (n ld numbers are more than can be addressed) leaves it alone. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_scores_f64(
    double *s, const double *x, size_t n, size_t d, size_t ld, const double *w) {
  const dppair_status status = dppair_linear_args_(s, n, sizeof *s, x, n, d, ld, w, d);
  if (status != DPPAIR_OK) return status;
  if (!dppair_all_finite_f64(w, d)) return DPPAIR_ERR_NOT_FINITE;
  DPPAIR_DISPATCH_(dppair_scores_f64, (s, x, n, d, ld, w));
  return dppair_finish_(s, n);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_scores_f32(
    float *s, const float *x, size_t n, size_t d, size_t ld, const float *w) {
  const dppair_status status = dppair_linear_args_(s, n, sizeof *s, x, n, d, ld, w, d);
  if (status != DPPAIR_OK) return status;
  if (!dppair_all_finite_f32(w, d)) return DPPAIR_ERR_NOT_FINITE;
  DPPAIR_DISPATCH_(dppair_scores_f32, (s, x, n, d, ld, w));
  if (dppair_all_finite_f32(s, n)) return DPPAIR_OK;
  memset(s, 0, n * sizeof *s);
  return DPPAIR_ERR_NOT_FINITE;
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_scores_mixed(
    double *s, const float *x, size_t n, size_t d, size_t ld, const double *w) {
  const dppair_status status = dppair_linear_args_(s, n, sizeof *s, x, n, d, ld, w, d);
  if (status != DPPAIR_OK) return status;
  if (!dppair_all_finite_f64(w, d)) return DPPAIR_ERR_NOT_FINITE;
  DPPAIR_DISPATCH_(dppair_scores_mixed, (s, x, n, d, ld, w));
  return dppair_finish_(s, n);
}

/* g[k] = sum over i < n of c[i] x[i * ld + k] for k < d, summed in double: X^T c. Errors as of
 * dppair_scores, with g for s, and ENVIRONMENT; NOT_FINITE is tested on the result alone. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_combine_f64(double *g, const double *x, size_t n,
                                                              size_t d, size_t ld,
                                                              const double *c) {
  dppair_status status = dppair_linear_args_(g, d, sizeof *g, x, n, d, ld, c, n);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  DPPAIR_DISPATCH_(dppair_combine_f64, (g, x, n, d, ld, c));
  return dppair_finish_(g, d);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_combine_f32(double *g, const float *x, size_t n,
                                                              size_t d, size_t ld,
                                                              const double *c) {
  dppair_status status = dppair_linear_args_(g, d, sizeof *g, x, n, d, ld, c, n);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  DPPAIR_DISPATCH_(dppair_combine_f32, (g, x, n, d, ld, c));
  return dppair_finish_(g, d);
}

DPPAIR_FP_END_
