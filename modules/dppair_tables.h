/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_tables.h - private histograms of all columns, and what they say (version 0.1.0)
 *
 * One paid release of a plan releases the histogram of every column of a table, by class if wanted,
 * and the number of positive labels. What is made of them afterwards costs nothing: quantiles,
 * means, moments by class, scores of one column each, an estimate that takes the noise off.
 *
 *     #include "dppair_tables.h"               includes dppair.h, _noise.h and _accountant.h
 *
 *     const dppair_marginals query = {columns, d, 24, 0.9, 4.0, 1.0};      public; smoothed
 *     s = dppair_marginals_layout(start, &query);                          v[start[j]] on: column j
 *     s = dppair_release_open(&release, &account, &plan, NULL);            plan.steps = 1
 *     s = dppair_release_marginals(v, start[d + 1], &release, &query, x, y, NULL, n, work, bytes);
 *
 * FUNCTIONS
 *   release    dppair_release_marginals, dppair_marginals_layout _workspace _sensitivity
 *              dppair_label_weight     dppair_smoothing_matrix _workspace: less noise in sums
 *   cells      dppair_cells_make _find _quantile     dppair_knots_find _between
 *   estimate   dppair_marginals_estimate _estimate_workspace: the counts that the noise hides
 *   by class   dppair_marginals_classes     dppair_class_curve: a score of one column
 *   shrink     dppair_shrink_f64 _sparse_f64 _workspace: any released vector, against its noise
 *   types      dppair_column  dppair_column_kind  dppair_marginals  dppair_cells
 *
 * Errors. Those of dppair_release_vector about the release, and of public arguments, before a
 * record is read; outputs are zeroed. The proof is at the head of modules/tables/marginals.h,
 * below.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     65  core/freestanding.h                Without a C library: names for the time of one include
 *    114  modules/tables/smoothing.h         Cells of a column
 *           dppair_cells_make dppair_cells_find dppair_cells_quantile dppair_knots_find
 *           dppair_knots_between dppair_smoothing_workspace dppair_smoothing_matrix
 *    363  modules/tables/marginals.h         Marginals
 *           dppair_label_weight dppair_marginals_layout dppair_marginals_workspace
 *           dppair_marginals_sensitivity dppair_release_marginals
 *    808  modules/tables/estimate.h          Estimates from released marginals
 *           dppair_marginals_estimate_workspace dppair_marginals_estimate
 *   1175  modules/tables/classes.h           What marginals by class say of the label
 *           dppair_class_curve dppair_marginals_classes
 *   1305  modules/tables/shrinkage.h         Shrinkage
 *           dppair_shrink_sparse_f64 dppair_shrink_workspace dppair_shrink_f64
 *   1439  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_DECLARE_TABLES_
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#else
#ifndef DPPAIR_TABLES_H
#define DPPAIR_TABLES_H

#include "dppair_accountant.h"
#include "dppair_noise.h"

#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
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

/* ---- src/modules/tables/smoothing.h ---------------------------------------------------------
 * Cells of a column, and counts that are smoothed before the noise
 *
 * A histogram of a smooth distribution says little in most directions of its counts. The strategy
 * (Li, Hay, Miklau, Rastogi and McGregor, VLDB J. 2015) A c of the counts c, A = K^(1/2) the
 * symmetric root of a kernel
 *
 *   K_ab = smooth exp(-|a - b|/width) + (1 - smooth) [a = b]
 *
 * puts the signal where K has large eigenvalues. It costs no more than c itself: a record that
 * leaves cell s for t moves A c by |A (e_s - e_t)|^2 = K_ss + K_tt - 2 K_st = 2 - 2 K_st <= 2.
 *
 * The entries of A are rounded to multiples of 2^-20. With fewer than 2^32 records 2^20 A c is then
 * a sum of integers below 2^53, exact in any order, and what a record moves is the largest distance
 * of two columns of the rounded matrix, found in integers: no property of K or of its root enters
 * the proof.
 *
 * Relies on domains/symmetric.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

enum {
  DPPAIR_CELLS_SIDE = 24, /* on one side of zero, at most, */
  DPPAIR_CELLS_MOST = 48  /* and in all */
};

/* The cells of a numeric column: cell i is edge[i] <= x < edge[i+1]. They are finer towards zero,
 * or towards the end of the range that is nearer to zero; `zero` is the cell that holds that
 * point. */
typedef struct dppair_cells {
  size_t cells, zero;
  double edge[DPPAIR_CELLS_MOST + 1];
} dppair_cells;

/* Appends an edge, unless the last one is not below it. */
DPPAIR_FN_ void dppair_cells_edge_(dppair_cells *c, size_t *edges, double e) {
  if (*edges == 0 || e > c->edge[*edges - 1]) c->edge[(*edges)++] = e;
}

/*
 * The cells of [low, high], from these public numbers alone: `side` on either side of zero, whose
 * widths grow 1001-fold from zero to the farther end, and as many of the nearer side's as the range
 * holds. A range that ends at zero, or begins beyond it, has `side` of them. low = high is one
 * cell; all others are wider than 0: where doubles do not tell their edges apart there are fewer.
 *
 * Errors zero *c: NULL, NOT_FINITE, DOMAIN (low > high, an end beyond 1e300), SIZE (side is not 1
 * to DPPAIR_CELLS_SIDE).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_cells_make(dppair_cells *c, double low,
                                                             double high, size_t side) {
  const double growth =
      dppair_log_(1001.0); /* the widest of 24 cells is about 300 times the narrowest */
  double end[DPPAIR_CELLS_SIDE + 1], shift, below, above, reach;
  size_t i, k = 0;
  if (c == NULL) return DPPAIR_ERR_NULL;
  memset(c, 0, sizeof *c);
  if (!dppair_isfinite_f64(low) || !dppair_isfinite_f64(high)) return DPPAIR_ERR_NOT_FINITE;
  if (!(low <= high) || !(low >= -1e300) || !(high <= 1e300)) return DPPAIR_ERR_DOMAIN;
  if (side < 1 || side > DPPAIR_CELLS_SIDE) return DPPAIR_ERR_SIZE;
  shift = low > 0.0 ? low : high < 0.0 ? high : 0.0;
  below = shift - low;
  above = high - shift;
  reach = below > above ? below : above;
  for (i = 0; i < side; i++)
    end[i] = reach * dppair_expm1_((double)i / (double)side * growth) / 1000.0;
  end[side] = reach;
  if (below > 0.0) dppair_cells_edge_(c, &k, low);
  for (i = side; i-- > 1;) /* the mirror image, cut at low */
    if (end[i] < below) dppair_cells_edge_(c, &k, shift - end[i]);
  dppair_cells_edge_(c, &k, shift);
  c->zero = k - 1;
  for (i = 1; i < side; i++)
    if (end[i] < above) dppair_cells_edge_(c, &k, shift + end[i]);
  while (above > 0.0 && !(c->edge[k - 1] < high)) k--; /* by rounding; zero's edge is below it */
  if (above > 0.0 || k == 1) c->edge[k++] = high;
  c->cells = k - 1;
  if (c->zero == c->cells) c->zero--; /* the range ends at zero */
  return DPPAIR_OK;
}

/* The cell of any x: those outside the range are in the first or the last cell, NaN in the first.
 * *c is of dppair_cells_make. */
DPPAIR_API size_t dppair_cells_find(const dppair_cells *c, double x) {
  size_t low = 0, left = c->cells;
  if (!dppair_isfinite_f64(x))
    return dppair_bits_f64_(x) == UINT64_C(0x7ff0000000000000) ? c->cells - 1 : 0;
  while (left > 1) { /* the cell is among `left` from `low` on */
    const size_t half = left / 2;
    low = x < c->edge[low + half] ? low : low + half;
    left -= half;
  }
  return low;
}

/* Where the distribution h over the cells of g reaches the given share, as if it were even in each
 * of them; the end of the range for a share that it does not reach. */
DPPAIR_API double dppair_cells_quantile(const dppair_cells *g, const double *h, double share) {
  double below = 0.0;
  size_t i;
  for (i = 0; i < g->cells; i++) {
    if (below + h[i] >= share && h[i] > 0.0)
      return g->edge[i] + (g->edge[i + 1] - g->edge[i]) * (share - below) / h[i];
    below += h[i];
  }
  return g->edge[g->cells];
}

/* What is linear between knots at[0] < at[1] < ..., and constant outside: the piece at[*piece] to
 * at[*piece + 1] that holds x, and, returned, how far x is into it, in [0, 1]. NaN is before all;
 * with fewer than two knots both are 0. */
DPPAIR_API double dppair_knots_find(size_t *piece, const double *at, size_t knots, double x) {
  size_t low = 0, high = knots > 0 ? knots - 1 : 0;
  *piece = 0;
  if (high == 0 || !(x > at[0])) return 0.0;
  if (x >= at[high]) {
    *piece = high - 1;
    return 1.0;
  }
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (x < at[middle])
      high = middle;
    else
      low = middle;
  }
  *piece = low;
  return (x - at[low]) / (at[high] - at[low]);
}

/* ... and what has these values at the knots; 0 without any. */
DPPAIR_API double dppair_knots_between(const double *value, size_t knots, size_t piece,
                                       double part) {
  if (knots < 2) return knots == 1 ? value[0] : 0.0;
  return value[piece] + (value[piece + 1] - value[piece]) * part;
}

/* --- the matrix ------------------------------------------------------------------------------- */

#define DPPAIR_SMOOTHING_UNITS_ 1048576.0 /* entries of A are multiples of 2^-20 */

/* The doubles of the workspace below: eigenvectors, eigenvalues, and room for two columns. */
DPPAIR_FN_ size_t dppair_smoothing_room_(size_t m) { return dppair_matrix_room_(m); }

/* *bytes = the workspace of dppair_smoothing_matrix. Errors zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_smoothing_workspace(size_t *bytes, size_t m) {
  return dppair_work_bytes_(bytes, dppair_smoothing_room_(m));
}

/* OK for a kernel with entries in [0, 1] and a unit diagonal. */
DPPAIR_FN_ dppair_status dppair_smoothing_check_(double smooth, double width) {
  if (!dppair_isfinite_f64(smooth) || !dppair_isfinite_f64(width)) return DPPAIR_ERR_NOT_FINITE;
  if (!(smooth >= 0.0 && smooth <= 1.0) || !(width >= 0.0)) return DPPAIR_ERR_DOMAIN;
  if (!(smooth > 0.0)) return width > 0.0 ? DPPAIR_ERR_UNREAD : DPPAIR_OK;
  return width > 0.0 ? DPPAIR_OK : DPPAIR_ERR_DOMAIN;
}

/* dppair_smoothing_matrix in units of 2^-20, without its checks; room: m (m + 3) doubles. Entries
 * are at most 2^20 in size, whatever the eigenvalues say. */
DPPAIR_FN_ dppair_status dppair_smoothing_units_(double *a, size_t m, double smooth, double width,
                                                 double *room) {
  double *vectors = room, *values = room + m * m;
  size_t i, j, k;
  dppair_status status = DPPAIR_OK;
  for (i = 0; i < m; i++)
    for (j = 0; j < m; j++) {
      const double away = i > j ? (double)(i - j) : (double)(j - i);
      a[i * m + j] = i == j ? 1.0 : smooth > 0.0 ? smooth * dppair_exp_(-away / width) : 0.0;
    }
  if (smooth > 0.0) {
    status = dppair_eigen_(values, vectors, a, m, values + m);
    memset(a, 0, m * m * sizeof *a);
    for (k = 0; k < m && status == DPPAIR_OK; k++) {
      const double root = values[k] > 0.0 ? dppair_sqrt_(values[k]) : 0.0, *v = vectors + k * m;
      for (i = 0; i < m; i++)
        for (j = 0; j < m; j++) a[i * m + j] += root * v[i] * v[j];
    }
  }
  for (i = 0; i < m; i++)
    for (j = 0; j <= i; j++) {
      double unit = dppair_floor_(a[i * m + j] * DPPAIR_SMOOTHING_UNITS_ + 0.5);
      unit = unit < DPPAIR_SMOOTHING_UNITS_ ? unit : DPPAIR_SMOOTHING_UNITS_;
      unit = unit > -DPPAIR_SMOOTHING_UNITS_ ? unit : -DPPAIR_SMOOTHING_UNITS_;
      a[i * m + j] = a[j * m + i] = unit;
    }
  return status;
}

/*
 * a[m][m] = the matrix that smooths m counts: K^(1/2) of the head of this chapter, symmetric, its
 * entries rounded to multiples of 2^-20. smooth in [0, 1], width > 0 in cells; 0 and 0: the
 * identity. What a release of A c tells is read in the eigenvectors of A (dppair_eigen_f64), whose
 * eigenvalues are the roots of those of K to 3e-5.
 *
 * Errors zero a: NULL, WORKSPACE, NOT_FINITE, DOMAIN, UNREAD (a width that nothing reads),
 * NO_CONVERGENCE. OVERFLOW, for an m that no memory can hold, does not touch it.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_smoothing_matrix(double *a, size_t m,
                                                                   double smooth, double width,
                                                                   void *work, size_t bytes) {
  double *room;
  size_t i;
  dppair_status status;
  if (dppair_smoothing_room_(m) > SIZE_MAX / sizeof *a) return DPPAIR_ERR_OVERFLOW;
  if (m == 0) return DPPAIR_OK;
  if (a == NULL) return DPPAIR_ERR_NULL;
  status = dppair_smoothing_check_(smooth, width);
  if (status == DPPAIR_OK) status = dppair_work_(&room, dppair_smoothing_room_(m), work, bytes);
  if (status == DPPAIR_OK) status = dppair_smoothing_units_(a, m, smooth, width, room);
  if (status != DPPAIR_OK) memset(a, 0, m * m * sizeof *a);
  for (i = 0; i < m * m; i++) a[i] /= DPPAIR_SMOOTHING_UNITS_;
  return status;
}

/* How far one record moves some numbers: the square of its l2 norm in units of 2^-40, and its l1
 * norm in units of 2^-20. */
typedef struct dppair_shift_ {
  uint64_t square, sum;
} dppair_shift_;

/* The larger of each. */
DPPAIR_FN_ void dppair_shift_most_(dppair_shift_ *most, uint64_t square, uint64_t sum) {
  most->square = square > most->square ? square : most->square;
  most->sum = sum > most->sum ? sum : most->sum;
}

/* What one record of m <= DPPAIR_CELLS_MOST cells moves A c by, a in units: *replaced, when it
 * leaves one cell for another, the largest distance of two columns of A; *removed, when it leaves
 * one, the largest norm of a column. */
DPPAIR_FN_ void dppair_smoothing_shifts_(dppair_shift_ *replaced, dppair_shift_ *removed,
                                         const double *a, size_t m) {
  size_t s, t, k;
  memset(replaced, 0, sizeof *replaced);
  memset(removed, 0, sizeof *removed);
  for (s = 0; s < m; s++)
    for (t = 0; t <= s; t++) { /* t = s: the column itself */
      dppair_shift_ move = {0, 0};
      for (k = 0; k < m; k++) {
        const int64_t other = t == s ? 0 : (int64_t)a[t * m + k];
        const int64_t by = (int64_t)a[s * m + k] - other;
        const uint64_t size = (uint64_t)(by < 0 ? -by : by); /* at most 2^21 */
        move.square += size * size;
        move.sum += size;
      }
      dppair_shift_most_(t == s ? removed : replaced, move.square, move.sum);
    }
}

DPPAIR_FP_END_
/* ---- src/modules/tables/marginals.h ---------------------------------------------------------
 * Marginals: the histograms of all columns of a table, and the number of positive labels, at once
 *
 *   const dppair_column columns[3] = {{DPPAIR_COLUMN_NUMERIC, 0, 120, 0, 0},     age
 *                                     {DPPAIR_COLUMN_NUMERIC, -1e4, 1e5, 0, 0},  balance
 *                                     {DPPAIR_COLUMN_FLAG, 0, 0, 0, 0}};         has a loan
 *   const dppair_marginals query = {columns, 3, 24, 0.9, 4.0, 1.0};    smoothed; labels counted
 *   s = dppair_marginals_layout(start, &query);                        v[start[j]] on: of column j
 *   s = dppair_release_open(&release, &account, &plan, NULL);          plan.steps = 1
 *   s = dppair_release_marginals(v, start[4], &release, &query, x, y, NULL, n, work, bytes);
 *   if (!s) ... sigma = release.sigma: the noise of each number
 *
 * The cells come from declared ranges, never from the data. Every record counts once in each
 * numeric column, wherever its value lies: else a value out of range would be worth an error or a
 * sensitivity of its own. One paid release pays for all numbers together; what is made of them is
 * free.
 *
 * How far one record moves v. In a numeric column it leaves a cell and enters another: the largest
 * distance of two columns of the smoothing matrix, at most sqrt 2; by class it may leave a cell of
 * one block for one of the other: both columns' norms, the same. A flag changes by 1, by class one
 * count falls and one rises. In a group a record counts in its first set column only: one count
 * falls and one rises. The number of positives changes by 1, times its weight. Squares (l1: sizes)
 * add up over columns, in integers; a record attains the sum. A record that leaves without another
 * in its place (zero-out; a weight of 0): the norm of a column of the matrix, and 1.
 *
 * Relies on smoothing.h and histogram.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* What a column of a table holds, as it is declared. */
typedef enum dppair_column_kind {
  DPPAIR_COLUMN_NUMERIC = 1, /* a number: cells of its range */
  DPPAIR_COLUMN_FLAG = 2,    /* set or not: how many are set */
  DPPAIR_COLUMN_GROUP = 3    /* one of the columns of a group, of which one or none is set */
} dppair_column_kind;

/* A column of a table, as it is declared; fields that its kind does not read are 0. */
typedef struct dppair_column {
  dppair_column_kind kind;
  double low, high; /* NUMERIC: its range, as dppair_cells_make takes it */
  size_t group;     /* GROUP: its number, 0 to d; columns of one number are one group */
  int by_class;     /* not 0: counted for positives and for negatives by themselves */
} dppair_column;

/* What is asked about a table of d columns; public. */
typedef struct dppair_marginals {
  const dppair_column *columns;
  size_t d;
  size_t side;          /* cells of a numeric column on one side of zero, 1 to 24 */
  double smooth, width; /* of the kernel of smoothing.h; 0 and 0: counts as they are */
  double label;         /* the last number is sqrt(label) times the number of positives; 0: none */
} dppair_marginals;

/* sqrt(label) rounded down to a multiple of 2^-20: what one positive adds to the last number. */
DPPAIR_API double dppair_label_weight(double label) {
  return label > 0.0 ? dppair_floor_(dppair_sqrt_(label) * DPPAIR_SMOOTHING_UNITS_) /
                           DPPAIR_SMOOTHING_UNITS_
                     : 0.0;
}

/* OK for a column whose kind reads all that is set. */
DPPAIR_FN_ dppair_status dppair_column_check_(const dppair_column *c, size_t d) {
  const int ranged = c->kind == DPPAIR_COLUMN_NUMERIC;
  if (!dppair_isfinite_f64(c->low) || !dppair_isfinite_f64(c->high)) return DPPAIR_ERR_NOT_FINITE;
  if (!ranged && c->kind != DPPAIR_COLUMN_FLAG && c->kind != DPPAIR_COLUMN_GROUP)
    return DPPAIR_ERR_DOMAIN;
  if (!ranged && !(c->low >= 0.0 && c->low <= 0.0 && c->high >= 0.0 && c->high <= 0.0))
    return DPPAIR_ERR_UNREAD;
  if (c->kind != DPPAIR_COLUMN_GROUP) return c->group > 0 ? DPPAIR_ERR_UNREAD : DPPAIR_OK;
  return c->group <= d ? DPPAIR_OK : DPPAIR_ERR_SIZE;
}

/* OK for a query that asks for something, without the ranges of its columns. */
DPPAIR_FN_ dppair_status dppair_marginals_check_(const dppair_marginals *q) {
  dppair_status status;
  size_t j;
  if (q == NULL) return DPPAIR_ERR_NULL;
  status = dppair_array_(q->columns, q->d);
  if (status != DPPAIR_OK) return status;
  if (q->side < 1 || q->side > DPPAIR_CELLS_SIDE) return DPPAIR_ERR_SIZE;
  status = dppair_smoothing_check_(q->smooth, q->width);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(q->label)) return DPPAIR_ERR_NOT_FINITE;
  if (!(q->label >= 0.0 && q->label <= DPPAIR_SMOOTHING_UNITS_)) return DPPAIR_ERR_DOMAIN;
  if (q->label > 0.0 && !(dppair_label_weight(q->label) > 0.0)) return DPPAIR_ERR_DOMAIN;
  if (q->d == 0 && !(q->label > 0.0)) return DPPAIR_ERR_SIZE;
  for (j = 0; j < q->d && status == DPPAIR_OK; j++)
    status = dppair_column_check_(&q->columns[j], q->d);
  return status;
}

/* Adds the numbers of a column, whose cells are written where it has any. */
DPPAIR_FN_ dppair_status dppair_column_numbers_(size_t *numbers, dppair_cells *cells,
                                                const dppair_column *c, size_t side) {
  size_t blocks = c->by_class ? 2 : 1;
  dppair_status status = DPPAIR_OK;
  if (c->kind == DPPAIR_COLUMN_NUMERIC) {
    status = dppair_cells_make(cells, c->low, c->high, side);
    blocks *= cells->cells;
  }
  if (*numbers > SIZE_MAX / 8 - blocks) return DPPAIR_ERR_OVERFLOW;
  *numbers += blocks;
  return status;
}

/*
 * start[0..d+2): where the numbers of a release begin. Those of column j are v[start[j]] to
 * v[start[j + 1] - 1]: of a numeric column its cells in order (by class: of the positives, then of
 * the negatives), of the others one count (by class: two). v[start[d]] is the number of positives
 * times dppair_label_weight, where it is asked for; start[d + 1] is the size of v.
 *
 * Errors zero start: NULL; NOT_FINITE, DOMAIN (a kind, a range or a weight that is none); SIZE
 * (side, a group above d, nothing is asked); UNREAD (a field that the column's kind does not read,
 * a width without smoothing); OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_marginals_layout(size_t *start,
                                                                   const dppair_marginals *query) {
  dppair_status status = start != NULL ? dppair_marginals_check_(query) : DPPAIR_ERR_NULL;
  dppair_cells cells;
  size_t j, at = 0;
  for (j = 0; status == DPPAIR_OK && j < query->d; j++) {
    start[j] = at;
    status = dppair_column_numbers_(&at, &cells, &query->columns[j], query->side);
  }
  if (status == DPPAIR_OK) {
    start[query->d] = at;
    start[query->d + 1] = at + (query->label > 0.0 ? 1 : 0);
  } else if (start != NULL && query != NULL && query->d < SIZE_MAX / 8 - 2)
    memset(start, 0, (query->d + 2) * sizeof *start);
  return status;
}

/* A query, laid out in the workspace. */
typedef struct dppair_marginals_state_ {
  const dppair_marginals *query;
  dppair_cells *cells;  /* d, those of numeric columns are in use */
  size_t *start;        /* d + 2 */
  size_t *first, *next; /* d + 1: the first column of a group; d: the next one of it; d for none */
  double *a, *room;     /* the matrix of one size of cells, in units; room to make it */
} dppair_marginals_state_;

/* Takes the arrays of d columns from base, and returns the bytes that they use. */
DPPAIR_FN_ size_t dppair_marginals_take_(dppair_marginals_state_ *s, char *base, size_t d) {
  const size_t more = d > SIZE_MAX - 2 ? SIZE_MAX : d + 2, most = DPPAIR_CELLS_MOST;
  size_t used = 0;
  s->cells = (dppair_cells *)dppair_take_(base, &used, d, sizeof(dppair_cells));
  s->start = (size_t *)dppair_take_(base, &used, more, sizeof(size_t));
  s->first = (size_t *)dppair_take_(base, &used, more, sizeof(size_t));
  s->next = (size_t *)dppair_take_(base, &used, d, sizeof(size_t));
  s->a = (double *)dppair_take_(base, &used, most * most, sizeof(double));
  s->room = (double *)dppair_take_(base, &used, dppair_smoothing_room_(most), sizeof(double));
  return used;
}

/* *bytes = the workspace of dppair_release_marginals and dppair_marginals_sensitivity for a query
 * of d columns. Errors zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_marginals_workspace(size_t *bytes, size_t d) {
  dppair_marginals_state_ state;
  size_t used;
  if (bytes == NULL) return DPPAIR_ERR_NULL;
  *bytes = 0;
  used = dppair_marginals_take_(&state, NULL, d);
  if (used > SIZE_MAX - 64) return DPPAIR_ERR_OVERFLOW;
  *bytes = used + 64;
  return DPPAIR_OK;
}

/* Lays a query out: cells, the places of its numbers, the columns of each group. */
DPPAIR_FN_ dppair_status dppair_marginals_open_(dppair_marginals_state_ *s,
                                                const dppair_marginals *query, void *work,
                                                size_t bytes) {
  size_t needed, j, d, at = 0;
  dppair_status status = dppair_marginals_check_(query);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK) status = dppair_marginals_workspace(&needed, query->d);
  if (status != DPPAIR_OK) return status;
  if (work == NULL) return DPPAIR_ERR_NULL;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
  d = query->d;
  s->query = query;
  (void)dppair_marginals_take_(s, dppair_align_(work), d);
  for (j = 0; j <= d; j++) s->first[j] = d;
  for (j = d; j-- > 0;) { /* chains that ascend */
    const dppair_column *c = &query->columns[j];
    s->next[j] = c->kind == DPPAIR_COLUMN_GROUP ? s->first[c->group] : d;
    if (c->kind == DPPAIR_COLUMN_GROUP) s->first[c->group] = j;
  }
  memset(s->cells, 0, d * sizeof *s->cells);
  for (j = 0; j < d && status == DPPAIR_OK; j++) {
    s->start[j] = at;
    status = dppair_column_numbers_(&at, &s->cells[j], &query->columns[j], query->side);
  }
  s->start[d] = at;
  s->start[d + 1] = at + (query->label > 0.0 ? 1 : 0);
  return status;
}

/* The next size of cells after m that a numeric column has, and its matrix; 0: none. Columns of one
 * size share a matrix, and it is made when it is needed: the workspace holds one. */
DPPAIR_FN_ dppair_status dppair_marginals_next_(size_t *m, const dppair_marginals_state_ *s) {
  size_t j, least = DPPAIR_CELLS_MOST + 1;
  for (j = 0; j < s->query->d; j++)
    if (s->cells[j].cells > *m && s->cells[j].cells < least) least = s->cells[j].cells;
  *m = least <= DPPAIR_CELLS_MOST ? least : 0;
  return *m == 0 ? DPPAIR_OK
                 : dppair_smoothing_units_(s->a, *m, s->query->smooth, s->query->width, s->room);
}

/* --- how far one record moves them ------------------------------------------------------------ */

/* Adds a move; 1 when the sum is beyond 2^63. */
DPPAIR_FN_ int dppair_shift_add_(dppair_shift_ *total, const dppair_shift_ *move) {
  if (move->square > UINT64_MAX / 2 - total->square) return 1;
  total->square += move->square;
  total->sum += move->sum; /* a square in units is never below its root */
  return 0;
}

/* The move of `counts` plain counts. */
DPPAIR_FN_ dppair_shift_ dppair_shift_of_(uint64_t counts) {
  dppair_shift_ move;
  move.square = counts << 40;
  move.sum = counts << 20;
  return move;
}

/* How many counts a record moves by 1 in a flag, or in the group that column j begins. */
DPPAIR_FN_ uint64_t dppair_marginals_counts_(const dppair_marginals_state_ *s, size_t j,
                                             int replaces) {
  const dppair_column *c = s->query->columns;
  size_t k;
  int two = s->next[j] < s->query->d;
  if (c[j].kind == DPPAIR_COLUMN_GROUP && s->first[c[j].group] != j) return 0;
  for (k = j; k < s->query->d; k = s->next[k]) two |= c[k].by_class;
  return replaces && two ? 2 : 1;
}

/* *total = what one record moves all numbers by; replaces: it enters again elsewhere. */
DPPAIR_FN_ dppair_status dppair_marginals_shift_(dppair_shift_ *total,
                                                 const dppair_marginals_state_ *s, int replaces) {
  const dppair_marginals *q = s->query;
  const double label = dppair_label_weight(q->label) * DPPAIR_SMOOTHING_UNITS_;
  dppair_shift_ replaced, removed, move;
  dppair_status status;
  size_t j, m = 0;
  int over = 0;
  total->square = total->sum = 0;
  while ((status = dppair_marginals_next_(&m, s)) == DPPAIR_OK && m > 0) {
    dppair_smoothing_shifts_(&replaced, &removed, s->a, m);
    for (j = 0; j < q->d; j++) {
      if (s->cells[j].cells != m) continue;
      move = replaces ? replaced : removed;
      if (replaces && q->columns[j].by_class)
        dppair_shift_most_(&move, 2 * removed.square, 2 * removed.sum);
      over |= dppair_shift_add_(total, &move);
    }
  }
  for (j = 0; j < q->d; j++)
    if (q->columns[j].kind != DPPAIR_COLUMN_NUMERIC) {
      move = dppair_shift_of_(dppair_marginals_counts_(s, j, replaces));
      over |= dppair_shift_add_(total, &move);
    }
  move.sum = (uint64_t)label;
  move.square = move.sum * move.sum;
  over |= dppair_shift_add_(total, &move);
  return status == DPPAIR_OK && over ? DPPAIR_ERR_OVERFLOW : status;
}

/* The norms of a move, rounded up. */
DPPAIR_FN_ double dppair_shift_l2_(const dppair_shift_ *move) {
  return dppair_up_(dppair_sqrt_(dppair_up_((double)move->square))) / DPPAIR_SMOOTHING_UNITS_;
}

DPPAIR_FN_ double dppair_shift_l1_(const dppair_shift_ *move) {
  return dppair_up_((double)move->sum) / DPPAIR_SMOOTHING_UNITS_;
}

/*
 * *l2, *l1: how far one record moves the numbers of dppair_release_marginals, in both norms,
 * rounded up and attained; DPPAIR_REPLACE_ONE or DPPAIR_ZERO_OUT. work: as
 * dppair_marginals_workspace says.
 *
 * Errors zero both: those of dppair_marginals_layout; WORKSPACE; ADJACENCY; OVERFLOW (more than
 * 10^6 columns); NO_CONVERGENCE (of the matrix); ENVIRONMENT.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_marginals_sensitivity(double *l2, double *l1, const dppair_marginals *query,
                             dppair_adjacency adjacency, void *work, size_t bytes) {
  dppair_marginals_state_ state;
  dppair_shift_ total;
  dppair_status status;
  if (l2 == NULL || l1 == NULL) return DPPAIR_ERR_NULL;
  *l2 = *l1 = 0.0;
  status = dppair_adjacency_records_(adjacency);
  if (status == DPPAIR_OK) status = dppair_marginals_open_(&state, query, work, bytes);
  if (status == DPPAIR_OK)
    status = dppair_marginals_shift_(&total, &state, adjacency == DPPAIR_REPLACE_ONE);
  if (status != DPPAIR_OK) return status;
  *l2 = dppair_shift_l2_(&total);
  *l1 = dppair_shift_l1_(&total);
  return DPPAIR_OK;
}

/* --- counting --------------------------------------------------------------------------------- */

/* Counts one record. What is not a number is in the first cell of its column, and sets no flag. */
DPPAIR_FN_ void dppair_marginals_count_(double *v, const dppair_marginals_state_ *s,
                                        const double *row, int positive) {
  const size_t d = s->query->d;
  size_t j, k;
  for (j = 0; j < d; j++) {
    const dppair_column *c = &s->query->columns[j];
    const size_t cells = s->cells[j].cells, other = c->by_class && !positive ? 1 : 0;
    if (cells > 0) {
      v[s->start[j] + other * cells + dppair_cells_find(&s->cells[j], row[j])] += 1.0;
    } else if (c->kind == DPPAIR_COLUMN_FLAG) {
      if (row[j] >= 0.5) v[s->start[j] + other] += 1.0;
    } else if (s->first[c->group] == j) {
      for (k = j; k < d && !(row[k] >= 0.5);) k = s->next[k];
      if (k < d) v[s->start[k] + (s->query->columns[k].by_class && !positive ? 1 : 0)] += 1.0;
    }
  }
  if (s->query->label > 0.0 && positive) v[s->start[d]] += 1.0;
}

/* block[0..m) = A block, exactly; a in units, column: room for m numbers. */
DPPAIR_FN_ void dppair_marginals_smooth_(double *block, const double *a, size_t m, double *column) {
  size_t i, j;
  memcpy(column, block, m * sizeof *block);
  for (i = 0; i < m; i++) {
    double sum = 0.0; /* of integers: below 2^20 records */
    for (j = 0; j < m; j++) sum += a[i * m + j] * column[j];
    block[i] = sum / DPPAIR_SMOOTHING_UNITS_;
  }
}

/* Counts of all records become the numbers that are released, but for the noise. */
DPPAIR_FN_ dppair_status dppair_marginals_finish_(double *v, const dppair_marginals_state_ *s) {
  const dppair_marginals *q = s->query;
  dppair_status status;
  size_t j, k, m = 0;
  while ((status = dppair_marginals_next_(&m, s)) == DPPAIR_OK && m > 0)
    for (j = 0; j < q->d; j++)
      if (s->cells[j].cells == m)
        for (k = s->start[j]; k < s->start[j + 1]; k += m)
          dppair_marginals_smooth_(v + k, s->a, m, s->room);
  if (q->label > 0.0) v[s->start[q->d]] *= dppair_label_weight(q->label);
  return status;
}

/* Does anything of a query read labels? */
DPPAIR_FN_ int dppair_marginals_need_labels_(const dppair_marginals *q) {
  size_t j;
  int need = q->label > 0.0;
  for (j = 0; j < q->d; j++) need |= q->columns[j].by_class != 0;
  return need;
}

/* The checks of a release that are about the plan, and the terms of it. */
DPPAIR_FN_ dppair_status dppair_marginals_terms_(dppair_release_terms_ *terms,
                                                 const dppair_release *release,
                                                 const dppair_marginals_state_ *s, size_t n,
                                                 int weighted) {
  const dppair_sampling *sampling = &release->sampling;
  const double label = dppair_label_weight(s->query->label) * DPPAIR_SMOOTHING_UNITS_;
  dppair_shift_ total;
  double moves;
  dppair_status status = dppair_marginals_workspace(&terms->bytes, s->query->d);
  if (status == DPPAIR_OK) status = dppair_release_law_(release->mechanism);
  if (status == DPPAIR_OK) status = dppair_release_moves_(&moves, release);
  if (status != DPPAIR_OK) return status;
  if (n != (sampling->kind == DPPAIR_ALL ? sampling->n : release->drawn)) return DPPAIR_ERR_SIZE;
  if (weighted && moves > 1.0) return DPPAIR_ERR_ADJACENCY;
  if (sampling->n > UINT32_MAX || label * (double)sampling->n > 9007199254740992.0)
    return DPPAIR_ERR_OVERFLOW;
  status = dppair_marginals_shift_(&total, s, moves > 1.0);
  if (status != DPPAIR_OK) return status;
  terms->divisor = 1.0;
  terms->sensitivity =
      release->mechanism == DPPAIR_LAPLACE ? dppair_shift_l1_(&total) : dppair_shift_l2_(&total);
  return dppair_release_scale_(&terms->scale, release, terms->sensitivity);
}

/* What is not inlined leaves its secrets below its caller, where dppair_release_forget_ wipes. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_marginals_work_(double *v,
                                                         const dppair_marginals_state_ *s,
                                                         const double *x, const double *y,
                                                         const double *weight, size_t n) {
  size_t i;
  for (i = 0; i < n; i++)
    if (weight == NULL || weight[i] > 0.0)
      dppair_marginals_count_(v, s, x + i * s->query->d, y != NULL && y[i] > 0.0);
  return dppair_marginals_finish_(v, s);
}

/*
 * Releases the marginals of n records, all or those of this step's draw, x[n][d] row by row:
 * v[0..size), laid out as dppair_marginals_layout says, size = start[d + 1]. v may be published.
 * A record is positive where y[i] > 0; y may be NULL where nothing asks for labels. weight: NULL,
 * or n numbers, 0 where a record is null and counts nowhere (zero-out, or a Poisson sample). The
 * law of the plan: Gaussian or l2-ball noise for the l2 norm, Laplace noise for the l1 norm, of
 * which smoothing makes more. release->sigma is the scale of each number's noise. No record causes
 * an error: one out of range counts in the first or the last cell, as infinities do; NaN counts in
 * the first cell, is not set, is not positive.
 *
 * The numbers are the same bits in any order of the records. O(n d) and 10^5 operations for each
 * size of cells. work: as dppair_marginals_workspace says.
 *
 * Errors zero v. They use no paid release: those of dppair_marginals_layout; SIZE (size; n is not
 * that of the plan or of the draw); WORKSPACE; ADJACENCY (neighbours that differ in more than one
 * record; weights where one is replaced); OVERLAP (v, and work or what is read); LAW (another law);
 * SENSITIVITY (no record moves anything: a range that is a point, alone); those of
 * dppair_release_vector about the release, and, after which v may be untouched, OVERFLOW: 2^32
 * records, sqrt(label) n beyond 2^33, 10^6 columns.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_marginals(
    double *v, size_t size, dppair_release *release, const dppair_marginals *query, const double *x,
    const double *y, const double *weight, size_t n, void *work, size_t bytes) {
  dppair_marginals_state_ state;
  dppair_release_terms_ terms;
  dppair_status status = dppair_array_(v, size);
  if (status != DPPAIR_OK) return status;
  if (size > 0) memset(v, 0, size * sizeof *v);
  status = dppair_release_ready_(release);
  if (status == DPPAIR_OK) status = dppair_apart_(v, size, work, bytes);
  if (status == DPPAIR_OK) status = dppair_marginals_open_(&state, query, work, bytes);
  if (status == DPPAIR_OK && size != state.start[query->d + 1]) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_array_(x, dppair_area_(n, query->d));
  if (status == DPPAIR_OK && y == NULL && n > 0 && dppair_marginals_need_labels_(query))
    status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK)
    status =
        dppair_rows_apart_(v, size, n, x, n * query->d * sizeof *x, y, sizeof *y, NULL, weight);
  if (status == DPPAIR_OK)
    status = dppair_marginals_terms_(&terms, release, &state, n, weight != NULL);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  status = dppair_marginals_work_(v, &state, x, y, weight, n);
  if (status == DPPAIR_OK) status = dppair_release_noise_(v, size, release, DPPAIR_GRID_DEFAULT);
  if (status != DPPAIR_OK) memset(v, 0, size * sizeof *v);
  return dppair_release_forget_(work, &terms, status);
}

DPPAIR_FP_END_
/* ---- src/modules/tables/estimate.h ----------------------------------------------------------
 * Estimates from released marginals: histograms without noise that stands out
 *
 * All of this is free: it reads what was released. Real columns look like a few shapes. A template
 * is p [the cell of zero] + (1 - p) bell, the bell a normal distribution over the cells or, where
 * both signs are in range, over the values. With Y = A c/n + noise of deviation s, A = U root U',
 * and what a column is besides its template t of variance tau^2 in each direction,
 *
 *   log-likelihood of t   -1/2 sum_k ((U'Y)_k - root_k (U't)_k)^2/(s^2 + tau^2 root_k^2)
 *   estimate              m + U diag(tau^2 root/(s^2 + tau^2 root^2)) (U'Y - root U'm), m the
 *                         posterior mean of t,
 *
 * projected on the simplex: with little noise the histogram itself, with much a smooth shape. The
 * prior is uniform over bells (those over values weigh 5), or learned: three steps of EM over all
 * columns of one shape of cells, the uniform prior as one column more.
 *
 * Relies on marginals.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_LIBM_BEGIN_

enum {
  DPPAIR_BELLS_ = 512,
  DPPAIR_SPIKES_ = 6,
  DPPAIR_TEMPLATES_ = DPPAIR_BELLS_ * DPPAIR_SPIKES_
};

/* How far real histograms are from templates, and the masses at zero. */
#define DPPAIR_TEMPLATE_TAU_ 0.012
static const double dppair_template_spikes_[DPPAIR_SPIKES_] = {0.0, 0.2, 0.4, 0.6, 0.8, 0.93};

/* The templates of one shape of cells, in the coordinates of the eigenvectors of A. */
typedef struct dppair_templates_ {
  size_t cells, bells;
  double root[DPPAIR_CELLS_MOST];                       /* the eigenvalues of A */
  double vector[DPPAIR_CELLS_MOST * DPPAIR_CELLS_MOST]; /* row k: that of root[k] */
  double spike[DPPAIR_CELLS_MOST];
  double bell[(size_t)DPPAIR_BELLS_ * DPPAIR_CELLS_MOST];
  double base[DPPAIR_TEMPLATES_];   /* log prior */
  double prior[DPPAIR_TEMPLATES_];  /* log prior, learned */
  double sum[DPPAIR_TEMPLATES_];    /* of the columns' posteriors */
  double weight[DPPAIR_TEMPLATES_]; /* one column's posterior */
} dppair_templates_;

/* out = U' v; back: U v. */
DPPAIR_FN_ void dppair_templates_turn_(double *out, const dppair_templates_ *f, const double *v,
                                       int back) {
  const size_t m = f->cells;
  size_t i, k;
  for (k = 0; k < m; k++) out[k] = 0.0;
  for (k = 0; k < m; k++)
    for (i = 0; i < m; i++) {
      if (back)
        out[i] += f->vector[k * m + i] * v[k];
      else
        out[k] += f->vector[k * m + i] * v[i];
    }
}

/* Adds the bell N(centre, width^2) over the given edges (NULL: in units of cells), unless edges are
 * given and less than half of it is in range; weight: of its prior. */
DPPAIR_FN_ void dppair_templates_bell_(dppair_templates_ *f, const double *edge, double centre,
                                       double width, double weight) {
  const double unit = width * dppair_sqrt_(2.0);
  double t[DPPAIR_CELLS_MOST], total = 0.0, left, right;
  size_t i, k;
  if (f->bells == DPPAIR_BELLS_) return;
  left = dppair_erf_(((edge != NULL ? edge[0] : 0.0) - centre) / unit);
  for (i = 0; i < f->cells; i++) {
    right = dppair_erf_(((edge != NULL ? edge[i + 1] : (double)(i + 1)) - centre) / unit);
    t[i] = right - left;
    total += t[i];
    left = right;
  }
  if (edge != NULL && total < 1.0) return;
  for (i = 0; i < f->cells; i++) t[i] /= total;
  dppair_templates_turn_(f->bell + f->bells * f->cells, f, t, 0);
  for (k = 0; k < DPPAIR_SPIKES_; k++)
    f->base[f->bells * DPPAIR_SPIKES_ + k] = dppair_log_(weight * (k == 0 ? 0.5 : 0.1));
  f->bells++;
}

/* The templates of the cells g; root and vector are set. */
DPPAIR_FN_ void dppair_templates_make_(dppair_templates_ *f, const dppair_cells *g) {
  static const double widths[5] = {0.35, 0.7, 1.4, 2.8, 5.6};
  const double low = -g->edge[0], high = g->edge[g->cells];
  double centre, width = high > low ? high : low, zero[DPPAIR_CELLS_MOST] = {0.0}, total = 0.0;
  size_t w, t;
  int k;
  f->bells = 0;
  zero[g->zero] = 1.0;
  dppair_templates_turn_(f->spike, f, zero, 0);
  for (w = 0; w < 5; w++)
    for (centre = 0.0; centre <= (double)g->cells; centre += w < 2 ? 0.5 : 1.0)
      dppair_templates_bell_(f, NULL, centre, widths[w], 1.0);
  if (g->zero > 0 && g->zero + 1 < g->cells)
    for (w = 0; w < 18; w++, width /= 1.5)
      for (k = -4; k <= 4; k++) dppair_templates_bell_(f, g->edge, k / 2.0 * width, width, 5.0);
  for (t = 0; t < f->bells * DPPAIR_SPIKES_; t++) total += dppair_exp_(f->base[t]);
  for (t = 0; t < f->bells * DPPAIR_SPIKES_; t++) f->prior[t] = f->base[t] -= dppair_log_(total);
}

/* f->weight = the posterior over templates given y = U'Y, whose noise has deviation sd. */
DPPAIR_FN_ void dppair_templates_weigh_(dppair_templates_ *f, const double *y, double sd) {
  const double tau2 = DPPAIR_TEMPLATE_TAU_ * DPPAIR_TEMPLATE_TAU_;
  double inverse[DPPAIR_CELLS_MOST], rest[DPPAIR_CELLS_MOST], rr = 0.0, most = -HUGE_VAL;
  double total = 0.0;
  size_t b, k, t;
  for (k = 0; k < f->cells; k++) {
    inverse[k] = 1.0 / (sd * sd + tau2 * f->root[k] * f->root[k]);
    rest[k] = y[k] - f->root[k] * f->spike[k];
    rr += rest[k] * rest[k] * inverse[k];
  }
  for (b = 0; b < f->bells; b++) {
    const double *bell = f->bell + b * f->cells;
    double rd = 0.0, dd = 0.0;
    for (k = 0; k < f->cells; k++) {
      const double move = f->root[k] * (bell[k] - f->spike[k]);
      rd += rest[k] * move * inverse[k];
      dd += move * move * inverse[k];
    }
    for (k = 0; k < DPPAIR_SPIKES_; k++) {
      const double share = 1.0 - dppair_template_spikes_[k];
      t = b * DPPAIR_SPIKES_ + k;
      f->weight[t] = f->prior[t] - (rr - 2.0 * share * rd + share * share * dd) / 2.0;
      most = f->weight[t] > most ? f->weight[t] : most;
    }
  }
  for (t = 0; t < f->bells * DPPAIR_SPIKES_; t++)
    total += f->weight[t] = dppair_exp_(f->weight[t] - most);
  for (t = 0; t < f->bells * DPPAIR_SPIKES_; t++) f->weight[t] /= total;
}

/* The nearest point with entries >= 0 that sum to 1. */
DPPAIR_FN_ void dppair_templates_project_(double *h, size_t m) {
  double sorted[DPPAIR_CELLS_MOST], sum = 0.0, cut = 0.0;
  size_t i, j;
  for (i = 0; i < m; i++) { /* descending */
    const double v = h[i];
    for (j = i; j > 0 && sorted[j - 1] < v; j--) sorted[j] = sorted[j - 1];
    sorted[j] = v;
  }
  for (i = 0; i < m; i++) {
    sum += sorted[i];
    if (sorted[i] - (sum - 1.0) / (double)(i + 1) > 0.0) cut = (sum - 1.0) / (double)(i + 1);
  }
  for (i = 0; i < m; i++) h[i] = h[i] > cut ? h[i] - cut : 0.0;
}

/* h = the posterior mean template, then as much of y's own deviation from it as is not noise; h and
 * y may be the same. */
DPPAIR_FN_ void dppair_templates_estimate_(double *h, dppair_templates_ *f, const double *y,
                                           double sd) {
  const double tau2 = DPPAIR_TEMPLATE_TAU_ * DPPAIR_TEMPLATE_TAU_;
  double mean[DPPAIR_CELLS_MOST] = {0.0}, spike = 0.0;
  size_t b, k;
  dppair_templates_weigh_(f, y, sd);
  for (b = 0; b < f->bells; b++) {
    double share = 0.0;
    for (k = 0; k < DPPAIR_SPIKES_; k++) {
      const double weight = f->weight[b * DPPAIR_SPIKES_ + k];
      share += weight * (1.0 - dppair_template_spikes_[k]);
      spike += weight * dppair_template_spikes_[k];
    }
    for (k = 0; k < f->cells; k++) mean[k] += share * f->bell[b * f->cells + k];
  }
  for (k = 0; k < f->cells; k++) {
    const double root = f->root[k];
    mean[k] += spike * f->spike[k];
    mean[k] += tau2 * root / (sd * sd + tau2 * root * root) * (y[k] - root * mean[k]);
  }
  dppair_templates_turn_(h, f, mean, 1);
  dppair_templates_project_(h, f->cells);
}

/* One step of EM: the prior becomes the mean of the columns' posteriors, to which the uniform prior
 * counts as one more. */
DPPAIR_FN_ void dppair_templates_learn_(dppair_templates_ *f, size_t columns) {
  size_t t;
  for (t = 0; t < f->bells * DPPAIR_SPIKES_; t++) {
    f->prior[t] = dppair_log_((f->sum[t] + dppair_exp_(f->base[t])) / (double)(columns + 1));
    f->sum[t] = 0.0;
  }
}

/* --- all columns ------------------------------------------------------------------------------ */

/* What is written: h, and raw and deviation or NULL; sd: of the noise of a share. */
typedef struct dppair_estimates_ {
  dppair_marginals_state_ s;
  dppair_templates_ *f;
  double *h, *raw, *deviation;
  const double *v;
  double n, sd;
} dppair_estimates_;

/* Takes both parts of the workspace from base, and returns the bytes that they use. */
DPPAIR_FN_ size_t dppair_estimates_take_(dppair_estimates_ *e, char *base, size_t marginals) {
  size_t used = marginals;
  e->f = (dppair_templates_ *)dppair_take_(base, &used, 1, sizeof *e->f);
  return used;
}

/* *bytes = the workspace of dppair_marginals_estimate for a query of d columns. Errors zero it:
 * NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_marginals_estimate_workspace(size_t *bytes,
                                                                               size_t d) {
  dppair_estimates_ e;
  dppair_status status = dppair_marginals_workspace(bytes, d);
  if (status != DPPAIR_OK) return status;
  *bytes = dppair_estimates_take_(&e, NULL, *bytes);
  if (*bytes > SIZE_MAX - 64) status = DPPAIR_ERR_OVERFLOW;
  *bytes = status == DPPAIR_OK ? *bytes + 64 : 0; /* the place of the first part moves by that */
  return status;
}

/* The deviation of the noise of column j's shares: by class they are sums of two numbers. */
DPPAIR_FN_ double dppair_estimates_noise_(const dppair_estimates_ *e, size_t j) {
  return e->s.query->columns[j].by_class ? e->sd * dppair_sqrt_(2.0) : e->sd;
}

/* The share that stands at v[at], or of both classes, the second one `block` numbers behind. */
DPPAIR_FN_ double dppair_estimates_share_(const dppair_estimates_ *e, size_t j, size_t at,
                                          size_t block) {
  const double share = e->v[at] / e->n;
  return e->s.query->columns[j].by_class ? share + e->v[at + block] / e->n : share;
}

/* Flags, groups and the label: shares as they are, and held in [0, 1]. */
DPPAIR_FN_ void dppair_estimates_count_(dppair_estimates_ *e, size_t at, double share,
                                        double deviation) {
  e->h[at] = share > 0.0 ? share < 1.0 ? share : 1.0 : 0.0;
  if (e->raw != NULL) e->raw[at] = share;
  if (e->deviation != NULL) e->deviation[at] = deviation;
}

/* Is column k numeric, and of the same cells about zero as the numeric column j? */
DPPAIR_FN_ int dppair_estimates_alike_(const dppair_estimates_ *e, size_t j, size_t k) {
  const dppair_cells *a = &e->s.cells[j], *b = &e->s.cells[k];
  return a->cells == b->cells && a->zero == b->zero;
}

/* A^-1 Y of column j, from y = U'Y, with the deviation of its noise. */
DPPAIR_FN_ void dppair_estimates_raw_(dppair_estimates_ *e, size_t j, const double *y) {
  const dppair_templates_ *f = e->f;
  size_t i, k;
  for (i = 0; i < f->cells; i++) {
    double mass = 0.0, noise = 0.0;
    for (k = 0; k < f->cells; k++) {
      const double u = f->vector[k * f->cells + i] / f->root[k];
      mass += u * y[k];
      noise += u * u;
    }
    if (e->raw != NULL) e->raw[e->s.start[j] + i] = mass;
    if (e->deviation != NULL)
      e->deviation[e->s.start[j] + i] = dppair_estimates_noise_(e, j) * dppair_sqrt_(noise);
  }
}

/* All columns of the same cells as column j, which is the first of them. */
DPPAIR_FN_ dppair_status dppair_estimates_shape_(dppair_estimates_ *e, size_t j, int learn) {
  dppair_templates_ *f = e->f;
  const dppair_marginals *q = e->s.query;
  const size_t m = e->s.cells[j].cells, *start = e->s.start;
  size_t i, k, t, columns = 0;
  int round;
  dppair_status status = dppair_smoothing_units_(f->vector, m, q->smooth, q->width, e->s.room);
  for (i = 0; i < m * m; i++) f->vector[i] /= DPPAIR_SMOOTHING_UNITS_;
  if (!(q->smooth > 0.0))
    for (i = 0; i < m; i++) f->root[i] = 1.0;
  else if (status == DPPAIR_OK)
    status = dppair_eigen_(f->root, f->vector, f->vector, m, e->s.room);
  if (status != DPPAIR_OK) return status;
  if (!(f->root[0] > 1e-3)) return DPPAIR_ERR_DOMAIN;
  f->cells = m;
  dppair_templates_make_(f, &e->s.cells[j]);
  for (k = j; k < q->d; k++)
    if (dppair_estimates_alike_(e, j, k)) {
      for (i = 0; i < m; i++) e->s.a[i] = dppair_estimates_share_(e, k, start[k] + i, m);
      dppair_templates_turn_(e->h + start[k], f, e->s.a, 0);
      columns++;
    }
  memset(f->sum, 0, sizeof f->sum);
  for (round = 0; round < 3 && learn; round++) {
    for (k = j; k < q->d; k++)
      if (dppair_estimates_alike_(e, j, k)) {
        dppair_templates_weigh_(f, e->h + start[k], dppair_estimates_noise_(e, k));
        for (t = 0; t < f->bells * DPPAIR_SPIKES_; t++) f->sum[t] += f->weight[t];
      }
    dppair_templates_learn_(f, columns);
  }
  for (k = j; k < q->d; k++)
    if (dppair_estimates_alike_(e, j, k)) {
      dppair_estimates_raw_(e, k, e->h + start[k]);
      dppair_templates_estimate_(e->h + start[k], f, e->h + start[k],
                                 dppair_estimates_noise_(e, k));
    }
  return DPPAIR_OK;
}

/* All columns, into arrays of zeros. */
DPPAIR_FN_ dppair_status dppair_estimates_make_(dppair_estimates_ *e, int learn) {
  const dppair_marginals *q = e->s.query;
  const double weight = dppair_label_weight(q->label);
  dppair_status status = DPPAIR_OK;
  size_t j, k;
  for (j = 0; j < q->d && status == DPPAIR_OK; j++) {
    if (e->s.cells[j].cells == 0) {
      dppair_estimates_count_(e, e->s.start[j], dppair_estimates_share_(e, j, e->s.start[j], 1),
                              dppair_estimates_noise_(e, j));
      continue;
    }
    for (k = 0; k < j && !dppair_estimates_alike_(e, j, k);) k++;
    if (k == j) status = dppair_estimates_shape_(e, j, learn);
  }
  if (q->label > 0.0)
    dppair_estimates_count_(e, e->s.start[q->d], e->v[e->s.start[q->d]] / e->n / weight,
                            e->sd / weight);
  return status;
}

/*
 * h[0..size) = what the released marginals v say of the shares of n records, laid out as v: of a
 * numeric column a distribution over its cells, of the others a share in [0, 1], at start[d] the
 * share of positives. By class: of all records, in the place of the positives, and 0 in the place
 * of the negatives. raw and deviation, both or either NULL: the same without bias, as noisy as the
 * release (A^-1 v/n), and the deviation of its noise. noise: the deviation of that of each number
 * of v: release->sigma, under Laplace's law sqrt 2 times that. learn: whether columns of the same
 * cells learn from each other, which pays where little is known of each. work: as
 * dppair_marginals_estimate_workspace says.
 *
 * Errors zero h, raw, deviation: those of dppair_marginals_layout; SIZE (size, n = 0); NOT_FINITE
 * (v, noise); DOMAIN (noise < 0; a kernel that hides directions of the counts, smooth = 1 and
 * wide); WORKSPACE; NO_CONVERGENCE; ENVIRONMENT. OVERFLOW does not touch them.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_marginals_estimate(
    double *h, double *raw, double *deviation, const double *v, size_t size,
    const dppair_marginals *query, size_t n, double noise, int learn, void *work, size_t bytes) {
  dppair_estimates_ e;
  size_t needed = 0, marginals = 0;
  dppair_status status = dppair_array_(h, size);
  if (status != DPPAIR_OK) return status;
  if (size > 0) memset(h, 0, size * sizeof *h);
  if (raw != NULL) memset(raw, 0, size * sizeof *raw);
  if (deviation != NULL) memset(deviation, 0, size * sizeof *deviation);
  if (query == NULL || v == NULL || work == NULL) return DPPAIR_ERR_NULL;
  status = dppair_marginals_estimate_workspace(&needed, query->d);
  if (status == DPPAIR_OK && bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK) status = dppair_marginals_workspace(&marginals, query->d);
  if (status == DPPAIR_OK) status = dppair_marginals_open_(&e.s, query, work, marginals);
  if (status == DPPAIR_OK && (size != e.s.start[query->d + 1] || n == 0)) status = DPPAIR_ERR_SIZE;
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(noise) || !dppair_all_finite_f64(v, size)) return DPPAIR_ERR_NOT_FINITE;
  if (!(noise >= 0.0)) return DPPAIR_ERR_DOMAIN;
  (void)dppair_estimates_take_(&e, dppair_align_(work), marginals);
  e.h = h, e.raw = raw, e.deviation = deviation, e.v = v;
  e.n = (double)n;
  e.sd = noise / e.n < 1e9 ? noise / e.n : 1e9; /* a larger one says nothing either */
  status = dppair_estimates_make_(&e, learn);
  if (status == DPPAIR_OK) return status;
  memset(h, 0, size * sizeof *h);
  if (raw != NULL) memset(raw, 0, size * sizeof *raw);
  if (deviation != NULL) memset(deviation, 0, size * sizeof *deviation);
  return status;
}

DPPAIR_FP_END_
/* ---- src/modules/tables/classes.h -----------------------------------------------------------
 * What marginals by class say of the label
 *
 * Free, as estimates are. Of a numeric column counted by class, the probability of a positive is
 * searched as a smooth function of the rank t = 2F - 1 in [-1, 1], F the distribution function,
 *
 *   P(positive | t) = rate + sum_k c_k B_k(t),   B_k Legendre's polynomial of degree k = 1 to 4,
 *
 * of unit variance when t is uniform; neither monotone nor of one shape. With h the distribution
 * over the cells, v/n = A (h P) + noise for positives and A (h (1 - P)) + noise for negatives, so
 *
 *   (1 - rate) v_positive/n - rate v_negative/n = A diag(h) B c + noise,
 *
 * whose deviation is sqrt(rate^2 + (1 - rate)^2) times that of a share: four numbers by least
 * squares, with c_k = 0 +- .2, .2, .1, .05 a priori.
 *
 * Relies on estimate.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

enum { DPPAIR_CLASS_TERMS = 4 };

/* B_degree(t), for degrees 1 to 4. */
DPPAIR_FN_ double dppair_class_term_(size_t degree, double t) {
  switch (degree) {
  case 1:
    return dppair_sqrt_(3.0) * t;
  case 2:
    return dppair_sqrt_(5.0) * (3.0 * t * t - 1.0) / 2.0;
  case 3:
    return dppair_sqrt_(7.0) * (5.0 * t * t - 3.0) * t / 2.0;
  default:
    return 3.0 * ((35.0 * t * t - 30.0) * t * t + 3.0) / 8.0;
  }
}

/* The sum of c[k] B_(k+1)(t) over k < DPPAIR_CLASS_TERMS, at a rank t in [-1, 1]: what the
 * probability of a positive exceeds the rate by. NULL: 0. */
DPPAIR_API double dppair_class_curve(const double *c, double t) {
  double sum = 0.0;
  size_t k;
  for (k = 0; k < DPPAIR_CLASS_TERMS && c != NULL; k++) sum += c[k] * dppair_class_term_(k + 1, t);
  return sum;
}

/* c of one column of m cells. a: the smoothing matrix; e: the left side of the equation, whose
 * noise has deviation sd. */
DPPAIR_FN_ dppair_status dppair_classes_solve_(double *c, const double *a, size_t m,
                                               const double *e, const double *h, double sd) {
  enum { SIZE = DPPAIR_CLASS_TERMS };
  static const double spread[SIZE] = {0.2, 0.2, 0.1, 0.05};
  const double noise = sd * sd > 1e-6 ? sd * sd : 1e-6;
  double g[SIZE * SIZE], column[SIZE][DPPAIR_CELLS_MOST], below;
  size_t i, j, k, t;
  dppair_status status;
  for (i = 0; i < SIZE; i++) {
    memset(column[i], 0, sizeof column[i]);
    for (below = 0.0, k = 0; k < m; below += h[k++])
      for (t = 0; t < m; t++)
        column[i][t] += a[t * m + k] * h[k] * dppair_class_term_(i + 1, 2 * (below + h[k] / 2) - 1);
    for (c[i] = 0.0, k = 0; k < m; k++) c[i] += column[i][k] * e[k];
    for (j = 0; j <= i; j++)
      for (g[i * SIZE + j] = 0.0, k = 0; k < m; k++) g[i * SIZE + j] += column[i][k] * column[j][k];
    g[i * SIZE + i] += noise / (spread[i] * spread[i]);
  }
  status = dppair_cholesky_f64(g, SIZE);
  if (status == DPPAIR_OK) dppair_cholesky_solve_f64(c, g, SIZE);
  if (status != DPPAIR_OK) return status;
  return dppair_all_finite_f64(c, SIZE) ? DPPAIR_OK : DPPAIR_ERR_NOT_FINITE;
}

/* All columns that still have cells, those of one number after each other: they share a matrix. sd:
 * of the noise of a share v/n. */
DPPAIR_FN_ dppair_status dppair_classes_make_(double *c, const dppair_marginals_state_ *s,
                                              const double *v, const double *h, double n, double sd,
                                              double rate) {
  double e[DPPAIR_CELLS_MOST];
  size_t i, j, m = 0;
  dppair_status status = DPPAIR_OK;
  sd *= dppair_sqrt_(rate * rate + (1.0 - rate) * (1.0 - rate));
  while (status == DPPAIR_OK && (status = dppair_marginals_next_(&m, s)) == DPPAIR_OK && m > 0) {
    for (i = 0; i < m * m; i++) s->a[i] /= DPPAIR_SMOOTHING_UNITS_;
    for (j = 0; j < s->query->d && status == DPPAIR_OK; j++) {
      const double *at = v + s->start[j];
      if (s->cells[j].cells != m) continue;
      for (i = 0; i < m; i++) e[i] = (1.0 - rate) * (at[i] / n) - rate * (at[m + i] / n);
      status = dppair_classes_solve_(c + j * DPPAIR_CLASS_TERMS, s->a, m, e, h + s->start[j], sd);
    }
  }
  return status;
}

/*
 * c[d * DPPAIR_CLASS_TERMS]: of each numeric column counted by class, c_1 to c_4 of the head of
 * this chapter, which dppair_class_curve reads; 0 of all other columns. v, size, query, n, noise:
 * as for dppair_marginals_estimate, which made h; rate: the share of positives, in [0, 1], or an
 * estimate of it. work: as dppair_marginals_workspace says.
 *
 * Errors zero c: those of dppair_marginals_layout; SIZE (size, n = 0); NOT_FINITE (v, h, noise,
 * rate, or numbers so large that c is not); DOMAIN (noise < 0, rate); WORKSPACE; NO_CONVERGENCE;
 * ENVIRONMENT. OVERFLOW does not touch it.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_marginals_classes(
    double *c, const double *v, const double *h, size_t size, const dppair_marginals *query,
    size_t n, double noise, double rate, void *work, size_t bytes) {
  dppair_marginals_state_ s;
  size_t j, d = query != NULL ? query->d : 0;
  dppair_status status = DPPAIR_OK;
  if (d > SIZE_MAX / (DPPAIR_CLASS_TERMS * sizeof *c)) return DPPAIR_ERR_OVERFLOW;
  if (c == NULL || query == NULL) return DPPAIR_ERR_NULL;
  d *= DPPAIR_CLASS_TERMS;
  if (d > 0) memset(c, 0, d * sizeof *c);
  if (v == NULL || h == NULL) return DPPAIR_ERR_NULL;
  status = dppair_marginals_open_(&s, query, work, bytes);
  if (status != DPPAIR_OK) return status;
  if (size != s.start[query->d + 1] || n == 0) return DPPAIR_ERR_SIZE;
  if (!dppair_isfinite_f64(noise) || !dppair_isfinite_f64(rate) ||
      !dppair_all_finite_f64(v, size) || !dppair_all_finite_f64(h, size))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(noise >= 0.0) || !(rate >= 0.0 && rate <= 1.0)) return DPPAIR_ERR_DOMAIN;
  for (j = 0; j < query->d; j++)
    if (!query->columns[j].by_class) s.cells[j].cells = 0;
  noise /= (double)n;
  status = dppair_classes_make_(c, &s, v, h, (double)n, noise < 1e9 ? noise : 1e9, rate);
  if (status != DPPAIR_OK && d > 0) memset(c, 0, d * sizeof *c);
  return status;
}

DPPAIR_FP_END_
/* ---- src/modules/tables/shrinkage.h ---------------------------------------------------------
 * Shrinkage: a released vector, drawn to 0 by as much as it may be noise
 *
 * Free: it reads what was released and the public deviation of its noise. w_i = what was meant plus
 * noise of deviation sd_i; square_i is what a unit of w_i^2 is worth (for weights of a score, the
 * second moment of the feature), so that entries of different scales can be told together:
 *
 *   a_i = square_i w_i^2,   s_i = square_i sd_i^2
 *
 * dppair_shrink_f64: w_i/(1 + (sd_i/w_i)^2), of one entry by itself; entries of a group together
 * by the factor of James and Stein, (1 - sum s/sum a)+.
 *
 * dppair_shrink_sparse_f64: where most of many entries may mean nothing. What was meant is 0 with
 * probability 1 - p, else normal of variance t/square_i; p and t by 20 steps of EM with two
 * entries' worth of a prior (p one half, t the mean of a less s), and every entry becomes its
 * posterior mean, r_i t/(t + s_i) w_i with r_i the probability that it means something.
 *
 * Relies on core/.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Public checks of both. */
DPPAIR_FN_ dppair_status dppair_shrink_check_(const double *w, const double *sd,
                                              const double *square, size_t n) {
  size_t i;
  if (n == 0) return DPPAIR_OK;
  if (n > SIZE_MAX / sizeof *w) return DPPAIR_ERR_OVERFLOW;
  if (w == NULL || sd == NULL || square == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_all_finite_f64(w, n) || !dppair_all_finite_f64(sd, n) ||
      !dppair_all_finite_f64(square, n))
    return DPPAIR_ERR_NOT_FINITE;
  for (i = 0; i < n; i++)
    if (!(sd[i] >= 0.0 && square[i] >= 0.0)) return DPPAIR_ERR_DOMAIN;
  return DPPAIR_OK;
}

/* The probability that an entry means something. */
DPPAIR_FN_ double dppair_shrink_meant_(double p, double t, double a, double s) {
  const double keep = t / (t + s);
  const double wide = keep < 1.0 ? dppair_log1p_(-keep) : dppair_log_(s / t); /* log s/(t + s) */
  const double odds = dppair_log_(p / (1.0 - p)) + 0.5 * wide + a / 2.0 * (keep / s);
  return 1.0 / (1.0 + dppair_exp_(-odds));
}

/*
 * w[n] becomes its posterior means under a prior of which p and t are learned from it. sd[n],
 * square[n]: >= 0; an entry whose s is 0 stays, and nothing is learned from it. It pays from some
 * 20 entries on.
 *
 * Errors: NULL; NOT_FINITE; DOMAIN (sd or square below 0, sums of a or s of 1e200 and more);
 * OVERFLOW. They leave w as it is.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_shrink_sparse_f64(double *w, const double *sd,
                                                                    const double *square,
                                                                    size_t n) {
  const double least = 1e-300; /* less is 0 */
  double p = 0.5, t = 0.0, noise = 0.0, base, many = 0.0;
  size_t i;
  int round;
  const dppair_status status = dppair_shrink_check_(w, sd, square, n);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < n; i++) {
    if (!(square[i] * sd[i] * sd[i] > least)) continue;
    t += square[i] * dppair_fmax_(0.0, w[i] * w[i] - sd[i] * sd[i]);
    noise += square[i] * sd[i] * sd[i];
    many += 1.0;
  }
  if (!(noise < 1e200 && t < 1e200)) return DPPAIR_ERR_DOMAIN;
  if (!(noise > 0.0)) return DPPAIR_OK;
  base = t = dppair_fmax_(t, noise) / many;
  for (round = 0; round <= 20; round++) {
    double useful = 1.0, all = 2.0, sum = 2.0 * base, weight = 2.0;
    for (i = 0; i < n; i++) {
      const double s = square[i] * sd[i] * sd[i], a = square[i] * w[i] * w[i], keep = t / (t + s);
      double r;
      if (!(s > least)) continue;
      r = dppair_shrink_meant_(p, t, a, s);
      if (round == 20) w[i] *= r * keep;
      useful += r;
      all += 1.0;
      sum += r * (a * keep * keep + keep * s);
      weight += r;
    }
    p = dppair_fmin_(0.999, dppair_fmax_(1e-6, useful / all));
    t = sum / weight;
  }
  return DPPAIR_OK;
}

/* *bytes = the workspace of dppair_shrink_f64 for n entries. Errors zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_shrink_workspace(size_t *bytes, size_t n) {
  return dppair_work_bytes_(bytes, n > SIZE_MAX / 4 ? SIZE_MAX : 2 * n + 2);
}

/*
 * w[n] is drawn to 0, each entry by its own noise and those of a group together. sd[n], square[n]:
 * >= 0. group[n]: the number of an entry's group, 0 to n, SIZE_MAX where it is of none; NULL: no
 * groups. work: as dppair_shrink_workspace says.
 *
 * Errors: NULL; NOT_FINITE; DOMAIN (sd or square below 0); SIZE (a group above n); WORKSPACE;
 * OVERFLOW. They leave w as it is.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_shrink_f64(double *w, const double *sd,
                                                             const double *square,
                                                             const size_t *group, size_t n,
                                                             void *work, size_t bytes) {
  double *noise = NULL, *signal;
  size_t i;
  dppair_status status = dppair_shrink_check_(w, sd, square, n);
  for (i = 0; status == DPPAIR_OK && group != NULL && i < n; i++)
    if (group[i] > n && group[i] < SIZE_MAX) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK)
    status = dppair_work_(&noise, 2 * n + 2, work, bytes);
  if (status != DPPAIR_OK) return status;
  signal = noise + n + 1;
  memset(noise, 0, (2 * n + 2) * sizeof *noise);
  for (i = 0; i < n && group != NULL; i++)
    if (group[i] <= n) {
      noise[group[i]] += square[i] * sd[i] * sd[i];
      signal[group[i]] += square[i] * w[i] * w[i];
    }
  for (i = 0; i < n; i++) {
    const size_t g = group != NULL ? group[i] : SIZE_MAX;
    const double ratio = dppair_fabs_(w[i]) > 0.0 ? sd[i] / w[i] : HUGE_VAL;
    double keep = 1.0;
    if (g <= n && noise[g] > 0.0) keep = signal[g] > noise[g] ? 1.0 - noise[g] / signal[g] : 0.0;
    w[i] = keep * (w[i] / (1.0 + ratio * ratio));
  }
  return DPPAIR_OK;
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

#endif /* DPPAIR_TABLES_H */
#endif /* DPPAIR_DECLARE_ONLY */
