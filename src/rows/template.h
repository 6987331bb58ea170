/* ------------------------------------------------------------------------------------------------
 * Blocks of rows of one type: the functions
 *
 * Written dppair_x_ROW, compiled dppair_x_f64 and dppair_x_f32 always, dppair_x_i8 and the others
 * of rows/narrow.h once each where DPPAIR_ROW asks for them. What differs:
 *
 *   ROW          elements           scores, w, y    least factor    OVERFLOW of rows of a radius
 *   f64          double             double          2^-512          radius |w| above 1e150
 *   f32          float              float           2^-64           radius |w| above 1e18
 *   bf16 f16     uint16_t           float           2^-64           as f32, and where the largest
 *   i16 i8       int16_t, int8_t    float           2^-64           element sqrt(d) |w| passes 4e37
 *
 * The functions check their arguments and call the kernels of this type on the tier of this
 * machine. NOT PRIVATE: factors, batches, scores and sums of rows are raw material, as secret as
 * the records, until a release adds its noise.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

#if DPPAIR_ROW_KIND_ == 1
#define DPPAIR_ROW_REAL_ double /* of scores, w and labels */
#define DPPAIR_OF_REAL_(name) DPPAIR_CAT(name, _f64)
#else
#define DPPAIR_ROW_REAL_ float
#define DPPAIR_OF_REAL_(name) DPPAIR_CAT(name, _f32)
#endif

/*
 * n records of d features; their first elements are ld apart, ld >= d. Row i is factor[i] times the
 * numbers of the elements from x + i ld on. What is not given is 0 or NULL.
 *
 * Null records. The last `nulls` of the n rows are null: no pair contains them, and no function
 * reads what stands there, in any array. So an empty place under DPPAIR_ZERO_OUT is a null record,
 * and a row of zeros is not: it is a record like any other. n counts null records, and so do plans,
 * divisors by n, workspaces, noise and prices: how many are null is private, like the rows, and no
 * status, scale or way of computing depends on it. Three releases take no null records: of
 * top-weighted PRECISION, of groups of a row-wise loss in a matching, and of queries of public
 * sizes (DPPAIR_WITHIN, a record is protected), where a null record is one of weight 0. They answer
 * NO_PROOF and use no paid release. Clip the records that are there, then say how many places are
 * empty, before anything else is done with the block:
 *
 *   dppair_rows_clip_ROW(&rows, factor, x, there, d, ld, radius);    1. the first rows
 *   rows.n = places, rows.nulls = places - there;                    2. the plan's n
 *   rows.positives = up;                                             3. up <= there
 *
 * Every array has room for n rows. nulls > n - positives is an error (SIZE) that no data set has.
 */
typedef struct dppair_rows_ROW {
  const dppair_element_ROW_ *x;
  size_t n, d, ld;
  size_t positives; /* of a ranking: the rows that stand first. Private, like the rows. (Parts
                     * that are fixed in advance must go by records, not by places here: a
                     * changed label moves the places of others) */
  const DPPAIR_ROW_REAL_ *y; /* of a metric or a similarity: n labels. Those that are not finite,
                              * NaN too, are one class: no status shows one */
  const double *factor;      /* n numbers; NULL: all 1 */
  const double *weight; /* n numbers in [0, 1], of the records in their pairs; NULL: all 1. Others
                         * count as the end that is next to them, NaN as 0: no status shows one.
                         * A record of weight 0 is a null record in its place */
  double radius;        /* a public bound of the norm of every row: a promise, if it is set by
                         * hand. 0: none is known */
  size_t nulls;         /* the rows that stand last and are null records. Private, like the rows */
  uint64_t serial;      /* of the draw that they were gathered from (dppair_batch); 0: of none */
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

/* The records that are there: the block without its null records. */
DPPAIR_API dppair_rows_ROW dppair_present_ROW_(const dppair_rows_ROW *rows) {
  dppair_rows_ROW some = *rows;
  some.n = rows->nulls < rows->n ? rows->n - rows->nulls : 0;
  some.nulls = 0;
  return some;
}

/* Whether these rows can be read: NULL, SIZE (ld < d), OVERFLOW (they cannot be addressed). */
DPPAIR_API dppair_status dppair_rows_check_ROW_(const dppair_rows_ROW *rows) {
  if (!rows->x && rows->n && rows->d) return DPPAIR_ERR_NULL;
  if (rows->ld < rows->d) return DPPAIR_ERR_SIZE;
  return dppair_area_(dppair_area_(rows->n, rows->ld), sizeof(double)) == SIZE_MAX
             ? DPPAIR_ERR_OVERFLOW
             : DPPAIR_OK;
}

/* OVERLAP where g[0..size) shares memory with what is read of these rows. */
DPPAIR_API dppair_status dppair_rows_apart_ROW_(const double *g, size_t size,
                                                const dppair_rows_ROW *rows) {
  return dppair_rows_apart_(g, size, rows->n, rows->x,
                            dppair_row_bytes_(rows->n, rows->d, rows->ld, sizeof *rows->x), rows->y,
                            sizeof *rows->y, rows->factor, rows->weight);
}

/* *part = n rows from row i on, of those that are there: its positives stand first, as those of all
 * rows do. */
DPPAIR_API void dppair_rows_part_ROW_(dppair_rows_ROW *part, const dppair_rows_ROW *rows, size_t i,
                                      size_t n) {
  const size_t rest = rows->positives > i ? rows->positives - i : 0;
  *part = *rows;
  part->x = rows->x && n > 0 ? rows->x + i * rows->ld : rows->x; /* else maybe past the end */
  part->n = n;
  part->nulls = 0;
  part->positives = rest < n ? rest : n;
  part->y = rows->y ? rows->y + i : NULL;
  part->factor = rows->factor ? rows->factor + i : NULL;
  part->weight = rows->weight ? rows->weight + i : NULL;
}

/* The sum of squares of a row of d elements. Four chains of additions. */
DPPAIR_API double dppair_row_square_ROW_(const dppair_element_ROW_ *x, size_t d) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  size_t k;
  for (k = 0; k < d; k++) {
    const double v = (double)dppair_number_ROW_(x[k]);
    sum[k % 4] += v * v;
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Sets factor[0..n) for rows of norm `radius`. 0 when a number is not finite. Squares of doubles
 * alone can leave the range of double. */
DPPAIR_API int dppair_row_factors_ROW_(double *factor, const dppair_element_ROW_ *x, size_t n,
                                       size_t d, size_t ld, double radius) {
  size_t i;
  for (i = 0; i < n; i++) {
    const dppair_element_ROW_ *row = d == 0 ? x /* and may be NULL */ : x + i * ld;
    const double square = dppair_row_square_ROW_(row, d);
#if DPPAIR_ROW_KIND_ == 1
    if (square > 1e-270 && square < 1e270)
      factor[i] = dppair_row_factor_(square, d, 0, radius, DPPAIR_LEAST_FACTOR_F64_);
    else if (!dppair_row_extreme_(factor + i, row, d, radius, DPPAIR_LEAST_FACTOR_F64_))
      return 0;
#else
    if (!dppair_isfinite_f64(square)) return 0;
    factor[i] = dppair_row_factor_(square, d, 0, radius, DPPAIR_LEAST_FACTOR_F32_);
#endif
  }
  return 1;
}

#ifdef DPPAIR_CHECK_ROWS
/* For debugging, and NOT PRIVATE: whether a row, its factor and the radius belong together. Tells
 * DPPAIR_CHECK_ROWS of the first row that is longer than the radius: NO_RADIUS. */
DPPAIR_API dppair_status dppair_rows_short_ROW_(const dppair_rows_ROW *rows) {
  const double room = 1.0 + 8.0 * ((double)rows->d + 16.0) * DBL_EPSILON;
  size_t i, k;
  for (i = 0; rows->nulls <= rows->n && i < rows->n - rows->nulls; i++) {
    const double f = (rows->factor ? rows->factor[i] : 1.0) / rows->radius;
    double sum = 0.0;
    for (k = 0; k < rows->d; k++) {
      const double v = f * (double)dppair_number_ROW_(rows->x[i * rows->ld + k]);
      sum += v * v;
    }
    if (sum <= room) continue;
    (void)(DPPAIR_CHECK_ROWS(
        "dppair: a row times its factor is longer than rows.radius: the factor "
        "is gone, the radius was typed, or x changed after the clip"));
    return DPPAIR_ERR_NO_RADIUS;
  }
  return DPPAIR_OK;
}
#endif

/*
 * Fills *rows with the n rows of d elements of x, and factor[0..n) so that |factor[i] x_i| <=
 * radius in exact arithmetic. A row that is within radius for certain has the factor 1; that is
 * decided by its norm, enlarged by 2 (d + 16) epsilon, so one that just touches the ball may be
 * shortened by as much. A row more than 2^512 (f64) or 2^64 (others) times too long has the factor
 * 0: it counts as a row of zeros. A factor depends on its own row and on radius only. Of integers
 * that are to have a scale, radius is in units of that.
 *
 * rows->positives and rows->nulls are 0 and rows->y NULL: set what the loss needs. x and factor
 * must live as long as *rows is used, and nobody may change them.
 *
 * Errors zero *rows and factor: NULL, SIZE (ld < d), DOMAIN (radius not positive and finite),
 * NOT_FINITE (a number of a row), ENVIRONMENT; OVERFLOW (the rows cannot be addressed) leaves
 * factor untouched.
 */
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

/*
 * Makes *made from the records of *rows that the batch lists (dppair_release_draw), each as often
 * as it is listed: all pairs are then those of a small set. Positives come first and null records
 * last; within a class the order is that of the index. Factors, weights, labels and radius are
 * kept, and the rows have the serial of the batch.
 *   x         room for count rows of d elements
 *   y         for count labels, if rows->y is there; else it may be NULL, as may
 *   factor    for count numbers, if rows->factor is there, and
 *   weight    for count numbers, if rows->weight is there
 * made->positives and made->nulls are as private as the records. The arrays must live as long as
 * *made is used, and must not overlap the rows.
 *
 * Errors zero *made and the arrays: NULL, SIZE (ld < d, more positives or null records than there
 * are records, an index out of range); with OVERFLOW, or rows NULL, the arrays are not touched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gather_weighted_ROW(
    dppair_rows_ROW *made, dppair_element_ROW_ *x, DPPAIR_ROW_REAL_ *y, double *factor,
    double *weight, const dppair_batch *batch, const dppair_rows_ROW *rows) {
  size_t positives = 0, nulls = 0;
  dppair_status status;
  if (made) memset(made, 0, sizeof *made);
  if (!made || !batch || !rows) return DPPAIR_ERR_NULL;
  {
    const dppair_gather_ g = {rows->x,     rows->y,   rows->factor, rows->weight,
                              rows->n,     rows->d,   rows->ld,     rows->positives,
                              rows->nulls, sizeof *x, sizeof *y,    x,
                              y,           factor,    weight};
    status = dppair_gather_rows_(&g, &positives, &nulls, batch->index, batch->count);
  }
  if (status != DPPAIR_OK) return status;
  *made = dppair_rows_make_ROW(x, batch->count, rows->d, rows->d);
  made->positives = positives;
  made->nulls = nulls;
  made->y = rows->y ? y : NULL;
  made->factor = rows->factor ? factor : NULL;
  made->weight = rows->weight ? weight : NULL;
  made->radius = rows->radius;
  made->serial = batch->serial;
  return DPPAIR_OK;
}

/* The same of rows without weights; those that have them are NULL. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gather_ROW(dppair_rows_ROW *made,
                                                             dppair_element_ROW_ *x,
                                                             DPPAIR_ROW_REAL_ *y, double *factor,
                                                             const dppair_batch *batch,
                                                             const dppair_rows_ROW *rows) {
  return dppair_gather_weighted_ROW(made, x, y, factor, NULL, batch, rows);
}

/*
 * By hand: marks rows that you gathered yourself as those of this batch, after everything else is
 * set (dppair_rows_clip and dppair_rows_make forget it). It is your promise that they are the
 * records of batch->index, all of them and no others; or, where users or queries are drawn, all
 * rows of the drawn ones. Else the account is about another program. NULL changes nothing.
 */
DPPAIR_API void dppair_rows_by_hand_ROW(dppair_rows_ROW *rows, const dppair_batch *batch) {
  if (rows && batch) rows->serial = batch->serial;
}

/*
 * Checks w, d numbers, for rows of norm at most `radius` (0: unknown). NOT_FINITE; OVERFLOW when
 * radius |w| is above 2^500 (f64) or 2^60 (others). Below that no row that dppair_rows_clip accepts
 * can make a score overflow: a row with a factor f > 0 is at most radius/f long, f is at least the
 * least factor, 2^-512 or 2^-64, and no partial sum of its products exceeds 2 |x| |w|. So whether a
 * call succeeds does not depend on such a row.
 *
 * The factor of a narrow row may be any number, and its elements are at most DPPAIR_LARGEST_ROW_,
 * unless that is 0: then OVERFLOW also where the score of such a row could exceed 2^125.
 */
DPPAIR_API dppair_status dppair_reach_ROW_(const DPPAIR_ROW_REAL_ *w, size_t d, double radius) {
  const double largest = DPPAIR_LARGEST_ROW_;
  double size;
  if (!DPPAIR_OF_REAL_(dppair_all_finite)(w, d)) return DPPAIR_ERR_NOT_FINITE;
  if (!(radius > 0.0)) return DPPAIR_OK;
#if DPPAIR_ROW_KIND_ == 1
  size = dppair_norm_f64(w, d);
  if (!(radius * size <= 1e150)) return DPPAIR_ERR_OVERFLOW;
#else
  size = dppair_sqrt_(dppair_row_square_f32_(w, d));
  if (!(radius * size <= 1e18)) return DPPAIR_ERR_OVERFLOW;
#endif
  return largest * dppair_sqrt_((double)d) * size <= 4e37 ? DPPAIR_OK : DPPAIR_ERR_OVERFLOW;
}

/* s[i] = factor[i] <row i of x, w>, of arguments that are checked. A row whose factor is 0 has the
 * score 0, even where its product with w overflowed. */
DPPAIR_API void dppair_rows_scores_ROW_(DPPAIR_ROW_REAL_ *s, const dppair_rows_ROW *rows,
                                        const DPPAIR_ROW_REAL_ *w) {
  DPPAIR_DISPATCH_(dppair_scores_ROW, (s, rows->x, rows->n, rows->d, rows->ld, w));
  if (rows->factor) DPPAIR_DISPATCH_(DPPAIR_OF_REAL_(dppair_scale), (s, rows->factor, rows->n));
}

/* s[i] = factor[i] <row i of x, w> for i < n; w has d numbers. The order of summation is fixed, so
 * a score is a function of its row, its factor and w alone. Sums run in the type of s.
 * The score of a null record is NaN: no pair may read it.
 * Errors: NULL, SIZE (ld < d, nulls > n), NOT_FINITE (w or a score), OVERFLOW (of rows with a
 * radius, as the table above says) zero s; OVERFLOW (n ld elements cannot be addressed) and NULL
 * for rows do not touch s. A row that dppair_rows_clip accepted causes none. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_scores_ROW(DPPAIR_ROW_REAL_ *s,
                                                             const dppair_rows_ROW *rows,
                                                             const DPPAIR_ROW_REAL_ *w) {
  dppair_rows_ROW some;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status =
      dppair_linear_args_(s, rows->n, sizeof *s, rows->x, rows->n, rows->d, rows->ld, w, rows->d);
  if (status == DPPAIR_OK && rows->nulls > rows->n) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_reach_ROW_(w, rows->d, rows->radius);
  if (status != DPPAIR_OK) return status;
  some = dppair_present_ROW_(rows);
  dppair_rows_scores_ROW_(s, &some, w);
  if (!DPPAIR_OF_REAL_(dppair_all_finite)(s, some.n)) {
    memset(s, 0, rows->n * sizeof *s);
    return DPPAIR_ERR_NOT_FINITE;
  }
  if (rows->nulls > 0) memset(s + some.n, 0xff, rows->nulls * sizeof *s); /* NaN */
  return DPPAIR_OK;
}

/* g = X^T c, of arguments that are checked. */
DPPAIR_API void dppair_rows_combine_ROW_(double *g, const dppair_rows_ROW *rows, const double *c) {
  DPPAIR_DISPATCH_(dppair_combine_ROW, (g, rows->x, rows->n, rows->d, rows->ld, c, rows->factor));
}

/* g = X^T c: g[k] = sum over i < n of c[i] factor[i] x[i * ld + k] for k < d, summed in double; the
 * product of c and the factor is rounded. The c of a null record is not read.
 * Errors: NULL, SIZE (ld < d, nulls > n), NOT_FINITE (g), ENVIRONMENT
 * zero g; OVERFLOW (n ld elements cannot be addressed) and NULL for rows do not touch it. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_combine_ROW(double *g,
                                                              const dppair_rows_ROW *rows,
                                                              const double *c) {
  dppair_rows_ROW some;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status =
      dppair_linear_args_(g, rows->d, sizeof *g, rows->x, rows->n, rows->d, rows->ld, c, rows->n);
  if (status == DPPAIR_OK && rows->nulls > rows->n) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  some = dppair_present_ROW_(rows);
  dppair_rows_combine_ROW_(g, &some, c);
  return dppair_finish_(g, rows->d);
}

/* What dppair_sum_combine adds: of the records that are there, of arguments that are checked. */
DPPAIR_API void dppair_sum_rows_ROW_(dppair_sum *s, const dppair_rows_ROW *rows, const double *c) {
  const double magic = dppair_sum_magic_(s), most = s->bound / rows->radius;
  DPPAIR_DISPATCH_(dppair_sum_ROW,
                   (s->words, rows->x, rows->n, rows->d, rows->ld, c, rows->factor, magic, most));
  s->count += rows->n;
}

/*
 * s += X^T c: s[k] += the sum over i < n of c[i] factor[i] x[i ld + k], each addend rounded to the
 * unit. count grows by n, but null records count nothing, and their c is not read. A coefficient
 * beyond bound/radius counts as that number, so that no status depends on its size. A row that is
 * longer than rows->radius, which must not be 0, makes the sum meaningless. Each number of it is
 * off by (5/8) unit and 2^-53 |c_i| radius a record.
 *
 * Errors leave *s as it
 * is: NULL, WORKSPACE (a sum that is not open, or that NAME_sum_open made), SIZE (d, ld, nulls >
 * n), NO_RADIUS, NOT_FINITE (a coefficient), ENVIRONMENT, OVERFLOW (the rows cannot be
 * addressed).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sum_combine_ROW(dppair_sum *s,
                                                                  const dppair_rows_ROW *rows,
                                                                  const double *c) {
  dppair_rows_ROW some;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status = dppair_sum_args_(s, rows->x, rows->n, rows->d, rows->ld, rows->radius, c);
  if (status != DPPAIR_OK) return status;
  if (rows->nulls > rows->n) return DPPAIR_ERR_SIZE;
  some = dppair_present_ROW_(rows);
  if (!dppair_all_finite_f64(c, some.n)) return DPPAIR_ERR_NOT_FINITE;
  dppair_sum_rows_ROW_(s, &some, c);
  s->count += rows->nulls;
  return DPPAIR_OK;
}

DPPAIR_FP_END_

#undef DPPAIR_ROW_REAL_
#undef DPPAIR_OF_REAL_
