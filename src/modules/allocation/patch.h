/* ------------------------------------------------------------------------------------------------
 * Random allocation: a density between its nodes, its cells and its moments
 *
 * What other routes read: values at any loss, masses on a lattice of their own, E L^k. Relies on
 * curve.h.
 * ---------------------------------------------------------------------------------------------- */

/* The tilted interpolant of d between nodes j and j + 1, all of whose taps are nodes. */
typedef struct dppair_patch_ {
  const dppair_density_ *d;
  double arc[2 * DPPAIR_RADIUS_];
  int64_t j, low, high;                  /* patches low <= j < high are used */
  double p, tilted[DPPAIR_TAPS_], wrong; /* wrong: the error, tilted */
} dppair_patch_;

/* At least f at node i, inside or outside. */
DPPAIR_API double dppair_density_most_(const dppair_density_ *d, int64_t i) {
  const int64_t at = i - d->first;
  if (at >= 0 && at < (int64_t)d->size) return d->f[at] * (1.0 + d->error[at]);
  return d->beyond * dppair_falling_(d->h * (double)i);
}

/* Chooses the patches so that about `spare` of P or Q lies outside. NO_CONVERGENCE: too few. */
DPPAIR_API dppair_status dppair_patch_open_(dppair_patch_ *patch, const dppair_density_ *d,
                                            double spare) {
  double sum = 0.0;
  patch->d = d;
  patch->j = INT64_MIN;
  dppair_arcs_(patch->arc, d->curvature * d->h * d->h);
  if (d->size < 48) return DPPAIR_ERR_NO_CONVERGENCE;
  for (patch->low = d->first; patch->low < d->first + (int64_t)d->size; patch->low++) {
    sum += d->h * dppair_density_most_(d, patch->low) * dppair_weight_(d->h * (double)patch->low);
    if (sum > spare && patch->low >= d->first + 7) break;
  }
  sum = 0.0;
  for (patch->high = d->first + (int64_t)d->size - 1; patch->high > patch->low; patch->high--) {
    sum += d->h * dppair_density_most_(d, patch->high) * dppair_weight_(d->h * (double)patch->high);
    if (sum > spare && patch->high <= d->first + (int64_t)d->size - 8) break;
  }
  return patch->low + 16 < patch->high ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* At least the mass outside of the patches, under P and under Q. */
DPPAIR_API double dppair_patch_outside_(const dppair_patch_ *patch) {
  const dppair_density_ *d = patch->d;
  double sum = 0.0;
  int64_t i;
  for (i = d->first; i < d->first + (int64_t)d->size; i++)
    if (i <= patch->low || i >= patch->high)
      sum += dppair_density_most_(d, i) * dppair_weight_(d->h * (double)(i + 1));
  return d->outside + 2.01 * d->h * sum;
}

/* Moves to the patch of node j. */
DPPAIR_API void dppair_patch_move_(dppair_patch_ *patch, int64_t j) {
  const dppair_density_ *d = patch->d;
  const double *const f = d->f + (j - d->first), *const e = d->error + (j - d->first);
  const double bend = d->curvature * d->h * d->h;
  double p = dppair_log_(f[1] / f[0]), sum = 0.0, factor;
  double a, b, c;
  int q, rho;
  if (!(p > -1.5)) p = -1.5;
  if (p > 1.5) p = 1.5;
  patch->j = j;
  patch->p = p;
  for (q = 0; q < DPPAIR_TAPS_; q++) {
    patch->tilted[q] = f[q - 7] * dppair_exp_(-p * (q - 7));
    sum += dppair_tap_most_((size_t)q) * patch->tilted[q] * (e[q - 7] + 128.0 * DPPAIR_UNIT_);
  }
  patch->wrong = sum;
  /* theory.h, 3: here the cell's centre is known */
  sum = 0.0;
  factor = dppair_exp_(p * (double)DPPAIR_RADIUS_);
  a = dppair_density_most_(d, j - DPPAIR_RADIUS_);
  b = dppair_density_most_(d, j - DPPAIR_RADIUS_ + 1);
  for (rho = -DPPAIR_RADIUS_; rho < DPPAIR_RADIUS_; rho++) {
    c = dppair_density_most_(d, j + rho + 2);
    sum += patch->arc[rho + DPPAIR_RADIUS_] * factor * dppair_larger_(a, dppair_larger_(b, c));
    factor *= dppair_exp_(-p);
    a = b;
    b = c;
  }
  patch->wrong += 1.001 * sum * dppair_exp_(0.125 * bend + 1.5 * dppair_fabs_(p));
}

/* f at x steps, low <= x <= high: the value; *error is a bound of its relative error. */
DPPAIR_API double dppair_patch_at_(double *error, dppair_patch_ *patch, double x) {
  /* (-1)^q / (q! (15 - q)!) in units of the first */
  static const double c[16] = {-1.0,    15.0,   -105.0,  455.0,  -1365.0, 3003.0, -5005.0, 6435.0,
                               -6435.0, 5005.0, -3003.0, 1365.0, -455.0,  105.0,  -15.0,   1.0};
  double node = dppair_floor_(x), y, top = 0.0, bottom = 0.0, value, scale;
  int q;
  if (node >= (double)patch->high) node = (double)patch->high - 1.0;
  y = x - node;
  if ((int64_t)node != patch->j) dppair_patch_move_(patch, (int64_t)node);
  scale = dppair_exp_(patch->p * y);
  if (y > 0.0 && y < 1.0) {
    for (q = 0; q < DPPAIR_TAPS_; q++) {
      const double w = c[q] / (y - (q - 7));
      top += w * patch->tilted[q];
      bottom += w;
    }
    value = top / bottom;
  } else {
    value = patch->tilted[y > 0.0 ? 8 : 7];
  }
  *error = patch->wrong / value;
  return value * scale;
}

/*
 * Fills the cells of the lattice route: connects the dots of the pair (P, Q), or of (Q, P) if
 * mirrored. h, growth, size and first are given, and the rest is cleared. Where cells are narrow,
 * 4 nodes of Gauss-Legendre each, else 16 nodes for each step. By F3 the slope of log f passes s a
 * step only where f is below e^(-32 s^2) of its largest value, so it is at most 1.2 where more than
 * 1e-18 lies beyond. An ellipse with rho = 128 about a narrow cell reaches 2 steps: f grows by less
 * than 50 times (F2, F3), the split by 64, and 64/15 rho^-8 of that is below 2e-13. NO_CONVERGENCE:
 * it does not fit.
 */
DPPAIR_API dppair_status dppair_density_cells_(dppair_cells_ *cells, const dppair_density_ *d,
                                               int mirrored) {
  static const double place[2] = {0.86113631159405257522, 0.33998104358485626480};
  static const double share[2] = {0.34785484513745385737, 0.65214515486254614263};
  const double h = cells->h, scale = -1.0 / dppair_expm1_(-h);
  const int narrow = 16.0 * h <= d->h;
  double low, high, index, worst = 0.0;
  dppair_patch_ patch;
  dppair_status status = dppair_patch_open_(&patch, d, 1e-18 + d->outside);
  if (status != DPPAIR_OK) return status;
  low = d->h * (double)(mirrored ? -patch.high : patch.low);
  high = d->h * (double)(mirrored ? -patch.low : patch.high);
  for (index = dppair_floor_(low / h); index * h < high; index += 1.0) {
    const double cell = index - (double)cells->first;
    const double from = index * h > low ? index * h : low;
    const double to = (index + 1.0) * h < high ? (index + 1.0) * h : high;
    const int panels = narrow ? 1 : (int)dppair_ceil_((to - from) / d->h);
    double right = 0.0, left = 0.0;
    int panel, k;
    if (!(cell >= 0.0 && cell < (double)cells->size - 2.0)) return DPPAIR_ERR_NO_CONVERGENCE;
    for (panel = 0; panel < panels && to > from; panel++) {
      const double half = 0.5 * (to - from) / panels, middle = from + (2.0 * panel + 1.0) * half;
      for (k = 0; k < (narrow ? 4 : 16); k++) {
        double weight, x, l, f, error;
        if (narrow) {
          x = k % 2 == 0 ? place[k / 2] : -place[k / 2];
          weight = share[k / 2];
        } else {
          x = dppair_legendre_(&weight, k);
        }
        x = middle + half * x;
        l = mirrored ? -x : x;
        l = l / d->h;
        if (l < (double)patch.low) l = (double)patch.low;
        if (l > (double)patch.high) l = (double)patch.high;
        f = dppair_patch_at_(&error, &patch, l) * half * weight;
        worst = dppair_larger_(worst, error);
        dppair_cells_node_(&right, &left, x, mirrored ? f : f * dppair_exp_(x), index * h, h,
                           scale);
      }
    }
    cells->right[(size_t)cell] += right;
    cells->left[(size_t)cell] += left;
  }
  /* a place is off by 4 u of itself, and log f moves by at most 2 a step */
  cells->loss_error = dppair_larger_(
      cells->loss_error,
      8.0 * DPPAIR_UNIT_ * (1.0 + dppair_larger_(dppair_fabs_(low), dppair_fabs_(high))));
  cells->mass_error = dppair_larger_(
      cells->mass_error, 1.001 * worst + 4e-13 + 4.0 * cells->loss_error * (1.0 + 1.0 / d->h));
  cells->infinity += dppair_patch_outside_(&patch);
  cells->unseen += dppair_patch_outside_(&patch);
  return worst < 0.01 ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/*
 * *upper >= log E_Q L^k of one epoch, any k outside [0, 1]. The sum over the nodes is within 2
 * e^(-2 pi^2/(K h^2)) of its integral by F2; the cut tails by Hoelder's inequality: with r > 1,
 * E[L^k; outside] <= (E L^(rk))^(1/r) outside^(1 - 1/r) under Q, or the same of L^(k-1) under P,
 * and E_Q L^m <= E X^m = e^(m(m-1)/(2z^2)) for m outside [0, 1] since x^m is convex. It is at most
 * k(k-1)/(2z^2) altogether.
 */
DPPAIR_API void dppair_density_log_moment_(double *upper, const dppair_density_ *d, double z,
                                           double k) {
  const double simple = 0.5 * k * (k - 1.0) / (z * z);
  double top = -HUGE_VAL, sum = 0.0, rest = HUGE_VAL, r;
  size_t i;
  *upper = simple * (1.0 + 1e-15);
  for (i = 0; i < d->size; i++) {
    const double log_f = dppair_log_(d->f[i]) + k * d->h * (double)(d->first + (int64_t)i);
    if (log_f > top) top = log_f;
  }
  for (i = 0; i < d->size; i++) {
    const double loss = k * d->h * (double)(d->first + (int64_t)i);
    sum += dppair_exp_(dppair_log_(d->f[i]) + loss - top) *
           (1.0 + d->error[i] + 8.0 * DPPAIR_UNIT_ * dppair_fabs_(loss));
  }
  top += dppair_log_(d->h * sum) + 1e-12;
  for (r = 1.01; r < 1000.0; r *= 1.1) {
    const double m = r * k, n = r * (k - 1.0) + 1.0,
                 spare = (1.0 - 1.0 / r) * dppair_log_(d->outside);
    const double bound =
        0.5 * (m * (m - 1.0) < n * (n - 1.0) ? m * (m - 1.0) : n * (n - 1.0)) / (z * z * r) + spare;
    if (bound < rest) rest = bound;
  }
  top = dppair_log_add_(top, rest) + 1e-12 * (1.0 + dppair_fabs_(top));
  if (top < *upper) *upper = top > 0.0 ? top : 0.0;
}

/* M(w) = sum over the table of h f e^((1+w) l) at w = c + iy, the law without what is outside. */
DPPAIR_API void dppair_density_moment_(double *re, double *im, double *error,
                                       const dppair_density_ *d, double c, double y) {
  double size = 0.0;
  size_t i;
  *re = *im = *error = 0.0;
  for (i = 0; i < d->size; i++) {
    const double l = d->h * (double)(d->first + (int64_t)i);
    const double mass = d->h * d->f[i] * dppair_exp_((1.0 + c) * l);
    *re += mass * dppair_cos_(y * l);
    *im += mass * dppair_sin_(y * l);
    *error += mass * (d->error[i] +
                      8.0 * DPPAIR_UNIT_ * (dppair_fabs_((1.0 + c) * l) + dppair_fabs_(y * l)));
    size += mass;
  }
  *error = 1.00001 * (*error + size * DPPAIR_UNIT_ * (16.0 + (double)d->size));
}
