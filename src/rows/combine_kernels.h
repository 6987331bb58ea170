/* ------------------------------------------------------------------------------------------------
 * Gradients from rows of any type, summed in double
 *
 * Written once: for rows of double and float, the constant is_f32 says which, and for those of each
 * type of rows/narrow.h, which does not read it. dpv_row, dpv_rest and dpv_ahead are those of the
 * rows: rows/kernels_f64.h or rows/narrow_loads.h.
 * ---------------------------------------------------------------------------------------------- */

/* The next n <= 8 numbers of a row, then zeros. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_some(const void *x, size_t at, size_t n, int is_f32) {
  return n == 8 ? dpv_row(x, at, is_f32) : dpv_rest(x, at, n, is_f32);
}

/*
 * g = X^T c in double. Each column has four chains of additions: row i is added to chain i mod 4,
 * and the sum is (chain 0 + chain 2) + (chain 1 + chain 3). The loops take blocks of DPL_CHUNK
 * columns and DPL_ROWS rows. Such a block of X stays in the nearest cache while chains 0 and 1,
 * then chains 2 and 3, pass over it. Blocks change neither the order within a chain nor the result.
 * If rows have factors, c[i] factor[i] takes the place of c[i].
 */
#define DPL_CHUNK 128
#define DPL_ROWS 32

/* Adds rows 0, 4, 8, ... below `rows`, from x[at] on, to chain0 and rows 1, 5, 9, ... to chain1, in
 * `width` columns (16, or fewer at the end of a row). c[i] is the factor of row i. */
DPPAIR_FORCE_INLINE_ void dpv_chains(double *chain0, double *chain1, const void *x, size_t at,
                                     size_t ld, const double *c, size_t rows, size_t width,
                                     int is_f32) {
  DPV_T s00 = DPV_LOAD(chain0), s01 = DPV_LOAD(chain0 + 8);
  DPV_T s10 = DPV_LOAD(chain1), s11 = DPV_LOAD(chain1 + 8);
  if (width == 16) {
    for (size_t i = 0; i < rows; i += 4, at += 4 * ld) {
      const DPV_T c0 = DPV_SET(c[i]);
      if (is_f32) { /* prefetching rows of double gains nothing */
        dpv_ahead(x, at + DPL_ROWS * ld, is_f32);
        dpv_ahead(x, at + (DPL_ROWS + 1) * ld, is_f32);
      }
      s00 = DPV_FMA(c0, dpv_row(x, at, is_f32), s00);
      s01 = DPV_FMA(c0, dpv_row(x, at + 8, is_f32), s01);
      if (i + 1 < rows) {
        const DPV_T c1 = DPV_SET(c[i + 1]);
        s10 = DPV_FMA(c1, dpv_row(x, at + ld, is_f32), s10);
        s11 = DPV_FMA(c1, dpv_row(x, at + ld + 8, is_f32), s11);
      }
    }
  } else {
    const size_t low = width < 8 ? width : 8, high = width - low;
    for (size_t i = 0; i < rows; i += 4, at += 4 * ld) {
      const DPV_T c0 = DPV_SET(c[i]);
      s00 = DPV_FMA(c0, dpv_some(x, at, low, is_f32), s00);
      if (high) s01 = DPV_FMA(c0, dpv_rest(x, at + 8, high, is_f32), s01);
      if (i + 1 < rows) {
        const DPV_T c1 = DPV_SET(c[i + 1]);
        s10 = DPV_FMA(c1, dpv_some(x, at + ld, low, is_f32), s10);
        if (high) s11 = DPV_FMA(c1, dpv_rest(x, at + ld + 8, high, is_f32), s11);
      }
    }
  }
  DPV_STORE(chain0, s00);
  DPV_STORE(chain0 + 8, s01);
  DPV_STORE(chain1, s10);
  DPV_STORE(chain1 + 8, s11);
}

/* g[k] = sum over i < n of c[i] factor[i] x[i ld + k], k < d; factor NULL: of c[i] x[i ld + k]. */
DPPAIR_FORCE_INLINE_ void dpv_combine(double *g, const void *x, size_t n, size_t d, size_t ld,
                                      const double *c, const double *factor, int is_f32) {
  for (size_t k0 = 0; k0 < d; k0 += DPL_CHUNK) {
    /* The last columns have their own call. In one loop with the others, clang 14 at -O1 does not
     * terminate for a constant d of 3, 4 or 5. */
    const size_t columns = d - k0 > DPL_CHUNK ? DPL_CHUNK : d - k0;
    const size_t rest = columns % 16, whole = columns - rest;
    double chain[4][DPL_CHUNK];
    memset(chain, 0, sizeof chain);
    for (size_t i = 0; i < n; i += DPL_ROWS) {
      const size_t rows = n - i > DPL_ROWS ? DPL_ROWS : n - i;
      const double *of = c + i;
      double scaled[DPL_ROWS];
      if (factor) {
        for (size_t r = 0; r < rows; r++) scaled[r] = c[i + r] * factor[i + r];
        of = scaled;
      }
      for (size_t r = 0; r < 4 && r < rows; r += 2) {
        const size_t at = (i + r) * ld + k0;
        for (size_t k = 0; k < whole; k += 16)
          dpv_chains(chain[r] + k, chain[r + 1] + k, x, at + k, ld, of + r, rows - r, 16, is_f32);
        if (rest)
          dpv_chains(chain[r] + whole, chain[r + 1] + whole, x, at + whole, ld, of + r, rows - r,
                     rest, is_f32);
      }
    }
    for (size_t k = 0; k < columns; k++)
      g[k0 + k] = (chain[0][k] + chain[2][k]) + (chain[1][k] + chain[3][k]);
  }
}

/* The functions that rows/template.h calls. */
#if DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
DPPAIR_API void dppair_combine_ROW_TIER(double *g, const DPL_X *x, size_t n, size_t d, size_t ld,
                                        const double *c, const double *factor) {
  dpv_combine(g, x, n, d, ld, c, factor, 1);
}
#else
DPPAIR_API void dppair_combine_f64_TIER(double *g, const double *x, size_t n, size_t d, size_t ld,
                                        const double *c, const double *factor) {
  dpv_combine(g, x, n, d, ld, c, factor, 0);
}
DPPAIR_API void dppair_combine_f32_TIER(double *g, const float *x, size_t n, size_t d, size_t ld,
                                        const double *c, const double *factor) {
  dpv_combine(g, x, n, d, ld, c, factor, 1);
}
#endif
#undef DPL_CHUNK
#undef DPL_ROWS
