/* SPDX-License-Identifier: MIT */
/*
 * dp_adam - Adam on mini-batches of records, over all pairs within a batch.
 *
 *     cc -O1 -I. examples/problems/dp_adam.c -lm && ./a.out                from the top folder
 *
 * Each step draws every record by itself with the same probability; the gradient over the pairs of the
 * batch is released. Adam's moments are made of released gradients alone, and of the noise's scale,
 * which is public; so they and each step's weights are as private as the releases. Which records a
 * batch has, and how many, stays private: the library divides as is right for a random size. The plan
 * is calibrated for that draw: the account knows that a step read few records.
 *
 * public      how many sequences there are, their length, the start, steps, Adam's numbers
 * neighbours  one training sequence is absent, its place empty; (epsilon, delta) = (2, 1e-5)
 * data        splice.txt: 3186 sequences; does an intron begin in the middle ("ei")?
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
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

enum { ALL = 3186, N = 2124, PLACES = 40, D = 4 * PLACES, BATCH = 512, STEPS = 50 }; /* N to learn from */
static const double rate = 0.01, floor_of_moment = 0.01;
static double x[ALL][D], factor[N], w[D];
static size_t up, test_up; /* positives, which stand first: of the N, which is private, and of the rest */
static dppair_rows_f64 rows;
static dppair_options options; /* exact loops, one thread */

/* Adam (Kingma and Ba 2015), less the noise in the second moment (Tang et al. 2024). What is left of
 * that is uncertain by a good part of the noise, so the floor is above it: with a third of this one,
 * columns that are nothing but noise take long steps, and the AUC is 0.966 instead of 0.982. */
static void adam_step(double *mean, double *square, const double *g, double sigma, int t) {
  for (int k = 0; k < D; k++) {
    mean[k] = 0.9 * mean[k] + 0.1 * g[k];
    square[k] = 0.99 * square[k] + 0.01 * g[k] * g[k];
    const double signal = square[k] / (1.0 - pow(0.99, t)) - sigma * sigma;
    w[k] -= rate * mean[k] / (1.0 - pow(0.9, t)) / fmax(sqrt(fmax(signal, 0.0)), floor_of_moment);
  }
}

/* A drawn batch's gradient, released; without a release that of all records. */
static dppair_status gradient(double *g, dppair_release *release) {
  static double batch_x[N][D], batch_factor[N]; /* the draw is private: room for all records */
  static size_t index[N];
  dppair_batch drawn;
  dppair_rows_f64 batch;
  if (release == NULL) {
    const dppair_status s = rank_gradient(g, &rows, w, &options);
    for (int k = 0; k < D; k++) g[k] /= N * (N - 1.0);
    return s;
  }
  dppair_status s = dppair_release_draw(&drawn, index, N, release);
  if (!s) s = dppair_gather_f64(&batch, batch_x[0], NULL, batch_factor, &drawn, &rows);
  return s ? s : rank_release(g, release, &batch, w, &options); /* divided as the plan draws */
}

static dppair_status descend(dppair_release *release, int steps) {
  double g[D], mean[D] = {0.0}, square[D] = {0.0};
  dppair_status s = DPPAIR_OK;
  memset(w, 0, sizeof w);
  w[4 * 20 + 2] = w[4 * 21 + 3] = 2.0; /* what is known anyway: introns begin with gt */
  for (int t = 1; t <= steps && !s; t++)
    if (!(s = gradient(g, release))) adam_step(mean, square, g, release != NULL ? release->sigma : 0.0, t);
  return s;
}

static dppair_status print_auc_not_private(const char *name) {
  static double score[ALL], work[8 * ALL];
  const dppair_rows_f64 rest = dppair_rows_make_f64(x[N], ALL - N, D, D);
  double auc;
  dppair_status s = dppair_scores_f64(score, &rest, w);
  if (!s)
    s = dppair_auc_not_private_f64(&auc, score, test_up, score + test_up, ALL - N - test_up, work,
                                   sizeof work);
  if (!s) printf("%-28s %.4f\n", name, auc);
  return s;
}

/* Reads records [from, to), positives in front; 0: no such data. Four columns for a place, norm 1. */
static int load(FILE *file, size_t from, size_t to, size_t *count) {
  char label[3], letters[PLACES + 1];
  size_t front = from, back = to; /* where the next positive and the next negative go */
  while (front < back) {
    if (fscanf(file, "%2s %40s", label, letters) != 2 || strlen(letters) != PLACES) return 0;
    double *place = strcmp(label, "ei") == 0 ? x[front++] : x[--back];
    for (int k = 0; k < D; k++)
      place[k] = ((letters[k / 4] == "acgt"[k % 4]) - 0.25) / sqrt(0.75 * PLACES);
  }
  *count = front - from;
  return 1;
}

int main(int argc, char **argv) {
  static uint8_t key[32], nonce[DPPAIR_NONCE_SIZE];
  const dppair_release_keys replay = {key, nonce}, *keys = NULL; /* those of the system */
  static dppair_plan plan; static dppair_release release; /* what is not asked for is 0 */
  static double work[4 * N + 4096];
  static unsigned char room[1 << 24]; /* for numerical composition */
  dppair_accountant account; dppair_composer composer; dppair_interval epsilon = {0};
  if (argc == 3 && strcmp(argv[1], "--seed") == 0)
    key[0] = (uint8_t)atoi(argv[2]), keys = &replay,
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  else if (argc > 1)
    return fputs("usage: dp_adam [--seed 0..255]\n", stderr), 2;
  FILE *file = fopen("examples/data/splice.txt", "r");
  if (file == NULL || !load(file, 0, N, &up) || !load(file, N, ALL, &test_up))
    return fputs("dp_adam: no examples/data/splice.txt\n", stderr), 1;
  fclose(file);
  plan.sampling = dppair_sampling_poisson(N, BATCH, DPPAIR_ZERO_OUT);
  plan.epsilon = 2.0, plan.delta = 1e-5, plan.steps = STEPS;
  options.work = work, options.bytes = sizeof work;
  printf("%-28s AUC of %d other sequences\n", "", ALL - N);
  dppair_status s = descend(NULL, 0);
  if (!s) s = print_auc_not_private("no data: does gt follow?");
  if (!s) s = dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1.0);
  rows.positives = up;
  if (!s) s = dppair_accountant_init(&account);
  if (!s) s = dppair_composer_init(&composer, room, sizeof room);
  if (!s) s = dppair_calibrate(&plan, &account, &composer); /* the noise for so many drawn batches */
  if (!s) s = dppair_release_open(&release, &account, &plan, keys);
  if (!s) s = descend(&release, STEPS);
  dppair_release_close(&release);
  if (!s) s = print_auc_not_private("private");
  if (!s) s = descend(NULL, STEPS / 2);
  if (!s) s = print_auc_not_private("not private, all pairs");
  if (!s) s = dppair_accountant_epsilon(&epsilon, &account, plan.delta, &composer);
  if (s) return fprintf(stderr, "dp_adam: %s\n", dppair_status_string(s)), 1;
  printf("guarantee: (epsilon, delta) = (%.10g, %g) if one of %d sequences is absent\n"
         "public: their number and length, start, steps, Adam's numbers\n"
         "These figures are not private, nor is the choice of Adam's numbers, made on this data.\n",
         epsilon.upper, plan.delta, N);
  return fflush(stdout) != 0 || ferror(stdout);
}
