/* SPDX-License-Identifier: MIT */
/* The self-test's known answers, computed anew: numbers of 113 bits from the digits of the strings,
 * and every rounding boundary further away than they can be wrong. */
#include <fenv.h>
#include "tests.h"

#define DPPAIR_WITH_SHARES
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "dppair_noise.h"
#include "noise_quad.h"

#ifdef __SIZEOF_INT128__
static double to_grid(quad y, int exponent) {
  const quad scaled = ldexpq(y, -exponent), k = rintq(scaled);
  assert_true(fabsq(fabsq(scaled - k) - 0.5) > 1e-12);
  return (double)ldexpq(k, exponent);
}

static uint64_t mix(uint64_t h, double x) {
  h = (h ^ dppair_bits_f64_(x)) * UINT64_C(0x100000001b3);
  return h ^ h >> 29;
}

static uint64_t release(dppair_rng *rng, uint64_t h, int law, int narrow, int log2_ratio) {
  for (unsigned i = 0; i < DPPAIR_TRIAL_; i++) {
    const double input = i * 0.7310585786300049 - 11.0, x = narrow ? (double)(float)input : input;
    const uint64_t block = rng->block + i / 16;
    const quad z = law ? ideal_laplace(rng, block, i % 16) : ideal_normal(rng, block, i % 16);
    const double y = to_grid(x + (quad)1.7 * z, -log2_ratio);
    h = mix(h, narrow ? (double)(float)y : y);
  }
  rng->block += dppair_blocks_(DPPAIR_TRIAL_);
  return h;
}

static void same(const char *of, uint64_t h, uint64_t answer) {
  if (h != answer) print_error("%s: %016llx\n", of, (unsigned long long)h);
  assert_true(h == answer);
}

static void the_known_answers_are_those_of_wider_arithmetic(void **unused) {
  static const uint64_t answers[2][2] = {
      {DPPAIR_ANSWER_GAUSSIAN_F64_, DPPAIR_ANSWER_GAUSSIAN_F32_},
      {DPPAIR_ANSWER_LAPLACE_F64_, DPPAIR_ANSWER_LAPLACE_F32_}};
  dppair_rng rng;
  (void)unused;
  for (int law = 0; law < 2; law++)
    for (int narrow = 0; narrow < 2; narrow++) {
      uint64_t h;
      dppair_trial_key_(&rng, DPPAIR_CHACHA20);
      h = release(&rng, 0, law, narrow, 12);
      h = release(&rng, h, law, narrow, 32);
      dppair_trial_key_(&rng, DPPAIR_AES256);
      h = release(&rng, h, law, narrow, 10);
      same(law ? "Laplace" : "Gaussian", h, answers[law][narrow]);
    }
}
#else
static void the_known_answers_are_those_of_wider_arithmetic(void **unused) {
  (void)unused;
  skip();
}
#endif

/* The key streams, block by block in portable code, which the vectors of RFC 8439 and FIPS 197 are
 * about (generator.c). */
static void the_known_key_streams_are_those_of_portable_code(void **unused) {
  static const uint64_t answers[2] = {DPPAIR_ANSWER_CHACHA20_, DPPAIR_ANSWER_AES256_};
  (void)unused;
  for (uint32_t c = 0; c < 2; c++) {
    dppair_rng rng;
    uint32_t words[16];
    uint64_t h = 0;
    dppair_trial_key_(&rng, c ? DPPAIR_AES256 : DPPAIR_CHACHA20);
    for (unsigned b = 0; b <= DPPAIR_TRIAL_BLOCKS_; b++) {
      const int last = b == DPPAIR_TRIAL_BLOCKS_; /* one block of level 1 */
      dppair_keystream_(words, &rng, last ? 1 : 0, last ? 0 : b);
      for (int i = 0; i < 16; i++) h = dppair_trial_word_(h, words[i]);
    }
    assert_true(h == answers[c]);
  }
}

/* What failed before is not made good by the last level's comparison. */
static void a_trial_that_failed_stays_failed(void **unused) {
  dppair_rng rng;
  uint64_t h = 0;
  (void)unused;
  dppair_trial_key_(&rng, DPPAIR_CHACHA20);
  assert_int_equal(dppair_trial_release_(&h, dppair_gaussian_f64_, 99, 0, 1, &rng),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_trial_release_(&h, dppair_gaussian_f64_, 12, 0, 1, &rng), DPPAIR_OK);
}

static void this_build_passes_its_self_test(void **unused) {
  dppair_rng rng;
  (void)unused;
  assert_int_equal(dppair_noise_check(), DPPAIR_OK);
  assert_int_equal(dppair_shares_check(), DPPAIR_OK);
  assert_int_equal(dppair_rng_from_os(&rng), DPPAIR_OK);
}

/* A number of the law; zero after an error. */
static dppair_status first_use(int law, dppair_rng *rng) {
  double x[2] = {3, 4};
  float f[2] = {3, 4};
  int64_t k[2] = {3, 4};
  const dppair_status status = law == 0   ? dppair_add_gaussian_f64(x, 2, 1.0, rng)
                               : law == 1 ? dppair_add_gaussian_f32(f, 2, 1.0, rng)
                               : law == 2 ? dppair_add_laplace_f64(x, 2, 1.0, rng)
                               : law == 3 ? dppair_add_laplace_f32(f, 2, 1.0, rng)
                               : law == 4 ? dppair_add_l2ball_f64(x, 2, 1.0, rng)
                                          : dppair_add_skellam(k, 2, 50.0, rng);
  if (status != DPPAIR_OK)
    assert_true(law == 5              ? k[0] == 0 && k[1] == 0
                : law == 1 || law == 3 ? f[0] == 0 && f[1] == 0
                                       : x[0] == 0 && x[1] == 0);
  return status;
}

/* The first of all: before anything has keyed a generator. */
static void a_call_in_another_rounding_mode_forbids_no_later_one(void **unused) {
  const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  dppair_rng rng;
  (void)unused;
  for (int m = 0; m < 3; m++) {
    dppair_status status;
    assert_int_equal(fesetround(modes[m]), 0);
    status = dppair_rng_from_os(&rng);
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    assert_int_equal(status, DPPAIR_ERR_ENVIRONMENT);
    assert_int_equal(dppair_rng_from_os(&rng), DPPAIR_OK);
    for (int law = 0; law < 6; law++) {
      assert_int_equal(fesetround(modes[m]), 0);
      status = first_use(law, &rng);
      assert_int_equal(fesetround(FE_TONEAREST), 0);
      assert_int_equal(status, DPPAIR_ERR_ENVIRONMENT);
      assert_int_equal(first_use(law, &rng), DPPAIR_OK);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_call_in_another_rounding_mode_forbids_no_later_one),
      TEST(the_known_answers_are_those_of_wider_arithmetic),
      TEST(the_known_key_streams_are_those_of_portable_code),
      TEST(a_trial_that_failed_stays_failed),
      TEST(this_build_passes_its_self_test),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
