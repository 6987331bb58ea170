/* ------------------------------------------------------------------------------------------------
 * Top-weighted ranking: losses that count the top of the list more
 *
 * A dppair_top says which loss of the pairs' phi:
 *
 *   PARTIAL    the sum of phi(s_i - s_j) over the m lowest positives i and the k highest negatives
 *              j. All positives: the one-way partial AUC; all of both: NAME_coeffs. k and m are
 *              public counts, never shares of a class, whose size is private
 *   PUSH       the sum over the negatives j of H_j^r, H_j = the sum over the positives i of
 *              phi(s_i - s_j), divided by n - 1; n counts all records. The p-norm push (Rudin
 *              2009), r = `power`; r = 1: the plain sum over n - 1
 *   PRECISION  the sum over the positives i of A_i/(A_i + B_i): A_i is the sum of phi(s_i - s_k)
 *              over the negatives k, B_i over the positives, i too. With the number of errors for
 *              phi it is what average precision misses of 1, times the positives (Qi et al. 2021)
 *   NDCG       pairs of a query weighted by what exchanging them does to NDCG: ranks.h
 *
 * Costs for n records: a selection in O(n), at worst O(n log n), or sums of phi (values.h); and
 * one, for PRECISION two, weighted calls of what the options choose, on what is selected. So with a
 * prepared state PARTIAL, PUSH and PRECISION are near-linear; they are exact but for rounding if
 * the slope of the loss is piecewise linear, else within kernel_error per pair for slopes, and
 * within values.h's figure for values. With loops they take O(k m), O(n+ n-), O(n+ n).
 *
 * Ties. Records that tie at the edge of a selection share the places that are left: each has the
 * weight (places left)/(records that tie). So no order of the rows matters, and the coefficients
 * are the mean over all orders in which the ties could be broken; the proofs (sensitivity.h) use
 * that.
 *
 * A selection meets the records that no linear score puts in place. A convex phi then follows them
 * most; a bounded one (the sigmoid), from a w that was trained on all pairs, less. Measured on
 * Adult, the 5 % highest negatives, area to a false positive rate of 0.1: sigmoid 0.43 against 0.39
 * by all pairs, logistic 0.43 against 0.44. With privacy S grows as n/k: all pairs were better at
 * epsilon 1.
 *
 * Public functions are written NAME_x in comments and DPPAIR_NAME_x in the code. NOT PRIVATE, as
 * all coefficients: NAME_release_top adds noise.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Does the state round scores, as NAME_sums_init of a piecewise linear loss does? */
DPPAIR_API int DPPAIR_NAME_top_grid_(const dppair_options *options) {
  return DPPAIR_KIND_ != DPPAIR_KIND_ANALYTIC_ && options->fast && options->fast->order_free;
}

/* Lays it out at base (NULL: counts only), and returns the bytes; SIZE_MAX on overflow. */
DPPAIR_API size_t DPPAIR_NAME_top_layout_(DPPAIR_NAME_top_room_ *room, char *base, size_t n,
                                          const dppair_top *top, const dppair_options *options) {
  const int ranks = top->kind == DPPAIR_TOP_NDCG;
  const int values = top->kind == DPPAIR_TOP_PUSH || top->kind == DPPAIR_TOP_PRECISION;
  const int boxes = values && options->fast && options->fast->kind == DPPAIR_KIND_ANALYTIC_;
  const size_t each = boxes ? 3 * (size_t)options->fast->terms + 1 : 0;
  size_t used = 0;
  room->c = (double *)dppair_take_(base, &used, n, sizeof(double));
  room->weight = (double *)dppair_take_(base, &used, n, sizeof(double));
  room->key = (double *)dppair_take_(base, &used, n, sizeof(double));
  room->second = (double *)dppair_take_(base, &used, n, sizeof(double));
  room->wide = (double *)dppair_take_(base, &used, boxes ? n : 0, sizeof(double));
  room->boxes = (double *)dppair_take_(
      base, &used, boxes ? dppair_area_(options->fast->capacity, each) : 0, sizeof(double));
  room->s = (DPPAIR_REAL *)dppair_take_(base, &used, n, sizeof(DPPAIR_REAL));
  room->held = (DPPAIR_REAL *)dppair_take_(base, &used, n, sizeof(DPPAIR_REAL));
  room->i = (size_t *)dppair_take_(base, &used, ranks ? n : 0, sizeof(size_t));
  room->j = (size_t *)dppair_take_(base, &used, ranks ? n : 0, sizeof(size_t));
  room->order = (size_t *)dppair_take_(base, &used, ranks ? n : 0, sizeof(size_t));
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* Checks what does not depend on a record, for n records, and lays *room out. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_open_(DPPAIR_NAME_top_room_ *room,
                                                                 size_t n, const dppair_top *top,
                                                                 const dppair_options *options) {
  size_t bytes;
  dppair_status status = dppair_top_check_(top);
  if (status != DPPAIR_OK) return status;
  if (options->clip && top->kind != DPPAIR_TOP_NDCG) return DPPAIR_ERR_NO_PROOF;
  if (options->groups && top->kind != DPPAIR_TOP_NDCG) return DPPAIR_ERR_NO_PROOF;
  if (DPPAIR_NAME_top_grid_(options)) return DPPAIR_ERR_NO_PROOF;
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  /* positives meet each other in PRECISION: twice as many scores */
  if (options->fast && top->kind != DPPAIR_TOP_NDCG) {
    status = DPPAIR_NAME_fast_state_(options->fast, options->params);
    if (status == DPPAIR_OK &&
        options->fast->most / (top->kind == DPPAIR_TOP_PRECISION ? 2 : 1) < n)
      status = DPPAIR_ERR_WORKSPACE;
    if (status != DPPAIR_OK) return status;
  }
#endif
  bytes = DPPAIR_NAME_top_layout_(room, NULL, n, top, options);
  if (bytes == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if (!options->work) return DPPAIR_ERR_NULL;
  if (options->bytes < bytes) return DPPAIR_ERR_WORKSPACE;
  (void)DPPAIR_NAME_top_layout_(room, dppair_align_(options->work), n, top, options);
  return dppair_environment_check();
}

/* Appends the scores of one side that its cut leaves, with their weights. Returns how many;
 * *shared: one of them has a share. sign -1: the lowest count. */
DPPAIR_API size_t DPPAIR_NAME_top_select_(DPPAIR_REAL *out, double *weight, int *shared,
                                          const DPPAIR_REAL *s, size_t n,
                                          const dppair_top_cut_ *cut, double sign) {
  size_t count = 0, i;
  for (i = 0; i < n; i++) {
    const double w = dppair_top_weight_(cut, sign * (double)s[i]);
    if (!(w > 0.0)) continue;
    *shared |= w < 1.0;
    out[count] = s[i];
    weight[count++] = w;
  }
  return count;
}

/* c[i] = the next of the coefficients of those that the cut leaves; 0 for others. */
DPPAIR_API void DPPAIR_NAME_top_spread_(double *c, const double *from, const DPPAIR_REAL *s,
                                        size_t n, const dppair_top_cut_ *cut, double sign) {
  size_t i;
  for (i = 0; i < n; i++) c[i] = dppair_top_weight_(cut, sign * (double)s[i]) > 0.0 ? *from++ : 0.0;
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_partial_(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn, size_t nn,
    const dppair_top *top, const dppair_options *options, const DPPAIR_NAME_top_room_ *room) {
  const double *w[2];
  dppair_top_cut_ low, high;
  size_t kp, kn, i;
  int shared = 0;
  dppair_status status;
  for (i = 0; i < np; i++) room->key[i] = -(double)sp[i];
  low = dppair_top_cut_find_(room->key, room->c, np, top->positives);
  for (i = 0; i < nn; i++) room->key[i] = (double)sn[i];
  high = dppair_top_cut_find_(room->key, room->c, nn, top->negatives);
  kp = DPPAIR_NAME_top_select_(room->s, room->weight, &shared, sp, np, &low, -1.0);
  w[0] = room->weight;
  w[1] = room->weight + kp;
  kn = DPPAIR_NAME_top_select_(room->s + kp, room->weight + kp, &shared, sn, nn, &high, 1.0);
  /* Loops with weights compute slopes in another way than those without, so all loops have them:
   * the slope of a pair must not depend on whether others tie. */
  status = DPPAIR_NAME_weighted_(
      room->c, room->c + kp, room->s, kp, room->s + kp, kn,
      options->fast && !shared && DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_ ? NULL : w, options, 0);
  if (status != DPPAIR_OK) return status;
  DPPAIR_NAME_top_spread_(a, room->c, sp, np, &low, -1.0);
  DPPAIR_NAME_top_spread_(b, room->c + kp, sn, nn, &high, 1.0);
  return DPPAIR_OK;
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_top_push_(double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn,
                      size_t nn, size_t n, const dppair_top *top, const dppair_options *options,
                      const DPPAIR_NAME_top_room_ *room) {
  const double *const w[2] = {room->weight, room->weight + np};
  double *const h = room->weight + np;
  const double others = (double)n - 1.0;
  double scale;
  size_t i, j;
  dppair_status status;
  /* phi(s_i - s_j) is phi((-s_j) - (-s_i)) */
  for (i = 0; i < np; i++) room->s[i] = -sp[i];
  for (j = 0; j < nn; j++) room->s[np + j] = -sn[j];
  status = DPPAIR_NAME_top_values_(h, room->s + np, nn, room->s, np, options, room);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < np; i++) room->weight[i] = 1.0;
  for (j = 0; j < nn; j++) {
    const double mean = h[j] > 0.0 ? h[j] / others : 0.0;
    h[j] = (double)top->power * dppair_top_power_(mean, top->power - 1) / others;
  }
  if (!dppair_all_finite_f64(h, nn)) return DPPAIR_ERR_NOT_FINITE;
  scale = dppair_top_scale_(h, nn);
  status = DPPAIR_NAME_weighted_(a, b, sp, np, sn, nn, w, options, 0);
  for (i = 0; i < np; i++) a[i] *= scale;
  for (j = 0; j < nn; j++) b[j] *= scale;
  return status;
}

/*
 * The derivative of A/(A + B) multiplies phi' of a pair (i, k) by B_i/D_i^2 for a negative k, and
 * by -A_i/D_i^2 for a positive one, D = A + B. The pair (i, i) adds as much to s_i as it subtracts.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_precision_(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn, size_t nn,
    const dppair_options *options, const DPPAIR_NAME_top_room_ *room) {
  double *const missed = room->key, *const met = room->second, *const ones = room->weight;
  const double *const against[2] = {missed, ones}, *const among[2] = {met, ones};
  double scale[2];
  size_t i;
  dppair_status status = DPPAIR_NAME_top_values_(missed, sp, np, sn, nn, options, room); /* A */
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_top_values_(met, sp, np, sp, np, options, room); /* B */
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < np; i++) {
    const double A = missed[i] > 0.0 ? missed[i] : 0.0, B = met[i] > 0.0 ? met[i] : 0.0;
    const double sum = A + B;
    missed[i] = sum > 0.0 ? B / sum / sum : 0.0;
    met[i] = sum > 0.0 ? A / sum / sum : 0.0;
  }
  if (!dppair_all_finite_f64(missed, np) || !dppair_all_finite_f64(met, np))
    return DPPAIR_ERR_NOT_FINITE;
  scale[0] = dppair_top_scale_(missed, np);
  scale[1] = dppair_top_scale_(met, np);
  for (i = 0; i < np + nn; i++) ones[i] = 1.0;
  /* among positives first: b is room for one of its sides only if there are enough negatives */
  status = DPPAIR_NAME_weighted_(a, room->c, sp, np, sp, np, among, options, 0);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < np; i++) room->c[i] = -(a[i] + room->c[i]) * scale[1];
  status = DPPAIR_NAME_weighted_(a, b, sp, np, sn, nn, against, options, 0);
  for (i = 0; i < np; i++) a[i] = a[i] * scale[0] + room->c[i];
  for (i = 0; i < nn; i++) b[i] *= scale[0];
  return status;
}

/* *bytes = the workspace of NAME_top_coeffs or NAME_top_ranks for n records and the state of the
 * pass, if there is one. It does not depend on how many are positives. Errors zero it: NULL,
 * DOMAIN, UNREAD (top), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_coeffs_workspace(
    size_t *bytes, size_t n, const dppair_top *top, const dppair_options *options) {
  DPPAIR_NAME_top_room_ room;
  dppair_status status;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (!top || !options) return DPPAIR_ERR_NULL;
  status = dppair_top_check_(top);
  if (status != DPPAIR_OK) return status;
  *bytes = DPPAIR_NAME_top_layout_(&room, NULL, n, top, options);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* NAME_top_coeffs of np + nn of n records; the others are null. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_coeffs_of_(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn, size_t nn,
    size_t n, const dppair_top *top, const dppair_options *options) {
  DPPAIR_NAME_top_room_ room;
  dppair_status status = dppair_zero_(a, np, b, nn);
  if (status != DPPAIR_OK) return status;
  if (!top || !options || (!sp && np) || (!sn && nn)) return DPPAIR_ERR_NULL;
  if (top->kind == DPPAIR_TOP_NDCG) return DPPAIR_ERR_DOMAIN;
  status = DPPAIR_NAME_top_open_(&room, np + nn, top, options);
  if (status != DPPAIR_OK) return status;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  if (np == 0 || nn == 0) return DPPAIR_OK;
  if (top->kind == DPPAIR_TOP_PARTIAL)
    status = DPPAIR_NAME_top_partial_(a, b, sp, np, sn, nn, top, options, &room);
  else if (top->kind == DPPAIR_TOP_PUSH)
    status = DPPAIR_NAME_top_push_(a, b, sp, np, sn, nn, n, top, options, &room);
  else
    status = DPPAIR_NAME_top_precision_(a, b, sp, np, sn, nn, options, &room);
  return dppair_settle_(status, a, np, b, nn);
}

/*
 * a[np] and b[nn]: the derivatives of the loss *top (PARTIAL, PUSH or PRECISION; above) in the
 * scores of positives and negatives. For linear scores X+^T a + X-^T b is the gradient.
 *   options params; fast: a state of NAME_fast_init, for as many records (PRECISION: twice as many);
 *          work: NAME_top_coeffs_workspace of np + nn records. clip
 *          and groups are not given
 *
 * phi must not be negative for PUSH and PRECISION: sums below 0 count as 0. No order of the scores
 * matters, but for rounding.
 *
 * Errors zero a and b: NULL; DOMAIN, UNREAD (top; NDCG: NAME_top_ranks); NO_PROOF (a clip, groups,
 * a state of NAME_sums_init of a piecewise linear loss); WORKSPACE; NOT_FINITE (a score or a
 * result); ENVIRONMENT; OVERFLOW, which does not touch them.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_coeffs(double *a, double *b,
                                                                  const DPPAIR_REAL *sp, size_t np,
                                                                  const DPPAIR_REAL *sn, size_t nn,
                                                                  const dppair_top *top,
                                                                  const dppair_options *options) {
  return DPPAIR_NAME_top_coeffs_of_(a, b, sp, np, sn, nn, np + nn, top, options);
}

DPPAIR_FP_END_
