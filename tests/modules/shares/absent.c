/* SPDX-License-Identifier: MIT */
/*
 * A program without dppair_shares.h: whatever asks about Skellam noise is refused by a status whose
 * sentence names the header, before anything is charged or written. Ledgers that hold such noise
 * are of a program that has it.
 */
#include "tests.h"

#include "dppair_accountant.h"
#include "dppair_noise.h"

#include "dppair.h"
#include "questions.h"

/* Written by programs with the module. */
static const char *const lines[] = {
    "{\"dppair\":2,\"sequence\":1,\"mechanism\":\"skellam\""
    ",\"adjacency\":\"zero-out\",\"noise_multiplier\":20,\"steps\":3"
    ",\"failure\":0,\"sensitivity\":\"varies\",\"sigma\":\"varies\""
    ",\"check\":\"5a1d240a25c30213\"}\n",
    "{\"dppair\":2,\"sequence\":1,\"mechanism\":\"sampled-skellam\""
    ",\"adjacency\":\"zero-out\",\"sampling\":\"poisson\",\"n\":1000,\"m\":10"
    ",\"noise_multiplier\":20,\"steps\":3,\"failure\":0"
    ",\"sensitivity\":\"varies\",\"sigma\":\"varies\""
    ",\"check\":\"f805d650da8b6c3e\"}\n"};
static const dppair_mechanism_kind kinds[] = {DPPAIR_SKELLAM, DPPAIR_SAMPLED_SKELLAM};

static dppair_step step_of(dppair_mechanism_kind kind) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = kind;
  s.sampling.adjacency = DPPAIR_ZERO_OUT;
  if (kind == DPPAIR_SAMPLED_SKELLAM) {
    s.sampling.kind = DPPAIR_POISSON;
    s.sampling.n = 1000;
    s.sampling.m = 10;
  }
  s.noise_multiplier = 20.0;
  s.steps = 3;
  return s;
}

static dppair_plan plan_of(dppair_mechanism_kind kind) {
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = step_of(kind).sampling;
  if (plan.sampling.kind == DPPAIR_ALL) plan.sampling.n = 1000;
  plan.noise = DPPAIR_SKELLAM;
  plan.steps = 3;
  return plan;
}

static dppair_accountant charged(void) {
  dppair_accountant a;
  assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
  assert_int_equal(dppair_accountant_neighbours(&a, DPPAIR_ZERO_OUT), DPPAIR_OK);
  assert_int_equal(dppair_accountant_gaussian(&a, 1.0, 7.0, 3), DPPAIR_OK);
  return a;
}

static int written;
static dppair_status sink(const char *line, size_t length, void *context) {
  (void)line, (void)length, (void)context;
  written++;
  return DPPAIR_OK;
}

static void the_sentence_names_the_header_and_the_kinds_keep_their_words(void **state) {
  (void)state;
  assert_non_null(strstr(dppair_status_string(DPPAIR_ERR_MODULE), "dppair_shares.h"));
  assert_string_equal(dppair_mechanism_name(DPPAIR_SKELLAM), "skellam");
  assert_string_equal(dppair_mechanism_name(DPPAIR_SAMPLED_SKELLAM), "sampled-skellam");
  assert_int_equal(DPPAIR_SKELLAM, 9);
  assert_int_equal(DPPAIR_SAMPLED_SKELLAM, 10);
}

/* The account is broken, as by every step that it could not charge: it does not answer for less. */
static void no_account_charges_what_it_does_not_know(void **state) {
  size_t k;
  (void)state;
  for (k = 0; k < 2; k++) {
    const dppair_step step = step_of(kinds[k]);
    dppair_accountant a = charged();
    double epsilon;
    assert_int_equal(dppair_accountant_step(&a, &step), DPPAIR_ERR_MODULE);
    assert_int_equal(answer_epsilon(&epsilon, &a, 1e-5), DPPAIR_ERR_MODULE);
    assert_true(epsilon == 0.0);
  }
}

static void no_answer_is_given_for_its_steps(void **state) {
  dppair_interval b;
  double rdp, unpaid;
  size_t bytes, route, k;
  void *work;
  (void)state;
  assert_int_equal(compose_workspace(&bytes, 1), DPPAIR_OK);
  work = malloc(bytes);
  assert_non_null(work);
  for (k = 0; k < 2; k++) {
    const dppair_step step = step_of(kinds[k]);
    assert_int_equal(dppair_renyi(&rdp, &unpaid, &step, 2.0, 0), DPPAIR_ERR_MODULE);
    for (route = 0; route <= DPPAIR_ROUTE_PURE; route++) {
      if (route == DPPAIR_ROUTE_BOTH) continue;
      assert_int_equal(compose(&b, &step, 1, 1e-5, (dppair_route)route, work, bytes),
                       DPPAIR_ERR_MODULE);
      assert_true(b.lower == 0.0 && b.upper == 0.0);
    }
  }
  free(work);
}

/* An account of another file, which has the module: no question is answered without its steps, nor is
 * it added to another one, or charged. */
static void the_steps_of_another_file_are_not_free(void **state) {
  size_t bytes, k;
  void *work;
  (void)state;
  assert_int_equal(dppair_composer_workspace(&bytes, NULL), DPPAIR_OK);
  work = malloc(bytes);
  assert_non_null(work);
  for (k = 0; k < 2; k++) {
    dppair_accountant held = charged(), sum = charged(), copy;
    dppair_interval b;
    double x = 1.0;
    held.step[held.count++] = step_of(kinds[k]);
    assert_int_equal(answer_epsilon(&x, &held, 1e-5), DPPAIR_ERR_MODULE);
    assert_true(x == 0.0);
    assert_int_equal(certify(&b, &held, 1e-5, work, bytes), DPPAIR_ERR_MODULE);
    assert_true(b.lower == 0.0 && b.upper == 0.0);
    assert_int_equal(certify_delta(&b, &held, 1.0, work, bytes), DPPAIR_ERR_MODULE);
    assert_int_equal(parallel_epsilon(&b, &held, 1, 1e-5, work, bytes), DPPAIR_ERR_MODULE);
    assert_int_equal(dppair_accountant_merge(&sum, &held), DPPAIR_ERR_MODULE);
    assert_int_equal(answer_epsilon(&x, &sum, 1e-5), DPPAIR_ERR_MODULE);
    copy = held; /* nothing is added beside what is not known */
    assert_int_equal(dppair_accountant_pure(&copy, 0.5, 1), DPPAIR_ERR_MODULE);
    assert_int_equal(copy.broken, DPPAIR_ERR_MODULE);
  }
  free(work);
}

static void no_line_is_written_or_read(void **state) {
  size_t k;
  (void)state;
  for (k = 0; k < 2; k++) {
    dppair_ledger_entry entry;
    dppair_accountant a = charged();
    char line[DPPAIR_LEDGER_LINE];
    size_t length, bad;
    memset(&entry, 0, sizeof entry);
    entry.step = step_of(kinds[k]);
    entry.sequence = 1;
    assert_int_equal(dppair_ledger_write(line, sizeof line, &length, &entry), DPPAIR_ERR_MODULE);
    assert_true(length == 0);
    assert_int_equal(dppair_ledger_step(&a, &entry, sink, NULL), DPPAIR_ERR_MODULE);
    assert_int_equal(written, 0);
    length = strlen(lines[k]);
    assert_int_equal(dppair_ledger_read(&entry, lines[k], length), DPPAIR_ERR_MODULE);
    assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
    assert_int_equal(dppair_ledger_replay(&a, &bad, lines[k], length), DPPAIR_ERR_MODULE);
    assert_int_equal(bad, 1);
    assert_true(a.sequence == 0 && a.count == 0);
  }
}

/* Neither found, nor opened with noise of one's own, nor gone on with; the account is as it was. */
static void no_plan_is_priced_or_opened(void **state) {
  static const uint8_t key[32] = {1};
  const dppair_accountant before = charged();
  dppair_accountant a = before;
  dppair_release release;
  size_t k;
  int given;
  (void)state;
  for (k = 0; k < 2; k++) {
    dppair_plan plan = plan_of(kinds[k]);
    plan.ledger = dppair_ledger_to(sink, NULL);
    for (given = 0; given < 2; given++) {
      plan.epsilon = given ? 0.0 : 1.0;
      plan.delta = given ? 0.0 : 1e-5;
      plan.noise_multiplier = given ? 20.0 : 0.0;
      assert_int_equal(dppair_release_open(&release, &a, &plan, NULL), DPPAIR_ERR_MODULE);
      assert_memory_equal(&a, &before, sizeof a);
      assert_int_equal(written, 0);
    }
    plan.epsilon = 1.0, plan.delta = 1e-5, plan.noise_multiplier = 0.0;
    assert_int_equal(calibrate(&plan, &a, NULL, 0), DPPAIR_ERR_MODULE);
    assert_true(plan.noise_multiplier == 0.0);
    assert_int_equal(dppair_release_resume(&release, &a, &plan, lines[k], strlen(lines[k]), key, 0),
                     DPPAIR_ERR_MODULE);
    assert_memory_equal(&a, &before, sizeof a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(the_sentence_names_the_header_and_the_kinds_keep_their_words),
      TEST(no_account_charges_what_it_does_not_know),
      TEST(no_answer_is_given_for_its_steps),
      TEST(the_steps_of_another_file_are_not_free),
      TEST(no_line_is_written_or_read),
      TEST(no_plan_is_priced_or_opened)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
