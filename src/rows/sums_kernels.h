/* ------------------------------------------------------------------------------------------------
 * Rows times coefficients, summed exactly: the kernels
 *
 * An addend c x is computed as t = c x + magic, magic = 1.5 2^52 unit, in one fused operation: t is
 * magic plus c x rounded to a multiple of unit, ties to even, and the bits of t are those of magic
 * plus that multiple. They are added as integers. That holds while |c x| <= 2^51 unit; the bits of
 * other numbers, NaN too, are added as well, and the sum is then no sum, but nothing is undefined.
 * On the 128-bit tier of x86 the product is rounded first: t is off by 5/8 of a unit then, not 1/2.
 * ---------------------------------------------------------------------------------------------- */

#define DPL_CHUNK 128  /* columns whose sums are kept at a time */
#define DPL_ROWS 32    /* rows that stay in the nearest cache while all these columns pass */
#define DPL_FLUSH 2048 /* rows whose sums of multiples below 2^51 fit in 63 bits */

/* sum[0..8 vectors) += the bits of c[i] x + magic over `rows` rows from x[at] on; of the last
 * vector only `last` columns are there. `vectors` is a constant of the caller, and `last` is 8 or
 * it is less and vectors is 1. */
DPPAIR_FORCE_INLINE_ void dpv_ticks(uint64_t *sum, const void *x, size_t at, size_t ld,
                                    const double *c, size_t rows, int vectors, size_t last,
                                    double magic, int is_f32) {
  const DPV_T m = DPV_SET(magic);
  DPV_T s[4];
  DPV_UNROLL_
  for (int v = 0; v < vectors; v++) s[v] = DPV_LOAD_BITS(sum + 8 * v);
  if (last < 8) {
    for (size_t i = 0; i < rows; i++, at += ld)
      s[0] = DPV_ADD_BITS(s[0], DPV_FMA(DPV_SET(c[i]), dpv_rest(x, at, last, is_f32), m));
  } else {
    for (size_t i = 0; i < rows; i++, at += ld) {
      const DPV_T of = DPV_SET(c[i]);
      DPV_UNROLL_
      for (int v = 0; v < vectors; v++) { /* prefetching rows of double gains nothing */
        if (is_f32 && v % 2 == 0) dpv_ahead(x, at + DPL_ROWS * ld + 8 * (size_t)v, is_f32);
        s[v] = DPV_ADD_BITS(s[v], DPV_FMA(of, dpv_row(x, at + 8 * (size_t)v, is_f32), m));
      }
    }
  }
  DPV_UNROLL_
  for (int v = 0; v < vectors; v++) DPV_STORE_BITS(sum + 8 * v, s[v]);
}

/* The same for `columns` <= DPL_CHUNK columns. */
DPPAIR_FORCE_INLINE_ void dpv_tick_rows(uint64_t *sum, const void *x, size_t at, size_t ld,
                                        const double *c, size_t rows, size_t columns, double magic,
                                        int is_f32) {
  size_t k = 0;
  for (; k + 32 <= columns; k += 32)
    dpv_ticks(sum + k, x, at + k, ld, c, rows, 4, 8, magic, is_f32);
  for (; k + 16 <= columns; k += 16)
    dpv_ticks(sum + k, x, at + k, ld, c, rows, 2, 8, magic, is_f32);
  for (; k + 8 <= columns; k += 8) dpv_ticks(sum + k, x, at + k, ld, c, rows, 1, 8, magic, is_f32);
  if (k < columns) dpv_ticks(sum + k, x, at + k, ld, c, rows, 1, columns - k, magic, is_f32);
}

/* of[0..8) = n <= 8 coefficients held within +-most, times their factors (NULL: all 1), rounded;
 * then zeros. */
DPPAIR_FORCE_INLINE_ void dpv_held_products(double *of, const double *c, const double *factor,
                                            size_t n, double most) {
  const DPV_T v = n == 8 ? DPV_LOAD(c) : DPV_LOADN(c, n, 0.0);
  const DPV_T held = DPV_MAX(DPV_MIN(v, DPV_SET(most)), DPV_SET(-most));
  if (!factor)
    DPV_STORE(of, held);
  else
    DPV_STORE(of, DPV_MUL(held, n == 8 ? DPV_LOAD(factor) : DPV_LOADN(factor, n, 0.0)));
}

/* words[2k], words[2k + 1]: an integer of 128 bits, += the sum over i < n of c[i] factor[i] x[i ld
 * + k] in units, k < d. Coefficients beyond +-most count as that; their product with the factor is
 * rounded. */
DPPAIR_FORCE_INLINE_ void dpv_sum_rows(uint64_t *words, const void *x, size_t n, size_t d,
                                       size_t ld, const double *c, const double *factor,
                                       double magic, double most, int is_f32) {
  const uint64_t zero = dppair_bits_f64_(magic);
  for (size_t begin = 0; begin < n; begin += DPL_FLUSH) {
    const size_t end = n - begin > DPL_FLUSH ? begin + DPL_FLUSH : n;
    for (size_t k0 = 0; k0 < d; k0 += DPL_CHUNK) {
      const size_t columns = d - k0 > DPL_CHUNK ? DPL_CHUNK : d - k0;
      uint64_t sum[DPL_CHUNK];
      for (size_t k = 0; k < DPL_CHUNK; k++) sum[k] = 0 - zero * (uint64_t)(end - begin);
      for (size_t i = begin; i < end; i += DPL_ROWS) {
        const size_t rows = end - i > DPL_ROWS ? DPL_ROWS : end - i;
        double of[DPL_ROWS];
        for (size_t r = 0; r < rows; r += 8)
          dpv_held_products(of + r, c + i + r, factor ? factor + i + r : NULL,
                            rows - r < 8 ? rows - r : 8, most);
        dpv_tick_rows(sum, x, i * ld + k0, ld, of, rows, columns, magic, is_f32);
      }
      for (size_t k = 0; k < columns; k++) dppair_word_add_(words + 2 * (k0 + k), sum[k]);
    }
  }
}

/* The functions that rows/template.h calls. */
#if DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
DPPAIR_API void dppair_sum_ROW_TIER(uint64_t *words, const DPL_X *x, size_t n, size_t d, size_t ld,
                                    const double *c, const double *factor, double magic,
                                    double most) {
  dpv_sum_rows(words, x, n, d, ld, c, factor, magic, most, 1);
}
#else
DPPAIR_API void dppair_sum_f64_TIER(uint64_t *words, const double *x, size_t n, size_t d, size_t ld,
                                    const double *c, const double *factor, double magic,
                                    double most) {
  dpv_sum_rows(words, x, n, d, ld, c, factor, magic, most, 0);
}
DPPAIR_API void dppair_sum_f32_TIER(uint64_t *words, const float *x, size_t n, size_t d, size_t ld,
                                    const double *c, const double *factor, double magic,
                                    double most) {
  dpv_sum_rows(words, x, n, d, ld, c, factor, magic, most, 1);
}
#endif
#undef DPL_CHUNK
#undef DPL_ROWS
#undef DPL_FLUSH
