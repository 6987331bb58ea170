/* SPDX-License-Identifier: MIT */
/*
 * dppair_pointwise.h - pairs made pointwise: records that no longer meet (version 0.1.0)
 *
 *   A released histogram of the scores takes the place of the partners. Then each record has a
 *   coefficient of its own, its vector is clipped by itself, and a zeroed record moves the mean by
 *   one clip over n: half of what a pairwise gradient moves. Histogram and gradient are two parts
 *   of one paid release.
 *
 *     #include "dppair_losses.h"
 *     #include "dppair_pointwise.h"            before the instances that have it
 *     #define DPPAIR_NAME rank
 *     #define DPPAIR_REAL double
 *     #define DPPAIR_LOSS dppair_logistic
 *     #include "dppair.h"
 *
 *     dppair_histogram h = {node, 24, count, 0};             public nodes, room for 48 numbers
 *     s = dppair_release_part(&release, 0.2);                a fifth of the paid release is for
 *     s = dppair_release_score_histogram(&h, &release, score, NULL, n, positives);   this, and
 *     s = rank_release_pointwise(g, &release, &rows, w, &h, clip, &options);   the rest is for this
 *
 * FUNCTIONS, for DPPAIR_NAME = rank
 *   histogram     dppair_release_score_histogram: of both classes, with noise
 *   coefficients  rank_coeffs_from_histogram: of records by themselves, NOT PRIVATE
 *   gradient      rank_release_pointwise: clipped, summed, with noise
 *   types         dppair_histogram
 *
 * dppair_release_part is in dppair.h. Includes dppair_noise.h and dppair_accountant.h. Errors zero
 * outputs. Instances of a row-wise loss have none of these functions, nor has an instance that came
 * before this header: one #error says so. The proofs are at the heads of
 * modules/pointwise/histogram.h and release.h, below.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else

#ifndef DPPAIR_POINTWISE_SELF
#define DPPAIR_POINTWISE_SELF "dppair_pointwise.h"
#endif

#ifdef DPPAIR_MODULE_POINTWISE_
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_ /* of an instance */

#if DPPAIR_STAGE_ == DPPAIR_STAGE_FUNCTIONS_
#include "modules/pointwise/nodes.h"

#elif DPPAIR_STAGE_ == DPPAIR_STAGE_RELEASES_ && DPT_DENSE
#include "core/quick.h"
#include "modules/pointwise/release.h"
#include "core/quick_end.h"
#endif

#endif
#elif !defined(DPPAIR_POINTWISE_H)
#define DPPAIR_POINTWISE_H

#ifdef DPPAIR_HAS_INSTANCES_
#error "Include dppair_pointwise.h before dppair.h makes an instance: earlier ones have none of it."
#endif

#include "dppair_accountant.h"
#include "dppair_noise.h"
#ifndef DPPAIR_NAME /* of an instance that comes later: then the losses are there */
#include "dppair_losses.h"
#endif
#define DPPAIR_NO_TEMPLATE_
#include "dppair.h"
#undef DPPAIR_NO_TEMPLATE_

#include "core/freestanding.h"

#include "modules/pointwise/names.h"
#include "core/quick.h"
#include "modules/pointwise/histogram.h"
#include "core/quick_end.h"

#include "core/freestanding_end.h"

#endif /* DPPAIR_POINTWISE_H */
#endif /* DPPAIR_DECLARE_ONLY */
