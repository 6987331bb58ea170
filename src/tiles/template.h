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
 * The pass: params, parts, work and bytes as in dppair_options; of `clip` only the bound is read,
 * and each function says what it cuts; `fast` is not read. Public arguments are checked before a
 * record is read. After that, and where rows->radius is right and not 0, the only errors are those
 * of numbers that are not finite.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

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
 *   options  clip: the longest gradient of a pair; without one none is clipped. work: as
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
    const uint16_t *cache, size_t count, const dppair_options *options) {
  DPPAIR_ROWS_ some;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  if (rows->nulls > rows->n) return DPPAIR_ERR_SIZE;
  some = DPT_PRESENT(rows);
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_clip_coeffs, (a, b, sp, sn, &some, cache, count, options));
  return status;
}

/* NAME_clip_coeffs as a clip calls it. */
DPPAIR_API dppair_status DPPAIR_NAME_clip_run_(double *a, double *b, const void *sp, const void *sn,
                                               const void *rows, const dppair_options *options) {
  return DPPAIR_NAME_clip_coeffs(a, b, (const DPPAIR_REAL *)sp, (const DPPAIR_REAL *)sn,
                                 (const DPPAIR_ROWS_ *)rows, NULL, 0, options);
}

/* Makes *clip a clip of this public bound, with which NAME_gradient and NAME_release clip the
 * gradient of each pair: options.clip = &clip. Errors zero *clip: those of dppair_clip_init. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_init(dppair_clip *clip, double bound) {
  const dppair_status status = dppair_clip_make_(clip, bound, DPPAIR_NAME_owner_());
  if (status != DPPAIR_OK) return status;
  clip->bytes = DPPAIR_NAME_clip_workspace;
  clip->run = DPPAIR_NAME_clip_run_;
  clip->probe = DPPAIR_NAME_probe_;
  return DPPAIR_OK;
}

/* Writes the caps clip/|x_i - x_j| to cache[0..count) for many calls of NAME_clip_coeffs: they do
 * not depend on the scores. 2 bytes per pair, rounded down by up to 1/128. count and work: as
 * NAME_clip_workspace says. Like the rows, a cache is private. Errors are those of NAME_clip_coeffs
 * and zero the cache, but one that is too short (WORKSPACE) is not touched; no clip is DOMAIN.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_cache(uint16_t *cache, size_t count,
                                                                  const DPPAIR_ROWS_ *rows,
                                                                  const dppair_options *options) {
  DPPAIR_ROWS_ some;
  dppair_status status;
  if (!cache || !rows) return DPPAIR_ERR_NULL;
  some = DPT_PRESENT(rows);
  if (rows->nulls > rows->n) { /* SIZE, once the cache of all rows is zeroed */
    some.n = rows->n;
    some.positives = SIZE_MAX;
  }
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_clip_cache, (cache, count, &some, options));
  return status;
}

DPPAIR_FP_END_
