/* SPDX-License-Identifier: MIT */
/*
 * scale - private gradients over more records than memory holds, and what they cost beside the
 * least that any linear method does: make scale-table, or scale [--records N] [--quick 1]
 * [--accuracy 6|9|12] [--memory M] [--steps T].
 *
 * The rows, 64 floats each, are generated in chunks of 1024 (scale_rows.h) or, with --memory, read
 * from M megabytes that are gone round. One private gradient of the logistic pair loss passes over
 * them twice. Beside it, group by group of chunks in turn, runs a program that generates or reads
 * the same rows as often and forms X w in one pass and X^T c, with c given, in the other: no pairs,
 * no noise. Both take the library's kernels; the clock is the processor time of this thread.
 *
 * With --steps there is no such program beside: T steps of descent, by the wall clock. Compiled
 * with SCALE_MPI the ranks of a job share the chunks, and what they add up has the same bits for
 * any number of ranks; the last line has a digest of it.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_scale.h"
#define DPPAIR_NAME rank
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#include "scale_rows.h"

#ifdef SCALE_MPI
#include "distributed/team.h"
#else
typedef struct team {
  size_t rank, ranks;
  double waited;
  uint64_t moved;
} team;
#endif

enum { CHUNK = 1024, GROUP = 64 };

typedef struct source {
  uint64_t records, ring; /* ring: chunks in memory; 0: each is generated when it is asked for */
  float *rows, middle[2][SCALE_WIDTH];
  int quick; /* by the quicker generator */
} source;

/* Slopes are certified to 1e-6 where nothing else is asked for: at 10^9 records that is a thirtieth
 * of what drawing them from a population does to a mean. */
static dppair_accuracy accuracy = DPPAIR_ACCURACY_1E6;

typedef struct run {
  team all;
  source from;
  uint64_t first, end; /* chunks of this rank */
  float w[SCALE_WIDTH], s[CHUNK];
  double c[CHUNK], g[SCALE_WIDTH], plain[SCALE_WIDTH];
  dppair_fast fast;
  dppair_options options;
  dppair_sketch moments;
  dppair_sum sum;
  void *moments_work, *sum_work;
  size_t moments_bytes, sum_bytes;
  dppair_accountant account;
  dppair_release release;
} run;

static void fail(const char *what, const char *why) {
  (void)fprintf(stderr, "scale: %s: %s\n", what, why);
#ifdef SCALE_MPI
  {
    team none;
    memset(&none, 0, sizeof none);
    (void)team_close(&none, 1);
  }
#endif
  exit(1);
}

static void check(dppair_status status, const char *what) {
  if (status != DPPAIR_OK) fail(what, dppair_status_string(status));
}

static void *room(size_t bytes) {
  void *p = NULL;
  if (posix_memalign(&p, 64, bytes > 0 ? bytes : 64) != 0) fail("memory", "there is none left");
  return p;
}

static double seconds(clockid_t clock) {
  struct timespec t;
  (void)clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* About three records in ten are positives; of some chunks none, or all. */
static size_t positives_of(uint64_t name, size_t n) {
  const size_t wanted = name % 97 == 5 ? (name % 2) * CHUNK : (size_t)(name * 2654435761u % 613);
  return wanted < n ? wanted : n;
}

static void chunk_make(float *x, const source *from, uint64_t name, size_t n) {
  const size_t positives = positives_of(name, n);
  scale_rows(x, name * CHUNK, positives, from->middle[0], from->quick);
  scale_rows(x + positives * SCALE_WIDTH, name * CHUNK + positives, n - positives, from->middle[1],
             from->quick);
}

static dppair_rows_f32 chunk_rows(const source *from, uint64_t k) {
  const uint64_t rest = from->records - k * CHUNK, name = from->ring > 0 ? k % from->ring : k;
  const size_t n = rest < CHUNK ? (size_t)rest : CHUNK;
  float *x = from->rows + (from->ring > 0 ? name * CHUNK * SCALE_WIDTH : 0);
  dppair_rows_f32 rows = dppair_rows_make_f32(x, n, SCALE_WIDTH, SCALE_WIDTH);
  rows.positives = positives_of(name, CHUNK) < n ? positives_of(name, CHUNK) : n;
  rows.radius = 1;
  if (from->ring == 0) chunk_make(x, from, name, n);
  return rows;
}

static void source_open(source *from, uint64_t records, uint64_t megabytes) {
  const uint64_t ring = megabytes * 4; /* a chunk has 256 KiB */
  uint64_t k;
  size_t j;
  from->records = records;
  from->ring = ring;
  from->rows = room((ring > 0 ? ring : 1) * CHUNK * SCALE_WIDTH * sizeof(float));
  for (j = 0; j < SCALE_WIDTH; j++) {
    from->middle[0][j] = (j % 2 > 0 ? -1.0f : 1.0f) / 64;
    from->middle[1][j] = -from->middle[0][j];
  }
  for (k = 0; k < ring; k++) chunk_make(from->rows + k * CHUNK * SCALE_WIDTH, from, k, CHUNK);
}

/* --- passes over chunks ----------------------------------------------------------------------- */

/* A group of chunks of a pass, of ours or (with what is done there) of the program beside it. */
typedef void group_work(run *r, uint64_t first, uint64_t end);

static void ours_moments(run *r, uint64_t k, uint64_t end) {
  for (; k < end; k++) {
    const dppair_rows_f32 rows = chunk_rows(&r->from, k);
    check(rank_chunk_sketch(&r->moments, &rows, r->w, &r->options), "moments");
  }
}

static void ours_sum(run *r, uint64_t k, uint64_t end) {
  for (; k < end; k++) {
    const dppair_rows_f32 rows = chunk_rows(&r->from, k);
    check(rank_chunk_sum(&r->sum, &rows, r->w, &r->moments, &r->options), "sum");
  }
}

static void plain_scores(run *r, uint64_t k, uint64_t end) {
  for (; k < end; k++) {
    const dppair_rows_f32 rows = chunk_rows(&r->from, k);
    check(dppair_scores_f32(r->s, &rows, r->w), "scores");
  }
}

static void plain_combine(run *r, uint64_t k, uint64_t end) {
  double g[SCALE_WIDTH];
  size_t j;
  for (; k < end; k++) {
    const dppair_rows_f32 rows = chunk_rows(&r->from, k);
    check(dppair_combine_f32(g, &rows, r->c), "combine");
    for (j = 0; j < SCALE_WIDTH; j++) r->plain[j] += g[j];
  }
}

static void only_rows(run *r, uint64_t k, uint64_t end) {
  for (; k < end; k++) {
    const dppair_rows_f32 rows = chunk_rows(&r->from, k);
    r->plain[0] += (double)rows.x[0];
  }
}

/* Seconds of the groups of one kind; a clock that is read every 64 chunks does not show. */
static double timed(group_work *work, run *r, uint64_t first, uint64_t end) {
  const double start = seconds(CLOCK_THREAD_CPUTIME_ID);
  work(r, first, end);
  return seconds(CLOCK_THREAD_CPUTIME_ID) - start;
}

typedef struct times {
  double ours, plain, rows;
} times;

/* Both programs go over all chunks, in turn, and every other time the other one begins. In memory
 * the other is half of the ring away, so neither finds in a cache what the other has read. */
static times compare(run *r, group_work *ours, group_work *plain) {
  const uint64_t chunks = r->end, away = r->from.ring / 2 < chunks ? r->from.ring / 2 : 0;
  times t = {0, 0, 0};
  uint64_t k, turn = 0, seen = 0;
  for (k = 0; k < chunks; k += GROUP, turn++) {
    const uint64_t end = k + GROUP < chunks ? k + GROUP : chunks;
    const uint64_t other = (k + away) % chunks, rest = chunks - other, size = end - k;
    if (turn % 2 == 0) t.ours += timed(ours, r, k, end);
    t.plain += timed(plain, r, other, other + (size < rest ? size : rest));
    if (size > rest) t.plain += timed(plain, r, 0, size - rest);
    if (turn % 2 == 1) t.ours += timed(ours, r, k, end);
    if (turn % 16 == 0 || chunks < 16 * GROUP) t.rows += timed(only_rows, r, k, end), seen += size;
  }
  t.rows *= (double)chunks / (double)seen;
  return t;
}

/* --- a step ----------------------------------------------------------------------------------- */

static void prepare(run *r, size_t steps) {
  dppair_plan plan;
  dppair_fast *f = &r->fast;
  size_t bytes, j;
  const size_t n = (size_t)r->from.records;
  for (j = 0; j < SCALE_WIDTH; j++) r->w[j] = j % 2 > 0 ? -0.5f : 0.5f;
  for (j = 0; j < CHUNK; j++) r->c[j] = 0.25 - 1e-3 * (double)(j % 500);
  check(rank_sums_workspace(&bytes, n, accuracy, 16.0, NULL), "sums_workspace");
  check(rank_sums_init(f, n, accuracy, 16.0, NULL, room(bytes), bytes), "sums_init");
  r->options.fast = f;
  check(rank_chunk_workspace(&r->options.bytes, SCALE_WIDTH, &r->options), "chunk_workspace");
  r->options.work = room(r->options.bytes);
  check(rank_sketch_workspace(&r->moments_bytes, f), "moments_workspace");
  check(dppair_sum_workspace(&r->sum_bytes, SCALE_WIDTH), "sum_workspace");
  r->moments_work = room(r->moments_bytes);
  r->sum_work = room(r->sum_bytes);
  if (r->all.rank > 0) return;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
  plan.epsilon = 1;
  plan.delta = 1e-2 / (double)n;
  plan.steps = steps;
  check(dppair_accountant_init(&r->account), "accountant_init");
  check(dppair_release_open(&r->release, &r->account, &plan, NULL), "release_open");
}

static void step_open(run *r) {
  check(rank_sketch_open(&r->moments, &r->fast, r->moments_work, r->moments_bytes),
        "moments_open");
  check(rank_sum_open(&r->sum, SCALE_WIDTH, 1, &r->options, r->sum_work, r->sum_bytes), "sum_open");
}

/* What the ranks of a job do together; a single process has nothing to do. The numbers of records
 * travel as two more integers. */
static void join_moments(run *r) {
#ifdef SCALE_MPI
  dppair_sketch *m = &r->moments;
  uint64_t count[4] = {m->count[0], 0, m->count[1], 0};
  if (!team_add(&r->all, m->words, m->all / 2) || !team_add(&r->all, count, 2))
    exit(team_close(&r->all, 1));
  m->count[0] = count[0];
  m->count[1] = count[2];
#else
  (void)r;
#endif
}

static void join_sum(run *r) {
#ifdef SCALE_MPI
  uint64_t count[2] = {r->sum.count, 0};
  if (!team_gather(&r->all, r->sum.words, SCALE_WIDTH) || !team_gather(&r->all, count, 1))
    exit(team_close(&r->all, 1));
  r->sum.count = count[0];
#else
  (void)r;
#endif
}

static void join_gradient(run *r) {
#ifdef SCALE_MPI
  if (!team_share(&r->all, r->g, sizeof r->g)) exit(team_close(&r->all, 1));
#else
  (void)r;
#endif
}

static void release(run *r) {
  if (r->all.rank == 0)
    check(rank_release_sum(r->g, &r->release, &r->sum, r->w, &r->options), "release_sum");
  join_gradient(r);
}

static uint64_t digest_of(const dppair_sum *sum) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  size_t k;
  for (k = 0; k < 2 * sum->size; k++) h = (h ^ sum->words[k]) * UINT64_C(0x100000001b3);
  return h;
}

/* --- what is printed -------------------------------------------------------------------------- */

static void row(const char *name, double first, double second, const run *r, uint64_t passes) {
  const double all = first + second, n = (double)r->from.records;
  (void)printf("%-34s %9.2f %9.2f %9.2f %8.2f %8.1f\n", name, first, second, all, 1e9 * all / n,
               1e-9 * (double)passes * n * SCALE_WIDTH * sizeof(float) / all);
}

/* One private gradient beside X w and X^T c. */
static void one_gradient(run *r) {
  const double start = seconds(CLOCK_MONOTONIC), n = (double)r->from.records;
  const double options = n * SCALE_WIDTH * sizeof(float);
  struct rusage used;
  double finish, sure;
  times a, b;
  step_open(r);
  a = compare(r, ours_moments, plain_scores);
  finish = seconds(CLOCK_THREAD_CPUTIME_ID);
  check(rank_sketch_finish(&r->moments, NULL, &r->fast), "moments_finish");
  finish = seconds(CLOCK_THREAD_CPUTIME_ID) - finish;
  b = compare(r, ours_sum, plain_combine);
  sure = seconds(CLOCK_THREAD_CPUTIME_ID);
  release(r);
  sure = seconds(CLOCK_THREAD_CPUTIME_ID) - sure;
  (void)getrusage(RUSAGE_SELF, &used);
  a.ours += finish;
  b.ours += sure;
  (void)printf("%.0f records, %d floats each, %s in chunks of %d; %.1f GB a pass, %s tier\n", n,
               SCALE_WIDTH,
               r->from.ring > 0 ? "read from memory"
               : r->from.quick  ? "generated by a hash"
                                : "generated by Philox",
               CHUNK, 1e-9 * options, dppair_isa_name());
  (void)puts("processor seconds                     pass 1    pass 2      both  ns a row   GB/s");
  row("private gradient of all pairs", a.ours, b.ours, r, 2);
  row("X w, X^T c with c given", a.plain, b.plain, r, 2);
  row("of both of them: making the rows", a.rows, b.rows, r, 2);
  (void)printf("ratio %.3f; %.3f without making the rows\n",
               (a.ours + b.ours) / (a.plain + b.plain),
               (a.ours + b.ours - a.rows - b.rows) / (a.plain + b.plain - a.rows - b.rows));
  (void)printf("sensitivity %.4g, noise %.4g a number, gradient %.6g .. %.6g\n",
               r->release.sensitivity, r->release.sigma, r->g[0], r->g[SCALE_WIDTH - 1]);
  (void)printf("%.1f GB %s in all, %.1f s by the wall, peak memory %.1f MB; digest %016llx\n",
               1e-9 * 4 * options, r->from.ring > 0 ? "read" : "generated",
               seconds(CLOCK_MONOTONIC) - start, (double)used.ru_maxrss / 1024,
               (unsigned long long)digest_of(&r->sum));
}

#ifdef SCALE_MPI
/* What a message costs: microseconds of one of 16 bytes, and of each further byte, from messages
 * around the ring; for the cost model. */
static void wires(run *r) {
  enum { LONG = 1 << 16, TIMES = 2000 };
  static char from[LONG], into[LONG];
  double at[2];
  int i, k;
  for (i = 0; i < 2; i++) {
    const size_t size = i == 0 ? 16 : LONG;
    if (!team_wait(&r->all)) exit(team_close(&r->all, 1));
    at[i] = seconds(CLOCK_MONOTONIC);
    for (k = 0; k < TIMES; k++)
      if (!team_turn(&r->all, into, from, size)) exit(team_close(&r->all, 1));
    at[i] = 1e6 * (seconds(CLOCK_MONOTONIC) - at[i]) / TIMES;
  }
  if (r->all.rank == 0)
    (void)printf("a message: %.3f us and %.6f us a byte\n", at[0], (at[1] - at[0]) / (LONG - 16));
}
#endif

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* T steps; the median of their times. The digest is that of the first, whose w is not yet noisy. */
static void descent(run *r, size_t steps) {
  double *time = room(2 * steps * sizeof *time), *passes = time + steps;
  uint64_t digest = 0;
  size_t t, j;
  r->all.waited = 0;
  r->all.moved = 0;
  for (t = 0; t < steps; t++) {
    const double start = seconds(CLOCK_MONOTONIC);
    step_open(r);
    passes[t] = timed(ours_moments, r, r->first, r->end);
    join_moments(r);
    check(rank_sketch_finish(&r->moments, NULL, &r->fast), "moments_finish");
    passes[t] += timed(ours_sum, r, r->first, r->end);
    join_sum(r);
    if (t == 0) digest = digest_of(&r->sum);
    release(r);
    for (j = 0; j < SCALE_WIDTH; j++) r->w[j] -= (float)r->g[j];
    time[t] = seconds(CLOCK_MONOTONIC) - start;
  }
  qsort(time, steps, sizeof *time, by_size);
  qsort(passes, steps, sizeof *passes, by_size);
  if (r->all.rank == 0)
    (void)printf("ranks %zu records %llu step_ms %.4f passes_ms %.4f mpi_ms %.4f bytes %llu digest "
                 "%016llx\n",
                 r->all.ranks, (unsigned long long)r->from.records, 1e3 * time[steps / 2],
                 1e3 * passes[steps / 2], 1e3 * r->all.waited / (double)steps,
                 (unsigned long long)(r->all.moved / steps), (unsigned long long)digest);
  free(time);
}

int main(int argc, char **argv) {
  static run r;
  uint64_t records = 10000000, megabytes = 0, steps = 0, pings = 0, chunks;
  int i;
  r.all.ranks = 1;
#ifdef SCALE_MPI
  if (!team_open(&r.all, &argc, &argv)) return 1;
#endif
  for (i = 1; i + 1 < argc; i += 2) {
    const uint64_t value = strtoull(argv[i + 1], NULL, 10);
    if (strcmp(argv[i], "--records") == 0)
      records = value;
    else if (strcmp(argv[i], "--memory") == 0)
      megabytes = value;
    else if (strcmp(argv[i], "--steps") == 0)
      steps = value;
    else if (strcmp(argv[i], "--quick") == 0)
      r.from.quick = value > 0;
    else if (strcmp(argv[i], "--accuracy") == 0)
      accuracy = value > 9 ? DPPAIR_ACCURACY_1E12 : value > 6 ? DPPAIR_ACCURACY_1E9 : accuracy;
    else if (strcmp(argv[i], "--wires") == 0)
      pings = value;
    else
      break;
  }
  (void)pings;
  if (i < argc || records < 2 || megabytes > 1 << 20)
    fail("usage", "scale [--records N] [--quick 1] [--memory MB] [--steps T]");
#ifdef SCALE_MPI
  if (pings > 0) {
    wires(&r);
    return team_close(&r.all, 0);
  }
#endif
  source_open(&r.from, records, megabytes);
  chunks = (records + CHUNK - 1) / CHUNK;
  if (chunks < r.all.ranks) fail("usage", "at least 1024 records for each rank");
  r.first = chunks * r.all.rank / r.all.ranks;
  r.end = chunks * (r.all.rank + 1) / r.all.ranks;
  prepare(&r, steps > 0 ? steps : 1);
  if (steps > 0)
    descent(&r, steps);
  else if (r.all.ranks == 1)
    one_gradient(&r);
  else
    fail("several ranks", "ask for --steps");
#ifdef SCALE_MPI
  return team_close(&r.all, 0);
#else
  return 0;
#endif
}
