/* SPDX-License-Identifier: MIT */
/* Mistakes around a site's share: integers of records' own vectors with Skellam noise. */
#ifndef AUDIT_FAULTS_SHARES_H
#define AUDIT_FAULTS_SHARES_H

#include "faults_plans.h"
#include "../support/questions.h"

enum { COUNTED_BESIDE = 1, ADDED_BY_HAND, INTEGERS_SENT, LENGTH_OF_ANOTHER, DEVIATION_ADDED };

/* Sums of the rows, and a w that follows them: what one site releases where its share is all. */
static int shares(void *context, int side) {
  static dppair_release release;
  static dppair_accountant account;
  const int fault = ((const audit_fault *)context)->fault;
  dppair_plan plan = plan_of(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), 3);
  records r = records_of(((const audit_fault *)context)->data, side);
  double w[D] = {0}, v[D];
  int64_t sum[D];
  uint64_t share[D];
  plan.noise = DPPAIR_SKELLAM;
  MUST(dppair_accountant_init(&account));
  MUST(calibrate_by_orders(&plan, &account));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  for (int t = 0; t < 3; t++) {
    dppair_integers q;
    MUST(dppair_integers_open(&q, sum, D, DPPAIR_QUANTISED_TRUNCATED, 4096.0,
                              fault == LENGTH_OF_ANOTHER ? 8.0 : 0.5, 0));
    for (int i = 0; i < N; i++) MUST(dppair_quantise(&q, r.x[i], NULL));
    for (int i = 0; i < N && fault == ADDED_BY_HAND; i++) sum[0] += (int64_t)(4096.0 * r.x[i][0]);
    if (fault == LENGTH_OF_ANOTHER) q.length = 0.5; /* read-only: it says how the sum was made */
    if (fault == INTEGERS_SENT)
      memcpy(share, sum, sizeof share);
    else
      MUST(dppair_release_share(share, &release, &q, 1, 64));
    MUST(dppair_shares_value(v, share, D, 64, 4096.0));
    for (int k = 0; k < D; k++) w[k] -= v[k] / N;
  }
  for (int i = 0; i < N && fault == COUNTED_BESIDE; i++) w[0] += r.x[i][0] > 0.0;
  return finish(&account, w, D, DELTA);
}

/* The same without a plan: a charge, the sum, and noise of the variance that was charged. */
static int skellam(void *context, int side) {
  const audit_fault *f = (const audit_fault *)context;
  dppair_accountant account;
  records r = records_of(f->data, side);
  const double variance = 1e9;
  double v[D];
  int64_t sum[D];
  dppair_rng rng;
  dppair_integers q;
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE));
  MUST(dppair_accountant_skellam(&account, 4096.0, variance, 1));
  MUST(dppair_integers_open(&q, sum, D, DPPAIR_QUANTISED_TRUNCATED, 4096.0, 0.5, 0));
  for (int i = 0; i < N; i++) MUST(dppair_quantise(&q, r.x[i], NULL));
  MUST(dppair_rng_from_os(&rng));
  MUST(dppair_add_skellam(sum, D, f->fault == DEVIATION_ADDED ? sqrt(variance) : variance, &rng));
  for (int k = 0; k < D; k++) v[k] = (double)sum[k] / 4096.0;
  return finish(&account, v, D, DELTA);
}

#endif
