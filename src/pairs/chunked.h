/* ------------------------------------------------------------------------------------------------
 * The gradient of an instance, of sums without order
 *
 * What NAME_gradient calls with a state whose sums are of integers: in parts, each of which has
 * moments, a sum and scratch of its own, so any number of parts gives the same bits. The same in
 * chunks that the caller hands over is a module: dppair_scale.h.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_

DPPAIR_FP_BEGIN_

/* Are the gradients of this pass sums of integers? Those of queries are not: a query has its own
 * sums. */
DPPAIR_API int DPPAIR_NAME_is_chunked_(const dppair_options *options) {
  return dppair_is_order_free_(options) &&
         (DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_ || !options->groups ||
          options->groups->relation != DPPAIR_WITHIN);
}

/* Checks a pass whose sums have no order, but for its state: NULL, NO_PROOF (a clip; groups that
 * are not users, or without DPPAIR_WEIGHTS). */
DPPAIR_API dppair_status DPPAIR_NAME_chunk_ways_(const dppair_options *options) {
  if (!options || !options->fast) return DPPAIR_ERR_NULL;
  if (options->clip) return DPPAIR_ERR_NO_PROOF;
  if (options->groups && (!DPPAIR_WEIGHTS || options->groups->relation != DPPAIR_ACROSS))
    return DPPAIR_ERR_NO_PROOF;
  return DPPAIR_OK;
}

/* The bytes of NAME_chunk_workspace for this pass, where n rows are those of users. */
DPPAIR_API size_t DPPAIR_NAME_chunk_bytes_(size_t n, size_t d, const dppair_options *options) {
  DPPAIR_REAL *s;
  double *c;
#if DPPAIR_WEIGHTS
  DPPAIR_NAME_users_ q;
  if (options->groups) return DPPAIR_NAME_users_layout_(&q, NULL, n, d);
#endif
  (void)n;
  (void)options;
  return DPPAIR_NAME_chunk_layout_(&s, &c, NULL, d);
}

/* Lays the arrays of *r out at base (NULL: nowhere), for r->parts parts, n rows of d numbers.
 * Returns the bytes used, SIZE_MAX on overflow; of: the bytes of a part's scratch, moments and sum.
 */
DPPAIR_API size_t DPPAIR_NAME_chunked_layout_(dppair_chunked_ *r, char *base, size_t n,
                                              const size_t *of) {
  size_t used = 0, k;
  r->each = 0;
  for (k = 0; k < 3; k++) (void)dppair_take_(NULL, &r->each, of[k], 1);
  r->each = r->each > SIZE_MAX - 64 ? SIZE_MAX : r->each / 64 * 64 + 64;
  r->s = dppair_take_(base, &used, n, sizeof(DPPAIR_REAL));
  r->m = (dppair_sketch *)dppair_take_(base, &used, r->parts, sizeof *r->m);
  r->sum = (dppair_sum *)dppair_take_(base, &used, r->parts, sizeof *r->sum);
  r->status = (dppair_status *)dppair_take_(base, &used, r->parts, sizeof *r->status);
  r->scratch = (char *)dppair_take_(base, &used, r->parts, r->each);
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* The bytes of a part's scratch, moments and sum; users are one part, of n rows. The state is not
 * checked. */
DPPAIR_API dppair_status DPPAIR_NAME_chunked_bytes_(size_t *of, size_t n, size_t d,
                                                    const dppair_options *options) {
  dppair_status status = DPPAIR_NAME_chunk_ways_(options);
  of[0] = status == DPPAIR_OK ? DPPAIR_NAME_chunk_bytes_(n, d, options) : 0;
  if (of[0] == SIZE_MAX) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_sketch_workspace(of + 1, options->fast);
  return status == DPPAIR_OK ? dppair_sum_workspace(of + 2, d) : status;
}

/* Opens the moments and the sum of each part, which follow its scratch: DOMAIN, OVERFLOW (the bound
 * of their addends). */
DPPAIR_API dppair_status DPPAIR_NAME_chunked_open_(dppair_chunked_ *r, const size_t *of, size_t d,
                                                   double radius) {
  const double bound = dppair_sum_bound_(r->options->fast, radius);
  size_t k, used;
  double unit;
  const dppair_status status = dppair_sum_unit_(&unit, bound);
  for (k = 0; status == DPPAIR_OK && k < r->parts; k++) {
    char *part = r->scratch + k * r->each;
    used = of[0];
    dppair_sketch_begin_(r->m + k, r->options->fast,
                         dppair_align_(dppair_take_(part, &used, of[1], 1)));
    dppair_sum_clear_(r->sum + k, d, bound, unit,
                      dppair_align_(dppair_take_(part, &used, of[2], 1)));
    r->sum[k].radius = radius;
  }
  return status;
}

/* *bytes = the workspace of NAME_gradient with a state whose sums have no order. */
DPPAIR_API dppair_status DPPAIR_NAME_chunked_workspace_(size_t *bytes, size_t n, size_t d,
                                                        const dppair_options *options) {
  dppair_chunked_ r;
  size_t of[3];
  const dppair_status status = DPPAIR_NAME_chunked_bytes_(of, n, d, options);
  *bytes = 0;
  if (status != DPPAIR_OK) return status;
  memset(&r, 0, sizeof r);
  r.parts = options->tasks && !options->groups ? options->tasks->count : 1;
  *bytes = DPPAIR_NAME_chunked_layout_(&r, NULL, n, of);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* The rows of one part, and the place of their scores. */
DPPAIR_API DPPAIR_REAL *DPPAIR_NAME_chunked_rows_(DPPAIR_ROWS_ *rows, const dppair_chunked_ *r,
                                                  size_t part) {
  const DPPAIR_ROWS_ *all = (const DPPAIR_ROWS_ *)r->rows;
  const size_t i = dppair_part_begin_(all->n, part, r->parts);
  dppair_rows_part_ROW_(rows, all, i, dppair_part_begin_(all->n, part + 1, r->parts) - i);
  return (DPPAIR_REAL *)r->s + i;
}

/* The pass of a part: its workspace is its scratch. */
DPPAIR_API dppair_options DPPAIR_NAME_chunked_pass_(const dppair_chunked_ *r, size_t part) {
  dppair_options own = *r->options;
  own.work = r->scratch + part * r->each;
  return own;
}

/* The tasks of a part: its moments, then its sum from the moments of all, which are r->m[0]. */
DPPAIR_API void DPPAIR_NAME_chunked_sketch_(void *context, size_t part) {
  const dppair_chunked_ *r = (const dppair_chunked_ *)context;
  DPPAIR_ROWS_ rows;
  DPPAIR_REAL *s = DPPAIR_NAME_chunked_rows_(&rows, r, part);
#if DPPAIR_WEIGHTS
  if (r->options->groups) {
    const dppair_options own = DPPAIR_NAME_chunked_pass_(r, part);
    r->status[part] =
        DPPAIR_NAME_users_sketch_(r->m + part, &rows, (const DPPAIR_REAL *)r->w, &own);
    return;
  }
#endif
  r->status[part] = DPPAIR_NAME_sketch_of_(r->m + part, &rows, (const DPPAIR_REAL *)r->w,
                                           r->options->fast, r->scratch + part * r->each, s);
}
DPPAIR_API void DPPAIR_NAME_chunked_sum_(void *context, size_t part) {
  const dppair_chunked_ *r = (const dppair_chunked_ *)context;
  DPPAIR_ROWS_ rows;
  const DPPAIR_REAL *s = DPPAIR_NAME_chunked_rows_(&rows, r, part);
#if DPPAIR_WEIGHTS
  if (r->options->groups) {
    const dppair_options own = DPPAIR_NAME_chunked_pass_(r, part);
    r->status[part] =
        DPPAIR_NAME_users_sum_(r->sum + part, &rows, (const DPPAIR_REAL *)r->w, r->m, &own, 1);
    return;
  }
#endif
  r->status[part] = DPPAIR_NAME_sum_of_(r->sum + part, &rows, (const DPPAIR_REAL *)r->w, r->m,
                                        r->options->fast, r->scratch + part * r->each, s);
}

/* Runs it on all parts: OK, or the first error of one. */
DPPAIR_API dppair_status DPPAIR_NAME_chunked_run_(dppair_chunked_ *r, dppair_task *one) {
  const dppair_tasks *parts = r->options->groups ? NULL : r->options->tasks;
  size_t k;
  (parts && parts->run ? parts->run : dppair_run_serial)(one, r, r->parts,
                                                         parts ? parts->self : NULL);
  for (k = 0; k < r->parts; k++)
    if (r->status[k] != DPPAIR_OK) return r->status[k];
  return DPPAIR_OK;
}

/* NAME_gradient with such a state, of arguments that are checked but for the state; g is zero. Any
 * number of parts gives the same bits. */
DPPAIR_API dppair_status DPPAIR_NAME_chunked_gradient_(double *g, const DPPAIR_ROWS_ *all,
                                                       const DPPAIR_REAL *w,
                                                       const dppair_options *options) {
  const DPPAIR_ROWS_ some = DPT_PRESENT(all), *rows = &some;
  dppair_chunked_ r;
  size_t of[3], k;
  dppair_status status;
  if (!dppair_isfinite_f64(rows->radius) || !(rows->radius > 0.0)) return DPPAIR_ERR_NO_RADIUS;
  if (!DPPAIR_NAME_fast_is_own_(options->fast, options->params)) return DPPAIR_ERR_WORKSPACE;
  if (all->n > options->fast->most) return DPPAIR_ERR_SIZE;
  memset(&r, 0, sizeof r);
  r.rows = rows;
  r.w = w;
  r.options = options;
  r.parts = options->tasks && !options->groups ? options->tasks->count : 1;
  status = DPPAIR_NAME_chunked_bytes_(of, rows->n, rows->d, options);
  if (status != DPPAIR_OK) return status;
  (void)DPPAIR_NAME_chunked_layout_(&r, dppair_align_(options->work), rows->n, of);
  status = DPPAIR_NAME_chunked_open_(&r, of, rows->d, rows->radius);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_chunked_run_(&r, DPPAIR_NAME_chunked_sketch_);
  for (k = 0; status == DPPAIR_OK && k < r.parts && r.parts > 1; k++) {
    dppair_sketch_settle_(r.m + k, options->fast);
    if (k) dppair_sketch_join_(r.m, r.m + k, options->fast);
  }
  if (status == DPPAIR_OK) DPPAIR_NAME_sketch_close_(r.m, options->params, options->fast);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_chunked_run_(&r, DPPAIR_NAME_chunked_sum_);
  for (k = 1; status == DPPAIR_OK && k < r.parts; k++) status = dppair_sum_add(r.sum, r.sum + k);
  if (status == DPPAIR_OK) dppair_sum_read_(g, r.sum);
  return status;
}

DPPAIR_FP_END_

#endif
