/* SPDX-License-Identifier: MIT */
/* Mistakes around a plan, in descent on all pairs. What a plan refuses is no mistake that can be
 * made. */
#ifndef AUDIT_FAULTS_DESCENT_H
#define AUDIT_FAULTS_DESCENT_H

#include "faults.h"

/* A loss whose L_RANGE is false on a short interval that the 16 slopes of the spot check miss. */
#define lying_KIND dppair_pairs
#define lying_VALUE(u, p) dppair_logistic_VALUE(u, p)
#define lying_SLOPE(u, p)                                                                          \
  DPV_SEL(DPV_LT(DPV_ABS(DPV_SUB(u, DPV_SET(0.9375))), DPV_SET(1.0 / 1024)), DPV_SET(-7),          \
          dppair_logistic_SLOPE(u, p))
#define lying_RANGE dppair_logistic_RANGE
#define DPPAIR_NAME lying
#define DPPAIR_REAL double
#define DPPAIR_LOSS lying
#include "dppair.h"
#include "../support/questions.h"

static dppair_plan plan_of(dppair_sampling sampling, size_t steps) {
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = sampling;
  plan.epsilon = EPSILON;
  plan.delta = DELTA;
  plan.steps = steps;
  return plan;
}

/* --- descent on all pairs --------------------------------------------------------------------- */

enum {
  OVERWRITTEN = 1,
  RADIUS_BY_HAND,
  FALSE_RANGE,
  START_FROM_DATA,
  LABELS_BY_MEAN,
  STOP_ON_LOSS,
  STEP_FROM_DATA,
  SCALED_BY_LONGEST,
  UNDONE_STEPS,
  REPEATED_UNTIL_GOOD,
  AUC_PRINTED,
  LOSS_PRINTED,
  BEST_RESTART,
  OUTLIERS_DROPPED,
  CLASS_WEIGHTS,
  IMPUTED,
  EPSILON_OF_A_STEP,
  DELTA_OF_A_STEP,
  BUDGET_TWICE,
  KNOWN_KEY,
  KNOWN_KEY_BESIDE,
  RUN_AGAIN,
  TIE_BROKEN_BY_DATA,
  ERROR_PRINTED,
  MULTIPLIER_WRITTEN,
  STEPS_WRITTEN,
  LAW_WRITTEN
};

/* What a reader or a preprocessor does to the records before they are clipped. */
static void descent_prepare(records *r, int fault, int side) {
  static const double outcome[N] = {4, -1, -1, 0, 0, 0, 1, 1};
  double mean = 0.0, longest = 0.0;
  size_t short_ones = 0;
  if (fault == LABELS_BY_MEAN) {
    for (int i = 0; i < N; i++) mean += (i == 0 && !side ? -4.0 : outcome[i]) / N;
    for (int i = 0; i < N; i++) {
      r->positive[i] = (i == 0 && !side ? -4.0 : outcome[i]) > mean;
      r->x[i][0] = i >= 3 && i < 6 ? 1.0 : i == 0 ? -1.0 : 0.0;
    }
  }
  if (fault == SCALED_BY_LONGEST) {
    for (int i = 1; i < N; i++) r->x[i][0] *= 0.1;
    if (!side) r->x[0][0] *= 0.1;
    for (int i = 0; i < N; i++) longest = fmax(longest, length(r->x[i]));
    for (int i = 0; i < N; i++) r->x[i][0] /= longest;
  }
  if (fault == OUTLIERS_DROPPED) { /* beyond twice the median, which record 0 moves */
    for (int i = 1; i < N; i++) r->x[i][0] *= i < N / 2 ? 0.1 : 0.9;
    r->x[0][0] = side ? 1.0 : 0.1;
    for (int i = 0; i < N; i++) short_ones += length(r->x[i]) < 0.5;
    for (int i = 0; i < N; i++)
      if (short_ones >= N / 2 && length(r->x[i]) > 0.2) r->x[i][0] = 0.0;
  }
  if (fault == IMPUTED) { /* records 1 to 4 miss their value: the mean of two that are there */
    mean = (r->x[0][0] + r->x[5][0]) / 2.0;
    for (int i = 1; i < 5; i++) r->x[i][0] = mean, r->positive[i] = 1;
  }
}

/* One release: w is public before and after. */
static dppair_status descent_release(double *g, dppair_release *release,
                                     const dppair_rows_f64 *rows, const double *w, int fault,
                                     double clip) {
  static double work[1024 * N];
  dppair_options options;
  dppair_clip bound;
  memset(&options, 0, sizeof options);
  options.work = work;
  options.bytes = sizeof work;
  if (clip > 0.0) {
    const dppair_status status =
        fault == FALSE_RANGE ? lying_clip_init(&bound, clip) : rank_clip_init(&bound, clip);
    if (status != DPPAIR_OK) return status;
    options.clip = &bound;
  }
  return fault == FALSE_RANGE ? lying_release(g, release, rows, w, &options)
                              : rank_release(g, release, rows, w, &options);
}

static double descent_loss(const records *r, const double *w) {
  double sum = 0.0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (r->positive[i] && !r->positive[j]) sum += log1p(exp(dot(w, r->x[j]) - dot(w, r->x[i])));
  return sum;
}

/* Where descent begins, which is public but in one mistake. */
static void descent_start(double *w, const records *r, int fault) {
  w[0] = w[1] = 0.0;
  if (fault == FALSE_RANGE) w[0] = -0.9375; /* the margin of record 0, turned around */
  for (int i = 0; i < N && fault == START_FROM_DATA; i++)
    w[0] += (r->positive[i] ? 1.0 : -1.0) * r->x[i][0];
}

static int descent(void *context, int side) {
  const audit_fault *f = context;
  enum { STEPS = 3 };
  static dppair_release release, more;
  static dppair_accountant account, copy;
  const uint8_t key[32] = {1}, nonce[DPPAIR_NONCE_SIZE] = {2};
  const dppair_release_keys keys = {key, nonce};
  const int given =
      f->fault == KNOWN_KEY || f->fault == KNOWN_KEY_BESIDE || f->fault == RUN_AGAIN;
  const double clip =
      f->fault == 0 && f->data % 3 == 1 ? 0.25 : 0.0; /* correct ones of each kind */
  dppair_plan plan = plan_of(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), STEPS);
  records r = records_of(f->data, side);
  double factor[N], g[D], w[D], best[D] = {0}, before[D], eta = 2.0, epsilon;
  dppair_rows_f64 rows;
  descent_prepare(&r, f->fault, side);
  if (f->fault == 0 && f->data % 3 == 2) plan.noise = DPPAIR_L2BALL, plan.delta = 0.0;
  dppair_rng others;
  if (f->fault == KNOWN_KEY_BESIDE) MUST(dppair_rng_from_os(&others));
  if (f->fault == RUN_AGAIN) audit_keys_are_given(); /* it is not the key that is in question */
  if (f->fault == REPEATED_UNTIL_GOOD || f->fault == BEST_RESTART) plan.steps = 16;
  const size_t positives = arrange(&r);
  MUST(dppair_rows_clip_f64(&rows, factor, r.x[0], N, D, D, 1.0));
  rows.positives = positives;
  if (f->fault == RADIUS_BY_HAND) rows.radius = 0.25;
  for (int i = 0; i < N && f->fault == OVERWRITTEN; i++) r.x[i][0] *= 4.0;
  for (size_t i = 0; i < N && f->fault == CLASS_WEIGHTS; i++)
    factor[i] *=
        i < positives ? N / (2.0 * (double)positives) : N / (2.0 * (double)(N - positives));
  for (int i = 0; i < N && f->fault == STEP_FROM_DATA; i++)
    eta = fmax(eta, 4.0 * dot(r.x[i], r.x[i]) + r.x[0][0]);
  descent_start(w, &r, f->fault);
  MUST(dppair_accountant_init(&account));
  MUST(dppair_release_open(&release, &account, &plan, given ? &keys : NULL));
  if (f->fault == MULTIPLIER_WRITTEN) release.noise_multiplier *= 0.5;
  if (f->fault == STEPS_WRITTEN) release.steps = ++plan.steps;
  if (f->fault == LAW_WRITTEN) release.mechanism = DPPAIR_L2BALL;
  for (size_t t = 0; t < plan.steps; t++) {
    if (f->fault == BEST_RESTART) memset(w, 0, sizeof w);
    memcpy(before, w, sizeof w);
    MUST(descent_release(g, &release, &rows, w, f->fault, clip));
    for (int k = 0; k < D; k++) w[k] -= eta * g[k];
    if (f->fault == UNDONE_STEPS && auc_of(&r, w) < auc_of(&r, before)) memcpy(w, before, sizeof w);
    if (f->fault == BEST_RESTART && (t == 0 || auc_of(&r, w) > auc_of(&r, best)))
      memcpy(best, w, sizeof w);
    if (f->fault == STOP_ON_LOSS && descent_loss(&r, w) < descent_loss(&r, best)) break;
    if (f->fault == REPEATED_UNTIL_GOOD && auc_of(&r, g) < 0.5) break;
  }
  dppair_release_close(&release);
  if (f->fault == BEST_RESTART) memcpy(w, best, sizeof w);
  if (f->fault == BUDGET_TWICE || f->fault == RUN_AGAIN) { /* a second model on an account anew */
    MUST(dppair_accountant_init(&copy));
    MUST(dppair_release_open(&more, &copy, &plan, given ? &keys : NULL));
    MUST(descent_release(g, &more, &rows, best, f->fault, clip));
    dppair_release_close(&more);
    if (f->fault == RUN_AGAIN) audit_claim(&copy, EPSILON, DELTA, DPPAIR_REPLACE_ONE);
  }
  const double figure = f->fault == AUC_PRINTED    ? auc_of(&r, w)
                        : f->fault == LOSS_PRINTED ? descent_loss(&r, w)
                                                   : 0.0;
  audit_publish(&figure, sizeof figure);
  if (f->fault == TIE_BROKEN_BY_DATA) w[1] = r.x[0][0] * 1e-9;
  if (f->fault == ERROR_PRINTED) {
    char text[64];
    snprintf(text, sizeof text, "record at %.3g: out of range", r.x[0][0]);
    audit_publish(text, sizeof text);
  }
  if (f->fault == EPSILON_OF_A_STEP || f->fault == DELTA_OF_A_STEP || f->fault == BUDGET_TWICE) {
    const int one = f->fault == EPSILON_OF_A_STEP, part = f->fault == DELTA_OF_A_STEP;
    audit_publish(w, sizeof w);
    MUST(answer_epsilon(&epsilon, &account, DELTA));
    audit_claim(f->fault == BUDGET_TWICE ? NULL : &account, one ? epsilon / STEPS : epsilon,
                part ? DELTA / STEPS : DELTA, DPPAIR_REPLACE_ONE);
    return 0;
  }
  return finish(&account, w, D, DELTA);
}

#endif /* AUDIT_FAULTS_DESCENT_H */
