/* SPDX-License-Identifier: MIT */
/*
 * groups - any loss of several records, privately: here a listwise one, written by hand.
 *
 *     cc -O1 -I. -Imodules examples/problems/groups.c -lm && ./a.out         from the top folder
 *
 * A linear score ranks patients with diabetes above others (examples/data/pima.csv). Its loss is that
 * of a list: minus the logarithm of the share that the positives have in the softmax over the list.
 * No pair loss says that, so each step draws all patients into lists of four. The gradient of a list
 * is shortened to a public length, which bounds what one patient moves, whatever the loss is.
 *
 * public      how many patients there are, the columns' ranges, clip, start and steps
 * neighbours  one patient is replaced; (epsilon, delta) = (1, 1e-4)
 */
#include "dppair_groups.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = 768, N = 512, D = 8, LIST = 4, STEPS = 10 };
static const double low[D] = {0, 40, 40, 5, 0, 15, 0, 20};
static const double high[D] = {12, 250, 120, 60, 400, 60, 1.5, 80};
static const double longest = 0.4, rate = 2.0; /* of a list's gradient; of a step */
static double x[ALL][D], y[ALL], w[D];

static double score(const double *row) {
  double s = 0.0;
  for (int k = 0; k < D; k++) s += w[k] * row[k];
  return s;
}

/* The gradient of the loss of one list, whose records have these places: v = sum of (p_i - q_i) x_i,
 * p the softmax over the list, q that over its positives. A list of one class has the gradient 0. */
static void list_gradient(double *v, const size_t *place) {
  double e[LIST], all = 0.0, positive = 0.0;
  memset(v, 0, D * sizeof *v);
  for (int i = 0; i < LIST; i++) {
    e[i] = exp(score(x[place[i]]));
    all += e[i];
    if (y[place[i]] > 0.0) positive += e[i];
  }
  for (int i = 0; i < LIST && positive > 0.0; i++) {
    const double c = e[i] / all - (y[place[i]] > 0.0 ? e[i] / positive : 0.0);
    for (int k = 0; k < D; k++) v[k] += c * x[place[i]][k];
  }
}

/* Descends by means over lists: released or, with NULL, of lists in the file's order, as they are. */
static dppair_status descend(dppair_release *release, int steps) {
  static size_t place[N];
  double g[D], v[D];
  dppair_group_sum sum;
  dppair_batch drawn = dppair_batch_make(place, N); /* without a release: all of them */
  dppair_status s = DPPAIR_OK;
  memset(w, 0, sizeof w);
  for (size_t i = 0; i < N; i++) place[i] = i;
  for (int t = 0; t < steps && !s; t++) {
    memset(g, 0, sizeof g);
    if (release != NULL) {
      s = dppair_release_draw(&drawn, place, N, release); /* list j: place + j LIST */
      if (!s) s = dppair_group_sum_open(&sum, g, D, longest, release);
    }
    for (size_t i = 0; i < drawn.count && !s; i += LIST) {
      list_gradient(v, place + i);
      if (release != NULL) s = dppair_group_add_f64(&sum, v); /* shortened */
      for (int k = 0; k < D && release == NULL; k++) g[k] += v[k] / (N / LIST);
    }
    if (!s && release != NULL) s = dppair_release_groups(g, release, &sum); /* g may be published */
    for (int k = 0; k < D && !s; k++) w[k] -= rate * g[k];
  }
  return s;
}

static dppair_status print_auc_not_private(const char *name) {
  static double work[16 * ALL];
  double up[ALL], down[ALL], auc = 0.5;
  size_t ups = 0, downs = 0;
  for (int i = N; i < ALL; i++) {
    if (y[i] > 0.0) up[ups++] = score(x[i]);
    else down[downs++] = score(x[i]);
  }
  const dppair_status s = dppair_auc_not_private_f64(&auc, up, ups, down, downs, work, sizeof work);
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
  return fclose(file) == 0;
}

int main(int argc, char **argv) {
  static uint8_t key[32], nonce[DPPAIR_NONCE_SIZE];
  const dppair_release_keys replay = {key, nonce}, *keys = NULL; /* those of the system */
  static dppair_plan plan; static dppair_release release; /* what is not asked for is 0 */
  static unsigned char room[1 << 24]; /* for numerical composition */
  dppair_accountant account; dppair_composer composer; dppair_interval epsilon = {0};
  if (argc == 3 && strcmp(argv[1], "--seed") == 0)
    key[0] = (uint8_t)atoi(argv[2]), keys = &replay,
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  else if (argc > 1)
    return fputs("usage: groups [--seed 0..255]\n", stderr), 2;
  if (!load(fopen("examples/data/pima.csv", "r")))
    return fputs("groups: no examples/data/pima.csv\n", stderr), 1;
  plan.sampling = dppair_sampling_groups(N, N, LIST, DPPAIR_REPLACE_ONE);
  plan.epsilon = 1.0, plan.delta = 1e-4, plan.steps = STEPS;
  printf("%-28s AUC of %d other patients\n", "", ALL - N);
  dppair_status s = descend(NULL, 0);
  if (!s) s = print_auc_not_private("no data");
  if (!s) s = dppair_accountant_init(&account);
  if (!s) s = dppair_composer_init(&composer, room, sizeof room);
  if (!s) s = dppair_calibrate(&plan, &account, &composer); /* a plan that draws: finds its noise */
  if (!s) s = dppair_release_open(&release, &account, &plan, keys); /* pays for all steps */
  if (!s) s = descend(&release, STEPS);
  dppair_release_close(&release);
  if (!s) s = print_auc_not_private("private");
  if (!s) s = descend(NULL, 10 * STEPS);
  if (!s) s = print_auc_not_private("not private, not clipped");
  if (!s) s = dppair_accountant_epsilon(&epsilon, &account, plan.delta, &composer);
  if (s) return fprintf(stderr, "groups: %s\n", dppair_status_string(s)), 1;
  printf("guarantee: (epsilon, delta) = (%.10g, %g) if one of %d patients is replaced\n"
         "public: their number, ranges of columns, clip, start, steps\n"
         "These figures are not private, nor is the choice of steps and clip, made on this data.\n",
         epsilon.upper, plan.delta, N);
  return fflush(stdout) != 0 || ferror(stdout);
}
