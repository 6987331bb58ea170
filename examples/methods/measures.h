/* SPDX-License-Identifier: MIT */
/*
 * measures.h - the methods that learn a metric, whose model's theta is W, d rows of d numbers,
 * symmetric and positive semidefinite (its score is of no use); and what experiments measure beside
 * AUC. Measures read test or training records: none of them is private.
 */
#ifndef MEASURES_H
#define MEASURES_H

#include "methods/method.h"

/* The list, ended by NULL; and one of them by name, or NULL. */
extern const method *const metric_methods[];
const method *metric_find(const char *name);

/* Share of test records whose label 3-NN gets right, with the training records as neighbours under
 * W, all clipped to the model's radius. The neighbours are raw records: whatever W is, a predictor
 * that keeps them is not private. */
double metric_accuracy(const model *m, const split *part);

/* Share of test records whose label is the sign of the score. */
double sign_accuracy(const model *m, const split *part);

/* Mean logistic loss on the training records above the smallest one that a linear score with an
 * intercept reaches. */
double optimality_gap(const model *m, const split *part);

#endif /* MEASURES_H */
