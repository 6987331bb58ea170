/* SPDX-License-Identifier: MIT */
/* Piecewise linear losses in near-linear time against all pairs in long double; scores, X^T c,
 * whole gradients, explicit pairs, parts; the same bits on every tier. */
#include "engine_support.h"

#define DPPAIR_NAME hinge
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
#define DPPAIR_NAME hinge32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
#define DPPAIR_NAME squared
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_squared_hinge
#include "dppair.h"
#define DPPAIR_NAME smoothed
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_smoothed_hinge
#include "dppair.h"
#define DPPAIR_NAME square
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_square
#include "dppair.h"
#define DPPAIR_NAME ramp
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_ramp
#include "dppair.h"
#define DPPAIR_NAME least
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_least_squares
#include "dppair.h"
#define DPPAIR_NAME absolute
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_absolute
#include "dppair.h"
#define DPPAIR_NAME pinball
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_pinball
#include "dppair.h"
#define DPPAIR_NAME huber
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_huber
#include "dppair.h"
#define DPPAIR_NAME moreau_a
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_moreau_absolute
#include "dppair.h"
#define DPPAIR_NAME moreau_p
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_moreau_pinball
#include "dppair.h"

/* A loss of one's own that announces nothing: the pair loops are all there is. */
#define cauchy_KIND dppair_pairs
#define cauchy_VALUE(u, p) DPV_LOG1P(DPV_MUL(u, u))
#define cauchy_SLOPE(u, p) DPV_DIV(DPV_ADD(u, u), DPV_FMA(u, u, DPV_SET(1)))
#define DPPAIR_NAME robust
#define DPPAIR_REAL double
#define DPPAIR_LOSS cauchy
#include "dppair.h"

#include "clips.h"

enum { MOST = 400 };
static double sp[MOST], sn[MOST], a[MOST], b[MOST], a2[MOST], b2[MOST];
static float fp[MOST], fn[MOST];
static long double ra[MOST], rb[MOST];
static double room_for_fast[9 * MOST + 64];

typedef dppair_status init_fn(dppair_fast *, size_t, dppair_accuracy, double, const double *,
                              double *, size_t);
typedef dppair_status coeffs_fn(double *, double *, const double *, size_t, const double *, size_t,
                                const double *, const dppair_fast *);

/* max(low, min(high, x)) */
static long double held(long double x, long double low, long double high) {
  return x < low ? low : x > high ? high : x;
}
static long double sign(long double u, long double low, long double high) {
  return u < 0 ? low : u > 0 ? high : 0;
}
static long double slope_hinge(long double u, const double *p) { return (void)p, u < 1 ? -1 : 0; }
static long double slope_squared(long double u, const double *p) {
  return (void)p, u < 1 ? 2 * (u - 1) : 0;
}
static long double slope_smoothed(long double u, const double *p) {
  return held((u - 1) / (long double)p[0], -1, 0);
}
static long double slope_square(long double u, const double *p) { return (void)p, 2 * (u - 1); }
static long double slope_ramp(long double u, const double *p) {
  return (void)p, u > 0 && u < 1 ? -1 : 0;
}
static long double slope_least(long double u, const double *p) { return (void)p, 2 * u; }
static long double slope_absolute(long double u, const double *p) {
  return (void)p, sign(u, -1, 1);
}
static long double slope_pinball(long double u, const double *p) {
  return sign(u, (long double)p[0] - 1, (long double)p[0]);
}
static long double slope_huber(long double u, const double *p) {
  return held(u, -(long double)p[0], (long double)p[0]);
}
static long double slope_moreau_a(long double u, const double *p) {
  return held(u / (long double)p[0], -1, 1);
}
static long double slope_moreau_p(long double u, const double *p) {
  return held(u / (long double)p[1], (long double)p[0] - 1, (long double)p[0]);
}

#define WRAP(name)                                                                                 \
  static dppair_status name##_init(dppair_fast *f, size_t n, dppair_accuracy e, double cap,        \
                                   const double *p, double *work, size_t bytes) {                  \
    return name##_fast_init(f, n, e, cap, p, work, bytes);                                         \
  }                                                                                                \
  static dppair_status name##_go(double *x, double *y, const double *p, size_t np,                 \
                                 const double *n, size_t nn, const double *params,                 \
                                 const dppair_fast *f) {                                           \
    return name##_coeffs_fast(x, y, p, np, n, nn, params, f);                                      \
  }
WRAP(hinge)
WRAP(squared)
WRAP(smoothed)
WRAP(square)
WRAP(ramp)
WRAP(least)
WRAP(absolute)
WRAP(pinball)
WRAP(huber)
WRAP(moreau_a)
WRAP(moreau_p)

static const double parameters[2] = {0.25, 0.5};
#define ROW(name, integral)                                                                        \
  { name##_init, name##_go, slope_##name, integral }
/* integral: slopes are multiples of 1/4, so that results are exact numbers */
static const struct piecewise {
  init_fn *init;
  coeffs_fn *coeffs;
  reference_slope *slope;
  int integral;
} losses[] = {ROW(hinge, 1), ROW(squared, 0),  ROW(smoothed, 0), ROW(square, 0),
              ROW(ramp, 1),  ROW(least, 0),    ROW(absolute, 1), ROW(pinball, 1),
              ROW(huber, 0), ROW(moreau_a, 0), ROW(moreau_p, 0)};
enum { LOSSES = sizeof losses / sizeof *losses };

static void check(const struct piecewise *loss, size_t np, size_t nn, const dppair_fast *f) {
  double most = 0;
  size_t i;
  /* every sum has at most MOST terms of size at most weight */
  for (i = 0; i < np; i++) most = fmax(most, fabs(sp[i]));
  for (i = 0; i < nn; i++) most = fmax(most, fabs(sn[i]));
  reference(ra, rb, sp, np, sn, nn, loss->slope, parameters);
  assert_int_equal(loss->coeffs(a, b, sp, np, sn, nn, parameters, f), DPPAIR_OK);
  most = loss->integral ? 0 : (20 + 20 * most) * (double)(np + nn) * DBL_EPSILON;
  assert_true(farthest(a, ra, np) <= most * (double)nn);
  assert_true(farthest(b, rb, nn) <= most * (double)np);
}

static void every_pattern_of_scores_gives_the_sum_over_all_pairs(void **unused) {
  static const size_t sizes[][2] = {{1, 1}, {1, 9}, {8, 1}, {17, 64}, {MOST, 133}, {127, MOST}};
  size_t k;
  int pattern, loss;
  (void)unused;
  for (loss = 0; loss < LOSSES; loss++) {
    dppair_fast f;
    assert_int_equal(losses[loss].init(&f, 2 * MOST, DPPAIR_ACCURACY_1E6, 100, parameters,
                                       room_for_fast, sizeof room_for_fast),
                     DPPAIR_OK);
    for (k = 0; k < sizeof sizes / sizeof *sizes; k++)
      for (pattern = 0; pattern < PATTERNS; pattern++) {
        fill_scores(sp, sizes[k][0], pattern);
        fill_scores(sn, sizes[k][1], pattern);
        check(&losses[loss], sizes[k][0], sizes[k][1], &f);
      }
  }
}

/* Few scores, many ties and differences that hit the knots. */
static void ties_and_differences_on_a_knot_give_the_sum_over_all_pairs(void **unused) {
  const long cases = BRIEF ? 5000 : 100000;
  dppair_fast f[LOSSES];
  long k;
  int loss;
  (void)unused;
  for (loss = 0; loss < LOSSES; loss++)
    assert_int_equal(losses[loss].init(&f[loss], 2 * MOST, DPPAIR_ACCURACY_1E6, 1e6, parameters,
                                       room_for_fast, sizeof room_for_fast),
                     DPPAIR_OK);
  for (k = 0; k < cases; k++) {
    const size_t np = 1 + below(k % 100 ? 7 : 60), nn = 1 + below(k % 100 ? 7 : 60);
    loss = (int)below(LOSSES);
    if (below(2)) {
      fill_scores(sp, np, LATTICE);
      fill_scores(sn, nn, LATTICE);
    } else {
      fill_scores(sp, np, (int)below(PATTERNS));
      fill_scores(sn, nn, (int)below(PATTERNS));
    }
    if (below(20) == 0) sp[0] = 1e6;
    check(&losses[loss], np, nn, &f[loss]);
  }
}

static void float_scores_give_the_sum_over_all_pairs(void **unused) {
  dppair_fast f;
  int pattern;
  (void)unused;
  assert_int_equal(hinge32_fast_init(&f, 2 * MOST, DPPAIR_ACCURACY_1E6, 100, NULL, room_for_fast,
                                     sizeof room_for_fast),
                   DPPAIR_OK);
  for (pattern = 0; pattern < PATTERNS; pattern++) {
    fill_scores(sp, 90, pattern);
    fill_scores(sn, 75, pattern);
    to_float(fp, sp, 90);
    to_float(fn, sn, 75);
    reference(ra, rb, sp, 90, sn, 75, slope_hinge, NULL);
    assert_int_equal(hinge32_coeffs_fast(a, b, fp, 90, fn, 75, NULL, &f), DPPAIR_OK);
    assert_true(farthest(a, ra, 90) == 0 && farthest(b, rb, 75) == 0);
  }
}

typedef void pieces_fn(dppair_status *, double *, double *, const void *, size_t, const void *,
                       size_t, const dppair_fast *, const dppair_piece *, int, int,
                       const double *const *);
typedef void scores_fn(double *, const double *, size_t, size_t, size_t, const double *);
typedef void scores32_fn(float *, const float *, size_t, size_t, size_t, const float *);
typedef void combine_fn(double *, const double *, size_t, size_t, size_t, const double *,
                        const double *);
typedef void combine32_fn(double *, const float *, size_t, size_t, size_t, const double *,
                          const double *);
typedef void sum_fn(uint64_t *, const double *, size_t, size_t, size_t, const double *,
                    const double *, double, double);
typedef void sum32_fn(uint64_t *, const float *, size_t, size_t, size_t, const double *,
                      const double *, double, double);
#define TIER(level, bits, name)                                                                    \
  {                                                                                                \
    level, bits, dppair_pieces_coeffs_##name, dppair_scores_f64_##name, dppair_scores_f32_##name,  \
        dppair_combine_f64_##name, dppair_combine_f32_##name, dppair_sum_f64_##name,               \
        dppair_sum_f32_##name                                                                      \
  }
static const struct tier {
  int level, bits;
  pieces_fn *pieces;
  scores_fn *scores;
  scores32_fn *scores32;
  combine_fn *combine;
  combine32_fn *combine32;
  sum_fn *sum;
  sum32_fn *sum32;
} tiers[] = {
    TIER(DPPAIR_TIER_SCALAR, 1, scalar),
#if DPPAIR_HAVE_SIMD128
    TIER(DPPAIR_TIER_SIMD128, 0, simd128),
#endif
#if DPPAIR_HAVE_AVX2
    TIER(DPPAIR_TIER_AVX2, 1, avx2),
#endif
#if DPPAIR_HAVE_AVX512
    TIER(DPPAIR_TIER_AVX512, 1, avx512),
#endif
};
enum { TIERS = sizeof tiers / sizeof *tiers };

static void fused_tiers_agree_in_every_bit_and_others_within_rounding(void **unused) {
  const dppair_piece pieces[3] = {{1, -1, 0.5, 0}, {0, 2, -1, 1}, {HUGE_VAL, 1, 0.25, 0}};
  dppair_fast f;
  int trial, k;
  (void)unused;
  assert_int_equal(hinge_fast_init(&f, 2 * MOST, DPPAIR_ACCURACY_1E6, 100, NULL, room_for_fast,
                                   sizeof room_for_fast),
                   DPPAIR_OK);
  for (trial = 0; trial < 60; trial++) {
    const size_t np = 1 + below(MOST), nn = 1 + below(MOST);
    dppair_status status = DPPAIR_OK;
    double weight[2][MOST];
    const double *const both[2] = {weight[0], weight[1]}, *const *given = trial % 2 ? both : NULL;
    for (k = 0; k < 2 * MOST; k++) weight[k / MOST][k % MOST] = between(-0.2, 1.2);
    fill_scores(sp, np, trial % PATTERNS);
    fill_scores(sn, nn, trial % PATTERNS);
    tiers[0].pieces(&status, a, b, sp, np, sn, nn, &f, pieces, 3, 0, given);
    for (k = 1; k < TIERS; k++) {
      size_t i;
      if (tiers[k].level > dppair_tier()) continue;
      tiers[k].pieces(&status, a2, b2, sp, np, sn, nn, &f, pieces, 3, 0, given);
      assert_int_equal(status, DPPAIR_OK);
      if (tiers[k].bits) {
        assert_memory_equal(a, a2, np * sizeof *a);
        assert_memory_equal(b, b2, nn * sizeof *b);
      }
      for (i = 0; i < np; i++) assert_true(fabs(a[i] - a2[i]) < 1e-10 * (double)nn);
    }
  }
}

/* Rows that start anywhere in memory, any width, any leading dimension. */
static void products_match_a_loop_for_any_alignment_width_and_stride(void **unused) {
  enum { ROWS = 29, COLUMNS = 150 };
  static double x[ROWS * (COLUMNS + 5) + 3], w[COLUMNS + 1], g[COLUMNS], g2[COLUMNS], s[ROWS],
      s2[ROWS], c[ROWS];
  static float xf[ROWS * (COLUMNS + 5) + 3], wf[COLUMNS + 1], t[ROWS], t2[ROWS];
  size_t d, i, j;
  int k;
  (void)unused;
  for (i = 0; i < sizeof x / sizeof *x; i++) x[i] = (double)(xf[i] = (float)normal());
  for (i = 0; i < COLUMNS + 1; i++) w[i] = (double)(wf[i] = (float)normal());
  for (i = 0; i < ROWS; i++) c[i] = normal();
  for (d = 0; d <= COLUMNS; d += d < 40 ? 1 : 22) {
    const size_t n = 1 + below(ROWS), ld = d + below(5), from = below(3);
    const double *rows = x + from;
    const float *rows32 = xf + from;
    const dppair_rows_f64 block = dppair_rows_make_f64(rows, n, d, ld);
    const dppair_rows_f64 last = dppair_rows_make_f64(rows + (n - 1) * ld, 1, d, ld);
    const dppair_rows_f32 block32 = dppair_rows_make_f32(rows32, n, d, ld);
    const dppair_rows_f32 last32 = dppair_rows_make_f32(rows32 + (n - 1) * ld, 1, d, ld);
    assert_int_equal(dppair_scores_f64(s, &block, w + 1), DPPAIR_OK);
    assert_int_equal(dppair_scores_f32(t, &block32, wf + 1), DPPAIR_OK);
    for (i = 0; i < n; i++) {
      long double sum = 0;
      for (j = 0; j < d; j++) sum += (long double)rows[i * ld + j] * (long double)w[j + 1];
      assert_true(fabs(s[i] - (double)sum) < 1e-13);
      assert_true(fabs((double)t[i] - (double)sum) < 1e-4);
    }
    assert_int_equal(dppair_combine_f64(g, &block, c), DPPAIR_OK);
    assert_int_equal(dppair_combine_f32(g2, &block32, c), DPPAIR_OK);
    assert_memory_equal(g, g2, d * sizeof *g); /* the same numbers, so the same sums */
    for (j = 0; j < d; j++) {
      long double sum = 0;
      for (i = 0; i < n; i++) sum += (long double)rows[i * ld + j] * (long double)c[i];
      assert_true(fabs(g[j] - (double)sum) < 1e-13);
    }
    for (k = 0; k < TIERS; k++) {
      if (tiers[k].level > dppair_tier() || !tiers[k].bits) continue;
      if (dppair_tier() == DPPAIR_TIER_SIMD128) continue; /* which rounds otherwise */
      tiers[k].scores(s2, rows, n, d, ld, w + 1);
      assert_memory_equal(s, s2, n * sizeof *s);
      tiers[k].scores32(t2, rows32, n, d, ld, wf + 1);
      assert_memory_equal(t, t2, n * sizeof *t);
      tiers[k].combine(g2, rows, n, d, ld, c, NULL);
      assert_memory_equal(g, g2, d * sizeof *g);
      tiers[k].combine32(g2, rows32, n, d, ld, c, NULL);
      assert_memory_equal(g, g2, d * sizeof *g);
    }
    for (k = 0; k < TIERS; k++) { /* sums of integers, of an unfused tier within a unit a row */
      const double unit = 1.0 / 4398046511104.0, magic = DPPAIR_MAGIC_F64_ * unit; /* 2^-42 */
      uint64_t sum[3][2 * COLUMNS];
      memset(sum, 0, sizeof sum);
      if (tiers[k].level > dppair_tier()) continue;
      tiers[0].sum(sum[0], rows, n, d, ld, c, w, magic, 1.5);
      tiers[k].sum(sum[1], rows, n, d, ld, c, w, magic, 1.5);
      tiers[k].sum32(sum[2], rows32, n, d, ld, c, w, magic, 1.5);
      assert_memory_equal(sum[1], sum[2], sizeof *sum);
      if (tiers[k].bits) assert_memory_equal(sum[0], sum[1], sizeof *sum);
      for (j = 0; j < d; j++) assert_true(sum[1][2 * j] - sum[0][2 * j] + n <= 2 * n);
    }
    /* a score depends on its row and w, not on where the row stands or who else is there */
    assert_int_equal(dppair_scores_f64(s2, &last, w + 1), DPPAIR_OK);
    assert_true(s2[0] == s[n - 1]);
    assert_int_equal(dppair_scores_f32(t2, &last32, wf + 1), DPPAIR_OK);
    assert_true(t2[0] == t[n - 1]);
  }
  /* what lies beyond a row's end is never read into it */
  {
    const dppair_rows_f64 four = dppair_rows_make_f64(x, 1, 4, 4);
    const dppair_rows_f64 five = dppair_rows_make_f64(x, 1, 5, 5);
    x[4] = nan("");
    assert_int_equal(dppair_scores_f64(s, &four, w), DPPAIR_OK);
    assert_int_equal(dppair_combine_f64(g, &four, c), DPPAIR_OK);
    assert_int_equal(dppair_scores_f64(s, &five, w), DPPAIR_ERR_NOT_FINITE);
  }
  assert_true(s[0] == 0);
}

/* Calls the parts backwards, as a thread pool might. */
static void backwards(dppair_task *task, void *context, size_t parts, void *self) {
  (void)self;
  while (parts-- > 0) task(context, parts);
}

static void a_gradient_is_its_products_by_its_coefficients_in_any_parts(void **unused) {
  enum { N = 61, D = 13 };
  static double x[N * D], w[D], g[D], g2[D], work[4096];
  dppair_tasks serial = {3, NULL, NULL}, other = {3, backwards, NULL};
  dppair_rows_f64 rows = dppair_rows_make_f64(x, N, D, D);
  dppair_options options = {NULL, 0, NULL, NULL, work, sizeof work, NULL};
  dppair_fast f, unprepared;
  size_t bytes, i, j, k, np;
  (void)unused;
  memset(&unprepared, 0, sizeof unprepared);
  for (i = 0; i < N * D; i++) x[i] = normal();
  for (i = 0; i < D; i++) w[i] = normal();
  assert_int_equal(
      squared_fast_init(&f, N, DPPAIR_ACCURACY_1E6, 1e3, NULL, room_for_fast, sizeof room_for_fast),
      DPPAIR_OK);
  options.tasks = &serial;
  assert_int_equal(squared_workspace(&bytes, N, D, &options), DPPAIR_OK);
  assert_true(bytes <= sizeof work);
  for (np = 0; np <= N; np += 12) {
    long double exact[D];
    double size = 1;
    for (k = 0; k < D; k++) exact[k] = 0;
    for (i = 0; i < np; i++)
      for (j = np; j < N; j++) {
        long double u = 0, c;
        for (k = 0; k < D; k++)
          u += (long double)w[k] * ((long double)x[i * D + k] - (long double)x[j * D + k]);
        c = slope_squared(u, NULL);
        size += (double)fabsl(c);
        for (k = 0; k < D; k++)
          exact[k] += c * ((long double)x[i * D + k] - (long double)x[j * D + k]);
      }
    rows.positives = np;
    options.fast = &f;
    options.tasks = NULL;
    assert_int_equal(squared_gradient(g, &rows, w, &options), DPPAIR_OK);
    assert_true(farthest(g, exact, D) <= 1e-13 * size);
    options.fast = NULL;
    options.tasks = &serial;
    assert_int_equal(squared_gradient(g, &rows, w, &options), DPPAIR_OK);
    assert_true(farthest(g, exact, D) <= 1e-13 * size);
    options.tasks = &other;
    assert_int_equal(squared_gradient(g2, &rows, w, &options), DPPAIR_OK);
    assert_memory_equal(g, g2, sizeof g);
  }
  options.fast = &f;
  options.tasks = &serial;
#define REFUSED(status)                                                                            \
  memset(g, 1, sizeof g);                                                                          \
  assert_int_equal(squared_gradient(g, &rows, w, &options), status);                                  \
  assert_true(all_zero(g, D));
  options.bytes = 100;
  REFUSED(DPPAIR_ERR_WORKSPACE)
  options.bytes = sizeof work;
  rows.ld = D - 1;
  REFUSED(DPPAIR_ERR_SIZE)
  rows.ld = D;
  rows.positives = N + 1;
  REFUSED(DPPAIR_ERR_SIZE)
  rows.positives = 20;
  rows.x = NULL;
  REFUSED(DPPAIR_ERR_NULL)
  rows.x = x;
  options.work = NULL;
  REFUSED(DPPAIR_ERR_NULL)
  options.work = work;
  options.clip = clip_unmade();
  REFUSED(DPPAIR_ERR_WORKSPACE)
  options.clip = NULL;
  options.fast = &unprepared;
  REFUSED(DPPAIR_ERR_WORKSPACE)
  options.fast = &f;
  w[3] = HUGE_VAL;
  REFUSED(DPPAIR_ERR_NOT_FINITE)
  w[3] = 0;
  rows.n = SIZE_MAX / D;
  REFUSED(DPPAIR_ERR_OVERFLOW)
  rows.n = N;
  serial.count = 0;
  REFUSED(DPPAIR_ERR_SIZE)
#undef REFUSED
  assert_int_equal(squared_gradient(g, NULL, w, &options), DPPAIR_ERR_NULL);
  assert_int_equal(squared_gradient(g, &rows, w, NULL), DPPAIR_ERR_NULL);
}

/* Shares of the pair loops, joined, are the whole. */
static void shares_of_the_pair_loops_joined_are_the_whole(void **unused) {
  double parts_b[5 * 50];
  size_t part, i;
  (void)unused;
  fill_scores(sp, 33, SPREAD);
  fill_scores(sn, 50, SPREAD);
  reference(ra, rb, sp, 33, sn, 50, slope_hinge, NULL);
  for (part = 0; part < 5; part++)
    assert_int_equal(hinge_coeffs_part(a, parts_b + part * 50, sp, 33, sn, 50, NULL, part, 5),
                     DPPAIR_OK);
  dppair_tasks_join(parts_b, 50, 5);
  assert_true(farthest(a, ra, 33) == 0 && farthest(parts_b, rb, 50) == 0);
  assert_int_equal(hinge_coeffs_part(a, b, sp, 33, sn, 50, NULL, 5, 5), DPPAIR_ERR_SIZE);
  assert_int_equal(hinge_coeffs_part(a, b, sp, 33, sn, 50, NULL, 0, 0), DPPAIR_ERR_SIZE);
  for (i = 0; i <= 7; i++)
    assert_true(dppair_part_begin_(17, i, 7) <= dppair_part_begin_(17, i + 1, 7));
  assert_int_equal(dppair_part_begin_(17, 7, 7), 17);
}

static void listed_pairs_count_with_their_weights(void **unused) {
  enum { M = 137 };
  size_t i[M], j[M], k;
  double weight[M];
  int weighted;
  (void)unused;
  fill_scores(sp, 20, SPREAD);
  fill_scores(sn, 30, SPREAD);
  for (k = 0; k < M; k++) {
    i[k] = below(20);
    j[k] = below(30);
    weight[k] = normal();
  }
  for (weighted = 0; weighted < 2; weighted++) {
    for (k = 0; k < 20; k++) ra[k] = 0;
    for (k = 0; k < 30; k++) rb[k] = 0;
    for (k = 0; k < M; k++) {
      const long double u = (long double)sp[i[k]] - (long double)sn[j[k]];
      const long double c = (weighted ? (long double)weight[k] : 1) * 2 * u / (1 + u * u);
      ra[i[k]] += c;
      rb[j[k]] -= c;
    }
    assert_int_equal(robust_pairs(a, b, sp, 20, sn, 30, i, j, weighted ? weight : NULL, M, NULL),
                     DPPAIR_OK);
    assert_true(farthest(a, ra, 20) < 1e-13 && farthest(b, rb, 30) < 1e-13);
  }
  assert_int_equal(robust_pairs(a, b, sp, 20, sn, 30, i, j, NULL, 0, NULL), DPPAIR_OK);
  assert_true(all_zero(a, 20) && all_zero(b, 30));
  weight[M - 1] = nan("");
  assert_int_equal(robust_pairs(a, b, sp, 20, sn, 30, i, j, weight, M, NULL),
                   DPPAIR_ERR_NOT_FINITE);
  i[77] = 20;
  assert_int_equal(robust_pairs(a, b, sp, 20, sn, 30, i, j, NULL, M, NULL), DPPAIR_ERR_SIZE);
  assert_true(all_zero(a, 20) && all_zero(b, 30));
  assert_int_equal(robust_pairs(a, b, sp, 20, sn, 30, NULL, j, NULL, M, NULL), DPPAIR_ERR_NULL);
  /* a loss that announces nothing has the loops */
  {
    const dppair_options loops = {NULL, 0, NULL, NULL, room_for_fast, sizeof room_for_fast, NULL};
    dppair_options ignored = loops;
    dppair_rows_f64 rows = dppair_rows_make_f64(sp, 20, 1, 1);
    dppair_fast blank;
    double w[1] = {1}, g[1], h[1];
    memset(&blank, 0, sizeof blank);
    ignored.fast = &blank;
    rows.positives = 9;
    assert_int_equal(robust_gradient(g, &rows, w, &loops), DPPAIR_OK);
    assert_int_equal(robust_gradient(h, &rows, w, &ignored), DPPAIR_OK);
    assert_true(g[0] == h[0] && g[0] != 0);
  }
}

static void bad_sizes_spreads_and_workspaces_are_refused(void **unused) {
  const double huge[2] = {-1.6e308, 1.6e308};
  dppair_fast f;
  size_t bytes;
  volatile size_t vast = SIZE_MAX / 32;
  (void)unused;
  assert_int_equal(hinge_fast_workspace(&bytes, 100, DPPAIR_ACCURACY_1E6, 10, NULL), DPPAIR_OK);
  assert_int_equal(hinge_fast_workspace(&bytes, vast, DPPAIR_ACCURACY_1E6, 10, NULL),
                   DPPAIR_ERR_OVERFLOW);
  assert_int_equal(hinge_fast_workspace(&bytes, 10, DPPAIR_ACCURACY_1E6, HUGE_VAL, NULL),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(hinge_fast_init(&f, 100, DPPAIR_ACCURACY_1E6, 10, NULL, room_for_fast, 100),
                   DPPAIR_ERR_WORKSPACE);
  assert_int_equal(f.kind, 0);
  assert_int_equal(hinge_fast_init(&f, 100, DPPAIR_ACCURACY_1E6, 1.7e308, NULL, room_for_fast,
                                   sizeof room_for_fast),
                   DPPAIR_OK);
  fill_scores(sp, 60, SPREAD);
  fill_scores(sn, 50, SPREAD);
  assert_int_equal(hinge_coeffs_fast(a, b, sp, 60, sn, 50, NULL, &f), DPPAIR_ERR_WORKSPACE);
  assert_true(all_zero(a, 60) && all_zero(b, 50));
  sp[10] = nan("");
  assert_int_equal(hinge_coeffs_fast(a, b, sp, 50, sn, 50, NULL, &f), DPPAIR_ERR_NOT_FINITE);
  sp[10] = 0;
  sn[49] = -HUGE_VAL;
  assert_int_equal(hinge_coeffs_fast(a, b, sp, 50, sn, 50, NULL, &f), DPPAIR_ERR_NOT_FINITE);
  assert_true(all_zero(a, 50) && all_zero(b, 50));
  /* the largest numbers there are: right, or refused when a sum overflows */
  assert_int_equal(hinge_coeffs_fast(a, b, huge, 2, huge, 2, NULL, &f), DPPAIR_OK);
  assert_true(a[0] == -2 && a[1] == -1 && b[0] == 1 && b[1] == 2);
  assert_int_equal(squared_fast_init(&f, 100, DPPAIR_ACCURACY_1E6, 1.7e308, NULL, room_for_fast,
                                     sizeof room_for_fast),
                   DPPAIR_OK);
  assert_int_equal(squared_coeffs_fast(a, b, huge, 2, huge, 2, NULL, &f), DPPAIR_ERR_NOT_FINITE);
  assert_true(all_zero(a, 2) && all_zero(b, 2));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(every_pattern_of_scores_gives_the_sum_over_all_pairs),
      TEST(ties_and_differences_on_a_knot_give_the_sum_over_all_pairs),
      TEST(float_scores_give_the_sum_over_all_pairs),
      TEST(fused_tiers_agree_in_every_bit_and_others_within_rounding),
      TEST(products_match_a_loop_for_any_alignment_width_and_stride),
      TEST(a_gradient_is_its_products_by_its_coefficients_in_any_parts),
      TEST(shares_of_the_pair_loops_joined_are_the_whole),
      TEST(listed_pairs_count_with_their_weights),
      TEST(bad_sizes_spreads_and_workspaces_are_refused),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
