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

#include "methods/moments.h"

static dppair_status train_statistics(model *out, const task *t) {
  size_t d = t->train.d, m = d + 1, size = m + m * (m + 1) / 2;
  double n = (double)t->train.n, *v = NULL;
  moment_rows rows;
  spending s;
  dppair_status status = spending_begin(&s, t);
  if (status == DPPAIR_OK) status = moment_rows_take(&rows, out, FROM_RANGES, MOMENT_CONSTANT, &s);
  if (status == DPPAIR_OK && (v = calloc(size, sizeof *v)) == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) {
    moments_first(v, t->train.y, rows.u, t->train.n, m);
    moments_second(v + m, rows.u, t->train.n, m);
    status = spend_all(&s, 1);
  }
  if (status == DPPAIR_OK) status = spend_on(v, size, 2.5 + 4 * moments_rounding(t->train.n), &s);
  if (status == DPPAIR_OK) status = spend_claim(out, &s);
  if (status == DPPAIR_OK) {
    double sd = t->delta > 0 ? out->sigma : out->sigma * sqrt((double)size);
    status = moments_solve(v, v + m, m, 2 * sd / MOMENT_SCALE * sqrt((double)m) + 1e-6 * n);
  }
  if (status == DPPAIR_OK) memcpy(rows.w, v, d * sizeof *v); /* not the constant's */
  spending_end(&s);
  free(rows.u);
  free(v);
  return status;
}

const method method_statistics = {"statistics",
                                  "noisy first and second moments, ridge regression on them",
                                  "the weights; the noisy moments",
                                  OFFERS_PURE | OFFERS_RADIUS | NEEDS_CUBES,
                                  0,
                                  train_statistics};
