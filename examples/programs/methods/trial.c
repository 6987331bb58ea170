/* SPDX-License-Identifier: MIT */
#include "methods/trial.h"

#include <stdlib.h>
#include <string.h>

#include "support/solver.h"

double zero_budget_auc(double *s, const records *rows) {
  size_t i, j;
  for (i = 0; i < rows->n; i++)
    for (s[i] = 0, j = 0; j < rows->d; j++) s[i] += rows->x[i * rows->d + j];
  return ranking_auc(s, rows->y, rows->n);
}

int has_both_labels(const records *rows) {
  size_t i;
  for (i = 1; i < rows->n; i++)
    if (rows->y[i] * rows->y[0] < 0) return 1;
  return 0;
}

/* Split number k of a trial. */
static dppair_status trial_split(split *part, const trial *t, size_t k) {
  size_t rest = t->data->n - t->n_train, *order = malloc(t->data->n * sizeof *order);
  simulation_rng rng;
  size_t j;
  int ok;
  if (order == NULL) return DPPAIR_ERR_OVERFLOW;
  if (t->n_test > 0 && t->n_test < rest) rest = t->n_test;
  if (t->n_test == 0 && rest > 10000) rest = 10000;
  simulation_seed(&rng, t->one_stream ? t->seed : t->seed * UINT64_C(0x9e3779b97f4a7c15) + k);
  for (j = t->one_stream ? 0 : k; j <= k; j++) simulation_permutation(order, t->data->n, &rng);
  ok = split_make(part, t->data, order, t->n_train, rest, t->scale);
  free(order);
  return ok ? DPPAIR_OK : DPPAIR_ERR_OVERFLOW;
}

dppair_status outcome_train(outcome *out, model *fitted, const method *m, const task *t,
                            uint64_t seed, uint64_t run) {
  dppair_rng noise, indices;
  task job = *t;
  double start = seconds_now();
  dppair_status status = trial_keys(&noise, &indices, seed, run);
  job.noise = &noise;
  job.indices = &indices;
  if (status == DPPAIR_OK) status = method_train(fitted, m, &job);
  if (status != DPPAIR_OK) return status;
  out->sigma = fitted->sigma;
  out->steps = fitted->steps;
  out->epsilon = fitted->epsilon;
  out->right = fitted->right;
  memcpy(out->note, fitted->note, sizeof out->note);
  out->seconds += seconds_now() - start;
  return status;
}

static dppair_status trial_once(outcome *out, double *s, const trial *t, const split *part,
                                uint64_t run) {
  task job;
  model fitted;
  double value;
  dppair_status status;
  memset(&job, 0, sizeof job);
  job.train = part->train;
  job.features = t->data->has_ranges ? t->data->features : NULL;
  job.scale = t->scale;
  job.epsilon = t->epsilon;
  job.delta = t->delta;
  job.with = t->with;
  status = outcome_train(out, &fitted, t->method, &job, t->seed, run);
  if (status != DPPAIR_OK) return status;
  if (t->measure != NULL) {
    value = t->measure(&fitted, part);
  } else {
    fitted.score(s, &fitted, &part->test);
    value = ranking_auc(s, part->test.y, part->test.n);
  }
  if (value != value) {
    model_free(&fitted);
    return DPPAIR_ERR_OVERFLOW;
  }
  if (t->each != NULL) t->each[out->measured.count] = value;
  summary_add(&out->measured, value);
  model_free(&fitted);
  return DPPAIR_OK;
}

dppair_status trial_run(outcome *out, const trial *t, progress *bar) {
  size_t k, r, draws = t->draws > 0 ? t->draws : 1;
  double *s = malloc(t->data->n * sizeof *s);
  dppair_status status = s == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
  memset(out, 0, sizeof *out);
  if (status == DPPAIR_OK && t->n_train >= t->data->n) status = DPPAIR_ERR_SIZE;
  for (k = 0; k < t->splits && status == DPPAIR_OK; k++) {
    split part;
    status = trial_split(&part, t, k);
    if (status != DPPAIR_OK) break;
    for (r = 0; r < draws && status == DPPAIR_OK && has_both_labels(&part.test); r++)
      status = trial_once(out, s, t, &part, (uint64_t)(k * draws + r));
    split_free(&part);
    if (bar != NULL) progress_step(bar);
  }
  free(s);
  return status;
}

/* NaN: there was no memory. */
static dppair_status auc_add(summary *to, double auc) {
  if (auc != auc) return DPPAIR_ERR_OVERFLOW;
  summary_add(to, auc);
  return DPPAIR_OK;
}

dppair_status trial_levels(summary *ceiling, summary *zero_budget, const trial *t) {
  size_t k, d = t->data->d;
  double *s = malloc((t->data->n + d) * sizeof *s), *w = s != NULL ? s + t->data->n : NULL;
  dppair_status status = s == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
  memset(ceiling, 0, sizeof *ceiling);
  memset(zero_budget, 0, sizeof *zero_budget);
  for (k = 0; k < t->splits && status == DPPAIR_OK; k++) {
    split part;
    status = trial_split(&part, t, k);
    if (status != DPPAIR_OK) break;
    if (has_both_labels(&part.test)) {
      const dppair_rows_f64 rows = dppair_rows_make_f64(part.test.x, part.test.n, d, d);
      status = auc_add(zero_budget, zero_budget_auc(s, &part.test));
      if (status == DPPAIR_OK) status = reference_fit(w, &part.train);
      if (status == DPPAIR_OK) status = dppair_scores_f64(s, &rows, w);
      if (status == DPPAIR_OK) status = auc_add(ceiling, ranking_auc(s, part.test.y, part.test.n));
    }
    split_free(&part);
  }
  free(s);
  return status;
}
