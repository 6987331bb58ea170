/* ------------------------------------------------------------------------------------------------
 * Norms of packed blocks, for one tier
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_ /* 8 numbers as doubles */
#define DPT_WIDE(p) DPV_LOAD(p)
#else
#define DPT_WIDE(p) dpd_load_f32(p)
#endif

/* The largest |x| of a packed array of n numbers, or -1 when one is not finite. */
DPPAIR_OUT_OF_LINE_ double DPPAIR_NAME_packed_top_TIER_(const DPV_R *x, size_t n) {
  DPV_T top = DPV_SET(0), odd = DPV_SET(0);
  for (size_t e = 0; e < n; e += DPV_LANES) {
    const DPV_T v = DPV_LOAD(x + e);
    top = DPV_MAX(top, DPV_ABS(v));
    odd = DPV_ADD(odd, DPV_MUL(v, DPV_SET(0))); /* NaN once v is not finite */
  }
  return dppair_isfinite_f64((double)DPV_SUM(odd)) ? (double)dpv_largest(top) : -1.0;
}

/* norm2[l] = the squared norms of a packed block of k numbers each, summed in double, with their
 * margin (NAME_tiles_margin_); returns the largest norm. */
DPPAIR_OUT_OF_LINE_ double DPPAIR_NAME_packed_norms_TIER_(DPV_R *norm2, const DPV_R *x, size_t k) {
  double sums[8], largest = 0.0;
  for (size_t l = 0; l < DPT_W; l += 8) {
    dpd_t sum = dpd_set(0.0);
    for (size_t f = 0; f < k; f++) {
      const dpd_t v = DPT_WIDE(x + f * DPT_W + l);
      sum = dpd_fma(v, v, sum);
    }
    dpd_store(sums, sum);
    for (size_t e = 0; e < 8; e++) {
      const double g = DPPAIR_NAME_tiles_margin_(sums[e], k);
      norm2[l + e] = (DPV_R)g;
      largest = g > largest ? g : largest;
    }
  }
  return dppair_sqrt_(largest);
}
