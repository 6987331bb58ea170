/* SPDX-License-Identifier: MIT */
/* Which steps are accepted and what they are charged as: no step is free, m counts records, the law
 * of the hits against wide arithmetic and against every outcome of tiny universes. */
#include "accountant_common.h"
#include "questions.h"
#include "sensitivities.h"

static const dppair_adjacency zero = DPPAIR_ZERO_OUT, replace = DPPAIR_REPLACE_ONE;

static dppair_step step_of(dppair_mechanism_kind kind, dppair_sampling sampling, double z) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = kind;
  s.sampling = sampling;
  s.noise_multiplier = z;
  s.steps = 10;
  return s;
}

static dppair_step records(dppair_sampling_kind kind, dppair_adjacency adjacency, double q,
                           size_t n, size_t m, double z) {
  return step_of(DPPAIR_SAMPLED_GAUSSIAN, test_sampling(kind, adjacency, q, n, m), z);
}

static dppair_step pairs(dppair_sampling_kind kind, dppair_adjacency adjacency, double rate,
                         size_t n, size_t m, double z) {
  dppair_step s = step_of(DPPAIR_SAMPLED_PAIRS, test_sampling(kind, adjacency, 0, n, m), z);
  s.pair_rate = rate;
  return s;
}

static dppair_step plain(dppair_mechanism_kind kind, double z) {
  return step_of(kind, test_sampling(DPPAIR_ALL, (dppair_adjacency)0, 0, 0, 0), z);
}

static double workspace[4000000];

/* Every way to charge a step refuses it for the same reason, and no account forgets that. */
static void assert_refused(const dppair_step *s, dppair_status want) {
  dppair_accountant a;
  dppair_interval in;
  dppair_ledger_entry entry;
  char line[DPPAIR_LEDGER_LINE];
  double x[1], rdp, unpaid;
  size_t need, length;
  dppair_accountant_init(&a);
  assert_int_equal(dppair_accountant_step(&a, s), want);
  assert_int_equal(answer_epsilon(&x[0], &a, 1e-5), want);
  assert_int_equal(dppair_renyi(&rdp, &unpaid, s, 2, 0), want);
  assert_true(rdp == 0.0);
  assert_ok(compose_workspace(&need, 1));
  assert_true(need <= sizeof workspace);
  assert_int_equal(compose(&in, s, 1, 1e-5, DPPAIR_ROUTE_BEST, workspace, sizeof workspace), want);
  assert_int_equal(compose(&in, s, 1, 1e-5, DPPAIR_ROUTE_CONTOUR, workspace, sizeof workspace),
                   want);
  memset(&entry, 0, sizeof entry);
  entry.step = *s;
  if (s->sampling.adjacency == 0) entry.step.sampling.adjacency = replace;
  entry.sequence = 1;
  entry.sensitivity = 1;
  entry.sigma = s->noise_multiplier;
  assert_int_equal(dppair_ledger_write(line, sizeof line, &length, &entry), want);
  dppair_accountant_init(&a);
  assert_int_equal(dppair_ledger_step(&a, &entry, no_line, NULL), want);
  assert_int_equal(answer_epsilon(&x[0], &a, 1e-5), want);
}

static void assert_taken(const dppair_step *s) {
  dppair_accountant a;
  double e;
  dppair_accountant_init(&a);
  assert_ok(dppair_accountant_step(&a, s));
  assert_ok(answer_epsilon(&e, &a, 1e-5));
  assert_true(e > 0.0);
}

/* ---- Free steps ------------------------------------------------------------------------------ */

static void a_step_whose_rate_is_lost_is_not_free(void **state) {
  const int batch = 64, n = 10000;
  dppair_accountant a;
  dppair_step s;
  double e;
  (void)state;
  /* an integer division makes q = 0 */
  dppair_accountant_init(&a);
  assert_int_equal(
      dppair_accountant_sampled_gaussian(
          &a, test_sampling(DPPAIR_POISSON, zero, batch / n, (size_t)n, 0), 3.0 / 64, 0.05, 1000),
      DPPAIR_ERR_RATE);
  assert_int_equal(answer_epsilon(&e, &a, 1e-5), DPPAIR_ERR_RATE);
  dppair_accountant_init(&a);
  assert_int_equal(dppair_accountant_sampled_pairs(
                       &a, test_sampling(DPPAIR_POISSON, zero, batch / n, (size_t)n, 0), 1, 1, 1),
                   DPPAIR_ERR_RATE);
  s = records(DPPAIR_POISSON, zero, 0, 0, 0, 1);
  assert_refused(&s, DPPAIR_ERR_RATE);
  s = records(DPPAIR_POISSON, replace, 0, 100, 0, 1);
  assert_refused(&s, DPPAIR_ERR_RATE);
  s = records(DPPAIR_WITHOUT_REPLACEMENT, replace, 0, 100, 0, 1);
  assert_refused(&s, DPPAIR_ERR_RATE);
  s = records(DPPAIR_MATCHING, replace, 0, 100, 0, 1);
  assert_refused(&s, DPPAIR_ERR_RATE);
  s = records(DPPAIR_WITH_REPLACEMENT, replace, 0, 100, 0, 1);
  assert_refused(&s, DPPAIR_ERR_RATE);
  s = pairs(DPPAIR_POISSON, zero, 0, 100, 0, 1);
  assert_refused(&s, DPPAIR_ERR_RATE);
  s = pairs(DPPAIR_WITH_REPLACEMENT, zero, 0, 100, 0, 1);
  assert_refused(&s, DPPAIR_ERR_RATE);
  s = pairs(DPPAIR_MATCHING, replace, 0, 100, 0, 1);
  assert_refused(&s, DPPAIR_ERR_RATE);
}

static void a_field_that_is_not_read_is_refused(void **state) {
  dppair_step s;
  dppair_accountant a;
  int i;
  (void)state;
  s = pairs(DPPAIR_POISSON, zero, 0, 1000, 0, 1);
  s.sampling.q = 0.01; /* the pairs' rate stands in pair_rate */
  assert_refused(&s, DPPAIR_ERR_UNREAD);
  s = pairs(DPPAIR_POISSON, zero, 0.01, 1000, 50, 1);
  assert_refused(&s, DPPAIR_ERR_UNREAD);
  s = records(DPPAIR_POISSON, zero, 0, 1000, 50, 1);
  s.pair_rate = 0.01;
  assert_refused(&s, DPPAIR_ERR_UNREAD);
  s = records(DPPAIR_POISSON, zero, 0.01, 1000, 0, 1);
  assert_refused(&s, DPPAIR_ERR_UNREAD);
  s = records(DPPAIR_WITH_REPLACEMENT, replace, 0.01, 1000, 10, 1);
  assert_refused(&s, DPPAIR_ERR_UNREAD);
  s = pairs(DPPAIR_WITH_REPLACEMENT, zero, 0.1, 100, 10, 1);
  assert_refused(&s, DPPAIR_ERR_UNREAD);
  s = pairs(DPPAIR_MATCHING, replace, 0.1, 100, 10, 1);
  assert_refused(&s, DPPAIR_ERR_UNREAD);
  for (i = 0; i < 5; i++) {
    static const dppair_mechanism_kind kind[5] = {DPPAIR_GAUSSIAN, DPPAIR_LAPLACE, DPPAIR_PURE,
                                                  DPPAIR_ZCDP, DPPAIR_RANDOMISED_RESPONSE};
    /* a sampled step whose kind was mistyped would lose its amplification, or gain one */
    s = plain(kind[i], 1);
    s.sampling.kind = DPPAIR_POISSON;
    assert_refused(&s, DPPAIR_ERR_UNREAD);
    s = plain(kind[i], 1);
    s.sampling.q = 0.5;
    assert_refused(&s, DPPAIR_ERR_UNREAD);
    s = plain(kind[i], 1);
    s.sampling.n = 10;
    assert_refused(&s, DPPAIR_ERR_UNREAD);
    s = plain(kind[i], 1);
    s.sampling.m = 10;
    assert_refused(&s, DPPAIR_ERR_UNREAD);
    s = plain(kind[i], 1);
    s.pair_rate = 0.5;
    assert_refused(&s, DPPAIR_ERR_UNREAD);
    s = plain(kind[i], 1);
    assert_taken(&s);
  }
  dppair_accountant_init(&a);
  assert_int_equal(dppair_accountant_sampled_pairs(
                       &a, test_sampling(DPPAIR_POISSON, zero, 0.01, 1000, 50), 1, 1, 1),
                   DPPAIR_ERR_UNREAD);
}

static void no_steps_no_sensitivity_no_cost_is_an_error(void **state) {
  dppair_accountant a;
  dppair_step s;
  int i;
  (void)state;
  for (i = 1; i <= 7; i++) {
    s = plain((dppair_mechanism_kind)i, 0.01);
    if (i == DPPAIR_SAMPLED_GAUSSIAN) s = records(DPPAIR_POISSON, zero, 0.1, 0, 0, 1);
    if (i == DPPAIR_SAMPLED_PAIRS) s = pairs(DPPAIR_POISSON, zero, 0.1, 10, 0, 1);
    s.steps = 0;
    assert_refused(&s, DPPAIR_ERR_STEPS);
  }
  s = plain(DPPAIR_PURE, 0);
  assert_refused(&s, DPPAIR_ERR_EPSILON);
  s = plain(DPPAIR_ZCDP, 0);
  assert_refused(&s, DPPAIR_ERR_EPSILON);
  s = plain(DPPAIR_RANDOMISED_RESPONSE, 0);
  assert_refused(&s, DPPAIR_ERR_EPSILON);
#define BREAKS(call, status)                                                                       \
  do {                                                                                             \
    double e_;                                                                                     \
    dppair_accountant_init(&a);                                                                    \
    assert_int_equal((call), (status));                                                            \
    assert_int_equal(answer_epsilon(&e_, &a, 1e-5), (status));                                     \
  } while (0)
  BREAKS(dppair_accountant_gaussian(&a, 0, 1, 1), DPPAIR_ERR_SENSITIVITY);
  BREAKS(dppair_accountant_laplace(&a, 0, 1, 1), DPPAIR_ERR_SENSITIVITY);
  BREAKS(dppair_accountant_sampled_gaussian(&a, test_sampling(DPPAIR_POISSON, zero, 0.1, 0, 0), 0,
                                            1, 1),
         DPPAIR_ERR_SENSITIVITY);
  BREAKS(
      dppair_accountant_sampled_pairs(&a, test_sampling(DPPAIR_POISSON, zero, 0.1, 10, 0), 0, 1, 1),
      DPPAIR_ERR_SENSITIVITY);
  BREAKS(dppair_accountant_gaussian(&a, 1, 1, 0), DPPAIR_ERR_STEPS);
  BREAKS(dppair_accountant_laplace(&a, 1, 1, 0), DPPAIR_ERR_STEPS);
  BREAKS(dppair_accountant_pure(&a, 1, 0), DPPAIR_ERR_STEPS);
  BREAKS(dppair_accountant_pure(&a, 0, 1), DPPAIR_ERR_EPSILON);
  BREAKS(charge_zcdp(&a, 0, 1), DPPAIR_ERR_EPSILON);
}

/* ---- What m counts --------------------------------------------------------------------------- */

static void a_matching_counts_records_everywhere(void **state) {
  dppair_accountant a, b, c;
  double move, e, f;
  dppair_step s;
  (void)state;
  /* 50 pairs, 100 of 1000 records: the batch statistic and its pairs are one release */
  assert_ok(sensitivity_minibatch(&move, DPPAIR_MATCHING, 1.0, 100));
  assert_close(move, 2.0 / 50, 1e-14);
  dppair_accountant_init(&a);
  dppair_accountant_init(&b);
  dppair_accountant_init(&c);
  assert_ok(dppair_accountant_sampled_gaussian(
      &a, test_sampling(DPPAIR_MATCHING, replace, 0, 1000, 100), move, 0.1, 200));
  assert_ok(dppair_accountant_sampled_pairs(
      &b, test_sampling(DPPAIR_MATCHING, replace, 0, 1000, 100), 1.0, 0.1 * 50, 200));
  assert_ok(dppair_accountant_sampled_pairs(&c, test_sampling(DPPAIR_MATCHING, replace, 0.1, 0, 0),
                                            1.0, 0.1 * 50, 200));
  assert_ok(answer_epsilon(&e, &a, 1e-5));
  assert_ok(answer_epsilon(&f, &b, 1e-5));
  assert_close(e, 2.984, 1e-3);
  assert_close(f, e, 1e-9);
  assert_ok(answer_epsilon(&f, &c, 1e-5));
  assert_close(f, e, 1e-9);
  /* pairs where records are meant: odd numbers are seen, even ones give too large a sensitivity */
  assert_int_equal(sensitivity_minibatch(&move, DPPAIR_MATCHING, 1.0, 25), DPPAIR_ERR_RATE);
  assert_ok(sensitivity_minibatch(&move, DPPAIR_MATCHING, 1.0, 50));
  assert_close(move, 4.0 / 50, 1e-14);
  s = pairs(DPPAIR_MATCHING, replace, 0, 1000, 25, 1);
  assert_refused(&s, DPPAIR_ERR_RATE);
  s = records(DPPAIR_MATCHING, replace, 0, 1000, 25, 1);
  assert_refused(&s, DPPAIR_ERR_RATE);
}

static void q_that_contradicts_the_sizes_is_refused(void **state) {
  static const dppair_sampling_kind kind[3] = {DPPAIR_POISSON, DPPAIR_WITHOUT_REPLACEMENT,
                                               DPPAIR_MATCHING};
  int i;
  (void)state;
  for (i = 0; i < 3; i++) {
    dppair_step s = records(kind[i], replace, 0.01, 1000, 400, 1);
    assert_refused(&s, DPPAIR_ERR_RATE);
    s = records(kind[i], replace, 0.4, 1000, 400, 1);
    assert_taken(&s);
    s = records(kind[i], replace, 0.4 * (1 - 1e-9), 1000, 400, 1);
    assert_refused(&s, DPPAIR_ERR_RATE);
    s = records(kind[i], replace, 1.0 / 7.0 * 2.0, 7, 2, 1);
    assert_taken(&s);
    s = records(kind[i], replace, 0.4, 1000, 0, 1);
    assert_refused(&s, DPPAIR_ERR_UNREAD);
    s = records(kind[i], replace, 0, 0, 400, 1);
    assert_refused(&s, DPPAIR_ERR_SIZE);
    s = records(kind[i], replace, 0, 10, 12, 1);
    assert_refused(&s, DPPAIR_ERR_SIZE);
  }
  {
    dppair_step s = pairs(DPPAIR_MATCHING, replace, 0, 1000, 400, 1);
    s.sampling.q = 0.01;
    assert_refused(&s, DPPAIR_ERR_RATE);
  }
}

/* All records are matched: every pair is hit for certain. */
static void a_perfect_matching_is_certain(void **state) {
  static const size_t n[4] = {2, 1000, 98, 6};
  int i;
  (void)state;
  for (i = 0; i < 4; i++) {
    const dppair_step s = pairs(DPPAIR_MATCHING, replace, 0, n[i], n[i], 7);
    dppair_accountant a, b;
    double e, f;
    dppair_accountant_init(&a);
    dppair_accountant_init(&b);
    assert_ok(dppair_accountant_step(&a, &s));
    assert_ok(dppair_accountant_gaussian(&b, 2, 7, 10));
    assert_ok(answer_epsilon(&e, &a, 1e-5));
    assert_ok(answer_epsilon(&f, &b, 1e-5));
    assert_close(e, f, 1e-12);
  }
}

/* ---- The law of the hits --------------------------------------------------------------------- */

/* Pr[Bin(n, p) = k], k = 0 .. n, in wide numbers from k = 0 on; p as the double it is. */
static void wide_law(wide *law, size_t n, double p) {
  size_t k;
  law[0] = wexp((wide)n * wlog1p(-(wide)p));
  for (k = 0; k < n; k++)
    law[k + 1] = law[k] * (wide)(n - k) / (wide)(k + 1) * ((wide)p / (1 - (wide)p));
}

/* What is left before the first of 50 hits of rate 1 - 1e-5, and after the last of rate 1e-5. */
static void ends_of_the_law_bound_what_they_leave(void **state) {
  const dppair_binomial_ often = dppair_binomial_make_(50, 1 - 1e-5, 1e-5);
  const dppair_binomial_ seldom = dppair_binomial_make_(50, 1e-5, 1 - 1e-5);
  const double all = exp(50 * log1p(-1e-5)), left = -expm1(50 * log1p(-1e-5));
  double rest;
  (void)state;
  assert_true(dppair_binomial_first_(&rest, &often, 50, all, 0.5) == 50);
  assert_true(rest >= left && rest <= left * 1.001);
  assert_true(dppair_binomial_last_(&rest, &seldom, 0, all, 0.5) == 0);
  assert_true(rest >= left && rest <= left * 1.001);
}

static void the_law_of_the_hits_is_the_binomial(void **state) {
  static wide law[4000];
  int i;
  (void)state;
  for (i = 0; i < FEWER(300); i++) {
    const size_t n = 2 + (size_t)log_between(1, 3000);
    const double rate = i % 3 == 0 ? 1.0 - log_between(1e-10, 1) : log_between(1e-8, 1);
    const double z = 1.5;
    const dppair_step s = pairs(DPPAIR_POISSON, zero, rate, n, 0, z);
    const size_t trials = n - 1;
    dppair_hits_ h;
    wide above = 0, listed = 0;
    size_t k, place;
    if (!(rate > 0.0 && rate < 1.0) || (double)trials * log1p(-rate) < -4000.0) continue;
    wide_law(law, trials, rate);
    assert_ok(hits_of(&h, &s));
    assert_true(h.count >= 1 && h.count <= DPPAIR_HIT_CAPACITY_);
    assert_true(h.tail == 0.0);
    /* counting from the top: what is listed at or beyond k hits is at least the exact tail */
    for (k = trials, place = h.count; k > 0; k--) {
      above += law[k];
      while (place > 0 && h.shift[place - 1] >= (double)k / z * (1.0 - 1e-14))
        listed += (wide)h.probability[--place];
      assert_true(listed >= above * (1 - (wide)1e-13));
      if (trials <= 250) {
        const double tail = dppair_binomial_tail_(trials, rate, k - 1); /* Pr[>= k], rounded up */
        assert_true((wide)tail >= above * (1 - (wide)1e-15) &&
                    (wide)tail <= above * (1 + (wide)1e-9) + (wide)1e-300);
      }
    }
    assert_true(listed <= 1 + (wide)1e-12);
    if (trials <= 250) { /* exact: nothing is merged */
      assert_int_equal(h.count, trials);
      for (k = 1; k <= trials; k++) {
        if (law[k] > (wide)1e-300) assert_close(h.probability[k - 1], law[k], h.slip);
      }
      assert_close(h.gamma, above, 1e-13);
    }
  }
}

/* Pr[no hit] may be below any rounding: the sum of the probabilities is still at most 1 and the
 * curve is the integral, not its crude bound. */
static void hits_that_are_nearly_certain_keep_their_curve(void **state) {
  static const struct {
    size_t n;
    double rate, z, order;
  } c[] = {{5, .9999057, 2.36, 42.3}, {5, .99, 2, 10},      {3, .99999999, 3, 20},
           {40, .9, 30, 15},          {200, .6, 100, 8},    {6, 1 - 1e-15, 1, 3},
           {12, .97, .7, 2.5},        {30, .999999, 20, 30}};
  size_t i;
  (void)state;
  for (i = 0; i < sizeof c / sizeof *c; i++) {
    int opposed;
    for (opposed = 0; opposed < 2; opposed++) {
      const dppair_step s =
          pairs(DPPAIR_POISSON, opposed ? replace : zero, c[i].rate, c[i].n, 0, c[i].z);
      const size_t trials = c[i].n - 1;
      const double top = (double)trials / c[i].z, a = c[i].order;
      static wide p[256];
      long double sum[2] = {0, 0}, h = 0.05L / (long double)(1 + top), x, exact;
      double rdp, unpaid;
      size_t k;
      int d;
      wide_law(p, trials, c[i].rate);
      for (x = -12 - (long double)(2 * a * top); x < 12 + (long double)(2 * a * top); x += h) {
        long double up = 0, down = 0;
        for (k = 0; k <= trials; k++) {
          const long double v = (long double)k / (long double)c[i].z;
          up += (long double)p[k] * expl(v * x - v * v / 2);
          down += opposed ? (long double)p[k] * expl(-v * x - v * v / 2) : 0;
        }
        if (!opposed) down = 1;
        for (d = 0; d < 2; d++)
          sum[d] += expl((d ? 1 - (long double)a : (long double)a) * logl(up) +
                         (d ? (long double)a : 1 - (long double)a) * logl(down) - x * x / 2);
      }
      exact = logl((sum[0] > sum[1] ? sum[0] : sum[1]) * h / sqrtl(2 * acosl(-1.0L))) /
              ((long double)a - 1);
      assert_ok(dppair_renyi(&rdp, &unpaid, &s, a, 0));
      assert_true(unpaid == 0.0);
      assert_true((long double)rdp >= exact * (1 - 1e-13L));
      assert_close(rdp, exact, 1e-9);
    }
  }
}

/* Every sum is a number: no bound is chosen because a comparison with NaN failed. */
static void no_curve_of_hits_is_a_nan(void **state) {
  int i;
  (void)state;
  for (i = 0; i < FEWER(few_or_all(120, 400)); i++) {
    const double rate = i % 2 ? 1.0 - log_between(1e-12, 1) : uniform();
    const size_t n = 2 + (size_t)log_between(1, 30);
    const dppair_step s =
        pairs(DPPAIR_POISSON, i % 3 ? replace : zero, rate, n, 0, log_between(0.2, 100));
    const double order = 1.0 + log_between(1e-3, 30);
    dppair_hits_ h;
    double rdp, unpaid, sum = 0.0, excess;
    size_t k;
    assert_ok(hits_of(&h, &s));
    dppair_hits_raise_(&h);
    for (k = 0; k < h.count; k++) {
      assert_true(h.probability[k] > 0.0);
      sum += h.probability[k];
    }
    assert_true(sum + h.miss <= 1.0 + 1e-13 && h.miss >= 0.0);
    excess = i % 3 ? dppair_renyi_opposed_(&h, order) : dppair_renyi_mixture_(&h, order);
    assert_true(excess == excess);
    if (i % 3 == 0) excess = dppair_renyi_mixture_(&h, 1.0 - order);
    assert_true(excess == excess);
    assert_ok(dppair_renyi(&rdp, &unpaid, &s, order, 0));
    assert_true(rdp > 0.0);
  }
}

/* Many hits of a probability that no double holds still count at a large order. */
static void hits_beyond_the_smallest_double_count(void **state) {
  static const size_t n[3] = {1001, 5001, 400};
  int i;
  (void)state;
  for (i = 0; i < 3; i++) {
    const double rate = 1e-4, z = 10, a = 30;
    const dppair_step s = pairs(DPPAIR_POISSON, zero, rate, n[i], 0, z);
    const double most = (double)(n[i] - 1), shift = most / z;
    const double least = (a * most * log(rate) + 0.5 * a * (a - 1.0) * shift * shift) / (a - 1.0);
    double rdp, unpaid;
    assert_ok(dppair_renyi(&rdp, &unpaid, &s, a, 0));
    assert_at_most(least, rdp);
  }
}

/* Dozens of hits per record and step, more draws than records: certified, below Renyi's orders. */
static void many_hits_per_step_compose(void **state) {
  dppair_interval in;
  static const struct {
    int kind; /* 0: Poisson, zeroed; 1: pairs with replacement */
    size_t n, m, steps;
    double rate, z, truth, width;
  } c[] = {{0, 1000, 0, 1000, .02, 100, 46.189, 1e-4},
           {0, 1000, 0, 100, .02, 30, 50.323, 1e-4},
           {1, 1000, 2000, 100, 0, 30, 17.005631292, 1e-6},
           {1, 1000, 4000, 100, 0, 30, 40.63180642, 1e-6}};
  const size_t bytes = sizeof workspace;
  size_t i;
  (void)state;
  for (i = 0; i < sizeof c / sizeof *c; i++) {
    dppair_step s = c[i].kind == 0
                        ? pairs(DPPAIR_POISSON, zero, c[i].rate, c[i].n, 0, c[i].z)
                        : pairs(DPPAIR_WITH_REPLACEMENT, replace, 0, c[i].n, c[i].m, c[i].z);
    dppair_accountant a;

    double renyi;
    s.steps = c[i].steps;
    dppair_accountant_init(&a);
    assert_ok(dppair_accountant_step(&a, &s));
    assert_ok(answer_epsilon(&renyi, &a, 1e-5));
    assert_ok(compose(&in, &s, 1, 1e-5, DPPAIR_ROUTE_BEST, workspace, bytes));
    assert_at_most(in.upper, renyi);
    assert_close(in.upper, c[i].truth, c[i].width);
  }
}

/* Beyond the list's room, hits are counted upwards: the bound stays above one with fewer. */
static void a_window_of_hits_bounds_from_above(void **state) {
  dppair_interval in;
  const size_t bytes = sizeof workspace;
  double last = 0.0;
  int i;
  (void)state;
  for (i = 0; i < (BRIEF ? 2 : 3); i++) {
    static const double rate[3] = {.05, .2, .9};
    dppair_step s = pairs(DPPAIR_POISSON, zero, rate[i], 2000, 0, 3000);
    dppair_accountant a;

    double renyi;
    s.steps = 20;
    dppair_accountant_init(&a);
    assert_ok(dppair_accountant_step(&a, &s));
    assert_ok(answer_epsilon(&renyi, &a, 1e-5));
    assert_ok(compose(&in, &s, 1, 1e-5, DPPAIR_ROUTE_BEST, workspace, bytes));
    assert_at_most(in.upper, renyi);
    assert_at_most(in.lower, in.upper);
    {
      /* at least the Gaussian at the mean shift, up to the square root of 20 steps */
      double e;
      assert_ok(dppair_gaussian_epsilon(&e, 1e-5, rate[i] * 1999 / 3000 * sqrt(20.0)));
      assert_at_most(e * 0.999, in.upper);
    }
    assert_true(in.upper > last);
    last = in.upper;
  }
}

/* All 3^m (or all pairs') draws with replacement, more draws than records: what two neighbours'
 * mixtures of Gaussians really lose is at most what the account says. */
static void draws_beyond_the_records_in_a_tiny_universe(void **state) {
  dppair_interval in;
  static const double value[3] = {-1, 0, 1};
  int trial;
  (void)state;
  for (trial = 0; trial < FEWER(40); trial++) {
    const size_t n = 3, m = 4 + (size_t)trial % 3;
    const double z = 0.8 + 3 * uniform(), delta = 0.01;
    double x[3], y[3], spot[2][64];
    double p[2][64], e, t;
    size_t i, d, draws = 1, outcomes = 2 * m + 1;
    int side;
    const dppair_step s0 = records(DPPAIR_WITH_REPLACEMENT, replace, 0, n, m, z);
    dppair_step s = s0;
    dppair_accountant a;
    for (i = 0; i < 3; i++) x[i] = y[i] = value[random_bits() % 3];
    x[0] = 1;
    y[0] = -1; /* one slot moves the sum by 2: the unit of z */
    for (side = 0; side < 2; side++)
      for (i = 0; i < outcomes; i++) {
        spot[side][i] = (double)i - (double)m;
        p[side][i] = 0.0;
      }
    for (i = 0; i < m; i++) draws *= n;
    for (d = 0; d < draws; d++) {
      double sum[2] = {0, 0};
      size_t rest = d;
      for (i = 0; i < m; i++, rest /= n) {
        sum[0] += x[rest % n];
        sum[1] += y[rest % n];
      }
      for (side = 0; side < 2; side++)
        p[side][(size_t)(sum[side] + (double)m + 0.5)] += 1.0 / (double)draws;
    }
    s.steps = 1;
    dppair_accountant_init(&a);
    assert_ok(dppair_accountant_step(&a, &s));
    assert_ok(answer_epsilon(&e, &a, delta));
    {

      assert_ok(certify(&in, &a, delta, workspace, sizeof workspace));
      if (in.upper < e) e = in.upper;
    }
    for (side = 0; side < 2; side++) {
      double lost = 0.0;
      const double h = 1e-3;
      for (t = -12; t < 12; t += h) { /* in units of sigma = 2 z, 2 the move of one slot */
        double up = 0.0, down = 0.0;
        for (i = 0; i < outcomes; i++) {
          const double v = t - spot[0][i] / (2 * z), g = exp(-0.5 * v * v);
          up += p[side][i] * g;
          down += p[1 - side][i] * g;
        }
        if (up > exp(e) * down) lost += up - exp(e) * down;
      }
      assert_at_most(lost * h / sqrt(2 * 3.14159265358979), delta * (1 + 1e-5));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_step_whose_rate_is_lost_is_not_free),
      TEST(a_field_that_is_not_read_is_refused),
      TEST(no_steps_no_sensitivity_no_cost_is_an_error),
      TEST(a_matching_counts_records_everywhere),
      TEST(q_that_contradicts_the_sizes_is_refused),
      TEST(a_perfect_matching_is_certain),
      TEST(ends_of_the_law_bound_what_they_leave),
      TEST(the_law_of_the_hits_is_the_binomial),
      TEST(hits_that_are_nearly_certain_keep_their_curve),
      TEST(no_curve_of_hits_is_a_nan),
      TEST(hits_beyond_the_smallest_double_count),
      TEST(many_hits_per_step_compose),
      TEST(a_window_of_hits_bounds_from_above),
      TEST(draws_beyond_the_records_in_a_tiny_universe),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
