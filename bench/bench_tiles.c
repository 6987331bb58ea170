/* SPDX-License-Identifier: MIT */
/* Metric gradients, per-pair clipping and listed pairs against OpenBLAS forms and plain C loops. */
#include "bench.h"
#include "dppair_losses.h"
#include "dppair_metric.h"
#include "loops.h"

#if defined(BENCH_OPENBLAS)
#include <cblas.h>
void openblas_set_num_threads(int);
#endif

#define DPPAIR_NAME single
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME wide
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#define CLIP 0.5

typedef struct job {
  size_t n, d, np, nn, bytes, count, m, repeat, inner;
  float *x, *y, *xn, *w, *sp, *sn, *big, *big2, *gf, *wf;
  double *xd, *yd, *W, *g, *a, *b, *lists, *weights;
  size_t *i, *j;
  uint16_t *cache;
  void *work;
  int tier;
} job;

static void must(dppair_status status) {
  if (status == DPPAIR_OK) return;
  fprintf(stderr, "bench_tiles: %s\n", dppair_status_string(status));
  exit(1);
}

/* The data of bench.h: the first half of the records are x (positives), the second half xn. */
static job *make(size_t n, size_t d) {
  job *t = bench_alloc(sizeof *t);
  const size_t pack = 48 * 48 + 64;
  dppair_rows_f32 rows;
  t->n = n;
  t->d = d;
  t->np = n / 2;
  t->nn = n - n / 2;
  t->repeat = 1;
  t->x = bench_alloc(n * d * sizeof *t->x);
  t->xn = t->x + t->np * d;
  t->y = bench_alloc(n * sizeof *t->y);
  t->w = bench_alloc(d * sizeof *t->w);
  t->sp = bench_alloc(n * sizeof *t->sp);
  t->sn = t->sp + t->np;
  t->gf = bench_alloc((d * d + pack) * sizeof *t->gf);
  t->wf = bench_alloc(d * d * sizeof *t->wf);
  t->xd = bench_alloc(n * d * sizeof *t->xd);
  t->yd = bench_alloc(n * sizeof *t->yd);
  t->W = bench_alloc(d * d * sizeof *t->W);
  t->g = bench_alloc(2 * d * d * sizeof *t->g);
  t->a = bench_alloc(n * sizeof *t->a);
  t->b = t->a + t->np;
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < d; k++)
      t->xd[i * d + k] = (double)(t->x[i * d + k] = (float)bench_x(i, k, d));
    t->yd[i] = (double)(t->y[i] = i % 2 ? -1.0f : 1.0f);
  }
  for (size_t k = 0; k < d; k++) t->w[k] = (float)bench_w(k);
  for (size_t a = 0; a < d; a++)
    for (size_t b = 0; b < d; b++)
      t->wf[a * d + b] = (float)(t->W[a * d + b] = (double)(float)bench_metric(a, b, d));
  rows = dppair_rows_make_f32(t->x, n, d, d);
  must(dppair_scores_f32(t->sp, &rows, t->w));
  return t;
}
static void drop(job *t) {
  void *const all[] = {t->x, t->y, t->w,   t->sp,   t->gf, t->wf, t->xd,    t->yd,   t->W,
                       t->g, t->a, t->big, t->big2, t->i,  t->j,  t->cache, t->work, t};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

/* ---- ours - */

static dppair_rows_f32 single_rows(const job *t) {
  dppair_rows_f32 rows = dppair_rows_make_f32(t->x, t->n, t->d, t->d);
  rows.positives = t->np;
  rows.y = t->y;
  return rows;
}
static dppair_options pass_of(const job *t, int clipped) {
  static dppair_clip clip;
  dppair_options options = {NULL, 0, NULL, NULL, NULL, 0, NULL};
  if (clipped) {
    must(single_clip_init(&clip, CLIP));
    options.clip = &clip;
  }
  options.work = t->work;
  options.bytes = t->bytes;
  return options;
}
static void metric_f32(void *p) {
  job *t = p;
  const dppair_rows_f32 rows = single_rows(t);
  const dppair_options options = pass_of(t, 0);
  for (size_t r = 0; r < t->repeat; r++)
    must(single_form_gradient(t->g, DPPAIR_FORM_METRIC, &rows, t->W, t->d, 1.0, &options));
}
static void metric_f64(void *p) {
  job *t = p;
  dppair_rows_f64 rows = dppair_rows_make_f64(t->xd, t->n, t->d, t->d);
  const dppair_options options = pass_of(t, 0);
  rows.y = t->yd;
  for (size_t r = 0; r < t->repeat; r++)
    must(wide_form_gradient(t->g, DPPAIR_FORM_METRIC, &rows, t->W, t->d, 1.0, &options));
}
static void metric_clipped(void *p) {
  job *t = p;
  const dppair_rows_f32 rows = single_rows(t);
  const dppair_options options = pass_of(t, 1);
  must(single_form_gradient(t->g, DPPAIR_FORM_METRIC, &rows, t->W, t->d, 1.0, &options));
}
#if DPPAIR_HAVE_AVX2
static void metric_avx2(void *p) {
  job *t = p;
  const dppair_rows_f32 rows = single_rows(t);
  const dppair_options options = pass_of(t, 0);
  must(single_form_gradient_avx2(t->g, DPPAIR_FORM_METRIC, &rows, t->W, t->d, 1.0, &options));
}
#endif
static void clip(void *p) {
  job *t = p;
  const dppair_rows_f32 rows = single_rows(t);
  const dppair_options options = pass_of(t, 1);
  must(single_gradient(t->g, &rows, t->w, &options));
}
static void clip_cached(void *p) {
  job *t = p;
  const dppair_rows_f32 rows = single_rows(t);
  const dppair_options options = pass_of(t, 1);
  must(single_clip_coeffs(t->a, t->b, t->sp, t->sn, &rows, t->cache, t->count, &options));
  must(dppair_combine_f32(t->g, &rows, t->a));
}
static void listed(void *p) {
  job *t = p;
  const dppair_rows_f32 up = dppair_rows_make_f32(t->x, t->np, t->d, t->d);
  const dppair_rows_f32 down = dppair_rows_make_f32(t->xn, t->nn, t->d, t->d);
  const dppair_options options = pass_of(t, 1);
  must(single_pairs_gradient(t->g, &up, &down, t->w, t->i, t->j, NULL, t->m, &options));
}

/* ---- peers - */

static void loop_metric(void *p) {
  job *t = p;
  loop_metric_f32(t->gf, t->x, t->y, t->n, t->d, t->wf, 0);
}
static void loop_clip(void *p) {
  job *t = p;
  loop_clipped_f32(t->gf, t->x, t->xn, t->np, t->nn, t->d, t->w, (float)CLIP);
}
static void loop_list(void *p) {
  job *t = p;
  loop_listed_f32(t->gf, t->x, t->xn, t->d, t->w, t->i, t->j, t->m, (float)CLIP);
}

#if defined(BENCH_OPENBLAS)
/* A square product of as many flops as `repeat` metric gradients are worth. */
static void gemm_f32(void *p) {
  job *t = p;
  const blasint n = 2048, k = (blasint)t->inner;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, k, 1.0f, t->big, k, t->big, n, 0.0f,
              t->big2, n);
}
static void gemm_f64(void *p) {
  job *t = p;
  const blasint n = 1024, k = (blasint)t->inner;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, k, 1.0, (double *)t->big, k,
              (double *)t->big, n, 0.0, (double *)t->big2, n);
}
/* K = X X^T and K X alone: what the n x n form of a metric gradient cannot do without. */
static void two_gemms(void *p) {
  job *t = p;
  const blasint n = (blasint)t->n, d = (blasint)t->d;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, d, 1.0f, t->x, d, t->x, d, 0.0f,
              t->big, n);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, d, n, 1.0f, t->big, n, t->x, d, 0.0f,
              t->big2, d);
}
static void two_gemms_f64(void *p) {
  job *t = p;
  const blasint n = (blasint)t->n, d = (blasint)t->d;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, d, 1.0, t->xd, d, t->xd, d, 0.0,
              (double *)t->big, n);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, d, n, 1.0, (double *)t->big, n, t->xd,
              d, 0.0, (double *)t->big2, d);
}

/* The Gram form as array programs run it: each operation a pass over np x nn numbers, each result a
 * fresh array (as in numpy), the exponential by the compiler's vector library (see loops.c). */
static void gram_clip(void *p) {
  job *t = p;
  const size_t np = t->np, nn = t->nn, d = t->d;
  float *square = malloc(np * nn * sizeof *square), *a = malloc((np + nn) * sizeof *a), *b = a + np;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (blasint)np, (blasint)nn, (blasint)d, 1.0f,
              t->x, (blasint)d, t->xn, (blasint)d, 0.0f, square, (blasint)nn);
  cblas_sgemv(CblasRowMajor, CblasNoTrans, (blasint)np, (blasint)d, 1.0f, t->x, (blasint)d, t->w, 1,
              0.0f, a, 1);
  cblas_sgemv(CblasRowMajor, CblasNoTrans, (blasint)nn, (blasint)d, 1.0f, t->xn, (blasint)d, t->w,
              1, 0.0f, b, 1);
  loop_gram_clip_f32(square, a, b, t->x, t->xn, np, nn, d, (float)CLIP);
  cblas_sgemv(CblasRowMajor, CblasTrans, (blasint)np, (blasint)d, 1.0f, t->x, (blasint)d, a, 1,
              0.0f, t->gf, 1);
  cblas_sgemv(CblasRowMajor, CblasTrans, (blasint)nn, (blasint)d, -1.0f, t->xn, (blasint)d, b, 1,
              1.0f, t->gf, 1);
  free(square);
  free(a);
}
#endif

/* ---- rows - */

/* |g - reference| / |reference| of the gradient that `ours` leaves in t->g. */
static double error_of(job *t, bench_work ours, const double *reference, size_t size) {
  double off = 0.0, norm = 0.0;
  ours(t);
  for (size_t e = 0; e < size; e++) {
    off += (t->g[e] - reference[e]) * (t->g[e] - reference[e]);
    norm += reference[e] * reference[e];
  }
  return sqrt(off / norm);
}

static job *metric_job(size_t n, size_t d) {
  job *t = make(n, d);
  const dppair_options clipped = pass_of(t, 1);
  size_t other;
  must(single_form_workspace(&t->bytes, n, d, d, &clipped));
  must(wide_form_workspace(&other, n, d, d, NULL));
  t->bytes = other > t->bytes ? other : t->bytes;
  t->work = bench_alloc(t->bytes);
  return t;
}

static void metric_rows(size_t n, size_t d, double two_floor, double two_moonshot) {
  job *t = metric_job(n, d);
  double *reference = bench_alloc(d * d * sizeof *reference);
  bench_row row;
  metric_f64(t);
  memcpy(reference, t->g, d * d * sizeof *reference);
#if defined(BENCH_OPENBLAS)
  t->big = bench_alloc(n * n * sizeof(double));
  t->big2 = bench_alloc(n * d * sizeof(double));
  row = bench_describe("metric", "two full OpenBLAS GEMMs", n, d, "f32");
  row.floor = two_floor;
  row.moonshot = two_moonshot;
  row.error = error_of(t, metric_f32, reference, d * d);
  bench_compare(&row, metric_f32, t, two_gemms, t);
  row = bench_describe("metric", "two full OpenBLAS GEMMs", n, d, "f64");
  bench_compare(&row, metric_f64, t, two_gemms_f64, t);
#endif
  if (n <= 512) {
    row = bench_describe("metric", "plain double loop", n, d, "f32");
    bench_compare(&row, metric_f32, t, loop_metric, t);
    free(reference);
    drop(t);
    return;
  }
  row = bench_describe("metric, clipped over plain", "metric", n, d, "f32");
  bench_compare(&row, metric_clipped, t, metric_f32, t);
#if DPPAIR_HAVE_AVX2
  if (dppair_tier() == DPPAIR_TIER_AVX512) {
    row = bench_describe("metric, AVX2 over AVX-512", "metric", n, d, "f32");
    row.floor = row.moonshot = 1.0 / 1.6;
    bench_compare(&row, metric_avx2, t, metric_f32, t);
  }
#endif
  free(reference);
  drop(t);
}

/* The share of OpenBLAS's own rate that the useful 2 n^2 d flops reach: both sides do the same
 * number of flops, the product as one large square of that rate. */
static void share_rows(void) {
#if defined(BENCH_OPENBLAS)
  job *t = metric_job(2000, 64);
  bench_row row =
      bench_describe("metric, share of gemm rate", "sgemm 2048 x 2048 x 2075", 2000, 64, "f32");
  t->big = bench_alloc(2048 * 2076 * sizeof(float));
  t->big2 = bench_alloc(2048 * 2048 * sizeof(float));
  for (size_t e = 0; e < 2048 * 2076; e++) t->big[e] = (float)bench_uniform(e);
  row.floor = 0.62;
  row.moonshot = 0.85;
  t->repeat = 34;
  t->inner = 2075; /* 34 * 2000^2 * 64 / 2048^2 */
  bench_compare(&row, metric_f32, t, gemm_f32, t);
  row = bench_describe("metric, share of gemm rate", "dgemm 1024 x 1024 x 1221", 2000, 64, "f64");
  for (size_t e = 0; e < 1024 * 1221; e++) ((double *)t->big)[e] = bench_uniform(e);
  t->repeat = 5;
  t->inner = 1221; /* 5 * 2000^2 * 64 / 1024^2 */
  bench_compare(&row, metric_f64, t, gemm_f64, t);
  drop(t);
#endif
}

static void clip_rows(size_t n, size_t d, double floor, double moonshot) {
  job *t = make(n, d);
  double *reference = bench_alloc(d * sizeof *reference);
  dppair_rows_f64 rows = dppair_rows_make_f64(t->xd, n, d, d);
  dppair_rows_f32 narrow;
  dppair_options options = pass_of(t, 1);
  bench_row row;
  must(single_clip_workspace(&t->bytes, &t->count, n, d));
  t->cache = bench_alloc(t->count * sizeof *t->cache);
  must(wide_workspace(&t->bytes, n, d, &options));
  t->bytes *= 2;
  t->work = bench_alloc(t->bytes);
  {
    double *w = bench_alloc(d * sizeof *w);
    for (size_t k = 0; k < d; k++) w[k] = (double)t->w[k];
    options = pass_of(t, 1);
    rows.positives = t->np;
    must(wide_gradient(reference, &rows, w, &options));
    free(w);
  }
  narrow = single_rows(t);
  must(single_clip_cache(t->cache, t->count, &narrow, &options));
#if defined(BENCH_OPENBLAS)
  row = bench_describe("clip per pair", "Gram by OpenBLAS, as numpy", n, d, "f32");
  row.floor = floor;
  row.moonshot = moonshot;
  row.error = error_of(t, clip, reference, d);
  bench_compare(&row, clip, t, gram_clip, t);
#else
  (void)floor;
  (void)moonshot;
#endif
  row = bench_describe("clip per pair, stored caps", "clip per pair", n, d, "f32");
  row.error = error_of(t, clip_cached, reference, d);
  bench_compare(&row, clip_cached, t, clip, t);
  if (n <= 2000) {
    row = bench_describe("clip per pair", "plain double loop", n, d, "f32");
    bench_compare(&row, clip, t, loop_clip, t);
  }
  free(reference);
  drop(t);
}

static void list_rows(size_t n, size_t d, size_t m) {
  job *t = make(n, d);
  bench_row row = bench_describe("listed pairs, clipped (n pairs)", "plain loop", m, d, "f32");
  t->m = m;
  t->i = bench_alloc(m * sizeof *t->i);
  t->j = bench_alloc(m * sizeof *t->j);
  for (size_t k = 0; k < m; k++) {
    t->i[k] = (size_t)(bench_uniform(2 * k) * (double)t->np);
    t->j[k] = (size_t)(bench_uniform(2 * k + 1) * (double)t->nn);
  }
  must(single_pairs_workspace(&t->bytes, d));
  t->work = bench_alloc(t->bytes);
  bench_compare(&row, listed, t, loop_list, t);
  drop(t);
}

int main(int argc, char **argv) {
  bench_start(argc, argv, "tiles", 9.0);
#if defined(BENCH_OPENBLAS)
  openblas_set_num_threads(1);
#endif
  if (bench_wanted("metric")) {
    share_rows();
    metric_rows(512, 64, 0.0, 0.0);
    metric_rows(2000, 8, 2.5, 4.0);
    metric_rows(2000, 64, 1.4, 1.9);
  }
  if (bench_wanted("clip")) {
    clip_rows(512, 64, 0.0, 0.0);
    clip_rows(2000, 64, 0.0, 0.0);
    clip_rows(10000, 64, 5.0, 13.0);
  }
  if (bench_wanted("listed")) list_rows(10000, 64, 100000);
  return bench_finish();
}
