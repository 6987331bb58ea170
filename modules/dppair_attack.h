/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_attack.h - what an account means: the best attack on it (version 0.1.0)
 *
 * Epsilon and delta tell few people what was promised. This module says what an attacker who knows
 * all records but one can do with everything that an account paid for: his best ROC curve, how often
 * he is right, what he believes after a look, and the Gaussian mechanism that the account is as good
 * as. Every figure has both ends, proved.
 *
 *     #include "dppair_attack.h"               includes dppair_accountant.h
 *
 *     if (dppair_composer_workspace(&bytes, &a) != DPPAIR_OK) return 1;
 *     if (dppair_composer_init(&composer, malloc(bytes), bytes) != DPPAIR_OK) return 1;
 *     if (dppair_attack_accuracy(&right, &a, 0.5, &composer) != DPPAIR_OK) return 1;
 *     printf("at most %.4f of his guesses are right\n", right.upper);
 *
 * FUNCTIONS
 *   dppair_attack_curve      the best rate of true positives at some rates of false positives
 *   dppair_attack_accuracy   how often the best guess of which data set it was is right
 *   dppair_attack_bayes      the factor between his odds before and after, and the posterior
 *   dppair_attack_fit        the smallest mu of a Gaussian mechanism that covers the account
 *
 * Errors. Those of dppair_accountant_epsilon; outputs are zeroed first.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     50  core/freestanding.h                Without a C library: names for the time of one include
 *     98  core/quick.h                       What is compiled soon rather than fast: it begins
 *    122  modules/attack/curve.h             What an account means: the best attack
 *           dppair_attack_curve dppair_attack_accuracy dppair_attack_bayes
 *    543  modules/attack/gaussian.h          What an account means
 *           dppair_attack_fit
 *    697  core/quick_end.h                   What is compiled soon rather than fast: it ends
 *    706  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_DECLARE_ATTACK_
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#else
#ifndef DPPAIR_ATTACK_H
#define DPPAIR_ATTACK_H

#include "dppair_accountant.h"

/* ---- src/core/freestanding.h ----------------------------------------------------------------
 * Without a C library: names for the time of one include
 *
 * With DPPAIR_FREESTANDING the headers include nothing but what a compiler brings: stddef.h,
 * stdint.h, float.h and intrinsics. The names of string.h and math.h that the chapters use then
 * mean the compiler's own operations, from here to freestanding_end.h; after that they are the
 * host's again. memory.h has what is left of them as calls (DPPAIR_HOST_MEMORY: the host does).
 * Functions of a libm that math.h still names are symbols where they are called. The tier is what
 * the compiler may use, keys come from DPPAIR_ENTROPY or the caller, and fork is not noticed.
 *
 * Every header and module begins with this chapter, so here it meets a core of another version.
 * ---------------------------------------------------------------------------------------------- */
#if defined(DPPAIR_CORE_TEXT_) && DPPAIR_CORE_TEXT_ != 367421840u
#error "Two versions of dppair in one file: take all of its headers from one version."
#include "dppair stops here: one sentence says more than the thousands of errors after it"
#endif
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
/* ---- src/core/quick.h -----------------------------------------------------------------------
 * What is compiled soon rather than fast: it begins
 *
 * Checks, plans, facts and answers run once for each release or question, and are most of the text.
 * gcc spends on them what loops over records deserve: so until core/quick_end.h it compiles for
 * debugging, in half the time. No bit depends on it. Off without optimisation, where sizes are
 * wanted (-Os, DPPAIR_SMALL), under sanitizers and with DPPAIR_NO_QUICK; clang has no such level.
 *
 * A function of such a region is inlined nowhere else, so helpers of loops stand outside, as do
 * what wipes secrets and what makes noise. With DPPAIR_QUICK_SMALL_ 1 the region is compiled for size:
 * as soon for loops over vectors that hardly anybody runs, and half as long.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#if DPPAIR_QUICK_SMALL_
#define DPPAIR_LEVEL_ "Os"
#else
#define DPPAIR_LEVEL_ "Og"
#endif
_Pragma("GCC push_options") DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_))
#endif
DPPAIR_LIBM_BEGIN_

/* ---- src/modules/attack/curve.h -------------------------------------------------------------
 * What an account means: the best attack
 *
 * An attacker knows both of two neighbouring data sets, sees all that was released, and says which
 * of the two it came from. Let f be his rate of false positives (he says "the first" and it was the
 * second) and T(f) the best rate of true positives at it, over all tests, neighbours and both of
 * their orders (Wasserman and Zhou 2010; Kairouz, Oh and Viswanath 2015; Dong, Roth and Su 2022).
 * (epsilon, delta)-privacy, both ways, is
 *     T(f) <= e^epsilon f + delta,   1 - f <= e^epsilon (1 - T(f)) + delta,
 * lines of slope s = e^epsilon and 1/s under which T lies: T(f) <= min over s of s f + D(s),
 * D(s) = delta(log s) for s >= 1 and 1 - s + s delta(-log s) below. Any epsilons give an upper
 * bound, so that the search for the best can only lose tightness.
 *
 * From below. For the data sets that attain an account, in one order, T(f) = min over all s > 0 of
 * s f + D(s), with that order's delta for s >= 1 and the other order's below. D falls, is convex,
 * D(0) = 1 and D' >= -1. So beyond two points of D, whose bounds are known, D lies above the line
 * through them, and the minimum of s f + D(s) between neighbouring points is at least that over the
 * two lines that enclose D there. The place of that minimum is where the next epsilon is tried.
 * Relies on certify.h.
 * ---------------------------------------------------------------------------------------------- */

enum { DPPAIR_ATTACK_NODES_ = 96, DPPAIR_ATTACK_SLOPES_ = 2 * DPPAIR_ATTACK_NODES_ };

/* No larger epsilon is of use for f >= DBL_MIN, and e^epsilon is finite. */
#define DPPAIR_ATTACK_FAR_ 700.0

/* Points of the account's curve, by epsilon; the first is at 0. */
typedef struct dppair_attack_ {
  const dppair_accountant *a;
  const dppair_composer *composer;
  int orders; /* 2: the orders of the neighbours have laws of their own */
  int half;   /* 1: the data sets that attain the curve do so for s >= 1 alone */
  size_t count;
  double latest; /* delta's bound at the point that was added last */
  double epsilon[DPPAIR_ATTACK_NODES_], upper[DPPAIR_ATTACK_NODES_];
  double above[2][DPPAIR_ATTACK_NODES_], below[2][DPPAIR_ATTACK_NODES_]; /* of each order */
  dppair_route route[DPPAIR_ATTACK_NODES_];
} dppair_attack_;

/* Adds the point at epsilon; the nodes are not full. */
DPPAIR_FN_ dppair_status dppair_attack_add_(dppair_attack_ *k, double epsilon) {
  dppair_interval delta[2];
  size_t i, at;
  int d;
  for (d = 0; d < k->orders; d++) {
    const dppair_status status = dppair_accountant_ask_(
        &delta[d], k->a, 1, epsilon, DPPAIR_ROUTE_BEST, k->composer, k->orders > 1 ? d + 1 : 0);
    if (status != DPPAIR_OK) return status;
  }
  if (k->orders == 1) delta[1] = delta[0];
  for (at = k->count; at > 0 && k->epsilon[at - 1] > epsilon; at--) {
  }
  for (i = k->count++; i > at; i--) {
    k->epsilon[i] = k->epsilon[i - 1];
    k->upper[i] = k->upper[i - 1];
    for (d = 0; d < 2; d++) {
      k->above[d][i] = k->above[d][i - 1];
      k->below[d][i] = k->below[d][i - 1];
    }
    k->route[i] = k->route[i - 1];
  }
  d = delta[1].upper > delta[0].upper;
  k->epsilon[at] = epsilon;
  k->latest = k->upper[at] = delta[d].upper < 1.0 ? delta[d].upper : 1.0;
  k->route[at] = delta[d].route;
  for (d = 0; d < 2; d++) {
    k->above[d][at] = delta[d].upper < 1.0 ? delta[d].upper : 1.0;
    k->below[d][at] = delta[d].lower;
  }
  return DPPAIR_OK;
}

/* Begins with epsilon 0, then doubles until next to nothing is left of delta. Points that have no
 * answer are left out. */
DPPAIR_FN_ dppair_status dppair_attack_begin_(dppair_attack_ *k, const dppair_accountant *a,
                                              const dppair_composer *composer) {
  double epsilon, remote = DPPAIR_ATTACK_FAR_;
  size_t i;
  dppair_status status = dppair_accountant_usable_(a);
  if (status != DPPAIR_OK) return status;
  memset(k, 0, sizeof *k);
  k->a = a;
  k->composer = composer;
  k->orders = 1;
  for (i = 0; i < a->count; i++) {
    const dppair_step *step = &a->step[i];
    if (dppair_step_is_sampled_(step) &&
        dppair_adjacency_move_(step->sampling.adjacency) == DPPAIR_ZERO_OUT)
      k->orders = 2;
    if (dppair_step_charge_(step).attained == DPPAIR_ATTAINED_ONCE_) k->half = 1;
  }
  status = dppair_attack_add_(k, 0.0);
  if (status != DPPAIR_OK) return status;
  epsilon = k->latest > 1e-9 ? k->latest : 1e-9;
  if (dppair_accountant_is_pure_(a) && a->pure > 0.0 && a->pure < remote) { /* the largest loss */
    remote = a->pure;
    (void)dppair_attack_add_(k, remote);
    k->latest = 1.0;
  }
  for (i = 0; i < 40 && epsilon < remote && k->latest > 1e-14 + a->failure; i++, epsilon *= 2.0)
    if (dppair_attack_add_(k, epsilon) != DPPAIR_OK) break;
  return DPPAIR_OK;
}

/* The smallest of the lines at f, rounded up; *route: where it comes from. */
DPPAIR_FN_ double dppair_attack_above_(dppair_route *route, const dppair_attack_ *k, double f) {
  double best = 2.0;
  size_t i;
  if (f > 0.0 && f < DBL_MIN) f = DBL_MIN; /* products below it cannot be rounded up */
  for (i = 0; i < k->count; i++) {
    const double epsilon = k->epsilon[i], delta = k->upper[i];
    const double s = epsilon > 0.0 ? dppair_up_(dppair_up_(dppair_exp_(epsilon))) : 1.0;
    const double rest = (1.0 - delta) * (1.0 - 2.0 * DBL_EPSILON) - f;
    double line = dppair_add_up_(epsilon > 0.0 ? dppair_up_(s * f) : f, delta);
    if (rest > 0.0) {
      const double other = 1.0 - rest / s * (1.0 - 4.0 * DBL_EPSILON) + 2.0 * DBL_EPSILON;
      if (other < line) line = other;
    }
    if (line < best) {
      best = line;
      *route = k->route[i];
    }
  }
  return best < 1.0 ? best : 1.0;
}

/* Points of D by s; the first is D(0) = 1. */
typedef struct dppair_attack_slopes_ {
  size_t count;
  double s[DPPAIR_ATTACK_SLOPES_], low[DPPAIR_ATTACK_SLOPES_], high[DPPAIR_ATTACK_SLOPES_];
  /* The falls per s of two lines through (s, low) that lie under D: before s the steepest that a
   * later point proves, behind it the flattest that an earlier point proves. */
  double before[DPPAIR_ATTACK_SLOPES_], behind[DPPAIR_ATTACK_SLOPES_];
} dppair_attack_slopes_;

/* The next point, for a rounded s: s D'(s) is at least -1. */
DPPAIR_FN_ void dppair_attack_point_(dppair_attack_slopes_ *p, double s, double low, double high) {
  p->s[p->count] = s;
  p->low[p->count] = low - 1e-15;
  p->high[p->count] = high + 1e-15;
  p->count++;
}

/* Of one order (0, 1) of the neighbours; `search`: as if its lower bounds were D, or for order 2 as
 * if the upper bounds of both were. */
DPPAIR_FN_ void dppair_attack_slopes_of_(dppair_attack_slopes_ *p, const dppair_attack_ *k,
                                         int order, int search) {
  const int other = 1 - order; /* whose curve s below 1 is */
  size_t i, j;
  p->count = 0;
  dppair_attack_point_(p, 0.0, 1.0, 1.0);
  for (i = k->count; i-- > 1;) {
    const double y = dppair_exp_(-k->epsilon[i]);
    const double below = order > 1 ? k->upper[i] : k->half && !search ? 0.0 : k->below[other][i];
    const double above = search ? below : k->above[other][i];
    dppair_attack_point_(p, y, 1.0 - y * (1.0 - below), 1.0 - y * (1.0 - above));
  }
  for (i = 0; i < k->count; i++) {
    const double below = order > 1 ? k->upper[i] : k->below[order][i];
    dppair_attack_point_(p, dppair_exp_(k->epsilon[i]), below, search ? below : k->above[order][i]);
  }
  for (i = 0; i < p->count; i++) {
    p->before[i] = 0.0;
    p->behind[i] = 1.0;
    for (j = 0; j < p->count; j++) {
      const double gap = dppair_fabs_(p->s[i] - p->s[j]);
      const double fall = (j < i ? p->high[j] - p->low[i] : p->low[i] - p->high[j]) / gap;
      if (j < i && gap > 0.0 && fall < p->behind[i]) p->behind[i] = fall;
      if (j > i && gap > 0.0 && fall > p->before[i]) p->before[i] = fall;
    }
    if (p->behind[i] < 0.0) p->behind[i] = 0.0;
  }
  for (i = p->count; i-- > 1;) { /* where nothing was known from below: what a later point proves */
    const double low = p->low[i] + p->before[i] * (p->s[i] - p->s[i - 1]) - 1e-15;
    if (low > p->low[i - 1]) p->low[i - 1] = low;
  }
}

/* About the minimum over s of s f + D(s), from below within 1e-15; *at is its place. */
DPPAIR_FN_ double dppair_attack_below_(double *at, const dppair_attack_slopes_ *p, double f) {
  double best = 2.0;
  size_t i;
  int t;
  *at = 1.0;
  for (i = 0; i < p->count; i++) {
    const int last = i + 1 == p->count;
    const double s0 = p->s[i], d0 = p->low[i], left = p->behind[i];
    const double s1 = last ? 0.0 : p->s[i + 1], d1 = last ? 0.0 : p->low[i + 1];
    const double right = last ? 0.0 : p->before[i + 1];
    for (t = 0; t < 3; t++) { /* both ends, and where the lines meet: all the corners there are */
      double a, b, value, place = t == 0 ? s0 : s1;
      if (t == 2) place = (d0 + left * s0 - (d1 + right * s1)) / (left - right);
      if (!(place >= s0) || (!last && !(place <= s1))) continue;
      a = d0 - left * (place - s0);
      b = last ? 0.0 : d1 + right * (s1 - place);
      value = place * f + (a > b ? a : b);
      if (value < best) {
        best = value;
        *at = place;
      }
    }
  }
  return best;
}

/* About the epsilon between nodes i and i + 1 whose line is best at f, as if log `curve` were the
 * parabola through them and a third node; low: of the lines of slope 1/s. -1: it is not known. */
DPPAIR_FN_ double dppair_attack_guess_(const dppair_attack_ *k, const double *curve, size_t i,
                                       double f, int low) {
  const size_t j = i + 2 < k->count ? i + 2 : i - 1;
  const double e0 = k->epsilon[i], e1 = k->epsilon[i + 1];
  double h0, h01, h12, bend, left = e0, right = e1;
  int round;
  if (j >= k->count || !(curve[i + 1] > 0.0 && curve[j] > 0.0)) return -1.0;
  h0 = dppair_log_(curve[i]);
  h01 = (dppair_log_(curve[i + 1]) - h0) / (e1 - e0);
  h12 = (dppair_log_(curve[j]) - dppair_log_(curve[i + 1])) / (k->epsilon[j] - e1);
  bend = (h12 - h01) / (k->epsilon[j] - e0);
  for (round = 0; round < 40; round++) {
    const double x = 0.5 * (left + right);
    const double delta = dppair_exp_(h0 + (h01 + bend * (x - e1)) * (x - e0));
    const double fall = -delta * (h01 + bend * (2.0 * x - e0 - e1));
    if (fall > (low ? 1.0 - f - delta : dppair_exp_(x) * f))
      left = x;
    else
      right = x;
  }
  return left;
}

/* Adds a point near the one whose line is best at f, if that is still open: where it should be, or
 * where the lines that enclose D meet, or half way. 0: none was added. */
DPPAIR_FN_ int dppair_attack_refine_(dppair_attack_ *k, dppair_attack_slopes_ *p, double f,
                                     int order) {
  const double *curve;
  double at, corner, epsilon, left, right, nearby, best = 2.0;
  size_t i;
  if (k->count < 2 || k->count == DPPAIR_ATTACK_NODES_ || !(f > 0.0)) return 0;
  for (i = 0; i < p->count; i++)
    if (p->s[i] * f + p->high[i] < best) best = p->s[i] * f + p->high[i];
  if (best - dppair_attack_below_(&at, p, f) <= 3e-4 * best) return 0;
  corner = dppair_fabs_(dppair_log_(at));
  for (i = 0; i + 2 < k->count && k->epsilon[i + 1] <= corner;) i++;
  left = k->epsilon[i], right = k->epsilon[i + 1], nearby = 0.02 * (right - left);
  if (!(nearby > 1e-9 * right)) return 0;
  curve = order > 1 ? k->upper : k->below[at < 1.0 ? 1 - order : order];
  epsilon = dppair_attack_guess_(k, curve, i, f, at < 1.0);
  if (!(epsilon > left + nearby && epsilon < right - nearby)) epsilon = corner;
  if (!(epsilon > left + nearby && epsilon < right - nearby)) epsilon = 0.5 * (left + right);
  if (dppair_attack_add_(k, epsilon) != DPPAIR_OK) return 0;
  dppair_attack_slopes_of_(p, k, order, 1);
  return 1;
}

/* Refines at all rates, a point for each in turn: there may be more rates than points. */
DPPAIR_FN_ void dppair_attack_search_(dppair_attack_ *k, dppair_attack_slopes_ *p,
                                      const double *rates, size_t count, int order) {
  int added = 1;
  dppair_attack_slopes_of_(p, k, order, 1);
  while (added) {
    size_t i;
    for (added = 0, i = 0; i < count; i++) added |= dppair_attack_refine_(k, p, rates[i], order);
  }
}

/* 1 - rare, rounded up or down, for rare in [0, 1/2]. */
DPPAIR_FN_ double dppair_attack_guess_right_(double rare, int up) {
  const double x = 1.0 - rare, left = 1.0 - x; /* exact: x >= 1/2 */
  if (up && left > rare) return x + 0.5 * DBL_EPSILON;
  return !up && left < rare ? x - 0.5 * DBL_EPSILON : x;
}

/* What is left of delta however large epsilon is: *upper, where that is smaller. */
DPPAIR_FN_ void dppair_attack_limit_(double *upper, dppair_route *route, const dppair_attack_ *k) {
  double epsilon;
  for (epsilon = 1.0; epsilon < 1e12 && *upper > k->a->failure + DBL_MIN; epsilon *= 4.0) {
    dppair_interval delta;
    if (dppair_accountant_ask_(&delta, k->a, 1, epsilon, DPPAIR_ROUTE_BEST, k->composer, 0) !=
        DPPAIR_OK)
      continue;
    if (delta.upper < *upper) {
      *upper = delta.upper;
      *route = delta.route;
    }
  }
}

/* Are all of these in [0, 1]? */
DPPAIR_FN_ dppair_status dppair_attack_rates_check_(const double *rates, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) {
    if (!dppair_isfinite_f64(rates[i])) return DPPAIR_ERR_NOT_FINITE;
    if (!(rates[i] >= 0.0 && rates[i] <= 1.0)) return DPPAIR_ERR_DOMAIN;
  }
  return DPPAIR_OK;
}

/*
 * The ROC curve of the best attack on everything in the account: true_positive[i] encloses T(f) at
 * f = false_positive[i] in [0, 1], for i < count (1 to 2^20). `upper` holds for every test, any two
 * neighbours and both of their orders; whatever else the attacker knows, whatever he computes.
 * `lower` is attained by some test of some neighbours; it is f, that of guessing, where none are
 * known (dppair_accountant_epsilon), and above it where they are, without the failure probability.
 * Chance is T(f) = f; T(f) = 1 says that nothing is promised. At most 96 epsilons are asked for all
 * rates together, each as dppair_accountant_delta says, whose composer and errors are these, too.
 * Other errors: NULL; SIZE (count); NOT_FINITE, DOMAIN: a rate that is none. All outputs are 0
 * then.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_attack_curve(dppair_interval *true_positive,
                                                               const double *false_positive,
                                                               size_t count,
                                                               const dppair_accountant *a,
                                                               const dppair_composer *composer) {
  dppair_attack_ k;
  dppair_attack_slopes_ p;
  dppair_status status;
  double at;
  size_t i;
  int order;
  if (true_positive == NULL) return DPPAIR_ERR_NULL;
  if (count == 0 || count > (size_t)1 << 20) return DPPAIR_ERR_SIZE;
  memset(true_positive, 0, count * sizeof *true_positive);
  if (false_positive == NULL) return DPPAIR_ERR_NULL;
  status = dppair_attack_rates_check_(false_positive, count);
  if (status == DPPAIR_OK) status = dppair_attack_begin_(&k, a, composer);
  if (status != DPPAIR_OK) return status;
  dppair_attack_search_(&k, &p, false_positive, count, 2);
  for (order = 0; order < k.orders && k.orders > 1; order++)
    dppair_attack_search_(&k, &p, false_positive, count, order);
  for (i = 0; i < count; i++) {
    dppair_interval *rate = &true_positive[i];
    rate->upper = dppair_attack_above_(&rate->route, &k, false_positive[i]);
    if (false_positive[i] <= 0.0) dppair_attack_limit_(&rate->upper, &rate->route, &k);
    rate->lower = false_positive[i]; /* whoever guesses attains it */
  }
  for (order = 0; order < k.orders; order++) {
    dppair_attack_slopes_of_(&p, &k, order, 0);
    for (i = 0; i < count; i++) {
      const double below = dppair_attack_below_(&at, &p, false_positive[i]) - 4e-15;
      if (below > true_positive[i].lower) true_positive[i].lower = below;
    }
  }
  for (i = 0; i < count; i++) {
    dppair_interval *rate = &true_positive[i];
    if (rate->lower > rate->upper) rate->lower = rate->upper;
    rate->estimate = dppair_estimate_(rate->upper, rate->lower, rate->upper);
  }
  return DPPAIR_OK;
}

/*
 * How often the best attacker is right, if the first data set is used with probability `prior` and
 * the second one otherwise, and he knows that: with m = min(prior, 1 - prior),
 *     accuracy = 1 - m + m delta(|log(prior/(1 - prior))|);
 * 1 - m without the release, (1 + delta(0))/2 for prior = 1/2, where delta(0) is the total
 * variation distance and 2 accuracy - 1 = T(f) - f at its largest what is called the attacker's
 * advantage. `lower` is attained by some neighbours; it is 1 - m where none are known. prior in (0,
 * 1). Errors: NULL, NOT_FINITE, DOMAIN (prior); composer and others as dppair_accountant_delta.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_attack_accuracy(dppair_interval *accuracy,
                                                                  const dppair_accountant *a,
                                                                  double prior,
                                                                  const dppair_composer *composer) {
  double rare, odds;
  dppair_interval delta;
  dppair_status status;
  if (accuracy == NULL) return DPPAIR_ERR_NULL;
  memset(accuracy, 0, sizeof *accuracy);
  status = dppair_attack_rates_check_(&prior, 1);
  if (status == DPPAIR_OK && !(prior > 0.0 && prior < 1.0)) status = DPPAIR_ERR_DOMAIN;
  if (status != DPPAIR_OK) return status;
  rare = prior < 0.5 ? prior : 1.0 - prior; /* exact: prior >= 1/2 */
  odds = rare < 0.5 ? (dppair_log1p_(-rare) - dppair_log_(rare)) * (1.0 - 8.0 * DBL_EPSILON) - 1e-15
                    : 0.0;
  status = dppair_accountant_delta(&delta, a, odds > 0.0 ? odds : 0.0, composer);
  if (status != DPPAIR_OK) return status;
  accuracy->route = delta.route;
  accuracy->order = delta.order;
  accuracy->upper = delta.upper > 0.0 ? 1.0 - rare * (1.0 - delta.upper) + DBL_EPSILON
                                      : dppair_attack_guess_right_(rare, 1);
  if (!(accuracy->upper < 1.0)) accuracy->upper = 1.0;
  /* delta falls by at most 1 per unit of epsilon, and odds is at most 3e-15 (1 + odds) too small */
  accuracy->lower = 1.0 - rare * (1.0 - delta.lower) - DBL_EPSILON - 1e-14 * rare * (1.0 + odds);
  prior = dppair_attack_guess_right_(rare, 0); /* whoever ignores the release */
  if (!(accuracy->lower > prior)) accuracy->lower = prior;
  if (accuracy->lower > accuracy->upper) accuracy->lower = accuracy->upper;
  accuracy->estimate = dppair_estimate_(accuracy->upper, accuracy->lower, accuracy->upper);
  return DPPAIR_OK;
}

/*
 * What it is worth to an attacker that a test says "the first": *factor = true_positive /
 * false_positive, the Bayes factor, and *posterior, the probability that he is right where the
 * first data set is used with probability `prior` (his positive predictive value), both rounded up.
 * With `upper` of dppair_attack_curve no test with this rate of false positives is worth more.
 * *factor is infinite where false_positive = 0 and true_positive > 0. prior in (0, 1). Errors:
 * NULL, ENVIRONMENT, NOT_FINITE; DOMAIN: no prior, no rate, or both rates 0, a test that never says
 * so.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_attack_bayes(double *factor, double *posterior,
                                                               double false_positive,
                                                               double true_positive, double prior) {
  double rates[3], against;
  dppair_status status;
  if (factor != NULL) *factor = 0.0;
  if (posterior != NULL) *posterior = 0.0;
  if (factor == NULL || posterior == NULL) return DPPAIR_ERR_NULL;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  rates[0] = false_positive, rates[1] = true_positive, rates[2] = prior;
  status = dppair_attack_rates_check_(rates, 3);
  if (status == DPPAIR_OK && !(prior > 0.0 && prior < 1.0)) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK && !(false_positive + true_positive > 0.0)) status = DPPAIR_ERR_DOMAIN;
  if (status != DPPAIR_OK) return status;
  *factor = false_positive > 0.0 ? dppair_up_(true_positive / false_positive) : HUGE_VAL;
  against = (1.0 - prior) / prior * (1.0 - 2.0 * DBL_EPSILON); /* to the factor's favour */
  *posterior = false_positive > 0.0 ? dppair_up_(dppair_up_(1.0 / (1.0 + against / *factor))) : 1.0;
  if (!(true_positive > 0.0)) *posterior = 0.0;
  if (*posterior > 1.0) *posterior = 1.0;
  return DPPAIR_OK;
}

/* ---- src/modules/attack/gaussian.h ----------------------------------------------------------
 * What an account means: the Gaussian mechanism that it is as good as
 *
 * In s = e^epsilon delta is convex, so that it lies under its chord between two points of an
 * account's curve, and the Gaussian curve over its tangents, of slope -P(N(0,1) > epsilon/mu +
 * mu/2). A mu whose tangent lies over the chord in every cell is thereby proved for all epsilon.
 * Relies on curve.h and gaussian_curve.h.
 * ---------------------------------------------------------------------------------------------- */

/* P(N(0,1) > epsilon/mu + mu/2), the rate of false positives where the Gaussian curve has the slope
 * e^epsilon, to 12 digits. */
DPPAIR_FN_ double dppair_attack_tail_(double epsilon, double mu) {
  const double z = epsilon / mu + 0.5 * mu;
  return DPPAIR_INV_SQRT_2PI_ * dppair_exp_(-0.5 * z * z) * dppair_mills_(z);
}

/* 1 when the Gaussian curve of mu, plus `slack`, surely lies above D between nodes i and i + 1: D
 * is below its chord there, and the curve above its tangent where that is parallel to the chord. */
DPPAIR_FN_ int dppair_attack_covers_(const dppair_attack_ *k, size_t i, double mu, double slack) {
  const double s0 = dppair_exp_(k->epsilon[i]), s1 = dppair_exp_(k->epsilon[i + 1]);
  const double v0 = k->upper[i] - slack, v1 = k->upper[i + 1] - slack, fall = (v0 - v1) / (s1 - s0);
  double left = k->epsilon[i], right = k->epsilon[i + 1], delta, tail, middle;
  int round;
  for (round = 0; round < 50; round++) {
    middle = 0.5 * (left + right);
    if (dppair_attack_tail_(middle, mu) > fall)
      left = middle;
    else
      right = middle;
  }
  tail = dppair_attack_tail_(left, mu);
  if (!(tail > 1e-290)) return 0; /* a tangent whose slope has lost its digits */
  delta = dppair_gaussian_delta_below_(left, mu) - 4e-15;
  middle = dppair_exp_(left);
  return delta + tail * (1.0 - 1e-11) * (middle - s0) >= v0 &&
         delta - tail * (1.0 + 1e-11) * (s1 - middle) >= v1;
}

/* The largest |Gaussian curve of mu - delta| over the points. */
DPPAIR_FN_ double dppair_attack_distance_(const dppair_attack_ *k, double mu) {
  double most = 0.0;
  size_t i;
  for (i = 0; i < k->count; i++) {
    double delta = 1.0, gap;
    if (dppair_gaussian_delta(&delta, k->epsilon[i], mu) != DPPAIR_OK) return HUGE_VAL;
    gap = dppair_fabs_(delta - k->upper[i]);
    if (gap > most) most = gap;
  }
  return most;
}

/* mu->estimate: where that distance is smallest, by golden section (it falls, then rises). */
DPPAIR_FN_ double dppair_attack_nearest_(const dppair_attack_ *k, double high) {
  const double golden = 0.61803398874989484820;
  double low = 0.0;
  int round;
  for (round = 0; round < 80; round++) {
    const double x1 = high - golden * (high - low), x2 = low + golden * (high - low);
    if (dppair_attack_distance_(k, x1) <= dppair_attack_distance_(k, x2))
      high = x2;
    else
      low = x1;
  }
  return 0.5 * (low + high);
}

/* Adds points where `slack` begins to cover delta, which is *last then, and evenly below. 0: slack
 * never does. */
DPPAIR_FN_ int dppair_attack_spread_(double *last, dppair_attack_ *k, double slack) {
  double low = 0.0, high = HUGE_VAL;
  size_t i;
  for (i = 0; i < k->count && !(high <= DPPAIR_ATTACK_FAR_); i++) {
    if (k->upper[i] <= slack)
      high = k->epsilon[i];
    else
      low = k->epsilon[i];
  }
  if (!(high <= DPPAIR_ATTACK_FAR_)) return 0;
  for (i = 0; i < 12 && high > 0.0 && k->count + 36 < DPPAIR_ATTACK_NODES_; i++) {
    const double middle = 0.5 * (low + high);
    if (dppair_attack_add_(k, middle) != DPPAIR_OK) break;
    if (k->latest <= slack)
      high = middle;
    else
      low = middle;
  }
  for (i = 1; i < 32 && high > 0.0; i++)
    if (dppair_attack_add_(k, high * (double)i / 32.0) != DPPAIR_OK) break;
  *last = high;
  return 1;
}

/*
 * The account as one Gaussian mechanism: *mu encloses the smallest mu such that at every epsilon
 * delta <= delta of N(mu, 1) against N(0, 1) + slack, so that T(f) <= Phi(Phi^-1(f) + mu) + slack
 * for all f: `upper` is surely one such mu, and infinite where none is known; smaller than `lower`
 * is none, where neighbours are known that attain the account. `estimate` bounds nothing: it is the
 * mu whose curve is nearest, by the largest difference of delta. With slack = 0 only plain Gaussian
 * steps and pure ones have a finite mu that is worth something: a rare large loss, such as that of
 * the step that drew the record, is what slack covers. slack in [0, 1), at least the failure
 * probability for a finite `upper`. composer and errors: those of dppair_accountant_delta;
 * NULL, NOT_FINITE, DELTA (slack).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_attack_fit(dppair_interval *mu,
                                                             const dppair_accountant *a,
                                                             double slack,
                                                             const dppair_composer *composer) {
  dppair_attack_ k;
  dppair_status status;
  double value, mu0, low = 0.0, last = 0.0, top = 1.0;
  size_t i;
  int covered, round;
  if (mu == NULL) return DPPAIR_ERR_NULL;
  memset(mu, 0, sizeof *mu);
  if (!dppair_isfinite_f64(slack)) return DPPAIR_ERR_NOT_FINITE;
  if (!(slack >= 0.0 && slack < 1.0)) return DPPAIR_ERR_DELTA;
  status = dppair_attack_begin_(&k, a, composer);
  if (status != DPPAIR_OK) return status;
  mu->route = k.route[0];
  mu0 = dppair_up_(dppair_sqrt_(a->gaussian));
  covered = dppair_attack_spread_(&last, &k, slack);
  for (i = 0; covered && i + 1 < k.count && k.epsilon[i] < last; i++) {
    double high = low > 1e-9 ? low : 1e-9;
    if (low > 0.0 && dppair_attack_covers_(&k, i, low, slack)) continue;
    while (high < 1e6 && !dppair_attack_covers_(&k, i, high, slack)) high *= 2.0;
    for (round = 0; round < 60; round++) {
      value = 0.5 * (low + high);
      if (dppair_attack_covers_(&k, i, value, slack))
        high = value;
      else
        low = value;
    }
    low = high;
  }
  mu->upper = covered && low < 1e6 ? low : HUGE_VAL;
  if (dppair_accountant_is_gaussian_(a) && a->failure <= slack && mu0 < mu->upper) mu->upper = mu0;
  for (i = 0; i < k.count; i++) {
    const double below = (k.below[0][i] > k.below[1][i] ? k.below[0][i] : k.below[1][i]) - slack;
    if (below > 0.0 && below < 1.0 &&
        dppair_gaussian_mu(&value, k.epsilon[i], dppair_down_(below)) == DPPAIR_OK &&
        value > mu->lower)
      mu->lower = value;
  }
  if (mu->lower > mu->upper) mu->lower = mu->upper;
  while (top < 1e6 && dppair_attack_distance_(&k, 2.0 * top) < dppair_attack_distance_(&k, top))
    top *= 2.0;
  if (dppair_accountant_is_gaussian_(a))
    mu->estimate = mu0;
  else if (k.upper[0] > 0.0)
    mu->estimate = k.upper[0] < 1.0 ? dppair_attack_nearest_(&k, 2.0 * top) : HUGE_VAL;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif
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

#endif /* DPPAIR_ATTACK_H */
#endif /* DPPAIR_DECLARE_ONLY */
