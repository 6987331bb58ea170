/* SPDX-License-Identifier: MIT */
/* Near-linear coefficients in chunks: the same bits for any split and order, exact sums of the
 * slopes of the state but for the rounding that is stated, edges, refusals. */
#include "engine_support.h"
#include "dppair_scale.h"

#define DPPAIR_NAME f64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#define DPPAIR_WEIGHTS 1
#include "dppair.h"

#define DPPAIR_NAME f32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_sigmoid
#include "dppair.h"

enum { MOST = 400 };
static const double cap = 90;
static double s[MOST], c[MOST], c2[MOST], weight[MOST];
static float sf[MOST];
static dppair_fast state[2][3]; /* of f64, f32 */
static void *memory[2][3];

static int prepare(void **unused) {
  int e;
  (void)unused;
  for (e = 0; e < 3; e++) {
    size_t bytes;
    assert_int_equal(f64_sums_workspace(&bytes, MOST, (dppair_accuracy)e, cap, NULL), DPPAIR_OK);
    memory[0][e] = room(bytes);
    assert_int_equal(
        f64_sums_init(&state[0][e], MOST, (dppair_accuracy)e, cap, NULL, memory[0][e], bytes),
        DPPAIR_OK);
    assert_int_equal(f32_sums_workspace(&bytes, MOST, (dppair_accuracy)e, cap, NULL), DPPAIR_OK);
    memory[1][e] = room(bytes);
    assert_int_equal(
        f32_sums_init(&state[1][e], MOST, (dppair_accuracy)e, cap, NULL, memory[1][e], bytes),
        DPPAIR_OK);
  }
  return 0;
}
static int release(void **unused) {
  int e;
  (void)unused;
  for (e = 0; e < 3; e++) {
    free(memory[0][e]);
    free(memory[1][e]);
  }
  return 0;
}

/* Empty moments of a state, in memory that the caller frees. */
static void *open_moments(dppair_sketch *m, const dppair_fast *f, int is_f32) {
  size_t bytes;
  void *work;
  assert_int_equal(f64_sketch_workspace(&bytes, f), DPPAIR_OK);
  work = room(bytes);
  assert_int_equal(is_f32 ? f32_sketch_open(m, f, work, bytes)
                          : f64_sketch_open(m, f, work, bytes),
                   DPPAIR_OK);
  return work;
}

static dppair_status add(dppair_sketch *m, size_t at, size_t n, size_t positives, const double *w,
                         const dppair_fast *f, int is_f32) {
  w = w ? w + at : NULL;
  return is_f32 ? f32_sketch(m, sf + at, n, positives, w, f)
                : f64_sketch(m, s + at, n, positives, w, f);
}
static void finish(dppair_sketch *m, const dppair_fast *f, int is_f32) {
  assert_int_equal(is_f32 ? f32_sketch_finish(m, NULL, f) : f64_sketch_finish(m, NULL, f),
                   DPPAIR_OK);
}
static void coefficients(double *out, size_t at, size_t n, size_t positives, const double *w,
                         const dppair_sketch *m, const dppair_fast *f, int is_f32) {
  w = w ? w + at : NULL;
  assert_int_equal(is_f32 ? f32_coeffs_from_sketch(out, sf + at, n, positives, w, m, f)
                          : f64_coeffs_from_sketch(out, s + at, n, positives, w, m, f),
                   DPPAIR_OK);
}

/* Positives of records at, ..., at + n - 1, if `np` stand first. */
static size_t positives_of(size_t at, size_t n, size_t np) {
  return at >= np ? 0 : np - at < n ? np - at : n;
}

static void fill(int pattern) {
  size_t i;
  fill_scores(s, MOST, pattern);
  if (pattern % 2) s[0] = 200; /* beyond the cap */
  for (i = 0; i < MOST; i++) {
    const double special[6] = {0, 1, -1, 2, (double)NAN, 1e-16};
    sf[i] = (float)s[i];
    weight[i] = i % 3 ? uniform() : special[below(6)];
  }
}

static void any_split_into_chunks_has_the_bits_of_one_call(void **unused) {
  static const size_t sizes[] = {1, 7, 64, 65, 399};
  int trial;
  (void)unused;
  for (trial = 0; trial < 24; trial++) {
    const int is_f32 = trial / 3 % 2;
    const dppair_fast *f = &state[is_f32][trial % 3];
    const size_t np = trial % 5 == 0 ? 0 : trial % 5 == 1 ? MOST : 1 + below(MOST - 1);
    const double *w = trial / 2 % 2 ? weight : NULL;
    dppair_sketch m[2];
    void *work[2];
    size_t k, at, n;
    fill(trial % PATTERNS);
    if (is_f32) {
      assert_int_equal(f32_coeffs_fast(c, c + np, sf, np, sf + np, MOST - np, NULL, f), DPPAIR_OK);
    } else {
      const dppair_options options = {NULL, 0, f, NULL, NULL, 0, NULL};
      assert_int_equal(f64_weighted_coeffs(c, c + np, s, np, s + np, MOST - np, w, &options),
                       DPPAIR_OK);
    }
    if (is_f32 && w) w = NULL; /* without DPPAIR_WEIGHTS */
    for (k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      work[0] = open_moments(&m[0], f, is_f32);
      work[1] = open_moments(&m[1], f, is_f32);
      /* the last chunk first, and each into one of two moments */
      for (at = (MOST - 1) / sizes[k] * sizes[k];; at -= sizes[k]) {
        n = MOST - at < sizes[k] ? MOST - at : sizes[k];
        assert_int_equal(add(&m[random_bits() & 1], at, n, positives_of(at, n, np), w, f, is_f32),
                         DPPAIR_OK);
        if (at == 0) break;
      }
      assert_int_equal(dppair_sketch_add(&m[k % 2], &m[1 - k % 2]), DPPAIR_OK);
      assert_int_equal(m[k % 2].count[0], np);
      assert_int_equal(m[k % 2].count[1], MOST - np);
      finish(&m[k % 2], f, is_f32);
      for (at = 0; at < MOST; at += sizes[k]) {
        n = MOST - at < sizes[k] ? MOST - at : sizes[k];
        coefficients(c2 + at, at, n, positives_of(at, n, np), w, &m[k % 2], f, is_f32);
      }
      for (at = 0; at < MOST; at++) assert_true(!(c[at] < c2[at] || c[at] > c2[at]));
      free(work[0]);
      free(work[1]);
    }
  }
}

/* K(positive, negative) of a state, from its table, in long double. */
static long double slope_of(double up, double down, const dppair_fast *f) {
  const long double x = (long double)(fmax(-cap, fmin(cap, up)) / f->width);
  const long double y = (long double)(fmax(-cap, fmin(cap, down)) / f->width);
  const long double bx = rintl(x), by = rintl(y);
  const int o = (int)(bx - by), p = f->terms, stride = f->stride;
  long double sum = 0, power = 1;
  int k, l;
  if (o > f->reach) return (long double)f->high;
  if (o < -f->reach) return (long double)f->low;
  for (l = 0; l < p; l++) {
    const double *column = f->table + ((o + f->reach) * p + l) * stride;
    long double inner = 0;
    for (k = p - 1; k >= 0; k--) inner = inner * 2 * (x - bx) + (long double)column[k];
    sum += power * inner;
    power *= 2 * (y - by);
  }
  return sum;
}

/* The largest error of a coefficient for these scores, in units of what is stated. */
static double rounding_of(size_t np, size_t n, const double *w, const dppair_fast *f) {
  dppair_sketch m;
  void *work = open_moments(&m, f, 0);
  double worst = 0;
  size_t i, j;
  assert_int_equal(f64_sketch(&m, s, n, np, w, f), DPPAIR_OK);
  assert_int_equal(f64_sketch_finish(&m, NULL, f), DPPAIR_OK);
  assert_int_equal(f64_coeffs_from_sketch(c, s, n, np, w, &m, f), DPPAIR_OK);
  for (i = 0; i < n; i++) {
    const double own = w ? dppair_share_grid_(w[i]) : 1;
    long double sum = 0;
    double partners = 0, mass = 0, error, bound;
    for (j = i < np ? np : 0; j < (i < np ? n : np); j++) {
      const double other = w ? dppair_share_grid_(w[j]) : 1;
      sum += (i < np ? slope_of(s[i], s[j], f) : -slope_of(s[j], s[i], f)) *
             (long double)(own * other);
      partners += own;
      mass += own * other;
    }
    bound = dppair_sketch_rounding_(f, partners, mass);
    error = (double)fabsl((long double)c[i] - sum);
    assert_true(error <= bound);
    assert_true(fabs(c[i]) <= f->slope * mass * (1 + 1e-12) + bound);
    if (bound > 0) worst = fmax(worst, error / bound);
  }
  free(work);
  return worst;
}

static void coefficients_are_exact_sums_but_for_the_stated_rounding(void **unused) {
  double worst = 0;
  int trial;
  (void)unused;
  for (trial = 0; trial < (BRIEF ? 12 : 60); trial++) {
    const dppair_fast *f = &state[0][trial % 3];
    const size_t n = trial % 4 == 0 ? 2 + below(9) : 2 + below(120), np = below(n + 1);
    size_t i;
    fill(trial % PATTERNS);
    if (trial % 2) /* all of a class alike: what rounds, rounds the same way for each */
      for (i = 0; i < n; i++) s[i] = i < np ? s[0] : s[n];
    worst = fmax(worst, rounding_of(np, n, NULL, f));
    worst = fmax(worst, rounding_of(np, n, weight, f));
  }
  assert_true(worst > 0.002); /* the bound counts every rounding at its worst */
}

static void full_boxes_are_counted_exactly_beyond_64_bits(void **unused) {
  enum { RECORDS = 3 * DPPAIR_SKETCH_FLUSH_ + 5 };
  static double same[RECORDS];
  double work_of_state[1 << 15];
  int trial, e;
  (void)unused;
  for (trial = 0; trial < 3; trial++) {
    dppair_sketch m, single;
    dppair_fast f;
    void *work[2];
    size_t i, k, bytes;
    assert_int_equal(f64_sums_workspace(&bytes, UINT64_MAX, DPPAIR_ACCURACY_1E6, 4, NULL),
                     DPPAIR_OK);
    assert_true(bytes <= sizeof work_of_state);
    assert_int_equal(f64_sums_init(&f, UINT64_MAX, DPPAIR_ACCURACY_1E6, 4, NULL, work_of_state,
                                   sizeof work_of_state),
                     DPPAIR_OK);
    work[0] = open_moments(&m, &f, 0);
    work[1] = open_moments(&single, &f, 0);
    /* every power is 1, or 1 and -1 in turn */
    for (i = 0; i < RECORDS; i++) same[i] = trial == 1 ? -1 : 1;
    assert_int_equal(f64_sketch(&m, same, RECORDS, trial == 2 ? 0 : RECORDS, NULL, &f), DPPAIR_OK);
    for (i = 0; i < RECORDS; i++) f64_sketch_block_(&single, same, 1, trial != 2, NULL, &f);
    dppair_sketch_settle_(&single, &f);
    assert_memory_equal(m.words, single.words, m.all * sizeof *m.words);
    for (k = 0; k < (size_t)f.terms; k++) {
      const size_t at = 2 * (dppair_sketch_at_(&m, &f, trial == 2, f.cells / 2) + k);
      const double sum = trial == 1 && k % 2 ? -(double)RECORDS : RECORDS;
      assert_true(!(fabs(dppair_word_value_(m.words + at, DPPAIR_SKETCH_UNIT_) - sum) > 0));
    }
    /* copies of all records: 2^44 times as many partners have coefficients that are as many times
     * larger, to the last bit */
    assert_int_equal(f64_sketch(&m, same, 1, trial == 2, NULL, &f), DPPAIR_OK);
    dppair_sketch_clear_(&single, &f, single.words);
    assert_int_equal(dppair_sketch_add(&single, &m), DPPAIR_OK);
    for (e = 0; e < 44; e++) assert_int_equal(dppair_sketch_add(&m, &m), DPPAIR_OK);
    assert_int_equal(f64_sketch_finish(&m, NULL, &f), DPPAIR_OK);
    assert_int_equal(f64_sketch_finish(&single, NULL, &f), DPPAIR_OK);
    for (k = 0; k < 2; k++) {
      assert_int_equal(f64_coeffs_from_sketch(c, same, 1, k, NULL, &m, &f), DPPAIR_OK);
      assert_int_equal(f64_coeffs_from_sketch(c2, same, 1, k, NULL, &single, &f), DPPAIR_OK);
      assert_true(!(fabs(c[0] - ldexp(c2[0], 44)) > 0));
    }
    free(work[0]);
    free(work[1]);
  }
}

static void empty_chunks_and_single_records_are_records_like_others(void **unused) {
  const dppair_fast *f = &state[0][2];
  dppair_sketch m;
  void *work;
  (void)unused;
  for (int trial = 0; trial < 4; trial++) {
    const size_t np = (size_t)trial % 2, nn = (size_t)trial / 2;
    s[0] = 0.75;
    s[np] = -1.5;
    s[1] = np ? s[1] : 3;
    work = open_moments(&m, f, 0);
    assert_int_equal(f64_sketch(&m, NULL, 0, 0, NULL, f), DPPAIR_OK);
    assert_int_equal(f64_sketch(&m, s, np + nn, np, NULL, f), DPPAIR_OK);
    assert_int_equal(f64_sketch(&m, s, 0, 0, NULL, f), DPPAIR_OK);
    assert_int_equal(f64_sketch_finish(&m, NULL, f), DPPAIR_OK);
    assert_int_equal(f64_coeffs_from_sketch(NULL, NULL, 0, 0, NULL, &m, f), DPPAIR_OK);
    assert_int_equal(f64_coeffs_from_sketch(c, s, np + nn, np, NULL, &m, f), DPPAIR_OK);
    if (np && nn) {
      assert_true(fabs(c[0] + 1 / (1 + exp(2.25))) < 1e-12);
      assert_true(fabs(c[0] + c[1]) < 1e-14);
    } else {
      for (size_t i = 0; i < np + nn; i++) assert_true(!(fabs(c[i]) > 0));
    }
    free(work);
  }
}

static void what_does_not_fit_is_refused(void **unused) {
  const dppair_fast *f = &state[0][0];
  double memory_of[64];
  dppair_fast plain, old;
  dppair_sketch m, other, none;
  void *work = open_moments(&m, f, 0), *work2 = open_moments(&other, &state[0][1], 0), *work3;
  size_t bytes;
  (void)unused;
  fill(SPREAD);
  memset(&plain, 0, sizeof plain);
  memset(&none, 0, sizeof none);
  assert_int_equal(f64_sums_workspace(NULL, 1, DPPAIR_ACCURACY_1E6, 1, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(f64_sums_workspace(&bytes, 1, DPPAIR_ACCURACY_1E6, 0, NULL), DPPAIR_ERR_DOMAIN);
  assert_int_equal(bytes, 0);
  assert_int_equal(f64_sums_init(&old, 1, DPPAIR_ACCURACY_1E6, 4, NULL, NULL, 9), DPPAIR_ERR_NULL);
  assert_int_equal(
      f64_sums_init(&old, 1, DPPAIR_ACCURACY_1E6, 4, NULL, memory_of, sizeof memory_of),
      DPPAIR_ERR_WORKSPACE);
  assert_int_equal(old.order_free, 0);
  assert_int_equal(f64_sketch_workspace(&bytes, &plain), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(f64_sketch_workspace(NULL, f), DPPAIR_ERR_NULL);
  assert_int_equal(f64_sketch_workspace(&bytes, f), DPPAIR_OK);
  assert_int_equal(f64_sketch_open(&none, &plain, work, bytes), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(f64_sketch_open(&none, f, work2, bytes - 1), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(f64_sketch_open(&none, f, NULL, bytes), DPPAIR_ERR_NULL);
  assert_int_equal(f64_sketch(&none, s, 1, 1, NULL, f), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(f64_sketch(NULL, s, 1, 1, NULL, f), DPPAIR_ERR_NULL);
  assert_int_equal(f64_sketch(&m, NULL, 1, 1, NULL, f), DPPAIR_ERR_NULL);
  assert_int_equal(f64_sketch(&m, s, 1, 2, NULL, f), DPPAIR_ERR_SIZE);
  assert_int_equal(f64_sketch(&m, s, 1, 1, NULL, &state[0][1]), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(f64_sketch(&m, s, MOST, 5, NULL, f), DPPAIR_OK);
  assert_int_equal(f64_sketch(&m, s, 1, 1, NULL, f), DPPAIR_ERR_SIZE); /* more than were said */
  assert_int_equal(dppair_sketch_add(&m, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_sketch_add(&m, &none), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(dppair_sketch_add(&m, &other), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(f64_coeffs_from_sketch(c, s, 3, 1, NULL, &m, f), DPPAIR_ERR_DOMAIN);
  assert_true(!(fabs(c[0]) > 0));
  /* of another w */
  work3 = open_moments(&none, f, 0);
  assert_int_equal(f64_sketch(&none, s, 1, 1, NULL, f), DPPAIR_OK);
  none.digest = 7;
  assert_int_equal(dppair_sketch_add(&none, &m), DPPAIR_ERR_WORKSPACE);
  none.digest = 0;
  /* more records than the state has room for, which came by the words */
  assert_int_equal(dppair_sketch_add(&none, &m), DPPAIR_OK);
  assert_int_equal(f64_sketch_finish(&none, NULL, f), DPPAIR_ERR_SIZE);
  assert_int_equal(f64_sketch_finish(&m, NULL, f), DPPAIR_OK);
  assert_int_equal(f64_sketch_finish(&m, NULL, f), DPPAIR_ERR_DOMAIN);
  assert_int_equal(f64_sketch(&m, s, 0, 0, NULL, f), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_sketch_add(&none, &m), DPPAIR_ERR_DOMAIN);
  s[1] = (double)NAN;
  assert_int_equal(f64_coeffs_from_sketch(c, s, 3, 1, NULL, &m, f), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(f64_coeffs_from_sketch(c, s, 1, 3, NULL, &m, f), DPPAIR_ERR_SIZE);
  assert_int_equal(f64_sketch(&other, s, 3, 1, NULL, &state[0][1]), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(f64_sketch(&other, s + 2, 3, 1, NULL, &state[0][1]), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(f64_sketch_finish(&other, NULL, &state[0][1]), DPPAIR_ERR_WORKSPACE);
  free(work);
  free(work2);
  free(work3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(any_split_into_chunks_has_the_bits_of_one_call),
      TEST(coefficients_are_exact_sums_but_for_the_stated_rounding),
      TEST(full_boxes_are_counted_exactly_beyond_64_bits),
      TEST(empty_chunks_and_single_records_are_records_like_others),
      TEST(what_does_not_fit_is_refused),
  };
  return RUN_TESTS(tests, prepare, release);
}
