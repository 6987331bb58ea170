/* SPDX-License-Identifier: MIT */
/*
 * marginals.h - from declared ranges to bounded, centred, comparable features, privately: the first
 * release of dppair_auto.h, and its maps, for methods that go on otherwise.
 *
 * One release of all one-dimensional histograms (numeric columns) and rates (flags, groups) tells
 * where the records really lie, and everything after it is free: denoising, monotone maps z_j, a
 * norm to clip to.
 */
#ifndef MARGINALS_H
#define MARGINALS_H

#include "methods/method.h"

enum { MAP_KNOTS = 52 };

/* One column's map, all of it released: z is linear between the knots and constant outside, and
 * |z| <= 1. Numbers only, so that it can live in theta. */
typedef struct feature_map {
  double knots, square; /* square: mean of z^2 under the released distribution */
  double at[MAP_KNOTS], z[MAP_KNOTS];
} feature_map;

/* The maps of the task's columns, one each, and an estimate of the share of positive records: mu or
 * (delta = 0) epsilon = budget of what s may spend. Neighbours differ in one replaced record. */
dppair_status marginals_release(feature_map *maps, double *rate, spending *s,
                                double budget) DPPAIR_MUST_CHECK;

double map_apply(const feature_map *m, double x);

/* z of all rows, n x d. */
void maps_apply(double *z, const feature_map *maps, const records *rows);

/* sqrt of the sum of mean z_j^2, at least sqrt(0.05): the length of a typical mapped row. */
double maps_length(const feature_map *maps, size_t d);

/* Prints "at": [..], "z": [..]. */
void map_print(FILE *file, const feature_map *m);

/* The declared columns as the headers take them. */
void columns_declared(dppair_column *columns, const feature *features, size_t d);

#endif /* MARGINALS_H */
