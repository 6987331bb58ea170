/* SPDX-License-Identifier: MIT */
/*
 * dppair_selection.h - the best of some private runs, whose number is random (version 0.1.0)
 *
 * A candidate is drawn, trained and scored, all of it privately: one run. K runs are made, K drawn
 * before the first, and the one with the best score is released. With the geometric law they cost
 * about three runs, however many candidates there are: what tuning really costs.
 *
 *     #include "dppair_selection.h"            includes dppair_accountant.h and dppair_noise.h
 *
 *     dppair_selection_gamma(&gamma, 1.0, 20.0);                           20 runs in the mean
 *     if (dppair_accountant_selection(&account, &run, 1.0, gamma, 1e-6, work, bytes) != DPPAIR_OK)
 *       return 1;                                                          run: an account of one
 *     if (dppair_draw_runs(&k, 1.0, gamma, &rng) != DPPAIR_OK) return 1;   k stays secret
 *     ... k runs, each of a candidate drawn anew; release the best ...
 *
 * FUNCTIONS
 *   dppair_selection_mean, _gamma   the expected number of runs, and the law that has it
 *   dppair_selection_epsilon        what the best of the runs costs, by the curve of one
 *   dppair_accountant_selection     charges it
 *   dppair_draw_runs                how many runs, exactly
 *
 * Neither K nor the time that all runs took may leave. Errors zero outputs. The proof is at the head
 * of modules/selection/selection.h.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_SELECTION_H
#define DPPAIR_SELECTION_H

#include "dppair_accountant.h"
#include "dppair_noise.h"

#include "core/freestanding.h"
#include "core/quick.h"
DPPAIR_LIBM_BEGIN_

#include "modules/selection/selection.h"

DPPAIR_FP_END_
#include "core/quick_end.h"
DPPAIR_FP_BEGIN_

#include "modules/selection/runs.h"

DPPAIR_FP_END_
#include "core/freestanding_end.h"

#endif /* DPPAIR_SELECTION_H */
#endif /* DPPAIR_DECLARE_ONLY */
