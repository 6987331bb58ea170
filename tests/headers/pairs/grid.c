/* SPDX-License-Identifier: MIT */
/* Order-free states of piecewise linear losses: coefficients on the grid against the loops at the
 * rounded scores, in any chunks; weights; counts beyond 2^32; neighbours against the sensitivity.
 */
#include "tests.h"

#include "dppair_losses.h"
#include "dppair_scale.h"

#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME hinge64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
#define DPPAIR_NAME ramp32 /* an open knot and a closed one */
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_ramp
#include "dppair.h"
#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME huber64 /* knots and sums, from a parameter */
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_huber
#include "dppair.h"
#define DPPAIR_NAME squared64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_squared_hinge
#include "dppair.h"
#define DPPAIR_NAME parabola64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_square
#include "dppair.h"

enum { N = 90, NP = 40, ROOM = 4 * 65537 + 32, MOMENTS = 4 * 65537 + 32 };
static const double CAPS[] = {1.0, 0.3, 3.7, 32.0}, HALF[] = {0.5}, THIRD[] = {0.3};
static const double *knee = HALF; /* of huber64: on the grid, or between two of its points */
static double state_room[ROOM], room[3][MOMENTS], c[N], other[N], exact[N];

/* Scores far and near, beyond the cap, at knots and next to them, and ties. */
#define SCORES(real)                                                                               \
  static void scores_##real(real *s, double cap, double h) {                                       \
    for (int i = 0; i < N; i++) {                                                                  \
      const double knot = below(2) ? 1.0 : *knee, step = (double)below(3) - 1.0;                     \
      s[i] = (real)between(-1.2 * cap, 1.2 * cap);                                                 \
      if (i >= NP && below(2)) s[i] = (real)((double)s[below(NP)] - knot + h * step);              \
      if (i > 0 && below(8) == 0) s[i] = s[below((size_t)i)];                                      \
    }                                                                                              \
  }
SCORES(double)
SCORES(float)

/* What the loops and the grid make of the same rounded scores; at most this many 2^-53 apart, per
 * partner, in units of the state's weight. */
#define AGREES(id, real, is_f32, params, units)                                                    \
  static void agrees_##id(double cap) {                                                            \
    dppair_fast f;                                                                                 \
    real s[N];                                                                                     \
    assert_int_equal(                                                                              \
        id##_sums_init(&f, N, DPPAIR_ACCURACY_1E12, cap, params, state_room, sizeof state_room),   \
        DPPAIR_OK);                                                                                \
    assert_true(f.width *f.reach <= cap && f.width <= cap * ldexp(1, -14) && f.kernel_error == 0); \
    scores_##real(s, cap, f.width);                                                                \
    assert_int_equal(id##_coeffs_fast(c, c + NP, s, NP, s + NP, N - NP, params, &f), DPPAIR_OK);   \
    for (int i = 0; i < N; i++) {                                                                  \
      const double held = fmin(fmax((double)s[i], -cap), cap);                                     \
      dppair_cell_scores_(s + i, 1, &f, is_f32);                                                   \
      assert_true(fabs((double)s[i] - held) <= (fabs(held) < cap - f.width ? 0.5 : 1) * f.width);  \
    }                                                                                              \
    assert_int_equal(id##_coeffs_fast(other, other + NP, s, NP, s + NP, N - NP, params, &f),       \
                     DPPAIR_OK);                                                                   \
    assert_memory_equal(c, other, sizeof c); /* rounding twice changes nothing */                  \
    assert_int_equal(id##_coeffs(exact, exact + NP, s, NP, s + NP, N - NP, params), DPPAIR_OK);    \
    for (int i = 0; i < N; i++)                                                                    \
      assert_true(fabs(c[i] - exact[i]) <=                                                         \
                  (units)*DBL_EPSILON * 0.5 * (i < NP ? N - NP : NP) * f.weight);                  \
  }
AGREES(hinge64, double, 0, NULL, 0)
AGREES(ramp32, float, 1, NULL, 0)
AGREES(huber64, double, 0, knee, 32 /* the loops round, too */)
AGREES(squared64, double, 0, NULL, 32)

static void the_grid_is_exact_at_rounded_scores(void **state) {
  (void)state;
  for (int round = 0; round < 2; round++)
    for (size_t k = 0; k < sizeof CAPS / sizeof *CAPS; k++) {
      agrees_hinge64(CAPS[k]);
      agrees_ramp32(CAPS[k]);
      agrees_huber64(CAPS[k]);
      knee = THIRD;
      agrees_huber64(CAPS[k]);
      knee = HALF;
      agrees_squared64(CAPS[k]);
    }
}

/* s[from..to), in chunks of this many, with the positives of a chunk first, into m. */
static void add_chunks(dppair_sketch *m, const double *s, const double *weight, size_t from,
                       size_t to, size_t chunk, const dppair_fast *f) {
  for (size_t i = from; i < to; i += chunk) {
    const size_t n = to - i < chunk ? to - i : chunk, end = i + n;
    const size_t positives = i >= NP ? 0 : (end < NP ? end : NP) - i;
    assert_int_equal(huber64_sketch(m, s + i, n, positives, weight ? weight + i : NULL, f),
                     DPPAIR_OK);
  }
}

/* Any split and any order have the same bits, weighted or not; weights are rounded down. */
static void chunks_do_not_show(void **state) {
  static const size_t chunks[] = {1, 7, 64, 65, N};
  double s[N], weight[N], held[N];
  dppair_sketch m[2];
  dppair_fast f;
  (void)state;
  assert_int_equal(
      huber64_sums_init(&f, 1 << 20, DPPAIR_ACCURACY_1E6, 2, HALF, state_room, sizeof state_room),
      DPPAIR_OK);
  scores_double(s, 2, f.width);
  for (int i = 0; i < N; i++) weight[i] = i % 5 ? uniform() : i % 2 ? 0.0 : 1.5;
  memcpy(held, weight, sizeof held);
  dppair_cell_weights_(held, N, &f);
  for (int i = 0; i < N; i++) {
    const double w = weight[i] < 1.0 ? weight[i] : 1.0;
    assert_true(held[i] <= w && held[i] > w - ldexp(1.0, -f.terms));
  }
  for (int weighted = 0; weighted < 2; weighted++)
    for (size_t k = 0; k < sizeof chunks / sizeof *chunks; k++) {
      const double *w = weighted ? weight : NULL;
      const size_t half = 1 + below(N - 1);
      for (int j = 0; j < 2; j++)
        assert_int_equal(huber64_sketch_open(&m[j], &f, room[j] + j, sizeof room[j] - 16),
                         DPPAIR_OK);
      add_chunks(&m[0], s, w, half, N, chunks[k], &f);
      add_chunks(&m[1], s, weighted ? held : w, 0, half, chunks[k], &f);
      assert_int_equal(dppair_sketch_add(&m[0], &m[1]), DPPAIR_OK);
      assert_int_equal(m[0].count[0], NP);
      assert_int_equal(m[0].count[1], N - NP);
      assert_int_equal(huber64_sketch_finish(&m[0], HALF, &f), DPPAIR_OK);
      for (size_t i = 0; i < N; i += chunks[k]) {
        const size_t n = N - i < chunks[k] ? N - i : chunks[k];
        const size_t positives = i >= NP ? 0 : i + n < NP ? n : NP - i;
        assert_int_equal(
            huber64_coeffs_from_sketch(c + i, s + i, n, positives, w ? w + i : NULL, &m[0], &f),
            DPPAIR_OK);
      }
      if (k > 0) assert_memory_equal(c, other, sizeof c);
      memcpy(other, c, sizeof c);
      if (k > 0) continue;
      for (int i = 0; i < N; i++) {
        double sum = 0, a, b, own = 1, r[2];
        for (int j = i < NP ? NP : 0; j < (i < NP ? N : NP); j++) {
          r[0] = s[i < NP ? i : j], r[1] = s[i < NP ? j : i];
          dppair_cell_scores_(r, 2, &f, 0);
          assert_int_equal(huber64_coeffs(&a, &b, r, 1, r + 1, 1, HALF), DPPAIR_OK);
          sum += (i < NP ? a : b) * (w ? held[j] : 1);
        }
        if (w) own = held[i];
        assert_true(fabs(c[i] - own * sum) <= 120 * DBL_EPSILON * 0.5 * N * f.weight);
      }
    }
}

/* 2^36 times the same records have 2^36 times the coefficients: words and counts beyond 2^32. */
static void counts_have_room_for_many_records(void **state) {
  static const uint64_t most[] = {0, 1, 2, 4095, 4096, 1000000000, UINT64_C(1) << 43};
  double s[N];
  dppair_sketch m, twin;
  dppair_fast f;
  (void)state;
  for (size_t k = 0; k < sizeof most / sizeof *most; k++) {
    assert_int_equal(
        hinge64_sums_init(&f, most[k], DPPAIR_ACCURACY_1E6, 1, NULL, state_room, sizeof state_room),
        DPPAIR_OK);
    assert_true(ldexp((double)most[k], f.terms) < 9223372036854775808.0 && f.terms <= 50);
    assert_true(f.terms == 50 || ldexp((double)most[k], f.terms + 1) >= 4611686018427387904.0);
  }
  assert_int_equal(squared64_sums_init(&f, UINT64_C(1) << 43, DPPAIR_ACCURACY_1E6, 2, NULL,
                                       state_room, sizeof state_room),
                   DPPAIR_OK);
  scores_double(s, 2, f.width);
  for (int times = 0; times < 37; times += 36) {
    assert_int_equal(squared64_sketch_open(&m, &f, room[0], sizeof room[0]), DPPAIR_OK);
    assert_int_equal(squared64_sketch_open(&twin, &f, room[1], sizeof room[1]), DPPAIR_OK);
    assert_int_equal(squared64_sketch(&m, s, 16, 16, NULL, &f), DPPAIR_OK);
    assert_int_equal(squared64_sketch(&m, s + 16, N - 16, NP - 16, NULL, &f), DPPAIR_OK);
    for (int k = 0; k < times; k++) {
      memcpy(twin.words, m.words, m.all * sizeof *m.words);
      memcpy(twin.count, m.count, sizeof m.count);
      assert_int_equal(dppair_sketch_add(&m, &twin), DPPAIR_OK);
    }
    assert_int_equal(squared64_sketch_finish(&m, NULL, &f), DPPAIR_OK);
    assert_int_equal(squared64_coeffs_from_sketch(times ? c : other, s, N, NP, NULL, &m, &f),
                     DPPAIR_OK);
  }
  for (int i = 0; i < N; i++) assert_true(c[i] == ldexp(other[i], 36));
  assert_int_equal(squared64_sketch(&m, s, 1, 0, NULL, &f), DPPAIR_ERR_DOMAIN);
}

/* Two of few records, long and short rows, weights w that put scores between points of a coarse
 * grid: no replaced record moves the gradient further, and a pair at an end comes near. */
#define NEIGHBOURS(id, real, rows_type)                                                            \
  static double moved_##id(double cap, double size) {                                              \
    const dppair_sampling all = dppair_sampling_all(3, DPPAIR_REPLACE_ONE);                        \
    const dppair_bounds bounds = {1, size, 0, 0, 0};                                               \
    dppair_options options = {NULL, 0, NULL, NULL, room, sizeof room, NULL};                             \
    double worst = 0, most, g[2][1];                                                               \
    const real w[1] = {(real)size};                                                                \
    dppair_fast f;                                                                                 \
    assert_int_equal(                                                                              \
        id##_sums_init(&f, 3, DPPAIR_ACCURACY_1E6, cap, NULL, state_room, sizeof state_room),      \
        DPPAIR_OK);                                                                                \
    options.fast = &f;                                                                                \
    assert_int_equal(id##_sensitivity(&most, 1, &bounds, &all, &options), DPPAIR_OK);                 \
    for (int round = 0; round < 150; round++) {                                                    \
      real x[3], positive = 1 + (real)below(2);                                                    \
      for (int i = 0; i < 3; i++) x[i] = (real)(below(2) ? between(-1, 1) : below(2) ? 1 : -1);    \
      for (int side = 0; side < 2; side++) {                                                       \
        const rows_type rows = {x, 3, 1, 1, (size_t)positive, NULL, NULL, NULL, 1, 0, 0};            \
        assert_int_equal(id##_gradient(g[side], &rows, w, &options), DPPAIR_OK);                      \
        x[below(2) ? 0 : 2] = (real)(below(2) ? 1 : -1);                                           \
      }                                                                                            \
      worst = fmax(worst, fabs(g[0][0] - g[1][0]) / 6);                                            \
    }                                                                                              \
    assert_true(worst <= most);                                                                    \
    return worst / most;                                                                           \
  }
NEIGHBOURS(hinge64, double, dppair_rows_f64)
NEIGHBOURS(ramp32, float, dppair_rows_f32)
NEIGHBOURS(squared64, double, dppair_rows_f64)
NEIGHBOURS(parabola64, double, dppair_rows_f64)

static void no_neighbour_moves_a_gradient_on_the_grid_further(void **state) {
  static const double sizes[] = {0, 1.0625 / 4096, 1.5 / 2048, 0.3, 0.5001, 2};
  (void)state;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    assert_true(moved_hinge64(1, sizes[k]) > 0.6);
    assert_true(moved_squared64(1, sizes[k]) > 0.6);
    assert_true(moved_squared64(0.7, sizes[k]) > 0.6);
    assert_true(moved_parabola64(4, sizes[k]) > 0.6);
    assert_true(moved_ramp32(4, sizes[k]) >= 0);
  }
}

/* Users, of few records and of many: their own pairs are subtracted at the rounded scores with
 * the rounded weights, or a knot between the two would leave whole slopes. */
static void own_pairs_are_those_of_the_grid(void **state) {
  static const size_t up[] = {0, 2, 152, 152, 160}, down[] = {0, 3, 3, 60, 190}; /* of 350 rows */
  const dppair_groups groups = {4, up, down, DPPAIR_ACROSS, 0};
  const double w[1] = {1};
  static double x[350], s[350], weight[350];
  double g[1], sum = 0;
  dppair_fast f;
  dppair_options options = {NULL, 0, NULL, NULL, room, sizeof room, &groups};
  (void)state;
  assert_int_equal(
      hinge64_sums_init(&f, 350, DPPAIR_ACCURACY_1E6, 1, NULL, state_room, sizeof state_room),
      DPPAIR_OK);
  options.fast = &f;
  for (size_t i = 0; i < 350; i++) x[i] = i < 160 ? between(0.4, 0.6) : between(-0.6, -0.4);
  const dppair_rows_f64 rows = {x, 350, 1, 1, 160, NULL, NULL, NULL, 1, 0, 0};
  assert_int_equal(hinge64_gradient(g, &rows, w, &options), DPPAIR_OK);
  memcpy(s, x, sizeof s);
  dppair_cell_scores_(s, 350, &f, 0);
  dppair_group_weights_(weight, NULL, &groups, 160);
  dppair_cell_weights_(weight, 350, &f);
  for (size_t a = 0; a < 4; a++)
    for (size_t b = 0; b < 4; b++)
      for (size_t i = up[a]; a != b && i < up[a + 1]; i++)
        for (size_t j = 160 + down[b]; j < 160 + down[b + 1]; j++)
          sum -= s[i] - s[j] < 1 ? weight[i] * weight[j] * (x[i] - x[j]) : 0;
  assert_true(fabs(sum) > 0.1 && fabs(g[0] - sum) < 1e-10);
  /* coefficients of the scores as they are have no such figure */
  assert_int_equal(hinge64_weighted_coeffs(c, c + 40, x, 40, x + 160, 50, NULL, &options),
                   DPPAIR_ERR_NO_PROOF);
}

/* Neither half of h nor all that lies between the last point and the cap is a bound of how far a
 * score moves; the larger one is, for two of them. States of as many cells are not the same. */
static void a_margin_moves_as_far_as_is_charged(void **state) {
  static const double caps[] = {1, 1.0 + 0.4 / 1024, 1.0 + 0.6 / 1024, 1.0 + 1.98 / 2048, 5e-7};
  (void)state;
  for (size_t k = 0; k < sizeof caps / sizeof *caps; k++) {
    double s[1000], far = 0;
    dppair_sketch m;
    dppair_fast f;
    assert_int_equal(hinge64_sums_init(&f, 2, DPPAIR_ACCURACY_1E6, caps[k], NULL, state_room,
                                       sizeof state_room),
                     DPPAIR_OK);
    for (int i = 0; i < 1000; i++) s[i] = caps[k] - f.width * i / 500;
    dppair_cell_scores_(s, 1000, &f, 0);
    for (int i = 0; i < 1000; i++)
      far = fmax(far, 2 * fabs(s[i] - (caps[k] - f.width * i / 500)));
    assert_true(far <= dppair_cell_shift_(&f) && far >= 0.98 * dppair_cell_shift_(&f));
    assert_int_equal(hinge64_sketch_open(&m, &f, room[0], sizeof room[0]), DPPAIR_OK);
    assert_int_equal(hinge64_sums_init(&f, 2, DPPAIR_ACCURACY_1E6, 2 * caps[k], NULL, state_room,
                                       sizeof state_room),
                     DPPAIR_OK);
    assert_true(m.cells == f.cells);
    assert_int_equal(hinge64_sketch(&m, s, 1, 1, NULL, &f), DPPAIR_ERR_WORKSPACE);
  }
}

static void arguments_out_of_range_are_refused(void **state) {
  dppair_fast f;
  dppair_sketch m;
  double s[3] = {0, 1, HUGE_VAL};
  size_t bytes, few;
  (void)state;
  assert_int_equal(hinge64_sums_workspace(&bytes, 5, DPPAIR_ACCURACY_1E12, 1, NULL), DPPAIR_OK);
  assert_int_equal(hinge64_sums_workspace(&few, 5, DPPAIR_ACCURACY_1E6, 1, NULL), DPPAIR_OK);
  assert_true(bytes <= sizeof state_room && few * 15 < bytes);
  assert_int_equal(hinge64_sums_workspace(NULL, 5, DPPAIR_ACCURACY_1E6, 1, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(hinge64_sums_workspace(&few, UINT64_C(1) << 44, DPPAIR_ACCURACY_1E6, 1, NULL),
                   DPPAIR_ERR_SIZE);
  assert_int_equal(few, 0);
  assert_int_equal(hinge64_sums_init(&f, 5, DPPAIR_ACCURACY_1E12, 1, NULL, state_room, bytes - 1),
                   DPPAIR_ERR_WORKSPACE);
  assert_int_equal(hinge64_sketch_open(&m, &f, room[0], sizeof room[0]), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(
      hinge64_sums_init(&f, 5, (dppair_accuracy)3, 1, NULL, state_room, sizeof state_room),
      DPPAIR_ERR_DOMAIN);
  assert_int_equal(hinge64_sums_init(&f, 5, DPPAIR_ACCURACY_1E6, 0, NULL, state_room, bytes),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(hinge64_sums_init(&f, 5, DPPAIR_ACCURACY_1E6, 1e31, NULL, state_room, bytes),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(hinge64_sums_init(&f, 5, DPPAIR_ACCURACY_1E6, 1, NULL, NULL, bytes),
                   DPPAIR_ERR_NULL);
  assert_int_equal(hinge64_sums_init(&f, 2, DPPAIR_ACCURACY_1E6, 1, NULL, state_room, bytes),
                   DPPAIR_OK);
  assert_int_equal(hinge64_sketch_open(&m, &f, room[0], sizeof room[0]), DPPAIR_OK);
  assert_int_equal(hinge64_sketch(&m, s, 3, 1, NULL, &f), DPPAIR_ERR_SIZE);
  assert_int_equal(hinge64_sketch(&m, s, 0, 0, NULL, &f), DPPAIR_OK);
  assert_int_equal(hinge64_sketch(&m, s + 1, 2, 1, NULL, &f), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(hinge64_sketch_open(&m, &f, room[0], sizeof room[0]), DPPAIR_OK);
  assert_int_equal(squared64_sketch_finish(&m, NULL, &f), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(hinge64_sketch_finish(&m, NULL, &f), DPPAIR_OK); /* of no records: zeros */
  assert_int_equal(hinge64_coeffs_from_sketch(c, s, 2, 1, NULL, &m, &f), DPPAIR_OK);
  assert_true(c[0] == 0 && c[1] == 0);
}

/* Two opposite records of a parabola next to the cap, whose scores the grid moves outwards: the
 * pair's gradient is longer than any between margins that are not moved. So a figure by hand, which
 * knows the latter alone, is none; NAME_sensitivity's holds. */
static void a_figure_by_hand_does_not_know_the_grid(void **state) {
  const dppair_bounds bounds = {1, 1, 0, 0, 0};
  const dppair_sampling all = dppair_sampling_all(2, DPPAIR_REPLACE_ONE);
  const double w[1] = {1};
  double x[2] = {-1, 1}, g, most, factor = 1, rounding = 1, cap = 4.0 * (1.0 + 0.6 / 1024);
  dppair_options options = {NULL, 0, NULL, NULL, room, sizeof room, NULL};
  const dppair_rows_f64 rows = {x, 2, 1, 1, 1, NULL, NULL, NULL, 1, 0, 0};
  dppair_fast f;
  (void)state;
  for (double at = 1; at > 0.99; at -= 1.0 / 16384) { /* one of them is half a step from a point */
    x[0] = -at, x[1] = at;
    assert_int_equal(parabola64_sums_init(&f, 2, DPPAIR_ACCURACY_1E6, cap, NULL, state_room,
                                          sizeof state_room),
                     DPPAIR_OK);
    options.fast = &f;
    assert_int_equal(parabola64_gradient(&g, &rows, w, &options), DPPAIR_OK);
    if (fabs(g) > 2 * (1 + 2 * at) * 2 * at * 1.0001) break;
  }
  assert_true(fabs(g) > 2 * (1 + 2 * x[1]) * 2 * x[1] * 1.0001);
  assert_int_equal(parabola64_sensitivity(&most, 1, &bounds, &all, &options), DPPAIR_OK);
  assert_true(fabs(g) / 2 <= most);
  assert_int_equal(parabola64_allowance(&factor, &rounding, &f, 2, 1, 6), DPPAIR_ERR_NO_PROOF);
  assert_true(factor == 0 && rounding == 0);
  assert_int_equal(hinge64_sums_init(&f, 2, DPPAIR_ACCURACY_1E12, 1, NULL, state_room,
                                     sizeof state_room),
                   DPPAIR_OK);
  factor = rounding = 1;
  assert_int_equal(hinge64_allowance(&factor, &rounding, &f, 2, 1, 1), DPPAIR_ERR_NO_PROOF);
  assert_true(factor == 0 && rounding == 0);
  assert_int_equal(hinge64_fast_init(&f, 2, DPPAIR_ACCURACY_1E12, 1, NULL, state_room,
                                     sizeof state_room),
                   DPPAIR_OK);
  assert_int_equal(hinge64_allowance(&factor, &rounding, &f, 2, 1, 1), DPPAIR_OK);
}

/* A closed knot between two points of the grid counts the lower one, an open knot too; one on a
 * point counts it, or the one below. */
static void knots_fall_between_cells(void **unused) {
  dppair_fast f;
  (void)unused;
  assert_int_equal(
      hinge64_sums_init(&f, 9, DPPAIR_ACCURACY_1E6, 1, NULL, state_room, sizeof state_room),
      DPPAIR_OK);
  for (int closed = 0; closed < 2; closed++) {
    const dppair_piece between = {0.3, 1, 0, closed}, on = {0.25, 1, 0, closed};
    assert_true(dppair_cell_knot_(&between, &f, 0) == (int64_t)floor(0.3 / f.width));
    assert_true(dppair_cell_knot_(&on, &f, 0) == (int64_t)(0.25 / f.width) - 1 + closed);
  }
}

/* A state is made of the arguments, and not of what its memory held. */
static void a_state_remembers_nothing(void **unused) {
  dppair_fast f[2];
  (void)unused;
  for (int kind = 0; kind < 2; kind++) {
    for (int i = 0; i < 2; i++) {
      memset(&f[i], i ? 0x11 : 0xEE, sizeof f[i]);
      assert_int_equal(kind ? hinge64_sums_init(&f[i], 350, DPPAIR_ACCURACY_1E6, 1, NULL,
                                                state_room, sizeof state_room)
                            : hinge64_fast_init(&f[i], 350, DPPAIR_ACCURACY_1E6, 1, NULL,
                                                state_room, sizeof state_room),
                       DPPAIR_OK);
    }
    assert_memory_equal(&f[0], &f[1], sizeof f[0]);
  }
  assert_int_equal(hinge64_sums_init(NULL, 9, DPPAIR_ACCURACY_1E6, 1, NULL, state_room,
                                     sizeof state_room),
                   DPPAIR_ERR_NULL);
  assert_int_equal(hinge64_fast_init(&f[0], 9, DPPAIR_ACCURACY_1E6, -1, NULL, state_room,
                                     sizeof state_room),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(hinge64_fast_init(&f[0], SIZE_MAX / 8, DPPAIR_ACCURACY_1E6, 1, NULL, state_room,
                                     sizeof state_room),
                   DPPAIR_ERR_OVERFLOW);
  assert_true(f[0].run == NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_state_remembers_nothing),
      TEST(knots_fall_between_cells),
      TEST(the_grid_is_exact_at_rounded_scores),
      TEST(chunks_do_not_show),
      TEST(counts_have_room_for_many_records),
      TEST(no_neighbour_moves_a_gradient_on_the_grid_further),
      TEST(a_figure_by_hand_does_not_know_the_grid),
      TEST(own_pairs_are_those_of_the_grid),
      TEST(a_margin_moves_as_far_as_is_charged),
      TEST(arguments_out_of_range_are_refused),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
