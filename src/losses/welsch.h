/* ------------------------------------------------------------------------------------------------
 * Welsch's loss
 * ---------------------------------------------------------------------------------------------- */

#define dppair_welsch_INFO                                                                         \
  "h^2 (1 - e^(-u^2/(2h^2)))", "bandwidth h > 0", "Hu et al. 2013 (minimum error entropy)"
#define dppair_welsch_RANGE                                                                        \
  (dppair_welsch_range_, DPPAIR_IS_SMOOTH | DPPAIR_TAKES_SIZE, dppair_welsch_value_)
/* v = u/h, e = e^(-v^2/2). The value's error is in proportion to h^2, its supremum. Where
 * e is 0, v^2 counts as 2000 in the curvature, lest 0 is multiplied by an infinity. */
#define dppair_welsch_v_(u, p) DPV_DIV(u, DPV_SET((p)[0]))
#define dppair_welsch_half_(u, p)                                                                  \
  DPV_MUL(DPV_SET((DPV_R)0.5), DPV_MUL(dppair_welsch_v_(u, p), dppair_welsch_v_(u, p)))
#define dppair_welsch_e_(u, p) DPV_EXP(DPV_NEG(dppair_welsch_half_(u, p)))
#define dppair_welsch_KIND dppair_pairs
#define dppair_welsch_CURVE dppair_curve
#define dppair_welsch_VALUE(u, p)                                                                  \
  DPV_MUL(DPV_SET((p)[0] * (p)[0]), DPV_SUB(DPV_SET(1), dppair_welsch_e_(u, p)))
#define dppair_welsch_SLOPE(u, p) DPV_MUL(u, dppair_welsch_e_(u, p))
#define dppair_welsch_CURVATURE(u, p)                                                              \
  DPV_MUL(                                                                                         \
      dppair_welsch_e_(u, p),                                                                      \
      DPV_SUB(DPV_SET(1), DPV_MUL(DPV_SET(2), DPV_MIN(DPV_SET(1000), dppair_welsch_half_(u, p)))))

DPPAIR_FP_BEGIN_
DPPAIR_API double dppair_welsch_value_(double u, const double *p) {
  (void)p;
  return dppair_welsch_VALUE(u, p);
}
DPPAIR_API double dppair_welsch_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_welsch)
}
DPPAIR_API void dppair_welsch_range_(dppair_range *range, const dppair_margins *m,
                                     const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.extreme[0] = -p[0]; /* phi'' = 0 at +-h, phi''' = 0 at 0 and +-sqrt(3) h */
  marks.extreme[1] = p[0];
  marks.extreme[2] = -1.7320508075688772 * p[0];
  marks.extreme[3] = 1.7320508075688772 * p[0];
  dppair_range_scan_(range, m, p, dppair_welsch_at_, &marks);
}
DPPAIR_FP_END_
