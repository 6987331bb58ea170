/* SPDX-License-Identifier: MIT */
/* Integer noise: Skellam's curve against sums over its probabilities, quantised sensitivities
 * against all roundings of small vectors, wrap-around against the law's own tail. */
#include "tests.h"

#include "dppair_shares.h"
#include "dppair_accountant.h"
#include "questions.h"

enum { MOST = 40000 };

/* log Pr[X = k] of Skellam noise, k = 0 .. MOST - 1: from the ratios of Bessel functions by their
 * continued fraction, and the sum that is 1. */
static long double log_p[MOST];
static int filled;

static void fill(long double m) {
  const int from = (int)(m + 40 * sqrtl(m)) + 600;
  long double r = 0, sum = 1, p = 1;
  assert_true(from < MOST);
  for (int k = from; k > 0; k--) log_p[k] = r = 1 / (2 * k / m + r); /* I_k / I_(k-1) */
  for (int k = 1; k <= from; k++) {
    p *= log_p[k];
    sum += 2 * p;
    log_p[k] = logl(log_p[k]);
  }
  log_p[0] = -logl(sum);
  for (int k = 1; k <= from; k++) log_p[k] += log_p[k - 1];
  filled = from;
}

static long double pmf(int k) { return log_p[k < 0 ? -k : k]; }

/* E_0 (1 - q + q P_1/P_0)^a, P_1 moved by k; the other direction with a replaced by 1 - a. */
static long double moment(int k, long double q, long double a) {
  long double sum = 0;
  for (int x = k - filled; x <= filled - k; x++) {
    const long double l = pmf(x + k) - pmf(x);
    const long double mix = l > 0 ? l + logl(q + (1 - q) * expl(-l)) : log1pl(q * expm1l(l));
    sum += expl(pmf(x) + a * mix);
  }
  return sum;
}

static dppair_step step_of(dppair_mechanism_kind kind, double z, double q) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = kind;
  s.noise_multiplier = z;
  s.steps = 1;
  if (q > 0) {
    s.sampling.kind = DPPAIR_POISSON;
    s.sampling.adjacency = DPPAIR_ZERO_OUT;
    s.sampling.q = q;
  }
  return s;
}

static double curve(dppair_mechanism_kind kind, double z, double q, double a) {
  const dppair_step s = step_of(kind, z, q);
  double rdp, unpaid;
  assert_int_equal(dppair_renyi(&rdp, &unpaid, &s, a, 0), DPPAIR_OK);
  assert_true(unpaid == 0);
  return rdp;
}

/* Half of them whole. */
static double an_order(double most) {
  const double a = 1 + log_between(0.05, most - 1);
  return uniform() < 0.5 ? floor(a) + 1 : a;
}

static void sigma_is_below_the_bessel_ratio_and_close(void **state) {
  static const double known[][2] = {{1, .620}, {10, 9.475}, {100, 99.498}, {1000, 999.500}};
  double sigma, before = 0, m;
  (void)state;
  for (int k = 0; k < 4; k++) {
    assert_int_equal(dppair_skellam_sigma(&sigma, known[k][0]), DPPAIR_OK);
    assert_true(fabs(sigma * sigma - known[k][1]) < 5.1e-4);
  }
  for (m = 1e-6; m < 3e4; m *= 1.9) {
    fill((long double)m);
    const long double exact = 1 / sqrtl(2 * (pmf(0) - pmf(1)));
    assert_int_equal(dppair_skellam_sigma(&sigma, m), DPPAIR_OK);
    assert_true(sigma <= exact && sigma >= exact * (1 - 1e-9L) && sigma > before);
    before = sigma;
  }
  for (; m < 1e18; m *= 1.3) { /* kappa = 1/m + 1/(2 m^2) + .. */
    assert_int_equal(dppair_skellam_sigma(&sigma, m), DPPAIR_OK);
    assert_true(sigma * sigma < m && sigma * sigma > m * (1 - 1e-14) - 2.1 && sigma > before);
    before = sigma;
  }
}

static void variance_is_the_least_that_suffices(void **state) {
  double m, sigma;
  (void)state;
  for (double want = 0.05; want < 9e8; want *= 1.7) {
    assert_int_equal(dppair_skellam_variance(&m, want), DPPAIR_OK);
    assert_int_equal(dppair_skellam_sigma(&sigma, m), DPPAIR_OK);
    assert_true(sigma >= want);
    if (m < 1.1e-6) continue; /* the least that is tried */
    assert_int_equal(dppair_skellam_sigma(&sigma, m * (1 - 2e-9)), DPPAIR_OK);
    assert_true(sigma < want);
  }
}

static void no_curve_is_below_the_sum_over_the_law(void **state) {
  double worst = 0;
  (void)state;
  for (int i = 0; i < (BRIEF ? 60 : 400); i++) {
    const double m = log_between(0.1, 200), a = an_order(i % 3 ? 8 : 40);
    const double q = i % 2 ? log_between(1e-3, 0.9) : 1;
    double sigma, square = 0;
    long double sum = 0, other = 0;
    fill((long double)m);
    assert_int_equal(dppair_skellam_sigma(&sigma, m), DPPAIR_OK);
    for (int d = 0; d < (q < 1 ? 1 : 3); d++) { /* coordinates add up */
      const int k = d == 0 ? 1 + i % 4 : (int)(3 * uniform());
      square += k * k;
      sum += logl(moment(k, (long double)q, (long double)a)) / (a - 1);
      other += logl(moment(k, (long double)q, (long double)(1 - a))) / (a - 1);
    }
    const double bound = curve(q < 1 ? DPPAIR_SAMPLED_SKELLAM : DPPAIR_SKELLAM,
                               sigma / sqrt(square), q < 1 ? q : 0, a);
    if (!(sum <= bound && other <= sum * (1 + 1e-12L) + 1e-15L))
      fail_msg("m %g, a %g, q %g: %Lg and %Lg, charged %g", m, a, q, sum, other, bound);
    if ((double)sum / bound > worst) worst = (double)sum / bound;
  }
  assert_true(worst > 0.98);
}

/* The Gaussian's curve at whole orders, and never below it; Poisson samples likewise. */
static void whole_orders_are_those_of_the_gaussian(void **state) {
  (void)state;
  for (int i = 0; i < 60; i++) {
    const double z = log_between(0.3, 30), q = log_between(1e-4, 1);
    for (double a = 2; a < 60; a += 1 + floor(a / 4)) {
      const double plain = curve(DPPAIR_GAUSSIAN, z, 0, a), one = curve(DPPAIR_SKELLAM, z, 0, a);
      const double drawn = curve(DPPAIR_SAMPLED_GAUSSIAN, z, q, a);
      const double sampled = curve(DPPAIR_SAMPLED_SKELLAM, z, q, a), half = a + 0.5;
      assert_true(fabs(one / plain - 1) < 1e-12 && fabs(sampled / drawn - 1) < 1e-11);
      assert_true(curve(DPPAIR_SKELLAM, z, 0, half) > curve(DPPAIR_GAUSSIAN, z, 0, half));
      assert_true(curve(DPPAIR_SAMPLED_SKELLAM, z, q, half) >=
                  curve(DPPAIR_SAMPLED_GAUSSIAN, z, q, half) * (1 - 1e-11));
      /* 1/(8 (a-1)) more at most */
      assert_true(curve(DPPAIR_SKELLAM, z, 0, half) <=
                  (half / 2 + 1 / (8 * (half - 1))) / z / z * (1 + 1e-11));
    }
  }
}

/* An account, a plan and a composition answer by the orders, never below the law's own delta. */
static void accounts_answer_by_the_orders(void **state) {
  size_t bytes;
  void *work;
  (void)state;
  assert_int_equal(dppair_composer_workspace(&bytes, NULL), DPPAIR_OK);
  assert_non_null(work = malloc(bytes));
  for (int i = 0; i < 12; i++) {
    const double m = log_between(1, 400), delta = log_between(1e-8, 1e-2);
    const int k = 1 + i % 3;
    long double exact = 0;
    double sigma, epsilon, again;
    dppair_accountant a;
    dppair_interval found;
    dppair_plan plan;
    dppair_step s;
    assert_int_equal(dppair_skellam_sigma(&sigma, m), DPPAIR_OK);
    assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
    assert_int_equal(dppair_accountant_skellam(&a, k, m, 1), DPPAIR_OK);
    assert_int_equal(answer_epsilon(&epsilon, &a, delta), DPPAIR_OK);
    fill((long double)m);
    for (int x = k - filled; x <= filled - k; x++) {
      const long double part = expl(pmf(x + k)) - expl((long double)epsilon + pmf(x));
      if (part > 0) exact += part;
    }
    assert_true(exact <= (long double)delta);
    s = step_of(DPPAIR_SKELLAM, dppair_down_(sigma / k), 0);
    assert_int_equal(compose(&found, &s, 1, delta, DPPAIR_ROUTE_BEST, work, bytes),
                     DPPAIR_ERR_NO_PROOF); /* no pair of laws dominates, as for zCDP */
    assert_int_equal(compose(&found, &s, 1, delta, DPPAIR_ROUTE_RENYI, NULL, 0), DPPAIR_OK);
    assert_true(found.route == DPPAIR_ROUTE_RENYI && found.lower == 0.0);
    assert_true(found.upper <= epsilon * (1 + 1e-12));
    assert_int_equal(certify(&found, &a, delta, work, bytes), DPPAIR_OK);
    assert_true(found.route == DPPAIR_ROUTE_RENYI && found.lower == 0.0);
    assert_true(fabs(found.upper / epsilon - 1) < 1e-12);
    /* beside plain noise and pure steps that are next to nothing, too */
    assert_int_equal(dppair_accountant_gaussian(&a, 1e-3, 1, 1), DPPAIR_OK);
    assert_int_equal(dppair_accountant_pure(&a, 1e-10, 1), DPPAIR_OK);
    assert_int_equal(certify(&found, &a, delta, work, bytes), DPPAIR_OK);
    assert_true(found.upper >= epsilon * (1 - 1e-12));
    memset(&plan, 0, sizeof plan);
    plan.sampling = dppair_sampling_all(100, DPPAIR_REPLACE_ONE);
    plan.epsilon = epsilon, plan.delta = delta, plan.steps = 1, plan.noise = DPPAIR_SKELLAM;
    assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
    assert_int_equal(calibrate(&plan, &a, NULL, 0), DPPAIR_OK);
    assert_true(plan.noise_multiplier <= s.noise_multiplier * (1 + 1e-6));
    s.noise_multiplier = plan.noise_multiplier;
    assert_int_equal(dppair_accountant_step(&a, &s), DPPAIR_OK);
    assert_int_equal(answer_epsilon(&again, &a, delta), DPPAIR_OK);
    assert_true(again <= epsilon);
  }
  free(work);
}

static void what_has_no_proof_is_refused(void **state) {
  dppair_step s = step_of(DPPAIR_SAMPLED_SKELLAM, 2, 0.1);
  dppair_accountant a;
  double x = 7, y;
  (void)state;
  assert_int_equal(dppair_step_check_(&s), DPPAIR_OK);
  s.sampling.adjacency = DPPAIR_REPLACE_ONE;
  assert_int_equal(dppair_step_check_(&s), DPPAIR_ERR_ADJACENCY);
  s.sampling = dppair_sampling_without_replacement(100, 10, DPPAIR_ZERO_OUT);
  assert_int_equal(dppair_step_check_(&s), DPPAIR_ERR_NO_PROOF);
  s.sampling = dppair_sampling_poisson(100, 10, DPPAIR_ZERO_OUT);
  s.pair_rate = 0.1;
  assert_int_equal(dppair_step_check_(&s), DPPAIR_ERR_UNREAD);
  s = step_of(DPPAIR_SKELLAM, 2, 0);
  s.sampling.m = 3;
  assert_int_equal(dppair_step_check_(&s), DPPAIR_ERR_UNREAD);
  s = step_of(DPPAIR_SKELLAM, 0, 0);
  assert_int_equal(dppair_step_check_(&s), DPPAIR_ERR_SIGMA);
  assert_int_equal(dppair_skellam_sigma(&x, 0), DPPAIR_ERR_DOMAIN);
  assert_true(x == 0);
  assert_int_equal(dppair_skellam_sigma(&x, 2e18), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_skellam_sigma(&x, (double)NAN), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_skellam_sigma(NULL, 1), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_skellam_variance(&y, 0), DPPAIR_ERR_SIGMA);
  assert_int_equal(dppair_skellam_variance(&y, 1e9), DPPAIR_ERR_SIGMA);
  assert_int_equal(dppair_skellam_variance(&y, 999999999), DPPAIR_OK); /* the largest there is */
  assert_true(y <= 1e18 && fabs(y / 1e18 - 1) < 1e-8);
  assert_int_equal(dppair_skellam_sigma(&x, 1e18), DPPAIR_OK);
  assert_true(x < nextafter(1e9, 0)); /* between these two lies what no variance has */
  assert_int_equal(dppair_skellam_variance(&y, nextafter(x, 1e9)), DPPAIR_ERR_SIGMA);
  assert_int_equal(dppair_skellam_variance(&y, x), DPPAIR_OK);
  assert_int_equal(dppair_skellam_variance(&y, HUGE_VAL), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_skellam_variance(NULL, 1), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
  assert_int_equal(dppair_accountant_skellam(&a, 0, 4, 1), DPPAIR_ERR_SENSITIVITY);
  assert_int_not_equal(answer_epsilon(&x, &a, 1e-5), DPPAIR_OK);
  assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
  assert_int_equal(dppair_accountant_skellam(&a, 1, -4, 1), DPPAIR_ERR_DOMAIN);
  assert_int_not_equal(answer_epsilon(&x, &a, 1e-5), DPPAIR_OK);
}

/* --- quantised sensitivities --------------------------------------------------------------------
 */

static double quantised(dppair_quantised how, double length, double scale, size_t nonzero,
                        dppair_adjacency adjacency) {
  double s;
  assert_int_equal(dppair_sensitivity_quantised(&s, how, length, scale, nonzero, adjacency),
                   DPPAIR_OK);
  return s;
}

/* One record of few is replaced or zeroed; vectors of three numbers of which the last may be 0. */
static void integers_move_by_what_is_said(void **state) {
  double worst[4] = {0};
  (void)state;
  for (int i = 0; i < (BRIEF ? 20000 : 200000); i++) {
    const double scale = log_between(0.3, 30), offset = uniform();
    const size_t d = 1 + (size_t)(3 * uniform()), n = 1 + (size_t)(3 * uniform());
    double x[2][3] = {{0}}, rest[3] = {0}, length = 0, moved[4] = {0}, move = 0;
    for (size_t k = 0; k < d; k++) {
      x[0][k] = i % 3 ? 2 * uniform() - 1 : 1;
      x[1][k] = i % 5 ? 2 * uniform() - 1 : -x[0][k];
      for (size_t j = 1; j < n; j++) rest[k] += 2 * uniform() - 1;
    }
    for (int side = 0; side < 2; side++) {
      double square = 0;
      for (size_t k = 0; k < d; k++) square += x[side][k] * x[side][k];
      length = fmax(length, sqrt(square));
    }
    for (size_t k = 0; k < d; k++) {
      const double a = scale * x[0][k], b = scale * x[1][k], r = scale * rest[k];
      const double difference[4] = {trunc(a), trunc(a) - trunc(b),
                                    i % 2 ? nearbyint(r + a) - nearbyint(r + b)
                                          : floor(r + a + offset) - floor(r + b + offset),
                                    floor(r + a + uniform()) - floor(r + b + uniform())};
      for (int f = 0; f < 4; f++) moved[f] += difference[f] * difference[f];
      move += (x[0][k] - x[1][k]) * (x[0][k] - x[1][k]);
    }
    move = sqrt(move) * (1 + 1e-12) + 1e-12;
    length *= 1 + 1e-12;
    const double bound[4] = {
        quantised(DPPAIR_QUANTISED_TRUNCATED, length, scale, 0, DPPAIR_ZERO_OUT),
        quantised(DPPAIR_QUANTISED_TRUNCATED, length, scale, 0, DPPAIR_REPLACE_ONE),
        quantised(DPPAIR_QUANTISED_ROUNDED, move, scale, d, DPPAIR_REPLACE_ONE),
        quantised(DPPAIR_QUANTISED_RANDOMLY, move, scale, d, DPPAIR_REPLACE_ONE)};
    for (int f = 0; f < 4; f++) {
      assert_true(sqrt(moved[f]) <= bound[f]);
      worst[f] = fmax(worst[f], sqrt(moved[f]) / bound[f]);
    }
  }
  assert_true(worst[0] > 0.99 && worst[1] > 0.99 && worst[2] > 0.95);
}

static void quantised_arguments_are_checked(void **state) {
  double s = 7;
  (void)state;
#define REFUSED(status, how, length, scale, nonzero, adjacency)                                    \
  s = 7;                                                                                           \
  assert_int_equal(dppair_sensitivity_quantised(&s, how, length, scale, nonzero, adjacency),       \
                   status);                                                                        \
  assert_true(s == 0)
  REFUSED(DPPAIR_ERR_DOMAIN, DPPAIR_QUANTISED_ROUNDED, 0, 1, 1, DPPAIR_ZERO_OUT);
  REFUSED(DPPAIR_ERR_DOMAIN, DPPAIR_QUANTISED_ROUNDED, 1, 0, 1, DPPAIR_ZERO_OUT);
  REFUSED(DPPAIR_ERR_DOMAIN, (dppair_quantised)4, 1, 1, 1, DPPAIR_ZERO_OUT);
  REFUSED(DPPAIR_ERR_DOMAIN, (dppair_quantised)0, 1, 1, 1, DPPAIR_ZERO_OUT);
  REFUSED(DPPAIR_ERR_SIZE, DPPAIR_QUANTISED_ROUNDED, 1, 1, 0, DPPAIR_ZERO_OUT);
  REFUSED(DPPAIR_ERR_UNREAD, DPPAIR_QUANTISED_TRUNCATED, 1, 1, 2, DPPAIR_ZERO_OUT);
  REFUSED(DPPAIR_ERR_ADJACENCY, DPPAIR_QUANTISED_ROUNDED, 1, 1, 1, (dppair_adjacency)0);
  REFUSED(DPPAIR_ERR_NOT_FINITE, DPPAIR_QUANTISED_ROUNDED, (double)NAN, 1, 1, DPPAIR_ZERO_OUT);
  REFUSED(DPPAIR_ERR_OVERFLOW, DPPAIR_QUANTISED_ROUNDED, 1e300, 1e300, 1, DPPAIR_ZERO_OUT);
#undef REFUSED
  assert_int_equal(
      dppair_sensitivity_quantised(NULL, DPPAIR_QUANTISED_ROUNDED, 1, 1, 1, DPPAIR_ZERO_OUT),
      DPPAIR_ERR_NULL);
}

/* --- wrap-around --------------------------------------------------------------------------------
 */

static void wrapping_is_no_likelier_than_said(void **state) {
  double p, known;
  (void)state;
  for (int i = 0; i < 60; i++) {
    const double m = log_between(0.5, 400);
    const unsigned bits = 3 + (unsigned)(i % 6);
    const int half = 1 << (bits - 1);
    const double largest = floor(uniform() * half);
    long double tail = 0;
    fill((long double)m);
    for (int x = half - (int)largest; x < filled; x++) tail += expl(pmf(x)); /* from the one end */
    assert_int_equal(dppair_skellam_wrap(&p, m, bits, largest, 1), DPPAIR_OK);
    assert_true(p <= 1 && p >= (double)tail);
    assert_int_equal(dppair_skellam_wrap(&known, m, bits, largest, 10), DPPAIR_OK);
    assert_true(known >= 10 * p * (1 - 1e-9) || known >= 1);
  }
  assert_int_equal(dppair_skellam_wrap(&p, 1e6, 16, 32768 - 5000, 1), DPPAIR_OK);
  assert_true(fabs(p / 7.5e-6 - 1) < 0.01);
  assert_int_equal(dppair_skellam_wrap(&p, 1e6, 16, 0, 1), DPPAIR_OK);
  assert_true(p > 1e-233 && p < 2e-233);
  assert_int_equal(dppair_skellam_wrap(&p, 4, 3, 4, 1), DPPAIR_OK); /* no room */
  assert_true(p == 1);
  assert_int_equal(dppair_skellam_wrap(&p, 4, 64, 0, 1), DPPAIR_OK);
  assert_true(p > 0 && p < 1e-300);
  assert_int_equal(dppair_skellam_wrap(&p, 0, 8, 0, 1), DPPAIR_ERR_DOMAIN);
  assert_true(p == 1);
  assert_int_equal(dppair_skellam_wrap(&p, 4, 65, 0, 1), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_skellam_wrap(&p, 4, 0, 0, 1), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_skellam_wrap(&p, 4, 8, -1, 1), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_skellam_wrap(&p, 4, 8, 0, 0), DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_skellam_wrap(&p, (double)NAN, 8, 0, 1), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_skellam_wrap(NULL, 4, 8, 0, 1), DPPAIR_ERR_NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(sigma_is_below_the_bessel_ratio_and_close),
      TEST(variance_is_the_least_that_suffices),
      TEST(no_curve_is_below_the_sum_over_the_law),
      TEST(whole_orders_are_those_of_the_gaussian),
      TEST(accounts_answer_by_the_orders),
      TEST(what_has_no_proof_is_refused),
      TEST(integers_move_by_what_is_said),
      TEST(quantised_arguments_are_checked),
      TEST(wrapping_is_no_likelier_than_said),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
