/* ------------------------------------------------------------------------------------------------
 * The square of a residual
 * ---------------------------------------------------------------------------------------------- */

#define dppair_least_squares_INFO "u^2", "", "Agarwal and Niyogi 2009 (least-squares ranking)"
#define dppair_least_squares_RANGE                                                                 \
  (dppair_least_squares_range_, DPPAIR_IS_CONVEX | DPPAIR_IS_SMOOTH | DPPAIR_IS_QUADRATIC,         \
   dppair_least_squares_value_)
#define dppair_least_squares_KIND dppair_piecewise
#define dppair_least_squares_CURVE dppair_curve
#define dppair_least_squares_PIECES(p)                                                             \
  {                                                                                                \
    { HUGE_VAL, 0, 2, 0 }                                                                          \
  }
#define dppair_least_squares_VALUE(u, p) DPV_MUL(u, u)
#define dppair_least_squares_SLOPE(u, p) DPV_ADD(u, u)
#define dppair_least_squares_CURVATURE(u, p) DPV_SET(2)

DPPAIR_FP_BEGIN_
DPPAIR_API double dppair_least_squares_value_(double u, const double *p) {
  (void)p;
  return dppair_least_squares_VALUE(u, p);
}
DPPAIR_API double dppair_least_squares_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_least_squares)
}
DPPAIR_API void dppair_least_squares_range_(dppair_range *range, const dppair_margins *m,
                                            const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  dppair_range_scan_(range, m, p, dppair_least_squares_at_, &marks);
}
DPPAIR_FP_END_
