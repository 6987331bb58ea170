/* ------------------------------------------------------------------------------------------------
 * The functions of an instance over tiles: forms, clipped pairs, listed pairs
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Bytes of workspace that the functions below ask for n records of d features and k columns of the
 * result (k = d for a full W, the rank for a factor), whatever the clip; NAME_form_workspace for a
 * number of parts, the other for one. OVERFLOW, SIZE. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_workspace(size_t *bytes, size_t n,
                                                                      size_t d, size_t k,
                                                                      size_t parts) {
  DPPAIR_NAME_tiles_ t;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (n < 2 || d < 1 || k < 1 || parts < 1 || parts > DPPAIR_FORM_PARTS_) return DPPAIR_ERR_SIZE;
  *bytes = DPPAIR_NAME_tiles_sizes_(&t, DPPAIR_FORM_FACTOR, DPT_BLOCKS(n), d, k, parts, 1);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_metric_workspace(size_t *bytes, size_t n,
                                                                        size_t d, size_t k) {
  return DPPAIR_NAME_form_workspace(bytes, n, d, k, 1);
}

/*
 * g[d][d] = gradient with respect to W of
 *
 *   sum over i < j of phi(tau_ij (b - M(x_i, x_j))),    M(x, x') = (x - x')^T W (x - x'),
 *
 * tau_ij = 1 where y[i] == y[j] and -1 elsewhere, so that equal labels are pulled together and
 * others pushed apart; for labels +-1, tau = y y'. b = 1 gives the margins of Jin, Wang and Zhou
 * (2009), and the hinge with b = 0 is (1 + tau M)_+, that of Yang, Lei, Lyu and Ying (2021). The
 * pair's gradient is -tau phi'(u) v v^T, v = x_i - x_j, of Frobenius norm |phi'(u)| |v|^2; those
 * longer than `clip` are scaled down to it (DPPAIR_NO_CLIP: none). The mean over ordered pairs is
 * 2 g/(n (n - 1)).
 *
 * x: n >= 2 rows of d >= 1 features, row i at x + i * ld; y: n labels; w: W as d rows of d numbers
 * (only its symmetric part matters); params: those of the loss or NULL; work: `bytes` bytes, any
 * alignment, at least what NAME_metric_workspace(n, d, d) says.
 *
 * Errors (g is zeroed): NULL, SIZE (n < 2, d < 1, ld < d), DOMAIN (clip not positive), NOT_FINITE
 * (input or result), OVERFLOW (a margin or distance could be too large), WORKSPACE.
 *
 * Arithmetic. A margin is computed from its two records by one fixed chain, so the result is a sum
 * of pair gradients with weights phi' taken at slightly other margins; what is rounded after that
 * is bounded by NAME_metric_error. Same bits on every tier.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_metric_gradient(double *g, const DPPAIR_REAL *x, const DPPAIR_REAL *y, size_t n,
                            size_t d, size_t ld, const double *w, double offset, double clip,
                            const DPPAIR_REAL *params, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_metric_gradient,
                   (g, x, y, n, d, ld, w, offset, clip, params, work, bytes));
  return status;
}

/* The same with respect to the factor l = L (d rows of `rank` numbers) of W = L L^T: g[d][rank].
 * The pair's gradient is -2 tau phi'(u) v (L^T v)^T, of norm 2 |phi'(u)| |v| |L^T v|. Costs n^2
 * rank in place of n^2 d. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_factor_gradient(double *g, const DPPAIR_REAL *x, const DPPAIR_REAL *y, size_t n,
                            size_t d, size_t ld, const double *l, size_t rank, double offset,
                            double clip, const DPPAIR_REAL *params, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_factor_gradient,
                   (g, x, y, n, d, ld, l, rank, offset, clip, params, work, bytes));
  return status;
}

/* g[d][d] = gradient with respect to W of the sum over i < j of phi(tau_ij (S(x_i, x_j) - b)), for
 * the bilinear similarity S(x, x') = x^T W x' with symmetric W (the symmetric part of w). The
 * pair's gradient is tau phi'(u) (x x'^T + x' x^T)/2; it is clipped as if its norm were
 * |phi'(u)| |x| |x'|, that of either ordered pair, which is never less. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_similarity_gradient(double *g, const DPPAIR_REAL *x, const DPPAIR_REAL *y, size_t n,
                                size_t d, size_t ld, const double *w, double offset, double clip,
                                const DPPAIR_REAL *params, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_similarity_gradient,
                   (g, x, y, n, d, ld, w, offset, clip, params, work, bytes));
  return status;
}

/* Any of the three forms, in parts: form says what w (k columns) is. The result depends on the
 * number of parts (1 to 256) in its rounding, never on the runner or its threads; parts NULL is one
 * part. work: as NAME_form_workspace(n, d, k, parts) says. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_gradient(
    double *g, dppair_form form, const DPPAIR_REAL *x, const DPPAIR_REAL *y, size_t n, size_t d,
    size_t ld, const double *w, size_t k, double offset, double clip, const DPPAIR_REAL *params,
    const dppair_parts *parts, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_form_gradient,
                   (g, form, x, y, n, d, ld, w, k, offset, clip, params, parts, work, bytes));
  return status;
}

/* The sums whose gradients the three functions above give: *risk = sum over i < j of phi. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_metric_risk(
    double *risk, const DPPAIR_REAL *x, const DPPAIR_REAL *y, size_t n, size_t d, size_t ld,
    const double *w, double offset, const DPPAIR_REAL *params, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_metric_risk,
                   (risk, x, y, n, d, ld, w, offset, params, work, bytes));
  return status;
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_factor_risk(double *risk, const DPPAIR_REAL *x, const DPPAIR_REAL *y, size_t n,
                        size_t d, size_t ld, const double *l, size_t rank, double offset,
                        const DPPAIR_REAL *params, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_factor_risk,
                   (risk, x, y, n, d, ld, l, rank, offset, params, work, bytes));
  return status;
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_similarity_risk(
    double *risk, const DPPAIR_REAL *x, const DPPAIR_REAL *y, size_t n, size_t d, size_t ld,
    const double *w, double offset, const DPPAIR_REAL *params, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_similarity_risk,
                   (risk, x, y, n, d, ld, w, offset, params, work, bytes));
  return status;
}

#if DPPAIR_TEMPLATE_F64_
#define DPT_SCORES dppair_scores_f64
#define DPT_COMBINE dppair_combine_f64
#else
#define DPT_SCORES dppair_scores_f32
#define DPT_COMBINE dppair_combine_f32
#endif

/* *bytes = workspace of NAME_clip_coeffs and its kin for these sizes (d = 0 for NAME_clip_cached);
 * *cache = numbers in a cache of caps (may be NULL). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_size(size_t *bytes, size_t *cache,
                                                                 size_t np, size_t nn, size_t d) {
  DPPAIR_NAME_clip_ t;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (cache) *cache = 0;
  if (np > SIZE_MAX / 64 || nn > SIZE_MAX / 64) return DPPAIR_ERR_OVERFLOW;
  memset(&t, 0, sizeof t);
  t.d = d;
  t.blocks_p = DPT_BLOCKS(np);
  t.blocks_n = DPT_BLOCKS(nn);
  *bytes = DPPAIR_NAME_clip_layout_(&t, NULL);
  if (cache) *cache = DPPAIR_NAME_clip_count_(np, nn);
  if (*bytes < SIZE_MAX && (!cache || *cache < SIZE_MAX / 2)) return DPPAIR_OK;
  *bytes = 0;
  if (cache) *cache = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/*
 * NAME_coeffs with every pair clipped: for linear scores the pair's gradient is
 * phi'(u) (xp[i] - xn[j]), and its weight phi' is held within +-clip/|xp[i] - xn[j]|. Then
 *
 *   a[i] = sum over j of the held weights,   b[j] = -sum over i,   gradient X+^T a + X-^T b,
 *
 * summed in double. sp, sn: the scores (any scorer's, but the distances are those of the rows).
 * Rows as in dppair_scores. No pair's gradient is longer than clip in exact arithmetic: squared
 * distances come from inner products with a margin for their cancellation and are never
 * under-stated, but over-stated by 2 (d + 16) epsilon (|x|^2 + |x'|^2). For near-duplicates that is
 * the larger part: with norms 1 and d = 10 a weight is held within clip/0.0035 in float
 * (clip/1.5e-7 in double) however close the two are; rows far from the origin gain by being centred
 * first, with a public centre. NAME_pairs_gradient, by differences, has no such floor. A held
 * weight is a function of the pair's two records (and scores) alone. Blocks in which nothing can be
 * clipped, by their largest slope and norms, skip the distances.
 *
 * For a convex loss the clipped gradient is that of a convex loss. Its sensitivity, as a mean over
 * ordered pairs, is at most 2 clip/n when one record is replaced.
 *
 * O(np nn d) at the speed of a matrix product. Errors zero a and b: NULL, SIZE (ld < d), DOMAIN
 * (clip not positive), OVERFLOW (a score or distance that is too large), NOT_FINITE, WORKSPACE.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_coeffs(
    double *a, double *b, const DPPAIR_REAL *sp, const DPPAIR_REAL *xp, size_t np,
    const DPPAIR_REAL *sn, const DPPAIR_REAL *xn, size_t nn, size_t d, size_t ld, double clip,
    const DPPAIR_REAL *params, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_clip_coeffs,
                   (a, b, sp, xp, np, sn, xn, nn, d, ld, clip, params, work, bytes));
  return status;
}

/* The caps clip/|xp[i] - xn[j]| once, for many calls of NAME_clip_cached with other scores: they do
 * not depend on w. 2 bytes per pair, rounded down (by up to 1/128). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_cache(uint16_t *cache, size_t count,
                                                                  const DPPAIR_REAL *xp, size_t np,
                                                                  const DPPAIR_REAL *xn, size_t nn,
                                                                  size_t d, size_t ld, double clip,
                                                                  void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_clip_cache,
                   (cache, count, xp, np, xn, nn, d, ld, clip, work, bytes));
  return status;
}
/* NAME_clip_coeffs from such a cache, O(np nn). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_cached(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn, size_t nn,
    const uint16_t *cache, size_t count, const DPPAIR_REAL *params, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_clip_cached,
                   (a, b, sp, np, sn, nn, cache, count, params, work, bytes));
  return status;
}

/* *bytes = workspace of NAME_clip_gradient. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_gradient_size(size_t *bytes, size_t np,
                                                                          size_t nn, size_t d) {
  const size_t each = sizeof(double) + sizeof(DPPAIR_REAL);
  const dppair_status status = DPPAIR_NAME_clip_size(bytes, NULL, np, nn, d);
  if (status != DPPAIR_OK) return status;
  if (d > SIZE_MAX / 64 || *bytes > SIZE_MAX / 2 - 8 * d - 64 ||
      np + nn > (SIZE_MAX / 2 - 8 * d - 64) / each) {
    *bytes = 0;
    return DPPAIR_ERR_OVERFLOW;
  }
  *bytes += each * (np + nn) + sizeof(double) * d + 64;
  return DPPAIR_OK;
}

/* g[0..d) = the clipped gradient of the sum over all pairs of phi(<xp[i] - xn[j], w>):
 * NAME_gradient with NAME_clip_coeffs for its coefficients. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_clip_gradient(double *g, const DPPAIR_REAL *xp, size_t np, const DPPAIR_REAL *xn,
                          size_t nn, size_t d, size_t ld, const DPPAIR_REAL *w, double clip,
                          const DPPAIR_REAL *params, void *work, size_t bytes) {
  double *a, *b, *half;
  DPPAIR_REAL *sp, *sn;
  size_t needed;
  dppair_status status = dppair_array_(g, d);
  if (status != DPPAIR_OK) return status;
  if (d) memset(g, 0, d * sizeof *g);
  status = DPPAIR_NAME_clip_gradient_size(&needed, np, nn, d);
  if (status != DPPAIR_OK) return status;
  if (!work) return DPPAIR_ERR_NULL;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
  a = (double *)(void *)dppair_align_(work);
  b = a + np;
  half = b + nn;
  sp = (DPPAIR_REAL *)(void *)(half + d);
  sn = sp + np;
  status = DPT_SCORES(sp, xp, np, d, ld, w);
  if (status == DPPAIR_OK) status = DPT_SCORES(sn, xn, nn, d, ld, w);
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_clip_coeffs(a, b, sp, xp, np, sn, xn, nn, d, ld, clip, params, sn + nn,
                                     needed - 64 - (size_t)((char *)(sn + nn) - (char *)a));
  if (status == DPPAIR_OK) status = DPT_COMBINE(half, xn, nn, d, ld, b);
  if (status == DPPAIR_OK) status = DPT_COMBINE(g, xp, np, d, ld, a);
  for (size_t k = 0; status == DPPAIR_OK && k < d; k++) g[k] += half[k];
  return status == DPPAIR_OK ? dppair_finish_(g, d) : status;
}

/*
 * g[0..d) = sum over k < m of weight[k] times the gradient phi'(u) v of pair (i[k], j[k]) of a
 * linear score, v = xp[i[k]] - xn[j[k]], u = <w, v>, clipped to norm `clip` before it is weighted
 * (DPPAIR_NO_CLIP: none). weight NULL means 1. For pairs within one set pass it as both xp and xn;
 * a random matching is a random order of records cut in halves, one as i and one as j. O(m d), rows
 * are fetched ahead, distances are those of the rows' differences, and g is summed in double. A
 * pair's gradient, v rounded, is a function of its two records. work: at least 2 (d + 16) doubles.
 * Errors zero g: NULL, SIZE (an index out of range, d < 1, ld < d), DOMAIN (clip), NOT_FINITE,
 * OVERFLOW, WORKSPACE.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_pairs_gradient(
    double *g, const DPPAIR_REAL *xp, size_t np, const DPPAIR_REAL *xn, size_t nn, size_t d,
    size_t ld, const DPPAIR_REAL *w, const size_t *i, const size_t *j, const double *weight,
    size_t m, double clip, const DPPAIR_REAL *params, double *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_pairs_gradient,
                   (g, xp, np, xn, nn, d, ld, w, i, j, weight, m, clip, params, work, bytes));
  return status;
}

/* The same for NAME_metric_gradient's pairs: g[d][d], O(m d^2) in blocks of pairs. work: as
 * NAME_metric_workspace(n = 2, d, d) says. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_metric_pairs_gradient(
    double *g, const DPPAIR_REAL *x, const DPPAIR_REAL *y, size_t n, size_t d, size_t ld,
    const double *w, double offset, const size_t *i, const size_t *j, const double *weight,
    size_t m, double clip, const DPPAIR_REAL *params, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_metric_pairs_gradient,
                   (g, x, y, n, d, ld, w, offset, i, j, weight, m, clip, params, work, bytes));
  return status;
}

/*
 * *error = an upper bound, from public numbers alone, on the Frobenius norm of
 *
 *   (computed gradient of NAME_metric_gradient, _factor_gradient or _similarity_gradient)
 *     - sum over i < j of (the computed weight) times (the exact v v^T, or its like),
 *
 * for rows of norm at most `radius` and weights of size at most `slope`; scale is 1 for W, and
 * 2 |L|_F for a factor L. A computed weight is a function of its two records alone, within 4 units
 * in the last place of phi' at a margin off by rounding, so proofs that use only the range of the
 * weights hold with slope (1 + 4 epsilon); what is left, this bound, is to be added twice to a
 * sensitivity of the sum. For n = 1000 it is 0.4 % of that in float (in proportion to n), and 2e-10
 * in double.
 *
 * Derivation. |G - G'| <= 2 sum_i |x_i| |dH_i|, H_i = P_i - r_i x_i/2. A number of P_i is a sum of
 * chains of at most DPPAIR_TILE_ products (a single chain in double), r_i of chains of DPT_W, each
 * within (chain length) u of the sum of its terms' sizes, which is at most slope radius (n - 1) for
 * P_i and slope (n - 1) for r_i. Sums of chains, H and X^T H are in double: n + n + 128 steps.
 * Underflow adds less than the smallest normal number per product.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_metric_error(double *error, size_t n,
                                                                    size_t d, double radius,
                                                                    double slope, double scale) {
  const double all = (double)n * (double)n, u = 0.5 * DBL_EPSILON;
  const double chain = DPPAIR_TEMPLATE_F64_ ? (double)n : (double)(DPPAIR_TILE_ + DPT_W + 16);
  double relative;
  if (!error) return DPPAIR_ERR_NULL;
  *error = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (n < 2 || d < 1) return DPPAIR_ERR_SIZE;
  if (!(radius >= 0.0 && slope >= 0.0 && scale >= 0.0) || !dppair_isfinite_f64(radius) ||
      !dppair_isfinite_f64(slope) || !dppair_isfinite_f64(scale))
    return DPPAIR_ERR_DOMAIN;
  relative = 1.01 * (chain * 0.5 * (double)DPT_EPSILON + (4.0 * (double)n + 512.0) * u);
  if (relative > 0.01) return DPPAIR_ERR_SIZE;
  *error =
      scale * all *
      (slope * radius * radius * relative + 8.0 * (double)d * (1.0 + radius) * (double)DPT_MIN);
  *error *= 1.0 + 1e-12;
  if (dppair_isfinite_f64(*error)) return DPPAIR_OK;
  *error = 0.0;
  return DPPAIR_ERR_OVERFLOW;
}

DPPAIR_FP_END_

#undef DPT_SCORES
#undef DPT_COMBINE
#undef DPT_W
#undef DPT_MAX
#undef DPT_MIN
#undef DPT_EPSILON
#undef DPT_BLOCKS
#undef DPT_ROOM
#undef DPT_TOO_LONG
