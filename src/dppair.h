/* SPDX-License-Identifier: MIT */
/*
 * dppair.h - pairwise learning with differential privacy: the core.            version 0.1.0
 *
 * Losses over PAIRS of records, summed over all pairs at about the price of one pass over the
 * records; the domains, measures and linear algebra around them; one SIMD vocabulary underneath.
 * dppair_losses.h includes all of it; dppair_noise.h and dppair_accountant.h its core only.
 *
 *     #include "dppair_losses.h"
 *     #define DPPAIR_NAME rank                 prefix of what is generated
 *     #define DPPAIR_REAL double               type of scores and rows: float or double
 *     #define DPPAIR_LOSS dppair_logistic      a loss of dppair_losses.h, or your own
 *     #include "dppair.h"
 *
 *     rank_coeffs(a, b, sp, np, sn, nn, NULL)  d/dsp and d/dsn of the sum over all np nn pairs of
 *                                              ln(1 + e^-(sp[i] - sn[j])); on an error a, b are 0
 *
 *     rows X, labels y --scores--> s --pair loop(phi)--> coefficients c --combine--> gradient g
 *       --noise--> released g --step, project--> w
 *
 * For a linear score the gradient of the sum of phi(s_i - s_j) over pairs is X^T c, c_i the signed
 * sum of phi' over i's partners; so a pair loop is a map from scores to coefficients and serves any
 * scorer (c is dL/ds of a network too). Sums, never means: the normaliser is public and yours,
 * n(n-1) unless you know better, and never the product of two private class counts.
 *
 * THE TEMPLATE, for DPPAIR_NAME = rank
 *   rank_risk  rank_coeffs                   exact sums over np x nn pairs, O(np nn)
 *   rank_coeffs_fast  rank_fast_size _init   near-linear: exact by sorting for piecewise polynomial
 *                                            slopes, by boxes with a certified a-priori error for
 *                                            analytic ones (dppair_box_bound)
 *   rank_coeffs_auto  rank_coeffs_part       the better of the two by public sizes; a share of it
 *   rank_surcharge                           what arithmetic adds to a sensitivity; listed pairs:
 *                                            dppair_pairs_surcharge
 *   rank_pairs  rank_pairs_gradient  rank_metric_pairs_gradient       listed pairs: mini-batches
 *   rank_gradient  rank_gradient_size        rows to gradient, in parts over your threads
 *   rank_clip_coeffs  _clip_gradient  _clip_cache  _clip_cached     each pair's gradient clipped
 *   rank_metric_gradient  _metric_risk  _metric_workspace  _metric_error     Mahalanobis metrics
 *   rank_factor_gradient  _factor_risk  rank_similarity_gradient  _similarity_risk
 *                                            low-rank factors, bilinear similarities
 *   rank_form_gradient  rank_form_workspace  any of these three forms, in parts over your threads
 *   Each exists per tier as well: rank_coeffs_scalar, _simd128, _avx2, _avx512.
 *
 * FUNCTIONS
 *   rows        dppair_scores_f64 _f32 _mixed    dppair_combine_f64 _f32    sparse: _csr_f64
 *               dppair_gather_f64 _f32: a batch's rows, one after the other
 *   domains     dppair_project_l2 _l1 _box _simplex _spectral _psd_frobenius _psd_trace ..._f64
 *               dppair_eigen_f64   dppair_symmetric_pack_f64 _unpack_f64   dppair_norm_f64
 *   measures    dppair_auc_f64  dppair_partial_auc_f64  dppair_kendall_f64  dppair_precision_f64
 *               dppair_knn_accuracy_f64: on private data their results are NOT private
 *   threads     dppair_parts  dppair_run_serial  dppair_run_openmp  dppair_join
 *   base        dppair_status_string  dppair_isa_name  dppair_tier  dppair_environment_check
 *               dppair_isfinite_f64 ...
 *
 * CONTRACT
 *   Status first: every fallible function returns a dppair_status and zeroes its outputs on error
 *   (but for sizes that no memory has, OVERFLOW: then they are left alone).
 *   No allocation, no input or output, no globals; workspace comes from the caller, its size from
 *   a function. Sums run in double for both element types. Scalar, AVX2, AVX-512 and NEON give the
 *   same bits, whatever the number of threads, where the C library's fma() is correctly rounded
 *   (mingw-w64's is not and is replaced; where another is not, NAME_fast_init refuses); the 128-bit
 *   tier on x86 has none and differs within the stated bounds. With
 *   -ffast-math, or a part of it, gcc gets the scalar tier, where the bounds still hold (the
 *   equality of bits may not), and clang is refused, as far as it tells: never give it
 *   -funsafe-math-optimizations or -fassociative-math.
 *   Every bound needs arithmetic of the declared type that rounds to nearest. A compiler that
 *   evaluates in a wider one (x87: FLT_EVAL_METHOD not 0) is refused by #error, with the flags that
 *   cure it; a changed rounding mode, and sums that a compiler's flag has put together, by
 *   DPPAIR_ERR_ENVIRONMENT (dppair_environment_check) at the entry of what is certified.
 *
 * KNOBS, macros that may be defined before the first include
 *   DPPAIR_API        linkage of every function; default: static inline, silent when unused
 *   DPPAIR_SELF       how this header names itself when it re-includes itself; default "dppair.h"
 *   DPPAIR_MAX_TIER   the widest instruction tier to compile and use: 0 scalar, 1 portable 128-bit,
 *                     2 AVX2+FMA, 3 AVX-512 (default: 3; 2 for gcc on Windows, whose AVX-512
 *                     code loses registers over calls)
 *   DPPAIR_NO_SIMDE   do not use SIMDe for the 128-bit tier even where it is installed
 *   DPPAIR_NO_FORCE_INLINE   do not insist on inlining the vocabulary: for debuggers and
 *                     sanitizers, which otherwise take minutes to compile it
 */
#ifndef DPPAIR_CORE_H
#define DPPAIR_CORE_H

#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L)
#error "dppair needs C99 or C++11 at least: compile with -std=c99 or a later standard."
#include "dppair stops here: one sentence says more than the thousands of errors after it"
#endif

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DPPAIR_VERSION_MAJOR 0
#define DPPAIR_VERSION_MINOR 1
#define DPPAIR_VERSION_PATCH 0
#define DPPAIR_VERSION_STRING "0.1.0"

#include "core/compiler.h"

#include "core/status.h"

#include "core/checks.h"

#include "core/bits.h"

#include "core/processor.h"

#include "core/dispatch.h"

#include "core/environment.h"

#endif /* DPPAIR_CORE_H: all that dppair_noise.h and dppair_accountant.h need of this file */

#ifndef DPPAIR_CORE_ONLY_

/* ================================================================================================
 * Once for each file that is compiled
 * ============================================================================================== */

#ifndef DPPAIR_H
#define DPPAIR_H

#include "simd/intrinsics.h"

#include "simd/names.h"

#include "simd/vocabulary.h"

#include "simd/fused.h"

#include "pairs/fast_state.h"

#include "core/sort.h"

#include "core/norm.h"

/* What is compiled several times, in the order in which it is written below: this file includes
 * itself with DPPAIR_BODY_ set. */
#define DPPAIR_BODY_VECTORS_ 1 /* once per tier and type */
#define DPPAIR_BODY_PAIRS_ 2   /* once per instance and tier */
#define DPPAIR_BODY_TABLE_ 3   /* once per instance, on the scalar tier, in double */

#define DPPAIR_BODY_ DPPAIR_BODY_VECTORS_
#include DPPAIR_SELF
#undef DPPAIR_BODY_

#include "rows/linear.h"

#include "rows/sparse.h"

#include "domains/projections.h"

#include "domains/symmetric.h"

#include "measures/ranking.h"

#include "core/parts.h"

#include "rows/parts.h"

#include "pairs/box.h"

#include "tiles/shared.h"

#endif /* DPPAIR_H */

/* ================================================================================================
 * Once for each instance: its parameters, its state, and the bodies on every tier
 * ============================================================================================== */

#if !defined(DPPAIR_BODY_) && !defined(DPPAIR_NO_TEMPLATE_) &&                                     \
    (defined(DPPAIR_NAME) || defined(DPPAIR_REAL) || defined(DPPAIR_LOSS))
#include "pairs/parameters.h"
#endif

#if defined(DPPAIR_INSTANCE_) && !defined(DPPAIR_BODY_)

#include "tiles/form_state.h"

#include "tiles/clip_state.h"

#define DPPAIR_BODY_ DPPAIR_BODY_PAIRS_
#include DPPAIR_SELF
#undef DPPAIR_BODY_

#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_
#define DPPAIR_BODY_ DPPAIR_BODY_TABLE_
#include DPPAIR_SELF
#undef DPPAIR_BODY_
#endif

#endif

/* ================================================================================================
 * Bodies: for all tiers, for all types, then the code for one tier and one type
 * ============================================================================================== */

#if defined(DPPAIR_BODY_) && !defined(DPPAIR_TIER_)

#include "simd/each_tier.h"

#elif defined(DPPAIR_BODY_) && !defined(DPPAIR_F64_)

#include "simd/each_type.h"

#elif !defined(DPPAIR_BODY_)

#elif DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_

#include "simd/registers.h"

#if DPPAIR_TIER_ == 0
#include "simd/scalar.h"
#elif DPPAIR_TIER_ == 1
#include "simd/simd128.h"
#elif DPPAIR_TIER_ == 2
#include "simd/avx2.h"
#elif DPPAIR_TIER_ == 3
#include "simd/avx512.h"
#endif

#include "simd/operations.h"

#include "simd/elementary.h"

#include "rows/kernels.h"

#include "pairs/box_kernels.h"

#include "pairs/sorted.h"

#include "tiles/multiply.h"

#include "simd/registers_end.h"

#elif DPPAIR_BODY_ == DPPAIR_BODY_TABLE_

#include "pairs/slope_table.h"

#elif DPPAIR_BODY_ == DPPAIR_BODY_PAIRS_

#include "pairs/loops.h"

#include "tiles/form_kernels.h"

#include "tiles/clip_kernels.h"

#include "tiles/listed.h"

#endif

/* ================================================================================================
 * Once for each instance: the functions that check their arguments and choose the tier
 * ============================================================================================== */

#if defined(DPPAIR_INSTANCE_) && !defined(DPPAIR_BODY_)

#include "pairs/template.h"

#include "tiles/template.h"

#include "pairs/parameters_end.h"

#endif

#endif /* DPPAIR_CORE_ONLY_ */
