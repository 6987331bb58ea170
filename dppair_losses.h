/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
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
 *     #define cauchy_KIND dppair_pairs      summed pair by pair; others: see L_KIND in dppair.h
 *     #define cauchy_VALUE(u, p) DPV_LOG1P(DPV_MUL(u, u))
 *     #define cauchy_SLOPE(u, p) DPV_DIV(DPV_ADD(u, u), DPV_FMA(u, u, DPV_SET(1)))
 *     #define DPPAIR_NAME robust
 *     #define DPPAIR_REAL double
 *     #define DPPAIR_LOSS cauchy
 *     #include "dppair.h"
 *
 * What a loss on a public domain costs in privacy, and how long a step may be:
 *
 *     dppair_constants k;
 *     const dppair_bounds b = {1.0, 5.0, 0.0, 0.0, 0.0};    |x| <= 1, |w| <= 5; no Y, b, clip here
 *     if (dppair_constants_find(&k, DPPAIR_MARGIN_ind, DPPAIR_LOSS_logistic, NULL, &b)) return 1;
 *     sensitivity = k.replace_one / n;      of the gradient's mean over the n(n-1) ordered pairs
 *     eta = 2.0 / k.smoothness;             the longest step of a convex, smooth loss
 *
 * FUNCTIONS
 *   links       dppair_loss_describe  _find  _param_count  _check    dppair_loss_eval, at run time
 *   constants   dppair_constants_find  _regularise    dppair_margin_name
 *
 * At a kink the slope is the subgradient of smaller magnitude, and the curvature is that of either
 * side. VALUE(NaN) is NaN; SLOPE(NaN) is NaN or a number within the loss's slope bound.
 */
/*
 * CHAPTERS, each with its first line here; written in src/, see src/README.md
 *
 *     59  losses/table.h                     The table of links
 *    102  losses/ranking.h                   Ranking links
 *    176  losses/residual.h                  Links of a residual u = (y - y') - (s - s')
 *    261  losses/at_run_time.h               Links chosen at run time
 *    415  losses/margins.h                   Margins
 *    490  losses/slopes.h                    Of phi over an interval of margins
 *    659  losses/constants.h                 The constants at arguments that are known to be in ...
 */
#ifndef DPPAIR_LOSSES_H
#define DPPAIR_LOSSES_H

#ifdef DPPAIR_NAME
#error "Include dppair_losses.h before defining DPPAIR_NAME; then dppair.h for the template."
#include "dppair stops here: one sentence says more than the thousands of errors after it"
#endif
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_REAL and DPPAIR_LOSS may be defined, for a later include */
#include "dppair.h"
#undef DPPAIR_NO_TEMPLATE_

/* ---- src/losses/table.h ---------------------------------------------------------------------
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

/* ---- src/losses/ranking.h -------------------------------------------------------------------
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

/* ---- src/losses/residual.h ------------------------------------------------------------------
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

/* v = u/h, e = e^(-v^2/2). The value's error is in proportion to h^2, its supremum. */
#define dppair_welsch_v_(u, p) DPV_DIV(u, DPV_SET((p)[0]))
#define dppair_welsch_half_(u, p)                                                                  \
  DPV_MUL(DPV_SET((DPV_R)0.5), DPV_MUL(dppair_welsch_v_(u, p), dppair_welsch_v_(u, p)))
#define dppair_welsch_e_(u, p) DPV_EXP(DPV_NEG(dppair_welsch_half_(u, p)))
#define dppair_welsch_KIND dppair_pairs
#define dppair_welsch_VALUE(u, p)                                                                  \
  DPV_MUL(DPV_SET((p)[0] * (p)[0]), DPV_SUB(DPV_SET(1), dppair_welsch_e_(u, p)))
#define dppair_welsch_SLOPE(u, p) DPV_MUL(u, dppair_welsch_e_(u, p))
#define dppair_welsch_CURVATURE(u, p)                                                              \
  DPV_MUL(dppair_welsch_e_(u, p),                                                                  \
          DPV_SUB(DPV_SET(1), DPV_MUL(DPV_SET(2), dppair_welsch_half_(u, p))))

/* ---- src/losses/at_run_time.h ---------------------------------------------------------------
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

/* The vocabulary on one double: the operations that links need, with the scalar tier's bits. */
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
DPPAIR_FORCE_INLINE_ int dpv_both_f64_one(int m, int n) { return m & n; }
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

/* value[i] = phi(u[i]), slope[i] = phi'(u[i]), curvature[i] = phi''(u[i]) for i < n; each output
 * may be NULL. Nothing is checked but pointers, n, the loss and its parameters: NaN in, NaN or a
 * bounded slope out. Errors: NULL, DOMAIN (outputs zeroed), OVERFLOW (an absurd n). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_loss_eval(double *value, double *slope,
                                                            double *curvature, const double *u,
                                                            size_t n, dppair_loss loss,
                                                            const double *params) {
  const dppair_status status = dppair_loss_check(loss, params);
  size_t i;
  if (n > SIZE_MAX / sizeof *u) return DPPAIR_ERR_OVERFLOW;
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

/* ---- src/losses/margins.h -------------------------------------------------------------------
 * Margins, and the constants that privacy and step sizes rest on
 *
 *   X(name, formula of the loss of an ordered pair (z, z'), source)
 *
 * s = w.x with |x| <= R, |w| <= B; M(x, x') = (x - x')^T W (x - x'), |W|_F <= B; |L|_F <= B. Both
 * orders of a pair are summed and divided by n (n - 1).
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_MARGIN_TABLE(X)                                                                     \
  X(ind, "phi(s - s') 1[y > y'], two label levels", "Xue et al. 2021")                             \
  X(ind_levels, "phi(s - s') 1[y > y'], three levels or more", "Herbrich et al. 2000")             \
  X(diff, "phi((y - y')(s - s')), |y| <= Y", "Kang et al. 2021")                                   \
  X(sign, "phi(sign(y - y')(s - s')), two label levels", "Agarwal and Niyogi 2009")                \
  X(sign_levels, "phi(sign(y - y')(s - s')), three levels or more", "Agarwal and Niyogi 2009")     \
  X(residual, "phi((y - y') - (s - s')), |y| <= Y", "Agarwal and Niyogi 2009; Hu et al. 2013")     \
  X(metric_psd, "phi(yy' (b - M(x, x'))), W positive semidefinite", "Jin et al. 2009")             \
  X(metric, "phi(yy' (b - M(x, x'))), W symmetric", "Yang et al. 2021 (b = 0, hinge)")             \
  X(factor, "phi(yy' (b - |L^T (x - x')|^2)), W = L L^T", "Weinberger and Saul 2009")              \
  X(similarity, "phi(yy' (x^T W x' - b)), W symmetric", "Guo and Ying 2014")

typedef enum dppair_margin {
#define DPPAIR_X_(name, formula, source) DPPAIR_MARGIN_##name,
  DPPAIR_MARGIN_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_MARGIN_COUNT
} dppair_margin;

/* The name of a margin, or NULL; and its formula in *formula when that is not NULL. */
DPPAIR_API const char *dppair_margin_name(dppair_margin margin, const char **formula) {
#define DPPAIR_X_(name, text, source)                                                              \
  if (margin == DPPAIR_MARGIN_##name) {                                                            \
    if (formula) *formula = text;                                                                  \
    return #name;                                                                                  \
  }
  DPPAIR_MARGIN_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  return NULL;
}

/* What is publicly known. HUGE_VAL stands for "no bound". */
typedef struct dppair_bounds {
  double radius;       /* R: every row is clipped to it; HUGE_VAL: any scorer, and then a clip    */
  double param_radius; /* B: EVERY point at which a gradient is taken is projected on this ball,  */
                       /* the first and each noisy restart too; HUGE_VAL: unprojected             */
  double label_bound;  /* Y, for diff and residual                                                */
  double offset;       /* b, for metric, factor and similarity                                    */
  double clip;         /* each ordered pair's gradient is clipped to this norm; 0: not clipped    */
} dppair_bounds;

/*
 * Of the loss of one ordered pair, WITHOUT any regulariser. A regulariser that does not read the
 * data has the same gradient on both of two neighbours and cancels in every sensitivity; see
 * dppair_constants_regularise for the places where it does count.
 */
typedef struct dppair_constants {
  double slope;       /* s: sup |phi'| over the margins that are reached                          */
  double lipschitz;   /* G: sup norm of the gradient                                              */
  double smoothness;  /* L: Lipschitz constant of the gradient; HUGE_VAL when there is none       */
  double bound;       /* M: sup |loss|; HUGE_VAL when there is none                               */
  double move;        /* Dm: how far the mean of a pair's two gradients moves with one record     */
  double replace_one; /* 2 Dm: the mean gradient's sensitivity to one replaced record, times n    */
  double zero_out;    /* ... and to one record that is made null                                  */
  int convex;         /* the loss is convex in the parameters                                     */
  unsigned projected; /* which figures hold on the ball |w| <= B only: DPPAIR_ONLY_PROJECTED_*    */
} dppair_constants;

enum {
  DPPAIR_ONLY_PROJECTED_G = 1, /* slope, lipschitz, move, replace_one, zero_out */
  DPPAIR_ONLY_PROJECTED_L = 2,
  DPPAIR_ONLY_PROJECTED_M = 4
};

DPPAIR_FP_BEGIN_

/* ---- src/losses/slopes.h -------------------------------------------------------------------- */
/* Of phi over an interval of margins. */
typedef struct dppair_slopes_ {
  double down, up;  /* sup of -phi' and of phi', 0 at least                                       */
  double odd;       /* sup |phi'(u) - phi'(-u)|/2                                                 */
  double curvature; /* Lipschitz constant of phi', HUGE_VAL over a kink                           */
  double value;     /* sup |phi|                                                                  */
} dppair_slopes_;

/*
 * How far beyond an end of their interval computed margins are expected at most, as a part of the
 * largest margin: rows of thousands of float numbers round by less, and so do norms and projections
 * that hold up to rounding (a computed positive semidefinite W has eigenvalues just below 0).
 */
DPPAIR_API double dppair_room_(double largest) {
  return 0.0009765625 * largest + 1e-30; /* 2^-10; float results that vanish */
}

enum { DPPAIR_LOW_ = 1, DPPAIR_HIGH_ = 2 }; /* ends of an interval */

/*
 * Widens r by the interval [low, high] (ends may be infinite) of margins of size at most `reach`. A
 * convex phi has its extreme values and slopes at the ends; the others, and all curvatures, in the
 * few interior points listed. The ends move outwards by what their own rounding is worth. Where the
 * slope jumps, or the curvature, both sides of a jump count that lies at one of the ends `crossed`
 * or in the room beyond it: a computed margin may be on either side.
 */
DPPAIR_API void dppair_slopes_add_(dppair_slopes_ *r, dppair_loss loss, const double *p, double low,
                                   double high, double reach, int crossed) {
  const double far = 1e300, huge = 1e250, ulps = 4.0 * DBL_EPSILON * reach;
  const double room = dppair_room_(reach);
  const double lower = crossed & DPPAIR_LOW_ ? low - room : low;
  const double upper = crossed & DPPAIR_HIGH_ ? high + room : high;
  double at[7], ends[2], inside[2];
  int k, kink = 0, jump = 0;
  inside[0] = low - ulps > -far ? low - ulps : -far;
  inside[1] = high + ulps < far ? high + ulps : far;
  ends[0] = lower > -far ? lower : -far;
  ends[1] = upper < far ? upper : far;
  if (dppair_loss_describe(loss)->differentiable) {
    low = inside[0];
    high = inside[1];
  } else {
    low = ends[0];
    high = ends[1];
  }
  at[0] = low;
  at[1] = high;
  for (k = 2; k < 7; k++) at[k] = 0.0;
  switch (loss) {
  case DPPAIR_LOSS_hinge:
    kink = low <= 1.0 && high >= 1.0;
    break;
  case DPPAIR_LOSS_ramp:
    at[2] = 0.5;
    kink = (low <= 0.0 && high >= 0.0) || (low <= 1.0 && high >= 1.0);
    break;
  case DPPAIR_LOSS_absolute:
  case DPPAIR_LOSS_pinball:
    kink = low <= 0.0 && high >= 0.0;
    break;
  case DPPAIR_LOSS_smoothed_hinge:
    at[2] = 1.0 - 0.5 * p[0];
    jump = 1;
    break;
  case DPPAIR_LOSS_moreau_pinball:
    at[2] = p[1] * (p[0] - 0.5);
    jump = 1;
    break;
  case DPPAIR_LOSS_squared_hinge:
  case DPPAIR_LOSS_huber:
  case DPPAIR_LOSS_moreau_absolute:
    jump = 1;
    break;
  case DPPAIR_LOSS_sigmoid: /* phi''' = 0 at +-ln(2 + sqrt 3) */
    at[2] = -1.3169578969248167;
    at[3] = 1.3169578969248167;
    break;
  case DPPAIR_LOSS_welsch: /* phi'' = 0 at +-h, phi''' = 0 at +-sqrt(3) h */
    at[2] = -p[0];
    at[3] = p[0];
    at[4] = -1.7320508075688772 * p[0];
    at[5] = 1.7320508075688772 * p[0];
    break;
  default:
    break;
  }
  for (k = 0; k < 7; k++) {
    const double u = at[k] < low ? low : at[k] > high ? high : at[k];
    const double w = u < inside[0] ? inside[0] : u > inside[1] ? inside[1] : u;
    const double slope = dppair_loss_slope_(loss, u, p), value = dppair_loss_value_(loss, w, p);
    const double back = dppair_loss_slope_(loss, -u, p);
    const double odd = 0.5 * fabs(slope - back) +
                       4.0 * DBL_EPSILON * (fabs(slope) > fabs(back) ? fabs(slope) : fabs(back));
    const double curvature = fabs(dppair_loss_curvature_(loss, u, p));
    r->down = -slope > r->down ? -slope : r->down;
    r->up = slope > r->up ? slope : r->up;
    r->odd = odd > r->odd ? odd : r->odd;
    r->value = fabs(value) > r->value ? fabs(value) : r->value;
    r->curvature = curvature > r->curvature ? curvature : r->curvature;
  }
  for (k = 0; jump && k < 2; k++) {
    const double curvature = fabs(dppair_loss_curvature_(loss, ends[k], p));
    r->curvature = curvature > r->curvature ? curvature : r->curvature;
  }
  if (r->down > huge) r->down = HUGE_VAL;
  if (r->up > huge) r->up = HUGE_VAL;
  if (r->odd > huge) r->odd = HUGE_VAL;
  if (r->value > huge) r->value = HUGE_VAL;
  if (kink || r->curvature > huge) r->curvature = HUGE_VAL;
}

DPPAIR_API double dppair_least_(double a, double b) { return a < b ? a : b; }
/* a * b with 0 * infinity = 0: a quantity that is identically zero has no need of a bound. */
DPPAIR_API double dppair_times_(double a, double b) { return a > 0.0 && b > 0.0 ? a * b : 0.0; }

/*
 * The factor's G and L. With t = |L^T (x - x')|^2 in [0, 4R^2 B^2] a pair's gradient is at most
 * 4R sqrt(t) |phi'(u)| long, u = +-(b - t), and its Lipschitz constant at most
 * 16R^2 t |phi''(u)| + 8R^2 |phi'(u)| (see below): their suprema over t, cell by cell, each with
 * the largest t of its cell.
 */
DPPAIR_API void dppair_factor_bounds_(double *gradient, double *curvature, dppair_loss loss,
                                      const double *p, const dppair_bounds *b) {
  const double r2 = 2.0 * b->radius, root = r2 * b->param_radius, cells = 1024.0;
  const double reach = root * root + fabs(b->offset);
  const double room = dppair_room_(reach);
  const int smooth = dppair_loss_describe(loss)->differentiable;
  double k, before = smooth ? 0.0 : -room;
  *gradient = *curvature = 0.0;
  for (k = smooth ? 1.0 : 0.0; k <= cells; k += 1.0) { /* k = 0: computed beyond t = 0 */
    const double most = k > 0.0 ? root * (k / cells) : sqrt(room), t = most * most;
    dppair_slopes_ r = {0.0, 0.0, 0.0, 0.0, 0.0};
    const int last = k >= cells;
    double slope, norm, change;
    dppair_slopes_add_(&r, loss, p, b->offset - t, b->offset - before, reach,
                       last ? DPPAIR_LOW_ : 0);
    dppair_slopes_add_(&r, loss, p, before - b->offset, t - b->offset, reach,
                       last ? DPPAIR_HIGH_ : 0);
    slope = r.down > r.up ? r.down : r.up;
    norm = dppair_times_(2.0 * r2 * most, slope);
    change = dppair_times_(4.0 * r2 * r2 * t, r.curvature) + dppair_times_(2.0 * r2 * r2, slope);
    *gradient = norm > *gradient ? norm : *gradient;
    *curvature = change > *curvature ? change : *curvature;
    before = k > 0.0 ? t : 0.0;
  }
}

/*
 * What the factor's pairs with t = 0, or nearly, add to the move when their computed margins lie
 * beyond the end t = 0, on the other side of a kink: their vectors are at most 4R sqrt(room) long,
 * whatever coefficients beyond [-down, up] they get. Widens *slope by those.
 */
DPPAIR_API double dppair_factor_near_(double *slope, double down, double up, dppair_loss loss,
                                      const double *p, const dppair_bounds *b) {
  const double r2 = 2.0 * b->radius, root = r2 * b->param_radius;
  const double room = dppair_room_(root * root + fabs(b->offset));
  dppair_slopes_ r = {0.0, 0.0, 0.0, 0.0, 0.0}, opposite = {0.0, 0.0, 0.0, 0.0, 0.0};
  double lowest, highest, more;
  dppair_slopes_add_(&r, loss, p, b->offset - room, b->offset + room, 0.0, 0);
  dppair_slopes_add_(&opposite, loss, p, -b->offset - room, -b->offset + room, 0.0, 0);
  lowest = r.up > opposite.down ? r.up : opposite.down;
  highest = r.down > opposite.up ? r.down : opposite.up;
  *slope = lowest > *slope ? lowest : *slope;
  *slope = highest > *slope ? highest : *slope;
  more = lowest - down > highest - up ? lowest - down : highest - up;
  return dppair_times_(2.0 * more, 2.0 * r2 * sqrt(room));
}

/* ---- src/losses/constants.h ----------------------------------------------------------------- */
/*
 * The constants at arguments that are known to be in range. Proofs, for one ordered pair with
 * gradient c v, v the gradient of the margin in the parameters, |v| <= V:
 *
 * Gradient: |c| <= s, so G = s V. Margins that are linear in the parameters have Hessian
 * phi'' v v^T, so L = V^2 sup |phi''|; for W = L L^T, v = 2 (x - x')(L^T (x - x'))^T has norm
 * 2 |x - x'| sqrt(t), t = |L^T (x - x')|^2 = b -+ u, and derivative at most 2 * 4R^2.
 *
 * Move: fix the partner z' and let z run over all records. Differences x - x' lie in the ball
 * B(-x', R), which holds 0, so {c (x - x') : -d <= c <= u} has diameter at most 2R (d + u), where d
 * and u bound -phi' and phi' with the sign of the pair taken in. For a monotone phi one of the two
 * is 0 while z' sees only one side of the labels: that is what halves the noise of 'diff' and
 * quarters that of 'ind', whose other order is identically 0. Three label levels let z' see both
 * sides. In 'diff' with real labels the factors of y > y' and y < y' add up to at most 2 Y.
 * Quadratics have Dm <= s V although phi' changes sign. With z = x - x', a the label factor:
 * (1 - a w.z)^2 has gradient 2 (zeta zeta^T w - zeta), zeta = a z; (a - w.z)^2 has
 * 2 (z z^T w - a z), and so has the mean of both orders of (1 - (a - w.z))^2; (a w.z)^2 has
 * 2 zeta zeta^T w. Two positive semidefinite matrices differ by at most the larger norm, so
 * zeta zeta^T w moves by at most B max |zeta|^2; and zeta moves by at most max |a| 2R (as above),
 * which add up to s V. With three label levels zeta moves by twice that: s V + 2V.
 * A residual's two orders have the odd part of phi' as coefficient, which for the pinball is 1/2
 * at any tau.
 *
 * Squared distances: |p v v^T - q w w^T|_F <= max(p, q) 4R^2 for p, q >= 0, v, w in B(-x', R), so
 * coefficients in [-d, u] give at most 4R^2 (d + u). Proof. The norm is convex in (p, q): take the
 * corners of [0, m]^2, of which only p = q = m is not plain. Let R = 1, F^2 = |v|^4 + |w|^4
 * - 2 (v.w)^2 and show F <= 4. If v.w < 0 then |v|^2 + |w|^2 <= |v - w|^2 <= 4. Else some unit ball
 * around a c with |c| = 1 holds v and w (the lens of centres within 1 of both is convex, holds -x'
 * and has a point at distance 1 or more from 0), so |v| <= 2 cos A, |w| <= 2 cos B for their angles
 * to c, and v, w are at most A + B apart. F^2 is convex in |v|^2, |w|^2, hence largest at an end of
 * each; 0 is plain. If A + B is beyond a right angle, F^2 <= 16 (cos^4 A + sin^4 A). Else put
 * a = cos A cos B >= b = sin A sin B:
 * F^2/16 = 1 - 2b^2 + (a - b)^2 (b^2 + 2ab - a^2), and with a = t b, b <= 1/(1 + t) (as a + b <= 1)
 * the last term is b^4 y (2 - y) <= b^4 for y = (t - 1)^2, at most b^2. QED
 *
 * Similarity: Z = (x x'^T + x' x^T)/2 is linear in x and at most R^2 long; a quadratic has the
 * gradient 2 <W, Z> Z - 2 a Z, a = b (least squares) or b +- 1, which move by 2 B R^4 (as above)
 * and by 4 |a| R^2: s V + 2 |a| V.
 *
 * Never more than twice the largest norm. Clipping scales c towards 0 and keeps all this. For the
 * quadratics: where only one order of a pair has a gradient, or both have the same (all but the
 * residual's square), the mean of the clipped is the clipped mean, or half of it; to clip is to
 * project on a ball, which brings no two points further apart. The clipped norm is another bound.
 */
DPPAIR_API void dppair_constants_fill_(dppair_constants *out, dppair_margin margin,
                                       dppair_loss loss, const double *p, const dppair_bounds *b) {
  const double r2 = 2.0 * b->radius, v2 = r2 * r2, clip = b->clip > 0.0 ? b->clip : HUGE_VAL;
  const dppair_loss_info *info = dppair_loss_describe(loss);
  const int is_ind = margin == DPPAIR_MARGIN_ind || margin == DPPAIR_MARGIN_ind_levels;
  const int levels = margin == DPPAIR_MARGIN_ind_levels || margin == DPPAIR_MARGIN_sign_levels;
  const int square = loss == DPPAIR_LOSS_square;
  const int quadratic = square || loss == DPPAIR_LOSS_least_squares;
  double v = r2, far, spread, mean, largest, down, up, norm = HUGE_VAL, change, reach, near = 0.0;
  dppair_slopes_ r = {0.0, 0.0, 0.0, 0.0, 0.0}, opposite = {0.0, 0.0, 0.0, 0.0, 0.0};
  const int both = DPPAIR_LOW_ | DPPAIR_HIGH_, factor = margin == DPPAIR_MARGIN_factor;
  switch (margin) {
  case DPPAIR_MARGIN_diff:
    v = 2.0 * b->label_bound * r2;
    /* fall through */
  case DPPAIR_MARGIN_ind:
  case DPPAIR_MARGIN_ind_levels:
  case DPPAIR_MARGIN_sign:
  case DPPAIR_MARGIN_sign_levels:
    far = v * b->param_radius;
    dppair_slopes_add_(&r, loss, p, -far, far, far, both);
    break;
  case DPPAIR_MARGIN_residual:
    far = 2.0 * b->label_bound + v * b->param_radius;
    dppair_slopes_add_(&r, loss, p, -far, far, far, both);
    break;
  case DPPAIR_MARGIN_metric_psd:
  case DPPAIR_MARGIN_metric:
  case DPPAIR_MARGIN_factor:
    v = v2;
    far = v2 * b->param_radius; /* the largest M */
    if (factor) {
      v = 2.0 * v2 * b->param_radius;
      far *= b->param_radius;
    }
    spread = margin == DPPAIR_MARGIN_metric ? far : 0.0; /* the smallest M is minus this */
    reach = far + fabs(b->offset);
    dppair_slopes_add_(&r, loss, p, b->offset - far, b->offset + spread, reach,
                       factor ? DPPAIR_LOW_ : both);
    dppair_slopes_add_(&opposite, loss, p, -b->offset - spread, -b->offset + far, reach,
                       factor ? DPPAIR_HIGH_ : both);
    break;
  default: /* similarity */
    v = b->radius * b->radius;
    far = v * b->param_radius;
    reach = far + fabs(b->offset);
    dppair_slopes_add_(&r, loss, p, -b->offset - far, -b->offset + far, reach, both);
    dppair_slopes_add_(&opposite, loss, p, b->offset - far, b->offset + far, reach, both);
    break;
  }
  /* coefficients of the pairs of equal labels are -phi', those of opposite labels +phi' */
  down = r.up > opposite.down ? r.up : opposite.down;
  up = r.down > opposite.up ? r.down : opposite.up;
  out->slope = down > up ? down : up;
  if (factor && !info->differentiable)
    near = dppair_factor_near_(&out->slope, down, up, loss, p, b);
  largest = dppair_times_(out->slope, v);
  change = r.curvature > opposite.curvature ? r.curvature : opposite.curvature;
  change = dppair_times_(dppair_times_(change, v), v);
  if (factor) dppair_factor_bounds_(&norm, &change, loss, p, b);
  largest = dppair_least_(largest, norm);
  out->lipschitz = dppair_least_(largest, clip);
  out->smoothness = change;
  out->bound = r.value > opposite.value ? r.value : opposite.value;
  out->convex = info->convex && !factor && dppair_isfinite_f64(b->radius);
  if (clip < largest && !out->convex) out->smoothness = HUGE_VAL;
  /* the mean of the two orders: their largest norm, and how far they spread over the records */
  mean = margin == DPPAIR_MARGIN_residual ? dppair_times_(r.odd, v) : largest;
  spread = dppair_times_(down + up, v) + near;
  if (levels || margin == DPPAIR_MARGIN_residual || margin == DPPAIR_MARGIN_similarity)
    spread = 2.0 * mean;
  if (quadratic && margin < DPPAIR_MARGIN_residual)
    spread = mean + (levels && square ? 2.0 * v : 0.0);
  if (quadratic && margin == DPPAIR_MARGIN_residual && !(square && clip < largest)) spread = mean;
  if (quadratic && margin == DPPAIR_MARGIN_similarity)
    spread = mean + 2.0 * dppair_times_(fabs(b->offset) + (square ? 1.0 : 0.0), v);
  /* nothing but rounding errors is left of a residual's two orders */
  if (margin == DPPAIR_MARGIN_residual && dppair_isfinite_f64(largest) &&
      mean <= 64.0 * DBL_EPSILON * largest)
    mean = 0.0;
  mean = dppair_least_(mean, clip);
  spread = dppair_least_(spread, 2.0 * mean);
  if (is_ind) {
    mean *= 0.5;
    spread *= 0.5;
  }
  out->move = spread;
  out->replace_one = 2.0 * spread;
  out->zero_out = 2.0 * mean;
}

/* A size that may be HUGE_VAL but not NaN, negative, zero, or so small that products of four are no
 * normal numbers. */
DPPAIR_API int dppair_size_or_infinite_(double x) {
  return x >= 1e-60 && (x <= 1e100 || !dppair_isfinite_f64(x));
}

/*
 * The constants of a loss with a margin on a public domain. Each is an upper bound, rounded up, and
 * holds for margins as they are computed, in float too: where phi' or phi'' jumps at an end of the
 * interval of margins, or within 2^-10 of the largest margin beyond it, both sides count.
 * Without a clip, at any radii, bounds and offsets, but for such a jump beyond an end:
 *   G, M, zero_out   attained (the factor's up to the grid on which they are computed)
 *   L                attained by the margins that are linear in the parameters, valid for factor
 *   move             attained in ind, diff, sign by monotone links, square, least_squares, absolute
 *                    and pinball; in residual by the last four; elsewhere by links of constant
 *                    slope (hinge, absolute, pinball) but for factor. Where it is only valid it is
 *                    at most twice the truth, which is zero_out/2 at least.
 * With a clip below G all are valid, none above its value without one (a clipped loss that is not
 * convex has no L), and zero_out is not attained in residual.
 *
 * Over the n(n-1) ordered pairs a mean gradient moves by replace_one/n, or zero_out/n. Over those
 * of a batch, with two label levels (ind, sign): dppair_sensitivity_minibatch_rank.
 *
 * Errors (out zeroed): NULL; DOMAIN for parameters of the loss or bounds out of range (radius,
 * param_radius in [1e-60, 1e100] or HUGE_VAL, label_bound likewise where it is used, clip likewise
 * or 0, |offset| <= 1e100); NO_PROOF when the gradient has no finite bound: an unbounded slope
 * without projection, any scorer (radius HUGE_VAL) without a clip, or a mean of two orders that is
 * constant, so that only rounding errors would be released (the sigmoid of a residual; a ramp whose
 * margins never come near [0, 1]).
 * (Xue et al. 2021 and Kang et al. 2021 print smaller G and L for logistic ranking and metric
 * learning, by factors of 2 and 4 and of 4.8 and 19; the tests reach the values given here.)
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_constants_find(dppair_constants *out,
                                                                 dppair_margin margin,
                                                                 dppair_loss loss,
                                                                 const double *params,
                                                                 const dppair_bounds *bounds) {
  const double up = 1.0 + 32.0 * DBL_EPSILON;
  dppair_status status;
  dppair_bounds open;
  dppair_constants global;
  if (!out) return DPPAIR_ERR_NULL;
  memset(out, 0, sizeof *out);
  if (!bounds) return DPPAIR_ERR_NULL;
  status = dppair_loss_check(loss, params);
  if (status != DPPAIR_OK) return status;
  if ((unsigned)margin >= (unsigned)DPPAIR_MARGIN_COUNT) return DPPAIR_ERR_DOMAIN;
  if (!dppair_size_or_infinite_(bounds->radius)) return DPPAIR_ERR_DOMAIN;
  if (!dppair_size_or_infinite_(bounds->param_radius)) return DPPAIR_ERR_DOMAIN;
  if ((margin == DPPAIR_MARGIN_diff || margin == DPPAIR_MARGIN_residual) &&
      !dppair_size_or_infinite_(bounds->label_bound))
    return DPPAIR_ERR_DOMAIN;
  if (!(fabs(bounds->offset) <= 1e100) ||
      !(bounds->clip == 0.0 || (bounds->clip >= 1e-60 && bounds->clip <= 1e100)))
    return DPPAIR_ERR_DOMAIN;
  dppair_constants_fill_(out, margin, loss, params, bounds);
  if (!dppair_isfinite_f64(out->lipschitz) || !dppair_isfinite_f64(out->replace_one) ||
      !(out->replace_one >= DBL_MIN)) {
    memset(out, 0, sizeof *out);
    return DPPAIR_ERR_NO_PROOF;
  }
  open = *bounds;
  open.param_radius = HUGE_VAL;
  memset(&global, 0, sizeof global);
  dppair_constants_fill_(&global, margin, loss, params, &open);
  if (out->lipschitz < global.lipschitz || out->replace_one < global.replace_one)
    out->projected |= DPPAIR_ONLY_PROJECTED_G;
  if (out->smoothness < global.smoothness) out->projected |= DPPAIR_ONLY_PROJECTED_L;
  if (out->bound < global.bound) out->projected |= DPPAIR_ONLY_PROJECTED_M;
  out->slope *= up;
  out->lipschitz *= up;
  out->smoothness *= up;
  out->bound *= up;
  out->move *= up;
  out->replace_one *= up;
  out->zero_out *= up;
  return DPPAIR_OK;
}

/* What a regulariser outside the pair loss adds. */
typedef enum dppair_regulariser {
  DPPAIR_REGULARISER_HALF = 1, /* (lambda/2) |w|^2: strongly convex with lambda   */
  DPPAIR_REGULARISER_FULL = 2  /* lambda |w|^2:     strongly convex with 2 lambda */
} dppair_regulariser;

/*
 * Of the regularised risk: *alpha its strong convexity, and smoothness, Lipschitz constant and
 * bound of its pair loss. Step-size conditions (eta <= 2/(smoothness + alpha)) and utility bounds
 * take these; sensitivities take the constants of the data loss alone. With a = lambda or 2 lambda:
 * alpha = a, L + a, G + a B, M + a B^2/2; without projection the last two are HUGE_VAL.
 * Errors: NULL; DOMAIN (lambda not in (0, 1e100], param_radius as above); NO_PROOF when the data
 * loss is not convex, so that nothing is strongly convex. Outputs zeroed on error.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_constants_regularise(double *alpha, dppair_constants *total, const dppair_constants *data,
                            dppair_regulariser kind, double lambda, double param_radius) {
  dppair_constants sum;
  double a;
  if (!alpha || !total) return DPPAIR_ERR_NULL;
  *alpha = 0.0;
  if (!data) {
    memset(total, 0, sizeof *total);
    return DPPAIR_ERR_NULL;
  }
  sum = *data; /* total and data may be the same */
  memset(total, 0, sizeof *total);
  if (kind != DPPAIR_REGULARISER_HALF && kind != DPPAIR_REGULARISER_FULL) return DPPAIR_ERR_DOMAIN;
  if (!(lambda > 0.0 && lambda <= 1e100)) return DPPAIR_ERR_DOMAIN;
  if (!dppair_size_or_infinite_(param_radius)) return DPPAIR_ERR_DOMAIN;
  if (!sum.convex) return DPPAIR_ERR_NO_PROOF;
  a = kind == DPPAIR_REGULARISER_HALF ? lambda : 2.0 * lambda;
  sum.smoothness += a;
  sum.lipschitz += a * param_radius;
  sum.bound += 0.5 * a * param_radius * param_radius;
  sum.projected |= DPPAIR_ONLY_PROJECTED_G | DPPAIR_ONLY_PROJECTED_M;
  *total = sum;
  *alpha = a;
  return DPPAIR_OK;
}

DPPAIR_FP_END_

#endif /* DPPAIR_LOSSES_H */
