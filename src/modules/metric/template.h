/* ------------------------------------------------------------------------------------------------
 * Forms and listed pairs: the functions of an instance
 *
 * They call the bodies of form_kernels.h and listed.h on the tier of the processor, which check the
 * arguments and zero outputs on an error. Factors of rows and the options: as tiles/template.h
 * says.
 *
 * NOT PRIVATE: gradients are raw material, as secret as the records, until a release adds its
 * noise. A figure has not_private in its name.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* *bytes = the workspace of NAME_form_gradient and NAME_form_risk_not_private for n records of d
 * features and k columns of the result: k = d for a full W, the rank for a factor. It is enough for
 * every form. Of the options the clip, the number of parts and whether there are groups are read;
 * NULL: no clip, one part, none. Errors zero *bytes: NULL, SIZE (n < 2, d < 1, k < 1, parts not in
 * 1 to 256), WORKSPACE (a clip that is not made), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_workspace(
    size_t *bytes, size_t n, size_t d, size_t k, const dppair_options *options) {
  const size_t parts = options && options->tasks ? options->tasks->count : 1;
  DPPAIR_NAME_tiles_ t;
  size_t room;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (n < 2 || d < 1 || k < 1 || parts < 1 || parts > DPPAIR_FORM_PARTS_) return DPPAIR_ERR_SIZE;
  if (dppair_clip_check_(options) != DPPAIR_OK) return DPPAIR_ERR_WORKSPACE;
  *bytes = DPPAIR_NAME_tiles_sizes_(&t, DPPAIR_FORM_FACTOR, DPT_BLOCKS(n), 0, d, k, parts,
                                    options && options->clip, 0, options ? options->groups : NULL);
  room = options && options->groups ? dppair_area_(dppair_area_(d, k), sizeof(double)) : 0;
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
                                                                    const dppair_options *options) {
  const size_t size = dppair_area_(rows->d, k), n = rows->n;
  const dppair_groups *groups = options->groups;
  dppair_options inner = *options;
  size_t needed, q, e;
  double *one;
  dppair_status status = dppair_array_(g, size);
  if (status != DPPAIR_OK) return status;
  if (size) memset(g, 0, size * sizeof *g);
  status = DPPAIR_NAME_form_workspace(&needed, n < 2 ? 2 : n, rows->d, k, options);
  if (status == DPPAIR_OK && options->bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK && !options->work) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK && (rows->ld < rows->d || rows->nulls > n)) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_groups_check_(groups, n - rows->nulls, 0, 1);
  if (status == DPPAIR_OK && n && (!rows->x || !rows->y)) status = DPPAIR_ERR_NULL;
  if (status != DPPAIR_OK) return status;
  one = (double *)(void *)dppair_align_(options->work);
  inner.groups = NULL;
  inner.work = one + size;
  inner.bytes = options->bytes - size * sizeof *one - 64;
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
 * and one that is longer than the clip of the options is scaled down to it. The mean over ordered
 * pairs is 2 g/(n (n - 1)).
 *
 *   rows     n >= 2 rows of d >= 1 features with labels y, null records last
 *   offset   b
 *   options  groups   of users: pairs of records of two of them, weighted; of queries: the sum of
 *                     their means over ordered pairs, halved (NAME_weighted_coeffs)
 *            clip     see above; none with users and for rows with weights
 *            work     as NAME_form_workspace(n, d, k, pass) says
 *            parts    1 to 256. The rounding of the result depends on their number, never on the
 *                     runner or its threads
 *
 * Arithmetic. A margin is computed from its two records by one fixed chain. So the result is a sum
 * of pair gradients whose weights phi' are taken at slightly different margins. NAME_form_error
 * bounds what is rounded after that. The bits are the same on every tier.
 *
 * Errors zero g: NULL, SIZE (n < 2, nulls > n, d < 1, k < 1, ld < d, parts, d epsilon > 1/4),
 * DOMAIN (no such form, k not d, groups), NO_PROOF (a clip with weights or users), WORKSPACE
 * (also a clip that is not made), ENVIRONMENT, OVERFLOW (margins or distances could be too large,
 * by rows->radius where it is not 0; else by the rows), NOT_FINITE (an input but a label, or a
 * result). Without rows their size is not known, and g is not touched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_form_gradient(double *g, dppair_form form, const DPPAIR_ROWS_ *rows, const double *w,
                          size_t k, double offset, const dppair_options *options) {
  dppair_status status;
#if DPPAIR_WEIGHTS
  if (g && rows && options && options->groups && options->groups->relation == DPPAIR_WITHIN)
    return DPPAIR_NAME_form_within_(g, form, rows, w, k, offset, options);
#endif
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_form_gradient, (g, form, rows, w, k, offset, options));
  return status;
}

/* *risk = the sum of phi whose gradient NAME_form_gradient computes, without a clip and in one part
 * whatever the options say; arguments, workspace and errors as there. NOT PRIVATE. Errors zero
 * *risk.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_risk_not_private(
    double *risk, dppair_form form, const DPPAIR_ROWS_ *rows, const double *w, size_t k,
    double offset, const dppair_options *options) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_form_risk_not_private,
                   (risk, form, rows, w, k, offset, options));
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
 * clipped to the bound of options->clip before it is weighted. weight NULL means 1.
 *
 * A pair with a null record counts nothing. For pairs within one set, pass it as both. For a random
 * matching, put the records in a random order and pass one half as i and the other as j. O(m d);
 * rows are fetched ahead, distances are those of differences of rows, and g is summed in double.
 * The gradient of a pair, scaled rows and v rounded, is a function of its two records;
 * dppair_pairs_allowance_ has the rest. work: as NAME_pairs_workspace says.
 *
 * Errors zero g: NULL, SIZE (an index out of range, d < 1, ld < d, rows of two lengths), WORKSPACE
 * (also a clip that is not made), ENVIRONMENT, OVERFLOW (rows that cannot be addressed; margins or
 * distances could be too large by the radius of a block, where that is not 0), NOT_FINITE (an
 * input, a margin, a distance or a result). Without rows g is not touched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_pairs_gradient(double *g, const DPPAIR_ROWS_ *rows_a, const DPPAIR_ROWS_ *rows_b,
                           const DPPAIR_REAL *w, const size_t *i, const size_t *j,
                           const double *weight, size_t m, const dppair_options *options) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_pairs_gradient,
                   (g, rows_a, rows_b, w, i, j, weight, m, options));
  return status;
}

/* g[d][d] = the same sum for the pair gradients of a metric (NAME_form_gradient), pair k being
 * records i[k] and j[k] of one block with labels. O(m d^2), in blocks of pairs. work: as
 * NAME_form_workspace(2, d, d, pass) says. Errors as above, and SIZE (d epsilon > 1/4), OVERFLOW (W
 * or the offset). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_pairs(
    double *g, const DPPAIR_ROWS_ *rows, const double *w, double offset, const size_t *i,
    const size_t *j, const double *weight, size_t m, const dppair_options *options) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_form_pairs, (g, rows, w, offset, i, j, weight, m, options));
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
