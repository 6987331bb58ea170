/* Of phi over an interval of margins. */
typedef struct dppair_slopes_ {
  double down, up;  /* sup of -phi' and of phi', 0 at least                                       */
  double odd;       /* sup |phi'(u) - phi'(-u)|/2                                                 */
  double curvature; /* Lipschitz constant of phi', HUGE_VAL over a kink                           */
  double value;     /* sup |phi|                                                                  */
} dppair_slopes_;

/*
 * How far beyond an end of their interval computed margins are expected at most, as a part of the
 * largest margin: rows of thousands of float numbers round by less, and so do norms and projections
 * that hold up to rounding (a computed positive semidefinite W has eigenvalues just below 0).
 */
DPPAIR_API double dppair_room_(double largest) {
  return 0.0009765625 * largest + 1e-30; /* 2^-10; float results that vanish */
}

enum { DPPAIR_LOW_ = 1, DPPAIR_HIGH_ = 2 }; /* ends of an interval */

/*
 * Widens r by the interval [low, high] (ends may be infinite) of margins of size at most `reach`. A
 * convex phi has its extreme values and slopes at the ends; the others, and all curvatures, in the
 * few interior points listed. The ends move outwards by what their own rounding is worth. Where the
 * slope jumps, or the curvature, both sides of a jump count that lies at one of the ends `crossed`
 * or in the room beyond it: a computed margin may be on either side.
 */
DPPAIR_API void dppair_slopes_add_(dppair_slopes_ *r, dppair_loss loss, const double *p, double low,
                                   double high, double reach, int crossed) {
  const double far = 1e300, huge = 1e250, ulps = 4.0 * DBL_EPSILON * reach;
  const double room = dppair_room_(reach);
  const double lower = crossed & DPPAIR_LOW_ ? low - room : low;
  const double upper = crossed & DPPAIR_HIGH_ ? high + room : high;
  double at[7], ends[2], inside[2];
  int k, kink = 0, jump = 0;
  inside[0] = low - ulps > -far ? low - ulps : -far;
  inside[1] = high + ulps < far ? high + ulps : far;
  ends[0] = lower > -far ? lower : -far;
  ends[1] = upper < far ? upper : far;
  if (dppair_loss_describe(loss)->differentiable) {
    low = inside[0];
    high = inside[1];
  } else {
    low = ends[0];
    high = ends[1];
  }
  at[0] = low;
  at[1] = high;
  for (k = 2; k < 7; k++) at[k] = 0.0;
  switch (loss) {
  case DPPAIR_LOSS_hinge:
    kink = low <= 1.0 && high >= 1.0;
    break;
  case DPPAIR_LOSS_ramp:
    at[2] = 0.5;
    kink = (low <= 0.0 && high >= 0.0) || (low <= 1.0 && high >= 1.0);
    break;
  case DPPAIR_LOSS_absolute:
  case DPPAIR_LOSS_pinball:
    kink = low <= 0.0 && high >= 0.0;
    break;
  case DPPAIR_LOSS_smoothed_hinge:
    at[2] = 1.0 - 0.5 * p[0];
    jump = 1;
    break;
  case DPPAIR_LOSS_moreau_pinball:
    at[2] = p[1] * (p[0] - 0.5);
    jump = 1;
    break;
  case DPPAIR_LOSS_squared_hinge:
  case DPPAIR_LOSS_huber:
  case DPPAIR_LOSS_moreau_absolute:
    jump = 1;
    break;
  case DPPAIR_LOSS_sigmoid: /* phi''' = 0 at +-ln(2 + sqrt 3) */
    at[2] = -1.3169578969248167;
    at[3] = 1.3169578969248167;
    break;
  case DPPAIR_LOSS_welsch: /* phi'' = 0 at +-h, phi''' = 0 at +-sqrt(3) h */
    at[2] = -p[0];
    at[3] = p[0];
    at[4] = -1.7320508075688772 * p[0];
    at[5] = 1.7320508075688772 * p[0];
    break;
  default:
    break;
  }
  for (k = 0; k < 7; k++) {
    const double u = at[k] < low ? low : at[k] > high ? high : at[k];
    const double w = u < inside[0] ? inside[0] : u > inside[1] ? inside[1] : u;
    const double slope = dppair_loss_slope_(loss, u, p), value = dppair_loss_value_(loss, w, p);
    const double back = dppair_loss_slope_(loss, -u, p);
    const double odd = 0.5 * fabs(slope - back) +
                       4.0 * DBL_EPSILON * (fabs(slope) > fabs(back) ? fabs(slope) : fabs(back));
    const double curvature = fabs(dppair_loss_curvature_(loss, u, p));
    r->down = -slope > r->down ? -slope : r->down;
    r->up = slope > r->up ? slope : r->up;
    r->odd = odd > r->odd ? odd : r->odd;
    r->value = fabs(value) > r->value ? fabs(value) : r->value;
    r->curvature = curvature > r->curvature ? curvature : r->curvature;
  }
  for (k = 0; jump && k < 2; k++) {
    const double curvature = fabs(dppair_loss_curvature_(loss, ends[k], p));
    r->curvature = curvature > r->curvature ? curvature : r->curvature;
  }
  if (r->down > huge) r->down = HUGE_VAL;
  if (r->up > huge) r->up = HUGE_VAL;
  if (r->odd > huge) r->odd = HUGE_VAL;
  if (r->value > huge) r->value = HUGE_VAL;
  if (kink || r->curvature > huge) r->curvature = HUGE_VAL;
}

DPPAIR_API double dppair_least_(double a, double b) { return a < b ? a : b; }
/* a * b with 0 * infinity = 0: a quantity that is identically zero has no need of a bound. */
DPPAIR_API double dppair_times_(double a, double b) { return a > 0.0 && b > 0.0 ? a * b : 0.0; }

/*
 * The factor's G and L. With t = |L^T (x - x')|^2 in [0, 4R^2 B^2] a pair's gradient is at most
 * 4R sqrt(t) |phi'(u)| long, u = +-(b - t), and its Lipschitz constant at most
 * 16R^2 t |phi''(u)| + 8R^2 |phi'(u)| (see below): their suprema over t, cell by cell, each with
 * the largest t of its cell.
 */
DPPAIR_API void dppair_factor_bounds_(double *gradient, double *curvature, dppair_loss loss,
                                      const double *p, const dppair_bounds *b) {
  const double r2 = 2.0 * b->radius, root = r2 * b->param_radius, cells = 1024.0;
  const double reach = root * root + fabs(b->offset);
  const double room = dppair_room_(reach);
  const int smooth = dppair_loss_describe(loss)->differentiable;
  double k, before = smooth ? 0.0 : -room;
  *gradient = *curvature = 0.0;
  for (k = smooth ? 1.0 : 0.0; k <= cells; k += 1.0) { /* k = 0: computed beyond t = 0 */
    const double most = k > 0.0 ? root * (k / cells) : sqrt(room), t = most * most;
    dppair_slopes_ r = {0.0, 0.0, 0.0, 0.0, 0.0};
    const int last = k >= cells;
    double slope, norm, change;
    dppair_slopes_add_(&r, loss, p, b->offset - t, b->offset - before, reach,
                       last ? DPPAIR_LOW_ : 0);
    dppair_slopes_add_(&r, loss, p, before - b->offset, t - b->offset, reach,
                       last ? DPPAIR_HIGH_ : 0);
    slope = r.down > r.up ? r.down : r.up;
    norm = dppair_times_(2.0 * r2 * most, slope);
    change = dppair_times_(4.0 * r2 * r2 * t, r.curvature) + dppair_times_(2.0 * r2 * r2, slope);
    *gradient = norm > *gradient ? norm : *gradient;
    *curvature = change > *curvature ? change : *curvature;
    before = k > 0.0 ? t : 0.0;
  }
}

/*
 * What the factor's pairs with t = 0, or nearly, add to the move when their computed margins lie
 * beyond the end t = 0, on the other side of a kink: their vectors are at most 4R sqrt(room) long,
 * whatever coefficients beyond [-down, up] they get. Widens *slope by those.
 */
DPPAIR_API double dppair_factor_near_(double *slope, double down, double up, dppair_loss loss,
                                      const double *p, const dppair_bounds *b) {
  const double r2 = 2.0 * b->radius, root = r2 * b->param_radius;
  const double room = dppair_room_(root * root + fabs(b->offset));
  dppair_slopes_ r = {0.0, 0.0, 0.0, 0.0, 0.0}, opposite = {0.0, 0.0, 0.0, 0.0, 0.0};
  double lowest, highest, more;
  dppair_slopes_add_(&r, loss, p, b->offset - room, b->offset + room, 0.0, 0);
  dppair_slopes_add_(&opposite, loss, p, -b->offset - room, -b->offset + room, 0.0, 0);
  lowest = r.up > opposite.down ? r.up : opposite.down;
  highest = r.down > opposite.up ? r.down : opposite.up;
  *slope = lowest > *slope ? lowest : *slope;
  *slope = highest > *slope ? highest : *slope;
  more = lowest - down > highest - up ? lowest - down : highest - up;
  return dppair_times_(2.0 * more, 2.0 * r2 * sqrt(room));
}
