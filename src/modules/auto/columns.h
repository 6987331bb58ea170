/* ------------------------------------------------------------------------------------------------
 * The first release, what follows from it for each column, and the rows of features
 *
 * Relies on choice.h and modules/tables/.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* A run: what it was asked, what was decided, and the caller's workspace. */
typedef struct dppair_auto_room_ {
  dppair_auto_choice_ c;
  const double *x, *y;
  size_t n, d;
  const dppair_column *columns;
  dppair_auto_map *map;             /* d, the caller's */
  dppair_auto_column_ *column;      /* d */
  size_t *start, *group;            /* d + 2; of the features */
  dppair_marginals query;           /* release 1, */
  double noise;                     /* the deviation of its noise, */
  double *v, *h, *raw, *deviation;  /* what it says (dppair_marginals_estimate), */
  double *curve;                    /* and of the label (dppair_marginals_classes) */
  double *square, *sd, *w, *centre; /* of the features, and one more */
  double *rows;                     /* n rows of the features, and one more */
  double *work;                     /* of the two releases, one after the other */
  size_t bytes;
} dppair_auto_room_;

/* Takes the arrays from base, and returns their bytes; SIZE_MAX where these overflow. */
DPPAIR_API size_t dppair_auto_take_(dppair_auto_room_ *r, char *base, size_t n, size_t d,
                                    const dppair_column *columns) {
  double **const shares[] = {&r->v, &r->h, &r->raw, &r->deviation};
  double **const sums[] = {&r->square, &r->sd, &r->w, &r->centre};
  size_t used = 0, numbers = 1, numeric = 0, features, j, more = 0;
  for (j = 0; j < d; j++) {
    const int is_numeric = columns[j].kind == DPPAIR_COLUMN_NUMERIC;
    numbers += (size_t)(columns[j].by_class ? 2 : 1) * (is_numeric ? DPPAIR_CELLS_MOST : 1);
    numeric += is_numeric ? 1 : 0;
  }
  features = dppair_auto_features_most_(d, numeric) + 1;
  if (dppair_marginals_estimate_workspace(&r->bytes, d) != DPPAIR_OK) return SIZE_MAX;
  if (features <= DPPAIR_AUTO_FIT_MOST_) {
    if (dppair_minimiser_workspace(&more, n, features) != DPPAIR_OK) return SIZE_MAX;
    if (more > r->bytes) r->bytes = more;
  }
  r->column = (dppair_auto_column_ *)dppair_take_(base, &used, d, sizeof *r->column);
  r->start = (size_t *)dppair_take_(base, &used, d + 2, sizeof *r->start);
  r->group = (size_t *)dppair_take_(base, &used, features, sizeof *r->group);
  for (j = 0; j < sizeof shares / sizeof *shares; j++)
    *shares[j] = (double *)dppair_take_(base, &used, numbers, sizeof **shares[j]);
  for (j = 0; j < sizeof sums / sizeof *sums; j++)
    *sums[j] = (double *)dppair_take_(base, &used, features, sizeof **sums[j]);
  r->curve = (double *)dppair_take_(base, &used, d * DPPAIR_CLASS_TERMS, sizeof *r->curve);
  r->work = (double *)dppair_take_(base, &used, r->bytes / sizeof *r->work + 1, sizeof *r->work);
  r->rows = (double *)dppair_take_(base, &used, dppair_area_(features, more > 0 ? n : 1),
                                   sizeof *r->rows);
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* Release 1, and what it says: r->v, h, raw, deviation. */
DPPAIR_API dppair_status dppair_auto_marginals_(dppair_auto_room_ *r, dppair_release *release) {
  const int pure = r->c.pure;
  const double smooth = pure ? 0 : 0.9, width = pure ? 0 : 4; /* the kernel */
  const dppair_marginals query = {r->columns, r->d, r->c.side, smooth, width, r->c.label};
  dppair_status status = dppair_marginals_layout(r->start, &query);
  r->query = query;
  if (status == DPPAIR_OK)
    status = dppair_release_marginals(r->v, r->start[r->d + 1], release, &query, r->x, r->y, NULL,
                                      r->n, r->work, r->bytes);
  if (status != DPPAIR_OK) return status;
  r->noise = release->sigma * (pure ? dppair_sqrt_(2.0) : 1);
  return dppair_marginals_estimate(r->h, r->raw, r->deviation, r->v, r->start[r->d + 1], &query,
                                   r->n, r->noise, r->c.learned, r->work, r->bytes);
}

/* An end of the range warns when its cell has a fifth of the records more than a uniform column has
 * there; an end at 0 does not, because many columns are mostly 0. raw: the share of each cell, with
 * noise of that deviation. level: how many deviations an estimate must stand out by, so that of all
 * releases without any cause one in 200 warns of an end of one of so many columns. Of 1000 releases
 * of eight ordinary columns one or none warned; a range that ended at the column's median was found
 * in 99 of 100 from rho = 50 on (delta = 0: 160). */
DPPAIR_API void dppair_auto_warn_column_(dppair_auto_map *map, const dppair_cells *g,
                                         const double *raw, const double *deviation, double level) {
  const size_t m = g->cells;
  const double reach = g->edge[m] - g->edge[0];
  size_t i;
  if (m < 2) map->warnings |= DPPAIR_AUTO_FLAT;
  for (i = 0; i < m && m > 1; i++) {
    const double fair = 0.2 + (g->edge[i + 1] - g->edge[i]) / reach;
    if (deviation[i] <= 0.03 && raw[i] - deviation[i] > 0.97) map->warnings |= DPPAIR_AUTO_FLAT;
    if (!(raw[i] - level * deviation[i] > fair)) continue;
    if (i == 0 && g->edge[0] != 0) map->warnings |= DPPAIR_AUTO_BELOW;
    if (i + 1 == m && g->edge[m] != 0) map->warnings |= DPPAIR_AUTO_ABOVE;
  }
}

/* All of r->column, with what they warn of; *rate: the share of positives, drawn to a half by as
 * much as it is noise; before, it is 0.5 +- 0.15. Where it is below 0.1 or above 0.9 there are
 * fewer polynomials: few records make both the signal and the curvature that tames noise. The
 * theorem holds for any number of columns, so release 1 may choose it. */
DPPAIR_API dppair_status dppair_auto_columns_(dppair_auto_room_ *r, double *rate) {
  const double tests = dppair_log_(200.0 * (double)(r->c.numeric > 0 ? r->c.numeric : 1));
  const double spread = 0.15;
  const double level = r->c.pure ? tests / dppair_sqrt_(2.0) : dppair_sqrt_(2 * tests);
  const double sd = r->deviation[r->start[r->d]];
  const double shrink = spread * spread / (spread * spread + sd * sd);
  double rare;
  dppair_status status;
  size_t j, k;
  memset(r->column, 0, r->d * sizeof *r->column);
  *rate = dppair_fmin_(1, dppair_fmax_(0, 0.5 + shrink * (r->raw[r->start[r->d]] - 0.5)));
  rare = 10 * dppair_fmin_(*rate, 1 - *rate);
  if (rare < 1 && r->c.degrees > 1) dppair_auto_bends_(&r->c, r->d, r->c.rho * rare * rare);
  status = dppair_marginals_classes(r->curve, r->v, r->h, r->start[r->d + 1], &r->query, r->n,
                                    r->noise, *rate, r->work, r->bytes);
  for (j = 0; j < r->d && status == DPPAIR_OK; j++) {
    const dppair_column *from = &r->columns[j];
    dppair_auto_column_ *to = &r->column[j];
    const size_t at = r->start[j];
    double *curve = r->curve + j * DPPAIR_CLASS_TERMS;
    const double norm = dppair_fmax_(dppair_norm_f64(curve, DPPAIR_CLASS_TERMS), 0.1);
    if (from->kind != DPPAIR_COLUMN_NUMERIC) { /* x less the rate of those that have it set */
      to->knots = 2;
      to->at[1] = 1;
      to->z[0][0] = -r->h[at];
      to->z[0][1] = 1 - r->h[at];
      to->square[0] = r->h[at] * (1 - r->h[at]);
      continue;
    }
    status = dppair_cells_make(&to->grid, from->low, from->high, r->c.side);
    for (k = 0; k < DPPAIR_CLASS_TERMS; k++) curve[k] /= norm;
    dppair_auto_warn_column_(&r->map[j], &to->grid, r->raw + at, r->deviation + at, level);
    dppair_auto_features_(to, r->h + at, r->c.degrees, r->c.size, from->by_class ? curve : NULL);
    if (r->c.route == DPPAIR_AUTO_VECTOR && !from->by_class)
      dppair_auto_blend_with_range_(to, r->h + at,
                                    dppair_auto_blend_[r->c.numeric >= DPPAIR_AUTO_MANY_]);
  }
  return status;
}

/* r->square of all features, and the radius that rows are clipped to. */
DPPAIR_API double dppair_auto_radius_(dppair_auto_room_ *r) {
  const dppair_auto_choice_ *c = &r->c;
  double maps = 0, others = 0;
  size_t j, k, next = r->d;
  for (j = 0; j < r->d; j++) {
    const dppair_auto_column_ *from = &r->column[j];
    const size_t numeric = r->columns[j].kind == DPPAIR_COLUMN_NUMERIC ? 1 : 0;
    maps += from->square[0];
    r->square[j] = numeric ? dppair_fmax_(0.003, from->square[0]) : from->square[0];
    for (k = 1; k < c->degrees && numeric > 0; k++)
      others += r->square[next + (k - 1) * c->numeric] = dppair_fmax_(1e-4, from->square[k]);
    next += numeric;
  }
  return DPPAIR_AUTO_CLIP_ * dppair_sqrt_(dppair_fmax_(maps, 0.05) + others);
}

/* row[features] of record i: all maps, then all polynomials of degree 2, then of degree 3. */
DPPAIR_API void dppair_auto_row_(double *row, const dppair_auto_room_ *r, size_t i) {
  size_t j, k, piece, next = r->d;
  for (j = 0; j < r->d; j++) {
    const dppair_auto_column_ *c = r->column + j;
    const double part = dppair_knots_find(&piece, c->at, c->knots, r->x[i * r->d + j]);
    row[j] = dppair_knots_between(c->z[0], c->knots, piece, part);
    if (r->columns[j].kind != DPPAIR_COLUMN_NUMERIC) continue;
    for (k = 1; k < r->c.degrees; k++)
      row[next + (k - 1) * r->c.numeric] = dppair_knots_between(c->z[k], c->knots, piece, part);
    next++;
  }
}

DPPAIR_FP_END_
