/* SPDX-License-Identifier: MIT */
/* Releases of gradients: each is the sum of NAME_gradient, divided, with the noise of its step; the
 * sensitivity holds; what can go wrong leaves nothing without noise. */
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_scale.h"

#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#define DPPAIR_NAME small
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"

#define cauchy_KIND dppair_pairs /* a loss of one's own, whose slopes nobody has bounded */
#define cauchy_VALUE(u, p) DPV_LOG1P(DPV_MUL(u, u))
#define cauchy_SLOPE(u, p) DPV_DIV(DPV_ADD(u, u), DPV_FMA(u, u, DPV_SET(1)))
#define DPPAIR_NAME unknown
#define DPPAIR_REAL double
#define DPPAIR_LOSS cauchy
#include "dppair.h"

/* One whose range is false. */
static void liar_range(dppair_range *range, const dppair_margins *margins, const double *params) {
  (void)margins, (void)params;
  range->down = range->up = range->odd = 0.25;
  range->curvature = 2.0;
  range->value = HUGE_VAL;
}
#define liar_KIND dppair_pairs
#define liar_VALUE(u, p) cauchy_VALUE(u, p)
#define liar_SLOPE(u, p) cauchy_SLOPE(u, p)
#define liar_RANGE (liar_range, 0)
#define DPPAIR_NAME false_range
#define DPPAIR_REAL double
#define DPPAIR_LOSS liar
#include "dppair.h"

#include <pthread.h>

#include "tests.h"
#include "clips.h"
#include "questions.h"
#include "draws.h"

enum { N = 60, D = 5, ROOM = 1 << 15, STEPS = 40 };
static const uint8_t KEY[32] = {4, 5, 6}, RUN[16] = {3};
static const dppair_release_keys FIXED = {KEY, RUN};

/* A program's data: N records, the first NP of them positive, and what a release needs. */
typedef struct program {
  double x[N][D], factor[N], batch[N][D], batch_factor[N], w[D], g[D], work[ROOM];
  size_t index[N];
  dppair_rows_f64 rows, drawn;
  dppair_options options;
  dppair_accountant account;
  dppair_release release;
} program;

static program p, q;

static void fill(program *r) {
  memset(r, 0, sizeof *r);
  for (size_t i = 0; i < N; i++)
    for (size_t k = 0; k < D; k++) r->x[i][k] = normal() * 0.7;
  assert_int_equal(dppair_rows_clip_f64(&r->rows, r->factor, r->x[0], N, D, D, 1.0), DPPAIR_OK);
  r->rows.positives = N / 3;
  r->options.work = r->work;
  r->options.bytes = sizeof r->work;
}

static dppair_plan plan_of(dppair_sampling sampling, double multiplier) {
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = sampling;
  plan.noise_multiplier = multiplier;
  plan.steps = STEPS;
  return plan;
}

static dppair_plan plan_of_all(dppair_adjacency adjacency) {
  return plan_of(dppair_sampling_all(N, adjacency), 2.0);
}

static void open_fresh(program *r, dppair_plan plan) {
  dppair_accountant_init(&r->account);
  assert_int_equal(dppair_release_open(&r->release, &r->account, &plan, &FIXED), DPPAIR_OK);
}

/* Draws and gathers. */
static void draw(program *r) {
  size_t count;
  assert_int_equal(draw_now(r->index, &count, N, &r->release), DPPAIR_OK);
  assert_int_equal(
      dppair_gather_f64(&r->drawn, r->batch[0], NULL, r->batch_factor, &drawn_now, &r->rows),
      DPPAIR_OK);
}

/* Fills g with numbers that are no noise, releases, and checks that an error leaves none. */
static dppair_status release_g(program *r, const dppair_rows_f64 *rows) {
  dppair_status status;
  for (size_t k = 0; k < D; k++) r->g[k] = 77.25;
  status = rank_release(r->g, &r->release, rows, r->w, &r->options);
  for (size_t k = 0; k < D; k++) assert_true(r->g[k] != 77.25);
  if (status != DPPAIR_OK)
    for (size_t k = 0; k < D; k++) assert_true(r->g[k] == 0.0);
  return status;
}

/* The divided gradient without noise, for tests alone. */
static void mean_of(double *g, program *r, const dppair_rows_f64 *rows, const dppair_sampling *s) {
  double divisor;
  assert_int_equal(dppair_normaliser(&divisor, s, rows->n), DPPAIR_OK);
  assert_int_equal(rank_gradient(g, rows, r->w, &r->options), DPPAIR_OK);
  for (size_t k = 0; k < D; k++) g[k] /= divisor;
}

/* --- what a release is ------------------------------------------------------------------------ */

static dppair_sampling sampling_of(int kind, dppair_adjacency adjacency) {
  switch (kind) {
  case DPPAIR_POISSON:
    return dppair_sampling_poisson(N, 12, adjacency);
  case DPPAIR_WITHOUT_REPLACEMENT:
    return dppair_sampling_without_replacement(N, 12, adjacency);
  case DPPAIR_WITH_REPLACEMENT:
    return dppair_sampling_with_replacement(N, 12, adjacency);
  case DPPAIR_ALLOCATION:
    return dppair_sampling_allocation(N, 3, 1, adjacency);
  default:
    return dppair_sampling_all(N, adjacency);
  }
}

/* The same bits as the three calls that it is made of. */
static void a_release_is_gradient_divisor_and_noise(void **state) {
  (void)state;
  fill(&p);
  for (int kind = DPPAIR_ALL; kind < DPPAIR_MATCHING; kind++) {
    const dppair_sampling s = sampling_of(kind, DPPAIR_REPLACE_ONE);
    memset(p.w, 0, sizeof p.w);
    open_fresh(&p, plan_of(s, 1.5));
    q = p;
    open_fresh(&q, plan_of(s, 1.5));
    for (int t = 0; t < STEPS; t++) {
      const dppair_rows_f64 *rows = &p.rows;
      size_t count;
      double g[D], divisor;
      if (kind != DPPAIR_ALL) {
        draw(&p);
        rows = &p.drawn;
        assert_int_equal(draw_now(q.index, &count, N, &q.release), DPPAIR_OK);
      }
      mean_of(g, &p, rows, &s);
      assert_int_equal(dppair_normaliser(&divisor, &s, rows->n), DPPAIR_OK);
      assert_int_equal(release_g(&p, rows), DPPAIR_OK);
      assert_true(p.release.divisor == divisor);
      assert_true(p.release.sigma >= 1.5 * p.release.sensitivity);
      assert_true(p.release.sigma <= 1.5 * p.release.sensitivity * (1 + 1e-15));
      assert_int_equal(dppair_release_vector(g, D, &q.release, p.release.sensitivity), DPPAIR_OK);
      assert_memory_equal(g, p.g, sizeof g);
      for (size_t k = 0; k < D; k++) p.w[k] -= 2.0 * p.g[k];
    }
    assert_int_equal(release_g(&p, &p.rows), DPPAIR_ERR_EXHAUSTED);
  }
}

/* A state of sums without order: the release of a sum that was made in chunks has the bits of
 * rank_release. Whatever is not this step's sum is refused, and uses no permit. */
static dppair_status release_sum(program *r, const dppair_sum *sum) {
  dppair_status status;
  const uint64_t steps = r->release.step;
  for (size_t k = 0; k < D; k++) r->g[k] = 77.25;
  status = rank_release_sum(r->g, &r->release, sum, r->w, &r->options);
  for (size_t k = 0; k < D; k++) assert_true(r->g[k] != 77.25);
  if (status == DPPAIR_OK) return status;
  assert_true(r->release.step == steps);
  for (size_t k = 0; k < D; k++) assert_true(r->g[k] == 0.0);
  return status;
}

static void a_sum_of_chunks_is_released_as_its_rows_are(void **state) {
  static double room[3][ROOM];
  dppair_fast fast;
  dppair_sketch m;
  dppair_sum sum, part, closed;
  dppair_rows_f64 chunk;
  (void)state;
  for (int kind = DPPAIR_ALL; kind < DPPAIR_MATCHING; kind++) {
    const dppair_sampling s = sampling_of(kind, DPPAIR_REPLACE_ONE);
    fill(&p);
    assert_int_equal(rank_sums_init(&fast, N, DPPAIR_ACCURACY_1E9, 4, NULL, room[0], sizeof *room),
                     DPPAIR_OK);
    p.options.fast = &fast;
    open_fresh(&p, plan_of(s, 1.5));
    q = p;
    open_fresh(&q, plan_of(s, 1.5));
    for (int t = 0; t < 3; t++) {
      const dppair_rows_f64 *rows = &p.rows;
      size_t count;
      if (kind != DPPAIR_ALL) {
        draw(&p);
        rows = &p.drawn;
        assert_int_equal(draw_now(q.index, &count, N, &q.release), DPPAIR_OK);
      }
      assert_int_equal(rank_sketch_open(&m, &fast, room[1], sizeof *room), DPPAIR_OK);
      assert_int_equal(rank_sum_open(&sum, D, 1.0, &p.options, room[2], sizeof *room), DPPAIR_OK);
      for (int second = 0; second < 2; second++) {
        for (size_t i = 0; i <= rows->n; i += 7) { /* an empty one too */
          dppair_rows_part_f64_(&chunk, rows, i, rows->n - i < 7 ? rows->n - i : 7);
          assert_int_equal(second ? rank_chunk_sum(&sum, &chunk, p.w, &m, &p.options)
                                  : rank_chunk_sketch(&m, &chunk, p.w, &p.options),
                           DPPAIR_OK);
          if (rows->n && (!second || i + 7 < rows->n)) /* not all of them yet */
            assert_int_equal(release_sum(&q, &sum), second || kind == DPPAIR_ALL
                                                        ? DPPAIR_ERR_SIZE
                                                        : DPPAIR_ERR_BATCH);
        }
        if (!second) assert_int_equal(rank_sketch_finish(&m, NULL, &fast), DPPAIR_OK);
      }
      q.w[1] += 1e-9;
      assert_int_equal(release_sum(&q, &sum), DPPAIR_ERR_WORKSPACE);
      q.w[1] -= 1e-9;
      memcpy(q.w, p.w, sizeof q.w);
      part = sum, part.radius = 0.5;
      assert_int_equal(release_sum(&q, &part), DPPAIR_ERR_WORKSPACE);
      part = sum, part.bound *= 2;
      assert_int_equal(release_sum(&q, &part), DPPAIR_ERR_WORKSPACE);
      memset(&closed, 0, sizeof closed);
      closed.size = D;
      assert_int_equal(release_sum(&q, &closed), DPPAIR_ERR_NO_RADIUS);
      assert_int_equal(release_g(&p, rows), DPPAIR_OK);
      assert_int_equal(release_sum(&q, &sum), DPPAIR_OK);
      assert_memory_equal(p.g, q.g, sizeof p.g);
      assert_true(p.release.sensitivity == q.release.sensitivity);
      for (size_t k = 0; k < D; k++) q.w[k] = p.w[k] -= 2.0 * p.g[k];
    }
    assert_int_equal(rank_release_sum(p.g, &p.release, NULL, p.w, &p.options), DPPAIR_ERR_NULL);
    q.options.fast = NULL;
    if (kind == DPPAIR_ALL) assert_int_equal(release_sum(&q, &sum), DPPAIR_ERR_NULL);
  }
}

/* The same of users, in chunks of whole users: what counts is their number. */
static void a_sum_of_persons_is_released_as_their_rows_are(void **state) {
  enum { PERSONS = 6 };
  static double room[3][ROOM], x[N][D], factor[N];
  const size_t up[PERSONS + 1] = {0, 3, 3, 10, 11, 19, 20};
  const size_t down[PERSONS + 1] = {0, 1, 1, 20, 25, 25, 40};
  dppair_fast fast;
  dppair_sketch m;
  dppair_sum sum;
  (void)state;
  for (int zero = 0; zero < 2; zero++) {
    const dppair_sampling s =
        dppair_sampling_all(PERSONS, zero ? DPPAIR_ZERO_USER : DPPAIR_REPLACE_USER);
    dppair_groups groups = {PERSONS, up, down, DPPAIR_ACROSS, N};
    fill(&p);
    assert_int_equal(rank_sums_init(&fast, N, DPPAIR_ACCURACY_1E9, 4, NULL, room[0], sizeof *room),
                     DPPAIR_OK);
    p.options.fast = &fast;
    open_fresh(&p, plan_of(s, 1.5));
    q = p;
    open_fresh(&q, plan_of(s, 1.5));
    p.options.groups = &groups;
    p.w[0] = q.w[0] = 0.5;
    assert_int_equal(rank_sketch_open(&m, &fast, room[1], sizeof *room), DPPAIR_OK);
    assert_int_equal(rank_sum_open(&sum, D, 1.0, &p.options, room[2], sizeof *room), DPPAIR_OK);
    for (int second = 0; second < 2; second++) {
      for (size_t k = 0; k < PERSONS; k += 2) { /* two users in a chunk */
        size_t places[2][3] = {{0}}, n = 0;
        dppair_groups two = {2, places[0], places[1], DPPAIR_ACROSS, 0};
        dppair_options options = p.options;
        dppair_rows_f64 rows = p.rows;
        for (size_t side = 0; side < 2; side++) {
          const size_t *at = side ? down + k : up + k, first = side ? p.rows.positives : 0;
          for (size_t i = 0; i < 3; i++) places[side][i] = at[i] - at[0];
          for (size_t i = at[0]; i < at[2]; i++, n++) {
            memcpy(x[n], p.x[first + i], sizeof *x);
            factor[n] = p.factor[first + i];
          }
        }
        rows.x = x[0], rows.n = n, rows.positives = places[0][2], rows.factor = factor;
        options.groups = &two, options.work = q.work;
        assert_int_equal(release_sum(&q, &sum), DPPAIR_ERR_SIZE);
        assert_int_equal(second ? rank_chunk_sum(&sum, &rows, p.w, &m, &options)
                                : rank_chunk_sketch(&m, &rows, p.w, &options),
                         DPPAIR_OK);
        options.groups = NULL; /* records, among users */
        assert_int_equal(second ? rank_chunk_sum(&sum, &rows, p.w, &m, &options)
                                : rank_chunk_sketch(&m, &rows, p.w, &options),
                         DPPAIR_ERR_WORKSPACE);
      }
      if (!second) assert_int_equal(rank_sketch_finish(&m, NULL, &fast), DPPAIR_OK);
    }
    assert_int_equal(release_g(&p, &p.rows), DPPAIR_OK);
    assert_int_equal(release_sum(&q, &sum), DPPAIR_OK);
    assert_memory_equal(p.g, q.g, sizeof p.g);
    assert_true(p.release.sensitivity == q.release.sensitivity);
    /* a plan that protects records does not take it */
    open_fresh(&q, plan_of(dppair_sampling_all(PERSONS, DPPAIR_REPLACE_ONE), 1.5));
    assert_int_equal(release_sum(&q, &sum), DPPAIR_ERR_WORKSPACE);
  }
}

/* The norm of w enters: at 0 the slopes of ln(1 + e^-u) are 1/2, far away 1. */
static void the_sensitivity_is_that_of_the_actual_weights(void **state) {
  double before = 0;
  (void)state;
  fill(&p);
  open_fresh(&p, plan_of_all(DPPAIR_REPLACE_ONE));
  for (double norm = 0; norm < 1000; norm = 2 * norm + 0.5) {
    p.w[0] = norm;
    assert_int_equal(release_g(&p, &p.rows), DPPAIR_OK);
    assert_true(p.release.sensitivity > before && p.release.sensitivity < 2.0 / N * (1 + 1e-9));
    if (norm == 0)
      assert_true(fabs(p.release.sensitivity * N - 1.0) < 1e-9 && p.release.sensitivity * N >= 1.0);
    before = p.release.sensitivity * (1 - 1e-12);
  }
  assert_true(p.release.sensitivity > 2.0 / N * (1 - 1e-9));
}

/* --- neighbours ------------------------------------------------------------------------------- */

static double distance(const double *a, const double *b) {
  double sum = 0;
  for (size_t k = 0; k < D; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum);
}

/* Replaces record i of rows by one of the ends of the ball, in either class, and looks how far the
 * divided gradient moves. The positives must stay first, so the record is the last positive or the
 * first negative when its class changes. */
static void neighbours_are_within_the_sensitivity(void **state) {
  double worst = 0;
  (void)state;
  for (int round = 0; round < 300; round++) {
    static double x[N][D];
    double g[D], h[D], moved;
    dppair_rows_f64 rows;
    const int change = round % 3;
    fill(&p);
    for (size_t k = 0; k < D; k++) p.w[k] = normal() * (round % 5);
    if (round %
        2) /* all positives here, all negatives there: the worst case of a replaced record */
      for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < D; k++) p.x[i][k] = k == 0 ? (i < N / 3 ? 1.0 : -1.0) : 0.0;
    assert_int_equal(dppair_rows_clip_f64(&p.rows, p.factor, p.x[0], N, D, D, 1.0), DPPAIR_OK);
    p.rows.positives = round % 4 == 1 ? 1 : N / 3;
    memcpy(x, p.x, sizeof x);
    open_fresh(&p, plan_of_all(DPPAIR_REPLACE_ONE));
    mean_of(g, &p, &p.rows, &p.release.sampling);
    assert_int_equal(release_g(&p, &p.rows), DPPAIR_OK);
    rows = p.rows;
    { /* the neighbour */
      const size_t i = p.rows.positives - (change == 0);
      for (size_t k = 0; k < D; k++) p.x[i][k] = k == 0 ? (round % 2 ? -1.0 : 1.0) : 0.0;
      if (round % 7 == 0)
        for (size_t k = 0; k < D; k++) p.x[i][k] = 1e5 * normal();
      assert_int_equal(dppair_rows_clip_f64(&rows, p.factor, p.x[0], N, D, D, 1.0), DPPAIR_OK);
      rows.positives = p.rows.positives - (change == 0) + (change == 1);
    }
    mean_of(h, &p, &rows, &p.release.sampling);
    moved = distance(g, h);
    assert_true(moved <= p.release.sensitivity);
    worst = fmax(worst, moved / p.release.sensitivity);
  }
  assert_true(worst > 0.5); /* the cases are not tame */
}

/* One positive at +e that becomes a negative at -e, all others negatives at -e, at w = 0: n - 1
 * pairs of slope 1/2 and length 2 vanish. That is S = 1/n to rounding. */
static void the_sensitivity_is_attained(void **state) {
  double g[D], h[D], moved;
  (void)state;
  fill(&p);
  for (size_t i = 0; i < N; i++)
    for (size_t k = 0; k < D; k++) p.x[i][k] = k == 0 ? (i == 0 ? 1.0 : -1.0) : 0.0;
  p.rows.factor = NULL;
  p.rows.positives = 1;
  open_fresh(&p, plan_of_all(DPPAIR_REPLACE_ONE));
  mean_of(g, &p, &p.rows, &p.release.sampling);
  assert_int_equal(release_g(&p, &p.rows), DPPAIR_OK);
  p.x[0][0] = -1.0;
  p.rows.positives = 0;
  mean_of(h, &p, &p.rows, &p.release.sampling);
  moved = distance(g, h);
  assert_true(moved <= p.release.sensitivity && moved >= p.release.sensitivity * (1 - 1e-9));
}

/* --- mistakes --------------------------------------------------------------------------------- */

static void public_errors_use_no_permit(void **state) {
  dppair_rows_f64 rows;
  dppair_options options;
  double g[D] = {7};
  (void)state;
  fill(&p);
  open_fresh(&p, plan_of_all(DPPAIR_REPLACE_ONE));
  rows = p.rows;
  options = p.options;
  assert_int_equal(rank_release(NULL, &p.release, &p.rows, p.w, &p.options), DPPAIR_ERR_NULL);
  assert_int_equal(rank_release(g, NULL, &p.rows, p.w, &p.options), DPPAIR_ERR_NULL);
  assert_true(g[0] == 0.0);
  assert_int_equal(rank_release(g, &p.release, NULL, p.w, &p.options), DPPAIR_ERR_NULL);
  assert_int_equal(rank_release(g, &p.release, &p.rows, NULL, &p.options), DPPAIR_ERR_NULL);
  assert_int_equal(rank_release(g, &p.release, &p.rows, p.w, NULL), DPPAIR_ERR_NULL);
  p.rows.x = NULL;
  assert_int_equal(release_g(&p, &p.rows), DPPAIR_ERR_NULL);
  p.rows = rows;
  p.rows.radius = 0; /* rows whose bound nobody made */
  assert_int_equal(release_g(&p, &p.rows), DPPAIR_ERR_NO_RADIUS);
  p.rows.radius = (double)NAN;
  assert_int_equal(release_g(&p, &p.rows), DPPAIR_ERR_NO_RADIUS);
  p.rows = rows;
  p.rows.n = N - 1;
  assert_int_equal(release_g(&p, &p.rows), DPPAIR_ERR_SIZE);
  p.rows = rows;
  p.rows.ld = D - 1;
  assert_int_equal(release_g(&p, &p.rows), DPPAIR_ERR_SIZE);
  p.rows = rows;
  p.options.bytes = 64;
  assert_int_equal(release_g(&p, &p.rows), DPPAIR_ERR_WORKSPACE);
  p.options = options;
  p.w[1] = (double)NAN;
  assert_int_equal(release_g(&p, &p.rows), DPPAIR_ERR_NOT_FINITE);
  p.w[1] = 1e300;
  assert_int_equal(release_g(&p, &p.rows), DPPAIR_ERR_OVERFLOW);
  p.w[1] = 0;
  assert_int_equal(p.release.step, 0);
  assert_int_equal(release_g(&p, &p.rows), DPPAIR_OK);
  assert_int_equal(p.release.step, 1);
}

/* A reused buffer: rows that are no longer what was clipped. Nothing without noise comes out. */
static void rows_that_are_overwritten_leave_nothing(void **state) {
  (void)state;
  fill(&p);
  open_fresh(&p, plan_of_all(DPPAIR_REPLACE_ONE));
  p.x[3][2] = (double)NAN;
  p.w[2] = 1;
  assert_int_not_equal(release_g(&p, &p.rows), DPPAIR_OK);
  assert_int_equal(p.release.step, 1); /* this was no public error */
}

static void long_rows_are_shortened_and_nan_is_refused(void **state) {
  (void)state;
  fill(&p);
  p.x[5][0] = 1e200;
  assert_int_equal(dppair_rows_clip_f64(&p.rows, p.factor, p.x[0], N, D, D, 1.0), DPPAIR_OK);
  open_fresh(&p, plan_of_all(DPPAIR_REPLACE_ONE));
  assert_int_equal(release_g(&p, &p.rows), DPPAIR_OK);
  p.x[5][0] = (double)NAN;
  assert_int_equal(dppair_rows_clip_f64(&p.rows, p.factor, p.x[0], N, D, D, 1.0),
                   DPPAIR_ERR_NOT_FINITE);
  assert_int_not_equal(rank_release(p.g, &p.release, &p.rows, p.w, &p.options), DPPAIR_OK);
  assert_int_equal(p.release.step, 1); /* what is left of rows has no bound and no records */
}

/* A sampled plan: a batch of another size, another step's, or all records. */
static void a_batch_is_the_draw_of_its_step(void **state) {
  dppair_rows_f64 drawn;
  (void)state;
  fill(&p);
  for (int kind = DPPAIR_POISSON; kind < DPPAIR_MATCHING; kind++) {
    open_fresh(&p, plan_of(sampling_of(kind, DPPAIR_REPLACE_ONE), 2.0));
    p.drawn = p.rows;
    p.drawn.n = 12;
    assert_int_equal(release_g(&p, &p.drawn), DPPAIR_ERR_NOT_DRAWN); /* no draw */
    draw(&p);
    assert_int_equal(release_g(&p, &p.rows), DPPAIR_ERR_BATCH); /* all records */
    drawn = p.drawn;
    drawn.n++;
    assert_int_equal(release_g(&p, &drawn), DPPAIR_ERR_SIZE);
    assert_int_equal(p.release.step, 0);
    assert_int_equal(release_g(&p, &p.drawn), DPPAIR_OK);
    assert_int_equal(release_g(&p, &p.drawn), DPPAIR_ERR_NOT_DRAWN); /* the draw is used up */
    assert_int_equal(p.release.step, 1);
  }
}

/* Batches of no record and of one: noise alone, no error. The workspace is that of N records: a
 * smaller one would be refused for some batches only. */
/* Rows of an earlier draw, the first ones in place of the drawn ones, and those that nobody marked
 * are refused; those of the draw are taken, also when another program draws it again. */
static void a_release_takes_the_rows_of_its_own_draw(void **state) {
  dppair_batch first, second, again;
  dppair_rows_f64 mine, old;
  size_t index[N];
  (void)state;
  fill(&p);
  open_fresh(&p, plan_of(sampling_of(DPPAIR_POISSON, DPPAIR_REPLACE_ONE), 2.0));
  open_fresh(&q, plan_of(sampling_of(DPPAIR_POISSON, DPPAIR_REPLACE_ONE), 2.0));
  assert_int_equal(dppair_release_draw(&first, p.index, N, &p.release), DPPAIR_OK);
  assert_true(first.serial != 0 && first.index == p.index && first.count > 2);
  mine = p.rows; /* the first `count` rows */
  mine.n = first.count;
  assert_int_equal(release_g(&p, &mine), DPPAIR_ERR_BATCH);
  for (size_t i = 0; i < N; i++) index[i] = i;
  again = dppair_batch_make(index, first.count);
  assert_int_equal(
      dppair_gather_f64(&mine, p.batch[0], NULL, p.batch_factor, &again, &p.rows), DPPAIR_OK);
  assert_true(mine.serial == 0); /* a list of one's own */
  assert_int_equal(release_g(&p, &mine), DPPAIR_ERR_BATCH);
  mine.n = 0; /* nor does the status tell how many were drawn */
  assert_int_equal(release_g(&p, &mine), DPPAIR_ERR_BATCH);
  mine.n = first.count;
  assert_int_equal(p.release.step, 0);
  assert_int_equal(
      dppair_gather_f64(&old, p.batch[0], NULL, p.batch_factor, &first, &p.rows), DPPAIR_OK);
  assert_true(old.serial == first.serial);
  assert_int_equal(release_g(&p, &old), DPPAIR_OK);
  assert_int_equal(dppair_release_draw(&second, p.index, N, &p.release), DPPAIR_OK);
  assert_true(second.serial != first.serial);
  old.n = second.count; /* the batch of the step before */
  assert_int_equal(release_g(&p, &old), DPPAIR_ERR_BATCH);
  dppair_rows_by_hand_f64(&old, NULL);
  dppair_rows_by_hand_f64(NULL, &second);
  assert_int_equal(release_g(&p, &old), DPPAIR_ERR_BATCH);
  assert_int_equal(p.release.step, 1);
  mine = p.rows;
  mine.n = second.count, mine.positives = 1;
  dppair_rows_by_hand_f64(&mine, &second); /* a promise */
  assert_int_equal(release_g(&p, &mine), DPPAIR_OK);
  /* a rank with the same key, run and account has the same serials */
  assert_int_equal(dppair_release_draw(&again, q.index, N, &q.release), DPPAIR_OK);
  assert_true(again.serial == first.serial && again.count == first.count);
  /* a draw that failed is a batch of no rows, and of no draw */
  assert_int_equal(dppair_release_draw(&again, q.index, N, &q.release), DPPAIR_ERR_EXHAUSTED);
  assert_true(again.index == NULL && again.count == 0 && again.serial == 0);
  /* another plan of the account draws others */
  assert_int_equal(dppair_release_open(&q.release, &q.account,
                                       (const dppair_plan[]){plan_of(
                                           sampling_of(DPPAIR_POISSON, DPPAIR_REPLACE_ONE), 2.0)},
                                       &FIXED),
                   DPPAIR_OK);
  assert_int_equal(dppair_release_draw(&again, q.index, N, &q.release), DPPAIR_OK);
  assert_true(again.serial != first.serial);
}

static void the_size_of_a_poisson_batch_does_not_show(void **state) {
  size_t seen[3] = {0}, needed;
  (void)state;
  fill(&p);
  open_fresh(&p, plan_of(dppair_sampling_poisson(N, 1, DPPAIR_ZERO_OUT), 2.0));
  assert_int_equal(rank_workspace(&needed, N, D, &p.options), DPPAIR_OK);
  for (int t = 0; t < STEPS; t++) {
    draw(&p);
    p.options.bytes = needed - 1;
    assert_int_equal(release_g(&p, &p.drawn), DPPAIR_ERR_WORKSPACE);
    p.options.bytes = needed;
    assert_int_equal(release_g(&p, &p.drawn), DPPAIR_OK);
    seen[p.drawn.n < 2 ? p.drawn.n : 2]++;
    if (p.drawn.n < 2)
      for (size_t k = 0; k < D; k++) assert_true(fabs(p.g[k]) < 8 * p.release.sigma);
  }
  assert_true(seen[0] && seen[1] && seen[2]);
}

/* All records of a tiny universe, in every batch that a record can join: the divided gradient moves
 * by at most the sensitivity, and as far where the others stand at the other end. The divisor of a
 * fraction of a record is that of dppair_normaliser. */
static void a_record_that_joins_a_batch_moves_it_by_the_sensitivity_at_most(void **state) {
  double worst = 0;
  (void)state;
  for (int round = 0; round < 400; round++) {
    const size_t batches = 1 + (size_t)(round % 40), size = (size_t)(round % 7);
    const dppair_sampling s = dppair_sampling_allocation(N, batches, 1, DPPAIR_ZERO_OUT);
    double g[D] = {0}, h[D] = {0}, sensitivity;
    dppair_bounds bounds;
    dppair_rows_f64 rows;
    fill(&p);
    memset(&bounds, 0, sizeof bounds);
    for (size_t k = 0; k < D; k++) p.w[k] = normal() * (round % 3);
    for (size_t i = 0; round % 2 && i < N; i++)
      for (size_t k = 0; k < D; k++) p.x[i][k] = k == 0 ? (i == 0 ? 1.0 : -1.0) : 0.0;
    assert_int_equal(dppair_rows_clip_f64(&rows, p.factor, p.x[0], N, D, D, 1.0), DPPAIR_OK);
    rows.positives = round % 2 ? 1 : (size_t)(round % 5) % (size + 1);
    bounds.radius = 1.0;
    for (size_t k = 0; k < D; k++) bounds.param_radius += p.w[k] * p.w[k];
    bounds.param_radius = sqrt(bounds.param_radius) * (1 + 1e-12);
    assert_int_equal(rank_sensitivity(&sensitivity, D, &bounds, &s, &p.options), DPPAIR_OK);
    rows.n = size + 1; /* with record 0, a positive where there is one, */
    mean_of(g, &p, &rows, &s);
    rows.x += D, rows.factor++, rows.n--; /* and without it */
    rows.positives -= rows.positives > 0;
    if (size > 0) mean_of(h, &p, &rows, &s);
    assert_true(distance(g, h) <= sensitivity);
    worst = fmax(worst, distance(g, h) / sensitivity);
  }
  assert_true(worst > 0.9);
}

static void a_prepared_state_counts_in_the_sensitivity(void **state) {
  static double work[1 << 17];
  dppair_fast fast;
  double exact;
  (void)state;
  fill(&p);
  p.w[0] = 3;
  open_fresh(&p, plan_of_all(DPPAIR_REPLACE_ONE));
  assert_int_equal(release_g(&p, &p.rows), DPPAIR_OK);
  exact = p.release.sensitivity;
  assert_int_equal(rank_fast_init(&fast, N, DPPAIR_ACCURACY_1E6, 4.0, NULL, work, sizeof work),
                   DPPAIR_OK);
  p.options.fast = &fast;
  assert_int_equal(release_g(&p, &p.rows), DPPAIR_OK);
  assert_true(p.release.sensitivity > exact * (1 + 1e-8) && p.release.sensitivity < exact * 1.001);
  p.w[0] = 50; /* scores beyond the cap count as the cap: no error, and no longer slopes */
  assert_int_equal(release_g(&p, &p.rows), DPPAIR_OK);
  assert_true(p.release.sensitivity < 2.0 / N / (1 + exp(-8.0)) * 1.001);
  memset(&fast, 0, sizeof fast); /* not prepared */
  assert_int_not_equal(release_g(&p, &p.rows), DPPAIR_OK);
  assert_int_equal(p.release.step, 3);
}

/* The caller's sum of c_i v_i, of coefficients by boxes: what doubles round counts, too. A grid of
 * scores has sums of rows only. */
static void a_vector_of_coefficients_by_boxes_is_priced(void **state) {
  static double work[2][1 << 17];
  dppair_fast fast, grid;
  dppair_bounds bounds = {1.0, 0.0, 0.0, 0.0, 0.0};
  dppair_sampling all = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  dppair_options options = {NULL, 0, &fast, NULL, NULL, 0, NULL};
  double g[D], s, factor, rounding;
  (void)state;
  fill(&p);
  open_fresh(&p, plan_of_all(DPPAIR_REPLACE_ONE));
  assert_int_equal(
      rank_fast_init(&fast, N, DPPAIR_ACCURACY_1E6, 4.0, NULL, work[0], sizeof work[0]), DPPAIR_OK);
  assert_int_equal(
      small_sums_init(&grid, N, DPPAIR_ACCURACY_1E6, 4.0, NULL, work[1], sizeof work[1]),
      DPPAIR_OK);
  for (size_t k = 0; k < D; k++) g[k] = 1.0;
  assert_int_equal(rank_release_vector(g, D, &p.release, &bounds, 0.0, &options), DPPAIR_OK);
  assert_true(g[0] != 1.0 && g[0] != 0.0);
  bounds.param_radius = HUGE_VAL;
  assert_int_equal(rank_sensitivity(&s, D, &bounds, &all, &options), DPPAIR_OK);
  assert_int_equal(rank_allowance(&factor, &rounding, &fast, N, 1.0, 1.0), DPPAIR_OK);
  assert_true(p.release.sensitivity >= s && s >= rounding / ((double)N * (N - 1)));
  options.fast = &grid;
  for (size_t k = 0; k < D; k++) g[k] = 1.0;
  assert_int_equal(small_release_vector(g, D, &p.release, &bounds, 0.0, &options),
                   DPPAIR_ERR_NO_PROOF);
  assert_true(g[0] == 0.0 && p.release.step == 1);
}

static void a_clip_bounds_the_sensitivity(void **state) {
  (void)state;
  fill(&p);
  open_fresh(&p, plan_of_all(DPPAIR_REPLACE_ONE));
  p.w[0] = 30;
  p.options.clip = clip_of(rank_clip_init, 0.01);
  assert_int_equal(release_g(&p, &p.rows), DPPAIR_OK);
  assert_true(p.release.sensitivity <= 2 * 0.01 / N * (1 + 1e-6));
  /* one that none made or that was changed, one without functions, one of another instance */
  {
    const dppair_clip *const wrong[] = {clip_unmade(), clip_changed(),
                                        clip_of(dppair_clip_init, 0.01),
                                        clip_of(small_clip_init, 0.01)};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
      p.options.clip = wrong[k];
      assert_int_equal(release_g(&p, &p.rows), DPPAIR_ERR_WORKSPACE);
    }
  }
  assert_int_equal(p.release.step, 1);
}

static void floats_have_a_release_too(void **state) {
  static float x[N][D];
  dppair_rows_f32 rows;
  float w[D] = {0};
  (void)state;
  fill(&p);
  for (size_t i = 0; i < N; i++)
    for (size_t k = 0; k < D; k++) x[i][k] = (float)p.x[i][k];
  assert_int_equal(dppair_rows_clip_f32(&rows, p.factor, x[0], N, D, D, 1.0), DPPAIR_OK);
  rows.positives = 20;
  open_fresh(&p, plan_of_all(DPPAIR_ZERO_OUT));
  assert_int_equal(small_release(p.g, &p.release, &rows, w, &p.options), DPPAIR_OK);
  assert_true(p.release.sensitivity > 1.0 / N && p.release.sensitivity < 2.001 / N);
  w[0] = 1e19f; /* scores whose float sums could overflow */
  assert_int_equal(small_release(p.g, &p.release, &rows, w, &p.options), DPPAIR_ERR_OVERFLOW);
}

static void a_loss_without_a_true_range_of_slopes_is_refused(void **state) {
  (void)state;
  fill(&p);
  open_fresh(&p, plan_of_all(DPPAIR_REPLACE_ONE));
  p.g[0] = 3;
  assert_int_equal(unknown_release(p.g, &p.release, &p.rows, p.w, &p.options), DPPAIR_ERR_NO_PROOF);
  assert_true(p.g[0] == 0.0 && p.release.step == 0);
  p.w[0] = 3;
  p.g[0] = 3;
  assert_int_equal(false_range_release(p.g, &p.release, &p.rows, p.w, &p.options),
                   DPPAIR_ERR_SLOPE);
  assert_true(p.g[0] == 0.0 && p.release.step == 0);
}

static void delta_zero_has_its_own_noise(void **state) {
  dppair_plan plan = plan_of_all(DPPAIR_REPLACE_ONE);
  double epsilon;
  (void)state;
  fill(&p);
  plan.noise_multiplier = 0;
  plan.epsilon = 2;
  plan.noise = DPPAIR_L2BALL;
  open_fresh(&p, plan);
  for (int t = 0; t < STEPS; t++) assert_int_equal(release_g(&p, &p.rows), DPPAIR_OK);
  assert_int_equal(answer_epsilon(&epsilon, &p.account, 0), DPPAIR_OK);
  assert_true(epsilon <= 2 && epsilon > 2 * (1 - 1e-12));
}

/* Laplace noise moves with the l1 norm: the same S times sqrt(D), rounded up, holds for every
 * neighbour; without the root it does not. */
static void laplace_noise_is_for_the_l1_norm(void **state) {
  dppair_plan plan = plan_of_all(DPPAIR_REPLACE_ONE), gaussian = plan;
  double a[D], b[D], farthest = 0, sum = 0, S, each;
  dppair_bounds bounds;
  (void)state;
  plan.noise = DPPAIR_LAPLACE;
  fill(&p);
  for (size_t i = 0; i < N; i++) /* all numbers move at once, and as far as they can */
    for (size_t k = 0; k < D; k++) p.x[i][k] = i < N / 3 ? -1 : 1;
  assert_int_equal(dppair_rows_clip_f64(&p.rows, p.factor, p.x[0], N, D, D, 1.0), DPPAIR_OK);
  p.rows.positives = N / 3;
  open_fresh(&p, gaussian);
  assert_int_equal(release_g(&p, &p.rows), DPPAIR_OK);
  S = p.release.sensitivity;
  open_fresh(&p, plan);
  assert_int_equal(release_g(&p, &p.rows), DPPAIR_OK);
  each = p.release.sensitivity;
  assert_true(each >= S * sqrt(D) && each < S * sqrt(D) * (1 + 1e-14));
  assert_true(p.release.sigma >= 2 * each && p.release.sigma < 2 * each * (1 + 1e-14));
  memset(p.w, 0, sizeof p.w); /* as at the release */
  mean_of(a, &p, &p.rows, &plan.sampling);
  for (size_t i = 0; i < N; i++) {
    double l1 = 0;
    q = p;
    q.rows.x = q.x[0], q.rows.factor = q.factor, q.options.work = q.work;
    for (size_t k = 0; k < D; k++) q.x[i][k] = -q.x[i][k];
    mean_of(b, &q, &q.rows, &plan.sampling);
    for (size_t k = 0; k < D; k++) l1 += fabs(a[k] - b[k]);
    farthest = l1 > farthest ? l1 : farthest;
  }
  assert_true(farthest <= each && farthest > S); /* S alone is too little */
  assert_true(farthest > 0.6 * each);
  /* the noise is Laplace, of this scale: |z| is the scale on average, 0.8 of it if it were Gaussian */
  for (int round = 0; round < 20; round++) {
    dppair_accountant_init(&p.account);
    assert_int_equal(dppair_release_open(&p.release, &p.account, &plan, NULL), DPPAIR_OK);
    for (int t = 0; t < STEPS; t++) {
      assert_int_equal(release_g(&p, &p.rows), DPPAIR_OK);
      for (size_t k = 0; k < D; k++) sum += fabs(p.g[k] - a[k]) / p.release.sigma;
    }
  }
  assert_true(fabs(sum / (20 * STEPS * D) - 1) < 0.08); /* 5 sigma */
  /* the same for a vector that the caller has summed */
  open_fresh(&p, gaussian);
  memset(&bounds, 0, sizeof bounds);
  bounds.radius = 1;
  memset(p.g, 0, sizeof p.g);
  assert_int_equal(rank_release_vector(p.g, D, &p.release, &bounds, 0, &p.options), DPPAIR_OK);
  S = p.release.sensitivity;
  open_fresh(&p, plan);
  memset(p.g, 0, sizeof p.g);
  assert_int_equal(rank_release_vector(p.g, D, &p.release, &bounds, 0, &p.options), DPPAIR_OK);
  assert_true(p.release.sensitivity >= S * sqrt(D) &&
              p.release.sensitivity < S * sqrt(D) * (1 + 1e-14));
  for (size_t k = 0; k < D; k++) assert_true(p.g[k] != 0);
}

static void a_calibrated_plan_is_for_the_account_as_it_was(void **state) {
  dppair_plan plan = plan_of(sampling_of(DPPAIR_POISSON, DPPAIR_REPLACE_ONE), 0), changed;
  dppair_interval spent;
  size_t bytes;
  void *work;
  (void)state;
  fill(&p);
  plan.epsilon = 1;
  plan.delta = 1e-5;
  dppair_accountant_init(&p.account);
  assert_int_equal(dppair_composer_workspace(&bytes, NULL), DPPAIR_OK);
  work = malloc(bytes);
  assert_non_null(work);
  assert_int_equal(calibrate(&plan, &p.account, work, bytes), DPPAIR_OK);
  changed = plan;
  changed.steps++; /* free steps */
  assert_int_equal(dppair_release_open(&p.release, &p.account, &changed, &FIXED),
                   DPPAIR_ERR_PLAN_CHANGED);
  changed = plan;
  changed.noise_multiplier *= 0.5;
  assert_int_equal(dppair_release_open(&p.release, &p.account, &changed, &FIXED),
                   DPPAIR_ERR_PLAN_CHANGED);
  assert_int_equal(dppair_release_open(&p.release, &p.account, &plan, &FIXED), DPPAIR_OK);
  assert_int_equal(certify(&spent, &p.account, 1e-5, work, bytes), DPPAIR_OK);
  assert_true(spent.upper <= 1 && spent.upper > 0.99);
  for (int t = 0; t < STEPS; t++) {
    draw(&p);
    assert_int_equal(release_g(&p, &p.drawn), DPPAIR_OK);
  }
  assert_int_equal(dppair_release_open(&p.release, &p.account, &plan, &FIXED),
                   DPPAIR_ERR_PLAN_CHANGED); /* the account has moved on */
  free(work);
}

/* --- sums of the caller ----------------------------------------------------------------------- */

/* A network: coefficients from its scores, back-propagated by the caller. */
static void a_vector_of_the_caller_counts_slopes_over_the_whole_line(void **state) {
  dppair_bounds bounds;
  double g[D], s[N], c[N], linear, own;
  (void)state;
  fill(&p);
  memset(&bounds, 0, sizeof bounds);
  bounds.radius = 1.0;
  open_fresh(&p, plan_of_all(DPPAIR_REPLACE_ONE));
  assert_int_equal(release_g(&p, &p.rows), DPPAIR_OK);
  linear = p.release.sensitivity; /* at w = 0: slopes of 1/2 */
  for (size_t i = 0; i < N; i++) s[i] = normal();
  assert_int_equal(rank_coeffs(c, c + 20, s, 20, s + 20, N - 20, NULL), DPPAIR_OK);
  assert_int_equal(dppair_combine_f64(g, &p.rows, c), DPPAIR_OK);
  assert_int_equal(rank_release_vector(g, D, &p.release, &bounds, 0.0, &p.options), DPPAIR_OK);
  assert_true(fabs(p.release.sensitivity - 2 * linear) < 1e-9 * linear);
  linear = p.release.sensitivity;
  bounds.param_radius = HUGE_VAL;
  assert_int_equal(rank_sensitivity(&own, D, &bounds, &p.release.sampling, &p.options), DPPAIR_OK);
  assert_true(linear > own && linear < own * (1 + 1e-15)); /* rounded up */
  bounds.param_radius = 0.0;
  assert_int_equal(rank_release_vector(g, D, &p.release, &bounds, 1.0, &p.options), DPPAIR_OK);
  assert_true(fabs(p.release.sensitivity - linear - 2.0 / (N * (N - 1))) < 1e-12);
  g[0] = 5;
  assert_int_equal(rank_release_vector(g, D, &p.release, &bounds, -1.0, &p.options),
                   DPPAIR_ERR_DOMAIN);
  assert_true(g[0] == 0.0);
  bounds.radius = 0;
  assert_int_equal(rank_release_vector(g, D, &p.release, &bounds, 0.0, &p.options),
                   DPPAIR_ERR_NO_RADIUS);
  bounds.radius = 1;
  assert_int_equal(rank_release_vector(g, 0, &p.release, &bounds, 0.0, &p.options), DPPAIR_ERR_SIZE);
  assert_int_equal(rank_release_vector(g, D, &p.release, NULL, 0.0, &p.options), DPPAIR_ERR_NULL);
  assert_int_equal(p.release.step, 3);
  g[1] = (double)NAN;
  assert_int_equal(rank_release_vector(g, D, &p.release, &bounds, 0.0, &p.options),
                   DPPAIR_ERR_NOT_FINITE);
  assert_true(g[0] == 0.0 && p.release.step == 4);
}

static void matchings_go_through_listed_pairs(void **state) {
  const dppair_sampling s = dppair_sampling_matching(N, 12, DPPAIR_REPLACE_ONE);
  dppair_bounds bounds;
  size_t count;
  (void)state;
  fill(&p);
  memset(&bounds, 0, sizeof bounds);
  bounds.radius = 1.0;
  open_fresh(&p, plan_of(s, 2.0));
  p.drawn = p.rows;
  p.drawn.n = 12;
  assert_int_equal(draw_now(p.index, &count, N, &p.release), DPPAIR_OK);
  dppair_rows_by_hand_f64(&p.drawn, &drawn_now);
  assert_int_equal(release_g(&p, &p.drawn), DPPAIR_ERR_NO_PROOF);
  memset(p.g, 0, sizeof p.g);
  assert_int_equal(rank_release_vector(p.g, D, &p.release, &bounds, 0.0, &p.options), DPPAIR_OK);
  assert_true(p.release.divisor == 6.0);
  assert_int_equal(rank_release_vector(p.g, D, &p.release, &bounds, 0.0, &p.options),
                   DPPAIR_ERR_NOT_DRAWN);
}

/* --- users and queries ------------------------------------------------------------------------
 */

/* Twelve groups: a plan counts them where one of them is protected, and asks for them; what does
 * not fit is refused before the permit is used. */
static void persons_and_queries_are_counted_by_the_plan(void **state) {
  enum { GROUPS = 12 };
  static const struct {
    dppair_adjacency adjacency;
    dppair_grouping relation;
    double divisor, sensitivity; /* slopes of at most 1/2, records of at most 1: u = 1 */
  } rows[] = {
      {DPPAIR_REPLACE_USER, DPPAIR_ACROSS, GROUPS * (GROUPS - 1.0), 1.0 / GROUPS},
      {DPPAIR_ZERO_USER, DPPAIR_ACROSS, GROUPS * (GROUPS - 1.0), 1.0 / GROUPS},
      {DPPAIR_REPLACE_QUERY, DPPAIR_WITHIN, GROUPS, 1.0 / GROUPS},
      {DPPAIR_ZERO_QUERY, DPPAIR_WITHIN, GROUPS, 0.5 / GROUPS},
      {DPPAIR_REPLACE_ONE, DPPAIR_WITHIN, GROUPS, 1.0 / (GROUPS * 4.0)} /* of 4 to 6 records each */
  };
  size_t up[GROUPS + 1], down[GROUPS + 1], k;
  (void)state;
  for (k = 0; k <= GROUPS; k++) up[k] = k * 20 / GROUPS, down[k] = k * 40 / GROUPS;
  for (k = 0; k < sizeof rows / sizeof *rows; k++) {
    const int records = rows[k].adjacency == DPPAIR_REPLACE_ONE;
    dppair_groups groups = {GROUPS, up, down, rows[k].relation, records ? 0 : N};
    dppair_groups other = groups;
    double mean[D], far = 0.0, weight[N];
    fill(&p);
    other.relation = rows[k].relation == DPPAIR_ACROSS ? DPPAIR_WITHIN : DPPAIR_ACROSS;
    open_fresh(&p, plan_of(dppair_sampling_all(records ? N : GROUPS, rows[k].adjacency), 2.0));
    if (!records) assert_int_equal(release_g(&p, &p.rows), DPPAIR_ERR_ADJACENCY);
    p.options.groups = &other;
    assert_int_not_equal(release_g(&p, &p.rows), DPPAIR_OK);
    p.options.groups = &groups;
    groups.count--;
    assert_int_equal(release_g(&p, &p.rows), DPPAIR_ERR_SIZE);
    groups.count++;
    if (!records) { /* the number of rows is private, so that none may follow from it */
      groups.most = 0;
      assert_int_equal(release_g(&p, &p.rows), DPPAIR_ERR_SIZE);
      groups.most = N;
    }
    p.options.clip = clip_of(rank_clip_init, 1.0);
    assert_int_equal(release_g(&p, &p.rows), DPPAIR_ERR_NO_PROOF);
    p.options.clip = NULL;
    assert_int_equal(p.release.step, 0);
    for (size_t i = 0; i < N; i++) weight[i] = i % 3 ? 0.5 : 1.0;
    p.rows.weight = k % 2 ? weight : NULL;
    assert_int_equal(release_g(&p, &p.rows), DPPAIR_OK);
    assert_int_equal(p.release.step, 1);
    assert_true(fabs(p.release.divisor - rows[k].divisor) <= 0.0);
    assert_true(p.release.sensitivity >= rows[k].sensitivity);
    assert_true(p.release.sensitivity <= rows[k].sensitivity * (1 + 1e-4));
    assert_int_equal(rank_gradient(mean, &p.rows, p.w, &p.options), DPPAIR_OK);
    for (size_t e = 0; e < D; e++) far += fabs(p.g[e] - mean[e] / rows[k].divisor);
    assert_true(far > 0.0 && far < 20.0 * p.release.sigma);
  }
  fill(&p); /* users of a plan for records */
  open_fresh(&p, plan_of_all(DPPAIR_REPLACE_ONE));
  {
    const dppair_groups users = {GROUPS, up, down, DPPAIR_ACROSS, 0};
    p.options.groups = &users;
    assert_int_equal(release_g(&p, &p.rows), DPPAIR_ERR_ADJACENCY);
    assert_int_equal(p.release.step, 0);
  }
}

/* --- threads ---------------------------------------------------------------------------------- */

static void *descend(void *context) {
  program *r = (program *)context;
  for (int t = 0; t < STEPS; t++) {
    if (rank_release(r->g, &r->release, &r->rows, r->w, &r->options) != DPPAIR_OK) return context;
    for (size_t k = 0; k < D; k++) r->w[k] -= r->g[k];
  }
  return NULL;
}

static void releases_of_their_own_run_at_the_same_time(void **state) {
  static program many[4];
  pthread_t thread[4];
  double w[D];
  (void)state;
  fill(&p);
  open_fresh(&p, plan_of_all(DPPAIR_REPLACE_ONE));
  assert_null(descend(&p));
  memcpy(w, p.w, sizeof w);
  for (int i = 0; i < 4; i++) {
    random_state = RANDOM_SEED;
    fill(&many[i]);
    open_fresh(&many[i], plan_of_all(DPPAIR_REPLACE_ONE));
  }
  for (int i = 0; i < 4; i++)
    assert_int_equal(pthread_create(thread + i, NULL, descend, many + i), 0);
  for (int i = 0; i < 4; i++) {
    void *failed;
    assert_int_equal(pthread_join(thread[i], &failed), 0);
    assert_null(failed);
    assert_memory_equal(many[i].w, w, sizeof w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_release_is_gradient_divisor_and_noise),
      TEST(a_sum_of_chunks_is_released_as_its_rows_are),
      TEST(a_sum_of_persons_is_released_as_their_rows_are),
      TEST(the_sensitivity_is_that_of_the_actual_weights),
      TEST(neighbours_are_within_the_sensitivity),
      TEST(the_sensitivity_is_attained),
      TEST(public_errors_use_no_permit),
      TEST(rows_that_are_overwritten_leave_nothing),
      TEST(long_rows_are_shortened_and_nan_is_refused),
      TEST(a_batch_is_the_draw_of_its_step),
      TEST(a_release_takes_the_rows_of_its_own_draw),
      TEST(the_size_of_a_poisson_batch_does_not_show),
      TEST(a_record_that_joins_a_batch_moves_it_by_the_sensitivity_at_most),
      TEST(a_prepared_state_counts_in_the_sensitivity),
      TEST(a_vector_of_coefficients_by_boxes_is_priced),
      TEST(a_clip_bounds_the_sensitivity),
      TEST(floats_have_a_release_too),
      TEST(a_loss_without_a_true_range_of_slopes_is_refused),
      TEST(delta_zero_has_its_own_noise),
      TEST(laplace_noise_is_for_the_l1_norm),
      TEST(a_calibrated_plan_is_for_the_account_as_it_was),
      TEST(a_vector_of_the_caller_counts_slopes_over_the_whole_line),
      TEST(matchings_go_through_listed_pairs),
      TEST(persons_and_queries_are_counted_by_the_plan),
      TEST(releases_of_their_own_run_at_the_same_time),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
