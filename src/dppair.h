/* SPDX-License-Identifier: MIT */
/*
 * dppair.h - pairwise learning with differential privacy: the core.            version 0.1.0
 *
 * AUC maximisation, ranking, metric and similarity learning minimise a sum of a loss phi over PAIRS
 * of records. This header computes such sums and their gradients: exactly by loops over all pairs,
 * or in nearly linear time. It also holds what surrounds them: scores of rows, the domains of
 * parameters, measures such as AUC, and the SIMD vocabulary in which all loops are written.
 * dppair_losses.h includes all of this header; dppair_noise.h and dppair_accountant.h include only
 * its core.
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
 *     dppair_pass pass = {NULL, 0, NULL, NULL, work, bytes, NULL};   rank_workspace says how many
 *     if (rank_gradient(g, &rows, w, &pass) != DPPAIR_OK) return 1;
 *
 * g is then the gradient in w of the sum over all pairs of a positive and a negative of
 * ln(1 + e^-<x - x', w>). One step of private learning passes through
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
 *                    and groups of a pass: persons (pairs of two), queries (pairs inside one)
 *   top-weighted     with DPPAIR_TOP 1: rank_top_coeffs, partial AUC, p-norm push, average
 *                    precision; rank_top_ranks, NDCG; _top_coeffs_workspace, _top_gradient,
 *                    _top_workspace, rank_top_sensitivity, rank_release_top: heads of pairs/top*.h
 *   curvature        rank_curvature: the sums of phi'' that multiply the Hessian with a vector;
 *                    rank_hessian, rank_hessian_workspace: that product from rows; by the loops, or
 *                    near-linear with rank_curvature_workspace, rank_curvature_init
 *   from rows        rank_workspace, rank_gradient: the gradient of a linear score, by the loops, a
 *                    prepared state or clipped pairs, in parts, as a dppair_pass says
 *   releases         rank_release, rank_release_form, _vector, _pointwise, _sum, _form_sum:
 *                    RELEASES; if dppair_losses.h, _noise.h and _accountant.h came before
 *   made pointwise   rank_coeffs_from_histogram: the partners are a histogram of their scores
 *   sensitivity      rank_sensitivity, rank_form_sensitivity: how far one record moves a computed
 *                    gradient that is divided by dppair_normaliser; after dppair_losses.h only
 *   rounding         rank_surcharge: what rounding and boxes add to a sensitivity
 *   chunks, ranks    rank_sums_init, rank_sums_workspace: a state whose sums have no order;
 *                    rank_moments, _moments_workspace _open _finish, rank_coeffs_from_moments; of
 *                    rows rank_chunk_moments, _chunk_sum, _chunk_workspace, rank_sum_open: CHUNKS
 *   clipped pairs    rank_clip_workspace, rank_clip_coeffs; rank_clip_cache: if only scores change
 *   listed pairs     rank_pairs, and from rows rank_pairs_workspace, rank_pairs_gradient: matchings
 *   forms            rank_form_workspace, rank_form_gradient, rank_form_risk_not_private: metrics,
 *                    metrics L L^T of low rank, similarities x^T W x'; rank_form_error: rounding;
 *                    rank_form_pairs: over listed pairs; of pairs of blocks, FORMS IN BLOCKS below:
 *                    rank_form_block, _block_workspace, rank_form_sum_open, _sum_sensitivity
 *   row-wise         losses of an anchor's row (L_KIND dppair_rowwise), triplets, alone in theirs:
 *                    rank_contrast_gradient, _contrast_risk_not_private, _contrast_workspace, of a
 *                    linear map _contrast_map_gradient, _contrast_map_workspace; of groups
 *                    _contrast_groups; clipped _softmax_gradient, _softmax_workspace
 *                    dppair_contrast_angular: what is compared, contrast/shared.h
 * Loops over pairs exist on each tier too, for tests and timing, most without a check of arguments:
 * rank_coeffs_scalar, _simd128, _avx2, _avx512, and whatever src/ writes DPPAIR_NAME_x_TIER.
 *
 * FUNCTIONS
 *   rows        dppair_rows_clip_f64 _f32: a block of records of bounded norm
 *               dppair_rows_make_f64 _f32: a block of records as they are
 *               dppair_gather_f64 _f32 _weighted_f64 _weighted_f32: a batch, positives first
 *               dppair_scores_f64 _f32 _csr_f64 (sparse rows): <x, w> of each row
 *               dppair_combine_f64 _f32 _csr_f64: X^T c
 *               rows of 16 and 8 bits (_bf16 _f16 _i16 _i8): #define DPPAIR_ROW i8 with DPPAIR_REAL
 *               float; dppair_rows_quantise_i8_f32: head of rows/narrow.h
 *   sums        dppair_sum_open _workspace _combine_f64 _combine_f32 _vector _add _value: X^T c,
 *               the same bits for any order and split  dppair_words_add  dppair_moments_add
 *               dppair_ring_blocks _rows: the blocks of a dppair_ring of forms
 *   domains     dppair_project_l2_f64 _box_f64 _simplex_f64 _l1_f64
 *               dppair_project_l1_workspace _spectral_f64 _psd_frobenius_f64 _psd_trace_f64
 *               dppair_eigen_f64  dppair_project_workspace: of it and of these  dppair_norm_f64
 *               dppair_symmetric_pack_f64 _unpack_f64  dppair_cholesky_f64 _solve_f64
 *   fits        dppair_margin_logistic _soft_hinge _balance _reach  dppair_minimiser_not_private
 *               _workspace: of a loss of labelled records, within a tolerance known in advance
 *   measures    dppair_auc_not_private_f64  dppair_partial_auc_..  dppair_precision_..
 *               dppair_kendall_..  dppair_knn_accuracy_..  dppair_recall_at_not_private_f64
 *               dppair_measures_workspace
 *   influence   NOT PRIVATE, of instances of double. rank_influence_not_private: what leaving each
 *               record out does to a minimiser (Kang et al. 2021); _influence_record_not_private of
 *               one, _along_not_private along a direction, _pair_not_private that of a pair's loss;
 *               rank_minimiser_not_private; rank_stability_not_private; rank_influence_workspace:
 *               of all. dppair_influence_bound  dppair_influence_floor  dppair_stability_uniform
 *   releases    with dppair_noise.h and dppair_accountant.h, see RELEASES: dppair_release_open
 *               _close _resume, _draw, _part, _vector _vector_grid _histogram _score_histogram
 *               _minimiser _share _share_variance, dppair_shares_add _value: release/share.h
 *               dppair_shrink_f64 _sparse_f64 _workspace: against a release's noise
 *               dppair_release_groups, dppair_group_sum_open _join, dppair_group_add_f64 _add_f32
 *   marginals   dppair_release_marginals, dppair_marginals_layout _workspace _sensitivity: all
 *               histograms at once; dppair_label_weight  dppair_smoothing_matrix _workspace
 *               dppair_marginals_estimate _estimate_workspace _classes, dppair_class_curve: what
 *               they say  dppair_cells_make _find _quantile  dppair_knots_find _between
 *   evaluation  dppair_evaluate_auc _partial_auc _roc _risk _kendall _statistic _pairs _workspace
 *   samplings   dppair_sampling_all _poisson _without_replacement _with_replacement _matching
 *               _groups _allocation _name  dppair_normaliser: their divisor  dppair_adjacency_name
 *   threads     dppair_run_serial  dppair_parts_join        rounding  dppair_pairs_surcharge
 *   base        dppair_status_string  dppair_environment_check  dppair_tier  dppair_isa_name
 *               dppair_isfinite_f64 _f32  dppair_all_finite_f64 _f32  dppair_sort_f64
 *   types       dppair_status  dppair_adjacency  dppair_rows_f64 _f32  dppair_pass  dppair_form
 *               dppair_groups  dppair_grouping  dppair_parts  dppair_task  dppair_runner
 *               dppair_evaluation  dppair_evaluate_options  dppair_roc_point  dppair_histogram
 *               dppair_fast  dppair_accuracy  dppair_piece  dppair_poles  dppair_curvature
 *               dppair_influence  dppair_influence_risk  dppair_stability  dppair_moments
 *               dppair_column  dppair_column_kind  dppair_marginals  dppair_cells  dppair_sum
 *               dppair_margin_loss  dppair_margin_problem  dppair_margin_tolerance  dppair_sampling
 *               dppair_group_sum  dppair_contrast  dppair_comparison  dppair_positives  _triples
 *               dppair_top  dppair_top_kind
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
 *   threads; only the number of parts may change the last bits, and with an order-free state (see
 *   CHUNKS) not even that. This relies on an fma() of the C library that rounds once. That of
 *   mingw-w64 does not and is replaced; if another does not, rank_fast_init for an analytic loss
 *   returns ENVIRONMENT. The 128-bit tier on x86 has none; it differs within the stated bounds.
 *
 *   -ffast-math, or a part of it. gcc then gets only the scalar tier, where the bounds hold but
 *   bits may differ from other builds. clang is rejected with #error where it reports the flag; it
 *   does not report -funsafe-math-optimizations or -fassociative-math, so never pass these.
 *
 *   Rounding. Every bound needs arithmetic that rounds to nearest in the declared type. A wider one
 *   (x87) is rejected with #error. Another rounding mode, sums that a flag has merged and numbers
 *   flushed to zero (gcc, linked with -ffast-math) get ENVIRONMENT: dppair_environment_check.
 *
 * CHUNKS. All pairs of records that are never in one place: chunks of rows of any size, in any
 * order, from a file, of threads or processes. With a state of rank_sums_init every sum is one of
 * integers: the same bits for any split. Only moments and sums travel, a few KB (1 MB for piecewise
 * linear losses). rank_gradient, rank_release do the same. Example: head of pairs/chunks.h.
 * FORMS IN BLOCKS: any process may compute any pair of blocks of rows; head of tiles/blocks.h.
 *
 * RELEASES exist once dppair_noise.h and dppair_accountant.h are included too, in any order. A
 * dppair_plan says who the neighbours are, how records are drawn, how much may be spent and on how
 * many releases. dppair_release_open finds the noise and pays for all of them; each release then
 * computes how far one record moves it, adds its noise and uses one permit up; one too many is
 * EXHAUSTED. A program in this form types no sensitivity, no divisor and no sigma:
 *
 *     plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);         plan was all zero
 *     plan.epsilon = 1.0, plan.delta = 1e-5, plan.steps = 100;
 *     s = dppair_release_open(&release, &account, &plan, NULL);           keys of the system
 *     for (t = 0; t < 100 && !s; t++) {
 *       s = rank_release(g, &release, &rows, w, &pass);                   g may be published
 *       for (k = 0; k < d; k++) w[k] -= 20.0 * g[k];                      after an error g is 0
 *     }
 *     dppair_release_close(&release);
 *
 *   rank_release         all records, or those of dppair_release_draw and dppair_gather_f64
 *   rank_release_form    metrics, low rank, similarities; _form_sum: summed in blocks
 *   rank_release_vector  a sum of pair gradients that you computed: networks, matchings
 *   rank_release_sum     a sum of rank_chunk_sum: see CHUNKS
 *   rank_release_pointwise   against dppair_release_score_histogram: half of the noise, zero-out
 *   rank_release_contrast, _contrast_workspace: a row loss in groups; _release_softmax: of a batch
 *   dppair_release_groups    the mean of clipped vectors of groups: of a network, release/groups.h
 *   dppair_release_marginals             a histogram of every column: release/marginals.h
 *   dppair_release_vector, _histogram    statistics whose sensitivity you prove; _share: of a site
 *   dppair_release_minimiser             of a regularised, perturbed fit (DPPAIR_OBJECTIVE)
 *   dppair_release_resume, _run          after a crash: the same plan, paid already
 *
 * EVALUATION, with the releases: a figure of private test records with noise, and an interval for
 * that of the population, for one permit of a plan over all n records (replace-one neighbours; n is
 * public). The head of evaluation/permit.h has an example. dppair_evaluate_auc never refuses;
 * _partial_auc needs promised class sizes or plan.failure; _roc: points at public thresholds and a
 * band; _risk: a loss over positive-negative pairs; _kendall, _statistic: means over all pairs;
 * _pairs: two numbers that add up over sites.
 *
 * RESERVED NAMES  those that begin with dppair_ or DPPAIR_, dpv_ or DPV_, dpd_: some are macros.
 *
 * KNOBS, macros to define before the first include
 *   DPPAIR_DECLARE_ONLY   if defined, the four headers declare types, constants and functions, and
 *                     define none: dppair_declare.h, which `make declarations` writes. The
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
 *   DPPAIR_NO_FORCE_INLINE   if defined, the compiler is not forced to inline the vocabulary: for
 *                     sanitizers and debuggers, which otherwise take minutes to compile
 *   DPPAIR_FREESTANDING   if defined, no C library is used (core/freestanding.h, gcc and clang):
 *                     keys come from DPPAIR_ENTROPY or the caller, the tier is what -mavx2 -mfma
 *                     allow
 *   DPPAIR_SMALL      if defined, a release takes 8 KB of stack at most, with the same bits
 *   DPPAIR_AUDIT(event)   an expression of type int that is told each draw, charge, release and
 *                     noise as a dppair_event *, private numbers included: for tests (core/audit.h)
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else

#include "core/freestanding.h"
#ifndef DPPAIR_CORE_H
#define DPPAIR_CORE_H

#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L)
#error "dppair needs C99 or C++11 at least: compile with -std=c99 or a later standard."
#include "dppair stops here: one sentence says more than the thousands of errors after it"
#endif

#include <float.h>
#include <stddef.h>
#include <stdint.h>

#define DPPAIR_VERSION_MAJOR 0
#define DPPAIR_VERSION_MINOR 1
#define DPPAIR_VERSION_PATCH 0
#define DPPAIR_VERSION_STRING "0.1.0"

/* ================================================================================================
 * HOW THIS FILE IS COMPILED
 *
 *   first include     1 core   2 names, states   3 vectors: a body   4 functions that use them
 *   with noise and accountant, which include this file again at their ends   1 releases   8 those
 *                     of rows and columns
 *   each instance     5 parameters, states   6 pair loops: a body   7 functions that call them
 *
 * A body is code for one tier and one element type. Where it is wanted, DPPAIR_BODY_ says which,
 * and simd/each_tier.h includes this file again for each tier and type: all but the body is
 * skipped.
 * ============================================================================================== */

/* 1. Once per translation unit: the core, all that dppair_noise.h and dppair_accountant.h use. */
#include "core/chapters.h"

#endif /* DPPAIR_CORE_H */

/* Once per translation unit, as soon as noise and accountant are both there: releases. */

#if defined(DPPAIR_HAS_NOISE_) && defined(DPPAIR_HAS_ACCOUNTANT_) && !defined(DPPAIR_RELEASE_H)
#define DPPAIR_RELEASE_H

#include "release/of_plans.h"
#include "evaluation/chapters.h"

#endif /* DPPAIR_RELEASE_H */

#ifndef DPPAIR_CORE_ONLY_

#ifndef DPPAIR_H
#define DPPAIR_H

/* 2. Once per translation unit: names and states that bodies use, and functions without tiers. */

#include "simd/intrinsics.h"
#include "simd/names.h"
#include "simd/row_names.h"
#include "contrast/names.h"
#include "simd/vocabulary.h"
#include "simd/fused.h"
#include "pairs/fast_state.h"
#include "pairs/moments_state.h"
#include "core/norm.h"

/* 3. Per tier and type: the vectors, and the kernels that no loss enters. */

#define DPPAIR_BODY_VECTORS_ 1 /* once per tier and type */
#define DPPAIR_BODY_PAIRS_ 2   /* once per instance and tier, in the type of the instance */
#define DPPAIR_BODY_TABLE_ 3   /* once per instance, on the scalar tier, in double */
#define DPPAIR_BODY_ROWS_ 4    /* once per type of rows that DPPAIR_ROW asks for, tier and type */

#define DPPAIR_BODY_ DPPAIR_BODY_VECTORS_
#include "simd/each_tier.h"
#undef DPPAIR_BODY_

/* 4. Once per translation unit: functions that check their arguments and call the kernels of a
 * tier, and more functions without tiers. */

#include "rows/once.h"
#include "domains/projections.h"
#include "domains/symmetric.h"
#include "measures/ranking.h"
#include "core/parts.h"
#include "rows/parts.h"
#include "pairs/box.h"
#include "pairs/moments.h"
#include "pairs/grid.h"
#include "pairs/curvature_state.h"
#include "measures/influence.h"
#include "pairs/pass.h"
#include "pairs/chunks_state.h"
#include "tiles/shared.h"
#include "contrast/shared.h"
#include "fits/once.h"

#endif /* DPPAIR_H */

#if defined(DPPAIR_ROW) && !defined(DPPAIR_BODY_)
#include "rows/types.h"
#endif
#if defined(DPPAIR_ROWS_NEW_) && !defined(DPPAIR_BODY_) /* not there yet: body and functions */
#define DPPAIR_BODY_ DPPAIR_BODY_ROWS_
#include "simd/each_tier.h"
#undef DPPAIR_BODY_
#include "rows/narrow_rows.h"
#endif

/* 5. Per instance: its parameters, checked, and the states of its functions. */

#if !defined(DPPAIR_BODY_) && !defined(DPPAIR_NO_TEMPLATE_) &&                                     \
    (defined(DPPAIR_NAME) || defined(DPPAIR_REAL) || defined(DPPAIR_LOSS))
#include "pairs/parameters.h"
#endif

#if defined(DPPAIR_INSTANCE_) && !defined(DPPAIR_BODY_)

#include "tiles/widths.h"
#if DPPAIR_KIND_ == DPPAIR_KIND_ROWWISE_
#include "contrast/of_states.h"
#else
#include "tiles/of_states.h"
#endif

/* 6. Per instance and tier: the loops with the loss in them. */

#define DPPAIR_BODY_ DPPAIR_BODY_PAIRS_
#include "simd/each_tier.h"
#undef DPPAIR_BODY_

#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_
#define DPPAIR_BODY_ DPPAIR_BODY_TABLE_
#include "simd/each_tier.h"
#undef DPPAIR_BODY_
#endif

#endif

/* The bodies of 3 and 6, for one tier and type. */

#ifdef DPPAIR_BODY_

#include "simd/type.h"

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

#elif DPPAIR_BODY_ == DPPAIR_BODY_TABLE_

#include "pairs/slope_table.h"

#elif DPPAIR_BODY_ == DPPAIR_BODY_PAIRS_
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_ || DPPAIR_ROWS_WHOLE_
#include "pairs/loops.h"
#endif
#if DPPAIR_KIND_ == DPPAIR_KIND_ROWWISE_
#include "contrast/of_bodies.h"
#else
#include "pairs/curvature_kernels.h"
#include "tiles/form_kernels.h"
#include "tiles/clip_kernels.h"
#include "tiles/listed.h"
#endif
#endif

#include "simd/type_end.h"

#endif

/* 7. Per instance: functions that check their arguments and call the loops of a tier. */

#if defined(DPPAIR_INSTANCE_) && !defined(DPPAIR_BODY_)

#if DPPAIR_KIND_ == DPPAIR_KIND_ROWWISE_
#include "contrast/of_row_losses.h"
#if defined(DPPAIR_RELEASE_ROWS_H)
#include "release/of_row_losses.h"
#endif
#else
#include "pairs/of_instances.h"
#include "tiles/template.h"
#include "tiles/sensitivity.h"
#include "tiles/blocks.h"
#include "tiles/gradient.h"
#include "tiles/top.h"
#include "measures/leave.h"
#include "measures/leave_one_out.h"
#include "measures/stability.h"

#if defined(DPPAIR_RELEASE_H) && defined(DPPAIR_LOSSES_H)
#include "release/of_instances.h"
#endif
#endif

#include "pairs/parameters_end.h"

#endif

#endif /* DPPAIR_CORE_ONLY_ */

/* 8. Once per translation unit: releases that use 4, as soon as those of 1 are there too. */

#if defined(DPPAIR_RELEASE_H) && defined(DPPAIR_H) && !defined(DPPAIR_BODY_) &&                    \
    !defined(DPPAIR_RELEASE_ROWS_H)
#define DPPAIR_RELEASE_ROWS_H
#include "release/of_rows.h"
#endif

#include "core/freestanding_end.h"

#endif /* DPPAIR_DECLARE_ONLY */
