/* ------------------------------------------------------------------------------------------------
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
DPPAIR_API size_t DPPAIR_NAME_triplet_sizes_(DPPAIR_NAME_triplet_ *t, size_t n, size_t others,
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
DPPAIR_API DPPAIR_NAME_triplet_ DPPAIR_NAME_triplet_part_(const DPPAIR_NAME_triplet_ *all,
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
DPPAIR_API size_t DPPAIR_NAME_triplet_count_(const DPPAIR_NAME_triplet_ *t, size_t i) {
  const size_t left = i < t->n ? t->n - i : 0;
  return left < t->strip ? left : t->strip;
}

/* Whether similarities are minus distances. */
DPPAIR_API int DPPAIR_NAME_triplet_far_(const DPPAIR_NAME_triplet_ *t) {
  return t->contrast->compare == DPPAIR_COMPARE_DISTANCE ||
         t->contrast->compare == DPPAIR_COMPARE_EUCLIDEAN;
}

/* The norm of d numbers, of which no square overflows or underflows. */
DPPAIR_API double DPPAIR_NAME_triplet_norm_(const DPPAIR_REAL *x, size_t d) {
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
DPPAIR_API int DPPAIR_NAME_triplet_alike_(const DPPAIR_NAME_triplet_ *t, size_t i, size_t j) {
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
