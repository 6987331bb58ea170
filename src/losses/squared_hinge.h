/* ------------------------------------------------------------------------------------------------
 * The squared hinge
 * ---------------------------------------------------------------------------------------------- */

#define dppair_squared_hinge_INFO "((1 - u)+)^2", "", "Chapelle and Keerthi 2010"
#define dppair_squared_hinge_RANGE                                                                 \
  (dppair_squared_hinge_range_, DPPAIR_IS_CONVEX | DPPAIR_IS_MONOTONE | DPPAIR_IS_SMOOTH,          \
   dppair_squared_hinge_value_)
#define dppair_squared_hinge_KIND dppair_piecewise
#define dppair_squared_hinge_CURVE dppair_curve
#define dppair_squared_hinge_PIECES(p)                                                             \
  {                                                                                                \
    { 1, -2, 2, 0 }                                                                                \
  }
#define dppair_squared_hinge_VALUE(u, p) DPV_MUL(dppair_hinge_VALUE(u, p), dppair_hinge_VALUE(u, p))
#define dppair_squared_hinge_SLOPE(u, p) DPV_MUL(DPV_SET(-2), dppair_hinge_VALUE(u, p))
#define dppair_squared_hinge_CURVATURE(u, p) DPV_SEL(DPV_LT(u, DPV_SET(1)), DPV_SET(2), DPV_SET(0))

DPPAIR_FP_BEGIN_
DPPAIR_API double dppair_squared_hinge_value_(double u, const double *p) {
  (void)p;
  return dppair_squared_hinge_VALUE(u, p);
}
DPPAIR_API double dppair_squared_hinge_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_squared_hinge)
}
DPPAIR_API void dppair_squared_hinge_range_(dppair_range *range, const dppair_margins *m,
                                            const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.curvature_jumps = 1;
  dppair_range_scan_(range, m, p, dppair_squared_hinge_at_, &marks);
}
DPPAIR_FP_END_
