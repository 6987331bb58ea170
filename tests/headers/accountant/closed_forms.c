/* SPDX-License-Identifier: MIT */
/* The Gaussian curve, the binomial law, composition and conversion, calibration: known
 * answers, a second route in wide arithmetic, and random arguments. */
#include "accountant_common.h"
#include "dppair_iterates.h"
#include "questions.h"

/* Epsilon by Renyi orders alone, and the best order. */
static dppair_status renyi_orders(double *epsilon, double *order, const dppair_accountant *a,
                                  double delta) {
  dppair_interval in;
  const dppair_status status = dppair_accountant_renyi_(&in, a, 0, delta);
  *epsilon = in.upper;
  *order = in.order;
  return status;
}

/* ---- The Gaussian curve ---------------------------------------------------------------------- */

/* Mills' ratio from the library's erfc, or from the continued fraction in the far tail. */
static wide wide_mills(wide x) {
  wide f = x;
  int k;
  if (x < 12) return wsqrt(WIDE_PI / 2) * wexp(x * x / 2) * werfc(x / wsqrt((wide)2));
  for (k = 300; k > 0; k--) f = x + k / f;
  return 1 / f;
}

static wide wide_delta(double epsilon, double mu) {
  const wide m = (wide)mu, t = (wide)epsilon / m - m / 2, s = t + m;
  const wide kernel = wexp(-t * t / 2) / wsqrt(2 * WIDE_PI);
  if (t < -1) return 1 - kernel * (wide_mills(-t) + wide_mills(s));
  return kernel * (wide_mills(t) - wide_mills(s));
}

/* Digits that the reference loses by its own subtraction. */
static double reference_error(double epsilon, double mu) {
  const double s = epsilon / mu + mu / 2;
  return (WIDE_IS_QUAD ? 1e-31 : 4e-19) * (1.0 + (fabs(s) + 1.0) / mu) * (1.0 + s * s);
}

static void the_gaussian_curve_matches_wide_arithmetic_from_above(void **state) {
  int i, used = 0;
  (void)state;
  for (i = 0; i < FEWER(60000); i++) {
    const double epsilon = i % 7 == 0   ? 0.0
                           : i % 3 == 0 ? 700.0 * uniform()
                                        : log_between(1e-9, 700.0);
    const double mu = i % 2 ? epsilon / (0.01 + 38.0 * uniform()) + 1e-9 : log_between(1e-6, 80.0);
    wide delta;
    double got, log_got, back;
    if (reference_error(epsilon, mu) > 1e-14) continue;
    delta = wide_delta(epsilon, mu);
    if (delta < (wide)1e-300) continue;
    used++;
    assert_ok(dppair_gaussian_delta(&got, epsilon, mu));
    assert_close(got, (double)delta, 1e-12);
    assert_true((wide)got >= delta * (1 - (wide)(WIDE_IS_QUAD ? 1e-25 : 2e-14)) || got == 1.0);
    assert_ok(dppair_gaussian_log_delta(&log_got, epsilon, mu));
    assert_true((wide)log_got >= wlog(delta) - (wide)(WIDE_IS_QUAD ? 1e-25 : 2e-14) ||
                log_got == 0.0);
    assert_true(fabs(log_got - (double)wlog(delta)) <= 1e-12);
    if ((double)delta >= 0.999) continue;
    /* Inverses are on the safe side and come back. */
    assert_ok(dppair_gaussian_epsilon(&back, (double)delta, mu));
    assert_ok(dppair_gaussian_delta(&got, back, mu));
    assert_at_most(got, (double)delta * (1.0 + 1e-12));
    if ((double)delta < 0.5) assert_at_most(back, epsilon * (1.0 + 1e-9) + 1e-11 * (1.0 + mu));
    assert_ok(dppair_gaussian_mu(&back, epsilon, (double)delta));
    assert_ok(dppair_gaussian_delta(&got, epsilon, back));
    assert_at_most(got, (double)delta * (1.0 + 1e-12));
    if ((double)delta < 0.5) assert_close(back, mu, 3e-12);
  }
  assert_true(used > FEWER(60000) / 4);
}

static void the_gaussian_curve_has_its_published_values(void **state) {
  double x;
  (void)state;
  assert_ok(dppair_gaussian_sigma(&x, 1, 1, 1e-5, 1));
  assert_close(x, 3.7306316348159, 1e-12);
  assert_ok(dppair_gaussian_mu(&x, 1, 1e-5));
  assert_close(x, 0.26805112321, 1e-10);
  assert_ok(dppair_gaussian_mu(&x, 4, 1e-5));
  assert_close(x, 0.92493, 1e-5);
  assert_ok(dppair_gaussian_epsilon(&x, 1e-5, 1));
  assert_close(x, 4.377178096, 1e-9);
  assert_ok(dppair_gaussian_epsilon(&x, 1e-5, sqrt(0.4)));
  assert_close(x, 2.594, 2e-4);
  assert_ok(dppair_gaussian_epsilon(&x, 1e-5, sqrt(1.6)));
  assert_close(x, 5.759, 2e-4);
  assert_ok(dppair_gaussian_epsilon(&x, 1e-10, sqrt(5000.0) / 25));
  assert_close(x, 21.4700085683, 1e-10);
  assert_ok(dppair_gaussian_epsilon(&x, 1e-12, sqrt(5000.0) / 25));
  assert_close(x, 23.3953830687, 1e-10);
  assert_ok(dppair_gaussian_epsilon(&x, 1e-15, sqrt(5000.0) / 25));
  assert_close(x, 25.9861257258, 1e-10);
  /* Peers that compute Phi as 1 + erf give too little noise here. */
  assert_ok(dppair_gaussian_sigma(&x, 1, 0.001, 1e-12, 1));
  assert_close(x, 5412.30, 1e-6);
  assert_ok(dppair_gaussian_sigma(&x, 1, 1, 1e-12, 1));
  assert_close(x, 6.557822, 1e-7);
  assert_ok(dppair_gaussian_sigma(&x, 1, 4, 1e-12, 1));
  assert_close(x, 1.738617, 1e-6);
  /* n = 10^4, C = 1, T = 1000 */
  assert_ok(dppair_gaussian_sigma(&x, 4e-4, 1, 1e-5, 1000));
  assert_close(x, 0.0472, 1e-3);
  assert_ok(dppair_gaussian_sigma(&x, 4e-4, 8, 1e-5, 1000));
  assert_close(x, 0.00759, 1e-3);
}

static void the_gaussian_curve_at_its_ends_is_never_zero_or_nan(void **state) {
  const double bad[2] = {TEST_NAN, TEST_INF};
  double x;
  int i;
  (void)state;
  assert_ok(dppair_gaussian_delta(&x, 1, 0));
  assert_true(x == 0.0);
  assert_ok(dppair_gaussian_delta(&x, 700, 1e-3));
  assert_true(x == DBL_MIN); /* underflow is never 0 */
  assert_ok(dppair_gaussian_log_delta(&x, 700, 1e-3));
  assert_close(x, -244999999684.7, 1e-11);
  assert_ok(dppair_gaussian_delta(&x, 0, 1e300));
  assert_true(x == 1.0);
  assert_ok(dppair_gaussian_delta(&x, 1e300, 1e-300));
  assert_true(x == DBL_MIN);
  assert_ok(dppair_gaussian_epsilon(&x, 0.01, 0.01)); /* 0 already suffices */
  assert_true(x == 0.0);
  assert_ok(dppair_gaussian_epsilon(&x, 1e-300, 1e-3));
  assert_true(x > 0.0 && x < 0.05);
  assert_ok(dppair_gaussian_mu(&x, 0, 1e-5));
  assert_close(x, 2.5066282746e-5, 1e-9); /* 2 Phi(mu/2) - 1 = delta */
  assert_ok(dppair_gaussian_mu(&x, 0, 0.9999999));
  assert_true(x > 10.0 && x < 11.0);
  assert_ok(dppair_gaussian_mu(&x, 1e6, 1e-5));
  assert_true(x > 1400.0 && x < 1415.0);
  assert_ok(dppair_gaussian_sigma(&x, 0, 1, 1e-5, 1));
  assert_true(x == 0.0);
  x = 7;
  assert_int_equal(dppair_gaussian_sigma(&x, 1, 1, 1e-5, 0), DPPAIR_ERR_SIZE);
  assert_true(x == 0.0);
  assert_int_equal(dppair_gaussian_sigma(&x, -1, 1, 1e-5, 1), DPPAIR_ERR_SENSITIVITY);
  assert_int_equal(dppair_gaussian_sigma(&x, 1, -1, 1e-5, 1), DPPAIR_ERR_EPSILON);
  assert_int_equal(dppair_gaussian_sigma(&x, 1, 1, 0, 1), DPPAIR_ERR_DELTA);
  assert_int_equal(dppair_gaussian_sigma(&x, 1, 1, 1, 1), DPPAIR_ERR_DELTA);
  assert_int_equal(dppair_gaussian_mu(&x, 1, -1e-9), DPPAIR_ERR_DELTA);
  assert_int_equal(dppair_gaussian_delta(&x, -1, 1), DPPAIR_ERR_EPSILON);
  assert_int_equal(dppair_gaussian_delta(&x, 1, -1), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_gaussian_log_delta(&x, 1, 0), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_gaussian_delta(NULL, 1, 1), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_gaussian_sigma(&x, 1e300, 1e-300, 1e-300, SIZE_MAX), DPPAIR_ERR_OVERFLOW);
  for (i = 0; i < 2; i++) {
    x = 7;
    assert_int_equal(dppair_gaussian_delta(&x, bad[i], 1), DPPAIR_ERR_NOT_FINITE);
    assert_true(x == 0.0);
    assert_int_equal(dppair_gaussian_delta(&x, 1, bad[i]), DPPAIR_ERR_NOT_FINITE);
    assert_int_equal(dppair_gaussian_epsilon(&x, bad[i], 1), DPPAIR_ERR_NOT_FINITE);
    assert_int_equal(dppair_gaussian_mu(&x, bad[i], 1e-5), DPPAIR_ERR_NOT_FINITE);
    assert_int_equal(dppair_gaussian_sigma(&x, bad[i], 1, 1e-5, 1), DPPAIR_ERR_NOT_FINITE);
  }
}

/* 10^5 random arguments: no NaN, monotone, inverse to each other. */
static void the_gaussian_curve_is_monotone_and_its_inverses_agree(void **state) {
  int i;
  (void)state;
  for (i = 0; i < FEWER(100000); i++) {
    const double mu = log_between(1e-8, 1e3);
    const double delta = log_between(1e-300, 0.9);
    const double epsilon = log_between(1e-6, 1e3);
    const double more = 1.0 + 1e-3 * uniform();
    double e1, e2, d1, d2, m1, m2;
    assert_ok(dppair_gaussian_epsilon(&e1, delta, mu));
    assert_ok(dppair_gaussian_epsilon(&e2, delta, mu * more));
    assert_true(e1 >= 0.0 && e1 <= e2 * (1.0 + 1e-12) + 1e-11);
    assert_ok(dppair_gaussian_epsilon(&e2, delta * more * 0.999, mu));
    assert_true(dppair_isfinite_f64(e2));
    assert_ok(dppair_gaussian_delta(&d1, epsilon, mu));
    assert_ok(dppair_gaussian_delta(&d2, epsilon * more, mu));
    assert_true(d2 <= d1 * (1.0 + 1e-12) && d1 <= 1.0 && d1 > 0.0);
    assert_ok(dppair_gaussian_mu(&m1, epsilon, delta));
    assert_ok(dppair_gaussian_mu(&m2, epsilon * more, delta));
    assert_true(m1 > 0.0 && m1 <= m2 * (1.0 + 1e-11));
    assert_ok(dppair_gaussian_epsilon(&e2, delta, m1));
    assert_at_most(e2, epsilon * (1.0 + 1e-11) + 1e-11);
  }
}

/* ---- The binomial law ------------------------------------------------------------------------ */

static void binomial_tails_and_quantiles_match_sums_and_known_answers(void **state) {
  static const struct {
    size_t n, t;
    double gamma;
    size_t quantile;
  } known[] = {{512, 512, 5e-6, 8},
               {512, 5120, 5e-6, 27},
               {512, 262144, 5e-6, 615},
               {1000, 1000, 5e-6, 8},
               {1000, 1000000, 5e-6, 1143},
               {10000, 10000, 5e-6, 8},
               {10000, 100000, 5e-6, 27},
               {10000, 100000000, 5e-6, 10445},
               {512, 512, 1.0 / 1024, 5},
               {512, 262144, 1.0 / 1024, 583},
               {10000, 100000000, 5e-5, 10391}};
  size_t i, n, k, got;
  double tail;
  (void)state;
  for (i = 0; i < sizeof known / sizeof known[0]; i++) {
    assert_ok(dppair_binomial_quantile_(&got, &tail, known[i].t, 1.0 / (double)known[i].n,
                                        known[i].gamma));
    assert_int_equal(got, known[i].quantile);
    assert_true(tail <= known[i].gamma);
    assert_true(dppair_binomial_tail_(known[i].t, 1.0 / (double)known[i].n, got - 1) >
                known[i].gamma);
  }
  /* Against the recurrence in wide arithmetic. */
  for (n = 1; n <= 300; n += 13) {
    for (i = 0; i < 4; i++) {
      const double p = i == 0 ? 1e-7 : i == 1 ? 0.01 : i == 2 ? 0.3 : 0.9;
      wide term[301], sum = 0;
      term[0] = wpow(1 - (wide)p, (wide)n);
      for (k = 0; k < n; k++)
        term[k + 1] = term[k] * (wide)(n - k) / (wide)(k + 1) * (wide)p / (1 - (wide)p);
      for (k = n; k-- > 0;) {
        sum += term[k + 1];
        if (sum < (wide)1e-290) continue;
        tail = dppair_binomial_tail_(n, p, k);
        assert_true((wide)tail >= sum * (1 - (wide)1e-15) || tail == 1.0);
        assert_close(tail, (double)sum, 3e-10);
        assert_close(exp(dppair_binomial_log_pmf_(n, p, k + 1)), (double)term[k + 1], 1e-12);
      }
    }
  }
  assert_true(dppair_binomial_tail_(10, 0.5, 10) == 0.0);
  assert_true(dppair_binomial_tail_(10, 0.0, 0) == 0.0);
  assert_true(dppair_binomial_tail_(10, 1.0, 9) == 1.0);
  assert_int_equal(dppair_binomial_quantile_(&got, &tail, 10, TEST_NAN, 0.1),
                   DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_binomial_quantile_(&got, &tail, 10, 2, 0.1), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_binomial_quantile_(&got, &tail, 10, 0.5, 0), DPPAIR_ERR_DELTA);
  /* 10^9 expected hits, whose tail falls slowly, and far too many: neither takes minutes */
  assert_ok(dppair_binomial_quantile_(&got, &tail, 2000000000, 0.5, 1e-9));
  assert_in_range(got, 1000000000 + 5.99 * 22360.6, 1000000000 + 6.01 * 22360.6);
  assert_true(tail > 0.99e-9 && tail <= 1e-9);
  assert_int_equal(dppair_binomial_quantile_(&got, &tail, SIZE_MAX / 2, 0.5, 1e-9),
                   sizeof(size_t) > 4 ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK);
}

/* ---- Composition ----------------------------------------------------------------------------- */

static dppair_accountant sampled(double q, double z, size_t steps) {
  dppair_accountant a;
  dppair_accountant_init(&a);
  assert_ok(dppair_accountant_sampled_gaussian(
      &a, test_sampling(DPPAIR_POISSON, DPPAIR_ZERO_OUT, q, 0, 0), 1, z, steps));
  return a;
}

static void accounts_have_their_known_epsilons(void **state) {
  dppair_accountant a, b;
  double e, order, d;
  (void)state;
  dppair_accountant_init(&a);
  assert_ok(answer_epsilon(&e, &a, 1e-5));
  assert_true(e == 0.0);
  assert_ok(dppair_accountant_gaussian(&a, 1, 10, 40));
  assert_ok(dppair_accountant_gaussian(&a, 2, 20, 60));
  assert_ok(answer_epsilon(&e, &a, 1e-5));
  assert_close(e, 4.377178095681, 1e-12);
  assert_ok(renyi_orders(&e, &order, &a, 1e-5));
  assert_close(e, 4.72838698, 1e-8); /* continuous orders; a list of orders gives 4.7285 */
  assert_close(order, 5.43186, 1e-3);
  assert_ok(answer_delta(&d, &a, 4.377178095681));
  assert_close(d, 1e-5, 1e-10);
  /* The same T = 10^4 Poisson steps that the peers answer with 6.7127 to 6.7128. */
  a = sampled(0.01, 1, 10000);
  assert_ok(answer_epsilon(&e, &a, 1e-5));
  assert_at_most(e, 6.712738);
  assert_at_most(6.187712390, e);
  assert_ok(answer_delta(&d, &a, e));
  assert_close(d, 1e-5, 1e-7);
  /* Counts add up however they arrive; merging is addition. */
  a = sampled(0.01, 1, 4000);
  b = sampled(0.01, 1, 6000);
  assert_ok(dppair_accountant_merge(&a, &b));
  assert_int_equal(a.count, 1);
  assert_ok(answer_epsilon(&d, &a, 1e-5));
  assert_true(d == e);
  /* Laplace: T = 100, b = 10; truth 4.220347325. */
  dppair_accountant_init(&a);
  assert_ok(dppair_accountant_laplace(&a, 1, 10, 100));
  assert_ok(answer_epsilon(&e, &a, 1e-5));
  assert_close(e, 4.532682774, 1e-8);
  assert_ok(answer_epsilon(&e, &a, 0));
  assert_close(e, 10.0, 1e-13);
  assert_ok(answer_delta(&d, &a, 10.0 + 1e-9));
  assert_true(d == 0.0);
  /* A randomised response asked 100 times is 100 times, not once. */
  dppair_accountant_init(&a);
  assert_ok(dppair_accountant_pure(&a, 1.0, 100));
  assert_ok(answer_epsilon(&e, &a, 1e-5));
  assert_true(e > 60.0 && e <= 100.0);
  /* zCDP: between the exact curve and Bun and Steinke's conversion. */
  dppair_accountant_init(&a);
  assert_ok(charge_zcdp(&a, 0.005, 100));
  assert_ok(answer_epsilon(&e, &a, 1e-5));
  assert_true(e > 4.377 && e <= 0.5 + 2.0 * sqrt(0.5 * log(1e5)));
}

/* Pairs of a 10^4-record set, T = 1000, delta = 1e-5: figures of a prototype with a fixed list of
 * orders; continuous orders are a little lower. */
static void accounts_of_sampled_pairs_have_their_known_epsilons(void **state) {
  static const double known[4][5] = {{64, 4, 3.24, 0.401, 1.033},
                                     {256, 8, 2.40, 0.816, 1.919},
                                     {256, 16, 0.893, 0.390, 0.849},
                                     {256, 32, 0.405, 0.183, 0.400}};
  int i, k;
  (void)state;
  for (i = 0; i < 4; i++) {
    const size_t n = 10000, b = (size_t)known[i][0];
    dppair_accountant a[3];
    for (k = 0; k < 3; k++) dppair_accountant_init(&a[k]);
    assert_ok(dppair_accountant_sampled_pairs(
        &a[0], test_sampling(DPPAIR_WITH_REPLACEMENT, DPPAIR_REPLACE_ONE, 0, n, b), 1, known[i][1],
        1000));
    assert_ok(dppair_accountant_sampled_pairs(
        &a[1], test_sampling(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 2.0 * (double)b / 1e4 / 9999.0, n, 0),
        1, known[i][1], 1000));
    assert_ok(dppair_accountant_sampled_pairs(
        &a[2], test_sampling(DPPAIR_MATCHING, DPPAIR_REPLACE_ONE, 0, n, 2 * b), 1, known[i][1],
        1000));
    for (k = 0; k < 3; k++) {
      double e;
      assert_ok(answer_epsilon(&e, &a[k], 1e-5));
      assert_at_most(e, known[i][2 + k] * 1.002);
      assert_at_most(known[i][2 + k] * 0.95, e);
    }
  }
}

/* The optimised order is no worse than a fine list, and every order is an upper bound. */
static void the_best_order_is_no_worse_than_a_fine_list_of_orders(void **state) {
  dppair_accountant a = sampled(0.02, 1.5, 2000);
  double best, order, e;
  size_t i;
  (void)state;
  assert_ok(dppair_accountant_laplace(&a, 1, 40, 50));
  assert_ok(dppair_accountant_gaussian(&a, 1, 9, 10));
  assert_ok(renyi_orders(&best, &order, &a, 1e-6));
  for (i = 0; i < 400; i++) {
    const double x = 1.0 + exp(-5.0 + 0.025 * (double)i);
    double total = 0.0, rdp, unpaid;
    size_t k;
    for (k = 0; k < a.count; k++) {
      if (dppair_renyi(&rdp, &unpaid, &a.step[k], x, 0) != DPPAIR_OK) rdp = 1e300;
      total += rdp * (double)a.step[k].steps;
    }
    total += 0.5 * x * a.gaussian;
    e = total + log1p(-1.0 / x) - log(1e-6 * x) / (x - 1.0);
    assert_at_most(best, e * (1.0 + 1e-9));
  }
}

/* A full table falls back to the fixed orders and still covers everything. */
static void a_full_table_folds_and_still_covers_every_step(void **state) {
  dppair_accountant a, b;
  double e, f;
  int i;
  (void)state;
  dppair_accountant_init(&a);
  dppair_accountant_init(&b);
  for (i = 0; i < 2 * DPPAIR_STEP_CAPACITY; i++)
    assert_ok(dppair_accountant_sampled_gaussian(
        &a, test_sampling(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 0.01, 0, 0), 1, 1.0 + 1e-6 * i, 30));
  assert_true(a.folded && a.count == DPPAIR_STEP_CAPACITY);
  b = sampled(0.01, 1.0, 60 * DPPAIR_STEP_CAPACITY);
  assert_ok(answer_epsilon(&e, &a, 1e-5));
  assert_ok(answer_epsilon(&f, &b, 1e-5));
  assert_close(e, f, 3e-3);
  assert_ok(dppair_accountant_merge(&b, &a));
  assert_ok(answer_epsilon(&f, &b, 1e-5));
  assert_true(f > 1.3 * e);
  /* Sampled pairs in a full table pay for their capped hits. */
  assert_ok(dppair_accountant_sampled_pairs(
      &a, test_sampling(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 1e-4, 1000, 0), 1, 8, 10));
  assert_true(a.failure > 0.0 && a.failure < 1e-12);
  assert_ok(answer_epsilon(&f, &a, 1e-5));
  assert_true(f > e);
  /* steps that tell next to nothing, at a delta that is next to none: the last order is the best */
  dppair_accountant_init(&a);
  for (i = 0; i < DPPAIR_STEP_CAPACITY + 9; i++)
    assert_ok(dppair_accountant_sampled_gaussian(
        &a, test_sampling(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 1e-3, 0, 0), 1, 1e4 + i, 1));
  assert_true(a.folded);
  assert_ok(answer_epsilon(&e, &a, 1e-100));
  f = dppair_renyi_order_(DPPAIR_ORDER_COUNT - 1);
  assert_true(e < log(1e100) / (f - 1) && e > (log(1e100) - log(f)) / (f - 1) - 1e-3);
}

static void a_refused_step_spoils_the_account_for_good(void **state) {
  dppair_accountant a, fresh;
  double x = 5, order;
  (void)state;
  memset(&fresh, 0, sizeof fresh);
  assert_int_equal(answer_epsilon(&x, &fresh, 1e-5), DPPAIR_ERR_DOMAIN);
  assert_true(x == 0.0);
  dppair_accountant_init(&a);
  assert_int_equal(dppair_accountant_gaussian(&a, 1, TEST_NAN, 1), DPPAIR_ERR_NOT_FINITE);
  /* A refused step cannot be forgotten. */
  assert_int_equal(answer_epsilon(&x, &a, 1e-5), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_accountant_gaussian(&a, 1, 1, 1), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(answer_delta(&x, &a, 1), DPPAIR_ERR_NOT_FINITE);
#define REFUSED(call, status)                                                                      \
  do {                                                                                             \
    dppair_accountant_init(&a);                                                                    \
    assert_int_equal((call), (status));                                                            \
    assert_int_equal(answer_epsilon(&x, &a, 1e-5), (status));                                      \
  } while (0)
  REFUSED(dppair_accountant_gaussian(&a, -1, 1, 1), DPPAIR_ERR_SENSITIVITY);
  REFUSED(dppair_accountant_gaussian(&a, 1, 0, 1), DPPAIR_ERR_SIGMA);
  REFUSED(dppair_accountant_gaussian(&a, 1e200, 1e-200, 1), DPPAIR_ERR_OVERFLOW);
  REFUSED(dppair_accountant_pure(&a, -1, 1), DPPAIR_ERR_EPSILON);
  REFUSED(dppair_accountant_failure(&a, 1.5), DPPAIR_ERR_DOMAIN);
  REFUSED(dppair_accountant_failure(&a, TEST_NAN), DPPAIR_ERR_NOT_FINITE);
#define SAMPLED(kind, adjacency, q, n, m)                                                          \
  dppair_accountant_sampled_gaussian(&a, test_sampling(kind, adjacency, q, n, m), 1, 1, 1)
#define PAIRS(kind, adjacency, q, n, m)                                                            \
  dppair_accountant_sampled_pairs(&a, test_sampling(kind, adjacency, q, n, m), 1, 4, 1)
  REFUSED(SAMPLED(DPPAIR_POISSON, (dppair_adjacency)0, 0.1, 0, 0), DPPAIR_ERR_ADJACENCY);
  REFUSED(SAMPLED(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 1.5, 0, 0), DPPAIR_ERR_DOMAIN);
  REFUSED(SAMPLED(DPPAIR_POISSON, DPPAIR_ZERO_OUT, TEST_NAN, 0, 0), DPPAIR_ERR_NOT_FINITE);
  REFUSED(SAMPLED(DPPAIR_ALL, DPPAIR_ZERO_OUT, 0.5, 0, 0), DPPAIR_ERR_NO_PROOF);
  REFUSED(SAMPLED(DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_ZERO_OUT, 0.1, 0, 0), DPPAIR_ERR_ADJACENCY);
  REFUSED(SAMPLED(DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_REPLACE_ONE, 0, 0, 5), DPPAIR_ERR_SIZE);
  REFUSED(SAMPLED(DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_REPLACE_ONE, 0, 5, 6), DPPAIR_ERR_SIZE);
  REFUSED(SAMPLED(DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_REPLACE_ONE, 0.2, 100, 10), DPPAIR_ERR_RATE);
  REFUSED(SAMPLED(DPPAIR_WITH_REPLACEMENT, DPPAIR_ZERO_OUT, 0, 100, 10), DPPAIR_ERR_ADJACENCY);
  REFUSED(SAMPLED(DPPAIR_WITH_REPLACEMENT, DPPAIR_REPLACE_ONE, 0.1, 0, 10), DPPAIR_ERR_SIZE);
  REFUSED(PAIRS(DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_REPLACE_ONE, 0, 100, 10), DPPAIR_ERR_NO_PROOF);
  REFUSED(PAIRS(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 0.1, 1, 0), DPPAIR_ERR_SIZE);
  REFUSED(PAIRS(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 1.1, 10, 0), DPPAIR_ERR_DOMAIN);
  REFUSED(PAIRS(DPPAIR_MATCHING, DPPAIR_ZERO_OUT, 0.1, 0, 0), DPPAIR_ERR_ADJACENCY);
  REFUSED(PAIRS(DPPAIR_MATCHING, DPPAIR_REPLACE_ONE, 0, 10, 12), DPPAIR_ERR_SIZE);
  /* Adjacencies do not mix. */
  dppair_accountant_init(&a);
  assert_ok(SAMPLED(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 0.1, 0, 0));
  fresh = a; /* fork */
  assert_int_equal(SAMPLED(DPPAIR_POISSON, DPPAIR_REPLACE_ONE, 0.1, 0, 0), DPPAIR_ERR_ADJACENCY);
  assert_ok(answer_epsilon(&x, &fresh, 1e-5));
  assert_int_equal(answer_epsilon(&x, &fresh, 0), DPPAIR_ERR_DELTA);
  assert_int_equal(answer_epsilon(&x, &fresh, 1), DPPAIR_ERR_DELTA);
  assert_int_equal(answer_delta(&x, &fresh, -1), DPPAIR_ERR_EPSILON);
  /* Failures are taken off delta, and can use it up. */
  assert_ok(dppair_accountant_failure(&fresh, 1e-5));
  assert_int_equal(answer_epsilon(&x, &fresh, 1e-5), DPPAIR_ERR_DELTA);
  assert_int_equal(renyi_orders(&x, &order, &fresh, 1e-6), DPPAIR_ERR_DELTA);
  /* Nothing happens when nothing happens. */
  dppair_accountant_init(&a);
  assert_ok(answer_epsilon(&x, &a, 1e-5));
  assert_true(x == 0.0);
  /* q = 1 is no sampling: one step of the exact curve. */
  assert_ok(SAMPLED(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 1, 0, 0));
  assert_ok(answer_epsilon(&x, &a, 1e-5));
  assert_close(x, 4.377178095681, 1e-11);
}

/* ---- Groups ---------------------------------------------------------------------------------- */

static void groups_cost_their_size(void **state) {
  double e, d;
  int i;
  (void)state;
  /* Group privacy of the Gaussian mechanism itself, k times the shift, is within the general rule.
   */
  for (i = 1; i <= 5; i++) {
    double ge, gd, exact;
    assert_ok(dppair_gaussian_delta(&d, 0.4, 0.1));
    assert_ok(dppair_group_privacy(&ge, &gd, 0.4, d, (size_t)i));
    assert_ok(dppair_gaussian_delta(&exact, ge, 0.1 * i));
    assert_at_most(exact, gd * (1.0 + 1e-12));
  }
  assert_ok(dppair_group_privacy(&e, &d, 0, 0.01, 3));
  assert_close(d, 0.03, 1e-14);
  assert_int_equal(dppair_group_privacy(&e, &d, 2, 0.01, 10), DPPAIR_ERR_DELTA);
  assert_true(e == 0.0 && d == 0.0);
}

/* ---- Calibration ----------------------------------------------------------------------------- */

static dppair_status steps_epsilon(double *epsilon, double value, void *context) {
  dppair_accountant a = *(const dppair_accountant *)context;
  const dppair_status status = dppair_accountant_sampled_gaussian(
      &a, test_sampling(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 0.01, 0, 0), 1, 2, (size_t)value);
  return status != DPPAIR_OK ? status : answer_epsilon(epsilon, &a, 1e-5);
}

static dppair_status never(double *epsilon, double value, void *context) {
  (void)value;
  (void)context;
  *epsilon = 10;
  return DPPAIR_OK;
}

/* The epsilon of 10 plain Gaussian releases and of 10000 sampled ones, whose noise is a tenth. */
static dppair_status scaled_epsilon(double *epsilon, double value, void *context) {
  dppair_accountant a = *(const dppair_accountant *)context;
  dppair_status status = dppair_accountant_gaussian(&a, 1, 10 * value, 10);
  if (status == DPPAIR_OK)
    status = dppair_accountant_sampled_gaussian(
        &a, test_sampling(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 0.01, 0, 0), 1, value, 10000);
  return status != DPPAIR_OK ? status : answer_epsilon(epsilon, &a, 1e-5);
}

static void a_scaled_composition_keeps_the_budget_and_wastes_nothing(void **state) {
  dppair_accountant empty;
  double noise, epsilon, other;
  size_t count;
  (void)state;
  dppair_accountant_init(&empty);
  assert_ok(dppair_calibrate_scale(&noise, &epsilon, 1, 1e-3, 1e-9, scaled_epsilon, &empty));
  assert_at_most(epsilon, 1.0);
  assert_ok(scaled_epsilon(&other, noise * (1.0 - 1e-8), &empty));
  assert_true(other > 1.0);
  assert_ok(dppair_calibrate_scale(&other, &epsilon, 1, 1e4, 1e-9, scaled_epsilon, &empty));
  assert_close(noise, other, 2e-9);
  assert_ok(dppair_calibrate_count(&count, &epsilon, 1.5, 1000000, steps_epsilon, &empty));
  assert_true(count > 100 && epsilon <= 1.5);
  assert_ok(steps_epsilon(&other, (double)(count + 1), &empty));
  assert_true(other > 1.5);
  assert_ok(dppair_calibrate_count(&count, &epsilon, 1.5, 7, steps_epsilon, &empty));
  assert_int_equal(count, 7);
  assert_ok(dppair_calibrate_count(&count, &epsilon, 1e-9, 100, steps_epsilon, &empty));
  assert_int_equal(count, 0);
  assert_int_equal(dppair_calibrate_scale(&noise, &epsilon, 1, 1, 1e-9, never, NULL),
                   DPPAIR_ERR_NO_CONVERGENCE);
  assert_true(noise == 0.0);
  assert_int_equal(dppair_calibrate_scale(&noise, &epsilon, TEST_NAN, 1, 1e-9, never, NULL),
                   DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_calibrate_scale(&noise, &epsilon, 0, 1, 1e-9, never, NULL),
                   DPPAIR_ERR_EPSILON);
}

/* 100 releases over all records within (2, 1e-5). */
static dppair_plan plan_of(dppair_adjacency adjacency) {
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.epsilon = 2;
  plan.delta = 1e-5;
  plan.steps = 100;
  plan.sampling = dppair_sampling_all(1000, adjacency);
  return plan;
}

static void a_plan_beside_plain_gaussian_steps_uses_the_whole_budget(void **state) {
  dppair_accountant a;
  dppair_plan plan = plan_of(DPPAIR_REPLACE_ONE);
  double epsilon, mu;
  int i;
  (void)state;
  dppair_accountant_init(&a);
  assert_ok(calibrate(&plan, &a, NULL, 0));
  assert_ok(dppair_gaussian_mu(&mu, 2, 1e-5));
  assert_close(plan.noise_multiplier, 10 / mu, 1e-13);
  for (i = 0; i < FEWER(2000); i++) {
    const double spent = uniform();
    dppair_accountant_init(&a);
    plan.epsilon = log_between(1e-2, 50);
    plan.delta = log_between(1e-12, 1e-2);
    plan.steps = 1 + (size_t)log_between(1, 1e6);
    assert_ok(dppair_gaussian_mu(&mu, plan.epsilon, 0.9 * plan.delta));
    assert_ok(dppair_accountant_gaussian(&a, mu * sqrt(spent), 1, 1));
    assert_ok(dppair_accountant_failure(&a, 0.1 * plan.delta * uniform()));
    assert_ok(calibrate(&plan, &a, NULL, 0));
    assert_ok(dppair_accountant_gaussian(&a, 1, plan.noise_multiplier, plan.steps));
    assert_ok(answer_epsilon(&epsilon, &a, plan.delta));
    assert_at_most(epsilon, plan.epsilon);
    assert_at_most(plan.epsilon, epsilon * (1 + 1e-12));
  }
}

/* What a plan may use beside other steps, and that one part in 10^8 less noise is too little. */
static void assert_plan_is_tight(dppair_plan *plan, const dppair_accountant *a, void *work,
                                 size_t bytes) {
  dppair_interval in;
  dppair_accountant more;
  dppair_step step;
  int i;
  assert_ok(calibrate(plan, a, work, bytes));
  memset(&step, 0, sizeof step);
  step.kind = DPPAIR_SAMPLED_GAUSSIAN;
  step.sampling = plan->sampling;
  if (plan->sampling.kind == DPPAIR_ALL) {
    step.kind = plan->noise == DPPAIR_LAPLACE ? DPPAIR_LAPLACE : DPPAIR_GAUSSIAN;
    step.sampling.n = 0;
  }
  step.steps = plan->steps;
  for (i = 0; i < 2; i++) {
    step.noise_multiplier = plan->noise_multiplier * (1.0 - 1e-8 * i);
    more = *a;
    assert_ok(dppair_accountant_step(&more, &step));
    if (plan->delta > 0)
      assert_ok(certify(&in, &more, plan->delta, work, bytes));
    else
      assert_ok(answer_epsilon(&in.upper, &more, 0));
    assert_int_equal(in.upper <= plan->epsilon, i == 0);
  }
}

static void a_plan_beside_other_steps_keeps_the_budget_and_wastes_nothing(void **state) {
  dppair_accountant a;
  dppair_plan plan = plan_of(DPPAIR_ZERO_OUT);
  size_t bytes;
  char *work;
  (void)state;
  assert_ok(dppair_composer_workspace(&bytes, NULL));
  work = (char *)malloc(bytes + 8);
  dppair_accountant_init(&a);
  plan.sampling = test_sampling(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 0.01, 0, 0);
  plan.steps = 10000;
  assert_plan_is_tight(&plan, &a, work, bytes);
  assert_close(plan.noise_multiplier, 2.127375, 1e-6);
  assert_ok(dppair_accountant_gaussian(&a, 1, 10, 3)); /* a fixed cost */
  assert_plan_is_tight(&plan, &a, work, bytes);
  assert_true(plan.noise_multiplier > 2.128);
  assert_ok(dppair_accountant_sampled_gaussian(
      &a, test_sampling(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 0.1, 0, 0), 1, 2, 10));
  plan.sampling = dppair_sampling_all(1000, DPPAIR_ZERO_OUT); /* beside sampled steps */
  plan.steps = 1;
  assert_plan_is_tight(&plan, &a, work, bytes);
  dppair_accountant_init(&a); /* delta = 0 */
  assert_ok(dppair_accountant_pure(&a, 0.5, 1));
  plan.noise = DPPAIR_LAPLACE;
  plan.delta = 0;
  plan.steps = 3;
  assert_plan_is_tight(&plan, &a, work, bytes);
  assert_close(plan.noise_multiplier, 2.0, 1e-8);
  /* any alignment */
  plan = plan_of(DPPAIR_ZERO_OUT);
  plan.sampling = test_sampling(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 0.01, 0, 0);
  assert_ok(calibrate(&plan, &a, work + 3, bytes + 5));
  free(work);
}

static void a_plan_that_cannot_be_kept_is_refused_and_says_why(void **state) {
  dppair_accountant a, spent, other, raw;
  dppair_plan good = plan_of(DPPAIR_REPLACE_ONE), plan;
  size_t bytes;
  void *work;
  (void)state;
  assert_ok(dppair_composer_workspace(&bytes, NULL));
  work = malloc(bytes);
  memset(&raw, 0, sizeof raw);
  dppair_accountant_init(&a);
  dppair_accountant_init(&spent);
  assert_ok(dppair_accountant_gaussian(&spent, 1, 1, 1));
  dppair_accountant_init(&other);
  assert_ok(dppair_accountant_sampled_gaussian(
      &other, test_sampling(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 0.1, 0, 0), 1, 2, 10));
#define NOT_KEPT(account, change, want)                                                            \
  do {                                                                                             \
    plan = good;                                                                                   \
    plan.noise_multiplier = 7;                                                                     \
    change;                                                                                        \
    assert_int_equal(calibrate(&plan, (account), work, bytes), want);                              \
    assert_true(plan.noise_multiplier == 0.0);                                                     \
  } while (0)
  assert_int_equal(calibrate(NULL, &a, NULL, 0), DPPAIR_ERR_NULL);
  NOT_KEPT(NULL, (void)0, DPPAIR_ERR_NULL);
  NOT_KEPT(&raw, (void)0, DPPAIR_ERR_DOMAIN);
  NOT_KEPT(&spent, (void)0, DPPAIR_ERR_EXHAUSTED);
  NOT_KEPT(&spent, plan.sampling.adjacency = DPPAIR_ZERO_OUT, DPPAIR_ERR_EXHAUSTED);
  NOT_KEPT(&other, plan.epsilon = 1e-3, DPPAIR_ERR_EXHAUSTED);
  NOT_KEPT(&a, plan.epsilon = 0, DPPAIR_ERR_EPSILON);
  NOT_KEPT(&a, plan.epsilon = -1, DPPAIR_ERR_EPSILON);
  NOT_KEPT(&a, plan.epsilon = TEST_NAN, DPPAIR_ERR_NOT_FINITE);
  NOT_KEPT(&a, plan.delta = TEST_INF, DPPAIR_ERR_NOT_FINITE);
  NOT_KEPT(&a, plan.delta = 0, DPPAIR_ERR_DELTA);
  NOT_KEPT(&a, plan.delta = 1, DPPAIR_ERR_DELTA);
  /* a law with a pure epsilon, which a delta of 0 would suffice for */
  NOT_KEPT(&a, (plan.noise = DPPAIR_LAPLACE, plan.delta = -1e-9), DPPAIR_ERR_DELTA);
  NOT_KEPT(&a, (plan.noise = DPPAIR_LAPLACE, plan.delta = 1), DPPAIR_ERR_DELTA);
  NOT_KEPT(&a, (plan.noise = DPPAIR_LAPLACE, plan.delta = TEST_NAN), DPPAIR_ERR_NOT_FINITE);
  NOT_KEPT(&a, plan.steps = 0, DPPAIR_ERR_STEPS);
  NOT_KEPT(&a, plan.sampling.adjacency = (dppair_adjacency)0, DPPAIR_ERR_ADJACENCY);
  NOT_KEPT(&a, plan.sampling.adjacency = (dppair_adjacency)3, DPPAIR_ERR_ADJACENCY);
  NOT_KEPT(&a, plan.sampling.n = 1, DPPAIR_ERR_SIZE);
  NOT_KEPT(&a, plan.sampling.m = 10, DPPAIR_ERR_UNREAD);
  NOT_KEPT(&a, plan.sampling.kind = DPPAIR_POISSON, DPPAIR_ERR_RATE);
  NOT_KEPT(&a, plan.noise = DPPAIR_PURE, DPPAIR_ERR_LAW);
  NOT_KEPT(&a, plan.noise = DPPAIR_SAMPLED_PAIRS, DPPAIR_ERR_LAW);
#undef NOT_KEPT
  plan = good;
  plan.epsilon = 3;
  plan.noise_multiplier = 7;
  assert_int_equal(calibrate(&plan, &other, NULL, 0), DPPAIR_ERR_WORKSPACE);
  assert_true(plan.noise_multiplier == 0.0);
  plan.noise_multiplier = 7;
  assert_int_equal(calibrate(&plan, &other, &raw, 8), DPPAIR_ERR_WORKSPACE);
  assert_true(plan.noise_multiplier == 0.0);
  free(work);
}

/* The certified enclosure holds the exact value, and is never above the Renyi orders. */
static void a_certified_enclosure_holds_the_exact_epsilon(void **state) {
  dppair_interval in, orders;
  dppair_accountant a;
  double renyi, order;
  void *w;
  size_t bytes;
  (void)state;
  assert_ok(dppair_composer_workspace(&bytes, NULL));
  w = malloc(bytes);
  dppair_accountant_init(&a);
  assert_ok(dppair_accountant_gaussian(&a, 1, 10, 100));
  assert_ok(certify(&in, &a, 1e-5, w, bytes));
  assert_true(in.lower <= 4.3771780956812 && in.upper >= 4.3771780956812 &&
              in.upper - in.lower < 1e-9);
  a = sampled(0.01, 1, 10000);
  assert_ok(certify(&in, &a, 1e-5, w, bytes));
  assert_true(in.lower <= 6.1877123900 && in.upper >= 6.1877123899 && in.upper - in.lower < 1e-8);
  /* With a failure probability the upper end moves up, the lower stays. */
  assert_ok(dppair_accountant_failure(&a, 5e-6));
  assert_ok(certify(&in, &a, 1e-5, w, bytes));
  assert_true(in.upper > 6.3 && in.lower < 6.18772);
  /* zCDP has no dominating pair: its epsilon is added, or Renyi orders rule. */
  assert_ok(charge_zcdp(&a, 0.01, 1));
  assert_ok(certify(&in, &a, 1e-5, w, bytes));
  assert_ok(renyi_orders(&renyi, &order, &a, 1e-5));
  assert_int_equal(certify(&orders, &a, 1e-5, NULL, 0), DPPAIR_ERR_WORKSPACE);
  assert_true(orders.upper == 0.0 && orders.bytes > 0 && orders.bytes <= bytes);
  assert_ok(renyi_epsilon(&orders, &a, 1e-5));
  assert_true(orders.route == DPPAIR_ROUTE_RENYI && orders.upper == renyi && orders.lower == 0.0);
  assert_true(orders.order == order && order > 1.0);
  assert_true(in.upper <= renyi && in.upper > 6.3 && in.lower > 6.187 && in.lower < 6.18772);
  free(w);
}

/* Delta is certified like epsilon: the two are inverse to each other where the bounds are tight. */
static void a_certified_delta_is_the_inverse_of_the_certified_epsilon(void **state) {
  dppair_interval in, back, orders;
  dppair_accountant a, folded;
  double d;
  char *w;
  size_t bytes;
  int i;
  (void)state;
  assert_ok(dppair_composer_workspace(&bytes, NULL));
  w = (char *)malloc(bytes + 1);
  /* the exact curve, with and without memory */
  dppair_accountant_init(&a);
  assert_ok(certify_delta(&in, &a, 1, NULL, 0));
  assert_true(in.upper == 0.0 && in.lower == 0.0);
  assert_ok(dppair_accountant_gaussian(&a, 1, 10, 100));
  assert_ok(certify_delta(&in, &a, 1, NULL, 0));
  assert_ok(dppair_gaussian_delta(&d, 1, 1));
  assert_close(in.upper, d, 1e-13);
  assert_true(in.lower < d && in.lower > d * (1 - 1e-12) && in.order == 0.0);
  assert_ok(dppair_accountant_failure(&a, 0.25)); /* counted above, not below */
  assert_ok(certify_delta(&in, &a, 1, NULL, 0));
  assert_close(in.upper, d + 0.25, 1e-13);
  assert_true(in.lower < d && in.lower > d * (1 - 1e-12));
  a = sampled(0.5, 2, 10); /* much is lost, and what fails besides: no more than all */
  assert_ok(dppair_accountant_failure(&a, 0.75));
  assert_ok(certify_delta(&in, &a, 0, w, bytes));
  assert_true(in.upper == 1.0 && in.lower > 0.25 && in.route != DPPAIR_ROUTE_RENYI);
  /* composition */
  for (i = 0; i < 6; i++) {
    a = sampled(0.01, 1 + 0.2 * i, 10000);
    if (i > 1) assert_ok(dppair_accountant_gaussian(&a, 1, 50, 10));
    if (i == 3) assert_ok(dppair_accountant_failure(&a, 1e-9));
    if (i == 4) assert_ok(charge_zcdp(&a, 1e-4, 1));
    if (i == 5) assert_ok(dppair_accountant_pure(&a, 1e-11, 10)); /* negligible */
    assert_ok(certify(&in, &a, 1e-5, w, bytes));
    assert_ok(certify_delta(&back, &a, in.upper, w + 1, bytes));
    assert_true(back.lower <= 1e-5 * (1 + 1e-9) && back.lower <= back.upper);
    assert_true(back.estimate >= back.lower && back.estimate <= back.upper);
    if (i == 4) { /* of both kinds of steps: no single route; the other steps below */
      assert_int_equal(back.route, DPPAIR_ROUTE_BEST);
      assert_true(back.order == 0.0 && back.upper <= 1e-5 * 1.0011 && back.upper > 0.998e-5);
      assert_true(back.lower > 5e-6);
    } else {
      assert_close(back.upper, 1e-5, 1e-4);
      assert_true(back.lower > 0.999 * 1e-5 || i == 3);
      assert_true(back.route == DPPAIR_ROUTE_CONTOUR && back.order == 0.0);
    }
    /* without memory nothing; by Renyi orders the best of them, and the order */
    assert_int_equal(certify_delta(&orders, &a, 2, NULL, 0), DPPAIR_ERR_WORKSPACE);
    assert_true(orders.upper == 0.0 && orders.bytes > 0 && orders.bytes <= bytes);
    assert_ok(renyi_delta(&orders, &a, 2));
    assert_ok(answer_delta(&d, &a, 2));
    assert_true(orders.upper == d && orders.lower == 0.0 && orders.order > 1.0);
    assert_int_equal(orders.route, DPPAIR_ROUTE_RENYI);
  }
  /* pure sums: nothing is left of delta from their epsilon on */
  dppair_accountant_init(&a);
  assert_ok(dppair_accountant_pure(&a, 0.25, 4));
  assert_ok(certify_delta(&in, &a, 1 + 1e-14, w, bytes));
  assert_true(in.upper == 0.0 && in.route == DPPAIR_ROUTE_PURE);
  assert_ok(certify_delta(&in, &a, 0.99, w, bytes));
  assert_true(in.upper > 0.0 && in.lower > 0.0 && in.upper < 0.01);
  /* more distinct steps than the table holds: one of the fixed orders */
  dppair_accountant_init(&folded);
  for (i = 0; i <= DPPAIR_STEP_CAPACITY; i++)
    assert_ok(dppair_accountant_sampled_gaussian(
        &folded, test_sampling(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 0.01, 0, 0), 1, 2 + 0.01 * i, 10));
  assert_ok(certify_delta(&in, &folded, 1, w, bytes));
  assert_true(in.lower == 0.0 && in.route == DPPAIR_ROUTE_RENYI);
  for (i = 0; i < DPPAIR_ORDER_COUNT && in.order != dppair_renyi_order_((size_t)i); i++) continue;
  assert_true(i < DPPAIR_ORDER_COUNT);
  assert_close(dppair_renyi_order_(0), 1.01, 1e-15);
  assert_close(dppair_renyi_order_(DPPAIR_ORDER_COUNT - 1), 10001, 1e-12);
  free(w);
}

static void a_certificate_refuses_bad_questions_and_is_zeroed(void **state) {
  const dppair_interval five = {5, 5, 5, 5, DPPAIR_ROUTE_BOTH, 0};
  dppair_accountant a = sampled(0.01, 1, 100), broken, raw;
  dppair_interval in;
  size_t bytes;
  char *w;
  (void)state;
  memset(&raw, 0, sizeof raw);
  dppair_accountant_init(&broken);
  assert_int_equal(dppair_accountant_gaussian(&broken, 1, 0, 1), DPPAIR_ERR_SIGMA);
  assert_int_equal(dppair_composer_workspace(NULL, NULL), DPPAIR_ERR_NULL);
  assert_ok(dppair_composer_workspace(&bytes, NULL));
  w = (char *)malloc(bytes);
#define NO_ANSWER(call, want)                                                                      \
  do {                                                                                             \
    in = five;                                                                                     \
    assert_int_equal(call, want);                                                                  \
    assert_true(in.upper == 0.0 && in.lower == 0.0 && in.estimate == 0.0 && in.order == 0.0);      \
    assert_int_equal(in.route, DPPAIR_ROUTE_BEST);                                                 \
  } while (0)
  assert_int_equal(certify(NULL, &a, 1e-5, w, bytes), DPPAIR_ERR_NULL);
  NO_ANSWER(certify(&in, NULL, 1e-5, w, bytes), DPPAIR_ERR_NULL);
  NO_ANSWER(certify(&in, &a, 1e-5, NULL, 0), DPPAIR_ERR_WORKSPACE);
  assert_true(in.bytes > 0 && in.bytes <= bytes);
  assert_ok(certify(&in, &a, 1e-5, w, in.bytes));
  NO_ANSWER(certify(&in, &a, 1e-5, w, 0), DPPAIR_ERR_WORKSPACE);
  NO_ANSWER(certify(&in, &a, 1e-5, w + 1, 3), DPPAIR_ERR_WORKSPACE);
  NO_ANSWER(certify(&in, &a, 1e-5, w, 1000), DPPAIR_ERR_WORKSPACE);
  NO_ANSWER(certify_delta(&in, &a, 1, w, 1000), DPPAIR_ERR_WORKSPACE);
  NO_ANSWER(certify(&in, &a, TEST_NAN, w, bytes), DPPAIR_ERR_NOT_FINITE);
  NO_ANSWER(certify(&in, &a, 0, w, bytes), DPPAIR_ERR_DELTA);
  NO_ANSWER(certify(&in, &a, 1, w, bytes), DPPAIR_ERR_DELTA);
  NO_ANSWER(certify_delta(&in, &a, -1, w, bytes), DPPAIR_ERR_EPSILON);
  NO_ANSWER(certify_delta(&in, &a, TEST_INF, w, bytes), DPPAIR_ERR_NOT_FINITE);
  NO_ANSWER(certify(&in, &broken, 1e-5, w, bytes), DPPAIR_ERR_SIGMA);
  NO_ANSWER(certify_delta(&in, &broken, 1, w, bytes), DPPAIR_ERR_SIGMA);
  NO_ANSWER(certify_delta(&in, &raw, 1, NULL, 0), DPPAIR_ERR_DOMAIN);
  assert_ok(dppair_accountant_failure(&a, 1e-5));
  NO_ANSWER(certify(&in, &a, 1e-5, w, bytes), DPPAIR_ERR_DELTA);
#undef NO_ANSWER
  free(w);
}

/* Random accounts of every kind of step: Renyi orders never below the certified lower end, which is
 * below the upper; more noise, fewer steps, larger delta never cost more. */
static void renyi_orders_are_never_below_the_certified_lower_end(void **state) {
  dppair_interval in;
  void *w;
  size_t bytes;
  int i;
  (void)state;
  assert_ok(dppair_composer_workspace(&bytes, NULL));
  w = malloc(bytes);
  for (i = 0; i < FEWER(few_or_all(32, 160)) + 16; i++) {
    const double z = log_between(0.7, 30), q = log_between(1e-4, 0.5);
    const size_t n = 100 + random_bits() % 10000, m = 1 + random_bits() % 40;
    const size_t steps = (size_t)log_between(100, 5000);
    const double delta = log_between(1e-12, 1e-3);
    dppair_step s;
    dppair_accountant a, b;
    double renyi, order, other, d;
    memset(&s, 0, sizeof s);
    s.kind = i % 2 ? DPPAIR_SAMPLED_GAUSSIAN : DPPAIR_SAMPLED_PAIRS;
    s.noise_multiplier = z;
    s.steps = steps;
    switch (i % 8) {
    case 0: /* Poisson pairs, mean hits below 1 */
      s.sampling = test_sampling(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 0, n, 0);
      s.pair_rate = q / (double)n;
      break;
    case 1:
      s.sampling = test_sampling(DPPAIR_POISSON, DPPAIR_ZERO_OUT, q, 0, 0);
      break;
    case 2:
      s.sampling = test_sampling(DPPAIR_POISSON, DPPAIR_REPLACE_ONE, 0, n, 0);
      s.pair_rate = q / (double)n;
      break;
    case 3:
      s.sampling = test_sampling(DPPAIR_POISSON, DPPAIR_REPLACE_ONE, q, 0, 0);
      break;
    case 4:
      s.sampling = test_sampling(DPPAIR_WITH_REPLACEMENT, DPPAIR_REPLACE_ONE, 0, n, m);
      break;
    case 5:
      s.sampling = test_sampling(DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_REPLACE_ONE, 0, n, m);
      break;
    case 6:
      s.sampling = test_sampling(DPPAIR_MATCHING, DPPAIR_REPLACE_ONE, q, 0, 0);
      break;
    default:
      s.sampling = test_sampling(DPPAIR_WITH_REPLACEMENT, DPPAIR_REPLACE_ONE, 0, n, m);
    }
    dppair_accountant_init(&a);
    assert_ok(dppair_accountant_step(&a, &s));
    if (i % 5 == 0) assert_ok(dppair_accountant_gaussian(&a, 1, 20, 3));
    if (renyi_orders(&renyi, &order, &a, delta) != DPPAIR_OK) continue;
    assert_true(dppair_isfinite_f64(renyi) && renyi >= 0.0);
    if (certify(&in, &a, delta, w, bytes) == DPPAIR_OK) {
      assert_true(in.lower <= in.upper && in.upper >= 0.0);
      assert_at_most(in.lower, renyi * (1.0 + 1e-9));
    }
    assert_ok(answer_delta(&d, &a, renyi));
    assert_at_most(d, delta * 1.05); /* hits are capped at slightly different places */
    assert_ok(renyi_orders(&other, &order, &a, delta * 1.1));
    assert_at_most(other, renyi * (1.0 + 1e-6) + 1e-9);
    s.noise_multiplier *= 1.02;
    dppair_accountant_init(&b);
    assert_ok(dppair_accountant_step(&b, &s));
    assert_ok(renyi_orders(&other, &order, &b, delta));
    assert_at_most(other, renyi * (1.0 + 1e-6) + 1e-9);
    s.steps -= s.steps / 50;
    dppair_accountant_init(&b);
    assert_ok(dppair_accountant_step(&b, &s));
    assert_ok(renyi_orders(&other, &order, &b, delta));
    assert_at_most(other, renyi * (1.0 + 1e-6) + 1e-9);
  }
  free(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(the_gaussian_curve_matches_wide_arithmetic_from_above),
      TEST(the_gaussian_curve_has_its_published_values),
      TEST(the_gaussian_curve_at_its_ends_is_never_zero_or_nan),
      TEST(the_gaussian_curve_is_monotone_and_its_inverses_agree),
      TEST(binomial_tails_and_quantiles_match_sums_and_known_answers),
      TEST(accounts_have_their_known_epsilons),
      TEST(accounts_of_sampled_pairs_have_their_known_epsilons),
      TEST(the_best_order_is_no_worse_than_a_fine_list_of_orders),
      TEST(a_full_table_folds_and_still_covers_every_step),
      TEST(a_refused_step_spoils_the_account_for_good),
      TEST(groups_cost_their_size),
      TEST(a_scaled_composition_keeps_the_budget_and_wastes_nothing),
      TEST(a_plan_beside_plain_gaussian_steps_uses_the_whole_budget),
      TEST(a_plan_beside_other_steps_keeps_the_budget_and_wastes_nothing),
      TEST(a_plan_that_cannot_be_kept_is_refused_and_says_why),
      TEST(a_certified_enclosure_holds_the_exact_epsilon),
      TEST(a_certified_delta_is_the_inverse_of_the_certified_epsilon),
      TEST(a_certificate_refuses_bad_questions_and_is_zeroed),
      TEST(renyi_orders_are_never_below_the_certified_lower_end),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
