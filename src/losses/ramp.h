/* ------------------------------------------------------------------------------------------------
 * The ramp
 * ---------------------------------------------------------------------------------------------- */

#define dppair_ramp_INFO "min(1, (1 - u)+)", "", "Collobert et al. 2006"
#define dppair_ramp_RANGE (dppair_ramp_range_, DPPAIR_IS_MONOTONE, dppair_ramp_value_)
#define dppair_ramp_KIND dppair_piecewise
#define dppair_ramp_PIECES(p)                                                                      \
  {                                                                                                \
    {1, -1, 0, 0}, { 0, 1, 0, 1 }                                                                  \
  }
#define dppair_ramp_VALUE(u, p) DPV_MIN(DPV_SET(1), dppair_hinge_VALUE(u, p))
#define dppair_ramp_SLOPE(u, p)                                                                    \
  DPV_SEL(DPV_AND(DPV_LT(DPV_SET(0), u), DPV_LT(u, DPV_SET(1))), DPV_SET(-1), DPV_SET(0))
#define dppair_ramp_CURVATURE(u, p) DPV_SET(0)

DPPAIR_FP_BEGIN_
DPPAIR_API double dppair_ramp_value_(double u, const double *p) {
  (void)p;
  return dppair_ramp_VALUE(u, p);
}
DPPAIR_API double dppair_ramp_at_(int what, double u, const double *p) { DPPAIR_AT_(dppair_ramp) }
DPPAIR_API void dppair_ramp_range_(dppair_range *range, const dppair_margins *m, const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.kinks = 2; /* 0 and 1 */
  marks.kink[1] = 1.0;
  marks.extreme[0] = 0.5;
  dppair_range_scan_(range, m, p, dppair_ramp_at_, &marks);
}
DPPAIR_FP_END_
