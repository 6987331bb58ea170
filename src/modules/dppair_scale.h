/* SPDX-License-Identifier: MIT */
/*
 * dppair_scale.h - all pairs of records that are never in one place (version 0.1.0)
 *
 *   Chunks of records, of any size and in any order, from a file, of threads or of processes. A pass
 *   over them takes no memory that grows with their number, and only moments and sums travel: a few
 *   KB, 1 MB for piecewise linear losses. Every sum is one of integers, so any split gives the same
 *   bits, those of NAME_gradient and NAME_release with the same state.
 *
 *     #include "dppair_noise.h"                for releases, as is dppair_accountant.h
 *     #include "dppair_accountant.h"
 *     #include "dppair_scale.h"                before the instances that have it; includes the losses
 *     #define DPPAIR_NAME rank
 *     #define DPPAIR_REAL double
 *     #define DPPAIR_LOSS dppair_logistic
 *     #include "dppair.h"
 *
 *     rank_chunk_sketch(&m, &rows, w, &options);             each chunk; options.fast: rank_sums_init
 *     rank_sketch_finish(&m, params, &fast);              then m is read only
 *     rank_chunk_sum(&sum, &rows, w, &m, &options);           each chunk again
 *     rank_release_sum(g, &release, &sum, w, &options);       with a plan's noise: g may be published
 *
 * The whole step stands at the head of modules/scale/chunks.h, below.
 *
 * FUNCTIONS, for DPPAIR_NAME = rank
 *   of rows      rank_chunk_workspace, rank_chunk_sketch, rank_sum_open, rank_chunk_sum
 *   of scores    rank_sketch_open, rank_sketch, rank_sketch_finish, rank_coeffs_from_sketch: for
 *                networks
 *   join         dppair_sketch_add; dppair_sum_add is in dppair.h. Words of another process:
 *                dppair_words_add
 *   release      rank_release_sum: with noise; if all four headers are there
 *
 * rank_sums_init, which prepares the state, and rank_sketch_workspace are in dppair.h. Pairs of a
 * metric in blocks: dppair_metric.h. Errors leave moments and sums as they are, or close them.
 * Instances of a loss that is neither analytic nor piecewise linear have none of these functions.
 * An instance that came before this header has none of them: one #error says so.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else

#ifndef DPPAIR_SCALE_SELF
#define DPPAIR_SCALE_SELF "dppair_scale.h"
#endif

#ifdef DPPAIR_MODULE_SCALE_
#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_ || DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_

#if DPPAIR_STAGE_ == DPPAIR_STAGE_FUNCTIONS_
#include "modules/scale/sketch.h"
#include "modules/scale/chunks.h"

#elif DPPAIR_STAGE_ == DPPAIR_STAGE_RELEASES_
#include "core/quick.h"
#include "modules/scale/release.h"
#include "core/quick_end.h"
#endif

#endif
#elif !defined(DPPAIR_SCALE_H)
#define DPPAIR_SCALE_H

#ifdef DPPAIR_HAS_INSTANCES_
#error "Include dppair_scale.h before dppair.h makes an instance: earlier ones have none of it."
#endif

#ifndef DPPAIR_NAME /* of an instance that comes later: then the losses are there */
#include "dppair_losses.h"
#endif
#define DPPAIR_NO_TEMPLATE_
#include "dppair.h"
#undef DPPAIR_NO_TEMPLATE_

#include "core/freestanding.h"

#include "modules/scale/names.h"
#include "modules/scale/shared.h"

#include "core/freestanding_end.h"

#endif /* DPPAIR_SCALE_H */
#endif /* DPPAIR_DECLARE_ONLY */
