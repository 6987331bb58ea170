/* ------------------------------------------------------------------------------------------------
 * Placements: sums over positive-negative pairs, in integers
 *
 * A kernel K(i, j) in [0, 1] of a positive i and a negative j is a whole number of units. AUC has
 * two units, 1/2 for a tie; other kernels are rounded to a unit pair by pair, which is a kernel in
 * [0, 1] again. All sums of units are exact, so the proofs of sensitivities hold for them; what
 * rounding adds to a quotient of them is stated where it is computed. Relies on core/sort.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The records, positives first, and the row and column sums of the kernel. */
typedef struct dppair_placements_ {
  double *positive, *negative; /* their scores */
  uint64_t *row, *column;      /* sum over j of K(i, j), sum over i, in units */
  uint64_t total;              /* sum over i and j */
  size_t p, q;
  double unit; /* units in 1: a power of two */
} dppair_placements_;

/* Splits the records into classes, in 2 n doubles at `room`. */
DPPAIR_API void dppair_placements_split_(dppair_placements_ *c, double *room, const double *s,
                                         const double *y, size_t n) {
  size_t i, q = 0;
  c->p = 0;
  for (i = 0; i < n; i++)
    if (dppair_is_positive_(y[i]))
      room[c->p++] = dppair_score_of_(s[i]);
    else
      room[n - ++q] = dppair_score_of_(s[i]);
  c->q = q;
  c->positive = room;
  c->negative = room + c->p;
  c->row = (uint64_t *)(void *)(room + n);
  c->column = c->row + c->p;
}

/* sum[i] = the partners below a[i], and those up to it; both arrays are sorted. */
DPPAIR_API uint64_t dppair_placements_below_(uint64_t *sum, const double *a, size_t n,
                                             const double *b, size_t m) {
  uint64_t total = 0;
  size_t i, below = 0, upto = 0;
  for (i = 0; i < n; i++) {
    while (below < m && b[below] < a[i]) below++;
    if (upto < below) upto = below;
    while (upto < m && b[upto] <= a[i]) upto++;
    total += sum[i] = (uint64_t)below + (uint64_t)upto;
  }
  return total;
}

/* The placements of AUC: 1 where the positive has the larger score, 1/2 for a tie. O(n log n). At
 * most 2 pq <= n^2/2 < 2^61. */
DPPAIR_API void dppair_placements_auc_(dppair_placements_ *c, double *room, const double *s,
                                       const double *y, size_t n) {
  size_t j;
  dppair_placements_split_(c, room, s, y, n);
  c->unit = 2.0;
  dppair_sort_f64(c->positive, c->p);
  dppair_sort_f64(c->negative, c->q);
  c->total = dppair_placements_below_(c->row, c->positive, c->p, c->negative, c->q);
  (void)dppair_placements_below_(c->column, c->negative, c->q, c->positive, c->p);
  for (j = 0; j < c->q; j++) c->column[j] = 2 * (uint64_t)c->p - c->column[j];
}

/* The finest unit at which a sum over `pairs` pairs is at most 2^61, at most 2^30 in 1. */
DPPAIR_API double dppair_unit_of_(double pairs) {
  double unit = 1.0;
  while (unit < 1073741824.0 && 2.0 * unit * pairs <= 2305843009213693952.0) unit *= 2.0;
  return unit;
}

/* x in units, moved into [0, 1]; `otherwise` for NaN. */
DPPAIR_API uint64_t dppair_units_(double x, double unit, double otherwise) {
  if (dppair_is_nan_(x)) x = otherwise;
  if (!(x > 0.0)) return 0;
  return x < 1.0 ? (uint64_t)(x * unit + 0.5) : (uint64_t)unit;
}

/*
 * The population variance of the numbers c[i]/full in [0, 1], i < count, whose mean is mean; 0 for
 * none. Squares are added in units of 2^-62 in integers, so the error does not grow with count:
 * c/full is within 2^-52 and the mean within 2^-51, a difference within 2^-50, its square within
 * 2^-48.9, and so is the mean of the squares: the result is within 2^-48 of the variance.
 */
DPPAIR_API double dppair_spread_(const uint64_t *c, size_t count, double full, double mean) {
  uint64_t low = 0, high = 0;
  size_t i;
  if (count == 0) return 0.0;
  for (i = 0; i < count; i++) {
    const double x = (double)c[i] / full - mean;
    const uint64_t square = (uint64_t)(x * x * 4611686018427387904.0);
    low += square;
    high += low < square;
  }
  return ((double)high * 4.0 + (double)low / 4611686018427387904.0) / (double)count;
}

/* The mean of the kernel; 0 without pairs. Within 2^-51: three roundings of a number up to 1. */
DPPAIR_API double dppair_placements_mean_(const dppair_placements_ *c) {
  if (c->p == 0 || c->q == 0) return 0.0;
  return (double)c->total / (c->unit * ((double)c->p * (double)c->q));
}

/* The sum over i < count of sum[i] - partners/2, each moved to within +-(n - m)/2: in half units.
 * |sum| <= m (n - m) units <= n^2/4 units. */
DPPAIR_API int64_t dppair_placements_clamped_(const uint64_t *sum, size_t count, size_t partners,
                                              size_t most, double unit) {
  const int64_t half = (int64_t)((double)partners * unit), reach = (int64_t)((double)most * unit);
  int64_t clamped = 0;
  size_t i;
  for (i = 0; i < count; i++) {
    const int64_t x = 2 * (int64_t)sum[i] - half;
    clamped += x > reach ? reach : x < -reach ? -reach : x;
  }
  return clamped;
}

/*
 * The mean of the kernel, continued to all data sets with sensitivity 1/m, 1 <= m <= n/2: with
 * c_i = sum over j of K(i, j), e_j = sum over i of K(i, j), clamped to [-1/2, 1/2],
 *
 *   mean                                                         p >= m and q >= m
 *   1/2 + (1/m) sum over positives of clamp((c_i - q/2)/(n - m)) p < m
 *   1/2 + (1/m) sum over negatives of clamp((e_j - p/2)/(n - m)) q < m
 *
 * Proof that one replaced record moves it by at most 1/m. Both classes of at least m: a positive
 * moves the mean by 1/p, a negative by 1/q, and a positive that becomes a negative by (v - A)/p -
 * (t - A)/(q + 1), A the mean of the others, v and t in [0, 1]: at most max(1/p, 1/(q + 1)). At
 * p = m the second line is the mean, nothing being clamped, so p <= m remains (q < m is the mirror,
 * and p < m has no neighbour with q < m). There a positive moves one term, by 1 at most; a negative
 * moves p terms by 1/(n - m): p/(m (n - m)) <= 1/m. A positive that becomes a negative takes away a
 * term of at most 1/2 and moves p - 1 by (1/2)/(n - m): less than 1/m.
 *
 * Rounding: within 2^-51 of it, so one record moves the computed number by 1/m + 2^-50.
 */
DPPAIR_API double dppair_extension_(const dppair_placements_ *c, size_t m) {
  const size_t most = c->p + c->q - m;
  const double all = 2.0 * c->unit * ((double)m * (double)most);
  if (c->p < m)
    return 0.5 + (double)dppair_placements_clamped_(c->row, c->p, c->q, most, c->unit) / all;
  if (c->q < m)
    return 0.5 + (double)dppair_placements_clamped_(c->column, c->q, c->p, most, c->unit) / all;
  return dppair_placements_mean_(c);
}

/*
 * DeLong's variance Var(v)/p + Var(u)/q of the mean, v_i = c_i/q, u_j = e_j/p, population
 * variances, continued to all data sets: p Var(v)/m^2 + p^2 Var(u)/(m^2 (n - m)) where p < m, the
 * mirror where q < m, 0 where a class is empty. One replaced record moves it by at most 1/m^2 for
 * comparisons of scores, where placements fall along one order, and 2/m^2 for other kernels in [0,
 * 1].
 *
 * Proof. Replace the row r of a positive; theta is the mean of the other p - 1 rows, u0 are their
 * column means, A = (mean r - theta)^2, C = Cov(u0, r), w = Var(r). The variance is a constant
 * + (p - 1)A/p^3 + (2 (p - 1) C + w)/(q p^2). Over all r in [0, 1]^q a A + 2 b C, max(a, b) = 1,
 * varies by at most 1 and w by 1/4; with C >= 0, as for scores, their sum lies between 0 and the
 * bound. Hence at most (p - 3/4)/p^3 for p <= q and (p - 3/4)/(q p^2) for p > q, below 1/m^2. A
 * positive that becomes a negative is a row taken away and a column added, each such a term of one
 * sign for scores, which bounds the difference by the larger one; for other kernels by twice it.
 * Below m the same terms stand with their weights, which sum to less than 1/m^2. (Also found by
 * enumeration: (m - 1)/m^3 is the largest move.)
 *
 * Rounding: Var within 2^-48, so the result within 2^-48 (1/m + 1/m) and 2^-50/m for quotients and
 * the sum: one record moves the computed number by 2^-45/m more.
 */
DPPAIR_API double dppair_delong_(const dppair_placements_ *c, size_t m) {
  const double p = (double)c->p, q = (double)c->q, least = (double)m;
  const double rest = (double)(c->p + c->q - m), mean = dppair_placements_mean_(c);
  double rows, columns;
  if (c->p == 0 || c->q == 0) return 0.0;
  rows = dppair_spread_(c->row, c->p, c->unit * q, mean);
  columns = dppair_spread_(c->column, c->q, c->unit * p, mean);
  if (c->p < m) return p / least * (rows / least) + p / least * (p / least) * columns / rest;
  if (c->q < m) return q / least * (columns / least) + q / least * (q / least) * rows / rest;
  return rows / p + columns / q;
}

DPPAIR_FP_END_
