/* ------------------------------------------------------------------------------------------------
 * The exponential loss
 * ---------------------------------------------------------------------------------------------- */

#define dppair_exponential_INFO "e^-u", "", "Freund et al. 2003 (RankBoost)"
#define dppair_exponential_RANGE                                                                   \
  (dppair_exponential_range_, DPPAIR_IS_CONVEX | DPPAIR_IS_MONOTONE | DPPAIR_IS_SMOOTH,            \
   dppair_exponential_value_)
#define dppair_exponential_KIND dppair_pairs
#define dppair_exponential_CURVE dppair_curve
#define dppair_exponential_SPLIT dppair_split
#define dppair_exponential_FACTOR(s, p) DPV_EXP(DPV_NEG(s))
#define dppair_exponential_JOIN(e, p) DPV_NEG(e)
#define dppair_exponential_VALUE(u, p) DPV_EXP(DPV_NEG(u))
#define dppair_exponential_SLOPE(u, p) DPV_NEG(DPV_EXP(DPV_NEG(u)))
#define dppair_exponential_CURVATURE(u, p) DPV_EXP(DPV_NEG(u))

DPPAIR_FP_BEGIN_
DPPAIR_API double dppair_exponential_value_(double u, const double *p) {
  (void)p;
  return dppair_exponential_VALUE(u, p);
}
DPPAIR_API double dppair_exponential_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_exponential)
}
DPPAIR_API void dppair_exponential_range_(dppair_range *range, const dppair_margins *m,
                                          const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  dppair_range_scan_(range, m, p, dppair_exponential_at_, &marks);
}
DPPAIR_FP_END_
