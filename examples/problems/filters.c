/* SPDX-License-Identifier: MIT */
/*
 * filters - noise that follows what was released, within a budget that is asked before each step.
 *
 *     cc -O1 -I. -Imodules examples/problems/filters.c -lm && ./a.out        from the top folder
 *
 * A linear score ranks patients with diabetes above others (examples/data/pima.csv). The first steps
 * are cheap and rough. Once a gradient is no longer than its noise, the next ones get less of it: how
 * many steps there are, and what each costs, is decided on the way. The filter ends the run.
 *
 * public      how many patients there are, the columns' ranges, start, the rule
 * neighbours  one patient is replaced; (epsilon, delta) = (2, 1e-5)
 */
#include "dppair_filters.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

enum { ALL = 768, N = 512, D = 8 };
static const double low[D] = {0, 40, 40, 5, 0, 15, 0, 20};
static const double high[D] = {12, 250, 120, 60, 400, 60, 1.5, 80};
static const double rate = 10.0, rough = 0.04, finer = 0.8, pairs = (double)N * (N - 1);
static double x[ALL][D], y[ALL], w[D], factor[N], work[4 * N + 64];
static size_t positives; /* of the first N, which stand in front */

/* Descends until the filter is used up, or with NULL for 100 steps without noise. */
static dppair_status descend(int *steps, dppair_filter *filter, dppair_rng *rng) {
  static const dppair_bounds bounds = {1.0, HUGE_VAL, 0.0, 0.0, 0.0}; /* rows within 1, w anywhere */
  static dppair_options options;
  const dppair_sampling all = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  double g[D], move = 0.0, sigma = rough, spend;
  dppair_rows_f64 rows;
  dppair_status s = dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1.0); /* now |x_i| <= 1 */
  rows.positives = positives;
  options.work = work, options.bytes = sizeof work;
  memset(w, 0, sizeof w);
  if (!s) s = rank_sensitivity(&move, D, &bounds, &all, &options); /* of a gradient as it is computed */
  for (*steps = 0; !s && (filter || *steps < 100); ++*steps) {
    spend = move / sigma * (move / sigma) * (1.0 + 1e-12);
    if (filter) s = dppair_filter_step(filter, spend); /* before records are read */
    if (s) break;
    s = rank_gradient(g, &rows, w, &options);
    for (int k = 0; k < D; k++) g[k] /= pairs;
    if (!s && filter) s = dppair_add_gaussian_f64(g, D, sigma, rng); /* now g may be published */
    for (int k = 0; k < D && !s; k++) w[k] -= rate * g[k];
    if (dppair_norm_f64(g, D) < 3.0 * sigma) sigma *= finer; /* three times: |noise| is about that in D = 8 */
  }
  return filter && s == DPPAIR_ERR_EXHAUSTED ? DPPAIR_OK : s;
}

static dppair_status print_auc_not_private(const char *name) {
  static double room[16 * ALL];
  double up[ALL], down[ALL], auc = 0.5;
  size_t ups = 0, downs = 0;
  for (int i = N; i < ALL; i++) {
    double score = 0.0;
    for (int k = 0; k < D; k++) score += w[k] * x[i][k];
    if (y[i] > 0.0) up[ups++] = score;
    else down[downs++] = score;
  }
  const dppair_status s = dppair_auc_not_private_f64(&auc, up, ups, down, downs, room, sizeof room);
  if (!s) printf("%-28s %.3f\n", name, auc);
  return s;
}

/* A header; then label,eight numbers. Scaled to [-1, 1]. 0: no such data. */
static int load(FILE *file) {
  if (file == NULL || fscanf(file, "%*[^\n]") != 0) return 0;
  for (int i = 0; i < ALL; i++) {
    if (fscanf(file, "%lf", &y[i]) != 1) return 0;
    for (int k = 0; k < D; k++) {
      if (fscanf(file, ",%lf", &x[i][k]) != 1) return 0;
      x[i][k] = 2.0 * (fmin(fmax(x[i][k], low[k]), high[k]) - low[k]) / (high[k] - low[k]) - 1.0;
    }
  }
  for (int i = 0; i < N; i++) { /* positives first */
    double row[D], label = y[i];
    if (!(label > 0.0)) continue;
    memcpy(row, x[i], sizeof row), memcpy(x[i], x[positives], sizeof row);
    memcpy(x[positives], row, sizeof row), y[i] = y[positives], y[positives++] = label;
  }
  return fclose(file) == 0;
}

int main(int argc, char **argv) {
  static uint8_t key[32];
  dppair_rng rng;
  dppair_filter filter;
  int steps = 0, others;
  dppair_status s = dppair_rng_from_os(&rng);
  if (argc == 3 && strcmp(argv[1], "--seed") == 0)
    key[0] = (uint8_t)atoi(argv[2]), s = dppair_rng_from_key(&rng, key, 0),
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  else if (argc > 1)
    return fputs("usage: filters [--seed 0..255]\n", stderr), 2;
  if (!load(fopen("examples/data/pima.csv", "r")))
    return fputs("filters: no examples/data/pima.csv\n", stderr), 1;
  printf("%-28s AUC of %d other patients\n", "", ALL - N);
  if (!s) s = print_auc_not_private("no data");
  if (!s) s = dppair_filter_init(&filter, 2.0, 1e-5, 0.0);
  if (!s) s = descend(&steps, &filter, &rng);
  dppair_wipe(&rng, sizeof rng);
  if (!s) s = print_auc_not_private("private");
  if (!s) s = descend(&others, NULL, NULL);
  if (!s) s = print_auc_not_private("not private");
  if (s) return fprintf(stderr, "filters: %s\n", dppair_status_string(s)), 1;
  printf("steps, as they came           %d\n"
         "guarantee: (epsilon, delta) = (2, 1e-5) if one of %d patients is replaced,\n"
         "whatever the steps were\n"
         "public: their number, ranges of columns, start, the rule\n"
         "Figures of AUC are not private, nor is the choice of the rule, made on this data.\n",
         steps, N);
  return fflush(stdout) != 0 || ferror(stdout);
}
