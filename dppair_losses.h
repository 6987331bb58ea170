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
 * L_KIND on how its sums are found. Gradients read no CURVATURE (NAME_curvature does, where a word
 * L_CURVE allows it: see pairs/curvature_state.h), so a loss of one's own is a few
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
 *     const dppair_loss_facts phi = DPPAIR_FACTS(dppair_logistic);
 *     if (dppair_constants_find(&k, DPPAIR_MARGIN_ind, &phi, NULL, &b) != DPPAIR_OK) return 1;
 *     sensitivity = k.replace_one / n;      of the gradient's mean over the n(n-1) ordered pairs
 *     eta = 2.0 / k.smoothness;             the longest step of a convex, smooth loss
 *
 * FUNCTIONS
 *   losses      dppair_loss_describe  _find  _facts_of  _eval, at run time    DPPAIR_FACTS
 *               row-wise, losses/contrastive.h: dppair_infonce  dppair_npairs  dppair_decoupled
 *   constants   dppair_constants_find  _regularise    dppair_margin_name
 *
 * After this header every instance has its own sensitivity, for its sampling and norm of w, with
 * all rounding:
 *
 *     rank_sensitivity(&s, d, &b, &sampling, &pass)      rank_form_sensitivity, of metrics
 *
 * The range of a loss of one's own, for constants and a sensitivity without a clip, is a function:
 *
 *     #define cauchy_RANGE (cauchy_range, DPPAIR_IS_SMOOTH)      see L_RANGE below
 *
 * At a kink the slope is the subgradient of smaller magnitude and the curvature is that of either
 * side. VALUE(NaN) is NaN; SLOPE(NaN) is NaN or a number within the bound of the loss's slopes.
 */
/*
 * CHAPTERS, each with its first line here; written in src/, see src/README.md
 *
 *     94  core/freestanding.h                Without a C library: names for the time of one include
 *    137  losses/table.h                     The table of losses
 *    177  losses/one.h                       The vocabulary on one double
 *    233  losses/range.h                     The range of a loss, and what else proofs need of it
 *    392  losses/logistic.h                  The logistic loss
 *    425  losses/hinge.h                     The hinge
 *    457  losses/squared_hinge.h             The squared hinge
 *    489  losses/smoothed_hinge.h            The smoothed hinge: the envelope of the hinge
 *    536  losses/square.h                    The square of 1 - u
 *    567  losses/exponential.h               The exponential loss
 *    597  losses/sigmoid.h                   The sigmoid
 *    628  losses/ramp.h                      The ramp
 *    660  losses/least_squares.h             The square of a residual
 *    691  losses/absolute.h                  The size of a residual
 *    725  losses/pinball.h                   The pinball
 *    756  losses/huber.h                     Huber's loss
 *    797  losses/moreau.h                    Moreau's envelopes of the size of a residual and of...
 *    877  losses/welsch.h                    Welsch's loss
 *    918  losses/contrastive.h               Row-wise losses
 *    941  losses/triplets.h                  Losses of triplets
 *    983  losses/at_run_time.h               Losses chosen at run time: names, facts, values
 *   1107  losses/margins.h                   Margins
 *   1183  losses/reach.h                     The range of a loss over the margins of a domain
 *   1297  losses/constants.h                 The constants of a loss with a margin on a public d...
 *   1638  losses/moves.h                     How far one record moves the sum of its pairs
 *   1893  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_LOSSES_H
#define DPPAIR_LOSSES_H

#ifdef DPPAIR_NAME
#error "Include dppair_losses.h before defining DPPAIR_NAME; then dppair.h for the template."
#include "dppair stops here: one sentence says more than the thousands of errors after it"
#endif
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_REAL and DPPAIR_LOSS may be defined, for a later include */
#include "dppair.h"
#undef DPPAIR_NO_TEMPLATE_

/* ---- src/core/freestanding.h ----------------------------------------------------------------
 * Without a C library: names for the time of one include
 *
 * With DPPAIR_FREESTANDING the headers include nothing but what a compiler brings: stddef.h,
 * stdint.h, float.h and intrinsics. The names of string.h and math.h that the chapters use then
 * mean the compiler's own operations, from here to freestanding_end.h; after that they are the
 * host's again. memory.h has what is left of them as calls (DPPAIR_HOST_MEMORY: the host does).
 * Functions of a libm that math.h still names are symbols where they are called. The tier is what
 * the compiler may use, keys come from DPPAIR_ENTROPY or the caller, and fork is not noticed.
 * ---------------------------------------------------------------------------------------------- */
#ifdef DPPAIR_FREESTANDING
#if !defined(__GNUC__) && !defined(__clang__)
#error "DPPAIR_FREESTANDING needs gcc or clang: it names symbols of the object file."
#endif
#pragma push_macro("memcmp")
#pragma push_macro("memcpy")
#pragma push_macro("memmove")
#pragma push_macro("memset")
#pragma push_macro("strcmp")
#pragma push_macro("strlen")
#pragma push_macro("HUGE_VAL")
#pragma push_macro("INFINITY")
#undef memcmp
#undef memcpy
#undef memmove
#undef memset
#undef strcmp
#undef strlen
#undef HUGE_VAL
#undef INFINITY
#define memcmp(a, b, n) dppair_memcmp_(a, b, n)
#define memcpy(to, from, n) __builtin_memcpy(to, from, n)
#define memmove(to, from, n) __builtin_memmove(to, from, n)
#define memset(to, byte, n) __builtin_memset(to, byte, n)
#define strcmp(a, b) dppair_strcmp_(a, b)
#define strlen(a) dppair_strlen_(a)
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#else
#include <math.h>
#include <string.h>
#endif

/* ---- src/losses/table.h ---------------------------------------------------------------------
 * The table of losses
 *
 * A loss is a chapter of its own and a row here. The chapter has, in this order: INFO, its formula,
 * parameters and source; RANGE (range.h); KIND and what that asks for (see L_KIND in dppair.h);
 * CURVE where the slope is continuous (pairs/curvature_state.h); VALUE, SLOPE and CURVATURE; and
 * the function that RANGE names, with the loss's landmarks.
 *
 * In formulas (t)+ means max(0, t). The losses of a residual (absolute, pinball, least_squares,
 * huber, ...) are not meant to be monotone, ranking surrogates are. An envelope is Moreau's, e(u) =
 * min over v of phi(v) + (u - v)^2/(2 w): it is convex for convex phi, lies between phi - (sup
 * slope)^2 w/2 and phi, and is 1/w-smooth. (No envelope rounds off a concave kink, such as the
 * ramp's.)
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_LOSS_TABLE(X)                                                                       \
  X(logistic)                                                                                      \
  X(hinge)                                                                                         \
  X(squared_hinge)                                                                                 \
  X(smoothed_hinge)                                                                                \
  X(square)                                                                                        \
  X(exponential)                                                                                   \
  X(sigmoid)                                                                                       \
  X(ramp)                                                                                          \
  X(least_squares)                                                                                 \
  X(absolute)                                                                                      \
  X(pinball)                                                                                       \
  X(huber)                                                                                         \
  X(moreau_absolute)                                                                               \
  X(moreau_pinball)                                                                                \
  X(welsch)

/* DPPAIR_LOSS_logistic, ..., for the functions that take a loss at run time. */
typedef enum dppair_loss {
#define DPPAIR_X_(name) DPPAIR_LOSS_##name,
  DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_LOSS_COUNT
} dppair_loss;

/* ---- src/losses/one.h -----------------------------------------------------------------------
 * The vocabulary on one double
 *
 * The macros of a loss are expanded once more, over one double instead of a vector, with the bits
 * of the scalar tier. What a loss's own chapter says of its slopes is computed with it, and losses
 * chosen at run time are.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

typedef double dpv_t_f64_one;
DPPAIR_FORCE_INLINE_ double dpv_set_f64_one(double x) { return x; }
DPPAIR_FORCE_INLINE_ double dpv_add_f64_one(double a, double b) { return a + b; }
DPPAIR_FORCE_INLINE_ double dpv_sub_f64_one(double a, double b) { return a - b; }
DPPAIR_FORCE_INLINE_ double dpv_mul_f64_one(double a, double b) { return a * b; }
DPPAIR_FORCE_INLINE_ double dpv_div_f64_one(double a, double b) { return a / b; }
DPPAIR_FORCE_INLINE_ double dpv_neg_f64_one(double a) { return -a; }
DPPAIR_FORCE_INLINE_ double dpv_abs_f64_one(double a) { return dppair_fabs_(a); }
DPPAIR_FORCE_INLINE_ double dpv_sqrt_f64_one(double a) { return dppair_sqrt_(a); }
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
DPPAIR_FN_ double dpv_exp_f64_one(double x) {
  return dppair_one_(dpv_exp_f64_scalar(dpv_set_f64_scalar(x)));
}
DPPAIR_FN_ double dpv_log_f64_one(double x) {
  return dppair_one_(dpv_log_f64_scalar(dpv_set_f64_scalar(x)));
}
DPPAIR_FN_ double dpv_log1p_f64_one(double x) {
  return dppair_one_(dpv_log1p_f64_scalar(dpv_set_f64_scalar(x)));
}
DPPAIR_FN_ double dpv_sigmoid_f64_one(double x) {
  return dppair_one_(dpv_sigmoid_f64_scalar(dpv_set_f64_scalar(x)));
}
DPPAIR_FN_ double dpv_softplus_f64_one(double x) {
  return dppair_one_(dpv_softplus_f64_scalar(dpv_set_f64_scalar(x)));
}

DPPAIR_FP_END_

/* Until the end of at_run_time.h. */
#define DPPAIR_SUFFIX_ f64_one
#define DPV_R double

/* ---- src/losses/range.h ---------------------------------------------------------------------
 * The range of a loss, and what else proofs need of it
 *
 * A loss L has, beside L_KIND, L_VALUE and L_SLOPE, one more macro:
 *
 *     #define L_RANGE (f, flags)
 *
 * f is a C function that bounds slopes, curvature and values over an interval of margins; flags are
 * 0 or what of DPPAIR_IS_... below is true of the loss. A loss without L_RANGE has a sensitivity
 * with a clip only.
 *
 *     static void cauchy_range(dppair_range *r, const dppair_margins *m, const double *params) {
 *       (void)m, (void)params;
 *       r->down = r->up = 1.0;      |2 u/(1 + u^2)| <= 1
 *       r->curvature = 2.0;         what is not written counts as unbounded: here the value
 *     }
 *     #define cauchy_RANGE (cauchy_range, DPPAIR_IS_SMOOTH)
 *
 * Shipped losses have a third item, phi itself. Its code is then compiled only where values are
 * asked for, which a sensitivity does not do.
 * ---------------------------------------------------------------------------------------------- */

typedef double dppair_value_function_(double u, const double *params);

/* An interval of margins; in place of an infinite end stands +-1e300. */
typedef struct dppair_margins {
  double low, high;   /* the margins that exact arithmetic reaches, wider by their rounding */
  double least, most; /* wider by all that computed margins may lie beyond: where a slope jumps
                       * between least and low, or high and most, both sides count */
  dppair_value_function_ *value; /* the third item, NULL where no value is asked for */
} dppair_margins;

/* Of phi over an interval of margins, slopes as computed. */
typedef struct dppair_range {
  double down, up;  /* sup of -phi' and of phi', 0 at least */
  double odd;       /* sup |phi'(u) - phi'(-u)|/2 */
  double curvature; /* Lipschitz constant of phi', HUGE_VAL over a jump */
  double value;     /* sup |phi| */
} dppair_range;

/* Writes *range; params are the loss's own. All five figures are HUGE_VAL before the call. */
typedef void dppair_range_function(dppair_range *range, const dppair_margins *margins,
                                   const double *params);

/* Flags. MONOTONE: phi does not increase. SMOOTH: phi' is continuous. QUADRATIC: phi is a parabola.
 * The parameters are checked: LEVEL: one in (0, 1) comes first; SIZE: a width, knee or bandwidth in
 * [1e-100, 1e100] comes last. */
enum {
  DPPAIR_IS_CONVEX = 1,
  DPPAIR_IS_MONOTONE = 2,
  DPPAIR_IS_SMOOTH = 4,
  DPPAIR_IS_QUADRATIC = 8,
  DPPAIR_TAKES_LEVEL = 16,
  DPPAIR_TAKES_SIZE = 32
};

/* What dppair_constants_find reads of a loss. */
typedef struct dppair_loss_facts {
  dppair_range_function *range;
  unsigned flags;
  dppair_value_function_ *value; /* NULL: none, or not asked for */
} dppair_loss_facts;

/* Its initialiser for a loss L that is known at compile time: DPPAIR_FACTS(dppair_hinge). */
#define DPPAIR_FACTS(loss) DPPAIR_FACTS_1_(DPPAIR_CAT(loss, _RANGE))
#define DPPAIR_FACTS_1_(range) DPPAIR_FACTS_2_ range
#define DPPAIR_FACTS_2_(...) DPPAIR_FACTS_3_(__VA_ARGS__, NULL, ~)
#define DPPAIR_FACTS_3_(f, flags, value, ...)                                                      \
  { f, (unsigned)(flags), value }

/* The same without its values. */
#define DPPAIR_SLOPE_FACTS_(loss) DPPAIR_SLOPE_FACTS_1_(DPPAIR_CAT(loss, _RANGE))
#define DPPAIR_SLOPE_FACTS_1_(range) DPPAIR_SLOPE_FACTS_2_ range
#define DPPAIR_SLOPE_FACTS_2_(...) DPPAIR_SLOPE_FACTS_3_(__VA_ARGS__, ~)
#define DPPAIR_SLOPE_FACTS_3_(f, flags, ...)                                                       \
  { f, (unsigned)(flags), NULL }

DPPAIR_FP_BEGIN_

/* *most becomes x where x is larger, HUGE_VAL where x is no number. */
DPPAIR_FN_ void dppair_raise_(double *most, double x) {
  if (!(x <= *most)) *most = x > *most ? x : HUGE_VAL;
}

DPPAIR_FN_ double dppair_between_(double u, double low, double high) {
  return u < low ? low : u > high ? high : u;
}

/* A slope or curvature of a shipped loss, and the body of its function L_at_. */
enum { DPPAIR_VALUE_ = 0, DPPAIR_SLOPE_ = 1, DPPAIR_CURVATURE_ = 2 };
typedef double dppair_phi_(int what, double u, const double *params);
#define DPPAIR_AT_(loss)                                                                           \
  (void)u;                                                                                         \
  (void)p;                                                                                         \
  return what == DPPAIR_SLOPE_ ? loss##_SLOPE(u, p) : loss##_CURVATURE(u, p);

/* The margins that are special to a loss. */
typedef struct dppair_landmarks_ {
  double kink[2];      /* the slope jumps there */
  double extreme[5];   /* value, slope or curvature may be extreme there; unused ones are 0 */
  int kinks;           /* how many there are */
  int curvature_jumps; /* somewhere: then both sides of either end of an interval count */
} dppair_landmarks_;

/* Widens r by the slopes and the curvature at u. */
DPPAIR_OUT_OF_LINE_ void dppair_slopes_at_(dppair_range *r, dppair_phi_ *phi, const double *p,
                                           double u) {
  const double slope = phi(DPPAIR_SLOPE_, u, p), back = phi(DPPAIR_SLOPE_, -u, p);
  const double larger =
      dppair_fabs_(slope) > dppair_fabs_(back) ? dppair_fabs_(slope) : dppair_fabs_(back);
  dppair_raise_(&r->down, -slope);
  dppair_raise_(&r->up, slope);
  dppair_raise_(&r->odd, 0.5 * dppair_fabs_(slope - back) + 4.0 * DBL_EPSILON * larger);
  dppair_raise_(&r->curvature, dppair_fabs_(phi(DPPAIR_CURVATURE_, u, p)));
}

/* sup |phi| of a shipped loss: at the ends of the interval or at a landmark. */
DPPAIR_FN_ double dppair_values_scan_(const dppair_margins *m, const double *p,
                                      const dppair_landmarks_ *marks) {
  double most = 0.0;
  int k;
  if (!m->value) return HUGE_VAL;
  dppair_raise_(&most, dppair_fabs_(m->value(m->low, p)));
  dppair_raise_(&most, dppair_fabs_(m->value(m->high, p)));
  for (k = 0; k < 5; k++)
    dppair_raise_(&most,
                  dppair_fabs_(m->value(dppair_between_(marks->extreme[k], m->low, m->high), p)));
  return most;
}

/*
 * The range of a shipped loss. Slopes and values of a convex phi are extreme at the ends of an
 * interval; those of the other losses, and all curvatures, at the ends or at a landmark. Where the
 * slope or the curvature jumps at an end, or in the room beyond it, both sides of the jump count,
 * because a computed margin may be on either side.
 */
DPPAIR_OUT_OF_LINE_ void dppair_range_scan_(dppair_range *range, const dppair_margins *m,
                                            const double *p, dppair_phi_ *phi,
                                            const dppair_landmarks_ *marks) {
  const int smooth = marks->kinks == 0;
  const double low = smooth ? m->low : m->least, high = smooth ? m->high : m->most;
  dppair_range r = {0.0, 0.0, 0.0, 0.0, 0.0};
  int k;
  dppair_slopes_at_(&r, phi, p, low);
  dppair_slopes_at_(&r, phi, p, high);
  for (k = 0; k < 5; k++)
    dppair_slopes_at_(&r, phi, p, dppair_between_(marks->extreme[k], low, high));
  r.value = dppair_values_scan_(m, p, marks);
  if (marks->curvature_jumps) {
    dppair_raise_(&r.curvature, dppair_fabs_(phi(DPPAIR_CURVATURE_, m->least, p)));
    dppair_raise_(&r.curvature, dppair_fabs_(phi(DPPAIR_CURVATURE_, m->most, p)));
  }
  for (k = 0; k < marks->kinks; k++)
    if (low <= marks->kink[k] && high >= marks->kink[k]) r.curvature = HUGE_VAL;
  *range = r;
}

DPPAIR_FP_END_

/* ---- src/losses/logistic.h ------------------------------------------------------------------
 * The logistic loss
 * ---------------------------------------------------------------------------------------------- */

#define dppair_logistic_INFO "ln(1 + e^-u)", "", "Burges et al. 2005 (RankNet)"
#define dppair_logistic_RANGE                                                                      \
  (dppair_logistic_range, DPPAIR_IS_CONVEX | DPPAIR_IS_MONOTONE | DPPAIR_IS_SMOOTH,                \
   dppair_logistic_value_)
#define dppair_logistic_KIND dppair_analytic
#define dppair_logistic_CURVE dppair_curve
#define dppair_logistic_POLES(p)                                                                   \
  { 3.14159265358979323846, 1, 1 }
#define dppair_logistic_SPLIT dppair_split
#define dppair_logistic_FACTOR(s, p) DPV_EXP(s)
#define dppair_logistic_JOIN(e, p) DPV_DIV(DPV_SET(-1), DPV_ADD(DPV_SET(1), e))
#define dppair_logistic_VALUE(u, p) DPV_SOFTPLUS(DPV_NEG(u))
#define dppair_logistic_SLOPE(u, p) DPV_NEG(DPV_SIGMOID(DPV_NEG(u)))
#define dppair_logistic_CURVATURE(u, p)                                                            \
  DPV_MUL(DPV_SIGMOID(DPV_NEG(DPV_ABS(u))), DPV_SIGMOID(DPV_ABS(u)))

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_logistic_value_(double u, const double *p) {
  (void)p;
  return dppair_logistic_VALUE(u, p);
}
DPPAIR_FN_ double dppair_logistic_at_(int what, double u,
                                      const double *p){DPPAIR_AT_(dppair_logistic)} DPPAIR_API
    void dppair_logistic_range(dppair_range *range, const dppair_margins *m, const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  dppair_range_scan_(range, m, p, dppair_logistic_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/hinge.h ---------------------------------------------------------------------
 * The hinge
 * ---------------------------------------------------------------------------------------------- */

#define dppair_hinge_INFO "(1 - u)+", "", "Joachims 2002 (ranking SVM)"
#define dppair_hinge_RANGE                                                                         \
  (dppair_hinge_range, DPPAIR_IS_CONVEX | DPPAIR_IS_MONOTONE, dppair_hinge_value_)
/* The maximum takes its second argument when that is NaN, hence the order. */
#define dppair_hinge_KIND dppair_piecewise
#define dppair_hinge_PIECES(p)                                                                     \
  {                                                                                                \
    { 1, -1, 0, 0 }                                                                                \
  }
#define dppair_hinge_VALUE(u, p) DPV_MAX(DPV_SET(0), DPV_SUB(DPV_SET(1), u))
#define dppair_hinge_SLOPE(u, p) DPV_SEL(DPV_LT(u, DPV_SET(1)), DPV_SET(-1), DPV_SET(0))
#define dppair_hinge_CURVATURE(u, p) DPV_SET(0)

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_hinge_value_(double u, const double *p) {
  (void)p;
  return dppair_hinge_VALUE(u, p);
}
DPPAIR_FN_ double dppair_hinge_at_(int what, double u,
                                   const double *p){DPPAIR_AT_(dppair_hinge)} DPPAIR_API
    void dppair_hinge_range(dppair_range *range, const dppair_margins *m, const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.kinks = 1;
  marks.kink[0] = 1.0;
  dppair_range_scan_(range, m, p, dppair_hinge_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/squared_hinge.h -------------------------------------------------------------
 * The squared hinge
 * ---------------------------------------------------------------------------------------------- */

#define dppair_squared_hinge_INFO "((1 - u)+)^2", "", "Chapelle and Keerthi 2010"
#define dppair_squared_hinge_RANGE                                                                 \
  (dppair_squared_hinge_range, DPPAIR_IS_CONVEX | DPPAIR_IS_MONOTONE | DPPAIR_IS_SMOOTH,           \
   dppair_squared_hinge_value_)
#define dppair_squared_hinge_KIND dppair_piecewise
#define dppair_squared_hinge_CURVE dppair_curve
#define dppair_squared_hinge_PIECES(p)                                                             \
  {                                                                                                \
    { 1, -2, 2, 0 }                                                                                \
  }
#define dppair_squared_hinge_VALUE(u, p) DPV_MUL(dppair_hinge_VALUE(u, p), dppair_hinge_VALUE(u, p))
#define dppair_squared_hinge_SLOPE(u, p) DPV_MUL(DPV_SET(-2), dppair_hinge_VALUE(u, p))
#define dppair_squared_hinge_CURVATURE(u, p) DPV_SEL(DPV_LT(u, DPV_SET(1)), DPV_SET(2), DPV_SET(0))

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_squared_hinge_value_(double u, const double *p) {
  (void)p;
  return dppair_squared_hinge_VALUE(u, p);
}
DPPAIR_FN_ double dppair_squared_hinge_at_(int what, double u, const double *p){
    DPPAIR_AT_(dppair_squared_hinge)} DPPAIR_API
    void dppair_squared_hinge_range(dppair_range *range, const dppair_margins *m, const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.curvature_jumps = 1;
  dppair_range_scan_(range, m, p, dppair_squared_hinge_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/smoothed_hinge.h ------------------------------------------------------------
 * The smoothed hinge: the envelope of the hinge
 * ---------------------------------------------------------------------------------------------- */

#define dppair_smoothed_hinge_INFO                                                                 \
  "envelope of the hinge: (1-u)+^2/(2w) if u >= 1-w, else 1-u-w/2", "width w > 0",                 \
      "Shalev-Shwartz and Zhang 2013; Moreau 1965"
#define dppair_smoothed_hinge_RANGE                                                                \
  (dppair_smoothed_hinge_range,                                                                    \
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
DPPAIR_FN_ double dppair_smoothed_hinge_value_(double u, const double *p) {
  (void)p;
  return dppair_smoothed_hinge_VALUE(u, p);
}
DPPAIR_FN_ double dppair_smoothed_hinge_at_(int what, double u, const double *p){
    DPPAIR_AT_(dppair_smoothed_hinge)} DPPAIR_API
    void dppair_smoothed_hinge_range(dppair_range *range, const dppair_margins *m,
                                     const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.extreme[0] = 1.0 - 0.5 * p[0];
  marks.curvature_jumps = 1;
  dppair_range_scan_(range, m, p, dppair_smoothed_hinge_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/square.h --------------------------------------------------------------------
 * The square of 1 - u
 * ---------------------------------------------------------------------------------------------- */

#define dppair_square_INFO "(1 - u)^2", "", "Gao et al. 2013 (one-pass AUC)"
#define dppair_square_RANGE                                                                        \
  (dppair_square_range, DPPAIR_IS_CONVEX | DPPAIR_IS_SMOOTH | DPPAIR_IS_QUADRATIC,                 \
   dppair_square_value_)
#define dppair_square_KIND dppair_piecewise
#define dppair_square_CURVE dppair_curve
#define dppair_square_PIECES(p)                                                                    \
  {                                                                                                \
    { HUGE_VAL, -2, 2, 0 }                                                                         \
  }
#define dppair_square_VALUE(u, p) DPV_MUL(DPV_SUB(DPV_SET(1), u), DPV_SUB(DPV_SET(1), u))
#define dppair_square_SLOPE(u, p) DPV_MUL(DPV_SET(-2), DPV_SUB(DPV_SET(1), u))
#define dppair_square_CURVATURE(u, p) DPV_SET(2)

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_square_value_(double u, const double *p) {
  (void)p;
  return dppair_square_VALUE(u, p);
}
DPPAIR_FN_ double dppair_square_at_(int what, double u,
                                    const double *p){DPPAIR_AT_(dppair_square)} DPPAIR_API
    void dppair_square_range(dppair_range *range, const dppair_margins *m, const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  dppair_range_scan_(range, m, p, dppair_square_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/exponential.h ---------------------------------------------------------------
 * The exponential loss
 * ---------------------------------------------------------------------------------------------- */

#define dppair_exponential_INFO "e^-u", "", "Freund et al. 2003 (RankBoost)"
#define dppair_exponential_RANGE                                                                   \
  (dppair_exponential_range, DPPAIR_IS_CONVEX | DPPAIR_IS_MONOTONE | DPPAIR_IS_SMOOTH,             \
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
DPPAIR_FN_ double dppair_exponential_value_(double u, const double *p) {
  (void)p;
  return dppair_exponential_VALUE(u, p);
}
DPPAIR_FN_ double dppair_exponential_at_(int what, double u,
                                         const double *p){DPPAIR_AT_(dppair_exponential)} DPPAIR_API
    void dppair_exponential_range(dppair_range *range, const dppair_margins *m, const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  dppair_range_scan_(range, m, p, dppair_exponential_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/sigmoid.h -------------------------------------------------------------------
 * The sigmoid
 * ---------------------------------------------------------------------------------------------- */

#define dppair_sigmoid_INFO "1/(1 + e^u)", "", "Yan et al. 2003 (smoothed Wilcoxon statistic)"
#define dppair_sigmoid_RANGE                                                                       \
  (dppair_sigmoid_range, DPPAIR_IS_MONOTONE | DPPAIR_IS_SMOOTH, dppair_sigmoid_value_)
#define dppair_sigmoid_KIND dppair_analytic
#define dppair_sigmoid_CURVE dppair_curve
#define dppair_sigmoid_POLES(p)                                                                    \
  { 3.14159265358979323846, 1, 2 }
#define dppair_sigmoid_VALUE(u, p) DPV_SIGMOID(DPV_NEG(u))
#define dppair_sigmoid_SLOPE(u, p) DPV_NEG(dppair_logistic_CURVATURE(u, p))
#define dppair_sigmoid_CURVATURE(u, p)                                                             \
  DPV_MUL(dppair_logistic_CURVATURE(u, p), DPV_SUB(DPV_SIGMOID(u), DPV_SIGMOID(DPV_NEG(u))))

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_sigmoid_value_(double u, const double *p) {
  (void)p;
  return dppair_sigmoid_VALUE(u, p);
}
DPPAIR_FN_ double dppair_sigmoid_at_(int what, double u,
                                     const double *p){DPPAIR_AT_(dppair_sigmoid)} DPPAIR_API
    void dppair_sigmoid_range(dppair_range *range, const dppair_margins *m, const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.extreme[0] = -1.3169578969248167; /* phi''' = 0 at +-ln(2 + sqrt 3) */
  marks.extreme[1] = 1.3169578969248167;
  dppair_range_scan_(range, m, p, dppair_sigmoid_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/ramp.h ----------------------------------------------------------------------
 * The ramp
 * ---------------------------------------------------------------------------------------------- */

#define dppair_ramp_INFO "min(1, (1 - u)+)", "", "Collobert et al. 2006"
#define dppair_ramp_RANGE (dppair_ramp_range, DPPAIR_IS_MONOTONE, dppair_ramp_value_)
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
DPPAIR_FN_ double dppair_ramp_value_(double u, const double *p) {
  (void)p;
  return dppair_ramp_VALUE(u, p);
}
DPPAIR_FN_ double dppair_ramp_at_(int what, double u,
                                  const double *p){DPPAIR_AT_(dppair_ramp)} DPPAIR_API
    void dppair_ramp_range(dppair_range *range, const dppair_margins *m, const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.kinks = 2; /* 0 and 1 */
  marks.kink[1] = 1.0;
  marks.extreme[0] = 0.5;
  dppair_range_scan_(range, m, p, dppair_ramp_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/least_squares.h -------------------------------------------------------------
 * The square of a residual
 * ---------------------------------------------------------------------------------------------- */

#define dppair_least_squares_INFO "u^2", "", "Agarwal and Niyogi 2009 (least-squares ranking)"
#define dppair_least_squares_RANGE                                                                 \
  (dppair_least_squares_range, DPPAIR_IS_CONVEX | DPPAIR_IS_SMOOTH | DPPAIR_IS_QUADRATIC,          \
   dppair_least_squares_value_)
#define dppair_least_squares_KIND dppair_piecewise
#define dppair_least_squares_CURVE dppair_curve
#define dppair_least_squares_PIECES(p)                                                             \
  {                                                                                                \
    { HUGE_VAL, 0, 2, 0 }                                                                          \
  }
#define dppair_least_squares_VALUE(u, p) DPV_MUL(u, u)
#define dppair_least_squares_SLOPE(u, p) DPV_ADD(u, u)
#define dppair_least_squares_CURVATURE(u, p) DPV_SET(2)

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_least_squares_value_(double u, const double *p) {
  (void)p;
  return dppair_least_squares_VALUE(u, p);
}
DPPAIR_FN_ double dppair_least_squares_at_(int what, double u, const double *p){
    DPPAIR_AT_(dppair_least_squares)} DPPAIR_API
    void dppair_least_squares_range(dppair_range *range, const dppair_margins *m, const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  dppair_range_scan_(range, m, p, dppair_least_squares_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/absolute.h ------------------------------------------------------------------
 * The size of a residual
 * ---------------------------------------------------------------------------------------------- */

/* low where u < 0, high where u > 0, 0 at 0 */
#define dppair_signs_(u, low, high)                                                                \
  DPV_SEL(DPV_LT(DPV_SET(0), u), DPV_SET(high),                                                    \
          DPV_SEL(DPV_LT(u, DPV_SET(0)), DPV_SET(low), DPV_SET(0)))

#define dppair_absolute_INFO "|u|", "", "Koenker and Bassett 1978 (median)"
#define dppair_absolute_RANGE (dppair_absolute_range, DPPAIR_IS_CONVEX, dppair_absolute_value_)
#define dppair_absolute_KIND dppair_piecewise
#define dppair_absolute_PIECES(p)                                                                  \
  {                                                                                                \
    {HUGE_VAL, 1, 0, 0}, {0, -1, 0, 1}, { 0, -1, 0, 0 }                                            \
  }
#define dppair_absolute_VALUE(u, p) DPV_ABS(u)
#define dppair_absolute_SLOPE(u, p) dppair_signs_(u, -1, 1)
#define dppair_absolute_CURVATURE(u, p) DPV_SET(0)

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_absolute_value_(double u, const double *p) {
  (void)p;
  return dppair_absolute_VALUE(u, p);
}
DPPAIR_FN_ double dppair_absolute_at_(int what, double u,
                                      const double *p){DPPAIR_AT_(dppair_absolute)} DPPAIR_API
    void dppair_absolute_range(dppair_range *range, const dppair_margins *m, const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.kinks = 1; /* 0 */
  dppair_range_scan_(range, m, p, dppair_absolute_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/pinball.h -------------------------------------------------------------------
 * The pinball
 * ---------------------------------------------------------------------------------------------- */

#define dppair_pinball_INFO "max(tau u, (tau - 1) u)", "tau in (0,1)", "Koenker and Bassett 1978"
#define dppair_pinball_RANGE                                                                       \
  (dppair_pinball_range, DPPAIR_IS_CONVEX | DPPAIR_TAKES_LEVEL, dppair_pinball_value_)
#define dppair_pinball_KIND dppair_piecewise
#define dppair_pinball_PIECES(p)                                                                   \
  {                                                                                                \
    {HUGE_VAL, (double)(p)[0], 0, 0}, {0, -(double)(p)[0], 0, 1}, { 0, (double)(p)[0] - 1, 0, 0 }  \
  }
#define dppair_pinball_VALUE(u, p)                                                                 \
  DPV_MAX(DPV_MUL(DPV_SET((p)[0]), u), DPV_MUL(DPV_SET((p)[0] - 1), u))
#define dppair_pinball_SLOPE(u, p) dppair_signs_(u, (p)[0] - 1, (p)[0])
#define dppair_pinball_CURVATURE(u, p) DPV_SET(0)

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_pinball_value_(double u, const double *p) {
  (void)p;
  return dppair_pinball_VALUE(u, p);
}
DPPAIR_FN_ double dppair_pinball_at_(int what, double u,
                                     const double *p){DPPAIR_AT_(dppair_pinball)} DPPAIR_API
    void dppair_pinball_range(dppair_range *range, const dppair_margins *m, const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.kinks = 1; /* 0 */
  dppair_range_scan_(range, m, p, dppair_pinball_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/huber.h ---------------------------------------------------------------------
 * Huber's loss
 * ---------------------------------------------------------------------------------------------- */

/* u held within [low, high]; NaN stays NaN */
#define dppair_held_(u, low, high) DPV_MIN(DPV_SET(high), DPV_MAX(DPV_SET(low), u))
#define dppair_within_(u, low, high, v)                                                            \
  DPV_SEL(DPV_AND(DPV_LT(DPV_SET(low), u), DPV_LT(u, DPV_SET(high))), DPV_SET(v), DPV_SET(0))

#define dppair_huber_INFO "u^2/2 if |u| <= k, else k |u| - k^2/2", "knee k > 0", "Huber 1964"
#define dppair_huber_RANGE                                                                         \
  (dppair_huber_range, DPPAIR_IS_CONVEX | DPPAIR_IS_SMOOTH | DPPAIR_TAKES_SIZE, dppair_huber_value_)
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
DPPAIR_FN_ double dppair_huber_value_(double u, const double *p) {
  (void)p;
  return dppair_huber_VALUE(u, p);
}
DPPAIR_FN_ double dppair_huber_at_(int what, double u,
                                   const double *p){DPPAIR_AT_(dppair_huber)} DPPAIR_API
    void dppair_huber_range(dppair_range *range, const dppair_margins *m, const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.curvature_jumps = 1;
  dppair_range_scan_(range, m, p, dppair_huber_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/moreau.h --------------------------------------------------------------------
 * Moreau's envelopes of the size of a residual and of the pinball
 *
 * The slope a = u/w held within [-1, 1] or [tau - 1, tau]; the value a (u - a w/2).
 * ---------------------------------------------------------------------------------------------- */

#define dppair_moreau_(u, a, w) DPV_MUL(a, DPV_SUB(u, DPV_MUL(a, DPV_SET((w) / 2))))

#define dppair_moreau_absolute_INFO                                                                \
  "envelope of |u|: u^2/(2w) if |u| <= w, else |u| - w/2", "width w > 0", "Moreau 1965"
#define dppair_moreau_absolute_RANGE                                                               \
  (dppair_moreau_absolute_range, DPPAIR_IS_CONVEX | DPPAIR_IS_SMOOTH | DPPAIR_TAKES_SIZE,          \
   dppair_moreau_absolute_value_)
#define dppair_moreau_absolute_KIND dppair_piecewise
#define dppair_moreau_absolute_CURVE dppair_curve
#define dppair_moreau_absolute_PIECES(p)                                                           \
  {                                                                                                \
    {HUGE_VAL, 1, 0, 0}, {(double)(p)[0], -1, 1 / (double)(p)[0], 0}, {                            \
      -(double)(p)[0], -1, -1 / (double)(p)[0], 0                                                  \
    }                                                                                              \
  }
#define dppair_moreau_absolute_VALUE(u, p)                                                         \
  dppair_moreau_(u, dppair_moreau_absolute_SLOPE(u, p), (p)[0])
#define dppair_moreau_absolute_SLOPE(u, p) dppair_held_(DPV_DIV(u, DPV_SET((p)[0])), -1, 1)
#define dppair_moreau_absolute_CURVATURE(u, p) dppair_within_(u, -(p)[0], (p)[0], 1 / (p)[0])

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_moreau_absolute_value_(double u, const double *p) {
  (void)p;
  return dppair_moreau_absolute_VALUE(u, p);
}
DPPAIR_FN_ double dppair_moreau_absolute_at_(int what, double u, const double *p){
    DPPAIR_AT_(dppair_moreau_absolute)} DPPAIR_API
    void dppair_moreau_absolute_range(dppair_range *range, const dppair_margins *m,
                                      const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.curvature_jumps = 1;
  dppair_range_scan_(range, m, p, dppair_moreau_absolute_at_, &marks);
}
DPPAIR_FP_END_

#define dppair_moreau_pinball_INFO                                                                 \
  "envelope of the pinball: a u - a^2 w/2, a = u/w held within [tau-1, tau]",                      \
      "tau in (0,1), width w > 0", "Moreau 1965"
#define dppair_moreau_pinball_RANGE                                                                \
  (dppair_moreau_pinball_range,                                                                    \
   DPPAIR_IS_CONVEX | DPPAIR_IS_SMOOTH | DPPAIR_TAKES_LEVEL | DPPAIR_TAKES_SIZE,                   \
   dppair_moreau_pinball_value_)
#define dppair_moreau_pinball_KIND dppair_piecewise
#define dppair_moreau_pinball_CURVE dppair_curve
#define dppair_moreau_pinball_PIECES(p)                                                            \
  {                                                                                                \
    {HUGE_VAL, (double)(p)[0], 0, 0},                                                              \
        {(double)(p)[0] * (double)(p)[1], -(double)(p)[0], 1 / (double)(p)[1], 0}, {               \
      ((double)(p)[0] - 1) * (double)(p)[1], (double)(p)[0] - 1, -1 / (double)(p)[1], 0            \
    }                                                                                              \
  }
#define dppair_moreau_pinball_VALUE(u, p)                                                          \
  dppair_moreau_(u, dppair_moreau_pinball_SLOPE(u, p), (p)[1])
#define dppair_moreau_pinball_SLOPE(u, p)                                                          \
  dppair_held_(DPV_DIV(u, DPV_SET((p)[1])), (p)[0] - 1, (p)[0])
#define dppair_moreau_pinball_CURVATURE(u, p)                                                      \
  dppair_within_(u, (p)[1] * ((p)[0] - 1), (p)[1] * (p)[0], 1 / (p)[1])

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_moreau_pinball_value_(double u, const double *p) {
  (void)p;
  return dppair_moreau_pinball_VALUE(u, p);
}
DPPAIR_FN_ double dppair_moreau_pinball_at_(int what, double u, const double *p){
    DPPAIR_AT_(dppair_moreau_pinball)} DPPAIR_API
    void dppair_moreau_pinball_range(dppair_range *range, const dppair_margins *m,
                                     const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.extreme[0] = p[1] * (p[0] - 0.5);
  marks.curvature_jumps = 1;
  dppair_range_scan_(range, m, p, dppair_moreau_pinball_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/welsch.h --------------------------------------------------------------------
 * Welsch's loss
 * ---------------------------------------------------------------------------------------------- */

#define dppair_welsch_INFO                                                                         \
  "h^2 (1 - e^(-u^2/(2h^2)))", "bandwidth h > 0", "Hu et al. 2013 (minimum error entropy)"
#define dppair_welsch_RANGE                                                                        \
  (dppair_welsch_range, DPPAIR_IS_SMOOTH | DPPAIR_TAKES_SIZE, dppair_welsch_value_)
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
DPPAIR_FN_ double dppair_welsch_value_(double u, const double *p) {
  (void)p;
  return dppair_welsch_VALUE(u, p);
}
DPPAIR_FN_ double dppair_welsch_at_(int what, double u,
                                    const double *p){DPPAIR_AT_(dppair_welsch)} DPPAIR_API
    void dppair_welsch_range(dppair_range *range, const dppair_margins *m, const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.extreme[0] = -p[0]; /* phi'' = 0 at +-h, phi''' = 0 at 0 and +-sqrt(3) h */
  marks.extreme[1] = p[0];
  marks.extreme[2] = -1.7320508075688772 * p[0];
  marks.extreme[3] = 1.7320508075688772 * p[0];
  dppair_range_scan_(range, m, p, dppair_welsch_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/contrastive.h ---------------------------------------------------------------
 * Row-wise losses: the softmax over candidates, and two that leave some of them out
 *
 * What their macros mean is in contrast/shared.h. They are no pairwise losses: the table of losses
 * does not hold them.
 * ---------------------------------------------------------------------------------------------- */

/* All candidates count. */
#define dppair_infonce_KIND dppair_rowwise
#define dppair_infonce_EXPONENT(s, own, like, p) (s)
#define dppair_infonce_SLOPE(s, own, like, p) DPV_SET(1)

/* Candidates of the anchor's label that are not its positive are left out. */
#define dppair_npairs_KIND dppair_rowwise
#define dppair_npairs_EXPONENT(s, own, like, p)                                                    \
  DPV_SEL(own, s, DPV_SEL(like, DPV_SET(-HUGE_VAL), s))
#define dppair_npairs_SLOPE(s, own, like, p) DPV_SET(1)

/* Positives are left out of the sum: only the negatives push. */
#define dppair_decoupled_KIND dppair_rowwise
#define dppair_decoupled_EXPONENT(s, own, like, p) DPV_SEL(own, DPV_SET(-HUGE_VAL), s)
#define dppair_decoupled_SLOPE(s, own, like, p) DPV_SET(1)

/* ---- src/losses/triplets.h ------------------------------------------------------------------
 * Losses of triplets: an anchor a, a positive p and a negative n
 *
 * phi(u) at u = s_ap - s_an - margin, s similarities (contrast/triplet.h says of which triplets).
 * A loss of your own has the same words: L_KIND and L_ROWS, L_VALUE and L_SLOPE. L_SORTED
 * dppair_piecewise, with L_PIECES for its slope (pairs/fast_state.h), sorts long rows.
 * ---------------------------------------------------------------------------------------------- */

/* The margin loss: [margin + D_ap - D_an]+ of distances D = -s (Schroff, Kalenichenko and Philbin
 * 2015). At u = 0 the slope is 0. */
#define dppair_triplet_KIND dppair_rowwise
#define dppair_triplet_ROWS dppair_whole_rows
#define dppair_triplet_SORTED dppair_piecewise
#define dppair_triplet_PIECES(p)                                                                   \
  {                                                                                                \
    { 0, -1, 0, 0 }                                                                                \
  }
#define dppair_triplet_VALUE(u, p) DPV_MAX(DPV_SET(0), DPV_NEG(u))
#define dppair_triplet_SLOPE(u, p) DPV_SEL(DPV_LT(u, DPV_SET(0)), DPV_SET(-1), DPV_SET(0))

/* Half of its square: as lifted structure, the loss of Oh Song et al. 2016. */
#define dppair_triplet_squared_KIND dppair_rowwise
#define dppair_triplet_squared_ROWS dppair_whole_rows
#define dppair_triplet_squared_SORTED dppair_piecewise
#define dppair_triplet_squared_PIECES(p)                                                           \
  {                                                                                                \
    { 0, 0, 1, 0 }                                                                                 \
  }
#define dppair_triplet_squared_VALUE(u, p)                                                         \
  DPV_MUL(DPV_SET(0.5), DPV_MUL(DPV_MIN(u, DPV_SET(0)), DPV_MIN(u, DPV_SET(0))))
#define dppair_triplet_squared_SLOPE(u, p) DPV_MIN(u, DPV_SET(0))

/* ln(1 + e^-u): the soft margin (Hermans, Beyer and Leibe 2017); with inner products the Bayesian
 * personalised ranking of Rendle et al. 2009. */
#define dppair_triplet_soft_KIND dppair_rowwise
#define dppair_triplet_soft_ROWS dppair_whole_rows
#define dppair_triplet_soft_SPLIT dppair_split
#define dppair_triplet_soft_FACTOR(s, p) DPV_EXP(s)
#define dppair_triplet_soft_JOIN(e, p) DPV_DIV(DPV_SET(-1), DPV_ADD(DPV_SET(1), e))
#define dppair_triplet_soft_VALUE(u, p) DPV_SOFTPLUS(DPV_NEG(u))
#define dppair_triplet_soft_SLOPE(u, p) DPV_NEG(DPV_SIGMOID(DPV_NEG(u)))

/* ---- src/losses/at_run_time.h ---------------------------------------------------------------
 * Losses chosen at run time: names, facts, values
 *
 * Parameters are doubles here. Results have the scalar tier's bits: one.h.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_LOSS_MAX_PARAMS 2

typedef struct dppair_loss_info {
  const char *name, *formula, *parameters, *source;
  int convex, monotone, differentiable;
  size_t params; /* how many parameters: 0, 1 or 2 */
} dppair_loss_info;

DPPAIR_FP_BEGIN_

/* How many parameters the flags of a loss tell of. */
DPPAIR_FN_ size_t dppair_facts_params_(const dppair_loss_facts *facts) {
  return (facts->flags & DPPAIR_TAKES_LEVEL ? 1u : 0u) +
         (facts->flags & DPPAIR_TAKES_SIZE ? 1u : 0u);
}

/* OK when the parameters that the flags tell of are in range; else DOMAIN, or NULL when they are
 * missing. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_facts_check_(const dppair_loss_facts *facts,
                                                               const double *params) {
  const size_t count = dppair_facts_params_(facts);
  size_t k;
  if (count > 0 && !params) return DPPAIR_ERR_NULL;
  for (k = 0; k < count; k++) {
    const int level = k == 0 && facts->flags & DPPAIR_TAKES_LEVEL;
    if (!dppair_isfinite_f64(params[k])) return DPPAIR_ERR_DOMAIN;
    if (level && !(params[k] > 0.0 && params[k] < 1.0)) return DPPAIR_ERR_DOMAIN;
    if (!level && !(params[k] >= 1e-100 && params[k] <= 1e100)) return DPPAIR_ERR_DOMAIN;
  }
  return DPPAIR_OK;
}

/* The facts of a loss for dppair_constants_find; NULL for a number that is no loss. A program that
 * calls this function holds the code of every shipped loss: where the loss is known, DPPAIR_FACTS
 * or NAME_sensitivity does with its own. */
DPPAIR_API const dppair_loss_facts *dppair_loss_facts_of(dppair_loss loss) {
  static const dppair_loss_facts table[] = {
#define DPPAIR_X_(name) DPPAIR_FACTS(dppair_##name),
      DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  };
  return (unsigned)loss < (unsigned)DPPAIR_LOSS_COUNT ? &table[loss] : NULL;
}

/* What the table says of a loss, or NULL for a number that is no loss. */
DPPAIR_API const dppair_loss_info *dppair_loss_describe(dppair_loss loss) {
#define DPPAIR_X_(name) DPPAIR_LOSS_ROW_(name, dppair_##name##_INFO, dppair_##name##_RANGE),
#define DPPAIR_LOSS_ROW_(name, info, range)                                                        \
  { #name, info, DPPAIR_LOSS_FLAGS_ range }
#define DPPAIR_LOSS_FLAGS_(f, flags, value)                                                        \
  ((flags)&DPPAIR_IS_CONVEX) != 0, ((flags)&DPPAIR_IS_MONOTONE) != 0,                              \
      ((flags)&DPPAIR_IS_SMOOTH) != 0,                                                             \
      (((flags)&DPPAIR_TAKES_LEVEL) != 0) + (((flags)&DPPAIR_TAKES_SIZE) != 0)
  static const dppair_loss_info table[] = {DPPAIR_LOSS_TABLE(DPPAIR_X_)};
#undef DPPAIR_LOSS_FLAGS_
#undef DPPAIR_LOSS_ROW_
#undef DPPAIR_X_
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

/* phi(u), phi'(u) or phi''(u); nothing is checked. */
DPPAIR_FN_ double dppair_loss_at_(dppair_loss loss, int what, double u, const double *p) {
  switch (loss) {
#define DPPAIR_X_(name)                                                                            \
  case DPPAIR_LOSS_##name:                                                                         \
    return what == DPPAIR_VALUE_ ? dppair_##name##_value_(u, p) : dppair_##name##_at_(what, u, p);
    DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  default:
    return 0.0;
  }
}

/* value[i] = phi(u[i]), slope[i] = phi'(u[i]), curvature[i] = phi''(u[i]) for i < n; each output
 * may be NULL. params: those of the loss, in the order of its description: levels in (0, 1),
 * widths, knees and bandwidths in [1e-100, 1e100]. u is not checked: for NaN the value is NaN, and
 * the slope is NaN or within the loss's bound. Errors, with outputs zeroed: NULL, DOMAIN (the loss
 * or its parameters); with outputs left alone: OVERFLOW (n numbers have no size). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_loss_eval(double *value, double *slope,
                                                            double *curvature, const double *u,
                                                            size_t n, dppair_loss loss,
                                                            const double *params) {
  const dppair_loss_facts *facts = dppair_loss_facts_of(loss);
  const dppair_status status = facts ? dppair_facts_check_(facts, params) : DPPAIR_ERR_DOMAIN;
  size_t i;
  if (n > SIZE_MAX / sizeof *u) return DPPAIR_ERR_OVERFLOW;
  if (value && n) memset(value, 0, n * sizeof *value);
  if (slope && n) memset(slope, 0, n * sizeof *slope);
  if (curvature && n) memset(curvature, 0, n * sizeof *curvature);
  if (status != DPPAIR_OK) return status;
  if (!u && n) return DPPAIR_ERR_NULL;
  for (i = 0; i < n; i++) {
    if (value) value[i] = dppair_loss_at_(loss, DPPAIR_VALUE_, u[i], params);
    if (slope) slope[i] = dppair_loss_at_(loss, DPPAIR_SLOPE_, u[i], params);
    if (curvature) curvature[i] = dppair_loss_at_(loss, DPPAIR_CURVATURE_, u[i], params);
  }
  return DPPAIR_OK;
}

DPPAIR_FP_END_

#undef DPPAIR_SUFFIX_
#undef DPV_R

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

/* What of two records a loss is a function of: the rows of DPPAIR_MARGIN_TABLE. */
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

/* ---- src/losses/reach.h ---------------------------------------------------------------------
 * The range of a loss over the margins of a domain
 * ---------------------------------------------------------------------------------------------- */

/* What the constants of a loss are computed from. */
typedef struct dppair_domain_ {
  dppair_loss_facts facts;
  const double *params;
  dppair_bounds bounds;
  double slack; /* how far rounding moves a margin, as a part of the largest; 0: as in double */
  int straight; /* the loss is that parabola, if it is one: no score is capped, no pair clipped */
} dppair_domain_;

DPPAIR_FP_BEGIN_

/*
 * How far a computed margin may lie beyond an end of its interval, as a part of the largest margin.
 * Rows of thousands of float numbers round by less; so do norms and projections that hold up to
 * rounding (a computed positive semidefinite W has eigenvalues just below 0).
 */
DPPAIR_FN_ double dppair_room_(double largest, double slack) {
  const double part = slack > 0.0009765625 ? slack : 0.0009765625; /* 2^-10 */
  return part * largest + 1e-30;                                   /* float results that vanish */
}

enum { DPPAIR_LOW_ = 1, DPPAIR_HIGH_ = 2 }; /* ends of an interval */

/*
 * Widens r by the interval [low, high] (ends may be infinite) of margins of size at most `reach`.
 * The ends are moved outwards by their own rounding. Where the slope or the curvature jumps at an
 * end that is `crossed`, or in the room beyond it, both sides of the jump count.
 */
DPPAIR_OUT_OF_LINE_ void dppair_slopes_add_(dppair_range *r, const dppair_domain_ *x, double low,
                                            double high, double reach, int crossed) {
  const double remote = 1e300;  /* in place of an infinite end: every loss can be evaluated there */
  const double huge = 1e250; /* a supremum beyond this is no bound */
  const double ulps = (4.0 * DBL_EPSILON + x->slack) * reach, room = dppair_room_(reach, x->slack);
  const double moved = x->slack > 0.0 ? ulps : 0.0;
  const double lower = low - (crossed & DPPAIR_LOW_ ? room : moved);
  const double upper = high + (crossed & DPPAIR_HIGH_ ? room : moved);
  dppair_range one = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
  dppair_margins m;
  m.low = low - ulps > -remote ? low - ulps : -remote;
  m.high = high + ulps < remote ? high + ulps : remote;
  m.least = lower > -remote ? lower : -remote;
  m.most = upper < remote ? upper : remote;
  m.value = x->facts.value;
  x->facts.range(&one, &m, x->params);
  dppair_raise_(&r->down, one.down <= huge ? one.down : HUGE_VAL);
  dppair_raise_(&r->up, one.up <= huge ? one.up : HUGE_VAL);
  dppair_raise_(&r->odd, one.odd <= huge ? one.odd : HUGE_VAL);
  dppair_raise_(&r->curvature, one.curvature <= huge ? one.curvature : HUGE_VAL);
  dppair_raise_(&r->value, one.value <= huge ? one.value : HUGE_VAL);
}

DPPAIR_FN_ double dppair_least_(double a, double b) { return a < b ? a : b; }
/* a * b with 0 * infinity = 0: a quantity that is identically zero needs no bound. */
DPPAIR_FN_ double dppair_times_(double a, double b) { return a > 0.0 && b > 0.0 ? a * b : 0.0; }

/*
 * The factor's G and L. With t = |L^T (x - x')|^2 in [0, 4R^2 B^2] a pair's gradient is at most
 * 4R sqrt(t) |phi'(u)| long, u = +-(b - t), and its Lipschitz constant at most
 * 16R^2 t |phi''(u)| + 8R^2 |phi'(u)| (see below): their suprema over t, cell by cell, each with
 * the largest t of its cell.
 */
DPPAIR_OUT_OF_LINE_ void dppair_factor_bounds_(double *gradient, double *curvature,
                                               const dppair_domain_ *x) {
  const dppair_bounds *b = &x->bounds;
  const double r2 = 2.0 * b->radius, root = r2 * b->param_radius, cells = 1024.0;
  const double reach = root * root + dppair_fabs_(b->offset);
  const double room = dppair_room_(reach, x->slack);
  const int smooth = (x->facts.flags & DPPAIR_IS_SMOOTH) != 0;
  double k, before = smooth ? 0.0 : -room;
  *gradient = *curvature = 0.0;
  for (k = smooth ? 1.0 : 0.0; k <= cells; k += 1.0) { /* k = 0: computed beyond t = 0 */
    const double most = k > 0.0 ? root * (k / cells) : dppair_sqrt_(room), t = most * most;
    dppair_range r = {0.0, 0.0, 0.0, 0.0, 0.0};
    const int last = k >= cells;
    double slope, norm, change;
    dppair_slopes_add_(&r, x, b->offset - t, b->offset - before, reach, last ? DPPAIR_LOW_ : 0);
    dppair_slopes_add_(&r, x, before - b->offset, t - b->offset, reach, last ? DPPAIR_HIGH_ : 0);
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
DPPAIR_FN_ double dppair_factor_near_(double *slope, double down, double up,
                                      const dppair_domain_ *x) {
  const dppair_bounds *b = &x->bounds;
  const double r2 = 2.0 * b->radius, root = r2 * b->param_radius;
  const double room = dppair_room_(root * root + dppair_fabs_(b->offset), x->slack);
  dppair_range r = {0.0, 0.0, 0.0, 0.0, 0.0}, opposite = {0.0, 0.0, 0.0, 0.0, 0.0};
  double lowest, highest, more;
  dppair_slopes_add_(&r, x, b->offset - room, b->offset + room, 0.0, 0);
  dppair_slopes_add_(&opposite, x, -b->offset - room, -b->offset + room, 0.0, 0);
  lowest = r.up > opposite.down ? r.up : opposite.down;
  highest = r.down > opposite.up ? r.down : opposite.up;
  *slope = lowest > *slope ? lowest : *slope;
  *slope = highest > *slope ? highest : *slope;
  more = lowest - down > highest - up ? lowest - down : highest - up;
  return dppair_times_(2.0 * more, 2.0 * r2 * dppair_sqrt_(room));
}

DPPAIR_FP_END_

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

DPPAIR_FP_BEGIN_

/* What the margins of a domain reach: of all pairs, or of those of equal labels [0], and of those
 * of opposite labels [1], if they differ. */
typedef struct dppair_reach_ {
  int kinds;              /* 1 or 2 */
  double low[2], high[2]; /* the margins, +-infinity where there is no bound */
  double reach;           /* the largest of their sizes */
  int crossed[2];         /* the ends that computed margins may pass */
  dppair_range phi[2];    /* of the loss over them; zeros for the second of one */
  double norm;            /* V, the largest norm of the margin's gradient in the parameters */
} dppair_reach_;

DPPAIR_OUT_OF_LINE_ dppair_reach_ dppair_reach_of_(dppair_margin margin, const dppair_domain_ *x) {
  const dppair_bounds *b = &x->bounds;
  const double r2 = 2.0 * b->radius; /* the largest |x - x'| */
  const int factor = margin == DPPAIR_MARGIN_factor;
  dppair_reach_ m;
  double remote, least;
  int k;
  memset(&m, 0, sizeof m);
  m.kinds = 1;
  m.crossed[0] = m.crossed[1] = DPPAIR_LOW_ | DPPAIR_HIGH_;
  m.norm = r2;
  remote = r2 * b->param_radius;
  switch (margin) {
  case DPPAIR_MARGIN_ind:
  case DPPAIR_MARGIN_ind_levels:
  case DPPAIR_MARGIN_sign:
  case DPPAIR_MARGIN_sign_levels:
    break;
  case DPPAIR_MARGIN_diff:
    m.norm = 2.0 * b->label_bound * r2;
    remote = m.norm * b->param_radius;
    break;
  case DPPAIR_MARGIN_residual:
    remote = 2.0 * b->label_bound + r2 * b->param_radius;
    break;
  case DPPAIR_MARGIN_metric_psd:
  case DPPAIR_MARGIN_metric:
  case DPPAIR_MARGIN_factor:
    m.kinds = 2;
    m.norm = r2 * r2;
    remote = m.norm * b->param_radius; /* the largest M */
    if (factor) {
      m.norm = 2.0 * m.norm * b->param_radius;
      remote *= b->param_radius;
      m.crossed[0] = DPPAIR_LOW_;
      m.crossed[1] = DPPAIR_HIGH_;
    }
    least = margin == DPPAIR_MARGIN_metric ? remote : 0.0; /* the smallest M is minus this */
    m.low[0] = b->offset - remote;
    m.high[0] = b->offset + least;
    m.low[1] = -b->offset - least;
    m.high[1] = -b->offset + remote;
    break;
  default: /* similarity */
    m.kinds = 2;
    m.norm = b->radius * b->radius;
    remote = m.norm * b->param_radius;
    m.low[0] = -b->offset - remote;
    m.high[0] = -b->offset + remote;
    m.low[1] = b->offset - remote;
    m.high[1] = b->offset + remote;
    break;
  }
  if (m.kinds == 1) {
    m.low[0] = -remote;
    m.high[0] = remote;
  }
  m.reach = m.kinds == 1 ? remote : remote + dppair_fabs_(b->offset);
  for (k = 0; k < m.kinds; k++)
    dppair_slopes_add_(&m.phi[k], x, m.low[k], m.high[k], m.reach, m.crossed[k]);
  return m;
}

/* |phi'(0)| and phi'' of a parabola; zeros of any other loss, and where a parabola is cut. */
DPPAIR_FN_ dppair_range dppair_parabola_(const dppair_domain_ *x) {
  const dppair_margins zero = {0.0, 0.0, 0.0, 0.0, NULL};
  dppair_range r = {0.0, 0.0, 0.0, 0.0, 0.0};
  if (!(x->facts.flags & DPPAIR_IS_QUADRATIC) || !x->straight) return r;
  x->facts.range(&r, &zero, x->params);
  return r;
}

/*
 * The mean of a pair's two gradients: *mean bounds its norm and *spread how far it moves with one
 * of the two records. In: the reach of the margin; `largest`, the norm of one gradient; `sum`, the
 * length of the range of the coefficients; `near`, what the factor's pairs near t = 0 add.
 */
DPPAIR_FN_ void dppair_mean_of_orders_(double *mean, double *spread, dppair_margin margin,
                                       const dppair_domain_ *x, const dppair_reach_ *m,
                                       double largest, double sum, double nearby) {
  const int levels = margin == DPPAIR_MARGIN_ind_levels || margin == DPPAIR_MARGIN_sign_levels;
  const int residual = margin == DPPAIR_MARGIN_residual;
  const int similarity = margin == DPPAIR_MARGIN_similarity;
  const double clip = x->bounds.clip > 0.0 ? x->bounds.clip : HUGE_VAL;
  const dppair_range at_zero = dppair_parabola_(x);
  const double slope = at_zero.down > at_zero.up ? at_zero.down : at_zero.up;
  const double curvature = at_zero.curvature, odd = m->phi[0].odd;
  *mean = residual && dppair_isfinite_f64(odd) ? dppair_times_(odd, m->norm) : largest;
  *spread = dppair_times_(sum, m->norm) + nearby;
  if (levels || residual || similarity) *spread = 2.0 * *mean;
  if (curvature > 0.0 && margin < DPPAIR_MARGIN_residual)
    *spread = *mean + (levels ? dppair_times_(slope, m->norm) : 0.0);
  if (curvature > 0.0 && residual && !(slope > 0.0 && clip < largest)) *spread = *mean;
  if (curvature > 0.0 && similarity)
    *spread = *mean + dppair_times_(curvature * dppair_fabs_(x->bounds.offset) + slope, m->norm);
  /* nothing but rounding errors is left of a residual's two orders */
  if (residual && dppair_isfinite_f64(largest) && *mean <= 64.0 * DBL_EPSILON * largest)
    *mean = 0.0;
  *mean = dppair_least_(*mean, clip);
  *spread = dppair_least_(*spread, 2.0 * *mean);
}

/* The constants at arguments in range, before they are rounded up. */
DPPAIR_OUT_OF_LINE_ void dppair_constants_fill_(dppair_constants *out, dppair_margin margin,
                                                const dppair_domain_ *x) {
  const int factor = margin == DPPAIR_MARGIN_factor;
  /* of 'ind' one order of a pair is 0, which halves the mean of the two */
  const int is_ind = margin == DPPAIR_MARGIN_ind || margin == DPPAIR_MARGIN_ind_levels;
  const double share = is_ind ? 0.5 : 1.0, clip = x->bounds.clip > 0.0 ? x->bounds.clip : HUGE_VAL;
  const dppair_reach_ m = dppair_reach_of_(margin, x);
  double down, up, largest, change, mean, spread, norm = HUGE_VAL, nearby = 0.0;
  /* coefficients of pairs of equal labels are -phi', those of opposite labels +phi' */
  down = m.phi[0].up > m.phi[1].down ? m.phi[0].up : m.phi[1].down;
  up = m.phi[0].down > m.phi[1].up ? m.phi[0].down : m.phi[1].up;
  out->slope = down > up ? down : up;
  if (factor && !(x->facts.flags & DPPAIR_IS_SMOOTH))
    nearby = dppair_factor_near_(&out->slope, down, up, x);
  largest = dppair_times_(out->slope, m.norm);
  change = m.phi[0].curvature > m.phi[1].curvature ? m.phi[0].curvature : m.phi[1].curvature;
  change = dppair_times_(dppair_times_(change, m.norm), m.norm);
  if (factor) dppair_factor_bounds_(&norm, &change, x);
  largest = dppair_least_(largest, norm);
  out->lipschitz = dppair_least_(largest, clip);
  out->smoothness = change;
  out->bound = m.phi[0].value > m.phi[1].value ? m.phi[0].value : m.phi[1].value;
  out->convex =
      x->facts.flags & DPPAIR_IS_CONVEX && !factor && dppair_isfinite_f64(x->bounds.radius);
  if (clip < largest && !out->convex) out->smoothness = HUGE_VAL;
  dppair_mean_of_orders_(&mean, &spread, margin, x, &m, largest, down + up, nearby);
  out->move = share * spread;
  out->replace_one = 2.0 * out->move;
  out->zero_out = 2.0 * (share * mean);
}

/* Whether x is a size: HUGE_VAL, or a number that is large enough for products of four sizes to be
 * normal numbers; not NaN, negative or 0. */
DPPAIR_FN_ int dppair_size_or_infinite_(double x) {
  return x >= 1e-60 && (x <= 1e100 || !dppair_isfinite_f64(x));
}

/* The arguments of dppair_constants_find that are not written: NULL, DOMAIN. */
DPPAIR_FN_ dppair_status dppair_domain_check_(dppair_margin margin, const dppair_loss_facts *facts,
                                              const double *params, const dppair_bounds *b) {
  dppair_status status;
  if (!facts || !facts->range || !b) return DPPAIR_ERR_NULL;
  status = dppair_facts_check_(facts, params);
  if (status != DPPAIR_OK) return status;
  if ((unsigned)margin >= (unsigned)DPPAIR_MARGIN_COUNT) return DPPAIR_ERR_DOMAIN;
  if (!dppair_size_or_infinite_(b->radius)) return DPPAIR_ERR_DOMAIN;
  if (!dppair_size_or_infinite_(b->param_radius)) return DPPAIR_ERR_DOMAIN;
  if ((margin == DPPAIR_MARGIN_diff || margin == DPPAIR_MARGIN_residual) &&
      !dppair_size_or_infinite_(b->label_bound))
    return DPPAIR_ERR_DOMAIN;
  if (!(dppair_fabs_(b->offset) <= 1e100)) return DPPAIR_ERR_DOMAIN;
  return b->clip == 0.0 || (b->clip >= 1e-60 && b->clip <= 1e100) ? DPPAIR_OK : DPPAIR_ERR_DOMAIN;
}

/*
 * *out = the constants of a loss with a margin on the public domain *bounds. Each is an upper
 * bound, rounded up, and holds for margins as computed, in float too: where phi' or phi'' jumps at
 * an end of the interval of margins, or beyond it by up to 2^-10 of the largest margin, both sides
 * count.
 *
 * Over the n(n-1) ordered pairs a mean gradient moves by replace_one/n, or zero_out/n, but for
 * rounding. NAME_sensitivity adds that, and knows batches.
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
 * facts: dppair_loss_facts_of of a loss chosen at run time, or what DPPAIR_FACTS fills in for one
 * that is known.
 *
 * Errors (out zeroed): NULL (also facts of no loss); ENVIRONMENT; DOMAIN for parameters of the loss
 * or bounds out of range (radius, param_radius in [1e-60, 1e100] or HUGE_VAL, label_bound likewise
 * where it is used, clip likewise or 0, |offset| <= 1e100); NO_PROOF when the gradient has no
 * finite bound: an unbounded slope without projection, any scorer (radius HUGE_VAL) without a clip,
 * or a mean of two orders that is constant, so that only rounding errors would be released (the
 * sigmoid of a residual; a ramp whose margins never come near [0, 1]). (Xue et al. 2021 and Kang et
 * al. 2021 print smaller G and L for logistic ranking and metric learning, by factors of 2 and 4
 * and of 4.8 and 19; the tests reach the values given here.)
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_constants_find(dppair_constants *out,
                                                                 dppair_margin margin,
                                                                 const dppair_loss_facts *facts,
                                                                 const double *params,
                                                                 const dppair_bounds *bounds) {
  const double up = 1.0 + 32.0 * DBL_EPSILON;
  dppair_status status;
  dppair_domain_ x;
  dppair_constants global;
  if (!out) return DPPAIR_ERR_NULL;
  memset(out, 0, sizeof *out);
  status = dppair_domain_check_(margin, facts, params, bounds);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  x.facts = *facts;
  x.params = params;
  x.bounds = *bounds;
  x.slack = 0.0;
  x.straight = 1;
  dppair_constants_fill_(out, margin, &x);
  if (!dppair_isfinite_f64(out->lipschitz) || !dppair_isfinite_f64(out->replace_one) ||
      !(out->replace_one >= DBL_MIN)) {
    memset(out, 0, sizeof *out);
    return DPPAIR_ERR_NO_PROOF;
  }
  x.bounds.param_radius = HUGE_VAL;
  memset(&global, 0, sizeof global);
  dppair_constants_fill_(&global, margin, &x);
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
 * convex; ENVIRONMENT. Outputs zeroed on error.
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
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
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

/* ---- src/losses/moves.h ---------------------------------------------------------------------
 * How far one record moves the sum of its pairs, as it is computed
 *
 * What NAME_sensitivity and NAME_form_sensitivity share. Their gradients sum each unordered pair
 * once: of 'ind' the order that has a gradient, of a form both, which are equal. Relies on
 * constants.h, and on sampling.h.
 * ---------------------------------------------------------------------------------------------- */

/* Of the gradient of one unordered pair. */
typedef struct dppair_moves_ {
  double slope;     /* sup |phi'|; HUGE_VAL: only the clip bounds the gradient */
  double norm;      /* sup of its norm */
  double replaced;  /* how far it moves with one of its records */
  double zeroed;    /* how far when one of its records becomes null */
  double crowd;     /* see the Poisson row of dppair_moves_sampled_ */
  dppair_reach_ at; /* the margins that are reached */
} dppair_moves_;

/* The groups of a pass, and what is public of them. */
typedef struct dppair_grouped_ {
  int across;         /* persons; else queries */
  size_t count, rows; /* of this draw */
  double least; /* the smallest number of records, of at least 2, in a group; 0: there is none */
  double most;  /* a bound of the rows of any data set */
  size_t all;   /* the most groups of any draw */
} dppair_grouped_;

DPPAIR_FP_BEGIN_

/* The range of a loss that has no L_RANGE: unbounded, as it is before the call. */
DPPAIR_FN_ void dppair_no_range_(dppair_range *range, const dppair_margins *m, const double *p) {
  (void)range;
  (void)m;
  (void)p;
}

/*
 * *m for the margin ind or one of a form. bounds as for dppair_constants_find, but radius 0 means
 * that none is known, param_radius may be 0, and the clip is an argument. cap: scores count as at
 * most this; HUGE_VAL for none. slack: by how much rounding moves a margin at most, as a part of
 * the largest one. shift: by how much a grid of scores moves it at most.
 *
 * Proof. A computed slope is a function of the two records of its pair alone, and lies in the range
 * of phi' over the margins as computed, which is what `slack` is for. All proofs of constants.h use
 * no more than that, but for those of parabolas, which use the margin too: then a pair's gradient
 * is off by at most phi'' (slack reach + shift) V, for each of two neighbours. Margins that a shift
 * moves are those of a |w| that is larger by shift/(2 radius). A parabola whose scores are
 * capped or whose gradients are clipped (by computed lengths) is none, and counts as any other
 * loss.
 */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_moves_find_(dppair_moves_ *m, dppair_margin margin,
                                                     const dppair_loss_facts *facts,
                                                     const double *params,
                                                     const dppair_bounds *bounds, double clip,
                                                     double cap, double slack, double shift) {
  dppair_domain_ x;
  dppair_constants k;
  dppair_status status;
  double capped;
  memset(m, 0, sizeof *m);
  memset(&k, 0, sizeof k);
  if (!facts || !bounds) return DPPAIR_ERR_NULL;
  if (!(slack <= 0.25)) return DPPAIR_ERR_SIZE;
  if (!(bounds->clip == 0.0 && clip >= 0.0 && cap > 0.0 && bounds->param_radius >= 0.0))
    return DPPAIR_ERR_DOMAIN;
  if (bounds->radius == 0.0) return DPPAIR_ERR_NO_PROOF;
  x.facts = *facts;
  x.params = params;
  x.bounds = *bounds;
  x.bounds.clip = clip;
  x.bounds.label_bound = 1.0;
  if (margin == DPPAIR_MARGIN_ind) x.bounds.offset = 0.0;
  x.bounds.param_radius += shift / (2.0 * bounds->radius) * (1.0 + 4.0 * DBL_EPSILON);
  if (x.bounds.param_radius < 1e-60) x.bounds.param_radius = 1e-60; /* larger is safe */
  if (x.bounds.param_radius > 1e100) x.bounds.param_radius = HUGE_VAL;
  status = dppair_domain_check_(margin, facts, params, &x.bounds);
  if (status != DPPAIR_OK) return status;
  x.slack = slack;
  x.straight = !(clip > 0.0);
  capped = cap / x.bounds.radius * (1.0 + 8.0 * DBL_EPSILON);
  if (capped <= x.bounds.param_radius * (1.0 + 2.0 * slack)) { /* scores may reach the cap */
    x.straight = 0;
    if (capped < x.bounds.param_radius) x.bounds.param_radius = capped > 1e-60 ? capped : 1e-60;
  }
  dppair_constants_fill_(&k, margin, &x);
  if (!dppair_isfinite_f64(k.lipschitz) || !dppair_isfinite_f64(k.replace_one))
    return DPPAIR_ERR_NO_PROOF;
  m->at = dppair_reach_of_(margin, &x);
  m->slope = k.slope;
  m->norm = k.lipschitz;
  m->replaced = margin == DPPAIR_MARGIN_ind ? k.replace_one : k.move;
  m->zeroed = margin == DPPAIR_MARGIN_ind ? k.zero_out : 0.5 * k.zero_out;
  m->crowd = margin == DPPAIR_MARGIN_ind ? 1.0 : 1.5;
  m->replaced +=
      2.0 * dppair_times_(dppair_parabola_(&x).curvature * slack, m->at.reach * m->at.norm);
  m->replaced += 2.0 * dppair_times_(dppair_parabola_(&x).curvature * shift, m->at.norm);
  if (m->replaced > 2.0 * m->norm) m->replaced = 2.0 * m->norm;
  if (m->replaced < m->zeroed) m->replaced = m->zeroed; /* a null pair has gradient 0 */
  return m->replaced >= DBL_MIN ? DPPAIR_OK : DPPAIR_ERR_NO_PROOF;
}

/* 16 margins of what is reached, in u: eight of either kind, or 16 of the only one; ends of an
 * interval are within +-`far`. They are densest in the middle, and hold both ends. */
DPPAIR_FN_ void dppair_spot_margins_(double *u, const dppair_moves_ *m, double remote) {
  const int each = 16 / m->at.kinds;
  int k, i;
  for (k = 0; k < m->at.kinds; k++)
    for (i = 0; i < each; i++) {
      const double low = dppair_between_(m->at.low[k], -remote, remote);
      const double high = dppair_between_(m->at.high[k], -remote, remote);
      const double t = (2.0 * i - (each - 1)) / (each - 1), mid = 0.5 * (low + high);
      u[k * each + i] = dppair_between_(mid + 0.5 * (high - low) * t * t * t, low, high);
    }
}

/* Whether computed slopes at these margins are what the range says, but for rounding in a type with
 * this epsilon. A spot check of L_RANGE: it proves nothing. */
DPPAIR_FN_ int dppair_spot_holds_(const double *slope, const dppair_moves_ *m, double epsilon) {
  const int each = 16 / m->at.kinds;
  int k, holds = 1;
  for (k = 0; k < 16; k++) {
    const dppair_range *r = &m->at.phi[k / each];
    const double room = 16.0 * epsilon * (r->down > r->up ? r->down : r->up) + 1e-30;
    holds &= slope[k] <= r->up + room && -slope[k] <= r->down + room;
  }
  return holds;
}

/*
 * *sensitivity = how far one record moves the computed sum of a sampling's pairs, divided by its
 * divisor. factor and rounding: what arithmetic adds to a move of the sum over `count` records, the
 * most that the sampling reads.
 *
 *   ALL                        `replaced` or `zeroed`, over n
 *   WITHOUT, WITH_REPLACEMENT  replaced/m
 *   MATCHING                   2 replaced/m
 *   POISSON, ALLOCATION        crowd norm/m, m being expected
 *   WITHOUT, of a person with more records   as above, or 2 norm far/m where all pairs count: for
 *                              the law of mechanisms/persons.h (dppair_sampling_far_)
 *
 * Proof. A record has k - 1 partners among k records, and the divisor is k (k - 1). A matched one
 * has one partner, and the divisor is m/2. With replacement one slot is replaced: the record of any
 * other slot, the same one too, is a partner like any other. Poisson: a record joins b others; let
 * f be the sum of its b pairs and S that of the others. The move is [f/b - S/(b (b - 1))]/m. Two
 * classes of which only pairs across count: p of the b are of the other class, so |f| <= p norm,
 * |S| <= p (b - p) norm, and the move is at most norm p (2b - 1 - p)/(b (b - 1))/m <= norm/m, p
 * being an integer of at most b. Any labels: |f| <= b norm, |S| <= b (b - 1) norm/2, hence 3/2.
 * Weights and persons: a record of weight w is the record with probability w, else null; a person
 * is one of his records, with their weights as probabilities, else null. A pair is then a mean over
 * independent choices, and every figure above the largest of a convex function of each choice: that
 * of one record a person, or of a null one, whose pairs are 0.
 * Records of a person, two classes: j drawn ones move the sum by at most `replaced` T(m, j). Let P
 * and P' of them be positive before and after, P >= P': a partner's pairs move by `replaced` times
 * max(P, P') or max(j-P, j-P'), those inside by norm (P (j-P) + P' (j-P')), norm <= replaced.
 * |B| is random and private, and half of `rounding` belongs to either neighbour. A bound for k
 * records grows at least like k^2, so that over k - 1 it is largest at k = n.
 *
 * The quotient is rounded, as are the divisor and its inverse: 3 units each of two results.
 */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_moves_sampled_(double *sensitivity, const dppair_moves_ *m,
                                                        const dppair_sampling *s, double factor,
                                                        double rounding) {
  const double k = dppair_sampling_expected_(s), most = (double)s->n;
  const int matching = s->kind == DPPAIR_MATCHING;
  const int poisson = dppair_sampling_is_random_(s->kind);
  double moved = dppair_sampling_move_(s) == DPPAIR_REPLACE_ONE ? m->replaced : m->zeroed;
  double move = moved / k, size = m->norm, divisor;
  dppair_status status = dppair_normaliser(&divisor, s, s->n);
  if (status != DPPAIR_OK) return status;
  if (matching) move = 2.0 * moved / k;
  if (s->owned > 0) {
    moved = m->crowd > 1.0 ? 2.0 * m->norm * dppair_sampling_far_(s)
                           : (m->replaced > m->norm ? m->replaced : m->norm);
    move = moved / k;
  }
  if (poisson) move = m->crowd * m->norm / k;
  if (poisson) size *= most / k; /* at most n (n - 1)/2 pairs over m (n - 1) */
  move = move * factor + rounding / divisor + 6.0 * DBL_EPSILON * size;
  move *= 1.0 + 64.0 * DBL_EPSILON;
  if (!dppair_isfinite_f64(move)) return DPPAIR_ERR_OVERFLOW;
  if (!(move >= DBL_MIN)) return DPPAIR_ERR_NO_PROOF;
  *sensitivity = move;
  return DPPAIR_OK;
}

/*
 * The same for the mean over queries of (pair sum)/(m (m - 1)), m being the records of a query; it
 * is 0 for fewer than 2. With m >= 2 it is at most norm/2: of two classes m^2/4 pairs at most, of
 * all m (m - 1)/2. u: the queries.
 *
 *   a record    replaced or zeroed, over the m of the smallest query, over their number. It has
 *               m - 1 partners and stays in its query; the sizes are public
 *   a query     norm, or norm/2, over their number, or over the m or the expected m of a sampling
 *
 * Proof. At most one query's mean moves, by its own pairs; a query that is replaced,
 * whatever its sizes, moves from one vector of at most norm/2 to another.
 */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_moves_within_(double *sensitivity, const dppair_moves_ *m,
                                                       const dppair_sampling *s,
                                                       const dppair_grouped_ *u, double factor,
                                                       double rounding) {
  const int replace = dppair_sampling_move_(s) == DPPAIR_REPLACE_ONE;
  const int record = dppair_adjacency_unit_(s->adjacency) == DPPAIR_OF_RECORDS_;
  const double k = record ? (double)u->count : dppair_sampling_expected_(s);
  double move = replace ? m->norm : 0.5 * m->norm, most = m->norm * (double)u->all / k;
  if (record) move = (replace ? m->replaced : m->zeroed) / u->least;
  move = (move * factor + rounding) / k + 6.0 * DBL_EPSILON * most;
  move *= 1.0 + 64.0 * DBL_EPSILON;
  if (!dppair_isfinite_f64(move)) return DPPAIR_ERR_OVERFLOW;
  if (!(move >= DBL_MIN)) return DPPAIR_ERR_NO_PROOF;
  *sensitivity = move;
  return DPPAIR_OK;
}

/* Do the groups fit the sampling? Persons are protected where pairs count across them; a record or
 * a query where they count within. A person who has records in many queries, records that are drawn
 * from persons, and records that are drawn from queries have no row. */
DPPAIR_FN_ dppair_status dppair_grouped_fit_(const dppair_grouped_ *u, const dppair_sampling *s) {
  const int unit = dppair_adjacency_unit_(s->adjacency), all = s->kind == DPPAIR_ALL;
  const size_t k = s->m > 0 ? s->m : s->n;
  if (u->across != (unit == DPPAIR_OF_PERSONS_))
    return u->across ? DPPAIR_ERR_ADJACENCY : DPPAIR_ERR_NO_PROOF;
  if (s->kind == DPPAIR_MATCHING || s->owned > 0) return DPPAIR_ERR_NO_PROOF;
  if (unit == DPPAIR_OF_RECORDS_) {
    if (!all || !(u->least >= 2.0)) return DPPAIR_ERR_NO_PROOF;
    return u->rows == s->n ? DPPAIR_OK : DPPAIR_ERR_SIZE;
  }
  if (dppair_sampling_is_random_(s->kind)) return u->count <= s->n ? DPPAIR_OK : DPPAIR_ERR_SIZE;
  return u->count == k ? DPPAIR_OK : DPPAIR_ERR_SIZE;
}

/* The most records, persons or queries that a step of this sampling reads; 0 and a status where
 * there is no such sampling, not even one pair, or groups (u, or NULL) that do not fit it. */
DPPAIR_FN_ dppair_status dppair_moves_count_(size_t *count, const dppair_sampling *s,
                                             dppair_grouped_ *u) {
  double divisor;
  dppair_status status = dppair_normaliser(&divisor, s, s ? s->n : 0);
  *count = 0;
  if (status == DPPAIR_OK)
    status = u              ? dppair_grouped_fit_(u, s)
             : s->owned > 0 ? dppair_sampling_owned_(s)
                            : dppair_adjacency_records_(s->adjacency);
  if (status != DPPAIR_OK) return status;
  if (s->kind == DPPAIR_MATCHING && dppair_sampling_group_(s) != 2) return DPPAIR_ERR_NO_PROOF;
  if (s->kind == DPPAIR_WITH_REPLACEMENT && s->group > 0) return DPPAIR_ERR_UNREAD;
  if (s->n < 2 || (s->m == 1 && s->kind != DPPAIR_POISSON)) return DPPAIR_ERR_SIZE;
  *count = s->m == 0 || dppair_sampling_is_random_(s->kind) ? s->n : s->m;
  if (u) u->all = dppair_adjacency_unit_(s->adjacency) == DPPAIR_OF_RECORDS_ ? u->count : *count;
  return DPPAIR_OK;
}

DPPAIR_FP_END_

#define DPPAIR_HAVE_LOSSES_ /* instances have a sensitivity from here on */

/* ---- src/core/freestanding_end.h ------------------------------------------------------------
 * Without a C library: a host's names are its own again
 * ---------------------------------------------------------------------------------------------- */
#ifdef DPPAIR_FREESTANDING
#pragma pop_macro("INFINITY")
#pragma pop_macro("HUGE_VAL")
#pragma pop_macro("strlen")
#pragma pop_macro("strcmp")
#pragma pop_macro("memset")
#pragma pop_macro("memmove")
#pragma pop_macro("memcpy")
#pragma pop_macro("memcmp")
#endif

#endif /* DPPAIR_LOSSES_H */
#endif /* DPPAIR_DECLARE_ONLY */
