/* SPDX-License-Identifier: MIT */
/* method_stand_ins.h - for tests that include the sources of methods and stand in for methods.c:
 * the parts that need no recording. */
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

#endif /* METHOD_STAND_INS_H */
