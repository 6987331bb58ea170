/* ------------------------------------------------------------------------------------------------
 * Locally elastic and uniform stability, for instances of double
 *
 * How much leaving a record out moves the loss of a pair (Kang et al. 2021, Definitions 6 and 7,
 * Lemma 1, Remark 4): plug-in values from changes of w, and rigorous ones.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_TEMPLATE_F64_

DPPAIR_FP_BEGIN_

/* *total = the sum over pairs of |phi' (t - t')|. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_sizes_(double *total,
                                                                    dppair_leave_ *l) {
  *total = 0.0;
#if DPPAIR_CURVE_
  {
    const double *params = l->of->params;
    size_t i;
    DPPAIR_DISPATCH_(DPPAIR_NAME_sizes,
                     (l->a, l->b, l->u, l->t0, l->n0, l->u + l->first, l->t1, l->n1, params));
    for (i = 0; i < l->n0; i++) *total += l->a[i];
    return dppair_isfinite_f64(*total) ? DPPAIR_OK : DPPAIR_ERR_NOT_FINITE;
  }
#else
  (void)l;
  return DPPAIR_ERR_NO_PROOF;
#endif
}

/*
 * *stability from change[n][d] = w_-i - w, the estimates of NAME_influence_not_private or what
 * retraining found; NOT PRIVATE. elastic[i], if elastic is not NULL = n times the mean over pairs
 * (z', z'') of |change_i . gradient of the pair's loss|: n beta_n(z_i; ., .) to first order. Its
 * largest is the plug-in of sup over z of the mean, which Theorem 3 asks for over the whole domain:
 * an estimate.
 *   lipschitz   G of the loss of a pair (dppair_constants_find), over the domain
 *
 * O(n) sums over all pairs. `rigorous` and `uniform` need a convex phi (L_RANGE; else HUGE_VAL), a
 * minimiser w and, for G, rows within the domain: leaving record i out moves w by at most
 * |r s_i + (r - 1) ridge w|/ridge, because F_-i is ridge-strongly convex. `rigorous` is HUGE_VAL
 * where a score is beyond the cap of the slopes' state.
 *
 * Errors zero all outputs: those of NAME_influence_not_private, DOMAIN also for G.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_stability_not_private(
    dppair_stability *stability, double *elastic, const double *change, double lipschitz,
    const dppair_rows_f64 *rows, const double *w, const dppair_influence *of, void *work,
    size_t bytes) {
  dppair_leave_ l;
  dppair_status status;
  double *square, most = 0.0, n;
  size_t i, k;
  if (stability) memset(stability, 0, sizeof *stability);
  if (!rows || !stability) return DPPAIR_ERR_NULL;
  if (dppair_area_(rows->n, rows->d) > SIZE_MAX / sizeof *change) return DPPAIR_ERR_OVERFLOW;
  if (elastic && rows->n) memset(elastic, 0, rows->n * sizeof *elastic);
  if (!change) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_leave_open_(&l, rows, w, of, work, bytes);
  if (status == DPPAIR_OK)
    status = dppair_stability_uniform(&stability->uniform, l.n, of->risk, lipschitz, of->ridge,
                                      of->renormalised, dppair_norm_f64(w, l.d));
  if (status == DPPAIR_OK && !dppair_all_finite_f64(change, l.n * l.d))
    status = DPPAIR_ERR_NOT_FINITE;
  n = (double)rows->n;
  for (i = 0; i < rows->n && status == DPPAIR_OK; i++) {
    double size = 0.0, moved = n * lipschitz * dppair_norm_f64(change + i * l.d, l.d);
    status = DPPAIR_NAME_leave_direction_(&l, change + i * l.d);
    if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_sizes_(&size, &l);
    size *= n * l.scale;
    if (elastic) elastic[i] = size;
    stability->mean += size / n;
    if (moved > stability->moved) stability->moved = moved;
    if (size > stability->elastic) {
      stability->elastic = size;
      stability->record = i;
    }
  }
  square = l.zero; /* |r s_i + (r - 1) ridge w|^2 */
  for (i = 0; i < rows->n && status == DPPAIR_OK; i++) square[i] = 0.0;
  for (k = 0; k < rows->d && status == DPPAIR_OK; k++) {
    DPPAIR_NAME_leave_column_(&l, k, l.d);
    status = DPPAIR_NAME_leave_sums_(&l, 1, -1.0);
    for (i = 0; i < l.n && status == DPPAIR_OK; i++) {
      const double x = l.ratio * l.scale * l.c[i] + (l.ratio - 1.0) * of->ridge * w[k];
      square[i] += x * x;
      if (!(square[i] <= most)) most = square[i] > most ? square[i] : HUGE_VAL;
    }
  }
  if (status == DPPAIR_OK) {
    most = dppair_sqrt_(most) + DPPAIR_NAME_leave_off_slopes_(&l);
    stability->rigorous = HUGE_VAL;
    if (l.convex) /* rounding is in proportion to terms, which may cancel: those of `uniform` */
      stability->rigorous =
          n * lipschitz * most / of->ridge + (n + 300.0) * DBL_EPSILON * stability->uniform;
    if (!l.convex) stability->uniform = HUGE_VAL;
    return status;
  }
  memset(stability, 0, sizeof *stability);
  if (elastic && rows->n) memset(elastic, 0, rows->n * sizeof *elastic);
  return status;
}

DPPAIR_FP_END_

#endif
