/* SPDX-License-Identifier: MIT */
/*
 * scale - a ranking from a file that is read again in every step, and never held.
 *
 *     cc -O1 -I. -Imodules examples/problems/scale.c -lm && ./a.out          from the top folder
 *
 * All pairs of records, although no more than a chunk of them is in memory: a step reads the file once
 * for the moments of all scores, and once more for the sum of gradients. Both are integers, so the bits
 * do not depend on how the file is cut. Threads or processes could read chunks of their own, and add
 * what they have (dppair_sketch_add, dppair_sum_add).
 *
 * public      how many patients there are (the first 512 lines), the columns' ranges, start and steps
 * neighbours  one patient is replaced; (epsilon, delta) = (2, 1e-5)
 */
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_scale.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

enum { ALL = 768, N = 512, D = 8, MOST = 128, STEPS = 2 }; /* MOST: records of a chunk */
static const char *path = "examples/data/pima.csv";
static const double low[D] = {0, 40, 40, 5, 0, 15, 0, 20};
static const double high[D] = {12, 250, 120, 60, 400, 60, 1.5, 80}, rate = 20.0, cap = 8.0;
static double w[D];
static dppair_fast fast;
static char state[65536], words[65536], room[4096], work[65536]; /* the sizes do not grow with N */

/* Reads the next `count` lines, scaled to [-1, 1], positives first. 0: there are none. */
static int next(FILE *file, double x[][D], int count, size_t *positives) {
  int ups = 0;
  for (int i = 0; i < count; i++) {
    double label, row[D];
    if (fscanf(file, "%lf", &label) != 1) return 0;
    for (int k = 0; k < D; k++) {
      if (fscanf(file, ",%lf", &row[k]) != 1) return 0;
      row[k] = 2.0 * (fmin(fmax(row[k], low[k]), high[k]) - low[k]) / (high[k] - low[k]) - 1.0;
    }
    memcpy(x[i], x[ups], sizeof row); /* a negative makes room, or this place is itself */
    memcpy(x[label > 0.0 ? ups++ : i], row, sizeof row);
  }
  *positives = (size_t)ups;
  return 1;
}

/* One pass over the first N records, `chunk` at a time: moments, or with them the sum. */
static dppair_status read_all(dppair_sketch *m, dppair_sum *sum, const dppair_options *options, int chunk) {
  static double x[MOST][D], factor[MOST];
  FILE *file = fopen(path, "r");
  dppair_status s = file == NULL || fscanf(file, "%*[^\n]") != 0 ? DPPAIR_ERR_NULL : DPPAIR_OK;
  for (int i = 0; i < N && !s; i += chunk) {
    const int count = N - i < chunk ? N - i : chunk;
    size_t positives;
    dppair_rows_f64 rows;
    if (!next(file, x, count, &positives)) s = DPPAIR_ERR_NULL;
    if (!s) s = dppair_rows_clip_f64(&rows, factor, x[0], (size_t)count, D, D, 1.0); /* |x_i| <= 1 */
    if (s) break;
    rows.positives = positives;
    s = sum ? rank_chunk_sum(sum, &rows, w, m, options) : rank_chunk_sketch(m, &rows, w, options);
  }
  if (file) (void)fclose(file);
  return s;
}

/* Over all pairs: released or, with NULL, as it is. */
static dppair_status gradient(double *g, dppair_release *release, int chunk) {
  static dppair_options options;
  dppair_sketch m;
  dppair_sum sum;
  dppair_status s = rank_sketch_open(&m, &fast, words, sizeof words);
  options.fast = &fast, options.work = work, options.bytes = sizeof work;
  if (!s) s = read_all(&m, NULL, &options, chunk);
  if (!s) s = rank_sketch_finish(&m, NULL, &fast);
  if (!s) s = rank_sum_open(&sum, D, 1.0, &options, room, sizeof room);
  if (!s) s = read_all(&m, &sum, &options, chunk);
  if (!s) s = release ? rank_release_sum(g, release, &sum, w, &options) : dppair_sum_value(g, &sum);
  for (int k = 0; k < D && !s && !release; k++) g[k] /= (double)N * (N - 1);
  return s;
}

static dppair_status descend(dppair_release *release, int steps, int chunk) {
  double g[D];
  dppair_status s = DPPAIR_OK;
  memset(w, 0, sizeof w);
  for (int t = 0; t < steps && !s; t++)
    if (!(s = gradient(g, release, chunk)))
      for (int k = 0; k < D; k++) w[k] -= rate * g[k];
  return s;
}

static dppair_status print_auc_not_private(const char *name) {
  static double x[ALL][D], up[ALL], down[ALL], area[16 * ALL];
  double auc = 0.5;
  size_t ups, n = 0;
  FILE *file = fopen(path, "r");
  int there = file != NULL && fscanf(file, "%*[^\n]") == 0 && next(file, x, N, &ups);
  there = there && next(file, x, ALL - N, &ups);
  if (file) (void)fclose(file);
  if (!there) return DPPAIR_ERR_NULL;
  for (; n < ALL - N; n++) {
    double *score = n < ups ? &up[n] : &down[n - ups];
    *score = 0.0;
    for (int k = 0; k < D; k++) *score += w[k] * x[n][k];
  }
  const dppair_status s = dppair_auc_not_private_f64(&auc, up, ups, down, n - ups, area, sizeof area);
  if (!s) printf("%-28s %.3f\n", name, auc);
  return s;
}

int main(int argc, char **argv) {
  static uint8_t key[32], nonce[DPPAIR_NONCE_SIZE];
  const dppair_release_keys replay = {key, nonce}, *keys = NULL; /* those of the system */
  static dppair_plan plan; static dppair_release release; /* what is not asked for is 0 */
  dppair_accountant account; dppair_interval epsilon = {0}; double other[D];
  if (argc == 3 && strcmp(argv[1], "--seed") == 0)
    key[0] = (uint8_t)atoi(argv[2]), keys = &replay,
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  else if (argc > 1)
    return fputs("usage: scale [--seed 0..255]\n", stderr), 2;
  plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  plan.epsilon = 2.0, plan.delta = 1e-5, plan.steps = STEPS;
  printf("%-28s AUC of %d other patients\n", "", ALL - N);
  dppair_status s = rank_sums_init(&fast, N, DPPAIR_ACCURACY_1E9, cap, NULL, state, sizeof state);
  if (!s) s = print_auc_not_private("no data");
  if (!s) s = dppair_accountant_init(&account);
  if (!s) s = dppair_release_open(&release, &account, &plan, keys); /* pays for all steps */
  if (!s) s = descend(&release, STEPS, MOST);
  dppair_release_close(&release);
  if (!s) s = print_auc_not_private("private");
  if (!s) s = descend(NULL, 10 * STEPS, MOST);
  if (!s) s = print_auc_not_private("not private");
  memcpy(other, w, sizeof w);
  if (!s) s = descend(NULL, 10 * STEPS, 7);
  if (!s) s = dppair_accountant_epsilon(&epsilon, &account, plan.delta, NULL);
  if (s) return fprintf(stderr, "scale: %s: %s\n", path, dppair_status_string(s)), 1;
  printf("chunks of 7 instead of %d:  %s bits\n", MOST, memcmp(other, w, sizeof w) ? "OTHER" : "the same");
  printf("guarantee: (epsilon, delta) = (%.10g, %g) if one of %d patients is replaced\n"
         "public: their number, ranges of columns, start, steps\n"
         "Figures of AUC are not private, nor is the choice of steps, made on this data.\n",
         epsilon.upper, plan.delta, N);
  return fflush(stdout) != 0 || ferror(stdout);
}
