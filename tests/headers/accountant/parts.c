/* SPDX-License-Identifier: MIT */
/*
 * Single functions of the accountant at inputs where one line of them decides, which whole answers
 * come by seldom: terms that leave the doubles, ends of ranges, what is told where nothing is
 * known.
 */
#include <float.h>
#ifndef RANDOM_SEED
#define RANDOM_SEED 23
#endif
#include "tests.h"

#include "dppair_accountant.h"
#include "dppair_attack.h"
#include "questions.h"

typedef long double real;

/* --- Renyi --- */

/* log((1 + u)^b - 1 - b u), b > 1 or b < 0. */
static real log_excess(real b, real u, real l) {
  const real y = b * l;
  return y > 200.0L ? y + log1pl(-(1.0L + b * u) * expl(-y)) : logl(expm1l(y) - b * u);
}

/* As sums over places use it: weights at most 1, and powers that grow. */
static void powers_that_leave_the_doubles_are_added_in_scale(void **state) {
  int i, scaled = 0;
  (void)state;
  for (i = 0; i < 4000; i++) {
    dppair_scaled_sum_ s = {0.0, 0.0};
    real truth = 0.0L, top = -HUGE_VALL, level[3];
    int k;
    for (k = 0; k < 3; k++) {
      const double l = i % 4 == 0 ? -0.1 - 6.0 * uniform() : exp(9.0 * uniform() - 2.5);
      const double u = expm1(l),
                   b = i % 4 == 0 ? -400.0 * uniform() - 0.01 : 1.0 + exp(8.0 * uniform() - 4.0);
      const double weight = 1.0 + uniform(), log_weight = -300.0 * uniform();
      level[k] = -HUGE_VALL;
      if (l > 690.0) continue;
      level[k] = log_excess((real)b, (real)u, (real)l) + (real)log_weight + logl((real)weight);
      if (level[k] > top) top = level[k];
      (void)dppair_add_power_(&s, weight, log_weight, b, u, l);
    }
    if (!(top > -DBL_MAX)) continue;
    for (k = 0; k < 3; k++) truth += expl(level[k] - top);
    truth = top + logl(truth);
    scaled += s.scale > 0.0;
    assert_true(s.sum > 0.0);
    assert_true(fabsl(logl((real)s.sum) + (real)s.scale - truth) <= 1e-11L + 1e-15L * fabsl(truth));
  }
  assert_true(scaled > 500);
}

/* --- steps --- */

static void runs_of_allocated_records_are_whole_epochs(void **state) {
  dppair_step step;
  size_t steps, batches, group;
  (void)state;
  memset(&step, 0, sizeof step);
  step.sampling.kind = DPPAIR_ALLOCATION;
  for (batches = 1; batches < 7; batches++)
    for (group = 1; group < 4; group++)
      for (steps = 0; steps < 20; steps++) {
        size_t epochs = 0;
        while (epochs * batches < steps) epochs++;
        step.sampling.batches = batches;
        step.sampling.group = group;
        step.steps = steps;
        assert_int_equal(dppair_step_runs_(&step), epochs * group);
      }
  step.sampling.batches = 2;
  step.sampling.group = 3;
  step.steps = SIZE_MAX;
  assert_true(dppair_step_runs_(&step) == SIZE_MAX);
  step.sampling.batches = 0;
  step.steps = 5;
  assert_int_equal(dppair_step_runs_(&step), 5);
  step.sampling.kind = DPPAIR_POISSON;
  step.sampling.batches = 2;
  assert_int_equal(dppair_step_runs_(&step), 5);
}

/* --- compositions --- */

static void below_the_surplus_a_chord_answers_and_nothing_is_known_from_below(void **state) {
  dppair_step step;
  dppair_question_ q;
  dppair_interval less, more;
  double surplus;
  size_t bytes;
  (void)state;
  memset(&step, 0, sizeof step);
  step.kind = DPPAIR_OBJECTIVE;
  step.noise_multiplier = 2.0;
  step.ridge = 3.0;
  step.steps = 2;
  surplus = dppair_steps_surplus_(&step, 1);
  assert_true(fabs(surplus - 2.0 * log1p(1.0 / 3.0)) < 1e-12 && surplus >= 2.0 * log1p(1.0 / 3.0));
  memset(&q, 0, sizeof q);
  q.steps = &step;
  q.count = 1;
  q.for_delta = 1;
  assert_int_equal(compose_workspace(&bytes, 1), DPPAIR_OK);
  q.doubles = bytes / sizeof(double);
  q.work = (double *)malloc(bytes);
  assert_non_null(q.work);
  q.given = 0.5 * surplus;
  assert_int_equal(dppair_compose_laws_(&less, &q, DPPAIR_ROUTE_LATTICE), DPPAIR_OK);
  q.given = surplus * (1.0 + 1e-12);
  assert_int_equal(dppair_compose_laws_(&more, &q, DPPAIR_ROUTE_LATTICE), DPPAIR_OK);
  assert_true(less.lower == 0.0 && less.estimate == less.upper);
  assert_true(more.lower > 0.0 && more.lower <= more.upper && less.upper > more.upper);
  /* 1 - delta falls by e^-s at most over s below: the chord to (-infinity, 1) */
  assert_true(1.0 - less.upper <= (1.0 - more.lower) * exp(-0.5 * surplus) * (1.0 + 1e-6));
  free(q.work);
}

/* What a function finds on the stack that it does not set is no zero. */
static void dirty_stack(void) {
  volatile unsigned char area[1 << 16];
  size_t i;
  for (i = 0; i < sizeof area; i++) area[i] = 0x47;
}

static void one_run_without_branches_is_its_closed_form_on_any_stack(void **state) {
  static const double epsilon[] = {0.0, 0.4, 0.9};
  size_t i;
  int k;
  (void)state;
  for (k = 0; k < 3; k++)
    for (i = 0; i < 3; i++) {
      dppair_step step;
      dppair_question_ q;
      double upper, lower, paid, truth;
      memset(&step, 0, sizeof step);
      memset(&q, 0, sizeof q);
      step.kind = k == 0 ? DPPAIR_LAPLACE : k == 1 ? DPPAIR_RANDOMISED_RESPONSE : DPPAIR_GAUSSIAN;
      step.noise_multiplier = 1.0;
      step.steps = 1;
      q.steps = &step;
      q.count = 1;
      q.for_delta = 1;
      q.given = epsilon[i];
      truth =
          k == 0 ? -expm1(0.5 * (epsilon[i] - 1.0)) : -expm1(epsilon[i] - 1.0) / (1.0 + exp(-1.0));
      if (k == 2) assert_int_equal(dppair_gaussian_delta(&truth, epsilon[i], 1.0), DPPAIR_OK);
      dirty_stack();
      assert_int_equal(dppair_single_(&upper, &lower, &paid, &step, &q, 1e-20), DPPAIR_OK);
      assert_true(fabs(upper - truth) <= 1e-11 * truth && fabs(lower - truth) <= 1e-11 * truth);
      assert_true(lower <= upper && paid == 0.0);
      q.for_delta = 0;
      q.given = truth;
      dirty_stack();
      assert_int_equal(dppair_single_(&upper, &lower, &paid, &step, &q, 1e-20), DPPAIR_OK);
      assert_true(fabs(upper - epsilon[i]) <= 1e-10 && fabs(lower - epsilon[i]) <= 1e-10);
    }
}

/* --- the Gaussian curve --- */

static void means_beyond_the_range_are_refused(void **state) {
  double epsilon = 7.0;
  (void)state;
  assert_int_equal(dppair_gaussian_epsilon(NULL, 1e-5, 1.0), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_gaussian_epsilon(&epsilon, 1e-5, 1e70), DPPAIR_OK);
  assert_true(epsilon > 0.5e140);
  assert_int_equal(dppair_gaussian_epsilon(&epsilon, 1e-5, 1.001e70), DPPAIR_ERR_DOMAIN);
  assert_true(epsilon == 0.0);
  assert_int_equal(dppair_gaussian_epsilon(&epsilon, 1e-5, -1e-300), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_gaussian_epsilon(&epsilon, 1e-5, 0.0), DPPAIR_OK);
  assert_true(epsilon == 0.0);
}

/* --- attacks --- */

static void points_of_a_curve_are_kept_in_order_from_the_first_on(void **state) {
  static const double epsilon[] = {0.5, 0.1, 2.0, 0.0, 1.0, 0.1};
  static const double sorted[] = {0.0, 0.1, 0.1, 0.5, 1.0, 2.0};
  static dppair_attack_ k; /* as large as it is, not on the stack */
  dppair_accountant a;
  size_t i;
  (void)state;
  assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
  assert_int_equal(dppair_accountant_gaussian(&a, 1.0, 2.0, 3), DPPAIR_OK);
  memset(&k, 0x7e, sizeof k); /* what is not counted is large: it must not be read */
  k.a = &a;
  k.composer = NULL;
  k.orders = 1;
  k.half = 0;
  k.count = 0;
  for (i = 0; i < 6; i++) assert_int_equal(dppair_attack_add_(&k, epsilon[i]), DPPAIR_OK);
  assert_int_equal(k.count, 6);
  for (i = 0; i < 6; i++) {
    double delta;
    assert_true(k.epsilon[i] == sorted[i]);
    assert_int_equal(dppair_gaussian_delta(&delta, sorted[i], sqrt(3.0) / 2.0), DPPAIR_OK);
    assert_true(fabs(k.upper[i] - delta) <= 1e-11 * delta && k.above[0][i] == k.upper[i]);
    assert_true(k.above[1][i] == k.upper[i] && k.below[0][i] <= k.upper[i]);
  }
}

static void nobody_is_right_more_often_than_always(void **state) {
  static const double prior[] = {0.5, 0.3, 1e-3, 0.999};
  dppair_accountant a;
  dppair_interval right;
  size_t i;
  (void)state;
  assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
  assert_int_equal(dppair_accountant_gaussian(&a, 1.0, 1e-3, 1), DPPAIR_OK);
  for (i = 0; i < 4; i++) {
    assert_int_equal(dppair_attack_accuracy(&right, &a, prior[i], NULL), DPPAIR_OK);
    assert_true(right.upper == 1.0 && right.estimate <= 1.0 && right.lower > 1.0 - 1e-12);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(powers_that_leave_the_doubles_are_added_in_scale),
      TEST(runs_of_allocated_records_are_whole_epochs),
      TEST(below_the_surplus_a_chord_answers_and_nothing_is_known_from_below),
      TEST(one_run_without_branches_is_its_closed_form_on_any_stack),
      TEST(means_beyond_the_range_are_refused),
      TEST(points_of_a_curve_are_kept_in_order_from_the_first_on),
      TEST(nobody_is_right_more_often_than_always),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
