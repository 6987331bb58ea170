/* SPDX-License-Identifier: MIT */
/* Time of one gradient over all pairs, by number of records: a table for bench/curve.gp. One thread,
 * d = 64, float data, logistic unless said; nanoseconds of processor time, nan where a peer would
 * take too long. */
#include "bench.h"
#include "loops.h"

#include "dppair_losses.h"
#define DPPAIR_NAME logistic
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME hinge
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"

enum { D = 64, MOST = 1 << 20 };
static size_t n, np, bytes;
static float *x, *w, *s, *g;
static double *c, *sum, *work, *table;
static dppair_fast boxes, sorted;
static volatile int failed;

static void ours(void *plan) {
  const dppair_options options = {NULL, 0, plan, NULL, work, bytes, NULL};
  dppair_rows_f32 rows = dppair_rows_make_f32(x, n, D, D);
  rows.positives = np;
  rows.radius = 64.0;
  failed |= plan == &sorted ? hinge_gradient(sum, &rows, w, &options)
                            : logistic_gradient(sum, &rows, w, &options);
}
static void loop(void *unused) {
  (void)unused;
  loop_pairs_f32(g, x, x + np * D, np, n - np, D, w, 0);
}
static void by_sorting(void *unused) {
  (void)unused;
  loop_sorted_f32(g, x, x + np * D, np, n - np, D, w, 1);
}
static void pointwise(void *unused) {
  const dppair_rows_f32 rows = dppair_rows_make_f32(x, n, D, D);
  (void)unused;
  failed |= dppair_scores_f32(s, &rows, w);
  loop_slopes_f32(c, s, n);
  failed |= dppair_combine_f32(sum, &rows, c);
}

static double median_ns(bench_work f, void *context) {
  double t[9];
  int k;
  const long repeats = bench_repeats_(f, context, 1);
  for (k = 0; k < 9; k++) t[k] = bench_block_(f, context, repeats, 1);
  return 1e9 * bench_median(t, 9);
}

int main(void) {
  static const dppair_options plain = {NULL, 0, &boxes, NULL, NULL, 0, NULL}; /* more than sorting */
  size_t i, j, most;
  x = bench_alloc((size_t)MOST * D * sizeof *x);
  w = bench_alloc(D * sizeof *w);
  s = bench_alloc(MOST * sizeof *s);
  g = bench_alloc(D * sizeof *g);
  c = bench_alloc(MOST * sizeof *c);
  sum = bench_alloc(D * sizeof *sum);
  for (i = 0; i < MOST; i++)
    for (j = 0; j < D; j++) x[i * D + j] = (float)bench_x(i, j, D);
  for (j = 0; j < D; j++) w[j] = (float)bench_w(j);
  failed |= logistic_fast_workspace(&most, MOST, DPPAIR_ACCURACY_1E6, 100, NULL);
  table = bench_alloc(most);
  failed |= logistic_fast_init(&boxes, MOST, DPPAIR_ACCURACY_1E6, 100, NULL, table, most);
  failed |= logistic_workspace(&bytes, MOST, D, &plain);
  work = bench_alloc(bytes);
  failed |= hinge_fast_workspace(&most, MOST, DPPAIR_ACCURACY_1E6, 100, NULL);
  table = bench_alloc(most);
  failed |= hinge_fast_init(&sorted, MOST, DPPAIR_ACCURACY_1E6, 100, NULL, table, most);
  printf("# %s, %s, load %.2f\n# n  all_pairs  pointwise  double_loop  hinge  hinge_qsort\n",
         bench_machine(), dppair_isa_name(), bench_load());
  for (n = 256; n <= MOST; n *= 2) {
    np = n / 2;
    printf("%zu %.5g %.5g ", n, median_ns(ours, &boxes), median_ns(pointwise, NULL));
    if (n <= 32768) printf("%.5g ", median_ns(loop, NULL));
    else printf("nan ");
    printf("%.5g %.5g\n", median_ns(ours, &sorted), median_ns(by_sorting, NULL));
    fflush(stdout);
  }
  return failed != 0;
}
