/* ------------------------------------------------------------------------------------------------
 * Losses of whole rows: triplets
 *
 * L is the SUM of phi(s_ap - s_an - margin) over anchors a and the pairs of a positive p and a
 * negative n of a that dppair_contrast.triples names, s = similarity/temperature - offset:
 *
 *   DPPAIR_TRIPLES_ALL        every p and n
 *   DPPAIR_TRIPLES_SEMI_HARD  for every p one n: the most similar of those less similar than p or,
 *                             if there is none, the least similar of all (the rule of TensorFlow's
 *                             triplet_semihard_loss; s_an < s_ap without the margin)
 *   DPPAIR_TRIPLES_HARDEST    for every a one pair: the least similar p, the most similar n
 *   DPPAIR_TRIPLES_LIFTED     no triplets, but pairs of equal labels: the sum over pairs i < j of
 *                             phi(-J), J = ln(sum over n of i of e^(margin + s_in) + the same of
 *                             j) - s_ij (Oh Song et al. 2016, (4): phi dppair_triplet_squared,
 *                             DPPAIR_COMPARE_EUCLIDEAN; their mean divides by the number of pairs)
 *
 * A positive of an anchor is what dppair_contrast.positives says, every other candidate is a
 * negative, and a record is neither of itself. An anchor without one of both adds nothing. Sums,
 * not means: the number of triplets is as private as the labels, that of active ones as private as
 * the rows; a release divides by what is public.
 *
 * Equal similarities: where a triplet is one of several equally hard ones, each has an equal share,
 * which is a subgradient of the maximum. A distance DPPAIR_COMPARE_EUCLIDEAN of two equal records
 * has the gradient 0, and phi the slope that its L_SLOPE says.
 *
 * Cost, for n anchors and candidates of d numbers: 6 n^2 d flops for products (lifted: 10) and, of
 * an anchor with P positives and N negatives, O(P N) for slopes in vectors, or where a piecewise
 * linear slope can be sorted and P N is large O((P + N) log(P + N)). Memory O(n): for n = 10^5, d =
 * 64 and one part 49 MB (float).
 *
 * NOT PRIVATE: gradients and risks are as secret as the records.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* *bytes = the workspace of NAME_contrast_gradient and NAME_contrast_risk_not_private for n rows of
 * d numbers and `others` more in a second block (0: one set, or an empty block). Of the options the
 * number of parts is read; NULL: one. Errors zero *bytes: NULL, SIZE, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_workspace(
    size_t *bytes, size_t n, size_t others, size_t d, const dppair_options *options) {
  const size_t parts = options && options->tasks ? options->tasks->count : 1;
  DPPAIR_NAME_triplet_ t;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (d < 1 || parts < 1 || parts > DPPAIR_FORM_PARTS_) return DPPAIR_ERR_SIZE;
  *bytes = DPPAIR_NAME_triplet_sizes_(&t, n, others, others == 0, d, parts);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/*
 * dz[n][d] = dL/dz of the embeddings z, the rows times their factors; dz_others the same of the
 * candidates `others`, which have their own labels. NULL for both: the rows are the candidates.
 *
 * rows->y, others->y: labels, for DPPAIR_POSITIVE_LABEL. options: params, parts, work as
 * NAME_contrast_workspace says. Every sum over records is in double (float: of chains of up to 48
 * numbers in float, added with 48 bits). The same bits for any number of parts.
 *
 * Errors zero both: NULL; SIZE (d, ld, parts, a partner that is no candidate, fewer others than
 * rows for DPPAIR_POSITIVE_RECORD); DOMAIN (temperature not positive and finite, margin, what is
 * compared, two_sided, an angle, triples; DPPAIR_POSITIVE_RECORD of one set; lifted of two sets,
 * with offsets or without labels); NO_PROOF (weights, groups, a clip); WORKSPACE; OVERFLOW
 * (similarities, 1/temperature or a margin beyond 1/64 of the type, sizes); ENVIRONMENT; NOT_FINITE
 * (an input or a result).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_gradient(
    DPPAIR_REAL *dz, DPPAIR_REAL *dz_others, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others,
    const dppair_contrast *contrast, const dppair_options *options) {
  DPPAIR_NAME_triplet_ t;
  DPPAIR_ROWS_ some[2];
  size_t size[2], k;
  DPPAIR_REAL *const out[2] = {dz, dz_others};
  dppair_status status = DPPAIR_OK;
  if (!rows) return DPPAIR_ERR_NULL;
  size[0] = dppair_area_(rows->n, rows->d);
  size[1] = others ? dppair_area_(others->n, others->d) : 0;
  for (k = 0; k < 2; k++) {
    if (size[k] > SIZE_MAX / sizeof(double)) return DPPAIR_ERR_OVERFLOW;
    if (out[k])
      memset(out[k], 0, size[k] * sizeof(DPPAIR_REAL));
    else if (size[k])
      status = DPPAIR_ERR_NULL;
  }
  if (!contrast || !options) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_there_(some, rows, others);
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_triplet_open_(&t, dz, dz_others, some, others ? some + 1 : NULL, contrast,
                                       options);
  if (status != DPPAIR_OK) return status;
  DPPAIR_DISPATCH_(DPPAIR_NAME_triplet_run, (&t, 0, options->tasks));
  if ((size[0] == 0 || DPT_FINITE(dz, size[0])) && (size[1] == 0 || DPT_FINITE(dz_others, size[1])))
    return DPPAIR_OK;
  for (k = 0; k < 2; k++)
    if (out[k]) memset(out[k], 0, size[k] * sizeof(DPPAIR_REAL));
  return DPPAIR_ERR_NOT_FINITE;
}

/* *risk = L of the same arguments, by loops over all triplets. NOT PRIVATE. Errors zero it, as
 * above. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_risk_not_private(
    double *risk, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others,
    const dppair_contrast *contrast, const dppair_options *options) {
  DPPAIR_NAME_triplet_ t;
  DPPAIR_ROWS_ some[2];
  dppair_status status;
  size_t i;
  if (!risk) return DPPAIR_ERR_NULL;
  *risk = 0.0;
  if (!rows || !contrast || !options) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_there_(some, rows, others);
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_triplet_open_(&t, NULL, NULL, some, others ? some + 1 : NULL, contrast,
                                       options);
  if (status != DPPAIR_OK) return status;
  DPPAIR_DISPATCH_(DPPAIR_NAME_triplet_run, (&t, 1, options->tasks));
  for (i = 0; i < t.n; i++) *risk += t.value[i];
  return dppair_finish_(risk, 1);
}

DPPAIR_FP_END_
#undef DPT_STRIP_
#undef DPT_SHORT_
#undef DPT_VECTOR_
#undef DPPAIR_SORTED_
