/* SPDX-License-Identifier: MIT */
/*
 * pointwise: gradient descent over all pairs, made pointwise. A histogram of the scores of both
 * classes is released; against it each record has a coefficient of its own, and
 *
 *   w <- Proj( w - eta ( (1/n) sum of clip(c_i x_i) + N(0, sigma^2 I) ) )
 *
 * moves by one clip over n where a record is zeroed, by two where it is replaced. All pairs move by
 * 2 R s_t/n in both cases. So this wins where it is zeroed, and elsewhere by what the clip, R/4, is
 * below R s_t; the histograms take a fifth of the budget: all records have one paid release for every
 * four gradients, batches a fifth of every paid release, which is ONE event of the batch.
 *
 * Beside the method stand its variants for a table that compares them: all pairs or pointwise, all
 * records or Poisson batches, one record replaced or zeroed. Those of zeroed records are for
 * simulations: what programs release is for replaced ones.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/pairs.h"

enum { EVERY = 4, NODES_MOST = 65 };

/* What is run: of pairs or pointwise, on batches, for zeroed records. */
enum { ALL_PAIRS = 1, BATCHES = 2, ZEROED = 4 };

typedef struct descent {
  const task *t;
  int kind;
  const pair_link *phi;
  size_t n, d, m, steps; /* m: expected records of a batch, or n */
  double radius, clip, eta, *memory, *g, *w, *scores, *batch, *batch_factor;
  double node[NODES_MOST], count[2 * NODES_MOST];
  dppair_histogram h;
  dppair_rows_f64 rows;
  dppair_options options;
  pair_sums sums;
  size_t *index;
} descent;

/* Rows of a class after those of the other, clipped; and room. */
static dppair_status prepare(descent *r) {
  const size_t n = r->n, d = r->d, numbers = 2 * n * d + 3 * n + d;
  size_t i, positives, bytes;
  double *x, *factor;
  dppair_status status = r->phi->workspace(&bytes, n, d, &r->options);
  if (status != DPPAIR_OK) return status;
  r->index = malloc(n * sizeof *r->index);
  r->memory = malloc(numbers * sizeof *r->memory + bytes);
  if (r->memory == NULL || r->index == NULL) return DPPAIR_ERR_OVERFLOW;
  x = r->memory;
  r->batch = x + n * d;
  factor = r->batch + n * d;
  r->batch_factor = factor + n;
  r->scores = r->batch_factor + n;
  r->g = r->scores + n;
  r->options.work = r->memory + numbers;
  r->options.bytes = bytes;
  positives = rows_by_class(r->index, r->t->train.y, n);
  for (i = 0; i < n; i++) memcpy(x + i * d, r->t->train.x + r->index[i] * d, d * sizeof *x);
  status = dppair_rows_clip_f64(&r->rows, factor, x, n, d, d, r->radius);
  r->rows.positives = positives;
  return status;
}

/* Scores are at most R |w|, a public number: nodes lie so far out and half of a unit apart, if so
 * many are enough. */
static void place_nodes(descent *r) {
  const double reach = fmin(fmax(r->radius * dppair_norm_f64(r->w, r->d), 0.5), 16);
  size_t k, half = (size_t)ceil(2 * reach);
  half = half < 4 ? 4 : half > NODES_MOST / 2 ? NODES_MOST / 2 : half;
  for (k = 0; k <= 2 * half; k++) r->node[k] = reach * ((double)k / (double)half - 1);
  r->h.node = r->node;
  r->h.count = r->count;
  r->h.nodes = 2 * half + 1;
}

static dppair_status pointwise_gradient(descent *r, const dppair_rows_f64 *rows, size_t step,
                                        dppair_release *release) {
  dppair_status status = DPPAIR_OK;
  if (r->kind & BATCHES) status = dppair_release_part(release, 0.2);
  if (status == DPPAIR_OK && (r->kind & BATCHES || step % EVERY == 0)) {
    place_nodes(r);
    status = dppair_scores_f64(r->scores, rows, r->w);
    if (status == DPPAIR_OK)
      status =
          dppair_release_score_histogram(&r->h, release, r->scores, NULL, rows->n, rows->positives);
  }
  if (status != DPPAIR_OK) return status;
  return r->phi->pointwise(r->g, release, rows, r->w, &r->h, r->clip, &r->options);
}

static dppair_status pairs_of_all(descent *r, const dppair_rows_f64 *rows,
                                  dppair_release *release) {
  const double norm = dppair_norm_f64(r->w, r->d) * (1 + (double)(r->d + 8) * DBL_EPSILON);
  dppair_status status = pair_sums_reach(&r->sums, r->phi, r->n, r->radius * norm * (1 + 1e-9));
  r->options.fast = r->sums.fast.kind != 0 ? &r->sums.fast : NULL;
  return status == DPPAIR_OK ? r->phi->release(r->g, release, rows, r->w, &r->options) : status;
}

static dppair_status step(descent *r, size_t at, spending *spent) {
  dppair_rows_f64 drawn;
  const dppair_rows_f64 *rows = &r->rows;
  dppair_batch batch;
  size_t k;
  dppair_status status = DPPAIR_OK;
  if (r->kind & BATCHES) {
    status = dppair_release_draw(&batch, r->index, r->n, &spent->release);
    if (status == DPPAIR_OK)
      status = dppair_gather_f64(&drawn, r->batch, NULL, r->batch_factor, &batch, rows);
    rows = &drawn;
  }
  if (status != DPPAIR_OK) return status;
  status = r->kind & ALL_PAIRS ? pairs_of_all(r, rows, &spent->release)
                               : pointwise_gradient(r, rows, at, &spent->release);
  if (status != DPPAIR_OK) return status;
  for (k = 0; k < r->d; k++) r->w[k] -= r->eta * r->g[k];
  if (r->t->with.param_radius > 0)
    return dppair_project_l2_f64(r->w, r->d, r->t->with.param_radius);
  return dppair_all_finite_f64(r->w, r->d) ? DPPAIR_OK : DPPAIR_ERR_NOT_FINITE;
}

/* Steps and step size from public numbers, as those of gd: `clear` is n mu/sqrt(d) over the move of
 * the mean in units of R/n, which is that of all pairs at w = 0. */
static dppair_status plan(descent *r) {
  const settings *with = &r->t->with;
  const double moves = r->kind & ZEROED ? 1 : 2;
  const double move = r->kind & ALL_PAIRS ? 1 : moves * r->clip / r->radius / sqrt(0.8);
  double mu, clear, wanted, curvature = pair_link_curvature(r->phi);
  const dppair_status status = task_mu(&mu, r->t);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(curvature)) curvature = 1;
  r->m = r->n;
  clear = (double)r->n * mu / sqrt((double)r->d) / move;
  wanted = fmin(fmax(clear * clear / 4000, 1), 100);
  if (r->kind & BATCHES) {
    r->m = r->n < 1024 ? (r->n + 3) / 4 : r->n < 8192 ? 256 : 512;
    wanted = fmin(fmax(10 * (double)r->n / (double)r->m, 30), 400);
  }
  r->steps = with->steps > 0 ? with->steps : (size_t)wanted;
  r->eta = fmin(fmax(clear / 27, 1), 8) / (curvature * r->radius * r->radius);
  if (r->kind & BATCHES) r->eta *= fmin(1, 100 / (double)r->steps);
  if (with->step_size > 0) r->eta = with->step_size;
  return DPPAIR_OK;
}

static dppair_status descend(descent *r, spending *spent) {
  const dppair_adjacency adjacency = r->kind & ZEROED ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE;
  const size_t counts = r->kind & ALL_PAIRS ? 0 : (r->steps + EVERY - 1) / EVERY;
  size_t k;
  dppair_status status;
  status = r->kind & BATCHES
               ? spend_batches(spent, r->steps, dppair_sampling_poisson(r->n, r->m, adjacency))
               : spend_all(spent, r->steps + counts);
  for (k = 0; k < r->steps && status == DPPAIR_OK; k++) status = step(r, k, spent);
  return status;
}

static dppair_status train_kind(model *out, const task *asked, int kind) {
  task own = *asked;
  spending spent;
  descent r;
  dppair_status status = model_allocate(out, own.train.d, own.train.d);
  memset(&r, 0, sizeof r);
  if (kind & ZEROED) own.adjacency = DPPAIR_ZERO_OUT;
  r.t = &own;
  r.kind = kind;
  r.n = own.train.n;
  r.d = own.train.d;
  r.w = out->theta;
  r.radius = task_radius(&own);
  r.clip = r.radius / 4;
  r.phi = pair_link_find(own.with.loss, "logistic");
  if (status == DPPAIR_OK && r.phi == NULL) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK) status = plan(&r);
  if (status == DPPAIR_OK) status = prepare(&r);
  if (status == DPPAIR_OK) status = spending_begin(&spent, &own);
  if (status == DPPAIR_OK) {
    out->steps = r.steps;
    status = descend(&r, &spent);
    if (status == DPPAIR_OK) status = spend_claim(out, &spent);
    spending_end(&spent);
  }
  if (!(kind & ALL_PAIRS)) note(out, "A fifth of the budget for histograms of the scores. ");
  free(r.memory);
  free(r.index);
  pair_sums_free(&r.sums);
  return status;
}

#define METHOD(name, spelled, kind, summary)                                                       \
  static dppair_status train_##name(model *out, const task *t) {                                   \
    return train_kind(out, t, kind);                                                               \
  }                                                                                                \
  const method method_##name = {spelled,                                                           \
                                summary,                                                           \
                                "the weights, one number per feature; every iterate and every "    \
                                "histogram of scores on the way to them",                          \
                                OFFERS_DESCENT | OFFERS_PARAM_RADIUS,                              \
                                0,                                                                 \
                                train_##name};

METHOD(pointwise, "pointwise", 0, "descent over all pairs against released histograms of scores")

/* Of a table only. */
METHOD(pairs_all, "pairs", ALL_PAIRS, "all pairs of all records")
METHOD(pairs_batches, "pairs-batches", ALL_PAIRS | BATCHES, "all pairs of Poisson batches")
METHOD(pointwise_batches, "pointwise-batches", BATCHES, "pointwise, Poisson batches")
METHOD(pairs_zeroed, "pairs-zeroed", ALL_PAIRS | ZEROED, "all pairs, a record is zeroed")
METHOD(pairs_batches_zeroed, "pairs-batches-zeroed", ALL_PAIRS | BATCHES | ZEROED,
       "all pairs of batches, a record is zeroed")
METHOD(pointwise_zeroed, "pointwise-zeroed", ZEROED, "pointwise, a record is zeroed")
METHOD(pointwise_batches_zeroed, "pointwise-batches-zeroed", BATCHES | ZEROED,
       "pointwise, batches, a record is zeroed")
