/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_pointwise.h - pairs made pointwise: records that no longer meet (version 0.1.0)
 *
 *   A released histogram of the scores takes the place of the partners. Then each record has a
 *   coefficient of its own, its vector is clipped by itself, and a zeroed record moves the mean by
 *   one clip over n: half of what a pairwise gradient moves. Histogram and gradient are two parts
 *   of one paid release.
 *
 *     #include "dppair_losses.h"
 *     #include "dppair_pointwise.h"            before the instances that have it
 *     #define DPPAIR_NAME rank
 *     #define DPPAIR_REAL double
 *     #define DPPAIR_LOSS dppair_logistic
 *     #include "dppair.h"
 *
 *     dppair_histogram h = {node, 24, count, 0};             public nodes, room for 48 numbers
 *     s = dppair_release_part(&release, 0.2);                a fifth of the paid release is for
 *     s = dppair_release_score_histogram(&h, &release, score, NULL, n, positives);   this, and
 *     s = rank_release_pointwise(g, &release, &rows, w, &h, clip, &options);   the rest is for this
 *
 * FUNCTIONS, for DPPAIR_NAME = rank
 *   histogram     dppair_release_score_histogram: of both classes, with noise
 *   coefficients  rank_coeffs_from_histogram: of records by themselves, NOT PRIVATE
 *   gradient      rank_release_pointwise: clipped, summed, with noise
 *   types         dppair_histogram
 *
 * dppair_release_part is in dppair.h. Includes dppair_noise.h and dppair_accountant.h. Errors zero
 * outputs. Instances of a row-wise loss have none of these functions, nor has an instance that came
 * before this header: one #error says so. The proofs are at the heads of
 * modules/pointwise/histogram.h and release.h, below.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     65  modules/pointwise/nodes.h          Coefficients of records against a histogram of scores
 *           NAME_coeffs_from_histogram
 *    146  core/quick.h                       What is compiled soon rather than fast: it begins
 *    168  modules/pointwise/release.h        The release of a pairwise gradient whose records no...
 *           NAME_release_pointwise
 *    329  core/quick_end.h                   What is compiled soon rather than fast: it ends
 *    357  core/freestanding.h                Without a C library: names for the time of one include
 *    406  modules/pointwise/names.h          Names of what is made pointwise: as simd/names.h
 *    439  modules/pointwise/histogram.h      Histograms of scores
 *           dppair_release_score_histogram
 *    588  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_DECLARE_POINTWISE_
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#else

#ifndef DPPAIR_POINTWISE_SELF
#define DPPAIR_POINTWISE_SELF "dppair_pointwise.h"
#endif

#ifdef DPPAIR_MODULE_POINTWISE_
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_ /* of an instance */

#if DPPAIR_STAGE_ == DPPAIR_STAGE_FUNCTIONS_
/* ---- src/modules/pointwise/nodes.h ----------------------------------------------------------
 * Coefficients of records against a histogram of scores
 *
 * A sum over partners becomes a sum over nodes. NOT PRIVATE: a coefficient depends on its record,
 * also where the histogram was released.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* c[i] of NAME_coeffs_from_histogram, whatever the numbers are. A slope is a function of a score
 * and a node, and they are added in the order of the nodes: c[i] is a function of s[i], the class
 * and the histogram alone, to the last bit. */
DPPAIR_FN_ void DPPAIR_NAME_against_nodes_(double *c, const DPPAIR_REAL *s, size_t n,
                                           size_t positives, const double *node,
                                           const double *count, size_t nodes,
                                           const double *params) {
  double slope[64], sum;
  size_t begin = 0, end, i, k;
  for (; begin < n; begin = end) {
    const int positive = begin < positives;
    end = positive && positives - begin <= 64 ? positives : begin + 64;
    end = end < n ? end : n;
    for (i = begin; i < end; i++) c[i] = 0.0;
    for (k = 0; k < nodes; k++) {
      const DPPAIR_REAL t = (DPPAIR_REAL)node[k];
      const double weight = count[positive ? nodes + k : k];
      memset(slope, 0, sizeof slope);
      sum = 0.0;
      if (positive) {
        DPPAIR_DISPATCH_(DPPAIR_NAME_coeffs, (slope, &sum, s + begin, end - begin, &t, 1, params));
      } else {
        DPPAIR_DISPATCH_(DPPAIR_NAME_coeffs, (&sum, slope, &t, 1, s + begin, end - begin, params));
      }
      for (i = begin; i < end; i++)
        if (!dppair_is_nan_((double)s[i])) c[i] += weight * slope[i - begin];
    }
  }
}

/*
 * The coefficients of n records, s[0..positives) scores of positives, against a histogram of
 * scores of both classes on `nodes` nodes (dppair_histogram): count[0..nodes) of the positives,
 * then nodes numbers of the negatives:
 *
 *   c[i] = sum over k of count[nodes + k] phi'(s[i] - node[k])     of a positive
 *   c[i] = -sum over k of count[k] phi'(node[k] - s[i])            of a negative
 *
 * and 0 where s[i] is NaN, the score of a null record, which the histogram counts nowhere. It is
 * NAME_coeffs where the counts are exact and all scores are nodes; else within nodes' distance^2/8
 * sup |phi'''| of it per partner, and what noise in the counts adds. O(n nodes). With a histogram
 * that was released, c[i] depends on record i and on released numbers only: clip c[i] v_i, v_i the
 * gradient of its score, and the sum moves by the clip, twice where a record is replaced. Against
 * counts without noise it depends on all records.
 *
 * Errors zero c: NULL, SIZE (positives > n), NOT_FINITE (an infinite score, a node, a count or a
 * result),
 * ENVIRONMENT; OVERFLOW (no memory is that large) leaves c untouched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs_from_histogram(
    double *c, const DPPAIR_REAL *s, size_t n, size_t positives, const double *node,
    const double *count, size_t nodes, const double *params) {
  dppair_status status = dppair_zero_(c, n, NULL, 0);
  size_t i;
  if (status != DPPAIR_OK) return status;
  if (dppair_area_(nodes, 16) == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if ((!s && n) || ((!node || !count) && nodes)) return DPPAIR_ERR_NULL;
  if (positives > n) return DPPAIR_ERR_SIZE;
  for (i = 0; i < n; i++)
    if (!dppair_isfinite_f64((double)s[i]) && !dppair_is_nan_((double)s[i]))
      return DPPAIR_ERR_NOT_FINITE;
  if (!dppair_all_finite_f64(node, nodes) || !dppair_all_finite_f64(count, 2 * nodes))
    return DPPAIR_ERR_NOT_FINITE;
  status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  DPPAIR_NAME_against_nodes_(c, s, n, positives, node, count, nodes, params);
  return dppair_settle_(DPPAIR_OK, c, n, NULL, 0);
}

DPPAIR_FP_END_

#elif DPPAIR_STAGE_ == DPPAIR_STAGE_RELEASES_ && DPT_DENSE
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
/* ---- src/modules/pointwise/release.h --------------------------------------------------------
 * The release of a pairwise gradient whose records no longer meet
 *
 * Once a histogram of the scores was released, a record's coefficient needs no other record. What
 * is clipped and summed are vectors of one record each, as in the training of a classifier, and a
 * zeroed record moves the sum by one clip. Relies on NAME_coeffs_from_histogram and histogram.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The public checks of NAME_release_pointwise, and its noise. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_pointwise_open_(dppair_release_terms_ *terms,
                                                     const dppair_release *release,
                                                     const DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w,
                                                     const dppair_histogram *h, double clip,
                                                     const dppair_options *options) {
  const double u = 0.5 * DBL_EPSILON;
  double norm, moves, sum;
  size_t needed, most;
  dppair_status status = dppair_release_rows_(&most, release, rows->n, rows->radius, rows->serial);
  if (status != DPPAIR_OK) return status;
  if (!w || !options || !h || (!rows->x && rows->n)) return DPPAIR_ERR_NULL;
  if (rows->d == 0 || rows->ld < rows->d || rows->nulls > rows->n ||
      rows->positives > rows->n - rows->nulls)
    return DPPAIR_ERR_SIZE;
  status = DPT_ROWS_SHORT(rows);
  if (status != DPPAIR_OK) return status;
  if (release->sampling.kind == DPPAIR_MATCHING || options->groups) return DPPAIR_ERR_NO_PROOF;
  if (options->clip || options->fast) return DPPAIR_ERR_UNREAD;
  if (!(dppair_isfinite_f64(clip) && clip > 0.0)) return DPPAIR_ERR_DOMAIN;
  status = dppair_histogram_check_(h);
  if (status == DPPAIR_OK && !(h->records > 0.0)) status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK && !dppair_all_finite_f64(h->count, 2 * h->nodes))
    status = DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK) status = dppair_release_moves_(&moves, release);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_workspace(&needed, most, rows->d, options);
  if (status == DPPAIR_OK && options->bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK && !options->work) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  terms->bytes = needed;
  norm = dppair_release_norm_(w, rows->d, !DPPAIR_TEMPLATE_F64_);
  if (!dppair_isfinite_f64(norm)) return DPPAIR_ERR_NOT_FINITE;
  if (!(rows->radius * norm <= DPT_SCORE_)) return DPPAIR_ERR_OVERFLOW;
  terms->divisor = dppair_sampling_expected_(&release->sampling);
  sum = (double)most * clip; /* and no sum is longer */
  if (!(sum <= 1e280)) return DPPAIR_ERR_OVERFLOW;
  terms->sensitivity = moves * clip * (1.0 + 32.0 * u) + 2.0 * ((double)most + 8.0) * u * sum;
  terms->sensitivity *= (1.0 + 64.0 * u) / terms->divisor;
  return dppair_release_scale_of_(terms, release, rows->d);
}

/* c[i] = weight c[i] / partners, and so much less that c[i] times row i is at most `clip` long. A
 * number that is not finite counts as the largest one, NaN as 0. */
DPPAIR_FN_ void DPPAIR_NAME_pointwise_clip_(double *c, const DPPAIR_ROWS_ *rows, double partners,
                                            double clip) {
  size_t i;
  for (i = 0; i < rows->n; i++) {
    const DPT_STORED *x = rows->x + i * rows->ld;
    double f = 1.0, size, mine = rows->factor ? rows->factor[i] : 1.0;
    if (!dppair_isfinite_f64(c[i]))
      c[i] = (dppair_bits_f64_(c[i]) << 12) != 0 ? 0.0 : c[i] > 0.0 ? DBL_MAX : -DBL_MAX;
    c[i] /= partners;
    size = dppair_fabs_(c[i]);
    if (!(size > 0.0)) continue;
    size = clip / size * (1.0 - 4.0 * DBL_EPSILON);
#if DPT_NARROW /* factors are scales: above 1, too */
    if (!(mine > 0.0) || !dppair_row_factors_ROW_(&f, x, 1, rows->d, rows->ld, size / mine))
      f = 0.0;
    c[i] *= f * mine;
#else
    if (!dppair_row_factors_ROW_(&f, x, 1, rows->d, rows->ld, size)) f = 0.0;
    c[i] *= mine < f ? (mine > -f ? mine : -f) : f;
#endif
    if (rows->weight) c[i] *= dppair_weight_units_(rows->weight[i]) / DPPAIR_COUNT_UNITS_;
  }
}

/* As NAME_release_work_: g = the sum, by the workspace of the options. */
DPPAIR_OUT_OF_LINE_ dppair_status DPPAIR_NAME_pointwise_work_(double *g, const DPPAIR_ROWS_ *all,
                                                              const DPPAIR_REAL *w,
                                                              const dppair_histogram *h,
                                                              double partners, double clip,
                                                              const dppair_options *options) {
  const DPPAIR_ROWS_ some = DPT_PRESENT(all), *rows = &some;
  dppair_linear_ r;
  DPPAIR_ROWS_ plain;
  void *rest;
  dppair_status status;
  memset(&r, 0, sizeof r);
  r.d = rows->d;
  r.parts = 1;
  (void)DPPAIR_NAME_gradient_layout_(&r, &rest, dppair_align_(options->work), rows->n, 0, 0);
  status = DPT_SCORES((DPPAIR_REAL *)r.s[0], rows, w);
  if (status == DPPAIR_OK) {
    DPPAIR_NAME_against_nodes_(r.c[0], (const DPPAIR_REAL *)r.s[0], rows->n, rows->positives,
                               h->node, h->count, h->nodes, options->params);
    DPPAIR_NAME_pointwise_clip_(r.c[0], rows, partners, clip);
    plain = *rows;
    plain.factor = NULL;
    status = DPT_COMBINE(g, &plain, r.c[0]);
  }
  return status;
}

/*
 * g[0..d) = the mean over the records of clip(c_i v_i), with the noise of this step: v_i is row i,
 * c_i its coefficient against the histogram (NAME_coeffs_from_histogram over the number of partners
 * that h stands for), clipped to the norm `clip`. It stands for the gradient of NAME_release, the
 * mean over ordered pairs, without its noise and bias: the noise of the histogram, which has mean
 * 0, its linear interpolation, and the clip. g may be published, and so may the next w.
 *
 *   rows     as for NAME_release: all n records, or those of this step's draw; positives first,
 *            null records last. weight: of a record's clipped vector; 0 for those that were dropped
 *   w        d numbers that are public
 *   h        a histogram that was released: of these scores, or of earlier ones, of all records or
 *            of a batch; what is released may be reused, smoothed and made monotone
 *   clip     a public number. |c_i| |v_i| is about half of the steepest slope times radius where
 *            the classes are even, so this loses nothing; less of it is less noise, and some bias
 *   options  params, work (NAME_workspace of n records, of Poisson samples too); clip, fast,
 *            groups: 0
 *
 * Sensitivity, proved: given h the sum moves by `clip` where a record is zeroed, by 2 clip where it
 * is replaced, for every value of h, because clip(c_i v_i) depends on record i, w and h only. It is
 * divided by n, or by the expected number of drawn records. Rounding: a term is at most
 * (1 + 16 u) clip long, u = 2^-53, and a computed sum of k terms is within (k + 4) u k clip.
 *
 * What it costs. The histogram has a paid release of its own (all records; then gradients of later
 * batches are plain sampled steps), or a part of this one (dppair_release_part): that is what a
 * histogram and a gradient of ONE batch cost.
 *
 * Errors zero g, and use no paid release: those of NAME_release but for NAME_sensitivity; DOMAIN
 * (clip, nodes), NO_PROOF (h that was not released; groups), ADJACENCY (neighbours that differ in
 * more than one record), UNREAD (a pass with a clip or a prepared state), NOT_FINITE (counts), SIZE
 * (positives + nulls > n).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_pointwise(
    double *g, dppair_release *release, const DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w,
    const dppair_histogram *h, double clip, const dppair_options *options) {
  dppair_release_terms_ terms;
  double whole, partners;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status = dppair_array_(g, rows->d);
  if (status != DPPAIR_OK) return status;
  if (rows->d) memset(g, 0, rows->d * sizeof *g);
  status = DPPAIR_NAME_pointwise_open_(&terms, release, rows, w, h, clip, options);
  if (status == DPPAIR_OK)
    status = dppair_release_apart_(g, rows->d, options->work, &terms, w, rows->d * sizeof *w);
  if (status == DPPAIR_OK) status = dppair_rows_apart_ROW_(g, rows->d, rows);
  if (status == DPPAIR_OK) status = dppair_apart_(g, rows->d, h->count, 16 * h->nodes);
  if (status != DPPAIR_OK) return status;
  whole = (double)release->sampling.n;
  partners = h->records * (whole > 1.0 ? (whole - 1.0) / whole : 1.0);
  dppair_release_permit_(release, &terms);
  status = DPPAIR_NAME_pointwise_work_(g, rows, w, h, partners, clip, options);
  status = dppair_release_sum_(g, rows->d, release, status);
  return dppair_release_forget_(options->work, &terms, status);
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
#elif !defined(DPPAIR_POINTWISE_H)
#define DPPAIR_POINTWISE_H

#ifdef DPPAIR_HAS_INSTANCES_
#error "Include dppair_pointwise.h before dppair.h makes an instance: earlier ones have none of it."
#endif

#include "dppair_accountant.h"
#include "dppair_noise.h"
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

/* ---- src/modules/pointwise/names.h ----------------------------------------------------------
 * Names of what is made pointwise: as simd/names.h
 * ---------------------------------------------------------------------------------------------- */

/* An instance. */
#define DPPAIR_NAME_against_nodes_ DPPAIR_NAME_OF_(_against_nodes_)
#define DPPAIR_NAME_coeffs_from_histogram DPPAIR_NAME_OF_(_coeffs_from_histogram)
#define DPPAIR_NAME_pointwise_clip_ DPPAIR_NAME_OF_(_pointwise_clip_)
#define DPPAIR_NAME_pointwise_open_ DPPAIR_NAME_OF_(_pointwise_open_)
#define DPPAIR_NAME_pointwise_work_ DPPAIR_NAME_OF_(_pointwise_work_)
#define DPPAIR_NAME_release_pointwise DPPAIR_NAME_OF_(_release_pointwise)
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
/* ---- src/modules/pointwise/histogram.h ------------------------------------------------------
 * Histograms of scores
 *
 *   dppair_histogram h = {node, 24, count, 0};             public nodes, room for 48 numbers
 *   s = dppair_release_draw(&drawn, index, n, &release);   one draw, gathered;
 *   s = dppair_release_part(&release, 0.2);                one paid release of it: a fifth is for
 *   s = dppair_release_score_histogram(&h, &release, score, NULL, rows.n, positives);  this, and
 *   s = rank_release_pointwise(g, &release, &rows, w, &h, clip, &options);     the rest is for this
 *
 * Relies on release/vector.h and parts.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* A histogram of scores. The caller gives node, nodes and count; records is written here, and is 0
 * until the counts have noise. */
typedef struct dppair_histogram {
  const double *node; /* increasing, finite and public: chosen without looking at scores */
  size_t nodes;       /* at least 2 */
  double *count;      /* 2 nodes numbers: a block of the positives, then one of the negatives */
  double records;     /* so many are counted: n, or what a batch has on average */
} dppair_histogram;

/* Weights are counted in units of 2^-20: sums of them are exact, in any order. */
#define DPPAIR_COUNT_UNITS_ 1048576.0

/* Adds the record with this score, of weight units/2^20, to a block. The two nodes beside its score
 * share the weight as linear interpolation does; a score beyond the nodes counts as the last node
 * on that side. NaN, which is the score of a null record, counts nowhere. */
DPPAIR_FN_ void dppair_histogram_count_(double *block, const dppair_histogram *h, double s,
                                        double units) {
  const double *t = h->node;
  size_t low = 0, high = h->nodes - 1;
  double part = 0.0;
  if (!dppair_isfinite_f64(s)) {
    if ((dppair_bits_f64_(s) << 12) != 0) return;
    s = dppair_bits_f64_(s) == UINT64_C(0x7ff0000000000000) ? t[high] : t[0];
  }
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (t[middle] <= s)
      low = middle;
    else
      high = middle;
  }
  part = (s - t[low]) / (t[high] - t[low]);
  part = part < 1.0 ? part : 1.0;
  part = part > 0.0 ? dppair_floor_(part * units + 0.5) : 0.0;
  part = part < units ? part : units;
  block[high] += part / DPPAIR_COUNT_UNITS_;
  block[low] += (units - part) / DPPAIR_COUNT_UNITS_;
}

/* A weight in [0, 1] as whole units, rounded down; NaN and what is below 0 count as 0. */
DPPAIR_FN_ double dppair_weight_units_(double weight) {
  if (!dppair_isfinite_f64(weight) || !(weight > 0.0)) return 0.0;
  return weight < 1.0 ? dppair_floor_(weight * DPPAIR_COUNT_UNITS_) : DPPAIR_COUNT_UNITS_;
}

DPPAIR_FN_ dppair_status dppair_histogram_check_(const dppair_histogram *h) {
  size_t k;
  if (h->node == NULL || h->count == NULL) return DPPAIR_ERR_NULL;
  if (h->nodes < 2) return DPPAIR_ERR_SIZE;
  for (k = 1; k < h->nodes; k++)
    if (!dppair_isfinite_f64(h->node[k - 1]) || !dppair_isfinite_f64(h->node[k]) ||
        !(h->node[k] > h->node[k - 1]) || !dppair_isfinite_f64(h->node[k] - h->node[k - 1]))
      return DPPAIR_ERR_DOMAIN;
  return DPPAIR_OK;
}

/*
 * Releases the histogram of n scores in both classes: h->count, which may be published, and from
 * which NAME_coeffs_from_histogram makes coefficients. The n records are all, or those of this
 * step's draw; s[0..positives) are scores of positives. weight: n numbers in [0, 1], or NULL: all
 * 1; a record of weight 0 is not counted, nor is one whose score is NaN, as dppair_scores gives
 * null records.
 *
 * Sensitivity, attained: a record is a vector of two numbers >= 0 of sum at most 1, so that it has
 * the norms l2 <= 1 and l1 <= 1; two records differ by at most sqrt 2 and 2. Hence l2 sqrt 2 and l1
 * 2 (Laplace) where a record is replaced, 1 where it is zeroed. Counts are exact: nothing is added
 * for rounding.
 *
 * The scores may depend on public weights and on their own record only: a score that was normalised
 * over the batch moves with all of them.
 *
 * Errors zero h->count and h->records. They use no paid release: NULL; SIZE (fewer than 2 nodes, n
 * is not that of the plan or of the draw, positives > n); DOMAIN (nodes that are not finite and
 * increasing); OVERFLOW (n of 2^32 or more; then count is not touched, nor where 2 nodes numbers
 * are beyond any memory); ADJACENCY (neighbours that differ in more than one record); OVERLAP
 * (h->count, and nodes, scores or weights); those of dppair_release_vector about the release. No
 * other error depends on a record.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_release_score_histogram(dppair_histogram *h, dppair_release *release, const double *s,
                               const double *weight, size_t n, size_t positives) {
  dppair_release_terms_ terms;
  dppair_status status;
  double moves;
  size_t i;
  if (h == NULL) return DPPAIR_ERR_NULL;
  h->records = 0.0;
  status = dppair_array_(h->count, dppair_area_(h->nodes, 2));
  if (status == DPPAIR_OK && n > UINT32_MAX) status = DPPAIR_ERR_OVERFLOW;
  if (status != DPPAIR_OK) return status;
  if (h->count != NULL) memset(h->count, 0, 2 * h->nodes * sizeof *h->count);
  status = dppair_histogram_check_(h);
  if (status == DPPAIR_OK && s == NULL && n > 0) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK) status = dppair_release_ready_(release);
  if (status == DPPAIR_OK &&
      n != (release->sampling.kind == DPPAIR_ALL ? release->sampling.n : release->drawn))
    status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK && positives > n) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK) status = dppair_release_moves_(&moves, release);
  if (status == DPPAIR_OK)
    status = dppair_apart_(h->count, 2 * h->nodes, h->node, h->nodes * sizeof *h->node);
  if (status == DPPAIR_OK)
    status = dppair_rows_apart_(h->count, 2 * h->nodes, n, s, dppair_area_(n, sizeof *s), NULL, 0,
                                NULL, weight);
  if (status != DPPAIR_OK) return status;
  terms.divisor = 1.0;
  terms.sensitivity = moves;
  if (moves > 1.0 && release->mechanism != DPPAIR_LAPLACE)
    terms.sensitivity = 1.4142135623730951; /* > sqrt 2 */
  status = dppair_release_scale_(&terms.scale, release, terms.sensitivity);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  for (i = 0; i < n; i++)
    dppair_histogram_count_(h->count + (i < positives ? 0 : h->nodes), h, s[i],
                            weight != NULL ? dppair_weight_units_(weight[i]) : DPPAIR_COUNT_UNITS_);
  status = dppair_release_noise_(h->count, 2 * h->nodes, release, DPPAIR_GRID_DEFAULT);
  if (status == DPPAIR_OK)
    h->records = dppair_sampling_expected_(&release->sampling);
  else
    memset(h->count, 0, 2 * h->nodes * sizeof *h->count);
  return status;
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

#endif /* DPPAIR_POINTWISE_H */
#endif /* DPPAIR_DECLARE_ONLY */
