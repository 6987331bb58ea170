/* ------------------------------------------------------------------------------------------------
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
DPPAIR_API size_t DPPAIR_NAME_tiles_sizes_(DPPAIR_NAME_tiles_ *t, dppair_form kind, size_t blocks,
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
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_tiles_begin_(DPPAIR_NAME_tiles_ *t,
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
DPPAIR_API DPPAIR_NAME_tiles_ DPPAIR_NAME_tiles_part_(const DPPAIR_NAME_tiles_ *all, size_t part) {
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
DPPAIR_API size_t DPPAIR_NAME_tiles_first_(const DPPAIR_NAME_tiles_ *t, size_t part) {
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
DPPAIR_API double DPPAIR_NAME_tiles_reach_(const DPPAIR_NAME_tiles_ *t, size_t a, size_t b) {
  if (t->kind == DPPAIR_FORM_SIMILARITY) return t->reach[a] * t->reach[b];
  if (t->kind == DPPAIR_FORM_METRIC)
    return (t->reach[a] + t->reach[b]) * (t->reach[a] + t->reach[b]);
  return 2.0 * (t->reach[a] + t->reach[b]) * (t->reachz[a] + t->reachz[b]);
}

/* t->w = the symmetric part of W, in the type of the kernels. */
DPPAIR_API void DPPAIR_NAME_tiles_symmetric_(const DPPAIR_NAME_tiles_ *t, const double *w) {
  for (size_t f = 0; f < t->d; f++)
    for (size_t g = 0; g < t->d; g++)
      t->w[f * t->d + g] = (DPPAIR_REAL)(0.5 * w[f * t->d + g] + 0.5 * w[g * t->d + f]);
}

/* Whether margins, norms and distances stay below DPT_ROOM if no |x| exceeds `largest`. */
DPPAIR_API int DPPAIR_NAME_tiles_fits_(const DPPAIR_NAME_tiles_ *t, double largest) {
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
DPPAIR_API dppair_status DPPAIR_NAME_tiles_alike_(const DPPAIR_NAME_form_ *q) {
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
