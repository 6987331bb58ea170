/* SPDX-License-Identifier: MIT */
/*
 * dppair_evaluation.h - private evaluation of a model on test records (version 0.1.0)
 *
 * How good is a model, when the test records are private too? A figure of n private records is
 * released with noise, with an interval for the figure of the population that counts both the noise
 * and the draw of the records. It uses one paid release of a plan over all n records; neighbours
 * replace a record, n is public.
 *
 *     #include "dppair_evaluation.h"           includes dppair.h, _noise.h and _accountant.h
 *
 *     plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);          plan was all zero
 *     plan.epsilon = 1.0, plan.noise = DPPAIR_LAPLACE, plan.steps = 1;
 *     s = dppair_release_open(&release, &account, &plan, NULL);
 *     if (!s) s = dppair_evaluate_auc(&auc, &release, score, label, n, NULL, work, bytes);
 *     dppair_release_close(&release);          auc.value, auc.lower, auc.upper may be published
 *
 * FUNCTIONS
 *   dppair_evaluate_auc           the area under the ROC curve; never refuses a data set
 *   dppair_evaluate_partial_auc   of low rates of false positives; needs promised class sizes, or
 *                                 plan.failure
 *   dppair_evaluate_roc           points at public thresholds, and a band
 *   dppair_evaluate_risk          a loss over positive-negative pairs
 *   dppair_evaluate_kendall       Kendall's tau
 *   dppair_evaluate_statistic     a mean over all pairs, of a function of yours
 *   dppair_evaluate_pairs         two numbers that add up over sites
 *   dppair_evaluate_workspace     bytes of work for all of them
 *   types   dppair_evaluation  dppair_evaluate_options  dppair_roc_point
 *
 * The proofs, and what each needs: modules/evaluation/permit.h, below.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_EVALUATION_H
#define DPPAIR_EVALUATION_H

#include "dppair_accountant.h"
#include "dppair_noise.h"

#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair.h"
#undef DPPAIR_NO_TEMPLATE_

#include "core/freestanding.h"

#include "modules/evaluation/permit.h"
#include "modules/evaluation/interval.h"
#include "modules/evaluation/placements.h"
#include "modules/evaluation/auc.h"
#include "modules/evaluation/partial.h"
#include "modules/evaluation/statistic.h"
#include "modules/evaluation/roc.h"

#include "core/freestanding_end.h"

#endif /* DPPAIR_EVALUATION_H */
#endif /* DPPAIR_DECLARE_ONLY */
