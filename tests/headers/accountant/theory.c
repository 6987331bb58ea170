/* SPDX-License-Identifier: MIT */
/* What docs/theory.md states: its formulas against the library's answers, and the figures that it
 * prints against the library's. */
#include "tests.h"

#include "dppair_allocation.h"
#include "dppair_losses.h"

#include "dppair_accountant.h"
#include "dppair_filters.h"
#include "dppair_iterates.h"
#include "dppair_streams.h"

#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge /* slopes within 1 */
#include "dppair.h"

#include "clips.h"
#include "questions.h"
#include "sensitivities.h"

static const dppair_adjacency replaced = DPPAIR_REPLACE_ONE, zeroed = DPPAIR_ZERO_OUT;
static void *work;
static size_t bytes;

static int get_memory(void **state) {
  (void)state;
  if (dppair_composer_workspace(&bytes, NULL) != DPPAIR_OK) return 1;
  work = malloc(bytes);
  return work == NULL;
}

static int free_memory(void **state) {
  (void)state;
  free(work);
  return 0;
}

static void near_to(double is, double expected, double within) {
  if (!(fabs(is - expected) <= within * fabs(expected)))
    fail_msg("%.12g is not %.12g within %g of it", is, expected, within);
}

/* The page holds this text, wherever its lines end. */
static void printed(const char *format, ...) {
  static char page[1 << 16];
  char text[200];
  FILE *file = fopen("docs/theory.md", "r");
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  assert_non_null(file);
  page[fread(page, 1, sizeof page - 1, file)] = 0;
  fclose(file);
  for (char *c = page; *c; c++)
    if (*c == '\n') *c = ' ';
  if (strstr(page, text) == NULL) fail_msg("docs/theory.md does not say %s", text);
}

/* Epsilon at delta = 1e-5 of so many steps with this sampling, noise z. */
static double epsilon_of(dppair_sampling sampling, double z, size_t steps) {
  dppair_accountant a;
  dppair_interval epsilon;
  assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
  assert_int_equal(dppair_accountant_sampled_gaussian(&a, sampling, 1.0, z, steps), DPPAIR_OK);
  assert_int_equal(certify(&epsilon, &a, 1e-5, work, bytes), DPPAIR_OK);
  return epsilon.upper;
}

static double above(double t) { return 0.5 * erfc(t * 0.70710678118654752440); }

static double curve(double epsilon, double mu) {
  return above(epsilon / mu - 0.5 * mu) - exp(epsilon) * above(epsilon / mu + 0.5 * mu);
}

/* Rows within R = 2, slopes within 1: the section on gradients. */
static void moves_are_those_of_the_table(void **state) {
  const dppair_bounds bounds = {2.0, HUGE_VAL, 0.0, 0.0, 0.0};
  const struct {
    dppair_sampling sampling;
    double clip, move;
  } row[] = {{dppair_sampling_all(100, replaced), 0.0, 2 * 2.0 / 100},
             {dppair_sampling_all(100, zeroed), 0.0, 2 * 2.0 / 100},
             {dppair_sampling_all(100, replaced), 1.0, 2 * 1.0 / 100},
             {dppair_sampling_all(100, replaced), 3.0, 2 * 2.0 / 100},
             {dppair_sampling_all(100, zeroed), 1.0, 1.0 / 100},
             {dppair_sampling_without_replacement(100, 20, replaced), 0.0, 2 * 2.0 / 20},
             {dppair_sampling_matching(100, 20, replaced), 0.0, 2 * 4.0 / 20},
             {dppair_sampling_poisson(100, 20, zeroed), 0.0, 2 * 2.0 / 20},
             {dppair_sampling_poisson(100, 20, replaced), 0.0, 2 * 2.0 / 20}};
  dppair_options options;
  double s;
  (void)state;
  memset(&options, 0, sizeof options);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    options.clip = clip_of(dppair_clip_init, row[i].clip);
    assert_int_equal(rank_sensitivity(&s, 3, &bounds, &row[i].sampling, &options), DPPAIR_OK);
    near_to(s, row[i].move, 1e-9);
  }
  assert_int_equal(sensitivity_mean(&s, 3.0, 10, replaced), DPPAIR_OK);
  near_to(s, 4 * 3.0 / 10, 1e-12);
  assert_int_equal(sensitivity_mean(&s, 3.0, 10, zeroed), DPPAIR_OK);
  near_to(s, 2 * 3.0 / 10, 1e-12);
}

/* c p (2b-1-p)/(b (b-1)), over integers p <= b: never above c, which p = b and p = b - 1 reach. */
static void a_poisson_batch_moves_by_one_pair_at_most(void **state) {
  (void)state;
  for (double b = 2; b <= 300; b++)
    for (double p = 0; p <= b; p++) {
      const double share = p * (2 * b - 1 - p) / (b * (b - 1));
      assert_true(share <= 1 + 1e-15);
      if (p >= b - 1) near_to(share, 1.0, 1e-15);
    }
}

static void curves_are_the_formulas(void **state) {
  const double q = 0.1, z = 1.0;
  double mu, e;
  (void)state;
  assert_int_equal(dppair_gaussian_mu(&mu, 1.0, 1e-5), DPPAIR_OK);
  near_to(curve(1.0, mu), 1e-5, 1e-9);
  printed("for epsilon = 1 and delta = 1e-5 it is %.6f", mu);
  e = epsilon_of(dppair_sampling_without_replacement(1000, 100, replaced), z, 1);
  near_to(q * curve(log1p(expm1(e) / q), 1 / z), 1e-5, 1e-9);
  e = epsilon_of(dppair_sampling_poisson(1000, 100, zeroed), z, 1);
  mu = z * log((expm1(e) + q) / q) + 0.5 / z; /* from here on the mixture is above e^e N(0, 1) */
  near_to((1 - q) * above(mu) + q * above(mu - 1 / z) - exp(e) * above(mu), 1e-5, 1e-8);
  printed("cost epsilon %.5f and %.4f",
          epsilon_of(dppair_sampling_poisson(10000, 100, zeroed), 1.0, 10000),
          epsilon_of(dppair_sampling_poisson(10000, 100, replaced), 1.0, 10000));
}

/* The trapezoid sum over a plain Gaussian step: its moment function is exp(z (z + 1)/2). */
static void the_trapezoid_rule_is_delta_and_its_aliases(void **state) {
  const double pi = 3.14159265358979323846, epsilon = 1.0, c = 1.0, eta = 0.5;
  double sum = 0.0, aliases = 0.0;
  (void)state;
  for (int k = -400; k <= 400; k++) { /* p + iq = z (z + 1) */
    const double y = eta * k, p = c * (c + 1) - y * y, q = (2 * c + 1) * y,
                 angle = q / 2 - y * epsilon;
    sum += exp(p / 2 - c * epsilon) * (p * cos(angle) + q * sin(angle)) / (p * p + q * q);
  }
  sum *= eta / (2 * pi);
  for (int m = -40; m <= 4; m++) /* below -30 delta is 1 to all digits */
    aliases += exp(2 * pi * m * c / eta) * (m < -2 ? 1.0 : curve(epsilon + 2 * pi * m / eta, 1.0));
  near_to(sum, aliases, 1e-11);
  assert_true(sum - curve(epsilon, 1.0) < 1 / expm1(2 * pi * c / eta) * 1.0001);
  printed("S = %.7f, delta = %.7f, S - delta = 3.49e-6", sum, curve(epsilon, 1.0));
  near_to(sum - curve(epsilon, 1.0), 3.49e-6, 1e-3);
}

static void runs_of_descent_cost_what_is_said(void **state) {
  const double c = 0.9, cT = pow(c, 200); /* 1 - 2.0 * 0.05 */
  double mu, least = HUGE_VAL, budget;
  (void)state;
  assert_int_equal(dppair_gaussian_mu_last_iterate(&mu, 0.02, 1.0, 0.3, 0.05, 2.0, 200, HUGE_VAL),
                   DPPAIR_OK);
  near_to(mu, 0.02 * sqrt((1 - cT) / (1 + cT) * (1 + c) / (1 - c)), 1e-12);
  for (int k = 1; k <= 10000; k++) least = fmin(least, (1.0 + 2.0 * 0.02 * k) / sqrt(k) / 2.0);
  assert_int_equal(dppair_gaussian_mu_last_iterate(&mu, 0.02, 1.0, 0.3, 0.0, 2.0, 10000, 1.0),
                   DPPAIR_OK);
  near_to(mu, least, 1e-12);
  assert_int_equal(dppair_individual_budget(&budget, 1.0, 1e-5, zeroed, 0), DPPAIR_OK);
  near_to(curve(1.0, sqrt(2 * budget)), 1e-5, 1e-9);
  assert_int_equal(dppair_individual_budget(&budget, 1.0, 1e-5, replaced, 0), DPPAIR_OK);
  near_to(curve(1.0, 2 * sqrt(2 * budget)), 1e-5, 1e-9);
  assert_int_equal(dppair_individual_budget(&budget, 1.0, 1e-5, replaced, 1), DPPAIR_OK);
  near_to(curve(1.0, 2 * sqrt(budget)), 1e-5, 1e-9);
}

/* The noise of the last of 8192 sums, by the sensitivity and the rows of B. */
static void prefix_sums_have_the_noise_that_is_said(void **state) {
  const dppair_pair_unit unit = {DPPAIR_LEVELS_TWO, 1.0, 0.0, 0.0, 0, 0};
  dppair_stream stream = {8192, 64, 64, DPPAIR_PREFIX_INDEPENDENT, DPPAIR_REPLACE_ONE, NULL};
  double alone, together, factor = 1.0, squares = 0.0;
  (void)state;
  assert_int_equal(dppair_sensitivity_prefix(&alone, &unit, &stream, work, bytes), DPPAIR_OK);
  near_to(alone, sqrt(1 + 1.0 / 64), 1e-8);
  stream.noise = DPPAIR_PREFIX_SQUARE_ROOT;
  assert_int_equal(dppair_sensitivity_prefix(&together, &unit, &stream, work, bytes), DPPAIR_OK);
  for (int k = 1; k <= 8192 - 64; k++) {
    squares += factor * factor;
    factor *= (2.0 * k - 1.0) / (2.0 * k);
  }
  printed("%.1f c/mu with the first and %.2f c/mu with the second", alone * sqrt(8192.0 - 64.0),
          together * sqrt(squares));
}

static void allocation_is_what_is_said(void **state) {
  double e = epsilon_of(dppair_sampling_allocation(1000, 1, 1, zeroed), 2.0, 1);
  (void)state;
  near_to(curve(e, 0.5), 1e-5, 1e-9);
  e = epsilon_of(dppair_sampling_allocation(1000, 2, 1, replaced), 2.0, 2);
  near_to(curve(e, sqrt(2.0) / 2.0), 1e-5, 1e-9);
  near_to(epsilon_of(dppair_sampling_allocation(1000, 4, 1, zeroed), 2.04, 4), 1.0, 2e-3);
  near_to(epsilon_of(dppair_sampling_poisson(1000, 250, zeroed), 2.47, 4), 1.0, 4e-3);
  printed("z = 2.04, where Poisson samples need 2.47");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(moves_are_those_of_the_table),      TEST(a_poisson_batch_moves_by_one_pair_at_most),
      TEST(curves_are_the_formulas),           TEST(the_trapezoid_rule_is_delta_and_its_aliases),
      TEST(runs_of_descent_cost_what_is_said), TEST(prefix_sums_have_the_noise_that_is_said),
      TEST(allocation_is_what_is_said),
  };
  return RUN_TESTS(tests, get_memory, free_memory);
}
