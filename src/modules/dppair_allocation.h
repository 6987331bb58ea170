/* SPDX-License-Identifier: MIT */
/*
 * dppair_allocation.h - random allocation: epochs that read every record (version 0.1.0)
 *
 *   An epoch is t steps, and every record is in k of its batches, by itself, all choices equally
 *   likely. It is shuffling with a proof: every record is read in every epoch, as by a loop over
 *   shuffled batches, and an epoch of 1 of t costs about as much as t Poisson samples of rate 1/t.
 *
 *     #include "dppair_allocation.h"               before the other headers
 *     #include "dppair_losses.h"
 *
 *     plan.sampling = dppair_sampling_allocation(n, 100, 1, DPPAIR_REPLACE_ONE);
 *     plan.steps = 1000;                           ten epochs of 100 batches
 *     plan.epsilon = 2.0, plan.delta = 1e-5;
 *     if (dppair_calibrate(&plan, &account, &composer) != DPPAIR_OK) return 1;
 *     if (dppair_release_open(&release, &account, &plan, NULL) != DPPAIR_OK) return 1;
 *     ... dppair_release_draw, gather, NAME_release, as with any other sampling ...
 *
 * sampling   dppair_sampling_allocation
 * draws      dppair_draw_allocation: the batch of a step, a function of key and step alone
 * accounts   dppair_accountant_sampled_gaussian charges epochs; the accountant's answers, plans,
 *            ledgers and releases know them once this header is there
 *            dppair_renyi_allocation: the divergence of an epoch, from its table
 *
 * What it extends has to know it: it comes before dppair_accountant.h, which it includes itself, as
 * it does dppair_noise.h. So it does in every file of a program that such an account passes
 * through: one without it refuses the kind with DPPAIR_ERR_MODULE. Beside another module that comes
 * before the accountant too, define DPPAIR_WITH_ALLOCATION before the first include.
 *
 * Epochs are a table of densities, about 1e-9 wide in 10 to 50 ms where nothing else is composed
 * with them; beside other steps the table goes on the lattice. Proofs: allocation/theory.h.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_ALLOCATION_H
#define DPPAIR_ALLOCATION_H

#ifndef DPPAIR_WITH_ALLOCATION /* beside modules like this one it is defined before them */
#define DPPAIR_WITH_ALLOCATION
#endif

#include "dppair_noise.h"
#include "dppair_accountant.h"

#ifndef DPPAIR_KNOWS_ALLOCATION_
#error "include dppair_allocation.h first, or define DPPAIR_WITH_ALLOCATION before all headers"
#endif

#include "core/freestanding.h"

DPPAIR_FP_BEGIN_

#include "modules/allocation/sampling.h"

#include "modules/allocation/draw.h"

DPPAIR_FP_END_
#include "core/quick.h"
DPPAIR_LIBM_BEGIN_

#include "modules/allocation/law.h"

#include "modules/allocation/theory.h"

DPPAIR_FP_END_
#include "core/quick_end.h"
DPPAIR_LIBM_BEGIN_

#include "modules/allocation/density.h"

#include "modules/allocation/meeting.h"

#include "modules/allocation/combine.h"

#include "modules/allocation/cut.h"

DPPAIR_FP_END_
#include "core/quick.h"
DPPAIR_LIBM_BEGIN_

#include "modules/allocation/build.h"

#include "modules/allocation/epochs.h"

#include "modules/allocation/curve.h"

#include "modules/allocation/patch.h"

#include "modules/allocation/comonotone.h"

#include "modules/allocation/replace_one.h"

#include "modules/allocation/answers.h"

#include "modules/allocation/lattice.h"

#include "modules/allocation/routes.h"

DPPAIR_FP_END_
#include "core/quick_end.h"

#include "core/freestanding_end.h"

#endif /* DPPAIR_ALLOCATION_H */
#endif /* DPPAIR_DECLARE_ONLY */
