/* SPDX-License-Identifier: MIT */
/* Laws of scores whose AUC is known, samples of them, and DeLong's interval, which spends nothing:
 * what a private interval is measured against. */
#ifndef EVALUATION_LAWS_H
#define EVALUATION_LAWS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

typedef enum score_law {
  BINORMAL,    /* both classes normal of variance 1, the means apart by sqrt 2 Phi^-1(AUC)        */
  UNEQUAL,     /* the positives' deviation is 2                                                   */
  FIVE_LEVELS, /* binormal scores cut at -1, 0, 1 and 2: ties                                     */
  TWO_CLUSTERS, /* negatives normal; a positive lies above or below nearly all: AUC is the share */
  SCORE_LAWS /* above, and the variance of the estimate is as large as that of any law          */
} score_law;

static inline double phi(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }

/* Phi^-1 by bisection: for the few numbers that a table needs. */
static inline double phi_inverse(double p) {
  double low = -40, high = 40;
  int k;
  for (k = 0; k < 100; k++) {
    const double middle = 0.5 * (low + high);
    *(phi(middle) < p ? &low : &high) = middle;
  }
  return 0.5 * (low + high);
}

static inline double level_of(double x) {
  return x < -1 ? 0 : x < 0 ? 1 : x < 1 ? 2 : x < 2 ? 3 : 4;
}

/* A law with its parameter, the distance of the means or the share above. */
typedef struct score_source {
  score_law law;
  double distance, auc;
} score_source;

/* The probability that a positive's score is higher, plus half of that of a tie. */
static inline double five_levels_auc(double distance) {
  static const double cut[] = {-HUGE_VAL, -1, 0, 1, 2, HUGE_VAL};
  double auc = 0, below = 0;
  int k;
  for (k = 0; k < 5; k++) {
    const double negative = phi(cut[k + 1]) - phi(cut[k]);
    const double positive = phi(cut[k + 1] - distance) - phi(cut[k] - distance);
    auc += positive * (below + 0.5 * negative);
    below += negative;
  }
  return auc;
}

/* The law with this AUC; with ties, the law whose scores would have it before they are cut. */
static inline score_source source_make(score_law law, double auc) {
  score_source source;
  source.law = law;
  source.auc = auc;
  source.distance = phi_inverse(auc) * sqrt(law == UNEQUAL ? 5.0 : 2.0);
  if (law == FIVE_LEVELS) source.auc = five_levels_auc(source.distance);
  if (law == TWO_CLUSTERS) { /* a positive is 6 above the mean of the negatives, or 6 below it */
    const double wide = phi(6 / sqrt(1.01));
    source.distance = (auc - (1 - wide)) / (2 * wide - 1);
  }
  return source;
}

static inline double draw_score(const score_source *source, int positive) {
  const double z = normal();
  switch (source->law) {
  case UNEQUAL:
    return positive ? source->distance + 2 * z : z;
  case FIVE_LEVELS:
    return level_of(positive ? source->distance + z : z);
  case TWO_CLUSTERS:
    return !positive ? z : 0.1 * z + (uniform() < source->distance ? 6 : -6);
  default:
    return positive ? source->distance + z : z;
  }
}

/* n scores, those of the positives first; each record is positive with probability pi. Returns how
 * many are. */
static inline size_t draw_scores(double *s, size_t n, double pi, const score_source *source) {
  size_t i, p = 0;
  for (i = 0; i < n; i++) p += uniform() < pi;
  for (i = 0; i < n; i++) s[i] = draw_score(source, i < p);
  return p;
}

/* --- DeLong's interval
 * ---------------------------------------------------------------------------- */

typedef struct interval {
  double lower, upper;
} interval;

static inline int covers(interval i, double x) { return i.lower <= x && x <= i.upper; }

static inline int compare_scores(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The sum and the sum of squares of the placements of a[m] in b[k], both sorted: the share of b
 * below, ties counted one half. */
static inline void placements(double *sum, double *square, const double *a, size_t m,
                              const double *b, size_t k) {
  size_t i, below = 0, upto = 0;
  *sum = *square = 0;
  for (i = 0; i < m; i++) {
    double v;
    while (below < k && b[below] < a[i]) below++;
    if (upto < below) upto = below;
    while (upto < k && b[upto] <= a[i]) upto++;
    v = 0.5 * (double)(below + upto) / (double)k;
    *sum += v;
    *square += v * v;
  }
}

static inline double sample_variance(double sum, double square, size_t m) {
  const double k = (double)m;
  return m < 2 ? 0 : fmax(0, square - sum * sum / k) / (k - 1);
}

/* AUC +- z sd; sorts s in place, each class for itself. Of one class alone: everything. */
static inline interval delong(double *s, size_t n, size_t p, double z) {
  const size_t q = n - p;
  interval out = {0, 1};
  double sum, square, auc, variance;
  if (p == 0 || q == 0) return out;
  qsort(s, p, sizeof *s, compare_scores);
  qsort(s + p, q, sizeof *s, compare_scores);
  placements(&sum, &square, s + p, q, s, p);
  variance = sample_variance(sum, square, q) / (double)q;
  placements(&sum, &square, s, p, s + p, q);
  variance += sample_variance(sum, square, p) / (double)p;
  auc = sum / (double)p;
  out.lower = auc - z * sqrt(variance);
  out.upper = auc + z * sqrt(variance);
  return out;
}

#endif
