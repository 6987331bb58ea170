/* ------------------------------------------------------------------------------------------------
 * The box method: moments, translation, evaluation
 *
 * The passes over records and boxes for one tier; box.h says what they compute and fills the table.
 * All arithmetic is in double: scores are converted as they are read.
 *
 * A score s lies in box b = round(s/h), at t = 2(s - b h)/h in [-1, 1]. Both are exact because h is
 * a power of two. Powers of t are formed eight at a time, so a record adds one vector to its box,
 * or two of them for more than 8 terms (`two`).
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_
/* Eight scores from `at` on as doubles; the last of the n scores is repeated past the end. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_scores8(const void *s, size_t at, size_t n, int is_f32) {
  double t[8];
  if (at + 8 <= n) return dpv_row(s, at, is_f32);
  for (size_t l = 0; l < 8; l++) t[l] = dpv_row1(s, at + l < n ? at + l : n - 1, is_f32);
  return DPV_LOAD(t);
}
/* v held within [low, high]; low for NaN. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_held(DPV_T v, double low, double high) {
  return DPV_MIN(DPV_MAX(v, DPV_SET(low)), DPV_SET(high));
}

/* Eight weights from `at` on, as they count: dppair_share_. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_shares8(const double *weight, size_t at, size_t n) {
  return dpv_held(dpv_scores8(weight, at, n, 0), 0.0, 1.0);
}

/* v held within +-cap. */
DPPAIR_FORCE_INLINE_ double dpv_held1(double v, double cap) {
  return v < -cap ? -cap : v > cap ? cap : v;
}

/* dpv_scores8, with the scores held within +-*cap unless cap is NULL. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_scores8_held(const void *s, size_t at, size_t n, int is_f32,
                                            const double *cap) {
  const DPV_T v = dpv_scores8(s, at, n, is_f32);
  return cap ? dpv_held(v, -*cap, *cap) : v;
}

/* Extends [*low, *high] by the scores. */
DPPAIR_FORCE_INLINE_ void dpv_range(double *low, double *high, const void *s, size_t n,
                                    int is_f32) {
  DPV_T lo = DPV_SET(*low), hi = DPV_SET(*high);
  double t[8], u[8];
  for (size_t i = 0; i < n; i += 8) {
    const DPV_T v = dpv_scores8(s, i, n, is_f32);
    lo = DPV_MIN(v, lo);
    hi = DPV_MAX(v, hi);
  }
  DPV_STORE(t, lo);
  DPV_STORE(u, hi);
  for (int l = 0; l < 8; l++) {
    *low = t[l] < *low ? t[l] : *low;
    *high = u[l] > *high ? u[l] : *high;
  }
}

/* 1.5 2^52 + the box of each of 8 scores, which is in the low bits of the lane. No other formula
 * computes the number of a box. It is monotone under any rounding, so scores in [low, high] lie
 * between the boxes of low and high, and no index leaves the arrays. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_number(DPV_T v, double width) {
  return DPV_FMA(v, DPV_SET(1.0 / width), DPV_SET(DPN_MAGIC));
}
/* The boxes for scores in [low, high], where low and high are first held within the cap. */
DPPAIR_FORCE_INLINE_ dppair_boxes_ dpv_boxes(double low, double high, const dppair_fast *f) {
  dppair_boxes_ g;
  double m[8];
  g.low = dpv_held1(low, f->score_cap);
  g.high = dpv_held1(high, f->score_cap);
  g.hold = g.low > low || g.high < high;
  g.width = f->width;
  DPV_STORE(m, dpv_number(DPV_SET(g.low), g.width));
  g.first = dppair_bits_f64_(m[0]);
  DPV_STORE(m, dpv_number(DPV_SET(g.high), g.width));
  g.count = (size_t)(dppair_bits_f64_(m[0]) - g.first) + 1;
  return g;
}

/* Box and local coordinate of 8 scores: at[l] = stride * (box - first box). */
DPPAIR_FORCE_INLINE_ DPV_T dpv_locate(size_t *at, DPV_T v, dppair_boxes_ g, size_t stride) {
  double m[8];
  const DPV_T s = g.hold ? dpv_held(v, g.low, g.high) : v;
  const DPV_T big = dpv_number(s, g.width);
  const DPV_T inside = DPV_FMA(DPV_SUB(DPV_SET(DPN_MAGIC), big), DPV_SET(g.width), s);
  DPV_STORE(m, big);
  DPV_UNROLL_
  for (int l = 0; l < 8; l++) at[l] = (size_t)(dppair_bits_f64_(m[l]) - g.first) * stride;
  return DPV_MUL(inside, DPV_SET(2.0 / g.width));
}

/* 1, t, t^2, ..., t^7 from t, t^2, t^4: lane l takes those factors whose bit is set in l. It stays
 * defined, for kernels that are compiled later. */
#define DPB_POWERS(t1, t2, t4)                                                                     \
  DPV_MUL(DPV_MUL(DPV_SEL(bit0, DPV_SET(t1), one), DPV_SEL(bit1, DPV_SET(t2), one)),               \
          DPV_SEL(bit2, DPV_SET(t4), one))

/* v with the sign of every second moment changed when flip is set: the transposed kernel is the
 * kernel between mirrored coordinates. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_mirror(DPV_T v, int flip) {
  static const double signs[8] = {1, -1, 1, -1, 1, -1, 1, -1};
  return flip ? DPV_MUL(v, DPV_LOAD(signs)) : v;
}

/* *sum += v; with `kept`, (*sum, *low) += v in two doubles. Whole numbers have no second one. */
DPPAIR_FORCE_INLINE_ void dpv_remote(double *sum, double *low, double v, int kept) {
  const double s = *sum + v, t = s - *sum, e = (*sum - (s - t)) + (v - t) + *low;
  *sum = kept ? s + e : s;
  *low = kept ? e - (*sum - s) : 0.0;
}

/*
 * to[box][k] = the coefficients of the polynomial in every box with a target (there), from the
 * moments of the sources (from); full: the moments that count them, which are `from` unless that is
 * weighted with weights of either sign. With o the target's box minus the source's:
 *   negatives = 0   targets are the positives, a(t) = the sum over sources of K_o(t, .)
 *   negatives = 1   targets are the negatives, b(t) = minus the sum of K_{-o}(., t)
 * A source further away than the reach counts f->low or f->high; the sums of such weights are kept
 * in two doubles, so that only counts as large as the records round. Sources are summed in four
 * chains, one for each term modulo 4.
 */
DPPAIR_FORCE_INLINE_ void dpv_translate(double *to, const double *from, const double *full,
                                        const double *there, size_t boxes, const dppair_fast *f,
                                        int two, int negatives) {
  const size_t stride = two ? 16 : 8, terms = (size_t)f->terms, reach = (size_t)f->reach;
  double before = 0.0, after = 0.0, low[2] = {0.0, 0.0};
  size_t first = 0, last = 0;
  for (size_t b = 0; b < boxes; b++) dpv_remote(&after, low, from[b * stride], from == full);
  for (size_t b = 0; b < boxes; b++) {
    DPV_T sum[2][4];
    const size_t end = b + reach + 1 < boxes ? b + reach + 1 : boxes;
    for (; first + reach < b; first++)
      dpv_remote(&before, low + 1, from[first * stride], from == full);
    for (; last < end; last++) dpv_remote(&after, low, -from[last * stride], from == full);
    if (!(there[b * stride] > 0.0)) continue;
    DPV_UNROLL_
    for (int m = 0; m < 4; m++) sum[0][m] = sum[1][m] = DPV_SET(0.0);
    for (size_t source = first; source < end; source++) {
      const double *column =
          f->table + (negatives ? source + reach - b : b + reach - source) * terms * stride;
      double moment[16];
      if (!(full[source * stride] > 0.0)) continue;
      DPV_STORE(moment, dpv_mirror(DPV_LOAD(from + source * stride), negatives));
      if (two)
        DPV_STORE(moment + 8, dpv_mirror(DPV_LOAD(from + source * stride + 8), negatives));
      else
        DPV_STORE(moment + 8, DPV_SET(0.0)); /* not read, but gcc 12 does not see it */
      for (size_t l = 0; l < terms; l += 4, column += 4 * stride) {
        DPV_UNROLL_
        for (size_t m = 0; m < 4; m++) {
          const DPV_T v = DPV_SET(moment[l + m]);
          sum[0][m] = DPV_FMA(v, DPV_LOAD(column + m * stride), sum[0][m]);
          if (two) sum[1][m] = DPV_FMA(v, DPV_LOAD(column + m * stride + 8), sum[1][m]);
        }
      }
    }
    for (int half = 0; half < (two ? 2 : 1); half++) {
      const DPV_T even = DPV_ADD(sum[half][0], sum[half][2]);
      const DPV_T all = DPV_ADD(even, DPV_ADD(sum[half][1], sum[half][3]));
      DPV_STORE(to + b * stride + 8 * (size_t)half, dpv_mirror(all, negatives));
    }
    /* before: sources with lower scores; if these are positives, their margins go to -infinity */
    to[b * stride] +=
        negatives ? before * f->low + after * f->high : before * f->high + after * f->low;
    if (negatives)
      for (size_t k = 0; k < stride; k++) to[b * stride + k] = -to[b * stride + k];
  }
}

/* out[i] = the polynomial of record i's box at its coordinate, by Horner's rule. */
DPPAIR_FORCE_INLINE_ void dpv_evaluate(double *out, const double *coefficients, const void *s,
                                       size_t n, int is_f32, dppair_boxes_ g, int two) {
  for (size_t i = 0; i < n; i += 8) {
    DPV_T c[8], t, v;
    size_t at[8];
    t = dpv_locate(at, dpv_scores8(s, i, n, is_f32), g, two ? 16 : 8);
    if (two) {
      dpv_rows8(c, coefficients + 8, at);
      v = c[7];
      DPV_UNROLL_
      for (int k = 6; k >= 0; k--) v = DPV_FMA(v, t, c[k]);
      dpv_rows8(c, coefficients, at);
      v = DPV_FMA(v, t, c[7]);
    } else {
      dpv_rows8(c, coefficients, at);
      v = c[7];
    }
    DPV_UNROLL_
    for (int k = 6; k >= 0; k--) v = DPV_FMA(v, t, c[k]);
    if (i + 8 <= n)
      DPV_STORE(out + i, v);
    else
      DPV_STOREN(out + i, v, n - i);
  }
}

#endif
