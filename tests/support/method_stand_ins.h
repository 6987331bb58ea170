/* SPDX-License-Identifier: MIT */
/* method_stand_ins.h - for tests that include the sources of methods and stand in for methods.c and
 * mechanisms.c: the parts that need no recording. */
#ifndef METHOD_STAND_INS_H
#define METHOD_STAND_INS_H

#include "methods/method.h"

dppair_status model_allocate(model *m, size_t d, size_t size) {
  m->d = d;
  m->size = size;
  m->theta = calloc(size, sizeof *m->theta);
  return m->theta == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
}
dppair_status task_mu(double *mu, const task *t) {
  return dppair_gaussian_mu(mu, t->epsilon, t->delta);
}
dppair_status task_laplace(double *v, size_t n, double scale, const task *t) {
  return t->with.noiseless ? DPPAIR_OK : dppair_add_laplace_f64(v, n, scale, t->noise);
}
dppair_status task_fine_noise(double *v, size_t n, double scale, int pure, int grid,
                              const task *t) {
  if (t->with.noiseless) return DPPAIR_OK;
  return pure ? dppair_add_l2ball_f64_grid(v, n, scale, grid, t->noise)
              : dppair_add_gaussian_f64_grid(v, n, scale, grid, t->noise);
}

#endif /* METHOD_STAND_INS_H */
