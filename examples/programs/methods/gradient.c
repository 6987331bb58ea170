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
 * iterate is 2 R s_t/n for a monotone link with s_t = sup |phi'| over the margins |u| <= 2 R |w_t|
 * that this iterate can reach, which is public because w_t is; each of T steps has the noise
 * multiplier that the exact Gaussian curve leaves for it. NAME_release does all of this, and adds
 * to the sensitivity what computing g costs.
 *
 * Where all records of a user are protected, the mean is over pairs of users, and a pair of
 * users contributes the mean over the pairs of their records: each of k records weighs 1/k, and
 * pairs inside a user are left out. The sensitivity is 2 R s_t/U then, whatever k. With queries
 * the mean is over queries, of the mean over the pairs inside each: 2 R s_t/Q where a whole query
 * is protected, 2 R s_t/(Q m) for a record that stays in its query, m the length of the shortest
 * one. How many records there are is public in the last case only, so that in the others nothing
 * but the memory in use depends on it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "methods/pairs.h"
#include "methods/passes.h"

/* Everything one run needs; `memory` is one block of it. */
typedef struct descent {
  const task *t;
  const pair_link *phi;
  size_t n, d, most; /* most: n, where it is public; else a bound of it */
  double mu, radius, eta, *memory, *g, *w;
  dppair_rows_f64 rows;
  dppair_options options;
  pair_sums sums; /* holds the near-linear state */
  passes passes;  /* of rows that are not held */
  dppair_groups groups;
  size_t *places; /* of the groups, in both classes */
} descent;

/* Inside of a class, the records of a group together; order is by class already. */
static dppair_status arrange_groups(descent *r, size_t *order, size_t positives) {
  const records *rows = &r->t->train;
  const size_t n = r->n, count = rows->groups;
  size_t i, c, *sorted = malloc(n * sizeof *sorted);
  r->places = calloc(2 * (count + 2), sizeof *r->places);
  if (sorted == NULL || r->places == NULL) {
    free(sorted);
    return DPPAIR_ERR_OVERFLOW;
  }
  for (c = 0; c < 2; c++) { /* place[g + 1] counts, then tells where the next of g stands */
    const size_t first = c == 0 ? 0 : positives, end = c == 0 ? positives : n;
    size_t *place = r->places + c * (count + 2) + 1;
    for (i = first; i < end; i++) place[rows->group[order[i]] + 1]++;
    for (i = 1; i <= count; i++) place[i] += place[i - 1];
    for (i = first; i < end; i++) sorted[first + place[rows->group[order[i]]]++] = order[i];
  }
  memcpy(order, sorted, n * sizeof *sorted);
  free(sorted);
  r->groups.positive = r->places; /* where a group ends, the next begins */
  r->groups.negative = r->places + count + 2;
  return DPPAIR_OK;
}

/* Rows of a class after those of the other, clipped. */
static dppair_status arrange(descent *r) {
  const size_t n = r->n, d = r->d;
  const double *x = r->t->train.x;
  size_t i, positives, *order = malloc(n * sizeof *order);
  double *rows = r->memory, *factor = rows + n * d;
  dppair_status status = DPPAIR_OK;
  if (order == NULL) return DPPAIR_ERR_OVERFLOW;
  positives = rows_by_class(order, r->t->train.y, n);
  if (r->options.groups != NULL) status = arrange_groups(r, order, positives);
  if (status != DPPAIR_OK) {
    free(order);
    return status;
  }
  for (i = 0; i < n; i++) memcpy(rows + i * d, x + order[i] * d, d * sizeof *rows);
  free(order);
  status = dppair_rows_clip_f64(&r->rows, factor, rows, n, d, d, r->radius);
  r->rows.positives = positives;
  return status;
}

/* The workspace that the state in use needs. */
static dppair_status make_room(descent *r) {
  size_t bytes;
  dppair_status status = r->phi->workspace(&bytes, r->most, r->d, &r->options);
  if (status != DPPAIR_OK || (r->options.work != NULL && bytes <= r->options.bytes)) return status;
  free(r->options.work);
  r->options.work = malloc(bytes);
  r->options.bytes = r->options.work != NULL ? bytes : 0;
  return r->options.work != NULL ? DPPAIR_OK : DPPAIR_ERR_OVERFLOW;
}

/* Does the course have the rows? Then `rows` and `memory` have none. */
static int streams(const task *t) { return t->course != NULL && t->course->next != NULL; }

static dppair_status gradient(descent *r, spending *spent) {
  const int follows = r->t->course != NULL && r->t->course->follows;
  dppair_status status;
  if (!streams(r->t)) {
    status = make_room(r);
    if (status == DPPAIR_OK && r->t->with.explain != NULL && !(r->t->with.explain->scale > 0))
      status = r->phi->explain(r->t->with.explain, &spent->release, &r->rows, r->w, &r->options);
    return status == DPPAIR_OK ? r->phi->release(r->g, &spent->release, &r->rows, r->w, &r->options)
                               : status;
  }
  return passes_release(r->g, &r->passes, follows ? NULL : &spent->release, r->w, &r->options);
}

static dppair_status step(descent *r, spending *spent) {
  const double norm = dppair_norm_f64(r->w, r->d) * (1 + (double)(r->d + 8) * DBL_EPSILON);
  size_t k;
  dppair_status status = pair_sums_reach(&r->sums, r->phi, r->most, r->radius * norm * (1 + 1e-9));
  r->options.fast = r->sums.fast.kind != 0 ? &r->sums.fast : NULL;
  if (status == DPPAIR_OK) status = gradient(r, spent);
  if (status != DPPAIR_OK) return status;
  for (k = 0; k < r->d; k++) r->w[k] -= r->eta * r->g[k];
  if (r->t->with.param_radius > 0)
    return dppair_project_l2_f64(r->w, r->d, r->t->with.param_radius);
  return dppair_all_finite_f64(r->w, r->d) ? DPPAIR_OK : DPPAIR_ERR_NOT_FINITE;
}

/* Of how many records all pairs would have the same sensitivity: a public number. */
static double effective_units(const descent *r) {
  const dppair_groups *g = &r->groups;
  size_t k, shortest = SIZE_MAX;
  if (r->options.groups == NULL || task_adjacency(r->t) != DPPAIR_REPLACE_ONE)
    return (task_adjacency(r->t) == DPPAIR_ZERO_QUERY ? 2 : 1) * (double)task_units(r->t);
  for (k = 0; k < g->count; k++) {
    const size_t m = g->positive[k + 1] - g->positive[k] + g->negative[k + 1] - g->negative[k];
    if (m > 1 && m < shortest) shortest = m;
  }
  return shortest < SIZE_MAX ? (double)g->count * (double)shortest : 2;
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
  double clear = effective_units(r) * r->mu / sqrt((double)r->d), wanted = clear * clear / 4000;
  if (!dppair_isfinite_f64(curvature)) curvature = 1;
  *steps = wanted < 1 ? 1 : wanted > 100 ? 100 : (size_t)wanted;
  if (with->steps > 0) *steps = with->steps;
  /* the risk's curvature is at most phi'' (2R)^2 n+ n-/(n(n-1)), about phi'' R^2; rows of real data
   * stay far below it, which is worth using when the noise is small */
  *eta = fmin(fmax(clear / 27, 1), 8) / (curvature * r->radius * r->radius);
  if (with->step_size > 0) *eta = with->step_size;
}

static dppair_status descend(model *out, descent *r, spending *spent, double mu) {
  const course *c = r->t->course;
  size_t k;
  dppair_status status = DPPAIR_OK;
  plan(&out->steps, &r->eta, r);
  if (c == NULL || !c->follows)
    status = mu > 0 ? spend_part(spent, out->steps, mu, 0) : spend_all(spent, out->steps);
  if (c != NULL && c->done > 0) memcpy(r->w, c->w, r->d * sizeof *r->w);
  for (k = c != NULL ? c->done : 0; status == DPPAIR_OK; k++) {
    if (c != NULL && c->step != NULL)
      status = c->step(r->w, spent->release.sigma, k, out->steps, c->context);
    if (k == out->steps || status != DPPAIR_OK) break;
    status = step(r, spent);
  }
  return status;
}

/* Memory: rows, their factors, the gradient. Of rows that are not held, the gradient. */
static dppair_status prepare(descent *r) {
  const size_t held = streams(r->t) ? 0 : r->n * (r->d + 1);
  r->memory = malloc((held + r->d) * sizeof *r->memory);
  if (r->memory == NULL) return DPPAIR_ERR_OVERFLOW;
  r->g = r->memory + held;
  if (held > 0) return arrange(r);
  return passes_open(&r->passes, r->t->course, r->phi, r->d, r->radius, r->options.groups);
}

dppair_status gd_train(model *out, spending *spent, const task *t, double mu) {
  descent r;
  dppair_status status = model_allocate(out, t->train.d, t->train.d);
  memset(&r, 0, sizeof r);
  r.t = t;
  r.mu = mu;
  r.n = t->train.n;
  r.d = t->train.d;
  r.most = task_most(t);
  r.groups.count = t->train.groups;
  r.groups.relation =
      task_adjacency(t) == DPPAIR_REPLACE_USER || task_adjacency(t) == DPPAIR_ZERO_USER
          ? DPPAIR_ACROSS
          : DPPAIR_WITHIN;
  r.groups.most = r.most;
  r.options.groups = t->train.groups > 0 ? &r.groups : NULL;
  r.sums.order_free = r.options.groups == NULL || r.groups.relation == DPPAIR_ACROSS;
  r.w = out->theta;
  r.radius = task_radius(t);
  r.phi = pair_link_find(t->with.loss, "logistic");
  if (status == DPPAIR_OK && r.phi == NULL) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK && !(mu > 0)) status = task_mu(&r.mu, t);
  if (status == DPPAIR_OK) status = prepare(&r);
  if (status == DPPAIR_OK) status = descend(out, &r, spent, mu);
  free(r.memory);
  free(r.options.work);
  free(r.places);
  pair_sums_free(&r.sums);
  passes_close(&r.passes);
  return status;
}

static dppair_status train(model *out, const task *t) {
  spending spent;
  dppair_status status = spending_begin(&spent, t);
  if (status == DPPAIR_OK) status = gd_train(out, &spent, t, 0);
  if (status == DPPAIR_OK && (t->course == NULL || !t->course->follows))
    status = spend_claim(out, &spent); /* who follows has spent nothing, and claims nothing */
  spending_end(&spent);
  return status;
}

const method method_gd = {"gd",
                          "noisy projected gradient descent over all pairs (Kang 2021, mended)",
                          "the weights, one number per feature; every iterate on the way to them",
                          OFFERS_DESCENT | OFFERS_PARAM_RADIUS | OFFERS_PERSONS | OFFERS_QUERIES |
                              OFFERS_STREAM | OFFERS_EXPLAIN,
                          0,
                          train};

/* --- users by records alike, for comparison ------------------------------------------------- */

/*
 * gd-records: what protecting users costs without weights. The descent of gd over all pairs of
 * records, of which a user keeps at most K (settings.owned), the first that are met; all K may be
 * replaced. Any pair of records counts the same, so one user's records move the mean by
 * T(n, K)/(n - 1) times as much as one record does, about K times (dppair_sensitivity,
 * attained), and the noise is that for 1/K of the budget. How many records there are is taken for
 * public here, so this is no release: gd is.
 */

/* The records that are kept, without users. */
static dppair_status keep(records *out, double **memory, const task *t) {
  const records *all = &t->train;
  const size_t d = all->d;
  size_t i, n = 0, *met = calloc(all->groups + 1, sizeof *met);
  double *x = malloc((all->n * (d + 1)) * sizeof *x), *y;
  if (met == NULL || x == NULL) {
    free(met);
    free(x);
    return DPPAIR_ERR_OVERFLOW;
  }
  y = x + all->n * d;
  for (i = 0; i < all->n; i++) {
    if (met[all->group[i]]++ >= t->with.owned) continue;
    memcpy(x + n * d, all->x + i * d, d * sizeof *x);
    y[n++] = all->y[i];
  }
  free(met);
  memset(out, 0, sizeof *out);
  out->n = n;
  out->d = d;
  out->x = out->raw = *memory = x;
  out->y = y;
  return DPPAIR_OK;
}

static dppair_status train_records(model *out, const task *t) {
  dppair_pair_unit unit;
  dppair_sampling owned;
  task alone = *t;
  spending spent;
  double *memory = NULL, mu, users = 0, record = 0;
  dppair_status status = t->with.owned > 0 ? keep(&alone.train, &memory, t) : DPPAIR_ERR_RATE;
  memset(&unit, 0, sizeof unit);
  unit.levels = DPPAIR_LEVELS_TWO;
  unit.unit = 1;
  alone.adjacency = DPPAIR_REPLACE_ONE;
  if (status == DPPAIR_OK && alone.train.n < 4) status = DPPAIR_ERR_SIZE;
  owned = dppair_sampling_all(alone.train.n, DPPAIR_REPLACE_USER);
  owned.owned = t->with.owned < alone.train.n ? t->with.owned : alone.train.n;
  if (status == DPPAIR_OK)
    status = dppair_sensitivity(&users, &unit, &owned);
  owned.owned = 1;
  if (status == DPPAIR_OK) status = dppair_sensitivity(&record, &unit, &owned);
  if (status == DPPAIR_OK) status = task_mu(&mu, t);
  if (status == DPPAIR_OK) status = spending_begin(&spent, &alone);
  if (status == DPPAIR_OK) {
    status = gd_train(out, &spent, &alone, mu * record / users);
    out->sigma = spent.release.sigma;
    spending_end(&spent);
  }
  if (status == DPPAIR_OK) {
    claim(out, t->with.noiseless ? HUGE_VAL : t->epsilon, 0);
    note(out,
         "%zu records of %zu are kept, at most %zu of a person, who moves what one record would, "
         "%.4g times; how many there are is taken for public. ",
         alone.train.n, t->train.n, t->with.owned, users / record);
  }
  free(memory);
  return status;
}

const method method_gd_records = {
    "gd-records",
    "gd over all pairs of at most --owned K records of a person: for comparison, no release",
    "the weights, one number per feature; every iterate on the way to them",
    OFFERS_DESCENT | OFFERS_PARAM_RADIUS | OFFERS_PERSONS | NEEDS_OWNED,
    0,
    train_records};

/* --- the last iterate alone ------------------------------------------------------------------- */

/*
 * gd-last (gd --release last): descent on the risk with (lambda/2)|w|^2, projected on a ball, of
 * which nothing but the last iterate leaves. A smooth, strongly convex risk makes each step forget
 * the ones before, so T steps are paid as about L/lambda of them (last_iterate.h). Noise is added
 * to the iterate, w - eta g + N(0, (eta sigma)^2), on a grid so fine that its rounding, which the
 * proof has to pay for, is nothing beside the sensitivity.
 */
typedef struct last_descent {
  const task *t;
  pairs p;
  last_plan plan;
  double noise; /* eta sigma */
  int fine;     /* the grid of the noise, noise/2^fine */
  double price; /* in released iterates */
  double *g, *w;
} last_descent;

/* lambda, the ball and the step size from public numbers. The minimiser has |w| <= G/lambda, and
 * the mean gradient of the logistic loss at most R: a ball of R/lambda moves nothing. Slopes that
 * grow without end get the ball on which margins stay below 1. */
static dppair_status last_open(last_descent *r) {
  const task *t = r->t;
  const pair_link *phi = pair_link_find(t->with.loss, "logistic");
  const double n = (double)t->train.n, radius = task_radius(t);
  double mu, ball = 0.5 / radius, lambda = t->with.lambda;
  dppair_status status = phi == NULL ? DPPAIR_ERR_DOMAIN : task_mu(&mu, t);
  if (status != DPPAIR_OK) return status;
  if (!pair_link_is_smooth(phi->name) || task_adjacency(t) != DPPAIR_REPLACE_ONE)
    return DPPAIR_ERR_NO_PROOF;
  if (!(lambda > 0)) lambda = 4 * radius * radius * sqrt((double)t->train.d) / (n * mu);
  if (phi->loss == DPPAIR_LOSS_logistic) ball = radius / lambda;
  status = pairs_open(&r->p, t, RANK_IND, NORM_L2, ball, phi);
  if (status != DPPAIR_OK) return status;
  r->p.lambda = lambda;
  /* at most n^2/4 of the n(n-1) ordered pairs have a positive and a negative, in this order */
  r->plan.alpha = lambda;
  r->plan.smoothness = (r->p.smoothness * n / (4 * (n - 1)) + lambda) * (1 + 1e-14);
  r->plan.diameter = 2 * r->p.bound * (1 + 1e-14);
  r->plan.eta =
      t->with.step_size > 0 ? t->with.step_size : 2 / (r->plan.smoothness + lambda) * (1 - 1e-14);
  return DPPAIR_OK;
}

/* How many steps: until what is left of the way is a twentieth, where that is quick. */
static void last_steps(last_descent *r) {
  const double gap = fmin(r->plan.eta * r->plan.alpha, 2 - r->plan.eta * r->plan.smoothness);
  const double wanted = gap > 0 ? ceil(3 / gap) : 1;
  r->plan.steps = r->t->with.steps;
  if (r->plan.steps == 0)
    r->plan.steps = pairs_affordable(&r->p, r->p.n, wanted < 1e6 ? (size_t)wanted : 1000000);
}

/*
 * sigma such that the last iterate is worth mu. Both runs compute a step before its noise
 * (pairs_move, pairs_rounding) and round after it: to the grid, half of it in each coordinate, and
 * by the projection, some units of the ball. A larger sigma has a coarser grid: a few rounds.
 */
static dppair_status last_noise(last_descent *r) {
  const pairs *p = &r->p;
  const double d = (double)p->size,
               reach = p->bound + r->plan.eta * (p->lipschitz + p->lambda * p->bound);
  const double projected = (8 * d + 64) * DBL_EPSILON * p->bound;
  double wanted, mu, move;
  int round;
  dppair_status status = task_mu(&wanted, r->t);
  if (status == DPPAIR_OK) status = pairs_move(&move, p, p->n);
  if (status != DPPAIR_OK) return status;
  move += pairs_rounding(p, r->plan.eta, p->n) / r->plan.eta;
  wanted *= 1 - 1e-12;
  r->plan.sigma = move / wanted;
  for (round = 0; round < 50; round++) {
    int power;
    r->noise = r->plan.eta * r->plan.sigma;
    (void)frexp(reach / r->noise, &power); /* what noise is added to lies below 2^50 of the grid */
    r->fine = power < 9 ? 40 : 49 - power;
    if (r->fine < 10) return DPPAIR_ERR_NO_PROOF;
    r->plan.sensitivity =
        move + (ldexp(r->noise, -r->fine) * sqrt(d) + projected) / r->plan.eta * (1 + 1e-14);
    status = last_mu(&mu, &r->plan);
    if (status != DPPAIR_OK || mu <= wanted) return status;
    r->plan.sigma *= mu / wanted * (1 + 1e-13);
  }
  return DPPAIR_ERR_NO_PROOF;
}

static dppair_status last_run(last_descent *r, spending *spent) {
  pairs *p = &r->p;
  size_t s, k;
  dppair_status status = spend_last(spent, &r->plan);
  for (s = 0; s < r->plan.steps && status == DPPAIR_OK; s++) {
    status = pairs_gradient(r->g, p, r->w, 0, p->n);
    for (k = 0; k < p->size; k++) r->w[k] -= r->plan.eta * r->g[k];
    if (status == DPPAIR_OK) status = spend_unseen(r->w, p->size, r->noise, r->fine, spent);
    if (status == DPPAIR_OK) status = pairs_project(r->w, p);
  }
  return status;
}

/* All that is decided before the first step, by public numbers. *all: so few steps forget nothing,
 * and every iterate may leave at that price. */
static dppair_status last_prepare(last_descent *r, int *all) {
  double mu = 0;
  dppair_status status = last_open(r);
  *all = 0;
  if (status != DPPAIR_OK) return status;
  last_steps(r);
  status = last_noise(r);
  if (status == DPPAIR_OK) status = last_mu(&mu, &r->plan);
  mu *= r->plan.sigma / r->plan.sensitivity;
  r->price = mu * mu;
  *all =
      !(r->t->with.lambda > 0) && !r->t->with.noiseless && r->price > 0.9 * (double)r->plan.steps;
  return status;
}

static dppair_status last_train(model *out, const task *t) {
  last_descent r;
  spending spent;
  int all;
  dppair_status status = spending_begin(&spent, t);
  memset(&r, 0, sizeof r);
  r.t = t;
  if (status == DPPAIR_OK) status = last_prepare(&r, &all);
  if (status == DPPAIR_OK && all) {
    status = gd_train(out, &spent, t, 0);
  } else if (status == DPPAIR_OK) {
    status = model_allocate(out, t->train.d, t->train.d);
    r.w = out->theta;
    r.g = calloc(t->train.d, sizeof *r.g);
    if (r.g == NULL) status = DPPAIR_ERR_OVERFLOW;
    if (status == DPPAIR_OK) status = last_run(&r, &spent);
    out->steps = r.plan.steps;
  }
  if (status == DPPAIR_OK) status = spend_claim(out, &spent);
  if (status == DPPAIR_OK && !all) {
    out->sigma = r.plan.sigma;
    note(out, "The last of %zu iterates costs what %.3g released ones would; no other may leave. ",
         r.plan.steps, r.price);
  }
  free(r.g);
  pairs_close(&r.p);
  spending_end(&spent);
  return status;
}

const method method_gd_last = {
    "gd-last",
    "gd of which only the last iterate is published, whose price is bounded (gd --release last)",
    "the weights of the last iterate, one number per feature (the last iterate only: nothing else "
    "of the run may be published)",
    OFFERS_DESCENT | OFFERS_PARAM_RADIUS | OFFERS_LAMBDA | NEEDS_SMOOTH,
    0,
    last_train};
