/* ------------------------------------------------------------------------------------------------
 * The objective of a fit at a point: value, gradient, Hessian
 *
 * Records pass by in tiles of 64, each read once. What is summed are COPIES of the rows, u_i = y_i
 * f_i x_i with the factor that dppair_rows_clip finds: the objective is that of these copies, whose
 * norm is at most radius (1 + 2^-52), whatever x holds. A row with a number that is not finite
 * counts as 0, as does one that is 2^512 times too long.
 * ---------------------------------------------------------------------------------------------- */

/* Three vectors: rows of dppair_gram_f64 are padded to a multiple. */
#define DPPAIR_GRAM_WIDTH_ ((size_t)24)

DPPAIR_FP_BEGIN_

/* A fit under way; the arrays are in the caller's workspace. */
typedef struct dppair_fit_ {
  dppair_margin_problem of;
  const double *x, *b;                  /* b: d numbers, or NULL for 0 */
  size_t ld, pitch;                     /* of rows of x, and of the copies and the Hessian */
  double smooth, width;                 /* L; what the loss is rounded off by now */
  dppair_margin_tolerance error, reach; /* e(w), and where to stop */
  double weight;                        /* of each record: 1, or more where a part stands for all */
  double size;                          /* of the terms of the value that was computed last */
  double *factor, *curvature;           /* n each; factor has the label's sign */
  double *tile, *scaled;                /* of pitch numbers: 64 copies, and psi'' times them */
  double *level;                        /* sums over tiles: of d numbers, 64 of them */
  double *gradient, *trial, *direction, *linear; /* d each; linear: room for a b */
  double *hessian, *chol;                        /* d rows of pitch numbers; d x d */
} dppair_fit_;

/* Sizes and arrays of a fit; base NULL counts only. *used: doubles, SIZE_MAX for an overflow. */
DPPAIR_API void dppair_fit_layout_(dppair_fit_ *fit, double *base, size_t *used) {
  const size_t n = fit->of.n, d = fit->of.d, width = DPPAIR_GRAM_WIDTH_;
  size_t at = 0;
  fit->pitch = d > SIZE_MAX - width ? SIZE_MAX : (d + width - 1) / width * width;
  fit->factor = (double *)dppair_take_((char *)base, &at, n, sizeof(double));
  fit->curvature = (double *)dppair_take_((char *)base, &at, n, sizeof(double));
  fit->tile =
      (double *)dppair_take_((char *)base, &at, fit->pitch, DPPAIR_FIT_TILE_ * sizeof(double));
  fit->scaled =
      (double *)dppair_take_((char *)base, &at, fit->pitch, DPPAIR_FIT_TILE_ * sizeof(double));
  fit->level = (double *)dppair_take_((char *)base, &at, d, DPPAIR_FIT_LEVELS_ * sizeof(double));
  fit->gradient = (double *)dppair_take_((char *)base, &at, d, sizeof(double));
  fit->trial = (double *)dppair_take_((char *)base, &at, d, sizeof(double));
  fit->direction = (double *)dppair_take_((char *)base, &at, d, sizeof(double));
  fit->linear = (double *)dppair_take_((char *)base, &at, d, sizeof(double));
  fit->hessian =
      (double *)dppair_take_((char *)base, &at, dppair_area_(d, fit->pitch), sizeof(double));
  fit->chol = (double *)dppair_take_((char *)base, &at, dppair_area_(d, d), sizeof(double));
  *used = at == SIZE_MAX ? at : at / sizeof(double) + 1;
}

/* Factors of the rows, and the sign of their labels: y > 0 is positive, y NULL all of them. */
DPPAIR_API void dppair_fit_factors_(dppair_fit_ *fit, const double *y) {
  const size_t d = fit->of.d;
  size_t i;
  for (i = 0; i < fit->of.n; i++) {
    double *f = fit->factor + i;
    *f = 0.0; /* where a number is not finite */
    (void)dppair_row_factors_f64_(f, fit->x + i * fit->ld, 1, d, fit->ld, fit->of.radius);
    if (y != NULL && !(y[i] > 0.0)) *f = -*f;
  }
}

/* tile = the copies of `count` rows from row `first` on. */
DPPAIR_API void dppair_fit_copy_(dppair_fit_ *fit, size_t first, size_t count) {
  size_t i, k;
  for (i = 0; i < count; i++) {
    const double f = fit->factor[first + i], *x = fit->x + (first + i) * fit->ld;
    double *u = fit->tile + i * fit->pitch;
    if (f == 0.0)
      memset(u, 0, fit->of.d * sizeof *u);
    else
      for (k = 0; k < fit->of.d; k++) u[k] = f * x[k];
  }
}

/* *value = F(w); leaves the gradient and curvatures behind. */
DPPAIR_API dppair_status dppair_fit_evaluate_(double *value, dppair_fit_ *fit, const double *w) {
  const size_t n = fit->of.n, d = fit->of.d;
  size_t at, i, k, tiles, depth = 0;
  double s[DPPAIR_FIT_TILE_], out[3], sum = 0.0, size;
  dppair_status status = DPPAIR_OK;
  for (at = tiles = 0; at < n && status == DPPAIR_OK; at += DPPAIR_FIT_TILE_) {
    const size_t count = n - at < DPPAIR_FIT_TILE_ ? n - at : DPPAIR_FIT_TILE_;
    const dppair_rows_f64 rows = dppair_rows_make_f64(fit->tile, count, d, fit->pitch);
    dppair_fit_copy_(fit, at, count);
    status = dppair_scores_f64(s, &rows, w);
    if (status != DPPAIR_OK) break;
    for (i = 0; i < count; i++) {
      fit->of.loss.at(out, s[i], fit->width);
      sum += out[0];
      s[i] = out[1];
      fit->curvature[at + i] = fit->weight * out[2];
    }
    status = dppair_combine_f64(fit->level + depth++ * d, &rows, s);
    for (i = ++tiles; i % 2 == 0; i /= 2, depth--) /* two sums of equally many tiles become one */
      for (k = 0; k < d; k++) fit->level[(depth - 2) * d + k] += fit->level[(depth - 1) * d + k];
  }
  if (status != DPPAIR_OK) return status;
  sum *= fit->weight;
  size = dppair_fabs_(sum);
  for (k = 0; k < d; k++) {
    const double linear = fit->b != NULL ? fit->b[k] : 0.0;
    double g = 0.0;
    for (i = depth; i-- > 0;) g += fit->level[i * d + k];
    fit->gradient[k] = fit->weight * g + (linear + fit->of.ridge * w[k]);
    sum += w[k] * (linear + 0.5 * fit->of.ridge * w[k]);
    size += dppair_fabs_(w[k] * linear) + 0.5 * fit->of.ridge * w[k] * w[k];
  }
  fit->size = size;
  *value = sum;
  return DPPAIR_OK;
}

/* Is the gradient at w, where fit was evaluated, within the tolerance, its error counted in? */
DPPAIR_API int dppair_fit_is_reached_(const dppair_fit_ *fit, const double *w) {
  const size_t d = fit->of.d;
  const double up = 1.0 + (double)(d + 8) * DBL_EPSILON, size = dppair_norm_f64(w, d);
  const double left = dppair_norm_f64(fit->gradient, d) * up + fit->error.floor;
  return left + fit->error.share * size <= fit->reach.floor + fit->reach.share * size;
}

/* The lower triangle of sum psi'' u u^T + ridge I at the point that was evaluated last. Returns the
 * mean of its diagonal. */
DPPAIR_API double dppair_fit_hessian_(dppair_fit_ *fit) {
  const size_t n = fit->of.n, d = fit->of.d, pitch = fit->pitch;
  double *h = fit->hessian, mean = 0.0;
  size_t at, i, k;
  memset(h, 0, d * pitch * sizeof *h);
  for (at = 0; at < n; at += DPPAIR_FIT_TILE_) {
    const size_t count = n - at < DPPAIR_FIT_TILE_ ? n - at : DPPAIR_FIT_TILE_;
    dppair_fit_copy_(fit, at, count);
    for (i = 0; i < count; i++)
      for (k = 0; k < d; k++)
        fit->scaled[i * pitch + k] = fit->curvature[at + i] * fit->tile[i * pitch + k];
    DPPAIR_DISPATCH_(dppair_gram_f64, (h, fit->tile, fit->scaled, d, count, pitch));
  }
  for (k = 0; k < d; k++) {
    h[k * pitch + k] += fit->of.ridge;
    mean += h[k * pitch + k] / (double)d;
  }
  return mean;
}

DPPAIR_FP_END_
