/* SPDX-License-Identifier: MIT */
/* Marginals: cells come from public numbers alone, every record counts once in each, what one moves
 * is what the noise is for and no less, in integers; sums are exact in any order. */
struct dppair_event;
static int hook(struct dppair_event *event);
#define DPPAIR_AUDIT(event) hook(event)

#include "dppair_l2ball.h"
#include "dppair_accountant.h"
#include "dppair_noise.h"
#include "dppair_tables.h"

#include "dppair.h"

#include "tests.h"
#include "questions.h"
#include "draws.h"

enum { ROOM = 1 << 18, MOST = 600 };
static const uint8_t KEY[32] = {7, 1}, RUN[16] = {2};
static const dppair_release_keys FIXED = {KEY, RUN};

static dppair_accountant account;
static dppair_release release;
static double before[MOST], v[MOST], room[ROOM];
static double told; /* the sensitivity of the last release, as the hook saw it */
static size_t released;

/* Keeps what a release adds its noise to. */
static int hook(struct dppair_event *event) {
  if (event->kind != DPPAIR_EVENT_RELEASE) return 0;
  assert_true(event->n <= MOST);
  memcpy(before, event->values, event->n * sizeof *before);
  told = event->sensitivity;
  released++;
  return 0;
}

static void open_plan(dppair_sampling sampling, dppair_mechanism_kind law, size_t steps) {
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = sampling;
  plan.noise_multiplier = 2.0;
  plan.steps = steps;
  plan.noise = law;
  dppair_accountant_init(&account);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_OK);
}

static dppair_status ask(const dppair_marginals *q, const double *x, const double *y,
                         const double *weight, size_t n) {
  size_t start[64];
  assert_int_equal(dppair_marginals_layout(start, q), DPPAIR_OK);
  return dppair_release_marginals(v, start[q->d + 1], &release, q, x, y, weight, n, room,
                                  sizeof room);
}

/* --- cells ------------------------------------------------------------------------------------ */

static void cells_cover_the_range_and_are_finer_towards_zero(void **state) {
  static const double range[][2] = {{0, 1},
                                    {-1, 1},
                                    {-3, 40},
                                    {-40, 0},
                                    {5, 6},
                                    {-9, -8},
                                    {0, 1e300},
                                    {0, 5e-324},
                                    {2, 2},
                                    {0, 0},
                                    {-7, -7},
                                    {-1e300, 1e300},
                                    {1, 1.0000000000000002},
                                    {-1e-300, 1},
                                    {-1e9, -999999999.9999999},
                                    {0.1, 0.3},
                                    {-1, 1e-18},
                                    {3, 4e15}};
  dppair_cells c;
  (void)state;
  for (size_t k = 0; k < sizeof range / sizeof *range; k++)
    for (size_t side = 1; side <= 24; side++) {
      const double low = range[k][0], high = range[k][1];
      assert_int_equal(dppair_cells_make(&c, low, high, side), DPPAIR_OK);
      assert_true(c.cells >= 1 && c.cells <= 2 * side && c.zero < c.cells);
      assert_true(c.edge[0] == low && c.edge[c.cells] == high);
      if (low == high) assert_int_equal(c.cells, 1);
      for (size_t i = 0; i < c.cells; i++) {
        const double middle = c.edge[i] + (c.edge[i + 1] - c.edge[i]) / 2;
        assert_true(low == high || c.edge[i] < c.edge[i + 1]);
        if (c.edge[i] < middle) assert_int_equal(dppair_cells_find(&c, middle), i);
        if (c.edge[i] < c.edge[i + 1]) assert_int_equal(dppair_cells_find(&c, c.edge[i]), i);
      }
      assert_int_equal(dppair_cells_find(&c, (double)NAN), 0);
      assert_int_equal(dppair_cells_find(&c, -HUGE_VAL), 0);
      assert_int_equal(dppair_cells_find(&c, -DBL_MAX), 0);
      assert_int_equal(dppair_cells_find(&c, HUGE_VAL), c.cells - 1);
      assert_int_equal(dppair_cells_find(&c, DBL_MAX), c.cells - 1);
    }
  assert_int_equal(dppair_cells_make(&c, -1, 1, 24), DPPAIR_OK);
  assert_true(c.cells == 48 && c.zero == 24 && c.edge[24] == 0);
  assert_true(fabs(c.edge[25] - (pow(1001, 1.0 / 24) - 1) / 1000) < 1e-15);
  assert_true(fabs(c.edge[36] - (sqrt(1001) - 1) / 1000) < 1e-15 && c.edge[12] == -c.edge[36]);
  assert_int_equal(dppair_cells_make(&c, -0.1, 1, 24), DPPAIR_OK);
  assert_true(c.cells == 41 && c.zero == 17 && c.edge[0] == -0.1); /* 0.1: 17 of 24 cells */
  assert_int_equal(dppair_cells_make(&c, -2, 0, 24), DPPAIR_OK);
  assert_true(c.cells == 24 && c.zero == 23);
  assert_int_equal(dppair_cells_make(&c, 30, 40, 24), DPPAIR_OK);
  assert_true(c.cells == 24 && c.zero == 0);
}

static void what_is_no_range_is_refused(void **state) {
  dppair_cells c;
  (void)state;
  assert_int_equal(dppair_cells_make(NULL, 0, 1, 24), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_cells_make(&c, 1, 0, 24), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_cells_make(&c, -1.1e300, 0, 24), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_cells_make(&c, 0, 1.1e300, 24), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_cells_make(&c, (double)NAN, 1, 24), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_cells_make(&c, 0, HUGE_VAL, 24), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_cells_make(&c, 0, 1, 0), DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_cells_make(&c, 0, 1, 25), DPPAIR_ERR_SIZE);
  assert_true(c.cells == 0 && c.edge[1] == 0);
}

/* The share below a quantile is what was asked for; between knots all is linear. */
static void shares_and_knots_are_found(void **state) {
  static const double at[4] = {-2, 0, 1, 5}, value[4] = {1, 3, -1, 0}, h[4] = {.25, 0, .5, .25};
  dppair_cells g = {4, 0, {0, 1, 2, 4, 5}};
  size_t piece;
  double part;
  (void)state;
  assert_true(dppair_cells_quantile(&g, h, 0) == 0 && dppair_cells_quantile(&g, h, .125) == .5);
  assert_true(dppair_cells_quantile(&g, h, .5) == 3 && dppair_cells_quantile(&g, h, 1) == 5);
  assert_true(dppair_cells_quantile(&g, h, 2) == 5 && dppair_cells_quantile(&g, h, .25) == 1);
  for (double x = -3; x < 7; x += .125) {
    const double expected = x < -2  ? 1
                            : x < 0 ? 3 + x
                            : x < 1 ? 3 - 4 * x
                            : x < 5 ? (x - 5) / 4
                                    : 0;
    part = dppair_knots_find(&piece, at, 4, x);
    assert_true(part >= 0 && part <= 1 && piece < 3);
    assert_true(fabs(dppair_knots_between(value, 4, piece, part) - expected) < 1e-12);
  }
  assert_true(dppair_knots_find(&piece, at, 4, (double)NAN) == 0 && piece == 0);
  assert_true(dppair_knots_find(&piece, at, 4, HUGE_VAL) == 1 && piece == 2);
  for (size_t knots = 0; knots < 2; knots++) {
    part = dppair_knots_find(&piece, at, knots, 7);
    assert_true(part == 0 && piece == 0);
    assert_true(dppair_knots_between(value, knots, piece, part) == (knots ? 1 : 0));
  }
}

/* --- the matrix ------------------------------------------------------------------------------- */

/* A is positive, and its square is the kernel up to the rounding of its entries; two columns are
 * 2 - 2 K apart. In long double. */
static void the_matrix_is_the_root_of_its_kernel(void **state) {
  static const double smooth[] = {0, .5, .9, 1, .9}, width[] = {0, .1, 4, 40, 1e9};
  static double a[48 * 48], values[48], vectors[48 * 48];
  size_t bytes;
  (void)state;
  assert_int_equal(dppair_smoothing_workspace(&bytes, 48), DPPAIR_OK);
  for (size_t k = 0; k < 5; k++)
    for (size_t m = 1; m <= 48; m += m < 4 ? 1 : 11) {
      dppair_shift_ replaced, removed;
      long double most = 0, least = 1;
      assert_int_equal(dppair_smoothing_matrix(a, m, smooth[k], width[k], room, bytes), DPPAIR_OK);
      for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
          const double away = fabs((double)i - (double)j);
          long double square = 0, kernel = i == j ? 1 : 0;
          if (i != j && smooth[k] > 0)
            kernel = (long double)smooth[k] * expl(-(long double)away / (long double)width[k]);
          for (size_t l = 0; l < m; l++)
            square += (long double)a[i * m + l] * (long double)a[l * m + j];
          assert_true(a[i * m + j] == a[j * m + i] && a[i * m + j] <= 1);
          assert_true(a[i * m + j] * 1048576 == floor(a[i * m + j] * 1048576));
          assert_true(fabsl(square - kernel) < 1e-5L);
          least = kernel < least ? kernel : least;
        }
      for (size_t i = 0; i < m * m; i++) a[i] *= 1048576; /* in units again */
      dppair_smoothing_shifts_(&replaced, &removed, a, m);
      most = ldexpl((long double)replaced.square, -40);
      assert_true(fabsl(most - (m > 1 ? 2 - 2 * least : 0)) < 2e-5L);
      assert_true(fabs(ldexp((double)removed.square, -40) - 1) < 1e-5);
      assert_int_equal(dppair_eigen_f64(values, vectors, a, m, room, sizeof room), DPPAIR_OK);
      assert_true(values[0] > -32); /* 3e-5 */
    }
  assert_int_equal(dppair_smoothing_matrix(a, 4, .9, 4, room, 4), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(dppair_smoothing_matrix(a, 4, 1.1, 4, room, bytes), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_smoothing_matrix(a, 4, .9, 0, room, bytes), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_smoothing_matrix(a, 4, .9, HUGE_VAL, room, bytes), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_smoothing_matrix(a, 4, 0, 1, room, bytes), DPPAIR_ERR_UNREAD);
  assert_int_equal(dppair_smoothing_matrix(NULL, 4, 0, 0, room, bytes), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_smoothing_matrix(a, SIZE_MAX / 2, 0, 0, room, bytes),
                   DPPAIR_ERR_OVERFLOW);
  assert_int_equal(dppair_smoothing_workspace(&bytes, SIZE_MAX / 2), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(dppair_smoothing_workspace(NULL, 4), DPPAIR_ERR_NULL);
  for (size_t i = 0; i < 16; i++) assert_true(a[i] == 0);
}

/* 2^32 - 1 records, all in one cell or spread at random: as integers say. */
static void sums_of_most_records_are_exact(void **state) {
  enum { M = 48 };
  static double a[M * M], column[M], block[M];
  int64_t count[M];
  (void)state;
  assert_int_equal(dppair_smoothing_matrix(a, M, .9, 4, room, sizeof room), DPPAIR_OK);
  for (size_t i = 0; i < M * M; i++) a[i] *= 1048576;
  for (int round = 0; round < 200; round++) {
    int64_t left = UINT32_MAX;
    memset(count, 0, sizeof count);
    if (round < M) count[round] = left, left = 0;
    for (int i = 0; i < M - 1 && left > 0; i++)
      left -= count[i] = (int64_t)(uniform() * (double)left * (round % 3 + 1) / 3);
    if (left > 0) count[M - 1] = left;
    for (int i = 0; i < M; i++) block[i] = (double)count[i];
    dppair_marginals_smooth_(block, a, M, column);
    for (size_t i = 0; i < M; i++) {
      int64_t sum = 0;
      for (size_t j = 0; j < M; j++) sum += (int64_t)a[i * M + j] * count[j];
      assert_true(block[i] == ldexp((double)sum, -20) && (int64_t)(double)sum == sum);
    }
  }
}

/* --- neighbours ------------------------------------------------------------------------------- */

enum { D = 9 };
/* Every kind of column, by class and not; groups 3 (of three), 0 (of two, one by class), 9. */
static const dppair_column COLUMN[D] = {
    {DPPAIR_COLUMN_GROUP, 0, 0, 3, 0},   {DPPAIR_COLUMN_NUMERIC, -1, 1, 0, 0},
    {DPPAIR_COLUMN_NUMERIC, 0, 9, 0, 1}, {DPPAIR_COLUMN_FLAG, 0, 0, 0, 0},
    {DPPAIR_COLUMN_FLAG, 0, 0, 0, 1},    {DPPAIR_COLUMN_GROUP, 0, 0, 3, 0},
    {DPPAIR_COLUMN_GROUP, 0, 0, 9, 1},   {DPPAIR_COLUMN_NUMERIC, 4, 4, 0, 0},
    {DPPAIR_COLUMN_GROUP, 0, 0, 3, 0}};

/* Record number k of a universe in which every cell, flag, member of a group and label occurs. */
static void record_of(double *row, double *y, unsigned k) {
  static const double first[] = {-5, -.1, .001, (double)INFINITY},
                      second[] = {(double)NAN, .1, 3, 77};
  memset(row, 0, D * sizeof *row);
  row[1] = first[k % 4], row[2] = second[k / 4 % 4];
  row[3] = k >> 4 & 1, row[4] = k >> 5 & 1, row[6] = k >> 6 & 1;
  row[0] = k >> 7 & 1, row[5] = k >> 8 & 1, row[8] = k >> 9 & 1;
  row[7] = k % 3 ? 4 : -HUGE_VAL;
  *y = k >> 10 & 1 ? 1 : -1;
}

/* What record k adds to all numbers, times 2^20, found as the difference of two runs. */
static size_t share_of(int64_t *units, const dppair_marginals *q, unsigned k) {
  double x[3][D], y[3], base[MOST];
  const double weight[3] = {1, 1, 1}, null[3] = {1, 0, 1};
  size_t start[D + 2];
  for (unsigned i = 0; i < 3; i++) record_of(x[i], &y[i], i == 1 ? k : 37 * k + 11 * i);
  assert_int_equal(dppair_marginals_layout(start, q), DPPAIR_OK);
  open_plan(dppair_sampling_all(3, DPPAIR_ZERO_OUT), DPPAIR_GAUSSIAN, 2);
  assert_int_equal(ask(q, x[0], y, null, 3), DPPAIR_OK);
  memcpy(base, before, sizeof base);
  assert_int_equal(ask(q, x[0], y, weight, 3), DPPAIR_OK);
  for (size_t i = 0; i < start[D + 1]; i++) {
    const double move = (before[i] - base[i]) * 1048576;
    units[i] = (int64_t)move;
    assert_true((double)units[i] == move);
  }
  return start[D + 1];
}

/* All pairs of records of the universe: none are further apart than the release declares, and some
 * are exactly so far apart, in both norms; likewise a record and none. */
static void records_move_as_far_as_is_declared_and_no_further(void **state) {
  enum { RECORDS = 2048 };
  static int64_t share[RECORDS][MOST / 8];
  static const double smooth[] = {0, .9}, width[] = {0, 1.5}, label[] = {1, 2.25};
  (void)state;
  for (int run = 0; run < 2; run++) {
    const dppair_marginals q = {COLUMN, D, 2, smooth[run], width[run], label[run]};
    int64_t l2 = 0, l1 = 0, own2 = 0, own1 = 0;
    double far2, far1;
    size_t size = 0;
    for (unsigned k = 0; k < RECORDS; k++) {
      size = share_of(share[k], &q, k);
      int64_t a2 = 0, a1 = 0;
      for (size_t i = 0; i < size; i++) a2 += share[k][i] * share[k][i], a1 += llabs(share[k][i]);
      own2 = a2 > own2 ? a2 : own2, own1 = a1 > own1 ? a1 : own1;
      for (unsigned j = 0; j < k; j += BRIEF ? 7 : 1) {
        int64_t b2 = 0, b1 = 0;
        for (size_t i = 0; i < size; i++) {
          const int64_t by = share[k][i] - share[j][i];
          b2 += by * by, b1 += by < 0 ? -by : by;
        }
        l2 = b2 > l2 ? b2 : l2, l1 = b1 > l1 ? b1 : l1;
      }
    }
    assert_int_equal(
        dppair_marginals_sensitivity(&far2, &far1, &q, DPPAIR_ZERO_OUT, room, sizeof room),
        DPPAIR_OK);
    assert_true(far2 >= sqrt(ldexp((double)own2, -40)) && far1 >= ldexp((double)own1, -20));
    assert_true(far2 <= sqrt(ldexp((double)own2, -40)) * (1 + 1e-14));
    assert_true(far1 <= ldexp((double)own1, -20) * (1 + 1e-14));
    assert_true(told == far2);
    assert_int_equal(
        dppair_marginals_sensitivity(&far2, &far1, &q, DPPAIR_REPLACE_ONE, room, sizeof room),
        DPPAIR_OK);
    assert_true(far2 >= sqrt(ldexp((double)l2, -40)) && far1 >= ldexp((double)l1, -20));
    if (BRIEF) continue;
    assert_true(far2 <= sqrt(ldexp((double)l2, -40)) * (1 + 1e-14));
    assert_true(far1 <= ldexp((double)l1, -20) * (1 + 1e-14));
    if (run == 0) /* by hand: 2 + 2 + 1 + 2 + 2 (group) + 2 + 0 + 1 (labels) */
      assert_true(fabs(far1 - 12) < 1e-12 && fabs(far2 * far2 - 12) < 1e-12);
  }
}

/* The law says which norm: both releases declare it. */
static void noise_is_for_the_norm_of_the_law(void **state) {
  static const dppair_mechanism_kind law[] = {DPPAIR_GAUSSIAN, DPPAIR_LAPLACE, DPPAIR_L2BALL};
  const dppair_marginals q = {COLUMN, D, 12, .9, 4, 1.5};
  double x[2][D], y[2], l2, l1;
  (void)state;
  for (unsigned i = 0; i < 2; i++) record_of(x[i], &y[i], 1029 * i);
  for (int k = 0; k < 3; k++) {
    open_plan(dppair_sampling_all(2, DPPAIR_REPLACE_ONE), law[k], 1);
    assert_int_equal(ask(&q, x[0], y, NULL, 2), DPPAIR_OK);
    assert_int_equal(
        dppair_marginals_sensitivity(&l2, &l1, &q, DPPAIR_REPLACE_ONE, room, sizeof room),
        DPPAIR_OK);
    assert_true(l1 > 2 * l2 && told == (law[k] == DPPAIR_LAPLACE ? l1 : l2));
    assert_true(release.sensitivity == told && release.divisor == 1);
    assert_true(release.sigma >= 2 * told && release.sigma <= 2 * told * (1 + 1e-15));
  }
}

/* --- records ---------------------------------------------------------------------------------- */

/* The declared numbers of 500 records, NaN and infinities among them, in any order. */
static void every_record_counts_once_and_order_is_nothing(void **state) {
  enum { N = 500 };
  static double x[N][D], y[N], kept[MOST];
  dppair_marginals q = {COLUMN, D, 24, 0, 0, 1};
  size_t start[D + 2];
  (void)state;
  for (unsigned i = 0; i < N; i++) record_of(x[i], &y[i], (unsigned)(uniform() * 1e6));
  y[3] = (double)NAN, y[4] = HUGE_VAL, y[5] = 0, x[6][3] = (double)NAN, x[7][0] = (double)NAN;
  assert_int_equal(dppair_marginals_layout(start, &q), DPPAIR_OK);
  for (int smoothed = 0; smoothed < 2; smoothed++)
    for (int round = 0; round < 4; round++) {
      q.smooth = smoothed ? .9 : 0, q.width = smoothed ? 4 : 0;
      open_plan(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), DPPAIR_GAUSSIAN, 1);
      assert_int_equal(ask(&q, x[0], y, NULL, N), DPPAIR_OK);
      for (size_t j = 0; j < D && !smoothed; j++) {
        double all = 0;
        for (size_t k = start[j]; k < start[j + 1]; k++) all += before[k];
        if (COLUMN[j].kind == DPPAIR_COLUMN_NUMERIC) assert_true(all == N);
        assert_true(all >= 0 && all <= N);
      }
      if (!smoothed) assert_true(before[start[0]] + before[start[5]] + before[start[8]] <= N);
      if (round == 0) memcpy(kept, v, sizeof kept);
      assert_memory_equal(kept, v, start[D + 1] * sizeof *v);
      for (size_t i = N - 1; i > 0; i--) {
        const size_t j = (size_t)(uniform() * (double)(i + 1));
        double row[D], label = y[i];
        memcpy(row, x[i], sizeof row), memcpy(x[i], x[j], sizeof row);
        memcpy(x[j], row, sizeof row);
        y[i] = y[j], y[j] = label;
      }
    }
}

/* A draw is counted as it is; where one may be null, a weight of 0 is. */
static void a_batch_is_counted_as_it_was_drawn(void **state) {
  enum { N = 40 };
  const dppair_column flag = {DPPAIR_COLUMN_FLAG, 0, 0, 0, 0};
  const dppair_marginals q = {&flag, 1, 1, 0, 0, 4};
  double x[N], y[N], weight[N];
  size_t index[N], count, n;
  (void)state;
  for (n = 0; n < N; n++) x[n] = 1, y[n] = n % 2 ? 1 : 0, weight[n] = n % 4 != 1;
  open_plan(dppair_sampling_poisson(N, N / 2, DPPAIR_REPLACE_ONE), DPPAIR_GAUSSIAN, 3);
  assert_int_equal(ask(&q, x, y, NULL, N), DPPAIR_ERR_NOT_DRAWN); /* nothing is drawn */
  for (int t = 0; t < 3; t++) {
    assert_int_equal(draw_now(index, &count, N, &release), DPPAIR_OK);
    assert_int_equal(ask(&q, x, y, NULL, count + 1), DPPAIR_ERR_SIZE);
    assert_int_equal(ask(&q, x, y, t ? weight : NULL, count), DPPAIR_OK);
    n = t ? (count + 3) / 4 : 0; /* of each four the second is null */
    while (t && n > 0 && 4 * (n - 1) + 1 >= count) n--;
    assert_true(before[0] == (double)(count - n) && before[1] == 2.0 * (double)(count / 2 - n));
    assert_true(fabs(told - sqrt(5)) < 1e-12);
  }
}

/* --- errors ----------------------------------------------------------------------------------- */

static dppair_status refuse(const dppair_marginals *q, size_t size, const double *x,
                            const double *y, const double *weight, size_t n, size_t bytes) {
  const size_t step = release.step, seen = released;
  dppair_status status;
  for (size_t i = 0; i < MOST; i++) v[i] = 5;
  status = dppair_release_marginals(v, size, &release, q, x, y, weight, n, room, bytes);
  assert_int_not_equal(status, DPPAIR_OK);
  assert_true(release.step == step && released == seen); /* no permit, nothing is read */
  for (size_t i = 0; i < MOST; i++) assert_true(v[i] == (i < size ? 0 : 5));
  return status;
}

static void what_is_wrong_is_said_before_a_record_is_read(void **state) {
  static const struct {
    dppair_status status;
    dppair_column column;
  } wrong[] = {{DPPAIR_ERR_DOMAIN, {(dppair_column_kind)0, 0, 0, 0, 0}},
               {DPPAIR_ERR_DOMAIN, {(dppair_column_kind)4, 0, 0, 0, 0}},
               {DPPAIR_ERR_DOMAIN, {DPPAIR_COLUMN_NUMERIC, 2, 1, 0, 0}},
               {DPPAIR_ERR_NOT_FINITE, {DPPAIR_COLUMN_NUMERIC, 0, (double)NAN, 0, 0}},
               {DPPAIR_ERR_NOT_FINITE, {DPPAIR_COLUMN_FLAG, 0, HUGE_VAL, 0, 0}},
               {DPPAIR_ERR_UNREAD, {DPPAIR_COLUMN_NUMERIC, 0, 1, 1, 0}},
               {DPPAIR_ERR_UNREAD, {DPPAIR_COLUMN_FLAG, 0, 1, 0, 0}},
               {DPPAIR_ERR_UNREAD, {DPPAIR_COLUMN_FLAG, 0, 0, 1, 0}},
               {DPPAIR_ERR_UNREAD, {DPPAIR_COLUMN_GROUP, -1, 0, 0, 0}},
               {DPPAIR_ERR_SIZE, {DPPAIR_COLUMN_GROUP, 0, 0, 2, 0}},
               {DPPAIR_ERR_SENSITIVITY, {DPPAIR_COLUMN_NUMERIC, 3, 3, 0, 0}}};
  const dppair_column flag = {DPPAIR_COLUMN_FLAG, 0, 0, 0, 0};
  const double x[3] = {1, 1, 1}, y[3] = {1, 1, 1};
  dppair_marginals q = {&flag, 1, 24, 0, 0, 1};
  dppair_release closed;
  size_t start[3], enough, bytes;
  double l2, l1;
  (void)state;
  open_plan(dppair_sampling_all(3, DPPAIR_REPLACE_ONE), DPPAIR_GAUSSIAN, 1);
  assert_int_equal(dppair_marginals_workspace(&enough, 1), DPPAIR_OK);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    const dppair_marginals of = {&wrong[k].column, 1, 24, 0, 0, 0};
    assert_int_equal(
        refuse(&of, 24 - 23 * (k + 1 == sizeof wrong / sizeof *wrong), x, y, NULL, 3, sizeof room),
        wrong[k].status);
    if (wrong[k].status == DPPAIR_ERR_SENSITIVITY) continue;
    start[0] = start[1] = start[2] = 9;
    assert_int_equal(dppair_marginals_layout(start, &of), wrong[k].status);
    assert_true(start[0] == 0 && start[1] == 0 && start[2] == 0);
    assert_int_equal(
        dppair_marginals_sensitivity(&l2, &l1, &of, DPPAIR_ZERO_OUT, room, sizeof room),
        wrong[k].status);
    assert_true(l2 == 0 && l1 == 0);
  }
  assert_int_equal(refuse(&q, 1, x, y, NULL, 3, sizeof room), DPPAIR_ERR_SIZE);
  assert_int_equal(refuse(&q, 3, x, y, NULL, 3, sizeof room), DPPAIR_ERR_SIZE);
  assert_int_equal(refuse(&q, 2, x, y, NULL, 2, sizeof room), DPPAIR_ERR_SIZE);
  assert_int_equal(refuse(&q, 2, NULL, y, NULL, 3, sizeof room), DPPAIR_ERR_NULL);
  assert_int_equal(refuse(&q, 2, x, NULL, NULL, 3, sizeof room), DPPAIR_ERR_NULL);
  assert_int_equal(refuse(NULL, 2, x, y, NULL, 3, sizeof room), DPPAIR_ERR_NULL);
  assert_int_equal(refuse(&q, 2, x, y, NULL, 3, enough - 1), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(refuse(&q, 2, x, y, x, 3, enough), DPPAIR_ERR_ADJACENCY);
  q.side = 0;
  assert_int_equal(refuse(&q, 2, x, y, NULL, 3, enough), DPPAIR_ERR_SIZE);
  q.side = 1, q.width = 1;
  assert_int_equal(refuse(&q, 2, x, y, NULL, 3, enough), DPPAIR_ERR_UNREAD);
  q.width = 0, q.label = -1;
  assert_int_equal(refuse(&q, 2, x, y, NULL, 3, enough), DPPAIR_ERR_DOMAIN);
  q.label = 1e-13; /* its root is less than a unit */
  assert_int_equal(refuse(&q, 2, x, y, NULL, 3, enough), DPPAIR_ERR_DOMAIN);
  q.label = 0, q.d = 0;
  assert_int_equal(refuse(&q, 0, x, y, NULL, 3, enough), DPPAIR_ERR_SIZE);
  q.label = 1, q.d = 1, q.columns = NULL;
  assert_int_equal(refuse(&q, 2, x, y, NULL, 3, enough), DPPAIR_ERR_NULL);
  q.columns = &flag;
  memcpy(&closed, &release, sizeof closed);
  assert_int_equal(dppair_release_marginals(v, 2, &closed, &q, x, y, NULL, 3, room, enough),
                   DPPAIR_ERR_CLOSED);
  assert_int_equal(dppair_release_marginals(NULL, 2, &release, &q, x, y, NULL, 3, room, enough),
                   DPPAIR_ERR_NULL);
  assert_int_equal(dppair_marginals_layout(NULL, &q), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_marginals_layout(start, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_marginals_workspace(NULL, 1), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_marginals_workspace(&bytes, SIZE_MAX / 64), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(dppair_marginals_sensitivity(&l2, NULL, &q, DPPAIR_ZERO_OUT, room, enough),
                   DPPAIR_ERR_NULL);
  assert_int_equal(dppair_marginals_sensitivity(&l2, &l1, &q, DPPAIR_REPLACE_USER, room, enough),
                   DPPAIR_ERR_ADJACENCY);
  assert_int_equal(ask(&q, x, y, NULL, 3), DPPAIR_OK); /* the permit is still there */
  assert_int_equal(refuse(&q, 2, x, y, NULL, 3, enough), DPPAIR_ERR_EXHAUSTED);
}

/* More records than sums of integers can hold, by the plan: nothing of x is touched. */
static void too_many_records_are_refused(void **state) {
  const double x = 1;
  dppair_marginals q = {NULL, 0, 1, 0, 0, 1};
  (void)state;
  open_plan(dppair_sampling_all(UINT32_MAX, DPPAIR_REPLACE_ONE), DPPAIR_GAUSSIAN, 1);
  q.label = 16;
  assert_int_equal(refuse(&q, 1, &x, &x, NULL, UINT32_MAX, sizeof room), DPPAIR_ERR_OVERFLOW);
#if SIZE_MAX > UINT32_MAX
  q.label = 1;
  open_plan(dppair_sampling_all((size_t)UINT32_MAX + 1, DPPAIR_REPLACE_ONE), DPPAIR_GAUSSIAN, 1);
  assert_int_equal(refuse(&q, 1, &x, &x, NULL, (size_t)UINT32_MAX + 1, sizeof room),
                   DPPAIR_ERR_OVERFLOW);
#endif
}

static void weights_of_labels_are_rounded_down(void **state) {
  (void)state;
  assert_true(dppair_label_weight(0) == 0 && dppair_label_weight(1) == 1);
  assert_true(dppair_label_weight(2.25) == 1.5);
  for (double label = 1e-9; label < 1e6; label *= 1.37) {
    const double w = dppair_label_weight(label);
    assert_true(w * w <= label * (1 + 1e-15) && w > sqrt(label) - ldexp(1, -20));
    assert_true(ldexp(w, 20) == floor(ldexp(w, 20)));
  }
}

/* --- estimates -------------------------------------------------------------------------------- */

/* The estimate of one column [low, high] all of whose mass is h, from smoothed or plain counts of
 * 1000 records with noise of this deviation. */
static void estimate_of(double *h, double low, double high, int smoothed, double noise) {
  const dppair_column column = {DPPAIR_COLUMN_NUMERIC, low, high, 0, 0};
  const dppair_marginals q = {&column, 1, 24, smoothed ? .9 : 0, smoothed ? 4 : 0, 1};
  static double a[48 * 48], raw[49], deviation[49], out[49];
  size_t start[3], bytes, m;
  double sum = 0, off = 0;
  assert_int_equal(dppair_marginals_layout(start, &q), DPPAIR_OK);
  assert_int_equal(dppair_marginals_estimate_workspace(&bytes, 1), DPPAIR_OK);
  assert_true(bytes <= sizeof room);
  m = start[1];
  assert_int_equal(dppair_smoothing_matrix(a, m, q.smooth, q.width, room, sizeof room), DPPAIR_OK);
  for (size_t i = 0; i < m; i++) {
    v[i] = noise * between(-1, 1);
    for (size_t j = 0; j < m; j++) v[i] += 1000 * a[i * m + j] * h[j];
  }
  v[m] = 250;
  for (int learn = 0; learn < 2; learn++) {
    assert_int_equal(dppair_marginals_estimate(out, raw, deviation, v, m + 1, &q, 1000, noise,
                                               learn, room, bytes),
                     DPPAIR_OK);
    sum = 0;
    for (size_t k = 0; k < m; k++) {
      assert_true(out[k] >= 0 && deviation[k] >= noise / 1000 * .4 &&
                  noise / 1000 * 4 >= deviation[k]);
      off = fabs(raw[k] - h[k]);
      assert_true(off <= 12 * noise / 1000 + 1e-9);
      sum += out[k];
    }
    assert_true(fabs(sum - 1) < 1e-12 && out[m] == .25 && raw[m] == .25);
    assert_true(deviation[m] == noise / 1000);
  }
  memcpy(h, out, m * sizeof *h);
}

/* With little noise a histogram stays, with much it becomes a smooth shape; always a distribution,
 * of one cell too, or with all of its mass in one. */
static void estimates_are_distributions(void **state) {
  static const double range[][2] = {{0, 1}, {-1, 1}, {-1e-9, 1}, {3, 3}, {-7, -6}};
  static const double deviation[] = {0, 1e-6, 3, 50, 1000, 1e11};
  double bell[48], h[48], off = 0;
  dppair_cells g;
  (void)state;
  for (int k = 0; k < 5; k++)
    for (int smoothed = 0; smoothed < 2; smoothed++)
      for (int j = 0; j < 6; j++) {
        assert_int_equal(dppair_cells_make(&g, range[k][0], range[k][1], 24), DPPAIR_OK);
        memset(h, 0, sizeof h);
        h[g.cells - 1] = 1;
        estimate_of(h, range[k][0], range[k][1], smoothed, deviation[j]);
        if (j < 2) assert_true(h[g.cells - 1] > .999);
        if (j == 5 && g.cells > 1) assert_true(h[g.cells - 1] < .5);
      }
  assert_int_equal(dppair_cells_make(&g, -100, 100, 24), DPPAIR_OK);
  for (size_t i = 0; i < g.cells; i++) /* about zero, of deviation 10: two humps over the cells */
    h[i] = bell[i] = (erf(g.edge[i + 1] / sqrt(200)) - erf(g.edge[i] / sqrt(200))) / 2;
  estimate_of(h, -100, 100, 1, 50);
  for (size_t i = 0; i < g.cells; i++) off += fabs(h[i] - bell[i]);
  assert_true(off < .3);
}

/* Of every kind of column at once; what columns learn from each other changes little here. */
static void estimates_of_all_columns_have_their_places(void **state) {
  enum { N = 4000 };
  static double x[N][D], y[N], h[MOST], raw[MOST], deviation[MOST], kept[MOST];
  const dppair_marginals q = {COLUMN, D, 24, .9, 4, 2};
  size_t start[D + 2], bytes, size;
  dppair_status status;
  (void)state;
  for (unsigned i = 0; i < N; i++) record_of(x[i], &y[i], (unsigned)(uniform() * 1e6));
  open_plan(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), DPPAIR_GAUSSIAN, 1);
  assert_int_equal(ask(&q, x[0], y, NULL, N), DPPAIR_OK);
  assert_int_equal(dppair_marginals_layout(start, &q), DPPAIR_OK);
  assert_int_equal(dppair_marginals_estimate_workspace(&bytes, D), DPPAIR_OK);
  size = start[D + 1];
  for (int learn = 0; learn < 2; learn++) {
    assert_int_equal(dppair_marginals_estimate(h, raw, deviation, v, size, &q, N, release.sigma,
                                               learn, room, bytes),
                     DPPAIR_OK);
    for (size_t j = 0; j <= D; j++) {
      const int numeric = j < D && COLUMN[j].kind == DPPAIR_COLUMN_NUMERIC;
      double sum = 0, share = 0;
      for (size_t k = start[j]; k < start[j + 1]; k++) sum += h[k];
      for (size_t i = 0; i < N && j < D; i++) share += x[i][j] >= .5;
      if (numeric) assert_true(fabs(sum - 1) < 1e-12);
      if (j == 3 || j == 4 || j == 6) assert_true(fabs(sum - share / N) < 6 * deviation[start[j]]);
      if (j < D && COLUMN[j].by_class && !numeric) assert_true(h[start[j] + 1] == 0);
      assert_true(raw[start[j]] > h[start[j]] - .1 && deviation[start[j]] > 0);
    }
    assert_true(fabs(raw[start[D]] - .5) < .05);
  }
  memcpy(kept, h, sizeof kept);
  assert_int_equal(
      dppair_marginals_estimate(h, NULL, NULL, v, size, &q, N, release.sigma, 1, room, bytes),
      DPPAIR_OK);
  assert_memory_equal(h, kept, size * sizeof *h);
#define REFUSED(why, ...)                                                                          \
  status = dppair_marginals_estimate(__VA_ARGS__);                                                 \
  assert_int_equal(status, why);                                                                   \
  for (size_t k = 0; k + 1 < size; k++) assert_true(h[k] == 0 && raw[k] == 0 && deviation[k] == 0)
  REFUSED(DPPAIR_ERR_SIZE, h, raw, deviation, v, size - 1, &q, N, 1, 0, room, bytes);
  REFUSED(DPPAIR_ERR_SIZE, h, raw, deviation, v, size, &q, 0, 1, 0, room, bytes);
  REFUSED(DPPAIR_ERR_DOMAIN, h, raw, deviation, v, size, &q, N, -1, 0, room, bytes);
  REFUSED(DPPAIR_ERR_NOT_FINITE, h, raw, deviation, v, size, &q, N, HUGE_VAL, 0, room, bytes);
  REFUSED(DPPAIR_ERR_WORKSPACE, h, raw, deviation, v, size, &q, N, 1, 0, room, bytes - 1);
  REFUSED(DPPAIR_ERR_NULL, h, raw, deviation, NULL, size, &q, N, 1, 0, room, bytes);
  v[5] = (double)NAN;
  REFUSED(DPPAIR_ERR_NOT_FINITE, h, raw, deviation, v, size, &q, N, 1, 0, room, bytes);
  v[5] = 0;
  {
    const dppair_marginals flat = {COLUMN, D, 24, 1, 1e12, 2};
    REFUSED(DPPAIR_ERR_DOMAIN, h, raw, deviation, v, size, &flat, N, 1, 0, room, bytes);
  }
  assert_int_equal(dppair_marginals_estimate(NULL, NULL, NULL, v, size, &q, N, 1, 0, room, bytes),
                   DPPAIR_ERR_NULL);
  assert_int_equal(dppair_marginals_estimate_workspace(NULL, D), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_marginals_estimate_workspace(&bytes, SIZE_MAX / 64), DPPAIR_ERR_OVERFLOW);
}

/* --- by class, and shrinkage ------------------------------------------------------------------ */

/* The share of positives over the rank: of exact counts, of nothing but noise, without spread. */
static void the_share_of_positives_is_a_curve_over_the_rank(void **state) {
  enum { CELLS = 24, SIZE = 1 + 2 * CELLS + CELLS + 1, TERMS = DPPAIR_CLASS_TERMS };
  const dppair_column columns[3] = {{DPPAIR_COLUMN_FLAG, 0, 0, 0, 0},
                                    {DPPAIR_COLUMN_NUMERIC, 0, 1, 0, 1},
                                    {DPPAIR_COLUMN_NUMERIC, 0, 1, 0, 0}};
  static double a[CELLS * CELLS], h[SIZE], c[3 * TERMS];
  size_t bytes;
  (void)state;
  for (int smoothed = 0; smoothed < 2; smoothed++) {
    const dppair_marginals q = {columns, 3, CELLS, smoothed ? .9 : 0, smoothed ? 4 : 0, 1};
    dppair_status status = dppair_smoothing_matrix(a, CELLS, q.smooth, q.width, room, sizeof room);
    assert_int_equal(status, DPPAIR_OK);
    assert_int_equal(dppair_marginals_workspace(&bytes, 3), DPPAIR_OK);
    memset(h, 0, sizeof h);
    memset(v, 0, sizeof v);
    for (size_t k = 0; k < CELLS; k++) { /* P(positive) = .4 + .3 (3 t^2 - 1)/2 at the centres */
      const double t = (2 * (double)k + 1) / CELLS - 1, p = .4 + .3 * (3 * t * t - 1) / 2;
      h[1 + k] = 1.0 / CELLS;
      for (size_t i = 0; i < CELLS; i++) {
        v[1 + i] += 1000 * a[i * CELLS + k] * p / CELLS;
        v[1 + CELLS + i] += 1000 * a[i * CELLS + k] * (1 - p) / CELLS;
      }
    }
#define CURVE(noise)                                                                               \
  assert_int_equal(dppair_marginals_classes(c, v, h, SIZE, &q, 1000, noise, .4, room, bytes),      \
                   DPPAIR_OK)
    CURVE(0.0);
    for (size_t k = 0; k < 3 * TERMS; k++) /* sqrt 5 (3 t^2 - 1)/2 has unit variance */
      assert_true(fabs(c[k] - (k == TERMS + 1 ? .3 / sqrt(5) : 0)) < .02);
    assert_true(fabs(dppair_class_curve(c + TERMS, 1) - .3) < .05);
    assert_true(fabs(dppair_class_curve(c + TERMS, 0) + .15) < .03);
    assert_true(dppair_class_curve(NULL, .5) == 0 && c[TERMS + 1] != 0);
    CURVE(1e12);
    for (size_t k = 0; k < 3 * TERMS; k++) assert_true(fabs(c[k]) < 1e-9);
    for (size_t k = 0; k < CELLS; k++) h[1 + k] = k == 3;
    CURVE(0.0);
    for (size_t k = 0; k < 3 * TERMS; k++) assert_true(fabs(c[k]) <= 1e3);
#undef REFUSED
#define REFUSED(why, ...)                                                                          \
  c[TERMS] = 1;                                                                                    \
  status = dppair_marginals_classes(c, __VA_ARGS__);                                               \
  assert_int_equal(status, why);                                                                   \
  for (size_t k = 0; k < 3 * TERMS; k++) assert_true(c[k] == 0)
    REFUSED(DPPAIR_ERR_SIZE, v, h, SIZE - 1, &q, 1000, 1, .4, room, bytes);
    REFUSED(DPPAIR_ERR_SIZE, v, h, SIZE, &q, 0, 1, .4, room, bytes);
    REFUSED(DPPAIR_ERR_DOMAIN, v, h, SIZE, &q, 1000, -1, .4, room, bytes);
    REFUSED(DPPAIR_ERR_DOMAIN, v, h, SIZE, &q, 1000, 1, 1.5, room, bytes);
    REFUSED(DPPAIR_ERR_NOT_FINITE, v, h, SIZE, &q, 1000, 1, (double)NAN, room, bytes);
    REFUSED(DPPAIR_ERR_WORKSPACE, v, h, SIZE, &q, 1000, 1, .4, room, bytes - 1);
    REFUSED(DPPAIR_ERR_NULL, NULL, h, SIZE, &q, 1000, 1, .4, room, bytes);
    h[1] = 1e200;
    REFUSED(DPPAIR_ERR_NO_CONVERGENCE, v, h, SIZE, &q, 1000, 1, .4, room, bytes);
    h[1] = HUGE_VAL;
    REFUSED(DPPAIR_ERR_NOT_FINITE, v, h, SIZE, &q, 1000, 1, .4, room, bytes);
    assert_int_equal(dppair_marginals_classes(NULL, v, h, SIZE, &q, 9, 1, .4, room, bytes),
                     DPPAIR_ERR_NULL);
  }
}

/* An entry by its own noise, a group together; what is 0 or known exactly stays. */
static void entries_are_drawn_to_0_by_their_noise(void **state) {
  enum { SIZE = 6 };
  const double sd[SIZE] = {1, 0, 1, 1, 2, 1}, square[SIZE] = {1, 1, 4, 1, 1, 1};
  const size_t group[SIZE] = {SIZE_MAX, SIZE_MAX, 6, 0, 6, 0};
  double w[SIZE] = {2, -3, 3, .5, -4, .25};
  size_t bytes;
  (void)state;
  assert_int_equal(dppair_shrink_workspace(&bytes, SIZE), DPPAIR_OK);
  assert_int_equal(dppair_shrink_f64(w, sd, square, group, SIZE, room, bytes), DPPAIR_OK);
  /* sums of group 6: 8 of noise in 52; of group 0: 2 in less than that */
  assert_true(fabs(w[0] - 1.6) < 1e-12 && w[1] == -3 && w[3] == 0 && w[5] == 0);
  assert_true(fabs(w[2] - 44.0 / 52 * 2.7) < 1e-12 && fabs(w[4] + 44.0 / 52 * 3.2) < 1e-12);
  assert_int_equal(dppair_shrink_f64(w, sd, square, NULL, SIZE, room, bytes), DPPAIR_OK);
  assert_true(fabs(w[0] - 1.6 / (1 + 1 / 2.56)) < 1e-12 && w[3] == 0);
  w[0] = 7;
#define KEPT(why, ...)                                                                             \
  assert_int_equal(dppair_shrink_f64(__VA_ARGS__), why);                                           \
  assert_true(w[0] == 7)
  KEPT(DPPAIR_ERR_WORKSPACE, w, sd, square, group, SIZE, room, bytes - 1);
  KEPT(DPPAIR_ERR_SIZE, w, sd, square, group, SIZE - 1, room, bytes);
  KEPT(DPPAIR_ERR_NULL, w, sd, NULL, group, SIZE, room, bytes);
  KEPT(DPPAIR_ERR_DOMAIN, w, w, square, group, SIZE, room, bytes);
  w[1] = HUGE_VAL;
  KEPT(DPPAIR_ERR_NOT_FINITE, w, sd, square, group, SIZE, room, bytes);
  assert_int_equal(dppair_shrink_workspace(NULL, SIZE), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_shrink_workspace(&bytes, SIZE_MAX / 8), DPPAIR_ERR_OVERFLOW);
}

/* Of 400 entries 20 mean something: the others nearly vanish, these stay, and errors halve; among
 * entries that all mean something none is lost, however far they stand out. */
static void few_entries_that_matter_are_found(void **state) {
  enum { SIZE = 400 };
  static double w[SIZE], sd[SIZE], square[SIZE], truth[SIZE];
  double before_it = 0, after = 0, single = 0;
  (void)state;
  for (size_t i = 0; i < SIZE; i++) {
    truth[i] = i < 20 ? 8 : 0;
    sd[i] = i % 2 ? 1 : 1.5;
    square[i] = i % 3 ? 1 : 2;
    w[i] = truth[i] + sd[i] * (uniform() + uniform() + uniform() + uniform() - 2) * sqrt(3);
    before_it += (w[i] - truth[i]) * (w[i] - truth[i]);
    single += pow(w[i] / (1 + pow(sd[i] / w[i], 2)) - truth[i], 2);
  }
  assert_int_equal(dppair_shrink_sparse_f64(w, sd, square, SIZE), DPPAIR_OK);
  for (size_t i = 0; i < SIZE; i++) after += (w[i] - truth[i]) * (w[i] - truth[i]);
  assert_true(after < before_it / 4 && after < single / 2);
  for (size_t i = 0; i < SIZE; i++)
    w[i] = i == 3 ? 1e60 : 1e20 + (double)i, sd[i] = i == 3 ? 1e50 : 1;
  square[7] = 0, w[7] = 5, sd[8] = 0, w[8] = -2; /* nothing is said of these two */
  assert_int_equal(dppair_shrink_sparse_f64(w, sd, square, SIZE), DPPAIR_OK);
  for (size_t i = 0; i < SIZE; i++)
    if (i != 7 && i != 8) assert_true(w[i] > (i == 3 ? 9e59 : 9e19));
  assert_true(w[7] == 5 && w[8] == -2);
  sd[0] = 1e130;
  assert_int_equal(dppair_shrink_sparse_f64(w, sd, square, SIZE), DPPAIR_ERR_DOMAIN);
  sd[0] = -1;
  assert_int_equal(dppair_shrink_sparse_f64(w, sd, square, SIZE), DPPAIR_ERR_DOMAIN);
  sd[0] = (double)NAN;
  assert_int_equal(dppair_shrink_sparse_f64(w, sd, square, SIZE), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_shrink_sparse_f64(w, NULL, square, SIZE), DPPAIR_ERR_NULL);
  assert_true(w[7] == 5 && w[8] == -2);
}

/* --- as it is used ---------------------------------------------------------------------------- */

/* Histograms of three columns and the share of positives for epsilon 1: what is known of them is
 * found to within their noise. */
static void histograms_of_a_table_are_published(void **state) {
  enum { N = 20000 };
  static double x[N][3], y[N];
  static const dppair_column columns[3] = {{DPPAIR_COLUMN_NUMERIC, 0, 120, 0, 0},
                                           {DPPAIR_COLUMN_NUMERIC, -1e4, 1e5, 0, 1},
                                           {DPPAIR_COLUMN_FLAG, 0, 0, 0, 0}};
  const dppair_marginals query = {columns, 3, 24, 0, 0, 1.0};
  dppair_plan plan;
  size_t start[5], bytes, same = 0;
  double epsilon, positives = 0;
  (void)state;
  for (int i = 0; i < N; i++) {
    x[i][0] = 17 + 60 * uniform(), x[i][1] = 3000 * (uniform() - .3), x[i][2] = uniform() < .2;
    y[i] = uniform() < .3 ? 1 : -1;
    positives += y[i] > 0;
  }
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  plan.epsilon = 1.0, plan.delta = 1e-6, plan.steps = 1;
  assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
  assert_int_equal(dppair_release_open(&release, &account, &plan, NULL), DPPAIR_OK);
  assert_int_equal(dppair_marginals_layout(start, &query), DPPAIR_OK);
  assert_int_equal(dppair_marginals_workspace(&bytes, 3), DPPAIR_OK);
  assert_true(bytes <= sizeof room);
  assert_int_equal(
      dppair_release_marginals(v, start[4], &release, &query, x[0], y, NULL, N, room, bytes),
      DPPAIR_OK);
  assert_int_equal(answer_epsilon(&epsilon, &account, 1e-6), DPPAIR_OK);
  assert_true(epsilon <= 1.0 && release.sigma < 15 && release.sigma > 5); /* sqrt 6 times 4.2 */
  assert_true(fabs(v[start[3]] - positives) < 6 * release.sigma);
  for (size_t k = 0; k < start[4]; k++) {
    assert_true(fabs(v[k] - before[k]) < 7 * release.sigma);
    same += v[k] == before[k];
  }
  assert_true(same <
              4); /* noise of 0 grid steps: 4 in 10,000 each, so 4 of them once in 10^7 runs */
  dppair_release_close(&release);
}

/* Ends of ranges: no columns or no records, workspaces that no memory has, numbers that are beyond
 * all counts, columns alike but for their zero. */
static void the_ends_of_tables_are_told_or_answered(void **state) {
  static const dppair_column two[2] = {{DPPAIR_COLUMN_NUMERIC, 0, 2, 0, 0},
                                       {DPPAIR_COLUMN_NUMERIC, -2, 0, 0, 0}};
  static const dppair_column flag[2] = {{DPPAIR_COLUMN_FLAG, 0, 0, 0, 1},
                                        {DPPAIR_COLUMN_FLAG, 0, 0, 0, 0}};
  const dppair_marginals query = {two, 2, 3, 0.5, 1.0, 0.0}, labels = {NULL, 0, 1, 0, 0, 1.0};
  const dppair_marginals flags = {flag, 2, 1, 0, 0, 1.0};
  dppair_marginals huge = query;
  dppair_column bad = flag[1];
  dppair_shift_ sum = {UINT64_MAX / 2, 0}, one = {1, 1};
  double h[MOST], raw[MOST], c[8], one_number = 2.0;
  size_t start[5], most = SIZE_MAX, least = 1, bytes = 7;
  (void)state;
  assert_int_equal(dppair_shift_add_(&sum, &one), 1); /* what a record moves is never wrapped */
  assert_true(sum.square == UINT64_MAX / 2);
  for (int end = 0; end < 2; end++) {
    bad = flag[1];
    (end ? &bad.low : &bad.high)[0] = end ? 1.0 : -1.0;
    assert_int_equal(dppair_column_check_(&bad, 1), DPPAIR_ERR_UNREAD);
    (end ? &bad.low : &bad.high)[0] = end ? -1.0 : 1.0;
    assert_int_equal(dppair_column_check_(&bad, 1), DPPAIR_ERR_UNREAD);
  }
  while (most - least > 1) { /* the most columns that have a workspace */
    const size_t middle = least + (most - least) / 2;
    if (dppair_marginals_workspace(&bytes, middle) == DPPAIR_OK)
      least = middle;
    else
      most = middle;
  }
  assert_int_equal(dppair_marginals_estimate_workspace(&bytes, least), DPPAIR_ERR_OVERFLOW);
  assert_true(bytes == 0);
  huge.d = SIZE_MAX;
  assert_int_equal(
      dppair_marginals_estimate(h, NULL, NULL, v, 1, &huge, 5, 1, 0, room, sizeof room),
      DPPAIR_ERR_OVERFLOW);
  assert_int_equal(dppair_marginals_classes(c, v, h, 1, &huge, 5, 1, 0.5, room, sizeof room),
                   DPPAIR_ERR_OVERFLOW);
  /* no record, and labels that nobody gave: nothing is read */
  open_plan(dppair_sampling_poisson(1000, 1, DPPAIR_ZERO_OUT), DPPAIR_GAUSSIAN, 40);
  for (int tries = 0, found = 0; tries < 40 && !found; tries++) {
    size_t index[1000], count;
    assert_int_equal(draw_now(index, &count, 1000, &release), DPPAIR_OK);
    found = count == 0;
    if (found)
      assert_int_equal(ask(&flags, NULL, NULL, NULL, 0), DPPAIR_OK);
    else
      assert_int_equal(dppair_release_vector(v, 1, &release, 1), DPPAIR_OK);
    assert_true(found || tries < 39);
  }
  open_plan(dppair_sampling_all(8, DPPAIR_REPLACE_USER), DPPAIR_GAUSSIAN, 1);
  memset(before, 0, sizeof before);
  assert_int_equal(ask(&flags, before, before, NULL, 8), DPPAIR_ERR_ADJACENCY);
  /* shares below 0 and above 1 */
  assert_int_equal(dppair_marginals_layout(start, &flags), DPPAIR_OK);
  for (size_t k = 0; k < start[3]; k++) v[k] = k % 2 ? 40.0 : -40.0;
  assert_int_equal(
      dppair_marginals_estimate(h, raw, NULL, v, start[3], &flags, 5, 1, 0, room, sizeof room),
      DPPAIR_OK);
  for (size_t k = 0; k < start[3]; k++) assert_true(h[k] >= 0.0 && h[k] <= 1.0);
  assert_int_equal(
      dppair_marginals_estimate(h, NULL, raw, &one_number, 1, &labels, 5, 1, 0, room, sizeof room),
      DPPAIR_OK);
  assert_true(h[0] > 0.39 && h[0] < 0.41);
  assert_int_equal(
      dppair_marginals_classes(c, &one_number, h, 1, &labels, 5, 1, 2.0, room, sizeof room),
      DPPAIR_ERR_DOMAIN);
  /* two shapes of as many cells: each learns from itself */
  assert_int_equal(dppair_marginals_layout(start, &query), DPPAIR_OK);
  assert_true(start[2] == 2 * start[1]);
  for (size_t k = 0; k < start[3]; k++) v[k] = 5.0;
  for (int learn = 0; learn < 2; learn++) {
    assert_int_equal(dppair_marginals_estimate(h, NULL, NULL, v, start[3], &query, 30, 1, learn,
                                               room, sizeof room),
                     DPPAIR_OK);
    assert_true(h[0] > 0.0);
  }
  { /* a kernel that hides directions; numbers that no record makes */
    dppair_column by_class[1] = {{DPPAIR_COLUMN_NUMERIC, -1, 2, 0, 1}};
    dppair_marginals wide = {two, 2, 24, 1.0, 1e300, 0.0},
                     classes = {by_class, 1, 3, 0.5, 1.0, 0.0};
    assert_int_equal(dppair_marginals_layout(start, &wide), DPPAIR_OK);
    assert_int_equal(
        dppair_marginals_estimate(h, NULL, NULL, v, start[3], &wide, 30, 1, 0, room, sizeof room),
        DPPAIR_ERR_DOMAIN);
    for (size_t k = 0; k < start[3]; k++) assert_true(h[k] == 0.0);
    assert_int_equal(dppair_marginals_layout(start, &classes), DPPAIR_OK);
    for (size_t k = 0; k < start[2]; k++) v[k] = 2 * k < start[2] ? DBL_MAX : -DBL_MAX, h[k] = 5.0;
    assert_int_equal(
        dppair_marginals_classes(c, v, h, start[2], &classes, 1, 1, 0.5, room, sizeof room),
        DPPAIR_ERR_NOT_FINITE);
    for (size_t k = 0; k < 4; k++) assert_true(c[k] == 0.0);
  }
}

/* Entries without noise, none at all, and squares beyond 1e200. */
static void entries_without_noise_stay(void **state) {
  static const size_t group[3] = {0, 0, 1};
  double w[3] = {1, -2, 3}, sd[3] = {0, 0, 2}, square[3] = {1, 1, 1}, work[32], h[2] = {0, 1};
  dppair_cells cells;
  (void)state;
  assert_int_equal(dppair_shrink_f64(w, sd, square, group, 3, work, sizeof work), DPPAIR_OK);
  assert_true(w[0] == 1 && w[1] == -2 && fabs(w[2]) < 3);
  sd[2] = 0;
  w[2] = 3;
  assert_int_equal(dppair_shrink_sparse_f64(w, sd, square, 3), DPPAIR_OK);
  assert_true(w[0] == 1 && w[1] == -2 && w[2] == 3);
  assert_int_equal(dppair_shrink_sparse_f64(NULL, NULL, NULL, 0), DPPAIR_OK);
  sd[0] = 1e150;
  assert_int_equal(dppair_shrink_sparse_f64(w, sd, square, 3), DPPAIR_ERR_DOMAIN);
  sd[0] = 1;
  w[0] = 1e150;
  assert_int_equal(dppair_shrink_sparse_f64(w, sd, square, 3), DPPAIR_ERR_DOMAIN);
  assert_true(w[0] == 1e150 && w[1] == -2 && w[2] == 3);
  assert_int_equal(dppair_smoothing_matrix(NULL, 0, 0.5, 1, NULL, 0), DPPAIR_OK);
  assert_int_equal(dppair_cells_make(&cells, -1, 1, 1), DPPAIR_OK);
  assert_true(dppair_cells_quantile(&cells, h, 0.0) == 0.0); /* where there is any */
  assert_true(dppair_cells_quantile(&cells, h, 2.0) == 1.0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(cells_cover_the_range_and_are_finer_towards_zero),
      TEST(what_is_no_range_is_refused),
      TEST(shares_and_knots_are_found),
      TEST(the_matrix_is_the_root_of_its_kernel),
      TEST(sums_of_most_records_are_exact),
      TEST(records_move_as_far_as_is_declared_and_no_further),
      TEST(noise_is_for_the_norm_of_the_law),
      TEST(every_record_counts_once_and_order_is_nothing),
      TEST(a_batch_is_counted_as_it_was_drawn),
      TEST(what_is_wrong_is_said_before_a_record_is_read),
      TEST(too_many_records_are_refused),
      TEST(weights_of_labels_are_rounded_down),
      TEST(estimates_are_distributions),
      TEST(estimates_of_all_columns_have_their_places),
      TEST(the_share_of_positives_is_a_curve_over_the_rank),
      TEST(entries_are_drawn_to_0_by_their_noise),
      TEST(few_entries_that_matter_are_found),
      TEST(histograms_of_a_table_are_published),
      TEST(the_ends_of_tables_are_told_or_answered),
      TEST(entries_without_noise_stay),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
