/* SPDX-License-Identifier: MIT */
/*
 * Xue, Yang, Huai and Wang, "Differentially private pairwise learning revisited" (IJCAI 2021), for
 * AUC maximisation and metric learning with the logistic loss on the unit ball:
 *
 *   dpgdsc       Algorithm 1: gradient descent on the regularised risk, noise on the output
 *   dpgdc2       Algorithm 2: noise in every gradient, average of the iterates
 *   dpegd        Algorithm 3: epochs on disjoint halves, quarters, ..., noise on each average
 *   offpairstrc  and offpairc: the baselines of Huai, Wang, Miao, Xu and Zhang (AAAI 2020),
 *                reconstructed from the papers' descriptions: one online pass, each record against
 *                earlier ones, average of the iterates, noise on the output
 *
 * What is mended, beside the exact Gaussian curve and the l2 mechanism in place of per-coordinate
 * Laplace noise:
 *   - sensitivities use the structure of the loss (pairs.h): half of 4G/n or less, and the slopes
 *     that the iterates can reach: in Algorithm 2 those of the released iterate's norm;
 *   - Algorithm 1's Lemma 1 is loose by two even without that: with q = 1 - eta alpha and
 *     eta <= 2/(L + alpha) a step contracts by q and the data move it by eta 4G/n, in all
 *     4G/(alpha n) (1 - q^T);
 *   - Algorithm 2's printed noise is not enough (for epsilon above 1.2 at delta = 1e-5) against a
 *     loss that attains 4G/n;
 *   - Algorithm 3 releases an average, which moves half as far as the last iterate: 2 G eta T/m for
 *     the mean of w_0 .. w_T on m records; each restart is projected back, because the noise may
 *     leave the set on which G holds. A replaced record lies in one epoch, and later epochs
 *     read its influence only through released numbers: every epoch spends the whole budget.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/pairs.h"

typedef struct run {
  model *out;
  const task *t;
  pairs p;
  double *w, *g, *mean, *memory;
} run;

typedef dppair_status algorithm(run *r);

/* --- Algorithm 1 ------------------------------------------------------------------------------ */

/* w <- Proj(w - eta gradient), `steps` times over count records; *mean = average of w_0 .. w_steps.
 */
static dppair_status descend(run *r, size_t first, size_t count, double eta, size_t steps) {
  size_t k, s;
  dppair_status status = DPPAIR_OK;
  memcpy(r->mean, r->w, r->p.size * sizeof *r->w);
  for (s = 0; s < steps && status == DPPAIR_OK; s++) {
    status = pairs_gradient(r->g, &r->p, r->w, first, count);
    for (k = 0; k < r->p.size; k++) r->w[k] -= eta * r->g[k];
    if (status == DPPAIR_OK) status = pairs_project(r->w, &r->p);
    for (k = 0; k < r->p.size; k++) r->mean[k] += (r->w[k] - r->mean[k]) / (double)(s + 2);
  }
  return status;
}

/* What one step of size eta adds to the distance of two runs, per unit of eta, with rounding. */
static dppair_status step_move(double *move, const pairs *p, size_t count, double eta) {
  dppair_status status = pairs_move(move, p, count);
  *move += pairs_rounding(p, eta, count) / eta;
  return status;
}

/* The arguments of a printed noise. */
static dppair_paper printed(const run *r, dppair_paper_result result, size_t n, size_t steps) {
  dppair_paper paper;
  memset(&paper, 0, sizeof paper);
  paper.result = result;
  paper.n = n;
  paper.steps = steps;
  paper.lipschitz = r->p.lipschitz;
  paper.epsilon = r->t->epsilon;
  paper.delta = r->t->delta;
  paper.alpha = r->p.lambda;
  paper.pure = !(r->t->delta > 0);
  return paper;
}

/* How far one record moves the last iterate, and the mean of the iterates: `one` is the move of one
 * gradient. */
static dppair_status last_move(double *move, double one, double alpha, double smooth, double eta,
                               size_t steps) {
  dppair_descent d;
  memset(&d, 0, sizeof d);
  d.output = DPPAIR_LAST_ITERATE;
  d.alpha = alpha;
  d.smoothness = smooth;
  d.eta = eta;
  d.steps = steps;
  return dppair_sensitivity_descent(move, one, &d);
}

static dppair_status mean_move(double *move, double one, double smooth, double eta, size_t steps) {
  dppair_descent d;
  memset(&d, 0, sizeof d);
  d.output = DPPAIR_MEAN_ITERATE;
  d.smoothness = smooth;
  d.eta = eta;
  d.steps = steps;
  return dppair_sensitivity_descent(move, one, &d);
}

/*
 * How many steps, from public numbers: the paper's T = (L/alpha) ln n, or where that is better the
 * T that minimises B^2/(2 eta T) + (L/2) E|noise|^2, the bound on what T steps from 0 leave undone
 * and on what noise in proportion to the sensitivity then adds.
 */
static size_t output_steps(const run *r, double eta, double one) {
  const pairs *p = &r->p;
  double smooth = p->smoothness + p->lambda, d = (double)p->size, mu = r->t->epsilon,
         best = HUGE_VAL;
  size_t most = pairs_affordable(p, p->n, (size_t)ceil(smooth / p->lambda * log((double)p->n)));
  size_t steps, chosen = most;
  if (r->t->with.as_printed || r->t->with.noiseless) return most;
  if (r->t->delta > 0 && task_mu(&mu, r->t) != DPPAIR_OK) return most;
  for (steps = 1; steps <= most; steps += 1 + steps / 16) {
    double move, bound;
    if (last_move(&move, one, p->lambda, smooth, eta, steps) != DPPAIR_OK) break;
    bound = p->bound * p->bound / (2 * eta * (double)steps) +
            smooth / 2 * d * (r->t->delta > 0 ? 1 : d + 1) * (move / mu) * (move / mu);
    if (bound < best) chosen = steps;
    if (bound < best) best = bound;
  }
  return chosen;
}

static dppair_status dpgdsc(run *r) {
  pairs *p = &r->p;
  double alpha = p->lambda, smooth = p->smoothness + alpha, eta = 2 / (smooth + alpha), one, move;
  size_t steps;
  dppair_status status;
  if (r->t->with.step_size > 0) eta = r->t->with.step_size;
  status = step_move(&one, p, p->n, eta);
  steps = r->t->with.steps > 0 ? r->t->with.steps : output_steps(r, eta, one);
  r->out->steps = steps;
  if (status == DPPAIR_OK && !r->t->with.as_printed) {
    status = pairs_travel(p, 0, eta, steps);
    if (status == DPPAIR_OK) status = step_move(&one, p, p->n, eta);
  }
  if (status == DPPAIR_OK) status = last_move(&move, one, alpha, smooth, eta, steps);
  if (status == DPPAIR_OK) status = descend(r, 0, p->n, eta, steps);
  if (status != DPPAIR_OK) return status;
  if (r->t->with.as_printed) {
    double scale;
    dppair_paper paper = printed(r, DPPAIR_XUE2021_ALG1, p->n, steps);
    status = printed_noise(&scale, &paper);
    if (status != DPPAIR_OK) return status;
    if (paper.pure) scale *= sqrt((double)p->size);
    return release_as_printed(r->out, r->w, p->size, scale, move, r->t);
  }
  return release_output(r->out, r->w, p->size, move, r->t);
}

/* --- Algorithm 2 ------------------------------------------------------------------------------ */

static dppair_status gd_steps(run *r, spending *spent, double eta, size_t steps) {
  pairs *p = &r->p;
  const int as_printed = r->t->with.as_printed;
  double move;
  size_t k, s;
  dppair_status status = pairs_move(&move, p, p->n);
  if (status == DPPAIR_OK && as_printed) {
    dppair_paper paper = printed(r, DPPAIR_XUE2021_ALG2, p->n, steps);
    status = printed_noise(&r->out->sigma, &paper);
  } else if (status == DPPAIR_OK) {
    status = spend_all(spent, steps);
  }
  memcpy(r->mean, r->w, p->size * sizeof *r->w);
  for (s = 0; s < steps && status == DPPAIR_OK; s++) {
    if (as_printed) {
      status = pairs_gradient(r->g, p, r->w, 0, p->n);
      if (status == DPPAIR_OK)
        status = printed_step(r->g, p->size, r->out->sigma, move,
                              (double)p->n * move + p->lambda * p->bound, spent);
    } else {
      status = pairs_gradient_release(r->g, p, r->w, spent);
    }
    for (k = 0; k < p->size; k++) r->w[k] -= eta * r->g[k];
    if (status == DPPAIR_OK) status = pairs_project(r->w, p);
    for (k = 0; k < p->size; k++) r->mean[k] += (r->w[k] - r->mean[k]) / (double)(s + 2);
  }
  memcpy(r->w, r->mean, p->size * sizeof *r->w);
  if (status != DPPAIR_OK) return status;
  return as_printed ? printed_claim(r->out, spent, "the paper's noise")
                    : spend_claim(r->out, spent);
}

static dppair_status dpgdc2(run *r) {
  pairs *p = &r->p;
  const task *t = r->t;
  double n = (double)p->n, d = (double)p->size, eta, sharp = n * t->epsilon;
  double wanted = fmin(n, sharp * sharp / (d * log(1 / t->delta)));
  size_t steps = wanted > 1 ? (size_t)wanted : 1;
  spending spent;
  dppair_status status = spending_begin(&spent, t);
  steps = t->with.steps > 0 ? t->with.steps : pairs_affordable(p, p->n, steps);
  /* |C|/(G sqrt T), printed upside down in Theorem 2 */
  eta = fmin(2 / (p->smoothness + p->lambda), p->bound / (p->lipschitz * sqrt((double)steps)));
  if (t->with.step_size > 0) eta = t->with.step_size;
  r->out->steps = steps;
  if (status == DPPAIR_OK) status = gd_steps(r, &spent, eta, steps);
  spending_end(&spent);
  return status;
}

/* --- Algorithm 3 ------------------------------------------------------------------------------ */

/* One epoch on records first .. first+count-1, step size eta for `steps` steps. */
static dppair_status epoch(run *r, size_t first, size_t count, double eta, size_t steps) {
  pairs *p = &r->p;
  const task *t = r->t;
  double one, move, before = r->out->epsilon;
  dppair_status status = DPPAIR_OK;
  if (!t->with.as_printed) /* from the last release */
    status = pairs_travel(p, dppair_norm_f64(r->w, p->size), eta, steps);
  if (status == DPPAIR_OK) status = step_move(&one, p, count, eta);
  if (status == DPPAIR_OK)
    status = mean_move(&move, one, p->smoothness + p->lambda, eta, steps);
  if (status == DPPAIR_OK) status = descend(r, first, count, eta, steps);
  memcpy(r->w, r->mean, p->size * sizeof *r->w);
  if (status == DPPAIR_OK && t->with.as_printed) {
    double scale;
    dppair_paper paper = printed(r, DPPAIR_XUE2021_ALG3, count, steps);
    paper.eta = eta * (double)steps / (double)count;
    status = printed_noise(&scale, &paper);
    if (paper.pure) scale *= sqrt((double)p->size);
    r->out->note[0] = '\0';
    if (status == DPPAIR_OK) status = release_as_printed(r->out, r->w, p->size, scale, move, t);
  } else if (status == DPPAIR_OK) {
    status = release_output(r->out, r->w, p->size, move, t);
  }
  if (status == DPPAIR_OK) status = pairs_project(r->w, p);
  claim(r->out, larger(before, r->out->epsilon), 0);
  r->out->steps += steps;
  return status;
}

static dppair_status dpegd(run *r) {
  pairs *p = &r->p;
  const task *t = r->t;
  double n = (double)p->n, d = (double)p->size, eta = p->bound / p->lipschitz;
  size_t first = 0, left = p->n, part = left;
  dppair_status status = DPPAIR_OK;
  eta *= fmin(4 / sqrt(n), t->epsilon / (t->delta > 0 ? sqrt(d * log(1 / t->delta)) : d));
  if (t->with.step_size > 0) eta = t->with.step_size;
  while (left > 0 && status == DPPAIR_OK) {
    size_t count, steps, most;
    part /= 2;
    count = part < 4 ? left : part; /* the last part takes what is left, at least 3 records */
    most = pairs_affordable(p, count, count);
    /* fewer, longer steps where m_i of them would take long: the same eta T and sensitivity */
    eta /= 4;
    steps = t->with.steps > 0 && t->with.steps < most ? t->with.steps : most;
    {
      double length =
          fmin(eta * (double)count / (double)steps, 1.999 / (p->smoothness + p->lambda));
      status = epoch(r, first, count, length, steps);
    }
    first += count;
    left -= count;
  }
  return status;
}

/* --- Huai et al. 2020 ------------------------------------------------------------------------- */

/*
 * w_{t+1} = Proj(w_t - eta_t (mean over k of grad l(w_t; z_t, z_k) + lambda w_t)), t = 2 .. n, over
 * the b records k before t, all of them where that is quick; the average of w_2 .. w_{n+1}. A step
 * contracts distances by 1 - eta_t lambda (eta_t within 2/(L + alpha)). The record at position a
 * enters step a with all its pairs and each of the b later steps with one of min(t - 1, b), each
 * pair moving by at most `spread`: with c_t the weight of a unit move at step t in the average, the
 * sensitivity is the largest over a of spread (eta_a c_a + sum over t of eta_t c_t/min(t - 1, b)),
 * plus rounding.
 */
static double online_step(const run *r, size_t t) {
  const pairs *p = &r->p;
  double most = 2 / (p->smoothness + 2 * p->lambda), at = (double)t;
  if (r->t->with.step_size > 0) return fmin(most, r->t->with.step_size / sqrt(at));
  if (p->lambda > 0) return fmin(most, 1 / (p->lambda * at));
  return fmin(most, p->bound / (p->lipschitz * sqrt(at)));
}

/* b, from public numbers: seconds of pairs in all. */
static size_t online_memory(const pairs *p) {
  double n = (double)p->n, d = (double)p->d, most;
  most = 1e9 / n / (p->kind == METRIC ? 1.5 * d * d + 20 : d + 10);
  return most >= n ? p->n : most > 1 ? (size_t)most : 1;
}
static size_t online_partners(size_t t, size_t memory) { return t - 1 < memory ? t - 1 : memory; }

/* share: room for n + 1 numbers. */
static double online_sensitivity(const run *r, size_t memory, double *share) {
  const pairs *p = &r->p;
  double weight = 0, later = 0, worst = 0, rounding = 0, contraction = 0;
  size_t t;
  for (t = p->n; t >= 2; t--) {
    double eta = online_step(r, t), own;
    weight = 1 / (double)(p->n - 1) + contraction * weight;
    own = eta * weight + later;
    share[t] = eta * weight / (double)online_partners(t, memory);
    later += share[t]; /* now of position t - 1: steps t .. t - 1 + b */
    if (memory < p->n - t + 1) later -= share[t + memory];
    worst = larger(worst, t == 2 ? larger(own, later) : own); /* record 1 has no step of its own */
    rounding += pairs_rounding(p, eta, t) * weight;
    contraction = 1 - eta * p->lambda;
  }
  return (p->spread * worst + rounding) * (1 + 16 * (double)p->n * DBL_EPSILON);
}

static dppair_status online_pass(run *r, size_t memory) {
  pairs *p = &r->p;
  size_t t, k;
  double move, *weight = working_get(1, (2 * p->n + 1) * sizeof *weight), *s;
  dppair_status status = DPPAIR_OK;
  if (weight == NULL) return DPPAIR_ERR_OVERFLOW;
  s = weight + p->n;
  move = online_sensitivity(r, memory, s);
  for (t = 2; t <= p->n && status == DPPAIR_OK; t++) {
    double eta = online_step(r, t);
    size_t count = online_partners(t, memory);
    for (k = 0; k < count; k++) weight[k] = 1 / (double)count;
    for (k = 0; k < p->size; k++) r->g[k] = p->lambda * r->w[k];
    status = pairs_online(r->g, p, r->w, t - 1, t - 1 - count, weight, count, s);
    for (k = 0; k < p->size; k++) r->w[k] -= eta * r->g[k];
    if (status == DPPAIR_OK) status = pairs_project(r->w, p);
    for (k = 0; k < p->size; k++) r->mean[k] += (r->w[k] - r->mean[k]) / (double)(t - 1);
  }
  working_free(weight);
  memcpy(r->w, r->mean, p->size * sizeof *r->w);
  r->out->steps = p->n - 1;
  if (status == DPPAIR_OK) status = release_output(r->out, r->w, p->size, move, r->t);
  note(r->out,
       "Huai et al. 2020 reconstructed: one pass, step %s, average, sensitivity %.4g derived "
       "here. ",
       p->lambda > 0 ? "1/(lambda t)" : "B/(G sqrt t)", move);
  if (memory < p->n) note(r->out, "Pairs with the %zu records before. ", memory);
  return status;
}

static dppair_status online(run *r) { return online_pass(r, online_memory(&r->p)); }

/* --- the methods ------------------------------------------------------------------------------ */

/* ridge: the regulariser of the strongly convex algorithms, unless the task sets one. */
static dppair_status solve(model *out, const task *t, pair_kind kind, double ridge,
                           algorithm *run_it) {
  run r;
  dppair_status status;
  memset(&r, 0, sizeof r);
  r.out = out;
  r.t = t;
  status = pairs_open(&r.p, t, kind, NORM_L2, 1, pair_link_find(t->with.loss, "logistic"));
  if (status != DPPAIR_OK) return status;
  if (!(r.p.lambda > 0)) r.p.lambda = ridge;
  if (!dppair_loss_describe(r.p.phi->loss)->convex || !dppair_isfinite_f64(r.p.smoothness))
    status = DPPAIR_ERR_NO_PROOF;
  r.memory = working_get(3 * r.p.size, sizeof *r.memory);
  if (r.memory == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) {
    r.w = r.memory;
    r.g = r.w + r.p.size;
    r.mean = r.g + r.p.size;
    status = run_it(&r);
  }
  if (status == DPPAIR_OK) status = pairs_project(r.w, &r.p);
  if (status == DPPAIR_OK) status = pairs_release(out, &r.p, r.w);
  working_free(r.memory);
  pairs_close(&r.p);
  return status;
}

#define OUTPUT (OFFERS_PURE | OFFERS_PRINTED | OFFERS_PRINTED_PURE | OFFERS_STEPS)
#define RELEASED_RANK_DIFF "the weights"
#define RELEASED_METRIC "the metric"
#define COST_RANK_DIFF 0
#define COST_METRIC NEEDS_CUBES
#define RIDGE(kind) ((kind) == METRIC ? 1e-2 : 1e-3)
#define METHOD(name, kind, run_it, ridge, spelled, summary, extra)                                 \
  static dppair_status train_##name(model *out, const task *t) {                                   \
    return solve(out, t, kind, ridge, run_it);                                                     \
  }                                                                                                \
  const method method_##name = {spelled,                                                           \
                                summary,                                                           \
                                RELEASED_##kind,                                                   \
                                OFFERS_LAMBDA | OFFERS_LOSS | OFFERS_STEP_SIZE | OFFERS_RADIUS |   \
                                    OFFERS_PARAM_RADIUS | COST_##kind | (extra),                   \
                                0,                                                                 \
                                train_##name};

METHOD(dpgdsc, RANK_DIFF, dpgdsc, RIDGE(RANK_DIFF), "dpgdsc",
       "regularised descent, noise on the output (Xue 2021, Algorithm 1)", OUTPUT)
METHOD(dpgdc2, RANK_DIFF, dpgdc2, 0, "dpgdc2",
       "noise in every gradient, averaged (Xue 2021, Algorithm 2)", OFFERS_PRINTED | OFFERS_STEPS)
METHOD(dpegd, RANK_DIFF, dpegd, 0, "dpegd", "epochs on disjoint parts (Xue 2021, Algorithm 3)",
       OUTPUT)
METHOD(offpairstrc, RANK_DIFF, online, RIDGE(RANK_DIFF), "offpairstrc",
       "one online pass, regularised (Huai 2020, reconstructed)", OFFERS_PURE)
METHOD(offpairc, RANK_DIFF, online, 0, "offpairc", "one online pass (Huai 2020, reconstructed)",
       OFFERS_PURE)

METHOD(dpgdsc_metric, METRIC, dpgdsc, RIDGE(METRIC), "dpgdsc",
       "regularised descent, noise on the output (Xue 2021, Algorithm 1)", OUTPUT)
METHOD(dpgdc2_metric, METRIC, dpgdc2, 0, "dpgdc2",
       "noise in every gradient, averaged (Xue 2021, Algorithm 2)", OFFERS_PRINTED | OFFERS_STEPS)
METHOD(dpegd_metric, METRIC, dpegd, 0, "dpegd", "epochs on disjoint parts (Xue 2021, Algorithm 3)",
       OUTPUT)
METHOD(offpairstrc_metric, METRIC, online, RIDGE(METRIC), "offpairstrc",
       "one online pass, regularised (Huai 2020, reconstructed)", OFFERS_PURE)
METHOD(offpairc_metric, METRIC, online, 0, "offpairc", "one online pass (Huai 2020, reconstructed)",
       OFFERS_PURE)
