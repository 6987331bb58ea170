/* SPDX-License-Identifier: MIT */
/* Mistakes around class sums and second moments: what is divided, paid, and looked at besides. */
#ifndef AUDIT_FAULTS_MOMENTS_H
#define AUDIT_FAULTS_MOMENTS_H

#include "faults_plans.h"

enum { TRUE_CLASS_SIZES = 1, PRICE_OF_AN_ADDED_RECORD, LARGEST_EXACT, ROWS_UNCLIPPED };

/* A discriminant of two columns: both classes' sums, n+/2 and sqrt 2 times the second moment, which
 * one replaced record of the unit ball moves by 5/2; what is published is solved from them. */
static int class_sums(void *context, int side) {
  static dppair_release release;
  static dppair_accountant account;
  const audit_fault *f = context;
  const dppair_plan plan = plan_of(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), 1);
  records r = records_of(f->data, side);
  double v[8] = {0}, move = 2.5 * (1.0 + 1e-12), ridge = 10.0, size[2] = {0.0, 0.0};
  for (int i = 0; i < N; i++) {
    double *const x = r.x[i], *const sum = r.positive[i] ? v : v + 2;
    if (f->fault != ROWS_UNCLIPPED) MUST(dppair_project_l2_f64(x, D, 1.0));
    size[r.positive[i] ? 0 : 1] += 1.0;
    for (int k = 0; k < D; k++) sum[k] += x[k];
    v[4] += r.positive[i] ? 0.5 : 0.0;
    v[5] += sqrt(2.0) * x[0] * x[0];
    v[6] += 2.0 * x[0] * x[1];
    v[7] += sqrt(2.0) * x[1] * x[1];
  }
  for (int k = 0; k < 4 && f->fault == TRUE_CLASS_SIZES; k++)
    v[k] *= N / (2.0 * fmax(1.0, size[k / 2])); /* means, as of classes of one size */
  if (f->fault == LARGEST_EXACT) ridge += fmax(v[5], v[7]);
  if (f->fault == PRICE_OF_AN_ADDED_RECORD) move = sqrt(3.25);
  MUST(dppair_accountant_init(&account));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  MUST(dppair_release_vector(v, 8, &release, move));
  {
    const double a = v[5] + ridge, b = v[6] / sqrt(2.0), c = v[7] + ridge;
    const double x = v[0] - v[2], y = v[1] - v[3];
    double w[2] = {c * x - b * y, a * y - b * x};
    return finish(&account, w, 2, DELTA);
  }
}

#endif /* AUDIT_FAULTS_MOMENTS_H */
