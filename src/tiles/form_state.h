/* ------------------------------------------------------------------------------------------------
 * State of the forms
 *
 * Metrics and similarities over all pairs of one set of records: the arguments, the workspace and
 * the bounds that decide about clipping. It relies on shared.h; form_kernels.h computes. DPT_W
 * records are a block: three vectors, the width of the micro-kernel.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_TEMPLATE_F64_
#define DPT_W ((size_t)24)
#define DPT_MAX DBL_MAX
#define DPT_MIN DBL_MIN
#define DPT_EPSILON DBL_EPSILON
#else
#define DPT_W ((size_t)48)
#define DPT_MAX FLT_MAX
#define DPT_MIN FLT_MIN
#define DPT_EPSILON FLT_EPSILON
#endif
/* Blocks of DPT_W records for n. */
#define DPT_BLOCKS(n) ((n) / DPT_W + ((n) % DPT_W != 0))
/* A limit of margins, norms and distances: sums of a few of them do not overflow. */
#define DPT_ROOM ((double)DPT_MAX / 64.0)
/* Whether inner products of k numbers are too long for the bound of NAME_tiles_margin_. */
#define DPT_TOO_LONG(k) ((double)(k) * (double)DPT_EPSILON > 0.25)

DPPAIR_FP_BEGIN_

/* What the caller of a form asks for: the arguments of NAME_form_gradient. */
typedef struct DPPAIR_NAME_form_ {
  dppair_form kind;
  const DPPAIR_REAL *x, *y;
  size_t n, d, ld;
  const double *w;
  size_t k;
  double offset, clip;
  const double *params;
  size_t parts;
  void *work;
  size_t bytes;
} DPPAIR_NAME_form_;

/* The state of a form, in the caller's workspace. */
typedef struct DPPAIR_NAME_tiles_ {
  dppair_form kind;
  const DPPAIR_REAL *x; /* the caller's rows */
  const double *params; /* and loss parameters */
  size_t n, d, ld, k;   /* k: length of the inner products; columns of the result */
  size_t blocks, width; /* of DPT_W records; k rounded up to whole kernels */
  DPPAIR_REAL offset, limit;
  int clipped;
  double size; /* a norm of W */
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
  size_t used = 0;
#define DPT_TAKE(field, a, b, size, type)                                                          \
  t->field = (type *)dppair_take_(base, &used, dppair_area_(a, b), size)
  DPT_TAKE(xt, padded, t->d, real, DPPAIR_REAL);
  DPT_TAKE(left, padded, t->k, real, DPPAIR_REAL);
  DPT_TAKE(right, factor ? padded : 0, t->k, real, DPPAIR_REAL);
  DPT_TAKE(zr, factor ? padded : 0, t->k, real, DPPAIR_REAL);
  DPT_TAKE(w, t->d, t->k, real, DPPAIR_REAL);
  DPT_TAKE(hl, padded, 1, real, DPPAIR_REAL);
  DPT_TAKE(hr, padded, 1, real, DPPAIR_REAL);
  DPT_TAKE(y, padded, 1, real, DPPAIR_REAL);
  DPT_TAKE(norm2, c, 1, real, DPPAIR_REAL);
  DPT_TAKE(normz, c, factor, real, DPPAIR_REAL);
  DPT_TAKE(reach, t->blocks, clipped, f64, double);
  DPT_TAKE(reachz, t->blocks, clipped, f64, double);
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

/* Clears *t and sets its sizes; returns the bytes of workspace, SIZE_MAX on overflow. */
DPPAIR_API size_t DPPAIR_NAME_tiles_sizes_(DPPAIR_NAME_tiles_ *t, dppair_form kind, size_t blocks,
                                           size_t d, size_t k, size_t parts, int clipped) {
  memset(t, 0, sizeof *t);
  t->kind = kind;
  t->d = d;
  t->k = k;
  t->parts = parts;
  t->blocks = blocks;
  t->width = dppair_whole_kernels_(k);
  t->clipped = clipped;
  return DPPAIR_NAME_tiles_layout_(t, NULL);
}

/* Clears *t and lays out the caller's workspace for so many blocks of records. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_tiles_begin_(DPPAIR_NAME_tiles_ *t,
                                                                    const DPPAIR_NAME_form_ *q,
                                                                    size_t blocks) {
  const size_t total =
      DPPAIR_NAME_tiles_sizes_(t, q->kind, blocks, q->d, q->k, q->parts, q->clip < DPPAIR_NO_CLIP);
  if (total == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if (q->bytes < total) return DPPAIR_ERR_WORKSPACE;
  (void)DPPAIR_NAME_tiles_layout_(t, dppair_align_(q->work));
  t->x = q->x;
  t->ld = q->ld;
  t->n = q->n;
  t->params = q->params;
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

/* norm2[i], from sum = |v_i|^2 as computed in double over k numbers: above |v_i|^2 by a margin such
 * that, after rounding, norm2[i] + norm2[j] - 2 fl(<v_i, v_j>) >= |v_i - v_j|^2. Proof, with u =
 * epsilon/2: the chain of k fused multiply-adds errs by at most k u/(1 - k u) |v_i||v_j| <=
 * k u (|v_i|^2 + |v_j|^2)/2/(1 - k u); the two additions and norm2 itself by 4 u (|v_i|^2 +
 * |v_j|^2); the sum by k u; each step that underflows by less than the smallest normal number, also
 * when the processor flushes to zero. For k epsilon <= 1/4 all of that is below the margin: 2 (k +
 * 16) epsilon relative and 8 (k + 4) smallest normal numbers absolute.
 *
 * Rows with factors: a packed v_i is within u (1 + epsilon) |r_i| of the row r_i = factor x that it
 * stands for. So |r_i - r_j| exceeds |v_i - v_j| by no more than that of both, and its square the
 * other by 4 u (|v_i|^2 + |v_j|^2) and terms in u^2. What precedes takes less than (3 k + 8) u of
 * the margin's 4 (k + 16) u, so norm2[i] + norm2[j] - 2 fl(<v_i, v_j>) >= |r_i - r_j|^2 as well. */
DPPAIR_API double DPPAIR_NAME_tiles_margin_(double sum, size_t k) {
  return sum + 2.0 * (double)(k + 16) * (double)DPT_EPSILON * sum +
         8.0 * (double)(k + 4) * (double)DPT_MIN;
}

/* An upper bound of the norms of the pair gradients of weight 1 between blocks a and b. */
DPPAIR_API double DPPAIR_NAME_tiles_reach_(const DPPAIR_NAME_tiles_ *t, size_t a, size_t b) {
  if (t->kind == DPPAIR_FORM_SIMILARITY) return t->reach[a] * t->reach[b];
  if (t->kind == DPPAIR_FORM_METRIC)
    return (t->reach[a] + t->reach[b]) * (t->reach[a] + t->reach[b]);
  return 2.0 * (t->reach[a] + t->reach[b]) * (t->reachz[a] + t->reachz[b]);
}

/* The clip in the type of the kernels, less than `clip` by more than quotients and roots err; 0
 * when it is not a normal number there. */
DPPAIR_API DPPAIR_REAL DPPAIR_NAME_tiles_limit_(double clip) {
  const double limit =
      (clip < (double)DPT_MAX ? clip : (double)DPT_MAX) * (1.0 - 32.0 * (double)DPT_EPSILON);
  return limit < (double)DPT_MIN ? 0 : (DPPAIR_REAL)limit;
}

/*
 * Whether a block may skip its caps, when its weights are at most `top` in size and its pair
 * gradients of weight 1 at most `reach` long. It may when no cap would change a weight. Then a
 * weight is a function of its two records alone, whichever records share their block, and one
 * record changes only its own pairs. A cap is limit/(a computed length), and that length exceeds
 * `reach` by less than 8 epsilon: squared norms and inner products stay below what their margins
 * allow for, and at most eight roots, sums and quotients are rounded after that. So with
 * top reach <= limit (1 - 16 epsilon) every cap is above top. The same with 2 DPT_MIN in place of
 * top keeps caps above DPT_MIN, below which they become 0.
 */
DPPAIR_API int DPPAIR_NAME_tiles_spared_(DPPAIR_REAL limit, double top, double reach) {
  const double least = 2.0 * (double)DPT_MIN, most = top > least ? top : least;
  return most * reach <= (double)limit * (1.0 - 16.0 * (double)DPT_EPSILON);
}

/* Writes n rows of x, d numbers that begin ld apart, as packed blocks [block][d][DPT_W]; the last
 * block is filled up with zeros. With factors (NULL: none) each number is factor[i] times that of
 * the row, rounded. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_pack_(DPPAIR_REAL *to, const DPPAIR_REAL *x,
                                                 const double *factor, size_t n, size_t d,
                                                 size_t ld) {
  for (size_t i = 0; i < n; i++) {
    DPPAIR_REAL *p = to + i / DPT_W * d * DPT_W + i % DPT_W;
    const DPPAIR_REAL *row = x + i * ld;
    if (factor)
      for (size_t f = 0; f < d; f++) p[f * DPT_W] = (DPPAIR_REAL)(factor[i] * (double)row[f]);
    else
      for (size_t f = 0; f < d; f++) p[f * DPT_W] = row[f];
  }
  for (size_t l = n % DPT_W; l > 0 && l < DPT_W; l++)
    for (size_t f = 0; f < d; f++) to[(n / DPT_W * d + f) * DPT_W + l] = 0;
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
  return x * w + fabs((double)t->offset) <= DPT_ROOM;
}

/* Checks the arguments of a form without reading the arrays. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_tiles_check_(const DPPAIR_NAME_form_ *q) {
  const int factor = q->kind == DPPAIR_FORM_FACTOR;
  if (q->n < 2 || q->d < 1 || q->k < 1 || q->ld < q->d || q->parts < 1 ||
      q->parts > DPPAIR_FORM_PARTS_)
    return DPPAIR_ERR_SIZE;
  if (dppair_area_(dppair_area_(q->n, q->ld), sizeof *q->x) == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if (!factor && (q->kind > DPPAIR_FORM_SIMILARITY || q->k != q->d)) return DPPAIR_ERR_DOMAIN;
  if (!q->x || !q->y || !q->w || !q->work) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(q->offset)) return DPPAIR_ERR_NOT_FINITE;
  return dppair_isfinite_f64(q->clip) && q->clip > 0.0 ? DPPAIR_OK : DPPAIR_ERR_DOMAIN;
}

/* Checks labels, W or L, and the offset, and writes them and the clip to the state. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_tiles_fill_(DPPAIR_NAME_tiles_ *t, const DPPAIR_NAME_form_ *q) {
  const int factor = q->kind == DPPAIR_FORM_FACTOR;
  const size_t size = q->d * q->k;
  if (!DPT_FINITE(q->y, q->n) || !dppair_all_finite_f64(q->w, size)) return DPPAIR_ERR_NOT_FINITE;
  t->size = dppair_norm_f64(q->w, size);
  if (factor) t->size *= t->size;
  if (!(t->size + fabs(q->offset) <= DPT_ROOM)) return DPPAIR_ERR_OVERFLOW;
  if (DPT_TOO_LONG(q->d > q->k ? q->d : q->k)) return DPPAIR_ERR_SIZE;
  t->limit = DPPAIR_NAME_tiles_limit_(q->clip);
  t->offset = (DPPAIR_REAL)q->offset;
  for (size_t i = 0; i < t->blocks * DPT_W; i++) t->y[i] = i < q->n ? q->y[i] : 0;
  if (!factor) DPPAIR_NAME_tiles_symmetric_(t, q->w);
  for (size_t e = 0; factor && e < size; e++) t->w[e] = (DPPAIR_REAL)q->w[e];
  return DPPAIR_OK;
}

/* Zeroes out[0..count), checks the arguments and prepares *t, but for what the tier's kernel
 * computes (NAME_tiles_prepare). OVERFLOW, out untouched, for a count beyond any memory. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_tiles_open_(
    DPPAIR_NAME_tiles_ *t, double *out, size_t count, const DPPAIR_NAME_form_ *q) {
  dppair_status status;
  if (!out) return DPPAIR_ERR_NULL;
  if (count > SIZE_MAX / sizeof *out) return DPPAIR_ERR_OVERFLOW;
  memset(out, 0, count * sizeof *out);
  status = dppair_environment_check();
  if (status == DPPAIR_OK) status = DPPAIR_NAME_tiles_check_(q);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_tiles_begin_(t, q, DPT_BLOCKS(q->n));
  if (status == DPPAIR_OK) status = DPPAIR_NAME_tiles_fill_(t, q);
  if (status == DPPAIR_OK) DPPAIR_NAME_tiles_pack_(t->xt, q->x, NULL, q->n, q->d, q->ld);
  return status;
}

/* Prepares *t for blocks of DPT_W listed pairs of a metric; dppair_pairs_check_ has checked the
 * pairs, and no row is read here. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_tiles_open_pairs_(DPPAIR_NAME_tiles_ *t, const DPPAIR_NAME_form_ *q) {
  const size_t size = q->d * q->d;
  const dppair_status status = DPPAIR_NAME_tiles_begin_(t, q, 1);
  if (status != DPPAIR_OK) return status;
  if (!q->y && q->n) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(q->offset) || !dppair_all_finite_f64(q->w, size) ||
      !DPT_FINITE(q->y, q->n))
    return DPPAIR_ERR_NOT_FINITE;
  if (dppair_norm_f64(q->w, size) > DPT_ROOM || fabs(q->offset) > DPT_ROOM)
    return DPPAIR_ERR_OVERFLOW;
  if (DPT_TOO_LONG(q->d)) return DPPAIR_ERR_SIZE;
  t->limit = DPPAIR_NAME_tiles_limit_(q->clip);
  t->offset = (DPPAIR_REAL)q->offset;
  DPPAIR_NAME_tiles_symmetric_(t, q->w);
  return DPPAIR_OK;
}

DPPAIR_FP_END_
