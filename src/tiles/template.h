/* ------------------------------------------------------------------------------------------------
 * The functions of an instance over tiles
 *
 * Forms, clipped pairs and listed pairs: public functions, written NAME_x in comments and
 * DPPAIR_NAME_x in the code. They call the bodies of form_kernels.h, clip_kernels.h and listed.h on
 * the tier of the processor, which check the arguments and zero outputs on an error.
 *
 * NOT PRIVATE: gradients, coefficients and caches are raw material, as secret as the records, until
 * a release adds its noise. A figure has not_private in its name.
 *
 * Rows with factors. Row i of a block is factor[i] x_i. What the tiles compute with is that product
 * with each number rounded towards 0: it is a function of its own record, no number is larger than
 * the exact one, and a bound of the norms of the rows holds for it in exact arithmetic. So bounds
 * and sensitivities below are those for rows without factors. A factor of 1 changes no bit.
 *
 * The pass: params, parts, work and bytes as in dppair_pass; of `clip` only the bound is read, and
 * each function says what it cuts; `fast` is not read. Public arguments are checked before a record
 * is read. After that, and where rows->radius is right and not 0, the only errors are those of
 * numbers that are not finite.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* *bytes = the workspace of NAME_form_gradient and NAME_form_risk_not_private for n records of d
 * features and k columns of the result: k = d for a full W, the rank for a factor. It is enough for
 * every form. Of the pass the clip, the number of parts and whether there are groups are read;
 * NULL: no clip, one part, none. Errors zero *bytes: NULL, SIZE (n < 2, d < 1, k < 1, parts not in
 * 1 to 256), WORKSPACE (a clip that is not made), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_workspace(size_t *bytes, size_t n,
                                                                      size_t d, size_t k,
                                                                      const dppair_pass *pass) {
  const size_t parts = pass && pass->parts ? pass->parts->parts : 1;
  DPPAIR_NAME_tiles_ t;
  size_t room;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (n < 2 || d < 1 || k < 1 || parts < 1 || parts > DPPAIR_FORM_PARTS_) return DPPAIR_ERR_SIZE;
  if (dppair_clip_check_(pass) != DPPAIR_OK) return DPPAIR_ERR_WORKSPACE;
  *bytes = DPPAIR_NAME_tiles_sizes_(&t, DPPAIR_FORM_FACTOR, DPT_BLOCKS(n), 0, d, k, parts,
                                    pass && pass->clip, 0, pass ? pass->groups : NULL);
  room = pass && pass->groups ? dppair_area_(dppair_area_(d, k), sizeof(double)) : 0;
  if (*bytes < SIZE_MAX - 128 && room < SIZE_MAX - 128 - *bytes) {
    *bytes += room ? room + 64 : 0;
    return DPPAIR_OK;
  }
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

#if DPPAIR_WEIGHTS
/* NAME_form_gradient of queries: for each of m > 1 records its gradient over m (m - 1). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_within_(double *g, dppair_form form,
                                                                    const DPPAIR_ROWS_ *rows,
                                                                    const double *w, size_t k,
                                                                    double offset,
                                                                    const dppair_pass *pass) {
  const size_t size = dppair_area_(rows->d, k), n = rows->n;
  const dppair_groups *groups = pass->groups;
  dppair_pass inner = *pass;
  size_t needed, q, e;
  double *one;
  dppair_status status = dppair_array_(g, size);
  if (status != DPPAIR_OK) return status;
  if (size) memset(g, 0, size * sizeof *g);
  status = DPPAIR_NAME_form_workspace(&needed, n < 2 ? 2 : n, rows->d, k, pass);
  if (status == DPPAIR_OK && pass->bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK && !pass->work) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK && (rows->ld < rows->d || rows->nulls > n)) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_groups_check_(groups, n - rows->nulls, 0, 1);
  if (status == DPPAIR_OK && n && (!rows->x || !rows->y)) status = DPPAIR_ERR_NULL;
  if (status != DPPAIR_OK) return status;
  one = (double *)(void *)dppair_align_(pass->work);
  inner.groups = NULL;
  inner.work = one + size;
  inner.bytes = pass->bytes - size * sizeof *one - 64;
  for (q = 0; q < groups->count && status == DPPAIR_OK; q++) {
    const size_t at = groups->positive[q], m = groups->positive[q + 1] - at;
    DPPAIR_ROWS_ some = *rows;
    if (m < 2) continue;
    some.nulls = 0;
    some.x += at * rows->ld;
    some.y += at;
    some.n = m;
    if (some.factor) some.factor += at;
    if (some.weight) some.weight += at;
    DPPAIR_DISPATCH_(status = DPPAIR_NAME_form_gradient, (one, form, &some, w, k, offset, &inner));
    for (e = 0; e < size; e++) g[e] += one[e] / ((double)m * ((double)m - 1.0));
  }
  if (status == DPPAIR_OK) return dppair_finish_(g, size);
  memset(g, 0, size * sizeof *g);
  return status;
}
#endif

/*
 * g[d][k] = the gradient with respect to w of the sum over all pairs i < j of
 *
 *   form                    of a pair                                           w
 *   DPPAIR_FORM_METRIC      phi(tau (b - M)), M = (x - x')^T W (x - x')         W[d][d], k = d
 *   DPPAIR_FORM_FACTOR      the same for W = L L^T, in O(n^2 k)                 L[d][k], any k
 *   DPPAIR_FORM_SIMILARITY  phi(tau (S - b)), S = x^T W x'                      W[d][d], k = d
 *
 * tau = 1 where the labels y of the two records are equal and -1 elsewhere: minimising pulls equal
 * labels together and pushes others apart. For labels +-1, tau = y y'. Labels that are not finite,
 * NaN too, are equal to each other and to no other label. Only the symmetric part of W matters. b =
 * 1 gives the margins of Jin, Wang and Zhou (2009), and the hinge with b = 0 is (1 + tau M)_+, that
 * of Yang, Lei, Lyu and Ying (2021).
 *
 * The gradient of a pair, with v = x - x' and the slope phi' at its margin, is
 *
 *   METRIC      -tau phi' v v^T              of Frobenius norm |phi'| |v|^2
 *   FACTOR      -2 tau phi' v (L^T v)^T      of norm 2 |phi'| |v| |L^T v|
 *   SIMILARITY  tau phi' (x x'^T + x' x^T)/2, taken as if its norm were |phi'| |x| |x'|, that of
 *               either ordered pair, which is never less
 *
 * and one that is longer than the clip of the pass is scaled down to it. The mean over ordered
 * pairs is 2 g/(n (n - 1)).
 *
 *   rows     n >= 2 rows of d >= 1 features with labels y, null records last
 *   offset   b
 *   pass     groups   of persons: pairs of records of two of them, weighted; of queries: the sum of
 *                     their means over ordered pairs, halved (NAME_weighted_coeffs)
 *            clip     see above; none with persons and for rows with weights
 *            work     as NAME_form_workspace(n, d, k, pass) says
 *            parts    1 to 256. The rounding of the result depends on their number, never on the
 *                     runner or its threads
 *
 * Arithmetic. A margin is computed from its two records by one fixed chain. So the result is a sum
 * of pair gradients whose weights phi' are taken at slightly different margins. NAME_form_error
 * bounds what is rounded after that. The bits are the same on every tier.
 *
 * Errors zero g: NULL, SIZE (n < 2, nulls > n, d < 1, k < 1, ld < d, parts, d epsilon > 1/4),
 * DOMAIN (no such form, k not d, groups), NO_PROOF (a clip with weights or persons), WORKSPACE
 * (also a clip that is not made), ENVIRONMENT, OVERFLOW (margins or distances could be too large,
 * by rows->radius where it is not 0; else by the rows), NOT_FINITE (an input but a label, or a
 * result). Without rows their size is not known, and g is not touched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_gradient(double *g, dppair_form form,
                                                                     const DPPAIR_ROWS_ *rows,
                                                                     const double *w, size_t k,
                                                                     double offset,
                                                                     const dppair_pass *pass) {
  dppair_status status;
#if DPPAIR_WEIGHTS
  if (g && rows && pass && pass->groups && pass->groups->relation == DPPAIR_WITHIN)
    return DPPAIR_NAME_form_within_(g, form, rows, w, k, offset, pass);
#endif
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_form_gradient, (g, form, rows, w, k, offset, pass));
  return status;
}

/* *risk = the sum of phi whose gradient NAME_form_gradient computes, without a clip and in one part
 * whatever the pass says; arguments, workspace and errors as there. NOT PRIVATE. Errors zero *risk.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_risk_not_private(
    double *risk, dppair_form form, const DPPAIR_ROWS_ *rows, const double *w, size_t k,
    double offset, const dppair_pass *pass) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_form_risk_not_private,
                   (risk, form, rows, w, k, offset, pass));
  return status;
}

/* *bytes = the workspace of NAME_clip_coeffs and NAME_clip_cache for n records of d features,
 * however many are positives; *count = the numbers in a cache of caps, 2 bytes each (count may be
 * NULL). Errors zero both: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_workspace(size_t *bytes, size_t *count,
                                                                      size_t n, size_t d) {
  DPPAIR_NAME_clip_ t;
  if (count) *count = 0;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = DPPAIR_NAME_clip_layout_(&t, NULL, n, 0, d);
  if (count) *count = DPPAIR_NAME_clip_count_(n);
  if (*bytes < SIZE_MAX && (!count || *count < SIZE_MAX)) return DPPAIR_OK;
  *bytes = 0;
  if (count) *count = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/*
 * NAME_coeffs with the gradient of every pair clipped. For linear scores that gradient is phi'(u)
 * (x_i - x_j), i a positive and j a negative, so its weight phi' is held within +-clip/|x_i - x_j|.
 * Then
 *
 *   a[i] = the sum over j of the held weights     b[j] = -the sum over i
 *
 * in double, and X+^T a + X-^T b is the gradient, X the rows with their factors.
 *   sp, sn   scores of either side. They may be those of any scorer, but the distances are those of
 *            the rows
 *   rows     the positives first, null records last, which are not read and have no number here; a
 *            and sp have rows->positives numbers, b and sn the others'
 *   cache    NULL, or count numbers that NAME_clip_cache wrote for these rows and this bound
 *   pass     clip: the longest gradient of a pair; without one none is clipped. work: as
 *            NAME_clip_workspace says
 *
 * No gradient of a pair is longer than clip in exact arithmetic, that of the exact scaled rows
 * included. Squared distances come from inner products; a margin for their cancellation keeps them
 * from being too small, and makes them too large by 2 (d + 16) epsilon (|x|^2 + |x'|^2). For
 * near-duplicates the margin is the larger part: with norms 1 and d = 10 a weight is held within
 * clip/0.0035 in float (clip/1.5e-7 in double) however close the two are. If rows are far from the
 * origin, centre them first, with a public centre. NAME_pairs_gradient computes with differences
 * and has no such floor. A held weight is a function of its two records (and scores) alone. Blocks
 * in which nothing can be clipped, by their largest slope and norms, skip the distances.
 *
 * For a convex loss the clipped gradient is that of a convex loss. Its sensitivity, as a mean over
 * ordered pairs, is at most 2 clip/n when one record is replaced.
 *
 * O(positives negatives d) at the speed of a matrix product, or O(positives negatives) with a
 * cache. Errors zero a and b: NULL, SIZE (ld < d, d epsilon > 1/4, positives > n), DOMAIN (a
 * cache without a clip), WORKSPACE (also a clip that is not made, a cache of another bound or n),
 * ENVIRONMENT, OVERFLOW (a score or distance that is too large), NOT_FINITE. Without rows, or with
 * more positives and nulls than rows, a and b have no size and are not touched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_coeffs(
    double *a, double *b, const DPPAIR_REAL *sp, const DPPAIR_REAL *sn, const DPPAIR_ROWS_ *rows,
    const uint16_t *cache, size_t count, const dppair_pass *pass) {
  DPPAIR_ROWS_ some;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  if (rows->nulls > rows->n) return DPPAIR_ERR_SIZE;
  some = DPT_PRESENT(rows);
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_clip_coeffs, (a, b, sp, sn, &some, cache, count, pass));
  return status;
}

/* NAME_clip_coeffs as a clip calls it. */
DPPAIR_API dppair_status DPPAIR_NAME_clip_run_(double *a, double *b, const void *sp, const void *sn,
                                               const void *rows, const dppair_pass *pass) {
  return DPPAIR_NAME_clip_coeffs(a, b, (const DPPAIR_REAL *)sp, (const DPPAIR_REAL *)sn,
                                 (const DPPAIR_ROWS_ *)rows, NULL, 0, pass);
}

/* Makes *clip a clip of this public bound, with which NAME_gradient and NAME_release clip the
 * gradient of each pair: pass.clip = &clip. Errors zero *clip: those of dppair_clip_init. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_init(dppair_clip *clip, double bound) {
  const dppair_status status = dppair_clip_make_(clip, bound, DPPAIR_NAME_owner_());
  if (status != DPPAIR_OK) return status;
  clip->bytes = DPPAIR_NAME_clip_workspace;
  clip->run = DPPAIR_NAME_clip_run_;
  return DPPAIR_OK;
}

/* Writes the caps clip/|x_i - x_j| to cache[0..count) for many calls of NAME_clip_coeffs: they do
 * not depend on the scores. 2 bytes per pair, rounded down by up to 1/128. count and work: as
 * NAME_clip_workspace says. Like the rows, a cache is private. Errors are those of NAME_clip_coeffs
 * and zero the cache, but one that is too short (WORKSPACE) is not touched; no clip is DOMAIN.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_cache(uint16_t *cache, size_t count,
                                                                  const DPPAIR_ROWS_ *rows,
                                                                  const dppair_pass *pass) {
  DPPAIR_ROWS_ some;
  dppair_status status;
  if (!cache || !rows) return DPPAIR_ERR_NULL;
  some = DPT_PRESENT(rows);
  if (rows->nulls > rows->n) { /* SIZE, once the cache of all rows is zeroed */
    some.n = rows->n;
    some.positives = SIZE_MAX;
  }
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_clip_cache, (cache, count, &some, pass));
  return status;
}

/* *bytes = the workspace of NAME_pairs_gradient for rows of d numbers. Errors zero it: NULL,
 * OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_pairs_workspace(size_t *bytes, size_t d) {
  DPPAIR_NAME_list_ t;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = DPPAIR_NAME_list_layout_(&t, NULL, d);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/*
 * g[0..d) = the sum over k < m of weight[k] times the gradient phi'(u) v of the listed pair (i[k],
 * j[k]) of a linear score, v = row i[k] of rows_a - row j[k] of rows_b, u = <w, v>. A gradient is
 * clipped to the bound of pass->clip before it is weighted. weight NULL means 1.
 *
 * A pair with a null record counts nothing. For pairs within one set, pass it as both. For a random
 * matching, put the records in a random order and pass one half as i and the other as j. O(m d);
 * rows are fetched ahead, distances are those of differences of rows, and g is summed in double.
 * The gradient of a pair, scaled rows and v rounded, is a function of its two records;
 * dppair_pairs_surcharge has the rest. work: as NAME_pairs_workspace says.
 *
 * Errors zero g: NULL, SIZE (an index out of range, d < 1, ld < d, rows of two lengths), WORKSPACE
 * (also a clip that is not made), ENVIRONMENT, OVERFLOW (rows that cannot be addressed; margins or
 * distances could be too large by the radius of a block, where that is not 0), NOT_FINITE (an
 * input, a margin, a distance or a result). Without rows g is not touched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_pairs_gradient(
    double *g, const DPPAIR_ROWS_ *rows_a, const DPPAIR_ROWS_ *rows_b, const DPPAIR_REAL *w,
    const size_t *i, const size_t *j, const double *weight, size_t m, const dppair_pass *pass) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_pairs_gradient,
                   (g, rows_a, rows_b, w, i, j, weight, m, pass));
  return status;
}

/* g[d][d] = the same sum for the pair gradients of a metric (NAME_form_gradient), pair k being
 * records i[k] and j[k] of one block with labels. O(m d^2), in blocks of pairs. work: as
 * NAME_form_workspace(2, d, d, pass) says. Errors as above, and SIZE (d epsilon > 1/4), OVERFLOW (W
 * or the offset). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_pairs(
    double *g, const DPPAIR_ROWS_ *rows, const double *w, double offset, const size_t *i,
    const size_t *j, const double *weight, size_t m, const dppair_pass *pass) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_form_pairs, (g, rows, w, offset, i, j, weight, m, pass));
  return status;
}

/* NAME_form_error, for at most `rows` rows and sums over ordered pairs whose weights are `mass` in
 * sum. With weights of records that of a pair rounds four times more, which the 16 and the 512
 * leave room for. */
DPPAIR_API dppair_status DPPAIR_NAME_form_error_of_(double *error, double rows, double mass,
                                                    size_t d, double radius, double slope,
                                                    double scale) {
  const double u = 0.5 * DBL_EPSILON;
  const double chain = DPPAIR_TEMPLATE_F64_ ? rows : (double)(DPPAIR_TILE_ + DPT_W + 16);
  double relative, tiny;
  if (!error) return DPPAIR_ERR_NULL;
  *error = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (rows < 2.0 || d < 1) return DPPAIR_ERR_SIZE;
  if (!(radius >= 0.0 && slope >= 0.0 && scale >= 0.0) || !dppair_isfinite_f64(radius) ||
      !dppair_isfinite_f64(slope) || !dppair_isfinite_f64(scale))
    return DPPAIR_ERR_DOMAIN;
  relative = 1.01 * (chain * 0.5 * (double)DPT_EPSILON + (4.0 * rows + 512.0) * u);
  if (relative > 0.01) return DPPAIR_ERR_SIZE;
  tiny = rows * rows / mass * (8.0 * (double)d * (1.0 + radius) * (double)DPT_MIN);
  *error = scale * mass * (slope * radius * radius * relative + tiny);
  *error *= 1.0 + 1e-12;
  if (dppair_isfinite_f64(*error)) return DPPAIR_OK;
  *error = 0.0;
  return DPPAIR_ERR_OVERFLOW;
}

/*
 * What arithmetic adds to the sensitivity of a form: *error = an upper bound, from public numbers
 * alone, of the Frobenius norm of
 *
 *   (computed gradient of NAME_form_gradient)
 *     - sum over i < j of (the computed weight) times (the exact v v^T, or its like),
 *
 * for n rows of d numbers of norm at most `radius`, which a factor of a row does not raise (top of
 * the chapter), and weights of size at most `slope`. v v^T is that of the rows as they are rounded.
 * scale is 1 for W and 2 |L|_F for a factor L. A computed weight is a function of its two records
 * alone, within 4 units in the last place of phi' at a margin that differs by rounding. So proofs
 * that use only the range of the weights hold with slope (1 + 4 epsilon). Add *error twice to a
 * sensitivity of the sum for the rest. For n = 1000 it is 0.4 % of that in float (in proportion to
 * n), and 2e-10 in double.
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
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_error(double *error, size_t n, size_t d,
                                                                  double radius, double slope,
                                                                  double scale) {
  const double rows = (double)n;
  return DPPAIR_NAME_form_error_of_(error, rows, rows * rows, d, radius, slope, scale);
}

DPPAIR_FP_END_
