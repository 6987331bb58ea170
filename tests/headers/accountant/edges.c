/* SPDX-License-Identifier: MIT */
/* The accountant where numbers end: delta next to 1, huge mu, many levels, negligible steps, 2^40
 * steps, failures that are no numbers, other rounding modes. */
#include "dppair_shares.h"
#include "accountant_common.h"
#include "dppair_filters.h"
#include "dppair_iterates.h"
#include "questions.h"
#include <fenv.h>

static void *workspace;
static size_t bytes;

static int allocate(void **state) {
  (void)state;
  if (dppair_composer_workspace(&bytes, NULL) != DPPAIR_OK) return 1;
  workspace = malloc(bytes);
  return workspace == NULL;
}

static int release(void **state) {
  (void)state;
  free(workspace);
  return 0;
}

static dppair_sampling poisson(double q) {
  return test_sampling(DPPAIR_POISSON, DPPAIR_ZERO_OUT, q, 0, 0);
}

static double certified(const dppair_accountant *a, double delta, double *lower) {
  dppair_interval in;
  assert_ok(certify(&in, a, delta, workspace, bytes));
  assert_true(in.lower <= in.upper);
  *lower = in.lower;
  return in.upper;
}

/* ---- The curve ------------------------------------------------------------------------------- */

static void delta_next_to_1_gives_no_negative_mu(void **state) {
  double mu, sigma, budget;
  dppair_filter f;
  int i;
  (void)state;
  assert_ok(dppair_gaussian_mu(&mu, 20000.0, 1.0 - 1e-15));
  assert_true(mu > 0.0 && mu < 210.0);
  assert_ok(dppair_gaussian_sigma(&sigma, 1.0, 20000.0, 1.0 - 1e-15, 1));
  assert_true(sigma > 4.7e-3);
  assert_ok(dppair_filter_init(&f, 20000.0, 1.0 - 1e-15, 0.0));
  assert_true(dppair_isfinite_f64(f.budget) && f.budget < 210.0 * 210.0);
  assert_int_equal(dppair_filter_step(&f, 1e6), DPPAIR_ERR_EXHAUSTED);
  assert_ok(dppair_individual_budget(&budget, 20000.0, 1.0 - 1e-15, DPPAIR_ZERO_OUT, 0));
  assert_true(dppair_isfinite_f64(budget) && budget < 210.0 * 210.0 / 2);
  for (i = 0; i < FEWER(40000); i++) {
    const double epsilon = log_between(1e-3, i % 2 ? 1e8 : 1e100);
    const double delta = 1.0 - log_between(1.2e-16, 1e-3);
    double reached;
    if (!(delta < 1.0)) continue;
    assert_ok(dppair_gaussian_mu(&mu, epsilon, delta));
    assert_true(mu > 0.0 && dppair_isfinite_f64(mu));
    assert_ok(dppair_gaussian_delta(&reached, epsilon, mu));
    assert_at_most(reached, delta * (1.0 + 1e-12));
    /* below the point where half of it all is lost: mu = sqrt(2 epsilon) has delta about 1/2 */
    assert_at_most(mu, sqrt(2.0 * epsilon) + 40.0);
  }
}

#if WIDE_IS_QUAD
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
#endif

/* epsilon/mu beyond 2^53: what t lost in rounding is more than 1 there, and the kernel no number. */
static void far_out_delta_is_a_number(void **state) {
  int i, k;
  (void)state;
  for (i = 0; i < FEWER(20000); i++) {
    const double mu = log_between(1e-200, 1), t = log_between(1e3, 1e90);
    double e = mu * (t + 0.5 * mu);
    for (k = 0; k < 3; k++, e *= 1.0 + 3e-15) {
      double delta, log_delta;
      assert_ok(dppair_gaussian_delta(&delta, e, mu));
      assert_true(delta >= DBL_MIN && delta <= DBL_MIN);
      assert_ok(dppair_gaussian_log_delta(&log_delta, e, mu));
      assert_true(log_delta <= 0.0);
      assert_true(log_delta <= -0.5 * t * t * (1.0 - 1e-12));
      assert_true(log_delta >= -0.5 * t * t * (1.0 + 1e-12) - 1500.0); /* mu and 1/t^2 in it */
    }
  }
  {
    double delta;
    assert_ok(dppair_gaussian_delta(&delta, 9007199254740992.0, 0.001));
    assert_true(delta >= DBL_MIN && delta <= DBL_MIN);
  }
}

static void delta_at_a_huge_mu_is_not_below_the_truth(void **state) {
  double delta, epsilon;
  int i;
  (void)state;
#if WIDE_IS_QUAD
  assert_ok(dppair_gaussian_delta(&delta, 996366.7779977092, 1412.5555276873447));
  assert_true((wide)delta >= wide_delta(996366.7779977092, 1412.5555276873447));
  for (i = 0; i < FEWER(60000); i++) {
    const double mu = log_between(1e-3, i % 3 == 0 ? 1e14 : 1e9);
    const double t = -8.0 + 30.0 * uniform(), e = mu * (0.5 * mu + t);
    double log_delta;
    wide exact;
    if (!(e > 0.0)) continue;
    exact = wide_delta(e, mu);
    assert_ok(dppair_gaussian_delta(&delta, e, mu));
    assert_true((wide)delta >= exact);
    if (exact > 1e-300 && mu < 0.9e9) assert_close(delta, exact, 1e-12);
    assert_ok(dppair_gaussian_log_delta(&log_delta, e, mu));
    assert_true((wide)log_delta >= wlog(exact));
  }
#endif
  for (i = 0; i < 2000; i++) { /* and on to where t has no digits */
    const double mu = log_between(1e12, 1e60);
    assert_ok(dppair_gaussian_delta(&delta, 0.5 * mu * mu, mu));
    assert_true(delta >= 0.5);
    assert_ok(dppair_gaussian_epsilon(&epsilon, 1e-5, mu));
    assert_true(epsilon >= 0.5 * mu * mu);
    assert_ok(dppair_gaussian_delta(&delta, epsilon, mu));
    assert_at_most(delta, 1e-5 * (1 + 1e-9));
  }
}

static void stirling_keeps_its_digits(void **state) {
  (void)state;
#if WIDE_IS_QUAD
  int n;
  wide log_factorial = 0;
  for (n = 1; n < 200; n++) {
    const wide x = (wide)n;
    wide error;
    log_factorial += wlog(x);
    error = log_factorial - (wlog(2 * WIDE_PI) / 2 + wlog(x) / 2 + x * wlog(x) - x);
    assert_true(fabs((double)((wide)dppair_stirling_error_((double)n) - error)) <= 2e-16);
  }
#endif
}

/* ---- Accounts -------------------------------------------------------------------------------- */

static void many_noise_levels_stay_tight(void **state) {
  dppair_interval in;
  static dppair_step list[100];
  static const int levels[3] = {33, 40, 100};
  int k, i;
  (void)state;
  for (k = 0; k < 3; k++) {
    dppair_accountant a;
    double upper, renyi;
    dppair_accountant_init(&a);
    for (i = 0; i < levels[k]; i++) {
      memset(&list[i], 0, sizeof list[i]);
      list[i].kind = DPPAIR_SAMPLED_GAUSSIAN;
      list[i].sampling = poisson(0.01);
      list[i].noise_multiplier = 1.0 + 0.01 * i;
      list[i].steps = 100;
      assert_ok(dppair_accountant_step(&a, &list[i]));
    }
    assert_ok(
        compose(&in, list, (size_t)levels[k], 1e-5, DPPAIR_ROUTE_BEST, workspace, bytes));
    upper = certified(&a, 1e-5, &in.lower);
    assert_ok(answer_epsilon(&renyi, &a, 1e-5));
    assert_at_most(upper, in.upper * (1.0 + 1e-12));
    assert_at_most(upper, 0.95 * renyi);
    assert_true(in.lower > 0.999 * upper);
  }
}

static void a_negligible_step_does_not_ruin_an_account(void **state) {
  dppair_accountant a, b;
  double lower, e;
  int i;
  (void)state;
  dppair_accountant_init(&a);
  assert_ok(dppair_accountant_sampled_gaussian(&a, poisson(0.01), 1, 1, 10000));
  for (i = 0; i < 7; i++) {
    b = a;
    if (i == 0) assert_ok(dppair_accountant_gaussian(&b, 1, 1e13, 1));
    if (i == 1) assert_ok(dppair_accountant_gaussian(&b, 1, 1e80, 1000));
    if (i == 2) assert_ok(dppair_accountant_sampled_gaussian(&b, poisson(0.5), 1, 1e12, 1));
    if (i == 3) assert_ok(dppair_accountant_sampled_gaussian(&b, poisson(1e-9), 1, 1e60, 99));
    if (i == 4) assert_ok(dppair_accountant_laplace(&b, 1, 1e13, 1));
    if (i == 5) assert_ok(dppair_accountant_pure(&b, 1e-12, 100));
    if (i == 6) assert_ok(charge_zcdp(&b, 1e-12, 1));
    e = certified(&b, 1e-5, &lower);
    assert_close(e, 6.18771239, i == 6 ? 1e-3 : 1e-8);
    assert_close(lower, 6.18771239, 1e-8);
    assert_true(e >= 6.18771238);
  }
}

/* Each share of delta is a valid one: never below the account without the step, never above the
 * best Renyi order of everything. */
static void zcdp_beside_other_steps_is_charged_in_full(void **state) {
  static const double rho[5] = {1e-9, 1e-4, 0.01, 0.3, 3};
  int i;
  (void)state;
  for (i = 0; i < 5; i++) {
    dppair_accountant a, b;
    double with, without, lower, renyi;
    dppair_accountant_init(&a);
    assert_ok(dppair_accountant_gaussian(&a, 1, 2, 3));
    assert_ok(dppair_accountant_sampled_gaussian(&a, poisson(0.02), 1, 1.2, 800));
    b = a;
    assert_ok(charge_zcdp(&b, rho[i], 1));
    without = certified(&a, 1e-6, &lower);
    with = certified(&b, 1e-6, &lower);
    assert_ok(answer_epsilon(&renyi, &b, 1e-6));
    assert_true(with >= without && with <= renyi);
    assert_true(lower <= without && lower > 0.0);
    { /* a Gaussian step is one zCDP mechanism: the bound covers it */
      dppair_accountant c = a;
      assert_ok(dppair_accountant_gaussian(&c, sqrt(2.0 * rho[i]), 1, 1));
      assert_at_most(certified(&c, 1e-6, &lower), with * (1.0 + 1e-9));
    }
  }
}

static void more_than_2_to_the_30_steps_compose(void **state) {
  double last = 0.0, lower;
  int k;
  (void)state;
  for (k = 29; k <= 40 && k < (int)(8 * sizeof(size_t)); k++) {
    dppair_accountant a;
    double e, mu, limit;
    dppair_accountant_init(&a);
    assert_ok(dppair_accountant_sampled_gaussian(&a, poisson(1e-6), 1, 1, (size_t)1 << k));
    e = certified(&a, 1e-5, &lower);
    assert_true(lower > 0.9999999 * e);
    assert_true(e > last);
    /* the central limit: mu = q sqrt(T (e^(1/z^2) - 1)) */
    mu = 1e-6 * sqrt(ldexp(1, k) * expm1(1));
    assert_ok(dppair_gaussian_epsilon(&limit, 1e-5, mu));
    assert_close(e, limit, k < 32 ? 0.2 : 0.05);
    last = e;
  }
}

static void failures_that_are_no_probabilities_are_refused(void **state) {
  static const double failure[4] = {TEST_NAN, -1, -1e-300, 1.5};
  dppair_step s;
  int i;
  (void)state;
  memset(&s, 0, sizeof s);
  s.kind = DPPAIR_GAUSSIAN;
  s.noise_multiplier = 1;
  s.steps = 1;
  for (i = 0; i < 4; i++) {
    dppair_accountant a;
    dppair_ledger_entry entry;
    char line[DPPAIR_LEDGER_LINE];
    size_t length;
    double e;
    const dppair_status want = i == 0 ? DPPAIR_ERR_NOT_FINITE : DPPAIR_ERR_DOMAIN;
    memset(&entry, 0, sizeof entry);
    entry.step = s;
    entry.failure = failure[i];
    dppair_accountant_init(&a);
    assert_int_equal(dppair_ledger_step(&a, &entry, no_line, NULL), want);
    assert_int_equal(answer_epsilon(&e, &a, 1e-5), want);
    assert_int_equal(dppair_ledger_write(line, sizeof line, &length, &entry), want);
  }
}

/* ---- Rounding modes -------------------------------------------------------------------------- */

static void another_rounding_mode_is_refused(void **state) {
  static const int mode[3] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  int i;
  (void)state;
  for (i = 0; i < 3; i++) {
    dppair_accountant a, fresh, charged;
    dppair_step s;
    dppair_filter f;
    dppair_interval in;
    dppair_ledger_entry entry;
    dppair_plan plan;
    char line[DPPAIR_LEDGER_LINE];
    size_t length, k;
    double x[1], v;
    dppair_status got[25];
    int n = 0, j;
    memset(&s, 0, sizeof s);
    s.kind = DPPAIR_SAMPLED_GAUSSIAN;
    s.sampling = poisson(0.1);
    s.noise_multiplier = 2;
    s.steps = 100;
    memset(&entry, 0, sizeof entry);
    entry.step = s;
    entry.sequence = 1;
    memset(&plan, 0, sizeof plan);
    plan.epsilon = 1;
    plan.delta = 1e-5;
    plan.steps = 100;
    plan.sampling = s.sampling;
    dppair_accountant_init(&a);
    assert_ok(dppair_accountant_step(&a, &s));
    dppair_accountant_init(&fresh);
    charged = a;
    assert_ok(dppair_filter_init(&f, 1, 1e-5, 0));
    assert_int_equal(fesetround(mode[i]), 0);
    got[n++] = dppair_gaussian_delta(&v, 1, 1);
    got[n++] = dppair_gaussian_log_delta(&v, 1, 1);
    got[n++] = dppair_gaussian_epsilon(&v, 1e-5, 1);
    got[n++] = dppair_gaussian_mu(&v, 1, 1e-5);
    got[n++] = dppair_gaussian_sigma(&v, 1, 1, 1e-5, 1);
    got[n++] = dppair_binomial_quantile_(&k, &v, 100, 0.1, 1e-5);
    got[n++] = dppair_renyi(&v, &x[0], &s, 2, 0);
    got[n++] = answer_epsilon(&v, &a, 1e-5);
    got[n++] = answer_delta(&v, &a, 1);
    got[n++] = certify(&in, &a, 1e-5, workspace, bytes);
    got[n++] = compose(&in, &s, 1, 1e-5, DPPAIR_ROUTE_BEST, workspace, bytes);
    got[n++] = compose_delta(&in, &s, 1, 1, DPPAIR_ROUTE_BEST, workspace, bytes);
    s.steps = 1;
    got[n++] = compose(&in, &s, 1, 1e-5, DPPAIR_ROUTE_BEST, workspace, bytes);
    got[n++] = certify_delta(&in, &a, 1, workspace, bytes);
    got[n++] = compose(&in, &s, 1, 1e-5, DPPAIR_ROUTE_CONTOUR, workspace, bytes);
    got[n++] = compose(&in, &s, 1, 1e-5, DPPAIR_ROUTE_LATTICE, workspace, bytes);
    got[n++] = compose(&in, &s, 1, 1e-5, DPPAIR_ROUTE_RENYI, NULL, 0);
    got[n++] = calibrate(&plan, &a, workspace, bytes);
    got[n++] = dppair_filter_init(&f, 1, 1e-5, 2);
    got[n++] = dppair_group_privacy(&v, &x[0], 1, 1e-5, 2);
    got[n++] = dppair_individual_budget(&v, 1, 1e-5, DPPAIR_ZERO_OUT, 0);
    got[n++] = dppair_ledger_write(line, sizeof line, &length, &entry);
    got[n++] = dppair_accountant_gaussian(&fresh, 1, 1, 1);
    got[n++] = dppair_accountant_step(&charged, &s);
    got[n++] = dppair_ledger_step(&a, &entry, no_line, NULL);
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    for (j = 0; j < n; j++) {
      if (got[j] != DPPAIR_ERR_ENVIRONMENT) print_error("call %d\n", j);
      assert_int_equal(got[j], DPPAIR_ERR_ENVIRONMENT);
    }
    /* what could not be charged is not forgotten */
    assert_int_equal(answer_epsilon(&v, &fresh, 1e-5), DPPAIR_ERR_ENVIRONMENT);
    assert_int_equal(answer_epsilon(&v, &charged, 1e-5), DPPAIR_ERR_ENVIRONMENT);
    assert_int_equal(answer_epsilon(&v, &a, 1e-5), DPPAIR_ERR_ENVIRONMENT);
  }
}

static dppair_step test_step(dppair_mechanism_kind kind, dppair_sampling sampling) {
  dppair_step step;
  memset(&step, 0, sizeof step);
  step.kind = kind;
  step.sampling = sampling;
  step.noise_multiplier = 1.0;
  step.steps = 1;
  return step;
}

/* A plain step may leave its neighbours out, but what it states must agree: sigma over the move of
 * a zeroed record is twice the multiplier of a replaced one. */
static void an_adjacency_stated_on_a_plain_step_counts(void **state) {
  static const dppair_mechanism_kind kinds[5] = {DPPAIR_GAUSSIAN, DPPAIR_LAPLACE, DPPAIR_PURE,
                                                 DPPAIR_ZCDP, DPPAIR_RANDOMISED_RESPONSE};
  int k;
  (void)state;
  for (k = 0; k < 5; k++) {
    dppair_step plain = test_step(kinds[k], test_sampling(DPPAIR_ALL, DPPAIR_ZERO_OUT, 0, 0, 0));
    dppair_accountant a, b;
    assert_ok(dppair_accountant_init(&a));
    assert_ok(dppair_accountant_init(&b));
    assert_ok(dppair_accountant_step(&a, &plain));
    assert_int_equal(
        dppair_accountant_sampled_gaussian(
            &a, test_sampling(DPPAIR_POISSON, DPPAIR_REPLACE_ONE, .01, 0, 0), 1, 1, 100),
        DPPAIR_ERR_ADJACENCY);
    plain.sampling.adjacency = DPPAIR_REPLACE_ONE;
    assert_ok(dppair_accountant_step(&b, &plain));
    plain.sampling.adjacency = DPPAIR_ZERO_OUT;
    {
      dppair_accountant c = b;
      assert_int_equal(dppair_accountant_step(&c, &plain), DPPAIR_ERR_ADJACENCY);
    }
    plain.sampling.adjacency = (dppair_adjacency)17;
    assert_int_equal(dppair_accountant_step(&b, &plain), DPPAIR_ERR_ADJACENCY);
  }
}

/* Two records, one pair, zeroed: the sum moves by 1, the charge is for 2. */
static void pairs_that_are_zeroed_have_no_lower_bound(void **state) {
  dppair_accountant a, b;
  double lower;
  (void)state;
  assert_ok(dppair_accountant_init(&a));
  assert_ok(dppair_accountant_sampled_pairs(
      &a, test_sampling(DPPAIR_WITH_REPLACEMENT, DPPAIR_ZERO_OUT, 0, 2, 1), 1, 10, 100));
  assert_true(certified(&a, 1e-5, &lower) > 9.9);
  assert_true(lower <= 4.37717);
  assert_ok(dppair_accountant_init(&b));
  assert_ok(dppair_accountant_merge(&b, &a));
  assert_true(certified(&b, 1e-5, &lower) > 9.9);
  assert_true(lower <= 4.37717);
}

/* The chance of no hit is not a hit, wherever the most likely number of hits is 0. */
static void no_hit_is_counted_once(void **state) {
  dppair_step s = test_step(DPPAIR_SAMPLED_PAIRS,
                            test_sampling(DPPAIR_POISSON, DPPAIR_REPLACE_ONE, 0, 1001, 0));
  dppair_hits_ h;
  double sum;
  size_t k;
  (void)state;
  s.pair_rate = 5e-4;
  assert_ok(hits_of(&h, &s));
  for (sum = h.miss, k = 0; k < h.count; k++) sum += h.probability[k];
  assert_true(fabs(sum - 1.0) < 1e-9);
  assert_true(fabs(h.gamma - 0.393545) < 1e-5);
}

/* A field that was forgotten is no descent without a move. */
/* In the subnormal numbers a product is off by up to its half. */
static void a_subnormal_sensitivity_is_not_rounded_away(void **state) {
  const double least = DBL_MIN * DBL_EPSILON;
  double sigma;
  (void)state; /* delta(0) = 2 Phi(mu/2) - 1 is about 0.4 mu, and mu no number below 2 least */
  assert_ok(dppair_gaussian_sigma(&sigma, least, 0.0, least, 2));
  assert_true(sigma >= 0.70710678118654757);
}

static void a_spent_budget_below_0_drops_its_record(void **state) {
  double spent[3] = {-5.0, 0.0, 0.0};
  unsigned char active[3] = {1, 1, 1};
  const double g[3] = {0.5, 0.5, 0.5};
  (void)state;
  spent[2] = (double)NAN;
  assert_ok(dppair_individual_step(spent, active, g, 3, 1.0, 1.0));
  assert_int_equal(active[0], 0);
  assert_int_equal(active[1], 1);
  assert_int_equal(active[2], 0);
}

static void bounds_of_persons_and_of_wrapped_sums_refuse_another_rounding_mode(void **state) {
  static const int modes[3] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  const size_t owner[2] = {0, 1}, first[2] = {0, 2};
  size_t m;
  (void)state;
  for (m = 0; m < 3; m++) {
    double spent[2] = {0.0, 0.0}, load = 1.0, sum[2], wrap = 0.0;
    const double g[2] = {0.5, 0.5};
    unsigned char active[2] = {1, 1};
    dppair_status filter, owners, wrapped;
    assert_int_equal(fesetround(modes[m]), 0);
    filter = dppair_individual_step(spent, active, g, 2, 1.0, 1.0);
    owners = dppair_owner_load(&load, sum, 2, owner, first, NULL, 1);
    wrapped = dppair_skellam_wrap(&wrap, 1.0, 8, 1.0, 1);
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    assert_int_equal(filter, DPPAIR_ERR_ENVIRONMENT);
    assert_true(active[0] == 0 && active[1] == 0);
    assert_int_equal(owners, DPPAIR_ERR_ENVIRONMENT);
    assert_true(load <= 0.0 && sum[0] <= 0.0);
    assert_int_equal(wrapped, DPPAIR_ERR_ENVIRONMENT);
    assert_true(wrap >= 1.0);
  }
}

static void forgotten_fields_of_a_descent_are_refused(void **state) {
  dppair_uas u;
  double sigma = 1.0;
  (void)state;
  memset(&u, 0, sizeof u);
  u.n = u.steps = 1000;
  u.loss = DPPAIR_UAS_LINEAR;
  u.eta = 0.01;
  u.pair_clip = 1.0;
  assert_int_equal(dppair_uas_sigma(&sigma, &u, 1, 1e-5), DPPAIR_ERR_DOMAIN);
  u.lipschitz = 1.0;
  assert_ok(dppair_uas_sigma(&sigma, &u, 1, 1e-5));
  u.eta = 0.0;
  assert_int_equal(dppair_uas_sigma(&sigma, &u, 1, 1e-5), DPPAIR_ERR_DOMAIN);
  assert_true(sigma == 0.0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(delta_next_to_1_gives_no_negative_mu),
      TEST(delta_at_a_huge_mu_is_not_below_the_truth),
      TEST(far_out_delta_is_a_number),
      TEST(stirling_keeps_its_digits),
      TEST(many_noise_levels_stay_tight),
      TEST(a_negligible_step_does_not_ruin_an_account),
      TEST(zcdp_beside_other_steps_is_charged_in_full),
      TEST(more_than_2_to_the_30_steps_compose),
      TEST(failures_that_are_no_probabilities_are_refused),
      TEST(another_rounding_mode_is_refused),
      TEST(an_adjacency_stated_on_a_plain_step_counts),
      TEST(pairs_that_are_zeroed_have_no_lower_bound),
      TEST(no_hit_is_counted_once),
      TEST(forgotten_fields_of_a_descent_are_refused),
      TEST(a_subnormal_sensitivity_is_not_rounded_away),
      TEST(a_spent_budget_below_0_drops_its_record),
      TEST(bounds_of_persons_and_of_wrapped_sums_refuse_another_rounding_mode),
  };
  return RUN_TESTS(tests, allocate, release);
}
