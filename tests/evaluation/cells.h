/* SPDX-License-Identifier: MIT */
/* A cell of a table: how often intervals cover the truth and how wide they are, over simulated test
 * sets; beside it the interval that spends nothing, on the same sets. */
#ifndef EVALUATION_CELLS_H
#define EVALUATION_CELLS_H

#include <stdlib.h>
#include <string.h>

#include "dppair_accountant.h"
#include "dppair_noise.h"
#include "dppair.h"
#include "dppair_evaluation.h"

#include "expected.h"
#include "laws.h"

/* Sums over runs, of one kind of interval; with[0]: those of its width times the other's. */
typedef struct tally {
  double runs, covered, width, square, with;
} tally;

typedef struct cell {
  tally at[BUDGETS], free; /* the private intervals, and the one that spends nothing */
} cell;

static inline void tally_add(tally *t, interval i, double truth, double other) {
  const double width = i.upper - i.lower;
  t->runs++;
  t->covered += covers(i, truth);
  t->width += width;
  t->square += width * width;
  t->with += width * other;
}

static inline double coverage(const tally *t) { return t->covered / t->runs; }
static inline double mean_width(const tally *t) { return t->width / t->runs; }
static inline double width_error(const tally *t) { /* standard error of the mean width */
  const double mean = mean_width(t);
  return sqrt(fmax(0, t->square / t->runs - mean * mean) / t->runs);
}

/* Mean width over the mean width of the free interval, and its standard error (delta method). */
static inline double ratio(const tally *t, const tally *f) { return t->width / f->width; }
static inline double ratio_error(const tally *t, const tally *f) {
  const double n = t->runs, r = ratio(t, f), w = t->width / n, d = f->width / n;
  const double variance =
      (t->square / n - w * w) - 2 * r * (t->with / n - w * d) + r * r * (f->square / n - d * d);
  return sqrt(fmax(0, variance) / n) / d;
}

/* Differences in standard errors of the difference: both figures come from `runs` runs, and the
 * expected one is printed in steps of `step`. */
static inline double coverage_score(const tally *t, double wanted) {
  const double p = (t->covered + t->runs * wanted + 1) / (2 * t->runs + 2), step = 0.001;
  return (coverage(t) - wanted) / sqrt(2 * p * (1 - p) / t->runs + step * step / 12);
}
static inline double figure_score(double value, double error, double wanted, double step) {
  return (value - wanted) / sqrt(2 * error * error + step * step / 12);
}

/* --- running ------------------------------------------------------------------------------------
 */

/* An open plan of `runs` evaluations at each budget, delta 0: Laplace; keys that follow from seed.
 * It simulates: the accounts are never asked. */
typedef struct bench {
  dppair_accountant account[BUDGETS];
  dppair_release release[BUDGETS];
  void *work;
  size_t bytes, n;
} bench;

static inline void bench_close(bench *b) {
  int k;
  for (k = 0; k < BUDGETS; k++) dppair_release_close(&b->release[k]);
  free(b->work);
}

static inline dppair_status bench_open(bench *b, size_t n, size_t cells, size_t runs, double delta,
                                       uint64_t seed) {
  uint8_t key[32] = "simulated evaluations", nonce[DPPAIR_NONCE_SIZE] = "a table";
  const dppair_release_keys keys = {key, nonce};
  dppair_status status = dppair_evaluate_workspace(&b->bytes, n, cells);
  int k;
  b->n = n;
  b->work = malloc(b->bytes);
  if (b->work == NULL) return DPPAIR_ERR_OVERFLOW;
  for (k = 0; k < BUDGETS && status == DPPAIR_OK; k++) {
    dppair_plan plan;
    double mu = budget[k];
    memset(&plan, 0, sizeof plan);
    if (delta > 0) status = dppair_gaussian_mu(&mu, budget[k], delta);
    plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
    plan.noise = delta > 0 ? DPPAIR_GAUSSIAN : DPPAIR_LAPLACE;
    plan.steps = runs;
    plan.noise_multiplier = 1 / mu;
    memcpy(key + 22, &seed, sizeof seed);
    key[30] = (uint8_t)k;
    if (status == DPPAIR_OK) status = dppair_accountant_init(&b->account[k]);
    if (status == DPPAIR_OK)
      status = dppair_release_open(&b->release[k], &b->account[k], &plan, &keys);
  }
  return status;
}

/* The AUC of `runs` test sets of n records, each positive with probability pi. */
static inline dppair_status run_auc(cell *c, size_t n, double pi, const score_source *source,
                                    size_t runs, double delta, uint64_t seed) {
  static bench b;
  double *s = malloc(2 * n * sizeof *s), *y = s + n;
  const double z = phi_inverse(0.975);
  dppair_status status = s == NULL ? DPPAIR_ERR_OVERFLOW : bench_open(&b, n, 0, runs, delta, seed);
  size_t r, i;
  int k;
  memset(c, 0, sizeof *c);
  random_state = seed;
  for (r = 0; r < runs && status == DPPAIR_OK; r++) {
    const size_t p = draw_scores(s, n, pi, source);
    const interval d = delong(s, n, p, z);
    for (i = 0; i < n; i++) y[i] = i < p;
    tally_add(&c->free, d, source->auc, d.upper - d.lower);
    for (k = 0; k < BUDGETS && status == DPPAIR_OK; k++) {
      dppair_evaluation v;
      interval got;
      status = dppair_evaluate_auc(&v, &b.release[k], s, y, n, NULL, b.work, b.bytes);
      got.lower = v.lower;
      got.upper = v.upper;
      tally_add(&c->at[k], got, source->auc, d.upper - d.lower);
    }
  }
  bench_close(&b);
  free(s);
  return status;
}

/* Kendall's tau of n records of a bivariate normal law of correlation rho; beside it U +- z times
 * the jackknife's deviation. */
static inline dppair_status run_kendall(cell *c, size_t n, double rho, size_t runs, uint64_t seed) {
  static bench b;
  double *s = malloc(2 * n * sizeof *s), *t = s + n;
  const double z = phi_inverse(0.975), tau = asin(rho) / 1.5707963267948966;
  dppair_status status = s == NULL ? DPPAIR_ERR_OVERFLOW : bench_open(&b, n, 0, runs, 0, seed);
  size_t r, i, j;
  int k;
  memset(c, 0, sizeof *c);
  random_state = seed;
  for (r = 0; r < runs && status == DPPAIR_OK; r++) {
    double sum = 0, square = 0, m = (double)n, half;
    interval d;
    for (i = 0; i < n; i++) {
      s[i] = normal();
      t[i] = rho * s[i] + sqrt(1 - rho * rho) * normal();
    }
    for (i = 0; i < n; i++) {
      int row = 0;
      for (j = 0; j < n; j++) row += ((s[i] > s[j]) == (t[i] > t[j])) ? 1 : -1;
      row -= 1; /* itself */
      sum += row / (m - 1);
      square += (row / (m - 1)) * (row / (m - 1));
    }
    half = z * 2 * sqrt((m - 1) * fmax(0, square / m - sum * sum / (m * m))) / (m - 2);
    d.lower = sum / m - half;
    d.upper = sum / m + half;
    tally_add(&c->free, d, tau, 2 * half);
    for (k = 0; k < BUDGETS && status == DPPAIR_OK; k++) {
      dppair_evaluation v;
      interval got;
      status = dppair_evaluate_kendall(&v, &b.release[k], s, t, n, NULL, b.work, b.bytes);
      got.lower = v.lower;
      got.upper = v.upper;
      tally_add(&c->at[k], got, tau, 2 * half);
    }
  }
  bench_close(&b);
  free(s);
  return status;
}

/* Bands of ROC curves: how many hold all points of the population's curve at the thresholds, and
 * the mean half widths of their rates of true and of false positives. */
typedef struct bands {
  double runs, covered, true_half, false_half;
} bands;

enum { BAND_POINTS = 9 };

/* The deciles of all scores of the law. */
static inline void deciles(double threshold[BAND_POINTS], double pi, double distance) {
  int j;
  for (j = 0; j < BAND_POINTS; j++) {
    double low = -10, high = 20;
    while (high - low > 1e-9) {
      const double x = 0.5 * (low + high);
      *((1 - pi) * phi(x) + pi * phi(x - distance) < 0.1 * (j + 1) ? &low : &high) = x;
    }
    threshold[j] = low;
  }
}

static inline void bands_add(bands *b, const dppair_roc_point *at, double distance) {
  int j, holds = 1;
  for (j = 0; j < BAND_POINTS; j++) {
    const double up = 1 - phi(at[j].threshold - distance), off = 1 - phi(at[j].threshold);
    holds = holds && at[j].true_lower <= up && up <= at[j].true_upper && at[j].false_lower <= off &&
            off <= at[j].false_upper;
    b->true_half += (at[j].true_upper - at[j].true_lower) / (2 * BAND_POINTS);
    b->false_half += (at[j].false_upper - at[j].false_lower) / (2 * BAND_POINTS);
  }
  b->covered += holds;
  b->runs++;
}

/* `runs` binormal test sets at these thresholds. */
static inline dppair_status run_roc(bands c[BUDGETS], size_t n, double pi, double auc, size_t runs,
                                    uint64_t seed) {
  static bench b;
  const score_source source = source_make(BINORMAL, auc);
  double *s = malloc(2 * n * sizeof *s), *y = s + n, threshold[BAND_POINTS];
  dppair_status status =
      s == NULL ? DPPAIR_ERR_OVERFLOW : bench_open(&b, n, BAND_POINTS, runs, 0, seed);
  size_t r, i;
  int k;
  memset(c, 0, BUDGETS * sizeof *c);
  deciles(threshold, pi, source.distance);
  random_state = seed;
  for (r = 0; r < runs && status == DPPAIR_OK; r++) {
    const size_t p = draw_scores(s, n, pi, &source);
    for (i = 0; i < n; i++) y[i] = i < p;
    for (k = 0; k < BUDGETS && status == DPPAIR_OK; k++) {
      dppair_roc_point at[BAND_POINTS];
      status = dppair_evaluate_roc(at, NULL, &b.release[k], s, y, n, threshold, BAND_POINTS, NULL,
                                   b.work, b.bytes);
      bands_add(&c[k], at, source.distance);
    }
  }
  bench_close(&b);
  free(s);
  return status;
}

#endif
