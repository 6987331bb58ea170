/* SPDX-License-Identifier: MIT */
/* dppair_noise.h: every public function with each argument out of its domain; every one that draws
 * with a generator that ends amid the call, in a child, under another arithmetic, and for nothing;
 * and the ends of inner loops that no key is known to reach. */
#include <fenv.h>
#include "tests.h"
#include <sys/wait.h>
#include <unistd.h>

#define DPPAIR_SIMULATION
#define DPPAIR_WITH_SHARES
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "dppair_noise.h"
#include "dppair_selection.h"
#include "dppair_streams.h"

#define CONTRACT_ARITHMETIC(name) 1
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
#define RATIONAL(v) COUNT(v, 0, (size_t)((UINT64_C(1) << 54) + 1))
  TRY(dppair_discrete_gaussian, CHANGED(k, sizeof k), MANY(N), RATIONAL(70), RATIONAL(3),
      OPENED(&rng));
  TRY(dppair_discrete_laplace, CHANGED(k, sizeof k), MANY(N), RATIONAL(70), RATIONAL(3),
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
  TRY(dppair_l2ball_noise_check, );
  TRY(dppair_shares_check, );
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
  TRY(dppair_draw_runs, OUT(&word, sizeof word), REAL(1.0, -2.0, -1.0, 1.5),
      REAL(0.3, 0.0, -1.0, 2.0), OPENED(&rng));
}

static void sums(void **unused) {
  (void)unused;
  TRY(dppair_prefix_workspace, OUT(&count, sizeof count),
      &(dppair_stream){
          .steps = COUNT(8, 0, 1),
          .buffer = COUNT(2, 0),
          .silent = COUNT(1, 8, SIZE_MAX),
          .noise = CHOICE(dppair_prefix_noise, DPPAIR_PREFIX_TREE, -1, 77),
          .adjacency = CHOICE(dppair_adjacency, DPPAIR_REPLACE_ONE, 0, 3, DPPAIR_REPLACE_USER)},
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

/* --- every function that draws ---------------------------------------------------------------- */

/* Room for rows of every length: a call of 64 numbers takes more than one. */
enum { MORE = 64 };
static double v[MORE];
static float vf[MORE];
static int64_t vk[MORE];
static uint8_t vb[1500];
static dppair_sampling samplings[6];

#define DRAWS(name, ...)                                                                           \
  static dppair_status name(void) { return __VA_ARGS__; }
DRAWS(gaussian, dppair_add_gaussian_f64(v, MORE, 1.5, &rng))
DRAWS(gaussian_f32, dppair_add_gaussian_f32(vf, MORE, 1.5, &rng))
DRAWS(fine, dppair_add_gaussian_f64_grid(v, MORE, 1.5, 30, &rng))
DRAWS(laplace, dppair_add_laplace_f64(v, MORE, 1.5, &rng))
DRAWS(laplace_f32, dppair_add_laplace_f32(vf, MORE, 1.5, &rng))
DRAWS(l2ball, dppair_add_l2ball_f64(v, MORE, 1.5, &rng))
DRAWS(discrete_gaussian, dppair_discrete_gaussian(vk, MORE, 700, 3, &rng))
DRAWS(discrete_wide, dppair_discrete_gaussian(vk, MORE, UINT64_C(1) << 50, 1, &rng))
DRAWS(discrete_narrow,
      dppair_discrete_gaussian(vk, MORE, UINT64_C(1) << 28, UINT64_C(1) << 54, &rng))
DRAWS(discrete_laplace, dppair_discrete_laplace(vk, MORE, 700, 3, &rng))
DRAWS(skellam, dppair_skellam(vk, MORE, 50.0, &rng))
DRAWS(skellam_wide, dppair_add_skellam(vk, MORE, 3e9, &rng))
DRAWS(share, dppair_add_skellam_share(vk, MORE, 5.0, 1, &rng))
DRAWS(one_byte, dppair_rng_bytes(vb, 1, &rng))
DRAWS(some_bytes, dppair_rng_bytes(vb, sizeof vb, &rng))
DRAWS(number, dppair_rng_u64((uint64_t *)vk, &rng))
DRAWS(uniform_number, dppair_rng_uniform_f64(v, &rng))
DRAWS(coins, dppair_draw(index_, &count, MORE, &samplings[0], &rng))
DRAWS(subset, dppair_draw(index_, &count, MORE, &samplings[1], &rng))
DRAWS(large_subset, dppair_draw(index_, &count, MORE, &samplings[2], &rng))
DRAWS(places, dppair_draw(index_, &count, MORE, &samplings[3], &rng))
DRAWS(matching, dppair_draw(index_, &count, MORE, &samplings[4], &rng))
DRAWS(couples, dppair_draw_pairs(index_, &count, MORE / 2, &samplings[5], &rng))
DRAWS(matched, dppair_draw_pairs(index_, &count, MORE / 2, &samplings[4], &rng))
DRAWS(order, dppair_shuffle(index_, MORE, &rng))
DRAWS(runs, dppair_draw_runs((uint64_t *)vk, 1.0, 0.001, &rng))
DRAWS(step, dppair_prefix_step(v, x, 3, &prefix, &rng))
DRAWS(quantised, dppair_quantise(&integers, x, &rng))
DRAWS(fill_gaussian, dppair_fill_gaussian_f64(v, MORE, 1.5, &rng))
DRAWS(fill_f32, dppair_fill_laplace_f32(vf, MORE, 1.5, &rng))
DRAWS(fill_gamma, dppair_fill_gamma_f64(v, MORE, 0.5, 1.0, &rng))
DRAWS(fill_sphere, dppair_fill_sphere_f64(v, MORE, 1.0, &rng))
/* these do not move it */
DRAWS(allocated, dppair_draw_allocation(index_, &count, MORE,
                                        (samplings[0] = dppair_sampling_allocation(MORE, 4, 1,
                                                                                   DPPAIR_ZERO_OUT),
                                         &samplings[0]),
                                        5, &rng))
DRAWS(split, dppair_rng_split(&part, 3, &rng))
DRAWS(save, dppair_rng_save(saved, &rng))
DRAWS(seek, dppair_rng_seek(&rng, 7))
DRAWS(erasure, dppair_rng_set_erasure(&rng, 1))

#define OF(name, out)                                                                              \
  { #name, name, out, sizeof(out), 0 }
#define STILL(name, out)                                                                           \
  { #name, name, out, sizeof(out), 1 }
static const struct {
  const char *name;
  dppair_status (*call)(void);
  void *out; /* zeros after an error */
  size_t size;
  int still;
} all_draws[] = {OF(gaussian, v),
                 OF(gaussian_f32, vf),
                 OF(fine, v),
                 OF(laplace, v),
                 OF(laplace_f32, vf),
                 OF(l2ball, v),
                 OF(discrete_gaussian, vk),
                 OF(discrete_wide, vk),
                 OF(discrete_narrow, vk),
                 OF(discrete_laplace, vk),
                 OF(skellam, vk),
                 OF(skellam_wide, vk),
                 OF(share, vk),
                 {"one_byte", one_byte, vb, 1, 0},
                 OF(some_bytes, vb),
                 {"number", number, vk, 8, 0},
                 {"uniform_number", uniform_number, v, 8, 0},
                 OF(coins, index_),
                 OF(subset, index_),
                 OF(large_subset, index_),
                 OF(places, index_),
                 OF(matching, index_),
                 OF(couples, index_),
                 OF(matched, index_),
                 OF(order, index_),
                 {"runs", runs, vk, 8, 0},
                 {"step", step, v, D * sizeof *v, 0},
                 OF(quantised, k),
                 OF(fill_gaussian, v),
                 OF(fill_f32, vf),
                 OF(fill_gamma, v),
                 OF(fill_sphere, v),
                 STILL(allocated, index_),
                 {"split", split, &part, sizeof part, 1},
                 STILL(save, saved),
                 {"seek", seek, NULL, 0, 1},
                 {"erasure", erasure, NULL, 0, 1}};
enum { DRAW_CALLS = sizeof all_draws / sizeof *all_draws };

/* Everything as at the start; of keyed bits. */
static void renew(void) {
  reset();
  for (size_t i = 0; i < MORE; i++) {
    vf[i] = (float)(v[i] = 0.25 * (double)i + 7.0);
    vk[i] = 777 + (int64_t)i;
    index_[i] = i + 1;
  }
  memset(vb, 1, sizeof vb);
  memset(&part, 1, sizeof part);
  samplings[0] = dppair_sampling_poisson(MORE, 30, DPPAIR_ZERO_OUT);
  samplings[1] = dppair_sampling_without_replacement(10000, 60, DPPAIR_REPLACE_ONE);
  samplings[2] = dppair_sampling_without_replacement(100, 60, DPPAIR_REPLACE_ONE);
  samplings[3] = dppair_sampling_with_replacement(100, MORE, DPPAIR_REPLACE_ONE);
  samplings[4] = dppair_sampling_matching(100, 60, DPPAIR_REPLACE_ONE);
  samplings[5] = dppair_sampling_with_replacement(100, MORE / 2, DPPAIR_REPLACE_ONE);
  assert_int_equal(dppair_prefix_step(v, x, 1 + stream.silent, &prefix, &rng), DPPAIR_OK);
  for (size_t i = 0; i < D; i++) v[i] = 7.0;
}

static int is_zero(const void *p, size_t size) {
  const unsigned char *at = (const unsigned char *)p;
  for (size_t i = 0; i < size; i++)
    if (at[i] != 0) return 0;
  return 1;
}

/* 1 where a call did not refuse with this, or left something. */
static int refused_wrongly(size_t c, dppair_status status, dppair_status expected) {
  if (status == expected && is_zero(all_draws[c].out, all_draws[c].size)) return 0;
  print_error("%s: %s\n", all_draws[c].name, dppair_status_string(status));
  return 1;
}

/* The last blocks of a stream are taken at every place where a call can take some. */
static void a_generator_that_ends_in_a_call_releases_nothing(void **unused) {
  int wrong = 0;
  (void)unused;
  for (size_t c = 0; c < DRAW_CALLS; c++) {
    size_t ended = 0;
    for (uint64_t left = 0; left < 70 && !all_draws[c].still; left += left < 8 ? 1 : 7) {
      renew();
      rng.block = DPPAIR_RNG_BLOCKS_ - left;
      const dppair_status status = all_draws[c].call();
      assert_true(rng.block <= DPPAIR_RNG_BLOCKS_);
      if (status == DPPAIR_OK) continue;
      wrong += refused_wrongly(c, status, DPPAIR_ERR_EXHAUSTED);
      ended++;
    }
    if (ended == 0 && !all_draws[c].still) wrong++;
  }
  assert_int_equal(wrong, 0);
}

/* A generator that was restored from a saved copy, between two of its draws: the parent goes on,
 * the child draws nothing from it. */
static void no_call_draws_in_a_child(void **unused) {
  int wrong = 0, result = 0;
  (void)unused;
  const pid_t parent = getpid();
  renew();
  const pid_t child = fork();
  assert_true(child >= 0);
  for (size_t c = 0; c < DRAW_CALLS; c++) {
    renew();
    assert_int_equal(dppair_rng_restore(&rng, saved), DPPAIR_OK);
    rng.owner = (int64_t)parent; /* as the parent restored it */
    if (child == 0)
      wrong += refused_wrongly(c, all_draws[c].call(), DPPAIR_ERR_FORK);
    else
      wrong += all_draws[c].call() != DPPAIR_OK;
    rng.owner = (int64_t)parent + (child != 0); /* and as another one did */
    if (child != 0) {
      renew();
      rng.owner = (int64_t)parent + 1;
      wrong += refused_wrongly(c, all_draws[c].call(), DPPAIR_ERR_FORK);
    }
  }
  if (child == 0) _exit(wrong > 0);
  assert_int_equal(waitpid(child, &result, 0), child);
  assert_true(WIFEXITED(result) && WEXITSTATUS(result) == 0);
  assert_int_equal(wrong, 0);
}

/* Words that no call leaves in a generator. */
static void a_generator_that_was_written_over_is_refused(void **unused) {
  int wrong = 0;
  (void)unused;
  for (size_t c = 0; c < DRAW_CALLS; c++)
    for (int how = 0; how < 3; how++) {
      renew();
      if (how == 0) rng.cipher = 3;
      if (how == 1) rng.erase = 2;
      if (how == 2) rng.used = sizeof rng.buffer + 1;
      wrong += refused_wrongly(c, all_draws[c].call(), DPPAIR_ERR_CIPHER);
    }
  renew();
  rng.block = DPPAIR_RNG_BLOCKS_ + 1;
  wrong += gaussian() != DPPAIR_ERR_EXHAUSTED;
  assert_int_equal(wrong, 0);
}

/* The same bits in every rounding mode and where subnormal numbers are flushed, or a refusal. */
static void another_arithmetic_changes_no_bit_or_is_refused(void **unused) {
  static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
  static unsigned char right[sizeof index_];
  size_t refused = 0;
  int wrong = 0;
  (void)unused;
  for (size_t c = 0; c < DRAW_CALLS; c++)
    for (size_t m = 0; m < 4; m++) {
      dppair_status status;
      renew();
      status = all_draws[c].call();
      assert_int_equal(status, DPPAIR_OK);
      if (all_draws[c].out) memcpy(right, all_draws[c].out, all_draws[c].size);
      renew();
      assert_int_equal(fesetround(modes[m]), 0);
#if DPPAIR_X86_
      if (modes[m] == FE_TONEAREST) _mm_setcsr(_mm_getcsr() | 0x8040u);
#endif
      status = all_draws[c].call();
#if DPPAIR_X86_
      _mm_setcsr(_mm_getcsr() & ~0x8040u);
#endif
      assert_int_equal(fesetround(FE_TONEAREST), 0);
      refused += status != DPPAIR_OK;
      if (status != DPPAIR_OK)
        wrong += refused_wrongly(c, status, DPPAIR_ERR_ENVIRONMENT);
      else if (all_draws[c].out && memcmp(right, all_draws[c].out, all_draws[c].size) != 0) {
        print_error("%s: other bits in mode %zu\n", all_draws[c].name, m);
        wrong++;
      }
    }
  assert_int_equal(wrong, 0);
  assert_true(refused > 3 * 8);
}

/* No numbers: an array may be NULL, and an error has nothing to zero. */
static void nothing_can_be_asked_for(void **unused) {
  dppair_integers none;
  (void)unused;
  for (int bad = 0; bad < 2; bad++) {
    const double scale = bad ? -1.0 : 1.5;
    const uint64_t num = bad ? 0 : 7;
    const dppair_status said = bad ? DPPAIR_ERR_SIGMA : DPPAIR_OK;
    reset();
    assert_int_equal(dppair_add_gaussian_f64(NULL, 0, scale, &rng), said);
    assert_int_equal(dppair_add_gaussian_f32(NULL, 0, scale, &rng), said);
    assert_int_equal(dppair_add_laplace_f64(NULL, 0, scale, &rng), said);
    assert_int_equal(dppair_add_l2ball_f64(NULL, 0, scale, &rng), said);
    assert_int_equal(dppair_discrete_gaussian(NULL, 0, num, 1, &rng), said);
    assert_int_equal(dppair_discrete_laplace(NULL, 0, num, 1, &rng), said);
    assert_int_equal(dppair_skellam(NULL, 0, scale, &rng), said);
    assert_int_equal(dppair_fill_gaussian_f64(NULL, 0, scale, &rng), said);
    assert_int_equal(dppair_fill_gamma_f64(NULL, 0, 1.0, scale, &rng),
                     bad ? DPPAIR_ERR_DOMAIN : DPPAIR_OK);
    assert_int_equal(dppair_add_skellam_share(NULL, 0, 1.5, bad ? 0 : 3, &rng),
                     bad ? DPPAIR_ERR_SIZE : DPPAIR_OK);
    if (bad) rng.block = DPPAIR_RNG_BLOCKS_ + 1;
    assert_int_equal(dppair_rng_bytes(NULL, 0, &rng), DPPAIR_OK);
    assert_int_equal(dppair_add_gaussian_f64(NULL, 0, 1.5, &rng),
                     bad ? DPPAIR_ERR_EXHAUSTED : DPPAIR_OK);
    if (bad) rng.cipher = 0;
    assert_int_equal(dppair_rng_bytes(NULL, 0, &rng), bad ? DPPAIR_ERR_CIPHER : DPPAIR_OK);
    assert_int_equal(dppair_shuffle(NULL, 0, &rng), bad ? DPPAIR_ERR_CIPHER : DPPAIR_OK);
  }
  reset();
  assert_int_equal(dppair_fill_sphere_f64(x, 0, 1.0, &rng), DPPAIR_ERR_SIZE);
  for (size_t room = 0; room < 6; room++) { /* less than the batch can be */
    count = 9;
    assert_int_equal(dppair_draw(room ? index_ : NULL, &count, room, &sampling, &rng),
                     DPPAIR_ERR_SIZE);
    assert_true(count == 0);
  }
  sampling = dppair_sampling_allocation(30, 4, 1, DPPAIR_ZERO_OUT);
  assert_int_equal(dppair_draw_allocation(NULL, &count, 0, &sampling, 0, &rng), DPPAIR_ERR_SIZE);
  sampling = dppair_sampling_with_replacement(30, 6, DPPAIR_REPLACE_ONE);
  assert_int_equal(dppair_draw_pairs(NULL, &count, 0, &sampling, &rng), DPPAIR_ERR_SIZE);
  reset();
  none = integers;
  none.size = 0;
  assert_int_equal(dppair_quantise(&none, x, &rng), DPPAIR_ERR_DOMAIN);
  memset(x, 0, sizeof x); /* a vector of zeros has no direction, and is summed */
  assert_int_equal(dppair_integers_open(&none, k, N, DPPAIR_QUANTISED_TRUNCATED, 4.0, 1.0, 0),
                   DPPAIR_OK);
  assert_int_equal(dppair_quantise(&none, x, NULL), DPPAIR_OK);
  assert_true(is_zero(k, sizeof k) && none.vectors == 1);
  dppair_prefix_close(&prefix);
  dppair_prefix_close(&prefix); /* what is closed */
  assert_int_equal(dppair_prefix_step(x, x, 1, &prefix, &rng), DPPAIR_ERR_SIZE);
  /* and more than memory has */
  for (int noise = 1; noise <= 3; noise++) {
    dppair_stream long_one = stream;
    long_one.noise = (dppair_prefix_noise)noise;
    for (size_t d = SIZE_MAX; d > 4; d /= 2) {
      const dppair_status status = dppair_prefix_workspace(&count, &long_one, d);
      assert_true(status == DPPAIR_OK || (status == DPPAIR_ERR_OVERFLOW && count == 0));
      assert_true(d < SIZE_MAX / 8 || status != DPPAIR_OK);
    }
  }
}

/* --- inner loops -------------------------------------------------------------------------------
 */

/* A source whose next words are known; then it fails. */
static dppair_source_ words_of(const uint32_t *words, unsigned n) {
  dppair_source_ s;
  dppair_source_open_(&s, &rng);
  memcpy(s.words, words, n * sizeof *words);
  s.end = n;
  rng.block = DPPAIR_RNG_BLOCKS_;
  return s;
}

static void draws_end_where_their_source_does(void **unused) {
  static const uint32_t half[] = {UINT32_C(1) << 31}, none[1] = {0}, ones[1] = {UINT32_MAX};
  uint64_t fraction[2] = {1, 1};
  dppair_source_ s;
  int negative;
  (void)unused;
  reset();
  s = words_of(half, 1); /* the digits of 1/2 are those of the word: it is not below it */
  assert_int_equal(dppair_coin_of_double_(&s, 0.5), 0);
  assert_int_equal(s.status, DPPAIR_OK);
  s = words_of(half, 1);
  assert_int_equal(dppair_coin_(&s, 1, 2), 0);
  assert_int_equal(s.status, DPPAIR_OK);
  s = words_of(half, 1); /* the next digits are needed */
  (void)dppair_coin_(&s, (UINT64_C(1) << 61) + 1, UINT64_C(1) << 62);
  assert_int_equal(s.status, DPPAIR_ERR_EXHAUSTED);
  reset();
  s = words_of(half, 1);
  (void)dppair_coin_of_double_(&s, 0.5 + DBL_EPSILON);
  assert_int_equal(s.status, DPPAIR_ERR_EXHAUSTED);
  assert_int_equal(dppair_coin_(&s, 1, 2), 0);
  assert_int_equal(dppair_coin_of_double_(&s, 0.5), 0);
  assert_int_equal(dppair_coin_exp_(&s, fraction, 1), 0);
  assert_true(dppair_two_sided_(&s, &negative, 7, 1) == 0 && !negative);
  s = words_of(none, 1); /* 0 is drawn again for bounds that do not divide 2^32 */
  assert_true(dppair_below_(&s, 3) == 0 && s.status == DPPAIR_ERR_EXHAUSTED);
  assert_true(dppair_below_again_(&s, (UINT64_C(1) << 32) + 1, 0) == 0);
  s = words_of(ones, 1); /* too large with its first word: another pair of words would be drawn */
  (void)dppair_below_(&s, (UINT64_C(1) << 33) + 1);
  assert_int_equal(s.status, DPPAIR_ERR_EXHAUSTED);
}

/* What the public bounds of a scale rule out is told, not wrapped. */
static void numbers_beyond_2_to_62_are_told(void **unused) {
  dppair_source_ s;
  int negative;
  (void)unused;
  reset();
  dppair_source_open_(&s, &rng);
  assert_int_equal(dppair_keep_gaussian_(&s, UINT64_C(1) << 62, 5, 1, 2), 0);
  assert_int_equal(s.status, DPPAIR_ERR_OVERFLOW);
  dppair_source_open_(&s, &rng);
  for (int tries = 0; tries < 1000 && s.status == DPPAIR_OK; tries++)
    (void)dppair_two_sided_(&s, &negative, (UINT64_C(1) << 62) - 1, 1);
  assert_int_equal(s.status, DPPAIR_ERR_OVERFLOW);
  assert_int_equal(negative, 0);
}

/* A number that is none, and a length that may be 0 with the first 128 bits. */
static void the_last_level_refuses_and_goes_on(void **unused) {
  dppair_plan_ plan;
  dppair_l2_ l2;
  double y = (double)NAN, z;
  (void)unused;
  reset();
  for (int law = 0; law < 2; law++) {
    assert_int_equal(dppair_plan_make_(&plan, 1.0, 0, 10, law, 0), DPPAIR_OK);
    assert_int_equal(dppair_last_level_in_place_(&y, 0, 0, &rng, 0, &plan), DPPAIR_ERR_NOT_FINITE);
  }
  memset(&l2, 0, sizeof l2);
  l2.tried[0] = 1;
  assert_int_equal(dppair_l2_exact_(&z, 0.25, 3.0, 0, &l2, 5, &rng), DPPAIR_OK);
  assert_true(l2.known[1] && !l2.known[0]);
}

/* Where the double level knows nothing of the length, the last one makes the same numbers. */
static void a_length_that_is_not_known_is_found(void **unused) {
  double a[20], b[20];
  dppair_plan_ plan;
  dppair_l2_ l2;
  dppair_rng start;
  (void)unused;
  reset();
  start = rng;
  for (size_t i = 0; i < 20; i++) a[i] = b[i] = 0.3 * (double)i;
  assert_int_equal(dppair_add_l2ball_f64(a, 20, 1.5, &rng), DPPAIR_OK);
  assert_int_equal(dppair_plan_make_(&plan, 1.5 * sqrt(20.0), 0, 10, 0, 0), DPPAIR_OK);
  plan.s = 1.5 * plan.inverse;
  memset(&l2, 0, sizeof l2);
  dppair_l2_factor_f64_(&l2.q, &l2.relative, 20, &start);
  l2.relative = HUGE_VAL;
  for (size_t block = 0; block < 2; block++)
    assert_int_equal(dppair_l2_block_(b, block, &plan, &l2, 20, &start), DPPAIR_OK);
  assert_memory_equal(a, b, sizeof a);
}

/* Words that a key has once in 2^32 numbers or more rarely. */
static void words_that_say_nothing_are_passed_on(void **unused) {
  static const uint32_t ones[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
  static const uint32_t nothing[16];
  double sixteen[16], y[16], z[16], error;
  dppair_plan_ plan;
  dppair_string_ s;
  (void)unused;
  reset();
  assert_true(dppair_exponential_f64_(ones) < 0.0);
  assert_true(dppair_exponential_f64_(nothing) < 0.0);
  s.rng = &rng, s.block = 0, s.lane = 0;
  (void)dppair_exponential_bound_(&error, &s, 0, 0);
  assert_true(error > DBL_MAX);
  for (int law = 0; law < 5; law++) { /* never infinite, never 0 where a law has no 0 */
    dppair_fill_block_(sixteen, nothing, nothing, law);
    for (size_t i = 0; i < 16; i++) assert_true(isfinite(sixteen[i]));
  }
  for (int law = 0; law < 2; law++) {
    assert_int_equal(dppair_plan_make_(&plan, 1.5, 0, 10, law, 0), DPPAIR_OK);
    for (size_t i = 0; i < 16; i++) y[i] = z[i] = 0.3 * (double)i;
    assert_int_equal(dppair_block_scalar_(y, 16, 0, nothing, nothing, &rng, 5, &plan), DPPAIR_OK);
    for (size_t i = 0; i < 16; i++)
      assert_int_equal(dppair_last_level_in_place_(z, i, 0, &rng, 5, &plan), DPPAIR_OK);
    assert_memory_equal(y, z, sizeof y);
  }
}

/* Of a record whose words are all rejected, an epoch says so. */
static void an_allocation_that_rejects_all_words_ends(void **unused) {
  dppair_allocation_ a;
  size_t index[600], n = 7; /* more than one row of key stream decides */
  (void)unused;
  reset();
  sampling = dppair_sampling_allocation(600, 4, 1, DPPAIR_ZERO_OUT);
  dppair_allocation_open_(&a, &sampling, 0, &rng);
  a.biased[0] = UINT32_MAX;
  assert_int_equal(dppair_allocation_scan_(index, &n, 600, &a), DPPAIR_ERR_EXHAUSTED);
}

/* A number that is not finite, in the first of several chunks, on a fine grid, of both types. */
static void numbers_that_are_not_finite_are_told_in_every_chunk(void **unused) {
  enum { LONG = 2 * 4096 + 40 };
  static double wide[LONG];
  static float narrow[LONG];
  (void)unused;
  for (int grid = 10; grid <= 30; grid += 20)
    for (size_t at = 3; at < LONG; at += 4100) {
      reset();
      memset(wide, 0, sizeof wide);
      memset(narrow, 0, sizeof narrow);
      wide[at] = (double)INFINITY;
      narrow[at] = NAN;
      wide[at - 1] = narrow[at - 1] = 1e30f; /* nor in range */
      assert_int_equal(dppair_add_gaussian_f64_grid(wide, LONG, 1.5, grid, &rng),
                       DPPAIR_ERR_NOT_FINITE);
      assert_int_equal(dppair_add_laplace_f32_grid(narrow, LONG, 1.5, grid, &rng),
                       DPPAIR_ERR_NOT_FINITE);
      assert_true(is_zero(wide, sizeof wide) && is_zero(narrow, sizeof narrow));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(every_wrong_argument_is_refused),
                                     TEST(a_generator_that_ends_in_a_call_releases_nothing),
                                     TEST(no_call_draws_in_a_child),
                                     TEST(a_generator_that_was_written_over_is_refused),
                                     TEST(another_arithmetic_changes_no_bit_or_is_refused),
                                     TEST(nothing_can_be_asked_for),
                                     TEST(draws_end_where_their_source_does),
                                     TEST(numbers_beyond_2_to_62_are_told),
                                     TEST(the_last_level_refuses_and_goes_on),
                                     TEST(a_length_that_is_not_known_is_found),
                                     TEST(words_that_say_nothing_are_passed_on),
                                     TEST(an_allocation_that_rejects_all_words_ends),
                                     TEST(numbers_that_are_not_finite_are_told_in_every_chunk)};
  return RUN_TESTS(tests, NULL, NULL);
}
