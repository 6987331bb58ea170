/* ------------------------------------------------------------------------------------------------
 * The second release: weights by one noisy vector or by a perturbed fit, shrunk, put into the maps
 *
 * Relies on columns.h and release/minimiser.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* w = the mean of y z, each row z weighed by the other class's share, so that a map that is off its
 * middle moves w by nothing, and only then clipped. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_auto_mean_(dppair_auto_room_ *r, double radius,
                                                    double rate) {
  const size_t n = r->n, features = r->c.features;
  dppair_status status = DPPAIR_OK;
  size_t i, k;
  memset(r->w, 0, features * sizeof *r->w);
  for (i = 0; i < n && status == DPPAIR_OK; i++) {
    dppair_auto_row_(r->rows, r, i);
    for (k = 0; k < features; k++) r->rows[k] *= r->y[i] > 0 ? 2 - 2 * rate : 2 * rate;
    status = dppair_project_l2_f64(r->rows, features, radius);
    for (k = 0; k < features; k++) r->w[k] += (r->y[i] > 0 ? r->rows[k] : -r->rows[k]) / (double)n;
  }
  dppair_wipe(r->rows, features * sizeof *r->rows);
  if (status != DPPAIR_OK) dppair_wipe(r->w, features * sizeof *r->w);
  return status;
}

/* Release 2 by one vector: the mean of y z, and noise. Whatever the rate, a record moves it by
 * |y z - y' z'|/n <= 2 radius/n, and rounding by (n + 2) 2^-53 radius at most, once for each of two
 * neighbours. */
DPPAIR_API dppair_status dppair_auto_vector_(dppair_auto_room_ *r, dppair_release *release,
                                             double radius, double rate) {
  const size_t features = r->c.features;
  const double n = (double)r->n, move = 2 * radius / n + radius * (n + 8) * DBL_EPSILON;
  dppair_status status = dppair_auto_mean_(r, radius, rate);
  size_t k;
  if (status == DPPAIR_OK)
    status = dppair_release_vector(r->w, features, release, move * (1 + 16 * DBL_EPSILON));
  for (k = 0; k < features; k++)
    r->sd[k] = release->sigma * (r->c.pure ? dppair_sqrt_((double)features) : 1);
  return status;
}

/* Where the constant's weight is drawn to: towards a balance of the classes, as far as ridge over
 * noise allows (dppair_release_minimiser refuses a pull of more than 512 scales of the noise). */
DPPAIR_API double dppair_auto_centre_(const dppair_margin_loss *loss, double rate, double ratio) {
  const double c = DPPAIR_AUTO_INTERCEPT_, most = 500 / ratio;
  const double margin = dppair_margin_balance(loss, dppair_fmin_(0.98, dppair_fmax_(0.02, rate)));
  return dppair_fmin_(
      most, dppair_fmax_(-most, DPPAIR_AUTO_LEAN_ * margin * dppair_sqrt_(1 + c * c) / c));
}

/* Release 2 by a perturbed fit, on rows with a constant column, whose weight is dropped and whose
 * centre leans towards a balance of the classes. Near the minimiser the noise is divided by the
 * ridge and the curvature, of which a third of the records, those whose slope falls, have 1. */
DPPAIR_API dppair_status dppair_auto_perturbed_(dppair_auto_room_ *r, dppair_release *release,
                                                double radius, double rate) {
  const dppair_margin_loss loss = dppair_margin_soft_hinge();
  const size_t n = r->n, features = r->c.features;
  const double unit = radius * dppair_sqrt_(1 + DPPAIR_AUTO_INTERCEPT_ * DPPAIR_AUTO_INTERCEPT_);
  const double constant = DPPAIR_AUTO_INTERCEPT_ * radius;
  double noise, ridge;
  dppair_status status = DPPAIR_OK;
  size_t i, k;
  for (i = 0; i < n && status == DPPAIR_OK; i++) {
    double *row = r->rows + i * (features + 1);
    dppair_auto_row_(row, r, i);
    status = dppair_project_l2_f64(row, features, radius);
    row[features] = constant;
    for (k = 0; k <= features; k++) row[k] /= unit;
  }
  memset(r->centre, 0, (features + 1) * sizeof *r->centre);
  r->centre[features] = dppair_auto_centre_(&loss, rate, r->c.ratio);
  if (status == DPPAIR_OK)
    status = dppair_release_minimiser(r->w, release, &loss, 1, r->rows, n, features + 1,
                                      features + 1, r->y, r->centre, r->work, r->bytes);
  dppair_wipe(r->rows, dppair_area_(n, features + 1) * sizeof *r->rows);
  noise = release->sigma * (r->c.pure ? dppair_sqrt_((double)(features + 1)) : 1);
  ridge = release->ridge;
  for (k = 0; k < features; k++)
    r->sd[k] = noise / (ridge + (double)n * r->square[k] / (3 * unit * unit));
  return status;
}

/* Draws weights that do not stand out of their own noise towards 0, and the columns of a one-hot
 * group together; of many numeric columns, or polynomials, it is learned how many matter. */
DPPAIR_API dppair_status dppair_auto_shrink_(dppair_auto_room_ *r) {
  const size_t d = r->d, added = r->c.features - d;
  dppair_status status = DPPAIR_OK;
  size_t i;
  for (i = 0; i < r->c.features; i++) {
    const int group = i < d && r->columns[i].kind == DPPAIR_COLUMN_GROUP;
    r->group[i] = group ? r->columns[i].group : SIZE_MAX;
    r->centre[i] = i < d && r->columns[i].kind == DPPAIR_COLUMN_NUMERIC ? r->square[i] : 0;
  }
  if (r->c.numeric >= DPPAIR_AUTO_MANY_)
    status = dppair_shrink_sparse_f64(r->w, r->sd, r->centre, d);
  if (status == DPPAIR_OK && added >= DPPAIR_AUTO_MANY_)
    status = dppair_shrink_sparse_f64(r->w + d, r->sd + d, r->square + d, added);
  if (status != DPPAIR_OK) return status;
  return dppair_shrink_f64(r->w, r->sd, r->square, r->group, r->c.features, r->work, r->bytes);
}

/* Weights into maps: the share of each column. What text cannot hold is 0. */
DPPAIR_API void dppair_auto_maps_(dppair_auto_map *map, const dppair_auto_room_ *r) {
  size_t i, j, k, next = r->d;
  for (j = 0; j < r->d; j++, map++) {
    const dppair_auto_column_ *c = &r->column[j];
    const size_t numeric = r->columns[j].kind == DPPAIR_COLUMN_NUMERIC ? 1 : 0;
    map->knots = c->knots;
    for (i = 0; i < c->knots; i++) {
      map->at[i] = c->at[i];
      map->value[i] = r->w[j] * c->z[0][i];
      for (k = 1; k < r->c.degrees && numeric > 0; k++)
        map->value[i] += r->w[next + (k - 1) * r->c.numeric] * c->z[k][i];
      if (dppair_fabs_(map->value[i]) < 1e-280) map->value[i] = 0;
    }
    next += numeric;
  }
}

DPPAIR_FP_END_
