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
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/pairs.h"

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

const method method_selection = {"selection",
                                 "tunes gd's steps privately on half of the records",
                                 "the chosen weights, and which candidate was chosen",
                                 OFFERS_LOSS | OFFERS_STEP_SIZE | OFFERS_RADIUS |
                                     OFFERS_PARAM_RADIUS,
                                 0,
                                 train_selection};
