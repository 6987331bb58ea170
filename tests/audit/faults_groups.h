/* SPDX-License-Identifier: MIT */
/* Mistakes where a user owns several records, pairs stand inside queries, and data are split; and
 * with the moments of a vector. The fault is always one constant. */
#ifndef AUDIT_FAULTS_GROUPS_H
#define AUDIT_FAULTS_GROUPS_H

#include "faults_sums.h"

enum {
  WEIGHTS_BY_CLASS = 1,
  WEIGHTS_OF_A_PRIVATE_LIST,
  QUERY_CHANGED,
  MOMENTS_OF_ANOTHER_CELL,
  GREEDY_LIST
};

/* Users with a positive and a negative each, every class of a user weighing 1 in sum: the mean
 * over pairs of users, at w = 0 and slope 1/2, so that u = 1. */
static double persons_mean(int side, int fault) {
  double sum = 0.0;
  for (int a = 0; a < N; a++)
    for (int b = 0; b < N; b++) {
      /* user 0: one record that becomes another one; or both of them */
      const double pa = a == 0 ? (side ? -1.0 : 1.0) : 0.0;
      const double nb = b == 0 && fault == WEIGHTS_BY_CLASS ? (side ? 1.0 : -1.0) : 0.0;
      if (a != b) sum -= 0.5 * (pa - nb);
    }
  return sum / (N * (N - 1));
}

/* Pairs with two owners, each pair at 1/(the larger number of pairs that one of them owns): user
 * 0 has three partners, each with one pair more. The list is private, and so the weights move. */
static double list_sum(int side) {
  double sum = 0.0;
  for (int partner = 0; partner < 3; partner++) {
    sum += side ? 0.0 : 1.0 / 3.0;
    sum -= side ? 1.0 : 0.5;
  }
  return sum;
}

/* A path of pairs, admitted in order while nobody has two: where the first user leaves, and its
 * pair, the others are admitted. */
static double greedy_sum(int side) {
  double sum = 0.0;
  for (int pair = side; pair < N; pair += 2) sum += pair % 2 ? -1.0 : 1.0;
  return sum;
}

/* Two queries, of which a record leaves one for the other: the mean over queries of their means
 * over ordered pairs of +-x x', with the sign of the query. */
static double queries_mean(int side) {
  const double first[3] = {1.0, 1.0, -1.0}, second[3] = {1.0, 1.0, -1.0};
  const double a = pair_sum(first, side ? 2 : 3) / (side ? 2.0 : 6.0);
  const double b = pair_sum(second, side ? 3 : 2) / (side ? 6.0 : 2.0);
  return 0.5 * (a - b);
}

static int groups(void *context, int side) {
  const audit_fault *f = context;
  static dppair_accountant account;
  double v[D] = {0}, move = 1.0 / N, sigma;
  dppair_rng rng;
  switch (f->fault) {
  case WEIGHTS_OF_A_PRIVATE_LIST:
    v[0] = list_sum(side), move = 1.0;
    break; /* C, load 1 */
  case GREEDY_LIST:
    v[0] = greedy_sum(side), move = 1.0;
    break; /* at most 1 pair each */
  case QUERY_CHANGED:
    v[0] = queries_mean(side), move = 2.0 / 2.0;
    break;                      /* u/Q, u = 2, Q = 2 */
  case MOMENTS_OF_ANOTHER_CELL: /* powers 0, 1 of the place, times x: from x to -x at place 1 */
    v[0] = v[1] = side ? -1.0 : 1.0;
    move = 2.0; /* R sqrt(2 (P + 1)) */
    break;
  default:
    v[0] = persons_mean(side, f->fault);
    break; /* u/U */
  }
  MUST(dppair_gaussian_sigma(&sigma, move, EPSILON, DELTA, 1));
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE));
  MUST(dppair_rng_from_os(&rng));
  MUST(dppair_accountant_gaussian(&account, move * (1.0 + 1e-14), sigma * (1.0 + 1e-13), 1));
  MUST(dppair_add_gaussian_f64(v, D, sigma * (1.0 + 1e-13), &rng));
  return finish(&account, v, D, DELTA);
}

/* --- epochs on parts of the data -----------------------------------------------------------------
 */

enum { PARTS_BY_LABEL = 1, PARTS_OVERLAP, LAPLACE_PARTS_OVERLAP };

/* Each part has the whole budget, since a record is in one of them. */
static int epochs(void *context, int side) {
  const audit_fault *f = context;
  enum { PARTS = 2, M = N / PARTS };
  static dppair_accountant account[PARTS];
  double x[N], part[N], v = 0.0, sigma;
  const double move = 4.0 / M;
  const int pure = f->fault == LAPLACE_PARTS_OVERLAP;
  dppair_rng rng;
  audit_in_parallel();
  (void)values_of(x, side, 0);
  MUST(dppair_gaussian_sigma(&sigma, move, EPSILON, DELTA, 1));
  if (pure) sigma = move / EPSILON;
  MUST(dppair_rng_from_os(&rng));
  for (int p = 0; p < PARTS; p++) {
    for (int i = 0; i < M; i++) part[i] = x[(p * M + i) % N];
    if (f->fault == PARTS_OVERLAP || pure) part[0] = x[0];
    if (f->fault == PARTS_BY_LABEL) /* sorted: record 0 moves to the other part, one back */
      for (int i = 0; i < M; i++)
        part[i] = side ? (i == 0 ? -1.0 : 1.0) * (p == 0 ? 1.0 : -1.0) : (p == 0 ? 1.0 : -1.0);
    MUST(dppair_accountant_init(&account[p]));
    MUST(dppair_accountant_neighbours(&account[p], DPPAIR_REPLACE_ONE));
    v = pair_sum(part, M) / (M * (M - 1));
    if (pure) {
      MUST(dppair_accountant_laplace(&account[p], move, sigma, 1));
      MUST(dppair_add_laplace_f64(&v, 1, sigma, &rng));
    } else {
      MUST(dppair_accountant_gaussian(&account[p], move, sigma, 1));
      MUST(dppair_add_gaussian_f64(&v, 1, sigma, &rng));
    }
  }
  audit_publish(&v, sizeof v);
  audit_claim(NULL, EPSILON, pure ? 0.0 : DELTA, DPPAIR_REPLACE_ONE);
  return 0;
}

#endif /* AUDIT_FAULTS_GROUPS_H */
