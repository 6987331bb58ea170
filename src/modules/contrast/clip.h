/* ------------------------------------------------------------------------------------------------
 * A softmax over the batch with each similarity clipped: the gradient
 *
 * Public functions, written NAME_x in comments and DPPAIR_NAME_x in the code. The loss and what is
 * clipped stand in clip_state.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The temperatures of a softmax whose similarities are clipped. Below, the terms of a row could all
 * underflow; and the sensitivity says nothing long before. */
#define DPT_COLDEST 0.00390625
#define DPT_HOTTEST 1048576.0
#define DPT_MOST 1e280 /* of squared norms of a row and an embedding */

/* The public checks, and the sizes, of *s for n records. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_softmax_open_(DPPAIR_NAME_softmax_ *s, size_t *bytes, size_t n, size_t d, size_t k,
                          const dppair_options *options) {
  memset(s, 0, sizeof *s);
  *bytes = 0;
  if (!options) return DPPAIR_ERR_NULL;
  if (options->tasks && options->tasks->count == 0) return DPPAIR_ERR_SIZE;
  if (options->groups) return DPPAIR_ERR_NO_PROOF;
  if (d == 0 || k == 0 || 64.0 * ((double)d + (double)k + 16.0) * DBL_EPSILON > 1.0)
    return DPPAIR_ERR_SIZE;
  s->n = n;
  s->d = d;
  s->k = k;
  s->blocks = n / DPT_SIDE + (n % DPT_SIDE > 0);
  s->parts = options->tasks ? options->tasks->count : 1;
  *bytes = DPPAIR_NAME_softmax_layout_(s, NULL);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* *bytes = the workspace of NAME_softmax_gradient and NAME_release_softmax for n records of d
 * numbers and a map to k, of which options->tasks is read: that of 2 n (d + 3 k) numbers and a
 * little. Errors zero it: NULL, SIZE (d or k is 0; parts 0), NO_PROOF (groups), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_softmax_workspace(
    size_t *bytes, size_t n, size_t d, size_t k, const dppair_options *options) {
  DPPAIR_NAME_softmax_ s;
  return bytes ? DPPAIR_NAME_softmax_open_(&s, bytes, n, d, k, options) : DPPAIR_ERR_NULL;
}

/* The tasks: strips that begin in a part. Index 0 and 1 of the strips are the sides. */
DPPAIR_API void DPPAIR_NAME_softmax_map_part_(void *context, size_t part) {
  const DPPAIR_NAME_softmax_ *s = (const DPPAIR_NAME_softmax_ *)context;
  const size_t end = dppair_part_begin_(2 * s->blocks, part + 1, s->parts);
  size_t b;
  for (b = dppair_part_begin_(2 * s->blocks, part, s->parts); b < end; b++)
    DPPAIR_DISPATCH_(DPPAIR_NAME_softmax_map, (s, b / s->blocks, b % s->blocks));
}
DPPAIR_API void DPPAIR_NAME_softmax_totals_part_(void *context, size_t part) {
  const DPPAIR_NAME_softmax_ *s = (const DPPAIR_NAME_softmax_ *)context;
  const size_t end = dppair_part_begin_(s->blocks, part + 1, s->parts);
  double *tile = s->tile + part * (3 * DPT_SIDE * DPT_SIDE);
  size_t b;
  for (b = dppair_part_begin_(s->blocks, part, s->parts); b < end; b++)
    DPPAIR_DISPATCH_(DPPAIR_NAME_softmax_totals, (s, b, tile));
}
DPPAIR_API void DPPAIR_NAME_softmax_strip_part_(void *context, size_t part) {
  const DPPAIR_NAME_softmax_ *s = (const DPPAIR_NAME_softmax_ *)context;
  const size_t end = dppair_part_begin_(2 * s->blocks, part + 1, s->parts);
  double *tile = s->tile + part * (3 * DPT_SIDE * DPT_SIDE);
  size_t b;
  for (b = dppair_part_begin_(2 * s->blocks, part, s->parts); b < end; b++)
    DPPAIR_DISPATCH_(DPPAIR_NAME_softmax_strip, (s, b / s->blocks, b % s->blocks, tile));
}

/* g[d][k] = X^T dz of both sides, record by record. */
DPPAIR_API void DPPAIR_NAME_softmax_sum_(double *g, const DPPAIR_NAME_softmax_ *s) {
  size_t side, i, f, c;
  for (side = 0; side < 2; side++)
    for (i = 0; i < s->n; i++) {
      const double *x = s->x[side] + i / DPT_SIDE * s->d * DPT_SIDE + i % DPT_SIDE;
      const double *dz = s->dz[side] + i / DPT_SIDE * s->k * DPT_SIDE + i % DPT_SIDE;
      double *row = s->zr[side] + i * s->k;
      for (c = 0; c < s->k; c++) row[c] = dz[c * DPT_SIDE];
      for (f = 0; f < s->d; f++)
        for (c = 0; c < s->k; c++) g[f * s->k + c] += x[f * DPT_SIDE] * row[c];
    }
}

/* The checks of NAME_softmax_gradient that read no record; lays out the workspace. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_softmax_check_(
    DPPAIR_NAME_softmax_ *s, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const double *w,
    size_t k, double temperature, const dppair_options *options) {
  size_t bytes, least;
  dppair_status status;
  if (!others || !w || !options) return DPPAIR_ERR_NULL;
  if (rows->n && (!rows->x || !others->x)) return DPPAIR_ERR_NULL;
  if (others->n != rows->n || others->d != rows->d || rows->ld < rows->d || others->ld < rows->d ||
      rows->nulls > rows->n || others->nulls != rows->nulls)
    return DPPAIR_ERR_SIZE;
  if (dppair_area_(dppair_area_(rows->n, rows->ld), 8) == SIZE_MAX ||
      dppair_area_(dppair_area_(others->n, others->ld), 8) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  if (rows->weight || others->weight) return DPPAIR_ERR_NO_PROOF;
  status = DPPAIR_NAME_softmax_open_(s, &bytes, rows->n, rows->d, k, options);
  if (status == DPPAIR_OK && rows->nulls > 0) /* there is room for all, and less is needed */
    status = DPPAIR_NAME_softmax_open_(s, &least, rows->n - rows->nulls, rows->d, k, options);
  if (status != DPPAIR_OK) return status;
  if (dppair_clip_check_(options) != DPPAIR_OK) return DPPAIR_ERR_WORKSPACE;
  if (!dppair_isfinite_f64(temperature) || !dppair_all_finite_f64(w, rows->d * k))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(temperature >= DPT_COLDEST && temperature <= DPT_HOTTEST)) return DPPAIR_ERR_DOMAIN;
  if (!options->clip) return DPPAIR_ERR_NO_PROOF;
  if (!(options->clip->bound >= 1e-90 && options->clip->bound <= 1e90)) return DPPAIR_ERR_DOMAIN;
  if (options->bytes < bytes) return DPPAIR_ERR_WORKSPACE;
  if (!options->work) return DPPAIR_ERR_NULL;
  s->w = w;
  s->scale = 1.0 / temperature;
  s->reach = s->scale * (1.0 - DBL_EPSILON);
  s->clip = options->clip->bound * (1.0 - 8.0 * DBL_EPSILON);
  s->margin = 8.0 * ((double)s->d + (double)k + 16.0) * DBL_EPSILON;
  (void)DPPAIR_NAME_softmax_layout_(s, dppair_align_(options->work));
  return DPPAIR_OK;
}

/* The work of NAME_softmax_gradient. NOT_FINITE. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_softmax_run_(double *g,
                                                                    DPPAIR_NAME_softmax_ *s,
                                                                    const DPPAIR_ROWS_ *rows,
                                                                    const DPPAIR_ROWS_ *others,
                                                                    const dppair_options *options) {
  dppair_executor *run =
      options->tasks && options->tasks->run ? options->tasks->run : dppair_run_serial;
  void *self = options->tasks ? options->tasks->self : NULL;
  const size_t padded = s->blocks * DPT_SIDE;
  double x = 0.0, z = 0.0;
  size_t side, i;
  DPPAIR_NAME_softmax_pack_(s, 0, rows);
  DPPAIR_NAME_softmax_pack_(s, 1, others);
  run(DPPAIR_NAME_softmax_map_part_, s, s->parts, self);
  for (side = 0; side < 2; side++) {
    if (!dppair_all_finite_f64(s->x2[side], padded) || !dppair_all_finite_f64(s->z2[side], padded))
      return DPPAIR_ERR_NOT_FINITE;
    for (i = 0; i < padded; i++) {
      x = s->x2[side][i] > x ? s->x2[side][i] : x;
      z = s->z2[side][i] > z ? s->z2[side][i] : z;
    }
  }
  if (!(x * z <= DPT_MOST)) return DPPAIR_ERR_OVERFLOW;
  run(DPPAIR_NAME_softmax_totals_part_, s, s->parts, self);
  run(DPPAIR_NAME_softmax_strip_part_, s, s->parts, self);
  DPPAIR_NAME_softmax_sum_(g, s);
  return DPPAIR_OK;
}

/*
 * g[d][k] = the gradient in w of a softmax over the batch, summed over the anchors, the gradient of
 * each similarity being shortened to options->clip in Frobenius norm: see clip_state.h. NOT
 * PRIVATE: NAME_release_softmax adds noise.
 *
 *   rows, others   n rows of d numbers each, with their factors: row i of both is record i, an
 *                  anchor and its positive; null records last, as many in both
 *   w              d x k, finite
 *   temperature    1/256 to 2^20; useful for privacy where it is of order 1
 *   options        clip: of dppair_clip_init; parts; work: NAME_softmax_workspace. params and
 *                  fast are not read
 *
 * Products and sums are in double for both types of rows, about 2 n^2 (2 d + 5 k) multiplications.
 * The same bits for any number of parts. No records: 0.
 *
 * Errors zero g: NULL; SIZE (the two blocks differ, nulls > n, d or k is 0, ld < d, parts 0);
 * NOT_FINITE (w, temperature; or a row or its embedding); DOMAIN (temperature; a clip beyond
 * 1e-90 to 1e90); NO_PROOF (no clip; weights; groups); OVERFLOW (sizes; a row and an embedding
 * longer than 1e140 together); WORKSPACE (also a clip that is not made), ENVIRONMENT.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_softmax_gradient(
    double *g, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const double *w, size_t k,
    double temperature, const dppair_options *options) {
  DPPAIR_NAME_softmax_ s;
  size_t size;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  size = dppair_area_(rows->d, k);
  status = dppair_array_(g, size);
  if (status != DPPAIR_OK) return status;
  if (size) memset(g, 0, size * sizeof *g);
  status = DPPAIR_NAME_softmax_check_(&s, rows, others, w, k, temperature, options);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK) status = DPPAIR_NAME_softmax_run_(g, &s, rows, others, options);
  if (status != DPPAIR_OK && size) memset(g, 0, size * sizeof *g);
  return status;
}

#undef DPT_COLDEST
#undef DPT_HOTTEST
#undef DPT_MOST
#undef DPT_SIDE

DPPAIR_FP_END_
