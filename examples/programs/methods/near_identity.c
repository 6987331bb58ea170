/* SPDX-License-Identifier: MIT */
/*
 * Metrics that stay near the identity, by one release each.
 *
 * direction-metric. W = I + c u u^T, u = w/|w| the direction of the linear ranking that weights.h
 * releases with the whole budget; everything after that release is post-processing. What separates
 * the classes is mostly a difference of means, and d numbers carry it. Below rho = 20, a public
 * number, the direction is noise that costs more than it brings: then W is a multiple of the
 * identity, nothing is released, and nothing is spent.
 *
 * moments-metric. The mean over ordered pairs of -y y' (x - x')(x - x')^T, opposite classes less
 * equal ones, is released, and its part above the noise is added to the identity: the pairwise
 * problem's own gradient at W = 0, d(d+1)/2 numbers. In closed form, with a = sum y x, C = sum y x
 * x^T, Y = sum y,
 *
 *     M = 2 (a a^T - Y C)/(n (n - 1)).
 *
 * SENSITIVITY of M, rows in the ball of radius R. A replaced record has 2 (n - 1) ordered pairs.
 * For a partner p its pair moves from s v v^T to s' v' v'^T, s, s' = -1 or +1, |v|, |v'| <= 2R, and
 * |s v v^T - s' v' v'^T|^2 = |v|^4 + |v'|^4 - 2 s s' (v.v')^2 <= (|v|^2 + |v'|^2)^2 <= (8 R^2)^2 in
 * the Frobenius norm. So M moves by at most 2 (n - 1) 8 R^2/(n (n - 1)) = 16 R^2/n: attained by n -
 * 1 records of one class at -R e and one at R e whose label turns. It is the l2 norm in the
 * orthonormal coordinates that are released. Compared with a/n, which moves by 2R/n and is squared
 * in M, that is dear: the direction usually wins.
 *
 * ROUNDING. With 2^-53 = h, a is computed within (n + 8) h n R, C within (n + 8) h n R^2, so M
 * within 2 (2 + 1 + 1) (n + 8) h R^2 n/(n - 1), the last 1 for the sums and products after them,
 * and for both data sets at most 32 (n + 8) h R^2: half of what is added.
 *
 * Either metric is for rows clipped to model.radius, and has the trace d/R^2 of the multiple of the
 * identity whose typical distances are about 1.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/pairs.h"
#include "methods/weights.h"

/* The learned part's share of the trace is strength/(1 + strength): with typical rows the direction
 * weighs as much as a quarter of all the columns. */
static const double strength = .25, least_rho = 20;

/* W = (I + c part/trace(part)) times what makes its trace d/R^2; part is overwritten. */
static void near_identity(double *part, size_t d, double c, double radius) {
  double trace = 0, unit;
  size_t k;
  for (k = 0; k < d; k++) trace += part[k * d + k];
  c = trace > 0 ? c / trace : 0;
  unit = (double)d / ((double)d + c * trace) / (radius * radius);
  for (k = 0; k < d * d; k++) part[k] *= c * unit;
  for (k = 0; k < d; k++) part[k * d + k] += unit;
}

static dppair_status prepare(model *out, double **rows, const task *t) {
  size_t d = t->train.d;
  dppair_status status = model_allocate(out, d, d * d);
  *rows = malloc(t->train.n * d * sizeof **rows);
  if (*rows == NULL) status = DPPAIR_ERR_OVERFLOW;
  out->radius = task_radius(t);
  out->steps = 1;
  return status == DPPAIR_OK ? rows_clip(*rows, &t->train, NULL, out->radius) : status;
}

static dppair_status stretch(model *out, const weights_plan *p, const task *t) {
  size_t d = t->train.d, j, k;
  double *z = NULL, *w = calloc(d, sizeof *w);
  spending s;
  dppair_status status = spending_begin(&s, t);
  if (status == DPPAIR_OK && w == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) status = prepare(out, &z, t);
  if (status == DPPAIR_OK) status = weights_release(out, w, z, out->radius, .5, p, &s);
  if (status == DPPAIR_OK) {
    double largest = 0;
    for (j = 0; j < d; j++) largest = fmax(largest, fabs(w[j]));
    for (j = 0; j < d && largest > 0; j++)
      w[j] /= largest; /* squares neither overflow nor vanish */
    for (j = 0; j < d; j++)
      for (k = 0; k < d; k++) out->theta[j * d + k] = w[j] * w[k];
    near_identity(out->theta, d, strength * (double)d, out->radius);
    (void)weights_explain(out->note, sizeof out->note, p, t);
  }
  spending_end(&s);
  free(z);
  free(w);
  return status;
}

static dppair_status train_direction(model *out, const task *t) {
  weights_plan p;
  dppair_status status = weights_make_plan(&p, 0, t);
  if (status != DPPAIR_OK || p.rho >= least_rho || t->with.noiseless)
    return status == DPPAIR_OK ? stretch(out, &p, t) : status;
  status = model_allocate(out, t->train.d, t->train.d * t->train.d);
  if (status != DPPAIR_OK) return status;
  out->radius = task_radius(t);
  near_identity(out->theta, t->train.d, 0, out->radius);
  note(
      out,
      "rho = %.3g, below %g: for n = %zu records and d = %zu columns a private direction costs more "
      "than it brings, so this is the identity. Nothing is released and nothing is spent.",
      p.rho, least_rho, t->train.n, t->train.d);
  return DPPAIR_OK;
}

const method method_direction_metric = {"direction-metric",
                                        "the identity, stretched along a private ranking's weights "
                                        "where the budget carries them",
                                        "the metric; the direction that it is made of",
                                        OFFERS_PURE | OFFERS_RADIUS | NEEDS_CUBES,
                                        0,
                                        train_direction};

/* M, d x d, from clipped rows. */
static dppair_status pair_moments(double *m, const double *x, const double *y, size_t n, size_t d) {
  double *a = calloc(d, sizeof *a), sum = 0, ordered = (double)n * (double)(n - 1);
  size_t i, j, k;
  if (a == NULL) return DPPAIR_ERR_OVERFLOW;
  memset(m, 0, d * d * sizeof *m);
  for (i = 0; i < n; i++) {
    const double *row = x + i * d;
    sum += y[i];
    for (j = 0; j < d; j++) {
      a[j] += y[i] * row[j];
      for (k = j; k < d; k++) m[j * d + k] += y[i] * row[j] * row[k];
    }
  }
  for (j = 0; j < d; j++)
    for (k = j; k < d; k++)
      m[j * d + k] = m[k * d + j] = 2 * (a[j] * a[k] - sum * m[j * d + k]) / ordered;
  free(a);
  return DPPAIR_OK;
}

static dppair_status train_moments(model *out, const task *t) {
  size_t n = t->train.n, d = t->train.d, size = d * (d + 1) / 2, room, k;
  double *z = NULL, *packed = NULL, move, edge;
  dppair_status status = dppair_project_workspace(&room, d);
  if (status == DPPAIR_OK) status = prepare(out, &z, t);
  if (status == DPPAIR_OK && (packed = malloc(size * sizeof *packed + room)) == NULL)
    status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) status = pair_moments(out->theta, z, t->train.y, n, d);
  if (status == DPPAIR_OK) {
    move = out->radius * out->radius * (16 / (double)n + 32 * (double)(n + 8) * DBL_EPSILON);
    matrix_pack(packed, out->theta, d);
    status = release_output(out, packed, size, move, t);
  }
  if (status == DPPAIR_OK) {
    /* noise of deviation s in orthonormal coordinates has its largest eigenvalue near s sqrt(2d) */
    edge = out->sigma * sqrt(2 * (double)d) * (t->delta > 0 ? 1 : sqrt((double)size));
    if (t->with.noiseless) edge = 0;
    matrix_unpack(out->theta, packed, d);
    for (k = 0; k < d; k++) out->theta[k * d + k] -= edge;
    status = dppair_project_spectral_f64(out->theta, d, 0, HUGE_VAL, packed + size, room);
  }
  if (status == DPPAIR_OK) near_identity(out->theta, d, strength * (double)d, out->radius);
  free(z);
  free(packed);
  return status;
}

const method method_moments_metric = {"moments-metric",
                                      "the identity plus what a noisy pair second moment shows",
                                      "the metric; the noisy mean of signed pair products",
                                      OFFERS_PURE | OFFERS_RADIUS | NEEDS_CUBES,
                                      0,
                                      train_moments};
