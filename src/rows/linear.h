/* ------------------------------------------------------------------------------------------------
 * Scores of rows, and gradients of linear scores
 *
 * The functions check their arguments and call rows/kernels_f64.h or kernels_f32.h on the tier of
 * this machine.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Checks sizes first: n rows at distance ld and d numbers of 8 bytes have to be addressable, or out
 * may be too large to be zeroed. Then zeroes out (count elements of `size` bytes) and checks the
 * pointers and ld >= d. `with` is the vector that multiplies the rows; it has `terms` numbers. */
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

/* OK. If a number of out[0..count) is not finite: zeroes out and returns NOT_FINITE. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_finish_(double *out, size_t count) {
  if (dppair_all_finite_f64(out, count)) return DPPAIR_OK;
  memset(out, 0, count * sizeof *out);
  return DPPAIR_ERR_NOT_FINITE;
}

/* s[i] = <row i of x, w> for i < n. x has n rows of d numbers; row i starts at x + i * ld, ld >= d.
 * The order of summation is fixed, so a score is a function of its row and w alone. Sums run in the
 * type of s. _mixed: rows of float, w and s in double.
 * Errors: NULL, SIZE (ld < d), NOT_FINITE (w or a score) zero s; OVERFLOW (n ld numbers cannot be
 * addressed) does not touch s. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_scores_f64(double *s, const double *x, size_t n,
                                                             size_t d, size_t ld, const double *w) {
  const dppair_status status = dppair_linear_args_(s, n, sizeof *s, x, n, d, ld, w, d);
  if (status != DPPAIR_OK) return status;
  if (!dppair_all_finite_f64(w, d)) return DPPAIR_ERR_NOT_FINITE;
  DPPAIR_DISPATCH_(dppair_scores_f64, (s, x, n, d, ld, w));
  return dppair_finish_(s, n);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_scores_f32(float *s, const float *x, size_t n,
                                                             size_t d, size_t ld, const float *w) {
  const dppair_status status = dppair_linear_args_(s, n, sizeof *s, x, n, d, ld, w, d);
  if (status != DPPAIR_OK) return status;
  if (!dppair_all_finite_f32(w, d)) return DPPAIR_ERR_NOT_FINITE;
  DPPAIR_DISPATCH_(dppair_scores_f32, (s, x, n, d, ld, w));
  if (dppair_all_finite_f32(s, n)) return DPPAIR_OK;
  memset(s, 0, n * sizeof *s);
  return DPPAIR_ERR_NOT_FINITE;
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_scores_mixed(double *s, const float *x, size_t n,
                                                               size_t d, size_t ld,
                                                               const double *w) {
  const dppair_status status = dppair_linear_args_(s, n, sizeof *s, x, n, d, ld, w, d);
  if (status != DPPAIR_OK) return status;
  if (!dppair_all_finite_f64(w, d)) return DPPAIR_ERR_NOT_FINITE;
  DPPAIR_DISPATCH_(dppair_scores_mixed, (s, x, n, d, ld, w));
  return dppair_finish_(s, n);
}

/* g = X^T c: g[k] = sum over i < n of c[i] x[i * ld + k] for k < d, summed in double. Rows and
 * errors as for dppair_scores, with g in place of s, and ENVIRONMENT. NOT_FINITE is tested on g
 * alone. */
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
