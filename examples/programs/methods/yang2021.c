/* SPDX-License-Identifier: MIT */
/*
 * Yang, Lei, Lyu and Ying, "Stability and differential privacy of stochastic gradient descent for
 * pairwise learning with non-smooth loss" (AISTATS 2021), Algorithms 1 and 2: w_1 = 0; step t draws
 * i_{t+1} and moves w along the mean subgradient of its t pairs with i_1 .. i_t; the mean of
 * w_1 .. w_T is released with Gaussian noise. Hinge loss, for AUC and for metrics (l2/Frobenius
 * ball; nuclear ball as a method of its own).
 *
 * What is mended: the noise. Theorem 4 bounds the stability with high probability over the indices
 * and pays for the rest of the probability; its proof drops a factor e and uses sqrt(2 ln(1.25/d))
 * outside its range. Here the sensitivity is that of the indices that were in fact drawn
 * (dppair_sensitivity_uas_sequence): they have the same law for every data set, so sigma may depend
 * on them, and nothing is left to chance; and they are drawn in random passes. One-signed slopes
 * halve it for ranking. Tens to hundreds of times less noise.
 *
 * Parameters, from public numbers. While 2R|w| < 1 no margin reaches the hinge's kink. The default
 * for ranking is the ball of that size and a step with which T steps stay in it: the loss is then
 * linear all the way and the sensitivity that of a weighted sum of pairs, without the sqrt(T) term
 * of non-smooth losses; a smaller step would shrink signal and noise alike; and a step needs
 * nothing but the sum of the rows drawn so far. With a larger ball (--param-radius) the step is
 * B/(G sqrt T). T = n^2 as in Corollary 2 where that is quick, at least n; where even that takes
 * long, the first so many of the records, which stand in random order.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/pairs.h"

/* Independent uniform draws as printed; or passes over all positions, each in a fresh random order,
 * which keeps the largest number of hits down. `out` has room for whole passes. */
static dppair_status draw_all(size_t *out, size_t steps, size_t n, const task *t) {
  size_t first;
  dppair_status status = DPPAIR_OK;
  if (t->with.as_printed) return task_draws(out, steps, n, t);
  for (first = 0; first < steps && status == DPPAIR_OK; first += n)
    status = task_order(out + first, n, t);
  return status;
}

typedef struct sgd {
  const task *t;
  pairs p;
  double eta;
  size_t steps;
  size_t *indices;           /* i_1 .. i_T                        */
  double *w, *g, *mean;      /* p.size each                       */
  double *hits, *weight, *s; /* n each                      */
} sgd;

static dppair_status run(sgd *r) {
  const pairs *p = &r->p;
  size_t t, k;
  dppair_status status = DPPAIR_OK;
  r->hits[r->indices[0]] = 1;
  for (t = 1; t < r->steps && status == DPPAIR_OK; t++) {
    for (k = 0; k < p->n; k++) r->weight[k] = r->hits[k] / (double)t;
    memset(r->g, 0, p->size * sizeof *r->g);
    status = pairs_online(r->g, p, r->w, r->indices[t], 0, r->weight, p->n, r->s);
    for (k = 0; k < p->size; k++) r->w[k] -= r->eta * r->g[k];
    if (status == DPPAIR_OK) status = pairs_project(r->w, p);
    for (k = 0; k < p->size; k++) r->mean[k] += (r->w[k] - r->mean[k]) / (double)(t + 1);
    r->hits[r->indices[t]] += 1;
  }
  return status;
}

/* The same while every slope is -1: step t of a positive record x moves w by eta/t times the sum of
 * x - x' over the negatives x' drawn before. Nothing leaves the ball. */
static dppair_status run_linear(sgd *r) {
  const pairs *p = &r->p;
  double *sum = r->g, count = 0;
  size_t t, k;
  for (t = 0; t < r->steps; t++) {
    const double *x = p->x + r->indices[t] * p->d;
    int positive = p->y[r->indices[t]] > 0;
    double share = t > 0 && positive ? r->eta / (double)t : 0;
    for (k = 0; positive && k < p->d; k++) r->w[k] += share * (count * x[k] - sum[k]);
    for (k = 0; !positive && k < p->d; k++) sum[k] += x[k];
    count += !positive;
    for (k = 0; k < p->d; k++) r->mean[k] += (r->w[k] - r->mean[k]) / (double)(t + 1);
  }
  return dppair_all_finite_f64(r->mean, p->d) ? DPPAIR_OK : DPPAIR_ERR_NOT_FINITE;
}

/* T steps of norm at most eta G keep every margin below the kink: then the loss is linear on the
 * whole way, and no projection moves anything. */
static int is_linear(const sgd *r) {
  const pairs *p = &r->p;
  double reach = r->eta * p->lipschitz * (double)r->steps * (1 + 64 * DBL_EPSILON);
  return p->kind == RANK_IND && p->phi->loss == DPPAIR_LOSS_hinge && reach <= p->bound &&
         2 * p->radius * reach < 1;
}

/*
 * Then the mean iterate is eta sum over ordered pairs of W[i][j] (x_i - x_j) 1[y_i = 1, y_j = -1],
 * where step t adds (1 - t/T)/t for its pair with each i_k, k <= t. Against a partner j of label -1
 * the record a counts as the first of the pair only, against label +1 as the second only, and in
 * either place x_a - x_j runs over a ball of radius R that contains 0: replacing a moves the mean
 * by at most 2 R eta sum over j of max(W[a][j], W[j][a]). Half of what a bound that adds both
 * gives.
 */
static int is_quick(const sgd *r) {
  return r->p.n <= 4096 && (double)r->p.n * (double)r->steps <= 1e9;
}

static dppair_status linear_sensitivity(double *out, const sgd *r) {
  size_t n = r->p.n, t, a, j;
  double *weight = calloc(n * n + n, sizeof *weight), *hits, worst = 0, time = (double)r->steps;
  if (weight == NULL) return DPPAIR_ERR_OVERFLOW;
  hits = weight + n * n;
  hits[r->indices[0]] = 1;
  for (t = 1; t < r->steps; t++) {
    double share = (1 - (double)t / time) / (double)t, *row = weight + r->indices[t] * n;
    for (j = 0; j < n; j++) row[j] += share * hits[j];
    hits[r->indices[t]] += 1;
  }
  for (a = 0; a < n; a++) {
    double sum = 0;
    for (j = 0; j < n; j++)
      if (j != a) sum += larger(weight[a * n + j], weight[j * n + a]);
    worst = larger(worst, sum);
  }
  free(weight);
  *out = 2 * r->p.radius * r->eta * worst * (1 + (time + 64) * DBL_EPSILON);
  return DPPAIR_OK;
}

/*
 * A margin that is rounded by m may fall on the other side of a kink. Slopes that belong to margins
 * off by m are monotone but for 2 m s, which adds 4 eta m s to a recursion that adds eta^2 G^2 or
 * more: as if G^2 were G^2 + 4 m s/eta.
 */
static double lipschitz_rounded(const sgd *r) {
  const pairs *p = &r->p;
  double order = p->kind == METRIC ? (double)(p->d * p->d) : (double)p->d;
  double m_s = (4 * order + 64) * DBL_EPSILON * p->lipschitz * p->bound;
  /* squares that underflow would forget G */
  return hypot(p->lipschitz, 2 * sqrt(m_s / r->eta)) * (1 + 8 * DBL_EPSILON);
}

static void stability(dppair_uas *u, const sgd *r) {
  const pairs *p = &r->p;
  const dppair_loss_info *phi = dppair_loss_describe(p->phi->loss);
  memset(u, 0, sizeof *u);
  u->n = p->n;
  u->steps = r->steps;
  u->eta = r->eta;
  u->lipschitz = p->lipschitz;
  u->diameter = 2 * p->bound;
  /* L = 0 where the loss is linear, which the accountant wants as a positive number */
  if (is_linear(r)) u->smoothness = DBL_MIN;
  if (dppair_isfinite_f64(p->smoothness) && r->eta * p->smoothness <= 2)
    u->smoothness = p->smoothness;
  if (!(u->smoothness > 0)) u->lipschitz = lipschitz_rounded(r);
  if (phi->convex)
    u->loss = p->kind == RANK_IND && phi->monotone ? DPPAIR_UAS_RANKING : DPPAIR_UAS_CONVEX;
}

static dppair_status sensitivity(double *out, const sgd *r) {
  dppair_uas u;
  size_t room, longest = r->steps > r->p.n ? r->steps : r->p.n; /* sums of so many terms */
  void *work;
  double ratio = (double)r->p.n * (double)r->steps > 2e7 ? 1.02 : 1;
  dppair_status status;
  stability(&u, r);
  if (!(u.lipschitz >= r->p.lipschitz && r->p.lipschitz > 0)) return DPPAIR_ERR_NO_PROOF;
  status = dppair_uas_workspace(&room, &u, ratio);
  if (status != DPPAIR_OK) return status;
  work = malloc(room);
  if (work == NULL)
    status = DPPAIR_ERR_OVERFLOW;
  else if (is_linear(r) && is_quick(r))
    status = linear_sensitivity(out, r);
  else
    status = dppair_sensitivity_uas_sequence(out, &u, r->indices, r->steps, ratio, work, room);
  *out += (double)r->steps * pairs_rounding(&r->p, r->eta, longest);
  free(work);
  return status;
}

static dppair_status release(model *out, sgd *r) {
  double move, scale;
  dppair_paper paper;
  dppair_status status = sensitivity(&move, r);
  if (status != DPPAIR_OK) return status;
  if (!r->t->with.as_printed) return release_output(out, r->mean, r->p.size, move, r->t);
  memset(&paper, 0, sizeof paper);
  paper.result = DPPAIR_YANG2021_THEOREM4;
  paper.n = r->p.n;
  paper.steps = r->steps;
  paper.lipschitz = r->p.lipschitz;
  paper.eta = r->eta;
  paper.epsilon = r->t->epsilon;
  paper.delta = r->t->delta;
  status = printed_noise(&scale, &paper);
  if (status != DPPAIR_OK) return status;
  return release_as_printed(out, r->mean, r->p.size, scale, move, r->t);
}

/* One step's time in units of about a nanosecond: against n records, or linear. */
static double step_cost(const pairs *p, int linear) {
  double d = (double)p->d, n = (double)p->n;
  if (linear) return 2 * d + 10;
  return n * (p->kind == METRIC ? 1.5 * d * d + 20 : d + 10);
}

/* n^2 steps where that takes a second or two, but at least n. */
static size_t default_steps(const pairs *p, int linear) {
  double n = (double)p->n;
  return (size_t)fmax(n, fmin(n * n, 5e8 / step_cost(p, linear)));
}

/* Steps, step size, and how many records: public numbers all. */
static void plan(sgd *r) {
  pairs *p = &r->p;
  const settings *with = &r->t->with;
  double most;
  r->steps = with->steps > 0 ? with->steps : default_steps(p, 1);
  r->eta = with->step_size > 0 ? with->step_size
                               : 0.999999 * p->bound / (p->lipschitz * (double)r->steps);
  if (is_linear(r)) return;
  most = sqrt(2e10 / step_cost(p, 0) * (double)p->n);
  if (with->steps == 0 && (double)p->n > most) p->n = (size_t)most;
  if (with->steps == 0) r->steps = default_steps(p, 0);
  if (!(with->step_size > 0)) r->eta = p->bound / (p->lipschitz * sqrt((double)r->steps));
}

static dppair_status solve(model *out, const task *t, pair_kind kind, pair_norm norm) {
  sgd r;
  double ball = kind == METRIC ? 1 : 0.4999999 / task_radius(t), *memory;
  dppair_status status;
  memset(&r, 0, sizeof r);
  r.t = t;
  status = pairs_open(&r.p, t, kind, norm, ball, pair_link_find(t->with.loss, "hinge"));
  if (status != DPPAIR_OK) return status;
  if (!dppair_loss_describe(r.p.phi->loss)->convex || r.p.lambda > 0) status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK) plan(&r);
  memory = calloc(3 * r.p.size + 3 * r.p.n, sizeof *memory);
  r.indices = malloc((r.steps + r.p.n) * sizeof *r.indices);
  if (memory == NULL || r.indices == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) {
    r.w = memory;
    r.g = r.w + r.p.size;
    r.mean = r.g + r.p.size;
    r.hits = r.mean + r.p.size;
    r.weight = r.hits + r.p.n;
    r.s = r.weight + r.p.n;
    status = draw_all(r.indices, r.steps, r.p.n, t);
  }
  out->steps = r.steps;
  if (status == DPPAIR_OK) status = is_linear(&r) ? run_linear(&r) : run(&r);
  if (status == DPPAIR_OK) status = release(out, &r);
  if (status == DPPAIR_OK) status = pairs_project(r.mean, &r.p);
  if (status == DPPAIR_OK) status = pairs_release(out, &r.p, r.mean);
  if (r.p.n < t->train.n) note(out, "%zu records, drawn at random, were used. ", r.p.n);
  free(memory);
  free(r.indices);
  pairs_close(&r.p);
  return status;
}

static dppair_status train(model *out, const task *t) { return solve(out, t, RANK_IND, NORM_L2); }
static dppair_status train_metric(model *out, const task *t) {
  return solve(out, t, METRIC, NORM_L2);
}
static dppair_status train_nuclear(model *out, const task *t) {
  return solve(out, t, METRIC, NORM_NUCLEAR);
}

const method method_yang2021 = {"yang2021",
                                "pairwise SGD, hinge, noise on the mean (Yang 2021)",
                                "the weights; the drawn indices",
                                OFFERS_PURE | OFFERS_PRINTED | OFFERS_DESCENT | OFFERS_PARAM_RADIUS,
                                0,
                                train};
const method method_yang2021_metric = {"yang2021",
                                       "pairwise SGD, hinge, noise on the mean (Yang 2021)",
                                       "the metric; the drawn indices",
                                       OFFERS_PURE | OFFERS_PRINTED | OFFERS_DESCENT |
                                           OFFERS_PARAM_RADIUS | NEEDS_CUBES,
                                       0,
                                       train_metric};
const method method_yang2021_nuclear = {"yang2021-nuclear",
                                        "the same in a nuclear-norm ball",
                                        "the metric; the drawn indices",
                                        OFFERS_PURE | OFFERS_PRINTED | OFFERS_DESCENT |
                                            OFFERS_PARAM_RADIUS | NEEDS_CUBES,
                                        0,
                                        train_nuclear};
