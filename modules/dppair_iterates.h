/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_iterates.h - noise added once, to what a descent ends with (version 0.1.0)
 *
 * A plan buys noise for every gradient. If only the end of a descent leaves, less may do: how far
 * one record moves the last iterate or the mean of all of them, of descent over all pairs, of
 * pairwise stochastic gradient descent, and of a regularised minimiser; and what the last iterate
 * of a descent with noise in every step costs.
 *
 *     #include "dppair_iterates.h"             includes dppair_accountant.h
 *
 *     dppair_descent d = {0};
 *     dppair_sensitivity(&move, &pair, &all);                              of one gradient
 *     d.output = DPPAIR_LAST_ITERATE, d.smoothness = 0.25, d.eta = 2.0, d.steps = 30;
 *     dppair_sensitivity_descent(&s, move, &d);                            of the last iterate
 *     dppair_gaussian_sigma(&sigma, s, epsilon, delta, 1);                 noise, added once
 *     dppair_accountant_gaussian(&account, s, sigma, 1);                   before it is released
 *
 * FUNCTIONS
 *   descent      dppair_sensitivity_descent: the last iterate, the mean of all, or the minimiser of
 *                a strongly convex mean over pairs within a tolerance
 *   noisy steps  dppair_gaussian_mu_last_iterate: the last iterate alone, by shifted interpolation
 *   SGD          dppair_sensitivity_uas_sequence: of one sequence of indices; dppair_uas_workspace
 *                dppair_sensitivity_uas_quantile: of most sequences; dppair_uas_sigma: the noise
 *   types        dppair_descent  dppair_uas  dppair_uas_loss
 *
 * All of this needs convex losses, and a step has a limit that its function says: a longer one is
 * refused. Sensitivities hold for exact arithmetic; a program adds what its own rounding does.
 * Errors zero outputs.
 *
 * The proofs are at the heads of modules/iterates/descents.h, last_iterate.h, sgd_stability.h and
 * sgd_hits.h, below.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     63  core/freestanding.h                Without a C library: names for the time of one include
 *    111  core/quick.h                       What is compiled soon rather than fast: it begins
 *    135  modules/iterates/descents.h        Output perturbation
 *           dppair_sensitivity_descent
 *    258  modules/iterates/last_iterate.h    The last iterate of noisy descent
 *           dppair_gaussian_mu_last_iterate
 *    379  core/quick_end.h                   What is compiled soon rather than fast: it ends
 *    390  modules/iterates/sgd_stability.h   Stability of pairwise stochastic gradient descent
 *           dppair_uas_workspace dppair_sensitivity_uas_sequence
 *    707  modules/iterates/sgd_hits.h        Stability by the number of hits
 *           dppair_sensitivity_uas_quantile dppair_uas_sigma
 *    907  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_DECLARE_ITERATES_
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#else
#ifndef DPPAIR_ITERATES_H
#define DPPAIR_ITERATES_H

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

/* ---- src/modules/iterates/descents.h --------------------------------------------------------
 * Output perturbation: the sensitivity of what gradient descent returns
 *
 * `move` is the sensitivity of the mean gradient of the data part (dppair_sensitivity, _metric);
 * smoothness and alpha are those of the FULL objective with its regulariser. Pairs may be clipped
 * where the margin is linear in the parameters: the clip then limits the slope of a convex function
 * of the margin, and leaves a smooth one smooth. Elsewhere clipped gradients belong to no convex
 * objective, and nothing here holds. Relies on sensitivity.h.
 * ---------------------------------------------------------------------------------------------- */

/* 2 - eta (a + b), rounded down: at least -3 DBL_EPSILON if eta is 2/(a + b) as computed. */
DPPAIR_FN_ double dppair_step_gap_(double eta, double a, double b) {
  const double product = eta * (a + b);
  return (2.0 - product) - 1.5 * DBL_EPSILON * product;
}

/* The sum of `terms` powers 1 + r + r^2 + .. with r = 1 - gap, or r = 0 where the gap exceeds 1. r
 * can exceed 1 by rounding. */
DPPAIR_FN_ double dppair_geometric_(double gap, double terms) {
  double power;
  if (terms <= 0.0) return 0.0;
  if (gap >= 1.0) return 1.0;
  power = terms * dppair_log1p_(-gap);
  if (!(gap > 0.0 || gap < 0.0)) return terms;
  return -dppair_expm1_(power) / gap * (power > 0.0 ? 1.0 + 4.0 * DBL_EPSILON * power : 1.0);
}

/* The factor by which rates that exceed 1 by rounding can enlarge a sum over `steps` steps. */
DPPAIR_FN_ double dppair_growth_(double eta, double a, double b, size_t steps) {
  const double gap = dppair_step_gap_(eta, a, b);
  return gap < 0.0 ? dppair_exp_(-gap * (double)steps) * (1.0 + 1e-15) : 1.0;
}

/* What is released of a descent. */
typedef enum dppair_descent_output {
  DPPAIR_LAST_ITERATE = 1, /* w_T; reads alpha, smoothness, eta, steps */
  DPPAIR_MEAN_ITERATE = 2, /* the mean of w_0 .. w_T; reads smoothness, eta, steps */
  DPPAIR_MINIMISER = 3     /* what a solver found; reads alpha, tolerance */
} dppair_descent_output;

/* T = `steps` steps of projected gradient descent from a public start in a convex set, or a
 * regularised minimiser. Fields that the output does not read must be 0. */
typedef struct dppair_descent {
  dppair_descent_output output;
  double alpha;      /* strong convexity of the full objective; 0: convex */
  double smoothness; /* of the full objective */
  double eta;        /* the step size */
  double
      tolerance; /* the solver stopped where the norm of the gradient (mapping) is at most this */
  size_t steps;
} dppair_descent;

/* move eta times a sum of powers: see dppair_sensitivity_descent. */
DPPAIR_FN_ dppair_status dppair_descent_last_(double *sensitivity, double move,
                                              const dppair_descent *d) {
  double fast, sum;
  if (d->alpha > d->smoothness) return DPPAIR_ERR_DOMAIN;
  /* both ends of the spectrum: 1 - eta alpha and eta smoothness - 1 */
  sum = dppair_geometric_(d->eta * d->alpha * (1.0 - DBL_EPSILON), (double)d->steps);
  fast = dppair_geometric_(dppair_step_gap_(d->eta, d->smoothness, 0.0), (double)d->steps);
  if (fast > sum) sum = fast;
  return dppair_sensitivity_store_(sensitivity, move * d->eta * sum * (1.0 + 1e-14));
}

/* Of iterates: the checks that both outputs share, and the sum. */
DPPAIR_FN_ dppair_status dppair_descent_steps_(double *sensitivity, double move,
                                               const dppair_descent *d) {
  const int mean = d->output == DPPAIR_MEAN_ITERATE;
  if (d->tolerance > 0.0 || (mean && d->alpha > 0.0)) return DPPAIR_ERR_UNREAD;
  if (!dppair_isfinite_f64(d->smoothness)) return DPPAIR_ERR_NO_PROOF;
  if (!(d->smoothness > 0.0)) return DPPAIR_ERR_DOMAIN;
  if (d->eta * d->smoothness > 2.0) return DPPAIR_ERR_STEP_SIZE;
  if (!mean) return dppair_descent_last_(sensitivity, move, d);
  return dppair_sensitivity_store_(sensitivity,
                                   0.5 * move * d->eta * (double)d->steps *
                                       dppair_growth_(d->eta, d->smoothness, 0.0, d->steps));
}

/*
 * *sensitivity of what a descent returns, by its output:
 *
 *   LAST_ITERATE  move eta (1 - r^T)/(1 - r), r = max(|1 - eta alpha|, |1 - eta smoothness|), which
 *                 is move (1 - (1 - eta alpha)^T)/alpha for eta <= 2/(smoothness + alpha), and move
 *                 eta T for alpha = 0
 *   MEAN_ITERATE  convex: move eta T/2, half of the last iterate's. (For the mean of w_1 .. w_T it
 *                 would be move eta (T+1)/2.)
 *   MINIMISER     over a convex set, alpha > 0: (move + 2 tolerance)/alpha. The tolerance does not
 *                 depend on the data. With move = 4G/n this is 4G/(alpha n). Smoothness is not
 *                 needed, so hinge is covered. For m single records, kernel bound kappa and a
 *                 C_L-Lipschitz loss (Nie and Wang 2017, Theorem 2), move = 2 kappa C_L/m
 *
 * The step size is part of the proof of iterates: STEP_SIZE for eta > 2/smoothness. An eta that is
 * 2/smoothness rounded up is accepted, and the bound allows for it. For one epoch of an algorithm
 * that works through disjoint parts of the records, pass the `move` of the part's size; the epochs
 * compose in parallel (dppair_parallel_epsilon).
 * Errors: NULL, NOT_FINITE, DOMAIN; NO_PROOF: no finite smoothness (hinge); UNREAD: a field that
 * the output does not read.
 *
 * Proof. Iterates: the gradient map is r-Lipschitz, the projection 1-Lipschitz, and each step adds
 * eta move. Attained (half of Xue et al. 2021, Lemma 1, with move = 4G/n). Minimiser, from
 * first-order optimality and strong monotonicity: alpha ||w - w'||^2 <= <g'(w') - g(w'), w' - w>
 * <= move ||w - w'||.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_descent(double *sensitivity, double move, const dppair_descent *descent) {
  const dppair_descent *d = descent;
  dppair_status status = dppair_sensitivity_args_(sensitivity, 2, move, 0.0, 0.0);
  if (status != DPPAIR_OK) return status;
  if (d == NULL) return DPPAIR_ERR_NULL;
  status = dppair_sensitivity_args_(sensitivity, 2, d->alpha, d->eta, d->tolerance);
  if (status != DPPAIR_OK) return status;
  switch (d->output) {
  case DPPAIR_LAST_ITERATE:
  case DPPAIR_MEAN_ITERATE:
    return dppair_descent_steps_(sensitivity, move, d);
  case DPPAIR_MINIMISER:
    if (d->smoothness != 0.0 || d->eta > 0.0 || d->steps > 0) return DPPAIR_ERR_UNREAD;
    if (!(d->alpha > 0.0)) return DPPAIR_ERR_DOMAIN;
    return dppair_sensitivity_store_(sensitivity, (move + 2.0 * d->tolerance) / d->alpha);
  }
  return DPPAIR_ERR_DOMAIN;
}

/* ---- src/modules/iterates/last_iterate.h ----------------------------------------------------
 * The last iterate of noisy descent
 *
 *     w_{t+1} = Proj( w_t - eta (g_D(w_t) + N(0, sigma^2 I)) ),  t = 0 .. T-1,
 *
 * released once, at t = T, costs less than T releases where each step forgets the one before: by
 * shifted interpolation (Bok, Su and Altschuler 2024). Relies on sensitivity.h and descents.h.
 * ---------------------------------------------------------------------------------------------- */

/*
 * With c = 1 - gap a Lipschitz constant of a step, in units of sensitivity/sigma, T = `steps`:
 * without a diameter the square root of (1 - c^T)/(1 + c^T) (1 + c)/(1 - c), which is
 * (sum of c^k)^2 / sum of c^2k over k < T, grows with c and is T at c = 1.
 */
DPPAIR_FN_ double dppair_last_free_(double gap, double steps) {
  double a, x;
  if (!(gap > 0.0)) return dppair_sqrt_(steps);
  a = gap < 1.0 ? -dppair_log1p_(-gap) : HUGE_VAL;
  x = dppair_exp_(-a * steps);
  x = -dppair_expm1_(-a * steps) / (1.0 + x) * ((2.0 - gap) / gap);
  return x < steps ? dppair_sqrt_(x) : dppair_sqrt_(steps);
}

/* With the last k steps alone, from two points that are `width` steps of eta sensitivity apart:
 * what these steps spend by themselves, and what they spend on the width. Both grow with c. */
DPPAIR_FN_ double dppair_last_within_(double gap, double width, double k) {
  double a;
  if (!(gap > 0.0))
    return dppair_sqrt_(k) +
           width / dppair_sqrt_(k) * dppair_exp_(-gap * k); /* the width grows by c^k */
  a = gap < 1.0 ? -dppair_log1p_(-gap) : HUGE_VAL;
  return dppair_last_free_(gap, k) +
         width * dppair_sqrt_(gap * (2.0 - gap) / dppair_expm1_(2.0 * a * k));
}

/*
 * *mu >= the mu with which the LAST of T = `steps` iterates, alone, is a Gaussian mechanism.
 *
 *   sensitivity   of the gradient g: |g_D(w) - g_D'(w)| at every w of the set, with all that
 *                 computing a step can add (below)
 *   sigma         of the noise in each coordinate of the gradient; that of w is eta sigma
 *   smoothness    L: g_D is the gradient of an L-smooth function, regulariser included, for D and
 *                 D' alike; HUGE_VAL (hinge: none) is NO_PROOF
 *   alpha         that function's strong convexity, regulariser included; 0 needs a diameter, else
 *                 NO_PROOF: a step then forgets nothing
 *   eta           the step size, at most 2/L (STEP_SIZE)
 *   diameter      of the closed convex set that each iterate is projected on; HUGE_VAL: no set
 *
 *     c = max(|1 - eta alpha|, |1 - eta L|),  D = sensitivity/sigma,  s = eta sensitivity
 *     mu = D sqrt((1 - c^T)/(1 + c^T) (1 + c)/(1 - c)) <= D sqrt(T); never above
 *     mu = (c^k diameter + s (1 - c^k)/(1 - c)) sqrt((1 - c^2)/(1 - c^2k)) / (eta sigma)
 *
 * for every integer k in 1 .. T. The second is least at 1 - c^k = (1 - c) diameter/s, and falls or
 * grows to both sides of it: the two integers around it are compared.
 *
 * Proof. Let X be the run on D and Y_{t+1} = Proj(l phi_D(X_t) + (1 - l) phi_D'(Y_t) + Z_t) with
 * X's noise, l = l_{t+1}, l_T = 1, so that Y_T = X_T. With d_t >= |X_t - Y_t| a step gives
 * d_{t+1} = (1 - l)(c d_t + s), and Y_{t+1} is D's neighbour's step from Y_t but for a shift of
 * norm a_{t+1} <= l (c d_t + s). The shift depends on the past; mixtures of shifted Gaussians are
 * no worse than the largest shift, so Y_T against the run on D' has mu^2 = sum of a_t^2/(eta
 * sigma)^2. a_t + d_t = c d_{t-1} + s, d_0 = 0 = d_T, hence sum of c^(T-t) a_t = s (1 - c^T)/
 * (1 - c), least for a_t in proportion to c^(T-t), which keeps d_t >= 0. Started k steps before the
 * end from d = diameter: the second form. For c > 1 by rounding equal a_t will do. Attained by a
 * linear function with the regulariser alone, L = alpha.
 *
 * Rounding. What is computed before the noise may be off by e in each run: add 2 e/eta to the
 * sensitivity. What rounds afterwards (the grid of the noise, the projection), by r in all, enters
 * the next step: add 2 c r/eta. NAME_sensitivity is about one point, and covers no such thing.
 *
 * What is needed besides. Nothing else of the run leaves it: no iterate, no loss or norm of a
 * gradient, no stop that depends on them. The start and T are public. Clipping only where it leaves
 * the gradient of a smooth and strongly convex function (slopes of linear margins), not of records'
 * norms or of networks. Averages of iterates, momentum, adaptive steps and batches have no proof.
 * Charge dppair_accountant_gaussian(account, mu, 1.0, 1) before the first step.
 *
 * Smoothness of the mean over n(n-1) ordered pairs, rows |x| <= R, logistic slope: 'ind'
 * R^2 n/(4 (n-1)), 'diff' 2 R^2 n/(n-1), since at most n^2/4 pairs have two labels; else one
 * pair's. Then alpha is added.
 * Errors: NULL, ENVIRONMENT, NOT_FINITE, DOMAIN, NO_PROOF, STEP_SIZE, SIZE (no steps), SIGMA,
 * OVERFLOW. An eta that is 2/smoothness rounded up is accepted.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_gaussian_mu_last_iterate(double *mu, double sensitivity, double sigma, double smoothness,
                                double alpha, double eta, size_t steps, double diameter) {
  const double total = (double)steps;
  dppair_status status = dppair_sensitivity_args_(mu, 2, sensitivity, alpha, eta);
  double gap, best, other, width, k;
  if (status != DPPAIR_OK) return status;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (smoothness != smoothness || diameter != diameter) return DPPAIR_ERR_NOT_FINITE;
  if (!dppair_isfinite_f64(sigma) || !(sigma > 0.0) || !dppair_ordinary_(sigma))
    return DPPAIR_ERR_SIGMA;
  if (!(smoothness > 0.0) || !(diameter > 0.0) || !(eta > 0.0) || alpha > smoothness)
    return DPPAIR_ERR_DOMAIN;
  if (smoothness >= HUGE_VAL) return DPPAIR_ERR_NO_PROOF;
  if (!(alpha > 0.0) && diameter >= HUGE_VAL) return DPPAIR_ERR_NO_PROOF;
  if (!dppair_ordinary_(smoothness) || (diameter < HUGE_VAL && !dppair_ordinary_(diameter)))
    return DPPAIR_ERR_DOMAIN;
  if (steps < 1) return DPPAIR_ERR_SIZE;
  if (eta * smoothness > 2.0) return DPPAIR_ERR_STEP_SIZE;
  if (!(sensitivity > 0.0)) return DPPAIR_OK;
  /* 1 - c, rounded down: the nearer of both ends of the spectrum */
  gap = dppair_step_gap_(eta, smoothness, 0.0);
  other = eta * alpha * (1.0 - 2.0 * DBL_EPSILON);
  if (other < gap) gap = other;
  best = dppair_last_free_(gap, total);
  width = diameter < HUGE_VAL ? diameter / (eta * sensitivity) : HUGE_VAL;
  if (width * gap < 1.0) { /* else the set is wider than the iterates ever are apart */
    k = gap > 0.0 ? dppair_floor_(dppair_log1p_(-width * gap) / dppair_log1p_(-gap))
                  : dppair_floor_(width);
    if (!(k >= 1.0)) k = 1.0;
    if (k > total) k = total;
    other = dppair_last_within_(gap, width, k);
    if (other < best) best = other;
    if (k < total) other = dppair_last_within_(gap, width, k + 1.0);
    if (other < best) best = other;
  }
  return dppair_sensitivity_store_(mu, sensitivity / sigma * best * (1.0 + 1e-14));
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
DPPAIR_LIBM_BEGIN_

/* ---- src/modules/iterates/sgd_stability.h ---------------------------------------------------
 * Stability of pairwise stochastic gradient descent
 *
 * How far one record moves what pairwise SGD returns, for a sequence of indices (this chapter) and
 * for a number of hits (sgd_hits.h).
 *
 * w_1 = 0; step l = 1 .. T-1 draws index i_{l+1} and moves w along the mean subgradient over the l
 * pairs (i_{l+1}, i_k), k <= l, then projects on a convex set of this diameter. Released: the mean
 * of w_1 .. w_T (or w_T) with noise. Indices are drawn independently of the data and of the noise,
 * records are attached to positions without looking at their values, and step l divides by l also
 * where a pair is a self-pair. For the record at position a let r_l = 1 if i_{l+1} = a, else
 * (hits among i_1..i_l)/l, and c = 2 eta G. Then the distance d of the two runs obeys
 *
 *   convex           d <- min( sqrt(d^2 + c^2 (1-r)^2) + c r, diameter ), 0 before the first hit
 *   + lam/2 |w|^2    d <- sqrt((1 - eta lam)^2 d^2 + c^2 (1-r)^2) + c r,   eta lam <= 1
 *   smooth           d <- (1 - eta lam) d + c r,           eta <= 2/(smoothness + lam)
 *
 * (untouched subgradients are monotone and differ by at most 2G; touched ones add 2 eta G r). All
 * of this needs monotone subgradients, and so a loss that is convex in the parameters. Clipping
 * each pair's gradient to C keeps them monotone where the margin is linear in the parameters
 * (scores w.x, metrics, similarities): it clips the slope, which leaves another convex function of
 * the margin, and min(C, G) takes the place of G. Elsewhere a clipped gradient is not monotone: the
 * untouched pairs too push the runs apart, by up to 2 eta C in every step, and there is no bound.
 * For the ranking losses phi(w.(x-x')) with phi convex and non-increasing and two label levels, c =
 * eta G: touched gradients lie in a set of diameter G, untouched ones are one-signed multiples of
 * one vector. With a clip the two places of c are eta min(C, G), beside (1-r), and eta min(2C, G),
 * beside r.
 *
 * Four ways to use it, from the least noise to the most (n = 512, T = n^2, eta = n^-1.5, G = 1,
 * epsilon = 1, delta = 1e-5: noise 0.5, 2.3, 2.9 and, as printed by Yang et al. 2021, 126):
 *   the realised sequence   exact; publishing the indices is safe, sigma(I) may depend on them
 *   the binomial mixture    a sigma fixed in advance, no failure probability
 *   a binomial quantile     a sigma fixed in advance, failure probability added to delta
 *   Theorem 4 as printed    see dppair_paper
 * ---------------------------------------------------------------------------------------------- */

/* What is known of the loss. There is no default, because without convexity there is no bound. */
typedef enum dppair_uas_loss {
  DPPAIR_UAS_CONVEX = 1, /* convex in the parameters; pairs are not clipped */
  DPPAIR_UAS_LINEAR = 2, /* convex phi of a margin that is linear in the parameters */
  DPPAIR_UAS_RANKING = 3 /* convex, non-increasing phi of +-w.(x - x'), two label levels */
} dppair_uas_loss;

typedef struct dppair_uas {
  size_t n, steps;         /* records; T, the number of indices and of averaged iterates */
  dppair_uas_loss loss;    /* 0: DPPAIR_ERR_NO_PROOF */
  double eta, lipschitz;   /* step size; G of the data part, unclipped */
  double diameter;         /* of the convex set; 0: unbounded */
  double strong_convexity; /* lam of a data-independent lam/2 |w|^2; 0: none */
  double smoothness;       /* of the full objective; 0: not smooth */
  double pair_clip;        /* each pair's gradient clipped to this norm; 0: none; not for CONVEX */
  int last_iterate;        /* w_T is released, not the mean */
} dppair_uas;

/* Checks u and computes *c = eta times the largest difference of two gradients, and *cap, the
 * diameter in units of c (DBL_MAX when unbounded). */
DPPAIR_FN_ dppair_status dppair_uas_check_(double *c, double *cap, const dppair_uas *u) {
  double most;
  *c = *cap = 0.0;
  if (u == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(u->eta) || !dppair_isfinite_f64(u->lipschitz) ||
      !dppair_isfinite_f64(u->diameter) || !dppair_isfinite_f64(u->strong_convexity) ||
      !dppair_isfinite_f64(u->smoothness) || !dppair_isfinite_f64(u->pair_clip))
    return DPPAIR_ERR_NOT_FINITE;
  if (u->n < 2 || u->steps < 1) return DPPAIR_ERR_SIZE;
  if (u->loss != DPPAIR_UAS_CONVEX && u->loss != DPPAIR_UAS_LINEAR && u->loss != DPPAIR_UAS_RANKING)
    return DPPAIR_ERR_NO_PROOF;
  if (!(u->eta > 0.0) || !(u->lipschitz > 0.0) || u->diameter < 0.0 || u->strong_convexity < 0.0 ||
      u->smoothness < 0.0 || !dppair_ordinary_(u->eta) || !dppair_ordinary_(u->lipschitz) ||
      !dppair_ordinary_(u->diameter) || !dppair_ordinary_(u->pair_clip))
    return DPPAIR_ERR_DOMAIN;
  if (u->eta * u->strong_convexity > 1.0) return DPPAIR_ERR_STEP_SIZE;
  if (u->smoothness > 0.0 && u->eta * (u->smoothness + u->strong_convexity) > 2.0)
    return DPPAIR_ERR_STEP_SIZE;
  if (u->pair_clip < 0.0) return DPPAIR_ERR_DOMAIN;
  if (u->pair_clip > 0.0 && u->loss == DPPAIR_UAS_CONVEX) return DPPAIR_ERR_NO_PROOF;
  most = u->lipschitz;
  if (u->loss != DPPAIR_UAS_RANKING) {
    if (u->pair_clip > 0.0 && u->pair_clip < most) most = u->pair_clip;
    most *= 2.0;
  } else if (u->pair_clip > 0.0 && 2.0 * u->pair_clip < most) {
    most = 2.0 * u->pair_clip;
  }
  *c = u->eta * most;
  *cap = u->diameter > 0.0 && *c > 0.0 ? dppair_up_(u->diameter / *c) : DBL_MAX;
  return DPPAIR_OK;
}

/* The place of c beside (1 - r), for untouched pairs, as a part of c. */
DPPAIR_FN_ double dppair_uas_away_(const dppair_uas *u) {
  if (u->loss != DPPAIR_UAS_RANKING) return 1.0;
  if (!(u->pair_clip > 0.0) || u->pair_clip >= u->lipschitz) return 1.0;
  return 2.0 * u->pair_clip < u->lipschitz ? 0.5 : dppair_up_(u->pair_clip / u->lipschitz);
}

/* The factor by which rounding of a step size at its limit lets smooth runs grow apart. */
DPPAIR_FN_ double dppair_uas_growth_(const dppair_uas *u) {
  return u->smoothness > 0.0 ? dppair_growth_(u->eta, u->smoothness, u->strong_convexity, u->steps)
                             : 1.0;
}

/* Doubles that dppair_sensitivity_uas_sequence needs. */
DPPAIR_FN_ dppair_status dppair_uas_doubles_(size_t *doubles, const dppair_uas *u, double ratio) {
  *doubles = 0;
  if (u == NULL) return DPPAIR_ERR_NULL;
  if (u->n > SIZE_MAX / 64 || u->steps > SIZE_MAX / 64) return DPPAIR_ERR_OVERFLOW;
  *doubles = ratio > 1.0 ? u->steps + u->n + 1 : 3 * u->n;
  return DPPAIR_OK;
}

/* *bytes of workspace for dppair_sensitivity_uas_sequence, at any alignment. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_uas_workspace(size_t *bytes, const dppair_uas *u,
                                                                double ratio) {
  size_t doubles;
  dppair_status status;
  if (bytes == NULL) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = dppair_uas_doubles_(&doubles, u, ratio);
  return status == DPPAIR_OK ? dppair_doubles_bytes_(bytes, doubles) : status;
}

/* One step of the recursion for all n positions but the one that is hit, in units of c: d and its
 * sum. hits: before the step; keep = 1 - eta lam; inverse = 1/l. */
DPPAIR_FN_ void dppair_uas_untouched_(double *d, double *sum, const double *hits, size_t n,
                                      double keep, double share, double cap, double inverse,
                                      int smooth) {
  const double keep2 = keep * keep;
  size_t a;
  if (smooth) {
    for (a = 0; a < n; a++) {
      const double next = keep * d[a] + hits[a] * inverse;
      d[a] = next < cap ? next : cap;
      sum[a] += d[a];
    }
  } else {
    for (a = 0; a < n; a++) {
      const double r = hits[a] * inverse, away = hits[a] > 0.0 ? share * (1.0 - r) : 0.0;
      const double next = dppair_sqrt_(keep2 * d[a] * d[a] + away * away) + r;
      d[a] = next < cap ? next : cap;
      sum[a] += d[a];
    }
  }
}

/* The recursion for all positions at once, in units of c. Returns the largest sum of d_1 .. d_T (or
 * the largest d_T). O(n T). */
DPPAIR_FN_ double dppair_uas_exact_(const dppair_uas *u, const size_t *indices, double cap,
                                    double *workspace) {
  const size_t n = u->n;
  double *d = workspace, *hits = workspace + n, *sum = workspace + 2 * n, largest = 0.0;
  const double gap = dppair_step_gap_(u->eta, u->smoothness, u->strong_convexity);
  const double beyond = u->smoothness > 0.0 && gap < 0.0 ? -gap : 0.0; /* see dppair_step_gap_ */
  const double keep = 1.0 - u->eta * u->strong_convexity + beyond;
  const double share = dppair_uas_away_(u);
  size_t l, a;
  for (a = 0; a < 3 * n; a++) workspace[a] = 0.0;
  hits[indices[0]] = 1.0;
  for (l = 1; l < u->steps; l++) {
    const size_t hit = indices[l];
    const double before = d[hit], sum_before = sum[hit];
    dppair_uas_untouched_(d, sum, hits, n, keep, share, cap, 1.0 / (double)l, u->smoothness > 0.0);
    /* the one that is hit has r = 1 */
    d[hit] = keep * before + 1.0;
    if (d[hit] > cap) d[hit] = cap;
    sum[hit] = sum_before + d[hit];
    hits[hit] += 1.0;
  }
  for (a = 0; a < n; a++) {
    const double value = u->last_iterate ? d[a] : sum[a];
    if (value > largest) largest = value;
  }
  return largest;
}

/* One position in the block version. */
typedef struct dppair_uas_run_ {
  double d, sum, hits, cap, share;
  int smooth;
} dppair_uas_run_;

/*
 * Steps first..last without a hit. Over a block U, d_out <= sqrt(d^2 + sum (1-r)^2) + sum r; the
 * sums over 1/l and 1/l^2 are bounded by midpoint integrals (1/x and 1/x^2 are convex); the
 * iterates inside lie below a concave function of the time, whose mean is at most its value at the
 * mean.
 */
DPPAIR_FN_ void dppair_uas_block_(dppair_uas_run_ *s, double first, double last) {
  const double k = s->hits, length = last - first + 1.0;
  const double low = first - 0.5, high = last + 0.5;
  const double harmonic = dppair_log1p_(length / low) * (1.0 + 1e-15);
  const double r_sum = k * harmonic, r_most = k / first, away = s->share * (1.0 - k / last);
  double d_out, inside, away_sum;
  const double half = 0.5 * (length + 1.0);
  if (length <= 1.0) { /* the recursion itself */
    s->d = s->smooth ? s->d + r_most : dppair_sqrt_(s->d * s->d + away * away) + r_most;
    if (s->d > s->cap) s->d = s->cap;
    s->sum += s->d;
    return;
  }
  if (s->smooth) {
    d_out = s->d + r_sum;
    inside = s->d + half * r_most;
  } else {
    const double lower =
        harmonic * (1.0 - 3e-15) - (1.0 / 24.0) * (1.0 / (low * low) - 1.0 / (high * high));
    away_sum = s->share * s->share * (length - 2.0 * k * lower + k * k * length / (low * high));
    if (away_sum > length * away * away) away_sum = length * away * away;
    if (away_sum < 0.0) away_sum = 0.0;
    d_out = dppair_sqrt_(s->d * s->d + away_sum) + r_sum;
    inside = dppair_sqrt_(s->d * s->d + half * away * away) + half * r_most;
  }
  if (inside > d_out) inside = d_out;
  if (d_out > s->cap) d_out = s->cap;
  if (inside > s->cap) inside = s->cap;
  s->sum += length * inside;
  s->d = d_out;
}

/* Blocks begin to grow at this step: before, 1/l changes too much within one. */
#define DPPAIR_UAS_SINGLE_STEPS_ 32.0

/* Steps first..last without a hit, in blocks each `ratio` times as long as its beginning. */
DPPAIR_FN_ void dppair_uas_quiet_(dppair_uas_run_ *s, double first, double last, double ratio) {
  double l = first;
  while (l <= last) {
    double end = l < DPPAIR_UAS_SINGLE_STEPS_ ? l : l * ratio;
    end = end < last ? dppair_floor_(end) : last; /* last is an integer */
    if (!(end >= l)) end = l;
    dppair_uas_block_(s, l, end);
    l = end + 1.0;
  }
}

/* The block version for the position whose hits are at place[0] < .. < place[count - 1], in 1..T:
 * the hit at place p is step p - 1, and after it steps up to the next hit's are quiet. */
DPPAIR_FN_ double dppair_uas_position_(const dppair_uas *u, const double *place, size_t count,
                                       double cap, double ratio) {
  dppair_uas_run_ s;
  size_t i;
  s.d = s.sum = s.hits = 0.0;
  s.cap = cap;
  s.share = dppair_uas_away_(u);
  s.smooth = u->smoothness > 0.0;
  for (i = 0; i < count; i++) {
    const double next = i + 1 < count ? place[i + 1] : (double)u->steps + 1.0;
    if (place[i] > 1.0) {
      s.d += 1.0;
      if (s.d > cap) s.d = cap;
      s.sum += s.d;
    }
    s.hits += 1.0;
    dppair_uas_quiet_(&s, place[i], next - 2.0, ratio);
  }
  return u->last_iterate ? s.d : s.sum;
}

/* The block version for all positions: O(T + n log_ratio T). Contraction by a regulariser is not
 * used. */
DPPAIR_FN_ double dppair_uas_blocks_(const dppair_uas *u, const size_t *indices, double cap,
                                     double ratio, double *workspace) {
  const size_t n = u->n, steps = u->steps;
  double *start = workspace, *place = workspace + n + 1, largest = 0.0;
  size_t k, a, begin = 0;
  /* Sort the positions 1..T by index, stably; afterwards start[a] is where those of a end. */
  for (a = 0; a <= n; a++) start[a] = 0.0;
  for (k = 0; k < steps; k++) start[indices[k] + 1] += 1.0;
  for (a = 0; a < n; a++) start[a + 1] += start[a];
  for (k = 0; k < steps; k++) {
    const size_t slot = (size_t)start[indices[k]];
    place[slot] = (double)(k + 1);
    start[indices[k]] += 1.0;
  }
  for (a = 0; a < n; a++) {
    const size_t end = (size_t)start[a];
    const double value = dppair_uas_position_(u, place + begin, end - begin, cap, ratio);
    if (value > largest) largest = value;
    begin = end;
  }
  return largest;
}

/*
 * The sensitivity of the released mean (or last iterate) for the realised index sequence, the
 * largest over all n positions. indices: 0-based, one per iterate, count = u->steps. ratio = 1 runs
 * the recursion exactly in O(n T); ratio > 1 (1.05, say) bounds it from above in O(T + n log T /
 * log ratio), at most a few parts in a thousand higher. work: dppair_uas_workspace bytes.
 * Release with sigma = sensitivity/mu: the pair (indices, noisy mean) is private, because the
 * indices have the same law for both data sets and each conditional release is Gaussian.
 * Errors: those of u; SIZE when count is not u->steps; DOMAIN for an index >= n or a ratio below 1.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_uas_sequence(double *sensitivity, const dppair_uas *u, const size_t *indices,
                                size_t count, double ratio, void *work, size_t bytes) {
  double c, cap, value, *doubles;
  size_t i, needed, room;
  dppair_status status;
  if (sensitivity == NULL) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  if (u == NULL || indices == NULL || work == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(ratio)) return DPPAIR_ERR_NOT_FINITE;
  if (ratio < 1.0) return DPPAIR_ERR_DOMAIN;
  status = dppair_uas_check_(&c, &cap, u);
  if (status == DPPAIR_OK) status = dppair_uas_doubles_(&needed, u, ratio);
  if (status != DPPAIR_OK) return status;
  if (count != u->steps) return DPPAIR_ERR_SIZE;
  doubles = dppair_doubles_(&room, work, bytes);
  if (room < needed) return DPPAIR_ERR_WORKSPACE;
  for (i = 0; i < count; i++)
    if (indices[i] >= u->n) return DPPAIR_ERR_DOMAIN;
  value = ratio > 1.0 ? dppair_uas_blocks_(u, indices, cap, ratio, doubles) * dppair_uas_growth_(u)
                      : dppair_uas_exact_(u, indices, cap, doubles);
  if (!u->last_iterate) value /= (double)u->steps;
  value *= c * (1.0 + 1e-15 * (double)(count + 8));
  if (u->diameter > 0.0 && value > u->diameter) value = u->diameter;
  return dppair_sensitivity_store_(sensitivity, value);
}

/* ---- src/modules/iterates/sgd_hits.h --------------------------------------------------------
 * Stability by the number of hits
 *
 * Bounds for sigmas that are fixed before the indices are drawn: for a number of hits, for a
 * quantile of it, and for its mixture. Relies on sgd_stability.h and binomial.h.
 * ---------------------------------------------------------------------------------------------- */

/* The smallest k for which Pr[Bin(n, p) > k] <= gamma, and that probability, rounded up.
 * 0 < gamma < 1, 0 <= p <= 1. Errors: DELTA and DOMAIN outside these ranges, NOT_FINITE,
 * ENVIRONMENT (another rounding mode), OVERFLOW where a deviation is more than a million. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_binomial_quantile_(size_t *k, double *tail,
                                                                     size_t n, double p,
                                                                     double gamma) {
  size_t low = 0, high = n;
  if (k == NULL || tail == NULL) return DPPAIR_ERR_NULL;
  *k = 0;
  *tail = 1.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(p) || !dppair_isfinite_f64(gamma)) return DPPAIR_ERR_NOT_FINITE;
  if (p < 0.0 || p > 1.0) return DPPAIR_ERR_DOMAIN;
  if (!(gamma > 0.0 && gamma < 1.0)) return DPPAIR_ERR_DELTA;
  if (dppair_sqrt_((double)n * p * (1.0 - p)) > (double)DPPAIR_BINOMIAL_MOST_)
    return DPPAIR_ERR_OVERFLOW;
  { /* Chernoff's bounds end the search: N <= mean + L/2 + sqrt(L^2/4 + 2 mean L) but for
     * probability e^-L, and N > mean - sqrt(2 mean L) but for that. */
    const double mean = (double)n * p, level = -dppair_log_(gamma) * 1.000001 + 1e-9;
    const double bound =
        dppair_ceil_(mean + 0.5 * level + dppair_sqrt_(0.25 * level * level + 2.0 * mean * level)) +
        1.0;
    const double under =
        mean - dppair_sqrt_(2.0 * mean * (-dppair_log1p_(-gamma) * 1.000001 + 1e-9)) * 1.000001;
    if (bound < (double)n) high = (size_t)bound;
    if (under > 2.0 && under - 2.0 < (double)high) low = (size_t)(under - 2.0);
  }
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (dppair_binomial_tail_(n, p, middle) <= gamma)
      high = middle;
    else
      low = middle + 1;
  }
  *k = low;
  *tail = dppair_binomial_tail_(n, p, low);
  return DPPAIR_OK;
}

/* The harmonic number H_m: the sum below 32, the asymptotic series from there on. */
DPPAIR_FN_ double dppair_harmonic_(double m) {
  const double r2 = 1.0 / (m * m);
  double sum = 0.0, k;
  if (m < 32.0) {
    for (k = 1.0; k <= m; k += 1.0) sum += 1.0 / k;
    return sum;
  }
  return dppair_log_(m) + 0.57721566490153286061 + 0.5 / m -
         r2 * (1.0 / 12.0 - r2 * (1.0 / 120.0 - r2 / 252.0));
}

/* A bound on the sensitivity for every sequence in which the record is hit N = `hits` times:
 * c [ (2/3) sqrt T + (1/T) sum_t S(t) ], S(t) = t for t < N, N - 1 + N (H_t - H_{N-1}) afterwards
 * (the hits come first in the worst case). When smooth, without the square root; 0 for no hit. */
DPPAIR_FN_ dppair_status dppair_uas_hits_(double *sensitivity, const dppair_uas *u, size_t hits) {
  double c, cap, value, t, n;
  dppair_status status;
  *sensitivity = 0.0;
  status = dppair_uas_check_(&c, &cap, u);
  if (status != DPPAIR_OK || hits == 0) return status;
  t = (double)u->steps;
  n = (double)(hits < u->steps ? hits : u->steps);
  if (u->last_iterate) {
    value =
        n >= t ? t - 1.0 : n - 1.0 + n * (dppair_harmonic_(t - 1.0) - dppair_harmonic_(n - 1.0));
    if (u->smoothness <= 0.0) value += dppair_uas_away_(u) * dppair_sqrt_(t);
  } else {
    const double hn = dppair_harmonic_(n - 1.0), ht = dppair_harmonic_(t - 1.0);
    value = 0.5 * n * (n - 1.0);
    if (n < t)
      value += (t - n) * (n - 1.0 - n * hn) + n * ((t * ht - (t - 1.0)) - (n * hn - (n - 1.0)));
    value /= t;
    if (u->smoothness <= 0.0) value += dppair_uas_away_(u) * (2.0 / 3.0) * dppair_sqrt_(t);
  }
  value *= c * (1.0 + 1e-11) * dppair_uas_growth_(u);
  if (u->diameter > 0.0 && value > u->diameter) value = u->diameter;
  return dppair_sensitivity_store_(sensitivity, value);
}

/* A sensitivity that holds with high probability, for i.i.d. uniform indices: N ~ Bin(T, 1/n) hits.
 * *hits is the exact quantile with Pr[N > hits] <= gamma, and at least 1 (with 0, every hit would
 * be a failure, and the release would need no noise). *failure is Pr[N > hits]: add it to delta by
 * dppair_accountant_failure. *sensitivity is the bound for *hits. On an error *failure is 1, which
 * no budget has, and the others are 0. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_uas_quantile(
    double *sensitivity, double *failure, size_t *hits, const dppair_uas *u, double gamma) {
  dppair_status status;
  if (sensitivity == NULL || failure == NULL || hits == NULL) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  *failure = 1.0;
  *hits = 0;
  if (u == NULL) return DPPAIR_ERR_NULL;
  if (u->n < 2) return DPPAIR_ERR_SIZE;
  status =
      dppair_binomial_quantile_(hits, failure, u->steps, dppair_up_(1.0 / (double)u->n), gamma);
  if (status != DPPAIR_OK) return status;
  if (*hits == 0) {
    *hits = 1;
    *failure = dppair_binomial_tail_(u->steps, dppair_up_(1.0 / (double)u->n), 1);
  }
  status = dppair_uas_hits_(sensitivity, u, *hits);
  if (status != DPPAIR_OK) {
    *failure = 1.0;
    *hits = 0;
  }
  return status;
}

/* The sum of dppair_uas_delta_ over the numbers of hits. It begins 12 deviations below the mean,
 * where fewer hits count as so many (they cost no more), and ends where the tail is nothing beside
 * the sum; the tail is looked at once in 8 terms. */
DPPAIR_FN_ dppair_status dppair_uas_mixture_(double *sum, const dppair_uas *u, double sigma,
                                             double epsilon) {
  const double rate = 1.0 / (double)u->n, mean = (double)u->steps * rate;
  const double spread = dppair_sqrt_(mean) + 1.0;
  const size_t low = mean > 12.0 * spread ? (size_t)(mean - 12.0 * spread) : 1;
  double total = 0.0, term, rest;
  size_t k;
  for (k = low; k <= u->steps; k++) {
    double sensitivity;
    dppair_status status = dppair_uas_hits_(&sensitivity, u, k);
    if (status == DPPAIR_OK)
      status = dppair_gaussian_delta(&term, epsilon, dppair_up_(sensitivity / sigma));
    if (status != DPPAIR_OK) return status;
    total += term * dppair_exp_(dppair_binomial_log_pmf_(u->steps, rate, k));
    if (k == low && low > 1) total += term * (1.0 - dppair_binomial_tail_(u->steps, rate, low - 1));
    if (!((double)k > mean && (k - low) % 8 == 0)) continue;
    rest = dppair_binomial_tail_(u->steps, rate, k);
    if (rest <= 1e-13 * total || rest < 1e-290) {
      total += rest;
      break;
    }
  }
  *sum = total * (1.0 + 1e-11);
  return DPPAIR_OK;
}

/*
 * delta at epsilon of the release with a sigma fixed in advance, for i.i.d. uniform indices and
 * without a failure probability:
 * delta(epsilon) <= sum_N Pr[Bin(T, 1/n) = N] delta_G(epsilon, sensitivity(N)/sigma)
 * (the hockey-stick divergence is jointly convex, the position is fixed, N has one law).
 * Errors: those of u; NOT_FINITE, SIGMA, EPSILON; OVERFLOW where a record expects more than 1e8
 * hits.
 */
DPPAIR_FN_ dppair_status dppair_uas_delta_(double *delta, const dppair_uas *u, double sigma,
                                           double epsilon) {
  double total;
  dppair_status status;
  *delta = 0.0;
  if (!dppair_isfinite_f64(sigma)) return DPPAIR_ERR_NOT_FINITE;
  if (!(sigma > 0.0)) return DPPAIR_ERR_SIGMA;
  if ((double)u->steps * (1.0 / (double)u->n) > 1e8) return DPPAIR_ERR_OVERFLOW;
  status = dppair_uas_mixture_(&total, u, sigma, epsilon);
  if (status != DPPAIR_OK) return status;
  *delta = total < DBL_MIN ? DBL_MIN : (total < 1.0 ? total : 1.0);
  return DPPAIR_OK;
}

/* The sigma that makes dppair_uas_delta_ at most delta at this epsilon, within 1e-9, rounded up.
 * DELTA when delta >= Pr[N >= 1], about T/n: such a delta is met without noise, which protects
 * nobody who is drawn. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_uas_sigma(double *sigma, const dppair_uas *u,
                                                            double epsilon, double delta) {
  double low, high = 0.0, worst, reached;
  dppair_status status;
  int i;
  if (sigma == NULL) return DPPAIR_ERR_NULL;
  *sigma = 0.0;
  if (u == NULL) return DPPAIR_ERR_NULL;
  if (u->n < 2 || u->steps < 1) return DPPAIR_ERR_SIZE;
  if (delta >=
      -dppair_expm1_((double)u->steps * dppair_log1p_(-1.0 / (double)u->n)) * (1.0 - 1e-12))
    return DPPAIR_ERR_DELTA;
  /* No sequence is worse than T hits: an upper end. */
  status = dppair_uas_hits_(&worst, u, u->steps);
  if (status == DPPAIR_OK) status = dppair_gaussian_sigma(&high, worst, epsilon, delta, 1);
  if (status != DPPAIR_OK || high <= 0.0) return status;
  low = high * 1e-12;
  for (i = 0; i < 100 && high > low * (1.0 + 1e-9); i++) {
    const double middle = dppair_sqrt_(low * high);
    status = dppair_uas_delta_(&reached, u, middle, epsilon);
    if (status != DPPAIR_OK) return status;
    if (reached <= delta)
      high = middle;
    else
      low = middle;
  }
  *sigma = high;
  return DPPAIR_OK;
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

#endif /* DPPAIR_ITERATES_H */
#endif /* DPPAIR_DECLARE_ONLY */
