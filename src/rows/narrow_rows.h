/* ------------------------------------------------------------------------------------------------
 * Rows of 16 and 8 bits: their functions, for one type
 *
 * Written dppair_x_ROW, compiled dppair_x_i8 and so on, once for each type that is asked for. They
 * are those of block.h, linear.h, sums.h and parts.h for rows of float. NOT PRIVATE: elements,
 * factors, scores and sums are as secret as the records.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* dppair_rows_f32 with elements of another type; row i is factor[i] times their numbers. */
typedef struct dppair_rows_ROW {
  const dppair_element_ROW_ *x;
  size_t n, d, ld;
  size_t positives;
  const float *y;
  const double *factor, *weight;
  double radius;
} dppair_rows_ROW;

/* A block of the n rows of d elements of x as they are: without factors, bound, positives, labels.
 */
DPPAIR_API DPPAIR_ROWS_LATER_ dppair_rows_ROW dppair_rows_make_ROW(const dppair_element_ROW_ *x,
                                                                   size_t n, size_t d, size_t ld) {
  dppair_rows_ROW rows;
  memset(&rows, 0, sizeof rows);
  rows.x = x;
  rows.n = n;
  rows.d = d;
  rows.ld = ld;
  return rows;
}

/* Sets factor[0..n) for rows of norm `radius`. 0 when a number is not finite. Squares of these
 * numbers do not underflow in double. */
DPPAIR_API int dppair_row_factors_ROW_(double *factor, const dppair_element_ROW_ *x, size_t n,
                                       size_t d, size_t ld, double radius) {
  size_t i, k;
  for (i = 0; i < n; i++) {
    double sum[4] = {0.0, 0.0, 0.0, 0.0}, square;
    for (k = 0; k < d; k++) {
      const double v = (double)dppair_number_ROW_(x[i * ld + k]);
      sum[k % 4] += v * v;
    }
    square = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    if (!dppair_isfinite_f64(square)) return 0;
    factor[i] =
        square > 0.0 ? dppair_row_factor_(square, d, 0, radius, DPPAIR_LEAST_FACTOR_F32_) : 1.0;
  }
  return 1;
}

/* Fills *rows and factor[0..n) so that |factor[i] x_i| <= radius: dppair_rows_clip_f32, and its
 * errors. Of integers with a scale, radius is in units of that. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rows_clip_ROW(dppair_rows_ROW *rows,
                                                                double *factor,
                                                                const dppair_element_ROW_ *x,
                                                                size_t n, size_t d, size_t ld,
                                                                double radius) {
  dppair_status status;
  if (rows) memset(rows, 0, sizeof *rows);
  status = dppair_clip_args_(rows, factor, x, n, d, ld, radius);
  if (status != DPPAIR_OK) return status;
  if (!dppair_row_factors_ROW_(factor, x, n, d, ld, radius)) {
    memset(factor, 0, n * sizeof *factor);
    return DPPAIR_ERR_NOT_FINITE;
  }
  *rows = dppair_rows_make_ROW(x, n, d, ld);
  rows->factor = factor;
  rows->radius = radius;
  return DPPAIR_OK;
}

/* Elements of one row f x of d numbers, and its factor. 0 when one of them is not finite. */
DPPAIR_API int dppair_quantise_row_ROW_(dppair_element_ROW_ *to, double *factor, const void *x,
                                        size_t d, double f, int is_f32) {
  size_t k;
  *factor = 0.0;
  if (!dppair_isfinite_f64(f) || !(is_f32 ? dppair_all_finite_f32((const float *)x, d)
                                          : dppair_all_finite_f64((const double *)x, d)))
    return 0;
#if DPPAIR_ROW_KIND_ <= 3
  if (dppair_fabs_(f) < DPPAIR_LEAST_FACTOR_F32_) return 1;
  *factor = f;
  for (k = 0; k < d; k++)
    to[k] = dppair_cut_ROW_(is_f32 ? (double)((const float *)x)[k] : ((const double *)x)[k]);
#else
  {
    const double most = DPPAIR_LARGEST_ROW_ - 1.0;
    double top;
    int e;
    if (!dppair_whole_scale_(factor, &top, &e, x, d, f, most, is_f32)) return 0;
    for (k = 0; k < d && top > 0.0; k++)
      to[k] = (dppair_element_ROW_)dppair_steps_(dppair_cut_number_(x, k, e, is_f32), top, most);
  }
#endif
  return 1;
}

/* x[n][d] and factor[0..n) of n rows, of which of[i] are the factors (NULL: all 1). */
DPPAIR_API dppair_status dppair_quantise_rows_ROW_(dppair_element_ROW_ *x, double *factor,
                                                   const void *from, size_t n, size_t d, size_t ld,
                                                   const double *of, int is_f32) {
  const size_t size = is_f32 ? sizeof(float) : sizeof(double);
  dppair_status status;
  size_t i;
  if (dppair_area_(dppair_area_(n, ld > 0 ? ld : 1), sizeof(double)) == SIZE_MAX ||
      dppair_area_(dppair_area_(n, d > 0 ? d : 1), sizeof(double)) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  if (x && n && d) memset(x, 0, n * d * sizeof *x);
  if (factor && n) memset(factor, 0, n * sizeof *factor);
  if ((n && !factor) || (n && d && (!x || !from))) return DPPAIR_ERR_NULL;
  if (ld < d) return DPPAIR_ERR_SIZE;
  status = dppair_environment_check();
  for (i = 0; i < n && status == DPPAIR_OK; i++)
    if (!dppair_quantise_row_ROW_(d ? x + i * d : x, factor + i,
                                  d ? (const unsigned char *)from + i * ld * size : NULL, d,
                                  of ? of[i] : 1.0, is_f32))
      status = DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK) return status;
  if (n && d) memset(x, 0, n * d * sizeof *x);
  if (n) memset(factor, 0, n * sizeof *factor);
  return status;
}

/*
 * Fills *rows with the rows of *from in fewer bits: x[n][d] and factor[0..n), n = from->n, d =
 * from->d. No row grows: every number factor[i] x[i][k] has the sign of that of from and is at most
 * as large, in exact arithmetic. So a row is within from->radius, which *rows keeps, and a
 * sensitivity that follows from a radius needs no surcharge for the rounding. A quantised row
 * depends on its own row and factor only: two data sets that differ in one record differ in that
 * record afterwards, in its place, and a row of zeros stays one.
 *
 *   bf16, f16   numbers are cut towards 0, less by at most 2^-7 of themselves (f16: 2^-10, or 2^-24
 *               where they are below 2^-14; bf16: 2^-133 below 2^-126). f16 holds what is above
 *               65504 at 65504, bf16 at 3.39e38. The factor stays, and where *from has none *rows
 *               has none; one below 2^-64 becomes 0, and its row zeros
 *   i16, i8     each row has a scale of its own, which makes its largest number 32767 (127); others
 *               are multiples of that over 32767 (127), less by at most one such step, and of
 *               double by 2^-23 of themselves. The factor is the scale; one below 2^-512 becomes 0,
 *               and its row zeros
 *
 * What it does to a mean gradient over pairs, of slopes at most L and curvature at most M, for rows
 * within R that become shorter by vectors of at most delta: it moves by at most 2 delta (L + 2 M R
 * |w|). delta is at most 2^-7 R (bf16), 2^-10 R + 2^-24 sqrt(d) times the factor (f16), and
 * sqrt(d) |top|/32767 or /127 + 2^-23 R (i16, i8), top the largest number of a row times its
 * factor. Measured, 4000 rows of 64 normal numbers, the logistic loss: a gradient is off by 8e-3
 * (i8), 3e-3 (bf16), 4e-4 (f16), 3e-5 (i16) of its length.
 *
 * positives, weight and, of rows of float, y and its place are those of *from; of rows of double y
 * is NULL. x and factor must not overlap *from, and must live as long as *rows is used.
 *
 * Errors zero *rows, x and factor: NULL, SIZE (ld < d), NOT_FINITE (a number, a factor, or a scale:
 * none of rows of dppair_rows_clip), ENVIRONMENT; with OVERFLOW (the rows cannot be addressed), or
 * from NULL, x and factor are not touched.
 *
 * Proof: dppair_cut_bf16_, dppair_cut_f16_; dppair_whole_scale_, dppair_steps_.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rows_quantise_ROW_f32(
    dppair_rows_ROW *rows, dppair_element_ROW_ *x, double *factor, const dppair_rows_f32 *from) {
  dppair_status status;
  if (rows) memset(rows, 0, sizeof *rows);
  if (!rows || !from) return DPPAIR_ERR_NULL;
  status =
      dppair_quantise_rows_ROW_(x, factor, from->x, from->n, from->d, from->ld, from->factor, 1);
  if (status != DPPAIR_OK) return status;
  *rows = dppair_rows_make_ROW(x, from->n, from->d, from->d);
  rows->positives = from->positives;
  rows->y = from->y;
  rows->factor = DPPAIR_ROW_KIND_ <= 3 && !from->factor ? NULL : factor;
  rows->weight = from->weight;
  rows->radius = from->radius;
  return DPPAIR_OK;
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rows_quantise_ROW_f64(
    dppair_rows_ROW *rows, dppair_element_ROW_ *x, double *factor, const dppair_rows_f64 *from) {
  dppair_status status;
  if (rows) memset(rows, 0, sizeof *rows);
  if (!rows || !from) return DPPAIR_ERR_NULL;
  status =
      dppair_quantise_rows_ROW_(x, factor, from->x, from->n, from->d, from->ld, from->factor, 0);
  if (status != DPPAIR_OK) return status;
  *rows = dppair_rows_make_ROW(x, from->n, from->d, from->d);
  rows->positives = from->positives;
  rows->factor = DPPAIR_ROW_KIND_ <= 3 && !from->factor ? NULL : factor;
  rows->weight = from->weight;
  rows->radius = from->radius;
  return DPPAIR_OK;
}

/* dppair_gather_weighted_f32 of such rows. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gather_weighted_ROW(
    dppair_rows_ROW *batch, dppair_element_ROW_ *x, float *y, double *factor, double *weight,
    const size_t *index, size_t count, const dppair_rows_ROW *rows) {
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
  *batch = dppair_rows_make_ROW(x, count, rows->d, rows->d);
  batch->positives = positives;
  batch->y = rows->y ? y : NULL;
  batch->factor = rows->factor ? factor : NULL;
  batch->weight = rows->weight ? weight : NULL;
  batch->radius = rows->radius;
  return DPPAIR_OK;
}
/* dppair_gather_f32 of such rows. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gather_ROW(dppair_rows_ROW *batch,
                                                             dppair_element_ROW_ *x, float *y,
                                                             double *factor, const size_t *index,
                                                             size_t count,
                                                             const dppair_rows_ROW *rows) {
  return dppair_gather_weighted_ROW(batch, x, y, factor, NULL, index, count, rows);
}

/* dppair_linear_reach_ of w, and what elements of this type add. */
DPPAIR_API dppair_status dppair_reach_ROW_(const float *w, size_t d, double radius) {
  return dppair_narrow_reach_(w, d, radius, DPPAIR_LARGEST_ROW_);
}

/* dppair_scores_f32 of such rows. OVERFLOW also where the largest
 * element times sqrt(d) |w| is above 4e37, for rows with a radius. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_scores_ROW(float *s, const dppair_rows_ROW *rows,
                                                             const float *w) {
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status =
      dppair_linear_args_(s, rows->n, sizeof *s, rows->x, rows->n, rows->d, rows->ld, w, rows->d);
  if (status == DPPAIR_OK) status = dppair_reach_ROW_(w, rows->d, rows->radius);
  if (status != DPPAIR_OK) return status;
  DPPAIR_DISPATCH_(dppair_scores_ROW, (s, rows->x, rows->n, rows->d, rows->ld, w));
  if (rows->factor) dppair_linear_scale_f32_(s, rows->factor, rows->n);
  if (dppair_all_finite_f32(s, rows->n)) return DPPAIR_OK;
  memset(s, 0, rows->n * sizeof *s);
  return DPPAIR_ERR_NOT_FINITE;
}
/* dppair_combine_f32 of such rows. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_combine_ROW(double *g,
                                                              const dppair_rows_ROW *rows,
                                                              const double *c) {
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status =
      dppair_linear_args_(g, rows->d, sizeof *g, rows->x, rows->n, rows->d, rows->ld, c, rows->n);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  DPPAIR_DISPATCH_(dppair_combine_ROW, (g, rows->x, rows->n, rows->d, rows->ld, c, rows->factor));
  return dppair_finish_(g, rows->d);
}

/* dppair_sum_combine_f32 of such rows. */
DPPAIR_API void dppair_sum_rows_ROW_(dppair_sum *s, const dppair_rows_ROW *rows, const double *c) {
  const double magic = dppair_sum_magic_(s), most = s->bound / rows->radius;
  DPPAIR_DISPATCH_(dppair_sum_ROW,
                   (s->words, rows->x, rows->n, rows->d, rows->ld, c, rows->factor, magic, most));
  s->count += rows->n;
}
/* dppair_sum_combine_f32 of such rows. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sum_combine_ROW(dppair_sum *s,
                                                                  const dppair_rows_ROW *rows,
                                                                  const double *c) {
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status = dppair_sum_args_(s, rows->x, rows->n, rows->d, rows->ld, rows->radius, c);
  if (status != DPPAIR_OK) return status;
  if (!dppair_all_finite_f64(c, rows->n)) return DPPAIR_ERR_NOT_FINITE;
  dppair_sum_rows_ROW_(s, rows, c);
  return DPPAIR_OK;
}

/* The tasks of parts.h. */
DPPAIR_API void dppair_linear_scores_ROW_(void *context, size_t part) {
  const dppair_linear_ *r = (const dppair_linear_ *)context;
  int side;
  for (side = 0; side < 2; side++) {
    const size_t i = dppair_part_begin_(r->n[side], part, r->parts);
    const size_t n = dppair_part_begin_(r->n[side], part + 1, r->parts) - i;
    const dppair_element_ROW_ *x = (const dppair_element_ROW_ *)r->x[side] + i * r->ld;
    float *s = (float *)r->s[side] + i;
    DPPAIR_DISPATCH_(dppair_scores_ROW, (s, x, n, r->d, r->ld, (const float *)r->w));
    if (r->factor[side]) dppair_linear_scale_f32_(s, r->factor[side] + i, n);
  }
}
DPPAIR_API void dppair_linear_combine_ROW_(void *context, size_t part) {
  const dppair_linear_ *r = (const dppair_linear_ *)context;
  int side;
  for (side = 0; side < 2; side++) {
    const size_t i = dppair_part_begin_(r->n[side], part, r->parts);
    const size_t n = dppair_part_begin_(r->n[side], part + 1, r->parts) - i;
    const dppair_element_ROW_ *x = (const dppair_element_ROW_ *)r->x[side] + i * r->ld;
    double *g = r->g + (2 * part + (size_t)side) * r->d;
    DPPAIR_DISPATCH_(dppair_combine_ROW, (g, x, n, r->d, r->ld, r->c[side] + i,
                                          r->factor[side] ? r->factor[side] + i : NULL));
  }
}

DPPAIR_FP_END_

#undef DPL_X
#undef DPPAIR_ROWS_NEW_
#undef DPPAIR_ROW_SUFFIX_
#define DPPAIR_ROW_SUFFIX_ DPPAIR_SUFFIX_
