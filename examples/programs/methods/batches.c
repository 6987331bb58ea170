/* SPDX-License-Identifier: MIT */
/*
 * dpsgd-allocation, dpsgd-poisson, dpsgd-subset: noisy descent on all pairs of random mini-batches.
 *
 *   w <- w - eta (1/(m (|B| - 1)) sum over i, j in B, y_i = 1, y_j = -1, of grad
 *                 + N(0, sigma^2 I))
 *
 * They differ in how batches are drawn, and in nothing else:
 *   allocation   each record is in exactly one of the t batches of an epoch, as data loaders have
 *                it, chosen for each record by itself; m = n/t, and |B| is random
 *   poisson      each record by a coin of m/n for each batch; |B| is random
 *   subset       m of the n records; then the divisor is m (m - 1)
 *
 * The scale 1/(m (|B| - 1)) is what makes pairs of a batch of random size private: a record that
 * joins moves the sum by at most 2 R s/m whatever the batch holds, while a plain sum has no bound.
 * NAME_release does this, at the slopes s that the released iterate can reach, and dppair_calibrate
 * finds the noise for all steps together.
 *
 * Batches read less in each step and gain nothing else over `gd`, whose batch is all records: where
 * the noise multiplier is well above 1 both come to the same noise, where it is below they cost
 * more.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/pairs.h"
#include "support/report.h"

typedef struct batches {
  const task *t;
  const pair_link *phi;
  size_t n, d, epochs, each; /* `each` batches an epoch */
  double mu, radius, eta;
  double *memory, *g, *w, *x, *factor; /* of the batch: x, factor */
  size_t *index;
  dppair_rows_f64 rows;
  dppair_options options;
  pair_sums sums;
} batches;

/* All rows, a class after the other, clipped. */
static dppair_status arrange(batches *r) {
  const size_t n = r->n, d = r->d;
  double *rows = r->memory, *factor = rows + n * d;
  size_t i, positives = rows_by_class(r->index, r->t->train.y, n);
  dppair_status status;
  for (i = 0; i < n; i++) memcpy(rows + i * d, r->t->train.x + r->index[i] * d, d * sizeof *rows);
  status = dppair_rows_clip_f64(&r->rows, factor, rows, n, d, d, r->radius);
  r->rows.positives = positives;
  return status;
}

/* Memory: two blocks of rows with their factors, the gradient; then the workspace. */
static dppair_status prepare(batches *r) {
  const size_t block = r->n * r->d + r->n, numbers = 2 * block + r->d;
  size_t bytes;
  dppair_status status = r->phi->workspace(&bytes, r->n, r->d, &r->options);
  if (status != DPPAIR_OK) return status;
  r->memory = working_get(1, numbers * sizeof *r->memory + bytes);
  r->index = working_get(1, r->n * sizeof *r->index);
  if (r->memory == NULL || r->index == NULL) return DPPAIR_ERR_OVERFLOW;
  r->x = r->memory + block;
  r->factor = r->x + r->n * r->d;
  r->g = r->memory + 2 * block;
  r->options.work = r->memory + numbers;
  r->options.bytes = bytes;
  return arrange(r);
}

/*
 * Steps, batches and step size from public numbers; the steps as `gd` has them, but 4 at least, and
 * shorter ones where the noise is large. With t batches an epoch the noise multiplier is about
 * sqrt(E/t)/mu: at most E/mu^2 batches, so that it does not fall below 1.
 */
static void plan(batches *r, size_t *steps) {
  const settings *with = &r->t->with;
  const double clear = (double)r->n * r->mu / sqrt((double)r->d), wanted = clear * clear / 4000;
  double curvature = pair_link_curvature(r->phi), most = fmax(1, (double)r->n / 2);
  if (!dppair_isfinite_f64(curvature)) curvature = 1;
  *steps = wanted < 4 ? 4 : wanted > 100 ? 100 : (size_t)wanted;
  if (with->steps > 0) *steps = with->steps;
  r->epochs = (size_t)fmin(fmax(1, ceil(r->mu * sqrt((double)*steps))), (double)*steps);
  r->each = (size_t)fmin((double)(*steps / r->epochs), most);
  r->epochs = (*steps + r->each - 1) / r->each;
  if (with->steps == 0) *steps = r->epochs * r->each;
  r->eta = fmin(fmax(clear / 108, 0.5), 8) / (curvature * r->radius * r->radius);
  if (with->step_size > 0) r->eta = with->step_size;
}

static dppair_sampling sampling_of(const batches *r, dppair_sampling_kind kind) {
  const size_t m = (r->n + r->each / 2) / r->each;
  if (kind == DPPAIR_ALLOCATION)
    return dppair_sampling_allocation(r->n, r->each, 1, DPPAIR_REPLACE_ONE);
  return kind == DPPAIR_POISSON ? dppair_sampling_poisson(r->n, m, DPPAIR_REPLACE_ONE)
                                : dppair_sampling_without_replacement(r->n, m, DPPAIR_REPLACE_ONE);
}

/* Small batches are summed by the loops; which are small is told by the size that is expected. */
static dppair_status step(batches *r, spending *spent) {
  const double norm = dppair_norm_f64(r->w, r->d) * (1 + (double)(r->d + 8) * DBL_EPSILON);
  dppair_rows_f64 batch;
  dppair_batch drawn;
  size_t k;
  dppair_status status = DPPAIR_OK;
  if (r->n / r->each >= 1024)
    status = pair_sums_reach(&r->sums, r->phi, r->n, r->radius * norm * (1 + 1e-9));
  r->options.fast = r->sums.fast.kind != 0 ? &r->sums.fast : NULL;
  if (status == DPPAIR_OK && r->t->with.explain != NULL && !(r->t->with.explain->scale > 0))
    status = r->phi->explain(r->t->with.explain, &spent->release, &r->rows, r->w, &r->options);
  if (status == DPPAIR_OK) status = dppair_release_draw(&drawn, r->index, r->n, &spent->release);
  if (status == DPPAIR_OK)
    status = dppair_gather_f64(&batch, r->x, NULL, r->factor, &drawn, &r->rows);
  if (status == DPPAIR_OK) status = r->phi->release(r->g, &spent->release, &batch, r->w, &r->options);
  if (status != DPPAIR_OK) return status;
  for (k = 0; k < r->d; k++) r->w[k] -= r->eta * r->g[k];
  if (r->t->with.param_radius > 0)
    return dppair_project_l2_f64(r->w, r->d, r->t->with.param_radius);
  return dppair_all_finite_f64(r->w, r->d) ? DPPAIR_OK : DPPAIR_ERR_NOT_FINITE;
}

static dppair_status descend(model *out, batches *r, dppair_sampling_kind kind) {
  spending spent;
  size_t k;
  double zeroed;
  dppair_status status = spending_begin(&spent, r->t);
  plan(r, &out->steps);
  if (status == DPPAIR_OK) status = spend_batches(&spent, out->steps, sampling_of(r, kind));
  for (k = 0; k < out->steps && status == DPPAIR_OK; k++) status = step(r, &spent);
  if (status == DPPAIR_OK) status = spend_claim(out, &spent);
  if (status == DPPAIR_OK && kind != DPPAIR_WITHOUT_REPLACEMENT && !r->t->with.noiseless) {
    zeroed = spent_if_zeroed(&spent);
    note(out,
         "epsilon %.6g for a record that is absent instead of replaced, while n stays what it is. ",
         rounded_up(zeroed));
  }
  note(out, "%zu epochs of %zu batches, noise multiplier %.4g. ", r->epochs, r->each,
       spent.release.noise_multiplier);
  spending_end(&spent);
  return status;
}

static dppair_status solve(model *out, const task *t, dppair_sampling_kind kind) {
  batches r;
  dppair_status status = model_allocate(out, t->train.d, t->train.d);
  memset(&r, 0, sizeof r);
  r.t = t;
  r.n = t->train.n;
  r.d = t->train.d;
  r.w = out->theta;
  r.radius = task_radius(t);
  r.phi = pair_link_find(t->with.loss, "logistic");
  if (status == DPPAIR_OK && r.phi == NULL) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK) status = task_mu(&r.mu, t);
  if (status == DPPAIR_OK) status = prepare(&r);
  if (status == DPPAIR_OK) status = descend(out, &r, kind);
  working_free(r.memory);
  working_free(r.index);
  pair_sums_free(&r.sums);
  return status;
}

static dppair_status train_allocation(model *out, const task *t) {
  return solve(out, t, DPPAIR_ALLOCATION);
}
static dppair_status train_poisson(model *out, const task *t) {
  return solve(out, t, DPPAIR_POISSON);
}
static dppair_status train_subset(model *out, const task *t) {
  return solve(out, t, DPPAIR_WITHOUT_REPLACEMENT);
}

#define METHOD(name, spelled, summary)                                                             \
  const method method_dpsgd_##name = {spelled,                                                     \
                                      summary,                                                     \
                                      "the weights; every iterate on the way to them",             \
                                      OFFERS_DESCENT | OFFERS_PARAM_RADIUS | OFFERS_EXPLAIN,       \
                                      0,                                                           \
                                      train_##name};

METHOD(allocation, "dpsgd-allocation", "all pairs of a batch; each record in one batch an epoch")
METHOD(poisson, "dpsgd-poisson", "all pairs of a batch; a coin for each record and batch")
METHOD(subset, "dpsgd-subset", "all pairs of a batch of fixed size")
