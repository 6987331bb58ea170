/* SPDX-License-Identifier: MIT */
/*
 * Certified numerical composition where its bounds are thin: rates below the cells of the lattice,
 * accounts of very different steps, noise next to none. Each test is named after what must not
 * happen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "dppair_accountant.h"

#ifdef DPPAIR_TEST_SANITIZE
enum { LOG2_MORE = 0, KINDS = 1 };
#else
enum { LOG2_MORE = 2, KINDS = 3 };
#endif

static double *workspace;
static size_t workspace_doubles;

static int setup(void **state) {
  (void)state;
  if (dppair_certify_workspace(&workspace_doubles) != DPPAIR_OK) return 1;
  workspace = (double *)malloc(workspace_doubles * sizeof *workspace);
  return workspace == NULL;
}

static int teardown(void **state) {
  (void)state;
  free(workspace);
  return 0;
}

static dppair_step make(dppair_mechanism_kind kind, double z, size_t steps) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = kind;
  s.noise_multiplier = z;
  s.steps = steps;
  return s;
}

static dppair_step records(dppair_sampling_kind kind, dppair_adjacency adjacency, double q,
                           double z, size_t steps) {
  dppair_step s = make(DPPAIR_SAMPLED_GAUSSIAN, z, steps);
  s.sampling.kind = kind;
  s.sampling.adjacency = adjacency;
  s.sampling.q = q;
  return s;
}

static dppair_step poisson(dppair_adjacency adjacency, double q, double z, size_t steps) {
  return records(DPPAIR_POISSON, adjacency, q, z, steps);
}

typedef struct {
  double upper, lower, estimate;
  dppair_route route;
} answer;

static answer compose(const dppair_step *steps, size_t count, double delta) {
  answer b;
  assert_int_equal(dppair_compose_epsilon(&b.upper, &b.lower, &b.estimate, &b.route, steps, count,
                                          delta, workspace, workspace_doubles),
                   DPPAIR_OK);
  assert_true(b.lower >= 0.0 && b.lower <= b.estimate && b.estimate <= b.upper);
  return b;
}

/* --- the cells of the lattice ----------------------------------------------------------------- */

/* Rates below the width of a cell: the loss is nearly flat, boundaries lie far apart in x. */
static void cells_of_small_rates_lose_no_mass(void **state) {
  static const struct {
    double q, z, h, log_spend;
  } row[] = {{1e-6, .7, 2e-5, -60},  {1e-6, 1, 2e-5, -75},  {1e-6, 2, 2e-5, -75},
             {1e-6, 10, 2e-5, -150}, {1e-6, 2, 2e-4, -600}, {1.8e-6, 2.1, 7.4e-6, -69},
             {3e-4, 1.5, 6e-4, -50}, {1e-12, 1, 1e-5, -70}, {1e-5, .35, 2e-3, -500}};
  const size_t size = (size_t)1 << (15 + LOG2_MORE);
  double *right = (double *)malloc(2 * size * sizeof *right), *left = right + size;
  size_t i, j;
  int kind;
  (void)state;
  assert_non_null(right);
  for (i = 0; i < sizeof row / sizeof *row; i++)
    for (kind = 0; kind < 4; kind++) {
      const dppair_step s =
          kind < 3
              ? poisson(kind == 2 ? DPPAIR_REPLACE_ONE : DPPAIR_ZERO_OUT, row[i].q, row[i].z, 1)
              : records(DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_REPLACE_ONE, row[i].q, row[i].z, 1);
      double low, high, p = 0.0;
      dppair_law_ law;
      dppair_cells_ cells;
      assert_int_equal(dppair_law_of_(&law, &s, 1e-30), DPPAIR_OK);
      dppair_cells_range_(&low, &high, &law, kind == 1, row[i].log_spend);
      memset(&cells, 0, sizeof cells);
      cells.h = row[i].h;
      if ((high - low) / cells.h > (double)size - 20.0)
        cells.h = (high - low) / ((double)size - 20.0);
      cells.growth = exp(cells.h);
      cells.right = right;
      cells.left = left;
      cells.size = size;
      assert_int_equal(dppair_cells_fill_(&cells, &law, kind == 1, row[i].log_spend), DPPAIR_OK);
      for (j = 0; j < size;) {
        double part = 0.0;
        const size_t stop = j + 256;
        for (; j < stop; j++) part += right[j] + left[j];
        p += part;
      }
      if (!(fabs(p - 1.0) <= cells.mass_error + 1e-13 + cells.infinity))
        fail_msg("q %g, z %g, kind %d: mass - 1 = %g, stated error %g", row[i].q, row[i].z, kind,
                 p - 1.0, cells.mass_error);
    }
  free(right);
}

/* Both measures are checked while they are composed: cells that lost some are refused. */
static void cells_that_lost_mass_do_not_pass(void **state) {
  enum { N = 4096 };
  static double right[N], left[N];
  const dppair_step s = poisson(DPPAIR_ZERO_OUT, .02, 1.0, 1);
  double low, high, saved;
  dppair_law_ law;
  dppair_cells_ cells;
  int backward;
  (void)state;
  assert_int_equal(dppair_law_of_(&law, &s, 1e-30), DPPAIR_OK);
  for (backward = 0; backward < 2; backward++) {
    size_t at;
    dppair_cells_range_(&low, &high, &law, backward, -45.0);
    memset(&cells, 0, sizeof cells);
    cells.h = (high - low) / (N - 20);
    cells.growth = exp(cells.h);
    cells.right = right;
    cells.left = left;
    cells.size = N;
    assert_int_equal(dppair_cells_fill_(&cells, &law, backward, -45.0), DPPAIR_OK);
    assert_int_equal(dppair_cells_check_(&cells, 0, N), DPPAIR_OK);
    for (at = 0; right[at] < 1e-4; at++) assert_true(at + 1 < N);
    saved = right[at];
    right[at] = saved * (1.0 - 1e-6); /* lost */
    assert_int_equal(dppair_cells_check_(&cells, 0, N), DPPAIR_ERR_NO_CONVERGENCE);
    right[at] = saved * (1.0 - 1e-3); /* P keeps it, Q does not */
    left[at] += saved * 1e-3;
    assert_int_equal(dppair_cells_check_(&cells, 0, N), DPPAIR_ERR_NO_CONVERGENCE);
    left[at] = (double)NAN;
    assert_int_equal(dppair_cells_check_(&cells, 0, N), DPPAIR_ERR_NO_CONVERGENCE);
  }
}

/* Laplace alone is 4.22034732508 at 1e-5 (exact convolution). */
static void more_steps_do_not_lower_epsilon(void **state) {
  static const struct {
    double q, z;
    size_t steps;
  } row[] = {{1e-6, 4, 1000000}, {1e-7, 3, 100000000}, {1e-6, 4, 200000000}};
  dppair_step s[2];
  size_t i;
  int kind;
  (void)state;
  s[0] = make(DPPAIR_LAPLACE, 10, 100);
  for (i = 0; i < sizeof row / sizeof *row; i++)
    for (kind = 0; kind < KINDS; kind++) {
      answer b;
      s[1] = kind < 2 ? poisson(kind == 1 ? DPPAIR_REPLACE_ONE : DPPAIR_ZERO_OUT, row[i].q,
                                row[i].z, row[i].steps)
                      : records(DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_REPLACE_ONE, row[i].q, row[i].z,
                                row[i].steps);
      b = compose(s, 2, 1e-5);
      if (!(b.upper >= 4.22034732508))
        fail_msg("%g steps of rate %g after Laplace: epsilon %.10g", (double)row[i].steps, row[i].q,
                 b.upper);
    }
}

/* A Gaussian of mu = 1 and steps that cost next to nothing: [4.37717, 4.37718] by the curve. */
static void small_steps_do_not_raise_the_lower_bound(void **state) {
  dppair_step s[2];
  double upper, lower, estimate;
  dppair_pld_options options;
  (void)state;
  memset(&options, 0, sizeof options);
  options.log2_size = 18;
  s[0] = make(DPPAIR_GAUSSIAN, 1, 1);
  s[1] = poisson(DPPAIR_ZERO_OUT, 1e-6, 1, 1000000);
  assert_int_equal(dppair_pld_epsilon(&upper, &lower, &estimate, s, 2, 1e-5, &options, workspace,
                                      workspace_doubles),
                   DPPAIR_OK);
  assert_true(lower <= 4.3772 && upper >= 4.3771);
  s[1] = poisson(DPPAIR_ZERO_OUT, 1e-7, 1, 100000000);
  assert_int_equal(dppair_pld_epsilon(&upper, &lower, &estimate, s, 2, 1e-5, &options, workspace,
                                      workspace_doubles),
                   DPPAIR_OK);
  assert_true(lower <= 4.3773 && upper >= 4.3771);
}

/* --- noise next to none ------------------------------------------------------------------------
 */

/* Shifts of tens of standard deviations: exponentials of the middle hits overflow first, slopes of
 * the loss vanish. An answer or a refusal, never an endless walk. */
static void huge_shifts_end(void **state) {
  static const double zs[] = {0.0702939944080343, .0757};
  static const double rates[] = {0.9952563979226065, .999999};
  static const double deltas[] = {1e-12, 2e-3};
  dppair_branch_ branch;
  dppair_law_ law;
  dppair_step s = make(DPPAIR_SAMPLED_PAIRS, 1, 1);
  double x, last;
  int i, j, k;
  (void)state;
  s.sampling.kind = DPPAIR_POISSON;
  s.sampling.adjacency = DPPAIR_REPLACE_ONE;
  s.sampling.n = 692;
  s.pair_rate = .010584;
  s.noise_multiplier = .545418;
  assert_int_equal(dppair_law_of_(&law, &s, 1e-25), DPPAIR_OK);
  dppair_branch_of_(&branch, &law, 0, 0);
  for (x = -12.0, last = -HUGE_VAL; x < 110.0; x += 0.5) {
    dppair_place_ place;
    dppair_place_of_(&place, &branch, x);
    assert_true(place.loss > last && place.loss < 1e5 && place.slope > 0.0 && place.slope < 90.0);
    last = place.loss;
  }
  s.sampling.n = 5;
  for (i = 0; i < 2; i++)
    for (j = 0; j < 2; j++)
      for (k = 0; k < 2; k++) {
        answer b;
        dppair_status status;
        s.noise_multiplier = zs[i];
        s.pair_rate = rates[j];
        status = dppair_compose_epsilon(&b.upper, &b.lower, &b.estimate, &b.route, &s, 1, deltas[k],
                                        workspace, workspace_doubles);
        assert_true(status == DPPAIR_OK || status == DPPAIR_ERR_NO_CONVERGENCE);
        if (status == DPPAIR_OK) assert_true(b.upper > 1000.0 && b.lower <= b.upper);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cells_of_small_rates_lose_no_mass),
      cmocka_unit_test(cells_that_lost_mass_do_not_pass),
      cmocka_unit_test(more_steps_do_not_lower_epsilon),
      cmocka_unit_test(small_steps_do_not_raise_the_lower_bound),
      cmocka_unit_test(huge_shifts_end),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
