/* SPDX-License-Identifier: MIT */
/*
 * l2ball - a ranking at delta = 0: pure epsilon, from gradients over all pairs.
 *
 *     cc -O1 -I. -Imodules examples/problems/l2ball.c -lm && ./a.out         from the top folder
 *
 * A linear score ranks patients with diabetes above others (examples/data/pima.csv) by a few released
 * gradients. Their noise has the density exp(-|z|/scale): the guarantee has no delta. Laplace noise
 * would need the l1 sensitivity, which is larger.
 *
 * public      how many patients there are, the columns' ranges, start and steps
 * neighbours  one patient is replaced; epsilon = 2, delta = 0
 */
#include "dppair_l2ball.h"
#include "dppair_losses.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

enum { ALL = 768, N = 512, D = 8, STEPS = 2 };
static const double low[D] = {0, 40, 40, 5, 0, 15, 0, 20};
static const double high[D] = {12, 250, 120, 60, 400, 60, 1.5, 80};
static const double rate = 20.0;
static double x[ALL][D], y[ALL], w[D], factor[N], work[4 * N + 64];
static size_t positives; /* of the first N, which stand in front */

/* Descends by gradients: released or, with NULL, as they are. */
static dppair_status descend(dppair_release *release, int steps) {
  static dppair_options options;
  double g[D];
  dppair_rows_f64 rows;
  dppair_status s = dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1.0); /* now |x_i| <= 1 */
  rows.positives = positives;
  options.work = work, options.bytes = sizeof work;
  memset(w, 0, sizeof w);
  for (int t = 0; t < steps && !s; t++) {
    if (release != NULL) s = rank_release(g, release, &rows, w, &options); /* g may be published */
    else s = rank_gradient(g, &rows, w, &options);
    for (int k = 0; k < D && !s; k++) w[k] -= rate * (release ? g[k] : g[k] / ((double)N * (N - 1)));
  }
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
  static uint8_t key[32], nonce[DPPAIR_NONCE_SIZE];
  const dppair_release_keys replay = {key, nonce}, *keys = NULL; /* those of the system */
  static dppair_plan plan; static dppair_release release; /* what is not asked for is 0 */
  dppair_accountant account; dppair_interval epsilon = {0};
  if (argc == 3 && strcmp(argv[1], "--seed") == 0)
    key[0] = (uint8_t)atoi(argv[2]), keys = &replay,
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  else if (argc > 1)
    return fputs("usage: l2ball [--seed 0..255]\n", stderr), 2;
  if (!load(fopen("examples/data/pima.csv", "r")))
    return fputs("l2ball: no examples/data/pima.csv\n", stderr), 1;
  plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  plan.noise = DPPAIR_L2BALL;
  plan.epsilon = 2.0, plan.steps = STEPS; /* delta stays 0 */
  printf("%-28s AUC of %d other patients\n", "", ALL - N);
  dppair_status s = descend(NULL, 0);
  if (!s) s = print_auc_not_private("no data");
  if (!s) s = dppair_accountant_init(&account);
  if (!s) s = dppair_release_open(&release, &account, &plan, keys); /* pays for all steps */
  if (!s) s = descend(&release, STEPS);
  dppair_release_close(&release);
  if (!s) s = print_auc_not_private("private");
  if (!s) s = descend(NULL, 10 * STEPS);
  if (!s) s = print_auc_not_private("not private");
  if (!s) s = dppair_accountant_epsilon(&epsilon, &account, 0.0, NULL);
  if (s) return fprintf(stderr, "l2ball: %s\n", dppair_status_string(s)), 1;
  printf("guarantee: (epsilon, delta) = (%.10g, 0) if one of %d patients is replaced\n"
         "public: their number, ranges of columns, start, steps\n"
         "These figures are not private, nor is the choice of steps, made on this data.\n",
         epsilon.upper, N);
  return fflush(stdout) != 0 || ferror(stdout);
}
