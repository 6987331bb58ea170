/* ------------------------------------------------------------------------------------------------
 * Features of a column: its map and polynomials in it, from its released histogram
 *
 * z = (linear + rank)/2 of a numeric column, at the knots: the cells' centres and the kinks of the
 * linear half. Everything follows from the distribution h over the cells, which was released.
 *
 * Relies on model.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

enum { DPPAIR_AUTO_DEGREES_ = 3 }; /* a numeric column's map, its polynomials of degree 2 and 3 */

/* A column on its way: its cells, and from release 1 on its features at common knots. */
typedef struct dppair_auto_column_ {
  dppair_cells grid; /* numeric columns */
  size_t knots;
  double at[DPPAIR_AUTO_KNOTS], z[DPPAIR_AUTO_DEGREES_][DPPAIR_AUTO_KNOTS];
  double square[DPPAIR_AUTO_DEGREES_]; /* second moments under the release */
} dppair_auto_column_;

/* The outer deciles, with the mass at zero counted as three quarters at most: a column that is
 * mostly zero takes its scale from the rest, and the linear part still tells large values from
 * small ones. */
DPPAIR_API void dppair_auto_deciles_(double *a, double *b, const dppair_cells *g, const double *h) {
  double capped[DPPAIR_CELLS_MOST], total;
  const double rest = 1 - h[g->zero];
  size_t i;
  memcpy(capped, h, g->cells * sizeof *h);
  if (rest > 0.005) capped[g->zero] = dppair_fmin_(h[g->zero], 3 * rest);
  total = rest + capped[g->zero];
  for (i = 0; i < g->cells; i++) capped[i] /= total;
  *a = dppair_cells_quantile(g, capped, 0.1);
  *b = dppair_cells_quantile(g, capped, 0.9);
}

/* Gives the column the knot x, where its polynomials go on as they are; the map is set later. */
DPPAIR_API void dppair_auto_knot_(dppair_auto_column_ *c, double x) {
  size_t piece, i, k;
  const double part = dppair_knots_find(&piece, c->at, c->knots, x);
  double value[DPPAIR_AUTO_DEGREES_];
  for (k = 0; k < DPPAIR_AUTO_DEGREES_; k++)
    value[k] = dppair_knots_between(c->z[k], c->knots, piece, part);
  for (i = 0; i < c->knots; i++)
    if (c->at[i] == x) return;
  for (i = c->knots++; i > 0 && c->at[i - 1] > x; i--) {
    c->at[i] = c->at[i - 1];
    for (k = 0; k < DPPAIR_AUTO_DEGREES_; k++) c->z[k][i] = c->z[k][i - 1];
  }
  c->at[i] = x;
  for (k = 0; k < DPPAIR_AUTO_DEGREES_; k++) c->z[k][i] = value[k];
}

/* z[k] = the polynomial of degree k + 1 in z[0], orthogonal under h + 0.001/m to 1 and the lower
 * ones, of deviation size[k - 1] in the units of z[0]'s, and bounded. */
DPPAIR_API void dppair_auto_polynomials_(dppair_auto_column_ *c, const double *h, size_t degrees,
                                         const double *size) {
  double basis[DPPAIR_AUTO_DEGREES_ + 1][DPPAIR_CELLS_MOST], p[DPPAIR_CELLS_MOST];
  const size_t m = c->grid.cells;
  const double unit = dppair_fmax_(dppair_sqrt_(c->square[0]), 0.05);
  size_t i, j, k;
  for (i = 0; i < m; i++) {
    p[i] = (h[i] + 0.001 / (double)m) / 1.001;
    basis[0][i] = 1;
  }
  for (k = 1; k <= degrees; k++) {
    double norm = 0;
    for (i = 0; i < m; i++) basis[k][i] = c->z[0][i] * basis[k - 1][i];
    for (j = 0; j < k; j++) {
      double along = 0;
      for (i = 0; i < m; i++) along += p[i] * basis[k][i] * basis[j][i];
      for (i = 0; i < m; i++) basis[k][i] -= along * basis[j][i];
    }
    for (i = 0; i < m; i++) norm += p[i] * basis[k][i] * basis[k][i];
    norm = dppair_sqrt_(norm);
    for (i = 0; i < m && k > 1; i++) {
      const double v = basis[k][i] / dppair_fmax_(norm, 0.2);
      c->z[k - 1][i] = dppair_fmin_(2.5, dppair_fmax_(-2.5, v)) * size[k - 2] * unit;
      c->square[k - 1] += h[i] * c->z[k - 1][i] * c->z[k - 1][i];
    }
    for (i = 0; i < m; i++) basis[k][i] = norm > 1e-9 ? basis[k][i] / norm : 0;
  }
}

/* The features of a numeric column: z = (linear + rank)/2, where rank = 2F - 1 with the
 * distribution function F of h, and linear is x about the middle of the outer deciles in units of
 * 1.5 times half their distance, cut at +-1; and polynomials in z. Knots: the cells' centres and
 * the two kinks of the linear half. curve: of a column by class, what dppair_class_curve says, in
 * units of its own norm, takes the place of the map; else NULL. */
DPPAIR_API void dppair_auto_features_(dppair_auto_column_ *c, const double *h, size_t degrees,
                                      const double *size, const double *curve) {
  const dppair_cells *g = &c->grid;
  const size_t n = g->cells;
  double rank[DPPAIR_CELLS_MOST], centre[DPPAIR_CELLS_MOST];
  double below = 0, a, b, middle, reach, part, t;
  size_t i, piece;
  dppair_auto_deciles_(&a, &b, g, h);
  middle = a + (b - a) / 2;
  reach = 1.5 * ((b - a) / 2);
  c->knots = n;
  for (i = 0; i < n; i++) {
    centre[i] = g->edge[i] + (g->edge[i + 1] - g->edge[i]) / 2;
    rank[i] = 2 * (below + h[i] / 2) - 1;
    below += h[i];
  }
  if (n > 1) { /* outer cells are wide and thinly filled: their knot stays near the inner edge */
    centre[0] = dppair_fmax_(centre[0], g->edge[1] - (g->edge[2] - g->edge[1]) / 2);
    centre[n - 1] =
        dppair_fmin_(centre[n - 1], g->edge[n - 1] + (g->edge[n - 1] - g->edge[n - 2]) / 2);
  }
  if (!(middle - reach < middle && middle + reach > middle)) reach = 0;
  for (i = 0; i < n; i++) {
    const double linear = reach > 0 ? (centre[i] - middle) / reach : 0;
    c->at[i] = centre[i];
    c->z[0][i] = (dppair_fmin_(1, dppair_fmax_(-1, linear)) + rank[i]) / 2;
    c->square[0] += h[i] * c->z[0][i] * c->z[0][i];
  }
  dppair_auto_polynomials_(c, h, degrees, size);
  if (reach > 0) {
    dppair_auto_knot_(c, middle - reach);
    dppair_auto_knot_(c, middle + reach);
  }
  for (i = 0; i < c->knots; i++) { /* at the kinks the map itself is not linear between cells */
    const double linear = reach > 0 ? (c->at[i] - middle) / reach : 0;
    part = dppair_knots_find(&piece, centre, n, c->at[i]);
    t = dppair_knots_between(rank, n, piece, part);
    c->z[0][i] = (dppair_fmin_(1, dppair_fmax_(-1, linear)) + t) / 2;
    if (curve == NULL) continue;
    c->z[0][i] = dppair_fmin_(2.5, dppair_fmax_(-2.5, dppair_class_curve(curve, t)));
    c->z[0][i] *= dppair_fmax_(dppair_sqrt_(c->square[0]), 0.05);
  }
}

/* With few bits a map's place is a guess. It is blended with the declared range's own linear map,
 * where a wrong place costs less: the column's range may be all that is known of it. */
DPPAIR_API void dppair_auto_blend_with_range_(dppair_auto_column_ *c, const double *h,
                                              double share) {
  const double *edge = c->grid.edge, low = edge[0], high = edge[c->grid.cells];
  size_t i, piece;
  if (!(high > low)) return;
  dppair_auto_knot_(c, low);
  dppair_auto_knot_(c, high);
  for (i = 0; i < c->knots; i++) {
    const double x = dppair_fmin_(high, dppair_fmax_(low, c->at[i]));
    c->z[0][i] += share * (((x - low) - (high - x)) / (high - low) - c->z[0][i]);
  }
  for (c->square[0] = 0, i = 0; i < c->grid.cells; i++) {
    const double part =
        dppair_knots_find(&piece, c->at, c->knots, edge[i] + (edge[i + 1] - edge[i]) / 2);
    const double z = dppair_knots_between(c->z[0], c->knots, piece, part);
    c->square[0] += h[i] * z * z;
  }
}

DPPAIR_FP_END_
