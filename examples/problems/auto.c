/* SPDX-License-Identifier: MIT */
/*
 * auto - who is at risk? A private ranking score of a table, without a choice to make.
 *
 *     cc -O1 -I. -Imodules examples/problems/auto.c -lm && ./a.out           from the top folder
 *
 * Patients (examples/data/pima.csv), of whom the first 512 are learned from. The program declares a range
 * for each column; the fit finds everything else privately and charges the account before it reads a record.
 *
 * public      how many patients; the columns' names and ranges, which were declared before
 * neighbours  one patient of the 512 is replaced; (epsilon, delta) = (1, 1e-3) for the model
 *
 * The model may be published. The AUCs below may not: they read the other 256 patients without noise, and the
 * last row is of a fit that hides nothing.
 */
#include "dppair_auto.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 768, TRAIN = 512, REST = N - TRAIN, D = 8 };
static const char *const name[D] = {"pregnant", "glucose", "pressure", "triceps",
                                    "insulin",  "mass",    "pedigree", "age"};
static const double low[D] = {0, 40, 40, 5, 0, 15, 0, 20};
static const double high[D] = {12, 250, 120, 60, 400, 60, 1.5, 80};
static double x[N][D], y[N];
static dppair_column columns[D];
static dppair_auto_map map[D];
static dppair_auto_model model;

/* The table examples/data/pima.csv: its header, then a label and eight numbers a line. */
static int read_table(const char *path) {
  FILE *file = fopen(path, "r");
  int ok = file != NULL && fscanf(file, "%*[^\n]") == 0;
  for (int i = 0; i < N && ok; i++) {
    ok = fscanf(file, "%lf", &y[i]) == 1;
    for (int k = 0; k < D && ok; k++) ok = fscanf(file, ",%lf", &x[i][k]) == 1;
  }
  if (file != NULL) fclose(file);
  return ok;
}

/* The model of the first 512 patients. keys: NULL for noise of the system. */
static dppair_status fit(double epsilon, const dppair_release_keys *keys) {
  dppair_accountant account;
  dppair_plan plan;
  size_t bytes = 0;
  void *work;
  dppair_status s = dppair_accountant_init(&account);
  memset(&plan, 0, sizeof plan); /* unset fields are 0 */
  plan.sampling = dppair_sampling_all(TRAIN, DPPAIR_REPLACE_ONE);
  plan.epsilon = epsilon, plan.delta = 1e-3; /* less than 1/512 */
  model.map = map;
  if (!s) s = dppair_auto_workspace(&bytes, TRAIN, D, columns);
  work = malloc(bytes + 1);
  if (!s && work == NULL) s = DPPAIR_ERR_OVERFLOW;
  if (!s) s = dppair_auto_fit(&model, &account, &plan, keys, x[0], y, TRAIN, D, columns, work, bytes);
  free(work);
  return s;
}

/* The AUC of the model on the 256 patients that it has not seen: not private. */
static dppair_status auc_of_the_rest(double *auc) {
  double score[REST], positive[REST], negative[REST], work[4 * REST + 64];
  size_t count[2] = {0, 0};
  dppair_status s = dppair_auto_score(score, &model, x[TRAIN], REST);
  for (int i = 0; i < REST; i++) {
    if (y[TRAIN + i] > 0.0) positive[count[1]++] = score[i];
    else negative[count[0]++] = score[i];
  }
  if (!s) s = dppair_auc_not_private_f64(auc, positive, count[1], negative, count[0], work, sizeof work);
  return s;
}

int main(int argc, char **argv) {
  static const uint8_t nonce[16] = {1};
  static uint8_t key[32];
  const int simulation = argc == 3 && strcmp(argv[1], "--seed") == 0;
  const dppair_release_keys fixed = {key, nonce};
  double private_auc = 0.0, auc = 0.0, rho;
  if (argc > 1 && !simulation) return fputs("usage: auto [--seed 0..255]\n", stderr), 2;
  if (simulation)
    key[0] = (uint8_t)atoi(argv[2]),
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  if (!read_table("examples/data/pima.csv"))
    return fputs("auto: no examples/data/pima.csv\n", stderr), 1;
  for (int j = 0; j < D; j++)
    columns[j].kind = DPPAIR_COLUMN_NUMERIC, columns[j].low = low[j], columns[j].high = high[j];
  dppair_status s = fit(1.0, simulation ? &fixed : NULL);
  if (!s) s = auc_of_the_rest(&private_auc);
  if (s) return fprintf(stderr, "auto: %s\n", dppair_status_string(s)), 1;
  rho = model.rho;
  printf("the score of each column, from its least to its largest value:\n");
  for (int j = 0; j < D; j++) {
    double least = map[j].value[0], most = least;
    for (size_t k = 1; k < map[j].knots; k++) {
      if (map[j].value[k] < least) least = map[j].value[k];
      if (map[j].value[k] > most) most = map[j].value[k];
    }
    printf("%-12s %8.3f %8.3f\n", name[j], least, most);
    for (unsigned bit = 1; bit <= DPPAIR_AUTO_FLAT; bit *= 2)
      if (map[j].warnings & bit) printf("  warning: %s\n", dppair_auto_warning_string(bit));
  }
  s = fit(1000.0, simulation ? &fixed : NULL); /* the same fit, with next to no noise */
  if (!s) s = auc_of_the_rest(&auc);
  if (s) return fprintf(stderr, "auto: %s\n", dppair_status_string(s)), 1;
  printf("AUC of the %d patients that were not learned from:\n", REST);
  printf("no data                      0.5\n");
  printf("private, epsilon 1           %.4f\n", private_auc);
  printf("not private                  %.4f\n", auc);
  printf("rho, 10 or more              %.0f\n", rho);
  return fflush(stdout) != 0 || ferror(stdout);
}
