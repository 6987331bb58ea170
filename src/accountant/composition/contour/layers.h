/* ------------------------------------------------------------------------------------------------
 * Layers: how fast |M(c+iy)| falls in y
 *
 * A lower envelope of the tilted loss density as a sum of uniform densities on intervals, which
 * bounds the terms beyond the line's end (theory.h, "the cut"). What is left out of the envelope
 * only makes the bound weaker, so the margins below decide nothing but how tight it is.
 * ---------------------------------------------------------------------------------------------- */

/* Deviations beyond which the first look for the mass does not go. */
#define DPPAIR_LAYER_MARGIN_ 7.0
/* Cells whose density is below e^-14 of the largest are not worth their place. */
#define DPPAIR_LAYER_DEPTH_ 14.0
/* Cells of one branch: with more, the bound hardly improves. */
#define DPPAIR_LAYER_CELLS_ 160
/* The cell widths and the sums are rounded a few times; 1e-9 covers that by far. */
#define DPPAIR_LAYER_SLACK_ (1.0 - 1e-9)

/* 1 - sup over v' >= v of |sin v'/v'|, from below. The local maxima beyond 2.5 are below sinc(2.5)
 * = 0.2394, and |sinc| <= 1/v. The series alternates, so it is cut after a negative term. */
DPPAIR_API double dppair_contour_spread_(double v) {
  const double s = v * v;
  if (v < 2.5) return s * (1.0 / 6 - s * (1.0 / 120 - s * (1.0 / 5040 - s * (1.0 / 362880))));
  return v < 4.2 ? 0.76 : 1.0 - 1.0 / v;
}

/* The tilted law of a branch at the ends of equal cells. */
typedef struct dppair_slice_ {
  const dppair_branch_ *branch;
  double c;
  double *loss, *log_density; /* of mass e^(c loss) in x; then the cells' bounds, in the loss */
  double *convex, *slope;     /* (c+1) log r or 0, and the slope of log r */
  double *mirror, *blur;      /* the slope of log r at -x (opposite); the error of the loss */
} dppair_slice_;

DPPAIR_API dppair_slice_ dppair_slice_of_(const dppair_branch_ *branch, double c, size_t cells,
                                          double *room) {
  dppair_slice_ slice;
  slice.branch = branch;
  slice.c = c;
  slice.loss = room;
  slice.log_density = slice.loss + (cells + 1);
  slice.convex = slice.log_density + (cells + 1);
  slice.slope = slice.convex + (cells + 1);
  slice.mirror = slice.slope + (cells + 1);
  slice.blur = slice.mirror + (cells + 1);
  return slice;
}

/* The convex part of the log density is this times log r. */
DPPAIR_API double dppair_slice_factor_(const dppair_slice_ *slice) {
  return slice->branch->shape == DPPAIR_BACKWARD_ ? 0.0 : slice->c + 1.0;
}

/* Looks at the ends of `cells` cells of width h from low on. Returns the largest log density. */
DPPAIR_API double dppair_slice_look_(dppair_slice_ *slice, double low, double h, size_t cells) {
  const double factor = dppair_slice_factor_(slice);
  double top = -HUGE_VAL;
  dppair_place_ place;
  size_t j;
  for (j = 0; j <= cells; j++) {
    dppair_place_of_(&place, slice->branch, low + h * (double)j);
    slice->loss[j] = place.loss;
    slice->convex[j] = factor * place.g;
    slice->slope[j] = place.slope;
    slice->mirror[j] = place.mirror;
    slice->blur[j] = place.loss_error;
    slice->log_density[j] = place.log_mass + slice->c * place.loss;
    if (slice->log_density[j] > top) top = slice->log_density[j];
  }
  return top;
}

/* Where the tilted mass is: narrows [*low, *high] with cells about a deviation wide. 0: nowhere. */
DPPAIR_API int dppair_slice_find_(dppair_slice_ *slice, double *low, double *high, size_t cells) {
  const double most = (double)cells - 8.0, enough = *high - *low < most ? *high - *low : most;
  const size_t count = cells < 24 ? cells : (size_t)enough + 8;
  const double h = (*high - *low) / (double)count, from = *low;
  const double least = dppair_slice_look_(slice, from, h, count) - DPPAIR_LAYER_DEPTH_;
  size_t first = 0, last = count;
  while (slice->log_density[first] < least) first++; /* the largest one stops both */
  while (slice->log_density[last] < least) last--;
  if (first > 0) first--;
  if (last < count) last++;
  *low = from + h * (double)first;
  *high = from + h * (double)last;
  return *high > *low;
}

/* Turns the log densities at the cells' ends into lower bounds of the density of the loss in each
 * cell, relative to e^log_m. Returns the cell with the largest. */
DPPAIR_API size_t dppair_slice_bound_(dppair_slice_ *slice, double h, double log_m, size_t cells) {
  const double factor = dppair_slice_factor_(slice);
  double *density = slice->log_density;
  const double *convex = slice->convex, *slope = slice->slope;
  size_t j, peak = 0;
  for (j = 0; j < cells; j++) {
    /* The chord of the concave part plus the tangent of the convex one, drawn at either end. The
     * true step differs from h by rounding, which the slack covers. */
    const double at_left = density[j] - (convex[j] - convex[j + 1] + h * factor * slope[j + 1]);
    const double at_right = density[j + 1] - (convex[j + 1] - convex[j] - h * factor * slope[j]);
    const double one = density[j] < at_right ? density[j] : at_right;
    const double two = density[j + 1] < at_left ? density[j + 1] : at_left;
    const double rise = slope[j + 1] + slice->mirror[j]; /* the largest L' in the cell */
    density[j] = rise > 0.0
                     ? dppair_exp_((one > two ? one : two) - log_m) / rise * DPPAIR_LAYER_SLACK_
                     : 0.0;
    if (density[j] > density[peak]) peak = j;
  }
  return peak;
}

/* Makes the cells' bounds unimodal: running minima away from the peak. */
DPPAIR_API void dppair_slice_unimodal_(double *density, size_t peak, size_t cells) {
  size_t j;
  for (j = peak; j-- > 0;)
    if (density[j] > density[j + 1]) density[j] = density[j + 1];
  for (j = peak + 1; j < cells; j++)
    if (density[j] > density[j - 1]) density[j] = density[j - 1];
}

/* Cuts the area under a unimodal envelope into layers, from the bottom up. Returns how many. */
DPPAIR_API size_t dppair_slice_layers_(double *mass, double *width, const dppair_slice_ *slice,
                                       size_t cells) {
  const double *density = slice->log_density, *loss = slice->loss, *blur = slice->blur;
  size_t first = 0, last = cells - 1, used = 0;
  double level = 0.0;
  for (;;) {
    const int left = density[first] <= density[last];
    const double next = left ? density[first] : density[last];
    const double w = dppair_fabs_(loss[last + 1] - loss[first]) * DPPAIR_LAYER_SLACK_ -
                     blur[first] - blur[last + 1];
    if (next > level && w > 0.0) {
      mass[used] = (next - level) * w;
      width[used++] = w;
      level = next;
    }
    if (first == last) return used;
    if (left)
      first++;
    else
      last--;
  }
}

/* Adds the layers of one branch at tilt c; returns how many. cell has room for 6 * (cells + 1). */
DPPAIR_API size_t dppair_contour_slice_(double *mass, double *width, const dppair_branch_ *branch,
                                        double c, double log_m, size_t cells, double *cell) {
  dppair_slice_ slice = dppair_slice_of_(branch, c, cells, cell);
  double low, high, h;
  dppair_branch_span_(&low, &high, branch, c, DPPAIR_LAYER_MARGIN_);
  if (high <= low || !dppair_slice_find_(&slice, &low, &high, cells)) return 0;
  h = (high - low) / (double)cells;
  (void)dppair_slice_look_(&slice, low, h, cells);
  dppair_slice_unimodal_(slice.log_density, dppair_slice_bound_(&slice, h, log_m, cells), cells);
  return dppair_slice_layers_(mass, width, &slice, cells);
}

/* The layers of step t at the chosen c, ended by a mass of -1. log_m: log M(c) as the search found
 * it. */
DPPAIR_API void dppair_contour_layers_(dppair_contour_ *s, size_t t, const dppair_law_ *law,
                                       double log_m) {
  double *mass = s->layers + 2 * DPPAIR_LAYERS_ * t, *width = mass + DPPAIR_LAYERS_;
  const size_t branches = dppair_branches_(law);
  size_t used = 0, i, cells;
  dppair_branch_ branch;
  cells = branches == 0 ? 0 : (DPPAIR_LAYERS_ - 1) / branches;
  if (cells > DPPAIR_LAYER_CELLS_) cells = DPPAIR_LAYER_CELLS_;
  for (i = 0; i < branches; i++) {
    dppair_branch_of_(&branch, law, i, s->backward);
    used += dppair_contour_slice_(mass + used, width + used, &branch, s->c, log_m, cells, s->node);
  }
  mass[used] = -1.0;
}

/* A bound of log |M(c+iy)|/M(c) for all y >= cut; `scale` is M(c) relative to the e^log_m of the
 * layers. */
DPPAIR_API double dppair_contour_decay_(const double *mass, double cut, double scale) {
  const double *width = mass + DPPAIR_LAYERS_;
  double sum = 0.0;
  size_t i;
  for (i = 0; mass[i] >= 0.0; i++) sum += mass[i] * dppair_contour_spread_(0.5 * cut * width[i]);
  sum *= DPPAIR_LAYER_SLACK_ / scale;
  return dppair_log1p_(-(sum < 1.0 - 1e-15 ? sum : 1.0 - 1e-15));
}

/* The same of the composition, by what the layers used for M(c). */
DPPAIR_API double dppair_contour_decay_all_(const dppair_contour_ *s, double cut) {
  double sum = -0.5 * s->variance * cut * cut * DPPAIR_LAYER_SLACK_;
  size_t t;
  for (t = 0; t < s->count; t++)
    sum += (double)dppair_step_runs_(&s->steps[t]) *
           dppair_contour_decay_(s->layers + 2 * DPPAIR_LAYERS_ * t, cut, 1.0);
  return sum;
}
