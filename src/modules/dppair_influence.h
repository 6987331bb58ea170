/* SPDX-License-Identifier: MIT */
/*
 * dppair_influence.h - what each record does to a ranking; Hessians (version 0.1.0)
 *
 *   How does the minimiser of a pairwise loss change when one record is left out? For all records
 *   at once, in nearly linear time, with a bound of the error (Kang et al. 2021, eq. 4, mended).
 *   How stable is it then? And the sums over pairs that multiply the Hessian with a vector.
 *
 *   NOT PRIVATE. All of it reads records, and no release of it exists: figures have not_private in
 *   their names, sums and products are as secret as the records.
 *
 *     #include "dppair_influence.h"                 before the instance; includes dppair_losses.h
 *     #define DPPAIR_NAME rank
 *     #define DPPAIR_REAL double
 *     #define DPPAIR_LOSS dppair_logistic
 *     #include "dppair.h"
 *
 *     dppair_influence of = {DPPAIR_INFLUENCE_IND, 0.01, NULL, 1, 0, NULL, NULL};
 *     s = rank_influence_workspace(&bytes, n, d, &of);
 *     s = rank_minimiser_not_private(w, &gradient, &rows, &of, 1e-11, 100, work, bytes);
 *     s = rank_influence_not_private(change, &error, &rows, w, &of, work, bytes);
 *     change[i * d + k]                             what w[k] would be more without record i
 *
 * OF AN INSTANCE that is made after this header, for DPPAIR_NAME = rank
 *   influence   of double: rank_influence_not_private: of all records
 *               rank_influence_record_not_private: of one, without a Hessian
 *               rank_influence_along_not_private: of all, along a direction
 *               rank_influence_pair_not_private: the direction of a pair's loss
 *               rank_minimiser_not_private: the w that they start from
 *               rank_influence_workspace: of all these, and of stability
 *   stability   of double: rank_stability_not_private: locally elastic, and uniform
 *   curvature   rank_curvature: the sums of phi'' that multiply the Hessian with a vector, by the
 *               loops, or near-linear with rank_curvature_workspace, rank_curvature_init
 *               rank_hessian, rank_hessian_workspace: that product from rows
 * FUNCTIONS
 *   bounds      dppair_influence_bound: from the first order to retraining
 *               dppair_influence_floor: the least eigenvalue that it asks for
 *               dppair_stability_uniform
 *   types       dppair_influence  dppair_influence_risk  dppair_stability  dppair_curvature
 *
 * A loss of your own has a curvature if you say so: head of modules/influence/curvature_state.h. A
 * loss without one (hinge, absolute, pinball, ramp) gets NO_PROOF.
 *
 * Errors. Outputs are zeroed. Instances of a row-wise loss have none of these functions.
 *
 * Formulas and proofs: heads of modules/influence/influence.h and curvature.h, below.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else

#ifndef DPPAIR_INFLUENCE_SELF
#define DPPAIR_INFLUENCE_SELF "dppair_influence.h"
#endif

#ifdef DPPAIR_MODULE_INFLUENCE_
#if DPPAIR_STAGE_ == DPPAIR_STAGE_KERNELS_

#include "simd/type.h"
DPPAIR_REGION_BEGIN_
#include "modules/influence/box_differences.h"
DPPAIR_REGION_END_
#include "simd/type_end.h"

#elif DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_ /* of an instance */

#if DPPAIR_STAGE_ == DPPAIR_STAGE_STATES_
#define DPPAIR_CURVE_ DPPAIR_WORD_(DPPAIR_CAT(DPPAIR_LOSS, _CURVE), 0)

#elif DPPAIR_STAGE_ == DPPAIR_STAGE_BODIES_
#include "modules/influence/curvature_kernels.h"

#elif DPPAIR_STAGE_ == DPPAIR_STAGE_TABLE_
#include "modules/influence/curvature_table.h"

#elif DPPAIR_STAGE_ == DPPAIR_STAGE_FUNCTIONS_
#include "modules/influence/curvature.h"
#include "modules/influence/leave.h"
#include "modules/influence/leave_one_out.h"
#include "modules/influence/stability.h"
#undef DPPAIR_CURVE_
#endif

#endif
#elif !defined(DPPAIR_INFLUENCE_H)
#define DPPAIR_INFLUENCE_H

#ifdef DPPAIR_HAS_INSTANCES_
#error "Include dppair_influence.h before dppair.h makes an instance: earlier ones have none of it."
#endif

#ifndef DPPAIR_NAME /* of an instance that comes later: then the losses are there */
#include "dppair_losses.h"
#endif
#define DPPAIR_NO_TEMPLATE_
#include "dppair.h"
#undef DPPAIR_NO_TEMPLATE_

#include "core/freestanding.h"

#include "modules/influence/names.h"

#define DPPAIR_MODULE_INFLUENCE_
#define DPPAIR_STAGE_ DPPAIR_STAGE_KERNELS_
#define DPPAIR_BODY_ DPPAIR_BODY_MODULE_
#define DPPAIR_BODY_SELF_ DPPAIR_INFLUENCE_SELF
#include "simd/each_tier.h"
#undef DPPAIR_BODY_
#undef DPPAIR_STAGE_
#undef DPPAIR_MODULE_INFLUENCE_

#include "modules/influence/curvature_state.h"
#include "modules/influence/influence.h"

#include "core/freestanding_end.h"

#endif /* DPPAIR_INFLUENCE_H */
#endif /* DPPAIR_DECLARE_ONLY */
