/* SPDX-License-Identifier: MIT */
/* Mistakes around pairs that were made pointwise: a histogram of the scores and a gradient of
 * records' own vectors, by one permit, of all records or of a batch. */
#ifndef AUDIT_FAULTS_POINTWISE_H
#define AUDIT_FAULTS_POINTWISE_H

#include "faults_plans.h"
#include "../support/questions.h"
#include "draws.h"

enum {
  COUNTS_UNRELEASED = 1,
  COEFFICIENTS_UNCLIPPED,
  PAIRS_CLIPPED_ONLY,
  NULLS_COUNTED,
  NODES_FROM_DATA,
  BATCH_TWICE
};

enum { NODES = 3 };
static const double pointwise_nodes[NODES] = {-1.0, 0.0, 1.0};

/* What one of the two plans of a row does in a step. */
typedef struct pointwise {
  const audit_fault *fault;
  dppair_release *counts, *sums; /* of the histogram, and of the gradient */
  dppair_rows_f64 rows;
  double w[D], node[NODES], count[2 * NODES], work[4096];
} pointwise;

static int pointwise_sum(double *g, pointwise *p, const dppair_histogram *h) {
  const double clip = 0.02;
  dppair_rows_f64 plain = p->rows;
  dppair_options options;
  dppair_clip bound;
  double c[N], s[N];
  memset(&options, 0, sizeof options);
  options.work = p->work;
  options.bytes = sizeof p->work;
  if (p->fault->fault == COEFFICIENTS_UNCLIPPED) {
    MUST(dppair_scores_f64(s, &p->rows, p->w));
    MUST(rank_coeffs_from_histogram(c, s, N, p->rows.positives, h->node, h->count, NODES, NULL));
    plain.weight = NULL;
    MUST(dppair_combine_f64(g, &plain, c));
    MUST(dppair_release_vector(g, D, p->sums, 2.0 * clip * (N - 1)));
  } else if (p->fault->fault == PAIRS_CLIPPED_ONLY) { /* at the price of records' own vectors */
    MUST(rank_clip_init(&bound, clip));
    options.clip = &bound;
    MUST(rank_gradient(g, &plain, p->w, &options));
    MUST(dppair_release_vector(g, D, p->sums, clip * (N - 1) * (1 + 1e-6)));
  } else {
    MUST(rank_release_pointwise(g, p->sums, &p->rows, p->w, h, clip, &options));
  }
  return 0;
}

static int pointwise_step(pointwise *p) {
  dppair_histogram h = {p->node, NODES, p->count, 0.0};
  double s[N], g[D];
  const size_t n = p->rows.n, positives = p->rows.positives;
  memcpy(p->node, pointwise_nodes, sizeof p->node);
  MUST(dppair_scores_f64(s, &p->rows, p->w));
  if (p->counts == p->sums) MUST(dppair_release_part(p->sums, 0.2));
  if (p->fault->fault == NODES_FROM_DATA) p->node[NODES - 1] = 1e-3;
  for (size_t i = 0; i < n && p->fault->fault == NODES_FROM_DATA; i++)
    p->node[NODES - 1] = fmax(p->node[NODES - 1], fabs(s[i]));
  MUST(dppair_release_score_histogram(&h, p->counts, s, p->rows.weight, n, positives));
  if (p->fault->fault == COUNTS_UNRELEASED) {
    memset(p->count, 0, sizeof p->count);
    for (size_t i = 0; i < n; i++)
      dppair_histogram_count_(p->count + (i < positives ? 0 : NODES), &h, s[i], 1048576.0);
  }
  if (pointwise_sum(g, p, &h)) return 1;
  for (int k = 0; k < D; k++) p->w[k] -= 4.0 * g[k];
  return 0;
}

/* All records, and one replaced. */
static int pointwise_all(void *context, int side) {
  static dppair_release release;
  static dppair_accountant account;
  static pointwise p;
  const dppair_plan plan = plan_of(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), 3);
  records r = records_of(((const audit_fault *)context)->data, side);
  double factor[N];
  memset(&p, 0, sizeof p);
  p.fault = context;
  for (int i = 1; i < N && p.fault->fault == NODES_FROM_DATA; i++) r.x[i][0] *= 0.1;
  if (p.fault->fault == NODES_FROM_DATA) r.x[0][0] = side ? 0.1 : 1.0;
  p.counts = p.sums = &release;
  p.w[0] = 0.7;
  const size_t positives = arrange(&r);
  MUST(dppair_rows_clip_f64(&p.rows, factor, r.x[0], N, D, D, 1.0));
  p.rows.positives = positives;
  MUST(dppair_accountant_init(&account));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  for (int t = 0; t < 3; t++)
    if (pointwise_step(&p)) return 1;
  return finish(&account, p.w, D, DELTA);
}

/* The same where record 0 is null on side 1: a record of weight 0. */
static int pointwise_zeroed(void *context, int side) {
  static dppair_release release;
  static dppair_accountant account;
  static pointwise p;
  const audit_fault *f = context;
  const dppair_plan plan = plan_of(dppair_sampling_all(N, DPPAIR_ZERO_OUT), 3);
  records r = records_of(f->data, 0);
  double factor[N], weight[N];
  memset(&p, 0, sizeof p);
  p.fault = f;
  p.counts = p.sums = &release;
  p.w[0] = 1.0;
  for (int i = 0; i < N; i++) weight[i] = 1.0;
  r.positive[0] = 1; /* so that it stands first */
  if (side) r.x[0][0] = r.x[0][1] = 0.0;
  if (side && f->fault != NULLS_COUNTED) weight[0] = 0.0;
  const size_t positives = arrange(&r);
  MUST(dppair_rows_clip_f64(&p.rows, factor, r.x[0], N, D, D, 1.0));
  p.rows.positives = positives;
  p.rows.weight = weight;
  MUST(dppair_accountant_init(&account));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  for (int t = 0; t < 3; t++)
    if (pointwise_step(&p)) return 1;
  return finish(&account, p.w, D, DELTA);
}

/* Batches: one event for a histogram and a gradient. The mistake: a plan for each, and one batch
 * for both, so that either is amplified as if the other one had not shown who was drawn. */
static int pointwise_batches(void *context, int side) {
  enum { STEPS = 48 };
  static dppair_release release, other;
  static dppair_accountant account;
  static pointwise p;
  const audit_fault *f = context;
  const dppair_sampling sampling = dppair_sampling_poisson(N, N / 2, DPPAIR_REPLACE_ONE);
  dppair_plan plan = plan_of(sampling, STEPS);
  records r = records_of(f->data, side);
  double factor[N], batch_x[N][D], batch_factor[N];
  dppair_rows_f64 rows;
  size_t index[N], unused[N], count, none;
  memset(&p, 0, sizeof p);
  p.fault = f;
  p.counts = f->fault == BATCH_TWICE ? &other : &release;
  p.sums = &release;
  p.w[0] = 0.7;
  const size_t positives = arrange(&r);
  if (records_of(f->data, 0).positive[0] == records_of(f->data, 1).positive[0]) audit_differs(0);
  MUST(dppair_rows_clip_f64(&rows, factor, r.x[0], N, D, D, 1.0));
  rows.positives = positives;
  MUST(dppair_accountant_init(&account));
  MUST(calibrate_by_orders(&plan, &account));
  plan.epsilon = plan.delta = 0.0;
  if (f->fault == BATCH_TWICE) MUST(dppair_release_open(&other, &account, &plan, NULL));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  for (int t = 0; t < STEPS; t++) {
    MUST(draw_now(index, &count, N, &release));
    const dppair_batch drawn = drawn_now;
    if (f->fault == BATCH_TWICE) {
      MUST(draw_now(unused, &none, N, &other));
      for (size_t i = 0; i < none; i++) unused[i] = i < count ? index[i] : N - 1;
      MUST(dppair_gather_f64(&p.rows, batch_x[0], NULL, batch_factor, &drawn_now, &rows));
      dppair_histogram h = {pointwise_nodes, NODES, p.count, 0.0};
      double s[N];
      MUST(dppair_scores_f64(s, &p.rows, p.w));
      MUST(dppair_release_score_histogram(&h, &other, s, NULL, none, p.rows.positives));
      MUST(dppair_gather_f64(&p.rows, batch_x[0], NULL, batch_factor, &drawn, &rows));
      double g[D];
      if (pointwise_sum(g, &p, &h)) return 1;
      for (int k = 0; k < D; k++) p.w[k] -= 4.0 * g[k];
      continue;
    }
    MUST(dppair_gather_f64(&p.rows, batch_x[0], NULL, batch_factor, &drawn_now, &rows));
    if (pointwise_step(&p)) return 1;
  }
  return finish(&account, p.w, D, DELTA);
}

/* --- the individual filter, with what a record actually adds -----------------------------------
 */

enum { COEFFICIENT_OF_COUNTS = 1, DROPPED_ARE_COUNTED };

/* Rounds of a count and of a sum of c x_i over active records, c from the count; a record is
 * dropped when what it added has used up its budget. Record 0 is null on side 1. */
static int individual_sums(void *context, int side) {
  const audit_fault *f = context;
  enum { ROUNDS = 6 };
  const double budget = 3.0, sigma = 1.0;
  double x[N], spent[N] = {0}, norm[N], mu = sqrt(2.0 * budget), epsilon;
  unsigned char active[N];
  dppair_rng rng;
  audit_by_total();
  memset(active, 1, sizeof active);
  MUST(dppair_rng_from_os(&rng));
  for (int i = 0; i < N; i++) x[i] = i == 0 && side ? 0.0 : 1.0;
  for (int t = 0; t < ROUNDS; t++) {
    double count = 0.0, c, v = 0.0;
    for (int i = 0; i < N; i++) norm[i] = x[i] != 0.0 ? 1.0 : 0.0;
    MUST(dppair_individual_sum_step(spent, active, norm, N, sigma, budget));
    for (int i = 0; i < N; i++)
      count += (active[i] || f->fault == DROPPED_ARE_COUNTED) && x[i] != 0.0 ? 1.0 : 0.0;
    c = count > N - 0.5 ? 1.0 : 0.1;
    MUST(dppair_add_gaussian_f64(&count, 1, sigma, &rng));
    if (f->fault != COEFFICIENT_OF_COUNTS) c = fmin(fmax(count / N, 0.1), 1.0);
    for (int i = 0; i < N; i++) norm[i] = fabs(c * x[i]);
    MUST(dppair_individual_sum_step(spent, active, norm, N, sigma, budget));
    for (int i = 0; i < N; i++) v += active[i] ? c * x[i] : 0.0;
    MUST(dppair_add_gaussian_f64(&v, 1, sigma, &rng));
  }
  MUST(dppair_gaussian_epsilon(&epsilon, DELTA, mu * (1 + 1e-12)));
  audit_claim(NULL, epsilon, DELTA, DPPAIR_ZERO_OUT);
  return 0;
}

#endif /* AUDIT_FAULTS_POINTWISE_H */
