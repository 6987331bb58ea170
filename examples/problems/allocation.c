/* SPDX-License-Identifier: MIT */
/*
 * allocation - batches as data loaders make them: every record is read in every epoch.
 *
 *     cc -O1 -I. -Imodules examples/problems/allocation.c -lm && ./a.out     from the top folder
 *
 * An epoch is a few batches; each record is put into one of them by itself, all equally likely. The
 * gradient over the pairs of a batch is released. An epoch costs less than as many Poisson samples:
 * the program prints the noise of both. How many records a batch has stays private.
 *
 * public      how many sequences there are, their length, the start, steps and their rate
 * neighbours  one training sequence is absent, its place empty; (epsilon, delta) = (1, 1e-5)
 * data        splice.txt: 3186 sequences; does an intron begin in the middle ("ei")?
 */
#include "dppair_allocation.h"
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

enum { ALL = 3186, N = 2124, PLACES = 40, D = 4 * PLACES, BATCHES = 4, EPOCHS = 4 }; /* N to learn from */
static const double rate = 1.0;
static double x[ALL][D], factor[N], w[D];
static size_t up, test_up; /* positives, which stand first: of the N, which is private, and of the rest */
static dppair_rows_f64 rows;
static dppair_options options; /* exact loops, one thread */

/* A batch's gradient, released; without a release that of all records. */
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
  double g[D];
  dppair_status s = DPPAIR_OK;
  memset(w, 0, sizeof w);
  w[4 * 20 + 2] = w[4 * 21 + 3] = 2.0; /* what is known anyway: introns begin with gt */
  for (int t = 0; t < steps && !s; t++)
    if (!(s = gradient(g, release)))
      for (int k = 0; k < D; k++) w[k] -= rate * g[k];
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

/* The noise of a plan that draws so, found with all the memory that is asked for. */
static dppair_status calibrated(dppair_plan *plan, dppair_accountant *account, dppair_sampling sampling) {
  dppair_composer composer;
  size_t bytes;
  dppair_status s = dppair_composer_workspace(&bytes, NULL);
  void *room = s ? NULL : malloc(bytes);
  if (!s) s = dppair_composer_init(&composer, room, bytes);
  if (!s) s = dppair_accountant_init(account);
  plan->sampling = sampling;
  plan->epsilon = 1.0, plan->delta = 1e-5, plan->steps = BATCHES * EPOCHS;
  if (!s) s = dppair_calibrate(plan, account, &composer);
  free(room);
  return s;
}

int main(int argc, char **argv) {
  static uint8_t key[32], nonce[DPPAIR_NONCE_SIZE];
  const dppair_release_keys replay = {key, nonce}, *keys = NULL; /* those of the system */
  static dppair_plan plan, other; static dppair_release release; /* what is not asked for is 0 */
  static double work[4 * N + 4096];
  dppair_accountant account;
  if (argc == 3 && strcmp(argv[1], "--seed") == 0)
    key[0] = (uint8_t)atoi(argv[2]), keys = &replay,
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  else if (argc > 1)
    return fputs("usage: allocation [--seed 0..255]\n", stderr), 2;
  FILE *file = fopen("examples/data/splice.txt", "r");
  if (file == NULL || !load(file, 0, N, &up) || !load(file, N, ALL, &test_up))
    return fputs("allocation: no examples/data/splice.txt\n", stderr), 1;
  fclose(file);
  options.work = work, options.bytes = sizeof work;
  printf("%-28s AUC of %d other sequences\n", "", ALL - N);
  dppair_status s = descend(NULL, 0);
  if (!s) s = print_auc_not_private("no data: does gt follow?");
  if (!s) s = dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1.0);
  rows.positives = up;
  if (!s) s = calibrated(&other, &account, dppair_sampling_poisson(N, N / BATCHES, DPPAIR_ZERO_OUT));
  if (!s) s = calibrated(&plan, &account, dppair_sampling_allocation(N, BATCHES, 1, DPPAIR_ZERO_OUT));
  if (!s) s = dppair_release_open(&release, &account, &plan, keys);
  if (!s) s = descend(&release, BATCHES * EPOCHS);
  dppair_release_close(&release);
  if (!s) s = print_auc_not_private("private");
  if (!s) s = descend(NULL, 400);
  if (!s) s = print_auc_not_private("not private, all pairs");
  if (s) return fprintf(stderr, "allocation: %s\n", dppair_status_string(s)), 1;
  printf("noise multiplier             %.3f; of Poisson samples %.3f\n"
         "guarantee: (epsilon, delta) = (%g, %g) if one of %d sequences is absent\n"
         "public: their number and length, start, steps, rate\n"
         "These figures are not private, nor is the choice of the rate, made on this data.\n",
         plan.noise_multiplier, other.noise_multiplier, plan.epsilon, plan.delta, N);
  return fflush(stdout) != 0 || ferror(stdout);
}
