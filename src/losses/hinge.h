/* ------------------------------------------------------------------------------------------------
 * The hinge
 * ---------------------------------------------------------------------------------------------- */

#define dppair_hinge_INFO "(1 - u)+", "", "Joachims 2002 (ranking SVM)"
#define dppair_hinge_RANGE                                                                         \
  (dppair_hinge_range_, DPPAIR_IS_CONVEX | DPPAIR_IS_MONOTONE, dppair_hinge_value_)
/* The maximum takes its second argument when that is NaN, hence the order. */
#define dppair_hinge_KIND dppair_piecewise
#define dppair_hinge_PIECES(p)                                                                     \
  {                                                                                                \
    { 1, -1, 0, 0 }                                                                                \
  }
#define dppair_hinge_VALUE(u, p) DPV_MAX(DPV_SET(0), DPV_SUB(DPV_SET(1), u))
#define dppair_hinge_SLOPE(u, p) DPV_SEL(DPV_LT(u, DPV_SET(1)), DPV_SET(-1), DPV_SET(0))
#define dppair_hinge_CURVATURE(u, p) DPV_SET(0)

DPPAIR_FP_BEGIN_
DPPAIR_API double dppair_hinge_value_(double u, const double *p) {
  (void)p;
  return dppair_hinge_VALUE(u, p);
}
DPPAIR_API double dppair_hinge_at_(int what, double u, const double *p) { DPPAIR_AT_(dppair_hinge) }
DPPAIR_API void dppair_hinge_range_(dppair_range *range, const dppair_margins *m, const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.kinks = 1;
  marks.kink[0] = 1.0;
  dppair_range_scan_(range, m, p, dppair_hinge_at_, &marks);
}
DPPAIR_FP_END_
