/* SPDX-License-Identifier: MIT */
/*
 * gd for metrics: noisy projected gradient descent over all pairs.
 *
 *   minimise over W   1/(n(n-1)) sum over i != j of phi(y_i y_j (1 - (x_i - x_j)^T W (x_i - x_j)))
 *   W <- Proj( W - eta (g(W) + N) ),  positive semidefinite matrices of Frobenius norm <= B,
 *
 * from a multiple of the identity. N is Gaussian in the d(d+1)/2 orthonormal coordinates of
 * symmetric matrices. A step's sensitivity is 2 Dm/n at the W it starts from, which is public
 * because it was released: Dm from the margins that this W can reach over rows of norm R
 * (dppair_constants_find), and each step gets the same share of the exact Gaussian curve.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/links.h"
#include "methods/measures.h"

enum { REFERENCE_STEPS = 200 };
static const double offset = 1.0;

/* One run of descent: public settings, the rows, and room. */
typedef struct descent {
  const pair_link *phi;
  const double *y;
  size_t n, d, coordinates, bytes, room_bytes;
  double radius, param_radius, step_size;
  double *rows, *w, *g, *v, *room, *spare;
  void *work;
} descent;

static void descent_free(const descent *r) {
  working_free(r->rows);
  working_free(r->work);
}

/* The radius B of the ball of metrics. */
static double ball_of(const task *t) {
  const double radius = task_radius(t);
  if (t->with.param_radius > 0) return t->with.param_radius;
  return 2 * sqrt((double)t->train.d) / (radius * radius);
}

dppair_status metric_start(double *w, const task *t) {
  const double radius = task_radius(t);
  size_t k, d = t->train.d;
  memset(w, 0, d * d * sizeof *w);
  for (k = 0; k < d; k++) w[k * d + k] = 1 / (radius * radius);
  return dppair_project_l2_f64(w, d * d, ball_of(t));
}

dppair_status metric_risk(double *risk, const double *w, const records *rows, const task *t) {
  const pair_link *phi = pair_link_find(t->with.loss, "logistic");
  const double pairs = 0.5 * (double)rows->n * (double)(rows->n - 1);
  double *x = working_get(1, rows->n * rows->d * sizeof *x);
  void *work = NULL;
  size_t bytes;
  dppair_status status = x == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
  if (phi == NULL || phi->metric == NULL) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK) status = rows_clip(x, rows, NULL, task_radius(t));
  if (status == DPPAIR_OK) status = phi->metric_room(&bytes, rows->n, rows->d);
  if (status == DPPAIR_OK && (work = working_get(1, bytes)) == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK)
    status = phi->metric_risk(risk, x, rows->y, rows->n, rows->d, w, offset, work, bytes);
  if (status == DPPAIR_OK) *risk /= pairs;
  working_free(x);
  working_free(work);
  return status;
}

/* Clips the rows and sets W to the start, a multiple of the identity. */
static dppair_status descent_begin(descent *r, const task *t) {
  const records *rows = &t->train;
  size_t square;
  dppair_status status;
  memset(r, 0, sizeof *r);
  r->phi = pair_link_find(t->with.loss, "logistic");
  if (r->phi == NULL || r->phi->metric == NULL) return DPPAIR_ERR_DOMAIN;
  r->y = rows->y;
  r->n = rows->n;
  r->d = rows->d;
  r->radius = task_radius(t);
  r->param_radius = ball_of(t);
  if (r->d > SIZE_MAX / (r->d + 1)) return DPPAIR_ERR_OVERFLOW;
  square = r->d * r->d;
  r->coordinates = (square + r->d) / 2;
  status = r->phi->metric_room(&r->bytes, r->n, r->d);
  if (status == DPPAIR_OK) status = dppair_project_workspace(&r->room_bytes, r->d);
  if (status != DPPAIR_OK) return status;
  r->rows =
      working_get(1, (r->n * r->d + 3 * square + r->coordinates) * sizeof *r->rows + r->room_bytes);
  r->work = working_get(1, r->bytes);
  if (r->rows == NULL || r->work == NULL) return DPPAIR_ERR_OVERFLOW;
  r->w = r->rows + r->n * r->d;
  r->g = r->w + square;
  r->spare = r->g + square;
  r->v = r->spare + square;
  r->room = r->v + r->coordinates;
  status = metric_start(r->w, t);
  return status == DPPAIR_OK ? rows_clip(r->rows, rows, NULL, r->radius) : status;
}

/*
 * The sensitivity of the computed mean gradient at W. Margins of this W lie in [1 - V m, 1] and
 * [-1, V m - 1], V = 4 R^2, m its largest eigenvalue, so the constants are those of a ball of
 * radius m. A computed W may have eigenvalues of -1e-13 m and a computed margin rounding errors: a
 * millionth part of a millionth on m and on the slopes is far more than both. Sums round too: their
 * certified error counts for both data sets.
 */
static dppair_status sensitivity(double *out, descent *r) {
  const double pairs = 0.5 * (double)r->n * (double)(r->n - 1);
  dppair_bounds bounds = {0, 0, 1, 0, 0};
  dppair_constants k;
  double error;
  dppair_status status = dppair_eigen_f64(r->v, r->spare, r->w, r->d, r->room, r->room_bytes);
  if (status != DPPAIR_OK) return status;
  bounds.radius = r->radius;
  bounds.offset = offset;
  bounds.param_radius = r->v[r->d - 1] * (1 + 1e-12) + 1e-12 * dppair_norm_f64(r->w, r->d * r->d);
  if (!(bounds.param_radius > 0)) bounds.param_radius = 1e-12; /* W = 0 */
  status = dppair_constants_find(&k, DPPAIR_MARGIN_metric_psd, dppair_loss_facts_of(r->phi->loss),
                                 NULL, &bounds);
  if (status == DPPAIR_OK)
    status = r->phi->metric_error(&error, r->n, r->d, r->radius, k.slope * (1 + 1e-12));
  if (status != DPPAIR_OK) return status;
  *out = k.replace_one / (double)r->n * (1 + 1e-9) + 2 * error / pairs;
  return DPPAIR_OK;
}

/* g(W), released in orthonormal coordinates, or as it is where s is NULL; then a step and the
 * projection. */
static dppair_status step(descent *r, double eta, spending *s) {
  const double pairs = 0.5 * (double)r->n * (double)(r->n - 1);
  double move = 0;
  size_t k;
  dppair_status status = s != NULL ? sensitivity(&move, r) : DPPAIR_OK;
  if (status == DPPAIR_OK)
    status = r->phi->metric(r->g, r->rows, r->y, r->n, r->d, r->w, offset, r->work, r->bytes);
  if (status != DPPAIR_OK) return status;
  dppair_symmetric_pack_f64(r->v, r->g, r->d);
  for (k = 0; k < r->coordinates; k++) r->v[k] /= pairs;
  if (s != NULL) status = spend_on(r->v, r->coordinates, move, s);
  if (status != DPPAIR_OK) return status;
  dppair_symmetric_unpack_f64(r->g, r->v, r->d);
  for (k = 0; k < r->d * r->d; k++) r->w[k] -= eta * r->g[k];
  return dppair_project_psd_frobenius_f64(r->w, r->d, r->param_radius, r->room, r->room_bytes);
}

/* What a pass over all pairs of n records takes, in units of about a nanosecond. */
static double pair_time(size_t n, size_t d) { return (double)n * (double)n * ((double)d / 8 + 4); }

/*
 * Steps and step size from public numbers; move is the sensitivity at the start. With p = d(d+1)/2
 * coordinates the noise of a whole run has norm about eta T move sqrt(p)/mu, the start sqrt(d)/R^2;
 * margins move by about 1 over a travel eta T of sqrt(d)/R^4. The travel is a quarter of what would
 * make the noise as large as the start. Fewer steps where they would take minutes.
 */
static void plan(size_t *steps, double *eta, const descent *r, const settings *with, double mu,
                 double move) {
  const double square = r->radius * r->radius;
  const double clear = square * mu / (move * sqrt((double)r->coordinates));
  const double most = fmin(fmin(clear, 20), 2e10 / pair_time(r->n, r->d));
  *steps = most < 2 ? 1 : (size_t)most;
  if (with->steps > 0) *steps = with->steps;
  *eta = fmin(0.25 * clear, 8) * sqrt((double)r->d) / (square * square) / (double)*steps;
  if (with->step_size > 0) *eta = with->step_size;
}

static dppair_status descend(model *out, descent *r, const task *t) {
  spending s;
  double mu, eta, move;
  size_t k;
  dppair_status status = task_mu(&mu, t);
  if (status == DPPAIR_OK) status = sensitivity(&move, r);
  if (status == DPPAIR_OK) status = spending_begin(&s, t);
  if (status != DPPAIR_OK) return status;
  plan(&out->steps, &eta, r, &t->with, mu, move);
  status = spend_all(&s, out->steps);
  for (k = 0; k < out->steps && status == DPPAIR_OK; k++) status = step(r, eta, &s);
  if (status == DPPAIR_OK) status = spend_claim(out, &s);
  spending_end(&s);
  return status;
}

static dppair_status train(model *out, const task *t) {
  descent r;
  size_t d = t->train.d;
  dppair_status status = descent_begin(&r, t);
  if (status == DPPAIR_OK) status = model_allocate(out, d, d * d);
  if (status == DPPAIR_OK) status = descend(out, &r, t);
  if (status == DPPAIR_OK) memcpy(out->theta, r.w, d * d * sizeof *r.w);
  out->radius = r.radius;
  descent_free(&r);
  return status;
}

/* On the first records, which are in random order, where all of them would take minutes. */
dppair_status metric_reference(double *w, const task *t) {
  const double most = 1e10 / REFERENCE_STEPS / pair_time(1, t->train.d);
  task part = *t;
  descent r;
  double r4;
  dppair_status status;
  int k;
  if ((double)t->train.n * (double)t->train.n > most) part.train.n = (size_t)sqrt(most);
  status = descent_begin(&r, &part);
  r4 = r.radius * r.radius * r.radius * r.radius;
  for (k = 0; k < REFERENCE_STEPS && status == DPPAIR_OK; k++) status = step(&r, 0.25 / r4, NULL);
  if (status == DPPAIR_OK) memcpy(w, r.w, r.d * r.d * sizeof *r.w);
  descent_free(&r);
  return status;
}

const method method_gd_metric = {"gd",
                                 "noisy projected gradient descent over all pairs",
                                 "the metric, one symmetric matrix; every iterate on the way to it",
                                 OFFERS_DESCENT | OFFERS_PARAM_RADIUS | NEEDS_CUBES,
                                 0,
                                 train};
