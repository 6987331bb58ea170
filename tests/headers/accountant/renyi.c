/* SPDX-License-Identifier: MIT */
/* Renyi curves by two independent routes: closed sums for integer orders, the divergence integral
 * in wide arithmetic, the integral over the hockey-stick curve, convolution of hit counts. */
#include "accountant_common.h"

static dppair_step poisson(double q, double z, dppair_adjacency adjacency) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = DPPAIR_SAMPLED_GAUSSIAN;
  s.sampling = test_sampling(DPPAIR_POISSON, adjacency, q, 0, 0);
  s.noise_multiplier = z;
  s.steps = 1;
  return s;
}

static double renyi(const dppair_step *s, double order) {
  double rdp, unpaid;
  assert_ok(dppair_renyi(&rdp, &unpaid, s, order, 0));
  return rdp;
}

/* sum_{k>=2} C(a,k) q^k (1-q)^(a-k) (e^{k(k-1)/2z^2} - 1), integer a: all terms positive. */
static wide integer_poisson(double q, double z, int a) {
  const wide v = 2 * (wide)z * (wide)z;
  wide sum = 0, choose = 1;
  int k;
  for (k = 1; k <= a; k++) {
    choose = choose * (a - k + 1) / k;
    sum += choose * wpow((wide)q, k) * wpow(1 - (wide)q, a - k) * wexpm1((wide)(k * (k - 1)) / v);
  }
  return wlog1p(sum) / (a - 1);
}

/* (1+u)^b - 1 - b u in wide arithmetic. */
static wide excess(wide b, wide u) {
  wide t, s;
  int k;
  if (u * b > (wide)1e-4 || u * b < (wide)-1e-4 || u > (wide)1e-4 || u < (wide)-1e-4)
    return wexpm1(b * wlog1p(u)) - b * u;
  t = s = b * (b - 1) / 2 * u * u;
  for (k = 3; k < 14; k++) {
    t *= (b - k + 1) / k * u;
    s += t;
  }
  return s;
}

/* The divergence integral by a fine trapezoid; opposed != 0: replace-one. */
static wide integral_poisson(double q_, double z, double a_, int opposed) {
  const wide q = (wide)q_, a = (wide)a_, mu = 1 / (wide)z;
  const wide h = (wide)0.125 / (mu > 1 ? mu : 1), end = (opposed ? 2 : 1) * a * mu + 2 * mu + 14;
  wide sum = 0, x;
  for (x = -14; x < end; x += h) {
    const wide up = q * wexpm1(mu * x - mu * mu / 2), down = q * wexpm1(-mu * x - mu * mu / 2);
    sum += wexp(-x * x / 2) *
           (opposed ? (1 + down) * excess(a, (up - down) / (1 + down)) : excess(a, up));
  }
  return wlog1p(sum * h / wsqrt(2 * WIDE_PI)) / (a - 1);
}

static void the_poisson_curve_matches_its_integral_and_closed_sums(void **state) {
  static const double q[] = {1e-8, 1e-6, 1e-3, 0.01, 0.1, 0.5, 0.9};
  static const double z[] = {0.5, 1, 3, 20};
  static const double a[] = {1.0001, 1.01, 1.5, 2, 2.5, 3, 7, 10.25, 32, 40.5};
  size_t i, j, k;
  (void)state;
  for (i = 0; i < 7; i++) {
    for (j = 0; j < 4; j++) {
      for (k = 0; k < 10; k++) {
        const dppair_step zero = poisson(q[i], z[j], DPPAIR_ZERO_OUT);
        const dppair_step replace = poisson(q[i], z[j], DPPAIR_REPLACE_ONE);
        const int whole = a[k] >= floor(a[k]) && a[k] <= floor(a[k]);
        wide exact = integral_poisson(q[i], z[j], a[k], 0);
        if (a[k] * a[k] / z[j] / z[j] > (WIDE_IS_QUAD ? 8000 : 4000)) continue;
        /* long double loses digits in the reference where u is tiny */
        assert_close(renyi(&zero, a[k]), (double)exact, 1e-10);
        assert_true(renyi(&zero, a[k]) >= (double)exact * (1.0 - (WIDE_IS_QUAD ? 1e-15 : 3e-12)));
        if (whole) {
          exact = integer_poisson(q[i], z[j], (int)a[k]);
          assert_close(renyi(&zero, a[k]), (double)exact, 1e-10);
          assert_true(renyi(&zero, a[k]) >= (double)exact * (1.0 - 1e-15));
        }
        if (2 * a[k] * a[k] / z[j] / z[j] > (WIDE_IS_QUAD ? 8000 : 4000)) continue;
        exact = integral_poisson(q[i], z[j], a[k], 1);
        assert_close(renyi(&replace, a[k]), (double)exact, 1e-10);
        assert_true(renyi(&replace, a[k]) >=
                    (double)exact * (1.0 - (WIDE_IS_QUAD ? 1e-15 : 3e-12)));
      }
    }
  }
}

/* E_Q L^a = 1 + a(a-1) int_1^inf (t^(a-2) + t^(-a-1)) h(t) dt with h from the exact curve. */
static double by_curve(double g, double shift, double a) {
  const double h = 1.0 / 64;
  double sum = 0.0, s;
  for (s = -6.0; s < 5.0; s += h) { /* t = 1 + g expm1(y), y = e^(s - e^-s) */
    const double y = exp(s - exp(-s)), dy = y * (1.0 + exp(-s));
    const double u = g * expm1(y), t = 1.0 + u;
    double delta, term;
    if (y > 600.0) break;
    assert_ok(dppair_gaussian_delta(&delta, y, shift));
    if (delta <= DBL_MIN) continue;
    term = g * delta * g * exp(y) * dy;
    sum += term * (exp((a - 2.0) * log(t)) + exp((-a - 1.0) * log(t)));
  }
  return log1p(a * (a - 1.0) * sum * h) / (a - 1.0);
}

static dppair_step without_replacement(double q, double z) {
  dppair_step s = poisson(q, z, DPPAIR_REPLACE_ONE);
  s.sampling.kind = DPPAIR_WITHOUT_REPLACEMENT;
  return s;
}

static void the_subset_curve_matches_an_integral_over_the_hockey_stick(void **state) {
  static const double q[] = {1e-8, 1e-4, 0.01, 0.3, 0.95};
  static const double z[] = {0.5, 1, 4, 30};
  static const double a[] = {1.001, 1.7, 2, 5.5, 20, 60};
  size_t i, j, k;
  (void)state;
  for (i = 0; i < 5; i++) {
    for (j = 0; j < 4; j++) {
      for (k = 0; k < 6; k++) {
        const dppair_step s = without_replacement(q[i], z[j]);
        const dppair_step zero = poisson(q[i], z[j], DPPAIR_ZERO_OUT);
        if (a[k] / z[j] > 30.0) continue;
        assert_close(renyi(&s, a[k]), by_curve(q[i], 1.0 / z[j], a[k]), 2e-9);
        /* Never below the one-sided formula, which is not valid here. */
        assert_true(renyi(&s, a[k]) >= renyi(&zero, a[k]) * (1.0 - 1e-11));
      }
      { /* never above the closed form of Wang, Balle and Kasiviswanathan, order 2 */
        const dppair_step s = without_replacement(q[i], z[j]);
        const double m2 = 1.0 / z[j] / z[j], e = expm1(m2);
        const double two = 4.0 * e < 2.0 * exp(m2) ? 4.0 * e : 2.0 * exp(m2);
        assert_at_most(renyi(&s, 2), log1p(q[i] * q[i] * two) * (1.0 + 1e-11));
      }
    }
  }
  { /* the value of a hand calculation: q = .01, z = 1, order 2 */
    const dppair_step s = without_replacement(0.01, 1);
    assert_close(renyi(&s, 2), 0.000280639291, 1e-8);
  }
}

/* q = 1, any scheme: the plain Gaussian curve. */
static void sampling_everyone_is_the_plain_gaussian_curve(void **state) {
  double a;
  (void)state;
  for (a = 1.1; a < 100; a *= 1.7) {
    dppair_step s = poisson(1, 2, DPPAIR_ZERO_OUT);
    assert_close(renyi(&s, a), a / 8, 1e-11);
    s = poisson(1, 2, DPPAIR_REPLACE_ONE);
    assert_close(renyi(&s, a), a / 2, 1e-11);
    s = without_replacement(1, 2);
    assert_close(renyi(&s, a), a / 8, 1e-11);
    s = poisson(1.0 - 1e-12, 2, DPPAIR_ZERO_OUT);
    assert_close(renyi(&s, a), a / 8, 1e-9);
    s = without_replacement(1.0 - 1e-12, 2);
    assert_close(renyi(&s, a), a / 8, 1e-9);
  }
}

/* Poisson pairs, integer order: E_Q L^a = E exp( sum_{i<j} K_i K_j/z^2 ) by convolution. */
static double by_convolution(size_t trials, double rate, double z, int a) {
  enum { MOST = 40 };
  wide p[MOST + 1], sum[MOST * 8 + 1], next[MOST * 8 + 1], total = 0, v = (wide)z * (wide)z;
  size_t k, s, most = trials < MOST ? trials : MOST;
  int i;
  memset(sum, 0, sizeof sum);
  for (k = 0; k <= most; k++) {
    wide c = wpow(1 - (wide)rate, (wide)(trials - k)) * wpow((wide)rate, (wide)k);
    for (s = 0; s < k; s++) c = c * (wide)(trials - s) / (wide)(s + 1);
    p[k] = c * wexp(-(wide)(k * k) / (2 * v));
  }
  sum[0] = 1;
  for (i = 0; i < a; i++) {
    memset(next, 0, sizeof next);
    for (s = 0; s <= most * (size_t)i; s++)
      for (k = 0; k <= most; k++) next[s + k] += sum[s] * p[k];
    memcpy(sum, next, sizeof sum);
  }
  for (s = 0; s <= most * (size_t)a; s++) total += sum[s] * wexp((wide)(s * s) / (2 * v));
  return (double)(wlog(total) / (a - 1));
}

static void the_curve_of_sampled_pairs_matches_the_convolved_hits(void **state) {
  static const struct {
    size_t n;
    double rate, z;
  } c[] = {{10, 0.05, 3}, {20, 0.01, 2}, {6, 0.3, 4}, {30, 0.002, 5}};
  size_t i;
  int a;
  (void)state;
  for (i = 0; i < 4; i++) {
    dppair_step s;
    memset(&s, 0, sizeof s);
    s.kind = DPPAIR_SAMPLED_PAIRS;
    s.sampling = test_sampling(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 0, c[i].n, 0);
    s.pair_rate = c[i].rate;
    s.noise_multiplier = c[i].z;
    s.steps = 1;
    for (a = 2; a <= 8; a++) {
      const double exact = by_convolution(c[i].n - 1, c[i].rate, c[i].z, a);
      assert_close(renyi(&s, a), exact, WIDE_IS_QUAD ? 1e-10 : 1e-9);
      assert_true(renyi(&s, a) >= exact * (1.0 - (WIDE_IS_QUAD ? 1e-15 : 1e-12)));
    }
    /* A record is hit at least as often as in one pair, and as rarely as never more than once. */
    {
      const double hit = -expm1((double)(c[i].n - 1) * log1p(-c[i].rate));
      const dppair_step single = poisson(hit, c[i].z, DPPAIR_ZERO_OUT);
      assert_true(renyi(&s, 4) > renyi(&single, 4) * (1.0 - 1e-11));
    }
    /* A cap lowers the curve and is paid for with the exact tail. */
    {
      double rdp, unpaid;
      assert_ok(dppair_renyi(&rdp, &unpaid, &s, 8, 2));
      assert_at_most(rdp, renyi(&s, 8));
      assert_close(unpaid, dppair_binomial_tail_(c[i].n - 1, c[i].rate, 2), 1e-12);
    }
  }
  { /* Poisson pairs, replaced: both laws written out, over a plain grid in wide arithmetic */
    dppair_step s;
    double order;
    memset(&s, 0, sizeof s);
    s.kind = DPPAIR_SAMPLED_PAIRS;
    s.sampling = test_sampling(DPPAIR_POISSON, DPPAIR_REPLACE_ONE, 0, 7, 0);
    s.pair_rate = 0.1;
    s.noise_multiplier = 3;
    s.steps = 1;
    for (order = 1.5; order < 12; order += 1.75) {
      const wide h = (wide)1 / 64;
      wide total = 0, x;
      for (x = -30; x < 70; x += h) {
        wide p[2] = {0, 0}, choose = 1;
        int k, side;
        for (k = 0; k <= 6; k++) {
          const wide w = choose * wpow((wide)0.1, k) * wpow(1 - (wide)0.1, 6 - k);
          for (side = 0; side < 2; side++) {
            const wide d = x - (side ? -k : k) / (wide)3;
            p[side] += w * wexp(-d * d / 2);
          }
          choose = choose * (6 - k) / (k + 1);
        }
        total += wexp((wide)order * wlog(p[0]) + (1 - (wide)order) * wlog(p[1]));
      }
      total = wlog(total * h / wsqrt(2 * WIDE_PI)) / ((wide)order - 1);
      assert_close(renyi(&s, order), (double)total, 1e-10);
      assert_true(renyi(&s, order) >= (double)total * (1.0 - (WIDE_IS_QUAD ? 1e-15 : 1e-12)));
    }
  }
  { /* i.i.d. pairs: a mixture of the amplified brackets, K ~ Bin(b, 2/n), shift 2k/z */
    dppair_step s;
    const size_t n = 50, b = 6;
    const double z = 8, gamma = -expm1((double)b * log1p(-2.0 / (double)n));
    double order;
    memset(&s, 0, sizeof s);
    s.kind = DPPAIR_SAMPLED_PAIRS;
    s.sampling = test_sampling(DPPAIR_WITH_REPLACEMENT, DPPAIR_REPLACE_ONE, 0, n, b);
    s.noise_multiplier = z;
    s.steps = 1;
    for (order = 1.5; order < 20; order *= 1.6) {
      double total = 0.0, choose = 1.0;
      size_t k;
      for (k = 1; k <= b; k++) {
        choose *= (double)(b - k + 1) / (double)k;
        total += choose * pow(2.0 / (double)n, (double)k) *
                 pow(1.0 - 2.0 / (double)n, (double)(b - k)) / gamma *
                 expm1((order - 1.0) * by_curve(gamma, 2.0 * (double)k / z, order));
      }
      assert_close(renyi(&s, order), log1p(total) / (order - 1.0), 2e-9);
    }
  }
}

/* Laplace and randomised response against their integrals. */
static void laplace_and_randomised_response_match_their_integrals(void **state) {
  int i;
  (void)state;
  for (i = 0; i < 2000; i++) {
    const double e = log_between(1e-6, 30), a = 1.0 + log_between(1e-5, 300);
    const wide we = (wide)e, wa = (wide)a;
    dppair_step s;
    wide exact;
    memset(&s, 0, sizeof s);
    s.steps = 1;
    s.kind = DPPAIR_LAPLACE;
    s.noise_multiplier = 1.0 / e;
    exact = wlog(wa / (2 * wa - 1) * wexp((wa - 1) / (wide)s.noise_multiplier) +
                 (wa - 1) / (2 * wa - 1) * wexp(-wa / (wide)s.noise_multiplier)) /
            (wa - 1);
    if (WIDE_IS_QUAD || (e * e * (a - 1.0) > 1e-5 && a > 1.01)) {
      assert_close(renyi(&s, a), (double)exact, 1e-10);
      assert_true(renyi(&s, a) >= (double)exact * (1.0 - (WIDE_IS_QUAD ? 1e-15 : 1e-12)));
    }
    s.kind = DPPAIR_PURE;
    s.noise_multiplier = e;
    exact = wlog((wexp(wa * we) + wexp((1 - wa) * we)) / (1 + wexp(we))) / (wa - 1);
    if (WIDE_IS_QUAD || (e * e * (a - 1.0) > 1e-5 && a > 1.01)) {
      assert_close(renyi(&s, a), (double)exact, 1e-10);
      assert_true(renyi(&s, a) >= (double)exact * (1.0 - (WIDE_IS_QUAD ? 1e-15 : 1e-12)));
    }
    assert_at_most(renyi(&s, a), e * (1.0 + 1e-11));
  }
}

/* Huge orders, tiny and huge noise: finite and ordered, or refused; never below the closed bounds.
 */
static void huge_orders_and_noise_give_ordered_numbers_or_a_refusal(void **state) {
  static const double q[] = {1e-300, 1e-12, 0.01, 0.7, 1.0 - 1e-10};
  static const double z[] = {1e-3, 0.03, 0.1, 1, 100, 1e6, 1e12, 1e200};
  static const double a[] = {1.0 + 1e-9, 2, 100, 1e4, 1e8, 1e12};
  size_t i, j, k, m;
  (void)state;
  for (i = 0; i < 5; i++) {
    for (j = 0; j < 8; j++) {
      for (m = 0; m < 3; m++) {
        double previous = 0.0;
        for (k = 0; k < 6; k++) {
          const dppair_step s = m == 0   ? poisson(q[i], z[j], DPPAIR_ZERO_OUT)
                                : m == 1 ? poisson(q[i], z[j], DPPAIR_REPLACE_ONE)
                                         : without_replacement(q[i], z[j]);
          double rdp, unpaid;
          const double plain = 0.5 * a[k] / z[j] / z[j] * (m == 1 ? 4.0 : 1.0);
          /* Jensen: A >= q^a e^(a(a-1)/2z^2) */
          const double below = a[k] / (a[k] - 1.0) * (log(q[i]) + 0.5 * (a[k] - 1.0) / z[j] / z[j]);
          const dppair_status status = dppair_renyi(&rdp, &unpaid, &s, a[k], 0);
          if (status != DPPAIR_OK) {
            assert_int_equal(status, DPPAIR_ERR_OVERFLOW);
            assert_true(rdp == 0.0);
            continue;
          }
          assert_true(dppair_isfinite_f64(rdp) && rdp > 0.0);
          assert_true(rdp >= previous * (1.0 - 1e-9));
          assert_at_most(rdp, plain * (1.0 + 1e-9) + 1e-300);
          assert_true(rdp >= below * (1.0 - 1e-9));
          previous = rdp;
        }
      }
    }
  }
  {
    const dppair_step s = poisson(0.1, 1, DPPAIR_ZERO_OUT);
    double rdp = 1, unpaid = 1;
    assert_int_equal(dppair_renyi(&rdp, &unpaid, &s, 1, 0), DPPAIR_ERR_DOMAIN);
    assert_true(rdp == 0.0 && unpaid == 0.0);
    assert_int_equal(dppair_renyi(&rdp, &unpaid, &s, TEST_NAN, 0), DPPAIR_ERR_NOT_FINITE);
    assert_int_equal(dppair_renyi(&rdp, &unpaid, &s, 1e13, 0), DPPAIR_ERR_DOMAIN);
    assert_int_equal(dppair_renyi(NULL, &unpaid, &s, 2, 0), DPPAIR_ERR_NULL);
  }
}

/* Random arguments: monotone in the rate, the noise and the order; replace-one above zero-out. */
static void curves_rise_with_rate_and_order_and_fall_with_noise(void **state) {
  int i;
  (void)state;
  for (i = 0; i < FEWER(6000); i++) {
    const double q = log_between(1e-9, 0.99), z = log_between(0.2, 100);
    const double a = 1.0 + log_between(1e-4, 500);
    const int m = i % 3;
    dppair_step s = m == 0   ? poisson(q, z, DPPAIR_ZERO_OUT)
                    : m == 1 ? poisson(q, z, DPPAIR_REPLACE_ONE)
                             : without_replacement(q, z);
    double base, other, unpaid;
    if (dppair_renyi(&base, &unpaid, &s, a, 0) != DPPAIR_OK) continue;
    assert_true(base > 0.0);
    s.noise_multiplier = z * 1.01;
    assert_at_most(renyi(&s, a), base * (1.0 + 1e-10));
    s.noise_multiplier = z;
    assert_ok(dppair_renyi(&other, &unpaid, &s, 1.0 + 0.99 * (a - 1.0), 0));
    assert_at_most(other, base * (1.0 + 1e-10));
    s.sampling.q = 0.99 * q;
    assert_at_most(renyi(&s, a), base * (1.0 + 1e-10));
    if (m == 1) {
      const dppair_step zero = poisson(q, z, DPPAIR_ZERO_OUT);
      assert_at_most(renyi(&zero, a), base * (1.0 + 1e-10));
    }
  }
}

/* The order that is told is the one whose bound it is. */
static void the_best_order_gives_the_best_bound(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    const dppair_step s = poisson(0.01 * (1 + i), 0.8 + i, DPPAIR_ZERO_OUT);
    dppair_accountant a;
    dppair_conversion_ c = {NULL, 1e-12, 1e-6, 0.0, 0.0};
    double order, best;
    assert_ok(dppair_accountant_init(&a));
    assert_ok(dppair_accountant_step(&a, &s));
    c.a = &a;
    best = dppair_convert_best_(&order, &c);
    assert_true(order > 1.5 && best < 100.0);
    assert_true(fabs(dppair_convert_at_(&c, log(order - 1.0)) / best - 1.0) < 1e-11);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(the_poisson_curve_matches_its_integral_and_closed_sums),
      TEST(the_subset_curve_matches_an_integral_over_the_hockey_stick),
      TEST(sampling_everyone_is_the_plain_gaussian_curve),
      TEST(the_curve_of_sampled_pairs_matches_the_convolved_hits),
      TEST(laplace_and_randomised_response_match_their_integrals),
      TEST(the_best_order_gives_the_best_bound),
      TEST(huge_orders_and_noise_give_ordered_numbers_or_a_refusal),
      TEST(curves_rise_with_rate_and_order_and_fall_with_noise),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
