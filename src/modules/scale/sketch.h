/* ------------------------------------------------------------------------------------------------
 * Moments of an instance: coefficients in chunks
 *
 * The near-linear coefficients in two passes over chunks of scores, which may be in any order, on
 * any thread or process, and in any split:
 *
 *   NAME_sums_init(&state, n, accuracy, cap, params, work, bytes)       n records in all
 *   NAME_sketch_open(&m, &state, ..)                                   one in each thread, process
 *   NAME_sketch(&m, s, n, positives, weight, &state)                   for each chunk
 *   dppair_sketch_add(&m, &other)                                      all that travels
 *   NAME_sketch_finish(&m, params, &state)
 *   NAME_coeffs_from_sketch(c, s, n, positives, weight, &m, &state)    for each chunk again
 *
 * A coefficient then is a function of its own score and weight and of all records as a set: bits do
 * not depend on chunks. NOT PRIVATE: moments and coefficients are as secret as the records.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Makes *m the moments of no records, in `bytes` bytes of workspace, which must live as long as *m.
 * The state is only read: threads may share it, but for users (chunks.h). Errors leave *m
 * unusable: NULL, WORKSPACE (too little; a state that is not order-free or of another kind of
 * loss), OVERFLOW, ENVIRONMENT. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sketch_open(dppair_sketch *m,
                                                                   const dppair_fast *fast,
                                                                   void *work, size_t bytes) {
  size_t needed;
  dppair_status status;
  if (!m) return DPPAIR_ERR_NULL;
  memset(m, 0, sizeof *m);
  status = dppair_sketch_bytes_(&needed, fast);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  if (!work) return DPPAIR_ERR_NULL;
  if (bytes < needed || fast->kind != DPPAIR_KIND_) return DPPAIR_ERR_WORKSPACE;
  dppair_sketch_clear_(m, fast, dppair_align_(work));
  return DPPAIR_OK;
}

/*
 * Adds the scores s[0..n) of a chunk to *m, the positives first. A score beyond the state's cap
 * counts as the cap.
 *   weight   of the records, as in dppair_rows, rounded down to multiples of 2^-50 (of piecewise
 *            linear losses: see grid.h); NULL: all 1
 *   n        0 or more; with what was added before at most the n of NAME_sums_init (SIZE)
 *
 * Errors: NULL, SIZE (also more positives than records), DOMAIN (*m is finished), WORKSPACE (not
 * open, or opened for another state), ENVIRONMENT leave *m as it is. NOT_FINITE (a score): nothing
 * can be done with *m any more.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sketch(dppair_sketch *m,
                                                              const DPPAIR_REAL *s, size_t n,
                                                              size_t positives,
                                                              const double *weight,
                                                              const dppair_fast *fast) {
  dppair_status status = dppair_sketch_check_(m, fast);
  if (status == DPPAIR_OK && !s && n) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK && (positives > n || fast->kind != DPPAIR_KIND_))
    status = positives > n ? DPPAIR_ERR_SIZE : DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK) status = dppair_sketch_room_(m, fast, n);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK || n == 0) return status;
  if (!DPT_FINITE(s, n)) {
    m->finished = -1;
    return DPPAIR_ERR_NOT_FINITE;
  }
  DPPAIR_NAME_sketch_block_(m, s, n, positives, weight, fast);
  dppair_sketch_settle_(m, fast);
  return DPPAIR_OK;
}

/* Prepares *m, which has all records, for NAME_coeffs_from_sketch. From then on it is only read,
 * and threads may share it. A process that has the words of another and its counts
 * needs no more of it. Errors leave *m as it is: NULL, WORKSPACE (as NAME_sketch; a state of
 * another loss or other parameters), DOMAIN (it is finished), SIZE (more records than the state's
 * n), ENVIRONMENT. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sketch_finish(dppair_sketch *m,
                                                                     const double *params,
                                                                     const dppair_fast *fast) {
  dppair_status status = dppair_sketch_check_(m, fast);
  if (status == DPPAIR_OK && !DPPAIR_NAME_fast_is_own_(fast, params)) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK) status = dppair_sketch_room_(m, fast, 0);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  DPPAIR_NAME_sketch_close_(m, params, fast);
  return DPPAIR_OK;
}

/*
 * c[i] = a of NAME_coeffs for i < positives, b for the others, of a chunk of n records among all
 * those in *m: sums over partners in all chunks, times the own weight. The error is that of the
 * state: f->kernel_error per pair, and dppair_sketch_rounding_.
 *   m        finished; s, weight as NAME_sketch had them
 *
 * Errors zero c: NULL, SIZE (more positives than records), DOMAIN (*m is not finished), WORKSPACE,
 * ENVIRONMENT, NOT_FINITE (a score or a result; then a slope overflows).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs_from_sketch(
    double *c, const DPPAIR_REAL *s, size_t n, size_t positives, const double *weight,
    const dppair_sketch *m, const dppair_fast *fast) {
  dppair_status status = dppair_zero_(c, n, NULL, 0);
  if (status == DPPAIR_OK) status = dppair_sketch_check_(m, fast);
  if (status == DPPAIR_OK && !s && n) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK && positives > n) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK && fast->kind != DPPAIR_KIND_) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK && !m->finished) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK || n == 0) return status;
  if (!DPT_FINITE(s, n)) return DPPAIR_ERR_NOT_FINITE;
  fast->read(c, s, n, positives, weight, m, fast, !DPPAIR_TEMPLATE_F64_);
  return dppair_settle_(DPPAIR_OK, c, n, NULL, 0);
}

DPPAIR_FP_END_
