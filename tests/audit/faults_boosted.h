/* SPDX-License-Identifier: MIT */
/* Mistakes around boosting: sums of residuals over the leaves of one column at a time. */
#ifndef AUDIT_FAULTS_BOOSTED_H
#define AUDIT_FAULTS_BOOSTED_H

#include "faults_plans.h"

enum {
  RESIDUAL_ADDED = 1,
  LEAF_MEANS,
  CUT_AT_MEAN,
  BEGINS_AT_RATE,
  RANGE_OF_SCORES,
  RANGE_AT_ZERO
};

/* What a score may be: of any record, or, by mistake, of those that there are. */
static void score_range(double *low, double *high, double f[D][2], const records *r, int fault) {
  *low = *high = 0.0;
  if (fault == RANGE_AT_ZERO) return;
  for (int j = 0; j < D; j++) {
    *low += fmin(f[j][0], f[j][1]);
    *high += fmax(f[j][0], f[j][1]);
  }
  if (fault != RANGE_OF_SCORES) return;
  *low = HUGE_VAL, *high = -HUGE_VAL;
  for (int i = 0; i < N; i++) {
    const double s = f[0][r->x[i][0] > 0.0] + f[1][r->x[i][1] > 0.0];
    *low = fmin(*low, s), *high = fmax(*high, s);
  }
}

/* Where a column is cut, and the score that all begin with. */
static void boosted_begin(double cut[D], double *base, const records *r, int fault) {
  double positives = 0.5;
  *base = 0.0;
  cut[0] = cut[1] = 0.0;
  for (int i = 0; i < N; i++) positives += r->positive[i];
  if (fault == BEGINS_AT_RATE) *base = log(positives / (N + 1.0 - positives));
  for (int i = 0; i < N && fault == CUT_AT_MEAN; i++) cut[0] += r->x[i][0] / N;
}

/* Two rounds over two columns of two leaves. */
static int boosted(void *context, int side) {
  const audit_fault *f = context;
  enum { STEPS = 2 * D };
  static dppair_release release;
  static dppair_accountant account;
  const dppair_plan plan = plan_of(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), STEPS);
  const records r = records_of(f->data, side);
  double value[D][2] = {{0.0}}, cut[D], base, low, high;
  boosted_begin(cut, &base, &r, f->fault);
  for (int k = 0; k < 2 * D && f->fault == RANGE_AT_ZERO; k++) value[k / 2][k % 2] = -2.0;
  MUST(dppair_accountant_init(&account));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  for (int t = 0; t < STEPS; t++) {
    const int j = t % D;
    double sum[2] = {0.0, 0.0}, held[2] = {0.0, 0.0}, top, bottom, move;
    score_range(&low, &high, value, &r, f->fault);
    top = 1.0 - sigmoid(base + low), bottom = sigmoid(base + high);
    for (int i = 0; i < N; i++) {
      const int leaf = r.x[i][j] > cut[j];
      const double s = base + value[0][r.x[i][0] > cut[0]] + value[1][r.x[i][1] > cut[1]];
      sum[leaf] += r.positive[i] - sigmoid(s);
      held[leaf] += 1.0;
    }
    move = f->fault == RESIDUAL_ADDED ? fmax(top, bottom) : fmax(top + bottom, sqrt(2.0) * top);
    move = fmax(move, f->fault == RESIDUAL_ADDED ? 0.0 : sqrt(2.0) * bottom) * (1.0 + 1e-9);
    for (int k = 0; k < 2 && f->fault == LEAF_MEANS; k++) sum[k] *= N / fmax(held[k], 1.0);
    MUST(dppair_release_vector(sum, 2, &release, move));
    for (int k = 0; k < 2; k++) value[j][k] += 0.5 * sum[k];
  }
  return finish(&account, value[0], 2 * D, DELTA);
}

#endif /* AUDIT_FAULTS_BOOSTED_H */
