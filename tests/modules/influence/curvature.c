/* SPDX-License-Identifier: MIT */
/* The second derivative's pair sums: loops, boxes and sorting against a double loop over single
 * margins, the certified bound, products with the Hessian against differences of gradients,
 * refusals. On every tier: tiers.c. */
#include "engine_support.h"

#include "dppair_influence.h"

#define DPPAIR_NAME logistic
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME single
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME sigmoid
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_sigmoid
#include "dppair.h"
#define DPPAIR_NAME squared
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_squared_hinge
#include "dppair.h"
#define DPPAIR_NAME envelope
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_moreau_pinball
#include "dppair.h"
#define DPPAIR_NAME hinge
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"

/* A loss of one's own with a curvature: ln(1 + u^2). */
#define cauchy_KIND dppair_pairs
#define cauchy_CURVE dppair_curve
#define cauchy_VALUE(u, p) DPV_LOG1P(DPV_MUL(u, u))
#define cauchy_SLOPE(u, p) DPV_DIV(DPV_ADD(u, u), DPV_FMA(u, u, DPV_SET(1)))
#define cauchy_INVERSE(u) DPV_DIV(DPV_SET(1), DPV_FMA(u, u, DPV_SET(1)))
#define cauchy_CURVATURE(u, p)                                                                     \
  DPV_MUL(DPV_SUB(DPV_SET(2), DPV_MUL(DPV_SET(2), DPV_MUL(u, u))),                                 \
          DPV_MUL(cauchy_INVERSE(u), cauchy_INVERSE(u)))
#define DPPAIR_NAME cauchy
#define DPPAIR_REAL double
#define DPPAIR_LOSS cauchy
#include "dppair.h"

enum { MOST = 130 };
static double sp[MOST], sn[MOST], tp[MOST], tn[MOST], a[MOST], b[MOST], a2[MOST], b2[MOST];
static float fp[MOST], fn[MOST], gp[MOST], gn[MOST];
static long double ra[MOST], rb[MOST], sa[MOST], sb[MOST];

typedef dppair_status sums_fn(double *, double *, const double *, const double *, size_t,
                              const double *, const double *, size_t, int, const double *,
                              const dppair_curvature *);
typedef dppair_status size_fn(size_t *, size_t, int, dppair_accuracy, double, const double *);
typedef dppair_status init_fn(dppair_curvature *, size_t, int, dppair_accuracy, double,
                              const double *, void *, size_t);
static const double level[2] = {0.3, 0.7};
static const struct instance {
  dppair_phi_ *at; /* slope and curvature at one margin */
  const double *params;
  sums_fn *sums;
  size_fn *size;
  init_fn *init;
} instances[] = {
#define ROW(name, loss, params)                                                                    \
  {                                                                                                \
    dppair_##loss##_at_, params, name##_curvature, name##_curvature_workspace,                     \
        name##_curvature_init                                                                      \
  }
    ROW(logistic, logistic, NULL), ROW(sigmoid, sigmoid, NULL), ROW(squared, squared_hinge, NULL),
    ROW(envelope, moreau_pinball, level)};
enum { ANALYTIC = 2, INSTANCES = sizeof instances / sizeof *instances };

static dppair_curvature prepared[INSTANCES][3][2];
static void *memory[INSTANCES][3][2];

static int prepare(void **unused) {
  int k, e, order;
  (void)unused;
  for (k = 0; k < INSTANCES; k++)
    for (e = 0; e < 3; e++)
      for (order = 1; order <= 2; order++) {
        const struct instance *x = &instances[k];
        size_t bytes;
        assert_int_equal(x->size(&bytes, 2 * MOST, order, (dppair_accuracy)e, 100, x->params),
                         DPPAIR_OK);
        memory[k][e][order - 1] = room(bytes);
        assert_int_equal(x->init(&prepared[k][e][order - 1], 2 * MOST, order, (dppair_accuracy)e,
                                 100, x->params, memory[k][e][order - 1], bytes),
                         DPPAIR_OK);
      }
  return 0;
}
static int release(void **unused) {
  int k, e;
  (void)unused;
  for (k = 0; k < INSTANCES; k++)
    for (e = 0; e < 3; e++) {
      free(memory[k][e][0]);
      free(memory[k][e][1]);
    }
  return 0;
}

/* Both sums of all pairs, and those of the sizes of their terms. */
static void all_pairs(const struct instance *x, int order, size_t np, size_t nn) {
  size_t i, j;
  for (i = 0; i < np; i++) ra[i] = sa[i] = 0;
  for (j = 0; j < nn; j++) rb[j] = sb[j] = 0;
  for (i = 0; i < np; i++)
    for (j = 0; j < nn; j++) {
      const double u = sp[i] - sn[j];
      const double at = x->at(order == 2 ? DPPAIR_CURVATURE_ : DPPAIR_SLOPE_, u, x->params);
      const long double term = (long double)at * ((long double)tp[i] - (long double)tn[j]);
      ra[i] += term;
      rb[j] -= term;
      sa[i] += fabsl(term);
      sb[j] += fabsl(term);
    }
}
static void weights(size_t np, size_t nn, int pattern) {
  const double offset = pattern % 3 == 0 ? 1e6 : 0, size = pattern % 2 ? 1 : 1e-3;
  size_t i;
  for (i = 0; i < np; i++) tp[i] = offset + size * normal();
  for (i = 0; i < nn; i++) tn[i] = offset + size * normal();
}
static double spread(size_t np, size_t nn) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  size_t i;
  for (i = 0; i < np; i++) low = fmin(low, tp[i]), high = fmax(high, tp[i]);
  for (i = 0; i < nn; i++) low = fmin(low, tn[i]), high = fmax(high, tn[i]);
  return high - low;
}

static const size_t sizes[][2] = {{1, 1}, {1, 9}, {8, 1}, {70, MOST}};

static void loops_are_the_sums_over_all_pairs(void **unused) {
  int k, order, pattern;
  size_t m, i;
  (void)unused;
  for (k = 0; k < INSTANCES; k++)
    for (m = 0; m < sizeof sizes / sizeof *sizes; m++)
      for (order = 1; order <= 2; order++) {
        const size_t np = sizes[m][0], nn = sizes[m][1];
        const struct instance *x = &instances[k];
        pattern = (int)below(PATTERNS);
        fill_scores(sp, np, pattern);
        fill_scores(sn, nn, pattern);
        weights(np, nn, pattern);
        all_pairs(x, order, np, nn);
        assert_int_equal(x->sums(a, b, sp, tp, np, sn, tn, nn, order, x->params, NULL), DPPAIR_OK);
        for (i = 0; i < np; i++)
          assert_true(fabsl((long double)a[i] - ra[i]) <= 1e-13L * sa[i] + 1e-300L);
        for (i = 0; i < nn; i++)
          assert_true(fabsl((long double)b[i] - rb[i]) <= 1e-13L * sb[i] + 1e-300L);
      }
}

static void loops_of_float_are_within_their_own_rounding(void **unused) {
  const struct instance *x = &instances[0];
  const size_t np = 70, nn = 130;
  int order;
  size_t i;
  (void)unused;
  fill_scores(sp, np, SPREAD);
  fill_scores(sn, nn, SPREAD);
  weights(np, nn, 1);
  to_float(fp, sp, np);
  to_float(fn, sn, nn);
  to_float(gp, tp, np);
  to_float(gn, tn, nn);
  for (order = 1; order <= 2; order++) {
    all_pairs(x, order, np, nn);
    assert_int_equal(single_curvature(a, b, fp, gp, np, fn, gn, nn, order, NULL, NULL), DPPAIR_OK);
    for (i = 0; i < np; i++) assert_true(fabsl((long double)a[i] - ra[i]) <= 5e-6L * sa[i]);
    for (i = 0; i < nn; i++) assert_true(fabsl((long double)b[i] - rb[i]) <= 5e-6L * sb[i]);
    assert_int_equal(
        single_curvature(a, b, fp, gp, np, fn, gn, nn, order, NULL, &prepared[0][2][order - 1]),
        DPPAIR_OK); /* boxes take floats as they are */
    for (i = 0; i < np; i++)
      assert_true(fabsl((long double)a[i] - ra[i]) <= 1e-9L * (long double)nn);
  }
}

/* |K - f| <= E for each pair, so sums differ by E |t - t'| each, and by rounding. */
static void boxes_are_within_the_certified_bound_and_sorting_is_exact(void **unused) {
  int k, e, order, pattern;
  size_t m, i, j;
  (void)unused;
  for (k = 0; k < INSTANCES; k++)
    for (m = 0; m < sizeof sizes / sizeof *sizes; m++)
      for (pattern = 0; pattern < PATTERNS; pattern++)
        for (order = 1; order <= 2; order++) {
          const size_t np = sizes[m][0], nn = sizes[m][1];
          const struct instance *x = &instances[k];
          double wide;
          if (m > 2 && pattern > (BRIEF ? SPREAD : OUTLIER)) continue;
          fill_scores(sp, np, pattern);
          fill_scores(sn, nn, pattern);
          weights(np, nn, pattern);
          wide = spread(np, nn);
          all_pairs(x, order, np, nn);
          for (e = 0; e < (k < ANALYTIC ? 3 : 1); e++) {
            const dppair_curvature *c = &prepared[k][e][order - 1];
            const dppair_fast *f = &c->fast;
            const double u = DBL_EPSILON * (k < ANALYTIC ? f->weight * 200 : 1500 * 8);
            assert_int_equal(x->sums(a, b, sp, tp, np, sn, tn, nn, order, x->params, c), DPPAIR_OK);
            for (i = 0; i < np; i++) {
              long double room_i = 0;
              for (j = 0; j < nn; j++)
                room_i += (long double)(f->kernel_error * fabs(tp[i] - tn[j]) + u * (wide + 1e-9));
              assert_true(fabsl((long double)a[i] - ra[i]) <= room_i);
            }
            for (j = 0; j < nn; j++) {
              long double room_j = 0;
              for (i = 0; i < np; i++)
                room_j += (long double)(f->kernel_error * fabs(tp[i] - tn[j]) + u * (wide + 1e-9));
              assert_true(fabsl((long double)b[j] - rb[j]) <= room_j);
            }
          }
        }
}

/* One pair at a time shows the kernel: the bound is never exceeded and says something, for the
 * poles of order 2 (logistic curvature) and 3 (that of the sigmoid). */
static void one_pair_at_a_time_never_exceeds_the_bound_and_comes_close(void **unused) {
  int k, e, offset;
  size_t i, j;
  (void)unused;
  for (k = 0; k < ANALYTIC; k++)
    for (e = 0; e < 3; e++) {
      const dppair_curvature *c = &prepared[k][e][1];
      double worst = 0;
      for (offset = -2; offset <= c->fast.reach + 1; offset++)
        for (j = 0; j <= 8; j++) {
          const double other = c->fast.width * ((double)j / 8 - 0.5), none = 0;
          const size_t steps = 60;
          for (i = 0; i < steps; i++) {
            sp[i] = c->fast.width * (offset - 0.5 + ((double)i + 0.5) / (double)steps);
            tp[i] = 1;
          }
          assert_int_equal(instances[k].sums(a, b, sp, tp, steps, &other, &none, 1, 2, NULL, c),
                           DPPAIR_OK);
          for (i = 0; i < steps; i++) {
            const double u = sp[i] - other;
            const double exact = instances[k].at(DPPAIR_CURVATURE_, u, NULL);
            worst = fmax(worst, fabs(a[i] - exact));
          }
        }
      assert_true(worst <= c->fast.kernel_error + 200 * c->fast.weight * DBL_EPSILON);
      assert_true(worst >= (k == 0 ? 0.4 : 0.1) * c->fast.kernel_error);
    }
}

static void a_loss_of_ones_own_has_the_curvature_that_it_declares(void **unused) {
  const size_t np = 20, nn = 30;
  size_t i, j;
  (void)unused;
  fill_scores(sp, np, SPREAD);
  fill_scores(sn, nn, SPREAD);
  weights(np, nn, 1);
  assert_int_equal(cauchy_curvature(a, b, sp, tp, np, sn, tn, nn, 2, NULL, NULL), DPPAIR_OK);
  for (i = 0; i < np; i++) {
    double sum = 0;
    for (j = 0; j < nn; j++) {
      const double u = sp[i] - sn[j], q = 1 + u * u;
      sum += (2 - 2 * u * u) / (q * q) * (tp[i] - tn[j]);
    }
    assert_true(fabs(a[i] - sum) < 1e-12);
  }
}

static void scores_beyond_the_cap_count_as_the_cap(void **unused) {
  int k;
  size_t i;
  (void)unused;
  for (k = 0; k < INSTANCES; k++) {
    const struct instance *x = &instances[k];
    const dppair_curvature *c = &prepared[k][1][1];
    fill_scores(sp, 40, SPREAD);
    fill_scores(sn, 30, SPREAD);
    weights(40, 30, 1);
    sp[3] = 1e9;
    sn[7] = -1e300;
    assert_int_equal(x->sums(a, b, sp, tp, 40, sn, tn, 30, 2, x->params, c), DPPAIR_OK);
    sp[3] = 100;
    sn[7] = -100;
    assert_int_equal(x->sums(a2, b2, sp, tp, 40, sn, tn, 30, 2, x->params, c), DPPAIR_OK);
    for (i = 0; i < 40; i++) assert_true(fabs(a[i] - a2[i]) < 1e-12);
    for (i = 0; i < 30; i++) assert_true(fabs(b[i] - b2[i]) < 1e-12);
  }
}

/* X^T (B (X v)) against the change of the gradient along v, and as a quadratic form. */
static void the_hessian_is_the_derivative_of_the_gradient_and_symmetric(void **unused) {
  enum { N = 60, D = 5 };
  const double step = 1e-5;
  double x[N * D], w[D], v[D], q[D], up[D], down[D], h[D], fast[D], other[D], back = 0, forth = 0;
  double work[N * 12], room_of_h[3 * N + 8];
  dppair_rows_f64 rows = dppair_rows_make_f64(x, N, D, D);
  dppair_options options;
  size_t bytes;
  int k;
  (void)unused;
  memset(&options, 0, sizeof options);
  options.work = work;
  options.bytes = sizeof work;
  rows.positives = 23;
  for (k = 0; k < N * D; k++) x[k] = normal();
  for (k = 0; k < D; k++) w[k] = 0.5 * normal(), v[k] = normal(), q[k] = normal();
  assert_int_equal(logistic_hessian_workspace(&bytes, N), DPPAIR_OK);
  assert_true(bytes <= sizeof room_of_h);
  assert_int_equal(logistic_hessian(h, &rows, w, v, NULL, NULL, room_of_h, bytes), DPPAIR_OK);
  assert_int_equal(logistic_hessian(fast, &rows, w, v, NULL, &prepared[0][2][1], room_of_h, bytes),
                   DPPAIR_OK);
  assert_int_equal(logistic_hessian(other, &rows, w, q, NULL, NULL, room_of_h, bytes), DPPAIR_OK);
  for (k = 0; k < D; k++) w[k] += step * v[k];
  assert_int_equal(logistic_gradient(up, &rows, w, &options), DPPAIR_OK);
  for (k = 0; k < D; k++) w[k] -= 2 * step * v[k];
  assert_int_equal(logistic_gradient(down, &rows, w, &options), DPPAIR_OK);
  for (k = 0; k < D; k++) {
    assert_true(fabs((up[k] - down[k]) / (2 * step) - h[k]) < 1e-6 * N * N);
    assert_true(fabs(fast[k] - h[k]) < 1e-9 * N * N);
    back += h[k] * q[k];
    forth += other[k] * v[k];
  }
  assert_true(fabs(back - forth) < 1e-9 * N * N);
  assert_int_equal(logistic_hessian(h, &rows, w, v, NULL, NULL, room_of_h, 8),
                   DPPAIR_ERR_WORKSPACE);
  assert_true(all_zero(h, D));
  assert_int_equal(hinge_hessian(h, &rows, w, v, NULL, NULL, room_of_h, bytes),
                   DPPAIR_ERR_NO_PROOF);
  rows.positives = N + 1;
  assert_int_equal(logistic_hessian(h, &rows, w, v, NULL, NULL, room_of_h, bytes), DPPAIR_ERR_SIZE);
  rows.positives = 0; /* one class: no pairs */
  assert_int_equal(logistic_hessian(h, &rows, w, v, NULL, NULL, room_of_h, bytes), DPPAIR_OK);
  assert_true(all_zero(h, D));
  rows.n = 0;
  assert_int_equal(logistic_hessian(h, &rows, w, v, NULL, NULL, room_of_h, bytes), DPPAIR_OK);
}

/* Scores even, crowded in one bucket, as far apart as doubles are, or all the same. */
static void scores_are_sorted_and_ties_keep_their_order(void **unused) {
  static dppair_sorted_ records[300], spare[300];
  static size_t start[301];
  (void)unused;
  for (size_t n = 1; n <= 300; n = n < 40 ? n + 1 : n + 65)
    for (int crowd = 0; crowd < 4; crowd++) {
      double low = HUGE_VAL, high = -HUGE_VAL;
      for (size_t i = 0; i < n; i++) {
        const double u = floor(64 * uniform()) / 64;
        records[i].s = crowd == 0 ? u : crowd == 1 ? (i ? 1e-9 * u : 100) : crowd == 2 ? 3e300 * (u - 0.5) : 7;
        records[i].at = i;
        low = fmin(low, records[i].s), high = fmax(high, records[i].s);
      }
      dppair_sorted_fill_(records, spare, start, n, low, high);
      for (size_t i = 1; i < n; i++) {
        assert_true(records[i - 1].s <= records[i].s);
        if (!(records[i - 1].s < records[i].s)) assert_true(records[i - 1].at < records[i].at);
      }
    }
}

static void what_has_no_curvature_or_was_not_prepared_is_refused(void **unused) {
  const double one = 1, bad = nan("");
  const dppair_curvature *c = &prepared[0][0][1];
  dppair_curvature blank;
  size_t bytes = 1;
  double x = 1, y = 1, work[8];
  (void)unused;
  memset(&blank, 1, sizeof blank);
#define REFUSED(expected, call)                                                                    \
  do {                                                                                             \
    x = y = 1;                                                                                     \
    assert_int_equal(call, expected);                                                              \
    assert_true(x == 0 && y == 0);                                                                 \
  } while (0)
  REFUSED(DPPAIR_ERR_NO_PROOF,
          hinge_curvature(&x, &y, &one, &one, 1, &one, &one, 1, 2, NULL, NULL));
  assert_int_equal(hinge_curvature_workspace(&bytes, 9, 2, DPPAIR_ACCURACY_1E6, 1, NULL),
                   DPPAIR_ERR_NO_PROOF);
  assert_true(bytes == 0);
  assert_int_equal(
      hinge_curvature_init(&blank, 9, 2, DPPAIR_ACCURACY_1E6, 1, NULL, work, sizeof work),
      DPPAIR_ERR_NO_PROOF);
  assert_true(blank.run == NULL);
  assert_int_equal(cauchy_curvature_workspace(&bytes, 9, 2, DPPAIR_ACCURACY_1E6, 1, NULL),
                   DPPAIR_ERR_NO_PROOF); /* only loops */
  REFUSED(DPPAIR_ERR_WORKSPACE,
          logistic_curvature(&x, &y, &one, &one, 1, &one, &one, 1, 2, NULL, &blank));
  REFUSED(DPPAIR_ERR_WORKSPACE, /* of the other order, and of the other kind */
          logistic_curvature(&x, &y, &one, &one, 1, &one, &one, 1, 1, NULL, c));
  REFUSED(DPPAIR_ERR_WORKSPACE,
          squared_curvature(&x, &y, &one, &one, 1, &one, &one, 1, 2, NULL, c));
  REFUSED(DPPAIR_ERR_DOMAIN,
          logistic_curvature(&x, &y, &one, &one, 1, &one, &one, 1, 3, NULL, NULL));
  REFUSED(DPPAIR_ERR_NULL, logistic_curvature(&x, &y, &one, NULL, 1, &one, &one, 1, 2, NULL, NULL));
  REFUSED(DPPAIR_ERR_NOT_FINITE,
          logistic_curvature(&x, &y, &one, &bad, 1, &one, &one, 1, 2, NULL, c));
  REFUSED(DPPAIR_ERR_NOT_FINITE,
          logistic_curvature(&x, &y, &bad, &one, 1, &one, &one, 1, 2, NULL, NULL));
  x = 1;
  assert_int_equal(logistic_curvature(&x, &y, &one, &one, 1, NULL, NULL, 0, 2, NULL, c), DPPAIR_OK);
  assert_true(x == 0);
  assert_int_equal(logistic_curvature_workspace(&bytes, 9, 3, DPPAIR_ACCURACY_1E6, 1, NULL),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(logistic_curvature_workspace(&bytes, 9, 2, DPPAIR_ACCURACY_1E6, 0, NULL),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(
      logistic_curvature_init(&blank, 9, 2, DPPAIR_ACCURACY_1E6, 1, NULL, work, sizeof work),
      DPPAIR_ERR_WORKSPACE);
  assert_int_equal(
      squared_curvature_workspace(&bytes, SIZE_MAX / 8, 2, DPPAIR_ACCURACY_1E6, 1, NULL),
      DPPAIR_ERR_OVERFLOW);
#undef REFUSED
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(loops_are_the_sums_over_all_pairs),
      TEST(loops_of_float_are_within_their_own_rounding),
      TEST(boxes_are_within_the_certified_bound_and_sorting_is_exact),
      TEST(one_pair_at_a_time_never_exceeds_the_bound_and_comes_close),
      TEST(a_loss_of_ones_own_has_the_curvature_that_it_declares),
      TEST(scores_beyond_the_cap_count_as_the_cap),
      TEST(the_hessian_is_the_derivative_of_the_gradient_and_symmetric),
      TEST(scores_are_sorted_and_ties_keep_their_order),
      TEST(what_has_no_curvature_or_was_not_prepared_is_refused),
  };
  return RUN_TESTS(tests, prepare, release);
}
