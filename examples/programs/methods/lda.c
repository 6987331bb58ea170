/* SPDX-License-Identifier: MIT */
/*
 * lda, lda-maps: linear discriminant analysis, w = S^-1 (m+ - m-), from one release of both
 * classes' sums, their sizes and the second moment.
 *
 * Rows u lie in the unit ball. Released together are a+ = sum of the positive rows, a- = sum of the
 * negative ones, CLASS_COUNT n+ and SCALE A, A = sum u u^T in an orthonormal basis of the symmetric
 * matrices, SCALE^2 = 2, CLASS_COUNT = 1/2. With p = u.u', a replaced record moves them, squared,
 * by
 *
 *   |u - u'|^2              + 2 |u u^T - u' u'^T|^2 <= 6 - 2 p - 4 p^2 <= 6 + 1/4 in its class,
 *   |u|^2 + |u'|^2 + 1/4 + 2 |u u^T - u' u'^T|^2 <= 6 + 1/4 - 4 p^2 where it changes the class,
 *
 * since |u u^T - u' u'^T|^2 = |u|^4 + |u'|^4 - 2 p^2 <= 2 - 2 p^2 and -2 p - 4 p^2 <= 1/4: by 5/2.
 * Attained by unit rows with p = -1/4 in one class, and by orthogonal ones of two: the count costs
 * nothing.
 *
 * Post-processing: either class counts as twice the noise of n+ at least; S is the mean square
 * about the class means, and the ridge twice the noise's typical spectral norm, sd sqrt(m).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/moments.h"

static const double CLASS_COUNT = 0.5, CLASS_MOVE = 2.5;
static const double CLASS_RIDGE = 2; /* in typical spectral norms of the noise of A */

/* v: a+, a-, CLASS_COUNT n+, SCALE A. */
static void class_moments(double *v, const double *u, const double *y, size_t n, size_t m) {
  size_t i, j;
  for (i = 0; i < n; i++) {
    double *to = y[i] > 0 ? v : v + m;
    for (j = 0; j < m; j++) to[j] += u[i * m + j];
    v[2 * m] += y[i] > 0 ? CLASS_COUNT : 0;
  }
  moments_second(v + 2 * m + 1, u, n, m);
}

/* In place: v[0..m) becomes m+ - m-, and A the sum of squares about the class means. */
static void class_difference(double *v, size_t n, size_t m, double sd) {
  const double all = (double)n, least = fmin(all / 2, 1 + 2 * sd / CLASS_COUNT);
  const double up = fmax(least, fmin(all - least, v[2 * m] / CLASS_COUNT));
  double *a = v, *b = v + m, *square = v + 2 * m + 1;
  size_t j, k;
  for (j = 0; j < m; j++) {
    a[j] /= up;
    b[j] /= all - up;
  }
  for (j = 0; j < m; j++)
    for (k = j; k < m; k++)
      *square++ -=
          MOMENT_SCALE * (j == k ? 1 : sqrt(2.0)) * (up * a[j] * a[k] + (all - up) * b[j] * b[k]);
  for (j = 0; j < m; j++) a[j] -= b[j];
}

static dppair_status train_lda(model *out, const task *t, moment_source source) {
  const size_t m = t->train.d, size = 2 * m + 1 + m * (m + 1) / 2;
  const int pure = !(t->delta > 0);
  moment_rows rows = {0, 0, NULL, NULL, 0};
  double *v = NULL, sd = 0;
  spending s;
  dppair_status status = spending_begin(&s, t);
  if (status == DPPAIR_OK) status = moment_rows_take(&rows, out, source, 0, &s);
  if (status == DPPAIR_OK && (v = calloc(size, sizeof *v)) == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) {
    class_moments(v, rows.u, t->train.y, rows.n, m);
    status = spend_part(&s, 1, rows.left, 0);
  }
  if (status == DPPAIR_OK)
    status = spend_on(v, size, CLASS_MOVE + 4 * moments_rounding(rows.n), &s);
  if (status == DPPAIR_OK) status = spend_claim(out, &s);
  if (status == DPPAIR_OK) {
    sd = out->sigma * (pure ? sqrt((double)size + 1) : 1);
    class_difference(v, rows.n, m, sd);
    status = moments_solve(v, v + 2 * m + 1, m,
                           CLASS_RIDGE * sd * sqrt((double)m) + 1e-6 * (double)rows.n);
  }
  if (status == DPPAIR_OK) memcpy(rows.w, v, m * sizeof *v);
  spending_end(&s);
  free(rows.u);
  free(v);
  return status;
}

static dppair_status train_lda_ranges(model *out, const task *t) {
  return train_lda(out, t, FROM_RANGES);
}
static dppair_status train_lda_maps(model *out, const task *t) {
  return train_lda(out, t, FROM_MAPS);
}

const method method_lda = {"lda",
                           "linear discriminant analysis on noisy class sums and second moment",
                           "the weights; the noisy sums, count and second moment",
                           OFFERS_PURE | OFFERS_RADIUS | NEEDS_CUBES,
                           0,
                           train_lda_ranges};
const method method_lda_maps = {
    "lda-maps",
    "the same on maps that private histograms give",
    "the weights and the histogram estimates of every column, as maps; the noisy sums, count and "
    "second moment",
    OFFERS_PURE | NEEDS_CUBES,
    1,
    train_lda_maps};
