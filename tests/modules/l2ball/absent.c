/* SPDX-License-Identifier: MIT */
/*
 * A program without dppair_l2ball.h: whatever asks about noise of density exp(-|z|_2/scale) is
 * refused by a status whose sentence names the header, before anything is charged or written: plans
 * of vectors, of minimisers at delta 0, and a score without choices at delta 0. Ledgers that hold
 * such noise are of a program that has it.
 */
#include "tests.h"

#include "dppair_auto.h"
#include "questions.h"

/* Written by programs with the module. */
static const char *const lines[] = {
    "{\"dppair\":2,\"sequence\":1,\"mechanism\":\"l2-ball\",\"adjacency\":\"replace-one\""
    ",\"noise_multiplier\":20,\"steps\":3,\"failure\":0,\"sensitivity\":\"varies\""
    ",\"sigma\":\"varies\",\"check\":\"a81111a09385f7a4\"}\n",
    "{\"dppair\":2,\"sequence\":1,\"mechanism\":\"pure-objective-perturbation\""
    ",\"adjacency\":\"replace-one\",\"ridge\":5,\"noise_multiplier\":20,\"steps\":3"
    ",\"failure\":0,\"sensitivity\":\"varies\",\"sigma\":\"varies\""
    ",\"check\":\"76d247d5cbfd666e\"}\n"};
static const dppair_mechanism_kind kinds[] = {DPPAIR_L2BALL, DPPAIR_PURE_OBJECTIVE};

static dppair_step step_of(dppair_mechanism_kind kind) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = kind;
  s.sampling.adjacency = DPPAIR_REPLACE_ONE;
  s.ridge = kind == DPPAIR_PURE_OBJECTIVE ? 5.0 : 0.0;
  s.noise_multiplier = 20.0;
  s.steps = 3;
  return s;
}

static dppair_plan plan_of(dppair_mechanism_kind kind) {
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(1000, DPPAIR_REPLACE_ONE);
  plan.noise = kind;
  plan.steps = 3;
  plan.ridge = step_of(kind).ridge;
  plan.output_mu = kind == DPPAIR_PURE_OBJECTIVE ? 1e-3 : 0.0;
  return plan;
}

static dppair_accountant charged(void) {
  dppair_accountant a;
  assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
  assert_int_equal(dppair_accountant_neighbours(&a, DPPAIR_REPLACE_ONE), DPPAIR_OK);
  assert_int_equal(dppair_accountant_pure(&a, 0.25, 1), DPPAIR_OK);
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
  assert_non_null(strstr(dppair_status_string(DPPAIR_ERR_MODULE), "dppair_l2ball.h"));
  assert_string_equal(dppair_mechanism_name(DPPAIR_L2BALL), "l2-ball");
  assert_string_equal(dppair_mechanism_name(DPPAIR_PURE_OBJECTIVE), "pure-objective-perturbation");
  assert_int_equal(DPPAIR_L2BALL, 8);
  assert_int_equal(DPPAIR_PURE_OBJECTIVE, 12);
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
      plan.delta = 0.0;
      plan.noise_multiplier = given ? 20.0 : 0.0;
      assert_int_equal(dppair_release_open(&release, &a, &plan, NULL), DPPAIR_ERR_MODULE);
      assert_memory_equal(&a, &before, sizeof a);
      assert_int_equal(written, 0);
    }
    plan.epsilon = 1.0, plan.delta = 0.0, plan.noise_multiplier = 0.0;
    assert_int_equal(calibrate(&plan, &a, NULL, 0), DPPAIR_ERR_MODULE);
    assert_true(plan.noise_multiplier == 0.0);
    assert_int_equal(dppair_release_resume(&release, &a, &plan, lines[k], strlen(lines[k]), key, 0),
                     DPPAIR_ERR_MODULE);
    assert_memory_equal(&a, &before, sizeof a);
  }
}

/* A release that was opened where the module is: no noise of another law is added in its place. */
static void an_open_release_of_it_is_refused_and_keeps_its_permits(void **state) {
  dppair_plan plan = plan_of(DPPAIR_GAUSSIAN);
  dppair_accountant a;
  dppair_release release;
  double v[3] = {1, 2, 3};
  (void)state;
  plan.epsilon = 1.0, plan.delta = 1e-5;
  assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
  assert_int_equal(dppair_release_open(&release, &a, &plan, NULL), DPPAIR_OK);
  release.mechanism = DPPAIR_L2BALL;
  assert_int_equal(dppair_release_vector(v, 3, &release, 1.0), DPPAIR_ERR_MODULE);
  assert_true(v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0);
  assert_true(release.step == 0);
  release.mechanism = DPPAIR_GAUSSIAN;
  assert_int_equal(dppair_release_vector(v, 3, &release, 1.0), DPPAIR_OK);
  dppair_release_close(&release);
}

static void a_score_without_choices_refuses_delta_0_and_charges_nothing(void **state) {
  static const dppair_column columns[2] = {{DPPAIR_COLUMN_NUMERIC, 0, 1, 0, 0},
                                           {DPPAIR_COLUMN_FLAG, 0, 0, 0, 0}};
  enum { N = 60 };
  const dppair_accountant before = charged();
  dppair_accountant a = before;
  dppair_auto_map map[2];
  dppair_auto_model model;
  dppair_plan plan;
  double x[2 * N], y[N];
  size_t bytes;
  void *work;
  (void)state;
  for (int i = 0; i < N; i++) x[2 * i] = i / 60.0, x[2 * i + 1] = i % 2, y[i] = i % 3 - 1;
  memset(&model, 0, sizeof model);
  memset(&plan, 0, sizeof plan);
  model.map = map;
  plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  plan.epsilon = 2.0;
  assert_int_equal(dppair_auto_workspace(&bytes, N, 2, columns), DPPAIR_OK);
  work = malloc(bytes);
  assert_non_null(work);
  plan.ledger = dppair_ledger_to(sink, NULL);
  assert_int_equal(dppair_auto_fit(&model, &a, &plan, NULL, x, y, N, 2, columns, work, bytes),
                   DPPAIR_ERR_MODULE);
  assert_memory_equal(&a, &before, sizeof a);
  assert_int_equal(written, 0);
  plan.delta = 1e-5;
  assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
  assert_int_equal(dppair_auto_fit(&model, &a, &plan, NULL, x, y, N, 2, columns, work, bytes),
                   DPPAIR_OK);
  free(work);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(the_sentence_names_the_header_and_the_kinds_keep_their_words),
      TEST(no_account_charges_what_it_does_not_know),
      TEST(no_answer_is_given_for_its_steps),
      TEST(the_steps_of_another_file_are_not_free),
      TEST(no_line_is_written_or_read),
      TEST(no_plan_is_priced_or_opened),
      TEST(an_open_release_of_it_is_refused_and_keeps_its_permits),
      TEST(a_score_without_choices_refuses_delta_0_and_charges_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
