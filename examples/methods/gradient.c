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
 * iterate is 2 R s_t/n for a monotone link (dppair_constants_find) with s_t = sup |phi'| over the
 * margins |u| <= 2 R |w_t| that this iterate can reach, which is public because w_t is; sigma_t =
 * sensitivity sqrt(T)/mu, each of T steps spending the same share of the mu that the exact Gaussian
 * curve allows. A bound on how much the order of floating-point sums can matter is added to the
 * sensitivity (links.h).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "methods/pairs.h"

/* Everything one run needs; one block of memory. */
typedef struct descent {
  const task *t;
  const pair_link *phi;
  size_t n, d, np;
  double mu, radius, eta, *rows, *s, *c, *g, *w;
  size_t *order;
  pair_sums sums;
} descent;

/* g = the mean pair gradient at w, from the clipped rows (positives first). */
static dppair_status gradient(descent *r) {
  size_t k, np = r->np, nn = r->n - r->np;
  double *a = r->c, *b = r->c + np, *sp = r->s, *sn = r->s + np;
  double scale = 1 / ((double)r->n * (double)(r->n - 1));
  const dppair_rows_f64 rows = dppair_rows_make_f64(r->rows, r->n, r->d, r->d);
  dppair_status status = dppair_scores_f64(r->s, &rows, r->w);
  if (status == DPPAIR_OK) status = pair_sums_coeffs(a, b, sp, np, sn, nn, &r->sums);
  if (status == DPPAIR_OK) status = dppair_combine_f64(r->g, &rows, r->c);
  for (k = 0; k < r->d; k++) r->g[k] *= scale;
  return status;
}

/*
 * Sensitivity of the COMPUTED gradient at w: links.h says why the proof of the exact one
 * (dppair_constants_find, at parameters of the norm of this w) holds with the range s + 2E of the
 * slopes, and what their sums round; the division by n(n-1) adds a unit of |g| <= R s.
 */
static dppair_status sensitivity(double *out, descent *r) {
  const double n = (double)r->n;
  double norm = dppair_norm_f64(r->w, r->d) * (1 + (double)(r->d + 8) * DBL_EPSILON);
  dppair_bounds bounds = {0, 0, 0, 0, 0};
  dppair_constants k;
  double range, rounding;
  dppair_status status = pair_sums_reach(&r->sums, r->phi, r->n, r->radius * norm * (1 + 1e-9));
  bounds.radius = r->radius;
  bounds.param_radius = norm < 1e-60 ? 1e-60 : norm; /* NaN stays NaN and is refused */
  if (status == DPPAIR_OK)
    status = dppair_constants_find(&k, DPPAIR_MARGIN_ind, dppair_loss_facts_of(r->phi->loss), NULL,
                                   &bounds);
  if (status == DPPAIR_OK)
    status = pair_sums_surcharge(&range, &rounding, &r->sums, r->n, r->radius, k.slope);
  if (status != DPPAIR_OK) return status;
  *out = k.replace_one / n * (1 + range / k.slope) + rounding / (n * (n - 1)) +
         4 * DBL_EPSILON * r->radius * k.slope;
  return DPPAIR_OK;
}

static dppair_status step(descent *r, spending *spent) {
  double move;
  size_t k;
  dppair_status status = sensitivity(&move, r);
  if (status == DPPAIR_OK) status = gradient(r);
  if (status == DPPAIR_OK) status = spend_on(r->g, r->d, move, spent);
  if (status != DPPAIR_OK) return status;
  for (k = 0; k < r->d; k++) r->w[k] -= r->eta * r->g[k];
  if (r->t->with.param_radius > 0)
    return dppair_project_l2_f64(r->w, r->d, r->t->with.param_radius);
  return dppair_all_finite_f64(r->w, r->d) ? DPPAIR_OK : DPPAIR_ERR_NOT_FINITE;
}

/*
 * Steps and step size from public numbers. Near w = 0 the slopes are 1/2, so the accumulated noise
 * has norm about eta T R/clear with clear = n mu/sqrt(d): margins move by eta T R^2/clear. Many
 * steps can only pay once clear is large; then the travel eta T R^2 may grow with clear^2 and
 * beyond. A single step is scale-free: the AUC sees its direction only.
 */
static void plan(size_t *steps, double *eta, const descent *r) {
  const settings *with = &r->t->with;
  double curvature = pair_link_curvature(r->phi);
  double clear = (double)r->n * r->mu / sqrt((double)r->d), wanted = clear * clear / 4000;
  if (!dppair_isfinite_f64(curvature)) curvature = 1;
  *steps = wanted < 1 ? 1 : wanted > 100 ? 100 : (size_t)wanted;
  if (with->steps > 0) *steps = with->steps;
  /* the risk's curvature is at most phi'' (2R)^2 n+ n-/(n(n-1)), about phi'' R^2; rows of real data
   * stay far below it, which is worth using when the noise is small */
  *eta = fmin(fmax(clear / 27, 1), 8) / (curvature * r->radius * r->radius);
  if (with->step_size > 0) *eta = with->step_size;
}

static dppair_status descend(model *out, descent *r, spending *spent, double mu) {
  size_t k;
  dppair_status status;
  plan(&out->steps, &r->eta, r);
  status = mu > 0 ? spend_part(spent, out->steps, mu, 0) : spend_all(spent, out->steps);
  for (k = 0; k < out->steps && status == DPPAIR_OK; k++) status = step(r, spent);
  return status;
}

dppair_status gd_train(model *out, spending *spent, const task *t, double mu) {
  descent r;
  size_t n = t->train.n, d = t->train.d;
  double *memory = malloc((n * d + 2 * n + d) * sizeof *memory);
  dppair_status status = model_allocate(out, d, d);
  memset(&r, 0, sizeof r);
  r.t = t;
  r.mu = mu;
  if (status == DPPAIR_OK && !(mu > 0)) status = task_mu(&r.mu, t);
  r.n = n;
  r.d = d;
  r.radius = task_radius(t);
  r.phi = pair_link_find(t->with.loss, "logistic");
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
  if (status == DPPAIR_OK) status = descend(out, &r, spent, mu);
  free(memory);
  free(r.order);
  pair_sums_free(&r.sums);
  return status;
}

static dppair_status train(model *out, const task *t) {
  spending spent;
  dppair_status status = spending_begin(&spent, t);
  if (status == DPPAIR_OK) status = gd_train(out, &spent, t, 0);
  if (status == DPPAIR_OK) status = spend_claim(out, &spent);
  spending_end(&spent);
  return status;
}

const method method_gd = {"gd",
                          "noisy projected gradient descent over all pairs (Kang 2021, mended)",
                          "the weights, one number per feature; every iterate on the way to them",
                          OFFERS_DESCENT | OFFERS_PARAM_RADIUS,
                          0,
                          train};
