/* SPDX-License-Identifier: MIT */
/*
 * dppair_filters.h - budgets that are asked before each step (version 0.1.0)
 *
 * A plan knows its steps and its noise beforehand. If they follow what earlier steps said, a filter
 * is asked before each one, and ends the run; what it holds is (epsilon, delta) of everything,
 * however the steps were chosen. An individual filter charges each record what it adds itself, and
 * drops it for good when its own budget is used up.
 *
 *     #include "dppair_filters.h"              includes dppair_accountant.h
 *
 *     dppair_filter_init(&filter, 1.0, 1e-5, 0.0);                         (1, 1e-5) in all
 *     while (dppair_filter_step(&filter, spend) == DPPAIR_OK)              (move/sigma)^2 or more
 *       ... one release with this noise, from which the next is chosen ...
 *
 * FUNCTIONS
 *   all records     dppair_filter_init, dppair_filter_step
 *   each record     dppair_individual_budget, dppair_individual_step: of pair gradients;
 *                   dppair_individual_sum_step: of sums of one vector a record
 *   types           dppair_filter
 *
 * Steps are Gaussian. Who is still in an individual filter, and how many, stays private. Errors
 * leave no budget. The proofs are in modules/filters/filters.h, below.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_FILTERS_H
#define DPPAIR_FILTERS_H

#include "dppair_accountant.h"

#include "core/freestanding.h"
#include "core/quick.h"
DPPAIR_LIBM_BEGIN_

#include "modules/filters/filters.h"

DPPAIR_FP_END_
#include "core/quick_end.h"
#include "core/freestanding_end.h"

#endif /* DPPAIR_FILTERS_H */
#endif /* DPPAIR_DECLARE_ONLY */
