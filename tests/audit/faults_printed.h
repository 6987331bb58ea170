/* SPDX-License-Identifier: MIT */
/*
 * What papers print and what is not true of it: each as printed, on neighbours that break it; and,
 * where it holds in a range, inside of it. Not here, because nothing is released by it: bounds of
 * the expected error (Kang 2021, Theorems 2 and 3; Nie 2017, Proposition 3 and Theorem 3) and of an
 * approximation (Kang 2021, eq. 4 and Lemma 1; Kang 2023, Theorem 4).
 *
 * Pairs have the loss <w, x x'>, whose gradients are as long as they may be, G = 1: the mean over
 * ordered pairs moves by 4G/n, a minimiser by 4G/(lam n).
 */
#ifndef AUDIT_FAULTS_PRINTED_H
#define AUDIT_FAULTS_PRINTED_H

#include "faults_sums.h"

/* --- Gaussian noise by formulas --------------------------------------------------------------- */

enum {
  KANG2021_1 = 1,
  XUE2021_1,
  CLASSICAL,
  XUE2021_2,
  XUE2021_3,
  KANG2023_C,
  YANG2021_4,
  KANG2023_COORDINATES
};
enum { INSIDE = 0, OUTSIDE = 1 }; /* the range in which it holds: in place of `data` */

/* *sigma as printed, and what is released: times x the mean over pairs. */
static dppair_status printed_noise(double *sigma, double *times, const dppair_paper *paper,
                                   int fault) {
  dppair_paper_verdict verdict = {0.0, 0.0, 0, 0.0, 0.0};
  dppair_paper p = *paper;
  const dppair_status status = fault == CLASSICAL || fault == KANG2023_COORDINATES
                                   ? DPPAIR_OK
                                   : dppair_paper_check(&verdict, &p);
  *times = fault == XUE2021_3 ? p.eta * N : 1.0; /* n steps of eta; else alpha = 1 */
  *sigma = status == DPPAIR_OK ? verdict.noise_printed : 0.0;
  if (fault == CLASSICAL) *sigma = 4.0 / N * sqrt(2.0 * log(1.25 / p.delta)) / p.epsilon;
  if (fault == KANG2023_COORDINATES) /* each coordinate private by itself */
    return dppair_gaussian_sigma(sigma, 4.0 / N, p.epsilon, p.delta, 1);
  return status;
}

static int printed(void *context, int side) {
  const audit_fault *f = context;
  static dppair_accountant account;
  const int out = f->data == OUTSIDE, fault = f->fault;
  dppair_paper p;
  double x[N], v[D], sigma, times, move;
  const size_t size = fault == KANG2023_COORDINATES ? D : 1;
  dppair_rng rng;
  memset(&p, 0, sizeof p);
  p.n = N;
  p.steps = fault == YANG2021_4 ? N : 2;
  p.lipschitz = 1.0;
  p.delta = fault == YANG2021_4 ? 1e-4 : DELTA;
  p.epsilon = EPSILON;
  switch (fault) {
  case KANG2021_1:
    p.result = DPPAIR_KANG2021_THEOREM1, p.epsilon = out ? 30.0 : 20.0;
    break;
  case XUE2021_1:
    p.result = DPPAIR_XUE2021_ALG1, p.epsilon = out ? 100.0 : 60.0;
    break;
  case CLASSICAL:
    p.epsilon = out ? 16.0 : 1.0;
    break;
  case XUE2021_2:
    p.result = DPPAIR_XUE2021_ALG2, p.epsilon = out ? 4.0 : 2.0;
    break;
  case XUE2021_3:
    p.result = DPPAIR_XUE2021_ALG3, p.epsilon = out ? 9.0 : 7.0;
    break;
  case KANG2023_C:
    p.result = DPPAIR_KANG2023_THEOREM5;
    break;
  case YANG2021_4:
    p.result = DPPAIR_YANG2021_THEOREM4, p.epsilon = out ? 1e6 : 1.0;
    break;
  default:
    break;
  }
  p.alpha = fault == XUE2021_1 ? 1.0 : 0.0;
  p.eta = fault == XUE2021_3 || fault == YANG2021_4 ? 0.25 : 0.0;
  MUST(printed_noise(&sigma, &times, &p, fault));
  /* of stochastic descent over n pairs, record 0 first, the mean moves by 2 eta G at least */
  const double mean = times * pair_sum(x, values_of(x, side, 0)) / (N * (N - 1));
  move = times * 4.0 / N * (size > 1 ? sqrt(D) : 1.0) * (1.0 + 1e-14);
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE));
  MUST(dppair_rng_from_os(&rng));
  for (int t = 0; t < (fault == KANG2021_1 || fault == XUE2021_2 || fault == KANG2023_C ? 2 : 1);
       t++) {
    v[0] = v[1] = mean;
    MUST(dppair_accountant_gaussian(&account, move, sigma, 1));
    MUST(dppair_add_gaussian_f64(v, size, sigma, &rng));
  }
  audit_publish(v, size * sizeof *v);
  audit_claim(NULL, p.epsilon, p.delta, DPPAIR_REPLACE_ONE);
  return 0;
}

/* --- constants of a loss ---------------------------------------------------------------------- */

enum { METRIC_G_1 = 1, RANKING_G_2, METRIC_L_021, PROOF_BY_WHOLE_G };

static int constants(void *context, int side) {
  const audit_fault *f = context;
  static dppair_accountant account;
  static double work[16384];
  records r = records_of(f->data, side);
  double y[N], g[D * D] = {0}, w[D * D] = {0}, move = 4.0 / N, sigma;
  size_t size = D * D;
  dppair_rows_f64 rows;
  dppair_options options;
  dppair_rng rng;
  memset(&options, 0, sizeof options);
  options.work = work;
  options.bytes = sizeof work;
  if (f->fault == 0 || f->fault == PROOF_BY_WHOLE_G) move = 4.0 * 4.0 / N; /* G = 4 */
  if (f->fault == RANKING_G_2) { /* (y - y') w.(x - x'), |w| = 1: at the margin -4 */
    const double u = side ? 0.0 : sigmoid(4.0);
    g[0] = (double)(2 * (N - 1)) * u * 2.0 * 2.0 / (N * (N - 1)); /* record 0, +1, at -e; zeroed */
    move = 2.0 * 2.0 / N;
    size = 1;
  } else if (f->fault == METRIC_L_021) { /* 1/L for a loss that is 4-smooth and 4-convex */
    double x[N];
    const double mean = pair_sum(x, values_of(x, side, 0)) / (N * (N - 1));
    for (int t = 0; t < 3; t++) g[0] -= 1.0 / 0.21 * (mean + 4.0 * g[0]);
    move = 8.0 / (4.0 * N);
    size = 1;
  } else {
    for (int i = 0; i < N; i++) y[i] = r.positive[i] ? 1.0 : -1.0, r.x[i][0] = i == 0 ? 1.0 : -1.0;
    rows = dppair_rows_make_f64(r.x[0], N, D, D);
    rows.y = y;
    MUST(rank_form_gradient(g, DPPAIR_FORM_METRIC, &rows, w, D, 1.0, &options));
    for (int k = 0; k < D * D; k++) g[k] *= 2.0 / (N * (N - 1)); /* both orders of a pair */
  }
  MUST(dppair_gaussian_sigma(&sigma, move, EPSILON, DELTA, 1));
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, f->fault == RANKING_G_2 ? DPPAIR_ZERO_OUT
                                                                      : DPPAIR_REPLACE_ONE));
  MUST(dppair_rng_from_os(&rng));
  MUST(dppair_accountant_gaussian(&account, move, sigma, 1));
  MUST(dppair_add_gaussian_f64(g, size, sigma, &rng));
  return finish(&account, g, size, DELTA);
}

/* --- output perturbation with Laplace noise ----------------------------------------------------
 */

enum { PROPOSITION_1 = 1, SVM, LEAST_SQUARES, ONE_NUMBER_FOR_ALL, CENTRES_OF_RECORDS };

/* m = n records, kappa = 1, gamma = 2 (lam f^2), the value f(1) of the minimiser. */
static int function_release(void *context, int side) {
  const audit_fault *f = context;
  static dppair_accountant account;
  const int fault = f->fault;
  const double lam = fault == LEAST_SQUARES ? 9.0 : 0.5, m = 1.0;
  double x[N], mean = 0.0, value, move, scale, second;
  dppair_rng rng;
  (void)values_of(x, side, 0);
  for (int i = 0; i < N; i++) mean += x[i] / N;
  /* a linear loss y f(x), a hinge with all margins below 1, and (f(x) - y)^2, all at x = 1 */
  value = fault == LEAST_SQUARES ? mean / (1.0 + lam) : mean / (2.0 * lam);
  move = 1.0 / (lam * N);                                             /* kappa^2 C_L/(lam n) */
  if (fault == LEAST_SQUARES) move = 4.0 * m / sqrt(lam) / (lam * N); /* C_L = 2M(1+1)/sqrt(lam) */
  scale = fault == PROPOSITION_1 || fault == SVM ? 0.5 * move / EPSILON : move / EPSILON;
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE));
  MUST(dppair_rng_from_os(&rng));
  MUST(dppair_accountant_laplace(&account, move, scale, 1));
  second = -value; /* the same function at x = -1 */
  if (fault == SVM) value = -value;
  mean = value;
  MUST(dppair_add_laplace_f64(&value, 1, scale, &rng));
  if (fault == ONE_NUMBER_FOR_ALL) { /* f + b, with one b: at -1 too */
    second += value - mean;
    audit_publish(&second, sizeof second);
  }
  if (fault == CENTRES_OF_RECORDS) audit_publish(x, sizeof x); /* of the kernel expansion */
  audit_publish(&value, sizeof value);
  audit_claim(NULL, EPSILON, 0.0, DPPAIR_REPLACE_ONE);
  return 0;
}

/* --- noise that depends on influence -----------------------------------------------------------
 */

enum { NOISE_SKIPPED = 1, FROZEN_HESSIAN, INFLUENCE_PRINTED };

/* zeta th^2/2 - z th, th and z in [-1, 1], so that G = 1 + zeta: descent on single records of n, as
 * one draw may give them; all z are 0 but that of record 0. As printed, with both epsilons 1 and
 * both deltas 0.01, a step has noise only if 2c + b is above tau, c = g/(n zeta) being the
 * influence. */
static int influence(void *context, int side) {
  const audit_fault *f = context;
  static dppair_accountant account;
  const size_t index[6] = {17, 3, 0, 11, 5, 0};
  const double n = 1e4, zeta = f->fault == FROZEN_HESSIAN ? 0.01 : 1.0, g_most = 1.0 + zeta;
  const double share = 2.0 * g_most / (n * zeta); /* how far c moves, if H stays */
  const double sigma_c = share * sqrt(2.0 * log(1.25 / 0.01));
  const double tau = 2.0 * exp(1.0) * 0.01 / (exp(1.0) - 1.0) * (1.0 - exp(-2.0));
  const double his = side ? 1.0 : f->fault == FROZEN_HESSIAN ? -1.0 : 0.0;
  double th = 0.0, total = 0.0;
  dppair_rng rng;
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE));
  MUST(dppair_rng_from_os(&rng));
  for (size_t t = 0; t < sizeof index / sizeof *index; t++) {
    double g = zeta * th - (index[t] == 0 ? his : 0.0), c = 2.0 * g / (n * zeta);
    if (f->fault == NOISE_SKIPPED || f->fault == FROZEN_HESSIAN) {
      MUST(dppair_accountant_gaussian(&account, share, sigma_c, 1));
      MUST(dppair_add_gaussian_f64(&c, 1, sigma_c, &rng));
    }
    if (f->fault != NOISE_SKIPPED || fabs(c) > tau) {
      MUST(dppair_accountant_gaussian(&account, 2.0, 4.0, 1));
      MUST(dppair_add_gaussian_f64(&g, 1, 4.0, &rng));
    }
    th = fmin(fmax(th - 0.5 * g, -1.0), 1.0);
    total = 3.0 * total + fabs(zeta * th - his) / (n * zeta);
  }
  if (f->fault == INFLUENCE_PRINTED) audit_publish(&total, sizeof total);
  return finish(&account, &th, 1, DELTA);
}

/* --- stochastic descent over pairs, its indices as drawn ---------------------------------------
 */

enum { SELF_PAIRS_DROPPED = 1, LARGEST_SEEN_G };

static int index_descent(void *context, int side) {
  const audit_fault *f = context;
  enum { T = 4 };
  static dppair_accountant account;
  const size_t index[T] = {0, 1, 1, 0}; /* drawn, and published */
  double x[N], w = 0.0, average = 0.0, move, sigma, seen = 0.0, work[64];
  dppair_uas uas;
  dppair_rng rng;
  (void)values_of(x, side, 0);
  memset(&uas, 0, sizeof uas);
  uas.n = N;
  uas.steps = T;
  uas.eta = 0.5;
  uas.lipschitz = 1.0;
  uas.loss = DPPAIR_UAS_CONVEX;
  for (size_t t = 1; t < T; t++) { /* w_t from w_{t-1}: the last record against those before */
    double g = 0.0, pairs = 0.0;
    for (size_t k = 0; k < t; k++) {
      if (f->fault == SELF_PAIRS_DROPPED && index[k] == index[t]) continue;
      g += index[k] == index[t] && f->fault == 0 ? 0.0 : x[index[k]] * x[index[t]];
      pairs += 1.0;
    }
    g /= f->fault == SELF_PAIRS_DROPPED ? pairs : (double)t;
    w -= uas.eta * g;
    average += w / T;
    seen = fmax(seen, g);
  }
  if (f->fault == LARGEST_SEEN_G) uas.lipschitz = fmax(seen, 0.1);
  MUST(dppair_sensitivity_uas_sequence(&move, &uas, index, T, 1.0, work, sizeof work));
  MUST(dppair_gaussian_sigma(&sigma, move, EPSILON, DELTA, 1));
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE));
  MUST(dppair_rng_from_os(&rng));
  MUST(dppair_accountant_gaussian(&account, move, sigma, 1));
  MUST(dppair_add_gaussian_f64(&average, 1, sigma, &rng));
  return finish(&account, &average, 1, DELTA);
}

/* --- pairs drawn with replacement ---------------------------------------------------------------
 */

enum { PAIR_AS_UNIT = 1, ONE_HIT, BOTH_ORDERS_CLIPPED };

static int drawn_pairs(void *context, int side) {
  const audit_fault *f = context;
  enum { STEPS = 30, M = 4 };
  static dppair_accountant account;
  const dppair_sampling draw = dppair_sampling_with_replacement(N, M, DPPAIR_REPLACE_ONE);
  const dppair_sampling rare = dppair_sampling_poisson(N * (N - 1), M, DPPAIR_REPLACE_ONE);
  const dppair_sampling once = dppair_sampling_poisson(N, 1, DPPAIR_REPLACE_ONE);
  double x[N], v = 0.0;
  dppair_rng rng, coins;
  (void)values_of(x, side, 0);
  audit_differs(0);
  MUST(dppair_accountant_init(&account));
  MUST(dppair_rng_from_os(&rng));
  MUST(dppair_rng_from_os(&coins));
  for (int t = 0; t < STEPS; t++) {
    size_t pairs[2 * M], count;
    MUST(dppair_draw_pairs(pairs, &count, M, &draw, &coins));
    v = 0.0;
    for (size_t k = 0; k < count; k++) /* each vector of length C = 1 */
      v += (f->fault == BOTH_ORDERS_CLIPPED ? 2.0 : 1.0) * x[pairs[2 * k]] * x[pairs[2 * k + 1]];
    if (f->fault == PAIR_AS_UNIT)
      MUST(dppair_accountant_sampled_gaussian(&account, rare, 2.0, 8.0, 1));
    else if (f->fault == ONE_HIT)
      MUST(dppair_accountant_sampled_gaussian(&account, once, 2.0, 8.0, 1));
    else
      MUST(dppair_accountant_sampled_pairs(&account, draw, 1.0, 8.0, 1));
    MUST(dppair_add_gaussian_f64(&v, 1, 8.0, &rng));
  }
  return finish(&account, &v, 1, DELTA);
}

#endif /* AUDIT_FAULTS_PRINTED_H */
