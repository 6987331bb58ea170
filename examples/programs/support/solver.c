/* SPDX-License-Identifier: MIT */
#include "support/solver.h"

#include "dppair_noise.h"

#include <math.h>
#include <stdlib.h>

dppair_status fit_minimise(double *w, const double *u, const dppair_margin_problem *p,
                           const double *b, const dppair_margin_tolerance *tolerance) {
  size_t bytes = 0;
  dppair_status status = dppair_minimiser_workspace(&bytes, p->n, p->d);
  void *work = status == DPPAIR_OK ? malloc(bytes) : NULL;
  if (status == DPPAIR_OK && work == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK)
    status = dppair_minimiser_not_private(w, u, p->d, NULL, p, b, tolerance, work, bytes);
  if (work != NULL) dppair_wipe(work, bytes); /* a minimiser without its noise is left there */
  free(work);
  return status;
}

/* Means, and one over deviations (0 for constant columns), of the columns of x. */
static void standardise(double *mean, double *scale, const double *x, size_t n, size_t d) {
  size_t i, j;
  for (i = 0; i < n; i++)
    for (j = 0; j < d; j++) mean[j] += x[i * d + j] / (double)n;
  for (i = 0; i < n; i++)
    for (j = 0; j < d; j++) {
      double e = x[i * d + j] - mean[j];
      scale[j] += e * e / (double)n;
    }
  for (j = 0; j < d; j++) scale[j] = scale[j] > 0 ? 1 / sqrt(scale[j]) : 0;
}

dppair_status reference_fit(double *w, const records *train) {
  size_t n = train->n, d = train->d, i, j;
  double *u = calloc(n * (d + 1), sizeof *u);
  double *v = calloc(3 * (d + 1), sizeof *v), longest = 0;
  dppair_margin_tolerance tolerance;
  dppair_margin_problem p = {dppair_margin_logistic(), n, d + 1, 0, 1};
  dppair_status status = DPPAIR_ERR_OVERFLOW;
  if (u != NULL && v != NULL) {
    double *mean = v + d + 1, *scale = mean + d + 1;
    standardise(mean, scale, train->x, n, d);
    for (i = 0; i < n; i++) {
      double *row = u + i * (d + 1);
      for (j = 0; j < d; j++) row[j] = train->y[i] * (train->x[i * d + j] - mean[j]) * scale[j];
      row[d] = train->y[i];
      longest = fmax(longest, dppair_norm_f64(row, d + 1));
    }
    p.radius = longest * (1 + 1e-9); /* read off the data, as everything here */
    status = dppair_margin_reach(&tolerance, &p, 1e-5 * (double)n);
    if (status == DPPAIR_OK) status = fit_minimise(v, u, &p, NULL, &tolerance);
    for (j = 0; j < d; j++) w[j] = v[j] * scale[j];
  }
  free(u);
  free(v);
  return status;
}
