/* SPDX-License-Identifier: MIT */
/* Mistakes where noise is added to what nobody may see: descent of which the last iterate alone
 * leaves. */
#ifndef AUDIT_FAULTS_UNSEEN_H
#define AUDIT_FAULTS_UNSEEN_H

#include "faults.h"

enum {
  SEEN_ITERATE = 1,
  SEEN_LOSS,
  AVERAGE_PUBLISHED,
  KINK,
  UNSEEN_MOMENTUM,
  LONG_STEPS,
  NO_REGULARISER,
  LAST_OF_ONE_STEP
};

/* The mean gradient of the 'ind' risk: logistic; of a hinge with its kink at 1/2; of a square of
 * the same curvature; or linear, where the bound is attained. */
static void unseen_gradient(double g[D], const records *r, const double w[D], int fault) {
  g[0] = g[1] = 0.0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (r->positive[i] && !r->positive[j]) {
        const double u = dot(w, r->x[i]) - dot(w, r->x[j]);
        double slope = -1.0;
        if (fault == 0) slope = -sigmoid(-u);
        if (fault == KINK && u >= 0.5) slope = 0.0;
        if (fault == LONG_STEPS) slope = u / 4.0 - 1.0;
        for (int k = 0; k < D; k++) g[k] += slope * (r->x[i][k] - r->x[j][k]) / (N * (N - 1));
      }
}

static int unseen(void *context, int side) {
  const audit_fault *f = context;
  enum { STEPS = 6 };
  const int runs = f->fault == KINK ? 40 : 1; /* two iterates must have the kink between them */
  static dppair_accountant account;
  records r = records_of(f->data, side);
  const double lam = 0.25, smooth = N / (4.0 * (N - 1)) + lam, move = 2.0 / N * (1.0 + 1e-9);
  const double most = 2.0 / (smooth + lam),
               eta = f->fault == LONG_STEPS                                        ? 3.0 * most
                     : f->fault == UNSEEN_MOMENTUM || f->fault == LAST_OF_ONE_STEP ? most / 4.0
                                                                                   : most;
  const double c = f->fault == LONG_STEPS ? 0.5 : 1.0 - eta * lam;
  double w[D] = {0, 0}, one, mu, sigma;
  dppair_rng rng;
  for (int i = 0; i < N; i++) MUST(dppair_project_l2_f64(r.x[i], D, 1.0));
  MUST(dppair_gaussian_mu_last_iterate(&one, move, 1.0, smooth, lam, fmin(eta, most), STEPS,
                                       HUGE_VAL));
  if (f->fault == LAST_OF_ONE_STEP) one = move;
  MUST(dppair_gaussian_mu(&mu, EPSILON, DELTA));
  sigma = one / mu * (1.0 + 1e-12) * sqrt(runs);
  const double spread = eta * sigma * sqrt((1.0 - pow(c, 2 * STEPS)) / (1.0 - c * c));
  const double allowed = one / sigma * spread * (1.0 + 1e-9); /* the mean that was charged */
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE));
  MUST(dppair_accountant_gaussian(&account, one, sigma, (size_t)runs));
  MUST(dppair_rng_from_os(&rng));
  audit_proof_begin();
  for (int run = 0; run < runs; run++) {
    double before[D] = {0, 0}, mean[D] = {0, 0}, g[D];
    w[0] = w[1] = 0.0;
    for (int t = 0; t < STEPS; t++) {
      unseen_gradient(g, &r, w, f->fault);
      for (int k = 0; k < D; k++) {
        const double at = w[k];
        w[k] -= eta * (g[k] + (f->fault == NO_REGULARISER ? 0.0 : lam * w[k]));
        if (f->fault == UNSEEN_MOMENTUM) w[k] += 0.9 * (at - before[k]);
        before[k] = at;
      }
      /* of a run with these shifts alone, the last iterate has this mean and this deviation */
      if (t == STEPS - 1) audit_proof_moves(w, D, spread, allowed, 0);
      audit_unseen(t < STEPS - 1);
      MUST(dppair_add_gaussian_f64_grid(w, D, eta * sigma, 40, &rng));
      audit_unseen(0);
      for (int k = 0; k < D; k++) mean[k] += w[k] / STEPS;
      if (f->fault == SEEN_ITERATE && t == 2) audit_publish(w, sizeof w);
      if (f->fault == SEEN_LOSS && t == 2) {
        const double loss = log1p(exp(-dot(w, r.x[0])));
        audit_publish(&loss, sizeof loss);
      }
    }
    if (f->fault == AVERAGE_PUBLISHED) memcpy(w, mean, sizeof w);
  }
  audit_proof_end();
  return finish(&account, w, D, DELTA);
}

#endif /* AUDIT_FAULTS_UNSEEN_H */
