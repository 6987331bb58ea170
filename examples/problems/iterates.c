/* SPDX-License-Identifier: MIT */
/*
 * iterates - descent without noise, and noise once, on what it ends with.
 *
 *     cc -O1 -I. -Imodules examples/problems/iterates.c -lm && ./a.out       from the top folder
 *
 * A linear score ranks patients with diabetes above others (examples/data/pima.csv) by descent over all
 * pairs, with a regulariser. Nobody sees a step, only the end. Steps are short enough that two
 * neighbouring runs move apart by what the gradients differ in, no more: that is the sensitivity.
 *
 * public      how many patients there are, the columns' ranges, start, steps, regulariser
 * neighbours  one patient is replaced; (epsilon, delta) = (2, 1e-5)
 */
#include "dppair_iterates.h"
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

enum { ALL = 768, N = 512, D = 8, STEPS = 10 };
static const double low[D] = {0, 40, 40, 5, 0, 15, 0, 20};
static const double high[D] = {12, 250, 120, 60, 400, 60, 1.5, 80};
static const double eta = 2.0, alpha = 0.02, far = 8.0; /* step, regulariser, the largest |w| */
static double x[ALL][D], y[ALL], w[D], factor[N], work[4 * N + 64];
static size_t positives; /* of the first N, which stand in front */

/* Descends over all pairs, and says how far one record moves what it ends with. NOT PRIVATE. */
static dppair_status descend(double *sensitivity, int steps) {
  static dppair_options options;
  static dppair_bounds bounds;
  static dppair_descent descent;
  const dppair_sampling all = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  const double smoothness = 0.25 * N / (N - 1.0) + alpha; /* of ln(1 + e^-u), |x - x'| <= 2, and |w|^2 */
  double g[D], move = 0.0;
  dppair_rows_f64 rows;
  dppair_status s = dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1.0); /* now |x_i| <= 1 */
  rows.positives = positives;
  options.work = work, options.bytes = sizeof work;
  bounds.radius = 1.0, bounds.param_radius = far;
  memset(w, 0, sizeof w);
  for (int t = 0; t < steps && !s; t++) {
    s = rank_gradient(g, &rows, w, &options);
    for (int k = 0; k < D && !s; k++) w[k] -= eta * (g[k] / ((double)N * (N - 1)) + alpha * w[k]);
    if (!s) s = dppair_project_l2_f64(w, D, far);
  }
  if (!s) s = rank_sensitivity(&move, D, &bounds, &all, &options); /* of a gradient as it is computed */
  descent.output = DPPAIR_LAST_ITERATE, descent.steps = (size_t)steps;
  descent.alpha = alpha, descent.smoothness = smoothness, descent.eta = eta;
  if (!s) s = dppair_sensitivity_descent(sensitivity, move, &descent);
  *sensitivity *= 1.0 + 1e-9; /* rounding of w: steps times 10^-14 at most */
  return s;
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
  dppair_accountant account; dppair_interval epsilon = {0}; double sensitivity = 0.0, sigma = 0.0;
  dppair_status s = dppair_rng_from_os(&rng);
  if (argc == 3 && strcmp(argv[1], "--seed") == 0)
    key[0] = (uint8_t)atoi(argv[2]), s = dppair_rng_from_key(&rng, key, 0),
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  else if (argc > 1)
    return fputs("usage: iterates [--seed 0..255]\n", stderr), 2;
  if (!load(fopen("examples/data/pima.csv", "r")))
    return fputs("iterates: no examples/data/pima.csv\n", stderr), 1;
  printf("%-28s AUC of %d other patients\n", "", ALL - N);
  if (!s) s = print_auc_not_private("no data");
  if (!s) s = descend(&sensitivity, STEPS);
  if (!s) s = dppair_gaussian_sigma(&sigma, sensitivity, 2.0, 1e-5, 1);
  if (!s) s = dppair_accountant_init(&account);
  if (!s) s = dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE);
  if (!s) s = dppair_accountant_gaussian(&account, sensitivity, sigma, 1); /* paid first */
  if (!s) s = dppair_add_gaussian_f64(w, D, sigma, &rng);                 /* now w may be published */
  dppair_wipe(&rng, sizeof rng);
  if (!s) s = print_auc_not_private("private");
  if (!s) s = descend(&sensitivity, 40 * STEPS);
  if (!s) s = print_auc_not_private("not private");
  if (!s) s = dppair_accountant_epsilon(&epsilon, &account, 1e-5, NULL);
  if (s) return fprintf(stderr, "iterates: %s\n", dppair_status_string(s)), 1;
  printf("guarantee: (epsilon, delta) = (%.10g, 1e-5) if one of %d patients is replaced; sigma %.3f\n"
         "public: their number, ranges of columns, start, steps, regulariser\n"
         "These figures are not private, nor is the choice of steps, made on this data.\n",
         epsilon.upper, N, sigma);
  return fflush(stdout) != 0 || ferror(stdout);
}
