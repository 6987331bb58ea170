/* ------------------------------------------------------------------------------------------------
 * The gradient of an instance for linear scores
 *
 * From rows to a gradient: scores, coefficients by one of the ways of pairs/ or clipped ones of
 * this folder, X^T c. Public functions, written NAME_x in comments and DPPAIR_NAME_x in the code.
 * NOT PRIVATE: such a gradient is raw material, as secret as the records; NAME_release adds noise.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Sets the arrays of *r to their places in the workspace at base (NULL: to NULL): the coefficients
 * of either side, two sums of d numbers for each part, the scores of either side, the workspace of
 * clipped coefficients (`clip` bytes at *rest). Returns the bytes used, SIZE_MAX on overflow. */
DPPAIR_API size_t DPPAIR_NAME_gradient_layout_(dppair_linear_ *r, void **rest, char *base, size_t n,
                                               size_t np, size_t clip) {
  size_t used = 0;
  r->c[0] = (double *)dppair_take_(base, &used, n, sizeof(double));
  r->g = (double *)dppair_take_(base, &used, dppair_area_(dppair_area_(r->parts, 2), r->d),
                                sizeof(double));
  r->s[0] = dppair_take_(base, &used, n, sizeof(DPPAIR_REAL));
  *rest = dppair_take_(base, &used, clip, 1);
  if (base) {
    r->c[1] = r->c[0] + np;
    r->s[1] = (DPPAIR_REAL *)r->s[0] + np;
  }
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* *clip = the bytes that clipped coefficients, or those of groups, take for n records, however many
 * of them are positives; 0 where pairs are not clipped and all count. SIZE (parts 0), WORKSPACE (a
 * clip that NAME_clip_init of this instance did not make), NO_PROOF (a clip, and groups), OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_gradient_clip_(size_t *clip, size_t n, size_t d, const dppair_options *options) {
  *clip = 0;
  if (options->tasks && options->tasks->count == 0) return DPPAIR_ERR_SIZE;
  if (dppair_clip_check_(options) != DPPAIR_OK) return DPPAIR_ERR_WORKSPACE;
  if (options->groups && (options->clip || !DPPAIR_WEIGHTS)) return DPPAIR_ERR_NO_PROOF;
  if (options->clip && !DPT_DENSE) return DPPAIR_ERR_NO_PROOF;
  if (options->clip)
    return options->clip->owner == DPPAIR_NAME_owner_() ? options->clip->bytes(clip, NULL, n, d)
                                                        : DPPAIR_ERR_WORKSPACE;
  if (options->groups) *clip = dppair_area_(n, 2 * sizeof(double));
  if (*clip > SIZE_MAX - 64) return DPPAIR_ERR_OVERFLOW;
  *clip += options->groups ? 64 : 0;
  return DPPAIR_OK;
}

/* *bytes = the workspace of NAME_gradient for n records of d numbers and this pass, of which clip,
 * parts and whether there are groups are read. It does not depend on how many are positives. Errors
 * zero it: NULL, SIZE (parts 0), WORKSPACE (a clip that NAME_clip_init of this instance did not
 * make), NO_PROOF (a clip, and groups), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_workspace(size_t *bytes, size_t n, size_t d,
                                                                 const dppair_options *options) {
  dppair_linear_ r;
  size_t clip;
  void *rest;
  dppair_status status;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (!options) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_gradient_clip_(&clip, n, d, options);
  if (status != DPPAIR_OK) return status;
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  if (DPPAIR_NAME_is_chunked_(options))
    return options->fast->owner == DPPAIR_NAME_owner_() && options->fast->bytes
               ? options->fast->bytes(bytes, n, d, options)
               : DPPAIR_ERR_WORKSPACE;
#endif
  memset(&r, 0, sizeof r);
  r.d = d;
  r.parts = options->tasks ? options->tasks->count : 1;
  *bytes = DPPAIR_NAME_gradient_layout_(&r, &rest, NULL, n, 0, clip);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* Checks the arguments of NAME_gradient, but for what is in the rows. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_gradient_check_(
    const DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w, const dppair_options *options) {
  const size_t n = rows->n, d = rows->d, np = rows->positives;
  size_t needed;
  dppair_status status;
  if (!options || (!w && d)) return DPPAIR_ERR_NULL;
  if (rows->weight && (options->clip || !DPPAIR_WEIGHTS)) return DPPAIR_ERR_NO_PROOF;
  status = dppair_rows_check_ROW_(rows);
  if (status != DPPAIR_OK) return status;
  if (rows->nulls > n || np > n - rows->nulls) return DPPAIR_ERR_SIZE;
  status = DPPAIR_NAME_workspace(&needed, n, d, options);
  if (status != DPPAIR_OK) return status;
  if (!options->work) return DPPAIR_ERR_NULL;
  if (options->bytes < needed) return DPPAIR_ERR_WORKSPACE;
  status = dppair_environment_check();
  if (status == DPPAIR_OK) status = DPT_REACH(w, d, rows->radius);
  if (status == DPPAIR_OK && options->groups)
    status = dppair_groups_check_(options->groups, np, n - rows->nulls - np, 0);
  return status;
}

/* The same, and lays *r, of the records that are there, and the workspace of clipped coefficients
 * (*inner) out. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_gradient_open_(dppair_linear_ *r, dppair_options *inner, const DPPAIR_ROWS_ *rows,
                           const DPPAIR_REAL *w, const dppair_options *options) {
  const size_t np = rows->positives;
  size_t n = rows->n, clip;
  dppair_status status = DPPAIR_NAME_gradient_check_(rows, w, options);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_gradient_clip_(&clip, n, rows->d, options);
  if (status != DPPAIR_OK) return status;
  n -= rows->nulls;
  memset(r, 0, sizeof *r);
  r->rows = rows;
  r->w = w;
  r->n[0] = np;
  r->n[1] = n - np;
  r->d = rows->d;
  r->parts = options->tasks ? options->tasks->count : 1;
  *inner = *options;
  inner->bytes = clip;
  (void)DPPAIR_NAME_gradient_layout_(r, &inner->work, dppair_align_(options->work), n, np, clip);
  return DPPAIR_OK;
}

/* The rest of a gradient whose scores are there: their coefficients, in the way that the options
 * say, and X^T c. inner: the pass with the workspace of these coefficients. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_gradient_rest_(double *g, dppair_linear_ *r, const dppair_options *inner,
                           const DPPAIR_ROWS_ *rows, const dppair_options *options) {
  dppair_executor *run =
      options->tasks && options->tasks->run ? options->tasks->run : dppair_run_serial;
  const DPPAIR_REAL *sp, *sn;
  dppair_status status;
  sp = (const DPPAIR_REAL *)r->s[0];
  sn = (const DPPAIR_REAL *)r->s[1];
#if DPPAIR_WEIGHTS
  if (rows->weight || options->groups)
    status = DPPAIR_NAME_weighted_coeffs(r->c[0], r->c[1], sp, r->n[0], sn, r->n[1], rows->weight,
                                         inner);
  else
#endif
      if (options->clip)
    status = options->clip->run(r->c[0], r->c[1], sp, sn, rows, inner);
  else
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
      if (options->fast) {
    status = DPPAIR_NAME_fast_ready_(options->fast, options->params, 0);
    if (status == DPPAIR_OK)
      status = options->fast->coeffs(r->c[0], r->c[1], sp, r->n[0], sn, r->n[1], options->params,
                                     options->fast, NULL);
  } else
#endif
    status = DPPAIR_NAME_coeffs(r->c[0], r->c[1], sp, r->n[0], sn, r->n[1], options->params);
  if (status != DPPAIR_OK) return status;
  run(DPPAIR_NAME_linear_combine_, r, r->parts, options->tasks ? options->tasks->self : NULL);
  if (r->d) dppair_tasks_join(r->g, r->d, 2 * r->parts);
  if (r->d) memcpy(g, r->g, r->d * sizeof *g);
  return dppair_finish_(g, r->d);
}

/*
 * g[0..d) = the sum over all positives i and negatives j of phi'(<v, w>) v, v = x_i - x_j: the
 * gradient in w of the sum of phi over all pairs, for the linear score <x, w>.
 *   rows     n records of d numbers, the positives first, null records last; y is not read. A row
 *            x_i is factor[i] times what is stored, exactly; its score is factor[i] times the
 *            computed product with w, rounded
 *   w        d numbers
 *   options  clip, if given, is one from NAME_clip_init: each pair's gradient is clipped to its
 *            bound first (NAME_clip_coeffs, whose bounds and errors hold; fast is not read).
 *            Otherwise fast, if given, is a state from NAME_fast_init or NAME_sums_init of this
 *            instance, and the near-linear coefficients are taken
 *            (NAME_coeffs_fast); a loss without such an algorithm does not read it. With an
 *            order-free one, which that of an analytic loss is, X^T c is a sum of integers too: no
 *            order, split or number of parts changes a bit of g, and the rows need a radius; groups
 *            are users, or queries of an analytic loss, whose X^T c is one of doubles. Otherwise
 *            the loops run (NAME_coeffs)
 *            groups: which pairs count, and how (NAME_weighted_coeffs): what is summed is then
 *            weighted by users, or divided for each query. So are rows with weights. Neither has
 *            a clip
 *            parts: how the work is cut, and who runs it
 *            work: `bytes` bytes, at least what NAME_workspace says
 *
 * The way of computing is chosen by the pass, never by the number of records. A batch of 128 has a
 * neighbour of 127; between two kinds of arithmetic the slope of EVERY pair would move, by a whole
 * slope at a kink, and no figure covers that. With a prepared state, fewer than 64 records take up
 * to three times the time of the loops, but about a microsecond (10 where the scores spread over
 * hundreds of boxes).
 *
 * g is summed in double and neither divided nor noised: divide by n(n-1) or another public number,
 * and see NAME_allowance for its sensitivity. Errors zero g, if rows are given: NULL, SIZE (ld < d,
 * more positives than records that are there, nulls > n, parts 0, places of groups, more records
 * than the state is for), DOMAIN (groups), NO_PROOF (a clip with weights or groups), WORKSPACE (too
 * little; a clip or a state that is not prepared, or by another instance), ENVIRONMENT, NOT_FINITE
 * (w, a score or a result), OVERFLOW (radius |w| above 1e150, for float 1e18; sizes; numbers too
 * large to be clipped). With rows from dppair_rows_clip no status depends on a record, unless
 * slopes overflow at margins within 2 radius |w| (those of the exponential loss).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_gradient(double *g, const DPPAIR_ROWS_ *rows,
                                                                const DPPAIR_REAL *w,
                                                                const dppair_options *options) {
  dppair_linear_ r;
  dppair_options inner;
  dppair_executor *run;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status = dppair_array_(g, rows->d);
  if (status != DPPAIR_OK) return status;
  if (rows->d) memset(g, 0, rows->d * sizeof *g);
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  if (DPPAIR_NAME_is_chunked_(options)) {
    status = DPPAIR_NAME_gradient_check_(rows, w, options);
    if (status == DPPAIR_OK) status = options->fast->gradient(g, rows, w, options);
    return status;
  }
#endif
  status = DPPAIR_NAME_gradient_open_(&r, &inner, rows, w, options);
  if (status != DPPAIR_OK) return status;
  run = options->tasks && options->tasks->run ? options->tasks->run : dppair_run_serial;
  run(DPPAIR_NAME_linear_scores_, &r, r.parts, options->tasks ? options->tasks->self : NULL);
  return DPPAIR_NAME_gradient_rest_(g, &r, &inner, rows, options);
}

DPPAIR_FP_END_
