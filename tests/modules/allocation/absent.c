/* SPDX-License-Identifier: MIT */
/*
 * A program without dppair_allocation.h: whatever asks about allocated records is refused by a
 * status whose sentence names the header, before anything is charged or written. Ledgers that hold
 * them are of a program that has it.
 */
#include "tests.h"

#include "dppair_accountant.h"
#include "dppair_noise.h"

#include "dppair.h"
#include "questions.h"
#include "draws.h"

/* Written by programs with the module. */
static const char first[] =
    "{\"dppair\":2,\"sequence\":1,\"mechanism\":\"sampled-gaussian\",\"adjacency\":\"zero-out\","
    "\"sampling\":\"allocation\",\"n\":1029,\"batches\":9,\"group\":1,"
    "\"noise_multiplier\":2.0687416991751162,\"steps\":27,\"failure\":0,"
    "\"sensitivity\":\"varies\",\"sigma\":\"varies\",\"check\":\"913c8ed202e7ce4a\"}\n";

static dppair_step allocated(void) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = DPPAIR_SAMPLED_GAUSSIAN;
  s.sampling.kind = DPPAIR_ALLOCATION;
  s.sampling.adjacency = DPPAIR_ZERO_OUT;
  s.sampling.n = 1029;
  s.sampling.batches = 9;
  s.sampling.group = 1;
  s.noise_multiplier = 2.0687416991751162;
  s.steps = 27;
  return s;
}

static dppair_plan planned(void) {
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = allocated().sampling;
  plan.steps = 27;
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

static void the_sentence_names_the_header(void **state) {
  (void)state;
  assert_non_null(strstr(dppair_status_string(DPPAIR_ERR_MODULE), "dppair_allocation.h"));
  assert_string_equal(dppair_sampling_name(DPPAIR_ALLOCATION), "allocation");
}

/* The account is broken, as by every step that it could not charge: it does not answer for less. */
static void no_account_charges_what_it_does_not_know(void **state) {
  const dppair_step step = allocated();
  dppair_accountant a = charged();
  double epsilon;
  (void)state;
  assert_int_equal(dppair_accountant_step(&a, &step), DPPAIR_ERR_MODULE);
  assert_int_equal(answer_epsilon(&epsilon, &a, 1e-5), DPPAIR_ERR_MODULE);
  assert_true(epsilon == 0.0);
  a = charged();
  assert_int_equal(dppair_accountant_sampled_gaussian(&a, step.sampling, 1.0, 2.0, 9),
                   DPPAIR_ERR_MODULE);
}

static void no_answer_is_given_for_its_steps(void **state) {
  const dppair_step step = allocated();
  dppair_interval b;
  double rdp, unpaid;
  size_t bytes, route;
  void *work;
  (void)state;
  assert_int_equal(dppair_renyi(&rdp, &unpaid, &step, 2.0, 0), DPPAIR_ERR_MODULE);
  assert_int_equal(compose_workspace(&bytes, 1), DPPAIR_OK);
  assert_true(bytes < (size_t)17 << 20); /* nothing for tables */
  work = malloc(bytes);
  assert_non_null(work);
  for (route = 0; route <= DPPAIR_ROUTE_PURE; route++) {
    if (route == DPPAIR_ROUTE_BOTH) continue;
    assert_int_equal(compose(&b, &step, 1, 1e-5, (dppair_route)route, work, bytes),
                     DPPAIR_ERR_MODULE);
    assert_true(b.lower == 0.0 && b.upper == 0.0);
    assert_int_equal(compose_delta(&b, &step, 1, 1.0, (dppair_route)route, work, bytes),
                     DPPAIR_ERR_MODULE);
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
  for (k = 0; k < 1; k++) {
    dppair_accountant held = charged(), sum = charged(), copy;
    dppair_interval b;
    double x = 1.0;
    held.step[held.count++] = allocated();
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
  dppair_ledger_entry entry;
  dppair_accountant a = charged();
  char line[DPPAIR_LEDGER_LINE];
  size_t length, bad;
  (void)state;
  memset(&entry, 0, sizeof entry);
  entry.step = allocated();
  entry.sequence = 1;
  assert_int_equal(dppair_ledger_write(line, sizeof line, &length, &entry), DPPAIR_ERR_MODULE);
  assert_true(length == 0);
  assert_int_equal(dppair_ledger_step(&a, &entry, sink, NULL), DPPAIR_ERR_MODULE);
  assert_int_equal(written, 0);
  assert_int_equal(dppair_ledger_read(&entry, first, sizeof first - 1), DPPAIR_ERR_MODULE);
  assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
  assert_int_equal(dppair_ledger_replay(&a, &bad, first, sizeof first - 1), DPPAIR_ERR_MODULE);
  assert_int_equal(bad, 1);
  assert_true(a.sequence == 0 && a.count == 0);
}

/* Neither found, nor opened with noise of one's own, nor gone on with; the account is as it was. */
static void no_plan_is_priced_or_opened(void **state) {
  static const uint8_t key[32] = {1};
  const dppair_accountant before = charged();
  dppair_accountant a = before;
  dppair_plan plan = planned();
  dppair_release release;
  size_t index[1029], count;
  dppair_rng rng;
  int given;
  (void)state;
  for (given = 0; given < 2; given++) {
    plan.ledger = dppair_ledger_to(sink, NULL);
    plan.epsilon = given ? 0.0 : 1.0;
    plan.delta = given ? 0.0 : 1e-5;
    plan.noise_multiplier = given ? 2.0 : 0.0;
    assert_int_equal(dppair_release_open(&release, &a, &plan, NULL), DPPAIR_ERR_MODULE);
    assert_int_equal(draw_now(index, &count, 1029, &release), DPPAIR_ERR_CLOSED);
    assert_memory_equal(&a, &before, sizeof a);
    assert_int_equal(written, 0);
  }
  plan.epsilon = 1.0, plan.delta = 1e-5, plan.noise_multiplier = 0.0;
  assert_int_equal(calibrate(&plan, &a, NULL, 0), DPPAIR_ERR_MODULE);
  assert_true(plan.noise_multiplier == 0.0);
  assert_int_equal(dppair_release_resume(&release, &a, &plan, first, sizeof first - 1, key, 0),
                   DPPAIR_ERR_MODULE);
  assert_memory_equal(&a, &before, sizeof a);
  assert_int_equal(dppair_rng_from_key(&rng, key, 0), DPPAIR_OK);
  assert_int_equal(dppair_draw(index, &count, 1029, &plan.sampling, &rng), DPPAIR_ERR_NO_PROOF);
}

/* A release that was opened where the module is: neither drawn nor released here. */
static void an_open_release_of_it_is_refused_and_keeps_its_permits(void **state) {
  dppair_plan plan;
  dppair_accountant a;
  dppair_release release;
  double v[3] = {1, 2, 3};
  size_t index[8], count = 5;
  (void)state;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(8, DPPAIR_ZERO_OUT);
  plan.epsilon = 1.0, plan.delta = 1e-5, plan.steps = 1;
  assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
  assert_int_equal(dppair_release_open(&release, &a, &plan, NULL), DPPAIR_OK);
  release.sampling.kind = DPPAIR_ALLOCATION;
  assert_int_equal(draw_now(index, &count, 8, &release), DPPAIR_ERR_MODULE);
  assert_true(count == 0);
  assert_int_equal(dppair_release_vector(v, 3, &release, 1.0), DPPAIR_ERR_MODULE);
  assert_true(v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0 && release.step == 0);
  release.sampling.kind = DPPAIR_ALL;
  dppair_release_close(&release);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(the_sentence_names_the_header),
                                     TEST(no_account_charges_what_it_does_not_know),
                                     TEST(no_answer_is_given_for_its_steps),
                                     TEST(the_steps_of_another_file_are_not_free),
                                     TEST(no_line_is_written_or_read),
                                     TEST(no_plan_is_priced_or_opened),
                                     TEST(an_open_release_of_it_is_refused_and_keeps_its_permits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
