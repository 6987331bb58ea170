/* ------------------------------------------------------------------------------------------------
 * Moreau's envelopes of the size of a residual and of the pinball
 *
 * The slope a = u/w held within [-1, 1] or [tau - 1, tau]; the value a (u - a w/2).
 * ---------------------------------------------------------------------------------------------- */

#define dppair_moreau_(u, a, w) DPV_MUL(a, DPV_SUB(u, DPV_MUL(a, DPV_SET((w) / 2))))

#define dppair_moreau_absolute_INFO                                                                \
  "envelope of |u|: u^2/(2w) if |u| <= w, else |u| - w/2", "width w > 0", "Moreau 1965"
#define dppair_moreau_absolute_RANGE                                                               \
  (dppair_moreau_absolute_range_, DPPAIR_IS_CONVEX | DPPAIR_IS_SMOOTH | DPPAIR_TAKES_SIZE,         \
   dppair_moreau_absolute_value_)
#define dppair_moreau_absolute_KIND dppair_piecewise
#define dppair_moreau_absolute_CURVE dppair_curve
#define dppair_moreau_absolute_PIECES(p)                                                           \
  {                                                                                                \
    {HUGE_VAL, 1, 0, 0}, {(double)(p)[0], -1, 1 / (double)(p)[0], 0}, {                            \
      -(double)(p)[0], -1, -1 / (double)(p)[0], 0                                                  \
    }                                                                                              \
  }
#define dppair_moreau_absolute_VALUE(u, p)                                                         \
  dppair_moreau_(u, dppair_moreau_absolute_SLOPE(u, p), (p)[0])
#define dppair_moreau_absolute_SLOPE(u, p) dppair_held_(DPV_DIV(u, DPV_SET((p)[0])), -1, 1)
#define dppair_moreau_absolute_CURVATURE(u, p) dppair_within_(u, -(p)[0], (p)[0], 1 / (p)[0])

DPPAIR_FP_BEGIN_
DPPAIR_API double dppair_moreau_absolute_value_(double u, const double *p) {
  (void)p;
  return dppair_moreau_absolute_VALUE(u, p);
}
DPPAIR_API double dppair_moreau_absolute_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_moreau_absolute)
}
DPPAIR_API void dppair_moreau_absolute_range_(dppair_range *range, const dppair_margins *m,
                                              const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.curvature_jumps = 1;
  dppair_range_scan_(range, m, p, dppair_moreau_absolute_at_, &marks);
}
DPPAIR_FP_END_

#define dppair_moreau_pinball_INFO                                                                 \
  "envelope of the pinball: a u - a^2 w/2, a = u/w held within [tau-1, tau]",                      \
      "tau in (0,1), width w > 0", "Moreau 1965"
#define dppair_moreau_pinball_RANGE                                                                \
  (dppair_moreau_pinball_range_,                                                                   \
   DPPAIR_IS_CONVEX | DPPAIR_IS_SMOOTH | DPPAIR_TAKES_LEVEL | DPPAIR_TAKES_SIZE,                   \
   dppair_moreau_pinball_value_)
#define dppair_moreau_pinball_KIND dppair_piecewise
#define dppair_moreau_pinball_CURVE dppair_curve
#define dppair_moreau_pinball_PIECES(p)                                                            \
  {                                                                                                \
    {HUGE_VAL, (double)(p)[0], 0, 0},                                                              \
        {(double)(p)[0] * (double)(p)[1], -(double)(p)[0], 1 / (double)(p)[1], 0}, {               \
      ((double)(p)[0] - 1) * (double)(p)[1], (double)(p)[0] - 1, -1 / (double)(p)[1], 0            \
    }                                                                                              \
  }
#define dppair_moreau_pinball_VALUE(u, p)                                                          \
  dppair_moreau_(u, dppair_moreau_pinball_SLOPE(u, p), (p)[1])
#define dppair_moreau_pinball_SLOPE(u, p)                                                          \
  dppair_held_(DPV_DIV(u, DPV_SET((p)[1])), (p)[0] - 1, (p)[0])
#define dppair_moreau_pinball_CURVATURE(u, p)                                                      \
  dppair_within_(u, (p)[1] * ((p)[0] - 1), (p)[1] * (p)[0], 1 / (p)[1])

DPPAIR_FP_BEGIN_
DPPAIR_API double dppair_moreau_pinball_value_(double u, const double *p) {
  (void)p;
  return dppair_moreau_pinball_VALUE(u, p);
}
DPPAIR_API double dppair_moreau_pinball_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_moreau_pinball)
}
DPPAIR_API void dppair_moreau_pinball_range_(dppair_range *range, const dppair_margins *m,
                                             const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.extreme[0] = p[1] * (p[0] - 0.5);
  marks.curvature_jumps = 1;
  dppair_range_scan_(range, m, p, dppair_moreau_pinball_at_, &marks);
}
DPPAIR_FP_END_
