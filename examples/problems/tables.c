/* SPDX-License-Identifier: MIT */
/*
 * tables - describes a private table: the medians of all its columns, from one release.
 *
 *     cc -O1 -I. -Imodules examples/problems/tables.c -lm && ./a.out         from the top folder
 *
 * Patients (examples/data/pima.csv). One release has the histograms of all eight columns together and the
 * number of positives; whatever is computed from them afterwards is free.
 *
 * public      how many patients; the columns' names and ranges, which were declared before
 * neighbours  one patient is replaced; (epsilon, delta) = (1, 1e-5) for the whole table
 */
#include "dppair_tables.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { MOST = 1000, D = 8, SIDE = 24, ALL = 2 * SIDE * D + 1 };
static const char *const name[D] = {"pregnant", "glucose", "pressure", "triceps",
                                    "insulin",  "mass",    "pedigree", "age"};
static const double low[D] = {0, 40, 20, 0, 0, 10, 0, 18};
static const double high[D] = {12, 250, 140, 80, 600, 70, 2, 90};
static double x[MOST][D], y[MOST], v[ALL], h[ALL], work[200000];
static size_t n;

/* The table examples/data/pima.csv: its header, then a label and eight numbers a line. */
static int read_table(const char *path) {
  FILE *file = fopen(path, "r");
  int ok = file != NULL && fscanf(file, "%*[^\n]") == 0;
  for (n = 0; ok && n < MOST && fscanf(file, "%lf", &y[n]) == 1; n++)
    for (int k = 0; k < D && ok; k++) ok = fscanf(file, ",%lf", &x[n][k]) == 1;
  if (file != NULL) fclose(file);
  return ok && n > 1;
}

static int ascending(const void *a, const void *b) {
  const double u = *(const double *)a, w = *(const double *)b;
  return (u > w) - (u < w);
}

int main(int argc, char **argv) {
  static const uint8_t nonce[16] = {1};
  static uint8_t key[32];
  const int simulation = argc == 3 && strcmp(argv[1], "--seed") == 0;
  const dppair_release_keys fixed = {key, nonce};
  dppair_column columns[D];
  const dppair_marginals query = {columns, D, SIDE, 0.0, 0.0, 1.0};
  dppair_accountant account;
  dppair_release release;
  dppair_plan plan;
  dppair_cells cells;
  size_t start[D + 2];
  if (argc > 1 && !simulation) return fputs("usage: tables [--seed 0..255]\n", stderr), 2;
  if (simulation)
    key[0] = (uint8_t)atoi(argv[2]),
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  if (!read_table("examples/data/pima.csv"))
    return fputs("tables: no examples/data/pima.csv\n", stderr), 1;
  memset(columns, 0, sizeof columns);
  for (int j = 0; j < D; j++)
    columns[j].kind = DPPAIR_COLUMN_NUMERIC, columns[j].low = low[j], columns[j].high = high[j];
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
  plan.epsilon = 1.0, plan.delta = 1e-5, plan.steps = 1;
  dppair_status s = dppair_accountant_init(&account);
  if (!s) s = dppair_marginals_layout(start, &query);
  if (!s) s = dppair_release_open(&release, &account, &plan, simulation ? &fixed : NULL);
  if (!s)
    s = dppair_release_marginals(v, start[D + 1], &release, &query, x[0], y, NULL, n, work,
                                 sizeof work);
  if (!s) /* from here on nothing is private: v may be published */
    s = dppair_marginals_estimate(h, NULL, NULL, v, start[D + 1], &query, n, release.sigma, 1, work,
                                  sizeof work);
  dppair_release_close(&release);
  if (s) return fprintf(stderr, "tables: %s\n", dppair_status_string(s)), 1;
  printf("medians of %d patients, epsilon 1 for all of them:\n", (int)n);
  printf("%-12s %10s %12s\n", "column", "private", "not private");
  for (int j = 0; j < D && !s; j++) {
    s = dppair_cells_make(&cells, low[j], high[j], SIDE);
    for (size_t i = 0; i < n; i++) work[i] = x[i][j];
    qsort(work, n, sizeof *work, ascending);
    if (!s)
      printf("%-12s %10.4g %12.4g\n", name[j], dppair_cells_quantile(&cells, h + start[j], 0.5),
             work[n / 2]);
  }
  printf("share of positives           %.3f\n", h[start[D]]);
  return s || fflush(stdout) != 0 || ferror(stdout);
}
