/* SPDX-License-Identifier: MIT */
/* Mistakes in one pass over a stream, where a record is met by those after it. */
#ifndef AUDIT_FAULTS_STREAMS_H
#define AUDIT_FAULTS_STREAMS_H

#include "faults.h"

#include "dppair_streams.h"

enum {
  BEFORE_SILENCE_ENDS = 1,
  MET_ONCE,
  ALL_FOR_THE_LAST,
  RESIDENCE_ONCE,
  PLACE_BY_VALUE,
  RECORD_REMOVED,
  PASSED_TWICE,
  SUM_PUBLISHED,
  ROOT_FOR_THE_TREE,
  ORDER_BY_VALUE
};

/* The mean gradient of record t against `count` others, two labels, a linear loss: here every move
 * is attained. */
static void stream_gradient(double g[D], const records *r, const size_t *order, size_t t,
                            const size_t *buffer, size_t count) {
  g[0] = g[1] = 0.0;
  for (size_t j = 0; j < count; j++) {
    const size_t a = order[t], b = buffer[j];
    const double sign = (r->positive[a] ? 1.0 : 0.0) - (r->positive[b] ? 1.0 : 0.0);
    for (int k = 0; k < D; k++) g[k] -= sign * (r->x[a][k] - r->x[b][k]) / (double)count;
  }
}

static int stream(void *context, int side) {
  const audit_fault *f = context;
  static double work[4096];
  static dppair_accountant account;
  const int all = f->fault == ALL_FOR_THE_LAST, reservoir = f->fault == RESIDENCE_ONCE;
  const int early = all || f->fault == BEFORE_SILENCE_ENDS;
  const size_t buffer = early ? 3 : 2;
  dppair_stream charged, done;
  dppair_pair_unit unit;
  dppair_prefix prefix;
  dppair_rng rng;
  records r = records_of(f->data, side);
  size_t order[N], held[N], t;
  double move, sigma, mu, g[D], sum[D] = {0, 0}, exact = 0.0;
  for (int i = 0; i < N; i++) MUST(dppair_project_l2_f64(r.x[i], D, 1.0));
  /* record 0 comes when the buffer is full, or second */
  for (t = 0; t < N; t++) order[t] = (t + N - (early ? 1 : buffer)) % N;
  if (f->fault == RECORD_REMOVED || f->fault == ORDER_BY_VALUE)
    for (t = 1; t < N; t++) r.positive[t] = t / 2 % 2, r.x[t][0] = t / 2 % 2 ? 1.0 : -1.0;
  if (f->fault == ORDER_BY_VALUE && side)
    for (t = 0; t < N / 2; t++) {
      const size_t kept = order[t];
      order[t] = order[N - 1 - t];
      order[N - 1 - t] = kept;
    }
  if (f->fault == RECORD_REMOVED && side) { /* all after it come one step earlier */
    for (t = buffer; t + 1 < N; t++) order[t] = order[t + 1];
    order[N - 1] = 0;
    memset(&r.x[0], 0, sizeof r.x[0]);
  }
  memset(&charged, 0, sizeof charged);
  charged.steps = N;
  charged.buffer = buffer;
  charged.silent = all ? 0 : buffer;
  charged.noise = f->fault == ROOT_FOR_THE_TREE ? DPPAIR_PREFIX_TREE
                  : f->fault != 0               ? DPPAIR_PREFIX_INDEPENDENT
                                                : (dppair_prefix_noise)(1 + f->data % 3);
  charged.adjacency = DPPAIR_REPLACE_ONE;
  memset(&unit, 0, sizeof unit);
  unit.levels = DPPAIR_LEVELS_TWO;
  unit.unit = 2.0 * (1.0 + 1e-12);
  MUST(dppair_sensitivity_prefix(&move, &unit, &charged, work, sizeof work));
  if (f->fault == MET_ONCE) move = unit.unit;
  done = charged;
  if (f->fault == BEFORE_SILENCE_ENDS) done.silent = 0;
  if (f->fault == ROOT_FOR_THE_TREE) {
    charged.noise = DPPAIR_PREFIX_INDEPENDENT;
    MUST(dppair_sensitivity_prefix(&move, &unit, &charged, work, sizeof work));
  }
  MUST(dppair_gaussian_mu(&mu, EPSILON, DELTA));
  sigma = move / mu * (1.0 + 1e-12);
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE));
  MUST(dppair_accountant_gaussian(&account, move, sigma, 1));
  MUST(dppair_rng_from_os(&rng));
  audit_by_total();
  for (int options = 0; options < (f->fault == PASSED_TWICE ? 2 : 1); options++) {
    size_t count = 0;
    MUST(dppair_prefix_open(&prefix, &done, D, sigma, unit.unit, work, sizeof work));
    for (t = 0; t < N; t++) {
      stream_gradient(g, &r, order, t, held, count);
      exact += g[0];
      if (t >= done.silent) MUST(dppair_prefix_step(sum, g, t + 1, &prefix, &rng));
      if (count < buffer || all) {
        held[count++] = order[t];
      } else if (f->fault == PLACE_BY_VALUE) { /* the longest ones stay */
        const size_t place = length(r.x[held[0]]) < length(r.x[held[1]]) ? 0 : 1;
        if (length(r.x[order[t]]) >= length(r.x[held[place]])) held[place] = order[t];
      } else if (!reservoir) {
        held[t % buffer] = order[t];
      } else if (t == buffer) { /* a place that is taken once, and kept to the end */
        held[0] = order[t];
      }
    }
    dppair_prefix_close(&prefix);
  }
  if (f->fault == SUM_PUBLISHED) audit_publish(&exact, sizeof exact);
  audit_publish(sum, sizeof sum);
  audit_claim(NULL, EPSILON, DELTA, DPPAIR_REPLACE_ONE);
  return 0;
}

#endif /* AUDIT_FAULTS_STREAMS_H */
