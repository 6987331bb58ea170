/* ------------------------------------------------------------------------------------------------
 * Blocks of rows, and the bound of their norms
 *
 * A block says where the records are, which of them are positives or what their labels are, and how
 * long a row can be. Clipping a row is one number, its factor: no row is copied or changed. A batch
 * is a block of copies. NOT PRIVATE: factors and batches are as secret as the records.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* n records of d features; their first numbers are ld apart, ld >= d. Row i is factor[i] times the
 * numbers from x + i ld on. What is not given is 0 or NULL. */
typedef struct dppair_rows_f64 {
  const double *x;
  size_t n, d, ld;
  size_t positives;     /* of a ranking: the rows that stand first. Private, like the rows. (Parts
                         * that are fixed in advance must go by records, not by places here: a
                         * changed label moves the places of others) */
  const double *y;      /* of a metric or a similarity: n labels */
  const double *factor; /* n numbers; NULL: all 1 */
  const double *weight; /* n numbers in [0, 1], of the records in their pairs; NULL: all 1. Others
                         * count as the end that is next to them, NaN as 0: no status shows one.
                         * A record of weight 0 is a null record */
  double radius;        /* a public bound of the norm of every row: a promise, if it is set by
                         * hand. 0: none is known */
} dppair_rows_f64;

/* The same for rows of float. */
typedef struct dppair_rows_f32 {
  const float *x;
  size_t n, d, ld;
  size_t positives;
  const float *y;
  const double *factor, *weight;
  double radius;
} dppair_rows_f32;

/* Words of DPPAIR_ROW, for DPPAIR_WORD_; the type of rows of scores of either type. */
#define DPPAIR_PROBE_f32 ~, 0
#define DPPAIR_PROBE_f64 ~, 1
#define DPPAIR_PROBE_bf16 ~, 2
#define DPPAIR_PROBE_f16 ~, 3
#define DPPAIR_PROBE_i16 ~, 4
#define DPPAIR_PROBE_i8 ~, 5
#define DPPAIR_ROW_OF_A_float f32
#define DPPAIR_ROW_OF_A_double f64

/* What an instance knows of the numbers in a row (rows/narrow.h has other types). */
typedef double dppair_element_f64_;
typedef float dppair_element_f32_;
#define dppair_number_f64_(v) (v)
#define dppair_number_f32_(v) (v)

/* The address of rows is kept, nothing is read: gcc need not warn of an array that is filled later.
 */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define DPPAIR_ROWS_LATER_ __attribute__((access(none, 1)))
#else
#define DPPAIR_ROWS_LATER_
#endif

/* A block of the n rows of d numbers of x as they are: without factors, bound, positives, labels.
 */
DPPAIR_API DPPAIR_ROWS_LATER_ dppair_rows_f64 dppair_rows_make_f64(const double *x, size_t n,
                                                                   size_t d, size_t ld) {
  dppair_rows_f64 rows;
  memset(&rows, 0, sizeof rows);
  rows.x = x;
  rows.n = n;
  rows.d = d;
  rows.ld = ld;
  return rows;
}

/* The same for float. */
DPPAIR_API DPPAIR_ROWS_LATER_ dppair_rows_f32 dppair_rows_make_f32(const float *x, size_t n,
                                                                   size_t d, size_t ld) {
  dppair_rows_f32 rows;
  memset(&rows, 0, sizeof rows);
  rows.x = x;
  rows.n = n;
  rows.d = d;
  rows.ld = ld;
  return rows;
}

/* The least factors of rows of double and of float. A row that is even longer has the factor 0:
 * then no product of a factor underflows in a way that matters, and no score of any other row
 * overflows unless |w| radius is beyond all reason, which is public. */
#define DPPAIR_LEAST_FACTOR_F64_ 7.458340731200207e-155 /* 2^-512 */
#define DPPAIR_LEAST_FACTOR_F32_ 5.421010862427522e-20  /* 2^-64 */

/*
 * The factor f of a row x of d numbers with f |x| <= radius in exact arithmetic, from the sum of
 * squares of x/2^e as computed in double. 1 where |x| <= radius by this figure, 0 below `least`.
 *
 * Proof. A sum of d rounded squares is at least (1 - (d + 1) epsilon) |x/2^e|^2, where epsilon is
 * 2^-52 and twice the unit of rounding; what underflowed is less than that of the largest square,
 * which is normal. The margin 4 (d + 16) epsilon of the square is 1.8 (d + 16) epsilon of the norm
 * at least, so `norm` >= (1 + epsilon) |x/2^e|, roundings of the product and the root included. If
 * norm <= radius/2^e, then |x| <= radius. Otherwise f <= (1 + epsilon/2) (radius/2^e)/norm, and f
 * |x| <= radius. Division of radius by 2^e is exact, or its result is so small that f is below
 * `least`, or so large that the row is within it.
 */
DPPAIR_API double dppair_row_factor_(double square, size_t d, int e, double radius, double least) {
  const double norm = dppair_sqrt_(square * (1.0 + 4.0 * ((double)d + 16.0) * DBL_EPSILON));
  const double reach = dppair_ldexp_(radius, -e);
  double f;
  if (!dppair_isfinite_f64(reach) || norm <= reach) return 1.0;
  f = reach / norm;
  return f < least ? 0.0 : f;
}

/* The sum of squares of d numbers of double, or of float. Four chains of additions. */
DPPAIR_API double dppair_row_square_(const void *x, size_t d, int is_f32) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0}, v;
  size_t k;
  if (is_f32) {
    for (k = 0; k < d; k++) {
      v = (double)((const float *)x)[k];
      sum[k % 4] += v * v;
    }
  } else {
    for (k = 0; k < d; k++) {
      v = ((const double *)x)[k];
      sum[k % 4] += v * v;
    }
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* *factor of a row whose sum of squares is too large or too small for a double, or is no number: x
 * is divided by the power of two above its largest number. 0 when a number is not finite. */
DPPAIR_API int dppair_row_extreme_(double *factor, const double *x, size_t d, double radius,
                                   double least) {
  double top = 0.0, sum = 0.0;
  size_t k;
  int e = 0;
  if (!dppair_all_finite_f64(x, d)) return 0;
  for (k = 0; k < d; k++) top = dppair_fabs_(x[k]) > top ? dppair_fabs_(x[k]) : top;
  (void)dppair_frexp_(top, &e);
  for (k = 0; k < d; k++) {
    const double v = dppair_ldexp_(x[k], -e);
    sum += v * v;
  }
  *factor = dppair_row_factor_(sum, d, e, radius, least);
  return 1;
}

/* Sets factor[0..n) for rows of double or float. 0 when a number is not finite. */
DPPAIR_API int dppair_row_factors_(double *factor, const void *x, size_t n, size_t d, size_t ld,
                                   double radius, int is_f32) {
  const double least = is_f32 ? DPPAIR_LEAST_FACTOR_F32_ : DPPAIR_LEAST_FACTOR_F64_;
  size_t i;
  for (i = 0; i < n; i++) {
    const void *row = d == 0   ? x /* and may be NULL */
                      : is_f32 ? (const void *)((const float *)x + i * ld)
                               : (const void *)((const double *)x + i * ld);
    const double square = dppair_row_square_(row, d, is_f32);
    if (square > 1e-270 && square < 1e270)
      factor[i] = dppair_row_factor_(square, d, 0, radius, least);
    else if (square == 0.0 && is_f32) /* squares of floats do not underflow */
      factor[i] = 1.0;
    else if (is_f32 || !dppair_row_extreme_(factor + i, (const double *)row, d, radius, least))
      return 0;
  }
  return 1;
}

/* Checks the arguments of dppair_rows_clip, and zeroes factor. */
DPPAIR_API dppair_status dppair_clip_args_(const void *rows, double *factor, const void *x,
                                           size_t n, size_t d, size_t ld, double radius) {
  if (dppair_area_(dppair_area_(n, ld > 0 ? ld : 1), sizeof *factor) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  if (!factor && n) return DPPAIR_ERR_NULL;
  if (n) memset(factor, 0, n * sizeof *factor);
  if (!rows || (!x && n && d)) return DPPAIR_ERR_NULL;
  if (ld < d || 64.0 * ((double)d + 16.0) * DBL_EPSILON > 1.0) return DPPAIR_ERR_SIZE;
  if (!(dppair_isfinite_f64(radius) && radius > 0.0)) return DPPAIR_ERR_DOMAIN;
  return dppair_environment_check();
}

/* The same, and fills factor for rows of double or float, which is zeroed on an error. */
DPPAIR_API dppair_status dppair_rows_clip_(const void *rows, double *factor, const void *x,
                                           size_t n, size_t d, size_t ld, double radius,
                                           int is_f32) {
  const dppair_status status = dppair_clip_args_(rows, factor, x, n, d, ld, radius);
  if (status != DPPAIR_OK || dppair_row_factors_(factor, x, n, d, ld, radius, is_f32))
    return status;
  memset(factor, 0, n * sizeof *factor);
  return DPPAIR_ERR_NOT_FINITE;
}

/*
 * Fills *rows with the n rows of d numbers of x, and factor[0..n) so that |factor[i] x_i| <= radius
 * in exact arithmetic. A row that is within radius for certain has the factor 1; that is decided by
 * its norm, enlarged by 2 (d + 16) epsilon, so one that just touches the ball may be shortened by
 * as much. A row more than 2^512 (float: 2^64) times too long has the factor 0: it counts as a row
 * of zeros. A factor depends on its own row and on radius only.
 *
 * rows->positives is 0 and rows->y NULL: set what the loss needs. x and factor must live as long as
 * *rows is used, and nobody may change them.
 *
 * Errors zero *rows and factor: NULL, SIZE (ld < d), DOMAIN (radius not positive and finite),
 * NOT_FINITE (a number of a row), ENVIRONMENT; OVERFLOW (the rows cannot be addressed) leaves
 * factor untouched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rows_clip_f64(dppair_rows_f64 *rows,
                                                                double *factor, const double *x,
                                                                size_t n, size_t d, size_t ld,
                                                                double radius) {
  dppair_status status;
  if (rows) memset(rows, 0, sizeof *rows);
  status = dppair_rows_clip_(rows, factor, x, n, d, ld, radius, 0);
  if (status != DPPAIR_OK) return status;
  *rows = dppair_rows_make_f64(x, n, d, ld);
  rows->factor = factor;
  rows->radius = radius;
  return DPPAIR_OK;
}

/* The same for float. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rows_clip_f32(dppair_rows_f32 *rows,
                                                                double *factor, const float *x,
                                                                size_t n, size_t d, size_t ld,
                                                                double radius) {
  dppair_status status;
  if (rows) memset(rows, 0, sizeof *rows);
  status = dppair_rows_clip_(rows, factor, x, n, d, ld, radius, 1);
  if (status != DPPAIR_OK) return status;
  *rows = dppair_rows_make_f32(x, n, d, ld);
  rows->factor = factor;
  rows->radius = radius;
  return DPPAIR_OK;
}

/* What dppair_gather has in common for all types. From: n rows, the first `positives` of them
 * positives, at distance ld; to: `count` rows, one after the other. Numbers of rows have `size`
 * bytes, labels `label`; y, factor and weight are NULL on both sides where there are none. */
typedef struct dppair_gather_ {
  const void *x, *y;
  const double *factor, *weight;
  size_t n, d, ld, positives, size, label;
  void *to_x, *to_y;
  double *to_factor, *to_weight;
} dppair_gather_;

/* Copies row `from` of g to its place `to`. */
DPPAIR_API void dppair_gather_row_(const dppair_gather_ *g, size_t to, size_t from) {
  const size_t row = g->d * g->size;
  if (row)
    memcpy((unsigned char *)g->to_x + to * row,
           (const unsigned char *)g->x + from * g->ld * g->size, row);
  if (g->y)
    memcpy((unsigned char *)g->to_y + to * g->label, (const unsigned char *)g->y + from * g->label,
           g->label);
  if (g->factor) g->to_factor[to] = g->factor[from];
  if (g->weight) g->to_weight[to] = g->weight[from];
}

/* *positives = how many of index[0..count) are; copies these rows, then the others. Errors zero all
 * outputs. */
DPPAIR_API dppair_status dppair_gather_rows_(const dppair_gather_ *g, size_t *positives,
                                             const size_t *index, size_t count) {
  const size_t total = dppair_area_(count, dppair_area_(g->d, g->size));
  size_t k, up = 0, down, wrong = 0;
  if (total == SIZE_MAX || count > SIZE_MAX / 8 ||
      dppair_area_(dppair_area_(g->n, g->ld), g->size) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  if (g->to_x && total) memset(g->to_x, 0, total);
  if (g->to_y && count) memset(g->to_y, 0, count * g->label);
  if (g->to_factor && count) memset(g->to_factor, 0, count * sizeof *g->to_factor);
  if (g->to_weight && count) memset(g->to_weight, 0, count * sizeof *g->to_weight);
  if (count && (!index || ((!g->to_x || !g->x) && total) || (g->y && !g->to_y) ||
                (g->factor && !g->to_factor) || (g->weight && !g->to_weight)))
    return DPPAIR_ERR_NULL;
  if (g->ld < g->d || g->positives > g->n) return DPPAIR_ERR_SIZE;
  for (k = 0; k < count; k++) {
    wrong |= (size_t)(index[k] >= g->n);
    up += (size_t)(index[k] < g->positives);
  }
  if (wrong) return DPPAIR_ERR_SIZE;
  *positives = down = up;
  for (k = up = 0; k < count; k++) {
    if (count - k > 8)
      DPPAIR_PREFETCH_((const unsigned char *)g->x + index[k + 8] * g->ld * g->size);
    dppair_gather_row_(g, index[k] < g->positives ? up++ : down++, index[k]);
  }
  return DPPAIR_OK;
}

/*
 * Makes *batch from the records index[0..count) of *rows, each as often as it is listed: all pairs
 * of a batch are then those of a small set. Positives come first; within a class the order is that
 * of the index. Factors, weights, labels and radius are kept.
 *   x         room for count rows of d numbers
 *   y         for count labels, if rows->y is there; else it may be NULL, as may
 *   factor    for count numbers, if rows->factor is there, and
 *   weight    for count numbers, if rows->weight is there
 * batch->positives is as private as the records. The arrays must live as long as *batch is used,
 * and must not overlap the rows.
 *
 * Errors zero *batch and the arrays: NULL, SIZE (ld < d, more positives than records, an index out
 * of range); with OVERFLOW, or rows NULL, the arrays are not touched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gather_weighted_f64(
    dppair_rows_f64 *batch, double *x, double *y, double *factor, double *weight,
    const size_t *index, size_t count, const dppair_rows_f64 *rows) {
  size_t positives = 0;
  dppair_status status;
  if (batch) memset(batch, 0, sizeof *batch);
  if (!batch || !rows) return DPPAIR_ERR_NULL;
  {
    const dppair_gather_ g = {rows->x, rows->y,  rows->factor,    rows->weight, rows->n,
                              rows->d, rows->ld, rows->positives, sizeof *x,    sizeof *y,
                              x,       y,        factor,          weight};
    status = dppair_gather_rows_(&g, &positives, index, count);
  }
  if (status != DPPAIR_OK) return status;
  *batch = dppair_rows_make_f64(x, count, rows->d, rows->d);
  batch->positives = positives;
  batch->y = rows->y ? y : NULL;
  batch->factor = rows->factor ? factor : NULL;
  batch->weight = rows->weight ? weight : NULL;
  batch->radius = rows->radius;
  return DPPAIR_OK;
}

/* The same for float. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gather_weighted_f32(
    dppair_rows_f32 *batch, float *x, float *y, double *factor, double *weight, const size_t *index,
    size_t count, const dppair_rows_f32 *rows) {
  size_t positives = 0;
  dppair_status status;
  if (batch) memset(batch, 0, sizeof *batch);
  if (!batch || !rows) return DPPAIR_ERR_NULL;
  {
    const dppair_gather_ g = {rows->x, rows->y,  rows->factor,    rows->weight, rows->n,
                              rows->d, rows->ld, rows->positives, sizeof *x,    sizeof *y,
                              x,       y,        factor,          weight};
    status = dppair_gather_rows_(&g, &positives, index, count);
  }
  if (status != DPPAIR_OK) return status;
  *batch = dppair_rows_make_f32(x, count, rows->d, rows->d);
  batch->positives = positives;
  batch->y = rows->y ? y : NULL;
  batch->factor = rows->factor ? factor : NULL;
  batch->weight = rows->weight ? weight : NULL;
  batch->radius = rows->radius;
  return DPPAIR_OK;
}

/* The same of rows without weights; those that have them are NULL. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gather_f64(dppair_rows_f64 *batch, double *x,
                                                             double *y, double *factor,
                                                             const size_t *index, size_t count,
                                                             const dppair_rows_f64 *rows) {
  return dppair_gather_weighted_f64(batch, x, y, factor, NULL, index, count, rows);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gather_f32(dppair_rows_f32 *batch, float *x,
                                                             float *y, double *factor,
                                                             const size_t *index, size_t count,
                                                             const dppair_rows_f32 *rows) {
  return dppair_gather_weighted_f32(batch, x, y, factor, NULL, index, count, rows);
}

DPPAIR_FP_END_
