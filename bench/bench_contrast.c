/* SPDX-License-Identifier: MIT */
/* Row-wise losses: the share of OpenBLAS's rate that a gradient reaches, plain C loops, memory. */
#include "bench.h"
#include "loops.h"

#if defined(BENCH_OPENBLAS)
#include <cblas.h>
void openblas_set_num_threads(int);
#endif

#define DPPAIR_NAME single
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"
#define DPPAIR_NAME triplet
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_triplet
#include "dppair_contrast.h"

#define DPPAIR_NAME wide
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"

typedef struct job {
  size_t n, d, bytes, inner;
  float *z, *dz, *y, *big, *big2;
  size_t *partner;
  void *work;
  dppair_contrast how;
} job;

/* Two views of each record, one after the other, as bench.h says. */
static job *make(size_t n, size_t d) {
  job *t = bench_alloc(sizeof *t);
  t->n = n;
  t->d = d;
  t->z = bench_alloc(n * d * sizeof *t->z);
  t->dz = bench_alloc(n * d * sizeof *t->dz);
  t->partner = bench_alloc(n * sizeof *t->partner);
  for (size_t i = 0; i < n; i++) {
    t->partner[i] = i ^ 1;
    for (size_t f = 0; f < d; f++) t->z[i * d + f] = (float)bench_x(i, f, d);
  }
  t->how.temperature = 0.1;
  t->how.compare = DPPAIR_COMPARE_DOT;
  t->how.positives = DPPAIR_POSITIVE_PARTNER;
  t->how.partner = t->partner;
  if (single_contrast_workspace(&t->bytes, n, 0, d, NULL) != DPPAIR_OK) exit(1);
  t->work = bench_alloc(t->bytes);
  return t;
}
static void drop(job *t) {
  void *const all[] = {t->z, t->dz, t->y, t->big, t->big2, t->partner, t->work, t};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

static void gradient(void *p) {
  job *t = p;
  const dppair_rows_f32 rows = dppair_rows_make_f32(t->z, t->n, t->d, t->d);
  dppair_options options;
  memset(&options, 0, sizeof options);
  options.work = t->work;
  options.bytes = t->bytes;
  if (single_contrast_gradient(t->dz, NULL, &rows, NULL, &t->how, &options) != DPPAIR_OK) exit(1);
}
/* The largest difference from the gradient in double, over its largest number. */
static double error_of(job *t) {
  const size_t count = t->n * t->d;
  double *z = bench_alloc(count * sizeof *z), *dz = bench_alloc(count * sizeof *dz);
  double off = 0.0, largest = 0.0;
  const dppair_rows_f64 rows = dppair_rows_make_f64(z, t->n, t->d, t->d);
  dppair_options options;
  memset(&options, 0, sizeof options);
  if (wide_contrast_workspace(&options.bytes, t->n, 0, t->d, NULL) != DPPAIR_OK) exit(1);
  options.work = bench_alloc(options.bytes);
  for (size_t e = 0; e < count; e++) z[e] = (double)t->z[e];
  if (wide_contrast_gradient(dz, NULL, &rows, NULL, &t->how, &options) != DPPAIR_OK) exit(1);
  gradient(t);
  for (size_t e = 0; e < count; e++) {
    off = fmax(off, fabs((double)t->dz[e] - dz[e]));
    largest = fmax(largest, fabs(dz[e]));
  }
  free(z);
  free(dz);
  free(options.work);
  return off / largest;
}
static void loop(void *p) {
  job *t = p;
  loop_infonce_f32(t->dz, t->z, t->partner, t->n, t->d, (float)t->how.temperature);
}
/* Rows with labels of 32 classes. */
static job *make_triplets(size_t n, size_t d, dppair_triples triples) {
  job *t = make(n, d);
  t->y = bench_alloc(n * sizeof *t->y);
  for (size_t i = 0; i < n; i++) t->y[i] = (float)(i % 32);
  free(t->work);
  if (triplet_contrast_workspace(&t->bytes, n, 0, d, NULL) != DPPAIR_OK) exit(1);
  t->work = bench_alloc(t->bytes);
  t->how.temperature = 1.0;
  t->how.compare = DPPAIR_COMPARE_DISTANCE;
  t->how.positives = DPPAIR_POSITIVE_LABEL;
  t->how.margin = 0.2;
  t->how.triples = triples;
  return t;
}
static void triplets(void *p) {
  job *t = p;
  dppair_rows_f32 rows = dppair_rows_make_f32(t->z, t->n, t->d, t->d);
  dppair_options options;
  memset(&options, 0, sizeof options);
  rows.y = t->y;
  options.work = t->work;
  options.bytes = t->bytes;
  if (triplet_contrast_gradient(t->dz, NULL, &rows, NULL, &t->how, &options) != DPPAIR_OK) exit(1);
}
static void triplet_loop(void *p) {
  job *t = p;
  loop_triplets_f32(t->dz, t->z, t->y, t->n, t->d, (float)t->how.margin);
}
#if defined(BENCH_OPENBLAS)
/* A square product of as many flops as the useful 6 n^2 d of the gradient. */
static void gemm(void *p) {
  job *t = p;
  const blasint n = 2048, k = (blasint)t->inner;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, k, 1.0f, t->big, k, t->big, n, 0.0f,
              t->big2, n);
}
#endif

int main(int argc, char **argv) {
  bench_row row;
  bench_start(argc, argv, "contrast", 12.0);
#if defined(BENCH_OPENBLAS)
  openblas_set_num_threads(1);
  for (int two = 0; two < 2; two++) {
    job *t = make(two ? 2048 : 4096, 128);
    t->inner = 3 * t->n * t->n * t->d / (2048 * 2048);
    t->big = bench_alloc(2048 * t->inner * sizeof(float));
    t->big2 = bench_alloc(2048 * 2048 * sizeof(float));
    for (size_t e = 0; e < 2048 * t->inner; e++) t->big[e] = (float)bench_uniform(e);
    if (two) t->how.compare = DPPAIR_COMPARE_COSINE;
    row = bench_describe(two ? "NT-Xent, share of gemm rate" : "InfoNCE, share of gemm rate",
                         "sgemm of 6 n^2 d flops", t->n, t->d, "f32");
    row.error = error_of(t);
    row.floor = two ? 0.0 : 0.5;
    row.moonshot = two ? 0.0 : 0.75;
    bench_compare(&row, gradient, t, gemm, t);
    drop(t);
  }
#endif
  {
    job *t = make(1024, 64);
    row = bench_describe("InfoNCE gradient", "plain loops, one row at a time", t->n, t->d, "f32");
    bench_compare(&row, gradient, t, loop, t);
    drop(t);
  }
  {
    size_t bytes;
    if (single_contrast_workspace(&bytes, 100000, 0, 64, NULL) != DPPAIR_OK) exit(1);
    row = bench_describe("InfoNCE, memory", "100 MB (n x n: 40 GB)", 100000, 64, "f32");
    row.floor = 1.0;
    row.moonshot = 2.0;
    bench_sizes(&row, (double)bytes, 1e8);
  }
  for (size_t d = 64; d <= 128; d *= 2) {
    job *t = make_triplets(1024, d, DPPAIR_TRIPLES_ALL);
    row = bench_describe("triplets, 32 classes", "plain loops over triplets", t->n, d, "f32");
    row.floor = d > 64 ? 0.0 : 10.0;
    row.moonshot = d > 64 ? 0.0 : 20.0;
    bench_compare(&row, triplets, t, triplet_loop, t);
    drop(t);
  }
  {
    job *semi = make_triplets(1024, 64, DPPAIR_TRIPLES_SEMI_HARD);
    job *all = make_triplets(1024, 64, DPPAIR_TRIPLES_ALL);
    row = bench_describe("triplets, semi-hard", "all of them", all->n, all->d, "f32");
    bench_compare(&row, triplets, semi, triplets, all);
    drop(semi);
    drop(all);
  }
  {
    size_t bytes;
    if (triplet_contrast_workspace(&bytes, 100000, 0, 64, NULL) != DPPAIR_OK) exit(1);
    row = bench_describe("triplets, memory", "50 MB", 100000, 64, "f32");
    row.floor = 1.0;
    bench_sizes(&row, (double)bytes, 5e7);
  }
  return bench_finish();
}
