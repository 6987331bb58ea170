/* ------------------------------------------------------------------------------------------------
 * Embeddings by a linear map, and back
 *
 * For an instance of a row-wise loss and a tier. It relies on tiles/multiply.h.
 * ---------------------------------------------------------------------------------------------- */

/* z[n][k] = W^T x of the rows times their factors, w[d][k]. x[d][DPT_W], left[k][DPT_W]: scratch.
 */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_embed_TIER_(DPV_R *z, const DPPAIR_ROWS_ *rows,
                                                          const DPV_R *w, size_t k, DPV_R *x,
                                                          DPV_R *left) {
  for (size_t i0 = 0; i0 < rows->n; i0 += DPT_W) {
    const size_t count = rows->n - i0 < DPT_W ? rows->n - i0 : DPT_W;
    memset(x, 0, rows->d * DPT_W * sizeof *x);
    for (size_t l = 0; l < count; l++)
      DPPAIR_NAME_scaled_row_(x + l, DPT_W, rows->x + (i0 + l) * rows->ld, rows->d,
                              rows->factor ? rows->factor[i0 + l] : 1.0);
    dpv_multiply(left, DPT_W, x, DPT_W, w, k, k, rows->d, 0);
    for (size_t l = 0; l < count; l++)
      for (size_t f = 0; f < k; f++) z[(i0 + l) * k + f] = left[f * DPT_W + l];
  }
}

/* g[d][width] += X^T dz in double, over the rows times their factors; width: k rounded up to whole
 * kernels. x[d], xd[DPT_W][d], h[DPT_W][width]: scratch. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_gather_TIER_(double *g, const DPPAIR_ROWS_ *rows,
                                                           const DPV_R *dz, size_t k, size_t width,
                                                           DPV_R *x, double *xd, double *h) {
  const size_t d = rows->d;
  for (size_t i0 = 0; i0 < rows->n; i0 += DPT_W) {
    const size_t count = rows->n - i0 < DPT_W ? rows->n - i0 : DPT_W;
    for (size_t l = 0; l < count; l++) {
      const size_t i = i0 + l;
      DPPAIR_NAME_scaled_row_(x, 1, rows->x + i * rows->ld, d,
                              rows->factor ? rows->factor[i] : 1.0);
      for (size_t f = 0; f < d; f++) xd[l * d + f] = (double)x[f];
      for (size_t f = 0; f < width; f++)
        h[l * width + f] = f < k ? (double)dz[i * k + f] : 0.0;
    }
    for (size_t f = 0; f < width; f += DPPAIR_COLUMNS_)
      dpd_multiply(g + f, width, h + f, width, xd, d, d, count, 1);
  }
}
