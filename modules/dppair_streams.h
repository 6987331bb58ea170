/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_streams.h - records that arrive one at a time: prefix sums with noise (version 0.1.0)
 *
 * Record t meets a buffer of records before it. The gradients of the steps are summed up as they
 * come, and every prefix sum may be published: its noise grows like the logarithm of its length,
 * where independent noise would grow like the root.
 *
 *     #include "dppair_streams.h"              includes dppair_noise.h and dppair_accountant.h
 *
 *     dppair_stream stream = {0};
 *     stream.steps = 1536, stream.buffer = 64, stream.silent = 64;
 *     stream.noise = DPPAIR_PREFIX_SQUARE_ROOT, stream.adjacency = DPPAIR_REPLACE_ONE;
 *     s = dppair_sensitivity_prefix(&unit, &pair, &stream, room, bytes);  of the whole stream
 *     ... charge one release of it ...
 *     s = dppair_prefix_open(&prefix, &stream, d, sigma, bound, work, bytes);
 *     if (!s) s = dppair_prefix_step(sum, gradient, t, &prefix, &rng);    at each step t
 *     dppair_prefix_close(&prefix);                                      wipes the gradients
 *
 * FUNCTIONS
 *   sums          dppair_prefix_open _step _close _workspace
 *   sensitivity   dppair_sensitivity_prefix, dppair_sensitivity_prefix_workspace: of all sums of a
 *                 stream together
 *   types         dppair_stream  dppair_prefix  dppair_prefix_noise
 *
 * The proofs are at the heads of modules/streams/sensitivity.h and prefix.h, below.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     55  core/freestanding.h                Without a C library: names for the time of one include
 *    104  modules/streams/stream.h           Streams
 *    159  modules/streams/prefix.h           Prefix sums of a stream, with noise
 *           dppair_prefix_workspace dppair_prefix_open dppair_prefix_close dppair_prefix_step
 *    360  core/quick.h                       What is compiled soon rather than fast: it begins
 *    384  modules/streams/sensitivity.h      Sensitivities of streams
 *           dppair_sensitivity_prefix_workspace dppair_sensitivity_prefix
 *    631  core/quick_end.h                   What is compiled soon rather than fast: it ends
 *    640  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_DECLARE_STREAMS_
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#else
#ifndef DPPAIR_STREAMS_H
#define DPPAIR_STREAMS_H

#include "dppair_accountant.h"
#include "dppair_noise.h"

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

/* ---- src/modules/streams/stream.h -----------------------------------------------------------
 * Streams: records that arrive one at a time, and sums over them with noise
 *
 * The value that noise (prefix.h) and sensitivity (sensitivity.h) both read. Relies on sampling.h.
 * ---------------------------------------------------------------------------------------------- */

/* Which noise the prefix sums g_1 + .. + g_r of a stream have. */
typedef enum dppair_prefix_noise {
  DPPAIR_PREFIX_INDEPENDENT = 1, /* each g_r its own: that of the sums adds up */
  DPPAIR_PREFIX_TREE = 2,        /* binary tree: one release for each block that ends at r */
  DPPAIR_PREFIX_SQUARE_ROOT = 3  /* square root of the triangle of ones: the least here */
} dppair_prefix_noise;

/* Record t = 1 .. steps meets, at step t, a buffer of records before it. Their order is public. */
typedef struct dppair_stream {
  size_t steps;              /* how many records arrive */
  size_t buffer;             /* how many the buffer holds: the last ones; SIZE_MAX: all before */
  size_t silent;             /* steps 1 .. silent release nothing, and move nothing */
  dppair_prefix_noise noise; /* of what the other steps release */
  dppair_adjacency adjacency;
  const size_t
      *slot; /* NULL: the buffer holds the last records. Else a reservoir: the place of each
                       * of the `steps` records (dppair_sensitivity_prefix) */
} dppair_stream;

/* OK where all fields have a meaning: SIZE (steps above silent, or an empty buffer), DOMAIN
 * (noise), ADJACENCY (one that protects more than a record; a record that is added or removed
 * would shift all after it, one that is zeroed keeps its step and its place). */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_stream_check_(const dppair_stream *s) {
  if (s == NULL) return DPPAIR_ERR_NULL;
  if ((int)s->noise < DPPAIR_PREFIX_INDEPENDENT || (int)s->noise > DPPAIR_PREFIX_SQUARE_ROOT)
    return DPPAIR_ERR_DOMAIN;
  if (s->adjacency != DPPAIR_REPLACE_ONE && s->adjacency != DPPAIR_ZERO_OUT)
    return DPPAIR_ERR_ADJACENCY;
  return s->steps < 2 || s->silent >= s->steps || s->buffer < 1 ? DPPAIR_ERR_SIZE : DPPAIR_OK;
}

DPPAIR_FP_BEGIN_

/* The first n coefficients of (1 - x)^(-1/2), which has the square 1 + x + x^2 + ..: 1, 1/2, 3/8,
 * each below 1/sqrt(3 k). Noise and accountant compute the same doubles, so that a rounding of
 * theirs is in no bound. */
DPPAIR_FN_ void dppair_square_root_(double *f, size_t n) {
  size_t k;
  for (k = 0; k < n; k++)
    f[k] = k == 0 ? 1.0 : f[k - 1] * ((2.0 * (double)k - 1.0) / (2.0 * (double)k));
}

DPPAIR_FP_END_

/* The block of the tree that ends at r >= 1 has this length, the largest power of two that divides
 * r; and so the next longer block that holds position r ends at r + this. A prefix 1 .. r is the
 * blocks that end at r, at r - this, and so on. */
DPPAIR_FN_ size_t dppair_tree_block_(size_t r) { return r & (~r + 1); }

/* ---- src/modules/streams/prefix.h -----------------------------------------------------------
 * Prefix sums of a stream, with noise
 *
 * What is released at step r is y_r = (C g)_r + N(0, sigma^2 I), by the exact adder; the prefix sum
 * is then B y, computed from what is public, where B C is the triangle of ones. So rounding of B
 * and of the sums is no matter of privacy, and the sensitivity is that of C alone.
 *
 *   independent  C the identity, B the triangle: the deviation of a sum is sigma sqrt(r)
 *   tree         C the blocks of a binary tree that a prefix reads, one ending at each r: 0 and 1;
 *                sigma sqrt(number of ones of r in binary)
 *   square root  C = B, the Toeplitz matrix of dppair_square_root_: sigma times the root of the sum
 *                of its first r squares, about sqrt((log r)/pi + 1.06)
 *
 * Relies on releases.h.
 * ---------------------------------------------------------------------------------------------- */

/* A stream that is released. Between calls it holds private numbers. */
typedef struct dppair_prefix {
  dppair_stream stream;
  double sigma;
  size_t d, released; /* numbers of a gradient; how many steps were released */
  double *before;     /* private: the gradients (square root), or sums of blocks (tree) */
  double *outputs;    /* what was released and is read again */
  double *factors, *sum;
} dppair_prefix;

/* Rows of d numbers that `before` and `outputs` hold: all for the square root, a block of each
 * length for the tree, and one, the sum so far, where noise is independent. */
DPPAIR_FN_ void dppair_prefix_rows_(size_t *before, size_t *outputs, const dppair_stream *s) {
  const size_t releases = s->steps - s->silent;
  size_t levels = 1, rest;
  for (rest = releases; rest > 1; rest >>= 1) levels++;
  *before = s->noise == DPPAIR_PREFIX_SQUARE_ROOT ? releases
            : s->noise == DPPAIR_PREFIX_TREE      ? levels
                                                  : 0;
  *outputs = s->noise == DPPAIR_PREFIX_INDEPENDENT ? 1 : *before;
}

/* Lays the arrays out at base; NULL: only counts. SIZE_MAX on overflow. */
DPPAIR_FN_ size_t dppair_prefix_layout_(dppair_prefix *p, const dppair_stream *s, size_t d,
                                        char *base) {
  size_t before, outputs, used = 0;
  dppair_prefix_rows_(&before, &outputs, s);
  p->before = (double *)dppair_take_(base, &used, dppair_area_(before, d), sizeof(double));
  p->outputs = (double *)dppair_take_(base, &used, dppair_area_(outputs, d), sizeof(double));
  p->sum = (double *)dppair_take_(base, &used, d, sizeof(double));
  if (s->noise != DPPAIR_PREFIX_SQUARE_ROOT) before = 0;
  p->factors = (double *)dppair_take_(base, &used, before, sizeof(double));
  return used > SIZE_MAX - 64 ? SIZE_MAX : used;
}

/* *bytes = the workspace of dppair_prefix_open for gradients of d numbers: about 16 d bytes a step
 * for the square root, 16 d log2(steps) for the tree. Errors: NULL, SIZE, DOMAIN, ADJACENCY,
 * OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_prefix_workspace(size_t *bytes,
                                                                   const dppair_stream *stream,
                                                                   size_t d) {
  dppair_prefix p;
  dppair_status status;
  size_t used;
  if (bytes == NULL) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = dppair_stream_check_(stream);
  if (status == DPPAIR_OK && d < 1) status = DPPAIR_ERR_SIZE;
  if (status != DPPAIR_OK) return status;
  used = dppair_prefix_layout_(&p, stream, d, NULL);
  if (used > SIZE_MAX - 64) return DPPAIR_ERR_OVERFLOW;
  *bytes = used + 64;
  return DPPAIR_OK;
}

/*
 * Opens a stream of gradients of d numbers, each of norm at most `bound`, which the caller proves.
 * sigma: of the noise of each release; charge dppair_accountant_gaussian(account, sensitivity,
 * sigma, 1), the sensitivity that of dppair_sensitivity_prefix, before the first step: one charge
 * for all of them. The workspace belongs to *p until dppair_prefix_close.
 * Errors leave *p closed: NULL, SIZE, DOMAIN (noise; a bound that is negative, or 2^38 sigma and
 * more where all steps add up), ADJACENCY, SIGMA, NOT_FINITE, WORKSPACE, OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_prefix_open(dppair_prefix *p,
                                                              const dppair_stream *stream, size_t d,
                                                              double sigma, double bound,
                                                              void *work, size_t bytes) {
  size_t needed;
  int exponent;
  dppair_status status;
  if (p == NULL) return DPPAIR_ERR_NULL;
  memset(p, 0, sizeof *p);
  status = dppair_prefix_workspace(&needed, stream, d);
  if (status != DPPAIR_OK) return status;
  status = dppair_grid_exponent_(&exponent, sigma, DPPAIR_SCALE_MAX_F64_, DPPAIR_GRID_DEFAULT);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(bound)) return DPPAIR_ERR_NOT_FINITE;
  if (bound < 0.0 || !(bound * (double)(stream->steps - stream->silent) < 274877906944.0 * sigma))
    return DPPAIR_ERR_DOMAIN;
  if (work == NULL) return DPPAIR_ERR_NULL;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
  memset(work, 0, needed);
  (void)dppair_prefix_layout_(p, stream, d, dppair_align_(work));
  p->stream = *stream;
  p->sigma = sigma;
  p->d = d;
  if (stream->noise == DPPAIR_PREFIX_SQUARE_ROOT)
    dppair_square_root_(p->factors, stream->steps - stream->silent);
  return DPPAIR_OK;
}

/* Wipes what the workspace holds; *p is then closed. NULL is no error. */
DPPAIR_API void dppair_prefix_close(dppair_prefix *p) {
  size_t before, outputs;
  if (p == NULL) return;
  if (p->d > 0) {
    dppair_prefix_rows_(&before, &outputs, &p->stream);
    if (before > 0) dppair_wipe(p->before, before * p->d * sizeof(double));
    dppair_wipe(p->sum, p->d * sizeof(double));
  }
  dppair_wipe(p, sizeof *p);
}

DPPAIR_FP_BEGIN_

/* out = sum over k <= r of factors[r - k] rows[k], in this order. */
DPPAIR_FN_ void dppair_prefix_filter_(double *out, const double *rows, const double *factors,
                                      size_t r, size_t d) {
  size_t k, i;
  for (i = 0; i < d; i++) out[i] = 0.0;
  for (k = 0; k <= r; k++)
    for (i = 0; i < d; i++) out[i] += factors[r - k] * rows[k * d + i];
}

/* The tree at release r: p->sum is the block that ends here, g and the shorter blocks before it. */
DPPAIR_FN_ void dppair_prefix_block_(dppair_prefix *p, const double *g, size_t r) {
  size_t level, i;
  memcpy(p->sum, g, p->d * sizeof(double));
  for (level = 0; (r >> level & 1) == 0; level++)
    for (i = 0; i < p->d; i++) p->sum[i] += p->before[level * p->d + i];
  memcpy(p->before + level * p->d, p->sum, p->d * sizeof(double));
}

/* The prefix sum of what is public, p->sum being the release r. */
DPPAIR_FN_ void dppair_prefix_sum_(double *sum, dppair_prefix *p, size_t r) {
  const size_t d = p->d;
  size_t level = 0, i;
  if (p->stream.noise == DPPAIR_PREFIX_SQUARE_ROOT) {
    memcpy(p->outputs + (r - 1) * d, p->sum, d * sizeof(double));
    dppair_prefix_filter_(sum, p->outputs, p->factors, r - 1, d);
    return;
  }
  if (p->stream.noise == DPPAIR_PREFIX_INDEPENDENT) {
    for (i = 0; i < d; i++) sum[i] = p->outputs[i] += p->sum[i];
    return;
  }
  while ((r >> level & 1) == 0) level++;
  memcpy(p->outputs + level * d, p->sum, d * sizeof(double));
  for (i = 0; i < d; i++) sum[i] = 0.0;
  for (level = 0; r > 0; level++, r >>= 1)
    for (i = 0; i < d && (r & 1); i++) sum[i] += p->outputs[level * d + i];
}

/*
 * The release of step t: sum = g_(silent + 1) + .. + g_t with noise, for which g, d numbers, is
 * this step's. `sum` may be published, and so may every one before. Errors zero it: NULL, SIZE (a
 * stream that is not open), NO_PROOF (t is not the next step, or one of the silent ones: what they
 * would release nobody paid for), EXHAUSTED (t is past the last one), NOT_FINITE, those of
 * dppair_add_gaussian_f64. After an error of a step that was the next one the stream is closed.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_prefix_step(double *sum, const double *g,
                                                              size_t t, dppair_prefix *p,
                                                              dppair_rng *rng) {
  dppair_status status;
  size_t r, i;
  if (sum == NULL || p == NULL) return DPPAIR_ERR_NULL;
  if (p->d < 1) return DPPAIR_ERR_SIZE;
  for (i = 0; i < p->d; i++) sum[i] = 0.0;
  if (g == NULL || rng == NULL) return DPPAIR_ERR_NULL;
  r = p->released + 1;
  if (t > p->stream.steps) return DPPAIR_ERR_EXHAUSTED;
  if (t != p->stream.silent + r) return DPPAIR_ERR_NO_PROOF;
  if (!dppair_all_finite_f64(g, p->d)) {
    dppair_prefix_close(p);
    return DPPAIR_ERR_NOT_FINITE;
  }
  p->released = r;
  if (p->stream.noise == DPPAIR_PREFIX_SQUARE_ROOT) {
    memcpy(p->before + (r - 1) * p->d, g, p->d * sizeof(double));
    dppair_prefix_filter_(p->sum, p->before, p->factors, r - 1, p->d);
  } else if (p->stream.noise == DPPAIR_PREFIX_TREE) {
    dppair_prefix_block_(p, g, r);
  } else {
    memcpy(p->sum, g, p->d * sizeof(double));
  }
  status = dppair_add_gaussian_f64(p->sum, p->d, p->sigma, rng);
  if (status == DPPAIR_OK)
    dppair_prefix_sum_(sum, p, r);
  else
    dppair_prefix_close(p);
  return status;
}

DPPAIR_FP_END_

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
DPPAIR_LIBM_BEGIN_

/* ---- src/modules/streams/sensitivity.h ------------------------------------------------------
 * Sensitivities of streams: one pass, each record against a buffer of earlier ones
 *
 * At step t record t meets a buffer B_t of b_t earlier records (dppair_stream), and
 *
 *     g_t = (1/b_t) sum over j in B_t of the pair's total, 0 if b_t = 0.
 *
 * What w the totals are taken at may depend on all releases before. Replacing record i moves g_i by
 * at most m, and g_t by at most m/b_t at the steps t > i at which i is in the buffer: v_i = m (0 ..
 * 0, 1, 1/b, 1/b, ..), m the move of a total (pairs.h). With noise sigma on (C g)_1, (C g)_2, ..,
 * C lower triangular with entries >= 0, all releases together are one Gaussian release with
 * sensitivity max over i of ||C v_i||, adaptively too: the shift of (C g)_r given what was released
 * is at most (C v_i)_r long, and mixtures of shifted Gaussians are no worse than the largest
 * shifts. Nothing is gained by sampling, and a record may arrive once.
 *
 * Buffers of the last b records with silent = b steps are the cheapest: m sqrt(1 + 1/b). What is
 * computed: a step's gradient that may be off by e is covered by a unit that is larger by 2 e b, b
 * the longest buffer. Relies on pairs.h and stream.h.
 * ---------------------------------------------------------------------------------------------- */

/* Checks the arguments; *move: of a total, *norm: the longest of them, and of a step's gradient. */
DPPAIR_FN_ dppair_status dppair_stream_move_(double *out, double *move, double *norm,
                                             const dppair_pair_unit *pair,
                                             const dppair_stream *stream) {
  dppair_status status = dppair_pair_check_(out, pair, 0);
  if (status == DPPAIR_OK && pair->matched > 0.0) status = DPPAIR_ERR_UNREAD;
  *move = *norm = 0.0;
  if (status == DPPAIR_OK) status = dppair_stream_check_(stream);
  if (status != DPPAIR_OK) return status;
  *norm = dppair_pair_norm_(pair);
  *move = stream->adjacency == DPPAIR_REPLACE_ONE ? dppair_pair_move_(pair) : *norm;
  return DPPAIR_OK;
}

/* The record that moves most where C is Toeplitz: the first that is released and met by others.
 * Earlier ones have the same weights at the same steps, but not the 1; later ones smaller weights,
 * and not more of them. */
DPPAIR_FN_ size_t dppair_stream_worst_(const dppair_stream *s) {
  return s->silent > 1 ? s->silent + 1 : 2;
}

/* How many steps record i is in the buffer at; and its weight at step t > i. */
DPPAIR_FN_ size_t dppair_stream_stays_(const dppair_stream *s, size_t i) {
  return s->buffer < s->steps - i ? s->buffer : s->steps - i;
}
DPPAIR_FN_ double dppair_stream_weight_(const dppair_stream *s, size_t t) {
  return 1.0 / (double)(t - 1 < s->buffer ? t - 1 : s->buffer);
}

/* The sum of squared weights of the worst record, rounded up within 1e-6. */
DPPAIR_FN_ double dppair_stream_squares_(const dppair_stream *s) {
  const size_t i = dppair_stream_worst_(s), end = i + dppair_stream_stays_(s, i);
  const size_t cut = end - i > 1048576 ? i + 1048576 : end;
  double sum = 0.0;
  size_t t;
  for (t = i; t < cut; t++) {
    const double weight = dppair_stream_weight_(s, t + 1);
    sum += weight * weight;
  }
  if (end > cut) { /* 1/k^2 < 1/(k-1) - 1/k; in a full buffer all weights are equal */
    sum += 1.0 / (double)(cut - 1);
    if (s->buffer < SIZE_MAX) sum += (double)(end - cut) / ((double)s->buffer * (double)s->buffer);
  }
  return 1.0 + sum * (1.0 + 1e-9);
}

/* Independent noise on each release: the move times the root of a sum of squares. Attained (but for
 * the reservoir's first records). */
DPPAIR_FN_ dppair_status dppair_stream_independent_(double *sensitivity, double move,
                                                    const dppair_stream *stream) {
  const size_t *slot = stream->slot;
  const double side = (double)stream->buffer;
  double most = 0.0;
  size_t i, t, left;
  if (slot == NULL)
    return dppair_sensitivity_store_(sensitivity,
                                     move * dppair_sqrt_(dppair_stream_squares_(stream)));
  if (stream->buffer > stream->silent) return DPPAIR_ERR_NO_PROOF;
  for (i = 0; i < stream->buffer; i++)
    if (slot[i] != i) return DPPAIR_ERR_DOMAIN;
  for (i = 0; i < stream->steps; i++) {
    double sum = i >= stream->silent ? 1.0 : 0.0;
    for (t = i + 1; slot[i] < stream->buffer && t < stream->steps; t++)
      if (slot[t] == slot[i]) break;
    if (t == stream->steps) t--; /* the step at which it is replaced still meets it */
    left = i + 1 > stream->silent ? i + 1 : stream->silent;
    if (slot[i] < stream->buffer && t >= left) sum += (double)(t - left + 1) / (side * side);
    if (sum > most) most = sum;
  }
  return dppair_sensitivity_store_(sensitivity, move * dppair_sqrt_(most * (1.0 + 1e-15)));
}

/* Numbers in the workspace of dppair_sensitivity_prefix. */
DPPAIR_FN_ size_t dppair_prefix_numbers_(const dppair_stream *s) {
  const size_t releases = s->steps - s->silent;
  if (s->noise == DPPAIR_PREFIX_INDEPENDENT) return 0;
  if (releases > SIZE_MAX / 64) return SIZE_MAX;
  return s->noise == DPPAIR_PREFIX_TREE ? releases + 1 : 3 * releases;
}

/* *bytes = the workspace of dppair_sensitivity_prefix: 24 a step for the square root, 8 for the
 * tree. Errors: NULL, SIZE, DOMAIN, ADJACENCY, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_prefix_workspace(size_t *bytes, const dppair_stream *stream) {
  dppair_status status;
  if (bytes == NULL) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = dppair_stream_check_(stream);
  return status == DPPAIR_OK ? dppair_work_bytes_(bytes, dppair_prefix_numbers_(stream)) : status;
}

/*
 * ||C v||, v the weights of the worst record, C the square root: the k-th entry is the sum of
 * v_j f_(k-j). Weights that fall are replaced by the largest of a run of them that is 1/256 of its
 * place long, whose sum of f is a difference of sums of f: rounded up, within 1/512 of what such
 * weights add. f, sums, h: room for as many numbers as there are releases.
 */
DPPAIR_FN_ double dppair_prefix_root_(const dppair_stream *s, double *f, double *sums, double *h) {
  const size_t i = dppair_stream_worst_(s), n = s->steps - i + 1;
  const size_t stays = dppair_stream_stays_(s, i);
  double square = 0.0;
  size_t k, a, b;
  dppair_square_root_(f, n);
  for (k = 0; k < n; k++) {
    sums[k] = (k > 0 ? sums[k - 1] : 0.0) + f[k];
    h[k] = f[k];
  }
  for (a = 1; a <= stays; a = b) { /* record i is met at step i + a with weight 1/(i + a - 1) */
    const double weight = dppair_stream_weight_(s, i + a);
    const size_t run = i + a - 1 < s->buffer ? 1 + (i + a - 1) / 256 : stays;
    b = run < stays + 1 - a ? a + run : stays + 1;
    for (k = a; k < n; k++) {
      const double error = 4.0 * DBL_EPSILON * (double)(k + 2) * sums[k - a];
      if (b == a + 1)
        h[k] += weight * f[k - a];
      else
        h[k] += weight * (sums[k - a] - (k >= b ? sums[k - b] : 0.0) + error);
    }
  }
  for (k = 0; k < n; k++) square += h[k] * h[k];
  return dppair_sqrt_(square) * (1.0 + 4.0 * DBL_EPSILON * ((double)n + 2048.0));
}

/* Adds `weight` to the blocks that hold position r; returns by how much the sum of all squares
 * grows. */
DPPAIR_FN_ double dppair_tree_add_(double *x, size_t n, size_t r, double weight) {
  double grows = 0.0;
  for (; r <= n; r += dppair_tree_block_(r)) {
    grows += weight * (2.0 * x[r] + weight);
    x[r] += weight;
  }
  return grows;
}

/*
 * The largest ||C v_i||, C the blocks of the tree: with x_r the sum over block r of i's weights in
 * the buffer, its own weight 1 adds 2 x_r + 1 to the square for each block that holds it. From
 * record to record a weight leaves and one comes. Records before the worst one of a Toeplitz matrix
 * are below it here, too; all others are tried. Every number of a block of length b is rounded at
 * most 2b times, and blocks of one length add up to n: 16 n (levels + 2)^2 units of the square of
 * the sum of weights bound all errors.
 */
DPPAIR_FN_ double dppair_prefix_tree_(const dppair_stream *s, double *x) {
  const size_t n = s->steps - s->silent, first = dppair_stream_worst_(s);
  const size_t last = first + dppair_stream_stays_(s, first);
  double square = 0.0, most = 0.0, weights = 1.0, levels = 1.0;
  size_t i, t, r;
  for (r = 0; r <= n; r++) x[r] = 0.0;
  for (r = n; r > 1; r >>= 1) levels += 1.0;
  for (t = first + 1; t <= last; t++) {
    const double weight = dppair_stream_weight_(s, t);
    square += dppair_tree_add_(x, n, t - s->silent, weight);
    weights += weight;
  }
  for (i = first;; i++) {
    double own = 0.0;
    for (r = i - s->silent; r <= n; r += dppair_tree_block_(r)) own += 2.0 * x[r] + 1.0;
    if (square + own > most) most = square + own;
    if (i == s->steps) break;
    square += dppair_tree_add_(x, n, i + 1 - s->silent, -dppair_stream_weight_(s, i + 1));
    if (s->buffer < s->steps - i) {
      t = i + 1 + s->buffer;
      square += dppair_tree_add_(x, n, t - s->silent, dppair_stream_weight_(s, t));
    }
  }
  levels += 2.0;
  return dppair_sqrt_(most + 16.0 * DBL_EPSILON * (double)n * levels * levels * weights * weights);
}

/*
 * *sensitivity of all that dppair_prefix_step releases of a stream, rounding of its sums included:
 * the account is charged dppair_accountant_gaussian(account, sensitivity, sigma, 1) once, and every
 * prefix sum, with all that is computed from them, is covered. Buffers of the last records.
 *
 * Independent noise: m, the move of one gradient, times
 *
 *     all earlier records   sqrt(sum of 1/k^2) < 1.2826, although a record is met up to T times
 *     the last b            sqrt(sum over k <= b of 1/k^2 + 1/b^2); after b silent steps
 *                           sqrt(1 + 1/b)
 *     reservoir             sqrt(max over i of (1 if i > silent) + residence_i/b^2)
 *
 * A reservoir (stream->slot) has silent >= buffer = b places; slot[i] is the place that record i
 * (from 0) takes after its step, b or more: none. slot[i] = i for i < b. The places are drawn
 * before the first step, independently of the records, and released or not.
 *
 * The largest deviation of a prefix sum is then, for m = 1 and mu = 1:
 *
 *     T, buffer                     independent   tree    square root
 *     1024, all                     41.0          48.3    15.5
 *     8192, all                     116           78.4    23.4
 *     8192, the last 64, 64 silent  90.9          20.8    6.57
 *
 * Time: T log2 T for the tree; for the square root T times the length of a run of weights, which is
 * 1 for a full buffer and 256 log T for one of all records. Independent noise reads no workspace.
 * Errors: those of dppair_sensitivity; SIZE, DOMAIN, ADJACENCY of the stream; NULL and WORKSPACE of
 * the workspace; NO_PROOF: a reservoir that releases before it is full; DOMAIN: slots; UNREAD:
 * slots with noise that is not independent; OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_prefix(double *sensitivity,
                                                                     const dppair_pair_unit *pair,
                                                                     const dppair_stream *stream,
                                                                     void *work, size_t bytes) {
  double move, norm, n, found, levels = 2.0, *numbers;
  size_t rest;
  dppair_status status = dppair_stream_move_(sensitivity, &move, &norm, pair, stream);
  if (status != DPPAIR_OK) return status;
  if (stream->noise == DPPAIR_PREFIX_INDEPENDENT)
    return dppair_stream_independent_(sensitivity, move, stream);
  if (stream->slot != NULL) return DPPAIR_ERR_UNREAD;
  status = dppair_work_(&numbers, dppair_prefix_numbers_(stream), work, bytes);
  if (status != DPPAIR_OK) return status;
  rest = stream->steps - stream->silent;
  n = (double)rest;
  if (stream->noise == DPPAIR_PREFIX_TREE) {
    found = move * dppair_prefix_tree_(stream, numbers);
    for (; rest > 1; rest >>= 1) levels += 1.0;
    /* a block of b gradients is off by levels^2 units of b; the squares of all b add up to n^2 */
    found += 2.0 * DBL_EPSILON * levels * levels * n * norm;
  } else {
    found = move * dppair_prefix_root_(stream, numbers, numbers + rest, numbers + 2 * rest);
    /* a sum of r products is off by r + 2 units of the sum of f, below 2 sqrt(r) */
    found += 4.0 * DBL_EPSILON * n * (n + 2.0) * norm;
  }
  return dppair_sensitivity_store_(sensitivity, found);
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

#endif /* DPPAIR_STREAMS_H */
#endif /* DPPAIR_DECLARE_ONLY */
