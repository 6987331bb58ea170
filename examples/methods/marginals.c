/* SPDX-License-Identifier: MIT */
/*
 * One release. The vector of all cell counts and column counts changes, when one record is
 * replaced, by: -1 in one cell and +1 in another for each numeric column and for each group (a
 * record counts in the first set column of a group only), +-1 or 0 for each single flag and for the
 * count of positive labels. With q = 2 (#numeric + #groups) + #flags + 1 the l2 change is at most
 * sqrt(q) and the l1 change at most q, so noise N(0, q/mu^2) per count is mu-GDP and Laplace noise
 * of scale q/epsilon is epsilon-DP. Counts are integers below 2^53: no rounding enters before the
 * noise.
 */
#include "methods/marginals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- cells ------------------------------------------------------------------------------------ */

void cell_grid_make(cell_grid *g, double low, double high) {
  const double growth = log(1001.0); /* the widest cell is about 300 times the narrowest */
  double shift = low > 0 ? low : high < 0 ? high : 0, side[MAP_CELLS + 1];
  double reach = fmax(fabs(low - shift), fabs(high - shift));
  size_t i, k = 0;
  for (i = 0; i <= MAP_CELLS; i++) side[i] = reach * expm1((double)i / MAP_CELLS * growth) / 1000;
  side[MAP_CELLS] = reach;
  for (i = MAP_CELLS + 1; i-- > 1;) /* the mirror image, cut at low */
    if (side[i - 1] < shift - low) g->edge[k++] = fmax(low, shift - side[i]);
  g->zero = k;
  g->edge[k++] = shift;
  for (i = 1; i <= MAP_CELLS && side[i - 1] < high - shift; i++)
    g->edge[k++] = fmin(high, shift + side[i]);
  g->cells = k - 1;
  if (g->zero == g->cells) g->zero--; /* the range ends at zero */
}

size_t cell_of(const cell_grid *g, double x) {
  size_t low = 0, high = g->cells;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (x < g->edge[middle])
      high = middle;
    else
      low = middle;
  }
  return low;
}

/* --- denoising -------------------------------------------------------------------------------- */

/* The nearest point with entries >= 0 that sum to 1. */
static void simplex_project(double *h, size_t n) {
  double sorted[MAP_KNOTS], sum = 0, cut = 0;
  size_t i, j;
  memcpy(sorted, h, n * sizeof *h);
  for (i = 1; i < n; i++) { /* descending */
    double v = sorted[i];
    for (j = i; j > 0 && sorted[j - 1] < v; j--) sorted[j] = sorted[j - 1];
    sorted[j] = v;
  }
  for (i = 0; i < n; i++) {
    sum += sorted[i];
    if (sorted[i] - (sum - 1) / (double)(i + 1) > 0) cut = (sum - 1) / (double)(i + 1);
  }
  for (i = 0; i < n; i++) h[i] = fmax(0, h[i] - cut);
}

/* Mass of N(centre, width^2) in each cell, in units of cells, normalised. */
static void bell(double *t, size_t n, double centre, double width) {
  double total = 0, left = erf(-centre / (width * sqrt(2.0)));
  size_t i;
  for (i = 0; i < n; i++) {
    double right = erf(((double)(i + 1) - centre) / (width * sqrt(2.0)));
    t[i] = right - left;
    total += t[i];
    left = right;
  }
  for (i = 0; i < n; i++) t[i] /= total;
}

/* Mass of N(centre, width^2) in each cell, in units of the column, normalised; 0 when less than
 * half of it is in range. */
static int bell_in_range(double *t, const cell_grid *g, double centre, double width) {
  double total = 0, left = erf((g->edge[0] - centre) / (width * sqrt(2.0)));
  size_t i;
  for (i = 0; i < g->cells; i++) {
    double right = erf((g->edge[i + 1] - centre) / (width * sqrt(2.0)));
    t[i] = right - left;
    total += t[i];
    left = right;
  }
  if (total < 1) return 0;
  for (i = 0; i < g->cells; i++) t[i] /= total;
  return 1;
}

/* The posterior over a family of templates, given a noisy histogram. */
typedef struct posterior {
  const double *h;
  size_t cells, zero;
  double spread;      /* variance of a cell about its template */
  double best, total; /* the largest log weight; the sum of weights, that one being 1 */
  double mean[MAP_KNOTS];
} posterior;

static void posterior_add(posterior *p, const double *t, double log_weight) {
  double weight, keep = 1;
  size_t i;
  if (log_weight > p->best) {
    keep = exp(p->best - log_weight);
    p->best = log_weight;
  }
  weight = exp(log_weight - p->best);
  p->total = p->total * keep + weight;
  for (i = 0; i < p->cells; i++) p->mean[i] = p->mean[i] * keep + weight * t[i];
}

/* Adds p0 [cell of zero] + (1 - p0) t for every p0. */
static void posterior_add_spikes(posterior *p, const double *t, double log_prior) {
  static const double spikes[] = {0, .2, .4, .6, .8, .93};
  double mixed[MAP_KNOTS];
  size_t k, i;
  for (k = 0; k < sizeof spikes / sizeof *spikes; k++) {
    double distance = 0;
    for (i = 0; i < p->cells; i++) {
      mixed[i] = (1 - spikes[k]) * t[i] + (i == p->zero ? spikes[k] : 0);
      distance += (p->h[i] - mixed[i]) * (p->h[i] - mixed[i]);
    }
    posterior_add(p, mixed, log_prior + log(k == 0 ? .5 : .1) - distance / (2 * p->spread));
  }
}

/* The posterior mean over a fixed family, then as much of the data's own deviation from it as is
 * not noise. With few bits it falls back to a smooth shape. The family: a spike at zero and a bell
 * over the cells, or where both signs are in range also a bell over the values, because one that
 * sits about zero has two humps over the cells. */
void histogram_denoise(double *h, const cell_grid *g, double sd) {
  static const double widths[] = {.35, .7, 1.4, 2.8, 5.6};
  const double tau = 0.012; /* how far real histograms are from the family */
  double t[MAP_KNOTS], centre, reach = fmax(g->edge[g->cells], -g->edge[0]), width;
  size_t w, i;
  int k;
  posterior p = {h, g->cells, g->zero, sd * sd + tau * tau, -HUGE_VAL, 0, {0}};
  for (w = 0; w < sizeof widths / sizeof *widths; w++)
    for (centre = 0; centre <= (double)p.cells; centre += w < 2 ? 0.5 : 1) {
      bell(t, p.cells, centre, widths[w]);
      posterior_add_spikes(&p, t, 0);
    }
  if (g->zero > 0 && g->zero + 1 < p.cells)
    for (width = reach; width > reach / 1000; width /= 1.5)
      for (k = -4; k <= 4; k++)
        if (bell_in_range(t, g, k / 2.0 * width, width)) posterior_add_spikes(&p, t, log(5.0));
  for (i = 0; i < p.cells; i++) {
    double mean = p.mean[i] / p.total;
    h[i] = mean + tau * tau / p.spread * (h[i] - mean);
  }
  simplex_project(h, p.cells);
}

/* --- maps ------------------------------------------------------------------------------------- */

/* Where the distribution h over the cells of g reaches the given share. */
static double quantile(const cell_grid *g, const double *h, double share) {
  double below = 0;
  size_t i;
  for (i = 0; i < g->cells; i++) {
    if (below + h[i] >= share && h[i] > 0)
      return g->edge[i] + (g->edge[i + 1] - g->edge[i]) * (share - below) / h[i];
    below += h[i];
  }
  return g->edge[g->cells];
}

/* The same with the mass at zero counted as three quarters at most: a column that is mostly zero
 * takes its scale from the rest, and the linear part still tells large values from small ones. */
static void central_range(double *a, double *b, const cell_grid *g, const double *h) {
  double capped[MAP_KNOTS], rest = 1 - h[g->zero], total;
  size_t i;
  memcpy(capped, h, g->cells * sizeof *h);
  if (rest > .005) capped[g->zero] = fmin(h[g->zero], 3 * rest);
  total = rest + capped[g->zero];
  for (i = 0; i < g->cells; i++) capped[i] /= total;
  *a = quantile(g, capped, .1);
  *b = quantile(g, capped, .9);
}

static void map_numeric(feature_map *m, const cell_grid *g, const double *h) {
  size_t i, n = g->cells;
  double below = 0, a, b;
  central_range(&a, &b, g, h);
  m->knots = (double)n;
  m->middle = a + (b - a) / 2;
  m->half = (b - a) / 2;
  for (i = 0; i < n; i++) {
    m->at[i] = g->edge[i] + (g->edge[i + 1] - g->edge[i]) / 2;
    m->rank[i] = 2 * (below + h[i] / 2) - 1;
    below += h[i];
  }
  if (n > 1) { /* outer cells are wide and thinly filled: their knot stays near the inner edge */
    m->at[0] = fmax(m->at[0], g->edge[1] - (g->edge[2] - g->edge[1]) / 2);
    m->at[n - 1] = fmin(m->at[n - 1], g->edge[n - 1] + (g->edge[n - 1] - g->edge[n - 2]) / 2);
  }
  for (i = 0; i < n; i++) m->square += h[i] * map_apply(m, m->at[i]) * map_apply(m, m->at[i]);
}

double map_apply(const feature_map *m, double x) {
  size_t n = (size_t)m->knots, low = 0, high = n - 1;
  double linear, rank;
  if (n == 0) return x - m->rate;
  linear = m->half > 0 ? (x - m->middle) / m->half / 1.5 : 0;
  linear = linear < -1 ? -1 : linear > 1 ? 1 : linear;
  if (x <= m->at[0] || n == 1)
    rank = m->rank[0];
  else if (x >= m->at[n - 1])
    rank = m->rank[n - 1];
  else {
    while (high - low > 1) {
      size_t middle = (low + high) / 2;
      if (x < m->at[middle])
        high = middle;
      else
        low = middle;
    }
    rank = m->rank[low] +
           (m->rank[high] - m->rank[low]) * (x - m->at[low]) / (m->at[high] - m->at[low]);
  }
  return (linear + rank) / 2;
}

void maps_apply(double *z, const feature_map *maps, const records *rows) {
  size_t i, j, d = rows->d;
  for (i = 0; i < rows->n; i++)
    for (j = 0; j < d; j++) z[i * d + j] = map_apply(&maps[j], rows->raw[i * d + j]);
}

double maps_length(const feature_map *maps, size_t d) {
  double sum = 0;
  size_t j;
  for (j = 0; j < d; j++) sum += maps[j].square;
  return sqrt(fmax(sum, 0.05));
}

/* --- the release ------------------------------------------------------------------------------ */

/* Adds every record's counts: numeric column j owns counts[start[j]] and on, others one count;
 * counts[start[d]] counts positive labels. */
static void count_records(double *counts, const size_t *start, const cell_grid *grids, int *seen,
                          size_t groups, const task *t) {
  size_t i, j, d = t->train.d;
  for (i = 0; i < t->train.n; i++) {
    const double *row = t->train.raw + i * d;
    memset(seen, 0, (groups + 1) * sizeof *seen);
    counts[start[d]] += t->train.y[i] > 0;
    for (j = 0; j < d; j++) {
      const feature *f = &t->features[j];
      if (f->kind == KIND_NUMERIC)
        counts[start[j] + cell_of(&grids[j], row[j])]++;
      else if (row[j] >= .5 && (f->kind == KIND_FLAG || !seen[f->group])) {
        counts[start[j]]++;
        if (f->kind == KIND_GROUP) seen[f->group] = 1;
      }
    }
  }
}

/* q of the head comment, and the number of groups. */
static size_t sensitivity_count(size_t *groups, const task *t) {
  size_t j, q = 1; /* the labels */
  int highest = -1;
  for (j = 0; j < t->train.d; j++) {
    const feature *f = &t->features[j];
    q += f->kind == KIND_NUMERIC ? 2 : f->kind == KIND_FLAG ? 1 : 0;
    if (f->kind == KIND_GROUP && f->group > highest) highest = f->group;
  }
  *groups = (size_t)(highest + 1);
  return q + 2 * *groups;
}

/* *sd = the standard deviation of the noise of each count. */
static dppair_status noise_counts(double *counts, size_t size, double *sd, size_t q, double budget,
                                  spending *s) {
  dppair_status status = spend_part(s, 1, budget, 1);
  if (status == DPPAIR_OK) status = spend_on_counts(counts, size, q, s);
  *sd = s->release.sigma * (s->release.law == DPPAIR_LAPLACE ? sqrt(2.0) : 1);
  return status;
}

/* A share of positives is drawn to a half by as much as it is noise; before, it is 0.5 +- 0.15. */
static double denoise_rate(double noisy, double sd) {
  const double spread = .15;
  double shrink = spread * spread / (spread * spread + sd * sd);
  return fmin(1, fmax(0, .5 + shrink * (noisy - .5)));
}

dppair_status marginals_release(feature_map *maps, double *rate, spending *s, double budget) {
  const task *t = s->t;
  size_t d = t->train.d, j, i, size = 0, groups, q = sensitivity_count(&groups, t);
  cell_grid *grids = calloc(d, sizeof *grids);
  size_t *start = calloc(d + 1, sizeof *start);
  int *seen = calloc(groups + 1, sizeof *seen);
  double *counts = calloc(d * MAP_KNOTS + 1, sizeof *counts), sd = 0, n = (double)t->train.n;
  dppair_status status = DPPAIR_ERR_OVERFLOW;
  memset(maps, 0, d * sizeof *maps);
  *rate = .5;
  if (grids != NULL && start != NULL && seen != NULL && counts != NULL) {
    for (j = 0; j < d; j++) {
      start[j] = size;
      if (t->features[j].kind == KIND_NUMERIC)
        cell_grid_make(&grids[j], t->features[j].low, t->features[j].high);
      size += t->features[j].kind == KIND_NUMERIC ? grids[j].cells : 1;
    }
    start[d] = size++;
    count_records(counts, start, grids, seen, groups, t);
    status = noise_counts(counts, size, &sd, q, budget, s);
    if (status == DPPAIR_OK)
      *rate = denoise_rate(counts[start[d]] / n, sd / n);
  }
  for (j = 0; j < d && status == DPPAIR_OK; j++) {
    double *h = counts + start[j];
    if (t->features[j].kind != KIND_NUMERIC) {
      maps[j].rate = fmin(1, fmax(0, h[0] / n));
      maps[j].square = maps[j].rate * (1 - maps[j].rate);
      continue;
    }
    for (i = 0; i < grids[j].cells; i++) h[i] /= n;
    histogram_denoise(h, &grids[j], sd / n);
    map_numeric(&maps[j], &grids[j], h);
  }
  free(grids);
  free(start);
  free(seen);
  free(counts);
  return status;
}
