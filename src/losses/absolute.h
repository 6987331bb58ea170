/* ------------------------------------------------------------------------------------------------
 * The size of a residual
 * ---------------------------------------------------------------------------------------------- */

/* low where u < 0, high where u > 0, 0 at 0 */
#define dppair_signs_(u, low, high)                                                                \
  DPV_SEL(DPV_LT(DPV_SET(0), u), DPV_SET(high),                                                    \
          DPV_SEL(DPV_LT(u, DPV_SET(0)), DPV_SET(low), DPV_SET(0)))

#define dppair_absolute_INFO "|u|", "", "Koenker and Bassett 1978 (median)"
#define dppair_absolute_RANGE (dppair_absolute_range_, DPPAIR_IS_CONVEX, dppair_absolute_value_)
#define dppair_absolute_KIND dppair_piecewise
#define dppair_absolute_PIECES(p)                                                                  \
  {                                                                                                \
    {HUGE_VAL, 1, 0, 0}, {0, -1, 0, 1}, { 0, -1, 0, 0 }                                            \
  }
#define dppair_absolute_VALUE(u, p) DPV_ABS(u)
#define dppair_absolute_SLOPE(u, p) dppair_signs_(u, -1, 1)
#define dppair_absolute_CURVATURE(u, p) DPV_SET(0)

DPPAIR_FP_BEGIN_
DPPAIR_API double dppair_absolute_value_(double u, const double *p) {
  (void)p;
  return dppair_absolute_VALUE(u, p);
}
DPPAIR_API double dppair_absolute_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_absolute)
}
DPPAIR_API void dppair_absolute_range_(dppair_range *range, const dppair_margins *m,
                                       const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.kinks = 1; /* 0 */
  dppair_range_scan_(range, m, p, dppair_absolute_at_, &marks);
}
DPPAIR_FP_END_
