/* SPDX-License-Identifier: MIT */
/*
 * one-vector: w = mean of y_i x_i plus noise, one release.
 *
 * ||y x - y' x'|| <= 2R, so the sensitivity for one replaced record is 2R/n: Gaussian noise from
 * the exact curve, or for delta = 0 the l2 mechanism of density ~ exp(-|z| n epsilon/(2R)). It is
 * the gradient of every margin loss at w = 0 up to scale, and with few records nothing iterative
 * beats it. It does not centre the features: the declared ranges should be symmetric about their
 * middle.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "methods/pairs.h"

static dppair_status train(model *out, const task *t) {
  size_t i, n = t->train.n, d = t->train.d;
  double radius = task_radius(t), *rows = malloc(n * d * sizeof *rows), *c = malloc(n * sizeof *c);
  dppair_status status =
      rows == NULL || c == NULL ? DPPAIR_ERR_OVERFLOW : model_allocate(out, d, d);
  if (status == DPPAIR_OK) status = rows_clip(rows, &t->train, NULL, radius);
  if (status == DPPAIR_OK) {
    const dppair_rows_f64 clipped = dppair_rows_make_f64(rows, n, d, d);
    for (i = 0; i < n; i++) c[i] = t->train.y[i] / (double)n;
    status = dppair_combine_f64(out->theta, &clipped, c);
  }
  /* the computed mean is within (n + 2) units of rounding, times R, of the exact one: twice that */
  out->steps = 1;
  if (status == DPPAIR_OK)
    status =
        release_output(out, out->theta, d,
                       2 * radius / (double)n * (1 + (double)n * (double)(n + 8) * DBL_EPSILON), t);
  free(rows);
  free(c);
  return status;
}

const method method_one_vector = {"one-vector",
                                  "mean of label times row, released once",
                                  "the weights, one number per feature",
                                  OFFERS_PURE | OFFERS_RADIUS,
                                  0,
                                  train};
