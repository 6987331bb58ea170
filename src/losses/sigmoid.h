/* ------------------------------------------------------------------------------------------------
 * The sigmoid
 * ---------------------------------------------------------------------------------------------- */

#define dppair_sigmoid_INFO "1/(1 + e^u)", "", "Yan et al. 2003 (smoothed Wilcoxon statistic)"
#define dppair_sigmoid_RANGE                                                                       \
  (dppair_sigmoid_range_, DPPAIR_IS_MONOTONE | DPPAIR_IS_SMOOTH, dppair_sigmoid_value_)
#define dppair_sigmoid_KIND dppair_analytic
#define dppair_sigmoid_CURVE dppair_curve
#define dppair_sigmoid_POLES(p)                                                                    \
  { 3.14159265358979323846, 1, 2 }
#define dppair_sigmoid_VALUE(u, p) DPV_SIGMOID(DPV_NEG(u))
#define dppair_sigmoid_SLOPE(u, p) DPV_NEG(dppair_logistic_CURVATURE(u, p))
#define dppair_sigmoid_CURVATURE(u, p)                                                             \
  DPV_MUL(dppair_logistic_CURVATURE(u, p), DPV_SUB(DPV_SIGMOID(u), DPV_SIGMOID(DPV_NEG(u))))

DPPAIR_FP_BEGIN_
DPPAIR_API double dppair_sigmoid_value_(double u, const double *p) {
  (void)p;
  return dppair_sigmoid_VALUE(u, p);
}
DPPAIR_API double dppair_sigmoid_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_sigmoid)
}
DPPAIR_API void dppair_sigmoid_range_(dppair_range *range, const dppair_margins *m,
                                      const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.extreme[0] = -1.3169578969248167; /* phi''' = 0 at +-ln(2 + sqrt 3) */
  marks.extreme[1] = 1.3169578969248167;
  dppair_range_scan_(range, m, p, dppair_sigmoid_at_, &marks);
}
DPPAIR_FP_END_
