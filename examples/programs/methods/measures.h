/* SPDX-License-Identifier: MIT */
/*
 * measures.h - the methods that learn a metric, whose model's theta is W, d rows of d numbers,
 * symmetric and positive semidefinite, first (its score is of no use); and what experiments measure beside
 * AUC. Measures read test or training records: none of them is private.
 */
#ifndef MEASURES_H
#define MEASURES_H

#include "methods/method.h"

/* The list, ended by NULL; and one of them by name, or NULL. */
extern const method *const metric_methods[];
const method *metric_find(const char *name);

/* Where the method gd starts, and what it reaches without noise in 200 steps: W, d x d. */
dppair_status metric_start(double *w, const task *t) DPPAIR_MUST_CHECK;
dppair_status metric_reference(double *w, const task *t) DPPAIR_MUST_CHECK;

/* The mean loss under W of the pairs of rows, clipped as the task's are; reads the rows. */
dppair_status metric_risk(double *risk, const double *w, const records *rows,
                          const task *t) DPPAIR_MUST_CHECK;

/* Share of test records whose label 3-NN gets right, with the training records as neighbours under
 * W, all clipped to the radius. The neighbours are raw records: whatever W is, a predictor that
 * keeps them is not private. */
enum { NEIGHBOURS = 3 };
dppair_status metric_neighbours(double *accuracy, const double *w, double radius,
                                const split *part) DPPAIR_MUST_CHECK;
/* The same for a model, at the place where it puts rows; 0 where it cannot be computed. And the mean
 * loss of pairs of test records there. */
double metric_accuracy(const model *m, const split *part);
dppair_status metric_model_risk(double *risk, const model *m, const records *rows,
                                const task *t) DPPAIR_MUST_CHECK;

/* How far W is from the nearest multiple of the identity, in units of its own Frobenius norm: 0 is
 * such a multiple, 1 - 1/d the square of what a single direction has. W is released: no record is
 * read. */
double metric_distance_to_identity(const double *w, size_t d);

/* Share of test records whose label is the sign of the score. */
double sign_accuracy(const model *m, const split *part);

/* Mean logistic loss on the training records above the smallest one that a linear score with an
 * intercept reaches. */
double optimality_gap(const model *m, const split *part);

#endif /* MEASURES_H */
