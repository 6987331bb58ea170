/* SPDX-License-Identifier: MIT */
/* The list of methods, and the parts that they share. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dppair.h"
#include "methods/method.h"

/* One line per method; files next to this one define them. */
#define METHODS(X)                                                                                 \
  X(method_gd)                                                                                     \
  X(method_pointwise)                                                                              \
  X(method_gd_last)                                                                                \
  X(method_gd_records)                                                                             \
  X(method_online)                                                                                 \
  X(method_auto)                                                                                   \
  X(method_declared)                                                                               \
  X(method_histogram_bayes)                                                                        \
  X(method_dpebm)                                                                                  \
  X(method_one_vector)                                                                             \
  X(method_statistics)                                                                             \
  X(method_adassp)                                                                                 \
  X(method_adassp_maps)                                                                            \
  X(method_lda)                                                                                    \
  X(method_lda_maps)                                                                               \
  X(method_selection)                                                                              \
  X(method_stopping)                                                                               \
  X(method_kang2021)                                                                               \
  X(method_dpgdsc)                                                                                 \
  X(method_dpgdc2)                                                                                 \
  X(method_dpegd)                                                                                  \
  X(method_offpairstrc)                                                                            \
  X(method_offpairc)                                                                               \
  X(method_yang2021)                                                                               \
  X(method_niewang2017)                                                                            \
  X(method_niewang2017_fourier)                                                                    \
  X(method_niewang2017_pairs)                                                                      \
  X(method_dpsgd)                                                                                  \
  X(method_dpsgd_mlp)                                                                              \
  X(method_dplssgd)                                                                                \
  X(method_dplssgd_mlp)                                                                            \
  X(method_dpsgd_allocation)                                                                       \
  X(method_dpsgd_poisson)                                                                          \
  X(method_dpsgd_subset)                                                                           \
  X(method_bolton)                                                                                 \
  X(method_pidpsgd)                                                                                \
  X(method_softmax)                                                                                \
  X(method_filter)                                                                                 \
  X(method_filter_pairs)

#define DECLARE(m) extern const method m;
METHODS(DECLARE)
#define ADDRESS(m) &m,
const method *const methods[] = {METHODS(ADDRESS) NULL};

const method *method_in(const method *const list[], const char *name) {
  for (; *list != NULL; list++)
    if (strcmp((*list)->name, name) == 0) return *list;
  return NULL;
}

const method *method_find(const char *name) { return method_in(methods, name); }

/* 0: the method's own choice. A NaN is outside. */
static int setting_within(double x) {
  return x >= 0 && (!(x > 0) || (x >= SETTING_LEAST && x <= SETTING_MOST));
}

/* Does the method protect what the task asks for? */
static dppair_status unit_check(const method *m, const task *t) {
  switch (task_adjacency(t)) {
  case DPPAIR_REPLACE_ONE:
    return t->train.groups == 0 || m->offers & OFFERS_QUERIES ? DPPAIR_OK : DPPAIR_ERR_NO_PROOF;
  case DPPAIR_REPLACE_USER:
  case DPPAIR_ZERO_USER:
    return t->train.groups > 0 && m->offers & OFFERS_PERSONS ? DPPAIR_OK : DPPAIR_ERR_NO_PROOF;
  case DPPAIR_REPLACE_QUERY:
  case DPPAIR_ZERO_QUERY:
    return t->train.groups > 0 && m->offers & OFFERS_QUERIES ? DPPAIR_OK : DPPAIR_ERR_NO_PROOF;
  default:
    return DPPAIR_ERR_ADJACENCY;
  }
}

static dppair_status task_check(const method *m, const task *t) {
  const settings *with = &t->with;
  size_t i;
  const dppair_status status = unit_check(m, t);
  if (status != DPPAIR_OK) return status;
  if (task_units(t) < 4 || t->train.n < 1 || t->train.d < 1 || (double)t->train.n > RECORDS_MOST ||
      (double)task_units(t) > RECORDS_MOST || t->train.n > task_most(t))
    return DPPAIR_ERR_SIZE;
  if (!dppair_isfinite_f64(t->epsilon) || !(t->epsilon > 0)) return DPPAIR_ERR_EPSILON;
  if (!(t->delta >= 0 && t->delta < 1)) return DPPAIR_ERR_DELTA;
  if (!(t->epsilon >= EPSILON_LEAST && t->epsilon <= EPSILON_MOST) ||
      !setting_within(with->step_size) || !setting_within(with->radius) ||
      !setting_within(with->param_radius) || !setting_within(with->lambda))
    return DPPAIR_ERR_DOMAIN;
  if (!(t->delta > 0) && !(m->offers & OFFERS_PURE)) return DPPAIR_ERR_NO_PROOF;
  if (m->needs_ranges && t->features == NULL) return DPPAIR_ERR_DOMAIN;
  if (t->course != NULL && t->course->next != NULL) /* rows are checked as they are read */
    return m->offers & OFFERS_STREAM ? DPPAIR_OK : DPPAIR_ERR_NO_PROOF;
  if (!dppair_all_finite_f64(t->train.raw, t->train.n * t->train.d) ||
      !dppair_all_finite_f64(t->train.x, t->train.n * t->train.d))
    return DPPAIR_ERR_NOT_FINITE;
  for (i = 0; i < t->train.n; i++)
    if (!(fabs(t->train.y[i]) >= 1 && fabs(t->train.y[i]) <= 1)) return DPPAIR_ERR_DOMAIN;
  for (i = 0; i < t->train.n && t->train.group != NULL; i++)
    if (t->train.group[i] >= t->train.groups) return DPPAIR_ERR_DOMAIN;
  return DPPAIR_OK;
}

dppair_status method_train(model *out, const method *m, const task *t) {
  dppair_status status = task_check(m, t);
  memset(out, 0, sizeof *out);
  if (status == DPPAIR_OK) status = m->train(out, t);
  if (status == DPPAIR_OK && !dppair_all_finite_f64(out->theta, out->size))
    status = DPPAIR_ERR_NOT_FINITE;
  if (status != DPPAIR_OK) model_free(out);
  return status;
}

enum { WORKING_HEAD = 64 }; /* the size stands before the memory, which is aligned as malloc's is */

void *working_get(size_t count, size_t size) {
  unsigned char *all;
  if (size > 0 && count > (SIZE_MAX - WORKING_HEAD) / size) return NULL;
  all = calloc(1, WORKING_HEAD + count * size);
  if (all == NULL) return NULL;
  count *= size;
  memcpy(all, &count, sizeof count);
  return all + WORKING_HEAD;
}

void working_free(void *memory) {
  unsigned char *all = memory;
  size_t bytes;
  if (memory == NULL) return;
  all -= WORKING_HEAD;
  memcpy(&bytes, all, sizeof bytes);
  dppair_wipe(all, WORKING_HEAD + bytes);
  free(all);
}

void model_free(model *m) {
  free(m->theta);
  memset(m, 0, sizeof *m);
}

dppair_status model_allocate(model *m, size_t d, size_t size) {
  m->d = d;
  m->size = size;
  m->theta = calloc(size, sizeof *m->theta);
  m->score = model_score_linear;
  return m->theta == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
}

void model_score_linear(double *s, const model *m, const records *rows) {
  const dppair_rows_f64 x = dppair_rows_make_f64(rows->x, rows->n, rows->d, rows->d);
  if (dppair_scores_f64(s, &x, m->theta) != DPPAIR_OK) memset(s, 0, rows->n * sizeof *s);
}

double task_radius(const task *t) {
  if (t->with.radius > 0) return t->with.radius;
  return t->scale == SCALE_ROW ? 1.0 : 0.4 * sqrt((double)t->train.d);
}

dppair_status rows_clip(double *out, const records *rows, const size_t *order, double radius) {
  size_t i, d = rows->d;
  for (i = 0; i < rows->n; i++) {
    dppair_status status;
    memcpy(out + i * d, rows->x + (order != NULL ? order[i] : i) * d, d * sizeof *out);
    status = dppair_project_l2_f64(out + i * d, d, radius);
    if (status != DPPAIR_OK) return status;
  }
  return DPPAIR_OK;
}

size_t rows_by_class(size_t *order, const double *y, size_t n) {
  size_t i, positives = 0, p, q;
  for (i = 0; i < n; i++) positives += y[i] > 0;
  for (i = 0, p = 0, q = positives; i < n; i++) order[y[i] > 0 ? p++ : q++] = i;
  return positives;
}

double ranking_auc(const double *s, const double *y, size_t n) {
  double *parts, auc = (double)NAN;
  size_t i, positives = 0, p, q, bytes;
  if (dppair_measures_workspace(&bytes, n, 0) != DPPAIR_OK) return auc;
  parts = malloc(n * sizeof *parts + bytes);
  if (parts == NULL) return auc;
  for (i = 0; i < n; i++) positives += y[i] > 0;
  for (i = 0, p = 0, q = positives; i < n; i++) parts[y[i] > 0 ? p++ : q++] = s[i];
  if (dppair_auc_not_private_f64(&auc, parts, positives, parts + positives, n - positives,
                                 parts + n, bytes) != DPPAIR_OK)
    auc = 0.5; /* one class alone */
  free(parts);
  return auc;
}
