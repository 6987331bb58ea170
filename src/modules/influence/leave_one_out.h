/* ------------------------------------------------------------------------------------------------
 * Leave-one-out changes of a minimiser, for instances of double
 *
 * The pairwise influence function (Kang et al. 2021, eq. 4) and its mended forms: influence.h has
 * the formulas. All records in nearly linear time by an explicit Hessian, for few features; one
 * record, or one direction for all records, by conjugate gradients. None of it is private.
 *
 * w must be a minimiser, or nearly: where F has the gradient g, w is within |g|/ridge of it for
 * convex phi. NAME_minimiser_not_private finds one.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_TEMPLATE_F64_

DPPAIR_FP_BEGIN_

/* g = the gradient of F at w, whose scores are in l->u. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_gradient_(double *g, dppair_leave_ *l,
                                                                       const double *w) {
  size_t k;
  dppair_status status;
  DPPAIR_NAME_leave_ones_(l);
  status = DPPAIR_NAME_leave_sums_(l, 1, 1.0);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_combine_(l, g);
  for (k = 0; k < l->d; k++) g[k] += l->of->ridge * w[k];
  return status;
}

/*
 * w[0..d) = the minimiser of F, NOT PRIVATE, by Newton's method from the w that is given, with
 * steps halved until the gradient falls. It ends once |gradient| <= tolerance; *gradient is that
 * norm, of the sums that `of` asks for. For convex phi, loops and scores within the caps
 * |w - minimiser| <= *gradient/ridge; boxes add their error. A record is left out by giving the
 * rows without it; to keep N, with the ridge times n/(n-2), n counting it (pointwise n/(n-1)).
 *
 *   rows, of   n >= 3 records; renormalised and own_hessian are read for the workspace alone
 *   steps      the most Newton steps
 *
 * Errors zero w and *gradient: NULL, SIZE, DOMAIN, WORKSPACE, NO_PROOF (the loss has no curvature,
 * or the Hessian is not positive), NO_CONVERGENCE, those of dppair_scores_f64 and NAME_curvature.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_minimiser_not_private(
    double *w, double *gradient, const dppair_rows_f64 *rows, const dppair_influence *of,
    double tolerance, size_t steps, void *work, size_t bytes) {
  dppair_leave_ l;
  dppair_status status;
  size_t step, k, d;
  double norm = HUGE_VAL;
  if (gradient) *gradient = 0.0;
  if (!rows || !gradient) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_leave_open_(&l, rows, w, of, work, bytes);
  d = rows->d;
  if (status == DPPAIR_OK && !(tolerance > 0.0)) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_gradient_(l.v, &l, w);
  if (status == DPPAIR_OK) norm = dppair_norm_f64(l.v, d);
  for (step = 0; status == DPPAIR_OK && norm > tolerance; step++) {
    double *g = l.v, *move = l.v + d, *there = l.v + 2 * d, length = 1.0, next = HUGE_VAL;
    if (step >= steps) status = DPPAIR_ERR_NO_CONVERGENCE;
    if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_hessian_(&l);
    if (status == DPPAIR_OK && !dppair_cholesky_(l.l, l.h, d)) status = DPPAIR_ERR_NO_PROOF;
    if (status != DPPAIR_OK) break;
    memcpy(move, g, d * sizeof *g);
    dppair_cholesky_solve_(move, l.l, d);
    while (status == DPPAIR_OK && !(next < norm)) {
      if (length < 1e-9) status = DPPAIR_ERR_NO_CONVERGENCE;
      for (k = 0; k < d; k++) there[k] = w[k] - length * move[k];
      if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_scores_(&l, there);
      if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_gradient_(g, &l, there);
      if (status == DPPAIR_OK) next = dppair_norm_f64(g, d);
      length *= 0.5;
    }
    if (status == DPPAIR_OK) memcpy(w, there, d * sizeof *w);
    norm = next;
  }
  if (status == DPPAIR_OK)
    *gradient = norm;
  else if (w && rows->d && rows->d <= SIZE_MAX / sizeof *w)
    memset(w, 0, rows->d * sizeof *w);
  return status;
}

/* For own_hessian: the parts of all H_i, n x d and n x d (d + 1)/2 numbers. With B the sums of
 * differences over the pairs of i, entry (k, m) of H_i is xi_k B(xi_m) + xi_m B(xi_k) - B(xi_k
 * xi_m), because (a - a')(b - b') = a (b - b') + b (a - a') - (a b - a' b'). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_sketch_(dppair_leave_ *l) {
  const size_t d = l->d, each = d * (d + 1) / 2;
  size_t i, k, m, at = 0;
  dppair_status status = DPPAIR_OK;
  for (k = 0; k < d && status == DPPAIR_OK; k++) {
    DPPAIR_NAME_leave_column_(l, k, d);
    status = DPPAIR_NAME_leave_sums_(l, 2, 1.0);
    for (i = 0; i < l->n; i++) l->first_moments[i * d + k] = l->c[i];
  }
  for (k = 0; k < d; k++)
    for (m = 0; m <= k && status == DPPAIR_OK; m++, at++) {
      DPPAIR_NAME_leave_column_(l, k, m);
      status = DPPAIR_NAME_leave_sums_(l, 2, 1.0);
      for (i = 0; i < l->n; i++) l->second_moments[i * each + at] = l->c[i];
    }
  return status;
}

/* l->h = r (H_data - H_i) + ridge. */
DPPAIR_API void DPPAIR_NAME_leave_without_(dppair_leave_ *l, size_t i) {
  const size_t d = l->d, each = d * (d + 1) / 2;
  const double *first = l->first_moments + i * d, *second = l->second_moments + i * each;
  size_t k, m, at = 0;
  for (k = 0; k < d; k++)
    for (m = 0; m <= k; m++, at++) {
      const double x = DPPAIR_NAME_leave_at_(l, i, k), y = DPPAIR_NAME_leave_at_(l, i, m);
      const double own = l->scale * (x * first[m] + y * first[k] - second[at]);
      l->h[k * d + m] = l->h[m * d + k] =
          l->ratio * (l->data[k * d + m] - own) + (k == m ? l->of->ridge : 0.0);
    }
}

/* change[i * d .. + d), i < n: s_i becomes r s_i + (r - 1) ridge w, and that the solution x of h x
 * = it. *error: the largest error of a solution, as below. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_solve_(double *change, double *error,
                                                                    dppair_leave_ *l,
                                                                    const double *w) {
  const size_t d = l->d;
  const double ridge = l->of->ridge;
  double *right = l->v, *x = l->v + d, *unit = l->v + 2 * d, floor = 0.0, off;
  size_t i, k;
  const dppair_status status = DPPAIR_NAME_leave_off_(&off, l, l->of->own_hessian);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < l->n; i++) {
    double *to = change + i * d, wrong;
    if (l->of->own_hessian) DPPAIR_NAME_leave_without_(l, i);
    if (i == 0 || l->of->own_hessian) {
      if (!dppair_cholesky_(l->l, l->h, d)) return DPPAIR_ERR_NO_PROOF;
      floor = dppair_least_eigenvalue_(l->l, l->h, d, x, unit) - off;
      if (l->convex && floor < ridge) floor = ridge;
    }
    for (k = 0; k < d; k++) right[k] = to[k] = l->ratio * to[k] + (l->ratio - 1.0) * ridge * w[k];
    dppair_cholesky_solve_(to, l->l, d);
    wrong = dppair_residual_(l->h, to, right, d) + off * dppair_norm_f64(to, d) +
            DPPAIR_NAME_leave_off_slopes_(l);
    wrong = floor > 0.0 && off < HUGE_VAL ? wrong / floor : HUGE_VAL;
    if (!(wrong <= *error)) *error = wrong > *error ? wrong : HUGE_VAL;
  }
  return DPPAIR_OK;
}

/*
 * change[i * d + k], i < n, k < d = what leaving record i out does to w, NOT PRIVATE: w_-i - w to
 * first order, by the formula of influence.h that `of` names. Costs d pair sums of slopes and d of
 * curvatures, near-linear with the states of `of`, and O(n d^2); with own_hessian d (d + 3)/2 more
 * sums and O(n d^3).
 *
 * *error: each change is within this distance of what exact arithmetic and the exact slopes would
 * give: residual, boxes and rounding of the Hessian, over a proved bound of the least eigenvalue
 * (the ridge for convex phi, or for another with L_RANGE what the factor shows). The rounding of
 * the scores and of s_i is not in it, (n + 80) 2^-53 of the sizes of its terms. HUGE_VAL where no
 * bound was found, or where a score is beyond the cap of a state: the changes are then those of
 * another problem. How far H^-1 s_i is from retraining is another matter: dppair_influence_bound.
 *
 * Errors zero change and *error: NULL, SIZE (n < 3, d = 0, ld < d, more positives than records),
 * DOMAIN (risk, ridge), WORKSPACE, NO_PROOF (the loss has no curvature, or the Hessian is not
 * positive), NOT_FINITE, those of dppair_scores_f64 and NAME_curvature; with OVERFLOW (sizes)
 * change is not touched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_influence_not_private(
    double *change, double *error, const dppair_rows_f64 *rows, const double *w,
    const dppair_influence *of, void *work, size_t bytes) {
  dppair_leave_ l;
  dppair_status status;
  size_t i, k, size;
  if (error) *error = 0.0;
  if (!rows || !change || !error) return DPPAIR_ERR_NULL;
  size = dppair_area_(rows->n, rows->d);
  if (size > SIZE_MAX / sizeof *change) return DPPAIR_ERR_OVERFLOW;
  memset(change, 0, size * sizeof *change);
  status = DPPAIR_NAME_leave_open_(&l, rows, w, of, work, bytes);
  for (k = 0; k < rows->d && status == DPPAIR_OK; k++) {
    DPPAIR_NAME_leave_column_(&l, k, l.d);
    status = DPPAIR_NAME_leave_sums_(&l, 1, -1.0);
    for (i = 0; i < l.n; i++) change[i * l.d + k] = l.scale * l.c[i];
  }
  if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_hessian_(&l);
  if (status == DPPAIR_OK && of->own_hessian) status = DPPAIR_NAME_leave_sketch_(&l);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_solve_(change, error, &l, w);
  if (status == DPPAIR_OK && !dppair_all_finite_f64(change, size)) status = DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK) return status;
  *error = 0.0;
  memset(change, 0, size * sizeof *change);
  return status;
}

/* The product of the Hessian of F with v, or of r (H_data - H_i) + ridge. */
typedef struct DPPAIR_NAME_leave_product_ {
  dppair_leave_ *l;
  size_t without; /* i, or n */
} DPPAIR_NAME_leave_product_;
DPPAIR_API dppair_status DPPAIR_NAME_leave_apply_(void *context, double *out, const double *v) {
  const DPPAIR_NAME_leave_product_ *x = (const DPPAIR_NAME_leave_product_ *)context;
  dppair_leave_ *l = x->l;
  double *own = l->v + 7 * l->d;
  size_t k;
  dppair_status status = DPPAIR_NAME_leave_direction_(l, v);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_sums_(l, 2, 1.0);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_combine_(l, out);
  if (status == DPPAIR_OK && x->without < l->n) {
    status = DPPAIR_NAME_leave_pairs_of_(l, x->without, 2);
    if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_combine_(l, own);
    for (k = 0; k < l->d; k++) out[k] = l->ratio * (out[k] - own[k]);
  }
  for (k = 0; k < l->d; k++) out[k] += l->of->ridge * v[k];
  return status;
}

/* x with A x = right by conjugate gradients, A as above; *error: how far it is from exact. right:
 * not in the last 5 d numbers of l->v. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_iterate_(double *x, double *error,
                                                                      dppair_leave_ *l,
                                                                      const double *right,
                                                                      size_t without) {
  DPPAIR_NAME_leave_product_ product;
  double off;
  dppair_status status = DPPAIR_NAME_leave_off_(&off, l, without < l->n);
  if (status != DPPAIR_OK) return status;
  product.l = l;
  product.without = without;
  status =
      dppair_conjugate_(x, error, right, l->d, DPPAIR_NAME_leave_apply_, &product, l->v + 4 * l->d);
  *error = l->convex && off < HUGE_VAL ? (*error + off * dppair_norm_f64(x, l->d)) / l->of->ridge
                                       : HUGE_VAL;
  return status;
}

/* change[0..d) = what leaving record i out does to w, as NAME_influence_not_private and NOT
 * PRIVATE, for this record alone and without a Hessian, by conjugate gradients: as many pair sums
 * as steps. *error as there; HUGE_VAL unless phi is known to be convex (L_RANGE). Errors as there,
 * SIZE also for i >= n, NO_CONVERGENCE; they zero change and *error. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_influence_record_not_private(
    double *change, double *error, size_t i, const dppair_rows_f64 *rows, const double *w,
    const dppair_influence *of, void *work, size_t bytes) {
  dppair_leave_ l;
  dppair_status status;
  size_t k;
  if (error) *error = 0.0;
  if (!rows || !change || !error) return DPPAIR_ERR_NULL;
  if (rows->d > SIZE_MAX / sizeof *change) return DPPAIR_ERR_OVERFLOW;
  memset(change, 0, rows->d * sizeof *change);
  status = DPPAIR_NAME_leave_open_(&l, rows, w, of, work, bytes);
  if (status == DPPAIR_OK && i >= rows->n) status = DPPAIR_ERR_SIZE;
  if (status != DPPAIR_OK) return status;
  DPPAIR_NAME_leave_ones_(&l);
  status = DPPAIR_NAME_leave_pairs_of_(&l, i, 1);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_combine_(&l, l.v);
  for (k = 0; k < l.d; k++) l.v[k] = l.ratio * l.v[k] + (l.ratio - 1.0) * of->ridge * w[k];
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_leave_iterate_(change, error, &l, l.v, of->own_hessian ? i : l.n);
  if (status == DPPAIR_OK) return status;
  *error = 0.0;
  memset(change, 0, rows->d * sizeof *change);
  return status;
}

/*
 * along[i], i < n = q.(w_-i - w), to first order and NOT PRIVATE, for all records at once: q is the
 * gradient in w of any quantity. One solution of H p = q by conjugate gradients, then one pair sum,
 * since q.H^-1 s_i = p.s_i: nearly linear in n with the states of `of`.
 *
 * The AUC: with a second instance of dppair_sigmoid, the gradient of the AUC with each step of the
 * ROC curve smoothed over scores of size h is q = -(its NAME_gradient at w/h)/(h n+ n-). along[i]
 * is then the change of that smoothed AUC of all n+ n- pairs, those of record i included, through
 * w.
 *
 * *error: bounds |p - H^-1 q|, so along[i] is within *error times |r s_i + (r - 1) ridge w|, and by
 * the boxes' error of s_i times |p|, of q.(w_-i - w). HUGE_VAL unless phi is known to be convex.
 * own_hessian is DOMAIN. Other errors as in NAME_influence_record_not_private; they zero along and
 * *error; with OVERFLOW along is not touched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_influence_along_not_private(
    double *along, double *error, const double *q, const dppair_rows_f64 *rows, const double *w,
    const dppair_influence *of, void *work, size_t bytes) {
  dppair_leave_ l;
  dppair_status status;
  double *p, shift = 0.0;
  size_t i;
  if (error) *error = 0.0;
  if (!rows || !along || !error) return DPPAIR_ERR_NULL;
  if (rows->n > SIZE_MAX / sizeof *along) return DPPAIR_ERR_OVERFLOW;
  memset(along, 0, rows->n * sizeof *along);
  if (!q) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_leave_open_(&l, rows, w, of, work, bytes);
  if (status == DPPAIR_OK && of->own_hessian) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK && !dppair_all_finite_f64(q, rows->d)) status = DPPAIR_ERR_NOT_FINITE;
  if (status != DPPAIR_OK) return status;
  p = l.v + l.d;
  status = DPPAIR_NAME_leave_iterate_(p, error, &l, q, l.n);
  if (!(DPPAIR_NAME_leave_off_slopes_(&l) < HUGE_VAL)) *error = HUGE_VAL;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_direction_(&l, p);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_sums_(&l, 1, -1.0);
  for (i = 0; i < l.d; i++) shift += (l.ratio - 1.0) * of->ridge * w[i] * p[i];
  for (i = 0; i < l.n && status == DPPAIR_OK; i++) along[i] = l.ratio * l.scale * l.c[i] + shift;
  if (status == DPPAIR_OK && !dppair_all_finite_f64(along, l.n)) status = DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK) return status;
  *error = 0.0;
  memset(along, 0, rows->n * sizeof *along);
  return status;
}

/* q[0..d) = the gradient in w of phi of the pair (j, k), NOT PRIVATE: j a positive and k a
 * negative; of RESIDUAL any two records; POINTWISE reads j only. With
 * NAME_influence_along_not_private along[i] is the change of that pair's loss when record i is left
 * out. Errors zero q: NULL, SIZE (j or k), and as above. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_influence_pair_not_private(
    double *q, size_t j, size_t k, const dppair_rows_f64 *rows, const double *w,
    const dppair_influence *of, void *work, size_t bytes) {
  const double one = 1.0, none = 0.0;
  dppair_leave_ l;
  dppair_status status;
  double slope = 0.0, back;
  size_t m;
  if (!rows || !q) return DPPAIR_ERR_NULL;
  if (rows->d > SIZE_MAX / sizeof *q) return DPPAIR_ERR_OVERFLOW;
  memset(q, 0, rows->d * sizeof *q);
  status = DPPAIR_NAME_leave_open_(&l, rows, w, of, work, bytes);
  if (status != DPPAIR_OK) return status;
  if (of->risk == DPPAIR_INFLUENCE_POINTWISE) k = l.n;
  if (j >= l.n0 || k < l.first || k - l.first >= l.n1 || j == k) return DPPAIR_ERR_SIZE;
  status = DPPAIR_NAME_curvature(&slope, &back, l.u + j, &one, 1, l.u + k, &none, 1, 1, of->params,
                                 NULL);
  for (m = 0; m < l.d && status == DPPAIR_OK; m++)
    q[m] = slope *
           (DPPAIR_NAME_leave_at_(&l, j, m) - (k < l.n ? DPPAIR_NAME_leave_at_(&l, k, m) : 0.0));
  return status;
}

DPPAIR_FP_END_

#endif
