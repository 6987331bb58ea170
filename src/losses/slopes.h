/* ------------------------------------------------------------------------------------------------
 * The range of a loss's slopes, curvature and value over an interval of margins
 *
 * A loss is evaluated at the ends of the interval and at its landmarks between them: see table.h
 * for the losses, at_run_time.h for their evaluation. The suprema are bounds for margins as
 * computed.
 * ---------------------------------------------------------------------------------------------- */

/* Of phi over an interval of margins. */
typedef struct dppair_slopes_ {
  double down, up;  /* sup of -phi' and of phi', 0 at least */
  double odd;       /* sup |phi'(u) - phi'(-u)|/2 */
  double curvature; /* Lipschitz constant of phi', HUGE_VAL over a kink */
  double value;     /* sup |phi| */
} dppair_slopes_;

/*
 * How far a computed margin may lie beyond an end of its interval, as a part of the largest margin.
 * Rows of thousands of float numbers round by less; so do norms and projections that hold up to
 * rounding (a computed positive semidefinite W has eigenvalues just below 0).
 */
DPPAIR_API double dppair_room_(double largest) {
  return 0.0009765625 * largest + 1e-30; /* 2^-10; float results that vanish */
}

/* The margins that are special to a loss. */
typedef struct dppair_landmarks_ {
  double kink[2];      /* the slope jumps there */
  double extreme[5];   /* value, slope or curvature may be extreme there; unused ones are 0 */
  int kinks;           /* how many there are */
  int curvature_jumps; /* somewhere: then both sides of either end of an interval count */
} dppair_landmarks_;

DPPAIR_API dppair_landmarks_ dppair_landmarks_of_(dppair_loss loss, const double *p) {
  dppair_landmarks_ m = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  switch (loss) {
  case DPPAIR_LOSS_hinge:
    m.kinks = 1;
    m.kink[0] = 1.0;
    break;
  case DPPAIR_LOSS_ramp:
    m.kinks = 2;
    m.kink[1] = 1.0;
    m.extreme[0] = 0.5;
    break;
  case DPPAIR_LOSS_absolute:
  case DPPAIR_LOSS_pinball:
    m.kinks = 1;
    break;
  case DPPAIR_LOSS_smoothed_hinge:
    m.extreme[0] = 1.0 - 0.5 * p[0];
    m.curvature_jumps = 1;
    break;
  case DPPAIR_LOSS_moreau_pinball:
    m.extreme[0] = p[1] * (p[0] - 0.5);
    m.curvature_jumps = 1;
    break;
  case DPPAIR_LOSS_squared_hinge:
  case DPPAIR_LOSS_huber:
  case DPPAIR_LOSS_moreau_absolute:
    m.curvature_jumps = 1;
    break;
  case DPPAIR_LOSS_sigmoid: /* phi''' = 0 at +-ln(2 + sqrt 3) */
    m.extreme[0] = -1.3169578969248167;
    m.extreme[1] = 1.3169578969248167;
    break;
  case DPPAIR_LOSS_welsch: /* phi'' = 0 at +-h, phi''' = 0 at 0 and +-sqrt(3) h */
    m.extreme[0] = -p[0];
    m.extreme[1] = p[0];
    m.extreme[2] = -1.7320508075688772 * p[0];
    m.extreme[3] = 1.7320508075688772 * p[0];
    break;
  default:
    break;
  }
  return m;
}

DPPAIR_API double dppair_between_(double u, double low, double high) {
  return u < low ? low : u > high ? high : u;
}

/* *most becomes x where x is larger. */
DPPAIR_API void dppair_raise_(double *most, double x) { *most = x > *most ? x : *most; }

/* Widens r by the slopes and the curvature at u and the value at w. */
DPPAIR_API void dppair_slopes_at_(dppair_slopes_ *r, dppair_loss loss, const double *p, double u,
                                  double w) {
  const double slope = dppair_loss_slope_(loss, u, p), back = dppair_loss_slope_(loss, -u, p);
  const double larger = fabs(slope) > fabs(back) ? fabs(slope) : fabs(back);
  dppair_raise_(&r->down, -slope);
  dppair_raise_(&r->up, slope);
  dppair_raise_(&r->odd, 0.5 * fabs(slope - back) + 4.0 * DBL_EPSILON * larger);
  dppair_raise_(&r->value, fabs(dppair_loss_value_(loss, w, p)));
  dppair_raise_(&r->curvature, fabs(dppair_loss_curvature_(loss, u, p)));
}

enum { DPPAIR_LOW_ = 1, DPPAIR_HIGH_ = 2 }; /* ends of an interval */

/*
 * Widens r by the interval [low, high] (ends may be infinite) of margins of size at most `reach`.
 * Slopes and values of a convex phi are extreme at the ends; those of the other losses, and all
 * curvatures, at the ends or at a landmark. The ends are moved outwards by their own rounding.
 * Where the slope or the curvature jumps at an end that is `crossed`, or in the room beyond it,
 * both sides of the jump count, because a computed margin may be on either side.
 */
DPPAIR_API void dppair_slopes_add_(dppair_slopes_ *r, dppair_loss loss, const double *p, double low,
                                   double high, double reach, int crossed) {
  const double far = 1e300;  /* in place of an infinite end: every loss can be evaluated there */
  const double huge = 1e250; /* a supremum beyond this is no bound */
  const dppair_landmarks_ marks = dppair_landmarks_of_(loss, p);
  const double ulps = 4.0 * DBL_EPSILON * reach, room = dppair_room_(reach);
  const double lower = crossed & DPPAIR_LOW_ ? low - room : low;
  const double upper = crossed & DPPAIR_HIGH_ ? high + room : high;
  double inside[2], wide[2]; /* the interval, by its rounding wider; by the room wider */
  const double *ends = dppair_loss_describe(loss)->differentiable ? inside : wide;
  int k, kink = 0;
  inside[0] = low - ulps > -far ? low - ulps : -far;
  inside[1] = high + ulps < far ? high + ulps : far;
  wide[0] = lower > -far ? lower : -far;
  wide[1] = upper < far ? upper : far;
  for (k = 0; k < 7; k++) { /* both ends, then the landmarks that are between them */
    const double u = dppair_between_(k < 2 ? ends[k] : marks.extreme[k - 2], ends[0], ends[1]);
    dppair_slopes_at_(r, loss, p, u, dppair_between_(u, inside[0], inside[1]));
  }
  for (k = 0; k < marks.kinks; k++) kink |= ends[0] <= marks.kink[k] && ends[1] >= marks.kink[k];
  for (k = 0; marks.curvature_jumps && k < 2; k++)
    dppair_raise_(&r->curvature, fabs(dppair_loss_curvature_(loss, wide[k], p)));
  if (r->down > huge) r->down = HUGE_VAL;
  if (r->up > huge) r->up = HUGE_VAL;
  if (r->odd > huge) r->odd = HUGE_VAL;
  if (r->value > huge) r->value = HUGE_VAL;
  if (kink || r->curvature > huge) r->curvature = HUGE_VAL;
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
 * What pairs of the factor with t near 0 add to the move. Their computed margins may lie beyond the
 * end t = 0, on the other side of a kink, and then have coefficients beyond [-down, up]; but their
 * vectors are at most 4R sqrt(room) long. *slope is raised to those coefficients.
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
