/* SPDX-License-Identifier: MIT */
/* What a release of a plan leaves on the stack, in vector registers and in the workspace: no key of
 * the plan, no round key, no key stream, no number before its noise, nor its fraction of the grid.
 * What the numbers were before their noise is told by the hook of audits. Whole numbers and other
 * short ones are left out, since constants look like them. */
#include <stddef.h>

struct dppair_event;
static int watch(const struct dppair_event *event);
#define DPPAIR_AUDIT(event) watch(event)
#include "dppair_shares.h"
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_selection.h"
#include "dppair_scale.h"
#include "dppair_pointwise.h"
#include "dppair_evaluation.h"
#include "dppair_groups.h"
#include "dppair_tables.h"
#include "dppair_streams.h"
#include "dppair_top.h"
#include "dppair_metric.h"

#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#ifndef DPPAIR_TEST_BRIEF /* compiling them takes longer than all others; make secrets */
#define DPPAIR_NAME con
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"
#endif

#include "clips.h"
#include "stack.h"
#include "draws.h"

enum { N = 40, D = 5, K = 3, ROOM = 1 << 16, MOST = 4096 };
static const uint8_t KEY[32] = {9, 8, 7}, RUN[16] = {5};
static const dppair_release_keys FIXED = {KEY, RUN};

static double x[N * D], y[N], factor[N], w[D * D], g[MOST], work[ROOM], state[ROOM], moments[ROOM],
    words[ROOM];
static int64_t integers[D];
static uint64_t share[D];
static size_t drawn[N], count;
static dppair_accountant account;
static dppair_release release;
static dppair_rng noise, draws;
static dppair_rows_f64 rows;
static dppair_options options;
static dppair_fast fast;
static dppair_sketch m;
static dppair_sum sum;
static dppair_group_sum groups;
static dppair_histogram histogram;
static dppair_integers whole;
static double node[8];

/* What was noised: not before the call is over may it be looked for. */
static double unnoised[MOST];
static size_t noised;
__attribute__((noinline)) static int watch(const dppair_event *e) {
  if ((e->kind != DPPAIR_EVENT_ADD && e->kind != DPPAIR_EVENT_RELEASE) || e->values == NULL)
    return 0;
  if (e->width == sizeof(double) && noised + e->n <= MOST) {
    memcpy(unnoised + noised, e->values, e->n * sizeof(double));
    noised += e->n;
  }
  return 0;
}

static int is_long(double v) { /* not a small fraction that a constant could be */
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  return isnormal(v) && (bits & 0xfffff) != 0;
}

static void want_numbers(double sigma) {
  int exponent;
  (void)frexp(sigma, &exponent);
  for (size_t i = 0; i < noised; i++) {
    const double v = unnoised[i];
    if (!is_long(v)) continue;
    want(&v, sizeof v);
    for (int by = -1; by <= 1; by++) { /* the sum, before it was divided, of which v is rounded */
      double all = v * release.divisor;
      if (by != 0) all = nextafter(all, by * HUGE_VAL);
      if (is_long(all)) want(&all, sizeof all);
    }
    for (int at = exponent - 12; at <= exponent - 9; at++) { /* the grid is one of these */
      const double scaled = ldexp(v, -at), rest = scaled - rint(scaled);
      if (!is_long(rest)) continue;
      want(&rest, sizeof rest);
      want(&scaled, sizeof scaled);
    }
  }
}

static double margin_loss(double margin, void *context) {
  (void)context;
  return 1 / (1 + exp(margin));
}
static double kernel_of(size_t i, size_t j, void *context) {
  (void)context;
  return x[i] > x[j] ? 0.75 : 0.0;
}

/* --- the calls ------------------------------------------------------------------------------- */

static void vector(void) { status = dppair_release_vector(g, 37, &release, 0.01); }
static void vector_grid(void) { status = dppair_release_vector_grid(g, 37, &release, 0.01, 20); }
static void counts(void) { status = dppair_release_histogram(g, 37, &release, 0.01); }
static void gradient(void) { status = rank_release(g, &release, &rows, w, &options); }
static void gradient_fast(void) {
  options.fast = &fast;
  status = rank_release(g, &release, &rows, w, &options);
}
static void clipped(void) {
  options.clip = clip_of(rank_clip_init, 0.3);
  status = rank_release(g, &release, &rows, w, &options);
}
static void of_sums(void) {
  options.fast = &fast;
  status = rank_release_sum(g, &release, &sum, w, &options);
}
static void top(void) {
  const dppair_top t = {DPPAIR_TOP_PARTIAL, 10, 0, 0, 0, 0};
  status = rank_release_top(g, &release, &rows, w, &t, &options);
}
static void metric(void) {
  status = rank_release_form(g, &release, DPPAIR_FORM_METRIC, &rows, w, D, 0.5, &options);
}
static void pieces(void) {
  status = rank_release_form(g, &release, DPPAIR_FORM_FACTOR, &rows, w, K, 0.5, &options);
}
static void alike(void) {
  status = rank_release_form(g, &release, DPPAIR_FORM_SIMILARITY, &rows, w, D, 0.5, &options);
}
static void scores(void) {
  status = dppair_release_score_histogram(&histogram, &release, x, factor, N, 17);
}
static void pointwise(void) {
  const dppair_histogram public_counts = {node, 8, g, N};
  for (size_t i = 0; i < 16; i++) g[i] = 2.5;
  status = rank_release_pointwise(g + 32, &release, &rows, w, &public_counts, 0.5, &options);
}
static void marginals(void) {
  static const dppair_column columns[2] = {{DPPAIR_COLUMN_NUMERIC, -1, 1, 0, 0},
                                           {DPPAIR_COLUMN_NUMERIC, -2, 2, 0, 0}};
  const dppair_marginals query = {columns, 2, 4, 0.5, 1.0, 1.0};
  size_t start[5];
  status = dppair_marginals_layout(start, &query);
  if (status == DPPAIR_OK)
    status =
        dppair_release_marginals(g, start[3], &release, &query, x, y, NULL, N, work, sizeof work);
}
static void minimiser(void) {
  const dppair_margin_loss loss = dppair_margin_logistic();
  status =
      dppair_release_minimiser(g, &release, &loss, 1.0, x, N, D, D, y, NULL, work, sizeof work);
}
#ifndef DPPAIR_TEST_BRIEF
static const dppair_contrast COSINE = {
    .compare = DPPAIR_COMPARE_COSINE, .temperature = 0.5, .positives = DPPAIR_POSITIVE_LABEL};
static void contrast(void) {
  status = con_release_contrast(g, &release, &rows, NULL, w, K, &COSINE, &options);
}
static void softmax(void) {
  options.clip = clip_of(dppair_clip_init, 0.1);
  rows.n /= 2;
  dppair_rows_f64 others = rows;
  others.x += rows.n * D, others.y += rows.n;
  if (others.factor) others.factor += rows.n;
  status = con_release_softmax(g, &release, &rows, &others, w, K, 0.5, &options);
}
#else
static void softmax(void) {}
#endif
static void of_groups(void) { status = dppair_release_groups(g, &release, &groups); }
static void shares(void) { status = dppair_release_share(share, &release, &whole, 2, 40); }
static void draw(void) { status = draw_now(drawn, &count, N, &release); }
static void auc(void) {
  dppair_evaluation out;
  status = dppair_evaluate_auc(&out, &release, x, y, N, NULL, work, sizeof work);
}
static void risk(void) {
  dppair_evaluation out;
  status = dppair_evaluate_risk(&out, &release, x, y, N, margin_loss, NULL, 1.0, NULL, work,
                                sizeof work);
}
static void partial(void) {
  const dppair_evaluate_options promise = {0, 10};
  dppair_evaluation out;
  status = dppair_evaluate_partial_auc(&out, &release, x, y, N, 0.3, &promise, work, sizeof work);
}
static void roc(void) {
  dppair_evaluation out;
  dppair_roc_point points[3];
  status = dppair_evaluate_roc(points, &out, &release, x, y, N, node, 3, NULL, g, sizeof g);
}
static void pairs(void) {
  dppair_evaluate_sums out;
  status = dppair_evaluate_pairs(&out, &release, x, y, N, work, sizeof work);
}
static void kendall(void) {
  dppair_evaluation out;
  status = dppair_evaluate_kendall(&out, &release, x, y, N, NULL, work, sizeof work);
}
static void statistic(void) {
  dppair_evaluation out;
  status = dppair_evaluate_statistic(&out, &release, kernel_of, NULL, 0.0, 1.0, N, NULL, work,
                                     sizeof work);
}
static void runs(void) { status = dppair_draw_runs(share, 1.0, 0.01, &release.noise); }
static char line[512];
static size_t length;
static dppair_status keep_line(const char *text, size_t size, void *context) {
  (void)context;
  memcpy(line, text, length = size);
  return DPPAIR_OK;
}
static dppair_plan plan_again(void) {
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  plan.noise_multiplier = 2.0;
  plan.steps = 2;
  plan.ledger = dppair_ledger_to(keep_line, NULL);
  return plan;
}
static void open_again(void) {
  const dppair_plan plan = plan_again();
  dppair_release_close(&release);
  status = dppair_release_open(&release, &account, &plan, &FIXED);
}
static void resume(void) {
  const dppair_plan plan = plan_again();
  uint8_t nonce[DPPAIR_NONCE_SIZE] = {6};
  const dppair_release_keys keys = {KEY, nonce};
  dppair_release_close(&release);
  status = dppair_release_nonce(nonce, KEY);
  if (status == DPPAIR_OK) status = dppair_release_open(&release, &account, &plan, &keys);
  dppair_release_close(&release);
  if (status == DPPAIR_OK)
    status = dppair_release_resume(&release, &account, &plan, line, length, KEY, 1);
}
/* Six steps of a stream, and its end: what it held is gone. */
static void stream(dppair_prefix_noise kind) {
  const dppair_stream of = {
      .steps = 6, .buffer = 2, .noise = kind, .adjacency = DPPAIR_REPLACE_ONE};
  dppair_prefix prefix;
  release.sigma = 1.5;
  status = dppair_prefix_open(&prefix, &of, D, release.sigma, 100.0, work, sizeof work);
  for (size_t t = 1; t <= 6 && status == DPPAIR_OK; t++)
    status = dppair_prefix_step(g, x + t * D, t, &prefix, &release.noise);
  dppair_prefix_close(&prefix);
}
static void tree(void) { stream(DPPAIR_PREFIX_TREE); }
static void square_root(void) { stream(DPPAIR_PREFIX_SQUARE_ROOT); }
static void independent(void) { stream(DPPAIR_PREFIX_INDEPENDENT); }

enum { GAUSSIAN, LAPLACE, OBJECTIVE, GROUPS, SKELLAM, SAMPLED };
static const struct {
  const char *name;
  call f;
  int law;
} calls[] = {
    {"open", open_again, GAUSSIAN},
    {"resume", resume, GAUSSIAN},
    {"prefix, tree", tree, GAUSSIAN},
    {"prefix, square root", square_root, GAUSSIAN},
    {"prefix, independent", independent, GAUSSIAN},
    {"vector", vector, GAUSSIAN},
    {"vector_grid", vector_grid, GAUSSIAN},
    {"histogram", counts, LAPLACE},
    {"gradient", gradient, GAUSSIAN},
    {"gradient, fast", gradient_fast, GAUSSIAN},
    {"gradient, clipped", clipped, GAUSSIAN},
    {"gradient of sums", of_sums, GAUSSIAN},
    {"top", top, GAUSSIAN},
    {"metric", metric, GAUSSIAN},
    {"factor", pieces, GAUSSIAN},
    {"similarity", alike, GAUSSIAN},
    {"score_histogram", scores, GAUSSIAN},
    {"pointwise", pointwise, GAUSSIAN},
    {"marginals", marginals, GAUSSIAN},
    {"minimiser", minimiser, OBJECTIVE},
#ifndef DPPAIR_TEST_BRIEF
    {"contrast", contrast, GROUPS},
    {"softmax", softmax, GAUSSIAN},
#endif
    {"groups", of_groups, GROUPS},
    {"share", shares, SKELLAM},
    {"draw", draw, SAMPLED},
    {"gradient of a draw", gradient, SAMPLED},
    {"auc", auc, GAUSSIAN},
    {"risk", risk, GAUSSIAN},
    {"partial auc", partial, GAUSSIAN},
    {"roc", roc, GAUSSIAN},
    {"pairs", pairs, GAUSSIAN},
    {"kendall", kendall, GAUSSIAN},
    {"statistic", statistic, GAUSSIAN},
    {"draw_runs", runs, GAUSSIAN},
};

__attribute__((noinline)) static void prepare(size_t c) {
  const int law = calls[c].law;
  dppair_plan plan;
  dppair_rows_f64 chunk;
  for (size_t i = 0; i < N * D; i++) x[i] = normal();
  for (size_t i = 0; i < N; i++) y[i] = i % 2 ? 1.0 : -1.0;
  for (size_t i = 0; i < D * D; i++) w[i] = 0.1 * normal();
  for (size_t i = 0; i < D; i++)
    for (size_t k = 0; k < i; k++) w[i * D + k] = w[k * D + i];
  for (size_t i = 0; i < MOST; i++) g[i] = normal();
  for (size_t i = 0; i < 8; i++) node[i] = (double)i - 3.5;
  histogram.node = node, histogram.nodes = 8, histogram.count = g, histogram.records = 0;
  memset(work, 0, sizeof work);
  memset(&plan, 0, sizeof plan);
  plan.steps = 5;
  plan.noise_multiplier = 2.0;
  plan.sampling = law == GROUPS ? dppair_sampling_matching(N, 12, DPPAIR_REPLACE_ONE)
                  : law == SAMPLED
                      ? dppair_sampling_without_replacement(N, 12, DPPAIR_REPLACE_ONE)
                      : dppair_sampling_all(calls[c].f == softmax ? N / 2 : N, DPPAIR_REPLACE_ONE);
  if (law == GROUPS) plan.sampling.group = 6;
  if (law == OBJECTIVE) plan.noise = DPPAIR_OBJECTIVE, plan.ridge = 0.5, plan.output_mu = 1e-2;
  if (law == LAPLACE) plan.noise = DPPAIR_LAPLACE;
  if (law == SKELLAM) plan.noise = DPPAIR_SKELLAM;
  assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_OK);
  assert_int_equal(dppair_rows_clip_f64(&rows, factor, x, N, D, D, 1.0), DPPAIR_OK);
  rows.positives = calls[c].law == GROUPS || calls[c].f == softmax || calls[c].f == metric ||
                           calls[c].f == pieces || calls[c].f == alike
                       ? 0
                       : 17;
  rows.y = y;
  memset(&options, 0, sizeof options);
  options.work = work;
  options.bytes = sizeof work;
  assert_int_equal(rank_sums_init(&fast, N, DPPAIR_ACCURACY_1E9, 4, NULL, state, sizeof state),
                   DPPAIR_OK);
  if (calls[c].f == of_sums) {
    dppair_options with = options;
    with.fast = &fast;
    assert_int_equal(rank_sketch_open(&m, &fast, moments, sizeof moments), DPPAIR_OK);
    assert_int_equal(rank_sum_open(&sum, D, 1.0, &with, words, sizeof words), DPPAIR_OK);
    chunk = rows;
    assert_int_equal(rank_chunk_sketch(&m, &chunk, w, &with), DPPAIR_OK);
    assert_int_equal(rank_sketch_finish(&m, NULL, &fast), DPPAIR_OK);
    assert_int_equal(rank_chunk_sum(&sum, &chunk, w, &m, &with), DPPAIR_OK);
    memset(work, 0, sizeof work);
  }
  if (law == SKELLAM) {
    assert_int_equal(
        dppair_integers_open(&whole, integers, D, DPPAIR_QUANTISED_ROUNDED, 1024.0, 1.0, D),
        DPPAIR_OK);
    assert_int_equal(dppair_quantise(&whole, x, NULL), DPPAIR_OK);
  }
  if (law == GROUPS || calls[c].f == gradient) {
    if (law == GROUPS || law == SAMPLED)
      assert_int_equal(draw_now(drawn, &count, N, &release), DPPAIR_OK);
    if (law == SAMPLED) rows.n = count, rows.positives = 5;
    dppair_rows_by_hand_f64(&rows, &drawn_now);
  }
  if (law == GROUPS) {
    rows.n = 12;
    assert_int_equal(dppair_group_sum_open(&groups, g, D, 1.0, &release), DPPAIR_OK);
    for (int group = 0; group < 2; group++)
      assert_int_equal(dppair_group_add_f64(&groups, x + group * D), DPPAIR_OK);
    options.clip = clip_of(dppair_clip_init, 0.5);
    groups.sum = g;
  }
  noised = 0;
  memset(patterns, 0, sizeof patterns);
  noise = release.noise;
  draws = release.draw;
  noise.stream = release.step;
  noise.block = 0;
  draws.stream = release.step;
  draws.block = 0;
}

static size_t secrets_left(size_t c, size_t *held, size_t *kept) {
  prepare(c);
  stack_after(calls[c].f);
  want_generator(&noise, 64);
  want_generator(&draws, 16);
  want_key(&release.noise);
  want_key(&release.draw);
  want(KEY, sizeof KEY);
  want_numbers(release.sigma);
  *held = found_in(registers, sizeof registers);
  *kept = found_in((const unsigned char *)work, sizeof work);
  if (calls[c].f == tree || calls[c].f == square_root || calls[c].f == independent) return found();
  /* what streams released is there; else nothing is left there: a count of records is a secret that
   * looks like a constant */
  for (size_t i = 0; i < sizeof work; i++) *kept += ((const unsigned char *)work)[i] != 0;
  return found();
}

static void a_release_leaves_no_secret(void **unused) {
  size_t all = 0;
  (void)unused;
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
  skip(); /* a sanitizer's stack is not the processor's; the claim is for optimised code */
#endif
  for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
    size_t held, kept;
    const size_t left = secrets_left(c, &held, &kept);
    if (getenv("STACK") != NULL || left + held + kept > 0)
      print_error(
          "%s: %zu pieces on the stack, %zu in registers, %zu in the workspace; %zu noised\n",
          calls[c].name, left, held, kept, noised);
    all += left + held + kept;
  }
  assert_int_equal(all, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(a_release_leaves_no_secret)};
  return RUN_TESTS(tests, NULL, NULL);
}
