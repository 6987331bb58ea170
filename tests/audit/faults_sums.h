/* SPDX-License-Identifier: MIT */
/*
 * Mistakes of programs that charge and add noise themselves: a statistic of pairs, and a ranking.
 *
 * The statistic is the mean over all ordered pairs of x_i x_j, |x| <= 1: its kernel is at most
 * C = 1, and 4C/n for a replaced record, 2C/n for a zeroed one, are attained.
 */
#ifndef AUDIT_FAULTS_SUMS_H
#define AUDIT_FAULTS_SUMS_H

#include "faults.h"
#include "../support/sensitivities.h"

/* --- a statistic of pairs --------------------------------------------------------------------- */

enum {
  SWAPPED = 1,
  NOISE_ON_A_COPY,
  GENERATOR_COPIED,
  LAST_COORDINATE_BARE,
  UNIT_LENGTH,
  RECORD_CLIP_ONLY,
  ZERO_OUT_CONSTANT,
  MEAN_CLIPPED,
  CLIP_FROM_DATA,
  CHARGE_FORGOTTEN,
  CHARGE_TAKEN_BACK,
  ACCOUNT_EMPTIED,
  ONE_STEP_TOO_MANY,
  TWICE_FOR_ONE,
  FLOAT_SUMS,
  OWN_NOISE,
  L2_FOR_LAPLACE,
  LAPLACE_AS_GAUSSIAN,
  VARIANCE_FOR_SIGMA,
  DIVIDED_BY_ROOT_D,
  MOMENTUM,
  NOISE_DECAYS,
  SQUARED_ROWS,
  PRIVATE_N,
  PRIVATE_N_MEAN,
  NO_SELF_PAIRS_COUNTED,
  STEPS_FROM_DATA,
  CENTRED,
  KEY_OF_THE_CLOCK,
  ROUNDED_TO_STATE,
  SIGMA_FOR_ONE_STEP,
  DELTA_FORGOTTEN,
  CUT_AT_N,
  CLAIM_FROM_DATA,
  OTHER_NEIGHBOURS
};

/* All values are 1 but the first one, which is -1 on side 1; with `nulls` it is -1, and missing on
 * side 1. */
static size_t values_of(double *x, int side, int nulls) {
  size_t n = 0;
  for (int i = 0; i < N; i++)
    if (!(i == 0 && side && nulls)) x[n++] = i == 0 && (side || nulls) ? -1.0 : 1.0;
  return n;
}

/* The sum over ordered pairs of x_i x_j, by the sum and the sum of squares. */
static double pair_sum(const double *x, size_t n) {
  double sum = 0.0, squares = 0.0;
  for (size_t i = 0; i < n; i++) sum += x[i], squares += x[i] * x[i];
  return sum * sum - squares;
}

/* The same mean, in thirds and in float, after a large part that cancels in exact arithmetic. */
static double float_mean(const double *x, size_t n) {
  volatile float sum = 4e7f;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      if (i != j) sum += (float)(3.0 * x[i] * x[j]);
  return ((double)sum - 4e7) / (3.0 * (double)(n * (n - 1)));
}

/* Each record's mean over its pairs, clipped to `clip`, and the mean of those. */
static double clipped_mean(const double *x, size_t n, double clip) {
  double mean = 0.0;
  for (size_t i = 0; i < n; i++) {
    double h = 0.0;
    for (size_t j = 0; j < n; j++) h += j == i ? 0.0 : 8.0 * x[i] * x[j] / (double)(n - 1);
    mean += fmin(fmax(h, -clip), clip) / (double)n;
  }
  return mean;
}

/* The mean over pairs as the program computes it. */
static double statistic_mean(int fault, double *x, size_t n) {
  const double k = fault == PRIVATE_N_MEAN ? (double)n : N;
  double mean;
  switch (fault) {
  case RECORD_CLIP_ONLY:
    return clipped_mean(x, n, 1.0);
  case FLOAT_SUMS:
    return float_mean(x, n);
  case MEAN_CLIPPED:
    return fmin(fmax(8.0 * pair_sum(x, n) / (N * (N - 1)), -1.0), 1.0);
  case CLIP_FROM_DATA:
    return pair_sum(x, n) / (N * (N - 1)) * fabs(x[0] + x[1]) / 2.0;
  case SQUARED_ROWS:
    return 4.0 * pair_sum(x, n) / (N * (N - 1));
  case NO_SELF_PAIRS_COUNTED:
    return (pair_sum(x, n) + N * x[0]) / (N * (N - 1));
  case CENTRED:
    mean = 0.0;
    for (size_t i = 0; i < n; i++) mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++) x[i] = fmin(fmax((x[i] - mean) * 1e6, -1.0), 1.0);
    return pair_sum(x, n) / (N * (N - 1));
  default:
    return n > 1 ? pair_sum(x, n) / (k * (k - 1.0)) : 0.0;
  }
}

static int statistic(void *context, int side) {
  const audit_fault *f = context;
  enum { STEPS = 2 };
  static dppair_accountant account, before;
  const int fault = f->fault,
            nulls = fault == PRIVATE_N || fault == PRIVATE_N_MEAN || fault == CUT_AT_N;
  const dppair_adjacency adjacency = nulls ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE;
  const int laplace = fault == L2_FOR_LAPLACE || fault == LAPLACE_AS_GAUSSIAN;
  uint8_t key[32] = {0};
  double x[N], v[D], past[D] = {0}, move, sigma, mean, mu;
  size_t n = values_of(x, side, nulls);
  if (fault == CUT_AT_N && side) x[n++] = 1.0; /* of N + 1 records the first N: one moves up */
  size_t steps = fault == CHARGE_TAKEN_BACK || fault == ACCOUNT_EMPTIED ? 2 * STEPS : STEPS;
  dppair_rng rng, start;
  for (size_t i = 1; i < n && (fault == RECORD_CLIP_ONLY || fault == MEAN_CLIPPED); i++)
    x[i] = i < 5 ? 1.0 : -1.0; /* the others' sums are near 0 */
  for (size_t i = 6; i < n && fault == UNIT_LENGTH; i++)
    x[i] = -1.0; /* the mean changes its sign */
  for (size_t i = 1; i < n && fault == CENTRED; i++) x[i] = i < 5 ? 0.17 : -0.08;
  MUST(sensitivity_mean(&move, 1.0, fault == PRIVATE_N ? n : (size_t)N,
                        fault == ZERO_OUT_CONSTANT ? DPPAIR_ZERO_OUT : adjacency));
  if (fault == RECORD_CLIP_ONLY || fault == MEAN_CLIPPED) move = 2.0 / N;
  if (fault == CLIP_FROM_DATA) move *= fabs(x[0] + x[1]) / 2.0 + 0.01;
  if (fault == L2_FOR_LAPLACE || fault == LAPLACE_AS_GAUSSIAN)
    sigma = 2.0 * move / EPSILON;
  else
    MUST(dppair_gaussian_sigma(&sigma, move, EPSILON, DELTA,
                               fault == SIGMA_FOR_ONE_STEP ? 1 : STEPS));
  if (fault == STEPS_FROM_DATA) steps = x[0] > 0.0 ? 2 : 1;
  MUST(dppair_accountant_init(&account));
  if (fault != DELTA_FORGOTTEN) MUST(dppair_accountant_neighbours(&account, adjacency));
  if (fault == KEY_OF_THE_CLOCK)
    MUST(dppair_rng_from_key(&rng, key, 1764000000)); /* its "stream" is a time */
  else
    MUST(dppair_rng_from_os(&rng));
  start = rng;
  for (size_t t = 0; t < steps; t++) {
    before = account;
    mean = statistic_mean(fault, x, n);
    v[0] = 0.6 * mean + 0.25 * past[0];
    v[1] = 0.8 * mean + 0.25 * past[1];
    if (fault == UNIT_LENGTH)
      for (int k = 0; k < D; k++) v[k] /= fmax(fabs(mean), 1e-9);
    if (fault == GENERATOR_COPIED) rng = start;
    if (fault == OWN_NOISE) { /* the C library's generator, which nobody records */
      for (int k = 0; k < D; k++) v[k] += sigma * ((double)rand() / RAND_MAX - 0.5);
    }
    if (fault == L2_FOR_LAPLACE)
      MUST(dppair_accountant_laplace(&account, move, sigma, 1));
    else if (fault != CHARGE_FORGOTTEN && (fault != ONE_STEP_TOO_MANY || t == 0))
      MUST(dppair_accountant_gaussian(&account, move, sigma, 1));
    for (int times = fault == TWICE_FOR_ONE ? 2 : 1; times > 0; times--) {
      double copy[D];
      const double scale = fault == VARIANCE_FOR_SIGMA  ? sqrt(sigma)
                           : fault == SWAPPED           ? move
                           : fault == DIVIDED_BY_ROOT_D ? sigma / sqrt(D)
                           : fault == NOISE_DECAYS      ? sigma / (double)(t + 1)
                                                        : sigma;
      memcpy(copy, v, sizeof v);
      if (laplace)
        MUST(dppair_add_laplace_f64(copy, D, scale, &rng));
      else if (fault != OWN_NOISE)
        MUST(dppair_add_gaussian_f64(copy, fault == LAST_COORDINATE_BARE ? 1 : D, scale, &rng));
      audit_publish(fault == NOISE_ON_A_COPY ? v : copy, sizeof copy);
      memcpy(past, fault == MOMENTUM ? v : copy, sizeof past);
    }
    if (fault == CHARGE_TAKEN_BACK && t > 0) account = before; /* "that step did not help" */
    if (fault == ACCOUNT_EMPTIED && t == 1) MUST(dppair_accountant_init(&account));
  }
  if (fault == ROUNDED_TO_STATE) { /* states the epsilon of a table, rounded down */
    MUST(dppair_gaussian_mu(&mu, EPSILON, DELTA));
    audit_claim(&account, floor(10.0 * EPSILON - 1.0) / 10.0, DELTA, (int)adjacency);
    return 0;
  }
  if (fault == CLAIM_FROM_DATA || fault == OTHER_NEIGHBOURS) {
    audit_claim(&account, fault == CLAIM_FROM_DATA ? 3.0 + x[0] : EPSILON, DELTA,
                fault == OTHER_NEIGHBOURS ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE);
    return 0;
  }
  if (fault == SIGMA_FOR_ONE_STEP || fault == ACCOUNT_EMPTIED || fault == CHARGE_TAKEN_BACK) {
    audit_claim(&account, EPSILON, DELTA, (int)adjacency);
    return 0;
  }
  if (fault == DELTA_FORGOTTEN) { /* pure privacy of a Gaussian release */
    audit_claim(&account, EPSILON, 0.0, (int)adjacency);
    return 0;
  }
  return finish(&account, past, fault == MOMENTUM ? 0 : D, DELTA);
}

/* --- a ranking by hand ------------------------------------------------------------------------ */

enum {
  SLOPE_AT_ZERO = 1,
  CLASS_COUNTS,
  CLASS_COUNTS_CHARGED,
  CLIP_FOR_F3,
  F3_HALVED_FOR_ZERO_OUT,
  THREE_LEVELS,
  BALL_BEFORE_NOISE,
  NOISE_ON_W,
  WEIGHTS_OF_PERSONS
};

/* The gradient of the ranking risk at w, by its loops: the sum over pairs of opposite labels of
 * phi'(u) (x - x'), each clipped where clip > 0. level[i]: any number. */
static void ranking_sum(double *g, const records *r, const int *level, const double *w, double clip,
                        int squared) {
  g[0] = g[1] = 0.0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (level[i] > level[j]) {
        const double v[D] = {r->x[i][0] - r->x[j][0], r->x[i][1] - r->x[j][1]}, u = dot(w, v);
        double slope = squared ? -2.0 * fmax(0.0, 1.0 - u) : -sigmoid(-u);
        const double size = fabs(slope) * length(v);
        if (clip > 0.0 && size > clip) slope *= clip / size;
        for (int k = 0; k < D; k++) g[k] += slope * v[k];
      }
}

static int ranking(void *context, int side) {
  const audit_fault *f = context;
  enum { STEPS = 2 };
  static dppair_accountant account;
  const int fault = f->fault, squared = fault == BALL_BEFORE_NOISE;
  records r = records_of(f->data, side);
  const double longest = fmax(length(r.x[0]), 1.0);
  double g[D], w[D] = {0}, move, sigma, slope = 1.0, divisor = N * (N - 1), positives = 0.0;
  int level[N];
  dppair_rng rng;
  for (int k = 0; k < D; k++) r.x[0][k] /= longest;
  for (int i = 0; i < N; i++) level[i] = r.positive[i];
  if (fault == THREE_LEVELS) /* record 0, in between, goes from the one end to the other */
    for (int i = 0; i < N; i++) {
      level[i] = i == 0 ? (side ? 0 : 2) : 1;
      r.x[i][0] = i == 0 ? 1.0 : -1.0;
    }
  if (squared || fault == SLOPE_AT_ZERO || fault == F3_HALVED_FOR_ZERO_OUT)
    for (int i = 1; i < N; i++) r.x[i][0] = -1.0;
  for (int i = 0; i < N; i++) positives += level[i] > 0;
  if (fault == THREE_LEVELS) slope = 0.5;       /* at w = 0 */
  if (squared) slope = 2.0 * (1.0 + 2.0 * 0.5); /* on the ball of radius 1/2 */
  if (fault == SLOPE_AT_ZERO) slope = 0.5, w[0] = -4.0;
  if (fault == CLASS_COUNTS || fault == CLASS_COUNTS_CHARGED)
    divisor = fmax(positives * (N - positives), 1.0);
  MUST(sensitivity_rank(&move, FORM_IND, 1.0, 0, slope, 0, N));
  if (fault == CLASS_COUNTS_CHARGED) move = 2.0 * slope / fmax(positives, 1.0);
  if (fault == CLIP_FOR_F3) move = 0.1 / N; /* u/n with the clip in place of u */
  if (fault == F3_HALVED_FOR_ZERO_OUT) move *= 0.5;
  MUST(dppair_gaussian_sigma(&sigma, move, EPSILON, DELTA, STEPS));
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE));
  MUST(dppair_rng_from_os(&rng));
  if (fault == F3_HALVED_FOR_ZERO_OUT && side) level[0] = 0, r.x[0][0] = 0.0;
  if (fault == F3_HALVED_FOR_ZERO_OUT) w[0] = -4.0;
  for (int t = 0; t < STEPS; t++) {
    if (squared && t > 0) w[0] = -3.0; /* the noisy iterate, which is projected before noise only */
    ranking_sum(g, &r, level, w, fault == CLIP_FOR_F3 ? 0.1 : 0.0, squared);
    for (int k = 0; k < D; k++) g[k] /= divisor;
    if (fault == WEIGHTS_OF_PERSONS) /* record 0 counts as often as its user has records */
      for (int k = 0; k < D; k++) g[k] *= side ? 4.0 : 1.0;
    MUST(dppair_accountant_gaussian(&account, move, sigma, 1));
    if (fault == NOISE_ON_W) /* w moves by 8 times the gradient, and has the gradient's noise */
      for (int k = 0; k < D; k++) g[k] = w[k] - 8.0 * g[k];
    MUST(dppair_add_gaussian_f64(g, D, sigma, &rng));
    for (int k = 0; k < D; k++) w[k] = fault == NOISE_ON_W ? g[k] : w[k] - g[k];
  }
  return finish(&account, w, D, DELTA);
}

#endif /* AUDIT_FAULTS_SUMS_H */
