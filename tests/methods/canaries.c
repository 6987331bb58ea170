/* SPDX-License-Identifier: MIT */
/* The statistics of the audit by canaries: against known values and enumeration, and what they say
 * of mechanisms whose epsilon is known. */
#include "tests.h"

#include "../audit/canaries_statistics.h"

static void near(double got, double wanted, double relative) {
  assert_true(fabs(got - wanted) <= relative * fabs(wanted));
}

static void tails_of_a_binomial_law_are_the_sums_of_its_terms(void **state) {
  static const double chance[] = {1e-7, 0.01, 0.3, 0.5, 0.77, 0.999};
  int n, k, j, c;
  (void)state;
  for (c = 0; c < 6; c++)
    for (n = 1; n <= 40; n++) {
      const double p = chance[c], q = 1 - p;
      double tail = 0, choose = 1, power = pow(p, n);
      for (k = n; k >= 0; k--) { /* choose = n over k, power = p^k */
        double at = choose * power;
        for (j = 0; j < n - k; j++) at *= q;
        tail += at;
        near(binomial_at(k, n, p, q), at, 1e-12);
        near(binomial_tail(k, n, p, q), tail, 1e-11);
        choose *= (double)k / (double)(n - k + 1);
        power /= p;
      }
    }
  near(binomial_tail(600, 1000, 0.5, 0.5), 1.3642320780330236e-10, 1e-9);
}

static void clopper_pearson_is_known_at_the_ends_and_in_tables(void **state) {
  const double n = 37, alpha = 5e-5;
  (void)state;
  assert_true(clopper_pearson_low(0, n, alpha) <= 0);
  assert_true(clopper_pearson_high(n, n, alpha) >= 1);
  near(clopper_pearson_high(0, n, alpha), 1 - pow(alpha, 1 / n), 1e-8);
  near(clopper_pearson_low(n, n, alpha), pow(alpha, 1 / n), 1e-8);
  near(clopper_pearson_low(5, 10, 0.025), 0.18708602844739861, 1e-8);
  near(clopper_pearson_high(5, 10, 0.025), 0.81291397155260139, 1e-8);
  near(clopper_pearson_low(1, 100, 0.025), 0.00025314603297755, 1e-6);
  near(clopper_pearson_high(1, 100, 0.025), 0.05445938539208, 1e-6);
}

/* The probability that a bound is wrong, summed over all outcomes: never above what is promised,
 * and for some p within a factor of 4 of it. */
static void clopper_pearson_is_wrong_as_rarely_as_it_says(void **state) {
  const double n = 60, alpha = 1e-3;
  double low[61], high[61], worst = 0, p;
  int k;
  (void)state;
  for (k = 0; k <= 60; k++) {
    low[k] = clopper_pearson_low(k, n, alpha);
    high[k] = clopper_pearson_high(k, n, alpha);
  }
  for (p = 0.0025; p < 1; p += 0.0025) {
    double above = 0, below = 0;
    for (k = 0; k <= 60; k++) {
      if (low[k] > p) above += binomial_at(k, n, p, 1 - p);
      if (high[k] < p) below += binomial_at(k, n, p, 1 - p);
    }
    assert_true(above <= alpha && below <= alpha);
    worst = fmax(worst, fmax(above, below));
  }
  assert_true(worst > alpha / 4);
}

static void quantiles_of_normal_and_chi_square_laws(void **state) {
  (void)state;
  near(normal_quantile(0.025), 1.9599639845400545, 1e-8);
  near(normal_quantile(5e-5), 3.8905918864131207, 1e-8);
  near(chi_square_low(2, 0.01), -2 * log(0.99), 1e-7);
  near(chi_square_below(3, 4), 1 - exp(-1.5) * 2.5, 1e-12);
  near(chi_square_low(100, 0.025), 74.221927474, 1e-7);
  near(chi_square_low(1e6, 1e-4), 994749.07, 1e-7); /* Wilson and Hilferty 1931 */
}

static void the_curve_of_a_gaussian_mechanism(void **state) {
  (void)state;
  near(gaussian_epsilon(1e-5, 0.26805), 1, 1e-4);
  near(gaussian_epsilon(1e-5, 0.92493), 4, 1e-4);
  near(gaussian_epsilon(1e-5, 1), 4.377178, 1e-5);
  near(gaussian_delta(0, 1), 0.38292492254802624, 1e-12);
  assert_true(gaussian_epsilon(0.4, 1) <= 0 && gaussian_epsilon(0.1, 0) <= 0);
}

/* A pure mechanism of epsilon = 1, one answer of a coin: truth with probability e/(1 + e). Over all
 * outcomes of 40 runs on each side, how often more than 1 is shown; and what is shown of many. */
static void events_show_no_more_than_is_true_of_an_answer_at_random(void **state) {
  const double p = exp(1) / (1 + exp(1)), q = 1 / (1 + exp(1)), alpha = 0.05;
  double wrong = 0;
  int a, b;
  (void)state;
  for (a = 0; a <= 40; a++)
    for (b = 0; b <= 40; b++)
      if (events_epsilon(a, b, 40, 0, alpha) > 1)
        wrong += binomial_at(a, 40, p, q) * binomial_at(b, 40, q, p);
  assert_true(wrong > 0 && wrong <= alpha);
  near(events_epsilon(1e6 * p, 1e6 * q, 1e6, 0, 1e-4), 1, 0.01);
  assert_true(events_epsilon(1e6 * p, 1e6 * q, 1e6, 0, 1e-4) < 1);
  assert_true(events_epsilon(9, 9, 10, 0, 1e-4) <= 0);
}

static void mu_of_a_gaussian_is_bounded_from_below_and_closely(void **state) {
  int round, k, over = 0;
  double best = 0;
  (void)state;
  for (round = 0; round < (BRIEF ? 50 : 400); round++) {
    moments value = {0, 0, 0}, change = {0, 0, 0};
    double mu;
    for (k = 0; k < 200; k++) {
      const double z = 3 * normal(), left = 0.3 * normal();
      moments_add(&value, z);
      moments_add(&change, 6 + left); /* the shift is 6, and 3 its deviation: mu = 2 */
    }
    mu = shift_over_sigma_low(&value, &change, 0.3);
    over += mu > 2;
    best = fmax(best, mu);
  }
  assert_true(over <= (BRIEF ? 50 : 400) * 0.3 && best > 1.95);
}

/* N(mu/2, 1) against N(-mu/2, 1): ln(p/q) = mu x. */
static void ratios_of_known_densities_show_epsilon_closely_and_rarely_more(void **state) {
  enum { RUNS = 4000 };
  static double ratio[RUNS];
  const double mu = 1.5, delta = 0.05, whole = gaussian_epsilon(delta, mu);
  double best = 0;
  int round, over = 0, rounds = BRIEF ? 20 : 100;
  size_t k;
  (void)state;
  for (round = 0; round < rounds; round++) {
    double shown;
    for (k = 0; k < RUNS; k++) ratio[k] = mu * (mu / 2 + normal());
    shown = ratios_epsilon(ratio, RUNS, delta, 0.1);
    over += shown > whole;
    best = fmax(best, shown);
  }
  assert_true(over <= rounds * 0.2 && best > 0.95 * whole);
  for (k = 0; k < RUNS; k++) ratio[k] = 0;
  assert_true(ratios_epsilon(ratio, RUNS, delta, 0.1) <= 0);
  assert_true(ratios_epsilon(ratio, 10, delta, 1e-30) <= 0);
}

/* Randomised response attains the bound of one run at delta = 0: as many of m answers are right as
 * the binomial law says. Where each coin is shown with probability delta besides, the answers are
 * (epsilon, delta)-private, and the bound holds with something to spare. */
static void one_run_is_right_about_randomised_response(void **state) {
  static const double deltas[] = {0, 1e-3, 0.05};
  int m, v, j;
  (void)state;
  for (j = 0; j < 3; j++)
    for (m = 1; m <= 30; m++)
      for (v = 0; v <= m; v++) {
        const double e = 0.8, share = 1 / (1 + exp(-e)), delta = deltas[j];
        const double right = delta + (1 - delta) * share;
        const double bound = one_run_chance(m, m, v, e, delta);
        const double chance = binomial_tail(v, m, right, 1 - right);
        assert_true(chance <= bound * (1 + 1e-12));
        if (j == 0) near(bound, chance, 1e-11);
      }
}

/* The second term of the bound, from the terms of the binomial law. */
static void one_run_bound_is_its_formula(void **state) {
  const double m = 50, r = 20, v = 17, e = 0.5, delta = 1e-3;
  const double p = 1 / (1 + exp(-e));
  double worst = 0;
  int i, k;
  (void)state;
  for (i = 1; i <= 17; i++) {
    double sum = 0;
    for (k = 17 - i; k < 17; k++) sum += binomial_at(k, r, p, 1 - p);
    worst = fmax(worst, sum / i);
  }
  near(one_run_chance(m, r, v, e, delta), binomial_tail(v, r, p, 1 - p) + 2 * m * delta * worst,
       1e-11);
  /* 20 of 20: refuted up to where p^20 = alpha */
  near(one_run_epsilon(20, 20, 20, 0, 1e-4), -log(pow(1e-4, -1 / 20.0) - 1), 1e-6);
  assert_true(one_run_epsilon(20, 20, 12, 0, 1e-4) <= 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(tails_of_a_binomial_law_are_the_sums_of_its_terms),
      TEST(clopper_pearson_is_known_at_the_ends_and_in_tables),
      TEST(clopper_pearson_is_wrong_as_rarely_as_it_says),
      TEST(quantiles_of_normal_and_chi_square_laws),
      TEST(the_curve_of_a_gaussian_mechanism),
      TEST(events_show_no_more_than_is_true_of_an_answer_at_random),
      TEST(mu_of_a_gaussian_is_bounded_from_below_and_closely),
      TEST(ratios_of_known_densities_show_epsilon_closely_and_rarely_more),
      TEST(one_run_is_right_about_randomised_response),
      TEST(one_run_bound_is_its_formula),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
