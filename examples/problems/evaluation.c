/* SPDX-License-Identifier: MIT */
/*
 * evaluation - how good is a score on patients who may not be published?
 *
 *     cc -O1 -I. -Imodules examples/problems/evaluation.c -lm && ./a.out     from the top folder
 *
 * The score is plasma glucose alone, the label whether diabetes came (examples/data/pima.csv). Its AUC is
 * released with noise, and with an interval for the AUC among all such patients, which counts the
 * noise and the draw of these ones.
 *
 * public      how many patients; the score; the confidence
 * neighbours  one patient is replaced; epsilon = 1, delta = 0 for the answer
 */
#include "dppair_evaluation.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { MOST = 1000, D = 8, GLUCOSE = 1 };
static double x[MOST][D], y[MOST], score[MOST], work[40 * MOST];
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

int main(int argc, char **argv) {
  static const uint8_t nonce[16] = {1};
  static uint8_t key[32];
  const int simulation = argc == 3 && strcmp(argv[1], "--seed") == 0;
  const dppair_release_keys fixed = {key, nonce};
  dppair_accountant account;
  dppair_evaluation auc;
  dppair_release release;
  dppair_plan plan;
  double truth = 0.0, negative[MOST], positive[MOST];
  size_t bytes, count[2] = {0, 0};
  if (argc > 1 && !simulation) return fputs("usage: evaluation [--seed 0..255]\n", stderr), 2;
  if (simulation)
    key[0] = (uint8_t)atoi(argv[2]),
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  if (!read_table("examples/data/pima.csv"))
    return fputs("evaluation: no examples/data/pima.csv\n", stderr), 1;
  for (size_t i = 0; i < n; i++) {
    score[i] = x[i][GLUCOSE];
    if (y[i] > 0.0) positive[count[1]++] = score[i];
    else negative[count[0]++] = score[i];
  }
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
  plan.epsilon = 1.0;
  plan.noise = DPPAIR_LAPLACE;
  plan.steps = 1;
  dppair_status s = dppair_accountant_init(&account);
  if (!s) s = dppair_evaluate_workspace(&bytes, n, 0);
  if (!s && bytes > sizeof work) s = DPPAIR_ERR_WORKSPACE;
  if (!s) s = dppair_release_open(&release, &account, &plan, simulation ? &fixed : NULL);
  if (!s) s = dppair_evaluate_auc(&auc, &release, score, y, n, NULL, work, sizeof work);
  if (!s) dppair_release_close(&release);
  if (!s)
    s = dppair_auc_not_private_f64(&truth, positive, count[1], negative, count[0], work,
                                   sizeof work);
  if (s) return fprintf(stderr, "evaluation: %s\n", dppair_status_string(s)), 1;
  printf("AUC of glucose, of %d patients, epsilon 1:\n", (int)n);
  printf("no data                      0.5\n");
  printf("private                      %.4f\n", auc.value);
  printf("95 percent, from             %.4f\n", auc.lower);
  printf("95 percent, to               %.4f\n", auc.upper);
  printf("not private                  %.4f\n", truth);
  return fflush(stdout) != 0 || ferror(stdout);
}
