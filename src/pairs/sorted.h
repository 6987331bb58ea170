/* ------------------------------------------------------------------------------------------------
 * Piecewise linear slopes, exactly, by sorted scores
 *
 * A coefficient is made of counts and sums of the partners beyond each knot. It relies on the grid
 * of fast_state.h and on core/sort.h; template.h checks the arguments. All arithmetic is in double.
 *
 * The scores of one class are sorted with a grid of two buckets per score; the rank of a threshold
 * is then found in one bucket. O(n) when the scores spread, O(n log n) at worst; time depends on
 * the data. A pair is beyond a knot when the difference of its two scores, rounded to double, is,
 * so both sides of the pair decide alike. Counts are integers.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_

#define DPS_FEW 16 /* scores in a bucket that insertion sorts faster */

/* The buckets of 8 numbers: scale (v - low), held within the grid and rounded. Monotone in v. */
DPPAIR_FORCE_INLINE_ void dpv_buckets(uint32_t *at, DPV_T v, const dppair_grid_ *g) {
  double m[8];
  DPV_T t = DPV_SUB(v, DPV_SET(g->low));
  t = DPV_MAX(DPV_MIN(t, DPV_SET(g->span)), DPV_SET(0.0));
  DPV_STORE(m, DPV_FMA(t, DPV_SET(g->scale), DPV_SET(DPN_TWO_P)));
  DPV_UNROLL_
  for (int l = 0; l < 8; l++) at[l] = (uint32_t)dppair_bits_f64_(m[l]);
}

/* The bucket of each score, and start[b + 2] = the number of scores in bucket b. */
DPPAIR_FORCE_INLINE_ void dpv_count(dppair_grid_ *g, const void *s, int is_f32, const double *cap) {
  uint32_t *start = g->start, at[8];
  for (size_t i = 0; i < g->n; i += 8) {
    const size_t rest = g->n - i < 8 ? g->n - i : 8;
    dpv_buckets(at, dpv_scores8_held(s, i, g->n, is_f32, cap), g);
    for (size_t l = 0; l < rest; l++) {
      start[at[l] + 2]++;
      g->bucket[i + l] = at[l];
    }
  }
}

/* g->mass[i] = the sum of the weights of the i smallest keys, g->sum[i] = that of their products
 * with the keys. The weight of a record goes to the first key that is equal to its score: a
 * threshold never parts equal keys. */
DPPAIR_FORCE_INLINE_ void dpv_masses(dppair_grid_ *g, const void *s, int is_f32, const double *cap,
                                     const double *weight) {
  double *mass = g->mass;
  size_t i;
  for (i = 0; i <= g->n; i++) mass[i] = 0.0;
  for (i = 0; i < g->n; i++) {
    const double score = dpv_row1(s, i, is_f32), v = cap ? dpv_held1(score, *cap) : score;
    size_t first = g->start[g->bucket[i]], end = g->start[g->bucket[i] + 1];
    while (first < end) {
      const size_t mid = first + (end - first) / 2;
      if (g->key[mid] < v)
        first = mid + 1;
      else
        end = mid;
    }
    mass[first + 1] += dppair_share_(weight[i]);
  }
  for (i = 0; i < g->n; i++) {
    g->sum[i + 1] = g->sum[i] + mass[i + 1] * g->key[i];
    mass[i + 1] += mass[i];
  }
}

/* Sorts the n scores, all in [low, high], into g->key; with `sums`, g->sum[i] = the sum of the
 * first i. With weights, what dpv_masses says. Buckets are already in order: crowded ones are
 * sorted on their own, and insertion does the rest. */
DPPAIR_FORCE_INLINE_ void dpv_grid(dppair_grid_ *g, const void *s, size_t n, int is_f32, double low,
                                   double high, const double *cap, int sums, const double *weight) {
  uint32_t *start = g->start, worst = 0;
  const size_t count = 2 * n;
  size_t i, b;
  g->n = n;
  g->low = low;
  g->span = high - low < 1e300 ? high - low : 1e300; /* no overflow */
  g->scale = g->span > 1e-290 ? (double)(count - 1) / g->span : 0.0;
  memset(start, 0, (count + 3) * sizeof *start);
  dpv_count(g, s, is_f32, cap);
  for (b = 2; b < count + 2; b++) {
    worst = start[b] > worst ? start[b] : worst;
    start[b] += start[b - 1];
  }
  /* start[b + 1] moves from the first place of bucket b to the first of the next bucket */
  for (i = 0; i < n; i++) {
    const double v = dpv_row1(s, i, is_f32);
    g->key[start[g->bucket[i] + 1]++] = cap ? dpv_held1(v, *cap) : v;
  }
  g->key[n] = g->key[n + 1] = HUGE_VAL;
  if (worst > DPS_FEW) {
    for (b = 0; b < count; b++)
      if (start[b + 1] - start[b] > DPS_FEW)
        dppair_sort_f64(g->key + start[b], start[b + 1] - start[b]);
  }
  dppair_insertion_sort_(g->key, n);
  g->sum[0] = 0.0;
  if (weight)
    dpv_masses(g, s, is_f32, cap, weight);
  else if (sums)
    for (i = 0; i < n; i++) g->sum[i + 1] = g->sum[i] + g->key[i];
}

/* 1 when the pair of score v, on the side that asks, and key k, on the sorted side, is beyond the
 * knot. */
#define DPS_BEYOND(k)                                                                              \
  (((negatives ? (k)-v : v - (k)) < knot) | (closed & ((negatives ? (k)-v : v - (k)) == knot)))

/* The number of keys before the change from one answer of DPS_BEYOND to the other, which is among
 * keys first..end: a look at two of them, or bisection where there are more. */
DPPAIR_FORCE_INLINE_ size_t dpv_change(const dppair_grid_ *g, size_t first, size_t end, double v,
                                       double knot, int closed, int negatives) {
  if (end - first > 2) {
    while (first < end) {
      const size_t mid = first + (end - first) / 2;
      if ((DPS_BEYOND(g->key[mid]) != 0) == negatives)
        first = mid + 1;
      else
        end = mid;
    }
  } else {
    const int one = (DPS_BEYOND(g->key[first]) != 0) == negatives;
    const int two = (DPS_BEYOND(g->key[first + 1]) != 0) == negatives;
    first += (size_t)((first < end) & one) + (size_t)((first + 1 < end) & one & two);
  }
  return first;
}

/* Adds one piece to out, for n scores s against the sorted ones of the other side. Positives
 * (negatives = 0) sum over partners with v - key < knot, which are the largest keys. Negatives sum
 * over those with key - v < knot, the smallest, and subtract. The change lies within `slack` of v -
 * knot (v + knot): rounding moves the differences by less than 4 epsilon of their terms. */
DPPAIR_FORCE_INLINE_ void dpv_piece(double *out, const void *s, size_t n, int is_f32,
                                    const dppair_grid_ *g, const dppair_piece *piece,
                                    const double *cap, int negatives, int weighted) {
  const int closed = piece->closed != 0;
  const double knot = piece->knot, total = g->sum[piece->factor != 0.0 ? g->n : 0];
  const DPV_T wide = DPV_SET(4.0 * DBL_EPSILON), size = DPV_SET(dppair_fabs_(knot));
  for (size_t i = 0; i < n; i += 8) {
    const DPV_T scores = dpv_scores8_held(s, i, n, is_f32, cap);
    const DPV_T x = negatives ? DPV_ADD(scores, DPV_SET(knot)) : DPV_SUB(scores, DPV_SET(knot));
    const DPV_T slack = DPV_MUL(wide, DPV_ADD(DPV_ABS(x), size));
    const size_t rest = n - i < 8 ? n - i : 8;
    double at[8];
    uint32_t from[8], upto[8];
    DPV_STORE(at, scores);
    dpv_buckets(from, DPV_SUB(x, slack), g);
    dpv_buckets(upto, DPV_ADD(x, slack), g);
    for (size_t l = 0; l < rest; l++) {
      const double v = at[l];
      const size_t first =
          dpv_change(g, g->start[from[l]], g->start[upto[l] + 1], v, knot, closed, negatives);
      const double number = weighted ? (negatives ? g->mass[first] : g->mass[g->n] - g->mass[first])
                                     : (double)(negatives ? first : g->n - first);
      if (piece->factor != 0.0) {
        const double sum = negatives ? g->sum[first] : total - g->sum[first];
        /* the sum of constant + factor (v - key), or minus that of constant + factor (key - v) */
        if (negatives)
          out[i + l] -= number * (piece->constant - piece->factor * v) + piece->factor * sum;
        else
          out[i + l] += number * (piece->constant + piece->factor * v) - piece->factor * sum;
      } else {
        out[i + l] += negatives ? -piece->constant * number : piece->constant * number;
      }
    }
  }
}
#undef DPS_BEYOND
#undef DPS_FEW

/* The sum of n scores, held within the cap, in 4 chains of 8 lanes. */
DPPAIR_FORCE_INLINE_ double dpv_total(const void *s, size_t n, int is_f32, const double *cap) {
  DPV_T sum[4];
  double rest = 0.0;
  size_t i = 0;
  DPV_UNROLL_
  for (int k = 0; k < 4; k++) sum[k] = DPV_SET(0.0);
  for (; i + 32 <= n; i += 32) {
    DPV_UNROLL_
    for (int k = 0; k < 4; k++)
      sum[k] = DPV_ADD(sum[k], dpv_scores8_held(s, i + 8 * (size_t)k, n, is_f32, cap));
  }
  for (; i < n; i++) {
    const double v = dpv_row1(s, i, is_f32);
    rest += cap ? dpv_held1(v, *cap) : v;
  }
  return rest + DPV_SUM(DPV_ADD(DPV_ADD(sum[0], sum[1]), DPV_ADD(sum[2], sum[3])));
}

/* The sum of n weights, or, where scores are given, of their products with those. */
DPPAIR_FORCE_INLINE_ double dpv_mass(const double *weight, const void *s, size_t n, int is_f32,
                                     const double *cap) {
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) {
    const double v = s ? dpv_row1(s, i, is_f32) : 1.0;
    sum += dppair_share_(weight[i]) * (s && cap ? dpv_held1(v, *cap) : v);
  }
  return sum;
}

/* out[i] = intercept + factor s[i]: the pieces that hold for every pair. */
DPPAIR_FORCE_INLINE_ void dpv_everywhere(double *out, const void *s, size_t n, int is_f32,
                                         const double *cap, double intercept, double factor) {
  const DPV_T c = DPV_SET(intercept), f = DPV_SET(factor);
  for (size_t i = 0; i < n; i += 8) {
    const DPV_T v = DPV_FMA(f, dpv_scores8_held(s, i, n, is_f32, cap), c);
    if (i + 8 <= n)
      DPV_STORE(out + i, v);
    else
      DPV_STOREN(out + i, v, n - i);
  }
}

/* a and b, piece by piece. Pieces without a knot hold for every pair and need only a sum of scores;
 * the others need the sorted scores of the other side. */
DPPAIR_FORCE_INLINE_ void dpv_pieces(double *a, double *b, const void *sp, size_t np,
                                     const void *sn, size_t nn, const dppair_fast *f,
                                     const dppair_piece *pieces, int count, int is_f32,
                                     const double *wp, const double *wn) {
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  const dppair_always_ all = dppair_pieces_always_(pieces, count);
  const double constant = all.constant, factor = all.factor;
  const double p = wp ? dpv_mass(wp, NULL, np, 0, NULL) : (double)np;
  const double n = wn ? dpv_mass(wn, NULL, nn, 0, NULL) : (double)nn;
  double sum_p = 0.0, sum_n = 0.0;
  const double *cap = NULL; /* where to hold scores, once one is beyond it */
  dppair_grid_ g;
  dpv_range(&low[0], &high[0], sp, np, is_f32);
  dpv_range(&low[1], &high[1], sn, nn, is_f32);
  for (int side = 0; side < 2; side++) {
    if (low[side] < -f->score_cap || high[side] > f->score_cap) cap = &f->score_cap;
    low[side] = dpv_held1(low[side], f->score_cap);
    high[side] = dpv_held1(high[side], f->score_cap);
  }
  if (factor != 0.0) {
    sum_p = wp ? dpv_mass(wp, sp, np, is_f32, cap) : dpv_total(sp, np, is_f32, cap);
    sum_n = wn ? dpv_mass(wn, sn, nn, is_f32, cap) : dpv_total(sn, nn, is_f32, cap);
  }
  dpv_everywhere(a, sp, np, is_f32, cap, n * constant - factor * sum_n, factor * n);
  dpv_everywhere(b, sn, nn, is_f32, cap, -(p * constant + factor * sum_p), factor * p);
  if (all.knots) dppair_grid_layout_(&g, f);
  for (int side = 0; side < 2 && all.knots; side++) {
    dpv_grid(&g, side ? sp : sn, side ? np : nn, is_f32, low[!side], high[!side], cap, all.sums,
             side ? wp : wn);
    for (int k = 0; k < count; k++) {
      if (!dppair_isfinite_f64(pieces[k].knot)) continue;
      if (side)
        dpv_piece(b, sn, nn, is_f32, &g, pieces + k, cap, 1, wp != NULL);
      else
        dpv_piece(a, sp, np, is_f32, &g, pieces + k, cap, 0, wn != NULL);
    }
  }
  for (size_t i = 0; wp && i < np; i++) a[i] *= dppair_share_(wp[i]);
  for (size_t i = 0; wn && i < nn; i++) b[i] *= dppair_share_(wn[i]);
}

/* NAME_coeffs_fast of a piecewise linear loss after its checks: a[np], b[nn] from finite scores,
 * which are float or double; with weights of both sides, or NULL. *status = OK. */
DPPAIR_API void dppair_pieces_coeffs_TIER(dppair_status *status, double *a, double *b,
                                          const void *sp, size_t np, const void *sn, size_t nn,
                                          const dppair_fast *f, const dppair_piece *pieces,
                                          int count, int is_f32, const double *const *weight) {
  *status = DPPAIR_OK;
  dpv_pieces(a, b, sp, np, sn, nn, f, pieces, count, is_f32, weight ? weight[0] : NULL,
             weight ? weight[1] : NULL);
}
#endif
