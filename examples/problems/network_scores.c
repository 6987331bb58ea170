/* SPDX-License-Identifier: MIT */
/*
 * network_scores - a network of your own, in a training loop of your own, ranks patients by risk.
 *
 *     cc -O1 -I. examples/problems/network_scores.c -lm && ./a.out         from the top folder
 *
 * The library never sees the network: only each record's score, and a row with that score's gradient
 * in the weights. A row is clipped by its own record alone, before it is paired, so that one record
 * moves the sum over all pairs by a known amount, whatever the network is. It must read one record
 * and the weights, nothing else. Each step reads a Poisson sample; rank_release_scores finds its noise.
 * public      how many records there are, the columns' ranges, the network's shape, start and steps
 * neighbours  one training record takes part or does not, (epsilon, delta) = (2, 1e-4)
 */
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"

enum { ALL = 768, N = 512, BATCH = 256, D = 8, UNITS = 6, SIZE = UNITS * (D + 2), STEPS = 40 };
static const double low[D] = {0, 40, 40, 5, 0, 15, 0, 20}, clip = 1.0, rate = 2.0;
static const double high[D] = {12, 250, 120, 60, 400, 60, 1.5, 80};
static double x[ALL][D], score[ALL], row[N][SIZE], factor[N], c[N], theta[SIZE], work[4 * N];
static size_t up, test_up; /* how many are positive: of the N, which is private, and of the rest */

/* The user's network: v . tanh(U x + b). Its gradient in theta = (U, b, v), if asked for. */
static double forward(const double *input, double *gradient) {
  const double *u = theta, *b = theta + UNITS * D, *v = b + UNITS;
  double s = 0.0;
  for (int h = 0; h < UNITS; h++) {
    double a = b[h], t;
    for (int k = 0; k < D; k++) a += u[h * D + k] * input[k];
    s += v[h] * (t = tanh(a));
    if (gradient == NULL) continue;
    gradient[UNITS * D + h] = a = v[h] * (1.0 - t * t);
    gradient[UNITS * (D + 1) + h] = t;
    for (int k = 0; k < D; k++) gradient[h * D + k] = a * input[k];
  }
  return s;
}

/* One gradient of the mean hinge loss over all pairs, or of a batch, then released. */
static dppair_status gradient(double *g, dppair_release *release) {
  static size_t index[N]; static const double zero[D]; /* whose gradient cancels in pairs: taken off */
  const dppair_options options = {NULL, NULL, NULL, NULL, work, sizeof work, NULL}; /* exact loops */
  dppair_batch drawn = dppair_batch_make(NULL, N); dppair_rows_f64 rows;
  dppair_status s = release != NULL ? dppair_release_draw(&drawn, index, N, release) : DPPAIR_OK;
  size_t front = 0, back = drawn.count;
  forward(zero, g);
  for (size_t k = 0; k < drawn.count; k++) { /* positives stand first */
    const size_t i = release != NULL ? drawn.index[k] : k, at = i < up ? front++ : --back;
    score[at] = forward(x[i], row[at]);
    for (int m = 0; m < SIZE; m++) row[at][m] -= g[m];
  }
  if (s || (s = dppair_rows_clip_f64(&rows, factor, row[0], drawn.count, SIZE, SIZE, clip))) return s;
  rows.positives = front;
  dppair_rows_by_hand_f64(&rows, &drawn); /* these are the drawn records, and no others */
  if (release != NULL) return rank_release_scores(g, release, score, &rows, &options);
  rows.factor = NULL; /* rows as they are */
  s = rank_coeffs(c, c + up, score, up, score + up, N - up, NULL); /* c = dL/ds */
  if (!s) s = dppair_combine_f64(g, &rows, c);                     /* the sum of c_i row_i */
  for (int k = 0; k < SIZE && !s; k++) g[k] /= N * (N - 1.0);
  return s;
}

/* Public: all columns are known to raise the risk, and units differ by fixed numbers. */
static void start(void) {
  for (int k = 0; k < SIZE; k++)
    theta[k] = k < UNITS * D ? 0.3 + 0.3 * sin(7 * k) : 0.5 * (k >= UNITS * (D + 1));
}

/* Plain descent; any optimiser that reads released gradients alone is as private. */
static dppair_status descend(dppair_release *release, int steps) {
  double g[SIZE];
  dppair_status s = DPPAIR_OK;
  for (int t = 0; t < steps && !(s = gradient(g, release)); t++)
    for (int k = 0; k < SIZE; k++) theta[k] -= rate * g[k];
  return s;
}

static dppair_status print_auc(const char *name) {
  static double room[8 * ALL];
  double auc, *s1 = score + N, *s0 = s1 + test_up;
  for (int i = N; i < ALL; i++) score[i] = forward(x[i], NULL);
  const dppair_status s =
      dppair_auc_not_private_f64(&auc, s1, test_up, s0, ALL - N - test_up, room, sizeof room);
  if (!s) printf("%-28s %.3f\n", name, auc);
  return s;
}

/* Reads records [from, to), positives in front, and says how many these are; 0: no such data. */
static size_t load(FILE *file, size_t from, size_t to) {
  double y, value, *place;
  size_t front = from, back = to; /* where the next positive and the next negative go */
  while (front < back) {
    if (fscanf(file, "%lf", &y) != 1) return 0;
    place = y > 0.0 ? x[front++] : x[--back];
    for (int k = 0; k < D; place[k++] = 2.0 * value - 1.0) {
      if (fscanf(file, ",%lf", &value) != 1) return 0;
      value = (fmin(fmax(value, low[k]), high[k]) - low[k]) / (high[k] - low[k]);
    }
  }
  return front - from;
}

int main(int argc, char **argv) {
  static uint8_t key[32], nonce[DPPAIR_NONCE_SIZE];
  const dppair_release_keys replay = {key, nonce}, *keys = NULL; /* those of the system */
  static dppair_plan plan; static dppair_release release; /* what is not asked for is 0 */
  static unsigned char room[1 << 24]; dppair_composer composer; /* for numerical composition */
  dppair_accountant account; dppair_interval epsilon = {0};
  if (argc == 3 && strcmp(argv[1], "--seed") == 0)
    key[0] = (uint8_t)atoi(argv[2]), keys = &replay,
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  else if (argc > 1)
    return fputs("usage: network_scores [--seed 0..255]\n", stderr), 2;
  FILE *file = fopen("examples/data/pima.csv", "r"); /* a header; then label,eight numbers */
  if (file == NULL || fscanf(file, "%*[^\n]") != 0 || (up = load(file, 0, N)) == 0 ||
      (test_up = load(file, N, ALL)) == 0)
    return fputs("network_scores: no examples/data/pima.csv\n", stderr), 1;
  fclose(file);
  plan.sampling = dppair_sampling_poisson(N, BATCH, DPPAIR_ZERO_OUT);
  plan.epsilon = 2.0, plan.delta = 1e-4, plan.steps = STEPS;
  start();
  printf("%-28s AUC of 256 other records\n", "");
  dppair_status s = print_auc("no data: the start");
  if (!s) s = dppair_accountant_init(&account);
  if (!s) s = dppair_composer_init(&composer, room, sizeof room);
  if (!s) s = dppair_calibrate(&plan, &account, &composer); /* a plan that draws: its noise */
  if (!s) s = dppair_release_open(&release, &account, &plan, keys); /* pays for all steps */
  if (!s) s = descend(&release, STEPS);
  dppair_release_close(&release);
  if (!s) s = print_auc("private");
  if (!s) start(), s = descend(NULL, 4 * STEPS);
  if (!s) s = print_auc("not private, not clipped");
  if (!s) s = dppair_accountant_epsilon(&epsilon, &account, plan.delta, &composer);
  if (s) return fprintf(stderr, "network_scores: %s\n", dppair_status_string(s)), 1;
  printf("guarantee: (epsilon, delta) = (%.10g, %g) if one of %d records takes part or not\n"
         "public: their number, ranges of columns, network, start, steps, clip\n"
         "These figures are not private, nor is the choice of steps and clip, made on this data.\n",
         epsilon.upper, plan.delta, N);
  return fflush(stdout) != 0 || ferror(stdout);
}
