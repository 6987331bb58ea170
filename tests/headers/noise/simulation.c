/* SPDX-License-Identifier: MIT */
/* Raw samples for simulation: moments, agreement of the tiers, ranges, misuse. */
#include "tests.h"

#define DPPAIR_SIMULATION
#include "dppair_noise.h"

#define SCALED(n) (BRIEF ? (n) / 10 : (n))

enum { N = SCALED(400000) };
static double x[N], y[N];
static float f[N];

static dppair_rng keyed(uint64_t stream) {
  dppair_rng rng;
  uint8_t key[32] = {99};
  assert_int_equal(dppair_rng_from_key(&rng, key, stream), DPPAIR_OK);
  return rng;
}

/* Mean and mean square of v against their exact values, m1 and m2, the fourth moment being m4. */
static void moments_are(const double *v, size_t n, double m1, double m2, double m4) {
  double a = 0.0, b = 0.0;
  size_t i;
  for (i = 0; i < n; i++) a += v[i], b += v[i] * v[i];
  assert_true(fabs(a / (double)n - m1) < 5 * sqrt((m2 - m1 * m1) / (double)n));
  assert_true(fabs(b / (double)n - m2) <= 5 * sqrt((m4 - m2 * m2) / (double)n) + 1e-12);
}

static void laws_have_their_moments(void **state) {
  dppair_rng rng = keyed(1);
  size_t i;
  double largest = 0.0, smallest = 1.0;
  (void)state;
  assert_int_equal(dppair_fill_gaussian_f64(x, N, 2.0, &rng), DPPAIR_OK);
  moments_are(x, N, 0.0, 4.0, 48.0);
  assert_int_equal(dppair_fill_laplace_f64(x, N, 1.0, &rng), DPPAIR_OK);
  moments_are(x, N, 0.0, 2.0, 24.0);
  assert_int_equal(dppair_fill_exponential_f64(x, N, 1.0, &rng), DPPAIR_OK);
  moments_are(x, N, 1.0, 2.0, 24.0);
  assert_int_equal(dppair_fill_uniform_f64(x, N, 1.0, &rng), DPPAIR_OK);
  moments_are(x, N, 0.5, 1.0 / 3, 0.2);
  for (i = 0; i < N; i++) largest = fmax(largest, x[i]), smallest = fmin(smallest, x[i]);
  assert_true(smallest > 0.0 && smallest < 1e-3 && largest < 1.0 && largest > 0.999);
  assert_int_equal(dppair_fill_rademacher_f64(x, N, 3.0, &rng), DPPAIR_OK);
  moments_are(x, N, 0.0, 9.0, 81.0);
  assert_int_equal(dppair_fill_gamma_f64(x, N / 4, 2.5, 1.0, &rng), DPPAIR_OK);
  moments_are(x, N / 4, 2.5, 2.5 * 3.5, 2.5 * 3.5 * 4.5 * 5.5);
  assert_int_equal(dppair_fill_gamma_f64(x, N / 4, 0.5, 2.0, &rng), DPPAIR_OK);
  moments_are(x, N / 4, 1.0, 3.0, 105.0);
  assert_int_equal(dppair_fill_gaussian_f32(f, N, 1.0, &rng), DPPAIR_OK);
  for (i = 0; i < N; i++) x[i] = (double)f[i];
  moments_are(x, N, 0.0, 1.0, 3.0);
  assert_int_equal(dppair_fill_laplace_f32(f, N, 1.0, &rng), DPPAIR_OK);
  for (i = 0; i < N; i++) x[i] = (double)f[i];
  moments_are(x, N, 0.0, 2.0, 24.0);
}

/* The radius of a pair of Gaussians is that of its exponential variable, made of the same string.
 */
static void pairs_of_gaussians_have_their_radius(void **state) {
  (void)state;
  for (int tier = 0; tier <= dppair_tier(); tier++) {
    dppair_rng rng = keyed(9), same = rng;
    double e[160], z[160];
    assert_int_equal(dppair_fill_at_(e, 160, 0, 1.0, DPPAIR_FILL_EXPONENTIAL_, tier, &rng),
                     DPPAIR_OK);
    assert_int_equal(dppair_fill_at_(z, 160, 0, 1.0, DPPAIR_FILL_GAUSSIAN_, tier, &same),
                     DPPAIR_OK);
    for (int i = 0; i < 160; i++)
      if (i % 16 < 8)
        assert_true(fabs(z[i] * z[i] + z[i + 8] * z[i + 8] - 2 * e[i + i % 16]) < 1e-11);
  }
}

static void spheres_have_their_radius(void **state) {
  dppair_rng rng = keyed(2);
  double first = 0.0;
  int i, k;
  (void)state;
  for (i = 0; i < 2000; i++) {
    double v[3], norm = 0.0;
    assert_int_equal(dppair_fill_sphere_f64(v, 3, 2.0, &rng), DPPAIR_OK);
    for (k = 0; k < 3; k++) norm += v[k] * v[k];
    assert_true(fabs(norm - 4.0) < 1e-14);
    first += v[0] * v[0];
  }
  assert_true(fabs(first / 2000 - 4.0 / 3) < 5 * sqrt(16 * (1.0 / 5 - 1.0 / 9) / 2000));
}

/* AVX2 and AVX-512 agree bit for bit, the scalar tier within the stated error, at any length. */
static void tiers_agree_in_every_bit(void **state) {
  static const size_t lengths[] = {1, 31, 32, 100, 4096, 5000};
  unsigned l;
  int law, tier;
  (void)state;
  for (law = DPPAIR_FILL_GAUSSIAN_; law <= DPPAIR_FILL_RADEMACHER_; law++)
    for (l = 0; l < 6; l++)
      for (tier = 1; tier <= dppair_tier(); tier++) {
        dppair_rng a = keyed(30), b = keyed(30);
        size_t i;
        assert_int_equal(dppair_fill_at_(x, lengths[l], 0, 1.5, law, 0, &a), DPPAIR_OK);
        assert_int_equal(dppair_fill_at_(y, lengths[l], 0, 1.5, law, tier, &b), DPPAIR_OK);
        for (i = 0; i < lengths[l]; i++) assert_true(fabs(x[i] - y[i]) < 1.5 * DPPAIR_EXP2M_(44));
        assert_true(a.block == b.block);
        if (tier == DPPAIR_TIER_AVX512) {
          b = keyed(30);
          assert_int_equal(dppair_fill_at_(x, lengths[l], 0, 1.5, law, DPPAIR_TIER_AVX2, &b),
                           DPPAIR_OK);
          assert_memory_equal(x, y, lengths[l] * sizeof *x);
        }
      }
}

static void refused_samples_leave_zeros(void **state) {
  dppair_rng rng = keyed(4);
  double v[2] = {1.0, 1.0};
  (void)state;
  assert_int_equal(dppair_fill_gaussian_f64(v, 2, 0.0, &rng), DPPAIR_ERR_SIGMA);
  assert_true(v[0] == 0.0 && v[1] == 0.0);
  v[0] = 1.0;
  assert_int_equal(dppair_fill_gamma_f64(v, 2, (double)NAN, 1.0, &rng), DPPAIR_ERR_DOMAIN);
  assert_true(v[0] == 0.0);
  v[0] = 1.0;
  assert_int_equal(dppair_fill_sphere_f64(v, 2, -1.0, &rng), DPPAIR_ERR_DOMAIN);
  assert_true(v[0] == 0.0);
  assert_int_equal(dppair_fill_laplace_f64(NULL, 2, 1.0, &rng), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_fill_sphere_f64(NULL, 2, 1.0, &rng), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_fill_uniform_f64(v, 2, 1.0, NULL), DPPAIR_ERR_NULL);
}

/* Memory that nobody set has no part in a sample: the stack below is full of one byte, then of
 * another. (Not inlined, so that both lie where the call will be.) */
__attribute__((noinline)) static void leave_on_the_stack(int byte) {
  unsigned char area[1 << 16];
  memset(area, byte, sizeof area);
  __asm__ __volatile__("" : : "r"(area) : "memory");
}

static void samples_do_not_depend_on_the_stack(void **state) {
  static float again[100];
  (void)state;
  for (int tier = 0; tier <= dppair_tier(); tier++)
    for (int law = 0; law < 2; law++) {
      dppair_rng rng = keyed(7), same = rng;
      leave_on_the_stack(0x11);
      assert_int_equal(dppair_fill_at_(f, 100, 1, 1.0, law, tier, &rng), DPPAIR_OK);
      leave_on_the_stack(0xEE);
      assert_int_equal(dppair_fill_at_(again, 100, 1, 1.0, law, tier, &same), DPPAIR_OK);
      assert_memory_equal(f, again, sizeof again);
    }
}

/* A float is made of 32 random bits, on the scalar tier too, where the rest of 64 is fixed. */
static void a_float_sample_is_made_of_32_bits(void **state) {
  uint32_t rest[16];
  (void)state;
  memset(rest, 0x80, sizeof rest);
  for (unsigned i = 0; i < 400; i++) {
    dppair_rng rng = keyed(i);
    uint32_t words[16];
    double right[16];
    dppair_keystream_row_(words, &rng, 0, rng.block, 1, 0);
    dppair_fill_block_(right, words, rest, (int)(i % 2));
    assert_int_equal(dppair_fill_at_(f, 16, 1, 1.5, (int)(i % 2), 0, &rng), DPPAIR_OK);
    for (unsigned k = 0; k < 16; k++) assert_true(f[k] == (float)(1.5 * right[k]));
  }
  for (int tier = 1; tier <= dppair_tier(); tier++)
    for (int law = 0; law < 2;
         law++) { /* and within 2^-19 scales on all others, from the first on */
      dppair_rng rng = keyed(8), same = rng;
      assert_int_equal(dppair_fill_at_(f, 160, 1, 1.5, law, 0, &rng), DPPAIR_OK);
      assert_int_equal(dppair_fill_at_(f + 160, 160, 1, 1.5, law, tier, &same), DPPAIR_OK);
      for (int i = 0; i < 160; i++)
        assert_true(fabs((double)f[i] - (double)f[160 + i]) < 3 * ldexp(1.0, -18));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(laws_have_their_moments),           TEST(pairs_of_gaussians_have_their_radius),
      TEST(spheres_have_their_radius),         TEST(tiers_agree_in_every_bit),
      TEST(a_float_sample_is_made_of_32_bits), TEST(samples_do_not_depend_on_the_stack),
      TEST(refused_samples_leave_zeros),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
