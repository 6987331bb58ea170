/* SPDX-License-Identifier: MIT */
/* Mistakes around the histograms of a table's columns: what is counted, smoothed, paid and said. */
#ifndef AUDIT_FAULTS_MARGINALS_H
#define AUDIT_FAULTS_MARGINALS_H

#include "faults_plans.h"

enum {
  ONE_COLUMN_PAID = 1,
  ONE_COLUMN_NOISED,
  SET_COLUMNS_COUNTED,
  LABEL_UNWEIGHTED,
  KERNEL_FOR_ITS_ROOT,
  SMOOTHED_AT_TWO,
  CLASSES_AS_ONE,
  RANGE_FROM_DATA,
  RANGE_REFUSED,
  TOLD_FROM_COUNTS
};

enum { TABLE = 5, CELLS = 48, MARGINALS = 2 * CELLS + 4 };
static double marginals_room[1 << 13];

/* The records as a table: both numbers, and three members of a group that the first number sets,
 * one or, by mistake, all of them. */
static void marginals_table(double x[N][TABLE], double y[N], const records *r, int all) {
  for (int i = 0; i < N; i++) {
    x[i][0] = r->x[i][0], x[i][1] = -r->x[i][0];
    x[i][2] = x[i][0] > 0.5, x[i][3] = all ? x[i][2] : x[i][1] > 0.5;
    x[i][4] = all ? x[i][2] : 0.0;
    y[i] = r->positive[i] ? 1.0 : -1.0;
  }
}

/* What a program would count by itself, of the columns from `first` to d - 1. */
static int marginals_by_hand(double *v, size_t *size, double x[N][TABLE], const double *y,
                             size_t first, size_t d, const audit_fault *f) {
  double a[CELLS * CELLS], high = f->fault == RANGE_FROM_DATA ? 1e-3 : 1.0;
  dppair_cells cells;
  memset(v, 0, MARGINALS * sizeof *v);
  *size = 0;
  for (int i = 0; i < N && f->fault == RANGE_FROM_DATA; i++) high = fmax(high, fabs(x[i][0]));
  MUST(dppair_cells_make(&cells, -high, high, 24));
  for (size_t j = first; j < d; j++) {
    double count[CELLS] = {0};
    if (j > 1) {
      for (int i = 0; i < N; i++) v[*size] += x[i][j] >= 0.5;
      ++*size;
      continue;
    }
    for (int i = 0; i < N; i++) count[dppair_cells_find(&cells, x[i][j])] += 1.0;
    memset(a, 0, sizeof a);
    for (size_t s = 0; s < cells.cells; s++) a[s * cells.cells + s] = 1.0;
    if (f->fault == KERNEL_FOR_ITS_ROOT)
      for (size_t k = 0; k < cells.cells * cells.cells; k++)
        a[k] = exp(-fabs((double)(k / cells.cells) - (double)(k % cells.cells)) / 4.0);
    if (f->fault == SMOOTHED_AT_TWO)
      MUST(
          dppair_smoothing_matrix(a, cells.cells, 0.9, 4.0, marginals_room, sizeof marginals_room));
    for (size_t s = 0; s < cells.cells; s++, ++*size)
      for (size_t t = 0; t < cells.cells; t++) v[*size] += a[s * cells.cells + t] * count[t];
  }
  for (int i = 0; i < N && f->fault == LABEL_UNWEIGHTED; i++) v[*size] += y[i] > 0.0 ? 3.0 : 0.0;
  *size += f->fault == LABEL_UNWEIGHTED;
  return 0;
}

/* One release of all columns, and what is wrong with some. */
static int marginals(void *context, int side) {
  static const dppair_column columns[TABLE] = {{DPPAIR_COLUMN_NUMERIC, -1, 1, 0, 0},
                                               {DPPAIR_COLUMN_NUMERIC, -1, 1, 0, 0},
                                               {DPPAIR_COLUMN_GROUP, 0, 0, 1, 0},
                                               {DPPAIR_COLUMN_GROUP, 0, 0, 1, 0},
                                               {DPPAIR_COLUMN_GROUP, 0, 0, 1, 0}};
  static const dppair_column apart = {DPPAIR_COLUMN_NUMERIC, -1, 1, 0, 1};
  static dppair_release release;
  static dppair_accountant account;
  const audit_fault *f = context;
  const int laplace = f->fault == SMOOTHED_AT_TWO;
  const size_t first = f->fault == SET_COLUMNS_COUNTED ? 2 : 0;
  const size_t d = f->fault >= LABEL_UNWEIGHTED && f->fault <= SMOOTHED_AT_TWO ? 1 : TABLE;
  dppair_plan plan = plan_of(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), 1);
  dppair_marginals query = {columns + first, d - first, 24, 0.9, 4.0, 2.0};
  records r = records_of(f->data, side);
  double x[N][TABLE], y[N], v[MARGINALS], l2, l1;
  size_t start[TABLE + 2], size;
  for (int i = 1; i < N && f->fault == RANGE_FROM_DATA; i++) r.x[i][0] = 0.1;
  marginals_table(x, y, &r, f->fault == SET_COLUMNS_COUNTED);
  if (laplace) plan.noise = DPPAIR_LAPLACE, plan.delta = 0.0;
  MUST(dppair_accountant_init(&account));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  for (int i = 0; i < N && f->fault == RANGE_REFUSED; i++)
    if (fabs(x[i][0]) > 1.0) return 1;
  if (f->fault == 0 || f->fault == TOLD_FROM_COUNTS) {
    MUST(dppair_marginals_layout(start, &query));
    size = start[TABLE + 1];
    MUST(dppair_release_marginals(v, size, &release, &query, x[0], y, NULL, N, marginals_room,
                                  sizeof marginals_room));
    double outside = 0.0;
    for (int i = 0; i < N; i++) outside += fabs(x[i][0]) > 0.99;
    if (f->fault == TOLD_FROM_COUNTS) audit_publish(&outside, sizeof outside);
  } else if (f->fault == CLASSES_AS_ONE) {
    const dppair_marginals one = {&columns[0], 1, 1, 0.9, 4.0, 0.0},
                           both = {&apart, 1, 1, 0.9, 4.0, 0.0};
    dppair_marginals_state_ state;
    MUST(dppair_marginals_sensitivity(&l2, &l1, &one, DPPAIR_REPLACE_ONE, marginals_room,
                                      sizeof marginals_room));
    MUST(dppair_marginals_open_(&state, &both, marginals_room, sizeof marginals_room));
    memset(v, 0, sizeof v);
    for (int i = 0; i < N; i++) dppair_marginals_count_(v, &state, x[i], y[i] > 0.0);
    MUST(dppair_marginals_finish_(v, &state));
    size = 4;
    MUST(dppair_release_vector(v, size, &release, l2));
  } else {
    query.smooth = query.width = 0.0;
    query.label = f->fault == LABEL_UNWEIGHTED ? 1.0 : 0.0;
    MUST(dppair_marginals_sensitivity(&l2, &l1, &query, DPPAIR_REPLACE_ONE, marginals_room,
                                      sizeof marginals_room));
    if (marginals_by_hand(v, &size, x, y, first, d, f)) return 1;
    if (f->fault == ONE_COLUMN_PAID) l2 = sqrt(2.0) * (1.0 + 1e-12);
    if (laplace)
      MUST(dppair_release_histogram(v, size, &release, l1));
    else
      MUST(dppair_release_vector(v, f->fault == ONE_COLUMN_NOISED ? CELLS : size, &release, l2));
  }
  return finish(&account, v, size, plan.delta);
}

enum { NULLS_ARE_COUNTED = 1 };

/* The same where record 0 is null on side 1. */
static int marginals_zeroed(void *context, int side) {
  static const dppair_column columns[2] = {{DPPAIR_COLUMN_NUMERIC, -1, 1, 0, 1},
                                           {DPPAIR_COLUMN_FLAG, 0, 0, 0, 1}};
  static dppair_release release;
  static dppair_accountant account;
  const audit_fault *f = context;
  const dppair_plan plan = plan_of(dppair_sampling_all(N, DPPAIR_ZERO_OUT), 1);
  const dppair_marginals query = {columns, 2, 24, 0.9, 4.0, 1.0};
  const records r = records_of(f->data, 0);
  double x[N][D], y[N], weight[N], v[MARGINALS];
  size_t start[4];
  for (int i = 0; i < N; i++) {
    const int null = side && i == 0;
    x[i][0] = null ? 0.0 : r.x[i][0], x[i][1] = null ? 0.0 : 1.0;
    y[i] = null || !r.positive[i] ? -1.0 : 1.0;
    weight[i] = null ? 0.0 : 1.0;
  }
  MUST(dppair_accountant_init(&account));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  MUST(dppair_marginals_layout(start, &query));
  MUST(dppair_release_marginals(v, start[3], &release, &query, x[0], y,
                                f->fault == NULLS_ARE_COUNTED ? NULL : weight, N, marginals_room,
                                sizeof marginals_room));
  return finish(&account, v, start[3], DELTA);
}

#endif /* AUDIT_FAULTS_MARGINALS_H */
