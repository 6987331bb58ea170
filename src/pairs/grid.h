/* ------------------------------------------------------------------------------------------------
 * Piecewise linear slopes, from scores on a public grid
 *
 * What an order-free state of a piecewise linear loss computes with: integers that say how much of
 * each class is in each cell of scores, and from these a coefficient for each cell and class. It
 * relies on sketch.h and words.h. Any order, split or tier gives the same bits.
 *
 * A score s counts as the cell k = round(s/h), held within +-K: h (f->width) is a power of two, and
 * K h (K is f->reach) is at most the cap. A weight counts as a multiple of 2^-B (B is f->terms),
 * rounded down, so cells hold integers; those of the f->most records of a state stay below 2^63 in
 * sum. The margin of a pair in cells k and k' is (k - k') h, exactly, in float and double. So what
 * is summed is phi'((k - k') h): a fixed function of two scores, in the range of phi' over +-2 cap.
 * No error of a kernel is charged for it. It is phi' at a margin that moved by at most h, or where
 * a score is beyond K h by less than 2 h, towards 0.
 *
 * A piece of knot t holds for u < t, or u <= t when closed: for k - k' <= m, the largest integer
 * for which (k - k') h does. Knots are those of the element type. So ties, and knots on the grid or
 * between its points, are decided as the loops decide them at the rounded scores. A coefficient is
 * the sum over the pieces of
 *
 *   constant N + factor h M      N = the partners of which it holds, M = the sum of their k - k'
 *
 * N and M are integers of 64 and 128 bits, exact, found in one sweep over the cells. What rounds is
 * N, M (twice), two products and their sum, up to 8 pieces, the own weight: less than 16 units, per
 * partner, of 2^-53 times the sum of |constant| + 2 cap |factor| (f->weight): dppair_fast_steps_.
 * ---------------------------------------------------------------------------------------------- */

/* Where a score is on the grid. */
typedef struct dppair_cell_scale_ {
  double scale, top, shift; /* 1/h, K, K + 1.5 2^52 */
} dppair_cell_scale_;

DPPAIR_FP_BEGIN_

/* Zeroes *f and plans the grid for scores in [-cap, cap]: at most 2^12 + 1 cells for 1E6, else 2^16
 * + 1; and the unit of weights for at most `most` records. DOMAIN (the accuracy; a cap that is not
 * within 1e-30 and 1e30), SIZE (most beyond 2^43). */
DPPAIR_API dppair_status dppair_cell_plan_(dppair_fast *f, dppair_accuracy accuracy, double cap,
                                           uint64_t most) {
  const int bits = accuracy == DPPAIR_ACCURACY_1E6 ? 11 : 15;
  int e;
  memset(f, 0, sizeof *f);
  if ((int)accuracy < 0 || accuracy > DPPAIR_ACCURACY_1E12) return DPPAIR_ERR_DOMAIN;
  if (!(cap >= 1e-30 && cap <= 1e30)) return DPPAIR_ERR_DOMAIN;
  if (most > UINT64_C(1) << 43) return DPPAIR_ERR_SIZE;
  if (dppair_frexp_(cap, &e) <= 0.5) e--; /* the least e with cap <= 2^e */
  f->kind = DPPAIR_KIND_PIECEWISE_;
  f->width = dppair_ldexp_(1.0, e - bits);
  f->reach = (int)(cap / f->width);
  f->score_cap = cap;
  f->order_free = 1;
  f->most = most;
  f->capacity = most < SIZE_MAX ? (size_t)most : SIZE_MAX;
  f->cells = 2 * (size_t)f->reach + 1;
  f->words = f->room = 2 * f->cells;
  for (f->terms = 50; most >> (62 - f->terms) > 1; f->terms--) continue; /* most 2^B < 2^63 */
  return DPPAIR_OK;
}

DPPAIR_API dppair_cell_scale_ dppair_cell_scale_of_(const dppair_fast *f) {
  dppair_cell_scale_ at;
  at.scale = 1.0 / f->width;
  at.top = (double)f->reach;
  at.shift = at.top + 6755399441055744.0;
  return at;
}

/* The cell of a score, counted from 0: a function of the score alone, monotone. NaN has one too. */
DPPAIR_FORCE_INLINE_ size_t dppair_cell_of_(double s, dppair_cell_scale_ at) {
  const double t = s * at.scale, held = t < at.top ? (t > -at.top ? t : -at.top) : at.top;
  return (size_t)(uint32_t)dppair_bits_f64_(held + at.shift);
}

DPPAIR_FORCE_INLINE_ double dppair_cell_score_(const void *s, size_t i, int is_f32) {
  return is_f32 ? (double)((const float *)s)[i] : ((const double *)s)[i];
}

/* A weight in units of 2^-B, `one` being 2^B: at most 2^50. */
DPPAIR_FORCE_INLINE_ uint64_t dppair_cell_weight_(double weight, double one) {
  return (uint64_t)(int64_t)(dppair_share_(weight) * one);
}

/* s[i] = the score of its cell, in its type, exactly. */
DPPAIR_API void dppair_cell_scores_(void *s, size_t n, const dppair_fast *f, int is_f32) {
  const dppair_cell_scale_ at = dppair_cell_scale_of_(f);
  const double width = f->width;
  size_t i;
  for (i = 0; i < n; i++) {
    const size_t cell = dppair_cell_of_(dppair_cell_score_(s, i, is_f32), at);
    const double v = width * ((double)cell - at.top);
    if (is_f32)
      ((float *)s)[i] = (float)v;
    else
      ((double *)s)[i] = v;
  }
}

/* weight[i] as it counts: down to a multiple of 2^-B. */
DPPAIR_API void dppair_cell_weights_(double *weight, size_t n, const dppair_fast *f) {
  const double one = dppair_ldexp_(1.0, f->terms), unit = dppair_ldexp_(1.0, -f->terms);
  size_t i;
  for (i = 0; i < n; i++) weight[i] = unit * (double)dppair_cell_weight_(weight[i], one);
}

/* Adds a chunk of n records, positives first: words[2 cell] += the weights of positives (NULL: all
 * 1), words[2 cell + 1] those of negatives. No word passes 2^63, so as integers of 128 bits the two
 * do not disturb each other: dppair_words_add joins them. */
DPPAIR_API void dppair_cell_count_(struct dppair_sketch *m, const void *s, size_t n,
                                   size_t positives, const double *weight,
                                   const struct dppair_fast *f, int is_f32) {
  const dppair_cell_scale_ at = dppair_cell_scale_of_(f);
  const double one = dppair_ldexp_(1.0, f->terms);
  const uint64_t whole = UINT64_C(1) << f->terms;
  uint64_t *words = m->words;
  size_t i;
  for (i = 0; i < n; i++) {
    const size_t cell = dppair_cell_of_(dppair_cell_score_(s, i, is_f32), at);
    words[2 * cell + (i >= positives)] += weight ? dppair_cell_weight_(weight[i], one) : whole;
  }
}

/* w -= a b, of 128 bits, for |b| < 2^31. */
DPPAIR_FORCE_INLINE_ void dppair_cell_less_(uint64_t *w, uint64_t a, int64_t b) {
  const uint64_t size = (uint64_t)(b < 0 ? -b : b), low = (a & UINT32_MAX) * size;
  const uint64_t middle = (a >> 32) * size + (low >> 32);
  const uint64_t first = (middle << 32) | (low & UINT32_MAX), second = middle >> 32;
  if (b < 0) {
    w[0] += first;
    w[1] += second + (w[0] < first);
  } else {
    w[1] -= second + (w[0] < first);
    w[0] -= first;
  }
}

/* An integer below 2^116 in size as a double, rounded twice: as dppair_word_value_, in less time.
 */
DPPAIR_FORCE_INLINE_ double dppair_cell_value_(const uint64_t *w) {
  const int negative = w[1] >> 63 != 0;
  const uint64_t low = negative ? 0 - w[0] : w[0],
                 high = negative ? ~w[1] + (uint64_t)(w[0] == 0) : w[1];
  const double size = (double)(int64_t)high * 18446744073709551616.0 + (double)low;
  return negative ? -size : size;
}

/* The largest m for which a margin of m h is below the knot, or on it when that is closed; held
 * within +-(cells). The knot is rounded to float where the scores are, as in the loops. */
DPPAIR_API int64_t dppair_cell_knot_(const dppair_piece *piece, const dppair_fast *f, int is_f32) {
  const double all = (double)f->cells;
  double at = piece->knot / f->width;
  if (!dppair_isfinite_f64(piece->knot) || at >= all) return (int64_t)all;
  if (at <= -all) return -(int64_t)all;
  if (is_f32) at = (double)(float)piece->knot / f->width;
  return piece->closed ? (int64_t)dppair_floor_(at) : (int64_t)dppair_ceil_(at) - 1;
}

/*
 * Adds a piece of reach m to the coefficients `out` of one class in `all` cells, from the weights
 * `mass` of the other. Positives: both begin in the first of these cells, and step is 1; the
 * partners' cells are at least c - m. Negatives: both begin in the last one, and step is -1;
 * counted from there the same holds. So partners leave in their order as c grows.
 */
DPPAIR_API void dppair_cell_sweep_(double *out, const uint64_t *mass, int64_t all, int64_t m,
                                   const dppair_piece *piece, const dppair_fast *f, int step) {
  const double unit = (double)step * dppair_ldexp_(1.0, -f->terms);
  const double constant = piece->constant, factor = piece->factor * f->width;
  const int sums = piece->factor < 0.0 || piece->factor > 0.0;
  uint64_t moved[2] = {0, 0}; /* M */
  uint64_t number = 0;        /* N */
  int64_t c, gone = 0;
  for (c = 0; c < all; c++) {
    const uint64_t here = mass[2 * step * c];
    number += here;
    if (sums && here) dppair_cell_less_(moved, here, c);
  }
  for (c = 0; c < all; c++, out += step) {
    double sum;
    for (; gone < all && gone < c - m; gone++) {
      const uint64_t left = mass[2 * step * gone];
      number -= left;
      if (sums && left) dppair_cell_less_(moved, left, c - gone);
    }
    sum = constant * (double)(int64_t)number;
    if (sums) sum += factor * dppair_cell_value_(moved);
    *out += unit * sum;
    dppair_word_add_(moved, number);
  }
}

/* m->coefficients[cell] of a positive there, then as many of negatives, for an own weight of 1.
 * Cells before the first record or after the last one are left out. */
DPPAIR_API void dppair_cell_close_(struct dppair_sketch *m, const struct dppair_fast *f,
                                   const dppair_piece *pieces, int count, int is_f32) {
  const uint64_t *words = m->words;
  double *table = m->coefficients;
  size_t first = 0, end = f->cells;
  int k;
  memset(table, 0, 2 * f->cells * sizeof *table);
  while (first < end && !(words[2 * first] | words[2 * first + 1])) first++;
  while (first < end && !(words[2 * end - 2] | words[2 * end - 1])) end--;
  for (k = 0; k < count && first < end; k++) {
    const int64_t reach = dppair_cell_knot_(pieces + k, f, is_f32), all = (int64_t)(end - first);
    dppair_cell_sweep_(table + first, words + 2 * first + 1, all, reach, pieces + k, f, 1);
    dppair_cell_sweep_(table + f->cells + end - 1, words + 2 * end - 2, all, reach, pieces + k, f,
                       -1);
  }
}

/* c[i] = the coefficient of record i of a chunk, positives first, times its weight. */
DPPAIR_API void dppair_cell_read_(double *c, const void *s, size_t n, size_t positives,
                                  const double *weight, const struct dppair_sketch *m,
                                  const struct dppair_fast *f, int is_f32) {
  const dppair_cell_scale_ at = dppair_cell_scale_of_(f);
  const double one = dppair_ldexp_(1.0, f->terms), unit = dppair_ldexp_(1.0, -f->terms);
  const double *table = m->coefficients;
  const size_t all = f->cells;
  size_t i;
  for (i = 0; i < n; i++) {
    const size_t cell = dppair_cell_of_(dppair_cell_score_(s, i, is_f32), at);
    c[i] = table[cell + (i < positives ? 0 : all)];
    if (weight) c[i] *= unit * (double)dppair_cell_weight_(weight[i], one);
  }
}

/* How far the grid of a state, where it has one, moves the margin of a pair at most: two scores by
 * half of h each, or by what lies between the last point and the cap. */
DPPAIR_API double dppair_cell_shift_(const dppair_fast *f) {
  double rest;
  if (!f || !f->order_free || f->kind != DPPAIR_KIND_PIECEWISE_) return 0.0;
  rest = f->score_cap - (double)f->reach * f->width;
  return 2.0 * (rest > 0.5 * f->width ? rest : 0.5 * f->width);
}

/* The largest size of the slope that these pieces describe, over margins of at most `remote`: it is
 * at a knot, on one of its sides, or at an end. But for rounding. */
DPPAIR_API double dppair_cell_slope_(const dppair_piece *pieces, int count, double remote) {
  double most = 0.0;
  int k, j, above;
  for (k = -2; k < count; k++) {
    const double u = k == -2 ? -remote : k == -1 ? remote : pieces[k].knot;
    for (above = 0; above < 2 && dppair_fabs_(u) <= remote; above++) {
      double slope = 0.0;
      for (j = 0; j < count; j++) {
        const double knot = pieces[j].knot;
        if (!dppair_isfinite_f64(knot) || knot > u || (!above && !(knot < u)))
          slope += pieces[j].constant + pieces[j].factor * u;
      }
      most = dppair_fabs_(slope) > most ? dppair_fabs_(slope) : most;
    }
  }
  return most;
}

DPPAIR_FP_END_
