/* SPDX-License-Identifier: MIT */
/* Numbers that fall, with their noise, next to a rounding boundary: every level must pass them on
 * to one that can tell, as arithmetic of 113 bits can. And the last level's constants. */
#include <float.h>
#include "tests.h"

#include "dppair_noise.h"
#include "noise_quad.h"

static dppair_rng keyed(unsigned char first) {
  dppair_rng rng;
  uint8_t key[32];
  for (unsigned i = 0; i < 32; i++) key[i] = (uint8_t)(first + 5 * i);
  assert_int_equal(dppair_rng_from_key(&rng, key, 2), DPPAIR_OK);
  return rng;
}

#ifdef __SIZEOF_INT128__
enum { N = 480 };

/* The x, as near as its type allows, for which x / g + noise is a half: |x / g| <= 1. */
static double at_a_tie(quad noise, double g, int narrow) {
  const quad x = ((rintq(noise) + 0.5Q) - noise) * g;
  return narrow ? (double)(float)x : (double)x;
}

static double rounded(double x, quad noise, double g) {
  const quad y = x / (quad)g + noise, k = rintq(y);
  assert_true(fabsq(fabsq(y - k) - 0.5Q) > 1e-25Q);
  return (double)(k * g);
}

/* n numbers at ties with their noise, rounded exactly by every tier. */
static void ties_are_rounded(dppair_rng start, unsigned n, int grid, int law, int narrow) {
  const double g = ldexp(1.0, -grid), scale = 1.7;
  static quad noise[N];
  static double x[N];
  for (unsigned i = 0; i < n; i++) {
    const uint64_t block = start.block + i / 16;
    const quad z = law ? ideal_laplace(&start, block, i % 16) : ideal_normal(&start, block, i % 16);
    noise[i] = (quad)scale / g * z;
    x[i] = at_a_tie(noise[i], g, narrow);
  }
  for (int tier = 0; tier <= dppair_tier(); tier++) {
    double y[N];
    float f[N];
    dppair_rng rng = start;
    for (unsigned i = 0; i < n; i++) f[i] = (float)(y[i] = x[i]);
    assert_int_equal(
        dppair_release_at_(narrow ? (void *)f : (void *)y, n, narrow, scale, grid, law, tier, &rng),
        DPPAIR_OK);
    for (unsigned i = 0; i < n; i++) {
      const double right = rounded(x[i], noise[i], g);
      assert_true(narrow ? f[i] == (float)right : y[i] == right);
    }
  }
}

static void near_ties_are_rounded_exactly(void **unused) {
  (void)unused;
  for (int grid = 10; grid <= 24; grid += 14)
    for (int law = 0; law < 2; law++)
      for (int narrow = 0; narrow < 2; narrow++)
        ties_are_rounded(keyed((unsigned char)(grid + 2 * law + narrow)), N, grid, law, narrow);
}

/* Blocks of keyed(77) with a first word, in this lane, that occurs once in 2^32: 32 equal bits, or
 * a sign and 31 of them. U is next to 0 or to 1 there, which no double tells. */
static const struct {
  uint64_t block;
  unsigned lane;
  uint32_t word;
} rare[] = {{157409726, 2, 0},          {212923143, 1, 0},        {86297341, 6, UINT32_MAX},
            {126420250, 4, UINT32_MAX}, {1323286, 1, UINT32_MAX}, {238448536, 0, 0x7fffffff},
            {262345669, 0, 0x7fffffff}};

static void strings_that_begin_with_equal_bits_are_rounded_exactly(void **unused) {
  (void)unused;
  for (size_t k = 0; k < sizeof rare / sizeof *rare; k++) {
    dppair_rng start = keyed(77);
    uint32_t words[16];
    dppair_keystream_(words, &start, 0, rare[k].block);
    assert_true(words[rare[k].lane] == rare[k].word);
    for (unsigned before = 0; before < 2; before++) {
      start.block = rare[k].block - before;
      for (int grid = 10; grid <= 24; grid += 14)
        for (int law = 0; law < 2; law++)
          for (int narrow = 0; narrow < 2; narrow++) ties_are_rounded(start, 48, grid, law, narrow);
    }
  }
}
#else
static void near_ties_are_rounded_exactly(void **unused) {
  (void)unused;
  skip();
}
static void strings_that_begin_with_equal_bits_are_rounded_exactly(void **unused) {
  (void)unused;
  skip();
}
#endif

/* Half of the grid less a noise of 2^-133 or 2^-261 scales is below the boundary: 128 or 256
 * bits cannot tell, the next precision does. Of 2^-389 scales none can, and that is an error. */
static void the_last_level_reads_on_until_it_can_tell(void **unused) {
  static const int size[] = {-100, -133, -261, -389};
  const dppair_rng rng = keyed(3);
  unsigned below = 0;
  (void)unused;
  for (unsigned i = 0; i < 4 * 2 * 16; i++) {
    const int law = i / 16 % 2 == 1 ? DPPAIR_NOISE_LAPLACE_ : DPPAIR_NOISE_GAUSSIAN_;
    const unsigned p = i % 16;
    dppair_plan_ plan = {0};
    dppair_string_ u, t;
    dppair_range_ z;
    dppair_status status;
    double k = 7.0;
    int negative = 0;
    dppair_strings_(&u, &t, &rng, rng.block, p, law);
    assert_int_equal(dppair_gaussian_exact_(&z, &negative, &u, &t, p / 8, 4), DPPAIR_OK);
    if (law == DPPAIR_NOISE_LAPLACE_) negative = (int)(dppair_string_word_(&u, 0) >> 31);
    below += (unsigned)negative;
    plan.law = law;
    plan.s = ldexp(1.0, size[i / 32]);
    status = dppair_last_level_(&k, 0.5, &rng, rng.block, p, &plan);
    assert_int_equal(status, i < 3 * 32 || !negative ? DPPAIR_OK : DPPAIR_ERR_EXHAUSTED);
    if (status == DPPAIR_OK) assert_true(k == (negative ? 0.0 : 1.0));
  }
  assert_in_range(below, 33, 100);
}

/* The words of a number from its decimal digits, one at a time. */
static void constant_is(const uint32_t words[13], unsigned before, const char *digits) {
  unsigned char d[200];
  size_t n = 0;
  assert_int_equal(words[0], before);
  for (; digits[n]; n++) d[n] = (unsigned char)(digits[n] - '0');
  for (unsigned w = 1; w < 13; w++) {
    uint64_t carry = 0;
    for (size_t i = n; i-- > 0;) { /* fraction times 2^32: what passes the point is the word */
      carry += (uint64_t)d[i] << 32;
      d[i] = (unsigned char)(carry % 10);
      carry /= 10;
    }
    assert_int_equal(words[w], carry);
  }
}

static void the_last_levels_constants_are_right_to_384_bits(void **unused) {
  (void)unused;
  constant_is(dppair_ln2_words_, 0,
              "6931471805599453094172321214581765680755001343602552541206800094933936219696947156"
              "058633269964186875420014810205706857336855202357");
  constant_is(dppair_two_pi_words_, 6,
              "2831853071795864769252867665590057683943387987502116419498891846156328125724179972"
              "560696506842341359642961730265646132941876892191");
}

static void digits_that_are_cut_off_are_told(void **unused) {
  dppair_fix_ r;
  (void)unused;
  assert_int_equal(dppair_fix_from_f64_(&r, 1.0 + DBL_EPSILON, 4), 0);
  assert_int_equal(r.w[4], 1);
  assert_int_equal(r.w[2], 1u << 12);
  assert_int_equal(dppair_fix_from_f64_(&r, ldexp(1.0, -128), 4), 0);
  assert_int_equal(r.w[0], 1);
  assert_int_equal(dppair_fix_from_f64_(&r, ldexp(1.0 + DBL_EPSILON, -77), 4), 1);
  assert_int_equal(r.w[1], 1u << 19);
  assert_int_equal(dppair_fix_from_f64_(&r, ldexp(1.0, -129), 4), 1);
  assert_int_equal(r.w[0], 0);
  for (int e = -385; e >= -1074; e--) { /* all of them */
    static const dppair_fix_ zero;
    assert_int_equal(dppair_fix_from_f64_(&r, ldexp(1.0, e), 12), 1);
    assert_memory_equal(&r, &zero, sizeof r);
  }
  assert_int_equal(dppair_fix_from_f64_(&r, 0.0, 4), 0);
}

/* Ends of ranges hold what was cut off. */
static void ends_hold_what_was_cut_off(void **unused) {
  dppair_range_ r;
  (void)unused;
  dppair_range_rest_(&r, ldexp(1.0, -130), 4); /* 1/2 and this */
  assert_true(r.lo.w[3] <= 0x80000000u && r.hi.w[3] == 0x80000000u && r.hi.w[0] >= 1);
}

/* The circle of the double level within the 3 u that its tau allows: a term of a series that is off
 * by 1 % is tens of u. Angles of each octant, the ends most of all. */
static void the_circle_is_within_its_bound(void **state) {
  (void)state;
  for (uint64_t i = 0; i < 20000; i++) {
    const uint64_t near = i % 3 == 0 ? i << 40 : i * UINT64_C(0x9E3779B97F4A7C15) >> 3;
    const uint64_t t =
        ((i & 7) << 61) + (i % 3 == 1 ? (UINT64_C(1) << 61) - 1 - (near >> 12) : near);
    const long double angle = ldexpl((long double)t, -64) * 6.283185307179586476925286766559L;
    double c, s;
    dppair_circle_f64_(&c, &s, t);
    if (LDBL_MANT_DIG < 64) skip();
    assert_true(fabsl((long double)c - cosl(angle)) <= 3.0L * 0x1p-53L);
    assert_true(fabsl((long double)s - sinl(angle)) <= 3.0L * 0x1p-53L);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(the_circle_is_within_its_bound),
      TEST(near_ties_are_rounded_exactly),
      TEST(the_last_level_reads_on_until_it_can_tell),
      TEST(strings_that_begin_with_equal_bits_are_rounded_exactly),
      TEST(the_last_levels_constants_are_right_to_384_bits),
      TEST(ends_hold_what_was_cut_off),
      TEST(digits_that_are_cut_off_are_told),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
