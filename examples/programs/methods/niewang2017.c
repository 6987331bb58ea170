/* SPDX-License-Identifier: MIT */
/*
 * Nie and Wang, "Perturbation of convex risk minimization and its application in differential
 * private learning algorithms" (2017): output perturbation of regularised risk minimisation,
 *
 *   w = argmin (1/m) sum L(y_i, w.psi(x_i)) + lambda |w|^2,
 *
 * for least squares, the SVM (hinge) and quantile regression (pinball), on the features themselves
 * or on random Fourier features; and the same for pairs (niewang2017-pairs).
 *
 * What is mended. The paper adds ONE random number b to the function f. That hides nothing but a
 * constant: f + b at two points releases their difference exactly, and for ranking every comparison
 * and the AUC come out without any noise; its scale is half of what its own Lemma 1 asks, too.
 * Sound: a feature map psi fixed without the data, |psi| <= kappa, and noise on the whole vector w,
 * whose sensitivity is 2 kappa C_L/(lambda gamma m) (Theorem 2; gamma = 2 for |w|^2), C_L the
 * Lipschitz constant of L over the predictions that minimisers reach.
 *
 * The minimiser must be exact or certified: |gradient| <= tau puts w within tau/(lambda gamma) of
 * it, which is added. tau is a public number that dppair_minimiser_not_private reaches on every
 * data set, so neither success nor accuracy says anything about the data. Hinge and pinball are
 * rounded off over a width of 1/1000 by their Moreau envelope, a convex loss of the same Lipschitz
 * constant: the guarantee is that of the rounded loss, exactly.
 *
 * Pairs: the sensitivity is move/lambda with `move` that of the mean pair gradient (pairs.h) at
 * minimisers alone. Those satisfy |w|^2 <= q m/lambda with q = n/(4(n-1)) >= n+ n-/(n(n-1)) and
 * m = sup -u phi'(u) = 0.27847 (the logistic loss): take the product of w with the optimality
 * condition.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/pairs.h"
#include "support/solver.h"

#define WIDTH 1e-3

/* How far one record moves a regularised minimiser, `one` being the move of its gradient. */
static dppair_status minimiser_move(double *move, double one, double alpha, double tolerance) {
  dppair_descent d;
  memset(&d, 0, sizeof d);
  d.output = DPPAIR_MINIMISER;
  d.alpha = alpha;
  d.tolerance = tolerance;
  return dppair_sensitivity_descent(move, one, &d);
}

/* --- losses in t = y f, y = +-1 --------------------------------------------------------------- */

static void square_at(double out[3], double t, double parameter) {
  (void)parameter;
  out[0] = (1 - t) * (1 - t);
  out[1] = -2 * (1 - t);
  out[2] = 2;
}

/* The envelope of scale * max(0, 1 - t). */
static void hinge_at(double out[3], double t, double parameter) {
  double r = 1 - t, a = r <= 0 ? 0 : r >= parameter ? 1 : r / parameter;
  out[0] = a * (r - a * parameter / 2);
  out[1] = -a;
  out[2] = r > 0 && r < parameter ? 1 / parameter : 0;
}

/* Pinball of r = y - f is |r|/2 + (tau - 1/2) r, and |r| = |1 - t|: the envelope of |1 - t|/2; the
 * other part is linear in w. */
static void absolute_at(double out[3], double t, double parameter) {
  double r = 1 - t, a = r / parameter;
  a = a < -0.5 ? -0.5 : a > 0.5 ? 0.5 : a;
  out[0] = a * (r - a * parameter / 2);
  out[1] = -a;
  out[2] = fabs(a) < 0.5 ? 1 / parameter : 0;
}

typedef struct learner {
  const task *t;
  dppair_margin_loss psi;
  double lipschitz, kappa, lambda, tau; /* tau of the pinball loss; 1/2 elsewhere */
  size_t m, size;
  double *features, *w, *map; /* m x size; size; the frequencies, or NULL */
  double shift;               /* the number that is added as printed       */
} learner;

/* C_L for this lambda: least squares has |w| <= 1/sqrt(lambda) because F(w) <= F(0) = 1. */
static double lipschitz_at(const learner *r, double lambda) {
  if (r->psi.at == square_at) return 2 * (1 + r->kappa / sqrt(lambda));
  return r->psi.at == hinge_at ? 1 : fmax(r->tau, 1 - r->tau);
}

/* "square", "hinge", "pinball" or "pinball-0.25". */
static int choose_loss(learner *r, const char *name) {
  const dppair_margin_loss square = {square_at, 0, 2, HUGE_VAL, 0};
  const dppair_margin_loss hinge = {hinge_at, WIDTH, 1 / WIDTH, 1, 1};
  const dppair_margin_loss absolute = {absolute_at, WIDTH, 1 / WIDTH, 0.5, 0};
  r->tau = 0.5;
  if (name == NULL || strcmp(name, "hinge") == 0) {
    r->psi = hinge;
  } else if (strcmp(name, "square") == 0) {
    r->psi = square;
  } else if (strncmp(name, "pinball", 7) == 0) {
    char *end = NULL;
    r->psi = absolute;
    if (name[7] == '-') r->tau = strtod(name + 8, &end);
    if (name[7] != '\0' && (end == NULL || *end != '\0' || !(r->tau > 0 && r->tau < 1))) return 0;
  } else {
    return 0;
  }
  return 1;
}

/* Balances, from public numbers, what the noise costs (C_L kappa times its size) and what the
 * regulariser costs (lambda at |w| = 1): lambda^2 = (C_L kappa)^2 noise/m. */
static dppair_status choose_lambda(double *lambda, double steep, const learner *r) {
  double mu, d = (double)r->size, noise;
  dppair_status status = DPPAIR_OK;
  if (r->t->with.lambda > 0) {
    *lambda = r->t->with.lambda;
    return status;
  }
  noise = d / r->t->epsilon;
  if (r->t->delta > 0) {
    status = task_mu(&mu, r->t);
    if (status == DPPAIR_OK) noise = sqrt(d) / mu;
  }
  *lambda = fmin(1, steep * sqrt(noise / (double)r->m));
  return status;
}

/* --- pointwise -------------------------------------------------------------------------------- */

/*
 * tau: a bound on the gradient of the sum over records at what the solver returns; about a
 * hundred-thousandth of one record's share, or what rounding asks for. With sigma = ridge of that
 * sum, |w*| <= 1/sqrt(lambda) because F(w*) <= F(0) <= m and F is at least
 * lambda m |w|^2 less the envelope's m WIDTH/8. Where the gradient is at most floor +
 * share |w|, |w| <= |w*| + (floor + share |w|)/sigma, hence
 *
 *     floor + share |w| <= (floor + share/sqrt(lambda))/(1 - share/sigma).
 *
 * The linear part of the pinball loss is a plain sum of m rows.
 */
static dppair_status reach(dppair_margin_tolerance *tolerance, double *tau,
                           const dppair_margin_problem *p, const learner *r) {
  double m = (double)r->m;
  dppair_status status = dppair_margin_reach(tolerance, p, 1e-5 * r->kappa * r->lipschitz);
  *tau = (tolerance->floor + tolerance->share / sqrt(r->lambda) * (1 + 1e-3)) /
         (1 - tolerance->share / p->ridge);
  *tau += m * (m + 8) * DBL_EPSILON * fabs(r->tau - 0.5) * r->kappa;
  *tau *= 1 + 1e-12;
  return status;
}

/* r->w = the minimiser, and how far one record moves it. */
static dppair_status minimise(double *move, model *out, learner *r) {
  size_t i, k;
  double m = (double)r->m, tau, *linear = calloc(r->size, sizeof *linear);
  dppair_margin_problem p = {r->psi, r->m, r->size, r->kappa * (1 + 1e-9), 2 * r->lambda * m};
  dppair_margin_tolerance tolerance;
  dppair_status status = linear == NULL ? DPPAIR_ERR_OVERFLOW : reach(&tolerance, &tau, &p, r);
  for (i = 0; i < r->m && status == DPPAIR_OK; i++)
    for (k = 0; k < r->size; k++) {
      double *u = &r->features[i * r->size + k];
      linear[k] -= (r->tau - 0.5) * *u;
      *u *= r->t->train.y[i];
    }
  if (status == DPPAIR_OK) status = fit_minimise(r->w, r->features, &p, linear, &tolerance);
  free(linear);
  if (status == DPPAIR_OK)
    status = minimiser_move(move, 2 * r->kappa * r->lipschitz / m, 2 * r->lambda, tau / m);
  note(out, "lambda = %.4g, kappa = %.4g, C_L = %.4g. ", r->lambda, r->kappa, r->lipschitz);
  return status;
}

static dppair_status fit(model *out, learner *r) {
  double move;
  const dppair_status status = minimise(&move, out, r);
  return status == DPPAIR_OK ? release_output(out, r->w, r->size, move, r->t) : status;
}

/* f + b with the printed scalar b: the comparison of any two records is released without noise. */
static dppair_status fit_as_printed(model *out, learner *r) {
  dppair_paper paper;
  double scale, move;
  dppair_status status;
  memset(&paper, 0, sizeof paper);
  paper.result = DPPAIR_NIEWANG2017_PROP1;
  paper.n = r->m;
  paper.steps = 1;
  paper.lipschitz = r->lipschitz;
  paper.epsilon = r->t->epsilon;
  paper.lambda = 2 * r->lambda;
  paper.kappa = r->kappa;
  status = printed_noise(&scale, &paper);
  if (status == DPPAIR_OK) status = minimise(&move, out, r);
  if (status == DPPAIR_OK) status = printed_laplace(&r->shift, 1, scale, r->t);
  out->sigma = scale;
  claim(out, HUGE_VAL, 0);
  note(out,
       "AS PRINTED: NOT PRIVATE. One number, %.4g, the last of the model, is added to every "
       "prediction; it cancels in every comparison, so no epsilon is finite. ",
       r->shift);
  return status;
}

/* --- feature maps ----------------------------------------------------------------------------- */

enum { FREQUENCIES = 32 };

/* (cos w_k.x, sin w_k.x)/sqrt K for K frequencies: |psi| = 1. */
static void fourier(double *psi, const double *map, const double *x, size_t d) {
  size_t k, j;
  for (k = 0; k < FREQUENCIES; k++) {
    double angle = 0;
    for (j = 0; j < d; j++) angle += map[k * d + j] * x[j];
    psi[2 * k] = cos(angle) / sqrt(FREQUENCIES);
    psi[2 * k + 1] = sin(angle) / sqrt(FREQUENCIES);
  }
}

/* theta: the weights, then the frequencies. */
static void score_fourier(double *s, const model *m, const records *rows) {
  size_t i, k;
  for (i = 0; i < rows->n; i++) {
    double psi[2 * FREQUENCIES];
    fourier(psi, m->theta + 2 * FREQUENCIES, rows->x + i * rows->d, rows->d);
    for (s[i] = 0, k = 0; k < 2 * FREQUENCIES; k++) s[i] += m->theta[k] * psi[k];
  }
}

/* Frequencies of the Gaussian kernel of bandwidth R, from the index key; they are released. */
static dppair_status draw_map(double *map, size_t count, double radius, const task *t) {
  size_t k;
  dppair_status status = DPPAIR_OK;
  for (k = 0; k < count && status == DPPAIR_OK; k++) {
    double u[2] = {1, 0};
    status = task_uniform(u, 2, t);
    map[k] =
        status == DPPAIR_OK ? sqrt(-2 * log(u[0])) * cos(6.283185307179586 * u[1]) / radius : 0;
  }
  return status;
}

static dppair_status prepare(learner *r, int random_features) {
  size_t i, d = r->t->train.d;
  double radius = task_radius(r->t), *rows = r->features;
  dppair_status status;
  r->kappa = radius;
  if (!random_features) return rows_clip(r->features, &r->t->train, NULL, radius);
  r->kappa = 1 + 256 * DBL_EPSILON;
  rows = malloc(r->m * d * sizeof *rows);
  if (rows == NULL) return DPPAIR_ERR_OVERFLOW;
  status = rows_clip(rows, &r->t->train, NULL, radius);
  if (status == DPPAIR_OK) status = draw_map(r->map, FREQUENCIES * d, radius, r->t);
  for (i = 0; i < r->m; i++) fourier(r->features + i * r->size, r->map, rows + i * d, d);
  free(rows);
  return status;
}

static dppair_status solve(model *out, const task *t, int random_features) {
  learner r;
  size_t d = t->train.d, map = random_features ? FREQUENCIES * d : 0;
  double *memory;
  dppair_status status;
  memset(&r, 0, sizeof r);
  r.t = t;
  r.m = t->train.n;
  r.size = random_features ? 2 * FREQUENCIES : d;
  if (r.size > SOLVER_COLUMNS) return DPPAIR_ERR_SIZE;
  if (!choose_loss(&r, t->with.loss)) return DPPAIR_ERR_DOMAIN;
  memory = calloc(r.m * r.size + r.size + map, sizeof *memory);
  if (memory == NULL) return DPPAIR_ERR_OVERFLOW;
  r.w = memory;
  r.map = memory + r.size;
  r.features = r.map + map;
  status = prepare(&r, random_features);
  /* C_L of least squares falls with lambda: from the steepest end, a few rounds settle both */
  r.lambda = 1;
  for (int k = 0; k < 8 && status == DPPAIR_OK; k++)
    status = choose_lambda(&r.lambda, r.kappa * lipschitz_at(&r, r.lambda), &r);
  r.lipschitz = lipschitz_at(&r, r.lambda) * (1 + 16 * DBL_EPSILON);
  out->steps = 1;
  if (status == DPPAIR_OK) status = t->with.as_printed ? fit_as_printed(out, &r) : fit(out, &r);
  if (status == DPPAIR_OK)
    status = model_allocate(out, r.size, r.size + map + (t->with.as_printed ? 1 : 0));
  if (status == DPPAIR_OK) memcpy(out->theta, memory, (r.size + map) * sizeof *memory);
  if (status == DPPAIR_OK && t->with.as_printed) out->theta[r.size + map] = r.shift;
  if (status == DPPAIR_OK && random_features) out->score = score_fourier;
  dppair_wipe(memory, (r.m * r.size + r.size + map) * sizeof *memory); /* w, where a step failed */
  free(memory);
  return status;
}

/* --- pairs ------------------------------------------------------------------------------------ */

/*
 * Nesterov's accelerated descent from 0: after k steps F - F* <= L B^2 (1 - sqrt(alpha/L))^k and
 * |gradient|^2 <= 2 L (F - F*), so a number of steps known beforehand reaches |gradient| <= tau.
 * F - F* <= 2 F(0) throughout keeps every iterate within 4.2 B and every extrapolation within 13 B.
 * That is exact arithmetic; should rounding get in the way, plain descent from 0, which stays
 * within 3.3 B, provably ends at |computed gradient| + error <= 4 error <= tau (solver.c), so that
 * the certificate, error included, is there on every data set.
 */
typedef struct pair_plan {
  double tau, error, top; /* error: of a computed gradient, a step's rounding counted in */
  double steps, proved;   /* with momentum; without                                      */
} pair_plan;

static dppair_status plan_pairs(pair_plan *plan, const pairs *p, double move) {
  double root, ratio, long_runs;
  plan->top = (p->smoothness + p->lambda) * (1 + 1e-9);
  plan->error = 16 * (pairs_rounding(p, 1, p->n) + DBL_EPSILON * plan->top * p->bound);
  plan->tau = 1e-5 * move > 4 * plan->error ? 1e-5 * move : 4 * plan->error;
  root = sqrt(p->lambda / plan->top);
  ratio = plan->top / p->lambda;
  plan->steps = ceil(2 * log(4 * plan->top * p->bound / plan->tau) / -log1p(-root)) + 1;
  plan->proved =
      ceil(4 * ratio / 3 * fmax(1, log(ratio) + 2 * log(p->lipschitz / (2 * plan->error)))) + 1;
  long_runs = plan->steps / 2000; /* of a second or two: refused from about an hour on */
  if (!(long_runs < 1e12)) return DPPAIR_ERR_NO_PROOF;
  return pairs_affordable(p, p->n, (size_t)long_runs + 1) > (size_t)long_runs ? DPPAIR_OK
                                                                              : DPPAIR_ERR_NO_PROOF;
}

/* Steps from 0 until the gradient where it is taken, at v, is certified; w is the point before the
 * extrapolation. p->size numbers each. */
static dppair_status descend_pairs(double *v, double *w, double *g, const pairs *p,
                                   const pair_plan *plan, double momentum, double steps) {
  double length = 1 + (double)(p->size + 8) * DBL_EPSILON;
  size_t j;
  memset(v, 0, p->size * sizeof *v);
  memset(w, 0, p->size * sizeof *w);
  for (; steps >= 0; steps--) {
    dppair_status status = pairs_gradient(g, p, v, 0, p->n);
    if (status != DPPAIR_OK) return status;
    if (dppair_norm_f64(g, p->size) * length + plan->error <= plan->tau) return DPPAIR_OK;
    for (j = 0; j < p->size; j++) {
      double next = v[j] - g[j] / plan->top;
      v[j] = next + momentum * (next - w[j]);
      w[j] = next;
    }
  }
  return DPPAIR_ERR_NO_CONVERGENCE;
}

static dppair_status minimise_pairs(double *v, pairs *p, const pair_plan *plan) {
  double root = sqrt(p->lambda / plan->top), *w = calloc(2 * p->size, sizeof *w);
  dppair_status status = w == NULL ? DPPAIR_ERR_OVERFLOW : pairs_reach(p, 16 * p->bound);
  if (status == DPPAIR_OK) {
    status = descend_pairs(v, w, w + p->size, p, plan, (1 - root) / (1 + root), plan->steps);
    if (status == DPPAIR_ERR_NO_CONVERGENCE)
      status = descend_pairs(v, w, w + p->size, p, plan, 0, plan->proved);
  }
  if (w != NULL) dppair_wipe(w, 2 * p->size * sizeof *w); /* near the minimiser, without noise */
  free(w);
  return status;
}

static dppair_status train_pairs(model *out, const task *t) {
  learner r;
  pairs p;
  task with = *t;
  pair_plan plan;
  double move = 0, delta, q = (double)t->train.n / (4 * ((double)t->train.n - 1));
  dppair_status status;
  memset(&r, 0, sizeof r);
  r.t = t;
  r.m = t->train.n;
  r.size = t->train.d;
  /* G = 2R is what noise costs, move = 2R/n and alpha = lambda */
  status = choose_lambda(&with.with.lambda, 2 * task_radius(t), &r);
  with.with.param_radius = sqrt(q * 0.27847 / with.with.lambda) * (1 + 1e-9);
  if (status == DPPAIR_OK)
    status = pairs_open(&p, &with, RANK_IND, NORM_L2, 0, pair_link_find(t->with.loss, "logistic"));
  if (status != DPPAIR_OK) return status;
  r.w = calloc(p.size, sizeof *r.w);
  if (r.w == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (p.phi->loss != DPPAIR_LOSS_logistic || t->with.as_printed) status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK) status = pairs_move(&move, &p, p.n);
  if (status == DPPAIR_OK) status = plan_pairs(&plan, &p, move);
  if (status == DPPAIR_OK) status = minimise_pairs(r.w, &p, &plan);
  if (status == DPPAIR_OK) status = minimiser_move(&delta, move, p.lambda, plan.tau);
  if (status == DPPAIR_OK) out->steps = (size_t)plan.steps;
  if (status == DPPAIR_OK) status = release_output(out, r.w, p.size, delta, t);
  if (status == DPPAIR_OK) status = pairs_release(out, &p, r.w);
  note(out, "lambda = %.4g. ", with.with.lambda);
  if (r.w != NULL && status != DPPAIR_OK) dppair_wipe(r.w, p.size * sizeof *r.w);
  free(r.w);
  pairs_close(&p);
  return status;
}

static dppair_status train_plain(model *out, const task *t) { return solve(out, t, 0); }
static dppair_status train_fourier(model *out, const task *t) { return solve(out, t, 1); }

enum {
  PRINTED = OFFERS_PURE | OFFERS_LAMBDA | OFFERS_PRINTED | OFFERS_PRINTED_PURE | OFFERS_LOSS |
            OFFERS_RADIUS | NEEDS_CUBES
};
const method method_niewang2017 = {
    "niewang2017",
    "regularised hinge, square or pinball, noise on w (Nie-Wang 2017)",
    "the weights",
    PRINTED,
    0,
    train_plain};
const method method_niewang2017_fourier = {"niewang2017-fourier",
                                           "the same on 64 random Fourier features",
                                           "the weights and the drawn frequencies",
                                           PRINTED,
                                           0,
                                           train_fourier};
const method method_niewang2017_pairs = {
    "niewang2017-pairs",
    "its pairwise analogue: regularised logistic AUC, noise on w",
    "the weights",
    OFFERS_PURE | OFFERS_LAMBDA | OFFERS_RADIUS,
    0,
    train_pairs};
