/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_shares.h - sums over sites that do not show their records (version 0.1.0)
 *
 * Each site makes its sum of vectors integers and adds its part of the noise. Secure aggregation
 * adds these shares modulo 2^bits, and only the sum may be seen. The noise is Skellam noise: a sum
 * of Skellam variables is one again, so that the parts of the sites add up to the whole.
 *
 *     #include "dppair_shares.h"               before the other headers; includes dppair_noise.h
 *                                              and dppair_accountant.h
 *
 *     plan.noise = DPPAIR_SKELLAM;               the plan's other fields as ever
 *     if (dppair_calibrate(&plan, &account, &composer) != DPPAIR_OK) return 1;
 *     if (dppair_release_open(&release, &account, &plan, NULL) != DPPAIR_OK) return 1;
 *     s = dppair_integers_open(&q, sum, d, DPPAIR_QUANTISED_TRUNCATED, 0x1p20, radius, 0);
 *     for (i = 0; i < n && !s; i++) s = dppair_quantise(&q, record[i], NULL);
 *     if (!s) s = dppair_release_share(share, &release, &q, honest, 32);     to be added, not seen
 *     ... secure aggregation adds the shares modulo 2^32 ...
 *     if (!s) s = dppair_shares_value(v, total, d, 32, 0x1p20);              v may be published
 *
 * FUNCTIONS
 *   integers     dppair_integers_open, dppair_quantise: sums of numbers, made integers;
 *                dppair_sensitivity_quantised: how far one record moves them
 *   shares       dppair_release_share, dppair_release_share_variance; dppair_shares_add,
 *                dppair_shares_value: of a sum of shares
 *   noise        dppair_skellam, dppair_add_skellam, dppair_add_skellam_share: exact draws;
 *                dppair_shares_check: known answers, as dppair_noise_check has for other laws
 *   accounts     dppair_accountant_skellam; dppair_skellam_sigma, dppair_skellam_variance: Skellam
 *                noise as Gaussian noise of the Renyi orders; dppair_skellam_wrap: how likely a
 *                number passes the modulus. Plans, ledgers and answers know the kinds
 *                DPPAIR_SKELLAM and DPPAIR_SAMPLED_SKELLAM once this header is there
 *   types        dppair_integers  dppair_quantised
 *
 * The accountant has to know these kinds: this header comes before dppair_accountant.h, in every
 * file of a program that such an account passes through. A file without it refuses the kinds with
 * DPPAIR_ERR_MODULE. Beside another module that comes before the accountant too, define
 * DPPAIR_WITH_SHARES before the first include.
 *
 * The proofs are at the heads of modules/shares/mechanism.h, skellam.h, quantise.h and share.h.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     89  core/freestanding.h                Without a C library: names for the time of one include
 *    138  core/quick.h                       What is compiled soon rather than fast: it begins
 *    162  modules/shares/mechanism.h         Skellam noise on integers
 *    255  modules/shares/integers.h          Integer noise
 *           dppair_skellam_sigma dppair_skellam_variance dppair_accountant_skellam
 *           dppair_sensitivity_quantised dppair_skellam_wrap
 *    432  core/quick_end.h                   What is compiled soon rather than fast: it ends
 *    443  modules/shares/skellam.h           Skellam noise on integers, exactly
 *    777  modules/shares/noise.h             Skellam noise: its self-test, and what adds it
 *           dppair_shares_check dppair_skellam dppair_add_skellam dppair_add_skellam_share
 *    907  modules/shares/quantise.h          Sums of numbers as integers
 *           dppair_integers_open dppair_quantise
 *   1099  modules/shares/share.h             A site's share of a release
 *           dppair_release_share_variance dppair_release_share dppair_shares_add
 *           dppair_shares_value
 *   1278  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_DECLARE_SHARES_
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#else
#ifndef DPPAIR_SHARES_H
#define DPPAIR_SHARES_H

#ifndef DPPAIR_WITH_SHARES /* beside modules like this one it is defined before them */
#define DPPAIR_WITH_SHARES
#endif

#include "dppair_noise.h"
#include "dppair_accountant.h"

#ifndef DPPAIR_KNOWS_SHARES_
#error "include dppair_shares.h first, or define DPPAIR_WITH_SHARES before all headers"
#endif

#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#define DPPAIR_CORE_ONLY_   /* of dppair.h plans and releases alone */
#include "dppair.h"
#undef DPPAIR_CORE_ONLY_
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

/* ---- src/modules/shares/mechanism.h ---------------------------------------------------------
 * Skellam noise on integers
 *
 * Sk(m), the difference of two Poisson variables of mean m/2, on every coordinate of an integer
 * vector that a record moves by D at most in l2 norm. The multiplier is z = 1/(D sqrt kappa), kappa
 * = 2 ln(I_0(m)/I_1(m)) (dppair_skellam_sigma over D). Then with c = 1/z^2, f the fraction of a,
 *
 *   Renyi(a) <= c (a/2 + f (1 - f)/(2 (a - 1))),
 *
 * the Gaussian's curve a c/2 at every whole order.
 *
 * Proof. The law's pmf is e^-m I_|x|(m); put V = -ln of it. I_{x-1} I_{x+1}/I_x^2 is E cos 2t for t
 * in [0, pi/2] of density proportional to I_{2x}(2m cos t) (Neumann), which is more concentrated
 * near 0 the larger x >= 0 is, since I_{2x+2}/I_{2x} grows with its argument. So the second
 * difference of V is largest at 0, where it is kappa. For a move by k let L(x) = V(x+k) - V(x);
 * then L(x-k) >= L(x) - kappa k^2. M(b) = E e^(-b L(X)) has M(0) = M(1) = 1 and M(b+1) = sum p(x)
 * e^(-b L(x-k)) <= e^(b kappa k^2) M(b), hence M(a) <= e^(kappa k^2 a(a-1)/2) at whole a, and
 * e^((a-1) Renyi(a)) = M(a). ln M is convex: between whole orders it is below the chord.
 * Coordinates add up.
 *
 * Poisson samples, zero-out (sampled_skellam): at whole orders the curve of the sampled Gaussian of
 * this multiplier, in both directions. The mixture first: expand (1 - q + q r)^a and use the above
 * for each power of r = P_1/P_0. The other direction is smaller, as it is for every pair that an
 * involution (here x -> k - x) exchanges: with x = 1 - q + q r, y = 1 - q + q/r and h(t) = t^a -
 * t^(1-a) the difference is E_0[h(x) + r h(y)]/2, and for r >= 1 x >= 1/y and sqrt(x) sinh((a -
 * 1/2) ln x) >= r sqrt(y) sinh((a - 1/2) ln(1/y)), an equality at a = 1 whose sides' ratio grows
 * with a. Between whole orders by convexity again.
 *
 * No pair of laws is known to dominate: accounts answer by the Renyi orders. It is not the Gaussian
 * mechanism, and not z-CDP at orders between whole ones. Samples without replacement have no proof.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FN_ dppair_status dppair_skellam_check_(const dppair_step *step) {
  return dppair_plain_check_(step, DPPAIR_ERR_SIGMA);
}

DPPAIR_FN_ void dppair_skellam_charge_(dppair_charge_ *charge, const dppair_step *step) {
  (void)step;
  charge->attained = DPPAIR_ATTAINED_NEVER_;
}

DPPAIR_FN_ dppair_status dppair_skellam_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  const double z = step->noise_multiplier, part = r->order - dppair_floor_(r->order);
  r->rdp = (0.5 * r->order + 0.5 * part * (1.0 - part) / (r->order - 1.0)) / z / z;
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_skellam_law_(dppair_law_ *law, const dppair_step *step,
                                             double tail) {
  (void)law;
  (void)step;
  (void)tail;
  return DPPAIR_ERR_NO_PROOF;
}

/* --- Poisson samples -------------------------------------------------------------------------- */

DPPAIR_FN_ dppair_status dppair_sampled_skellam_check_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  const dppair_status status = dppair_amplified_check_(step, s->kind == DPPAIR_POISSON);
  if (status != DPPAIR_OK) return status;
  if (step->pair_rate != 0.0) return DPPAIR_ERR_UNREAD;
  return dppair_sampling_fields_(s);
}

DPPAIR_FN_ void dppair_sampled_skellam_charge_(dppair_charge_ *charge, const dppair_step *step) {
  dppair_skellam_charge_(charge, step);
}

/* The logarithm of the moment, (a - 1) times the curve, on the chord of the whole orders around a.
 */
DPPAIR_FN_ dppair_status dppair_sampled_skellam_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  const double low = dppair_floor_(r->order), part = r->order - low;
  dppair_hit_law_ law;
  dppair_hits_ hits;
  double log_moment = 0.0;
  dppair_status status;
  dppair_hit_law_once_(&law, &step->sampling, 1.0 / step->noise_multiplier);
  dppair_hit_law_poisson_(&law, &step->sampling);
  status = dppair_hits_make_(&hits, &law, 0, 0.0, 0, DPPAIR_HIT_CAPACITY_);
  if (status != DPPAIR_OK) return status;
  dppair_hits_raise_(&hits);
  if (low > 1.0) log_moment = (1.0 - part) * (low - 1.0) * dppair_renyi_hits_(&hits, low);
  if (part > 0.0) log_moment += part * low * dppair_renyi_hits_(&hits, low + 1.0);
  r->rdp = log_moment / (r->order - 1.0);
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_sampled_skellam_law_(dppair_law_ *law, const dppair_step *step,
                                                     double tail) {
  return dppair_skellam_law_(law, step, tail);
}

/* ---- src/modules/shares/integers.h ----------------------------------------------------------
 * Integer noise: the variance of Skellam noise, quantised sensitivities, wrap-around
 *
 * Sums of integers are what several sites can add up without seeing each other's: each adds Skellam
 * noise of its share of the variance, and the sum is Skellam of all of it. Relies on
 * mechanism.h. quantise.h makes the integers, skellam.h the noise.
 * ---------------------------------------------------------------------------------------------- */

/* How numbers become integers. TRUNCATED: each record's, towards 0. ROUNDED: to the nearest
 * integer, or floor(x + u) with one public u in [0,1)^d for all: each record's, or each site's sum
 * once. RANDOMLY: floor(x + u) with private u, drawn by each site for its sum. */
typedef enum dppair_quantised {
  DPPAIR_QUANTISED_TRUNCATED = 1,
  DPPAIR_QUANTISED_ROUNDED = 2,
  DPPAIR_QUANTISED_RANDOMLY = 3
} dppair_quantised;

#define DPPAIR_SKELLAM_LEAST_ 1e-6 /* variances that are tried */
#define DPPAIR_SKELLAM_MOST_ 1e18

/*
 * An upper end of kappa = 2 ln(I_0(m)/I_1(m)), within 1e-9, for m > 2e5 within 8e-6. With r_v =
 * I_{v+1}/I_v the recurrence of the Bessel functions is 1/r_v = 2(v+1)/m + r_{v+1}; for e = 1 - r
 * in [0, 1] it is e_v = (c - e_{v+1})/(1 + c - e_{v+1}), c = 2(v+1)/m. So bounds of e_N give bounds
 * of e_1, alternately, and each step shortens their distance by r^2, in all by about e^(-N^2/m);
 * kappa = 2 log(2/m + 1 - e_1). Large m: I_1/I_0 >= m/(1/2 + sqrt(m^2 + 9/4)) (Amos 1974).
 */
DPPAIR_FN_ double dppair_skellam_kappa_(double m) {
  const double slip = 4.0 * DBL_EPSILON;
  double low = 0.0, high = 1.0, v;
  if (m > 2e5)
    return 2.0 * dppair_log1p_((0.5 + 2.25 / (dppair_sqrt_(m * m + 2.25) + m)) / m) *
           (1.0 + 16.0 * DBL_EPSILON);
  for (v = dppair_ceil_(6.0 * dppair_sqrt_(m)) + 16.0; v >= 1.0; v -= 1.0) {
    const double c = 2.0 * (v + 1.0) / m, remote = c * (1.0 - slip) - high,
                 nearby = c * (1.0 + slip) - low;
    low = remote > 0.0 ? remote / (1.0 + remote) * (1.0 - slip) : 0.0;
    high = nearby > 0.0 ? nearby / (1.0 + nearby) * (1.0 + slip) : 0.0;
    if (high > 1.0) high = 1.0;
  }
  return 2.0 * dppair_log1p_((2.0 / m - low) * (1.0 + slip)) * (1.0 + slip);
}

/*
 * *sigma = 1/sqrt(kappa), rounded down: Skellam noise of this variance on every coordinate of an
 * integer vector has, at whole Renyi orders, a curve of at most that of Gaussian noise of standard
 * deviation sigma (mechanism.h); sigma^2 is a little above variance - 1/2 - 1/variance. It takes no l1 sensitivity and no dimension. Of N shares of which h are sure to arrive, and are not
 * known to anybody, h/N of the variance counts. variance in [1e-6, 1e18]. Errors zero *sigma: NULL,
 * NOT_FINITE, DOMAIN, ENVIRONMENT.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_skellam_sigma(double *sigma, double variance) {
  if (sigma == NULL) return DPPAIR_ERR_NULL;
  *sigma = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(variance)) return DPPAIR_ERR_NOT_FINITE;
  if (!(variance >= DPPAIR_SKELLAM_LEAST_ && variance <= DPPAIR_SKELLAM_MOST_))
    return DPPAIR_ERR_DOMAIN;
  *sigma = 1.0 / dppair_sqrt_(dppair_skellam_kappa_(variance)) * (1.0 - 4.0 * DBL_EPSILON);
  return DPPAIR_OK;
}

/* *variance = the least variance, within 1e-9, whose dppair_skellam_sigma is at least `sigma`: for
 * a noise multiplier z and integers of sensitivity D, sigma = z D. Errors zero *variance: NULL,
 * NOT_FINITE, SIGMA (<= 0, or beyond any variance), ENVIRONMENT. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_skellam_variance(double *variance, double sigma) {
  double low = DPPAIR_SKELLAM_LEAST_, high, got;
  dppair_status status;
  if (variance == NULL) return DPPAIR_ERR_NULL;
  *variance = 0.0;
  if (!dppair_isfinite_f64(sigma)) return DPPAIR_ERR_NOT_FINITE;
  if (!(sigma > 0.0 && sigma < 1e9)) return DPPAIR_ERR_SIGMA;
  if (sigma > 1.0) low = sigma * sigma; /* kappa > 1/m there */
  high = sigma * sigma * (1.0 + 1e-5) + 2.0;
  if (high > DPPAIR_SKELLAM_MOST_) high = DPPAIR_SKELLAM_MOST_;
  status = dppair_skellam_sigma(&got, high);
  if (status != DPPAIR_OK) return status;
  if (!(got >= sigma)) return DPPAIR_ERR_SIGMA;
  while (high > low * (1.0 + 5e-10)) {
    const double middle = high > 2.0 * low ? dppair_sqrt_(low * high) : low + 0.5 * (high - low);
    status = dppair_skellam_sigma(&got, middle);
    if (status != DPPAIR_OK) return status;
    if (got >= sigma)
      high = middle;
    else
      low = middle;
  }
  *variance = high;
  return DPPAIR_OK;
}

/* Adds `steps` releases of integer vectors with Skellam noise of this variance on every coordinate.
 * sensitivity: how far a record moves the integers, in l2 norm. Errors break the account: those of
 * dppair_skellam_sigma, and of dppair_accountant_gaussian. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_skellam(dppair_accountant *a,
                                                                     double sensitivity,
                                                                     double variance,
                                                                     size_t steps) {
  double sigma;
  dppair_sampling none;
  dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  status = dppair_skellam_sigma(&sigma, variance);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  memset(&none, 0, sizeof none);
  return dppair_accountant_scaled_(a, DPPAIR_SKELLAM, &none, 0.0, sensitivity, sigma, steps);
}

/*
 * *sensitivity = how far, in l2 norm, a record moves a sum of vectors that were multiplied by
 * `scale` and made integers.
 *
 *   TRUNCATED   length: of every record's vector, at most; nonzero is 0, which is not read.
 *               scale length (zero-out), 2 scale length (replace-one): no coordinate grows. It
 *               costs a bias below 1/scale a coordinate
 *   ROUNDED     length: how far a record moves the real sum, for the relation; nonzero: coordinates
 *               in which its vector, the old or the new one, can be other than 0 (d, where that is
 *               not known). scale length + sqrt(nonzero): a difference of two rounded numbers is
 *               off by at most 1, however many records the site has
 *   RANDOMLY    the same and 2 sqrt(nonzero) more: both sides' offsets differ
 *
 * Errors zero *sensitivity: NULL, NOT_FINITE, DOMAIN (length, scale or kind), UNREAD (a nonzero
 * that is not read), SIZE (nonzero = 0 where it is), ADJACENCY.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_quantised(double *sensitivity, dppair_quantised how, double length, double scale,
                             size_t nonzero, dppair_adjacency adjacency) {
  double root;
  dppair_status status;
  if (sensitivity == NULL) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  if (!dppair_isfinite_f64(length) || !dppair_isfinite_f64(scale)) return DPPAIR_ERR_NOT_FINITE;
  if (!(length > 0.0) || !(scale > 0.0) || how < DPPAIR_QUANTISED_TRUNCATED ||
      how > DPPAIR_QUANTISED_RANDOMLY)
    return DPPAIR_ERR_DOMAIN;
  status = dppair_adjacency_check_(adjacency);
  if (status != DPPAIR_OK) return status;
  if (how == DPPAIR_QUANTISED_TRUNCATED) {
    const int replaced = dppair_adjacency_move_(adjacency) == DPPAIR_REPLACE_ONE;
    if (nonzero != 0) return DPPAIR_ERR_UNREAD;
    return dppair_sensitivity_store_(sensitivity, (replaced ? 2.0 : 1.0) * scale * length);
  }
  if (nonzero == 0) return DPPAIR_ERR_SIZE;
  root = dppair_sqrt_((double)nonzero) * (how == DPPAIR_QUANTISED_RANDOMLY ? 3.0 : 1.0);
  return dppair_sensitivity_store_(sensitivity, scale * length + root);
}

/*
 * *probability = at most this that one of `size` coordinates with Skellam noise of this variance m,
 * added modulo 2^bits and read as numbers from -2^(bits-1) on, comes out wrong, where no true sum
 * is beyond `largest`: 2 size exp(-A asinh(A/m) + sqrt(A^2 + m^2) - m), A = 2^(bits-1) - largest.
 * (Chernoff, from E e^(tX) = exp(m (cosh t - 1)).) The modulus is post-processing: it costs
 * accuracy, no delta. 1 where A <= 0. Errors set it to 1: NULL; ENVIRONMENT; NOT_FINITE; DOMAIN:
 * variance <= 0 or above 1e18, largest < 0, bits not from 1 to 64; SIZE (size = 0).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_skellam_wrap(double *probability, double variance,
                                                               unsigned bits, double largest,
                                                               size_t size) {
  double room, root, exponent;
  if (probability == NULL) return DPPAIR_ERR_NULL;
  *probability = 1.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(variance) || !dppair_isfinite_f64(largest)) return DPPAIR_ERR_NOT_FINITE;
  if (!(variance > 0.0 && variance <= DPPAIR_SKELLAM_MOST_) || largest < 0.0 || bits < 1 ||
      bits > 64)
    return DPPAIR_ERR_DOMAIN;
  if (size == 0) return DPPAIR_ERR_SIZE;
  room = dppair_down_(dppair_ldexp_(1.0, (int)bits - 1) - largest);
  if (!(room > 0.0)) return DPPAIR_OK;
  root = dppair_sqrt_(room * room + variance * variance);
  exponent = room * dppair_asinh_(room / variance) * (1.0 - 8.0 * DBL_EPSILON);
  exponent -= room / (root + variance) * room * (1.0 + 8.0 * DBL_EPSILON); /* root - variance */
  exponent = 2.0 * (double)size * dppair_exp_(-exponent) * (1.0 + 16.0 * DBL_EPSILON);
  if (exponent < 1.0) *probability = exponent > DBL_MIN ? exponent : DBL_MIN;
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
DPPAIR_FP_BEGIN_

/* ---- src/modules/shares/skellam.h -----------------------------------------------------------
 * Skellam noise on integers, exactly
 *
 * Sk(m) is the difference of two independent Poisson variables of mean mu = m/2; its variance is m,
 * and sums of independent ones are Skellam of the sum of the variances. Relies on discrete.h,
 * double_level.h and last_level.h.
 *
 * Poisson(mu), p(k) ~ mu^k/k!, by rejection. K = floor(mu), W >= 1.18 sqrt(mu) + 1.7, both whole. A
 * candidate is a fair side, b with probability 2^-(b+1), r uniform below W, i = b W + r; it is
 * k = K + i or K - 1 - i, and is kept with probability 2^b p(k)/p(K), so that P(k) ~ p(k). That is
 * at most 1: put f(k) = -ln(p(k)/p(K)). On the right f(K + W) is the sum of ln((K+i)/mu), i = 1 ..
 * W; with ln(1+x) >= 2x/(2+x) and (K+i)/mu >= 1 + (i-1)/mu it is >= W(W-1)/(2mu + W) >= ln 2. On
 * the left f(K - W) >= W(W-1)/(2mu). f is convex with f(K) = 0 and grows on both sides, so that
 * f(K +- i) >= f(K +- bW) >= b ln 2. A candidate is kept about every second time; the time does
 * not grow with m.
 *
 * Kept or not: E > t = f(k) - b ln 2, where E = -ln U of an infinite string U of random bits. First
 * in double, with a bound of the error; what that leaves open (one in 2^26 or fewer) by enclosures
 * of E and of ln k! (Stirling's series: the error is below the first term that is left out, and has
 * its sign) in integers of 128, 256 and 384 bits, from more bits of the same string. So the law is
 * exact: no total variation distance. Two errors are possible: OVERFLOW, a candidate beyond 4096 W
 * (probability 2^-4096), and EXHAUSTED, 384 bits and 13 terms do not decide (below 2^-190 a draw).
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_SKELLAM_VARIANCE_MAX_ 1125899906842624.0 /* 2^50 */
#define DPPAIR_SKELLAM_VARIANCE_MIN_ 1e-6
#define DPPAIR_POISSON_BLOCKS_ 4096u  /* W's on one side */
#define DPPAIR_POISSON_LARGE_ 65536.0 /* modes from here on are computed by their differences */
#define DPPAIR_STIRLING_FROM_ 256u    /* where 13 terms leave less than 2^-200 */
#define DPPAIR_DECISION_WORDS_ 32u    /* of a string that is decided on */

/* A Poisson law, and what the double level needs of it. */
typedef struct dppair_poisson_ {
  double mean, log_mean; /* mu, ln mu */
  double mode;           /* K */
  double at_mode;        /* ln K!, for K < DPPAIR_POISSON_LARGE_ */
  double lag;            /* ln(K/mu), for larger ones */
  uint64_t width;        /* W */
} dppair_poisson_;

/* A string of random bits, as far as it was read. */
typedef struct dppair_decision_ {
  uint32_t w[DPPAIR_DECISION_WORDS_];
  unsigned count;
} dppair_decision_;

DPPAIR_FN_ uint32_t dppair_decision_word_(dppair_decision_ *u, unsigned i, dppair_source_ *s) {
  while (u->count <= i) u->w[u->count++] = dppair_next32_(s);
  return u->w[i];
}

/* --- In double -------------------------------------------------------------------------------- */

/* ln x of x > 0; error: relative 4u for x in [0.707, 1.414], else absolute 4u (1 + |ln x|). */
DPPAIR_FN_ double dppair_log_f64_(double x) {
  int k;
  double v = dppair_frexp_(x, &k);
  if (v < 0.70710678118654752) {
    v *= 2.0;
    k--;
  }
  return dppair_log_parts_(v - 1.0, k);
}

/* The sum of Stirling's series for x >= 16: ln x! without it is (x + 1/2) ln x - x + ln(2 pi)/2. */
DPPAIR_FN_ double dppair_stirling_f64_(double x) {
  const double y = 1.0 / x, y2 = y * y;
  return y * (1.0 / 12 - y2 * (1.0 / 360 - y2 * (1.0 / 1260 - y2 * (1.0 / 1680 - y2 / 1188))));
}

/* ln x! of a whole x below 2^53, within 16u (1 + (x + 1/2) ln x). *size grows by (x + 1/2) ln x. */
DPPAIR_FN_ double dppair_log_factorial_f64_(double *size, double x) {
  double product = 1.0, large;
  if (x < 16.0) {
    for (; x > 1.0; x -= 1.0) product *= x; /* at most 15!, exact */
    product = dppair_log_f64_(product);
    *size += product;
    return product;
  }
  large = (x + 0.5) * dppair_log_f64_(x);
  *size += large;
  return large - x + 0.91893853320467274 + dppair_stirling_f64_(x);
}

/* *t = f(k) - b ln 2 of a whole k in [0, 2^52). Returns a bound of its error; HUGE_VAL where it was
 * not computed. With u = 2^-53 the parts below are each within 10u of their sizes, which are added
 * up in `size`, and adding them rounds at most four times. */
DPPAIR_FN_ double dppair_poisson_f64_(double *t, const dppair_poisson_ *p, double k, double b) {
  const double j = k - p->mode;
  double size = dppair_fabs_(j) + b + 8.0, f;
  *t = 0.0;
  if (p->mode < DPPAIR_POISSON_LARGE_) {
    f = dppair_log_factorial_f64_(&size, k) - p->at_mode;
    f -= j * p->log_mean;
    size += p->at_mode + p->mode + dppair_fabs_(j * p->log_mean) + dppair_fabs_(f);
  } else { /* (k + 1/2) ln(k/K) - j + j ln(K/mu), and the two series */
    const double r = j / (p->mode + k);
    if (!(dppair_fabs_(r) <= 0.125)) return HUGE_VAL;
    f = (k + 0.5) * dppair_artanh2_f64_(r) - j;
    f += j * p->lag + (dppair_stirling_f64_(k) - dppair_stirling_f64_(p->mode));
    size += dppair_fabs_(f);
  }
  *t = f - b * 0.69314718055994531;
  return 32.0 * DPPAIR_EXP2M_(53) * size;
}

/* ENVIRONMENT where mode or width are not what they must be: draws would never end. */
DPPAIR_FN_ dppair_status dppair_poisson_make_(dppair_poisson_ *p, double mean) {
  const double width = dppair_ceil_(1.18 * dppair_sqrt_(mean) + 1.7);
  double size = 0.0, rest;
  memset(p, 0, sizeof *p);
  p->mean = mean;
  p->log_mean = dppair_log_f64_(mean);
  p->mode = dppair_floor_(mean);
  if (!(p->mode <= mean && p->mode > mean - 1.0 && width > 1.0 && width < 4294967296.0))
    return DPPAIR_ERR_ENVIRONMENT;
  p->width = (uint64_t)width;
  rest = mean - p->mode; /* exact */
  if (p->mode < DPPAIR_POISSON_LARGE_)
    p->at_mode = dppair_log_factorial_f64_(&size, p->mode);
  else
    p->lag = -dppair_artanh2_f64_(rest / (2.0 * mean - rest));
  return DPPAIR_OK;
}

/* --- By enclosures ---------------------------------------------------------------------------- */

/* Encloses |ln x| of a positive double from 2^-60 to 2^60; returns 1 where x < 1. x = v 2^e, v in
 * [1/2, 1), so that ln x = e ln 2 - (-ln v); ulps: 257 for -ln v, 60 for e ln 2. */
DPPAIR_OUT_OF_LINE_ int dppair_log_exact_(dppair_range_ *r, double x, unsigned places) {
  dppair_range_ big;
  dppair_fix_ fraction;
  int e;
  const double v = dppair_frexp_(x, &e);
  (void)dppair_fix_from_f64_(&fraction, 2.0 * v - 1.0, places);
  dppair_minus_log_(r, 1, &fraction, places);
  dppair_fix_constant_(&big.lo, dppair_ln2_words_, places);
  dppair_fix_scale_(&big.lo, &big.lo, (uint32_t)(e < 0 ? -e : e), places);
  dppair_fix_up_(&big.hi, &big.lo, 60, places);
  if (e <= 0) {
    dppair_range_add_(r, r, &big, places);
    return 1;
  }
  if (dppair_fix_sub_(&big.lo, &big.lo, &r->hi, places)) memset(&big.lo, 0, sizeof big.lo);
  (void)dppair_fix_sub_(&big.hi, &big.hi, &r->lo, places);
  *r = big;
  return 0;
}

/* Encloses Stirling's series at x >= DPPAIR_STIRLING_FROM_: 13 terms, and those with the 14th. The
 * powers are off by 4 ulps, and all terms together by less than 4096. */
DPPAIR_OUT_OF_LINE_ void dppair_stirling_exact_(dppair_range_ *r, const dppair_fix_ *x,
                                                unsigned places) {
  static const uint32_t term[14][2] = {{1, 12},         {1, 360},
                                       {1, 1260},       {1, 1680},
                                       {1, 1188},       {691, 360360},
                                       {1, 156},        {3617, 122400},
                                       {43867, 244188}, {174611, 125400},
                                       {77683, 5796},   {236364091, 1506960},
                                       {657931, 300},   {3392780147u, 93960}};
  dppair_fix_ power, square, one, part;
  unsigned n;
  memset(&one, 0, sizeof one);
  one.w[places] = 1;
  dppair_fix_div_(&power, &one, x, places);
  dppair_fix_mul_(&square, &power, &power, places);
  memset(r, 0, sizeof *r);
  for (n = 0; n < 14; n++) {
    r->hi = r->lo;
    dppair_fix_scale_(&part, &power, term[n][0], places);
    (void)dppair_fix_shrink_(&part, &part, term[n][1], places);
    if (n % 2 == 0)
      dppair_fix_add_(&r->lo, &r->lo, &part, places);
    else
      (void)dppair_fix_sub_(&r->lo, &r->lo, &part, places);
    dppair_fix_mul_(&power, &power, &square, places);
  }
  dppair_fix_down_(&r->lo, &r->lo, 4096, places);
  dppair_fix_up_(&r->hi, &r->hi, 4096, places);
}

/* Encloses ln k! + 1 - ln(2 pi)/2 of a whole k < 2^52: by Stirling's series from 256 on, (x + 1/2)
 * ln x - (x - 1) + ..; below, from that of 256 without the logarithms of the numbers between, whose
 * products are exact below 2^52. */
DPPAIR_OUT_OF_LINE_ void dppair_log_factorial_exact_(dppair_range_ *r, uint64_t k,
                                                     unsigned places) {
  const uint64_t x = k < DPPAIR_STIRLING_FROM_ ? DPPAIR_STIRLING_FROM_ : k;
  dppair_range_ log, series;
  dppair_fix_ whole;
  uint64_t i = k;
  (void)dppair_log_exact_(&log, (double)x, places);
  memset(&whole, 0, sizeof whole);
  whole.w[places] = (uint32_t)x;
  whole.w[places + 1] = (uint32_t)(x >> 32);
  dppair_stirling_exact_(&series, &whole, places);
  whole.w[places - 1] = 0x80000000u;
  r->lo = r->hi = whole;
  dppair_range_mul_(r, r, &log, places);
  dppair_range_add_(r, r, &series, places);
  whole.w[places - 1] = 0;
  whole.w[places] = (uint32_t)(x - 1);
  whole.w[places + 1] = (uint32_t)((x - 1) >> 32);
  (void)dppair_fix_sub_(&r->lo, &r->lo, &whole, places);
  (void)dppair_fix_sub_(&r->hi, &r->hi, &whole, places);
  while (i < x) {
    double product = 1.0;
    while (i < x && product < 17592186044416.0) product *= (double)++i;
    (void)dppair_log_exact_(&log, product, places);
    (void)dppair_fix_sub_(&r->lo, &r->lo, &log.hi, places);
    (void)dppair_fix_sub_(&r->hi, &r->hi, &log.lo, places);
  }
}

/* Encloses E = -ln U: U = 2^-m (1 + fraction), from as many words as that takes. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_decision_exact_(dppair_range_ *e, dppair_decision_ *u,
                                                         dppair_source_ *s, unsigned places) {
  dppair_fix_ fraction;
  unsigned level = 0, zeros = 0, j;
  while (dppair_decision_word_(u, level, s) == 0)
    if (++level >= DPPAIR_DECISION_WORDS_ - DPPAIR_FIX_MAX_ - 1) return DPPAIR_ERR_EXHAUSTED;
  while ((u->w[level] >> (31 - zeros) & 1u) == 0) zeros++;
  memset(&fraction, 0, sizeof fraction);
  for (j = 0; j < places; j++) {
    const uint32_t next = dppair_decision_word_(u, level + j + 1, s), word = u->w[level + j];
    fraction.w[places - 1 - j] = (uint32_t)((((uint64_t)word << 32 | next) << (zeros + 1)) >> 32);
  }
  dppair_minus_log_(e, 32 * level + zeros + 1, &fraction, places);
  return DPPAIR_OK;
}

/* E > f(k) - b ln 2, that is E + ln K! + b ln 2 + j ln mu > ln k!: j ln mu goes to the side where
 * it is not negative. Returns 1, 0, or -1 when more places are needed. Where mu < 1, K = 0 and j >=
 * 0. */
DPPAIR_OUT_OF_LINE_ int dppair_poisson_exact_(const dppair_poisson_ *p, uint64_t k, uint32_t b,
                                              const dppair_range_ *e, unsigned places) {
  const uint64_t mode = (uint64_t)p->mode, j = k > mode ? k - mode : mode - k;
  dppair_range_ left, right, part, times;
  dppair_fix_ trial;
  int below;
  dppair_log_factorial_exact_(&left, mode, places);
  dppair_range_add_(&left, &left, e, places);
  dppair_fix_constant_(&part.lo, dppair_ln2_words_, places);
  dppair_fix_scale_(&part.lo, &part.lo, b, places);
  dppair_fix_up_(&part.hi, &part.lo, b, places);
  dppair_range_add_(&left, &left, &part, places);
  dppair_log_factorial_exact_(&right, k, places);
  below = dppair_log_exact_(&part, p->mean, places);
  memset(&times, 0, sizeof times);
  times.lo.w[places] = (uint32_t)j;
  times.lo.w[places + 1] = (uint32_t)(j >> 32);
  times.hi = times.lo;
  dppair_range_mul_(&part, &part, &times, places);
  if ((k >= mode) == !below)
    dppair_range_add_(&left, &left, &part, places);
  else
    dppair_range_add_(&right, &right, &part, places);
  if (dppair_fix_sub_(&trial, &right.hi, &left.lo, places)) return 1;
  return dppair_fix_sub_(&trial, &left.hi, &right.lo, places) ? 0 : -1;
}

/* The same decision with as many places as it takes. */
DPPAIR_OUT_OF_LINE_ int dppair_poisson_decide_(const dppair_poisson_ *p, uint64_t k, uint32_t b,
                                               dppair_decision_ *u, dppair_source_ *s) {
  unsigned places;
  for (places = 4; places <= DPPAIR_FIX_MAX_ && s->status == DPPAIR_OK; places += 4) {
    dppair_range_ e;
    const dppair_status status = dppair_decision_exact_(&e, u, s, places);
    int kept = -1;
    if (status == DPPAIR_OK) kept = dppair_poisson_exact_(p, k, b, &e, places);
    if (kept >= 0) return kept;
  }
  if (s->status == DPPAIR_OK) s->status = DPPAIR_ERR_EXHAUSTED;
  return 0;
}

/* --- Draws ------------------------------------------------------------------------------------ */

/* Is the candidate kept? The bound of E's error: 4u (1 + E) and 2^-46 for the bits not read. */
DPPAIR_FN_ int dppair_poisson_keeps_(const dppair_poisson_ *p, uint64_t k, uint32_t b,
                                     dppair_source_ *s) {
  dppair_decision_ u;
  double e, t, off;
  u.count = 0;
  (void)dppair_decision_word_(&u, 2, s);
  e = dppair_exponential_f64_(u.w);
  off = dppair_poisson_f64_(&t, p, (double)k, (double)b) + DPPAIR_EXP2M_(45);
  if (e >= 0.0 && e - t > off) return 1;
  if (e >= 0.0 && t - e > off) return 0;
  return dppair_poisson_decide_(p, k, b, &u, s);
}

/* A draw of Poisson(mu); 0 once the source has failed. The first word of a candidate is its side
 * and the zeros that b counts; further words where it has only zeros. */
DPPAIR_FN_ uint64_t dppair_poisson_draw_(const dppair_poisson_ *p, dppair_source_ *s) {
  const uint64_t mode = (uint64_t)p->mode;
  while (s->status == DPPAIR_OK) {
    uint32_t word = dppair_next32_(s), b = 0, bit = 0x40000000u;
    const int left = (int)(word >> 31);
    uint64_t i;
    while ((word & bit) == 0 && s->status == DPPAIR_OK) {
      if (++b >= DPPAIR_POISSON_BLOCKS_) s->status = DPPAIR_ERR_OVERFLOW;
      bit >>= 1;
      if (bit == 0) {
        word = dppair_next32_(s);
        bit = 0x80000000u;
      }
    }
    i = b * p->width + dppair_below_(s, p->width);
    if (left && i >= mode) continue; /* below 0 */
    if (dppair_poisson_keeps_(p, left ? mode - 1 - i : mode + i, b, s))
      return left ? mode - 1 - i : mode + i;
  }
  return 0;
}

DPPAIR_OUT_OF_LINE_ dppair_status dppair_skellam_work_(int64_t *x, size_t n, int add,
                                                       double variance, dppair_rng *rng) {
  dppair_source_ s;
  dppair_poisson_ p;
  dppair_status status;
  size_t i;
  dppair_source_open_(&s, rng);
  status = dppair_poisson_make_(&p, 0.5 * variance);
  if (s.status == DPPAIR_OK) s.status = status;
  for (i = 0; i < n && s.status == DPPAIR_OK; i++) {
    const uint64_t plus = dppair_poisson_draw_(&p, &s), minus = dppair_poisson_draw_(&p, &s);
    const uint64_t sum = (add ? (uint64_t)x[i] : 0u) + plus - minus;
    x[i] = sum >> 63 ? -(int64_t)(~sum) - 1 : (int64_t)sum;
  }
  status = dppair_source_close_(&s);
  dppair_wipe(&p, sizeof p);
  return status;
}

/* ---- src/modules/shares/noise.h -------------------------------------------------------------
 * Skellam noise: its self-test, and what adds it
 *
 * The self-test runs once in a process, by the first call that draws such noise. Relies on
 * skellam.h and noise/trial.h.
 * ---------------------------------------------------------------------------------------------- */

/* What dppair_trial_skellam_ gives. */
#define DPPAIR_ANSWER_SKELLAM_ UINT64_C(0xf3a0ec60858f5af7)

/* The bits of the double level, and four decisions by enclosures, which it would not leave to them:
 * mixed into *h. A fault of few digits moves no draw. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_trial_decisions_(uint64_t *h, dppair_rng *rng) {
  dppair_source_ s;
  dppair_poisson_ p;
  dppair_decision_ u;
  unsigned i;
  dppair_status status = dppair_poisson_make_(&p, 1.5e9);
  dppair_source_open_(&s, rng);
  for (i = 0; i < 24 && status == DPPAIR_OK; i++) {
    const uint32_t w[3] = {0x9e3779b9u * (i + 1), 0x85ebca6bu * (i + 1), 0};
    double t;
    (void)dppair_poisson_f64_(&t, &p, p.mode + 7919.0 * i, 1.0);
    *h = dppair_trial_word_(*h, dppair_bits_f64_(t));
    *h = dppair_trial_word_(*h, dppair_bits_f64_(dppair_exponential_f64_(w)));
  }
  for (i = 0; i < 4 && status == DPPAIR_OK; i++) {
    u.count = 0;
    *h = 2 * *h + (uint64_t)dppair_poisson_decide_(&p, 1500030000u - 20000u * i, 0, &u, &s);
    status = s.status;
  }
  return status;
}

/* Draws of Skellam noise from means that the double level computes in both of its ways, and these
 * decisions. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_trial_skellam_(uint64_t *h) {
  dppair_rng rng;
  int64_t x[24];
  unsigned i;
  dppair_status status;
  dppair_trial_key_(&rng, DPPAIR_CHACHA20);
  status = dppair_skellam_work_(x, 12, 0, 5.5, &rng);
  if (status == DPPAIR_OK) status = dppair_skellam_work_(x + 12, 12, 0, 3e9, &rng);
  for (*h = i = 0; i < 24 && status == DPPAIR_OK; i++) *h = dppair_trial_word_(*h, (uint64_t)x[i]);
  return status == DPPAIR_OK ? dppair_trial_decisions_(h, &rng) : status;
}

/* What dppair_noise_check is for the other laws: DPPAIR_OK when this build on this machine draws
 * the known Skellam noise, with decisions by enclosures; else SELF_TEST (or ENVIRONMENT). The first
 * call that draws such noise runs it. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_shares_check(void) {
  uint64_t h;
  dppair_status status = dppair_streams_tried_();
  if (status == DPPAIR_OK) status = dppair_trial_skellam_(&h);
  if (status == DPPAIR_OK && h != DPPAIR_ANSWER_SKELLAM_) status = DPPAIR_ERR_SELF_TEST;
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  return status;
}

DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_skellam_tried_(void) {
  static dppair_known_ known;
  return dppair_tried_once_(&known, dppair_shares_check);
}

/* x = draws, or x += draws without a word to an audit: dppair_release_share tells its own. */
DPPAIR_FN_ dppair_status dppair_skellam_(int64_t *x, size_t n, int add, double variance,
                                         dppair_rng *rng) {
  dppair_status status = dppair_array_(x, n);
  if (status != DPPAIR_OK) return status;
  status = dppair_environment_check();
  if (status == DPPAIR_OK) status = dppair_skellam_tried_();
  if (status == DPPAIR_OK && !dppair_isfinite_f64(variance)) status = DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK &&
      !(variance >= DPPAIR_SKELLAM_VARIANCE_MIN_ && variance <= DPPAIR_SKELLAM_VARIANCE_MAX_))
    status = DPPAIR_ERR_SIGMA;
  if (status == DPPAIR_OK) {
    status = dppair_skellam_work_(x, n, add, variance, rng);
    dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  }
  if (status != DPPAIR_OK && n > 0) memset(x, 0, n * sizeof *x);
  return status;
}

/*
 * Draws each x[i] exactly from Sk(variance), the difference of two Poisson variables of mean
 * variance/2, which is taken as the exact value of the double, from 1e-6 to 2^50. It does not add
 * to x. What it protects: dppair_skellam_sigma and dppair_accountant_skellam. Errors zero x: NULL,
 * NOT_FINITE, SIGMA (the variance), ENVIRONMENT, the generator's, OVERFLOW and EXHAUSTED (the head
 * says how rarely). The time depends on the values drawn.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_skellam(int64_t *x, size_t n, double variance,
                                                          dppair_rng *rng) {
  return dppair_skellam_(x, n, 0, variance, rng);
}

/* Adds such a draw to each x[i], modulo 2^64: integers that wrap around are no error, because that
 * would depend on records. Errors as above. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_skellam(int64_t *x, size_t n, double variance,
                                                              dppair_rng *rng) {
  dppair_status status;
  if (DPPAIR_AUDITED_((DPPAIR_EVENT_ADD, "skellam", x, n, sizeof *x, NULL, variance, 0.0, NULL, rng,
                       DPPAIR_OK)))
    return DPPAIR_OK;
  status = dppair_skellam_(x, n, 1, variance, rng);
  (void)DPPAIR_AUDITED_(
      (DPPAIR_EVENT_ADDED, "skellam", x, n, sizeof *x, NULL, variance, 0.0, NULL, rng, status));
  return status;
}

/*
 * The same with one of `shares` shares of the variance, variance/shares rounded up: what `shares`
 * sites add, each with a generator of its own, has Sk of at least `variance` in sum, and what h of
 * them add of at least h variance/shares. One share alone protects as its own variance does. Errors
 * besides: SIZE (shares = 0); SIGMA also for a share below 1e-6.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_skellam_share(int64_t *x, size_t n,
                                                                    double variance, size_t shares,
                                                                    dppair_rng *rng) {
  const dppair_status status = dppair_array_(x, n);
  if (status != DPPAIR_OK) return status;
  if (shares == 0) {
    if (n > 0) memset(x, 0, n * sizeof *x);
    return DPPAIR_ERR_SIZE;
  }
  if (shares > 1) /* the divisor, the quotient and this product are rounded */
    variance = variance / (double)shares * (1.0 + 4.0 * DBL_EPSILON);
  return dppair_add_skellam(x, n, variance, rng);
}

/* ---- src/modules/shares/quantise.h ----------------------------------------------------------
 * Sums of numbers as integers
 *
 *   dppair_integers q;
 *   s = dppair_integers_open(&q, sum, d, DPPAIR_QUANTISED_TRUNCATED, 0x1p20, radius, 0);
 *   for (i = 0; i < n && !s; i++) s = dppair_quantise(&q, record[i], NULL);    its own vector
 *   if (!s) s = dppair_release_share(share, &release, &q, honest, 32);
 *
 * A sum knows how its numbers became integers, so that the sensitivity that a release takes is that
 * of this sum. Write g for the scale, x for a record's vector.
 *
 *   TRUNCATED   each record's g x, every coordinate towards 0: no coordinate grows, so that the
 *               integers have the norm g length at most. A longer vector is shortened to `length`
 *               first, and one that is not finite counts as 0.
 *   ROUNDED     a site's sum v, once: g v to the nearest integers, or floor(g v + u) with one
 *               public u for all sites. A difference of two such integers is within 1 of that of
 *               the real numbers, in each coordinate that moves.
 *   RANDOMLY    the same with private u, new for each sum: without bias; within 2 more.
 *
 * The scale is a power of two: g x, its floor and its fraction are exact in doubles, where they do
 * not underflow (to 0, which is towards 0, or to the nearest) or pass 2^62, where they stop: that
 * map lengthens no distance. u is a multiple of 2^-53. Relies on discrete.h.
 * ---------------------------------------------------------------------------------------------- */

/* A sum of integers; the caller's memory. To be read only, but for `sum`. */
typedef struct dppair_integers {
  int64_t *sum; /* `size` numbers, modulo 2^64 */
  size_t size;
  dppair_quantised how;
  double scale, length; /* as dppair_integers_open was told */
  size_t nonzero;
  uint64_t vectors; /* that were added */
} dppair_integers;

/*
 * Begins a sum of integers, with 0.
 *   scale     integers for 1: a power of two from 2^-512 to 2^512
 *   length    TRUNCATED: the l2 bound of every record's vector, at most 2^61/scale. Otherwise how
 *             far a record moves the real sum, for the relation of the plan
 *   nonzero   coordinates in which a record's vector, the old or the new one, can be other than 0:
 *             `size`, where that is not known; TRUNCATED: 0
 * Where users are protected, read user for record. Errors zero the sum and *to: NULL, OVERFLOW,
 * NOT_FINITE, DOMAIN (how, scale, length), UNREAD (a nonzero that is not read), SIZE (size = 0;
 * nonzero = 0 where it is read).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_integers_open(dppair_integers *to, int64_t *sum,
                                                                size_t size, dppair_quantised how,
                                                                double scale, double length,
                                                                size_t nonzero) {
  int exponent;
  dppair_status status;
  if (to != NULL) memset(to, 0, sizeof *to);
  status = dppair_array_(sum, size);
  if (status != DPPAIR_OK) return status;
  if (size > 0) memset(sum, 0, size * sizeof *sum);
  if (to == NULL) return DPPAIR_ERR_NULL;
  if (size == 0) return DPPAIR_ERR_SIZE;
  if (!dppair_isfinite_f64(scale) || !dppair_isfinite_f64(length)) return DPPAIR_ERR_NOT_FINITE;
  if (!(scale >= dppair_ldexp_(1.0, -512) && scale <= dppair_ldexp_(1.0, 512) && length > 0.0))
    return DPPAIR_ERR_DOMAIN;
  if (dppair_frexp_(scale, &exponent) > 0.5 || how < DPPAIR_QUANTISED_TRUNCATED ||
      how > DPPAIR_QUANTISED_RANDOMLY)
    return DPPAIR_ERR_DOMAIN;
  if (how == DPPAIR_QUANTISED_TRUNCATED) {
    if (!(length <= dppair_ldexp_(1.0, 61) / scale)) return DPPAIR_ERR_DOMAIN;
    if (nonzero != 0) return DPPAIR_ERR_UNREAD;
  } else if (nonzero == 0) {
    return DPPAIR_ERR_SIZE;
  }
  to->sum = sum;
  to->size = size;
  to->how = how;
  to->scale = scale;
  to->length = length;
  to->nonzero = nonzero;
  return DPPAIR_OK;
}

/* A factor that brings x[0..n) within `length`: 1, where it is; 0, where x is not finite. The norm
 * is that of x/top, off by (n + 16) roundings at most, and the factor covers its own and that of a
 * product with it. */
DPPAIR_FN_ double dppair_shortened_(const double *x, size_t n, double length) {
  double top = 0.0, sum = 0.0, norm, factor;
  size_t i;
  for (i = 0; i < n; i++) {
    if (!dppair_isfinite_f64(x[i])) return 0.0;
    top = dppair_fabs_(x[i]) > top ? dppair_fabs_(x[i]) : top;
  }
  if (!(top > DBL_MIN)) return 0.0; /* every coordinate becomes 0 anyway */
  for (i = 0; i < n; i++) sum += (x[i] / top) * (x[i] / top);
  norm = dppair_sqrt_(sum) * (1.0 + ((double)n + 16.0) * DBL_EPSILON);
  if (norm <= length / top * (1.0 - 2.0 * DBL_EPSILON)) return 1.0;
  factor = length / top / norm * (1.0 - 8.0 * DBL_EPSILON);
  return factor > DBL_MIN ? factor : 0.0;
}

/* y as an integer: truncated, or y + u rounded down, u in [0, 1) (u < 0: y to the nearest). The
 * distance of y to the integer that is nearer to 0 is exact, as 1 - u is. */
DPPAIR_FN_ int64_t dppair_integer_(double y, dppair_quantised how, double u) {
  const double most = 4611686018427387904.0; /* 2^62 */
  double whole, part;
  y = y > most ? most : y;
  y = y < -most ? -most : y;
  whole = y < 0.0 ? dppair_ceil_(y) : dppair_floor_(y);
  part = dppair_fabs_(y - whole);
  if (how == DPPAIR_QUANTISED_TRUNCATED) return (int64_t)whole;
  if (u < 0.0) return (int64_t)dppair_rint_(y);
  if (y < 0.0) return (int64_t)whole - (part > u ? 1 : 0);
  return (int64_t)whole + (part >= 1.0 - u ? 1 : 0);
}

DPPAIR_OUT_OF_LINE_ dppair_status dppair_quantise_work_(dppair_integers *to, const double *x,
                                                        dppair_rng *rng) {
  dppair_source_ s;
  dppair_status status = DPPAIR_OK;
  double factor = 1.0, u = -1.0;
  size_t k;
  if (rng != NULL) dppair_source_open_(&s, rng);
  if (to->how == DPPAIR_QUANTISED_TRUNCATED) factor = dppair_shortened_(x, to->size, to->length);
  for (k = 0; k < to->size; k++) {
    uint64_t sum;
    if (rng != NULL) {
      const uint64_t high = dppair_next32_(&s);
      u = (double)((high << 32 | dppair_next32_(&s)) >> 11) * DPPAIR_EXP2M_(53);
    }
    sum = (uint64_t)to->sum[k];
    if (factor > 0.0 && dppair_isfinite_f64(x[k]))
      sum += (uint64_t)dppair_integer_(x[k] * factor * to->scale, to->how, u);
    to->sum[k] = sum >> 63 ? -(int64_t)(~sum) - 1 : (int64_t)sum;
  }
  if (rng != NULL) status = dppair_source_close_(&s);
  return status;
}

/*
 * Adds x[0..to->size) to the sum, in integers, modulo 2^64.
 *   TRUNCATED   any number of vectors, one for each record (or user); rng NULL
 *   ROUNDED     one vector, the site's sum; rng NULL: to the nearest. Else a generator of a PUBLIC
 *               key, at the same place at every site, whose numbers are u
 *   RANDOMLY    one vector; a generator of a secret key of the site's own
 * What was added is PRIVATE. No error depends on x: a number that is not finite counts as 0, where
 * records are truncated with all of its vector.
 *
 * Errors zero the sum and *to, which releases then refuse: NULL; UNREAD (a generator that is not
 * read); SIZE (a second vector where one is summed: sums that are rounded apart are farther off);
 * DOMAIN (*to was not opened); ENVIRONMENT; the generator's.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_quantise(dppair_integers *to, const double *x,
                                                           dppair_rng *rng) {
  dppair_status status = DPPAIR_OK;
  if (to == NULL) return DPPAIR_ERR_NULL;
  if (to->sum == NULL || to->size == 0) return DPPAIR_ERR_DOMAIN;
  if (x == NULL || (rng == NULL && to->how == DPPAIR_QUANTISED_RANDOMLY)) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK && rng != NULL && to->how == DPPAIR_QUANTISED_TRUNCATED)
    status = DPPAIR_ERR_UNREAD;
  if (status == DPPAIR_OK && to->how != DPPAIR_QUANTISED_TRUNCATED && to->vectors > 0)
    status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK) {
    status = dppair_quantise_work_(to, x, rng);
    to->vectors++;
  }
  if (status == DPPAIR_OK) return status;
  memset(to->sum, 0, to->size * sizeof *to->sum);
  memset(to, 0, sizeof *to);
  return status;
}

DPPAIR_FP_END_
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

/* ---- src/modules/shares/share.h -------------------------------------------------------------
 * A site's share of a release: integers whose sum over the sites is private
 *
 *   plan.noise = DPPAIR_SKELLAM, plan.sampling = dppair_sampling_all(n, DPPAIR_ZERO_OUT);   its own n
 *   s = dppair_calibrate(&plan, &account, NULL);
 *   if (!s) s = dppair_release_open(&release, &account, &plan, NULL);    keys of the site's own
 *   ... dppair_integers_open, dppair_quantise: the sum of this site's records
 *   if (!s) s = dppair_release_share(share, &release, &q, honest, 32);     to be added, not seen
 *   ... secure aggregation adds the shares modulo 2^32
 *   if (!s) s = dppair_shares_value(v, sum, d, 32, scale);               v may be published
 *
 * Each site adds Skellam noise of 1/honest of the variance that the sum needs. The noise of
 * `honest` shares is Skellam of all of it, and whatever others add beside it, noise or integers of
 * their choice, is independent of it: post-processing. So the sum over the sites protects each of
 * their records as the plan says, provided that at least `honest` sites, that of the record
 * counted, add the noise that they drew here, do not tell it, and are in the sum; more sites make
 * the sum noisier, fewer void the proof: who adds the shares up must refuse a sum of fewer. Sites
 * that do not arrive take their noise with them: count only those that surely do. A site knows its
 * own share: to protect each site's records from the other sites too, `honest` is one less.
 *
 * These shares must all have one variance. It is another one where a site's noise multiplier is,
 * since its account held something before, or its scale or length: the records of the site that
 * needs most would then have less than was charged. dppair_release_share_variance is public: let
 * sites compare it, and plan for the largest noise_multiplier (epsilon and delta 0).
 *
 * A share alone is NOT private at the plan's price. It has a part of the noise, and only the sum
 * over the sites may be seen by anybody: additive masks (each pair of sites adds and subtracts the
 * same key stream) or any other secure aggregation modulo 2^bits must hide it.
 *
 * The modulus is post-processing. It costs no delta, only accuracy: dppair_skellam_wrap with sites
 * times dppair_release_share_variance says how much. The account's curve of D and this variance is
 * mechanism.h, D is dppair_sensitivity_quantised. Relies on release/vector.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/*
 * *variance = that of the noise which dppair_release_share adds to each coordinate of such a sum,
 * and *sensitivity = how far a record moves its integers: from public numbers alone.
 * Errors zero both: NULL; DOMAIN (*sum was not opened); SIZE (honest = 0; more vectors than the
 * plan has records or users, or than it drew); LAW (the law is not DPPAIR_SKELLAM); NOT_DRAWN (a
 * plan that draws, and no draw for this step); SIGMA (a share beyond what dppair_skellam draws);
 * those of dppair_release_vector about the release.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_release_share_variance(double *variance, double *sensitivity, const dppair_release *release,
                              const dppair_integers *sum, size_t honest) {
  const dppair_sampling *from;
  double moved, scale, whole;
  dppair_status status = DPPAIR_OK;
  if (variance != NULL) *variance = 0.0;
  if (sensitivity != NULL) *sensitivity = 0.0;
  if (variance == NULL || sensitivity == NULL || sum == NULL) return DPPAIR_ERR_NULL;
  status = dppair_release_begun_(release);
  if (status != DPPAIR_OK) return status;
  from = &release->sampling;
  if (release->mechanism != DPPAIR_SKELLAM) return DPPAIR_ERR_LAW;
  if (sum->sum == NULL || sum->size == 0) return DPPAIR_ERR_DOMAIN;
  if (honest == 0 || sum->vectors > (from->kind == DPPAIR_ALL ? from->n : release->drawn))
    return DPPAIR_ERR_SIZE;
  status =
      dppair_sensitivity_quantised(&moved, sum->how, sum->length, sum->scale, sum->nonzero,
                                   from->kind == DPPAIR_ALL ? from->adjacency : DPPAIR_ZERO_OUT);
  if (status == DPPAIR_OK) status = dppair_release_scale_(&scale, release, moved);
  if (status == DPPAIR_OK) status = dppair_skellam_variance(&whole, scale);
  if (status != DPPAIR_OK) return status;
  whole /= (double)honest;
  if (!(whole >= DPPAIR_SKELLAM_VARIANCE_MIN_ && whole < 0.999 * DPPAIR_SKELLAM_VARIANCE_MAX_))
    return DPPAIR_ERR_SIGMA;
  *variance = honest > 1 ? whole * (1.0 + 4.0 * DBL_EPSILON) : whole;
  *sensitivity = moved;
  return DPPAIR_OK;
}

/* The noise of a share, told to an audit as that of the sum. */
DPPAIR_FN_ dppair_status dppair_release_share_noise_(uint64_t *share, size_t size, double variance,
                                                     dppair_release *release) {
  dppair_status status;
  if (DPPAIR_AUDITED_((DPPAIR_EVENT_ADD, "skellam", share, size, sizeof *share, NULL,
                       release->sigma, 0.0, NULL, &release->noise, DPPAIR_OK)))
    return DPPAIR_OK;
  status = dppair_skellam_((int64_t *)share, size, 1, variance, &release->noise);
  (void)DPPAIR_AUDITED_((DPPAIR_EVENT_ADDED, "skellam", share, size, sizeof *share, NULL,
                         release->sigma, 0.0, NULL, &release->noise, status));
  return status;
}

/*
 * share[0..sum->size): the site's integers with its part of the noise, modulo 2^bits, 0 .. 2^bits -
 * 1. STILL PRIVATE: only the sum over the sites may be seen (see the head). Uses a paid release;
 * the sum stays as it is, and may be released by this step only: the same sum in another step is
 * another release, which the plan has paid for.
 *   honest   shares of `whole` noise that surely are in the sum and hidden, >= 1: those of sites
 *            that arrive and tell nobody what they drew; one less where a site, which knows its own,
 *            is not trusted with the others' records. A public number, the same at every site
 *   bits     1 to 64
 * release->sensitivity and ->sigma are those of the sum over the sites: how far a record moves it,
 * and the standard deviation of Gaussian noise that protects alike.
 *
 * Errors zero share. They use no paid release: those of dppair_release_share_variance; NULL
 * (share); DOMAIN (bits); OVERLAP (share, and the sum); ENVIRONMENT. OVERFLOW and EXHAUSTED of
 * dppair_skellam use it.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_share(uint64_t *share,
                                                                dppair_release *release,
                                                                const dppair_integers *sum,
                                                                size_t honest, unsigned bits) {
  const uint64_t mask = bits < 64 ? (UINT64_C(1) << bits % 64) - 1 : UINT64_MAX;
  dppair_release_terms_ terms;
  double variance;
  size_t k;
  dppair_status status;
  if (share == NULL || sum == NULL) return DPPAIR_ERR_NULL;
  status = dppair_array_(share, sum->size);
  if (status != DPPAIR_OK) return status;
  memset(share, 0, sum->size * sizeof *share);
  status = dppair_release_share_variance(&variance, &terms.sensitivity, release, sum, honest);
  if (status == DPPAIR_OK && (bits < 1 || bits > 64)) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK)
    status = dppair_apart_(share, sum->size, sum->sum, sum->size * sizeof *sum->sum);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK) status = dppair_release_scale_(&terms.scale, release, terms.sensitivity);
  if (status != DPPAIR_OK) return status;
  terms.divisor = 1.0;
  dppair_release_permit_(release, &terms);
  memcpy(share, sum->sum, sum->size * sizeof *share);
  (void)DPPAIR_AUDITED_((DPPAIR_EVENT_RELEASE, dppair_mechanism_name(release->mechanism), share,
                         sum->size, sizeof *share, NULL, release->sigma, release->sensitivity,
                         &release->sampling, release, DPPAIR_OK));
  status = dppair_release_share_noise_(share, sum->size, variance, release);
  for (k = 0; k < sum->size; k++) share[k] &= mask;
  return status;
}

/* to += from modulo 2^bits, for size integers; those of shares, of masks, and of sums of them.
 * Errors zero `to`: NULL, OVERFLOW, DOMAIN (bits). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_shares_add(uint64_t *to, const uint64_t *from,
                                                             size_t size, unsigned bits) {
  const uint64_t mask = bits < 64 ? (UINT64_C(1) << bits % 64) - 1 : UINT64_MAX;
  dppair_status status = dppair_array_(to, size);
  size_t k;
  if (status != DPPAIR_OK) return status;
  if (from == NULL && size > 0) status = DPPAIR_ERR_NULL;
  if (bits < 1 || bits > 64) status = DPPAIR_ERR_DOMAIN;
  for (k = 0; k < size; k++) to[k] = status == DPPAIR_OK ? (to[k] + from[k]) & mask : 0u;
  return status;
}

/* v[k] = the sum of the shares as a number from -2^(bits-1) on, divided by the scale. Errors zero
 * v: NULL, OVERFLOW, NOT_FINITE, DOMAIN (bits; a scale that is not positive). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_shares_value(double *v, const uint64_t *sum,
                                                               size_t size, unsigned bits,
                                                               double scale) {
  dppair_status status = dppair_array_(v, size);
  size_t k;
  if (status != DPPAIR_OK) return status;
  if (sum == NULL && size > 0) status = DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(scale)) status = DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK && (bits < 1 || bits > 64 || !(scale > 0.0))) status = DPPAIR_ERR_DOMAIN;
  for (k = 0; k < size; k++) {
    const uint64_t at = status == DPPAIR_OK ? sum[k] << (64 - bits) : 0u; /* the sign comes first */
    const double size_of = (double)((at >> 63 ? 0u - at : at) >> (64 - bits) % 64);
    v[k] = status == DPPAIR_OK ? (at >> 63 ? -size_of : size_of) / scale : 0.0;
  }
  return status;
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

#endif /* DPPAIR_SHARES_H */
#endif /* DPPAIR_DECLARE_ONLY */
