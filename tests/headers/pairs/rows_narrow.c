/* SPDX-License-Identifier: MIT */
/* Rows of 16 and 8 bits: every number, towards 0 and never longer; what all tiers compute with
 * them, against rows of float that hold the same numbers. */
#include "tests.h"

#include "dppair_losses.h"
#include "dppair_scale.h"

#define DPPAIR_ROW bf16
#include "dppair.h"
#undef DPPAIR_ROW
#define DPPAIR_ROW f16
#include "dppair.h"
#undef DPPAIR_ROW
#define DPPAIR_ROW i16
#include "dppair.h"
#undef DPPAIR_ROW
#define DPPAIR_ROW i8
#include "dppair.h"

enum { D = 71, N = 19, TRIALS = BRIEF ? 800 : 2000 };

static int same(const void *a, const void *b, size_t bytes) { return memcmp(a, b, bytes) == 0; }
static int is_zero(const void *p, size_t bytes) {
  const unsigned char *c = p;
  size_t k;
  for (k = 0; k < bytes; k++)
    if (c[k]) return 0;
  return 1;
}

/* What the two formats say of 16 bits. */
static double half_of(uint16_t v) {
  const int e = v >> 10 & 31, m = v & 1023;
  const double size = e == 31  ? (m ? (double)NAN : (double)INFINITY)
                      : e == 0 ? ldexp(m, -24)
                               : ldexp(1024 + m, e - 25);
  return v >> 15 ? -size : size;
}
static double brain_of(uint16_t v) {
  const int e = v >> 7 & 255, m = v & 127;
  const double size = e == 255 ? (m ? (double)NAN : (double)INFINITY)
                      : e == 0 ? ldexp(m, -133)
                               : ldexp(128 + m, e - 134);
  return v >> 15 ? -size : size;
}

/* Is this number v? -0 counts as 0: it was added to 0. */
static int is_number(double got, double v) {
  return isnan(v) ? isnan(got) : !(got < v) && !(got > v);
}

#if DPPAIR_HAVE_SIMD128
#define ON_SIMD128(call, type, args) call##_##type##_simd128 args;
#else
#define ON_SIMD128(call, type, args)
#endif
#define ON_TIER(call, type, tier, args)                                                            \
  switch (tier) {                                                                                  \
    DPPAIR_CASE_AVX512_(call##_##type##_avx512 args)                                               \
    DPPAIR_CASE_AVX2_(call##_##type##_avx2 args)                                                   \
  case DPPAIR_TIER_SIMD128:                                                                        \
    ON_SIMD128(call, type, args)                                                                   \
    break;                                                                                         \
  default:                                                                                         \
    call##_##type##_scalar args;                                                                   \
  }

/* Tiers of this machine that have the same bits. */
static int tier_agrees(int tier) {
#if DPPAIR_X86_
  if (tier == DPPAIR_TIER_SIMD128) return 0;
#endif
  return tier != DPPAIR_TIER_SIMD128 || DPPAIR_HAVE_SIMD128;
}

/* Each of the 2^16, into doubles by combine and into floats by scores, on every tier. */
#define EVERY(type, element, reference)                                                            \
  static void every_##type(void) {                                                                 \
    const float ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};                       \
    const double one = 1;                                                                          \
    int tier, v, k;                                                                                \
    for (tier = 0; tier <= dppair_tier(); tier++) {                                                \
      if (tier == DPPAIR_TIER_SIMD128 && !DPPAIR_HAVE_SIMD128) continue;                           \
      for (v = 0; v < 65536; v += 16) {                                                            \
        element x[16], alone[16 * 16];                                                             \
        double g[16];                                                                              \
        float s[16];                                                                               \
        memset(alone, 0, sizeof alone);                                                            \
        for (k = 0; k < 16; k++) alone[17 * k] = x[k] = (element)(v + k);                          \
        ON_TIER(dppair_combine, type, tier, (g, x, 1, 16, 16, &one, NULL))                         \
        ON_TIER(dppair_scores, type, tier, (s, alone, 16, 16, 16, ones))                           \
        for (k = 0; k < 16; k++) {                                                                 \
          const double number = reference(x[k]);                                                   \
          assert_true(is_number(g[k], number) && is_number((double)s[k], number));                 \
          assert_true(is_number((double)dppair_number_##type##_(x[k]), number));                   \
        }                                                                                          \
        if (v % 256) continue; /* of one column the last numbers of a row */                       \
        ON_TIER(dppair_scores, type, tier, (s, x, 16, 1, 1, ones))                                 \
        for (k = 0; k < 16; k++) assert_true(is_number((double)s[k], reference(x[k])));            \
      }                                                                                            \
    }                                                                                              \
  }
EVERY(bf16, uint16_t, brain_of)
EVERY(f16, uint16_t, half_of)
EVERY(i16, int16_t, (double))
EVERY(i8, int8_t, (double))

static void every_element_becomes_its_number(void **unused) {
  (void)unused;
  every_bf16();
  every_f16();
  every_i16();
  every_i8();
}

/* Whether |a b| <= |c d|, exactly: products of mantissas as sums of two doubles. */
static int not_longer(double a, double b, double c, double d) {
  int ea, eb, ec, ed, by;
  double high, low, other, rest;
  if (!(a != 0) || !(b != 0)) return 1;
  if (!(c != 0) || !(d != 0)) return 0;
  a = frexp(fabs(a), &ea), b = frexp(fabs(b), &eb), c = frexp(fabs(c), &ec);
  d = frexp(fabs(d), &ed);
  by = ea + eb - ec - ed;
  if (by < -3 || by > 3) return by < 0;
  a = ldexp(a, by);
  high = a * b, low = fma(a, b, -high);
  other = c * d, rest = fma(c, d, -other);
  return high < other || (!(high > other) && low <= rest);
}

/* A finite double of any kind. */
static double any_double(int kind) {
  static const double edges[] = {0.0,
                                 -0.0,
                                 5e-324,
                                 2.2250738585072014e-308,
                                 1.7976931348623157e308,
                                 65504,
                                 65519.99,
                                 65536,
                                 6.103515625e-05,
                                 6.097555160522461e-05,
                                 5.9604644775390625e-08,
                                 2.9e-08,
                                 3.3895313892515355e38,
                                 3.4028234663852886e38,
                                 1.1754943508222875e-38,
                                 9.183549615799121e-41,
                                 1.0000000000000002,
                                 0.9999999999999999};
  const double v = kind == 0   ? edges[below(sizeof edges / sizeof *edges)]
                   : kind == 1 ? ldexp(0.5 + uniform(), (int)below(2000) - 1000)
                   : kind == 2 ? ldexp(0.5 + uniform(), (int)below(60) - 30)
                               : ldexp(floor(4096 * uniform()), (int)below(40) - 30);
  return random_bits() & 1 ? -v : v;
}

/* The next element away from 0 is too long, unless there is none. */
static void numbers_are_cut_towards_zero(void **unused) {
  int trial;
  (void)unused;
  for (trial = 0; trial < 20 * TRIALS; trial++) {
    const double v = any_double(trial % 4);
    const uint16_t half = dppair_cut_f16_(v), brain = dppair_cut_bf16_(v);
    assert_true(fabs(half_of(half)) <= fabs(v) && fabs(brain_of(brain)) <= fabs(v));
    assert_true((half >> 15) == (signbit(v) != 0) && (brain >> 15) == (signbit(v) != 0));
    assert_true((half & 0x7fff) == 0x7bff || fabs(half_of((uint16_t)(half + 1))) > fabs(v));
    assert_true((brain & 0x7fff) == 0x7f7f || fabs(brain_of((uint16_t)(brain + 1))) > fabs(v));
  }
}

/* Rows of every size and factor, of which no number grows, and few shrink by more than a step. */
#define QUANTISED(type, element, from_type, real, most, cut)                                       \
  static void quantised_##type##_##from_type(int trial) {                                          \
    real x[2 * D];                                                                                 \
    element q[2 * D];                                                                              \
    double of[2], factor[2], top = 0;                                                              \
    const size_t d = 1 + below(D - 1), ld = d + below(2);                                          \
    const double size = trial % 4 ? 1 : ldexp(1, (int)below(200) - 100);                           \
    dppair_rows_##from_type from = dppair_rows_make_##from_type(x, 2, d, ld);                      \
    dppair_rows_##type rows;                                                                       \
    size_t i, k;                                                                                   \
    int largest = 0;                                                                               \
    from.factor = trial % 3 ? of : NULL;                                                           \
    from.positives = 1;                                                                            \
    from.radius = 7;                                                                               \
    for (i = 0; i < 2; i++) of[i] = trial % 8 == 1 ? fabs(any_double(1)) * 1e-9 : uniform();       \
    if (trial % 64 == 2) of[0] = 0;                                                                \
    for (k = 0; k < 2 * ld; k++) {                                                                 \
      const double v = trial % 5 ? size * normal() : any_double(trial % 3);                        \
      x[k] = (real)(trial % 7 ? v : k < ld ? 0 : -v);                                              \
      if (!isfinite((double)x[k])) x[k] = 0;                                                       \
    }                                                                                              \
    if (dppair_rows_quantise_##type##_##from_type(&rows, q, factor, &from) != DPPAIR_OK) {         \
      assert_true(trial % 8 == 1 || trial % 5 == 0); /* a factor beyond all reason */              \
      assert_true(is_zero(&rows, sizeof rows) && is_zero(factor, sizeof factor));                  \
      assert_true(is_zero(q, 2 * d * sizeof *q));                                                  \
      return;                                                                                      \
    }                                                                                              \
    assert_true(rows.x == q && rows.n == 2 && rows.d == d && rows.ld == d && rows.positives == 1); \
    assert_true(rows.factor == (most || from.factor ? factor : NULL) && !(rows.radius < 7) &&      \
                !(rows.radius > 7));                                                               \
    for (i = 0; i < 2; i++) {                                                                      \
      const double f = from.factor ? of[i] : 1;                                                    \
      for (k = 0, largest = 0, top = 0; k < d; k++) {                                              \
        const double v = (double)x[i * ld + k],                                                    \
                     number = (double)dppair_number_##type##_(q[i * d + k]);                       \
        assert_true(not_longer(factor[i], number, f, v));                                          \
        assert_true(!(number * v < 0));                                                            \
        if (fabs(v) > top) top = fabs(v);                                                          \
        if (fabs(number) > largest) largest = (int)fmin(fabs(number), 1e9);                        \
      }                                                                                            \
      if (!(factor[i] != 0)) {                                                                     \
        assert_true(is_zero(q + i * d, d * sizeof *q));                                            \
        assert_true(!(f * top > 1e-18) || !(f > 1e-19));                                           \
        continue;                                                                                  \
      }                                                                                            \
      if (most) assert_true(largest == most);                                                      \
      for (k = 0; k < d && f * top < 1e300 && f * top > 1e-140; k++) {                             \
        const double v = f * fabs((double)x[i * ld + k]), step = most ? f * top / most : cut * v;  \
        const double held = f * 65504;                                                             \
        const double got = factor[i] * fabs((double)dppair_number_##type##_(q[i * d + k]));        \
        if (most == 0 &&                                                                           \
            (fabs((double)x[i * ld + k]) < 1e-37 || fabs((double)x[i * ld + k]) > 3e38))           \
          continue;                                                                                \
        if (cut < 0.002 && most == 0 && v > held) continue;                                        \
        assert_true(v - got <= step * 1.0000001 + 1.3e-7 * v + (most ? 0 : f * 6e-8));             \
      }                                                                                            \
    }                                                                                              \
  }
QUANTISED(bf16, uint16_t, f32, float, 0, 0.0078125)
QUANTISED(bf16, uint16_t, f64, double, 0, 0.0078125)
QUANTISED(f16, uint16_t, f32, float, 0, 0.0009765625)
QUANTISED(f16, uint16_t, f64, double, 0, 0.0009765625)
QUANTISED(i16, int16_t, f32, float, 32767, 0)
QUANTISED(i16, int16_t, f64, double, 32767, 0)
QUANTISED(i8, int8_t, f32, float, 127, 0)
QUANTISED(i8, int8_t, f64, double, 127, 0)

static void no_quantised_row_is_longer(void **unused) {
  int trial;
  (void)unused;
  for (trial = 0; trial < TRIALS; trial++) {
    quantised_bf16_f32(trial);
    quantised_bf16_f64(trial);
    quantised_f16_f32(trial);
    quantised_f16_f64(trial);
    quantised_i16_f32(trial);
    quantised_i16_f64(trial);
    quantised_i8_f32(trial);
    quantised_i8_f64(trial);
  }
}

/* Clipped rows, so small, so large, of zeros: the norm in long double; a row is quantised by
 * itself.
 */
static void clipped_rows_stay_within_their_radius(void **unused) {
  static const double sizes[] = {1, 1e-3, 1e3, 1e30, 1e-30, 1e-300, 1e300, 0};
  double x[8 * D], factor[8], scale[8], alone;
  int8_t q[8 * D], one[D];
  dppair_rows_f64 from;
  dppair_rows_i8 rows, single;
  int trial;
  size_t i, k;
  (void)unused;
  for (trial = 0; trial < TRIALS / 4; trial++) {
    const size_t d = 1 + below(D - 1);
    const double radius = trial % 2 ? 1 : ldexp(1 + uniform(), (int)below(60) - 30);
    for (i = 0; i < 8; i++)
      for (k = 0; k < d; k++) x[i * d + k] = sizes[i] * (2 * uniform() - 1);
    assert_int_equal(dppair_rows_clip_f64(&from, factor, x, 8, d, d, radius), DPPAIR_OK);
    assert_int_equal(dppair_rows_quantise_i8_f64(&rows, q, scale, &from), DPPAIR_OK);
    for (i = 0; i < 8; i++) {
      long double sum = 0;
      for (k = 0; k < d; k++) {
        const long double v = (long double)scale[i] * q[i * d + k];
        sum += v * v;
      }
      assert_true(sqrtl(sum) <= (long double)radius * (1 + 1e-17L));
      if (i == 0 && radius >= 1) assert_true(scale[i] > 0);
      from = dppair_rows_make_f64(x + i * d, 1, d, d);
      from.factor = factor + i;
      assert_int_equal(dppair_rows_quantise_i8_f64(&single, one, &alone, &from), DPPAIR_OK);
      assert_true(same(one, q + i * d, d) && same(&alone, scale + i, sizeof alone));
    }
  }
}

/* Scores, X^T c and its sum without order of random elements that are finite: on every tier those
 * of rows of float; for any width, distance and place in memory; of a row alone as of eight. */
#define ELEMENTS(type, element)                                                                    \
  static void elements_##type(void) {                                                              \
    static element room[N * (D + 3) + 1];                                                          \
    static float floats[N * (D + 3) + 1];                                                          \
    const size_t d = below(D), ld = d + below(3), n = below(N);                                    \
    element *x = room + below(2);                                                                  \
    dppair_rows_##type rows = dppair_rows_make_##type(x, n, d, ld);                                \
    dppair_rows_f32 like = dppair_rows_make_f32(floats, n, d, ld);                                 \
    double c[N], factor[N], g[D], h[D], radius = 0;                                                \
    uint64_t words[2][2 * D];                                                                      \
    float w[D], s[N], t[N], one;                                                                   \
    size_t i;                                                                                      \
    int tier;                                                                                      \
    for (i = 0; i < n * ld; i++) {                                                                 \
      do /* not every exponent: sums stay finite */                                                \
        x[i] = (element)random_bits();                                                             \
      while (!(fabs((double)dppair_number_##type##_(x[i])) < 1e9));                                \
      floats[i] = dppair_number_##type##_(x[i]);                                                   \
      if (fabs((double)floats[i]) > radius) radius = fabs((double)floats[i]);                      \
    }                                                                                              \
    for (i = 0; i < d; i++) w[i] = (float)normal();                                                \
    for (i = 0; i < n; i++) c[i] = normal(), factor[i] = i % 5 ? uniform() : 0;                    \
    if (n % 2) rows.factor = like.factor = factor;                                                 \
    assert_int_equal(dppair_scores_##type(s, &rows, w), DPPAIR_OK);                                \
    assert_int_equal(dppair_scores_f32(t, &like, w), DPPAIR_OK);                                   \
    assert_true(same(s, t, n * sizeof *s));                                                        \
    assert_int_equal(dppair_combine_##type(g, &rows, c), DPPAIR_OK);                               \
    assert_int_equal(dppair_combine_f32(h, &like, c), DPPAIR_OK);                                  \
    assert_true(same(g, h, d * sizeof *g));                                                        \
    for (tier = 0; tier <= dppair_tier(); tier++) {                                                \
      if (!tier_agrees(tier)) continue;                                                            \
      dppair_scores_f32_scalar(t, floats, n, d, ld, w);                                            \
      ON_TIER(dppair_scores, type, tier, (s, x, n, d, ld, w))                                      \
      assert_true(same(s, t, n * sizeof *s));                                                      \
      for (i = 0; i < n; i++) {                                                                    \
        ON_TIER(dppair_scores, type, tier, (&one, x + i * ld, 1, d, ld, w))                        \
        assert_true(same(s + i, &one, sizeof one));                                                \
      }                                                                                            \
      dppair_combine_f32_scalar(h, floats, n, d, ld, c, like.factor);                              \
      ON_TIER(dppair_combine, type, tier, (g, x, n, d, ld, c, rows.factor))                        \
      assert_true(same(g, h, d * sizeof *g));                                                      \
      memset(words, 0, sizeof words);                                                              \
      dppair_sum_f32_scalar(words[0], floats, n, d, ld, c, like.factor, 1e10, 0.5);                \
      ON_TIER(dppair_sum, type, tier, (words[1], x, n, d, ld, c, rows.factor, 1e10, 0.5))          \
      assert_true(same(words[0], words[1], sizeof words[0]));                                      \
    }                                                                                              \
  }
ELEMENTS(bf16, uint16_t)
ELEMENTS(f16, uint16_t)
ELEMENTS(i16, int16_t)
ELEMENTS(i8, int8_t)

static void every_tier_computes_what_it_does_with_rows_of_float(void **unused) {
  int trial;
  (void)unused;
  for (trial = 0; trial < TRIALS / 8; trial++) {
    elements_bf16();
    elements_f16();
    elements_i16();
    elements_i8();
  }
}

/* Clipping, a batch and a sum without order: those of float. */
#define BLOCKS(type, element)                                                                      \
  static void blocks_##type(void) {                                                                \
    static const size_t index[5] = {6, 0, 2, 6, 5};                                                \
    element x[7 * 4], batch_x[5 * 3];                                                              \
    float floats[7 * 4], like_x[5 * 3], y[7], batch_y[5], like_y[5];                               \
    double f[7], like_f[7], batch_f[5], float_f[5], weight[7], batch_w[5], room[2][16], v[3],      \
        u[3];                                                                                      \
    dppair_rows_##type rows, batch;                                                                \
    dppair_rows_f32 like, like_batch;                                                              \
    dppair_sum sum[2];                                                                             \
    size_t i;                                                                                      \
    for (i = 0; i < 28; i++) {                                                                     \
      do x[i] = (element)random_bits();                                                            \
      while (!(fabs((double)dppair_number_##type##_(x[i])) < 1e9));                                \
      floats[i] = dppair_number_##type##_(x[i]);                                                   \
    }                                                                                              \
    for (i = 0; i < 7; i++) y[i] = (float)i, weight[i] = 0.125 * (double)i;                        \
    assert_int_equal(dppair_rows_clip_##type(&rows, f, x, 7, 3, 4, 50), DPPAIR_OK);                \
    assert_int_equal(dppair_rows_clip_f32(&like, like_f, floats, 7, 3, 4, 50), DPPAIR_OK);         \
    assert_true(same(f, like_f, sizeof f));                                                        \
    rows.y = like.y = y, rows.weight = like.weight = weight, rows.positives = like.positives = 3;  \
    assert_int_equal(dppair_gather_weighted_##type(&batch, batch_x, batch_y, batch_f, batch_w, BATCH_OF(\
                                                   index, 5), &rows),                               \
                     DPPAIR_OK);                                                                   \
    assert_int_equal(dppair_gather_weighted_f32(&like_batch, like_x, like_y, float_f, room[0], BATCH_OF(\
                                                index, 5), &like),                                  \
                     DPPAIR_OK);                                                                   \
    assert_true(batch.positives == 2 && batch.n == 5 && batch.d == 3 && batch.radius >= 50);       \
    assert_true(same(batch_y, like_y, sizeof batch_y) && same(batch_f, float_f, sizeof batch_f));  \
    assert_true(same(batch_w, room[0], sizeof batch_w));                                           \
    for (i = 0; i < 15; i++)                                                                       \
      assert_true(is_number((double)dppair_number_##type##_(batch_x[i]), (double)like_x[i]));      \
    rows.weight = NULL;                                                                            \
    assert_int_equal(dppair_gather_##type(&batch, batch_x, batch_y, batch_f, BATCH_OF(index, 5), &rows),     \
                     DPPAIR_OK);                                                                   \
    assert_true(!batch.weight && batch.factor == batch_f);                                         \
    assert_int_equal(dppair_sum_open(sum, 3, 64, room[0], sizeof room[0]), DPPAIR_OK);             \
    assert_int_equal(dppair_sum_open(sum + 1, 3, 64, room[1], sizeof room[1]), DPPAIR_OK);         \
    assert_int_equal(dppair_sum_combine_##type(sum, &batch, weight), DPPAIR_OK);                   \
    assert_int_equal(dppair_sum_combine_f32(sum + 1, &like_batch, weight), DPPAIR_OK);             \
    assert_int_equal(dppair_sum_value(v, sum), DPPAIR_OK);                                         \
    assert_int_equal(dppair_sum_value(u, sum + 1), DPPAIR_OK);                                     \
    assert_true(same(v, u, sizeof v));                                                             \
  }
BLOCKS(bf16, uint16_t)
BLOCKS(f16, uint16_t)
BLOCKS(i16, int16_t)
BLOCKS(i8, int8_t)

static void clipping_batches_and_sums_are_those_of_float(void **unused) {
  int trial;
  (void)unused;
  for (trial = 0; trial < 20; trial++) {
    blocks_bf16();
    blocks_f16();
    blocks_i16();
    blocks_i8();
  }
}

/* Mistakes leave nothing behind, and no row that was accepted makes a score overflow. */
static void mistakes_are_refused_by_public_numbers_alone(void **unused) {
  float x[6] = {1, 2, 3, -4, 5, -6}, w[2] = {3e38f, 3e38f}, s[3];
  double wide_x[2] = {1e-310, -1e-311}, factor[3], scale[3];
  int16_t q[6];
  uint16_t infinite[2] = {0x7f80, 0}, h[6];
  dppair_rows_f32 from = dppair_rows_make_f32(x, 3, 2, 2);
  dppair_rows_f64 tiny = dppair_rows_make_f64(wide_x, 1, 2, 2);
  dppair_rows_i16 rows;
  dppair_rows_bf16 brain;
  (void)unused;
  assert_int_equal(dppair_rows_quantise_i16_f32(NULL, q, scale, &from), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_rows_quantise_i16_f32(&rows, NULL, scale, &from), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_rows_quantise_i16_f32(&rows, q, NULL, &from), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_rows_quantise_i16_f32(&rows, q, scale, NULL), DPPAIR_ERR_NULL);
  from.ld = 1;
  memset(scale, 1, sizeof scale);
  assert_int_equal(dppair_rows_quantise_i16_f32(&rows, q, scale, &from), DPPAIR_ERR_SIZE);
  assert_true(is_zero(scale, sizeof scale));
  from.ld = 2, from.nulls = 2, scale[1] = scale[2] = 7; /* null records are zeros */
  memset(q, 1, sizeof q);
  assert_int_equal(dppair_rows_quantise_i16_f32(&rows, q, scale, &from), DPPAIR_OK);
  assert_true(scale[0] > 0 && is_zero(scale + 1, 2 * sizeof *scale) && rows.nulls == 2);
  assert_true(q[1] == 32767 && is_zero(q + 2, 4 * sizeof *q));
  from.nulls = 0;
  from.ld = 2, from.n = SIZE_MAX / 4;
  assert_int_equal(dppair_rows_quantise_i16_f32(&rows, q, scale, &from), DPPAIR_ERR_OVERFLOW);
  from.n = 3, x[4] = NAN;
  memset(q, 1, sizeof q);
  assert_int_equal(dppair_rows_quantise_i16_f32(&rows, q, scale, &from), DPPAIR_ERR_NOT_FINITE);
  assert_true(is_zero(q, sizeof q) && is_zero(scale, sizeof scale) && is_zero(&rows, sizeof rows));
  x[4] = 5, factor[0] = factor[1] = 1, factor[2] = (double)INFINITY, from.factor = factor;
  assert_int_equal(dppair_rows_quantise_bf16_f32(&brain, h, scale, &from), DPPAIR_ERR_NOT_FINITE);
  from.n = 0, from.x = NULL, from.factor = NULL;
  assert_int_equal(dppair_rows_quantise_i16_f32(&rows, NULL, NULL, &from), DPPAIR_OK);
  /* a scale that would be too small: a row of zeros */
  assert_int_equal(dppair_rows_quantise_i16_f64(&rows, q, scale, &tiny), DPPAIR_OK);
  assert_true(is_zero(q, 2 * sizeof *q) && !(scale[0] > 0));
  /* the least of numbers with a factor as large as it takes */
  factor[0] = 1e300, tiny.factor = factor;
  assert_int_equal(dppair_rows_quantise_i16_f64(&rows, q, scale, &tiny), DPPAIR_OK);
  assert_true(scale[0] > 0 && q[0] == 32767 && q[1] < 0);
  /* bounds of |w| */
  assert_int_equal(dppair_rows_clip_f32(&from, factor, x, 3, 2, 2, 1e-30), DPPAIR_OK);
  assert_int_equal(dppair_rows_quantise_i16_f32(&rows, q, scale, &from), DPPAIR_OK);
  assert_int_equal(dppair_scores_i16(s, &rows, w), DPPAIR_ERR_OVERFLOW);
  w[0] = w[1] = 6e32f;
  assert_int_equal(dppair_scores_i16(s, &rows, w), DPPAIR_OK);
  assert_int_equal(dppair_rows_clip_bf16(&brain, factor, infinite, 1, 2, 2, 1),
                   DPPAIR_ERR_NOT_FINITE);
  brain = dppair_rows_make_bf16(infinite, 1, 2, 2);
  assert_int_equal(dppair_scores_bf16(s, &brain, w), DPPAIR_ERR_NOT_FINITE);
  assert_true(is_zero(s, sizeof *s));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(every_element_becomes_its_number),
      TEST(numbers_are_cut_towards_zero),
      TEST(no_quantised_row_is_longer),
      TEST(clipped_rows_stay_within_their_radius),
      TEST(every_tier_computes_what_it_does_with_rows_of_float),
      TEST(clipping_batches_and_sums_are_those_of_float),
      TEST(mistakes_are_refused_by_public_numbers_alone),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
