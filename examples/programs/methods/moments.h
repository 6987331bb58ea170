/* SPDX-License-Identifier: MIT */
/*
 * moments.h - what methods share that release moments of rows: the rows, their sums, and a linear
 * system that noise may have left indefinite.
 */
#ifndef MOMENTS_H
#define MOMENTS_H

#include "methods/marginals.h"
#include "methods/method.h"

/* The second moment is held as m (m + 1)/2 coordinates of an orthonormal basis of the symmetric
 * matrices (off-diagonals times sqrt 2), times this, beside first moments of the same rows. */
#define MOMENT_SCALE 1.4142135623730951
/* The constant column of a regression, in units of the radius that rows are clipped to. */
#define MOMENT_CONSTANT 0.3

/* Where rows come from: the declared columns as they are scaled, or the maps of a first release. */
typedef enum moment_source { FROM_RANGES, FROM_MAPS } moment_source;

/* n rows of m numbers in the unit ball: the columns over the radius that they are clipped to and,
 * where a method asks for it, a constant one. */
typedef struct moment_rows {
  size_t n, m;
  double *u;   /* malloc'ed                                                          */
  double *w;   /* of the model: its d weights, which score the columns               */
  double left; /* what the first release left of mu (delta = 0: of epsilon)          */
} moment_rows;

/* Rows of the task of s, and a model that scores by weights of its columns. From maps: these are
 * released first, with a quarter of mu^2 (delta = 0: .35 of epsilon), and rows are clipped to .65
 * of a typical mapped row's length; else to task_radius. SIZE beyond SOLVER_COLUMNS. */
dppair_status moment_rows_take(moment_rows *r, model *out, moment_source source, double constant,
                               spending *s) DPPAIR_MUST_CHECK;

/* n rows z of d numbers, clipped to radius, into u: d numbers and, unless it is 0, a constant. */
dppair_status moment_rows_make(double *u, const double *z, size_t n, size_t d, double radius,
                               double constant) DPPAIR_MUST_CHECK;

/* v[m] += sum of weight_i u_i; v[m(m+1)/2] += MOMENT_SCALE times sum of u_i u_i^T, packed. */
void moments_first(double *v, const double *weight, const double *u, size_t n, size_t m);
void moments_second(double *v, const double *u, size_t n, size_t m);
/* The lower triangle of the matrix that v packs, plus ridge I: a[m][m]. */
void moments_unpack(double *a, const double *v, size_t m, double ridge);

/* x = (A + ridge I)^-1 x for the A that v packs, the ridge doubled until this is positive definite.
 */
dppair_status moments_solve(double *x, const double *v, size_t m, double ridge) DPPAIR_MUST_CHECK;

/* What rounding adds to how far a sum over n unit rows moves: twice (n + 8) 2^-53 n. */
double moments_rounding(size_t n);

#endif /* MOMENTS_H */
