/* SPDX-License-Identifier: MIT */
/*
 * One run with many coins (Steinke, Nasr and Jagielski 2023). m fair coins choose m canaries, the
 * mechanism runs once, and from its output some of the coins are guessed.
 *
 * What the theorem needs. Let the coins be S in {-1, 1}^m and D(S) the data set that they choose.
 * For every i and every value of the other coins, the law of the output on D(S) with S_i = 1 and
 * with S_i = -1 is (epsilon, delta)-indistinguishable. It needs nothing else: not that canaries
 * enter the mechanism one by one, nor that the guesser knows the other records. Where records meet
 * in pairs, the canary of coin i pulls differently at each value of the others; but D(S) and D(S')
 * that differ in coin i alone are neighbours at each of them, so the claim that is audited is
 * itself the hypothesis. Which relation that is:
 *
 *   zeroed     S_i = 1: record i is there, -1: it is a null record, which adds nothing to a sum; n
 *              is public. D(S) and D(S') are zero-out neighbours
 *   replaced   S_i chooses one of two values of record i. D(S) and D(S') are replace-one
 *              neighbours. A null record has no place in a sum over pairs of the shipped gradients,
 *              all of whose n records meet: so methods are audited with these coins
 *
 * What it can reach. Every coin is one sample of the loss, and the bound asks how often guesses are
 * right: e^epsilon/(e^epsilon + 1) only where the mechanism is as bad as its claim at typical
 * outputs. Laplace noise is, on more than half of all outputs. Gaussian noise comes to its epsilon
 * in tails of weight delta alone: one run shows a part of the claim, which `reachable` computes,
 * and none once 2 m delta is near 1. Pairs: m canaries are not each other's partners here, which
 * takes (m - 1)/(n - 1) of each one's pull.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canaries.h"

#include "methods/method.h"

#include "canaries_statistics.h"

static const double alpha = 1e-4;

typedef struct coins {
  size_t m;
  unsigned char *side; /* 1: the record is there, or at the right end */
  double *number;      /* positive: guess 1; abstain where it is small */
} coins;

static int coins_throw(coins *c, const char *name, size_t m) {
  uint8_t key[32];
  dppair_rng rng;
  size_t i;
  c->m = m;
  c->side = malloc(m);
  c->number = calloc(m, sizeof *c->number);
  canary_key(key, name, 7);
  if (c->side == NULL || c->number == NULL || dppair_rng_from_key(&rng, key, 0) != DPPAIR_OK ||
      dppair_rng_bytes(c->side, m, &rng) != DPPAIR_OK)
    return 0;
  for (i = 0; i < m; i++) c->side[i] &= 1;
  return 1;
}

static void coins_free(coins *c) {
  free(c->side);
  free(c->number);
}

/* --- what a run can show ---------------------------------------------------------------------- */

/* The share of guesses and of right ones when |number| > t is guessed. Gaussian: the number is
 * +-mu/2 + N(0, 1). */
static double gaussian_reach(double *best, double m, double mu, double delta) {
  double t, found = 0;
  *best = 0;
  for (t = 0; t < 4; t += 0.25) {
    const double right = normal_tail(t - mu / 2), wrong = normal_tail(t + mu / 2);
    const double r = floor(m * (right + wrong)), v = floor(m * right);
    const double shown = r > 0 ? one_run_epsilon(m, r, v < r ? v : r, delta, alpha) : 0;
    if (shown > found) *best = t;
    found = fmax(found, shown);
  }
  return found;
}

static void print_reach(double epsilon, double delta) {
  double m, mu, t;
  if (dppair_gaussian_mu(&mu, epsilon, delta) != DPPAIR_OK) return;
  (void)printf("    reachable with Gaussian noise at (%.3g, %.0e):", epsilon, delta);
  for (m = 100; m < 2e5; m *= 10)
    (void)printf(" %.2f at m = %.0e%s", gaussian_reach(&t, m, mu, delta), m, m < 2e4 ? "," : "\n");
}

/* --- the guesses ------------------------------------------------------------------------------ */

/* A coin is guessed where |number| >= least. */
static int report(const char *name, const char *relation, const coins *c, double least,
                  double epsilon, double delta, double floor_of_ratio) {
  double guesses = 0, right = 0, shown, ratio;
  size_t i;
  int ok;
  for (i = 0; i < c->m; i++) {
    if (!(fabs(c->number[i]) >= least)) continue;
    guesses++;
    right += (c->number[i] > 0) == (c->side[i] == 1);
  }
  shown = one_run_epsilon((double)c->m, guesses, right, delta, alpha);
  ratio = shown / epsilon;
  ok = ratio <= 1 && ratio >= floor_of_ratio;
  (void)printf("%-25s %-10s %7zu %8.0f %8.0f %6.3g %-7.1g %8.4f %6.3f  %s\n", name, relation, c->m,
               guesses, right, epsilon, delta, shown, ratio,
               ok          ? "ok"
               : ratio > 1 ? "ABOVE ITS CLAIM"
                           : "below the floor");
  return ok;
}

/* --- sums of records -------------------------------------------------------------------------- */

/* Record i adds 1 to number i, or is a null; one release of all m numbers. */
static int audit_sum(const char *name, size_t m, double epsilon, double delta, double least) {
  const dppair_mechanism_kind law = delta > 0 ? DPPAIR_GAUSSIAN : DPPAIR_LAPLACE;
  uint8_t key[32], nonce[DPPAIR_NONCE_SIZE] = {0};
  dppair_release_keys keys;
  dppair_accountant account;
  dppair_release release;
  dppair_plan plan;
  coins c;
  size_t i;
  int ok = coins_throw(&c, name, m);
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(m, DPPAIR_ZERO_OUT);
  plan.noise = law;
  plan.steps = 1;
  plan.epsilon = epsilon;
  plan.delta = delta;
  canary_key(key, name, 0);
  keys.key = key;
  keys.nonce = nonce;
  for (i = 0; i < m && ok; i++) c.number[i] = c.side[i];
  ok = ok && dppair_accountant_init(&account) == DPPAIR_OK &&
       dppair_release_open(&release, &account, &plan, &keys) == DPPAIR_OK;
  if (ok && law == DPPAIR_LAPLACE)
    ok = dppair_release_histogram(c.number, m, &release, 1) == DPPAIR_OK;
  else if (ok)
    ok = dppair_release_vector(c.number, m, &release, 1) == DPPAIR_OK;
  for (i = 0; i < m; i++) c.number[i] -= 0.5;
  if (ok)
    ok = report(name, "zeroed", &c, law == DPPAIR_LAPLACE ? 0.5 : least * release.sigma, epsilon,
                delta, law == DPPAIR_LAPLACE ? 0.9 : 0.2);
  dppair_release_close(&release);
  coins_free(&c);
  return ok;
}

/* --- a training on pairs ---------------------------------------------------------------------- */

extern const method method_gd;

/* Positive i is at +-1 on axis i; the negatives are at 0. The weights are released once. */
static int audit_gd(size_t m, size_t n, double epsilon, double delta, double least) {
  static const char name[] = "gd, one step";
  double *x = calloc(n * m, sizeof *x), *y = malloc(n * sizeof *y);
  uint8_t key[32];
  dppair_rng noise, indices;
  task t;
  model fitted;
  coins c;
  size_t i;
  int ok = coins_throw(&c, name, m) && x != NULL && y != NULL;
  memset(&t, 0, sizeof t);
  canary_key(key, name, 0);
  for (i = 0; i < n && ok; i++) {
    y[i] = i < m ? 1 : -1;
    if (i < m) x[i * m + i] = c.side[i] ? 1 : -1;
  }
  t.train.n = n;
  t.train.d = m;
  t.train.x = t.train.raw = x;
  t.train.y = y;
  t.epsilon = epsilon;
  t.delta = delta;
  t.with.loss = "hinge";
  t.with.steps = 1;
  t.with.step_size = t.with.radius = 1;
  t.noise = &noise;
  t.indices = &indices;
  ok = ok && dppair_rng_from_key(&noise, key, 0) == DPPAIR_OK &&
       dppair_rng_from_key(&indices, key, 1) == DPPAIR_OK &&
       method_train(&fitted, &method_gd, &t) == DPPAIR_OK;
  if (ok) {
    memcpy(c.number, fitted.theta, m * sizeof *c.number);
    ok = report(name, "replaced", &c, least * fitted.sigma, fitted.epsilon, delta, 0.1);
    model_free(&fitted);
  }
  free(x);
  free(y);
  coins_free(&c);
  return ok;
}

int canaries_one_run(int quick) {
  const double epsilon = 8, delta = 1e-6;
  double mu, t;
  int ok = 1;
  if (dppair_gaussian_mu(&mu, epsilon, delta) != DPPAIR_OK) return 0;
  (void)printf("\none run, many coins\n%-25s %-10s %7s %8s %8s %6s %-7s %8s %6s\n", "mechanism",
               "coins", "m", "guesses", "right", "claim", "delta", "audited", "ratio");
  ok &= audit_sum("histogram, laplace", quick ? 30000 : 1000000, 1, 0, 0);
  (void)gaussian_reach(&t, 10000, mu, delta);
  ok &= audit_sum("sum, gaussian", 10000, epsilon, delta, t);
  (void)gaussian_reach(&t, 400, mu, delta);
  ok &= audit_gd(quick ? 200 : 1000, quick ? 2000 : 10000, epsilon, delta, t);
  if (!quick) print_reach(1, 1e-6);
  if (!quick) print_reach(epsilon, delta);
  return ok;
}
