/* SPDX-License-Identifier: MIT */
/* More programs that charge and add noise themselves: batches, minimisers, filters, the choice of a
 * winner, evaluation. Their statistic of pairs is that of faults_sums.h. */
#ifndef AUDIT_FAULTS_BY_HAND_H
#define AUDIT_FAULTS_BY_HAND_H

#include "faults_sums.h"

/* --- batches by hand -------------------------------------------------------------------------- */

enum {
  BY_DRAWN_PAIRS = 1,
  BY_A_CONSTANT,
  NO_DRAW,
  LOWER_RATE,
  OTHER_SCHEME,
  ONE_DRAW_TWO_RELEASES,
  ZEROED_WITHOUT_REPLACEMENT,
  SIGMA_FROM_BATCH,
  FULL_BATCHES_SKIPPED,
  BATCH_CUT,
  SHUFFLED_EPOCHS,
  PERSONS_BY_RECORDS,
  ZEROED_TRIPLES,
  OWN_COINS,
  ORDER_AS_POISSON,
  RATE_FROM_DATA
};

/* What is charged and drawn: Poisson samples with nulls, or m of n without replacement. */
static int batch_scheme(dppair_sampling *draw, dppair_sampling *charge, int fault) {
  const int without =
      fault == ZEROED_WITHOUT_REPLACEMENT || fault == PERSONS_BY_RECORDS || fault == ZEROED_TRIPLES;
  const dppair_adjacency adjacency = without ? DPPAIR_REPLACE_ONE : DPPAIR_ZERO_OUT;
  *draw = without ? dppair_sampling_without_replacement(N, N / 2, adjacency)
                  : dppair_sampling_poisson(N, N / 2, adjacency);
  *charge = *draw;
  if (fault == LOWER_RATE) *charge = dppair_sampling_poisson(N, N / 4, adjacency);
  if (fault == OTHER_SCHEME) *draw = dppair_sampling_without_replacement(N, N / 2, adjacency);
  return without;
}

/* The mean over groups of three of a vector of length 1 that the sign of their product turns; a
 * null counts as 0, so its group still has one. */
static double triples_mean(const double *x, const size_t *index, size_t count) {
  double sum = 0.0;
  size_t groups = 0;
  for (size_t i = 0; i + 2 < count; i += 3, groups++)
    sum += x[index[i]] + x[index[i + 1]] + x[index[i + 2]] > 2.5 ? 1.0 : -1.0;
  return groups > 0 ? sum / (double)groups : 0.0;
}

static int batches_by_hand(void *context, int side) {
  const audit_fault *f = context;
  enum { STEPS = 40 };
  static dppair_accountant account;
  const int fault = f->fault;
  dppair_sampling draw, charge;
  dppair_rng noise, coins;
  double x[N], v = 0.0, move, sigma, m = N / 2.0;
  const int without = batch_scheme(&draw, &charge, fault);
  const double zeroed = fault == PERSONS_BY_RECORDS || fault == ZEROED_TRIPLES ? -1.0 : 0.0;
  size_t order[N];
  if (fault == RATE_FROM_DATA) draw.m = side ? N / 2 + 1 : N / 2; /* of a class: it is not public */
  for (int i = 0; i < N; i++) {
    const int his = i == 0 || (fault == PERSONS_BY_RECORDS && i < 3);
    x[i] = his ? (side ? zeroed : -1.0) : 1.0;
    if (fault == PERSONS_BY_RECORDS && his) x[i] = side ? -1.0 : 1.0;
    if (fault == ZEROED_TRIPLES && his) x[i] = side ? 0.0 : 1.0;
    order[i] = (size_t)i;
  }
  move = 3.0 / m; /* one record is added or zeroed: 3C/m */
  if (without) move = fault == PERSONS_BY_RECORDS ? 4.0 / m : 2.0 / m;
  if (fault == ZEROED_WITHOUT_REPLACEMENT && side) x[0] = 1.0; /* what this scheme must cover */
  if (fault == ZEROED_TRIPLES) move = 1.0;
  if (fault != PERSONS_BY_RECORDS) audit_differs(0);
  MUST(dppair_accountant_init(&account));
  MUST(dppair_rng_from_os(&noise));
  MUST(dppair_rng_from_os(&coins));
  if (fault == ORDER_AS_POISSON) MUST(dppair_shuffle(order, N, &coins));
  for (size_t t = 0; t < STEPS; t++) {
    size_t index[N], drawn = N, count = 0;
    double batch[N], pairs;
    for (size_t i = 0; i < N; i++) index[i] = i;
    if (fault == OWN_COINS) { /* a linear congruence, and the records by themselves */
      drawn = 0;
      for (size_t i = 0; i < N; i++)
        if ((i * 7 + t * 5) % 2 == 0) index[drawn++] = i;
    } else if (fault == ORDER_AS_POISSON) {
      drawn = N / 2;
      for (size_t i = 0; i < drawn; i++) index[i] = order[(t % 2) * drawn + i];
    } else if (fault != NO_DRAW && (fault != ONE_DRAW_TWO_RELEASES || t % 2 == 0)) {
      MUST(dppair_draw(index, &drawn, N, &draw, &coins));
    }
    for (size_t i = 0; i < drawn; i++) /* nulls are 0 and count nowhere */
      if (x[index[i]] != 0.0 && (fault != BATCH_CUT || count < 3)) batch[count++] = x[index[i]];
    pairs = fault == BY_DRAWN_PAIRS || fault == SIGMA_FROM_BATCH
                ? (double)count * ((double)count - 1.0)
            : fault == BY_A_CONSTANT || without ? m * (m - 1.0)
                                                : m * ((double)count - 1.0);
    v = fault == ZEROED_TRIPLES ? triples_mean(x, index, drawn)
        : count > 1             ? pair_sum(batch, count) / pairs
                                : 0.0;
    if (fault == SIGMA_FROM_BATCH) move = 4.0 / fmax((double)count, 1.0);
    if (fault == FULL_BATCHES_SKIPPED && count > N / 2) continue;
    sigma = 2.0 * move;
    MUST(dppair_accountant_sampled_gaussian(&account, charge, move, sigma, 1));
    MUST(dppair_add_gaussian_f64(&v, 1, sigma, &noise));
  }
  return finish(&account, &v, 1, DELTA);
}

/* --- output perturbation ---------------------------------------------------------------------- */

enum {
  HALF_THE_MOVE = 1,
  GAMMA_OF_TWO,
  ITERATES_PUBLISHED,
  STOPS_WHEN_FLAT,
  REFUSES_WHEN_SLOW,
  STEP_TOO_LONG,
  WARM_START
};

/* Descent on mean + lam w^2/2, a linear loss: its minimiser moves by 4C/(lam n), no further. */
static int minimiser(void *context, int side) {
  const audit_fault *f = context;
  static dppair_accountant account;
  const int fault = f->fault;
  const double lam = 0.5;
  double x[N], w = 0.0, move, sigma, eta = 0.5;
  const size_t n = values_of(x, side, 0);
  size_t steps = 12;
  const double mean = pair_sum(x, n) / (N * (N - 1));
  dppair_rng rng;
  move = 4.0 / (lam * N);
  if (fault == HALF_THE_MOVE) move *= 0.5;
  if (fault == GAMMA_OF_TWO) move = 4.0 / (2.0 * lam * N); /* for lam w^2, not for half of it */
  if (fault == STEP_TOO_LONG) eta = 4.5; /* above 2/lam: each step doubles the distance */
  if (fault == WARM_START) w = 20.0 * x[0] * x[1], steps = 3; /* an earlier fit to these data */
  MUST(dppair_gaussian_sigma(&sigma, move, EPSILON, DELTA, 1));
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE));
  MUST(dppair_rng_from_os(&rng));
  for (size_t t = 0; t < steps; t++) {
    const double g = mean + lam * w;
    if (fault == STOPS_WHEN_FLAT && fabs(g) < 0.1) {
      audit_publish(&t, sizeof t); /* "converged after t steps" */
      break;
    }
    w -= eta * g;
    if (fault == ITERATES_PUBLISHED) audit_publish(&w, sizeof w);
  }
  if (fault == REFUSES_WHEN_SLOW && fabs(mean + lam * w) > 0.02) return 2;
  MUST(dppair_accountant_gaussian(&account, move, sigma, 1));
  MUST(dppair_add_gaussian_f64(&w, 1, sigma, &rng));
  return finish(&account, &w, 1, DELTA);
}

/* --- the last iterate: charged once, and only it may leave ------------------------------------ */

enum { INNER_ITERATES = 1, SMALL_DOMAIN };

static int last_iterate(void *context, int side) {
  const audit_fault *f = context;
  enum { STEPS = 4 };
  static dppair_accountant account;
  const double lam = 0.5, eta = 1.0, c = 1.0 - eta * lam, move = 4.0 / N, q = pow(c, STEPS);
  const double mu = sqrt((1.0 - q) / (1.0 + q) * (1.0 + c) / (1.0 - c));
  double x[N], v, w = 0.0, sigma, total = 0.0;
  const double mean = pair_sum(x, values_of(x, side, 0)) / (N * (N - 1));
  dppair_rng rng;
  MUST(dppair_gaussian_sigma(&sigma, mu * move, EPSILON, DELTA, 1));
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE));
  MUST(dppair_rng_from_os(&rng));
  if (f->fault != SMALL_DOMAIN) MUST(dppair_accountant_gaussian(&account, mu * move, sigma, 1));
  if (f->fault == INNER_ITERATES) {
    for (int t = 0; t < STEPS; t++) {
      double g = mean + lam * w;
      MUST(dppair_add_gaussian_f64(&g, 1, sigma, &rng));
      w -= eta * g; /* published, each of them */
    }
    return finish(&account, &w, 1, DELTA);
  }
  if (f->fault == SMALL_DOMAIN) { /* d = 0.04, steps of 4 at noise 1: mu^2 = 4 d 4 = 0.64 */
    v = side ? -2.0 : 2.0;
    MUST(dppair_accountant_gaussian(&account, 0.8, 1.0, 1));
    MUST(dppair_add_gaussian_f64(&v, 1, 1.0, &rng));
    w = fmin(fmax(v, -0.02), 0.02);
    return finish(&account, &w, 1, DELTA);
  }
  /* of a quadratic the last iterate is one Gaussian: its mean, and the sum of the powers of c */
  for (int t = 0; t < STEPS; t++) {
    w -= eta * (mean + lam * w);
    total = c * c * total + eta * eta;
  }
  w /= sqrt(total);
  MUST(dppair_add_gaussian_f64(&w, 1, sigma, &rng));
  return finish(&account, &w, 1, DELTA);
}

/* --- filters ---------------------------------------------------------------------------------- */

enum { NOT_ASKED = 1, CHARGED_BY_ITS_PAIRS, ACTIVE_PRINTED, RENORMALISED, SPENT_AFTER };

/* A run whose noise follows what was released, within the budget of a filter. */
static int filter(void *context, int side) {
  const audit_fault *f = context;
  static dppair_accountant account;
  const double move = 4.0 / N;
  double x[N], v = 1.0;
  const double mean = pair_sum(x, values_of(x, side, 0)) / (N * (N - 1));
  dppair_filter budget;
  dppair_rng rng;
  MUST(dppair_filter_init(&budget, EPSILON, DELTA, 0.0));
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE));
  MUST(dppair_rng_from_os(&rng));
  for (int t = 0; t < 40; t++) {
    const double sigma = move * (3.0 + fmin(fabs(v), 9.0)), mu = move / sigma;
    dppair_status status = DPPAIR_OK;
    if (f->fault != NOT_ASKED && f->fault != SPENT_AFTER)
      status = dppair_filter_step(&budget, mu * mu);
    if (status == DPPAIR_ERR_EXHAUSTED) break;
    MUST(status);
    MUST(dppair_accountant_gaussian(&account, move, sigma, 1));
    v = mean;
    MUST(dppair_add_gaussian_f64(&v, 1, sigma, &rng));
    if (f->fault == SPENT_AFTER && dppair_filter_step(&budget, mu * mu) != DPPAIR_OK) break;
  }
  audit_publish(&v, sizeof v);
  audit_claim(&account, EPSILON, DELTA, DPPAIR_REPLACE_ONE);
  return 0;
}

/* A budget for each record, of which what it costs is a function of its own value alone. Record 0
 * is zeroed. */
static int individual(void *context, int side) {
  const audit_fault *f = context;
  enum { STEPS = 4 };
  static dppair_accountant account;
  const double sigma = 1.0, move = 2.0 / N, b = 0.1;
  double spent[N] = {0}, cost[N], x[N], v;
  unsigned char active[N];
  dppair_rng rng;
  const double budget = STEPS * 2.0 / (N * N * sigma * sigma) * (1.0 + 1e-9);
  memset(active, 1, sizeof active);
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, DPPAIR_ZERO_OUT));
  MUST(dppair_rng_from_os(&rng));
  for (int i = 0; i < N; i++) x[i] = i > 0 ? 1.0 : side ? 0.0 : f->fault == RENORMALISED ? -1.0 : b;
  for (int t = 0; t < STEPS; t++) {
    size_t left = 0;
    v = 0.0;
    for (int i = 0; i < N; i++) { /* |x_i| times the largest partner, which is public: 1 */
      double others = 0.0;
      for (int j = 0; j < N; j++) others += i != j ? x[j] : 0.0;
      cost[i] = fabs(x[i]) * (f->fault == CHARGED_BY_ITS_PAIRS ? fabs(others) / (N - 2) : 1.0);
    }
    MUST(dppair_individual_step(spent, active, cost, N, sigma, budget));
    for (int i = 0; i < N; i++) {
      double others = 0.0;
      for (int j = 0; j < N; j++) others += i != j && active[j] ? x[j] : 0.0;
      v += active[i] ? x[i] * others : 0.0;
      left += active[i] && x[i] != 0.0;
    }
    v /= f->fault == RENORMALISED ? fmax((double)left * ((double)left - 1.0), 1.0) : N * (N - 1);
    MUST(dppair_accountant_gaussian(&account, move, sigma, 1));
    MUST(dppair_add_gaussian_f64(&v, 1, sigma, &rng));
    if (f->fault == ACTIVE_PRINTED) audit_publish(spent, sizeof spent);
  }
  return finish(&account, &v, 1, DELTA);
}

/* --- the best of three ------------------------------------------------------------------------ */

enum { EXACT_WINNER = 1, WINNERS_SCORE, ONE_SCORE_CHARGED, SCORES_MEAN_OVER_CLASS };

static int winner(void *context, int side) {
  const audit_fault *f = context;
  enum { K = 3 };
  static dppair_accountant account;
  const records r = records_of(f->data, side);
  double score[K], noisy[K], positives = 0.0, move = K * 1.0 / N, scale;
  size_t best = 0;
  dppair_rng rng;
  for (int i = 0; i < N; i++) positives += r.positive[i];
  for (int k = 0; k < K; k++) { /* the share of records that candidate k gets right */
    score[k] = 0.0;
    for (int i = 0; i < N; i++)
      score[k] += (double)(k == 0   ? r.x[i][0] > 0.0
                           : k == 1 ? r.x[i][0] < 0.0
                                    : r.x[i][0] > 2.0) /
                  (f->fault == SCORES_MEAN_OVER_CLASS ? fmax(positives, 1.0) : N);
    noisy[k] = score[k];
  }
  if (f->fault == ONE_SCORE_CHARGED) move = 1.0 / N;
  if (f->fault == ONE_SCORE_CHARGED) /* all candidates win or lose the record together */
    for (int k = 0; k < K; k++) noisy[k] = score[k] = r.x[0][0] > 0.0 ? 1.0 : 1.0 - 1.0 / N;
  scale = move / EPSILON;
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE));
  MUST(dppair_rng_from_os(&rng));
  MUST(dppair_accountant_laplace(&account, move, scale, 1));
  MUST(dppair_add_laplace_f64(noisy, K, scale, &rng));
  for (size_t k = 1; k < K; k++) {
    const double *by = f->fault == EXACT_WINNER ? score : noisy;
    if (by[k] > by[best]) best = k;
  }
  audit_publish(&best, sizeof best);
  if (f->fault == WINNERS_SCORE) audit_publish(&score[0], sizeof *score);
  return finish(&account, noisy, K, 0.0);
}

/* --- evaluation ------------------------------------------------------------------------------- */

enum {
  AUC_ONE_OVER_N = 1,
  AUC_REALISED_COUNT,
  AUC_OF_ITS_OWN_MODEL,
  AUC_OF_A_PERSON,
  AUC_WITH_INTERVAL,
  AUC_OF_THREE_MODELS,
  AUC_THRESHOLD_TUNED,
  AUC_PARTIAL
};

/* The AUC, extended below a promise of m0 in each class so that one record moves it by 1/m0. */
static double extended_auc(const double *s, const int *positive, size_t n, size_t m0) {
  size_t p = 0;
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) p += (size_t)positive[i];
  const size_t q = n - p;
  const int few = p < m0 ? 1 : q < m0 ? -1 : 0; /* which class is below the promise */
  for (size_t i = 0; i < n; i++) {
    double c = 0.0;
    if (positive[i] != (few >= 0)) continue;
    for (size_t j = 0; j < n; j++)
      if (positive[j] != positive[i]) {
        const double u = positive[i] ? s[i] - s[j] : s[j] - s[i];
        c += u > 0.0 ? 1.0 : u < 0.0 ? 0.0 : 0.5;
      }
    if (few == 0)
      sum += c / ((double)p * (double)q);
    else
      sum += fmin(fmax((c - 0.5 * (double)(few > 0 ? q : p)) / (double)(n - m0), -0.5), 0.5) /
             (double)m0;
  }
  return few == 0 ? sum : 0.5 + sum;
}

/* Of the highest negative alone: the share of positives above it. */
static double highest_auc(const double *s, const int *positive) {
  double highest = -HUGE_VAL, above = 0.0, p = 0.0;
  for (int i = 0; i < N; i++) highest = positive[i] ? highest : fmax(highest, s[i]);
  for (int i = 0; i < N; i++) {
    above += positive[i] && s[i] > highest ? 1.0 : 0.0;
    p += positive[i];
  }
  return above / fmax(p, 1.0);
}

static int evaluation(void *context, int side) {
  const audit_fault *f = context;
  enum { M0 = 2 };
  static dppair_accountant account;
  records r = records_of(f->data, side);
  double s[N], value, move = 1.0 / M0, centre = 0.0, width;
  int positive[N];
  size_t p = 0;
  dppair_rng rng;
  for (int i = 1; i < N && f->fault == AUC_OF_ITS_OWN_MODEL; i++)
    r.x[i][0] = i < N / 2 ? 0.1 : 0.05, r.positive[i] = i < N / 2;
  for (int i = 0; i < N; i++) {
    s[i] = fmin(fmax(r.x[i][0], -1.0), 1.0);
    positive[i] = r.positive[i];
  }
  for (int i = 1; i < 3 && f->fault == AUC_OF_A_PERSON; i++) /* three records of one user */
    s[i] = s[0], positive[i] = positive[0];
  if (f->fault == AUC_OF_ITS_OWN_MODEL) { /* fitted to these records */
    for (int i = 0; i < N; i++) centre += (positive[i] ? 1.0 : -1.0) * s[i];
    for (int i = 0; i < N; i++) s[i] *= centre;
  }
  for (int i = 0; i < N; i++) p += (size_t)positive[i];
  const double least = fmax(1.0, fmin((double)p, (double)(N - p)));
  if (f->fault == AUC_ONE_OVER_N) move = 1.0 / N;
  if (f->fault == AUC_REALISED_COUNT) move = 1.0 / least;
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE));
  MUST(dppair_rng_from_os(&rng));
  MUST(dppair_accountant_laplace(&account, move, move / EPSILON, 1));
  for (int k = 0; k < (f->fault == AUC_OF_THREE_MODELS ? 3 : 1); k++) {
    value = f->fault == AUC_PARTIAL ? highest_auc(s, positive) : extended_auc(s, positive, N, M0);
    MUST(dppair_add_laplace_f64(&value, 1, move / EPSILON, &rng));
  }
  if (f->fault == AUC_WITH_INTERVAL) {
    width = 1.96 * sqrt(0.25 / least);
    audit_publish(&width, sizeof width);
  }
  if (f->fault == AUC_THRESHOLD_TUNED) {
    for (int i = 0; i < N; i++) centre += s[i] / N;
    audit_publish(&centre, sizeof centre);
  }
  return finish(&account, &value, 1, 0.0);
}

#endif /* AUDIT_FAULTS_BY_HAND_H */
