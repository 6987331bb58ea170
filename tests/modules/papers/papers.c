/* SPDX-License-Identifier: MIT */
/* Printed guarantees against the exact curve. */
#include "accountant_common.h"

#include "dppair_papers.h"

/* ---- What papers print ------------------------------------------------------------------------
 */

static dppair_paper_verdict paper(dppair_paper_result r, double epsilon, double delta) {
  dppair_paper p;
  dppair_paper_verdict v;
  memset(&p, 0, sizeof p);
  p.result = r;
  p.n = 1000;
  p.steps = 100;
  p.lipschitz = 1;
  p.epsilon = epsilon;
  p.delta = delta;
  p.alpha = 0.1;
  p.eta = 0.01;
  p.lambda = 0.5;
  p.kappa = 2;
  assert_ok(dppair_paper_check(&v, &p));
  return v;
}

static void printed_guarantees_are_judged_by_the_exact_curve(void **state) {
  static const struct {
    dppair_paper_result result;
    double delta, limit;
  } limits[] = {
      {DPPAIR_KANG2021_THEOREM1, 1e-2, 18.4573}, {DPPAIR_KANG2021_THEOREM1, 1e-3, 24.4966},
      {DPPAIR_KANG2021_THEOREM1, 1e-5, 36.0873}, {DPPAIR_KANG2021_THEOREM1, 1e-6, 41.7641},
      {DPPAIR_KANG2021_THEOREM1, 1e-8, 52.9941}, {DPPAIR_KANG2021_THEOREM1, 1e-10, 64.1215},
      {DPPAIR_XUE2021_ALG1, 1e-3, 68.84},        {DPPAIR_XUE2021_ALG1, 1e-5, 106.61},
      {DPPAIR_XUE2021_ALG1, 1e-8, 162.75},       {DPPAIR_XUE2021_ALG2, 1e-2, 2.6508},
      {DPPAIR_XUE2021_ALG2, 1e-3, 2.1957},       {DPPAIR_XUE2021_ALG2, 1e-5, 1.2022},
      {DPPAIR_XUE2021_ALG2, 1e-6, 0.7922},       {DPPAIR_XUE2021_ALG2, 1e-8, 0.2713},
      {DPPAIR_XUE2021_ALG2, 1e-10, 0.0729},      {DPPAIR_XUE2021_ALG3, 1e-5, 106.61}};
  static const struct {
    double delta, epsilon, true_delta, true_epsilon, ratio;
  } alg2[] = {{1e-3, 4, 3.907e-3, 4.616, 1.120},  {1e-3, 8, 3.188e-2, 11.456, 1.307},
              {1e-5, 2, 2.430e-5, 2.115, 1.051},  {1e-5, 4, 1.202e-4, 4.655, 1.140},
              {1e-5, 8, 1.221e-3, 10.674, 1.266}, {1e-8, 1, 5.282e-8, 1.067, 1.063},
              {1e-8, 2, 1.715e-7, 2.227, 1.106},  {1e-8, 8, 1.018e-5, 10.310, 1.248}};
  static const double ratio[3][6] = {{3.0202, 2.2804, 2.0416, 1.8186, 1.5966, 1.3688},
                                     {2.2069, 1.9301, 1.8190, 1.7018, 1.5692, 1.4132},
                                     {1.8686, 1.7405, 1.6830, 1.6178, 1.5377, 1.4337}};
  static const double eps[6] = {0.1, 0.5, 1, 2, 4, 8}, del[3] = {1e-3, 1e-5, 1e-8};
  dppair_paper_verdict v;
  size_t i, j;
  (void)state;
  for (i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    v = paper(limits[i].result, limits[i].limit * 0.9998, limits[i].delta);
    assert_int_equal(v.sufficient, 1);
    assert_at_most(v.true_epsilon, limits[i].limit * 0.9998);
    assert_at_most(v.true_delta, limits[i].delta);
    v = paper(limits[i].result, limits[i].limit * 1.0005, limits[i].delta);
    assert_int_equal(v.sufficient, 0);
    assert_true(v.true_delta > limits[i].delta && v.noise_needed > v.noise_printed);
  }
  for (i = 0; i < 3; i++)
    for (j = 0; j < 6; j++) {
      v = paper(DPPAIR_KANG2021_THEOREM1, eps[j], del[i]);
      assert_close(v.noise_printed / v.noise_needed, ratio[i][j], 1e-4);
      /* The appendix is looser still. */
      assert_true(paper(DPPAIR_KANG2021_APPENDIX, eps[j], del[i]).noise_printed > v.noise_printed);
    }
  for (i = 0; i < 8; i++) {
    v = paper(DPPAIR_XUE2021_ALG2, alg2[i].epsilon, alg2[i].delta);
    assert_close(v.true_delta, alg2[i].true_delta, 1e-3);
    assert_close(v.true_epsilon, alg2[i].true_epsilon, 1e-3);
    assert_close(v.noise_needed / v.noise_printed, alg2[i].ratio, 1e-3);
  }
  v = paper(DPPAIR_NIEWANG2017_PROP1, 1, 0);
  assert_close(v.true_epsilon, 2.0, 1e-12);
  assert_close(v.noise_needed, 2.0 * v.noise_printed, 1e-12);
  assert_close(v.true_delta, 1.0 - exp(-0.5), 1e-12);
  assert_int_equal(v.sufficient, 0);
  v = paper(DPPAIR_KANG2023_THEOREM5, 2, 1e-5);
  assert_true(!dppair_isfinite_f64(v.true_epsilon) && !dppair_isfinite_f64(v.noise_needed));
  assert_close(v.true_delta, 0.0952, 2e-3);
  assert_int_equal(v.sufficient, 0);
  { /* Yang 2021: printed 0.133, 1.737, 125.6 (n = 512) */
    static const double steps[3] = {512, 5120, 262144}, printed[3] = {0.133, 1.737, 125.6};
    for (i = 0; i < 3; i++) {
      dppair_paper p;
      memset(&p, 0, sizeof p);
      p.result = DPPAIR_YANG2021_THEOREM4;
      p.n = 512;
      p.steps = (size_t)steps[i];
      p.lipschitz = 1;
      p.eta = pow(512, -1.5);
      p.epsilon = 1;
      p.delta = 1e-5;
      assert_ok(dppair_paper_check(&v, &p));
      assert_close(v.noise_printed, printed[i], 5e-3);
      assert_int_equal(v.sufficient, 1);
      assert_at_most(v.true_epsilon, 1.0);
    }
  }
  { /* pure variants and refusals */
    dppair_paper p;
    memset(&p, 0, sizeof p);
    p.result = DPPAIR_XUE2021_ALG1;
    p.n = 1000;
    p.steps = 10;
    p.lipschitz = 1;
    p.epsilon = 1;
    p.pure = 1;
    p.alpha = 0.1;
    assert_ok(dppair_paper_check(&v, &p));
    assert_close(v.noise_printed, 0.08, 1e-12);
    assert_close(v.true_epsilon, 0.5, 1e-12);
    p.result = DPPAIR_XUE2021_ALG2;
    assert_int_equal(dppair_paper_check(&v, &p), DPPAIR_ERR_NO_PROOF);
    assert_true(v.noise_printed == 0.0);
    p.pure = 0;
    assert_int_equal(dppair_paper_check(&v, &p), DPPAIR_ERR_DELTA);
    p.delta = 1e-5;
    p.epsilon = 0;
    assert_int_equal(dppair_paper_check(&v, &p), DPPAIR_ERR_EPSILON);
    p.epsilon = TEST_NAN;
    assert_int_equal(dppair_paper_check(&v, &p), DPPAIR_ERR_NOT_FINITE);
  }
}
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(printed_guarantees_are_judged_by_the_exact_curve),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
