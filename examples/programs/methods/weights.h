/* SPDX-License-Identifier: MIT */
/* weights.h - the weights of a linear ranking, by one release from clipped rows. */
#ifndef WEIGHTS_H
#define WEIGHTS_H

#include "methods/method.h"

/* What public numbers decide. Budgets are mu of a Gaussian guarantee, or epsilon when pure. */
typedef struct weights_plan {
  int pure;
  double before, mine; /* spent by earlier releases, and left for this one                     */
  double rho;          /* n mine/sqrt(d), pure: n mine/d: how far the signal can stand out     */
  double ratio;        /* ridge over noise of the perturbed fit; 0: one noisy vector           */
} weights_plan;

/* before = 0: all of the task's budget goes into the weights. */
dppair_status weights_make_plan(weights_plan *p, double before, const task *t) DPPAIR_MUST_CHECK;

/*
 * w[d] from rows z (n x d, norm at most radius) and the labels of s->t; writes out->sigma and what
 * the whole run may claim, out->epsilon. s: what was spent before. rate is the share of positive records as far as it is public, 1/2 when nothing is known.
 *
 * With ratio = 0: w = mean of y_i z_i plus noise. One replaced record moves it by at most
 * |y z - y' z'|/n <= 2 radius/n: Gaussian noise radius 2/(n mine), or the l2 mechanism. Otherwise
 * the minimiser of a perturbed margin loss, on rows with a constant column whose
 * weight is dropped, and whose centre leans towards a balance of the classes; weights below their
 * noise are then shrunk. Either is proved for every outcome of what came before.
 */
dppair_status weights_release(model *out, double *w, const double *z, double radius, double rate,
                              const weights_plan *p, spending *s) DPPAIR_MUST_CHECK;

/* One sentence with the plan's numbers, and a warning below rho = 10 (40 for delta = 0 after
 * another release); returns its length. */
int weights_explain(char *out, size_t size, const weights_plan *p, const task *t);

#endif /* WEIGHTS_H */
