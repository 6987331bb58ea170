/* ------------------------------------------------------------------------------------------------
 * The gradient of a row-wise loss in a linear map
 *
 * For any instance that has NAME_contrast_gradient and NAME_contrast_workspace.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The workspace of a map: the embeddings of both sides and their gradients, w in the type of the
 * instance, scratch, and the rest for NAME_contrast_gradient. */
typedef struct DPPAIR_NAME_contrast_map_ {
  DPPAIR_REAL *w, *x, *left, *z[2], *dz[2];
  double *xd, *h, *g;
  char *rest;
} DPPAIR_NAME_contrast_map_;

/* Sets the arrays to their places in the workspace at base (NULL: to NULL), of which the last has
 * `inner` bytes, and returns the bytes used, 64 of them for alignment; SIZE_MAX on overflow. */
DPPAIR_OUT_OF_LINE_ size_t DPPAIR_NAME_contrast_map_layout_(DPPAIR_NAME_contrast_map_ *m,
                                                            char *base, size_t n, size_t others,
                                                            size_t d, size_t k, size_t inner) {
  const size_t real = sizeof(DPPAIR_REAL), f64 = sizeof(double), width = dppair_whole_kernels_(k);
  size_t used = 0;
#define DPT_TAKE(field, a, b, size, type)                                                          \
  m->field = (type *)dppair_take_(base, &used, dppair_area_(a, b), size)
  DPT_TAKE(w, d, k, real, DPPAIR_REAL);
  DPT_TAKE(x, d, DPT_W, real, DPPAIR_REAL);
  DPT_TAKE(left, k, DPT_W, real, DPPAIR_REAL);
  DPT_TAKE(z[0], n, k, real, DPPAIR_REAL);
  DPT_TAKE(z[1], others, k, real, DPPAIR_REAL);
  DPT_TAKE(dz[0], n, k, real, DPPAIR_REAL);
  DPT_TAKE(dz[1], others, k, real, DPPAIR_REAL);
  DPT_TAKE(xd, d, DPT_W, f64, double);
  DPT_TAKE(h, width, DPT_W, f64, double);
  DPT_TAKE(g, d, width, f64, double);
  DPT_TAKE(rest, inner, 1, 1, char);
#undef DPT_TAKE
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* *bytes = the workspace of NAME_contrast_map_gradient for n rows of d numbers and `others` more in
 * a second block (0: one set), and a map of d rows of k numbers; with an angle, `others` as for
 * NAME_contrast_workspace. Of the options the number of parts is read; NULL: one. Errors zero
 * *bytes: NULL, SIZE, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_map_workspace(
    size_t *bytes, size_t n, size_t others, size_t d, size_t k, const dppair_options *options) {
  DPPAIR_NAME_contrast_map_ m;
  size_t inner;
  dppair_status status;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (d < 1) return DPPAIR_ERR_SIZE;
  status = DPPAIR_NAME_contrast_workspace(&inner, n, others, k, options);
  if (status != DPPAIR_OK) return status;
  *bytes = DPPAIR_NAME_contrast_map_layout_(&m, NULL, n, others, d, k, inner);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* Checks one side's rows as far as the map reads them. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_mapped_(const DPPAIR_ROWS_ *rows,
                                                                        size_t d) {
  if (rows->d != d || rows->ld < d || rows->nulls > rows->n) return DPPAIR_ERR_SIZE;
  if (dppair_area_(dppair_area_(rows->n, rows->ld), 8) == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if (rows->n && !rows->x) return DPPAIR_ERR_NULL;
  return rows->weight ? DPPAIR_ERR_NO_PROOF : DPPAIR_OK;
}

/*
 * g[d][k] = the gradient, with respect to w[d][k], of the sum of the losses of the embeddings W^T x
 * of the rows times their factors and, where there is a second block, of the others by the same
 * map. Everything else is that of NAME_contrast_gradient. Products of the map are in the type of
 * the instance, w rounded to it; X^T dz is summed in double.
 *
 * Errors zero g: those of NAME_contrast_gradient, SIZE (k < 1), NULL (w), NOT_FINITE (w).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_map_gradient(
    double *g, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const double *w, size_t k,
    const dppair_contrast *how, const dppair_options *options) {
  const size_t size = rows ? dppair_area_(rows->d, k) : 0, width = dppair_whole_kernels_(k);
  const DPPAIR_ROWS_ *side[2];
  DPPAIR_ROWS_ z[2], some[2];
  DPPAIR_NAME_contrast_map_ m;
  dppair_options inner;
  size_t needed, e, f;
  dppair_status status = dppair_array_(g, size);
  if (status != DPPAIR_OK) return status;
  if (size) memset(g, 0, size * sizeof *g);
  if (!rows || !w || !options) return DPPAIR_ERR_NULL;
  side[0] = rows;
  side[1] = others;
  status = DPPAIR_NAME_contrast_map_workspace(&needed, rows->n, others ? others->n : 0, rows->d, k,
                                              options);
  for (e = 0; e < 2 && status == DPPAIR_OK; e++)
    if (side[e]) status = DPPAIR_NAME_contrast_mapped_(side[e], rows->d);
  if (status == DPPAIR_OK && !options->work) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK && options->bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK && !dppair_all_finite_f64(w, size)) status = DPPAIR_ERR_NOT_FINITE;
  if (status != DPPAIR_OK) return status;
  for (e = 0; e < 2 && side[e]; e++) {
    some[e] = DPT_PRESENT(side[e]);
    side[e] = some + e;
  }
  (void)DPPAIR_NAME_contrast_map_layout_(&m, dppair_align_(options->work), some[0].n,
                                         others ? some[1].n : 0, rows->d, k, 0);
  inner = *options;
  inner.work = m.rest;
  inner.bytes = options->bytes - (size_t)(m.rest - (char *)options->work);
  for (e = 0; e < size; e++) m.w[e] = (DPPAIR_REAL)w[e];
  for (e = 0; e < 2 && side[e]; e++) {
    z[e] = *side[e];
    z[e].x = m.z[e];
    z[e].d = z[e].ld = k;
    z[e].factor = NULL;
    z[e].radius = 0.0;
    DPPAIR_DISPATCH_(DPPAIR_NAME_contrast_embed_, (m.z[e], side[e], m.w, k, m.x, m.left));
  }
  status = DPPAIR_NAME_contrast_gradient(m.dz[0], others ? m.dz[1] : NULL, &z[0],
                                         others ? &z[1] : NULL, how, &inner);
  if (status != DPPAIR_OK) return status;
  memset(m.g, 0, rows->d * width * sizeof *m.g);
  for (e = 0; e < 2 && side[e]; e++) {
    DPPAIR_DISPATCH_(DPPAIR_NAME_contrast_gather_,
                     (m.g, side[e], m.dz[e], k, width, m.x, m.xd, m.h));
  }
  for (f = 0; f < rows->d; f++)
    for (e = 0; e < k; e++) g[f * k + e] = m.g[f * width + e];
  return dppair_finish_(g, size);
}

DPPAIR_FP_END_
