/* ------------------------------------------------------------------------------------------------
 * The functions of an instance over tiles
 *
 * Forms, clipped pairs and listed pairs: public functions, written NAME_x in comments and
 * DPPAIR_NAME_x in the code. They call the bodies of form_kernels.h, clip_kernels.h and listed.h on
 * the tier of the processor, which check the arguments and zero outputs on an error. params: the
 * parameters of the loss, NULL where it has none.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* *bytes = the workspace of NAME_form_gradient in this many parts, for n records of d features and
 * k columns of the result: k = d for a full W, the rank for a factor. It is enough for every form
 * and clip. Errors zero it: NULL, SIZE (n < 2, d < 1, k < 1, parts not in 1 to 256), OVERFLOW. */
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

/* The same for one part: the workspace of all other gradients and risks of forms below. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_metric_workspace(size_t *bytes, size_t n,
                                                                        size_t d, size_t k) {
  return DPPAIR_NAME_form_workspace(bytes, n, d, k, 1);
}

/*
 * g[d][d] = the gradient with respect to W of
 *
 *   sum over i < j of phi(tau_ij (b - M(x_i, x_j))),    M(x, x') = (x - x')^T W (x - x'),
 *
 * tau_ij = 1 where y[i] == y[j] and -1 elsewhere: minimising pulls equal labels together and pushes
 * others apart. For labels +-1, tau = y y'. b = 1 gives the margins of Jin, Wang and Zhou (2009),
 * and the hinge with b = 0 is (1 + tau M)_+, that of Yang, Lei, Lyu and Ying (2021). The gradient
 * of a pair is -tau phi'(u) v v^T, v = x_i - x_j, of Frobenius norm |phi'(u)| |v|^2. A longer one
 * than `clip` is scaled down to it; DPPAIR_NO_CLIP leaves all as they are. The mean over ordered
 * pairs is 2 g/(n (n - 1)).
 *   x        n >= 2 rows of d >= 1 features, row i at x + i * ld
 *   y        n labels
 *   w        W as d rows of d numbers; only its symmetric part matters
 *   offset   b
 *   work     `bytes` bytes of any alignment, at least what NAME_metric_workspace(n, d, d) says
 *
 * Arithmetic. A margin is computed from its two records by one fixed chain. So the result is a sum
 * of pair gradients whose weights phi' are taken at slightly different margins. NAME_metric_error
 * bounds what is rounded after that. The bits are the same on every tier.
 *
 * Errors zero g: NULL, SIZE (n < 2, d < 1, ld < d, d epsilon > 1/4), DOMAIN (clip not positive),
 * NOT_FINITE (an input or a result), OVERFLOW (a margin or distance could be too large), WORKSPACE,
 * ENVIRONMENT.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_metric_gradient(double *g, const DPPAIR_REAL *x, const DPPAIR_REAL *y, size_t n,
                            size_t d, size_t ld, const double *w, double offset, double clip,
                            const double *params, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_metric_gradient,
                   (g, x, y, n, d, ld, w, offset, clip, params, work, bytes));
  return status;
}

/* g[d][rank] = the gradient of the same sum with respect to the factor l = L, d rows of `rank`
 * numbers, of W = L L^T. The gradient of a pair is -2 tau phi'(u) v (L^T v)^T, of norm 2 |phi'(u)|
 * |v| |L^T v|; it is clipped likewise. O(n^2 rank) instead of O(n^2 d). work: as
 * NAME_metric_workspace(n, d, rank) says. Errors as above. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_factor_gradient(double *g, const DPPAIR_REAL *x, const DPPAIR_REAL *y, size_t n,
                            size_t d, size_t ld, const double *l, size_t rank, double offset,
                            double clip, const double *params, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_factor_gradient,
                   (g, x, y, n, d, ld, l, rank, offset, clip, params, work, bytes));
  return status;
}

/* g[d][d] = the gradient with respect to W of the sum over i < j of phi(tau_ij (S(x_i, x_j) - b)),
 * for the bilinear similarity S(x, x') = x^T W x', W the symmetric part of w. The gradient of a
 * pair is tau phi'(u) (x x'^T + x' x^T)/2. It is clipped as if its norm were |phi'(u)| |x| |x'|,
 * that of either ordered pair, which is never less. Workspace and errors as for
 * NAME_metric_gradient. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_similarity_gradient(double *g, const DPPAIR_REAL *x, const DPPAIR_REAL *y, size_t n,
                                size_t d, size_t ld, const double *w, double offset, double clip,
                                const double *params, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_similarity_gradient,
                   (g, x, y, n, d, ld, w, offset, clip, params, work, bytes));
  return status;
}

/* Any of the three gradients, in parts. form says which; w has d rows of k numbers, k = d but for a
 * factor. The rounding of the result depends on the number of parts (1 to 256), never on the runner
 * or its threads; parts NULL means one part. work: as NAME_form_workspace(n, d, k, parts) says.
 * Errors as above, and SIZE (parts), DOMAIN (no such form, k not d). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_gradient(
    double *g, dppair_form form, const DPPAIR_REAL *x, const DPPAIR_REAL *y, size_t n, size_t d,
    size_t ld, const double *w, size_t k, double offset, double clip, const double *params,
    const dppair_parts *parts, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_form_gradient,
                   (g, form, x, y, n, d, ld, w, k, offset, clip, params, parts, work, bytes));
  return status;
}

/* *risk = the sum over i < j of phi whose gradient NAME_metric_gradient computes; arguments,
 * workspace and errors as there. Errors zero *risk. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_metric_risk(
    double *risk, const DPPAIR_REAL *x, const DPPAIR_REAL *y, size_t n, size_t d, size_t ld,
    const double *w, double offset, const double *params, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_metric_risk,
                   (risk, x, y, n, d, ld, w, offset, params, work, bytes));
  return status;
}

/* The same for NAME_factor_gradient. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_factor_risk(double *risk, const DPPAIR_REAL *x, const DPPAIR_REAL *y, size_t n,
                        size_t d, size_t ld, const double *l, size_t rank, double offset,
                        const double *params, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_factor_risk,
                   (risk, x, y, n, d, ld, l, rank, offset, params, work, bytes));
  return status;
}

/* The same for NAME_similarity_gradient. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_similarity_risk(
    double *risk, const DPPAIR_REAL *x, const DPPAIR_REAL *y, size_t n, size_t d, size_t ld,
    const double *w, double offset, const double *params, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_similarity_risk,
                   (risk, x, y, n, d, ld, w, offset, params, work, bytes));
  return status;
}

/* *bytes = the workspace of NAME_clip_cache and (with d = 0) NAME_clip_cached for np x nn pairs;
 * *cache = the numbers in a cache of caps, 2 bytes each (cache may be NULL). Errors zero both:
 * NULL, OVERFLOW. */
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

/* *bytes = the workspace of NAME_clip_coeffs for n records of d numbers, whatever the number of
 * positives among them. Errors zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_workspace(size_t *bytes, size_t n,
                                                                      size_t d) {
  DPPAIR_NAME_clip_ t;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (n > SIZE_MAX / 64) return DPPAIR_ERR_OVERFLOW;
  memset(&t, 0, sizeof t);
  /* two classes have at most one block more than all records; sums over rows are those of one
   * class. The norms of blocks are the only arrays that end between two multiples of 64 bytes. */
  t.d = d;
  t.blocks_p = 1;
  t.blocks_n = DPT_BLOCKS(n);
  *bytes = DPPAIR_NAME_clip_layout_(&t, NULL);
  *bytes = *bytes > SIZE_MAX - 128 ? 0 : *bytes + 128;
  return *bytes ? DPPAIR_OK : DPPAIR_ERR_OVERFLOW;
}

/*
 * NAME_coeffs with the gradient of every pair clipped. For linear scores that gradient is phi'(u)
 * (x_i - x_j), i a positive and j a negative, so its weight phi' is held within +-clip/|x_i - x_j|.
 * Then
 *
 *   a[i] = the sum over j of the held weights     b[j] = -the sum over i
 *
 * in double, and X+^T a + X-^T b is the gradient. Of the rows the first rows->positives are
 * positives; x_i is factor[i] times what is stored. The scores sp and sn of positives and negatives
 * may be those of any scorer, but the distances are those of the rows. Of the pass, clip, params
 * and work are read; work: as NAME_clip_workspace says.
 *
 * No gradient of a pair is longer than clip in exact arithmetic, factors included. Squared
 * distances come from inner products; a margin for their cancellation keeps them from being too
 * small, and makes them too large by 2 (d + 16) epsilon (|x|^2 + |x'|^2). For near-duplicates the
 * margin is the larger part: with norms 1 and d = 10 a weight is held within clip/0.0035 in float
 * (clip/1.5e-7 in double) however close the two are. If rows are far from the origin, centre them
 * first, with a public centre. NAME_pairs_gradient computes with differences and has no such floor.
 * A held weight is a function of its two records (and scores) alone. Blocks in which nothing can be
 * clipped, by their largest slope and norms, skip the distances.
 *
 * For a convex loss the clipped gradient is that of a convex loss. Its sensitivity, as a mean over
 * ordered pairs, is at most 2 clip/n when one record is replaced.
 *
 * O(np nn d) at the speed of a matrix product. Errors zero a and b: NULL, SIZE (ld < d, d epsilon >
 * 1/4, more positives than records), DOMAIN (clip not positive), OVERFLOW (a score or distance that
 * is too large; with rows->radius, that of the longest rows), NOT_FINITE, WORKSPACE, ENVIRONMENT.
 * With more positives than records, or rows NULL, a and b are not touched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_coeffs(
    double *a, double *b, const DPPAIR_REAL *sp, const DPPAIR_REAL *sn, const DPPAIR_ROWS_ *rows,
    const dppair_pass *pass) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_clip_coeffs, (a, b, sp, sn, rows, pass));
  return status;
}

/* Writes the caps clip/|xp[i] - xn[j]| to cache[count] for many calls of NAME_clip_cached: they do
 * not depend on the scores. 2 bytes per pair, rounded down by up to 1/128. count and work: as
 * NAME_clip_size says. Errors are those of NAME_clip_coeffs and zero the cache, but one that is too
 * short (WORKSPACE) is not touched. */
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

/* NAME_clip_coeffs with caps from NAME_clip_cache of the same records, O(np nn). work: as
 * NAME_clip_size says for d = 0. Errors as there. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_cached(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn, size_t nn,
    const uint16_t *cache, size_t count, const double *params, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_clip_cached,
                   (a, b, sp, np, sn, nn, cache, count, params, work, bytes));
  return status;
}

/*
 * g[0..d) = the sum over k < m of weight[k] times the gradient phi'(u) v of the listed pair (i[k],
 * j[k]) of a linear score, v = xp[i[k]] - xn[j[k]], u = <w, v>. A gradient is clipped to norm
 * `clip` before it is weighted (DPPAIR_NO_CLIP: not at all). weight NULL means 1.
 *
 * For pairs within one set, pass it as both xp and xn. For a random matching, put the records in a
 * random order and pass one half as i and the other as j. O(m d); rows are fetched ahead, distances
 * are those of differences of rows, and g is summed in double. The gradient of a pair, v rounded,
 * is a function of its two records. work: at least 2 (d + 16) doubles.
 *
 * Errors zero g: NULL, SIZE (an index out of range, d < 1, ld < d), DOMAIN (clip not positive),
 * NOT_FINITE (an input, a margin, a distance or a result), OVERFLOW, WORKSPACE, ENVIRONMENT.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_pairs_gradient(
    double *g, const DPPAIR_REAL *xp, size_t np, const DPPAIR_REAL *xn, size_t nn, size_t d,
    size_t ld, const DPPAIR_REAL *w, const size_t *i, const size_t *j, const double *weight,
    size_t m, double clip, const double *params, double *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_pairs_gradient,
                   (g, xp, np, xn, nn, d, ld, w, i, j, weight, m, clip, params, work, bytes));
  return status;
}

/* g[d][d] = the same sum for the pair gradients of NAME_metric_gradient, pair k being records i[k]
 * and j[k] of the n rows of x. O(m d^2), in blocks of pairs. work: as NAME_metric_workspace(2, d,
 * d) says. Errors as above, and SIZE (d epsilon > 1/4). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_metric_pairs_gradient(
    double *g, const DPPAIR_REAL *x, const DPPAIR_REAL *y, size_t n, size_t d, size_t ld,
    const double *w, double offset, const size_t *i, const size_t *j, const double *weight,
    size_t m, double clip, const double *params, void *work, size_t bytes) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_metric_pairs_gradient,
                   (g, x, y, n, d, ld, w, offset, i, j, weight, m, clip, params, work, bytes));
  return status;
}

/*
 * What arithmetic adds to the sensitivity of a form: *error = an upper bound, from public numbers
 * alone, of the Frobenius norm of
 *
 *   (computed gradient of NAME_metric_gradient, _factor_gradient or _similarity_gradient)
 *     - sum over i < j of (the computed weight) times (the exact v v^T, or its like),
 *
 * for n rows of d numbers of norm at most `radius` and weights of size at most `slope`. scale is 1
 * for W and 2 |L|_F for a factor L. A computed weight is a function of its two records alone,
 * within 4 units in the last place of phi' at a margin that differs by rounding. So proofs that use
 * only the range of the weights hold with slope (1 + 4 epsilon). Add *error twice to a sensitivity
 * of the sum for the rest. For n = 1000 it is 0.4 % of that in float (in proportion to n), and
 * 2e-10 in double.
 *
 * Derivation. |G - G'| <= 2 sum_i |x_i| |dH_i|, H_i = P_i - r_i x_i/2. A number of P_i is a sum of
 * chains of at most DPPAIR_TILE_ products (a single chain in double), r_i one of chains of DPT_W.
 * Each chain is within (its length) u of the sum of the sizes of its terms, which is at most slope
 * radius (n - 1) for P_i and slope (n - 1) for r_i. Sums of chains, H and X^T H are in double, with
 * 2 n + 128 steps. Underflow adds less than the smallest normal number per product.
 *
 * Errors zero it: NULL, ENVIRONMENT, SIZE (n < 2, d < 1, a relative error above 1/100), DOMAIN (an
 * argument that is negative or not finite), OVERFLOW.
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
