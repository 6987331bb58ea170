/* SPDX-License-Identifier: MIT */
/* Private evaluation: what is released against direct sums over pairs; tails and intervals against
 * quadrature and brute force; keys, permits and failures; edges and errors. */
#include "dppair_l2ball.h"
#include "dppair_accountant.h"
#include "dppair.h"
#include "dppair_evaluation.h"

#include "dppair_noise.h"

#include "tests.h"
#include "questions.h"

#include <fenv.h>

enum { N = 60, ROOM = 8 * N + 4096 };
static const uint8_t KEY[32] = {5}, RUN[16] = {6};
static const dppair_release_keys FIXED = {KEY, RUN};

static double s[N], y[N], work[ROOM];
static dppair_accountant account;
static dppair_release release;
static dppair_evaluation out;

static dppair_plan plan_of(size_t n, double multiplier, dppair_mechanism_kind law) {
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
  plan.noise_multiplier = multiplier;
  plan.steps = 100000;
  plan.noise = law;
  return plan;
}

static void open_plan(dppair_plan plan) {
  dppair_accountant_init(&account);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_OK);
}

static void open_for(size_t n, double multiplier, dppair_mechanism_kind law) {
  open_plan(plan_of(n, multiplier, law));
}

/* Scores with ties, of both classes. */
static void fill(size_t n, double part, double shift) {
  for (size_t i = 0; i < n; i++) {
    y[i] = uniform() < part;
    s[i] = floor(8 * (normal() + shift * y[i])) / 8;
  }
  y[0] = 1;
  y[n - 1] = 0;
}

static dppair_status auc_of(size_t n, size_t promise) {
  const dppair_evaluate_options options = {0.95, promise};
  memset(&out, 77, sizeof out);
  return dppair_evaluate_auc(&out, &release, s, y, n, &options, work, sizeof work);
}

static void must(dppair_status status) { assert_int_equal(status, DPPAIR_OK); }
static void near_to(double a, double b, double within) {
  if (!(fabs(a - b) <= within)) print_message("%.17g is not %.17g within %g\n", a, b, within);
  assert_true(fabs(a - b) <= within);
}

/* --- against sums over pairs ------------------------------------------------------------------ */

static double psi(double a, double b) { return a > b ? 1.0 : a < b ? 0.0 : 0.5; }

/* The AUC, or a mean of u over the share `rate` of the negatives that have the least u. */
static double direct_auc(size_t n, double rate) {
  double u[N], p = 0, sum = 0, left;
  size_t q = 0;
  for (size_t j = 0; j < n; j++) {
    if (y[j] > 0) continue;
    u[q] = p = 0;
    for (size_t i = 0; i < n; i++)
      if (y[i] > 0) u[q] += psi(s[i], s[j]), p++;
    u[q++] /= p;
  }
  dppair_sort_f64(u, q);
  left = rate * (double)q;
  for (size_t j = 0; left > 0; j++, left -= 1) sum += u[j] * (left < 1 ? left : 1);
  return sum / (rate * (double)q);
}

/* DeLong's variance with divisors p and q. */
static double direct_variance(size_t n) {
  const double auc = direct_auc(n, 1);
  double p = 0, q = 0, v = 0, u = 0;
  for (size_t i = 0; i < n; i++) y[i] > 0 ? p++ : q++;
  for (size_t i = 0; i < n; i++) {
    double mean = 0;
    for (size_t j = 0; j < n; j++)
      if ((y[i] > 0) != (y[j] > 0)) mean += y[i] > 0 ? psi(s[i], s[j]) / q : psi(s[j], s[i]) / p;
    if (y[i] > 0)
      v += (mean - auc) * (mean - auc) / p;
    else
      u += (mean - auc) * (mean - auc) / q;
  }
  return v / p + u / q;
}

static double loss(double margin, void *context) {
  (void)context;
  return log1p(exp(-margin));
}

static double sign_of(double a, double b) { return (double)(a > b) - (double)(a < b); }
static double concordance(size_t i, size_t j, void *context) {
  (void)context;
  return sign_of(s[i], s[j]) * sign_of(y[i], y[j]);
}

static void with_little_noise_each_is_the_sum_over_pairs(void **state) {
  (void)state;
  for (int round = 0; round < 40; round++) {
    const size_t n = 12 + below(N - 12);
    const dppair_mechanism_kind law = round % 2 ? DPPAIR_GAUSSIAN : DPPAIR_LAPLACE;
    dppair_evaluation other;
    dppair_evaluate_sums sums;
    double p = 0, q = 0, risk = 0, tau = 0, variance, rate = 0.02 + 0.98 * uniform();
    const dppair_evaluate_options promise = {0, 2};
    fill(n, 0.4, 1);
    y[1] = 1, y[2] = 0;
    for (size_t i = 0; i < n; i++) y[i] > 0 ? p++ : q++;
    open_for(n, 1e-7, law);
    must(auc_of(n, 2));
    variance = direct_variance(n);
    near_to(out.released, direct_auc(n, 1), 1e-4);
    near_to(out.variance, 2 * variance, 1e-4);
    assert_true(out.smaller == 2 && out.count == 0 && !out.refused);
    must(auc_of(n, 0));
    assert_true(out.count == p);
    near_to(out.value, direct_auc(n, 1), 1e-4);
    must(dppair_evaluate_partial_auc(&out, &release, s, y, n, rate, &promise, work, sizeof work));
    near_to(out.value, direct_auc(n, rate), 1e-4);
    assert_true(out.lower <= out.value && out.value <= out.upper && out.upper - out.lower < 1e-3);
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++)
        if (y[i] > 0 && !(y[j] > 0)) {
          const double l = loss(s[i] - s[j], NULL);
          risk += (l < 1.5 ? l : 1.5) / (p * q);
        }
    must(dppair_evaluate_risk(&out, &release, s, y, n, loss, NULL, 1.5, NULL, work, sizeof work));
    near_to(out.value, risk, 1e-4);
    must(dppair_evaluate_pairs(&sums, &release, s, y, n, work, sizeof work));
    near_to(sums.pairs / (p * q), direct_auc(n, 1), 1e-4);
    assert_true(sums.positives == p && sums.positives_noise < 1e-5 && sums.pairs_noise < 1e-3);
    for (size_t i = 0; i < n; i++) y[i] = floor(4 * normal());
    for (size_t i = 0; i < n; i++)
      for (size_t j = i + 1; j < n; j++) tau += concordance(i, j, NULL) / (double)(n * (n - 1) / 2);
    must(dppair_evaluate_kendall(&out, &release, s, y, n, NULL, work, sizeof work));
    must(dppair_evaluate_statistic(&other, &release, concordance, NULL, -1, 1, n, NULL, work,
                                   sizeof work));
    near_to(out.value, tau, 1e-5);
    near_to(other.value, tau, 1e-5);
    near_to(out.variance, other.variance, 1e-5);
    assert_true(out.smaller == 0 && out.lower <= tau + 1e-5 && out.upper >= tau - 1e-5);
    variance = 0; /* the jackknife's: n/(n - 1) ... of the leave-one-out means */
    for (size_t i = 0; i < n; i++) {
      double mean = 0;
      for (size_t j = 0; j < n; j++) mean += j == i ? 0 : concordance(i, j, NULL);
      mean /= (double)(n - 1);
      variance += (mean - tau) * (mean - tau) / (double)n;
    }
    variance *= 4.0 * (double)(n - 1) / (double)((n - 2) * (n - 2));
    near_to(out.variance, variance, 1e-5);
  }
}

/* With fewer than m positives, or negatives: the continuation, written out. */
static void with_a_small_class_the_answer_is_the_continuation(void **state) {
  (void)state;
  for (int round = 0; round < 40; round++) {
    const size_t n = round < 8 ? 12 + (size_t)round : 12 + below(N - 12), m = n / 2;
    const size_t few = round < 8 ? 1 : 1 + below(m - 1);
    const double least = (double)m, rest = (double)(n - m), p = (double)few;
    const int flip = round % 2;
    double f = 0.5, rows = 0, columns = 0, auc, variance;
    fill(n, 0.5, 1);
    for (size_t i = 0; i < n; i++) y[i] = (double)((i < few) != flip);
    auc = direct_auc(n, 1);
    for (size_t i = 0; i < n; i++) { /* records of the small class against the others, and back */
      double c = 0, e = 0;
      for (size_t j = 0; j < n; j++) {
        const double above = flip ? psi(s[j], s[i]) : psi(s[i], s[j]);
        if (i < few && j >= few) c += above;
        if (i >= few && j < few) e += 1 - above;
      }
      if (i < few) {
        f += fmin(0.5, fmax(-0.5, (c - (double)(n - few) / 2) / rest)) / least;
        rows += (c / (double)(n - few) - auc) * (c / (double)(n - few) - auc) / p;
      } else {
        columns += (e / p - auc) * (e / p - auc) / (double)(n - few);
      }
    }
    variance = p * rows / (least * least) + p * p * columns / (least * least * rest);
    open_for(n, 1e-8, round % 3 ? DPPAIR_GAUSSIAN : DPPAIR_LAPLACE);
    must(auc_of(n, m));
    near_to(out.released, f, 1e-5);
    near_to(out.variance, least / (least - 1) * variance, 1e-5 * (1 + variance));
  }
}

static void points_of_the_curve_are_the_rates_and_the_band_holds_them(void **state) {
  static const double thresholds[] = {-1, 0, 0.5, 1.25};
  dppair_roc_point points[4];
  const dppair_evaluate_options half = {0.5, 0};
  (void)state;
  for (int round = 0; round < 20; round++) {
    open_for(N, 1e-7, round % 2 ? DPPAIR_GAUSSIAN : DPPAIR_LAPLACE);
    fill(N, 0.5, 1);
    must(dppair_evaluate_roc(points, &out, &release, s, y, N, thresholds, 4, &half, work,
                             sizeof work));
    for (size_t k = 0; k < 4; k++) {
      const dppair_roc_point *p = &points[k];
      double above[2] = {0, 0}, all[2] = {0, 0};
      for (size_t i = 0; i < N; i++) {
        all[y[i] > 0]++;
        above[y[i] > 0] += s[i] >= thresholds[k];
      }
      near_to(p->true_rate, above[1] / all[1], 1e-5);
      near_to(p->false_rate, above[0] / all[0], 1e-5);
      near_to(p->true_upper, fmin(1, p->true_rate + sqrt(log(2 / 0.15) / 2 / all[1])),
              k > 0 ? 0.5 : 1e-5); /* later ones may be lower, for the sake of an earlier one */
      assert_true(p->true_lower <= p->true_rate && p->true_rate <= p->true_upper);
      assert_true(p->false_lower <= p->false_rate && p->false_rate <= p->false_upper);
      assert_true(p->threshold == thresholds[k] && p->true_lower >= 0 && p->false_upper <= 1);
      if (k > 0) {
        assert_true(p->true_rate <= p[-1].true_rate && p->true_lower <= p[-1].true_lower);
        assert_true(p->false_upper <= p[-1].false_upper && p->false_lower <= p[-1].false_lower);
      }
    }
    assert_true(out.lower <= out.value && out.value <= out.upper && out.lower >= 0);
    assert_true(out.upper <= 1 && fabs(out.value - direct_auc(N, 1)) < 0.2);
  }
}

/* 70 of 100 records above the first of two thresholds; noise of at most 3 for one cell, 4 for two.
 */
static void a_rate_allows_for_the_noise_of_the_cells_on_either_side(void **state) {
  const double cell[] = {30, 50, 20}, w[] = {0, 3, 4, 5};
  dppair_roc_ r = {cell, w, 3, 0};
  double rate, lower, upper;
  (void)state;
  dppair_roc_rate_(&rate, &lower, &upper, &r, 1);
  near_to(rate, 0.7, 1e-15);
  near_to(lower, 66.0 / (66 + 33), 1e-15);
  near_to(upper, 74.0 / (74 + 27), 1e-15);
  dppair_roc_rate_(&rate, &lower, &upper, &r, 2);
  near_to(lower, 17.0 / (17 + 84), 1e-15);
  near_to(upper, 23.0 / (23 + 76), 1e-15);
  r.spread = 0.95; /* over 95 records, at least */
  dppair_roc_rate_(&rate, &lower, &upper, &r, 2);
  near_to(lower, 17.0 / (17 + 84) - 0.1, 1e-15);
  near_to(upper, 23.0 / (23 + 76) + 0.1, 1e-15);
}

/* --- tails and intervals ---------------------------------------------------------------------- */

/* P(s N + L > d) by the trapezoidal rule over N, for s/b <= 20. */
static double quadrature(double d, double sd, double b) {
  const double step = 2e-4;
  double sum = 0;
  for (double t = -12; t < 32; t += step) {
    const double rest = d - sd * t;
    sum += exp(-0.5 * t * t) * (rest > 0 ? 0.5 * exp(-rest / b) : 1 - 0.5 * exp(rest / b));
  }
  return sum * step / sqrt(6.283185307179586);
}

static void the_tail_of_a_normal_variable_and_laplace_noise_is_its_integral(void **state) {
  (void)state;
  for (int round = 0; round < (BRIEF ? 2 : 6); round++) {
    const double sd = log_between(1e-3, 1), b = sd * log_between(0.05, 50);
    const double d = (sd + b) * 6 * uniform(), exact = quadrature(d, sd, b);
    near_to(dppair_laplace_above_(d, sd, b) / exact, 1, 4e-6);
  }
  near_to(dppair_laplace_above_(3, 0, 2), 0.5 * exp(-1.5), 1e-15);
  near_to(dppair_laplace_above_(3, 2, 1e-300), dppair_normal_above_(1.5), 1e-15);
  near_to(dppair_normal_quantile_(0.025), 1.959963984540054, 1e-13);
  for (int round = 0; round < 2000; round++) { /* the whole range of doubles */
    const double sd = pow(10, between(-300, 300)), b = pow(10, between(-290, 290));
    const double d = pow(10, between(-300, 300)), tail = dppair_laplace_above_(d, sd, b);
    assert_true(tail >= 0 && tail <= 0.5 * (1 + 1e-9));
    assert_true(dppair_laplace_above_(d * 1.01, sd, b) <= tail * (1 + 1e-9));
  }
}

static void the_quantile_of_a_sum_of_noises_is_passed_as_seldom_as_is_said(void **state) {
  (void)state;
  near_to(dppair_laplaces_above_(2, 1), 0.5 * exp(-2), 1e-15);
  near_to(dppair_laplaces_above_(2, 2), (2.0 + 2.0) / 4 * exp(-2), 1e-15);
  near_to(dppair_laplaces_above_(0, 1001), 0.5, 1e-12);
  for (size_t k = 3; k <= 30; k *= 3) {
    const double w = dppair_noises_quantile_(k, 2, 0.1, 0) - 2.0 * (double)k / 2048;
    const int rounds = BRIEF ? 2000 : 20000;
    int passed = 0;
    for (int round = 0; round < rounds; round++) {
      double sum = 0;
      for (size_t i = 0; i < k; i++) sum += 2 * log((1 - uniform()) / (1 - uniform()));
      passed += sum > w;
    }
    near_to(passed, 0.1 * rounds, 5 * sqrt(0.09 * rounds));
  }
  for (size_t k = 1; k <= 1001;
       k += 250) /* far out: above the normal law, below Chernoff's bound */
    for (double tail = 1e-20; tail < 0.4; tail *= 100) {
      const double w = dppair_noises_quantile_(k, 1, tail, 0), sd = sqrt(2.0 * (double)k);
      assert_true(w > 0.9 * sd * dppair_normal_quantile_(tail));
      assert_true(w < 1.1 * sd * sqrt(-2 * log(tail)) - 2 * log(tail));
    }
}

/* The accepted numbers are one interval, and its ends are those found. */
static void an_interval_holds_the_accepted_numbers_and_no_others(void **state) {
  (void)state;
  for (int round = 0; round < (BRIEF ? 20 : 200); round++) {
    dppair_released_ r;
    double lower, upper, alpha = round % 3 ? 0.05 : log_between(1e-6, 0.9);
    memset(&r, 0, sizeof r);
    r.number = round % 4 ? uniform() : round % 8 ? 1 - 1e-3 * uniform() : 3 * normal();
    r.scale = log_between(1e-5, 10);
    r.size = 1 + (double)below(1000);
    r.variance = round % 5 ? log_between(1e-8, 1) : HUGE_VAL;
    r.gaussian = round % 2;
    dppair_released_interval_(&lower, &upper, &r, alpha);
    assert_true(r.number >= 0 && r.number <= 1);
    assert_true(0 <= lower && lower <= r.number && r.number <= upper && upper <= 1);
    for (int k = 0; k <= 1000; k++) {
      const double x = k / 1000.0;
      if (fabs(x - lower) < 1e-9 || fabs(x - upper) < 1e-9) continue;
      assert_true(dppair_released_accepts_(&r, x, alpha) == (lower <= x && x <= upper));
    }
  }
}

/* Where one of the two is nothing, the other's two-sided quantile is on each side. */
static void an_interval_is_two_sided(void **state) {
  (void)state;
  for (int gaussian = 0; gaussian < 2; gaussian++) {
    dppair_released_ noise = {0.5, 0.01, 1e-20, 1, 0}, sampling = {0.5, 1e-12, 1e-4, 1, 0};
    double lower, upper;
    noise.gaussian = sampling.gaussian = gaussian;
    dppair_released_interval_(&lower, &upper, &noise, 0.05);
    near_to(upper - 0.5, 0.01 * (gaussian ? 1.959963984540054 : log(20)), 1e-9);
    near_to(0.5 - lower, upper - 0.5, 1e-12);
    dppair_released_interval_(&lower, &upper, &sampling, 0.05);
    near_to(upper - 0.5, 0.01959963984540054, 1e-9);
    near_to(0.5 - lower, upper - 0.5, 1e-12);
  }
}

/* Two records, no variance: x (1 - x) alone, for which the ends solve d^2 = z^2 (1/4 - d^2). */
static void two_records_have_the_widest_law(void **state) {
  const double z = 1.959963984540054, d = 0.5 * z / sqrt(1 + z * z);
  (void)state;
  for (int gaussian = 0; gaussian < 2; gaussian++) {
    open_for(2, 1e-9, gaussian ? DPPAIR_GAUSSIAN : DPPAIR_LAPLACE);
    s[0] = s[1] = 1, y[0] = 1, y[1] = 0;
    must(auc_of(2, 0));
    near_to(out.upper - 0.5, d, 1e-6);
    near_to(0.5 - out.lower, d, 1e-6);
    must(dppair_evaluate_kendall(&out, &release, s, y, 2, NULL, work, sizeof work));
    near_to(out.upper, 2 * d, 1e-6);
    near_to(out.lower, -2 * d, 1e-6);
    assert_true(out.variance >= HUGE_VAL);
    must(
        dppair_evaluate_risk(&out, &release, s, y, 2, loss, NULL, 1e-200, NULL, work, sizeof work));
    assert_true(out.variance >= HUGE_VAL); /* where the square of the cap is 0 */
  }
}

static void a_variance_has_a_bound_above_0_and_on_average_above_it(void **state) {
  (void)state;
  for (int gaussian = 0; gaussian < 2; gaussian++)
    for (double v = 0; v < 4; v += 0.5) {
      double sum = 0;
      for (int k = 0; k < 4000; k++) {
        const double tail = (k + 0.5) / 4000 - 0.5;
        const double noise = copysign(dppair_noise_quantile_(1, 0.5 - fabs(tail), gaussian), tail);
        const double bound = dppair_variance_bound_(v + noise, 1, 0.05, gaussian);
        assert_true(bound > 0 && bound >= v + noise);
        sum += bound / 4000;
      }
      assert_true(sum >= v);
    }
  assert_true(dppair_variance_bound_(-1e9, 1, 0.05, 0) > 0);
}

/* --- keys, permits, failures ------------------------------------------------------------------ */

/* The three noises of a permit are blocks 0, 1 and 2 of the stream of its step. */
static void noise_comes_from_consecutive_blocks_of_the_stream_of_the_step(void **state) {
  (void)state;
  for (int gaussian = 0; gaussian < 2; gaussian++) {
    const double z = 0.004, part = 0.05, strength = gaussian ? sqrt(2) / z : 1 / z;
    double v[3], p = 0;
    dppair_rng rng;
    fill(N, 0.5, 1);
    open_for(N, z, gaussian ? DPPAIR_GAUSSIAN : DPPAIR_LAPLACE);
    for (size_t i = 0; i < N; i++) p += y[i] > 0;
    for (size_t step = 0; step < 3; step++) {
      must(auc_of(N, 0));
      assert_true(release.step == step + 1 && out.variance < HUGE_VAL && strength > 0);
      rng = release.noise;
      assert_true(rng.stream == step && rng.block == 3);
      v[0] = p;
      v[2] = direct_auc(N, 1);
      for (int k = 0; k < 3; k += 2) {
        const double scale = k ? out.noise : z / part;
        rng.block = (uint64_t)k;
        if (gaussian)
          must(dppair_add_gaussian_f64(&v[k], 1, scale, &rng));
        else
          must(dppair_add_laplace_f64(&v[k], 1, scale, &rng));
      }
      assert_true(floor(v[0] + 0.5) == out.count);
      near_to(v[2], out.released, out.noise / 256); /* the statistic's last bits move a rounding */
    }
  }
}

/* The count beside a curve: the cells of the positives with their noise, rounded once. */
static void the_count_of_a_curve_is_the_sum_of_its_cells(void **state) {
  static const double thresholds[] = {-1, 0, 0.5, 1.25};
  enum { COUNT = 4, CELLS = COUNT + 1 };
  dppair_roc_point points[COUNT];
  (void)state;
  fill(N, 0.5, 1);
  open_for(N, 0.1, DPPAIR_LAPLACE); /* its grid is fine enough to tell roundings apart */
  for (int round = 0; round < 1500; round++) {
    double cell[2 * CELLS] = {0}, sum = 0;
    dppair_rng rng;
    must(dppair_evaluate_roc(points, &out, &release, s, y, N, thresholds, COUNT, NULL, work,
                             sizeof work));
    for (size_t i = 0; i < N; i++) {
      size_t k = 0;
      while (k < COUNT && thresholds[k] <= s[i]) k++;
      cell[(y[i] > 0 ? CELLS : 0) + k]++;
    }
    rng = release.noise;
    rng.block = 0;
    must(dppair_add_laplace_f64(cell, 2 * CELLS, out.noise, &rng));
    for (int k = 0; k < CELLS; k++) sum += cell[CELLS + k];
    assert_true(out.count == floor(sum + 0.5));
  }
}

/* What the shares of a permit are shares of: never more than was bought, by exact products. */
static void a_budget_is_at_most_what_was_bought(void **state) {
  dppair_evaluate_ e;
  (void)state;
  for (int round = 0; round < 200; round++) {
    const double z = round < 20 ? 1 + round : log_between(1e-3, 1e3);
    open_for(N, z, DPPAIR_LAPLACE);
    must(dppair_evaluate_open_(&e, &release, N, NULL));
    assert_true(fma(e.budget, release.noise_multiplier, -1) <= 0);
    assert_true(fma(e.budget, release.noise_multiplier, -1) > -4 * DBL_EPSILON);
  }
  for (int round = 0; round < 2; round++) { /* next to no noise: the products are still finite */
    open_for(N, round ? 1e-300 : ldexp(0.7, -800), DPPAIR_LAPLACE);
    must(dppair_evaluate_open_(&e, &release, N, NULL));
    assert_true(e.budget <= ldexp(1, 800) && e.budget > ldexp(0.99, 800));
  }
}

static void what_is_asked_wrongly_uses_no_permit_and_leaves_nothing(void **state) {
  const dppair_evaluate_options much = {0, N / 2 + 1}, sure = {1, 0}, none = {-0.1, 0},
                                some = {0, 3};
  const double falling[] = {1, 0};
  static dppair_roc_point points[1001];
  dppair_evaluate_sums sums;
  dppair_plan plan = plan_of(N, 1, DPPAIR_LAPLACE);
  size_t bytes;
  (void)state;
  fill(N, 0.5, 1);
  open_plan(plan);
  must(dppair_evaluate_workspace(&bytes, N, 0));
#define REFUSED(status, call)                                                                      \
  memset(&out, 77, sizeof out);                                                                    \
  assert_int_equal(call, status);                                                                  \
  assert_true(release.step == 0 && out.value == 0 && out.upper == 0 && out.count == 0)
#define AUC(n, options, bytes) dppair_evaluate_auc(&out, &release, s, y, n, options, work, bytes)
#define PARTIAL(rate, options)                                                                     \
  dppair_evaluate_partial_auc(&out, &release, s, y, N, rate, options, work, sizeof work)
#define MEAN(low, high)                                                                            \
  dppair_evaluate_statistic(&out, &release, concordance, NULL, low, high, N, NULL, work,           \
                            sizeof work)
#define RISK(cap) dppair_evaluate_risk(&out, &release, s, y, N, loss, NULL, cap, NULL, work, bytes)
#define ROC(thresholds, count)                                                                     \
  dppair_evaluate_roc(points, &out, &release, s, y, N, thresholds, count, NULL, work, sizeof work)
  REFUSED(DPPAIR_ERR_SIZE, AUC(N - 1, NULL, bytes));
  REFUSED(DPPAIR_ERR_SIZE, AUC(0, NULL, bytes));
  REFUSED(DPPAIR_ERR_SIZE, AUC(N, &much, bytes));
  REFUSED(DPPAIR_ERR_DOMAIN, AUC(N, &sure, bytes));
  REFUSED(DPPAIR_ERR_DOMAIN, AUC(N, &none, bytes));
  REFUSED(DPPAIR_ERR_WORKSPACE, AUC(N, NULL, bytes - 1));
  REFUSED(DPPAIR_ERR_NULL, dppair_evaluate_auc(&out, &release, s, NULL, N, NULL, work, bytes));
  REFUSED(DPPAIR_ERR_NULL, dppair_evaluate_auc(&out, NULL, s, y, N, NULL, work, bytes));
  assert_int_equal(dppair_evaluate_auc(NULL, &release, s, y, N, NULL, work, bytes),
                   DPPAIR_ERR_NULL);
  REFUSED(DPPAIR_ERR_DOMAIN, PARTIAL(0, &some));
  REFUSED(DPPAIR_ERR_DOMAIN, PARTIAL(1.1, &some));
  REFUSED(DPPAIR_ERR_NO_PROOF, PARTIAL(0.5, NULL));
  REFUSED(DPPAIR_ERR_DOMAIN, RISK(0));
  REFUSED(DPPAIR_ERR_DOMAIN, RISK(HUGE_VAL));
  REFUSED(DPPAIR_ERR_DOMAIN, MEAN(1, 1));
  REFUSED(DPPAIR_ERR_DOMAIN, MEAN(-1e308, 1e308));
  REFUSED(DPPAIR_ERR_DOMAIN, MEAN(0, (double)NAN));
  REFUSED(DPPAIR_ERR_DOMAIN, ROC(falling, 2));
  REFUSED(DPPAIR_ERR_SIZE, ROC(falling, 0));
  REFUSED(DPPAIR_ERR_SIZE, ROC(falling, 1001));
  REFUSED(DPPAIR_ERR_UNREAD,
          dppair_evaluate_kendall(&out, &release, s, y, N, &some, work, sizeof work));
  memset(&sums, 77, sizeof sums);
  assert_int_equal(dppair_evaluate_pairs(&sums, &release, s, y, N, NULL, 0), DPPAIR_ERR_NULL);
  assert_true(sums.pairs == 0 && sums.positives == 0);
  assert_int_equal(dppair_evaluate_workspace(&bytes, SIZE_MAX, 0), DPPAIR_ERR_OVERFLOW);
  { /* more records than their sums are exact for: before one is read */
    const size_t many = (size_t)INT32_MAX + 1;
    open_for(many, 1, DPPAIR_LAPLACE);
    memset(&out, 77, sizeof out);
    assert_int_equal(dppair_evaluate_auc(&out, &release, s, y, many, NULL, work, sizeof work),
                     DPPAIR_ERR_OVERFLOW);
    assert_true(out.value == 0 && out.count == 0 && release.step == 0);
  }
  for (int k = 0; k < 4; k++) {
    plan = plan_of(N, 1, k == 0 ? DPPAIR_L2BALL : DPPAIR_GAUSSIAN);
    if (k == 1) plan.sampling = dppair_sampling_all(N, DPPAIR_ZERO_OUT);
    if (k == 2) plan.sampling = dppair_sampling_poisson(N, 8, DPPAIR_REPLACE_ONE);
    if (k == 3) plan.noise_multiplier = 1e250;
    dppair_accountant_init(&account);
    if (dppair_release_open(&release, &account, &plan, &FIXED) != DPPAIR_OK) continue;
    REFUSED(k == 3   ? DPPAIR_ERR_SIGMA
            : k == 0 ? DPPAIR_ERR_LAW
            : k == 1 ? DPPAIR_ERR_NO_PROOF
                     : DPPAIR_ERR_NOT_DRAWN,
            AUC(N, NULL, sizeof work));
  }
  plan = plan_of(N, 1, DPPAIR_LAPLACE);
  plan.steps = 1;
  open_plan(plan);
  must(auc_of(N, 0));
  assert_int_equal(auc_of(N, 0), DPPAIR_ERR_EXHAUSTED);
  assert_true(out.value == 0 && out.upper == 0);
}

/* A plan's failure is charged with it, on its line, and comes back from there. */
static char line[DPPAIR_LEDGER_LINE + 1];
static size_t length;
static dppair_status keep(const char *text, size_t size, void *context) {
  (void)context;
  memcpy(line, text, size);
  line[length = size] = 0;
  return DPPAIR_OK;
}

static void a_failure_is_part_of_what_a_plan_costs(void **state) {
  const dppair_release_keys keyed = {KEY, NULL};
  size_t bytes;
  void *memory;
  (void)state;
  must(dppair_composer_workspace(&bytes, NULL));
  assert_non_null(memory = malloc(bytes));
  for (int gaussian = 0; gaussian < 2; gaussian++) {
    dppair_plan plan = plan_of(N, 0, gaussian ? DPPAIR_GAUSSIAN : DPPAIR_LAPLACE);
    dppair_evaluation second;
    dppair_interval b;
    plan.epsilon = 1.5;
    plan.delta = 1e-5;
    plan.failure = 4e-6;
    plan.steps = 2;
    plan.ledger = dppair_ledger_to(keep, NULL);
    dppair_accountant_init(&account);
    must(dppair_release_open(&release, &account, &plan, &keyed));
    assert_true(account.failure >= 4e-6 && release.failure == 4e-6);
    must(dppair_accountant_answer_(&b, &account, 0, 1e-5));
    assert_true(b.upper <= 1.5 && b.upper > 1.4999);
    assert_int_equal(certify(&b, &account, 1e-5, NULL, 0),
                     gaussian ? DPPAIR_OK : DPPAIR_ERR_WORKSPACE);
    assert_true(gaussian ? b.upper > 1.4999 : b.bytes > 0 && b.bytes <= bytes);
    must(certify(&b, &account, 1e-5, memory, bytes));
    assert_true(b.upper <= 1.5 && b.upper > 1.4999);
    assert_non_null(strstr(line, "\"failure\":3.9999999999999998e-6,"));
    fill(N, 0.5, 1);
    must(auc_of(N, 0));
    must(auc_of(N, 0)); /* the second permit, */
    second = out;
    plan.failure = 3e-6;
    assert_int_equal(dppair_release_resume(&release, &account, &plan, line, length, KEY, 1),
                     DPPAIR_ERR_PLAN_CHANGED);
    plan.failure = 4e-6;
    must(dppair_release_resume(&release, &account, &plan, line, length, KEY, 1));
    assert_true(release.failure == 4e-6 && release.step == 1);
    must(auc_of(N, 0)); /* and again after a stop */
    assert_memory_equal(&out, &second, sizeof out);
    must(dppair_accountant_init(&account));
    memset(&plan.ledger, 0, sizeof plan.ledger);
    if (!gaussian) assert_int_equal(calibrate(&plan, &account, NULL, 0), DPPAIR_ERR_WORKSPACE);
    must(calibrate(&plan, &account, memory, bytes));
    must(dppair_release_open(&release, &account, &plan, &FIXED));
    must(certify(&b, &account, 1e-5, memory, bytes));
    assert_true(b.upper <= 1.5 && b.upper > 1.4999);
    plan.noise_multiplier = 0;
    for (int k = 0; k < 3; k++) {
      const double wrong[] = {1e-5, -1e-6, (double)NAN};
      plan.failure = wrong[k];
      dppair_accountant_init(&account);
      assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED),
                       k < 2 ? DPPAIR_ERR_DELTA : DPPAIR_ERR_NOT_FINITE);
      assert_true(account.sequence == 0 && account.failure == 0);
    }
  }
  free(memory);
}

/* The test lets m >= min(p, q) pass as seldom as was paid for; without records it refuses. */
static void a_partial_auc_without_a_promise_is_refused_or_tested(void **state) {
  (void)state;
  for (int gaussian = 0; gaussian < 2; gaussian++) {
    dppair_plan plan = plan_of(N, 1.0, gaussian ? DPPAIR_GAUSSIAN : DPPAIR_LAPLACE);
    const int rounds = BRIEF ? 300 : 4000;
    int wrong = 0, refused = 0;
    plan.failure = 0.2;
    plan.steps = 1;
    fill(N, 0.3, 1);
    for (size_t i = 0; i < N; i++) y[i] = i % 4 == 0;
    open_plan(plan);
    release.steps = 100000; /* each with the failure of the one that was opened */
    release.failure *= 100000;
    for (int round = 0; round < rounds; round++) {
      must(dppair_evaluate_partial_auc(&out, &release, s, y, N, 0.5, NULL, work, sizeof work));
      wrong += out.smaller >= N / 4;
      refused += out.refused;
      assert_true(out.refused == (out.smaller == 0) && (out.noise > 0) == !out.refused);
      assert_true(0 <= out.lower && out.lower <= out.value && out.value <= out.upper);
      if (out.refused) assert_true(out.upper == 1 && out.value == 0);
    }
    assert_true(wrong <= 0.2 * rounds + 5 * sqrt(0.16 * rounds) && wrong > 0.05 * rounds);
    assert_true(refused < rounds / 2);
    for (size_t i = 0; i < N; i++) y[i] = 1;
    must(dppair_evaluate_partial_auc(&out, &release, s, y, N, 0.5, NULL, work, sizeof work));
  }
}

/* --- edges ------------------------------------------------------------------------------------ */

static void any_numbers_are_records(void **state) {
  dppair_evaluation first;
  (void)state;
  for (int round = 0; round < 30; round++) {
    const double negative[] = {0, -1, (double)NAN, -0.0, -HUGE_VAL},
                 positive[] = {1, 1e-310, HUGE_VAL};
    double other_s[N], other_y[N];
    fill(N, 0.5, 1);
    s[3] = (double)NAN, s[4] = HUGE_VAL, s[5] = -HUGE_VAL;
    for (size_t i = 0; i < N; i++) { /* in the reverse order, other numbers for the same labels */
      other_s[N - 1 - i] = i == 3 ? -HUGE_VAL : s[i];
      other_y[N - 1 - i] = y[i] > 0 ? positive[below(3)] : negative[below(5)];
    }
    open_for(N, 1, DPPAIR_LAPLACE);
    must(auc_of(N, 0));
    first = out;
    open_for(N, 1, DPPAIR_LAPLACE);
    must(dppair_evaluate_auc(&out, &release, other_s, other_y, N, NULL, work, sizeof work));
    assert_memory_equal(&out, &first, sizeof out);
  }
}

/* Every evaluation of these records, at this noise: answers are numbers in their ranges. */
static void all_of(size_t n, double multiplier, double confidence) {
  static const double thresholds[] = {-1, 0, 1};
  dppair_roc_point points[3];
  const dppair_evaluate_options any = {confidence, 0}, half = {confidence, n / 2};
  for (int gaussian = 0; gaussian < 2; gaussian++) {
    dppair_plan plan = plan_of(n, multiplier, gaussian ? DPPAIR_GAUSSIAN : DPPAIR_LAPLACE);
    if (gaussian && multiplier < 1e-140) plan.noise_multiplier = 1e-140; /* whose square is known */
    plan.steps = 7;
    open_plan(plan);
    for (int k = 0; k < 7; k++) {
      const double low = k == 4 ? -1 : k == 5 ? -3 : 0, high = k == 5 ? 4 : k == 3 ? 2 : 1;
      dppair_status status = DPPAIR_OK;
      if (k < 2)
        status = dppair_evaluate_auc(&out, &release, s, y, n, k ? &half : &any, work, sizeof work);
      if (k == 2)
        status =
            dppair_evaluate_partial_auc(&out, &release, s, y, n, 1e-3, &half, work, sizeof work);
      if (k == 3)
        status =
            dppair_evaluate_risk(&out, &release, s, y, n, loss, NULL, 2, &any, work, sizeof work);
      if (k == 4)
        status = dppair_evaluate_kendall(&out, &release, s, y, n, &any, work, sizeof work);
      if (k == 5)
        status = dppair_evaluate_statistic(&out, &release, concordance, NULL, -3, 4, n, &any, work,
                                           sizeof work);
      if (k == 6)
        status = dppair_evaluate_roc(points, &out, &release, s, y, n, thresholds, 3, &any, work,
                                     sizeof work);
      must(status);
      assert_true(low <= out.lower && out.lower <= out.value && out.value <= out.upper);
      assert_true(out.upper <= high && out.noise > 0 && out.variance > 0);
      assert_true(dppair_isfinite_f64(out.released) && dppair_isfinite_f64(out.count));
    }
  }
}

static void edges_have_answers(void **state) {
  (void)state;
  for (int kind = 0; kind < 4; kind++)
    for (size_t n = 2; n <= 10; n++) {
      for (size_t i = 0; i < n; i++) {
        s[i] = kind == 3 ? (i % 2 ? HUGE_VAL : -HUGE_VAL) : kind == 2 ? 0.25 : normal();
        y[i] = kind == 0 ? 0 : kind == 1 ? 1 : (double)(i % 2);
      }
      all_of(n, 1, 0);
      all_of(n, 1e-300, 0.5);
      all_of(n, 1e-9, 0.999999999999999);
      all_of(n, 1e200, 1e-300);
      all_of(n, 30, 0.99);
    }
  fill(N, 0.5, 1);
  for (double z = 1e-280; z < 1e230; z *= 1e30) all_of(N, z, 0.9);
}

/* Released numbers are anything: the band that is made of them is one, within 0 and 1, and rates in
 * it fall; an area stays between its bounds. */
static void bands_and_areas_of_any_numbers_are_in_order(void **unused) {
  static const double any[] = {-3, -0.5, 0, 0.25, 0.5, 1, 1.5, 40};
  dppair_roc_point point = {0, 0, 0, 0, 0, 0, 0};
  dppair_evaluation area;
  const uint64_t none = 0;
  (void)unused;
  for (int round = 0; round < 2000; round++) {
    double rate[3], lower[3], upper[3];
    for (int k = 0; k < 3; k++) {
      rate[k] = any[(size_t)(8 * uniform())];
      lower[k] = any[(size_t)(8 * uniform())];
      upper[k] = any[(size_t)(8 * uniform())];
    }
    dppair_roc_hull_(rate, lower, upper, 1, 3);
    for (int k = 0; k < 3; k++) {
      assert_true(0 <= lower[k] && lower[k] <= rate[k] && rate[k] <= upper[k] && upper[k] <= 1);
      if (k) assert_true(rate[k] <= rate[k - 1]);
    }
    point.false_rate = uniform(), point.true_rate = uniform();
    point.false_lower = uniform(), point.false_upper = uniform();
    point.true_lower = uniform(), point.true_upper = uniform();
    dppair_roc_area_(&area, &point, 1);
    assert_true(area.value >= area.lower || area.value <= area.upper);
  }
  assert_true(dppair_units_((double)NAN, 8, 0.5) == 4 && dppair_units_(-1, 8, 1) == 0);
  assert_true(dppair_spread_(&none, 0, 1, 0) == 0.0);
  for (int empty = 0; empty < 2; empty++) { /* a class without records: 0, by no division by 0 */
    uint64_t sums[6] = {0};
    const dppair_placements_ c = {NULL, NULL,          sums,          sums,
                                  0,    empty ? 0 : 6, empty ? 6 : 0, 4611686018427387904.0};
    feclearexcept(FE_ALL_EXCEPT);
    assert_true(dppair_delong_(&c, 3) == 0.0);
    assert_false(fetestexcept(FE_INVALID | FE_DIVBYZERO));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(with_little_noise_each_is_the_sum_over_pairs),
      TEST(with_a_small_class_the_answer_is_the_continuation),
      TEST(points_of_the_curve_are_the_rates_and_the_band_holds_them),
      TEST(a_rate_allows_for_the_noise_of_the_cells_on_either_side),
      TEST(the_tail_of_a_normal_variable_and_laplace_noise_is_its_integral),
      TEST(the_quantile_of_a_sum_of_noises_is_passed_as_seldom_as_is_said),
      TEST(an_interval_holds_the_accepted_numbers_and_no_others),
      TEST(an_interval_is_two_sided),
      TEST(two_records_have_the_widest_law),
      TEST(a_variance_has_a_bound_above_0_and_on_average_above_it),
      TEST(noise_comes_from_consecutive_blocks_of_the_stream_of_the_step),
      TEST(the_count_of_a_curve_is_the_sum_of_its_cells),
      TEST(a_budget_is_at_most_what_was_bought),
      TEST(what_is_asked_wrongly_uses_no_permit_and_leaves_nothing),
      TEST(a_failure_is_part_of_what_a_plan_costs),
      TEST(a_partial_auc_without_a_promise_is_refused_or_tested),
      TEST(any_numbers_are_records),
      TEST(edges_have_answers),
      TEST(bands_and_areas_of_any_numbers_are_in_order),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
