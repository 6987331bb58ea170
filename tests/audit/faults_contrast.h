/* SPDX-License-Identifier: MIT */
/* Mistakes around losses that compare records with each other: groups, and a softmax over all. */
#ifndef AUDIT_FAULTS_CONTRAST_H
#define AUDIT_FAULTS_CONTRAST_H

#include "faults_descent.h"

#define DPPAIR_NAME views
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"
#include "../support/questions.h"
#include "draws.h"

enum {
  GROUPS_SUMMED = 1,
  GROUPS_UNCLIPPED,
  GROUPS_OF_ONE,
  GROUPS_QUEUED,
  EACH_RECORD_CLIPPED,
  GROUPS_OVERLAP,
  SIMILARITIES_UNCLIPPED,
  SOFTMAX_AS_GROUPS
};

/* Two views of each record: the row, which is the view `shown`, and one that is the same on both
 * sides, opposite for record 0. */
typedef struct two_views {
  double x[2][N][D];
  dppair_rows_f64 rows[2];
} two_views;

static int views_of(two_views *v, int shown, int data, int side, const size_t *index,
                    size_t count) {
  const records r = records_of(data, side);
  double factor[N];
  for (size_t i = 0; i < count; i++) {
    const size_t from = index[i];
    memcpy(v->x[shown][i], r.x[from], sizeof r.x[from]);
    v->x[1 - shown][i][0] = from ? 0.7 : -0.7;
    v->x[1 - shown][i][1] = 0.03 * (double)from;
  }
  for (int view = 0; view < 2; view++) {
    MUST(dppair_rows_clip_f64(&v->rows[view], factor, v->x[view][0], count, D, D, 1.0));
    for (size_t e = 0; e < count * D; e++) v->x[view][e / D][e % D] *= factor[e / D];
    v->rows[view].factor = NULL;
    dppair_rows_by_hand_f64(&v->rows[view], &drawn_now);
  }
  return 0;
}

/* The gradient of the loss of `count` records from `from` on, shortened to clip (0: not). */
static int group_gradient(double *g, const two_views *v, const double *w, size_t from, size_t count,
                          double clip, const dppair_contrast *how) {
  static double work[12000];
  dppair_rows_f64 a = dppair_rows_make_f64(v->x[0][from], count, D, D);
  dppair_rows_f64 b = dppair_rows_make_f64(v->x[1][from], count, D, D);
  dppair_options options;
  double size;
  memset(&options, 0, sizeof options);
  options.work = work;
  options.bytes = sizeof work;
  MUST(views_contrast_map_gradient(g, &a, &b, w, D, how, &options));
  size = dppair_norm_f64(g, D * D);
  for (int e = 0; e < D * D && clip > 0.0 && size > clip; e++) g[e] *= clip / size;
  return 0;
}

/* The sum over the records of what goes through each of them, x_i dz_i^T, shortened to clip. */
static int clipped_records(double *g, const two_views *v, const double *w, size_t count,
                           double clip, const dppair_contrast *how) {
  static double work[12000];
  double z[2][N][D], dz[2][N][D];
  dppair_rows_f64 rows[2];
  dppair_options options;
  memset(&options, 0, sizeof options);
  memset(z, 0, sizeof z);
  memset(g, 0, D * D * sizeof *g);
  options.work = work;
  options.bytes = sizeof work;
  for (int view = 0; view < 2; view++) {
    for (size_t i = 0; i < count; i++)
      for (int e = 0; e < D * D; e++) z[view][i][e % D] += v->x[view][i][e / D] * w[e];
    rows[view] = dppair_rows_make_f64(z[view][0], count, D, D);
  }
  MUST(views_contrast_gradient(dz[0][0], dz[1][0], &rows[0], &rows[1], how, &options));
  for (size_t i = 0; i < count; i++) {
    double one[D * D];
    for (int e = 0; e < D * D; e++)
      one[e] = v->x[0][i][e / D] * dz[0][i][e % D] + v->x[1][i][e / D] * dz[1][i][e % D];
    const double size = dppair_norm_f64(one, D * D);
    for (int e = 0; e < D * D; e++) g[e] += one[e] * (size > clip ? clip / size : 1.0);
  }
  return 0;
}

/* Two groups of three of the eight records in each step. */
static int contrasted(void *context, int side) {
  const audit_fault *f = context;
  enum { STEPS = 24, M = 6, G = 3 };
  static dppair_release release;
  static dppair_accountant account;
  static double work[12000];
  const double clip = 0.005;
  dppair_plan plan = plan_of(dppair_sampling_groups(N, M, G, DPPAIR_REPLACE_ONE), STEPS);
  double g[D * D], w[D * D] = {1.0, 0.0, 0.0, 1.0};
  two_views v;
  dppair_contrast how;
  dppair_options options;
  dppair_clip bound;
  memset(&how, 0, sizeof how);
  memset(&options, 0, sizeof options);
  how.temperature = 0.2;
  MUST(dppair_clip_init(&bound, clip));
  options.clip = &bound;
  options.work = work;
  options.bytes = sizeof work;
  MUST(dppair_accountant_init(&account));
  MUST(calibrate_by_orders(&plan, &account));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  for (size_t t = 0; t < STEPS; t++) {
    double sum[D * D] = {0}, move = 2.0 * clip / (M / G);
    size_t index[N], count;
    MUST(draw_now(index, &count, N, &release));
    if (views_of(&v, 1, f->data, side, index, count)) return 1;
    if (f->fault == 0) {
      MUST(views_release_contrast(g, &release, &v.rows[0], &v.rows[1], w, D, &how, &options));
    } else if (f->fault == EACH_RECORD_CLIPPED) {
      if (clipped_records(g, &v, w, count, clip, &how)) return 1;
      for (int e = 0; e < D * D; e++) g[e] /= M;
      MUST(dppair_release_vector(g, D * D, &release, 2.0 * clip / M));
    } else {
      for (size_t j = 0; j + G <= count; j += f->fault == GROUPS_OVERLAP ? 1 : G) {
        const size_t from = f->fault == GROUPS_QUEUED ? 0 : j; /* earlier groups stay */
        if (group_gradient(g, &v, w, from, j + G - from, f->fault == GROUPS_UNCLIPPED ? 0.0 : clip,
                           &how))
          return 1;
        for (int e = 0; e < D * D; e++) sum[e] += g[e];
      }
      if (f->fault != GROUPS_SUMMED) /* the mean over two, or over four that overlap */
        for (int e = 0; e < D * D; e++) sum[e] /= f->fault == GROUPS_OVERLAP ? 4 : 2;
      if (f->fault == GROUPS_OVERLAP) move = 2.0 * clip / 4;
      if (f->fault == GROUPS_OF_ONE) move = 2.0 * clip / M;
      memcpy(g, sum, sizeof g);
      MUST(dppair_release_vector(g, D * D, &release, move));
    }
    for (int e = 0; e < D * D; e++) w[e] -= 0.5 * g[e];
  }
  return finish(&account, w, D * D, DELTA);
}

/* All eight records against each other, at a temperature of 2. */
static int softmax(void *context, int side) {
  const audit_fault *f = context;
  enum { STEPS = 6 };
  static dppair_release release;
  static dppair_accountant account;
  static double work[12000];
  static const size_t all[N] = {0, 1, 2, 3, 4, 5, 6, 7};
  const double clip = 0.01;
  dppair_plan plan = plan_of(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), STEPS);
  double g[D * D], w[D * D] = {1.0, 0.0, 0.0, 1.0}, move;
  two_views v;
  dppair_options options;
  dppair_clip bound;
  memset(&options, 0, sizeof options);
  options.work = work;
  options.bytes = sizeof work;
  MUST(dppair_accountant_init(&account));
  MUST(calibrate_by_orders(&plan, &account));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  for (size_t t = 0; t < STEPS; t++) {
    if (views_of(&v, 0, f->data, side, all, N)) return 1;
    MUST(dppair_clip_init(&bound, f->fault == SIMILARITIES_UNCLIPPED ? 10.0 : clip));
    options.clip = &bound;
    if (f->fault == 0) {
      MUST(views_release_softmax(g, &release, &v.rows[0], &v.rows[1], w, D, 2.0, &options));
    } else {
      MUST(views_softmax_gradient(g, &v.rows[0], &v.rows[1], w, D, 2.0, &options));
      for (int e = 0; e < D * D; e++) g[e] /= N;
      MUST(dppair_sensitivity_softmax(&move, clip, 2.0, N, DPPAIR_REPLACE_ONE));
      if (f->fault == SOFTMAX_AS_GROUPS) move = 2.0 * clip;
      MUST(dppair_release_vector(g, D * D, &release, move / N));
    }
    for (int e = 0; e < D * D; e++) w[e] -= 0.5 * g[e];
  }
  return finish(&account, w, D * D, DELTA);
}

#endif /* AUDIT_FAULTS_CONTRAST_H */
