/* SPDX-License-Identifier: MIT */
/*
 * online: ranking in one pass over a stream. Record t arrives, meets the last s records, and its
 * mean pair gradient
 *
 *   g_t = (1/s) sum over the buffer of the gradient of phi(w.(x - x')), positive minus negative,
 *
 * is added to a prefix sum with noise: w_t = -eta (g_(s+1) + .. + g_t + noise), follow the
 * regularised leader. Nothing is released while the buffer fills. A record is met at s + 1 steps
 * and leaves; the noise of the sums is correlated (modules/streams/prefix.h), so that it grows like the
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
  double *memory, *x, *s, *other, *slope, *c, *g, *sum, *w;
} online;

/* How long a pair's gradient is and how far it moves with one record, as computed. Slopes and
 * margins are functions of two rows and w, alike wherever the pair stands: what they round is in
 * the range of the slopes. The mean over b pairs of d numbers is off by less than b + 2d + 64 units
 * of the longest one, and a step's error e costs 2 e b (dppair_sensitivity_prefix). */
static dppair_status online_unit(online *r) {
  const double b = (double)r->stream.buffer, d = (double)r->d;
  const double ball = r->t->with.param_radius > 0 ? r->t->with.param_radius : HUGE_VAL;
  dppair_constants k;
  const dppair_status status = pair_link_constants(&k, r->phi, r->radius, ball);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(k.lipschitz)) return DPPAIR_ERR_NO_PROOF;
  r->unit.levels = 2 * k.move <= k.lipschitz * (1 + 1e-12) ? DPPAIR_LEVELS_TWO : DPPAIR_LEVELS_ANY;
  r->unit.unit = k.lipschitz * (1 + (256 + 4 * b * (b + 2 * d + 64)) * DBL_EPSILON);
  return DPPAIR_OK;
}

/* g_t at w; the rows before it are the buffer. Each has one pair with it, or none. */
static dppair_status online_gradient(online *r, size_t t) {
  const size_t first = t - r->stream.buffer, count = r->stream.buffer + 1, d = r->d;
  const dppair_rows_f64 rows = dppair_rows_make_f64(r->x + first * d, count, d, d);
  const double *y = r->t->train.y + first, *own = &r->s[count - 1];
  const int positive = y[count - 1] > 0;
  size_t j, k, others = 0;
  dppair_status status = dppair_scores_f64(r->s, &rows, r->w);
  for (j = 0; j + 1 < count; j++)
    if ((y[j] > 0) != positive) r->other[others++] = r->s[j];
  memset(r->c, 0, count * sizeof *r->c);
  if (status == DPPAIR_OK && others > 0)
    status = positive ? r->phi->coeffs(&r->c[count - 1], r->slope, own, 1, r->other, others)
                      : r->phi->coeffs(r->slope, &r->c[count - 1], r->other, others, own, 1);
  for (j = others = 0; j + 1 < count; j++)
    if ((y[j] > 0) != positive) r->c[j] = r->slope[others++];
  if (status == DPPAIR_OK) status = dppair_combine_f64(r->g, &rows, r->c);
  for (k = 0; k < d; k++) r->g[k] /= (double)r->stream.buffer;
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

/* Memory: rows; scores, those of the other class, slopes, coefficients; gradient, sum. */
static dppair_status online_prepare(online *r) {
  const size_t most = r->stream.buffer + 1;
  r->memory = malloc((r->n * r->d + 4 * most + 2 * r->d) * sizeof *r->memory);
  if (r->memory == NULL) return DPPAIR_ERR_OVERFLOW;
  r->x = r->memory;
  r->s = r->x + r->n * r->d;
  r->other = r->s + most;
  r->slope = r->other + most;
  r->c = r->slope + most;
  r->g = r->c + most;
  r->sum = r->g + r->d;
  return rows_clip(r->x, &r->t->train, NULL, r->radius);
}

static dppair_status train(model *out, const task *t) {
  online r;
  spending spent;
  double sigma;
  void *work = NULL;
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
  if (status == DPPAIR_OK) status = online_prepare(&r);
  if (status == DPPAIR_OK) status = spend_stream(&r.prefix, &work, &spent, &r.unit, &r.stream, r.d);
  sigma = r.prefix.sigma;
  r.eta = online_step(&r, sigma);
  if (status == DPPAIR_OK) status = online_run(&r, &spent);
  if (status == DPPAIR_OK) status = spend_claim(out, &spent);
  out->sigma = sigma;
  out->steps = r.n - r.stream.silent;
  note(out, "Each record met the %zu before it, in the order of the file, which is public. ",
       r.stream.buffer);
  spend_stream_end(&r.prefix);
  free(work);
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
