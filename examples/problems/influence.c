/* SPDX-License-Identifier: MIT */
/*
 * influence - which patients does a ranking hang on, and how good is it on patients it has not seen?
 *
 *     cc -O1 -I. -Imodules examples/problems/influence.c -lm && ./a.out      from the top folder
 *
 * NOT PRIVATE: every figure here reads the records and adds no noise. It is for whoever may see them:
 * to find records that are wrong, and to know what one of them changes.
 *
 * A ranking of 768 patients by their risk of diabetes (examples/data/pima.csv) is learned from all
 * pairs. What each of them does to it is then computed for all at once, without learning again; for
 * the three who do most it is compared with learning again. Scores by the model without the own
 * record give the AUC that patients who were not seen would have.
 */
#include "dppair_influence.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

enum { MOST = 1000, D = 8, SHOWN = 3 };
static const double low[D] = {0, 40, 40, 5, 0, 15, 0, 20};
static const double high[D] = {12, 250, 120, 60, 400, 60, 1.5, 80};
static const double ridge = 0.01;
static double x[MOST][D], others[MOST][D], w[D], change[MOST][D], score[MOST];
static double work[40 * MOST], room[2][60000];
static int line[MOST]; /* of a record in the file, from 1 */
static size_t n, up;   /* records, and how many of them are positive: they stand first */
static dppair_curvature sums[2];
static dppair_influence problem;

/* The table examples/data/pima.csv: its header, then a label and eight numbers a line. */
static int read_table(const char *path) {
  static double row[MOST][D], label[MOST];
  FILE *file = fopen(path, "r");
  int ok = file != NULL && fscanf(file, "%*[^\n]") == 0;
  for (n = 0; ok && n < MOST && fscanf(file, "%lf", &label[n]) == 1; n++)
    for (int k = 0; k < D && ok; k++) {
      ok = fscanf(file, ",%lf", &row[n][k]) == 1;
      row[n][k] = 2.0 * (fmin(fmax(row[n][k], low[k]), high[k]) - low[k]) / (high[k] - low[k]) - 1.0;
      row[n][k] /= sqrt((double)D);
    }
  if (file != NULL) fclose(file);
  for (int positive = 1; positive >= 0; positive--)
    for (size_t i = 0, at = positive ? 0 : up; i < n; i++) {
      if ((label[i] > 0.0) != positive) continue;
      memcpy(x[at], row[i], sizeof x[at]);
      line[at++] = (int)i + 1;
      if (positive) up = at;
    }
  return ok && up > 1 && up < n;
}

/* Near-linear sums of slopes (order 1) and of curvatures (2), which `problem` then names. */
static dppair_status prepare(void) {
  const double cap = 2.0 * sqrt(log(2.0) / ridge) + 1.0; /* no minimiser has larger scores */
  dppair_status s = DPPAIR_OK;
  for (int order = 1; order <= 2 && !s; order++)
    s = rank_curvature_init(&sums[order - 1], n, order, DPPAIR_ACCURACY_1E9, cap, NULL,
                            room[order - 1], sizeof room[order - 1]);
  problem.risk = DPPAIR_INFLUENCE_IND; /* phi of the difference of a positive's and a negative's score */
  problem.ridge = ridge;
  problem.renormalised = 1; /* without a record the mean is over the other pairs */
  problem.slopes = &sums[0], problem.curves = &sums[1];
  return s;
}

/* at = the minimiser without record i, learned again. */
static dppair_status retrain(double *at, size_t i) {
  dppair_rows_f64 rows = dppair_rows_make_f64(others[0], n - 1, D, D);
  double gradient;
  memcpy(others, x, i * sizeof *x);
  memcpy(others[i], x[i + 1], (n - 1 - i) * sizeof *x);
  rows.positives = up - (i < up);
  memcpy(at, w, sizeof w);
  return rank_minimiser_not_private(at, &gradient, &rows, &problem, 1e-9, 50, work, sizeof work);
}

/* The AUC of all scores, each by w, or by what w would be without its own record. */
static dppair_status print_auc(const char *name, int without) {
  static double space[8 * MOST];
  double auc;
  for (size_t i = 0; i < n; i++) {
    score[i] = 0.0;
    for (int k = 0; k < D; k++) score[i] += x[i][k] * (w[k] + (without ? change[i][k] : 0.0));
  }
  const dppair_status s =
      dppair_auc_not_private_f64(&auc, score, up, score + up, n - up, space, sizeof space);
  if (!s) printf("%-40s %.4f\n", name, auc);
  return s;
}

int main(int argc, char **argv) {
  double gradient, error, again[D];
  (void)argv;
  if (argc > 1) return fputs("usage: influence\n", stderr), 2;
  if (!read_table("examples/data/pima.csv"))
    return fputs("influence: no examples/data/pima.csv\n", stderr), 1;
  dppair_rows_f64 rows = dppair_rows_make_f64(x[0], n, D, D);
  rows.positives = up;
  printf("NOT PRIVATE: every figure here reads the records and adds no noise\n");
  dppair_status s = prepare();
  if (!s)
    s = rank_minimiser_not_private(w, &gradient, &rows, &problem, 1e-9, 50, work, sizeof work);
  if (!s)
    s = rank_influence_not_private(change[0], &error, &rows, w, &problem, work, sizeof work);
  if (!s) s = print_auc("AUC of the records themselves", 0);
  if (!s) s = print_auc("each score without its own record", 1);
  printf("%-40s %9s  %9s\n", "without it the weights move by", "estimated", "retrained");
  for (int shown = 0; shown < SHOWN && !s; shown++) {
    double moved = -1.0, truth = 0.0;
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
      const double size = dppair_norm_f64(change[i], D);
      if (size > moved) moved = size, most = i;
    }
    s = retrain(again, most);
    for (int k = 0; k < D; k++) truth += (again[k] - w[k]) * (again[k] - w[k]), change[most][k] = 0.0;
    printf("line %3d, %-30s %9.5f  %9.5f\n", line[most], most < up ? "diabetes" : "no diabetes", moved,
           sqrt(truth));
  }
  if (s) return fprintf(stderr, "influence: %s\n", dppair_status_string(s)), 1;
  printf("the estimates solve their equations to within %.0e\n", error);
  return fflush(stdout) != 0 || ferror(stdout);
}
