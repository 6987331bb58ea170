/* SPDX-License-Identifier: MIT */
/*
 * Canaries for what papers print, run as it is printed: more is shown than is claimed.
 *
 *   Xue 2021, Algorithm 2     its noise is too small beyond some epsilon, for pair losses whose two
 *                             orders pull alike: l(w) = y y' w (x - x')^2, |x| <= 1, so G = 4
 *   Kang 2021, metric         the noise of Theorem 1 with G = 1 as in the paper's example; G is 4
 *   Nie and Wang 2017         Proposition 1 for one number, f(x) + b: half of the scale that is
 *                             needed; and f + b at two points, where b cancels
 *   Kang 2023                 noise is left out where the influence of a record seems small
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canaries.h"

#include "methods/method.h"

extern const method method_kang2021_metric, method_niewang2017, method_pidpsgd;

static int failed(dppair_status status, const canary *c) {
  if (status != DPPAIR_OK) (void)fprintf(stderr, "%s: %s\n", c->name, dppair_status_string(status));
  return status != DPPAIR_OK;
}

/* --- Xue 2021, Algorithm 2 -------------------------------------------------------------------- */

enum { PAIRED = 10 };

/* The mean over ordered pairs of y y' (x - x')^2. */
static double pair_gradient(const double *x, const double *y) {
  double sum = 0;
  int i, j;
  for (i = 0; i < PAIRED; i++)
    for (j = 0; j < PAIRED; j++)
      if (i != j) sum += y[i] * y[j] * (x[i] - x[j]) * (x[i] - x[j]);
  return sum / (PAIRED * (PAIRED - 1));
}

/* Four steps from 0, and the last iterate; the label of a record, far from the others, is turned.
 */
static int xue2021(double *out, size_t count, int side, uint64_t first, canary *c) {
  enum { STEPS = 4 };
  double x[PAIRED], y[PAIRED], mean, scale;
  dppair_paper paper;
  dppair_paper_verdict verdict;
  dppair_rng rng;
  uint8_t key[32];
  size_t k, t;
  dppair_status status;
  for (k = 0; k < PAIRED; k++) x[k] = k == 0 ? 1 : -1, y[k] = k == 0 && side == 1 ? -1 : 1;
  mean = pair_gradient(x, y);
  memset(&paper, 0, sizeof paper);
  paper.result = DPPAIR_XUE2021_ALG2;
  paper.n = PAIRED;
  paper.steps = STEPS;
  paper.lipschitz = 4;
  paper.epsilon = c->epsilon;
  paper.delta = c->delta;
  status = dppair_paper_check(&verdict, &paper);
  scale = verdict.noise_printed;
  canary_key(key, c->name, 0);
  if (status == DPPAIR_OK) status = dppair_rng_from_key(&rng, key, first);
  for (k = 0; k < count && status == DPPAIR_OK; k++) {
    double g[STEPS];
    out[k] = 0; /* the loss is linear: each gradient is `mean` */
    for (t = 0; t < STEPS; t++) g[t] = mean;
    status = dppair_add_gaussian_f64(g, STEPS, scale, &rng);
    for (t = 0; t < STEPS; t++) out[k] -= 0.01 * g[t];
  }
  return failed(status, c);
}

/* --- the methods, as printed ------------------------------------------------------------------ */

enum { ROWS = 20000 };

typedef struct printed_case {
  const method *m;
  size_t n, d;
  settings with;
  /* record 0 is at 1, the others at `others`; what is turned on side 1: its label, or its place */
  double others;
  int turns_place;
  double (*number)(const model *fitted);
} printed_case;

/* f(1) + b, where f(x) = w x. */
static double one_point(const model *m) { return m->theta[0] + m->theta[m->size - 1]; }

/* (f + b)(1) - (f + b)(-1) */
static double two_points(const model *m) {
  return (m->theta[0] + m->theta[m->size - 1]) - (m->theta[m->size - 1] - m->theta[0]);
}

static double first_number(const model *m) { return -m->theta[0]; }

static dppair_status train(model *out, const printed_case *p, int side, uint64_t run,
                           const canary *c) {
  static double x[ROWS * 2], y[ROWS];
  dppair_rng noise, indices;
  uint8_t key[32];
  size_t i;
  task t;
  dppair_status status;
  memset(&t, 0, sizeof t);
  memset(x, 0, sizeof x);
  for (i = 0; i < p->n; i++) {
    x[i * p->d] = i == 0 ? (p->turns_place && side == 1 ? -1 : 1) : p->others;
    y[i] = i == 0 && !p->turns_place && side == 1 ? -1 : 1;
  }
  t.train.n = p->n;
  t.train.d = p->d;
  t.train.x = t.train.raw = x;
  t.train.y = y;
  t.epsilon = c->epsilon;
  t.delta = c->delta;
  t.with = p->with;
  t.noise = &noise;
  t.indices = &indices;
  canary_key(key, c->name, 0);
  status = dppair_rng_from_key(&noise, key, run);
  key[31] = 1;
  if (status == DPPAIR_OK) status = dppair_rng_from_key(&indices, key, run);
  return status == DPPAIR_OK ? method_train(out, p->m, &t) : status;
}

static int run_printed(double *out, size_t count, int side, uint64_t first, canary *c) {
  const printed_case *p = c->data;
  dppair_status status = DPPAIR_OK;
  size_t k;
  for (k = 0; k < count && status == DPPAIR_OK; k++) {
    model fitted;
    status = train(&fitted, p, side, first + k, c);
    if (status != DPPAIR_OK) break;
    out[k] = p->number(&fitted);
    model_free(&fitted);
  }
  return failed(status, c);
}

/* All records are one; on side 1 one of them has the other label. Did the training go where it goes
 * when that record is never drawn? */
static int run_skipping(double *out, size_t count, int side, uint64_t first, canary *c) {
  static double undisturbed[4];
  static int known;
  const printed_case *p = c->data;
  dppair_status status = DPPAIR_OK;
  size_t k, j;
  for (k = 0; k < count && status == DPPAIR_OK; k++) {
    model fitted;
    status = train(&fitted, p, side, first + k, c);
    if (status != DPPAIR_OK) break;
    if (!known) memcpy(undisturbed, fitted.theta, fitted.size * sizeof(double));
    known = 1; /* the first run is on side 0 */
    for (j = 0, out[k] = 0; j < fitted.size; j++)
      if (fabs(fitted.theta[j] - undisturbed[j]) > 1e-9) out[k] = 1;
    model_free(&fitted);
  }
  return failed(status, c);
}

#define PRINTED(m, n, d, loss, steps, size, lambda, others, place, number)                         \
  &(const printed_case) {                                                                          \
    &method_##m, n, d, {loss, steps, size, 1, 0, lambda, 0, 1, 0}, others, place, number              \
  }

canary canaries_of_papers[] = {
    {"xue2021 alg 2", "a label", 4, 1e-5, 60000, 1000000, NORMAL_NUMBER, 0, xue2021, NULL, NULL, 0},
    {"xue2021 alg 2", "a label", 8, 1e-5, 60000, 1000000, NORMAL_NUMBER, 0, xue2021, NULL, NULL, 0},
    {"kang2021 metric", "a label", 1, 1e-3, 4000, 20000, NORMAL_NUMBER, 0, run_printed,
     PRINTED(kang2021_metric, 6, 1, "hinge", 3, 1e-4, 0, -1, 0, first_number), NULL, 0},
    {"niewang2017 prop 1", "a place, one prediction", 1, 0, 6000, 100000, ANY_NUMBER, 0,
     run_printed, PRINTED(niewang2017, 6, 1, "hinge", 0, 0, 1, 0, 1, one_point), NULL, 0},
    {"niewang2017 function", "a place, two predictions", 1, 0, 4000, 20000, ANY_NUMBER, 0,
     run_printed, PRINTED(niewang2017, 6, 1, "hinge", 0, 0, 1, 0, 1, two_points), NULL, 0},
    {"kang2023 skipping", "a label", 1, 0.1, 0, 500, ANY_NUMBER, 0, run_skipping,
     PRINTED(pidpsgd, ROWS, 1, NULL, ROWS, 1e-5, 0, 1, 0, first_number), NULL, 0},
    {NULL, NULL, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, 0}};
