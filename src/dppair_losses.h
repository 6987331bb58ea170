/* SPDX-License-Identifier: MIT */
/*
 * dppair_losses.h - pairwise losses phi, and what they cost in privacy (version 0.1.0)
 *
 * A loss named L is three macros in the vocabulary of dppair.h,
 *
 *     L_VALUE(u, p)   L_SLOPE(u, p)   L_CURVATURE(u, p)
 *
 * where u is a DPV_T of margins and p points to the loss's own parameters (double for every element
 * type, which DPV_SET rounds to; in the order of the table below; NULL if it has none), and a word
 * L_KIND on how its sums are found. Gradients read no CURVATURE (NAME_curvature does, where a word
 * L_CURVE allows it: see modules/influence/curvature_state.h), so a loss of one's own is a few
 * lines, in any file, for every tier:
 *
 *     #define cauchy_KIND dppair_pairs      summed pair by pair; others: see L_KIND in dppair.h
 *     #define cauchy_VALUE(u, p) DPV_LOG1P(DPV_MUL(u, u))
 *     #define cauchy_SLOPE(u, p) DPV_DIV(DPV_ADD(u, u), DPV_FMA(u, u, DPV_SET(1)))
 *     #define DPPAIR_NAME robust
 *     #define DPPAIR_REAL double
 *     #define DPPAIR_LOSS cauchy
 *     #include "dppair.h"
 *
 * What a loss on a public domain costs in privacy, and how long a step may be:
 *
 *     dppair_constants k;
 *     const dppair_bounds b = {1.0, 5.0, 0.0, 0.0, 0.0};    |x| <= 1, |w| <= 5; no Y, b, clip here
 *     const dppair_loss_facts phi = DPPAIR_FACTS(dppair_logistic);
 *     if (dppair_constants_find(&k, DPPAIR_MARGIN_ind, &phi, NULL, &b) != DPPAIR_OK) return 1;
 *     sensitivity = k.replace_one / n;      of the gradient's mean over the n(n-1) ordered pairs
 *     eta = 2.0 / k.smoothness;             the longest step of a convex, smooth loss
 *
 * FIRST TO KNOW
 *   DPPAIR_FACTS(L)            what the proofs need of a loss
 *   dppair_constants_find      its Lipschitz constant, smoothness and sensitivities on a domain
 *   dppair_loss_find           a loss by name, at run time; dppair_loss_eval its values
 *
 * After this header every instance has its own sensitivity, for its sampling and norm of w, with
 * all rounding:
 *
 *     rank_sensitivity(&s, d, &b, &sampling, &options)      rank_form_sensitivity, of metrics
 *
 * The range of a loss of one's own, for constants and a sensitivity without a clip, is a function:
 *
 *     #define cauchy_RANGE (cauchy_range, DPPAIR_IS_SMOOTH)      see L_RANGE below
 *
 * At a kink the slope is the subgradient of smaller magnitude and the curvature is that of either
 * side. VALUE(NaN) is NaN; SLOPE(NaN) is NaN or a number within the bound of the loss's slopes.
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
 * Below: chapters and their functions; each loss has a chapter of its own.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_LOSSES_H
#define DPPAIR_LOSSES_H

#ifdef DPPAIR_NAME
#error "Include dppair_losses.h before defining DPPAIR_NAME; then dppair.h for the template."
#include "dppair stops here: one sentence says more than the thousands of errors after it"
#endif

#include "core/freestanding.h"

#include "core/core.h"

#include "simd/once.h"

#include "losses/table.h"

#define DPPAIR_SUFFIX_ f64_one /* until the end of at_run_time.h: simd/one.h */
#define DPV_R double

#include "losses/range.h"

#include "losses/logistic.h"

#include "losses/hinge.h"

#include "losses/squared_hinge.h"

#include "losses/smoothed_hinge.h"

#include "losses/square.h"

#include "losses/exponential.h"

#include "losses/sigmoid.h"

#include "losses/ramp.h"

#include "losses/least_squares.h"

#include "losses/absolute.h"

#include "losses/pinball.h"

#include "losses/huber.h"

#include "losses/moreau.h"

#include "losses/welsch.h"

#include "core/quick.h"
#include "losses/at_run_time.h"

#include "losses/margins.h"

#include "losses/reach.h"

#include "losses/constants.h"

#include "losses/moves.h"
#include "core/quick_end.h"

#define DPPAIR_HAVE_LOSSES_ /* instances have a sensitivity from here on */

#include "core/freestanding_end.h"

#endif /* DPPAIR_LOSSES_H */
#endif /* DPPAIR_DECLARE_ONLY */
