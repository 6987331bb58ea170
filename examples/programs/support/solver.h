/* SPDX-License-Identifier: MIT */
/*
 * solver.h - fits that read the data: yardsticks, and the methods' limit of columns.
 */
#ifndef SOLVER_H
#define SOLVER_H

#include "dppair.h"
#include "support/data.h"

/* Methods refuse to factor matrices of more columns, a public number: it takes too long. */
enum { SOLVER_COLUMNS = 4000 };

/* dppair_minimiser_not_private from w on, with rows u (p->n x p->d, one after the other, labels
 * multiplied in) and memory of its own. */
dppair_status fit_minimise(double *w, const double *u, const dppair_margin_problem *p,
                           const double *b,
                           const dppair_margin_tolerance *tolerance) DPPAIR_MUST_CHECK;

/* The non-private yardstick: logistic regression with an intercept and a small ridge on
 * standardised columns of x; w has d numbers and scores x. Reads the data: covered by no guarantee.
 */
dppair_status reference_fit(double *w, const records *train) DPPAIR_MUST_CHECK;

#endif /* SOLVER_H */
