/* ------------------------------------------------------------------------------------------------
 * Blocks of rows, and the bound of their norms: what all types of rows share
 *
 * A block says where the records are, which of them are positives or what their labels are, and how
 * long a row can be. Clipping a row is one number, its factor: no row is copied or changed. A batch
 * is a block of copies. The functions of a type of rows are in rows/template.h. NOT PRIVATE:
 * factors and batches are as secret as the records.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

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
#define DPPAIR_LARGEST_f64 0.0
#define DPPAIR_LARGEST_f32 0.0

/* The address of rows is kept, nothing is read: gcc need not warn of an array that is filled later.
 */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define DPPAIR_ROWS_LATER_ __attribute__((access(none, 1)))
#else
#define DPPAIR_ROWS_LATER_
#endif

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

/* What dppair_gather has in common for all types. From: n rows, the first `positives` of them
 * positives, the last `nulls` null, at distance ld; to: `count` rows, one after the other. Numbers
 * of rows have `size` bytes, labels `label`; y, factor and weight are NULL on both sides where
 * there are none. */
typedef struct dppair_gather_ {
  const void *x, *y;
  const double *factor, *weight;
  size_t n, d, ld, positives, nulls, size, label;
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

/* *positives and *nulls = how many of index[0..count) are; copies the former rows, then the others.
 * Places of null records stay 0. Errors zero all outputs. */
DPPAIR_API dppair_status dppair_gather_rows_(const dppair_gather_ *g, size_t *positives,
                                             size_t *nulls, const size_t *index, size_t count) {
  const size_t total = dppair_area_(count, dppair_area_(g->d, g->size));
  const size_t there = g->nulls < g->n ? g->n - g->nulls : 0;
  size_t k, up = 0, down, none = 0, wrong = 0;
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
  if (g->ld < g->d || g->nulls > g->n || g->positives > there) return DPPAIR_ERR_SIZE;
  for (k = 0; k < count; k++) {
    wrong |= (size_t)(index[k] >= g->n);
    up += (size_t)(index[k] < g->positives);
    none += (size_t)(index[k] >= there);
  }
  if (wrong) return DPPAIR_ERR_SIZE;
  *positives = down = up;
  *nulls = none;
  for (k = up = 0; k < count; k++) {
    if (count - k > 8)
      DPPAIR_PREFETCH_((const unsigned char *)g->x + index[k + 8] * g->ld * g->size);
    if (index[k] >= there) continue;
    dppair_gather_row_(g, index[k] < g->positives ? up++ : down++, index[k]);
  }
  return DPPAIR_OK;
}

/* Checks sizes first: n rows at distance ld and d numbers of 8 bytes have to be addressable, or out
 * may be too large to be zeroed. Then zeroes out (count elements of `size` bytes) and checks the
 * pointers and ld >= d. `with` is the vector that multiplies the rows; it has `terms` numbers. */
DPPAIR_API dppair_status dppair_linear_args_(void *out, size_t count, size_t size, const void *x,
                                             size_t n, size_t d, size_t ld, const void *with,
                                             size_t terms) {
  if (dppair_area_(dppair_area_(n, ld > 0 ? ld : 1), 8) == SIZE_MAX || d > SIZE_MAX / 8)
    return DPPAIR_ERR_OVERFLOW;
  if (!out && count) return DPPAIR_ERR_NULL;
  if (count) memset(out, 0, count * size);
  if ((!x && n && d) || (!with && terms)) return DPPAIR_ERR_NULL;
  return ld < d ? DPPAIR_ERR_SIZE : DPPAIR_OK;
}

/* OK. If a number of out[0..count) is not finite: zeroes out and returns NOT_FINITE. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_finish_(double *out, size_t count) {
  if (dppair_all_finite_f64(out, count)) return DPPAIR_OK;
  memset(out, 0, count * sizeof *out);
  return DPPAIR_ERR_NOT_FINITE;
}

DPPAIR_FP_END_
