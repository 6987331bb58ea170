/* ------------------------------------------------------------------------------------------------
 * Coefficients of records against a histogram of scores
 *
 * A sum over partners becomes a sum over nodes. NOT PRIVATE: a coefficient depends on its record,
 * also where the histogram was released.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* c[i] of NAME_coeffs_from_histogram, whatever the numbers are. A slope is a function of a score
 * and a node, and they are added in the order of the nodes: c[i] is a function of s[i], the class
 * and the histogram alone, to the last bit. */
DPPAIR_API void DPPAIR_NAME_against_nodes_(double *c, const DPPAIR_REAL *s, size_t n,
                                           size_t positives, const double *node,
                                           const double *count, size_t nodes,
                                           const double *params) {
  double slope[64], sum;
  size_t begin = 0, end, i, k;
  for (; begin < n; begin = end) {
    const int positive = begin < positives;
    end = positive && positives - begin <= 64 ? positives : begin + 64;
    end = end < n ? end : n;
    for (i = begin; i < end; i++) c[i] = 0.0;
    for (k = 0; k < nodes; k++) {
      const DPPAIR_REAL t = (DPPAIR_REAL)node[k];
      const double weight = count[positive ? nodes + k : k];
      memset(slope, 0, sizeof slope);
      sum = 0.0;
      if (positive) {
        DPPAIR_DISPATCH_(DPPAIR_NAME_coeffs, (slope, &sum, s + begin, end - begin, &t, 1, params));
      } else {
        DPPAIR_DISPATCH_(DPPAIR_NAME_coeffs, (&sum, slope, &t, 1, s + begin, end - begin, params));
      }
      for (i = begin; i < end; i++)
        if (!dppair_is_nan_((double)s[i])) c[i] += weight * slope[i - begin];
    }
  }
}

/*
 * The coefficients of n records, s[0..positives) scores of positives, against a histogram of
 * scores of both classes on `nodes` nodes (dppair_histogram): count[0..nodes) of the positives,
 * then nodes numbers of the negatives:
 *
 *   c[i] = sum over k of count[nodes + k] phi'(s[i] - node[k])     of a positive
 *   c[i] = -sum over k of count[k] phi'(node[k] - s[i])            of a negative
 *
 * and 0 where s[i] is NaN, the score of a null record, which the histogram counts nowhere. It is
 * NAME_coeffs where the counts are exact and all scores are nodes; else within nodes' distance^2/8
 * sup |phi'''| of it per partner, and what noise in the counts adds. O(n nodes). With a histogram
 * that was released, c[i] depends on record i and on released numbers only: clip c[i] v_i, v_i the
 * gradient of its score, and the sum moves by the clip, twice where a record is replaced. Against
 * counts without noise it depends on all records.
 *
 * Errors zero c: NULL, SIZE (positives > n), NOT_FINITE (an infinite score, a node, a count or a
 * result),
 * ENVIRONMENT; OVERFLOW (no memory is that large) leaves c untouched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs_from_histogram(
    double *c, const DPPAIR_REAL *s, size_t n, size_t positives, const double *node,
    const double *count, size_t nodes, const double *params) {
  dppair_status status = dppair_zero_(c, n, NULL, 0);
  size_t i;
  if (status != DPPAIR_OK) return status;
  if (dppair_area_(nodes, 16) == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if ((!s && n) || ((!node || !count) && nodes)) return DPPAIR_ERR_NULL;
  if (positives > n) return DPPAIR_ERR_SIZE;
  for (i = 0; i < n; i++)
    if (!dppair_isfinite_f64((double)s[i]) && !dppair_is_nan_((double)s[i]))
      return DPPAIR_ERR_NOT_FINITE;
  if (!dppair_all_finite_f64(node, nodes) || !dppair_all_finite_f64(count, 2 * nodes))
    return DPPAIR_ERR_NOT_FINITE;
  status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  DPPAIR_NAME_against_nodes_(c, s, n, positives, node, count, nodes, params);
  return dppair_settle_(DPPAIR_OK, c, n, NULL, 0);
}

DPPAIR_FP_END_
