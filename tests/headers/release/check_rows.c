/* SPDX-License-Identifier: MIT */
/* DPPAIR_CHECK_ROWS: rows that are longer than their radius are told before a release, by what a
 * program that debugs defines; rows of dppair_rows_clip never are. */
static int told;
static const char *said;
#define DPPAIR_CHECK_ROWS(text) (told++, said = (text))
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_scale.h"
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME small
#define DPPAIR_REAL float
#define DPPAIR_ROW i8
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#include "tests.h"

enum { N = 12, D = 3 };
static double x[N][D], factor[N], w[D], g[D], work[1 << 13];
static dppair_rows_f64 rows;
static dppair_options options;
static dppair_accountant account;
static dppair_release release;

static void open_fresh(void) {
  dppair_plan plan;
  memset(&plan, 0, sizeof plan), memset(&options, 0, sizeof options);
  for (size_t i = 0; i < N; i++)
    for (size_t k = 0; k < D; k++) x[i][k] = normal() * 3;
  plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  plan.noise_multiplier = 1, plan.steps = 9;
  assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
  assert_int_equal(dppair_release_open(&release, &account, &plan, NULL), DPPAIR_OK);
  assert_int_equal(dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1.0), DPPAIR_OK);
  rows.positives = 4;
  options.work = work, options.bytes = sizeof work;
  told = 0, said = NULL;
}

static void is_told(void) {
  g[0] = 7;
  assert_int_equal(rank_release(g, &release, &rows, w, &options), DPPAIR_ERR_NO_RADIUS);
  assert_true(g[0] == 0.0 && release.step == 0 && told == 1);
  assert_non_null(strstr(said, "longer than rows.radius"));
}

static void rows_of_a_clip_are_within_their_radius(void **state) {
  float few[D] = {0};
  static float work_f[1 << 13];
  static int8_t bytes[N][D];
  static double scales[N];
  dppair_rows_i8 narrow;
  (void)state;
  for (int round = 0; round < 50; round++) {
    open_fresh();
    x[0][0] = 1e300, x[1][0] = 1e-300, x[2][0] = x[2][1] = x[2][2] = 0;
    for (size_t k = 0; k < D; k++) x[3][k] = k ? 0 : 1; /* just on the ball */
    assert_int_equal(dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1.0), DPPAIR_OK);
    rows.positives = 4;
    assert_int_equal(rank_release(g, &release, &rows, w, &options), DPPAIR_OK);
    rows.nulls = 3, rows.positives = 2, x[N - 1][0] = 1e9; /* null records are not read */
    assert_int_equal(rank_release(g, &release, &rows, w, &options), DPPAIR_OK);
    x[0][0] = 1;
    assert_int_equal(dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1e-3), DPPAIR_OK);
    assert_int_equal(dppair_rows_quantise_i8_f64(&narrow, bytes[0], scales, &rows), DPPAIR_OK);
    options.work = work_f, options.bytes = sizeof work_f;
    assert_int_equal(small_release(g, &release, &narrow, few, &options), DPPAIR_OK);
    assert_int_equal(told, 0);
  }
}

static void a_factor_that_is_gone_is_told(void **state) {
  (void)state;
  open_fresh();
  rows.factor = NULL;
  is_told();
}

static void a_radius_that_was_typed_is_told(void **state) {
  (void)state;
  open_fresh();
  rows.radius = 0.999;
  is_told();
  rows = dppair_rows_make_f64(x[0], N, D, D);
  rows.radius = 1, told = 0;
  is_told();
}

static void rows_that_changed_after_the_clip_are_told(void **state) {
  dppair_fast fast;
  dppair_sketch m;
  static double room[2][1 << 14];
  (void)state;
  open_fresh();
  x[0][0] += 1000;
  is_told();
  x[0][0] = (double)NAN, told = 0;
  is_told();
  /* chunks are looked at, too */
  assert_int_equal(rank_sums_init(&fast, N, DPPAIR_ACCURACY_1E6, 4, NULL, room[0], sizeof *room),
                   DPPAIR_OK);
  assert_int_equal(rank_sketch_open(&m, &fast, room[1], sizeof *room), DPPAIR_OK);
  options.fast = &fast, told = 0;
  assert_int_equal(rank_chunk_sketch(&m, &rows, w, &options), DPPAIR_ERR_NO_RADIUS);
  assert_int_equal(told, 1);
}

/* A delta of 1/n or more is said, and nothing is refused. */
static void a_delta_of_one_over_n_warns(void **state) {
  dppair_plan plan;
  (void)state;
  for (int above = 0; above < 2; above++) {
    memset(&plan, 0, sizeof plan);
    plan.sampling = dppair_sampling_all(1024, DPPAIR_REPLACE_USER);
    plan.epsilon = 1, plan.delta = above ? 1.0 / 1024 : 0.9 / 1024, plan.steps = 1;
    assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
    assert_int_equal(dppair_release_open(&release, &account, &plan, NULL), DPPAIR_OK);
    assert_int_equal(release.warnings, above ? DPPAIR_WARNS_DELTA : 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(rows_of_a_clip_are_within_their_radius),
      TEST(a_factor_that_is_gone_is_told),
      TEST(a_radius_that_was_typed_is_told),
      TEST(rows_that_changed_after_the_clip_are_told),
      TEST(a_delta_of_one_over_n_warns),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
