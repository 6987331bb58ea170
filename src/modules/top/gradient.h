/* ------------------------------------------------------------------------------------------------
 * The gradient of top-weighted ranking for linear scores
 *
 * From rows to a gradient: scores, coefficients of coeffs.h, X^T c; of NDCG query by query, each
 * clipped. NOT PRIVATE, as NAME_gradient. Public functions are written NAME_x in comments and
 * DPPAIR_NAME_x in the code.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The pass of what NAME_gradient lays out: no clip, no groups and no state of its own. */
DPPAIR_API dppair_options DPPAIR_NAME_top_pass_(const dppair_options *options) {
  dppair_options plain = *options;
  plain.clip = NULL;
  plain.groups = NULL;
  plain.fast = NULL;
  return plain;
}

/* *bytes = the workspace of NAME_top_gradient for n records of d numbers. *first: of its
 * coefficients. NULL, OVERFLOW, those of NAME_workspace and NAME_top_coeffs_workspace. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_bytes_(size_t *bytes, size_t *first,
                                                                  size_t n, size_t d,
                                                                  const dppair_top *top,
                                                                  const dppair_options *options) {
  dppair_options plain;
  size_t rest;
  dppair_status status;
  if (!options) return DPPAIR_ERR_NULL;
  if (DPPAIR_NAME_top_grid_(options)) return DPPAIR_ERR_NO_PROOF;
  if (dppair_clip_check_(options) != DPPAIR_OK) return DPPAIR_ERR_WORKSPACE;
  plain = DPPAIR_NAME_top_pass_(options);
  status = DPPAIR_NAME_top_coeffs_workspace(first, n, top, options);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_workspace(&rest, n, d, &plain);
  if (status != DPPAIR_OK) return status;
  if (*first > SIZE_MAX - rest || d > (SIZE_MAX - 64) / sizeof(double) ||
      *first + rest > SIZE_MAX - 64 - d * sizeof(double))
    return DPPAIR_ERR_OVERFLOW;
  *bytes = *first + rest + d * sizeof(double) + 64;
  return DPPAIR_OK;
}

/* *bytes = the workspace of NAME_top_gradient and NAME_release_top for n records of d numbers. It
 * does not depend on how many are positives. Errors zero it: NULL, SIZE (parts 0), DOMAIN, UNREAD
 * (top), WORKSPACE (the clip), NO_PROOF (a state of NAME_sums_init of a piecewise linear loss),
 * OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_workspace(
    size_t *bytes, size_t n, size_t d, const dppair_top *top, const dppair_options *options) {
  size_t first, needed = 0;
  dppair_status status;
  if (!bytes) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_top_bytes_(&needed, &first, n, d, top, options);
  *bytes = status == DPPAIR_OK ? needed : 0;
  return status;
}

/* g += the vectors of the queries, clipped; h: room for d numbers. */
DPPAIR_API void DPPAIR_NAME_top_queries_(double *g, double *h, const dppair_linear_ *r,
                                         const dppair_options *options) {
  DPPAIR_ROWS_ query;
  const size_t all[2] = {0, r->n[0]};
  const size_t *place = options->groups ? options->groups->positive : all;
  const size_t count = options->groups ? options->groups->count : 1;
  size_t q, k;
  for (q = 0; q < count; q++) {
    const size_t i = place[q], m = place[q + 1] - i;
    double norm, share = 1.0;
    if (m < 2) continue;
    dppair_rows_part_ROW_(&query, (const DPPAIR_ROWS_ *)r->rows, i, m);
    dppair_rows_combine_ROW_(h, &query, r->c[0] + i);
    norm = dppair_norm_f64(h, r->d);
    if (options->clip && norm > options->clip->bound) share = options->clip->bound / norm;
    for (k = 0; k < r->d; k++) g[k] += share * h[k];
  }
}

/*
 * g[0..d) = the gradient of the loss *top for the linear score <x, w>: X^T c, c of NAME_top_coeffs.
 * NDCG: the sum over the queries of X^T c of each (NAME_top_ranks), clipped to options->clip if
 * that is not 0.
 *
 *   rows   n records, the positives first, null records last; NDCG: with grades y, records of a
 *          query together. Weights are not given. PUSH: means are over n - 1 all the same
 *   w      d numbers
 *   options params, fast as for NAME_top_coeffs; parts (scores, X^T c); NDCG: clip, and groups as
 *          for NAME_top_ranks; work: NAME_top_workspace of n records
 *
 * NAME_top_sensitivity says how far it moves. Errors zero g, if rows are given: those of
 * NAME_gradient, NAME_top_coeffs, NAME_top_ranks; NO_PROOF (rows with weights; PRECISION of rows
 * with null records, for which nothing is proved).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_gradient(double *g,
                                                                    const DPPAIR_ROWS_ *rows,
                                                                    const DPPAIR_REAL *w,
                                                                    const dppair_top *top,
                                                                    const dppair_options *options) {
  const int ranks = top && top->kind == DPPAIR_TOP_NDCG;
  dppair_options plain, mine, inner;
  dppair_linear_ r;
  DPPAIR_ROWS_ block;
  dppair_executor *run;
  size_t bytes, first;
  double *h;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status = dppair_array_(g, rows->d);
  if (status != DPPAIR_OK) return status;
  if (rows->d) memset(g, 0, rows->d * sizeof *g);
  if (!top || !options || (ranks && !rows->y && rows->n)) return DPPAIR_ERR_NULL;
  if (rows->weight || (rows->nulls > 0 && top->kind == DPPAIR_TOP_PRECISION))
    return DPPAIR_ERR_NO_PROOF;
  if (rows->nulls > rows->n) return DPPAIR_ERR_SIZE;
  status = DPPAIR_NAME_top_bytes_(&bytes, &first, rows->n, rows->d, top, options);
  if (status != DPPAIR_OK) return status;
  if (!options->work) return DPPAIR_ERR_NULL;
  if (options->bytes < bytes) return DPPAIR_ERR_WORKSPACE;
  mine = *options;
  h = (double *)(void *)dppair_align_(options->work);
  mine.work = h + rows->d;
  mine.bytes = first;
  plain = DPPAIR_NAME_top_pass_(options);
  plain.work = (char *)mine.work + first;
  plain.bytes = bytes - first - rows->d * sizeof *h - 64;
  block = *rows;
  if (ranks) block.positives = rows->n - rows->nulls;
  status = DPPAIR_NAME_gradient_open_(&r, &inner, &block, w, &plain);
  if (status != DPPAIR_OK) return status;
  run = options->tasks && options->tasks->run ? options->tasks->run : dppair_run_serial;
  run(DPPAIR_NAME_linear_scores_, &r, r.parts, options->tasks ? options->tasks->self : NULL);
  if (ranks) {
    status =
        DPPAIR_NAME_top_ranks(r.c[0], (const DPPAIR_REAL *)r.s[0], rows->y, r.n[0], top, &mine);
    if (status != DPPAIR_OK) return status;
    DPPAIR_NAME_top_queries_(g, h, &r, options);
    return dppair_finish_(g, r.d);
  }
  status = DPPAIR_NAME_top_coeffs_of_(r.c[0], r.c[1], (const DPPAIR_REAL *)r.s[0], r.n[0],
                                      (const DPPAIR_REAL *)r.s[1], r.n[1], rows->n, top, &mine);
  if (status != DPPAIR_OK) return status;
  run(DPPAIR_NAME_linear_combine_, &r, r.parts, options->tasks ? options->tasks->self : NULL);
  if (r.d) dppair_tasks_join(r.g, r.d, 2 * r.parts);
  if (r.d) memcpy(g, r.g, r.d * sizeof *g);
  return dppair_finish_(g, r.d);
}

DPPAIR_FP_END_
