/* ------------------------------------------------------------------------------------------------
 * Scores of records
 *
 * Relies on model.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/*
 * s[n] = the scores of n records x, n rows of the model's d numbers. A larger score is more likely
 * positive; its unit means nothing. Any value has a score: what lies outside of a range counts as
 * its nearer end, NaN as the low one.
 *
 * Scores follow from the model, which is released, and from these records: a score may show
 * something of its record.
 *
 * Errors zero s: NULL (also fitted->map); SIZE and DOMAIN (what is no model). OVERFLOW (no memory
 * holds so many numbers) does not touch it.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_auto_score(double *s,
                                                             const dppair_auto_model *fitted,
                                                             const double *x, size_t n) {
  dppair_status status = dppair_array_(s, n);
  size_t i, j, piece;
  if (status != DPPAIR_OK || n == 0) return status;
  for (i = 0; i < n; i++) s[i] = 0.0;
  status = x == NULL ? DPPAIR_ERR_NULL : dppair_auto_model_check_(fitted);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < n; i++)
    for (j = 0; j < fitted->d; j++) {
      const dppair_auto_map *m = &fitted->map[j];
      const double part = dppair_knots_find(&piece, m->at, m->knots, x[i * fitted->d + j]);
      s[i] += dppair_knots_between(m->value, m->knots, piece, part);
    }
  return DPPAIR_OK;
}

DPPAIR_FP_END_
