/* SPDX-License-Identifier: MIT */
/*
 * declared: the ranking of `auto` where columns need no estimated maps, because they are declared
 * centred and comparable: --maps, or any scaling that is trusted as it stands.
 *
 *   score(x) = sum_j w_j x_j
 *
 * One release, of the weights (weights.h), and so all of the budget for them. Rows are clipped to a
 * public radius, --radius or what task_radius says.
 */
#include <math.h>
#include <stdlib.h>

#include "methods/weights.h"

static dppair_status train(model *out, const task *t) {
  size_t d = t->train.d;
  double radius = task_radius(t), *z = malloc(t->train.n * d * sizeof *z);
  weights_plan p;
  spending s;
  dppair_status status = spending_begin(&s, t);
  if (status == DPPAIR_OK)
    status = z == NULL ? DPPAIR_ERR_OVERFLOW : model_allocate(out, d, d);
  if (status == DPPAIR_OK) status = weights_make_plan(&p, 0, t);
  if (status == DPPAIR_OK) status = rows_clip(z, &t->train, NULL, radius);
  if (status == DPPAIR_OK) status = weights_release(out, out->theta, z, radius, .5, &p, &s);
  if (status == DPPAIR_OK) {
    out->steps = 1;
    (void)weights_explain(out->note, sizeof out->note, &p, t);
  }
  spending_end(&s);
  free(z);
  return status;
}

const method method_declared = {
    "declared",
    "weights by one vector or a perturbed fit, columns taken as they are",
    "the weights, one number per column",
    OFFERS_PURE | OFFERS_RADIUS,
    0,
    train};
