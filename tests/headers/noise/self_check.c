/* SPDX-License-Identifier: MIT */
/* The self-test's known answers, computed anew: numbers of 113 bits from the digits of the strings,
 * and every rounding boundary further away than they can be wrong. */
#include <fenv.h>
#include "tests.h"

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

static uint64_t l2ball(const dppair_rng *rng, uint64_t h) {
  quad z[5], square = 0, length = 0;
  for (unsigned i = 0; i < 5; i++) {
    z[i] = ideal_normal(rng, rng->block, i);
    square += z[i] * z[i];
    length -= logq(ideal_uniform(rng, rng->block + 1, i, 0));
  }
  for (unsigned i = 0; i < 5; i++) /* 2^-9: the largest power of two up to 1.7 sqrt(5) / 2^10 */
    h = mix(h,
            to_grid(i * 0.7310585786300049 - 11.0 + (quad)1.7 * length / sqrtq(square) * z[i], -9));
  return h;
}

static void the_known_answers_are_those_of_wider_arithmetic(void **unused) {
  dppair_rng rng;
  uint64_t h = 0;
  (void)unused;
  dppair_trial_key_(&rng, DPPAIR_CHACHA20);
  for (int round = 0; round < 8; round++)
    h = release(&rng, h, round & 1, round >> 1 & 1, round & 4 ? 32 : 12);
  h = l2ball(&rng, h);
  if (h != DPPAIR_ANSWER_CHACHA20_) print_error("ChaCha20: %016llx\n", (unsigned long long)h);
  assert_true(h == DPPAIR_ANSWER_CHACHA20_);
  dppair_trial_key_(&rng, DPPAIR_AES256);
  h = release(&rng, 0, 0, 0, 10);
  if (h != DPPAIR_ANSWER_AES256_) print_error("AES-256: %016llx\n", (unsigned long long)h);
  assert_true(h == DPPAIR_ANSWER_AES256_);
}
#else
static void the_known_answers_are_those_of_wider_arithmetic(void **unused) {
  (void)unused;
  skip();
}
#endif

/* What failed before is not made good by the last level's comparison. */
static void a_trial_that_failed_stays_failed(void **unused) {
  dppair_rng rng;
  uint64_t h = 0;
  (void)unused;
  dppair_trial_key_(&rng, DPPAIR_CHACHA20);
  assert_int_equal(dppair_trial_release_(&h, 0, 0, 99, 0, 1, &rng), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_trial_release_(&h, 0, 0, 12, 0, 1, &rng), DPPAIR_OK);
}

static void this_build_passes_its_self_test(void **unused) {
  dppair_rng rng;
  (void)unused;
  assert_int_equal(dppair_noise_check(), DPPAIR_OK);
  assert_int_equal(dppair_rng_from_os(&rng), DPPAIR_OK);
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
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_call_in_another_rounding_mode_forbids_no_later_one),
      TEST(the_known_answers_are_those_of_wider_arithmetic),
      TEST(a_trial_that_failed_stays_failed),
      TEST(this_build_passes_its_self_test),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
