/* ------------------------------------------------------------------------------------------------
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
DPPAIR_API void dppair_cells_edge_(dppair_cells *c, size_t *edges, double e) {
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
DPPAIR_API size_t dppair_smoothing_room_(size_t m) { return dppair_matrix_room_(m); }

/* *bytes = the workspace of dppair_smoothing_matrix. Errors zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_smoothing_workspace(size_t *bytes, size_t m) {
  return dppair_work_bytes_(bytes, dppair_smoothing_room_(m));
}

/* OK for a kernel with entries in [0, 1] and a unit diagonal. */
DPPAIR_API dppair_status dppair_smoothing_check_(double smooth, double width) {
  if (!dppair_isfinite_f64(smooth) || !dppair_isfinite_f64(width)) return DPPAIR_ERR_NOT_FINITE;
  if (!(smooth >= 0.0 && smooth <= 1.0) || !(width >= 0.0)) return DPPAIR_ERR_DOMAIN;
  if (!(smooth > 0.0)) return width > 0.0 ? DPPAIR_ERR_UNREAD : DPPAIR_OK;
  return width > 0.0 ? DPPAIR_OK : DPPAIR_ERR_DOMAIN;
}

/* dppair_smoothing_matrix in units of 2^-20, without its checks; room: m (m + 3) doubles. Entries
 * are at most 2^20 in size, whatever the eigenvalues say. */
DPPAIR_API dppair_status dppair_smoothing_units_(double *a, size_t m, double smooth, double width,
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
DPPAIR_API void dppair_shift_most_(dppair_shift_ *most, uint64_t square, uint64_t sum) {
  most->square = square > most->square ? square : most->square;
  most->sum = sum > most->sum ? sum : most->sum;
}

/* What one record of m <= DPPAIR_CELLS_MOST cells moves A c by, a in units: *replaced, when it
 * leaves one cell for another, the largest distance of two columns of A; *removed, when it leaves
 * one, the largest norm of a column. */
DPPAIR_API void dppair_smoothing_shifts_(dppair_shift_ *replaced, dppair_shift_ *removed,
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
