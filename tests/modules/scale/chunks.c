/* SPDX-License-Identifier: MIT */
/* Sums of rows are exact sums of rounded addends, whatever their order and split; gradients in
 * chunks have the bits of NAME_gradient; what is charged for the rounding covers it; mistakes are
 * refused. */
#include "dppair_losses.h"
#include "dppair_scale.h"

#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME wide
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#define DPPAIR_NAME narrow
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_sigmoid
#include "dppair.h"

#include "tests.h"
#include "clips.h"

enum { N = 150, D = 37, ROOM = 1 << 18 };
static double x[N * D + 1], factor[N], weight[N], c[N], g[D], h[D], w[D];
static float fx[N * D + 1], fw[D];
static double work[8][ROOM / 8];

#define MUST(call) assert_int_equal(call, DPPAIR_OK)

/* p q/unit rounded to an integer, ties to even. The product as a double never lies on the other
 * side of a half; where it lies on one, its error says on which side the product is. */
static int64_t multiple(double p, double q, double unit) {
  const double product = p * q, error = fma(p, q, -product), near = rint(product / unit);
  const double rest = product / unit - near;
  if (fabs(rest) == 0.5 && error != 0.0)
    return (int64_t)(product / unit + (error > 0 ? 0.5 : -0.5));
  return (int64_t)near;
}

/* Random rows, the first three of them with ties and ends: coefficient times row is a multiple of
 * half a unit, or the bound. */
static void fill(double unit, double most) {
  for (size_t i = 0; i < N; i++) {
    factor[i] = i % 3 ? 1.0 : uniform();
    weight[i] = uniform();
    c[i] = (uniform() - 0.5) * 2 * most;
    for (size_t k = 0; k < D; k++) {
      x[i * D + k] = (uniform() - 0.5) / 8;
      fx[i * D + k] = (float)x[i * D + k];
    }
  }
  for (size_t k = 0; k < D; k++) {
    w[k] = 4 * uniform() - 2;
    fw[k] = (float)w[k];
    x[D + k] = ((double)k + 0.5) * unit / most; /* row 1: halves; row 2: beyond what is allowed */
    fx[D + k] = (float)x[D + k];
  }
  c[1] = most;
  c[2] = 5 * most;
  c[4] = -5 * most;
}

static void sums_are_those_of_rounded_addends_in_any_split(void **unused) {
  const size_t sizes[] = {1, 7, 64, 65, N};
  dppair_sum s;
  (void)unused;
  for (int is_f32 = 0; is_f32 < 2; is_f32++)
    for (size_t d = 1; d <= D; d += d < 9 ? 1 : 14) {
      const double most = 1024, bound = most * 1.0;
      int64_t exact[D] = {0};
      dppair_rows_f64 rows = dppair_rows_make_f64(x, N, d, D);
      dppair_rows_f32 rows32 = dppair_rows_make_f32(fx, N, d, D);
      MUST(dppair_sum_open(&s, d, bound, work[0], ROOM));
      fill(s.unit, most);
      rows.radius = rows32.radius = 1.0;
      rows.factor = rows32.factor = factor;
      for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < d; k++) {
          const double held = c[i] > most ? most : c[i] < -most ? -most : c[i];
          exact[k] +=
              multiple(held * factor[i], is_f32 ? (double)fx[i * D + k] : x[i * D + k], s.unit);
        }
      for (size_t z = 0; z < 5; z++) {
        MUST(dppair_sum_open(&s, d, bound, work[0], ROOM));
        for (size_t end = N; end > 0;) { /* from the last chunk to the first */
          const size_t n = end % sizes[z] ? end % sizes[z] : sizes[z], at = end - n;
          rows.x = x + at * D, rows32.x = fx + at * D;
          rows.factor = rows32.factor = factor + at;
          rows.n = rows32.n = n;
          if (is_f32)
            MUST(dppair_sum_combine_f32(&s, &rows32, c + at));
          else
            MUST(dppair_sum_combine_f64(&s, &rows, c + at));
          end = at;
        }
        assert_true(s.count == N);
        MUST(dppair_sum_value(g, &s));
        for (size_t k = 0; k < d; k++) {
          assert_true(s.words[2 * k] == (uint64_t)exact[k]);
          assert_true(s.words[2 * k + 1] == (exact[k] < 0 ? UINT64_MAX : 0));
          assert_true(g[k] == (double)exact[k] * s.unit);
        }
      }
    }
}

/* The largest error that n rows of d numbers can have: every addend is half a unit above an even
 * multiple. It is most of what is charged for units. */
static void halves_attain_the_bound_of_units(void **unused) {
  dppair_sum s;
  dppair_fast f;
  size_t bytes;
  double factor_, rounding, error = 0, units;
  dppair_rows_f64 rows = dppair_rows_make_f64(x, N, D, D);
  (void)unused;
  MUST(wide_sums_workspace(&bytes, N, DPPAIR_ACCURACY_1E12, 4, NULL));
  assert_true(bytes <= ROOM);
  MUST(wide_sums_init(&f, N, DPPAIR_ACCURACY_1E12, 4, NULL, work[1], ROOM));
  rows.radius = 1.0;
  MUST(dppair_sum_open(&s, D, dppair_sum_bound_(&f, 1.0), work[0], ROOM));
  for (size_t i = 0; i < N; i++) c[i] = 1.0;
  for (size_t i = 0; i < N * D; i++) x[i] = (2.0 * (double)(i % 99) + 0.5) * s.unit;
  MUST(dppair_sum_combine_f64(&s, &rows, c));
  MUST(dppair_sum_value(g, &s));
  for (size_t k = 0; k < D; k++) {
    double sum = 0; /* exact: small multiples of half a unit */
    for (size_t i = 0; i < N; i++) sum += x[i * D + k];
    error += (g[k] - sum) * (g[k] - sum);
  }
  error = sqrt(error);
  units = 2.0 * 1.01 * 0.625 * N * sqrt((double)D) * s.unit;
  MUST(dppair_sums_allowance_(&factor_, &rounding, &f, DBL_EPSILON, D, N, 0, 0, 1, 1));
  assert_true(rounding >= units && rounding <= units * 1.001); /* without pairs units are all */
  assert_true(2 * error <= rounding && 2 * error >= 0.75 * rounding);
}

/* 20000 addends of the whole bound: more than 64 bits. */
static void the_largest_sums_are_exact(void **unused) {
  static double ones[20000], most[20000];
  dppair_rows_f64 rows = dppair_rows_make_f64(ones, 20000, 1, 1);
  dppair_sum s;
  (void)unused;
  for (int i = 0; i < 20000; i++) ones[i] = 1.0, most[i] = -1e300;
  rows.radius = 1.0;
  MUST(dppair_sum_open(&s, 1, nextafter(1.0, 0.0), work[0], ROOM)); /* just below a power of two */
  MUST(dppair_sum_combine_f64(&s, &rows, most));
  MUST(dppair_sum_value(g, &s));
  assert_true(g[0] == -20000.0); /* the bound is an eighth of a unit below 1 */
}

static void integers_carry_and_round_to_nearest_even(void **unused) {
  uint64_t a[6] = {UINT64_MAX, 0, 5, UINT64_MAX, 3, 4}, b[6] = {1, 7, UINT64_MAX - 4, 0, 1, 1};
  const uint64_t least[2] = {0, UINT64_C(1) << 63};
  uint64_t z[2];
  const uint64_t m = (UINT64_C(1) << 52) + 12345;
  (void)unused;
  dppair_words_add(a, b, 2);
  assert_true(a[0] == 0 && a[1] == 8 && a[2] == 0 && a[3] == 0 && a[4] == 3 && a[5] == 4);
  assert_true(dppair_word_value_(least, 0.5) == -ldexp(1, 126)); /* the only one of 128 digits */
  dppair_words_add(NULL, b, 2);
  for (int shift = 0; shift <= 74; shift++)
    for (int what = -2; what <= 2; what++) /* below a half, a half and above of m's last digit */
      for (uint64_t odd = 0; odd < 2; odd++)
        for (int sign = 0; sign < 2; sign++) {
          const uint64_t top = m + odd, half = shift ? UINT64_C(1) << ((shift - 1) % 64) : 0;
          const int up = shift && (what > 0 ? (shift > 1) : what == 0 && (top & 1));
          double expected = ldexp((double)(top + (uint64_t)up), shift - 20);
          if (shift < 2 && what) continue;
          if (shift == 0 && what == 0) expected = ldexp((double)top, -20);
          z[0] = shift < 64 ? top << shift : 0;
          z[1] = shift < 64 ? (shift ? top >> (64 - shift) : 0) : top << (shift - 64);
          if (shift) {
            uint64_t more[2] = {0, 0};
            more[shift - 1 < 64 ? 0 : 1] = half;
            dppair_words_add(z, more, 1);
          }
          dppair_word_add_(z, what < 0 ? UINT64_MAX : (uint64_t)(what > 0));
          if (sign) {
            z[0] = ~z[0] + 1;
            z[1] = ~z[1] + (uint64_t)(z[0] == 0);
          }
          assert_true(dppair_word_value_(z, ldexp(1, -20)) == (sign ? -expected : expected));
        }
}

/* Sums beyond 64 bits, vectors, and which sums may be added. */
static void sums_of_vectors_and_of_others(void **unused) {
  const double v[3] = {1.0, -3.0, 0.1};
  double out[3], wrong[3] = {1, 2, nan("")};
  dppair_sum s, t;
  (void)unused;
  MUST(dppair_sum_open(&s, 3, 2.0, work[0], ROOM));
  MUST(dppair_sum_vector(&s, v));
  assert_true(s.count == 0);
  MUST(dppair_sum_value(out, &s));
  assert_true(out[0] == 1.0 && out[1] == -2.0 && fabs(out[2] - 0.1) <= s.unit / 2);
  for (int k = 0; k < 40; k++) MUST(dppair_sum_add(&s, &s));
  MUST(dppair_sum_value(g, &s));
  for (int k = 0; k < 3; k++) assert_true(g[k] == ldexp(out[k], 40));
  assert_int_equal(dppair_sum_vector(&s, wrong), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_sum_vector(&s, NULL), DPPAIR_ERR_NULL);
  MUST(dppair_sum_open(&t, 2, 2.0, work[1], ROOM));
  assert_int_equal(dppair_sum_add(&s, &t), DPPAIR_ERR_SIZE);
  MUST(dppair_sum_open(&t, 3, 3.0, work[1], ROOM));
  assert_int_equal(dppair_sum_add(&s, &t), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(dppair_sum_add(&s, NULL), DPPAIR_ERR_NULL);
  MUST(dppair_sum_value(h, &s));
  assert_memory_equal(g, h, sizeof out);
}

static void sums_refuse_what_is_not_theirs(void **unused) {
  size_t bytes;
  dppair_sum s;
  dppair_rows_f64 rows = dppair_rows_make_f64(x, 4, 3, 3);
  (void)unused;
  assert_int_equal(dppair_sum_workspace(NULL, 3), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_sum_workspace(&bytes, SIZE_MAX / 8), DPPAIR_ERR_OVERFLOW);
  assert_true(bytes == 0);
  MUST(dppair_sum_workspace(&bytes, 3));
  assert_int_equal(dppair_sum_open(&s, 3, 0.0, work[0], bytes), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_sum_open(&s, 3, nan(""), work[0], bytes), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_sum_open(&s, 3, 1e300, work[0], bytes), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(dppair_sum_open(&s, 3, 1e-300, work[0], bytes), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(dppair_sum_open(&s, 3, 1.0, work[0], bytes - 1), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(dppair_sum_open(&s, 3, 1.0, NULL, bytes), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_sum_combine_f64(&s, &rows, c), DPPAIR_ERR_WORKSPACE); /* not open */
  assert_int_equal(dppair_sum_value(g, &s), DPPAIR_ERR_WORKSPACE);
  MUST(dppair_sum_open(&s, 3, ldexp(1, -890), work[0], bytes));
  MUST(dppair_sum_open(&s, 3, ldexp(1, 890), work[0], bytes));
  MUST(dppair_sum_open(&s, 3, 1.0, work[0], bytes));
  assert_true(s.unit == ldexp(1, -49));
  assert_int_equal(dppair_sum_combine_f64(&s, &rows, c), DPPAIR_ERR_NO_RADIUS); /* no radius */
  rows.radius = 1;
  c[1] = nan("");
  assert_int_equal(dppair_sum_combine_f64(&s, &rows, c), DPPAIR_ERR_NOT_FINITE);
  c[1] = 1;
  rows.d = 2;
  assert_int_equal(dppair_sum_combine_f64(&s, &rows, c), DPPAIR_ERR_SIZE);
  rows.d = 3, rows.x = NULL;
  assert_int_equal(dppair_sum_combine_f64(&s, &rows, c), DPPAIR_ERR_NULL);
  rows.n = 0;
  MUST(dppair_sum_combine_f64(&s, &rows, NULL));
  assert_true(s.count == 0);
  rows.n = 1, rows.x = x; /* a row that is longer than it was promised, or no number: no error */
  x[0] = 1e300, x[1] = nan(""), x[2] = -HUGE_VAL;
  MUST(dppair_sum_combine_f64(&s, &rows, c));
  MUST(dppair_sum_value(g, &s));
  assert_true(fabs(g[0]) < 1e300 && fabs(g[1]) < 1e300 && fabs(g[2]) < 1e300);
}

/* What a gradient in chunks takes. */
typedef struct engine {
  dppair_fast fast;
  dppair_options options;
  dppair_sketch m;
  dppair_sum s;
} engine;
static engine e;

#define ENGINE(name, REAL, ROWS)                                                                   \
  static void name##_prepare(uint64_t most, double radius) {                                       \
    size_t bytes;                                                                                  \
    memset(&e, 0, sizeof e);                                                                       \
    MUST(name##_sums_workspace(&bytes, most, DPPAIR_ACCURACY_1E9, 4, NULL));                       \
    assert_true(bytes <= ROOM);                                                                    \
    MUST(name##_sums_init(&e.fast, most, DPPAIR_ACCURACY_1E9, 4, NULL, work[0], ROOM));            \
    e.options.fast = &e.fast;                                                                         \
    MUST(name##_sketch_open(&e.m, &e.fast, work[1], ROOM));                                       \
    MUST(name##_sum_open(&e.s, D, radius, &e.options, work[2], ROOM));                                \
    MUST(name##_chunk_workspace(&e.options.bytes, D, &e.options));                                       \
    e.options.work = work[3];                                                                         \
  }                                                                                                \
  /* rows[from, to), which may be of one class or none */                                          \
  static ROWS name##_cut(const ROWS *rows, size_t from, size_t to) {                               \
    ROWS cut = *rows;                                                                              \
    const size_t np = rows->positives;                                                             \
    cut.x += from * D;                                                                             \
    cut.n = to - from;                                                                             \
    cut.positives = np > from ? (np < to ? np - from : to - from) : 0;                             \
    cut.factor = rows->factor ? rows->factor + from : NULL;                                        \
    cut.weight = rows->weight ? rows->weight + from : NULL;                                        \
    return cut;                                                                                    \
  }                                                                                                \
  static void name##_agrees(ROWS rows, const REAL *at) {                                           \
    const size_t sizes[] = {1, 7, 64, 65, N};                                                      \
    dppair_sketch other;                                                                          \
    dppair_sum part;                                                                               \
    for (size_t parts = 1; parts < 6; parts += 2) {                                                \
      const dppair_tasks three = {parts, NULL, NULL};                                              \
      dppair_options options = {NULL, 0, NULL, NULL, NULL, 0, NULL};                                     \
      name##_prepare(N + 5, rows.radius);                                                          \
      options.fast = &e.fast;                                                                         \
      options.tasks = &three;                                                                         \
      MUST(name##_workspace(&options.bytes, rows.n, D, &options));                                       \
      options.work = malloc(options.bytes);                                                              \
      MUST(name##_gradient(parts == 1 ? g : h, &rows, at, &options));                                 \
      assert_memory_equal(g, parts == 1 ? g : h, sizeof g);                                        \
      e.fast.loss ^= 1; /* of another loss */                                                      \
      assert_int_equal(name##_gradient(h, &rows, at, &options), DPPAIR_ERR_WORKSPACE);                \
      e.fast.loss ^= 1;                                                                            \
      options.bytes--;                                                                                \
      assert_int_equal(name##_gradient(h, &rows, at, &options), DPPAIR_ERR_WORKSPACE);                \
      free(options.work);                                                                             \
    }                                                                                              \
    for (size_t z = 0; z < 5; z++) {                                                               \
      name##_prepare(N + 5, rows.radius);                                                          \
      for (size_t end = rows.n; end > 0;) {                                                        \
        const size_t n = end < sizes[z] ? end : sizes[z];                                          \
        const ROWS chunk = name##_cut(&rows, end - n, end);                                        \
        MUST(name##_sketch_open(&other, &e.fast, work[4], ROOM));                                 \
        MUST(name##_chunk_sketch(&other, &chunk, at, &e.options));                                   \
        MUST(dppair_sketch_add(&e.m, &other));                                                    \
        end -= n;                                                                                  \
      }                                                                                            \
      MUST(name##_sketch_finish(&e.m, NULL, &e.fast));                                            \
      for (size_t i = 0; i < rows.n; i += sizes[z]) {                                              \
        const ROWS chunk = name##_cut(&rows, i, i + sizes[z] < rows.n ? i + sizes[z] : rows.n);    \
        MUST(name##_sum_open(&part, D, rows.radius, &e.options, work[4], ROOM));                      \
        MUST(name##_chunk_sum(&part, &chunk, at, &e.m, &e.options));                                  \
        MUST(dppair_sum_add(&e.s, &part));                                                         \
      }                                                                                            \
      assert_true(e.s.count == rows.n);                                                            \
      MUST(dppair_sum_value(h, &e.s));                                                             \
      assert_memory_equal(g, h, sizeof g);                                                         \
    }                                                                                              \
  }
ENGINE(wide, double, dppair_rows_f64)
ENGINE(narrow, float, dppair_rows_f32)

static void chunks_have_the_bits_of_the_gradient(void **unused) {
  const size_t counts[] = {0, 1, 2, 65, N};
  (void)unused;
  fill(1e-9, 1);
  for (size_t q = 0; q < 5; q++)
    for (size_t np = 0; np <= counts[q]; np += counts[q] > 2 ? counts[q] / 2 : 1)
      for (int weighted = 0; weighted < 2; weighted++) {
        dppair_rows_f64 rows;
        dppair_rows_f32 rows32;
        MUST(dppair_rows_clip_f64(&rows, factor, x + 1, counts[q], D, D, 0.4));
        rows.positives = np;
        rows.weight = weighted ? weight : NULL;
        wide_agrees(rows, w);
        if (weighted) continue;
        MUST(dppair_rows_clip_f32(&rows32, factor, fx + 1, counts[q], D, D, 0.4));
        rows32.positives = np;
        narrow_agrees(rows32, fw);
      }
}

/* Against sums in long double of the true slopes: within kernel_error a pair and half the rounding
 * that is charged. And a replaced record moves the gradient by no more than the sensitivity. */
static void the_gradient_is_within_what_is_charged(void **unused) {
  dppair_bounds bounds = {1.0, 1.0, 0, 0, 0};
  dppair_sampling all = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  dppair_rows_f64 rows;
  double factor_, rounding, none, normaliser, s, plain, error = 0, moved = 0, before[D];
  long double exact[D] = {0}, score[N];
  (void)unused;
  fill(1e-9, 1);
  MUST(dppair_rows_clip_f64(&rows, factor, x, N, D, D, 1.0));
  rows.positives = N / 3;
  wide_agrees(rows, w);
  MUST(dppair_sums_allowance_(&factor_, &rounding, &e.fast, DBL_EPSILON, D, N, 0.5 * N * N,
                              0.5 * N * N, 1.0, 1.0));
  MUST(dppair_sums_allowance_(&factor_, &none, &e.fast, DBL_EPSILON, D, N, 0, 0, 1.0, 1.0));
  none += 2.02 * (dppair_sketch_rounding_(&e.fast, 0.5 * N * N, 0.5 * N * N) +
                  DBL_EPSILON * 0.5 * N * N); /* of coefficients, and of products with them */
  assert_true(rounding >= none * (1 - 1e-9) && rounding <= none * (1 + 1e-5));
  for (size_t i = 0; i < N; i++) {
    double sum = 0; /* the score as it is computed is what the slope is one of: near enough */
    for (size_t k = 0; k < D; k++) sum += factor[i] * x[i * D + k] * w[k];
    score[i] = (long double)sum;
  }
  for (size_t i = 0; i < N / 3; i++)
    for (size_t j = N / 3; j < N; j++) {
      const long double slope = -1 / (1 + expl(score[i] - score[j]));
      for (size_t k = 0; k < D; k++)
        exact[k] += slope * ((long double)factor[i] * (long double)x[i * D + k] -
                             (long double)factor[j] * (long double)x[j * D + k]);
    }
  for (size_t k = 0; k < D; k++) {
    const double off = (double)((long double)g[k] - exact[k]);
    error += off * off;
  }
  assert_true(sqrt(error) <= rounding / 2 + 2.0 * N * N / 4 * (e.fast.kernel_error + 1e-14));
  MUST(wide_sensitivity(&s, D, &bounds, &all, &e.options));
  MUST(dppair_normaliser(&normaliser, &all, N));
  assert_true(s >= rounding / normaliser);
  memcpy(before, g, sizeof before);
  for (size_t k = 0; k < D; k++) x[N / 2 * D + k] = -w[k]; /* the worst row that there is */
  MUST(dppair_rows_clip_f64(&rows, factor, x, N, D, D, 1.0));
  rows.positives = N / 3;
  wide_agrees(rows, w);
  for (size_t k = 0; k < D; k++) moved += (g[k] - before[k]) * (g[k] - before[k]);
  assert_true(sqrt(moved) / normaliser <= s && sqrt(moved) > 0);
  /* millions of records: sums in double lose more, and it is charged */
  all = dppair_sampling_all(1000000, DPPAIR_REPLACE_ONE);
  wide_prepare(1000000, 1.0);
  MUST(wide_sensitivity(&s, D, &bounds, &all, &e.options));
  bounds.param_radius = HUGE_VAL;
  MUST(wide_sensitivity(&plain, D, &bounds, &all, &e.options));
  assert_true(s < plain && s * 1e6 > 1.0);
  all.n = 1000001;
  assert_int_equal(wide_sensitivity(&s, D, &bounds, &all, &e.options), DPPAIR_ERR_SIZE);
  MUST(wide_allowance(&s, &rounding, &e.fast, 1000000, 1, 1));
  assert_true(plain >= rounding / 1e12 && s > 1.0);
}

/* Each chunk has null records of its own: the sum counts them, beside those that are there. */
static void a_sum_counts_the_null_records_of_all_chunks(void **unused) {
  dppair_rows_f64 rows, part[2];
  (void)unused;
  fill(1e-9, 1);
  MUST(dppair_rows_clip_f64(&rows, factor, x, N, D, D, 1.0));
  rows.positives = N / 3;
  part[0] = wide_cut(&rows, 0, 100), part[0].nulls = 2;
  part[1] = wide_cut(&rows, 100, N), part[1].nulls = 3;
  wide_prepare(N, 1.0);
  for (size_t k = 0; k < 2; k++) MUST(wide_chunk_sketch(&e.m, &part[k], w, &e.options));
  MUST(wide_sketch_finish(&e.m, NULL, &e.fast));
  for (size_t k = 0; k < 2; k++) MUST(wide_chunk_sum(&e.s, &part[k], w, &e.m, &e.options));
  assert_true(e.s.count == N - 5 && e.s.nulls == 5 && e.s.weightless == 0);
}

/* Chunks of two draws are not added: moments and sums are of one. */
static void chunks_of_two_draws_are_refused(void **unused) {
  dppair_rows_f64 rows, part[2];
  dppair_sketch m;
  dppair_sum s;
  (void)unused;
  fill(1e-9, 1);
  MUST(dppair_rows_clip_f64(&rows, factor, x, N, D, D, 1.0));
  rows.positives = N / 3;
  for (size_t k = 0; k < 2; k++) {
    part[k] = wide_cut(&rows, k ? 100 : 0, k ? N : 100);
    part[k].serial = 7;
  }
  wide_prepare(N, 1.0);
  MUST(wide_chunk_sketch(&e.m, &part[0], w, &e.options));
  part[1].serial = 8;
  assert_int_equal(wide_chunk_sketch(&e.m, &part[1], w, &e.options), DPPAIR_ERR_BATCH);
  MUST(wide_sketch_open(&m, &e.fast, work[5], ROOM));
  MUST(wide_chunk_sketch(&m, &part[1], w, &e.options));
  assert_int_equal(dppair_sketch_add(&e.m, &m), DPPAIR_ERR_BATCH);
  part[1].serial = 7;
  MUST(wide_sketch_open(&m, &e.fast, work[5], ROOM));
  MUST(dppair_sketch_add(&m, &e.m)); /* an empty one takes it over */
  assert_true(m.serial == 7);
  MUST(wide_chunk_sketch(&e.m, &part[1], w, &e.options));
  MUST(wide_sketch_finish(&e.m, NULL, &e.fast));
  part[1].serial = 8;
  assert_int_equal(wide_chunk_sum(&e.s, &part[1], w, &e.m, &e.options), DPPAIR_ERR_BATCH);
  part[1].serial = 7;
  MUST(wide_chunk_sum(&e.s, &part[0], w, &e.m, &e.options));
  MUST(wide_sum_open(&s, D, 1.0, &e.options, work[4], ROOM));
  MUST(wide_chunk_sum(&s, &part[1], w, &e.m, &e.options));
  s.serial = 8;
  assert_int_equal(dppair_sum_add(&e.s, &s), DPPAIR_ERR_BATCH);
  s.serial = 7;
  MUST(dppair_sum_add(&e.s, &s));
  assert_true(e.s.serial == 7 && e.s.count == N);
}

static void another_w_state_radius_or_count_is_refused(void **unused) {
  dppair_rows_f64 rows, other;
  dppair_sketch m;
  dppair_fast fast;
  dppair_sum s;
  size_t bytes;
  (void)unused;
  fill(1e-9, 1);
  MUST(dppair_rows_clip_f64(&rows, factor, x, N, D, D, 1.0));
  rows.positives = N / 2;
  other = rows;
  wide_prepare(N, 1.0);
  MUST(wide_chunk_sketch(&e.m, &rows, w, &e.options));
  assert_int_equal(wide_chunk_sum(&e.s, &rows, w, &e.m, &e.options), DPPAIR_ERR_WORKSPACE);
  other.n = 1, other.positives = 0; /* one more than there are */
  assert_int_equal(wide_chunk_sketch(&e.m, &other, w, &e.options), DPPAIR_ERR_SIZE);
  other.radius = 0.5;
  assert_int_equal(wide_chunk_sketch(&e.m, &other, w, &e.options), DPPAIR_ERR_WORKSPACE);
  other.radius = 0;
  assert_int_equal(wide_chunk_sketch(&e.m, &other, w, &e.options), DPPAIR_ERR_NO_RADIUS);
  assert_int_equal(wide_gradient(g, &other, w, &e.options), DPPAIR_ERR_WORKSPACE); /* too little */
  MUST(wide_sketch_finish(&e.m, NULL, &e.fast));
  other = rows;
  assert_int_equal(wide_chunk_sketch(&e.m, &other, w, &e.options), DPPAIR_ERR_WORKSPACE);
  w[3] += 1e-9;
  assert_int_equal(wide_chunk_sum(&e.s, &rows, w, &e.m, &e.options), DPPAIR_ERR_WORKSPACE);
  w[3] -= 1e-9;
  other.radius = 2;
  assert_int_equal(wide_chunk_sum(&e.s, &other, w, &e.m, &e.options), DPPAIR_ERR_WORKSPACE);
  MUST(wide_sum_open(&s, D, 2.0, &e.options, work[4], ROOM));
  assert_int_equal(wide_chunk_sum(&s, &rows, w, &e.m, &e.options), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(dppair_sum_vector(&e.s, w), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(dppair_sum_combine_f64(&e.s, &rows, c), DPPAIR_ERR_WORKSPACE);
  assert_true(dppair_sum_is_fresh_(&e.s));
  MUST(wide_chunk_sum(&e.s, &rows, w, &e.m, &e.options));
  assert_int_equal(wide_chunk_sum(&e.s, &rows, w, &e.m, &e.options), DPPAIR_ERR_SIZE); /* twice */
  /* moments of fewer records are other moments */
  MUST(wide_sketch_open(&m, &e.fast, work[5], ROOM));
  other = rows;
  other.n = N - 1;
  MUST(wide_chunk_sketch(&m, &other, w, &e.options));
  MUST(wide_sketch_finish(&m, NULL, &e.fast));
  assert_int_equal(wide_chunk_sum(&e.s, &other, w, &m, &e.options), DPPAIR_ERR_WORKSPACE);
  /* a state that is not one of sums, groups, a clip */
  fast = e.fast;
  fast.order_free = 0;
  e.options.fast = &fast;
  assert_int_equal(wide_chunk_workspace(&bytes, D, &e.options), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(wide_sum_open(&s, D, 1.0, &e.options, work[4], ROOM), DPPAIR_ERR_WORKSPACE);
  e.options.fast = &e.fast;
  e.options.clip = clip_of(wide_clip_init, 1);
  assert_int_equal(wide_chunk_workspace(&bytes, D, &e.options), DPPAIR_ERR_NO_PROOF);
  e.options.clip = NULL;
  assert_int_equal(wide_sum_open(&s, D, 0.0, &e.options, work[4], ROOM), DPPAIR_ERR_NO_RADIUS);
  /* moments of a smaller state have no room for those of a larger one */
  MUST(wide_sums_init(&fast, N, DPPAIR_ACCURACY_1E6, 1, NULL, work[6], ROOM));
  MUST(wide_sketch_open(&m, &fast, work[5], ROOM));
  other.n = 1, other.positives = 0;
  assert_int_equal(wide_chunk_sketch(&m, &other, w, &e.options), DPPAIR_ERR_WORKSPACE);
  /* nothing is added to itself */
  assert_int_equal(dppair_sum_add(&e.s, &e.s), DPPAIR_ERR_WORKSPACE);
  MUST(wide_sketch_open(&m, &e.fast, work[5], ROOM));
  MUST(wide_chunk_sketch(&m, &other, w, &e.options));
  assert_int_equal(dppair_sketch_add(&m, &m), DPPAIR_ERR_WORKSPACE);
  assert_true(m.count[1] == 1);
  /* a row that nobody clipped and that is no number spoils both */
  x[0] = HUGE_VAL;
  wide_prepare(N, 1.0);
  assert_int_equal(wide_chunk_sketch(&e.m, &rows, w, &e.options), DPPAIR_ERR_NOT_FINITE);
  x[0] = 0;
  assert_int_equal(wide_chunk_sketch(&e.m, &rows, w, &e.options), DPPAIR_ERR_WORKSPACE);
  wide_prepare(N, 1.0);
  MUST(wide_chunk_sketch(&e.m, &rows, w, &e.options));
  MUST(wide_sketch_finish(&e.m, NULL, &e.fast));
  x[0] = HUGE_VAL;
  assert_int_equal(wide_chunk_sum(&e.s, &rows, w, &e.m, &e.options), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_sum_value(g, &e.s), DPPAIR_ERR_WORKSPACE);
}

/* More rows, and more partners, than are added in one go: the sums are those of parts. */
static void sums_of_many_at_once_are_those_of_parts(void **unused) {
  enum { MANY_ROWS = 9000, HALF = 4000, FEW = 3 };
  static double many[MANY_ROWS], share[MANY_ROWS], box_room[40000];
  static float many_f[MANY_ROWS];
  static double b[2][MANY_ROWS];
  double a[FEW], fast_a[FEW], risks[3], high[FEW] = {0.1, -0.4, 0.7};
  dppair_rows_f64 all_rows = dppair_rows_make_f64(many, MANY_ROWS, 1, 1), some = all_rows;
  dppair_rows_f32 all_f = dppair_rows_make_f32(many_f, MANY_ROWS, 1, 1), some_f = all_f;
  dppair_sum sums[4];
  dppair_fast fast;
  (void)unused;
  for (size_t i = 0; i < MANY_ROWS; i++) {
    many_f[i] = (float)(2 * uniform() - 1);
    many[i] = (double)many_f[i];
    share[i] = uniform();
  }
  for (int k = 0; k < 4; k++) {
    static uint64_t words[4][16];
    assert_int_equal(dppair_sum_open(&sums[k], 1, 2, words[k], sizeof words[k]), DPPAIR_OK);
  }
  all_rows.radius = some.radius = all_f.radius = some_f.radius = 1;
  assert_int_equal(dppair_sum_combine_f64(&sums[0], &all_rows, share), DPPAIR_OK);
  assert_int_equal(dppair_sum_combine_f32(&sums[2], &all_f, share), DPPAIR_OK);
  for (size_t from = 0; from < MANY_ROWS; from += 1500) {
    some.x = many + from, some_f.x = many_f + from, some.n = some_f.n = 1500;
    assert_int_equal(dppair_sum_combine_f64(&sums[1], &some, share + from), DPPAIR_OK);
    assert_int_equal(dppair_sum_combine_f32(&sums[3], &some_f, share + from), DPPAIR_OK);
  }
  for (int k = 1; k < 4; k++)
    assert_memory_equal(sums[k].words, sums[0].words, 2 * sizeof(uint64_t));
  assert_int_equal(wide_risk_not_private(&risks[0], high, FEW, many, MANY_ROWS, NULL), DPPAIR_OK);
  assert_int_equal(wide_risk_not_private(&risks[1], high, FEW, many, HALF, NULL), DPPAIR_OK);
  assert_int_equal(wide_risk_not_private(&risks[2], high, FEW, many + HALF, MANY_ROWS - HALF, NULL),
                   DPPAIR_OK);
  assert_true(fabs(risks[0] - risks[1] - risks[2]) < 1e-9 * risks[0]);
  assert_int_equal(wide_fast_init(&fast, MANY_ROWS + FEW, DPPAIR_ACCURACY_1E12, 2, NULL, box_room,
                                  sizeof box_room),
                   DPPAIR_OK);
  assert_int_equal(wide_coeffs(a, b[0], high, FEW, many, MANY_ROWS, NULL), DPPAIR_OK);
  assert_int_equal(wide_coeffs_fast(fast_a, b[1], high, FEW, many, MANY_ROWS, NULL, &fast),
                   DPPAIR_OK);
  for (int k = 0; k < FEW; k++) assert_true(fabs(a[k] - fast_a[k]) < 1e-9 * MANY_ROWS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(sums_are_those_of_rounded_addends_in_any_split),
      TEST(halves_attain_the_bound_of_units),
      TEST(the_largest_sums_are_exact),
      TEST(integers_carry_and_round_to_nearest_even),
      TEST(sums_of_vectors_and_of_others),
      TEST(sums_refuse_what_is_not_theirs),
      TEST(chunks_have_the_bits_of_the_gradient),
      TEST(the_gradient_is_within_what_is_charged),
      TEST(a_sum_counts_the_null_records_of_all_chunks),
      TEST(chunks_of_two_draws_are_refused),
      TEST(another_w_state_radius_or_count_is_refused),
      TEST(sums_of_many_at_once_are_those_of_parts),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
