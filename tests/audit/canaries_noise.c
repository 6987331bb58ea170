/* SPDX-License-Identifier: MIT */
/*
 * Canaries for noise by itself: one number on D and the same plus the sensitivity on the neighbour,
 * millions of times. No law is assumed of what comes out.
 *
 * Arrays of numbers are as many runs of the mechanism of one number.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "canaries.h"

#include "dppair_l2ball.h"
#include "dppair_accountant.h"
#include "dppair_noise.h"

#include "canaries_statistics.h"
#include "../support/questions.h"

/* No number of the grid that noise is rounded to. */
static const double centre = 1 / 3.0;

static dppair_status generator(dppair_rng *rng, const canary *c, uint64_t run) {
  uint8_t key[32];
  canary_key(key, c->name, 0);
  return dppair_rng_from_key(rng, key, run);
}

static int gaussian(double *out, size_t count, int side, uint64_t first, canary *c) {
  double sigma;
  dppair_rng rng;
  size_t k;
  dppair_status status = dppair_gaussian_sigma(&sigma, 1, c->epsilon, c->delta, 1);
  if (status == DPPAIR_OK) status = generator(&rng, c, first);
  for (k = 0; k < count; k++) out[k] = centre + (side == 0);
  if (status == DPPAIR_OK) status = dppair_add_gaussian_f64(out, count, sigma, &rng);
  return status != DPPAIR_OK;
}

static int gaussian_f32(double *out, size_t count, int side, uint64_t first, canary *c) {
  float *x = malloc(count * sizeof *x);
  double sigma;
  dppair_rng rng;
  size_t k;
  dppair_status status = dppair_gaussian_sigma(&sigma, 1, c->epsilon, c->delta, 1);
  if (x == NULL) return 1;
  if (status == DPPAIR_OK) status = generator(&rng, c, first);
  for (k = 0; k < count; k++) x[k] = side == 0 ? 1.25f : 0.25f;
  if (status == DPPAIR_OK) status = dppair_add_gaussian_f32(x, count, sigma, &rng);
  for (k = 0; k < count; k++) out[k] = (double)x[k];
  free(x);
  return status != DPPAIR_OK;
}

static int laplace(double *out, size_t count, int side, uint64_t first, canary *c) {
  dppair_rng rng;
  size_t k;
  dppair_status status = generator(&rng, c, first);
  for (k = 0; k < count; k++) out[k] = centre + (side == 0);
  if (status == DPPAIR_OK) status = dppair_add_laplace_f64(out, count, 1 / c->epsilon, &rng);
  return status != DPPAIR_OK;
}

/* In the plane: the ratio of densities is e^epsilon only on the line through both centres. */
static int l2ball(double *out, size_t count, int side, uint64_t first, canary *c) {
  dppair_rng rng;
  size_t k;
  dppair_status status = generator(&rng, c, first);
  for (k = 0; k < count && status == DPPAIR_OK; k++) {
    double v[2] = {centre, centre};
    v[0] += side == 0;
    status = dppair_add_l2ball_f64(v, 2, 1 / c->epsilon, &rng);
    out[k] = c->epsilon *
             (hypot(v[0] - centre, v[1] - centre) - hypot(v[0] - centre - 1, v[1] - centre));
  }
  return status != DPPAIR_OK;
}

/* scale = 3/epsilon in thirds: counts that move by one. */
static int discrete_laplace(double *out, size_t count, int side, uint64_t first, canary *c) {
  int64_t *x = malloc(count * sizeof *x);
  dppair_rng rng;
  size_t k;
  dppair_status status = generator(&rng, c, first);
  if (x == NULL) return 1;
  if (status == DPPAIR_OK)
    status = dppair_discrete_laplace(x, count, 1000, (uint64_t)(1000 * c->epsilon), &rng);
  for (k = 0; k < count; k++) out[k] = (double)x[k] + (side == 0);
  free(x);
  return status != DPPAIR_OK;
}

/* The least epsilon at delta of the discrete Gaussian law of variance s2, for integers that move by
 * one: the sum of what exceeds, over all integers that matter. */
static double discrete_gaussian_epsilon(double delta, double s2) {
  const double reach = 12 * sqrt(s2) + 12;
  double low = 0, high = 50, total = 0, x;
  int i;
  for (x = -ceil(reach); x <= reach; x++) total += exp(-x * x / (2 * s2));
  for (i = 0; i < 60; i++) {
    const double middle = (low + high) / 2;
    double sum = 0;
    for (x = -ceil(reach); x <= reach; x++)
      sum += fmax(0, exp(-x * x / (2 * s2)) - exp(middle - (x + 1) * (x + 1) / (2 * s2)));
    if (sum / total > delta)
      low = middle;
    else
      high = middle;
  }
  return high;
}

static int discrete_gaussian(double *out, size_t count, int side, uint64_t first, canary *c) {
  int64_t *x = malloc(count * sizeof *x);
  dppair_rng rng;
  size_t k;
  dppair_status status = generator(&rng, c, first);
  if (x == NULL) return 1;
  c->claimed = discrete_gaussian_epsilon(c->delta, 2.5);
  if (status == DPPAIR_OK) status = dppair_discrete_gaussian(x, count, 5, 2, &rng);
  for (k = 0; k < count; k++) out[k] = (double)x[k] + (side == 0);
  free(x);
  return status != DPPAIR_OK;
}

/* Both sides of one account: a pure release and a Gaussian one, their claim composed. */
static int composed(double *out, size_t count, int side, uint64_t first, canary *c) {
  static double claim;
  const double scale = 2, sigma = 2;
  double *v = malloc(2 * count * sizeof *v);
  dppair_rng rng;
  size_t k;
  dppair_status status = v == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
  if (status == DPPAIR_OK && !(claim > 0)) {
    dppair_accountant a;
    dppair_interval found;
    size_t bytes;
    void *work = NULL;
    status = dppair_accountant_init(&a);
    if (status == DPPAIR_OK) status = dppair_accountant_laplace(&a, 1, scale, 1);
    if (status == DPPAIR_OK) status = dppair_accountant_gaussian(&a, 1, sigma, 1);
    if (status == DPPAIR_OK) status = dppair_composer_workspace(&bytes, NULL);
    if (status == DPPAIR_OK) work = malloc(bytes);
    if (status == DPPAIR_OK) status = certify(&found, &a, c->delta, work, bytes);
    if (status == DPPAIR_OK) claim = found.upper;
    free(work);
  }
  c->claimed = claim;
  for (k = 0; v != NULL && k < 2 * count; k++) v[k] = side == 0;
  if (status == DPPAIR_OK) status = generator(&rng, c, first);
  if (status == DPPAIR_OK) status = dppair_add_laplace_f64(v, count, scale, &rng);
  if (status == DPPAIR_OK) status = dppair_add_gaussian_f64(v + count, count, sigma, &rng);
  for (k = 0; k < count && status == DPPAIR_OK; k++)
    out[k] = (fabs(v[k]) - fabs(v[k] - 1)) / scale + (v[count + k] - 0.5) / (sigma * sigma);
  free(v);
  return status != DPPAIR_OK;
}

#define MILLION ((size_t)1000000)
canary canaries_of_noise[] = {{"gaussian", "a number, moved by 1", 1, 1e-5, MILLION, 1000 * MILLION,
                               NORMAL_NUMBER, 0.9, gaussian, 0, 0, 0},
                              {"gaussian f32", "a number, moved by 1", 1, 1e-5, MILLION,
                               100 * MILLION, NORMAL_NUMBER, 0.9, gaussian_f32, 0, 0, 0},
                              {"gaussian, epsilon 8", "a number, moved by 1", 8, 1e-5, MILLION,
                               100 * MILLION, NORMAL_NUMBER, 0.9, gaussian, 0, 0, 0},
                              {"laplace", "a number, moved by 1", 1, 0, MILLION, 100 * MILLION,
                               ANY_NUMBER, 0.9, laplace, 0, 0, 0},
                              {"l2 ball, d = 2", "a vector, moved by 1", 1, 0, MILLION / 8,
                               2 * MILLION, ANY_NUMBER, 0.9, l2ball, 0, 0, 0},
                              {"discrete laplace", "a count, moved by 1", 1, 0, MILLION / 2,
                               10 * MILLION, ANY_NUMBER, 0.9, discrete_laplace, 0, 0, 0},
                              {"discrete gaussian", "a count, moved by 1", 1, 1e-2, MILLION / 2,
                               10 * MILLION, ANY_NUMBER, 0.9, discrete_gaussian, 0, 0, 0},
                              {"laplace and gaussian", "two numbers, each moved by 1", 0, 1e-3,
                               8 * MILLION, 100 * MILLION, ANY_NUMBER, 0.9, composed, 0, 0, 0},
                              {NULL, NULL, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, 0}};
