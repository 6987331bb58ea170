/* SPDX-License-Identifier: MIT */
/*
 * bench_pairs - gradients of a linear ranking model over all pairs of a positive and a negative.
 *
 * Unless a row says otherwise the work is X -> gradient: scores, coefficients, X^T c. Peers: the
 * plain C double loop and the sort-based code of loops.c, OpenBLAS, and our own pointwise gradient
 * (the same scores and X^T c with one slope per record), which says what "all pairs" costs on top.
 * Floors of ratios below 1 are times over the peer: 0.625 means at most 1.6 times its time.
 */
#include "bench.h"
#include "loops.h"

#ifdef BENCH_OPENBLAS
#include <cblas.h>
void openblas_set_num_threads(int);
#endif

#include "dppair_losses.h"
#include "dppair_scale.h"
#include "dppair_influence.h"

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
#undef DPPAIR_ROW

#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME log32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME log64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME hinge32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
#define DPPAIR_NAME sq32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_squared_hinge
#include "dppair.h"
#define DPPAIR_NAME sq64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_squared_hinge
#include "dppair.h"
#define DPPAIR_NAME square32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_square
#include "dppair.h"

/* One data set, positives first, and room for everything. */
enum { MOST = 1000000 }; /* records */
static size_t n, np, d;
static float *x32, *w32, *s32, *g32, *c32;
static double *x64, *w64, *s64, *g64, *c64, *work, *table[4];
static size_t work_bytes, *places; /* ten records of each user, five of either class */
static double *weights;
static dppair_fast fast[7]; /* of one instance each: log32 1e-6 and 1e-12; hinge32, sq32, square32 in one room, where
                               one runs at a time; log64; sq64, in that room too */
static void *sum_work;
static dppair_curvature curves[2]; /* 1e-12, piecewise */
static void *curve_room[2], *curve_work;
static size_t curve_bytes;
static volatile int failed;

static void make(size_t records, size_t features) {
  size_t i, j;
  n = records;
  d = features;
  np = (n + 1) / 2;
  free(x32), free(w32), free(s32), free(g32), free(c32);
  free(x64), free(w64), free(s64), free(g64), free(c64), free(work), free(table[2]);
  x32 = bench_alloc(n * d * sizeof *x32);
  w32 = bench_alloc(d * sizeof *w32);
  s32 = bench_alloc(n * sizeof *s32);
  g32 = bench_alloc(d * sizeof *g32);
  c32 = bench_alloc(n * sizeof *c32);
  x64 = bench_alloc((n <= 200000 ? n * d : 1) * sizeof *x64);
  w64 = bench_alloc(d * sizeof *w64);
  s64 = bench_alloc(n * sizeof *s64);
  g64 = bench_alloc(d * sizeof *g64);
  c64 = bench_alloc(n * sizeof *c64);
  for (i = 0; i < n; i++)
    for (j = 0; j < d; j++) {
      const double v = bench_x(i < np ? 2 * i : 2 * (i - np) + 1, j, d);
      x32[i * d + j] = (float)v;
      if (n <= 200000) x64[i * d + j] = v;
    }
  for (j = 0; j < d; j++) w32[j] = (float)(w64[j] = bench_w(j));
  for (i = 0; i < n; i++) c32[i] = (float)(c64[i] = bench_uniform(i) - 0.5);
  {
    static const dppair_options plain; /* one part, no clip */
    size_t bytes;
    dppair_groups users = {n / 10, NULL, NULL, DPPAIR_ACROSS, n};
    dppair_options grouped = plain;
    grouped.groups = &users;
    grouped.fast = &fast[1];
    failed |= log64_workspace(&work_bytes, n, d, &plain);
    failed |= log32_workspace(&bytes, n, d, &grouped);
    work_bytes = bytes > work_bytes ? bytes : work_bytes;
    grouped.groups = NULL;
    grouped.fast = &fast[5];
    failed |= log64_workspace(&bytes, n, d, &grouped);
    work_bytes = bytes > work_bytes ? bytes : work_bytes;
    free(weights), free(places);
    weights = bench_alloc(n * sizeof *weights);
    places = bench_alloc((n / 10 + 1) * sizeof *places);
    for (i = 0; i < n; i++) weights[i] = (double)(i % 64 + 1) / 64;
    for (i = 0; i <= n / 10; i++) places[i] = i == n / 10 ? np : 5 * i;
  }
  work = bench_alloc(work_bytes);
  free(sum_work);
  sum_work = bench_alloc(16 * d + 64);
  {
    size_t bytes;
    free(curve_room[1]), free(curve_work);
    failed |= sq64_curvature_workspace(&bytes, n, 2, DPPAIR_ACCURACY_1E6, 100, NULL);
    curve_room[1] = bench_alloc(bytes);
    failed |= sq64_curvature_init(&curves[1], n, 2, DPPAIR_ACCURACY_1E6, 100, NULL, curve_room[1], bytes);
    failed |= sq64_hessian_workspace(&curve_bytes, n);
    curve_work = bench_alloc(curve_bytes);
  }
  {
    size_t bytes;
    failed |= hinge32_fast_workspace(&bytes, n, DPPAIR_ACCURACY_1E6, 100, NULL);
    table[2] = bench_alloc(bytes);
    failed |= hinge32_fast_init(&fast[2], n, DPPAIR_ACCURACY_1E6, 100, NULL, table[2], bytes);
    failed |= sq32_fast_init(&fast[3], n, DPPAIR_ACCURACY_1E6, 100, NULL, table[2], bytes);
    failed |= square32_fast_init(&fast[4], n, DPPAIR_ACCURACY_1E6, 100, NULL, table[2], bytes);
    failed |= sq64_fast_init(&fast[6], n, DPPAIR_ACCURACY_1E6, 100, NULL, table[2], bytes);
  }
}

static void prepare_boxes(void) {
  size_t bytes;
  failed |= log64_fast_workspace(&bytes, MOST, DPPAIR_ACCURACY_1E12, 100, NULL);
  table[0] = bench_alloc(bytes);
  table[1] = bench_alloc(bytes);
  failed |= log32_fast_init(&fast[0], MOST, DPPAIR_ACCURACY_1E6, 100, NULL, table[0], bytes);
  failed |= log32_fast_init(&fast[1], MOST, DPPAIR_ACCURACY_1E12, 100, NULL, table[1], bytes);
  table[3] = bench_alloc(bytes);
  failed |= log64_fast_init(&fast[5], MOST, DPPAIR_ACCURACY_1E12, 100, NULL, table[3], bytes);
  failed |= log64_curvature_workspace(&bytes, 0, 2, DPPAIR_ACCURACY_1E12, 100, NULL);
  curve_room[0] = bench_alloc(bytes);
  failed |= log64_curvature_init(&curves[0], 0, 2, DPPAIR_ACCURACY_1E12, 100, NULL, curve_room[0], bytes);
}

/* ------------------------------------------------------------------------------------------------
 * Work
 * ---------------------------------------------------------------------------------------------- */

#define GRADIENT(name, generated, type, x, w, plan)                                                \
  static void name(void *unused) {                                                                 \
    const dppair_options options = {NULL, 0, plan, NULL, work, work_bytes, NULL};                        \
    dppair_rows_##type rows = dppair_rows_make_##type(x, n, d, d);                                 \
    (void)unused;                                                                                  \
    rows.positives = np;                                                                           \
    rows.radius = 64.0;                                                                            \
    failed |= generated(g64, &rows, w, &options);                                                     \
  }
GRADIENT(ours_log32, log32_gradient, f32, x32, w32, &fast[0])
GRADIENT(ours_log32_fine, log32_gradient, f32, x32, w32, &fast[1])
GRADIENT(ours_log64, log64_gradient, f64, x64, w64, &fast[5])
GRADIENT(ours_hinge, hinge32_gradient, f32, x32, w32, &fast[2])
GRADIENT(ours_sq, sq32_gradient, f32, x32, w32, &fast[3])
GRADIENT(ours_square, square32_gradient, f32, x32, w32, &fast[4])
GRADIENT(exact_log32, log32_gradient, f32, x32, w32, NULL)
GRADIENT(exact_log64, log64_gradient, f64, x64, w64, NULL)
GRADIENT(ours_sq64, sq64_gradient, f64, x64, w64, &fast[6])

/* X^T c by sums without order. */
#define WITHOUT_ORDER(name, type, x)                                                               \
  static void name(void *unused) {                                                                 \
    dppair_rows_##type rows = dppair_rows_make_##type(x, n, d, d);                                 \
    dppair_sum sum;                                                                                \
    (void)unused;                                                                                  \
    rows.radius = 64.0;                                                                            \
    failed |= dppair_sum_open(&sum, d, 64.0, sum_work, 16 * d + 64);                               \
    failed |= dppair_sum_combine_##type(&sum, &rows, c64);                                         \
    failed |= dppair_sum_value(g64, &sum);                                                         \
  }
WITHOUT_ORDER(sum_32, f32, x32)
WITHOUT_ORDER(sum_64, f64, x64)

/* Of records with weights; of users, who weigh 1 each. */
static void weighted32(void *users) {
  const dppair_groups groups = {n / 10, places, places, DPPAIR_ACROSS, n};
  dppair_options options = {NULL, 0, &fast[0], NULL, work, work_bytes, NULL};
  dppair_rows_f32 rows = dppair_rows_make_f32(x32, n, d, d);
  rows.positives = np;
  rows.radius = 64.0;
  rows.weight = weights;
  if (*(int *)users) rows.weight = NULL, options.groups = &groups;
  failed |= log32_gradient(g64, &rows, w32, &options);
}

/* The Hessian times a vector, here w itself. */
#define HESSIAN(name, generated, state)                                                            \
  static void name(void *unused) {                                                                 \
    dppair_rows_f64 rows = dppair_rows_make_f64(x64, n, d, d);                                     \
    (void)unused;                                                                                  \
    rows.positives = np;                                                                           \
    failed |= generated(g64, &rows, w64, w64, NULL, state, curve_work, curve_bytes);               \
  }
HESSIAN(product_log64, log64_hessian, &curves[0])
HESSIAN(product_sq64, sq64_hessian, &curves[1])
HESSIAN(exact_product_log64, log64_hessian, NULL)

static void loop32(void *kind) { loop_pairs_f32(g32, x32, x32 + np * d, np, n - np, d, w32, *(int *)kind); }
static void loop64(void *kind) { loop_pairs_f64(g64, x64, x64 + np * d, np, n - np, d, w64, *(int *)kind); }
static void sorted32(void *kind) {
  loop_sorted_f32(g32, x32, x32 + np * d, np, n - np, d, w32, *(int *)kind);
}

/* The same scores and X^T c with one slope per record. */
#define POINTWISE(name, type, slopes, x, w, s)                                                     \
  static void name(void *unused) {                                                                 \
    const dppair_rows_##type rows = dppair_rows_make_##type(x, n, d, d);                           \
    (void)unused;                                                                                  \
    failed |= dppair_scores_##type(s, &rows, w);                                                   \
    slopes(c64, s, n);                                                                             \
    failed |= dppair_combine_##type(g64, &rows, c64);                                              \
  }
static void square_slopes(double *c, const float *s, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) c[i] = -2.0 * (1.0 - (double)s[i]);
}
POINTWISE(point_log32, f32, loop_slopes_f32, x32, w32, s32)
POINTWISE(point_log64, f64, loop_slopes_f64, x64, w64, s64)
POINTWISE(point_square, f32, square_slopes, x32, w32, s32)

/* The same gradient from rows of fewer bits: what an instance with that DPPAIR_ROW does. */
#define NARROW(type)                                                                               \
  static dppair_rows_##type rows_##type;                                                           \
  static void narrow_##type(void *unused) {                                                        \
    (void)unused;                                                                                  \
    failed |= dppair_scores_##type(s32, &rows_##type, w32);                                        \
    failed |= log32_coeffs_fast(c64, c64 + np, s32, np, s32 + np, n - np, NULL, &fast[0]);         \
    failed |= dppair_combine_##type(g64, &rows_##type, c64);                                       \
  }                                                                                                \
  static void compare_##type(const char *name, double least, double most) {                        \
    const dppair_rows_f32 from = dppair_rows_make_f32(x32, n, d, d);                               \
    void *x = bench_alloc(n * d * 2), *factor = bench_alloc(n * sizeof(double));                   \
    failed |= dppair_rows_quantise_##type##_f32(&rows_##type, x, factor, &from);                   \
    row("million: logistic gradient", "rows of f32", name, least, most,                            \
        gradient_error(narrow_##type, ours_log32), narrow_##type, ours_log32, 0);                  \
    free(x), free(factor);                                                                         \
  }
#define NARROW_TYPES NARROW(bf16) NARROW(f16) NARROW(i16) NARROW(i8)

static void coeffs_hinge(void *unused) {
  (void)unused;
  failed |= hinge32_coeffs_fast(c64, c64 + np, s32, np, s32 + np, n - np, NULL, &fast[2]);
}
static void coeffs_sq(void *unused) {
  (void)unused;
  failed |= sq32_coeffs_fast(c64, c64 + np, s32, np, s32 + np, n - np, NULL, &fast[3]);
}
static void coeffs_log(void *unused) {
  (void)unused;
  failed |= log32_coeffs_fast(c64, c64 + np, s32, np, s32 + np, n - np, NULL, &fast[0]);
}
static int order(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}
static void sort_scores(void *unused) {
  (void)unused;
  memcpy(c32, s32, n * sizeof *s32);
  qsort(c32, n, sizeof *c32, order);
}

#define PRODUCT(name, call, type, x, out, with)                                                    \
  static void name(void *unused) {                                                                 \
    const dppair_rows_##type rows = dppair_rows_make_##type(x, n, d, d);                           \
    (void)unused;                                                                                  \
    failed |= call(out, &rows, with);                                                              \
  }
PRODUCT(scores32, dppair_scores_f32, f32, x32, s32, w32)
PRODUCT(scores64, dppair_scores_f64, f64, x64, s64, w64)
PRODUCT(combine32, dppair_combine_f32, f32, x32, g64, c64)
PRODUCT(combine64, dppair_combine_f64, f64, x64, g64, c64)
#ifdef BENCH_OPENBLAS
static void gemv(int transposed, int single) {
  const CBLAS_TRANSPOSE t = transposed ? CblasTrans : CblasNoTrans;
  const int rows = (int)n, columns = (int)d;
  if (single)
    cblas_sgemv(CblasRowMajor, t, rows, columns, 1, x32, columns, transposed ? c32 : w32, 1, 0,
                transposed ? g32 : s32, 1);
  else
    cblas_dgemv(CblasRowMajor, t, rows, columns, 1, x64, columns, transposed ? c64 : w64, 1, 0,
                transposed ? g64 : s64, 1);
}
static void blas_scores32(void *u) { (void)u; gemv(0, 1); }
static void blas_scores64(void *u) { (void)u; gemv(0, 0); }
static void blas_combine32(void *u) { (void)u; gemv(1, 1); }
static void blas_combine64(void *u) { (void)u; gemv(1, 0); }
#endif

/* The whole gradient on one tier, by the functions of that tier. */
#define ON_TIER(name, tier)                                                                        \
  static void name(void *unused) {                                                                 \
    dppair_sketch m;                                                                              \
    (void)unused;                                                                                  \
    dppair_sketch_begin_(&m, &fast[0], fast[0].work);                                             \
    dppair_scores_f32_##tier(s32, x32, n, d, d, w32);                                              \
    dppair_sketch_count_##tier(&m, s32, n, np, NULL, &fast[0], 1);                                \
    dppair_sketch_close_##tier(&m, &fast[0]);                                                     \
    dppair_sketch_read_##tier(c64, s32, n, np, NULL, &m, &fast[0], 1);                            \
    dppair_combine_f32_##tier(g64, x32, n, d, d, c64, NULL);                                       \
  }
#if DPPAIR_HAVE_AVX2
ON_TIER(whole_avx2, avx2)
#endif
#if DPPAIR_HAVE_AVX512
ON_TIER(whole_avx512, avx512)
#endif

/* ------------------------------------------------------------------------------------------------
 * Rows
 * ---------------------------------------------------------------------------------------------- */

/* Largest difference of the two gradients of the SUM over the largest coordinate. */
static double gradient_error(bench_work ours, bench_work reference) {
  double most = 0, size = 0, *keep = bench_alloc(d * sizeof *keep);
  size_t k;
  reference(NULL);
  memcpy(keep, g64, d * sizeof *keep);
  ours(NULL);
  for (k = 0; k < d; k++) {
    most = fmax(most, fabs(g64[k] - keep[k]));
    size = fmax(size, fabs(keep[k]));
  }
  free(keep);
  return most / size;
}

static void row(const char *bench, const char *peer, const char *type, double least, double most,
                double error, bench_work ours, bench_work theirs, int kind) {
  bench_row r = bench_describe(bench, peer, n, d, type);
  r.floor = least;
  r.moonshot = most;
  r.error = error;
  bench_compare(&r, ours, NULL, theirs, &kind);
}

NARROW_TYPES

static void gradients(size_t records, size_t features, const double goals[5][2]) {
  make(records, features);
  row("logistic gradient", "C double loop", "f32", goals[0][0], goals[0][1],
      n <= 10000 ? gradient_error(ours_log32, ours_log64) : -1.0, ours_log32, loop32, 0);
  row("logistic gradient", "our pointwise gradient", "f32", goals[1][0], goals[1][1], -1.0, ours_log32,
      point_log32, 0);
  row("logistic gradient", "C double loop", "f64", goals[2][0], goals[2][1],
      n <= 10000 ? gradient_error(ours_log64, exact_log64) : -1.0, ours_log64, loop64, 0);
  row("hinge gradient", "C qsort and search", "f32", goals[3][0], goals[3][1], -1.0, ours_hinge, sorted32, 1);
  row("hinge gradient", "C double loop", "f32", 0, 0, -1.0, ours_hinge, loop32, 1);
  row("squared hinge gradient", "C qsort and search", "f32", goals[3][0], goals[3][1], -1.0, ours_sq,
      sorted32, 2);
  row("squared hinge gradient", "C double loop", "f32", 0, 0, -1.0, ours_sq, loop32, 2);
  row("square gradient", "our pointwise gradient", "f32", goals[4][0], goals[4][1], -1.0, ours_square,
      point_square, 0);
}

/* Sums without order beside those of doubles. */
static void without_order(size_t records, size_t features) {
  make(records, features);
  row("X^T c, no order", "the same, sums of doubles", "f32", 0, 1, -1.0, sum_32, combine32, 0);
  row("X^T c, no order", "the same, sums of doubles", "f64", 0, 1, -1.0, sum_64, combine64, 0);
}

static void products(size_t records, size_t features) {
  make(records, features);
#ifdef BENCH_OPENBLAS
  row("scores", "OpenBLAS sgemv", "f32", 1, 1.4, -1.0, scores32, blas_scores32, 0);
  row("scores", "OpenBLAS dgemv", "f64", 1, 1.4, -1.0, scores64, blas_scores64, 0);
  row("X^T c, sums in double", "OpenBLAS sgemv, in float", "f32", 0, 0, -1.0, combine32, blas_combine32, 0);
  row("X^T c", "OpenBLAS dgemv", "f64", 1, 1.4, -1.0, combine64, blas_combine64, 0);
#endif
}

int main(int argc, char **argv) {
  static const double at_512[5][2] = {{2.5, 4.5}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
  static const double at_2000[5][2] = {{12, 25}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
  static const double at_10000[5][2] = {
      {80, 150}, {1 / 1.6, 1 / 1.25}, {160, 300}, {2, 6}, {1 / 1.15, 1 / 1.05}};
  bench_start(argc, argv, "pairs", 14);
#ifdef BENCH_OPENBLAS
  openblas_set_num_threads(1);
#endif
  prepare_boxes();
  gradients(512, 64, at_512);
  row("exact logistic gradient", "C double loop", "f32", 0, 0, -1.0, exact_log32, loop32, 0);
  row("exact logistic gradient", "C double loop", "f64", 0, 0, -1.0, exact_log64, loop64, 0);
  gradients(2000, 64, at_2000);
  products(2000, 64);
  bench_weight(2);
  gradients(10000, 64, at_10000);
  bench_weight(1);
  row("logistic gradient, 1e-12", "C double loop", "f32", 0, 0, -1.0, ours_log32_fine, loop32, 0);
  row("Hessian times a vector", "one gradient", "f64", 1 / 3.0, 1 / 2.0, gradient_error(product_log64, exact_product_log64),
      product_log64, ours_log64, 0);
  row("Hessian, squared hinge", "one gradient", "f64", 1 / 3.0, 1 / 2.0, -1.0, product_sq64, ours_sq64, 0);
#if DPPAIR_HAVE_AVX512
  if (dppair_tier() >= DPPAIR_TIER_AVX512)
    row("logistic gradient, AVX2", "the same on AVX-512", "f32", 1 / 1.6, 1, -1.0, whole_avx2,
        whole_avx512, 0);
#endif
  products(10000, 64);
  make(10000, 256);
  row("logistic gradient", "our pointwise gradient", "f32", 0, 1 / 1.1, -1.0, ours_log32, point_log32, 0);
  make(100000, 64);
  row("logistic gradient", "our pointwise gradient", "f32", 0, 1 / 1.1, -1.0, ours_log32, point_log32, 0);
  row("logistic gradient", "our pointwise gradient", "f64", 0, 0, -1.0, ours_log64, point_log64, 0);
  without_order(10000, 8);
  without_order(10000, 64);
  without_order(100000, 8);
  without_order(100000, 64);
  if (bench_wanted("million")) {
    bench_row r;
    make(1000000, 64);
    r = bench_describe("million: logistic gradient", "a limit of 40 ms", n, d, "f32");
    r.floor = 1;
    r.moonshot = 1.5;
    bench_within(&r, ours_log32, NULL, 4e7);
    row("million: logistic gradient", "our pointwise gradient", "f32", 0, 1 / 1.1, -1.0, ours_log32,
        point_log32, 0);
    for (int users = 0; users < 2; users++) {
      bench_row w = bench_describe(users ? "million: persons of ten records" : "million: weighted records",
                                   "the same gradient, unweighted", n, d, "f32");
      w.floor = 1 / 1.05;
      w.moonshot = 1 / 1.01;
      bench_compare(&w, weighted32, &users, ours_log32, NULL);
    }
    compare_i8("i8", 2.2, 3.3);
    compare_bf16("bf16", 1.6, 1.9);
    compare_f16("f16", 0, 0);
    compare_i16("i16", 0, 0);
    scores32(NULL);
    row("million: hinge coefficients", "qsort of the scores", "f32", 0, 0, -1.0, coeffs_hinge, sort_scores, 0);
    row("million: squared hinge coeff.", "qsort of the scores", "f32", 0, 0, -1.0, coeffs_sq, sort_scores, 0);
    row("million: logistic coefficients", "qsort of the scores", "f32", 0, 0, -1.0, coeffs_log, sort_scores, 0);
  }
  if (failed) {
    fprintf(stderr, "bench_pairs: a function of the library failed\n");
    return 1;
  }
  return bench_finish();
}
