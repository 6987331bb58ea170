/* SPDX-License-Identifier: MIT */
/*
 * dppair.h - pairwise learning with differential privacy: the core (version 0.1.0)
 *
 * AUC maximisation, ranking, metric and similarity learning minimise a sum of a loss phi over PAIRS
 * of records. This header computes such sums and their gradients: exactly by loops over all pairs,
 * or in nearly linear time. It also holds what surrounds them: scores of rows, the domains of
 * parameters, measures such as AUC, and the SIMD vocabulary in which all loops are written.
 *
 *     #include "dppair_losses.h"
 *     #define DPPAIR_NAME rank                 prefix of the generated functions
 *     #define DPPAIR_REAL double               type of scores and rows: float or double
 *     #define DPPAIR_LOSS dppair_logistic      a loss of dppair_losses.h, or one that you define
 *     #include "dppair.h"
 *
 *     dppair_rows_f64 rows;                    n records, of norm at most 1 from here on
 *     if (dppair_rows_clip_f64(&rows, factor, x, n, d, d, 1.0) != DPPAIR_OK) return 1;
 *     rows.positives = np;                     positives stand first
 *     dppair_options pass = {NULL, 0, NULL, NULL, work, bytes, NULL};   rank_workspace says how many
 *     if (rank_gradient(g, &rows, w, &options) != DPPAIR_OK) return 1;
 *
 * g is then the gradient in w of the sum over all pairs of a positive and a negative of
 * ln(1 + e^-<x - x', w>). A private step adds noise to it: rank_release, once the three others are
 * there too.
 *
 * FIRST TO KNOW, for DPPAIR_NAME = rank
 *   dppair_rows_clip_f64    records of bounded norm, without a copy
 *   rank_gradient           the gradient of a linear score, from rows, over all pairs
 *   rank_coeffs             the same from scores: for networks
 *   rank_fast_init          a state that makes sums nearly linear in the number of records
 *   rank_clip_init          a clip of each pair's gradient
 *   rank_coeffs_fast        near-linear sums of scores
 *   dppair_release_open     pays for a plan before a record is read: RELEASES
 *   rank_release            a private gradient; g may be published
 *   dppair_project_l2_f64   back into the domain of w
 *   dppair_auc_not_private_f64   the AUC of scores
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
 * Below: chapters and their functions, then THE TEMPLATE, CONTRACT, RELEASES, KNOBS.
 */

/*
 * ONE STEP of private learning passes through
 *
 *     rows x, weights w --scores--> s --pair sums of phi'--> coefficients c --combine--> gradient g
 *       --noise--> released g --step, project--> w
 *
 * For a linear score the gradient of the sum of phi(s_i - s_j) is X^T c, where c_i is the signed
 * sum of phi' over the partners of record i; for a network, c is the derivative of the sum in its
 * outputs. These are sums over pairs; a release divides by dppair_normaliser of its draw. Never
 * divide by the product of the two class counts: they are private.
 *
 * THE TEMPLATE, for DPPAIR_NAME = rank
 *   exact            rank_risk_not_private, rank_coeffs: loops over all pairs; rank_coeffs_part
 *   near-linear      rank_fast_workspace, rank_fast_init, rank_coeffs_fast: by sorting, exactly, if
 *                    the slope of the loss is piecewise linear; by boxes, within an error bounded
 *                    in advance (kernel_error), if it is analytic. Others have only the loops
 *   weights, groups  with DPPAIR_WEIGHTS 1, else NO_PROOF: rank_weighted_coeffs, weights of rows
 *                    and groups of a pass: users (pairs of two), queries (pairs inside one)
 *   from rows        rank_workspace, rank_gradient: the gradient of a linear score, by the loops, a
 *                    prepared state or clipped pairs, in parts, as a dppair_options says
 *   releases         rank_release, rank_release_vector: RELEASES; if dppair_losses.h, _noise.h and
 *                    _accountant.h came before
 *   sensitivity      rank_sensitivity: how far one record moves a computed gradient that is
 *                    divided by dppair_normaliser; after dppair_losses.h only
 *   rounding         rank_allowance: what rounding and boxes add to a sensitivity
 *   without order    rank_sums_init, rank_sums_workspace: a state whose sums are of integers: the
 *                    same bits for any order of records and any number of parts
 *   clipped pairs    rank_clip_init: a clip for rank_gradient; dppair_clip_init: for other calls;
 *                    rank_clip_workspace, rank_clip_coeffs; rank_clip_cache: if only scores change
 *   listed pairs     rank_pairs: of scores
 *   more             modules add functions to an instance: dppair_metric.h (metrics, similarities,
 *                    listed pairs), dppair_pointwise.h (half of the noise, zero-out),
 *                    dppair_scale.h (chunks, processes), dppair_top.h, dppair_influence.h
 * Loops over pairs exist on each tier too, for tests and timing, most without a check of arguments:
 * rank_coeffs_scalar, _simd128, _avx2, _avx512, and whatever src/ writes DPPAIR_NAME_x_TIER.
 *
 *
 * Rows of 16 and 8 bits (_bf16 _f16 _i16 _i8): #define DPPAIR_ROW i8 with DPPAIR_REAL float, and
 * dppair_rows_quantise_i8_f32: head of rows/narrow.h. Functions with not_private in their names
 * read records and add no noise.
 *
 * CONTRACT
 *   Errors. A function that can fail returns a dppair_status and zeroes its outputs on an error. If
 *   a size is more than any memory can hold, it returns OVERFLOW and may leave outputs untouched.
 *
 *   Memory. No function allocates, reads or writes files, or has global state. Workspace comes from
 *   the caller, of any alignment; X_workspace says how many bytes, from public sizes alone. Outputs
 *   overlap neither it nor what is read, unless a comment says so; releases refuse that (OVERLAP),
 *   evaluations an answer in their workspace.
 *
 *   Records. With rows from dppair_rows_clip whether rank_gradient succeeds depends on public
 *   numbers only: not on a row, nor on how many of them are positives. The exception is a loss
 *   whose slopes overflow within margins of 2 radius |w| (the exponential one).
 *
 *   Private and not. A release is private, and so is what is computed from releases. Whatever else
 *   reads records is NOT PRIVATE: scores, coefficients, gradients, drawn batches are as secret as
 *   the records; a figure (a risk, an AUC, an influence) has not_private in its name.
 *
 *   Types. Rows, scores and w have the element type of the instance; coefficients, gradients,
 *   factors and the parameters of a loss are doubles. Sums over records run in double for both.
 *
 *   Same bits. The tiers scalar, AVX2, AVX-512 and NEON give the same bits for any number of
 *   threads; only the number of parts may change the last bits, and with an order-free state
 *   (rank_sums_init) not even that. This relies on an fma() of the C library that rounds once.
 *   That of mingw-w64 does not and is replaced; if another does not, rank_fast_init for an analytic
 *   loss returns ENVIRONMENT. The 128-bit tier on x86 has none; it differs within the stated bounds.
 *
 *   -ffast-math, or a part of it. gcc then gets only the scalar tier, where the bounds hold but
 *   bits may differ from other builds. clang is rejected with #error where it reports the flag; it
 *   does not report -funsafe-math-optimizations or -fassociative-math, so never pass these.
 *
 *   Rounding. Every bound needs arithmetic that rounds to nearest in the declared type. A wider one
 *   (x87) is rejected with #error. Another rounding mode, sums that a flag has merged and numbers
 *   flushed to zero (gcc, linked with -ffast-math) get ENVIRONMENT: dppair_environment_check.
 *
 * RELEASES exist once dppair_noise.h and dppair_accountant.h are included too, in any order. A
 * dppair_plan says who the neighbours are, how records are drawn, how much may be spent and on how
 * many releases. dppair_release_open finds the noise and pays for all of them; each release then
 * computes how far one record moves it, adds its noise and uses one paid release up; one too many
 * is EXHAUSTED. A program in this form types no sensitivity, no divisor and no sigma:
 *
 *     plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);         plan was all zero
 *     plan.epsilon = 1.0, plan.delta = 1e-5, plan.steps = 100;
 *     s = dppair_release_open(&release, &account, &plan, NULL);           keys of the system
 *     for (t = 0; t < 100 && !s; t++) {
 *       s = rank_release(g, &release, &rows, w, &options);                   g may be published
 *       for (k = 0; k < d; k++) w[k] -= 20.0 * g[k];                      after an error g is 0
 *     }
 *     dppair_release_close(&release);
 *
 *   rank_release         all records, or those of dppair_release_draw and dppair_gather_f64 (a
 *                        batch that you gather by hand: dppair_rows_by_hand_f64)
 *   rank_release_scores  of any scorer, a network: scores, and a clipped gradient row of each record
 *   rank_release_vector  a sum of pair gradients that you computed: matchings
 *   rank_release_explain what the noise of a release is made of: public numbers
 *   dppair_release_vector, _histogram    statistics whose sensitivity you prove, in l2 and in l1
 *   dppair_release_minimiser             of a regularised, perturbed fit (DPPAIR_OBJECTIVE)
 *   dppair_release_part                  the next release uses a part of its paid release
 *   dppair_release_resume, _run          after a crash: the same plan, paid already
 *
 * RESERVED NAMES  those that begin with dppair_ or DPPAIR_, dpv_ or DPV_, dpd_: some are macros.
 *
 * KNOBS, macros to define before the first include
 *   DPPAIR_DECLARE_ONLY   if defined, the four headers declare types, constants and functions, and
 *                     define none: dppair_declare.h, which lies beside them. The
 *                     definitions are in a library (make library) or in the one file that defines
 *   DPPAIR_IMPLEMENTATION   which gives public functions external linkage, instances' too; wins
 *   DPPAIR_API        linkage of every public function. Default: static inline
 *   DPPAIR_SELF       the name by which this header includes itself. Default: "dppair.h"
 *   DPPAIR_MAX_TIER   the widest instruction tier that is compiled and used: 0 scalar, 1 portable
 *                     128 bits, 2 AVX2 with FMA, 3 AVX-512. Default: 3, but 2 for gcc on Windows,
 *                     whose AVX-512 code loses registers over calls. Fewer tiers compile faster
 *   DPPAIR_TIER_LIMIT   an expression of type int, asked at run time: the widest tier to use,
 *                     between calls. Define it as a variable or a call of yours. Default: no limit
 *   DPPAIR_NO_SIMDE   if defined, SIMDe is not used even if installed: there is no 128-bit tier
 *   DPPAIR_NO_QUICK   if defined, gcc compiles checks, plans and answers at the program's level of
 *                     optimisation, too, and the scalar tier beside AVX2: half as much again to
 *                     compile, 5 % less time for a gradient of 40 records, a third of the time on
 *                     an x86 processor without AVX2 (core/quick.h)
 *   DPPAIR_NO_FORCE_INLINE   if defined, the compiler is not forced to inline the vocabulary: for
 *                     sanitizers and debuggers, which otherwise take minutes to compile
 *   DPPAIR_FREESTANDING   if defined, no C library is used (core/freestanding.h, gcc and clang):
 *                     keys come from DPPAIR_ENTROPY or the caller, the tier is what -mavx2 -mfma
 *                     allow
 *   DPPAIR_SMALL      if defined, a release takes 8 KB of stack at most, with the same bits
 *   DPPAIR_AUDIT(event)   an expression of type int that is told each draw, charge, release and
 *                     noise as a dppair_event *, private numbers included: for tests (core/audit.h)
 *   DPPAIR_CHECK_ROWS(text)   an expression that is told a sentence when a release meets a row that
 *                     is longer than its radius, (puts(text), abort()) say; the release is then
 *                     NO_RADIUS. It reads all rows once more, and what it tells is NOT PRIVATE: for
 *                     debugging only
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else

#include "core/freestanding.h"

#include "core/core.h"

/* ================================================================================================
 * HOW THIS FILE IS COMPILED
 *
 *   first include     1 core   2 names, states   3 vectors: a body   4 functions that use them
 *   with noise and accountant, which include this file again at their ends if they come later
 *                     5 releases
 *   each instance     6 parameters, states   7 pair loops: a body   8 functions that call them
 *
 * A body is code for one tier and one element type. Where it is wanted, DPPAIR_BODY_ says which,
 * and simd/each_tier.h includes this file again for each tier and type: all but the body is
 * skipped.
 * ============================================================================================== */

/* Once per translation unit, as soon as noise and accountant are both there: releases. */

#if defined(DPPAIR_HAS_NOISE_) && defined(DPPAIR_HAS_ACCOUNTANT_) && !defined(DPPAIR_RELEASE_H)
#define DPPAIR_RELEASE_H

#include "core/quick.h"
#include "release/of_plans.h"
#include "core/quick_end.h"

#endif /* DPPAIR_RELEASE_H */

#ifndef DPPAIR_CORE_ONLY_

#ifndef DPPAIR_H
#define DPPAIR_H

/* 2. Once per translation unit: names and states that bodies use, and functions without tiers. */

#include "simd/intrinsics.h"
#include "simd/once.h"
#include "simd/names.h"
#include "simd/row_names.h"
#include "pairs/fast_state.h"
#include "pairs/sketch_state.h"
#include "core/norm.h"

/* 3. Per tier and type: the vectors, and the kernels that no loss enters. */

#define DPPAIR_BODY_VECTORS_ 1 /* once per tier and type */
#define DPPAIR_BODY_PAIRS_ 2   /* once per instance and tier, in the type of the instance */
#define DPPAIR_BODY_ROWS_ 3    /* once per type of rows that DPPAIR_ROW asks for, tier and type */
#define DPPAIR_BODY_BLOCKS_ 4  /* once per type of rows: the functions that call its kernels */
#define DPPAIR_BODY_MODULE_ 5  /* of a module alone: once per tier, in double */

#define DPPAIR_STAGE_STATES_ 1 /* of an instance: its states, before any body, as in 6 */
#define DPPAIR_STAGE_BODIES_ 2 /* its loops, for one tier, in the type of the instance, as in 7 */
#define DPPAIR_STAGE_FUNCTIONS_ 3 /* the functions that call them, as in 8 */
#define DPPAIR_STAGE_RELEASES_ 4  /* its releases, where there are any */
#define DPPAIR_STAGE_TABLE_ 5     /* between 2 and 3, of an analytic loss: on one double */
#define DPPAIR_STAGE_KERNELS_ 6   /* of no instance: what the module itself has for one tier */

#include "core/tasks.h"
#include "rows/once.h"

#define DPPAIR_BODY_ DPPAIR_BODY_VECTORS_
#include "simd/each_tier.h"
#undef DPPAIR_BODY_

/* 4. Once per translation unit: more functions without tiers. Those of rows that check their
 * arguments and call the kernels of a tier came with the body of the widest one; declarations have
 * no tiers. */

#ifndef DPPAIR_WIDEST_ /* of declarations */
#define DPPAIR_BODY_ DPPAIR_BODY_BLOCKS_
#include "simd/each_real.h"
#undef DPPAIR_BODY_
#endif
#include "domains/projections.h"
#include "domains/symmetric.h"
#include "measures/ranking.h"
#include "pairs/box.h"
#include "pairs/rounding.h"
#include "pairs/sketch.h"
#include "pairs/grid.h"
#include "pairs/options.h"
#include "pairs/chunks_state.h"
#include "tiles/shared.h"
#include "fits/once.h"

#endif /* DPPAIR_H */

#endif /* DPPAIR_CORE_ONLY_ */

/* 5. Once per translation unit: releases that use 4, as soon as those of 1 are there too; before an
 * instance, whose releases use them. */

#if defined(DPPAIR_RELEASE_H) && defined(DPPAIR_H) && !defined(DPPAIR_BODY_) &&                    \
    !defined(DPPAIR_RELEASE_ROWS_H)
#define DPPAIR_RELEASE_ROWS_H
#include "core/quick.h"
#include "release/of_rows.h"
#include "core/quick_end.h"
#endif

#ifndef DPPAIR_CORE_ONLY_

#if defined(DPPAIR_ROW) && !defined(DPPAIR_BODY_)
#include "rows/types.h"
#endif
#if defined(DPPAIR_ROWS_NEW_) && !defined(DPPAIR_BODY_) /* not there yet: body and functions */
#define DPPAIR_BODY_ DPPAIR_BODY_ROWS_
#include "simd/each_tier.h"
#undef DPPAIR_BODY_
#define DPPAIR_BODY_ DPPAIR_BODY_BLOCKS_
#include DPPAIR_SELF
#undef DPPAIR_BODY_
#include "rows/quantise.h"
#endif

/* 6. Per instance: its parameters, checked, and the states of its functions. */

#if !defined(DPPAIR_BODY_) && !defined(DPPAIR_NO_TEMPLATE_) &&                                     \
    (defined(DPPAIR_NAME) || defined(DPPAIR_REAL) || defined(DPPAIR_LOSS))
#include "pairs/parameters.h"
#endif

#if defined(DPPAIR_INSTANCE_) && !defined(DPPAIR_BODY_)

#include "tiles/widths.h"
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_
#include "tiles/of_states.h"
#endif
#define DPPAIR_STAGE_ DPPAIR_STAGE_STATES_
#include "pairs/slots.h"
#undef DPPAIR_STAGE_

/* 7. Per instance and tier: the loops with the loss in them. */

#define DPPAIR_BODY_ DPPAIR_BODY_PAIRS_
#include "simd/each_tier.h"
#undef DPPAIR_BODY_

#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_
#define DPPAIR_SUFFIX_ f64_one
#define DPV_R double
#include "pairs/slope_table.h"
#define DPPAIR_STAGE_ DPPAIR_STAGE_TABLE_
#include "pairs/slots.h"
#undef DPPAIR_STAGE_
#undef DPPAIR_SUFFIX_
#undef DPV_R
#endif

#endif

/* The bodies of 3 and 7, for one tier and type; of 4 for one type of rows. */

#ifdef DPPAIR_BODY_
#if DPPAIR_BODY_ != DPPAIR_BODY_BLOCKS_
#include "simd/type.h"
DPPAIR_REGION_BEGIN_

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_
#include "simd/vectors.h"
#endif

#include "rows/of_types.h"

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_
#include "pairs/of_vectors.h"
#include "tiles/multiply.h"
#include "simd/registers_end.h"
#endif

#elif DPPAIR_BODY_ == DPPAIR_BODY_PAIRS_
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_ || defined(DPPAIR_LOOPS_)
#include "pairs/loops.h"
#endif
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_
#include "tiles/of_bodies.h"
#endif
#define DPPAIR_STAGE_ DPPAIR_STAGE_BODIES_
#include "pairs/slots.h"
#undef DPPAIR_STAGE_
#endif

DPPAIR_REGION_END_
#include "simd/type_end.h"
#endif

/* With the widest tier all kernels of a type of rows are there, and the functions that call them
 * follow. */
#ifdef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_ROW_TYPE_
#define DPPAIR_ROW_TYPE_ DPPAIR_BLOCKS_NOW_
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_BLOCKS_ || defined(DPPAIR_BLOCKS_NOW_)
#include "rows/template.h"
#endif
#ifdef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_ROW_TYPE_
#define DPPAIR_ROW_TYPE_ DPPAIR_ROW
#endif
#endif

/* 8. Per instance: functions that check their arguments and call the loops of a tier. */

#if defined(DPPAIR_INSTANCE_) && !defined(DPPAIR_BODY_)

#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_
#include "pairs/of_instances.h"
#include "tiles/of_instances.h"
#endif
#define DPPAIR_STAGE_ DPPAIR_STAGE_FUNCTIONS_
#include "pairs/slots.h"
#undef DPPAIR_STAGE_
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_ && defined(DPPAIR_RELEASE_H) && defined(DPPAIR_LOSSES_H)
#include "core/quick.h"
#include "release/of_instances.h"
#include "core/quick_end.h"
#endif
#if defined(DPPAIR_RELEASE_ROWS_H) && defined(DPPAIR_LOSSES_H)
#define DPPAIR_STAGE_ DPPAIR_STAGE_RELEASES_
#include "pairs/slots.h"
#undef DPPAIR_STAGE_
#endif

#include "pairs/parameters_end.h"

#endif

#endif /* DPPAIR_CORE_ONLY_ */

#include "core/freestanding_end.h"

#endif /* DPPAIR_DECLARE_ONLY */
