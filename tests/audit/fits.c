/* SPDX-License-Identifier: MIT */
/*
 * fits.c - what the audit makes of a perturbed fit (release/minimiser.h), which adds noise to the
 * objective and not to what it releases.
 *
 * The proof is about the b that gives a minimiser w,
 *
 *     b(w) = -sum_i psi'(w.u_i) u_i - ridge w,
 *
 * and needs three things. At the RECORDED w, b of the two data sets differs by two slopes at most.
 * The logarithm of det H, H = sum_i psi''_i u_i u_i^T + ridge I, differs by log(1 +
 * curvature/ridge) at most. And what the solver leaves of the gradient is what the noise of the
 * output was made for. The library tells of each fit; noises and ridge are held against the charge
 * in replay.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dppair.h"
#include "dppair_accountant.h"
#include "dppair_noise.h"
#include "replay.h"

enum { BALL = 32 };

static double norm_of(const double *v, size_t d) {
  double sum = 0;
  size_t k;
  for (k = 0; k < d; k++) sum += v[k] * v[k];
  return sqrt(sum);
}

/* log det of a positive definite matrix, which is overwritten. */
static double log_determinant(double *h, size_t d) {
  double sum = 0;
  size_t i, j, k;
  for (k = 0; k < d; k++) {
    sum += log(h[k * d + k]);
    for (i = k + 1; i < d; i++) {
      const double factor = h[i * d + k] / h[k * d + k];
      for (j = k; j < d; j++) h[i * d + j] -= factor * h[k * d + j];
    }
  }
  return sum;
}

enum { GRID = 40 }; /* the noise of b is on a grid of its scale over 2^40 */

/* Tells a loss whose slope and curvature at a margin are not what its facts say. */
static void fit_check_loss(double at[3], const dppair_margin_loss *loss, double margin) {
  const double most = 1 + 1e-12;
  loss->at(at, margin, loss->parameter);
  if (!(at[1] <= 0 && -at[1] <= loss->steepest * most && at[2] >= 0 && at[2] <= loss->top * most))
    audit_tell(AUDIT_DISTANCE,
               "at margin %.9g a loss has slope %.9g and curvature %.9g, not within "
               "%.9g and %.9g",
               margin, at[1], at[2], loss->steepest, loss->top);
}

/* b(w) and H of a fit, from its records; tells rows and slopes that are not what its facts say, at
 * their margins and at others that some records might have. */
static void fit_inverse(double *b, double *h, const double *w, const dppair_fit_ *fit, double *u) {
  const dppair_margin_problem *p = &fit->of;
  const size_t d = p->d;
  double margin, at[3];
  size_t i, j, k;
  memset(h, 0, d * d * sizeof *h);
  for (margin = -32; margin <= 32; margin += 0.25) fit_check_loss(at, &p->loss, margin);
  for (k = 0; k < d; k++) {
    b[k] = -p->ridge * w[k];
    h[k * d + k] = p->ridge;
  }
  for (i = 0; i < p->n; i++) {
    const double *x = fit->x + i * fit->ld, f = fit->factor[i];
    margin = 0;
    for (k = 0; k < d; k++) {
      u[k] = f == 0 ? 0 : f * x[k];
      margin += w[k] * u[k];
    }
    fit_check_loss(at, &p->loss, margin);
    if (!(norm_of(u, d) <= p->radius * (1 + 1e-12)))
      audit_tell(AUDIT_DISTANCE, "a row of a fit is longer than %.9g", p->radius);
    for (k = 0; k < d; k++) b[k] -= at[1] * u[k];
    for (j = 0; j < d; j++)
      for (k = 0; k < d; k++) h[j * d + k] += at[2] * u[j] * u[k];
  }
}

/* What D's solver left of the gradient, against what the output's noise was made for. */
static void fit_check_solver(const double *b, const double *w, const dppair_fit_ *fit, double grid,
                             double *used) {
  const double most = fit->reach.floor + grid + fit->reach.share * norm_of(w, fit->of.d);
  double left;
  size_t k;
  if (!audit_added(used, fit->of.d, 1, 1)) return;
  for (k = 0; k < fit->of.d; k++) used[k] -= b[k];
  left = norm_of(used, fit->of.d);
  if (left > most + 1e-12 * (fit->of.ridge * norm_of(w, fit->of.d) + norm_of(b, fit->of.d)))
    audit_tell(AUDIT_DISTANCE, "the solver leaves a gradient of %.9g, and %.9g is hidden", left,
               most);
}

/* What the fit has, as the lemma of release/minimiser.h counts it. */
static audit_fit fit_terms(double *grid, const dppair_fit_ *fit, int pure) {
  const dppair_margin_problem *p = &fit->of;
  const double d = (double)p->d;
  audit_fit told;
  told.slope = p->radius * p->loss.steepest;
  told.curvature = p->radius * p->radius * p->loss.top;
  told.ridge = p->ridge;
  told.scale = audit_scale(1);
  told.output = audit_scale(0);
  told.pure = pure;
  *grid = told.scale * sqrt(d) * (pure ? sqrt(d) : 1) * ldexp(1, 2 - GRID);
  told.hidden =
      8.0 / 3 * (fit->reach.floor + *grid + fit->reach.share * BALL / p->radius) / p->ridge;
  return told;
}

void audit_fitted_event(const dppair_event *event) {
  const dppair_release *release = (const dppair_release *)event->by;
  const dppair_fit_ *fit = (const dppair_fit_ *)event->what;
  const size_t d = fit->of.d;
  const int pure = release->mechanism == DPPAIR_PURE_OBJECTIVE;
  const double moves =
      dppair_adjacency_move_(release->sampling.adjacency) == DPPAIR_ZERO_OUT ? 1 : 2;
  double *memory, *z, *b, grid;
  audit_fit told;
  if (event->values == NULL) {
    audit_proof_begin();
    return;
  }
  memory = malloc((d * d + 5 * d) * sizeof *memory);
  if (memory == NULL) exit(3);
  z = memory + d * d;
  b = z + d;
  told = fit_terms(&grid, fit, pure);
  audit_fit_tell(&told, release);
  /* on the sphere of the ball several b give one output: nothing is told of them */
  if (event->status == DPPAIR_OK && audit_added(z, d, 0, 0) &&
      norm_of(z, d) < BALL / fit->of.radius * (1 - 1e-9)) {
    double determinant;
    fit_inverse(b, memory, z, fit, b + 2 * d);
    determinant = log_determinant(memory, d);
    fit_check_solver(b, z, fit, grid, b + d);
    audit_proof_moves(b, d, told.scale, moves * told.slope * (1 + 1e-11), pure);
    audit_proof_moves(&determinant, 1, 1, log1p(told.curvature / told.ridge) * (1 + 1e-9) + 1e-12,
                      1);
  }
  audit_proof_end();
  free(memory);
}
