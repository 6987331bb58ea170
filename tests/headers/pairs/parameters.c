/* SPDX-License-Identifier: MIT */
/* The template's parameters and the macros of a loss of one's own, in every form in which they may
 * be written: each instance is the logistic loss and gives the same bits as the shipped one. */
#include "engine_support.h"

#define DPPAIR_NAME shipped
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

/* The loss and the prefix from macros, the type through one; DPPAIR_REAL before all headers. */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define LINK(prefix) prefix##logistic
#define WORK_IN double
#define DPPAIR_NAME JOIN(pas, ted)
#define DPPAIR_REAL WORK_IN
#define DPPAIR_LOSS LINK(dppair_)
#include "dppair.h"

/* Function-like macros, of functions of the vocabulary. */
#define like_KIND dppair_pairs
#define like_VALUE(u, p) DPV_SOFTPLUS(DPV_NEG(u))
#define like_SLOPE(u, p) DPV_NEG(DPV_SIGMOID(DPV_NEG(u)))
#define DPPAIR_NAME like
#define DPPAIR_REAL double
#define DPPAIR_LOSS like
#include "dppair.h"

/* Words that stand for another loss's macros, its kind among them. */
#define alias_KIND dppair_logistic_KIND
#define alias_POLES dppair_logistic_POLES
#define alias_VALUE dppair_logistic_VALUE
#define alias_SLOPE dppair_logistic_SLOPE
#define DPPAIR_NAME alias
#define DPPAIR_REAL double
#define DPPAIR_LOSS alias
#include "dppair.h"

/* Plain C functions of one number. */
static double plain_value(double u) {
  double v = 0.0;
  if (dppair_loss_eval(&v, NULL, NULL, &u, 1, DPPAIR_LOSS_logistic, NULL) != DPPAIR_OK)
    return HUGE_VAL;
  return v;
}
static double plain_slope(double u) {
  double v = 0.0;
  if (dppair_loss_eval(NULL, &v, NULL, &u, 1, DPPAIR_LOSS_logistic, NULL) != DPPAIR_OK)
    return HUGE_VAL;
  return v;
}
#define plain_KIND dppair_pairs
#define plain_VALUE(u, p) DPV_CALL(plain_value, u)
#define plain_SLOPE(u, p) DPV_CALL(plain_slope, u)
#define DPPAIR_NAME plain
#define DPPAIR_REAL double
#define DPPAIR_LOSS plain
#include "dppair.h"

enum { NP = 37, NN = 53 };

typedef dppair_status risk_function(double *, const double *, size_t, const double *, size_t,
                                    const double *);
typedef dppair_status coeffs_function(double *, double *, const double *, size_t, const double *,
                                      size_t, const double *);

static void every_form_of_a_loss_gives_the_same_bits(void **unused) {
  risk_function *const risk[] = {shipped_risk_not_private, pasted_risk_not_private, like_risk_not_private, alias_risk_not_private, plain_risk_not_private};
  /* like and plain do not split into factors, which changes the last bits of a slope */
  coeffs_function *const coeffs[] = {like_coeffs, alias_coeffs, plain_coeffs};
  double sp[NP], sn[NN], a[NP], b[NN], first_a[NP], first_b[NN], value, first = 0.0;
  (void)unused;
  fill_scores(sp, NP, SPREAD);
  fill_scores(sn, NN, SPREAD);
  for (size_t k = 0; k < sizeof risk / sizeof *risk; k++) {
    assert_int_equal(risk[k](&value, sp, NP, sn, NN, NULL), DPPAIR_OK);
    if (k == 0) first = value;
    assert_true(value > 0.0);
    assert_memory_equal(&value, &first, sizeof value);
  }
  for (size_t k = 0; k < sizeof coeffs / sizeof *coeffs; k++) {
    assert_int_equal(coeffs[k](a, b, sp, NP, sn, NN, NULL), DPPAIR_OK);
    if (k == 0) memcpy(first_a, a, sizeof a), memcpy(first_b, b, sizeof b);
    assert_true(a[0] < 0.0 && b[0] > 0.0);
    assert_memory_equal(a, first_a, sizeof a);
    assert_memory_equal(b, first_b, sizeof b);
  }
  assert_int_equal(shipped_coeffs(first_a, first_b, sp, NP, sn, NN, NULL), DPPAIR_OK);
  assert_int_equal(pasted_coeffs(a, b, sp, NP, sn, NN, NULL), DPPAIR_OK);
  assert_memory_equal(a, first_a, sizeof a);
  assert_memory_equal(b, first_b, sizeof b);
}

/* A loss of kind dppair_pairs has no prepared state; an alias of an analytic loss has it. */
static void a_kind_that_is_an_alias_brings_the_fast_algorithm(void **unused) {
  static double work[1 << 16];
  dppair_fast f, g;
  double sp[NP], sn[NN], a[NP], b[NN], first_a[NP], first_b[NN];
  (void)unused;
  fill_scores(sp, NP, SPREAD);
  fill_scores(sn, NN, SPREAD);
  assert_int_equal(
      shipped_fast_init(&f, NP + NN, DPPAIR_ACCURACY_1E9, 100.0, NULL, work, sizeof work / 2),
      DPPAIR_OK);
  assert_int_equal(alias_fast_init(&g, NP + NN, DPPAIR_ACCURACY_1E9, 100.0, NULL, work + (1 << 15),
                                   sizeof work / 2),
                   DPPAIR_OK);
  assert_int_equal(shipped_coeffs_fast(first_a, first_b, sp, NP, sn, NN, NULL, &f), DPPAIR_OK);
  assert_int_equal(alias_coeffs_fast(a, b, sp, NP, sn, NN, NULL, &g), DPPAIR_OK);
  assert_memory_equal(a, first_a, sizeof a);
  assert_memory_equal(b, first_b, sizeof b);
}

#if defined(DPPAIR_NAME) || defined(DPPAIR_REAL) || defined(DPPAIR_LOSS)
#error "a parameter is still defined"
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(every_form_of_a_loss_gives_the_same_bits),
      TEST(a_kind_that_is_an_alias_brings_the_fast_algorithm),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
