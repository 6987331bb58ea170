/* SPDX-License-Identifier: MIT */
/* What must refuse: a copied generator after fork, a system without entropy, another rounding mode;
 * and what parts and erased keys have to do with each other. */
#include <errno.h>
#include <fenv.h>
#include <fcntl.h>
#include "tests.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

/* The system's sources, as this test wants them: how many bytes getrandom gives before it fails,
 * and whether /dev/urandom can be opened. */
static size_t supplied = SIZE_MAX;
static int urandom_exists = 1, interrupted, read_interrupted;
static ssize_t fake_getrandom(void *out, size_t n, unsigned flags) {
  (void)flags;
  if (interrupted > 0) {
    interrupted--;
    errno = EINTR;
    return -1;
  }
  errno = EIO;
  if (supplied == 0) return -1;
  if (n > supplied) n = supplied;
  if (n > 7) n = 7; /* never all at once */
  if (supplied != SIZE_MAX) supplied -= n;
  memset(out, 0x5a, n);
  return (ssize_t)n;
}
static int fake_open(const char *path, int flags) {
  return urandom_exists ? open(path, flags) : -1;
}
/* What /dev/urandom gives in all; more is its end. */
static size_t readable = SIZE_MAX;
static ssize_t fake_read(int file, void *out, size_t n) {
  if (read_interrupted > 0) {
    read_interrupted--;
    errno = EINTR;
    return -1;
  }
  if (n > readable) n = readable;
  if (readable != SIZE_MAX) readable -= n;
  return n == 0 ? 0 : read(file, out, n);
}
#define getrandom fake_getrandom
#define open fake_open
#define read fake_read
#define DPPAIR_WITH_SHARES
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "dppair_noise.h"
#undef getrandom
#undef open
#undef read

static dppair_rng keyed(int aes) {
  dppair_rng rng;
  uint8_t key[32];
  for (unsigned i = 0; i < 32; i++) key[i] = (uint8_t)(3 * i + 1);
  assert_int_equal(aes ? dppair_rng_from_key_aes256(&rng, key, 0)
                       : dppair_rng_from_key(&rng, key, 0),
                   DPPAIR_OK);
  return rng;
}

static void without_entropy_there_is_no_generator(void **unused) {
  static const uint8_t zero[sizeof(dppair_rng)];
  uint8_t key[32];
  dppair_rng rng;
  (void)unused;
  urandom_exists = 0;
  for (size_t some = 0; some < 32; some += 8) { /* nothing, or less than a key */
    supplied = some;
    memset(&rng, 1, sizeof rng);
    assert_int_equal(dppair_rng_from_os(&rng), DPPAIR_ERR_ENTROPY);
    assert_memory_equal(&rng, zero, sizeof rng);
    supplied = some;
    memset(key, 1, sizeof key);
    assert_int_equal(dppair_entropy_(key, sizeof key), DPPAIR_ERR_ENTROPY);
    assert_memory_equal(key, zero, sizeof key);
  }
  supplied = 32; /* enough, though in pieces: all of it is used */
  assert_int_equal(dppair_entropy_(key, sizeof key), DPPAIR_OK);
  for (size_t i = 0; i < sizeof key; i++) assert_int_equal(key[i], 0x5a);
  supplied = 32;
  interrupted = 3; /* a signal is no failure */
  assert_int_equal(dppair_entropy_(key, sizeof key), DPPAIR_OK);
  assert_int_equal(interrupted, 0);
  for (size_t i = 0; i < sizeof key; i++) assert_int_equal(key[i], 0x5a);
  supplied = 0;
  urandom_exists = 1;
  read_interrupted = 4; /* nor of the second source */
  assert_int_equal(dppair_entropy_(key, sizeof key), DPPAIR_OK);
  assert_int_equal(read_interrupted, 0);
  supplied = 8;
  urandom_exists = 1; /* the second source replaces what the first began */
  assert_int_equal(dppair_entropy_(key, sizeof key), DPPAIR_OK);
  assert_memory_not_equal(key + 8, zero, 24);
  for (size_t some = 0; some < 32; some += 31) { /* the second one ends before the key is whole */
    supplied = 0;
    readable = some;
    memset(key, 1, sizeof key);
    assert_int_equal(dppair_entropy_(key, sizeof key), DPPAIR_ERR_ENTROPY);
    assert_memory_equal(key, zero, sizeof key);
  }
  readable = SIZE_MAX;
  supplied = SIZE_MAX;
}

/* Every way to a generator that belongs to a process. */
static dppair_rng owned(int way) {
  dppair_rng rng, part;
  uint8_t saved[DPPAIR_RNG_SAVED_SIZE];
  double x = 0.0;
  assert_int_equal(dppair_rng_from_os(&rng), DPPAIR_OK);
  if (way & 1) { /* its key replaced */
    assert_int_equal(dppair_rng_set_erasure(&rng, 1), DPPAIR_OK);
    assert_int_equal(dppair_add_laplace_f64(&x, 1, 1.0, &rng), DPPAIR_OK);
  }
  if (way & 2) {
    assert_int_equal(dppair_rng_split(&part, 5, &rng), DPPAIR_OK);
    rng = part;
  }
  if (way & 4) {
    assert_int_equal(dppair_rng_save(saved, &rng), DPPAIR_OK);
    assert_int_equal(dppair_rng_restore(&rng, saved), DPPAIR_OK);
  }
  return rng;
}

static void no_generator_survives_a_fork(void **unused) {
  (void)unused;
  for (int way = 0; way < 8; way++) {
    dppair_rng rng = owned(way);
    double mine = 0.0;
    int result = 0;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
      double x[2] = {1.0, 2.0};
      dppair_rng part;
      uint64_t v;
      int ok = dppair_add_gaussian_f64(x, 2, 1.0, &rng) == DPPAIR_ERR_FORK;
      ok &= x[0] == 0.0 && x[1] == 0.0;
      ok &= dppair_rng_u64(&v, &rng) == DPPAIR_ERR_FORK && v == 0;
      ok &= dppair_rng_split(&part, 0, &rng) == DPPAIR_ERR_FORK;
      _exit(ok ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result) && WEXITSTATUS(result) == 0);
    assert_int_equal(dppair_add_gaussian_f64(&mine, 1, 1.0, &rng), DPPAIR_OK);
  }
}

static void parts_and_erased_keys_are_different_keys(void **unused) {
  (void)unused;
  for (int aes = 0; aes < 2; aes++) {
    const dppair_rng before = keyed(aes);
    dppair_rng rng = before, part;
    double x = 0.0;
    assert_int_equal(dppair_rng_set_erasure(&rng, 1), DPPAIR_OK);
    assert_int_equal(dppair_rng_split(&part, 0, &rng), DPPAIR_OK);
    assert_int_equal(part.erase, 1); /* a part forgets its keys as its parent does */
    for (uint64_t block = 0; block < 4; block++) {
      const uint64_t at = rng.block;
      dppair_rng same = rng;
      assert_int_equal(dppair_rng_split(&part, at, &same), DPPAIR_OK);
      assert_int_equal(dppair_add_laplace_f64(&x, 1, 1.0, &rng), DPPAIR_OK);
      assert_memory_not_equal(part.key, rng.key, 32);
      assert_memory_not_equal(same.key, rng.key, 32);
      assert_int_equal(rng.erase, 1);
    }
  }
}

static void bytes_given_out_are_forgotten(void **unused) {
  dppair_rng rng = keyed(0);
  uint8_t out[40];
  (void)unused;
  assert_int_equal(dppair_rng_bytes(out, sizeof out, &rng), DPPAIR_OK);
  for (size_t i = 0; i < sizeof out; i++) assert_int_equal(rng.buffer[i], 0);
  assert_int_equal(rng.used, sizeof out);
}

/* Whoever goes elsewhere in the stream, or takes whole blocks, leaves nothing of the last block. */
static void the_rest_of_a_block_is_forgotten(void **unused) {
  static const uint8_t zero[sizeof(((dppair_rng *)NULL)->buffer)];
  dppair_rng rng = keyed(0);
  uint8_t out[8];
  double x = 0.0;
  (void)unused;
  for (int way = 0; way < 2; way++) {
    assert_int_equal(dppair_rng_bytes(out, sizeof out, &rng), DPPAIR_OK);
    assert_memory_not_equal(rng.buffer, zero, sizeof zero);
    if (way == 0)
      assert_int_equal(dppair_rng_seek(&rng, 9), DPPAIR_OK);
    else
      assert_int_equal(dppair_add_laplace_f64(&x, 1, 1.0, &rng), DPPAIR_OK);
    assert_memory_equal(rng.buffer, zero, sizeof zero);
    assert_int_equal(rng.used, sizeof zero);
  }
}

/* What is refused is zeroed: records that were drawn before, a state that was saved, integers. */
static void refused_draws_and_states_are_zeroed(void **unused) {
  static const uint8_t zero[DPPAIR_RNG_SAVED_SIZE];
  const dppair_sampling all = dppair_sampling_without_replacement(30, 6, DPPAIR_REPLACE_ONE);
  const double ones[4] = {1.0, 1.0, 1.0, 1.0};
  dppair_rng rng = keyed(0);
  size_t index[8], count = 5;
  uint8_t saved[DPPAIR_RNG_SAVED_SIZE];
  int64_t sum[4] = {7, 7, 7, 7};
  dppair_integers integers;
  (void)unused;
  rng.cipher = 0; /* a generator that was never made */
  for (size_t i = 0; i < 8; i++) index[i] = 3;
  assert_int_equal(dppair_draw(index, &count, 8, &all, &rng), DPPAIR_ERR_CIPHER);
  assert_true(count == 0);
  for (size_t i = 0; i < 8; i++) assert_true(index[i] == 0);
  for (size_t i = 0; i < 8; i++) index[i] = 3;
  rng = keyed(0);
  assert_int_equal(dppair_draw(index, &count, 5, &all, &rng), DPPAIR_ERR_SIZE);
  for (size_t i = 0; i < 8; i++) assert_true(index[i] == (i < 5 ? 0 : 3));
  rng.used = sizeof rng.buffer + 1;
  memset(saved, 1, sizeof saved);
  assert_int_equal(dppair_rng_save(saved, &rng), DPPAIR_ERR_CIPHER);
  assert_memory_equal(saved, zero, sizeof saved);
  rng = keyed(0);
  assert_int_equal(
      dppair_integers_open(&integers, sum, 4, DPPAIR_QUANTISED_RANDOMLY, 4.0, 100.0, 4), DPPAIR_OK);
  rng.cipher = 0; /* the sum holds what was added until the generator refuses */
  assert_int_equal(dppair_quantise(&integers, ones, &rng), DPPAIR_ERR_CIPHER);
  assert_memory_equal(sum, zero, sizeof sum);
  assert_true(integers.sum == NULL);
  rng = keyed(0); /* and what was zeroed is not gone on with */
  assert_int_equal(dppair_quantise(&integers, ones, &rng), DPPAIR_ERR_DOMAIN);
}

/* Just inside, and just outside: a scale that is nearly a power of two, the least variance. */
static void limits_are_where_they_are_said_to_be(void **unused) {
  dppair_rng rng = keyed(0);
  int64_t sum[4];
  dppair_integers integers;
  (void)unused;
  assert_int_equal(
      dppair_integers_open(&integers, sum, 4, DPPAIR_QUANTISED_RANDOMLY, 4.0001, 100.0, 4),
      DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_skellam(sum, 4, 1e-6, &rng), DPPAIR_OK);
  assert_int_equal(dppair_skellam(sum, 4, 0.9999999e-6, &rng), DPPAIR_ERR_SIGMA);
}

/* A generator that could not be made is none: nothing of an earlier one is left. */
static void a_refused_generator_is_zeroed(void **unused) {
  static const dppair_rng zero;
  dppair_rng rng = keyed(0);
  (void)unused;
  assert_int_equal(dppair_rng_from_key(&rng, NULL, 0), DPPAIR_ERR_NULL);
  assert_memory_equal(&rng, &zero, sizeof rng);
  rng = keyed(1);
  assert_int_equal(dppair_rng_from_key_aes256(&rng, NULL, 0), DPPAIR_ERR_NULL);
  assert_memory_equal(&rng, &zero, sizeof rng);
  rng = keyed(1);
  assert_int_equal(dppair_rng_restore(&rng, NULL), DPPAIR_ERR_NULL);
  assert_memory_equal(&rng, &zero, sizeof rng);
}

/* The key is drawn from a level that no noise, no part, no check word reads. */
static void levels_have_one_purpose(void **unused) {
  (void)unused;
  assert_true(DPPAIR_LEVEL_ERASE_ >= DPPAIR_NOISE_LEVELS_ &&
              DPPAIR_LEVEL_SPLIT_ >= DPPAIR_NOISE_LEVELS_ &&
              DPPAIR_LEVEL_CHECK_ >= DPPAIR_NOISE_LEVELS_);
  assert_true(DPPAIR_LEVEL_ERASE_ != DPPAIR_LEVEL_SPLIT_ &&
              DPPAIR_LEVEL_SPLIT_ != DPPAIR_LEVEL_CHECK_ &&
              DPPAIR_LEVEL_ERASE_ != DPPAIR_LEVEL_CHECK_);
}

static void another_rounding_mode_releases_nothing(void **unused) {
  const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  (void)unused;
  for (size_t m = 0; m < 3; m++)
    for (int law = 0; law < 5; law++) {
      dppair_rng rng = keyed(law & 1);
      double x[40];
      float f[40];
      dppair_status status;
      for (size_t i = 0; i < 40; i++) f[i] = (float)(x[i] = (double)i);
      assert_int_equal(fesetround(modes[m]), 0);
      status = law == 0   ? dppair_add_gaussian_f64(x, 40, 1.7, &rng)
               : law == 1 ? dppair_add_laplace_f64(x, 40, 1.7, &rng)
               : law == 2 ? dppair_add_l2ball_f64(x, 40, 1.7, &rng)
               : law == 3 ? dppair_add_gaussian_f32(f, 40, 1.7, &rng)
                          : dppair_add_laplace_f32(f, 40, 1.7, &rng);
      assert_int_equal(fesetround(FE_TONEAREST), 0);
      assert_int_equal(status, DPPAIR_ERR_ENVIRONMENT);
      for (size_t i = 0; i < 40; i++) assert_true(law < 3 ? x[i] == 0.0 : f[i] == 0.0f);
    }
}

/* In any vector, on grids with and without a second level, of both types. */
static void a_number_that_is_none_is_told_on_every_tier(void **unused) {
  (void)unused;
  for (int tier = 0; tier <= dppair_tier(); tier++)
    for (int grid = 10; grid <= 30; grid += 20)
      for (int law = 0; law < 2; law++)
        for (unsigned at = 0; at < 100; at += 33) {
          dppair_rng rng = keyed(1);
          double x[100] = {0};
          float f[100] = {0};
          x[at] = (double)INFINITY;
          f[at] = NAN;
          assert_int_equal(dppair_release_at_(x, 100, 0, 1.5, grid, law, tier, &rng),
                           DPPAIR_ERR_NOT_FINITE);
          assert_int_equal(dppair_release_at_(f, 100, 1, 1.5, grid, law, tier, &rng),
                           DPPAIR_ERR_NOT_FINITE);
          for (unsigned i = 0; i < 100; i++) assert_true(x[i] == 0.0 && f[i] == 0.0f);
        }
}

/* A multiple of g has no digits below it; anything else is told by its bits. */
static void numbers_off_the_grid_are_told(void **unused) {
  static const double on[] = {0.0, -0.0, 0.25, -0.25, 3.5, 1e15, -1e300, 0.25 + 1e6};
  static const double off[] = {0.125, -0.125, 0.375, 5e-324, 1e-300, 0.5000000000000001, 1e6 + 0.3};
  (void)unused;
  for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
    const float narrow = (float)on[i > 5 ? 5 : i];
    assert_true(dppair_on_grid_(&on[i], 1, 0, -2));
    assert_true(dppair_on_grid_(&narrow, 1, 1, -2));
  }
  for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
    double row[600] = {0};
    assert_false(dppair_on_grid_(&off[i], 1, 0, -2));
    row[127] = off[i]; /* one among the first, and every 127th after them */
    assert_false(dppair_on_grid_(row, 600, 0, -2));
    row[127] = 0.0;
    row[128 + 3 * 127] = off[i];
    assert_false(dppair_on_grid_(row, 600, 0, -2));
  }
  for (int exponent = -60; exponent < 60; exponent++) {
    const double g = ldexp(1.0, exponent), odd = 12345677 * g, half = odd + g / 2;
    assert_true(dppair_on_grid_(&odd, 1, 0, exponent));
    assert_false(dppair_on_grid_(&half, 1, 0, exponent));
  }
}

/* Half of the zeros of a symmetric law would be -0, one under each sign of noise: none is. */
static void zero_is_released_without_a_sign(void **unused) {
  (void)unused;
  for (int tier = 0; tier <= dppair_tier(); tier++)
    for (int grid = 0; grid <= 13; grid += 13)
      for (int narrow = 0; narrow < 2; narrow++) {
        static double x[1 << 16];
        dppair_rng rng = keyed(1);
        size_t zeros = 0;
        for (size_t i = 0; i < 1 << 16; i++) {
          const double start = i % 2 ? -0.0 : -1.0;
          if (narrow)
            ((float *)x)[i] = (float)start;
          else
            x[i] = start;
        }
        assert_int_equal(dppair_release_at_(x, 1 << 16, narrow, 1.0, grid, 0, tier, &rng),
                         DPPAIR_OK);
        for (size_t i = 0; i < 1 << 16; i++) {
          const double y = dppair_get_(x, i, narrow);
          if (y != 0.0) continue;
          zeros++;
          assert_true(dppair_bits_f64_(y) == 0);
        }
        assert_true(zeros > (grid ? 1 : 1000));
      }
}

/* The same where a number comes from the second level: -0 + -0 is -0. */
static void zero_has_no_sign_at_the_second_level(void **unused) {
  (void)unused;
  for (int tier = 0; tier <= dppair_tier(); tier++)
    for (int narrow = 0; narrow < 2; narrow++) {
      dppair_rng rng = keyed(0);
      size_t zeros = 0;
      for (uint64_t block = 0; block < 40; block += 2) {
        dppair_plan_ plan;
        double x[32];
        rng.block = block;
        for (size_t i = 0; i < 32; i++) {
          if (narrow)
            ((float *)x)[i] = -0.0f;
          else
            x[i] = -0.0;
        }
        assert_int_equal(dppair_plan_make_(&plan, 1.0, narrow, 0, 0, tier), DPPAIR_OK);
        assert_int_equal(dppair_trial_second_(x, narrow, &rng, &plan), DPPAIR_OK);
        for (size_t i = 0; i < 32; i++) {
          const double y = dppair_get_(x, i, narrow);
          zeros += y == 0.0;
          assert_true(y != 0.0 || dppair_bits_f64_(y) == 0);
        }
      }
      assert_true(zeros > 100);
    }
}

/* A signal's handler that jumps out of a call: what was taken is taken. Writing to the second page
 * fails when noise is on the first already; the next call must not add the same noise again. */
static sigjmp_buf before_the_call;
static void jump_out(int signal_number) { siglongjmp(before_the_call, signal_number); }

static void a_jump_out_of_a_call_repeats_no_noise(void **unused) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), n = page / sizeof(double);
  struct sigaction caught, usual;
  double *x =
      (double *)mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  double *y = (double *)calloc(n, sizeof *y);
  (void)unused;
#if defined(__SANITIZE_ADDRESS__)
  skip(); /* has a handler of its own */
#endif
  assert_true(x != MAP_FAILED && y != NULL);
  memset(&caught, 0, sizeof caught);
  caught.sa_handler = jump_out;
  assert_int_equal(sigaction(SIGSEGV, &caught, &usual), 0);
  for (volatile int erase = 0; erase < 2; erase++)
    for (volatile int aes = 0; aes < 2; aes++) {
      static dppair_rng rng, start;
      volatile int jumped = 0;
      static size_t noised, same;
      noised = same = 0;
      rng = keyed(aes);
      assert_int_equal(dppair_rng_set_erasure(&rng, erase), DPPAIR_OK);
      start = rng;
      assert_int_equal(mprotect(x, 2 * page, PROT_READ | PROT_WRITE), 0);
      memset(x, 0, 2 * page);
      memset(y, 0, page);
      assert_int_equal(mprotect((char *)x + page, page, PROT_READ), 0);
      if (sigsetjmp(before_the_call, 1) == 0) {
        const dppair_status status = dppair_add_laplace_f64(x, 2 * n, 1.0, &rng);
        fail_msg("the call came back: %s", dppair_status_string(status));
      } else {
        jumped = 1;
      }
      assert_int_equal(jumped, 1);
      assert_true(rng.block != start.block || memcmp(rng.key, start.key, 32) != 0);
      assert_int_equal(dppair_add_laplace_f64(y, n, 1.0, &rng), DPPAIR_OK);
      for (size_t i = 0; i < n; i++) {
        noised += x[i] < 0.0 || x[i] > 0.0;
        same += x[i] - y[i] >= 0.0 && x[i] - y[i] <= 0.0;
      }
      assert_true(noised > n / 2);
      assert_true(same < n / 16);
    }
  assert_int_equal(sigaction(SIGSEGV, &usual, NULL), 0);
  assert_int_equal(munmap(x, 2 * page), 0);
  free(y);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(without_entropy_there_is_no_generator),
      TEST(no_generator_survives_a_fork),
      TEST(parts_and_erased_keys_are_different_keys),
      TEST(bytes_given_out_are_forgotten),
      TEST(the_rest_of_a_block_is_forgotten),
      TEST(refused_draws_and_states_are_zeroed),
      TEST(limits_are_where_they_are_said_to_be),
      TEST(a_refused_generator_is_zeroed),
      TEST(a_jump_out_of_a_call_repeats_no_noise),
      TEST(levels_have_one_purpose),
      TEST(another_rounding_mode_releases_nothing),
      TEST(a_number_that_is_none_is_told_on_every_tier),
      TEST(numbers_off_the_grid_are_told),
      TEST(zero_is_released_without_a_sign),
      TEST(zero_has_no_sign_at_the_second_level),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
