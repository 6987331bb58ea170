/* SPDX-License-Identifier: MIT */
/* Mistakes around plans: batches, matchings, networks, metrics, histograms, two stages, and going
 * on after a stop. */
#ifndef AUDIT_FAULTS_PLANS_H
#define AUDIT_FAULTS_PLANS_H

#include "faults_descent.h"

#include "dppair_evaluation.h"
#include "../support/questions.h"
#include "draws.h"

/* --- batches ---------------------------------------------------------------------------------- */

enum { NOT_THE_DRAWN = 1, HARD_EXAMPLES, EPSILON_A_STEP, SAMPLING_WRITTEN, DRAW_PRINTED };

static int batches(void *context, int side) {
  const audit_fault *f = context;
  enum { STEPS = 24 };
  static dppair_release release;
  static dppair_accountant account;
  static double work[64 * N];
  dppair_plan plan = plan_of(dppair_sampling_poisson(N, N / 2, DPPAIR_REPLACE_ONE), STEPS);
  records r = records_of(f->data, side);
  double factor[N], batch_x[N][D], batch_factor[N], g[D], w[D] = {0}, epsilon = 0.0, one;
  dppair_rows_f64 rows, batch;
  dppair_options options;
  size_t index[N], count;
  memset(&options, 0, sizeof options);
  options.work = work;
  options.bytes = sizeof work;
  const size_t positives = arrange(&r);
  if (records_of(f->data, 0).positive[0] == records_of(f->data, 1).positive[0]) audit_differs(0);
  MUST(dppair_rows_clip_f64(&rows, factor, r.x[0], N, D, D, 1.0));
  rows.positives = positives;
  if (f->fault == EPSILON_A_STEP) plan.steps = 1;
  if (f->fault == SAMPLING_WRITTEN) plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  for (size_t t = 0; t < STEPS; t++) {
    if (t % plan.steps == 0) {
      MUST(dppair_accountant_init(&account));
      plan.noise_multiplier = 0.0;
      MUST(calibrate_by_orders(&plan, &account));
      MUST(dppair_release_open(&release, &account, &plan, NULL));
      if (f->fault == SAMPLING_WRITTEN)
        release.sampling = dppair_sampling_poisson(N, N / 2, DPPAIR_REPLACE_ONE);
    }
    MUST(draw_now(index, &count, N, &release));
    if (f->fault == DRAW_PRINTED) audit_publish(index, count * sizeof *index); /* into its log */
    for (size_t i = 0; i < count && f->fault == NOT_THE_DRAWN; i++) index[i] = i;
    for (size_t i = 0; i < count && f->fault == HARD_EXAMPLES; i++) /* negatives, or both */
      index[i] = r.x[0][0] < 0.0 ? N - count + i : i % 2 ? i / 2 : N - 1 - i / 2;
    MUST(dppair_gather_f64(&batch, batch_x[0], NULL, batch_factor, &drawn_now, &rows));
    MUST(rank_release(g, &release, &batch, w, &options));
    for (int k = 0; k < D; k++) w[k] -= 0.5 * g[k];
    MUST(answer_epsilon(&one, &account, DELTA));
    epsilon = one;
  }
  audit_publish(w, sizeof w);
  audit_claim(f->fault == EPSILON_A_STEP ? NULL : &account, epsilon, DELTA, DPPAIR_REPLACE_ONE);
  return 0;
}

/* --- matchings: the gradients of listed pairs, each clipped ----------------------------------- */

enum { PAIRS_OVERLAP = 1, MATCHED_BY_VALUE, PAIRS_COUNTED };

static int matching(void *context, int side) {
  const audit_fault *f = context;
  enum { STEPS = 24, M = 6 };
  static dppair_release release;
  static dppair_accountant account;
  static double work[64 * N];
  dppair_plan plan = plan_of(dppair_sampling_matching(N, M, DPPAIR_REPLACE_ONE), STEPS);
  records r = records_of(f->data, side);
  double factor[N], g[D], w[D] = {0};
  dppair_rows_f64 rows;
  dppair_bounds bounds;
  dppair_clip clip;
  dppair_options options;
  memset(&options, 0, sizeof options);
  memset(&bounds, 0, sizeof bounds);
  options.work = work;
  options.bytes = sizeof work;
  MUST(dppair_clip_init(&clip, 0.1));
  options.clip = &clip;
  for (int i = 1; i < N && f->fault == MATCHED_BY_VALUE; i++)
    r.x[i][0] = (i - 4) / 4.0, r.positive[i] = i % 2;
  MUST(dppair_rows_clip_f64(&rows, factor, r.x[0], N, D, D, 1.0));
  bounds.radius = 1.0;
  MUST(dppair_accountant_init(&account));
  MUST(calibrate_by_orders(&plan, &account));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  for (size_t t = 0; t < STEPS; t++) {
    size_t index[N], count, up[M], down[M], pairs = 0;
    MUST(draw_now(index, &count, N, &release));
    for (size_t i = 1; i < count && f->fault == MATCHED_BY_VALUE; i++)
      for (size_t j = i; j > 0 && r.x[index[j]][0] < r.x[index[j - 1]][0]; j--) {
        const size_t swap = index[j];
        index[j] = index[j - 1], index[j - 1] = swap;
      }
    for (size_t i = 0; i + 1 < count; i += f->fault == PAIRS_OVERLAP ? 1 : 2) {
      const size_t a = index[i], b = index[i + 1];
      if (r.positive[a] == r.positive[b]) continue;
      up[pairs] = r.positive[a] ? a : b;
      down[pairs++] = r.positive[a] ? b : a;
    }
    MUST(rank_pairs_gradient(g, &rows, &rows, w, up, down, NULL, pairs, &options));
    for (int k = 0; k < D && f->fault == PAIRS_COUNTED && pairs > 0; k++)
      g[k] *= M / 2.0 / (double)pairs; /* the mean over those that have a gradient */
    MUST(rank_release_vector(g, D, &release, &bounds, 0.0, &options));
    for (int k = 0; k < D; k++) w[k] -= 0.5 * g[k];
  }
  return finish(&account, w, D, DELTA);
}

/* --- a network: coefficients, and gradients of the scores ------------------------------------- */

enum {
  UNCLIPPED = 1,
  BATCH_NORM,
  SCORES_UNCAPPED,
  ROUNDED_AFTER_CLIP,
  MEAN_SUBTRACTED,
  ROUNDING_FORGOTTEN
};

static int network(void *context, int side) {
  const audit_fault *f = context;
  static dppair_release release;
  static dppair_accountant account;
  static double fast_work[4096];
  const dppair_plan plan = plan_of(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), 2);
  const double radius = f->fault == ROUNDED_AFTER_CLIP ? 0.3 : 1.0;
  records r = records_of(f->data, side);
  double factor[N], score[N], c[N], v[N][D], g[D], mean = 0.0, size = 0.0;
  double w[D] = {f->fault == SCORES_UNCAPPED ? -40.0 : 0.5, 0.0};
  dppair_rows_f64 rows;
  dppair_bounds bounds;
  dppair_options options;
  dppair_fast fast;
  memset(&options, 0, sizeof options);
  memset(&bounds, 0, sizeof bounds);
  bounds.radius = radius;
  for (int i = 1; i < N && f->fault == SCORES_UNCAPPED; i++) r.x[i][0] = -1.0;
  const size_t p = arrange(&r);
  MUST(rank_fast_init(&fast, N, DPPAIR_ACCURACY_1E6, 0.25, NULL, fast_work, sizeof fast_work));
  if (f->fault == SCORES_UNCAPPED) options.fast = &fast; /* as if its cap had been used */
  MUST(dppair_accountant_init(&account));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  for (int t = 0; t < 2; t++) {
    for (int i = 0; i < N; i++) {
      const double s = tanh(r.x[i][0] * 1e-300 > 1.0 ? 9.0 : dot(w, r.x[i]));
      score[i] = f->fault == SCORES_UNCAPPED ? dot(w, r.x[i]) : s;
      for (int k = 0; k < D; k++)
        v[i][k] = (f->fault == SCORES_UNCAPPED ? 1 : 1 - s * s) * r.x[i][k];
      mean += score[i] / N;
    }
    for (int i = 0; i < N; i++) size += (score[i] - mean) * (score[i] - mean) / N;
    for (int i = 0; i < N && f->fault == BATCH_NORM; i++) {
      score[i] = (score[i] - mean) / sqrt(size + 1e-9);
      for (int k = 0; k < D; k++) v[i][k] /= sqrt(size + 1e-9);
    }
    for (int i = 0; i < N && f->fault == UNCLIPPED; i++) v[i][0] *= 20.0;
    MUST(dppair_rows_clip_f64(&rows, factor, v[0], N, D, D, radius));
    for (int i = 0; i < N && f->fault == ROUNDED_AFTER_CLIP;
         i++) /* to whole numbers, away from 0 */
      for (int k = 0; k < D; k++) v[i][k] = copysign(ceil(fabs(factor[i] * v[i][k])), v[i][k]);
    if (f->fault == UNCLIPPED || f->fault == ROUNDED_AFTER_CLIP || f->fault == BATCH_NORM)
      rows.factor = NULL;
    MUST(rank_coeffs(c, c + p, score, p, score + p, N - p, NULL));
    MUST(dppair_combine_f64(g, &rows, c));
    for (int k = 0; k < D && f->fault == MEAN_SUBTRACTED; k++) g[k] += 4 * N * N * mean;
    for (int k = 0; k < D && f->fault == ROUNDING_FORGOTTEN; k++) /* to few bits, away from 0 */
      g[k] = copysign(16.0 * ceil(fabs(g[k]) / 16.0), g[k]);
    MUST(rank_release_vector(g, D, &release, &bounds, 0.0, &options));
    for (int k = 0; k < D; k++) w[k] -= g[k];
  }
  return finish(&account, w, D, DELTA);
}

/* --- a metric --------------------------------------------------------------------------------- */

enum { ROWS_TOO_LONG = 1, RADIUS_NOT_SQUARED, DIVIDED_BY_TRACE };

static int metric(void *context, int side) {
  const audit_fault *f = context;
  enum { STEPS = 2 };
  static dppair_release release;
  static dppair_accountant account;
  static double work[16384];
  const dppair_plan plan = plan_of(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), STEPS);
  records r = records_of(f->data, side);
  const double radius = f->fault == RADIUS_NOT_SQUARED ? 4.0 : 1.0;
  double factor[N], y[N], g[D * D], w[D * D] = {0}, move;
  dppair_rows_f64 rows;
  dppair_options options;
  memset(&options, 0, sizeof options);
  options.work = work;
  options.bytes = sizeof work;
  for (int i = 0; i < N; i++) {
    y[i] = r.positive[i] ? 1.0 : -1.0;
    if (f->fault != 0) r.x[i][0] = i == 0 ? 1.0 : -1.0;
    for (int k = 0; k < D && fabs(r.x[i][0]) <= 1.0; k++) r.x[i][k] *= radius;
  }
  MUST(dppair_rows_clip_f64(&rows, factor, r.x[0], N, D, D, radius));
  rows.y = y;
  for (int i = 0; i < N && f->fault == ROWS_TOO_LONG; i++) r.x[i][0] *= 3.0;
  MUST(dppair_accountant_init(&account));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  for (int t = 0; t < STEPS; t++) {
    if (f->fault == RADIUS_NOT_SQUARED || f->fault == DIVIDED_BY_TRACE) {
      MUST(dppair_sensitivity_metric(&move, 1.0, 0.5, 0.5, N, DPPAIR_REPLACE_ONE));
      MUST(rank_form_gradient(g, DPPAIR_FORM_METRIC, &rows, w, D, 1.0, &options));
      const double trace = f->fault == DIVIDED_BY_TRACE ? fabs(g[0] + g[3]) + 1e-6 : N * (N - 1);
      for (int k = 0; k < D * D; k++) g[k] /= trace;
      MUST(dppair_release_vector(g, D * D, &release, move));
    } else {
      MUST(rank_release_form(g, &release, DPPAIR_FORM_METRIC, &rows, w, D, 1.0, &options));
    }
    for (int k = 0; k < D * D; k++) w[k] -= 0.1 * g[k];
  }
  return finish(&account, w, D * D, DELTA);
}

/* --- a histogram ------------------------------------------------------------------------------ */

enum {
  ONE_CELL_MOVES = 1,
  EDGES_FROM_DATA,
  EMPTY_CELLS_DROPPED,
  RARE_CELLS_CLEARED,
  DIVIDED_BY_CLASS
};

static int histogram(void *context, int side) {
  const audit_fault *f = context;
  enum { CELLS = 4 };
  static dppair_release release;
  static dppair_accountant account;
  dppair_plan plan = plan_of(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), 1);
  records r = records_of(f->data, side);
  double v[CELLS] = {0}, low = -1.0, high = 1.0, positives = 0.0;
  size_t cells = CELLS, kept = 0;
  for (int i = 0; i < N; i++) positives += r.positive[i];
  if (f->fault == RARE_CELLS_CLEARED) r.x[1][0] = r.x[2][0] = 1.0;
  if (f->fault == EDGES_FROM_DATA) {
    low = high = r.x[0][0];
    for (int i = 0; i < N; i++) low = fmin(low, r.x[i][0]), high = fmax(high, r.x[i][0]);
  }
  for (int i = 0; i < N; i++) {
    const double place = (r.x[i][0] - low) / (high - low) * CELLS;
    v[place >= CELLS ? CELLS - 1 : place > 0.0 ? (size_t)place : 0] += 1.0;
  }
  for (size_t k = 0; k < CELLS; k++) {
    if (f->fault == RARE_CELLS_CLEARED && v[k] < 3.0) v[k] = 0.0;
    if (f->fault == DIVIDED_BY_CLASS) v[k] /= positives;
    if (f->fault == EMPTY_CELLS_DROPPED && !(v[k] > 0.0)) continue;
    v[kept++] = v[k];
  }
  if (f->fault == EMPTY_CELLS_DROPPED) cells = kept;
  plan.noise = DPPAIR_LAPLACE;
  plan.delta = 0.0;
  MUST(dppair_accountant_init(&account));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  MUST(dppair_release_histogram(v, cells, &release,
                                f->fault == ONE_CELL_MOVES     ? 1.0
                                : f->fault == DIVIDED_BY_CLASS ? 2.0 / 4.0
                                                               : 2.0));
  return finish(&account, v, cells, DELTA);
}

/* --- the library's evaluation: several noises for one permit -------------------------------------
 */

enum { FITTED_MODEL = 1, SCORES_OF_A_PERSON, PROMISE_OF_THESE, CONFIDENCE_OF_THESE };

static int evaluated(void *context, int side) {
  const audit_fault *f = context;
  enum { RECORDS = 256, POINTS = 3 };
  static dppair_release release;
  static dppair_accountant account;
  static double work[16 * 1024];
  const records r = records_of(f->data, side);
  const double thresholds[POINTS] = {-0.5, 0.0, 0.5};
  dppair_plan plan = plan_of(dppair_sampling_all(RECORDS, DPPAIR_REPLACE_ONE), 3);
  dppair_evaluate_options options;
  dppair_evaluation auc, tau, area;
  dppair_roc_point point[POINTS];
  double s[RECORDS], y[RECORDS], slope = 0.0, positives = 0.0;
  memset(&options, 0, sizeof options);
  for (int i = 0; i < RECORDS; i++) {
    s[i] = i < N ? r.x[i][0] : f->data == EQUAL ? 0.6 : (i * 37 % 64) / 64.0 - 0.25;
    y[i] = (i < N ? r.positive[i] : i % 3 == 0 || f->data == ONE_CLASS) ? 1.0 : -1.0;
    if (f->fault == SCORES_OF_A_PERSON && i < 40) s[i] = s[0], y[i] = y[0];
    if (f->fault == FITTED_MODEL) s[i] = i == 0 ? r.x[0][0] : 1e-3 * (y[i] - 0.1 * (i % 2));
    positives += y[i] > 0.0;
  }
  for (int i = 0; i < RECORDS && f->fault == FITTED_MODEL; i++) slope += y[i] * s[i];
  for (int i = 0; i < RECORDS && f->fault == FITTED_MODEL; i++) s[i] *= slope;
  if (f->fault == PROMISE_OF_THESE) options.promise = (size_t)fmin(positives, RECORDS - positives);
  if (f->fault == CONFIDENCE_OF_THESE) options.confidence = 1.0 - 1.0 / (2.0 + positives);
  plan.epsilon = 12.0; /* so that the variance is released too */
  if (f->data % 2 == 0) plan.noise = DPPAIR_LAPLACE, plan.delta = 0.0;
  MUST(dppair_accountant_init(&account));
  MUST(dppair_release_open(&release, &account, &plan, NULL));
  MUST(dppair_evaluate_auc(&auc, &release, s, y, RECORDS, &options, work, sizeof work));
  MUST(dppair_evaluate_kendall(&tau, &release, s, y, RECORDS, NULL, work, sizeof work));
  MUST(dppair_evaluate_roc(point, &area, &release, s, y, RECORDS, thresholds, POINTS, NULL, work,
                           sizeof work));
  dppair_release_close(&release);
  const double told[6] = {auc.value, auc.lower, auc.upper, tau.value, tau.upper, area.value};
  return finish(&account, told, 6, plan.noise == DPPAIR_LAPLACE ? 0.0 : DELTA);
}

/* --- two stages: what the first one learns, the second one uses ------------------------------- */

enum { EXACT_COUNT = 1, SECOND_UNPAID, STAGE_LEFT_OUT, EXACT_SCALE };

static int two_stages(void *context, int side) {
  const audit_fault *f = context;
  static dppair_release first, second;
  static dppair_accountant account, spare;
  dppair_plan plan = plan_of(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), 1);
  records r = records_of(f->data, side);
  double factor[N], g[D], w[D] = {0}, count = 0.0, exact = 0.0, size = 1.0;
  dppair_rows_f64 rows;
  for (int i = 0; i < N; i++) exact += r.positive[i];
  count = exact;
  plan.epsilon = 0.5 * EPSILON;
  MUST(dppair_accountant_init(&account));
  MUST(dppair_release_open(&first, &account, &plan, NULL));
  MUST(dppair_release_vector(&count, 1, &first, 1.0));
  if (f->fault == EXACT_SCALE) { /* rows in units of record 0 */
    for (int i = 1; i < N; i++) r.x[i][0] *= 0.1;
    r.x[0][0] = side ? 1.0 : 0.1;
    size = r.x[0][0];
  }
  const double weight = fmin(fmax(count / N, 0.1), 1.0); /* of the other class */
  for (int i = 0; i < N; i++)
    for (int k = 0; k < D; k++)
      r.x[i][k] *= (f->fault == EXACT_SCALE ? 1.0 / size : r.positive[i] ? 1.0 - weight : weight);
  if (f->fault == STAGE_LEFT_OUT && exact < 1.0) return finish(&account, w, D, DELTA);
  const size_t positives = arrange(&r);
  MUST(dppair_rows_clip_f64(&rows, factor, r.x[0], N, D, D, 1.0));
  rows.positives = positives;
  plan.epsilon = EPSILON;
  if (f->fault == SECOND_UNPAID) MUST(dppair_accountant_init(&spare));
  MUST(dppair_release_open(&second, f->fault == SECOND_UNPAID ? &spare : &account, &plan, NULL));
  MUST(descent_release(g, &second, &rows, w, 0, 0.0));
  for (int k = 0; k < D; k++)
    w[k] -= (f->fault == EXACT_COUNT ? 1.0 / (1.0 + exact) : weight) * g[k];
  if (f->fault == SECOND_UNPAID) {
    audit_publish(w, sizeof w);
    audit_claim(NULL, EPSILON, DELTA, DPPAIR_REPLACE_ONE);
    return 0;
  }
  return finish(&account, w, D, DELTA);
}

/* --- a stop, and a start ---------------------------------------------------------------------- */

enum { RESUMED_EARLIER = 1, LEDGER_IGNORED };

static char ledger_text[1024];
static size_t ledger_length;
static dppair_status ledger_append(const char *line, size_t length, void *context) {
  (void)context;
  if (ledger_length + length + 1 > sizeof ledger_text) return DPPAIR_ERR_SIZE;
  memcpy(ledger_text + ledger_length, line, length);
  ledger_text[ledger_length + length] = '\n';
  ledger_length += length + 1;
  return DPPAIR_OK;
}

static int stopped(void *context, int side) {
  const audit_fault *f = context;
  static dppair_release release;
  static dppair_accountant account, after;
  const uint8_t key[32] = {7};
  const dppair_release_keys keys = {key, NULL};
  dppair_plan plan = plan_of(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), 3);
  records r = records_of(f->data, side);
  double factor[N], g[D], w[D] = {0};
  dppair_rows_f64 rows;
  size_t bad, step = 2;
  audit_keys_are_given();
  ledger_length = 0;
  plan.ledger = dppair_ledger_to(ledger_append, NULL);
  const size_t positives = arrange(&r);
  MUST(dppair_rows_clip_f64(&rows, factor, r.x[0], N, D, D, 1.0));
  rows.positives = positives;
  MUST(dppair_accountant_init(&account));
  MUST(dppair_release_open(&release, &account, &plan, &keys));
  for (int t = 0; t < 2; t++) {
    MUST(descent_release(g, &release, &rows, w, 0, 0.0));
    for (int k = 0; k < D; k++) w[k] -= g[k];
  }
  dppair_release_close(&release); /* here the program stops; w is in its checkpoint */
  MUST(dppair_accountant_init(&after));
  if (f->fault == LEDGER_IGNORED) {
    MUST(dppair_release_open(&release, &after, &plan, &keys));
  } else {
    if (f->fault == RESUMED_EARLIER) step = 1; /* with the w of step 2 */
    MUST(dppair_accountant_neighbours(&after, DPPAIR_REPLACE_ONE));
    MUST(dppair_ledger_replay(&after, &bad, ledger_text, ledger_length));
    MUST(dppair_release_resume(&release, &after, &plan, ledger_text, ledger_length - 1, key, step));
  }
  MUST(descent_release(g, &release, &rows, w, 0, 0.0));
  for (int k = 0; k < D; k++) w[k] -= g[k];
  dppair_release_close(&release);
  if (f->fault == LEDGER_IGNORED) {
    audit_publish(w, sizeof w);
    audit_claim(NULL, EPSILON, DELTA, DPPAIR_REPLACE_ONE);
    return 0;
  }
  return finish(&after, w, D, DELTA);
}

#endif /* AUDIT_FAULTS_PLANS_H */
