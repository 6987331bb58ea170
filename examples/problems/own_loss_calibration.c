/* SPDX-License-Identifier: MIT */
/*
 * own_loss_calibration - a loss of your own: declared, checked, its noise found, trained with.
 *
 *     cc -O1 -I. examples/problems/own_loss_calibration.c -lm && ./a.out   from the top folder
 *
 * Noise hides the steepest slope of a loss. The logistic loss pulls with half of that where a run
 * begins; the one here, ln(1 + e^(3 - 3u))/3, with 0.95 of it, and it is smooth, as no hinge is.
 *
 * public      how many records there are, the columns' ranges, the loss, its constants, the steps
 * neighbours  one training record is replaced; (epsilon, delta) = (1, 1e-4) for each run by itself
 */
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define eager_U(u) DPV_MUL(DPV_SET(3), DPV_SUB(DPV_SET(1), u))
#define eager_KIND dppair_pairs
#define eager_VALUE(u, p) DPV_DIV(DPV_SOFTPLUS(eager_U(u)), DPV_SET(3))
#define eager_SLOPE(u, p) DPV_NEG(DPV_SIGMOID(eager_U(u)))
#define eager_RANGE (eager_range, DPPAIR_IS_CONVEX | DPPAIR_IS_MONOTONE | DPPAIR_IS_SMOOTH)
static double steepest = 1.0, curvature = 0.75; /* -1 <= phi' <= 0, phi'' = 3 s (1 - s) <= 3/4 */
static void eager_range(dppair_range *r, const dppair_margins *margins, const double *params) {
  (void)margins, (void)params; /* at all margins; what is not said counts as unbounded */
  r->down = steepest, r->up = 0.0, r->curvature = curvature;
}
#define DPPAIR_NAME own
#define DPPAIR_REAL double
#define DPPAIR_LOSS eager
#include "dppair.h"
#define DPPAIR_NAME logistic
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME hinge
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
enum { ALL = 768, N = 512, D = 8, STEPS = 4, RUNS = 6 };
static const double low[D] = {0, 40, 40, 5, 0, 15, 0, 20};
static const double high[D] = {12, 250, 120, 60, 400, 60, 1.5, 80};
static double x[ALL][D], factor[N], work[8 * ALL];
static size_t test_positives; /* they stand first among the records that are not learned from */
static dppair_rows_f64 rows;  /* the N, positives first */
static const dppair_options options = {NULL, NULL, NULL, NULL, work, sizeof work, NULL};
static const dppair_bounds bounds = {1.0, HUGE_VAL, 0.0, 0.0, 0.0}; /* |x| <= 1, any w */
static dppair_plan plan; /* what is not asked for is 0 */
static uint8_t key[32], nonce[DPPAIR_NONCE_SIZE]; /* of a simulation */
static const dppair_release_keys replay = {key, nonce}, *keys; /* NULL: those of the system */
static const struct loss {
  const char *name;
  dppair_loss_facts facts;
  dppair_status (*release)(double *, dppair_release *, const dppair_rows_f64 *, const double *,
                           const dppair_options *);
} losses[3] = {{"logistic", DPPAIR_FACTS(dppair_logistic), logistic_release},
               {"hinge", DPPAIR_FACTS(dppair_hinge), hinge_release},
               {"own", DPPAIR_FACTS(eager), own_release}};

/* Are slopes at margins within 10 what is declared? The library, too, tries 16 that are reached. */
static int is_true(const char *what) {
  static double u[4001], slope[4001], zero, move;
  int lies = 0;
  for (int i = 0; i <= 4000; i++) u[i] = (i - 2000) / 200.0;
  dppair_status s = own_coeffs(slope, &move, u, 4001, &zero, 1, NULL);
  for (int i = 0; i <= 4000 && !s; i++) {
    lies += !(-slope[i] <= steepest && slope[i] <= 0.0);
    lies += i > 0 && !(fabs(slope[i] - slope[i - 1]) <= curvature / 200.0 * (1.0 + 1e-9));
  }
  if (!s) s = own_sensitivity(&move, D, &bounds, &plan.sampling, &options);
  printf("declared %s: %d checks fail; the library: %s\n", what, lies, dppair_status_string(s));
  return lies == 0 && s == DPPAIR_OK;
}

/* The AUC of w after the plan's releases, of records that are read without noise: NOT PRIVATE. */
static dppair_status train(double *auc, const struct loss *l) {
  static double score[ALL], room[8 * ALL];
  static dppair_release release;
  dppair_accountant account;
  double w[D] = {0}, g[D];
  dppair_status s = dppair_accountant_init(&account);
  if (!s && plan.steps > 0) s = dppair_release_open(&release, &account, &plan, keys);
  for (size_t t = 0; t < plan.steps && !s; t++) {
    s = l->release(g, &release, &rows, w, &options);
    for (int k = 0; k < D && !s; k++) w[k] -= 10.0 * g[k];
  }
  dppair_release_close(&release);
  for (int i = N; i < ALL; i++)
    for (int k = 0; k < D; k++) score[i] = (k > 0 ? score[i] : 0.0) + w[k] * x[i][k];
  return s ? s
           : dppair_auc_not_private_f64(auc, score + N, test_positives, score + N + test_positives,
                                        ALL - N - test_positives, room, sizeof room);
}

/* Reads records [from, to), positives in front; 0: no such data. */
static int load(FILE *file, size_t from, size_t to, size_t *count) {
  double y, value, *row;
  size_t up = from, down = to;
  while (up < down && fscanf(file, "%lf", &y) == 1) {
    row = y > 0.0 ? x[up++] : x[--down];
    for (int k = 0; k < D && fscanf(file, ",%lf", &value) == 1; k++)
      row[k] = 2.0 * (fmin(fmax(value, low[k]), high[k]) - low[k]) / (high[k] - low[k]) - 1.0;
  }
  *count = up - from;
  return up == down;
}

int main(int argc, char **argv) {
  size_t positives;
  double sigma, auc = 0.0;
  if (argc == 3 && strcmp(argv[1], "--seed") == 0)
    key[0] = (uint8_t)atoi(argv[2]), keys = &replay,
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  else if (argc > 1)
    return fputs("usage: own_loss_calibration [--seed 0..255]\n", stderr), 2;
  FILE *file = fopen("examples/data/pima.csv", "r"); /* a header; then label,eight numbers */
  if (file == NULL || fscanf(file, "%*[^\n]") != 0 || !load(file, 0, N, &positives) ||
      !load(file, N, ALL, &test_positives))
    return fputs("own_loss_calibration: no examples/data/pima.csv\n", stderr), 1;
  fclose(file);
  dppair_status s = dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1.0);
  rows.positives = positives;
  plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  int wrong = (steepest = 0.9, is_true("too flat"));
  steepest = 1.0, curvature = 0.7, wrong |= is_true("too straight");
  curvature = 0.75, wrong |= !is_true("as it is");
  if (wrong) return fputs("a wrong constant passes, or a true one fails\n", stderr), 1;
  if (!s) s = train(&auc, &losses[2]); /* of no steps yet: w = 0 */
  printf("AUC, mean of %d runs, without noise: itself not private\nno data %25.3f\n", RUNS, auc);
  plan.epsilon = 1.0, plan.delta = 1e-4, plan.steps = STEPS;
  for (int i = 0; i < 3 && !s; i++) {
    double mean = 0.0;
    dppair_constants k;
    s = dppair_constants_find(&k, DPPAIR_MARGIN_ind, &losses[i].facts, NULL, &bounds);
    if (!s) s = dppair_gaussian_sigma(&sigma, k.replace_one / N, plan.epsilon, plan.delta, STEPS);
    for (int r = 0; r < RUNS && !s; r++, mean += auc / RUNS)
      nonce[0] = (uint8_t)r, s = train(&auc, &losses[i]);
    if (!s) printf("private, %-19s %.3f\n", losses[i].name, mean);
    if (!s) printf("  slopes within %g, smooth %g, noise %.4f\n", k.slope, k.smoothness, sigma);
  }
  plan.epsilon = plan.delta = 0.0, plan.noise_multiplier = 1e-6, plan.steps = 10 * STEPS;
  if (!s) s = train(&auc, &losses[2]); /* next to no noise: NOT PRIVATE */
  if (!s) printf("not private, own             %.3f\n", auc);
  if (s) fprintf(stderr, "own_loss_calibration: %s\n", dppair_status_string(s));
  return s != DPPAIR_OK || fflush(stdout) != 0 || ferror(stdout);
}
