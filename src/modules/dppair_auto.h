/* SPDX-License-Identifier: MIT */
/*
 * dppair_auto.h - a private ranking score, without choices (version 0.1.0)
 *
 * You declare the kind and the range of each column. The fit learns a score that ranks positive
 * records above negative ones, a sum over the columns:
 *
 *   score(x) = sum_j f_j(x_j),      f_j linear between knots and constant outside of them
 *
 * It makes two releases and charges both before it reads a record. Public numbers, or what was
 * released, decide everything else. Neighbours differ in one replaced record.
 *
 *     #include "dppair_auto.h"                 includes dppair_tables.h and what that includes
 *
 *     static const dppair_column columns[2] = {{DPPAIR_COLUMN_NUMERIC, 18, 90, 0, 0},    age
 *                                              {DPPAIR_COLUMN_FLAG, 0, 0, 0, 0}};        smokes
 *     dppair_auto_map map[2];
 *     model.map = map;
 *     plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);          plan was all zero
 *     plan.epsilon = 1.0, plan.delta = 1e-6;
 *     s = dppair_accountant_init(&account);
 *     if (!s) s = dppair_auto_workspace(&bytes, n, 2, columns);            of work, for n records
 *     if (!s) s = dppair_auto_fit(&model, &account, &plan, NULL, x, y, n, 2, columns, work, bytes);
 *     if (!s) s = dppair_auto_score(&score, &model, record, 1);            one record: 2 numbers
 *
 * x has n rows of 2 numbers, and a record is positive where y > 0. `model` and `map` are released:
 * you may publish them. A score also tells of the record that it belongs to.
 *
 * FUNCTIONS
 *   fit       dppair_auto_fit, dppair_auto_workspace: n from 4 to 10^9, d from 1 to 10^5
 *   use       dppair_auto_score
 *   warnings  dppair_auto_warning_string: what a bit of model.warnings or map[j].warnings means
 *   text      dppair_auto_write, dppair_auto_read: a model as JSON, and back to the same bits
 *   types     dppair_auto_model  dppair_auto_map  dppair_auto_route
 *
 * At delta = 0 the second release has the noise of dppair_l2ball.h. Include that header before all
 * others; without it delta = 0 is refused with DPPAIR_ERR_MODULE, before anything is charged.
 *
 * Errors. Wrong public arguments, and an account without enough left, are found before anything is
 * charged. No value of a record is an error. An error leaves the model and its maps zero.
 *
 * No function allocates: you pass the workspace. The proof is at the head of modules/auto/fit.h,
 * below.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_AUTO_H
#define DPPAIR_AUTO_H

#include "dppair_tables.h"

#include "core/freestanding.h"
#include "core/quick.h"

#include "modules/auto/model.h"
#include "modules/auto/maps.h"
#include "modules/auto/choice.h"

#include "core/quick_end.h"

#include "modules/auto/columns.h"
#include "modules/auto/weights.h"
#include "modules/auto/score.h"

#include "core/quick.h"

#include "modules/auto/fit.h"
#include "modules/auto/text.h"

#include "core/quick_end.h"
#include "core/freestanding_end.h"

#endif /* DPPAIR_AUTO_H */
#endif /* DPPAIR_DECLARE_ONLY */
