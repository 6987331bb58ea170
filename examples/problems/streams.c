/* SPDX-License-Identifier: MIT */
/*
 * streams - learns to rank in one pass over a stream, and publishes every weight on the way.
 *
 *     cc -O1 -I. -Imodules examples/problems/streams.c -lm && ./a.out  from the top folder
 *
 * Records are DNA sequences (examples/data/splice.txt, UCI): is there a splice junction? Record t
 * meets the BUFFER records before it; its mean pair gradient goes into a prefix sum with noise, and
 * w_t = -eta (that sum) may be published at once. Secret: BUFFER records, and the gradients of all
 * steps (with DPPAIR_PREFIX_TREE those of log2 as many, for about 3 times the noise).
 *
 * public      how many records come, their order, the alphabet, buffer and step size; every w_t
 * neighbours  one record of the stream is replaced; (epsilon, delta) = (1, 1e-4) for all w_t
 */
#include "dppair_streams.h"
#include "dppair.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { PLACES = 16, D = 4 * PLACES, STREAM = 1536, TEST = 1000, ALL = STREAM + TEST, BUFFER = 64 };
static const double epsilon = 1.0, delta = 1e-4, eta = 0.002; /* noise alone: |w| < 1 */
static double x[ALL][D], work[6 * STREAM * D]; /* the workspaces say how much of it they need */
static int positive[ALL];

/* A place is four columns, one of which is 1; less 1/4 each, and all of it within norm 1. */
static int read_sequences(const char *path) {
  FILE *file = fopen(path, "r");
  char label[3], letters[41];
  const double scale = 1.0 / sqrt(0.75 * PLACES) * (1.0 - 1e-15 * D);
  int i, k, ok = file != NULL;
  for (i = 0; i < ALL && ok; i++) {
    ok = fscanf(file, "%2s %40s", label, letters) == 2 && strlen(letters) == 40;
    positive[i] = strcmp(label, "n") != 0;
    for (k = 0; k < D && ok; k++) /* the middle of 40 places */
      x[i][k] = ((letters[(40 - PLACES) / 2 + k / 4] == "acgt"[k % 4] ? 1.0 : 0.0) - 0.25) * scale;
  }
  if (file != NULL) fclose(file);
  return ok;
}

static double score(const double *w, const double *row) {
  double sum = 0.0;
  for (int k = 0; k < D; k++) sum += w[k] * row[k];
  return sum;
}

/* The mean over the buffer of the gradients of the hinge, max(0, 1 - (s+ - s-)); pairs of one class
 * have none. Its slope is -1 or 0, however scores are rounded: a pair's gradient is within 2. */
static void gradient(double *g, const double *w, int t) {
  memset(g, 0, D * sizeof *g);
  for (int j = t - BUFFER; j < t; j++) {
    const double sign = positive[t] ? 1.0 : -1.0;
    if (positive[j] == positive[t]) continue;
    if (sign * (score(w, x[t]) - score(w, x[j])) >= 1.0) continue;
    for (int k = 0; k < D; k++) g[k] -= sign * (x[t][k] - x[j][k]) / BUFFER;
  }
}

/* AUC of the records after the stream, which are read without noise: NOT PRIVATE. */
static dppair_status auc(double *value, const double *w) {
  static double s[2][TEST], room[8 * TEST];
  size_t count[2] = {0, 0};
  for (int i = STREAM; i < ALL; i++) s[positive[i]][count[positive[i]]++] = score(w, x[i]);
  return dppair_auc_not_private_f64(value, s[1], count[1], s[0], count[0], room, sizeof room);
}

/* Noise for the whole pass, paid before the first record is read. The unit is the longest gradient
 * of a pair. A record is met at BUFFER + 1 steps; dppair_sensitivity_prefix adds up what it does to
 * all releases. What rounding moves is in the unit, as modules/streams/sensitivity.h says: a
 * step's gradient is off by less than e = 2 (BUFFER + 8) DBL_EPSILON, which costs 2 e BUFFER. */
static dppair_status open_stream(dppair_prefix *prefix, dppair_accountant *account, double *sigma,
                                 dppair_prefix_noise noise) {
  const double rounding = 4.0 * BUFFER * (BUFFER + 8) * DBL_EPSILON;
  dppair_stream stream = {0}; dppair_pair_unit unit = {0}; double moved = 0.0;
  stream.steps = STREAM, stream.buffer = stream.silent = BUFFER, stream.noise = noise;
  stream.adjacency = DPPAIR_REPLACE_ONE;
  unit.levels = DPPAIR_LEVELS_TWO, unit.unit = 2.0 + rounding;
  dppair_status s = dppair_sensitivity_prefix(&moved, &unit, &stream, work, sizeof work);
  if (!s) s = dppair_gaussian_sigma(sigma, moved, epsilon, delta, 1);
  if (!s) s = dppair_accountant_neighbours(account, stream.adjacency);
  if (!s) s = dppair_accountant_gaussian(account, moved, *sigma, 1);
  return s ? s : dppair_prefix_open(prefix, &stream, D, *sigma, unit.unit, work, sizeof work);
}

/* One pass. Without a generator the sums have no noise: NOT PRIVATE. */
static dppair_status pass(double *seen, dppair_prefix *prefix, dppair_rng *rng) {
  double w[D] = {0}, g[D], sum[D] = {0};
  int at = 0, t, k;
  dppair_status s = DPPAIR_OK;
  for (t = BUFFER; t < STREAM && !s; t++) {
    gradient(g, w, t);
    if (rng != NULL) s = dppair_prefix_step(sum, g, (size_t)t + 1, prefix, rng);
    for (k = 0; k < D && rng == NULL; k++) sum[k] += g[k];
    for (k = 0; k < D; k++) w[k] = -eta * sum[k]; /* may be published */
    if (!s && (t + 1) % (STREAM / 4) == 0) s = auc(&seen[at++], w);
  }
  return s;
}

/* The deviation of the last prefix sum, sigma 1: the square root's factors are 1, 1/2, 3/8, .. */
static double of_last_sum(void) {
  double sum = 0.0, factor = 1.0;
  for (int k = 1; k <= STREAM - BUFFER; k++) {
    sum += factor * factor;
    factor *= (2.0 * k - 1.0) / (2.0 * k);
  }
  return sqrt(sum);
}

int main(int argc, char **argv) {
  static const double zero[D];
  static dppair_prefix prefix; /* closed, until it is opened */
  static uint8_t key[32];
  dppair_accountant account, other;
  dppair_rng rng;
  dppair_interval price = {0};
  double sigma = 0.0, separate = 0.0, seen[4] = {0}, plain[4] = {0}, nothing = 0.0;
  const int simulation = argc == 3 && strcmp(argv[1], "--seed") == 0;
  if (argc > 1 && !simulation) return fputs("usage: streams [--seed 0..255]\n", stderr), 2;
  if (simulation)
    key[0] = (uint8_t)atoi(argv[2]),
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  if (!read_sequences("examples/data/splice.txt"))
    return fputs("streams: no examples/data/splice.txt\n", stderr), 1;
  dppair_status s = dppair_accountant_init(&account);
  if (!s) s = dppair_accountant_init(&other); /* for comparison: what independent noise would be */
  if (!s) s = open_stream(&prefix, &other, &separate, DPPAIR_PREFIX_INDEPENDENT);
  if (!s) s = open_stream(&prefix, &account, &sigma, DPPAIR_PREFIX_SQUARE_ROOT);
  if (!s) s = simulation ? dppair_rng_from_key(&rng, key, 0) : dppair_rng_from_os(&rng);
  if (!s) s = pass(seen, &prefix, &rng);
  dppair_prefix_close(&prefix); /* wipes the gradients */
  dppair_wipe(&rng, sizeof rng);
  if (!s) s = dppair_accountant_epsilon(&price, &account, delta, NULL);
  if (!s) s = pass(plain, NULL, NULL);
  if (!s) s = auc(&nothing, zero);
  if (s) return fprintf(stderr, "streams: %s\n", dppair_status_string(s)), 1;
  printf("noise of the last sum: prefix sums together %.3g, each step by itself %.3g\n",
         sigma * of_last_sum(), separate * sqrt((double)(STREAM - BUFFER)));
  printf("AUC of %d later records (evaluated without noise, so itself not private):\n", TEST);
  printf("no data                      %.3f\n", nothing);
  for (int k = 0; k < 4; k++)
    printf("private after %4d           %.3f\n", STREAM / 4 * (k + 1), seen[k]);
  for (int k = 0; k < 4; k++)
    printf("not private after %4d       %.3f\n", STREAM / 4 * (k + 1), plain[k]);
  printf("certified, at least          %.10g\n", price.lower);
  printf("epsilon at delta %g      %.10g\n", delta, price.upper);
  return fflush(stdout) != 0 || ferror(stdout);
}
