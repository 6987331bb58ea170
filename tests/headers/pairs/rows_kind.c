/* SPDX-License-Identifier: MIT */
/* A further kind of rows in the table of rows/table.h: packed ones, of which only the numbers are
 * there that are not 0. Whatever an instance computes of them is what one with dense rows does, bit
 * for bit: numbers are powers of 2 and w has few digits, so no order of a sum over a row rounds,
 * and sums over records keep the order of the dense ones. */
#include "tests.h"

#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_accountant.h"
#include "dppair.h"
#include "dppair_scale.h"
#include "dppair_influence.h"
#include "dppair_top.h"

/* Row i has the numbers value[k] in column[k], begin[i] <= k < end[i]. */
typedef struct dppair_rows_packed {
  const size_t *begin, *end;
  const uint32_t *column;
  const double *value;
  size_t n, d, positives;
  const double *y, *factor, *weight;
  double radius;
  size_t nulls;
  uint64_t serial;
} dppair_rows_packed;

#define DPPAIR_PROBE_packed ~, 7

static dppair_status dppair_rows_check_packed_(const dppair_rows_packed *rows) {
  if (rows->n && (!rows->begin || !rows->end || !rows->column || !rows->value))
    return DPPAIR_ERR_NULL;
  return dppair_area_(rows->n, sizeof(double)) == SIZE_MAX ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
}

static dppair_status dppair_rows_apart_packed_(const double *g, size_t size,
                                               const dppair_rows_packed *rows) {
  dppair_status status = dppair_apart_(g, size, rows->begin, rows->n * sizeof *rows->begin);
  if (status == DPPAIR_OK) status = dppair_apart_(g, size, rows->end, rows->n * sizeof *rows->end);
  if (status == DPPAIR_OK)
    status = dppair_apart_(g, size, rows->factor, rows->n * sizeof *rows->factor);
  return status;
}

static dppair_rows_packed dppair_present_packed_(const dppair_rows_packed *rows) {
  dppair_rows_packed some = *rows;
  some.n = rows->nulls < rows->n ? rows->n - rows->nulls : 0;
  some.nulls = 0;
  return some;
}

static void dppair_rows_part_packed_(dppair_rows_packed *part, const dppair_rows_packed *rows,
                                     size_t i, size_t n) {
  const size_t rest = rows->positives > i ? rows->positives - i : 0;
  *part = *rows;
  part->begin = rows->begin + i;
  part->end = rows->end + i;
  part->n = n;
  part->nulls = 0;
  part->positives = rest < n ? rest : n;
  part->y = rows->y ? rows->y + i : NULL;
  part->factor = rows->factor ? rows->factor + i : NULL;
  part->weight = rows->weight ? rows->weight + i : NULL;
}

#define dppair_reach_packed_ dppair_reach_f64_

static void dppair_rows_scores_packed_(double *s, const dppair_rows_packed *rows, const double *w) {
  for (size_t i = 0; i < rows->n; i++) {
    double sum = 0;
    for (size_t k = rows->begin[i]; k < rows->end[i]; k++)
      sum += rows->value[k] * w[rows->column[k]];
    s[i] = rows->factor ? rows->factor[i] * sum : sum;
  }
}

enum { COLUMNS = 7 };

static void dppair_rows_combine_packed_(double *g, const dppair_rows_packed *rows,
                                        const double *c) {
  double chain[4][COLUMNS] = {{0}};
  for (size_t i = 0; i < rows->n; i++) {
    const double p = rows->factor ? c[i] * rows->factor[i] : c[i];
    for (size_t k = rows->begin[i]; k < rows->end[i]; k++)
      chain[i % 4][rows->column[k]] += p * rows->value[k];
  }
  for (size_t k = 0; k < COLUMNS; k++)
    g[k] = (chain[0][k] + chain[2][k]) + (chain[1][k] + chain[3][k]);
}

static void dppair_sum_rows_packed_(dppair_sum *sum, const dppair_rows_packed *rows,
                                    const double *c) {
  const double magic = dppair_sum_magic_(sum), most = sum->bound / rows->radius;
  for (size_t i = 0; i < rows->n; i++) {
    const double held = c[i] < -most ? -most : c[i] > most ? most : c[i];
    const double p = rows->factor ? held * rows->factor[i] : held;
    for (size_t k = rows->begin[i]; k < rows->end[i]; k++)
      dppair_word_add_(sum->words + 2 * rows->column[k],
                       dppair_bits_f64_(p * rows->value[k] + magic) - dppair_bits_f64_(magic));
  }
  sum->count += rows->n;
}

static dppair_status dppair_scores_packed(double *s, const dppair_rows_packed *rows,
                                          const double *w) {
  dppair_status status = dppair_rows_check_packed_(rows);
  if (status == DPPAIR_OK) status = dppair_reach_packed_(w, rows->d, rows->radius);
  if (status != DPPAIR_OK) return status;
  dppair_rows_scores_packed_(s, rows, w);
  return DPPAIR_OK;
}

static dppair_status dppair_combine_packed(double *g, const dppair_rows_packed *rows,
                                           const double *c) {
  const dppair_status status = dppair_rows_check_packed_(rows);
  if (status == DPPAIR_OK) dppair_rows_combine_packed_(g, rows, c);
  return status == DPPAIR_OK ? dppair_finish_(g, rows->d) : status;
}

#define DPPAIR_NAME dense
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME packed
#define DPPAIR_REAL double
#define DPPAIR_ROW packed
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_WEIGHTS 0
#define DPPAIR_NAME packed_hinge /* and of a loss that is sorted */
#define DPPAIR_REAL double
#define DPPAIR_ROW packed
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
#define DPPAIR_WEIGHTS 0
#define DPPAIR_NAME dense_hinge
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"

#include "clips.h"
#include "draws.h"

enum { N = 53, UP = 19, TRIALS = BRIEF ? 20 : 100 };

/* The same N records in both kinds, and what calls need. */
static double x[N * COLUMNS], factor[N], weight[N], grade[N], w[COLUMNS], value[N * COLUMNS],
    room[60000];
static double state[4][100000];
static uint32_t column[N * COLUMNS];
static size_t begin[N], end[N];
static dppair_rows_f64 dense_rows;
static dppair_rows_packed packed_rows;

/* The packed rows of the dense ones, whose factors they share: those of a sum over the same numbers
 * in the same chains. */
static void pack(void) {
  size_t at = 0, i, k;
  for (i = 0; i < N; i++) {
    begin[i] = at;
    for (k = COLUMNS; k-- > 0;) /* in any order */
      if (x[i * COLUMNS + k] != 0) column[at] = (uint32_t)k, value[at++] = x[i * COLUMNS + k];
    end[i] = at;
  }
  memset(&packed_rows, 0, sizeof packed_rows);
  packed_rows.begin = begin, packed_rows.end = end;
  packed_rows.column = column, packed_rows.value = value;
  packed_rows.n = N, packed_rows.d = COLUMNS, packed_rows.positives = UP;
  packed_rows.factor = factor;
  packed_rows.radius = dense_rows.radius;
}

static double power(void) { return ldexp(below(2) ? 1 : -1, (int)below(4) - 2); }

static void fill(void) {
  size_t i;
  for (i = 0; i < N * COLUMNS; i++) x[i] = below(3) ? 0 : power();
  for (i = 0; i < COLUMNS; i++) w[i] = (double)below(65) / 32 - 1;
  for (i = 0; i < N; i++) weight[i] = uniform(), grade[i] = (double)below(4);
  assert_int_equal(dppair_rows_clip_f64(&dense_rows, factor, x, N, COLUMNS, COLUMNS, 1.5),
                   DPPAIR_OK);
  dense_rows.positives = UP;
  pack();
  dense_rows.weight = packed_rows.weight = below(2) ? weight : NULL;
  dense_rows.nulls = packed_rows.nulls = 0;
}

static dppair_options pass_of(const dppair_fast *fast, const dppair_tasks *parts) {
  dppair_options options;
  memset(&options, 0, sizeof options);
  options.fast = fast;
  options.tasks = parts;
  options.work = room;
  options.bytes = sizeof room;
  return options;
}

/* Fills boxes and sums for N records: of dense_*, then of packed_*. A state is one instance's, but
 * its numbers are those of the loss. */
static void prepare(dppair_fast *boxes, dppair_fast *sums) {
  const dppair_accuracy accuracy = DPPAIR_ACCURACY_1E9;
  assert_int_equal(dense_fast_init(boxes, N, accuracy, 20, NULL, state[0], sizeof state[0]),
                   DPPAIR_OK);
  assert_int_equal(dense_sums_init(sums, N, accuracy, 20, NULL, state[1], sizeof state[1]),
                   DPPAIR_OK);
  assert_int_equal(packed_fast_init(boxes + 1, N, accuracy, 20, NULL, state[2], sizeof state[2]),
                   DPPAIR_OK);
  assert_int_equal(packed_sums_init(sums + 1, N, accuracy, 20, NULL, state[3], sizeof state[3]),
                   DPPAIR_OK);
  assert_true(boxes[0].digest == boxes[1].digest && sums[0].digest == sums[1].digest);
}

static void same(const void *a, const void *b) {
  assert_memory_equal(a, b, COLUMNS * sizeof(double));
}

static void gradients_are_those_of_dense_rows(void **unused) {
  const dppair_tasks cut = {3, NULL, NULL};
  const size_t places[4] = {0, 9, 9, UP}, down[4] = {0, 1, 20, N - UP};
  const dppair_groups users = {3, places, down, DPPAIR_ACROSS, N};
  dppair_fast boxes[2], sums[2];
  const dppair_fast *fast[2][3] = {{NULL, boxes, sums}, {NULL, boxes + 1, sums + 1}};
  double g[2][COLUMNS], before[COLUMNS];
  int trial, k;
  (void)unused;
  prepare(boxes, sums);
  for (trial = 0; trial < TRIALS; trial++) {
    fill();
    for (k = 0; k < 12; k++) {
      dppair_options options = pass_of(fast[0][k % 3], k / 3 % 2 ? &cut : NULL);
      options.groups = k / 6 ? &users : NULL;
      dense_rows.nulls = packed_rows.nulls = k / 6 ? 0 : 7; /* the last rows are not there */
      assert_int_equal(dense_gradient(g[0], &dense_rows, w, &options), DPPAIR_OK);
      if (options.fast) {
        assert_int_equal(packed_gradient(g[1], &packed_rows, w, &options), DPPAIR_ERR_WORKSPACE);
        options.fast = fast[1][k % 3];
      }
      assert_int_equal(packed_gradient(g[1], &packed_rows, w, &options), DPPAIR_OK);
      same(g[0], g[1]);
      assert_true(k == 0 || g[0][0] != 0 || g[0][1] != 0); /* a gradient of something */
      if (k % 3 == 2 && k / 3 % 2) same(before, g[1]);     /* parts change no bit of such sums */
      if (k % 3 == 2) memcpy(before, g[1], sizeof before);
    }
  }
}

static void sorted_losses_second_derivatives_and_tops_are_those_of_dense_rows(void **unused) {
  static double own[4][30000];
  const size_t queries[3] = {0, 20, N};
  const dppair_groups lists = {2, queries, NULL, DPPAIR_WITHIN, N};
  dppair_top cut, ranks;
  dppair_fast sorted, sorted_packed;
  double g[2][COLUMNS], v[COLUMNS];
  size_t bytes, k;
  int trial;
  (void)unused;
  memset(&ranks, 0, sizeof ranks);
  ranks.kind = DPPAIR_TOP_NDCG;
  memset(&cut, 0, sizeof cut);
  cut.kind = DPPAIR_TOP_PARTIAL;
  cut.negatives = 9;
  assert_int_equal(dense_hinge_fast_workspace(&bytes, N, DPPAIR_ACCURACY_1E9, 20, NULL), DPPAIR_OK);
  assert_true(bytes <= sizeof own[0]);
  assert_int_equal(
      dense_hinge_fast_init(&sorted, N, DPPAIR_ACCURACY_1E9, 20, NULL, own[0], sizeof own[0]),
      DPPAIR_OK);
  assert_int_equal(packed_hinge_fast_init(&sorted_packed, N, DPPAIR_ACCURACY_1E9, 20, NULL, own[2],
                                          sizeof own[2]),
                   DPPAIR_OK);
  for (trial = 0; trial < TRIALS; trial++) {
    dppair_options options = pass_of(&sorted, NULL);
    fill();
    dense_rows.weight = packed_rows.weight = NULL;
    assert_int_equal(dense_hinge_gradient(g[0], &dense_rows, w, &options), DPPAIR_OK);
    assert_int_equal(packed_hinge_gradient(g[1], &packed_rows, w, &options), DPPAIR_ERR_WORKSPACE);
    options.fast = &sorted_packed;
    assert_int_equal(packed_hinge_gradient(g[1], &packed_rows, w, &options), DPPAIR_OK);
    same(g[0], g[1]);
    for (k = 0; k < COLUMNS; k++) v[k] = (double)below(9) / 4 - 1;
    assert_int_equal(dense_hessian(g[0], &dense_rows, w, v, NULL, NULL, own[1], sizeof own[1]),
                     DPPAIR_OK);
    assert_int_equal(packed_hessian(g[1], &packed_rows, w, v, NULL, NULL, own[1], sizeof own[1]),
                     DPPAIR_OK);
    same(g[0], g[1]);
    options = pass_of(NULL, NULL);
    assert_int_equal(dense_top_gradient(g[0], &dense_rows, w, &cut, &options), DPPAIR_OK);
    assert_int_equal(packed_top_gradient(g[1], &packed_rows, w, &cut, &options), DPPAIR_OK);
    same(g[0], g[1]);
    dense_rows.y = packed_rows.y = grade;
    options.groups = &lists;
    options.clip = clip_of(dppair_clip_init, 0.5);
    assert_int_equal(dense_top_gradient(g[0], &dense_rows, w, &ranks, &options), DPPAIR_OK);
    assert_int_equal(packed_top_gradient(g[1], &packed_rows, w, &ranks, &options), DPPAIR_OK);
    same(g[0], g[1]);
  }
}

static const uint8_t KEY[32] = {4, 5, 6}, RUN[16] = {3};

static void open_of(dppair_release *release, dppair_accountant *account, dppair_sampling sampling) {
  const dppair_release_keys fixed = {KEY, RUN};
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = sampling;
  plan.noise_multiplier = 2;
  plan.steps = 10;
  dppair_accountant_init(account);
  assert_int_equal(dppair_release_open(release, account, &plan, &fixed), DPPAIR_OK);
}

/* The batch of a draw: no number is copied. */
static void gather(dppair_rows_packed *batch, size_t *from, size_t *to, double *of,
                   const size_t *index, size_t count) {
  size_t options, k, at = 0;
  *batch = packed_rows;
  for (options = 0; options < 2; options++) {
    for (k = 0; k < count; k++)
      if ((index[k] < UP) == (options == 0))
        from[at] = begin[index[k]], to[at] = end[index[k]], of[at++] = factor[index[k]];
    if (options == 0) batch->positives = at;
  }
  batch->begin = from, batch->end = to, batch->factor = of;
  batch->n = count;
}

static void releases_are_those_of_dense_rows(void **unused) {
  static dppair_accountant account[2];
  static dppair_release release[2];
  static double batch_x[N * COLUMNS], batch_factor[2][N];
  size_t index[N], from[N], to[N], count;
  dppair_rows_f64 batch;
  dppair_rows_packed packed_batch;
  dppair_fast boxes[2], sums[2];
  double g[2][COLUMNS];
  int step;
  (void)unused;
  fill();
  dense_rows.weight = packed_rows.weight = NULL;
  prepare(boxes, sums);
  open_of(&release[0], &account[0], dppair_sampling_poisson(N, N / 2, DPPAIR_ZERO_OUT));
  open_of(&release[1], &account[1], dppair_sampling_poisson(N, N / 2, DPPAIR_ZERO_OUT));
  for (step = 0; step < 9; step++) {
    const dppair_fast *fast[2][3] = {{NULL, boxes, sums}, {NULL, boxes + 1, sums + 1}};
    const dppair_options options = pass_of(fast[0][step % 3], NULL);
    const dppair_options packed_pass = pass_of(fast[1][step % 3], NULL);
    assert_int_equal(draw_now(index, &count, N, &release[0]), DPPAIR_OK);
    assert_int_equal(draw_now(index, &count, N, &release[1]), DPPAIR_OK);
    assert_int_equal(
        dppair_gather_f64(&batch, batch_x, NULL, batch_factor[0], &drawn_now, &dense_rows),
        DPPAIR_OK);
    gather(&packed_batch, from, to, batch_factor[1], index, count);
    packed_batch.serial = drawn_now.serial;
    assert_int_equal(dense_release(g[0], &release[0], &batch, w, &options), DPPAIR_OK);
    assert_int_equal(packed_release(g[1], &release[1], &packed_batch, w, &packed_pass), DPPAIR_OK);
    same(g[0], g[1]);
    assert_true(release[0].sensitivity > 0);
    assert_memory_equal(&release[0].sensitivity, &release[1].sensitivity, sizeof(double));
  }
}

static void chunks_of_any_size_release_the_same_bits(void **unused) {
  static dppair_accountant account[2];
  static dppair_release release[2];
  static double words[2][30000];
  static const size_t size[4] = {0, 20, 30, 3};
  dppair_fast boxes[2], sums[2];
  dppair_sketch m;
  dppair_sum sum;
  dppair_options options;
  dppair_rows_packed part;
  double g[2][COLUMNS];
  size_t k, at;
  (void)unused;
  fill();
  prepare(boxes, sums);
  open_of(&release[0], &account[0], dppair_sampling_all(N, DPPAIR_REPLACE_ONE));
  open_of(&release[1], &account[1], dppair_sampling_all(N, DPPAIR_REPLACE_ONE));
  options = pass_of(sums, NULL);
  assert_int_equal(dense_release(g[0], &release[0], &dense_rows, w, &options), DPPAIR_OK);
  options.fast = sums + 1;
  assert_int_equal(packed_sketch_open(&m, sums + 1, words[0], sizeof words[0]), DPPAIR_OK);
  assert_int_equal(packed_sum_open(&sum, COLUMNS, 1.5, &options, words[1], sizeof words[1]),
                   DPPAIR_OK);
  for (k = at = 0; k < 4; at += size[k++]) {
    dppair_rows_part_packed_(&part, &packed_rows, at, size[k]);
    assert_int_equal(packed_chunk_sketch(&m, &part, w, &options), DPPAIR_OK);
  }
  assert_int_equal(at, N);
  assert_int_equal(packed_sketch_finish(&m, NULL, sums + 1), DPPAIR_OK);
  for (k = at = 0; k < 4; at += size[k++]) {
    dppair_rows_part_packed_(&part, &packed_rows, at, size[k]);
    assert_int_equal(packed_chunk_sum(&sum, &part, w, &m, &options), DPPAIR_OK);
  }
  assert_int_equal(packed_release_sum(g[1], &release[1], &sum, w, &options), DPPAIR_OK);
  same(g[0], g[1]);
}

static void what_cannot_be_released_uses_no_permit(void **unused) {
  static dppair_accountant account;
  static dppair_release release;
  dppair_rows_packed bad;
  dppair_options options = pass_of(NULL, NULL);
  double g[COLUMNS];
  size_t bytes;
  (void)unused;
  fill();
  dense_rows.weight = packed_rows.weight = NULL;
  open_of(&release, &account, dppair_sampling_all(N, DPPAIR_REPLACE_ONE));
  bad = packed_rows, bad.radius = 0;
  assert_int_equal(packed_release(g, &release, &bad, w, &options), DPPAIR_ERR_NO_RADIUS);
  bad = packed_rows, bad.column = NULL;
  assert_int_equal(packed_release(g, &release, &bad, w, &options), DPPAIR_ERR_NULL);
  assert_int_equal(packed_gradient(g, &bad, w, &options), DPPAIR_ERR_NULL);
  assert_int_equal(packed_release(factor, &release, &packed_rows, w, &options), DPPAIR_ERR_OVERLAP);
  fill();
  dense_rows.weight = packed_rows.weight = NULL;
  options.clip = clip_of(dppair_clip_init, 0.5); /* pairs are clipped by tiles of dense rows */
  assert_int_equal(packed_workspace(&bytes, N, COLUMNS, &options), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(packed_gradient(g, &packed_rows, w, &options), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(packed_release(g, &release, &packed_rows, w, &options), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(release.step, 0);
  options.clip = NULL;
  assert_int_equal(packed_release(g, &release, &packed_rows, w, &options), DPPAIR_OK);
  assert_int_equal(release.step, 1);
}

static void a_replaced_record_moves_the_mean_by_the_sensitivity_at_most(void **unused) {
  const dppair_sampling all = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  const dppair_options options = pass_of(NULL, NULL);
  double g[2][COLUMNS], s[2], most = 0;
  dppair_bounds bounds;
  int trial;
  size_t k;
  (void)unused;
  for (trial = 0; trial < 4 * TRIALS; trial++) {
    const size_t i = below(N);
    double moved = 0;
    fill();
    dense_rows.weight = packed_rows.weight = NULL;
    memset(&bounds, 0, sizeof bounds);
    bounds.radius = 1.5;
    for (k = 0; k < COLUMNS; k++) bounds.param_radius += w[k] * w[k];
    bounds.param_radius = sqrt(bounds.param_radius) * (1 + 1e-12);
    assert_int_equal(packed_sensitivity(&s[0], COLUMNS, &bounds, &all, &options), DPPAIR_OK);
    assert_int_equal(dense_sensitivity(&s[1], COLUMNS, &bounds, &all, &options), DPPAIR_OK);
    assert_memory_equal(&s[0], &s[1], sizeof s[0]);
    assert_int_equal(packed_gradient(g[0], &packed_rows, w, &options), DPPAIR_OK);
    for (k = 0; k < COLUMNS; k++)
      x[i * COLUMNS + k] = -(x[i * COLUMNS + k] != 0 ? x[i * COLUMNS + k] : power());
    assert_int_equal(dppair_rows_clip_f64(&dense_rows, factor, x, N, COLUMNS, COLUMNS, 1.5),
                     DPPAIR_OK);
    pack();
    assert_int_equal(packed_gradient(g[1], &packed_rows, w, &options), DPPAIR_OK);
    for (k = 0; k < COLUMNS; k++) moved += (g[0][k] - g[1][k]) * (g[0][k] - g[1][k]);
    moved = sqrt(moved) / (N * (N - 1.0));
    assert_true(moved <= s[0]);
    most = moved / s[0] > most ? moved / s[0] : most;
  }
  assert_true(most > 0.1); /* it moved */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(gradients_are_those_of_dense_rows),
      TEST(sorted_losses_second_derivatives_and_tops_are_those_of_dense_rows),
      TEST(releases_are_those_of_dense_rows),
      TEST(chunks_of_any_size_release_the_same_bits),
      TEST(what_cannot_be_released_uses_no_permit),
      TEST(a_replaced_record_moves_the_mean_by_the_sensitivity_at_most),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
