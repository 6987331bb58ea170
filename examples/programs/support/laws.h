/* SPDX-License-Identifier: MIT */
/*
 * laws.h - simulated laws of labelled records whose risks are known exactly: a law has a few atoms,
 * drawn once from a seed, of equal probability, so that the mean loss of a fresh record or pair is
 * a finite sum, and its minimiser can be certified. For simulations.
 */
#ifndef LAWS_H
#define LAWS_H

#include <stddef.h>

#include "support/data.h"

enum { ATOMS = 24, LAW_FEATURES = 3, LAW_SIZE = 4, LAW_TERMS = ATOMS * (ATOMS + 1) / 2 };

typedef struct law {
  size_t d;
  double x[ATOMS][LAW_FEATURES], y[ATOMS]; /* |x| <= 1; y = -1 or +1, half of each */
} law;

/* Classes are `separation` from the middle along one direction, with normal noise around that. */
void law_make(law *l, size_t d, double separation, uint64_t seed);

typedef enum law_kind {
  LAW_RANKING, /* ln(1 + exp(-(y - y') w.(x - x')))                                          */
  LAW_METRIC,  /* ln(1 + exp(-y y' (1 - (x - x')^T W (x - x')))), d = 2, W in full           */
  LAW_HINGE,   /* (1 - w.(x - x'))+ of y = 1, y' = -1                                        */
  LAW_POINTS,  /* ln(1 + exp(-y (w.x + w_d)))                                                */
  LAW_SVM      /* (1 - y w.x)+                                                               */
} law_kind;

/* Mean over the terms of weight phi(constant + a.w) + ridge/2 |w|^2, on |w| <= radius; for a metric
 * on the positive semidefinite W in that ball. */
typedef struct law_problem {
  law_kind kind;
  size_t size, terms;
  double ridge, radius;
  double a[LAW_TERMS][LAW_SIZE], constant[LAW_TERMS], weight[LAW_TERMS]; /* of the population */
  size_t first[LAW_TERMS], second[LAW_TERMS]; /* atoms; second: ATOMS of a single record */
} law_problem;
void law_problem_make(law_problem *p, const law *l, law_kind kind, double ridge, double radius);

/* The weights of the empirical risk over n records, count[k] of them atom k. */
void law_weigh(double *weight, const law_problem *p, const double *count, double n);
/* The risk at w, with g (p->size numbers, or NULL) its gradient. Hinges are exact. */
double law_risk(double *g, const law_problem *p, const double *weight, const double *w);

/*
 * w (LAW_SIZE numbers; in: a start) becomes a point of the set. Returns a lower bound of the
 * smallest risk, within `tolerance` of the risk at w where that was reached: risk(w) + min over v
 * in the set of <gradient, v - w>. A hinge is replaced by the Moreau envelope of this width, which
 * is lower by at most width/2, so that the bound holds for the hinge; width 0 for other losses, or
 * where no margin in the set comes near the kink.
 */
double law_minimise(double *w, const law_problem *p, const double *weight, double width,
                    double tolerance);

/* The smallest eigenvalue of the mean of a a^T. */
double law_curvature(const law_problem *p, const double *weight);

#endif /* LAWS_H */
