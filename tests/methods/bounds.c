/* SPDX-License-Identifier: MIT */
/* The papers' utility theorems: values by hand, infima by a search, what is refused; the laws that
 * they are held against: risks by double loops, certified minima. */
#include "tests.h"

#include "support/laws.h"
#include "support/utility_bounds.h"

static const utility_theorem *theorem(const char *name) {
  const utility_theorem *t = utility_find(name);
  assert_non_null(t);
  return t;
}

static double value(const char *name, const utility *u) {
  double bound;
  assert_int_equal(utility_bound(&bound, theorem(name), u), 1);
  return bound;
}

static void refused(const char *name, const utility *u) {
  double bound = 0;
  assert_int_equal(utility_bound(&bound, theorem(name), u), 0);
  assert_true(bound >= HUGE_VAL); /* never a bound that is too small */
}

static void near(double found, double expected) {
  if (!(fabs(found - expected) <= 1e-12 * fabs(expected)))
    fail_msg("%.17g is not %.17g", found, expected);
}

/* Every number set, within every condition. */
static utility sample(void) {
  const utility u = {.n = 100,
                     .epsilon = 2,
                     .delta = 0.0625,
                     .dimension = 40,
                     .steps = 400,
                     .eta = 0.1,
                     .lipschitz = 4,
                     .smoothness = 4,
                     .curvature = 1,
                     .diameter = 2,
                     .move = 8,
                     .sigma = 0.5,
                     .multiplier = 0.25,
                     .gap = 1,
                     .largest = 1,
                     .stability = 3,
                     .xi = 0.5,
                     .rademacher = 2,
                     .norm = 1,
                     .kappa = 1,
                     .lambda = 0.25,
                     .strength = 2,
                     .exponent = 0.5,
                     .approximation = 1,
                     .at_zero = 1,
                     .omega = 0.5,
                     .noised = 25,
                     .variance = 2,
                     .excess = 0.5,
                     .minimum = 0.5,
                     .interior = 0,
                     .c1 = 1,
                     .c2 = 1,
                     .c3 = 1};
  return u;
}

/* The smallest value of f on the positive numbers, by golden section in ln(tau). */
static double smallest(double (*f)(const utility *, double), const utility *u) {
  const double ratio = 0.6180339887498949;
  double low = -30, high = 30;
  int k;
  for (k = 0; k < 200; k++) {
    const double a = high - ratio * (high - low), b = low + ratio * (high - low);
    if (f(u, exp(a)) < f(u, exp(b)))
      high = b;
    else
      low = a;
  }
  return f(u, exp(low));
}

static void the_infimum_over_tau_is_that_of_a_search(void **state) {
  int k;
  (void)state;
  for (k = 0; k < 50; k++) {
    utility u = sample();
    u.steps = 1 + (double)(k % 7);
    u.lipschitz = exp(4 * uniform() - 2);
    u.smoothness = u.curvature + exp(6 * uniform() - 3);
    u.sigma = exp(6 * uniform() - 4);
    u.n = 2 + floor(1000 * uniform());
    u.excess = uniform();
    u.minimum = k % 5 == 0 ? 0 : uniform();
    near(value("kang2021-2", &u), smallest(kang2021_theorem2_at, &u));
    near(value("kang2023-3", &u), smallest(kang2023_theorem3_at, &u));
  }
}

static void kang_by_hand(void **state) {
  utility u = sample();
  (void)state;
  u.steps = 2;
  u.dimension = 2;
  u.sigma = 1;
  /* A = 16 16 4/(16 10^4) + 2 4/(2 16) + 4 sqrt 2 sqrt 2 4 4/(16 100) = 0.0064 + 0.25 + 0.08 */
  near(value("kang2021-2", &u), 8 * 0.3364 + 8 * 0.58 + 0.5625 /* (3/4)^2 */ + 1 /* 2/(2 1) */);
  /* distance 8/100 (1 - 9/16) */
  near(value("kang2021-2-sharp", &u), 8 * 0.08 * 0.4375 + 0.5625 + 0.4375);
  /* full batches, and draws of one record, the noise in a quarter of the steps */
  u.variance = 0;
  near(value("kang2023-1", &u), 0.5625 + 0.4375);
  u.variance = 2;
  near(value("kang2023-6", &u), 0.5625 + (0.5 + 2) / 2 * 0.4375);
  u.excess = 0.5625 + (0.5 + 2) / 2 * 0.4375;
  near(value("kang2023-7", &u), value("kang2023-3", &u));
  /* 25/100 2 16 ln 16 ln 100/(100 2)^2 */
  near(value("kang2023-6-paper", &u), 8 * log(16) * log(100) / 40000);
  near(value("kang2023-1-paper", &u), 32 * log(16) * log(100) / 40000);
  /* km = 50: 50/(4 10^6) + 1e-2; 50/(4 10^5) + 1e-3; 50^1.5/(8 10^4) + 2/(sqrt 50 100) */
  near(value("kang2023-7-paper", &u), 0.000125 + 0.001);
  u.c1 = 3;
  near(value("kang2023-7-paper", &u), 3 * 0.001125);
  u.c1 = 1;
  u.xi = 3 / exp(1);
  u.xi /= 4; /* ln(12/xi) = 1 + ln 16, ln(3/xi) = 1 + ln 4 */
  near(value("kang2021-3", &u), 0.06 + 16 * sqrt(2 * (1 + log(16)) / 100) +
                                    2 * sqrt(2 * (1 + log(16)) * log(16) / 100) +
                                    16.0 / 80000 * sqrt(2 * log(16) / u.xi) +
                                    32 * log(16) / (40000 * u.xi) + 9 * sqrt((1 + log(4)) / 100));
}

static void xue_by_hand(void **state) {
  utility u = sample();
  double share, h, total = 0, before = 1;
  const double parts[] = {50, 25, 12, 6, 7};
  size_t k, sum = 0;
  (void)state;
  u.dimension = 2;
  /* 4 4 16 2 ln 16/200^2 + 16/100 */
  near(value("xue2021-1", &u), 512 * log(16) / 40000 + 0.16);
  near(value("xue2021-3", &u), 8 * (0.1 + sqrt(2 * log(16)) / 200));
  near(value("xue2021-2", &u), value("xue2021-3", &u));
  /* q = 0.9: move 0.08 (1 - q^T), G + alpha = 5, noise sqrt 2 move/4 */
  u.steps = 2;
  near(value("xue2021-1-explicit", &u), 8 * 0.08 * 0.19 + 5 * 0.81 + 5 * sqrt(2) * 0.02 * 0.19);
  u.interior = 1;
  u.steps = 1000;
  near(value("xue2021-1-explicit", &u),
       fmin(0.64 + 5 * sqrt(2) * 0.02, 4 * 0.64 + 2 * 2 * 0.02 * 0.02));
  u.multiplier = 100;
  near(value("xue2021-1-explicit", &u), fmin(0.64 + 40 * sqrt(2), 4 * 0.64 + 2 * 2 * 64));
  u.multiplier = 0.25;
  u.steps = 4;
  near(value("xue2021-2-explicit", &u), 1 + 0.05 * (16 + 0.5) + 4 * 0.1 * 8 * 4 / 100);
  u.delta = 0;
  near(value("xue2021-1", &u), 4 * 4 * 16 * 4 / 40000.0 + 0.16);
  near(value("xue2021-3", &u), 8 * (0.1 + 2.0 / 200));
  refused("xue2021-2", &u);
  /* the epochs of 100 records; noise of the l2 mechanism: d(d + 1) = 6 scale^2 */
  for (k = 0; k < 5; k++) {
    assert_int_equal(dpegd_epoch(&share, 100, k), (size_t)parts[k]);
    h = 0.1 * pow(4, -(double)k - 1);
    near(0.1 * share, h);
    total += before / (2 * h * (parts[k] + 1)) + 8 * h + 8 * h * 4;
    before = 6 * h * h;
  }
  assert_int_equal(dpegd_epoch(&share, 100, 5), 0);
  near(value("xue2021-3-explicit", &u), total + 4 * 2 * h);
  for (k = 0; dpegd_epoch(&share, 7, k) > 0; k++) sum += dpegd_epoch(&share, 7, k);
  assert_int_equal(sum, 7);
}

static void yang_by_hand(void **state) {
  utility u = sample();
  const double e = exp(1), c1 = 100 * sqrt(6) * exp(1.5) * 16 * log(12 * e), roots = 38.5;
  double sum = 0, common, factor, t;
  (void)state;
  for (t = 1; t <= 400; t++) sum += 1 / sqrt(t);
  assert_true(fabs(inverse_roots(400) - sum) < 1e-10 && sum > roots);
  near(inverse_roots(4), 1.5 + 1 / sqrt(2) + 1 / sqrt(3));
  common = 4.0 / 400 * 2 * sum + 4 / 80.0 + 0.8 + (6 + 19 * e) * 9 * sqrt(log(4800) / 100);
  factor = c1 * 0.1 * 5;
  assert_true(fabs(value("yang2021-2", &u) /
                       (common + factor * (20 + sqrt(3) * 4 * log(400 * e) * log(12))) -
                   1) < 1e-10);
  assert_true(fabs(value("yang2021-2-paper", &u) /
                       (common + factor * (20 + sqrt(1200 * log(400 * e) * log(12)) / 100)) -
                   1) < 1e-10);
  common += 4 * sqrt(40) * pow(log(8), 0.25);
  assert_true(fabs(value("yang2021-5", &u) /
                       (common + factor * (20 + sqrt(3) * 4 * log(400 * e) * log(32))) -
                   1) < 1e-10);
  assert_true(fabs(value("yang2021-5-paper", &u) /
                       (common + factor * (20 + sqrt(1200) * log(400 * e) * log(32) / 100)) -
                   1) < 1e-10);
  u.eta = 1e-4;
  assert_true(
      fabs(value("yang2021-5-explicit", &u) / (100.0 / 99 * (1 / 0.08 + 8e-4 + 4 * sum / 400) +
                                               8 * 8e-4 * (40.0 / 3 + 4) + 2 * sqrt(40)) -
           1) < 1e-10);
  u.eta = 0.01;
  {
    const double c3 = 7 + 12 * sqrt(2) * e + 16 + 64 * e, root = sqrt(18);
    near(value("yang2021-3", &u) / 1, 4 * (sqrt(17 * 0.01) + inverse_roots(400) / 400) + 1 / 8.0 +
                                          0.08 + c3 * sqrt(log(4800) / 100) +
                                          12 * root * sqrt(0.01 * log(4800)) +
                                          48 * sqrt(2) * e * root * sqrt(0.01 * 4 * log(12 * e)) +
                                          c1 * 0.05 * (20 + 16 * log(400 * e) * sqrt(log(1200))));
  }
}

static void nie_and_wang_by_hand(void **state) {
  utility u = sample();
  (void)state;
  u.n = 16; /* m^(-1/4) = 1/2 */
  near(value("niewang2017-4-paper", &u), (2 + 1 + 3 * 4 / 2.0 + 1) / 2);
  u.dimension = 1;
  u.epsilon = 0.5;
  /* noise 2 16/(1/4 2 16 1/2) = 8 */
  near(value("niewang2017-4", &u), (exp(0.5) - 1) * (1 + 0.125 + 8) + 8 + 0.5);
}

static void what_is_no_number_in_range_is_refused(void **state) {
  const utility_theorem *t;
  const utility_field *f;
  const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, -1, -1e-300};
  size_t k;
  (void)state;
  for (t = utility_theorems; t->name != NULL; t++) {
    utility u = sample(), empty;
    const int paper = strstr(t->name, "-paper") != NULL;
    (void)value(t->name, &u);
    assert_int_equal(t->status == WRONG, paper);
    utility_clear(&empty);
    refused(t->name, &empty);
    for (f = utility_fields; f->option != NULL; f++) {
      const double kept = *utility_at(&u, f);
      const utility_field *missing;
      *utility_at(&u, f) = (double)NAN;
      missing = utility_missing(t, &u);
      if (missing != NULL) {
        assert_ptr_equal(missing, f);
        for (k = 0; k < sizeof bad / sizeof *bad; k++) {
          *utility_at(&u, f) = bad[k];
          refused(t->name, &u);
        }
        if (f->domain == COUNT_OF_TWO) {
          *utility_at(&u, f) = 1;
          refused(t->name, &u);
          *utility_at(&u, f) = 100.5;
          refused(t->name, &u);
        }
        if (f->domain != NOT_NEGATIVE && f->domain != BELOW_ONE) {
          *utility_at(&u, f) = 0;
          refused(t->name, &u);
        }
        if (f->domain == BELOW_ONE || f->domain == INSIDE) {
          *utility_at(&u, f) = 1;
          refused(t->name, &u);
        }
      }
      *utility_at(&u, f) = kept;
    }
  }
}

static void conditions_of_theorems_are_checked(void **state) {
  utility u = sample();
  (void)state;
  u.curvature = 4.1; /* above L */
  refused("kang2021-2", &u);
  refused("kang2021-2-sharp", &u);
  refused("kang2023-3", &u);
  u = sample();
  u.eta = 0.41; /* 2/(L + alpha) = 0.4 */
  refused("xue2021-1-explicit", &u);
  u.eta = 0.51; /* 2/L */
  refused("xue2021-2-explicit", &u);
  u.eta = 2.1;
  refused("xue2021-3-explicit", &u);
  u = sample();
  u.n = 401; /* T >= n */
  refused("yang2021-2", &u);
  refused("yang2021-3", &u);
  refused("yang2021-5", &u);
  u = sample();
  u.xi = 0.2; /* 4 delta = 0.25 */
  refused("yang2021-5", &u);
  u.delta = 1e-6;
  u.dimension = 12; /* exp(-12/8) = 0.223 */
  refused("yang2021-5", &u);
  u = sample();
  u.noised = 101;
  refused("kang2023-6", &u);
  refused("kang2023-7-paper", &u);
  u.exponent = 1.5;
  refused("niewang2017-4", &u);
  assert_null(utility_find("kang2021"));
}

/* The sharp form of a theorem is below the printed one where that is proved. */
static void the_sharp_form_is_below(void **state) {
  int k;
  (void)state;
  for (k = 0; k < 100; k++) {
    utility u = sample();
    u.steps = 1 + floor(50 * uniform());
    u.lipschitz = exp(2 * uniform());
    u.move = 4 * u.lipschitz;
    u.sigma = uniform();
    u.smoothness = 1 + 4 * uniform();
    assert_true(value("kang2021-2-sharp", &u) <= value("kang2021-2", &u));
  }
}

/* --- simulated laws --------------------------------------------------------------------------- */

static double softplus(double u) { return log1p(exp(-fabs(u))) + (u < 0 ? -u : 0); }

/* The loss of the ordered pair (i, j), or of i alone. */
static double pair_loss(const law *l, law_kind kind, const double *w, size_t i, size_t j) {
  double score = 0, other = 0, distance = 0;
  size_t k, m;
  for (k = 0; k < l->d; k++) {
    score += w[k] * l->x[i][k];
    other += w[k] * l->x[j][k];
    for (m = 0; kind == LAW_METRIC && m < l->d; m++)
      distance += (l->x[i][k] - l->x[j][k]) * w[k * l->d + m] * (l->x[i][m] - l->x[j][m]);
  }
  switch (kind) {
  case LAW_RANKING:
    return softplus((l->y[i] - l->y[j]) * (score - other));
  case LAW_METRIC:
    return softplus(l->y[i] * l->y[j] * (1 - distance));
  case LAW_HINGE:
    return l->y[i] > l->y[j] ? fmax(0, 1 - score + other) : 0;
  case LAW_POINTS:
    return softplus(l->y[i] * (score + w[l->d]));
  default:
    return fmax(0, 1 - l->y[i] * score);
  }
}

static const law_kind kinds[] = {LAW_RANKING, LAW_METRIC, LAW_HINGE, LAW_POINTS, LAW_SVM};
enum { KINDS = 5 };

static void risks_are_those_of_double_loops(void **state) {
  law l;
  static law_problem p;
  size_t k, i, j;
  (void)state;
  for (k = 0; k < KINDS; k++) {
    double weight[LAW_TERMS], w[LAW_SIZE], g[LAW_SIZE], count[ATOMS], n = 0, own = 0, fresh = 0;
    const int alone = kinds[k] == LAW_POINTS || kinds[k] == LAW_SVM;
    law_make(&l, kinds[k] == LAW_METRIC ? 2 : 3, 0.3, k);
    law_problem_make(&p, &l, kinds[k], 0.5, 1);
    for (i = 0; i < LAW_SIZE; i++) w[i] = normal();
    w[2] = kinds[k] == LAW_METRIC ? w[1] : w[2];
    for (i = 0; i < ATOMS; i++) n += count[i] = (double)below(4);
    law_weigh(weight, &p, count, n);
    for (i = 0; i < ATOMS; i++)
      for (j = 0; j < ATOMS; j++) {
        const double loss = pair_loss(&l, kinds[k], w, i, j);
        fresh += loss / (ATOMS * ATOMS);
        own += alone ? count[i] * loss / (n * ATOMS)
                     : count[i] * (count[j] - (i == j ? 1 : 0)) * loss / (n * (n - 1));
      }
    for (i = 0; i < p.size; i++) {
      fresh += 0.25 * w[i] * w[i];
      own += 0.25 * w[i] * w[i];
    }
    near(law_risk(g, &p, p.weight, w), fresh);
    near(law_risk(NULL, &p, weight, w), own);
    for (i = 0; i < p.size; i++) { /* the gradient, by differences */
      double to[LAW_SIZE], from[LAW_SIZE];
      memcpy(to, w, sizeof to);
      memcpy(from, w, sizeof from);
      to[i] += 1e-6;
      from[i] -= 1e-6;
      assert_true(
          fabs((law_risk(NULL, &p, p.weight, to) - law_risk(NULL, &p, p.weight, from)) / 2e-6 -
               g[i]) < 1e-7);
    }
  }
}

/* No point of the set is below the bound, and the point that is found is not above it. */
static void smallest_risks_are_certified(void **state) {
  law l;
  static law_problem p;
  size_t k, i, round;
  (void)state;
  for (k = 0; k < KINDS; k++) {
    const double width = kinds[k] == LAW_SVM ? 1e-2 : 0;
    double w[LAW_SIZE] = {0}, low;
    law_make(&l, kinds[k] == LAW_METRIC ? 2 : 3, 0.3, k);
    law_problem_make(&p, &l, kinds[k], kinds[k] == LAW_RANKING ? 0.25 : 0,
                     kinds[k] == LAW_HINGE ? 0.4999 : 1);
    low = law_minimise(w, &p, p.weight, width, 1e-8);
    assert_true(law_risk(NULL, &p, p.weight, w) - low <= 1.1e-8 + width / 2);
    for (round = 0; round < 2000; round++) {
      double v[LAW_SIZE], square = 0, scale;
      for (i = 0; i < p.size; i++) v[i] = w[i] + normal() * (round % 2 ? 1e-3 : 1);
      if (kinds[k] == LAW_METRIC) { /* a square: semidefinite */
        const double a = v[0], b = (v[1] + v[2]) / 2, c = v[3];
        v[0] = a * a + b * b;
        v[1] = v[2] = b * (a + c);
        v[3] = b * b + c * c;
      }
      for (i = 0; i < p.size; i++) square += v[i] * v[i];
      scale = fmin(1, p.radius / sqrt(square));
      for (i = 0; i < p.size; i++) v[i] *= scale;
      assert_true(law_risk(NULL, &p, p.weight, v) >= low);
    }
  }
  /* where no margin reaches the kink the hinge is linear: its mean less radius times its slope */
  {
    double w[LAW_SIZE] = {0}, g[LAW_SIZE], zero[LAW_SIZE] = {0}, square = 0, at;
    law_make(&l, 3, 0.3, 7);
    law_problem_make(&p, &l, LAW_HINGE, 0, 0.4999);
    at = law_risk(g, &p, p.weight, zero);
    for (i = 0; i < 3; i++) square += g[i] * g[i];
    near(at, 0.25);
    near(law_minimise(w, &p, p.weight, 0, 1e-12), at - 0.4999 * sqrt(square));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(the_infimum_over_tau_is_that_of_a_search),
                                     TEST(kang_by_hand),
                                     TEST(xue_by_hand),
                                     TEST(yang_by_hand),
                                     TEST(nie_and_wang_by_hand),
                                     TEST(what_is_no_number_in_range_is_refused),
                                     TEST(conditions_of_theorems_are_checked),
                                     TEST(the_sharp_form_is_below),
                                     TEST(risks_are_those_of_double_loops),
                                     TEST(smallest_risks_are_certified)};
  return RUN_TESTS(tests, NULL, NULL);
}
