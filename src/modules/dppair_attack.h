/* SPDX-License-Identifier: MIT */
/*
 * dppair_attack.h - what an account means: the best attack on it (version 0.1.0)
 *
 * Epsilon and delta tell few people what was promised. This module says what an attacker who knows
 * all records but one can do with everything that an account paid for: his best ROC curve, how often
 * he is right, what he believes after a look, and the Gaussian mechanism that the account is as good
 * as. Every figure has both ends, proved.
 *
 *     #include "dppair_attack.h"               includes dppair_accountant.h
 *
 *     if (dppair_composer_workspace(&bytes, &a) != DPPAIR_OK) return 1;
 *     if (dppair_composer_init(&composer, malloc(bytes), bytes) != DPPAIR_OK) return 1;
 *     if (dppair_attack_accuracy(&right, &a, 0.5, &composer) != DPPAIR_OK) return 1;
 *     printf("at most %.4f of his guesses are right\n", right.upper);
 *
 * FUNCTIONS
 *   dppair_attack_curve      the best rate of true positives at some rates of false positives
 *   dppair_attack_accuracy   how often the best guess of which data set it was is right
 *   dppair_attack_bayes      the factor between his odds before and after, and the posterior
 *   dppair_attack_fit        the smallest mu of a Gaussian mechanism that covers the account
 *
 * Errors. Those of dppair_accountant_epsilon; outputs are zeroed first.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_ATTACK_H
#define DPPAIR_ATTACK_H

#include "dppair_accountant.h"

#include "core/freestanding.h"
#include "core/quick.h"
DPPAIR_LIBM_BEGIN_

#include "modules/attack/curve.h"

#include "modules/attack/gaussian.h"

DPPAIR_FP_END_
#include "core/quick_end.h"
#include "core/freestanding_end.h"

#endif /* DPPAIR_ATTACK_H */
#endif /* DPPAIR_DECLARE_ONLY */
