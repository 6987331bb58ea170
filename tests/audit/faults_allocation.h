/* SPDX-License-Identifier: MIT */
/* Mistakes around random allocation: batches of which each record is in one an epoch. */
#ifndef AUDIT_FAULTS_ALLOCATION_H
#define AUDIT_FAULTS_ALLOCATION_H

#include "faults_plans.h"
#include "faults_sums.h"
#include "draws.h"

enum { BATCHES = 3, EPOCHS = 8 };

/* A plan of whole epochs at a multiplier of the caller's; the account says what it costs. */
static dppair_plan plan_of_epochs(dppair_adjacency adjacency) {
  dppair_plan plan =
      plan_of(dppair_sampling_allocation(N, BATCHES, 1, adjacency), (size_t)EPOCHS * BATCHES);
  plan.epsilon = plan.delta = 0.0;
  plan.noise_multiplier = 4.0;
  return plan;
}

/* --- descent on all pairs of a batch ------------------------------------------------------------
 */

enum { RECORD_IN_TWO_BATCHES = 1, LAST_BATCH_FILLED };

static int allocated(void *context, int side) {
  const audit_fault *f = context;
  static dppair_release release;
  static dppair_accountant account;
  static double work[64 * N];
  dppair_plan plan =
      plan_of_epochs(f->fault == 0 && f->data % 2 ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE);
  records r = records_of(f->data, side);
  double factor[N], batch_x[N][D], batch_factor[N], g[D], w[D] = {0};
  dppair_rows_f64 rows, batch;
  dppair_options options;
  memset(&options, 0, sizeof options);
  options.work = work;
  options.bytes = sizeof work;
  if (plan.sampling.adjacency == DPPAIR_ZERO_OUT) { /* the null: no pair has a gradient */
    r = records_of(FAR, 0);
    for (int k = 0; k < D && side; k++) r.x[0][k] = 0.0;
    r.positive[0] = !side;
  }
  const int moved = r.positive[0] != records_of(FAR, 0).positive[0];
  const size_t positives = arrange(&r);
  if (!moved && f->data == FAR) audit_differs(0);
  MUST(dppair_rows_clip_f64(&rows, factor, r.x[0], N, D, D, 1.0));
  rows.positives = positives;
  MUST(dppair_accountant_init(&account));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  for (size_t t = 0; t < plan.steps; t++) {
    size_t index[N], count;
    MUST(draw_now(index, &count, N, &release));
    if (f->fault == RECORD_IN_TWO_BATCHES && count > 0) index[0] = 0;
    if (f->fault == LAST_BATCH_FILLED && t % BATCHES == 2) /* from the front, to a full size */
      for (size_t i = 0; i < count; i++) index[i] = i;
    MUST(dppair_gather_f64(&batch, batch_x[0], NULL, batch_factor, &drawn_now, &rows));
    MUST(rank_release(g, &release, &batch, w, &options));
    for (int k = 0; k < D; k++) w[k] -= 0.5 * g[k];
  }
  return finish(&account, w, D, DELTA);
}

/* --- sums over a batch that the program divides itself ------------------------------------------
 */

enum { ONE_PAIR_EXCHANGED = 1, PLAIN_SUM };

/* Record 0 is 1, or absent; the others are -1. A pair's vector is the product. */
static double value(size_t record) { return record == 0 ? 1.0 : -1.0; }

/* The sum over a matching of a batch in this order: pairs of neighbours, the last of an odd number
 * alone. Where record 0 is absent its partner is matched with the one that is alone, if there is
 * one: the order of the others is uniform then, too. */
static double matched_sum(const size_t *order, size_t count, int absent) {
  double sum = 0.0;
  for (size_t i = 0; i + 1 < count; i += 2) {
    size_t a = order[i], b = order[i + 1];
    if (absent && (a == 0 || b == 0)) {
      if (count % 2 == 0) continue;
      a = a + b; /* the other one */
      b = order[count - 1];
    }
    sum += value(a) * value(b);
  }
  return sum;
}

static int allocated_sum(void *context, int side) {
  const audit_fault *f = context;
  static dppair_release release;
  static dppair_accountant account;
  const dppair_plan plan = plan_of_epochs(DPPAIR_ZERO_OUT);
  const double m = (double)N / BATCHES, b = m / 2.0;
  dppair_rng coins;
  double v = 0.0;
  MUST(dppair_rng_from_os(&coins));
  MUST(dppair_accountant_init(&account));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  audit_differs(0);
  for (size_t t = 0; t < plan.steps; t++) {
    size_t index[N], count;
    double batch[N], move = 2.0 / b;
    MUST(draw_now(index, &count, N, &release));
    MUST(dppair_shuffle(index, count, &coins));
    v = matched_sum(index, count, side) / b;
    if (f->fault == ONE_PAIR_EXCHANGED) move = 1.0 / b;
    if (f->fault == PLAIN_SUM) {
      size_t kept = 0;
      for (size_t i = 0; i < count; i++)
        if (!side || index[i] != 0) batch[kept++] = value(index[i]);
      v = pair_sum(batch, kept) / (m * (m - 1.0));
      move = 3.0 / m;
    }
    MUST(dppair_release_vector(&v, 1, &release, move));
  }
  return finish(&account, &v, 1, DELTA);
}

/* --- epochs by hand -----------------------------------------------------------------------------
 */

enum { PARTS_OF_A_SHUFFLE = 1, ONE_ALLOCATION, HALF_THE_EPOCHS, ONE_LONG_EPOCH, TWICE_AN_EPOCH };

static int epochs_by_hand(void *context, int side) {
  const audit_fault *f = context;
  static dppair_accountant account;
  const dppair_adjacency adjacency = DPPAIR_ZERO_OUT;
  const dppair_sampling draw =
      dppair_sampling_allocation(N, BATCHES, f->fault == TWICE_AN_EPOCH ? 2 : 1, adjacency);
  dppair_sampling charge = dppair_sampling_allocation(N, BATCHES, 1, adjacency);
  const double m = (double)N / BATCHES, move = 3.0 / m, sigma = 4.0 * move;
  size_t paid = (size_t)EPOCHS * BATCHES, order[N];
  dppair_rng noise, coins;
  double v = 0.0;
  for (size_t i = 0; i < N; i++) order[i] = i;
  if (f->fault == ONE_LONG_EPOCH) charge.batches = paid;
  if (f->fault == HALF_THE_EPOCHS) paid /= 2;
  MUST(dppair_rng_from_os(&noise));
  MUST(dppair_rng_from_os(&coins));
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_sampled_gaussian(&account, charge, move, sigma, paid));
  audit_differs(0);
  for (size_t t = 0; t < (size_t)EPOCHS * BATCHES; t++) {
    size_t index[N], count = 0, kept = 0;
    double batch[N];
    if (f->fault == PARTS_OF_A_SHUFFLE) { /* batches of 3, 3 and 2 */
      if (t % BATCHES == 0) MUST(dppair_shuffle(order, N, &coins));
      for (size_t i = 3 * (t % BATCHES); i < 3 * (t % BATCHES) + 3 && i < N; i++)
        index[count++] = order[i];
    } else {
      const size_t step = f->fault == ONE_ALLOCATION ? t % BATCHES : t;
      MUST(dppair_draw_allocation(index, &count, N, &draw, step, &coins));
    }
    for (size_t i = 0; i < count; i++)
      if (!side || index[i] != 0) batch[kept++] = value(index[i]);
    v = kept > 1 ? pair_sum(batch, kept) / (m * ((double)kept - 1.0)) : 0.0;
    MUST(dppair_add_gaussian_f64(&v, 1, sigma, &noise));
  }
  return finish(&account, &v, 1, DELTA);
}

#endif /* AUDIT_FAULTS_ALLOCATION_H */
