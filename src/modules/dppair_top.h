/* SPDX-License-Identifier: MIT */
/*
 * dppair_top.h - rankings whose top counts more (version 0.1.0)
 *
 *   The sum over all pairs is the AUC, where every place of the list counts alike. Whoever reads
 *   only its top asks for another loss of the same phi:
 *
 *   PARTIAL     the pairs of the k highest negatives and the m lowest positives: the partial AUC
 *   PUSH        the sum over negatives of a power of what their pairs lose: the p-norm push
 *   PRECISION   what average precision misses
 *   NDCG        the pairs of a query, weighted by what exchanging them does to NDCG
 *
 *     #include "dppair_top.h"               before the instance; includes dppair_losses.h
 *     #include "dppair_noise.h"             for releases, as ever
 *     #include "dppair_accountant.h"
 *     #define DPPAIR_NAME rank
 *     #define DPPAIR_REAL double
 *     #define DPPAIR_LOSS dppair_logistic
 *     #include "dppair.h"
 *
 *     dppair_top top = {DPPAIR_TOP_PARTIAL, 50, 0, 0, 0, 0};   the 50 highest negatives
 *     s = rank_top_workspace(&bytes, n, d, &top, &options);
 *     ... dppair_release_open as ever ...
 *     s = rank_release_top(g, &release, &rows, w, &top, &options);   g may be published
 *
 * OF AN INSTANCE that is made after this header, for DPPAIR_NAME = rank
 *   release       rank_release_top: the gradient with the noise of this step
 *   sensitivity   rank_top_sensitivity: how far one record moves that gradient
 *   gradient      rank_top_gradient, rank_top_workspace: of a linear score. NOT PRIVATE
 *   coefficients  rank_top_coeffs, rank_top_coeffs_workspace; of NDCG rank_top_ranks. NOT PRIVATE
 * types           dppair_top  dppair_top_kind
 *
 * PARTIAL, PUSH and PRECISION are near-linear with a prepared state, else they are loops. Ties
 * share places, so no order of the rows matters. A selection meets the records that no linear score
 * puts in place, and noise grows as n/k: where it was measured, all pairs were better at epsilon 1.
 *
 * Errors. Outputs are zeroed; what a release refuses before a record is read uses no paid release.
 *
 * Such an instance has DPPAIR_WEIGHTS 1. If you define it as 0, the instance has none of these
 * functions, and one of a row-wise loss never has.
 *
 * What each loss is: head of modules/top/coeffs.h. How far a record moves it, with proofs: head of
 * modules/top/sensitivity.h.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else

#ifndef DPPAIR_TOP_SELF
#define DPPAIR_TOP_SELF "dppair_top.h"
#endif

#ifdef DPPAIR_MODULE_TOP_
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_ && DPPAIR_WEIGHTS /* of an instance */

#if DPPAIR_STAGE_ == DPPAIR_STAGE_FUNCTIONS_
#include "modules/top/values.h"
#include "modules/top/coeffs.h"
#include "modules/top/ranks.h"
#include "modules/top/gradient.h"
#include "modules/top/sensitivity.h"

#elif DPPAIR_STAGE_ == DPPAIR_STAGE_RELEASES_
#include "modules/top/release.h"
#endif

#endif
#elif !defined(DPPAIR_TOP_H)
#define DPPAIR_TOP_H

#ifdef DPPAIR_HAS_INSTANCES_
#error "Include dppair_top.h before dppair.h makes an instance: earlier ones have none of it."
#endif

#ifndef DPPAIR_NAME /* of an instance that comes later: then the losses are there */
#include "dppair_losses.h"
#endif
#define DPPAIR_NO_TEMPLATE_
#include "dppair.h"
#undef DPPAIR_NO_TEMPLATE_
#define DPPAIR_NEED_WEIGHTS_ /* instances have them, but where DPPAIR_WEIGHTS is 0 */

#include "core/freestanding.h"

#include "modules/top/names.h"
#include "modules/top/cut.h"

#include "core/freestanding_end.h"

#endif /* DPPAIR_TOP_H */
#endif /* DPPAIR_DECLARE_ONLY */
