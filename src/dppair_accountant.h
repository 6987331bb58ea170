/* SPDX-License-Identifier: MIT */
/*
 * dppair_accountant.h - how much noise is needed and what it guarantees: sensitivities, mechanisms,
 * composition, conversion and calibration for differentially private pairwise learning.
 *
 *   In a pairwise problem a record sits in n-1 pairs. This header computes what that means for the
 *   sensitivity of a mean over pairs, for the subsampling of pairs, and for the stability of
 *   pairwise stochastic gradient descent; and it turns noise into (epsilon, delta) and back.
 *
 *   With dppair_losses.h and dppair_noise.h a plan's releases know their sensitivity and noise, and
 *   nothing of what follows is typed (dppair.h, RELEASES). By hand, the 1.0 twice in the first call
 *   are yours to prove: the rows' radius and the loss's steepest slope.
 *
 *     #include "dppair_accountant.h"
 *
 *     double move, sigma, epsilon;
 *     dppair_accountant a;
 *     if (dppair_sensitivity_rank_ind(&move, 1.0, 1.0, 512) != DPPAIR_OK ||   one gradient's move
 *         dppair_gaussian_sigma(&sigma, move, 1.0, 1e-5, 100) != DPPAIR_OK)   100 steps, (1, 1e-5)
 *       return 1;
 *     dppair_accountant_init(&a);
 *     for (t = 0; t < 100; t++) {
 *       if (dppair_accountant_gaussian(&a, move, sigma, 1) != DPPAIR_OK) return 1;
 *       ... release the gradient with noise sigma, take the step ...
 *     }
 *     if (dppair_accountant_epsilon(&epsilon, &a, 1e-5) != DPPAIR_OK) return 1;    1, to 12 digits
 *
 *   A plan says what is to be released within one budget; its noise is found beside what the
 *   account already holds, for batches too:
 *
 *     dppair_plan plan = {0};
 *     plan.epsilon = 2.0, plan.delta = 1e-5, plan.steps = 1000;
 *     plan.sampling = dppair_sampling_poisson(n, 256, DPPAIR_REPLACE_ONE);
 *     if (dppair_accountant_workspace(&bytes) != DPPAIR_OK) return 1;
 *     work = malloc(bytes);
 *     if (dppair_calibrate(&plan, &a, work, bytes) != DPPAIR_OK) return 1;   plan.noise_multiplier
 *     if (dppair_accountant_certify(&interval, &a, 1e-5, work, bytes) != DPPAIR_OK) return 1;
 *
 * Gaussian curve   dppair_gaussian_delta _log_delta _epsilon _mu _sigma; of the last iterate alone
 *                  _mu_last_iterate
 * sensitivities    dppair_sensitivity_pair_mean _rank_diff _rank_ind _metric _record_clip; of
 *                  mini-batches _minibatch, by what a pair is worth _batch, matched _matched; of
 *                  persons with several records _users _users_apart
 *                  _users_batch _user_weighted, of items with owners _owners (dppair_owner_load),
 *                  of _queries, _groups of g, _softmax; of what descent returns _pgd
 *                  _pgd_average _erm; of streams: dppair_streams.h; of pairwise SGD _uas_sequence (dppair_uas_workspace)
 *                  _uas_quantile, and dppair_uas_sigma. Of a loss, with all
 *                  rounding: NAME_sensitivity (dppair.h)
 * mechanisms       dppair_step, dppair_sampling (dppair.h); dppair_renyi (any order),
 *                  dppair_mechanism_name; random allocation: dppair_allocation.h; the l2 mechanism
 *                  and pure perturbed objectives: dppair_l2ball.h
 * accountant       dppair_accountant_init _neighbours; _gaussian _laplace _pure _sampled_gaussian
 *                  _sampled_pairs _step _failure _merge; _epsilon _delta (upper bounds:
 *                  exact curve, best Renyi order or pure sum), _certify _certify_delta (both sides,
 *                  route and order in a dppair_interval; dppair_accountant_workspace);
 *                  dppair_renyi_order (the fixed orders), dppair_parallel_epsilon,
 *                  dppair_group_privacy
 * objectives       dppair_objective_noise _delta (of a perturbed objective beside Gaussian steps)
 * integers         sums of integers with Skellam noise: dppair_shares.h
 * composition      dppair_compose, _delta (of a list of steps, by the tightest certified route or
 *                  by a route that is named), dppair_compose_workspace
 * meaning          what an attacker can do with all of it: dppair_attack.h
 * selection        dppair_selection_epsilon (of the best of a random number of runs) _mean _gamma;
 *                  dppair_accountant_selection charges it; dppair_draw_runs (dppair_noise.h)
 * calibration      dppair_calibrate (a dppair_plan), dppair_calibrate_scale _count (a function),
 *                  dppair_accountant_left (what an account leaves of a budget)
 * adaptive budgets dppair_filter_init _step, dppair_individual_budget _step _sum_step
 * audit            dppair_paper_check (what papers print); dppair_ledger_step _replay _write _read,
 *                  dppair_ledger_to (a plan's)
 * released texts   dppair_json_writer _reader _literal _string _holds _number _size _numbers _next
 *                  _done: JSON of a fixed shape, written and read by one walk
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

#include "accountant/sensitivity/owners.h"

#include "accountant/sensitivity/batches.h"

#include "accountant/sensitivity/groups.h"

#include "accountant/sensitivity/descents.h"

#include "accountant/sensitivity/last_iterate.h"

DPPAIR_FP_END_
#include "core/quick_end.h"
DPPAIR_LIBM_BEGIN_

#include "accountant/sensitivity/sgd_stability.h"

#include "accountant/sensitivity/sgd_hits.h"

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

#include "accountant/mechanisms/persons.h"

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
 * dppair_compose takes a list of steps. A step may run any number of times, the order is arbitrary,
 * and what is released may depend on earlier outputs. The answer is certified on both sides:
 *
 *     dppair_step step = {DPPAIR_SAMPLED_GAUSSIAN,
 *                         {DPPAIR_POISSON, DPPAIR_ZERO_OUT, 0.01, 0, 0, 0, 0, 0},
 *                         1.0, 0.0, 10000, 0.0};            noise multiplier, pair rate, steps
 *     dppair_interval epsilon;
 *     if (dppair_compose_workspace(&bytes, 1) != DPPAIR_OK) return 1;
 *     work = malloc(bytes);
 *     if (dppair_compose(&epsilon, &step, 1, 1e-5, DPPAIR_ROUTE_BEST, work, bytes) != DPPAIR_OK)
 *       return 1;                                           6.18771239 on both sides
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
 * Uses of an account: certified answers, calibration, filters, what papers print,
 * the ledger
 * ============================================================================================== */

#include "accountant/composition/certify.h"

#include "accountant/budgets/selection.h"

#include "accountant/budgets/calibrate.h"

#include "accountant/budgets/filters.h"

#include "accountant/budgets/papers.h"

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
