/* SPDX-License-Identifier: MIT */
/* No record shows in a status. Every release and evaluation, on data sets that differ in one record
 * whose label, grade, weight, score or feature is NaN, infinite, huge or subnormal: the same
 * status, permits and sensitivities, and moves within these. Labels that are not finite are one
 * class. */
struct dppair_event;
static int hook(struct dppair_event *event);
#define DPPAIR_AUDIT(event) hook(event)
#include "dppair_shares.h"
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_scale.h"
#include "dppair_pointwise.h"
#include "dppair_evaluation.h"
#include "dppair_groups.h"
#include "dppair_tables.h"
#include "dppair_top.h"
#include "dppair_metric.h"

#define DPPAIR_NAME wide
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME narrow
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"

#define DPPAIR_NAME con
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"

#define DPPAIR_NAME tri
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_triplet
#include "dppair_contrast.h"

#include "dppair_auto.h"
#include "tests.h"
#include "clips.h"

enum { N = 6, D = 2, GROUPS = 3, EVENTS = 4, MOST = 600, ROOM = 1 << 18 };

/* What was about to get noise, in order. Later releases start from `given`, what earlier ones of
 * the first data set were: given one outcome, each moves by its own sensitivity. */
typedef struct shot {
  dppair_status status;
  size_t steps, count, noises, size[EVENTS];
  double sigma, sensitivity[EVENTS], scale[EVENTS], v[EVENTS][MOST];
} shot;
static shot now, given;
static size_t added;

static double element(const dppair_event *e, size_t k) {
  if (strcmp(e->name, "skellam") == 0) return (double)((const int64_t *)e->values)[k];
  return e->width == sizeof(float) ? (double)((const float *)e->values)[k]
                                   : ((const double *)e->values)[k];
}

static int hook(dppair_event *e) {
  size_t k;
  if (e->kind == DPPAIR_EVENT_RELEASE) {
    assert_true(now.count < EVENTS && e->n <= MOST);
    now.size[now.count] = e->n;
    now.sensitivity[now.count] = e->sensitivity;
    now.scale[now.count] = e->scale;
    for (k = 0; k < e->n; k++) now.v[now.count][k] = element(e, k);
    now.count++;
    return 0;
  }
  if (e->kind != DPPAIR_EVENT_ADD) return 0;
  now.noises++;
  if (now.count == 0) { /* noise that is no release's: the objective's */
    memset(e->values, 0, e->n * e->width);
    return 1;
  }
  added = now.count - 1;
  if (given.count > added && e->width == sizeof(double) && given.size[added] == e->n &&
      strcmp(e->name, "skellam") != 0)
    memcpy(e->values, given.v[added], e->n * sizeof(double));
  return 1;
}

/* --- a data set ------------------------------------------------------------------------------- */

static double x[N][D], y[N], s[N], weight[N];
static const double w[D * D] = {0.5, 0.25, 0.25, -0.5};
static double work[ROOM], g[N * D + MOST];
static dppair_accountant account;
static dppair_release release;
static dppair_options options;
static double factor[N];
static dppair_rows_f64 rows;

static void reset(void) {
  static const double at[N][D] = {{0.9, 0.1},  {0.3, -0.6}, {-0.5, 0.5},
                                  {0.2, 0.75}, {-0.8, 0.1}, {0.4, 0.4}};
  size_t i;
  memcpy(x, at, sizeof x);
  for (i = 0; i < N; i++) y[i] = (double)(i % 3), s[i] = at[i][0] - at[i][1], weight[i] = 1;
}

static dppair_status open_for(dppair_sampling sampling, dppair_mechanism_kind law) {
  static const uint8_t key[32] = {3}, run[16] = {4};
  const dppair_release_keys keys = {key, run};
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = sampling;
  plan.noise = law;
  plan.steps = 5;
  plan.noise_multiplier = law == DPPAIR_SKELLAM ? 20 : 1.5;
  plan.failure = law == DPPAIR_LAPLACE ? 0 : 1e-6;
  if (law == DPPAIR_OBJECTIVE) plan.ridge = 4, plan.output_mu = 0.1, plan.failure = 0;
  dppair_accountant_init(&account);
  return dppair_release_open(&release, &account, &plan, &keys);
}
static void opened(dppair_sampling sampling, dppair_mechanism_kind law) {
  assert_int_equal(open_for(sampling, law), DPPAIR_OK);
}
static void all(void) { opened(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), DPPAIR_GAUSSIAN); }

/* The rows as they are: within the radius. */
static void rows_of(int weighted) {
  assert_int_equal(dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1.0), DPPAIR_OK);
  rows.y = y;
  rows.weight = weighted ? weight : NULL;
  memset(&options, 0, sizeof options);
  options.work = work;
  options.bytes = sizeof work;
}

static dppair_groups groups_of(int relation) {
  static const size_t place[GROUPS + 1] = {0, 1, 4, N};
  dppair_groups groups;
  memset(&groups, 0, sizeof groups);
  groups.count = GROUPS;
  groups.positive = place;
  groups.most = 2 * N;
  groups.relation = relation ? DPPAIR_ACROSS : DPPAIR_WITHIN;
  return groups;
}

/* --- the releases ----------------------------------------------------------------------------- */

static dppair_status form(dppair_form kind, double clip, int weighted, int relation) {
  dppair_groups groups = groups_of(relation > 0);
  if (relation < 0)
    all();
  else
    opened(dppair_sampling_all(GROUPS, relation ? DPPAIR_REPLACE_USER : DPPAIR_REPLACE_QUERY),
           DPPAIR_GAUSSIAN);
  rows_of(weighted);
  options.clip = clip_of(dppair_clip_init, clip);
  if (relation >= 0) options.groups = &groups;
  return wide_release_form(g, &release, kind, &rows, w, kind == DPPAIR_FORM_FACTOR ? 1 : D, 1.0,
                           &options);
}
#define FORM(name, ...)                                                                            \
  static dppair_status name(void) { return form(__VA_ARGS__); }
FORM(metric, DPPAIR_FORM_METRIC, 0, 0, -1)
FORM(factored, DPPAIR_FORM_FACTOR, 0, 0, -1)
FORM(similarity, DPPAIR_FORM_SIMILARITY, 0, 0, -1)
FORM(metric_clipped, DPPAIR_FORM_METRIC, 0.3, 0, -1)
FORM(factored_clipped, DPPAIR_FORM_FACTOR, 0.3, 0, -1)
FORM(similarity_clipped, DPPAIR_FORM_SIMILARITY, 0.1, 0, -1)
FORM(metric_weighted, DPPAIR_FORM_METRIC, 0, 1, -1)
FORM(factored_weighted, DPPAIR_FORM_FACTOR, 0, 1, -1)
FORM(similarity_weighted, DPPAIR_FORM_SIMILARITY, 0, 1, -1)
FORM(metric_queries, DPPAIR_FORM_METRIC, 0, 0, 0)
FORM(factored_queries, DPPAIR_FORM_FACTOR, 0, 0, 0)
FORM(similarity_queries, DPPAIR_FORM_SIMILARITY, 0, 1, 0)
FORM(metric_persons, DPPAIR_FORM_METRIC, 0, 0, 1)
FORM(factored_persons, DPPAIR_FORM_FACTOR, 0, 1, 1)
FORM(similarity_persons, DPPAIR_FORM_SIMILARITY, 0, 0, 1)

static dppair_status form_narrow(dppair_form kind) {
  float at[N * D], label[N];
  dppair_rows_f32 thin;
  size_t i;
  all();
  rows_of(0);
  for (i = 0; i < N * D; i++) at[i] = (float)x[i / D][i % D];
  for (i = 0; i < N; i++) /* no conversion of a double that float has no room for */
    label[i] = y[i] > (double)FLT_MAX ? (float)INFINITY : y[i] < -(double)FLT_MAX ? -(float)INFINITY : (float)y[i];
  assert_int_equal(dppair_rows_clip_f32(&thin, factor, at, N, D, D, 1.0), DPPAIR_OK);
  thin.y = label;
  thin.weight = weight;
  return narrow_release_form(g, &release, kind, &thin, w, kind == DPPAIR_FORM_FACTOR ? 1 : D, 1.0,
                             &options);
}
static dppair_status metric_narrow(void) { return form_narrow(DPPAIR_FORM_METRIC); }
static dppair_status factored_narrow(void) { return form_narrow(DPPAIR_FORM_FACTOR); }
static dppair_status similarity_narrow(void) { return form_narrow(DPPAIR_FORM_SIMILARITY); }

/* Three blocks of two rows. */
static dppair_status form_blocks(void) {
  static double room[256];
  dppair_ring ring;
  dppair_sum sum;
  dppair_status status;
  size_t i, j;
  all();
  rows_of(1);
  memset(&ring, 0, sizeof ring);
  ring.form = DPPAIR_FORM_METRIC, ring.n = N, ring.block = 2, ring.d = ring.k = D, ring.w = w;
  ring.offset = ring.radius = 1;
  status = wide_form_sum_open(&sum, &ring, &options, room, sizeof room);
  for (i = 0; i < 3; i++)
    for (j = i; j < 3; j++) {
      dppair_rows_f64 a = rows, b;
      a.n = 2, a.x += 2 * i * D, a.y += 2 * i, a.factor += 2 * i, a.weight += 2 * i;
      b = rows;
      b.n = 2, b.x += 2 * j * D, b.y += 2 * j, b.factor += 2 * j, b.weight += 2 * j;
      if (status == DPPAIR_OK)
        status = wide_form_block(&sum, &ring, i, &a, j, i == j ? NULL : &b, &options);
    }
  if (status != DPPAIR_OK) return status;
  return wide_release_form_sum(g, &release, &sum, &ring, &options);
}

static dppair_status ranking(int weighted, double clip) {
  all();
  rows_of(weighted);
  rows.positives = 3;
  options.clip = clip_of(wide_clip_init, clip);
  return wide_release(g, &release, &rows, w, &options);
}
static dppair_status ranking_weighted(void) { return ranking(1, 0); }
static dppair_status ranking_clipped(void) { return ranking(0, 0.1); }

static dppair_status top(dppair_top_kind kind, int clipped) {
  dppair_groups groups = groups_of(0);
  dppair_top what;
  memset(&what, 0, sizeof what);
  what.kind = kind;
  rows_of(0);
  if (kind == DPPAIR_TOP_NDCG) {
    opened(dppair_sampling_all(GROUPS, DPPAIR_REPLACE_QUERY), DPPAIR_GAUSSIAN);
    options.groups = &groups;
  } else {
    all();
    rows.positives = 3;
    what.negatives = 1;
  }
  options.clip = clip_of(dppair_clip_init, clipped ? 0.2 : 0);
  return wide_release_top(g, &release, &rows, w, &what, &options);
}
static dppair_status ndcg(void) { return top(DPPAIR_TOP_NDCG, 1); }
static dppair_status partial(void) { return top(DPPAIR_TOP_PARTIAL, 0); }

static dppair_status contrast_of(int triplets) {
  dppair_groups groups = groups_of(0);
  dppair_contrast how;
  memset(&how, 0, sizeof how);
  how.temperature = 0.5;
  how.positives = DPPAIR_POSITIVE_LABEL;
  opened(dppair_sampling_all(GROUPS, DPPAIR_REPLACE_QUERY), DPPAIR_GAUSSIAN);
  rows_of(0);
  options.clip = clip_of(dppair_clip_init, 0.5);
  options.groups = &groups;
  if (triplets) how.margin = 0.5;
  return triplets ? tri_release_contrast(g, &release, &rows, NULL, w, D, &how, &options)
                  : con_release_contrast(g, &release, &rows, NULL, w, D, &how, &options);
}
static dppair_status contrast(void) { return contrast_of(0); }
static dppair_status triplets(void) { return contrast_of(1); }

static dppair_status softmax(void) {
  static double other[N][D], other_factor[N];
  dppair_rows_f64 others;
  all();
  rows_of(0);
  memcpy(other, x, sizeof other);
  assert_int_equal(dppair_rows_clip_f64(&others, other_factor, other[0], N, D, D, 1.0), DPPAIR_OK);
  others.y = y;
  options.clip = clip_of(dppair_clip_init, 0.5);
  return con_release_softmax(g, &release, &rows, &others, w, D, 0.5, &options);
}

static dppair_status marginals_of(dppair_adjacency adjacency) {
  static const dppair_column columns[D] = {{DPPAIR_COLUMN_NUMERIC, -1, 1, 0, 1},
                                           {DPPAIR_COLUMN_FLAG, 0, 0, 0, 1}};
  const dppair_marginals query = {columns, D, 3, 0.9, 4, 1};
  const int zero = adjacency == DPPAIR_ZERO_OUT;
  size_t start[D + 2];
  assert_int_equal(dppair_marginals_layout(start, &query), DPPAIR_OK);
  opened(dppair_sampling_all(N, adjacency), DPPAIR_GAUSSIAN);
  return dppair_release_marginals(g, start[D + 1], &release, &query, x[0], y, zero ? weight : NULL,
                                  N, work, sizeof work);
}
static dppair_status marginals(void) { return marginals_of(DPPAIR_REPLACE_ONE); }

static dppair_status histogram_of(dppair_histogram *h) {
  static const double node[3] = {-1, 0, 1};
  static double count[6];
  h->node = node, h->nodes = 3, h->count = count, h->records = 0;
  return dppair_release_score_histogram(h, &release, s, weight, N, 3);
}
static dppair_status histogram(void) {
  dppair_histogram h;
  all();
  return histogram_of(&h);
}
static dppair_status pointwise(void) {
  dppair_histogram h;
  dppair_status status;
  all();
  rows_of(1);
  rows.positives = 3;
  status = dppair_release_part(&release, 0.2);
  if (status == DPPAIR_OK) status = histogram_of(&h);
  if (status != DPPAIR_OK) return status;
  return wide_release_pointwise(g, &release, &rows, w, &h, 0.3, &options);
}

static dppair_status minimiser(void) {
  const dppair_margin_loss loss = dppair_margin_logistic();
  opened(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), DPPAIR_OBJECTIVE);
  return dppair_release_minimiser(g, &release, &loss, 1.0, x[0], N, D, D, y, NULL, work,
                                  sizeof work);
}

static dppair_status fitted(void) {
  static const dppair_column columns[D] = {{DPPAIR_COLUMN_NUMERIC, -1, 1, 0, 0},
                                           {DPPAIR_COLUMN_NUMERIC, -1, 1, 0, 0}};
  static const uint8_t key[32] = {5}, run[16] = {6};
  const dppair_release_keys keys = {key, run};
  dppair_auto_map map[D];
  dppair_auto_model model;
  dppair_plan plan;
  dppair_status status;
  memset(&plan, 0, sizeof plan);
  memset(&release, 0, sizeof release);
  memset(&model, 0, sizeof model);
  plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  plan.epsilon = 1, plan.delta = 1e-6;
  dppair_accountant_init(&account);
  model.map = map;
  status =
      dppair_auto_fit(&model, &account, &plan, &keys, x[0], y, N, D, columns, work, sizeof work);
  release.step = (size_t)account.sequence; /* what was charged is public */
  return status;
}

static dppair_status grouped(void) {
  dppair_group_sum sum;
  double room[D];
  dppair_status status;
  size_t i;
  opened(dppair_sampling_all(N, DPPAIR_REPLACE_QUERY), DPPAIR_GAUSSIAN);
  status = dppair_group_sum_open(&sum, room, D, 0.5, &release);
  for (i = 0; i < N && status == DPPAIR_OK; i++) status = dppair_group_add_f64(&sum, x[i]);
  return status == DPPAIR_OK ? dppair_release_groups(g, &release, &sum) : status;
}

static dppair_status shared(void) {
  int64_t sum[D];
  uint64_t share[D];
  dppair_integers q;
  dppair_status status;
  size_t i;
  opened(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), DPPAIR_SKELLAM);
  status = dppair_integers_open(&q, sum, D, DPPAIR_QUANTISED_TRUNCATED, 1024.0, 0.5, 0);
  for (i = 0; i < N && status == DPPAIR_OK; i++) status = dppair_quantise(&q, x[i], NULL);
  return status == DPPAIR_OK ? dppair_release_share(share, &release, &q, 1, 64) : status;
}

static double loss_of(double margin, void *context) {
  (void)context;
  return margin < 0 ? 1.0 : margin * 0.1;
}
/* What somebody writes who takes labels for numbers. */
static double difference(size_t i, size_t j, void *context) {
  (void)context;
  return (s[i] - s[j]) * (y[i] - y[j]);
}
typedef enum { AUC, RISK, PARTIAL, ROC, KENDALL, PAIRS, STATISTIC } figure;
static dppair_status evaluate(figure what) {
  static const double thresholds[2] = {-0.5, 0.5};
  dppair_roc_point points[2];
  dppair_evaluation out;
  dppair_evaluate_sums sums;
  all();
  switch (what) {
  case AUC:
    return dppair_evaluate_auc(&out, &release, s, y, N, NULL, work, sizeof work);
  case RISK:
    return dppair_evaluate_risk(&out, &release, s, y, N, loss_of, NULL, 1.0, NULL, work,
                                sizeof work);
  case PARTIAL:
    return dppair_evaluate_partial_auc(&out, &release, s, y, N, 0.5, NULL, work, sizeof work);
  case ROC:
    return dppair_evaluate_roc(points, &out, &release, s, y, N, thresholds, 2, NULL, work,
                               sizeof work);
  case KENDALL:
    return dppair_evaluate_kendall(&out, &release, s, y, N, NULL, work, sizeof work);
  case PAIRS:
    return dppair_evaluate_pairs(&sums, &release, s, y, N, work, sizeof work);
  default:
    return dppair_evaluate_statistic(&out, &release, difference, NULL, -1, 1, N, NULL, work,
                                     sizeof work);
  }
}
static dppair_status auc(void) { return evaluate(AUC); }
static dppair_status risk(void) { return evaluate(RISK); }
static dppair_status partial_auc(void) { return evaluate(PARTIAL); }
static dppair_status roc(void) { return evaluate(ROC); }
static dppair_status kendall(void) { return evaluate(KENDALL); }
static dppair_status pairs(void) { return evaluate(PAIRS); }
static dppair_status statistic(void) { return evaluate(STATISTIC); }

/* --- the table -------------------------------------------------------------------------------- */

enum { LABEL = 1, WEIGHT = 2, SCORE = 4, FEATURE = 8 };
#define RELEASE(name, fields)                                                                      \
  { #name, name, fields, 0 }
#define SLOW(name, fields)                                                                         \
  { #name, name, fields, 1 }
static const struct {
  const char *name;
  dppair_status (*run)(void);
  int fields; /* what of the record it reads as it is; features, without a clip before */
  int slow;   /* its sensitivity, or its fit, takes a tenth of a second */
} table[] = {
    RELEASE(metric, LABEL),
    RELEASE(factored, LABEL),
    RELEASE(similarity, LABEL),
    RELEASE(metric_clipped, LABEL),
    SLOW(factored_clipped, LABEL),
    RELEASE(similarity_clipped, LABEL),
    RELEASE(metric_weighted, LABEL | WEIGHT),
    SLOW(factored_weighted, LABEL | WEIGHT),
    RELEASE(similarity_weighted, LABEL | WEIGHT),
    RELEASE(metric_queries, LABEL),
    SLOW(factored_queries, LABEL),
    RELEASE(similarity_queries, LABEL | WEIGHT),
    RELEASE(metric_persons, LABEL),
    SLOW(factored_persons, LABEL | WEIGHT),
    RELEASE(similarity_persons, LABEL),
    RELEASE(metric_narrow, LABEL | WEIGHT),
    RELEASE(factored_narrow, LABEL | WEIGHT),
    RELEASE(similarity_narrow, LABEL | WEIGHT),
    RELEASE(form_blocks, LABEL | WEIGHT),
    RELEASE(ranking_weighted, LABEL | WEIGHT),
    RELEASE(ranking_clipped, LABEL),
    RELEASE(ndcg, LABEL),
    RELEASE(partial, LABEL),
    RELEASE(contrast, LABEL),
    RELEASE(triplets, LABEL),
    RELEASE(softmax, LABEL),
    RELEASE(marginals, LABEL | FEATURE),
    RELEASE(histogram, WEIGHT | SCORE),
    RELEASE(pointwise, LABEL | WEIGHT | SCORE),
    RELEASE(minimiser, LABEL | FEATURE),
    SLOW(fitted, LABEL | FEATURE),
    RELEASE(grouped, FEATURE),
    RELEASE(shared, FEATURE),
    RELEASE(auc, LABEL | SCORE),
    RELEASE(risk, LABEL | SCORE),
    RELEASE(partial_auc, LABEL | SCORE),
    RELEASE(roc, LABEL | SCORE),
    RELEASE(kendall, LABEL | SCORE),
    RELEASE(pairs, LABEL | SCORE),
    RELEASE(statistic, LABEL | SCORE),
};
enum { KINDS = sizeof table / sizeof *table, FORMS = 19 };

static void take(shot *to, size_t kind) {
  memset(&now, 0, sizeof now);
  now.status = table[kind].run();
  now.steps = release.step;
  now.sigma = release.sigma;
  *to = now;
}

/* How far the releases of b are from those of a, in sensitivities. */
static double moved(const shot *a, const shot *b) {
  double worst = 0;
  size_t k, i;
  for (k = 0; k < a->count; k++) {
    long double sum = 0;
    for (i = 0; i < a->size[k]; i++) {
      const long double d = (long double)a->v[k][i] - (long double)b->v[k][i];
      sum += d * d;
    }
    if (!(sqrtl(sum) <= (long double)worst * (long double)a->sensitivity[k]))
      worst = (double)(sqrtl(sum) / (long double)a->sensitivity[k]);
  }
  return worst;
}

static double *field_of(int field) {
  return field == LABEL ? y : field == WEIGHT ? weight : field == SCORE ? s : x[0];
}

static void no_record_shows_in_a_status(void **state) {
  static const double odd[] = {0,
                               1,
                               2,
                               7,
                               (double)NAN,
                               -(double)NAN,
                               (double)INFINITY,
                               -(double)INFINITY,
                               1e308,
                               -1e308,
                               1e38,
                               -1e17,
                               5e-324,
                               -5e-324,
                               DBL_MIN,
                               -0.0,
                               0.5,
                               127.5,
                               1024.0,
                               DBL_MAX,
                               -DBL_MAX};
  enum { ODD = sizeof odd / sizeof *odd, OTHERS = 2, FEW = 9 };
  static const double others[OTHERS] = {1, (double)NAN};
  static shot seen[ODD];
  size_t kind, value, first, other;
  int field;
  (void)state;
  for (kind = 0; kind < KINDS; kind++)
    for (field = LABEL; field <= FEATURE; field *= 2)
      for (other = 0; other < OTHERS; other++) {
        if (!(table[kind].fields & field) || (other > 0 && (kind >= FORMS || field != LABEL)))
          continue;
        given.count = 0;
        reset();
        for (value = 0; value < (table[kind].slow ? FEW : ODD); value++) {
          field_of(field)[0] = odd[value];
          if (field == LABEL) y[1] = others[other];
          take(&seen[value], kind);
          if (value == 0) given = seen[0];
          if (seen[value].status != DPPAIR_OK || seen[value].noises == 0 ||
              seen[value].steps != seen[0].steps || seen[value].count != seen[0].count ||
              seen[value].noises != seen[0].noises ||
              memcmp(&seen[value].sigma, &seen[0].sigma, sizeof(double)) != 0 ||
              memcmp(seen[value].sensitivity, seen[0].sensitivity, sizeof seen[0].sensitivity) !=
                  0 ||
              memcmp(seen[value].scale, seen[0].scale, sizeof seen[0].scale) != 0)
            fail_msg("%s: %g in field %d: %s, %zu releases, %zu permits, S %g", table[kind].name,
                     odd[value], field, dppair_status_string(seen[value].status), seen[value].count,
                     seen[value].steps, seen[value].sensitivity[0]);
          for (first = 0; first < value; first++)
            if (!(moved(&seen[first], &seen[value]) <= 1.0 + 1e-12))
              fail_msg("%s: from %g to %g in field %d moves %g sensitivities", table[kind].name,
                       odd[first], odd[value], field, moved(&seen[first], &seen[value]));
        }
      }
}

/* --- one class -------------------------------------------------------------------------------- */

/* Three labels are alike, those of two records of one group among them. */
static void labels_that_are_not_finite_are_one_class(void **state) {
  static const double odd[][3] = {{(double)NAN, (double)NAN, (double)NAN},
                                  {(double)NAN, (double)INFINITY, -(double)INFINITY},
                                  {(double)INFINITY, (double)INFINITY, (double)NAN},
                                  {-(double)NAN, -(double)INFINITY, (double)NAN}};
  static const size_t at[3] = {1, 2, 4};
  static shot plain, seen;
  size_t kind, k, i;
  (void)state;
  given.count = 0;
  for (kind = 0; kind < FORMS; kind++) {
    reset();
    for (i = 0; i < 3; i++) y[at[i]] = 7;
    take(&plain, kind);
    assert_int_equal(plain.status, DPPAIR_OK);
    for (k = 0; k < sizeof odd / sizeof *odd; k++) {
      for (i = 0; i < 3; i++) y[at[i]] = odd[k][i];
      take(&seen, kind);
      assert_memory_equal(&seen, &plain, sizeof seen);
    }
    for (i = 0; i < 3; i++) y[at[i]] = (double)(20 + i); /* three classes are another gradient */
    take(&seen, kind);
    assert_memory_not_equal(seen.v, plain.v, sizeof seen.v);
  }
}

/* The same of listed pairs, whose gradient is a sum for dppair_release_vector. */
static void listed_labels_are_one_class(void **state) {
  static const size_t i[4] = {0, 0, 1, 2}, j[4] = {1, 2, 4, 3};
  static const double odd[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
  double plain[D * D], seen[D * D];
  size_t k;
  (void)state;
  reset();
  rows_of(0);
  y[0] = y[1] = y[4] = 7;
  assert_int_equal(wide_form_pairs(plain, &rows, w, 1.0, i, j, NULL, 4, &options), DPPAIR_OK);
  for (k = 0; k < 3; k++) {
    y[0] = odd[k], y[1] = odd[(k + 1) % 3], y[4] = odd[(k + 2) % 3];
    assert_int_equal(wide_form_pairs(seen, &rows, w, 1.0, i, j, NULL, 4, &options), DPPAIR_OK);
    assert_memory_equal(seen, plain, sizeof seen);
  }
  y[1] = 8;
  assert_int_equal(wide_form_pairs(seen, &rows, w, 1.0, i, j, NULL, 4, &options), DPPAIR_OK);
  assert_memory_not_equal(seen, plain, sizeof seen);
}

/* A batch that was drawn, and a null record's label: weight 0 counts nowhere, whatever the label.
 */
static void labels_of_null_records_count_nowhere(void **state) {
  static shot plain, seen;
  (void)state;
  given.count = 0;
  reset();
  weight[0] = 0;
  take(&plain, 6);
  y[0] = (double)NAN;
  take(&seen, 6);
  assert_int_equal(seen.status, DPPAIR_OK);
  assert_memory_equal(&seen, &plain, sizeof seen);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(no_record_shows_in_a_status),
      TEST(labels_that_are_not_finite_are_one_class),
      TEST(listed_labels_are_one_class),
      TEST(labels_of_null_records_count_nowhere),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
