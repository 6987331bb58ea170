/* SPDX-License-Identifier: MIT */
/*
 * dppair_tables.h - private histograms of all columns, and what they say (version 0.1.0)
 *
 * One paid release of a plan releases the histogram of every column of a table, by class if wanted,
 * and the number of positive labels. What is made of them afterwards costs nothing: quantiles,
 * means, moments by class, scores of one column each, an estimate that takes the noise off.
 *
 *     #include "dppair_tables.h"               includes dppair.h, _noise.h and _accountant.h
 *
 *     const dppair_marginals query = {columns, d, 24, 0.9, 4.0, 1.0};      public; smoothed
 *     s = dppair_marginals_layout(start, &query);                          v[start[j]] on: column j
 *     s = dppair_release_open(&release, &account, &plan, NULL);            plan.steps = 1
 *     s = dppair_release_marginals(v, start[d + 1], &release, &query, x, y, NULL, n, work, bytes);
 *
 * FUNCTIONS
 *   release    dppair_release_marginals, dppair_marginals_layout _workspace _sensitivity
 *              dppair_label_weight     dppair_smoothing_matrix _workspace: less noise in sums
 *   cells      dppair_cells_make _find _quantile     dppair_knots_find _between
 *   estimate   dppair_marginals_estimate _estimate_workspace: the counts that the noise hides
 *   by class   dppair_marginals_classes     dppair_class_curve: a score of one column
 *   shrink     dppair_shrink_f64 _sparse_f64 _workspace: any released vector, against its noise
 *   types      dppair_column  dppair_column_kind  dppair_marginals  dppair_cells
 *
 * Errors. Those of dppair_release_vector about the release, and of public arguments, before a
 * record is read; outputs are zeroed. The proof is at the head of modules/tables/marginals.h,
 * below.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_TABLES_H
#define DPPAIR_TABLES_H

#include "dppair_accountant.h"
#include "dppair_noise.h"

#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair.h"
#undef DPPAIR_NO_TEMPLATE_

#include "core/freestanding.h"

#include "modules/tables/smoothing.h"
#include "modules/tables/marginals.h"
#include "modules/tables/estimate.h"
#include "modules/tables/classes.h"
#include "modules/tables/shrinkage.h"

#include "core/freestanding_end.h"

#endif /* DPPAIR_TABLES_H */
#endif /* DPPAIR_DECLARE_ONLY */
