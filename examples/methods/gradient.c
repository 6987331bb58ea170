/* SPDX-License-Identifier: MIT */
/*
 * gd: noisy projected gradient descent over all pairs, after Algorithm 1 of Kang, Liu, Li, Wang,
 * "Towards sharper utility bounds for differentially private pairwise learning" (2021), mended.
 *
 *   w <- Proj( w - eta ( g(w) + N(0, sigma_t^2 I) ) ),
 *   g(w) = 1/(n(n-1)) sum over y_i = 1, y_j = -1 of phi'(w.(x_i - x_j)) (x_i - x_j)
 *
 * What differs from the paper, and why it is private: rows are clipped to a public radius R; the
 * normaliser is the public n(n-1), not the private n+ n-; the sensitivity of g at the released
 * iterate is 2 R s_t/n (dppair_sensitivity_rank_ind) with s_t = sup |phi'| over the margins
 * |u| <= 2 R |w_t| that this iterate can reach, which is public because w_t is; sigma_t follows from
 * the exact Gaussian curve, each step spending the same share. A bound on how much the order of
 * floating-point sums can matter is added to the sensitivity (see rounding below).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dppair_losses.h"
#include "methods/method.h"

#define DPPAIR_NAME logistic_pairs
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#define DPPAIR_NAME hinge_pairs
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"

#define DPPAIR_NAME squared_hinge_pairs
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_squared_hinge
#include "dppair.h"

#define DPPAIR_NAME square_pairs
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_square
#include "dppair.h"

typedef dppair_status coefficients(double *a, double *b, const double *sp, size_t np, const double *sn,
                                   size_t nn, const double *params);

/* sup |phi'| over margins of size at most u >= 0, and phi'' there (the step size's concern only). */
static double logistic_slope(double u) { return 1 / (1 + exp(-u)); }
static double hinge_slope(double u) { return u >= 0 ? 1 : 1; }
static double squared_slope(double u) { return 2 * (1 + u); }

typedef struct pair_loss {
  const char *name;
  coefficients *coeffs;
  double (*slope)(double u);
  double curvature;
} pair_loss;

static dppair_status logistic_coeffs(double *a, double *b, const double *sp, size_t np, const double *sn,
                                     size_t nn, const double *params) {
  return logistic_pairs_coeffs(a, b, sp, np, sn, nn, params);
}
static dppair_status hinge_coeffs(double *a, double *b, const double *sp, size_t np, const double *sn,
                                  size_t nn, const double *params) {
  return hinge_pairs_coeffs(a, b, sp, np, sn, nn, params);
}
static dppair_status squared_hinge_coeffs(double *a, double *b, const double *sp, size_t np,
                                          const double *sn, size_t nn, const double *params) {
  return squared_hinge_pairs_coeffs(a, b, sp, np, sn, nn, params);
}
static dppair_status square_coeffs(double *a, double *b, const double *sp, size_t np, const double *sn,
                                   size_t nn, const double *params) {
  return square_pairs_coeffs(a, b, sp, np, sn, nn, params);
}

static const pair_loss losses[] = {{"logistic", logistic_coeffs, logistic_slope, 0.25},
                             {"hinge", hinge_coeffs, hinge_slope, 1},
                             {"squared-hinge", squared_hinge_coeffs, squared_slope, 2},
                             {"square", square_coeffs, squared_slope, 2}};

static const pair_loss *loss_find(const char *name) {
  size_t k;
  if (name == NULL) return &losses[0];
  for (k = 0; k < sizeof losses / sizeof *losses; k++)
    if (strcmp(losses[k].name, name) == 0) return &losses[k];
  return NULL;
}

/* Everything one run needs; one block of memory. */
typedef struct descent {
  const task *t;
  const pair_loss *phi;
  size_t n, d, np;
  double radius, eta, *rows, *s, *c, *g, *w;
  size_t *order;
} descent;

/* g = the mean pair gradient at w, from the clipped rows (positives first). */
static dppair_status gradient(descent *r) {
  size_t k;
  dppair_status status = dppair_scores_f64(r->s, r->rows, r->n, r->d, r->d, r->w);
  double scale = 1 / ((double)r->n * (double)(r->n - 1));
  if (status == DPPAIR_OK)
    status = r->phi->coeffs(r->c, r->c + r->np, r->s, r->np, r->s + r->np, r->n - r->np, NULL);
  if (status == DPPAIR_OK) status = dppair_combine_f64(r->g, r->rows, r->n, r->d, r->d, r->c);
  for (k = 0; k < r->d; k++) r->g[k] *= scale;
  return status;
}

/*
 * Sensitivity of the COMPUTED gradient at w. A score is a function of its own row and w, so a pair
 * of unchanged records has the same computed slope on both data sets and the proof of the exact
 * sensitivity goes through with the computed slopes, which lie in [0, s]. Only the order of
 * summation may differ: n terms per coefficient and n per coordinate, each sum off by at most
 * (n + 3) 2^-53 times the sum of magnitudes, which is at most 2 n+ n- s R <= (n^2/2) s R in all.
 * Divided by n(n-1) and taken for both data sets: at most 2 R s (2n + 8) 2^-53.
 */
static dppair_status sensitivity(double *out, const descent *r) {
  double norm = dppair_norm_f64(r->w, r->d) * (1 + (double)(r->d + 8) * DBL_EPSILON);
  double slope = r->phi->slope(2 * r->radius * norm) * (1 + 64 * DBL_EPSILON), exact;
  dppair_status status = dppair_sensitivity_rank_ind(&exact, r->radius, slope, r->n);
  *out = exact + 2 * r->radius * slope * (double)(2 * r->n + 8) * DBL_EPSILON;
  return status;
}

static dppair_status step(descent *r, dppair_accountant *spent, model *out, size_t steps) {
  double s;
  size_t k;
  dppair_status status = sensitivity(&s, r);
  if (status == DPPAIR_OK) status = gradient(r);
  if (status == DPPAIR_OK)
    status = dppair_gaussian_sigma(&out->sigma, s, r->t->epsilon, r->t->delta, steps);
  if (status == DPPAIR_OK) status = dppair_accountant_gaussian(spent, s, out->sigma, 1);
  if (status == DPPAIR_OK) status = task_gaussian(r->g, r->d, out->sigma, r->t);
  if (status != DPPAIR_OK) return status;
  for (k = 0; k < r->d; k++) r->w[k] -= r->eta * r->g[k];
  if (r->t->with.param_radius > 0) return dppair_project_l2_f64(r->w, r->d, r->t->with.param_radius);
  return dppair_all_finite_f64(r->w, r->d) ? DPPAIR_OK : DPPAIR_ERR_NOT_FINITE;
}

/*
 * Steps and step size from public numbers. Near w = 0 the slopes are 1/2, so the accumulated noise
 * has norm about eta T R/clear with clear = n mu/sqrt(d): margins move by eta T R^2/clear. Many steps
 * can only pay once clear is large; then the travel eta T R^2 may grow with clear^2 and beyond.
 * A single step is scale-free: the AUC sees its direction only.
 */
static void plan(size_t *steps, double *eta, const descent *r, double mu) {
  const settings *with = &r->t->with;
  double clear = (double)r->n * mu / sqrt((double)r->d), wanted = clear * clear / 4000;
  *steps = wanted < 1 ? 1 : wanted > 100 ? 100 : (size_t)wanted;
  if (with->steps > 0) *steps = with->steps;
  /* the risk's curvature is at most phi'' (2R)^2 n+ n-/(n(n-1)), about phi'' R^2; rows of real data
   * stay far below it, which is worth using when the noise is small */
  *eta = fmin(fmax(clear / 27, 1), 8) / (r->phi->curvature * r->radius * r->radius);
  if (with->step_size > 0) *eta = with->step_size;
}

static dppair_status descend(model *out, descent *r) {
  dppair_accountant spent;
  double mu;
  size_t k;
  dppair_status status = task_mu(&mu, r->t);
  if (status == DPPAIR_OK) status = dppair_accountant_init(&spent);
  if (status != DPPAIR_OK) return status;
  plan(&out->steps, &r->eta, r, mu);
  for (k = 0; k < out->steps && status == DPPAIR_OK; k++) status = step(r, &spent, out, out->steps);
  if (status == DPPAIR_OK) status = dppair_accountant_epsilon(&out->epsilon, &spent, r->t->delta);
  if (r->t->with.noiseless) out->epsilon = HUGE_VAL;
  return status;
}

static dppair_status train(model *out, const task *t) {
  descent r;
  size_t n = t->train.n, d = t->train.d;
  double *memory = malloc((n * d + 2 * n + d) * sizeof *memory);
  dppair_status status = model_allocate(out, d, d);
  memset(&r, 0, sizeof r);
  r.t = t;
  r.n = n;
  r.d = d;
  r.radius = task_radius(t);
  r.phi = loss_find(t->with.loss);
  r.order = malloc(n * sizeof *r.order);
  if (memory == NULL || r.order == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (r.phi == NULL) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK) {
    r.rows = memory;
    r.s = r.rows + n * d;
    r.c = r.s + n;
    r.g = r.c + n;
    r.w = out->theta;
    r.np = rows_by_class(r.order, t->train.y, n);
    status = rows_clip(r.rows, &t->train, r.order, r.radius);
  }
  if (status == DPPAIR_OK) status = descend(out, &r);
  free(memory);
  free(r.order);
  return status;
}

const method method_gd = {"gd", "noisy projected gradient descent over all pairs (Kang 2021, mended)",
                          "the weights, one number per feature, and every iterate on the way to them",
                          0, 0, train};
