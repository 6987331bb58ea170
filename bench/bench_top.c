/* SPDX-License-Identifier: MIT */
/*
 * bench_top - coefficients of top-weighted ranking from scores, against plain C: qsort and loops over
 * the pairs that are left; loops over all pairs; our own coefficients of all pairs, of which
 * near-linear ones take a few. NDCG: all pairs of each query, ranks by counting.
 */
#include "bench.h"
#include "loops.h"

#include "dppair_losses.h"
#include "dppair_top.h"

#define DPPAIR_NAME log64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME sq64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_squared_hinge
#include "dppair.h"

enum { MOST = 100000, PER_QUERY = 100 };

static double s[MOST], y[MOST], a[MOST], mine[MOST], sorted[MOST];
static size_t n, np, places[MOST / PER_QUERY + 1];
static dppair_fast boxes, sorting;
static void *work;
static size_t bytes;
static dppair_top top;
static volatile int failed;

static dppair_options pass_of(const dppair_fast *fast) {
  dppair_options options = {NULL, 0, NULL, NULL, NULL, 0, NULL};
  options.fast = fast;
  options.work = work;
  options.bytes = bytes;
  return options;
}

static void ours(void *unused) {
  const dppair_options options = pass_of(&boxes);
  (void)unused;
  failed |= log64_top_coeffs(mine, mine + np, s, np, s + np, n - np, &top, &options);
}
static void ours_squared(void *unused) {
  const dppair_options options = pass_of(&sorting);
  (void)unused;
  failed |= sq64_top_coeffs(mine, mine + np, s, np, s + np, n - np, &top, &options);
}
static void ours_ranks(void *unused) {
  dppair_options options = pass_of(NULL);
  const dppair_groups queries = {n / PER_QUERY, places, NULL, DPPAIR_WITHIN, 0};
  (void)unused;
  options.groups = &queries;
  failed |= log64_top_ranks(mine, s, y, n, &top, &options);
}
static void all_pairs(void *unused) {
  (void)unused;
  failed |= log64_coeffs_fast(a, a + np, s, np, s + np, n - np, NULL, &boxes);
}
static void all_squared(void *unused) {
  (void)unused;
  failed |= sq64_coeffs_fast(a, a + np, s, np, s + np, n - np, NULL, &sorting);
}

static int order(const void *l, const void *r) {
  const double x = *(const double *)l, z = *(const double *)r;
  return (x > z) - (x < z);
}

/* Sorts both sides, then loops over the pairs above the k-th negative and below the m-th positive. */
static void sorts_and_loops(void *unused) {
  const size_t nn = n - np;
  static double few[MOST], of_few[MOST];
  double high, low = HUGE_VAL;
  size_t i, j, up = 0, down;
  (void)unused;
  memcpy(sorted, s, n * sizeof *s);
  qsort(sorted + np, nn, sizeof *sorted, order);
  high = sorted[n - top.negatives];
  if (top.positives) {
    qsort(sorted, np, sizeof *sorted, order);
    low = sorted[top.positives - 1];
  }
  for (i = 0; i < np; i++)
    if (s[i] <= low) few[up++] = s[i];
  for (down = up; i < n; i++)
    if (s[i] >= high) few[down++] = s[i];
  loop_coeffs_f64(of_few, of_few + up, few, up, few + up, down - up);
  for (i = j = 0; i < n; i++) a[i] = (i < np ? s[i] <= low : s[i] >= high) ? of_few[j++] : 0;
}

static void push_loops(void *unused) {
  (void)unused;
  loop_push_f64(a, a + np, s, np, s + np, n - np, top.power);
}
static void precision_loops(void *unused) {
  (void)unused;
  loop_precision_f64(a, a + np, s, np, s + np, n - np);
}

/* All pairs of each query, with ranks by counting. */
static void ranks_loops(void *unused) {
  size_t from, i, j;
  (void)unused;
  memset(a, 0, n * sizeof *a);
  for (from = 0; from + PER_QUERY <= n; from += PER_QUERY) {
    double discount[PER_QUERY], gain[PER_QUERY], ideal[PER_QUERY], best = 0;
    for (i = 0; i < PER_QUERY; i++) {
      size_t rank = 0;
      for (j = 0; j < PER_QUERY; j++) rank += s[from + j] > s[from + i];
      discount[i] = rank < top.depth ? 1 / log2((double)rank + 2) : 0;
      ideal[i] = gain[i] = exp2(y[from + i]) - 1;
    }
    qsort(ideal, PER_QUERY, sizeof *ideal, order);
    for (i = 0; i < top.depth; i++) best += ideal[PER_QUERY - 1 - i] / log2((double)i + 2);
    for (i = 0; i < PER_QUERY; i++)
      for (j = 0; j < PER_QUERY; j++)
        if (gain[i] > gain[j]) {
          const double w = (gain[i] - gain[j]) * fabs(discount[i] - discount[j]) / best;
          const double c = w * -1 / (1 + exp(s[from + i] - s[from + j]));
          a[from + i] += c;
          a[from + j] -= c;
        }
  }
}

/* The largest difference over the largest coefficient. */
static double error_of(bench_work us, bench_work them) {
  double most = 0, size = 0;
  size_t i;
  us(NULL);
  them(NULL);
  for (i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - mine[i]));
    size = fmax(size, fabs(a[i]));
  }
  return most / size;
}

static void row(const char *bench, const char *peer, double least, double most, bench_work us,
                bench_work them, int compared) {
  bench_row r = bench_describe(bench, peer, n, 0, "f64");
  if (!bench_wanted(bench)) return;
  r.floor = least;
  r.moonshot = most;
  r.error = compared ? error_of(us, them) : -1.0;
  bench_compare(&r, us, NULL, them, NULL);
}

/* n records, one in ten a positive. */
static void make(size_t records) {
  size_t i;
  n = records;
  np = n / 10;
  for (i = 0; i < n; i++) {
    s[i] = 4 * (bench_uniform(i) - 0.5) + (i < np ? 0.7 : 0);
    y[i] = floor(4 * bench_uniform(i + MOST));
  }
  for (i = 0; i <= n / PER_QUERY; i++) places[i] = i * PER_QUERY;
}

static dppair_top top_of(dppair_top_kind kind, size_t negatives, size_t positives, unsigned power,
                         size_t depth) {
  const dppair_top t = {kind, negatives, positives, power, depth, 0};
  return t;
}

int main(int argc, char **argv) {
  size_t room;
  bench_start(argc, argv, "top", 8);
  failed |= log64_fast_workspace(&room, 2 * MOST, DPPAIR_ACCURACY_1E12, 8, NULL);
  failed |= log64_fast_init(&boxes, 2 * MOST, DPPAIR_ACCURACY_1E12, 8, NULL, bench_alloc(room), room);
  failed |= sq64_fast_workspace(&room, 2 * MOST, DPPAIR_ACCURACY_1E12, 8, NULL);
  failed |= sq64_fast_init(&sorting, 2 * MOST, DPPAIR_ACCURACY_1E12, 8, NULL, bench_alloc(room), room);
  {
    const dppair_options boxed = pass_of(&boxes);
    top = top_of(DPPAIR_TOP_NDCG, 0, 0, 0, 10);
    failed |= log64_top_coeffs_workspace(&room, MOST, &top, &boxed);
    top = top_of(DPPAIR_TOP_PUSH, 0, 0, 4, 0);
    failed |= log64_top_coeffs_workspace(&bytes, MOST, &top, &boxed);
    bytes = room > bytes ? room : bytes;
    work = bench_alloc(bytes);
  }
  make(10000);
  top = top_of(DPPAIR_TOP_PUSH, 0, 0, 4, 0);
  row("push, power 4", "C loop over all pairs", 50, 200, ours, push_loops, 1);
  top = top_of(DPPAIR_TOP_PRECISION, 0, 0, 0, 0);
  row("average precision", "C loop over all pairs", 50, 200, ours, precision_loops, 1);
  make(MOST);
  top = top_of(DPPAIR_TOP_PARTIAL, 1000, 0, 0, 0);
  row("partial AUC, top 1000", "C qsort and loops", 20, 40, ours, sorts_and_loops, 1);
  row("partial AUC, top 1000", "our coefficients of all", 0, 1, ours, all_pairs, 0);
  top = top_of(DPPAIR_TOP_PARTIAL, 1000, 1000, 0, 0);
  row("partial AUC, two-way", "C qsort and loops", 5, 20, ours, sorts_and_loops, 1);
  top = top_of(DPPAIR_TOP_PUSH, 0, 0, 4, 0);
  row("push, power 4", "our coefficients of all", 1 / 8.0, 1 / 4.0, ours, all_pairs, 0);
  row("push, squared hinge", "our coefficients of all", 0, 0, ours_squared, all_squared, 0);
  top = top_of(DPPAIR_TOP_PRECISION, 0, 0, 0, 0);
  row("average precision", "our coefficients of all", 1 / 5.0, 1 / 3.0, ours, all_pairs, 0);
  top = top_of(DPPAIR_TOP_NDCG, 0, 0, 0, 10);
  row("NDCG at 10, queries of 100", "C loop over pairs", 1.2, 3, ours_ranks, ranks_loops, 1);
  if (failed) {
    fprintf(stderr, "bench_top: a function of the library failed\n");
    return 1;
  }
  return bench_finish();
}
