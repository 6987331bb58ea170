/* SPDX-License-Identifier: MIT */
/*
 * selection: what tuning really costs. Candidates (descents of 1, 4, 16 and 64 steps, and the plain
 * sum of the features) are trained on half of the records and one is chosen on the other half.
 *
 * The records are put in a random order, so that halves and pairs do not depend on how a file is
 * sorted; given that order the halves are fixed by index. A record of the first half is seen by the
 * K trained candidates only, each with a budget of mu/sqrt(K), their squares adding up to mu^2; a
 * record of the second half only by the choice, which is epsilon-DP by itself. What the second half
 * computes from the candidates is post-processing for the first, and for the second half the
 * candidates are fixed: so the whole is (epsilon, delta)-DP for one replaced record wherever it
 * lies.
 *
 * The choice. Records of the second half are paired (2i, 2i + 1); a pair with different labels
 * gives +1 to a candidate that ranks it rightly and -1 to one that ranks it wrongly. Replacing a
 * record changes one pair, and so every candidate's count by at most 2. The largest count after
 * adding Laplace noise of scale 2 * 2/epsilon to each is epsilon-DP (report noisy max).
 *
 * selection-stopping: the same candidates and the plain sum, by random stopping (selection.h of the
 * accountant). One run draws a candidate, trains it on ALL records and counts agreement among all
 * of them, with Gaussian noise; their number is geometric, twice as many as there are candidates in
 * the mean, and the best is released. All runs pay together for about three, so that each has, at
 * delta = 1e-5, mu of
 *
 *     epsilon  candidates  halving each  as if of all records  stopping, E K = C    9 C
 *        1          4          0.134            0.067                0.198        0.146
 *        1         16          0.067            0.034                0.157        0.122
 *        1         64          0.034            0.017                0.132        0.107
 *        4          4          0.462            0.231                0.719        0.551
 *        4         16          0.231            0.116                0.588        0.464
 *        4         64          0.116            0.058                0.500        0.411
 *
 * (with E K = C, as many as candidates, geometric runs a candidate is among them with probability
 * 1/2, with 9 C 0.9; a fifth of mu^2 pays for the count). Where public numbers say that halving has
 * less noise, halving is what runs. How long all runs take tells their number, and must not leave.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/pairs.h"
#include "dppair_selection.h"

enum { CANDIDATES = 4 };
static const size_t lengths[CANDIDATES] = {1, 4, 16, 64};

/* Pairs ranked rightly minus wrongly by the linear score w among the second half. */
static double agreement(const double *w, const records *rows, size_t first) {
  size_t i, j, d = rows->d;
  double count = 0;
  for (i = first; i + 1 < rows->n; i += 2) {
    double gap = 0;
    for (j = 0; j < d; j++) gap += w[j] * (rows->x[i * d + j] - rows->x[(i + 1) * d + j]);
    gap *= rows->y[i] - rows->y[i + 1];
    count += (gap > 0) - (gap < 0);
  }
  return count;
}

/* x, y: the records in a random order. */
static dppair_status shuffled(double *x, double *y, const task *t) {
  size_t n = t->train.n, d = t->train.d, i, *order = malloc(n * sizeof *order);
  dppair_status status = DPPAIR_ERR_OVERFLOW;
  if (order == NULL) return status;
  status = task_order(order, n, t);
  for (i = 0; i < n && status == DPPAIR_OK; i++) {
    memcpy(x + i * d, t->train.x + order[i] * d, d * sizeof *x);
    y[i] = t->train.y[order[i]];
  }
  free(order);
  return status;
}

/* The descents on the first half of rows, into w, and their votes among the others; out->epsilon
 * is the descents' own. */
static dppair_status train_candidates(model *out, double *w, double *votes, const task *t,
                                      const records *rows) {
  size_t d = rows->d, k;
  task part = *t;
  spending spent;
  double mu;
  dppair_status status = task_mu(&mu, t);
  part.train = *rows;
  part.train.n = rows->n / 2;
  if (status == DPPAIR_OK) status = spending_begin(&spent, &part);
  if (status != DPPAIR_OK) return status;
  mu *= (1 - 1e-12) / sqrt((double)CANDIDATES);
  for (k = 0; k < CANDIDATES && status == DPPAIR_OK; k++) {
    model one;
    memset(&one, 0, sizeof one);
    part.with.steps = lengths[k];
    status = gd_train(&one, &spent, &part, mu);
    if (status == DPPAIR_OK) {
      memcpy(w + k * d, one.theta, d * sizeof *w);
      votes[k] = agreement(one.theta, rows, part.train.n);
    }
    model_free(&one);
  }
  if (status == DPPAIR_OK) status = spend_claim(out, &spent);
  spending_end(&spent);
  return status;
}

/* Noisy counts of the votes: they are what a record of the second half is spent on. */
static dppair_status count_votes(model *out, double *votes, const task *t) {
  const double first = out->epsilon, sigma = out->sigma;
  task pure = *t;
  spending spent;
  dppair_status status;
  pure.delta = 0;
  status = spending_begin(&spent, &pure);
  if (status == DPPAIR_OK) status = spend_part(&spent, 1, t->epsilon, 1);
  /* only the largest count is released: report noisy max. Its scale is that of an l1 sensitivity of
   * 4, twice the 2 by which a record moves each count, whatever the number of counts */
  if (status == DPPAIR_OK) status = spend_on_counts(votes, CANDIDATES + 1, 4, &spent);
  if (status == DPPAIR_OK) status = spend_claim(out, &spent);
  spending_end(&spent);
  claim(out, larger(first, out->epsilon), 0);
  out->sigma = sigma;
  return status;
}

static dppair_status train_selection(model *out, const task *t) {
  size_t n = t->train.n, d = t->train.d, half = n / 2, k, best = CANDIDATES;
  double *w = malloc(((CANDIDATES + 1) * d + n * d + n) * sizeof *w);
  double votes[CANDIDATES + 1] = {0};
  dppair_status status = w == NULL ? DPPAIR_ERR_OVERFLOW : model_allocate(out, d, d);
  records rows = t->train;
  if (status == DPPAIR_OK) {
    double *x = w + (CANDIDATES + 1) * d, *y = x + n * d;
    rows.x = rows.raw = x; /* descents and votes look at scaled rows only */
    rows.y = y;
    status = shuffled(x, y, t);
  }
  if (status == DPPAIR_OK) status = train_candidates(out, w, votes, t, &rows);
  for (k = 0; k < d && status == DPPAIR_OK; k++) w[CANDIDATES * d + k] = 1;
  if (status == DPPAIR_OK) {
    votes[CANDIDATES] = agreement(w + CANDIDATES * d, &rows, half);
    status = count_votes(out, votes, t);
  }
  for (k = 0; k < CANDIDATES && status == DPPAIR_OK; k++)
    if (votes[k] > votes[best]) best = k;
  if (status == DPPAIR_OK) {
    memcpy(out->theta, w + best * d, d * sizeof *w);
    out->steps = best < CANDIDATES ? lengths[best] : 0;
  }
  free(w);
  return status;
}

/* --- random stopping -------------------------------------------------------------------------- */

typedef struct stopping {
  task each;                /* what one run is: all records, shuffled */
  double eta, gamma, delta; /* the law of K; what of delta it is charged with */
  double train, count;      /* mu of the descent and of the count */
  dppair_accountant one;    /* what a run spends at most */
} stopping;

/* The largest mu of a run, from public numbers: by bisection. *pays: more than halving has. */
static dppair_status stopping_open(stopping *s, int *pays, const task *t) {
  double low = 0, high, mu;
  int i;
  dppair_status status = task_mu(&mu, t);
  s->each = *t;
  s->eta = 1;
  s->delta = t->delta * (1 - 1e-9);
  if (status == DPPAIR_OK) status = dppair_selection_gamma(&s->gamma, s->eta, 2 * (CANDIDATES + 1));
  if (status != DPPAIR_OK) return status;
  for (i = 0, high = mu; i < 45; i++) {
    const double middle = (low + high) / 2;
    dppair_interval epsilon;
    status = run_account(&s->one, &s->each, middle);
    if (status != DPPAIR_OK) return status;
    status = dppair_selection_epsilon(&epsilon, &s->one, s->eta, s->gamma, s->delta, NULL);
    if (status == DPPAIR_OK && epsilon.upper <= t->epsilon)
      low = middle;
    else
      high = middle;
  }
  s->train = sqrt(0.8) * low * (1 - 1e-9);
  s->count = sqrt(0.2) * low * (1 - 1e-9);
  *pays = s->train > mu / sqrt((double)CANDIDATES) / 2;
  return low > 0 ? run_account(&s->one, &s->each, low) : DPPAIR_OK;
}

/* One run: its weights, the candidate, the noise of its descent, its noisy count. */
static dppair_status stopping_run(model *run, double *score, stopping *s) {
  const size_t d = s->each.train.d;
  size_t candidate = 0, k;
  spending spent;
  dppair_status status = task_draws(&candidate, 1, CANDIDATES + 1, &s->each);
  if (status == DPPAIR_OK) status = spending_begin(&spent, &s->each);
  if (status != DPPAIR_OK) return status;
  if (candidate < CANDIDATES) {
    s->each.with.steps = lengths[candidate];
    status = gd_train(run, &spent, &s->each, s->train);
    run->sigma = spent.release.sigma;
  } else {
    status = model_allocate(run, d, d);
    for (k = 0; k < d && status == DPPAIR_OK; k++) run->theta[k] = 1;
  }
  if (status == DPPAIR_OK) status = spend_part(&spent, 1, s->count, 0);
  if (status == DPPAIR_OK) {
    *score = agreement(run->theta, &s->each.train, 0);
    status = spend_on(score, 1, 2, &spent);
  }
  if (status == DPPAIR_OK && !s->each.with.noiseless &&
      !(spent.account.gaussian <= s->one.gaussian))
    status = DPPAIR_ERR_NO_PROOF;
  spending_end(&spent);
  return status;
}

/* The first of the best of K runs. */
static dppair_status stopping_runs(model *out, stopping *s) {
  uint64_t runs = 0, k;
  double best = 0;
  dppair_status status = dppair_draw_runs(&runs, s->eta, s->gamma, s->each.indices);
  for (k = 0; k < runs && status == DPPAIR_OK; k++) {
    model run;
    double score = 0;
    memset(&run, 0, sizeof run);
    status = stopping_run(&run, &score, s);
    if (status == DPPAIR_OK && (k == 0 || score > best)) {
      best = score;
      memcpy(out->theta, run.theta, run.size * sizeof *run.theta);
      out->sigma = run.sigma;
      out->steps = run.steps;
    }
    model_free(&run);
  }
  return status;
}

static dppair_status stopping_claim(model *out, const stopping *s, const task *t) {
  const double sigma = out->sigma;
  spending spent;
  dppair_status status = spending_begin(&spent, t);
  if (status == DPPAIR_OK && !t->with.noiseless)
    status =
        dppair_accountant_selection(&spent.account, &s->one, s->eta, s->gamma, s->delta, NULL);
  if (status == DPPAIR_OK) status = spend_claim(out, &spent);
  spending_end(&spent);
  out->sigma = sigma;
  return status;
}

static dppair_status train_stopping(model *out, const task *t) {
  const size_t n = t->train.n, d = t->train.d;
  static stopping s;
  double *x;
  int pays = 0;
  dppair_status status = stopping_open(&s, &pays, t);
  if (status != DPPAIR_OK) return status;
  if (!pays) return train_selection(out, t);
  x = malloc((n * d + n) * sizeof *x);
  if (x == NULL) return DPPAIR_ERR_OVERFLOW;
  status = model_allocate(out, d, d);
  if (status == DPPAIR_OK) status = shuffled(x, x + n * d, t);
  s.each.train.x = s.each.train.raw = x;
  s.each.train.y = x + n * d;
  if (status == DPPAIR_OK) status = stopping_runs(out, &s);
  if (status == DPPAIR_OK) status = stopping_claim(out, &s, t);
  free(x);
  return status;
}

const method method_selection = {"selection",
                                 "tunes gd's steps privately on half of the records",
                                 "the chosen weights, and which candidate was chosen",
                                 OFFERS_LOSS | OFFERS_STEP_SIZE | OFFERS_RADIUS |
                                     OFFERS_PARAM_RADIUS,
                                 0,
                                 train_selection};

const method method_stopping = {"selection-stopping",
                                "tunes gd's steps privately: the best of a random number of runs",
                                "the chosen weights, and which candidate was chosen",
                                OFFERS_LOSS | OFFERS_STEP_SIZE | OFFERS_RADIUS |
                                    OFFERS_PARAM_RADIUS,
                                0,
                                train_stopping};
