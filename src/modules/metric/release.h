/* ------------------------------------------------------------------------------------------------
 * Releases of an instance's forms
 *
 * As NAME_release (release/template.h), of metrics, factors and similarities.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* As NAME_release_work_, of a form. */
DPPAIR_OUT_OF_LINE_ dppair_status DPPAIR_NAME_release_form_work_(double *g, dppair_form form,
                                                                 const DPPAIR_ROWS_ *rows,
                                                                 const double *w, size_t k,
                                                                 double offset,
                                                                 const dppair_options *options) {
  return DPPAIR_NAME_form_gradient(g, form, rows, w, k, offset, options);
}

/* The public checks of NAME_release_form, and its noise. */
DPPAIR_API dppair_status DPPAIR_NAME_release_form_open_(dppair_release_terms_ *terms,
                                                        const dppair_release *release,
                                                        dppair_form form, const DPPAIR_ROWS_ *rows,
                                                        const double *w, size_t k, double offset,
                                                        const dppair_options *options) {
  dppair_bounds bounds;
  size_t needed, most;
  dppair_status status = DPPAIR_NAME_release_units_(&most, release, rows, options, 1);
  if (status != DPPAIR_OK) return status;
  if (!w || !options || (rows->n && (!rows->x || !rows->y))) return DPPAIR_ERR_NULL;
  if (!DPPAIR_WEIGHTS && dppair_all_alike_(rows->weight, options) != DPPAIR_OK)
    return DPPAIR_ERR_NO_PROOF;
  if (rows->weight && options->clip) return DPPAIR_ERR_NO_PROOF;
  if (rows->d == 0 || k == 0 || rows->ld < rows->d || rows->nulls > rows->n) return DPPAIR_ERR_SIZE;
  status = DPT_ROWS_SHORT(rows);
  if (status != DPPAIR_OK) return status;
  if (form != DPPAIR_FORM_FACTOR && k != rows->d) return DPPAIR_ERR_DOMAIN;
  if (release->sampling.kind == DPPAIR_MATCHING) return DPPAIR_ERR_NO_PROOF;
  status = DPPAIR_NAME_form_workspace(&needed, most < 2 ? 2 : most, rows->d, k, options);
  if (status == DPPAIR_OK && options->bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK && !options->work) status = DPPAIR_ERR_NULL;
  if (status != DPPAIR_OK) return status;
  terms->bytes = needed;
  memset(&bounds, 0, sizeof bounds);
  bounds.radius = rows->radius;
  bounds.param_radius = dppair_release_norm_(w, rows->d * k, 0);
  bounds.offset = offset;
  if (!dppair_isfinite_f64(bounds.param_radius) || !dppair_isfinite_f64(offset))
    return DPPAIR_ERR_NOT_FINITE;
  status = DPPAIR_NAME_form_sensitivity(&terms->sensitivity, form, k, rows->d, &bounds,
                                        &release->sampling, options);
  if (status != DPPAIR_OK) return status;
  if (form != DPPAIR_FORM_FACTOR) /* packing rounds each number by 3 units of a sum within n S */
    terms->sensitivity *= 1.0 + (4.0 * (double)release->sampling.n + 4.0) * DBL_EPSILON;
  return DPPAIR_NAME_price_(terms, release, rows->d * k, bounds.radius * bounds.radius,
                            DPPAIR_NAME_release_nulls_(release, rows, options, 1), options);
}

/* The end of a form's release: a sum g[d][k] is divided and gets its noise, in d(d+1)/2 coordinates
 * where it is symmetric; it is zeroed if it failed. */
DPPAIR_API dppair_status DPPAIR_NAME_release_matrix_(double *g, dppair_form form, size_t d,
                                                     size_t k, dppair_release *release,
                                                     dppair_status status) {
  if (form == DPPAIR_FORM_FACTOR || status != DPPAIR_OK)
    return dppair_release_sum_(g, d * k, release, status);
  dppair_release_pack_(g, k);
  status = dppair_release_sum_(g, k * (k + 1) / 2, release, status);
  if (status == DPPAIR_OK)
    dppair_release_unpack_(g, k);
  else
    memset(g, 0, d * k * sizeof *g);
  return status;
}

/*
 * g[d][k] = the gradient of NAME_form_gradient, divided by the divisor of the plan's sampling, with
 * the noise of this step. That gradient counts each pair once and the divisor counts both orders:
 * it is half of the mean over ordered pairs, and so is its sensitivity. The gradient of a metric W
 * or a similarity is symmetric; its noise is added in d(d+1)/2 coordinates in which norms are those
 * of the matrix, and the result is symmetric: less noise than in d^2 numbers.
 *
 *   rows      with labels y, which may be private: those that are not finite are one class, and
 *             none causes an error; else as for NAME_release. A batch of fewer than two records has
 *             the gradient 0
 *   w, k, offset, pass   as NAME_form_gradient takes them; work: NAME_form_workspace of n records,
 *             also where the plan draws a random number of them
 *
 * S is NAME_form_sensitivity at rows->radius, the Frobenius norm of w and the offset. Errors zero
 * g: those of NAME_release; DOMAIN (k is not d), SIZE (k = 0).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_form(
    double *g, dppair_release *release, dppair_form form, const DPPAIR_ROWS_ *rows, const double *w,
    size_t k, double offset, const dppair_options *options) {
  dppair_release_terms_ terms;
  size_t size;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  size = dppair_area_(rows->d, k);
  status = dppair_array_(g, size);
  if (status != DPPAIR_OK) return status;
  if (size) memset(g, 0, size * sizeof *g);
  status = DPPAIR_NAME_release_form_open_(&terms, release, form, rows, w, k, offset, options);
  if (status == DPPAIR_OK)
    status = dppair_release_apart_(g, size, options->work, &terms, w, size * sizeof *w);
  if (status == DPPAIR_OK) status = dppair_rows_apart_ROW_(g, size, rows);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  if (rows->n > 1) status = DPPAIR_NAME_release_form_work_(g, form, rows, w, k, offset, options);
  status = DPPAIR_NAME_release_matrix_(g, form, rows->d, k, release, status);
  return dppair_release_forget_(options->work, &terms, status);
}

DPPAIR_FP_END_
