/* SPDX-License-Identifier: MIT */
/* What the tests of the pair engine share: score patterns, references in long double. */
#ifndef DPPAIR_TEST_ENGINE_SUPPORT_H
#define DPPAIR_TEST_ENGINE_SUPPORT_H

#include "tests.h"

#include "dppair_losses.h"

/* Patterns of scores, all within [-90, 90]. */
enum { SPREAD, WIDE, EQUAL, EDGES, LATTICE, OUTLIER, CAUCHY, TINY, CLUSTERS, PATTERNS };
static inline void fill_scores(double *s, size_t n, int pattern) {
  const double centre = 4 * uniform() - 2;
  size_t i;
  for (i = 0; i < n; i++) switch (pattern) {
    case SPREAD:
      s[i] = 2 * normal();
      break;
    case WIDE:
      s[i] = 80 * (2 * uniform() - 1);
      break;
    case EQUAL:
      s[i] = 0.3125;
      break;
    case EDGES:
      s[i] = 2 * floor(8 * uniform()) - 7 + (uniform() - 0.5) * 1e-13;
      break;
    case LATTICE:
      s[i] = 0.25 * floor(33 * uniform()) - 4;
      break;
    case OUTLIER:
      s[i] = i == 0 ? 85 : 0.01 * normal();
      break;
    case CAUCHY:
      s[i] = fmax(-90, fmin(90, tan(3.14159 * (uniform() - 0.5))));
      break;
    case TINY:
      s[i] = 1e-300 * normal();
      break;
    default:
      s[i] = centre + 20 * floor(3 * uniform()) + 1e-6 * normal();
      break;
    }
}

static inline void to_float(float *f, double *s, size_t n) {
  size_t i;
  for (i = 0; i < n; i++) s[i] = (double)(f[i] = (float)s[i]);
}

typedef long double reference_slope(long double u, const double *p);

static inline long double exact_logistic(long double u, const double *p) {
  (void)p;
  return u > 0 ? -expl(-u) / (1 + expl(-u)) : -1 / (1 + expl(u));
}
static inline long double exact_sigmoid(long double u, const double *p) {
  const long double e = expl(-fabsl(u));
  (void)p;
  return -e / ((1 + e) * (1 + e));
}

/* a and b of all pairs, one by one, in long double. */
static inline void reference(long double *a, long double *b, const double *sp, size_t np,
                             const double *sn, size_t nn, reference_slope *slope, const double *p) {
  size_t i, j;
  for (i = 0; i < np; i++) a[i] = 0;
  for (j = 0; j < nn; j++) b[j] = 0;
  for (i = 0; i < np; i++)
    for (j = 0; j < nn; j++) {
      const long double c = slope((long double)sp[i] - (long double)sn[j], p);
      a[i] += c;
      b[j] -= c;
    }
}

static inline double farthest(const double *x, const long double *y, size_t n) {
  double most = 0;
  size_t i;
  for (i = 0; i < n; i++) most = fmax(most, (double)fabsl((long double)x[i] - y[i]));
  return most;
}

static inline void *room(size_t bytes) {
  void *p = malloc(bytes ? bytes : 1);
  assert_non_null(p);
  return p;
}

static inline int all_zero(const double *x, size_t n) {
  size_t i;
  for (i = 0; i < n; i++)
    if (x[i] != 0) return 0;
  return 1;
}

#endif
