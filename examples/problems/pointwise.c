/* SPDX-License-Identifier: MIT */
/*
 * pointwise - a ranking from records that never meet: a released histogram stands for their partners.
 *
 *     cc -O1 -I. -Imodules examples/problems/pointwise.c -lm && ./a.out      from the top folder
 *
 * Each step releases the histogram of all scores, of both classes, and then a gradient against it: of
 * each patient (examples/data/pima.csv) one vector, clipped by itself. Where a patient may be absent,
 * the gradient moves by one clip over n, half of what a gradient over pairs moves. Both are parts of the
 * step's one paid release.
 *
 * public      how many places there are, the columns' ranges, nodes, clip, start and steps
 * neighbours  one patient is there, or counts as nothing; (epsilon, delta) = (1, 1e-5)
 */
#include "dppair_losses.h"
#include "dppair_pointwise.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

enum { ALL = 768, N = 512, D = 8, STEPS = 4, NODES = 9 };
static const double low[D] = {0, 40, 40, 5, 0, 15, 0, 20};
static const double high[D] = {12, 250, 120, 60, 400, 60, 1.5, 80};
static const double node[NODES] = {-4, -2, -1, -0.5, 0, 0.5, 1, 2, 4};
static const double rate = 20.0, clip = 0.25, share = 0.2; /* of a paid release, for the histogram */
static double x[ALL][D], y[ALL], w[D], factor[N], scores[N], count[2 * NODES], work[8 * N + 256];
static size_t positives; /* of the first N, which stand in front */

/* Descends by gradients: released or, with NULL, over pairs as they are. */
static dppair_status descend(dppair_release *release, int steps) {
  static dppair_options options;
  double g[D];
  dppair_histogram h = {node, NODES, count, 0.0};
  dppair_rows_f64 rows;
  dppair_status s = dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1.0); /* now |x_i| <= 1 */
  rows.positives = positives;
  options.work = work, options.bytes = sizeof work;
  memset(w, 0, sizeof w);
  for (int t = 0; t < steps && !s; t++) {
    if (release == NULL) s = rank_gradient(g, &rows, w, &options);
    else if (!(s = dppair_scores_f64(scores, &rows, w)) && !(s = dppair_release_part(release, share)) &&
             !(s = dppair_release_score_histogram(&h, release, scores, NULL, N, positives)))
      s = rank_release_pointwise(g, release, &rows, w, &h, clip, &options); /* g may be published */
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
    return fputs("usage: pointwise [--seed 0..255]\n", stderr), 2;
  if (!load(fopen("examples/data/pima.csv", "r")))
    return fputs("pointwise: no examples/data/pima.csv\n", stderr), 1;
  plan.sampling = dppair_sampling_all(N, DPPAIR_ZERO_OUT);
  plan.epsilon = 1.0, plan.delta = 1e-5, plan.steps = STEPS;
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
  if (!s) s = dppair_accountant_epsilon(&epsilon, &account, plan.delta, NULL);
  if (s) return fprintf(stderr, "pointwise: %s\n", dppair_status_string(s)), 1;
  printf("guarantee: (epsilon, delta) = (%.10g, 1e-5) if one of %d patients may be absent\n"
         "public: the number of places, ranges of columns, nodes, clip, start, steps\n"
         "These figures are not private, nor is the choice of steps, made on this data.\n",
         epsilon.upper, N);
  return fflush(stdout) != 0 || ferror(stdout);
}
