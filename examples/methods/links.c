/* SPDX-License-Identifier: MIT */
#include "methods/links.h"

#include <math.h>
#include <string.h>

#define DPPAIR_NAME pair_logistic
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME pair_hinge
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
#define DPPAIR_NAME pair_squared_hinge
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_squared_hinge
#include "dppair.h"
#define DPPAIR_NAME pair_square
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_square
#include "dppair.h"

/* A function of the template needs a wrapper to have an address; and sup |phi'| over |u| <= size. */
#define LINK(name, sup)                                                                            \
  static dppair_status name##_coeffs(double *a, double *b, const double *sp, size_t np,            \
                                     const double *sn, size_t nn, const double *params) {          \
    return pair_##name##_coeffs(a, b, sp, np, sn, nn, params);                                    \
  }                                                                                                \
  static double name##_steepest(double size) { return size >= 0 ? (sup) : HUGE_VAL; }
#define METRIC_LINK(name)                                                                          \
  static dppair_status name##_metric(double *g, const double *x, const double *y, size_t n,        \
                                     size_t d, const double *w, double offset, void *room,         \
                                     size_t bytes) {                                               \
    return pair_##name##_metric_gradient(g, x, y, n, d, d, w, offset, DPPAIR_NO_CLIP, NULL, room, \
                                          bytes);                                                  \
  }

LINK(logistic, 1 / (1 + exp(-size)))
LINK(hinge, 1)
LINK(squared_hinge, 2 * (1 + size))
LINK(square, 2 * (1 + size))

/* The links that are not convex are not worth a kernel each: one pair at a time. */
static dppair_status plain_coeffs(dppair_loss loss, double *a, double *b, const double *sp, size_t np,
                                  const double *sn, size_t nn) {
  size_t i, j;
  memset(a, 0, np * sizeof *a);
  memset(b, 0, nn * sizeof *b);
  for (i = 0; i < np; i++)
    for (j = 0; j < nn; j++) {
      double u = sp[i] - sn[j], slope;
      dppair_status status = dppair_loss_eval(NULL, &slope, NULL, &u, 1, loss, NULL);
      if (status != DPPAIR_OK) return status;
      a[i] += slope;
      b[j] -= slope;
    }
  return DPPAIR_OK;
}
#define PLAIN_LINK(name, sup)                                                                      \
  static dppair_status name##_coeffs(double *a, double *b, const double *sp, size_t np,            \
                                     const double *sn, size_t nn, const double *params) {          \
    (void)params;                                                                                  \
    return plain_coeffs(DPPAIR_LOSS_##name, a, b, sp, np, sn, nn);                                 \
  }                                                                                                \
  static double name##_steepest(double size) { return size >= 0 ? (sup) : HUGE_VAL; }

PLAIN_LINK(sigmoid, 0.25)
PLAIN_LINK(ramp, 1)


METRIC_LINK(logistic)
METRIC_LINK(hinge)

#define ROW(name, spelled, metric, curvature, monotone, convex)                                    \
  {spelled,         DPPAIR_LOSS_##name, name##_coeffs, metric,                                     \
   name##_steepest, curvature,          monotone,      convex}
static const pair_link links[] = {ROW(logistic, "logistic", logistic_metric, 0.25, 1, 1),
                                  ROW(hinge, "hinge", hinge_metric, HUGE_VAL, 1, 1),
                                  ROW(squared_hinge, "squared-hinge", NULL, 2, 1, 1),
                                  ROW(square, "square", NULL, 2, 0, 1),
                                  ROW(sigmoid, "sigmoid", NULL, 0.09622504487, 1, 0),
                                  ROW(ramp, "ramp", NULL, HUGE_VAL, 1, 0)};

const pair_link *pair_link_find(const char *name, const char *fallback) {
  size_t k;
  if (name == NULL) name = fallback;
  for (k = 0; k < sizeof links / sizeof *links; k++)
    if (strcmp(links[k].name, name) == 0) return &links[k];
  return NULL;
}

dppair_status pair_metric_room(size_t *bytes, size_t n, size_t d) {
  return pair_logistic_metric_workspace(bytes, n, d, d);
}
