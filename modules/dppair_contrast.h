/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_contrast.h - losses that compare one record with all others (version 0.1.0)
 *
 * InfoNCE, NT-Xent, CLIP, supervised contrastive losses, N-pairs, triplets: an anchor meets all
 * candidates at once. An instance computes the sum over all anchors, its gradient in the embeddings
 * for the back-propagation of any host, and in a linear map z = W^T x, which it also releases.
 *
 *     #define DPPAIR_NAME embed                prefix of the generated functions
 *     #define DPPAIR_REAL float
 *     #define DPPAIR_LOSS dppair_infonce       a loss of this header, or one that you define
 *     #include "dppair_contrast.h"             makes the instance; it includes dppair_groups.h
 *
 *     dppair_contrast how = {0};                                            C++: {}
 *     how.compare = DPPAIR_COMPARE_COSINE, how.temperature = 0.1;
 *     how.positives = DPPAIR_POSITIVE_PARTNER, how.partner = partner;      the other view's place
 *     rows = dppair_rows_make_f32(z, n, d, d);
 *     s = embed_contrast_gradient(dz, NULL, &rows, NULL, &how, &options);     dz is NOT PRIVATE
 *
 * After it dppair.h makes instances of these losses, too.
 *
 * LOSSES      dppair_infonce  dppair_npairs  dppair_decoupled; of triplets dppair_triplet
 *             dppair_triplet_squared  dppair_triplet_soft. Your own: heads of
 *             modules/contrast/shared.h and triplet.h
 *
 * THE TEMPLATE, for DPPAIR_NAME = embed
 *   embeddings  embed_contrast_gradient  _contrast_risk_not_private  _contrast_workspace
 *   linear map  embed_contrast_map_gradient  _contrast_map_workspace
 *   in groups   embed_contrast_groups: each group by itself, for a network (dppair_groups.h)
 *   released    embed_release_contrast  _release_contrast_workspace: a map, each group's gradient
 *               clipped
 *   a batch     embed_softmax_gradient  _softmax_workspace  embed_release_softmax: a softmax over
 *               the batch, each similarity clipped; not of triplets
 * FUNCTIONS     dppair_contrast_angular: the size of a workspace where how.angle is not 0
 *               dppair_sensitivity_softmax: of a sum by your own code
 * TYPES         dppair_contrast  dppair_comparison  dppair_positives  dppair_triples
 *
 * Errors zero the results. The heads of modules/contrast/template.h and triplet.h list them.
 * How far one record moves a release: head of modules/groups/groups.h; of the softmax, head of
 * modules/contrast/clip_state.h.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     96  modules/contrast/of_states.h           States of a row-wise loss: the chapters
 *    107  modules/contrast/triplet_state.h       Losses of whole rows: the state
 *    427  modules/contrast/state.h               State of a row-wise loss
 *    756  modules/contrast/angular.h             Angular losses
 *    814  modules/contrast/clip_state.h          A softmax over the batch with each similarity c...
 *    891  modules/contrast/of_bodies.h           Bodies of a row-wise loss: the chapters
 *    898  modules/contrast/triplet_rows.h        Losses of whole rows: one anchor
 *   1158  modules/contrast/triplet_kernels.h     Losses of whole rows: the kernels
 *   1366  modules/contrast/kernels.h             Row-wise losses by tiles
 *   1707  modules/contrast/clip_kernels.h        A softmax over the batch with each similarity c...
 *   1838  modules/contrast/map_kernels.h         Embeddings by a linear map, and back
 *   1882  modules/contrast/of_functions.h        Functions and releases of a row-wise loss
 *   1889  modules/contrast/triplet.h             Losses of whole rows: triplets
 *           NAME_contrast_workspace NAME_contrast_gradient NAME_contrast_risk_not_private
 *   2015  modules/contrast/template.h            The functions of an instance of a row-wise loss
 *   2131  modules/contrast/map.h                 The gradient of a row-wise loss in a linear map
 *           NAME_contrast_map_workspace NAME_contrast_map_gradient
 *   2263  modules/contrast/groups.h              A row loss inside groups
 *           NAME_contrast_groups
 *   2371  modules/contrast/clip.h                A softmax over the batch with each similarity c...
 *           NAME_softmax_workspace NAME_softmax_gradient
 *   2567  modules/contrast/release.h             The release of a row loss in groups
 *           NAME_release_contrast_workspace NAME_release_contrast
 *   2819  modules/contrast/release_softmax.h     The release of a softmax over the batch
 *           NAME_release_softmax
 *   2956  core/freestanding.h                    Without a C library
 *   3005  modules/contrast/names.h               Names of row-wise losses: as simd/names.h
 *   3153  modules/contrast/shared.h              Row-wise losses: what is compared with what
 *           dppair_contrast_angular
 *   3271  modules/contrast/softmax_sensitivity.h The sensitivity of a softmax over a batch
 *           dppair_sensitivity_softmax
 *   3310  modules/contrast/losses.h              Row-wise losses
 *   3332  modules/contrast/triplet_losses.h      Losses of triplets
 *   3374  core/freestanding_end.h                Without a C library
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_groups.h"
#define DPPAIR_DECLARE_CONTRAST_
#include "dppair_declare.h"
#else

#ifndef DPPAIR_CONTRAST_SELF
#define DPPAIR_CONTRAST_SELF "dppair_contrast.h"
#endif

#ifdef DPPAIR_MODULE_CONTRAST_
#if DPPAIR_KIND_ == DPPAIR_KIND_ROWWISE_ /* of an instance */

#if DPPAIR_STAGE_ == DPPAIR_STAGE_STATES_
/* ---- src/modules/contrast/of_states.h -------------------------------------------------------
 * States of a row-wise loss: the chapters
 *
 * Compiled for each instance of one. A loss of whole rows, L_ROWS dppair_whole_rows, is one of
 * triplets: an anchor's positives and negatives are a ranking, for which it takes the pair loops.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_ROWS_WHOLE_ DPPAIR_WORD_(DPPAIR_CAT(DPPAIR_LOSS, _ROWS), 0)

#if DPPAIR_ROWS_WHOLE_
#define DPPAIR_LOOPS_
/* ---- src/modules/contrast/triplet_state.h ---------------------------------------------------
 * Losses of whole rows: the state
 *
 * A strip is some anchors and their similarities with all candidates, one row of numbers for
 * each. What a strip needs to be complete depends on no other strip. So parts compute strips of
 * their own, as many at a time as there are parts (a round); then they share the candidates and add
 * what each strip has for them, strip by strip. A record's sum is added in the order of the strips,
 * whatever the number of parts: the same bits. Memory: a strip for each part, O(n) numbers.
 *
 * Records are never copied as a whole. Blocks of DPT_W rows, times their scales, are written where
 * they are needed: packed (feature by feature) for similarities, or as rows of whole vectors.
 * ---------------------------------------------------------------------------------------------- */

/* Strips of this many anchors, where rows are up to so long; else shorter ones. */
#define DPT_STRIP_ ((size_t)96)
#define DPT_SHORT_ ((size_t)1 << 14)
#define DPT_VECTOR_ (DPT_W / 3)

/* Whether long rows of this loss may be sorted, which finds the same sums. */
#define DPPAIR_SORTED_ DPPAIR_WORD_(DPPAIR_CAT(DPPAIR_LOSS, _SORTED), 0)

DPPAIR_FP_BEGIN_

/* One set of records. Anchors are side 0, candidates side 1; they may be the same records. */
typedef struct DPPAIR_NAME_triplet_side_ {
  const DPPAIR_ROWS_ *rows;
  DPPAIR_REAL *out; /* n x d: dL/dz; until the end, sums (float: rounded, `low` has the rest) */
  DPPAIR_REAL *low;
  DPPAIR_REAL *square; /* |z|^2, of distances */
  double *scale;       /* z, or z/|z| for cosines, is so many times the row; NULL: once */
  double *weight;      /* of distances: the sum of the record's weights */
} DPPAIR_NAME_triplet_side_;

/* What rows of similarities are computed for. */
typedef enum DPPAIR_NAME_triplet_sweep_ {
  DPPAIR_CAT(DPPAIR_NAME, _triplet_value_),  /* value[i] = the loss of anchor i */
  DPPAIR_CAT(DPPAIR_NAME, _triplet_weight_), /* weights, and with them the gradient */
  DPPAIR_CAT(DPPAIR_NAME, _triplet_log_),    /* lifted: logs[i] = ln of the sum over negatives */
  DPPAIR_CAT(DPPAIR_NAME, _triplet_share_) /* lifted: value[i] = the derivative in that logarithm */
} DPPAIR_NAME_triplet_sweep_;

/* The state, in the caller's workspace. Anchor i of a strip has its row at s + i ld. */
typedef struct DPPAIR_NAME_triplet_ {
  const dppair_contrast *contrast;
  const double *params;
  DPPAIR_NAME_triplet_side_ side[2];
  size_t n, m, d;                     /* anchors, candidates, features */
  size_t ld, width;                   /* candidates and features in whole blocks */
  size_t strip, strips, parts, round; /* anchors of a strip; how many strips */
  int one, lifted;                    /* one set of records; DPPAIR_TRIPLES_LIFTED */
  DPPAIR_NAME_triplet_sweep_ sweep;
  DPPAIR_REAL inverse, margin; /* of the temperature */
  double *value, *logs;        /* of each anchor */
  /* scratch of one part, times the number of parts */
  DPPAIR_REAL *s, *z, *left, *block, *tile; /* the strip; its rows, also packed; a block; sums */
  double *own, *own_weight;                 /* sums of the strip's own records */
  DPPAIR_REAL *score[2];                    /* of one anchor's positives and negatives */
  double *c[2];                             /* the derivatives in them */
  uint32_t *at[2];                          /* whose they are */
  double *sorted;
} DPPAIR_NAME_triplet_;

/* Sets the arrays to their places in the workspace at base (NULL: to NULL) and returns the bytes
 * used, 64 of them for alignment; SIZE_MAX on overflow. */
DPPAIR_OUT_OF_LINE_ size_t DPPAIR_NAME_triplet_layout_(DPPAIR_NAME_triplet_ *t, char *base) {
  const size_t real = sizeof(DPPAIR_REAL), f64 = sizeof(double), parts = t->parts;
  const size_t row = dppair_area_(t->ld + DPT_VECTOR_, 1), count[2] = {t->n, t->m};
  size_t used = 0;
  int k;
#define DPT_TAKE(field, a, b, size, type)                                                          \
  field = (type *)dppair_take_(base, &used, dppair_area_(a, b), size)
  for (k = 0; k < 2; k++) {
    const size_t n = k && t->one ? 0 : count[k];
    DPT_TAKE(t->side[k].low, DPPAIR_TEMPLATE_F64_ ? 0 : n, t->d, real, DPPAIR_REAL);
    DPT_TAKE(t->side[k].square, n, 1, real, DPPAIR_REAL);
    DPT_TAKE(t->side[k].scale, n, 1, f64, double);
    DPT_TAKE(t->side[k].weight, n, 1, f64, double);
    DPT_TAKE(t->score[k], parts, row, real, DPPAIR_REAL);
    DPT_TAKE(t->c[k], parts, row, f64, double);
    DPT_TAKE(t->at[k], parts, row, sizeof(uint32_t), uint32_t);
  }
  DPT_TAKE(t->value, t->n, 1, f64, double);
  DPT_TAKE(t->logs, t->n, 1, f64, double);
  DPT_TAKE(t->s, parts, dppair_area_(t->strip, t->ld), real, DPPAIR_REAL);
  DPT_TAKE(t->z, parts, dppair_area_(t->strip, t->width), real, DPPAIR_REAL);
  DPT_TAKE(t->left, parts, dppair_area_(t->strip, t->d), real, DPPAIR_REAL);
  DPT_TAKE(t->block, parts, dppair_area_(DPT_W, t->width), real, DPPAIR_REAL);
  DPT_TAKE(t->tile, parts, dppair_area_(DPT_W + t->strip, t->width), real, DPPAIR_REAL);
  DPT_TAKE(t->own, parts, dppair_area_(t->strip, t->width), f64, double);
  DPT_TAKE(t->own_weight, parts, t->strip, f64, double);
  DPT_TAKE(t->sorted, DPPAIR_SORTED_ ? parts : 0, dppair_grid_bytes_(t->ld) / f64 + 1, f64, double);
#undef DPT_TAKE
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* Clears *t, sets its sizes and returns the bytes of workspace; SIZE_MAX on overflow. */
DPPAIR_FN_ size_t DPPAIR_NAME_triplet_sizes_(DPPAIR_NAME_triplet_ *t, size_t n, size_t others,
                                             int one, size_t d, size_t parts) {
  memset(t, 0, sizeof *t);
  t->parts = parts;
  t->one = one;
  t->n = n;
  t->m = one ? n : others;
  t->d = d;
  t->strip = t->m <= DPT_SHORT_ ? DPT_STRIP_ : DPT_STRIP_ / 3;
  t->strips = n / t->strip + (n % t->strip != 0);
  if (n > UINT32_MAX / 16 || t->m > UINT32_MAX / 16 || d > SIZE_MAX / 64) return SIZE_MAX;
  t->ld = DPT_BLOCKS(t->m) * DPT_W;
  t->width = DPT_BLOCKS(d) * DPT_W;
  return DPPAIR_NAME_triplet_layout_(t, NULL);
}

/* *t with the scratch of one part only. */
DPPAIR_FN_ DPPAIR_NAME_triplet_ DPPAIR_NAME_triplet_part_(const DPPAIR_NAME_triplet_ *all,
                                                          size_t part) {
  DPPAIR_NAME_triplet_ t = *all;
  const size_t row = t.ld + DPT_VECTOR_;
  int k;
  t.s += part * t.strip * t.ld;
  t.z += part * t.strip * t.width;
  t.left += part * t.strip * t.d;
  t.block += part * DPT_W * t.width;
  t.tile += part * (DPT_W + t.strip) * t.width; /* a block or a strip */
  t.own += part * t.strip * t.width;
  t.own_weight += part * t.strip;
  for (k = 0; k < 2; k++) {
    t.score[k] += part * row;
    t.c[k] += part * row;
    t.at[k] += part * row;
  }
  if (DPPAIR_SORTED_) t.sorted += part * (dppair_grid_bytes_(t.ld) / sizeof(double) + 1);
  return t;
}

/* The anchors of the strip that begins with anchor i. */
DPPAIR_FN_ size_t DPPAIR_NAME_triplet_count_(const DPPAIR_NAME_triplet_ *t, size_t i) {
  const size_t left = i < t->n ? t->n - i : 0;
  return left < t->strip ? left : t->strip;
}

/* Whether similarities are minus distances. */
DPPAIR_FN_ int DPPAIR_NAME_triplet_far_(const DPPAIR_NAME_triplet_ *t) {
  return t->contrast->compare == DPPAIR_COMPARE_DISTANCE ||
         t->contrast->compare == DPPAIR_COMPARE_EUCLIDEAN;
}

/* The norm of d numbers, of which no square overflows or underflows. */
DPPAIR_FN_ double DPPAIR_NAME_triplet_norm_(const DPPAIR_REAL *x, size_t d) {
  double top = 0.0, sum = 0.0;
  size_t f;
  for (f = 0; f < d; f++) top = dppair_fabs_((double)x[f]) > top ? dppair_fabs_((double)x[f]) : top;
  for (f = 0; f < d && top > 0.0; f++) sum += ((double)x[f] / top) * ((double)x[f] / top);
  return top * dppair_sqrt_(sum);
}

/* Writes rows i.. of a side, times their scales: number f of row l goes to to[l row + f column].
 * Places up to row `rows` and column `d` only; those of rows that do not exist become 0. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_copy_(DPPAIR_REAL *to, size_t row, size_t column,
                                                   const DPPAIR_NAME_triplet_side_ *side, size_t i,
                                                   size_t rows) {
  const size_t d = side->rows->d, left = side->rows->n - i, count = left < rows ? left : rows;
  size_t l, f;
  for (l = 0; l < count; l++) {
    const DPPAIR_REAL *x = side->rows->x + (i + l) * side->rows->ld;
    DPPAIR_REAL *p = to + l * row;
    if (side->scale)
      DPPAIR_NAME_scaled_row_(p, column, x, d, side->scale[i + l]);
    else if (column == 1)
      memcpy(p, x, d * sizeof *p);
    else
      for (f = 0; f < d; f++) p[f * column] = x[f];
  }
  for (; l < rows; l++)
    for (f = 0; f < d; f++) to[l * row + f * column] = 0;
}

/* Checks the numbers of a side and fills in its scales. NOT_FINITE; OVERFLOW, where similarities
 * would be too large. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_triplet_fetch_(const DPPAIR_NAME_triplet_ *t, DPPAIR_NAME_triplet_side_ *side) {
  const DPPAIR_ROWS_ *rows = side->rows;
  const int cosine = t->contrast->compare == DPPAIR_COMPARE_COSINE;
  const double least = DPPAIR_TEMPLATE_F64_ ? DPPAIR_LEAST_FACTOR_F64_ : DPPAIR_LEAST_FACTOR_F32_;
  double largest = 0.0;
  size_t i;
  if (rows->factor && !dppair_all_finite_f64(rows->factor, rows->n)) return DPPAIR_ERR_NOT_FINITE;
  for (i = 0; i < rows->n; i++) {
    const DPPAIR_REAL *x = rows->x + i * rows->ld;
    const double factor = rows->factor ? rows->factor[i] : 1.0;
    double norm, size;
    if (!DPT_FINITE(x, rows->d)) return DPPAIR_ERR_NOT_FINITE;
    norm = DPPAIR_NAME_triplet_norm_(x, rows->d);
    size = norm * dppair_fabs_(factor);
    if (rows->factor) side->scale[i] = factor;
    if (cosine) side->scale[i] = size < least ? 0.0 : factor / dppair_fabs_(factor) / norm;
    largest = size > largest ? size : largest;
    if (!(norm <= 1e300)) return DPPAIR_ERR_OVERFLOW;
  }
  if (!rows->factor && !cosine) side->scale = NULL;
  if (cosine) largest = 1.0;
  return 4.0 * largest * largest * (double)t->inverse <= DPT_ROOM &&
                 largest <= dppair_sqrt_(DPT_ROOM) / 2.0
             ? DPPAIR_OK
             : DPPAIR_ERR_OVERFLOW;
}

/* Checks what is public: sizes, pointers, what is compared. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_triplet_check_(
    const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const dppair_contrast *c) {
  int k;
  if (!dppair_isfinite_f64(c->temperature) || !(c->temperature > 0.0) ||
      !dppair_isfinite_f64(c->margin) || c->two_sided || !dppair_isfinite_f64(c->angle) ||
      dppair_fabs_(c->angle) > 0.0)
    return DPPAIR_ERR_DOMAIN;
  if ((unsigned)c->compare > (unsigned)DPPAIR_COMPARE_EUCLIDEAN ||
      (unsigned)c->positives > (unsigned)DPPAIR_POSITIVE_LABEL ||
      (unsigned)c->triples > (unsigned)DPPAIR_TRIPLES_LIFTED ||
      (c->positives == DPPAIR_POSITIVE_RECORD && !others) ||
      (c->triples == DPPAIR_TRIPLES_LIFTED &&
       (others || c->positives != DPPAIR_POSITIVE_LABEL || c->offset)))
    return DPPAIR_ERR_DOMAIN;
  if (!(1.0 / c->temperature <= DPT_ROOM) || !(dppair_fabs_(c->margin) <= DPT_ROOM))
    return DPPAIR_ERR_OVERFLOW;
  for (k = 0; k < 2; k++) {
    const DPPAIR_ROWS_ *r = k ? others : rows;
    if (!r) continue;
    if (r->d < 1 || r->ld < r->d || r->d != rows->d) return DPPAIR_ERR_SIZE;
    if (dppair_area_(dppair_area_(r->n, r->ld), sizeof(double)) == SIZE_MAX ||
        !(8.0 * r->radius * r->radius / c->temperature <= DPT_ROOM))
      return DPPAIR_ERR_OVERFLOW;
    if (r->n && (!r->x || (c->positives == DPPAIR_POSITIVE_LABEL && !r->y))) return DPPAIR_ERR_NULL;
    if (r->weight) return DPPAIR_ERR_NO_PROOF;
  }
  if (c->positives == DPPAIR_POSITIVE_RECORD && others->n < rows->n) return DPPAIR_ERR_SIZE;
  return c->positives == DPPAIR_POSITIVE_PARTNER && !c->partner && rows->n ? DPPAIR_ERR_NULL
                                                                           : DPPAIR_OK;
}

/* Checks everything and prepares *t. Nothing but sums is in out[0] and out[1] from here on. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_triplet_open_(
    DPPAIR_NAME_triplet_ *t, DPPAIR_REAL *out, DPPAIR_REAL *out_others, const DPPAIR_ROWS_ *rows,
    const DPPAIR_ROWS_ *others, const dppair_contrast *c, const dppair_options *options) {
  const size_t parts = options->tasks ? options->tasks->count : 1;
  dppair_status status;
  size_t needed, i;
  int k;
  status = dppair_environment_check();
  if (status == DPPAIR_OK && (options->groups || options->clip)) status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_triplet_check_(rows, others, c);
  if (status != DPPAIR_OK) return status;
  if (parts < 1 || parts > DPPAIR_FORM_PARTS_) return DPPAIR_ERR_SIZE;
  needed = DPPAIR_NAME_triplet_sizes_(t, rows->n, others ? others->n : 0, !others, rows->d, parts);
  if (needed == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if (!options->work) return DPPAIR_ERR_NULL;
  if (options->bytes < needed) return DPPAIR_ERR_WORKSPACE;
  (void)DPPAIR_NAME_triplet_layout_(t, dppair_align_(options->work));
  t->contrast = c;
  t->params = options->params;
  t->lifted = c->triples == DPPAIR_TRIPLES_LIFTED;
  t->inverse = (DPPAIR_REAL)(1.0 / c->temperature);
  t->margin = (DPPAIR_REAL)c->margin;
  t->side[0].rows = rows;
  t->side[0].out = out;
  if (!t->one) {
    t->side[1].rows = others;
    t->side[1].out = out_others;
  }
  if (c->offset && !dppair_all_finite_f64(c->offset, t->m)) return DPPAIR_ERR_NOT_FINITE;
  for (i = 0; c->offset && i < t->m; i++)
    if (!(dppair_fabs_(c->offset[i]) <= DPT_ROOM)) return DPPAIR_ERR_OVERFLOW;
  for (i = 0; c->positives == DPPAIR_POSITIVE_PARTNER && i < t->n; i++)
    if (c->partner[i] >= t->m) return DPPAIR_ERR_SIZE;
  for (k = 0; k < 2 - t->one; k++) {
    const DPPAIR_ROWS_ *r = t->side[k].rows;
    if (c->positives == DPPAIR_POSITIVE_LABEL && !DPT_FINITE(r->y, r->n))
      return DPPAIR_ERR_NOT_FINITE;
    status = DPPAIR_NAME_triplet_fetch_(t, &t->side[k]);
    if (status != DPPAIR_OK) return status;
    for (i = 0; i < r->n; i++) t->side[k].weight[i] = 0.0;
    if (!DPPAIR_TEMPLATE_F64_) memset(t->side[k].low, 0, r->n * t->d * sizeof(DPPAIR_REAL));
  }
  if (t->one) t->side[1] = t->side[0];
  return DPPAIR_OK;
}

/* Whether candidate j is the positive of anchor i, where labels do not say it. */
DPPAIR_FN_ int DPPAIR_NAME_triplet_alike_(const DPPAIR_NAME_triplet_ *t, size_t i, size_t j) {
  const dppair_contrast *c = t->contrast;
  return j == (c->positives == DPPAIR_POSITIVE_RECORD ? i : c->partner[i]);
}

/* Turns the sums of record i of a side into its gradient: the sum over its partners of weights
 * times ds/dz. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_close_(const DPPAIR_NAME_triplet_ *t,
                                                    const DPPAIR_NAME_triplet_side_ *side,
                                                    size_t i) {
  const DPPAIR_REAL *z = t->z;
  const size_t d = t->d;
  DPPAIR_REAL *g = side->out + i * d;
  const DPPAIR_REAL *low = DPPAIR_TEMPLATE_F64_ ? NULL : side->low + i * d;
  const double scale = side->scale ? side->scale[i] : 1.0, weight = side->weight[i];
  const int compare = (int)t->contrast->compare;
  const double factor = side->rows->factor ? dppair_fabs_(side->rows->factor[i]) : 1.0;
  double along = 0.0, times = compare == DPPAIR_COMPARE_DISTANCE ? 2.0 : 1.0;
  size_t f;
#define DPT_SUM(f) ((double)g[f] + (low ? (double)low[f] : 0.0))
  if (compare == DPPAIR_COMPARE_DOT) return;
  DPPAIR_NAME_triplet_copy_(t->z, t->width, 1, side, i, 1);
  if (compare == DPPAIR_COMPARE_COSINE) {
    for (f = 0; f < d; f++) along += DPT_SUM(f) * (double)z[f];
    times = factor > 0.0 ? dppair_fabs_(scale) / factor : 0.0; /* 1/|z| */
  } else {
    along = weight;
  }
  for (f = 0; f < d; f++) g[f] = (DPPAIR_REAL)(times * (DPT_SUM(f) - along * (double)z[f]));
#undef DPT_SUM
}

DPPAIR_FP_END_
#else
/* ---- src/modules/contrast/state.h -----------------------------------------------------------
 * State of a row-wise loss
 *
 * For an instance: the embeddings z, what is known of each record, and the workspace of the parts.
 * It relies on shared.h and tiles/widths.h; kernels.h computes.
 *
 * Records have places: 0 to first for the rows, from `from` on, a whole number of blocks, for the
 * others. With one set, from is 0. Memory is z, six numbers a record, and a tile for each part.
 * ---------------------------------------------------------------------------------------------- */

/* Exponents below DPT_LOW are raised to it, and no finite maximum is below DPT_NONE: what is left
 * out of a sum is e^(DPT_LOW - DPT_NONE) = 0, without infinities. */
#define DPT_LOW (-DPT_MAX / 4)
#define DPT_NONE (-DPT_MAX / 8)

DPPAIR_FP_BEGIN_

/* What a caller asks for: a risk, or gradients. */
typedef struct DPPAIR_NAME_contrast_query_ {
  const DPPAIR_ROWS_ *rows, *others;
  const dppair_contrast *how;
  const dppair_options *options;
  DPPAIR_REAL *dz, *dz_others;
  int risk;
} DPPAIR_NAME_contrast_query_;

typedef struct DPPAIR_NAME_contrast_ {
  const dppair_contrast *how;
  const double *params;
  size_t k;              /* numbers of an embedding */
  size_t first, from, n; /* places: the end of the rows, the first of the others, the end of all */
  size_t blocks;         /* of DPT_W places */
  int labels, risk;
  int angular, twin; /* the rows' places hold sums z_i + z_p; the others are the same set again */
  DPPAIR_REAL scale, twice; /* a logit is scale (twice <z, z'> + q + q') - offset */
  double pull;              /* the same factor in double */
  /* of records: the embedding; minus its square, or 0; the offset; the label; of anchors the
   * largest exponent, 1/(sum of e^(exponent - largest)) and 1/(number of positives) */
  DPPAIR_REAL *z, *q, *offset, *y, *top, *share, *target;
  double *sum, *positives, *own; /* that sum; number of positives; the sum of their logits */
  double *inverse;               /* 1/|z| */
  DPPAIR_REAL *dz, *dz_others;   /* results of either side */
  DPPAIR_REAL *lone, *mix, *dc;  /* angular: logits of positives, their weights; sums' results */
  /* scratch of one part, times the number of parts */
  size_t parts;
  DPPAIR_REAL *left, *tile;
  double *p, *row;
} DPPAIR_NAME_contrast_;

/* Sets the arrays to their places in the workspace at base (NULL: to NULL) and returns the bytes
 * used, 64 of them for alignment; SIZE_MAX on overflow. */
DPPAIR_OUT_OF_LINE_ size_t DPPAIR_NAME_contrast_layout_(DPPAIR_NAME_contrast_ *t, char *base) {
  const size_t real = sizeof(DPPAIR_REAL), f64 = sizeof(double);
  const size_t padded = dppair_area_(t->blocks, DPT_W);
  size_t used = 0;
#define DPT_TAKE(field, a, b, size, type)                                                          \
  t->field = (type *)dppair_take_(base, &used, dppair_area_(a, b), size)
  DPT_TAKE(z, padded, t->k, real, DPPAIR_REAL);
  DPT_TAKE(q, padded, 1, real, DPPAIR_REAL);
  DPT_TAKE(offset, padded, 1, real, DPPAIR_REAL);
  DPT_TAKE(y, padded, 1, real, DPPAIR_REAL);
  DPT_TAKE(top, padded, 1, real, DPPAIR_REAL);
  DPT_TAKE(share, padded, 1, real, DPPAIR_REAL);
  DPT_TAKE(target, padded, 1, real, DPPAIR_REAL);
  DPT_TAKE(sum, padded, 1, f64, double);
  DPT_TAKE(positives, padded, 1, f64, double);
  DPT_TAKE(own, padded, 1, f64, double);
  DPT_TAKE(inverse, padded, 1, f64, double);
  DPT_TAKE(left, t->parts, dppair_area_(t->k, DPT_W), real, DPPAIR_REAL);
  DPT_TAKE(tile, t->parts, DPPAIR_TILE_ * DPT_W, real, DPPAIR_REAL);
  DPT_TAKE(p, t->parts, dppair_area_(t->k, DPT_W), f64, double);
  DPT_TAKE(row, t->parts, DPT_W, f64, double);
  DPT_TAKE(lone, t->angular ? t->from : 0, 1, real, DPPAIR_REAL);
  DPT_TAKE(mix, t->angular ? t->from : 0, 1, real, DPPAIR_REAL);
  DPT_TAKE(dc, t->angular ? t->from : 0, t->k, real, DPPAIR_REAL);
#undef DPT_TAKE
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* Clears *t, sets its sizes for n rows of k numbers and, where there are two blocks, `others` more;
 * returns the bytes of workspace, SIZE_MAX on overflow. */
DPPAIR_FN_ size_t DPPAIR_NAME_contrast_sizes_(DPPAIR_NAME_contrast_ *t, size_t n, size_t others,
                                              int two, int angular, size_t k, size_t parts) {
  memset(t, 0, sizeof *t);
  t->angular = angular;
  t->k = k;
  t->parts = parts;
  if (n > SIZE_MAX / 8 || others > SIZE_MAX / 8) return SIZE_MAX;
  t->blocks = DPT_BLOCKS(n) + (two ? DPT_BLOCKS(others) : 0);
  t->from = two ? DPT_BLOCKS(n) * DPT_W : 0;
  t->first = n;
  t->n = two ? t->from + others : n;
  return DPPAIR_NAME_contrast_layout_(t, NULL);
}

/* *t with the scratch of one part only. */
DPPAIR_FN_ DPPAIR_NAME_contrast_ DPPAIR_NAME_contrast_part_(const DPPAIR_NAME_contrast_ *all,
                                                            size_t part) {
  DPPAIR_NAME_contrast_ t = *all;
  t.left += part * t.k * DPT_W;
  t.tile += part * DPPAIR_TILE_ * DPT_W;
  t.p += part * t.k * DPT_W;
  t.row += part * DPT_W;
  return t;
}

/* Whether the place i is among the others. */
DPPAIR_FN_ int DPPAIR_NAME_contrast_other_(const DPPAIR_NAME_contrast_ *t, size_t i) {
  return t->from > 0 && i >= t->from;
}

/* Whether records from the place i on are anchors. */
DPPAIR_FN_ int DPPAIR_NAME_contrast_anchors_(const DPPAIR_NAME_contrast_ *t, size_t i) {
  return !DPPAIR_NAME_contrast_other_(t, i) || t->how->two_sided;
}

/* The end of the block that the place i is in, and of its partners, which begin at *begin. */
DPPAIR_FN_ size_t DPPAIR_NAME_contrast_end_(const DPPAIR_NAME_contrast_ *t, size_t i) {
  return t->from > 0 && i < t->from ? t->first : t->n;
}
DPPAIR_FN_ size_t DPPAIR_NAME_contrast_partners_(const DPPAIR_NAME_contrast_ *t, size_t i,
                                                 size_t *begin) {
  *begin = t->from > 0 && i < t->from ? t->from : 0;
  return t->from > 0 && i >= t->from ? t->first : t->n;
}

/* The place of the positive of the record at i, SIZE_MAX for none: not where labels say it. */
DPPAIR_FN_ size_t DPPAIR_NAME_contrast_positive_(const DPPAIR_NAME_contrast_ *t, size_t i) {
  const int other = DPPAIR_NAME_contrast_other_(t, i);
  if (i >= DPPAIR_NAME_contrast_end_(t, i)) return SIZE_MAX;
  if (t->how->positives == DPPAIR_POSITIVE_RECORD) return other ? i - t->from : i + t->from;
  if (other || ((t->twin || !t->from) && t->how->partner[i] == i)) return SIZE_MAX;
  return t->how->partner[i] + t->from;
}

/* Who is whose positive, in a tile of records i0.. (lanes) and j0.. (rows): lane l has row j as one
 * where anchor[l] = row_candidate[j], and row j has lane l where row_anchor[j] = candidate[l].
 * self[j] is the lane that is the same record as row j, or -1; like the labels are equal. */
typedef struct DPPAIR_NAME_contrast_keys_ {
  DPPAIR_REAL lane[DPT_W], anchor[DPT_W], candidate[DPT_W];
  DPPAIR_REAL row_anchor[DPT_W], row_candidate[DPT_W], self[DPT_W], like[DPT_W];
} DPPAIR_NAME_contrast_keys_;

/* The keys of `rows` <= DPT_W rows. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_keys_of_(DPPAIR_NAME_contrast_keys_ *key,
                                                       const DPPAIR_NAME_contrast_ *t, size_t rows,
                                                       size_t i0, size_t j0) {
  const int by_label = t->how->positives == DPPAIR_POSITIVE_LABEL;
  const size_t left = t->twin && i0 >= t->from ? i0 - t->from : i0; /* the record's first place */
  const size_t right = t->twin && j0 >= t->from ? j0 - t->from : j0;
  for (size_t l = 0; l < DPT_W; l++) {
    const size_t place = by_label ? 0 : DPPAIR_NAME_contrast_positive_(t, i0 + l);
    const int here = !by_label && place >= j0 && place - j0 < rows;
    key->lane[l] = (DPPAIR_REAL)l;
    key->anchor[l] = by_label ? t->y[i0 + l] : here ? (DPPAIR_REAL)(place - j0) : -1;
    key->candidate[l] = by_label ? t->y[i0 + l] : (DPPAIR_REAL)l;
  }
  for (size_t j = 0; j < rows; j++) {
    const size_t place = by_label ? 0 : DPPAIR_NAME_contrast_positive_(t, j0 + j);
    const int here = !by_label && place >= i0 && place - i0 < DPT_W;
    const int same = right + j >= left && right + j - left < DPT_W;
    key->row_anchor[j] = by_label ? t->y[j0 + j] : here ? (DPPAIR_REAL)(place - i0) : -1;
    key->row_candidate[j] = by_label ? t->y[j0 + j] : (DPPAIR_REAL)j;
    key->self[j] = same ? (DPPAIR_REAL)(right + j - left) : -1;
    key->like[j] = t->labels ? t->y[j0 + j] : 1;
  }
}

/* Checks all that is public: sizes, pointers, the contrast, the map and the pass. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_contrast_check_(const DPPAIR_NAME_contrast_query_ *q, size_t parts) {
  const DPPAIR_ROWS_ *side[2];
  dppair_status status;
  size_t e;
  if (!q->rows || !q->how || !q->options) return DPPAIR_ERR_NULL;
  side[0] = q->rows;
  side[1] = q->others ? q->others : q->rows;
  status = dppair_contrast_check_(q->how, q->others != NULL);
  if (status != DPPAIR_OK) return status;
  for (e = 0; e < 2; e++) {
    if (side[e]->d < 1 || side[e]->ld < side[e]->d || side[e]->d != q->rows->d)
      return DPPAIR_ERR_SIZE;
    if (dppair_area_(dppair_area_(side[e]->n, side[e]->ld), 8) == SIZE_MAX)
      return DPPAIR_ERR_OVERFLOW;
    if (side[e]->n && !side[e]->x) return DPPAIR_ERR_NULL;
    if (side[e]->weight || q->options->groups || q->options->clip) return DPPAIR_ERR_NO_PROOF;
    if (side[e]->n && !side[e]->y && q->how->positives == DPPAIR_POSITIVE_LABEL)
      return DPPAIR_ERR_NULL;
  }
  if (parts < 1 || parts > DPPAIR_FORM_PARTS_) return DPPAIR_ERR_SIZE;
  if (side[0]->n != side[1]->n && q->how->positives == DPPAIR_POSITIVE_RECORD)
    return DPPAIR_ERR_SIZE;
  return dppair_environment_check();
}

/* The factors of a logit, and whether logits stay below DPT_ROOM for embeddings of norm `reach`
 * and offsets of size `offset`. */
DPPAIR_FN_ int DPPAIR_NAME_contrast_fits_(DPPAIR_NAME_contrast_ *t, double reach, double offset) {
  const int distance = t->how->compare == DPPAIR_COMPARE_DISTANCE;
  const double slope = dppair_tan_(t->how->angle), factor = t->angular ? 4.0 * slope * slope : 1.0;
  const double most = t->angular ? factor + 2.0 : 1.0;
  const double size = t->how->compare == DPPAIR_COMPARE_COSINE ? 1.0 : reach * reach;
  t->pull = (distance ? 2.0 : factor) / t->how->temperature;
  t->scale = 0;
  t->twice = distance ? 2 : 1;
  if (!(4.0 * size <= DPT_ROOM) || !(most / t->how->temperature <= DPT_ROOM)) return 0;
  t->scale = (DPPAIR_REAL)(factor / t->how->temperature);
  return 4.0 * size * most / t->how->temperature + offset <= DPT_ROOM;
}

/* Writes one side's embeddings and labels from place `at` on, and 0 to the end of the block. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_rows_(const DPPAIR_NAME_contrast_ *t,
                                                    const DPPAIR_ROWS_ *rows, size_t at) {
  const size_t end = DPT_BLOCKS(rows->n) * DPT_W;
  for (size_t i = 0; i < end; i++) {
    t->y[at + i] = t->labels && i < rows->n ? rows->y[i] : 0;
    t->q[at + i] = t->offset[at + i] = t->share[at + i] = t->target[at + i] = 0;
    t->top[at + i] = -DPT_NONE;
    t->positives[at + i] = t->own[at + i] = t->sum[at + i] = t->inverse[at + i] = 0.0;
    if (i >= rows->n)
      memset(t->z + (at + i) * t->k, 0, t->k * sizeof *t->z);
    else
      DPPAIR_NAME_scaled_row_(t->z + (at + i) * t->k, 1, rows->x + i * rows->ld, t->k,
                              rows->factor ? rows->factor[i] : 1.0);
  }
}

/* Checks what records say: labels, partners, offsets. *largest = the largest size of an offset. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_read_(
    double *largest, const DPPAIR_NAME_contrast_ *t, const DPPAIR_NAME_contrast_query_ *q) {
  const DPPAIR_ROWS_ *candidates = q->others ? q->others : q->rows;
  size_t i, wrong = 0;
  *largest = 0.0;
  if (t->labels && !DPT_FINITE(q->rows->y, q->rows->n)) return DPPAIR_ERR_NOT_FINITE;
  if (t->labels && !DPT_FINITE(candidates->y, candidates->n)) return DPPAIR_ERR_NOT_FINITE;
  if (q->how->offset && !dppair_all_finite_f64(q->how->offset, candidates->n))
    return DPPAIR_ERR_NOT_FINITE;
  for (i = 0; q->how->positives == DPPAIR_POSITIVE_PARTNER && i < q->rows->n; i++)
    wrong |= (size_t)(q->how->partner[i] >= candidates->n);
  if (wrong) return DPPAIR_ERR_SIZE;
  for (i = 0; q->how->offset && i < candidates->n; i++) {
    const double size = dppair_fabs_(q->how->offset[i]);
    *largest = size > *largest ? size : *largest;
  }
  if (!(*largest <= DPT_ROOM)) return DPPAIR_ERR_OVERFLOW;
  for (i = 0; q->how->offset && i < candidates->n; i++)
    t->offset[t->from + i] = (DPPAIR_REAL)q->how->offset[i];
  return DPPAIR_OK;
}

/* Divides the embeddings by their norms, for a cosine, and checks that all are finite and logits in
 * range. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_contrast_norms_(DPPAIR_NAME_contrast_ *t, double offset) {
  const double least = DPPAIR_TEMPLATE_F64_ ? DPPAIR_LEAST_FACTOR_F64_ : DPPAIR_LEAST_FACTOR_F32_;
  double reach = 0.0;
  if (!DPT_FINITE(t->z, t->blocks * DPT_W * t->k)) return DPPAIR_ERR_NOT_FINITE;
  for (size_t i = 0; i < t->n; i++) {
    DPPAIR_REAL *z = t->z + i * t->k;
    double top = 0.0, sum = 0.0, unit, norm, inverse;
    for (size_t f = 0; f < t->k; f++)
      top = dppair_fabs_((double)z[f]) > top ? dppair_fabs_((double)z[f]) : top;
    unit = top > 1e140    ? 2.409919865102884e-181 /* 2^-600: squares stay in range */
           : top < 1e-140 ? 4.149515568880993e+180 /* 2^600 */
                          : 1.0;
    for (size_t f = 0; f < t->k; f++) sum += (unit * (double)z[f]) * (unit * (double)z[f]);
    norm = dppair_sqrt_(sum) / unit;
    reach = norm > reach ? norm : reach;
    if (t->how->compare != DPPAIR_COMPARE_COSINE) continue;
    inverse = norm < least ? 0.0 : 1.0 / dppair_sqrt_(sum);
    t->inverse[i] = unit * inverse;
    for (size_t f = 0; f < t->k; f++) z[f] = (DPPAIR_REAL)(unit * (double)z[f] * inverse);
  }
  return DPPAIR_NAME_contrast_fits_(t, reach, offset) ? DPPAIR_OK : DPPAIR_ERR_OVERFLOW;
}

/* What an anchor's statistics say: its share and target, or none of either. */
DPPAIR_FN_ void DPPAIR_NAME_contrast_settle_(const DPPAIR_NAME_contrast_ *t, size_t i) {
  const int by_label = t->how->positives == DPPAIR_POSITIVE_LABEL;
  if (!by_label) t->positives[i] = DPPAIR_NAME_contrast_positive_(t, i) == SIZE_MAX ? 0.0 : 1.0;
  if (t->positives[i] > 0.0 && t->sum[i] > 0.0) {
    t->share[i] = (DPPAIR_REAL)(1.0 / t->sum[i]);
    t->target[i] = t->angular ? 0 : (DPPAIR_REAL)(1.0 / t->positives[i]);
    return;
  }
  t->positives[i] = 0.0;
  t->top[i] = -DPT_NONE;
}

/* The sum of the losses of the anchors. */
DPPAIR_FN_ double DPPAIR_NAME_contrast_total_(const DPPAIR_NAME_contrast_ *t) {
  double sum = 0.0;
  for (size_t i = 0; i < t->n; i++)
    if (t->share[i] > 0)
      sum += (dppair_log_(t->sum[i]) + ((double)t->top[i] - t->own[i] / t->positives[i]));
  return sum;
}

/* Checks the arguments, lays out the workspace and writes to it all that needs no kernel. *offset =
 * the largest size of one. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_open_(
    DPPAIR_NAME_contrast_ *t, double *offset, const DPPAIR_NAME_contrast_query_ *q) {
  const size_t parts = q->options && q->options->tasks ? q->options->tasks->count : 1;
  const DPPAIR_ROWS_ *others;
  size_t needed;
  const dppair_status status = DPPAIR_NAME_contrast_check_(q, parts);
  *offset = 0.0;
  if (status != DPPAIR_OK) return status;
  others = !q->others && q->how->angle > 0.0 ? q->rows : q->others;
  needed = DPPAIR_NAME_contrast_sizes_(t, q->rows->n, others ? others->n : 0, others != NULL,
                                       q->how->angle > 0.0, q->rows->d, parts);
  if (needed == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if (!q->options->work) return DPPAIR_ERR_NULL;
  if (q->options->bytes < needed) return DPPAIR_ERR_WORKSPACE;
  (void)DPPAIR_NAME_contrast_layout_(t, dppair_align_(q->options->work));
  t->how = q->how;
  t->params = q->options->params;
  t->risk = q->risk;
  t->labels = q->rows->y && (!q->others || q->others->y);
  t->twin = others && !q->others; /* a caller's second block is one, wherever it is */
  t->dz = t->angular ? t->dc : q->dz;
  t->dz_others = t->twin ? q->dz : q->dz_others;
  if (!DPPAIR_NAME_contrast_fits_(t, q->rows->radius, 0.0)) return DPPAIR_ERR_OVERFLOW;
  DPPAIR_NAME_contrast_rows_(t, q->rows, 0);
  if (others) DPPAIR_NAME_contrast_rows_(t, others, t->from);
  return DPPAIR_NAME_contrast_read_(offset, t, q);
}

DPPAIR_FP_END_
/* ---- src/modules/contrast/angular.h ---------------------------------------------------------
 * Angular losses: an anchor and its positive act together
 *
 * For an instance of a row-wise loss; it relies on state.h. The rows' places hold c_i = z_i + z_p,
 * which are compared with the others, or with the same set again. The logit of the positive, and
 * what the gradient of c_i means for z_i and z_p, are here: O(n k), in the order of the records.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* What multiplies <z_i, z_p>. */
DPPAIR_FN_ double DPPAIR_NAME_contrast_along_(const DPPAIR_NAME_contrast_ *t) {
  const double slope = dppair_tan_(t->how->angle);
  return 2.0 * (1.0 + slope * slope) / t->how->temperature;
}

/* Replaces z_i by c_i, and writes the logits of positives. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_join_(const DPPAIR_NAME_contrast_ *t) {
  const double along = DPPAIR_NAME_contrast_along_(t);
  for (size_t i = 0; i < t->from; i++) {
    const size_t place = DPPAIR_NAME_contrast_positive_(t, i);
    DPPAIR_REAL *z = t->z + i * t->k;
    double dot = 0.0;
    t->lone[i] = t->mix[i] = 0;
    if (place == SIZE_MAX) continue;
    for (size_t f = 0; f < t->k; f++) {
      dot += (double)z[f] * (double)t->z[place * t->k + f];
      z[f] += t->z[place * t->k + f];
    }
    dot *= along;
    t->lone[i] =
        dppair_fabs_(dot) <= (double)DPT_MAX ? (DPPAIR_REAL)dot : 0; /* else OVERFLOW comes */
    t->own[i] = (double)t->lone[i];
  }
}

/* Adds to the results of z_i and z_p those of c_i and of the logit of the positive. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_split_(const DPPAIR_NAME_contrast_ *t,
                                                     const DPPAIR_NAME_contrast_query_ *q) {
  const double along = DPPAIR_NAME_contrast_along_(t);
  for (size_t i = 0; i < t->first; i++) {
    const size_t place = DPPAIR_NAME_contrast_positive_(t, i);
    const double own = along * (double)t->mix[i];
    const DPPAIR_REAL *dc = t->dc + i * t->k, *positive;
    DPPAIR_REAL *z = t->left, *dz = q->dz + i * t->k, *other;
    if (!(t->positives[i] > 0.0)) continue;
    positive = t->z + place * t->k;
    other = t->dz_others + (place - t->from) * t->k;
    DPPAIR_NAME_scaled_row_(z, 1, q->rows->x + i * q->rows->ld, t->k,
                            q->rows->factor ? q->rows->factor[i] : 1.0);
    for (size_t f = 0; f < t->k; f++) {
      dz[f] = (DPPAIR_REAL)((double)dz[f] + ((double)dc[f] + own * (double)positive[f]));
      other[f] = (DPPAIR_REAL)((double)other[f] + ((double)dc[f] + own * (double)z[f]));
    }
  }
}

DPPAIR_FP_END_
/* ---- src/modules/contrast/clip_state.h ------------------------------------------------------
 * A softmax over the batch with each similarity clipped: state
 *
 * For one instance of a row loss, whose rows it takes; the loss is another one:
 *
 *   F(W) = sum over anchors i of -s_ii + log sum over all j of e^(s_ij),
 *   s_ij = <W^T x_i, W^T y_j>/temperature, held in [-1/temperature, 1/temperature],
 *
 * x_i and y_i being the two views of record i. The gradient of s_ij in W,
 *
 *   G_ij = (x_i u_j^T + y_j z_i^T)/temperature,   z_i = W^T x_i, u_j = W^T y_j,
 *
 * is shortened to B, and what is computed is sum of (p_ij - [i = j]) G_ij, p_ij the share of j in
 * anchor i's sum. A similarity beyond its ends keeps its direction. With that, one record moves the
 * sum by no more than dppair_sensitivity_softmax says, which has the proof; it asks two things of
 * what is computed, which hold to the last bit: e^(s_ij) and the clipped G_ij are functions of the
 * records i and j alone, not of their places; and G_ij is at most B long. The rest is rounding, for
 * which NAME_softmax_rounding_ has a bound.
 *
 * All is in double, in blocks of 24 records, [block][numbers of a record][24]. A block of anchors
 * and one of candidates make a tile. A strip is a block of either side against all of the other: it
 * computes what its own records get, so that no sum depends on how strips are cut into parts.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

#define DPT_SIDE 24 /* records of a block */

/* Index 0: anchors x and z; 1: candidates y and u. */
typedef struct DPPAIR_NAME_softmax_ {
  size_t n, d, k, blocks, parts;
  double scale, reach, clip; /* 1/temperature; the largest similarity; B, less what roundings err */
  double margin;             /* of a squared norm, relative */
  const double *w;
  double *x[2], *z[2];   /* blocks of d and of k numbers; both 0 after n records */
  double *zr[2];         /* z in rows of k */
  double *x2[2], *z2[2]; /* squared norms */
  double *total;         /* of an anchor: sum of e^(s_ij - reach) */
  double *dz[2];         /* blocks of k numbers: the gradient in z is X^T dz */
  double *tile;          /* of each part: three tiles */
} DPPAIR_NAME_softmax_;

/* Sets the arrays to their places in the workspace at base (NULL: to NULL). Returns the bytes used,
 * SIZE_MAX on overflow. */
DPPAIR_FN_ size_t DPPAIR_NAME_softmax_layout_(DPPAIR_NAME_softmax_ *s, char *base) {
  const size_t padded = dppair_area_(s->blocks, DPT_SIDE);
  size_t used = 0, side;
#define DPT_TAKE(field, a, b) s->field = (double *)dppair_take_(base, &used, dppair_area_(a, b), 8)
  for (side = 0; side < 2; side++) {
    DPT_TAKE(x[side], padded, s->d);
    DPT_TAKE(z[side], padded, s->k);
    DPT_TAKE(zr[side], padded, s->k);
    DPT_TAKE(dz[side], padded, s->k);
    DPT_TAKE(x2[side], padded, 1);
    DPT_TAKE(z2[side], padded, 1);
  }
  DPT_TAKE(total, padded, 1);
  DPT_TAKE(tile, s->parts, 3 * DPT_SIDE * DPT_SIDE);
#undef DPT_TAKE
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* Writes rows times their factors into blocks; the last one is filled up with zeros. */
DPPAIR_FN_ void DPPAIR_NAME_softmax_pack_(DPPAIR_NAME_softmax_ *s, size_t side,
                                          const DPPAIR_ROWS_ *rows) {
  size_t i, f;
  for (i = 0; i < s->blocks * DPT_SIDE; i++) {
    double *to = s->x[side] + i / DPT_SIDE * s->d * DPT_SIDE + i % DPT_SIDE;
    const double factor = rows->factor && i < s->n ? rows->factor[i] : 1.0;
    for (f = 0; f < s->d; f++)
      to[f * DPT_SIDE] = i < s->n ? factor * (double)DPT_NUMBER(rows->x[i * rows->ld + f]) : 0.0;
  }
}

DPPAIR_FP_END_
#endif
#elif DPPAIR_STAGE_ == DPPAIR_STAGE_BODIES_
/* ---- src/modules/contrast/of_bodies.h -------------------------------------------------------
 * Bodies of a row-wise loss: the chapters
 *
 * Compiled for each instance of one and each tier.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_ROWS_WHOLE_
/* ---- src/modules/contrast/triplet_rows.h ----------------------------------------------------
 * Losses of whole rows: one anchor
 *
 * For one instance and tier. A row holds the similarities of an anchor with all candidates; its
 * positives and negatives are written side by side as scores, and what the loss does is that of a
 * query of a ranking: derivatives c[0] in the positives' scores, c[1] in the negatives'. They
 * replace the similarities in the row. Equal similarities have equal shares of a derivative, so no
 * result depends on the order of records but for rounding.
 * ---------------------------------------------------------------------------------------------- */

/* phi and phi' at one margin. */
DPPAIR_FORCE_INLINE_ DPV_R DPPAIR_NAME_triplet_phi_TIER_(DPV_R u, const double *params) {
  DPV_R v[DPV_LANES];
  (void)params;
  DPV_STORE(v, DPPAIR_LOSS_VALUE(DPV_SET(u)));
  return v[0];
}
DPPAIR_FORCE_INLINE_ DPV_R DPPAIR_NAME_triplet_slope_TIER_(DPV_R u, const double *params) {
  DPV_R v[DPV_LANES];
  (void)params;
  DPV_STORE(v, DPPAIR_LOSS_SLOPE(DPV_SET(u)));
  return v[0];
}

/* Writes the scores of the positives (side 0) and negatives (1) of anchor i, and whose they are;
 * number[side] counts them. Past the negatives is a vector of infinities. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_split_TIER_(size_t *number,
                                                         const DPPAIR_NAME_triplet_ *t,
                                                         const DPV_R *row, size_t i) {
  const double *offset = t->contrast->offset;
  const int labels = t->contrast->positives == DPPAIR_POSITIVE_LABEL;
  const DPV_R y = labels ? t->side[0].rows->y[i] : 0, *label = labels ? t->side[1].rows->y : NULL;
  size_t count[2] = {0, 0}, j;
  for (j = 0; j < t->m; j++) {
    const DPV_R v = row[j] * t->inverse, s = offset ? (DPV_R)((double)v - offset[j]) : v;
    const size_t like = labels ? (size_t) !((label[j] < y) | (label[j] > y))
                               : (size_t)DPPAIR_NAME_triplet_alike_(t, i, j);
    const size_t own = (size_t)((j == i) & t->one), p = count[0], q = count[1];
    t->score[0][p] = s;
    t->score[1][q] = s;
    t->at[0][p] = (uint32_t)j;
    t->at[1][q] = (uint32_t)j;
    count[0] = p + (like & (own ^ 1));
    count[1] = q + ((like ^ 1) & (own ^ 1));
  }
  DPV_STORE(t->score[1] + count[1], DPV_SET((DPV_R)HUGE_VAL));
  number[0] = count[0];
  number[1] = count[1];
}

/* Whether sorting is faster than all pairs, which have the same sums. */
#define DPT_PAIRS_ (DPPAIR_F64_ ? 120.0 : 240.0)

/* All triplets of the anchor: c, or its loss where `value` is not NULL. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_all_TIER_(const DPPAIR_NAME_triplet_ *t,
                                                       const size_t *number, double *value) {
  const size_t np = number[0], nn = number[1];
  for (size_t k = 0; k < np; k++) t->score[0][k] -= t->margin;
  if (value) {
    DPPAIR_NAME_risk_not_private_TIER(value, t->score[0], np, t->score[1], nn, t->params);
    return;
  }
#if DPPAIR_SORTED_
  if ((double)np * (double)nn > DPT_PAIRS_ * ((double)np + (double)nn)) {
    const dppair_piece pieces[] = DPPAIR_LOSS_PIECES(t->params);
    dppair_fast f;
    dppair_status status;
    memset(&f, 0, sizeof f);
    f.capacity = t->ld;
    f.score_cap = DBL_MAX;
    f.work = t->sorted;
    dppair_pieces_coeffs_TIER(&status, t->c[0], t->c[1], t->score[0], np, t->score[1], nn, &f,
                              pieces, (int)(sizeof pieces / sizeof *pieces), !DPPAIR_F64_, NULL);
    return;
  }
#endif
  DPPAIR_NAME_coeffs_TIER(t->c[0], t->c[1], t->score[0], np, t->score[1], nn, t->params);
}
#undef DPT_PAIRS_

/* The negative of a positive of score s: the largest score below s, else (*least) the smallest one,
 * which the caller knows. */
DPPAIR_FORCE_INLINE_ DPV_R DPPAIR_NAME_triplet_below_TIER_(const DPV_R *scores, size_t n, DPV_R s,
                                                           DPV_R least) {
  const DPV_T limit = DPV_SET(s), none = DPV_SET((DPV_R)-HUGE_VAL);
  DPV_R lanes[DPV_LANES], best = (DPV_R)-HUGE_VAL;
  DPV_T most = none;
  for (size_t k = 0; k < n; k += DPV_LANES) {
    const DPV_T v = DPV_LOAD(scores + k);
    most = DPV_MAX(DPV_SEL(DPV_LT(v, limit), v, none), most);
  }
  DPV_STORE(lanes, most);
  for (int l = 0; l < DPV_LANES; l++) best = lanes[l] > best ? lanes[l] : best;
  return best < least ? least : best;
}

/* c[k] += `all`, in equal shares, for those of n scores that are v; past them are other numbers. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_triplet_share_TIER_(double *c, const DPV_R *scores, size_t n,
                                                          DPV_R v, DPV_R all) {
  const DPV_T equal = DPV_SET(v), zero = DPV_SET(0), one = DPV_SET(1);
  DPV_T count = zero, share;
  for (size_t k = 0; k < n; k += DPV_LANES)
    count = DPV_ADD(count, DPV_SEL(DPV_EQ(DPV_LOAD(scores + k), equal), one, zero));
  share = DPV_SET(all / DPV_SUM(count));
  for (size_t k = 0; k < n; k += DPV_LANES)
    dpv_add_wide(c + k, DPV_SEL(DPV_EQ(DPV_LOAD(scores + k), equal), share, zero));
}

/* One negative for each positive: DPPAIR_TRIPLES_SEMI_HARD. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_semi_TIER_(const DPPAIR_NAME_triplet_ *t,
                                                        const size_t *number, double *value) {
  const size_t np = number[0], nn = number[1];
  const DPV_R *sn = t->score[1];
  DPV_R least = (DPV_R)HUGE_VAL;
  for (size_t k = 0; k < nn; k++) least = sn[k] < least ? sn[k] : least;
  for (size_t k = 0; k < nn + DPV_LANES; k++) t->c[1][k] = 0.0;
  for (size_t k = 0; k < np; k++) {
    const DPV_R s = t->score[0][k];
    const DPV_R n = DPPAIR_NAME_triplet_below_TIER_(sn, nn, s, least), u = (s - t->margin) - n;
    if (value) {
      *value += (double)DPPAIR_NAME_triplet_phi_TIER_(u, t->params);
    } else {
      const DPV_R slope = DPPAIR_NAME_triplet_slope_TIER_(u, t->params);
      t->c[0][k] = (double)slope;
      if (slope < 0 || slope > 0) DPPAIR_NAME_triplet_share_TIER_(t->c[1], sn, nn, n, -slope);
    }
  }
}

/* The farthest positive and the nearest negative: DPPAIR_TRIPLES_HARDEST. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_hard_TIER_(const DPPAIR_NAME_triplet_ *t,
                                                        const size_t *number, double *value) {
  DPV_R end[2] = {t->score[0][0], t->score[1][0]}, slope, u;
  double share[2];
  size_t equal[2] = {0, 0};
  for (size_t k = 0; k < number[0]; k++) end[0] = t->score[0][k] < end[0] ? t->score[0][k] : end[0];
  for (size_t k = 0; k < number[1]; k++) end[1] = t->score[1][k] > end[1] ? t->score[1][k] : end[1];
  u = (end[0] - t->margin) - end[1];
  if (value) {
    *value = (double)DPPAIR_NAME_triplet_phi_TIER_(u, t->params);
    return;
  }
  slope = DPPAIR_NAME_triplet_slope_TIER_(u, t->params);
  for (int side = 0; side < 2; side++)
    for (size_t k = 0; k < number[side]; k++)
      equal[side] += (size_t) !((t->score[side][k] < end[side]) | (t->score[side][k] > end[side]));
  share[0] = (double)slope / (double)equal[0];
  share[1] = -(double)slope / (double)equal[1];
  for (int side = 0; side < 2; side++)
    for (size_t k = 0; k < number[side]; k++)
      t->c[side][k] =
          !((t->score[side][k] < end[side]) | (t->score[side][k] > end[side])) ? share[side] : 0.0;
}

/* ln of the sum over negatives of e^(margin + s): within double sums of exponentials in DPV_R. */
DPPAIR_OUT_OF_LINE_ double DPPAIR_NAME_triplet_log_TIER_(const DPPAIR_NAME_triplet_ *t, size_t nn) {
  const DPV_R *sn = t->score[1];
  double sum[8] = {0, 0, 0, 0, 0, 0, 0, 0}, log[8];
  DPV_R most = sn[0];
  for (size_t k = 0; k < nn; k++) most = sn[k] > most ? sn[k] : most;
  for (size_t k = 0; k < nn; k += DPV_LANES) {
    const size_t rest = nn - k;
    const DPV_T v = rest < DPV_LANES ? DPV_LOADN(sn + k, rest, (DPV_R)-HUGE_VAL) : DPV_LOAD(sn + k);
    const DPV_M some = DPV_LT(DPV_SET((DPV_R)-HUGE_VAL), v);
    const DPV_T e = DPV_EXP(DPV_SUB(DPV_SEL(some, v, DPV_SET(most)), DPV_SET(most)));
    dpv_add_wide8(sum, DPV_SEL(some, e, DPV_SET(0)));
  }
  for (size_t l = 1; l < 8; l++) sum[0] += sum[l];
  dpd_store(log, dpd_log(dpd_set(sum[0])));
  return log[0] + (double)most + t->contrast->margin;
}

/* Lifted structure: for the pair of the anchor and its positive, J = ln(e^a + e^b) - s with the
 * logarithms a and b of the two; slope = phi'(-J), share = e^a/(e^a + e^b). Returns -J. */
DPPAIR_FORCE_INLINE_ double DPPAIR_NAME_triplet_lift_TIER_(double *share, double a, double b,
                                                           double s) {
  double log[8], part[8];
  dpd_store(log, dpd_softplus(dpd_set(b - a)));
  dpd_store(part, dpd_sigmoid(dpd_set(a - b)));
  *share = part[0];
  return s - (a + log[0]);
}

/* The row of an anchor in one of the sweeps of lifted structure. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_lifted_TIER_(const DPPAIR_NAME_triplet_ *t,
                                                          const size_t *number, size_t i) {
  const size_t np = number[0], nn = number[1];
  const int value = t->sweep == DPPAIR_CAT(DPPAIR_NAME, _triplet_value_);
  double sum = 0.0;
  DPV_R shift;
  if (t->sweep == DPPAIR_CAT(DPPAIR_NAME, _triplet_log_)) {
    t->logs[i] = DPPAIR_NAME_triplet_log_TIER_(t, nn);
    return;
  }
  for (size_t k = 0; k < np; k++) {
    double share;
    const double u = DPPAIR_NAME_triplet_lift_TIER_(&share, t->logs[i], t->logs[t->at[0][k]],
                                                    (double)t->score[0][k]);
    if (value) {
      sum += 0.5 * (double)DPPAIR_NAME_triplet_phi_TIER_((DPV_R)u, t->params);
    } else {
      const double slope = (double)DPPAIR_NAME_triplet_slope_TIER_((DPV_R)u, t->params);
      t->c[0][k] = 0.5 * slope;
      sum -= slope * share;
    }
  }
  if (t->sweep != DPPAIR_CAT(DPPAIR_NAME, _triplet_weight_)) {
    t->value[i] = sum;
    return;
  }
  shift = (DPV_R)(t->contrast->margin - t->logs[i]);
  for (size_t k = 0; k < nn; k += DPV_LANES) {
    const size_t rest = nn - k < DPV_LANES ? nn - k : DPV_LANES;
    DPV_R e[DPV_LANES];
    DPV_STORE(e, DPV_EXP(DPV_ADD(DPV_LOADN(t->score[1] + k, rest, 0), DPV_SET(shift))));
    for (size_t l = 0; l < rest; l++) t->c[1][k + l] = t->value[i] * (double)e[l];
  }
}

/* Writes c into the row, in the place of the similarities: the derivatives in inner products, but
 * for distances in minus their squares (halved, and over the distance where that is compared; 0
 * between equal records). */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_place_TIER_(const DPPAIR_NAME_triplet_ *t, DPV_R *row,
                                                         const size_t *number) {
  const int root = t->contrast->compare == DPPAIR_COMPARE_EUCLIDEAN;
  const double inverse = (double)t->inverse;
  for (int side = 0; side < 2; side++)
    for (size_t k = 0; k < number[side]; k++) {
      DPV_R *const to = row + t->at[side][k];
      const double remote = -(double)*to, c = t->c[side][k] * inverse;
      *to = (DPV_R)(root ? (remote > 0.0 ? c / remote : 0.0) : c);
    }
}

/* The row of anchor i. Without a positive or a negative it has no triplet. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_row_TIER_(const DPPAIR_NAME_triplet_ *t, DPV_R *row,
                                                       size_t i) {
  double *value = t->sweep == DPPAIR_CAT(DPPAIR_NAME, _triplet_value_) ? t->value + i : NULL;
  size_t number[2];
  DPPAIR_NAME_triplet_split_TIER_(number, t, row, i);
  if (!t->lifted) t->value[i] = 0.0;
  if (number[0] > 0 && number[1] > 0) {
    if (t->lifted)
      DPPAIR_NAME_triplet_lifted_TIER_(t, number, i);
    else if (t->contrast->triples == DPPAIR_TRIPLES_SEMI_HARD)
      DPPAIR_NAME_triplet_semi_TIER_(t, number, value);
    else if (t->contrast->triples == DPPAIR_TRIPLES_HARDEST)
      DPPAIR_NAME_triplet_hard_TIER_(t, number, value);
    else
      DPPAIR_NAME_triplet_all_TIER_(t, number, value);
  } else {
    number[0] = number[1] = 0;
    t->value[i] = 0.0;
    memset(row, 0, t->ld * sizeof *row);
  }
  if (t->sweep != DPPAIR_CAT(DPPAIR_NAME, _triplet_weight_)) return;
  DPPAIR_NAME_triplet_place_TIER_(t, row, number);
  if (t->one) row[i] = 0;
  for (size_t j = t->m; j < t->ld; j++) row[j] = 0;
}
/* ---- src/modules/contrast/triplet_kernels.h -------------------------------------------------
 * Losses of whole rows: the kernels
 *
 * For one instance and tier: similarities of a strip, the derivatives of one anchor's loss in its
 * similarities (rows.h), and their products with rows. Let W be the matrix of these derivatives,
 * anchors by candidates. A strip adds W Z to the sums of its anchors and W^T Z to those of all
 * candidates; both products are chains in the data's type, a block or a strip long, and are added
 * up in double (float: as two floats, of 48 bits).
 * ---------------------------------------------------------------------------------------------- */

/* out[r][f] = the sum over t < steps of s[r][t] v[t][f] or, `across`, of s[t][r] v[t][f], for
 * `rows` rows and t->width numbers f; rows of s begin t->ld apart. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_sums_TIER_(const DPPAIR_NAME_triplet_ *t, DPV_R *out,
                                                        const DPV_R *v, const DPV_R *s, size_t rows,
                                                        size_t steps, int across) {
  for (size_t f = 0; f < t->width; f += DPT_W) {
    if (across)
      dpv_multiply(out + f, t->width, v + f, t->width, s, t->ld, rows, steps, 0);
    else
      dpv_multiply_rows(out + f, t->width, v + f, t->width, s, t->ld, rows, steps);
  }
}

/* sum[0..n) += v in double; n in whole vectors. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_triplet_wide_TIER_(double *sum, const DPV_R *v, size_t n) {
  for (size_t f = 0; f < n; f += DPV_LANES) dpv_add_wide(sum + f, DPV_LOAD(v + f));
}

/* The sum of record i of a side += v[0..d), numbers of the data's type or, `wide`, doubles. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_triplet_add_TIER_(const DPPAIR_NAME_triplet_side_ *side,
                                                        size_t i, size_t d, const DPV_R *v,
                                                        const double *wide) {
  DPV_R *hi = side->out + i * d;
  size_t f = 0;
#if DPPAIR_F64_
  for (; f + 8 <= d; f += 8)
    dpd_store(hi + f, dpd_add(dpd_load(hi + f), dpd_load(wide ? wide + f : v + f)));
  for (; f < d; f++) hi[f] += wide ? wide[f] : v[f];
#else
  DPV_R *low = side->low + i * d;
  for (; f + 8 <= d; f += 8) {
    const dpd_t sum = dpd_add(dpd_load_f32(hi + f), dpd_load_f32(low + f));
    const dpd_t all = dpd_add(sum, wide ? dpd_load(wide + f) : dpd_load_f32(v + f));
    dpd_store_f32(hi + f, all);
    dpd_store_f32(low + f, dpd_sub(all, dpd_load_f32(hi + f)));
  }
  for (; f < d; f++) {
    const double sum = (double)hi[f] + (double)low[f], all = sum + (wide ? wide[f] : (double)v[f]);
    hi[f] = (float)all;
    low[f] = (float)(all - (double)hi[f]);
  }
#endif
}

/* square[0..DPT_W) = the squared norms of a packed block, by the chain of an inner product: equal
 * rows have the distance 0. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_squares_TIER_(DPV_R *square, const DPV_R *block,
                                                           size_t d) {
  for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
    DPV_T sum = DPV_SET(0);
    for (size_t f = 0; f < d; f++) {
      const DPV_T v = DPV_LOAD(block + f * DPT_W + l);
      sum = DPV_FMA(v, v, sum);
    }
    DPV_STORE(square + l, sum);
  }
}

/* The squared norms of all rows of a side. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_norms_TIER_(const DPPAIR_NAME_triplet_ *t,
                                                         const DPPAIR_NAME_triplet_side_ *side) {
  DPV_R square[3 * DPV_LANES];
  for (size_t i = 0; i < side->rows->n; i += DPT_W) {
    const size_t left = side->rows->n - i;
    DPPAIR_NAME_triplet_copy_(t->block, 1, DPT_W, side, i, DPT_W);
    DPPAIR_NAME_triplet_squares_TIER_(square, t->block, t->d);
    memcpy(side->square + i, square, (left < DPT_W ? left : DPT_W) * sizeof *square);
  }
}

/* t->s = the similarities of `count` anchors from i0 on with all candidates, before temperature and
 * offsets. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_strip_TIER_(const DPPAIR_NAME_triplet_ *t, size_t i0,
                                                         size_t count) {
  const int remote = DPPAIR_NAME_triplet_far_(t);
  const int root = t->contrast->compare == DPPAIR_COMPARE_EUCLIDEAN;
  const DPV_T zero = DPV_SET(0), two = DPV_SET(2);
  DPV_R square[3 * DPV_LANES];
  DPPAIR_NAME_triplet_copy_(t->left, 1, t->strip, &t->side[0], i0, count);
  for (size_t j0 = 0; j0 < t->m; j0 += DPT_W) {
    DPPAIR_NAME_triplet_copy_(t->block, 1, DPT_W, &t->side[1], j0, DPT_W);
    dpv_multiply(t->s + j0, t->ld, t->block, DPT_W, t->left, t->strip, count, t->d, 0);
    if (!remote) continue;
    DPPAIR_NAME_triplet_squares_TIER_(square, t->block, t->d);
    for (size_t i = 0; i < count; i++)
      for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
        const DPV_T both = DPV_ADD(DPV_SET(t->side[0].square[i0 + i]), DPV_LOAD(square + l));
        DPV_R *const s = t->s + i * t->ld + j0 + l;
        const DPV_T v = DPV_MIN(DPV_FMA(two, DPV_LOAD(s), DPV_NEG(both)), zero);
        DPV_STORE(s, root ? DPV_NEG(DPV_SQRT(DPV_NEG(v))) : v);
      }
  }
}

/* Adds the products of the strip's weights with the candidates' rows, and the sums of its weights,
 * to t->own: those of its own records. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_own_TIER_(const DPPAIR_NAME_triplet_ *t,
                                                       size_t count) {
  memset(t->own, 0, count * t->width * sizeof *t->own);
  memset(t->own_weight, 0, count * sizeof *t->own_weight);
  for (size_t j0 = 0; j0 < t->m; j0 += DPT_W) {
    const size_t left = t->m - j0, rows = left < DPT_W ? left : DPT_W;
    DPPAIR_NAME_triplet_copy_(t->block, t->width, 1, &t->side[1], j0, DPT_W);
    DPPAIR_NAME_triplet_sums_TIER_(t, t->tile, t->block, t->s + j0, count, rows, 0);
    DPPAIR_NAME_triplet_wide_TIER_(t->own, t->tile, count * t->width);
    for (size_t i = 0; i < count; i++) {
      const DPV_R *w = t->s + i * t->ld + j0;
      t->own_weight[i] += (double)DPV_SUM(
          DPV_ADD(DPV_ADD(DPV_LOAD(w), DPV_LOAD(w + DPV_LANES)), DPV_LOAD(w + 2 * DPV_LANES)));
    }
  }
}

/* One part of a round: the rows of one strip. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_task_TIER_(void *context, size_t part) {
  const DPPAIR_NAME_triplet_ *all = (const DPPAIR_NAME_triplet_ *)context;
  const DPPAIR_NAME_triplet_ t = DPPAIR_NAME_triplet_part_(all, part);
  const size_t i0 = (t.round + part) * t.strip, count = DPPAIR_NAME_triplet_count_(&t, i0);
  if (count == 0) return;
  DPPAIR_NAME_triplet_strip_TIER_(&t, i0, count);
  for (size_t i = 0; i < count; i++) DPPAIR_NAME_triplet_row_TIER_(&t, t.s + i * t.ld, i0 + i);
  if (t.sweep != DPPAIR_CAT(DPPAIR_NAME, _triplet_weight_)) return;
  DPPAIR_NAME_triplet_copy_(t.z, t.width, 1, &t.side[0], i0, count);
  DPPAIR_NAME_triplet_own_TIER_(&t, count);
  for (size_t i = 0; i < count && !t.one; i++) {
    DPPAIR_NAME_triplet_add_TIER_(&t.side[0], i0 + i, t.d, NULL, t.own + i * t.width);
    t.side[0].weight[i0 + i] += t.own_weight[i];
  }
}

/* Candidates j0.. <= DPT_W of them: adds what the strip of one part has for them, in t->tile. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_spread_TIER_(const DPPAIR_NAME_triplet_ *t,
                                                          DPV_R *tile, size_t i0, size_t j0,
                                                          size_t rows) {
  const DPPAIR_NAME_triplet_side_ *side = &t->side[1];
  const size_t count = DPPAIR_NAME_triplet_count_(t, i0);
  double sums[3 * DPV_LANES];
  DPPAIR_NAME_triplet_sums_TIER_(t, tile, t->z, t->s + j0, rows, count, 1);
  for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
    DPV_T sum = DPV_SET(0);
    for (size_t i = 0; i < count; i++) sum = DPV_ADD(sum, DPV_LOAD(t->s + i * t->ld + j0 + l));
    memset(sums + l, 0, DPV_LANES * sizeof *sums);
    dpv_add_wide(sums + l, sum);
  }
  for (size_t j = 0; j < rows; j++) {
    DPPAIR_NAME_triplet_add_TIER_(side, j0 + j, t->d, tile + j * t->width, NULL);
    side->weight[j0 + j] += sums[j];
    if (!t->one || j0 + j < i0 || j0 + j >= i0 + count) continue;
    DPPAIR_NAME_triplet_add_TIER_(side, j0 + j, t->d, NULL, t->own + (j0 + j - i0) * t->width);
    side->weight[j0 + j] += t->own_weight[j0 + j - i0];
  }
}

/* One part of the end of a round: its blocks of candidates, strip by strip. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_join_TIER_(void *context, size_t part) {
  const DPPAIR_NAME_triplet_ *all = (const DPPAIR_NAME_triplet_ *)context;
  const size_t blocks = all->ld / DPT_W, last = dppair_part_begin_(blocks, part + 1, all->parts);
  DPV_R *const tile = DPPAIR_NAME_triplet_part_(all, part).tile;
  for (size_t b = dppair_part_begin_(blocks, part, all->parts); b < last; b++) {
    const size_t j0 = b * DPT_W, left = all->m - j0, rows = left < DPT_W ? left : DPT_W;
    for (size_t p = 0; p < all->parts && all->round + p < all->strips; p++) {
      const DPPAIR_NAME_triplet_ t = DPPAIR_NAME_triplet_part_(all, p);
      DPPAIR_NAME_triplet_spread_TIER_(&t, tile, (all->round + p) * t.strip, j0, rows);
    }
  }
}

/* All rounds of one sweep. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_sweep_TIER_(DPPAIR_NAME_triplet_ *t,
                                                         DPPAIR_NAME_triplet_sweep_ sweep,
                                                         const dppair_tasks *parts) {
  dppair_executor *run = parts && parts->run ? parts->run : dppair_run_serial;
  void *self = parts ? parts->self : NULL;
  t->sweep = sweep;
  for (t->round = 0; t->round < t->strips; t->round += t->parts) {
    run(DPPAIR_NAME_triplet_task_TIER_, t, t->parts, self);
    if (sweep == DPPAIR_CAT(DPPAIR_NAME, _triplet_weight_))
      run(DPPAIR_NAME_triplet_join_TIER_, t, t->parts, self);
  }
}

/* The sweeps of a gradient or, if out is NULL, of a risk, and the end of the sums. */
DPPAIR_FN_ void DPPAIR_NAME_triplet_run_TIER(DPPAIR_NAME_triplet_ *t, int risk,
                                             const dppair_tasks *parts) {
  int k;
  for (k = 0; k < 2 - t->one && DPPAIR_NAME_triplet_far_(t); k++)
    DPPAIR_NAME_triplet_norms_TIER_(t, &t->side[k]);
  if (t->lifted) DPPAIR_NAME_triplet_sweep_TIER_(t, DPPAIR_CAT(DPPAIR_NAME, _triplet_log_), parts);
  if (t->lifted && !risk)
    DPPAIR_NAME_triplet_sweep_TIER_(t, DPPAIR_CAT(DPPAIR_NAME, _triplet_share_), parts);
  DPPAIR_NAME_triplet_sweep_TIER_(t,
                                  risk ? DPPAIR_CAT(DPPAIR_NAME, _triplet_value_)
                                       : DPPAIR_CAT(DPPAIR_NAME, _triplet_weight_),
                                  parts);
  for (k = 0; k < 2 - t->one && !risk; k++)
    for (size_t i = 0; i < t->side[k].rows->n; i++) DPPAIR_NAME_triplet_close_(t, &t->side[k], i);
}
#else
/* ---- src/modules/contrast/kernels.h ---------------------------------------------------------
 * Row-wise losses by tiles, for one instance and tier
 *
 * It relies on state.h, and on tiles/multiply.h for products. A strip is one block of DPT_W records
 * i, the lanes, against all their partners j in tiles of DPPAIR_TILE_ rows. The first pass finds
 * the largest exponent of each anchor and the sum of e^(exponent - largest), which is raised to a
 * new largest one when that comes. The second one computes each logit again, by the same chain of
 * operations, and from it
 *
 *   w_ij = dL_i/ds_ij + dL_j/ds_ji,    dz_i = pull sum over j of w_ij z_j
 *
 * (less pull z_i sum of w_ij for a distance). So a strip owns its results: nothing is added up over
 * strips or parts, and memory is that of the records. Exponentials and products are in the data's
 * type; sums over candidates are in double.
 * ---------------------------------------------------------------------------------------------- */

/* The exponents and their slopes of a loss, DPT_LOW at least. */
#define DPPAIR_LOSS_EXPONENT_OF_(s, own, like) DPPAIR_LOSS_OF_(_EXPONENT)(s, own, like, params)
#define DPPAIR_LOSS_SLOPE_OF_(s, own, like) DPPAIR_LOSS_OF_(_SLOPE)(s, own, like, params)

/* t->left = the embeddings from place i0 on, as a packed block [k][DPT_W]. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_pack_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                         size_t i0) {
  for (size_t l = 0; l < DPT_W; l++)
    for (size_t f = 0; f < t->k; f++) t->left[f * DPT_W + l] = t->z[(i0 + l) * t->k + f];
}

/* What lane block l and row j have in common before the offset: the same from either end. */
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_NAME_contrast_logit_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                            const DPV_R *dot, size_t i, size_t j) {
  const DPV_T q = DPV_ADD(DPV_LOAD(t->q + i), DPV_SET(t->q[j]));
  return DPV_MUL(DPV_SET(t->scale), DPV_FMA(DPV_SET(t->twice), DPV_LOAD(dot), q));
}

/* The exponent of logits s. */
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_NAME_contrast_exponent_TIER_(DPV_T s, DPV_M own, DPV_M like,
                                                               const double *params) {
  (void)params;
  (void)own;
  (void)like;
  return DPV_MAX(DPV_SET(DPT_LOW), DPPAIR_LOSS_EXPONENT_OF_(s, own, like));
}

/* Lanes that a pair does not enter: it is one record, or a positive that has a logit of its own. */
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_NAME_contrast_apart_TIER_(DPV_T x, DPV_M self, DPV_M own,
                                                            DPV_T angular) {
  const DPV_M apart = DPV_AND(own, DPV_EQ(angular, DPV_SET(1)));
  return DPV_SEL(DPV_OR(self, apart), DPV_SET(DPT_LOW), x);
}

/* Adds to the anchors of the lanes how many of the rows are positives, and with `risk` the logits
 * of those; w: inner products. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_own_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                        const DPPAIR_NAME_contrast_keys_ *key,
                                                        const DPV_R *w, size_t rows, size_t i0,
                                                        size_t j0) {
  for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
    DPV_T count = DPV_SET(0);
    for (size_t j = 0; j < rows; j++) {
      const DPV_M own = DPV_EQ(DPV_LOAD(key->anchor + l), DPV_SET(key->row_candidate[j]));
      const DPV_M self = DPV_EQ(DPV_LOAD(key->lane + l), DPV_SET(key->self[j]));
      const DPV_T one = DPV_SEL(self, DPV_SET(0), DPV_SEL(own, DPV_SET(1), DPV_SET(0)));
      count = DPV_ADD(count, one);
      if (t->risk) {
        const DPV_T u = DPPAIR_NAME_contrast_logit_TIER_(t, w + j * DPT_W + l, i0 + l, j0 + j);
        dpv_add_wide(t->own + i0 + l, DPV_MUL(one, DPV_SUB(u, DPV_SET(t->offset[j0 + j]))));
      }
    }
    dpv_add_wide(t->positives + i0 + l, count);
  }
}

/* Replaces the inner products w of the lanes with `rows` rows by their exponents; raises the
 * largest ones, most[DPT_W]. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_exponents_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                              const DPPAIR_NAME_contrast_keys_ *key,
                                                              DPV_R *most, DPV_R *w, size_t rows,
                                                              size_t i0, size_t j0) {
  const DPV_T angular = DPV_SET(t->angular);
  for (size_t j = 0; j < rows; j++)
    for (size_t l = 0; l < DPT_W; l += DPV_LANES, w += DPV_LANES) {
      const DPV_M own = DPV_EQ(DPV_LOAD(key->anchor + l), DPV_SET(key->row_candidate[j]));
      const DPV_M like = DPV_EQ(DPV_LOAD(t->y + i0 + l), DPV_SET(key->like[j]));
      const DPV_M self = DPV_EQ(DPV_LOAD(key->lane + l), DPV_SET(key->self[j]));
      const DPV_T s = DPV_SUB(DPPAIR_NAME_contrast_logit_TIER_(t, w, i0 + l, j0 + j),
                              DPV_SET(t->offset[j0 + j]));
      const DPV_T x = DPPAIR_NAME_contrast_apart_TIER_(
          DPPAIR_NAME_contrast_exponent_TIER_(s, own, like, t->params), self, own, angular);
      DPV_STORE(w, x);
      DPV_STORE(most + l, DPV_MAX(x, DPV_LOAD(most + l)));
    }
}

/* sum[DPT_W] += e^(w - most) over the rows, after what it holds was brought from the largest
 * exponents top to most. Four terms are added before they go to double. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_sums_TIER_(double *sum, DPV_R *top, const DPV_R *most,
                                                         const DPV_R *w, size_t rows) {
  DPV_R fall[DPT_W];
  for (size_t l = 0; l < DPT_W; l += DPV_LANES)
    DPV_STORE(fall + l, dpv_exp_below(DPV_SUB(DPV_LOAD(top + l), DPV_LOAD(most + l))));
  for (size_t l = 0; l < DPT_W; l++) sum[l] *= (double)fall[l];
  for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
    const DPV_T m = DPV_LOAD(most + l);
    const DPV_R *x = w + l;
    size_t j = 0;
    for (; j + 4 <= rows; j += 4, x += 4 * DPT_W) {
      const DPV_T a = dpv_exp_below(DPV_SUB(DPV_LOAD(x), m));
      const DPV_T b = dpv_exp_below(DPV_SUB(DPV_LOAD(x + DPT_W), m));
      const DPV_T c = dpv_exp_below(DPV_SUB(DPV_LOAD(x + 2 * DPT_W), m));
      const DPV_T d = dpv_exp_below(DPV_SUB(DPV_LOAD(x + 3 * DPT_W), m));
      dpv_add_wide(sum + l, DPV_ADD(DPV_ADD(a, b), DPV_ADD(c, d)));
    }
    for (; j < rows; j++, x += DPT_W) dpv_add_wide(sum + l, dpv_exp_below(DPV_SUB(DPV_LOAD(x), m)));
    DPV_STORE(top + l, m);
  }
}

/* x and slope, of DPT_W lanes: the exponents of the anchors' own logits, and how steep they are. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_alone_TIER_(const DPPAIR_NAME_contrast_ *t, DPV_R *x,
                                                          DPV_R *slope, size_t i0) {
  const double *params = t->params;
  DPV_R there[DPT_W], label[DPT_W];
  (void)params;
  for (size_t l = 0; l < DPT_W; l++) {
    const size_t place = DPPAIR_NAME_contrast_positive_(t, i0 + l);
    there[l] = place < SIZE_MAX;
    label[l] = t->labels && place < SIZE_MAX ? t->y[place] : t->y[i0 + l] + 1;
  }
  for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
    const DPV_T s = DPV_LOAD(t->lone + i0 + l);
    const DPV_M own = DPV_EQ(DPV_LOAD(there + l), DPV_SET(1));
    const DPV_M like = DPV_EQ(DPV_LOAD(t->y + i0 + l), DPV_LOAD(label + l));
    const DPV_T e = DPPAIR_NAME_contrast_exponent_TIER_(s, own, like, t->params);
    (void)like;
    DPV_STORE(x + l, DPV_SEL(own, e, DPV_SET(DPT_LOW)));
    DPV_STORE(slope + l, DPPAIR_LOSS_SLOPE_OF_(s, own, like));
  }
}

/* t->mix = the weights of the anchors' own logits. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_mix_TIER_(const DPPAIR_NAME_contrast_ *t, size_t i0) {
  DPV_R x[DPT_W], slope[DPT_W];
  DPPAIR_NAME_contrast_alone_TIER_(t, x, slope, i0);
  for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
    const DPV_T e = dpv_exp_below(DPV_SUB(DPV_LOAD(x + l), DPV_LOAD(t->top + i0 + l)));
    DPV_STORE(x + l, DPV_MUL(DPV_MUL(e, DPV_LOAD(t->share + i0 + l)), DPV_LOAD(slope + l)));
  }
  for (size_t l = 0; l < DPT_W; l++)
    t->mix[i0 + l] = t->share[i0 + l] > 0 && t->positives[i0 + l] > 0.0 ? x[l] - 1 : 0;
}

/* The first pass for the anchors from place i0 on. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_statistics_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                               size_t i0) {
  const int counted = !t->angular && (t->risk || t->how->positives == DPPAIR_POSITIVE_LABEL);
  DPPAIR_NAME_contrast_keys_ key;
  DPV_R top[DPT_W], most[DPT_W], slope[DPT_W];
  size_t j0, end = DPPAIR_NAME_contrast_partners_(t, i0, &j0);
  DPPAIR_NAME_contrast_pack_TIER_(t, i0);
  for (size_t l = 0; l < DPT_W; l++) top[l] = most[l] = DPT_NONE;
  for (; j0 < end; j0 += DPT_W) {
    const size_t rows = end - j0 < DPT_W ? end - j0 : DPT_W;
    dpv_multiply_rows(t->tile, DPT_W, t->left, DPT_W, t->z + j0 * t->k, t->k, rows, t->k);
    DPPAIR_NAME_contrast_keys_of_(&key, t, rows, i0, j0);
    if (counted) DPPAIR_NAME_contrast_own_TIER_(t, &key, t->tile, rows, i0, j0);
    DPPAIR_NAME_contrast_exponents_TIER_(t, &key, most, t->tile, rows, i0, j0);
    DPPAIR_NAME_contrast_sums_TIER_(t->sum + i0, top, most, t->tile, rows);
  }
  if (t->angular) {
    DPPAIR_NAME_contrast_alone_TIER_(t, t->tile, slope, i0);
    for (size_t l = 0; l < DPT_W; l++) most[l] = t->tile[l] > most[l] ? t->tile[l] : most[l];
    DPPAIR_NAME_contrast_sums_TIER_(t->sum + i0, top, most, t->tile, 1);
  }
  memcpy(t->top + i0, top, sizeof top);
}

/* Replaces the inner products w of the lanes with `rows` rows by the weights of the pairs, both
 * orders added up. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_weights_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                            const DPPAIR_NAME_contrast_keys_ *key,
                                                            DPV_R *w, size_t rows, size_t i0,
                                                            size_t j0) {
  const double *params = t->params;
  const DPV_T zero = DPV_SET(0), angular = DPV_SET(t->angular);
  (void)params;
  for (size_t j = 0; j < rows; j++)
    for (size_t l = 0; l < DPT_W; l += DPV_LANES, w += DPV_LANES) {
      const size_t i = i0 + l, row = j0 + j;
      const DPV_M own = DPV_EQ(DPV_LOAD(key->anchor + l), DPV_SET(key->row_candidate[j]));
      const DPV_M owned = DPV_EQ(DPV_LOAD(key->candidate + l), DPV_SET(key->row_anchor[j]));
      const DPV_M like = DPV_EQ(DPV_LOAD(t->y + i), DPV_SET(key->like[j]));
      const DPV_M self = DPV_EQ(DPV_LOAD(key->lane + l), DPV_SET(key->self[j]));
      const DPV_T u = DPPAIR_NAME_contrast_logit_TIER_(t, w, i, row);
      const DPV_T s = DPV_SUB(u, DPV_SET(t->offset[row])), r = DPV_SUB(u, DPV_LOAD(t->offset + i));
      const DPV_T x = DPPAIR_NAME_contrast_apart_TIER_(
          DPPAIR_NAME_contrast_exponent_TIER_(s, own, like, t->params), self, own, angular);
      const DPV_T y = DPPAIR_NAME_contrast_apart_TIER_(
          DPPAIR_NAME_contrast_exponent_TIER_(r, owned, like, t->params), self, owned, angular);
      DPV_T a = dpv_exp_below(DPV_SUB(x, DPV_LOAD(t->top + i)));
      DPV_T b = dpv_exp_below(DPV_SUB(y, DPV_SET(t->top[row])));
      a = DPV_MUL(DPV_MUL(a, DPV_LOAD(t->share + i)), DPPAIR_LOSS_SLOPE_OF_(s, own, like));
      b = DPV_MUL(DPV_MUL(b, DPV_SET(t->share[row])), DPPAIR_LOSS_SLOPE_OF_(r, owned, like));
      a = DPV_SUB(a, DPV_SEL(own, DPV_LOAD(t->target + i), zero));
      b = DPV_SUB(b, DPV_SEL(owned, DPV_SET(t->target[row]), zero));
      DPV_STORE(w, DPV_SEL(self, zero, DPV_ADD(a, b)));
    }
}

/* t->row += the weights of the lanes with `rows` rows. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_mass_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                         const DPV_R *w, size_t rows) {
  for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
    DPV_T sum = DPV_SET(0);
    for (size_t j = 0; j < rows; j++) sum = DPV_ADD(sum, DPV_LOAD(w + j * DPT_W + l));
    dpv_add_wide(t->row + l, sum);
  }
}

/* P += the weights of the tile times the embeddings from place j0 on. In float the products of one
 * tile are summed, eight columns at a time, before they go to double. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_push_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                         size_t rows, size_t j0) {
  const DPV_R *z = t->z + j0 * t->k;
#if DPPAIR_F64_
  dpv_multiply(t->p, DPT_W, t->tile, DPT_W, z, t->k, t->k, rows, 1);
#else
  for (size_t f = 0; f < t->k; f += 8) {
    const size_t count = t->k - f < 8 ? t->k - f : 8;
    DPV_R sums[8 * 3 * DPV_LANES];
    dpv_multiply(sums, DPT_W, t->tile, DPT_W, z + f, t->k, count, rows, 0);
    for (size_t e = 0; e < count * DPT_W; e += DPV_LANES)
      dpv_add_wide(t->p + f * DPT_W + e, DPV_LOAD(sums + e));
  }
#endif
}

/* Writes the gradients of the records from place i0 on: of a cosine only what is orthogonal to the
 * embedding, divided by its norm. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_close_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                          size_t i0) {
  const size_t end = DPPAIR_NAME_contrast_end_(t, i0);
  const int cosine = t->how->compare == DPPAIR_COMPARE_COSINE;
  DPV_R *out =
      DPPAIR_NAME_contrast_other_(t, i0) ? t->dz_others + (i0 - t->from) * t->k : t->dz + i0 * t->k;
  for (size_t l = 0; l < DPT_W && i0 + l < end; l++, out += t->k) {
    const DPV_R *z = t->z + (i0 + l) * t->k;
    const double factor = cosine ? t->pull * t->inverse[i0 + l] : t->pull;
    double along = t->how->compare == DPPAIR_COMPARE_DISTANCE ? t->row[l] : 0.0;
    for (size_t f = 0; cosine && f < t->k; f++) along += t->p[f * DPT_W + l] * (double)z[f];
    for (size_t f = 0; f < t->k; f++)
      out[f] = (DPV_R)(factor * (t->p[f * DPT_W + l] - along * (double)z[f]));
  }
}

/* The second pass for the records from place i0 on. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_strip_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                          size_t i0) {
  const int distance = t->how->compare == DPPAIR_COMPARE_DISTANCE;
  DPPAIR_NAME_contrast_keys_ key;
  size_t j0, end = DPPAIR_NAME_contrast_partners_(t, i0, &j0);
  DPPAIR_NAME_contrast_pack_TIER_(t, i0);
  memset(t->p, 0, t->k * DPT_W * sizeof *t->p);
  memset(t->row, 0, DPT_W * sizeof *t->row);
  for (; j0 < end; j0 += DPPAIR_TILE_) {
    const size_t rows = end - j0 < DPPAIR_TILE_ ? end - j0 : DPPAIR_TILE_;
    for (size_t j = 0; j < rows; j += DPT_W) {
      const size_t some = rows - j < DPT_W ? rows - j : DPT_W;
      DPV_R *w = t->tile + j * DPT_W;
      dpv_multiply_rows(w, DPT_W, t->left, DPT_W, t->z + (j0 + j) * t->k, t->k, some, t->k);
      DPPAIR_NAME_contrast_keys_of_(&key, t, some, i0, j0 + j);
      DPPAIR_NAME_contrast_weights_TIER_(t, &key, w, some, i0, j0 + j);
      if (distance) DPPAIR_NAME_contrast_mass_TIER_(t, w, some);
    }
    DPPAIR_NAME_contrast_push_TIER_(t, rows, j0);
  }
  DPPAIR_NAME_contrast_close_TIER_(t, i0);
  if (t->angular && i0 < t->from) DPPAIR_NAME_contrast_mix_TIER_(t, i0);
}

/* One part of either pass: its strips, with its own scratch. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_first_TIER_(void *context, size_t part) {
  const DPPAIR_NAME_contrast_ *all = (const DPPAIR_NAME_contrast_ *)context;
  const DPPAIR_NAME_contrast_ t = DPPAIR_NAME_contrast_part_(all, part);
  const size_t end = dppair_part_begin_(t.blocks, part + 1, t.parts);
  for (size_t b = dppair_part_begin_(t.blocks, part, t.parts); b < end; b++)
    if (DPPAIR_NAME_contrast_anchors_(&t, b * DPT_W))
      DPPAIR_NAME_contrast_statistics_TIER_(&t, b * DPT_W);
}
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_second_TIER_(void *context, size_t part) {
  const DPPAIR_NAME_contrast_ *all = (const DPPAIR_NAME_contrast_ *)context;
  const DPPAIR_NAME_contrast_ t = DPPAIR_NAME_contrast_part_(all, part);
  const size_t end = dppair_part_begin_(t.blocks, part + 1, t.parts);
  for (size_t b = dppair_part_begin_(t.blocks, part, t.parts); b < end; b++)
    DPPAIR_NAME_contrast_strip_TIER_(&t, b * DPT_W);
}

/* q = -|z|^2, by the chain of an inner product. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_squares_TIER_(const DPPAIR_NAME_contrast_ *t) {
  for (size_t i0 = 0; i0 < t->blocks * DPT_W; i0 += DPT_W) {
    DPPAIR_NAME_contrast_pack_TIER_(t, i0);
    for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
      DPV_T sum = DPV_SET(0);
      for (size_t f = 0; f < t->k; f++) {
        const DPV_T v = DPV_LOAD(t->left + f * DPT_W + l);
        sum = DPV_FMA(v, v, sum);
      }
      DPV_STORE(t->q + i0 + l, DPV_NEG(sum));
    }
  }
}

/* Runs a pass on all parts. */
DPPAIR_FN_ void DPPAIR_NAME_contrast_run_TIER_(DPPAIR_NAME_contrast_ *t, const dppair_tasks *parts,
                                               dppair_task *one) {
  if (parts && parts->run)
    parts->run(one, t, t->parts, parts->self);
  else
    dppair_run_serial(one, t, t->parts, NULL);
}

/* What *q asks for, into *t: statistics, and but for a risk the gradients. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_contrast_compute_TIER(DPPAIR_NAME_contrast_ *t, const DPPAIR_NAME_contrast_query_ *q) {
  double offset;
  dppair_status status = DPPAIR_NAME_contrast_open_(t, &offset, q);
  if (status != DPPAIR_OK) return status;
  if (t->angular) DPPAIR_NAME_contrast_join_(t);
  status = DPPAIR_NAME_contrast_norms_(t, offset);
  if (status != DPPAIR_OK || q->rows->n == 0) return status; /* no others have a gradient then */
  if (q->how->compare == DPPAIR_COMPARE_DISTANCE) DPPAIR_NAME_contrast_squares_TIER_(t);
  DPPAIR_NAME_contrast_run_TIER_(t, q->options->tasks, DPPAIR_NAME_contrast_first_TIER_);
  for (size_t i = 0; i < t->n; i++)
    if (i < t->first || i >= t->from) DPPAIR_NAME_contrast_settle_(t, i);
  if (!q->risk)
    DPPAIR_NAME_contrast_run_TIER_(t, q->options->tasks, DPPAIR_NAME_contrast_second_TIER_);
  if (!q->risk && t->angular) DPPAIR_NAME_contrast_split_(t, q);
  return DPPAIR_OK;
}

#undef DPPAIR_LOSS_EXPONENT_OF_
#undef DPPAIR_LOSS_SLOPE_OF_
/* ---- src/modules/contrast/clip_kernels.h ----------------------------------------------------
 * A softmax over the batch with each similarity clipped: tiles
 *
 * For one instance and tier, in the vectors of double. It relies on clip_state.h, and on multiply.h
 * for products. A tile has a row for each record of the other side's block; its lanes are the
 * strip's own records.
 * ---------------------------------------------------------------------------------------------- */

#define DPC_(op) DPPAIR_D_(op)

/* z, by blocks and by rows, and the squared norms of one block of a side. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_softmax_map_TIER(const DPPAIR_NAME_softmax_ *s, size_t side,
                                                      size_t block) {
  const double *x = s->x[side] + block * s->d * DPT_SIDE;
  double *z = s->z[side] + block * s->k * DPT_SIDE;
  double *zr = s->zr[side] + block * s->k * DPT_SIDE;
  dpd_multiply(z, DPT_SIDE, x, DPT_SIDE, s->w, s->k, s->k, s->d, 0);
  for (size_t l = 0; l < DPT_SIDE; l++)
    for (size_t f = 0; f < s->k; f++) zr[l * s->k + f] = z[f * DPT_SIDE + l];
  for (size_t l = 0; l < DPT_SIDE; l += 8) {
    dpd_t a = dpd_set(0.0), b = dpd_set(0.0);
    for (size_t f = 0; f < s->d; f++) {
      const dpd_t v = dpd_load(x + f * DPT_SIDE + l);
      a = dpd_fma(v, v, a);
    }
    for (size_t f = 0; f < s->k; f++) {
      const dpd_t v = dpd_load(z + f * DPT_SIDE + l);
      b = dpd_fma(v, v, b);
    }
    dpd_store(s->x2[side] + block * DPT_SIDE + l, a);
    dpd_store(s->z2[side] + block * DPT_SIDE + l, b);
  }
}

/* e[j][l] = e^(s - reach) from the inner products `dot`, 0 for what is no record. Functions of two
 * records: an inner product is one chain over their numbers, the same from either side. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_softmax_terms_TIER(const DPPAIR_NAME_softmax_ *s, double *e,
                                                        const double *dot, size_t block,
                                                        size_t from) {
  const dpd_t scale = dpd_set(s->scale), high = dpd_set(s->reach), low = dpd_set(-s->reach);
  for (size_t a = 0; a < DPT_SIDE * DPT_SIDE; a += 8) {
    dpd_t v = DPC_(mul)(dpd_load(dot + a), scale);
    v = DPC_(max)(low, DPC_(min)(high, v));
    dpd_store(e + a, DPC_(exp_below)(DPC_(sub)(v, high)));
  }
  if ((block + 1) * DPT_SIDE <= s->n && (from + 1) * DPT_SIDE <= s->n) return;
  for (size_t j = 0; j < DPT_SIDE; j++)
    for (size_t l = 0; l < DPT_SIDE; l++)
      if (block * DPT_SIDE + l >= s->n || from * DPT_SIDE + j >= s->n) e[j * DPT_SIDE + l] = 0.0;
}

/* The sums of a block of anchors over all candidates. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_softmax_totals_TIER(const DPPAIR_NAME_softmax_ *s,
                                                         size_t block, double *tile) {
  double *dot = tile + DPT_SIDE * DPT_SIDE, *total = s->total + block * DPT_SIDE;
  memset(total, 0, DPT_SIDE * sizeof *total);
  for (size_t from = 0; from < s->blocks; from++) {
    dpd_multiply(dot, DPT_SIDE, s->z[0] + block * s->k * DPT_SIDE, DPT_SIDE,
                 s->z[1] + from * s->k * DPT_SIDE, DPT_SIDE, DPT_SIDE, s->k, 0);
    DPPAIR_NAME_softmax_terms_TIER(s, tile, dot, block, from);
    for (size_t a = 0; a < DPT_SIDE * DPT_SIDE; a += 8)
      dpd_store(total + a % DPT_SIDE, dpd_add(dpd_load(total + a % DPT_SIDE), dpd_load(tile + a)));
  }
  for (size_t l = 0; l < DPT_SIDE; l++)
    if (block * DPT_SIDE + l >= s->n) total[l] = 1.0;
}

/* e[j][l] = share less 1 of the own positive, from terms e. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_softmax_shares_TIER(const DPPAIR_NAME_softmax_ *s, double *e,
                                                          size_t side, size_t block, size_t from) {
  const double *total = s->total + (side ? from : block) * DPT_SIDE;
  for (size_t a = 0; a < DPT_SIDE * DPT_SIDE; a += 8) {
    const dpd_t sum = side ? dpd_set(total[a / DPT_SIDE]) : dpd_load(total + a % DPT_SIDE);
    dpd_store(e + a, DPC_(div)(dpd_load(e + a), sum));
  }
  for (size_t l = 0; block == from && l < DPT_SIDE; l++) e[l * (DPT_SIDE + 1)] -= 1.0;
}

/*
 * e *= B/(length of G) where that is below 1, and 1/temperature. `gram` and `dot` are <x_i, y_j>
 * and <z_i, u_j>, and
 *
 *   |G|^2 = (t + 2 gram dot)/temperature^2,   t = |x_i|^2 |u_j|^2 + |y_j|^2 |z_i|^2.
 *
 * As computed, t errs by (d + k + 6) units of rounding relative to itself, and 2 gram dot by
 * 2.1 (d + k) units relative to t, since 2 |x||u||y||z| <= t; twice as much where products are not
 * fused. The margin is 16 (d + k + 16) units.
 * A length is taken as 2^-9.5 sqrt(t)/temperature at least: the two parts of G may cancel, and then
 * they are not more than 1024 B long, which is what their rounding is relative to. What else is
 * rounded here is within 8 epsilon, which s->clip leaves. Sums and products of two numbers come in
 * either order from the two sides, which changes no bit.
 */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_softmax_clip_TIER(const DPPAIR_NAME_softmax_ *s, double *e,
                                                        const double *dot, const double *gram,
                                                        size_t side, size_t block, size_t from) {
  const dpd_t clip = dpd_set(s->clip), scale = dpd_set(s->scale), two = dpd_set(2.0);
  const dpd_t more = dpd_set(1.0 + s->margin), least = dpd_set(1.0 / 524288.0);
  const double *x2 = s->x2[side] + block * DPT_SIDE, *z2 = s->z2[side] + block * DPT_SIDE;
  for (size_t a = 0; a < DPT_SIDE * DPT_SIDE; a += 8) {
    const size_t j = from * DPT_SIDE + a / DPT_SIDE, l = a % DPT_SIDE;
    const dpd_t own = DPC_(mul)(dpd_load(x2 + l), dpd_set(s->z2[1 - side][j]));
    const dpd_t t = dpd_add(own, DPC_(mul)(dpd_load(z2 + l), dpd_set(s->x2[1 - side][j])));
    const dpd_t cross = DPC_(mul)(DPC_(mul)(dpd_load(gram + a), dpd_load(dot + a)), two);
    const dpd_t square = DPC_(max)(DPC_(mul)(t, least), dpd_add(DPC_(mul)(t, more), cross));
    const dpd_t length = DPC_(max)(clip, DPC_(mul)(DPC_(sqrt)(square), scale));
    const dpd_t factor = DPC_(mul)(DPC_(div)(clip, length), scale);
    dpd_store(e + a, DPC_(mul)(dpd_load(e + a), factor));
  }
}

/* dz of a block of a side: the sum over the other side's records of weights times their z. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_softmax_strip_TIER(const DPPAIR_NAME_softmax_ *s, size_t side,
                                                        size_t block, double *tile) {
  double *dot = tile + DPT_SIDE * DPT_SIDE, *gram = dot + DPT_SIDE * DPT_SIDE;
  double *dz = s->dz[side] + block * s->k * DPT_SIDE;
  memset(dz, 0, s->k * DPT_SIDE * sizeof *dz);
  for (size_t from = 0; from < s->blocks; from++) {
    dpd_multiply(dot, DPT_SIDE, s->z[side] + block * s->k * DPT_SIDE, DPT_SIDE,
                 s->z[1 - side] + from * s->k * DPT_SIDE, DPT_SIDE, DPT_SIDE, s->k, 0);
    dpd_multiply(gram, DPT_SIDE, s->x[side] + block * s->d * DPT_SIDE, DPT_SIDE,
                 s->x[1 - side] + from * s->d * DPT_SIDE, DPT_SIDE, DPT_SIDE, s->d, 0);
    DPPAIR_NAME_softmax_terms_TIER(s, tile, dot, block, from);
    DPPAIR_NAME_softmax_shares_TIER(s, tile, side, block, from);
    DPPAIR_NAME_softmax_clip_TIER(s, tile, dot, gram, side, block, from);
    dpd_multiply(dz, DPT_SIDE, tile, DPT_SIDE, s->zr[1 - side] + from * s->k * DPT_SIDE, s->k, s->k,
                 DPT_SIDE, 1);
  }
}

#undef DPC_
#endif
/* ---- src/modules/contrast/map_kernels.h -----------------------------------------------------
 * Embeddings by a linear map, and back
 *
 * For an instance of a row-wise loss and a tier. It relies on tiles/multiply.h.
 * ---------------------------------------------------------------------------------------------- */

/* z[n][k] = W^T x of the rows times their factors, w[d][k]. x[d][DPT_W], left[k][DPT_W]: scratch.
 */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_embed_TIER_(DPV_R *z, const DPPAIR_ROWS_ *rows,
                                                          const DPV_R *w, size_t k, DPV_R *x,
                                                          DPV_R *left) {
  for (size_t i0 = 0; i0 < rows->n; i0 += DPT_W) {
    const size_t count = rows->n - i0 < DPT_W ? rows->n - i0 : DPT_W;
    memset(x, 0, rows->d * DPT_W * sizeof *x);
    for (size_t l = 0; l < count; l++)
      DPPAIR_NAME_scaled_row_(x + l, DPT_W, rows->x + (i0 + l) * rows->ld, rows->d,
                              rows->factor ? rows->factor[i0 + l] : 1.0);
    dpv_multiply(left, DPT_W, x, DPT_W, w, k, k, rows->d, 0);
    for (size_t l = 0; l < count; l++)
      for (size_t f = 0; f < k; f++) z[(i0 + l) * k + f] = left[f * DPT_W + l];
  }
}

/* g[d][width] += X^T dz in double, over the rows times their factors; width: k rounded up to whole
 * kernels. x[d], xd[DPT_W][d], h[DPT_W][width]: scratch. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_gather_TIER_(double *g, const DPPAIR_ROWS_ *rows,
                                                           const DPV_R *dz, size_t k, size_t width,
                                                           DPV_R *x, double *xd, double *h) {
  const size_t d = rows->d;
  for (size_t i0 = 0; i0 < rows->n; i0 += DPT_W) {
    const size_t count = rows->n - i0 < DPT_W ? rows->n - i0 : DPT_W;
    for (size_t l = 0; l < count; l++) {
      const size_t i = i0 + l;
      DPPAIR_NAME_scaled_row_(x, 1, rows->x + i * rows->ld, d,
                              rows->factor ? rows->factor[i] : 1.0);
      for (size_t f = 0; f < d; f++) xd[l * d + f] = (double)x[f];
      for (size_t f = 0; f < width; f++)
        h[l * width + f] = f < k ? (double)dz[i * k + f] : 0.0;
    }
    for (size_t f = 0; f < width; f += DPPAIR_COLUMNS_)
      dpd_multiply(g + f, width, h + f, width, xd, d, d, count, 1);
  }
}
#elif DPPAIR_STAGE_ == DPPAIR_STAGE_FUNCTIONS_
/* ---- src/modules/contrast/of_functions.h ----------------------------------------------------
 * Functions and releases of a row-wise loss: the chapters
 *
 * Compiled for each instance of one, after its kernels.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_ROWS_WHOLE_
/* ---- src/modules/contrast/triplet.h ---------------------------------------------------------
 * Losses of whole rows: triplets
 *
 * L is the SUM of phi(s_ap - s_an - margin) over anchors a and the pairs of a positive p and a
 * negative n of a that dppair_contrast.triples names, s = similarity/temperature - offset:
 *
 *   DPPAIR_TRIPLES_ALL        every p and n
 *   DPPAIR_TRIPLES_SEMI_HARD  for every p one n: the most similar of those less similar than p or,
 *                             if there is none, the least similar of all (the rule of TensorFlow's
 *                             triplet_semihard_loss; s_an < s_ap without the margin)
 *   DPPAIR_TRIPLES_HARDEST    for every a one pair: the least similar p, the most similar n
 *   DPPAIR_TRIPLES_LIFTED     no triplets, but pairs of equal labels: the sum over pairs i < j of
 *                             phi(-J), J = ln(sum over n of i of e^(margin + s_in) + the same of
 *                             j) - s_ij (Oh Song et al. 2016, (4): phi dppair_triplet_squared,
 *                             DPPAIR_COMPARE_EUCLIDEAN; their mean divides by the number of pairs)
 *
 * A positive of an anchor is what dppair_contrast.positives says, every other candidate is a
 * negative, and a record is neither of itself. An anchor without one of both adds nothing. Sums,
 * not means: the number of triplets is as private as the labels, that of active ones as private as
 * the rows; a release divides by what is public.
 *
 * Equal similarities: where a triplet is one of several equally hard ones, each has an equal share,
 * which is a subgradient of the maximum. A distance DPPAIR_COMPARE_EUCLIDEAN of two equal records
 * has the gradient 0, and phi the slope that its L_SLOPE says.
 *
 * Cost, for n anchors and candidates of d numbers: 6 n^2 d flops for products (lifted: 10) and, of
 * an anchor with P positives and N negatives, O(P N) for slopes in vectors, or where a piecewise
 * linear slope can be sorted and P N is large O((P + N) log(P + N)). Memory O(n): for n = 10^5, d =
 * 64 and one part 49 MB (float).
 *
 * NOT PRIVATE: gradients and risks are as secret as the records.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* *bytes = the workspace of NAME_contrast_gradient and NAME_contrast_risk_not_private for n rows of
 * d numbers and `others` more in a second block (0: one set, or an empty block). Of the options the
 * number of parts is read; NULL: one. Errors zero *bytes: NULL, SIZE, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_workspace(
    size_t *bytes, size_t n, size_t others, size_t d, const dppair_options *options) {
  const size_t parts = options && options->tasks ? options->tasks->count : 1;
  DPPAIR_NAME_triplet_ t;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (d < 1 || parts < 1 || parts > DPPAIR_FORM_PARTS_) return DPPAIR_ERR_SIZE;
  *bytes = DPPAIR_NAME_triplet_sizes_(&t, n, others, others == 0, d, parts);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/*
 * dz[n][d] = dL/dz of the embeddings z, the rows times their factors; dz_others the same of the
 * candidates `others`, which have their own labels. NULL for both: the rows are the candidates.
 *
 * rows->y, others->y: labels, for DPPAIR_POSITIVE_LABEL. options: params, parts, work as
 * NAME_contrast_workspace says. Every sum over records is in double (float: of chains of up to 48
 * numbers in float, added with 48 bits). The same bits for any number of parts.
 *
 * Errors zero both: NULL; SIZE (d, ld, parts, a partner that is no candidate, fewer others than
 * rows for DPPAIR_POSITIVE_RECORD); DOMAIN (temperature not positive and finite, margin, what is
 * compared, two_sided, an angle, triples; DPPAIR_POSITIVE_RECORD of one set; lifted of two sets,
 * with offsets or without labels); NO_PROOF (weights, groups, a clip); WORKSPACE; OVERFLOW
 * (similarities, 1/temperature or a margin beyond 1/64 of the type, sizes); ENVIRONMENT; NOT_FINITE
 * (an input or a result).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_gradient(
    DPPAIR_REAL *dz, DPPAIR_REAL *dz_others, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others,
    const dppair_contrast *contrast, const dppair_options *options) {
  DPPAIR_NAME_triplet_ t;
  DPPAIR_ROWS_ some[2];
  size_t size[2], k;
  DPPAIR_REAL *const out[2] = {dz, dz_others};
  dppair_status status = DPPAIR_OK;
  if (!rows) return DPPAIR_ERR_NULL;
  size[0] = dppair_area_(rows->n, rows->d);
  size[1] = others ? dppair_area_(others->n, others->d) : 0;
  for (k = 0; k < 2; k++) {
    if (size[k] > SIZE_MAX / sizeof(double)) return DPPAIR_ERR_OVERFLOW;
    if (out[k])
      memset(out[k], 0, size[k] * sizeof(DPPAIR_REAL));
    else if (size[k])
      status = DPPAIR_ERR_NULL;
  }
  if (!contrast || !options) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_there_(some, rows, others);
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_triplet_open_(&t, dz, dz_others, some, others ? some + 1 : NULL, contrast,
                                       options);
  if (status != DPPAIR_OK) return status;
  DPPAIR_DISPATCH_(DPPAIR_NAME_triplet_run, (&t, 0, options->tasks));
  if ((size[0] == 0 || DPT_FINITE(dz, size[0])) && (size[1] == 0 || DPT_FINITE(dz_others, size[1])))
    return DPPAIR_OK;
  for (k = 0; k < 2; k++)
    if (out[k]) memset(out[k], 0, size[k] * sizeof(DPPAIR_REAL));
  return DPPAIR_ERR_NOT_FINITE;
}

/* *risk = L of the same arguments, by loops over all triplets. NOT PRIVATE. Errors zero it, as
 * above. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_risk_not_private(
    double *risk, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others,
    const dppair_contrast *contrast, const dppair_options *options) {
  DPPAIR_NAME_triplet_ t;
  DPPAIR_ROWS_ some[2];
  dppair_status status;
  size_t i;
  if (!risk) return DPPAIR_ERR_NULL;
  *risk = 0.0;
  if (!rows || !contrast || !options) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_there_(some, rows, others);
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_triplet_open_(&t, NULL, NULL, some, others ? some + 1 : NULL, contrast,
                                       options);
  if (status != DPPAIR_OK) return status;
  DPPAIR_DISPATCH_(DPPAIR_NAME_triplet_run, (&t, 1, options->tasks));
  for (i = 0; i < t.n; i++) *risk += t.value[i];
  return dppair_finish_(risk, 1);
}

DPPAIR_FP_END_
#undef DPT_STRIP_
#undef DPT_SHORT_
#undef DPT_VECTOR_
#undef DPPAIR_SORTED_
#else
/* ---- src/modules/contrast/template.h --------------------------------------------------------
 * The functions of an instance of a row-wise loss
 *
 * Written NAME_x in comments and DPPAIR_NAME_x in the code. NOT PRIVATE: gradients are as secret as
 * the records, until a release adds its noise. What is compared, and the losses: shared.h.
 *
 *   #define DPPAIR_NAME simclr
 *   #define DPPAIR_REAL float
 *   #define DPPAIR_LOSS dppair_infonce
 *   #include "dppair_contrast.h"
 *
 *   dppair_contrast how = {0};                  C++: {}
 *   how.compare = DPPAIR_COMPARE_COSINE, how.temperature = 0.1;
 *   how.positives = DPPAIR_POSITIVE_PARTNER, how.partner = partner;     partner[i]: the other view
 *   rows = dppair_rows_make_f32(z, n, d, d);
 *   if (simclr_contrast_gradient(dz, NULL, &rows, NULL, &how, &options) != DPPAIR_OK) return 1;
 *
 * Arithmetic. Products take 6 n^2 d floating-point operations for one set, 10 n m d for two, 12 for
 * two sides; memory is that of the embeddings and a few numbers more for each record, never that of
 * the pairs. A logit is rounded in the type of the instance, by d epsilon |z| |z'|/temperature at
 * most, which is then the relative error of a weight. All else is rounded to within a few epsilon
 * of the sum of the sizes of what is added. Measured with logits of size 10, against the largest
 * number of a gradient: 2e-6 in float (n = 4096, d = 128), 1e-14 in double. The bits do not depend
 * on the tier, the number of parts or the runner.
 *
 * Null records are neither anchors nor candidates, nobody's partner, and have the gradient 0.
 *
 * Errors zero the results: NULL, SIZE (d < 1, ld < d, k < 1, nulls > n, blocks of unequal rows or,
 * for RECORD, of unequal numbers of records that are there, a partner that is no such record, parts
 * not in 1 to 256), DOMAIN (dppair_contrast), NO_PROOF (weights, groups, a clip), WORKSPACE,
 * ENVIRONMENT, OVERFLOW (logits could be too large, by rows->radius where it is not 0; else by the
 * rows), NOT_FINITE (an input or a result). Without rows their size is not known, and results are
 * not touched.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Zeroes the numbers of a result: one for each of the rows. OVERFLOW, NULL. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_contrast_clear_(DPPAIR_REAL *x, const DPPAIR_ROWS_ *rows) {
  const size_t count = dppair_area_(rows->n, rows->d);
  const dppair_status status = dppair_array_(x, count);
  if (status == DPPAIR_OK && count) memset(x, 0, count * sizeof *x);
  return status;
}

/* *bytes = the workspace of NAME_contrast_gradient and NAME_contrast_risk_not_private for n rows of
 * d numbers and `others` more in a second block (0: one set, or an empty block); with an angle, for
 * dppair_contrast_angular(n, others) in their place. Of the options the number of parts is read;
 * NULL: one. Errors zero *bytes: NULL, SIZE, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_workspace(
    size_t *bytes, size_t n, size_t others, size_t d, const dppair_options *options) {
  const size_t parts = options && options->tasks ? options->tasks->count : 1;
  DPPAIR_NAME_contrast_ t;
  size_t needed;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (d < 1 || parts < 1 || parts > DPPAIR_FORM_PARTS_) return DPPAIR_ERR_SIZE;
  needed = DPPAIR_NAME_contrast_sizes_(&t, n, others, 1, 0, d, parts);
  if (needed == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  *bytes = needed;
  return DPPAIR_OK;
}

/* dz[n][d] = the gradient, with respect to the rows times their factors, of the sum of the losses
 * of all anchors; dz_others[m][d] that with respect to the m others. others NULL: the rows are
 * compared with each other, and dz_others is not read. Each number is a sum in double, rounded once
 * to the type of the instance. An anchor without a positive, or without a candidate that is not
 * left out, contributes nothing. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_gradient(
    DPPAIR_REAL *dz, DPPAIR_REAL *dz_others, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others,
    const dppair_contrast *how, const dppair_options *options) {
  DPPAIR_ROWS_ some[2];
  const DPPAIR_NAME_contrast_query_ q = {
      some, others ? some + 1 : NULL, how, options, dz, dz_others, 0};
  DPPAIR_NAME_contrast_ t;
  dppair_status status, second = DPPAIR_OK;
  if (!rows) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_contrast_clear_(dz, rows);
  if (others) second = DPPAIR_NAME_contrast_clear_(dz_others, others);
  if (status == DPPAIR_OK) status = second;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_there_(some, rows, others);
  if (status != DPPAIR_OK) return status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_contrast_compute, (&t, &q));
  if (status != DPPAIR_OK) return status;
  if (DPT_FINITE(dz, rows->n * rows->d) &&
      (!others || DPT_FINITE(dz_others, others->n * others->d)))
    return DPPAIR_OK;
  (void)DPPAIR_NAME_contrast_clear_(dz, rows); /* as above, where it succeeded */
  if (others) (void)DPPAIR_NAME_contrast_clear_(dz_others, others);
  return DPPAIR_ERR_NOT_FINITE;
}

/* *risk = the sum whose gradient that is, in double; workspace and errors as there. NOT PRIVATE. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_risk_not_private(
    double *risk, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const dppair_contrast *how,
    const dppair_options *options) {
  DPPAIR_ROWS_ some[2];
  const DPPAIR_NAME_contrast_query_ q = {some, others ? some + 1 : NULL, how, options, NULL, NULL,
                                         1};
  DPPAIR_NAME_contrast_ t;
  dppair_status status;
  if (!risk) return DPPAIR_ERR_NULL;
  *risk = 0.0;
  if (!rows) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_there_(some, rows, others);
  if (status != DPPAIR_OK) return status;
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_contrast_compute, (&t, &q));
  if (status != DPPAIR_OK) return status;
  *risk = DPPAIR_NAME_contrast_total_(&t);
  return dppair_finish_(risk, 1);
}

DPPAIR_FP_END_
#undef DPT_LOW
#undef DPT_NONE
#endif
/* ---- src/modules/contrast/map.h -------------------------------------------------------------
 * The gradient of a row-wise loss in a linear map
 *
 * For any instance that has NAME_contrast_gradient and NAME_contrast_workspace.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The workspace of a map: the embeddings of both sides and their gradients, w in the type of the
 * instance, scratch, and the rest for NAME_contrast_gradient. */
typedef struct DPPAIR_NAME_contrast_map_ {
  DPPAIR_REAL *w, *x, *left, *z[2], *dz[2];
  double *xd, *h, *g;
  char *rest;
} DPPAIR_NAME_contrast_map_;

/* Sets the arrays to their places in the workspace at base (NULL: to NULL), of which the last has
 * `inner` bytes, and returns the bytes used, 64 of them for alignment; SIZE_MAX on overflow. */
DPPAIR_OUT_OF_LINE_ size_t DPPAIR_NAME_contrast_map_layout_(DPPAIR_NAME_contrast_map_ *m,
                                                            char *base, size_t n, size_t others,
                                                            size_t d, size_t k, size_t inner) {
  const size_t real = sizeof(DPPAIR_REAL), f64 = sizeof(double), width = dppair_whole_kernels_(k);
  size_t used = 0;
#define DPT_TAKE(field, a, b, size, type)                                                          \
  m->field = (type *)dppair_take_(base, &used, dppair_area_(a, b), size)
  DPT_TAKE(w, d, k, real, DPPAIR_REAL);
  DPT_TAKE(x, d, DPT_W, real, DPPAIR_REAL);
  DPT_TAKE(left, k, DPT_W, real, DPPAIR_REAL);
  DPT_TAKE(z[0], n, k, real, DPPAIR_REAL);
  DPT_TAKE(z[1], others, k, real, DPPAIR_REAL);
  DPT_TAKE(dz[0], n, k, real, DPPAIR_REAL);
  DPT_TAKE(dz[1], others, k, real, DPPAIR_REAL);
  DPT_TAKE(xd, d, DPT_W, f64, double);
  DPT_TAKE(h, width, DPT_W, f64, double);
  DPT_TAKE(g, d, width, f64, double);
  DPT_TAKE(rest, inner, 1, 1, char);
#undef DPT_TAKE
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* *bytes = the workspace of NAME_contrast_map_gradient for n rows of d numbers and `others` more in
 * a second block (0: one set), and a map of d rows of k numbers; with an angle, `others` as for
 * NAME_contrast_workspace. Of the options the number of parts is read; NULL: one. Errors zero
 * *bytes: NULL, SIZE, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_map_workspace(
    size_t *bytes, size_t n, size_t others, size_t d, size_t k, const dppair_options *options) {
  DPPAIR_NAME_contrast_map_ m;
  size_t inner;
  dppair_status status;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (d < 1) return DPPAIR_ERR_SIZE;
  status = DPPAIR_NAME_contrast_workspace(&inner, n, others, k, options);
  if (status != DPPAIR_OK) return status;
  *bytes = DPPAIR_NAME_contrast_map_layout_(&m, NULL, n, others, d, k, inner);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* Checks one side's rows as far as the map reads them. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_mapped_(const DPPAIR_ROWS_ *rows,
                                                                        size_t d) {
  if (rows->d != d || rows->ld < d || rows->nulls > rows->n) return DPPAIR_ERR_SIZE;
  if (dppair_area_(dppair_area_(rows->n, rows->ld), 8) == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if (rows->n && !rows->x) return DPPAIR_ERR_NULL;
  return rows->weight ? DPPAIR_ERR_NO_PROOF : DPPAIR_OK;
}

/*
 * g[d][k] = the gradient, with respect to w[d][k], of the sum of the losses of the embeddings W^T x
 * of the rows times their factors and, where there is a second block, of the others by the same
 * map. Everything else is that of NAME_contrast_gradient. Products of the map are in the type of
 * the instance, w rounded to it; X^T dz is summed in double.
 *
 * Errors zero g: those of NAME_contrast_gradient, SIZE (k < 1), NULL (w), NOT_FINITE (w).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_map_gradient(
    double *g, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const double *w, size_t k,
    const dppair_contrast *how, const dppair_options *options) {
  const size_t size = rows ? dppair_area_(rows->d, k) : 0, width = dppair_whole_kernels_(k);
  const DPPAIR_ROWS_ *side[2];
  DPPAIR_ROWS_ z[2], some[2];
  DPPAIR_NAME_contrast_map_ m;
  dppair_options inner;
  size_t needed, e, f;
  dppair_status status = dppair_array_(g, size);
  if (status != DPPAIR_OK) return status;
  if (size) memset(g, 0, size * sizeof *g);
  if (!rows || !w || !options) return DPPAIR_ERR_NULL;
  side[0] = rows;
  side[1] = others;
  status = DPPAIR_NAME_contrast_map_workspace(&needed, rows->n, others ? others->n : 0, rows->d, k,
                                              options);
  for (e = 0; e < 2 && status == DPPAIR_OK; e++)
    if (side[e]) status = DPPAIR_NAME_contrast_mapped_(side[e], rows->d);
  if (status == DPPAIR_OK && !options->work) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK && options->bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK && !dppair_all_finite_f64(w, size)) status = DPPAIR_ERR_NOT_FINITE;
  if (status != DPPAIR_OK) return status;
  for (e = 0; e < 2 && side[e]; e++) {
    some[e] = DPT_PRESENT(side[e]);
    side[e] = some + e;
  }
  (void)DPPAIR_NAME_contrast_map_layout_(&m, dppair_align_(options->work), some[0].n,
                                         others ? some[1].n : 0, rows->d, k, 0);
  inner = *options;
  inner.work = m.rest;
  inner.bytes = options->bytes - (size_t)(m.rest - (char *)options->work);
  for (e = 0; e < size; e++) m.w[e] = (DPPAIR_REAL)w[e];
  for (e = 0; e < 2 && side[e]; e++) {
    z[e] = *side[e];
    z[e].x = m.z[e];
    z[e].d = z[e].ld = k;
    z[e].factor = NULL;
    z[e].radius = 0.0;
    DPPAIR_DISPATCH_(DPPAIR_NAME_contrast_embed_, (m.z[e], side[e], m.w, k, m.x, m.left));
  }
  status = DPPAIR_NAME_contrast_gradient(m.dz[0], others ? m.dz[1] : NULL, &z[0],
                                         others ? &z[1] : NULL, how, &inner);
  if (status != DPPAIR_OK) return status;
  memset(m.g, 0, rows->d * width * sizeof *m.g);
  for (e = 0; e < 2 && side[e]; e++) {
    DPPAIR_DISPATCH_(DPPAIR_NAME_contrast_gather_,
                     (m.g, side[e], m.dz[e], k, width, m.x, m.xd, m.h));
  }
  for (f = 0; f < rows->d; f++)
    for (e = 0; e < k; e++) g[f * k + e] = m.g[f * width + e];
  return dppair_finish_(g, size);
}

DPPAIR_FP_END_
/* ---- src/modules/contrast/groups.h ----------------------------------------------------------
 * A row loss inside groups: the gradient in the embeddings of each group's own records
 *
 * For a network that makes the embeddings z, in a step of a plan of dppair_sampling_groups: dL/dz
 * of a whole batch of groups at once, to be propagated back group by group. The gradient of each
 * group in the network's parameters is what dppair_group_add_f64 shortens (dppair_groups.h).
 * Public function, written NAME_x in comments and DPPAIR_NAME_x in the code.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Rows from .. from + n - 1 of a block. */
DPPAIR_FN_ DPPAIR_ROWS_ DPPAIR_NAME_some_rows_(const DPPAIR_ROWS_ *rows, size_t from, size_t n) {
  DPPAIR_ROWS_ some = *rows;
  some.n = n;
  some.nulls = 0;
  if (some.x) some.x += from * some.ld;
  if (some.y) some.y += from;
  if (some.factor) some.factor += from;
  return some;
}

/* The `others` to ask for in the workspace of one group. */
DPPAIR_FN_ size_t DPPAIR_NAME_contrast_room_(size_t group, int others, const dppair_contrast *how) {
  const size_t count = others ? group : 0;
  return how->angle > 0.0 ? dppair_contrast_angular(group, count) : count;
}

/* Checks that rows can be addressed, partners and offsets, those of a group's places, and labels.
 * The rest of what is public is checked by the loss of a group without records. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_contrast_places_(const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, size_t group,
                             const dppair_contrast *how) {
  const int listed = how->positives == DPPAIR_POSITIVE_PARTNER;
  size_t i, wrong = 0;
  if (dppair_area_(dppair_area_(rows->n, rows->ld), 8) == SIZE_MAX ||
      (others && dppair_area_(dppair_area_(others->n, others->ld), 8) == SIZE_MAX))
    return DPPAIR_ERR_OVERFLOW;
  if (how->positives == DPPAIR_POSITIVE_LABEL && rows->n && (!rows->y || (others && !others->y)))
    return DPPAIR_ERR_NULL;
  if (listed && !how->partner) return DPPAIR_ERR_NULL;
  for (i = 0; listed && i < group; i++) wrong |= (size_t)(how->partner[i] >= group);
  if (wrong) return DPPAIR_ERR_SIZE;
  return how->offset && !dppair_all_finite_f64(how->offset, group) ? DPPAIR_ERR_NOT_FINITE
                                                                   : DPPAIR_OK;
}

/*
 * dz[n][d] = NAME_contrast_gradient of each group of `group` rows by itself: rows 0 .. group - 1,
 * group .. 2 group - 1, and so on; dz_others likewise, or NULL where others is. Partners and
 * offsets are those of the places in a group, the same for all. NOT PRIVATE.
 *
 *   options params; work: NAME_contrast_workspace of one group. Its parts are not read: threads
 *          each take some groups of the batch
 *
 * A group in which something is not finite, or overflows, has the gradient 0 and no status: a
 * status would tell about it. Errors zero both: NULL, SIZE (group 0, n no multiple of it, blocks
 * that differ), NO_PROOF (weights, null records, groups, a clip), DOMAIN (dppair_contrast),
 * WORKSPACE, OVERFLOW, ENVIRONMENT, those of NAME_contrast_workspace.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_groups(
    DPPAIR_REAL *dz, DPPAIR_REAL *dz_others, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others,
    size_t group, const dppair_contrast *how, const dppair_options *options) {
  DPPAIR_ROWS_ none, none_either;
  dppair_options one;
  size_t needed, from, size, beside;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  size = dppair_area_(rows->n, rows->d);
  beside = others ? dppair_area_(others->n, others->d) : 0;
  status = dppair_array_(dz, size);
  if (status == DPPAIR_OK && size) memset(dz, 0, size * sizeof *dz);
  if (status == DPPAIR_OK) status = dppair_array_(dz_others, beside);
  if (status != DPPAIR_OK) return status;
  if (beside) memset(dz_others, 0, beside * sizeof *dz_others);
  if (!how || !options || (rows->n && (!rows->x || (others && !others->x)))) return DPPAIR_ERR_NULL;
  if (group == 0 || rows->n % group || rows->ld < rows->d) return DPPAIR_ERR_SIZE;
  if (others && (others->n != rows->n || others->d != rows->d || others->ld < others->d))
    return DPPAIR_ERR_SIZE;
  if (rows->weight || (others && others->weight) || options->groups || options->clip ||
      rows->nulls || (others && others->nulls))
    return DPPAIR_ERR_NO_PROOF;
  one = *options;
  one.tasks = NULL;
  status = DPPAIR_NAME_contrast_places_(rows, others, group, how);
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_contrast_workspace(
        &needed, group, DPPAIR_NAME_contrast_room_(group, others != NULL, how), rows->d, &one);
  if (status == DPPAIR_OK && options->bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK && !options->work) status = DPPAIR_ERR_NULL;
  none = DPPAIR_NAME_some_rows_(rows, 0, 0);
  none_either = DPPAIR_NAME_some_rows_(others ? others : rows, 0, 0);
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_contrast_gradient(dz, dz_others, &none, others ? &none_either : NULL, how,
                                           &one);
  if (status != DPPAIR_OK) return status;
  for (from = 0; from < rows->n; from += group) {
    const DPPAIR_ROWS_ a = DPPAIR_NAME_some_rows_(rows, from, group);
    const DPPAIR_ROWS_ b = DPPAIR_NAME_some_rows_(others ? others : rows, from, group);
    DPPAIR_REAL *to = dz + from * rows->d, *either = others ? dz_others + from * rows->d : NULL;
    /* on an error both are 0 */
    (void)!DPPAIR_NAME_contrast_gradient(to, either, &a, others ? &b : NULL, how, &one);
  }
  return DPPAIR_OK;
}

DPPAIR_FP_END_
#if !DPPAIR_ROWS_WHOLE_
/* ---- src/modules/contrast/clip.h ------------------------------------------------------------
 * A softmax over the batch with each similarity clipped: the gradient
 *
 * Public functions, written NAME_x in comments and DPPAIR_NAME_x in the code. The loss and what is
 * clipped stand in clip_state.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The temperatures of a softmax whose similarities are clipped. Below, the terms of a row could all
 * underflow; and the sensitivity says nothing long before. */
#define DPT_COLDEST 0.00390625
#define DPT_HOTTEST 1048576.0
#define DPT_MOST 1e280 /* of squared norms of a row and an embedding */

/* The public checks, and the sizes, of *s for n records. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_softmax_open_(DPPAIR_NAME_softmax_ *s, size_t *bytes, size_t n, size_t d, size_t k,
                          const dppair_options *options) {
  memset(s, 0, sizeof *s);
  *bytes = 0;
  if (!options) return DPPAIR_ERR_NULL;
  if (options->tasks && options->tasks->count == 0) return DPPAIR_ERR_SIZE;
  if (options->groups) return DPPAIR_ERR_NO_PROOF;
  if (d == 0 || k == 0 || 64.0 * ((double)d + (double)k + 16.0) * DBL_EPSILON > 1.0)
    return DPPAIR_ERR_SIZE;
  s->n = n;
  s->d = d;
  s->k = k;
  s->blocks = n / DPT_SIDE + (n % DPT_SIDE > 0);
  s->parts = options->tasks ? options->tasks->count : 1;
  *bytes = DPPAIR_NAME_softmax_layout_(s, NULL);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* *bytes = the workspace of NAME_softmax_gradient and NAME_release_softmax for n records of d
 * numbers and a map to k, of which options->tasks is read: that of 2 n (d + 3 k) numbers and a
 * little. Errors zero it: NULL, SIZE (d or k is 0; parts 0), NO_PROOF (groups), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_softmax_workspace(
    size_t *bytes, size_t n, size_t d, size_t k, const dppair_options *options) {
  DPPAIR_NAME_softmax_ s;
  return bytes ? DPPAIR_NAME_softmax_open_(&s, bytes, n, d, k, options) : DPPAIR_ERR_NULL;
}

/* The tasks: strips that begin in a part. Index 0 and 1 of the strips are the sides. */
DPPAIR_FN_ void DPPAIR_NAME_softmax_map_part_(void *context, size_t part) {
  const DPPAIR_NAME_softmax_ *s = (const DPPAIR_NAME_softmax_ *)context;
  const size_t end = dppair_part_begin_(2 * s->blocks, part + 1, s->parts);
  size_t b;
  for (b = dppair_part_begin_(2 * s->blocks, part, s->parts); b < end; b++)
    DPPAIR_DISPATCH_(DPPAIR_NAME_softmax_map, (s, b / s->blocks, b % s->blocks));
}
DPPAIR_FN_ void DPPAIR_NAME_softmax_totals_part_(void *context, size_t part) {
  const DPPAIR_NAME_softmax_ *s = (const DPPAIR_NAME_softmax_ *)context;
  const size_t end = dppair_part_begin_(s->blocks, part + 1, s->parts);
  double *tile = s->tile + part * (3 * DPT_SIDE * DPT_SIDE);
  size_t b;
  for (b = dppair_part_begin_(s->blocks, part, s->parts); b < end; b++)
    DPPAIR_DISPATCH_(DPPAIR_NAME_softmax_totals, (s, b, tile));
}
DPPAIR_FN_ void DPPAIR_NAME_softmax_strip_part_(void *context, size_t part) {
  const DPPAIR_NAME_softmax_ *s = (const DPPAIR_NAME_softmax_ *)context;
  const size_t end = dppair_part_begin_(2 * s->blocks, part + 1, s->parts);
  double *tile = s->tile + part * (3 * DPT_SIDE * DPT_SIDE);
  size_t b;
  for (b = dppair_part_begin_(2 * s->blocks, part, s->parts); b < end; b++)
    DPPAIR_DISPATCH_(DPPAIR_NAME_softmax_strip, (s, b / s->blocks, b % s->blocks, tile));
}

/* g[d][k] = X^T dz of both sides, record by record. */
DPPAIR_FN_ void DPPAIR_NAME_softmax_sum_(double *g, const DPPAIR_NAME_softmax_ *s) {
  size_t side, i, f, c;
  for (side = 0; side < 2; side++)
    for (i = 0; i < s->n; i++) {
      const double *x = s->x[side] + i / DPT_SIDE * s->d * DPT_SIDE + i % DPT_SIDE;
      const double *dz = s->dz[side] + i / DPT_SIDE * s->k * DPT_SIDE + i % DPT_SIDE;
      double *row = s->zr[side] + i * s->k;
      for (c = 0; c < s->k; c++) row[c] = dz[c * DPT_SIDE];
      for (f = 0; f < s->d; f++)
        for (c = 0; c < s->k; c++) g[f * s->k + c] += x[f * DPT_SIDE] * row[c];
    }
}

/* The checks of NAME_softmax_gradient that read no record; lays out the workspace. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_softmax_check_(
    DPPAIR_NAME_softmax_ *s, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const double *w,
    size_t k, double temperature, const dppair_options *options) {
  size_t bytes, least;
  dppair_status status;
  if (!others || !w || !options) return DPPAIR_ERR_NULL;
  if (rows->n && (!rows->x || !others->x)) return DPPAIR_ERR_NULL;
  if (others->n != rows->n || others->d != rows->d || rows->ld < rows->d || others->ld < rows->d ||
      rows->nulls > rows->n || others->nulls != rows->nulls)
    return DPPAIR_ERR_SIZE;
  if (dppair_area_(dppair_area_(rows->n, rows->ld), 8) == SIZE_MAX ||
      dppair_area_(dppair_area_(others->n, others->ld), 8) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  if (rows->weight || others->weight) return DPPAIR_ERR_NO_PROOF;
  status = DPPAIR_NAME_softmax_open_(s, &bytes, rows->n, rows->d, k, options);
  if (status == DPPAIR_OK && rows->nulls > 0) /* there is room for all, and less is needed */
    status = DPPAIR_NAME_softmax_open_(s, &least, rows->n - rows->nulls, rows->d, k, options);
  if (status != DPPAIR_OK) return status;
  if (dppair_clip_check_(options) != DPPAIR_OK) return DPPAIR_ERR_WORKSPACE;
  if (!dppair_isfinite_f64(temperature) || !dppair_all_finite_f64(w, rows->d * k))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(temperature >= DPT_COLDEST && temperature <= DPT_HOTTEST)) return DPPAIR_ERR_DOMAIN;
  if (!options->clip) return DPPAIR_ERR_NO_PROOF;
  if (!(options->clip->bound >= 1e-90 && options->clip->bound <= 1e90)) return DPPAIR_ERR_DOMAIN;
  if (options->bytes < bytes) return DPPAIR_ERR_WORKSPACE;
  if (!options->work) return DPPAIR_ERR_NULL;
  s->w = w;
  s->scale = 1.0 / temperature;
  s->reach = s->scale * (1.0 - DBL_EPSILON);
  s->clip = options->clip->bound * (1.0 - 8.0 * DBL_EPSILON);
  s->margin = 8.0 * ((double)s->d + (double)k + 16.0) * DBL_EPSILON;
  (void)DPPAIR_NAME_softmax_layout_(s, dppair_align_(options->work));
  return DPPAIR_OK;
}

/* The work of NAME_softmax_gradient. NOT_FINITE. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_softmax_run_(double *g,
                                                                    DPPAIR_NAME_softmax_ *s,
                                                                    const DPPAIR_ROWS_ *rows,
                                                                    const DPPAIR_ROWS_ *others,
                                                                    const dppair_options *options) {
  dppair_executor *run =
      options->tasks && options->tasks->run ? options->tasks->run : dppair_run_serial;
  void *self = options->tasks ? options->tasks->self : NULL;
  const size_t padded = s->blocks * DPT_SIDE;
  double x = 0.0, z = 0.0;
  size_t side, i;
  DPPAIR_NAME_softmax_pack_(s, 0, rows);
  DPPAIR_NAME_softmax_pack_(s, 1, others);
  run(DPPAIR_NAME_softmax_map_part_, s, s->parts, self);
  for (side = 0; side < 2; side++) {
    if (!dppair_all_finite_f64(s->x2[side], padded) || !dppair_all_finite_f64(s->z2[side], padded))
      return DPPAIR_ERR_NOT_FINITE;
    for (i = 0; i < padded; i++) {
      x = s->x2[side][i] > x ? s->x2[side][i] : x;
      z = s->z2[side][i] > z ? s->z2[side][i] : z;
    }
  }
  if (!(x * z <= DPT_MOST)) return DPPAIR_ERR_OVERFLOW;
  run(DPPAIR_NAME_softmax_totals_part_, s, s->parts, self);
  run(DPPAIR_NAME_softmax_strip_part_, s, s->parts, self);
  DPPAIR_NAME_softmax_sum_(g, s);
  return DPPAIR_OK;
}

/*
 * g[d][k] = the gradient in w of a softmax over the batch, summed over the anchors, the gradient of
 * each similarity being shortened to options->clip in Frobenius norm: see clip_state.h. NOT
 * PRIVATE: NAME_release_softmax adds noise.
 *
 *   rows, others   n rows of d numbers each, with their factors: row i of both is record i, an
 *                  anchor and its positive; null records last, as many in both
 *   w              d x k, finite
 *   temperature    1/256 to 2^20; useful for privacy where it is of order 1
 *   options        clip: of dppair_clip_init; parts; work: NAME_softmax_workspace. params and
 *                  fast are not read
 *
 * Products and sums are in double for both types of rows, about 2 n^2 (2 d + 5 k) multiplications.
 * The same bits for any number of parts. No records: 0.
 *
 * Errors zero g: NULL; SIZE (the two blocks differ, nulls > n, d or k is 0, ld < d, parts 0);
 * NOT_FINITE (w, temperature; or a row or its embedding); DOMAIN (temperature; a clip beyond
 * 1e-90 to 1e90); NO_PROOF (no clip; weights; groups); OVERFLOW (sizes; a row and an embedding
 * longer than 1e140 together); WORKSPACE (also a clip that is not made), ENVIRONMENT.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_softmax_gradient(
    double *g, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const double *w, size_t k,
    double temperature, const dppair_options *options) {
  DPPAIR_NAME_softmax_ s;
  size_t size;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  size = dppair_area_(rows->d, k);
  status = dppair_array_(g, size);
  if (status != DPPAIR_OK) return status;
  if (size) memset(g, 0, size * sizeof *g);
  status = DPPAIR_NAME_softmax_check_(&s, rows, others, w, k, temperature, options);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK) status = DPPAIR_NAME_softmax_run_(g, &s, rows, others, options);
  if (status != DPPAIR_OK && size) memset(g, 0, size * sizeof *g);
  return status;
}

#undef DPT_COLDEST
#undef DPT_HOTTEST
#undef DPT_MOST
#undef DPT_SIDE

DPPAIR_FP_END_
#endif
/* ---- src/modules/contrast/release.h ---------------------------------------------------------
 * The release of a row loss in groups
 *
 * As NAME_release (release/template.h), for linear embeddings z = W^T x and any row loss: the
 * gradient of each group's own loss in W is shortened, as in dppair_groups.h, which has the proof.
 * Public functions, written NAME_x in comments and DPPAIR_NAME_x in the code.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* A batch in groups. What stands before `sums` is given. */
typedef struct DPPAIR_NAME_cohort_ {
  const DPPAIR_ROWS_ *rows, *others; /* others: NULL where there is one set */
  const dppair_contrast *contrast;
  const double *w;
  const dppair_groups *groups; /* NULL: of `group` records each */
  size_t group, count;         /* records of a group, at most; groups */
  size_t k, parts, bytes;      /* bytes: of the workspace of one group's gradient */
  dppair_options one;          /* of such a gradient: without parts and clip */
  double clip;
  double *sums, *each; /* of each part: the sum of its groups, and one group's: d k numbers */
  char *work;
} DPPAIR_NAME_cohort_;

/* Sets the arrays to their places in the workspace at base (NULL: to NULL). Returns the bytes used,
 * SIZE_MAX on overflow. */
DPPAIR_FN_ size_t DPPAIR_NAME_cohort_layout_(DPPAIR_NAME_cohort_ *q, size_t d, char *base) {
  const size_t all = dppair_area_(q->parts, dppair_area_(d, q->k));
  size_t used = 0;
  q->sums = (double *)dppair_take_(base, &used, all, sizeof *q->sums);
  q->each = (double *)dppair_take_(base, &used, all, sizeof *q->each);
  q->work = (char *)dppair_take_(base, &used, dppair_area_(q->parts, q->bytes), 1);
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* The public sizes of *q, and the bytes of workspace. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_cohort_sizes_(
    DPPAIR_NAME_cohort_ *q, size_t *bytes, size_t group, int others, size_t d, size_t k,
    const dppair_contrast *contrast, const dppair_options *options) {
  dppair_status status;
  memset(q, 0, sizeof *q);
  *bytes = 0;
  if (!contrast || !options) return DPPAIR_ERR_NULL;
  if (options->tasks && options->tasks->count == 0) return DPPAIR_ERR_SIZE;
  q->contrast = contrast;
  q->group = group;
  q->k = k;
  q->parts = options->tasks ? options->tasks->count : 1;
  q->one.params = options->params;
  status = DPPAIR_NAME_contrast_map_workspace(
      &q->bytes, group, DPPAIR_NAME_contrast_room_(group, others, contrast), d, k, &q->one);
  if (status != DPPAIR_OK) return status;
  *bytes = DPPAIR_NAME_cohort_layout_(q, d, NULL);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/*
 * *bytes = the workspace of NAME_release_contrast for groups of at most `group` records of d
 * numbers and a map to k; others: whether there are two blocks. Of options, params and parts are
 * read. Errors zero it: NULL, SIZE (parts, d or k is 0), OVERFLOW, those of
 * NAME_contrast_map_workspace.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_contrast_workspace(
    size_t *bytes, size_t group, int others, size_t d, size_t k, const dppair_contrast *contrast,
    const dppair_options *options) {
  DPPAIR_NAME_cohort_ q;
  if (!bytes) return DPPAIR_ERR_NULL;
  return DPPAIR_NAME_cohort_sizes_(&q, bytes, group, others, d, k, contrast, options);
}

/* The gradient of one group's loss, or 0 where it has none: rows or results that are not finite, a
 * partner that a small group does not have. Whatever goes wrong in a group is a function of it. */
DPPAIR_FN_ void DPPAIR_NAME_cohort_one_(double *g, const DPPAIR_NAME_cohort_ *q, size_t j,
                                        const dppair_options *options) {
  const size_t from = q->groups ? q->groups->positive[j] : j * q->group;
  const size_t n = q->groups ? dppair_group_size_(q->groups->positive, j) : q->group;
  const DPPAIR_ROWS_ rows = DPPAIR_NAME_some_rows_(q->rows, from, n);
  const DPPAIR_ROWS_ others = DPPAIR_NAME_some_rows_(q->others ? q->others : q->rows, from, n);
  const size_t size = rows.d * q->k;
  dppair_status status = DPPAIR_ERR_SIZE;
  if (n > 0)
    status = DPPAIR_NAME_contrast_map_gradient(g, &rows, q->others ? &others : NULL, q->w, q->k,
                                               q->contrast, options);
  if (status != DPPAIR_OK) memset(g, 0, size * sizeof *g);
}

/* The status of a group without records: whatever of the contrast is public and wrong. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_cohort_none_(const DPPAIR_NAME_cohort_ *q) {
  const DPPAIR_ROWS_ none = DPPAIR_NAME_some_rows_(q->rows, 0, 0);
  const DPPAIR_ROWS_ either = DPPAIR_NAME_some_rows_(q->others ? q->others : q->rows, 0, 0);
  dppair_options options = q->one;
  options.work = q->work;
  options.bytes = q->bytes;
  return DPPAIR_NAME_contrast_map_gradient(q->each, &none, q->others ? &either : NULL, q->w, q->k,
                                           q->contrast, &options);
}

/* The task: the sum of the clipped gradients of the groups of a part. */
DPPAIR_FN_ void DPPAIR_NAME_cohort_part_(void *context, size_t part) {
  const DPPAIR_NAME_cohort_ *q = (const DPPAIR_NAME_cohort_ *)context;
  const size_t size = q->rows->d * q->k;
  const size_t end = dppair_part_begin_(q->count, part + 1, q->parts);
  double *each = q->each + part * size;
  dppair_options options = q->one;
  dppair_group_sum sum;
  size_t j;
  memset(&sum, 0, sizeof sum);
  sum.sum = q->sums + part * size;
  sum.size = size;
  sum.clip = q->clip;
  options.work = q->work + part * q->bytes;
  options.bytes = q->bytes;
  memset(sum.sum, 0, size * sizeof *sum.sum);
  for (j = dppair_part_begin_(q->count, part, q->parts); j < end; j++) {
    DPPAIR_NAME_cohort_one_(each, q, j, &options);
    (void)dppair_group_add_(&sum, each, 0);
  }
}

/* Are these the rows of the groups of this step, and which groups? Of plans without a matching the
 * number of rows is private, and groups->most is its public bound. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_cohort_units_(DPPAIR_NAME_cohort_ *q, const dppair_release *release,
                          const DPPAIR_ROWS_ *rows, const dppair_options *options) {
  const dppair_groups *g = options->groups;
  q->count = dppair_groups_of_step_(release);
  q->groups = g;
  if (release->sampling.kind != DPPAIR_ALL && rows->serial != dppair_release_serial_(release))
    return DPPAIR_ERR_BATCH;
  if (release->sampling.kind == DPPAIR_MATCHING) {
    if (g) return DPPAIR_ERR_ADJACENCY;
    if (rows->nulls) return DPPAIR_ERR_NO_PROOF; /* gathered last, they part the groups */
    q->group = dppair_sampling_group_(&release->sampling);
    return rows->n == release->drawn ? DPPAIR_OK : DPPAIR_ERR_SIZE;
  }
  if (!g || g->relation != DPPAIR_WITHIN) return DPPAIR_ERR_ADJACENCY;
  if (g->most == 0 || g->count != q->count) return DPPAIR_ERR_SIZE;
  q->group = g->most;
  if (rows->nulls > rows->n) return DPPAIR_ERR_SIZE;
  return dppair_groups_check_(g, rows->n - rows->nulls, 0, 1);
}

/* The public checks of NAME_release_contrast, and its noise; lays out the workspace. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_contrast_open_(
    dppair_release_terms_ *terms, DPPAIR_NAME_cohort_ *q, const dppair_release *release,
    const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const double *w, size_t k,
    const dppair_contrast *contrast, const dppair_options *options) {
  DPPAIR_NAME_cohort_ units;
  size_t bytes;
  dppair_status status = dppair_release_usable_(release);
  if (status != DPPAIR_OK) return status;
  if (!w || !contrast || !options) return DPPAIR_ERR_NULL;
  status = dppair_clip_check_(options);
  if (status == DPPAIR_OK)
    status =
        dppair_groups_terms_(terms, release, dppair_area_(rows->d, k), dppair_clip_bound_(options));
  if (status == DPPAIR_OK) status = DPPAIR_NAME_cohort_units_(&units, release, rows, options);
  if (status != DPPAIR_OK) return status;
  if (rows->n && (!rows->x || (others && !others->x))) return DPPAIR_ERR_NULL;
  if (rows->ld < rows->d || (others && (others->n != rows->n || others->d != rows->d ||
                                        others->ld < rows->d || others->nulls != rows->nulls)))
    return DPPAIR_ERR_SIZE;
  if (others && release->sampling.kind != DPPAIR_ALL && others->serial != rows->serial)
    return DPPAIR_ERR_BATCH;
  if (rows->weight || rows->positives || (others && (others->weight || others->positives)))
    return DPPAIR_ERR_NO_PROOF;
  status = DPPAIR_NAME_cohort_sizes_(q, &bytes, units.group, others != NULL, rows->d, k, contrast,
                                     options);
  if (status != DPPAIR_OK) return status;
  status = DPPAIR_NAME_contrast_places_(rows, others, units.group, contrast);
  if (status != DPPAIR_OK) return status;
  if (64.0 * ((double)rows->d * (double)k + 16.0) * DBL_EPSILON > 1.0) return DPPAIR_ERR_SIZE;
  if (options->bytes < bytes) return DPPAIR_ERR_WORKSPACE;
  terms->bytes = bytes;
  if (!options->work) return DPPAIR_ERR_NULL;
  (void)DPPAIR_NAME_cohort_layout_(q, rows->d, dppair_align_(options->work));
  q->rows = rows;
  q->others = others;
  q->w = w;
  q->groups = units.groups;
  q->count = units.count;
  q->clip = dppair_clip_bound_(options);
  return DPPAIR_NAME_cohort_none_(q);
}

/*
 * g[d][k] = the mean over the groups of this step of the gradient in w of each group's own loss
 * (NAME_contrast_map_gradient of its records alone), shortened to options->clip in Frobenius norm,
 * with the noise of this step. g may be published, and so may the next w.
 *
 *   plan      of dppair_sampling_groups: m/g groups of g records (m = n: of all records). Or one in
 *             which queries or users are protected, the records of each being a group: any plan
 *             of them; a fixed partition is dppair_sampling_all(groups, DPPAIR_REPLACE_QUERY). One
 *             that draws is calibrated before it is opened (dppair_groups.h)
 *   rows      of this step's draw in its order, a group after the other (dppair_gather of rows
 *             without positives: others come first, and the groups would follow the labels; and
 *             without null records, which come last: in a group of g the place of one holds a row
 *             of zeros, because S is that of any change of the group)
 *   others    the second views of the same records, or NULL
 *   w, k      the map, d x k, finite
 *   contrast  partner and offset are those of the places in a group, the same for all groups: g of
 *             them, or groups->most
 *   options   clip (dppair_clip_init); groups: of relation WITHIN, with one array of places and
 *             `most`, where queries or users are protected, else NULL; work:
 *             NAME_release_contrast_workspace of groups of g, or of groups->most; parts
 *
 * S is 2 clip/b for b groups, clip/b where a zeroed unit has no records left. A group without
 * records, and one in which a number is not finite or overflows, counts as 0: no status tells.
 *
 * Errors zero g, and use no paid release: those of dppair_group_sum_open and of
 * dppair_release_vector about the release; NULL; SIZE (records or groups that are not those of the
 * step, places, no groups->most, blocks that differ, d, k or parts 0, a partner that is no place of
 * a group); ADJACENCY (groups for a matching, or none for another plan); NO_RADIUS (no clip);
 * NO_PROOF (weights; rows with positives; null records in a matching); NOT_FINITE (w, offsets);
 * DOMAIN (dppair_contrast); WORKSPACE; OVERFLOW; OVERLAP (g, and the workspace, w or rows); those
 * of NAME_contrast_map_workspace. No error depends on a record, but for NO_PROOF in a matching: it
 * says that a null record was drawn.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_contrast(
    double *g, dppair_release *release, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others,
    const double *w, size_t k, const dppair_contrast *contrast, const dppair_options *options) {
  dppair_release_terms_ terms;
  DPPAIR_NAME_cohort_ q;
  dppair_executor *run;
  size_t size;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  size = dppair_area_(rows->d, k);
  status = dppair_array_(g, size);
  if (status != DPPAIR_OK) return status;
  if (size) memset(g, 0, size * sizeof *g);
  status = DPPAIR_NAME_release_contrast_open_(&terms, &q, release, rows, others, w, k, contrast,
                                              options);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK)
    status = dppair_release_apart_(g, size, options->work, &terms, w, size * sizeof *w);
  if (status == DPPAIR_OK) status = dppair_rows_apart_ROW_(g, size, rows);
  if (status == DPPAIR_OK && others) status = dppair_rows_apart_ROW_(g, size, others);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  run = options->tasks && options->tasks->run ? options->tasks->run : dppair_run_serial;
  run(DPPAIR_NAME_cohort_part_, &q, q.parts, options->tasks ? options->tasks->self : NULL);
  dppair_tasks_join(q.sums, size, q.parts);
  memcpy(g, q.sums, size * sizeof *g);
  status = dppair_release_sum_(g, size, release, DPPAIR_OK);
  return dppair_release_forget_(options->work, &terms, status);
}

DPPAIR_FP_END_
#if !DPPAIR_ROWS_WHOLE_
/* ---- src/modules/contrast/release_softmax.h -------------------------------------------------
 * The release of a softmax over the batch
 *
 * As NAME_release (release/template.h), for NAME_softmax_gradient. Public functions, written NAME_x
 * in comments and DPPAIR_NAME_x in the code.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/*
 * *terms of the mean over the batch. S of the sum is dppair_sensitivity_softmax, of the move that
 * the plan's law divides: all records, or m of them, for a record that is replaced; where the size
 * of the batch is random, of at most n, for one that joins; a record drawn k times moves k times
 * as far, one copy after the other. The divisor is a constant, the number that is expected.
 *
 * e^(s_ij) as computed may be 1e-13 larger or smaller than the sensitivity's proof supposes, which
 * is less than 1e-12 of S. Beyond that, the computed gradient is what a real number's arithmetic
 * would give, but for roundings in units u = epsilon/2. With t records in the batch: a sum of terms
 * errs by t u, and a weight by (t + 6) u of |p_ij| + [i = j]; a number of dz by 2 t u more, of the
 * sum of sizes; one of g by 4 t u more. Each G_ij is two products, together at most 1024 B long
 * (NAME_softmax_clip), and the sizes of an anchor's weights add up to 2 at most: that makes
 * (7 t + 10) u 2048 B an anchor, and t anchors. Both neighbours err.
 *
 * Squares underflow of vectors shorter than 1.5e-154. With |w| and radii below 1e30, and 1/256 at
 * least for the temperature, a similarity whose gradient such a vector is part of has one that is
 * shorter than 1e-91 by that part, and no clip is below 1e-90.
 */
DPPAIR_FN_ dppair_status DPPAIR_NAME_release_softmax_terms_(dppair_release_terms_ *terms,
                                                            const dppair_release *release,
                                                            size_t size, double temperature,
                                                            double clip) {
  const dppair_sampling *s = &release->sampling;
  const dppair_adjacency move = dppair_sampling_move_(s);
  const size_t most = s->m > 0 && !dppair_sampling_is_random_(s->kind) ? s->m : s->n;
  const double t = (double)most, b = dppair_sampling_expected_(s);
  dppair_status status;
  if (dppair_adjacency_unit_(s->adjacency) != DPPAIR_OF_RECORDS_) return DPPAIR_ERR_ADJACENCY;
  if (s->kind == DPPAIR_MATCHING) return DPPAIR_ERR_NO_PROOF;
  status = dppair_sensitivity_softmax(&terms->sensitivity, clip, temperature, most, move);
  if (status != DPPAIR_OK) return status;
  terms->sensitivity *= 1.0 + 1e-12;
  terms->sensitivity += (t + 2.0) * 16384.0 * DBL_EPSILON * t * clip;
  terms->sensitivity = dppair_up_(dppair_up_(terms->sensitivity / b));
  terms->divisor = b;
  return dppair_release_scale_of_(terms, release, size);
}

/* The public checks of NAME_release_softmax, and its noise. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_release_softmax_open_(
    dppair_release_terms_ *terms, DPPAIR_NAME_softmax_ *s, const dppair_release *release,
    const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const double *w, size_t k,
    double temperature, const dppair_options *options) {
  double length;
  size_t most, bytes;
  dppair_status status = dppair_release_rows_(&most, release, rows->n, rows->radius, rows->serial);
  if (status != DPPAIR_OK) return status;
  if (!others || !options) return DPPAIR_ERR_NULL;
  if (!(others->radius > 0.0)) return DPPAIR_ERR_NO_RADIUS;
  if (release->sampling.kind != DPPAIR_ALL && others->serial != rows->serial)
    return DPPAIR_ERR_BATCH;
  if (rows->positives || others->positives) return DPPAIR_ERR_NO_PROOF;
  status = DPPAIR_NAME_softmax_open_(s, &bytes, most, rows->d, k, options);
  if (status == DPPAIR_OK && options->bytes < bytes) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK && !options->work) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_softmax_check_(s, rows, others, w, k, temperature, options);
  if (status != DPPAIR_OK) return status;
  terms->bytes = bytes;
  length = dppair_release_norm_(w, rows->d * k, 0);
  if (!(length < 1e30 && rows->radius < 1e30 && others->radius < 1e30)) return DPPAIR_ERR_OVERFLOW;
  return DPPAIR_NAME_release_softmax_terms_(terms, release, rows->d * k, temperature,
                                            dppair_clip_bound_(options));
}

/*
 * g[d][k] = the gradient of NAME_softmax_gradient, divided by the number of records that the plan
 * expects to draw, with the noise of this step: for a linear embedding of two views of each record
 * that are compared with those of all others in the batch. g may be published.
 *
 *   rows, others, w, k, temperature   as NAME_softmax_gradient takes them: all n records, or the
 *                same of both views as this step's draw has, in its order (dppair_gather of rows
 *                without positives: others come first, and views would part). radius > 0
 *   options      clip: of each similarity's gradient. work: NAME_softmax_workspace, of all n
 *                records where the plan draws a random number of them
 *
 * Records are protected. The plan: all records; Poisson samples and allocations; a number of them
 * without or with replacement. S grows with e^(2/temperature) until it says nothing: at a
 * temperature of 0.1 groups (NAME_release_contrast) are the better way.
 *
 * Errors zero g. They use no paid release: those of dppair_release_vector about the release; those
 * of NAME_softmax_gradient but for rows that are not finite; SIZE (records that are not those of
 * the step, two numbers of null records); ADJACENCY (a user or a query is protected); NO_RADIUS;
 * NO_PROOF (a matching; rows with positives); OVERFLOW (|w| or a radius from 1e30 on); OVERLAP (g,
 * and the workspace, w or rows). With rows from dppair_rows_clip no other error occurs; with others
 * NOT_FINITE can. Then the paid release is used.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_softmax(
    double *g, dppair_release *release, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others,
    const double *w, size_t k, double temperature, const dppair_options *options) {
  dppair_release_terms_ terms;
  DPPAIR_NAME_softmax_ s;
  size_t size;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  size = dppair_area_(rows->d, k);
  status = dppair_array_(g, size);
  if (status != DPPAIR_OK) return status;
  if (size) memset(g, 0, size * sizeof *g);
  status = DPPAIR_NAME_release_softmax_open_(&terms, &s, release, rows, others, w, k, temperature,
                                             options);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK)
    status = dppair_release_apart_(g, size, options->work, &terms, w, size * sizeof *w);
  if (status == DPPAIR_OK) status = dppair_rows_apart_ROW_(g, size, rows);
  if (status == DPPAIR_OK) status = dppair_rows_apart_ROW_(g, size, others);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  status = DPPAIR_NAME_softmax_run_(g, &s, rows, others, options);
  status = dppair_release_sum_(g, size, release, status);
  return dppair_release_forget_(options->work, &terms, status);
}

DPPAIR_FP_END_
#endif

#undef DPPAIR_ROWS_WHOLE_
#undef DPPAIR_LOOPS_
#endif

#endif
#else

#ifndef DPPAIR_CONTRAST_H
#define DPPAIR_CONTRAST_H

#include "dppair_groups.h"

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

/* ---- src/modules/contrast/names.h -----------------------------------------------------------
 * Names of row-wise losses: as simd/names.h
 * ---------------------------------------------------------------------------------------------- */

#define dpd_sub DPPAIR_D_(sub)
#define dpd_store_f32 DPPAIR_D_(store_f32)
#define dpd_softplus DPPAIR_D_(softplus)
#define dpd_sigmoid DPPAIR_D_(sigmoid)
#define dpd_log DPPAIR_D_(log)

#define DPPAIR_NAME_cohort_ DPPAIR_NAME_OF_(_cohort_)
#define DPPAIR_NAME_cohort_layout_ DPPAIR_NAME_OF_(_cohort_layout_)
#define DPPAIR_NAME_cohort_none_ DPPAIR_NAME_OF_(_cohort_none_)
#define DPPAIR_NAME_cohort_one_ DPPAIR_NAME_OF_(_cohort_one_)
#define DPPAIR_NAME_cohort_part_ DPPAIR_NAME_OF_(_cohort_part_)
#define DPPAIR_NAME_cohort_sizes_ DPPAIR_NAME_OF_(_cohort_sizes_)
#define DPPAIR_NAME_cohort_units_ DPPAIR_NAME_OF_(_cohort_units_)
#define DPPAIR_NAME_contrast_ DPPAIR_NAME_OF_(_contrast_)
#define DPPAIR_NAME_contrast_along_ DPPAIR_NAME_OF_(_contrast_along_)
#define DPPAIR_NAME_contrast_join_ DPPAIR_NAME_OF_(_contrast_join_)
#define DPPAIR_NAME_contrast_split_ DPPAIR_NAME_OF_(_contrast_split_)
#define DPPAIR_NAME_contrast_alone_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_alone_)
#define DPPAIR_NAME_contrast_mix_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_mix_)
#define DPPAIR_NAME_contrast_apart_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_apart_)
#define DPPAIR_NAME_contrast_anchors_ DPPAIR_NAME_OF_(_contrast_anchors_)
#define DPPAIR_NAME_contrast_check_ DPPAIR_NAME_OF_(_contrast_check_)
#define DPPAIR_NAME_contrast_clear_ DPPAIR_NAME_OF_(_contrast_clear_)
#define DPPAIR_NAME_contrast_close_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_close_)
#define DPPAIR_NAME_contrast_compute DPPAIR_NAME_OF_(_contrast_compute)
#define DPPAIR_NAME_contrast_compute_TIER DPPAIR_NAME_TIER_OF_(_contrast_compute)
#define DPPAIR_NAME_contrast_embed_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_embed_)
#define DPPAIR_NAME_contrast_end_ DPPAIR_NAME_OF_(_contrast_end_)
#define DPPAIR_NAME_contrast_exponent_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_exponent_)
#define DPPAIR_NAME_contrast_exponents_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_exponents_)
#define DPPAIR_NAME_contrast_first_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_first_)
#define DPPAIR_NAME_contrast_fits_ DPPAIR_NAME_OF_(_contrast_fits_)
#define DPPAIR_NAME_contrast_gather_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_gather_)
#define DPPAIR_NAME_contrast_gradient DPPAIR_NAME_OF_(_contrast_gradient)
#define DPPAIR_NAME_contrast_groups DPPAIR_NAME_OF_(_contrast_groups)
#define DPPAIR_NAME_contrast_keys_ DPPAIR_NAME_OF_(_contrast_keys_)
#define DPPAIR_NAME_contrast_keys_of_ DPPAIR_NAME_OF_(_contrast_keys_of_)
#define DPPAIR_NAME_contrast_layout_ DPPAIR_NAME_OF_(_contrast_layout_)
#define DPPAIR_NAME_contrast_logit_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_logit_)
#define DPPAIR_NAME_contrast_embed_ DPPAIR_NAME_OF_(_contrast_embed_)
#define DPPAIR_NAME_contrast_gather_ DPPAIR_NAME_OF_(_contrast_gather_)
#define DPPAIR_NAME_contrast_map_ DPPAIR_NAME_OF_(_contrast_map_)
#define DPPAIR_NAME_contrast_map_layout_ DPPAIR_NAME_OF_(_contrast_map_layout_)
#define DPPAIR_NAME_contrast_mapped_ DPPAIR_NAME_OF_(_contrast_mapped_)
#define DPPAIR_NAME_contrast_map_gradient DPPAIR_NAME_OF_(_contrast_map_gradient)
#define DPPAIR_NAME_contrast_map_workspace DPPAIR_NAME_OF_(_contrast_map_workspace)
#define DPPAIR_NAME_contrast_mass_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_mass_)
#define DPPAIR_NAME_contrast_norms_ DPPAIR_NAME_OF_(_contrast_norms_)
#define DPPAIR_NAME_contrast_open_ DPPAIR_NAME_OF_(_contrast_open_)
#define DPPAIR_NAME_contrast_other_ DPPAIR_NAME_OF_(_contrast_other_)
#define DPPAIR_NAME_contrast_own_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_own_)
#define DPPAIR_NAME_contrast_pack_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_pack_)
#define DPPAIR_NAME_contrast_part_ DPPAIR_NAME_OF_(_contrast_part_)
#define DPPAIR_NAME_contrast_partners_ DPPAIR_NAME_OF_(_contrast_partners_)
#define DPPAIR_NAME_contrast_places_ DPPAIR_NAME_OF_(_contrast_places_)
#define DPPAIR_NAME_contrast_positive_ DPPAIR_NAME_OF_(_contrast_positive_)
#define DPPAIR_NAME_contrast_push_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_push_)
#define DPPAIR_NAME_contrast_query_ DPPAIR_NAME_OF_(_contrast_query_)
#define DPPAIR_NAME_contrast_read_ DPPAIR_NAME_OF_(_contrast_read_)
#define DPPAIR_NAME_contrast_risk_not_private DPPAIR_NAME_OF_(_contrast_risk_not_private)
#define DPPAIR_NAME_contrast_room_ DPPAIR_NAME_OF_(_contrast_room_)
#define DPPAIR_NAME_contrast_rows_ DPPAIR_NAME_OF_(_contrast_rows_)
#define DPPAIR_NAME_contrast_run_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_run_)
#define DPPAIR_NAME_contrast_second_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_second_)
#define DPPAIR_NAME_contrast_settle_ DPPAIR_NAME_OF_(_contrast_settle_)
#define DPPAIR_NAME_contrast_sizes_ DPPAIR_NAME_OF_(_contrast_sizes_)
#define DPPAIR_NAME_contrast_squares_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_squares_)
#define DPPAIR_NAME_contrast_statistics_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_statistics_)
#define DPPAIR_NAME_contrast_strip_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_strip_)
#define DPPAIR_NAME_contrast_sums_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_sums_)
#define DPPAIR_NAME_contrast_total_ DPPAIR_NAME_OF_(_contrast_total_)
#define DPPAIR_NAME_contrast_weights_TIER_ DPPAIR_NAME_TIER_OF_(_contrast_weights_)
#define DPPAIR_NAME_contrast_workspace DPPAIR_NAME_OF_(_contrast_workspace)
#define DPPAIR_NAME_release_contrast DPPAIR_NAME_OF_(_release_contrast)
#define DPPAIR_NAME_release_contrast_open_ DPPAIR_NAME_OF_(_release_contrast_open_)
#define DPPAIR_NAME_release_contrast_workspace DPPAIR_NAME_OF_(_release_contrast_workspace)
#define DPPAIR_NAME_release_softmax DPPAIR_NAME_OF_(_release_softmax)
#define DPPAIR_NAME_release_softmax_open_ DPPAIR_NAME_OF_(_release_softmax_open_)
#define DPPAIR_NAME_release_softmax_terms_ DPPAIR_NAME_OF_(_release_softmax_terms_)
#define DPPAIR_NAME_softmax_ DPPAIR_NAME_OF_(_softmax_)
#define DPPAIR_NAME_softmax_check_ DPPAIR_NAME_OF_(_softmax_check_)
#define DPPAIR_NAME_softmax_clip_TIER DPPAIR_NAME_TIER_OF_(_softmax_clip)
#define DPPAIR_NAME_softmax_gradient DPPAIR_NAME_OF_(_softmax_gradient)
#define DPPAIR_NAME_softmax_layout_ DPPAIR_NAME_OF_(_softmax_layout_)
#define DPPAIR_NAME_softmax_map DPPAIR_NAME_OF_(_softmax_map)
#define DPPAIR_NAME_softmax_map_TIER DPPAIR_NAME_TIER_OF_(_softmax_map)
#define DPPAIR_NAME_softmax_map_part_ DPPAIR_NAME_OF_(_softmax_map_part_)
#define DPPAIR_NAME_softmax_open_ DPPAIR_NAME_OF_(_softmax_open_)
#define DPPAIR_NAME_softmax_pack_ DPPAIR_NAME_OF_(_softmax_pack_)
#define DPPAIR_NAME_softmax_run_ DPPAIR_NAME_OF_(_softmax_run_)
#define DPPAIR_NAME_softmax_shares_TIER DPPAIR_NAME_TIER_OF_(_softmax_shares)
#define DPPAIR_NAME_softmax_strip DPPAIR_NAME_OF_(_softmax_strip)
#define DPPAIR_NAME_softmax_strip_TIER DPPAIR_NAME_TIER_OF_(_softmax_strip)
#define DPPAIR_NAME_softmax_strip_part_ DPPAIR_NAME_OF_(_softmax_strip_part_)
#define DPPAIR_NAME_softmax_sum_ DPPAIR_NAME_OF_(_softmax_sum_)
#define DPPAIR_NAME_softmax_terms_TIER DPPAIR_NAME_TIER_OF_(_softmax_terms)
#define DPPAIR_NAME_softmax_totals DPPAIR_NAME_OF_(_softmax_totals)
#define DPPAIR_NAME_softmax_totals_TIER DPPAIR_NAME_TIER_OF_(_softmax_totals)
#define DPPAIR_NAME_softmax_totals_part_ DPPAIR_NAME_OF_(_softmax_totals_part_)
#define DPPAIR_NAME_softmax_workspace DPPAIR_NAME_OF_(_softmax_workspace)
#define DPPAIR_NAME_some_rows_ DPPAIR_NAME_OF_(_some_rows_)

/* Losses of triplets. */
#define DPPAIR_NAME_triplet_ DPPAIR_NAME_OF_(_triplet_)
#define DPPAIR_NAME_triplet_add_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_add_)
#define DPPAIR_NAME_triplet_alike_ DPPAIR_NAME_OF_(_triplet_alike_)
#define DPPAIR_NAME_triplet_all_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_all_)
#define DPPAIR_NAME_triplet_below_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_below_)
#define DPPAIR_NAME_triplet_check_ DPPAIR_NAME_OF_(_triplet_check_)
#define DPPAIR_NAME_triplet_close_ DPPAIR_NAME_OF_(_triplet_close_)
#define DPPAIR_NAME_triplet_copy_ DPPAIR_NAME_OF_(_triplet_copy_)
#define DPPAIR_NAME_triplet_count_ DPPAIR_NAME_OF_(_triplet_count_)
#define DPPAIR_NAME_triplet_far_ DPPAIR_NAME_OF_(_triplet_far_)
#define DPPAIR_NAME_triplet_fetch_ DPPAIR_NAME_OF_(_triplet_fetch_)
#define DPPAIR_NAME_triplet_hard_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_hard_)
#define DPPAIR_NAME_triplet_join_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_join_)
#define DPPAIR_NAME_triplet_layout_ DPPAIR_NAME_OF_(_triplet_layout_)
#define DPPAIR_NAME_triplet_lift_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_lift_)
#define DPPAIR_NAME_triplet_lifted_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_lifted_)
#define DPPAIR_NAME_triplet_log_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_log_)
#define DPPAIR_NAME_triplet_norm_ DPPAIR_NAME_OF_(_triplet_norm_)
#define DPPAIR_NAME_triplet_norms_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_norms_)
#define DPPAIR_NAME_triplet_open_ DPPAIR_NAME_OF_(_triplet_open_)
#define DPPAIR_NAME_triplet_own_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_own_)
#define DPPAIR_NAME_triplet_part_ DPPAIR_NAME_OF_(_triplet_part_)
#define DPPAIR_NAME_triplet_phi_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_phi_)
#define DPPAIR_NAME_triplet_place_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_place_)
#define DPPAIR_NAME_triplet_row_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_row_)
#define DPPAIR_NAME_triplet_run DPPAIR_NAME_OF_(_triplet_run)
#define DPPAIR_NAME_triplet_run_TIER DPPAIR_NAME_TIER_OF_(_triplet_run)
#define DPPAIR_NAME_triplet_semi_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_semi_)
#define DPPAIR_NAME_triplet_share_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_share_)
#define DPPAIR_NAME_triplet_side_ DPPAIR_NAME_OF_(_triplet_side_)
#define DPPAIR_NAME_triplet_sizes_ DPPAIR_NAME_OF_(_triplet_sizes_)
#define DPPAIR_NAME_triplet_slope_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_slope_)
#define DPPAIR_NAME_triplet_split_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_split_)
#define DPPAIR_NAME_triplet_spread_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_spread_)
#define DPPAIR_NAME_triplet_squares_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_squares_)
#define DPPAIR_NAME_triplet_strip_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_strip_)
#define DPPAIR_NAME_triplet_sums_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_sums_)
#define DPPAIR_NAME_triplet_sweep_ DPPAIR_NAME_OF_(_triplet_sweep_)
#define DPPAIR_NAME_triplet_sweep_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_sweep_)
#define DPPAIR_NAME_triplet_task_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_task_)
#define DPPAIR_NAME_triplet_wide_TIER_ DPPAIR_NAME_TIER_OF_(_triplet_wide_)
/* ---- src/modules/contrast/shared.h ----------------------------------------------------------
 * Row-wise losses: what is compared with what
 *
 * Contrastive losses compare an anchor i with all candidates j at once. With embeddings z, and the
 * logits s_ij = similarity(z_i, z_j)/temperature - offset_j, the loss of an anchor is
 *
 *   L_i = log(sum over candidates j of e^(x_ij)) - (mean of s_ij over the positives j of i),
 *
 * and an instance computes the sum of L_i over all anchors that have a positive, its gradient in
 * the embeddings, for any host's back-propagation, and in a linear map z = W^T x. A row loss L is
 * three macros: what it leaves of a logit in the sum, and how steep that is,
 *
 *   #define L_KIND dppair_rowwise
 *   #define L_EXPONENT(s, own, like, p)   x_ij, as a DPV_T
 *   #define L_SLOPE(s, own, like, p)      its derivative in s
 *
 * where s are logits (DPV_T) and own and like are masks (DPV_M): whether j is a positive of i, and
 * whether the two have equal labels (never, where no labels are given). p: the parameters of the
 * loss. DPV_SET(-HUGE_VAL) leaves a candidate out. The derivative of L_i in s_ij is then
 * L_SLOPE e^(x_ij - log sum), less 1/(number of positives) where j is one. For example, with the
 * positives weaker by a margin m,
 *
 *   #define wide_KIND dppair_rowwise
 *   #define wide_EXPONENT(s, own, like, p) DPV_SUB(s, DPV_SEL(own, DPV_SET((p)[0]), DPV_SET(0)))
 *   #define wide_SLOPE(s, own, like, p) DPV_SET(1)
 *
 * What becomes of the shipped ones (losses.h) under which dppair_contrast:
 *
 *   InfoNCE                 infonce, two blocks, RECORD or PARTNER        van den Oord et al. 2018
 *   NT-Xent, SimCLR         infonce, one set, COSINE, PARTNER             Chen et al. 2020
 *   CLIP                    infonce, two blocks, COSINE, two_sided        Radford et al. 2021
 *   supervised contrastive  infonce, LABEL: the mean over positives is    Khosla et al. 2020, L_out
 *                           outside of the logarithm
 *   sampled softmax         infonce, two blocks, offset                   Bengio and Senecal 2008
 *   N-pairs                 npairs, DOT, two blocks                       Sohn 2016
 *   decoupled contrastive   decoupled, one set or two                     Yeh et al. 2022
 *   angular                 infonce or npairs with an angle               Wang et al. 2017, (9)
 *
 * With an angle alpha, an anchor and its positive p act together: with t = tan(alpha), the logit of
 * another candidate is 4 t^2 <z_i + z_p, z_j>/temperature, that of the positive
 * 2 (1 + t^2) <z_i, z_p>/temperature.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_PROBE_dppair_whole_rows ~, 1 /* the word L_ROWS of a loss, for DPPAIR_WORD_ */

/* The similarity of two embeddings. */
typedef enum dppair_comparison {
  DPPAIR_COMPARE_DOT = 0, /* <z, z'> */
  DPPAIR_COMPARE_COSINE,   /* <z, z'>/(|z| |z'|). Rows of norm 0, or below 2^-512 (float: 2^-64),
                            * count as 0: their similarities are 0, and so are their gradients */
  DPPAIR_COMPARE_DISTANCE, /* -|z - z'|^2 */
  DPPAIR_COMPARE_EUCLIDEAN /* -|z - z'|; of triplets only */
} dppair_comparison;

/* Which candidates are the positives of an anchor. */
typedef enum dppair_positives {
  DPPAIR_POSITIVE_RECORD = 0, /* of two blocks: that of the same place in the other one */
  DPPAIR_POSITIVE_PARTNER,    /* the candidate partner[i]. One set: an anchor that is its own
                               * partner has no positive */
  DPPAIR_POSITIVE_LABEL       /* all candidates of its label, but itself */
} dppair_positives;

/* Which triples of an anchor, a positive and a negative count: triplet.h. */
typedef enum dppair_triples {
  DPPAIR_TRIPLES_ALL = 0,
  DPPAIR_TRIPLES_SEMI_HARD,
  DPPAIR_TRIPLES_HARDEST,
  DPPAIR_TRIPLES_LIFTED
} dppair_triples;

/* What is compared, and how. What is not given is 0 or NULL; the temperature must be given.
 * Everything here is public but partners and offsets. */
typedef struct dppair_contrast {
  dppair_comparison compare;
  double temperature; /* similarities are divided by it: positive */
  dppair_positives positives;
  const size_t *partner; /* of PARTNER: a place among the candidates for each row */
  const double *offset;  /* a number for each candidate, subtracted from all its logits: for a
                          * sampled softmax the logarithm of its sampling rate; NULL: 0 */
  int two_sided;         /* of two blocks, RECORD or LABEL, without offsets: the others are anchors
                          * too, and the losses of both directions are added */
  double margin;         /* of triplets; row losses take theirs as a parameter: 0 */
  double angle;          /* alpha of an angular loss, in radians, below pi/2; 0: none */
  dppair_triples triples; /* of triplets */
} dppair_contrast;

DPPAIR_FP_BEGIN_

/* What to ask NAME_contrast_workspace and NAME_contrast_map_workspace for in place of `others`,
 * where the contrast has an angle: room for sums z_i + z_p and their results. */
DPPAIR_API size_t dppair_contrast_angular(size_t n, size_t others) {
  return n > SIZE_MAX / 8 || others > SIZE_MAX / 8 ? SIZE_MAX : others + 2 * n + 96;
}

/* What a contrast itself decides. DOMAIN: an unknown word, a temperature that is not a positive
 * number, a margin; two sides of one set, with partners or with offsets; records of the same place
 * without others; an angle that is none, or beside a cosine or distance, two sides, offsets or
 * positives by label. NULL: partners. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_contrast_check_(const dppair_contrast *c,
                                                                  int others) {
  if ((unsigned)c->compare > (unsigned)DPPAIR_COMPARE_DISTANCE ||
      (unsigned)c->positives > (unsigned)DPPAIR_POSITIVE_LABEL)
    return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(c->temperature) || !(c->temperature > 0.0)) return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(c->margin) || c->margin < 0.0 || c->margin > 0.0 || c->triples)
    return DPPAIR_ERR_DOMAIN;
  if (c->positives == DPPAIR_POSITIVE_RECORD && !others) return DPPAIR_ERR_DOMAIN;
  if (c->two_sided && (!others || c->offset || c->positives == DPPAIR_POSITIVE_PARTNER))
    return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(c->angle) || !(c->angle >= 0.0 && c->angle < 1.5707963267948966))
    return DPPAIR_ERR_DOMAIN;
  if (c->angle > 0.0 && (c->compare != DPPAIR_COMPARE_DOT || c->two_sided || c->offset ||
                         c->positives == DPPAIR_POSITIVE_LABEL))
    return DPPAIR_ERR_DOMAIN;
  return c->positives == DPPAIR_POSITIVE_PARTNER && !c->partner ? DPPAIR_ERR_NULL : DPPAIR_OK;
}

DPPAIR_FP_END_
/* ---- src/modules/contrast/softmax_sensitivity.h ---------------------------------------------
 * The sensitivity of a softmax over a batch
 *
 * Conventions, ranges and errors are those of accountant/sensitivity/sensitivity.h.
 * ---------------------------------------------------------------------------------------------- */

/*
 * The SUM over b anchors i of the gradient of -S_ii + log sum_j e^{S_ij}, similarities S_ij in
 * [-1/temperature, 1/temperature], the gradient of each S_ij of norm <= clip = B. One record is
 * anchor i and its partner, row i and column i. With t = e^{2/temperature}:
 *   REPLACE_ONE  B (4 (1 - low) + 2 (b-1) high), low = 1/(1 + (b-1) t), high = 1/(1 + (b-1)/t)
 *   ZERO_OUT     B (2 (1 - low) + 2 (b-1) high): row and column leave a batch of b
 * batch = 0: for batches of any size, B (4 + 2t) and B (2 + 2t). It grows with b, so that a batch
 * of at most `batch` is covered. Useful for temperatures of order 1; else clip groups.
 * Proof. Row a has coefficients P_aj - [j = a], of absolute sum 2 (1 - P_aa) <= 2 (1 - low), before
 * and after. In another row i the vector is p G_ia + (1-p) M - G_ii, p = P_ia <= high, M the mean
 * over j != a, which does not depend on record a: it moves by p B + p' B + |p - p'| B <= 2 high B,
 * or by 2 p B when column a leaves. Attained.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_softmax(double *sensitivity,
                                                                      double clip,
                                                                      double temperature,
                                                                      size_t batch,
                                                                      dppair_adjacency adjacency) {
  dppair_status status = dppair_sensitivity_args_(sensitivity, 2, clip, temperature, 0.0);
  const double others = batch > 0 ? (double)(batch - 1) : HUGE_VAL;
  double least, own, column;
  if (status == DPPAIR_OK) status = dppair_adjacency_of_(adjacency, DPPAIR_OF_RECORDS_);
  if (status != DPPAIR_OK) return status;
  if (!(temperature > 0.0)) return DPPAIR_ERR_DOMAIN;
  if (batch == 1) return DPPAIR_ERR_SIZE; /* nothing to tell apart: the gradient is 0 */
  /* rounded down: exp is within 2 ulp, of an argument within one ulp of its own */
  least = temperature > 2.7e-3 ? dppair_exp_(-2.0 / temperature) : 0.0;
  least *= 1.0 - (2.0 / temperature < 750.0 ? 2.0 / temperature + 4.0 : 0.0) * 2.3e-16;
  own = batch > 0 ? others / (others + least) : 1.0;
  column = batch > 0 ? others / (1.0 + others * least) : (least > 0.0 ? 1.0 / least : HUGE_VAL);
  if (dppair_adjacency_move_(adjacency) == DPPAIR_REPLACE_ONE) own *= 2.0;
  return dppair_sensitivity_store_(sensitivity, 2.0 * clip * (own + column));
}
/* ---- src/modules/contrast/losses.h ----------------------------------------------------------
 * Row-wise losses: the softmax over candidates, and two that leave some of them out
 *
 * What their macros mean is in shared.h. They are no pairwise losses: the table of losses
 * does not hold them.
 * ---------------------------------------------------------------------------------------------- */

/* All candidates count. */
#define dppair_infonce_KIND dppair_rowwise
#define dppair_infonce_EXPONENT(s, own, like, p) (s)
#define dppair_infonce_SLOPE(s, own, like, p) DPV_SET(1)

/* Candidates of the anchor's label that are not its positive are left out. */
#define dppair_npairs_KIND dppair_rowwise
#define dppair_npairs_EXPONENT(s, own, like, p)                                                    \
  DPV_SEL(own, s, DPV_SEL(like, DPV_SET(-HUGE_VAL), s))
#define dppair_npairs_SLOPE(s, own, like, p) DPV_SET(1)

/* Positives are left out of the sum: only the negatives push. */
#define dppair_decoupled_KIND dppair_rowwise
#define dppair_decoupled_EXPONENT(s, own, like, p) DPV_SEL(own, DPV_SET(-HUGE_VAL), s)
#define dppair_decoupled_SLOPE(s, own, like, p) DPV_SET(1)
/* ---- src/modules/contrast/triplet_losses.h --------------------------------------------------
 * Losses of triplets: an anchor a, a positive p and a negative n
 *
 * phi(u) at u = s_ap - s_an - margin, s similarities (triplet.h says of which triplets).
 * A loss of your own has the same words: L_KIND and L_ROWS, L_VALUE and L_SLOPE. L_SORTED
 * dppair_piecewise, with L_PIECES for its slope (pairs/fast_state.h), sorts long rows.
 * ---------------------------------------------------------------------------------------------- */

/* The margin loss: [margin + D_ap - D_an]+ of distances D = -s (Schroff, Kalenichenko and Philbin
 * 2015). At u = 0 the slope is 0. */
#define dppair_triplet_KIND dppair_rowwise
#define dppair_triplet_ROWS dppair_whole_rows
#define dppair_triplet_SORTED dppair_piecewise
#define dppair_triplet_PIECES(p)                                                                   \
  {                                                                                                \
    { 0, -1, 0, 0 }                                                                                \
  }
#define dppair_triplet_VALUE(u, p) DPV_MAX(DPV_SET(0), DPV_NEG(u))
#define dppair_triplet_SLOPE(u, p) DPV_SEL(DPV_LT(u, DPV_SET(0)), DPV_SET(-1), DPV_SET(0))

/* Half of its square: as lifted structure, the loss of Oh Song et al. 2016. */
#define dppair_triplet_squared_KIND dppair_rowwise
#define dppair_triplet_squared_ROWS dppair_whole_rows
#define dppair_triplet_squared_SORTED dppair_piecewise
#define dppair_triplet_squared_PIECES(p)                                                           \
  {                                                                                                \
    { 0, 0, 1, 0 }                                                                                 \
  }
#define dppair_triplet_squared_VALUE(u, p)                                                         \
  DPV_MUL(DPV_SET(0.5), DPV_MUL(DPV_MIN(u, DPV_SET(0)), DPV_MIN(u, DPV_SET(0))))
#define dppair_triplet_squared_SLOPE(u, p) DPV_MIN(u, DPV_SET(0))

/* ln(1 + e^-u): the soft margin (Hermans, Beyer and Leibe 2017); with inner products the Bayesian
 * personalised ranking of Rendle et al. 2009. */
#define dppair_triplet_soft_KIND dppair_rowwise
#define dppair_triplet_soft_ROWS dppair_whole_rows
#define dppair_triplet_soft_SPLIT dppair_split
#define dppair_triplet_soft_FACTOR(s, p) DPV_EXP(s)
#define dppair_triplet_soft_JOIN(e, p) DPV_DIV(DPV_SET(-1), DPV_ADD(DPV_SET(1), e))
#define dppair_triplet_soft_VALUE(u, p) DPV_SOFTPLUS(DPV_NEG(u))
#define dppair_triplet_soft_SLOPE(u, p) DPV_NEG(DPV_SIGMOID(DPV_NEG(u)))

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

#endif /* DPPAIR_CONTRAST_H */

/* The instance. One of a loss of pairs is for a later include of dppair.h. */

#if defined(DPPAIR_LOSS) && !defined(DPPAIR_NO_TEMPLATE_)
#if DPPAIR_WORD_(DPPAIR_CAT(DPPAIR_LOSS, _KIND), DPPAIR_KIND_ROWWISE_) == DPPAIR_KIND_ROWWISE_
#include "dppair.h"
#endif
#endif

#endif /* DPPAIR_MODULE_CONTRAST_ */
#endif /* DPPAIR_DECLARE_ONLY */
