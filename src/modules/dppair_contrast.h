/* SPDX-License-Identifier: MIT */
/*
 * dppair_contrast.h - losses that compare one record with all others (version 0.1.0)
 *
 * InfoNCE, NT-Xent, CLIP, supervised contrastive losses, N-pairs, triplets: an anchor meets all
 * candidates at once. An instance computes the sum over all anchors, its gradient in the embeddings
 * for the back-propagation of any host, and in a linear map z = W^T x, which it also releases.
 *
 *     #define DPPAIR_NAME embed                prefix of the generated functions
 *     #define DPPAIR_REAL float
 *     #define DPPAIR_LOSS dppair_infonce       a loss of this header, or one that you define
 *     #include "dppair_contrast.h"             makes the instance; it includes dppair_groups.h
 *
 *     dppair_contrast how = {0};                                            C++: {}
 *     how.compare = DPPAIR_COMPARE_COSINE, how.temperature = 0.1;
 *     how.positives = DPPAIR_POSITIVE_PARTNER, how.partner = partner;      the other view's place
 *     rows = dppair_rows_make_f32(z, n, d, d);
 *     s = embed_contrast_gradient(dz, NULL, &rows, NULL, &how, &options);     dz is NOT PRIVATE
 *
 * After it dppair.h makes instances of these losses, too.
 *
 * LOSSES      dppair_infonce  dppair_npairs  dppair_decoupled; of triplets dppair_triplet
 *             dppair_triplet_squared  dppair_triplet_soft. Your own: heads of
 *             modules/contrast/shared.h and triplet.h
 *
 * THE TEMPLATE, for DPPAIR_NAME = embed
 *   embeddings  embed_contrast_gradient  _contrast_risk_not_private  _contrast_workspace
 *   linear map  embed_contrast_map_gradient  _contrast_map_workspace
 *   in groups   embed_contrast_groups: each group by itself, for a network (dppair_groups.h)
 *   released    embed_release_contrast  _release_contrast_workspace: a map, each group's gradient
 *               clipped
 *   a batch     embed_softmax_gradient  _softmax_workspace  embed_release_softmax: a softmax over
 *               the batch, each similarity clipped; not of triplets
 * FUNCTIONS     dppair_contrast_angular: the size of a workspace where how.angle is not 0
 *               dppair_sensitivity_softmax: of a sum by your own code
 * TYPES         dppair_contrast  dppair_comparison  dppair_positives  dppair_triples
 *
 * Errors zero the results. The heads of modules/contrast/template.h and triplet.h list them.
 * How far one record moves a release: head of modules/groups/groups.h; of the softmax, head of
 * modules/contrast/clip_state.h.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else

#ifndef DPPAIR_CONTRAST_SELF
#define DPPAIR_CONTRAST_SELF "dppair_contrast.h"
#endif

#ifdef DPPAIR_MODULE_CONTRAST_
#if DPPAIR_KIND_ == DPPAIR_KIND_ROWWISE_ /* of an instance */

#if DPPAIR_STAGE_ == DPPAIR_STAGE_STATES_
#include "modules/contrast/of_states.h"
#elif DPPAIR_STAGE_ == DPPAIR_STAGE_BODIES_
#include "modules/contrast/of_bodies.h"
#elif DPPAIR_STAGE_ == DPPAIR_STAGE_FUNCTIONS_
#include "modules/contrast/of_functions.h"
#endif

#endif
#else

#ifndef DPPAIR_CONTRAST_H
#define DPPAIR_CONTRAST_H

#include "dppair_groups.h"

#include "core/freestanding.h"

#include "modules/contrast/names.h"
#include "modules/contrast/shared.h"
#include "modules/contrast/softmax_sensitivity.h"
#include "modules/contrast/losses.h"
#include "modules/contrast/triplet_losses.h"

#include "core/freestanding_end.h"

#endif /* DPPAIR_CONTRAST_H */

/* The instance. One of a loss of pairs is for a later include of dppair.h. */

#if defined(DPPAIR_LOSS) && !defined(DPPAIR_NO_TEMPLATE_)
#if DPPAIR_WORD_(DPPAIR_CAT(DPPAIR_LOSS, _KIND), DPPAIR_KIND_ROWWISE_) == DPPAIR_KIND_ROWWISE_
#include "dppair.h"
#endif
#endif

#endif /* DPPAIR_MODULE_CONTRAST_ */
#endif /* DPPAIR_DECLARE_ONLY */
