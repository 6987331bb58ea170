/* SPDX-License-Identifier: MIT */
/* The generator and the safe releases: known vectors, exactness, misuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "dppair_noise.h"

#ifdef DPPAIR_TEST_SANITIZE
#define SCALED(n) ((n) / 10)
#else
#define SCALED(n) (n)
#endif

static dppair_rng keyed(unsigned char first, uint64_t stream) {
  dppair_rng rng;
  uint8_t key[32];
  unsigned i;
  for (i = 0; i < 32; i++) key[i] = (uint8_t)(first + i);
  assert_int_equal(dppair_rng_from_key(&rng, key, stream), DPPAIR_OK);
  return rng;
}

/* RFC 8439, section 2.3.2. */
static void chacha20_block_of_the_rfc(void **state) {
  static const uint8_t expected[64] = {
      0x10, 0xf1, 0xe7, 0xe4, 0xd1, 0x3b, 0x59, 0x15, 0x50, 0x0f, 0xdd, 0x1f, 0xa3,
      0x20, 0x71, 0xc4, 0xc7, 0xd1, 0xf4, 0xc7, 0x33, 0xc0, 0x68, 0x03, 0x04, 0x22,
      0xaa, 0x9a, 0xc3, 0xd4, 0x6c, 0x4e, 0xd2, 0x82, 0x64, 0x46, 0x07, 0x9f, 0xaa,
      0x09, 0x14, 0xc2, 0xd7, 0x05, 0xd9, 0x8b, 0x02, 0xa2, 0xb5, 0x12, 0x9c, 0xd1,
      0xde, 0x16, 0x4e, 0xb9, 0xcb, 0xd0, 0x83, 0xe8, 0xa2, 0x50, 0x3c, 0x4e};
  static const uint8_t nonce[12] = {0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0};
  dppair_rng rng = keyed(0, 0);
  uint32_t address[4], words[16];
  uint8_t out[64];
  unsigned i;
  (void)state;
  address[0] = 1;
  for (i = 0; i < 3; i++) address[1 + i] = dppair_load32_(nonce + 4 * i);
  dppair_chacha20_block_(words, rng.key, address);
  for (i = 0; i < 16; i++) dppair_store32_(out + 4 * i, words[i]);
  assert_memory_equal(out, expected, 64);
}

static void bytes_are_the_blocks_in_order(void **state) {
  dppair_rng rng = keyed(7, 5), again = rng;
  uint8_t whole[300], parts[300];
  uint32_t words[16];
  size_t at, step = 1;
  unsigned i;
  (void)state;
  assert_int_equal(dppair_rng_bytes(whole, sizeof whole, &rng), DPPAIR_OK);
  for (at = 0; at < sizeof parts; at += step, step = step % 29 + 3) {
    if (step > sizeof parts - at) step = sizeof parts - at;
    assert_int_equal(dppair_rng_bytes(parts + at, step, &again), DPPAIR_OK);
  }
  assert_memory_equal(whole, parts, sizeof whole);
  dppair_keystream_(words, &rng, 0, 2);
  for (i = 0; i < 16; i++) assert_int_equal(dppair_load32_(whole + 128 + 4 * i), words[i]);
  assert_int_equal(dppair_rng_seek(&again, 3), DPPAIR_OK);
  assert_int_equal(dppair_rng_bytes(parts, 100, &again), DPPAIR_OK);
  assert_memory_equal(parts, whole + 192, 100);
}

static void levels_streams_and_keys_differ(void **state) {
  dppair_rng a = keyed(1, 0), b = keyed(1, 1), c = keyed(2, 0);
  uint32_t w[4][16];
  unsigned i, j;
  (void)state;
  dppair_keystream_(w[0], &a, 0, 0);
  dppair_keystream_(w[1], &a, 1, 0);
  dppair_keystream_(w[2], &b, 0, 0);
  dppair_keystream_(w[3], &c, 0, 0);
  for (i = 0; i < 4; i++)
    for (j = 0; j < i; j++) assert_memory_not_equal(w[i], w[j], 64);
}

static void uniform_stays_inside(void **state) {
  dppair_rng rng = keyed(3, 0);
  double sum = 0.0, u;
  int i;
  (void)state;
  for (i = 0; i < 20000; i++) {
    assert_int_equal(dppair_rng_uniform_f64(&u, &rng), DPPAIR_OK);
    assert_true(u > 0.0 && u < 1.0);
    sum += u;
  }
  assert_true(fabs(sum / 20000 - 0.5) < 5 * 0.2887 / 141.4);
}

static void a_child_process_may_not_repeat_the_noise(void **state) {
  dppair_rng rng;
  pid_t child;
  int result = 0;
  (void)state;
  assert_int_equal(dppair_rng_from_os(&rng), DPPAIR_OK);
  child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    uint64_t v;
    double x[2] = {1.0, 2.0};
    int ok = dppair_rng_u64(&v, &rng) == DPPAIR_ERR_FORK && v == 0;
    ok &= dppair_add_gaussian_f64(x, 2, 1.0, &rng) == DPPAIR_ERR_FORK;
    ok &= x[0] == 0.0 && x[1] == 0.0;
    _exit(ok ? 0 : 1);
  }
  assert_int_equal(waitpid(child, &result, 0), child);
  assert_true(WIFEXITED(result) && WEXITSTATUS(result) == 0);
}

/* Two precisions of the wide integers must agree: the narrower enclosure contains the wider one. */
static void enclosures_are_nested(void **state) {
  dppair_rng rng = keyed(11, 0);
  int i;
  (void)state;
  for (i = 0; i < SCALED(3000); i++) {
    dppair_string_ u, t;
    dppair_range_ z4, z12;
    dppair_fix_ cut;
    int n4, n12;
    unsigned j;
    u.rng = t.rng = &rng;
    u.block = (uint64_t)i;
    t.block = u.block + 1000000;
    u.lane = t.lane = (unsigned)i % 16;
    assert_int_equal(dppair_gaussian_exact_(&z4, &n4, &u, &t, (unsigned)i & 1, 4), DPPAIR_OK);
    assert_int_equal(dppair_gaussian_exact_(&z12, &n12, &u, &t, (unsigned)i & 1, 12), DPPAIR_OK);
    assert_int_equal(n4, n12);
    memset(&cut, 0, sizeof cut);
    for (j = 0; j < 6; j++) cut.w[j] = z12.lo.w[j + 8];
    assert_int_equal(dppair_fix_sub_(&cut, &cut, &z4.lo, 4), 0);
    for (j = 0; j < 6; j++) cut.w[j] = z12.hi.w[j + 8];
    assert_int_equal(dppair_fix_sub_(&cut, &z4.hi, &cut, 4), 0);
    (void)dppair_fix_sub_(&cut, &z4.hi, &z4.lo, 4);
    for (j = 2; j < 6; j++) assert_int_equal(cut.w[j], 0); /* and it is narrow */
  }
}

/* The double level never disagrees with the wide integers, on grids fine enough to meet them. */
static void releases_are_exactly_rounded(void **state) {
  static const int ratios[] = {0, 10, 24, 40};
  unsigned r, i;
  (void)state;
  for (r = 0; r < 4; r++) {
    dppair_rng rng = keyed(21, r), gaussian = rng;
    double x[SCALED(3200) + 8], y[SCALED(3200) + 8], sigma = 1.7, g = ldexp(1.0, -ratios[r]);
    unsigned n = sizeof x / sizeof *x;
    for (i = 0; i < n; i++)
      y[i] = x[i] = ldexp((double)i - 700.3, (int)(i % 40) - 20 - ratios[r] / 2);
    assert_int_equal(dppair_add_gaussian_f64_grid(y, n, sigma, ratios[r], &gaussian), DPPAIR_OK);
    for (i = 0; i < n; i++) {
      dppair_string_ u, t;
      dppair_range_ z;
      double whole, rest, k;
      int negative;
      u.rng = t.rng = &rng;
      u.block = 2 * (i / 32);
      t.block = u.block + 1;
      u.lane = t.lane = i % 16;
      assert_int_equal(dppair_split_(&whole, &rest, x[i], -ratios[r]), DPPAIR_OK);
      assert_int_equal(dppair_gaussian_exact_(&z, &negative, &u, &t, i % 32 / 16, 8), DPPAIR_OK);
      assert_true(dppair_round_exact_(&k, rest, sigma / g, &z, negative, 8));
      assert_true(y[i] == (whole + k) * g);
    }
  }
}

static void moments(const double *x, size_t n, double out[4]) {
  size_t i;
  unsigned j;
  for (j = 0; j < 4; j++) out[j] = 0.0;
  for (i = 0; i < n; i++) {
    double p = 1.0;
    for (j = 0; j < 4; j++) out[j] += (p *= x[i]) / (double)n;
  }
}

static void noise_has_its_moments(void **state) {
  const size_t n = SCALED(400000);
  double *x = (double *)calloc(n, sizeof *x), m[4], root = sqrt((double)n);
  dppair_rng rng = keyed(31, 0);
  (void)state;
  assert_int_equal(dppair_add_gaussian_f64(x, n, 1.0, &rng), DPPAIR_OK);
  moments(x, n, m);
  assert_true(fabs(m[0]) < 5 / root && fabs(m[1] - 1) < 5 * sqrt(2.0) / root);
  assert_true(fabs(m[2]) < 5 * sqrt(15.0) / root && fabs(m[3] - 3) < 5 * sqrt(96.0) / root);
  memset(x, 0, n * sizeof *x);
  assert_int_equal(dppair_add_laplace_f64(x, n, 1.0, &rng), DPPAIR_OK);
  moments(x, n, m);
  assert_true(fabs(m[0]) < 5 * sqrt(2.0) / root && fabs(m[1] - 2) < 5 * sqrt(20.0) / root);
  assert_true(fabs(m[2]) < 5 * sqrt(720.0) / root && fabs(m[3] - 24) < 5 * sqrt(39744.0) / root);
  free(x);
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
      assert_int_equal(dppair_l2_exact_(&k, 0.0, ldexp(scale, -exponent), (unsigned)i % 32, &l2, n,
                                        &start, 0, 2 * (i / 32)),
                       DPPAIR_OK);
      assert_true(x[i] == ldexp(k, exponent));
    }
  }
}

static void output_lies_on_the_grid_and_is_never_minus_zero(void **state) {
  dppair_rng rng = keyed(61, 0);
  double x[4096];
  float f[4096];
  unsigned i;
  (void)state;
  for (i = 0; i < 4096; i++) x[i] = 0.1 * i, f[i] = 0.1f * (float)i;
  assert_int_equal(dppair_add_gaussian_f64_grid(x, 4096, 1.5, 3, &rng), DPPAIR_OK);
  for (i = 0; i < 4096; i++) assert_true(x[i] * 8 == rint(x[i] * 8));
  assert_int_equal(dppair_add_gaussian_f32_grid(f, 4096, 1.5, 3, &rng), DPPAIR_OK);
  for (i = 0; i < 4096; i++) assert_true(f[i] * 8 == rintf(f[i] * 8));
  memset(x, 0, sizeof x);
  assert_int_equal(dppair_add_laplace_f64_grid(x, 4096, 1.0, 0, &rng), DPPAIR_OK);
  for (i = 0; i < 4096; i++) assert_false(x[i] == 0.0 && signbit(x[i]));
}

static void parts_give_the_bits_of_the_whole(void **state) {
  dppair_rng rng = keyed(71, 9), part;
  double whole[500] = {0.0}, split[500] = {0.0};
  (void)state;
  assert_int_equal(dppair_rng_seek(&rng, 100), DPPAIR_OK);
  part = rng;
  assert_int_equal(dppair_add_gaussian_f64(whole, 500, 2.0, &rng), DPPAIR_OK);
  assert_int_equal(dppair_rng_seek(&part, 100 + 2 * 5), DPPAIR_OK);
  assert_int_equal(dppair_add_gaussian_f64(split + 160, 340, 2.0, &part), DPPAIR_OK);
  assert_int_equal(dppair_rng_seek(&part, 100), DPPAIR_OK);
  assert_int_equal(dppair_add_gaussian_f64(split, 160, 2.0, &part), DPPAIR_OK);
  assert_memory_equal(whole, split, sizeof whole);
}

static void every_error_leaves_zeros(void **state) {
  static const double bad_scale[] = {0.0, -1.0, 1e-300, 1e300};
  dppair_rng rng = keyed(81, 0), dead;
  double x[3];
  float f[3];
  unsigned i;
  (void)state;
#define FAILS(expected, array, call)                                                               \
  do {                                                                                             \
    array[0] = array[1] = 1;                                                                       \
    assert_int_equal(call, expected);                                                              \
    assert_true(array[0] == 0 && array[1] == 0 && array[2] == 0);                                  \
  } while (0)
  x[2] = 1.0, f[2] = 1.0f;
  for (i = 0; i < 4; i++) {
    FAILS(DPPAIR_ERR_SIGMA, x, dppair_add_gaussian_f64(x, 3, bad_scale[i], &rng));
    FAILS(DPPAIR_ERR_SIGMA, x, dppair_add_laplace_f64(x, 3, bad_scale[i], &rng));
    FAILS(DPPAIR_ERR_SIGMA, x, dppair_add_l2ball_f64(x, 3, bad_scale[i], &rng));
    FAILS(DPPAIR_ERR_SIGMA, f, dppair_add_gaussian_f32(f, 3, bad_scale[i], &rng));
    FAILS(DPPAIR_ERR_SIGMA, f, dppair_add_laplace_f32(f, 3, bad_scale[i], &rng));
  }
  FAILS(DPPAIR_ERR_SIGMA, x, dppair_add_gaussian_f64(x, 3, (double)NAN, &rng));
  FAILS(DPPAIR_ERR_SIGMA, x, dppair_add_gaussian_f64(x, 3, (double)INFINITY, &rng));
  FAILS(DPPAIR_ERR_DOMAIN, x, dppair_add_gaussian_f64_grid(x, 3, 1.0, 41, &rng));
  FAILS(DPPAIR_ERR_DOMAIN, x, dppair_add_gaussian_f64_grid(x, 3, 1.0, -1, &rng));
  FAILS(DPPAIR_ERR_NULL, x, dppair_add_gaussian_f64(x, 3, 1.0, NULL));
  memset(&dead, 0, sizeof dead);
  FAILS(DPPAIR_ERR_CIPHER, x, dppair_add_laplace_f64(x, 3, 1.0, &dead));
  x[2] = (double)NAN, f[2] = NAN;
  FAILS(DPPAIR_ERR_NOT_FINITE, x, dppair_add_gaussian_f64(x, 3, 1.0, &rng));
  FAILS(DPPAIR_ERR_NOT_FINITE, f, dppair_add_gaussian_f32(f, 3, 1.0, &rng));
  x[2] = -(double)INFINITY;
  FAILS(DPPAIR_ERR_NOT_FINITE, x, dppair_add_l2ball_f64(x, 3, 1.0, &rng));
  x[2] = 1e30;
  FAILS(DPPAIR_ERR_OVERFLOW, x, dppair_add_laplace_f64(x, 3, 1.0, &rng));
  assert_int_equal(dppair_rng_seek(&rng, DPPAIR_RNG_BLOCKS_ - 1), DPPAIR_OK);
  FAILS(DPPAIR_ERR_EXHAUSTED, x, dppair_add_laplace_f64(x, 3, 1.0, &rng));
  assert_int_equal(dppair_add_gaussian_f64(NULL, 3, 1.0, &rng), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_rng_from_key(&rng, NULL, 0), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_rng_from_key(NULL, NULL, 0), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_rng_from_os(NULL), DPPAIR_ERR_NULL);
#undef FAILS
}

static void wiping_wipes(void **state) {
  dppair_rng rng = keyed(91, 3);
  const unsigned char *bytes = (const unsigned char *)&rng;
  size_t i;
  (void)state;
  dppair_wipe(&rng, sizeof rng);
  for (i = 0; i < sizeof rng; i++) assert_int_equal(bytes[i], 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chacha20_block_of_the_rfc),
      cmocka_unit_test(bytes_are_the_blocks_in_order),
      cmocka_unit_test(levels_streams_and_keys_differ),
      cmocka_unit_test(uniform_stays_inside),
      cmocka_unit_test(a_child_process_may_not_repeat_the_noise),
      cmocka_unit_test(enclosures_are_nested),
      cmocka_unit_test(releases_are_exactly_rounded),
      cmocka_unit_test(noise_has_its_moments),
      cmocka_unit_test(l2_noise_has_its_length),
      cmocka_unit_test(l2_noise_is_exactly_rounded),
      cmocka_unit_test(output_lies_on_the_grid_and_is_never_minus_zero),
      cmocka_unit_test(parts_give_the_bits_of_the_whole),
      cmocka_unit_test(every_error_leaves_zeros),
      cmocka_unit_test(wiping_wipes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
