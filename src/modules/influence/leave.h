/* ------------------------------------------------------------------------------------------------
 * Leaving records out: what the functions of leave_one_out.h and stability.h share
 *
 * Every risk of dppair_influence_risk becomes a sum over pairs of phi(u - u'), u = <xi, w> +
 * offset, with xi = +-c x: IND, DIFF (c = 2) and SIGN between the classes; RESIDUAL with -x and the
 * labels as offsets, all records on both sides; POINTWISE with y x against one record that is 0.
 * All else is NAME_curvature of some t = <xi, v>.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_TEMPLATE_F64_

DPPAIR_FP_BEGIN_

/* The factor of x_i in xi_i. */
DPPAIR_API double DPPAIR_NAME_leave_sign_(const dppair_leave_ *l, size_t i) {
  switch (l->of->risk) {
  case DPPAIR_INFLUENCE_DIFF:
    return 2.0;
  case DPPAIR_INFLUENCE_RESIDUAL:
    return -1.0;
  case DPPAIR_INFLUENCE_POINTWISE:
    return i < l->rows->positives ? 1.0 : -1.0;
  default:
    return 1.0;
  }
}

/* t of the direction v. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_direction_(dppair_leave_ *l,
                                                                        const double *v) {
  size_t i;
  const dppair_status status = dppair_scores_f64(l->t, l->rows, v);
  for (i = 0; i < l->n; i++) l->t[i] *= DPPAIR_NAME_leave_sign_(l, i);
  l->t[l->n] = 0.0;
  l->t0 = l->t;
  l->t1 = l->t + l->first;
  return status;
}

/* xi_ik. */
DPPAIR_API double DPPAIR_NAME_leave_at_(const dppair_leave_ *l, size_t i, size_t k) {
  const double x = l->rows->x[i * l->rows->ld + k];
  return DPPAIR_NAME_leave_sign_(l, i) * (l->rows->factor ? l->rows->factor[i] * x : x);
}

/* t = feature k, times feature m unless that is l->d. */
DPPAIR_API void DPPAIR_NAME_leave_column_(dppair_leave_ *l, size_t k, size_t m) {
  size_t i;
  for (i = 0; i < l->n; i++) {
    l->t[i] = DPPAIR_NAME_leave_at_(l, i, k);
    if (m < l->d) l->t[i] *= DPPAIR_NAME_leave_at_(l, i, m);
  }
  l->t[l->n] = 0.0;
  l->t0 = l->t;
  l->t1 = l->t + l->first;
}

/* t = 1 on the one side and 0 on the other: then sums of differences are plain sums. */
DPPAIR_API void DPPAIR_NAME_leave_ones_(dppair_leave_ *l) {
  size_t i;
  for (i = 0; i <= l->n; i++) {
    l->t[i] = 1.0;
    l->zero[i] = 0.0;
  }
  l->t0 = l->t;
  l->t1 = l->zero + l->first;
}

/* c[i] = the sums of record i over its pairs; those of its places on the second side times sign.
 * Sign 1 makes coefficients of xi; of order 1 sign -1 makes s_i in the direction of t. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_sums_(dppair_leave_ *l, int order,
                                                                   double sign) {
  size_t i;
  const dppair_status status =
      DPPAIR_NAME_curvature(l->a, l->b, l->u, l->t0, l->n0, l->u + l->first, l->t1, l->n1, order,
                            l->of->params, order == 2 ? l->of->curves : l->of->slopes);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < l->n; i++) l->c[i] = i < l->n0 ? l->a[i] : 0.0;
  for (i = 0; i < l->n1 && l->first + i < l->n; i++) l->c[l->first + i] += sign * l->b[i];
  return DPPAIR_OK;
}

/* c = the coefficients of xi in the sum over the pairs of record `one` alone, by the loops. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_pairs_of_(dppair_leave_ *l, size_t one,
                                                                       int order) {
  const double *const u1 = l->u + l->first;
  double own;
  size_t i;
  dppair_status status = DPPAIR_OK;
  for (i = 0; i < l->n; i++) l->c[i] = 0.0;
  if (one < l->n0) {
    status = DPPAIR_NAME_curvature(&own, l->b, l->u + one, l->t0 + one, 1, u1, l->t1, l->n1, order,
                                   l->of->params, NULL);
    if (status != DPPAIR_OK) return status;
    l->c[one] += own;
    for (i = 0; i < l->n1 && l->first + i < l->n; i++) l->c[l->first + i] += l->b[i];
  }
  if (one >= l->first) {
    const size_t at = one - l->first;
    status = DPPAIR_NAME_curvature(l->a, &own, l->u, l->t0, l->n0, u1 + at, l->t1 + at, 1, order,
                                   l->of->params, NULL);
    if (status != DPPAIR_OK) return status;
    l->c[one] += own;
    for (i = 0; i < l->n0; i++) l->c[i] += l->a[i];
  }
  return DPPAIR_OK;
}

/* out = scale times the sum of c_i xi_i. c is changed. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_combine_(dppair_leave_ *l,
                                                                      double *out) {
  size_t i;
  dppair_status status;
  for (i = 0; i < l->n; i++) l->c[i] *= DPPAIR_NAME_leave_sign_(l, i);
  status = dppair_combine_f64(out, l->rows, l->c);
  for (i = 0; i < l->d; i++) out[i] *= l->scale;
  return status;
}

/* Sets the arrays of *l to their places; returns the bytes used, SIZE_MAX on overflow. */
DPPAIR_API size_t DPPAIR_NAME_leave_layout_(dppair_leave_ *l, char *base, size_t n, size_t d,
                                            int own) {
  const size_t square = dppair_area_(d, d), size = sizeof(double);
  size_t used = 0;
  if (n > SIZE_MAX / 64 || d > SIZE_MAX / 64) return SIZE_MAX;
  l->u = (double *)dppair_take_(base, &used, n + 1, size);
  l->t = (double *)dppair_take_(base, &used, n + 1, size);
  l->zero = (double *)dppair_take_(base, &used, n + 1, size);
  l->a = (double *)dppair_take_(base, &used, n + 1, size);
  l->b = (double *)dppair_take_(base, &used, n + 1, size);
  l->c = (double *)dppair_take_(base, &used, n + 1, size);
  l->data = (double *)dppair_take_(base, &used, square, size);
  l->h = (double *)dppair_take_(base, &used, square, size);
  l->l = (double *)dppair_take_(base, &used, square, size);
  l->v = (double *)dppair_take_(base, &used, 8 * d, size);
  l->first_moments = (double *)dppair_take_(base, &used, own ? dppair_area_(n, d) : 0, size);
  l->second_moments = (double *)dppair_take_(
      base, &used, own ? dppair_area_(n, dppair_area_(d, d + 1)) / 2 : 0, size);
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* *bytes = the workspace of the functions of leave_one_out.h and stability.h, for n records of d
 * features: about 6 n + 3 d^2 numbers, and with own_hessian n d (d + 3)/2 more. Errors zero it:
 * NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_influence_workspace(size_t *bytes, size_t n, size_t d, const dppair_influence *of) {
  dppair_leave_ l;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (!of) return DPPAIR_ERR_NULL;
  *bytes = DPPAIR_NAME_leave_layout_(&l, NULL, n, d, of->own_hessian);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* u at w, or at the previous w of *l where it was changed. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_scores_(dppair_leave_ *l,
                                                                     const double *w) {
  size_t i;
  const dppair_status status = dppair_scores_f64(l->u, l->rows, w);
  if (status != DPPAIR_OK) return status;
  l->farthest = 0.0;
  for (i = 0; i < l->n; i++) {
    l->u[i] *= DPPAIR_NAME_leave_sign_(l, i);
    if (l->of->risk == DPPAIR_INFLUENCE_RESIDUAL) l->u[i] += l->rows->y[i];
    if (!(dppair_fabs_(l->u[i]) <= l->farthest)) l->farthest = dppair_fabs_(l->u[i]);
  }
  l->u[l->n] = 0.0;
  return DPPAIR_OK;
}

/* Checks, layout, scores. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_open_(dppair_leave_ *l,
                                                                   const dppair_rows_f64 *rows,
                                                                   const double *w,
                                                                   const dppair_influence *of,
                                                                   void *work, size_t bytes) {
  const int residual = of && of->risk == DPPAIR_INFLUENCE_RESIDUAL;
  const int point = of && of->risk == DPPAIR_INFLUENCE_POINTWISE;
  double n, least;
  size_t needed, i, k;
  dppair_status status;
  memset(l, 0, sizeof *l);
  if (!of || !w || !work || !rows->x || (residual && !rows->y)) return DPPAIR_ERR_NULL;
  if ((unsigned)of->risk > (unsigned)DPPAIR_INFLUENCE_POINTWISE || !(of->ridge > 0.0) ||
      !dppair_isfinite_f64(of->ridge))
    return DPPAIR_ERR_DOMAIN;
  if (rows->n < 3 || rows->d == 0 || rows->ld < rows->d || rows->positives > rows->n)
    return DPPAIR_ERR_SIZE;
  if (rows->weight || rows->nulls) return DPPAIR_ERR_NO_PROOF;
  status = DPPAIR_NAME_influence_workspace(&needed, rows->n, rows->d, of);
  if (status != DPPAIR_OK) return status;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
  if (residual && !dppair_all_finite_f64(rows->y, rows->n)) return DPPAIR_ERR_NOT_FINITE;
  (void)DPPAIR_NAME_leave_layout_(l, dppair_align_(work), rows->n, rows->d, of->own_hessian);
  l->rows = rows;
  l->of = of;
  l->n = rows->n;
  l->d = rows->d;
  l->n0 = residual || point ? l->n : rows->positives;
  l->first = residual ? 0 : l->n0;
  l->n1 = residual ? l->n : point ? 1 : l->n - l->n0;
  n = (double)l->n;
  least = point ? 1.0 : 2.0; /* pairs of a record count twice in the sum of all s_i */
  l->scale = point ? 1.0 / n : 1.0 / (n * (n - 1.0));
  if (of->risk == DPPAIR_INFLUENCE_DIFF || of->risk == DPPAIR_INFLUENCE_SIGN) l->scale *= 2.0;
  l->ratio = of->renormalised ? n / (n - least) : 1.0;
#if defined(DPPAIR_HAVE_LOSSES_) && DPPAIR_RANGE_ == 2
  {
    const dppair_loss_facts facts = DPPAIR_SLOPE_FACTS_(DPPAIR_LOSS);
    l->convex = (facts.flags & DPPAIR_IS_CONVEX) != 0;
  }
#endif
  for (i = 0; i < l->n; i++) {
    double square = 0.0;
    for (k = 0; k < l->d; k++) {
      const double x = DPPAIR_NAME_leave_at_(l, i, k);
      square += x * x;
    }
    l->longest = square > l->longest ? square : l->longest;
  }
  l->longest = dppair_sqrt_(l->longest) * (1.0 + 4.0 * (double)l->d * DBL_EPSILON);
  return DPPAIR_NAME_leave_scores_(l, w);
}

/* l->data = the Hessian of the first part of F, of which l->h has the ridge too. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_hessian_(dppair_leave_ *l) {
  const size_t d = l->d;
  size_t i, k;
  for (k = 0; k < d; k++) {
    dppair_status status;
    DPPAIR_NAME_leave_column_(l, k, d);
    status = DPPAIR_NAME_leave_sums_(l, 2, 1.0);
    if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_combine_(l, l->data + k * d);
    if (status != DPPAIR_OK) return status;
  }
  for (i = 0; i < d; i++)
    for (k = 0; k <= i; k++)
      l->data[i * d + k] = l->data[k * d + i] = 0.5 * (l->data[i * d + k] + l->data[k * d + i]);
  for (i = 0; i < d * d; i++) l->h[i] = l->data[i] + (i % (d + 1) == 0 ? l->of->ridge : 0.0);
  return DPPAIR_OK;
}

/* *off = how far the Hessian as it is summed is from that of phi at these scores, in norm: the
 * boxes' error for each pair, and rounding in proportion to the sizes |phi''| |xi|^2 that are
 * added, since those of records far from 0 cancel. own: the same for r (H_data - H_i). HUGE_VAL
 * where a score is beyond the cap of the state. A phi'' that crosses 0 is rounded in proportion to
 * its supremum; where phi is not known to be convex that counts for all pairs, HUGE_VAL without
 * L_RANGE. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_off_(double *off, dppair_leave_ *l,
                                                                  int own) {
  const dppair_curvature *c = l->of->curves;
  const double pairs = (double)l->n0 * (double)l->n1, v = 2.0 * l->longest, u = DBL_EPSILON;
  const double each = c ? c->fast.kernel_error + 400.0 * u * c->fast.weight : 0.0;
  double sizes = HUGE_VAL;
  size_t i;
  *off = HUGE_VAL;
  if (c && l->farthest > c->fast.score_cap) return DPPAIR_OK;
  if (l->convex) {
    dppair_status status;
    DPPAIR_NAME_leave_ones_(l);
    status = DPPAIR_NAME_leave_sums_(l, 2, 1.0);
    if (status != DPPAIR_OK) return status;
    for (i = 0, sizes = 0.0; i < l->n0; i++) sizes += dppair_fabs_(l->a[i]);
  }
#if defined(DPPAIR_HAVE_LOSSES_) && DPPAIR_RANGE_ == 2
  else {
    const dppair_loss_facts facts = DPPAIR_SLOPE_FACTS_(DPPAIR_LOSS);
    const double remote = 2.0 * l->farthest + 1.0;
    const dppair_margins margins = {-remote, remote, -remote, remote, NULL};
    dppair_range range = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    facts.range(&range, &margins, l->of->params);
    if (range.curvature < HUGE_VAL) sizes = pairs * range.curvature;
  }
#endif
  if (!(sizes < HUGE_VAL)) return DPPAIR_OK;
  *off = l->scale * v * v * (pairs * each + ((double)l->n + 300.0) * u * sizes);
  if (own) *off *= 2.0 * l->ratio;
  return DPPAIR_OK;
}

/* The same of s_i: of its at most n pairs, by the error of the boxes. */
DPPAIR_API double DPPAIR_NAME_leave_off_slopes_(const dppair_leave_ *l) {
  const dppair_curvature *c = l->of->slopes;
  const double pairs = l->of->risk == DPPAIR_INFLUENCE_POINTWISE ? 1.0 : 2.0 * (double)l->n;
  if (!c) return 0.0;
  if (l->farthest > c->fast.score_cap) return HUGE_VAL;
  return l->ratio * l->scale * pairs * 2.0 * l->longest *
         (c->fast.kernel_error + 400.0 * DBL_EPSILON * c->fast.weight);
}

DPPAIR_FP_END_

#endif
