/* SPDX-License-Identifier: MIT */
/* Mistakes where the best of a random number of private runs is released. */
#ifndef AUDIT_FAULTS_SELECTION_H
#define AUDIT_FAULTS_SELECTION_H

#include "faults.h"
#include "../support/questions.h"

enum {
  COST_FORGOTTEN = 1,
  COST_ONCE,
  MEAN_FORGOTTEN,
  RUNS_AS_ONE,
  RUNS_FIXED,
  STOPPED_EARLY,
  SCORED_WITHOUT_NOISE
};

/* epsilon as the mistake has it, of what dppair_selection_epsilon says is `right`. */
static dppair_status selected_epsilon(double *epsilon, const dppair_accountant *run, double gamma,
                                      int fault, double right) {
  double mean = 0.0, share = 0.0;
  dppair_status status = dppair_selection_mean(&mean, 1.0, gamma);
  if (status == DPPAIR_OK) status = answer_epsilon(&share, run, DELTA / mean);
  *epsilon = share + (fault == COST_ONCE ? (right - share) / 2.0 : 0.0);
  if (fault == MEAN_FORGOTTEN && status == DPPAIR_OK) {
    status = answer_epsilon(epsilon, run, DELTA);
    *epsilon += right - share;
  }
  if (fault == RUNS_AS_ONE && status == DPPAIR_OK) status = answer_epsilon(epsilon, run, DELTA);
  return status;
}

static int selected(void *context, int side) {
  const audit_fault *f = context;
  static dppair_accountant run, all;
  records r = records_of(f->data, side);
  const double gamma = 0.1, sigma = 40.0;
  dppair_interval right;
  double best[2] = {0, 0}, epsilon, mean = 0.0;
  uint64_t k, runs = 10;
  dppair_rng noise, choices;
  for (int i = 0; i < N; i++) {
    MUST(dppair_project_l2_f64(r.x[i], D, 1.0));
    mean += r.x[i][0];
  }
  MUST(dppair_rng_from_os(&noise));
  MUST(dppair_rng_from_os(&choices));
  audit_of_runs();
  if (f->fault != RUNS_FIXED) MUST(dppair_draw_runs(&runs, 1.0, gamma, &choices));
  if (f->fault == STOPPED_EARLY && runs > 1) runs--;
  for (k = 0; k < runs; k++) { /* a number, and its score */
    double v[2] = {mean, mean};
    MUST(dppair_accountant_init(&run));
    MUST(dppair_accountant_neighbours(&run, DPPAIR_REPLACE_ONE));
    MUST(dppair_accountant_gaussian(&run, 2.0 * sqrt(2.0) * (1.0 + 1e-15), sigma, 1));
    MUST(dppair_add_gaussian_f64(v, 2, sigma, &noise));
    if (f->fault == SCORED_WITHOUT_NOISE) v[1] = fabs(v[0] / sigma - mean);
    if (k == 0 || v[1] > best[1]) memcpy(best, v, sizeof best);
  }
  MUST(dppair_selection_epsilon(&right, &run, 1.0, gamma, DELTA, NULL));
  epsilon = right.upper;
  if (f->fault >= COST_FORGOTTEN && f->fault <= RUNS_AS_ONE)
    MUST(selected_epsilon(&epsilon, &run, gamma, f->fault, right.upper));
  MUST(dppair_accountant_init(&all));
  MUST(dppair_accountant_neighbours(&all, DPPAIR_REPLACE_ONE));
  MUST(dppair_accountant_pure(&all, epsilon, 1));
  MUST(dppair_accountant_failure(&all, DELTA * (1.0 - 1e-12)));
  audit_publish(best, f->fault == SCORED_WITHOUT_NOISE ? sizeof best[0] : sizeof best);
  audit_claim(NULL, epsilon, DELTA, DPPAIR_REPLACE_ONE);
  return 0;
}

#endif /* AUDIT_FAULTS_SELECTION_H */
