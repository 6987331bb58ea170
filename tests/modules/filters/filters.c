/* SPDX-License-Identifier: MIT */
/* Filters: they stop at the budget and not before; runs with and without a record, which see the same outputs. */
#include "accountant_common.h"

#include "dppair_filters.h"

static void a_filter_stops_at_the_budget_and_not_before(void **state) {
  dppair_filter f;
  double e;
  int ran = 0;
  (void)state;
  assert_ok(dppair_filter_init(&f, 1, 1e-5, 0));
  while (dppair_filter_step(&f, 0.01 * 0.01) == DPPAIR_OK) ran++;
  assert_ok(dppair_gaussian_epsilon(&e, 1e-5, 0.01 * sqrt((double)ran)));
  assert_at_most(e, 1.0);
  assert_ok(dppair_gaussian_epsilon(&e, 1e-5, 0.01 * sqrt((double)ran + 1.0)));
  assert_true(e > 1.0);
  assert_int_equal(dppair_filter_step(&f, TEST_NAN), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_filter_step(&f, -1), DPPAIR_ERR_DOMAIN);
  assert_ok(dppair_filter_init(&f, 1, 1e-5, 20));
  assert_at_most(f.budget + log1p(-1.0 / 20) - log(20 * 1e-5) / 19, 1.0);
  assert_int_equal(dppair_filter_init(&f, 0.01, 1e-5, 2), DPPAIR_ERR_EXHAUSTED);
  assert_int_equal(dppair_filter_init(&f, 1, 1e-5, 1), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_filter_init(&f, 1, 0, 0), DPPAIR_ERR_DELTA);
  assert_int_equal(dppair_filter_step(&f, 1e-9), DPPAIR_ERR_EXHAUSTED); /* failed init: no budget */
}

/*
 * The individual filter: two runs that see the same outputs, with and without record 0. The means
 * may differ by at most what record 0 was charged for, and in total by its budget, whoever else
 * drops out.
 */
static void a_record_is_dropped_before_it_overspends_its_own_budget(void **state) {
  enum { N = 12, STEPS = 60 };
  int round;
  (void)state;
  for (round = 0; round < 20; round++) {
    double x[N], y[N], spent[2][N], w = 0.0, budget = 0.4, sigma = 0.08, total = 0.0;
    unsigned char active[2][N];
    int i, j, t, run, dropped = 0;
    for (i = 0; i < N; i++) {
      x[i] = (2.0 * uniform() - 1.0) * (i % 3 ? 1.0 : 0.2);
      y[i] = uniform() < 0.5 ? 1.0 : -1.0;
    }
    memset(spent, 0, sizeof spent);
    memset(active, 1, sizeof active);
    active[1][0] = 0; /* zeroed */
    for (t = 0; t < STEPS; t++) {
      double g[N], mean[2], before, charged;
      for (i = 0; i < N; i++)
        g[i] = 0.5 * (fabs(x[i]) + 1.0) / (1.0 + exp(fabs(w) - y[i] * w * x[i])) * (1.0 + 1e-14);
      before = spent[0][0];
      for (run = 0; run < 2; run++)
        assert_ok(dppair_individual_step(spent[run], active[run], g, N, sigma, budget));
      charged = spent[0][0] - before;
      for (i = 1; i < N; i++) assert_int_equal(active[0][i], active[1][i]);
      for (run = 0; run < 2; run++) {
        mean[run] = 0.0;
        for (i = 0; i < N; i++)
          for (j = 0; j < N; j++)
            if (i != j && active[run][i] && active[run][j] && y[i] > y[j])
              mean[run] -= (x[i] - x[j]) / (1.0 + exp(w * (x[i] - x[j])));
        mean[run] /= N * (N - 1);
      }
      {
        const double move = fabs(mean[0] - mean[1]) / sigma;
        assert_at_most(0.5 * move * move, charged * (1.0 + 1e-12) + 1e-15);
        total += move * move;
      }
      w += 0.5 * (2.0 * uniform() - 1.0); /* any released sequence */
    }
    assert_at_most(total, 2.0 * budget);
    for (i = 0; i < N; i++) dropped += !active[0][i];
    assert_true(round > 0 || dropped > 0); /* the budget binds, or nothing was tested */
  }
  {
    double b[3], s[2] = {0, 0}, g[2] = {TEST_NAN, 1};
    unsigned char on[2] = {1, 1};
    assert_ok(dppair_individual_budget(&b[0], 1, 1e-5, DPPAIR_ZERO_OUT, 0));
    assert_ok(dppair_individual_budget(&b[1], 1, 1e-5, DPPAIR_REPLACE_ONE, 0));
    assert_ok(dppair_individual_budget(&b[2], 1, 1e-5, DPPAIR_REPLACE_ONE, 1));
    assert_close(b[0], 0.26805112321 * 0.26805112321 / 2, 1e-9);
    assert_close(b[0], 4 * b[1], 1e-14);
    assert_close(b[0], 2 * b[2], 1e-14);
    assert_int_equal(dppair_individual_budget(&b[0], 1, 1e-5, (dppair_adjacency)0, 0),
                     DPPAIR_ERR_ADJACENCY);
    assert_ok(dppair_individual_step(s, on, g, 2, 1, 1));
    assert_true(!on[0] && on[1]);
    assert_int_equal(dppair_individual_step(s, on, g, (size_t)-1, 0, 1), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_individual_step(s, on, g, 2, 0, 1), DPPAIR_ERR_SIGMA);
    assert_true(!on[1]);
  }
}
/* --- the individual filter -------------------------------------------------------------------- */

/* The shift of record 0 in a step, which is a function of the result before: what it asks for,
 * while its budget lasts. */
static double filtered(double *spent, unsigned char *active, double asked, double budget) {
  const double norm[2] = {fabs(asked), 0.25};
  assert_int_equal(dppair_individual_sum_step(spent, active, norm, 2, 1.0, budget), DPPAIR_OK);
  return active[0] ? asked : 0.0;
}

/* Two steps, of which the second one is chosen after the first result, so that it often asks for
 * more than is left: the transcript is no easier to tell apart than the claim says. */
static void a_filtered_record_keeps_its_budget(void **state) {
  const double h = 0.025, budget = 0.5, epsilons[2] = {0.3, 1.5};
  double closest = 0;
  (void)state;
  for (int round = 0; round < (BRIEF ? 6 : 16); round++) {
    const int replace = round % 2;
    const double a = 0.95 * uniform(), turn = replace ? -1 : 0, wave = between(0.2, 3);
    double delta[2] = {0, 0};
    for (double x = -9; x < 9; x += h) {
      double spent[2][2] = {{0, 0}, {0, 0}}, first[2], second[2];
      unsigned char active[2][2] = {{1, 1}, {1, 1}};
      const double rest = sqrt(1 - a * a), more = x * wave > 4 ? 1.2 : 1;
      for (int side = 0; side < 2; side++) {
        const double sign = side ? turn : 1; /* side 1 is zeroed, or turned around */
        first[side] = filtered(spent[side], active[side], sign * a, budget);
        second[side] = filtered(spent[side], active[side],
                                sign * rest * more * (cos(wave * x) < 0 ? -1 : 0.999), budget);
      }
      for (double y = -9; y < 9; y += h) {
        const double p = exp(-0.5 * (pow(x - first[0], 2) + pow(y - second[0], 2)));
        const double q = exp(-0.5 * (pow(x - first[1], 2) + pow(y - second[1], 2)));
        for (int k = 0; k < 2; k++)
          delta[k] += fmax(0, p - exp(epsilons[k]) * q) * h * h / 6.283185307179586;
      }
    }
    for (int k = 0; k < 2; k++) {
      double claimed;
      assert_int_equal(
          dppair_gaussian_delta(&claimed, epsilons[k], (replace ? 2 : 1) * sqrt(2 * budget)),
          DPPAIR_OK);
      assert_true(delta[k] <= claimed + 3e-6);
      closest = fmax(closest, delta[k] / claimed);
    }
  }
  assert_true(closest > 0.97);
}

static void the_filter_charges_what_a_record_adds(void **state) {
  double spent[3] = {0, 0, 0}, budget;
  unsigned char active[3] = {1, 1, 1};
  const double norm[3] = {1, 2, TEST_NAN}, ones[3] = {1, 1, 1};
  (void)state;
  assert_int_equal(dppair_individual_budget(&budget, 1, 1e-5, DPPAIR_ZERO_OUT, 0), DPPAIR_OK);
  assert_int_equal(dppair_individual_sum_step(spent, active, norm, 3, 10, budget), DPPAIR_OK);
  assert_true(fabs(spent[0] - 0.005) < 1e-15 && fabs(spent[1] - 0.02) < 1e-15);
  assert_true(active[0] && active[1] && !active[2]);
  for (int t = 0; t < 1000; t++) /* histograms with noise of scale 10 cost everybody the same */
    assert_int_equal(dppair_individual_sum_step(spent, active, ones, 3, 10, budget), DPPAIR_OK);
  assert_true(!active[0] && !active[1] && spent[0] <= budget && spent[0] > budget - 0.005);
  assert_int_equal(dppair_individual_sum_step(spent, NULL, ones, 3, 10, budget), DPPAIR_ERR_NULL);
  memset(active, 1, sizeof active);
  assert_int_equal(dppair_individual_sum_step(spent, active, ones, 3, 0, budget), DPPAIR_ERR_SIGMA);
  assert_true(!active[0] && !active[1] && !active[2]);
  memset(active, 1, sizeof active);
  memset(spent, 0, sizeof spent); /* n sigma is no number: nothing is free */
  assert_int_equal(dppair_individual_step(spent, active, ones, 3, 1e308, 0.1), DPPAIR_ERR_SIGMA);
  assert_true(!active[0] && !active[1] && !active[2]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_filter_stops_at_the_budget_and_not_before),
      TEST(a_record_is_dropped_before_it_overspends_its_own_budget),
      TEST(a_filtered_record_keeps_its_budget),
      TEST(the_filter_charges_what_a_record_adds),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
