/* SPDX-License-Identifier: MIT */
/*
 * adassp, adassp-maps: ridge regression of the labels on noisy sufficient statistics, the ridge
 * adapted to the spectrum (AdaSSP; Wang 2018, "Revisiting differentially private linear
 * regression", Algorithm 2).
 *
 * Rows u with a constant column lie in the unit ball, labels y are -1 or +1. Released are, each for
 * a third of mu^2 (delta = 0: of epsilon), the least eigenvalue l of A = sum u u^T, A itself in an
 * orthonormal basis of the symmetric matrices, and b = sum y u. One replaced record moves
 *
 *   A by |u u^T - u' u'^T| = sqrt(|u|^4 + |u'|^4 - 2 (u.u')^2) <= sqrt 2: orthogonal unit rows;
 *   b by |y u - y' u'| <= 2: a unit row whose label turns;
 *   l by 1: A + u' u'^T - u u^T <= A + u' u'^T, whose least eigenvalue is at most l + 1; and back.
 *
 * The paper adds or removes a record, where these are 1. What follows is post-processing:
 * w = (A + r I)^-1 b with r = max(0, r0 - l0), where r0 = sd sqrt(m log(2 m^2/rho)) bounds the
 * spectral norm of the noise of A with probability 1 - rho, and l0 = max(0, l - its deviation times
 * sqrt(log(6/delta))) bounds the least eigenvalue from below; rho = .05 as in the paper, and 1/n in
 * place of delta where that is 0.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/moments.h"
#include "support/solver.h"

static const double RHO = 0.05;

/* The least eigenvalue of the A that v packs, the sum of n unit rows' squares: n is halved until
 * what is left of the interval is below 1/1000. A Cholesky factor that there is, or is not, errs by
 * m (m + 2) 2^-53 times the largest diagonal, n at most (Demmel 1989). *error: all of it, twice. */
static dppair_status least_eigenvalue(double *value, double *error, const double *v, size_t n,
                                      size_t m) {
  double *a = malloc(m * m * sizeof *a), low = 0, high = (double)n;
  if (a == NULL) return DPPAIR_ERR_OVERFLOW;
  while (high - low > 1e-3) {
    const double middle = low + (high - low) / 2;
    moments_unpack(a, v, m, -middle);
    if (dppair_cholesky_f64(a, m) == DPPAIR_OK)
      low = middle;
    else
      high = middle;
  }
  *value = low;
  *error = 1e-3 + 2 * moments_rounding(n) +
           2 * (double)(m + 2) * (double)(m + 2) * (double)n * DBL_EPSILON;
  free(a);
  return DPPAIR_OK;
}

/* One of the three; *sd: of the noise of each number. */
static dppair_status release_third(double *v, size_t size, double move, double *sd, double left,
                                   spending *s) {
  const int pure = !(s->t->delta > 0);
  dppair_status status = spend_part(s, 1, pure ? left / 3 : left / sqrt(3.0), 0);
  if (status == DPPAIR_OK) status = spend_on(v, size, move, s);
  *sd = s->release.sigma * (pure ? sqrt((double)size + 1) : 1);
  return status;
}

/* b[m], A packed, l. */
static dppair_status statistics_release(double *v, double *ridge, const moment_rows *r,
                                        spending *s) {
  const size_t m = r->m, square = m * (m + 1) / 2;
  const double n = (double)r->n, rounding = 2 * moments_rounding(r->n);
  const double surprise = sqrt(log(6 / (s->t->delta > 0 ? s->t->delta : 1 / n)));
  double sd, least, error;
  dppair_status status;
  moments_first(v, s->t->train.y, r->u, r->n, m);
  moments_second(v + m, r->u, r->n, m);
  status = least_eigenvalue(&least, &error, v + m, r->n, m);
  if (status == DPPAIR_OK) status = release_third(&least, 1, 1 + error, &sd, r->left, s);
  if (status != DPPAIR_OK) return status;
  least = fmax(0, least - sd * surprise);
  status = release_third(v + m, square, MOMENT_SCALE * (sqrt(2.0) + rounding), &sd, r->left, s);
  if (status != DPPAIR_OK) return status;
  sd *= sqrt((double)m * log(2 * (double)m * (double)m / RHO)) / MOMENT_SCALE;
  *ridge = fmax(0, sd - least) + 1e-6 * n;
  return release_third(v, m, 2 + rounding, &sd, r->left, s);
}

static dppair_status train_adassp(model *out, const task *t, moment_source source) {
  const size_t m = t->train.d + 1, size = m + m * (m + 1) / 2;
  moment_rows rows = {0, 0, NULL, NULL, 0};
  double *v = NULL, ridge;
  spending s;
  dppair_status status = spending_begin(&s, t);
  if (status == DPPAIR_OK) status = moment_rows_take(&rows, out, source, MOMENT_CONSTANT, &s);
  if (status == DPPAIR_OK && (v = calloc(size, sizeof *v)) == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) status = statistics_release(v, &ridge, &rows, &s);
  if (status == DPPAIR_OK) status = spend_claim(out, &s);
  if (status == DPPAIR_OK) status = moments_solve(v, v + m, m, ridge);
  if (status == DPPAIR_OK) memcpy(rows.w, v, t->train.d * sizeof *v); /* not the constant's */
  spending_end(&s);
  free(rows.u);
  free(v);
  return status;
}

static dppair_status train_adassp_ranges(model *out, const task *t) {
  return train_adassp(out, t, FROM_RANGES);
}
static dppair_status train_adassp_maps(model *out, const task *t) {
  return train_adassp(out, t, FROM_MAPS);
}

const method method_adassp = {"adassp",
                              "AdaSSP: ridge regression on noisy moments, an adaptive ridge",
                              "the weights; the noisy moments and their least eigenvalue",
                              OFFERS_PURE | OFFERS_RADIUS | NEEDS_CUBES,
                              0,
                              train_adassp_ranges};
const method method_adassp_maps = {
    "adassp-maps",
    "the same on maps that private histograms give",
    "the weights and the histogram estimates of every column, as maps; the noisy moments and their "
    "least eigenvalue",
    OFFERS_PURE | NEEDS_CUBES,
    1,
    train_adassp_maps};
