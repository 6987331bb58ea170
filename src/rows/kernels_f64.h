/* ------------------------------------------------------------------------------------------------
 * Rows of double times a vector; gradients from rows of double or float, summed in double
 *
 * dpv_combine is written once; the constant is_f32 says which of the two types the rows have. A
 * tier may replace dpv_row_end, dpv_rows8 and dpv_sums8 (simd/registers.h); the other chapters of
 * this tier use these three, too.
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

/* The next n <= 8 numbers of a row, then zeros. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_some(const void *x, size_t at, size_t n, int is_f32) {
  return n == 8 ? dpv_row(x, at, is_f32) : dpv_row_end(x, at, n, is_f32);
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
      if (high) s01 = DPV_FMA(c0, dpv_row_end(x, at + 8, high, is_f32), s01);
      if (i + 1 < rows) {
        const DPV_T c1 = DPV_SET(c[i + 1]);
        s10 = DPV_FMA(c1, dpv_some(x, at + ld, low, is_f32), s10);
        if (high) s11 = DPV_FMA(c1, dpv_row_end(x, at + ld + 8, high, is_f32), s11);
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
          dpv_chains(chain[r] + k, chain[r + 1] + k, x, at + k, ld, of + r, rows - r, 16,
                     is_f32);
        if (rest)
          dpv_chains(chain[r] + whole, chain[r + 1] + whole, x, at + whole, ld, of + r, rows - r,
                     rest, is_f32);
      }
    }
    for (size_t k = 0; k < columns; k++)
      g[k0 + k] = (chain[0][k] + chain[2][k]) + (chain[1][k] + chain[3][k]);
  }
}

/* The functions that rows/linear.h calls, for rows of double and of float. */
DPPAIR_API void dppair_combine_f64_TIER(double *g, const double *x, size_t n, size_t d, size_t ld,
                                        const double *c, const double *factor) {
  dpv_combine(g, x, n, d, ld, c, factor, 0);
}
DPPAIR_API void dppair_combine_f32_TIER(double *g, const float *x, size_t n, size_t d, size_t ld,
                                        const double *c, const double *factor) {
  dpv_combine(g, x, n, d, ld, c, factor, 1);
}
#undef DPL_AHEAD
#undef DPL_CHUNK
#undef DPL_ROWS
