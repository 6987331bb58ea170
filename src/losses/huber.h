/* ------------------------------------------------------------------------------------------------
 * Huber's loss
 * ---------------------------------------------------------------------------------------------- */

/* u held within [low, high]; NaN stays NaN */
#define dppair_held_(u, low, high) DPV_MIN(DPV_SET(high), DPV_MAX(DPV_SET(low), u))
#define dppair_within_(u, low, high, v)                                                            \
  DPV_SEL(DPV_AND(DPV_LT(DPV_SET(low), u), DPV_LT(u, DPV_SET(high))), DPV_SET(v), DPV_SET(0))

#define dppair_huber_INFO "u^2/2 if |u| <= k, else k |u| - k^2/2", "knee k > 0", "Huber 1964"
#define dppair_huber_RANGE                                                                         \
  (dppair_huber_range_, DPPAIR_IS_CONVEX | DPPAIR_IS_SMOOTH | DPPAIR_TAKES_SIZE,                   \
   dppair_huber_value_)
/* The slope a = u held within [-k, k]; the value a (u - a/2). */
#define dppair_huber_KIND dppair_piecewise
#define dppair_huber_CURVE dppair_curve
#define dppair_huber_PIECES(p)                                                                     \
  {                                                                                                \
    {HUGE_VAL, (double)(p)[0], 0, 0}, {(double)(p)[0], -(double)(p)[0], 1, 0}, {                   \
      -(double)(p)[0], -(double)(p)[0], -1, 0                                                      \
    }                                                                                              \
  }
#define dppair_huber_VALUE(u, p)                                                                   \
  DPV_MUL(dppair_huber_SLOPE(u, p),                                                                \
          DPV_SUB(u, DPV_MUL(dppair_huber_SLOPE(u, p), DPV_SET((DPV_R)0.5))))
#define dppair_huber_SLOPE(u, p) dppair_held_(u, -(p)[0], (p)[0])
#define dppair_huber_CURVATURE(u, p) dppair_within_(u, -(p)[0], (p)[0], 1)

DPPAIR_FP_BEGIN_
DPPAIR_API double dppair_huber_value_(double u, const double *p) {
  (void)p;
  return dppair_huber_VALUE(u, p);
}
DPPAIR_API double dppair_huber_at_(int what, double u, const double *p) { DPPAIR_AT_(dppair_huber) }
DPPAIR_API void dppair_huber_range_(dppair_range *range, const dppair_margins *m, const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.curvature_jumps = 1;
  dppair_range_scan_(range, m, p, dppair_huber_at_, &marks);
}
DPPAIR_FP_END_
