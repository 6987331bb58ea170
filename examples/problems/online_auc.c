/* SPDX-License-Identifier: MIT */
/*
 * online_auc - learns to rank in one pass over a stream, and publishes every weight on the way.
 *
 *     cc -O1 -I. examples/problems/online_auc.c -lm -o online_auc && ./online_auc
 *
 * Records are DNA sequences (examples/data/splice.txt, UCI): does the middle hold a splice junction?
 * Record t is met by the BUFFER records before it, of which nothing older is kept. Its mean pair
 * gradient goes into a prefix sum with noise, and w_t = -eta (that sum) may be published at once.
 *
 * Public: how many records come, their order, the alphabet, the buffer, the step size.
 * Neighbours: one record of the stream is replaced by any other (replace-one).
 */
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PLACES = 20, D = 4 * PLACES, STREAM = 2048, TEST = 1138, ALL = STREAM + TEST, BUFFER = 64 };
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
 * have none. Its slope is -1 or 0, however scores were rounded: a pair's gradient is at most 2 long. */
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
 * all releases. What rounding moves is in the unit, as accountant/streams.h says: a step's gradient
 * is off by less than e = 2 (BUFFER + 8) DBL_EPSILON, which costs 2 e BUFFER. */
static dppair_status open_stream(dppair_prefix *prefix, dppair_accountant *account, double *sigma,
                                 dppair_prefix_noise noise) {
  const dppair_stream stream = {STREAM, BUFFER, BUFFER, noise, DPPAIR_REPLACE_ONE};
  const double rounding = 4.0 * BUFFER * (BUFFER + 8) * DBL_EPSILON;
  const dppair_pair_unit unit = {DPPAIR_LEVELS_TWO, 2.0 + rounding, 0.0, 0.0, 0};
  double moved = 0.0;
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

int main(void) {
  static const double zero[D];
  dppair_accountant account, other;
  static dppair_prefix prefix; /* closed, until it is opened */
  dppair_rng rng;
  dppair_interval price = {0};
  double last = 0.0, factor = 1.0, sigma = 0.0, separate = 0.0;
  double seen[4] = {0}, plain[4] = {0}, nothing = 0.0;
  if (!read_sequences("examples/data/splice.txt")) {
    fprintf(stderr, "online_auc: examples/data/splice.txt: run from the top folder\n");
    return 1;
  }
  dppair_status s = dppair_accountant_init(&account);
  if (!s) s = dppair_accountant_init(&other); /* for comparison: what independent noise would be */
  if (!s) s = open_stream(&prefix, &other, &separate, DPPAIR_PREFIX_INDEPENDENT);
  if (!s) s = open_stream(&prefix, &account, &sigma, DPPAIR_PREFIX_SQUARE_ROOT);
  if (!s) s = dppair_rng_from_os(&rng);
  if (!s) s = pass(seen, &prefix, &rng);
  dppair_prefix_close(&prefix); /* wipes the gradients */
  dppair_wipe(&rng, sizeof rng);
  if (!s) s = dppair_accountant_certify(&price, &account, delta, NULL, 0);
  if (!s) s = pass(plain, NULL, NULL);
  if (!s) s = auc(&nothing, zero);
  if (s) {
    fprintf(stderr, "online_auc: %s\n", dppair_status_string(s));
    return 1;
  }
  for (int k = 1; k <= STREAM - BUFFER; k++) { /* the square root's factors: 1, 1/2, 3/8, .. */
    last += factor * factor;
    factor *= (2.0 * k - 1.0) / (2.0 * k);
  }
  printf("splice junctions, one pass: %d records in the order of the file, buffer %d, %d columns\n"
         "public: the number of records and their order, the alphabet, buffer and step size; every w_t\n"
         "neighbours: one record replaced; delta = %g, epsilon certified in [%.9f, %.9f], for all w_t\n"
         "noise of each release %.3g, and %.2g of the last sum (independent noise: %.2g)\n\n"
         " records    AUC, private w_t     same pass without noise (NOT PRIVATE)     no data\n",
         STREAM, BUFFER, D, delta, price.lower, price.upper, sigma, sigma * sqrt(last),
         separate * sqrt((double)(STREAM - BUFFER)));
  for (int k = 0; k < 4; k++)
    printf("   %4d           %.3f                    %.3f                           %.3f\n",
           STREAM / 4 * (k + 1), seen[k], plain[k], nothing);
  printf("\nAll AUCs are of %d other records, read without noise: NOT PRIVATE.\n", TEST);
  return 0;
}
