/* SPDX-License-Identifier: MIT */
/* What must refuse: a copied generator after fork, a system without entropy, another rounding mode;
 * and what parts and erased keys have to do with each other. */
#include <fenv.h>
#include <fcntl.h>
#include "tests.h"
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

/* The system's sources, as this test wants them: how many bytes getrandom gives before it fails,
 * and whether /dev/urandom can be opened. */
static size_t given = SIZE_MAX;
static int urandom_exists = 1;
static ssize_t fake_getrandom(void *out, size_t n, unsigned flags) {
  (void)flags;
  if (given == 0) return -1;
  if (n > given) n = given;
  if (n > 7) n = 7; /* never all at once */
  if (given != SIZE_MAX) given -= n;
  memset(out, 0x5a, n);
  return (ssize_t)n;
}
static int fake_open(const char *path, int flags) {
  return urandom_exists ? open(path, flags) : -1;
}
#define getrandom fake_getrandom
#define open fake_open
#include "dppair_noise.h"
#undef getrandom
#undef open

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
    given = some;
    memset(&rng, 1, sizeof rng);
    assert_int_equal(dppair_rng_from_os(&rng), DPPAIR_ERR_ENTROPY);
    assert_memory_equal(&rng, zero, sizeof rng);
    given = some;
    memset(key, 1, sizeof key);
    assert_int_equal(dppair_entropy_(key, sizeof key), DPPAIR_ERR_ENTROPY);
    assert_memory_equal(key, zero, sizeof key);
  }
  given = 32; /* enough, though in pieces: all of it is used */
  assert_int_equal(dppair_entropy_(key, sizeof key), DPPAIR_OK);
  for (size_t i = 0; i < sizeof key; i++) assert_int_equal(key[i], 0x5a);
  given = 8;
  urandom_exists = 1; /* the second source replaces what the first began */
  assert_int_equal(dppair_entropy_(key, sizeof key), DPPAIR_OK);
  assert_memory_not_equal(key + 8, zero, 24);
  given = SIZE_MAX;
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

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(without_entropy_there_is_no_generator),
      TEST(no_generator_survives_a_fork),
      TEST(parts_and_erased_keys_are_different_keys),
      TEST(bytes_given_out_are_forgotten),
      TEST(levels_have_one_purpose),
      TEST(another_rounding_mode_releases_nothing),
      TEST(numbers_off_the_grid_are_told),
      TEST(zero_is_released_without_a_sign),
      TEST(zero_has_no_sign_at_the_second_level),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
