/* SPDX-License-Identifier: MIT */
/*
 * metrics.h - the methods that learn a metric. Their model's theta is W, d rows of d numbers,
 * symmetric and positive semidefinite; its score is of no use.
 */
#ifndef METRICS_H
#define METRICS_H

#include "methods/method.h"

/* The list, ended by NULL; and one of them by name, or NULL. */
extern const method *const metric_methods[];
const method *metric_find(const char *name);

/* Share of test records whose label 3-NN gets right, with the training records as neighbours under
 * model->theta (NULL model: the identity). The neighbours are raw records: whatever W is, a predictor
 * that keeps them is not private. */
double metric_accuracy(const model *m, const split *part);

#endif /* METRICS_H */
