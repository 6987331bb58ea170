/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_scale.h - all pairs of records that are never in one place (version 0.1.0)
 *
 *   Chunks of records, of any size and in any order, from a file, of threads or of processes. A pass
 *   over them takes no memory that grows with their number, and only moments and sums travel: a few
 *   KB, 1 MB for piecewise linear losses. Every sum is one of integers, so any split gives the same
 *   bits, those of NAME_gradient and NAME_release with the same state.
 *
 *     #include "dppair_noise.h"                for releases, as is dppair_accountant.h
 *     #include "dppair_accountant.h"
 *     #include "dppair_scale.h"                before the instances that have it; includes the losses
 *     #define DPPAIR_NAME rank
 *     #define DPPAIR_REAL double
 *     #define DPPAIR_LOSS dppair_logistic
 *     #include "dppair.h"
 *
 *     rank_chunk_sketch(&m, &rows, w, &options);             each chunk; options.fast: rank_sums_init
 *     rank_sketch_finish(&m, params, &fast);              then m is read only
 *     rank_chunk_sum(&sum, &rows, w, &m, &options);           each chunk again
 *     rank_release_sum(g, &release, &sum, w, &options);       with a plan's noise: g may be published
 *
 * The whole step stands at the head of modules/scale/chunks.h, below.
 *
 * FUNCTIONS, for DPPAIR_NAME = rank
 *   of rows      rank_chunk_workspace, rank_chunk_sketch, rank_sum_open, rank_chunk_sum
 *   of scores    rank_sketch_open, rank_sketch, rank_sketch_finish, rank_coeffs_from_sketch: for
 *                networks
 *   join         dppair_sketch_add; dppair_sum_add is in dppair.h. Words of another process:
 *                dppair_words_add
 *   release      rank_release_sum: with noise; if all four headers are there
 *
 * rank_sums_init, which prepares the state, and rank_sketch_workspace are in dppair.h. Pairs of a
 * metric in blocks: dppair_metric.h. Errors leave moments and sums as they are, or close them.
 * Instances of a loss that is neither analytic nor piecewise linear have none of these functions.
 * An instance that came before this header has none of them: one #error says so.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     72  modules/scale/sketch.h             Moments of an instance: coefficients in chunks
 *           NAME_sketch_open NAME_sketch NAME_sketch_finish NAME_coeffs_from_sketch
 *    186  modules/scale/chunks.h             The gradient of an instance in chunks of rows
 *           NAME_chunk_workspace NAME_chunk_sketch NAME_sum_open NAME_chunk_sum
 *    393  core/quick.h                       What is compiled soon rather than fast: it begins
 *    415  modules/scale/release.h            The release of a gradient that was summed in chunks
 *           NAME_release_sum
 *    513  core/quick_end.h                   What is compiled soon rather than fast: it ends
 *    539  core/freestanding.h                Without a C library: names for the time of one include
 *    588  modules/scale/names.h              Names of chunks: as simd/names.h
 *    607  modules/scale/shared.h             Chunks: what all instances share
 *           dppair_sketch_add
 *    690  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_DECLARE_SCALE_
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#else

#ifndef DPPAIR_SCALE_SELF
#define DPPAIR_SCALE_SELF "dppair_scale.h"
#endif

#ifdef DPPAIR_MODULE_SCALE_
#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_ || DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_

#if DPPAIR_STAGE_ == DPPAIR_STAGE_FUNCTIONS_
/* ---- src/modules/scale/sketch.h -------------------------------------------------------------
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
/* ---- src/modules/scale/chunks.h -------------------------------------------------------------
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
DPPAIR_FN_ dppair_status DPPAIR_NAME_chunk_pass_(const dppair_options *options) {
  const dppair_status status = DPPAIR_NAME_chunk_ways_(options);
  if (status != DPPAIR_OK) return status;
  if (!options->fast->order_free) return DPPAIR_ERR_WORKSPACE;
  return DPPAIR_NAME_fast_state_(options->fast, options->params);
}

/* The digest of moments that are made at w from rows within radius, of records or users. */
DPPAIR_FN_ uint64_t DPPAIR_NAME_digest_(const DPPAIR_REAL *w, size_t d, double radius,
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
DPPAIR_FN_ dppair_status DPPAIR_NAME_chunk_args_(const DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w,
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
DPPAIR_FN_ int DPPAIR_NAME_sum_is_own_(const dppair_sum *sum, size_t d, double radius,
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

#elif DPPAIR_STAGE_ == DPPAIR_STAGE_RELEASES_
/* ---- src/core/quick.h -----------------------------------------------------------------------
 * What is compiled soon rather than fast: it begins
 *
 * Checks, plans, facts and answers run once for each release or question, and are most of the text.
 * gcc spends on them what loops over records deserve: so until core/quick_end.h it compiles for
 * debugging, in half the time. No bit depends on it. Off without optimisation, where sizes are
 * wanted (-Os, DPPAIR_SMALL), under sanitizers and with DPPAIR_NO_QUICK; clang has no such level.
 *
 * A function of such a region is inlined nowhere else, so helpers of loops stand outside, as do
 * what wipes secrets and what makes noise. With DPPAIR_QUICK_SMALL_ 1 the region is compiled for size:
 * as soon for loops over vectors that hardly anybody runs, and half as long.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#if DPPAIR_QUICK_SMALL_
#define DPPAIR_LEVEL_ "Os"
#else
#define DPPAIR_LEVEL_ "Og"
#endif
_Pragma("GCC push_options") DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_))
#endif
/* ---- src/modules/scale/release.h ------------------------------------------------------------
 * The release of a gradient that was summed in chunks
 *
 * As NAME_release, in the same order: public checks, which use no paid release; the paid release;
 * the divisor; noise. The sum is one of NAME_chunk_sum (chunks.h), from however many processes.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The public checks of NAME_release_sum, and its noise. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_release_sum_open_(dppair_release_terms_ *terms,
                                                       const dppair_release *release,
                                                       const dppair_sum *sum, const DPPAIR_REAL *w,
                                                       const dppair_options *given) {
  dppair_grouped_ units;
  dppair_options alone, *options = &alone;
  dppair_bounds bounds;
  size_t most;
  int unit, users;
  dppair_status status = dppair_release_bound_(release, sum->radius);
  if (status != DPPAIR_OK) return status;
  if (!w || !given) return DPPAIR_ERR_NULL;
  unit = dppair_adjacency_unit_(release->sampling.adjacency);
  users = unit == DPPAIR_OF_USERS_ && release->sampling.owned == 0;
  alone = *given;
  alone.groups = NULL;
  if (sum->size == 0 || sum->count > SIZE_MAX || sum->nulls > SIZE_MAX - sum->count)
    return DPPAIR_ERR_SIZE;
  if (unit == DPPAIR_OF_QUERIES_) return DPPAIR_ERR_ADJACENCY;
  if (release->sampling.kind == DPPAIR_MATCHING) return DPPAIR_ERR_NO_PROOF;
  status = dppair_release_rows_(&most, release, (size_t)(sum->count + sum->nulls), sum->radius,
                                sum->serial);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_chunk_pass_(options);
  if (status != DPPAIR_OK) return status;
  memset(&bounds, 0, sizeof bounds);
  bounds.radius = sum->radius;
  bounds.param_radius = dppair_release_norm_(w, sum->size, !DPPAIR_TEMPLATE_F64_);
  if (!dppair_isfinite_f64(bounds.param_radius)) return DPPAIR_ERR_NOT_FINITE;
  if (!(bounds.radius * bounds.param_radius <= DPT_SCORE_)) return DPPAIR_ERR_OVERFLOW;
  if (!DPPAIR_NAME_sum_is_own_(sum, sum->size, sum->radius, options->fast) ||
      sum->digest !=
          dppair_digest_of_sum_(DPPAIR_NAME_digest_(w, sum->size, sum->radius, options, users),
                                sum->count))
    return DPPAIR_ERR_WORKSPACE;
  memset(&units, 0, sizeof units);
  units.across = 1;
  units.count = (size_t)sum->count;
  units.most = (double)options->fast->most;
  status = DPPAIR_NAME_sensitivity_of_(&terms->sensitivity, sum->size, &bounds, &release->sampling,
                                       options, users ? &units : NULL);
  if (status != DPPAIR_OK) return status;
  return DPPAIR_NAME_price_(terms, release, sum->size, bounds.radius,
                            (size_t)(sum->nulls + sum->weightless), options);
}

/*
 * g[0..sum->size) = the gradient in *sum, divided by the divisor of the plan's sampling, with the
 * noise of this step: what NAME_release of all these rows at once writes, to the bit. g may be
 * published, and so may the next w.
 *
 *   sum    of NAME_chunk_sum, over all n records of the plan, or over those of this step's draw;
 *          where the plan protects users, of chunks of users, n of them
 *   w      what its chunks were computed at, public
 *   options the same state and params; work, parts and groups are not read
 *
 * S is NAME_sensitivity at sum->radius and at the norm of w as it is; the rounding of moments and
 * sums is in it. A process that repeats this with the release of the same key, run and step writes
 * the same bits, and has released nothing more.
 *
 * Errors zero g, and use no paid release: those of dppair_release_vector about the release; NULL;
 * SIZE (size 0; a sum whose records are not as many as those of the step; more than the state is
 * for); WORKSPACE (a sum that is not open, or was made at another w or with another state; a state
 * that NAME_sums_init did not prepare for this loss and params); ADJACENCY (a plan for queries);
 * NO_RADIUS; NO_PROOF (a plan of matchings; a clip; the reasons of NAME_sensitivity); NOT_FINITE
 * (w); OVERFLOW; OVERLAP (g, and the sum). Without a sum g has no size and is not touched. No error
 * depends on a record.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_sum(double *g,
                                                                   dppair_release *release,
                                                                   const dppair_sum *sum,
                                                                   const DPPAIR_REAL *w,
                                                                   const dppair_options *options) {
  dppair_release_terms_ terms;
  dppair_status status;
  if (!sum) return DPPAIR_ERR_NULL;
  status = dppair_array_(g, sum->size);
  if (status != DPPAIR_OK) return status;
  if (sum->size) memset(g, 0, sum->size * sizeof *g);
  status = DPPAIR_NAME_release_sum_open_(&terms, release, sum, w, options);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK) status = dppair_apart_(g, sum->size, sum->words, 16 * sum->size);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  status = dppair_sum_value(g, sum);
  return dppair_release_sum_(g, sum->size, release, status);
}

DPPAIR_FP_END_
/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif
#endif

#endif
#elif !defined(DPPAIR_SCALE_H)
#define DPPAIR_SCALE_H

#ifdef DPPAIR_HAS_INSTANCES_
#error "Include dppair_scale.h before dppair.h makes an instance: earlier ones have none of it."
#endif

#ifndef DPPAIR_NAME /* of an instance that comes later: then the losses are there */
#include "dppair_losses.h"
#endif
#define DPPAIR_NO_TEMPLATE_
#include "dppair.h"
#undef DPPAIR_NO_TEMPLATE_

/* ---- src/core/freestanding.h ----------------------------------------------------------------
 * Without a C library: names for the time of one include
 *
 * With DPPAIR_FREESTANDING the headers include nothing but what a compiler brings: stddef.h,
 * stdint.h, float.h and intrinsics. The names of string.h and math.h that the chapters use then
 * mean the compiler's own operations, from here to freestanding_end.h; after that they are the
 * host's again. memory.h has what is left of them as calls (DPPAIR_HOST_MEMORY: the host does).
 * Functions of a libm that math.h still names are symbols where they are called. The tier is what
 * the compiler may use, keys come from DPPAIR_ENTROPY or the caller, and fork is not noticed.
 *
 * Every header and module begins with this chapter, so here it meets a core of another version.
 * ---------------------------------------------------------------------------------------------- */
#if defined(DPPAIR_CORE_TEXT_) && DPPAIR_CORE_TEXT_ != 367421840u
#error "Two versions of dppair in one file: take all of its headers from one version."
#include "dppair stops here: one sentence says more than the thousands of errors after it"
#endif
#ifdef DPPAIR_FREESTANDING
#if !defined(__GNUC__) && !defined(__clang__)
#error "DPPAIR_FREESTANDING needs gcc or clang: it names symbols of the object file."
#endif
#pragma push_macro("memcmp")
#pragma push_macro("memcpy")
#pragma push_macro("memmove")
#pragma push_macro("memset")
#pragma push_macro("strcmp")
#pragma push_macro("strlen")
#pragma push_macro("HUGE_VAL")
#pragma push_macro("INFINITY")
#undef memcmp
#undef memcpy
#undef memmove
#undef memset
#undef strcmp
#undef strlen
#undef HUGE_VAL
#undef INFINITY
#define memcmp(a, b, n) dppair_memcmp_(a, b, n)
#define memcpy(to, from, n) __builtin_memcpy(to, from, n)
#define memmove(to, from, n) __builtin_memmove(to, from, n)
#define memset(to, byte, n) __builtin_memset(to, byte, n)
#define strcmp(a, b) dppair_strcmp_(a, b)
#define strlen(a) dppair_strlen_(a)
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#else
#include <math.h>
#include <string.h>
#endif

/* ---- src/modules/scale/names.h --------------------------------------------------------------
 * Names of chunks: as simd/names.h
 * ---------------------------------------------------------------------------------------------- */

/* An instance. */
#define DPPAIR_NAME_chunk_args_ DPPAIR_NAME_OF_(_chunk_args_)
#define DPPAIR_NAME_chunk_sketch DPPAIR_NAME_OF_(_chunk_sketch)
#define DPPAIR_NAME_chunk_pass_ DPPAIR_NAME_OF_(_chunk_pass_)
#define DPPAIR_NAME_chunk_sum DPPAIR_NAME_OF_(_chunk_sum)
#define DPPAIR_NAME_chunk_workspace DPPAIR_NAME_OF_(_chunk_workspace)
#define DPPAIR_NAME_coeffs_from_sketch DPPAIR_NAME_OF_(_coeffs_from_sketch)
#define DPPAIR_NAME_digest_ DPPAIR_NAME_OF_(_digest_)
#define DPPAIR_NAME_sketch DPPAIR_NAME_OF_(_sketch)
#define DPPAIR_NAME_sketch_finish DPPAIR_NAME_OF_(_sketch_finish)
#define DPPAIR_NAME_sketch_open DPPAIR_NAME_OF_(_sketch_open)
#define DPPAIR_NAME_release_sum DPPAIR_NAME_OF_(_release_sum)
#define DPPAIR_NAME_release_sum_open_ DPPAIR_NAME_OF_(_release_sum_open_)
#define DPPAIR_NAME_sum_is_own_ DPPAIR_NAME_OF_(_sum_is_own_)
#define DPPAIR_NAME_sum_open DPPAIR_NAME_OF_(_sum_open)
/* ---- src/modules/scale/shared.h -------------------------------------------------------------
 * Chunks: what all instances share
 *
 * Moments and sums of a chunk carry digests, which tell what they were made with.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Is *f an order-free state, and *m opened for it? */
DPPAIR_FN_ dppair_status dppair_sketch_check_(const dppair_sketch *m, const dppair_fast *f) {
  if (!m || !f) return DPPAIR_ERR_NULL;
  if (!f->order_free || !m->words || m->all != f->words || m->state != f->digest ||
      !dppair_fast_is_whole_(f))
    return DPPAIR_ERR_WORKSPACE;
  return m->finished < 0 ? DPPAIR_ERR_WORKSPACE : DPPAIR_OK;
}

/* Can n more records, or moments, be added to *m, which was checked? SIZE: more than the state has
 * room for. */
DPPAIR_FN_ dppair_status dppair_sketch_room_(const dppair_sketch *m, const dppair_fast *f,
                                             uint64_t n) {
  const uint64_t there = m->count[0] + m->count[1];
  if (m->finished) return DPPAIR_ERR_DOMAIN;
  return there > f->most || n > f->most - there ? DPPAIR_ERR_SIZE : DPPAIR_OK;
}

/* Makes *m empty moments at base, which is aligned, with the words of all cells. */
DPPAIR_FN_ void dppair_sketch_clear_(dppair_sketch *m, const dppair_fast *f, void *base) {
  dppair_sketch_begin_(m, f, base);
  if (f->kind == DPPAIR_KIND_ANALYTIC_) dppair_sketch_hold_(m, f, 0, m->cells);
}

/*
 * m += other, which may come from another thread; words of another process are added by
 * dppair_words_add, and its counts. Errors leave *m as it is: NULL, WORKSPACE (one that is not
 * open, or spoiled; of another state, rows of another radius, another w; those of rows to
 * themselves), BATCH (rows of another draw), DOMAIN (finished).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sketch_add(dppair_sketch *m,
                                                             const dppair_sketch *other) {
  if (!m || !other) return DPPAIR_ERR_NULL;
  if (!m->words || !other->words || m->all != other->all || m->state != other->state ||
      (m->words == other->words && m->digest) || m->finished < 0 || other->finished < 0)
    return DPPAIR_ERR_WORKSPACE;
  if (m->finished || other->finished) return DPPAIR_ERR_DOMAIN;
  if (other->count[0] + other->count[1] + other->users == 0) return DPPAIR_OK;
  if (m->count[0] + m->count[1] + m->users > 0 &&
      (m->digest != other->digest || dppair_fabs_(m->radius - other->radius) > 0.0))
    return DPPAIR_ERR_WORKSPACE;
  if (m->count[0] + m->count[1] + m->users > 0 && m->serial != other->serial)
    return DPPAIR_ERR_BATCH;
  m->digest = other->digest;
  m->serial = other->serial;
  m->radius = other->radius;
  m->count[0] += other->count[0];
  m->count[1] += other->count[1];
  m->users += other->users;
  dppair_words_add(m->words, other->words, m->all / 2);
  return DPPAIR_OK;
}

/* The digest of what scores and coefficients are made with: w, the radius and the state. It finds
 * mistakes, such as a process that is a step behind; it is no signature. Never 0. */
DPPAIR_FN_ uint64_t dppair_digest_(const void *w, size_t d, double radius, const dppair_fast *f,
                                   int is_f32) {
  uint64_t digest = dppair_digest_add_(f->digest, (uint64_t)d);
  size_t k;
  digest = dppair_digest_add_(digest, is_f32 ? 32 : 64);
  digest = dppair_digest_add_(digest, dppair_bits_f64_(radius));
  for (k = 0; k < d; k++)
    digest = dppair_digest_add_(digest, is_f32 ? dppair_bits_f32_(((const float *)w)[k])
                                               : dppair_bits_f64_(((const double *)w)[k]));
  return digest ? digest : 1;
}

/* The digest of a sum: that of its moments, and of how many records they have. */
DPPAIR_FN_ uint64_t dppair_digest_of_sum_(uint64_t digest, uint64_t count) {
  digest = dppair_digest_add_(digest, count);
  return digest ? digest : 1;
}

DPPAIR_FP_END_

/* ---- src/core/freestanding_end.h ------------------------------------------------------------
 * Without a C library: a host's names are its own again
 * ---------------------------------------------------------------------------------------------- */
#ifdef DPPAIR_FREESTANDING
#pragma pop_macro("INFINITY")
#pragma pop_macro("HUGE_VAL")
#pragma pop_macro("strlen")
#pragma pop_macro("strcmp")
#pragma pop_macro("memset")
#pragma pop_macro("memmove")
#pragma pop_macro("memcpy")
#pragma pop_macro("memcmp")
#endif

#endif /* DPPAIR_SCALE_H */
#endif /* DPPAIR_DECLARE_ONLY */
