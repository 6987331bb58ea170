/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_losses.h - pairwise losses phi, and what they cost in privacy.         version 0.1.0
 *
 * A loss named L is three macros in the vocabulary of dppair.h,
 *
 *     L_VALUE(u, p)   L_SLOPE(u, p)   L_CURVATURE(u, p)
 *
 * where u is a DPV_T of margins and p points to the loss's own parameters (double for every element
 * type, which DPV_SET rounds to; in the order of the table below; NULL if it has none), and a word
 * L_KIND on how its sums are found. Pair loops read no CURVATURE, so a loss of one's own is a few
 * lines, in any file, for every tier:
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
 *   losses      dppair_loss_describe  _find  _param_count  _check    dppair_loss_eval, at run time
 *   constants   dppair_constants_find  _regularise    dppair_margin_name
 *
 * At a kink the slope is the subgradient of smaller magnitude and the curvature is that of either
 * side. VALUE(NaN) is NaN; SLOPE(NaN) is NaN or a number within the bound of the loss's slopes.
 */
/*
 * CHAPTERS, each with its first line here; written in src/, see src/README.md
 *
 *     60  losses/table.h                     The table of losses
 *    103  losses/ranking.h                   Losses of a difference of scores u = s - s'
 *    179  losses/residual.h                  Losses of a residual u = (y - y') - (s - s')
 *    266  losses/at_run_time.h               Losses chosen at run time: names, parameters, values
 *    451  losses/margins.h                   Margins
 *    528  losses/slopes.h                    The range of a loss's slopes
 *    720  losses/constants.h                 The constants of a loss with a margin on a public d...
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
 * The table of losses
 *
 *   X(name, formula, convex, monotone, differentiable, parameters, source)
 *
 * (t)+ means max(0, t). monotone means non-increasing, as a ranking surrogate should be; the losses
 * of a residual (absolute, pinball, least_squares, huber, ...) are not meant to be. An envelope is
 * Moreau's, e(u) = min over v of phi(v) + (u - v)^2/(2 w): it is convex for convex phi, lies
 * between phi - (sup slope)^2 w/2 and phi, and is 1/w-smooth. (No envelope rounds off a concave
 * kink, such as the ramp's.)
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

/* ---- src/losses/residual.h ------------------------------------------------------------------
 * Losses of a residual u = (y - y') - (s - s')
 *
 * Laid out as in ranking.h.
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
 * Losses chosen at run time: names, parameters, values
 *
 * Parameters are doubles here, in the order of the table. Results have the scalar tier's bits: each
 * loss's macros are expanded once more, over a vocabulary of one double.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_LOSS_MAX_PARAMS 2

typedef struct dppair_loss_info {
  const char *name, *formula, *parameters, *source;
  int convex, monotone, differentiable;
} dppair_loss_info;

/* The loss's row of the table, or NULL for a number that is no loss. */
DPPAIR_API const dppair_loss_info *dppair_loss_describe(dppair_loss loss) {
  static const dppair_loss_info table[] = {
#define DPPAIR_X_(name, formula, convex, monotone, differentiable, parameters, source)             \
  {#name, formula, parameters, source, convex, monotone, differentiable},
      DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  };
  return (unsigned)loss < (unsigned)DPPAIR_LOSS_COUNT ? &table[loss] : NULL;
}

/* *loss = the loss of that name; DPPAIR_LOSS_COUNT and DOMAIN when there is none. */
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

/* The vocabulary on one double, with the bits of the scalar tier. */
typedef double dpv_t_f64_one;
DPPAIR_FORCE_INLINE_ double dpv_set_f64_one(double x) { return x; }
DPPAIR_FORCE_INLINE_ double dpv_add_f64_one(double a, double b) { return a + b; }
DPPAIR_FORCE_INLINE_ double dpv_sub_f64_one(double a, double b) { return a - b; }
DPPAIR_FORCE_INLINE_ double dpv_mul_f64_one(double a, double b) { return a * b; }
DPPAIR_FORCE_INLINE_ double dpv_div_f64_one(double a, double b) { return a / b; }
DPPAIR_FORCE_INLINE_ double dpv_neg_f64_one(double a) { return -a; }
DPPAIR_FORCE_INLINE_ double dpv_abs_f64_one(double a) { return fabs(a); }
DPPAIR_FORCE_INLINE_ double dpv_sqrt_f64_one(double a) { return sqrt(a); }
DPPAIR_FORCE_INLINE_ double dpv_max_f64_one(double a, double b) { return a > b ? a : b; }
DPPAIR_FORCE_INLINE_ double dpv_min_f64_one(double a, double b) { return a < b ? a : b; }
DPPAIR_FORCE_INLINE_ double dpv_fma_f64_one(double a, double b, double c) {
  return dppair_fma_f64_(a, b, c);
}
DPPAIR_FORCE_INLINE_ int dpv_lt_f64_one(double a, double b) { return a < b; }
DPPAIR_FORCE_INLINE_ int dpv_le_f64_one(double a, double b) { return a <= b; }
DPPAIR_FORCE_INLINE_ int dpv_both_f64_one(int m, int n) { return m & n; }
DPPAIR_FORCE_INLINE_ int dpv_either_f64_one(int m, int n) { return m | n; }
DPPAIR_FORCE_INLINE_ double dpv_sel_f64_one(int m, double a, double b) { return m ? a : b; }
DPPAIR_FORCE_INLINE_ double dppair_one_(dpv_t_f64_scalar v) {
  double lanes[8];
  dpv_store_f64_scalar(lanes, v);
  return lanes[0];
}
DPPAIR_API double dpv_exp_f64_one(double x) {
  return dppair_one_(dpv_exp_f64_scalar(dpv_set_f64_scalar(x)));
}
DPPAIR_API double dpv_log_f64_one(double x) {
  return dppair_one_(dpv_log_f64_scalar(dpv_set_f64_scalar(x)));
}
DPPAIR_API double dpv_log1p_f64_one(double x) {
  return dppair_one_(dpv_log1p_f64_scalar(dpv_set_f64_scalar(x)));
}
DPPAIR_API double dpv_sigmoid_f64_one(double x) {
  return dppair_one_(dpv_sigmoid_f64_scalar(dpv_set_f64_scalar(x)));
}
DPPAIR_API double dpv_softplus_f64_one(double x) {
  return dppair_one_(dpv_softplus_f64_scalar(dpv_set_f64_scalar(x)));
}

#define DPPAIR_SUFFIX_ f64_one
#define DPV_R double
/* phi(u), phi'(u) and phi''(u); nothing is checked. */
DPPAIR_API double dppair_loss_value_(dppair_loss loss, double u, const double *p) {
  (void)p;
  switch (loss) {
#define DPPAIR_X_(name, formula, convex, monotone, differentiable, parameters, source)             \
  case DPPAIR_LOSS_##name:                                                                         \
    return dppair_##name##_VALUE(u, p);
    DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  default:
    return 0.0;
  }
}
DPPAIR_API double dppair_loss_slope_(dppair_loss loss, double u, const double *p) {
  (void)p;
  switch (loss) {
#define DPPAIR_X_(name, formula, convex, monotone, differentiable, parameters, source)             \
  case DPPAIR_LOSS_##name:                                                                         \
    return dppair_##name##_SLOPE(u, p);
    DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  default:
    return 0.0;
  }
}
DPPAIR_API double dppair_loss_curvature_(dppair_loss loss, double u, const double *p) {
  (void)p;
  (void)u;
  switch (loss) {
#define DPPAIR_X_(name, formula, convex, monotone, differentiable, parameters, source)             \
  case DPPAIR_LOSS_##name:                                                                         \
    return dppair_##name##_CURVATURE(u, p);
    DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  default:
    return 0.0;
  }
}

/* value[i] = phi(u[i]), slope[i] = phi'(u[i]), curvature[i] = phi''(u[i]) for i < n; each output
 * may be NULL. u is not checked: for NaN the value is NaN, and the slope is NaN or within the
 * loss's bound. Errors, with outputs zeroed: NULL, DOMAIN (the loss or its parameters); with
 * outputs left alone: OVERFLOW (n numbers have no size). */
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
 * A margin says what phi is applied to, for an ordered pair (z, z') of records z = (x, y). Here
 * s = w.x with |x| <= R and |w| <= B; M(x, x') = (x - x')^T W (x - x') with |W|_F <= B; |L|_F <= B.
 * The risk sums both orders of each pair and divides by n (n - 1).
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

/* The name of a margin, and its formula in *formula when formula is not NULL. NULL: no margin. */
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

/* What is publicly known of records and parameters. HUGE_VAL means "no bound". */
typedef struct dppair_bounds {
  double radius;       /* R: every row is clipped to it; HUGE_VAL: any scorer, and then a clip    */
  double param_radius; /* B: EVERY point at which a gradient is taken is projected on this ball,  */
                       /* the first and each noisy restart too; HUGE_VAL: unprojected             */
  double label_bound;  /* Y, for diff and residual                                                */
  double offset;       /* b, for metric, factor and similarity                                    */
  double clip;         /* each ordered pair's gradient is clipped to this norm; 0: not clipped    */
} dppair_bounds;

/*
 * The constants of the loss of one ordered pair, WITHOUT any regulariser. A regulariser that does
 * not read the data has the same gradient on both of two neighbouring data sets, so it cancels in
 * every sensitivity; dppair_constants_regularise says where it counts.
 */
typedef struct dppair_constants {
  double slope;       /* s: sup |phi'| over the margins that are reached                          */
  double lipschitz;   /* G: sup norm of the gradient                                              */
  double smoothness;  /* L: Lipschitz constant of the gradient; HUGE_VAL when there is none       */
  double bound;       /* M: sup |loss|; HUGE_VAL when there is none                               */
  double move;        /* Dm: largest change of (grad l(z, z') + grad l(z', z))/2 when z is        */
                      /* replaced and z' is fixed                                                 */
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

/* ---- src/losses/slopes.h --------------------------------------------------------------------
 * The range of a loss's slopes, curvature and value over an interval of margins
 *
 * A loss is evaluated at the ends of the interval and at its landmarks between them: see table.h
 * for the losses, at_run_time.h for their evaluation. The suprema are bounds for margins as
 * computed.
 * ---------------------------------------------------------------------------------------------- */

/* Of phi over an interval of margins. */
typedef struct dppair_slopes_ {
  double down, up;  /* sup of -phi' and of phi', 0 at least */
  double odd;       /* sup |phi'(u) - phi'(-u)|/2 */
  double curvature; /* Lipschitz constant of phi', HUGE_VAL over a kink */
  double value;     /* sup |phi| */
} dppair_slopes_;

/*
 * How far a computed margin may lie beyond an end of its interval, as a part of the largest margin.
 * Rows of thousands of float numbers round by less; so do norms and projections that hold up to
 * rounding (a computed positive semidefinite W has eigenvalues just below 0).
 */
DPPAIR_API double dppair_room_(double largest) {
  return 0.0009765625 * largest + 1e-30; /* 2^-10; float results that vanish */
}

/* The margins that are special to a loss. */
typedef struct dppair_landmarks_ {
  double kink[2];      /* the slope jumps there */
  double extreme[5];   /* value, slope or curvature may be extreme there; unused ones are 0 */
  int kinks;           /* how many there are */
  int curvature_jumps; /* somewhere: then both sides of either end of an interval count */
} dppair_landmarks_;

DPPAIR_API dppair_landmarks_ dppair_landmarks_of_(dppair_loss loss, const double *p) {
  dppair_landmarks_ m = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  switch (loss) {
  case DPPAIR_LOSS_hinge:
    m.kinks = 1;
    m.kink[0] = 1.0;
    break;
  case DPPAIR_LOSS_ramp:
    m.kinks = 2;
    m.kink[1] = 1.0;
    m.extreme[0] = 0.5;
    break;
  case DPPAIR_LOSS_absolute:
  case DPPAIR_LOSS_pinball:
    m.kinks = 1;
    break;
  case DPPAIR_LOSS_smoothed_hinge:
    m.extreme[0] = 1.0 - 0.5 * p[0];
    m.curvature_jumps = 1;
    break;
  case DPPAIR_LOSS_moreau_pinball:
    m.extreme[0] = p[1] * (p[0] - 0.5);
    m.curvature_jumps = 1;
    break;
  case DPPAIR_LOSS_squared_hinge:
  case DPPAIR_LOSS_huber:
  case DPPAIR_LOSS_moreau_absolute:
    m.curvature_jumps = 1;
    break;
  case DPPAIR_LOSS_sigmoid: /* phi''' = 0 at +-ln(2 + sqrt 3) */
    m.extreme[0] = -1.3169578969248167;
    m.extreme[1] = 1.3169578969248167;
    break;
  case DPPAIR_LOSS_welsch: /* phi'' = 0 at +-h, phi''' = 0 at 0 and +-sqrt(3) h */
    m.extreme[0] = -p[0];
    m.extreme[1] = p[0];
    m.extreme[2] = -1.7320508075688772 * p[0];
    m.extreme[3] = 1.7320508075688772 * p[0];
    break;
  default:
    break;
  }
  return m;
}

DPPAIR_API double dppair_between_(double u, double low, double high) {
  return u < low ? low : u > high ? high : u;
}

/* *most becomes x where x is larger. */
DPPAIR_API void dppair_raise_(double *most, double x) { *most = x > *most ? x : *most; }

/* Widens r by the slopes and the curvature at u and the value at w. */
DPPAIR_API void dppair_slopes_at_(dppair_slopes_ *r, dppair_loss loss, const double *p, double u,
                                  double w) {
  const double slope = dppair_loss_slope_(loss, u, p), back = dppair_loss_slope_(loss, -u, p);
  const double larger = fabs(slope) > fabs(back) ? fabs(slope) : fabs(back);
  dppair_raise_(&r->down, -slope);
  dppair_raise_(&r->up, slope);
  dppair_raise_(&r->odd, 0.5 * fabs(slope - back) + 4.0 * DBL_EPSILON * larger);
  dppair_raise_(&r->value, fabs(dppair_loss_value_(loss, w, p)));
  dppair_raise_(&r->curvature, fabs(dppair_loss_curvature_(loss, u, p)));
}

enum { DPPAIR_LOW_ = 1, DPPAIR_HIGH_ = 2 }; /* ends of an interval */

/*
 * Widens r by the interval [low, high] (ends may be infinite) of margins of size at most `reach`.
 * Slopes and values of a convex phi are extreme at the ends; those of the other losses, and all
 * curvatures, at the ends or at a landmark. The ends are moved outwards by their own rounding.
 * Where the slope or the curvature jumps at an end that is `crossed`, or in the room beyond it,
 * both sides of the jump count, because a computed margin may be on either side.
 */
DPPAIR_API void dppair_slopes_add_(dppair_slopes_ *r, dppair_loss loss, const double *p, double low,
                                   double high, double reach, int crossed) {
  const double far = 1e300;  /* in place of an infinite end: every loss can be evaluated there */
  const double huge = 1e250; /* a supremum beyond this is no bound */
  const dppair_landmarks_ marks = dppair_landmarks_of_(loss, p);
  const double ulps = 4.0 * DBL_EPSILON * reach, room = dppair_room_(reach);
  const double lower = crossed & DPPAIR_LOW_ ? low - room : low;
  const double upper = crossed & DPPAIR_HIGH_ ? high + room : high;
  double inside[2], wide[2]; /* the interval, by its rounding wider; by the room wider */
  const double *ends = dppair_loss_describe(loss)->differentiable ? inside : wide;
  int k, kink = 0;
  inside[0] = low - ulps > -far ? low - ulps : -far;
  inside[1] = high + ulps < far ? high + ulps : far;
  wide[0] = lower > -far ? lower : -far;
  wide[1] = upper < far ? upper : far;
  for (k = 0; k < 7; k++) { /* both ends, then the landmarks that are between them */
    const double u = dppair_between_(k < 2 ? ends[k] : marks.extreme[k - 2], ends[0], ends[1]);
    dppair_slopes_at_(r, loss, p, u, dppair_between_(u, inside[0], inside[1]));
  }
  for (k = 0; k < marks.kinks; k++) kink |= ends[0] <= marks.kink[k] && ends[1] >= marks.kink[k];
  for (k = 0; marks.curvature_jumps && k < 2; k++)
    dppair_raise_(&r->curvature, fabs(dppair_loss_curvature_(loss, wide[k], p)));
  if (r->down > huge) r->down = HUGE_VAL;
  if (r->up > huge) r->up = HUGE_VAL;
  if (r->odd > huge) r->odd = HUGE_VAL;
  if (r->value > huge) r->value = HUGE_VAL;
  if (kink || r->curvature > huge) r->curvature = HUGE_VAL;
}

DPPAIR_API double dppair_least_(double a, double b) { return a < b ? a : b; }
/* a * b with 0 * infinity = 0: a quantity that is identically zero needs no bound. */
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
 * What pairs of the factor with t near 0 add to the move. Their computed margins may lie beyond the
 * end t = 0, on the other side of a kink, and then have coefficients beyond [-down, up]; but their
 * vectors are at most 4R sqrt(room) long. *slope is raised to those coefficients.
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

/* ---- src/losses/constants.h -----------------------------------------------------------------
 * The constants of a loss with a margin on a public domain, and their proofs
 *
 * One ordered pair has the gradient c v: c is phi' or -phi', v the gradient of the margin in the
 * parameters. Write s for sup |phi'| and V for sup |v|.
 *
 * Gradient and curvature. |c| <= s gives G = s V. A margin that is linear in the parameters has the
 * Hessian phi'' v v^T, which gives L = V^2 sup |phi''|. The factor W = L L^T has
 * v = 2 (x - x')(L^T (x - x'))^T. With t = |L^T (x - x')|^2 = b -+ u the norm of v is
 * 2 |x - x'| sqrt(t), and its derivative is at most 2 * 4R^2.
 *
 * Move. Fix the partner z' and let z run over all records. The differences x - x' lie in the ball
 * B(-x', R), which holds 0; so {c (x - x') : -d <= c <= u} has diameter at most 2R (d + u), where d
 * and u bound -phi' and phi' with the sign of the pair included.
 *   - If phi is monotone and z' meets one side of the labels only, d or u is 0. This halves the
 *     noise of 'diff' and quarters that of 'ind', whose other order is identically 0. With three
 *     label levels z' meets both sides. In 'diff' with real labels the factors of y > y' and of
 *     y < y' add up to at most 2 Y.
 *   - Quadratics have Dm <= s V although phi' changes sign. Let z = x - x', a the factor of the
 *     label, zeta = a z. Then (1 - a w.z)^2 has the gradient 2 (zeta zeta^T w - zeta); (a - w.z)^2
 *     has 2 (z z^T w - a z), and so has the mean of both orders of (1 - (a - w.z))^2; (a w.z)^2 has
 *     2 zeta zeta^T w. Two positive semidefinite matrices differ by at most the larger norm, so
 *     zeta zeta^T w moves by at most B max |zeta|^2; zeta moves by at most max |a| 2R (as above);
 *     together that is s V. With three label levels zeta moves by twice as much: s V + 2V.
 *   - The mean of a residual's two orders has the odd part of phi' as its coefficient; for the
 *     pinball that is 1/2 at any tau.
 *
 * Squared distances. |p v v^T - q w w^T|_F <= max(p, q) 4R^2 for p, q >= 0 and v, w in B(-x', R),
 * so coefficients in [-d, u] give at most 4R^2 (d + u). Proof: the norm is convex in (p, q), so one
 * of the corners of [0, m]^2 is the worst, and only p = q = m needs an argument. Let R = 1 and
 * F^2 = |v|^4 + |w|^4 - 2 (v.w)^2; we show F <= 4.
 *   - If v.w < 0 then |v|^2 + |w|^2 <= |v - w|^2 <= 4.
 *   - Otherwise some unit ball around a c with |c| = 1 holds v and w: the lens of the centres
 *     within 1 of both is convex, holds -x' and has a point at distance 1 or more from 0. So
 *     |v| <= 2 cos A and |w| <= 2 cos B, where A and B are the angles to c, and v, w are at most
 *     A + B apart. F^2 is convex in |v|^2 and in |w|^2, hence largest at an end of each; the end 0
 *     is clear. If A + B exceeds a right angle, F^2 <= 16 (cos^4 A + sin^4 A). If not, let
 *     a = cos A cos B >= b = sin A sin B; then
 *     F^2/16 = 1 - 2b^2 + (a - b)^2 (b^2 + 2ab - a^2). With a = t b and b <= 1/(1 + t) (because
 *     a + b <= 1) the last term is b^4 y (2 - y) <= b^4 for y = (t - 1)^2, at most b^2. QED
 *
 * Similarity. Z = (x x'^T + x' x^T)/2 is linear in x and at most R^2 long. A quadratic has the
 * gradient 2 <W, Z> Z - 2 a Z with a = b (least squares) or b +- 1; its terms move by 2 B R^4 (as
 * above) and by 4 |a| R^2, together s V + 2 |a| V.
 *
 * No mean moves by more than twice its largest norm. Clipping scales c towards 0, so all bounds
 * above stay valid, but for the quadratics, whose clipped gradients are no scaled quadratic: where
 * only one order of a pair has a gradient, or both orders have the same (all but the residual's
 * square), the mean of the clipped gradients is the clipped mean or half of it, and a projection on
 * a ball brings no two points further apart. The clipped norm is one more bound.
 * ---------------------------------------------------------------------------------------------- */

/* What the margins of a domain reach. */
typedef struct dppair_reach_ {
  dppair_slopes_ equal;    /* phi over the margins of all pairs, or of those of equal labels  */
  dppair_slopes_ opposite; /* phi over the margins of pairs of opposite labels, if they differ */
  double norm;             /* V, the largest norm of the margin's gradient in the parameters   */
} dppair_reach_;

DPPAIR_API dppair_reach_ dppair_reach_of_(dppair_margin margin, dppair_loss loss, const double *p,
                                          const dppair_bounds *b) {
  const double r2 = 2.0 * b->radius; /* the largest |x - x'| */
  const int both = DPPAIR_LOW_ | DPPAIR_HIGH_, factor = margin == DPPAIR_MARGIN_factor;
  dppair_reach_ m;
  double far, least, reach;
  memset(&m, 0, sizeof m);
  switch (margin) {
  case DPPAIR_MARGIN_ind:
  case DPPAIR_MARGIN_ind_levels:
  case DPPAIR_MARGIN_sign:
  case DPPAIR_MARGIN_sign_levels:
    m.norm = r2;
    far = r2 * b->param_radius;
    dppair_slopes_add_(&m.equal, loss, p, -far, far, far, both);
    break;
  case DPPAIR_MARGIN_diff:
    m.norm = 2.0 * b->label_bound * r2;
    far = m.norm * b->param_radius;
    dppair_slopes_add_(&m.equal, loss, p, -far, far, far, both);
    break;
  case DPPAIR_MARGIN_residual:
    m.norm = r2;
    far = 2.0 * b->label_bound + r2 * b->param_radius;
    dppair_slopes_add_(&m.equal, loss, p, -far, far, far, both);
    break;
  case DPPAIR_MARGIN_metric_psd:
  case DPPAIR_MARGIN_metric:
  case DPPAIR_MARGIN_factor:
    m.norm = r2 * r2;
    far = m.norm * b->param_radius; /* the largest M */
    if (factor) {
      m.norm = 2.0 * m.norm * b->param_radius;
      far *= b->param_radius;
    }
    least = margin == DPPAIR_MARGIN_metric ? far : 0.0; /* the smallest M is minus this */
    reach = far + fabs(b->offset);
    dppair_slopes_add_(&m.equal, loss, p, b->offset - far, b->offset + least, reach,
                       factor ? DPPAIR_LOW_ : both);
    dppair_slopes_add_(&m.opposite, loss, p, -b->offset - least, -b->offset + far, reach,
                       factor ? DPPAIR_HIGH_ : both);
    break;
  default: /* similarity */
    m.norm = b->radius * b->radius;
    far = m.norm * b->param_radius;
    reach = far + fabs(b->offset);
    dppair_slopes_add_(&m.equal, loss, p, -b->offset - far, -b->offset + far, reach, both);
    dppair_slopes_add_(&m.opposite, loss, p, b->offset - far, b->offset + far, reach, both);
    break;
  }
  return m;
}

/*
 * The mean of a pair's two gradients: *mean bounds its norm and *spread how far it moves with one
 * of the two records. In: the reach of the margin; `largest`, the norm of one gradient; `sum`, the
 * length of the range of the coefficients; `near`, what the factor's pairs near t = 0 add.
 */
DPPAIR_API void dppair_mean_of_orders_(double *mean, double *spread, dppair_margin margin,
                                       dppair_loss loss, const dppair_bounds *b, double clip,
                                       const dppair_reach_ *m, double largest, double sum,
                                       double near) {
  const int levels = margin == DPPAIR_MARGIN_ind_levels || margin == DPPAIR_MARGIN_sign_levels;
  const int residual = margin == DPPAIR_MARGIN_residual;
  const int similarity = margin == DPPAIR_MARGIN_similarity;
  const int square = loss == DPPAIR_LOSS_square;
  const int quadratic = square || loss == DPPAIR_LOSS_least_squares;
  *mean = residual ? dppair_times_(m->equal.odd, m->norm) : largest;
  *spread = dppair_times_(sum, m->norm) + near;
  if (levels || residual || similarity) *spread = 2.0 * *mean;
  if (quadratic && margin < DPPAIR_MARGIN_residual)
    *spread = *mean + (levels && square ? 2.0 * m->norm : 0.0);
  if (quadratic && residual && !(square && clip < largest)) *spread = *mean;
  if (quadratic && similarity)
    *spread = *mean + 2.0 * dppair_times_(fabs(b->offset) + (square ? 1.0 : 0.0), m->norm);
  /* nothing but rounding errors is left of a residual's two orders */
  if (residual && dppair_isfinite_f64(largest) && *mean <= 64.0 * DBL_EPSILON * largest)
    *mean = 0.0;
  *mean = dppair_least_(*mean, clip);
  *spread = dppair_least_(*spread, 2.0 * *mean);
}

/* The constants at arguments in range, before they are rounded up. */
DPPAIR_API void dppair_constants_fill_(dppair_constants *out, dppair_margin margin,
                                       dppair_loss loss, const double *p, const dppair_bounds *b) {
  const dppair_loss_info *info = dppair_loss_describe(loss);
  const int factor = margin == DPPAIR_MARGIN_factor;
  /* of 'ind' one order of a pair is 0, which halves the mean of the two */
  const int is_ind = margin == DPPAIR_MARGIN_ind || margin == DPPAIR_MARGIN_ind_levels;
  const double share = is_ind ? 0.5 : 1.0, clip = b->clip > 0.0 ? b->clip : HUGE_VAL;
  const dppair_reach_ m = dppair_reach_of_(margin, loss, p, b);
  double down, up, largest, change, mean, spread, norm = HUGE_VAL, near = 0.0;
  /* coefficients of pairs of equal labels are -phi', those of opposite labels +phi' */
  down = m.equal.up > m.opposite.down ? m.equal.up : m.opposite.down;
  up = m.equal.down > m.opposite.up ? m.equal.down : m.opposite.up;
  out->slope = down > up ? down : up;
  if (factor && !info->differentiable)
    near = dppair_factor_near_(&out->slope, down, up, loss, p, b);
  largest = dppair_times_(out->slope, m.norm);
  change = m.equal.curvature > m.opposite.curvature ? m.equal.curvature : m.opposite.curvature;
  change = dppair_times_(dppair_times_(change, m.norm), m.norm);
  if (factor) dppair_factor_bounds_(&norm, &change, loss, p, b);
  largest = dppair_least_(largest, norm);
  out->lipschitz = dppair_least_(largest, clip);
  out->smoothness = change;
  out->bound = m.equal.value > m.opposite.value ? m.equal.value : m.opposite.value;
  out->convex = info->convex && !factor && dppair_isfinite_f64(b->radius);
  if (clip < largest && !out->convex) out->smoothness = HUGE_VAL;
  dppair_mean_of_orders_(&mean, &spread, margin, loss, b, clip, &m, largest, down + up, near);
  out->move = share * spread;
  out->replace_one = 2.0 * out->move;
  out->zero_out = 2.0 * (share * mean);
}

/* Whether x is a size: HUGE_VAL, or a number that is large enough for products of four sizes to be
 * normal numbers; not NaN, negative or 0. */
DPPAIR_API int dppair_size_or_infinite_(double x) {
  return x >= 1e-60 && (x <= 1e100 || !dppair_isfinite_f64(x));
}

/*
 * *out = the constants of a loss with a margin on the public domain *bounds. Each is an upper
 * bound, rounded up, and holds for margins as computed, in float too: where phi' or phi'' jumps at
 * an end of the interval of margins, or beyond it by up to 2^-10 of the largest margin, both sides
 * count.
 *
 * Over the n(n-1) ordered pairs a mean gradient moves by replace_one/n, or zero_out/n. Over those
 * of a batch, with two label levels (ind, sign): dppair_sensitivity_minibatch_rank.
 *
 * How tight they are without a clip, at any radii, bounds and offsets, but for such a jump beyond
 * an end:
 *   G, M, zero_out   attained (the factor's up to the grid on which they are computed)
 *   L                attained by the margins that are linear in the parameters, valid for factor
 *   move             attained in ind, diff, sign by monotone links, square, least_squares, absolute
 *                    and pinball; in residual by the last four; elsewhere by links of constant
 *                    slope (hinge, absolute, pinball) but for factor. Where it is only valid it is
 *                    at most twice the truth, which is zero_out/2 at least.
 * With a clip below G all are valid and none exceeds its value without one (a clipped loss that is
 * not convex has no L); zero_out is not attained in residual.
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
 * The constants of the regularised risk: *alpha = its strong convexity; *total = smoothness,
 * Lipschitz constant and bound of its pair loss. Conditions on step sizes
 * (eta <= 2/(smoothness + alpha)) and utility bounds need these; sensitivities need the constants
 * of the data loss alone. With a = lambda or 2 lambda: alpha = a, L + a, G + a B, M + a B^2/2;
 * without projection the last two are HUGE_VAL. Errors: NULL; DOMAIN (lambda not in (0, 1e100],
 * param_radius as above); NO_PROOF when the data loss is not convex, so that nothing is strongly
 * convex. Outputs zeroed on error.
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
