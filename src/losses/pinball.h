/* ------------------------------------------------------------------------------------------------
 * The pinball
 * ---------------------------------------------------------------------------------------------- */

#define dppair_pinball_INFO "max(tau u, (tau - 1) u)", "tau in (0,1)", "Koenker and Bassett 1978"
#define dppair_pinball_RANGE                                                                       \
  (dppair_pinball_range_, DPPAIR_IS_CONVEX | DPPAIR_TAKES_LEVEL, dppair_pinball_value_)
#define dppair_pinball_KIND dppair_piecewise
#define dppair_pinball_PIECES(p)                                                                   \
  {                                                                                                \
    {HUGE_VAL, (double)(p)[0], 0, 0}, {0, -(double)(p)[0], 0, 1}, { 0, (double)(p)[0] - 1, 0, 0 }  \
  }
#define dppair_pinball_VALUE(u, p)                                                                 \
  DPV_MAX(DPV_MUL(DPV_SET((p)[0]), u), DPV_MUL(DPV_SET((p)[0] - 1), u))
#define dppair_pinball_SLOPE(u, p) dppair_signs_(u, (p)[0] - 1, (p)[0])
#define dppair_pinball_CURVATURE(u, p) DPV_SET(0)

DPPAIR_FP_BEGIN_
DPPAIR_API double dppair_pinball_value_(double u, const double *p) {
  (void)p;
  return dppair_pinball_VALUE(u, p);
}
DPPAIR_API double dppair_pinball_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_pinball)
}
DPPAIR_API void dppair_pinball_range_(dppair_range *range, const dppair_margins *m,
                                      const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.kinks = 1; /* 0 */
  dppair_range_scan_(range, m, p, dppair_pinball_at_, &marks);
}
DPPAIR_FP_END_
