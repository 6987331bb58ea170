/* ------------------------------------------------------------------------------------------------
 * The range of a loss, and what else proofs need of it
 *
 * A loss L has, beside L_KIND, L_VALUE and L_SLOPE, one more macro:
 *
 *     #define L_RANGE (f, flags)
 *
 * f is a C function that bounds slopes, curvature and values over an interval of margins; flags are
 * 0 or what of DPPAIR_IS_... below is true of the loss. A loss without L_RANGE has a sensitivity
 * with a clip only.
 *
 *     static void cauchy_range(dppair_range *r, const dppair_margins *m, const double *params) {
 *       (void)m, (void)params;
 *       r->down = r->up = 1.0;      |2 u/(1 + u^2)| <= 1
 *       r->curvature = 2.0;         what is not written counts as unbounded: here the value
 *     }
 *     #define cauchy_RANGE (cauchy_range, DPPAIR_IS_SMOOTH)
 *
 * Shipped losses have a third item, phi itself. Its code is then compiled only where values are
 * asked for, which a sensitivity does not do.
 * ---------------------------------------------------------------------------------------------- */

typedef double dppair_value_function_(double u, const double *params);

/* An interval of margins; in place of an infinite end stands +-1e300. */
typedef struct dppair_margins {
  double low, high;   /* the margins that exact arithmetic reaches, wider by their rounding */
  double least, most; /* wider by all that computed margins may lie beyond: where a slope jumps
                       * between least and low, or high and most, both sides count */
  dppair_value_function_ *value; /* the third item, NULL where no value is asked for */
} dppair_margins;

/* Of phi over an interval of margins, slopes as computed. */
typedef struct dppair_range {
  double down, up;  /* sup of -phi' and of phi', 0 at least */
  double odd;       /* sup |phi'(u) - phi'(-u)|/2 */
  double curvature; /* Lipschitz constant of phi', HUGE_VAL over a jump */
  double value;     /* sup |phi| */
} dppair_range;

/* Writes *range; params are the loss's own. All five figures are HUGE_VAL before the call. */
typedef void dppair_range_function(dppair_range *range, const dppair_margins *margins,
                                   const double *params);

/* Flags. MONOTONE: phi does not increase. SMOOTH: phi' is continuous. QUADRATIC: phi is a parabola.
 * The parameters are checked: LEVEL: one in (0, 1) comes first; SIZE: a width, knee or bandwidth in
 * [1e-100, 1e100] comes last. */
enum {
  DPPAIR_IS_CONVEX = 1,
  DPPAIR_IS_MONOTONE = 2,
  DPPAIR_IS_SMOOTH = 4,
  DPPAIR_IS_QUADRATIC = 8,
  DPPAIR_TAKES_LEVEL = 16,
  DPPAIR_TAKES_SIZE = 32
};

/* What dppair_constants_find reads of a loss. */
typedef struct dppair_loss_facts {
  dppair_range_function *range;
  unsigned flags;
  dppair_value_function_ *value; /* NULL: none, or not asked for */
} dppair_loss_facts;

/* Its initialiser for a loss L that is known at compile time: DPPAIR_FACTS(dppair_hinge). */
#define DPPAIR_FACTS(loss) DPPAIR_FACTS_1_(DPPAIR_CAT(loss, _RANGE))
#define DPPAIR_FACTS_1_(range) DPPAIR_FACTS_2_ range
#define DPPAIR_FACTS_2_(...) DPPAIR_FACTS_3_(__VA_ARGS__, NULL, ~)
#define DPPAIR_FACTS_3_(f, flags, value, ...)                                                      \
  { f, (unsigned)(flags), value }

/* The same without its values. */
#define DPPAIR_SLOPE_FACTS_(loss) DPPAIR_SLOPE_FACTS_1_(DPPAIR_CAT(loss, _RANGE))
#define DPPAIR_SLOPE_FACTS_1_(range) DPPAIR_SLOPE_FACTS_2_ range
#define DPPAIR_SLOPE_FACTS_2_(...) DPPAIR_SLOPE_FACTS_3_(__VA_ARGS__, ~)
#define DPPAIR_SLOPE_FACTS_3_(f, flags, ...)                                                       \
  { f, (unsigned)(flags), NULL }

DPPAIR_FP_BEGIN_

/* *most becomes x where x is larger, HUGE_VAL where x is no number. */
DPPAIR_API void dppair_raise_(double *most, double x) {
  if (!(x <= *most)) *most = x > *most ? x : HUGE_VAL;
}

DPPAIR_API double dppair_between_(double u, double low, double high) {
  return u < low ? low : u > high ? high : u;
}

/* A slope or curvature of a shipped loss, and the body of its function L_at_. */
enum { DPPAIR_VALUE_ = 0, DPPAIR_SLOPE_ = 1, DPPAIR_CURVATURE_ = 2 };
typedef double dppair_phi_(int what, double u, const double *params);
#define DPPAIR_AT_(loss)                                                                           \
  (void)u;                                                                                         \
  (void)p;                                                                                         \
  return what == DPPAIR_SLOPE_ ? loss##_SLOPE(u, p) : loss##_CURVATURE(u, p);

/* The margins that are special to a loss. */
typedef struct dppair_landmarks_ {
  double kink[2];      /* the slope jumps there */
  double extreme[5];   /* value, slope or curvature may be extreme there; unused ones are 0 */
  int kinks;           /* how many there are */
  int curvature_jumps; /* somewhere: then both sides of either end of an interval count */
} dppair_landmarks_;

/* Widens r by the slopes and the curvature at u. */
DPPAIR_OUT_OF_LINE_ void dppair_slopes_at_(dppair_range *r, dppair_phi_ *phi, const double *p,
                                           double u) {
  const double slope = phi(DPPAIR_SLOPE_, u, p), back = phi(DPPAIR_SLOPE_, -u, p);
  const double larger =
      dppair_fabs_(slope) > dppair_fabs_(back) ? dppair_fabs_(slope) : dppair_fabs_(back);
  dppair_raise_(&r->down, -slope);
  dppair_raise_(&r->up, slope);
  dppair_raise_(&r->odd, 0.5 * dppair_fabs_(slope - back) + 4.0 * DBL_EPSILON * larger);
  dppair_raise_(&r->curvature, dppair_fabs_(phi(DPPAIR_CURVATURE_, u, p)));
}

/* sup |phi| of a shipped loss: at the ends of the interval or at a landmark. */
DPPAIR_API double dppair_values_scan_(const dppair_margins *m, const double *p,
                                      const dppair_landmarks_ *marks) {
  double most = 0.0;
  int k;
  if (!m->value) return HUGE_VAL;
  dppair_raise_(&most, dppair_fabs_(m->value(m->low, p)));
  dppair_raise_(&most, dppair_fabs_(m->value(m->high, p)));
  for (k = 0; k < 5; k++)
    dppair_raise_(&most,
                  dppair_fabs_(m->value(dppair_between_(marks->extreme[k], m->low, m->high), p)));
  return most;
}

/*
 * The range of a shipped loss. Slopes and values of a convex phi are extreme at the ends of an
 * interval; those of the other losses, and all curvatures, at the ends or at a landmark. Where the
 * slope or the curvature jumps at an end, or in the room beyond it, both sides of the jump count,
 * because a computed margin may be on either side.
 */
DPPAIR_OUT_OF_LINE_ void dppair_range_scan_(dppair_range *range, const dppair_margins *m,
                                            const double *p, dppair_phi_ *phi,
                                            const dppair_landmarks_ *marks) {
  const int smooth = marks->kinks == 0;
  const double low = smooth ? m->low : m->least, high = smooth ? m->high : m->most;
  dppair_range r = {0.0, 0.0, 0.0, 0.0, 0.0};
  int k;
  dppair_slopes_at_(&r, phi, p, low);
  dppair_slopes_at_(&r, phi, p, high);
  for (k = 0; k < 5; k++)
    dppair_slopes_at_(&r, phi, p, dppair_between_(marks->extreme[k], low, high));
  r.value = dppair_values_scan_(m, p, marks);
  if (marks->curvature_jumps) {
    dppair_raise_(&r.curvature, dppair_fabs_(phi(DPPAIR_CURVATURE_, m->least, p)));
    dppair_raise_(&r.curvature, dppair_fabs_(phi(DPPAIR_CURVATURE_, m->most, p)));
  }
  for (k = 0; k < marks->kinks; k++)
    if (low <= marks->kink[k] && high >= marks->kink[k]) r.curvature = HUGE_VAL;
  *range = r;
}

DPPAIR_FP_END_
