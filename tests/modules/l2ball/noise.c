/* SPDX-License-Identifier: MIT */
/* The l2 mechanism: its length, its ties and its known answers against arithmetic of 113 bits, the
 * same numbers by wide integers alone, misuse. */
#include <fenv.h>
#include "tests.h"

#include "dppair_l2ball.h"
#include "noise_quad.h"

#define SCALED(n) (BRIEF ? (n) / 10 : (n))

static dppair_rng keyed_by(unsigned char first, unsigned char step, uint64_t stream) {
  dppair_rng rng;
  uint8_t key[32];
  for (unsigned i = 0; i < 32; i++) key[i] = (uint8_t)(first + step * i);
  assert_int_equal(dppair_rng_from_key(&rng, key, stream), DPPAIR_OK);
  return rng;
}

static dppair_rng keyed(unsigned char first, uint64_t stream) { return keyed_by(first, 1, stream); }

/* The grid by default is that of the twin. */
static void the_adders_differ_in_their_grid_alone(void **state) {
  enum { N = 100 };
  (void)state;
  for (int grid = 0; grid < 2; grid++) {
    const int k = grid ? 13 : DPPAIR_GRID_DEFAULT;
    dppair_rng rng = keyed(22, 0), same = rng;
    double x[N], y[N];
    for (int i = 0; i < N; i++) y[i] = x[i] = (double)i / 3;
    assert_int_equal(grid ? dppair_add_l2ball_f64_grid(x, N, 1.7, k, &rng)
                          : dppair_add_l2ball_f64(x, N, 1.7, &rng),
                     DPPAIR_OK);
    assert_int_equal(dppair_l2ball_work_(y, N, 1.7, k, dppair_tier(), &same), DPPAIR_OK);
    assert_memory_equal(x, y, sizeof x);
  }
}

/* ||z|| / scale has the Gamma(n) law: mean n, variance n. */
static void l2_noise_has_its_length(void **state) {
  dppair_rng rng = keyed(41, 0);
  const int rounds = SCALED(20000);
  static const size_t sizes[] = {1, 2, 3, 17, 40};
  unsigned s;
  (void)state;
  for (s = 0; s < 5; s++) {
    double sum = 0.0, square = 0.0, n = (double)sizes[s];
    int i;
    for (i = 0; i < rounds; i++) {
      double x[40] = {0.0}, norm = 0.0;
      size_t j;
      assert_int_equal(dppair_add_l2ball_f64(x, sizes[s], 3.0, &rng), DPPAIR_OK);
      for (j = 0; j < sizes[s]; j++) norm += x[j] * x[j];
      norm = sqrt(norm) / 3.0;
      sum += norm;
      square += (norm - n) * (norm - n);
    }
    assert_true(fabs(sum / rounds - n) < 5 * sqrt(n / rounds));
    assert_true(fabs(square / rounds - n) < 5 * n * sqrt((2 + 6 / n) / rounds));
  }
}

/* The same vector with the wide integers alone: no coordinate differs. */
static void l2_noise_is_exactly_rounded(void **state) {
  static const size_t sizes[] = {1, 2, 5, 16, 33, 50};
  unsigned s;
  (void)state;
  for (s = 0; s < 6; s++) {
    dppair_rng rng = keyed(51, s), start = rng;
    double x[50] = {0.0}, scale = 1.3;
    size_t n = sizes[s], i;
    int exponent;
    dppair_l2_ l2;
    assert_int_equal(dppair_grid_exponent_(&exponent, scale * sqrt((double)n), 1e100, 30),
                     DPPAIR_OK);
    assert_int_equal(dppair_add_l2ball_f64_grid(x, n, scale, 30, &rng), DPPAIR_OK);
    memset(&l2, 0, sizeof l2);
    for (i = 0; i < n; i++) {
      double k;
      assert_int_equal(dppair_l2_exact_(&k, 0.0, ldexp(scale, -exponent), i, &l2, n, &start),
                       DPPAIR_OK);
      assert_true(x[i] == ldexp(k, exponent));
    }
  }
}

#ifdef __SIZEOF_INT128__
/* The x for which x / g + noise is a half: |x / g| <= 1. */
static double at_a_tie(quad noise, double g) {
  return (double)(((rintq(noise) + 0.5Q) - noise) * g);
}

static double rounded(double x, quad noise, double g) {
  const quad y = x / (quad)g + noise, k = rintq(y);
  assert_true(fabsq(fabsq(y - k) - 0.5Q) > 1e-25Q);
  return (double)(k * g);
}

static void l2_ties_are_rounded(dppair_rng start, unsigned n) {
  const double scale = 1.7, g = ldexp(1.0, n == 5 ? -9 : -8); /* below scale sqrt(n) / 2^10 */
  const uint64_t block = start.block;
  quad z[18], square = 0, length = 0;
  double x[18], y[18];
  for (unsigned i = 0; i < n; i++) {
    z[i] = ideal_normal(&start, block + i / 16, i % 16);
    square += z[i] * z[i];
    length -= logq(ideal_uniform(&start, block + dppair_blocks_(n) + i / 16, i % 16, 0));
  }
  for (unsigned i = 0; i < n; i++) {
    z[i] *= (quad)scale / g * length / sqrtq(square);
    y[i] = x[i] = at_a_tie(z[i], g);
  }
  assert_int_equal(dppair_add_l2ball_f64(y, n, scale, &start), DPPAIR_OK);
  for (unsigned i = 0; i < n; i++) assert_true(y[i] == rounded(x[i], z[i], g));
}

static void near_ties_are_rounded_exactly(void **unused) {
  (void)unused;
  for (unsigned char key = 0; key < 60; key++)
    l2_ties_are_rounded(keyed_by(key, 5, 2), key % 2 ? 5 : 18);
}

/* Blocks of keyed_by(77, 5, 2) with a first word, in this lane, that occurs once in 2^32: 32 equal bits, or
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
    dppair_rng start = keyed_by(77, 5, 2);
    uint32_t words[16];
    dppair_keystream_(words, &start, 0, rare[k].block);
    assert_true(words[rare[k].lane] == rare[k].word);
    for (unsigned before = 0; before < 2; before++) {
      start.block = rare[k].block - before;
      l2_ties_are_rounded(start, before ? 5 : 18); /* its length, its direction */
    }
  }
}

static double to_grid(quad y, int exponent) {
  const quad scaled = ldexpq(y, -exponent), k = rintq(scaled);
  assert_true(fabsq(fabsq(scaled - k) - 0.5) > 1e-12);
  return (double)ldexpq(k, exponent);
}

static uint64_t mix(uint64_t h, double x) {
  h = (h ^ dppair_bits_f64_(x)) * UINT64_C(0x100000001b3);
  return h ^ h >> 29;
}

/* `exponent`: the largest power of two up to 1.7 sqrt(n) / 2^log2_ratio. */
static uint64_t l2ball(dppair_rng *rng, uint64_t h, unsigned n, int exponent) {
  quad z[DPPAIR_TRIAL_L2_], square = 0, length = 0;
  const uint64_t blocks = dppair_blocks_(n);
  for (unsigned i = 0; i < n; i++) {
    z[i] = ideal_normal(rng, rng->block + i / 16, i % 16);
    square += z[i] * z[i];
    length -= logq(ideal_uniform(rng, rng->block + blocks + i / 16, i % 16, 0));
  }
  for (unsigned i = 0; i < n; i++)
    h = mix(h, to_grid(i * 0.7310585786300049 - 11.0 + (quad)1.7 * length / sqrtq(square) * z[i],
                       exponent));
  rng->block += 2 * blocks;
  return h;
}

static void same(const char *of, uint64_t h, uint64_t answer) {
  if (h != answer) print_error("%s: %016llx\n", of, (unsigned long long)h);
  assert_true(h == answer);
}

static void the_known_answer_is_that_of_wider_arithmetic(void **unused) {
  dppair_rng rng;
  (void)unused;
  dppair_trial_key_(&rng, DPPAIR_CHACHA20);
  same("l2 ball", l2ball(&rng, l2ball(&rng, 0, 5, -9), DPPAIR_TRIAL_L2_, -38),
       DPPAIR_ANSWER_L2BALL_);
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
static void the_known_answer_is_that_of_wider_arithmetic(void **unused) {
  (void)unused;
  skip();
}
#endif

/* Half of the grid less a noise of 2^-133 or 2^-261 scales is below the boundary: 128 or 256
 * bits cannot tell, the next precision does. Of 2^-389 scales none can, and that is an error. */
static void the_last_level_reads_on_until_it_can_tell(void **unused) {
  static const int size[] = {-100, -133, -261, -389};
  const dppair_rng rng = keyed_by(3, 5, 2);
  unsigned below = 0;
  (void)unused;
  for (unsigned i = 0; i < 4 * 16; i++) {
    static dppair_l2_ l2;
    const unsigned p = i % 16;
    dppair_string_ u, t;
    dppair_range_ z;
    dppair_status status;
    double k = 7.0;
    int negative = 0;
    dppair_strings_(&u, &t, &rng, rng.block, p, DPPAIR_NOISE_GAUSSIAN_);
    assert_int_equal(dppair_gaussian_exact_(&z, &negative, &u, &t, p / 8, 4), DPPAIR_OK);
    below += (unsigned)negative;
    if (p == 0) memset(&l2, 0, sizeof l2);
    status = dppair_l2_exact_(&k, 0.5, ldexp(1.0, size[i / 16]), p, &l2, 16, &rng);
    assert_int_equal(status, i < 3 * 16 || !negative ? DPPAIR_OK : DPPAIR_ERR_EXHAUSTED);
    if (status == DPPAIR_OK) assert_true(k == (negative ? 0.0 : 1.0));
  }
  assert_in_range(below, 12, 52);
}

/* The relative error that the l2 mechanism counts with is that of square and length together. */
static void the_error_of_the_l2_factor_is_that_of_its_parts(void **unused) {
  (void)unused;
  for (unsigned char key = 0; key < 40; key++) {
    const dppair_rng rng = keyed_by(key, 5, 2);
    const size_t n = 1 + key % 19;
    double q, relative, off[2];
    const double square = dppair_l2_square_f64_(&off[0], n, &rng);
    const double length = dppair_l2_length_f64_(&off[1], n, &rng);
    dppair_l2_factor_f64_(&q, &relative, n, &rng);
    assert_true(relative > off[0] / square + off[1] / length + 0x1p-49 && relative < 0x1p-20);
    assert_true(fabs(q - length / sqrt(square)) <= 0x1p-50 * q);
  }
}

/* A quotient's ends hold what was cut off, and a sum its rest. */
static void ends_hold_what_was_cut_off(void **unused) {
  dppair_range_ one, three, r;
  double sum[2] = {0.0, 0.0};
  (void)unused;
  memset(&one, 0, sizeof one);
  one.lo.w[4] = one.hi.w[4] = 1;
  three = one;
  three.lo.w[4] = three.hi.w[4] = 3;
  dppair_range_div_(&r, &one, &three, 4);
  assert_true(r.lo.w[0] == 0x55555555u && r.hi.w[0] == 0x55555556u);
  dppair_sum_add_(sum, 1.0);
  dppair_sum_add_(sum, ldexp(1.0, -60));
  assert_true(sum[0] == 1.0 && sum[1] == ldexp(1.0, -60));
}

static void every_error_leaves_zeros(void **state) {
  static const double bad_scale[] = {0.0, -1.0, 1e-300, 1e300};
  dppair_rng rng = keyed(81, 0), dead;
  double x[3];
  (void)state;
#define FAILS(expected, call)                                                                      \
  do {                                                                                             \
    x[0] = x[1] = 1;                                                                               \
    assert_int_equal(call, expected);                                                              \
    assert_true(x[0] == 0 && x[1] == 0 && x[2] == 0);                                              \
  } while (0)
  x[2] = 1.0;
  for (int i = 0; i < 4; i++)
    FAILS(DPPAIR_ERR_SIGMA, dppair_add_l2ball_f64(x, 3, bad_scale[i], &rng));
  FAILS(DPPAIR_ERR_DOMAIN, dppair_add_l2ball_f64_grid(x, 3, 1.0, 41, &rng));
  memset(&dead, 0, sizeof dead);
  FAILS(DPPAIR_ERR_CIPHER, dppair_add_l2ball_f64(x, 3, 1.0, &dead));
  x[2] = -(double)INFINITY;
  FAILS(DPPAIR_ERR_NOT_FINITE, dppair_add_l2ball_f64(x, 3, 1.0, &rng));
  x[2] = 1e30;
  FAILS(DPPAIR_ERR_OVERFLOW, dppair_add_l2ball_f64(x, 3, 1.0, &rng));
#undef FAILS
}

/* The first of all: a refusal in another rounding mode is forgotten with the mode. */
static void a_call_in_another_rounding_mode_forbids_no_later_one(void **unused) {
  dppair_rng rng = keyed(5, 0);
  double x[2] = {3, 4};
  (void)unused;
  if (fesetround(FE_UPWARD) != 0) skip();
  assert_int_equal(dppair_add_l2ball_f64(x, 2, 1.0, &rng), DPPAIR_ERR_ENVIRONMENT);
  assert_int_equal(dppair_l2ball_noise_check(), DPPAIR_ERR_ENVIRONMENT);
  assert_int_equal(fesetround(FE_TONEAREST), 0);
  assert_true(x[0] == 0 && x[1] == 0);
  assert_int_equal(dppair_add_l2ball_f64(x, 2, 1.0, &rng), DPPAIR_OK);
  assert_int_equal(dppair_l2ball_noise_check(), DPPAIR_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_call_in_another_rounding_mode_forbids_no_later_one),
      TEST(the_adders_differ_in_their_grid_alone),
      TEST(l2_noise_has_its_length),
      TEST(l2_noise_is_exactly_rounded),
      TEST(near_ties_are_rounded_exactly),
      TEST(strings_that_begin_with_equal_bits_are_rounded_exactly),
      TEST(the_known_answer_is_that_of_wider_arithmetic),
      TEST(the_last_level_reads_on_until_it_can_tell),
      TEST(the_error_of_the_l2_factor_is_that_of_its_parts),
      TEST(ends_hold_what_was_cut_off),
      TEST(every_error_leaves_zeros),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
