/* SPDX-License-Identifier: MIT */
/*
 * metric - which record of one file and which of another are of the same user?
 *
 *     cc -O1 -I. -Imodules examples/problems/metric.c -lm && ./a.out          from the top folder
 *
 * Each column gets a weight, learned from users whose records were matched by hand. Over all pairs,
 * the few of one user would drown in noise made for all. So users are put into groups, two by two
 * and by their place in the file: a group has two pairs that match and two that do not. Its gradient,
 * any function of that group alone, is shortened to a public length, and the mean is released.
 *
 * public      how many groups there are, the columns' ranges, clip, start and steps
 * neighbours  all records of one group are replaced, hence one user too; (epsilon, delta) = (1, 1e-4)
 * data        pima.csv; and, simulated, its patients again, each column with an error of its own
 */
#include "dppair_groups.h"
#include "dppair_losses.h"
#include "dppair_metric.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define DPPAIR_NAME match
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

enum { ALL = 768, GROUPS = 256, TRAIN = 2 * GROUPS, TEST = ALL - TRAIN, D = 8, STEPS = 10 };
static const double low[D] = {0, 40, 40, 5, 0, 15, 0, 20};
static const double high[D] = {12, 250, 120, 60, 400, 60, 1.5, 80};
static const double error[D] = {0, 60, 40, 30, 300, 2, 0.05, 1}; /* the most that it is off */
static const double clip = 0.05, rate = 160.0, offset = 1.0;
static double x[ALL][2][D], weight[D]; /* of each user the two records; of the columns */

/* A group's gradient in the weights: of ln(1 + e^-u), u = 1 - M for the two pairs of one user each,
 * u = M - 1 for the two of different users, M = sum of weight[k] (x[k] - x'[k])^2. */
static dppair_status group_gradient(double *v, double group[2][2][D]) {
  static const size_t i[4] = {0, 2, 0, 2}, j[4] = {1, 3, 3, 1}; /* rows: A0 A1 B0 B1 */
  static const double user[4] = {0, 0, 1, 1};
  static double w[D * D], g[D * D], work[8192]; /* match_form_workspace of 2 records */
  const dppair_options options = {NULL, NULL, NULL, NULL, work, sizeof work, NULL};
  dppair_rows_f64 rows = dppair_rows_make_f64(group[0][0], 4, D, D);
  rows.y = user;
  for (int k = 0; k < D; k++) w[k * D + k] = weight[k];
  const dppair_status s = match_form_pairs(g, &rows, w, offset, i, j, NULL, 4, &options);
  for (int k = 0; k < D; k++) v[k] = g[k * D + k] / 4.0; /* a metric without mixed terms */
  return s;
}

static dppair_status descend(dppair_release *release, int steps) {
  double g[D], v[D];
  dppair_group_sum sum;
  dppair_status s = DPPAIR_OK;
  for (int k = 0; k < D; k++) weight[k] = 1.0; /* all alike */
  for (int t = 0; t < steps && !s; t++) {
    memset(g, 0, sizeof g);
    if (release != NULL) s = dppair_group_sum_open(&sum, g, D, clip, release);
    for (int i = 0; i < TRAIN && !s; i += 2) {
      s = group_gradient(v, &x[i]);
      if (!s && release != NULL) s = dppair_group_add_f64(&sum, v);
      for (int k = 0; k < D && release == NULL; k++) g[k] += v[k] / GROUPS;
    }
    if (!s && release != NULL) s = dppair_release_groups(g, release, &sum); /* g may be published */
    for (int k = 0; k < D && !s; k++) weight[k] = fmax(weight[k] - rate * g[k], 0.0);
  }
  return s;
}

static double distance(const double *a, const double *b) {
  double sum = 0.0;
  for (int k = 0; k < D; k++) sum += weight[k] * (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

/* The record of the other file that is nearest to that of user i, among those kept back. */
static int nearest(int i, int from) {
  int best = TRAIN;
  for (int j = TRAIN; j < ALL; j++)
    if (distance(x[i][from], x[j][!from]) < distance(x[i][from], x[best][!from])) best = j;
  return best;
}

/* Two records match if each is the other's nearest. Precision and recall, NOT PRIVATE. */
static void print_matches_not_private(const char *name) {
  int matches = 0, right = 0;
  for (int i = TRAIN; i < ALL; i++) {
    const int j = nearest(i, 0);
    if (nearest(j, 1) == i) matches++, right += i == j;
  }
  printf("%-24s", name);
  for (int k = 0; k < D; k++) printf(" %5.1f", weight[k]);
  printf(" %9.3f %9.3f\n", right / fmax(matches, 1.0), right / (double)TEST);
}

/* Scaled to [-1, 1]; the second record is made here, from a fixed sequence of numbers. */
static int load(FILE *file) {
  double value;
  unsigned state = 1;
  for (int i = 0; i < ALL; i++) {
    if (fscanf(file, "%*f") != 0) return 0; /* the label: of no use here */
    for (int k = 0; k < D; k++) {
      if (fscanf(file, ",%lf", &value) != 1) return 0;
      for (int r = 0; r < 2; r++) {
        state = (state * 1103515245u + 12345u) & 0x7fffffffu;
        if (r == 1) value += error[k] * (2.0 * (state >> 8) / 0x7fffff - 1.0);
        value = fmin(fmax(value, low[k]), high[k]);
        x[i][r][k] = 2.0 * (value - low[k]) / (high[k] - low[k]) - 1.0;
      }
    }
  }
  return 1;
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
    return fputs("usage: metric [--seed 0..255]\n", stderr), 2;
  FILE *file = fopen("examples/data/pima.csv", "r"); /* a header; then label,eight numbers */
  if (file == NULL || fscanf(file, "%*[^\n]") != 0 || !load(file))
    return fputs("metric: no examples/data/pima.csv\n", stderr), 1;
  fclose(file);
  plan.sampling = dppair_sampling_all(GROUPS, DPPAIR_REPLACE_QUERY);
  plan.epsilon = 1.0, plan.delta = 1e-4, plan.steps = STEPS;
  printf("%-24s  weights of the columns %24s precision    recall, of %d other persons\n", "", "", TEST);
  dppair_status s = descend(NULL, 0);
  if (!s) print_matches_not_private("no data: all alike");
  if (!s) s = dppair_accountant_init(&account);
  if (!s) s = dppair_release_open(&release, &account, &plan, keys); /* pays for all steps */
  if (!s) s = descend(&release, STEPS);
  dppair_release_close(&release);
  if (!s) print_matches_not_private("private");
  if (!s) s = descend(NULL, 4 * STEPS);
  if (!s) print_matches_not_private("not private, not clipped");
  if (!s) s = dppair_accountant_epsilon(&epsilon, &account, plan.delta, NULL);
  if (s) return fprintf(stderr, "metric: %s\n", dppair_status_string(s)), 1;
  printf("guarantee: (epsilon, delta) = (%.10g, %g) if one of %d groups of two persons is replaced\n"
         "public: their number, ranges of columns, clip, start, steps\n"
         "The second records are simulated, their errors independent: real files are harder.\n"
         "These figures are not private, nor is the choice of steps and clip, made on this data.\n",
         epsilon.upper, plan.delta, GROUPS);
  return fflush(stdout) != 0 || ferror(stdout);
}
