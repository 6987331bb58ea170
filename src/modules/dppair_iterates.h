/* SPDX-License-Identifier: MIT */
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
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_ITERATES_H
#define DPPAIR_ITERATES_H

#include "dppair_accountant.h"

#include "core/freestanding.h"
#include "core/quick.h"
DPPAIR_LIBM_BEGIN_

#include "modules/iterates/descents.h"

#include "modules/iterates/last_iterate.h"

DPPAIR_FP_END_
#include "core/quick_end.h"
DPPAIR_LIBM_BEGIN_

#include "modules/iterates/sgd_stability.h"

#include "modules/iterates/sgd_hits.h"

DPPAIR_FP_END_
#include "core/freestanding_end.h"

#endif /* DPPAIR_ITERATES_H */
#endif /* DPPAIR_DECLARE_ONLY */
