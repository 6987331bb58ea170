/* SPDX-License-Identifier: MIT */
#include "methods/measures.h"

#include <math.h>
#include <stdlib.h>

#include "support/solver.h"

/* No learning and no budget: the level that a metric has to beat. */
static dppair_status train_identity(model *out, const task *t) {
  size_t k, d = t->train.d;
  dppair_status status = model_allocate(out, d, d * d);
  out->radius = task_radius(t);
  for (k = 0; status == DPPAIR_OK && k < d; k++)
    out->theta[k * d + k] = 1 / (out->radius * out->radius);
  return status;
}
const method method_identity_metric = {"identity",
                                       "no learning",
                                       "a multiple of the identity, which no record influences",
                                       OFFERS_PURE | OFFERS_RADIUS,
                                       0,
                                       train_identity};

/* One line per method; files next to this one define the others. */
#define METHODS(X)                                                                                 \
  X(method_direction_metric)                                                                       \
  X(method_gd_metric)                                                                              \
  X(method_identity_metric)                                                                        \
  X(method_infonce_metric)                                                                         \
  X(method_maps_metric)                                                                            \
  X(method_moments_metric)                                                                         \
  X(method_kang2021_metric)                                                                        \
  X(method_dpgdsc_metric)                                                                          \
  X(method_dpgdc2_metric)                                                                          \
  X(method_dpegd_metric)                                                                           \
  X(method_offpairstrc_metric)                                                                     \
  X(method_offpairc_metric)                                                                        \
  X(method_yang2021_metric)                                                                        \
  X(method_yang2021_nuclear)

#define DECLARE(m) extern const method m;
METHODS(DECLARE)
#define ADDRESS(m) &m,
const method *const metric_methods[] = {METHODS(ADDRESS) NULL};

const method *metric_find(const char *name) { return method_in(metric_methods, name); }

dppair_status metric_neighbours(double *accuracy, const double *w, double radius,
                                const split *part) {
  const records *train = &part->train, *test = &part->test;
  size_t d = train->d;
  double *x = malloc((train->n + test->n) * d * sizeof *x);
  void *work = NULL;
  size_t bytes;
  dppair_status status = dppair_measures_workspace(&bytes, train->n, d);
  if (status == DPPAIR_OK) work = malloc(bytes);
  if (x == NULL || work == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) status = rows_clip(x, train, NULL, radius);
  if (status == DPPAIR_OK) status = rows_clip(x + train->n * d, test, NULL, radius);
  if (status == DPPAIR_OK)
    status =
        dppair_knn_accuracy_not_private_f64(accuracy, x, train->y, train->n, x + train->n * d,
                                            test->y, test->n, d, d, w, NEIGHBOURS, work, bytes);
  free(x);
  free(work);
  return status;
}

/* rows with x = what the model measures distances of; *z is malloc'ed where that is not rows->x. */
static dppair_status place(records *out, double **z, const model *m, const records *rows) {
  *out = *rows;
  *z = NULL;
  if (m->place == NULL) return DPPAIR_OK;
  *z = malloc((rows->n * rows->d + 1) * sizeof **z);
  if (*z == NULL) return DPPAIR_ERR_OVERFLOW;
  m->place(*z, m, rows);
  out->x = *z;
  return DPPAIR_OK;
}

double metric_accuracy(const model *m, const split *part) {
  double accuracy, radius = m->radius > 0 ? m->radius : DBL_MAX, *train, *test;
  split there = *part;
  dppair_status status = place(&there.train, &train, m, &part->train);
  if (place(&there.test, &test, m, &part->test) != DPPAIR_OK) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) status = metric_neighbours(&accuracy, m->theta, radius, &there);
  free(train);
  free(test);
  return status == DPPAIR_OK ? accuracy : 0;
}

dppair_status metric_model_risk(double *risk, const model *m, const records *rows, const task *t) {
  double *z;
  records there;
  task how = *t;
  dppair_status status = place(&there, &z, m, rows);
  if (m->radius > 0) how.with.radius = m->radius;
  if (status == DPPAIR_OK) status = metric_risk(risk, m->theta, &there, &how);
  free(z);
  return status;
}

double metric_distance_to_identity(const double *w, size_t d) {
  double trace = 0, square = 0, largest = 0;
  size_t k;
  for (k = 0; k < d * d; k++) largest = fmax(largest, fabs(w[k]));
  if (!(largest > 0)) return 0;
  for (k = 0; k < d; k++) trace += w[k * d + k] / largest;
  for (k = 0; k < d * d; k++) square += w[k] / largest * (w[k] / largest);
  return sqrt(fmax(0, 1 - trace * trace / (double)d / square));
}

double sign_accuracy(const model *m, const split *part) {
  double *s = malloc(part->test.n * sizeof *s);
  size_t i, right = 0;
  if (s == NULL) return 0;
  m->score(s, m, &part->test);
  for (i = 0; i < part->test.n; i++) right += (s[i] > 0) == (part->test.y[i] > 0);
  free(s);
  return (double)right / (double)part->test.n;
}

static double mean_loss(const double *s, const records *rows) {
  double sum = 0;
  size_t i;
  for (i = 0; i < rows->n; i++) {
    double t = rows->y[i] * s[i];
    sum += (t < 0 ? -t : 0) + log1p(exp(-fabs(t)));
  }
  return sum / (double)rows->n;
}

double optimality_gap(const model *m, const split *part) {
  const records *rows = &part->train;
  size_t i, k, n = rows->n, d = rows->d + 1;
  double *u = calloc(n * d + n + d, sizeof *u), *w, *s, gap;
  dppair_margin_problem p = {dppair_margin_logistic(), n, d, 0, 1e-3};
  dppair_margin_tolerance tolerance;
  if (u == NULL) return 0;
  s = u + n * d;
  w = s + n;
  for (i = 0; i < n; i++) {
    for (k = 0; k + 1 < d; k++) u[i * d + k] = rows->y[i] * rows->x[i * (d - 1) + k];
    u[i * d + d - 1] = rows->y[i];
    p.radius = fmax(p.radius, dppair_norm_f64(u + i * d, d));
  }
  m->score(s, m, rows);
  gap = mean_loss(s, rows);
  p.radius *= 1 + 1e-9;
  if (dppair_margin_reach(&tolerance, &p, 1e-3) == DPPAIR_OK &&
      fit_minimise(w, u, &p, NULL, &tolerance) == DPPAIR_OK) {
    for (i = 0; i < n; i++)
      for (s[i] = 0, k = 0; k < d; k++) s[i] += rows->y[i] * u[i * d + k] * w[k];
    gap -= mean_loss(s, rows);
  }
  free(u);
  return gap;
}
