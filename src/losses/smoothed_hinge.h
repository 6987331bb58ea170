/* ------------------------------------------------------------------------------------------------
 * The smoothed hinge: the envelope of the hinge
 * ---------------------------------------------------------------------------------------------- */

#define dppair_smoothed_hinge_INFO                                                                 \
  "envelope of the hinge: (1-u)+^2/(2w) if u >= 1-w, else 1-u-w/2", "width w > 0",                 \
      "Shalev-Shwartz and Zhang 2013; Moreau 1965"
#define dppair_smoothed_hinge_RANGE                                                                \
  (dppair_smoothed_hinge_range_,                                                                   \
   DPPAIR_IS_CONVEX | DPPAIR_IS_MONOTONE | DPPAIR_IS_SMOOTH | DPPAIR_TAKES_SIZE,                   \
   dppair_smoothed_hinge_value_)
/* The slope a = (1 - u)/w held within [0, 1]; the value a (1 - u) - a^2 w/2. */
#define dppair_smoothed_hinge_a_(u, p)                                                             \
  DPV_MIN(DPV_SET(1), DPV_DIV(dppair_hinge_VALUE(u, p), DPV_SET((p)[0])))
#define dppair_smoothed_hinge_KIND dppair_piecewise
#define dppair_smoothed_hinge_CURVE dppair_curve
#define dppair_smoothed_hinge_PIECES(p)                                                            \
  {                                                                                                \
    {1, -1 / (double)(p)[0], 1 / (double)(p)[0], 0}, {                                             \
      1 - (double)(p)[0], 1 / (double)(p)[0] - 1, -1 / (double)(p)[0], 0                           \
    }                                                                                              \
  }
#define dppair_smoothed_hinge_VALUE(u, p)                                                          \
  DPV_MUL(dppair_smoothed_hinge_a_(u, p),                                                          \
          DPV_SUB(DPV_SUB(DPV_SET(1), u),                                                          \
                  DPV_MUL(dppair_smoothed_hinge_a_(u, p), DPV_SET((p)[0] / 2))))
#define dppair_smoothed_hinge_SLOPE(u, p) DPV_NEG(dppair_smoothed_hinge_a_(u, p))
#define dppair_smoothed_hinge_CURVATURE(u, p)                                                      \
  DPV_SEL(DPV_AND(DPV_LT(u, DPV_SET(1)), DPV_LT(DPV_SET(1 - (p)[0]), u)), DPV_SET(1 / (p)[0]),     \
          DPV_SET(0))

DPPAIR_FP_BEGIN_
DPPAIR_API double dppair_smoothed_hinge_value_(double u, const double *p) {
  (void)p;
  return dppair_smoothed_hinge_VALUE(u, p);
}
DPPAIR_API double dppair_smoothed_hinge_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_smoothed_hinge)
}
DPPAIR_API void dppair_smoothed_hinge_range_(dppair_range *range, const dppair_margins *m,
                                             const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.extreme[0] = 1.0 - 0.5 * p[0];
  marks.curvature_jumps = 1;
  dppair_range_scan_(range, m, p, dppair_smoothed_hinge_at_, &marks);
}
DPPAIR_FP_END_
