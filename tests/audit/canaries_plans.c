/* SPDX-License-Identifier: MIT */
/*
 * Canaries for plans with every sampling, and for filters.
 *
 * One step of a plan sees a record a when it is drawn, k times. On worst-case neighbours the
 * release is one number N(c_k, sigma^2), k by a public law, and its density on either side is a
 * known sum.
 *
 *   sums       every record adds x in [-1, 1] to a sum, a is +1. Poisson, all: on the other side
 *              -1, or a null, and all others are 0. Fixed numbers: all others are -1, and on the
 *              other side a is too, so that a draw without a looks like one with it
 *   gradients  hinge ranking in one dimension at w = 0, where every slope is the steepest, 1. All
 *              others are negatives at +1; a is a positive at -1, where each of its pairs pulls by
 *              the largest move of a record, or at +1, where it pulls as if it were not there
 *
 * The noise multiplier is found by dppair_calibrate for so many steps; a run is as many permits of
 * a plan with this multiplier, whose releases are one after the other independent.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canaries.h"

#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_accountant.h"
#include "dppair_filters.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_evaluation.h"
#include "dppair_tables.h"
#include "dppair_metric.h"

#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
#include "../support/questions.h"
#include "draws.h"

enum { MOST = 40 }; /* records */

typedef enum query { SUM, GRADIENT, COUNTS } query;

typedef struct plan_case {
  dppair_sampling (*draws)(size_t n, size_t m, dppair_adjacency adjacency);
  dppair_adjacency adjacency;
  size_t n, m, steps;
  query asked;
  dppair_mechanism_kind law;
} plan_case;

static dppair_sampling every_record(size_t n, size_t m, dppair_adjacency adjacency) {
  (void)m;
  return dppair_sampling_all(n, adjacency);
}

/* m batches an epoch. */
static dppair_sampling in_batches(size_t n, size_t m, dppair_adjacency adjacency) {
  return dppair_sampling_allocation(n, m, 1, adjacency);
}

/* What dppair_calibrate and the account say of the plan: once for each canary. */
typedef struct priced {
  double multiplier, claimed;
} priced;

static dppair_status price(priced *found, const canary *c, const dppair_plan *asked) {
  dppair_plan plan = *asked;
  dppair_accountant account;
  dppair_release release;
  dppair_interval answer;
  size_t bytes;
  void *work = NULL;
  dppair_status status = dppair_composer_workspace(&bytes, NULL);
  if (status == DPPAIR_OK && (work = malloc(bytes)) == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) status = dppair_accountant_init(&account);
  plan.epsilon = c->epsilon;
  plan.delta = c->delta;
  if (status == DPPAIR_OK) status = calibrate(&plan, &account, work, bytes);
  if (status == DPPAIR_OK) status = dppair_release_open(&release, &account, &plan, NULL);
  if (status == DPPAIR_OK) {
    found->multiplier = release.noise_multiplier;
    dppair_release_close(&release);
    if (c->delta > 0) {
      status = certify(&answer, &account, c->delta, work, bytes);
      found->claimed = answer.upper;
    } else {
      status = answer_epsilon(&found->claimed, &account, 0);
    }
  }
  free(work);
  return status;
}

/* --- one step --------------------------------------------------------------------------------- */

typedef struct bench {
  const plan_case *p;
  dppair_release release;
  double x[MOST]; /* record 0 is a, the only positive */
  double work[2048];
  dppair_options options;
  int null; /* a is a null record */
} bench;

/* Is the number of records that are drawn fixed? */
static int is_fixed(const plan_case *p) {
  return p->draws != every_record && p->draws != dppair_sampling_poisson && p->draws != in_batches;
}

static void bench_make(bench *b, const plan_case *p, int side) {
  size_t i;
  memset(b, 0, sizeof *b);
  b->p = p;
  b->options.work = b->work;
  b->options.bytes = sizeof b->work;
  for (i = 0; i < p->n; i++) b->x[i] = p->asked == GRADIENT ? 1 : is_fixed(p) ? -1 : 0;
  if (p->asked == GRADIENT)
    b->x[0] = side == 0 ? -1 : 1;
  else
    b->x[0] = side == 0 ? 1 : -1;
  if (p->adjacency == DPPAIR_ZERO_OUT && side == 1) b->null = 1;
}

static dppair_status sum_step(double *out, bench *b) {
  size_t index[MOST], count = b->p->n, k;
  dppair_status status = DPPAIR_OK;
  if (b->release.sampling.kind != DPPAIR_ALL)
    status = draw_now(index, &count, MOST, &b->release);
  *out = 0;
  for (k = 0; k < count; k++) {
    const size_t i = b->release.sampling.kind != DPPAIR_ALL ? index[k] : k;
    *out += i == 0 && b->null ? 0 : b->x[i];
  }
  if (status != DPPAIR_OK) return status;
  if (b->p->asked == COUNTS) return dppair_release_histogram(out, 1, &b->release, 2);
  /* the move that the sampling names: of a zeroed record, or of a replaced one */
  return dppair_release_vector(
      out, 1, &b->release, dppair_sampling_move_(&b->release.sampling) == DPPAIR_ZERO_OUT ? 1 : 2);
}

/* Matched pairs of different labels, one after the other. */
static dppair_status matched(double *out, bench *b, const size_t *index, size_t count) {
  const double w = 0, weight = 1;
  dppair_rows_f64 rows = dppair_rows_make_f64(b->x, b->p->n, 1, 1);
  dppair_bounds bounds;
  size_t k, j = 0, i = 0, pairs = 0;
  dppair_status status;
  memset(&bounds, 0, sizeof bounds);
  bounds.radius = rows.radius = 1;
  bounds.param_radius = HUGE_VAL;
  for (k = 0; k + 1 < count; k += 2)
    if (index[k] == 0 || index[k + 1] == 0) { /* a is the only positive */
      j = index[k] == 0 ? index[k + 1] : index[k];
      pairs = 1;
    }
  status = rank_pairs_gradient(out, &rows, &rows, &w, &i, &j, &weight, pairs, &b->options);
  if (status != DPPAIR_OK) return status;
  return rank_release_vector(out, 1, &b->release, &bounds, 0, &b->options);
}

static dppair_status gradient_step(double *out, bench *b) {
  const double w = 0;
  double x[MOST], factor[MOST];
  size_t index[MOST], count;
  dppair_rows_f64 rows, batch;
  dppair_status status = DPPAIR_OK;
  double own[MOST];
  memcpy(x, b->x, sizeof x);
  if (b->release.sampling.kind == DPPAIR_MATCHING) {
    status = draw_now(index, &count, MOST, &b->release);
    return status == DPPAIR_OK ? matched(out, b, index, count) : status;
  }
  status = dppair_rows_clip_f64(&rows, factor, x, b->p->n, 1, 1, 1);
  rows.positives = 1;
  if (status != DPPAIR_OK || b->release.sampling.kind == DPPAIR_ALL)
    return status == DPPAIR_OK ? rank_release(out, &b->release, &rows, &w, &b->options) : status;
  status = draw_now(index, &count, MOST, &b->release);
  if (status == DPPAIR_OK) {
    double taken[MOST];
    status = dppair_gather_f64(&batch, taken, NULL, own, &drawn_now, &rows);
    if (status == DPPAIR_OK) status = rank_release(out, &b->release, &batch, &w, &b->options);
  }
  return status;
}

/* --- its density ------------------------------------------------------------------------------ */

/* Where the noise is centred on a side when a was drawn k times, and the probability of that. */
static double centre_of(const plan_case *p, size_t k, int side) {
  const double m = p->m > 0 ? (double)p->m : (double)p->n, hits = (double)k;
  const int matching = p->draws == dppair_sampling_matching;
  if (p->asked != GRADIENT && is_fixed(p)) return (side == 0 ? 2 * hits : 0) - m;
  if (p->asked != GRADIENT)
    return hits * (side == 0 ? 1 : p->adjacency == DPPAIR_ZERO_OUT ? 0 : -1);
  if (side == 1) return 0;
  if (matching) return hits * 4 / m;
  if (p->draws == dppair_sampling_poisson) return 2 * hits / m;
  return 2 * hits * (m - hits) / (m * (m - 1));
}

static double log_chance(const plan_case *p, size_t k) {
  const double rate = p->m > 0 ? (double)p->m / (double)p->n : 1, m = (double)p->m;
  if (p->draws == dppair_sampling_with_replacement) {
    const double one = 1 / (double)p->n, hits = (double)k;
    return lgamma(m + 1) - lgamma(hits + 1) - lgamma(m - hits + 1) + hits * log(one) +
           (m - hits) * log1p(-one);
  }
  return k == 0 ? (rate < 1 ? log1p(-rate) : -HUGE_VAL) : log(rate);
}

static double log_density(const bench *b, double x, int side) {
  const plan_case *p = b->p;
  const size_t most = p->draws == dppair_sampling_with_replacement ? (p->m < 8 ? p->m : 8) : 1;
  double sum = -1e300;
  size_t k;
  for (k = 0; k <= most; k++) {
    const double z = (x - centre_of(p, k, side)) / b->release.sigma;
    const double chance = log_chance(p, k), law = p->law == DPPAIR_GAUSSIAN ? -z * z / 2 : -fabs(z);
    if (chance > -1e300) sum = log_sum(sum, chance + law);
  }
  return sum;
}

/* The same of an epoch, whose batches share one allocation: a is in one of them. */
typedef struct epoch {
  double in, out; /* log sums over the batch that a is in, on either side */
  size_t seen;
} epoch;

static double epoch_ratio(epoch *e, const bench *b, double x) {
  const double precision = 1 / (b->release.sigma * b->release.sigma);
  const int zeroed = b->p->adjacency == DPPAIR_ZERO_OUT;
  double ratio;
  if (e->seen == 0) e->in = e->out = -1e300;
  e->in = log_sum(e->in, (x - 0.5) * precision);
  e->out = log_sum(e->out, zeroed ? 0 : (-x - 0.5) * precision);
  if (++e->seen < b->p->m) return 0;
  ratio = e->in - e->out;
  e->seen = 0;
  return ratio;
}

/* --- runs ------------------------------------------------------------------------------------- */

static int run_plan(double *out, size_t count, int side, uint64_t first, canary *c) {
  static const canary *known;
  static priced found;
  const plan_case *p = c->data;
  uint8_t key[32], nonce[DPPAIR_NONCE_SIZE] = {0};
  dppair_release_keys keys;
  dppair_accountant account;
  dppair_plan plan;
  bench b;
  epoch e = {0, 0, 0};
  size_t k, t;
  dppair_status status = DPPAIR_OK;
  memset(&plan, 0, sizeof plan);
  plan.sampling = p->draws(p->n, p->m, p->adjacency);
  plan.noise = p->law;
  plan.steps = p->steps;
  if (known != c) status = price(&found, c, &plan);
  known = c;
  c->claimed = found.claimed;
  plan.noise_multiplier = found.multiplier;
  plan.steps = p->steps * count;
  canary_key(key, c->name, first);
  keys.key = key;
  keys.nonce = nonce;
  bench_make(&b, p, side);
  if (status == DPPAIR_OK) status = dppair_accountant_init(&account);
  if (status == DPPAIR_OK) status = dppair_release_open(&b.release, &account, &plan, &keys);
  for (k = 0; k < count; k++)
    for (t = 0, out[k] = 0; t < p->steps && status == DPPAIR_OK; t++) {
      double x;
      status = p->asked == GRADIENT ? gradient_step(&x, &b) : sum_step(&x, &b);
      if (status == DPPAIR_OK)
        out[k] += p->draws == in_batches ? epoch_ratio(&e, &b, x)
                                         : log_density(&b, x, 0) - log_density(&b, x, 1);
    }
  dppair_release_close(&b.release);
  if (status != DPPAIR_OK) (void)fprintf(stderr, "%s: %s\n", c->name, dppair_status_string(status));
  return status != DPPAIR_OK;
}

/* A filter, and an adversary who asks for more after a small answer than after a large one, and
 * takes what is left at the end; the sum of what is spent is the budget, up to rounding. */
static int run_filter(double *out, size_t count, int side, uint64_t first, canary *c) {
  uint8_t key[32];
  dppair_filter f;
  dppair_rng rng;
  size_t k, t;
  dppair_status status = dppair_filter_init(&f, c->epsilon, c->delta, 0);
  canary_key(key, c->name, 0);
  for (k = 0; k < count && status == DPPAIR_OK; k++) {
    dppair_filter left = f;
    double share = 0.2;
    out[k] = 0;
    status = dppair_rng_from_key(&rng, key, first + k);
    for (t = 0; t < 40 && status == DPPAIR_OK; t++) {
      double spend = share * f.budget, x = side == 0, variance;
      const double rest = (left.budget - left.spent) * (1 - 1e-12);
      if (spend > rest) spend = rest;
      if (!(spend > 1e-9 * f.budget)) break;
      variance = 1 / spend;
      if (dppair_filter_step(&left, spend) != DPPAIR_OK) break;
      status = dppair_add_gaussian_f64(&x, 1, sqrt(variance), &rng);
      out[k] += (x - 0.5) / variance;
      share = x > 0.5 ? 0.07 : 0.31;
    }
  }
  return status != DPPAIR_OK;
}

/*
 * The AUC of half positives, which have the larger scores. Promised: a positive falls below all
 * others, which moves the AUC by 1/m. Not promised: its label is turned, which moves the noisy
 * count too; the number is then the ratio for the m that most runs choose.
 */
typedef struct evaluated {
  size_t n, promise;
} evaluated;

static double laplace_ratio(double x, double left, double right, double scale) {
  return (fabs(x - right) - fabs(x - left)) / scale;
}

static int run_evaluation(double *out, size_t count, int side, uint64_t first, canary *c) {
  const evaluated *p = c->data;
  const double half = (double)p->n / 2;
  const dppair_evaluate_options options = {0.95, p->promise};
  double score[MOST], label[MOST], work[8 * MOST];
  uint8_t key[32], nonce[DPPAIR_NONCE_SIZE] = {0};
  const dppair_release_keys keys = {key, nonce};
  dppair_evaluation answer;
  dppair_accountant account;
  dppair_release release;
  dppair_plan plan;
  size_t k;
  dppair_status status = dppair_accountant_init(&account);
  for (k = 0; k < p->n; k++) label[k] = k < p->n / 2 ? 1 : -1, score[k] = k < p->n / 2 ? 1 : 0;
  if (side == 1 && p->promise > 0) score[0] = -1;
  if (side == 1 && p->promise == 0) label[0] = -1, score[0] = 2;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(p->n, DPPAIR_REPLACE_ONE);
  plan.noise = c->delta > 0 ? DPPAIR_GAUSSIAN : DPPAIR_LAPLACE;
  plan.epsilon = c->epsilon;
  plan.delta = c->delta;
  plan.steps = 1;
  canary_key(key, c->name, 0);
  for (k = 0; k < count && status == DPPAIR_OK; k++) {
    size_t b;
    for (b = 0; b < 8; b++) nonce[b] = (uint8_t)((first + k) >> (8 * b) & 255);
    status = dppair_accountant_init(&account);
    if (status == DPPAIR_OK) status = dppair_release_open(&release, &account, &plan, &keys);
    if (status == DPPAIR_OK)
      status =
          dppair_evaluate_auc(&answer, &release, score, label, p->n, &options, work, sizeof work);
    out[k] = answer.released;
    if (p->promise == 0) /* three tenths of epsilon for the count */
      out[k] = laplace_ratio(answer.released, 1, 1 - 1 / (half + 1), answer.noise) +
               laplace_ratio(answer.count, half, half - 1, 1 / (0.3 * c->epsilon));
    dppair_release_close(&release);
  }
  return status != DPPAIR_OK;
}

/*
 * Histograms of a number, of a number and a flag by class, of a group, and the labels, smoothed: a
 * record leaves all that it can leave. The number is the projection on its move, which is the
 * difference of what both records add.
 */
enum { MARGINAL_COLUMNS = 5, MARGINAL_NUMBERS = 32 };

/* v = what a data set of this one record has before the noise. */
static dppair_status marginals_of(double *v, const dppair_marginals *query, const double *row,
                                  int positive, double *work, size_t bytes) {
  dppair_marginals_state_ state;
  const dppair_status status = dppair_marginals_open_(&state, query, work, bytes);
  memset(v, 0, MARGINAL_NUMBERS * sizeof *v);
  if (status != DPPAIR_OK) return status;
  dppair_marginals_count_(v, &state, row, positive);
  return dppair_marginals_finish_(v, &state);
}

static int run_marginals(double *out, size_t count, int side, uint64_t first, canary *c) {
  static const dppair_column columns[MARGINAL_COLUMNS] = {{DPPAIR_COLUMN_NUMERIC, -1, 1, 0, 0},
                                                          {DPPAIR_COLUMN_NUMERIC, 0, 1, 0, 1},
                                                          {DPPAIR_COLUMN_FLAG, 0, 0, 0, 1},
                                                          {DPPAIR_COLUMN_GROUP, 0, 0, 1, 0},
                                                          {DPPAIR_COLUMN_GROUP, 0, 0, 1, 0}};
  static const dppair_marginals query = {columns, MARGINAL_COLUMNS, 3, 0.9, 2.0, 1.5};
  static const canary *known;
  static priced found;
  static double work[1 << 13];
  double x[4][MARGINAL_COLUMNS] = {{1, 0.2, 1, 1, 0}}, y[4] = {1};
  const double other[MARGINAL_COLUMNS] = {-1, 0.2, 1, 0, 1};
  double a[MARGINAL_NUMBERS], b[MARGINAL_NUMBERS], v[MARGINAL_NUMBERS];
  uint8_t key[32], nonce[DPPAIR_NONCE_SIZE] = {0};
  const dppair_release_keys keys = {key, nonce};
  dppair_accountant account;
  dppair_release release;
  dppair_plan plan;
  size_t k, i, start[MARGINAL_COLUMNS + 2];
  dppair_status status;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(4, DPPAIR_REPLACE_ONE);
  plan.steps = 1;
  if (known != c) status = price(&found, c, &plan);
  known = c;
  c->claimed = found.claimed;
  plan.noise_multiplier = found.multiplier;
  plan.steps = count;
  canary_key(key, c->name, first);
  status = marginals_of(a, &query, x[0], 1, work, sizeof work);
  if (status == DPPAIR_OK) status = marginals_of(b, &query, other, 0, work, sizeof work);
  if (status == DPPAIR_OK) status = dppair_marginals_layout(start, &query);
  if (side == 1) memcpy(x[0], other, sizeof other), y[0] = -1;
  if (status == DPPAIR_OK) status = dppair_accountant_init(&account);
  if (status == DPPAIR_OK) status = dppair_release_open(&release, &account, &plan, &keys);
  for (k = 0; k < count && status == DPPAIR_OK; k++) {
    status = dppair_release_marginals(v, start[MARGINAL_COLUMNS + 1], &release, &query, x[0], y,
                                      NULL, 4, work, sizeof work);
    for (i = 0, out[k] = 0; i < start[MARGINAL_COLUMNS + 1]; i++) out[k] += v[i] * (a[i] - b[i]);
  }
  dppair_release_close(&release);
  return status != DPPAIR_OK;
}

#define ROW(draws, adjacency, n, m, steps, asked, law)                                             \
  &(const plan_case) { draws, DPPAIR_##adjacency, n, m, steps, asked, DPPAIR_##law }
#define THOUSAND ((size_t)1000)

canary canaries_of_plans[] = {
    {"plan, all", "a record, from end to end", 2, 1e-3, 8 * THOUSAND, 300 * THOUSAND, NORMAL_NUMBER,
     0.9, run_plan, ROW(every_record, REPLACE_ONE, 8, 0, 3, GRADIENT, GAUSSIAN), NULL, 0},
    {"plan, all, zeroed", "a record, or a null", 2, 1e-3, 8 * THOUSAND, 300 * THOUSAND,
     NORMAL_NUMBER, 0.9, run_plan, ROW(every_record, ZERO_OUT, 8, 0, 3, SUM, GAUSSIAN), NULL, 0},
    {"plan, histogram", "a record, another cell", 1, 0, 40 * THOUSAND, 300 * THOUSAND, ANY_NUMBER,
     0.9, run_plan, ROW(every_record, REPLACE_ONE, 8, 0, 1, COUNTS, LAPLACE), NULL, 0},
    {"plan, marginals", "all cells, and the label", 2, 1e-3, 8 * THOUSAND, 300 * THOUSAND,
     NORMAL_NUMBER, 0.9, run_marginals, NULL, NULL, 0},
    {"plan, l2 ball", "a record, from end to end", 1, 0, 40 * THOUSAND, 300 * THOUSAND, ANY_NUMBER,
     0.9, run_plan, ROW(every_record, REPLACE_ONE, 8, 0, 1, SUM, L2BALL), NULL, 0},
    {"plan, poisson", "a record, from end to end", 2, 0.05, 12 * THOUSAND, 300 * THOUSAND,
     RATIO_NUMBER, 0.9, run_plan,
     ROW(dppair_sampling_poisson, REPLACE_ONE, 16, 4, 2, SUM, GAUSSIAN), NULL, 0},
    {"plan, poisson, zeroed", "a record, or a null", 2, 0.05, 12 * THOUSAND, 300 * THOUSAND,
     RATIO_NUMBER, 0.9, run_plan, ROW(dppair_sampling_poisson, ZERO_OUT, 16, 4, 2, SUM, GAUSSIAN),
     NULL, 0},
    {"plan, subset", "a record, from end to end", 2, 0.05, 12 * THOUSAND, 300 * THOUSAND,
     RATIO_NUMBER, 0.9, run_plan,
     ROW(dppair_sampling_without_replacement, REPLACE_ONE, 16, 4, 1, GRADIENT, GAUSSIAN), NULL, 0},
    {"plan, draws", "a record, from end to end", 2, 0.05, 12 * THOUSAND, 300 * THOUSAND,
     RATIO_NUMBER, 0.8, run_plan,
     ROW(dppair_sampling_with_replacement, REPLACE_ONE, 16, 4, 1, SUM, GAUSSIAN),
     "several hits have no best test in common: the bound adds the best for each", 0},
    {"plan, matching", "a record, from end to end", 2, 0.05, 12 * THOUSAND, 300 * THOUSAND,
     RATIO_NUMBER, 0.9, run_plan,
     ROW(dppair_sampling_matching, REPLACE_ONE, 16, 4, 1, GRADIENT, GAUSSIAN), NULL, 0},
    {"plan, allocation", "a record, from end to end", 2, 0.05, 12 * THOUSAND, 300 * THOUSAND,
     RATIO_NUMBER, 0.65, run_plan, ROW(in_batches, REPLACE_ONE, 16, 4, 8, SUM, GAUSSIAN),
     "what is charged is the upper end of a bracket", 0},
    {"plan, allocation, zeroed", "a record, or a null", 2, 0.05, 12 * THOUSAND, 300 * THOUSAND,
     RATIO_NUMBER, 0.8, run_plan, ROW(in_batches, ZERO_OUT, 16, 4, 8, SUM, GAUSSIAN), NULL, 0},
    {"filter", "steps chosen from answers", 2, 1e-3, 8 * THOUSAND, 300 * THOUSAND, NORMAL_NUMBER,
     0.9, run_filter, NULL, NULL, 0},
    {"evaluation", "a positive below all others", 1, 0, 20 * THOUSAND, 300 * THOUSAND, ANY_NUMBER,
     0.9, run_evaluation, &(const evaluated){6, 3}, NULL, 0},
    {"evaluation, gaussian", "a positive below all others", 2, 1e-3, 4 * THOUSAND, 300 * THOUSAND,
     NORMAL_NUMBER, 0.9, run_evaluation, &(const evaluated){6, 3}, NULL, 0},
    {"evaluation, no promise", "a label", 2, 0, 10 * THOUSAND, 300 * THOUSAND, ANY_NUMBER, 0.5,
     run_evaluation, &(const evaluated){40, 0},
     "m is chosen below the smaller class, where an AUC moves by less than 1/m", 0},
    {NULL, NULL, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, 0}};
