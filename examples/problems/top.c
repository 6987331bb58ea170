/* SPDX-License-Identifier: MIT */
/*
 * top - 100 of 20000 claims can be looked at: ranks them so that the first 100 are frauds.
 *
 *     cc -O1 -I. -Imodules examples/problems/top.c -lm && ./a.out          from the top folder
 *
 * Ranking by all pairs learns from 20000 claims what matters for any two of them. Some honest claims
 * are huge, and then they fill the whole top of the list. The loss here reads only the pairs of the
 * 2500 honest claims that rank highest: the partial AUC. It gives up a little of the AUC for the top.
 *
 * public      how many claims; the ranges of both columns; the loss, its 2500 places, the steps
 * neighbours  one claim is replaced, fraud or not; (epsilon, delta) = (1, 1e-5) for all steps
 *
 * The data are simulated, and made so that the top differs from the rest. Where it does not, all
 * pairs are better with privacy: a selection of k of n claims has noise n/k times as large.
 */
#include "dppair_top.h"
#include "dppair_noise.h"
#include "dppair_accountant.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_sigmoid /* bounded: it gives up what no linear score puts in place */
#include "dppair.h"

enum { N = 20000, D = 2, PLACES = 2500, LOOK = 100, STEPS = 20 };
static const double rate = 50.0;
static double x[2][N][D], score[N], sorted[N], factor[N], work[40 * N], state[60000];
static size_t fraud[2]; /* of the claims to learn from, and of others; they stand first */

static uint64_t bits = 7;
static double uniform(void) {
  bits = bits * 6364136223846793005u + 1442695040888963407u;
  return (double)(bits >> 11) / 9007199254740992.0;
}
static double normal(void) {
  double sum = -6.0;
  for (int k = 0; k < 12; k++) sum += uniform();
  return sum;
}

/* The size of a claim, and how hastily it was made, both within [-1, 1] by their public ranges. */
static void simulate(int part) {
  size_t front = 0, back = N;
  while (front < back) {
    const int bad = uniform() < 0.3, huge = !bad && uniform() < 0.1;
    double *claim = bad ? x[part][front++] : x[part][--back];
    claim[0] = (bad ? 1.0 : huge ? 2.0 : -1.0) + 0.7 * normal();
    claim[1] = (bad ? 0.4 : huge ? -1.2 : 0.8) + 0.7 * normal();
    for (int k = 0; k < D; k++) claim[k] = fmin(fmax(claim[k] / 3.0, -1.0), 1.0);
  }
  fraud[part] = front;
}

/* The AUC of the other claims, and the share of frauds among the LOOK first. NOT PRIVATE. */
static dppair_status print_found(const char *name, const double *w) {
  size_t hits = 0;
  double auc;
  for (int i = 0; i < N; i++)
    sorted[i] = score[i] = w[0] * x[1][i][0] + w[1] * x[1][i][1];
  const dppair_status s = dppair_auc_not_private_f64(&auc, score, fraud[1], score + fraud[1],
                                                     N - fraud[1], work, sizeof work);
  dppair_sort_f64(sorted, N);
  for (size_t i = 0; i < fraud[1]; i++) hits += score[i] >= sorted[N - LOOK];
  if (!s) printf("%-30s %7.2f %12.2f\n", name, auc, (double)hits / (double)LOOK);
  return s;
}

/* Descent along the gradient of `top`, or of all pairs; released, or as it is. */
static dppair_status descend(double *w, const dppair_rows_f64 *rows, const dppair_top *top,
                             const dppair_release_keys *keys, int released) {
  static dppair_plan plan;
  static dppair_release release;
  dppair_accountant account;
  dppair_fast fast;
  const dppair_options options = {NULL, NULL, &fast, NULL, work, sizeof work, NULL};
  double g[D];
  dppair_status s = rank_fast_init(&fast, N, DPPAIR_ACCURACY_1E9, 20.0, NULL, state, sizeof state);
  plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  plan.epsilon = 1.0, plan.delta = 1e-5, plan.steps = STEPS;
  w[0] = 2.0, w[1] = 0.0;
  if (!s) s = dppair_accountant_init(&account);
  if (!s) s = dppair_release_open(&release, &account, &plan, keys);
  for (int t = 0; t < STEPS && !s; t++) {
    if (!released)
      s = rank_top_gradient(g, rows, w, top, &options);
    else if (top != NULL)
      s = rank_release_top(g, &release, rows, w, top, &options);
    else
      s = rank_release(g, &release, rows, w, &options);
    for (int k = 0; k < D; k++) w[k] -= rate * g[k] / (released ? 1.0 : (double)N * PLACES);
  }
  dppair_release_close(&release);
  return s;
}

int main(int argc, char **argv) {
  static uint8_t key[32], nonce[DPPAIR_NONCE_SIZE];
  const dppair_release_keys replay = {key, nonce}, *keys = NULL; /* those of the system */
  const dppair_top top = {DPPAIR_TOP_PARTIAL, PLACES, 0, 0, 0, 0.0};
  const double first[D] = {1.0, 0.0};
  dppair_rows_f64 rows;
  double w[D];
  if (argc == 3 && strcmp(argv[1], "--seed") == 0)
    key[0] = (uint8_t)atoi(argv[2]), keys = &replay,
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  else if (argc > 1)
    return fputs("usage: top [--seed 0..255]\n", stderr), 2;
  simulate(0);
  simulate(1);
  dppair_status s = dppair_rows_clip_f64(&rows, factor, x[0][0], N, D, D, 1.0);
  rows.positives = fraud[0];
  printf("%-30s of %d other claims (simulated data):\n%-30s %7s %12s\n", "", N, "", "AUC", "first 100");
  if (!s) s = print_found("no data: the size of a claim", first);
  if (!s) s = descend(w, &rows, NULL, keys, 1);
  if (!s) s = print_found("all pairs, private", w);
  if (!s) s = descend(w, &rows, &top, keys, 1);
  if (!s) s = print_found("private", w);
  if (!s) s = descend(w, &rows, &top, keys, 0);
  if (!s) s = print_found("not private", w);
  if (s) return fprintf(stderr, "top: %s\n", dppair_status_string(s)), 1;
  printf("guarantee: (epsilon, delta) = (1, 1e-05) for either model, if one of %d claims is replaced\n"
         "These figures are not private, nor is the choice of steps and places, made on this data.\n",
         N);
  return fflush(stdout) != 0 || ferror(stdout);
}
