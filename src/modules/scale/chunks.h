/* ------------------------------------------------------------------------------------------------
 * The gradient of an instance in chunks of rows
 *
 * All pairs of records that are never in one place: chunks of any size and order, from a file, of
 * threads, of processes. Rows are taken block by block, so a pass over them takes no memory that
 * grows with their number. Every sum is one of integers, hence any split gives the same bits, those
 * of NAME_gradient with the same state. One step at a public w, in every process:
 *
 *   rank_sums_init(&fast, n, accuracy, cap, NULL, ...);  once: n records in all processes together
 *   options.fast = &fast;                                   options.work: rank_chunk_workspace
 *   rank_sketch_open(&m, &fast, ...);
 *   rank_chunk_sketch(&m, &rows, w, &options);             once for each chunk
 *   dppair_sketch_add(&m, &other);                      those of all others, in any order
 *   rank_sketch_finish(&m, params, &fast);              then m is read only
 *   rank_sum_open(&sum, d, radius, &options, ...);
 *   rank_chunk_sum(&sum, &rows, w, &m, &options);           each chunk again
 *   dppair_sum_add(&sum, &another);                      those of all others
 *   rank_release_sum(g, &release, &sum, w, &options);       once, by the process that has the key
 *
 * Moments and sums carry a digest of w, the radius and the state, and how many records they have:
 * what was made at another w is refused, and so is a sum without some chunk. That every chunk comes
 * once, and is the same in both passes, is for the caller to see to: one that comes twice in the
 * place of another of its size moves the sum by more than S. NOT PRIVATE: both are raw material, as
 * secret as the records. Public functions, written NAME_x in comments: DPPAIR_NAME_x in the code.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* As NAME_chunk_ways_, and WORKSPACE: a state that NAME_sums_init did not prepare for this loss and
 * these parameters. Each public function compares the digests once. */
DPPAIR_API dppair_status DPPAIR_NAME_chunk_pass_(const dppair_options *options) {
  const dppair_status status = DPPAIR_NAME_chunk_ways_(options);
  if (status != DPPAIR_OK) return status;
  if (!options->fast->order_free) return DPPAIR_ERR_WORKSPACE;
  return DPPAIR_NAME_fast_state_(options->fast, options->params);
}

/* The digest of moments that are made at w from rows within radius, of records or users. */
DPPAIR_API uint64_t DPPAIR_NAME_digest_(const DPPAIR_REAL *w, size_t d, double radius,
                                        const dppair_options *options, int users) {
  const uint64_t digest = dppair_digest_(w, d, radius, options->fast, !DPPAIR_TEMPLATE_F64_);
  return users ? dppair_digest_of_sum_(digest, UINT64_MAX) : digest;
}

/* *bytes = the workspace of NAME_chunk_sketch and NAME_chunk_sum for rows of d numbers and this
 * pass; it does not grow with the rows, and is at most 33 KB; with users that of the chunk whose
 * places they are, 32 bytes a row more. Errors zero it: NULL, NO_PROOF (a clip; groups that are not
 * users, or without DPPAIR_WEIGHTS), WORKSPACE (the state), SIZE (places), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_chunk_workspace(size_t *bytes, size_t d, const dppair_options *options) {
  const dppair_groups *g = options ? options->groups : NULL;
  dppair_status status;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = DPPAIR_NAME_chunk_pass_(options);
  if (status == DPPAIR_OK && g) status = dppair_groups_fit_(g, 0);
  if (status != DPPAIR_OK) return status;
  *bytes =
      DPPAIR_NAME_chunk_bytes_(g ? g->positive[g->count] + g->negative[g->count] : 0, d, options);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* Checks the arguments of both functions below, but for moments and sums. */
DPPAIR_API dppair_status DPPAIR_NAME_chunk_args_(const DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w,
                                                 const dppair_options *options) {
  size_t needed;
  dppair_status status;
  if (!rows || (!w && rows->d)) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_chunk_workspace(&needed, rows->d, options);
  if (status != DPPAIR_OK) return status;
  if (!options->work) return DPPAIR_ERR_NULL;
  if (options->bytes < needed) return DPPAIR_ERR_WORKSPACE;
  if (rows->weight && !DPPAIR_WEIGHTS) return DPPAIR_ERR_NO_PROOF;
  status = dppair_rows_check_ROW_(rows);
  if (status != DPPAIR_OK) return status;
  if (rows->nulls > rows->n || rows->positives > rows->n - rows->nulls) return DPPAIR_ERR_SIZE;
  if (options->groups) {
    status = dppair_groups_check_(options->groups, rows->positives,
                                  rows->n - rows->nulls - rows->positives, 0);
    if (status != DPPAIR_OK) return status;
  }
  if (!dppair_isfinite_f64(rows->radius) || !(rows->radius > 0.0)) return DPPAIR_ERR_NO_RADIUS;
  status = DPT_ROWS_SHORT(rows);
  if (status != DPPAIR_OK) return status;
  return DPT_REACH(w, rows->d, rows->radius);
}

/*
 * m += the moments of the scores <x_i, w> of these rows, positives first; n = 0 is a chunk, too.
 *   m       from NAME_sketch_open, and not finished
 *   rows    of a radius that is the same for all chunks; y is not read
 *   w       d numbers, public
 *   options fast: from NAME_sums_init; params; work: NAME_chunk_workspace. parts are not read.
 *           groups (ACROSS, with DPPAIR_WEIGHTS): the users of this chunk, whose records are all
 *           in it; they weigh as in NAME_weighted_coeffs. In every chunk or in none. Users of
 *           many records, or with a score beyond the cap, use the state's memory: then no two
 *           threads may share it
 * The words of m are settled when it returns: they may be added to those of others.
 *
 * Errors leave *m as it is: NULL, WORKSPACE (too little; a state that NAME_sums_init did not
 * prepare for this loss; moments made at another w, radius or state, finished, or by NAME_sketch),
 * SIZE (ld < d, more positives than rows, more records than the state is for, places), BATCH (rows
 * of another draw than those before), NO_RADIUS, NO_PROOF (a clip, groups that are not users,
 * weights or groups without DPPAIR_WEIGHTS),
 * NOT_FINITE (w), OVERFLOW (radius |w| above 1e150, for float 1e18; sizes), ENVIRONMENT. NOT_FINITE
 * for a score, which rows from dppair_rows_clip never have, spoils it: every later call refuses it.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_chunk_sketch(dppair_sketch *m,
                                                                    const DPPAIR_ROWS_ *all,
                                                                    const DPPAIR_REAL *w,
                                                                    const dppair_options *options) {
  DPPAIR_ROWS_ some, *rows = &some;
  uint64_t digest, count;
  dppair_status status = DPPAIR_NAME_chunk_args_(all, w, options);
  if (status == DPPAIR_OK && !m) status = DPPAIR_ERR_NULL;
  if (status != DPPAIR_OK) return status;
  some = DPT_PRESENT(all);
  digest = DPPAIR_NAME_digest_(w, rows->d, rows->radius, options, options->groups != NULL);
  count = m->count[0] + m->count[1];
  if (dppair_sketch_check_(m, options->fast) != DPPAIR_OK || m->finished)
    return DPPAIR_ERR_WORKSPACE;
  if (m->digest != digest && !(m->digest == 0 && count == 0)) return DPPAIR_ERR_WORKSPACE;
  if (m->digest != 0 && m->serial != rows->serial) return DPPAIR_ERR_BATCH;
  if (count > options->fast->most || rows->n > options->fast->most - count) return DPPAIR_ERR_SIZE;
  m->digest = digest;
  m->serial = rows->serial;
  m->radius = rows->radius;
#if DPPAIR_WEIGHTS
  if (options->groups) return DPPAIR_NAME_users_sketch_(m, rows, w, options);
#endif
  return DPPAIR_NAME_sketch_of_(m, rows, w, options->fast, (char *)options->work, NULL);
}

/* Makes *sum the sum 0 of gradients of d numbers, for rows within radius and this pass, of which
 * the state is read: no addend is larger than most slope radius. work: dppair_sum_workspace. Errors
 * zero *sum: NULL, NO_RADIUS, NO_PROOF (a clip, groups), those of dppair_sum_open, WORKSPACE (the
 * state). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sum_open(dppair_sum *sum, size_t d,
                                                                double radius,
                                                                const dppair_options *options,
                                                                void *work, size_t bytes) {
  dppair_status status = DPPAIR_NAME_chunk_pass_(options);
  if (!sum) return DPPAIR_ERR_NULL;
  memset(sum, 0, sizeof *sum);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(radius) || !(radius > 0.0)) return DPPAIR_ERR_NO_RADIUS;
  status = dppair_sum_open(sum, d, dppair_sum_bound_(options->fast, radius), work, bytes);
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
 * records that are there and sum->nulls by the others; with users sum->count by their number;
 * sum->weightless by those of the count whose weight is 0, which no divisor counts.
 *   sum   from NAME_sum_open; its words may be added to those of others at any time
 *   rows, w, pass   as of NAME_chunk_sketch, with the same radius, w and state
 * Errors leave *sum as it is: those of NAME_chunk_sketch; WORKSPACE (moments that are not
 * finished, a sum or moments of another w, radius, state, or of other records in number).
 * NOT_FINITE for a score closes the sum: every later call refuses it.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_chunk_sum(dppair_sum *sum,
                                                                 const DPPAIR_ROWS_ *all,
                                                                 const DPPAIR_REAL *w,
                                                                 const dppair_sketch *m,
                                                                 const dppair_options *options) {
  DPPAIR_ROWS_ some, *rows = &some;
  uint64_t digest, count, more;
  dppair_status status = DPPAIR_NAME_chunk_args_(all, w, options);
  if (status == DPPAIR_OK && (!sum || !m)) status = DPPAIR_ERR_NULL;
  if (status != DPPAIR_OK) return status;
  some = DPT_PRESENT(all);
  digest = DPPAIR_NAME_digest_(w, rows->d, rows->radius, options, options->groups != NULL);
  count = options->groups ? m->users : m->count[0] + m->count[1];
  more = options->groups ? options->groups->count : rows->n;
  if (m->finished != 1 || m->digest != digest ||
      !DPPAIR_NAME_sum_is_own_(sum, rows->d, rows->radius, options->fast))
    return DPPAIR_ERR_WORKSPACE;
  digest = dppair_digest_of_sum_(digest, count);
  if (sum->digest != digest && !dppair_sum_is_fresh_(sum)) return DPPAIR_ERR_WORKSPACE;
  if (rows->serial != m->serial || (sum->digest != 0 && sum->serial != rows->serial))
    return DPPAIR_ERR_BATCH;
  if (sum->count > count || more > count - sum->count) return DPPAIR_ERR_SIZE;
  sum->digest = digest;
  sum->serial = rows->serial;
#if DPPAIR_WEIGHTS
  if (options->groups) return DPPAIR_NAME_users_sum_(sum, rows, w, m, options, 0);
#endif
  sum->nulls += all->nulls;
  sum->weightless += dppair_weightless_(rows->weight, rows->n);
  return DPPAIR_NAME_sum_of_(sum, rows, w, m, options->fast, (char *)options->work, NULL);
}

DPPAIR_FP_END_
