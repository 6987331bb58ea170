/* SPDX-License-Identifier: MIT */
/* The same bits on 1, 2 and 4 threads: gradients by OpenMP and by a pool of POSIX threads.
 *
 *   threads [RECORDS [STEPS]]     default 4096 records (16 times as many for the AUC), 20 steps
 *
 * Trains by four gradients, each by every runner: a logistic AUC over a prepared state and a metric
 * in 8 parts (their number may change the last bits, threads never), the AUC over an order-free
 * state and InfoNCE in as many parts as threads. Prints the time of a step and what it is of that
 * of one thread; fails where one bit of what was trained differs. The library starts no thread
 * itself: a runner is all that it takes (src/core/parts.h). Nothing here is private: a release,
 * NAME_release with the same pass, would add the noise. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "dppair_losses.h"
#include "dppair_metric.h"

#include "pool.h"
#ifdef _OPENMP
#include <omp.h>
#endif

#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#define DPPAIR_NAME infonce
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"

enum { D = 32, PARTS = 8 };
typedef struct data {
  size_t n, many, steps; /* many: records of the AUC, whose time is not that of all pairs */
  double *x, *y;
  float *z, *dz; /* embeddings, and the gradient in them */
  size_t *partner;
  double w[D * D]; /* what is trained */
  dppair_fast sorted, order_free;
} data;

static void must(dppair_status status) {
  if (status == DPPAIR_OK) return;
  fprintf(stderr, "threads: %s\n", dppair_status_string(status));
  exit(1);
}

static void *room(size_t bytes) {
  void *p = malloc(bytes ? bytes : 1);
  if (!p) must(DPPAIR_ERR_WORKSPACE);
  return p;
}

/* The pass over `parts`, with its workspace; free(options.work). */
static dppair_options pass_of(const dppair_tasks *parts, const dppair_fast *fast) {
  dppair_options options;
  memset(&options, 0, sizeof options);
  options.tasks = parts;
  options.fast = fast;
  return options;
}

static void train_auc(data *t, const dppair_tasks *parts, const dppair_fast *fast) {
  dppair_options options = pass_of(parts, fast);
  dppair_rows_f64 rows = dppair_rows_make_f64(t->x, t->many, D, D);
  double g[D];
  rows.positives = t->many / 2;
  rows.radius = sqrt((double)D);
  memset(t->w, 0, sizeof t->w);
  must(rank_workspace(&options.bytes, t->many, D, &options));
  options.work = room(options.bytes);
  for (size_t step = 0; step < t->steps; step++) {
    must(rank_gradient(g, &rows, t->w, &options));
    for (size_t k = 0; k < D; k++) t->w[k] -= 4.0 / ((double)t->many * (double)t->many) * g[k];
    must(dppair_project_l2_f64(t->w, D, 1.0));
  }
  free(options.work);
}
static void train_sorted(data *t, const dppair_tasks *parts) { train_auc(t, parts, &t->sorted); }
static void train_order_free(data *t, const dppair_tasks *parts) {
  train_auc(t, parts, &t->order_free);
}

static void train_metric(data *t, const dppair_tasks *parts) {
  dppair_options options = pass_of(parts, NULL);
  dppair_rows_f64 rows = dppair_rows_make_f64(t->x, t->n, D, D);
  static double g[D * D];
  rows.y = t->y;
  memset(t->w, 0, sizeof t->w);
  must(rank_form_workspace(&options.bytes, t->n, D, D, &options));
  options.work = room(options.bytes);
  for (size_t step = 0; step < t->steps; step++) {
    must(rank_form_gradient(g, DPPAIR_FORM_METRIC, &rows, t->w, D, 1.0, &options));
    for (size_t k = 0; k < D * D; k++) t->w[k] -= 0.1 / ((double)t->n * (double)t->n) * g[k];
  }
  free(options.work);
}

/* Two views of a record stand next to each other; the embeddings themselves are trained. */
static void train_infonce(data *t, const dppair_tasks *parts) {
  dppair_options options = pass_of(parts, NULL);
  const dppair_rows_f32 rows = dppair_rows_make_f32(t->z, t->n, D, D);
  dppair_contrast how;
  memset(&how, 0, sizeof how);
  how.compare = DPPAIR_COMPARE_COSINE;
  how.temperature = 0.1;
  how.positives = DPPAIR_POSITIVE_PARTNER;
  how.partner = t->partner;
  for (size_t k = 0; k < t->n * D; k++) t->z[k] = (float)t->x[k];
  must(infonce_contrast_workspace(&options.bytes, t->n, 0, D, &options));
  options.work = room(options.bytes);
  for (size_t step = 0; step < t->steps; step++) {
    must(infonce_contrast_gradient(t->dz, NULL, &rows, NULL, &how, &options));
    for (size_t k = 0; k < t->n * D; k++) t->z[k] -= 0.1f * t->dz[k];
  }
  memset(t->w, 0, sizeof t->w);
  for (size_t k = 0; k < t->n * D; k++) t->w[k % (D * D)] += (double)t->z[k];
  free(options.work);
}

#ifdef _OPENMP
/* self: the number of threads. */
static void openmp_run(dppair_task *task, void *context, size_t parts, void *self) {
  const int threads = *(const int *)self;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (long part = 0; part < (long)parts; part++) task(context, (size_t)part);
}
#endif

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const struct {
  const char *name;
  void (*train)(data *t, const dppair_tasks *parts);
  size_t parts; /* 0: as many as threads */
} work[] = {{"AUC, boxes, 8 parts", train_sorted, PARTS},
            {"AUC, order-free", train_order_free, 0},
            {"metric, 8 parts", train_metric, PARTS},
            {"InfoNCE", train_infonce, 0}};

/* Trains all by a runner of so many threads; the first time keeps what was trained and how long it
 * took. Returns how many are trained otherwise. */
static int compare(data *t, const char *runner, size_t threads, dppair_executor *run, void *self) {
  enum { WORKS = sizeof work / sizeof *work };
  static double first[WORKS][D * D], alone[WORKS];
  int other = 0;
  for (size_t k = 0; k < WORKS; k++) {
    const dppair_tasks parts = {work[k].parts ? work[k].parts : threads, run, self};
    double seconds;
    int same;
    if (alone[k] == 0.0) work[k].train(t, &parts); /* nobody's memory is new */
    seconds = now();
    work[k].train(t, &parts);
    seconds = now() - seconds;
    if (alone[k] == 0.0) {
      alone[k] = seconds;
      memcpy(first[k], t->w, sizeof t->w);
    }
    same = memcmp(first[k], t->w, sizeof t->w) == 0;
    other += !same;
    printf("%-20s %-7s %zu thread%s %9.3f ms a step, %5.2f x%s\n", work[k].name, runner, threads,
           threads == 1 ? " " : "s", 1e3 * seconds / (double)t->steps, alone[k] / seconds,
           same ? "" : "  OTHER BITS");
  }
  return other;
}

static void prepare(data *t) {
  const size_t n = t->n, many = t->many;
  size_t bytes;
  uint64_t state = 1;
  t->x = room(many * D * sizeof *t->x);
  t->y = room(n * sizeof *t->y);
  t->z = room(n * D * sizeof *t->z);
  t->dz = room(n * D * sizeof *t->dz);
  t->partner = room(n * sizeof *t->partner);
  for (size_t k = 0; k < many * D; k++) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    t->x[k] = (double)(state >> 11) * 0x1p-52 - 1.0; /* -1 to 1 */
  }
  for (size_t i = 0; i < n; i++) {
    t->y[i] = i < n / 2 ? 1.0 : -1.0;
    t->partner[i] = i ^ 1;
  }
  for (size_t i = 0; i < many; i++) t->x[i * D] = 0.5 * t->x[i * D] + (i < many / 2 ? 0.25 : -0.25);
  must(rank_fast_workspace(&bytes, many, DPPAIR_ACCURACY_1E9, 12.0, NULL));
  must(rank_fast_init(&t->sorted, many, DPPAIR_ACCURACY_1E9, 12.0, NULL, room(bytes), bytes));
  must(rank_sums_workspace(&bytes, many, DPPAIR_ACCURACY_1E9, 12.0, NULL));
  must(rank_sums_init(&t->order_free, many, DPPAIR_ACCURACY_1E9, 12.0, NULL, room(bytes), bytes));
}

int main(int argc, char **argv) {
  static const size_t threads[] = {1, 2, 4};
  static data t;
  int other = 0;
  t.n = argc > 1 ? strtoul(argv[1], NULL, 10) : 4096;
  t.many = 16 * t.n;
  t.steps = argc > 2 ? strtoul(argv[2], NULL, 10) : 20;
  if (argc > 3 || t.n < 2 || t.n % 2 || t.n > 1 << 20 || t.steps < 1) {
    fprintf(stderr, "threads [RECORDS [STEPS]]: an even number of records, 1 step or more\n");
    return 2;
  }
  prepare(&t);
  for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
    static pool p;
    if (!pool_open(&p, threads[k])) must(DPPAIR_ERR_ENVIRONMENT);
    if (p.threads < threads[k])
      printf("only %zu thread%s could be started\n", p.threads, p.threads == 1 ? "" : "s");
    other += compare(&t, "pool", p.threads, pool_run, &p);
    pool_close(&p);
  }
#ifdef _OPENMP
  for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
    int count = (int)threads[k];
    other += compare(&t, "OpenMP", threads[k], openmp_run, &count);
  }
#else
  puts("compiled without OpenMP (gcc -fopenmp)");
#endif
  puts(other ? "FAIL: other bits" : "equal bits");
  return other != 0;
}
