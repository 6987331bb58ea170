/* ------------------------------------------------------------------------------------------------
 * Sparse rows
 *
 * Compressed sparse rows: value[k] is the number of row i in column[k] < d, for start[i] <= k <
 * start[i+1]. Within a row the columns may have any order, each occurs at most once. start has
 * n + 1 entries, start[0] = 0. NOT PRIVATE: scores and sums of rows are raw material, as secret as
 * the records, until a release adds its noise.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* 1 if start and column describe n rows of d columns. */
DPPAIR_API int dppair_csr_ok_(const size_t *start, const uint32_t *column, size_t n, size_t d) {
  size_t i, wrong = start[0] != 0;
  for (i = 0; i < n; i++) wrong |= (size_t)(start[i] > start[i + 1]);
  if (wrong) return 0;
  for (i = 0; i < start[n]; i++) wrong |= (size_t)(column[i] >= d);
  return wrong == 0;
}

/* s[i] = <row i, w> for i < n; w has d numbers. Errors: NULL, SIZE (start decreases or does not
 * begin with 0, or a column is >= d), NOT_FINITE (w or a score) zero s; OVERFLOW (s or w
 * would be larger than any memory) may leave it as it is. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_scores_csr_f64(double *s, const size_t *start,
                                                                 const uint32_t *column,
                                                                 const double *value, size_t n,
                                                                 size_t d, const double *w) {
  dppair_status status = dppair_array_(s, n);
  size_t i, k;
  if (status != DPPAIR_OK) return status;
  if (n) memset(s, 0, n * sizeof *s);
  status = dppair_array_(w, d);
  if (status != DPPAIR_OK) return status;
  if (!start || (start[n] && (!column || !value))) return DPPAIR_ERR_NULL;
  if (!dppair_csr_ok_(start, column, n, d)) return DPPAIR_ERR_SIZE;
  if (!dppair_all_finite_f64(w, d)) return DPPAIR_ERR_NOT_FINITE;
  for (i = 0; i < n; i++)
    for (k = start[i]; k < start[i + 1]; k++) s[i] += value[k] * w[column[k]];
  return dppair_finish_(s, n);
}

/* g = X^T c: g[j] = sum over i < n of c[i] times the number of row i in column j, j < d. Errors as
 * above, with g in place of s, and ENVIRONMENT. NOT_FINITE is tested on g alone. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_combine_csr_f64(double *g, const size_t *start,
                                                                  const uint32_t *column,
                                                                  const double *value, size_t n,
                                                                  size_t d, const double *c) {
  dppair_status status = dppair_array_(g, d);
  size_t i, k;
  if (status != DPPAIR_OK) return status;
  if (d) memset(g, 0, d * sizeof *g);
  status = dppair_array_(c, n);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  if (!start || (start[n] && (!column || !value))) return DPPAIR_ERR_NULL;
  if (!dppair_csr_ok_(start, column, n, d)) return DPPAIR_ERR_SIZE;
  for (i = 0; i < n; i++)
    for (k = start[i]; k < start[i + 1]; k++) g[column[k]] += c[i] * value[k];
  return dppair_finish_(g, d);
}

DPPAIR_FP_END_
