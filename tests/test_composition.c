/* SPDX-License-Identifier: MIT */
/* Certified numerical composition: known answers, and each route against another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "dppair_accountant.h"

static double *workspace;
static size_t workspace_doubles;

static int setup(void **state) {
  (void)state;
  if (dppair_contour_workspace(&workspace_doubles, 4) != DPPAIR_OK) return 1;
  workspace = (double *)malloc(workspace_doubles * sizeof *workspace);
  return workspace == NULL;
}

static int teardown(void **state) {
  (void)state;
  free(workspace);
  return 0;
}

static dppair_step poisson(dppair_adjacency adjacency, double q, double z, size_t steps) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = DPPAIR_SAMPLED_GAUSSIAN;
  s.sampling.kind = DPPAIR_POISSON;
  s.sampling.adjacency = adjacency;
  s.sampling.q = q;
  s.noise_multiplier = z;
  s.steps = steps;
  return s;
}

static dppair_step gaussian(double z, size_t steps) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = DPPAIR_GAUSSIAN;
  s.noise_multiplier = z;
  s.steps = steps;
  return s;
}

static void enclose(const dppair_step *steps, size_t count, double delta, double truth,
                    double digits, double width) {
  double upper, lower, estimate;
  assert_int_equal(dppair_contour_epsilon(&upper, &lower, &estimate, steps, count, delta, workspace,
                                          workspace_doubles),
                   DPPAIR_OK);
  assert_true(lower <= estimate && estimate <= upper);
  assert_true(upper - lower <= width);
  assert_true(fabs(estimate - truth) <= digits);
  assert_true(upper >= truth - digits && lower <= truth + digits);
}

/* Values from an independent evaluation of the same integral with other parameters (numpy). */
static void known_answers(void **state) {
  static const struct {
    int replace;
    double q, z, delta, truth, digits, width;
    size_t steps;
  } row[] = {
      {0, .01, 1, 1e-5, 6.187712390, 1e-9, 1e-8, 10000},
      {0, .01, 1, 1e-12, 10.3466898377, 1e-9, 1e-8, 10000},
      {0, .01, 1, 1e-15, 11.7599785022, 1e-9, 1e-8, 10000},
      {1, .01, 1, 1e-5, 10.8807815336, 1e-9, 1e-8, 10000},
      {1, .25, 10, 1e-12, 30.5369955077, 1e-9, 1e-8, 5000},
      {1, .25, 10, 1e-15, 33.7663015480, 1e-9, 1e-8, 5000},
      {0, .001, 1, 1e-6, 1.8610474590, 1e-8, 1e-6, 100000},
      {0, .001, 1, 1e-12, 2.8941100607, 1e-8, 1e-6, 100000},
      {0, .1, 2, 1e-9, 3.5618904015, 1e-9, 1e-4, 100},
      {0, .01, .6, 1e-6, 8.7114435747, 1e-9, 1e-8, 1000},
  };
  size_t i;
  (void)state;
  for (i = 0; i < sizeof row / sizeof *row; i++) {
    const dppair_step s = poisson(row[i].replace ? DPPAIR_REPLACE_ONE : DPPAIR_ZERO_OUT, row[i].q,
                                  row[i].z, row[i].steps);
    enclose(&s, 1, row[i].delta, row[i].truth, row[i].digits, row[i].width);
  }
}

/* Plain Gaussian steps have a closed form, also in parts. */
static void gaussian_closed_form(void **state) {
  static const double deltas[] = {1e-3, 1e-5, 1e-10, 1e-12, 1e-15};
  dppair_step s[2];
  double truth;
  size_t i;
  (void)state;
  for (i = 0; i < sizeof deltas / sizeof *deltas; i++) {
    s[0] = gaussian(25, 5000);
    assert_int_equal(dppair_gaussian_epsilon(&truth, deltas[i], sqrt(5000.0) / 25), DPPAIR_OK);
    enclose(s, 1, deltas[i], truth, 1e-11, 1e-10);
    s[0] = gaussian(7, 40);
    s[1] = gaussian(3, 9);
    assert_int_equal(dppair_gaussian_epsilon(&truth, deltas[i], sqrt(40.0 / 49 + 1.0)), DPPAIR_OK);
    enclose(s, 2, deltas[i], truth, 1e-9, 1e-8);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_answers),
      cmocka_unit_test(gaussian_closed_form),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
