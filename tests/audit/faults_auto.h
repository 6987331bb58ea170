/* SPDX-License-Identifier: MIT */
/* Mistakes around dppair_auto.h: what follows its histograms may read them and no record. */
#ifndef AUDIT_FAULTS_AUTO_H
#define AUDIT_FAULTS_AUTO_H

#include "dppair_auto.h"
#include "dppair_tables.h"
#include "faults_plans.h"

enum { CLASS_SHARES_OF_DATA = 1, BLEND_OF_DATA, FLAT_COLUMN_DROPPED };

/* So many numeric columns that the weights are drawn to 0 by what they have in common. */
enum { AUTO_COLUMNS = DPPAIR_AUTO_MANY_ + 2 };
static double auto_work[1 << 17];

/* The fit by one vector, of its parts, with one mistake. */
static int auto_by_parts(dppair_auto_model *m, dppair_accountant *account, const dppair_plan *plan,
                         const dppair_column *columns, double x[N][AUTO_COLUMNS], const double *y,
                         int fault) {
  static dppair_release release[2];
  dppair_plan plans[2];
  dppair_auto_room_ r;
  double rate, ones = 0.0, positives = 0.0;
  memset(&r, 0, sizeof r);
  (void)dppair_auto_take_(&r, (char *)auto_work, N, AUTO_COLUMNS, columns);
  r.x = x[0], r.y = y, r.n = N, r.d = AUTO_COLUMNS;
  r.columns = columns, r.map = m->map;
  MUST(dppair_auto_decide_(&r, plans, plan, account));
  MUST(dppair_auto_open_(release, account, plans, plan, NULL));
  MUST(dppair_auto_marginals_(&r, &release[0]));
  MUST(dppair_auto_columns_(&r, &rate));
  for (int i = 0; i < N; i++) ones += x[i][0] > 0.5, positives += y[i] > 0.0;
  for (size_t j = 0; j < AUTO_COLUMNS; j++) {
    int flat = 1;
    for (int i = 1; i < N; i++) flat &= !(fabs(x[i][j] - x[0][j]) > 0.0);
    if (fault == BLEND_OF_DATA)
      dppair_auto_blend_with_range_(&r.column[j], r.h + r.start[j], ones / N);
    if (fault == FLAT_COLUMN_DROPPED && flat) memset(r.column[j].z, 0, sizeof r.column[j].z);
  }
  if (fault == CLASS_SHARES_OF_DATA) rate = positives / N;
  MUST(dppair_auto_vector_(&r, &release[1], dppair_auto_radius_(&r), rate));
  MUST(dppair_auto_shrink_(&r));
  dppair_auto_maps_(m->map, &r);
  dppair_release_close(&release[0]);
  dppair_release_close(&release[1]);
  return 0;
}

/* A fit of many columns, beside a Gaussian step that the account holds. */
static int auto_fit(void *context, int side) {
  static dppair_auto_map map[AUTO_COLUMNS];
  static dppair_release before;
  static dppair_accountant account;
  const audit_fault *f = context;
  const records r = records_of(f->data, side);
  dppair_plan plan = plan_of(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), 1);
  dppair_column columns[AUTO_COLUMNS];
  dppair_auto_model m;
  double x[N][AUTO_COLUMNS], y[N], sum = 0.0;
  size_t bytes;
  memset(&m, 0, sizeof m);
  memset(map, 0, sizeof map);
  memset(columns, 0, sizeof columns);
  m.map = map;
  for (size_t j = 0; j < AUTO_COLUMNS; j++) {
    columns[j].kind = DPPAIR_COLUMN_NUMERIC;
    columns[j].low = -1.0, columns[j].high = 1.0;
    for (int i = 0; i < N; i++) {
      x[i][j] = j % 3 == 2 ? r.x[i][1] : r.x[i][0];
      y[i] = r.positive[i] ? 1.0 : -1.0;
      if (f->fault == CLASS_SHARES_OF_DATA) x[i][j] = i == 0 ? -1.0 : 1.0;
    }
  }
  MUST(dppair_accountant_init(&account));
  plan.epsilon = plan.delta = 0.0;
  plan.noise_multiplier = 8.0;
  MUST(dppair_release_open(&before, &account, &plan, NULL));
  for (int i = 0; i < N; i++) sum += y[i];
  MUST(dppair_release_vector(&sum, 1, &before, 2.0));
  plan.epsilon = EPSILON, plan.delta = DELTA, plan.steps = 0, plan.noise_multiplier = 0.0;
  MUST(dppair_auto_workspace(&bytes, N, AUTO_COLUMNS, columns));
  if (bytes > sizeof auto_work) return faults_stop("work", DPPAIR_ERR_WORKSPACE);
  if (f->fault == 0)
    MUST(dppair_auto_fit(&m, &account, &plan, NULL, x[0], y, N, AUTO_COLUMNS, columns, auto_work,
                         sizeof auto_work));
  else if (auto_by_parts(&m, &account, &plan, columns, x, y, f->fault))
    return 1;
  audit_publish(map, sizeof map);
  return finish(&account, &sum, 1, DELTA);
}

#endif /* AUDIT_FAULTS_AUTO_H */
