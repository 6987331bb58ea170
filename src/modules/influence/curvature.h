/* ------------------------------------------------------------------------------------------------
 * The second derivative's pair sums
 *
 * Sums over pairs of phi''(s - s') (t - t'), where s are scores and t the scores of a direction:
 * the product of the Hessian with it. By loops over all pairs, or in nearly linear time with a
 * prepared state: by sorting where slopes are piecewise linear, by boxes where they are analytic.
 * The same sums of phi' are the derivatives that leave a record out: leave_one_out.h.
 *
 * NOT PRIVATE: they are raw material, as secret as the records, until a release adds its noise.
 *
 * A loss without a second derivative (no L_CURVE: hinge, absolute, pinball, ramp) is NO_PROOF.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

#if DPPAIR_CURVE_

#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_
/* The plan of the boxes for the derivative of this order. The derivative of a slope
 * strength f(pi u/distance) has poles at the same places, of one order more. */
DPPAIR_API dppair_status DPPAIR_NAME_curvature_plan_(dppair_fast *f, int order,
                                                     dppair_accuracy accuracy, double cap,
                                                     const double *params) {
  dppair_poles poles = DPPAIR_LOSS_POLES(params);
  (void)params;
  if (order == 2) {
    poles.strength *= DPPAIR_BOX_PI_ / poles.distance;
    poles.order++;
  }
  return dppair_box_plan_(f, poles, accuracy, cap);
}
#endif

/* *bytes = the workspace of NAME_curvature_init for at most n records. order: 1 slopes, 2
 * curvatures. Errors zero it: NULL, DOMAIN (order, cap; of an analytic loss the accuracy and its
 * parameters too, while the sums of a sorted one are of its formula whatever they are), OVERFLOW,
 * NO_PROOF (a loss that has only the loops; they need no state). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_curvature_workspace(size_t *bytes, size_t n,
                                                                           int order,
                                                                           dppair_accuracy accuracy,
                                                                           double cap,
                                                                           const double *params) {
  (void)params;
  (void)accuracy;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (order != 1 && order != 2) return DPPAIR_ERR_DOMAIN;
#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_
  if (n > SIZE_MAX / 256) return DPPAIR_ERR_OVERFLOW;
  if (!dppair_isfinite_f64(cap) || cap <= 0.0) return DPPAIR_ERR_DOMAIN;
  *bytes = dppair_sorted_bytes_(n);
  return DPPAIR_OK;
#elif DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_
  {
    dppair_fast f;
    const dppair_status status = DPPAIR_NAME_curvature_plan_(&f, order, accuracy, cap, params);
    (void)n;
    if (status == DPPAIR_OK) *bytes = dppair_differences_doubles_(&f) * sizeof(double);
    return status;
  }
#else
  (void)n;
  (void)cap;
  return DPPAIR_ERR_NO_PROOF;
#endif
}

/* Prepares *c for sums of slopes (order 1) or curvatures (2), as NAME_fast_init does for
 * NAME_coeffs_fast: scores beyond +-cap count as the cap, the workspace must live as long as *c is
 * used, and a box's table depends neither on the data nor on the machine. On an error *c is
 * unusable, and calls with it say so: NULL, ENVIRONMENT, WORKSPACE, those of
 * NAME_curvature_workspace. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_curvature_init(dppair_curvature *c, size_t n, int order, dppair_accuracy accuracy,
                           double cap, const double *params, void *work, size_t bytes) {
  size_t needed;
  dppair_status status;
  if (!c) return DPPAIR_ERR_NULL;
  memset(c, 0, sizeof *c);
  if (!work) return DPPAIR_ERR_NULL;
  status = dppair_environment_check();
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_curvature_workspace(&needed, n, order, accuracy, cap, params);
  if (status != DPPAIR_OK) return status;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_
  c->fast.kind = DPPAIR_KIND_PIECEWISE_;
  c->fast.capacity = n;
  c->fast.score_cap = cap;
  c->fast.work = (double *)(void *)dppair_align_(work);
  c->run = dppair_sorted_run_;
#elif DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_
  {
    const dppair_poles poles = DPPAIR_LOSS_POLES(params);
    dppair_fast *f = &c->fast;
    dppair_derivative_ *phi;
    status = dppair_fma_check_();
    if (status != DPPAIR_OK) return status;
    status = DPPAIR_NAME_curvature_plan_(f, order, accuracy, cap, params);
    if (status != DPPAIR_OK) return status;
    f->table = (double *)(void *)dppair_align_(work);
    f->work = f->table + (2 * (size_t)f->reach + 1) * (size_t)(f->terms * f->stride);
    phi = order == 2 ? DPPAIR_NAME_curvatures_ : DPPAIR_NAME_slopes_;
    DPPAIR_NAME_fast_limits_(f, phi, poles.distance, params);
    DPPAIR_NAME_fast_table_(f, phi, params);
    c->run = dppair_differences_run_;
  }
#endif
  c->order = order;
  return DPPAIR_OK;
}

/*
 * The pair sums of the second derivative in the direction of t, O(np nn), or nearly linear with c:
 *
 *   a[i] = sum over j of phi''(sp[i] - sn[j]) (tp[i] - tn[j]), i < np
 *   b[j] = -sum over i of the same, j < nn
 *
 * For rows X+ and X-, s = X w and t = X v the Hessian in w of the sum of phi over all pairs, times
 * v, is X+^T a + X-^T b (dppair_combine_*): NAME_hessian. For residuals pass the same records on
 * both sides and add a and b. order 2; with order 1 the sums are those of phi' in place of phi''.
 *
 *   c   a state of this order, from NAME_curvature_init, or NULL: the loops
 *
 * Error. Loops: each term is computed from its own two records, so no records cancel; 80 u of the
 * sum of its terms' sizes, u = 2^-24 (float) or 2^-53, where a derivative that crosses 0 (the
 * second of the sigmoid and of Welsch's loss) counts as its supremum. Boxes: kernel_error times
 * |tp[i] - tn[j]| per pair, and rounding of a few hundred 2^-53 times fast.weight times the spread
 * of all t per pair. Sorting: 4 (n + 8) 2^-53 of the sizes of constant + factor u and t, both
 * counted from their middles. Which side of a knot a margin is on is decided after it was rounded
 * to the element type (loops) or to double.
 *
 * Errors zero a and b: NULL, NO_PROOF (the loss has no second derivative), DOMAIN (order),
 * WORKSPACE (a state of another order or kind, or of fewer than np + nn records), ENVIRONMENT,
 * NOT_FINITE (a score, t or a result); OVERFLOW as in NAME_coeffs.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_curvature(double *a, double *b, const DPPAIR_REAL *sp, const DPPAIR_REAL *tp, size_t np,
                      const DPPAIR_REAL *sn, const DPPAIR_REAL *tn, size_t nn, int order,
                      const double *params, const dppair_curvature *c) {
#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_
  const dppair_piece pieces[] = DPPAIR_LOSS_PIECES(params);
  const int count = (int)(sizeof pieces / sizeof *pieces);
#else
  const dppair_piece *pieces = NULL;
  const int count = 0;
#endif
  dppair_status status = dppair_zero_(a, np, b, nn);
  (void)params;
  if (status != DPPAIR_OK) return status;
  if (((!sp || !tp) && np) || ((!sn || !tn) && nn)) return DPPAIR_ERR_NULL;
  if (order != 1 && order != 2) return DPPAIR_ERR_DOMAIN;
  if (c && (!c->run || c->order != order || c->fast.kind != DPPAIR_KIND_))
    return DPPAIR_ERR_WORKSPACE;
  if (c && DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_ &&
      (np > c->fast.capacity || nn > c->fast.capacity - np))
    return DPPAIR_ERR_WORKSPACE;
  status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  if (!DPT_FINITE(tp, np) || !DPT_FINITE(tn, nn)) return DPPAIR_ERR_NOT_FINITE;
  if (np == 0 || nn == 0) return DPPAIR_OK;
  if (c) {
    status = c->run(a, b, sp, tp, np, sn, tn, nn, c, pieces, count, !DPPAIR_TEMPLATE_F64_);
  } else {
    (void)pieces;
    (void)count;
    DPPAIR_DISPATCH_(DPPAIR_NAME_curvature, (a, b, sp, tp, np, sn, tn, nn, order, params));
  }
  return dppair_settle_(status, a, np, b, nn);
}

#else /* no second derivative: the same functions, and one answer */

DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_curvature_workspace(size_t *bytes, size_t n,
                                                                           int order,
                                                                           dppair_accuracy accuracy,
                                                                           double cap,
                                                                           const double *params) {
  (void)n;
  (void)order;
  (void)accuracy;
  (void)cap;
  (void)params;
  if (bytes) *bytes = 0;
  return bytes ? DPPAIR_ERR_NO_PROOF : DPPAIR_ERR_NULL;
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_curvature_init(dppair_curvature *c, size_t n, int order, dppair_accuracy accuracy,
                           double cap, const double *params, void *work, size_t bytes) {
  (void)n;
  (void)order;
  (void)accuracy;
  (void)cap;
  (void)params;
  (void)work;
  (void)bytes;
  if (c) memset(c, 0, sizeof *c);
  return c ? DPPAIR_ERR_NO_PROOF : DPPAIR_ERR_NULL;
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_curvature(double *a, double *b, const DPPAIR_REAL *sp, const DPPAIR_REAL *tp, size_t np,
                      const DPPAIR_REAL *sn, const DPPAIR_REAL *tn, size_t nn, int order,
                      const double *params, const dppair_curvature *c) {
  const dppair_status status = dppair_zero_(a, np, b, nn);
  (void)sp;
  (void)tp;
  (void)sn;
  (void)tn;
  (void)order;
  (void)params;
  (void)c;
  return status != DPPAIR_OK ? status : DPPAIR_ERR_NO_PROOF;
}

#endif

/* *bytes = the workspace of NAME_hessian for n records. Errors zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_hessian_workspace(size_t *bytes, size_t n) {
  return dppair_work_bytes_(bytes, dppair_area_(n, 3));
}

/*
 * h[0..d) = H v, where H is the Hessian in w of the sum of phi(<x - x', w>) over all positives x
 * and negatives x': the sum of phi'' <x - x', v> (x - x'). It is neither divided nor private.
 *
 *   rows, w   as in NAME_gradient
 *   v         d numbers of the element type
 *   c         a state of order 2, or NULL: the loops
 *   work      `bytes` bytes, at least what NAME_hessian_workspace says
 *
 * Errors zero h: those of dppair_scores, NAME_curvature and dppair_combine, SIZE (more positives
 * than records), WORKSPACE.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_hessian(double *h, const DPPAIR_ROWS_ *all, const DPPAIR_REAL *w, const DPPAIR_REAL *v,
                    const double *params, const dppair_curvature *c, void *work, size_t bytes) {
  double *coefficients;
  DPPAIR_ROWS_ some, *rows = &some;
  DPPAIR_REAL *s, *t;
  size_t n, np;
  dppair_status status;
  if (!all) return DPPAIR_ERR_NULL;
  some = DPT_PRESENT(all);
  status = dppair_array_(h, rows->d);
  if (status != DPPAIR_OK) return status;
  n = rows->n;
  np = rows->positives;
  if (rows->d) memset(h, 0, rows->d * sizeof *h);
  if (all->nulls > all->n || np > n) return DPPAIR_ERR_SIZE;
  if (rows->weight) return DPPAIR_ERR_NO_PROOF;
  status = dppair_work_(&coefficients, dppair_area_(n, 3), work, bytes);
  if (status != DPPAIR_OK || n == 0) return status;
  s = (DPPAIR_REAL *)(void *)(coefficients + n);
  t = (DPPAIR_REAL *)(void *)(coefficients + 2 * n);
  status = DPT_SCORES(s, rows, w);
  if (status == DPPAIR_OK) status = DPT_SCORES(t, rows, v);
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_curvature(coefficients, coefficients + np, s, t, np, s + np, t + np,
                                   n - np, 2, params, c);
  return status == DPPAIR_OK ? DPT_COMBINE(h, rows, coefficients) : status;
}

DPPAIR_FP_END_
