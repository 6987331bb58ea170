/* SPDX-License-Identifier: MIT */
/*
 * dppair_losses.h - link functions phi of pairwise losses.                      version 0.1.0
 *
 * A loss named L is three macros in the vocabulary of dppair.h,
 *
 *     L_VALUE(u, p)   L_SLOPE(u, p)   L_CURVATURE(u, p)
 *
 * where u is a DPV_T of margins and p points to the loss's own parameters (DPV_R numbers, in the
 * order of the table below; NULL if it has none). The pair loops need only the first two, so a loss
 * of one's own is a few lines, in any file, and runs on every tier:
 *
 *     #define cauchy_VALUE(u, p) DPV_LOG1P(DPV_MUL(u, u))
 *     #define cauchy_SLOPE(u, p) DPV_DIV(DPV_ADD(u, u), DPV_FMA(u, u, DPV_SET(1)))
 *     #define DPPAIR_NAME robust
 *     #define DPPAIR_REAL double
 *     #define DPPAIR_LOSS cauchy
 *     #include "dppair.h"
 *
 * At a kink the slope is the subgradient of smaller magnitude, and the curvature is that of either
 * side. VALUE(NaN) is NaN; SLOPE(NaN) is NaN or a number within the loss's slope bound.
 */
#ifndef DPPAIR_LOSSES_H
#define DPPAIR_LOSSES_H

#ifdef DPPAIR_NAME
#error "Include dppair_losses.h before defining DPPAIR_NAME; then include dppair.h for the template."
#endif
#include "dppair.h"

/* ------------------------------------------------------------------------------------------------
 * The table of links
 *
 *   X(name, formula, convex, monotone, differentiable, parameters, source)
 *
 * (t)+ means max(0, t). monotone: non-increasing, as a ranking surrogate should be. The links of a
 * residual (absolute, pinball, least_squares, huber, ...) are not, and are not meant to be.
 * The envelopes are Moreau's, e(u) = min over v of phi(v) + (u - v)^2/(2 w): convex for convex phi,
 * between phi - (sup slope)^2 w/2 and phi, and 1/w-smooth. (The ramp has a concave kink, which no
 * envelope rounds off.)
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_LOSS_TABLE(X)                                                                       \
  X(logistic, "ln(1 + e^-u)", 1, 1, 1, "", "Burges et al. 2005 (RankNet)")                         \
  X(hinge, "(1 - u)+", 1, 1, 0, "", "Joachims 2002 (ranking SVM)")                                 \
  X(squared_hinge, "((1 - u)+)^2", 1, 1, 1, "", "Chapelle and Keerthi 2010")                       \
  X(smoothed_hinge, "envelope of the hinge: (1-u)+^2/(2w) if u >= 1-w, else 1-u-w/2", 1, 1, 1,     \
    "width w > 0", "Shalev-Shwartz and Zhang 2013; Moreau 1965")                                   \
  X(square, "(1 - u)^2", 1, 0, 1, "", "Gao et al. 2013 (one-pass AUC)")                            \
  X(exponential, "e^-u", 1, 1, 1, "", "Freund et al. 2003 (RankBoost)")                            \
  X(sigmoid, "1/(1 + e^u)", 0, 1, 1, "", "Yan et al. 2003 (smoothed Wilcoxon statistic)")          \
  X(ramp, "min(1, (1 - u)+)", 0, 1, 0, "", "Collobert et al. 2006")                                \
  X(least_squares, "u^2", 1, 0, 1, "", "Agarwal and Niyogi 2009 (least-squares ranking)")          \
  X(absolute, "|u|", 1, 0, 0, "", "Koenker and Bassett 1978 (median)")                             \
  X(pinball, "max(tau u, (tau - 1) u)", 1, 0, 0, "tau in (0,1)", "Koenker and Bassett 1978")       \
  X(huber, "u^2/2 if |u| <= k, else k |u| - k^2/2", 1, 0, 1, "knee k > 0", "Huber 1964")           \
  X(moreau_absolute, "envelope of |u|: u^2/(2w) if |u| <= w, else |u| - w/2", 1, 0, 1,             \
    "width w > 0", "Moreau 1965")                                                                  \
  X(moreau_pinball,                                                                                \
    "envelope of the pinball: a u - a^2 w/2, a = u/w held within [tau-1, tau]", 1, 0, 1,           \
    "tau in (0,1), width w > 0", "Moreau 1965")                                                    \
  X(welsch, "h^2 (1 - e^(-u^2/(2h^2)))", 0, 0, 1, "bandwidth h > 0",                               \
    "Hu et al. 2013 (minimum error entropy)")

/* DPPAIR_LOSS_logistic, ..., for the functions that take a loss at run time. */
typedef enum dppair_loss {
#define DPPAIR_X_(name, formula, convex, monotone, differentiable, parameters, source)             \
  DPPAIR_LOSS_##name,
  DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_LOSS_COUNT
} dppair_loss;

/* ------------------------------------------------------------------------------------------------
 * Ranking links
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

/* ------------------------------------------------------------------------------------------------
 * Links of a residual u = (y - y') - (s - s')
 * ---------------------------------------------------------------------------------------------- */

#define dppair_least_squares_KIND dppair_piecewise
#define dppair_least_squares_PIECES(p) {{HUGE_VAL, 0, 2, 0}}
#define dppair_least_squares_VALUE(u, p) DPV_MUL(u, u)
#define dppair_least_squares_SLOPE(u, p) DPV_ADD(u, u)
#define dppair_least_squares_CURVATURE(u, p) DPV_SET(2)

/* low where u < 0, high where u > 0, 0 at 0 */
#define dppair_signs_(u, low, high)                                                                \
  DPV_SEL(DPV_LT(DPV_SET(0), u), DPV_SET(high),                                                    \
          DPV_SEL(DPV_LT(u, DPV_SET(0)), DPV_SET(low), DPV_SET(0)))

#define dppair_absolute_KIND dppair_piecewise
#define dppair_absolute_PIECES(p) {{HUGE_VAL, 1, 0, 0}, {0, -1, 0, 1}, {0, -1, 0, 0}}
#define dppair_absolute_VALUE(u, p) DPV_ABS(u)
#define dppair_absolute_SLOPE(u, p) dppair_signs_(u, -1, 1)
#define dppair_absolute_CURVATURE(u, p) DPV_SET(0)

#define dppair_pinball_KIND dppair_piecewise
#define dppair_pinball_PIECES(p)                                                                   \
  {{HUGE_VAL, (double)(p)[0], 0, 0},                                                               \
  {0, -(double)(p)[0], 0, 1},                                                                      \
  {0, (double)(p)[0] - 1, 0, 0}}
#define dppair_pinball_VALUE(u, p)                                                                 \
  DPV_MAX(DPV_MUL(DPV_SET((p)[0]), u), DPV_MUL(DPV_SET((p)[0] - 1), u))
#define dppair_pinball_SLOPE(u, p) dppair_signs_(u, (p)[0] - 1, (p)[0])
#define dppair_pinball_CURVATURE(u, p) DPV_SET(0)

/* u held within [low, high]; NaN stays NaN */
#define dppair_held_(u, low, high) DPV_MIN(DPV_SET(high), DPV_MAX(DPV_SET(low), u))
#define dppair_within_(u, low, high, v)                                                            \
  DPV_SEL(DPV_AND(DPV_LT(DPV_SET(low), u), DPV_LT(u, DPV_SET(high))), DPV_SET(v), DPV_SET(0))

/* The slope a = u held within [-k, k]; the value a (u - a/2). */
#define dppair_huber_KIND dppair_piecewise
#define dppair_huber_PIECES(p)                                                                     \
  {{HUGE_VAL, (double)(p)[0], 0, 0},                                                               \
  {(double)(p)[0], -(double)(p)[0], 1, 0},                                                         \
  {-(double)(p)[0], -(double)(p)[0], -1, 0}}
#define dppair_huber_VALUE(u, p)                                                                   \
  DPV_MUL(dppair_huber_SLOPE(u, p),                                                                \
          DPV_SUB(u, DPV_MUL(dppair_huber_SLOPE(u, p), DPV_SET((DPV_R)0.5))))
#define dppair_huber_SLOPE(u, p) dppair_held_(u, -(p)[0], (p)[0])
#define dppair_huber_CURVATURE(u, p) dppair_within_(u, -(p)[0], (p)[0], 1)

/* The slope a = u/w held within [-1, 1] or [tau - 1, tau]; the value a (u - a w/2). */
#define dppair_moreau_(u, a, w) DPV_MUL(a, DPV_SUB(u, DPV_MUL(a, DPV_SET((w) / 2))))
#define dppair_moreau_absolute_KIND dppair_piecewise
#define dppair_moreau_absolute_PIECES(p)                                                           \
  {{HUGE_VAL, 1, 0, 0},                                                                            \
  {(double)(p)[0], -1, 1 / (double)(p)[0], 0},                                                     \
  {-(double)(p)[0], -1, -1 / (double)(p)[0], 0}}
#define dppair_moreau_absolute_VALUE(u, p)                                                         \
  dppair_moreau_(u, dppair_moreau_absolute_SLOPE(u, p), (p)[0])
#define dppair_moreau_absolute_SLOPE(u, p) dppair_held_(DPV_DIV(u, DPV_SET((p)[0])), -1, 1)
#define dppair_moreau_absolute_CURVATURE(u, p) dppair_within_(u, -(p)[0], (p)[0], 1 / (p)[0])

#define dppair_moreau_pinball_KIND dppair_piecewise
#define dppair_moreau_pinball_PIECES(p)                                                            \
  {{HUGE_VAL, (double)(p)[0], 0, 0},                                                               \
  {(double)(p)[0] * (double)(p)[1], -(double)(p)[0], 1 / (double)(p)[1], 0},                       \
  {((double)(p)[0] - 1) * (double)(p)[1], (double)(p)[0] - 1, -1 / (double)(p)[1], 0}}
#define dppair_moreau_pinball_VALUE(u, p)                                                          \
  dppair_moreau_(u, dppair_moreau_pinball_SLOPE(u, p), (p)[1])
#define dppair_moreau_pinball_SLOPE(u, p)                                                          \
  dppair_held_(DPV_DIV(u, DPV_SET((p)[1])), (p)[0] - 1, (p)[0])
#define dppair_moreau_pinball_CURVATURE(u, p)                                                      \
  dppair_within_(u, (p)[1] * ((p)[0] - 1), (p)[1] * (p)[0], 1 / (p)[1])

/* v = u/h, e = e^(-v^2/2). The value's error is in proportion to its supremum h^2, not to itself. */
#define dppair_welsch_v_(u, p) DPV_DIV(u, DPV_SET((p)[0]))
#define dppair_welsch_half_(u, p)                                                                  \
  DPV_MUL(DPV_SET((DPV_R)0.5), DPV_MUL(dppair_welsch_v_(u, p), dppair_welsch_v_(u, p)))
#define dppair_welsch_e_(u, p) DPV_EXP(DPV_NEG(dppair_welsch_half_(u, p)))
#define dppair_welsch_VALUE(u, p)                                                                  \
  DPV_MUL(DPV_SET((p)[0] * (p)[0]), DPV_SUB(DPV_SET(1), dppair_welsch_e_(u, p)))
#define dppair_welsch_SLOPE(u, p) DPV_MUL(u, dppair_welsch_e_(u, p))
#define dppair_welsch_CURVATURE(u, p)                                                              \
  DPV_MUL(dppair_welsch_e_(u, p),                                                                  \
          DPV_SUB(DPV_SET(1), DPV_MUL(DPV_SET(2), dppair_welsch_half_(u, p))))

/* ------------------------------------------------------------------------------------------------
 * Links chosen at run time
 *
 * params are doubles here, in the order of the table. The results are those of the scalar tier.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_LOSS_MAX_PARAMS 2

typedef struct dppair_loss_info {
  const char *name, *formula, *parameters, *source;
  int convex, monotone, differentiable;
} dppair_loss_info;

/* The row of the table, or NULL for a number that is no loss. */
DPPAIR_API const dppair_loss_info *dppair_loss_describe(dppair_loss loss) {
  static const dppair_loss_info table[] = {
#define DPPAIR_X_(name, formula, convex, monotone, differentiable, parameters, source)             \
  {#name, formula, parameters, source, convex, monotone, differentiable},
      DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  };
  return (unsigned)loss < (unsigned)DPPAIR_LOSS_COUNT ? &table[loss] : NULL;
}

/* *loss from its name; DOMAIN (and *loss = DPPAIR_LOSS_COUNT) when there is none of that name. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_loss_find(dppair_loss *loss, const char *name) {
  int i;
  if (!loss) return DPPAIR_ERR_NULL;
  *loss = DPPAIR_LOSS_COUNT;
  if (!name) return DPPAIR_ERR_NULL;
  for (i = 0; i < (int)DPPAIR_LOSS_COUNT; i++) {
    if (strcmp(name, dppair_loss_describe((dppair_loss)i)->name) != 0) continue;
    *loss = (dppair_loss)i;
    return DPPAIR_OK;
  }
  return DPPAIR_ERR_DOMAIN;
}

/* How many parameters the loss has: 0, 1 or 2. */
DPPAIR_API size_t dppair_loss_param_count(dppair_loss loss) {
  switch (loss) {
  case DPPAIR_LOSS_smoothed_hinge:
  case DPPAIR_LOSS_pinball:
  case DPPAIR_LOSS_huber:
  case DPPAIR_LOSS_moreau_absolute:
  case DPPAIR_LOSS_welsch:
    return 1;
  case DPPAIR_LOSS_moreau_pinball:
    return 2;
  default:
    return 0;
  }
}

DPPAIR_FP_BEGIN_

/* OK when the parameters are in the range that the table states: widths, knees and bandwidths in
 * [1e-100, 1e100], tau in (0, 1). DOMAIN otherwise; NULL when parameters are needed and missing. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_loss_check(dppair_loss loss,
                                                             const double *params) {
  const size_t count = dppair_loss_param_count(loss);
  const int has_tau = loss == DPPAIR_LOSS_pinball || loss == DPPAIR_LOSS_moreau_pinball;
  size_t k;
  if ((unsigned)loss >= (unsigned)DPPAIR_LOSS_COUNT) return DPPAIR_ERR_DOMAIN;
  if (count > 0 && !params) return DPPAIR_ERR_NULL;
  for (k = 0; k < count; k++) {
    const int is_tau = has_tau && k == 0;
    if (!dppair_isfinite_f64(params[k])) return DPPAIR_ERR_DOMAIN;
    if (is_tau && !(params[k] > 0.0 && params[k] < 1.0)) return DPPAIR_ERR_DOMAIN;
    if (!is_tau && !(params[k] >= 1e-100 && params[k] <= 1e100)) return DPPAIR_ERR_DOMAIN;
  }
  return DPPAIR_OK;
}

/* The vocabulary on one double: as many operations as the links need, with the scalar tier's bits. */
typedef double dpv_t_f64_one;
DPPAIR_FORCE_INLINE_ double dpv_set_f64_one(double x) { return x; }
DPPAIR_FORCE_INLINE_ double dpv_add_f64_one(double a, double b) { return a + b; }
DPPAIR_FORCE_INLINE_ double dpv_sub_f64_one(double a, double b) { return a - b; }
DPPAIR_FORCE_INLINE_ double dpv_mul_f64_one(double a, double b) { return a * b; }
DPPAIR_FORCE_INLINE_ double dpv_div_f64_one(double a, double b) { return a / b; }
DPPAIR_FORCE_INLINE_ double dpv_neg_f64_one(double a) { return -a; }
DPPAIR_FORCE_INLINE_ double dpv_abs_f64_one(double a) { return fabs(a); }
DPPAIR_FORCE_INLINE_ double dpv_max_f64_one(double a, double b) { return a > b ? a : b; }
DPPAIR_FORCE_INLINE_ double dpv_min_f64_one(double a, double b) { return a < b ? a : b; }
DPPAIR_FORCE_INLINE_ int dpv_lt_f64_one(double a, double b) { return a < b; }
DPPAIR_FORCE_INLINE_ int dpv_and_f64_one(int m, int n) { return m & n; }
DPPAIR_FORCE_INLINE_ double dpv_sel_f64_one(int m, double a, double b) { return m ? a : b; }
#define DPPAIR_ONE_(name)                                                                          \
  DPPAIR_API double dpv_##name##_f64_one(double x) {                                               \
    double lanes[8];                                                                               \
    dpv_store_f64_scalar(lanes, dpv_##name##_f64_scalar(dpv_set_f64_scalar(x)));                   \
    return lanes[0];                                                                               \
  }
DPPAIR_ONE_(exp)
DPPAIR_ONE_(sigmoid)
DPPAIR_ONE_(softplus)
#undef DPPAIR_ONE_

#define DPPAIR_SUFFIX_ f64_one
#define DPV_R double
#define DPPAIR_X_(name, formula, convex, monotone, differentiable, parameters, source)             \
  case DPPAIR_LOSS_##name:                                                                         \
    return DPPAIR_CAT(dppair_##name, DPPAIR_WHAT_)(u, p);

/* The link, its slope and its curvature at one margin, nothing checked. */
#define DPPAIR_WHAT_ _VALUE
DPPAIR_API double dppair_loss_value_(dppair_loss loss, double u, const double *p) {
  (void)p;
  switch (loss) { DPPAIR_LOSS_TABLE(DPPAIR_X_) default : return DPV_SET(0); }
}
#undef DPPAIR_WHAT_
#define DPPAIR_WHAT_ _SLOPE
DPPAIR_API double dppair_loss_slope_(dppair_loss loss, double u, const double *p) {
  (void)p;
  switch (loss) { DPPAIR_LOSS_TABLE(DPPAIR_X_) default : return DPV_SET(0); }
}
#undef DPPAIR_WHAT_
#define DPPAIR_WHAT_ _CURVATURE
DPPAIR_API double dppair_loss_curvature_(dppair_loss loss, double u, const double *p) {
  (void)p;
  (void)u;
  switch (loss) { DPPAIR_LOSS_TABLE(DPPAIR_X_) default : return DPV_SET(0); }
}
#undef DPPAIR_WHAT_
#undef DPPAIR_X_

/* value[i] = phi(u[i]), slope[i] = phi'(u[i]), curvature[i] = phi''(u[i]) for i < n; each output may
 * be NULL. Nothing is checked but pointers, the loss and its parameters: NaN in, NaN or a bounded
 * slope out. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_loss_eval(double *value, double *slope,
                                                            double *curvature, const double *u,
                                                            size_t n, dppair_loss loss,
                                                            const double *params) {
  const dppair_status status = dppair_loss_check(loss, params);
  size_t i;
  if (value && n) memset(value, 0, n * sizeof *value);
  if (slope && n) memset(slope, 0, n * sizeof *slope);
  if (curvature && n) memset(curvature, 0, n * sizeof *curvature);
  if (status != DPPAIR_OK) return status;
  if (!u && n) return DPPAIR_ERR_NULL;
  for (i = 0; i < n; i++) {
    if (value) value[i] = dppair_loss_value_(loss, u[i], params);
    if (slope) slope[i] = dppair_loss_slope_(loss, u[i], params);
    if (curvature) curvature[i] = dppair_loss_curvature_(loss, u[i], params);
  }
  return DPPAIR_OK;
}

#undef DPPAIR_SUFFIX_
#undef DPV_R
DPPAIR_FP_END_

#endif /* DPPAIR_LOSSES_H */
