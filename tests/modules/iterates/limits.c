/* SPDX-License-Identifier: MIT */
/* Steps at the limit of their size, losses that are clipped, hits that are certain to be missed. */
#include "accountant_common.h"

#include "dppair_iterates.h"
#include "sensitivities.h"

/* ---- Steps at the limit of their size ----------------------------------------------------------
 */

/* sum over k < T of r^k, r the larger rate, in a wider type. */
static wide rates(double eta, double alpha, double smoothness, size_t steps) {
  const wide slow = fabs(1.0 - eta * alpha) > 2.0 ? 0 : 1 - (wide)eta * (wide)alpha;
  const wide fast = (wide)eta * (wide)smoothness - 1;
  const wide r = slow > fast ? slow : fast, gap = 1 - r;
  if (gap > -(wide)1e-30 && gap < (wide)1e-30) return (wide)steps;
  return -wexpm1((wide)steps * wlog1p(-gap)) / gap;
}

static void a_step_that_was_rounded_up_is_free(void **state) {
  int at_limit = 0, round;
  (void)state;
  for (round = 0; round < FEWER(40000); round++) {
    const double smoothness = exp(8.0 * uniform() - 4.0);
    const double alpha = round % 3 ? smoothness * 0.3 * uniform() : 0.0;
    const size_t steps = (size_t)exp(28.0 * uniform());
    double eta = 2.0 / smoothness, s;
    wide exact;
    dppair_status status;
    if (round % 4 == 1) eta *= 1.0 - 4e-16 * uniform();
    if (round % 4 == 2) eta *= 1.0 - exp(-36.0 * uniform());
    if (round % 4 == 3) eta *= 1.0 + 1e-15 * uniform();
    status = sensitivity_last(&s, 1.0, alpha, smoothness, eta, steps);
    if (eta * smoothness > 2.0) {
      assert_int_equal(status, DPPAIR_ERR_STEP_SIZE);
      continue;
    }
    assert_ok(status);
    at_limit += eta * smoothness >= 2.0;
    exact = (wide)eta * rates(eta, alpha, smoothness, steps);
    assert_true((wide)s >= exact);
    assert_true(s <= (double)exact * (1.0 + 1e-13 + 1e-15 * (double)steps));
    if (alpha <= 0.0) {
      /* the mean of w_0 .. w_T: at least the mean of t r^0 */
      double mean;
      const wide gap = 2 - (wide)eta * (wide)smoothness;
      const wide growth = gap < 0 ? wexp(-gap * (wide)steps) : 1;
      assert_ok(sensitivity_average(&mean, 1.0, smoothness, eta, steps));
      assert_true((wide)mean >= (wide)eta * (wide)steps / 2 * growth);
    }
  }
  assert_true(at_limit > FEWER(40000) / 10);
}

static void a_stability_step_that_was_rounded_up_is_free(void **state) {
  int round, above = 0;
  (void)state;
  for (round = 0; round < FEWER(20000); round++) {
    dppair_uas u;
    double s, limit;
    wide d = 0, keep, excess;
    size_t index[6] = {0, 1, 0, 2, 1, 0}, l, hits = 1;
    double work[32];
    memset(&u, 0, sizeof u);
    u.n = 3;
    u.steps = 6;
    u.loss = DPPAIR_UAS_CONVEX;
    u.lipschitz = 1.0;
    u.smoothness = exp(4.0 * uniform());
    u.strong_convexity = round % 2 ? u.smoothness * uniform() : 0.0;
    u.eta = 2.0 / (u.smoothness + u.strong_convexity);
    u.last_iterate = 1;
    if (u.eta * (u.smoothness + u.strong_convexity) > 2.0) continue;
    excess = (wide)u.eta * ((wide)u.smoothness + (wide)u.strong_convexity) - 2;
    keep = 1 - (wide)u.eta * (wide)u.strong_convexity + (excess > 0 ? excess : 0);
    above += excess > 0;
    for (l = 1; l < 6; l++) {
      d = keep * d + (index[l] == 0 ? (wide)1 : (wide)hits / (wide)l);
      hits += index[l] == 0;
    }
    d *= 2 * (wide)u.eta;
    assert_ok(dppair_sensitivity_uas_sequence(&s, &u, index, 6, 1, work, sizeof work));
    assert_true((wide)s >= d);
    /* many steps, few hits: the closed form and the blocks have no rate but 1 */
    u.steps = (size_t)1 << 40;
    limit = (double)(excess > 0 ? wexp(excess * (wide)u.steps) : 1);
    assert_ok(dppair_uas_hits_(&s, &u, 1));
    {
      dppair_uas half = u;
      double t;
      half.eta *= 0.5;
      assert_ok(dppair_uas_hits_(&t, &half, 1));
      assert_true(s >= 2.0 * t * limit * (1.0 - 1e-12));
    }
  }
  assert_true(above > 0);
}

/* ---- Stability: what the loss is, and hits that are certain to be missed ------------------------
 */

/* A convex loss whose margin is not linear: clipped gradients are not monotone. Untouched pairs
 * push the runs apart in every step; the bound for monotone gradients of norm C is passed. */
static double runs_apart(size_t steps) {
  double w[2] = {0, 0}, v[2] = {0, 0};
  size_t l;
  /* one touched pair in every step (distinct indices); eta = C = 1 */
  w[0] = 1.0, v[0] = -1.0; /* the first touched step, +-e */
  for (l = 2; l < steps; l++) {
    const double dx = w[0] - v[0], dy = w[1] - v[1], norm = sqrt(dx * dx + dy * dy), s = 0.05;
    const double e[2] = {dx / norm, dy / norm}, perp[2] = {-e[1], e[0]};
    double u[2], h[2], inner, at_w[2], at_v[2], size;
    int k;
    for (k = 0; k < 2; k++) u[k] = s * e[k] + sqrt(1 - s * s) * perp[k];
    for (k = 0; k < 2; k++) h[k] = 1.2 / s * u[k] - e[k];
    inner = h[0] * dx + h[1] * dy;
    assert_true(inner > 0.0); /* h h'/inner is positive semidefinite: the loss is convex */
    for (k = 0; k < 2; k++) at_w[k] = h[k] * (h[0] * dx + h[1] * dy) / inner + e[k];
    for (k = 0; k < 2; k++) at_v[k] = e[k];
    size = sqrt(at_w[0] * at_w[0] + at_w[1] * at_w[1]);
    for (k = 0; k < 2 && size > 1.0; k++) at_w[k] /= size;
    for (k = 0; k < 2; k++) {
      w[k] -= (-e[k] + (double)(l - 1) * at_w[k]) / (double)l;
      v[k] -= (e[k] + (double)(l - 1) * at_v[k]) / (double)l;
    }
  }
  return sqrt((w[0] - v[0]) * (w[0] - v[0]) + (w[1] - v[1]) * (w[1] - v[1]));
}

static void a_clip_takes_the_place_of_g_for_every_convex_loss(void **state) {
  dppair_uas u;
  double s, w[1300];
  size_t index[400], k;
  (void)state;
  memset(&u, 0, sizeof u);
  u.n = u.steps = 100;
  u.eta = u.lipschitz = 1.0;
  u.last_iterate = 1;
  for (k = 0; k < 100; k++) index[k] = k;
  /* nothing is known of the loss */
  assert_int_equal(dppair_sensitivity_uas_sequence(&s, &u, index, 100, 1, w, sizeof w),
                   DPPAIR_ERR_NO_PROOF);
  assert_true(s == 0.0);
  assert_int_equal(dppair_uas_hits_(&s, &u, 3), DPPAIR_ERR_NO_PROOF);
  u.loss = (dppair_uas_loss)4;
  assert_int_equal(dppair_uas_hits_(&s, &u, 3), DPPAIR_ERR_NO_PROOF);
  /* G = 1 without a clip: some bound; the clipped gradients of norm 1 pass it */
  u.loss = DPPAIR_UAS_CONVEX;
  assert_ok(dppair_sensitivity_uas_sequence(&s, &u, index, 100, 1, w, sizeof w));
  assert_true(runs_apart(100) > 1.5 * s);
  u.lipschitz = 30.0;
  u.pair_clip = 1.0;
  assert_int_equal(dppair_sensitivity_uas_sequence(&s, &u, index, 100, 1, w, sizeof w),
                   DPPAIR_ERR_NO_PROOF);
  /* a margin that is linear: min(C, G) for G, in both places */
  u.loss = DPPAIR_UAS_LINEAR;
  assert_ok(dppair_sensitivity_uas_sequence(&s, &u, index, 100, 1, w, sizeof w));
  {
    double t;
    u.pair_clip = 0.0;
    u.lipschitz = 1.0;
    assert_ok(dppair_sensitivity_uas_sequence(&t, &u, index, 100, 1, w, sizeof w));
    assert_close(s, t, 1e-13);
    u.pair_clip = 2.0;
    assert_ok(dppair_sensitivity_uas_sequence(&s, &u, index, 100, 1, w, sizeof w));
    assert_close(s, t, 1e-13);
  }
  u.pair_clip = -1.0;
  assert_int_equal(dppair_uas_hits_(&s, &u, 3), DPPAIR_ERR_DOMAIN);
  u.pair_clip = TEST_NAN;
  assert_int_equal(dppair_uas_hits_(&s, &u, 3), DPPAIR_ERR_NOT_FINITE);
}

static void no_noise_where_every_hit_may_fail(void **state) {
  dppair_uas u;
  double s, sigma, failure, once;
  size_t hits;
  (void)state;
  memset(&u, 0, sizeof u);
  u.n = 1000000;
  u.steps = 1000;
  u.eta = 1e-3;
  u.lipschitz = 1.0;
  u.loss = DPPAIR_UAS_CONVEX;
  assert_ok(dppair_uas_sigma(&sigma, &u, 1, 1e-5));
  assert_true(sigma > 0.01);
  assert_int_equal(dppair_uas_sigma(&sigma, &u, 1, 1.1e-3), DPPAIR_ERR_DELTA);
  assert_true(sigma == 0.0);
  once = -expm1(1000 * log1p(-1e-6)); /* Pr[at least one hit] */
  assert_int_equal(dppair_uas_sigma(&sigma, &u, 1, once), DPPAIR_ERR_DELTA);
  assert_ok(dppair_uas_sigma(&sigma, &u, 1, 0.9 * once));
  u.steps = 10;
  assert_ok(dppair_sensitivity_uas_quantile(&s, &failure, &hits, &u, 1e-4));
  assert_int_equal(hits, 1);
  assert_true(s > 0.0 && failure < 1e-4 && failure >= 45e-12 * 0.99);
  assert_int_equal(dppair_uas_sigma(&sigma, &u, 1, TEST_NAN), DPPAIR_ERR_NOT_FINITE);
  u.n = 1;
  assert_int_equal(dppair_uas_sigma(&sigma, &u, 1, 0.5), DPPAIR_ERR_SIZE);
}
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_step_that_was_rounded_up_is_free),
      TEST(a_stability_step_that_was_rounded_up_is_free),
      TEST(a_clip_takes_the_place_of_g_for_every_convex_loss),
      TEST(no_noise_where_every_hit_may_fail),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
