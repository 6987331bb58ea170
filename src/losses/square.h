/* ------------------------------------------------------------------------------------------------
 * The square of 1 - u
 * ---------------------------------------------------------------------------------------------- */

#define dppair_square_INFO "(1 - u)^2", "", "Gao et al. 2013 (one-pass AUC)"
#define dppair_square_RANGE                                                                        \
  (dppair_square_range_, DPPAIR_IS_CONVEX | DPPAIR_IS_SMOOTH | DPPAIR_IS_QUADRATIC,                \
   dppair_square_value_)
#define dppair_square_KIND dppair_piecewise
#define dppair_square_CURVE dppair_curve
#define dppair_square_PIECES(p)                                                                    \
  {                                                                                                \
    { HUGE_VAL, -2, 2, 0 }                                                                         \
  }
#define dppair_square_VALUE(u, p) DPV_MUL(DPV_SUB(DPV_SET(1), u), DPV_SUB(DPV_SET(1), u))
#define dppair_square_SLOPE(u, p) DPV_MUL(DPV_SET(-2), DPV_SUB(DPV_SET(1), u))
#define dppair_square_CURVATURE(u, p) DPV_SET(2)

DPPAIR_FP_BEGIN_
DPPAIR_API double dppair_square_value_(double u, const double *p) {
  (void)p;
  return dppair_square_VALUE(u, p);
}
DPPAIR_API double dppair_square_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_square)
}
DPPAIR_API void dppair_square_range_(dppair_range *range, const dppair_margins *m,
                                     const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  dppair_range_scan_(range, m, p, dppair_square_at_, &marks);
}
DPPAIR_FP_END_
