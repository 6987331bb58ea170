/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_filters.h - budgets that are asked before each step (version 0.1.0)
 *
 * A plan knows its steps and its noise beforehand. If they follow what earlier steps said, a filter
 * is asked before each one, and ends the run; what it holds is (epsilon, delta) of everything,
 * however the steps were chosen. An individual filter charges each record what it adds itself, and
 * drops it for good when its own budget is used up.
 *
 *     #include "dppair_filters.h"              includes dppair_accountant.h
 *
 *     dppair_filter_init(&filter, 1.0, 1e-5, 0.0);                         (1, 1e-5) in all
 *     while (dppair_filter_step(&filter, spend) == DPPAIR_OK)              (move/sigma)^2 or more
 *       ... one release with this noise, from which the next is chosen ...
 *
 * FUNCTIONS
 *   all records     dppair_filter_init, dppair_filter_step
 *   each record     dppair_individual_budget, dppair_individual_step: of pair gradients;
 *                   dppair_individual_sum_step: of sums of one vector a record
 *   types           dppair_filter
 *
 * Steps are Gaussian. Who is still in an individual filter, and how many, stays private. Errors
 * leave no budget. The proofs are in modules/filters/filters.h, below.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     49  core/freestanding.h                Without a C library: names for the time of one include
 *     97  core/quick.h                       What is compiled soon rather than fast: it begins
 *    121  modules/filters/filters.h          Filters
 *           dppair_filter_init dppair_filter_step dppair_individual_budget dppair_individual_step
 *           dppair_individual_sum_step
 *    309  core/quick_end.h                   What is compiled soon rather than fast: it ends
 *    318  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_DECLARE_FILTERS_
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#else
#ifndef DPPAIR_FILTERS_H
#define DPPAIR_FILTERS_H

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

/* ---- src/modules/filters/filters.h ----------------------------------------------------------
 * Filters: budgets for steps that are chosen from earlier outputs
 *
 * A filter stops a run before its budget is exceeded; the individual filter keeps a budget per
 * record. Relies on gaussian_curve.h and account.h.
 * ---------------------------------------------------------------------------------------------- */

/*
 * A Renyi filter (Feldman and Zrnic 2021; Lecuyer 2021): the parameters of a step may depend on
 * earlier outputs, and the run stops before the sum of the divergences of one order, which is fixed
 * in advance, exceeds the budget. order = 0 is for Gaussian steps, which spend mu^2; the whole run
 * is then exactly sqrt(budget)-Gaussian. (Proof: pad the transcript with one Gaussian that uses up
 * the budget. The log-likelihood ratio then has conditionally Gaussian increments with a constant
 * total variance.)
 */
typedef struct dppair_filter {
  double order, budget, spent;
} dppair_filter;

/* Sets the budget that makes the whole run (epsilon, delta)-private. order = 0 or > 1. Errors:
 * NULL, ENVIRONMENT, NOT_FINITE, EPSILON, DELTA, DOMAIN (order), EXHAUSTED: at this order nothing
 * is left to spend. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_filter_init(dppair_filter *f, double epsilon,
                                                              double delta, double order) {
  double budget;
  if (f == NULL) return DPPAIR_ERR_NULL;
  f->order = f->budget = f->spent = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(delta) || !dppair_isfinite_f64(order))
    return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (!(delta > 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  if (order <= 0.0 && order >= 0.0) {
    double mu;
    const dppair_status status = dppair_gaussian_mu(&mu, epsilon, delta);
    if (status != DPPAIR_OK) return status;
    budget = dppair_down_(dppair_down_(mu * mu));
    if (!dppair_isfinite_f64(budget)) return DPPAIR_ERR_EPSILON;
  } else {
    if (!(order > 1.0)) return DPPAIR_ERR_DOMAIN;
    budget = epsilon - dppair_log1p_(-1.0 / order) +
             (dppair_log_(delta) + dppair_log_(order)) / (order - 1.0);
    budget -= 1e-13 * (1.0 + epsilon + 800.0 / (order - 1.0));
    if (!(budget > 0.0)) return DPPAIR_ERR_EXHAUSTED;
  }
  f->order = order;
  f->budget = budget;
  return DPPAIR_OK;
}

/* Call this BEFORE a step that costs `spend` (mu^2, or the divergence of the filter's order). OK:
 * the step has been charged. EXHAUSTED: nothing was charged, and the step must not run. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_filter_step(dppair_filter *f, double spend) {
  double total;
  if (f == NULL) return DPPAIR_ERR_NULL;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(spend)) return DPPAIR_ERR_NOT_FINITE;
  if (spend < 0.0) return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(f->budget) || !(f->spent >= 0.0)) return DPPAIR_ERR_DOMAIN;
  total = dppair_add_up_(f->spent, spend);
  if (!(total <= f->budget)) return DPPAIR_ERR_EXHAUSTED;
  f->spent = total;
  return DPPAIR_OK;
}

/*
 * The individual filter for full-batch PAIRWISE gradient descent. Every record has the same budget
 * B and is charged only what it can cost itself; a record whose budget does not cover a step is
 * dropped for good, with all its pairs. Public are n, the number of steps, which is fixed in
 * advance, step sizes, sigma, B, the domain, the loss and the start.
 *
 * Before step t, for every record i that is still active, compute g_i = sup over z' in the domain
 * of
 * || (grad l(z_i,z') + grad l(z',z_i))/2 || at the released w_t, from z_i and public quantities
 * only, NEVER from the other records, and charge r_i = 2 g_i^2/(n^2 sigma^2). Then release w_t -
 * eta ( (1/(n(n-1))) sum over pairs with both ends active + N(0, sigma^2 I) ); n(n-1) must not be
 * replaced by the number of active pairs.
 *
 * CLAIM. If one record is zeroed (its pairs contribute nothing, n stays), the whole transcript is
 * B-zCDP and sqrt(2B)-Gaussian, in both directions. If one record is replaced, it is 2 sqrt(2B)-
 * Gaussian, for the two-level ranking losses 2 sqrt(B). This is one guarantee for everybody, not a
 * smaller epsilon for small records. Do not release the charges, who is active, how many are, or
 * training losses: they are not covered.
 * Proof. Given the outputs so far, the flags of all j != i are the same in both runs, because they
 * are functions of z_j and the outputs. So the means differ by (2/N) sum over active j of gbar_ij,
 * N = n(n-1), which is predictable and has a norm of at most 2 g_i/n; the squares always sum to at
 * most 2B; pad with one Gaussian as for dppair_filter. (To charge a record for its ACTUAL pairs is
 * unsound: then its presence changes who else is dropped, and nobody is charged for that.)
 */

/* *budget: the B that gives (epsilon, delta) under this adjacency, rounded down. ranking != 0: a
 * two-level ranking loss, for which replacing a record costs half. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_individual_budget(double *budget, double epsilon,
                                                                    double delta,
                                                                    dppair_adjacency adjacency,
                                                                    int ranking) {
  double mu;
  dppair_status status;
  if (budget == NULL) return DPPAIR_ERR_NULL;
  *budget = 0.0;
  status = dppair_adjacency_records_(adjacency);
  if (status == DPPAIR_OK) status = dppair_gaussian_mu(&mu, epsilon, delta);
  if (status != DPPAIR_OK) return status;
  *budget = dppair_down_(
      dppair_down_(mu * mu / (adjacency == DPPAIR_ZERO_OUT ? 2.0 : (ranking ? 4.0 : 8.0))));
  return DPPAIR_OK;
}

/* Charges factor (norm[i]/unit)^2 to every active record, or drops the record. */
DPPAIR_FN_ dppair_status dppair_individual_charge_(double *spent, unsigned char *active,
                                                   const double *norm, size_t n, double factor,
                                                   double unit, double sigma, double budget) {
  dppair_status status = dppair_array_(active, n);
  size_t i;
  if (status != DPPAIR_OK) return status;
  if (spent == NULL || active == NULL || norm == NULL)
    status = DPPAIR_ERR_NULL;
  else if (n < 2)
    status = DPPAIR_ERR_SIZE;
  else if (!dppair_isfinite_f64(sigma) || !(sigma > 0.0) || !dppair_isfinite_f64(unit))
    status = DPPAIR_ERR_SIGMA;
  else if (!dppair_isfinite_f64(budget) || !(budget >= 0.0))
    status = DPPAIR_ERR_DOMAIN;
  else
    status = dppair_environment_check();
  if (status != DPPAIR_OK) { /* fail closed */
    if (n > 0) memset(active, 0, n);
    return status;
  }
  for (i = 0; i < n; i++) {
    double ratio, total;
    if (!active[i]) continue;
    ratio = norm[i] / unit;
    total = dppair_isfinite_f64(ratio) && ratio >= 0.0 && spent[i] >= 0.0
                ? (spent[i] + factor * ratio * ratio) * (1.0 + 2e-15)
                : DBL_MAX;
    if (total <= budget)
      spent[i] = total;
    else
      active[i] = 0;
  }
  return DPPAIR_OK;
}

/*
 * One step of the filter: charges g[i] to every active record, or drops the record. spent[n] starts
 * at 0 and active[n] at 1; both are secret. A g[i] or spent[i] that is not a finite number >= 0
 * drops the record too. Errors: NULL, SIZE (n < 2), SIGMA (n sigma is no number, too), DOMAIN
 * (budget), ENVIRONMENT, which make all records inactive; OVERFLOW (no array has n bytes), which
 * leaves `active` alone.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_individual_step(double *spent,
                                                                  unsigned char *active,
                                                                  const double *g, size_t n,
                                                                  double sigma, double budget) {
  return dppair_individual_charge_(spent, active, g, n, 2.0, (double)n * sigma, sigma, budget);
}

/*
 * The same for a sum of vectors of one record each, as pairs made pointwise are (NAME_coeffs_from_
 * histogram), with what a record ACTUALLY adds. The statistic is the sum over active records of
 * a_i, with N(0, sigma^2 I); a_i depends on record i, on public numbers and on what was RELEASED
 * before, and norm[i] = |a_i|, as it stands in the statistic (clip(c_i v_i)/n in a mean gradient),
 * with its rounding. Each active record is charged norm[i]^2/(2 sigma^2) or dropped for good. A
 * histogram of scores is such a sum: every active record has norm 1 and sigma is the scale of its
 * noise. A dropped record leaves later histograms as well as later gradients (weight 0).
 *
 * Coefficients must come from the histogram WITH its noise. Those of its exact counts, or of all
 * pairs, depend on the other records: then a record changes what others are charged and who is
 * dropped, and nobody pays for that.
 *
 * CLAIM and budget: those of the filter above, for a loss that is not a ranking loss
 * (dppair_individual_budget, ranking = 0): with a record zeroed the transcript is sqrt(2 B)-
 * Gaussian; with one replaced by another it is 2 sqrt(2 B)-Gaussian.
 * Proof. Given the outputs so far, flags and vectors of all j != i are the same in both runs, so
 * the means differ by a_i while record i is active, and by nothing afterwards; the squares sum to
 * at most 2 B sigma^2. Where it is replaced they differ by a_i - a'_i, whose squares sum to at most
 * 2 B (1 + 1)^2 sigma^2 by Minkowski's inequality. Padding: as for dppair_filter.
 * Arguments and errors: dppair_individual_step.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_individual_sum_step(double *spent,
                                                                      unsigned char *active,
                                                                      const double *norm, size_t n,
                                                                      double sigma, double budget) {
  return dppair_individual_charge_(spent, active, norm, n, 0.5, sigma, sigma, budget);
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

#endif /* DPPAIR_FILTERS_H */
#endif /* DPPAIR_DECLARE_ONLY */
