/* SPDX-License-Identifier: MIT */
#include "methods/links.h"

#include <math.h>
#include <stdlib.h>
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
#define DPPAIR_NAME pair_sigmoid
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_sigmoid
#include "dppair.h"
#define DPPAIR_NAME pair_ramp
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_ramp
#include "dppair.h"

/* A function of the template needs a wrapper to have an address; and sup |phi'| over |u| <= size.
 */
#define LINK(name, sup)                                                                            \
  static dppair_status name##_coeffs(double *a, double *b, const double *sp, size_t np,            \
                                     const double *sn, size_t nn) {                                \
    return pair_##name##_coeffs(a, b, sp, np, sn, nn, NULL);                                       \
  }                                                                                                \
  static dppair_status name##_fast(double *a, double *b, const double *sp, size_t np,              \
                                   const double *sn, size_t nn, const dppair_fast *f) {            \
    return pair_##name##_coeffs_fast(a, b, sp, np, sn, nn, NULL, f);                               \
  }                                                                                                \
  static dppair_status name##_fast_size(size_t *bytes, size_t n, double cap) {                     \
    return pair_##name##_fast_size(bytes, n, DPPAIR_ACCURACY_1E12, cap, NULL);                     \
  }                                                                                                \
  static dppair_status name##_fast_init(dppair_fast *f, size_t n, double cap, double *room,        \
                                        size_t bytes) {                                            \
    return pair_##name##_fast_init(f, n, DPPAIR_ACCURACY_1E12, cap, NULL, room, bytes);            \
  }                                                                                                \
  static double name##_steepest(double size) { return size >= 0 ? (sup) : HUGE_VAL; }
#define METRIC_LINK(name)                                                                          \
  static dppair_status name##_metric(double *g, const double *x, const double *y, size_t n,        \
                                     size_t d, const double *w, double offset, void *room,         \
                                     size_t bytes) {                                               \
    return pair_##name##_metric_gradient(g, x, y, n, d, d, w, offset, DPPAIR_NO_CLIP, NULL, room,  \
                                         bytes);                                                   \
  }

LINK(logistic, 1 / (1 + exp(-size)))
LINK(hinge, 1)
LINK(squared_hinge, 2 * (1 + size))
LINK(square, 2 * (1 + size))
LINK(sigmoid, 0.25)
LINK(ramp, 1)
METRIC_LINK(logistic)
METRIC_LINK(hinge)

#define ROW(name, spelled, metric, error, curvature, monotone, convex)                             \
  {                                                                                                \
    spelled, DPPAIR_LOSS_##name, name##_coeffs, name##_fast, name##_fast_size, name##_fast_init,   \
        metric, error, name##_steepest, curvature, monotone, convex                                \
  }
static const pair_link links[] = {
    ROW(logistic, "logistic", logistic_metric, pair_logistic_metric_error, 0.25, 1, 1),
    ROW(hinge, "hinge", hinge_metric, pair_hinge_metric_error, HUGE_VAL, 1, 1),
    ROW(squared_hinge, "squared-hinge", NULL, NULL, 2, 1, 1),
    ROW(square, "square", NULL, NULL, 2, 0, 1),
    ROW(sigmoid, "sigmoid", NULL, NULL, 0.09622504487, 1, 0),
    ROW(ramp, "ramp", NULL, NULL, HUGE_VAL, 1, 0)};

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

/* --- pair sums -------------------------------------------------------------------------------- */

enum { FAST_FROM = 1024 };

void pair_sums_free(pair_sums *s) {
  free(s->room);
  s->room = NULL;
  memset(&s->fast, 0, sizeof s->fast);
}

dppair_status pair_sums_reach(pair_sums *s, const pair_link *phi, size_t n, double cap) {
  double wide = 8;
  size_t bytes;
  dppair_status status;
  s->phi = phi;
  if (n < FAST_FROM || (s->fast.kind != 0 && s->fast.score_cap >= cap)) return DPPAIR_OK;
  pair_sums_free(s);
  while (wide < cap && wide < 1e5) wide *= 4;
  if (wide < cap) return DPPAIR_OK;
  status = phi->fast_size(&bytes, n, wide);
  if (status == DPPAIR_OK && (s->room = malloc(bytes)) == NULL) status = DPPAIR_ERR_OVERFLOW;
  return status == DPPAIR_OK ? phi->fast_init(&s->fast, n, wide, s->room, bytes) : status;
}

dppair_status pair_sums_coeffs(double *a, double *b, const double *sp, size_t np, const double *sn,
                               size_t nn, const pair_sums *s) {
  if (s->fast.kind != 0) return s->phi->fast(a, b, sp, np, sn, nn, &s->fast);
  return s->phi->coeffs(a, b, sp, np, sn, nn);
}

/* The loops: n terms per coefficient and n per coordinate, two nested sums that are off by at most
 * (2n + 8) 2^-53 of the sum of magnitudes, 2 n+ n- slope R <= (n^2/2) slope R; for both data sets.
 */
dppair_status pair_sums_surcharge(double *range, double *rounding, const pair_sums *s, size_t n,
                                  double radius, double slope) {
  double factor, count = (double)n;
  dppair_status status;
  *range = 0;
  *rounding = count * count * slope * radius * (2 * count + 8) * DBL_EPSILON;
  if (s->fast.kind == 0) return DPPAIR_OK;
  status = dppair_fast_surcharge(&factor, rounding, &s->fast, n, radius, slope);
  *range = (factor - 1) * slope; /* factor = 1 + 2E/slope, rounded up */
  return status;
}
