/* ------------------------------------------------------------------------------------------------
 * Rows of float: their numbers, and sums of partial sums
 *
 * A tier may replace dpv_row_end and dpv_sums8 (simd/registers.h).
 * ---------------------------------------------------------------------------------------------- */

/* s[l] = sum of the vector at part + 16 l, l < 8, by the tree of DPV_SUM. */
#ifndef DPN_OWN_SUMS8
DPPAIR_FORCE_INLINE_ void dpv_sums8(float *s, const float *part) {
  for (int l = 0; l < 8; l++) s[l] = DPV_SUM(DPV_LOAD(part + 16 * l));
}
#endif

/* The last n < 16 numbers of a row, then zeros. */
#ifndef DPN_OWN_ROW_END
DPPAIR_FORCE_INLINE_ DPV_T dpv_row_end(const float *x, size_t n) { return DPV_LOADN(x, n, 0.0f); }
#endif

/* Sixteen numbers of a row, and the last n < 16 of one. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_dot_row(const float *x) { return DPV_LOAD(x); }
DPPAIR_FORCE_INLINE_ DPV_T dpv_dot_end(const float *x, size_t n) { return dpv_row_end(x, n); }

#define DPL_X float /* of rows/dots_kernels.h */
