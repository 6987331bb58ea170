/* ------------------------------------------------------------------------------------------------
 * Losses of a difference of scores u = s - s'
 *
 * Per loss: KIND and what it asks for (see L_KIND in dppair.h), then VALUE, SLOPE, CURVATURE.
 * ---------------------------------------------------------------------------------------------- */

#define dppair_logistic_KIND dppair_analytic
#define dppair_logistic_POLES(p) {3.14159265358979323846, 1, 1}
#define dppair_logistic_SPLIT dppair_split
#define dppair_logistic_FACTOR(s, p) DPV_EXP(s)
#define dppair_logistic_JOIN(e, p) DPV_DIV(DPV_SET(-1), DPV_ADD(DPV_SET(1), e))
#define dppair_logistic_VALUE(u, p) DPV_SOFTPLUS(DPV_NEG(u))
#define dppair_logistic_SLOPE(u, p) DPV_NEG(DPV_SIGMOID(DPV_NEG(u)))
#define dppair_logistic_CURVATURE(u, p)                                                            \
  DPV_MUL(DPV_SIGMOID(DPV_NEG(DPV_ABS(u))), DPV_SIGMOID(DPV_ABS(u)))

/* The maximum takes its second argument when that is NaN, hence the order. */
#define dppair_hinge_KIND dppair_piecewise
#define dppair_hinge_PIECES(p) {{1, -1, 0, 0}}
#define dppair_hinge_VALUE(u, p) DPV_MAX(DPV_SET(0), DPV_SUB(DPV_SET(1), u))
#define dppair_hinge_SLOPE(u, p) DPV_SEL(DPV_LT(u, DPV_SET(1)), DPV_SET(-1), DPV_SET(0))
#define dppair_hinge_CURVATURE(u, p) DPV_SET(0)

#define dppair_squared_hinge_KIND dppair_piecewise
#define dppair_squared_hinge_PIECES(p) {{1, -2, 2, 0}}
#define dppair_squared_hinge_VALUE(u, p)                                                           \
  DPV_MUL(dppair_hinge_VALUE(u, p), dppair_hinge_VALUE(u, p))
#define dppair_squared_hinge_SLOPE(u, p) DPV_MUL(DPV_SET(-2), dppair_hinge_VALUE(u, p))
#define dppair_squared_hinge_CURVATURE(u, p)                                                       \
  DPV_SEL(DPV_LT(u, DPV_SET(1)), DPV_SET(2), DPV_SET(0))

/* The slope a = (1 - u)/w held within [0, 1]; the value a (1 - u) - a^2 w/2. */
#define dppair_smoothed_hinge_a_(u, p)                                                             \
  DPV_MIN(DPV_SET(1), DPV_DIV(dppair_hinge_VALUE(u, p), DPV_SET((p)[0])))
#define dppair_smoothed_hinge_KIND dppair_piecewise
#define dppair_smoothed_hinge_PIECES(p)                                                            \
  {{1, -1 / (double)(p)[0], 1 / (double)(p)[0], 0},                                                \
  {1 - (double)(p)[0], 1 / (double)(p)[0] - 1, -1 / (double)(p)[0], 0}}
#define dppair_smoothed_hinge_VALUE(u, p)                                                          \
  DPV_MUL(dppair_smoothed_hinge_a_(u, p),                                                          \
          DPV_SUB(DPV_SUB(DPV_SET(1), u), DPV_MUL(dppair_smoothed_hinge_a_(u, p),                  \
                                                  DPV_SET((p)[0] / 2))))
#define dppair_smoothed_hinge_SLOPE(u, p) DPV_NEG(dppair_smoothed_hinge_a_(u, p))
#define dppair_smoothed_hinge_CURVATURE(u, p)                                                      \
  DPV_SEL(DPV_AND(DPV_LT(u, DPV_SET(1)), DPV_LT(DPV_SET(1 - (p)[0]), u)), DPV_SET(1 / (p)[0]),     \
          DPV_SET(0))

#define dppair_square_KIND dppair_piecewise
#define dppair_square_PIECES(p) {{HUGE_VAL, -2, 2, 0}}
#define dppair_square_VALUE(u, p) DPV_MUL(DPV_SUB(DPV_SET(1), u), DPV_SUB(DPV_SET(1), u))
#define dppair_square_SLOPE(u, p) DPV_MUL(DPV_SET(-2), DPV_SUB(DPV_SET(1), u))
#define dppair_square_CURVATURE(u, p) DPV_SET(2)

#define dppair_exponential_KIND dppair_pairs
#define dppair_exponential_SPLIT dppair_split
#define dppair_exponential_FACTOR(s, p) DPV_EXP(DPV_NEG(s))
#define dppair_exponential_JOIN(e, p) DPV_NEG(e)
#define dppair_exponential_VALUE(u, p) DPV_EXP(DPV_NEG(u))
#define dppair_exponential_SLOPE(u, p) DPV_NEG(DPV_EXP(DPV_NEG(u)))
#define dppair_exponential_CURVATURE(u, p) DPV_EXP(DPV_NEG(u))

#define dppair_sigmoid_KIND dppair_analytic
#define dppair_sigmoid_POLES(p) {3.14159265358979323846, 1, 2}
#define dppair_sigmoid_VALUE(u, p) DPV_SIGMOID(DPV_NEG(u))
#define dppair_sigmoid_SLOPE(u, p) DPV_NEG(dppair_logistic_CURVATURE(u, p))
#define dppair_sigmoid_CURVATURE(u, p)                                                             \
  DPV_MUL(dppair_logistic_CURVATURE(u, p),                                                         \
          DPV_SUB(DPV_SIGMOID(u), DPV_SIGMOID(DPV_NEG(u))))

#define dppair_ramp_KIND dppair_piecewise
#define dppair_ramp_PIECES(p) {{1, -1, 0, 0}, {0, 1, 0, 1}}
#define dppair_ramp_VALUE(u, p) DPV_MIN(DPV_SET(1), dppair_hinge_VALUE(u, p))
#define dppair_ramp_SLOPE(u, p)                                                                    \
  DPV_SEL(DPV_AND(DPV_LT(DPV_SET(0), u), DPV_LT(u, DPV_SET(1))), DPV_SET(-1), DPV_SET(0))
#define dppair_ramp_CURVATURE(u, p) DPV_SET(0)
