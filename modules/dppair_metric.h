/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_metric.h - metrics, similarities and listed pairs of an instance (version 0.1.0)
 *
 *   A metric W or a similarity is learned from all pairs of records: its margin is a form of two
 *   rows, (x - x')^T W (x - x') or x^T W x', and the label of a pair says whether its records are
 *   of one class. Listed pairs are those that the caller names: a matching, triplets' halves.
 *
 *     #include "dppair_noise.h"                for releases, as is dppair_accountant.h
 *     #include "dppair_accountant.h"
 *     #include "dppair_metric.h"               before the instances that have it; includes the losses
 *     #define DPPAIR_NAME pull
 *     #define DPPAIR_REAL double
 *     #define DPPAIR_LOSS dppair_logistic
 *     #include "dppair.h"
 *
 *     rows.y = labels;                         two records of one label are pulled together
 *     if (pull_form_workspace(&bytes, n, d, k, &options) != DPPAIR_OK) return 1;
 *     if (pull_form_gradient(g, DPPAIR_FORM_FACTOR, &rows, l, k, 1.0, &options) != DPPAIR_OK) return 1;
 *     if (pull_release_form(g, &release, DPPAIR_FORM_FACTOR, &rows, l, k, 1.0, &options) != DPPAIR_OK)
 *       return 1;                              the same with a plan's noise: g may be published
 *
 * FUNCTIONS, for DPPAIR_NAME = pull
 *   forms           pull_form_workspace, pull_form_gradient, pull_form_risk_not_private: metrics,
 *                   metrics L L^T of low rank, similarities; pull_form_error: rounding
 *   sensitivity     pull_form_sensitivity: how far one record moves such a gradient
 *   releases        pull_release_form: with noise; if all four headers are there
 *   listed pairs    pull_pairs_workspace, pull_pairs_gradient: of a linear score; pull_form_pairs: of
 *                   a metric. pull_release_vector releases them
 *   in blocks       dppair_ring: all pairs of records that are never in one place, block by block,
 *                   in any process: pull_form_block, _block_workspace, pull_form_sum_open,
 *                   _sum_sensitivity, pull_release_form_sum; dppair_ring_blocks, _rows
 *
 * Errors. Outputs are zeroed. Instances of a row-wise loss have none of these functions. An
 * instance that came before this header has none of them: one #error says so.
 *
 * Formulas and proofs: heads of modules/metric/template.h, sensitivity.h and blocks.h, below.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     82  modules/metric/form_state.h        State of the forms
 *    370  modules/metric/listed_state.h      State of listed pairs
 *    471  modules/metric/form_kernels.h      The forms: all pairs i < j of one set of records
 *    843  modules/metric/listed.h            Gradients of listed pairs
 *   1153  modules/metric/template.h          Forms and listed pairs: the functions of an instance
 *           NAME_form_workspace NAME_form_gradient NAME_form_risk_not_private NAME_pairs_workspace
 *           NAME_pairs_gradient NAME_form_pairs NAME_form_error
 *   1411  modules/metric/sensitivity.h       The sensitivity of an instance's gradients of forms
 *           NAME_form_sensitivity
 *   1505  modules/metric/blocks.h            Forms in blocks of rows
 *           NAME_form_block_workspace NAME_form_sum_open NAME_form_block NAME_form_sum_sensitivity
 *   1802  core/quick.h                       What is compiled soon rather than fast: it begins
 *   1824  modules/metric/release.h           Releases of an instance's forms
 *           NAME_release_form
 *   1935  modules/metric/release_blocks.h    The release of a form that was summed in blocks
 *           NAME_release_form_sum
 *   1998  core/quick_end.h                   What is compiled soon rather than fast: it ends
 *   2024  core/freestanding.h                Without a C library: names for the time of one include
 *   2073  modules/metric/names.h             Names of forms and listed pairs: as simd/names.h
 *   2161  modules/metric/shared.h            Forms
 *           dppair_ring_blocks dppair_ring_rows
 *   2307  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_DECLARE_METRIC_
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#else

#ifndef DPPAIR_METRIC_SELF
#define DPPAIR_METRIC_SELF "dppair_metric.h"
#endif

#ifdef DPPAIR_MODULE_METRIC_
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_ && DPT_DENSE /* of an instance */

#if DPPAIR_STAGE_ == DPPAIR_STAGE_STATES_
/* ---- src/modules/metric/form_state.h --------------------------------------------------------
 * State of the forms
 *
 * Metrics and similarities over all pairs of one set of records: the arguments, the workspace and
 * the bounds that decide about clipping. It relies on shared.h and widths.h; form_kernels.h
 * computes.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* What the caller of a form asks for: all pairs of rows, or where there are others, of a row and
 * one of those. A risk has no clip and one part, whatever the options say. */
typedef struct DPPAIR_NAME_form_ {
  dppair_form kind;
  const DPPAIR_ROWS_ *rows, *others;
  const double *w;
  size_t k;
  double offset, clip;
  size_t parts;
  const dppair_options *options;
} DPPAIR_NAME_form_;

/* The state of a form, in the caller's workspace. */
typedef struct DPPAIR_NAME_tiles_ {
  dppair_form kind;
  const double *params;
  size_t n, d, k;       /* k: length of the inner products; columns of the result */
  size_t first, from;   /* others: the rows before them, the place of the first one. Else 0, 0 */
  size_t blocks, width; /* of DPT_W records; k rounded up to whole kernels */
  DPPAIR_REAL offset, limit;
  int clipped, scaled; /* scaled: rows have factors, or are narrow */
  /* weights of records, or NULL; the places of users, or NULL, and room for their weights */
  const double *share;
  const dppair_groups *across;
  double *own;
  double size; /* a norm of W */
  /* the rows whose sums P holds, push_ld apart: zr, or the caller's */
  const DPPAIR_REAL *push;
  size_t push_ld;
  /* read-only after preparation: packed blocks [blocks][d or k][DPT_W], then numbers per record */
  DPPAIR_REAL *xt, *left, *right, *zr, *w, *hl, *hr, *y, *norm2, *normz;
  double *reach, *reachz; /* largest norm of a block */
  /* scratch of one part, times the number of parts, and each part's result */
  size_t parts;
  DPPAIR_REAL *tile, *dot, *dotz;
  double *p, *row, *col, *h, *xd, *g, *out;
} DPPAIR_NAME_tiles_;

/* Sets the arrays to their places in the workspace at base (NULL: to NULL) and returns the bytes
 * used, 64 of them for alignment; SIZE_MAX on overflow. */
DPPAIR_OUT_OF_LINE_ size_t DPPAIR_NAME_tiles_layout_(DPPAIR_NAME_tiles_ *t, char *base) {
  const size_t real = sizeof(DPPAIR_REAL), f64 = sizeof(double);
  const size_t padded = dppair_area_(t->blocks, DPT_W), factor = t->kind == DPPAIR_FORM_FACTOR;
  const size_t clipped = t->clipped != 0, c = clipped ? padded : 0;
  const int own = t->across || t->from > 0;
  size_t used = 0;
#define DPT_TAKE(field, a, b, size, type)                                                          \
  t->field = (type *)dppair_take_(base, &used, dppair_area_(a, b), size)
  DPT_TAKE(xt, padded, t->d, real, DPPAIR_REAL);
  DPT_TAKE(left, padded, t->k, real, DPPAIR_REAL);
  DPT_TAKE(right, factor ? padded : 0, t->k, real, DPPAIR_REAL);
  DPT_TAKE(zr, factor || t->scaled ? padded : 0, t->k, real, DPPAIR_REAL);
  DPT_TAKE(w, t->d, t->k, real, DPPAIR_REAL);
  DPT_TAKE(hl, padded, 1, real, DPPAIR_REAL);
  DPT_TAKE(hr, padded, 1, real, DPPAIR_REAL);
  DPT_TAKE(y, padded, 1, real, DPPAIR_REAL);
  DPT_TAKE(norm2, c, 1, real, DPPAIR_REAL);
  DPT_TAKE(normz, c, factor, real, DPPAIR_REAL);
  DPT_TAKE(reach, t->blocks, clipped, f64, double);
  DPT_TAKE(reachz, t->blocks, clipped, f64, double);
  DPT_TAKE(own, own ? padded : 0, 1, f64, double);
  DPT_TAKE(tile, t->parts, DPPAIR_TILE_ * DPT_W, real, DPPAIR_REAL);
  DPT_TAKE(dot, t->parts, DPT_W * DPT_W * clipped, real, DPPAIR_REAL);
  DPT_TAKE(dotz, t->parts, DPT_W * DPT_W * clipped * factor, real, DPPAIR_REAL);
  DPT_TAKE(p, t->parts, dppair_area_(t->k, DPT_W), f64, double);
  DPT_TAKE(row, t->parts, DPT_W, f64, double);
  DPT_TAKE(col, t->parts, dppair_area_(padded, 8), f64, double);
  DPT_TAKE(h, t->parts, dppair_area_(t->width, DPT_W), f64, double);
  DPT_TAKE(xd, t->parts, dppair_area_(t->d, DPT_W), f64, double);
  DPT_TAKE(g, t->parts, dppair_area_(t->d, t->width), f64, double);
  DPT_TAKE(out, t->parts, dppair_area_(t->d, t->k), f64, double);
#undef DPT_TAKE
  if (!factor) t->right = t->xt;
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* Clears *t and sets its sizes; returns the bytes of workspace, SIZE_MAX on overflow. Those of a
 * factor L are enough for every form, with factors of rows or without. from: others begin there.
 * across: the users, or NULL. */
DPPAIR_FN_ size_t DPPAIR_NAME_tiles_sizes_(DPPAIR_NAME_tiles_ *t, dppair_form kind, size_t blocks,
                                           size_t from, size_t d, size_t k, size_t parts,
                                           int clipped, int scaled, const dppair_groups *across) {
  memset(t, 0, sizeof *t);
  t->kind = kind;
  t->d = d;
  t->k = k;
  t->parts = parts;
  t->blocks = blocks;
  t->from = from;
  t->width = dppair_whole_kernels_(k);
  t->clipped = clipped;
  t->scaled = scaled;
  t->across = across;
  return DPPAIR_NAME_tiles_layout_(t, NULL);
}

/* Clears *t and lays out the caller's workspace for so many blocks of records, and the others. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_tiles_begin_(DPPAIR_NAME_tiles_ *t,
                                                                    const DPPAIR_NAME_form_ *q,
                                                                    size_t blocks) {
  const DPPAIR_ROWS_ *rows = q->rows;
  const size_t from = q->others ? blocks * DPT_W : 0;
  const size_t all = blocks + (q->others ? DPT_BLOCKS(q->others->n) : 0);
  const size_t total =
      DPPAIR_NAME_tiles_sizes_(t, q->kind, all, from, rows->d, q->k, q->parts, q->clip > 0.0,
                               rows->factor || q->others || DPT_NARROW, q->options->groups);
  if (total == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if (!q->options->work) return DPPAIR_ERR_NULL;
  if (q->options->bytes < total) return DPPAIR_ERR_WORKSPACE;
  (void)DPPAIR_NAME_tiles_layout_(t, dppair_align_(q->options->work));
  t->first = q->others ? rows->n : 0;
  t->n = q->others ? from + q->others->n : rows->n;
  t->share = rows->weight;
  t->params = q->options->params;
  if (q->kind == DPPAIR_FORM_FACTOR || t->scaled) {
    t->push = t->zr;
    t->push_ld = t->k;
  } else {
    t->push = (const DPPAIR_REAL *)(const void *)rows->x;
    t->push_ld = rows->ld;
  }
  return DPPAIR_OK;
}

/* *t with the scratch of one part only. */
DPPAIR_FN_ DPPAIR_NAME_tiles_ DPPAIR_NAME_tiles_part_(const DPPAIR_NAME_tiles_ *all, size_t part) {
  const size_t square = all->clipped ? DPT_W * DPT_W : 0;
  DPPAIR_NAME_tiles_ t = *all;
  t.tile += part * DPPAIR_TILE_ * DPT_W;
  t.dot += part * square;
  t.dotz += part * (t.kind == DPPAIR_FORM_FACTOR ? square : 0);
  t.p += part * t.k * DPT_W;
  t.row += part * DPT_W;
  t.col += part * t.blocks * DPT_W * 8;
  t.h += part * t.width * DPT_W;
  t.xd += part * t.d * DPT_W;
  t.g += part * t.d * t.width;
  t.out += part * t.d * t.k;
  return t;
}

/* The first strip of a part. Parts have about equal areas of the triangle of pairs; a factor's
 * strips are a square, in which all are equal. */
DPPAIR_FN_ size_t DPPAIR_NAME_tiles_first_(const DPPAIR_NAME_tiles_ *t, size_t part) {
  const double all = 0.5 * (double)t->blocks * ((double)t->blocks + 1.0);
  const double before = all * ((double)part / (double)t->parts);
  size_t b = 0;
  double area = 0.0;
  if (t->kind == DPPAIR_FORM_FACTOR || part == t->parts)
    return dppair_part_begin_(t->blocks, part, t->parts);
  for (; b < t->blocks && area < before; b++) area += (double)(t->blocks - b);
  return b;
}

/* An upper bound of the norms of the pair gradients of weight 1 between blocks a and b. */
DPPAIR_FN_ double DPPAIR_NAME_tiles_reach_(const DPPAIR_NAME_tiles_ *t, size_t a, size_t b) {
  if (t->kind == DPPAIR_FORM_SIMILARITY) return t->reach[a] * t->reach[b];
  if (t->kind == DPPAIR_FORM_METRIC)
    return (t->reach[a] + t->reach[b]) * (t->reach[a] + t->reach[b]);
  return 2.0 * (t->reach[a] + t->reach[b]) * (t->reachz[a] + t->reachz[b]);
}

/* t->w = the symmetric part of W, in the type of the kernels. */
DPPAIR_FN_ void DPPAIR_NAME_tiles_symmetric_(const DPPAIR_NAME_tiles_ *t, const double *w) {
  for (size_t f = 0; f < t->d; f++)
    for (size_t g = 0; g < t->d; g++)
      t->w[f * t->d + g] = (DPPAIR_REAL)(0.5 * w[f * t->d + g] + 0.5 * w[g * t->d + f]);
}

/* Whether margins, norms and distances stay below DPT_ROOM if no |x| exceeds `largest`. */
DPPAIR_FN_ int DPPAIR_NAME_tiles_fits_(const DPPAIR_NAME_tiles_ *t, double largest) {
  const double x = (double)t->d * (largest > 1.0 ? largest : 1.0) * (largest > 1.0 ? largest : 1.0);
  const double w = t->size > 1.0 ? t->size : 1.0;
  return x * w + dppair_fabs_((double)t->offset) <= DPT_ROOM;
}

/* Checks the arguments of a form without reading an array. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_tiles_check_(const DPPAIR_NAME_form_ *q) {
  const DPPAIR_ROWS_ *rows = q->rows;
  const int factor = q->kind == DPPAIR_FORM_FACTOR;
  if ((rows->n < 2 && !q->others) || rows->d < 1 || q->k < 1 || rows->ld < rows->d ||
      q->parts < 1 || q->parts > DPPAIR_FORM_PARTS_)
    return DPPAIR_ERR_SIZE;
  if (dppair_area_(dppair_area_(rows->n, rows->ld), sizeof(double)) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  if (!factor && (q->kind > DPPAIR_FORM_SIMILARITY || q->k != rows->d)) return DPPAIR_ERR_DOMAIN;
  if (!rows->x || !rows->y || !q->w) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(q->offset)) return DPPAIR_ERR_NOT_FINITE;
  return dppair_clip_check_(q->options);
}

/* Checks W or L, the offset and the bound of the rows, and writes them and the clip to the state;
 * reads no record. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_tiles_fill_(DPPAIR_NAME_tiles_ *t, const DPPAIR_NAME_form_ *q) {
  const int factor = q->kind == DPPAIR_FORM_FACTOR;
  const size_t size = t->d * t->k;
  if (!dppair_all_finite_f64(q->w, size)) return DPPAIR_ERR_NOT_FINITE;
  t->size = dppair_norm_f64(q->w, size);
  if (factor) t->size *= t->size;
  if (!(t->size + dppair_fabs_(q->offset) <= DPT_ROOM)) return DPPAIR_ERR_OVERFLOW;
  if (DPT_TOO_LONG(t->d > t->k ? t->d : t->k)) return DPPAIR_ERR_SIZE;
  t->limit = DPPAIR_NAME_tiles_limit_(q->clip);
  t->offset = (DPPAIR_REAL)q->offset;
  if (!factor) DPPAIR_NAME_tiles_symmetric_(t, q->w);
  for (size_t e = 0; factor && e < size; e++) t->w[e] = (DPPAIR_REAL)q->w[e];
  return DPPAIR_NAME_tiles_fits_(t, q->rows->radius) ? DPPAIR_OK : DPPAIR_ERR_OVERFLOW;
}

/* Writes labels, and rows times their factors, from place `at` to the end of a block. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_rows_(DPPAIR_NAME_tiles_ *t, const DPPAIR_ROWS_ *rows,
                                                 size_t at) {
  const size_t end = DPT_BLOCKS(rows->n) * DPT_W;
  const int copied = t->scaled && t->kind != DPPAIR_FORM_FACTOR;
  for (size_t i = 0; i < end; i++) t->y[at + i] = i < rows->n ? DPT_LABEL(rows->y[i]) : 0;
  DPPAIR_NAME_tiles_pack_(t->xt + at * t->d, rows->x, rows->n, rows->d, rows->ld, rows->factor);
  for (size_t i = 0; copied && i < rows->n; i++)
    DPPAIR_NAME_scaled_row_(t->zr + (at + i) * t->d, 1, rows->x + i * rows->ld, t->d,
                            rows->factor ? rows->factor[i] : 1.0);
  if (copied) memset(t->zr + (at + rows->n) * t->d, 0, (end - rows->n) * t->d * sizeof *t->zr);
}

/* Both blocks of records, if there are others, and the weights of both (NULL: all 1). */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_fetch_(DPPAIR_NAME_tiles_ *t,
                                                  const DPPAIR_NAME_form_ *q) {
  const DPPAIR_ROWS_ *a = q->rows, *b = q->others;
  DPPAIR_NAME_tiles_rows_(t, a, 0);
  if (!b) return;
  if (a->weight || b->weight) {
    for (size_t i = 0; i < t->from; i++)
      t->own[i] = i >= a->n ? 0.0 : a->weight ? a->weight[i] : 1.0;
    for (size_t i = 0; i < b->n; i++) t->own[t->from + i] = b->weight ? b->weight[i] : 1.0;
    t->share = t->own;
  }
  DPPAIR_NAME_tiles_rows_(t, b, t->from);
}

/* Whether weights, and users, are computed with: queries come one by one, without groups. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_tiles_alike_(const DPPAIR_NAME_form_ *q) {
  const dppair_groups *g = q->options->groups;
  if (dppair_all_alike_(q->rows->weight, q->options) == DPPAIR_OK) return DPPAIR_OK;
  if (!DPPAIR_WEIGHTS || q->clip > 0.0 || (g && g->relation == DPPAIR_WITHIN))
    return DPPAIR_ERR_NO_PROOF;
  return g ? dppair_groups_check_(g, DPT_PRESENT(q->rows).n, 0, 1) : DPPAIR_OK;
}

/* Zeroes out[0..count), checks the arguments and prepares *t, of the records that are there, but
 * for what the tier's kernel computes (NAME_tiles_prepare). OVERFLOW, out untouched, for a count
 * beyond any memory. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_tiles_open_(
    DPPAIR_NAME_tiles_ *t, double *out, size_t count, const DPPAIR_NAME_form_ *q) {
  DPPAIR_NAME_form_ there;
  DPPAIR_ROWS_ some[2];
  dppair_status status;
  if (!out) return DPPAIR_ERR_NULL;
  if (count > SIZE_MAX / sizeof *out) return DPPAIR_ERR_OVERFLOW;
  memset(out, 0, count * sizeof *out);
  if (!q->options) return DPPAIR_ERR_NULL;
  status = dppair_environment_check();
  if (status == DPPAIR_OK) status = DPPAIR_NAME_tiles_alike_(q);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_tiles_check_(q);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_there_(some, q->rows, q->others);
  if (status != DPPAIR_OK) return status;
  there = *q;
  there.rows = some;
  there.others = q->others ? some + 1 : NULL;
  status = DPPAIR_NAME_tiles_begin_(t, &there, DPT_BLOCKS(some->n));
  if (status == DPPAIR_OK) status = DPPAIR_NAME_tiles_fill_(t, &there);
  if (status == DPPAIR_OK && t->across) {
    dppair_group_weights_(t->own, t->share, t->across, t->n);
    t->share = t->own;
  }
  if (status == DPPAIR_OK) DPPAIR_NAME_tiles_fetch_(t, &there);
  return status;
}

DPPAIR_FP_END_
/* ---- src/modules/metric/listed_state.h ------------------------------------------------------
 * State of listed pairs
 *
 * Their arguments and workspace: of linear scores, and of a metric. It relies on form_state.h;
 * listed.h computes.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The workspace of NAME_pairs_gradient: the sum and w, padded to whole vectors, and the scaled rows
 * of as many pairs as a vector has lanes. */
typedef struct DPPAIR_NAME_list_ {
  double *sum;
  DPPAIR_REAL *w, *rows;
} DPPAIR_NAME_list_;

/* Sets the arrays to their places in the workspace at base (NULL: to NULL) and returns the bytes
 * used, 64 of them for alignment; SIZE_MAX on overflow. */
DPPAIR_FN_ size_t DPPAIR_NAME_list_layout_(DPPAIR_NAME_list_ *t, char *base, size_t d) {
  const size_t real = sizeof(DPPAIR_REAL), padded = d > SIZE_MAX - 16 ? SIZE_MAX : d + 16;
  size_t used = 0;
  t->sum = (double *)dppair_take_(base, &used, padded, sizeof(double));
  t->w = (DPPAIR_REAL *)dppair_take_(base, &used, padded, real);
  t->rows = (DPPAIR_REAL *)dppair_take_(base, &used, dppair_area_(2 * DPT_W / 3, d), real);
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* The list of the arguments of NAME_pairs_gradient and NAME_form_pairs. */
DPPAIR_FN_ dppair_listed_ DPPAIR_NAME_list_of_(const DPPAIR_ROWS_ *a, const DPPAIR_ROWS_ *b,
                                               const size_t *i, const size_t *j,
                                               const double *weight, size_t m) {
  dppair_listed_ listed;
  listed.xa = a->x;
  listed.xb = b->x;
  listed.na = a->n;
  listed.nb = b->n;
  listed.d = a->d;
  listed.lda = a->ld;
  listed.ldb = b->ld;
  listed.i = i;
  listed.j = j;
  listed.weight = weight;
  listed.m = m;
  listed.up = a->n - a->nulls; /* more than n where nulls are: SIZE */
  listed.down = b->n - b->nulls;
  listed.nulls = a->nulls > 0 || b->nulls > 0;
  return listed;
}

/* Zeroes g[0..d), checks the arguments of NAME_pairs_gradient and lays out *t. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_list_open_(
    DPPAIR_NAME_list_ *t, double *g, const DPPAIR_ROWS_ *a, const DPPAIR_ROWS_ *b,
    const DPPAIR_REAL *w, const size_t *i, const size_t *j, const double *weight, size_t m,
    const dppair_options *options) {
  dppair_listed_ listed;
  double radius;
  dppair_status status;
  if (!a || !b) return DPPAIR_ERR_NULL;
  listed = DPPAIR_NAME_list_of_(a, b, i, j, weight, m);
  status =
      dppair_pairs_check_(g, a->d, &listed, w, options, DPPAIR_NAME_list_layout_(t, NULL, a->d));
  if (status != DPPAIR_OK) return status;
  if (b->d != a->d) return DPPAIR_ERR_SIZE;
  if (b->weight || dppair_all_alike_(a->weight, options) != DPPAIR_OK) return DPPAIR_ERR_NO_PROOF;
  radius = a->radius > b->radius ? a->radius : b->radius;
  status = DPT_REACH(w, a->d, radius);
  if (status != DPPAIR_OK) return status;
  /* a distance's square is at most 4 radius^2 */
  if (!(5.0 * radius * radius <= DPT_ROOM)) return DPPAIR_ERR_OVERFLOW;
  (void)DPPAIR_NAME_list_layout_(t, dppair_align_(options->work), a->d);
  memset(t->sum, 0, (a->d + 16) * sizeof *t->sum);
  memset(t->w, 0, (a->d + 16) * sizeof *t->w);
  memcpy(t->w, w, a->d * sizeof *w);
  return DPPAIR_OK;
}

/* Zeroes g, checks the arguments of NAME_form_pairs and prepares *t for blocks of DPT_W listed
 * pairs of a metric; no row is read here. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_tiles_open_pairs_(
    DPPAIR_NAME_tiles_ *t, double *g, const DPPAIR_NAME_form_ *q, const dppair_listed_ *listed) {
  const size_t size = dppair_area_(q->k, q->k);
  dppair_status status = dppair_pairs_check_(g, size, listed, q->w, q->options, 0);
  if (status == DPPAIR_OK) status = dppair_all_alike_(q->rows->weight, q->options);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_tiles_begin_(t, q, 1);
  if (status != DPPAIR_OK) return status;
  if (!q->rows->y && q->rows->n) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(q->offset) || !dppair_all_finite_f64(q->w, size))
    return DPPAIR_ERR_NOT_FINITE;
  t->size = dppair_norm_f64(q->w, size);
  if (!(t->size + dppair_fabs_(q->offset) <= DPT_ROOM)) return DPPAIR_ERR_OVERFLOW;
  if (DPT_TOO_LONG(t->d)) return DPPAIR_ERR_SIZE;
  t->limit = DPPAIR_NAME_tiles_limit_(q->clip);
  t->offset = (DPPAIR_REAL)q->offset;
  if (!DPPAIR_NAME_tiles_fits_(t, q->rows->radius)) return DPPAIR_ERR_OVERFLOW;
  DPPAIR_NAME_tiles_symmetric_(t, q->w);
  return DPPAIR_OK;
}

DPPAIR_FP_END_

#elif DPPAIR_STAGE_ == DPPAIR_STAGE_BODIES_
/* ---- src/modules/metric/form_kernels.h ------------------------------------------------------
 * The forms: all pairs i < j of one set of records
 *
 * For one instance and tier. It relies on form_state.h, and on multiply.h for products.
 *
 * Margins are u = tau t, tau = 1 for equal labels and -1 for others, with t = b - (x-x')^T W (x-x')
 * or x^T W x' - b. Either is t[i][j] = hl[i] + hr[j] + <left_i, right_j>. A strip is one block of
 * DPT_W records i (lanes) against all j > i. Its weights w = d phi(tau t)/dt are in a tile of
 * DPPAIR_TILE_ records j at a time. Let U be the strictly upper triangle of weights, P = U X, and
 * r_i the sum of the weights of all pairs of record i. Then
 *
 *   sum over i<j of w (x-x')(x-x')^T = X^T diag(r) X - X^T P - P^T X,
 *   sum over i<j of w (x x'^T + x' x^T)/2 = (X^T P + P^T X)/2.
 *
 * For the factor L, z = L^T x, P is over all j != i. Then
 *
 *   sum over i<j of w (x-x')(z-z')^T = X^T (diag(r) Z - P).
 *
 * Products are in the data's type; P, r and the result are sums in double.
 * ---------------------------------------------------------------------------------------------- */

/* Checks the numbers of X, then fills, in packed blocks, left = 2 W x for a metric, 2 L^T x for a
 * factor, W x for a similarity; the shifts hl and hr; Z; and norms where pairs are clipped.
 * NOT_FINITE, OVERFLOW. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_tiles_prepare_TIER_(const DPPAIR_NAME_tiles_ *t) {
  const size_t k = t->k, metric = t->kind != DPPAIR_FORM_SIMILARITY;
  const int factor = t->kind == DPPAIR_FORM_FACTOR;
  /* A factor's strips meet every pair from both ends. Half of the offset goes to each side, so the
   * pair's two margins, and with them its two weights, are equal to the last bit. */
  const DPV_R half = factor ? t->offset / 2 : 0, whole = factor ? half : t->offset;
  const double top = DPPAIR_NAME_packed_top_TIER_(t->xt, t->blocks * t->d * DPT_W);
  if (top < 0.0) return DPPAIR_ERR_NOT_FINITE;
  if (!DPPAIR_NAME_tiles_fits_(t, top)) return DPPAIR_ERR_OVERFLOW;
  for (size_t b = 0; b < t->blocks; b++) {
    DPV_R *left = t->left + b * k * DPT_W, *q = t->tile;
    const DPV_R *x = t->xt + b * t->d * DPT_W;
    DPV_R *right = t->right + b * k * DPT_W;
    dpv_multiply(left, DPT_W, x, DPT_W, t->w, k, k, t->d, 0);
    if (factor) memcpy(right, left, k * DPT_W * sizeof *right);
    for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
      DPV_T sum = DPV_SET(0);
      for (size_t f = 0; f < k; f++)
        sum = DPV_FMA(DPV_LOAD(right + f * DPT_W + l), DPV_LOAD(left + f * DPT_W + l), sum);
      DPV_STORE(q + l, sum);
    }
    for (size_t e = 0; metric && e < k * DPT_W; e += DPV_LANES)
      DPV_STORE(left + e, DPV_ADD(DPV_LOAD(left + e), DPV_LOAD(left + e)));
    for (size_t l = 0; l < DPT_W; l++) {
      const size_t i = b * DPT_W + l;
      t->hl[i] = metric ? whole - q[l] : -t->offset;
      t->hr[i] = metric ? half - q[l] : 0;
      for (size_t f = 0; factor && i < t->n && f < k; f++) t->zr[i * k + f] = right[f * DPT_W + l];
    }
    if (t->clipped) t->reach[b] = DPPAIR_NAME_packed_norms_TIER_(t->norm2 + b * DPT_W, x, t->d);
    if (t->clipped && factor)
      t->reachz[b] = DPPAIR_NAME_packed_norms_TIER_(t->normz + b * DPT_W, right, k);
  }
  return DPPAIR_OK;
}

/* Sets w to 0 but for the lanes l of rows j with i0 + l < j0 + j (upper), or i0 + l != j0 + j. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_mask_TIER_(DPV_R *w, size_t rows, size_t i0, size_t j0,
                                                      int upper) {
  for (size_t j = 0; j < rows; j++)
    for (size_t l = 0; l < DPT_W; l++)
      if (i0 + l == j0 + j || (upper && i0 + l > j0 + j)) w[j * DPT_W + l] = 0;
}

/* Replaces margins u by slopes phi'(u). */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_slopes_TIER_(DPV_R *w, size_t rows,
                                                        const double *params) {
  (void)params;
  for (DPV_R *const end = w + rows * DPT_W; w < end; w += DPV_LANES) {
    const DPV_T u = DPV_LOAD(w);
    DPV_STORE(w, DPPAIR_LOSS_SLOPE(u));
  }
}

/* Replaces the margins of records i0.. (lanes) with rows j0.. by values of the loss; returns their
 * sum over the pairs i < j. */
DPPAIR_OUT_OF_LINE_ double DPPAIR_NAME_tiles_values_TIER_(DPV_R *w, size_t rows, size_t i0,
                                                          size_t j0, const double *params) {
  double sum[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  (void)params;
  for (size_t e = 0; e < rows * DPT_W; e += DPV_LANES) {
    const DPV_T u = DPV_LOAD(w + e);
    DPV_STORE(w + e, DPPAIR_LOSS_VALUE(u));
  }
  if (j0 < i0 + DPT_W) DPPAIR_NAME_tiles_mask_TIER_(w, rows, i0, j0, 1);
  for (; rows > 0; rows--, w += DPT_W)
    for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
#if DPPAIR_F64_
      dpv_add_wide8(sum, DPV_LOAD(w + l));
#else
      dpd_store(sum, dpd_add(dpd_load(sum), dpd_load_f32(w + l)));
      dpd_store(sum, dpd_add(dpd_load(sum), dpd_load_f32(w + l + 8)));
#endif
    }
  for (size_t l = 1; l < 8; l++) sum[0] += sum[l];
  return sum[0];
}

/* Upper bounds of the norms of the pair gradients of weight 1 of records i.. (lanes) with record j,
 * whose inner products are at place e of dot and dotz. */
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_NAME_tiles_norm_TIER_(const DPPAIR_NAME_tiles_ *t, size_t i,
                                                        size_t j, size_t e) {
  const DPV_T two = DPV_SET(-2);
  const DPV_T gi = DPV_LOAD(t->norm2 + i), gj = DPV_SET(t->norm2[j]);
  DPV_T norm;
  if (t->kind == DPPAIR_FORM_SIMILARITY) return DPV_MUL(DPV_SQRT(gi), DPV_SQRT(gj));
  norm = DPV_FMA(two, DPV_LOAD(t->dot + e), DPV_ADD(gi, gj));
  if (t->kind == DPPAIR_FORM_FACTOR) {
    const DPV_T hi = DPV_LOAD(t->normz + i), hj = DPV_SET(t->normz[j]);
    const DPV_T m = DPV_FMA(two, DPV_LOAD(t->dotz + e), DPV_ADD(hi, hj));
    norm = DPV_MUL(DPV_SET(2), DPV_MUL(DPV_SQRT(norm), DPV_SQRT(m)));
  }
  return norm;
}

/* Cuts the weights w of records i0.. with rows j0.. so that no pair gradient is longer than the
 * clip. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_limit_TIER_(const DPPAIR_NAME_tiles_ *t, DPV_R *w,
                                                       size_t rows, size_t i0, size_t j0) {
  const size_t bi = i0 / DPT_W, bj = j0 / DPT_W, at = j0 % DPT_W;
  const DPV_T limit = DPV_SET(t->limit);
  const DPV_T least = DPV_SET(DPT_MIN); /* below it quotients are not rounded relatively */
  DPV_T top = DPV_SET(0);
  for (size_t e = 0; e < rows * DPT_W; e += DPV_LANES) top = DPV_MAX(top, DPV_ABS(DPV_LOAD(w + e)));
  if (DPPAIR_NAME_tiles_spared_(t->limit, (double)dpv_largest(top),
                                DPPAIR_NAME_tiles_reach_(t, bi, bj)))
    return;
  if (t->kind != DPPAIR_FORM_SIMILARITY)
    dpv_multiply(t->dot, DPT_W, t->xt + bi * t->d * DPT_W, DPT_W, t->xt + bj * t->d * DPT_W + at,
                 DPT_W, rows, t->d, 0);
  if (t->kind == DPPAIR_FORM_FACTOR)
    dpv_multiply(t->dotz, DPT_W, t->right + bi * t->k * DPT_W, DPT_W,
                 t->right + bj * t->k * DPT_W + at, DPT_W, rows, t->k, 0);
  for (size_t j = 0; j < rows; j++)
    for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
      const size_t e = j * DPT_W + l;
      const DPV_T v = DPV_LOAD(w + e), size = DPV_ABS(v);
      DPV_T cap = DPV_DIV(limit, DPPAIR_NAME_tiles_norm_TIER_(t, i0 + l, j0 + j, e));
      cap = DPV_SEL(DPV_LT(cap, least), DPV_SET(0), cap);
      DPV_STORE(w + e,
                DPV_SEL(DPV_LT(cap, size), DPV_SEL(DPV_LT(v, DPV_SET(0)), DPV_NEG(cap), cap), v));
    }
}

#if DPPAIR_WEIGHTS
/* Multiplies the weights w of records i0.. with rows j0.. by those of both records, whose product
 * is the same from either end of a pair. Those of two records of one user become 0. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_share_TIER_(const DPPAIR_NAME_tiles_ *t, DPV_R *w,
                                                       size_t rows, size_t i0, size_t j0) {
  const size_t *place = t->across ? t->across->positive : NULL;
  DPV_R lane[3 * DPV_LANES];
  for (size_t l = 0; l < DPT_W; l++)
    lane[l] = i0 + l < t->n ? (DPV_R)dppair_share_(t->share[i0 + l]) : (DPV_R)0;
  for (size_t j = 0; j < rows; j++, w += DPT_W) {
    const DPV_T share = DPV_SET((DPV_R)dppair_share_(t->share[j0 + j]));
    for (size_t l = 0; l < DPT_W; l += DPV_LANES)
      DPV_STORE(w + l, DPV_MUL(DPV_LOAD(w + l), DPV_MUL(DPV_LOAD(lane + l), share)));
    if (!place) continue;
    if (j == 0 || j0 + j >= place[1]) place = dppair_group_at_(t->across, j0 + j);
    for (size_t i = place[0] > i0 ? place[0] : i0; i < place[1] && i < i0 + DPT_W; i++)
      w[i - i0] = 0;
  }
}
#endif

/* Makes weights tau phi'(u) of the slopes w of records i0.. (lanes) with rows j0.., and adds them
 * to the sums of their lanes and, except for a factor, of their rows. A similarity, whose gradient
 * has no diagonal part, needs no sums. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_sums_TIER_(const DPPAIR_NAME_tiles_ *t, DPV_R *w,
                                                      size_t rows, size_t i0, size_t j0) {
  const DPV_R *yl = t->y + i0, *yr = t->y + j0;
  double *col = t->kind == DPPAIR_FORM_METRIC ? t->col + 8 * j0 : NULL;
  const DPV_T y0 = DPV_LOAD(yl), y1 = DPV_LOAD(yl + DPV_LANES), y2 = DPV_LOAD(yl + 2 * DPV_LANES);
  DPV_T s0 = DPV_SET(0), s1 = DPV_SET(0), s2 = DPV_SET(0);
#define DPT_WEIGHT(a, l, y)                                                                        \
  const DPV_T a = dpv_margin_sign(DPV_LOAD(w + (l)), y, other);                                    \
  DPV_STORE(w + (l), a)
  for (size_t j = 0; j < rows; j++, w += DPT_W) {
    const DPV_T other = DPV_SET(yr[j]);
    DPT_WEIGHT(a, 0, y0);
    DPT_WEIGHT(b, DPV_LANES, y1);
    DPT_WEIGHT(c, 2 * DPV_LANES, y2);
    s0 = DPV_ADD(s0, a);
    s1 = DPV_ADD(s1, b);
    s2 = DPV_ADD(s2, c);
    if (col) dpv_add_wide8(col + 8 * j, DPV_ADD(DPV_ADD(a, b), c));
  }
#undef DPT_WEIGHT
  if (t->kind == DPPAIR_FORM_SIMILARITY) return;
  dpv_add_wide(t->row, s0);
  dpv_add_wide(t->row + DPV_LANES, s1);
  dpv_add_wide(t->row + 2 * DPV_LANES, s2);
}

/* P of the strip += the weights of the tile times rows j0.. of X (Z for a factor L). In float the
 * products of one tile are summed, eight columns at a time, before they go to double. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_push_TIER_(const DPPAIR_NAME_tiles_ *t, size_t rows,
                                                      size_t j0) {
  const DPV_R *x = t->push + j0 * t->push_ld;
  const size_t ld = t->push_ld;
#if DPPAIR_F64_
  dpv_multiply(t->p, DPT_W, t->tile, DPT_W, x, ld, t->k, rows, 1);
#else
  for (size_t f = 0; f < t->k; f += 8) {
    const size_t count = t->k - f < 8 ? t->k - f : 8;
    DPV_R sums[8 * 3 * DPV_LANES];
    dpv_multiply(sums, DPT_W, t->tile, DPT_W, x + f, ld, count, rows, 0);
    for (size_t e = 0; e < count * DPT_W; e += DPV_LANES)
      dpv_add_wide(t->p + f * DPT_W + e, DPV_LOAD(sums + e));
  }
#endif
}

/* Adds X^T H for block b to the result: h_i = P_i - r_i x_i/2 for a metric, 2 (P_i - r_i z_i) for a
 * factor, P_i/2 for a similarity. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_close_TIER_(const DPPAIR_NAME_tiles_ *t, size_t b) {
  const size_t i0 = b * DPT_W, count = t->n - i0 < DPT_W ? t->n - i0 : DPT_W;
  const int metric = t->kind == DPPAIR_FORM_METRIC, factor = t->kind == DPPAIR_FORM_FACTOR;
  const DPV_R *packed = t->xt + b * t->d * DPT_W;
  for (size_t l = 0; l < count; l++) {
    const DPV_R *z = t->push + (i0 + l) * t->push_ld;
    const double *c = t->col + 8 * (i0 + l);
    double *h = t->h + l * t->width;
    double r = t->row[l];
    if (metric) r = 0.5 * (r + (((c[0] + c[1]) + (c[2] + c[3])) + ((c[4] + c[5]) + (c[6] + c[7]))));
    for (size_t f = 0; f < t->d; f++) t->xd[l * t->d + f] = (double)packed[f * DPT_W + l];
    for (size_t f = 0; f < t->k; f++) {
      const double p = t->p[f * DPT_W + l];
      h[f] = metric ? p - r * (double)z[f] : factor ? 2.0 * (p - r * (double)z[f]) : 0.5 * p;
    }
    for (size_t f = t->k; f < t->width; f++) h[f] = 0.0;
  }
  for (size_t g = 0; g < t->width; g += DPPAIR_COLUMNS_)
    dpd_multiply(t->g + g, t->width, t->h + g, t->width, t->xd, t->d, t->d, count, 1);
}

/* w = the margins of block b with rows j0.., which lie within one block. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_tiles_margins_TIER_(const DPPAIR_NAME_tiles_ *t, DPV_R *w,
                                                          size_t rows, size_t b, size_t j0) {
  const size_t i0 = b * DPT_W;
  dpv_multiply_margins(w, t->left + i0 * t->k, t->right + j0 / DPT_W * t->k * DPT_W + j0 % DPT_W,
                       rows, t->k, t->hl + i0, t->y + i0, t->hr + j0, t->y + j0);
}

/* The weights w of block b with rows j0.. (within one block), clipped, and added to their sums.
 * Margins, slopes and sums are a pass each, from and to the cache: the shorter the chain of
 * operations of one pair, the more pairs a processor computes at a time. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_tiles_weigh_TIER_(const DPPAIR_NAME_tiles_ *t, DPV_R *w,
                                                        size_t rows, size_t b, size_t j0) {
  const size_t i0 = b * DPT_W;
  const int ragged = i0 < t->first && i0 + DPT_W > t->first; /* lanes before others, without rows */
  DPPAIR_NAME_tiles_margins_TIER_(t, w, rows, b, j0);
  DPPAIR_NAME_tiles_slopes_TIER_(w, rows, t->params);
  if (j0 == i0) DPPAIR_NAME_tiles_mask_TIER_(w, rows, i0, i0, t->kind != DPPAIR_FORM_FACTOR);
  for (size_t j = 0; ragged && j < rows; j++)
    for (size_t l = t->first - i0; l < DPT_W; l++) w[j * DPT_W + l] = 0;
  if (t->clipped) DPPAIR_NAME_tiles_limit_TIER_(t, w, rows, i0, j0);
#if DPPAIR_WEIGHTS
  if (t->share) DPPAIR_NAME_tiles_share_TIER_(t, w, rows, i0, j0);
#endif
  DPPAIR_NAME_tiles_sums_TIER_(t, w, rows, i0, j0);
}

/* out[d][k] = the gradient of the sum over the pairs of strips b0 <= b < b1. For a metric, records
 * after the strips have sums of columns too, so their blocks are closed as well. Where there are
 * others, a pair of a record and one of those is in the strip of the record; for a factor in both.
 */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_gradient_TIER_(double *out, const DPPAIR_NAME_tiles_ *t,
                                                          size_t b0, size_t b1) {
  const int factor = t->kind == DPPAIR_FORM_FACTOR;
  memset(t->g, 0, t->d * t->width * sizeof *t->g);
  memset(t->col, 0, t->blocks * DPT_W * 8 * sizeof *t->col);
  for (size_t b = b0; b < b1; b++) {
    const int before = b * DPT_W < t->from; /* its partners are the others, and theirs are these */
    const size_t end = t->from && !before ? t->first : t->n;
    memset(t->p, 0, t->k * DPT_W * sizeof *t->p);
    memset(t->row, 0, DPT_W * sizeof *t->row);
    for (size_t j0 = before ? t->from : factor ? 0 : b * DPT_W; j0 < end; j0 += DPPAIR_TILE_) {
      const size_t rows = end - j0 < DPPAIR_TILE_ ? end - j0 : DPPAIR_TILE_;
      for (size_t j = 0; j < rows; j += DPT_W)
        DPPAIR_NAME_tiles_weigh_TIER_(t, t->tile + j * DPT_W, rows - j < DPT_W ? rows - j : DPT_W,
                                      b, j0 + j);
      DPPAIR_NAME_tiles_push_TIER_(t, rows, j0);
    }
    DPPAIR_NAME_tiles_close_TIER_(t, b);
  }
  if (t->kind == DPPAIR_FORM_METRIC) {
    memset(t->p, 0, t->k * DPT_W * sizeof *t->p);
    memset(t->row, 0, DPT_W * sizeof *t->row);
    for (size_t b = b1; b < t->blocks; b++) DPPAIR_NAME_tiles_close_TIER_(t, b);
  }
  for (size_t f = 0; f < t->d; f++)
    for (size_t g = 0; g < t->k; g++)
      out[f * t->k + g] = t->g[f * t->width + g] + (factor ? 0.0 : t->g[g * t->width + f]);
}

/* *out = the sum of the loss over the pairs of all strips. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_risk_TIER_(double *out, const DPPAIR_NAME_tiles_ *t) {
  *out = 0.0;
  for (size_t b = 0; b < t->blocks; b++)
    for (size_t j0 = b * DPT_W; j0 < t->n; j0 += DPT_W) {
      const size_t rows = t->n - j0 < DPT_W ? t->n - j0 : DPT_W;
      DPPAIR_NAME_tiles_margins_TIER_(t, t->tile, rows, b, j0);
      *out += DPPAIR_NAME_tiles_values_TIER_(t->tile, rows, b * DPT_W, j0, t->params);
    }
}

/* One part of a gradient: its strips, with its own scratch. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_task_TIER_(void *context, size_t part) {
  const DPPAIR_NAME_tiles_ *all = (const DPPAIR_NAME_tiles_ *)context;
  const DPPAIR_NAME_tiles_ t = DPPAIR_NAME_tiles_part_(all, part);
  DPPAIR_NAME_tiles_gradient_TIER_(t.out, &t, DPPAIR_NAME_tiles_first_(all, part),
                                   DPPAIR_NAME_tiles_first_(all, part + 1));
}

/* NAME_form_gradient on this tier. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_gradient_TIER(
    double *g, dppair_form form, const DPPAIR_ROWS_ *rows, const double *w, size_t k, double offset,
    const dppair_options *options) {
  const dppair_tasks *parts = options ? options->tasks : NULL;
  const DPPAIR_NAME_form_ q = {
      form,   rows, NULL, w, k, offset, dppair_clip_bound_(options), parts ? parts->count : 1,
      options};
  const size_t size = rows ? dppair_area_(rows->d, k) : 0;
  DPPAIR_NAME_tiles_ t;
  dppair_status status = rows ? DPPAIR_NAME_tiles_open_(&t, g, size, &q) : DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_tiles_prepare_TIER_(&t);
  if (status != DPPAIR_OK) return status;
  if (parts && parts->run)
    parts->run(DPPAIR_NAME_tiles_task_TIER_, &t, t.parts, parts->self);
  else
    dppair_run_serial(DPPAIR_NAME_tiles_task_TIER_, &t, t.parts, NULL);
  dppair_tasks_join(t.out, size, t.parts);
  memcpy(g, t.out, size * sizeof *g);
  return dppair_finish_(g, size);
}

/* g[d][k] = the gradient of the sum over the pairs of *q, in one part: NAME_form_block, on this
 * tier. Errors as there, and zero g. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_block_TIER(double *g,
                                                                       const DPPAIR_NAME_form_ *q) {
  const size_t size = dppair_area_(q->rows->d, q->k);
  DPPAIR_NAME_tiles_ t;
  dppair_status status = DPPAIR_NAME_tiles_open_(&t, g, size, q);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_tiles_prepare_TIER_(&t);
  if (status != DPPAIR_OK) return status;
  DPPAIR_NAME_tiles_gradient_TIER_(
      g, &t, 0, t.from && t.kind != DPPAIR_FORM_FACTOR ? t.from / DPT_W : t.blocks);
  return dppair_finish_(g, size);
}

/* NAME_form_risk_not_private on this tier. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_risk_not_private_TIER(
    double *risk, dppair_form form, const DPPAIR_ROWS_ *rows, const double *w, size_t k,
    double offset, const dppair_options *options) {
  const DPPAIR_NAME_form_ q = {form, rows, NULL, w, k, offset, 0.0, 1, options};
  DPPAIR_NAME_tiles_ t;
  dppair_status status;
  if (!risk) return DPPAIR_ERR_NULL;
  *risk = 0.0;
  status = rows ? dppair_all_alike_(rows->weight, options) : DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_tiles_open_(&t, risk, 1, &q);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_tiles_prepare_TIER_(&t);
  if (status != DPPAIR_OK) return status;
  DPPAIR_NAME_tiles_risk_TIER_(risk, &t);
  return dppair_finish_(risk, 1);
}
/* ---- src/modules/metric/listed.h ------------------------------------------------------------
 * Gradients of listed pairs
 *
 * Linear scores and metrics, for one instance and tier. It relies on listed_state.h and on
 * multiply.h. NAME_pairs_gradient in template.h says what is computed.
 * ---------------------------------------------------------------------------------------------- */

/* |v|^2 is at most DPT_STRETCH(d) times the square as computed plus DPT_TINY(d): its sum of d
 * squares in the data's type errs by less than (d + 16) epsilon, and each step that underflows by
 * less than the smallest normal number. */
#define DPT_STRETCH(d) (1.0 + 4.0 * (double)((d) + 16) * (double)DPT_EPSILON)
#define DPT_TINY(d) (8.0 * (double)((d) + 4) * (double)DPT_MIN)

/* So many numbers of a row are fetched ahead; the processor itself fetches what follows. */
#define DPT_FETCHED 512

/* Starts to fetch the rows of up to DPV_LANES pairs from k on, k < m, into the cache. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_pairs_fetch_TIER_(const DPT_STORED *xa, const DPT_STORED *xb,
                                                        size_t ld, size_t d, const size_t *i,
                                                        const size_t *j, size_t k, size_t m) {
  const size_t end = m - k < DPV_LANES ? m : k + DPV_LANES;
  for (; k < end; k++)
    for (size_t f = 0; f < d && f < DPT_FETCHED; f += 64 / sizeof *xa) {
      DPPAIR_PREFETCH_(xa + i[k] * ld + f);
      DPPAIR_PREFETCH_(xb + j[k] * ld + f);
    }
}

/* to[l d..] = row i[l] of a block, times its factor, for l < count. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_pairs_rows_TIER_(DPV_R *to, const DPPAIR_ROWS_ *rows,
                                                      const size_t *i, size_t count) {
  for (size_t l = 0; l < count; l++, to += rows->d)
    DPPAIR_NAME_scaled_row_(to, 1, rows->x + i[l] * rows->ld, rows->d,
                            rows->factor ? rows->factor[i[l]] : 1.0);
}

/* sum[l] += c v[l] in double. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_pairs_fma_TIER_(double *sum, double c, DPV_T v) {
#if DPPAIR_F64_
  DPV_STORE(sum, DPV_FMA(DPV_SET(c), v, DPV_LOAD(sum)));
#else
  float t[DPV_LANES];
  DPV_STORE(t, v);
  dpd_store(sum, dpd_fma(dpd_set(c), dpd_load_f32(t), dpd_load(sum)));
  dpd_store(sum + 8, dpd_fma(dpd_set(c), dpd_load_f32(t + 8), dpd_load(sum + 8)));
#endif
}

/* One pair of rows a and b of d numbers, v their rounded difference: the lanes of s add up to <w,
 * v>, those of q to |v|^2. w[d] is padded to whole vectors. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_pairs_dot_TIER_(DPV_R *s, DPV_R *q, const DPV_R *a,
                                                      const DPV_R *b, const DPV_R *w, size_t d) {
  DPV_T dot = DPV_SET(0), norm = DPV_SET(0), v;
  size_t k = 0;
  for (; k + DPV_LANES <= d; k += DPV_LANES) {
    v = DPV_SUB(DPV_LOAD(a + k), DPV_LOAD(b + k));
    dot = DPV_FMA(v, DPV_LOAD(w + k), dot);
    norm = DPV_FMA(v, v, norm);
  }
  if (k < d) {
    v = DPV_SUB(DPV_LOADN(a + k, d - k, 0), DPV_LOADN(b + k, d - k, 0));
    dot = DPV_FMA(v, DPV_LOAD(w + k), dot);
    norm = DPV_FMA(v, v, norm);
  }
  DPV_STORE(s, dot);
  DPV_STORE(q, norm);
}

/* s[l] = the sum of the lanes of vector l of part, for as many vectors as there are lanes. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_pairs_fold_TIER_(DPV_R *s, const DPV_R *part) {
#if DPPAIR_F64_
  DPV_STORE(s, dpv_sums8(part));
#else
  dpv_sums8(s, part);
  dpv_sums8(s + 8, part + 8 * DPV_LANES);
#endif
}

/* g += sum over l < n of c[l] (a[l] - b[l]) in double; g[d] is padded to whole vectors. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_pairs_add_TIER_(double *g, const double *c,
                                                      const DPV_R *const *a, const DPV_R *const *b,
                                                      size_t n, size_t d) {
  double t[DPV_LANES];
  for (size_t k = 0; k < d; k += DPV_LANES) {
    const size_t rest = d - k;
    memcpy(t, g + k, sizeof t);
    if (rest >= DPV_LANES) {
      for (size_t l = 0; l < n; l++)
        DPPAIR_NAME_pairs_fma_TIER_(t, c[l], DPV_SUB(DPV_LOAD(a[l] + k), DPV_LOAD(b[l] + k)));
    } else {
      for (size_t l = 0; l < n; l++)
        DPPAIR_NAME_pairs_fma_TIER_(
            t, c[l], DPV_SUB(DPV_LOADN(a[l] + k, rest, 0), DPV_LOADN(b[l] + k, rest, 0)));
    }
    memcpy(g + k, t, sizeof t);
  }
}

/* g[d] += the weighted, clipped gradients of the m pairs of a linear score; w[d] and g are padded
 * to whole vectors. Returns 0 when a margin or a distance overflows. */
DPPAIR_OUT_OF_LINE_ int DPPAIR_NAME_pairs_linear_TIER_(double *g, const DPV_R *xa, const DPV_R *xb,
                                                       size_t d, size_t ld, const DPV_R *w,
                                                       const size_t *i, const size_t *j,
                                                       const double *weight, size_t m, double clip,
                                                       const double *params) {
  const DPV_T stretch = DPV_SET((DPV_R)DPT_STRETCH(d));
  const DPV_T tiny = DPV_SET((DPV_R)DPT_TINY(d));
  const DPV_T limit = DPV_SET(DPPAIR_NAME_tiles_limit_(clip)), least = DPV_SET(DPT_MIN);
  DPV_T odd = DPV_SET(0); /* NaN once a margin or a distance is not finite */
  (void)params;
  for (size_t k = 0; k < m; k += DPV_LANES) {
    const size_t rest = m - k < DPV_LANES ? m - k : DPV_LANES;
    DPV_R u[DPV_LANES], c[DPV_LANES], q[DPV_LANES], dots[DPV_LANES * DPV_LANES];
    DPV_R norms[DPV_LANES * DPV_LANES];
    const DPV_R *a[DPV_LANES], *b[DPV_LANES];
    double held[DPV_LANES];
    DPV_T slope, cap;
#if !DPT_NARROW /* else these rows are copies */
    if (k + DPV_LANES < m) DPPAIR_NAME_pairs_fetch_TIER_(xa, xb, ld, d, i, j, k + DPV_LANES, m);
#endif
    for (size_t l = 0; l < DPV_LANES; l++) { /* the last group repeats its last pair */
      const size_t at = k + (l < rest ? l : rest - 1);
      a[l] = xa + i[at] * ld;
      b[l] = xb + j[at] * ld;
      DPPAIR_NAME_pairs_dot_TIER_(dots + l * DPV_LANES, norms + l * DPV_LANES, a[l], b[l], w, d);
    }
    DPPAIR_NAME_pairs_fold_TIER_(u, dots);
    DPPAIR_NAME_pairs_fold_TIER_(q, norms);
    odd = DPV_ADD(odd, DPV_MUL(DPV_ADD(DPV_LOAD(u), DPV_LOAD(q)), DPV_SET(0)));
    slope = DPPAIR_LOSS_SLOPE(DPV_LOAD(u));
    if (clip > 0.0) {
      cap = DPV_DIV(limit, DPV_SQRT(DPV_FMA(DPV_LOAD(q), stretch, tiny)));
      cap = DPV_SEL(DPV_LT(cap, least), DPV_SET(0), cap);
      slope = DPV_MIN(cap, DPV_MAX(DPV_NEG(cap), slope));
    }
    DPV_STORE(c, slope);
    for (size_t l = 0; l < rest; l++)
      held[l] = weight ? (double)c[l] * weight[k + l] : (double)c[l];
    DPPAIR_NAME_pairs_add_TIER_(g, held, a, b, rest, d);
  }
  return dppair_isfinite_f64((double)DPV_SUM(odd));
}

/* The same for rows with factors, of another type, or at different distances: a vector of pairs at
 * a time, their computed rows in t->rows. */
DPPAIR_OUT_OF_LINE_ int DPPAIR_NAME_pairs_copied_TIER_(const DPPAIR_NAME_list_ *t,
                                                       const DPPAIR_ROWS_ *rows_a,
                                                       const DPPAIR_ROWS_ *rows_b, const size_t *i,
                                                       const size_t *j, const double *weight,
                                                       size_t m, const dppair_options *options) {
  const size_t d = rows_a->d;
  DPV_R *const a = t->rows, *const b = a + DPV_LANES * d;
  size_t place[DPV_LANES];
  int finite = 1;
  for (size_t l = 0; l < DPV_LANES; l++) place[l] = l;
  for (size_t k = 0; k < m; k += DPV_LANES) {
    const size_t rest = m - k < DPV_LANES ? m - k : DPV_LANES;
    DPPAIR_NAME_pairs_rows_TIER_(a, rows_a, i + k, rest);
    DPPAIR_NAME_pairs_rows_TIER_(b, rows_b, j + k, rest);
    finite &= DPPAIR_NAME_pairs_linear_TIER_(t->sum, a, b, d, d, t->w, place, place,
                                             weight ? weight + k : NULL, rest,
                                             dppair_clip_bound_(options), options->params);
  }
  return finite;
}

/* The differences of the rows of `rest` pairs, packed in t->xt, and the signs of their margins in
 * t->hl; the pairs that are missing in the block have zeros. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_pairs_pack_TIER_(const DPPAIR_NAME_tiles_ *t,
                                                       const DPPAIR_ROWS_ *rows, const size_t *i,
                                                       const size_t *j, size_t rest) {
  const size_t d = t->d;
  memset(t->xt, 0, d * DPT_W * sizeof *t->xt);
  for (size_t l = 0; l < DPT_W; l++) t->hl[l] = 1;
  for (size_t l = 0; l < rest; l++) {
    const DPV_R *xi = (const DPV_R *)(const void *)(rows->x + i[l] * rows->ld);
    const DPV_R *xj = (const DPV_R *)(const void *)(rows->x + j[l] * rows->ld);
    if (l + DPV_LANES < rest)
      DPPAIR_NAME_pairs_fetch_TIER_(rows->x, rows->x, rows->ld, d, i, j, l + DPV_LANES,
                                    l + DPV_LANES + 1);
    if (t->scaled) {
      DPPAIR_NAME_pairs_rows_TIER_(t->zr, rows, i + l, 1);
      DPPAIR_NAME_pairs_rows_TIER_(t->zr + d, rows, j + l, 1);
      xi = t->zr;
      xj = xi + d;
    }
    t->hl[l] = DPT_LABEL(rows->y[i[l]]) == DPT_LABEL(rows->y[j[l]]) ? 1 : -1;
    for (size_t f = 0; f < d; f++) t->xt[f * DPT_W + l] = xi[f] - xj[f];
  }
}

/* The clipped slopes of a block of pairs, in t->tile; *odd becomes NaN once a margin or a distance
 * is not finite. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_pairs_slopes_TIER_(const DPPAIR_NAME_tiles_ *t, DPV_T *odd) {
  const double *params = t->params;
  const DPV_R *v = t->xt, *a = t->left;
  const size_t d = t->d;
  const DPV_T stretch = DPV_SET((DPV_R)DPT_STRETCH(d)), tiny = DPV_SET((DPV_R)DPT_TINY(d));
  (void)params;
  dpv_multiply(t->left, DPT_W, v, DPT_W, t->w, d, d, d, 0);
  for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
    DPV_T margin = DPV_SET(0), norm = DPV_SET(0), s, c;
    const DPV_T sign = DPV_LOAD(t->hl + l);
    for (size_t f = 0; f < d; f++) {
      const DPV_T x = DPV_LOAD(v + f * DPT_W + l);
      margin = DPV_FMA(x, DPV_LOAD(a + f * DPT_W + l), margin);
      norm = DPV_FMA(x, x, norm);
    }
    s = DPV_MUL(sign, DPV_SUB(DPV_SET(t->offset), margin));
    *odd = DPV_ADD(*odd, DPV_MUL(DPV_ADD(DPV_ABS(s), norm), DPV_SET(0)));
    s = DPV_MUL(sign, DPPAIR_LOSS_SLOPE(s));
    c = DPV_DIV(DPV_SET(t->limit), DPV_FMA(norm, stretch, tiny));
    c = DPV_SEL(DPV_LT(c, DPV_SET(DPT_MIN)), DPV_SET(0), c);
    if (t->clipped) s = DPV_MIN(c, DPV_MAX(DPV_NEG(c), s));
    DPV_STORE(t->tile + l, s);
  }
}

/* Adds the gradients of `rest` pairs to t->g, in double. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_pairs_push_TIER_(const DPPAIR_NAME_tiles_ *t,
                                                       const double *weight, size_t rest) {
  const size_t d = t->d;
  for (size_t l = 0; l < rest; l++) {
    const double c = -(double)t->tile[l] * (weight ? weight[l] : 1.0);
    double *h = t->h + l * t->width, *x = t->xd + l * d;
    for (size_t f = 0; f < d; f++) x[f] = (double)t->xt[f * DPT_W + l];
    for (size_t f = 0; f < d; f++) h[f] = c * x[f];
    for (size_t f = d; f < t->width; f++) h[f] = 0.0;
  }
  for (size_t f = 0; f < t->width; f += DPPAIR_COLUMNS_)
    dpd_multiply(t->g + f, t->width, t->h + f, t->width, t->xd, d, d, rest, 1);
}

/* out[d][d] = the weighted, clipped gradients of the metric; t holds W and the scratch arrays.
 * Margins come from differences of rows, W (x - x') by blocks, so nothing cancels. Returns 0 when a
 * margin or a distance overflows. */
DPPAIR_OUT_OF_LINE_ int DPPAIR_NAME_pairs_metric_TIER_(double *out, const DPPAIR_NAME_tiles_ *t,
                                                       const DPPAIR_ROWS_ *rows,
                                                       const dppair_listed_ *p) {
  const size_t d = t->d;
  DPV_T odd = DPV_SET(0);
  memset(t->g, 0, d * t->width * sizeof *t->g);
  for (size_t k = 0, next; k < p->m; k = next) {
    const size_t rest = dppair_pairs_there_(p, k, DPT_W);
    next = rest > 0 ? k + rest : k + 1;
    if (rest == 0) continue;
    DPPAIR_NAME_pairs_pack_TIER_(t, rows, p->i + k, p->j + k, rest);
    DPPAIR_NAME_pairs_slopes_TIER_(t, &odd);
    DPPAIR_NAME_pairs_push_TIER_(t, p->weight ? p->weight + k : NULL, rest);
  }
  for (size_t f = 0; f < d; f++) memcpy(out + f * d, t->g + f * t->width, d * sizeof *out);
  return dppair_isfinite_f64((double)DPV_SUM(odd));
}

/* NAME_pairs_gradient on this tier. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_pairs_gradient_TIER(double *g, const DPPAIR_ROWS_ *rows_a, const DPPAIR_ROWS_ *rows_b,
                                const DPV_R *w, const size_t *i, const size_t *j,
                                const double *weight, size_t m, const dppair_options *options) {
  DPPAIR_NAME_list_ t;
  dppair_listed_ p;
  const dppair_status status =
      DPPAIR_NAME_list_open_(&t, g, rows_a, rows_b, w, i, j, weight, m, options);
  int finite = 1;
  if (status != DPPAIR_OK) return status;
  p = DPPAIR_NAME_list_of_(rows_a, rows_b, i, j, weight, m);
  const DPV_R *xa = (const DPV_R *)(const void *)rows_a->x;
  const DPV_R *xb = (const DPV_R *)(const void *)rows_b->x;
  for (size_t k = 0, next; k < m; k = next) {
    const double *const share = weight ? weight + k : NULL;
    const size_t rest = dppair_pairs_there_(&p, k, m);
    next = rest > 0 ? k + rest : k + 1;
    if (rest == 0) continue;
    finite &=
        rows_a->factor || rows_b->factor || rows_a->ld != rows_b->ld || DPT_NARROW
            ? DPPAIR_NAME_pairs_copied_TIER_(&t, rows_a, rows_b, i + k, j + k, share, rest, options)
            : DPPAIR_NAME_pairs_linear_TIER_(t.sum, xa, xb, rows_a->d, rows_a->ld, t.w, i + k,
                                             j + k, share, rest, dppair_clip_bound_(options),
                                             options->params);
  }
  if (!finite) return DPPAIR_ERR_NOT_FINITE;
  memcpy(g, t.sum, rows_a->d * sizeof *g);
  return dppair_finish_(g, rows_a->d);
}

/* NAME_form_pairs on this tier. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_pairs_TIER(
    double *g, const DPPAIR_ROWS_ *rows, const double *w, double offset, const size_t *i,
    const size_t *j, const double *weight, size_t m, const dppair_options *options) {
  DPPAIR_NAME_form_ q = {DPPAIR_FORM_METRIC, rows, NULL, w, 0, offset, 0.0, 1, options};
  dppair_listed_ listed;
  DPPAIR_NAME_tiles_ t;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  q.k = rows->d;
  q.clip = dppair_clip_bound_(options);
  listed = DPPAIR_NAME_list_of_(rows, rows, i, j, weight, m);
  status = DPPAIR_NAME_tiles_open_pairs_(&t, g, &q, &listed);
  if (status != DPPAIR_OK) return status;
  if (!DPPAIR_NAME_pairs_metric_TIER_(g, &t, rows, &listed)) {
    memset(g, 0, t.d * t.d * sizeof *g);
    return DPPAIR_ERR_NOT_FINITE;
  }
  return dppair_finish_(g, t.d * t.d);
}
#undef DPT_STRETCH
#undef DPT_TINY
#undef DPT_FETCHED

#elif DPPAIR_STAGE_ == DPPAIR_STAGE_FUNCTIONS_
/* ---- src/modules/metric/template.h ----------------------------------------------------------
 * Forms and listed pairs: the functions of an instance
 *
 * They call the bodies of form_kernels.h and listed.h on the tier of the processor, which check the
 * arguments and zero outputs on an error. Factors of rows and the options: as tiles/template.h
 * says.
 *
 * NOT PRIVATE: gradients are raw material, as secret as the records, until a release adds its
 * noise. A figure has not_private in its name.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* *bytes = the workspace of NAME_form_gradient and NAME_form_risk_not_private for n records of d
 * features and k columns of the result: k = d for a full W, the rank for a factor. It is enough for
 * every form. Of the options the clip, the number of parts and whether there are groups are read;
 * NULL: no clip, one part, none. Errors zero *bytes: NULL, SIZE (n < 2, d < 1, k < 1, parts not in
 * 1 to 256), WORKSPACE (a clip that is not made), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_workspace(
    size_t *bytes, size_t n, size_t d, size_t k, const dppair_options *options) {
  const size_t parts = options && options->tasks ? options->tasks->count : 1;
  DPPAIR_NAME_tiles_ t;
  size_t room;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (n < 2 || d < 1 || k < 1 || parts < 1 || parts > DPPAIR_FORM_PARTS_) return DPPAIR_ERR_SIZE;
  if (dppair_clip_check_(options) != DPPAIR_OK) return DPPAIR_ERR_WORKSPACE;
  *bytes = DPPAIR_NAME_tiles_sizes_(&t, DPPAIR_FORM_FACTOR, DPT_BLOCKS(n), 0, d, k, parts,
                                    options && options->clip, 0, options ? options->groups : NULL);
  room = options && options->groups ? dppair_area_(dppair_area_(d, k), sizeof(double)) : 0;
  if (*bytes < SIZE_MAX - 128 && room < SIZE_MAX - 128 - *bytes) {
    *bytes += room ? room + 64 : 0;
    return DPPAIR_OK;
  }
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

#if DPPAIR_WEIGHTS
/* NAME_form_gradient of queries: for each of m > 1 records its gradient over m (m - 1). */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_within_(double *g, dppair_form form,
                                                                    const DPPAIR_ROWS_ *rows,
                                                                    const double *w, size_t k,
                                                                    double offset,
                                                                    const dppair_options *options) {
  const size_t size = dppair_area_(rows->d, k), n = rows->n;
  const dppair_groups *groups = options->groups;
  dppair_options inner = *options;
  size_t needed, q, e;
  double *one;
  dppair_status status = dppair_array_(g, size);
  if (status != DPPAIR_OK) return status;
  if (size) memset(g, 0, size * sizeof *g);
  status = DPPAIR_NAME_form_workspace(&needed, n < 2 ? 2 : n, rows->d, k, options);
  if (status == DPPAIR_OK && options->bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK && !options->work) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK && (rows->ld < rows->d || rows->nulls > n)) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_groups_check_(groups, n - rows->nulls, 0, 1);
  if (status == DPPAIR_OK && n && (!rows->x || !rows->y)) status = DPPAIR_ERR_NULL;
  if (status != DPPAIR_OK) return status;
  one = (double *)(void *)dppair_align_(options->work);
  inner.groups = NULL;
  inner.work = one + size;
  inner.bytes = options->bytes - size * sizeof *one - 64;
  for (q = 0; q < groups->count && status == DPPAIR_OK; q++) {
    const size_t at = groups->positive[q], m = groups->positive[q + 1] - at;
    DPPAIR_ROWS_ some = *rows;
    if (m < 2) continue;
    some.nulls = 0;
    some.x += at * rows->ld;
    some.y += at;
    some.n = m;
    if (some.factor) some.factor += at;
    if (some.weight) some.weight += at;
    DPPAIR_DISPATCH_(status = DPPAIR_NAME_form_gradient, (one, form, &some, w, k, offset, &inner));
    for (e = 0; e < size; e++) g[e] += one[e] / ((double)m * ((double)m - 1.0));
  }
  if (status == DPPAIR_OK) return dppair_finish_(g, size);
  memset(g, 0, size * sizeof *g);
  return status;
}
#endif

/*
 * g[d][k] = the gradient with respect to w of the sum over all pairs i < j of
 *
 *   form                    of a pair                                           w
 *   DPPAIR_FORM_METRIC      phi(tau (b - M)), M = (x - x')^T W (x - x')         W[d][d], k = d
 *   DPPAIR_FORM_FACTOR      the same for W = L L^T, in O(n^2 k)                 L[d][k], any k
 *   DPPAIR_FORM_SIMILARITY  phi(tau (S - b)), S = x^T W x'                      W[d][d], k = d
 *
 * tau = 1 where the labels y of the two records are equal and -1 elsewhere: minimising pulls equal
 * labels together and pushes others apart. For labels +-1, tau = y y'. Labels that are not finite,
 * NaN too, are equal to each other and to no other label. Only the symmetric part of W matters. b =
 * 1 gives the margins of Jin, Wang and Zhou (2009), and the hinge with b = 0 is (1 + tau M)_+, that
 * of Yang, Lei, Lyu and Ying (2021).
 *
 * The gradient of a pair, with v = x - x' and the slope phi' at its margin, is
 *
 *   METRIC      -tau phi' v v^T              of Frobenius norm |phi'| |v|^2
 *   FACTOR      -2 tau phi' v (L^T v)^T      of norm 2 |phi'| |v| |L^T v|
 *   SIMILARITY  tau phi' (x x'^T + x' x^T)/2, taken as if its norm were |phi'| |x| |x'|, that of
 *               either ordered pair, which is never less
 *
 * and one that is longer than the clip of the options is scaled down to it. The mean over ordered
 * pairs is 2 g/(n (n - 1)).
 *
 *   rows     n >= 2 rows of d >= 1 features with labels y, null records last
 *   offset   b
 *   options  groups   of users: pairs of records of two of them, weighted; of queries: the sum of
 *                     their means over ordered pairs, halved (NAME_weighted_coeffs)
 *            clip     see above; none with users and for rows with weights
 *            work     as NAME_form_workspace(n, d, k, pass) says
 *            parts    1 to 256. The rounding of the result depends on their number, never on the
 *                     runner or its threads
 *
 * Arithmetic. A margin is computed from its two records by one fixed chain. So the result is a sum
 * of pair gradients whose weights phi' are taken at slightly different margins. NAME_form_error
 * bounds what is rounded after that. The bits are the same on every tier.
 *
 * Errors zero g: NULL, SIZE (n < 2, nulls > n, d < 1, k < 1, ld < d, parts, d epsilon > 1/4),
 * DOMAIN (no such form, k not d, groups), NO_PROOF (a clip with weights or users), WORKSPACE
 * (also a clip that is not made), ENVIRONMENT, OVERFLOW (margins or distances could be too large,
 * by rows->radius where it is not 0; else by the rows), NOT_FINITE (an input but a label, or a
 * result). Without rows their size is not known, and g is not touched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_form_gradient(double *g, dppair_form form, const DPPAIR_ROWS_ *rows, const double *w,
                          size_t k, double offset, const dppair_options *options) {
  dppair_status status;
#if DPPAIR_WEIGHTS
  if (g && rows && options && options->groups && options->groups->relation == DPPAIR_WITHIN)
    return DPPAIR_NAME_form_within_(g, form, rows, w, k, offset, options);
#endif
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_form_gradient, (g, form, rows, w, k, offset, options));
  return status;
}

/* *risk = the sum of phi whose gradient NAME_form_gradient computes, without a clip and in one part
 * whatever the options say; arguments, workspace and errors as there. NOT PRIVATE. Errors zero
 * *risk.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_risk_not_private(
    double *risk, dppair_form form, const DPPAIR_ROWS_ *rows, const double *w, size_t k,
    double offset, const dppair_options *options) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_form_risk_not_private,
                   (risk, form, rows, w, k, offset, options));
  return status;
}

/* *bytes = the workspace of NAME_pairs_gradient for rows of d numbers. Errors zero it: NULL,
 * OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_pairs_workspace(size_t *bytes, size_t d) {
  DPPAIR_NAME_list_ t;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = DPPAIR_NAME_list_layout_(&t, NULL, d);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/*
 * g[0..d) = the sum over k < m of weight[k] times the gradient phi'(u) v of the listed pair (i[k],
 * j[k]) of a linear score, v = row i[k] of rows_a - row j[k] of rows_b, u = <w, v>. A gradient is
 * clipped to the bound of options->clip before it is weighted. weight NULL means 1.
 *
 * A pair with a null record counts nothing. For pairs within one set, pass it as both. For a random
 * matching, put the records in a random order and pass one half as i and the other as j. O(m d);
 * rows are fetched ahead, distances are those of differences of rows, and g is summed in double.
 * The gradient of a pair, scaled rows and v rounded, is a function of its two records;
 * dppair_pairs_allowance_ has the rest. work: as NAME_pairs_workspace says.
 *
 * Errors zero g: NULL, SIZE (an index out of range, d < 1, ld < d, rows of two lengths), WORKSPACE
 * (also a clip that is not made), ENVIRONMENT, OVERFLOW (rows that cannot be addressed; margins or
 * distances could be too large by the radius of a block, where that is not 0), NOT_FINITE (an
 * input, a margin, a distance or a result). Without rows g is not touched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_pairs_gradient(double *g, const DPPAIR_ROWS_ *rows_a, const DPPAIR_ROWS_ *rows_b,
                           const DPPAIR_REAL *w, const size_t *i, const size_t *j,
                           const double *weight, size_t m, const dppair_options *options) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_pairs_gradient,
                   (g, rows_a, rows_b, w, i, j, weight, m, options));
  return status;
}

/* g[d][d] = the same sum for the pair gradients of a metric (NAME_form_gradient), pair k being
 * records i[k] and j[k] of one block with labels. O(m d^2), in blocks of pairs. work: as
 * NAME_form_workspace(2, d, d, pass) says. Errors as above, and SIZE (d epsilon > 1/4), OVERFLOW (W
 * or the offset). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_pairs(
    double *g, const DPPAIR_ROWS_ *rows, const double *w, double offset, const size_t *i,
    const size_t *j, const double *weight, size_t m, const dppair_options *options) {
  dppair_status status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_form_pairs, (g, rows, w, offset, i, j, weight, m, options));
  return status;
}

/* NAME_form_error, for at most `rows` rows and sums over ordered pairs whose weights are `mass` in
 * sum. With weights of records that of a pair rounds four times more, which the 16 and the 512
 * leave room for. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_form_error_of_(double *error, double rows, double mass,
                                                    size_t d, double radius, double slope,
                                                    double scale) {
  const double u = 0.5 * DBL_EPSILON;
  const double chain = DPPAIR_TEMPLATE_F64_ ? rows : (double)(DPPAIR_TILE_ + DPT_W + 16);
  double relative, tiny;
  if (!error) return DPPAIR_ERR_NULL;
  *error = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (rows < 2.0 || d < 1) return DPPAIR_ERR_SIZE;
  if (!(radius >= 0.0 && slope >= 0.0 && scale >= 0.0) || !dppair_isfinite_f64(radius) ||
      !dppair_isfinite_f64(slope) || !dppair_isfinite_f64(scale))
    return DPPAIR_ERR_DOMAIN;
  relative = 1.01 * (chain * 0.5 * (double)DPT_EPSILON + (4.0 * rows + 512.0) * u);
  if (relative > 0.01) return DPPAIR_ERR_SIZE;
  tiny = rows * rows / mass * (8.0 * (double)d * (1.0 + radius) * (double)DPT_MIN);
  *error = scale * mass * (slope * radius * radius * relative + tiny);
  *error *= 1.0 + 1e-12;
  if (dppair_isfinite_f64(*error)) return DPPAIR_OK;
  *error = 0.0;
  return DPPAIR_ERR_OVERFLOW;
}

/*
 * What arithmetic adds to the sensitivity of a form: *error = an upper bound, from public numbers
 * alone, of the Frobenius norm of
 *
 *   (computed gradient of NAME_form_gradient)
 *     - sum over i < j of (the computed weight) times (the exact v v^T, or its like),
 *
 * for n rows of d numbers of norm at most `radius`, which a factor of a row does not raise (top of
 * the chapter), and weights of size at most `slope`. v v^T is that of the rows as they are rounded.
 * scale is 1 for W and 2 |L|_F for a factor L. A computed weight is a function of its two records
 * alone, within 4 units in the last place of phi' at a margin that differs by rounding. So proofs
 * that use only the range of the weights hold with slope (1 + 4 epsilon). Add *error twice to a
 * sensitivity of the sum for the rest. For n = 1000 it is 0.4 % of that in float (in proportion to
 * n), and 2e-10 in double.
 *
 * Derivation. |G - G'| <= 2 sum_i |x_i| |dH_i|, H_i = P_i - r_i x_i/2. A number of P_i is a sum of
 * chains of at most DPPAIR_TILE_ products (a single chain in double), r_i one of chains of DPT_W.
 * Each chain is within (its length) u of the sum of the sizes of its terms, which is at most slope
 * radius (n - 1) for P_i and slope (n - 1) for r_i. Sums of chains, H and X^T H are in double, with
 * 2 n + 128 steps. Underflow adds less than the smallest normal number per product.
 *
 * Errors zero it: NULL, ENVIRONMENT, SIZE (n < 2, d < 1, a relative error above 1/100), DOMAIN (an
 * argument that is negative or not finite), OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_error(double *error, size_t n, size_t d,
                                                                  double radius, double slope,
                                                                  double scale) {
  const double rows = (double)n;
  return DPPAIR_NAME_form_error_of_(error, rows, rows * rows, d, radius, slope, scale);
}

DPPAIR_FP_END_
/* ---- src/modules/metric/sensitivity.h -------------------------------------------------------
 * The sensitivity of an instance's gradients of forms
 *
 * Compiled only after dppair_losses.h. Relies on pairs/sensitivity.h, and on the error of a form.
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_HAVE_LOSSES_

DPPAIR_FP_BEGIN_

/* How far a pair of this form moves, and OK if that is bounded: what does not depend on how many
 * pairs there are, or how they are summed. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_form_moves_(dppair_moves_ *m, dppair_form form, size_t k,
                                                 size_t d, const dppair_bounds *bounds,
                                                 const dppair_options *options) {
  static const dppair_margin margins[] = {DPPAIR_MARGIN_metric, DPPAIR_MARGIN_factor,
                                          DPPAIR_MARGIN_similarity};
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  const double slack = (2.0 * (double)d + (double)k + 24.0) * epsilon;
  const dppair_loss_facts facts = DPT_FACTS;
  dppair_status status = dppair_clip_check_(options);
  if (status != DPPAIR_OK) return status;
  status = dppair_moves_find_(m, margins[form], &facts, options->params, bounds,
                              dppair_clip_bound_(options), HUGE_VAL, slack, 0.0);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(m->slope) || !dppair_isfinite_f64(bounds->radius) ||
      (form == DPPAIR_FORM_FACTOR && !dppair_isfinite_f64(bounds->param_radius)))
    return DPPAIR_ERR_NO_PROOF;
  return DPPAIR_RANGE_ == 2 ? DPPAIR_NAME_spot_(m, options->params) : DPPAIR_OK;
}

/*
 * NAME_sensitivity for NAME_form_gradient, whose sum over i < j is divided by the same divisor; for
 * a matching, for NAME_form_pairs of its m/2 pairs. w has d rows of k numbers (k = d but for a
 * factor). bounds: radius as there, but finite; param_radius: |W|_F or |L|_F; offset: b. A metric
 * counts as one whose W need not be positive semidefinite. options->fast is not read.
 *
 * A record of a query is null by its weight, in its place, since the query's size is public. A clip
 * takes no weights; then the move under DPPAIR_ZERO_OUT is that of a replaced record, whatever row
 * stands for the null one.
 *
 * Proof: as there, and the error of a form, twice. A margin is a sum of at most four chains of
 * products, each of at most 2 d + k roundings.
 *
 * Errors as there; NO_PROOF also for slopes without a bound, clipped or not, and for a factor
 * without param_radius; DOMAIN also for no such form or a k that is not d.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_sensitivity(
    double *sensitivity, dppair_form form, size_t k, size_t d, const dppair_bounds *bounds,
    const dppair_sampling *sampling, const dppair_options *options) {
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  const int factored = form == DPPAIR_FORM_FACTOR;
  dppair_sampling charged;
  double factor, rounding, mass;
  dppair_grouped_ groups, *u;
  dppair_moves_ m;
  dppair_status status = DPPAIR_OK;
  size_t count;
  if (!sensitivity) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  if (!bounds || !sampling || !options) return DPPAIR_ERR_NULL;
  if (options->groups && options->groups->relation == DPPAIR_ACROSS && options->clip)
    return DPPAIR_ERR_NO_PROOF;
  if (options->groups) status = dppair_groups_fit_(options->groups, 1);
  if (status != DPPAIR_OK) return status;
  if ((unsigned)form > (unsigned)DPPAIR_FORM_SIMILARITY || (k != d && !factored))
    return DPPAIR_ERR_DOMAIN;
  u = DPPAIR_NAME_units_(&groups, options->groups, sampling, 1);
  status = dppair_moves_count_(&count, sampling, u);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_form_moves_(&m, form, k, d, bounds, options);
  if (status == DPPAIR_OK)
    status = dppair_allowance_(&factor, &rounding, NULL, epsilon, count, 0.0, 0.0);
  if (status != DPPAIR_OK) return status;
  if (sampling->kind == DPPAIR_MATCHING) {
    factor += 8.0 * epsilon;
    status = dppair_pairs_allowance_(&rounding, count / 2, count, m.norm * factor);
  } else {
    mass = u && !u->across ? 2.0 * (double)u->all : (double)count * (double)count;
    status =
        DPPAIR_NAME_form_error_of_(&rounding, u ? u->most : (double)count, mass, d, bounds->radius,
                                   m.slope * factor, factored ? 2.0 * bounds->param_radius : 1.0);
    rounding *= 2.0;
  }
  if (status != DPPAIR_OK) return status;
  if (u) factor *= 1.0 + 8.0 * DBL_EPSILON;
  if (!u || u->across) return dppair_moves_sampled_(sensitivity, &m, sampling, factor, rounding);
  charged = *sampling;
  if (options->clip && charged.adjacency == DPPAIR_ZERO_OUT) charged.adjacency = DPPAIR_REPLACE_ONE;
  return dppair_moves_within_(sensitivity, &m, &charged, u, factor, rounding);
}

DPPAIR_FP_END_

#endif /* DPPAIR_HAVE_LOSSES_ */
/* ---- src/modules/metric/blocks.h ------------------------------------------------------------
 * Forms in blocks of rows
 *
 * The gradient of a form over all pairs of records that no one process holds: the pairs of two
 * blocks of rows at a time, wherever they are computed, added to a dppair_sum. Compiled only after
 * dppair_losses.h. Public functions are written NAME_x in comments and DPPAIR_NAME_x in the code.
 * NOT PRIVATE: such a sum is as secret as the records; NAME_release_form_sum adds noise.
 *
 *   dppair_ring ring = {DPPAIR_FORM_METRIC, n, 1024, d, d, w, 1.0, 1.0};    on every process alike
 *   NAME_form_sum_open(&sum, &ring, &options, room, size);         dppair_sum_workspace of d k + 1
 *   NAME_form_block(&sum, &ring, i, &a, j, &b, &options);          for all i < j, by whoever has both
 *   NAME_form_block(&sum, &ring, i, &a, i, NULL, &options);        and for all i
 *   dppair_sum_add(&sum, &other);                               of the other processes
 *   NAME_release_form_sum(g, &release, &sum, &ring, &options);
 *
 * Traffic. P processes in a ring, each with n/P rows, hand their rows on floor(P/2) times: about
 * n/2 rows leave a process, (d + 1) numbers each (a factor and a weight, where rows have one, are 8
 * bytes more each), then 16 (d k + 1) bytes of its sum. Time: that of NAME_form_gradient over P,
 * with blocks of 20 d rows about a seventh more, of 5 d twice as much.
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_HAVE_LOSSES_

DPPAIR_FP_BEGIN_

/* What public numbers say of a ring. */
typedef struct DPPAIR_NAME_ring_ {
  dppair_moves_ m;
  double factor;   /* what rounded slopes add to a move */
  double error;    /* of one addend, as computed */
  double bound;    /* of its numbers */
  double unit;     /* what they are rounded to */
  size_t size;     /* d k */
  uint64_t digest; /* of the ring and the pass */
} DPPAIR_NAME_ring_;

/* Checks a ring and options, but for the numbers in w and the offset. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_ring_check_(const dppair_ring *ring,
                                                 const dppair_options *options) {
  if (!ring || !options) return DPPAIR_ERR_NULL;
  if (ring->n < 2 || ring->block < 1 || ring->d < 1 || ring->k < 1) return DPPAIR_ERR_SIZE;
  if (ring->block > SIZE_MAX / 4 || dppair_area_(dppair_area_(ring->d, ring->k), 16) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  if ((unsigned)ring->form > (unsigned)DPPAIR_FORM_SIMILARITY ||
      (ring->k != ring->d && ring->form != DPPAIR_FORM_FACTOR))
    return DPPAIR_ERR_DOMAIN;
  if (dppair_clip_check_(options) != DPPAIR_OK) return DPPAIR_ERR_WORKSPACE;
  if (!ring->w) return DPPAIR_ERR_NULL;
  if (options->groups || !(ring->radius > 0.0) || !dppair_isfinite_f64(ring->radius))
    return DPPAIR_ERR_NO_PROOF;
  return DPPAIR_OK;
}

/* A digest of all that makes an addend but the rows: the numbers of the ring, w, the loss as 16 of
 * its slopes. It finds accidents, not forgers. Never 0. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_ring_digest_(uint64_t *digest, const dppair_ring *ring,
                                                  const dppair_options *options) {
  const uint64_t sizes[] = {(uint64_t)ring->form,
                            ring->n,
                            ring->block,
                            ring->d,
                            ring->k,
                            sizeof(DPPAIR_REAL),
                            dppair_bits_f64_(ring->offset),
                            dppair_bits_f64_(ring->radius),
                            dppair_bits_f64_(dppair_clip_bound_(options))};
  DPPAIR_REAL s[16], zero = 0;
  double slope[16], sum;
  dppair_status status;
  size_t e;
  for (e = 0; e < 16; e++) s[e] = (DPPAIR_REAL)(0.375 * ((double)e - 7.0));
  status = DPPAIR_NAME_coeffs(slope, &sum, s, 16, &zero, 1, options->params);
  *digest = 1;
  for (e = 0; e < sizeof sizes / sizeof *sizes; e++)
    *digest = dppair_digest_add_(*digest, sizes[e]);
  for (e = 0; e < ring->d * ring->k; e++)
    *digest = dppair_digest_add_(*digest, dppair_bits_f64_(ring->w[e]));
  for (e = 0; e < 16; e++) *digest = dppair_digest_add_(*digest, dppair_bits_f64_(slope[e]));
  *digest |= 1;
  return status == DPPAIR_ERR_NOT_FINITE ? DPPAIR_ERR_NO_PROOF : status;
}

/* Checks all public arguments and fills *r from them. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_ring_open_(DPPAIR_NAME_ring_ *r,
                                                                  const dppair_ring *ring,
                                                                  const dppair_options *options) {
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  dppair_status status = DPPAIR_NAME_ring_check_(ring, options);
  dppair_bounds bounds;
  double rows, scale, rounding;
  int e;
  memset(r, 0, sizeof *r);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  r->size = ring->d * ring->k;
  if (!dppair_all_finite_f64(ring->w, r->size) || !dppair_isfinite_f64(ring->offset))
    return DPPAIR_ERR_NOT_FINITE;
  memset(&bounds, 0, sizeof bounds);
  bounds.radius = ring->radius;
  bounds.offset = ring->offset;
  bounds.param_radius =
      dppair_norm_f64(ring->w, r->size) * (1.0 + ((double)r->size + 16.0) * DBL_EPSILON);
  if (!dppair_isfinite_f64(bounds.param_radius)) return DPPAIR_ERR_OVERFLOW;
  status = DPPAIR_NAME_form_moves_(&r->m, ring->form, ring->k, ring->d, &bounds, options);
  if (status == DPPAIR_OK)
    status = dppair_allowance_(&r->factor, &rounding, NULL, epsilon, ring->n, 0.0, 0.0);
  if (status != DPPAIR_OK) return status;
  rows = (double)(ring->block < ring->n ? ring->block : ring->n);
  scale = ring->form == DPPAIR_FORM_FACTOR ? 2.0 * bounds.param_radius : 1.0;
  status = DPPAIR_NAME_form_error_of_(&r->error, 2.0 * rows, 2.0 * rows * rows, ring->d,
                                      ring->radius, r->m.slope * r->factor, scale);
  if (status != DPPAIR_OK) return status;
  r->bound = (rows * rows * r->m.norm * r->factor + r->error) * (1.0 + 1e-9);
  if (!dppair_isfinite_f64(r->bound)) return DPPAIR_ERR_OVERFLOW;
  (void)dppair_frexp_(r->bound, &e);
  r->unit = dppair_ldexp_(1.0, e - 50);
  return DPPAIR_NAME_ring_digest_(&r->digest, ring, options);
}

/* *bytes = the workspace of NAME_form_block. It does not depend on n. Errors zero it: NULL, SIZE
 * (n < 2; block, d or k 0), DOMAIN (form, k), WORKSPACE (the clip), NO_RADIUS, NO_PROOF (groups),
 * OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_block_workspace(
    size_t *bytes, const dppair_ring *ring, const dppair_options *options) {
  DPPAIR_NAME_tiles_ t;
  size_t blocks, room;
  dppair_status status;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = DPPAIR_NAME_ring_check_(ring, options);
  if (status != DPPAIR_OK) return status;
  blocks = DPT_BLOCKS(ring->block < ring->n ? ring->block : ring->n);
  room = (ring->d * ring->k + 1) * sizeof(double) + 128;
  *bytes = DPPAIR_NAME_tiles_sizes_(&t, ring->form, 2 * blocks, blocks * DPT_W, ring->d, ring->k, 1,
                                    options->clip != NULL, 1, NULL);
  if (*bytes < SIZE_MAX - room) {
    *bytes += room;
    return DPPAIR_OK;
  }
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* Makes *sum the sum over no pair of blocks yet. `bytes` bytes of workspace, as
 * dppair_sum_workspace says for d k + 1 numbers, must live as long as *sum: the last one is a tally
 * that finds pairs of blocks that are missing or come twice. Errors zero *sum: those of
 * NAME_form_block_workspace and NAME_form_sensitivity; NOT_FINITE (w, offset), WORKSPACE,
 * ENVIRONMENT. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_sum_open(dppair_sum *sum,
                                                                     const dppair_ring *ring,
                                                                     const dppair_options *options,
                                                                     void *work, size_t bytes) {
  DPPAIR_NAME_ring_ r;
  dppair_status status;
  if (!sum) return DPPAIR_ERR_NULL;
  memset(sum, 0, sizeof *sum);
  status = DPPAIR_NAME_ring_open_(&r, ring, options);
  if (status == DPPAIR_OK) status = dppair_sum_open(sum, r.size + 1, r.bound, work, bytes);
  if (status != DPPAIR_OK) return status;
  sum->radius = ring->radius;
  sum->digest = r.digest;
  return DPPAIR_OK;
}

/* Is this a sum of NAME_form_sum_open for a ring and options of this digest? */
DPPAIR_FN_ int DPPAIR_NAME_ring_fits_(const dppair_sum *sum, size_t size, uint64_t digest) {
  return dppair_sum_check_(sum) == DPPAIR_OK && sum->size == size + 1 && sum->digest == digest;
}

/* Are these the rows of block i, as far as public numbers tell? */
DPPAIR_FN_ dppair_status DPPAIR_NAME_ring_rows_(const dppair_ring *ring, size_t i,
                                                const DPPAIR_ROWS_ *rows,
                                                const dppair_options *options) {
  if (!rows) return DPPAIR_ERR_NULL;
  if (rows->n != dppair_ring_rows(ring, i) || rows->n == 0 || rows->nulls > rows->n ||
      rows->d != ring->d || rows->ld < rows->d)
    return DPPAIR_ERR_SIZE;
  if (dppair_area_(dppair_area_(rows->n, rows->ld), sizeof(double)) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  if (!rows->x || !rows->y) return DPPAIR_ERR_NULL;
  if (!(dppair_fabs_(rows->radius - ring->radius) <= 0.0) ||
      (rows->weight && (!DPPAIR_WEIGHTS || options->clip)))
    return DPPAIR_ERR_NO_PROOF;
  return DPPAIR_OK;
}

/*
 * *sum += the gradient of a form over the pairs of a record of block i and one of block j > i; over
 * all pairs of block i where j = i, and then b is NULL. All pairs i <= j, each once, in any order
 * and by any process, make the sum over all pairs of records (NAME_form_gradient).
 *
 *   a, b   the rows of blocks i and j, with labels: dppair_ring_rows of them, of the radius of the
 *          ring. Weights, as NAME_form_gradient takes them
 *   options params, clip; work: NAME_form_block_workspace. Not read: fast, parts. Threads compute
 *          pairs of blocks each, into sums of their own
 *
 * sum->count grows by the number of pairs of places. The bits do not depend on who computed what,
 * on the tiers that compute with fused multiply-adds.
 *
 * Errors leave *sum as it is. Before a record is read: NULL (b where i < j, too), SIZE (i > j, no
 * such block, rows that are not of its size; b where i = j), NO_PROOF (another radius, weights with
 * a clip, groups), WORKSPACE (too little; a sum that is not of this ring, this w, this pass), those
 * of NAME_form_sum_open. Then, with rows from dppair_rows_clip, none; else NOT_FINITE.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_block(dppair_sum *sum,
                                                                  const dppair_ring *ring, size_t i,
                                                                  const DPPAIR_ROWS_ *a, size_t j,
                                                                  const DPPAIR_ROWS_ *b,
                                                                  const dppair_options *options) {
  uint64_t tally[2] = {0, 0}, digest;
  dppair_options inner;
  size_t needed, size;
  double *g;
  dppair_status status = DPPAIR_NAME_form_block_workspace(&needed, ring, options);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK) status = DPPAIR_NAME_ring_digest_(&digest, ring, options);
  if (status != DPPAIR_OK) return status;
  if (i > j || (i == j && b)) return DPPAIR_ERR_SIZE;
  size = ring->d * ring->k;
  if (!DPPAIR_NAME_ring_fits_(sum, size, digest))
    return sum ? DPPAIR_ERR_WORKSPACE : DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_ring_rows_(ring, i, a, options);
  if (status == DPPAIR_OK && i < j) status = DPPAIR_NAME_ring_rows_(ring, j, b, options);
  if (status == DPPAIR_OK && !options->work) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK && options->bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status != DPPAIR_OK) return status;
  g = (double *)(void *)dppair_align_(options->work);
  memset(g, 0, (size + 1) * sizeof *g);
  inner = *options;
  inner.work = g + size + 1;
  inner.bytes = options->bytes - (size + 1) * sizeof *g - 64;
  if (b ? a->n > a->nulls && b->n > b->nulls : a->n > 1) {
    const DPPAIR_NAME_form_ q = {
        ring->form, a, b, ring->w, ring->k, ring->offset, dppair_clip_bound_(options), 1, &inner};
    DPPAIR_DISPATCH_(status = DPPAIR_NAME_form_block, (g, &q));
    if (status != DPPAIR_OK) return status;
  }
  dppair_sum_vector_(sum, g);
  tally[0] = dppair_ring_mark_(i) * dppair_ring_mark_(j);
  dppair_words_add(sum->words + 2 * size, tally, 1);
  sum->count += b ? (uint64_t)a->n * b->n : (uint64_t)a->n * (a->n - 1) / 2;
  return DPPAIR_OK;
}

/* NAME_form_sum_sensitivity of a ring that is open. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_ring_sensitivity_(double *sensitivity,
                                                       const DPPAIR_NAME_ring_ *r,
                                                       const dppair_ring *ring,
                                                       const dppair_sampling *sampling) {
  const double error = (double)dppair_ring_blocks(ring) *
                       (r->error + 0.5 * r->unit * dppair_sqrt_((double)r->size) * (1.0 + 1e-12));
  size_t count;
  const dppair_status status = dppair_moves_count_(&count, sampling, NULL);
  *sensitivity = 0.0;
  if (status != DPPAIR_OK) return status;
  if (sampling->kind != DPPAIR_ALL) return DPPAIR_ERR_NO_PROOF;
  if (count != ring->n) return DPPAIR_ERR_SIZE;
  return dppair_moves_sampled_(sensitivity, &r->m, sampling, r->factor,
                               2.0 * error * (1.0 + 1e-12));
}

/*
 * *sensitivity = NAME_form_sensitivity for what all pairs of blocks of a ring add up to, divided by
 * the divisor of the sampling, which must be DPPAIR_ALL of the ring's n records.
 *
 * A record that is replaced is replaced in its place: rows of other blocks, and their places in
 * these, stay. That is what the blocks of a file or of ranks are, as long as no one sorts records
 * by what is in them.
 *
 * Proof. The addends of the pairs of blocks without the record have the same bits in both data
 * sets. Those of its block with each of the m blocks, itself included, are a sum of the gradients
 * of 2 block n ordered pairs at most: off by NAME_form_error of 2 block rows in m parts, and by
 * half a unit a number, for either data set. What is left is the move of the exact gradients at the
 * computed weights, as there. So rounding counts with block n pairs instead of n^2, and its part of
 * the sensitivity does not grow with n.
 *
 * Errors zero it: those of NAME_form_sum_open and NAME_form_sensitivity; NO_PROOF (another
 * sampling), SIZE (another n).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_form_sum_sensitivity(double *sensitivity, const dppair_ring *ring,
                                 const dppair_sampling *sampling, const dppair_options *options) {
  DPPAIR_NAME_ring_ r;
  dppair_status status;
  if (!sensitivity) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  if (!sampling) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_ring_open_(&r, ring, options);
  if (status != DPPAIR_OK) return status;
  return DPPAIR_NAME_ring_sensitivity_(sensitivity, &r, ring, sampling);
}

DPPAIR_FP_END_

#endif /* DPPAIR_HAVE_LOSSES_ */

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
/* ---- src/modules/metric/release.h -----------------------------------------------------------
 * Releases of an instance's forms
 *
 * As NAME_release (release/template.h), of metrics, factors and similarities.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* As NAME_release_work_, of a form. */
DPPAIR_OUT_OF_LINE_ dppair_status DPPAIR_NAME_release_form_work_(double *g, dppair_form form,
                                                                 const DPPAIR_ROWS_ *rows,
                                                                 const double *w, size_t k,
                                                                 double offset,
                                                                 const dppair_options *options) {
  return DPPAIR_NAME_form_gradient(g, form, rows, w, k, offset, options);
}

/* The public checks of NAME_release_form, and its noise. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_release_form_open_(dppair_release_terms_ *terms,
                                                        const dppair_release *release,
                                                        dppair_form form, const DPPAIR_ROWS_ *rows,
                                                        const double *w, size_t k, double offset,
                                                        const dppair_options *options) {
  dppair_bounds bounds;
  size_t needed, most;
  dppair_status status = DPPAIR_NAME_release_units_(&most, release, rows, options, 1);
  if (status != DPPAIR_OK) return status;
  if (!w || !options || (rows->n && (!rows->x || !rows->y))) return DPPAIR_ERR_NULL;
  if (!DPPAIR_WEIGHTS && dppair_all_alike_(rows->weight, options) != DPPAIR_OK)
    return DPPAIR_ERR_NO_PROOF;
  if (rows->weight && options->clip) return DPPAIR_ERR_NO_PROOF;
  if (rows->d == 0 || k == 0 || rows->ld < rows->d || rows->nulls > rows->n) return DPPAIR_ERR_SIZE;
  status = DPT_ROWS_SHORT(rows);
  if (status != DPPAIR_OK) return status;
  if (form != DPPAIR_FORM_FACTOR && k != rows->d) return DPPAIR_ERR_DOMAIN;
  if (release->sampling.kind == DPPAIR_MATCHING) return DPPAIR_ERR_NO_PROOF;
  status = DPPAIR_NAME_form_workspace(&needed, most < 2 ? 2 : most, rows->d, k, options);
  if (status == DPPAIR_OK && options->bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK && !options->work) status = DPPAIR_ERR_NULL;
  if (status != DPPAIR_OK) return status;
  terms->bytes = needed;
  memset(&bounds, 0, sizeof bounds);
  bounds.radius = rows->radius;
  bounds.param_radius = dppair_release_norm_(w, rows->d * k, 0);
  bounds.offset = offset;
  if (!dppair_isfinite_f64(bounds.param_radius) || !dppair_isfinite_f64(offset))
    return DPPAIR_ERR_NOT_FINITE;
  status = DPPAIR_NAME_form_sensitivity(&terms->sensitivity, form, k, rows->d, &bounds,
                                        &release->sampling, options);
  if (status != DPPAIR_OK) return status;
  if (form != DPPAIR_FORM_FACTOR) /* packing rounds each number by 3 units of a sum within n S */
    terms->sensitivity *= 1.0 + (4.0 * (double)release->sampling.n + 4.0) * DBL_EPSILON;
  return DPPAIR_NAME_price_(terms, release, rows->d * k, bounds.radius * bounds.radius,
                            DPPAIR_NAME_release_nulls_(release, rows, options, 1), options);
}

/* The end of a form's release: a sum g[d][k] is divided and gets its noise, in d(d+1)/2 coordinates
 * where it is symmetric; it is zeroed if it failed. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_release_matrix_(double *g, dppair_form form, size_t d,
                                                     size_t k, dppair_release *release,
                                                     dppair_status status) {
  if (form == DPPAIR_FORM_FACTOR || status != DPPAIR_OK)
    return dppair_release_sum_(g, d * k, release, status);
  dppair_release_pack_(g, k);
  status = dppair_release_sum_(g, k * (k + 1) / 2, release, status);
  if (status == DPPAIR_OK)
    dppair_release_unpack_(g, k);
  else
    memset(g, 0, d * k * sizeof *g);
  return status;
}

/*
 * g[d][k] = the gradient of NAME_form_gradient, divided by the divisor of the plan's sampling, with
 * the noise of this step. That gradient counts each pair once and the divisor counts both orders:
 * it is half of the mean over ordered pairs, and so is its sensitivity. The gradient of a metric W
 * or a similarity is symmetric; its noise is added in d(d+1)/2 coordinates in which norms are those
 * of the matrix, and the result is symmetric: less noise than in d^2 numbers.
 *
 *   rows      with labels y, which may be private: those that are not finite are one class, and
 *             none causes an error; else as for NAME_release. A batch of fewer than two records has
 *             the gradient 0
 *   w, k, offset, pass   as NAME_form_gradient takes them; work: NAME_form_workspace of n records,
 *             also where the plan draws a random number of them
 *
 * S is NAME_form_sensitivity at rows->radius, the Frobenius norm of w and the offset. Errors zero
 * g: those of NAME_release; DOMAIN (k is not d), SIZE (k = 0).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_form(
    double *g, dppair_release *release, dppair_form form, const DPPAIR_ROWS_ *rows, const double *w,
    size_t k, double offset, const dppair_options *options) {
  dppair_release_terms_ terms;
  size_t size;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  size = dppair_area_(rows->d, k);
  status = dppair_array_(g, size);
  if (status != DPPAIR_OK) return status;
  if (size) memset(g, 0, size * sizeof *g);
  status = DPPAIR_NAME_release_form_open_(&terms, release, form, rows, w, k, offset, options);
  if (status == DPPAIR_OK)
    status = dppair_release_apart_(g, size, options->work, &terms, w, size * sizeof *w);
  if (status == DPPAIR_OK) status = dppair_rows_apart_ROW_(g, size, rows);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  if (rows->n > 1) status = DPPAIR_NAME_release_form_work_(g, form, rows, w, k, offset, options);
  status = DPPAIR_NAME_release_matrix_(g, form, rows->d, k, release, status);
  return dppair_release_forget_(options->work, &terms, status);
}

DPPAIR_FP_END_
/* ---- src/modules/metric/release_blocks.h ----------------------------------------------------
 * The release of a form that was summed in blocks
 *
 * As release/template.h for blocks.h: for each instance, after dppair_losses.h,
 * dppair_noise.h and dppair_accountant.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The public checks of NAME_release_form_sum, and its noise. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_release_ring_open_(dppair_release_terms_ *terms,
                                                        const dppair_release *release,
                                                        const dppair_sum *sum,
                                                        const dppair_ring *ring,
                                                        const dppair_options *options) {
  DPPAIR_NAME_ring_ r;
  size_t most;
  dppair_status status = DPPAIR_NAME_ring_open_(&r, ring, options);
  if (status != DPPAIR_OK) return status;
  status = dppair_release_rows_(&most, release, ring->n, ring->radius,
                                release ? dppair_release_serial_(release) : 0);
  if (status != DPPAIR_OK) return status;
  if (!DPPAIR_NAME_ring_fits_(sum, r.size, r.digest))
    return sum ? DPPAIR_ERR_WORKSPACE : DPPAIR_ERR_NULL;
  if (sum->count != dppair_ring_pairs_(ring->n) ||
      sum->words[2 * r.size] != dppair_ring_tally_(dppair_ring_blocks(ring)))
    return DPPAIR_ERR_SIZE;
  status = DPPAIR_NAME_ring_sensitivity_(&terms->sensitivity, &r, ring, &release->sampling);
  if (status != DPPAIR_OK) return status;
  /* the sum, within n S, is rounded to double, and by 3 units where it is packed */
  terms->sensitivity *= 1.0 + (4.0 * (double)ring->n + 6.0) * DBL_EPSILON;
  return DPPAIR_NAME_price_(terms, release, r.size, ring->radius * ring->radius, 0, options);
}

/*
 * NAME_release_form of a sum of all pairs of blocks: g[d][k], divided, with the noise of this step.
 * The plan is one of all n records (dppair_sampling_all), without users. S is
 * NAME_form_sum_sensitivity.
 *
 * Errors zero g, and use no paid release: those of NAME_release_form; SIZE (n is not the plan's;
 * pairs of blocks that are missing or were added twice); WORKSPACE (a sum that is not of this ring,
 * this w, this pass). Then none, with rows from dppair_rows_clip.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_release_form_sum(double *g, dppair_release *release, const dppair_sum *sum,
                             const dppair_ring *ring, const dppair_options *options) {
  dppair_release_terms_ terms;
  size_t size, e;
  dppair_status status;
  if (!ring) return DPPAIR_ERR_NULL;
  size = dppair_area_(ring->d, ring->k);
  status = dppair_array_(g, size);
  if (status != DPPAIR_OK) return status;
  if (size) memset(g, 0, size * sizeof *g);
  status = DPPAIR_NAME_release_ring_open_(&terms, release, sum, ring, options);
  if (status == DPPAIR_OK) status = dppair_apart_(g, size, sum->words, 16 * (size + 1));
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  for (e = 0; e < size; e++) g[e] = dppair_word_value_(sum->words + 2 * e, sum->unit);
  return DPPAIR_NAME_release_matrix_(g, ring->form, ring->d, ring->k, release, DPPAIR_OK);
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
#elif !defined(DPPAIR_METRIC_H)
#define DPPAIR_METRIC_H

#ifdef DPPAIR_HAS_INSTANCES_
#error "Include dppair_metric.h before dppair.h makes an instance: earlier ones have none of it."
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

/* ---- src/modules/metric/names.h -------------------------------------------------------------
 * Names of forms and listed pairs: as simd/names.h
 * ---------------------------------------------------------------------------------------------- */

/* An instance. */
#define DPPAIR_NAME_form_ DPPAIR_NAME_OF_(_form_)
#define DPPAIR_NAME_form_block DPPAIR_NAME_OF_(_form_block)
#define DPPAIR_NAME_form_block_workspace DPPAIR_NAME_OF_(_form_block_workspace)
#define DPPAIR_NAME_form_error DPPAIR_NAME_OF_(_form_error)
#define DPPAIR_NAME_form_error_of_ DPPAIR_NAME_OF_(_form_error_of_)
#define DPPAIR_NAME_form_gradient DPPAIR_NAME_OF_(_form_gradient)
#define DPPAIR_NAME_form_moves_ DPPAIR_NAME_OF_(_form_moves_)
#define DPPAIR_NAME_form_pairs DPPAIR_NAME_OF_(_form_pairs)
#define DPPAIR_NAME_form_risk_not_private DPPAIR_NAME_OF_(_form_risk_not_private)
#define DPPAIR_NAME_form_sensitivity DPPAIR_NAME_OF_(_form_sensitivity)
#define DPPAIR_NAME_form_sum_open DPPAIR_NAME_OF_(_form_sum_open)
#define DPPAIR_NAME_form_sum_sensitivity DPPAIR_NAME_OF_(_form_sum_sensitivity)
#define DPPAIR_NAME_form_within_ DPPAIR_NAME_OF_(_form_within_)
#define DPPAIR_NAME_form_workspace DPPAIR_NAME_OF_(_form_workspace)
#define DPPAIR_NAME_list_ DPPAIR_NAME_OF_(_list_)
#define DPPAIR_NAME_list_layout_ DPPAIR_NAME_OF_(_list_layout_)
#define DPPAIR_NAME_list_of_ DPPAIR_NAME_OF_(_list_of_)
#define DPPAIR_NAME_list_open_ DPPAIR_NAME_OF_(_list_open_)
#define DPPAIR_NAME_pairs_gradient DPPAIR_NAME_OF_(_pairs_gradient)
#define DPPAIR_NAME_pairs_workspace DPPAIR_NAME_OF_(_pairs_workspace)
#define DPPAIR_NAME_release_form DPPAIR_NAME_OF_(_release_form)
#define DPPAIR_NAME_release_form_open_ DPPAIR_NAME_OF_(_release_form_open_)
#define DPPAIR_NAME_release_form_sum DPPAIR_NAME_OF_(_release_form_sum)
#define DPPAIR_NAME_release_form_work_ DPPAIR_NAME_OF_(_release_form_work_)
#define DPPAIR_NAME_release_matrix_ DPPAIR_NAME_OF_(_release_matrix_)
#define DPPAIR_NAME_release_ring_open_ DPPAIR_NAME_OF_(_release_ring_open_)
#define DPPAIR_NAME_ring_ DPPAIR_NAME_OF_(_ring_)
#define DPPAIR_NAME_ring_check_ DPPAIR_NAME_OF_(_ring_check_)
#define DPPAIR_NAME_ring_digest_ DPPAIR_NAME_OF_(_ring_digest_)
#define DPPAIR_NAME_ring_fits_ DPPAIR_NAME_OF_(_ring_fits_)
#define DPPAIR_NAME_ring_open_ DPPAIR_NAME_OF_(_ring_open_)
#define DPPAIR_NAME_ring_rows_ DPPAIR_NAME_OF_(_ring_rows_)
#define DPPAIR_NAME_ring_sensitivity_ DPPAIR_NAME_OF_(_ring_sensitivity_)
#define DPPAIR_NAME_tiles_ DPPAIR_NAME_OF_(_tiles_)
#define DPPAIR_NAME_tiles_alike_ DPPAIR_NAME_OF_(_tiles_alike_)
#define DPPAIR_NAME_tiles_begin_ DPPAIR_NAME_OF_(_tiles_begin_)
#define DPPAIR_NAME_tiles_check_ DPPAIR_NAME_OF_(_tiles_check_)
#define DPPAIR_NAME_tiles_fetch_ DPPAIR_NAME_OF_(_tiles_fetch_)
#define DPPAIR_NAME_tiles_fill_ DPPAIR_NAME_OF_(_tiles_fill_)
#define DPPAIR_NAME_tiles_first_ DPPAIR_NAME_OF_(_tiles_first_)
#define DPPAIR_NAME_tiles_fits_ DPPAIR_NAME_OF_(_tiles_fits_)
#define DPPAIR_NAME_tiles_layout_ DPPAIR_NAME_OF_(_tiles_layout_)
#define DPPAIR_NAME_tiles_open_ DPPAIR_NAME_OF_(_tiles_open_)
#define DPPAIR_NAME_tiles_open_pairs_ DPPAIR_NAME_OF_(_tiles_open_pairs_)
#define DPPAIR_NAME_tiles_part_ DPPAIR_NAME_OF_(_tiles_part_)
#define DPPAIR_NAME_tiles_reach_ DPPAIR_NAME_OF_(_tiles_reach_)
#define DPPAIR_NAME_tiles_rows_ DPPAIR_NAME_OF_(_tiles_rows_)
#define DPPAIR_NAME_tiles_sizes_ DPPAIR_NAME_OF_(_tiles_sizes_)
#define DPPAIR_NAME_tiles_symmetric_ DPPAIR_NAME_OF_(_tiles_symmetric_)

/* An instance on one tier. */
#define DPPAIR_NAME_form_block_TIER DPPAIR_NAME_TIER_OF_(_form_block)
#define DPPAIR_NAME_form_gradient_TIER DPPAIR_NAME_TIER_OF_(_form_gradient)
#define DPPAIR_NAME_form_pairs_TIER DPPAIR_NAME_TIER_OF_(_form_pairs)
#define DPPAIR_NAME_form_risk_not_private_TIER DPPAIR_NAME_TIER_OF_(_form_risk_not_private)
#define DPPAIR_NAME_pairs_copied_TIER_ DPPAIR_NAME_TIER_OF_(_pairs_copied_)
#define DPPAIR_NAME_pairs_fetch_TIER_ DPPAIR_NAME_TIER_OF_(_pairs_fetch_)
#define DPPAIR_NAME_pairs_fma_TIER_ DPPAIR_NAME_TIER_OF_(_pairs_fma_)
#define DPPAIR_NAME_pairs_dot_TIER_ DPPAIR_NAME_TIER_OF_(_pairs_dot_)
#define DPPAIR_NAME_pairs_fold_TIER_ DPPAIR_NAME_TIER_OF_(_pairs_fold_)
#define DPPAIR_NAME_pairs_add_TIER_ DPPAIR_NAME_TIER_OF_(_pairs_add_)
#define DPPAIR_NAME_pairs_gradient_TIER DPPAIR_NAME_TIER_OF_(_pairs_gradient)
#define DPPAIR_NAME_pairs_linear_TIER_ DPPAIR_NAME_TIER_OF_(_pairs_linear_)
#define DPPAIR_NAME_pairs_metric_TIER_ DPPAIR_NAME_TIER_OF_(_pairs_metric_)
#define DPPAIR_NAME_pairs_pack_TIER_ DPPAIR_NAME_TIER_OF_(_pairs_pack_)
#define DPPAIR_NAME_pairs_push_TIER_ DPPAIR_NAME_TIER_OF_(_pairs_push_)
#define DPPAIR_NAME_pairs_rows_TIER_ DPPAIR_NAME_TIER_OF_(_pairs_rows_)
#define DPPAIR_NAME_pairs_slopes_TIER_ DPPAIR_NAME_TIER_OF_(_pairs_slopes_)
#define DPPAIR_NAME_tiles_close_TIER_ DPPAIR_NAME_TIER_OF_(_tiles_close_)
#define DPPAIR_NAME_tiles_gradient_TIER_ DPPAIR_NAME_TIER_OF_(_tiles_gradient_)
#define DPPAIR_NAME_tiles_limit_TIER_ DPPAIR_NAME_TIER_OF_(_tiles_limit_)
#define DPPAIR_NAME_tiles_margins_TIER_ DPPAIR_NAME_TIER_OF_(_tiles_margins_)
#define DPPAIR_NAME_tiles_mask_TIER_ DPPAIR_NAME_TIER_OF_(_tiles_mask_)
#define DPPAIR_NAME_tiles_norm_TIER_ DPPAIR_NAME_TIER_OF_(_tiles_norm_)
#define DPPAIR_NAME_tiles_prepare_TIER_ DPPAIR_NAME_TIER_OF_(_tiles_prepare_)
#define DPPAIR_NAME_tiles_push_TIER_ DPPAIR_NAME_TIER_OF_(_tiles_push_)
#define DPPAIR_NAME_tiles_risk_TIER_ DPPAIR_NAME_TIER_OF_(_tiles_risk_)
#define DPPAIR_NAME_tiles_share_TIER_ DPPAIR_NAME_TIER_OF_(_tiles_share_)
#define DPPAIR_NAME_tiles_slopes_TIER_ DPPAIR_NAME_TIER_OF_(_tiles_slopes_)
#define DPPAIR_NAME_tiles_sums_TIER_ DPPAIR_NAME_TIER_OF_(_tiles_sums_)
#define DPPAIR_NAME_tiles_task_TIER_ DPPAIR_NAME_TIER_OF_(_tiles_task_)
#define DPPAIR_NAME_tiles_values_TIER_ DPPAIR_NAME_TIER_OF_(_tiles_values_)
#define DPPAIR_NAME_tiles_weigh_TIER_ DPPAIR_NAME_TIER_OF_(_tiles_weigh_)
/* ---- src/modules/metric/shared.h ------------------------------------------------------------
 * Forms, their blocks and listed pairs: what all instances share
 * ---------------------------------------------------------------------------------------------- */

/* The pair forms of NAME_form_gradient. */
typedef enum dppair_form {
  DPPAIR_FORM_METRIC,    /* (x - x')^T W (x - x')   */
  DPPAIR_FORM_FACTOR,    /* the same with W = L L^T */
  DPPAIR_FORM_SIMILARITY /* x^T W x'                */
} dppair_form;

DPPAIR_FP_BEGIN_

/*
 * All pairs of n records, in blocks: record i of all is row i % block of block i / block, wherever
 * that block is. The pairs of two blocks are one addend of a dppair_sum: a function of their rows
 * and of these public numbers. So any order of the pairs of blocks, any process that computes one,
 * gives the same bits. Every process takes the same *ring.
 */
typedef struct dppair_ring {
  dppair_form form;
  size_t n,
      block;   /* records in all; rows of a block, but of the last one, which has what is left */
  size_t d, k; /* numbers of a row; columns of w: d but for a factor */
  const double *w; /* d rows of k numbers */
  double offset;
  double radius; /* of all rows: a public bound of their norms, positive */
} dppair_ring;

/* How many blocks there are. */
DPPAIR_API size_t dppair_ring_blocks(const dppair_ring *ring) {
  return ring && ring->block ? ring->n / ring->block + (ring->n % ring->block != 0) : 0;
}

/* The rows of block i; 0 where there is none. */
DPPAIR_API size_t dppair_ring_rows(const dppair_ring *ring, size_t i) {
  const size_t blocks = dppair_ring_blocks(ring);
  if (i >= blocks) return 0;
  return i + 1 < blocks ? ring->block : ring->n - (blocks - 1) * ring->block;
}

/* Pairs of n records, modulo 2^64. */
DPPAIR_FN_ uint64_t dppair_ring_pairs_(size_t n) {
  const uint64_t k = (uint64_t)n;
  return k % 2 ? k * ((k - 1) / 2) : k / 2 * (k - 1);
}

/* What block i is in the tally: a pair of blocks adds the product of theirs, modulo 2^64. */
DPPAIR_FN_ uint64_t dppair_ring_mark_(size_t i) { return dppair_digest_add_(0, (uint64_t)i) | 1; }

/* The tally of all pairs i <= j of so many blocks, each once. */
DPPAIR_FN_ uint64_t dppair_ring_tally_(size_t blocks) {
  uint64_t before = 0, tally = 0;
  size_t j;
  for (j = 0; j < blocks; j++) {
    before += dppair_ring_mark_(j);
    tally += before * dppair_ring_mark_(j);
  }
  return tally;
}

/* Listed pairs: pair k < m has row i[k] < na of xa and row j[k] < nb of xb, rows of d numbers whose
 * first ones are lda and ldb apart, and the weight weight[k] (1 if weight is NULL). */
typedef struct dppair_listed_ {
  const void *xa, *xb;
  size_t na, nb, d, lda, ldb;
  const size_t *i, *j;
  const double *weight;
  size_t m;
  size_t up, down; /* the rows of xa and of xb that are no null records */
  int nulls;       /* are there null records? */
} dppair_listed_;

/* How many of the pairs from k on, up to `most`, come before the first with a null record. */
DPPAIR_FN_ size_t dppair_pairs_there_(const dppair_listed_ *p, size_t k, size_t most) {
  const size_t end = p->m - k < most ? p->m : k + most, from = k;
  if (!p->nulls) return end - k;
  while (k < end && p->i[k] < p->up && p->j[k] < p->down) k++;
  return k - from;
}

/* Zeroes g[0..count), then checks the listed pairs, that w is not NULL, the clip, and that the pass
 * has `needed` bytes of workspace. Numbers in rows have at most 8 bytes. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_pairs_check_(double *g, size_t count,
                                                               const dppair_listed_ *p,
                                                               const void *w,
                                                               const dppair_options *options,
                                                               size_t needed) {
  size_t k, wrong = 0;
  if (!g) return DPPAIR_ERR_NULL;
  if (count > SIZE_MAX / sizeof *g) return DPPAIR_ERR_OVERFLOW;
  memset(g, 0, count * sizeof *g);
  if (!options) return DPPAIR_ERR_NULL;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (p->d < 1 || p->lda < p->d || p->ldb < p->d || p->up > p->na || p->down > p->nb)
    return DPPAIR_ERR_SIZE;
  if (!w || !options->work || ((!p->xa || !p->xb || !p->i || !p->j) && p->m))
    return DPPAIR_ERR_NULL;
  if (dppair_area_(dppair_area_(p->na, p->lda), 8) == SIZE_MAX ||
      dppair_area_(dppair_area_(p->nb, p->ldb), 8) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  if (options->bytes < needed) return DPPAIR_ERR_WORKSPACE;
  if (dppair_clip_check_(options) != DPPAIR_OK) return DPPAIR_ERR_WORKSPACE;
  for (k = 0; k < p->m; k++) wrong |= (size_t)(p->i[k] >= p->na) | (size_t)(p->j[k] >= p->nb);
  if (wrong) return DPPAIR_ERR_SIZE;
  if (p->weight && !dppair_all_finite_f64(p->weight, p->m)) return DPPAIR_ERR_NOT_FINITE;
  return DPPAIR_OK;
}

/* The place of the group that row i of a form is in; the next number is where that group ends. */
DPPAIR_FN_ const size_t *dppair_group_at_(const dppair_groups *g, size_t i) {
  size_t low = 0, high = g->count - 1; /* the last group that begins at i or before */
  while (low < high) {
    const size_t mid = high - (high - low) / 2;
    if (g->positive[mid] <= i)
      low = mid;
    else
      high = mid - 1;
  }
  return g->positive + low;
}

/* A symmetric matrix g[d][d] as d(d+1)/2 coordinates at the beginning of g: the lower triangle row
 * by row, sqrt 2 times what is beside the diagonal, so that norms are kept. And back. */
DPPAIR_FN_ void dppair_release_pack_(double *g, size_t d) {
  size_t i, j, at = 0;
  for (i = 0; i < d; i++)
    for (j = 0; j < i; j++) g[i * d + j] = 0.5 * (g[i * d + j] + g[j * d + i]);
  for (i = 0; i < d; i++) {
    for (j = 0; j < i; j++) g[at++] = g[i * d + j] * 1.41421356237309504880;
    g[at++] = g[i * d + i];
  }
}

DPPAIR_FN_ void dppair_release_unpack_(double *g, size_t d) {
  size_t i, j, at = d * (d + 1) / 2;
  for (i = d; i-- > 0;) {
    g[i * d + i] = g[--at];
    for (j = i; j-- > 0;) g[i * d + j] = g[--at] * 0.70710678118654752440;
  }
  for (i = 0; i < d; i++)
    for (j = i + 1; j < d; j++) g[i * d + j] = g[j * d + i];
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

#endif /* DPPAIR_METRIC_H */
#endif /* DPPAIR_DECLARE_ONLY */
