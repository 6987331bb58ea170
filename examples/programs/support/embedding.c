/* SPDX-License-Identifier: MIT */
#include "support/embedding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/method.h"

#define DPPAIR_NAME softmax
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"
#define DPPAIR_NAME triplets
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_triplet
#include "dppair_contrast.h"

const char *const embedding_losses[EMBED_LOSSES] = {"supcon", "infonce", "triplet"};

/* --- the map ---------------------------------------------------------------------------------- */

/* The seed of what is public: code words, the second layer's start. */
enum { PUBLIC_SEED = 1 };

static double uniform(simulation_rng *rng) { /* in [-1, 1) */
  return (double)(simulation_u64(rng) >> 11) * 0x1p-52 - 1;
}

/* c rows of norm 1 that repel each other: a regular simplex where dim allows it, spread otherwise.
 */
static void spread(double *code, size_t c, size_t dim, simulation_rng *rng) {
  size_t round, i, j, k;
  for (i = 0; i < c * dim; i++) code[i] = uniform(rng);
  for (round = 0; round < 2000; round++)
    for (i = 0; i < c; i++) {
      double *own = code + i * dim, norm;
      for (j = 0; j < c && round > 0; j++) {
        double square = 1e-3;
        for (k = 0; k < dim; k++) square += pow(own[k] - code[j * dim + k], 2);
        for (k = 0; k < dim && j != i; k++)
          own[k] += 0.1 * (own[k] - code[j * dim + k]) / (square * sqrt(square)) / (double)c;
      }
      norm = dppair_norm_f64(own, dim);
      for (k = 0; k < dim; k++) own[k] /= norm > 0 ? norm : 1;
    }
}

int embedding_make(embedding *e, size_t d, size_t hidden, size_t dim, size_t classes) {
  simulation_rng rng;
  size_t k;
  memset(e, 0, sizeof *e);
  e->d = d;
  e->hidden = hidden;
  e->dim = dim;
  e->classes = classes;
  e->size = hidden > 0 ? hidden * (d + dim) : d * dim;
  e->theta = calloc(e->size, sizeof *e->theta);
  e->code = calloc(classes * dim, sizeof *e->code);
  if (e->theta == NULL || e->code == NULL) {
    embedding_free(e);
    return 0;
  }
  simulation_seed(&rng, PUBLIC_SEED);
  spread(e->code, classes, dim, &rng);
  spread(e->theta + d * hidden, hidden, dim, &rng);
  for (k = 0; k < hidden * dim; k++)
    e->theta[d * hidden + k] *= sqrt((double)dim / (double)hidden); /* V^T V is about 1 */
  return 1;
}

void embedding_free(embedding *e) {
  free(e->theta);
  free(e->code);
  memset(e, 0, sizeof *e);
}

/* to[b] += sum over a of x[a] w[a][b] */
static void times(double *to, const double *x, const double *w, size_t rows, size_t columns) {
  size_t a, b;
  for (a = 0; a < rows; a++)
    for (b = 0; b < columns; b++) to[b] += x[a] * w[a * columns + b];
}

/* w[a][b] += x[a] y[b] */
static void add_outer(double *w, const double *x, const double *y, size_t rows, size_t columns) {
  size_t a, b;
  for (a = 0; a < rows; a++)
    for (b = 0; b < columns; b++) w[a * columns + b] += x[a] * y[b];
}

/* z[dim] of one row; t[hidden]: what the hidden layer says. */
static void forward(double *z, double *t, const embedding *e, const double *x) {
  const double *v = e->theta + e->d * e->hidden;
  size_t h;
  memset(z, 0, e->dim * sizeof *z);
  if (e->hidden == 0) {
    times(z, x, e->theta, e->d, e->dim);
    return;
  }
  memset(t, 0, e->hidden * sizeof *t);
  times(t, x, e->theta, e->d, e->hidden);
  for (h = 0; h < e->hidden; h++) t[h] = tanh(t[h]);
  times(z, t, v, e->hidden, e->dim);
}

/* g += the gradient in theta, dz[dim] being that in the row's z; t as forward left it, then spent.
 */
static void backward(double *g, double *t, const embedding *e, const double *x, const double *dz) {
  const double *v = e->theta + e->d * e->hidden;
  size_t h, k;
  if (e->hidden == 0) {
    add_outer(g, x, dz, e->d, e->dim);
    return;
  }
  add_outer(g + e->d * e->hidden, t, dz, e->hidden, e->dim);
  for (h = 0; h < e->hidden; h++) {
    double slope = 0;
    for (k = 0; k < e->dim; k++) slope += v[h * e->dim + k] * dz[k];
    t[h] = slope * (1 - t[h] * t[h]);
  }
  add_outer(g, x, t, e->d, e->hidden);
}

int embedding_apply(double *z, const embedding *e, const double *x, size_t n) {
  double *t = calloc(e->hidden + 1, sizeof *t);
  size_t i;
  for (i = 0; i < n && t != NULL; i++) forward(z + i * e->dim, t, e, x + i * e->d);
  free(t);
  return t != NULL;
}

double embedding_code_accuracy(const embedding *e, const double *z, const double *y, size_t n) {
  size_t i, c, k, correct = 0;
  for (i = 0; i < n; i++) {
    size_t best = 0;
    double least = HUGE_VAL;
    for (c = 0; c < e->classes; c++) {
      double square = 0;
      for (k = 0; k < e->dim; k++) square += pow(z[i * e->dim + k] - e->code[c * e->dim + k], 2);
      if (!(square < least)) continue;
      least = square;
      best = c;
    }
    correct += (size_t)y[i] == best;
  }
  return (double)correct / (double)n;
}

/* --- the gradient of a set of records --------------------------------------------------------- */

/* Room for n records and the code words behind them. */
typedef struct bench {
  const embedding *e;
  const embedding_settings *s;
  size_t most;
  double *memory;
  double *z, *dz, *y; /* of most + classes rows; y: labels */
  double *t, *g;      /* most x hidden; like theta */
  void *work;         /* of the contrast */
  size_t bytes;
} bench;

static void bench_close(bench *b) {
  free(b->memory);
  free(b->work);
}

static int bench_open(bench *b, const embedding *e, const embedding_settings *s, size_t most) {
  const size_t rows = most + e->classes;
  memset(b, 0, sizeof *b);
  b->e = e;
  b->s = s;
  b->most = most;
  if ((s->loss == EMBED_TRIPLET
           ? triplets_contrast_workspace(&b->bytes, rows, 0, e->dim, NULL)
           : softmax_contrast_workspace(&b->bytes, rows, e->classes, e->dim, NULL)) != DPPAIR_OK)
    return 0;
  b->work = malloc(b->bytes);
  b->memory = calloc(rows * (2 * e->dim + 1) + most * e->hidden + e->size, sizeof *b->memory);
  if (b->memory == NULL || b->work == NULL) {
    bench_close(b);
    return 0;
  }
  b->z = b->memory;
  b->dz = b->z + rows * e->dim;
  b->y = b->dz + rows * e->dim;
  b->t = b->y + rows;
  b->g = b->t + most * e->hidden;
  return 1;
}

/* b->dz = the gradient of the loss in the n embeddings b->z, behind which stand the code words. */
static dppair_status slopes(bench *b, size_t n) {
  const size_t k = b->e->dim, c = b->e->classes;
  dppair_contrast how = {0};
  dppair_options options = {0};
  dppair_rows_f64 rows = dppair_rows_make_f64(b->z, n, k, k), codes = rows;
  how.compare = DPPAIR_COMPARE_DISTANCE;
  how.positives = DPPAIR_POSITIVE_LABEL;
  how.temperature = b->s->temperature;
  options.work = b->work;
  options.bytes = b->bytes;
  rows.y = b->y;
  if (b->s->loss == EMBED_INFONCE) { /* a record's one positive is its code word */
    codes = dppair_rows_make_f64(b->z + n * k, c, k, k);
    codes.y = b->y + n;
    return softmax_contrast_gradient(b->dz, b->dz + n * k, &rows, &codes, &how, &options);
  }
  rows.n += c;
  if (b->s->loss == EMBED_SUPCON)
    return softmax_contrast_gradient(b->dz, NULL, &rows, NULL, &how, &options);
  how.margin = b->s->margin;
  return triplets_contrast_gradient(b->dz, NULL, &rows, NULL, &how, &options);
}

/* b->g = the gradient of the loss of these n records and the code words, which do not move; index
 * NULL: the first n. It reads these records and what is public, nothing else. */
static dppair_status gradient(bench *b, const labelled *rows, const size_t *index, size_t n) {
  const embedding *e = b->e;
  size_t i;
  dppair_status status;
  for (i = 0; i < n; i++) {
    const size_t at = index != NULL ? index[i] : i;
    forward(b->z + i * e->dim, b->t + i * e->hidden, e, rows->x + at * e->d);
    b->y[i] = rows->y[at];
  }
  memcpy(b->z + n * e->dim, e->code, e->classes * e->dim * sizeof *b->z);
  for (i = 0; i < e->classes; i++) b->y[n + i] = (double)i;
  memset(b->g, 0, e->size * sizeof *b->g);
  status = slopes(b, n);
  for (i = 0; i < n && status == DPPAIR_OK; i++) {
    const size_t at = index != NULL ? index[i] : i;
    backward(b->g, b->t + i * e->hidden, e, rows->x + at * e->d, b->dz + i * e->dim);
  }
  return status;
}

/* --- training --------------------------------------------------------------------------------- */

/* One step: the draw's groups, each clipped, their mean with noise. */
static dppair_status step(embedding *e, bench *b, double *mean, size_t *index, const labelled *rows,
                          spending *paid) {
  const embedding_settings *s = b->s;
  dppair_group_sum sum;
  size_t count, j, k;
  dppair_status status = spend_draw(index, &count, rows->n, paid);
  if (status == DPPAIR_OK)
    status = dppair_group_sum_open(&sum, mean, e->size, s->clip, &paid->release);
  for (j = 0; j + s->group <= count && status == DPPAIR_OK; j += s->group) {
    status = gradient(b, rows, index + j, s->group);
    if (status == DPPAIR_ERR_NOT_FINITE || status == DPPAIR_ERR_OVERFLOW) { /* of these records */
      memset(b->g, 0, e->size * sizeof *b->g);
      status = DPPAIR_OK;
    }
    if (status == DPPAIR_OK) status = dppair_group_add_f64(&sum, b->g);
  }
  if (status == DPPAIR_OK) status = spend_on_groups(mean, &sum, paid);
  for (k = 0; k < e->size && status == DPPAIR_OK; k++)
    e->theta[k] -= s->step_size / s->clip * mean[k];
  return status;
}

/* All steps, paid for together (methods/mechanisms.c). */
static dppair_status descend(embedding *e, model *told, bench *b, const labelled *rows,
                             const task *t) {
  const embedding_settings *s = b->s;
  double *mean = malloc(e->size * sizeof *mean);
  size_t *index = malloc(rows->n * sizeof *index), k;
  spending paid;
  dppair_status status = DPPAIR_ERR_OVERFLOW;
  if (mean != NULL && index != NULL) status = spending_begin(&paid, t);
  if (status == DPPAIR_OK) {
    status = spend_batches(&paid, s->steps,
                           dppair_sampling_groups(rows->n, s->batch, s->group, DPPAIR_REPLACE_ONE));
    for (k = 0; k < s->steps && status == DPPAIR_OK; k++)
      status = step(e, b, mean, index, rows, &paid);
    if (status == DPPAIR_OK) status = spend_claim(told, &paid);
    spending_end(&paid);
  }
  free(mean);
  free(index);
  return status;
}

dppair_status embedding_train_private(embedding *e, double *spent, double *sigma,
                                      const labelled *rows, const embedding_settings *s,
                                      uint64_t seed, uint64_t run) {
  dppair_rng noise, indices;
  task t;
  model told;
  bench b;
  dppair_status status = trial_keys(&noise, &indices, seed, run);
  memset(&t, 0, sizeof t);
  memset(&told, 0, sizeof told);
  t.train.n = rows->n;
  t.epsilon = s->epsilon;
  t.delta = s->delta;
  t.noise = &noise;
  t.indices = &indices;
  if (status == DPPAIR_OK && !bench_open(&b, e, s, s->group)) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) {
    status = descend(e, &told, &b, rows, &t);
    bench_close(&b);
  }
  *spent = told.epsilon;
  *sigma = told.sigma;
  return status;
}

/* Steps of a length that falls to nothing, along the gradient of all records. */
dppair_status embedding_train_not_private(embedding *e, const labelled *rows,
                                          const embedding_settings *s) {
  enum { STEPS = 60 };
  bench b;
  size_t t, k;
  dppair_status status = DPPAIR_OK;
  if (!bench_open(&b, e, s, rows->n)) return DPPAIR_ERR_OVERFLOW;
  for (t = 0; t < STEPS && status == DPPAIR_OK; t++) {
    double norm;
    status = gradient(&b, rows, NULL, rows->n);
    norm = dppair_norm_f64(b.g, e->size);
    if (status != DPPAIR_OK || !(norm > 0)) break;
    for (k = 0; k < e->size; k++) e->theta[k] -= 0.5 * (double)(STEPS - t) / STEPS / norm * b.g[k];
  }
  bench_close(&b);
  return status;
}

/* --- what needs no labels --------------------------------------------------------------------- */

/* Makes the rows of q[dim][d] orthonormal, one after another. */
static void orthonormalise(double *q, size_t dim, size_t d) {
  size_t i, j, k;
  for (i = 0; i < dim; i++) {
    double norm;
    for (j = 0; j < i; j++) {
      double dot = 0;
      for (k = 0; k < d; k++) dot += q[i * d + k] * q[j * d + k];
      for (k = 0; k < d; k++) q[i * d + k] -= dot * q[j * d + k];
    }
    norm = dppair_norm_f64(q + i * d, d);
    for (k = 0; k < d; k++) q[i * d + k] /= norm > 0 ? norm : 1;
  }
}

/* z[k] = the coordinates of x less the centre along q's rows. */
static void coordinates(double *z, const double *x, const double *centre, const double *q,
                        size_t dim, size_t d) {
  size_t i, k;
  for (i = 0; i < dim; i++)
    for (z[i] = 0, k = 0; k < d; k++) z[i] += (x[k] - centre[k]) * q[i * d + k];
}

int principal_not_private(double *z, const double *x, size_t n, size_t d, const double *of,
                          size_t m, size_t dim) {
  enum { ROUNDS = 60 }; /* of subspace iteration */
  double *q = calloc((2 * dim + 1) * d + dim, sizeof *q), *next, *centre, *c;
  simulation_rng rng;
  size_t i, k, round;
  if (q == NULL) return 0;
  next = q + dim * d;
  centre = next + dim * d;
  c = centre + d;
  simulation_seed(&rng, PUBLIC_SEED);
  for (k = 0; k < dim * d; k++) q[k] = uniform(&rng);
  for (i = 0; i < m; i++)
    for (k = 0; k < d; k++) centre[k] += of[i * d + k] / (double)m;
  for (round = 0; round < ROUNDS; round++) {
    orthonormalise(q, dim, d);
    memset(next, 0, dim * d * sizeof *next);
    for (i = 0; i < m; i++) {
      coordinates(c, of + i * d, centre, q, dim, d);
      add_outer(next, c, of + i * d, dim, d); /* the c sum to 0: no centre is needed */
    }
    memcpy(q, next, dim * d * sizeof *q);
  }
  orthonormalise(q, dim, d);
  for (i = 0; i < n; i++) coordinates(z + i * dim, x + i * d, centre, q, dim, d);
  free(q);
  return 1;
}
