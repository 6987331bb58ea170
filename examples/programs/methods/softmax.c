/* SPDX-License-Identifier: MIT */
/*
 * softmax: a linear score by the softmax loss over all records at once, the contrastive loss of
 * image and text: record i is an anchor x_i and its text, which here is its label y_i = +-1.
 *
 *   minimise   mean over i of  -S_ii + ln sum_j e^S_ij,      S_ij = y_j [w.x_i]/tau,
 *
 * [.] held in [-1, 1]. The gradient of S_ij is taken to be y_j x_i/tau, held or not, which is at
 * most R/tau long. A replaced record changes its row and its column, and through the column the
 * softmax of every other anchor: the sum of gradients moves by dppair_sensitivity_softmax, 4.7 R at
 * most for tau = 2. The two kinds of texts make each anchor's sum over j one of two terms, and a
 * step O(n d).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/method.h"

#include "dppair_contrast.h"

static const double temperature = 2;

typedef struct softmax {
  const task *t;
  dppair_rows_f64 rows;
  double radius, move, eta;
  double *s, *memory;
} softmax;

/* How far the mean gradient moves: by the bound of the sum, and rounding. A coefficient is at most
 * 2/tau, and as computed within 64 units of its value; a sum of n terms is within n units of their
 * absolute sum, on both data sets. */
static dppair_status softmax_move(double *move, const softmax *r) {
  const double n = (double)r->rows.n, longest = r->radius / temperature;
  const dppair_status status =
      dppair_sensitivity_softmax(move, longest, temperature, r->rows.n, DPPAIR_REPLACE_ONE);
  *move = *move / n * (1 + 1e-9) + 4 * longest * (n + 128) * DBL_EPSILON;
  return status;
}

/* The mean gradient at w. */
static dppair_status gradient(double *g, softmax *r, const double *w) {
  const double *y = r->t->train.y, n = (double)r->rows.n;
  double up = 0;
  size_t i;
  dppair_status status = dppair_scores_f64(r->s, &r->rows, w);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < r->rows.n; i++) up += y[i] > 0;
  for (i = 0; i < r->rows.n; i++) {
    const double s = fmin(fmax(r->s[i], -1), 1) / temperature;
    const double positive = up * exp(s), negative = (n - up) * exp(-s);
    r->s[i] = ((positive - negative) / (positive + negative) - y[i]) / temperature / n;
  }
  return dppair_combine_f64(g, &r->rows, r->s);
}

static dppair_status softmax_open(softmax *r, const task *t) {
  const size_t n = t->train.n, d = t->train.d;
  memset(r, 0, sizeof *r);
  r->t = t;
  r->radius = task_radius(t);
  r->eta = t->with.step_size > 0 ? t->with.step_size
                                 : temperature * temperature / (r->radius * r->radius);
  r->memory = malloc((2 * n + d) * sizeof *r->memory);
  if (r->memory == NULL) return DPPAIR_ERR_OVERFLOW;
  r->s = r->memory + n;
  return dppair_rows_clip_f64(&r->rows, r->memory, t->train.x, n, d, d, r->radius);
}

static dppair_status descend(model *out, softmax *r, spending *spent) {
  double mu = r->t->epsilon, *g = r->s + r->rows.n;
  size_t k, j;
  dppair_status status = softmax_move(&r->move, r);
  if (status == DPPAIR_OK && r->t->delta > 0) status = task_mu(&mu, r->t);
  if (status != DPPAIR_OK) return status;
  /* more steps pay once a step's noise is small beside the gradients, about R/tau */
  out->steps =
      r->t->with.steps > 0
          ? r->t->with.steps
          : (size_t)fmin(fmax(pow(mu * r->radius / r->move, 2) / (double)r->rows.d / 500, 1), 50);
  status = spend_all(spent, out->steps);
  for (k = 0; k < out->steps && status == DPPAIR_OK; k++) {
    status = gradient(g, r, out->theta);
    if (status == DPPAIR_OK) status = spend_on(g, r->rows.d, r->move, spent);
    for (j = 0; j < r->rows.d && status == DPPAIR_OK; j++) out->theta[j] -= r->eta * g[j];
  }
  return status;
}

static dppair_status train(model *out, const task *t) {
  softmax r;
  spending spent;
  dppair_status status = spending_begin(&spent, t);
  if (status == DPPAIR_OK) status = model_allocate(out, t->train.d, t->train.d);
  if (status != DPPAIR_OK) return status;
  status = softmax_open(&r, t);
  if (status == DPPAIR_OK) status = descend(out, &r, &spent);
  if (status == DPPAIR_OK) status = spend_claim(out, &spent);
  spending_end(&spent);
  free(r.memory);
  return status;
}

const method method_softmax = {"softmax",
                               "softmax loss over all records and their labels",
                               "the weights, one number per feature; every iterate on the way",
                               OFFERS_PURE | OFFERS_STEPS | OFFERS_STEP_SIZE | OFFERS_RADIUS,
                               0,
                               train};
