/* ------------------------------------------------------------------------------------------------
 * Rows times a vector, all in float
 *
 * A score is a function of its row and w alone, so its rounding is part of what one record
 * contributes and needs no double. Sums over records do: rows/combine_kernels.h. Written once, for
 * rows of float and of each type of rows/narrow.h: DPL_X is the type of their numbers, which are
 * floats exactly, so all types have the arithmetic of rows of float.
 * ---------------------------------------------------------------------------------------------- */

/* Row times w for `rows` rows (4 or 1) from x on. The 16 partial sums of row r, one per lane, go to
 * part + 16 r. */
DPPAIR_FORCE_INLINE_ void dpv_dots(float *part, const DPL_X *x, size_t ld, const float *w, size_t d,
                                   int rows) {
  DPV_T sum[4];
  size_t k = 0;
  DPV_UNROLL_
  for (int r = 0; r < rows; r++) sum[r] = DPV_SET(0.0f);
  for (; k + 16 <= d; k += 16) {
    const DPV_T v = DPV_LOAD(w + k);
    DPV_UNROLL_
    for (int r = 0; r < rows; r++) {
      /* 32 rows ahead; an integer, because the address may be past the end of x */
      if (k % (64 / sizeof *x) == 0)
        DPPAIR_PREFETCH_((const char *)((uintptr_t)(x + k) + (size_t)(r + 32) * ld * sizeof *x));
      sum[r] = DPV_FMA(dpv_dot_row(x + (size_t)r * ld + k), v, sum[r]);
    }
  }
  if (k < d) {
    const DPV_T v = dpv_row_end(w + k, d - k);
    DPV_UNROLL_
    for (int r = 0; r < rows; r++) {
      DPPAIR_PREFETCH_((const char *)((uintptr_t)(x + k) + (size_t)(r + 32) * ld * sizeof *x));
      sum[r] = DPV_FMA(dpv_dot_end(x + (size_t)r * ld + k, d - k), v, sum[r]);
    }
  }
  DPV_UNROLL_
  for (int r = 0; r < rows; r++) DPV_STORE(part + 16 * r, sum[r]);
}

/* s[i] = row i times w. The score of a row does not depend on its position. */
DPPAIR_FORCE_INLINE_ void dpv_scores(float *s, const DPL_X *x, size_t n, size_t d, size_t ld,
                                     const float *w) {
  float part[128];
  size_t i = 0;
  DPPAIR_ANY_SIZE_(d);
  for (; i + 8 <= n; i += 8) {
    dpv_dots(part, x + i * ld, ld, w, d, 4);
    dpv_dots(part + 64, x + (i + 4) * ld, ld, w, d, 4);
    dpv_sums8(s + i, part);
  }
  for (; i < n; i++) {
    dpv_dots(part, x + i * ld, ld, w, d, 1);
    s[i] = DPV_SUM(DPV_LOAD(part));
  }
}

/* The functions that rows/template.h calls. */
#if DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
DPPAIR_API void dppair_scores_ROW_TIER(float *s, const DPL_X *x, size_t n, size_t d, size_t ld,
                                       const float *w) {
  dpv_scores(s, x, n, d, ld, w);
}
#else
DPPAIR_API void dppair_scores_f32_TIER(float *s, const float *x, size_t n, size_t d, size_t ld,
                                       const float *w) {
  dpv_scores(s, x, n, d, ld, w);
}
#undef DPL_X
#endif
