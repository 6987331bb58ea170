/* ------------------------------------------------------------------------------------------------
 * Scores of rows, and gradients of linear scores
 *
 * The functions check their arguments and call rows/kernels_f64.h or kernels_f32.h on the tier of
 * this machine. NOT PRIVATE: scores and sums of rows are raw material, as secret as the records,
 * until a release adds its noise.
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

/*
 * Checks w, d numbers of double or float, for rows of norm at most `radius` (0: unknown).
 * NOT_FINITE; OVERFLOW when radius |w| is above 2^500 (float: 2^60). Below that no row that
 * dppair_rows_clip accepts can make a score overflow: a row with a factor f > 0 is at most radius/f
 * long, f is at least 2^-512 (float: 2^-64), and no partial sum of its products exceeds 2 |x| |w|.
 * So whether a call succeeds does not depend on such a row.
 */
DPPAIR_API dppair_status dppair_linear_reach_(const void *w, size_t d, double radius, int is_f32) {
  double size;
  if (is_f32 ? !dppair_all_finite_f32((const float *)w, d)
             : !dppair_all_finite_f64((const double *)w, d))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(radius > 0.0)) return DPPAIR_OK;
  size = is_f32 ? dppair_sqrt_(dppair_row_square_(w, d, 1)) : dppair_norm_f64((const double *)w, d);
  return radius * size <= (is_f32 ? 1e18 : 1e150) ? DPPAIR_OK : DPPAIR_ERR_OVERFLOW;
}

#define dppair_reach_f64_(w, d, radius) dppair_linear_reach_(w, d, radius, 0)
#define dppair_reach_f32_(w, d, radius) dppair_linear_reach_(w, d, radius, 1)

/* s[i] *= factor[i] for i < n, rounded once. A row whose factor is 0 has the score 0, even where
 * its product with w overflowed. */
DPPAIR_API void dppair_linear_scale_f64_(double *s, const double *factor, size_t n) {
  DPPAIR_DISPATCH_(dppair_scale_f64, (s, factor, n));
}
DPPAIR_API void dppair_linear_scale_f32_(float *s, const double *factor, size_t n) {
  DPPAIR_DISPATCH_(dppair_scale_f32, (s, factor, n));
}

/* s[i] = factor[i] <row i of x, w> for i < n; w has d numbers. The order of summation is fixed, so
 * a score is a function of its row, its factor and w alone. Sums run in the type of s.
 * Errors: NULL, SIZE (ld < d), NOT_FINITE (w or a score), OVERFLOW (radius |w| above 1e150, for
 * float 1e18) zero s; OVERFLOW (n ld numbers cannot be addressed) and NULL for rows do not touch
 * s. A row that dppair_rows_clip accepted causes none. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_scores_f64(double *s, const dppair_rows_f64 *rows,
                                                             const double *w) {
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status =
      dppair_linear_args_(s, rows->n, sizeof *s, rows->x, rows->n, rows->d, rows->ld, w, rows->d);
  if (status == DPPAIR_OK) status = dppair_linear_reach_(w, rows->d, rows->radius, 0);
  if (status != DPPAIR_OK) return status;
  DPPAIR_DISPATCH_(dppair_scores_f64, (s, rows->x, rows->n, rows->d, rows->ld, w));
  if (rows->factor) dppair_linear_scale_f64_(s, rows->factor, rows->n);
  return dppair_finish_(s, rows->n);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_scores_f32(float *s, const dppair_rows_f32 *rows,
                                                             const float *w) {
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status =
      dppair_linear_args_(s, rows->n, sizeof *s, rows->x, rows->n, rows->d, rows->ld, w, rows->d);
  if (status == DPPAIR_OK) status = dppair_linear_reach_(w, rows->d, rows->radius, 1);
  if (status != DPPAIR_OK) return status;
  DPPAIR_DISPATCH_(dppair_scores_f32, (s, rows->x, rows->n, rows->d, rows->ld, w));
  if (rows->factor) dppair_linear_scale_f32_(s, rows->factor, rows->n);
  if (dppair_all_finite_f32(s, rows->n)) return DPPAIR_OK;
  memset(s, 0, rows->n * sizeof *s);
  return DPPAIR_ERR_NOT_FINITE;
}

/* g = X^T c: g[k] = sum over i < n of c[i] factor[i] x[i * ld + k] for k < d, summed in double; the
 * product of c and the factor is rounded. Errors: NULL, SIZE (ld < d), NOT_FINITE (g), ENVIRONMENT
 * zero g; OVERFLOW (n ld numbers cannot be addressed) and NULL for rows do not touch it. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_combine_f64(double *g,
                                                              const dppair_rows_f64 *rows,
                                                              const double *c) {
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status =
      dppair_linear_args_(g, rows->d, sizeof *g, rows->x, rows->n, rows->d, rows->ld, c, rows->n);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  DPPAIR_DISPATCH_(dppair_combine_f64, (g, rows->x, rows->n, rows->d, rows->ld, c, rows->factor));
  return dppair_finish_(g, rows->d);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_combine_f32(double *g,
                                                              const dppair_rows_f32 *rows,
                                                              const double *c) {
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status =
      dppair_linear_args_(g, rows->d, sizeof *g, rows->x, rows->n, rows->d, rows->ld, c, rows->n);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  DPPAIR_DISPATCH_(dppair_combine_f32, (g, rows->x, rows->n, rows->d, rows->ld, c, rows->factor));
  return dppair_finish_(g, rows->d);
}

DPPAIR_FP_END_
