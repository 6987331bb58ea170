/* SPDX-License-Identifier: MIT */
/* Stability bounds against runs of the algorithms themselves. */
#include "accountant_common.h"

#include "dppair_iterates.h"
#include "sensitivities.h"

/* ---- Descent --------------------------------------------------------------------------------- */

static void two_runs_of_descent_differ_by_their_stability_and_attain_it(void **state) {
  double move, s, t;
  int steps;
  (void)state;
  assert_ok(sensitivity_mean(&move, 1, 10, DPPAIR_REPLACE_ONE));
  /* l = <w, g> + alpha/2 |w|^2 with g = -+1: two runs of the algorithm, strongly convex, attained.
   */
  for (steps = 0; steps <= 40; steps++) {
    const double alpha = 0.7, eta = 0.9 / alpha;
    double w = 0.0, v = 0.0, average = 0.0;
    int i;
    for (i = 0; i < steps; i++) {
      w -= eta * (alpha * w + 0.3);
      v -= eta * (alpha * v + 0.3 + 0.4);
    }
    assert_ok(sensitivity_last(&s, move, alpha, alpha, eta, (size_t)steps));
    assert_close(s, fabs(w - v), 1e-12);
    /* convex: linear loss */
    w = v = 0.0;
    for (i = 0; i < steps; i++) {
      average += fabs(w - v);
      w -= 0.1 * 0.3;
      v -= 0.1 * 0.7;
    }
    average += fabs(w - v);
    assert_ok(sensitivity_last(&s, move, 0, 1, 0.1, (size_t)steps));
    assert_close(s, fabs(w - v), 1e-12);
    assert_ok(sensitivity_average(&s, move, 1, 0.1, (size_t)steps));
    assert_close(s, average / (steps + 1), 1e-12);
  }
  assert_ok(sensitivity_last(&s, move, 0.7, 0.7, 0.9 / 0.7, 1));
  assert_close(s, 0.5142857, 1e-6);
  assert_ok(sensitivity_last(&s, move, 0.7, 0.7, 0.9 / 0.7, 3));
  assert_close(s, 0.5708571, 1e-6);
  /* Past 2/(L + alpha) the other end of the spectrum rules: two quadratics. */
  assert_ok(sensitivity_last(&s, move, 0.1, 2, 0.98, 50));
  {
    double w = 0.0;
    int i;
    for (i = 0; i < 50; i++) w = fabs(1 - 0.98 * 2) * w + 0.98 * move;
    assert_close(s, w, 1e-12);
  }
  assert_int_equal(sensitivity_last(&s, move, 0.1, 2, 1.01, 50), DPPAIR_ERR_STEP_SIZE);
  assert_true(s == 0.0);
  assert_int_equal(sensitivity_last(&s, move, 0.1, TEST_INF, 0.1, 5), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(sensitivity_last(&s, move, 3, 2, 0.1, 5), DPPAIR_ERR_DOMAIN);
  assert_int_equal(sensitivity_average(&s, move, 2, 1.01, 5), DPPAIR_ERR_STEP_SIZE);
  assert_int_equal(sensitivity_average(&s, move, TEST_INF, 0, 5), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(sensitivity_average(&s, move, TEST_INF, 1, 5), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(sensitivity_last(&s, TEST_NAN, 0.1, 2, 0.1, 5), DPPAIR_ERR_NOT_FINITE);
  /* The limit of many steps is the exact minimiser's. n = 8, lambda = .3: 1.6667 */
  assert_ok(sensitivity_mean(&move, 1, 8, DPPAIR_REPLACE_ONE));
  assert_ok(sensitivity_minimiser(&s, move, 0.3, 0));
  assert_close(s, 1.6666667, 1e-6);
  assert_ok(sensitivity_last(&t, move, 0.3, 1, 1, 100000));
  assert_close(s, t, 1e-12);
  assert_ok(sensitivity_minimiser(&t, move, 0.3, 0.01));
  assert_close(t - s, 0.02 / 0.3, 1e-9);
  assert_int_equal(sensitivity_minimiser(&s, move, 0, 0), DPPAIR_ERR_DOMAIN);
}

/* ---- Stability of pairwise SGD ----------------------------------------------------------------
 */

static double uas(const dppair_uas *u, const size_t *index, double ratio) {
  double s;
  void *w;
  size_t bytes;
  assert_ok(dppair_uas_workspace(&bytes, u, ratio));
  w = malloc(bytes);
  assert_ok(dppair_sensitivity_uas_sequence(&s, u, index, u->steps, ratio, w, bytes));
  free(w);
  return s;
}

/* The recursion written out for one position, to compare with. */
static double uas_by_hand(const dppair_uas *u, const size_t *index, size_t a) {
  const double g = u->lipschitz, clip = u->pair_clip > 0.0 ? u->pair_clip : g;
  const double held = clip < g ? clip : g;
  const int ranking = u->loss == DPPAIR_UAS_RANKING;
  const double c = u->eta * (ranking ? (2.0 * clip < g ? 2.0 * clip : g) : 2.0 * held);
  const double b = u->eta * (ranking ? held : 2.0 * held);
  const double keep = 1.0 - u->eta * u->strong_convexity;
  double d = 0.0, sum = 0.0;
  size_t l, hits = index[0] == a;
  for (l = 1; l < u->steps; l++) {
    const double r = index[l] == a ? 1.0 : (double)hits / (double)l;
    if (r > 0.0)
      d = u->smoothness > 0.0
              ? keep * d + c * r
              : sqrt(keep * keep * d * d + (hits > 0 ? b * b * (1 - r) * (1 - r) : 0.0)) + c * r;
    if (u->diameter > 0.0 && d > u->diameter) d = u->diameter;
    sum += d;
    hits += index[l] == a;
  }
  return u->last_iterate ? d : sum / (double)u->steps;
}

static void the_stability_of_a_sequence_is_its_recursion_run_by_hand(void **state) {
  int round;
  (void)state;
  for (round = 0; round < 400; round++) {
    enum { MOST = 300 };
    size_t index[MOST], a, k;
    dppair_uas u;
    double largest = 0.0, exact, block;
    memset(&u, 0, sizeof u);
    u.n = 2 + random_bits() % 12;
    u.steps = 1 + random_bits() % MOST;
    u.eta = 0.3;
    u.lipschitz = 0.7;
    u.loss = (dppair_uas_loss)(1 + round % 3);
    u.last_iterate = round % 7 == 0;
    if (round % 5 == 1) u.diameter = 1.5;
    if (round % 5 == 2) u.strong_convexity = 0.4;
    if (round % 5 == 3) u.smoothness = 1;
    if (u.loss != DPPAIR_UAS_CONVEX && round % 4 == 1) u.pair_clip = 0.1 + 0.8 * uniform();
    for (k = 0; k < u.steps; k++) index[k] = random_bits() % u.n;
    for (a = 0; a < u.n; a++) {
      const double value = uas_by_hand(&u, index, a);
      if (value > largest) largest = value;
    }
    exact = uas(&u, index, 1);
    assert_true(exact >= largest * (1.0 - 1e-15));
    assert_close(exact, largest, 1e-12);
    for (k = 0; k < 4; k++) {
      static const double ratio[4] = {1.0000001, 1.05, 1.3, 3};
      block = uas(&u, index, ratio[k]);
      assert_at_most(exact, block * (1.0 + 1e-13));
      if (u.strong_convexity <= 0.0 && u.diameter <= 0.0)
        assert_at_most(block, exact * (k < 2 ? 1.06 : 1.5));
    }
    { /* the bound for the largest number of hits covers every sequence with as many */
      double bound;
      size_t most = 0, hits;
      for (a = 0; a < u.n; a++) {
        for (hits = k = 0; k < u.steps; k++) hits += index[k] == a;
        if (hits > most) most = hits;
      }
      assert_ok(dppair_uas_hits_(&bound, &u, most));
      assert_at_most(exact, bound);
    }
  }
}

/* Every index sequence of 3 positions and 6 iterates; losses |.|-like and linear in one dimension
 * with |gradient| <= 1, records from a universe of gradient fields: the runs never part further. */
static double pair_slope(int kind, double w) {
  switch (kind) {
  case 0:
    return 1.0;
  case 1:
    return -1.0;
  case 2:
    return w > 0.01 ? 1.0 : -1.0; /* a kink that both runs straddle */
  case 3:
    return w > -0.02 ? 1.0 : -1.0;
  default:
    return 0.0;
  }
}

static void no_two_runs_on_a_tiny_set_exceed_the_stability_of_sgd(void **state) {
  enum { T = 6, N = 3, KINDS = 5 };
  size_t index[T];
  int code, k;
  double attained = 0.0;
  (void)state;
  for (code = 0; code < 729; code++) {
    dppair_uas u;
    int rest = code, table;
    double claimed, smooth;
    for (k = 0; k < T; k++) {
      index[k] = (size_t)(rest % 3);
      rest /= 3;
    }
    memset(&u, 0, sizeof u);
    u.n = N;
    u.steps = T;
    u.eta = 0.05;
    u.lipschitz = 1;
    u.loss = DPPAIR_UAS_CONVEX;
    claimed = uas(&u, index, 1);
    u.smoothness = 1;
    smooth = uas(&u, index, 1);
    /* Data: the kind of loss of each unordered pair of positions (self-pairs included); replacing
     * record 0 changes its pairs to anything. */
    for (table = 0; table < 5 * 5 * 5 * 5; table++) {
      const int untouched = table % 5, was = table / 5 % 5, now = table / 25 % 5;
      const int own = table / 125 % 5;
      double w[2] = {0, 0}, sum[2] = {0, 0};
      int run, l, p;
      for (run = 0; run < 2; run++) {
        for (l = 1; l < T; l++) {
          double g = 0.0;
          for (p = 0; p < l; p++) {
            const int touched = index[l] == 0 || index[p] == 0;
            const int self = index[l] == index[p];
            const int kind = touched ? (run ? now : (self ? own : was)) : untouched;
            g += pair_slope(kind, w[run]);
          }
          w[run] -= u.eta * g / l;
          sum[run] += w[run];
        }
      }
      assert_at_most(fabs(sum[0] - sum[1]) / T, claimed);
      if (fabs(sum[0] - sum[1]) / T / smooth > attained)
        attained = fabs(sum[0] - sum[1]) / T / smooth;
      if (untouched == 4 && was == 0 && now == 1 && own == 0) {
        /* linear losses, +1 against -1 on touched pairs: position 0's smooth bound exactly */
        assert_close(fabs(sum[0] - sum[1]) / T + 1e-300, uas_by_hand(&u, index, 0) + 1e-300, 1e-12);
      }
    }
  }
  assert_true(attained >= 1.0 - 1e-9);
}

static void the_stability_of_sgd_has_its_known_values(void **state) {
  static const struct {
    size_t n, steps;
    double mixture, quantile_hits;
  } known[] = {{512, 512, 0.0175, 8},
               {512, 5120, 0.0796, 27},
               {512, 262144, 2.294, 615},
               {1000, 1000, 0.0081, 8},
               {1000, 10000, 0.0354, 27}};
  size_t i;
  (void)state;
  for (i = 0; i < 5; i++) {
    dppair_uas u;
    double sigma, delta, s, failure;
    size_t hits;
    memset(&u, 0, sizeof u);
    u.n = known[i].n;
    u.steps = known[i].steps;
    u.eta = pow((double)u.n, -1.5);
    u.lipschitz = 1;
    u.loss = DPPAIR_UAS_CONVEX;
    assert_ok(dppair_uas_sigma(&sigma, &u, 1, 1e-5));
    assert_close(sigma, known[i].mixture, 8e-3);
    assert_ok(dppair_uas_delta_(&delta, &u, sigma, 1));
    assert_at_most(delta, 1e-5);
    assert_ok(dppair_uas_delta_(&delta, &u, sigma * 0.999999, 1));
    assert_true(delta > 1e-5);
    assert_ok(dppair_sensitivity_uas_quantile(&s, &failure, &hits, &u, 5e-6));
    assert_int_equal(hits, (size_t)known[i].quantile_hits);
    assert_at_most(failure, 5e-6);
    /* The mixture needs less noise than quantile and Gaussian at half of delta each. */
    assert_true(sigma < s / 0.25);
    { /* two routes to the mixture: the sum written out */
      double sum = 0.0, term;
      size_t k;
      if (u.steps <= 5120) {
        for (k = 1; k <= 200; k++) {
          assert_ok(dppair_uas_hits_(&s, &u, k));
          assert_ok(dppair_gaussian_delta(&term, 1, s / sigma));
          sum += term * exp(dppair_binomial_log_pmf_(u.steps, 1.0 / (double)u.n, k));
        }
        assert_ok(dppair_uas_delta_(&delta, &u, sigma, 1));
        assert_close(delta, sum, 1e-9);
      }
    }
  }
  { /* n = 512, T = n^2: one realised sequence (0.52, half of it with the ranking structure) */
    dppair_uas u;
    const size_t steps = 512 * 512;
    size_t *index = (size_t *)malloc(steps * sizeof *index), k;
    double s, sigma;
    memset(&u, 0, sizeof u);
    u.n = 512;
    u.steps = steps;
    u.eta = pow(512, -1.5);
    u.lipschitz = 1;
    u.loss = DPPAIR_UAS_CONVEX;
    for (k = 0; k < steps; k++) index[k] = random_bits() % 512;
    s = uas(&u, index, FEWER(100) < 100 ? 1.05 : 1);
    assert_ok(dppair_gaussian_sigma(&sigma, s, 1, 1e-5, 1));
    assert_close(sigma, 0.522, 0.04); /* the number depends on the sequence */
    assert_close(uas(&u, index, 1.05), s, 2e-3);
    u.loss = DPPAIR_UAS_RANKING;
    assert_close(uas(&u, index, 1.05), 0.5 * s, 2e-3);
    u.loss = DPPAIR_UAS_CONVEX;
    u.smoothness = 1;
    assert_close(uas(&u, index, 1.05) / (2 * u.eta), 597.0, 0.06);
    free(index);
  }
}

static void the_stability_of_sgd_refuses_bad_steps_losses_and_sizes(void **state) {
  dppair_uas u;
  size_t index[4] = {0, 1, 2, 0}, bytes, hits;
  double s, w[12], f;
  (void)state;
  memset(&u, 0, sizeof u);
  u.n = 4;
  u.steps = 4;
  u.eta = 0.1;
  u.lipschitz = 1;
  u.loss = DPPAIR_UAS_CONVEX;
  assert_close(uas(&u, index, 1), 0.2 * (1 + (sqrt(1.25) + .5) + (sqrt(1.25) + 1.5)) / 4, 1e-13);
  assert_int_equal(dppair_sensitivity_uas_sequence(&s, &u, index, 3, 1, w, sizeof w),
                   DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_sensitivity_uas_sequence(&s, &u, index, 4, 1, w, sizeof w - 8),
                   DPPAIR_ERR_WORKSPACE);
  assert_int_equal(dppair_sensitivity_uas_sequence(&s, &u, index, 4, 0.9, w, sizeof w),
                   DPPAIR_ERR_DOMAIN);
  index[2] = 4;
  assert_int_equal(dppair_sensitivity_uas_sequence(&s, &u, index, 4, 1, w, sizeof w),
                   DPPAIR_ERR_DOMAIN);
  assert_true(s == 0.0);
  u.eta = TEST_NAN;
  assert_int_equal(dppair_uas_hits_(&s, &u, 3), DPPAIR_ERR_NOT_FINITE);
  u.eta = 3;
  u.smoothness = 1;
  assert_int_equal(dppair_uas_hits_(&s, &u, 3), DPPAIR_ERR_STEP_SIZE);
  s = f = 0.5;
  hits = 7; /* the quantile is found, its sensitivity is not */
  assert_int_equal(dppair_sensitivity_uas_quantile(&s, &f, &hits, &u, 0.1), DPPAIR_ERR_STEP_SIZE);
  assert_true(s == 0.0 && f == 1.0 && hits == 0);
  u.n = 1;
  assert_int_equal(dppair_sensitivity_uas_quantile(&s, &f, &hits, &u, 0.1), DPPAIR_ERR_SIZE);
  assert_true(f == 1.0);
  u.n = SIZE_MAX;
  assert_int_equal(dppair_uas_workspace(&bytes, &u, 1), DPPAIR_ERR_OVERFLOW);
}
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(two_runs_of_descent_differ_by_their_stability_and_attain_it),
      TEST(the_stability_of_a_sequence_is_its_recursion_run_by_hand),
      TEST(no_two_runs_on_a_tiny_set_exceed_the_stability_of_sgd),
      TEST(the_stability_of_sgd_has_its_known_values),
      TEST(the_stability_of_sgd_refuses_bad_steps_losses_and_sizes),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
