/* SPDX-License-Identifier: MIT */
/*
 * online: ranking in one pass over a stream. Record t arrives, meets the last s records, and its
 * mean pair gradient
 *
 *   g_t = (1/s) sum over the buffer of the gradient of phi(w.(x - x')), positive minus negative,
 *
 * is added to a prefix sum with noise: w_t = -eta (g_(s+1) + .. + g_t + noise), follow the
 * regularised leader. Nothing is released while the buffer fills. A record is met at s + 1 steps
 * and leaves; the noise of the sums is correlated (noise/prefix.h), so that it grows like the
 * logarithm of their length. Records arrive in the order of the file, which is public.
 *
 * Why it is private: a replaced record moves its own gradient by at most the diameter of a pair's
 * gradients, and those of the s steps after it by 1/s of that; dppair_sensitivity_prefix composes
 * these moves for the factor of the noise. Every w_t is public, and so is all that follows from it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/links.h"
#include "methods/method.h"

typedef struct online {
  const task *t;
  const pair_link *phi;
  size_t n, d;
  double radius, eta;
  dppair_pair_unit unit;
  dppair_stream stream;
  dppair_prefix prefix;
  double *memory, *x, *s, *margin, *slope, *g, *sum, *w;
} online;

/* How long a pair's gradient is and how far it moves with one record, as computed. Slopes and
 * margins are functions of two rows and w, alike wherever the pair stands: what they round is in
 * the range of the slopes. The mean over b pairs of d numbers is off by less than b + 2d + 64 units
 * of the longest one, and a step's error e costs 2 e b (dppair_sensitivity_prefix). */
static dppair_status online_unit(online *r) {
  const double b = (double)r->stream.buffer, d = (double)r->d;
  dppair_bounds bounds = {0, 0, 0, 0, 0};
  dppair_constants k;
  dppair_status status;
  bounds.radius = r->radius;
  bounds.param_radius = r->t->with.param_radius > 0 ? r->t->with.param_radius : HUGE_VAL;
  status = dppair_constants_find(&k, DPPAIR_MARGIN_ind, dppair_loss_facts_of(r->phi->loss), NULL,
                                 &bounds);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(k.lipschitz)) return DPPAIR_ERR_NO_PROOF;
  r->unit.levels = 2 * k.move <= k.lipschitz * (1 + 1e-12) ? DPPAIR_LEVELS_TWO : DPPAIR_LEVELS_ANY;
  r->unit.unit = k.lipschitz * (1 + (256 + 4 * b * (b + 2 * d + 64)) * DBL_EPSILON);
  return DPPAIR_OK;
}

/* g_t at w; the rows before it, from `first` on, are the buffer. */
static dppair_status online_gradient(online *r, size_t t) {
  const size_t first = t - r->stream.buffer, count = r->stream.buffer + 1, d = r->d;
  const dppair_rows_f64 rows = dppair_rows_make_f64(r->x + first * d, count, d, d);
  const double *y = r->t->train.y + first, mine = y[count - 1], *own = r->x + t * d;
  double total = 0;
  size_t j, k;
  dppair_status status = dppair_scores_f64(r->s, &rows, r->w);
  for (j = 0; j + 1 < count; j++) r->margin[j] = mine * (r->s[count - 1] - r->s[j]);
  if (status == DPPAIR_OK)
    status = dppair_loss_eval(NULL, r->slope, NULL, r->margin, count - 1, r->phi->loss, NULL);
  r->slope[count - 1] = 0;
  for (j = 0; j + 1 < count; j++) {
    r->slope[j] = mine * y[j] < 0 ? -mine * r->slope[j] / (double)(count - 1) : 0;
    total += r->slope[j];
  }
  if (status == DPPAIR_OK) status = dppair_combine_f64(r->g, &rows, r->slope);
  for (k = 0; k < d; k++) r->g[k] -= total * own[k];
  return status;
}

/* The buffer, and which noise: the square root takes T^2 d products, the tree has 3 times its
 * noise. All from public numbers. */
static void online_plan(online *r) {
  const double n = (double)r->n;
  r->stream.steps = r->n;
  r->stream.buffer = r->n < 32 ? 2 : r->n < 1024 ? r->n / 16 : 64;
  r->stream.silent = r->stream.buffer;
  r->stream.noise = n * n * (double)r->d <= 2e10 ? DPPAIR_PREFIX_SQUARE_ROOT : DPPAIR_PREFIX_TREE;
  r->stream.adjacency = DPPAIR_REPLACE_ONE;
}

static dppair_status online_sensitivity(double *found, const online *r) {
  size_t bytes;
  void *work;
  dppair_status status = dppair_sensitivity_prefix_workspace(&bytes, &r->stream);
  if (status != DPPAIR_OK) return status;
  if ((work = malloc(bytes)) == NULL) return DPPAIR_ERR_OVERFLOW;
  status = dppair_sensitivity_prefix(found, &r->unit, &r->stream, work, bytes);
  free(work);
  return status;
}

/* The step size: noise alone makes margins of about 1 at the end, and without noise the gradients
 * of a few hundredths of the stream do. */
static double online_step(const online *r, double sigma) {
  const double n = (double)r->n, noise = sigma * sqrt(log(n) / 3.14 + 1.06) * sqrt((double)r->d);
  if (r->t->with.step_size > 0) return r->t->with.step_size;
  return 1 / (r->radius * (noise + 0.003 * r->radius * n));
}

static dppair_status online_run(online *r, spending *spent) {
  size_t t, k;
  dppair_status status = DPPAIR_OK;
  for (t = r->stream.silent; t < r->n && status == DPPAIR_OK; t++) {
    status = online_gradient(r, t);
    if (status == DPPAIR_OK) status = spend_prefix(r->sum, r->g, t + 1, &r->prefix, spent);
    for (k = 0; k < r->d; k++) r->w[k] = -r->eta * r->sum[k];
    if (status == DPPAIR_OK && r->t->with.param_radius > 0)
      status = dppair_project_l2_f64(r->w, r->d, r->t->with.param_radius);
  }
  return status;
}

/* Memory: rows, scores, margins, slopes; gradient, sum; then the workspace. */
static dppair_status online_prepare(online *r, double sigma) {
  const size_t most = r->stream.buffer + 1, numbers = r->n * r->d + 3 * most + 2 * r->d;
  size_t bytes;
  dppair_status status = dppair_prefix_workspace(&bytes, &r->stream, r->d);
  if (status != DPPAIR_OK) return status;
  r->memory = malloc(numbers * sizeof *r->memory + bytes);
  if (r->memory == NULL) return DPPAIR_ERR_OVERFLOW;
  r->x = r->memory;
  r->s = r->x + r->n * r->d;
  r->margin = r->s + most;
  r->slope = r->margin + most;
  r->g = r->slope + most;
  r->sum = r->g + r->d;
  status = rows_clip(r->x, &r->t->train, NULL, r->radius);
  if (status != DPPAIR_OK) return status;
  return dppair_prefix_open(&r->prefix, &r->stream, r->d, sigma, r->unit.unit, r->memory + numbers,
                            bytes);
}

static dppair_status train(model *out, const task *t) {
  online r;
  spending spent;
  double moved = 0, sigma = 0;
  dppair_status status = spending_begin(&spent, t);
  memset(&r, 0, sizeof r);
  r.t = t;
  r.n = t->train.n;
  r.d = t->train.d;
  r.radius = task_radius(t);
  r.phi = pair_link_find(t->with.loss, "logistic");
  online_plan(&r);
  if (status == DPPAIR_OK) status = model_allocate(out, r.d, r.d);
  r.w = out->theta;
  if (status == DPPAIR_OK && r.phi == NULL) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK) status = online_unit(&r);
  if (status == DPPAIR_OK) status = online_sensitivity(&moved, &r);
  if (status == DPPAIR_OK) status = spend_stream(&sigma, &spent, moved);
  if (status == DPPAIR_OK) status = online_prepare(&r, sigma);
  r.eta = online_step(&r, sigma);
  if (status == DPPAIR_OK) status = online_run(&r, &spent);
  if (status == DPPAIR_OK) status = spend_claim(out, &spent);
  out->sigma = sigma;
  out->steps = r.n - r.stream.silent;
  note(out, "Each record met the %zu before it, in the order of the file, which is public. ",
       r.stream.buffer);
  dppair_prefix_close(&r.prefix);
  free(r.memory);
  spending_end(&spent);
  return status;
}

const method method_online = {
    "online",
    "one pass over the records as they come, against the last ones; noisy prefix sums",
    "the weights, one number per feature; the weights after every step on the way to them",
    OFFERS_LOSS | OFFERS_STEP_SIZE | OFFERS_RADIUS | OFFERS_PARAM_RADIUS,
    0,
    train};
