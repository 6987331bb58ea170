/* ------------------------------------------------------------------------------------------------
 * The gradient of an instance in chunks of rows
 *
 * All pairs of records that are never in one place: chunks of any size and order, from a file, of
 * threads, of processes. Rows are taken block by block, so a pass over them takes no memory that
 * grows with their number. Every sum is one of integers, hence any split gives the same bits, those
 * of NAME_gradient with the same state. One step at a public w, in every process:
 *
 *   rank_sums_init(&fast, n, accuracy, cap, NULL, ...);  once: n records in all processes together
 *   pass.fast = &fast;                                   pass.work: rank_chunk_workspace
 *   rank_moments_open(&m, &fast, ...);
 *   rank_chunk_moments(&m, &rows, w, &pass);             once for each chunk
 *   dppair_moments_add(&m, &other);                      those of all others, in any order
 *   rank_moments_finish(&m, params, &fast);              then m is read only
 *   rank_sum_open(&sum, d, radius, &pass, ...);
 *   rank_chunk_sum(&sum, &rows, w, &m, &pass);           each chunk again
 *   dppair_sum_add(&sum, &another);                      those of all others
 *   rank_release_sum(g, &release, &sum, w, &pass);       once, by the process that has the key
 *
 * Moments and sums carry a digest of w, the radius and the state: what was made at another w is
 * refused. NOT PRIVATE: both are raw material, as secret as the records. Public functions, written
 * NAME_x in comments: DPPAIR_NAME_x in the code.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_

DPPAIR_FP_BEGIN_

/* Are the gradients of this pass sums of integers? Those of queries are not: a query has its own
 * sums. */
DPPAIR_API int DPPAIR_NAME_is_chunked_(const dppair_pass *pass) {
  return dppair_is_order_free_(pass) && (DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_ || !pass->groups ||
                                         pass->groups->relation != DPPAIR_WITHIN);
}

/* Checks a pass whose sums have no order, but for its state: NULL, NO_PROOF (a clip; groups that
 * are not persons, or without DPPAIR_WEIGHTS). */
DPPAIR_API dppair_status DPPAIR_NAME_chunk_ways_(const dppair_pass *pass) {
  if (!pass || !pass->fast) return DPPAIR_ERR_NULL;
  if (pass->clip) return DPPAIR_ERR_NO_PROOF;
  if (pass->groups && (!DPPAIR_WEIGHTS || pass->groups->relation != DPPAIR_ACROSS))
    return DPPAIR_ERR_NO_PROOF;
  return DPPAIR_OK;
}

/* The same, and WORKSPACE: a state that NAME_sums_init did not prepare for this loss and these
 * parameters. Each public function compares the digests once. */
DPPAIR_API dppair_status DPPAIR_NAME_chunk_pass_(const dppair_pass *pass) {
  const dppair_status status = DPPAIR_NAME_chunk_ways_(pass);
  if (status != DPPAIR_OK) return status;
  if (!pass->fast->order_free) return DPPAIR_ERR_WORKSPACE;
  return DPPAIR_NAME_fast_state_(pass->fast, pass->params);
}

/* The digest of moments that are made at w from rows within radius, of records or persons. */
DPPAIR_API uint64_t DPPAIR_NAME_digest_(const DPPAIR_REAL *w, size_t d, double radius,
                                        const dppair_pass *pass, int persons) {
  const uint64_t digest = dppair_digest_(w, d, radius, pass->fast, !DPPAIR_TEMPLATE_F64_);
  return persons ? dppair_digest_of_sum_(digest, UINT64_MAX) : digest;
}

/* The bytes of NAME_chunk_workspace for this pass, where n rows are those of persons. */
DPPAIR_API size_t DPPAIR_NAME_chunk_bytes_(size_t n, size_t d, const dppair_pass *pass) {
  DPPAIR_REAL *s;
  double *c;
#if DPPAIR_WEIGHTS
  DPPAIR_NAME_persons_ q;
  if (pass->groups) return DPPAIR_NAME_persons_layout_(&q, NULL, n, d);
#endif
  (void)n;
  (void)pass;
  return DPPAIR_NAME_chunk_layout_(&s, &c, NULL, d);
}

/* *bytes = the workspace of NAME_chunk_moments and NAME_chunk_sum for rows of d numbers and this
 * pass; it does not grow with the rows, and is at most 33 KB; with persons that of the chunk whose
 * places they are, 32 bytes a row more. Errors zero it: NULL, NO_PROOF (a clip; groups that are not
 * persons, or without DPPAIR_WEIGHTS), WORKSPACE (the state), SIZE (places), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_chunk_workspace(size_t *bytes, size_t d,
                                                                       const dppair_pass *pass) {
  const dppair_groups *g = pass ? pass->groups : NULL;
  dppair_status status;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = DPPAIR_NAME_chunk_pass_(pass);
  if (status == DPPAIR_OK && g) status = dppair_groups_fit_(g, 0);
  if (status != DPPAIR_OK) return status;
  *bytes = DPPAIR_NAME_chunk_bytes_(g ? g->positive[g->count] + g->negative[g->count] : 0, d, pass);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* Checks the arguments of both functions below, but for moments and sums. */
DPPAIR_API dppair_status DPPAIR_NAME_chunk_args_(const DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w,
                                                 const dppair_pass *pass) {
  size_t needed;
  dppair_status status;
  if (!rows || (!w && rows->d)) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_chunk_workspace(&needed, rows->d, pass);
  if (status != DPPAIR_OK) return status;
  if (!pass->work) return DPPAIR_ERR_NULL;
  if (pass->bytes < needed) return DPPAIR_ERR_WORKSPACE;
  if (rows->weight && !DPPAIR_WEIGHTS) return DPPAIR_ERR_NO_PROOF;
  status = dppair_rows_check_ROW_(rows);
  if (status != DPPAIR_OK) return status;
  if (rows->nulls > rows->n || rows->positives > rows->n - rows->nulls) return DPPAIR_ERR_SIZE;
  if (pass->groups) {
    status = dppair_groups_check_(pass->groups, rows->positives,
                                  rows->n - rows->nulls - rows->positives, 0);
    if (status != DPPAIR_OK) return status;
  }
  if (!dppair_isfinite_f64(rows->radius) || !(rows->radius > 0.0)) return DPPAIR_ERR_NO_PROOF;
  return DPT_REACH(w, rows->d, rows->radius);
}

/*
 * m += the moments of the scores <x_i, w> of these rows, positives first; n = 0 is a chunk, too.
 *   m       from NAME_moments_open, and not finished
 *   rows    of a radius that is the same for all chunks; y is not read
 *   w       d numbers, public
 *   pass    fast: from NAME_sums_init; params; work: NAME_chunk_workspace. parts are not read.
 *           groups (ACROSS, with DPPAIR_WEIGHTS): the persons of this chunk, whose records are all
 *           in it; they weigh as in NAME_weighted_coeffs. In every chunk or in none. Persons of
 *           many records, or with a score beyond the cap, use the state's memory: then no two
 *           threads may share it
 * The words of m are settled when it returns: they may be added to those of others.
 *
 * Errors leave *m as it is: NULL, WORKSPACE (too little; a state that NAME_sums_init did not
 * prepare for this loss; moments made at another w, radius or state, finished, or by NAME_moments),
 * SIZE (ld < d, more positives than rows, more records than the state is for, places), NO_PROOF (no
 * radius, a clip, groups that are not persons, weights or groups without DPPAIR_WEIGHTS),
 * NOT_FINITE (w), OVERFLOW (radius |w| above 1e150, for float 1e18; sizes), ENVIRONMENT. NOT_FINITE
 * for a score, which rows from dppair_rows_clip never have, spoils it: every later call refuses it.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_chunk_moments(dppair_moments *m,
                                                                     const DPPAIR_ROWS_ *all,
                                                                     const DPPAIR_REAL *w,
                                                                     const dppair_pass *pass) {
  DPPAIR_ROWS_ some, *rows = &some;
  uint64_t digest, count;
  dppair_status status = DPPAIR_NAME_chunk_args_(all, w, pass);
  if (status == DPPAIR_OK && !m) status = DPPAIR_ERR_NULL;
  if (status != DPPAIR_OK) return status;
  some = DPT_PRESENT(all);
  digest = DPPAIR_NAME_digest_(w, rows->d, rows->radius, pass, pass->groups != NULL);
  count = m->count[0] + m->count[1];
  if (dppair_moments_check_(m, pass->fast) != DPPAIR_OK || m->finished) return DPPAIR_ERR_WORKSPACE;
  if (m->digest != digest && !(m->digest == 0 && count == 0)) return DPPAIR_ERR_WORKSPACE;
  if (count > pass->fast->most || rows->n > pass->fast->most - count) return DPPAIR_ERR_SIZE;
  m->digest = digest;
  m->radius = rows->radius;
#if DPPAIR_WEIGHTS
  if (pass->groups) return DPPAIR_NAME_persons_moments_(m, rows, w, pass);
#endif
  return DPPAIR_NAME_moments_of_(m, rows, w, pass->fast, (char *)pass->work, NULL);
}

/* Makes *sum the sum 0 of gradients of d numbers, for rows within radius and this pass, of which
 * the state is read: no addend is larger than most slope radius. work: dppair_sum_workspace. Errors
 * zero *sum: NULL, NO_PROOF (no radius, a clip, groups), those of dppair_sum_open, WORKSPACE (the
 * state). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sum_open(dppair_sum *sum, size_t d,
                                                                double radius,
                                                                const dppair_pass *pass, void *work,
                                                                size_t bytes) {
  dppair_status status = DPPAIR_NAME_chunk_pass_(pass);
  if (!sum) return DPPAIR_ERR_NULL;
  memset(sum, 0, sizeof *sum);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(radius) || !(radius > 0.0)) return DPPAIR_ERR_NO_PROOF;
  status = dppair_sum_open(sum, d, dppair_sum_bound_(pass->fast, radius), work, bytes);
  if (status == DPPAIR_OK) sum->radius = radius;
  return status;
}

/* Is *sum one of NAME_sum_open for this state, radius and d? */
DPPAIR_API int DPPAIR_NAME_sum_is_own_(const dppair_sum *sum, size_t d, double radius,
                                       const dppair_fast *f) {
  return dppair_sum_check_(sum) == DPPAIR_OK && sum->size == d &&
         !(dppair_fabs_(sum->radius - radius) > 0.0) &&
         !(dppair_fabs_(sum->bound - dppair_sum_bound_(f, radius)) > 0.0);
}

/*
 * sum += X^T c over these rows, c their coefficients from the moments m of all records (finished):
 * the gradient in w of the sum of phi over all pairs is that of all chunks. sum->count grows by the
 * records that are there and sum->nulls by the others; with persons sum->count by their number;
 * sum->weightless by those of the count whose weight is 0, which no divisor counts.
 *   sum   from NAME_sum_open; its words may be added to those of others at any time
 *   rows, w, pass   as of NAME_chunk_moments, with the same radius, w and state
 * Errors leave *sum as it is: those of NAME_chunk_moments; WORKSPACE (moments that are not
 * finished, a sum or moments of another w, radius, state, or of other records in number).
 * NOT_FINITE for a score closes the sum: every later call refuses it.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_chunk_sum(dppair_sum *sum,
                                                                 const DPPAIR_ROWS_ *all,
                                                                 const DPPAIR_REAL *w,
                                                                 const dppair_moments *m,
                                                                 const dppair_pass *pass) {
  DPPAIR_ROWS_ some, *rows = &some;
  uint64_t digest, count, more;
  dppair_status status = DPPAIR_NAME_chunk_args_(all, w, pass);
  if (status == DPPAIR_OK && (!sum || !m)) status = DPPAIR_ERR_NULL;
  if (status != DPPAIR_OK) return status;
  some = DPT_PRESENT(all);
  digest = DPPAIR_NAME_digest_(w, rows->d, rows->radius, pass, pass->groups != NULL);
  count = pass->groups ? m->persons : m->count[0] + m->count[1];
  more = pass->groups ? pass->groups->count : rows->n;
  if (m->finished != 1 || m->digest != digest ||
      !DPPAIR_NAME_sum_is_own_(sum, rows->d, rows->radius, pass->fast))
    return DPPAIR_ERR_WORKSPACE;
  digest = dppair_digest_of_sum_(digest, count);
  if (sum->digest != digest && !dppair_sum_is_fresh_(sum)) return DPPAIR_ERR_WORKSPACE;
  if (sum->count > count || more > count - sum->count) return DPPAIR_ERR_SIZE;
  sum->digest = digest;
#if DPPAIR_WEIGHTS
  if (pass->groups) return DPPAIR_NAME_persons_sum_(sum, rows, w, m, pass, 0);
#endif
  sum->nulls += all->nulls;
  sum->weightless += dppair_weightless_(rows->weight, rows->n);
  return DPPAIR_NAME_sum_of_(sum, rows, w, m, pass->fast, (char *)pass->work, NULL);
}

/* The gradient in parts: each has moments, a sum and scratch of its own. */

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
  r->m = (dppair_moments *)dppair_take_(base, &used, r->parts, sizeof *r->m);
  r->sum = (dppair_sum *)dppair_take_(base, &used, r->parts, sizeof *r->sum);
  r->status = (dppair_status *)dppair_take_(base, &used, r->parts, sizeof *r->status);
  r->scratch = (char *)dppair_take_(base, &used, r->parts, r->each);
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* The bytes of a part's scratch, moments and sum; persons are one part, of n rows. The state is not
 * checked. */
DPPAIR_API dppair_status DPPAIR_NAME_chunked_bytes_(size_t *of, size_t n, size_t d,
                                                    const dppair_pass *pass) {
  dppair_status status = DPPAIR_NAME_chunk_ways_(pass);
  of[0] = status == DPPAIR_OK ? DPPAIR_NAME_chunk_bytes_(n, d, pass) : 0;
  if (of[0] == SIZE_MAX) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_moments_workspace(of + 1, pass->fast);
  return status == DPPAIR_OK ? dppair_sum_workspace(of + 2, d) : status;
}

/* Opens the moments and the sum of each part, which follow its scratch: DOMAIN, OVERFLOW (the bound
 * of their addends). */
DPPAIR_API dppair_status DPPAIR_NAME_chunked_open_(dppair_chunked_ *r, const size_t *of, size_t d,
                                                   double radius) {
  const double bound = dppair_sum_bound_(r->pass->fast, radius);
  size_t k, used;
  double unit;
  const dppair_status status = dppair_sum_unit_(&unit, bound);
  for (k = 0; status == DPPAIR_OK && k < r->parts; k++) {
    char *part = r->scratch + k * r->each;
    used = of[0];
    dppair_moments_begin_(r->m + k, r->pass->fast,
                          dppair_align_(dppair_take_(part, &used, of[1], 1)));
    dppair_sum_clear_(r->sum + k, d, bound, unit,
                      dppair_align_(dppair_take_(part, &used, of[2], 1)));
    r->sum[k].radius = radius;
  }
  return status;
}

/* *bytes = the workspace of NAME_gradient with a state whose sums have no order. */
DPPAIR_API dppair_status DPPAIR_NAME_chunked_workspace_(size_t *bytes, size_t n, size_t d,
                                                        const dppair_pass *pass) {
  dppair_chunked_ r;
  size_t of[3];
  const dppair_status status = DPPAIR_NAME_chunked_bytes_(of, n, d, pass);
  *bytes = 0;
  if (status != DPPAIR_OK) return status;
  memset(&r, 0, sizeof r);
  r.parts = pass->parts && !pass->groups ? pass->parts->parts : 1;
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
DPPAIR_API dppair_pass DPPAIR_NAME_chunked_pass_(const dppair_chunked_ *r, size_t part) {
  dppair_pass own = *r->pass;
  own.work = r->scratch + part * r->each;
  return own;
}

/* The tasks of a part: its moments, then its sum from the moments of all, which are r->m[0]. */
DPPAIR_API void DPPAIR_NAME_chunked_moments_(void *context, size_t part) {
  const dppair_chunked_ *r = (const dppair_chunked_ *)context;
  DPPAIR_ROWS_ rows;
  DPPAIR_REAL *s = DPPAIR_NAME_chunked_rows_(&rows, r, part);
#if DPPAIR_WEIGHTS
  if (r->pass->groups) {
    const dppair_pass own = DPPAIR_NAME_chunked_pass_(r, part);
    r->status[part] =
        DPPAIR_NAME_persons_moments_(r->m + part, &rows, (const DPPAIR_REAL *)r->w, &own);
    return;
  }
#endif
  r->status[part] = DPPAIR_NAME_moments_of_(r->m + part, &rows, (const DPPAIR_REAL *)r->w,
                                            r->pass->fast, r->scratch + part * r->each, s);
}
DPPAIR_API void DPPAIR_NAME_chunked_sum_(void *context, size_t part) {
  const dppair_chunked_ *r = (const dppair_chunked_ *)context;
  DPPAIR_ROWS_ rows;
  const DPPAIR_REAL *s = DPPAIR_NAME_chunked_rows_(&rows, r, part);
#if DPPAIR_WEIGHTS
  if (r->pass->groups) {
    const dppair_pass own = DPPAIR_NAME_chunked_pass_(r, part);
    r->status[part] =
        DPPAIR_NAME_persons_sum_(r->sum + part, &rows, (const DPPAIR_REAL *)r->w, r->m, &own, 1);
    return;
  }
#endif
  r->status[part] = DPPAIR_NAME_sum_of_(r->sum + part, &rows, (const DPPAIR_REAL *)r->w, r->m,
                                        r->pass->fast, r->scratch + part * r->each, s);
}

/* Runs it on all parts: OK, or the first error of one. */
DPPAIR_API dppair_status DPPAIR_NAME_chunked_run_(dppair_chunked_ *r, dppair_task *one) {
  const dppair_parts *parts = r->pass->groups ? NULL : r->pass->parts;
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
                                                       const dppair_pass *pass) {
  const DPPAIR_ROWS_ some = DPT_PRESENT(all), *rows = &some;
  dppair_chunked_ r;
  size_t of[3], k;
  dppair_status status;
  if (!dppair_isfinite_f64(rows->radius) || !(rows->radius > 0.0)) return DPPAIR_ERR_NO_PROOF;
  if (!DPPAIR_NAME_fast_is_own_(pass->fast, pass->params)) return DPPAIR_ERR_WORKSPACE;
  if (all->n > pass->fast->most) return DPPAIR_ERR_SIZE;
  memset(&r, 0, sizeof r);
  r.rows = rows;
  r.w = w;
  r.pass = pass;
  r.parts = pass->parts && !pass->groups ? pass->parts->parts : 1;
  status = DPPAIR_NAME_chunked_bytes_(of, rows->n, rows->d, pass);
  if (status != DPPAIR_OK) return status;
  (void)DPPAIR_NAME_chunked_layout_(&r, dppair_align_(pass->work), rows->n, of);
  status = DPPAIR_NAME_chunked_open_(&r, of, rows->d, rows->radius);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_chunked_run_(&r, DPPAIR_NAME_chunked_moments_);
  for (k = 0; status == DPPAIR_OK && k < r.parts && r.parts > 1; k++) {
    dppair_moments_settle_(r.m + k, pass->fast);
    if (k) dppair_moments_join_(r.m, r.m + k, pass->fast);
  }
  if (status == DPPAIR_OK) DPPAIR_NAME_moments_close_(r.m, pass->params, pass->fast);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_chunked_run_(&r, DPPAIR_NAME_chunked_sum_);
  for (k = 1; status == DPPAIR_OK && k < r.parts; k++) status = dppair_sum_add(r.sum, r.sum + k);
  if (status == DPPAIR_OK) dppair_sum_read_(g, r.sum);
  return status;
}

DPPAIR_FP_END_

#endif
