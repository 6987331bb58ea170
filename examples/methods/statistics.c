/* SPDX-License-Identifier: MIT */
/*
 * statistics: one release of the first and second moments, then ridge regression on them.
 *
 * Rows get a constant column and are scaled into the unit ball: |u| <= 1. Released together are
 * sum y u and SCALE * sum u u^T, the matrix in an orthonormal basis of the symmetric matrices (off-
 * diagonals times sqrt 2), so that l2 distances are Frobenius distances. One replaced record moves
 * them by at most 2.5: with p = u.u', SCALE^2 = 2 and yy' = -1 or +1,
 *
 *     |y u - y' u'|^2 + 2 |u u^T - u' u'^T|^2
 *       = |u|^2 + |u'|^2 + 2 |u|^4 + 2 |u'|^4 - 2 yy' p - 4 p^2  <=  6 + 1/4,
 *
 * because 2 q - 4 q^2 <= 1/4. Attained by unit vectors with yy' p = -1/4; both parts at their own
 * largest, 4 and 2, never meet. Solving is post-processing. The
 * ridge is twice the spectral norm that the noise of the matrix is expected to have, 2 sigma
 * sqrt(d): below that, directions are noise.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/pairs.h"
#include "support/solver.h"

static const double SCALE = 1.4142135623730951; /* of the matrix */
static const double CONSTANT = 0.3;             /* the constant column, in units of R */

/* v: m moments y u, then the packed upper triangle of u u^T times SCALE. */
static dppair_status moments(double *v, const task *t, size_t m, double radius) {
  size_t i, j, k, d = t->train.d;
  double *u = malloc(m * sizeof *u), unit = radius * sqrt(1 + CONSTANT * CONSTANT);
  dppair_status status = u == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
  for (i = 0; i < t->train.n && status == DPPAIR_OK; i++) {
    double *at = v;
    memcpy(u, t->train.x + i * d, d * sizeof *u);
    status = dppair_project_l2_f64(u, d, radius);
    for (j = 0; j < d; j++) u[j] /= unit;
    u[d] = CONSTANT * radius / unit;
    if (status == DPPAIR_OK) status = dppair_project_l2_f64(u, m, 1);
    for (j = 0; j < m; j++) *at++ += t->train.y[i] * u[j];
    for (j = 0; j < m; j++)
      for (k = j; k < m; k++) *at++ += SCALE * (j == k ? 1 : sqrt(2.0)) * u[j] * u[k];
  }
  free(u);
  return status;
}

/* w = (S + ridge I)^-1 v from the noisy moments; the constant's weight is dropped. */
static dppair_status solve_ridge(double *w, double *v, size_t m, double ridge) {
  double *a = malloc(m * m * sizeof *a);
  const double *at = v + m;
  size_t j, k, tries;
  int ok = 0;
  if (a == NULL) return DPPAIR_ERR_OVERFLOW;
  for (tries = 0; tries < 60 && !ok; tries++, ridge *= 2) { /* noise can leave S indefinite */
    for (at = v + m, j = 0; j < m; j++)
      for (k = j; k < m; k++) {
        a[k * m + j] = *at++ / SCALE / (j == k ? 1 : sqrt(2.0));
        if (j == k) a[k * m + j] += ridge;
      }
    ok = cholesky_factor(a, m);
  }
  if (ok) cholesky_solve(v, a, m);
  memcpy(w, v, (m - 1) * sizeof *w);
  free(a);
  return ok ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

static dppair_status train_statistics(model *out, const task *t) {
  size_t d = t->train.d, m = d + 1, size = m + m * (m + 1) / 2;
  /* sums of n terms, each within a few roundings: twice (n + 8) 2^-53 of what they add up to */
  double n = (double)t->train.n, move = 2.5 + 4 * n * (n + 8) * DBL_EPSILON;
  double *v;
  dppair_status status;
  if (m > SOLVER_COLUMNS) return DPPAIR_ERR_SIZE;
  v = calloc(size, sizeof *v);
  status = v == NULL ? DPPAIR_ERR_OVERFLOW : model_allocate(out, d, d);
  if (status == DPPAIR_OK) status = moments(v, t, m, task_radius(t));
  if (status == DPPAIR_OK) status = release_output(out, v, size, move, t);
  if (status == DPPAIR_OK) {
    double sd = t->delta > 0 ? out->sigma : out->sigma * sqrt((double)size);
    status = solve_ridge(out->theta, v, m, 2 * sd / SCALE * sqrt((double)m) + 1e-6 * n);
  }
  out->steps = 1;
  free(v);
  return status;
}

const method method_statistics = {"statistics",
                                  "noisy first and second moments, ridge regression on them",
                                  "the weights; the noisy moments",
                                  OFFERS_PURE | OFFERS_RADIUS | NEEDS_CUBES,
                                  0,
                                  train_statistics};
