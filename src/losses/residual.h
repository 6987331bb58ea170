/* ------------------------------------------------------------------------------------------------
 * Losses of a residual u = (y - y') - (s - s')
 *
 * Laid out as in ranking.h.
 * ---------------------------------------------------------------------------------------------- */

#define dppair_least_squares_KIND dppair_piecewise
#define dppair_least_squares_PIECES(p) {{HUGE_VAL, 0, 2, 0}}
#define dppair_least_squares_VALUE(u, p) DPV_MUL(u, u)
#define dppair_least_squares_SLOPE(u, p) DPV_ADD(u, u)
#define dppair_least_squares_CURVATURE(u, p) DPV_SET(2)

/* low where u < 0, high where u > 0, 0 at 0 */
#define dppair_signs_(u, low, high)                                                                \
  DPV_SEL(DPV_LT(DPV_SET(0), u), DPV_SET(high),                                                    \
          DPV_SEL(DPV_LT(u, DPV_SET(0)), DPV_SET(low), DPV_SET(0)))

#define dppair_absolute_KIND dppair_piecewise
#define dppair_absolute_PIECES(p) {{HUGE_VAL, 1, 0, 0}, {0, -1, 0, 1}, {0, -1, 0, 0}}
#define dppair_absolute_VALUE(u, p) DPV_ABS(u)
#define dppair_absolute_SLOPE(u, p) dppair_signs_(u, -1, 1)
#define dppair_absolute_CURVATURE(u, p) DPV_SET(0)

#define dppair_pinball_KIND dppair_piecewise
#define dppair_pinball_PIECES(p)                                                                   \
  {{HUGE_VAL, (double)(p)[0], 0, 0},                                                               \
  {0, -(double)(p)[0], 0, 1},                                                                      \
  {0, (double)(p)[0] - 1, 0, 0}}
#define dppair_pinball_VALUE(u, p)                                                                 \
  DPV_MAX(DPV_MUL(DPV_SET((p)[0]), u), DPV_MUL(DPV_SET((p)[0] - 1), u))
#define dppair_pinball_SLOPE(u, p) dppair_signs_(u, (p)[0] - 1, (p)[0])
#define dppair_pinball_CURVATURE(u, p) DPV_SET(0)

/* u held within [low, high]; NaN stays NaN */
#define dppair_held_(u, low, high) DPV_MIN(DPV_SET(high), DPV_MAX(DPV_SET(low), u))
#define dppair_within_(u, low, high, v)                                                            \
  DPV_SEL(DPV_AND(DPV_LT(DPV_SET(low), u), DPV_LT(u, DPV_SET(high))), DPV_SET(v), DPV_SET(0))

/* The slope a = u held within [-k, k]; the value a (u - a/2). */
#define dppair_huber_KIND dppair_piecewise
#define dppair_huber_PIECES(p)                                                                     \
  {{HUGE_VAL, (double)(p)[0], 0, 0},                                                               \
  {(double)(p)[0], -(double)(p)[0], 1, 0},                                                         \
  {-(double)(p)[0], -(double)(p)[0], -1, 0}}
#define dppair_huber_VALUE(u, p)                                                                   \
  DPV_MUL(dppair_huber_SLOPE(u, p),                                                                \
          DPV_SUB(u, DPV_MUL(dppair_huber_SLOPE(u, p), DPV_SET((DPV_R)0.5))))
#define dppair_huber_SLOPE(u, p) dppair_held_(u, -(p)[0], (p)[0])
#define dppair_huber_CURVATURE(u, p) dppair_within_(u, -(p)[0], (p)[0], 1)

/* The slope a = u/w held within [-1, 1] or [tau - 1, tau]; the value a (u - a w/2). */
#define dppair_moreau_(u, a, w) DPV_MUL(a, DPV_SUB(u, DPV_MUL(a, DPV_SET((w) / 2))))
#define dppair_moreau_absolute_KIND dppair_piecewise
#define dppair_moreau_absolute_PIECES(p)                                                           \
  {{HUGE_VAL, 1, 0, 0},                                                                            \
  {(double)(p)[0], -1, 1 / (double)(p)[0], 0},                                                     \
  {-(double)(p)[0], -1, -1 / (double)(p)[0], 0}}
#define dppair_moreau_absolute_VALUE(u, p)                                                         \
  dppair_moreau_(u, dppair_moreau_absolute_SLOPE(u, p), (p)[0])
#define dppair_moreau_absolute_SLOPE(u, p) dppair_held_(DPV_DIV(u, DPV_SET((p)[0])), -1, 1)
#define dppair_moreau_absolute_CURVATURE(u, p) dppair_within_(u, -(p)[0], (p)[0], 1 / (p)[0])

#define dppair_moreau_pinball_KIND dppair_piecewise
#define dppair_moreau_pinball_PIECES(p)                                                            \
  {{HUGE_VAL, (double)(p)[0], 0, 0},                                                               \
  {(double)(p)[0] * (double)(p)[1], -(double)(p)[0], 1 / (double)(p)[1], 0},                       \
  {((double)(p)[0] - 1) * (double)(p)[1], (double)(p)[0] - 1, -1 / (double)(p)[1], 0}}
#define dppair_moreau_pinball_VALUE(u, p)                                                          \
  dppair_moreau_(u, dppair_moreau_pinball_SLOPE(u, p), (p)[1])
#define dppair_moreau_pinball_SLOPE(u, p)                                                          \
  dppair_held_(DPV_DIV(u, DPV_SET((p)[1])), (p)[0] - 1, (p)[0])
#define dppair_moreau_pinball_CURVATURE(u, p)                                                      \
  dppair_within_(u, (p)[1] * ((p)[0] - 1), (p)[1] * (p)[0], 1 / (p)[1])

/* v = u/h, e = e^(-v^2/2). The value's error is in proportion to h^2, its supremum. */
#define dppair_welsch_v_(u, p) DPV_DIV(u, DPV_SET((p)[0]))
#define dppair_welsch_half_(u, p)                                                                  \
  DPV_MUL(DPV_SET((DPV_R)0.5), DPV_MUL(dppair_welsch_v_(u, p), dppair_welsch_v_(u, p)))
#define dppair_welsch_e_(u, p) DPV_EXP(DPV_NEG(dppair_welsch_half_(u, p)))
#define dppair_welsch_KIND dppair_pairs
#define dppair_welsch_VALUE(u, p)                                                                  \
  DPV_MUL(DPV_SET((p)[0] * (p)[0]), DPV_SUB(DPV_SET(1), dppair_welsch_e_(u, p)))
#define dppair_welsch_SLOPE(u, p) DPV_MUL(u, dppair_welsch_e_(u, p))
#define dppair_welsch_CURVATURE(u, p)                                                              \
  DPV_MUL(dppair_welsch_e_(u, p),                                                                  \
          DPV_SUB(DPV_SET(1), DPV_MUL(DPV_SET(2), dppair_welsch_half_(u, p))))
