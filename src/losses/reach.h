/* ------------------------------------------------------------------------------------------------
 * The range of a loss over the margins of a domain
 * ---------------------------------------------------------------------------------------------- */

/* What the constants of a loss are computed from. */
typedef struct dppair_domain_ {
  dppair_loss_facts facts;
  const double *params;
  dppair_bounds bounds;
  double slack; /* how far rounding moves a margin, as a part of the largest; 0: as in double */
  int straight; /* the loss is that parabola, if it is one: no score is capped, no pair clipped */
} dppair_domain_;

DPPAIR_FP_BEGIN_

/*
 * How far a computed margin may lie beyond an end of its interval, as a part of the largest margin.
 * Rows of thousands of float numbers round by less; so do norms and projections that hold up to
 * rounding (a computed positive semidefinite W has eigenvalues just below 0).
 */
DPPAIR_API double dppair_room_(double largest, double slack) {
  const double part = slack > 0.0009765625 ? slack : 0.0009765625; /* 2^-10 */
  return part * largest + 1e-30;                                   /* float results that vanish */
}

enum { DPPAIR_LOW_ = 1, DPPAIR_HIGH_ = 2 }; /* ends of an interval */

/*
 * Widens r by the interval [low, high] (ends may be infinite) of margins of size at most `reach`.
 * The ends are moved outwards by their own rounding. Where the slope or the curvature jumps at an
 * end that is `crossed`, or in the room beyond it, both sides of the jump count.
 */
DPPAIR_OUT_OF_LINE_ void dppair_slopes_add_(dppair_range *r, const dppair_domain_ *x, double low,
                                            double high, double reach, int crossed) {
  const double remote = 1e300;  /* in place of an infinite end: every loss can be evaluated there */
  const double huge = 1e250; /* a supremum beyond this is no bound */
  const double ulps = (4.0 * DBL_EPSILON + x->slack) * reach, room = dppair_room_(reach, x->slack);
  const double moved = x->slack > 0.0 ? ulps : 0.0;
  const double lower = low - (crossed & DPPAIR_LOW_ ? room : moved);
  const double upper = high + (crossed & DPPAIR_HIGH_ ? room : moved);
  dppair_range one = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
  dppair_margins m;
  m.low = low - ulps > -remote ? low - ulps : -remote;
  m.high = high + ulps < remote ? high + ulps : remote;
  m.least = lower > -remote ? lower : -remote;
  m.most = upper < remote ? upper : remote;
  m.value = x->facts.value;
  x->facts.range(&one, &m, x->params);
  dppair_raise_(&r->down, one.down <= huge ? one.down : HUGE_VAL);
  dppair_raise_(&r->up, one.up <= huge ? one.up : HUGE_VAL);
  dppair_raise_(&r->odd, one.odd <= huge ? one.odd : HUGE_VAL);
  dppair_raise_(&r->curvature, one.curvature <= huge ? one.curvature : HUGE_VAL);
  dppair_raise_(&r->value, one.value <= huge ? one.value : HUGE_VAL);
}

DPPAIR_API double dppair_least_(double a, double b) { return a < b ? a : b; }
/* a * b with 0 * infinity = 0: a quantity that is identically zero needs no bound. */
DPPAIR_API double dppair_times_(double a, double b) { return a > 0.0 && b > 0.0 ? a * b : 0.0; }

/*
 * The factor's G and L. With t = |L^T (x - x')|^2 in [0, 4R^2 B^2] a pair's gradient is at most
 * 4R sqrt(t) |phi'(u)| long, u = +-(b - t), and its Lipschitz constant at most
 * 16R^2 t |phi''(u)| + 8R^2 |phi'(u)| (see below): their suprema over t, cell by cell, each with
 * the largest t of its cell.
 */
DPPAIR_OUT_OF_LINE_ void dppair_factor_bounds_(double *gradient, double *curvature,
                                               const dppair_domain_ *x) {
  const dppair_bounds *b = &x->bounds;
  const double r2 = 2.0 * b->radius, root = r2 * b->param_radius, cells = 1024.0;
  const double reach = root * root + dppair_fabs_(b->offset);
  const double room = dppair_room_(reach, x->slack);
  const int smooth = (x->facts.flags & DPPAIR_IS_SMOOTH) != 0;
  double k, before = smooth ? 0.0 : -room;
  *gradient = *curvature = 0.0;
  for (k = smooth ? 1.0 : 0.0; k <= cells; k += 1.0) { /* k = 0: computed beyond t = 0 */
    const double most = k > 0.0 ? root * (k / cells) : dppair_sqrt_(room), t = most * most;
    dppair_range r = {0.0, 0.0, 0.0, 0.0, 0.0};
    const int last = k >= cells;
    double slope, norm, change;
    dppair_slopes_add_(&r, x, b->offset - t, b->offset - before, reach, last ? DPPAIR_LOW_ : 0);
    dppair_slopes_add_(&r, x, before - b->offset, t - b->offset, reach, last ? DPPAIR_HIGH_ : 0);
    slope = r.down > r.up ? r.down : r.up;
    norm = dppair_times_(2.0 * r2 * most, slope);
    change = dppair_times_(4.0 * r2 * r2 * t, r.curvature) + dppair_times_(2.0 * r2 * r2, slope);
    *gradient = norm > *gradient ? norm : *gradient;
    *curvature = change > *curvature ? change : *curvature;
    before = k > 0.0 ? t : 0.0;
  }
}

/*
 * What pairs of the factor with t near 0 add to the move. Their computed margins may lie beyond the
 * end t = 0, on the other side of a kink, and then have coefficients beyond [-down, up]; but their
 * vectors are at most 4R sqrt(room) long. *slope is raised to those coefficients.
 */
DPPAIR_API double dppair_factor_near_(double *slope, double down, double up,
                                      const dppair_domain_ *x) {
  const dppair_bounds *b = &x->bounds;
  const double r2 = 2.0 * b->radius, root = r2 * b->param_radius;
  const double room = dppair_room_(root * root + dppair_fabs_(b->offset), x->slack);
  dppair_range r = {0.0, 0.0, 0.0, 0.0, 0.0}, opposite = {0.0, 0.0, 0.0, 0.0, 0.0};
  double lowest, highest, more;
  dppair_slopes_add_(&r, x, b->offset - room, b->offset + room, 0.0, 0);
  dppair_slopes_add_(&opposite, x, -b->offset - room, -b->offset + room, 0.0, 0);
  lowest = r.up > opposite.down ? r.up : opposite.down;
  highest = r.down > opposite.up ? r.down : opposite.up;
  *slope = lowest > *slope ? lowest : *slope;
  *slope = highest > *slope ? highest : *slope;
  more = lowest - down > highest - up ? lowest - down : highest - up;
  return dppair_times_(2.0 * more, 2.0 * r2 * dppair_sqrt_(room));
}

DPPAIR_FP_END_
