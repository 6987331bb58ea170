/* SPDX-License-Identifier: MIT */
/*
 * Kang, Liu, Li and Wang, "Data heterogeneity differential privacy: from theory to algorithm"
 * (2023): DP-SGD for logistic regression and a perceptron with one hidden layer as wide as the
 * input, the methods that the paper compares it with, its "performance improving" PIDP-SGD, and a
 * sound method in the same spirit.
 *
 *   dpsgd, dpsgd-mlp       clipped gradients of random batches with noise (Abadi et al. 2016)
 *   dplssgd, dplssgd-mlp   the same, each noisy gradient smoothed by (I - s Laplacian)^-1 along its
 *                          index (Wang et al. 2019): post-processing, the same guarantee
 *   bolton                 permutation SGD with noise on the output (Wu et al. 2017)
 *   pidpsgd-not-private    Algorithm 1 as printed: NOT DIFFERENTIALLY PRIVATE, see below
 *   filter                 full batches, every record charged for its own gradient and dropped when
 *                          its budget is used up (after Feldman and Zrnic 2021): sound
 *   filter-pairs           the same for pairs, each record charged for the largest gradient that
 *                          any partner in the domain could give it
 *
 * PIDP-SGD leaves the noise out of steps whose record has a small estimated influence. All its
 * thresholds are of order 1/n or fixed, so for large n no step is noised: with l = (theta - z)^2/2,
 * all z = 0 against one z = 1, theta moves or does not move, and delta >= 1 - (1 - 1/n)^T at every
 * epsilon (0.63 for T = n), against the 2e-2 that is claimed. A test runs that example. What one
 * may do for records of small influence is to charge them less: that is the filter.
 *
 * Batches are drawn by a coin per record, and the coins stay secret: amplification by sampling is
 * for who does not know who was in a batch. The accountant takes one replaced record, as everywhere
 * here. Averages divide by the expected batch size, a public number.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/kang2023.h"
#include "methods/pairs.h"
#include "dppair_filters.h"
#include "support/solver.h"

/* --- models: a score and its gradient --------------------------------------------------------- */

/* Logistic regression: d weights and an intercept. The perceptron: d hidden units tanh(w_k.x +
 * b_k), then weights and an intercept; d(d + 2) + 1 numbers. The rows are in the ball R, so the
 * input (x, R) with the intercept's R has norm at most sqrt(2) R. */
typedef struct network {
  int hidden;
  size_t d, size;
  double radius;
} network;

static network network_of(size_t d, int hidden, double radius) {
  network net;
  net.hidden = hidden;
  net.d = d;
  net.size = hidden ? d * (d + 2) + 1 : d + 1;
  net.radius = radius;
  return net;
}

/* The score; with g also its gradient (g has size numbers). */
static double network_score(double *g, const network *net, const double *w, const double *x) {
  size_t k, j, d = net->d;
  const double *top = w + d * (d + 1);
  double s = 0;
  if (!net->hidden) {
    for (k = 0; k < d; k++) s += w[k] * x[k];
    if (g != NULL) memcpy(g, x, d * sizeof *g);
    if (g != NULL) g[d] = net->radius;
    return s + w[d] * net->radius;
  }
  for (k = 0; k < d; k++) {
    const double *row = w + k * (d + 1);
    double a = row[d], h, slope;
    for (j = 0; j < d; j++) a += row[j] * x[j];
    h = tanh(a);
    s += top[k] * h;
    if (g == NULL) continue;
    slope = top[k] * (1 - h * h);
    for (j = 0; j < d; j++) g[k * (d + 1) + j] = slope * x[j];
    g[k * (d + 1) + d] = slope;
    g[d * (d + 1) + k] = h;
  }
  if (g != NULL) g[d * (d + 2)] = 1;
  return s + top[d];
}

/* The gradient of ln(1 + e^(-y score)); returns its norm. */
static double loss_gradient(double *g, const network *net, const double *w, const double *x,
                            double y) {
  double s = network_score(g, net, w, x), slope = -y / (1 + exp(y * s));
  size_t k;
  for (k = 0; k < net->size; k++) g[k] *= slope;
  return dppair_norm_f64(g, net->size);
}

/* theta: the network's numbers, then R (public). A test reads the kind off the size. */
static void score_network(double *s, const model *m, const records *rows) {
  network net = network_of(rows->d, m->size != rows->d + 2, m->theta[m->size - 1]);
  size_t i;
  for (i = 0; i < rows->n; i++) s[i] = network_score(NULL, &net, m->theta, rows->x + i * rows->d);
}

typedef struct trainer {
  model *out;
  const task *t;
  network net;
  size_t n;
  double *x, *w, *g, *sum; /* clipped rows; the parameters; two gradients */
  double *memory;
  size_t *batch; /* n places */
} trainer;

static dppair_status trainer_open(trainer *r, model *out, const task *t, int hidden) {
  size_t d = t->train.d, k;
  dppair_status status;
  memset(r, 0, sizeof *r);
  r->out = out;
  r->t = t;
  r->n = t->train.n;
  r->net = network_of(d, hidden, task_radius(t));
  r->memory = working_get(r->n * d + 3 * r->net.size + 1, sizeof *r->memory);
  r->batch = working_get(1, r->n * sizeof *r->batch);
  if (r->memory == NULL || r->batch == NULL) return DPPAIR_ERR_OVERFLOW;
  r->w = r->memory;
  r->g = r->w + r->net.size + 1;
  r->sum = r->g + r->net.size;
  r->x = r->sum + r->net.size;
  status = rows_clip(r->x, &t->train, NULL, r->net.radius);
  /* a random start breaks the symmetry of hidden units; its law does not depend on data */
  for (k = 0; hidden && k < r->net.size && status == DPPAIR_OK; k++) {
    status = task_uniform(&r->w[k], 1, t);
    r->w[k] = (2 * r->w[k] - 1) * sqrt(3 / (double)d);
  }
  return status;
}

static dppair_status trainer_close(trainer *r, dppair_status status) {
  if (status == DPPAIR_OK) status = model_allocate(r->out, r->net.d, r->net.size + 1);
  if (status == DPPAIR_OK) {
    memcpy(r->out->theta, r->w, r->net.size * sizeof *r->w);
    r->out->theta[r->net.size] = r->net.radius;
    r->out->score = score_network;
  }
  working_free(r->memory);
  working_free(r->batch);
  return status;
}

/* --- DP-SGD ----------------------------------------------------------------------------------- */

/* v <- (I - s D)^-1 v, D the second difference along a circle: two sweeps of the tridiagonal solve
 * and the rank-one correction for the corner (Sherman and Morrison). */
static dppair_status smooth(double *v, size_t n, double s) {
  double *c, *u, factor, diagonal = 1 + 2 * s, corner = -s, gamma = -diagonal;
  size_t k, pass;
  if (n < 3 || !(s > 0)) return DPPAIR_OK;
  c = working_get(2 * n, sizeof *c);
  if (c == NULL) return DPPAIR_ERR_OVERFLOW;
  u = c + n;
  u[0] = gamma;
  u[n - 1] = corner;
  for (pass = 0; pass < 2; pass++) {
    double *to = pass == 0 ? v : u, b = diagonal - gamma;
    to[0] /= b;
    for (k = 1; k < n; k++) {
      c[k] = corner / b;
      b = (k + 1 < n ? diagonal : diagonal - corner * corner / gamma) - corner * c[k];
      to[k] = (to[k] - corner * to[k - 1]) / b;
    }
    for (k = n - 1; k-- > 0;) to[k] -= c[k + 1] * to[k + 1];
  }
  factor = (v[0] + corner * v[n - 1] / gamma) / (1 + u[0] + corner * u[n - 1] / gamma);
  for (k = 0; k < n; k++) v[k] -= factor * u[k];
  working_free(c);
  return DPPAIR_OK;
}

/* The sum of the clipped gradients of the plan's next batch, released: zeroing a record moves it by
 * the clip and what computing it rounds, a few units of each of its terms. */
static dppair_status batch_gradient(trainer *r, double clip, spending *s) {
  const double units = 8 * ((double)r->net.size + (double)r->n) * DBL_EPSILON;
  dppair_batch drawn;
  size_t b, k;
  dppair_status status = dppair_release_draw(&drawn, r->batch, r->n, &s->release);
  memset(r->sum, 0, r->net.size * sizeof *r->sum);
  for (b = 0; b < drawn.count; b++) {
    const size_t i = drawn.index[b];
    double norm = loss_gradient(r->g, &r->net, r->w, r->x + i * r->net.d, r->t->train.y[i]);
    double scale = norm > clip ? clip / norm : 1;
    for (k = 0; k < r->net.size; k++) r->sum[k] += scale * r->g[k];
  }
  return status == DPPAIR_OK ? spend_on(r->sum, r->net.size, clip * (1 + units), s) : status;
}

/* The account takes the pair of mixtures towards +1 and -1, composed numerically: Renyi orders, the
 * moments accountant, ask for more noise. */
static dppair_status sgd_steps(trainer *r, spending *s, size_t m, double clip, double smoothing) {
  const double eta = r->t->with.step_size > 0 ? r->t->with.step_size
                     : r->net.hidden          ? 0.5
                                              : 1 / (clip * clip);
  size_t k, i;
  dppair_status status =
      spend_batches(s, r->out->steps, dppair_sampling_poisson(r->n, m, DPPAIR_REPLACE_ONE));
  for (i = 0; i < r->out->steps && status == DPPAIR_OK; i++) {
    status = batch_gradient(r, clip, s);
    if (status == DPPAIR_OK) status = smooth(r->sum, r->net.size, smoothing);
    for (k = 0; k < r->net.size; k++) r->w[k] -= eta * r->sum[k] / (double)m;
  }
  note(r->out, "Batches of %.4g expected records, clip %.4g, noise multiplier %.4g. ", (double)m,
       clip, s->release.noise_multiplier);
  return status == DPPAIR_OK ? spend_claim(r->out, s) : status;
}

static dppair_status dpsgd(model *out, const task *t, int hidden, double smoothing) {
  trainer r;
  spending s;
  const size_t n = t->train.n, m = n < 1024 ? (n + 3) / 4 : 256; /* expected records */
  dppair_status status = trainer_open(&r, out, t, hidden);
  if (status == DPPAIR_OK) status = spending_begin(&s, t);
  out->steps =
      t->with.steps > 0 ? t->with.steps : (size_t)fmax(30, fmin(600, 10 * (double)n / (double)m));
  if (status == DPPAIR_OK) {
    status = sgd_steps(&r, &s, m, hidden ? 1 : sqrt(2) * r.net.radius / 2, smoothing);
    spending_end(&s);
  }
  return trainer_close(&r, status);
}

/* --- Wu et al. 2017 --------------------------------------------------------------------------- */

/*
 * Passes in a fixed random order over the regularised logistic loss, step eta_t = min(1/beta,
 * 1/(lambda t)), projection on a public ball; the last iterate with noise. Each step contracts by
 * 1 - eta_t lambda, and the step that meets the replaced record adds at most eta_t spread, spread =
 * 2 sup |gradient of the loss|: with k passes the worst position's sum is computed exactly.
 */
typedef struct passes {
  double beta, lambda, spread, ball;
  size_t n, steps; /* steps: n a pass */
} passes;

static double pass_step(const passes *p, size_t s) {
  return fmin(1 / p->beta, 1 / (p->lambda * (double)(s + 1)));
}

/* The regulariser balances what it costs and what the noise costs, by public numbers. */
static dppair_status choose_lambda(passes *p, const trainer *r) {
  const task *t = r->t;
  double noise = (double)r->net.size / t->epsilon;
  dppair_status status = DPPAIR_OK;
  p->lambda = t->with.lambda;
  if (p->lambda > 0) return status;
  if (t->delta > 0) status = task_mu(&noise, t);
  if (t->delta > 0) noise = sqrt((double)r->net.size) / noise;
  p->lambda = fmin(1, p->spread * sqrt(noise / (double)p->n));
  return status;
}

/* All steps, r->w from 0; *rounding bounds what computing them adds to a distance of two runs. */
static dppair_status run_passes(trainer *r, double *rounding, const passes *p,
                                const size_t *order) {
  size_t s, k, size = r->net.size;
  dppair_status status = DPPAIR_OK;
  *rounding = 0;
  for (s = 0; s < p->steps && status == DPPAIR_OK; s++) {
    size_t i = order[s % p->n];
    double eta = pass_step(p, s);
    (void)loss_gradient(r->g, &r->net, r->w, r->x + i * r->net.d, r->t->train.y[i]);
    for (k = 0; k < size; k++) r->w[k] -= eta * (r->g[k] + p->lambda * r->w[k]);
    status = dppair_project_l2_f64(r->w, size, p->ball);
    *rounding +=
        (double)(8 * size + 64) * DBL_EPSILON * (p->ball + eta * (p->spread + p->lambda * p->ball));
  }
  return status;
}

/* The largest sum over the steps that meet one position; worst: n zeros. */
static double passes_move(const passes *p, double *worst) {
  double left = 1, move = 0; /* left: of a unit at step s at the end */
  size_t s;
  for (s = p->steps; s-- > 0;) {
    double eta = pass_step(p, s);
    worst[s % p->n] += left * eta * p->spread;
    left *= 1 - eta * p->lambda;
  }
  for (s = 0; s < p->n; s++) move = larger(move, worst[s]);
  return move;
}

static dppair_status bolton(model *out, const task *t) {
  trainer r;
  passes p;
  size_t n = t->train.n, count = t->with.steps > 0 ? t->with.steps : 10;
  size_t *order = working_get(1, n * sizeof *order);
  double *worst = working_get(n, sizeof *worst), move = 0, rounding = 0;
  dppair_status status = trainer_open(&r, out, t, 0);
  memset(&p, 0, sizeof p);
  p.n = n;
  p.steps = out->steps = count * n;
  p.spread = 2 * sqrt(2) * r.net.radius * (1 + 64 * DBL_EPSILON);
  p.ball = t->with.param_radius > 0 ? t->with.param_radius : 10 / r.net.radius;
  if (order == NULL || worst == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) status = choose_lambda(&p, &r);
  p.beta = 0.5 * r.net.radius * r.net.radius + p.lambda;
  if (status == DPPAIR_OK) status = task_order(order, n, t);
  if (status == DPPAIR_OK) status = run_passes(&r, &rounding, &p, order);
  if (status == DPPAIR_OK) {
    move = passes_move(&p, worst) * (1 + 1e-9) + rounding;
    status = release_output(out, r.w, r.net.size, move, t);
  }
  note(out, "%zu passes, lambda = %.4g, sensitivity %.4g. ", count, p.lambda, move);
  working_free(order);
  working_free(worst);
  return trainer_close(&r, status);
}

/* --- PIDP-SGD as printed: not private --------------------------------------------------------- */

/*
 * Algorithm 1 with R = T, so a fresh Hessian would be needed per step; it is refreshed every n/8
 * steps. epsilon_1 = 3 epsilon/4, epsilon_2 = epsilon/4, delta halved; zeta = 0.01 on the diagonal
 * (Remark 5); r = 5; c = 2 in both printed noises, whose constants the paper leaves open.
 */
enum { PARAMETER_RADIUS = 5 };

int pidpsgd_skips_noise(const double *c, size_t size, double radius, double epsilon, double delta) {
  double limit = 2 * radius * exp(epsilon) * delta / expm1(epsilon) * -expm1(-2 * epsilon);
  size_t k;
  for (k = 0; k < size; k++)
    if (!(fabs(c[k]) <= limit)) return 0;
  return 1;
}

static dppair_status inverse_hessian(double *factor, const trainer *r) {
  size_t i, j, k, size = r->net.size;
  memset(factor, 0, size * size * sizeof *factor);
  for (i = 0; i < r->n; i++) {
    double s = network_score(r->g, &r->net, r->w, r->x + i * r->net.d), p = 1 / (1 + exp(-s));
    for (j = 0; j < size; j++)
      for (k = 0; k <= j; k++)
        factor[j * size + k] += p * (1 - p) * r->g[j] * r->g[k] / (double)r->n;
  }
  for (j = 0; j < size; j++) factor[j * size + j] += 0.01;
  return dppair_cholesky_f64(factor, size);
}

static dppair_status pidpsgd(model *out, const task *t) {
  trainer r;
  size_t n = t->train.n, s, k, skipped = 0, every, size;
  double *factor = NULL, *c, big = sqrt(2) * task_radius(t), e1 = 0.75 * t->epsilon;
  double delta = t->delta / 2, sigma, sigma_c, error, eta, steps;
  task printed = *t;
  dppair_status status = trainer_open(&r, out, t, 0);
  printed.with.as_printed = 1; /* it is nothing else */
  size = r.net.size;
  factor = working_get(1, (size * size + 2 * size) * sizeof *factor);
  if (factor == NULL) status = DPPAIR_ERR_OVERFLOW;
  out->steps = t->with.steps > 0 ? t->with.steps : 6000;
  steps = (double)out->steps;
  sigma = 2 * big * sqrt(steps * log(1 / delta)) / ((double)n * e1);
  sigma_c = 2 * sqrt(2 * log(1.25 / delta)) * big / ((double)n * 0.01 * (t->epsilon / 4));
  error = 2 * big * big / 4 * big / (0.01 * 0.01 * (double)n * (double)n);
  eta = t->with.step_size > 0 ? t->with.step_size : 0.5 / (big * big);
  every = n / 8 + 1;
  c = factor == NULL ? NULL : factor + size * size;
  for (s = 0; s < out->steps && status == DPPAIR_OK; s++) {
    size_t i;
    int quiet;
    if (s % every == 0) status = inverse_hessian(factor, &r);
    if (status == DPPAIR_OK) status = task_draws(&i, 1, n, t);
    if (status != DPPAIR_OK) break;
    (void)loss_gradient(r.g, &r.net, r.w, r.x + i * r.net.d, t->train.y[i]);
    for (k = 0; k < size; k++) c[k] = r.g[k] / (double)n;
    dppair_cholesky_solve_f64(c, factor, size);
    for (k = 0; k < size; k++) c[k] = 2 * (c[k] + error);
    status = printed_gaussian(c, size, sigma_c, &printed);
    quiet = pidpsgd_skips_noise(c, size, PARAMETER_RADIUS, e1, delta);
    skipped += (size_t)quiet;
    if (!quiet && status == DPPAIR_OK) status = printed_gaussian(r.g, size, sigma, &printed);
    for (k = 0; k < size; k++) r.w[k] -= eta * r.g[k];
    if (status == DPPAIR_OK) status = dppair_project_l2_f64(r.w, size, PARAMETER_RADIUS);
  }
  out->sigma = sigma;
  claim(out, HUGE_VAL, 0);
  note(out,
       "NOT PRIVATE at any epsilon: which steps get noise is chosen by the data; here %zu of %zu "
       "had none. ",
       skipped, out->steps);
  if (skipped == out->steps)
    note(out,
         "Where that is so on neighbouring data too, delta is at least %.3g, the chance that a "
         "replaced record was drawn. ",
         -expm1(steps * log1p(-1 / (double)n)));
  working_free(factor);
  return trainer_close(&r, status);
}

/* --- the individual filter -------------------------------------------------------------------- */

/*
 * Pointwise, full batches: the mean of the clipped gradients of the active records, which replacing
 * one record moves as zeroing it twice does. A zeroed record moves the mean by |g_i|/n <= 2
 * (g_i/2)/n, so dppair_individual_step is asked with half the norm. The noise is that of `steps`
 * steps at 0.8 of the largest norm: who has a larger gradient all the way drops out before the end.
 * The account of the releases knows nothing of this; the filter makes the claim.
 */
static double filter_multiplier(double budget, double steps) { return sqrt(2 * steps / budget); }

static dppair_status filter(model *out, const task *t) {
  trainer r;
  spending spent;
  size_t n = t->train.n, s, i, k;
  double budget = 0, share, rounding, *g, eta, multiplier;
  unsigned char *active;
  dppair_status status = trainer_open(&r, out, t, 0);
  if (status == DPPAIR_OK) status = spending_begin(&spent, t);
  g = working_get(2 * n, sizeof *g);
  active = working_get(1, n);
  if (g == NULL || active == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK)
    status = dppair_individual_budget(&budget, t->epsilon, t->delta, DPPAIR_REPLACE_ONE, 0);
  if (active != NULL) memset(active, 1, n);
  /* the order of a sum of n gradients, in the units of one record's share */
  rounding = (double)n * (double)(n + 8) * DBL_EPSILON * sqrt(2) * r.net.radius;
  share = 0.8 * sqrt(2) * r.net.radius / 2 / (double)n;
  out->steps = t->with.steps > 0 ? t->with.steps : 50;
  multiplier = filter_multiplier(budget, (double)out->steps);
  out->sigma = multiplier * share;
  if (status == DPPAIR_OK) status = spend_multiplier(&spent, out->steps, multiplier);
  eta = t->with.step_size > 0 ? t->with.step_size : 2 / (r.net.radius * r.net.radius);
  claim(out, t->with.noiseless ? HUGE_VAL : t->epsilon, 0);
  for (s = 0; s < out->steps && status == DPPAIR_OK; s++) {
    memset(r.sum, 0, r.net.size * sizeof *r.sum);
    for (i = 0; i < n; i++)
      g[i] = loss_gradient(r.g, &r.net, r.w, r.x + i * r.net.d, t->train.y[i]) / 2 * (1 + 1e-12) +
             rounding;
    if (!t->with.noiseless)
      status = dppair_individual_step(g + n, active, g, n, out->sigma * (1 - 1e-9), budget);
    for (i = 0; i < n && status == DPPAIR_OK; i++) {
      if (!active[i]) continue;
      (void)loss_gradient(r.g, &r.net, r.w, r.x + i * r.net.d, t->train.y[i]);
      for (k = 0; k < r.net.size; k++) r.sum[k] += r.g[k] / (double)n;
    }
    if (status == DPPAIR_OK) status = spend_on(r.sum, r.net.size, share, &spent);
    for (k = 0; k < r.net.size; k++) r.w[k] -= eta * r.sum[k];
  }
  spending_end(&spent);
  working_free(g);
  working_free(active);
  return trainer_close(&r, status);
}

static dppair_status filter_pairs_run(model *out, const task *t, pairs *p, double *w, double *g,
                                      double *memory, unsigned char *active, spending *paid) {
  size_t n = p->n, s, i, k;
  double *bound = memory, *spent = bound + n, *scores = spent + n, budget, eta, share, multiplier;
  dppair_status status =
      dppair_individual_budget(&budget, t->epsilon, t->delta, DPPAIR_REPLACE_ONE, 1);
  if (status != DPPAIR_OK) return status;
  out->steps = t->with.steps > 0 ? t->with.steps : 10;
  share = p->radius / 2 / (double)n; /* at w = 0 and |x| = R */
  multiplier = filter_multiplier(budget, (double)out->steps);
  out->sigma = multiplier * share;
  status = spend_multiplier(paid, out->steps, multiplier);
  eta = t->with.step_size > 0 ? t->with.step_size : 1 / (p->radius * p->radius);
  claim(out, t->with.noiseless ? HUGE_VAL : t->epsilon, 0);
  for (s = 0; s < out->steps && status == DPPAIR_OK; s++) {
    const dppair_rows_f64 rows = dppair_rows_make_f64(p->x, n, p->d, p->d);
    double norm = dppair_norm_f64(w, p->d) * (1 + (double)(p->d + 8) * DBL_EPSILON);
    status = pairs_reach(p, norm);
    if (status == DPPAIR_OK) status = dppair_scores_f64(scores, &rows, w);
    for (i = 0; i < n; i++)
      bound[i] = pairs_individual(p,
                                  dppair_norm_f64(p->x + i * p->d, p->d) *
                                      (1 + (double)(p->d + 8) * DBL_EPSILON),
                                  norm, p->y[i] * scores[i]) +
                 (double)n * pairs_rounding(p, 1, n);
    if (status == DPPAIR_OK && !t->with.noiseless)
      status = dppair_individual_step(spent, active, bound, n, out->sigma * (1 - 1e-9), budget);
    if (status == DPPAIR_OK) status = pairs_active_gradient(g, p, w, active);
    if (status == DPPAIR_OK) status = spend_on(g, p->d, share, paid);
    for (k = 0; k < p->d; k++) w[k] -= eta * g[k];
  }
  return status;
}

static dppair_status filter_pairs(model *out, const task *t) {
  pairs p;
  spending spent;
  double *memory;
  unsigned char *active;
  dppair_status status =
      pairs_open(&p, t, RANK_IND, NORM_L2, 0, pair_link_find(t->with.loss, "logistic"));
  if (status != DPPAIR_OK) return status;
  memory = working_get(3 * p.n + 2 * p.d, sizeof *memory);
  active = working_get(1, p.n);
  if (memory == NULL || active == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (p.phi->loss != DPPAIR_LOSS_logistic) status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK) status = spending_begin(&spent, t);
  if (status == DPPAIR_OK) {
    memset(active, 1, p.n);
    status = filter_pairs_run(out, t, &p, memory, memory + p.d, memory + 2 * p.d, active, &spent);
    spending_end(&spent);
  }
  if (status == DPPAIR_OK) status = pairs_release(out, &p, memory);
  working_free(memory);
  working_free(active);
  pairs_close(&p);
  return status;
}

/* --- the methods ------------------------------------------------------------------------------ */

static dppair_status train_dpsgd(model *out, const task *t) { return dpsgd(out, t, 0, 0); }
static dppair_status train_dpsgd_mlp(model *out, const task *t) { return dpsgd(out, t, 1, 0); }
static dppair_status train_dplssgd(model *out, const task *t) { return dpsgd(out, t, 0, 1); }
static dppair_status train_dplssgd_mlp(model *out, const task *t) { return dpsgd(out, t, 1, 1); }

#define METHOD(name, spelled, summary, released, offers, train)                                    \
  const method method_##name = {spelled, summary, released, offers, 0, train};

enum { SGD = OFFERS_STEPS | OFFERS_STEP_SIZE | OFFERS_RADIUS };

METHOD(dpsgd, "dpsgd", "clipped random batches, logistic regression (DP-SGD, as in Kang 2023)",
       "the weights; every iterate on the way to them", SGD, train_dpsgd)
METHOD(dpsgd_mlp, "dpsgd-mlp", "the same for a perceptron with one hidden layer",
       "the weights; every iterate on the way to them", SGD, train_dpsgd_mlp)
METHOD(dplssgd, "dplssgd", "DP-SGD with smoothed noisy gradients (Wang 2019)",
       "the weights; every iterate on the way to them", SGD, train_dplssgd)
METHOD(dplssgd_mlp, "dplssgd-mlp", "the same for the perceptron",
       "the weights; every iterate on the way to them", SGD, train_dplssgd_mlp)
METHOD(bolton, "bolton", "permutation SGD, noise on the output (Wu 2017)", "the weights",
       OFFERS_PURE | OFFERS_LAMBDA | OFFERS_STEPS | OFFERS_RADIUS | OFFERS_PARAM_RADIUS, bolton)
METHOD(pidpsgd, "pidpsgd-not-private", "Kang 2023, Algorithm 1 as printed: NOT PRIVATE",
       "the weights, under NO guarantee", OFFERS_PRINTED | SGD, pidpsgd)
METHOD(filter, "filter", "records charged for their own gradients, full batches",
       "the weights; every iterate on the way to them", SGD, filter)
METHOD(filter_pairs, "filter-pairs", "the same for pairs, logistic AUC",
       "the weights; every iterate on the way to them", SGD, filter_pairs)
