/* SPDX-License-Identifier: MIT */
/*
 * dppair_groups.h - sums of groups, each clipped, and their mean, released (version 0.1.0)
 *
 * A group is what you compute one vector of: the records of a user, a query, or some records that
 * are drawn and put together. The vector is any function of the group's own records and of what is
 * public: the gradient of a network, of a contrastive loss, of a metric. It is shortened to a public
 * length, and the mean over the groups leaves with noise.
 *
 *     #include "dppair_groups.h"               includes dppair.h, _noise.h and _accountant.h
 *
 *     plan.sampling = dppair_sampling_all(groups, DPPAIR_REPLACE_QUERY);   a whole group is protected
 *     s = dppair_release_open(&release, &account, &plan, NULL);
 *     for each step:
 *       s = dppair_group_sum_open(&sum, numbers, size, clip, &release);
 *       for (j = 0; j < groups && !s; j++) {
 *         ... v = the gradient of group j ...
 *         s = dppair_group_add_f64(&sum, v);                          shortened to the clip
 *       }
 *       if (!s) s = dppair_release_groups(mean, &release, &sum);      mean may be published
 *     dppair_release_close(&release);
 *
 * FUNCTIONS
 *   dppair_group_sum_open     begins the sum of one step
 *   dppair_group_add_f64 _f32   adds a group's vector
 *   dppair_group_sum_join     adds the sum of another thread
 *   dppair_release_groups     the mean, with its noise
 *   types   dppair_group_sum
 *
 * To draw records and put them into groups, take dppair_sampling_groups for the plan.
 *
 * Errors. Those of dppair_release_vector about the release, and of public arguments; outputs are
 * zeroed. A vector that is not finite counts as 0 and has no error: that would tell about its group.
 * The proof is at the head of modules/groups/groups.h, below.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_GROUPS_H
#define DPPAIR_GROUPS_H

#include "dppair_accountant.h"
#include "dppair_noise.h"

#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair.h"
#undef DPPAIR_NO_TEMPLATE_

#include "core/freestanding.h"

#include "modules/groups/groups.h"

#include "core/freestanding_end.h"

#endif /* DPPAIR_GROUPS_H */
#endif /* DPPAIR_DECLARE_ONLY */
