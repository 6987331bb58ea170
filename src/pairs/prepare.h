/* ------------------------------------------------------------------------------------------------
 * The prepared states of an instance
 *
 * NAME_fast_init and NAME_sums_init, and the functions that they put into a state. Public
 * functions, written NAME_x in comments and DPPAIR_NAME_x in the code. grid.h and sketch.h
 * compute, sketch_template.h and chunked.h have the functions that take such a state.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_

DPPAIR_FP_BEGIN_

/* What a state calls. */
DPPAIR_API dppair_status DPPAIR_NAME_fast_gradient_(double *g, const void *rows, const void *w,
                                                    const dppair_options *options) {
  return DPPAIR_NAME_chunked_gradient_(g, (const DPPAIR_ROWS_ *)rows, (const DPPAIR_REAL *)w,
                                       options);
}
DPPAIR_API dppair_status DPPAIR_NAME_fast_coeffs_(double *a, double *b, const void *sp, size_t np,
                                                  const void *sn, size_t nn, const double *params,
                                                  const dppair_fast *f,
                                                  const double *const *weight) {
  return DPPAIR_NAME_fast_run_(a, b, (const DPPAIR_REAL *)sp, np, (const DPPAIR_REAL *)sn, nn,
                               params, f, weight);
}
DPPAIR_API int DPPAIR_NAME_fast_own_(const dppair_fast *f, const double *params, int proved) {
  return proved ? DPPAIR_NAME_fast_is_proved_(f, params) : DPPAIR_NAME_fast_is_own_(f, params);
}

/* The end of each init: what every state calls, and the digests; what one without order calls. */
DPPAIR_API void DPPAIR_NAME_fast_seal_(dppair_fast *f, const double *params) {
  f->owner = DPPAIR_NAME_owner_();
  f->coeffs = DPPAIR_NAME_fast_coeffs_;
  f->own = DPPAIR_NAME_fast_own_;
  f->probe = DPPAIR_NAME_probe_;
  dppair_fast_seal_(f, DPPAIR_NAME_fast_loss_(params));
}
DPPAIR_API void DPPAIR_NAME_sums_seal_(dppair_fast *f, const double *params) {
  f->bytes = DPPAIR_NAME_chunked_workspace_;
  f->gradient = DPPAIR_NAME_fast_gradient_;
  f->allowance = dppair_sums_allowance_;
  DPPAIR_NAME_fast_seal_(f, params);
}

#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_

/* *bytes = the workspace of NAME_fast_init for at most n records. Errors zero it: NULL, OVERFLOW (n
 * beyond 2^30 or any memory), DOMAIN (cap not positive). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_fast_workspace(size_t *bytes, size_t n,
                                                                      dppair_accuracy accuracy,
                                                                      double cap,
                                                                      const double *params) {
  (void)accuracy;
  (void)params;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (n > SIZE_MAX / 64 || n > UINT32_MAX / 4) return DPPAIR_ERR_OVERFLOW;
  if (!dppair_isfinite_f64(cap) || cap <= 0.0) return DPPAIR_ERR_DOMAIN;
  *bytes = dppair_grid_bytes_(n);
  return DPPAIR_OK;
}

/* Prepares *f for at most n records in `bytes` bytes of workspace, which must live as long as *f is
 * used. Scores beyond +-cap will count as the cap. The accuracy is not used: results are exact. On
 * an error *f is unusable, and calls with it say so: NULL, ENVIRONMENT, WORKSPACE, those of
 * NAME_fast_workspace. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_fast_init(dppair_fast *f, size_t n,
                                                                 dppair_accuracy accuracy,
                                                                 double cap, const double *params,
                                                                 void *work, size_t bytes) {
  size_t needed;
  dppair_status status;
  if (!f) return DPPAIR_ERR_NULL;
  memset(f, 0, sizeof *f);
  if (!work) return DPPAIR_ERR_NULL;
  status = dppair_environment_check();
  if (status == DPPAIR_OK) status = DPPAIR_NAME_fast_workspace(&needed, n, accuracy, cap, params);
  if (status != DPPAIR_OK) return status;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
  f->kind = DPPAIR_KIND_PIECEWISE_;
  f->run = dppair_pieces_run_;
  f->capacity = n;
  f->most = n;
  f->score_cap = cap;
  f->work = (double *)(void *)dppair_align_(work);
  f->weight = DPPAIR_NAME_fast_weight_(cap, params);
  DPPAIR_NAME_fast_seal_(f, params);
  return DPPAIR_OK;
}

/* *bytes = the workspace of NAME_sums_init of a piecewise linear loss: at most 2 MB. Errors zero
 * it: those of NAME_sums_init. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sums_workspace(size_t *bytes, uint64_t n,
                                                                      dppair_accuracy accuracy,
                                                                      double cap,
                                                                      const double *params) {
  dppair_fast f;
  dppair_status status;
  (void)params;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = dppair_cell_plan_(&f, accuracy, cap, n);
  if (status == DPPAIR_OK) *bytes = (f.words + f.room) * sizeof(double) + 64;
  return status;
}

/*
 * Prepares *f as NAME_fast_init does, but order-free: what it computes of at most n records, in all
 * chunks together, does not depend on the chunks or their order. Of a piecewise linear loss:
 *
 *   Scores are held within +-cap and rounded to a grid of at most 2^16 + 1 points, multiples of a
 *   power of two between cap 2^-15 and cap 2^-14, so that a margin moves by no more than that,
 *   or twice that where a score is next to the cap.
 *   Pairs are summed exactly at the rounded scores; kernel_error is 0. So give a cap that scores
 *   come near. accuracy: DPPAIR_ACCURACY_1E6 takes 2^12 + 1 points, hence margins that move by 16
 *   times as much, but 64 KB instead of 1 MB of dppair_sketch, which is what travels between
 *   machines: as many bytes for few records as for many. Measured: 100 steps of the hinge at a cap
 *   of 8 move the AUC of Pima and Adult by 2e-6 at most, on 2^12 points by 3e-5. About 0.5 ms a
 *   step do not depend on n; from 10^5 records on it is faster than sorting.
 *   Weights count as multiples of 2^-B, rounded down: B = 50 for n < 2^13 and one less for each
 *   doubling beyond, 33 for a billion records.
 *
 * On an error *f is unusable, and calls with it say so: NULL, ENVIRONMENT, WORKSPACE; DOMAIN (the
 * accuracy; a cap that is not within 1e-30 and 1e30), SIZE (n beyond 2^43).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sums_init(dppair_fast *f, uint64_t n,
                                                                 dppair_accuracy accuracy,
                                                                 double cap, const double *params,
                                                                 void *work, size_t bytes) {
  const dppair_piece pieces[] = DPPAIR_LOSS_PIECES(params);
  size_t needed;
  dppair_status status;
  (void)params;
  if (!f) return DPPAIR_ERR_NULL;
  memset(f, 0, sizeof *f);
  if (!work) return DPPAIR_ERR_NULL;
  status = dppair_environment_check();
  if (status == DPPAIR_OK) status = DPPAIR_NAME_sums_workspace(&needed, n, accuracy, cap, params);
  if (status == DPPAIR_OK && bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK) status = dppair_cell_plan_(f, accuracy, cap, n);
  if (status != DPPAIR_OK) return status;
  f->work = (double *)(void *)dppair_align_(work);
  f->weight = DPPAIR_NAME_fast_weight_(cap, params);
  f->slope = dppair_cell_slope_(pieces, (int)(sizeof pieces / sizeof *pieces), 2.0 * cap) +
             (double)FLT_EPSILON * f->weight; /* rounded knots, and sums */
  f->run = dppair_sketch_run_;
  f->count = dppair_cell_count_;
  f->close = dppair_cell_close_;
  f->read = dppair_cell_read_;
  DPPAIR_NAME_sums_seal_(f, params);
  return DPPAIR_OK;
}

#endif

#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_

/* *bytes = the workspace of NAME_sums_init; for an analytic loss it depends on the cap, not on n.
 * Errors zero it: NULL, DOMAIN (the accuracy, the cap or the parameters of the loss are out of
 * range), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sums_workspace(size_t *bytes, uint64_t n,
                                                                      dppair_accuracy accuracy,
                                                                      double cap,
                                                                      const double *params) {
  const dppair_poles poles = DPPAIR_LOSS_POLES(params);
  dppair_fast f;
  dppair_status status;
  (void)params;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = dppair_box_plan_(&f, poles, accuracy, cap);
  if (status != DPPAIR_OK) return status;
  dppair_boxes_sums_(&f, n);
  status = dppair_sketch_bytes_(bytes, &f);
  if (status == DPPAIR_OK) *bytes += dppair_box_table_(&f) * sizeof(double);
  return status;
}

/*
 * Prepares *f in `bytes` bytes of workspace, which must live as long as *f is used. This takes
 * about as long as one call with a few thousand records, so do it once. The state of an analytic
 * loss is order-free: what it sums has the same bits for any order of the records, any split, any
 * number of threads or processes (chunked.h, dppair_scale.h).
 *   n        a public bound of the number of records, in all chunks together
 *   cap      public; scores beyond +-cap will count as the cap. The time and the memory of few
 *            records grow with it, 0.7 KB (at 8 terms half of that) per cap
 * f->slope is then a public bound of |K|, what a coefficient is bounded by per partner. On an error
 * *f is unusable, and calls with it say so: NULL, ENVIRONMENT (also where the C library's fma() is
 * not exact), WORKSPACE, those of NAME_sums_workspace.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sums_init(dppair_fast *f, uint64_t n,
                                                                 dppair_accuracy accuracy,
                                                                 double cap, const double *params,
                                                                 void *work, size_t bytes) {
  const dppair_poles poles = DPPAIR_LOSS_POLES(params);
  size_t needed;
  double zero, most;
  dppair_status status;
  (void)params;
  if (!f) return DPPAIR_ERR_NULL;
  memset(f, 0, sizeof *f);
  if (!work) return DPPAIR_ERR_NULL;
  status = dppair_environment_check();
  if (status == DPPAIR_OK) status = DPPAIR_NAME_sums_workspace(&needed, n, accuracy, cap, params);
  if (status == DPPAIR_OK && bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK) status = dppair_fma_check_();
  if (status == DPPAIR_OK) status = dppair_box_plan_(f, poles, accuracy, cap);
  if (status != DPPAIR_OK) {
    memset(f, 0, sizeof *f);
    return status;
  }
  dppair_boxes_sums_(f, n);
  f->table = (double *)(void *)dppair_align_(work);
  f->work = f->table + dppair_box_table_(f);
  DPPAIR_NAME_fast_limits_(f, DPPAIR_NAME_slopes_, poles.distance, params);
  DPPAIR_NAME_fast_table_(f, DPPAIR_NAME_slopes_, params);
  /* a logistic slope is between its limits, its derivative between that at 0 and its limit */
  zero = dppair_fabs_(f->table[f->reach * f->terms * f->stride]) + f->kernel_error;
  most =
      dppair_fabs_(f->low) > dppair_fabs_(f->high) ? dppair_fabs_(f->low) : dppair_fabs_(f->high);
  f->slope = ((most > zero ? most : zero) + f->kernel_error) * (1.0 + 8.0 * DBL_EPSILON);
  DPPAIR_NAME_sums_seal_(f, params);
  return DPPAIR_OK;
}

/* The same two, for a loss of either kind: here the state without order is the only one. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_fast_workspace(size_t *bytes, size_t n,
                                                                      dppair_accuracy accuracy,
                                                                      double cap,
                                                                      const double *params) {
  return DPPAIR_NAME_sums_workspace(bytes, n, accuracy, cap, params);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_fast_init(dppair_fast *f, size_t n,
                                                                 dppair_accuracy accuracy,
                                                                 double cap, const double *params,
                                                                 void *work, size_t bytes) {
  return DPPAIR_NAME_sums_init(f, n, accuracy, cap, params, work, bytes);
}

#endif

DPPAIR_FP_END_

#endif
