/* SPDX-License-Identifier: MIT */
#include "methods/metrics.h"

#include <stdlib.h>
#include <string.h>

#define METHODS(X)                                                                                 \
  X(method_kang2021_metric)                                                                        \
  X(method_dpgdsc_metric)                                                                          \
  X(method_dpgdc2_metric)                                                                          \
  X(method_dpegd_metric)                                                                           \
  X(method_offpairstrc_metric)                                                                     \
  X(method_offpairc_metric)                                                                        \
  X(method_yang2021_metric)                                                                        \
  X(method_yang2021_nuclear)

#define DECLARE(m) extern const method m;
METHODS(DECLARE)
#define ADDRESS(m) &m,
const method *const metric_methods[] = {METHODS(ADDRESS) NULL};

const method *metric_find(const char *name) {
  size_t k;
  for (k = 0; metric_methods[k] != NULL; k++)
    if (strcmp(metric_methods[k]->name, name) == 0) return metric_methods[k];
  return NULL;
}

double metric_accuracy(const model *m, const split *part) {
  double accuracy = 0, *work = malloc((part->train.n + part->train.d + 16) * sizeof *work);
  dppair_status status = DPPAIR_ERR_OVERFLOW;
  if (work != NULL)
    status = dppair_knn_accuracy_f64(&accuracy, part->train.x, part->train.y, part->train.n, part->test.x,
                                     part->test.y, part->test.n, part->train.d, part->train.d,
                                     m != NULL ? m->theta : NULL, 3, work);
  free(work);
  return status == DPPAIR_OK ? accuracy : 0;
}
