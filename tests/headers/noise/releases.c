/* SPDX-License-Identifier: MIT */
/* The generator and the safe releases: known vectors, exactness, misuse. */
#include "tests.h"

#include <sys/wait.h>

#include "dppair_noise.h"

#define SCALED(n) (BRIEF ? (n) / 10 : (n))

static dppair_rng keyed(unsigned char first, uint64_t stream) {
  dppair_rng rng;
  uint8_t key[32];
  unsigned i;
  for (i = 0; i < 32; i++) key[i] = (uint8_t)(first + i);
  assert_int_equal(dppair_rng_from_key(&rng, key, stream), DPPAIR_OK);
  return rng;
}

static dppair_rng keyed_aes(unsigned char first, uint64_t stream, int aes) {
  dppair_rng rng = keyed(first, stream);
  uint8_t key[32];
  unsigned i;
  for (i = 0; i < 32; i++) key[i] = (uint8_t)(first + i);
  if (aes) assert_int_equal(dppair_rng_from_key_aes256(&rng, key, stream), DPPAIR_OK);
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

static void from_hex(uint8_t *out, const char *hex) {
  for (; hex[0] && hex[1]; hex += 2) {
    char digits[3] = {hex[0], hex[1], 0};
    *out++ = (uint8_t)strtoul(digits, NULL, 16);
  }
}

/* NIST SP 800-38A, F.5.5 CTR-AES256: the stream is the encrypted counters, by software and
 * hardware. */
static void aes256_counter_mode_of_nist(void **state) {
  uint8_t key[32], counters[64], plain[64], cipher[64];
  dppair_rng rng;
  unsigned i;
  (void)state;
  from_hex(key, "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");
  from_hex(counters, "f0f1f2f3f4f5f6f7f8f9fafbfcfdfefff0f1f2f3f4f5f6f7f8f9fafbfcfdff00"
                     "f0f1f2f3f4f5f6f7f8f9fafbfcfdff01f0f1f2f3f4f5f6f7f8f9fafbfcfdff02");
  from_hex(plain, "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                  "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710");
  from_hex(cipher, "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
                   "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6");
  assert_int_equal(dppair_rng_from_key_aes256(&rng, key, 0), DPPAIR_OK);
  dppair_aes256_encrypt4_(counters, rng.key);
  for (i = 0; i < 64; i++) assert_int_equal(counters[i] ^ plain[i], cipher[i]);
}

/* RFC 8439, section 2.4.2: the stream of a key and nonce, through the tiers that are wide. Word 13
 * holds level and high counter bits, so the nonce 00..00 4a 00..00 is stream 0x4a000000. */
static void chacha20_stream_of_the_rfc(void **state) {
  static const uint8_t expected[32] = {0x22, 0x4f, 0x51, 0xf3, 0x40, 0x1b, 0xd9, 0xe1,
                                       0x2f, 0xde, 0x27, 0x6f, 0xb8, 0x63, 0x1d, 0xed,
                                       0x8c, 0x13, 0x1f, 0x82, 0x3d, 0x2c, 0x06, 0xe2,
                                       0x7e, 0x4f, 0xca, 0xec, 0x9e, 0xf3, 0xcf, 0x78};
  dppair_rng rng = keyed(0, 0x4a000000);
  int tier;
  (void)state;
  for (tier = 0; tier <= dppair_tier(); tier++) {
    uint32_t words[16 * 17];
    uint8_t bytes[32];
    dppair_keystream_row_(words, &rng, 0, 1, 17, tier);
    dppair_words_to_bytes_(bytes, words, 8);
    assert_memory_equal(bytes, expected, 32);
  }
}

/* Rows and single units of every tier are the portable blocks, also across 2^32 blocks. */
static void every_tier_makes_the_same_stream(void **state) {
  static const uint64_t starts[] = {0, 5, (UINT64_C(1) << 32) - 9, UINT64_C(0x3ffffffffffff0)};
  unsigned s, level;
  int aes, tier;
  size_t i;
  (void)state;
  for (aes = 0; aes < 2; aes++)
    for (s = 0; s < 4; s++)
      for (level = 0; level < 200; level += 199)
        for (tier = 0; tier <= dppair_tier(); tier++) {
          dppair_rng rng = keyed_aes(9, UINT64_C(0x0123456789abcdef), aes);
          uint32_t row[16 * 15], units[4 * 21], block[16];
          uint64_t at[21];
          dppair_keystream_row_(row, &rng, level, starts[s], 15, tier);
          for (i = 0; i < 21; i++) at[i] = 4 * starts[s] + i * 37 % 60;
          dppair_keystream_units_(units, &rng, level, at, 21, tier);
          for (i = 0; i < 15; i++) {
            dppair_keystream_(block, &rng, level, starts[s] + i);
            assert_memory_equal(row + 16 * i, block, 64);
          }
          for (i = 0; i < 21; i++) assert_memory_equal(units + 4 * i, row + 4 * (i * 37 % 60), 16);
        }
}

static void parts_are_independent_generators(void **state) {
  dppair_rng rng = keyed(5, 2), part[3];
  uint8_t a[3][64];
  unsigned i;
  (void)state;
  for (i = 0; i < 3; i++) {
    assert_int_equal(dppair_rng_split(&part[i], i / 2, &rng), DPPAIR_OK);
    assert_int_equal(dppair_rng_bytes(a[i], 64, &part[i]), DPPAIR_OK);
    assert_int_equal(dppair_rng_bytes(a[i], 64, &rng), DPPAIR_OK); /* position does not matter */
    assert_int_equal(dppair_rng_seek(&part[i], 0), DPPAIR_OK);
    assert_int_equal(dppair_rng_bytes(a[i], 64, &part[i]), DPPAIR_OK);
  }
  assert_memory_equal(a[0], a[1], 64);
  assert_memory_not_equal(a[0], a[2], 64);
  assert_int_equal(dppair_rng_split(&rng, 0, &rng), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_rng_split(&part[0], DPPAIR_RNG_BLOCKS_, &rng), DPPAIR_ERR_EXHAUSTED);
}

/* With erasure the old key is gone after a call, and the output is still a function of the key. */
static void erasure_forgets_the_key(void **state) {
  int aes;
  (void)state;
  for (aes = 0; aes < 2; aes++) {
    dppair_rng rng = keyed_aes(6, 1, aes), again, before;
    double x[2][40];
    uint8_t b[2][10];
    unsigned i;
    assert_int_equal(dppair_rng_set_erasure(&rng, 1), DPPAIR_OK);
    again = before = rng;
    for (i = 0; i < 2; i++) {
      dppair_rng *r = i ? &again : &rng;
      memset(x[i], 0, sizeof x[i]);
      assert_int_equal(dppair_add_gaussian_f64(x[i], 40, 1.0, r), DPPAIR_OK);
      assert_memory_not_equal(r->key, before.key, 32);
      assert_int_equal(dppair_rng_bytes(b[i], 10, r), DPPAIR_OK);
      assert_memory_equal(r->buffer, "\0\0\0\0\0\0\0\0\0", 10);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    assert_memory_equal(b[0], b[1], sizeof b[0]);
    memset(x[1], 0, sizeof x[1]); /* the first call gives what it gives without erasure */
    before.erase = 0;
    assert_int_equal(dppair_add_gaussian_f64(x[1], 40, 1.0, &before), DPPAIR_OK);
    assert_memory_equal(x[0], x[1], sizeof x[0]);
  }
}

static void a_saved_generator_replays(void **state) {
  int aes;
  (void)state;
  for (aes = 0; aes < 2; aes++) {
    dppair_rng rng = keyed_aes(8, 77, aes), back;
    uint8_t saved[DPPAIR_RNG_SAVED_SIZE], copy[DPPAIR_RNG_SAVED_SIZE], a[200], b[200];
    unsigned i;
    assert_int_equal(dppair_rng_bytes(a, 100, &rng), DPPAIR_OK);
    assert_int_equal(dppair_rng_save(saved, &rng), DPPAIR_OK);
    assert_int_equal(dppair_rng_restore(&back, saved), DPPAIR_OK);
    assert_int_equal(dppair_rng_bytes(a, 200, &rng), DPPAIR_OK);
    assert_int_equal(dppair_rng_bytes(b, 200, &back), DPPAIR_OK);
    assert_memory_equal(a, b, 200);
    for (i = 0; i < DPPAIR_RNG_SAVED_SIZE; i++) {
      memcpy(copy, saved, sizeof copy);
      copy[i] ^= 1;
      assert_int_equal(dppair_rng_restore(&back, copy), DPPAIR_ERR_FORMAT);
      assert_int_equal(dppair_rng_bytes(b, 1, &back), DPPAIR_ERR_CIPHER);
    }
  }
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

static void uniform_numbers_stay_inside_their_interval(void **state) {
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

/* The lower end of an enclosure stops at 0; below it lies nothing that it could enclose. */
static void lower_ends_stop_at_zero(void **state) {
  static const dppair_fix_ zero;
  dppair_fix_ a, r;
  (void)state;
  for (unsigned places = 4; places <= 12; places += 4)
    for (uint32_t have = 0; have < 9; have++) {
      memset(&a, 0, sizeof a);
      a.w[0] = have;
      memset(&r, 0x55, sizeof r);
      dppair_fix_down_(&r, &a, 5, places);
      for (unsigned j = 0; j < places + 2; j++)
        assert_int_equal(r.w[j], j == 0 && have > 5 ? have - 5 : zero.w[j]);
    }
}

static void *offset(void *x, size_t i, int narrow) {
  return narrow ? (void *)((float *)x + i) : (void *)((double *)x + i);
}

/* No level ever disagrees with the wide integers, on grids coarse and fine, on x large and small.
 */
static void releases_are_exactly_rounded(void **state) {
  static const int ratios[] = {0, 10, 12, 24, 40};
  enum { N = SCALED(3200) + 8 };
  unsigned r, i;
  int law;
  (void)state;
  for (law = 0; law < 2; law++)
    for (r = 0; r < 5; r++) {
      dppair_rng rng = keyed(21, r), start = rng;
      double x[N], y[N];
      dppair_plan_ plan;
      assert_int_equal(dppair_plan_make_(&plan, 1.7, 0, ratios[r], law, 0), DPPAIR_OK);
      for (i = 0; i < N; i++) { /* every seventh is the largest number that is allowed */
        y[i] = x[i] = ldexp((double)i - 700.3, (int)(i % 40) - 20 - ratios[r] / 2);
        if (i % 7 == 3) y[i] = x[i] = (i & 1 ? 1 - 0x1p51 : 0x1p51 - 1) * plan.g;
      }
      assert_int_equal(dppair_release_at_(y, N, 0, 1.7, ratios[r], law, dppair_tier(), &rng), 0);
      for (i = 0; i < N; i++) {
        assert_int_equal(dppair_last_level_in_place_(x, i, 0, &start, 0, &plan), DPPAIR_OK);
        assert_true(x[i] == y[i]);
      }
    }
}

/* Each public adder is one law, one type and one grid: the bits are those of the levels below. */
static void public_adders_are_their_law_type_and_grid(void **state) {
  enum { N = 100 };
  (void)state;
  for (int law = 0; law < 2; law++)
    for (int narrow = 0; narrow < 2; narrow++)
      for (int grid = 0; grid < 2; grid++) {
        const int gaussian = law == DPPAIR_NOISE_GAUSSIAN_, k = grid ? 13 : DPPAIR_GRID_DEFAULT;
        dppair_rng rng = keyed(22, 0), same = rng;
        double x[N], y[N];
        float f[N], g[N];
        dppair_status status;
        for (int i = 0; i < N; i++) y[i] = x[i] = (double)(g[i] = f[i] = (float)i / 3);
        if (narrow)
          status =
              grid ? (gaussian ? dppair_add_gaussian_f32_grid
                               : dppair_add_laplace_f32_grid)(f, N, 1.7, k, &rng)
                   : (gaussian ? dppair_add_gaussian_f32 : dppair_add_laplace_f32)(f, N, 1.7, &rng);
        else
          status =
              grid ? (gaussian ? dppair_add_gaussian_f64_grid
                               : dppair_add_laplace_f64_grid)(x, N, 1.7, k, &rng)
                   : (gaussian ? dppair_add_gaussian_f64 : dppair_add_laplace_f64)(x, N, 1.7, &rng);
        assert_int_equal(status, DPPAIR_OK);
        assert_int_equal(dppair_release_at_(narrow ? (void *)g : (void *)y, N, narrow, 1.7, k, law,
                                            dppair_tier(), &same),
                         DPPAIR_OK);
        assert_memory_equal(x, y, sizeof x);
        assert_memory_equal(f, g, sizeof f);
      }
}

static void wiping_zeroes_what_it_was_given(void **state) {
  unsigned char bytes[70];
  (void)state;
  for (size_t n = 0; n <= 64; n++) {
    memset(bytes, 0xa5, sizeof bytes);
    dppair_wipe(bytes + 3, n);
    for (size_t i = 0; i < sizeof bytes; i++)
      assert_int_equal(bytes[i], i >= 3 && i < 3 + n ? 0 : 0xa5);
  }
  dppair_wipe(NULL, 0);
}

/* Every tier gives the same bits, with both ciphers, for double and float, at every length. */
static void tiers_agree_bit_for_bit(void **state) {
  static const int ratios[] = {0, 5, 10, 12, 13, 20, 28, 40};
  enum { N = SCALED(5000) };
  static double x[4][N];
  int r, law, aes, narrow, tier;
  (void)state;
  for (r = 0; r < 8; r++)
    for (law = 0; law < 2; law++)
      for (aes = 0; aes < 2; aes++)
        for (narrow = 0; narrow < 2; narrow++)
          for (tier = 0; tier <= dppair_tier(); tier++) {
            const size_t n = (size_t)(N - 37 * r), width = narrow ? sizeof(float) : sizeof(double);
            dppair_rng rng = keyed_aes((unsigned char)r, 3, aes);
            size_t i;
            for (i = 0; i < n; i++) {
              double v = ldexp((double)i - 300.7, (int)(i % 30) - 20 - ratios[r] / 2);
              if (narrow)
                *(float *)offset(x[tier], i, 1) = (float)v;
              else
                x[tier][i] = v;
            }
            assert_int_equal(
                dppair_release_at_(x[tier], n, narrow, 1.3, ratios[r], law, tier, &rng), DPPAIR_OK);
            assert_memory_equal(x[tier], x[0], n * width);
          }
}

/* Numbers that are too large and numbers that are none in one array: each tier says the same. */
static void tiers_agree_on_the_error(void **state) {
  int narrow, order, tier;
  (void)state;
  for (narrow = 0; narrow < 2; narrow++)
    for (order = 0; order < 2; order++)
      for (tier = 0; tier <= dppair_tier(); tier++) {
        dppair_rng rng = keyed(92, 3);
        double x[40] = {0.0};
        float f[40] = {0.0f};
        x[order ? 2 : 9] = 1e30, x[order ? 9 : 2] = (double)INFINITY;
        f[order ? 2 : 9] = 1e30f, f[order ? 9 : 2] = -INFINITY;
        assert_int_equal(dppair_release_at_(narrow ? (void *)f : (void *)x, 40, narrow, 1.0, 10,
                                            DPPAIR_NOISE_GAUSSIAN_, tier, &rng),
                         DPPAIR_ERR_NOT_FINITE);
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

/* Behind the n numbers nothing is written, whether n fills its last block or not. */
static void noise_is_added_to_n_numbers_alone(void **state) {
  enum { N = 64 };
  size_t n, i;
  int narrow, tier;
  (void)state;
  for (tier = DPPAIR_MIN_TIER; tier <= dppair_tier(); tier++)
    for (narrow = 0; narrow < 2; narrow++)
      for (n = 0; n <= 40; n++) {
        dppair_rng rng = keyed(72, n);
        double x[N];
        float f[N];
        for (i = 0; i < N; i++) x[i] = 7, f[i] = 7;
        assert_int_equal(dppair_release_at_(narrow ? (void *)f : (void *)x, n, narrow, 1, 40,
                                            DPPAIR_NOISE_GAUSSIAN_, tier, &rng),
                         DPPAIR_OK);
        for (i = 0; i < N; i++) assert_true(((narrow ? (double)f[i] : x[i]) == 7) == (i >= n));
      }
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
  FAILS(DPPAIR_ERR_NOT_FINITE, x, dppair_add_laplace_f64(x, 3, 1.0, &rng));
  x[2] = 1e30;
  FAILS(DPPAIR_ERR_OVERFLOW, x, dppair_add_laplace_f64(x, 3, 1.0, &rng));
  assert_int_equal(dppair_rng_seek(&rng, DPPAIR_RNG_BLOCKS_), DPPAIR_OK);
  FAILS(DPPAIR_ERR_EXHAUSTED, x, dppair_add_laplace_f64(x, 3, 1.0, &rng));
  assert_int_equal(dppair_add_gaussian_f64(NULL, 3, 1.0, &rng), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_rng_from_key(&rng, NULL, 0), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_rng_from_key(NULL, NULL, 0), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_rng_from_os(NULL), DPPAIR_ERR_NULL);
#undef FAILS
}

static void a_wiped_generator_is_all_zeros(void **state) {
  dppair_rng rng = keyed(91, 3);
  const unsigned char *bytes = (const unsigned char *)&rng;
  size_t i;
  (void)state;
  dppair_wipe(&rng, sizeof rng);
  for (i = 0; i < sizeof rng; i++) assert_int_equal(bytes[i], 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(chacha20_block_of_the_rfc),
      TEST(aes256_counter_mode_of_nist),
      TEST(chacha20_stream_of_the_rfc),
      TEST(every_tier_makes_the_same_stream),
      TEST(parts_are_independent_generators),
      TEST(erasure_forgets_the_key),
      TEST(a_saved_generator_replays),
      TEST(public_adders_are_their_law_type_and_grid),
      TEST(wiping_zeroes_what_it_was_given),
      TEST(tiers_agree_bit_for_bit),
      TEST(tiers_agree_on_the_error),
      TEST(bytes_are_the_blocks_in_order),
      TEST(levels_streams_and_keys_differ),
      TEST(uniform_numbers_stay_inside_their_interval),
      TEST(a_child_process_may_not_repeat_the_noise),
      TEST(enclosures_are_nested),
      TEST(lower_ends_stop_at_zero),
      TEST(releases_are_exactly_rounded),
      TEST(noise_has_its_moments),
      TEST(output_lies_on_the_grid_and_is_never_minus_zero),
      TEST(noise_is_added_to_n_numbers_alone),
      TEST(parts_give_the_bits_of_the_whole),
      TEST(every_error_leaves_zeros),
      TEST(a_wiped_generator_is_all_zeros),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
