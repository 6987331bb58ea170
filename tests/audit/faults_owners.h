/* SPDX-License-Identifier: MIT */
/* Mistakes with the constants of users, owners, queries, groups and softmax, each where the
 * constant is attained; and records that are drawn while users are protected. */
#ifndef AUDIT_FAULTS_OWNERS_H
#define AUDIT_FAULTS_OWNERS_H

#include "faults_sums.h"
#include "../support/questions.h"
#include "../support/sensitivities.h"
#include "draws.h"

/* A record on a line; the total of a positive and a negative is the negative's place less that of
 * the positive, 2 at most: u = 2. */
typedef struct placed {
  double t, weight;
  int positive, user;
} placed;

/* The sum over pairs of totals, each cut at `clip` (0: not) and weighted; apart: none of one
 * user. */
static double placed_sum(const placed *r, size_t n, double clip, int apart) {
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      double total = r[j].t - r[i].t;
      if (!r[i].positive || r[j].positive || (apart && r[i].user == r[j].user)) continue;
      if (clip > 0.0 && fabs(total) > clip) total = total > 0.0 ? clip : -clip;
      sum += r[i].weight * r[j].weight * total;
    }
  return sum;
}

/* User 0 owns the first three of N records, old positives far from all others; after that a
 * positive on the other side of negatives of its own. */
static void placed_records(placed *r, int side, double others) {
  for (int i = 0; i < N; i++) {
    r[i].weight = 1.0, r[i].user = i < 3 ? 0 : i, r[i].positive = 0, r[i].t = others;
    if (i < 3) r[i].t = side && i == 0 ? 1.0 : -1.0, r[i].positive = !side || i == 0;
  }
}

enum {
  RECORD_FOR_PERSON = 1,
  ZEROED_FOR_REPLACED,
  CLIP_COUNTED_ONCE,
  TWO_LEVELS_FOR_ANY,
  RECORDS_UNWEIGHTED,
  SQUARE_AT_ONE_SHARE,
  LOAD_COUNTED_ONCE,
  PERSON_AS_RECORD_OF_QUERY,
  QUERY_AS_RECORD,
  GROUP_HALVED,
  ONE_ROW_OF_SOFTMAX,
  RECORD_FOR_PERSON_IN_ACCOUNT
};

/* The statistic of a fault, and what is charged for it. */
static int owners_move(double *v, double *move, int fault, int side) {
  dppair_pair_unit pair = {DPPAIR_LEVELS_TWO, 2.0, 0.0, 0.0, 0.0, 0};
  const dppair_sampling all = dppair_sampling_all(N, DPPAIR_REPLACE_USER);
  const dppair_sampling triples = dppair_sampling_groups(9, 9, 3, DPPAIR_REPLACE_ONE);
  const size_t sizes[2] = {2, 4}, owned[2] = {1, 3};
  dppair_queries queries = {2, sizes, NULL, owned, 0.0, 0};
  placed r[N];
  placed_records(r, side, fault == CLIP_COUNTED_ONCE ? 0.0 : 1.0);
  switch (fault) {
  case CLIP_COUNTED_ONCE: /* min(C, u) for min(2C, u) */
    *v = placed_sum(r, N, 1.0, 0) / (N * (N - 1));
    pair.unit = 1.0;
    MUST(sensitivity_users(move, &pair, N, 3, DPPAIR_REPLACE_USER));
    return 0;
  case TWO_LEVELS_FOR_ANY: /* signs of its own: a square */
    *v = (side ? -1.0 : 1.0) * 2.0 * 3 * (N - 3) / (N * (N - 1));
    MUST(sensitivity_users(move, &pair, N, 3, DPPAIR_REPLACE_USER));
    return 0;
  case RECORDS_UNWEIGHTED:
    for (int i = 0; i < 3; i++) r[i].t = side ? 1.0 : -1.0, r[i].positive = 1;
    *v = placed_sum(r, N, 0.0, 1) / (N * (N - 1));
    MUST(dppair_sensitivity(move, &pair, &all));
    return 0;
  case SQUARE_AT_ONE_SHARE:
    *v = (side ? -1.0 : 1.0) * 2.0 / N;
    MUST(dppair_sensitivity(move, &pair, &all));
    return 0;
  case LOAD_COUNTED_ONCE: /* a pair of weight 1 and one of weight 1/2, both turned around */
    *v = side ? -1.5 : 1.5;
    MUST(dppair_sensitivity_owners(move, 1.0, 1.5, DPPAIR_LIST_PUBLIC, DPPAIR_ZERO_USER));
    return 0;
  case PERSON_AS_RECORD_OF_QUERY: /* one record of two, and three of four */
    for (int i = 3; i < 5; i++) r[i].positive = 0, r[i].t = 1.0;
    *v = 0.5 * placed_sum(r, 4, 0.0, 0) / 12.0 + 0.5 * (side ? 0.0 : 2.0) / 2.0;
    queries.records = NULL;
    MUST(dppair_sensitivity_queries(move, &pair, &queries, DPPAIR_REPLACE_ONE));
    return 0;
  case QUERY_AS_RECORD: /* a query of four is turned around; in one of two a record is worth less */
    *v = 0.5 * (side ? -1.0 : 1.0) * 2.0 * 4 / 12.0;
    queries.records = NULL, queries.count = 1, queries.size = sizes + 1;
    MUST(dppair_sensitivity_queries(move, &pair, &queries, DPPAIR_REPLACE_ONE));
    *move *= 0.5;
    return 0;
  case GROUP_HALVED: /* C/b */
    *v = (side ? -1.0 : 1.0) / 3.0;
    MUST(dppair_sensitivity_groups(move, 1.0, &triples, 0));
    *move *= 0.5;
    return 0;
  case ONE_ROW_OF_SOFTMAX: /* both rows of two anchors turn around, at similarities 0 */
    *v = (side ? -1.0 : 1.0) * 2.0;
    *move = 2.0; /* 4 (1 - 1/2) */
    return 0;
  default:
    *v = placed_sum(r, N, 0.0, 0) / (N * (N - 1));
    MUST(sensitivity_users(
        move, &pair, N, fault == RECORD_FOR_PERSON || fault == RECORD_FOR_PERSON_IN_ACCOUNT ? 1 : 3,
        fault == ZEROED_FOR_REPLACED ? DPPAIR_ZERO_USER : DPPAIR_REPLACE_USER));
    if (fault == RECORD_FOR_PERSON_IN_ACCOUNT) *move *= 3.0;
    return 0;
  }
}

static int owners(void *context, int side) {
  const audit_fault *f = context;
  static dppair_accountant account;
  const dppair_adjacency adjacency =
      f->fault == RECORD_FOR_PERSON_IN_ACCOUNT ? DPPAIR_REPLACE_ONE : DPPAIR_REPLACE_USER;
  double v, move, sigma;
  dppair_rng rng;
  if (owners_move(&v, &move, f->fault, side)) return 1;
  MUST(dppair_gaussian_sigma(&sigma, move, EPSILON, DELTA, 1));
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, adjacency));
  MUST(dppair_rng_from_os(&rng));
  MUST(dppair_accountant_gaussian(&account, move * (1.0 + 1e-14), sigma * (1.0 + 1e-13), 1));
  MUST(dppair_add_gaussian_f64(&v, 1, sigma * (1.0 + 1e-13), &rng));
  if (f->fault != RECORD_FOR_PERSON_IN_ACCOUNT) return finish(&account, &v, 1, DELTA);
  audit_publish(&v, sizeof v);
  audit_claim(&account, EPSILON, DELTA, DPPAIR_REPLACE_USER); /* a user's, they say */
  return 0;
}

/* --- records are drawn, users are protected ------------------------------------------------- */

enum { RATE_OF_A_RECORD = 1, OWNS_MORE, K_TIMES_NOTHING };

/* Batches of four of N records, of which user 0 owns three; all pairs of the batch. */
static int drawn_persons(void *context, int side) {
  const audit_fault *f = context;
  enum { STEPS = 30, M = 4 };
  static dppair_accountant account;
  const dppair_pair_unit pair = {DPPAIR_LEVELS_TWO, 2.0, 0.0, 0.0, 0.0, 0};
  dppair_sampling s = dppair_sampling_without_replacement(N, M, DPPAIR_REPLACE_USER);
  dppair_rng noise, coins;
  double v = 0.0, move, sigma;
  placed r[N];
  placed_records(r, side, 1.0);
  for (size_t i = 0; i < 3; i++) audit_differs(i);
  s.owned = f->fault == OWNS_MORE ? 2 : 3;
  MUST(dppair_sensitivity(&move, &pair, &s));
  if (f->fault == RATE_OF_A_RECORD) s.owned = 0;
  if (f->fault == K_TIMES_NOTHING) move *= 0.5; /* that of a zeroed record */
  sigma = 4.0 * move;
  MUST(dppair_accountant_init(&account));
  MUST(dppair_rng_from_os(&noise));
  MUST(dppair_rng_from_os(&coins));
  for (size_t t = 0; t < STEPS; t++) {
    size_t index[N], drawn;
    placed batch[N];
    MUST(dppair_draw(index, &drawn, N, &s, &coins));
    for (size_t i = 0; i < drawn; i++) batch[i] = r[index[i]];
    v = placed_sum(batch, drawn, 0.0, 0) / (M * (M - 1));
    MUST(dppair_accountant_sampled_gaussian(&account, s, move * (1.0 + 1e-14),
                                            sigma * (1.0 + 1e-13), 1));
    MUST(dppair_add_gaussian_f64(&v, 1, sigma * (1.0 + 1e-13), &noise));
  }
  return finish(&account, &v, 1, DELTA);
}

/* The same by a plan, whose releases know how far one record of a batch moves them. */
static int planned_persons(void *context, int side) {
  const audit_fault *f = context;
  enum { STEPS = 12, M = 4 };
  static dppair_release release;
  static dppair_accountant account;
  static double work[64 * N];
  dppair_plan plan;
  double x[N][1], factor[N], batch_x[N][1], batch_factor[N], g[1], w[1] = {0.0};
  dppair_rows_f64 rows, batch;
  dppair_options options;
  size_t index[N], count, positives = 0;
  placed r[N];
  placed_records(r, side, 1.0);
  memset(&options, 0, sizeof options);
  memset(&plan, 0, sizeof plan);
  options.work = work, options.bytes = sizeof work;
  plan.epsilon = 20.0, plan.delta = DELTA, plan.steps = STEPS; /* calibrated by Renyi orders */
  plan.sampling = dppair_sampling_without_replacement(N, M, DPPAIR_REPLACE_USER);
  plan.sampling.owned = f->fault == OWNS_MORE ? 2 : 3;
  for (size_t i = 0; i < N; i++) /* the positives among the first three stand first */
    x[i][0] = r[i].t, positives += (size_t)r[i].positive;
  for (size_t i = 0; i < 3; i++) audit_differs(i);
  MUST(dppair_rows_clip_f64(&rows, factor, x[0], N, 1, 1, 1.0));
  rows.positives = positives;
  MUST(dppair_accountant_init(&account));
  MUST(calibrate_by_orders(&plan, &account));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  for (size_t t = 0; t < STEPS; t++) {
    MUST(draw_now(index, &count, N, &release));
    MUST(dppair_gather_f64(&batch, batch_x[0], NULL, batch_factor, &drawn_now, &rows));
    if (f->fault == K_TIMES_NOTHING) batch.radius = 0.4;
    MUST(rank_release(g, &release, &batch, w, &options));
    w[0] -= 0.5 * g[0];
  }
  return finish(&account, w, 1, DELTA);
}

#endif /* AUDIT_FAULTS_OWNERS_H */
