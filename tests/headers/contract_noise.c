/* SPDX-License-Identifier: MIT */
/* dppair_noise.h: every public function with each argument out of its domain. */
#include "tests.h"

#define DPPAIR_SIMULATION
#include "dppair_noise.h"

#include "contract.h"

enum { N = 9, D = 3 };
static double x[N];
static float f[N];
static int64_t k[N];
static size_t index_[64], count;
static uint8_t bytes[40], key[32], saved[DPPAIR_RNG_SAVED_SIZE];
static dppair_rng rng, part;
static uint64_t word, work[4096];
static dppair_prefix prefix;
static dppair_integers integers;
static const dppair_stream stream = {.steps = 8,
                                     .buffer = 2,
                                     .silent = 1,
                                     .noise = DPPAIR_PREFIX_TREE,
                                     .adjacency = DPPAIR_REPLACE_ONE};
static dppair_sampling sampling;

static void reset(void) {
  for (size_t i = 0; i < N; i++) {
    f[i] = (float)(x[i] = 0.25 * (double)i + 7.0);
    k[i] = 777;
  }
  for (size_t i = 0; i < 64; i++) index_[i] = 5;
  for (size_t i = 0; i < sizeof key; i++) key[i] = (uint8_t)(i + 1);
  assert_int_equal(dppair_rng_from_key(&rng, key, 0), DPPAIR_OK);
  assert_int_equal(dppair_rng_save(saved, &rng), DPPAIR_OK);
  memset(work, 0, sizeof work);
  assert_int_equal(dppair_prefix_open(&prefix, &stream, D, 1.0, 10.0, work, sizeof work),
                   DPPAIR_OK);
  assert_int_equal(dppair_integers_open(&integers, k, N, DPPAIR_QUANTISED_RANDOMLY, 4.0, 100.0, N),
                   DPPAIR_OK);
  sampling = dppair_sampling_without_replacement(30, 6, DPPAIR_REPLACE_ONE);
}

#define SCALE(v) REAL_AS(DPPAIR_ERR_SIGMA, v, 0.0, -1.0)
#define FAR(v) REAL_AS(DPPAIR_ERR_SIGMA, v, 0.0, -1.0, 1e-300, 1e300)

static void releases(void **unused) {
  (void)unused;
  TRY(dppair_add_gaussian_f64, DATA_CHANGED(x, sizeof x, 4), MANY(N), FAR(1.5), OPENED(&rng));
  TRY(dppair_add_gaussian_f32, DATA_F32_CHANGED(f, sizeof f, 4), MANY(N), FAR(1.5), OPENED(&rng));
  TRY(dppair_add_laplace_f64, DATA_CHANGED(x, sizeof x, 4), MANY(N), FAR(1.5), OPENED(&rng));
  TRY(dppair_add_laplace_f32, DATA_F32_CHANGED(f, sizeof f, 4), MANY(N), FAR(1.5), OPENED(&rng));
  TRY(dppair_add_l2ball_f64, DATA_CHANGED(x, sizeof x, 4), MANY(N), FAR(1.5), OPENED(&rng));
#define GRID CHOICE(int, 20, -1, 41, INT32_MAX, INT32_MIN)
  TRY(dppair_add_gaussian_f64_grid, DATA_CHANGED(x, sizeof x, 4), MANY(N), FAR(1.5), GRID,
      OPENED(&rng));
  TRY(dppair_add_gaussian_f32_grid, DATA_F32_CHANGED(f, sizeof f, 4), MANY(N), FAR(1.5), GRID,
      OPENED(&rng));
  TRY(dppair_add_laplace_f64_grid, DATA_CHANGED(x, sizeof x, 4), MANY(N), FAR(1.5), GRID,
      OPENED(&rng));
  TRY(dppair_add_laplace_f32_grid, DATA_F32_CHANGED(f, sizeof f, 4), MANY(N), FAR(1.5), GRID,
      OPENED(&rng));
  TRY(dppair_add_l2ball_f64_grid, DATA_CHANGED(x, sizeof x, 4), MANY(N), FAR(1.5), GRID,
      OPENED(&rng));
  TRY(dppair_discrete_gaussian, CHANGED(k, sizeof k), MANY(N), COUNT(70, 0), COUNT(3, 0),
      OPENED(&rng));
  TRY(dppair_discrete_laplace, CHANGED(k, sizeof k), MANY(N), COUNT(70, 0), COUNT(3, 0),
      OPENED(&rng));
  TRY(dppair_skellam, OUT(k, sizeof k), MANY(N), REAL(50.0, -1.0, 0.0, 1e300), OPENED(&rng));
  TRY(dppair_add_skellam, CHANGED(k, sizeof k), MANY(N), REAL(50.0, -1.0, 0.0, 1e300),
      OPENED(&rng));
  TRY(dppair_add_skellam_share, CHANGED(k, sizeof k), MANY(N), REAL(50.0, -1.0, 0.0, 1e300),
      COUNT(3, 0), OPENED(&rng));
}

static void generators(void **unused) {
  (void)unused;
  TRY(dppair_rng_from_os, OUT(&rng, sizeof rng));
  TRY(dppair_rng_from_key, OUT(&rng, sizeof rng), IN(key), 5);
  TRY(dppair_rng_from_key_aes256, OUT(&rng, sizeof rng), IN(key), 5);
  TRY(dppair_rng_bytes, OUT(bytes, sizeof bytes), sizeof bytes, OPENED(&rng));
  TRY(dppair_rng_u64, OUT(&word, sizeof word), OPENED(&rng));
  TRY(dppair_rng_uniform_f64, OUT(x, sizeof *x), OPENED(&rng));
  TRY(dppair_rng_seek, OPENED(&rng), (uint64_t)COUNT(3, SIZE_MAX));
  TRY(dppair_rng_set_erasure, OPENED(&rng), 1);
  TRY(dppair_rng_split, OUT(&part, sizeof part), 3, OPENED(&rng));
  TRY(dppair_rng_save, OUT(saved, sizeof saved), OPENED(&rng));
  TRY(dppair_rng_restore, OUT(&part, sizeof part), IN(saved));
  TRY(dppair_noise_check, );
  dppair_wipe(bytes, sizeof bytes);
  SAYS(dppair_wipe, bytes[0] == 0 && memcmp(bytes, bytes + 1, sizeof bytes - 1) == 0);
}

static void draws(void **unused) {
  dppair_sampling s;
  (void)unused;
  TRY(dppair_shuffle, IN(index_), MANY(64), OPENED(&rng));
  TRY(dppair_draw, OUT(index_, 64 * sizeof *index_), OUT(&count, sizeof count), MANY(64),
      OPENED(&sampling), OPENED(&rng));
  s = dppair_sampling_without_replacement(30, 6, DPPAIR_REPLACE_ONE);
  TRY(dppair_draw, OUT(index_, 5 * sizeof *index_), OUT(&count, sizeof count), ROOM(6), &s, &rng);
#define FIELD(field, value)                                                                        \
  TRY(dppair_draw, OUT(index_, 64 * sizeof *index_), OUT(&count, sizeof count), 64,                \
      (sampling.field = (value), &sampling), &rng)
  FIELD(kind, CHOICE(dppair_sampling_kind, DPPAIR_WITHOUT_REPLACEMENT, -1, 99));
  FIELD(q, NUMBER(0.0, (double)NAN, -0.5, 1.5, 0.11));
  FIELD(n, COUNT(30, 0));
  FIELD(m, COUNT(6, 0, 31, SIZE_MAX));
  FIELD(batches, COUNT(0, 3));
  FIELD(group, COUNT(0, 3));
  TRY(dppair_draw_pairs, OUT(index_, 64 * sizeof *index_), OUT(&count, sizeof count), MANY(64),
      (sampling = dppair_sampling_with_replacement(30, 6, DPPAIR_REPLACE_ONE),
       (dppair_sampling *)OPENED(&sampling)),
      OPENED(&rng));
  TRY(dppair_draw_allocation, OUT(index_, 64 * sizeof *index_), OUT(&count, sizeof count), MANY(64),
      (sampling = dppair_sampling_allocation(64, 4, 1, DPPAIR_ZERO_OUT),
       (dppair_sampling *)OPENED(&sampling)),
      2, OPENED(&rng));
  TRY(dppair_draw_runs, OUT(&word, sizeof word), REAL(1.0, -2.0), REAL(0.3, 0.0, -1.0, 2.0),
      OPENED(&rng));
}

static void sums(void **unused) {
  (void)unused;
  TRY(dppair_prefix_workspace, OUT(&count, sizeof count),
      &(dppair_stream){
          .steps = COUNT(8, 0, 1),
          .buffer = COUNT(2, 0),
          .silent = COUNT(1, 8, SIZE_MAX),
          .noise = CHOICE(dppair_prefix_noise, DPPAIR_PREFIX_TREE, -1, 77),
          .adjacency = CHOICE(dppair_adjacency, DPPAIR_REPLACE_ONE, 0, 3, DPPAIR_REPLACE_PERSON)},
      COUNT(D, SIZE_MAX));
  TRY(dppair_prefix_workspace, OUT(&count, sizeof count), OPENED(&stream), COUNT(D, SIZE_MAX));
  size_t need;
  assert_int_equal(dppair_prefix_workspace(&need, &stream, D), DPPAIR_OK);
  TRY(dppair_prefix_open, OUT(&prefix, sizeof prefix), OPENED(&stream), COUNT(D, SIZE_MAX),
      FAR(1.0), REAL(10.0, -1.0, 1e13), IN(work), BYTES(need));
  TRY(dppair_prefix_step, OUT(bytes, D * sizeof(double)), DATA(x, 1),
      COUNT(2, 0, 1, 3, 8, SIZE_MAX), SIZING(&prefix), OPENED(&rng));
  dppair_prefix_close(NULL);
  reset();
  dppair_prefix_close(&prefix);
  SAYS(dppair_prefix_close, prefix.before == NULL && prefix.d == 0);
  TRY(dppair_integers_open, OUT(&integers, sizeof integers), OUT(k, sizeof k), MANY(N),
      CHOICE(dppair_quantised, DPPAIR_QUANTISED_TRUNCATED, -1, 55),
      REAL(4.0, 0.0, -1.0, 3.0, 1e300, 1e-300), REAL(100.0, -1.0, 1e300), 0);
  TRY(dppair_quantise, CHANGED(&integers, sizeof integers), IN(x), OPENED(&rng));
}

static void simulation(void **unused) {
  (void)unused;
  TRY(dppair_fill_gaussian_f64, OUT(x, sizeof x), MANY(N), SCALE(1.5), OPENED(&rng));
  TRY(dppair_fill_gaussian_f32, OUT(f, sizeof f), MANY(N), SCALE(1.5), OPENED(&rng));
  TRY(dppair_fill_laplace_f64, OUT(x, sizeof x), MANY(N), SCALE(1.5), OPENED(&rng));
  TRY(dppair_fill_laplace_f32, OUT(f, sizeof f), MANY(N), SCALE(1.5), OPENED(&rng));
  TRY(dppair_fill_exponential_f64, OUT(x, sizeof x), MANY(N), SCALE(1.5), OPENED(&rng));
  TRY(dppair_fill_uniform_f64, OUT(x, sizeof x), MANY(N), SCALE(1.5), OPENED(&rng));
  TRY(dppair_fill_rademacher_f64, OUT(x, sizeof x), MANY(N), SCALE(1.5), OPENED(&rng));
  TRY(dppair_fill_sphere_f64, OUT(x, sizeof x), MANY(N), REAL_AS(DPPAIR_ERR_DOMAIN, 1.5, 0.0, -1.0),
      OPENED(&rng));
  TRY(dppair_fill_gamma_f64, OUT(x, sizeof x), MANY(N), REAL_AS(DPPAIR_ERR_DOMAIN, 2.5, 0.0, -1.0),
      REAL_AS(DPPAIR_ERR_DOMAIN, 1.5, 0.0, -1.0), OPENED(&rng));
}

static void every_wrong_argument_is_refused(void **unused) {
  releases(unused);
  generators(unused);
  draws(unused);
  sums(unused);
  simulation(unused);
  print_message("%zu calls\n", contract.calls);
  assert_true(contract.wrongs == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(every_wrong_argument_is_refused)};
  return RUN_TESTS(tests, NULL, NULL);
}
