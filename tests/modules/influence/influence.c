/* SPDX-License-Identifier: MIT */
/* Influence and stability against retraining: the printed and the mended formulas, their rates and
 * error bounds, conjugate gradients against the explicit Hessian, near-linear sums against loops,
 * stability against removals, refusals. */
#include "engine_support.h"

#include "dppair_influence.h"

#define DPPAIR_NAME logistic
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME square
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_least_squares
#include "dppair.h"
#define DPPAIR_NAME sigmoid
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_sigmoid
#include "dppair.h"
#define DPPAIR_NAME hinge
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"

enum { MOST = 320, D = 3 };
static double x[MOST * D], y[MOST], w[D], change[MOST * D], again[MOST * D], truth[MOST * D];
static double left_x[MOST * D], left_y[MOST];
static char *work;
static size_t bytes;
static dppair_curvature slopes, curves; /* of the logistic loss, to 1e-12: for retraining */
static void *memory[2];

static int prepare(void **unused) {
  dppair_influence of;
  size_t size;
  int k;
  (void)unused;
  memset(&of, 0, sizeof of);
  of.own_hessian = 1;
  assert_int_equal(logistic_influence_workspace(&bytes, MOST, D, &of), DPPAIR_OK);
  work = (char *)room(bytes);
  for (k = 0; k < 2; k++) {
    assert_int_equal(
        logistic_curvature_workspace(&size, MOST, k + 1, DPPAIR_ACCURACY_1E12, 30, NULL),
        DPPAIR_OK);
    memory[k] = room(size);
    assert_int_equal(logistic_curvature_init(k ? &curves : &slopes, MOST, k + 1,
                                             DPPAIR_ACCURACY_1E12, 30, NULL, memory[k], size),
                     DPPAIR_OK);
  }
  return 0;
}
static int release(void **unused) {
  (void)unused;
  free(work);
  free(memory[0]);
  free(memory[1]);
  return 0;
}

/* n records about +-1/2 in each feature, positives first, of norm at most 1. */
static dppair_rows_f64 records(size_t n) {
  dppair_rows_f64 rows = dppair_rows_make_f64(x, n, D, D);
  size_t i, k;
  rows.positives = n / 2;
  rows.y = y;
  for (i = 0; i < n; i++) {
    double size;
    for (k = 0; k < D; k++) x[i * D + k] = normal() + (i < n / 2 ? 0.5 : -0.5);
    size = dppair_norm_f64(x + i * D, D);
    for (k = 0; size > 1 && k < D; k++) x[i * D + k] /= size;
    y[i] = x[i * D] - 0.5 * x[i * D + 1] + 0.3 * normal();
  }
  return rows;
}

typedef dppair_status fit_fn(double *, double *, const dppair_rows_f64 *, const dppair_influence *,
                             double, size_t, void *, size_t);
typedef dppair_status all_fn(double *, double *, const dppair_rows_f64 *, const double *,
                             const dppair_influence *, void *, size_t);

static void fit(fit_fn *minimise, double *at, const dppair_rows_f64 *rows,
                const dppair_influence *of) {
  double gradient;
  assert_int_equal(minimise(at, &gradient, rows, of, 1e-13, 60, work, bytes), DPPAIR_OK);
  assert_true(gradient <= 1e-13);
}

/* w of all records, and truth = what retraining without each of them changes. */
static void retrain(fit_fn *minimise, const dppair_rows_f64 *rows, const dppair_influence *of) {
  const size_t n = rows->n;
  const double less = of->risk == DPPAIR_INFLUENCE_POINTWISE ? 1 : 2;
  dppair_influence without = *of;
  size_t i, j, k;
  if (minimise == logistic_minimiser_not_private && rows->n > 64) {
    without.slopes = &slopes;
    without.curves = &curves;
  }
  memset(w, 0, sizeof w);
  fit(minimise, w, rows, of);
  if (!of->renormalised) without.ridge *= (double)n / ((double)n - less);
  for (i = 0; i < n; i++) {
    dppair_rows_f64 left = *rows;
    double at[D];
    for (j = 0; j < n; j++) {
      const size_t to = j < i ? j : j - 1;
      if (j == i) continue;
      memcpy(left_x + to * D, x + j * D, D * sizeof *x);
      left_y[to] = y[j];
    }
    left.x = left_x;
    left.y = left_y;
    left.n--;
    left.positives -= i < rows->positives;
    memcpy(at, w, sizeof at);
    fit(minimise, at, &left, &without);
    for (k = 0; k < D; k++) truth[i * D + k] = at[k] - w[k];
  }
}

/* mean |estimate - truth| / mean |truth| */
static double relative(const double *estimate, size_t n) {
  double off = 0, size = 0;
  size_t i, k;
  for (i = 0; i < n; i++) {
    double gap[D];
    for (k = 0; k < D; k++) gap[k] = estimate[i * D + k] - truth[i * D + k];
    off += dppair_norm_f64(gap, D);
    size += dppair_norm_f64(truth + i * D, D);
  }
  return off / size;
}

static double error_of(all_fn *all, dppair_influence of, const dppair_rows_f64 *rows,
                       int own_hessian) {
  double error;
  of.own_hessian = own_hessian;
  assert_int_equal(all(change, &error, rows, w, &of, work, bytes), DPPAIR_OK);
  assert_true(error < 1e-10);
  return relative(change, rows->n);
}

/* [0] as printed, n(n-1) kept; [1] with H_-i; [2] renormalised, uncorrected; [3] corrected; [4]
 * corrected with H_-i */
static void five_errors(double *errors, size_t n, dppair_influence of) {
  dppair_rows_f64 rows = records(n);
  of.renormalised = 0;
  retrain(logistic_minimiser_not_private, &rows, &of);
  errors[0] = error_of(logistic_influence_not_private, of, &rows, 0);
  errors[1] = error_of(logistic_influence_not_private, of, &rows, 1);
  of.renormalised = 1;
  retrain(logistic_minimiser_not_private, &rows, &of);
  of.renormalised = 0;
  errors[2] = error_of(logistic_influence_not_private, of, &rows, 0);
  of.renormalised = 1;
  errors[3] = error_of(logistic_influence_not_private, of, &rows, 0);
  errors[4] = error_of(logistic_influence_not_private, of, &rows, 1);
}

/* Rows of norm at most 1, d = 3, ridge 1/10; the mean over all records and several data sets. */
static void estimates_come_as_close_to_retraining_as_they_should(void **unused) {
  static const size_t sizes[3] = {20, 80, BRIEF ? 80 : MOST},
                      sets[3] = {BRIEF ? 2 : 12, BRIEF ? 1 : 2, BRIEF ? 0 : 1};
  double mean[3][5], errors[5];
  dppair_influence of;
  size_t m, set;
  int k;
  (void)unused;
  memset(&of, 0, sizeof of);
  memset(mean, 0, sizeof mean);
  of.ridge = 0.1;
  for (m = 0; m < 3; m++)
    for (set = 0; set < sets[m]; set++) {
      five_errors(errors, sizes[m], of);
      for (k = 0; k < 5; k++) mean[m][k] += errors[k] / (double)sets[m];
    }
  assert_true(mean[1][0] <= 3e-2 && mean[1][2] >= 0.3); /* [2]: wrong at first order */
  assert_true(mean[1][1] <= 1e-2 && mean[1][3] <= 1e-2 && mean[1][4] <= 1e-2);
  for (k = 0; k < 5; k++) /* like 1/n, but for the chance of one data set */
    if (k != 2) assert_true(mean[2][k] * (double)sizes[2] <= 1.2 * mean[0][k] * 20);
}

/* For parabolas one step with H_-i is exact. Residuals; and records against the origin. */
static void a_step_with_its_own_hessian_is_exact_for_parabolas(void **unused) {
  int risk, renormalised;
  (void)unused;
  for (risk = 0; risk <= DPPAIR_INFLUENCE_POINTWISE; risk++)
    for (renormalised = 0; renormalised < 2; renormalised++) {
      dppair_rows_f64 rows = records(24);
      dppair_influence of;
      memset(&of, 0, sizeof of);
      of.risk = (dppair_influence_risk)risk;
      of.ridge = 0.05;
      of.renormalised = renormalised;
      retrain(square_minimiser_not_private, &rows, &of);
      if (risk == DPPAIR_INFLUENCE_RESIDUAL || risk == DPPAIR_INFLUENCE_POINTWISE)
        assert_true(risk == DPPAIR_INFLUENCE_POINTWISE || dppair_norm_f64(w, D) > 0.1);
      if (dppair_norm_f64(truth, 24 * D) > 1e-9)
        assert_true(error_of(square_influence_not_private, of, &rows, 1) < 1e-9);
    }
}

/* Every risk of the logistic loss, both normalisers. */
static void all_risks_come_close_to_retraining(void **unused) {
  int risk, renormalised;
  (void)unused;
  for (risk = 0; risk <= DPPAIR_INFLUENCE_POINTWISE; risk++)
    for (renormalised = 0; renormalised < 2; renormalised++) {
      dppair_rows_f64 rows = records(30);
      dppair_influence of;
      double printed, own;
      memset(&of, 0, sizeof of);
      of.risk = (dppair_influence_risk)risk;
      of.ridge = 0.1;
      of.renormalised = renormalised;
      retrain(logistic_minimiser_not_private, &rows, &of);
      printed = error_of(logistic_influence_not_private, of, &rows, 0);
      own = error_of(logistic_influence_not_private, of, &rows, 1);
      assert_true(printed < 0.1 && own < 0.05 && own < printed);
    }
}

/* The bounds of the error hold for every record; that of Kang et al. 2023 is twice the pointwise
 * one. */
static void the_error_bounds_hold(void **unused) {
  static const size_t sizes[] = {40, BRIEF ? 50 : 100};
  size_t s, i, k;
  int risk;
  (void)unused;
  for (risk = 0; risk <= DPPAIR_INFLUENCE_POINTWISE; risk += 4)
    for (s = 0; s < 2; s++) {
      dppair_rows_f64 rows = records(sizes[s]);
      const double sides = risk ? 1 : 2;
      double radius = 0, bound, floor, worst = 0;
      dppair_influence of;
      memset(&of, 0, sizeof of);
      of.risk = (dppair_influence_risk)risk;
      of.ridge = 0.2;
      for (i = 0; i < rows.n; i++) radius = fmax(radius, dppair_norm_f64(x + i * D, D));
      radius *= sides;
      retrain(logistic_minimiser_not_private, &rows, &of);
      (void)error_of(logistic_influence_not_private, of, &rows, 0);
      assert_int_equal(dppair_influence_bound(&bound, rows.n, of.risk, radius, radius * radius / 4,
                                              0.09622504487 * radius * radius * radius, of.ridge),
                       DPPAIR_OK);
      for (i = 0; i < rows.n; i++) {
        double gap[D];
        for (k = 0; k < D; k++) gap[k] = change[i * D + k] - truth[i * D + k];
        worst = fmax(worst, dppair_norm_f64(gap, D));
      }
      assert_true(worst <= bound);
      assert_int_equal(dppair_influence_floor(&floor, 1000000, of.risk, radius, radius, radius, 1),
                       DPPAIR_OK);
      assert_true(floor < 1 && floor > 0.99);
    }
}

static void gradients_conjugate_agree_with_the_explicit_hessian(void **unused) {
  int risk, own, renormalised;
  size_t i, k;
  (void)unused;
  for (risk = 0; risk <= DPPAIR_INFLUENCE_POINTWISE; risk++)
    for (own = 0; own < 2; own++)
      for (renormalised = 0; renormalised < 2; renormalised++) {
        dppair_rows_f64 rows = records(31);
        const double q[D] = {1, -2, 0.5};
        double one[D], error, along[31], factor[31];
        dppair_influence of;
        memset(&of, 0, sizeof of);
        for (i = 0; i < 31; i++) factor[i] = 0.5 + uniform();
        rows.factor = factor;
        of.risk = (dppair_influence_risk)risk;
        of.ridge = 0.1;
        of.own_hessian = own;
        of.renormalised = renormalised;
        memset(w, 0, sizeof w);
        fit(logistic_minimiser_not_private, w, &rows, &of);
        assert_int_equal(logistic_influence_not_private(change, &error, &rows, w, &of, work, bytes),
                         DPPAIR_OK);
        for (i = 0; i < 31; i += 5) {
          assert_int_equal(
              logistic_influence_record_not_private(one, &error, i, &rows, w, &of, work, bytes),
              DPPAIR_OK);
          assert_true(error < 1e-8);
          for (k = 0; k < D; k++) assert_true(fabs(one[k] - change[i * D + k]) <= error + 1e-12);
        }
        of.own_hessian = 0;
        if (own) continue;
        assert_int_equal(
            logistic_influence_along_not_private(along, &error, q, &rows, w, &of, work, bytes),
            DPPAIR_OK);
        for (i = 0; i < 31; i++) {
          double sum = 0;
          for (k = 0; k < D; k++) sum += q[k] * change[i * D + k];
          assert_true(fabs(along[i] - sum) < 1e-10);
        }
      }
}

/* The loss of one pair: first order against retraining, and its gradient against differences. */
static void a_pairs_loss_moves_as_estimated(void **unused) {
  dppair_rows_f64 rows = records(120);
  double q[D], along[120], error, slope = 0, off = 0, size = 0;
  dppair_influence of;
  size_t i, k;
  (void)unused;
  memset(&of, 0, sizeof of);
  of.ridge = 0.1;
  of.renormalised = 1;
  retrain(logistic_minimiser_not_private, &rows, &of);
  assert_int_equal(logistic_influence_pair_not_private(q, 3, 90, &rows, w, &of, work, bytes),
                   DPPAIR_OK);
  for (k = 0; k < D; k++) slope += w[k] * (x[3 * D + k] - x[90 * D + k]);
  for (k = 0; k < D; k++)
    assert_true(fabs(q[k] + (x[3 * D + k] - x[90 * D + k]) / (1 + exp(slope))) < 1e-13);
  assert_int_equal(
      logistic_influence_along_not_private(along, &error, q, &rows, w, &of, work, bytes),
      DPPAIR_OK);
  for (i = 0; i < 120; i++) {
    double u = 0, moved;
    for (k = 0; k < D; k++) u += (w[k] + truth[i * D + k]) * (x[3 * D + k] - x[90 * D + k]);
    moved = log1p(exp(-u)) - log1p(exp(-slope));
    off += fabs(along[i] - moved);
    size += fabs(moved);
  }
  assert_true(off / size < 3e-2);
  assert_int_equal(logistic_influence_pair_not_private(q, 90, 3, &rows, w, &of, work, bytes),
                   DPPAIR_ERR_SIZE);
}

/* The AUC with steps smoothed over h, whose gradient another instance has. */
static double smooth_auc(const dppair_rows_f64 *rows, const double *at, double h) {
  const size_t np = rows->positives, nn = rows->n - np;
  double sum = 0;
  size_t i, j, k;
  for (i = 0; i < np; i++)
    for (j = np; j < rows->n; j++) {
      double u = 0;
      for (k = 0; k < D; k++) u += at[k] * (x[i * D + k] - x[j * D + k]);
      sum += 1 / (1 + exp(-u / h));
    }
  return sum / ((double)np * (double)nn);
}
static void the_smoothed_auc_moves_as_estimated(void **unused) {
  const size_t n = BRIEF ? 60 : 120;
  const double h = 0.2;
  dppair_rows_f64 rows = records(n);
  double q[D], scaled[D], along[120], error, off = 0, size = 0, before;
  dppair_influence of;
  dppair_options options;
  size_t i, k;
  (void)unused;
  memset(&of, 0, sizeof of);
  memset(&options, 0, sizeof options);
  of.ridge = 0.1;
  of.renormalised = 1;
  retrain(logistic_minimiser_not_private, &rows, &of);
  for (k = 0; k < D; k++) scaled[k] = w[k] / h;
  options.work = work;
  options.bytes = bytes;
  assert_int_equal(sigmoid_gradient(q, &rows, scaled, &options), DPPAIR_OK);
  for (k = 0; k < D; k++) q[k] /= -h * (double)(n / 2) * (double)(n - n / 2);
  assert_int_equal(
      logistic_influence_along_not_private(along, &error, q, &rows, w, &of, work, bytes),
      DPPAIR_OK);
  before = smooth_auc(&rows, w, h);
  for (i = 0; i < n; i++) {
    double at[D], moved;
    for (k = 0; k < D; k++) at[k] = w[k] + truth[i * D + k];
    moved = smooth_auc(&rows, at, h) - before;
    off += fabs(along[i] - moved);
    size += fabs(moved);
  }
  assert_true(size > 0 && off / size < 14.0 / (double)n); /* second order: 1/n */
}

static void near_linear_sums_give_the_same_changes(void **unused) {
  int own;
  (void)unused;
  for (own = 0; own < 2; own++) {
    dppair_rows_f64 rows = records(200);
    const double q[D] = {1, 1, 1};
    dppair_curvature rough[2];
    double error, along[200], near[200];
    void *first, *second;
    size_t size, i;
    dppair_influence of;
    memset(&of, 0, sizeof of);
    of.ridge = 0.1;
    of.own_hessian = own;
    memset(w, 0, sizeof w);
    fit(logistic_minimiser_not_private, w, &rows, &of);
    assert_int_equal(logistic_influence_not_private(again, &error, &rows, w, &of, work, bytes),
                     DPPAIR_OK);
    of.own_hessian = 0;
    assert_int_equal(
        logistic_influence_along_not_private(near, &error, q, &rows, w, &of, work, bytes),
        DPPAIR_OK);
    assert_int_equal(logistic_curvature_workspace(&size, 200, 1, DPPAIR_ACCURACY_1E9, 30, NULL),
                     DPPAIR_OK);
    first = room(size);
    assert_int_equal(
        logistic_curvature_init(&rough[0], 200, 1, DPPAIR_ACCURACY_1E9, 30, NULL, first, size),
        DPPAIR_OK);
    assert_int_equal(logistic_curvature_workspace(&size, 200, 2, DPPAIR_ACCURACY_1E9, 30, NULL),
                     DPPAIR_OK);
    second = room(size);
    assert_int_equal(
        logistic_curvature_init(&rough[1], 200, 2, DPPAIR_ACCURACY_1E9, 30, NULL, second, size),
        DPPAIR_OK);
    of.slopes = &rough[0];
    of.curves = &rough[1];
    of.own_hessian = own;
    assert_int_equal(logistic_influence_not_private(change, &error, &rows, w, &of, work, bytes),
                     DPPAIR_OK);
    assert_true(error > 0 && error < 1e-6);
    for (i = 0; i < 200 * D; i++) assert_true(fabs(change[i] - again[i]) <= error);
    of.own_hessian = 0;
    assert_int_equal(
        logistic_influence_along_not_private(along, &error, q, &rows, w, &of, work, bytes),
        DPPAIR_OK);
    for (i = 0; i < 200; i++) assert_true(fabs(along[i] - near[i]) < 1e-7);
    free(first);
    free(second);
  }
}

/* Far from 0 the sums over single records cancel, while differences of records are the same. */
static void the_error_holds_for_records_far_from_0(void **unused) {
  static double near[24 * D];
  int own;
  (void)unused;
  for (own = 0; own < 2; own++) {
    dppair_rows_f64 rows = records(24);
    double error[2], gap = 0;
    dppair_influence of;
    size_t i;
    memset(&of, 0, sizeof of);
    of.ridge = 0.05;
    of.own_hessian = own;
    for (i = 0; i < 24 * D; i++) x[i] = ldexp(rint(ldexp(x[i], 20)), -20);
    for (i = 0; i < D; i++) w[i] = (double)i - 0.5; /* scores are exact */
    assert_int_equal(square_influence_not_private(near, &error[0], &rows, w, &of, work, bytes),
                     DPPAIR_OK);
    for (i = 0; i < 24 * D; i++) x[i] += 65536;
    assert_int_equal(square_influence_not_private(change, &error[1], &rows, w, &of, work, bytes),
                     DPPAIR_OK);
    for (i = 0; i < 24 * D; i++) gap = fmax(gap, fabs(change[i] - near[i]));
    assert_true(gap > (own ? 1e-9 : 1e-13) && gap <= error[0] + error[1]);
  }
}

/* The sigmoid's second derivative is rounded in proportion to its supremum, not to what is left of
 * it near 0: s'' is -u/8 there, and for one feature the change is s_i/H. */
static void the_error_holds_where_the_second_derivative_vanishes(void **unused) {
  dppair_rows_f64 rows = records(24);
  const double at = 1e-9;
  double error, hessian = 1e-9, worst = 0;
  dppair_influence of;
  size_t i, j;
  (void)unused;
  memset(&of, 0, sizeof of);
  of.ridge = 1e-9;
  rows.d = 1;
  for (i = 0; i < 12; i++)
    for (j = 12; j < 24; j++) hessian += at / 8 * pow(x[i * D] - x[j * D], 3) / (24 * 23);
  assert_int_equal(sigmoid_influence_not_private(change, &error, &rows, &at, &of, work, bytes),
                   DPPAIR_OK);
  for (i = 0; i < 12; i++) {
    double gap = change[i];
    for (j = 12; j < 24; j++) gap += (x[i * D] - x[j * D]) / 4 / (24 * 23) / hessian;
    worst = fmax(worst, fabs(gap));
  }
  assert_true(worst <= error && error < HUGE_VAL);
}

/* Squares of the numbers underflow, or overflow: the answer, or no promise. */
static void sizes_whose_squares_are_out_of_range_are_not_lost(void **unused) {
  dppair_rows_f64 rows = records(12);
  const double at[D] = {0.5, -1, 2};
  double one[D], error, other, gap = 0, size = 0;
  dppair_stability st;
  dppair_influence of;
  size_t k;
  (void)unused;
  memset(&of, 0, sizeof of);
  for (k = 0; k < 12 * D; k++) x[k] = ldexp(x[k], -700);
  of.ridge = ldexp(1, -1010);
  assert_int_equal(logistic_influence_not_private(change, &error, &rows, at, &of, work, bytes),
                   DPPAIR_OK);
  assert_int_equal(
      logistic_influence_record_not_private(one, &other, 0, &rows, at, &of, work, bytes),
      DPPAIR_OK);
  for (k = 0; k < D; k++) gap = fmax(gap, fabs(one[k] - change[k])), size += fabs(change[k]);
  assert_true(size > 0 && gap <= error + other && gap < 1e-6 * size);
  for (k = 0; k < 12 * D; k++) x[k] = ldexp(x[k], 1600);
  of.ridge = ldexp(1, 1000);
  memset(change, 0, sizeof change);
  assert_int_equal(
      logistic_stability_not_private(&st, NULL, change, 1, &rows, at, &of, work, bytes), DPPAIR_OK);
  assert_true(st.rigorous == HUGE_VAL);
}

/* Scores beyond the cap of a state are counted as the cap: another problem. */
static void beyond_the_cap_of_a_state_no_error_is_promised(void **unused) {
  const double q[D] = {1, 1, 1}, at[D] = {3, -2, 1};
  dppair_rows_f64 rows = records(24);
  double error, along[24];
  dppair_stability st;
  dppair_influence of;
  dppair_curvature small[2];
  void *place[2];
  int k;
  (void)unused;
  memset(&of, 0, sizeof of);
  of.ridge = 0.1;
  for (k = 0; k < 2; k++) {
    size_t size;
    assert_int_equal(
        logistic_curvature_workspace(&size, 24, k + 1, DPPAIR_ACCURACY_1E6, 0.25, NULL), DPPAIR_OK);
    place[k] = room(size);
    assert_int_equal(logistic_curvature_init(&small[k], 24, k + 1, DPPAIR_ACCURACY_1E6, 0.25, NULL,
                                             place[k], size),
                     DPPAIR_OK);
  }
  for (k = 0; k < 2; k++) {
    of.slopes = k ? NULL : &small[0];
    of.curves = k ? &small[1] : NULL;
    assert_int_equal(logistic_influence_not_private(change, &error, &rows, at, &of, work, bytes),
                     DPPAIR_OK);
    assert_true(error == HUGE_VAL);
    assert_int_equal(
        logistic_influence_along_not_private(along, &error, q, &rows, at, &of, work, bytes),
        DPPAIR_OK);
    assert_true(error == HUGE_VAL);
    assert_int_equal(
        logistic_influence_record_not_private(along, &error, 3, &rows, at, &of, work, bytes),
        DPPAIR_OK); /* its slopes are summed by the loops */
    assert_true((error == HUGE_VAL) == k);
    assert_int_equal(
        logistic_stability_not_private(&st, NULL, change, 2, &rows, at, &of, work, bytes),
        DPPAIR_OK);
    assert_true((st.rigorous == HUGE_VAL) == !k && st.uniform < HUGE_VAL);
  }
  free(place[0]);
  free(place[1]);
}

/* Removals of real records obey the rigorous values; the plug-in is near what removals do. */
static void stability_is_what_removals_show(void **unused) {
  int renormalised;
  (void)unused;
  for (renormalised = 0; renormalised < 2; renormalised++) {
    dppair_rows_f64 rows = records(40);
    double radius = 0, error, each[40], worst = 0, most = 0, uniform;
    dppair_stability plug, real;
    dppair_influence of;
    size_t i, j, k, c;
    memset(&of, 0, sizeof of);
    of.ridge = 0.1;
    of.renormalised = renormalised;
    for (i = 0; i < 40; i++) radius = fmax(radius, dppair_norm_f64(x + i * D, D));
    retrain(logistic_minimiser_not_private, &rows, &of);
    for (i = 0; i < 40; i++) { /* the losses of all pairs, before and after */
      double mean = 0;
      for (j = 0; j < 20; j++)
        for (k = 20; k < 40; k++) {
          double u = 0, moved = 0, now;
          for (c = 0; c < D; c++) {
            u += w[c] * (x[j * D + c] - x[k * D + c]);
            moved += truth[i * D + c] * (x[j * D + c] - x[k * D + c]);
          }
          now = 40 * fabs(log1p(exp(-u - moved)) - log1p(exp(-u)));
          mean += now / (40 * 39);
          worst = fmax(worst, now);
        }
      most = fmax(most, mean);
    }
    assert_int_equal(logistic_influence_not_private(change, &error, &rows, w, &of, work, bytes),
                     DPPAIR_OK);
    assert_int_equal(
        logistic_stability_not_private(&plug, each, change, 2 * radius, &rows, w, &of, work, bytes),
        DPPAIR_OK);
    assert_int_equal(
        logistic_stability_not_private(&real, NULL, truth, 2 * radius, &rows, w, &of, work, bytes),
        DPPAIR_OK);
    assert_true(fabs(plug.elastic - most) < 0.1 * most && fabs(real.elastic - most) < 0.1 * most);
    assert_true(each[plug.record] == plug.elastic && plug.mean < plug.elastic);
    assert_true(worst <= plug.rigorous && real.moved <= plug.rigorous);
    assert_true(plug.elastic < plug.moved && plug.rigorous <= plug.uniform);
    assert_int_equal(dppair_stability_uniform(&uniform, 40, of.risk, 2 * radius, of.ridge,
                                              renormalised, dppair_norm_f64(w, D)),
                     DPPAIR_OK);
    assert_true(uniform == plug.uniform);
    if (!renormalised) assert_true(fabs(uniform / (80 * radius * radius) - 1) < 1e-12);
  }
}

static void what_cannot_be_answered_is_refused_and_outputs_zeroed(void **unused) {
  dppair_rows_f64 rows = records(20);
  double error = 1, q[D] = {1, 1, 1}, along[20], gradient = 1, x0;
  const double good[D] = {0, 0, 0};
  dppair_influence of, bad;
  dppair_stability st;
  size_t size;
  (void)unused;
  memset(&of, 0, sizeof of);
  of.ridge = 0.1;
#define ALL(expected, rows, of, bytes)                                                             \
  do {                                                                                             \
    change[0] = error = 1;                                                                         \
    assert_int_equal(logistic_influence_not_private(change, &error, rows, good, of, work, bytes),  \
                     expected);                                                                    \
    assert_true(all_zero(change, 20 * D) && error == 0);                                           \
  } while (0)
  ALL(DPPAIR_ERR_NULL, &rows, NULL, bytes);
  ALL(DPPAIR_ERR_WORKSPACE, &rows, &of, 100);
  bad = of;
  bad.ridge = 0;
  ALL(DPPAIR_ERR_DOMAIN, &rows, &bad, bytes);
  bad.ridge = nan("");
  ALL(DPPAIR_ERR_DOMAIN, &rows, &bad, bytes);
  bad = of;
  bad.risk = (dppair_influence_risk)5;
  ALL(DPPAIR_ERR_DOMAIN, &rows, &bad, bytes);
  bad = of;
  bad.risk = DPPAIR_INFLUENCE_RESIDUAL;
  rows.y = NULL;
  ALL(DPPAIR_ERR_NULL, &rows, &bad, bytes);
  rows.positives = 21;
  ALL(DPPAIR_ERR_SIZE, &rows, &of, bytes);
  rows.positives = 10;
  x0 = x[7];
  x[7] = nan("");
  ALL(DPPAIR_ERR_NOT_FINITE, &rows, &of, bytes);
  x[7] = x0;
  rows.n = 2;
  rows.positives = 1;
  ALL(DPPAIR_ERR_SIZE, &rows, &of, bytes);
  rows.n = 20;
  rows.positives = 0; /* one class: no pair has a gradient */
  assert_int_equal(logistic_influence_not_private(change, &error, &rows, good, &of, work, bytes),
                   DPPAIR_OK);
  assert_true(all_zero(change, 20 * D));
  rows.positives = 10;
  change[0] = 1;
  assert_int_equal(hinge_influence_not_private(change, &error, &rows, good, &of, work, bytes),
                   DPPAIR_ERR_NO_PROOF);
  assert_true(all_zero(change, 20 * D));
  of.own_hessian = 1;
  assert_int_equal(
      logistic_influence_along_not_private(along, &error, q, &rows, good, &of, work, bytes),
      DPPAIR_ERR_DOMAIN);
  of.own_hessian = 0;
  assert_int_equal(
      logistic_influence_record_not_private(along, &error, 20, &rows, good, &of, work, bytes),
      DPPAIR_ERR_SIZE);
  q[1] = HUGE_VAL;
  assert_int_equal(
      logistic_influence_along_not_private(along, &error, q, &rows, good, &of, work, bytes),
      DPPAIR_ERR_NOT_FINITE);
  memset(w, 0, sizeof w);
  assert_int_equal(logistic_minimiser_not_private(w, &gradient, &rows, &of, 1e-13, 1, work, bytes),
                   DPPAIR_ERR_NO_CONVERGENCE);
  assert_true(all_zero(w, D) && gradient == 0);
  assert_int_equal(logistic_minimiser_not_private(w, &gradient, &rows, &of, 0, 9, work, bytes),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(
      logistic_stability_not_private(&st, NULL, change, -1, &rows, good, &of, work, bytes),
      DPPAIR_ERR_DOMAIN);
  assert_int_equal(logistic_influence_workspace(&size, SIZE_MAX / 8, 9, &of), DPPAIR_ERR_OVERFLOW);
  assert_true(size == 0);
  assert_int_equal(dppair_influence_bound(&error, 1, of.risk, 1, 1, 1, 1), DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_influence_bound(&error, 9, of.risk, 1, 1, 1, 0), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_influence_bound(&error, 9, of.risk, 1e200, 1, 1, 1), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(dppair_influence_floor(&error, 9, of.risk, 1, 1, 1, 0.2), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(dppair_stability_uniform(&error, 2, of.risk, 1, 1, 0, 0), DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_stability_uniform(&error, 9, of.risk, 1, 1, 1, nan("")),
                   DPPAIR_ERR_DOMAIN);
#undef ALL
}

/* out = v times a number for each call and place: no matrix but where it is 1. */
static dppair_status wrong_matrix(void *context, double *out, const double *v) {
  static unsigned calls;
  const int how = *(const int *)context;
  for (size_t k = 0; k < 2; k++)
    out[k] = how == 0 ? -v[k] : how == 1 ? v[k] * (double)(1 + (calls++ * 7 + k) % 5) : v[k];
  return how == 2 ? DPPAIR_ERR_ENVIRONMENT : DPPAIR_OK;
}

static void what_is_no_positive_matrix_has_no_solution(void **unused) {
  static const dppair_status told[] = {DPPAIR_ERR_NO_PROOF, DPPAIR_ERR_NO_CONVERGENCE,
                                       DPPAIR_ERR_ENVIRONMENT, DPPAIR_OK};
  const double one[2] = {1, 2}, zero[2] = {0, 0}, wrong[2] = {1, (double)NAN};
  double at[2], residual, room_of[6], h, l;
  int how;
  (void)unused;
  for (how = 0; how < 4; how++)
    assert_int_equal(dppair_conjugate_(at, &residual, one, 2, wrong_matrix, &how, room_of),
                     told[how]);
  how = 3;
  assert_int_equal(dppair_conjugate_(at, &residual, wrong, 2, wrong_matrix, &how, room_of),
                   DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_conjugate_(at, &residual, zero, 2, wrong_matrix, &how, room_of), DPPAIR_OK);
  assert_true(at[0] == 0.0 && at[1] == 0.0 && residual == 0.0);
  h = 10, l = 1; /* not its factor */
  assert_true(dppair_least_eigenvalue_(&l, &h, 1, at, room_of) == 0.0);
  h = 1e170, l = 1e85; /* the square of its inverse is below all numbers */
  assert_true(dppair_least_eigenvalue_(&l, &h, 1, at, room_of) == 0.0);
  h = (double)INFINITY;
  assert_int_equal(dppair_cholesky_(&l, &h, 1), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(estimates_come_as_close_to_retraining_as_they_should),
      TEST(a_step_with_its_own_hessian_is_exact_for_parabolas),
      TEST(all_risks_come_close_to_retraining),
      TEST(the_error_bounds_hold),
      TEST(gradients_conjugate_agree_with_the_explicit_hessian),
      TEST(a_pairs_loss_moves_as_estimated),
      TEST(the_smoothed_auc_moves_as_estimated),
      TEST(near_linear_sums_give_the_same_changes),
      TEST(the_error_holds_for_records_far_from_0),
      TEST(the_error_holds_where_the_second_derivative_vanishes),
      TEST(sizes_whose_squares_are_out_of_range_are_not_lost),
      TEST(beyond_the_cap_of_a_state_no_error_is_promised),
      TEST(stability_is_what_removals_show),
      TEST(what_cannot_be_answered_is_refused_and_outputs_zeroed),
      TEST(what_is_no_positive_matrix_has_no_solution),
  };
  return RUN_TESTS(tests, prepare, release);
}
