/* SPDX-License-Identifier: MIT */
/* Mistakes around a perturbed fit, whose centre an earlier release gives. */
#ifndef AUDIT_FAULTS_OBJECTIVE_H
#define AUDIT_FAULTS_OBJECTIVE_H

#include "faults_plans.h"

enum {
  FIT_NOISE_HALVED = 1,
  FIT_RIDGE_LESS,
  FIT_RIDGE_OF_DATA,
  FIT_OUTPUT_NOISE_LESS,
  FIT_SLOPE_FALSE,
  FIT_CENTRE_OF_DATA,
  FIT_RADIUS_OF_DATA,
  FIT_TWICE,
  FIT_EXACT_PUBLISHED,
  FIT_LOSS_RISES,
  FIT_ETA_FORGOTTEN,
  FIT_TRACE_FORGOTTEN
};

/* epsilon of the plain Gaussian mechanism that the noise of b would be by itself, and so on. */
static int claim_of_less(const dppair_accountant *account, const dppair_release *release,
                         int fault) {
  const double mu = 2.0 / release->noise_multiplier, trace = release->output_mu;
  double epsilon, before = account->gaussian;
  if (fault == FIT_TRACE_FORGOTTEN) before -= trace * trace;
  MUST(dppair_gaussian_epsilon(&epsilon, DELTA, sqrt(before + mu * mu)));
  if (fault == FIT_TRACE_FORGOTTEN) epsilon += log1p(1.0 / release->ridge);
  audit_claim(account, epsilon, DELTA, (int)account->adjacency);
  return 0;
}

/* (1 - t)^2/2: its slopes are within 1 at the margins of these records only. */
static void squared_at(double out[3], double t, double parameter) {
  (void)parameter;
  out[0] = 0.5 * (1.0 - t) * (1.0 - t), out[1] = t - 1.0, out[2] = 1.0;
}

/* The sum of the rows by label is released, and its direction is where the fit is drawn to. */
static int perturbed_fit(void *context, int side) {
  static dppair_release sum, fit;
  static dppair_accountant account;
  static unsigned char work[1 << 16];
  const audit_fault *f = context;
  dppair_plan plan = plan_of(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), 1);
  records r = records_of(f->data, side);
  dppair_margin_loss loss = dppair_margin_soft_hinge();
  double v[D] = {0}, w[D], centre[D], y[N], radius = 1.0;
  size_t need;
  for (int i = 0; i < N; i++) {
    double row[D] = {r.x[i][0], r.x[i][1]};
    y[i] = r.positive[i] ? 1.0 : -1.0;
    MUST(dppair_project_l2_f64(row, D, 1.0));
    for (int k = 0; k < D; k++) v[k] += y[i] * row[k];
  }
  MUST(dppair_accountant_init(&account));
  plan.epsilon = plan.delta = 0.0;
  plan.noise_multiplier = 8.0;
  MUST(dppair_release_open(&sum, &account, &plan, NULL));
  plan.noise = DPPAIR_OBJECTIVE;
  plan.noise_multiplier = 6.0;
  plan.ridge = 5.0;
  if (f->fault == FIT_RIDGE_OF_DATA) plan.ridge += r.x[0][0];
  plan.output_mu = f->fault == FIT_TRACE_FORGOTTEN ? 0.3 : 0.01;
  MUST(dppair_release_open(&fit, &account, &plan, NULL));
  if (f->fault == FIT_CENTRE_OF_DATA) memcpy(centre, v, sizeof v);
  MUST(dppair_release_vector(v, D, &sum, 2.0 * (1.0 + 1e-12)));
  for (int k = 0; k < D && f->fault != FIT_CENTRE_OF_DATA; k++) centre[k] = v[k];
  MUST(dppair_project_l2_f64(centre, D, 1.0));
  if (f->fault == FIT_NOISE_HALVED) fit.noise_multiplier /= 2.0;
  if (f->fault == FIT_RIDGE_LESS) fit.ridge /= 2.0;
  if (f->fault == FIT_OUTPUT_NOISE_LESS) fit.output_mu *= 100.0;
  if (f->fault == FIT_SLOPE_FALSE) loss.steepest = 0.25; /* that of another loss's curvature */
  if (f->fault == FIT_LOSS_RISES) loss.at = squared_at;
  if (f->fault == FIT_RADIUS_OF_DATA) radius = fmax(0.1, length(r.x[0]));
  MUST(dppair_minimiser_workspace(&need, N, D));
  if (need > sizeof work) return faults_stop("work", DPPAIR_ERR_WORKSPACE);
  for (int k = 0; k < (f->fault == FIT_TWICE ? 2 : 1); k++) {
    if (k > 0) fit.steps++;
    MUST(dppair_release_minimiser(w, &fit, &loss, radius, r.x[0], N, D, D, y, centre, work,
                                  sizeof work));
  }
  if (f->fault == FIT_EXACT_PUBLISHED) {
    const dppair_margin_problem problem = {loss, N, D, 1.0, 5.0};
    dppair_margin_tolerance tolerance;
    MUST(dppair_margin_reach(&tolerance, &problem, 0.0));
    memset(w, 0, sizeof w);
    MUST(dppair_minimiser_not_private(w, r.x[0], D, y, &problem, NULL, &tolerance, work,
                                      sizeof work));
  }
  if (f->fault < FIT_ETA_FORGOTTEN) return finish(&account, w, D, DELTA);
  audit_publish(w, sizeof w);
  return claim_of_less(&account, &fit, f->fault);
}

#endif /* AUDIT_FAULTS_OBJECTIVE_H */
