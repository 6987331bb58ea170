/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_selection.h - the best of some private runs, whose number is random (version 0.1.0)
 *
 * A candidate is drawn, trained and scored, all of it privately: one run. K runs are made, K drawn
 * before the first, and the one with the best score is released. With the geometric law they cost
 * about three runs, however many candidates there are: what tuning really costs.
 *
 *     #include "dppair_selection.h"            includes dppair_accountant.h and dppair_noise.h
 *
 *     dppair_selection_gamma(&gamma, 1.0, 20.0);                           20 runs in the mean
 *     if (dppair_accountant_selection(&account, &run, 1.0, gamma, 1e-6, work, bytes) != DPPAIR_OK)
 *       return 1;                                                          run: an account of one
 *     if (dppair_draw_runs(&k, 1.0, gamma, &rng) != DPPAIR_OK) return 1;   k stays secret
 *     ... k runs, each of a candidate drawn anew; release the best ...
 *
 * FUNCTIONS
 *   dppair_selection_mean, _gamma   the expected number of runs, and the law that has it
 *   dppair_selection_epsilon        what the best of the runs costs, by the curve of one
 *   dppair_accountant_selection     charges it
 *   dppair_draw_runs                how many runs, exactly
 *
 * Neither K nor the time that all runs took may leave. Errors zero outputs. The proof is at the head
 * of modules/selection/selection.h.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     53  core/freestanding.h                Without a C library: names for the time of one include
 *    101  core/quick.h                       What is compiled soon rather than fast: it begins
 *    125  modules/selection/selection.h      Private selection by random stopping
 *           dppair_selection_mean dppair_selection_gamma dppair_selection_epsilon
 *           dppair_accountant_selection
 *    349  core/quick_end.h                   What is compiled soon rather than fast: it ends
 *    360  modules/selection/runs.h           How often a selection by random stopping runs, exactly
 *           dppair_draw_runs
 *    421  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_DECLARE_SELECTION_
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#else
#ifndef DPPAIR_SELECTION_H
#define DPPAIR_SELECTION_H

#include "dppair_accountant.h"
#include "dppair_noise.h"

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

/* ---- src/modules/selection/selection.h ------------------------------------------------------
 * Private selection by random stopping
 *
 * A candidate is chosen at random, trained and scored, all of it privately; this is one run. It is
 * repeated K times, K drawn before the first run, and the run with the best score is released, its
 * score and whatever else it released too. Nothing of the others leaves, nor K, nor how long all
 * of them took. This costs about three runs, however many candidates there are (Liu and Talwar
 * 2019; Papernot and Steinke 2022, whose laws of K these are; here for whole curves
 * delta(epsilon)). Relies on certify.h.
 *
 * K = k >= 1 has the probability f_k ~ (1 - gamma)^k (1 + eta/1)(1 + eta/2) .. (1 + eta/(k - 1))/k,
 * -1 < eta <= 1, 0 < gamma <= 1: eta = 1 is the geometric law, eta = 0 the logarithmic one. Its
 * generating function f(z) = sum of f_k z^k has
 *
 *     f'(z) = E K (gamma / (gamma + (1 - gamma)(1 - z)))^(eta + 1),       f'(1) = E K.
 *
 * Theorem. Q, Q' are the laws of one run on two neighbours, A, A' those of what is released. Let
 * D(x) bound delta of Q against Q' and of Q' against Q at epsilon x. If
 *
 *     D(c) <= gamma (e^c - 1)/(1 - gamma)                                                     (1)
 *
 * then delta of A against A' at epsilon is at most E K D(epsilon - (eta + 1) c).
 *
 * Proof. Beside each run's output a uniform number is drawn, independent of all else, and decides
 * between runs of the same score; so outputs x are in a total order in which q(x), the chance under
 * Q of an output up to x, is uniform on [0, 1], atoms or not. (The first of the best runs, or the
 * last, has the same law: given what came out, all orders of the K runs are equally likely.) The
 * best of k runs has the density k q(x)^(k-1) by Q, so A has f'(q(x)) by Q. q'(x): the same by Q'.
 * Outputs above x are an event: 1 - q' <= e^c (1 - q) + D(c), so by (1)
 *
 *     gamma + (1 - gamma)(1 - q') <= gamma + (1 - gamma) D(c) + (1 - gamma) e^c (1 - q)
 *                                 <= e^c (gamma + (1 - gamma)(1 - q)),
 *
 * that is, f'(q) <= e^((eta + 1) c) f'(q'), as eta + 1 > 0. Then, with f' <= f'(1) = E K,
 *
 *     delta = int (f'(q) dQ - e^epsilon f'(q') dQ')_+
 *          <= int f'(q) (dQ - e^(epsilon - (eta + 1) c) dQ')_+ <= E K D(epsilon - (eta + 1) c).
 *
 * The left side of (1) falls and its right side grows with c: the least c is the best one.
 * ---------------------------------------------------------------------------------------------- */

/* The least gamma: a draw of K takes up to about 1/gamma coins, and K itself can be many times
 * that. */
#define DPPAIR_SELECTION_LEAST_ 1e-6

DPPAIR_FN_ dppair_status dppair_selection_check_(double eta, double gamma) {
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(eta) || !dppair_isfinite_f64(gamma)) return DPPAIR_ERR_NOT_FINITE;
  return eta > -1.0 && eta <= 1.0 && gamma >= DPPAIR_SELECTION_LEAST_ && gamma <= 1.0
             ? DPPAIR_OK
             : DPPAIR_ERR_DOMAIN;
}

/* E K = eta (1 - gamma)/(gamma (1 - gamma^eta)), rounded up: with y = eta log gamma it is
 * (1/gamma - 1)/(-log gamma) times y/(e^y - 1). */
DPPAIR_FN_ double dppair_selection_mean_(double eta, double gamma) {
  const double log_gamma = dppair_log_(gamma), y = eta * log_gamma;
  const double ratio = y > 0.0 || y < 0.0 ? y / dppair_expm1_(y) : 1.0;
  const double mean = gamma < 1.0 ? (1.0 - gamma) / (gamma * -log_gamma) * ratio : 1.0;
  return gamma < 1.0 ? mean * (1.0 + 1e-14) : 1.0;
}

/*
 * *mean = E K, the expected number of runs, at least 1 and rounded up. eta in (-1, 1], gamma in
 * [1e-6, 1]; gamma = 1 is one run. Errors: NULL, ENVIRONMENT, NOT_FINITE, DOMAIN.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_selection_mean(double *mean, double eta,
                                                                 double gamma) {
  dppair_status status;
  if (mean == NULL) return DPPAIR_ERR_NULL;
  *mean = 0.0;
  status = dppair_selection_check_(eta, gamma);
  if (status == DPPAIR_OK) *mean = dppair_selection_mean_(eta, gamma);
  return status;
}

/*
 * *gamma for which E K is `mean` >= 1, or the least bit less. One candidate of k is among the runs
 * with probability 1 - f(1 - 1/k): for eta = 1 that is 1/2 at E K = k and 0.9 at E K = 9 k. Errors:
 * those of dppair_selection_mean; DOMAIN also where gamma would be below 1e-6.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_selection_gamma(double *gamma, double eta,
                                                                  double mean) {
  double low = dppair_log_(DPPAIR_SELECTION_LEAST_), high = 0.0;
  dppair_status status;
  int i;
  if (gamma == NULL) return DPPAIR_ERR_NULL;
  *gamma = 0.0;
  status = dppair_selection_check_(eta, 1.0);
  if (status == DPPAIR_OK && !dppair_isfinite_f64(mean)) status = DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK &&
      !(mean >= 1.0 && mean <= dppair_selection_mean_(eta, DPPAIR_SELECTION_LEAST_)))
    status = DPPAIR_ERR_DOMAIN;
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < 80; i++) {
    const double middle = 0.5 * (low + high);
    if (dppair_selection_mean_(eta, dppair_exp_(middle)) > mean)
      low = middle;
    else
      high = middle;
  }
  *gamma =
      dppair_exp_(high) > DPPAIR_SELECTION_LEAST_ ? dppair_exp_(high) : DPPAIR_SELECTION_LEAST_;
  return DPPAIR_OK;
}

/* One run's account, asked again and again. */
typedef struct dppair_selection_ {
  const dppair_accountant *run;
  double gamma;
  const dppair_composer *composer;
  dppair_status status; /* why a question had no answer */
} dppair_selection_;

/* Is (1) certain at c > 0? */
DPPAIR_FN_ int dppair_selection_holds_(dppair_selection_ *s, double c) {
  const double most = s->gamma * dppair_expm1_(c) / (1.0 - s->gamma) * (1.0 - 1e-14);
  dppair_interval delta;
  s->status = dppair_accountant_ask_(&delta, s->run, 1, c, DPPAIR_ROUTE_BEST, s->composer, 0);
  return s->status == DPPAIR_OK && delta.upper <= most;
}

/* The least c of (1), to 1e-7 of itself and never below it; 0 for one run. */
DPPAIR_FN_ dppair_status dppair_selection_cost_(double *c, dppair_selection_ *s) {
  double low = 0.0, high = 0.25;
  int i;
  *c = 0.0;
  if (!(s->gamma < 1.0)) return DPPAIR_OK;
  while (!dppair_selection_holds_(s, high)) {
    if (s->status != DPPAIR_OK) return s->status;
    low = high;
    high *= 4.0;
    if (high > 700.0) return DPPAIR_ERR_OVERFLOW;
  }
  while (!(low > 0.0)) { /* a factor of 4 below */
    const double less = 0.25 * high;
    if (less > 1e-15 && dppair_selection_holds_(s, less))
      high = less;
    else
      low = less;
  }
  for (i = 0; i < 24; i++) {
    const double middle = dppair_sqrt_(low * high);
    if (dppair_selection_holds_(s, middle))
      high = middle;
    else
      low = middle;
  }
  *c = high;
  return DPPAIR_OK;
}

/*
 * epsilon at `delta` of what a selection by random stopping releases. `run` holds what one run
 * spends, training and score, whichever candidate it is about. K: eta and gamma as above; draw it
 * by dppair_draw_runs. A run that fails for reasons of the data must not end the selection, nor may
 * the runs be ended early; a rule for equal scores may look at the order of the runs only.
 *
 * `upper` is that of the theorem. `lower` is what one run alone attains at this delta: a score that
 * says nothing chooses one run, and the theorem is about all scores. delta in (0, 1). composer:
 * as for dppair_accountant_epsilon; Gaussian runs need none. Errors: those of
 * dppair_accountant_epsilon and dppair_selection_mean; DELTA also where delta/E K leaves the range;
 * STEPS, a run of which nothing was charged; OVERFLOW, no c <= 700.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_selection_epsilon(dppair_interval *interval, const dppair_accountant *run, double eta,
                         double gamma, double delta, const dppair_composer *composer) {
  dppair_selection_ s = {run, gamma, composer, DPPAIR_OK};
  dppair_interval one, b;
  dppair_status status;
  double c, share;
  if (interval == NULL) return DPPAIR_ERR_NULL;
  memset(interval, 0, sizeof *interval);
  status = dppair_selection_check_(eta, gamma);
  if (status == DPPAIR_OK && !dppair_isfinite_f64(delta)) status = DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK && run != NULL && run->sequence == 0)
    status = DPPAIR_ERR_STEPS; /* a run that was not charged, not one that is free */
  if (status != DPPAIR_OK) return status;
  share = delta > 0.0 ? dppair_down_(delta / dppair_selection_mean_(eta, gamma)) : 0.0;
  if (!(delta < 1.0 && share >= DBL_MIN)) return DPPAIR_ERR_DELTA;
  status = dppair_accountant_ask_(&one, run, 0, delta, DPPAIR_ROUTE_BEST, composer, 0);
  if (status == DPPAIR_OK)
    status = dppair_accountant_ask_(&b, run, 0, gamma < 1.0 ? share : delta, DPPAIR_ROUTE_BEST,
                                    composer, 0);
  if (status == DPPAIR_ERR_WORKSPACE) interval->bytes = one.bytes;
  if (status == DPPAIR_OK) status = dppair_selection_cost_(&c, &s);
  if (status != DPPAIR_OK) return status;
  b.upper = dppair_add_up_(b.upper, dppair_up_(dppair_up_(eta + 1.0) * c));
  if (!dppair_isfinite_f64(b.upper)) return DPPAIR_ERR_OVERFLOW;
  b.lower = one.lower;
  b.estimate = dppair_estimate_(b.upper, b.lower, b.upper);
  *interval = b;
  return DPPAIR_OK;
}

/*
 * Charges a selection to `a`: that epsilon as a pure step and delta as a failure, which dominate
 * everything (epsilon, delta)-private (Kairouz, Oh and Viswanath 2015), of the neighbours that
 * `run` answers for. The runs themselves are then charged nowhere else. Errors: those of
 * dppair_selection_epsilon; ADJACENCY, other neighbours than a's. An error breaks a. In a ledger
 * the same is one entry with step.kind = DPPAIR_PURE, step.noise_multiplier = that epsilon, failure
 * = delta.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_accountant_selection(dppair_accountant *a, const dppair_accountant *run, double eta,
                            double gamma, double delta, const dppair_composer *composer) {
  dppair_ledger_entry charge;
  dppair_interval epsilon;
  dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  status = dppair_selection_epsilon(&epsilon, run, eta, gamma, delta, composer);
  if (status == DPPAIR_OK && a->stated > 0 && run->adjacency != a->adjacency)
    status = DPPAIR_ERR_ADJACENCY; /* neighbours that nobody stated are not a's */
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  memset(&charge, 0, sizeof charge);
  charge.step = dppair_step_make_(DPPAIR_PURE, epsilon.upper, 1);
  if (!(charge.step.noise_multiplier > DBL_MIN)) charge.step.noise_multiplier = DBL_MIN;
  charge.step.sampling.adjacency = run->adjacency;
  charge.failure = delta;
  a->unattained = 1;
  return dppair_accountant_charge_(a, &charge);
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
DPPAIR_FP_BEGIN_

/* ---- src/modules/selection/runs.h -----------------------------------------------------------
 * How often a selection by random stopping runs, exactly
 *
 * The law of selection.h, by coins of exact bias. Relies on discrete.h.
 * ---------------------------------------------------------------------------------------------- */

/* 1 with probability exactly p, a double in [0, 1]: as dppair_coin_, on the binary digits of p. */
DPPAIR_FN_ int dppair_coin_of_double_(dppair_source_ *s, double p) {
  if (p >= 1.0) return 1;
  while (p > 0.0 && s->status == DPPAIR_OK) {
    const uint32_t r = dppair_next32_(s);
    const uint32_t digits = (uint32_t)(p *= 4294967296.0); /* exact, as is what is left of p */
    if (r != digits) return r < digits;
    p -= (double)digits;
  }
  return 0;
}

/* One coin of bias (k + eta)/(k + 1) = 1 - (1 - eta)/(k + 1): a uniform number of 0 .. k is below
 * k - 1, or is k - 1 or k and a coin of eta decides. -1 < eta <= 1. */
DPPAIR_FN_ int dppair_coin_again_(dppair_source_ *s, uint64_t k, double eta) {
  const uint64_t j = dppair_below_(s, k + 1);
  if (j + 1 < k) return 1;
  if (j + 1 == k) return eta >= 0.0 || !dppair_coin_of_double_(s, -eta);
  return eta > 0.0 && dppair_coin_of_double_(s, eta);
}

/*
 * Draws *runs = K, how often dppair_selection_epsilon says that a candidate is trained: with
 * probability ~ (1 - gamma)^k (1 + eta/1) .. (1 + eta/(k - 1))/k, k >= 1, exactly. eta in (-1, 1],
 * gamma in [1e-6, 1], the doubles as they are. K must be drawn before the first run and stay
 * secret, with the time that the runs take.
 *
 * Rejection: from k = 1 on, a coin of bias gamma ends with K = k; else one of bias (k + eta)/(k +
 * 1) goes on to k + 1, or begins again. So one attempt ends with K = k with probability gamma times
 * (1 - gamma)^(k - 1) (1 + eta)(2 + eta) .. (k - 1 + eta)/k!, which is the law times a constant.
 * About 1/gamma coins at most, and their number depends on what is drawn.
 *
 * Errors: NULL, NOT_FINITE, DOMAIN, the generator's; *runs is then 0.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_draw_runs(uint64_t *runs, double eta,
                                                            double gamma, dppair_rng *rng) {
  dppair_source_ s;
  dppair_status status;
  uint64_t k = 1;
  if (runs == NULL) return DPPAIR_ERR_NULL;
  *runs = 0;
  if (!dppair_isfinite_f64(eta) || !dppair_isfinite_f64(gamma)) return DPPAIR_ERR_NOT_FINITE;
  if (!(eta > -1.0 && eta <= 1.0 && gamma >= 1e-6 && gamma <= 1.0)) return DPPAIR_ERR_DOMAIN;
  dppair_source_open_(&s, rng);
  while (s.status == DPPAIR_OK && !dppair_coin_of_double_(&s, gamma))
    k = dppair_coin_again_(&s, k, eta) ? k + 1 : 1;
  status = dppair_source_close_(&s);
  if (status == DPPAIR_OK) *runs = k;
  if (DPPAIR_AUDITED_(
          (DPPAIR_EVENT_DRAWN, "runs", runs, 1, sizeof *runs, NULL, eta, gamma, NULL, rng, status)))
    return DPPAIR_OK;
  return status;
}

DPPAIR_FP_END_
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

#endif /* DPPAIR_SELECTION_H */
#endif /* DPPAIR_DECLARE_ONLY */
