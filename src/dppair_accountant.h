/* SPDX-License-Identifier: MIT */
/*
 * dppair_accountant.h - how much noise is needed and what it guarantees (version 0.1.0)
 *
 *   Sensitivities, mechanisms, composition, conversion and calibration for private pairwise learning.
 *
 *   In a pairwise problem a record sits in n-1 pairs. This header computes what that means for the
 *   sensitivity of a mean over pairs, for the subsampling of pairs, and for the stability of
 *   pairwise stochastic gradient descent; and it turns noise into (epsilon, delta) and back.
 *
 *   With dppair_losses.h and dppair_noise.h a plan's releases know their sensitivity and noise, and
 *   nothing of what follows is typed (dppair.h, RELEASES). By hand, the 2.0 is yours to prove: the rows'
 *   radius and the loss's steepest slope are 1.
 *
 *     #include "dppair_accountant.h"
 *
 *     double move, sigma;
 *     dppair_interval epsilon;
 *     dppair_accountant a;
 *     dppair_pair_unit pair = {0};
 *     dppair_sampling all = dppair_sampling_all(512, DPPAIR_REPLACE_ONE);
 *     pair.levels = DPPAIR_LEVELS_TWO, pair.unit = 2.0;             twice radius times slope
 *     if (dppair_sensitivity(&move, &pair, &all) != DPPAIR_OK ||             of one gradient
 *         dppair_gaussian_sigma(&sigma, move, 1.0, 1e-5, 100) != DPPAIR_OK)   100 steps, (1, 1e-5)
 *       return 1;
 *     dppair_accountant_init(&a);
 *     for (t = 0; t < 100; t++) {
 *       if (dppair_accountant_gaussian(&a, move, sigma, 1) != DPPAIR_OK) return 1;
 *       ... release the gradient with noise sigma, take the step ...
 *     }
 *     if (dppair_accountant_epsilon(&epsilon, &a, 1e-5, NULL) != DPPAIR_OK) return 1;
 *                                                              epsilon.upper is 1, to 12 digits
 *
 * FIRST TO KNOW
 *   dppair_sensitivity            of a mean over pairs: from one pair and the sampling; _metric,
 *                                 _queries, _groups, .. Of a loss, with rounding: NAME_sensitivity
 *   dppair_gaussian_sigma         the least noise for an epsilon and a delta
 *   dppair_accountant_init        an account; _neighbours says whose neighbours it is about
 *   dppair_accountant_gaussian    charges steps; _laplace, _sampled_gaussian, _step, ...
 *   dppair_accountant_epsilon     what was spent, proved from both sides; _delta
 *   dppair_composer_init          code and memory for it where records are sampled
 *   dppair_calibrate              the noise of a dppair_plan, beside what the account holds
 *   dppair_renyi                  of a step, of any order
 *   dppair_ledger_replay          an account from the text of its ledger; _step, _to write it
 *   dppair_gaussian_delta         the exact curve of a Gaussian release; _epsilon
 *
 * WHICH HEADER ADDS WHAT. Each of the four stands alone. They come in any order, instances last.
 *
 *   dppair.h              pair gradients, rows, domains, measures; an instance for each include
 *   dppair_losses.h       losses and their constants; with dppair.h NAME_sensitivity
 *   dppair_noise.h        generator, noise that is exactly rounded, draws of records
 *   dppair_accountant.h   sensitivities, accounts, plans, ledgers
 *   all four              releases: a plan paid once, noise and sensitivity found for you
 *
 *   Further capabilities are modules, one header each in modules/, included before the others, for
 *   instance `#include "dppair_top.h"`. A plan that needs an absent one is refused by a sentence.
 *
 * Below: chapters and their functions, then PLANS, NUMERICAL CONTRACT, LEDGER.
 */

/*
 * Plans. A plan says what is to be released within one budget; its noise is found beside what the
 *   account already holds, for batches too:
 *
 *     dppair_plan plan = {0};
 *     plan.epsilon = 2.0, plan.delta = 1e-5, plan.steps = 1000;
 *     plan.sampling = dppair_sampling_poisson(n, 256, DPPAIR_REPLACE_ONE);
 *     if (dppair_composer_workspace(&bytes, &a) != DPPAIR_OK) return 1;
 *     if (dppair_composer_init(&composer, malloc(bytes), bytes) != DPPAIR_OK) return 1;
 *     if (dppair_calibrate(&plan, &a, &composer) != DPPAIR_OK) return 1;     plan.noise_multiplier
 *     if (dppair_accountant_epsilon(&interval, &a, 1e-5, &composer) != DPPAIR_OK) return 1;
 *
 * Numerical contract. Logarithms are natural, numbers are doubles. No figure is optimistic:
 * epsilon, delta, sigma and sensitivities are rounded up and mu is rounded down, each by a bound on
 * the rounding error of its own computation. The exact Gaussian curve is within 1e-12 relative for
 * mu <= 1e9 (delta from 1e-300 on; its inverses for delta <= 0.9). All of this holds for rounding
 * to nearest only: curve, Renyi orders, account and composition refuse any other mode, and
 * subnormal numbers that are flushed to zero (DPPAIR_ERR_ENVIRONMENT).
 *
 * Errors. Every fallible function returns a dppair_status and zeroes its outputs first. A NaN, an
 * infinity, or a value outside its range is an error. An account that was handed a step that it
 * could not charge is broken: it refuses every later question.
 *
 * Memory. All objects are plain structs, copied by assignment: copy an account, try a step on the
 * copy, assign it back to keep it. Nothing is allocated, read or printed; the only static data are
 * constant tables. Workspaces are bytes at any alignment, as many as the `_workspace` functions
 * say.
 *
 * Neighbouring data sets (dppair_adjacency, dppair.h) are an argument wherever they matter. n, the
 * number of records, is public throughout. An account answers for the neighbours in its field
 * `adjacency`, which dppair_accountant_neighbours states; 0: some step was charged that named none,
 * so that the answer is about those that its sensitivity was computed for.
 *
 * Ledger. A program that ends, or crashes, must not forget what it spent. Charged by
 * dppair_ledger_step, or by a plan with dppair_ledger_to, an account has a line of JSON in a file
 * before anything is released; a program that starts again replays the file and has the same account:
 *
 *     dppair_accountant_init(&a);
 *     dppair_accountant_neighbours(&a, DPPAIR_REPLACE_ONE);
 *     if (dppair_ledger_replay(&a, &bad_line, text, length) != DPPAIR_OK) return 1;
 *     if (dppair_ledger_step(&a, &entry, append_and_sync, file) != DPPAIR_OK) return 1;
 *     ... release ...
 *
 * The charges of an account are numbered (`sequence`) and chained (`check`, 64 bits, which find
 * accidents and stop no forger), so that a line that is lost, changed or out of place does not
 * replay, nor do two programs that went on from the same line. budget --ledger FILE asks a file.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_ACCOUNTANT_H
#define DPPAIR_ACCOUNTANT_H

#include "core/freestanding.h"

#include "core/core.h"

/*
 * Under a host's -ffast-math, glibc's math.h declares vector versions of exp, log and others, which
 * are good to 4 ulp only, and gcc uses them in loops even inside a region without fast-math. So gcc
 * must not vectorise here, except in LOOPS regions, whose loops call nothing (and do not sum in
 * another order). The regions do not nest. All options are in one pragma, because gcc obeys only a
 * part of a second one.
 */
#if defined(__GNUC__) && !defined(__clang__)
#define DPPAIR_LIBM_(options)                                                                      \
  _Pragma("GCC push_options") DPPAIR_PRAGMA_OF_(GCC optimize options)                              \
      _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wpsabi\"")
#define DPPAIR_LIBM_BEGIN_                                                                         \
  DPPAIR_LIBM_((DPPAIR_LEVEL_, "no-tree-vectorize", "no-fast-math", "fp-contract=off"))
#define DPPAIR_LOOPS_BEGIN_ DPPAIR_FP_END_ DPPAIR_LIBM_(("O3", "no-fast-math", "fp-contract=off"))
#define DPPAIR_LOOPS_END_ DPPAIR_FP_END_ DPPAIR_LIBM_BEGIN_
#else
#define DPPAIR_LIBM_BEGIN_ DPPAIR_FP_BEGIN_
#define DPPAIR_LOOPS_BEGIN_
#define DPPAIR_LOOPS_END_
#endif

#include "core/quick.h"
DPPAIR_LIBM_BEGIN_

#include "accountant/curves/interval.h"

#include "accountant/curves/normal.h"

#include "accountant/curves/gaussian_curve.h"

#include "accountant/curves/binomial.h"

#include "accountant/mechanisms/table.h"

#include "accountant/mechanisms/steps.h"

#include "accountant/mechanisms/slots.h"

#include "accountant/mechanisms/draws.h"

#include "accountant/budgets/plan.h"

#include "accountant/sensitivity/sensitivity.h"

#include "accountant/sensitivity/pairs.h"

#include "accountant/sensitivity/owners.h"

#include "accountant/sensitivity/groups.h"

DPPAIR_FP_END_
#include "core/quick_end.h"
DPPAIR_LIBM_BEGIN_

#include "accountant/mechanisms/hits.h"

#include "accountant/mechanisms/renyi.h"

#include "accountant/mechanisms/dominating_pairs.h"

DPPAIR_FP_END_
#include "core/quick.h"
DPPAIR_LIBM_BEGIN_

#include "accountant/mechanisms/amplified.h"

#include "accountant/mechanisms/gaussian.h"

#include "accountant/mechanisms/laplace.h"

#include "accountant/mechanisms/pure.h"

#include "accountant/mechanisms/zcdp.h"

#include "accountant/mechanisms/users.h"

#include "accountant/mechanisms/sampled_gaussian.h"

#include "accountant/mechanisms/sampled_pairs.h"

#include "accountant/mechanisms/randomised_response.h"

#include "accountant/mechanisms/objective.h"

#include "accountant/mechanisms/dispatch.h"

#include "accountant/account/ledger_entry.h"

#include "accountant/account/account.h"

#include "accountant/account/charges.h"

#include "accountant/composition/objective.h"

#include "accountant/composition/conversion.h"

/* ================================================================================================
 * Numerical composition
 *
 * A step may run any number of times, the order is arbitrary, and what is released may depend on
 * earlier outputs. The answer is certified on both sides:
 *
 *     s = dppair_accountant_sampled_gaussian(&a, dppair_sampling_poisson(10000, 100, DPPAIR_ZERO_OUT),
 *                                            1.0, 1.0, 10000);
 *     if (!s) s = dppair_composer_workspace(&bytes, &a);
 *     if (!s) s = dppair_composer_init(&composer, malloc(bytes), bytes);
 *     if (!s) s = dppair_accountant_epsilon(&epsilon, &a, 1e-5, &composer);   6.18771239 on both sides
 *
 *   route      for                            width of [lower, upper]      time
 *   contour    sampled and plain Gaussian     about 1e-11; wider when      0.05 to 1 ms
 *              steps and pairs                steps * rate is below 1
 *   lattice    every loss, also with atoms;   O(steps h^2), h the grid     5 ms (2^15 points)
 *              the only one for a handful     step                         to 50 ms (2^18)
 *              of steps
 *
 * A module's draw may have a law that is a table (dppair_allocation.h), with an answer of its own
 * where nothing else is composed with it.
 *
 * Both routes certify: every error is bounded, none is estimated, and the bounds are added to the
 * result with their signs. The two routes share only the dominating pairs and the search for c (the
 * tilt of the losses), and the tests compare one with the other.
 * ============================================================================================== */

DPPAIR_FP_END_
#include "core/quick_end.h"
DPPAIR_LIBM_BEGIN_

#include "accountant/composition/contour/theory.h"

#include "accountant/composition/tables.h"

#include "accountant/composition/contour/search.h"

#include "accountant/composition/contour/layers.h"

#include "accountant/composition/contour/quadrature.h"

#include "accountant/composition/contour/factor.h"

#include "accountant/composition/contour/line.h"

#include "accountant/composition/contour/direction.h"

DPPAIR_FP_END_
#include "core/quick.h"
DPPAIR_LIBM_BEGIN_

#include "accountant/composition/lattice/theory.h"

#include "accountant/composition/lattice/transform.h"

#include "accountant/composition/lattice/cells.h"

#include "accountant/composition/lattice/composition.h"

#include "accountant/composition/lattice/bounds.h"

#include "accountant/composition/lattice/setup.h"

#include "accountant/composition/lattice/answers.h"

#include "accountant/composition/single_run.h"

#include "accountant/composition/routes.h"

#include "accountant/composition/compose.h"

/* ================================================================================================
 * Uses of an account: certified answers, calibration, the ledger
 * ============================================================================================== */

#include "accountant/composition/questions.h"

#include "accountant/composition/certify.h"

#include "accountant/budgets/calibrate.h"

#include "accountant/ledger/numbers.h"

#include "accountant/ledger/json.h"

#include "accountant/ledger/ledger.h"

#include "accountant/ledger/ledger_replay.h"

DPPAIR_FP_END_
#include "core/quick_end.h"

#define DPPAIR_HAS_ACCOUNTANT_ /* with the noise there too, in either order: the releases */
#ifdef DPPAIR_H
#define DPPAIR_CORE_ONLY_
#include DPPAIR_SELF
#undef DPPAIR_CORE_ONLY_
#endif

#include "core/freestanding_end.h"

#endif /* DPPAIR_ACCOUNTANT_H */
#endif /* DPPAIR_DECLARE_ONLY */
