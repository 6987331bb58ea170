/* SPDX-License-Identifier: MIT */
/*
 * selection: what tuning really costs. Candidates (descents of 1, 4, 16 and 64 steps, and the plain
 * sum of the features) are trained on half of the records and one is chosen on the other half.
 *
 * The halves are fixed by index. A record of the first half is seen by the K trained candidates
 * only, each with mu/sqrt(K); a record of the second half only by the choice, which is epsilon-DP
 * by itself. What the second half computes from the candidates is post-processing for the first,
 * and for the second half the candidates are fixed: so the whole is (epsilon, delta)-DP for one
 * replaced record wherever it lies.
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

extern const method method_gd;

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

/* The epsilon at which a descent spends mu/sqrt(CANDIDATES) of the budget's mu. */
static dppair_status candidate_budget(double *epsilon, const task *t) {
  double mu;
  dppair_status status = task_mu(&mu, t);
  if (status != DPPAIR_OK) return status;
  return dppair_gaussian_epsilon(epsilon, t->delta, mu / sqrt((double)CANDIDATES) * (1 - 1e-12));
}

static dppair_status train_selection(model *out, const task *t) {
  size_t d = t->train.d, half = t->train.n / 2, k, best = CANDIDATES;
  double *w = malloc((CANDIDATES + 1) * d * sizeof *w), votes[CANDIDATES + 1] = {0}, epsilon = 0;
  task part = *t;
  dppair_status status = w == NULL ? DPPAIR_ERR_OVERFLOW : model_allocate(out, d, d);
  part.train.n = half;
  if (status == DPPAIR_OK) status = candidate_budget(&epsilon, t);
  /* a small share of delta may allow no epsilon >= 0 below it; then the curve says 0 */
  part.epsilon = fmax(epsilon * (1 - 1e-12), 1e-9);
  for (k = 0; k < CANDIDATES && status == DPPAIR_OK; k++) {
    model one;
    part.with.steps = lengths[k];
    status = method_train(&one, &method_gd, &part);
    if (status != DPPAIR_OK) break;
    memcpy(w + k * d, one.theta, d * sizeof *w);
    votes[k] = agreement(one.theta, &t->train, half);
    out->sigma = one.sigma;
    model_free(&one);
  }
  for (k = 0; k < d && status == DPPAIR_OK; k++) w[CANDIDATES * d + k] = 1;
  if (status == DPPAIR_OK) {
    votes[CANDIDATES] = agreement(w + CANDIDATES * d, &t->train, half);
    if (!t->with.noiseless)
      status = dppair_add_laplace_f64(votes, CANDIDATES + 1, 4 / t->epsilon * (1 + 8 * DBL_EPSILON),
                                      t->noise);
  }
  for (k = 0; k < CANDIDATES && status == DPPAIR_OK; k++)
    if (votes[k] > votes[best]) best = k;
  if (status == DPPAIR_OK) {
    memcpy(out->theta, w + best * d, d * sizeof *w);
    out->steps = best < CANDIDATES ? lengths[best] : 0;
    out->epsilon = t->with.noiseless ? HUGE_VAL : t->epsilon;
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
