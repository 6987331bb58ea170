/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_l2ball.h - pure epsilon for vectors: noise of density exp(-|z|_2/scale) (version 0.1.0)
 *
 * With scale = (l2 sensitivity)/epsilon a release is epsilon-private, at delta = 0. The sensitivity
 * is the one that Gaussian noise needs, in the l2 norm. So pair gradients, and minimisers of
 * perturbed objectives, can be released at delta = 0.
 *
 *     #include "dppair_l2ball.h"               before the other headers; includes dppair_noise.h
 *     #include "dppair.h"                      and dppair_accountant.h; with these, releases
 *
 *     plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);            no draw
 *     plan.noise = DPPAIR_L2BALL;                a minimiser: DPPAIR_PURE_OBJECTIVE, ridge and trace
 *     plan.epsilon = 2.0, plan.steps = 10;                                   plan.delta stays 0
 *     if (dppair_release_open(&release, &account, &plan, NULL) != DPPAIR_OK) return 1;
 *     ... NAME_release, dppair_release_vector, dppair_release_minimiser ...
 *
 * FUNCTIONS
 *   noise      dppair_add_l2ball_f64, dppair_add_l2ball_f64_grid: the twin takes the fineness of
 *              the output grid
 *   test       dppair_l2ball_noise_check: known answers, as dppair_noise_check has for other laws
 *   accounts   dppair_accountant_step, plans, ledgers and releases know the kinds DPPAIR_L2BALL and
 *              DPPAIR_PURE_OBJECTIVE once this header is there
 *
 * The accountant has to know these kinds: this header comes before dppair_accountant.h, in every
 * file of a program that such an account passes through. A file without it refuses the kinds with
 * DPPAIR_ERR_MODULE. Beside another module that comes before the accountant too, define
 * DPPAIR_WITH_L2BALL before the first include.
 *
 * In d columns |z| is about d scale, where Gaussian noise has sqrt(d) sigma: small d, or epsilon
 * above 1, suit it. No claim about time is made. The proof is at the head of
 * modules/l2ball/mechanism.h, the construction of the noise in modules/l2ball/noise.h.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     67  core/freestanding.h                Without a C library: names for the time of one include
 *    116  core/quick.h                       What is compiled soon rather than fast: it begins
 *    140  modules/l2ball/mechanism.h         Noise of density exp(-|z|_2 / scale)
 *    192  core/quick_end.h                   What is compiled soon rather than fast: it ends
 *    203  modules/l2ball/noise.h             The l2 mechanism
 *           dppair_l2ball_noise_check dppair_add_l2ball_f64_grid dppair_add_l2ball_f64
 *    553  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_DECLARE_L2BALL_
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#else
#ifndef DPPAIR_L2BALL_H
#define DPPAIR_L2BALL_H

#ifndef DPPAIR_WITH_L2BALL /* beside modules like this one it is defined before them */
#define DPPAIR_WITH_L2BALL
#endif

#include "dppair_noise.h"
#include "dppair_accountant.h"

#ifndef DPPAIR_KNOWS_L2BALL_
#error "include dppair_l2ball.h first, or define DPPAIR_WITH_L2BALL before all headers"
#endif

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

/* ---- src/modules/l2ball/mechanism.h ---------------------------------------------------------
 * Noise of density exp(-|z|_2 / scale): l2 sensitivity / scale = 1 / multiplier
 *
 * Two outputs' densities differ by the factor exp((|z - s|_2 - |z|_2)/scale), which is at most
 * exp(|s|_2/scale) by the triangle inequality, in any number of columns. So the release is
 * epsilon-private with epsilon = sensitivity / scale at delta = 0, and is charged like the worst
 * such mechanism, which it does not attain.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FN_ dppair_status dppair_l2ball_check_(const dppair_step *step) {
  return dppair_plain_check_(step, DPPAIR_ERR_SIGMA);
}

DPPAIR_FN_ void dppair_l2ball_charge_(dppair_charge_ *charge, const dppair_step *step) {
  charge->pure = dppair_step_pure_(step);
  charge->attained = DPPAIR_ATTAINED_NEVER_;
}

DPPAIR_FN_ dppair_status dppair_l2ball_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp = dppair_pure_curve_(dppair_step_pure_(step), r->order);
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_l2ball_law_(dppair_law_ *law, const dppair_step *step,
                                            double tail) {
  (void)tail;
  return dppair_pure_atoms_(law, dppair_step_pure_(step));
}

/* --- A perturbed objective with such noise: proof in accountant/mechanisms/objective.h ---------- */

DPPAIR_FN_ dppair_status dppair_pure_objective_check_(const dppair_step *step) {
  return dppair_objective_check_(step);
}

DPPAIR_FN_ void dppair_pure_objective_charge_(dppair_charge_ *charge, const dppair_step *step) {
  charge->pure = dppair_step_pure_(step);
  charge->attained = DPPAIR_ATTAINED_NEVER_;
}

DPPAIR_FN_ dppair_status dppair_pure_objective_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp = dppair_pure_curve_(dppair_step_pure_(step), r->order);
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_pure_objective_law_(dppair_law_ *law, const dppair_step *step,
                                                    double tail) {
  (void)tail;
  return dppair_pure_atoms_(law, dppair_step_pure_(step));
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

/* ---- src/modules/l2ball/noise.h -------------------------------------------------------------
 * The l2 mechanism: density proportional to exp(-||z||_2 / scale) in n dimensions
 *
 * ||z|| / scale has the Gamma(n) law and the direction is uniform. So z = scale q N, where N is a
 * standard Gaussian vector and q = (sum over j <= n of -ln V_j) / ||N||. N comes from blocks as in
 * a Gaussian release; V_j is word j mod 16 of block j / 16 of the blocks that follow. ||N||^2 is
 * the sum of -2 ln U over pairs; only a pair with one sample needs its cosine. The factor q is
 * enclosed first; then each number is rounded as in the other releases.
 * ---------------------------------------------------------------------------------------------- */

/* Adds x to a sum that carries its own rounding error (Knuth's two-sum): after n additions of
 * positive numbers the relative error is 2u + n^2 u^2. */
DPPAIR_FN_ void dppair_sum_add_(double sum[2], double x) {
  double s = sum[0] + x, b = s - sum[0];
  sum[1] += (sum[0] - (s - b)) + (x - b);
  sum[0] = s;
}

/* -ln U of a string whose words 0 and 1 are given, from its first 96 bits, and a bound on its
 * error: 16u e from the logarithm (4u relative near U = 1, elsewhere 4u(1 + e) with e > 0.34), and
 * from the unread bits 2^-63 / U <= 2^-31 / w0, charged twice. */
DPPAIR_FN_ double dppair_exponential_bound_(double *error, const dppair_string_ *s, uint32_t w0,
                                            uint32_t w1) {
  uint32_t w[3];
  double e;
  dppair_string_read_(w, s, w0, w1, 0);
  e = dppair_exponential_f64_(w);
  *error = e > 0.0 ? DPPAIR_EXP2M_(49) * e + DPPAIR_EXP2M_(30) / (double)w0 : HUGE_VAL;
  return e;
}

/* How many samples of a pair < count exist in a block of `count` samples: 1 (the cosine) or 2. */
DPPAIR_FN_ unsigned dppair_pair_size_(unsigned pair, unsigned count) {
  return pair + 8 < count ? 2u : 1u;
}

/* Levels 0 and 1 of one block. */
DPPAIR_OUT_OF_LINE_ void dppair_two_levels_(uint32_t words[16], uint32_t more[16],
                                            const dppair_rng *rng, uint64_t block) {
  const int tier = dppair_noise_tier_();
  dppair_keystream_row_(words, rng, 0, block, 1, tier);
  dppair_keystream_row_(more, rng, 1, block, 1, tier);
}

/* ||N||^2 in double and a bound on its error; c^2 of a cosine is within 2^-50. */
DPPAIR_OUT_OF_LINE_ double dppair_l2_square_f64_(double *bound, size_t n, const dppair_rng *rng) {
  double sum[2] = {0.0, 0.0}, e, error;
  uint32_t words[16], more[16];
  dppair_string_ s, t;
  size_t i;
  unsigned j;
  *bound = 0.0;
  for (i = 0; i < n; i += 16) {
    const unsigned count = n - i < 16 ? (unsigned)(n - i) : 16u;
    dppair_two_levels_(words, more, rng, rng->block + i / 16);
    for (j = 0; j < 8 && j < count; j++) {
      double c = 1.0, unused;
      dppair_strings_(&s, &t, rng, rng->block + i / 16, j, DPPAIR_NOISE_GAUSSIAN_);
      e = 2.0 * dppair_exponential_bound_(&error, &s, words[s.lane], more[s.lane]);
      if (dppair_pair_size_(j, count) == 1)
        dppair_circle_f64_(&c, &unused, (uint64_t)words[t.lane] << 32 | more[t.lane]);
      dppair_sum_add_(sum, e * c * c);
      *bound += 2.0 * error + DPPAIR_EXP2M_(48) * e;
    }
  }
  return sum[0] + sum[1];
}

/* ||z|| / scale, the sum of n exponential variables, in double and a bound on its error. */
DPPAIR_OUT_OF_LINE_ double dppair_l2_length_f64_(double *bound, size_t n, const dppair_rng *rng) {
  double sum[2] = {0.0, 0.0}, e, error;
  uint32_t words[16], more[16];
  dppair_string_ s;
  size_t i;
  *bound = 0.0;
  s.rng = rng;
  for (i = 0; i < n; i += 16) {
    s.block = rng->block + dppair_blocks_(n) + i / 16;
    dppair_two_levels_(words, more, rng, s.block);
    for (s.lane = 0; s.lane < 16 && s.lane < n - i; s.lane++) {
      e = dppair_exponential_bound_(&error, &s, words[s.lane], more[s.lane]);
      dppair_sum_add_(sum, e);
      *bound += error;
    }
  }
  return sum[0] + sum[1];
}

/* q and a bound on its relative error, infinite when the double level cannot tell. The factor 1.01
 * covers the products of errors below 2^-20, and 2^-49 the rounding of sums, root and quotient. */
DPPAIR_FN_ void dppair_l2_factor_f64_(double *q, double *relative, size_t n,
                                      const dppair_rng *rng) {
  double square_error, length_error;
  const double norm2 = dppair_l2_square_f64_(&square_error, n, rng);
  const double rho = dppair_l2_length_f64_(&length_error, n, rng);
  *q = rho / dppair_sqrt_(norm2);
  *relative = 1.01 * (square_error / norm2 + length_error / rho) + DPPAIR_EXP2M_(49);
  if (!(*relative < DPPAIR_EXP2M_(20))) *relative = HUGE_VAL;
}

/* Encloses r = a / b; b->lo > 0. */
DPPAIR_OUT_OF_LINE_ void dppair_range_div_(dppair_range_ *r, const dppair_range_ *a,
                                           const dppair_range_ *b, unsigned places) {
  dppair_range_ q;
  dppair_fix_div_(&q.lo, &a->lo, &b->hi, places);
  dppair_fix_div_(&q.hi, &a->hi, &b->lo, places);
  dppair_fix_up_(&q.hi, &q.hi, 1, places);
  *r = q;
}

/* Encloses ||N||^2. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_l2_square_exact_(dppair_range_ *square, size_t n,
                                                                   const dppair_rng *rng,
                                                                   unsigned places) {
  dppair_range_ e;
  dppair_status status = DPPAIR_OK;
  dppair_string_ s, t;
  size_t i;
  unsigned j;
  memset(square, 0, sizeof *square);
  for (i = 0; i < n; i += 16) {
    const unsigned count = n - i < 16 ? (unsigned)(n - i) : 16u;
    for (j = 0; j < 8 && j < count && status == DPPAIR_OK; j++) {
      dppair_strings_(&s, &t, rng, rng->block + i / 16, j, DPPAIR_NOISE_GAUSSIAN_);
      if (dppair_pair_size_(j, count) == 2) {
        status = dppair_exponential_exact_(&e, &s, 0, places);
        dppair_range_add_(&e, &e, &e, places);
      } else {
        int negative;
        status = dppair_gaussian_exact_(&e, &negative, &s, &t, 0, places);
        dppair_range_mul_(&e, &e, &e, places);
      }
      dppair_range_add_(square, square, &e, places);
    }
  }
  return status;
}

/* Encloses ||z|| / scale. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_l2_length_exact_(dppair_range_ *length, size_t n,
                                                                   const dppair_rng *rng,
                                                                   unsigned places) {
  dppair_range_ e;
  dppair_status status = DPPAIR_OK;
  dppair_string_ s;
  size_t i;
  memset(length, 0, sizeof *length);
  s.rng = rng;
  for (i = 0; i < n && status == DPPAIR_OK; i++) {
    s.block = rng->block + dppair_blocks_(n) + i / 16;
    s.lane = (unsigned)(i % 16);
    status = dppair_exponential_exact_(&e, &s, 0, places);
    dppair_range_add_(length, length, &e, places);
  }
  return status;
}

/* Encloses q with `places` words after the point. *known is 0 when ||N||^2 may be 0, so that more
 * places are needed. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_l2_factor_exact_(dppair_range_ *q, int *known,
                                                                   size_t n, const dppair_rng *rng,
                                                                   unsigned places) {
  dppair_range_ square, length;
  dppair_status status = dppair_l2_square_exact_(&square, n, rng, places);
  unsigned j, any = 0;
  if (status == DPPAIR_OK) status = dppair_l2_length_exact_(&length, n, rng, places);
  for (j = 0; j < places + 2; j++) any |= square.lo.w[j];
  *known = any != 0;
  if (status != DPPAIR_OK || !*known) return status;
  dppair_range_sqrt_(&square, &square, places);
  dppair_range_div_(q, &length, &square, places);
  return DPPAIR_OK;
}

/* The factor q in double, and enclosed at each precision of the last level when first needed. */
typedef struct dppair_l2_ {
  double q, relative;
  dppair_range_ exact[DPPAIR_FIX_MAX_ / 4];
  int known[DPPAIR_FIX_MAX_ / 4], tried[DPPAIR_FIX_MAX_ / 4];
} dppair_l2_;

/* *k = round(rest + s q N_p) by the last level. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status dppair_l2_exact_(double *k, double rest,
                                                                     double s, size_t p,
                                                                     dppair_l2_ *l2, size_t n,
                                                                     const dppair_rng *rng) {
  dppair_status status = DPPAIR_OK;
  dppair_string_ u, t;
  unsigned places, at;
  dppair_strings_(&u, &t, rng, rng->block + p / 16, (unsigned)(p % 16), DPPAIR_NOISE_GAUSSIAN_);
  for (places = 4; places <= DPPAIR_FIX_MAX_; places += 4) {
    dppair_range_ z;
    int negative = 0;
    at = places / 4 - 1;
    if (!l2->tried[at])
      status = dppair_l2_factor_exact_(&l2->exact[at], &l2->known[at], n, rng, places);
    if (status != DPPAIR_OK) return status;
    l2->tried[at] = 1;
    if (!l2->known[at]) continue;
    status = dppair_gaussian_exact_(&z, &negative, &u, &t, p % 16 / 8, places);
    if (status != DPPAIR_OK) return status;
    dppair_range_mul_(&z, &z, &l2->exact[at], places);
    if (dppair_round_exact_(k, rest, s, &z, negative, places)) return DPPAIR_OK;
  }
  return DPPAIR_ERR_EXHAUSTED;
}

/* Adds noise to block number b and rounds. tau is the sum of s q 2^-45 (twice the error of the
 * Gaussian), |y - rest| times twice the relative error of q plus 2^-50, and 2^-51 |y|. When tau is
 * 1/4 or more, or U begins with 32 zeros, the last level decides. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_l2_block_(double *x, size_t b,
                                                            const dppair_plan_ *plan,
                                                            dppair_l2_ *l2, size_t n,
                                                            const dppair_rng *rng) {
  uint32_t words[16], more[16];
  dppair_status status = DPPAIR_OK;
  unsigned i;
  dppair_two_levels_(words, more, rng, rng->block + b);
  for (i = 0; i < 16 && i < n - 16 * b && status == DPPAIR_OK; i++) {
    const size_t p = 16 * b + i;
    dppair_string_ u, t;
    uint32_t w[3];
    double e, z[2], whole, rest, k, noise, y, tau;
    dppair_strings_(&u, &t, rng, rng->block + b, i, DPPAIR_NOISE_GAUSSIAN_);
    dppair_string_read_(w, &u, words[u.lane], more[u.lane], 0);
    e = dppair_exponential_f64_(w);
    dppair_circle_f64_(&z[0], &z[1], (uint64_t)words[t.lane] << 32 | more[t.lane]);
    status = dppair_split_(&whole, &rest, x[p], plan);
    if (status != DPPAIR_OK) break;
    noise = plan->s * (l2->q * (dppair_sqrt_(2.0 * dppair_fabs_(e)) * z[i / 8]));
    y = rest + noise;
    tau = DPPAIR_EXP2M_(45) * plan->s * l2->q +
          dppair_fabs_(noise) * (2.0 * l2->relative + DPPAIR_EXP2M_(50)) +
          DPPAIR_EXP2M_(51) * dppair_fabs_(y);
    if (!(e > 0.0) || !(tau < 0.25) || !dppair_round_certain_(&k, y, tau))
      status = dppair_l2_exact_(&k, rest, plan->s, p, l2, n, rng);
    if (status == DPPAIR_OK) dppair_put_one_(x, p, 0, (whole + k) * plan->g);
  }
  return status;
}

/* The mechanism, whose answers may not be known yet. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_l2ball_add_(double *x, size_t n, double scale,
                                                     int log2_ratio, int tier, dppair_rng *rng) {
  dppair_l2_ l2;
  dppair_plan_ plan;
  dppair_rng use;
  size_t b;
  dppair_status status;
  memset(&l2, 0, sizeof l2);
  memset(&use, 0, sizeof use);
  memset(&plan, 0, sizeof plan); /* a Gaussian's grid, and none of its levels */
  plan.tier = tier;
  status = dppair_plan_grid_(&plan, scale, log2_ratio);
  if (status == DPPAIR_OK) /* scale is in range: now the grid of scale sqrt(n) */
    status = dppair_plan_grid_(&plan, scale * dppair_sqrt_((double)(n + (n == 0))), log2_ratio);
  plan.s = scale * plan.inverse;
  if (status == DPPAIR_OK && (double)n >= 1099511627776.0) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_rng_take_(&use, 2 * dppair_blocks_(n), rng);
  if (status == DPPAIR_OK && n > 0) dppair_l2_factor_f64_(&l2.q, &l2.relative, n, &use);
  for (b = 0; b < dppair_blocks_(n) && status == DPPAIR_OK; b++)
    status = dppair_l2_block_(x, b, &plan, &l2, n, &use);
  if (status == DPPAIR_OK && !dppair_on_grid_(x, n, 0, plan.exponent))
    status = DPPAIR_ERR_ENVIRONMENT;
  if (status != DPPAIR_OK && n > 0) memset(x, 0, n * sizeof *x);
  return status;
}

enum { DPPAIR_TRIAL_L2_ = 18 }; /* more than a block */

/* The trial of it, what it gives on every tier: the default grid, and one so fine that the last
 * level has some of the numbers. */
#define DPPAIR_ANSWER_L2BALL_ UINT64_C(0x9ab00cd8a1acb786)
DPPAIR_OUT_OF_LINE_ dppair_status dppair_trial_l2ball_(uint64_t *h, int tier) {
  dppair_rng rng;
  double x[DPPAIR_TRIAL_L2_];
  dppair_status status;
  dppair_trial_key_(&rng, DPPAIR_CHACHA20);
  dppair_trial_input_(x, 5, 0);
  status = dppair_l2ball_add_(x, 5, 1.7, DPPAIR_GRID_DEFAULT, tier, &rng);
  *h = dppair_trial_mix_(0, x, 5, 0);
  dppair_trial_input_(x, DPPAIR_TRIAL_L2_, 0);
  if (status == DPPAIR_OK) status = dppair_l2ball_add_(x, DPPAIR_TRIAL_L2_, 1.7, 40, tier, &rng);
  *h = dppair_trial_mix_(*h, x, DPPAIR_TRIAL_L2_, 0);
  return status;
}

/* What dppair_noise_check is for the laws of dppair_noise.h: DPPAIR_OK when this build on this
 * machine gives the known bits on each of its tiers; else SELF_TEST (or ENVIRONMENT). The first
 * call that adds such noise runs it. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_l2ball_noise_check(void) {
  dppair_status status = dppair_streams_tried_();
  int tier;
  for (tier = DPPAIR_MIN_TIER; tier <= dppair_noise_tier_() && status == DPPAIR_OK; tier++) {
    uint64_t h;
    status = dppair_trial_l2ball_(&h, tier);
    if (status == DPPAIR_OK && h != DPPAIR_ANSWER_L2BALL_) status = DPPAIR_ERR_SELF_TEST;
  }
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  return status;
}

DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_l2ball_tried_(void) {
  static dppair_known_ known;
  return dppair_tried_once_(&known, dppair_l2ball_noise_check);
}

DPPAIR_OUT_OF_LINE_ dppair_status dppair_l2ball_work_(double *x, size_t n, double scale,
                                                      int log2_ratio, int tier, dppair_rng *rng) {
  dppair_status status = dppair_array_(x, n);
  if (status != DPPAIR_OK) return status;
  status = dppair_l2ball_tried_();
  if (status == DPPAIR_OK) return dppair_l2ball_add_(x, n, scale, log2_ratio, tier, rng);
  if (n > 0) memset(x, 0, n * sizeof *x);
  return status;
}

/*
 * Adds a vector z with density proportional to exp(-||z||_2 / scale) to x and rounds to a grid.
 * With scale = (l2 sensitivity) / epsilon the guarantee is pure epsilon, exactly. The grid follows
 * the size of one coordinate, scale sqrt(n): g = 2^j with g <= scale sqrt(n) / 2^log2_ratio < 2g.
 * Errors as for dppair_add_gaussian_f64_grid, and SIZE for n >= 2^40. On any error x is 0.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_l2ball_f64_grid(double *x, size_t n,
                                                                      double scale, int log2_ratio,
                                                                      dppair_rng *rng) {
  dppair_status status;
  if (DPPAIR_AUDITED_(
          (DPPAIR_EVENT_ADD, "l2ball", x, n, sizeof *x, NULL, scale, 0.0, NULL, rng, DPPAIR_OK)))
    return DPPAIR_OK;
  status = dppair_l2ball_work_(x, n, scale, log2_ratio, dppair_noise_tier_(), rng);
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  (void)DPPAIR_AUDITED_(
      (DPPAIR_EVENT_ADDED, "l2ball", x, n, sizeof *x, NULL, scale, 0.0, NULL, rng, status));
  return status;
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_l2ball_f64(double *x, size_t n, double scale,
                                                                 dppair_rng *rng) {
  return dppair_add_l2ball_f64_grid(x, n, scale, DPPAIR_GRID_DEFAULT, rng);
}

/* The noise of a release. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_l2ball_noise_(double *v, size_t n, double scale,
                                                                int log2_ratio, dppair_rng *rng) {
  return dppair_add_l2ball_f64_grid(v, n, scale, log2_ratio, rng);
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

#endif /* DPPAIR_L2BALL_H */
#endif /* DPPAIR_DECLARE_ONLY */
