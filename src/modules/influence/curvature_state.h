/* ------------------------------------------------------------------------------------------------
 * Pair sums of differences: the state, and piecewise linear losses by sorting
 *
 * What curvature.h prepares and calls for near-linear sums. The state holds the method, so that a
 * program that prepares none compiles none. Sorting is plain C in double: the same bits everywhere.
 *
 * A loss L whose slope is continuous may have a curvature, which is said by a word:
 *
 *   #define L_CURVE dppair_curve        L_CURVATURE(u, p) is the derivative of L_SLOPE(u, p)
 *
 * At a jump of the curvature either side will do. With L_PIECES the curvature is the factors of the
 * pieces beyond u; with L_POLES it has the same poles, of one order more.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_PROBE_dppair_curve ~, 1

/* The prepared state of NAME_curvature, made by NAME_curvature_init in the caller's workspace, for
 * any number of calls by one thread at a time. `fast` is that of the derivative that is summed:
 * kernel_error, score_cap and weight mean what they mean in dppair_fast. */
struct dppair_curvature;
typedef dppair_status dppair_curvature_run_(double *a, double *b, const void *sp, const void *tp,
                                            size_t np, const void *sn, const void *tn, size_t nn,
                                            const struct dppair_curvature *c,
                                            const dppair_piece *pieces, int count, int is_f32);
typedef struct dppair_curvature {
  dppair_fast fast;
  int order; /* 1: slopes, 2: curvatures */
  dppair_curvature_run_ *run;
} dppair_curvature;

DPPAIR_FP_BEGIN_

/* A record as it is sorted: its score, held within the cap, its t and its place. */
typedef struct dppair_sorted_ {
  double s, t;
  size_t at;
} dppair_sorted_;

/* Sorts x[0..n) by score, equal ones in their order, by merging runs. */
DPPAIR_API void dppair_sorted_merge_(dppair_sorted_ *x, dppair_sorted_ *spare, size_t n) {
  size_t width, from, i;
  for (width = 1; width<n; width = width> n / 2 ? n : 2 * width) {
    for (from = 0; from < n; from += n - from < 2 * width ? n - from : 2 * width) {
      const size_t middle = n - from < width ? n : from + width;
      const size_t to = n - middle < width ? n : middle + width;
      size_t l = from, r = middle;
      for (i = from; i < to; i++)
        spare[i] = l < middle && (r == to || !(x[r].s < x[l].s)) ? x[l++] : x[r++];
    }
    memcpy(x, spare, n * sizeof *x);
  }
}

/* x[0..n) = the records in the order of their scores, all in [low, high]: into n buckets of equal
 * width, then by insertion, or by merging where a bucket is crowded. start: n + 1 places. */
DPPAIR_API void dppair_sorted_fill_(dppair_sorted_ *x, dppair_sorted_ *spare, size_t *start,
                                    size_t n, double low, double high) {
  const double span = high - low < 1e300 ? high - low : 1e300;
  const double scale = span > 1e-290 ? (double)(n - 1) / span : 0.0;
  size_t i, j, worst = 0;
  memset(start, 0, (n + 1) * sizeof *start);
  for (i = 0; i < n; i++) {
    const double inside = x[i].s - low < span ? x[i].s - low : span;
    const size_t bucket = (size_t)(scale * inside);
    spare[i] = x[i];
    start[bucket < n ? bucket + 1 : n]++;
  }
  for (i = 1; i <= n; i++) {
    worst = start[i] > worst ? start[i] : worst;
    start[i] += start[i - 1];
  }
  for (i = 0; i < n; i++) {
    const double inside = spare[i].s - low < span ? spare[i].s - low : span;
    const size_t bucket = (size_t)(scale * inside);
    x[start[bucket < n - 1 ? bucket : n - 1]++] = spare[i];
  }
  if (worst > 24) {
    dppair_sorted_merge_(x, spare, n);
    return;
  }
  for (i = 1; i < n; i++) {
    const dppair_sorted_ one = x[i];
    for (j = i; j > 0 && one.s < x[j - 1].s; j--) x[j] = x[j - 1];
    x[j] = one;
  }
}

/* Sums over the first k of n sorted records, at sum + 3 k: of t - tm, of s - sm and of their
 * product. */
DPPAIR_API void dppair_sorted_sums_(double *sum, const dppair_sorted_ *x, size_t n, double sm,
                                    double tm) {
  size_t k;
  sum[0] = sum[1] = sum[2] = 0.0;
  for (k = 0; k < n; k++, sum += 3) {
    const double t = x[k].t - tm, s = x[k].s - sm;
    sum[3] = sum[0] + t;
    sum[4] = sum[1] + s;
    sum[5] = sum[2] + s * t;
  }
}

/* Adds one piece to out, for n sorted records x against m sorted ones y of the other side, whose
 * sums are given: the sum over partners with margin below the knot of (constant + factor margin)
 * (t - t'). negatives: x are the negatives, margins are y - x, and the sum keeps its sign, because
 * that of t - t' and that of b both turn. Margins are rounded to double, then compared. */
DPPAIR_API void dppair_sorted_piece_(double *out, const dppair_sorted_ *x, size_t n,
                                     const dppair_sorted_ *y, size_t m, const double *sum,
                                     const dppair_piece *piece, double sm, double tm,
                                     int negatives) {
  const double knot = piece->knot, sign = negatives ? -1.0 : 1.0;
  const int always = !dppair_isfinite_f64(knot);
  size_t i, first = 0; /* the partners before the change */
  for (i = 0; i < n; i++) {
    const double s = x[i].s - sm, t = x[i].t - tm;
    double count, st, ss, sst;
    for (; first < m && !always; first++) {
      const double u = negatives ? y[first].s - x[i].s : x[i].s - y[first].s;
      const int below = u < knot || (piece->closed && !(u > knot));
      if (below != negatives) break;
    }
    if (always || negatives) {
      const size_t k = always ? m : first;
      count = (double)k, st = sum[3 * k], ss = sum[3 * k + 1], sst = sum[3 * k + 2];
    } else {
      const double *all = sum + 3 * m, *less = sum + 3 * first;
      count = (double)(m - first), st = all[0] - less[0], ss = all[1] - less[1];
      sst = all[2] - less[2];
    }
    /* margins are sign (s - s') */
    out[x[i].at] += piece->constant * (t * count - st);
    if (piece->factor != 0.0)
      out[x[i].at] += sign * piece->factor * (s * (t * count - st) - (t * ss - sst));
  }
}

/* The places of one call: both sides sorted, a spare, sums, buckets. */
DPPAIR_API size_t dppair_sorted_bytes_(size_t n) {
  return 2 * n * sizeof(dppair_sorted_) + 3 * (n + 1) * sizeof(double) + (n + 1) * sizeof(size_t) +
         64;
}

/* The method of a piecewise linear derivative, after the checks of curvature.h: a[np], b[nn]. */
DPPAIR_API dppair_status dppair_sorted_run_(double *a, double *b, const void *sp, const void *tp,
                                            size_t np, const void *sn, const void *tn, size_t nn,
                                            const dppair_curvature *c, const dppair_piece *pieces,
                                            int count, int is_f32) {
  const void *const s[2] = {sp, sn}, *const t[2] = {tp, tn};
  const size_t n[2] = {np, nn}, capacity = c->fast.capacity;
  const double cap = c->fast.score_cap;
  double *const out[2] = {a, b}, *sum;
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  double from = HUGE_VAL, upto = -HUGE_VAL, sm, tm;
  dppair_sorted_ *x[2], *spare;
  size_t *start, i;
  int side, k;
  x[0] = (dppair_sorted_ *)(void *)c->fast.work;
  x[1] = x[0] + np;
  spare = x[0] + capacity;
  sum = (double *)(void *)(spare + capacity);
  start = (size_t *)(void *)(sum + 3 * (capacity + 1));
  for (side = 0; side < 2; side++)
    for (i = 0; i < n[side]; i++) {
      dppair_sorted_ *one = x[side] + i;
      const double v = is_f32 ? (double)((const float *)s[side])[i] : ((const double *)s[side])[i];
      one->s = v < -cap ? -cap : v > cap ? cap : v;
      one->t = is_f32 ? (double)((const float *)t[side])[i] : ((const double *)t[side])[i];
      one->at = i;
      low[side] = one->s < low[side] ? one->s : low[side];
      high[side] = one->s > high[side] ? one->s : high[side];
      from = one->t < from ? one->t : from;
      upto = one->t > upto ? one->t : upto;
      out[side][i] = 0.0;
    }
  sm = 0.5 * (low[0] < low[1] ? low[0] : low[1]) + 0.5 * (high[0] > high[1] ? high[0] : high[1]);
  tm = 0.5 * from + 0.5 * upto;
  for (side = 0; side < 2; side++)
    dppair_sorted_fill_(x[side], spare, start, n[side], low[side], high[side]);
  for (side = 0; side < 2; side++) {
    dppair_sorted_sums_(sum, x[!side], n[!side], sm, tm);
    for (k = 0; k < count; k++) {
      dppair_piece piece = pieces[k];
      if (c->order == 2) {
        piece.constant = piece.factor;
        piece.factor = 0.0;
      }
      if (piece.constant != 0.0 || piece.factor != 0.0)
        dppair_sorted_piece_(out[side], x[side], n[side], x[!side], n[!side], sum, &piece, sm, tm,
                             side);
    }
  }
  return DPPAIR_OK;
}

/* Doubles of workspace: the table, four sets of moments, their copies, 8 for alignment. */
DPPAIR_API size_t dppair_differences_doubles_(const dppair_fast *f) {
  const size_t sets = 4 + DPPAIR_SKETCH_COPIES_;
  return 8 + dppair_box_table_(f) + sets * f->capacity * (size_t)f->stride;
}

/* The method of an analytic derivative, after the same checks. */
DPPAIR_API dppair_status dppair_differences_run_(
    double *a, double *b, const void *sp, const void *tp, size_t np, const void *sn, const void *tn,
    size_t nn, const dppair_curvature *c, const dppair_piece *pieces, int count, int is_f32) {
  dppair_status status;
  (void)pieces;
  (void)count;
  DPPAIR_DISPATCH_(dppair_box_differences,
                   (&status, a, b, sp, tp, np, sn, tn, nn, &c->fast, is_f32));
  return status;
}

DPPAIR_FP_END_
