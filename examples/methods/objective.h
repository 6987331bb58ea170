/* SPDX-License-Identifier: MIT */
/* objective.h - objective perturbation of a margin loss, with a certified inexact minimiser. */
#ifndef OBJECTIVE_H
#define OBJECTIVE_H

#include "methods/method.h"
#include "support/solver.h"

/* What is released: the minimiser over w of
 *
 *     sum_i psi(w.u_i) + (ridge/2)|w - centre|^2 + b.w,      u_i = y_i x_i, |x_i| <= 1,
 *
 * shortened to norm 32 where it is longer, plus a trace of output noise. psi'(t) = (tanh(2 (t -
 * 3/4)) - 1)/2: a smoothed hinge. A record pulls with a slope of 0.95 at margin 0 and never more
 * than 1, which is what the noise has to hide, and lets go beyond a margin of 3/4; a logistic loss
 * pulls with half of its largest slope. The centre is public. */
typedef struct objective_plan {
  double noise; /* of b: standard deviation s, or for pure privacy the scale beta             */
  double ridge;
  dppair_margin_tolerance tolerance; /* what the solver leaves of the gradient                        */
  double output;              /* of the output: standard deviation, or the l2 mechanism's scale */
  int pure;
} objective_plan;

/* delta at epsilon of a mu_before-GDP release followed by this one (Gaussian b, deviation s). */
dppair_status objective_delta(double *delta, double epsilon, double mu_before, double s,
                              double ridge) DPPAIR_MUST_CHECK;

/* The smallest noise for ridge = ratio * noise (times sqrt(d) when delta = 0) such that the
 * release, after a mu_before-GDP one (delta > 0), is (epsilon, delta)-private for one replaced
 * record; for delta = 0 epsilon is this release's own share and mu_before is ignored. d counts the
 * columns. NO_PROOF when n and d are too large for the solver's arithmetic. */
dppair_status objective_calibrate(objective_plan *plan, double epsilon, double delta,
                                  double mu_before, double ratio, size_t n,
                                  size_t d) DPPAIR_MUST_CHECK;

/* w (d numbers) from rows u, n x d, of norm at most 1; centre: d numbers, or NULL for 0. */
dppair_status objective_release(double *w, const objective_plan *plan, const double *u, size_t n,
                                size_t d, const double *centre, const task *t) DPPAIR_MUST_CHECK;

/* The margin a, added to the scores, at which both classes together pull equally hard at w = 0,
 * when a share `rate` of the records is positive: rate psi'(a) = (1 - rate) psi'(-a). */
double objective_balance(double rate);

#endif /* OBJECTIVE_H */
