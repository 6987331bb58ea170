/* SPDX-License-Identifier: MIT */
/*
 * dppair_metric.h - metrics, similarities and listed pairs of an instance (version 0.1.0)
 *
 *   A metric W or a similarity is learned from all pairs of records: its margin is a form of two
 *   rows, (x - x')^T W (x - x') or x^T W x', and the label of a pair says whether its records are
 *   of one class. Listed pairs are those that the caller names: a matching, triplets' halves.
 *
 *     #include "dppair_noise.h"                for releases, as is dppair_accountant.h
 *     #include "dppair_accountant.h"
 *     #include "dppair_metric.h"               before the instances that have it; includes the losses
 *     #define DPPAIR_NAME pull
 *     #define DPPAIR_REAL double
 *     #define DPPAIR_LOSS dppair_logistic
 *     #include "dppair.h"
 *
 *     rows.y = labels;                         two records of one label are pulled together
 *     if (pull_form_workspace(&bytes, n, d, k, &options) != DPPAIR_OK) return 1;
 *     if (pull_form_gradient(g, DPPAIR_FORM_FACTOR, &rows, l, k, 1.0, &options) != DPPAIR_OK) return 1;
 *     if (pull_release_form(g, &release, DPPAIR_FORM_FACTOR, &rows, l, k, 1.0, &options) != DPPAIR_OK)
 *       return 1;                              the same with a plan's noise: g may be published
 *
 * FUNCTIONS, for DPPAIR_NAME = pull
 *   forms           pull_form_workspace, pull_form_gradient, pull_form_risk_not_private: metrics,
 *                   metrics L L^T of low rank, similarities; pull_form_error: rounding
 *   sensitivity     pull_form_sensitivity: how far one record moves such a gradient
 *   releases        pull_release_form: with noise; if all four headers are there
 *   listed pairs    pull_pairs_workspace, pull_pairs_gradient: of a linear score; pull_form_pairs: of
 *                   a metric. pull_release_vector releases them
 *   in blocks       dppair_ring: all pairs of records that are never in one place, block by block,
 *                   in any process: pull_form_block, _block_workspace, pull_form_sum_open,
 *                   _sum_sensitivity, pull_release_form_sum; dppair_ring_blocks, _rows
 *
 * Errors. Outputs are zeroed. Instances of a row-wise loss have none of these functions. An
 * instance that came before this header has none of them: one #error says so.
 *
 * Formulas and proofs: heads of modules/metric/template.h, sensitivity.h and blocks.h, below.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else

#ifndef DPPAIR_METRIC_SELF
#define DPPAIR_METRIC_SELF "dppair_metric.h"
#endif

#ifdef DPPAIR_MODULE_METRIC_
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_ && DPT_DENSE /* of an instance */

#if DPPAIR_STAGE_ == DPPAIR_STAGE_STATES_
#include "modules/metric/form_state.h"
#include "modules/metric/listed_state.h"

#elif DPPAIR_STAGE_ == DPPAIR_STAGE_BODIES_
#include "modules/metric/form_kernels.h"
#include "modules/metric/listed.h"

#elif DPPAIR_STAGE_ == DPPAIR_STAGE_FUNCTIONS_
#include "modules/metric/template.h"
#include "modules/metric/sensitivity.h"
#include "modules/metric/blocks.h"

#elif DPPAIR_STAGE_ == DPPAIR_STAGE_RELEASES_
#include "core/quick.h"
#include "modules/metric/release.h"
#include "modules/metric/release_blocks.h"
#include "core/quick_end.h"
#endif

#endif
#elif !defined(DPPAIR_METRIC_H)
#define DPPAIR_METRIC_H

#ifdef DPPAIR_HAS_INSTANCES_
#error "Include dppair_metric.h before dppair.h makes an instance: earlier ones have none of it."
#endif

#ifndef DPPAIR_NAME /* of an instance that comes later: then the losses are there */
#include "dppair_losses.h"
#endif
#define DPPAIR_NO_TEMPLATE_
#include "dppair.h"
#undef DPPAIR_NO_TEMPLATE_

#include "core/freestanding.h"

#include "modules/metric/names.h"
#include "modules/metric/shared.h"

#include "core/freestanding_end.h"

#endif /* DPPAIR_METRIC_H */
#endif /* DPPAIR_DECLARE_ONLY */
