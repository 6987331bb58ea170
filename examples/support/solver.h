/* SPDX-License-Identifier: MIT */
/*
 * solver.h - minimisers of sum_i psi(w.u_i) + (ridge/2)|w|^2 + b.w with a certificate.
 */
#ifndef SOLVER_H
#define SOLVER_H

#include "dppair.h"
#include "support/data.h"

/* A convex margin loss with 0 <= psi'' <= top: value, slope and curvature at t in one call. */
typedef struct margin_loss {
  void (*at)(double out[3], double t, double parameter);
  double parameter;
  double top;
} margin_loss;

/* ln(1 + e^-t). */
extern const margin_loss margin_logistic;

/* w (in: a start) becomes a point whose gradient has norm at most tolerance, and *residual is a
 * bound on that norm with rounding included. u is n x d, ridge > 0, b has d numbers or is NULL.
 *
 * Damped Newton steps; should they stall, accelerated gradient steps, which reach any tolerance
 * above the rounding level in a number of steps known from n, top, ridge and the largest row alone
 * - so whether the solver succeeds says nothing about single records. NO_CONVERGENCE when the
 * tolerance is below the rounding level. */
dppair_status margin_minimise(double *w, double *residual, const double *u, size_t n, size_t d,
                              const margin_loss *loss, double ridge, const double *b,
                              double tolerance) DPPAIR_MUST_CHECK;

/* a (d x d, lower triangle read) becomes its Cholesky factor; 0 when it is not positive definite.
 */
int cholesky_factor(double *a, size_t d);
/* r becomes A^-1 r. */
void cholesky_solve(double *r, const double *factor, size_t d);

/* The non-private yardstick: logistic regression with an intercept and a small ridge on
 * standardised columns of x; w has d numbers and scores x. Reads the data: covered by no guarantee.
 */
dppair_status reference_fit(double *w, const records *train) DPPAIR_MUST_CHECK;

#endif /* SOLVER_H */
