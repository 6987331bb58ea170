/* SPDX-License-Identifier: MIT */
/* What a call of dppair_noise.h leaves on the stack: no key, no round key, no key stream, no number
 * before its noise; nor, on x86-64 and 64-bit ARM, in the vector registers. The stack is painted,
 * one call is made, and what lies below is searched. (Linked at start: a linker that works at the
 * first call saves registers there, with what they hold.) */
#include "tests.h"

#define DPPAIR_SIMULATION
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_noise.h"

#include "stack.h"

enum { N = 4101, SMALL = 50 };
#define ONE DPPAIR_REPLACE_ONE

static dppair_rng rng, old, other;
static double x64[N], y64[N];
static float x32[N];
static int64_t integers[64];
static size_t index_[256];
static uint8_t bytes[1000], saved[DPPAIR_RNG_SAVED_SIZE], key[32];

static void gaussian_f64(void) { status = dppair_add_gaussian_f64(x64, N, 1.7, &rng); }
static void gaussian_small(void) { status = dppair_add_gaussian_f64(x64, 7, 1.7, &rng); }
static void gaussian_fine(void) { status = dppair_add_gaussian_f64_grid(x64, N, 1.7, 24, &rng); }
static void gaussian_f32(void) { status = dppair_add_gaussian_f32(x32, N, 1.7, &rng); }
static void laplace_f64(void) { status = dppair_add_laplace_f64(x64, N, 1.7, &rng); }
static void laplace_f32(void) { status = dppair_add_laplace_f32(x32, N, 1.7, &rng); }
static void l2ball(void) { status = dppair_add_l2ball_f64(x64, SMALL, 1.7, &rng); }
static void discrete_g(void) { status = dppair_discrete_gaussian(integers, 64, 70, 3, &rng); }
static void discrete_l(void) { status = dppair_discrete_laplace(integers, 64, 70, 3, &rng); }
static void draw(dppair_sampling s) {
  size_t count;
  status = dppair_draw(index_, &count, 256, &s, &rng);
}
static void with_replacement(void) { draw(dppair_sampling_with_replacement(1000, 100, ONE)); }
static void without(void) { draw(dppair_sampling_without_replacement(1000, 100, ONE)); }
static void matching(void) { draw(dppair_sampling_matching(1000, 100, ONE)); }
static void poisson(void) { draw(dppair_sampling_poisson(256, 77, ONE)); }
static void some_pairs(void) {
  const dppair_sampling s = dppair_sampling_with_replacement(1000, 50, ONE);
  size_t count;
  status = dppair_draw_pairs(index_, &count, 128, &s, &rng);
}
static void allocation(void) {
  const dppair_sampling s = dppair_sampling_allocation(256, 7, 3, ONE);
  size_t count;
  rng.erase = 0;
  status = dppair_draw_allocation(index_, &count, 256, &s, 15, &rng);
}
static void shuffle(void) { status = dppair_shuffle(index_, 256, &rng); }
static void many_bytes(void) { status = dppair_rng_bytes(bytes, sizeof bytes, &rng); }
static void one_byte(void) { status = dppair_rng_bytes(bytes, 1, &rng); }
static void draw_uniforms(void) { status = dppair_rng_uniform_f64(y64, &rng); }
static void split(void) { status = dppair_rng_split(&other, 3, &rng); }
static void save(void) { status = dppair_rng_save(saved, &rng); }
static void restore(void) { status = dppair_rng_restore(&rng, saved); }
static void from_os(void) { status = dppair_rng_from_os(&rng); }
static void from_key(void) { status = dppair_rng_from_key(&rng, key, 0); }
static void from_key_aes(void) { status = dppair_rng_from_key_aes256(&rng, key, 0); }
static void fill_gaussian(void) { status = dppair_fill_gaussian_f64(y64, N, 1.7, &rng); }
static void fill_gamma(void) { status = dppair_fill_gamma_f64(y64, SMALL, 1.7, 1.0, &rng); }
static void fill_sphere(void) { status = dppair_fill_sphere_f64(y64, SMALL, 1.7, &rng); }

static const struct {
  const char *name;
  call f;
} calls[] = {
    {"gaussian_f64", gaussian_f64},
    {"gaussian_f64, 7 numbers", gaussian_small},
    {"gaussian_f64, k = 24", gaussian_fine},
    {"gaussian_f32", gaussian_f32},
    {"laplace_f64", laplace_f64},
    {"laplace_f32", laplace_f32},
    {"l2ball", l2ball},
    {"discrete_gaussian", discrete_g},
    {"discrete_laplace", discrete_l},
    {"with_replacement", with_replacement},
    {"without_replacement", without},
    {"matching", matching},
    {"pairs", some_pairs},
    {"allocation", allocation},
    {"shuffle", shuffle},
    {"poisson", poisson},
    {"bytes", many_bytes},
    {"one byte", one_byte},
    {"uniform", draw_uniforms},
    {"split", split},
    {"save", save},
    {"restore", restore},
    {"from_os", from_os},
    {"from_key", from_key},
    {"from_key_aes256", from_key_aes},
    {"fill_gaussian", fill_gaussian},
    {"fill_gamma", fill_gamma},
    {"fill_sphere", fill_sphere},
};

/* Not inlined: what it computes must not stay in registers that the call under test saves. */
__attribute__((noinline)) static void prepare(int aes, int erase) {
  for (size_t i = 0; i < N; i++) {
    x64[i] = 100.0 * uniform() - 50.0;
    x32[i] = (float)x64[i];
  }
  for (size_t i = 0; i < sizeof key; i++) key[i] = (uint8_t)random_bits();
  for (size_t i = 0; i < 256; i++) index_[i] = i;
  assert_int_equal(aes ? dppair_rng_from_key_aes256(&rng, key, 0)
                       : dppair_rng_from_key(&rng, key, 0),
                   DPPAIR_OK);
  assert_int_equal(dppair_rng_set_erasure(&rng, erase), DPPAIR_OK);
  assert_int_equal(dppair_rng_save(saved, &rng), DPPAIR_OK);
  memset(patterns, 0, sizeof patterns);
  for (int k = 10; k <= 24; k += 14) /* un-noised numbers, their fractions */
    for (size_t i = 0; i < N; i++) {
      /* not 0.5, which dppair_environment_check uses */
      const double g = ldexp(1.0, -k), y = x64[i] / g, y32 = (double)x32[i] / g;
      const double rest = y - rint(y), rest32 = y32 - rint(y32);
      want(&x64[i], 8);
      if (fabs(rest) > 1e-6 && fabs(rest) < 0.5) want(&rest, 8);
      if (fabs(rest32) > 1e-6 && fabs(rest32) < 0.5) want(&rest32, 8);
    }
  old = rng;
}

static size_t secrets_left(size_t c, int aes, int erase, size_t *held) {
  prepare(aes, erase);
  stack_after(calls[c].f);
  want_generator(&old, calls[c].f == fill_gamma ? 40 : N / 16 + 1);
  want_key(&rng);
  if (calls[c].f == split) want_key(&other);
  if (calls[c].f == allocation) {
    uint32_t words[8];
    dppair_rng_derive_(words, &old, DPPAIR_LEVEL_ALLOCATION_, 2);
    dppair_rng_set_key_(&other, old.cipher, words, 0);
    want_key(&other);
    want_generator(&other, 256 * 4 / 16);
  }
  *held = found_in(registers, sizeof registers);
  return found();
}

static void a_call_leaves_no_secret_on_the_stack_or_in_vector_registers(void **unused) {
  size_t all = 0;
  (void)unused;
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
  skip(); /* a sanitizer's stack is not the processor's; the claim is for optimised code */
#endif
  for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
    for (int aes = 0; aes < 2; aes++)
      for (int erase = 0; erase < 2; erase++) {
        size_t held;
        const size_t count = secrets_left(c, aes, erase, &held);
        if (count + held > 0)
          print_error("%s, %s%s: %zu pieces, and %zu in registers\n", calls[c].name,
                      aes ? "AES" : "ChaCha20", erase ? ", erasure" : "", count, held);
        all += count + held;
      }
  assert_int_equal(all, 0);
}

/* The search itself: a call that leaves its key is noticed. */
__attribute__((noinline)) static void careless(void) {
  uint8_t copy[32];
  memcpy(copy, key, sizeof copy);
  __asm__ __volatile__("" : : "r"(copy) : "memory");
  status = DPPAIR_OK;
}
static void the_search_finds_a_key(void **unused) {
  (void)unused;
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
  skip();
#endif
  for (size_t i = 0; i < sizeof key; i++) key[i] = (uint8_t)random_bits();
  memset(patterns, 0, sizeof patterns);
  want(key, sizeof key);
  stack_after(careless);
  assert_int_equal(found(), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(the_search_finds_a_key),
      TEST(a_call_leaves_no_secret_on_the_stack_or_in_vector_registers),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
