/* ------------------------------------------------------------------------------------------------
 * The functions of an instance of a row-wise loss
 *
 * Written NAME_x in comments and DPPAIR_NAME_x in the code. NOT PRIVATE: gradients are as secret as
 * the records, until a release adds its noise. What is compared, and the losses: shared.h.
 *
 *   #define DPPAIR_NAME simclr
 *   #define DPPAIR_REAL float
 *   #define DPPAIR_LOSS dppair_infonce
 *   #include "dppair_contrast.h"
 *
 *   dppair_contrast how = {0};                  C++: {}
 *   how.compare = DPPAIR_COMPARE_COSINE, how.temperature = 0.1;
 *   how.positives = DPPAIR_POSITIVE_PARTNER, how.partner = partner;     partner[i]: the other view
 *   rows = dppair_rows_make_f32(z, n, d, d);
 *   if (simclr_contrast_gradient(dz, NULL, &rows, NULL, &how, &options) != DPPAIR_OK) return 1;
 *
 * Arithmetic. Products take 6 n^2 d floating-point operations for one set, 10 n m d for two, 12 for
 * two sides; memory is that of the embeddings and a few numbers more for each record, never that of
 * the pairs. A logit is rounded in the type of the instance, by d epsilon |z| |z'|/temperature at
 * most, which is then the relative error of a weight. All else is rounded to within a few epsilon
 * of the sum of the sizes of what is added. Measured with logits of size 10, against the largest
 * number of a gradient: 2e-6 in float (n = 4096, d = 128), 1e-14 in double. The bits do not depend
 * on the tier, the number of parts or the runner.
 *
 * Null records are neither anchors nor candidates, nobody's partner, and have the gradient 0.
 *
 * Errors zero the results: NULL, SIZE (d < 1, ld < d, k < 1, nulls > n, blocks of unequal rows or,
 * for RECORD, of unequal numbers of records that are there, a partner that is no such record, parts
 * not in 1 to 256), DOMAIN (dppair_contrast), NO_PROOF (weights, groups, a clip), WORKSPACE,
 * ENVIRONMENT, OVERFLOW (logits could be too large, by rows->radius where it is not 0; else by the
 * rows), NOT_FINITE (an input or a result). Without rows their size is not known, and results are
 * not touched.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Zeroes the numbers of a result: one for each of the rows. OVERFLOW, NULL. */
DPPAIR_API dppair_status DPPAIR_NAME_contrast_clear_(DPPAIR_REAL *x, const DPPAIR_ROWS_ *rows) {
  const size_t count = dppair_area_(rows->n, rows->d);
  const dppair_status status = dppair_array_(x, count);
  if (status == DPPAIR_OK && count) memset(x, 0, count * sizeof *x);
  return status;
}

/* *bytes = the workspace of NAME_contrast_gradient and NAME_contrast_risk_not_private for n rows of
 * d numbers and `others` more in a second block (0: one set, or an empty block); with an angle, for
 * dppair_contrast_angular(n, others) in their place. Of the options the number of parts is read;
 * NULL: one. Errors zero *bytes: NULL, SIZE, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_workspace(
    size_t *bytes, size_t n, size_t others, size_t d, const dppair_options *options) {
  const size_t parts = options && options->tasks ? options->tasks->count : 1;
  DPPAIR_NAME_contrast_ t;
  size_t needed;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (d < 1 || parts < 1 || parts > DPPAIR_FORM_PARTS_) return DPPAIR_ERR_SIZE;
  needed = DPPAIR_NAME_contrast_sizes_(&t, n, others, 1, 0, d, parts);
  if (needed == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  *bytes = needed;
  return DPPAIR_OK;
}

/* dz[n][d] = the gradient, with respect to the rows times their factors, of the sum of the losses
 * of all anchors; dz_others[m][d] that with respect to the m others. others NULL: the rows are
 * compared with each other, and dz_others is not read. Each number is a sum in double, rounded once
 * to the type of the instance. An anchor without a positive, or without a candidate that is not
 * left out, contributes nothing. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_gradient(
    DPPAIR_REAL *dz, DPPAIR_REAL *dz_others, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others,
    const dppair_contrast *how, const dppair_options *options) {
  DPPAIR_ROWS_ some[2];
  const DPPAIR_NAME_contrast_query_ q = {
      some, others ? some + 1 : NULL, how, options, dz, dz_others, 0};
  DPPAIR_NAME_contrast_ t;
  dppair_status status, second = DPPAIR_OK;
  if (!rows) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_contrast_clear_(dz, rows);
  if (others) second = DPPAIR_NAME_contrast_clear_(dz_others, others);
  if (status == DPPAIR_OK) status = second;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_there_(some, rows, others);
  if (status != DPPAIR_OK) return status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_contrast_compute, (&t, &q));
  if (status != DPPAIR_OK) return status;
  if (DPT_FINITE(dz, rows->n * rows->d) &&
      (!others || DPT_FINITE(dz_others, others->n * others->d)))
    return DPPAIR_OK;
  (void)DPPAIR_NAME_contrast_clear_(dz, rows); /* as above, where it succeeded */
  if (others) (void)DPPAIR_NAME_contrast_clear_(dz_others, others);
  return DPPAIR_ERR_NOT_FINITE;
}

/* *risk = the sum whose gradient that is, in double; workspace and errors as there. NOT PRIVATE. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_risk_not_private(
    double *risk, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const dppair_contrast *how,
    const dppair_options *options) {
  DPPAIR_ROWS_ some[2];
  const DPPAIR_NAME_contrast_query_ q = {some, others ? some + 1 : NULL, how, options, NULL, NULL,
                                         1};
  DPPAIR_NAME_contrast_ t;
  dppair_status status;
  if (!risk) return DPPAIR_ERR_NULL;
  *risk = 0.0;
  if (!rows) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_there_(some, rows, others);
  if (status != DPPAIR_OK) return status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_contrast_compute, (&t, &q));
  if (status != DPPAIR_OK) return status;
  *risk = DPPAIR_NAME_contrast_total_(&t);
  return dppair_finish_(risk, 1);
}

DPPAIR_FP_END_
#undef DPT_LOW
#undef DPT_NONE
