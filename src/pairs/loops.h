/* ------------------------------------------------------------------------------------------------
 * The loops over all pairs, and over listed pairs
 *
 * Exact sums over pairs (i, j) of phi(sp[i] - sn[j]) and of its slope, for one instance and tier. A
 * slope is computed in the element type DPV_R; sums go to double after at most DPT_FLUSH additions.
 * The functions of template.h check the arguments and call these.
 * ---------------------------------------------------------------------------------------------- */

#define DPT_FLUSH 64 /* vectors that are added in DPV_R before they go to double */

/* Adds the first n numbers of v, in double, to sum[0..n). */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_add_to_TIER_(double *sum, DPV_T v, size_t n) {
  DPV_R t[DPV_LANES];
  DPV_STORE(t, v);
  for (size_t l = 0; l < n; l++) sum[l] += (double)t[l];
}

/* NAME_risk_not_private after its checks: *risk = sum over i < np, j < nn of phi(sp[i] - sn[j]). */
DPPAIR_API void DPPAIR_NAME_risk_not_private_TIER(double *risk, const DPV_R *sp, size_t np,
                                                  const DPV_R *sn, size_t nn,
                                                  const double *params) {
  double total = 0.0;
  (void)params;
  for (size_t i = 0; i < np; i++) {
    const DPV_T s = DPV_SET(sp[i]);
    for (size_t j = 0; j < nn;) {
      DPV_T sum = DPV_SET((DPV_R)0);
      const size_t stop = nn - j > DPT_FLUSH * DPV_LANES ? j + DPT_FLUSH * DPV_LANES : nn;
      for (; j + DPV_LANES <= stop; j += DPV_LANES)
        sum = DPV_ADD(sum, DPPAIR_LOSS_VALUE(DPV_SUB(s, DPV_LOAD(sn + j))));
      if (j < stop) {
        const size_t rest = stop - j;
        DPV_R t[DPV_LANES];
        DPV_STORE(t, DPPAIR_LOSS_VALUE(DPV_SUB(s, DPV_LOADN(sn + j, rest, sn[j]))));
        for (size_t l = 0; l < rest; l++) total += (double)t[l];
        j = stop;
      }
      total += (double)DPV_SUM(sum);
    }
  }
  *risk = total;
}

/* The slope of a pair comes from the difference of its scores or, for a loss that splits, from the
 * product of a factor of each score. The product is used when both scores are at most DPT_NEAR in
 * size: then the factors and their product are normal numbers. Each pair chooses by its own two
 * scores, so a computed slope is a function of these alone, and a record changes only the slopes of
 * its own pairs. Both forms are computed only in blocks that have a larger score. */
#if DPPAIR_SPLIT_
#define DPT_NEAR (DPPAIR_TEMPLATE_F64_ ? 350 : 43)

/* The largest |s| of n scores. */
DPPAIR_FORCE_INLINE_ DPV_R DPPAIR_NAME_farthest_TIER_(const DPV_R *s, size_t n) {
  DPV_R most = 0;
  for (size_t i = 0; i < n; i++) {
    const DPV_R size = s[i] < 0 ? -s[i] : s[i];
    most = size > most ? size : most;
  }
  return most;
}
#endif

/* Four rows (or one) against a block of vectors of the other side: a[r] += the sum of row r's
 * slopes, columns[v] -= the sum over the rows. Both are sums in DPV_R over at most DPT_FLUSH
 * vectors or rows. keep: the lanes of the last vector that hold records. left_factor and
 * right_factor are used by losses that split. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_rows_TIER_(double *a, DPV_T *columns, const DPV_R *left,
                                                 const DPV_R *left_factor, const DPV_T *right,
                                                 const DPV_T *right_factor, size_t vectors,
                                                 DPV_M keep, int rows, const double *params) {
  const DPV_T zero = DPV_SET((DPV_R)0);
  DPV_T row[4], s[4], c[4];
  (void)params;
#if DPPAIR_SPLIT_
  DPV_UNROLL_
  for (int r = 0; r < rows; r++) s[r] = DPV_SET(left_factor[r]);
  (void)left;
  (void)right;
#else
  DPV_UNROLL_
  for (int r = 0; r < rows; r++) s[r] = DPV_SET(left[r]);
  (void)left_factor;
  (void)right_factor;
#endif
  DPV_UNROLL_
  for (int r = 0; r < rows; r++) row[r] = zero;
  for (size_t v = 0; v < vectors; v++) {
    DPV_UNROLL_
    for (int r = 0; r < rows; r++) {
#if DPPAIR_SPLIT_
      c[r] = DPPAIR_LOSS_JOIN(s[r], right_factor[v]);
#else
      c[r] = DPPAIR_LOSS_SLOPE(DPV_SUB(s[r], right[v]));
#endif
      if (v + 1 == vectors) c[r] = DPV_SEL(keep, c[r], zero);
      row[r] = DPV_ADD(row[r], c[r]);
    }
    if (rows == 4)
      columns[v] = DPV_SUB(columns[v], DPV_ADD(DPV_ADD(c[0], c[1]), DPV_ADD(c[2], c[3])));
    else
      columns[v] = DPV_SUB(columns[v], c[0]);
  }
  DPV_UNROLL_
  for (int r = 0; r < rows; r++) a[r] += (double)DPV_SUM(row[r]);
}

#if DPPAIR_SPLIT_
/* The same sums where a score is larger than DPT_NEAR. That is rare, so the loop over the rows
 * stays one: unrolled it would be most of the code of a loss. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_far_rows_TIER_(double *a, DPV_T *columns, const DPV_R *left,
                                                    const DPV_R *left_factor, const DPV_T *right,
                                                    const DPV_T *right_factor, size_t vectors,
                                                    const DPV_M *keep, int rows,
                                                    const double *params) {
  const DPV_T zero = DPV_SET((DPV_R)0);
  DPV_T row[4], c[4];
  (void)params;
  for (int r = 0; r < 4; r++) row[r] = c[r] = zero;
  for (size_t v = 0; v < vectors; v++) {
    for (int r = 0; r < rows; r++) {
      const DPV_T s = DPV_SET(left[r]);
      const DPV_M within = DPV_LE(DPV_MAX(DPV_ABS(s), DPV_ABS(right[v])), DPV_SET(DPT_NEAR));
      const DPV_T joined = DPPAIR_LOSS_JOIN(DPV_SET(left_factor[r]), right_factor[v]);
      c[r] = DPV_SEL(within, joined, DPPAIR_LOSS_SLOPE(DPV_SUB(s, right[v])));
      if (v + 1 == vectors) c[r] = DPV_SEL(*keep, c[r], zero);
      row[r] = DPV_ADD(row[r], c[r]);
    }
    if (rows == 4)
      columns[v] = DPV_SUB(columns[v], DPV_ADD(DPV_ADD(c[0], c[1]), DPV_ADD(c[2], c[3])));
    else
      columns[v] = DPV_SUB(columns[v], c[0]);
  }
  for (int r = 0; r < rows; r++) a[r] += (double)DPV_SUM(row[r]);
}
#endif

/* At most DPT_FLUSH rows, four at a time. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_row_block_TIER_(double *a, DPV_T *columns, const DPV_R *left,
                                                      const DPV_R *left_factor, const DPV_T *right,
                                                      const DPV_T *right_factor, size_t vectors,
                                                      DPV_M keep, size_t rows,
                                                      const double *params) {
  size_t i = 0;
  for (; i + 4 <= rows; i += 4)
    DPPAIR_NAME_rows_TIER_(a + i, columns, left + i, left_factor + i, right, right_factor, vectors,
                           keep, 4, params);
  for (; i < rows; i++)
    DPPAIR_NAME_rows_TIER_(a + i, columns, left + i, left_factor + i, right, right_factor, vectors,
                           keep, 1, params);
}

/* Loads `count` scores of the other side as vectors, the last of them filled up with its first
 * score; for a loss that splits, also the factors of their negatives, unless factor is NULL. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_block_TIER_(DPV_T *right, DPV_T *factor, const DPV_R *s,
                                                  size_t count, const double *params) {
  for (size_t v = 0, i = 0; i < count; v++, i += DPV_LANES) {
    const size_t rest = count - i;
    right[v] = rest >= DPV_LANES ? DPV_LOAD(s + i) : DPV_LOADN(s + i, rest, s[i]);
#if DPPAIR_SPLIT_
    if (factor) factor[v] = DPPAIR_LOSS_FACTOR(DPV_NEG(right[v]));
#endif
  }
  (void)factor;
  (void)params;
}

/* At most DPT_FLUSH scores `left` against such a block. wide: it has a score above DPT_NEAR. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_against_TIER_(double *a, DPV_T *columns, const DPV_R *left,
                                                    size_t rows, const DPV_T *right,
                                                    const DPV_T *factor, size_t vectors, DPV_M keep,
                                                    int wide, const double *params) {
#if DPPAIR_SPLIT_
  DPV_R of_left[DPT_FLUSH];
  for (size_t i = 0; i < rows; i += DPV_LANES) {
    const size_t some = rows - i < DPV_LANES ? rows - i : DPV_LANES;
    DPV_STOREN(of_left + i, DPPAIR_LOSS_FACTOR(DPV_LOADN(left + i, some, left[i])), some);
  }
  if (wide || DPPAIR_NAME_farthest_TIER_(left, rows) > DPT_NEAR) {
    for (size_t i = 0, some; i < rows; i += some) {
      some = rows - i >= 4 ? 4 : 1;
      DPPAIR_NAME_far_rows_TIER_(a + i, columns, left + i, of_left + i, right, factor, vectors,
                                 &keep, (int)some, params);
    }
  } else {
    DPPAIR_NAME_row_block_TIER_(a, columns, left, of_left, right, factor, vectors, keep, rows,
                                params);
  }
#else
  (void)wide;
  DPPAIR_NAME_row_block_TIER_(a, columns, left, left, right, factor, vectors, keep, rows, params);
#endif
}

/* NAME_coeffs after its checks. A block of DPT_FLUSH vectors of sn stays in the first cache while
 * all scores of sp pass by it, in blocks of DPT_FLUSH. */
DPPAIR_API void DPPAIR_NAME_coeffs_TIER(double *a, double *b, const DPV_R *sp, size_t np,
                                        const DPV_R *sn, size_t nn, const double *params) {
  DPV_R lanes[DPV_LANES];
  for (size_t i = 0; i < np; i++) a[i] = 0.0;
  for (size_t j = 0; j < nn; j++) b[j] = 0.0;
  for (int l = 0; l < DPV_LANES; l++) lanes[l] = (DPV_R)l;
  for (size_t j0 = 0; j0 < nn; j0 += DPT_FLUSH * DPV_LANES) {
    const size_t count = nn - j0 > DPT_FLUSH * DPV_LANES ? DPT_FLUSH * DPV_LANES : nn - j0;
    const size_t vectors = (count + DPV_LANES - 1) / DPV_LANES;
    const size_t last = count - (vectors - 1) * DPV_LANES;
    const DPV_M keep = DPV_LT(DPV_LOAD(lanes), DPV_SET((DPV_R)last));
    DPV_T right[DPT_FLUSH], columns[DPT_FLUSH];
#if DPPAIR_SPLIT_
    DPV_T factor[DPT_FLUSH];
    const int wide = DPPAIR_NAME_farthest_TIER_(sn + j0, count) > DPT_NEAR;
#else
    DPV_T *const factor = right; /* not used */
    const int wide = 0;
#endif
    DPPAIR_NAME_block_TIER_(right, factor, sn + j0, count, params);
    for (size_t i0 = 0; i0 < np; i0 += DPT_FLUSH) {
      const size_t rows = np - i0 > DPT_FLUSH ? DPT_FLUSH : np - i0;
      for (size_t v = 0; v < vectors; v++) columns[v] = DPV_SET((DPV_R)0);
      DPPAIR_NAME_against_TIER_(a + i0, columns, sp + i0, rows, right, factor, vectors, keep, wide,
                                params);
      for (size_t v = 0; v < vectors; v++)
        DPPAIR_NAME_add_to_TIER_(b + j0 + v * DPV_LANES, columns[v],
                                 v + 1 < vectors ? DPV_LANES : last);
    }
  }
}

#if DPPAIR_WEIGHTS
#include "pairs/weighted_kernels.h"
#endif

/* NAME_pairs after its checks; adds to a and b, in the order of the list. The last group of lanes
 * repeats its last pair and drops the copies. */
DPPAIR_API void DPPAIR_NAME_pairs_TIER(double *a, double *b, const DPV_R *sp, const DPV_R *sn,
                                       const size_t *i, const size_t *j, const double *weight,
                                       size_t m, const double *params) {
  (void)params;
  for (size_t k = 0; k < m; k += DPV_LANES) {
    const size_t rest = m - k < DPV_LANES ? m - k : DPV_LANES;
    DPV_R u[DPV_LANES], c[DPV_LANES];
    for (size_t l = 0; l < DPV_LANES; l++) {
      const size_t at = k + (l < rest ? l : rest - 1);
      u[l] = sp[i[at]] - sn[j[at]];
    }
    DPV_STORE(c, DPPAIR_LOSS_SLOPE(DPV_LOAD(u)));
    for (size_t l = 0; l < rest; l++) {
      const double v = weight ? weight[k + l] * (double)c[l] : (double)c[l];
      a[i[k + l]] += v;
      b[j[k + l]] -= v;
    }
  }
}
#undef DPT_NEAR
#undef DPT_FLUSH
