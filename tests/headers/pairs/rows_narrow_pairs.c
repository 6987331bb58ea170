/* SPDX-License-Identifier: MIT */
/* An instance with rows of 16 or 8 bits: whatever it computes is what an instance with rows of
 * float makes of the same numbers, bit for bit; sensitivities hold for neighbours after
 * quantisation. */
#include "tests.h"

#include "dppair_losses.h"
#include "dppair_scale.h"
#include "dppair_noise.h"
#include "dppair_accountant.h"
#include "dppair_top.h"
#include "dppair_metric.h"
#include "dppair_pointwise.h"

#define DPPAIR_NAME of_f32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME of_i8
#define DPPAIR_REAL float
#define DPPAIR_ROW i8
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#include "clips.h"

enum { N = 61, D = 5, LD = 7, UP = 23, PAIRS = 40, TRIALS = BRIEF ? 60 : 200 };

static int8_t x[N * LD + 1];
static float z[N * LD + 1], y[N], w[D];
static double factor[N], weight[N], work[2][400000];
static dppair_rows_i8 rows;
static dppair_rows_f32 like;

static int same(const void *a, const void *b, size_t bytes) { return memcmp(a, b, bytes) == 0; }

/* Rows of norm at most 1, with factors or without, at any place. */
static void fill(int with_factors) {
  const size_t at = below(2);
  size_t i;
  for (i = 0; i < N * LD; i++) z[i] = (float)(x[at + i] = (int8_t)(random_bits() & 255));
  for (i = 0; i < N; i++) factor[i] = uniform() / 300, weight[i] = uniform(), y[i] = i % 3 ? 1 : -1;
  for (i = 0; i < D; i++) w[i] = (float)normal();
  rows = dppair_rows_make_i8(x + at, N, D, LD);
  like = dppair_rows_make_f32(z, N, D, LD);
  rows.factor = like.factor = with_factors ? factor : NULL;
  rows.y = like.y = y;
  rows.positives = like.positives = UP;
  rows.radius = like.radius = with_factors ? 1 : 300;
}

static dppair_options pass_of(double *room) {
  dppair_options options;
  memset(&options, 0, sizeof options);
  options.work = (char *)room + below(8);
  options.bytes = sizeof work[0] - 8;
  return options;
}

/* Both instances: the results of the same call. */
#define BOTH(size, call, args_narrow, args_float)                                                  \
  do {                                                                                             \
    double g[2][size];                                                                             \
    assert_int_equal(of_i8_##call args_narrow, DPPAIR_OK);                                         \
    assert_int_equal(of_f32_##call args_float, DPPAIR_OK);                                         \
    assert_true(same(g[0], g[1], sizeof g[0]));                                                    \
  } while (0)

static void gradients_are_those_of_float(void **unused) {
  static double boxes[4][100000];
  const dppair_tasks cut = {3, NULL, NULL};
  const size_t places[4] = {0, 9, 9, UP}, down[4] = {0, 1, 20, N - UP};
  const dppair_groups users = {3, places, down, DPPAIR_ACROSS, N};
  dppair_fast fast[2], sums[2];
  size_t bytes;
  int trial, k;
  (void)unused;
  assert_int_equal(of_f32_fast_workspace(&bytes, N, DPPAIR_ACCURACY_1E6, 400, NULL), DPPAIR_OK);
  assert_true(bytes <= sizeof boxes[0]);
  assert_int_equal(of_f32_fast_init(fast + 1, N, DPPAIR_ACCURACY_1E6, 400, NULL, boxes[0], bytes),
                   DPPAIR_OK);
  assert_int_equal(of_i8_fast_init(fast, N, DPPAIR_ACCURACY_1E6, 400, NULL, boxes[2], bytes),
                   DPPAIR_OK);
  assert_int_equal(of_f32_sums_workspace(&bytes, N, DPPAIR_ACCURACY_1E6, 400, NULL), DPPAIR_OK);
  assert_true(bytes <= sizeof boxes[0]);
  assert_int_equal(of_f32_sums_init(sums + 1, N, DPPAIR_ACCURACY_1E6, 400, NULL, boxes[1], bytes),
                   DPPAIR_OK);
  assert_int_equal(of_i8_sums_init(sums, N, DPPAIR_ACCURACY_1E6, 400, NULL, boxes[3], bytes),
                   DPPAIR_OK);
  for (trial = 0; trial < 4; trial++) {
    fill(trial % 2);
    for (k = 0; k < 6; k++) { /* loops, parts, boxes, sums without order, a clip, users */
      dppair_options options[2] = {pass_of(work[0]), pass_of(work[1])};
      int i;
      for (i = 0; i < 2; i++) {
        options[i].tasks = k == 1 || k == 3 ? &cut : NULL;
        options[i].fast = k == 2 ? fast + i : k == 3 ? sums + i : NULL;
        options[i].clip = clip_of(i ? of_f32_clip_init : of_i8_clip_init, k == 4 ? 0.3 : 0);
        options[i].groups = k == 5 ? &users : NULL;
      }
      rows.weight = like.weight = k == 2 || k == 3 ? weight : NULL;
      BOTH(D, gradient, (g[0], &rows, w, &options[0]), (g[1], &like, w, &options[1]));
    }
  }
}

static void tiles_are_those_of_float(void **unused) {
  static const dppair_form forms[3] = {DPPAIR_FORM_METRIC, DPPAIR_FORM_FACTOR,
                                       DPPAIR_FORM_SIMILARITY};
  size_t i[PAIRS], j[PAIRS], k;
  double v[D * D], one[2];
  int trial;
  (void)unused;
  for (trial = 0; trial < 12; trial++) {
    dppair_options options[2] = {pass_of(work[0]), pass_of(work[1])};
    const dppair_form form = forms[trial % 3];
    const size_t columns = form == DPPAIR_FORM_FACTOR ? 2 : D;
    fill(trial / 3 % 2);
    for (k = 0; k < D * D; k++) v[k] = normal();
    for (k = 0; k < PAIRS; k++) i[k] = below(N), j[k] = below(N);
    options[0].clip = options[1].clip = clip_of(dppair_clip_init, trial % 2 ? 0.2 : 0);
    {
      double g[2][D * D];
      memset(g, 0, sizeof g);
      assert_int_equal(of_i8_form_gradient(g[0], form, &rows, v, columns, 0.1, &options[0]),
                       DPPAIR_OK);
      assert_int_equal(of_f32_form_gradient(g[1], form, &like, v, columns, 0.1, &options[1]),
                       DPPAIR_OK);
      assert_true(same(g[0], g[1], sizeof g[0]));
    }
    assert_int_equal(of_i8_form_risk_not_private(one, form, &rows, v, columns, 0.1, &options[0]),
                     DPPAIR_OK);
    assert_int_equal(of_f32_form_risk_not_private(one + 1, form, &like, v, columns, 0.1, &options[1]),
                     DPPAIR_OK);
    assert_true(same(one, one + 1, sizeof *one));
    BOTH(D * D, form_pairs, (g[0], &rows, v, 0.1, i, j, NULL, PAIRS, &options[0]),
         (g[1], &like, v, 0.1, i, j, NULL, PAIRS, &options[1]));
    BOTH(D, pairs_gradient, (g[0], &rows, &rows, w, i, j, weight, PAIRS, &options[0]),
         (g[1], &like, &like, w, i, j, weight, PAIRS, &options[1]));
  }
}

/* The highest negatives, and queries behind one another. */
static void top_weighted_gradients_are_those_of_float(void **unused) {
  const size_t places[4] = {0, 20, 40, N};
  const dppair_groups queries = {3, places, NULL, DPPAIR_WITHIN, N};
  const dppair_top tops[2] = {{DPPAIR_TOP_PARTIAL, 9, 0, 0, 0, 0},
                              {DPPAIR_TOP_NDCG, 0, 0, 0, 0, 0}};
  int trial;
  (void)unused;
  for (trial = 0; trial < 4; trial++) {
    const dppair_top *top = &tops[trial / 2];
    dppair_options options[2] = {pass_of(work[0]), pass_of(work[1])};
    fill(trial % 2);
    if (trial / 2) options[0].groups = options[1].groups = &queries;
    if (trial / 2) options[0].clip = options[1].clip = clip_of(dppair_clip_init, 0.5);
    if (trial / 2) rows.positives = like.positives = 0;
    BOTH(D, top_gradient, (g[0], &rows, w, top, &options[0]), (g[1], &like, w, top, &options[1]));
  }
}

/* Two blocks of a ring, of which neither has factors. */
static void blocks_of_a_form_are_those_of_float(void **unused) {
  double v[D * D], room[2][128], g[2][D * D];
  dppair_ring ring = {DPPAIR_FORM_METRIC, N, UP, D, D, NULL, 0.1, 300};
  dppair_options options[2];
  size_t a, b, k, bytes;
  int type;
  (void)unused;
  fill(0);
  for (k = 0; k < D * D; k++) v[k] = 1e-6 * normal();
  ring.w = v;
  for (type = 0; type < 2; type++) {
    dppair_sum sum;
    options[type] = pass_of(work[type]);
    options[type].clip = clip_of(dppair_clip_init, 0.5);
    assert_int_equal(of_i8_form_block_workspace(&bytes, &ring, &options[type]), DPPAIR_OK);
    assert_true(bytes <= options[type].bytes);
    options[type].bytes = bytes;
    assert_int_equal(of_i8_form_sum_open(&sum, &ring, &options[type], room[type], sizeof room[type]),
                     DPPAIR_OK);
    for (a = 0; a < 3; a++)
      for (b = a; b < 3; b++) {
        dppair_rows_i8 one = rows, other = rows;
        dppair_rows_f32 one_f = like, other_f = like;
        one.x += a * UP * LD, one_f.x += a * UP * LD, one.y += a * UP, one_f.y += a * UP;
        other.x += b * UP * LD, other_f.x += b * UP * LD, other.y += b * UP, other_f.y += b * UP;
        one.n = one_f.n = dppair_ring_rows(&ring, a);
        other.n = other_f.n = dppair_ring_rows(&ring, b);
        assert_int_equal(
            type
                ? of_f32_form_block(&sum, &ring, a, &one_f, b, a < b ? &other_f : NULL, &options[type])
                : of_i8_form_block(&sum, &ring, a, &one, b, a < b ? &other : NULL, &options[type]),
            DPPAIR_OK);
      }
    assert_int_equal(dppair_sum_value(room[type], &sum), DPPAIR_OK);
    memcpy(g[type], room[type], sizeof g[type]);
  }
  assert_true(same(g[0], g[1], sizeof g[0]));
}

/* A record of four, replaced: rows are clipped, then quantised. Never further than the sensitivity,
 * and as far as it where two long rows point away from each other. */
static void quantised_neighbours_stay_within_the_sensitivity(void **unused) {
  const dppair_sampling sampling = dppair_sampling_all(4, DPPAIR_REPLACE_ONE);
  double largest = 0;
  int trial;
  (void)unused;
  for (trial = 0; trial < TRIALS; trial++) {
    dppair_options options = pass_of(work[0]);
    double data[2][8], g[2][2], clip[4], scale[4], size = 0;
    const size_t up = 1 + below(3), changed = below(4);
    float v[2], stored[8];
    size_t i, k;
    int side;
    for (i = 0; i < 8; i++) data[0][i] = data[1][i] = normal() * (trial % 3 ? 100 : 0.4);
    for (k = 0; k < 2; k++) data[1][2 * changed + k] = -data[0][2 * changed + k];
    if (trial == 0) /* all others opposite */
      for (i = 0; i < 4; i++)
        data[0][2 * i] = i == changed ? 3 : -3, data[0][2 * i + 1] = 0, data[1][2 * i] = -3,
                    data[1][2 * i + 1] = 0;
    for (k = 0; k < 2; k++) v[k] = trial ? (float)(normal() * (trial % 2)) : 0;
    for (side = 0; side < 2; side++) {
      dppair_rows_f32 from;
      dppair_rows_i8 q;
      int8_t elements[8];
      for (i = 0; i < 8; i++) stored[i] = (float)data[side][i];
      assert_int_equal(dppair_rows_clip_f32(&from, clip, stored, 4, 2, 2, 1), DPPAIR_OK);
      from.positives = up;
      assert_int_equal(dppair_rows_quantise_i8_f32(&q, elements, scale, &from), DPPAIR_OK);
      assert_int_equal(of_i8_gradient(g[side], &q, v, &options), DPPAIR_OK);
    }
    {
      const dppair_bounds bounds = {1, hypot((double)v[0], (double)v[1]), 0, 0, 0};
      double s;
      assert_int_equal(of_i8_sensitivity(&s, 2, &bounds, &sampling, &options), DPPAIR_OK);
      for (k = 0; k < 2; k++) size += (g[0][k] - g[1][k]) * (g[0][k] - g[1][k]) / 144;
      assert_true(sqrt(size) <= s);
      if (sqrt(size) / s > largest) largest = sqrt(size) / s;
    }
  }
  assert_true(largest > 0.3);
}

/* Gradients against a histogram: each record's vector within the clip, also for scales above 1. */
static void vectors_of_records_are_clipped_with_their_scales(void **unused) {
  int trial;
  (void)unused;
  for (trial = 0; trial < TRIALS; trial++) {
    double c[N], was[N], longest = 0;
    size_t i, k;
    fill(1);
    for (i = 0; i < N; i++) {
      factor[i] *= i % 3 ? 1e4 : i % 5 ? 1 : 0;
      c[i] = was[i] = normal();
    }
    of_i8_pointwise_clip_(c, &rows, 2, 0.25);
    for (i = 0; i < N; i++) {
      long double square = 0, whole;
      for (k = 0; k < D; k++) square += (long double)rows.x[i * LD + k] * rows.x[i * LD + k];
      whole = sqrtl(square) * fabs(was[i]) / 2 * (long double)factor[i];
      if (fabs(c[i]) * sqrtl(square) > longest) longest = (double)(fabsl(c[i]) * sqrtl(square));
      assert_true(!(c[i] * was[i] < 0));
      assert_true(fabsl(c[i]) * sqrtl(square) <= 0.25L);
      if (whole <= 0.2499L) assert_true(fabs(c[i] - was[i] / 2 * factor[i]) <= 1e-15 * fabs(c[i]));
      if (whole >= 0.25L) assert_true(fabsl(c[i]) * sqrtl(square) >= 0.2499999L);
    }
    assert_true(longest > 0.24);
  }
}

/* What needs no row is the same; a release takes such rows. */
static void a_release_takes_narrow_rows(void **unused) {
  static dppair_release release;
  static dppair_accountant account;
  dppair_plan plan;
  dppair_options options = pass_of(work[0]);
  double g[D];
  (void)unused;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  plan.epsilon = 1, plan.delta = 1e-6, plan.steps = 1;
  fill(1);
  assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
  assert_int_equal(dppair_release_open(&release, &account, &plan, NULL), DPPAIR_OK);
  assert_int_equal(of_i8_release(g, &release, &rows, w, &options), DPPAIR_OK);
  assert_int_equal(of_i8_release(g, &release, &rows, w, &options), DPPAIR_ERR_EXHAUSTED);
  dppair_release_close(&release);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(gradients_are_those_of_float),
      TEST(top_weighted_gradients_are_those_of_float),
      TEST(tiles_are_those_of_float),
      TEST(blocks_of_a_form_are_those_of_float),
      TEST(quantised_neighbours_stay_within_the_sensitivity),
      TEST(vectors_of_records_are_clipped_with_their_scales),
      TEST(a_release_takes_narrow_rows),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
