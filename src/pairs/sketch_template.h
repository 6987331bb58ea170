/* ------------------------------------------------------------------------------------------------
 * Moments of an instance
 *
 * The steps of near-linear coefficients that read the loss or the element type. A coefficient is a
 * function of its own score and weight and of all records as a set: bits do not depend on their
 * order. Calls that check their arguments are a module: dppair_scale.h.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_

DPPAIR_FP_BEGIN_

/* *bytes = the workspace of moments of this order-free state; it depends on public numbers only.
 * Errors zero it: NULL, WORKSPACE (a state that is not order-free), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sketch_workspace(size_t *bytes,
                                                                        const dppair_fast *fast) {
  return dppair_sketch_bytes_(bytes, fast);
}

/* NAME_sketch of a block of a chunk, without its checks: what it adds is in the words after
 * dppair_sketch_settle_. */
DPPAIR_API void DPPAIR_NAME_sketch_block_(dppair_sketch *m, const DPPAIR_REAL *s, size_t n,
                                          size_t positives, const double *weight,
                                          const dppair_fast *fast) {
  fast->count(m, s, n, positives, weight, fast, !DPPAIR_TEMPLATE_F64_);
  m->count[0] += positives;
  m->count[1] += n - positives;
}

/* NAME_sketch_finish without its checks. */
DPPAIR_API void DPPAIR_NAME_sketch_close_(dppair_sketch *m, const double *params,
                                          const dppair_fast *fast) {
#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_
  const dppair_piece pieces[] = DPPAIR_LOSS_PIECES(params);
  const int count = (int)(sizeof pieces / sizeof *pieces);
#else
  const dppair_piece *pieces = NULL;
  const int count = 0;
#endif
  (void)params;
  fast->close(m, fast, pieces, count, !DPPAIR_TEMPLATE_F64_);
  m->finished = 1;
}

DPPAIR_FP_END_

#endif
