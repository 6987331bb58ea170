/* ------------------------------------------------------------------------------------------------
 * Rows of double times a vector; numbers of rows of double or float
 *
 * A tier may replace dpv_row_end, dpv_rows8 and dpv_sums8 (simd/registers.h); the other chapters of
 * this tier use these three, too. Sums over rows are in rows/combine_kernels.h.
 * ---------------------------------------------------------------------------------------------- */

/* Eight numbers of a row from x[at] on, or one. Every caller passes is_f32 as a constant, so the
 * compiler keeps one of the two loads. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_row(const void *x, size_t at, int is_f32) {
  return is_f32 ? DPV_LOAD_F32((const float *)x + at) : DPV_LOAD((const double *)x + at);
}
DPPAIR_FORCE_INLINE_ double dpv_row1(const void *x, size_t at, int is_f32) {
  return is_f32 ? (double)((const float *)x)[at] : ((const double *)x)[at];
}
/* The last n < 8 numbers of a row, then zeros. */
#ifndef DPN_OWN_ROW_END
DPPAIR_FORCE_INLINE_ DPV_T dpv_row_end(const void *x, size_t at, size_t n, int is_f32) {
  double t[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (size_t k = 0; k < n; k++) t[k] = dpv_row1(x, at + k, is_f32);
  return DPV_LOAD(t);
}
#endif

DPPAIR_FORCE_INLINE_ DPV_T dpv_rest(const void *x, size_t at, size_t n, int is_f32) {
  return dpv_row_end(x, at, n, is_f32);
}

/* c[k] = the k-th number of each of the 8 rows base + at[l]: an 8 x 8 transposition. */
#ifndef DPN_OWN_ROWS8
DPPAIR_FORCE_INLINE_ void dpv_rows8(DPV_T *c, const double *base, const size_t *at) {
  for (int m = 0; m < 8; m++) {
    double t[8];
    for (int l = 0; l < 8; l++) t[l] = base[at[l] + (size_t)m];
    c[m] = DPV_LOAD(t);
  }
}
#endif

/* The sums of the 8 vectors at part, part + 8, ..., each by the tree of DPV_SUM. */
#ifndef DPN_OWN_SUMS8
DPPAIR_FORCE_INLINE_ DPV_T dpv_sums8(const double *part) {
  double t[8];
  for (int l = 0; l < 8; l++) t[l] = DPV_SUM(DPV_LOAD(part + 8 * l));
  return DPV_LOAD(t);
}
#endif

/* Prefetches the cache line of x[at], which belongs to a later row. The address is computed as an
 * integer, because it may be past the end of x, where pointer arithmetic is undefined. */
#define DPL_AHEAD 16 /* rows: how far ahead dpv_dots prefetches */
DPPAIR_FORCE_INLINE_ void dpv_ahead(const void *x, size_t at, int is_f32) {
  DPPAIR_PREFETCH_((const char *)((uintptr_t)x + at * (is_f32 ? sizeof(float) : sizeof(double))));
}

/* Row times w for `rows` rows (4 or 1) from x[at] on. The 8 partial sums of row r, one per lane, go
 * to part + 8 r. */
DPPAIR_FORCE_INLINE_ void dpv_dots(double *part, const double *x, size_t at, size_t ld,
                                   const double *w, size_t d, int rows) {
  DPV_T sum[4];
  size_t k = 0;
  DPV_UNROLL_
  for (int r = 0; r < rows; r++) sum[r] = DPV_SET(0.0);
  for (; k + 8 <= d; k += 8) {
    const DPV_T v = DPV_LOAD(w + k);
    DPV_UNROLL_
    for (int r = 0; r < rows; r++) {
      dpv_ahead(x, at + (size_t)(r + DPL_AHEAD) * ld + k, 0);
      sum[r] = DPV_FMA(DPV_LOAD(x + at + (size_t)r * ld + k), v, sum[r]);
    }
  }
  if (k < d) {
    const DPV_T v = dpv_row_end(w, k, d - k, 0);
    DPV_UNROLL_
    for (int r = 0; r < rows; r++) {
      dpv_ahead(x, at + (size_t)(r + DPL_AHEAD) * ld + k, 0);
      sum[r] = DPV_FMA(dpv_row_end(x, at + (size_t)r * ld + k, d - k, 0), v, sum[r]);
    }
  }
  DPV_UNROLL_
  for (int r = 0; r < rows; r++) DPV_STORE(part + 8 * r, sum[r]);
}

/* s[i] = row i times w. Blocks of 8 rows and single rows add in the same order, so the score of a
 * row does not depend on its position. */
DPPAIR_API void dppair_scores_f64_TIER(double *s, const double *x, size_t n, size_t d, size_t ld,
                                       const double *w) {
  double part[64];
  const size_t whole = n - n % 8; /* gcc 12 warns of an overflow in i + 8 <= n for a constant n */
  size_t i = 0;
  DPPAIR_ANY_SIZE_(d);
  for (; i < whole; i += 8) {
    dpv_dots(part, x, i * ld, ld, w, d, 4);
    dpv_dots(part + 32, x, (i + 4) * ld, ld, w, d, 4);
    DPV_STORE(s + i, dpv_sums8(part));
  }
  for (; i < n; i++) {
    dpv_dots(part, x, i * ld, ld, w, d, 1);
    s[i] = DPV_SUM(DPV_LOAD(part));
  }
}

/* The scores s[0..n) times their factors: in double, rounded once, 0 where the factor is. */
DPPAIR_API void dppair_scale_f64_TIER(double *s, const double *factor, size_t n) {
  const DPV_T zero = DPV_SET(0.0);
  size_t i = 0;
  for (; n - i >= 8; i += 8) {
    const DPV_T f = DPV_LOAD(factor + i);
    DPV_STORE(s + i, DPV_SEL(DPV_EQ(f, zero), zero, DPV_MUL(f, DPV_LOAD(s + i))));
  }
  for (; i < n; i++) s[i] = factor[i] == 0.0 ? 0.0 : factor[i] * s[i];
}
DPPAIR_API void dppair_scale_f32_TIER(float *s, const double *factor, size_t n) {
  const DPV_T zero = DPV_SET(0.0);
  size_t i = 0;
  for (; n - i >= 8; i += 8) {
    const DPV_T f = DPV_LOAD(factor + i);
    DPV_STORE_F32(s + i, DPV_SEL(DPV_EQ(f, zero), zero, DPV_MUL(f, DPV_LOAD_F32(s + i))));
  }
  for (; i < n; i++) s[i] = factor[i] == 0.0 ? 0.0f : (float)(factor[i] * (double)s[i]);
}
#undef DPL_AHEAD
