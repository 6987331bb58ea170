/* SPDX-License-Identifier: MIT */
/*
 * selection - which of sixteen scores ranks best, without paying sixteen times.
 *
 *     cc -O1 -I. -Imodules examples/problems/selection.c -lm && ./a.out      from the top folder
 *
 * A candidate is a column of examples/data/pima.csv, read upwards or downwards. A run draws one, and
 * measures with noise how it agrees with the labels over all pairs of patients (Kendall's tau). Runs are
 * repeated a random number of times, and the best one is released with its figure. That costs about
 * three runs, were there a thousand candidates.
 *
 * public      how many patients there are, the candidates, the law of the number of runs
 * neighbours  one patient is replaced; (epsilon, delta) = (1, 1e-5)
 */
#include "dppair_selection.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 768, D = 8, CANDIDATES = 2 * D };
static const char *const column[D] = {"pregnant", "glucose", "pressure", "triceps",
                                      "insulin",  "mass",    "pedigree", "age"};
static const double eta = 1.0, runs = 40.0, delta = 1e-5; /* geometric, 40 runs in the mean */
static double x[N][D], y[N];

/* The mean over all pairs of the sign of (x - x')(y - y'): within [-1, 1]. */
static double tau_not_private(int candidate) {
  const int k = candidate / 2;
  double sum = 0.0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++) {
      const double both = (x[i][k] - x[j][k]) * (y[i] - y[j]);
      sum += (both > 0.0) - (both < 0.0);
    }
  return (candidate % 2 ? -1.0 : 1.0) * sum / (0.5 * N * (N - 1));
}

/* An account of one run with this noise, and what the best of all runs costs. */
static dppair_status price(double *epsilon, dppair_accountant *run, double gamma, double move, double sigma) {
  dppair_interval cost;
  dppair_status s = dppair_accountant_init(run);
  if (!s) s = dppair_accountant_neighbours(run, DPPAIR_REPLACE_ONE);
  if (!s) s = dppair_accountant_gaussian(run, move, sigma, 1);
  if (!s) s = dppair_selection_epsilon(&cost, run, eta, gamma, delta, NULL);
  *epsilon = s ? HUGE_VAL : cost.upper;
  return s;
}

/* The best of a random number of runs. */
static dppair_status best_of_runs(int *best, double *figure, double gamma, double sigma, dppair_rng *rng) {
  uint64_t count = 0;
  dppair_status s = dppair_draw_runs(&count, eta, gamma, rng); /* secret */
  *best = -1, *figure = -HUGE_VAL;
  for (uint64_t t = 0; t < count && !s; t++) {
    double u, measured;
    s = dppair_rng_uniform_f64(&u, rng);
    const int candidate = (int)(CANDIDATES * u);
    measured = tau_not_private(candidate);
    if (!s) s = dppair_add_gaussian_f64(&measured, 1, sigma, rng);
    if (!s && measured > *figure) *best = candidate, *figure = measured;
  }
  return s;
}

int main(int argc, char **argv) {
  static uint8_t key[32];
  const dppair_sampling all = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  dppair_pair_unit pair = {0};
  dppair_rng rng;
  dppair_accountant account, run;
  double gamma = 1.0, move = 0.0, low = 0.0, sigma = 1.0, epsilon = 0.0, figure = 0.0, top = -1.0;
  int best = 0, first = 0;
  dppair_status s = dppair_rng_from_os(&rng);
  if (argc == 3 && strcmp(argv[1], "--seed") == 0)
    key[0] = (uint8_t)atoi(argv[2]), s = dppair_rng_from_key(&rng, key, 0),
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  else if (argc > 1)
    return fputs("usage: selection [--seed 0..255]\n", stderr), 2;
  FILE *file = fopen("examples/data/pima.csv", "r"); /* a header; then label,eight numbers */
  int there = file != NULL && fscanf(file, "%*[^\n]") == 0;
  for (int i = 0; i < N && there; i++) {
    there = fscanf(file, "%lf", &y[i]) == 1;
    for (int k = 0; k < D && there; k++) there = fscanf(file, ",%lf", &x[i][k]) == 1;
  }
  if (!there || fclose(file) != 0) return fputs("selection: no examples/data/pima.csv\n", stderr), 1;
  if (!s) s = dppair_selection_gamma(&gamma, eta, runs);
  pair.levels = DPPAIR_LEVELS_ANY, pair.unit = 2.0; /* both orders of a pair, at most 1 each */
  if (!s) s = dppair_sensitivity(&move, &pair, &all);
  for (int i = 0; i < 40 && !s; i++) { /* the least noise for epsilon 1 */
    const double middle = 0.5 * (low + sigma);
    s = price(&epsilon, &run, gamma, move, middle);
    if (epsilon <= 1.0) sigma = middle;
    else low = middle;
  }
  if (!s) s = price(&epsilon, &run, gamma, move, sigma);
  if (!s) s = dppair_accountant_init(&account);
  if (!s) s = dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE);
  if (!s) s = dppair_accountant_selection(&account, &run, eta, gamma, delta, NULL); /* pays */
  if (!s) s = best_of_runs(&best, &figure, gamma, sigma, &rng);
  dppair_wipe(&rng, sizeof rng);
  if (s) return fprintf(stderr, "selection: %s\n", dppair_status_string(s)), 1;
  printf("no data                      any of %d\n", CANDIDATES);
  printf("private                      %s %s: %.3f, noise of sigma %.3f\n", column[best / 2],
         best % 2 ? "downwards" : "upwards", figure, sigma);
  for (int c = 0; c < CANDIDATES; c++)
    if (tau_not_private(c) > top) first = c, top = tau_not_private(c);
  printf("not private                  %s %s: %.3f\n", column[first / 2],
         first % 2 ? "downwards" : "upwards", top);
  printf("guarantee: (epsilon, delta) = (%.10g, %g) if one of %d patients is replaced\n"
         "public: their number, the candidates, how many runs are expected; not how many there were\n",
         epsilon, delta, N);
  return fflush(stdout) != 0 || ferror(stdout);
}
