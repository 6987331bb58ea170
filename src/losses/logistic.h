/* ------------------------------------------------------------------------------------------------
 * The logistic loss
 * ---------------------------------------------------------------------------------------------- */

#define dppair_logistic_INFO "ln(1 + e^-u)", "", "Burges et al. 2005 (RankNet)"
#define dppair_logistic_RANGE                                                                      \
  (dppair_logistic_range_, DPPAIR_IS_CONVEX | DPPAIR_IS_MONOTONE | DPPAIR_IS_SMOOTH,               \
   dppair_logistic_value_)
#define dppair_logistic_KIND dppair_analytic
#define dppair_logistic_CURVE dppair_curve
#define dppair_logistic_POLES(p)                                                                   \
  { 3.14159265358979323846, 1, 1 }
#define dppair_logistic_SPLIT dppair_split
#define dppair_logistic_FACTOR(s, p) DPV_EXP(s)
#define dppair_logistic_JOIN(e, p) DPV_DIV(DPV_SET(-1), DPV_ADD(DPV_SET(1), e))
#define dppair_logistic_VALUE(u, p) DPV_SOFTPLUS(DPV_NEG(u))
#define dppair_logistic_SLOPE(u, p) DPV_NEG(DPV_SIGMOID(DPV_NEG(u)))
#define dppair_logistic_CURVATURE(u, p)                                                            \
  DPV_MUL(DPV_SIGMOID(DPV_NEG(DPV_ABS(u))), DPV_SIGMOID(DPV_ABS(u)))

DPPAIR_FP_BEGIN_
DPPAIR_API double dppair_logistic_value_(double u, const double *p) {
  (void)p;
  return dppair_logistic_VALUE(u, p);
}
DPPAIR_API double dppair_logistic_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_logistic)
}
DPPAIR_API void dppair_logistic_range_(dppair_range *range, const dppair_margins *m,
                                       const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  dppair_range_scan_(range, m, p, dppair_logistic_at_, &marks);
}
DPPAIR_FP_END_
