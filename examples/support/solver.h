/* SPDX-License-Identifier: MIT */
/*
 * solver.h - minimisers of sum_i psi(w.u_i) + (ridge/2)|w|^2 + b.w with a certificate.
 */
#ifndef SOLVER_H
#define SOLVER_H

#include "dppair.h"
#include "support/data.h"

/* A convex margin loss with 0 <= psi'' <= top: value, slope and curvature at t in one call, the
 * slope within 16 units of rounding of `steepest`, or of itself. */
typedef struct margin_loss {
  void (*at)(double out[3], double t, double parameter);
  double parameter; /* 0, or the width over which a kink is rounded off */
  double top;
  double steepest; /* sup |psi'|; HUGE_VAL: it grows */
} margin_loss;

/* ln(1 + e^-t). */
extern const margin_loss margin_logistic;

/* What is public about a problem: n rows u of d numbers, of norm at most radius; ridge > 0. */
typedef struct margin_problem {
  const margin_loss *loss;
  size_t n, d;
  double radius, ridge;
} margin_problem;

/* Methods refuse to factor matrices of more columns, a public number: it takes too long. */
enum { SOLVER_COLUMNS = 4000 };

/* A gradient of norm at most floor + share |w|. */
typedef struct margin_tolerance {
  double floor, share;
} margin_tolerance;

/* What margin_minimise reaches whatever the rows are: `wanted`, or where that is more, four times
 * what computing a gradient may be off. A function of public numbers. NO_PROOF when share exceeds
 * ridge/8, so that it would say next to nothing about w, and when n top radius^2 exceeds 1e11
 * ridge: then the steps that the theorem counts might have to be taken, and would take years. */
dppair_status margin_reach(margin_tolerance *tolerance, const margin_problem *p,
                           double wanted) DPPAIR_MUST_CHECK;

/* w (in: a start) becomes a point that satisfies margin_reach's tolerance, rounding included. b has
 * d numbers or is NULL.
 *
 * Damped Newton steps; should they stall, accelerated and then plain gradient steps. That these end
 * is a theorem (solver.c), so whether and how well the solver succeeds says nothing about records:
 * it does. */
dppair_status margin_minimise(double *w, const double *u, const margin_problem *p, const double *b,
                              const margin_tolerance *tolerance) DPPAIR_MUST_CHECK;

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
