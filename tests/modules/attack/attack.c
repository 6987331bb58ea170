/* SPDX-License-Identifier: MIT */
/* What an account means: both ends of the best attack's ROC curve against closed forms, exact sums
 * and quadrature; accuracies, Bayes factors, the Gaussian mechanism that covers an account. */
#include "tests.h"

#include "dppair_l2ball.h"
#include "dppair_accountant.h"
#include "dppair_attack.h"
#include "questions.h"

/* The functions with the memory of a composer in place of it. */
static dppair_status asked_curve(dppair_interval *t, const double *rates, size_t count,
                                 const dppair_accountant *a, void *memory, size_t size) {
  dppair_composer c;
  return dppair_attack_curve(t, rates, count, a, composer_of(&c, memory, size));
}
static dppair_status asked_accuracy(dppair_interval *b, const dppair_accountant *a, double prior,
                                    void *memory, size_t size) {
  dppair_composer c;
  return dppair_attack_accuracy(b, a, prior, composer_of(&c, memory, size));
}
static dppair_status asked_fit(dppair_interval *mu, const dppair_accountant *a, double slack,
                               void *memory, size_t size) {
  dppair_composer c;
  return dppair_attack_fit(mu, a, slack, composer_of(&c, memory, size));
}

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

static double above(double t) { return 0.5 * erfc(t * 0.70710678118654752440); } /* P(N > t) */

/* The t with P(N > t) = p. */
static double quantile(double p) {
  double low = -38.0, high = 38.0;
  int i;
  for (i = 0; i < 100; i++) {
    const double middle = 0.5 * (low + high);
    if (above(middle) > p)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}

static double gaussian_roc(double f, double mu) {
  return f <= 0.0 || f >= 1.0 ? f : above(quantile(f) - mu);
}

static dppair_accountant account_of(dppair_mechanism_kind kind, double multiplier, size_t steps) {
  dppair_accountant a;
  dppair_step step;
  memset(&step, 0, sizeof step);
  step.kind = kind;
  step.noise_multiplier = multiplier;
  step.steps = steps;
  assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
  assert_int_equal(dppair_accountant_step(&a, &step), DPPAIR_OK);
  return a;
}

static dppair_accountant sampled_account(dppair_adjacency adjacency, int fixed, size_t m, double z,
                                         size_t steps) {
  const dppair_sampling s = fixed ? dppair_sampling_without_replacement(100, m, adjacency)
                                  : dppair_sampling_poisson(100, m, adjacency);
  dppair_accountant a;
  assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
  assert_int_equal(dppair_accountant_sampled_gaussian(&a, s, 1.0, z, steps), DPPAIR_OK);
  return a;
}

/* lower <= truth <= upper, and no further away than `wide` of it. */
static void encloses(const dppair_interval *b, double truth, double wide) {
  assert_true(b->upper >= truth * (1.0 - 1e-12) && b->lower <= truth * (1.0 + 1e-12));
  assert_true(b->upper <= truth * (1.0 + wide) && b->lower >= truth * (1.0 - wide) - 1e-14);
}

static const double rates[] = {0.0, 1e-12, 1e-6, 1e-4, 1e-3, 0.01,     0.05,
                               0.1, 0.3,   0.5,  0.7,  0.9,  0.999999, 1.0};
enum { RATES = sizeof rates / sizeof *rates };

static void the_curve_of_gaussian_steps_is_known_in_closed_form(void **state) {
  static const double mus[] = {1e-6, 1e-3, 0.1, 0.5, 1.0, 3.0, 10.0};
  dppair_interval t[RATES];
  size_t m, i;
  (void)state;
  for (m = 0; m < sizeof mus / sizeof *mus; m++) {
    const dppair_accountant a = account_of(DPPAIR_GAUSSIAN, 2.0 / mus[m], 4);
    assert_int_equal(asked_curve(t, rates, RATES, &a, NULL, 0), DPPAIR_OK);
    for (i = 0; i < RATES; i++) {
      if (rates[i] > 0.0)
        encloses(&t[i], gaussian_roc(rates[i], mus[m]), 5e-4);
      else
        assert_true(t[i].lower <= 0.0 && t[i].upper <= 1e-300);
      /* T^-1 is its mirror image: symmetric in both orders of the neighbours */
      assert_true(t[i].lower >= rates[i] && t[i].upper <= 1.0);
    }
  }
}

static double laplace_roc(double f, double e) {
  if (f <= 0.5 * exp(-e)) return exp(e) * f;
  return f < 0.5 ? 1.0 - 0.25 * exp(-e) / f : 1.0 - exp(-e) * (1.0 - f);
}

static void the_curve_of_laplace_noise_is_known_in_closed_form(void **state) {
  static const double e[] = {0.01, 0.5, 1.0, 4.0};
  dppair_interval t[RATES];
  size_t k, i;
  (void)state;
  for (k = 0; k < 4; k++) {
    const dppair_accountant a = account_of(DPPAIR_LAPLACE, 1.0 / e[k], 1);
    assert_int_equal(asked_curve(t, rates, RATES, &a, work, bytes), DPPAIR_OK);
    for (i = 0; i < RATES; i++) encloses(&t[i], laplace_roc(rates[i], e[k]), 5e-4);
    assert_true(t[0].upper <= 0.0); /* delta = 0: no event is certain */
    if (e[k] < 1.0) {
      const double least = 3 * ldexp(1.0, -1074); /* times e^0.5 it is 4.9 of them */
      assert_int_equal(asked_curve(t, &least, 1, &a, work, bytes), DPPAIR_OK);
      assert_true(t[0].upper >= least + (e[k] > 0.4 ? 2 : 1) * ldexp(1.0, -1074));
    }
  }
}

/* The best test of k answers, each right with probability p: by the number of "the first"s. */
static double answers_roc(double f, double p, int k) {
  double t = 0.0, first[8] = {1.0}, second[8] = {1.0};
  int i, j;
  for (i = 1; i <= k; i++)
    for (j = i; j >= 0; j--) {
      first[j] = (j > 0 ? first[j - 1] * p : 0.0) + (j < i ? first[j] * (1.0 - p) : 0.0);
      second[j] = (j > 0 ? second[j - 1] * (1.0 - p) : 0.0) + (j < i ? second[j] * p : 0.0);
    }
  for (j = k; j >= 0 && f > 0.0; j--) {
    const double share = f < second[j] ? f / second[j] : 1.0;
    t += share * first[j];
    f -= second[j];
  }
  return t;
}

static void the_curve_of_randomised_response_is_an_exact_sum(void **state) {
  static const double e[] = {0.1, 1.0, 3.0};
  dppair_interval t[RATES];
  size_t k, i;
  int steps;
  (void)state;
  for (k = 0; k < 3; k++)
    for (steps = 1; steps <= 3; steps += 2) {
      const dppair_accountant a = account_of(DPPAIR_RANDOMISED_RESPONSE, e[k], (size_t)steps);
      assert_int_equal(asked_curve(t, rates, RATES, &a, work, bytes), DPPAIR_OK);
      for (i = 0; i < RATES; i++)
        encloses(&t[i], answers_roc(rates[i], 1.0 / (1.0 + exp(-e[k])), steps), 1e-3);
    }
}

/* One sampled Gaussian step, rate q, shift b: "the first" where x is large, or small. */
static double sampled_roc(double f, double q, double b, int order) {
  double low = -40.0, high = 40.0;
  int i;
  if (order == 0) return f <= 0.0 ? 0.0 : (1.0 - q) * f + q * gaussian_roc(f, b);
  for (i = 0; i < 100; i++) { /* P(mixture < x) = f */
    const double x = 0.5 * (low + high);
    if ((1.0 - q) * above(-x) + q * above(b - x) > f)
      high = x;
    else
      low = x;
  }
  return above(-high);
}

static void the_curve_of_a_sampled_step_holds_for_both_orders(void **state) {
  const double q = 0.25, b = 1.25, tv = q * (1.0 - 2.0 * above(0.5 * b));
  dppair_accountant a = sampled_account(DPPAIR_ZERO_OUT, 0, 25, 1.0 / b, 1);
  dppair_interval t[RATES], fixed[RATES];
  size_t i;
  (void)state;
  assert_int_equal(asked_curve(t, rates, RATES, &a, work, bytes), DPPAIR_OK);
  a = sampled_account(DPPAIR_REPLACE_ONE, 1, 25, 1.0 / b, 1);
  assert_int_equal(asked_curve(fixed, rates, RATES, &a, work, bytes), DPPAIR_OK);
  for (i = 1; i < RATES; i++) {
    const double f = rates[i], one = sampled_roc(f, q, b, 0), other = sampled_roc(f, q, b, 1);
    const double best = one > other ? one : other;
    /* slope 1 is at x = b/2: between the two places the smallest line is f + delta(0) */
    const int between =
        f > above(0.5 * b) && other < f + tv && one < f + tv && f < 1.0 - above(0.5 * b) - tv;
    const double hull = between ? f + tv : best;
    assert_true(t[i].lower <= best * (1.0 + 1e-12) && t[i].lower >= best * (1.0 - 1e-3));
    assert_true(t[i].upper >= hull * (1.0 - 1e-12) && t[i].upper <= hull * (1.0 + 1e-3));
    /* the same curve, whose parts are attained by different data sets */
    assert_true(fixed[i].upper >= hull * (1.0 - 1e-12) && fixed[i].upper <= hull * (1.0 + 1e-3));
    assert_true(fixed[i].lower <= one * (1.0 + 1e-12) && fixed[i].lower >= f);
    if (f < above(0.5 * b)) assert_true(fixed[i].lower >= one * (1.0 - 1e-2));
  }
}

/* A replaced record: mixtures towards both sides. *f, *t of the test "x1 and x2 have a log ratio
 * above c", by Simpson's rule over x1. */
static double replaced_loss(double x, double q, double b) {
  return log((1.0 - q + q * exp(b * x - 0.5 * b * b)) / (1.0 - q + q * exp(-b * x - 0.5 * b * b)));
}

static void two_replaced(double *f, double *t, double q, double b, double c) {
  enum { STEPS = 2000 };
  int i, k;
  *f = *t = 0.0;
  for (i = 0; i <= STEPS; i++) {
    const double x = -10.0 + 20.0 * i / STEPS;
    const double weight = (i == 0 || i == STEPS ? 1.0 : i % 2 ? 4.0 : 2.0) * 20.0 / STEPS / 3.0;
    const double up = q * exp(b * x - 0.5 * b * b), down = q * exp(-b * x - 0.5 * b * b);
    const double density = weight * exp(-0.5 * x * x) * 0.39894228040143267794;
    double low = -40.0, high = 40.0;
    for (k = 0; k < 60; k++) {
      const double y = 0.5 * (low + high);
      if (replaced_loss(y, q, b) > c - replaced_loss(x, q, b))
        high = y;
      else
        low = y;
    }
    *t += density * (1.0 - q + up) * ((1.0 - q) * above(high) + q * above(high - b));
    *f += density * (1.0 - q + down) * ((1.0 - q) * above(high) + q * above(high + b));
  }
}

static void the_curve_of_two_sampled_steps_is_that_of_quadrature(void **state) {
  const dppair_accountant a = sampled_account(DPPAIR_REPLACE_ONE, 0, 30, 1.0, 2);
  dppair_interval found;
  double f, t;
  (void)state;
  two_replaced(&f, &t, 0.3, 1.0, 0.8);
  assert_int_equal(asked_curve(&found, &f, 1, &a, work, bytes), DPPAIR_OK);
  assert_true(found.upper >= t * (1.0 - 1e-9) && found.upper <= t * (1.0 + 1e-3));
  assert_true(found.lower <= t * (1.0 + 1e-9) && found.lower >= t * (1.0 - 1e-2));
}

static void what_failed_counts_for_the_attacker(void **state) {
  dppair_accountant a = account_of(DPPAIR_PURE, 1.0, 1);
  dppair_interval t[RATES], with[RATES], mu;
  size_t i;
  (void)state;
  assert_int_equal(asked_curve(t, rates, RATES, &a, work, bytes), DPPAIR_OK);
  assert_int_equal(dppair_accountant_failure(&a, 0.01), DPPAIR_OK);
  assert_int_equal(asked_curve(with, rates, RATES, &a, work, bytes), DPPAIR_OK);
  for (i = 0; i < RATES; i++) {
    const double f = rates[i], first = exp(1.0) * f + 0.01, other = 1.0 - exp(-1.0) * (0.99 - f);
    const double truth = fmin(1.0, fmin(first, other));
    assert_true(with[i].upper >= truth * (1.0 - 1e-12) && with[i].upper <= truth * (1.0 + 1e-6));
    assert_true(with[i].lower <= t[i].upper && with[i].lower >= rates[i]);
  }
  assert_int_equal(asked_fit(&mu, &a, 0.001, work, bytes), DPPAIR_OK);
  assert_true(mu.upper > DBL_MAX);
  assert_int_equal(asked_fit(&mu, &a, 0.01, work, bytes), DPPAIR_OK);
  assert_true(mu.upper < 2.0);
}

/* What nothing is known of but an upper bound: the lower end is what guessing attains. */
static void without_known_neighbours_the_lower_end_is_chance(void **state) {
  dppair_accountant a[3];
  dppair_interval t[RATES], accuracy, mu;
  size_t k, i;
  (void)state;
  a[0] = account_of(DPPAIR_ZCDP, 0.125, 1);
  a[1] = account_of(DPPAIR_L2BALL, 1.0, 3);
  a[2] = sampled_account(DPPAIR_REPLACE_ONE, 1, 10, 1.0, 50);
  for (k = 0; k < 3; k++) {
    assert_int_equal(asked_curve(t, rates, RATES, &a[k], work, bytes), DPPAIR_OK);
    for (i = 0; i < RATES; i++) {
      assert_true(t[i].lower <= rates[i] && t[i].lower >= rates[i]);
      assert_true(t[i].upper >= rates[i] &&
                  (rates[i] < 1e-4 || t[i].upper < 1.0 || i + 1 == RATES));
      if (k == 0) assert_true(t[i].upper >= gaussian_roc(rates[i], 0.5) * (1.0 - 1e-12));
      if (k == 1) assert_true(t[i].upper <= fmin(1.0, exp(3.0) * rates[i]) * (1.0 + 1e-12));
    }
    assert_int_equal(asked_accuracy(&accuracy, &a[k], 0.5, work, bytes), DPPAIR_OK);
    assert_true(accuracy.lower <= 0.5 && accuracy.upper > 0.5 && accuracy.upper < 0.96);
    assert_int_equal(asked_fit(&mu, &a[k], 1e-6, work, bytes), DPPAIR_OK);
    assert_true(mu.lower <= 0.0 && mu.upper > 0.1 && mu.upper < 20.0);
  }
}

static void accuracy_is_that_of_the_best_threshold(void **state) {
  static const double priors[] = {0.5, 0.1, 0.9, 0.001, 0.37};
  const dppair_accountant gaussian = account_of(DPPAIR_GAUSSIAN, 1.0, 1);
  const dppair_accountant answers = account_of(DPPAIR_RANDOMISED_RESPONSE, 1.0, 1);
  const dppair_accountant laplace = account_of(DPPAIR_LAPLACE, 0.5, 1);
  const double right = 1.0 / (1.0 + exp(-1.0));
  dppair_interval b;
  size_t i;
  (void)state;
  for (i = 0; i < 5; i++) {
    const double p = priors[i], x = 0.5 + log((1.0 - p) / p), m = fmin(p, 1.0 - p);
    assert_int_equal(asked_accuracy(&b, &gaussian, p, NULL, 0), DPPAIR_OK);
    encloses(&b, p * above(x - 1.0) + (1.0 - p) * above(-x), 1e-12);
    assert_int_equal(asked_accuracy(&b, &answers, p, work, bytes), DPPAIR_OK);
    encloses(&b, m < 1.0 - right ? 1.0 - m : right, 1e-12);
    assert_int_equal(asked_accuracy(&b, &laplace, p, work, bytes), DPPAIR_OK);
    x<2.5 && x> - 1.5 ? encloses(&b, 1.0 - m * exp(0.5 * (fabs(log((1.0 - p) / p)) - 2.0)), 1e-12)
                      : encloses(&b, 1.0 - m, 1e-12);
  }
}

static void an_empty_account_leaves_chance_and_a_hopeless_one_promises_nothing(void **state) {
  dppair_accountant a;
  dppair_interval t[RATES], b;
  size_t i;
  (void)state;
  assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
  assert_int_equal(asked_curve(t, rates, RATES, &a, NULL, 0), DPPAIR_OK);
  for (i = 0; i < RATES; i++) encloses(&t[i], rates[i], 1e-12);
  assert_true(t[0].upper <= 0.0);
  assert_int_equal(asked_accuracy(&b, &a, 0.5, NULL, 0), DPPAIR_OK);
  assert_true(b.lower >= 0.5 && b.upper <= 0.5);
  for (i = 0; i < 4; i++) { /* 1 - prior is rounded to either side; these differences are exact */
    static const double priors[4] = {0.3, 1e-3, 1e-12, 1e-300};
    assert_int_equal(asked_accuracy(&b, &a, priors[i], NULL, 0), DPPAIR_OK);
    assert_true(1.0 - b.upper <= priors[i] && 1.0 - b.lower >= priors[i] && b.lower > 0.69);
  }
  assert_int_equal(asked_fit(&b, &a, 0.0, NULL, 0), DPPAIR_OK);
  assert_true(b.upper <= 0.0 && b.lower <= 0.0 && b.estimate <= 0.0);
  a = account_of(DPPAIR_GAUSSIAN, 1e-4, 1);
  assert_int_equal(asked_curve(t, rates, RATES, &a, NULL, 0), DPPAIR_OK);
  for (i = 1; i < RATES; i++) assert_true(t[i].upper >= 1.0 && t[i].lower >= 1.0 - 1e-13);
  assert_int_equal(asked_accuracy(&b, &a, 0.5, NULL, 0), DPPAIR_OK);
  assert_true(b.upper >= 1.0);
  assert_int_equal(asked_fit(&b, &a, 0.0, NULL, 0), DPPAIR_OK);
  assert_true(b.upper >= 1e4 && b.upper <= 1e4 * (1.0 + 1e-12));
  assert_int_equal(dppair_accountant_failure(&a, 0.999), DPPAIR_OK);
  assert_int_equal(asked_curve(t, rates, RATES, &a, NULL, 0), DPPAIR_OK);
  assert_true(t[0].upper >= 0.999);
}

static void a_positive_answer_is_worth_its_bayes_factor(void **state) {
  double factor, posterior;
  (void)state;
  assert_int_equal(dppair_attack_bayes(&factor, &posterior, 0.125, 0.75, 0.25), DPPAIR_OK);
  assert_true(factor >= 6.0 && factor <= 6.0 * (1.0 + 1e-14));
  assert_true(posterior >= 2.0 / 3.0 && posterior <= 2.0 / 3.0 * (1.0 + 1e-14));
  assert_int_equal(dppair_attack_bayes(&factor, &posterior, 0.0, 1e-5, 1e-6), DPPAIR_OK);
  assert_true(factor > DBL_MAX && posterior >= 1.0);
  assert_int_equal(dppair_attack_bayes(&factor, &posterior, 0.5, 0.0, 0.5), DPPAIR_OK);
  assert_true(factor <= 0.0 && posterior <= 0.0);
  assert_int_equal(dppair_attack_bayes(&factor, &posterior, 1.0, 1.0, 0.125), DPPAIR_OK);
  assert_true(posterior >= 0.125 && posterior <= 0.125 * (1.0 + 1e-14));
  assert_int_equal(dppair_attack_bayes(&factor, &posterior, 0.0, 0.0, 0.5), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_attack_bayes(&factor, &posterior, 0.1, 0.1, 1.0), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_attack_bayes(&factor, &posterior, 0.1, 1.1, 0.5), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_attack_bayes(&factor, &posterior, 0.1, HUGE_VAL, 0.5),
                   DPPAIR_ERR_NOT_FINITE);
  assert_true(factor <= 0.0 && posterior <= 0.0);
  assert_int_equal(dppair_attack_bayes(NULL, &posterior, 0.1, 0.1, 0.5), DPPAIR_ERR_NULL);
}

/* The smallest mu by the ROC curve: the largest gap of normal quantiles. */
static void the_gaussian_fit_covers_the_curve_and_no_smaller_one_does(void **state) {
  dppair_accountant a = account_of(DPPAIR_GAUSSIAN, 4.0, 9);
  dppair_interval mu, t[RATES];
  double truth = 0.0;
  int i;
  (void)state;
  assert_int_equal(asked_fit(&mu, &a, 0.0, NULL, 0), DPPAIR_OK);
  encloses(&mu, 0.75, 1e-11);
  a = account_of(DPPAIR_RANDOMISED_RESPONSE, 1.0, 1); /* all of its curve hangs on one point */
  assert_int_equal(asked_fit(&mu, &a, 0.0, work, bytes), DPPAIR_OK);
  encloses(&mu, 2.0 * quantile(1.0 / (1.0 + exp(1.0))), 1e-2);
  a = account_of(DPPAIR_LAPLACE, 1.0, 1);
  for (i = 1; i < 20000; i++) {
    const double f = i / 20000.0, gap = quantile(f) - quantile(laplace_roc(f, 1.0));
    if (gap > truth) truth = gap;
  }
  assert_int_equal(asked_fit(&mu, &a, 0.0, work, bytes), DPPAIR_OK);
  assert_true(mu.upper >= truth && mu.upper <= truth * 1.001);
  assert_true(mu.lower <= truth * (1.0 + 1e-6) && mu.lower >= truth * 0.999);
  a = sampled_account(DPPAIR_REPLACE_ONE, 0, 1, 1.0, 1000);
  assert_int_equal(asked_fit(&mu, &a, 0.0, work, bytes), DPPAIR_OK);
  assert_true(mu.upper > DBL_MAX); /* rare, but large losses */
  assert_int_equal(asked_fit(&mu, &a, 1e-5, work, bytes), DPPAIR_OK);
  assert_true(mu.lower > 0.5 && mu.upper < 1.01 * mu.lower);
  assert_int_equal(asked_curve(t, rates, RATES, &a, work, bytes), DPPAIR_OK);
  for (i = 0; i < RATES; i++) assert_true(t[i].lower <= gaussian_roc(rates[i], mu.upper) + 1e-5);
}

static void wrong_questions_are_refused_and_leave_zeros(void **state) {
  dppair_accountant a = account_of(DPPAIR_GAUSSIAN, 1.0, 1), broken;
  dppair_interval t[2], zero;
  double f[2] = {0.1, 0.2};
  (void)state;
  memset(&zero, 0, sizeof zero);
#define REFUSED(call, error)                                                                       \
  do {                                                                                             \
    memset(t, 1, sizeof t);                                                                        \
    assert_int_equal(call, error);                                                                 \
    assert_memory_equal(&t[0], &zero, sizeof zero);                                                \
  } while (0)
  assert_int_equal(asked_curve(NULL, f, 2, &a, NULL, 0), DPPAIR_ERR_NULL);
  assert_int_equal(asked_curve(t, f, 0, &a, NULL, 0), DPPAIR_ERR_SIZE);
  assert_int_equal(asked_curve(t, f, ((size_t)1 << 20) + 1, &a, NULL, 0), DPPAIR_ERR_SIZE);
  REFUSED(asked_curve(t, NULL, 2, &a, NULL, 0), DPPAIR_ERR_NULL);
  REFUSED(asked_curve(t, f, 2, NULL, NULL, 0), DPPAIR_ERR_NULL);
  f[1] = 1.5;
  REFUSED(asked_curve(t, f, 2, &a, NULL, 0), DPPAIR_ERR_DOMAIN);
  f[1] = -0.5;
  REFUSED(asked_curve(t, f, 2, &a, NULL, 0), DPPAIR_ERR_DOMAIN);
  f[1] = (double)NAN;
  REFUSED(asked_curve(t, f, 2, &a, NULL, 0), DPPAIR_ERR_NOT_FINITE);
  REFUSED(asked_accuracy(t, &a, 0.0, NULL, 0), DPPAIR_ERR_DOMAIN);
  REFUSED(asked_accuracy(t, &a, 1.0, NULL, 0), DPPAIR_ERR_DOMAIN);
  REFUSED(asked_accuracy(t, &a, (double)NAN, NULL, 0), DPPAIR_ERR_NOT_FINITE);
  REFUSED(asked_accuracy(t, NULL, 0.5, NULL, 0), DPPAIR_ERR_NULL);
  assert_int_equal(asked_accuracy(NULL, &a, 0.5, NULL, 0), DPPAIR_ERR_NULL);
  REFUSED(asked_fit(t, &a, -0.1, NULL, 0), DPPAIR_ERR_DELTA);
  REFUSED(asked_fit(t, &a, 1.0, NULL, 0), DPPAIR_ERR_DELTA);
  REFUSED(asked_fit(t, &a, HUGE_VAL, NULL, 0), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(asked_fit(NULL, &a, 0.0, NULL, 0), DPPAIR_ERR_NULL);
  broken = a;
  assert_int_equal(dppair_accountant_gaussian(&broken, 1.0, -1.0, 1), DPPAIR_ERR_SIGMA);
  f[1] = 0.2;
  REFUSED(asked_curve(t, f, 2, &broken, NULL, 0), DPPAIR_ERR_SIGMA);
  REFUSED(asked_accuracy(t, &broken, 0.5, NULL, 0), DPPAIR_ERR_SIGMA);
  REFUSED(asked_fit(t, &broken, 0.0, NULL, 0), DPPAIR_ERR_SIGMA);
  a = account_of(DPPAIR_LAPLACE, 1.0, 1);
  REFUSED(asked_curve(t, f, 2, &a, work, 64), DPPAIR_ERR_WORKSPACE);
  REFUSED(asked_curve(t, f, 2, &a, NULL, 0), DPPAIR_ERR_WORKSPACE);
  REFUSED(asked_accuracy(t, &a, 0.5, NULL, 0), DPPAIR_ERR_WORKSPACE);
  REFUSED(asked_fit(t, &a, 0.0, NULL, 0), DPPAIR_ERR_WORKSPACE);
#undef REFUSED
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(the_curve_of_gaussian_steps_is_known_in_closed_form),
      TEST(the_curve_of_laplace_noise_is_known_in_closed_form),
      TEST(the_curve_of_randomised_response_is_an_exact_sum),
      TEST(the_curve_of_a_sampled_step_holds_for_both_orders),
      TEST(the_curve_of_two_sampled_steps_is_that_of_quadrature),
      TEST(what_failed_counts_for_the_attacker),
      TEST(without_known_neighbours_the_lower_end_is_chance),
      TEST(accuracy_is_that_of_the_best_threshold),
      TEST(an_empty_account_leaves_chance_and_a_hopeless_one_promises_nothing),
      TEST(a_positive_answer_is_worth_its_bayes_factor),
      TEST(the_gaussian_fit_covers_the_curve_and_no_smaller_one_does),
      TEST(wrong_questions_are_refused_and_leave_zeros),
  };
  return RUN_TESTS(tests, get_memory, free_memory);
}
