/* SPDX-License-Identifier: MIT */
/*
 * The parts of a fit: what public numbers decide, maps and polynomials, centres.
 */
#include "dppair_auto.h"

#include "tests.h"

/* Nearly always the nearest number. */
static void a_root_of_two_squares_is_rounded_once(void **state) {
  size_t k, off = 0;
  (void)state;
  assert_true(dppair_auto_hypot_(3, 4) >= 5 && dppair_auto_hypot_(4, 3) <= 5);
  assert_true(dppair_auto_hypot_(0, .7) >= .7 && dppair_auto_hypot_(.7, 0) <= .7);
  for (k = 0; k < 20000; k++) {
    const double a = log_between(1e-9, 1e3), b = a * log_between(1e-4, 1e4);
    const double mine = dppair_auto_hypot_(a, b);
    const long double root = sqrtl((long double)a * a + (long double)b * b);
    assert_true(fabsl(mine - root) <= 1.2e-16L * root);
    off += mine < (double)root || mine > (double)root;
  }
  assert_true(off < 100);
}

/* Sums that doubles do not hold exactly, of labels with a large weight, are refused free. */
static void counts_beyond_exact_sums_are_refused_before_they_are_paid(void **state) {
  enum { WIDE = 640 };
  static dppair_column columns[WIDE];
  dppair_plan plan, plans[2];
  dppair_accountant account;
  dppair_auto_room_ r;
  dppair_status status;
  size_t j, refused = 0;
  int beyond;
  void *work;
  (void)state;
  for (j = 0; j < WIDE; j++) {
    columns[j].kind = DPPAIR_COLUMN_NUMERIC;
    columns[j].high = 1;
  }
  memset(&plan, 0, sizeof plan);
  memset(&r, 0, sizeof r);
  plan.epsilon = 1;
  plan.delta = 1e-10;
  r.columns = columns;
  r.d = WIDE;
  assert_int_equal(dppair_marginals_estimate_workspace(&r.bytes, WIDE), DPPAIR_OK);
  assert_non_null(work = malloc(r.bytes));
  r.work = (double *)work;
  assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
  for (r.n = 900000000; r.n < 1000000000; r.n += 10000000) {
    plan.sampling = dppair_sampling_all(r.n, DPPAIR_REPLACE_ONE);
    status = dppair_auto_decide_(&r, plans, &plan, &account);
    beyond = dppair_label_weight(r.c.label) * (double)r.n > 8589934592.0;
    assert_int_equal(status, beyond ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK);
    refused += beyond ? 1 : 0;
  }
  assert_true(refused > 0 && refused < 10);
  free(work);
}

/* dppair_release_minimiser, which comes after all is paid, takes every centre. */
static void a_centre_is_never_refused(void **state) {
  const dppair_margin_loss loss = dppair_margin_soft_hinge();
  double rate, ratio;
  (void)state;
  for (ratio = .1; ratio < 1e6; ratio *= 3)
    for (rate = 0; rate <= 1; rate += .01)
      assert_true(fabs(dppair_auto_centre_(&loss, rate, ratio)) * ratio <= 511);
  assert_true(fabs(dppair_auto_centre_(&loss, .02, 1)) > 5 &&
              dppair_auto_centre_(&loss, .1, 1) + dppair_auto_centre_(&loss, .9, 1) < 1e-9);
}

/* Of any distribution; its polynomials are bounded. */
static void a_map_is_monotone_and_bounded(void **state) {
  static const double size[2] = {.6, .6};
  (void)state;
  for (size_t round = 0; round < 200; round++) {
    dppair_auto_column_ c;
    double h[DPPAIR_CELLS_MOST] = {0}, total = 0;
    memset(&c, 0, sizeof c);
    assert_int_equal(dppair_cells_make(&c.grid, round % 3 ? -1 : 5, round % 2 ? 100 : 5, 24),
                     DPPAIR_OK);
    for (size_t k = 0; k < c.grid.cells; k++) {
      h[k] = pow(uniform(), (double)(round % 7) * 3);
      if (round % 5 == 0) h[k] = k == round % c.grid.cells;
      total += h[k];
    }
    for (size_t k = 0; k < c.grid.cells; k++) h[k] /= total;
    dppair_auto_features_(&c, h, 3, size, NULL);
    assert_true(c.knots >= 1 && c.knots <= DPPAIR_AUTO_KNOTS);
    for (size_t k = 0; k < c.knots; k++) {
      if (k > 0) assert_true(c.at[k] > c.at[k - 1] && c.z[0][k] >= c.z[0][k - 1] - 1e-12);
      for (int p = 0; p < 3; p++) assert_true(fabs(c.z[p][k]) <= (p ? 2.5 * .6 : 1 + 1e-12));
    }
  }
}

/* One that is there stays as it is; a new one is on the line between its neighbours. */
static void a_knot_changes_no_polynomial(void **state) {
  dppair_auto_column_ c, with;
  (void)state;
  memset(&c, 0, sizeof c);
  c.knots = 2;
  c.at[1] = 1;
  c.z[1][1] = 4, c.z[2][1] = -2;
  with = c;
  dppair_auto_knot_(&with, 1);
  assert_memory_equal(&with, &c, sizeof c);
  dppair_auto_knot_(&with, .25);
  assert_int_equal(with.knots, 3);
  assert_true(with.at[1] >= .25 && with.at[1] <= .25 && with.at[2] >= 1);
  assert_true(with.z[1][1] >= 1 && with.z[1][1] <= 1 && with.z[1][2] >= 4);
  assert_true(with.z[2][1] >= -.5 && with.z[2][1] <= -.5 && with.z[2][2] <= -2);
}

/* A class below a tenth of the records counts by the square of its share. */
static void a_rare_class_has_fewer_polynomials(void **state) {
  static const struct {
    double rate;
    size_t degrees;
  } at[] = {{.5, 3}, {.11, 3}, {.09, 3}, {.07, 2}, {.93, 2}, {.05, 2}, {.02, 1}, {.98, 1}, {0, 1}};
  static double raw[DPPAIR_CELLS_MOST + 1], deviation[DPPAIR_CELLS_MOST + 1];
  static dppair_auto_column_ column;
  static dppair_auto_map map;
  dppair_column declared;
  dppair_auto_room_ r;
  dppair_cells grid;
  size_t start[3] = {0, 0, 0}, i, k;
  double rate, curve[DPPAIR_CLASS_TERMS], v[DPPAIR_CELLS_MOST + 1] = {0};
  void *work;
  (void)state;
  memset(&declared, 0, sizeof declared);
  declared.kind = DPPAIR_COLUMN_NUMERIC;
  declared.low = -1;
  declared.high = 1;
  memset(&r, 0, sizeof r);
  r.n = 1000;
  r.d = 1;
  r.columns = &declared;
  r.map = &map;
  r.column = &column;
  r.start = start;
  r.raw = r.h = raw;
  r.deviation = deviation;
  r.v = v;
  r.curve = curve;
  r.query.columns = &declared;
  r.query.d = 1;
  r.query.side = 24;
  r.query.label = 1;
  assert_int_equal(dppair_marginals_estimate_workspace(&r.bytes, 1), DPPAIR_OK);
  assert_non_null(work = malloc(r.bytes));
  r.work = (double *)work;
  for (i = 0; i < sizeof at / sizeof *at; i++) {
    dppair_auto_choose_(&r.c, .5 / sqrt(.75), 0, 1000, 1, 1, 2); /* rho = 500 */
    assert_int_equal(r.c.features, 3);
    assert_int_equal(dppair_cells_make(&grid, -1, 1, r.c.side), DPPAIR_OK);
    start[1] = grid.cells;
    start[2] = grid.cells + 1;
    for (k = 0; k < grid.cells; k++) raw[k] = 1 / (double)grid.cells;
    raw[grid.cells] = at[i].rate;
    assert_int_equal(dppair_auto_columns_(&r, &rate), DPPAIR_OK);
    assert_true(fabs(rate - at[i].rate) < 1e-12);
    assert_int_equal(r.c.degrees, at[i].degrees);
    assert_int_equal(r.c.features, at[i].degrees);
    assert_true((column.square[1] > 0) == (at[i].degrees > 1));
    assert_true((column.square[2] > 0) == (at[i].degrees > 2));
  }
  dppair_auto_choose_(&r.c, .02, 0, 1000, 1, 1, 2); /* where there were none */
  assert_int_equal(dppair_auto_columns_(&r, &rate), DPPAIR_OK);
  assert_true(rate < .1 && r.c.degrees == 1 && r.c.features == 1);
  free(work);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_root_of_two_squares_is_rounded_once),
      TEST(counts_beyond_exact_sums_are_refused_before_they_are_paid),
      TEST(a_centre_is_never_refused),
      TEST(a_map_is_monotone_and_bounded),
      TEST(a_knot_changes_no_polynomial),
      TEST(a_rare_class_has_fewer_polynomials)};
  return RUN_TESTS(tests, NULL, NULL);
}
