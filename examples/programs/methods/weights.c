/* SPDX-License-Identifier: MIT */
#include "methods/weights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/solver.h"

/* Fixed numbers; none depends on the data. */
/* In rho: columns centred by declaration (delta > 0, pure), and columns that an earlier release has
 * centred as well as it could, whose remaining error the fit's constant column takes up. */
static const double one_vector_below[2][2] = {{40, 60}, {14, 14}};
static const double ratio_clear = .75, ratio_rho = 50; /* ridge over noise = .75 (1 + 50/rho)   */
static const double intercept = .15;                   /* the constant column over the radius   */
static const double lean = .5;                         /* of the way to a balance of classes    */

dppair_status weights_make_plan(weights_plan *p, double before, const task *t) {
  double n = (double)t->train.n, d = (double)t->train.d, whole = t->epsilon;
  dppair_status status = DPPAIR_OK;
  memset(p, 0, sizeof *p);
  p->pure = !(t->delta > 0);
  p->before = before;
  if (!p->pure) status = task_mu(&whole, t);
  if (status == DPPAIR_OK && !(before >= 0 && before < whole)) status = DPPAIR_ERR_EXHAUSTED;
  if (status != DPPAIR_OK) return status;
  p->mine = p->pure ? whole - before : whole * sqrt((1 - before / whole) * (1 + before / whole));
  p->mine *= 1 - 8 * DBL_EPSILON;
  p->rho = n * p->mine / (p->pure ? d : sqrt(d));
  if (t->train.d >= SOLVER_COLUMNS) return status; /* ratio 0: one vector */
  p->ratio =
      p->rho < one_vector_below[before > 0][p->pure] ? 0 : ratio_clear * (1 + ratio_rho / p->rho);
  return status;
}

static dppair_status one_vector(model *out, double *w, const double *z, double radius,
                                const weights_plan *p, spending *s) {
  const task *t = s->t;
  size_t n = t->train.n, d = t->train.d, i;
  const dppair_rows_f64 rows = dppair_rows_make_f64(z, n, d, d);
  double *c = malloc(n * sizeof *c), move = 2 * radius / (double)n;
  dppair_status status = DPPAIR_ERR_OVERFLOW;
  if (c == NULL) return status;
  for (i = 0; i < n; i++) c[i] = t->train.y[i] / (double)n;
  status = dppair_combine_f64(w, &rows, c);
  free(c);
  /* twice the rounding of the computed sum, (n + 8) 2^-53 R */
  move = (move + radius * (double)(n + 8) * DBL_EPSILON) * (1 + 16 * DBL_EPSILON);
  if (status == DPPAIR_OK) status = p->before > 0 ? spend_part(s, 1, p->mine, 0) : spend_all(s, 1);
  if (status == DPPAIR_OK) status = spend_on(w, d, move, s);
  return status == DPPAIR_OK ? spend_claim(out, s) : status;
}

/* Draws weights that do not stand out of their noise towards 0, by public numbers alone: near the
 * minimiser the noise of b is divided by the ridge and the curvature, which for rows of norm about
 * 1 and a slope that falls for a third of them is about n/(3 columns) a direction. */
static void shrink(double *w, size_t d, const spending *s, const weights_plan *p) {
  double columns = (double)(d + 1), n = (double)s->t->train.n;
  double noise = s->release.sigma * (p->pure ? sqrt(columns) : 1);
  double sd = noise / (s->release.ridge + n / (3 * columns));
  size_t j;
  for (j = 0; j < d; j++) w[j] *= w[j] * w[j] / (w[j] * w[j] + sd * sd);
}

/* The same minimiser for a run without noise, to which any noise is too much. */
static dppair_status exact_fit(double *w, const double *u, const dppair_margin_problem *p,
                               const double *centre, const double *y, void *work, size_t bytes) {
  double *linear = malloc(p->d * sizeof *linear);
  dppair_margin_tolerance tolerance;
  size_t k;
  dppair_status status = dppair_margin_reach(&tolerance, p, 0);
  if (linear == NULL) return DPPAIR_ERR_OVERFLOW;
  for (k = 0; k < p->d; k++) {
    linear[k] = -p->ridge * centre[k];
    w[k] = 0;
  }
  if (status == DPPAIR_OK)
    status = dppair_minimiser_not_private(w, u, p->d, y, p, linear, &tolerance, work, bytes);
  free(linear);
  return status;
}

/* w[d + 1] from rows u of d + 1 numbers, on memory of its own. */
static dppair_status release_fit(double *w, const double *u, size_t columns, const double *centre,
                                 spending *s) {
  const dppair_margin_loss loss = dppair_margin_soft_hinge();
  const size_t n = s->t->train.n;
  size_t bytes = 0;
  dppair_status status = dppair_minimiser_workspace(&bytes, n, columns);
  void *work = status == DPPAIR_OK ? malloc(bytes) : NULL;
  if (status == DPPAIR_OK && work == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK)
    status = dppair_release_minimiser(w, &s->release, &loss, 1, u, n, columns, columns,
                                      s->t->train.y, centre, work, bytes);
  if (status == DPPAIR_OK && s->t->with.noiseless) {
    const dppair_margin_problem p = {loss, n, columns, 1, s->release.ridge};
    status = exact_fit(w, u, &p, centre, s->t->train.y, work, bytes);
  }
  free(work);
  return status;
}

/* Proved for every outcome of what came before; the claim is the account's. */
static dppair_status perturbed_fit(model *out, double *w, const double *z, double radius,
                                   double rate, const weights_plan *p, spending *s) {
  const dppair_margin_loss loss = dppair_margin_soft_hinge();
  size_t n = s->t->train.n, d = s->t->train.d, i, j;
  double *u = malloc(n * (d + 1) * sizeof *u), *full = calloc(2 * (d + 1), sizeof *full);
  double unit = radius * sqrt(1 + intercept * intercept);
  dppair_status status = u == NULL || full == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
  for (i = 0; i < n && status == DPPAIR_OK; i++) {
    for (j = 0; j < d; j++) u[i * (d + 1) + j] = z[i * d + j] / unit;
    u[i * (d + 1) + d] = intercept * radius / unit;
  }
  if (status == DPPAIR_OK)
    status = spend_fit(s, p->before, p->pure ? p->mine : s->t->epsilon,
                       p->ratio * (p->pure ? sqrt((double)(d + 1)) : 1));
  if (status == DPPAIR_OK) {
    double *centre = full + d + 1, balance = dppair_margin_balance(&loss, fmin(.98, fmax(.02, rate)));
    centre[d] = lean * balance * unit / (intercept * radius);
    status = release_fit(full, u, d + 1, centre, s);
  }
  if (status == DPPAIR_OK) {
    memcpy(w, full, d * sizeof *w);
    if (!s->t->with.noiseless) shrink(w, d, s, p);
    status = spend_claim(out, s);
  }
  free(u);
  free(full);
  return status;
}

dppair_status weights_release(model *out, double *w, const double *z, double radius, double rate,
                              const weights_plan *p, spending *s) {
  return p->ratio > 0 ? perturbed_fit(out, w, z, radius, rate, p, s)
                      : one_vector(out, w, z, radius, p, s);
}

int weights_explain(char *out, size_t size, const weights_plan *p, const task *t) {
  /* counts in an earlier release suffer more from delta = 0 than the weights do */
  const double least = p->pure && p->before > 0 ? 40 : 10;
  int used = snprintf(out, size, "rho = %.3g; weights by %s, %s = %.4g.", p->rho,
                      p->ratio > 0 ? "objective perturbation" : "one vector",
                      p->pure ? "epsilon" : "mu", p->mine);
  if (used > 0 && (size_t)used < size && p->rho < least)
    used +=
        snprintf(out + used, size - (size_t)used,
                 " WARNING: below rho = %.0f the budget is too small for n = %zu records and d "
                 "= %zu columns to learn much from%s.",
                 least, t->train.n, t->train.d,
                 least > 10 ? " at delta = 0; narrow declared ranges with the method one-vector "
                              "may do better"
                            : "");
  return used;
}
