/* SPDX-License-Identifier: MIT */
/*
 * roofline - flops and bytes of each kernel, and its share of what this machine allows.
 *
 * The limits are measured first: fused multiply-adds that stay in registers, and reading an array of
 * the size of the kernel's data. A kernel's roof is the smaller of the arithmetic rate and bandwidth
 * times its flops per byte. Bytes are what must be read or written once if every cache were perfect.
 * --points: for bench/roofline.gp, a line for each kernel and size.
 */
#include "bench.h"
#include "loops.h"

#include "dppair_losses.h"
#include "dppair_metric.h"
#define DPPAIR_NAME single
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME hinge
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"

enum { D = 64 };
static size_t n, work_bytes;
static float *x, *w, *s, *y;
static double *xd, *wd, *sd, *c, *g, *table[2], *metric, *work;
static int points;
static dppair_fast plan, sorted;
static volatile int failed;
static volatile double sink;

static double median_seconds(bench_work f) {
  double t[11];
  int k;
  const long repeats = bench_repeats_(f, NULL, 1);
  for (k = 0; k < 11; k++) t[k] = bench_block_(f, NULL, repeats, 1);
  return bench_median(t, 11);
}

static void peak32(void *u) { (void)u; sink = (double)loop_peak_f32(1000); }
static void peak64(void *u) { (void)u; sink = loop_peak_f64(1000); }
static void read32(void *u) { (void)u; sink = (double)loop_read_f32(x, n * D); }
static void read64(void *u) { (void)u; sink = loop_read_f64(xd, n * D); }
static dppair_rows_f32 rows32(void) { return dppair_rows_make_f32(x, n, D, D); }
static dppair_rows_f64 rows64(void) { return dppair_rows_make_f64(xd, n, D, D); }
static void scores32(void *u) {
  const dppair_rows_f32 rows = rows32();
  (void)u;
  failed |= dppair_scores_f32(s, &rows, w);
}
static void scores64(void *u) {
  const dppair_rows_f64 rows = rows64();
  (void)u;
  failed |= dppair_scores_f64(sd, &rows, wd);
}
static void combine32(void *u) {
  const dppair_rows_f32 rows = rows32();
  (void)u;
  failed |= dppair_combine_f32(g, &rows, c);
}
static void combine64(void *u) {
  const dppair_rows_f64 rows = rows64();
  (void)u;
  failed |= dppair_combine_f64(g, &rows, c);
}
static void boxes(void *u) {
  (void)u;
  failed |= single_coeffs_fast(c, c + n / 2, s, n / 2, s + n / 2, n - n / 2, NULL, &plan);
}
static void ranks(void *u) {
  (void)u;
  failed |= hinge_coeffs_fast(c, c + n / 2, s, n / 2, s + n / 2, n - n / 2, NULL, &sorted);
}
static void loops(void *u) {
  (void)u;
  failed |= single_coeffs(c, c + n / 2, s, n / 2, s + n / 2, n - n / 2, NULL);
}

static void metrics(void *u) {
  const dppair_options options = {NULL, 0, NULL, NULL, work, work_bytes, NULL};
  dppair_rows_f32 rows = rows32();
  (void)u;
  rows.y = y;
  failed |= single_form_gradient(g, DPPAIR_FORM_METRIC, &rows, metric, D, 1.0, &options);
}

static void show(const char *name, bench_work f, double flops, double bytes, double gflops,
                 double gbytes) {
  const double t = median_seconds(f) * 1e9;
  const double roof = fmin(gflops, gbytes * flops / bytes);
  if (points)
    printf("%zu %.4g %.4g %.4g \"%s\"\n", n, flops / bytes, flops / t, gbytes, name);
  else
    printf("%-34s %8zu %10.4g %8.2f %8.2f %8.2f %7.0f %%  %s\n", name, n, t / 1e3, flops / bytes,
           flops / t, bytes / t, 100 * flops / t / roof, roof < gflops ? "bandwidth" : "arithmetic");
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {2000, 10000, 200000};
  const size_t most = 200000;
  const double p32 = 1000 * 2048e-9 / median_seconds(peak32);
  const double p64 = 1000 * 1024e-9 / median_seconds(peak64);
  size_t i, j, k, bytes;
  static const dppair_options plain;
  points = argc > 1 && strcmp(argv[1], "--points") == 0;
  printf("%s%s, instructions %s, load %.2f\n", points ? "# " : "roofline: ", bench_machine(),
         dppair_isa_name(), bench_load());
  printf("%sarithmetic: %.0f GFLOP/s in float, %.0f in double\n", points ? "# " : "", p32, p64);
  x = bench_alloc(most * D * sizeof *x);
  xd = bench_alloc(most * D * sizeof *xd);
  w = bench_alloc(D * sizeof *w);
  wd = bench_alloc(D * sizeof *wd);
  s = bench_alloc(most * sizeof *s);
  sd = bench_alloc(most * sizeof *sd);
  c = bench_alloc(most * sizeof *c);
  y = bench_alloc(most * sizeof *y);
  g = bench_alloc(D * D * sizeof *g);
  metric = bench_alloc(D * D * sizeof *metric);
  for (i = 0; i < D * D; i++) metric[i] = bench_metric(i / D, i % D, D);
  for (i = 0; i < most; i++) y[i] = i % 2 ? -1.0f : 1.0f;
  for (i = 0; i < most; i++)
    for (j = 0; j < D; j++) x[i * D + j] = (float)(xd[i * D + j] = bench_x(i, j, D));
  for (j = 0; j < D; j++) w[j] = (float)(wd[j] = bench_w(j));
  failed |= single_fast_workspace(&bytes, most, DPPAIR_ACCURACY_1E6, 100, NULL);
  table[0] = bench_alloc(bytes);
  failed |= single_fast_init(&plan, most, DPPAIR_ACCURACY_1E6, 100, NULL, table[0], bytes);
  failed |= hinge_fast_workspace(&bytes, most, DPPAIR_ACCURACY_1E6, 100, NULL);
  table[1] = bench_alloc(bytes);
  failed |= hinge_fast_init(&sorted, most, DPPAIR_ACCURACY_1E6, 100, NULL, table[1], bytes);
  failed |= single_form_workspace(&work_bytes, sizes[1], D, D, &plain);
  work = bench_alloc(work_bytes);
  for (k = 0; k < 3; k++) {
    double r, b32, b64;
    n = sizes[k];
    r = (double)n;
    b32 = 4 * r * D / median_seconds(read32) / 1e9;
    b64 = 8 * r * D / median_seconds(read64) / 1e9;
    if (!points) {
      printf("\nn = %zu, d = %d: reading runs at %.0f GB/s (float), %.0f (double)\n", n, D, b32, b64);
      printf("%-34s %8s %10s %8s %8s %8s %9s  %s\n", "kernel", "n", "us", "flop/B", "GFLOP/s",
             "GB/s", "of roof", "limit");
    }
    show("scores, float", scores32, 2 * r * D, 4 * r * D, p32, b32);
    show("scores, double", scores64, 2 * r * D, 8 * r * D, p64, b64);
    show("X^T c, float rows, double sums", combine32, 2 * r * D, 4 * r * D, p64, b32);
    show("X^T c, double", combine64, 2 * r * D, 8 * r * D, p64, b64);
    /* 8 moments and 8 terms per record; a score read twice, a coefficient written once */
    scores32(NULL);
    show("boxes, 8 terms", boxes, 40 * r, 16 * r, p64, b32);
    show("sorted ranks (no arithmetic)", ranks, r, 40 * r, p64, b32);
    /* per pair: product, sum, quotient (counted as one), two additions */
    if (n <= 10000) show("pair loops, float", loops, 5 * r * r / 4, 12 * r, p32, b32);
    /* per pair of two records: a product of their rows, and its sum with weights */
    if (n <= 10000) show("metric gradient, float", metrics, 2 * r * r * D, 4 * r * D, p32, b32);
  }
  return failed != 0;
}
