/* SPDX-License-Identifier: MIT */
/*
 * marginals.h - from declared ranges to bounded, centred, comparable features, privately.
 *
 * Declared ranges are wide; what a score needs is where the records really lie. One release of all
 * one-dimensional histograms (numeric columns) and rates (flags, groups) tells that, and everything
 * after it is free: denoising, monotone maps z_j, a norm to clip to.
 */
#ifndef MARGINALS_H
#define MARGINALS_H

#include "methods/method.h"

enum { MAP_CELLS = 24, MAP_KNOTS = 2 * MAP_CELLS };

/* One column's map, all of it released: |z| <= 1. Numbers only, so that it can live in theta.
 * Numeric (knots > 0): z = (linear + rank)/2, where rank = 2F - 1 with the distribution function F
 * interpolated between the knots and constant outside, and linear = x about `middle`, in units of
 * `half`, cut at +-1.5 and divided by 1.5. Otherwise z = x - rate. */
typedef struct feature_map {
  double knots, middle, half, rate,
      square; /* square: mean of z^2 under the released distribution */
  double at[MAP_KNOTS], rank[MAP_KNOTS];
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

/* --- the parts, visible to tests -------------------------------------------------------------- */

/* The cells of a numeric column: edge[0..cells], finer towards zero (or towards the end of the
 * range nearer to zero); `zero` is the cell that holds that point. */
typedef struct cell_grid {
  size_t cells, zero;
  double edge[MAP_KNOTS + 1];
} cell_grid;
void cell_grid_make(cell_grid *g, double low, double high);
size_t cell_of(const cell_grid *g, double x);

/* h: g->cells relative frequencies with noise of deviation sd, replaced by an estimate on the
 * simplex. */
void histogram_denoise(double *h, const cell_grid *g, double sd);

#endif /* MARGINALS_H */
