/* SPDX-License-Identifier: MIT */
/* Mistakes where all records of a user, or of a query, are what is protected: on the neighbour
 * one of them has other records, and another number of them. */
#ifndef AUDIT_FAULTS_PEOPLE_H
#define AUDIT_FAULTS_PEOPLE_H

#include "faults.h"

enum {
  RECORD_MOVE = 1,
  RECORDS_CHARGED,
  OWN_PAIRS,
  EVERY_RECORD_ALIKE,
  CLASSES_APART,
  OWNERS_COUNTED,
  STEP_FROM_RECORDS,
  OWNER_SPLIT,
  QUERIES_COUNTED,
  QUERY_AS_A_RECORD,
  ALL_PAIRS_OF_QUERIES
};

enum { OWNERS = 4, MOST = 16 };

/* At most MOST values in [-1, 1] with labels and owners. */
typedef struct owned {
  size_t n, of[MOST];
  double x[MOST];
  int positive[MOST];
} owned;

static void own(owned *r, size_t owner, double x, int positive) {
  r->of[r->n] = owner;
  r->x[r->n] = x;
  r->positive[r->n++] = positive;
}

/* Owner 0 has other records on side 1, the others one negative each at -1. FAR: a positive, which
 * then is two records that disagree; FLIPPED: three positives, then one at the other end; GROUPS: a
 * pair of records, turned around, and everybody has both labels; ZEROS: nothing at all, under
 * zero-out. */
static owned owned_of(int data, int side) {
  owned r = {0, {0}, {0}, {0}};
  if (data == FLIPPED) {
    for (int k = 0; k < (side ? 1 : 3); k++) own(&r, 0, side ? -1.0 : 1.0, 1);
  } else if (data == GROUPS) {
    own(&r, 0, side ? -1.0 : 1.0, 1);
    own(&r, 0, side ? 1.0 : -1.0, 0);
  } else if (data != ZEROS || !side) {
    own(&r, 0, side ? -1.0 : 1.0, 1);
    if (side) own(&r, 0, 1.0, 0);
  }
  for (size_t p = 1; p < OWNERS; p++) {
    if (data == GROUPS) own(&r, p, 1.0, 1);
    own(&r, p, -1.0, 0);
  }
  return r;
}

/* How many records owner p has; of one class, 0 or 1; of both, 2. */
static double share(const owned *r, size_t p, int positive) {
  double count = 0.0;
  for (size_t i = 0; i < r->n; i++)
    count += r->of[i] == p && (positive == 2 || r->positive[i] == positive);
  return count > 0.0 ? 1.0 / count : 0.0;
}

/* The mean over pairs of owners of the mean gradient of their pairs, at w = 0 and slope 1/2: the
 * total of a pair is at most u = 1. */
static double owners_mean(const owned *r, int fault) {
  const int apart = fault == CLASSES_APART;
  double sum = 0.0;
  for (size_t i = 0; i < r->n; i++)
    for (size_t j = 0; j < r->n; j++) {
      const size_t a = r->of[i], b = r->of[j];
      double weight = share(r, a, apart ? 1 : 2) * share(r, b, apart ? 0 : 2);
      if (fault == EVERY_RECORD_ALIKE) weight = 1.0;
      if (!r->positive[i] || r->positive[j] || (a == b && fault != OWN_PAIRS)) continue;
      sum -= 0.5 * weight * (r->x[i] - r->x[j]);
    }
  return sum / (OWNERS * (OWNERS - 1));
}

/* The mean over queries of the mean over the ordered pairs inside each. */
static double queries_mean_of(const owned *r, int fault) {
  double sum = 0.0, used = 0.0, pairs = 0.0, total = 0.0;
  for (size_t q = 0; q < OWNERS; q++) {
    const double count = share(r, q, 2) > 0.0 ? 1.0 / share(r, q, 2) : 0.0;
    double within = 0.0;
    for (size_t i = 0; i < r->n; i++)
      for (size_t j = 0; j < r->n; j++)
        if (r->of[i] == q && r->of[j] == q && r->positive[i] && !r->positive[j])
          within -= 0.5 * (r->x[i] - r->x[j]);
    if (count > 1.0) sum += within / (count * (count - 1.0));
    used += count > 1.0;
    pairs += count * (count - 1.0);
    total += within;
  }
  if (fault == QUERIES_COUNTED) return used > 0.0 ? sum / used : 0.0;
  if (fault == ALL_PAIRS_OF_QUERIES) return pairs > 0.0 ? total / pairs : 0.0;
  return sum / OWNERS;
}

/* What the plan of a program says, and what it releases; then as every correct program. */
static int owners_release(double *v, dppair_adjacency adjacency, size_t n, double move,
                          size_t released) {
  static dppair_accountant account;
  static dppair_release release;
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(n, adjacency);
  plan.epsilon = EPSILON, plan.delta = DELTA, plan.steps = 1;
  MUST(dppair_accountant_init(&account));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  MUST(dppair_release_vector(v, D, &release, move * (1.0 + 1e-12)));
  dppair_release_close(&release);
  v[1] += (double)released; /* public arithmetic on what was released */
  return finish(&account, v, D, DELTA);
}

static int users(void *context, int side) {
  const audit_fault *f = context;
  const owned r = owned_of(f->data, side);
  const int zero = f->data == ZEROS;
  dppair_adjacency adjacency = zero ? DPPAIR_ZERO_USER : DPPAIR_REPLACE_USER;
  dppair_pair_unit unit;
  dppair_sampling all = dppair_sampling_all(OWNERS, adjacency);
  double v[D] = {owners_mean(&r, f->fault), 0.0}, move;
  size_t n = OWNERS;
  memset(&unit, 0, sizeof unit);
  unit.levels = DPPAIR_LEVELS_TWO;
  unit.unit = 1.0;
  MUST(dppair_sensitivity(&move, &unit, &all));
  if (f->fault == RECORD_MOVE) move = 1.0 / 6.0; /* u/n of the six records of side 0 */
  if (f->fault == RECORDS_CHARGED)
    n = 2 * OWNERS, adjacency = DPPAIR_REPLACE_ONE, move = 1.0 / (double)n;
  if (f->fault == OWNERS_COUNTED) { /* U from those who are there, where one of them may leave */
    n = OWNERS - (size_t)(side && zero);
    v[0] *= OWNERS * (OWNERS - 1) / ((double)n * ((double)n - 1.0));
    move = 1.0 / (double)n;
  }
  if (f->fault == OWNER_SPLIT) { /* each record is taken for a user of its own */
    owned split = r;
    for (size_t i = 0; i < split.n; i++)
      if (split.of[i] == 0) split.x[i] *= 1.0 / share(&r, 0, 2);
    v[0] = owners_mean(&split, 0);
  }
  return owners_release(v, adjacency, n, move, f->fault == STEP_FROM_RECORDS ? r.n : 0);
}

static int queries(void *context, int side) {
  const audit_fault *f = context;
  const owned r = owned_of(f->data, side);
  dppair_pair_unit unit;
  dppair_queries of;
  double v[D] = {queries_mean_of(&r, f->fault), 0.0}, move;
  memset(&unit, 0, sizeof unit);
  memset(&of, 0, sizeof of);
  unit.levels = DPPAIR_LEVELS_TWO;
  unit.unit = 1.0;
  of.count = OWNERS;
  MUST(dppair_sensitivity_queries(&move, &unit, &of, DPPAIR_REPLACE_QUERY));
  if (f->fault == QUERY_AS_A_RECORD) move = 1.0 / (OWNERS * 2.0); /* u/(Q m), m = 2 */
  return owners_release(v, DPPAIR_REPLACE_QUERY, OWNERS, move, 0);
}

#endif /* AUDIT_FAULTS_PEOPLE_H */
