/* ------------------------------------------------------------------------------------------------
 * Releases of top-weighted gradients
 *
 * Written NAME_x in comments, DPPAIR_NAME_x in the code; see release/template.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Is there room for `most` records in the state? Known before any record is read. */
DPPAIR_API dppair_status DPPAIR_NAME_top_state_(size_t most, const dppair_top *top,
                                                const dppair_options *options) {
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  const uint64_t times = top->kind == DPPAIR_TOP_PRECISION ? 2 : 1;
  if (options->fast && top->kind != DPPAIR_TOP_NDCG &&
      (options->fast->kind != DPPAIR_KIND_ || options->fast->most / times < most))
    return DPPAIR_ERR_WORKSPACE;
#endif
  (void)most;
  (void)top;
  (void)options;
  return DPPAIR_OK;
}

/* OVERFLOW where slopes, at scores of at most `reach`, could make a sum leave the range. The slopes
 * of the shipped losses are largest at an end. */
DPPAIR_API dppair_status DPPAIR_NAME_top_steep_(double reach, double radius, double n,
                                                const double *params) {
  const DPPAIR_REAL ends[2] = {(DPPAIR_REAL)(2.0 * reach), (DPPAIR_REAL)(-2.0 * reach)};
  const DPPAIR_REAL zero = 0;
  double slope[2], sum, longest = radius < 1.0 ? 1.0 : radius;
  dppair_status status = DPPAIR_NAME_coeffs(slope, &sum, ends, 2, &zero, 1, params);
  if (status == DPPAIR_ERR_NOT_FINITE) return DPPAIR_ERR_OVERFLOW;
  if (status != DPPAIR_OK) return status;
  return n * n * longest * dppair_fabs_(slope[0]) < DPT_SUM_ &&
                 n * n * longest * dppair_fabs_(slope[1]) < DPT_SUM_
             ? DPPAIR_OK
             : DPPAIR_ERR_OVERFLOW;
}

/* The public checks of NAME_release_top, and its noise. */
DPPAIR_API dppair_status DPPAIR_NAME_release_top_open_(dppair_release_terms_ *terms,
                                                       const dppair_release *release,
                                                       const DPPAIR_ROWS_ *rows,
                                                       const DPPAIR_REAL *w, const dppair_top *top,
                                                       const dppair_options *options) {
  const int ranks = top && top->kind == DPPAIR_TOP_NDCG;
  double n;
  dppair_bounds bounds;
  size_t needed, most;
  dppair_status status;
  if (!top || !options || (ranks && !rows->y && rows->n)) return DPPAIR_ERR_NULL;
  if (!release) return DPPAIR_ERR_NULL;
  status = dppair_top_check_(top);
  if (status != DPPAIR_OK) return status;
  if (ranks ? !options->groups : options->groups != NULL) return DPPAIR_ERR_NO_PROOF;
  status = DPPAIR_NAME_release_units_(&most, release, rows, options, ranks);
  if (status != DPPAIR_OK) return status;
  if (!w) return DPPAIR_ERR_NULL;
  status = dppair_rows_check_ROW_(rows);
  if (status != DPPAIR_OK) return status;
  if (rows->d == 0) return DPPAIR_ERR_SIZE;
  status = DPT_ROWS_SHORT(rows);
  if (status != DPPAIR_OK) return status;
  if (rows->weight || (rows->nulls > 0 && top->kind == DPPAIR_TOP_PRECISION))
    return DPPAIR_ERR_NO_PROOF;
  if (rows->nulls > rows->n) return DPPAIR_ERR_SIZE;
  status = DPPAIR_NAME_top_workspace(&needed, most, rows->d, top, options);
  if (status == DPPAIR_OK && options->bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK && !options->work) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_top_state_(most, top, options);
  if (status != DPPAIR_OK) return status;
  terms->bytes = needed;
  memset(&bounds, 0, sizeof bounds);
  bounds.radius = rows->radius;
  bounds.param_radius = dppair_release_norm_(w, rows->d, !DPPAIR_TEMPLATE_F64_);
  if (!dppair_isfinite_f64(bounds.param_radius)) return DPPAIR_ERR_NOT_FINITE;
  if (!(bounds.radius * bounds.param_radius <= DPT_SCORE_)) return DPPAIR_ERR_OVERFLOW;
  n = (double)release->sampling.n > (double)most ? (double)release->sampling.n : (double)most;
  status = DPPAIR_NAME_top_steep_(bounds.radius * bounds.param_radius, bounds.radius, n,
                                  options->params);
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_top_sensitivity(&terms->sensitivity, rows->d, &bounds, &release->sampling,
                                         top, options);
  if (status == DPPAIR_OK) status = dppair_release_terms_of_(terms, release, rows->d);
  if (status != DPPAIR_OK) return status;
  terms->divisor =
      ranks ? DPPAIR_NAME_release_queries_(release, options) : DPPAIR_NAME_top_divisor_(most, top);
  /* no sum can leave the range: sums of slopes and powers are within n^4 S */
  return n * n * n * n * terms->sensitivity < DPT_SUM_ * (bounds.radius < 1.0 ? bounds.radius : 1.0)
             ? DPPAIR_OK
             : DPPAIR_ERR_OVERFLOW;
}

/* As NAME_release_work_. */
DPPAIR_OUT_OF_LINE_ dppair_status DPPAIR_NAME_release_top_work_(double *g, const DPPAIR_ROWS_ *rows,
                                                                const DPPAIR_REAL *w,
                                                                const dppair_top *top,
                                                                const dppair_options *options) {
  return DPPAIR_NAME_top_gradient(g, rows, w, top, options);
}

/*
 * g[0..d) = the gradient of NAME_top_gradient with the noise of this step, divided by public
 * numbers:
 *   PARTIAL     k m, or n k and (n-1) m where one of them is all, n (n-1) where both are
 *   PUSH, PRECISION   n
 *   NDCG        the queries, or as many as the plan expects to draw
 * n: the records of the step, or all where the plan draws a random number of them. Whether it
 * succeeds, and how much noise it adds, does not depend on how many are positives: with fewer than
 * k negatives the mean is over k all the same.
 *
 *   rows, w    as NAME_release takes them; for NDCG with grades y, which may be private
 *   top, pass  as NAME_top_gradient takes them; work: NAME_top_workspace of all n records where the
 *              plan draws a random number of them, of groups->most where a query is protected
 *
 * The plan uses all records or draws without replacement, for PARTIAL also Poisson samples or
 * allocations (best with k and m given); for NDCG, as NAME_release for queries, with neighbours
 * that differ in a record (its query's size public) or in a query. The noise scale is z S, S that
 * of NAME_top_sensitivity at rows->radius and |w|.
 *
 * Errors zero g. They use no paid release: those of NAME_release and NAME_top_sensitivity; NO_PROOF
 * also for PRECISION of rows with null records, of which nothing is proved. With rows from
 * dppair_rows_clip no other error occurs but SIZE for positives > n - nulls; then the paid release
 * is used.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_top(
    double *g, dppair_release *release, const DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w,
    const dppair_top *top, const dppair_options *options) {
  dppair_release_terms_ terms;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status = dppair_array_(g, rows->d);
  if (status != DPPAIR_OK) return status;
  if (rows->d) memset(g, 0, rows->d * sizeof *g);
  status = DPPAIR_NAME_release_top_open_(&terms, release, rows, w, top, options);
  if (status == DPPAIR_OK)
    status = dppair_release_apart_(g, rows->d, options->work, &terms, w, rows->d * sizeof *w);
  if (status == DPPAIR_OK) status = dppair_rows_apart_ROW_(g, rows->d, rows);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  status = DPPAIR_NAME_release_top_work_(g, rows, w, top, options);
  status = dppair_release_sum_(g, rows->d, release, status);
  return dppair_release_forget_(options->work, &terms, status);
}

DPPAIR_FP_END_
