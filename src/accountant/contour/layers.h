/* --- layers: a lower envelope of a tilted loss density --------------------------------------- */

/* 1 - sup over v' >= v of |sin v'/v'|, from below. The local maxima beyond 2.5 are below sinc(2.5)
 * = 0.2394, and |sinc| <= 1/v. The series alternates, so it is cut after a negative term. */
DPPAIR_API double dppair_contour_spread_(double v) {
  const double s = v * v;
  if (v < 2.5) return s * (1.0 / 6 - s * (1.0 / 120 - s * (1.0 / 5040 - s * (1.0 / 362880))));
  return v < 4.2 ? 0.76 : 1.0 - 1.0 / v;
}

/* Adds the layers of one branch at tilt c; returns how many. cell has room for 6 * (cells + 1). */
DPPAIR_API size_t dppair_contour_slice_(double *mass, double *width, const dppair_branch_ *branch,
                                        double c, double log_m, size_t cells, double *cell) {
  double *loss = cell, *log_density = cell + (cells + 1), *convex = log_density + (cells + 1);
  double *slope = convex + (cells + 1), *mirror = slope + (cells + 1);
  double *blur = mirror + (cells + 1);
  const double factor = branch->shape == DPPAIR_BACKWARD_ ? 0.0 : c + 1.0;
  double low, high, top, level = 0.0, x;
  size_t j, used = 0, peak = 0, first, last;
  int pass;
  dppair_place_ place;
  dppair_branch_span_(&low, &high, branch, c, 7.0);
  if (high <= low) return 0;
  /* two passes: where the tilted mass is, then cells there */
  for (pass = 0; pass < 2; pass++) {
    const double most = (double)cells - 8.0, enough = high - low < most ? high - low : most;
    const size_t count = pass == 1 || cells < 24 ? cells : (size_t)enough + 8;
    const double h = (high - low) / (double)count;
    top = -HUGE_VAL;
    for (j = 0; j <= count && j <= cells; j++) {
      dppair_place_of_(&place, branch, low + h * (double)j);
      loss[j] = place.loss;
      convex[j] = factor * place.g;
      slope[j] = place.slope;
      mirror[j] = place.mirror;
      blur[j] = place.loss_error;
      log_density[j] = place.log_mass + c * place.loss;
      if (log_density[j] > top) top = log_density[j];
    }
    if (pass == 1) break;
    last = count < cells ? count : cells;
    for (first = 0; first < last && log_density[first + 1] < top - 14.0; first++) continue;
    while (last > 0 && log_density[last - 1] < top - 14.0) last--;
    x = low;
    low = x + h * (double)first;
    high = x + h * (double)last;
    if (!(high > low)) return 0;
  }
  {
    const double h = (high - low) / (double)cells;
    for (j = 0; j < cells; j++) {
      /* the true step differs from h by rounding: the slack of 1e-9 covers that */
      const double at_left =
          log_density[j] - (convex[j] - convex[j + 1] + h * factor * slope[j + 1]);
      const double at_right =
          log_density[j + 1] - (convex[j + 1] - convex[j] - h * factor * slope[j]);
      const double one = log_density[j] < at_right ? log_density[j] : at_right;
      const double two = log_density[j + 1] < at_left ? log_density[j + 1] : at_left;
      const double rise = slope[j + 1] + mirror[j];
      log_density[j] =
          rise > 0.0 ? exp((one > two ? one : two) - log_m) / rise * (1.0 - 1e-9) : 0.0;
      if (log_density[j] > log_density[peak]) peak = j;
    }
  }
  /* running minima away from the peak, then slices from the bottom up */
  for (j = peak; j-- > 0;)
    if (log_density[j] > log_density[j + 1]) log_density[j] = log_density[j + 1];
  for (j = peak + 1; j < cells; j++)
    if (log_density[j] > log_density[j - 1]) log_density[j] = log_density[j - 1];
  first = 0;
  last = cells - 1;
  for (;;) {
    const int left = log_density[first] <= log_density[last];
    const double next = left ? log_density[first] : log_density[last];
    const double w =
        fabs(loss[last + 1] - loss[first]) * (1.0 - 1e-9) - blur[first] - blur[last + 1];
    if (next > level && w > 0.0) {
      mass[used] = (next - level) * w;
      width[used++] = w;
      level = next;
    }
    if (first == last) break;
    if (left)
      first++;
    else
      last--;
  }
  return used;
}

/* The layers of step t at the chosen c, ended by a mass of -1. log_m: log M(c), not too small. */
DPPAIR_API void dppair_contour_layers_(dppair_contour_ *s, size_t t, const dppair_law_ *law,
                                       double log_m) {
  double *mass = s->layers + 2 * DPPAIR_LAYERS_ * t, *width = mass + DPPAIR_LAYERS_;
  const size_t branches = dppair_branches_(law);
  size_t used = 0, i, cells;
  dppair_branch_ branch;
  cells = branches == 0 ? 0 : (DPPAIR_LAYERS_ - 1) / branches;
  if (cells > 160) cells = 160;
  for (i = 0; i < branches; i++) {
    dppair_branch_of_(&branch, law, i, s->backward);
    used += dppair_contour_slice_(mass + used, width + used, &branch, s->c, log_m, cells, s->node);
  }
  mass[used] = -1.0;
}

/* A bound of log |M(c+iy)|/M(c) for all y >= cut, M(c) taken as scale times what the layers used.
 */
DPPAIR_API double dppair_contour_decay_(const double *mass, double cut, double scale) {
  const double *width = mass + DPPAIR_LAYERS_;
  double sum = 0.0;
  size_t i;
  for (i = 0; mass[i] >= 0.0; i++) sum += mass[i] * dppair_contour_spread_(0.5 * cut * width[i]);
  sum *= (1.0 - 1e-9) / scale;
  return log1p(-(sum < 1.0 - 1e-15 ? sum : 1.0 - 1e-15));
}

DPPAIR_API double dppair_contour_decay_all_(const dppair_contour_ *s, double cut) {
  double sum = -0.5 * s->variance * cut * cut * (1.0 - 1e-9);
  size_t t;
  for (t = 0; t < s->count; t++)
    sum += (double)s->steps[t].steps *
           dppair_contour_decay_(s->layers + 2 * DPPAIR_LAYERS_ * t, cut, 1.0);
  return sum;
}
