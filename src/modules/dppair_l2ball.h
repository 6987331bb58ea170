/* SPDX-License-Identifier: MIT */
/*
 * dppair_l2ball.h - pure epsilon for vectors: noise of density exp(-|z|_2/scale) (version 0.1.0)
 *
 * With scale = (l2 sensitivity)/epsilon a release is epsilon-private, at delta = 0. The sensitivity
 * is the one that Gaussian noise needs, in the l2 norm. So pair gradients, and minimisers of
 * perturbed objectives, can be released at delta = 0.
 *
 *     #include "dppair_l2ball.h"               before the other headers; includes dppair_noise.h
 *     #include "dppair.h"                      and dppair_accountant.h; with these, releases
 *
 *     plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);            no draw
 *     plan.noise = DPPAIR_L2BALL;                a minimiser: DPPAIR_PURE_OBJECTIVE, ridge and trace
 *     plan.epsilon = 2.0, plan.steps = 10;                                   plan.delta stays 0
 *     if (dppair_release_open(&release, &account, &plan, NULL) != DPPAIR_OK) return 1;
 *     ... NAME_release, dppair_release_vector, dppair_release_minimiser ...
 *
 * FUNCTIONS
 *   noise      dppair_add_l2ball_f64, dppair_add_l2ball_f64_grid: the twin takes the fineness of
 *              the output grid
 *   test       dppair_l2ball_noise_check: known answers, as dppair_noise_check has for other laws
 *   accounts   dppair_accountant_step, plans, ledgers and releases know the kinds DPPAIR_L2BALL and
 *              DPPAIR_PURE_OBJECTIVE once this header is there
 *
 * The accountant has to know these kinds: this header comes before dppair_accountant.h, in every
 * file of a program that such an account passes through. A file without it refuses the kinds with
 * DPPAIR_ERR_MODULE. Beside another module that comes before the accountant too, define
 * DPPAIR_WITH_L2BALL before the first include.
 *
 * In d columns |z| is about d scale, where Gaussian noise has sqrt(d) sigma: small d, or epsilon
 * above 1, suit it. No claim about time is made. The proof is at the head of
 * modules/l2ball/mechanism.h, the construction of the noise in modules/l2ball/noise.h.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_L2BALL_H
#define DPPAIR_L2BALL_H

#ifndef DPPAIR_WITH_L2BALL /* beside modules like this one it is defined before them */
#define DPPAIR_WITH_L2BALL
#endif

#include "dppair_noise.h"
#include "dppair_accountant.h"

#ifndef DPPAIR_KNOWS_L2BALL_
#error "include dppair_l2ball.h first, or define DPPAIR_WITH_L2BALL before all headers"
#endif

#include "core/freestanding.h"

#include "core/quick.h"
DPPAIR_LIBM_BEGIN_

#include "modules/l2ball/mechanism.h"

DPPAIR_FP_END_
#include "core/quick_end.h"
DPPAIR_FP_BEGIN_

#include "modules/l2ball/noise.h"

DPPAIR_FP_END_

#include "core/freestanding_end.h"

#endif /* DPPAIR_L2BALL_H */
#endif /* DPPAIR_DECLARE_ONLY */
