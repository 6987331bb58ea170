/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_papers.h - noise as five papers print it, and what is true (version 0.1.0)
 *
 * Some printed constants give too little noise, most give too much. This module has them under
 * names of the papers, beside the noise that the same promise needs and the epsilon that the
 * printed noise really has. Nothing else in the library uses a printed constant.
 *
 *     #include "dppair_papers.h"               includes dppair_iterates.h, dppair_accountant.h
 *
 *     dppair_paper paper = {DPPAIR_XUE2021_ALG2};                          the rest is 0
 *     dppair_paper_verdict verdict;
 *     paper.n = 1000, paper.steps = 100, paper.lipschitz = 4.0;
 *     paper.epsilon = 4.0, paper.delta = 1e-5;
 *     if (dppair_paper_check(&verdict, &paper) != DPPAIR_OK) return 1;
 *     printf("%g printed, %g needed\n", verdict.noise_printed, verdict.noise_needed);
 *
 * FUNCTIONS
 *   dppair_paper_check    a verdict on a printed result at these arguments
 *   types                 dppair_paper  dppair_paper_result  dppair_paper_verdict
 *
 * Errors zero the verdict.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     49  core/freestanding.h                Without a C library: names for the time of one include
 *     97  core/quick.h                       What is compiled soon rather than fast: it begins
 *    121  modules/papers/papers.h            What papers print
 *           dppair_paper_check
 *    380  core/quick_end.h                   What is compiled soon rather than fast: it ends
 *    389  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_iterates.h"
#define DPPAIR_DECLARE_PAPERS_
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#else
#ifndef DPPAIR_PAPERS_H
#define DPPAIR_PAPERS_H

#include "dppair_accountant.h"
#include "dppair_iterates.h"

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

/* ---- src/modules/papers/papers.h ------------------------------------------------------------
 * What papers print
 *
 * Compares the noise that a paper prints with the noise that its guarantee needs. Relies on the
 * Gaussian curve (gaussian_curve.h) and, for SGD with uniform draws, on dppair_iterates.h.
 * ---------------------------------------------------------------------------------------------- */

/* The results: number, name, and the formula that the paper prints. */
#define DPPAIR_PAPER_TABLE(X)                                                                      \
  X(DPPAIR_KANG2021_THEOREM1, "kang2021-theorem1", "8 G sqrt(T ln(1/delta))/(n epsilon)")          \
  X(DPPAIR_KANG2021_APPENDIX, "kang2021-appendix", "4 G T sqrt(2 ln(1.25 T/delta))/(n epsilon)")   \
  X(DPPAIR_XUE2021_ALG1, "xue2021-alg1",                                                           \
    "8 G sqrt(2 ln(1.25/delta))/(alpha n epsilon); pure: 8 G/(alpha n epsilon) times sqrt(d)")     \
  X(DPPAIR_XUE2021_ALG2, "xue2021-alg2", "4 G sqrt(1.25 T ln(1/delta))/(n epsilon)")               \
  X(DPPAIR_XUE2021_ALG3, "xue2021-alg3",                                                           \
    "4 G eta sqrt(2 ln(1.25/delta))/epsilon per epoch; pure: 4 G eta/epsilon times sqrt(d)")       \
  X(DPPAIR_YANG2021_THEOREM4, "yang2021-theorem4",                                                 \
    "sqrt(8 eta^2 G^2 ln(2.5/delta)/epsilon^2 (T + 3 T^2 ln^2(eT) ln^2(2/delta)/n^2))")            \
  X(DPPAIR_NIEWANG2017_PROP1, "niewang2017-prop1", "scale kappa^2 C_L/(lambda n epsilon)")         \
  X(DPPAIR_KANG2023_THEOREM5, "kang2023-theorem5", "c G sqrt(T ln(1/delta))/(n epsilon), c = 1")

/* Bounds as papers print them: dppair_paper_check says what is true. */
typedef enum dppair_paper_result {
#define DPPAIR_X_(id, name, formula) id,
  DPPAIR_PAPER_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_PAPER_COUNT_
} dppair_paper_result;

/* The arguments of a printed noise. Those that a result does not read are 0. */
typedef struct dppair_paper {
  dppair_paper_result result;
  size_t n, steps;
  double lipschitz; /* G; C_L for niewang2017-prop1 */
  double epsilon, delta;
  double alpha;         /* xue2021-alg1: strong convexity */
  double eta;           /* xue2021-alg3 (the epoch's), yang2021-theorem4: step size */
  double lambda, kappa; /* niewang2017-prop1: strong convexity lambda gamma; kernel bound */
  int pure;             /* the variant with delta = 0, where there is one */
} dppair_paper;

/*
 * The printed noise and the noise that the same guarantee needs, at these arguments; whether the
 * printed one suffices; and what it really gives: the epsilon at the stated delta and the delta at
 * the stated epsilon. Noise is sigma per coordinate, or for `pure` the Laplace scale divided by
 * sqrt(d), which compares with the scale of the l2 mechanism. The noise needed is that of the
 * general constant 4G/n; ranking losses need half or a quarter of it.
 */
typedef struct dppair_paper_verdict {
  double noise_printed, noise_needed;
  int sufficient;
  double true_epsilon, true_delta; /* HUGE_VAL: no finite one */
} dppair_paper_verdict;

/* Completes the verdict for a release with this total sensitivity: Laplace noise for `pure`, where
 * sensitivity over scale is the true epsilon and delta = 1 - exp((stated - true)/2) at the stated
 * one; Gaussian noise else. */
DPPAIR_FN_ dppair_status dppair_paper_release_(dppair_paper_verdict *v, double sensitivity,
                                               const dppair_paper *p, int pure) {
  const double ratio = dppair_up_(sensitivity / v->noise_printed);
  dppair_status status;
  if (pure) {
    v->noise_needed = dppair_up_(dppair_up_(sensitivity / p->epsilon));
    v->true_epsilon = ratio;
    v->true_delta = v->true_epsilon > p->epsilon * (1.0 + 4e-15)
                        ? -dppair_expm1_(0.5 * (p->epsilon - v->true_epsilon)) * (1.0 + 1e-14)
                        : 0.0;
    return DPPAIR_OK;
  }
  status = dppair_gaussian_sigma(&v->noise_needed, sensitivity, p->epsilon, p->delta, 1);
  if (status == DPPAIR_OK) status = dppair_gaussian_epsilon(&v->true_epsilon, p->delta, ratio);
  if (status == DPPAIR_OK) status = dppair_gaussian_delta(&v->true_delta, p->epsilon, ratio);
  return status;
}

/* What one replaced record moves in the mean gradient: 4G/n. */
DPPAIR_FN_ double dppair_paper_move_(const dppair_paper *p) {
  return 4.0 * p->lipschitz / (double)p->n;
}

/* ln(1/delta) */
DPPAIR_FN_ double dppair_paper_log_(const dppair_paper *p) { return -dppair_log_(p->delta); }

/* The factor of the classical Gaussian mechanism, sqrt(2 ln(1.25/delta)); for `pure` 1. */
DPPAIR_FN_ double dppair_paper_classical_(const dppair_paper *p) {
  return p->pure ? 1.0 : dppair_sqrt_(2.0 * (dppair_log_(1.25) + dppair_paper_log_(p)));
}

/* One function per result: the printed noise, then the sensitivity of what it is added to. The
 * arguments have been checked. */
DPPAIR_FN_ dppair_status dppair_paper_kang2021_(dppair_paper_verdict *v, const dppair_paper *p) {
  const double t = (double)p->steps;
  v->noise_printed =
      8.0 * p->lipschitz * dppair_sqrt_(t * dppair_paper_log_(p)) / ((double)p->n * p->epsilon);
  return dppair_paper_release_(v, dppair_paper_move_(p) * dppair_sqrt_(t), p, 0);
}

/* The Gaussian mechanism at (epsilon/T, delta/T), T times. */
DPPAIR_FN_ dppair_status dppair_paper_kang2021_appendix_(dppair_paper_verdict *v,
                                                         const dppair_paper *p) {
  const double t = (double)p->steps, move = dppair_paper_move_(p);
  v->noise_printed =
      move * t * dppair_sqrt_(2.0 * (dppair_log_(1.25 * t) + dppair_paper_log_(p))) / p->epsilon;
  return dppair_paper_release_(v, move * dppair_sqrt_(t), p, 0);
}

DPPAIR_FN_ dppair_status dppair_paper_xue2021_alg1_(dppair_paper_verdict *v,
                                                    const dppair_paper *p) {
  v->noise_printed =
      8.0 * p->lipschitz / (p->alpha * (double)p->n * p->epsilon) * dppair_paper_classical_(p);
  return dppair_paper_release_(v, dppair_paper_move_(p) / p->alpha, p, p->pure);
}

DPPAIR_FN_ dppair_status dppair_paper_xue2021_alg2_(dppair_paper_verdict *v,
                                                    const dppair_paper *p) {
  const double t = (double)p->steps, move = dppair_paper_move_(p);
  v->noise_printed = move * dppair_sqrt_(1.25 * t * dppair_paper_log_(p)) / p->epsilon;
  return dppair_paper_release_(v, move * dppair_sqrt_(t), p, 0);
}

/* One epoch: the mean of w_0 .. w_m after m steps on m records. */
DPPAIR_FN_ dppair_status dppair_paper_xue2021_alg3_(dppair_paper_verdict *v,
                                                    const dppair_paper *p) {
  v->noise_printed = 4.0 * p->lipschitz * p->eta / p->epsilon * dppair_paper_classical_(p);
  return dppair_paper_release_(v, 2.0 * p->lipschitz * p->eta, p, p->pure);
}

/* The epsilon at which SGD with this noise has at most the stated delta: bracketed by doubling,
 * then bisected from above to 1e-9 relative. */
DPPAIR_FN_ dppair_status dppair_paper_uas_epsilon_(double *epsilon, const dppair_uas *u,
                                                   double sigma, const dppair_paper *p) {
  double low = 0.0, high = p->epsilon, value;
  dppair_status status = DPPAIR_OK;
  int i;
  for (i = 0; status == DPPAIR_OK && i < 60; i++) {
    status = dppair_uas_delta_(&value, u, sigma, high);
    if (value <= p->delta) break;
    low = high;
    high *= 2.0;
  }
  for (i = 0; status == DPPAIR_OK && i < 60 && high - low > 1e-9 * high; i++) {
    const double middle = 0.5 * (low + high);
    status = dppair_uas_delta_(&value, u, sigma, middle);
    if (value <= p->delta)
      high = middle;
    else
      low = middle;
  }
  *epsilon = high;
  return status;
}

DPPAIR_FN_ dppair_status dppair_paper_yang2021_(dppair_paper_verdict *v, const dppair_paper *p) {
  const double t = (double)p->steps, log_et = 1.0 + dppair_log_(t);
  const double inverse = dppair_paper_log_(p), level = dppair_log_(2.0) + inverse;
  const double spread = t * log_et * level / (double)p->n;
  dppair_uas u;
  dppair_status status;
  memset(&u, 0, sizeof u);
  u.n = p->n;
  u.steps = p->steps;
  u.eta = p->eta;
  u.lipschitz = p->lipschitz;
  u.loss = DPPAIR_UAS_CONVEX;
  v->noise_printed = p->eta * p->lipschitz / p->epsilon *
                     dppair_sqrt_(8.0 * (dppair_log_(2.5) + inverse)) *
                     dppair_sqrt_(t + 3.0 * spread * spread);
  status = dppair_uas_sigma(&v->noise_needed, &u, p->epsilon, p->delta);
  if (status == DPPAIR_OK)
    status = dppair_uas_delta_(&v->true_delta, &u, v->noise_printed, p->epsilon);
  if (status == DPPAIR_OK)
    status = dppair_paper_uas_epsilon_(&v->true_epsilon, &u, v->noise_printed, p);
  return status;
}

/* The density exp(-|b| lambda n epsilon/(kappa^2 C_L)) has half the scale that the stability
 * 2 kappa^2 C_L/(lambda n) of one predicted value needs. */
DPPAIR_FN_ dppair_status dppair_paper_niewang2017_(dppair_paper_verdict *v, const dppair_paper *p) {
  const double n = (double)p->n;
  v->noise_printed = p->kappa * p->kappa * p->lipschitz / (p->lambda * n * p->epsilon);
  return dppair_paper_release_(v, 2.0 * p->kappa * p->kappa * p->lipschitz / (p->lambda * n), p, 1);
}

/* Noise is skipped for points of small influence. The run in which it is always skipped reveals
 * whether the differing record was ever drawn, which has probability 1 - (1-1/n)^T, at every
 * epsilon and for every constant c. No noise of this form suffices. */
DPPAIR_FN_ dppair_status dppair_paper_kang2023_(dppair_paper_verdict *v, const dppair_paper *p) {
  const double n = (double)p->n, t = (double)p->steps;
  v->noise_printed = p->lipschitz * dppair_sqrt_(t * dppair_paper_log_(p)) / (n * p->epsilon);
  v->noise_needed = v->true_epsilon = HUGE_VAL;
  v->true_delta = -dppair_expm1_(t * dppair_log1p_(-1.0 / n));
  return DPPAIR_OK;
}

/* The results in the order of DPPAIR_PAPER_TABLE: which have a variant with delta = 0, which
 * arguments must be > 0, and the function above. */
DPPAIR_FN_ dppair_status dppair_paper_evaluate_(dppair_paper_verdict *v, const dppair_paper *p) {
  enum {
    DPPAIR_NEEDS_NONE_ = 0,
    DPPAIR_HAS_PURE_ = 1,
    DPPAIR_NEEDS_ALPHA_ = 2,
    DPPAIR_NEEDS_ETA_ = 4,
    DPPAIR_NEEDS_KERNEL_ = 8
  };
  static const struct dppair_paper_row_ {
    int reads;
    dppair_status (*evaluate)(dppair_paper_verdict *v, const dppair_paper *p);
  } rows[DPPAIR_PAPER_COUNT_] = {
      {DPPAIR_NEEDS_NONE_, dppair_paper_kang2021_},
      {DPPAIR_NEEDS_NONE_, dppair_paper_kang2021_appendix_},
      {DPPAIR_HAS_PURE_ | DPPAIR_NEEDS_ALPHA_, dppair_paper_xue2021_alg1_},
      {DPPAIR_NEEDS_NONE_, dppair_paper_xue2021_alg2_},
      {DPPAIR_HAS_PURE_ | DPPAIR_NEEDS_ETA_, dppair_paper_xue2021_alg3_},
      {DPPAIR_NEEDS_ETA_, dppair_paper_yang2021_},
      {DPPAIR_HAS_PURE_ | DPPAIR_NEEDS_KERNEL_, dppair_paper_niewang2017_},
      {DPPAIR_NEEDS_NONE_, dppair_paper_kang2023_}};
  const int known = (int)p->result >= 0 && p->result < DPPAIR_PAPER_COUNT_;
  const int reads = known ? rows[p->result].reads : DPPAIR_NEEDS_NONE_;
  if (p->pure && !(reads & DPPAIR_HAS_PURE_)) return DPPAIR_ERR_NO_PROOF;
  if (!known || ((reads & DPPAIR_NEEDS_ALPHA_) && !(p->alpha > 0.0)) ||
      ((reads & DPPAIR_NEEDS_ETA_) && !(p->eta > 0.0)) ||
      ((reads & DPPAIR_NEEDS_KERNEL_) && !(p->lambda > 0.0 && p->kappa > 0.0)))
    return DPPAIR_ERR_DOMAIN;
  return rows[p->result].evaluate(v, p);
}

/*
 * *verdict on a printed noise at these arguments: n >= 2, steps >= 1, lipschitz and epsilon > 0,
 * delta in (0, 1) unless `pure` (niewang2017-prop1 has no delta), and what the result reads > 0.
 * Errors: NULL, NOT_FINITE, SIZE, DOMAIN, EPSILON, DELTA, NO_PROOF (no pure variant), OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_paper_check(dppair_paper_verdict *verdict,
                                                              const dppair_paper *paper) {
  dppair_paper_verdict v;
  dppair_status status;
  if (verdict == NULL) return DPPAIR_ERR_NULL;
  memset(verdict, 0, sizeof *verdict);
  if (paper == NULL) return DPPAIR_ERR_NULL;
  memset(&v, 0, sizeof v);
  if (!dppair_isfinite_f64(paper->lipschitz) || !dppair_isfinite_f64(paper->epsilon) ||
      !dppair_isfinite_f64(paper->delta) || !dppair_isfinite_f64(paper->alpha) ||
      !dppair_isfinite_f64(paper->eta) || !dppair_isfinite_f64(paper->lambda) ||
      !dppair_isfinite_f64(paper->kappa))
    return DPPAIR_ERR_NOT_FINITE;
  if (paper->n < 2 || paper->steps < 1) return DPPAIR_ERR_SIZE;
  if (!(paper->lipschitz > 0.0)) return DPPAIR_ERR_DOMAIN;
  if (!(paper->epsilon > 0.0)) return DPPAIR_ERR_EPSILON;
  if (!paper->pure && paper->result != DPPAIR_NIEWANG2017_PROP1 &&
      !(paper->delta > 0.0 && paper->delta < 1.0))
    return DPPAIR_ERR_DELTA;
  status = dppair_paper_evaluate_(&v, paper);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(v.noise_printed) || !(v.noise_printed > 0.0)) return DPPAIR_ERR_OVERFLOW;
  v.sufficient = v.noise_printed >= v.noise_needed ? 1 : 0;
  *verdict = v;
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

#endif /* DPPAIR_PAPERS_H */
#endif /* DPPAIR_DECLARE_ONLY */
