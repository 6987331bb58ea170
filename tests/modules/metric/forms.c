/* SPDX-License-Identifier: MIT */
/* Releases of the gradients of metrics and similarities: symmetric, less noise beside the diagonal,
 * neighbours within the sensitivity. */
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_metric.h"

#define DPPAIR_NAME near
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"

#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME narrow
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#include "tests.h"
#include "clips.h"
#include "draws.h"

enum { N = 40, D = 4, K = 2, ROOM = 1 << 16, STEPS = 3000 };
static const uint8_t KEY[32] = {7}, RUN[16] = {8};
static const dppair_release_keys FIXED = {KEY, RUN};
static const dppair_form FORMS[] = {DPPAIR_FORM_METRIC, DPPAIR_FORM_FACTOR, DPPAIR_FORM_SIMILARITY};

static double x[N][D], y[N], factor[N], w[D * D], work[ROOM], g[D * D];
static dppair_rows_f64 rows;
static dppair_options options;
static dppair_accountant account, other_account;
static dppair_release release, other;

static size_t width(dppair_form form) { return form == DPPAIR_FORM_FACTOR ? K : D; }

static void fill(double weights) {
  for (size_t i = 0; i < N; i++) {
    for (size_t k = 0; k < D; k++) x[i][k] = normal();
    y[i] = uniform() < 0.5 ? 1 : -1;
  }
  for (size_t i = 0; i < D; i++)
    for (size_t k = 0; k <= i; k++) w[i * D + k] = w[k * D + i] = weights * normal();
  assert_int_equal(dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1.0), DPPAIR_OK);
  rows.y = y;
  memset(&options, 0, sizeof options);
  options.work = work;
  options.bytes = sizeof work;
}

static void open_of(dppair_release *r, dppair_accountant *a, dppair_sampling sampling) {
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = sampling;
  plan.noise_multiplier = 1.5;
  plan.steps = STEPS;
  dppair_accountant_init(a);
  assert_int_equal(dppair_release_open(r, a, &plan, &FIXED), DPPAIR_OK);
}

static dppair_sampling all(void) { return dppair_sampling_all(N, DPPAIR_REPLACE_ONE); }

/* Fills g with numbers that are no noise, releases, and checks that an error leaves none. */
static dppair_status release_g(dppair_form form, const dppair_rows_f64 *from) {
  const size_t size = D * width(form);
  dppair_status status;
  for (size_t k = 0; k < size; k++) g[k] = 77.25;
  status = near_release_form(g, &release, form, from, w, width(form), 0.5, &options);
  for (size_t k = 0; k < size; k++) assert_true(status == DPPAIR_OK ? g[k] != 77.25 : g[k] == 0.0);
  return status;
}

static void mean_of(double *mean, dppair_form form, const dppair_rows_f64 *from) {
  assert_int_equal(near_form_gradient(mean, form, from, w, width(form), 0.5, &options), DPPAIR_OK);
  for (size_t k = 0; k < D * width(form); k++) mean[k] /= (double)(N * (N - 1));
}

/* The noise of the packed coordinates is that of dppair_release_vector, in the order of the lower
 * triangle. */
static void a_form_is_released_in_the_coordinates_of_a_symmetric_matrix(void **state) {
  const double half = sqrt(0.5);
  (void)state;
  for (size_t f = 0; f < 3; f++)
    for (int round = 0; round < 20; round++) {
      double mean[D * D], v[D * D];
      size_t size = 0;
      fill(0.3 * round);
      open_of(&release, &account, all());
      open_of(&other, &other_account, all());
      mean_of(mean, FORMS[f], &rows);
      assert_int_equal(release_g(FORMS[f], &rows), DPPAIR_OK);
      if (FORMS[f] == DPPAIR_FORM_FACTOR) {
        memcpy(v, mean, sizeof v);
        assert_int_equal(dppair_release_vector(v, D * K, &other, release.sensitivity), DPPAIR_OK);
        assert_memory_equal(v, g, D * K * sizeof *v);
        continue;
      }
      for (size_t i = 0; i < D; i++)
        for (size_t j = 0; j <= i; j++) v[size++] = mean[i * D + j] * (i == j ? 1.0 : 1.0 / half);
      assert_int_equal(dppair_release_vector(v, size, &other, release.sensitivity), DPPAIR_OK);
      size = 0;
      for (size_t i = 0; i < D; i++)
        for (size_t j = 0; j <= i; j++, size++) {
          assert_true(g[i * D + j] == g[j * D + i]);
          /* a number on the grid, but for the rounding of the mean next to a boundary */
          assert_true(fabs(g[i * D + j] - v[size] * (i == j ? 1.0 : half)) <= release.sigma / 512);
        }
    }
}

static void entries_beside_the_diagonal_get_less_noise(void **state) {
  double sum[2] = {0, 0}, sigma = 0;
  (void)state;
  fill(0);
  rows.positives = 0;
  for (size_t i = 0; i < N; i++) memset(x[i], 0, sizeof x[i]); /* a gradient of 0 */
  open_of(&release, &account, all());
  for (int t = 0; t < STEPS; t++) {
    assert_int_equal(release_g(DPPAIR_FORM_METRIC, &rows), DPPAIR_OK);
    sigma = release.sigma;
    for (size_t i = 0; i < D; i++)
      for (size_t j = 0; j <= i; j++) sum[i != j] += g[i * D + j] * g[i * D + j];
  }
  sum[0] /= STEPS * D * sigma * sigma; /* each is within 5 of its standard deviations */
  sum[1] /= STEPS * D * (D - 1) / 2 * sigma * sigma;
  assert_true(fabs(sum[0] - 1.0) < 5 * sqrt(2.0 / (STEPS * D)));
  assert_true(fabs(sum[1] - 0.5) < 2.5 * sqrt(2.0 / (STEPS * D * (D - 1) / 2)));
}

static void neighbours_are_within_the_sensitivity(void **state) {
  (void)state;
  for (size_t f = 0; f < 3; f++) {
    double worst = 0;
    for (int round = 0; round < 200; round++) {
      double before[D * D], after[D * D], moved = 0;
      const size_t i = below(N);
      fill(round % 4);
      if (round % 2) /* one point opposite to all others */
        for (size_t r = 0; r < N; r++)
          for (size_t k = 0; k < D; k++) x[r][k] = k == 0 ? (r == i ? -1.0 : 1.0) : 0.0;
      for (size_t r = 0; r < N; r++) y[r] = round % 2 ? 1 : y[r];
      assert_int_equal(dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1.0), DPPAIR_OK);
      rows.y = y;
      open_of(&release, &account, all());
      mean_of(before, FORMS[f], &rows);
      assert_int_equal(release_g(FORMS[f], &rows), DPPAIR_OK);
      for (size_t k = 0; k < D; k++) x[i][k] = round % 2 ? 0.0 : 1e3 * normal();
      y[i] = -y[i];
      assert_int_equal(dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1.0), DPPAIR_OK);
      rows.y = y;
      mean_of(after, FORMS[f], &rows);
      for (size_t k = 0; k < D * width(FORMS[f]); k++)
        moved += (before[k] - after[k]) * (before[k] - after[k]);
      assert_true(sqrt(moved) <= release.sensitivity);
      worst = fmax(worst, sqrt(moved) / release.sensitivity);
    }
    assert_true(worst > 0.1); /* the cases are not tame */
  }
}

static void public_errors_use_no_permit(void **state) {
  const dppair_form form = DPPAIR_FORM_METRIC;
  dppair_rows_f64 bad;
  (void)state;
  fill(1);
  open_of(&release, &account, all());
  assert_int_equal(near_release_form(g, &release, form, NULL, w, D, 0, &options), DPPAIR_ERR_NULL);
  assert_int_equal(near_release_form(NULL, &release, form, &rows, w, D, 0, &options), DPPAIR_ERR_NULL);
  assert_int_equal(near_release_form(g, &release, form, &rows, NULL, D, 0, &options), DPPAIR_ERR_NULL);
  assert_int_equal(near_release_form(g, &release, form, &rows, w, D, 0, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(near_release_form(g, &release, form, &rows, w, K, 0, &options), DPPAIR_ERR_DOMAIN);
  assert_int_equal(near_release_form(g, &release, form, &rows, w, D, (double)NAN, &options),
                   DPPAIR_ERR_NOT_FINITE);
  bad = rows;
  bad.y = NULL;
  assert_int_equal(release_g(form, &bad), DPPAIR_ERR_NULL);
  bad = rows;
  bad.radius = 0;
  assert_int_equal(release_g(form, &bad), DPPAIR_ERR_NO_RADIUS);
  bad = rows;
  bad.n--;
  assert_int_equal(release_g(form, &bad), DPPAIR_ERR_SIZE);
  w[3] = HUGE_VAL;
  assert_int_equal(release_g(form, &rows), DPPAIR_ERR_NOT_FINITE);
  w[3] = 1;
  options.bytes = 100;
  assert_int_equal(release_g(form, &rows), DPPAIR_ERR_WORKSPACE);
  options.bytes = sizeof work;
  assert_int_equal(release.step, 0);
  x[2][1] = (double)NAN; /* a reused buffer */
  assert_int_not_equal(release_g(form, &rows), DPPAIR_OK);
  assert_int_equal(release.step, 1);
}

/* A ring of these rows, in blocks. */
static dppair_ring ring_of(dppair_form form, size_t block) {
  dppair_ring ring = {form, N, block, D, 0, w, 0.5, 1.0};
  ring.k = width(form);
  return ring;
}

/* Block i of the rows. */
#define BLOCK(id, type, real)                                                                      \
  static type id##_block_of(const type *all, const dppair_ring *ring, size_t i) {                  \
    type some = *all;                                                                              \
    some.n = dppair_ring_rows(ring, i);                                                            \
    some.x += i * ring->block * all->ld;                                                           \
    some.y += i * ring->block;                                                                     \
    if (some.factor) some.factor += i * ring->block;                                               \
    if (some.weight) some.weight += i * ring->block;                                               \
    return some;                                                                                   \
  }                                                                                                \
  /* All pairs of blocks, from any of them on, by two processes. */                                \
  static void id##_sum_of(dppair_sum *sum, const type *all, const dppair_ring *ring) {             \
    static uint64_t room[2][2 * D * D + 16];                                                       \
    const size_t blocks = dppair_ring_blocks(ring), pairs = blocks * (blocks + 1) / 2;             \
    size_t next = below(pairs), bytes;                                                             \
    dppair_sum another;                                                                            \
    assert_int_equal(dppair_sum_workspace(&bytes, ring->d * ring->k + 1), DPPAIR_OK);              \
    assert_int_equal(id##_form_sum_open(sum, ring, &options, room[0], bytes), DPPAIR_OK);             \
    assert_int_equal(id##_form_sum_open(&another, ring, &options, room[1], bytes), DPPAIR_OK);        \
    for (size_t k = 0; k < pairs; k++) {                                                           \
      size_t i = 0, j = (next + k) % pairs;                                                        \
      for (; j >= blocks - i; i++) j -= blocks - i;                                                \
      const type a = id##_block_of(all, ring, i), b = id##_block_of(all, ring, i + j);             \
      assert_int_equal(                                                                            \
          id##_form_block(below(2) ? sum : &another, ring, i, &a, i + j, j ? &b : NULL, &options),    \
          DPPAIR_OK);                                                                              \
    }                                                                                              \
    assert_int_equal(dppair_sum_add(sum, &another), DPPAIR_OK);                                    \
    assert_int_equal(sum->count, N *(N - 1) / 2);                                                  \
  }
BLOCK(near, dppair_rows_f64, double)
BLOCK(narrow, dppair_rows_f32, float)

/* The sum over pairs of blocks of any size is the gradient, but for rounding; its bits do not tell
 * the order. */
static void blocks_add_up_to_the_gradient(void **state) {
  static const size_t sizes[] = {1, 2, 7, 24, 39, N, 3 * N};
  static float x32[N * D], y32[N];
  static double weight[N];
  dppair_rows_f32 rows32 = dppair_rows_make_f32(x32, N, D, D);
  uint64_t words[2 * D * D + 2];
  double sum[D * D + 1], whole[D * D];
  dppair_sum s;
  (void)state;
  for (size_t f = 0; f < 3; f++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      const dppair_ring ring = ring_of(FORMS[f], sizes[k]);
      fill(1);
      if (k % 2) options.clip = clip_of(dppair_clip_init, 0.3);
      near_sum_of(&s, &rows, &ring);
      memcpy(words, s.words, 2 * s.size * sizeof *words);
      near_sum_of(&s, &rows, &ring);
      assert_memory_equal(words, s.words, 2 * s.size * sizeof *words);
      assert_int_equal(dppair_sum_value(sum, &s), DPPAIR_OK);
      assert_int_equal(near_form_gradient(whole, FORMS[f], &rows, w, ring.k, 0.5, &options),
                       DPPAIR_OK);
      for (size_t e = 0; e < D * ring.k; e++)
        assert_true(fabs(sum[e] - whole[e]) <= N * N * 1e3 * DBL_EPSILON);
      for (size_t i = 0; i < N * D; i++) x32[i] = (float)(x[i / D][i % D] * factor[i / D]);
      for (size_t i = 0; i < N; i++)
        y32[i] = (float)y[i], weight[i] = i % 3 ? uniform() : (double)(i % 2);
      rows32.y = y32;
      rows32.radius = 1;
      rows32.weight = options.clip ? NULL : weight;
      rows32.factor = k % 3 ? weight : NULL;
      narrow_sum_of(&s, &rows32, &ring);
      assert_int_equal(dppair_sum_value(sum, &s), DPPAIR_OK);
      assert_int_equal(narrow_form_gradient(whole, FORMS[f], &rows32, w, ring.k, 0.5, &options),
                       DPPAIR_OK);
      for (size_t e = 0; e < D * ring.k; e++)
        assert_true(fabs(sum[e] - whole[e]) <= N * N * 20 * (double)FLT_EPSILON);
    }
}

static void a_ring_is_released_once_it_is_complete(void **state) {
  const dppair_ring ring = ring_of(DPPAIR_FORM_METRIC, 16); /* 16, 16, 8 rows */
  static uint64_t room[2 * D * D + 16];
  const dppair_sampling half = dppair_sampling_poisson(N, 20, DPPAIR_ZERO_OUT);
  const dppair_sampling sampling = all();
  dppair_ring twin = ring;
  dppair_rows_f64 a, b;
  dppair_sum s, t;
  double own, usual, sum[D * D + 1], again[D * D];
  size_t bytes, other_bytes;
  const dppair_bounds bounds = {1, 0, 0, 0.5, 0};
  (void)state;
  fill(0);
  open_of(&release, &account, all());
  near_sum_of(&s, &rows, &ring);
  for (size_t k = 0; k < D * D; k++) g[k] = 77.25;
  assert_int_equal(near_release_form_sum(g, &release, &s, &ring, &options), DPPAIR_OK);
  assert_int_equal(near_form_sum_sensitivity(&own, &ring, &sampling, &options), DPPAIR_OK);
  assert_int_equal(near_form_sensitivity(&usual, ring.form, D, D, &bounds, &sampling, &options),
                   DPPAIR_OK);
  assert_true(own <= release.sensitivity && release.sensitivity < own * (1 + 1e-12));
  assert_true(fabs(own / usual - 1) < 1e-9);
  /* the noise of rank_release_form at the same step */
  open_of(&other, &other_account, all());
  assert_int_equal(near_release_form(again, &other, ring.form, &rows, w, D, 0.5, &options), DPPAIR_OK);
  assert_int_equal(dppair_sum_value(sum, &s), DPPAIR_OK);
  for (size_t k = 0; k < D * D; k++) {
    assert_true(fabs(g[k] - sum[k] / (N * (N - 1))) < 8 * release.sigma);
    assert_true(fabs(g[k] - again[k]) < release.sigma / 512 && g[k] == g[k % D * D + k / D]);
  }
  /* what is refused leaves nothing and uses no permit */
  twin.offset = 0.25;
  assert_int_equal(near_release_form_sum(g, &release, &s, &twin, &options), DPPAIR_ERR_WORKSPACE);
  for (size_t k = 0; k < D * D; k++) assert_true(g[k] == 0);
  twin = ring;
  twin.n--;
  assert_int_equal(near_release_form_sum(g, &release, &s, &twin, &options), DPPAIR_ERR_SIZE);
  assert_int_equal(near_release_form_sum(g, &release, NULL, &ring, &options), DPPAIR_ERR_NULL);
  assert_int_equal(near_release_form_sum(g, &release, &s, NULL, &options), DPPAIR_ERR_NULL);
  assert_int_equal(near_form_sum_sensitivity(&own, &ring, &half, &options), DPPAIR_ERR_NO_PROOF);
  w[1] += 1e-12;
  assert_int_equal(near_release_form_sum(g, &release, &s, &ring, &options), DPPAIR_ERR_WORKSPACE);
  w[1] -= 1e-12;
  assert_int_equal(dppair_sum_workspace(&bytes, D * D + 1), DPPAIR_OK);
  assert_int_equal(near_form_sum_open(&t, &ring, &options, room, bytes - 1), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(near_form_sum_open(&t, &ring, &options, room, bytes), DPPAIR_OK);
  assert_int_equal(near_release_form_sum(g, &release, &t, &ring, &options), DPPAIR_ERR_SIZE);
  /* a pair of blocks twice, for another of as many rows: the count alone does not tell */
  for (size_t i = 0; i < 3; i++)
    for (size_t j = i; j < 3; j++) {
      a = near_block_of(&rows, &ring, i == 1 && j == 2 ? 0 : i);
      b = near_block_of(&rows, &ring, j);
      assert_int_equal(
          near_form_block(&t, &ring, i == 1 && j == 2 ? 0 : i, &a, j, i == j ? NULL : &b, &options),
          DPPAIR_OK);
    }
  assert_int_equal(t.count, s.count);
  assert_int_equal(near_release_form_sum(g, &release, &t, &ring, &options), DPPAIR_ERR_SIZE);
  assert_int_equal(release.step, 1);
  /* blocks that are none of the ring's */
  a = near_block_of(&rows, &ring, 0);
  b = near_block_of(&rows, &ring, 2);
  t = s;
  assert_int_equal(near_form_block(&t, &ring, 0, &b, 0, NULL, &options), DPPAIR_ERR_SIZE);
  assert_int_equal(near_form_block(&t, &ring, 2, &b, 0, &a, &options), DPPAIR_ERR_SIZE);
  assert_int_equal(near_form_block(&t, &ring, 0, &a, 0, &a, &options), DPPAIR_ERR_SIZE);
  assert_int_equal(near_form_block(&t, &ring, 0, &a, 2, NULL, &options), DPPAIR_ERR_NULL);
  assert_int_equal(near_form_block(&t, &ring, 0, &a, 3, &b, &options), DPPAIR_ERR_SIZE);
  b.radius = 2;
  assert_int_equal(near_form_block(&t, &ring, 0, &a, 2, &b, &options), DPPAIR_ERR_NO_PROOF);
  b.radius = (double)NAN;
  assert_int_equal(near_form_block(&t, &ring, 0, &a, 2, &b, &options), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(near_form_block_workspace(&bytes, &ring, &options), DPPAIR_OK);
  options.bytes = bytes - 1;
  assert_int_equal(near_form_block(&t, &ring, 0, &a, 0, NULL, &options), DPPAIR_ERR_WORKSPACE);
  twin = ring;
  twin.block = SIZE_MAX / 4 + 1;
  assert_int_equal(near_form_block_workspace(&other_bytes, &twin, &options), DPPAIR_ERR_OVERFLOW);
  twin = ring;
  twin.d = twin.k = (size_t)1 << (4 * sizeof twin.d - 2); /* 16 d k is no size */
  assert_int_equal(near_form_block_workspace(&other_bytes, &twin, &options), DPPAIR_ERR_OVERFLOW);
  twin = ring;
  twin.n = SIZE_MAX / 64; /* workspace does not grow with n */
  assert_int_equal(near_form_block_workspace(&other_bytes, &twin, &options), DPPAIR_OK);
  assert_int_equal(bytes, other_bytes);
  assert_int_equal(s.count, t.count);
}

/* A record replaced in its place: far or near rows, first, last and middle blocks. */
static void neighbours_of_a_ring_are_within_its_sensitivity(void **state) {
  double worst = 0;
  (void)state;
  for (int round = 0; round < 60; round++) {
    const dppair_ring ring = ring_of(FORMS[round % 3], 1 + below(N));
    const dppair_sampling sampling = all();
    double sum[2][D * D + 1], most, moved = 0;
    const size_t i = below(N);
    dppair_sum s;
    fill(round % 4);
    if (round % 2) /* one point opposite to all others */
      for (size_t r = 0; r < N; r++)
        for (size_t k = 0; k < D; k++) x[r][k] = k == 0 ? (r == i ? -1.0 : 1.0) : 0.0;
    for (size_t r = 0; r < N; r++) y[r] = round % 2 ? 1 : y[r];
    for (int side = 0; side < 2; side++) {
      assert_int_equal(dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1.0), DPPAIR_OK);
      rows.y = y;
      near_sum_of(&s, &rows, &ring);
      assert_int_equal(dppair_sum_value(sum[side], &s), DPPAIR_OK);
      for (size_t k = 0; k < D; k++) x[i][k] = round % 2 ? 0.0 : 1e3 * normal();
      y[i] = -y[i];
    }
    assert_int_equal(near_form_sum_sensitivity(&most, &ring, &sampling, &options), DPPAIR_OK);
    for (size_t k = 0; k < D * ring.k; k++)
      moved += (sum[0][k] - sum[1][k]) * (sum[0][k] - sum[1][k]);
    assert_true(sqrt(moved) / (N * (N - 1)) <= most);
    worst = fmax(worst, sqrt(moved) / (N * (N - 1)) / most);
  }
  assert_true(worst > 0.3);
}

/* Batches of no record, of one and of more: no status tells them apart. */
static void batches_of_any_size_are_released(void **state) {
  static double batch[N][D], labels[N], factors[N];
  size_t index[N], count, seen[3] = {0};
  dppair_rows_f64 drawn;
  (void)state;
  fill(1);
  open_of(&release, &account, dppair_sampling_poisson(N, 2, DPPAIR_ZERO_OUT));
  for (int t = 0; t < 100; t++) {
    assert_int_equal(release_g(DPPAIR_FORM_METRIC, &rows), DPPAIR_ERR_NOT_DRAWN); /* no draw */
    assert_int_equal(draw_now(index, &count, N, &release), DPPAIR_OK);
    assert_int_equal(dppair_gather_f64(&drawn, batch[0], labels, factors, &drawn_now, &rows),
                     DPPAIR_OK);
    assert_int_equal(release_g(FORMS[t % 3], &drawn), DPPAIR_OK);
    seen[count < 2 ? count : 2]++;
  }
  assert_true(seen[0] && seen[1] && seen[2]);
}

static void floats_have_forms_too(void **state) {
  static float xf[N][D], yf[N];
  dppair_rows_f32 rows_f32;
  (void)state;
  fill(1);
  for (size_t i = 0; i < N; i++) {
    yf[i] = (float)y[i];
    for (size_t k = 0; k < D; k++) xf[i][k] = (float)x[i][k];
  }
  assert_int_equal(dppair_rows_clip_f32(&rows_f32, factor, xf[0], N, D, D, 1.0), DPPAIR_OK);
  rows_f32.y = yf;
  open_of(&release, &account, all());
  for (size_t f = 0; f < 3; f++)
    assert_int_equal(
        narrow_release_form(g, &release, FORMS[f], &rows_f32, w, width(FORMS[f]), 1.0, &options),
        DPPAIR_OK);
}

/* Weights that an instance does not read; sums that no float holds, whatever the rows. */
static void what_an_instance_cannot_hold_is_refused(void **state) {
  static float zeros[N * D];
  static double factors[N];
  dppair_rows_f32 wide;
  (void)state;
  fill(0.1);
  open_of(&release, &account, all());
  factors[0] = 1;
  rows.weight = factors;
  assert_int_equal(release_g(DPPAIR_FORM_METRIC, &rows), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(near_release(g, &release, &rows, w, &options), DPPAIR_ERR_NO_PROOF);
  rows.weight = NULL;
  assert_int_equal(dppair_rows_clip_f32(&wide, factors, zeros, N, D, D, 1.0), DPPAIR_OK);
  wide.radius = 1e36;
  g[0] = 77.25;
  assert_int_equal(narrow_release(g, &release, &wide, zeros, &options), DPPAIR_ERR_OVERFLOW);
  assert_true(g[0] == 0.0);
  assert_int_equal(release.step, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_form_is_released_in_the_coordinates_of_a_symmetric_matrix),
      TEST(entries_beside_the_diagonal_get_less_noise),
      TEST(neighbours_are_within_the_sensitivity),
      TEST(blocks_add_up_to_the_gradient),
      TEST(a_ring_is_released_once_it_is_complete),
      TEST(neighbours_of_a_ring_are_within_its_sensitivity),
      TEST(public_errors_use_no_permit),
      TEST(batches_of_any_size_are_released),
      TEST(floats_have_forms_too),
      TEST(what_an_instance_cannot_hold_is_refused),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
