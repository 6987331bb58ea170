/* SPDX-License-Identifier: MIT */
/*
 * bench.h - a small harness that compares two ways of doing the same work.
 *
 * Machines are shared and clocks drift, so a time by itself says little. Candidate and peer run in
 * one process, in alternating blocks of about 2 ms; each round gives one ratio peer / candidate, and
 * the median over rounds is what is reported. A ratio above 1 always means that we are faster. The
 * clock is the processor time of this thread, which does not count what other programs take; rows
 * with more than one thread are timed by the wall clock.
 *
 *   static void ours(void *p) { ... }        one unit of work
 *   static void theirs(void *p) { ... }      the same work, done the other way
 *
 *   int main(int argc, char **argv) {
 *     bench_row row;
 *     bench_start(argc, argv, "noise", 10.0);              seconds that this program may take
 *     row = bench_describe("gaussian", "numpy-like loop", n, 0, "f64");
 *     row.floor = 5.0;  row.moonshot = 8.0;                ratios to reach; 0: no goal
 *     row.error = 1e-7;                                    measured error of ours; negative: none
 *     bench_compare(&row, ours, &o, theirs, &t);
 *     return bench_finish();
 *   }
 *
 * With --json every row is one JSON object on one line, with the times of all rounds (README.md).
 * bench_weight(share) gives the next rows more (or less) of the time budget; --quick cuts the number
 * of rounds. --only TEXT runs the rows whose bench name contains TEXT.
 */
#ifndef DPPAIR_BENCH_H
#define DPPAIR_BENCH_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "dppair.h"
#include "json.h"

typedef void (*bench_work)(void *context);

enum { BENCH_ROUNDS_ = 41 };

typedef struct bench_row {
  const char *bench, *candidate, *peer, *dtype, *tier;
  size_t n, d;
  int threads;
  double floor, moonshot; /* goals for the ratio; 0 when there is none */
  double error;           /* of our result, negative when it was not measured */
  double median, peer_median, ratio, low, high; /* seconds, or bytes; an interval of the ratio */
  int bytes;                                    /* 1: of memory */
  int rounds, peer_rounds;                      /* peer_rounds 0: the peer is a limit */
  double ours[BENCH_ROUNDS_], theirs[BENCH_ROUNDS_];
} bench_row;

static struct bench_state_ {
  int json, quick, rows, missed, headed;
  double budget, weight, start;
  const char *only, *title;
} bench_;

static inline double bench_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double bench_clock_(int threads) {
  struct timespec t;
  clock_gettime(threads > 1 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double bench_load(void) {
  double load = -1.0;
  FILE *f = fopen("/proc/loadavg", "r");
  if (f) {
    if (fscanf(f, "%lf", &load) != 1) load = -1.0;
    fclose(f);
  }
  return load;
}

/* The processor's own name, or "unknown processor". */
static inline const char *bench_machine(void) {
  static char name[128];
  char line[256];
  FILE *f = fopen("/proc/cpuinfo", "r");
  strcpy(name, "unknown processor");
  while (f && fgets(line, sizeof line, f))
    if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
      snprintf(name, sizeof name, "%s", strchr(line, ':') + 2);
      name[strcspn(name, "\n")] = '\0';
      break;
    }
  if (f) fclose(f);
  return name;
}

static inline void bench_start(int argc, char **argv, const char *title, double budget) {
  int i;
  memset(&bench_, 0, sizeof bench_);
  bench_.budget = budget;
  bench_.weight = 1.0;
  bench_.title = title;
  bench_.start = bench_seconds();
  for (i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--json") == 0) bench_.json = 1;
    else if (strcmp(argv[i], "--quick") == 0) bench_.quick = 1;
    else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) bench_.only = argv[++i];
    else {
      fprintf(stderr, "usage: %s [--json] [--quick] [--only TEXT]\n", argv[0]);
      exit(2);
    }
  }
}

/* 1 when rows of this name are wanted: a program may skip their preparation otherwise. */
static inline int bench_wanted(const char *bench) {
  return !bench_.only || strstr(bench, bench_.only) != NULL;
}

static inline void bench_weight(double share) { bench_.weight = share; }

static inline bench_row bench_describe(const char *bench, const char *peer, size_t n, size_t d,
                                       const char *dtype) {
  bench_row r;
  memset(&r, 0, sizeof r);
  r.bench = bench;
  r.candidate = "dppair";
  r.peer = peer;
  r.n = n;
  r.d = d;
  r.dtype = dtype;
  r.tier = dppair_isa_name();
  r.threads = 1;
  r.error = -1.0;
  return r;
}

static inline int bench_order_(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static inline double bench_median(double *x, int n) {
  qsort(x, (size_t)n, sizeof *x, bench_order_);
  return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

/* An interval of the median of n numbers in order that covers it with 95 % at least, whatever their
 * law: the k-th from either end, k the most with P(fewer than k of n fair coins) <= 2.5 %. Of fewer
 * than 6 numbers there is none: NaN. */
static inline void bench_interval(double *low, double *high, const double *x, int n) {
  double term = pow(0.5, n), below = term;
  int k = 0;
  while (below <= 0.025) {
    k++;
    term *= (double)(n - k + 1) / k;
    below += term;
  }
  *low = k ? x[k - 1] : NAN;
  *high = k ? x[n - k] : NAN;
}

static inline double bench_block_(bench_work f, void *context, long repeats, int threads) {
  long i;
  const double t = bench_clock_(threads);
  for (i = 0; i < repeats; i++) f(context);
  return (bench_clock_(threads) - t) / (double)repeats;
}

/* Repetitions that fill about 2 ms. */
static inline long bench_repeats_(bench_work f, void *context, int threads) {
  double t;
  long n = 1;
  f(context);
  for (t = bench_block_(f, context, n, threads); t * (double)n < 5e-4 && n < (1L << 24);) {
    n *= 2;
    t = bench_block_(f, context, n, threads);
  }
  n = (long)(2e-3 / t);
  return n < 1 ? 1 : n;
}

static inline const char *bench_time_(char *text, size_t size, double seconds) {
  const double ns = 1e9 * seconds;
  if (ns < 1e3) snprintf(text, size, "%.3g ns", ns);
  else if (ns < 1e6) snprintf(text, size, "%.3g us", ns / 1e3);
  else if (ns < 1e9) snprintf(text, size, "%.3g ms", ns / 1e6);
  else snprintf(text, size, "%.3g s", ns / 1e9);
  return text;
}

static inline const char *bench_unit_(char *text, size_t size, const bench_row *r, double value) {
  if (!r->bytes) return bench_time_(text, size, value);
  snprintf(text, size, "%.3g MB", value / 1e6);
  return text;
}

#if defined(__clang__)
#define BENCH_COMPILER_ __VERSION__
#elif defined(__GNUC__)
#define BENCH_COMPILER_ "gcc " __VERSION__
#else
#define BENCH_COMPILER_ "unknown compiler"
#endif

static inline void bench_json_(const bench_row *r) {
  FILE *f = stdout;
  fputc('{', f);
  json_key_string(f, "program", bench_.title);
  json_key_string(f, "name", r->bench);
  json_key_string(f, "candidate", r->candidate);
  json_key_string(f, "baseline", r->peer);
  fprintf(f, "\"n\": %zu, \"d\": %zu, ", r->n, r->d);
  json_key_string(f, "dtype", r->dtype);
  json_key_string(f, "tier", r->tier);
  fprintf(f, "\"threads\": %d, ", r->threads);
  json_key_string(f, "unit", r->bytes ? "B" : "s");
  json_key_number(f, "median", r->median);
  json_key_number(f, "baseline_median", r->peer_median);
  json_key_number(f, "ratio", r->ratio);
  json_key_number(f, "ratio_low", r->low);
  json_key_number(f, "ratio_high", r->high);
  fprintf(f, "\"rounds\": %d, ", r->rounds);
  json_key_numbers(f, "samples", r->ours, r->rounds);
  json_key_numbers(f, "baseline_samples", r->theirs, r->peer_rounds);
  json_key_number(f, "floor", r->floor > 0.0 ? r->floor : NAN);
  json_key_number(f, "moonshot", r->moonshot > 0.0 ? r->moonshot : NAN);
  json_key_number(f, "error", r->error >= 0.0 ? r->error : NAN);
  json_key_number(f, "load", bench_load());
  json_key_string(f, "cpu", bench_machine());
  json_key_string(f, "compiler", BENCH_COMPILER_);
  fputs("\"version\": ", f);
  json_string(f, DPPAIR_VERSION_STRING);
  fputs("}\n", f);
}

static inline void bench_print_(const bench_row *r) {
  const int met = r->ratio >= r->floor, far = r->ratio >= r->moonshot;
  char ours[24], theirs[24], goals[40], error[16];
  if (bench_.json) {
    bench_json_(r);
    fflush(stdout);
    return;
  }
  if (!bench_.headed) {
    printf("\n%s: %s, instructions %s, load %.2f\n", bench_.title, bench_machine(),
           dppair_isa_name(), bench_load());
    printf("%-30s %8s %4s %-5s %2s  %-26s %9s %9s %8s  %-19s %-15s %s\n", "bench", "n", "d",
           "type", "th", "peer", "ours", "peer", "ratio", "floor / moonshot", "", "error");
    bench_.headed = 1;
  }
  goals[0] = error[0] = '\0';
  if (r->floor > 0.0) snprintf(goals, sizeof goals, "%.4g / %.4g", r->floor, r->moonshot);
  if (r->error >= 0.0) snprintf(error, sizeof error, "%.1e", r->error);
  printf("%-30s %8zu %4zu %-5s %2d  %-26s %9s %9s %7.2fx  %-19s %-15s %s\n", r->bench, r->n, r->d,
         r->dtype, r->threads, r->peer, bench_unit_(ours, sizeof ours, r, r->median),
         bench_unit_(theirs, sizeof theirs, r, r->peer_median), r->ratio, goals,
         r->floor <= 0.0           ? ""
         : !met                    ? "FLOOR MISSED"
         : r->moonshot > 0.0 && far ? "moonshot met"
                                   : "floor met",
         error);
  fflush(stdout);
}

/* Seconds of rounds for one row. */
static inline double bench_share_(void) {
  return bench_.weight * (bench_.quick ? 0.03 : bench_.json ? 0.12 : 0.25);
}

/* Medians of a row whose rounds are there; prints it. */
static inline void bench_close_(bench_row *row, double *ratio) {
  double sorted[BENCH_ROUNDS_];
  memcpy(sorted, row->ours, sizeof sorted);
  row->median = bench_median(sorted, row->rounds);
  if (row->peer_rounds) {
    memcpy(sorted, row->theirs, sizeof sorted);
    row->peer_median = bench_median(sorted, row->peer_rounds);
  }
  row->ratio = bench_median(ratio, row->rounds);
  bench_interval(&row->low, &row->high, ratio, row->rounds);
  bench_.rows++;
  if (row->floor > 0.0 && row->ratio < row->floor) bench_.missed++;
  bench_print_(row);
}

/* Of seven rounds on, two files have an interval of their ratio (bench/compare). */
static inline int bench_goes_on_(int rounds, double start) {
  return rounds < BENCH_ROUNDS_ &&
         (rounds < (bench_.quick ? 3 : 7) || bench_seconds() - start < bench_share_());
}

/* Runs both, fills medians, ratio and its interval, prints the row. */
static inline void bench_compare(bench_row *row, bench_work ours, void *ours_context,
                                 bench_work peer, void *peer_context) {
  double ratio[BENCH_ROUNDS_], start, *a = row->ours, *b = row->theirs;
  long na, nb;
  int k = 0;
  if (!bench_wanted(row->bench)) return;
  na = bench_repeats_(ours, ours_context, row->threads);
  nb = bench_repeats_(peer, peer_context, row->threads);
  for (start = bench_seconds(); bench_goes_on_(k, start); k++) {
    /* the order alternates, so that neither side always inherits the other's cold caches */
    if (k % 2) {
      b[k] = bench_block_(peer, peer_context, nb, row->threads);
      a[k] = bench_block_(ours, ours_context, na, row->threads);
    } else {
      a[k] = bench_block_(ours, ours_context, na, row->threads);
      b[k] = bench_block_(peer, peer_context, nb, row->threads);
    }
    ratio[k] = b[k] / a[k];
  }
  row->rounds = row->peer_rounds = k;
  bench_close_(row, ratio);
}

/* For a goal in time rather than against a peer: the peer's time is that limit. */
static inline void bench_within(bench_row *row, bench_work ours, void *context, double limit_ns) {
  double ratio[BENCH_ROUNDS_], start;
  long repeats;
  int k = 0;
  if (!bench_wanted(row->bench)) return;
  repeats = bench_repeats_(ours, context, row->threads);
  row->peer_median = 1e-9 * limit_ns;
  for (start = bench_seconds(); bench_goes_on_(k, start); k++) {
    row->ours[k] = bench_block_(ours, context, repeats, row->threads);
    ratio[k] = row->peer_median / row->ours[k];
  }
  row->rounds = k;
  bench_close_(row, ratio);
}

/* For memory in place of time: bytes that ours takes, and the peer or the limit. They do not vary. */
static inline void bench_sizes(bench_row *row, double ours, double peer) {
  double ratio = peer / ours;
  if (!bench_wanted(row->bench)) return;
  row->bytes = row->rounds = row->peer_rounds = 1;
  row->ours[0] = ours;
  row->theirs[0] = peer;
  bench_close_(row, &ratio);
}

/* The exit code: 0. Speed is reported, never tested. */
static inline int bench_finish(void) {
  const double took = bench_seconds() - bench_.start;
  if (!bench_.json)
    printf("%d rows, %d below their floor, %.1f s, load %.2f\n", bench_.rows, bench_.missed, took,
           bench_load());
  if (!bench_.only && took > bench_.budget)
    fprintf(stderr, "%s took %.1f s of its %.1f s\n", bench_.title, took, bench_.budget);
  return 0;
}

/*
 * The data of every benchmark, the same in C and Python: a counter-based hash.
 *   H(k) = splitmix64 of seed + (k + 1) 0x9E3779B97F4A7C15, seed 20240601;  U(k) = (H(k) >> 11) 2^-53
 *   x[i,j] = (2 U(i d + j) - 1) sqrt(3/d)               rows of mean square norm 1
 *   w[j]   = (2 U(2^40 + j) - 1) 2 sqrt(3)              scores of standard deviation 2
 *   y[i]   = +1 for even i, -1 for odd i
 *   W      = I/2 + (R + R^T) 0.05/sqrt(d), R[a,b] = 2 U(2^41 + a d + b) - 1
 */
static inline double bench_uniform(uint64_t k) {
  uint64_t z = UINT64_C(20240601) + (k + 1) * UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  z ^= z >> 31;
  return (double)(z >> 11) * 0x1p-53;
}
static inline double bench_x(size_t i, size_t j, size_t d) {
  return (2.0 * bench_uniform((uint64_t)i * d + j) - 1.0) * sqrt(3.0 / (double)d);
}
static inline double bench_w(size_t j) {
  return (2.0 * bench_uniform((UINT64_C(1) << 40) + j) - 1.0) * 2.0 * sqrt(3.0);
}
static inline double bench_metric(size_t a, size_t b, size_t d) {
  const uint64_t at = UINT64_C(1) << 41;
  const double r = 2.0 * bench_uniform(at + (uint64_t)a * d + b) - 1.0;
  const double t = 2.0 * bench_uniform(at + (uint64_t)b * d + a) - 1.0;
  return (a == b ? 0.5 : 0.0) + (r + t) * 0.05 / sqrt((double)d);
}

static inline void *bench_alloc(size_t bytes) {
  void *p = NULL;
  const size_t huge = (size_t)1 << 21;
  if (posix_memalign(&p, bytes >= huge ? huge : 64, bytes ? bytes : 64) != 0) {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
#ifdef MADV_HUGEPAGE /* as numpy does: a large array is read through large pages */
  if (bytes >= huge) (void)madvise(p, bytes, MADV_HUGEPAGE);
#endif
  memset(p, 0, bytes);
  return p;
}

#endif
