/* SPDX-License-Identifier: MIT */
/* Discrete laws: the arithmetic of their coins by exhaustion, their frequencies against exact
 * probabilities, and misuse. */
#include "tests.h"

#define DPPAIR_SIMULATION
#include "dppair_l2ball.h"
#include "dppair_noise.h"

#define SCALED(n) (BRIEF ? (n) / 10 : (n))

static dppair_rng keyed(uint64_t stream) {
  dppair_rng rng;
  uint8_t key[32] = {42};
  assert_int_equal(dppair_rng_from_key(&rng, key, stream), DPPAIR_OK);
  return rng;
}

/* An upper bound of the chi-square quantile at 1e-6 (Wilson and Hilferty, z = 4.75). */
static double chi_square_limit(double cells) {
  double f = cells - 1, a = 2 / (9 * f), root = 1 - a + 4.75 * sqrt(a);
  return f * root * root * root;
}

/* A source whose words are given. */
static dppair_source_ fed(const uint32_t *words, unsigned n, dppair_rng *rng) {
  dppair_source_ s;
  dppair_source_open_(&s, rng);
  memcpy(s.words, words, n * sizeof *words);
  s.end = n;
  return s;
}

/* A coin of bias a/b compares the stream with the digits of a/b: every small fraction, at the words
 * just below, at, and just above its first digit, and at the second digit after a tie. */
static void coins_compare_with_the_digits_of_their_bias(void **state) {
  dppair_rng rng = keyed(1);
  uint64_t a, b;
  (void)state;
  for (b = 1; b <= 60; b++)
    for (a = 1; a < b; a++) {
      const uint32_t first = (uint32_t)((a << 32) / b),
                     second = (uint32_t)((((a << 32) % b) << 32) / b);
      int wide;
      for (wide = 0; wide < 2; wide++) { /* both widths of arithmetic */
        const uint64_t scale = wide ? UINT64_C(1) << 40 : 1;
        uint32_t w[2] = {first - 1, 0};
        dppair_source_ s = fed(w, 2, &rng);
        if (first > 0) assert_int_equal(dppair_coin_(&s, a * scale, b * scale), 1);
        w[0] = first + 1;
        s = fed(w, 2, &rng);
        assert_int_equal(dppair_coin_(&s, a * scale, b * scale), 0);
        w[0] = first, w[1] = second + 1;
        s = fed(w, 2, &rng);
        assert_int_equal(dppair_coin_(&s, a * scale, b * scale), 0);
        if ((a << 32) % b != 0 && second > 0) {
          w[1] = second - 1;
          s = fed(w, 2, &rng);
          assert_int_equal(dppair_coin_(&s, a * scale, b * scale), 1);
        }
      }
    }
  for (b = 2; b < 12; b++) { /* the table of reciprocals is the same thing */
    const uint32_t first = (uint32_t)((UINT64_C(1) << 32) / b);
    uint32_t w[2] = {first - 1, 0};
    dppair_source_ s = fed(w, 2, &rng);
    assert_int_equal(dppair_coin_reciprocal_(&s, (uint32_t)b), 1);
    w[0] = first + 1;
    s = fed(w, 2, &rng);
    assert_int_equal(dppair_coin_reciprocal_(&s, (uint32_t)b), 0);
  }
  for (b = 2; b <= 60; b++) /* and so is a coin whose first digits are known, and a tie with them */
    for (a = 1; a < b; a++) {
      uint64_t rest;
      const uint32_t digits = dppair_digits_(&rest, a, b);
      int word;
      for (word = -1; word <= 1; word++) {
        const uint32_t w[2] = {digits + (uint32_t)word, 0x80000000u};
        dppair_source_ known = fed(w, 2, &rng), plain = fed(w, 2, &rng);
        if (digits == 0 && word < 0) continue;
        assert_int_equal(dppair_coin_known_(&known, digits, rest, b), dppair_coin_(&plain, a, b));
        assert_true(word != 0 || rest == 0 || known.at == plain.at);
      }
    }
}

/* All draws below a small bound, exhausted over the upper bits of the word: exactly equal shares.
 */
static void draws_below_a_bound_have_no_bias(void **state) {
  dppair_rng rng = keyed(2);
  uint32_t bound, hits[64], i;
  (void)state;
  for (bound = 1; bound < 40; bound++) {
    const uint32_t biased = (0u - bound) % bound;
    uint64_t accepted = 0;
    memset(hits, 0, sizeof hits);
    /* accepted words m = r bound with low half >= biased: count them by their interval of r */
    for (i = 0; i < bound; i++) {
      const uint64_t from = (((uint64_t)i << 32) + biased + bound - 1) / bound;
      const uint64_t to = ((((uint64_t)i + 1) << 32) + bound - 1) / bound;
      uint32_t w[2] = {(uint32_t)from, 0};
      dppair_source_ s = fed(w, 2, &rng);
      assert_int_equal(dppair_below_(&s, bound), i);
      w[0] = (uint32_t)(to - 1);
      s = fed(w, 2, &rng);
      assert_int_equal(dppair_below_(&s, bound), i);
      accepted += to - from;
      assert_true(to - from == (UINT64_C(1) << 32) / bound); /* the same number for every value */
    }
    assert_true(accepted == (UINT64_C(1) << 32) / bound * bound);
  }
}

/* The three fractions of a discrete Gaussian candidate multiply to its exponent, each at most 1:
 * checked in 128 bits for every candidate of every small sigma^2 = a / b. */
static void candidates_carry_the_right_exponent(void **state) {
  uint64_t a, b, y;
  (void)state;
  for (a = 1; a < 40; a++)
    for (b = 1; b < 40; b++) {
      const uint64_t t = dppair_root_(a, b) + 1;
      assert_true((t - 1) * (t - 1) * b <= a && t * t * b > a);
      for (y = 0; y < 12 * t; y++) {
        const uint64_t D = y * b * t > a ? y * b * t - a : a - y * b * t;
        uint64_t m, c, e;
        if (D == 0) continue;
        m = (D - 1) / (b * t) + 1;
        c = D / (2 * a) + 1;
        e = m / t + 1;
        assert_true(D <= b * t * m && D <= 2 * a * c && m <= t * e);
        /* D D m c e / (b t m 2 a c t e) = D^2 / (2 a b t^2) */
        assert_true(D * D * m * c * e * (2 * a * b * t * t) ==
                    D * D * (b * t * m * 2 * a * c * t * e));
      }
    }
}

/* Frequencies of both laws against exact probabilities, cells -K..K and the two tails. */
static void discrete_laws_have_their_frequencies(void **state) {
  static const uint64_t gaussian[][2] = {
      {1, 4}, {1, 1}, {7, 3}, {100, 1}, {UINT64_C(3) << 50, UINT64_C(1) << 48}};
  static const uint64_t laplace[][2] = {
      {1, 3}, {1, 1}, {5, 2}, {12, 1}, {UINT64_C(5) << 50, UINT64_C(1) << 49}};
  enum { N = SCALED(200000) };
  static int64_t x[N];
  unsigned p, law;
  (void)state;
  for (law = 0; law < 2; law++)
    for (p = 0; p < 5; p++) {
      dppair_rng rng = keyed(10 * law + p);
      const uint64_t *q = law ? laplace[p] : gaussian[p];
      const double ratio = (double)q[0] / (double)q[1];
      double weight[401], total = 0.0, chi = 0.0;
      double count[401] = {0.0};
      int k, cells = 0;
      double rest_p = 1.0;
      double rest_n = N;
      for (k = -200; k <= 200; k++) {
        weight[k + 200] = law ? exp(-abs(k) / ratio) : exp(-(double)k * k / (2 * ratio));
        total += weight[k + 200];
      }
      if (law)
        assert_int_equal(dppair_discrete_laplace(x, N, q[0], q[1], &rng), DPPAIR_OK);
      else
        assert_int_equal(dppair_discrete_gaussian(x, N, q[0], q[1], &rng), DPPAIR_OK);
      for (k = 0; k < N; k++)
        if (x[k] >= -200 && x[k] <= 200) count[x[k] + 200]++;
      for (k = 0; k <= 400; k++) {
        const double expected = N * weight[k] / total;
        if (expected < 20) continue;
        chi += (count[k] - expected) * (count[k] - expected) / expected;
        rest_p -= weight[k] / total;
        rest_n -= count[k];
        cells++;
      }
      if (N * rest_p > 5)
        chi += (rest_n - N * rest_p) * (rest_n - N * rest_p) / (N * rest_p), cells++;
      assert_true(cells >= 3 && chi < chi_square_limit(cells));
    }
}

/* e^-f for fractions small and large. */
static void exponential_coins_have_their_bias(void **state) {
  static const uint64_t f[][2] = {{0, 1}, {1, 100}, {1, 3}, {2, 3}, {1, 1}};
  dppair_rng rng = keyed(30);
  unsigned i;
  (void)state;
  for (i = 0; i < 5; i++) {
    dppair_source_ s;
    const int n = SCALED(200000);
    const double p = exp(-(double)f[i][0] / (double)f[i][1]);
    int heads = 0, k;
    dppair_source_open_(&s, &rng);
    for (k = 0; k < n; k++) heads += dppair_coin_exp_(&s, f[i], 1);
    assert_int_equal(dppair_source_close_(&s), DPPAIR_OK);
    assert_true(fabs(heads - n * p) <= 5 * sqrt(n * p * (1 - p)));
  }
}

/* Two thirds of 2^32: without rejection even numbers would come twice as often as odd ones. */
static void a_large_bound_has_no_favourites(void **state) {
  dppair_rng rng = keyed(52);
  enum { DRAWS = SCALED(90000) };
  const uint64_t bound = 2863311531u;
  double count[6] = {0}, chi = 0.0;
  dppair_source_ s;
  (void)state;
  dppair_source_open_(&s, &rng);
  for (int i = 0; i < DRAWS; i++) {
    const uint64_t v = dppair_below_(&s, bound);
    assert_true(v < bound);
    count[v % 6] += 1.0;
  }
  assert_int_equal(dppair_source_close_(&s), DPPAIR_OK);
  for (int i = 0; i < 6; i++)
    chi += (count[i] - DRAWS / 6.0) * (count[i] - DRAWS / 6.0) / (DRAWS / 6.0);
  assert_true(chi < chi_square_limit(6));
}

/* The exponent of the discrete Gaussian to a fifth of a percent, by both ways of keeping a
 * candidate: small numbers, and the same law written with large ones. */
static void the_discrete_gaussian_has_its_variance(void **state) {
  static const uint64_t laws[][2] = {{9, 1}, {UINT64_C(9) << 30, UINT64_C(1) << 30}};
  enum { DRAWS = SCALED(2000000) };
  static int64_t x[20000];
  (void)state;
  for (unsigned l = 0; l < 2; l++) {
    dppair_rng rng = keyed((unsigned char)(53 + l));
    double square = 0.0, fourth = 0.0;
    for (int i = 0; i < DRAWS; i += 20000) {
      assert_int_equal(dppair_discrete_gaussian(x, 20000, laws[l][0], laws[l][1], &rng), DPPAIR_OK);
      for (int k = 0; k < 20000; k++) {
        const double q = (double)(x[k] * x[k]);
        square += q;
        fourth += q * q;
      }
    }
    square /= DRAWS, fourth /= DRAWS; /* variance 9 to 1e-70, fourth moment 243 */
    assert_true(fabs(square - 9.0) < 3.5 * 9.0 * sqrt(2.0 / DRAWS));
    assert_true(fabs(fourth - 243.0) < 3.5 * 81.0 * sqrt(96.0 / DRAWS));
  }
}

/* 0 and 1 are never drawn: the ends of the words give the ends of the open interval. */
static void a_uniform_number_is_never_0_or_1(void **state) {
  dppair_rng rng = keyed(55);
  double u;
  (void)state;
  memset(rng.buffer, 0, sizeof rng.buffer);
  rng.used = 0;
  assert_int_equal(dppair_rng_uniform_f64(&u, &rng), DPPAIR_OK);
  assert_true(u == DPPAIR_EXP2M_(53));
  memset(rng.buffer, 0xff, sizeof rng.buffer);
  assert_int_equal(dppair_rng_uniform_f64(&u, &rng), DPPAIR_OK);
  assert_true(u == 1.0 - DPPAIR_EXP2M_(53));
}

static void bad_scales_are_refused(void **state) {
  dppair_rng rng = keyed(70), dead;
  int64_t x[2] = {1, 1};
  (void)state;
  memset(&dead, 0, sizeof dead);
  assert_int_equal(dppair_discrete_gaussian(x, 2, 0, 1, &rng), DPPAIR_ERR_SIGMA);
  assert_true(x[0] == 0 && x[1] == 0);
  x[0] = 1;
  assert_int_equal(dppair_discrete_gaussian(x, 2, 1, DPPAIR_RATIONAL_MAX_ + 1, &rng),
                   DPPAIR_ERR_SIGMA);
  assert_int_equal(x[0], 0);
  assert_int_equal(dppair_discrete_laplace(x, 2, 1, 0, &rng), DPPAIR_ERR_SIGMA);
  assert_int_equal(dppair_discrete_laplace(x, 2, 1, DPPAIR_RATIONAL_MAX_ + 1, &rng),
                   DPPAIR_ERR_SIGMA);
  assert_int_equal(dppair_discrete_laplace(x, 2, 1, DPPAIR_RATIONAL_MAX_, &rng), DPPAIR_OK);
  assert_int_equal(dppair_discrete_laplace(NULL, 2, 1, 1, &rng), DPPAIR_ERR_NULL);
  x[0] = 1;
  assert_int_equal(dppair_discrete_laplace(x, 2, 1, 1, &dead), DPPAIR_ERR_CIPHER);
  assert_int_equal(x[0], 0);
  for (int k = 0; k < 2; k++) { /* no array has this many numbers: nothing is written */
    const volatile size_t most = k ? SIZE_MAX : SIZE_MAX / 8 + 1;
    int64_t far[1] = {7};
    double z[1] = {7};
    assert_int_equal(dppair_discrete_laplace(far, most, 0, 1, &rng), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_discrete_gaussian(far, most, 0, 1, &rng), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_add_gaussian_f64(z, most, -1.0, &rng), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_add_l2ball_f64(z, most, -1.0, &rng), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_fill_gaussian_f64(z, most, -1.0, &rng), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_fill_gamma_f64(z, most, -1.0, 1.0, &rng), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_fill_sphere_f64(z, most, -1.0, &rng), DPPAIR_ERR_OVERFLOW);
    assert_true(far[0] == 7 && z[0] == 7.0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(coins_compare_with_the_digits_of_their_bias),
      TEST(draws_below_a_bound_have_no_bias),
      TEST(candidates_carry_the_right_exponent),
      TEST(discrete_laws_have_their_frequencies),
      TEST(exponential_coins_have_their_bias),
      TEST(a_large_bound_has_no_favourites),
      TEST(the_discrete_gaussian_has_its_variance),
      TEST(a_uniform_number_is_never_0_or_1),
      TEST(bad_scales_are_refused),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
