/* SPDX-License-Identifier: MIT */
/* dppair_accountant.h and dppair_losses.h: every public function with each argument out of its
 * domain. */
#define DPPAIR_WITH_SHARES
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair.h"
#include "dppair_attack.h"
#include "dppair_contrast.h"
#include "dppair_filters.h"
#include "dppair_iterates.h"
#include "dppair_papers.h"
#include "dppair_selection.h"
#include "dppair_streams.h"

#define CONTRACT_ARITHMETIC(name) (strcmp(name, "dppair_loss_eval") != 0) /* no claim */
#include "contract.h"
#include "questions.h"

static double y, z, some[8], *work;
static size_t count, need, bad_line;
static dppair_accountant account, other, blank;
static dppair_interval interval;
static dppair_composer composer;
static dppair_plan plan;
static dppair_ledger_entry entry;
static dppair_uas uas;
static dppair_filter filter;
static dppair_paper paper;
static dppair_paper_verdict verdict;
static dppair_constants constants, data;
static dppair_sampling records;
static dppair_step step;
static char line[DPPAIR_LEDGER_LINE], written[DPPAIR_LEDGER_LINE];
static size_t length;
static unsigned char active[4];
static dppair_stream alone;
static dppair_descent descent;
static const dppair_stream stream = {.steps = 8,
                                     .buffer = 2,
                                     .silent = 2,
                                     .noise = DPPAIR_PREFIX_TREE,
                                     .adjacency = DPPAIR_REPLACE_ONE};

static dppair_step plain_step(void) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = DPPAIR_GAUSSIAN;
  s.noise_multiplier = 2.0;
  s.steps = 3;
  return s;
}

static dppair_step drawn(dppair_sampling sampling) {
  dppair_step s = plain_step();
  s.kind = DPPAIR_SAMPLED_GAUSSIAN;
  s.sampling = sampling;
  return s;
}

static void reset(void) {
  memset(&entry, 0, sizeof entry);
  memset(&uas, 0, sizeof uas);
  memset(&paper, 0, sizeof paper);
  memset(&plan, 0, sizeof plan);
  step = plain_step();
  entry.step = step;
  entry.sensitivity = 0.5;
  entry.sigma = 1.0;
  entry.sequence = 1;
  for (size_t i = 0; i < 8; i++) some[i] = 0.25;
  for (size_t i = 0; i < 4; i++) active[i] = 1;
  assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
  assert_int_equal(dppair_accountant_gaussian(&account, 1.0, 10.0, 1), DPPAIR_OK);
  other = account;
  plan.epsilon = 3.0;
  plan.delta = 1e-5;
  plan.steps = 5;
  plan.sampling = dppair_sampling_all(100, DPPAIR_REPLACE_ONE);
  records = dppair_sampling_without_replacement(100, 10, DPPAIR_REPLACE_ONE);
  uas.n = 100;
  uas.steps = 50;
  uas.loss = (dppair_uas_loss)1;
  uas.eta = 0.1;
  uas.lipschitz = 1.0;
  assert_int_equal(dppair_filter_init(&filter, 1.0, 1e-5, 0.0), DPPAIR_OK);
  paper.n = 1000;
  paper.steps = 100;
  paper.lipschitz = paper.epsilon = 1.0;
  paper.delta = 1e-5;
  paper.alpha = paper.eta = paper.lambda = paper.kappa = 0.1;
  assert_int_equal(dppair_ledger_write(line, sizeof line, &length, &entry), DPPAIR_OK);
}

#define DOUBLE(p) OUT(p, sizeof(double))
#define SIZE(p) OUT(p, sizeof(size_t))
#define DELTA REAL_AS(-1, 1e-5, -1e-300, 1.0, 2.0)
#define PAIR                                                                                       \
  &(dppair_pair_unit) {                                                                            \
    .levels = CHOICE(dppair_levels, DPPAIR_LEVELS_GENERAL, 0, -1, 5),                              \
    .unit = NUMBER(1.0, (double)NAN, -1.0), .clip = NUMBER(0.5, (double)NAN, -1.0, 1e-300, 1e300), \
    .block = NUMBER(0.0, (double)NAN, -1.0, 1e300, 1.0), .classes = CHOICE(int, 0, 1, -1, 2),      \
    .matched = NUMBER(0.0, (double)NAN, -1.0, 1e300, 20.0)                                         \
  }
#define PERSONS CHOICE(dppair_adjacency, DPPAIR_REPLACE_USER, 0, -1, 3, 99)
#define RELATION CHOICE(dppair_adjacency, DPPAIR_REPLACE_ONE, 0, -1, 3, 99)

static void curve(void) {
  TRY(dppair_gaussian_delta, DOUBLE(&y), NOT_NEGATIVE(1.0), NOT_NEGATIVE(0.5));
  TRY(dppair_gaussian_log_delta, DOUBLE(&y), NOT_NEGATIVE(1.0), POSITIVE(0.5));
  TRY(dppair_gaussian_epsilon, DOUBLE(&y), REAL(1e-5, 0.0, 1.0, -1.0), REAL(0.5, -1.0, 1e71));
  TRY(dppair_gaussian_mu, DOUBLE(&y), REAL(1.0, -1.0, 1e101), REAL(1e-5, 0.0, 1.0, -1.0));
  TRY(dppair_gaussian_sigma, DOUBLE(&y), NOT_NEGATIVE(1.0), REAL(1.0, -1.0, 1e101),
      REAL(1e-5, 0.0, 1.0, -1.0), COUNT(5, 0));
  TRY(dppair_gaussian_mu_last_iterate, DOUBLE(&y), REAL(1.0, -1.0),
      REAL_AS(DPPAIR_ERR_SIGMA, 2.0, 0.0, -1.0),
      NUMBER(1.0, 0.0, -1.0, (double)NAN, (double)INFINITY), REAL(0.1, -1.0, 2.0),
      REAL(0.5, 0.0, -1.0, 3.0), COUNT(9, 0), NUMBER(2.0, -1.0, (double)NAN));
  TRY(dppair_objective_delta_, DOUBLE(&y), NOT_NEGATIVE(3.0), NOT_NEGATIVE(0.1), POSITIVE(5.0),
      POSITIVE(0.5));
  TRY(dppair_objective_noise, DOUBLE(&y), POSITIVE(3.0), REAL(1e-5, -1.0, 1.0, 2.0),
      NOT_NEGATIVE(0.1), POSITIVE(0.5));
  TRY(dppair_group_privacy, DOUBLE(&y), DOUBLE(&z), NOT_NEGATIVE(0.1), REAL(1e-9, -1.0, 1.5),
      COUNT(3, 0));
  TRY(dppair_skellam_sigma, DOUBLE(&y), REAL(100.0, -1.0, 0.0, 1e-7, 2e18));
  TRY(dppair_skellam_variance, DOUBLE(&y), REAL(100.0, -1.0, 0.0, 1e18));
  TRY(dppair_selection_mean, DOUBLE(&y), REAL(1.0, -1.0, 1.5), REAL(0.1, 0.0, 1e-7, 1.5));
  TRY(dppair_selection_gamma, DOUBLE(&y), REAL(1.0, -1.0, 1.5), REAL(10.0, 0.5, -1.0, 1e30));
  TRY(dppair_attack_bayes, DOUBLE(&y), DOUBLE(&z), REAL(0.1, -0.1, 1.1), REAL(0.4, -0.1, 1.1),
      REAL(0.5, 0.0, 1.0));
}

static dppair_status epsilon_of(double *epsilon, double value, void *context) {
  *epsilon = context != NULL ? value : 10.0 / value;
  return DPPAIR_OK;
}
static dppair_status keep(const char *text, size_t size, void *context) {
  (void)text;
  (void)size;
  return context == NULL ? DPPAIR_OK : DPPAIR_ERR_LEDGER;
}

#define STEP(...)                                                                                  \
  &(dppair_step) {                                                                                 \
    .kind = CHOICE(dppair_mechanism_kind, DPPAIR_GAUSSIAN, 0, -1, 99), .sampling = step.sampling,  \
    .noise_multiplier = POSITIVE(2.0), .pair_rate = NUMBER(0.0, 0.5, -1.0, (double)NAN),           \
    .steps = COUNT(3, 0), .ridge = NUMBER(0.0, 1.0, (double)NAN)                                   \
  }
static dppair_sampling with(dppair_sampling s) { return s; }

/* Plain noise beside drawn records: no closed form answers. Made once, as other arithmetics may be
 * set later. */
static dppair_accountant *drawn_account(void) {
  static dppair_accountant made;
  static int before;
  if (!before) {
    dppair_step s = drawn(dppair_sampling_poisson(100, 10, DPPAIR_ZERO_OUT));
    s.steps = 1000;
    assert_int_equal(dppair_accountant_init(&made), DPPAIR_OK);
    assert_int_equal(dppair_accountant_gaussian(&made, 1.0, 5.0, 1), DPPAIR_OK);
    assert_int_equal(dppair_accountant_step(&made, &s), DPPAIR_OK);
    before = 1;
  }
  account = made;
  return &account;
}

static void accounts(void) {
  TRY(dppair_accountant_init, OUT(&blank, 0));
  TRY(dppair_accountant_neighbours,
      (assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK),
       (dppair_accountant *)OPENED(&account)),
      RELATION);
  TRY(dppair_accountant_step, OPENED(&account), STEP());
  TRY(dppair_accountant_step, &account, OPENED(&step));
  TRY(dppair_accountant_gaussian, OPENED(&account), POSITIVE(1.0), POSITIVE(2.0), COUNT(3, 0));
  TRY(dppair_accountant_laplace, OPENED(&account), POSITIVE(1.0), POSITIVE(2.0), COUNT(3, 0));
  TRY(dppair_accountant_pure, OPENED(&account), POSITIVE(1.0), COUNT(3, 0));
  TRY(dppair_accountant_skellam, OPENED(&account), POSITIVE(1.0), REAL(100.0, -1.0, 0.0),
      COUNT(3, 0));
  TRY(dppair_accountant_failure, OPENED(&account), REAL(1e-6, -1e-9, 1.5));
  TRY(dppair_accountant_merge, OPENED(&account), OPENED(&other));
#define DRAW                                                                                       \
  with((dppair_sampling){.kind = CHOICE(dppair_sampling_kind, DPPAIR_WITHOUT_REPLACEMENT, -1, 99), \
                         .adjacency = CHOICE(dppair_adjacency, DPPAIR_REPLACE_ONE, 0, 3, 99),      \
                         .q = NUMBER(0.0, (double)NAN, -1.0, 2.0, 0.7),                            \
                         .n = COUNT(100, 0),                                                       \
                         .m = COUNT(10, 0, 101),                                                   \
                         .batches = COUNT(0, 1),                                                   \
                         .group = COUNT(0, 2),                                                     \
                         .owned = COUNT(0, 2)})
  TRY(dppair_accountant_sampled_gaussian, OPENED(&account), DRAW, POSITIVE(1.0), POSITIVE(2.0),
      COUNT(3, 0));
  TRY(dppair_accountant_sampled_pairs, OPENED(&account),
      with((dppair_sampling){
          .kind = CHOICE(dppair_sampling_kind, DPPAIR_POISSON, -1, 99, DPPAIR_ALLOCATION),
          .adjacency = RELATION,
          .q = NUMBER(0.01, (double)NAN, 0.0, -1.0, 2.0),
          .n = COUNT(100, 0),
          .m = COUNT(0, 5),
          .batches = COUNT(0, 1),
          .group = COUNT(0, 2),
          .owned = COUNT(0, 2)}),
      POSITIVE(1.0), POSITIVE(2.0), COUNT(3, 0));
#define INTERVAL OUT(&interval, sizeof interval)
  TRY(dppair_accountant_epsilon, INTERVAL, OPENED(&account), REAL(1e-5, -1.0, 0.0, 1.0, 1.5), NULL);
  TRY(dppair_accountant_delta, INTERVAL, OPENED(&account), NOT_NEGATIVE(1.0), NULL);
#define ROUTE CHOICE(dppair_route, DPPAIR_ROUTE_RENYI, DPPAIR_ROUTE_BEST, -1, 99)
  TRY(dppair_accountant_by_route, INTERVAL, OPENED(&account), ROUTE,
      CHOICE(dppair_given, DPPAIR_GIVEN_DELTA, 0, -1, 99), REAL(1e-5, -1.0, 0.0, 1.0, 1.5), NULL);
  TRY(dppair_accountant_by_route, INTERVAL, &account, ROUTE,
      CHOICE(dppair_given, DPPAIR_GIVEN_EPSILON, 0, -1, 99), NOT_NEGATIVE(1.0), NULL);
  TRY(dppair_accountant_left, DOUBLE(&y), DOUBLE(&z), OPENED(&account), POSITIVE(3.0),
      REAL(1e-5, -1.0, 1.0), dppair_sampling_all(COUNT(100, 0), RELATION));
  TRY(dppair_composer_workspace, SIZE(&count), &account);
  TRY(dppair_composer_workspace, SIZE(&count), NULL);
  TRY(dppair_accountant_selection, OPENED(&account), OPENED(&other), REAL(1.0, -1.0, 1.5),
      REAL(0.3, 0.0, 1.5), REAL(1e-6, 0.0, 1.0, -1.0), NULL);
  TRY(dppair_selection_epsilon, INTERVAL, OPENED(&account), REAL(1.0, -1.0, 1.5),
      REAL(0.3, 0.0, 1.5), REAL(1e-6, 0.0, 1.0, -1.0), NULL);
  TRY(dppair_parallel_epsilon, INTERVAL, OPENED(&account), COUNT(1, 0), REAL(1e-5, -1.0, 1.0, 1.5),
      NULL);
  TRY(dppair_attack_accuracy, INTERVAL, OPENED(&account), REAL(0.5, 0.0, 1.0, -1.0), NULL);
  TRY(dppair_attack_curve, INTERVAL, DATA(some, 0), 1, OPENED(&account), NULL);
  TRY(dppair_attack_curve, INTERVAL, (some[0] = NUMBER(0.25, -0.1, 1.1), some), 1, &account, NULL);
  TRY(dppair_attack_fit, INTERVAL, OPENED(&account), REAL(1e-6, -1e-9, 1.0), NULL);
  assert_int_equal(dppair_composer_workspace(&need, NULL), DPPAIR_OK);
  work = malloc(need + 1);
  assert_non_null(work);
  TRY(dppair_composer_init, OUT(&composer, sizeof composer), IN(work), 0);
  /* an account that no closed form answers: memory of each wrong kind, and questions */
#define COMPOSER                                                                                   \
  (composer_of(&composer, (char *)work + 1, COUNT(need, 0, 7, 8000)), /* at the worst place */     \
   memset(&composer.answer, 0, COUNT(0, sizeof composer.answer)), &composer)
  assert_int_equal(dppair_composer_workspace(&need, drawn_account()), DPPAIR_OK);
  assert_int_equal(dppair_accountant_epsilon(&interval, &account, 1e-5, NULL),
                   DPPAIR_ERR_WORKSPACE);
  assert_true(interval.bytes > 0 && interval.bytes <= need);
  need = interval.bytes;
#define QUESTION(name, ...)                                                                        \
  TRY(name, OUT(&interval, offsetof(dppair_interval, bytes)), drawn_account(), __VA_ARGS__,        \
      COMPOSER)
  QUESTION(dppair_accountant_epsilon, REAL(1e-5, -1.0, 0.0, 1.0, 1.5));
  QUESTION(dppair_accountant_delta, NOT_NEGATIVE(1.0));
#define COMPOSED                                                                                   \
  CHOICE(dppair_route, DPPAIR_ROUTE_CONTOUR, DPPAIR_ROUTE_BEST, DPPAIR_ROUTE_BOTH, 99)
  QUESTION(dppair_accountant_by_route, COMPOSED, CHOICE(dppair_given, DPPAIR_GIVEN_DELTA, 0, 3),
           REAL(1e-5, -1.0, 0.0, 1.0, 1.5));
  QUESTION(dppair_accountant_by_route, COMPOSED, CHOICE(dppair_given, DPPAIR_GIVEN_EPSILON, 0, 3),
           NOT_NEGATIVE(1.0));
  QUESTION(dppair_parallel_epsilon, COUNT(1, 0), REAL(1e-5, -1.0, 0.0, 1.0, 1.5));
  SAYS(dppair_composer_init, dppair_composer_init(&composer, work, 8000) == DPPAIR_OK &&
                                 dppair_accountant_epsilon(&interval, drawn_account(), 1e-5,
                                                           &composer) == DPPAIR_ERR_WORKSPACE &&
                                 interval.bytes == need && interval.upper == 0.0);
  SAYS(dppair_accountant_epsilon,
       dppair_accountant_epsilon(&interval, drawn_account(), 1e-5, NULL) == DPPAIR_ERR_WORKSPACE &&
           interval.bytes == need && interval.upper == 0.0);
  SAYS(dppair_accountant_delta,
       dppair_accountant_delta(&interval, drawn_account(), 1.0, NULL) == DPPAIR_ERR_WORKSPACE &&
           interval.bytes == need && interval.upper == 0.0);
  TRY(dppair_renyi, DOUBLE(&y), DOUBLE(&z), OPENED(&step), REAL(3.0, 1.0, 0.0, -1.0), 0);
  TRY(dppair_renyi, DOUBLE(&y), DOUBLE(&z), STEP(), 3.0, 0);
  TRY(dppair_renyi_allocation, DOUBLE(&y),
      (step.kind = DPPAIR_SAMPLED_GAUSSIAN,
       step.sampling = dppair_sampling_allocation(100, 4, 1, DPPAIR_ZERO_OUT), step.steps = 4,
       (dppair_step *)OPENED(&step)),
      REAL(3.0, 1.0, 0.0, -1.0), work, COUNT(need, 0));
  free(work);
}

static void plans_and_ledgers(void) {
  TRY(dppair_calibrate, CHANGED(&plan, 0), OPENED(&account), NULL);
#define PLANNED(field, mark) TRY(dppair_calibrate, (plan.field = (mark), &plan), &account, NULL)
  PLANNED(epsilon, POSITIVE(3.0));
  PLANNED(delta, REAL(1e-5, -1.0, 0.0, 1.0));
  PLANNED(steps, COUNT(5, 0));
  PLANNED(noise, CHOICE(dppair_mechanism_kind, 0, -1, 99));
  PLANNED(ridge, NUMBER(0.0, 1.0, -1.0, (double)NAN));
  PLANNED(output_mu, NUMBER(0.0, 1.0, -1.0, (double)NAN));
  PLANNED(failure, NUMBER(0.0, -1.0, 1.0, (double)NAN));
  PLANNED(sampling.n, COUNT(100, 0));
  PLANNED(sampling.kind, CHOICE(dppair_sampling_kind, DPPAIR_ALL, -1, 99));
  PLANNED(sampling.adjacency, RELATION);
  TRY(dppair_calibrate_scale, DOUBLE(&y), DOUBLE(&z), POSITIVE(2.0), POSITIVE(1.0), POSITIVE(1e-9),
      epsilon_of, NULL);
  TRY(dppair_calibrate_count, SIZE(&count), DOUBLE(&z), REAL(20.0, -1.0), 100, epsilon_of, &y);
  TRY(dppair_ledger_write, OUT(written, 1), COUNT(sizeof written, 30), SIZE(&count),
      OPENED(&entry));
#define ENTERED(field, mark)                                                                       \
  TRY(dppair_ledger_write, OUT(written, 1), sizeof written, SIZE(&count),                          \
      (entry.field = (mark), &entry))
  ENTERED(sensitivity, NUMBER(0.5, -1.0, (double)NAN, 1e-290, 1e290));
  ENTERED(sigma, NUMBER(1.0, -1.0, (double)NAN, 1e-290, 1e290));
  ENTERED(failure, NUMBER(0.0, -1.0, 1.5, (double)NAN));
  ENTERED(sequence, COUNT(1, 0, (size_t)1 << 54));
  ENTERED(step.steps, COUNT(3, 0));
  ENTERED(step.noise_multiplier, POSITIVE(2.0));
  TRY(dppair_ledger_read, OUT(&entry, sizeof entry), IN(line), COUNT(length, 0, length - 3));
  TRY(dppair_ledger_step, OPENED(&account), OPENED(&entry), keep, NULL);
  TRY(dppair_ledger_step, &account, &entry, keep, CHOICE(int, 0, 1) != 0 ? &y : NULL);
  SAYS(dppair_ledger_to, /* of no sink: it refuses */
       (reset(), dppair_ledger_to(NULL, NULL).step(&account, &entry, NULL, NULL)) ==
           DPPAIR_ERR_NULL);
  TRY(dppair_ledger_replay, OPENED(&account), OUT(&bad_line, 0), IN("x\n"), COUNT(0, 1, 2));
  TRY(dppair_filter_init, OUT(&filter, sizeof filter), NOT_NEGATIVE(1.0),
      REAL(1e-5, 0.0, -1.0, 1.0), REAL(0.0, 1.0, 0.5, -1.0));
  TRY(dppair_filter_step, OPENED(&filter), REAL(1e-9, -1.0, 1e30));
  TRY(dppair_individual_budget, DOUBLE(&y), NOT_NEGATIVE(1.0), REAL(1e-5, 0.0, -1.0, 1.0), RELATION,
      0);
  TRY(dppair_individual_step, IN(some), OUT(active, 4), IN(some + 4), 4,
      REAL_AS(DPPAIR_ERR_SIGMA, 1.0, 0.0, -1.0), REAL_AS(DPPAIR_ERR_DOMAIN, 2.0, -1.0));
  TRY(dppair_individual_step, some, OUT(active, 1), some + 4, COUNT(4, 1), 1.0, 2.0);
  TRY(dppair_individual_sum_step, IN(some), OUT(active, 4), IN(some + 4), 4,
      REAL_AS(DPPAIR_ERR_SIGMA, 1.0, 0.0, -1.0), REAL_AS(DPPAIR_ERR_DOMAIN, 2.0, -1.0));
  TRY(dppair_individual_sum_step, some, OUT(active, 1), some + 4, COUNT(4, 1), 1.0, 2.0);
  TRY(dppair_paper_check, OUT(&verdict, sizeof verdict), OPENED(&paper));
#define PRINTED(field, mark)                                                                       \
  TRY(dppair_paper_check, OUT(&verdict, sizeof verdict), (paper.field = (mark), &paper))
  PRINTED(result, CHOICE(dppair_paper_result, 0, -1, 99));
  PRINTED(n, COUNT(1000, 0, 1));
  PRINTED(steps, COUNT(100, 0));
  PRINTED(lipschitz, POSITIVE(1.0));
  PRINTED(epsilon, POSITIVE(1.0));
  PRINTED(delta, REAL(1e-5, 0.0, -1.0, 1.0));
}

static void sensitivities(void) {
  const size_t one[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  size_t slots[8] = {0, 1, 0, 2, 1, 2, 0, 2};
  const dppair_pair_unit pair = {.levels = DPPAIR_LEVELS_GENERAL, .unit = 1.0, .clip = 0.5};
  dppair_pair_unit all_of;
  size_t sizes[2] = {5, 6};
#define S DOUBLE(&y)
  TRY(dppair_sensitivity, S, PAIR, OPENED(&records));
  TRY(dppair_sensitivity, S, &pair,
      (records = (dppair_sampling){.kind = CHOICE(dppair_sampling_kind, DPPAIR_WITHOUT_REPLACEMENT,
                                                  -1, 99, DPPAIR_ALL, DPPAIR_MATCHING),
                                   .adjacency = CHOICE(dppair_adjacency, DPPAIR_REPLACE_ONE,
                                                       DPPAIR_ZERO_OUT, DPPAIR_REPLACE_QUERY,
                                                       DPPAIR_ZERO_QUERY, 0, -1, 3, 99),
                                   .q = NUMBER(0.0, (double)NAN, -1.0, 0.7),
                                   .n = COUNT(100, 0, 1),
                                   .m = COUNT(11, 0, 1, 101),
                                   .batches = COUNT(0, 1),
                                   .group = COUNT(0, 3),
                                   .owned = COUNT(0, 2)},
       &records));
  TRY(dppair_sensitivity, S, &all_of, /* a batch of a random size that is put into pairs */
      (all_of = pair, all_of.matched = NUMBER(20.0, (double)NAN, (double)INFINITY, -1.0, 1e91),
       records = dppair_sampling_poisson(100, 10, RELATION),
       records.kind = CHOICE(dppair_sampling_kind, DPPAIR_POISSON, DPPAIR_ALL, DPPAIR_MATCHING,
                             DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_WITH_REPLACEMENT, 0, 99),
       &records));
  TRY(dppair_sensitivity, S, /* users are drawn: blocks and classes are read */
      &(dppair_pair_unit){.levels = CHOICE(dppair_levels, DPPAIR_LEVELS_TWO, 0, -1, 2, 3, 4, 5),
                          .unit = NUMBER(1.0, (double)NAN, -1.0, 1e91),
                          .clip = NUMBER(0.5, (double)NAN, -1.0, 1e-300, 1e300),
                          .block = NUMBER(0.25, (double)NAN, (double)INFINITY, -1.0, 1e300, 1e-91),
                          .matched = NUMBER(0.0, (double)NAN, -1.0, 20.0),
                          .classes = CHOICE(int, 1, -1, 2)},
      (records = dppair_sampling_without_replacement(COUNT(100, 0, 1), COUNT(10, 0, 1, 101),
                                                     CHOICE(dppair_adjacency, DPPAIR_REPLACE_USER,
                                                            DPPAIR_REPLACE_ONE, DPPAIR_ZERO_USER,
                                                            DPPAIR_REPLACE_QUERY, 0, -1, 99)),
       records.owned = COUNT(0, 2), &records));
  TRY(dppair_sensitivity, S, PAIR, /* users who own records of all, or of a batch */
      (records = dppair_sampling_all(COUNT(100, 0, 1), PERSONS), records.owned = COUNT(3, 101),
       (dppair_sampling *)OPENED(&records)));
  TRY(dppair_sensitivity, S, PAIR,
      (records =
           dppair_sampling_without_replacement(COUNT(100, 0, 1), COUNT(10, 0, 1, 101), PERSONS),
       records.owned = COUNT(3, 91, 100, 101), (dppair_sampling *)OPENED(&records)));
  TRY(dppair_sensitivity_metric, S, NOT_NEGATIVE(1.0), NOT_NEGATIVE(1.0), NOT_NEGATIVE(1.0),
      COUNT(100, 0, 1), RELATION);
  TRY(dppair_sensitivity_record_clip, S, NOT_NEGATIVE(1.0), NOT_NEGATIVE(1.0), COUNT(100, 0, 1),
      RELATION);
  TRY(dppair_sensitivity_softmax, S, NOT_NEGATIVE(1.0), POSITIVE(0.1), COUNT(100, 1), RELATION);
#define DESCENT(...) (descent = (dppair_descent){__VA_ARGS__}, (dppair_descent *)OPENED(&descent))
  TRY(dppair_sensitivity_descent, S, NOT_NEGATIVE(1.0),
      DESCENT(.output = CHOICE(dppair_descent_output, DPPAIR_LAST_ITERATE, 0, 2, 3, 4, -1, 99),
              .alpha = REAL(0.1, -1.0, 2.0),
              .smoothness = NUMBER(1.0, 0.0, -1.0, (double)NAN, (double)INFINITY),
              .eta = REAL(0.5, -1.0, 3.0), .tolerance = NUMBER(0.0, (double)NAN, -1.0, 1e-3),
              .steps = 9));
  TRY(dppair_sensitivity_descent, S, NOT_NEGATIVE(1.0),
      DESCENT(.output = CHOICE(dppair_descent_output, DPPAIR_MEAN_ITERATE, 0, 3, 4, -1, 99),
              .alpha = NUMBER(0.0, (double)NAN, -1.0, 0.1),
              .smoothness = NUMBER(1.0, 0.0, -1.0, (double)NAN, (double)INFINITY),
              .eta = REAL(0.5, -1.0, 3.0), .tolerance = NUMBER(0.0, (double)NAN, -1.0, 1e-3),
              .steps = 9));
  TRY(dppair_sensitivity_descent, S, NOT_NEGATIVE(1.0),
      DESCENT(.output = CHOICE(dppair_descent_output, DPPAIR_MINIMISER, 0, 1, 2, 4, -1, 99),
              .alpha = POSITIVE(0.1),
              .smoothness = NUMBER(0.0, 1.0, -1.0, (double)NAN, (double)INFINITY),
              .eta = NUMBER(0.0, 0.5, -1.0, (double)NAN), .tolerance = NOT_NEGATIVE(1e-3),
              .steps = COUNT(0, 9)));
  TRY(dppair_sensitivity_owners, S, NOT_NEGATIVE(1.0), NOT_NEGATIVE(2.0),
      CHOICE(dppair_owner_list, DPPAIR_LIST_PUBLIC, 0, -1, 2, 3, 99), PERSONS);
  TRY(dppair_owner_load, S, IN(some), COUNT(2, 0), IN((size_t[]){0, 1, COUNT(1, 2, SIZE_MAX)}),
      IN((size_t[]){COUNT(0, 1), COUNT(2, 4), 3}),
      (some[4] = NUMBER(0.5, -1.0, (double)NAN), some + 4), 2);
  TRY(dppair_sensitivity_queries, S, PAIR,
      &(dppair_queries){.count = COUNT(2, 0),
                        .size = sizes,
                        .weight = (some[0] = NUMBER(1.0, -1.0, (double)NAN), some),
                        .records = NULL,
                        .clip = NUMBER(0.0, -1.0, (double)NAN),
                        .moving = 0},
      RELATION);
  TRY(dppair_sensitivity_queries, S, PAIR,
      IN(&((dppair_queries){
          .count = 2, .size = sizes, .weight = NULL, .records = NULL, .clip = 0.0, .moving = 0})),
      DPPAIR_REPLACE_ONE);
  TRY(dppair_sensitivity_groups, S, NOT_NEGATIVE(1.0),
      (records = dppair_sampling_poisson(100, 10, DPPAIR_REPLACE_ONE),
       (dppair_sampling *)OPENED(&records)),
      0);
  TRY(dppair_sensitivity_prefix, S, PAIR,
      (alone = stream, alone.noise = DPPAIR_PREFIX_INDEPENDENT, (dppair_stream *)OPENED(&alone)),
      NULL, 0);
  TRY(dppair_sensitivity_prefix, S, PAIR, /* a reservoir */
      (alone = stream, alone.noise = DPPAIR_PREFIX_INDEPENDENT, alone.silent = COUNT(2, 1, 8),
       slots[1] = COUNT(1, 0, 2), alone.slot = slots, &alone),
      NULL, 0);
  TRY(dppair_sensitivity_prefix_workspace, SIZE(&count), OPENED(&stream));
  assert_int_equal(dppair_sensitivity_prefix_workspace(&need, &stream), DPPAIR_OK);
  work = malloc(need + 8);
  TRY(dppair_sensitivity_prefix, S, PAIR, OPENED(&stream), IN(work), BYTES(need));
  free(work);
  TRY(dppair_sensitivity_quantised, S,
      CHOICE(dppair_quantised, DPPAIR_QUANTISED_ROUNDED, 0, -1, 99), NOT_NEGATIVE(1.0),
      REAL(4.0, 0.0, -1.0), COUNT(7, 0), RELATION);
  TRY(dppair_uas_workspace, SIZE(&count), IN(&uas), 1.5);
  TRY(dppair_uas_sigma, S, OPENED(&uas), NOT_NEGATIVE(1.0),
      NUMBER(1e-5, (double)NAN, (double)INFINITY, 0.0, -1.0, 1.0));
#define UAS(field, mark) TRY(dppair_uas_sigma, S, (uas.field = (mark), &uas), 1.0, 1e-5)
  UAS(n, COUNT(100, 0, 1));
  UAS(steps, COUNT(50, 0));
  UAS(loss, CHOICE(dppair_uas_loss, 1, 0, -1, 99));
  UAS(eta, POSITIVE(0.1));
  UAS(lipschitz, POSITIVE(1.0));
  UAS(diameter, REAL(0.0, -1.0));
  UAS(pair_clip, REAL(0.0, -1.0));
  TRY(dppair_sensitivity_uas_quantile, S, &z, &count, OPENED(&uas), REAL(1e-6, 0.0, -1.0, 1.0));
  SAYS(dppair_sensitivity_uas_quantile,
       dppair_sensitivity_uas_quantile(&y, &z, &count, &uas, -1.0) != DPPAIR_OK && z == 1.0 &&
           count == 0);
  uas.steps = 8;
  assert_int_equal(dppair_uas_workspace(&need, &uas, 1.5), DPPAIR_OK);
  work = malloc(need + 8);
  TRY(dppair_sensitivity_uas_sequence, S, (uas.steps = 8, (dppair_uas *)OPENED(&uas)), IN(one),
      COUNT(8, 7, 9), REAL(1.5, 0.5, -1.0), IN(work), COUNT(need, 0, 16));
  free(work);
  /* a chance: 1 where it is not known */
  TRY(dppair_skellam_wrap, IN(&y), REAL(100.0, -1.0, 0.0, 2e18), (unsigned)COUNT(16, 0, 65),
      NOT_NEGATIVE(1000.0), COUNT(9, 0));
  SAYS(dppair_skellam_wrap, dppair_skellam_wrap(&y, 100.0, 65, 1.0, 1) != DPPAIR_OK && y == 1.0);
}

static void losses(void) {
  const dppair_loss_facts *facts = dppair_loss_facts_of(DPPAIR_LOSS_logistic);
  dppair_loss loss;
  const char *formula = line;
  TRY(dppair_loss_eval, PAINTED(some, 16), PAINTED(some + 2, 16), PAINTED(some + 4, 16),
      IN(some + 6), MANY(2), CHOICE(dppair_loss, DPPAIR_LOSS_logistic, -1, DPPAIR_LOSS_COUNT, 99),
      NULL);
  TRY(dppair_loss_eval, PAINTED(some, 16), PAINTED(some + 2, 16), PAINTED(some + 4, 16), some + 6,
      2, DPPAIR_LOSS_pinball, (z = NUMBER(0.5, 0.0, 1.0, -1.0, (double)NAN), &z));
  TRY(dppair_loss_find, IN(&loss), IN("logistic"));
  SAYS(dppair_loss_find,
       dppair_loss_find(&loss, "no such loss") == DPPAIR_ERR_DOMAIN && loss == DPPAIR_LOSS_COUNT);
  TRY(dppair_constants_find, OUT(&constants, sizeof constants),
      CHOICE(dppair_margin, DPPAIR_MARGIN_diff, -1, 99), OPENED(facts), NULL,
      &(dppair_bounds){.radius = NUMBER(1.0, 0.0, -1.0, (double)NAN),
                       .param_radius = NUMBER(2.0, -1.0, (double)NAN),
                       .label_bound = NUMBER(1.0, -1.0, (double)NAN),
                       .offset = NUMBER(0.0, (double)NAN),
                       .clip = NUMBER(0.0, -1.0, (double)NAN)});
  TRY(dppair_constants_regularise_, DOUBLE(&y), OUT(&constants, sizeof constants),
      (memset(&data, 0, sizeof data),
       data.slope = data.lipschitz = data.smoothness = data.bound = 1.0, data.convex = 1,
       (dppair_constants *)IN(&data)),
      CHOICE(dppair_regulariser, DPPAIR_REGULARISER_HALF, 0, -1, 9),
      REAL_AS(DPPAIR_ERR_DOMAIN, 0.1, 0.0, -1.0, 1e101), NUMBER(2.0, -1.0, (double)NAN));
  SAYS(dppair_loss_facts_of, dppair_loss_facts_of((dppair_loss)-1) == NULL &&
                                 dppair_loss_facts_of(DPPAIR_LOSS_COUNT) == NULL);
  SAYS(dppair_loss_describe, dppair_loss_describe((dppair_loss)-1) == NULL &&
                                 dppair_loss_describe(DPPAIR_LOSS_COUNT) == NULL);
  SAYS(dppair_margin_name_, dppair_margin_name_((dppair_margin)-1, &formula) == NULL &&
                               dppair_margin_name_((dppair_margin)99, NULL) == NULL);
  SAYS(dppair_mechanism_name,
       strcmp(dppair_mechanism_name((dppair_mechanism_kind)-1), "none") == 0 &&
           strcmp(dppair_mechanism_name((dppair_mechanism_kind)99), "none") == 0);
}

/* Texts: what is wrong is told by `bad`, once, and nothing is read or written beyond the end. */
static void texts(void) {
  dppair_json j;
  double v[3] = {1.5, -0.0, 3.0}, got[3] = {7.0, 7.0, 7.0};
  size_t n = 3;
  char text[16];
  j = dppair_json_writer_(text, sizeof text);
  dppair_json_numbers_(&j, v, &n, 3);
  SAYS(dppair_json_writer_, dppair_json_done_(&j));
  SAYS(dppair_json_numbers_, memcmp(text, "[1.5", 4) == 0);
  j = dppair_json_writer_(text, sizeof text);
  v[1] = (double)NAN;
  dppair_json_number_(&j, v + 1);
  SAYS(dppair_json_number_, !dppair_json_done_(&j));
  SAYS(dppair_json_holds_, !dppair_json_holds_((double)NAN) && !dppair_json_holds_((double)INFINITY) &&
                              dppair_json_holds_(1.5));
  j = dppair_json_reader_("[1, 2, 3, 4]", 12);
  n = 0;
  dppair_json_numbers_(&j, got, &n, 3);
  SAYS(dppair_json_reader_, !dppair_json_done_(&j) && n <= 3);
  j = dppair_json_reader_("99", 2);
  n = 0;
  dppair_json_size_(&j, &n, 9);
  SAYS(dppair_json_size_, !dppair_json_done_(&j) && n == 0);
  j = dppair_json_reader_("abc", 3);
  SAYS(dppair_json_next_, !dppair_json_next_(&j, 'b') && dppair_json_next_(&j, 'a'));
  dppair_json_literal_(&j, "abd");
  SAYS(dppair_json_literal_, !dppair_json_done_(&j));
  j = dppair_json_reader_("\"a", 2);
  dppair_json_string_(&j, "a");
  SAYS(dppair_json_string_, !dppair_json_done_(&j));
  SAYS(dppair_json_done_, !dppair_json_done_(&j));
}

/* --- what the tables above do not reach: pairs of arguments, and functions of chapters --- */

#define REFUSED(call, status)                                                                      \
  do {                                                                                             \
    const dppair_status got_ = (call);                                                             \
    if (got_ != DPPAIR_ERR_##status) {                                                             \
      print_error("line %d: %s\n", __LINE__, dppair_status_string(got_));                          \
      contract.wrongs++;                                                                           \
    }                                                                                              \
  } while (0)
#define TRUE(truth) contract_truth_(__func__, #truth, truth)

static void steps_that_differ_in_one_field_are_others(void) {
  const dppair_step one = drawn(dppair_sampling_poisson(100, 10, DPPAIR_ZERO_OUT));
  dppair_step changed;
  size_t kind, draw;
#define DIFFERS(field, value)                                                                      \
  (changed = one, changed.field = (value),                                                         \
   !dppair_same_step_(&one, &changed) && !dppair_same_step_(&changed, &one))
  TRUE(dppair_same_step_(&one, &one));
  TRUE(DIFFERS(kind, DPPAIR_SAMPLED_PAIRS));
  TRUE(DIFFERS(sampling.kind, DPPAIR_MATCHING));
  TRUE(DIFFERS(sampling.adjacency, DPPAIR_REPLACE_ONE));
  TRUE(DIFFERS(sampling.q, 0.2));
  TRUE(DIFFERS(sampling.n, 99));
  TRUE(DIFFERS(sampling.m, 9));
  TRUE(DIFFERS(sampling.batches, 2));
  TRUE(DIFFERS(sampling.owned, 2));
  TRUE(DIFFERS(sampling.group, 2));
  TRUE(DIFFERS(noise_multiplier, 3.0));
  TRUE(DIFFERS(pair_rate, 0.1));
  TRUE(DIFFERS(ridge, 0.1));
  /* a field is read where the mechanism or its sampling does, and nowhere else */
  for (kind = 0; kind < 20; kind++)
    for (draw = 0; draw < 9; draw++) {
      changed = one;
      changed.kind = (dppair_mechanism_kind)kind;
      changed.sampling.kind = (dppair_sampling_kind)draw;
      changed.sampling.adjacency = DPPAIR_REPLACE_USER;
      TRUE((dppair_step_fields_(&changed) & ~511) == 0);
      if (dppair_mechanism_row_of_(changed.kind) == NULL) TRUE(dppair_step_fields_(&changed) == 0);
    }
}

static void counts_that_overflow_break_the_account(void) {
  dppair_accountant a;
  dppair_step s = drawn(dppair_sampling_poisson(100, 10, DPPAIR_ZERO_OUT));
  reset();
  a = account;
  s.steps = SIZE_MAX - 1;
  TRUE(dppair_accountant_step(&a, &s) == DPPAIR_OK);
  REFUSED(dppair_accountant_step(&a, &s), OVERFLOW);
  TRUE(a.broken != DPPAIR_OK && answer_epsilon(&y, &a, 1e-5) != DPPAIR_OK && y == 0.0);
  s.sampling = dppair_sampling_allocation(100, 4, 1, DPPAIR_ZERO_OUT);
  s.steps = SIZE_MAX;
  a = account;
  REFUSED(dppair_accountant_step(&a, &s), OVERFLOW);
  s.sampling = dppair_sampling_allocation(100, 4, 3, DPPAIR_ZERO_OUT);
  s.steps = SIZE_MAX - SIZE_MAX % 4;
  TRUE(dppair_step_runs_(&s) > SIZE_MAX / 2);
  s.sampling.batches = 1;
  TRUE(dppair_step_runs_(&s) == SIZE_MAX);
  REFUSED(dppair_doubles_bytes_(&count, SIZE_MAX / sizeof(double)), OVERFLOW);
  REFUSED(compose_workspace(&count, SIZE_MAX / 2), OVERFLOW);
  uas.n = SIZE_MAX / 2;
  REFUSED(dppair_uas_workspace(&count, &uas, 1.5), OVERFLOW);
  uas.n = 100;
  uas.steps = SIZE_MAX / 2;
  REFUSED(dppair_uas_workspace(&count, &uas, 1.5), OVERFLOW);
}

static void lattices_and_tables_are_checked(void) {
  static const double half[2] = {0.5, 0.5};
  double bad[2] = {0.5, 0.5};
  const dppair_step one = plain_step();
  const dppair_loss_table_ good = {half, NULL, 2, 0, -1, 0, 0.0, 0.0, 1};
  dppair_loss_table_ table;
  dppair_pld_options_ o;
  size_t room;
  dppair_question_ q = {&one, 1, 0, 1e-5, NULL, 0, 0};
#define OPTION(field, value) (memset(&o, 0, sizeof o), o.field = (value), &o)
  REFUSED(dppair_pld_workspace_(&room, 1, OPTION(grid_step, (double)NAN)), NOT_FINITE);
  REFUSED(dppair_pld_workspace_(&room, 1, OPTION(grid_step, 1e-8)), DOMAIN);
  REFUSED(dppair_pld_workspace_(&room, 1, OPTION(grid_step, 0.2)), DOMAIN);
  REFUSED(dppair_pld_workspace_(&room, 1, OPTION(log2_size, 9)), SIZE);
  REFUSED(dppair_pld_workspace_(&room, 1, OPTION(log2_size, 27)), SIZE);
  REFUSED(dppair_pld_workspace_(&room, 1, OPTION(table_count, SIZE_MAX)), OVERFLOW);
  REFUSED(dppair_pld_workspace_(&room, SIZE_MAX, OPTION(log2_size, 10)), OVERFLOW);
  REFUSED(dppair_pld_workspace_(&room, SIZE_MAX / 8192, OPTION(log2_size, 10)), OVERFLOW);
  TRUE(dppair_pld_workspace_(&room, 1, OPTION(grid_step, 1e-7)) == DPPAIR_OK);
  TRUE(dppair_pld_workspace_(&room, 1, NULL) == DPPAIR_OK);
  TRUE(dppair_pld_workspace_(&room, 1, OPTION(log2_size, 10)) == DPPAIR_OK);
  REFUSED(dppair_pld_bounds_(&interval, &q, &o), NULL);
  q.work = work = malloc((room + 2000) * sizeof(double));
  assert_non_null(work);
  q.doubles = room - 1;
  REFUSED(dppair_pld_bounds_(&interval, &q, &o), WORKSPACE);
  q.doubles = room + 2000;
  REFUSED(dppair_pld_bounds_(&interval, &q, OPTION(log2_size, 27)), SIZE);
  q.steps = NULL;
  REFUSED(dppair_pld_bounds_(&interval, &q, OPTION(log2_size, 10)), NULL);
  q.count = 0;
#define TABLE(change)                                                                              \
  (memset(&o, 0, sizeof o), table = good, o.log2_size = 10, o.grid_step = 0.01, o.tables = &table, \
   o.table_count = 1, (void)(change), dppair_pld_bounds_(&interval, &q, &o))
  TRUE(TABLE(0) == DPPAIR_OK);
  REFUSED(TABLE(o.tables = NULL), NULL);
  REFUSED(TABLE(o.grid_step = 0.0), DOMAIN);
  REFUSED(TABLE(table.forward = NULL), NULL);
  REFUSED(TABLE(table.forward_size = 0), SIZE);
  REFUSED(TABLE(table.forward_size = (size_t)1 << 27), SIZE);
  REFUSED(TABLE(table.forward_first = INT64_C(2000000000)), DOMAIN);
  REFUSED(TABLE(table.forward_first = -INT64_C(2000000000)), DOMAIN);
  REFUSED(TABLE(table.forward_infinity = (double)NAN), NOT_FINITE);
  REFUSED(TABLE(table.forward_infinity = -0.1), DOMAIN);
  REFUSED(TABLE(table.forward_infinity = 0.1), DOMAIN);
  REFUSED(TABLE((bad[0] = (double)NAN, table.forward = bad)), NOT_FINITE);
  REFUSED(TABLE((bad[0] = -0.5, bad[1] = 1.5, table.forward = bad)), DOMAIN);
  REFUSED(TABLE((table.backward = bad, table.backward_size = 2)), DOMAIN);
  REFUSED(TABLE(table.steps = 0), STEPS);
  REFUSED(TABLE(table.steps = (size_t)1 << 30), OVERFLOW);
  free(work);
}

static void sensitivities_and_noise_refuse_what_has_no_bound(void) {
  const dppair_pair_unit pair = {.levels = DPPAIR_LEVELS_GENERAL, .unit = 1.0};
  dppair_pair_unit endless = pair;
  dppair_sampling draw;
  dppair_stream old = stream;
  dppair_queries queries;
  double weights[2] = {1.0, 1e300};
  size_t sizes[2] = {5, 6}, places[3] = {0, 2, 1}, whose[2] = {0, 0};
  reset();
  memset(&draw, 0, sizeof draw);
  draw.kind = DPPAIR_POISSON;
  draw.adjacency = DPPAIR_REPLACE_ONE;
  draw.q = 0.1; /* a rate alone */
  REFUSED(dppair_sensitivity(&y, &pair, &draw), SIZE);
  draw.kind = DPPAIR_MATCHING;
  REFUSED(dppair_sensitivity_groups(&y, 1.0, &draw, 0), SIZE);
  draw = dppair_sampling_matching(100, 12, DPPAIR_REPLACE_ONE);
  draw.group = 3;
  REFUSED(dppair_sensitivity(&y, &pair, &draw), NO_PROOF);
  draw = dppair_sampling_matching(100, 12, DPPAIR_ZERO_OUT);
  REFUSED(dppair_sensitivity(&y, &pair, &draw), ADJACENCY);
  draw = dppair_sampling_poisson(100, 12, DPPAIR_ZERO_OUT);
  endless.matched = 1e300;
  REFUSED(dppair_sensitivity(&y, &endless, &draw), DOMAIN);
  endless.matched = 10.0;
  TRUE(dppair_sensitivity(&y, &endless, &draw) == DPPAIR_OK && y >= 0.2 && y < 0.2000001);
  draw.adjacency = DPPAIR_ZERO_USER;
  REFUSED(dppair_sensitivity(&y, &endless, &draw), NO_PROOF);
  draw = dppair_sampling_without_replacement(100, 12, DPPAIR_REPLACE_ONE);
  REFUSED(dppair_sensitivity(&y, &endless, &draw), UNREAD);
  REFUSED(dppair_sensitivity_queries(&y, &endless, &queries, DPPAIR_REPLACE_QUERY), UNREAD);
  REFUSED(dppair_sensitivity_prefix(&y, &endless, &old, NULL, 0), UNREAD);
  draw = dppair_sampling_poisson(100, 12, DPPAIR_ZERO_OUT);
  endless.unit = HUGE_VAL;
  REFUSED(dppair_sensitivity(&y, &endless, &draw), NO_PROOF);
  endless.matched = 0.0;
  draw = dppair_sampling_all(100, DPPAIR_REPLACE_USER);
  REFUSED(dppair_sensitivity(&y, &endless, &draw), NO_PROOF);
  REFUSED(dppair_sensitivity(&y, NULL, &draw), NULL);
  endless.block = 1.0;
  TRUE(dppair_sensitivity(&y, &endless, &draw) == DPPAIR_OK);
  draw = dppair_sampling_without_replacement(100, 10, DPPAIR_REPLACE_USER);
  draw.owned = 2; /* records are drawn: a block is not read */
  REFUSED(dppair_sensitivity(&y, &endless, &draw), UNREAD);
  draw = dppair_sampling_without_replacement(100, 1, DPPAIR_REPLACE_USER);
  REFUSED(dppair_sensitivity(&y, &pair, &draw), SIZE);
  memset(&queries, 0, sizeof queries);
  queries.count = 2;
  queries.clip = 1e-3;
  TRUE(dppair_sensitivity_queries(&y, &pair, &queries, DPPAIR_REPLACE_QUERY) == DPPAIR_OK &&
       y < 2e-3);
  queries.clip = 0.0;
  queries.size = sizes;
  queries.weight = weights;
  REFUSED(dppair_sensitivity_queries(&y, &pair, &queries, DPPAIR_REPLACE_ONE), DOMAIN);
  REFUSED(dppair_owner_load(&y, some, 2, whose, places, NULL, 2), SIZE);
  places[1] = 1, places[2] = 2;
  weights[0] = weights[1] = DBL_MAX;
  REFUSED(dppair_owner_load(&y, some, 2, whose, places, weights, 2), OVERFLOW);
  REFUSED(dppair_owner_load(&y, NULL, 0, whose, places, weights, 0), NULL);
  REFUSED(dppair_owner_load(&y, some, 2, NULL, places, weights, 2), NULL);
  /* the last of 1.5 million records: a few of its weights stand for all */
  old.steps = 3000000, old.buffer = 1500000, old.silent = 0, old.noise = DPPAIR_PREFIX_INDEPENDENT;
  TRUE(dppair_sensitivity_prefix(&y, &pair, &old, NULL, 0) == DPPAIR_OK && y > 1.0 && y < 2.6);
  old.buffer = SIZE_MAX;
  TRUE(dppair_sensitivity_prefix(&z, &pair, &old, NULL, 0) == DPPAIR_OK && z > 1.0 && z <= y);
  REFUSED(dppair_filter_init(&filter, 1e101, 1e-5, 0.0), EPSILON);
  REFUSED(dppair_individual_step(some, NULL, some, 0, 1.0, 1.0), NULL);
  active[0] = active[1] = 1;
  some[0] = 0.0, some[1] = -1.0, some[2] = some[3] = 0.0;
  TRUE(dppair_individual_step(some + 2, active, some, 2, 1.0, 1.0) == DPPAIR_OK && active[0] == 1 &&
       active[1] == 0);
  REFUSED(dppair_sensitivity_uas_quantile(NULL, &z, &count, &uas, 1e-6), NULL);
  REFUSED(dppair_sensitivity_uas_quantile(&y, NULL, &count, &uas, 1e-6), NULL);
  REFUSED(dppair_sensitivity_uas_quantile(&y, &z, NULL, &uas, 1e-6), NULL);
  REFUSED(dppair_uas_delta_(&y, &uas, (double)INFINITY, 1.0), NOT_FINITE);
  REFUSED(dppair_uas_delta_(&y, &uas, 0.0, 1.0), SIGMA);
  uas.n = 1;
  REFUSED(dppair_uas_delta_(&y, &uas, 1.0, 1.0), SIZE);
}

static void plans_papers_and_texts_at_their_ends(void) {
  dppair_paper p;
  dppair_step s;
  dppair_json j;
  char text[16];
  reset();
  p = paper;
#define PAPER(name, change)                                                                        \
  (p = paper, p.result = name, (void)(change), dppair_paper_check(&verdict, &p))
  REFUSED(PAPER(DPPAIR_XUE2021_ALG1, p.alpha = 0.0), DOMAIN);
  REFUSED(PAPER(DPPAIR_XUE2021_ALG3, p.eta = 0.0), DOMAIN);
  REFUSED(PAPER(DPPAIR_NIEWANG2017_PROP1, p.lambda = 0.0), DOMAIN);
  REFUSED(PAPER(DPPAIR_NIEWANG2017_PROP1, p.kappa = 0.0), DOMAIN);
  REFUSED(PAPER((dppair_paper_result)-1, 0), DOMAIN);
  REFUSED(PAPER(DPPAIR_PAPER_COUNT_, 0), DOMAIN);
  REFUSED(PAPER(DPPAIR_KANG2023_THEOREM5, (p.lipschitz = 1e300, p.epsilon = 1e-300)), OVERFLOW);
  REFUSED(PAPER(DPPAIR_KANG2023_THEOREM5, (p.lipschitz = 1e-300, p.epsilon = 1e300)), OVERFLOW);
  plan.noise = DPPAIR_OBJECTIVE;
  plan.ridge = 1.0;
  plan.output_mu = 1e-101;
  REFUSED(dppair_plan_trace_(&s, &plan), DOMAIN);
  plan.output_mu = 1e101;
  REFUSED(dppair_plan_trace_(&s, &plan), DOMAIN);
  plan.output_mu = (double)NAN;
  REFUSED(dppair_plan_trace_(&s, &plan), NOT_FINITE);
  step = plain_step();
  REFUSED(compose(&interval, &step, 1, 1e-5, DPPAIR_ROUTE_BEST, NULL, 0), NULL);
  REFUSED(compose(&interval, NULL, 1, 1e-5, DPPAIR_ROUTE_RENYI, NULL, 0), NULL);
  /* numbers of more digits, or farther out, than are written */
  TRUE(dppair_parse_double_(&y, "1234567890123456789", 19) == 0);
  TRUE(dppair_parse_double_(&y, "1e291", 5) == 0 && dppair_parse_double_(&y, "1e-311", 6) == 0);
  TRUE(dppair_parse_double_(&y, "1e290", 5) == 5 && y == 1e290);
  memset(some, 0, sizeof some);
  {
    char zeros[420];
    memset(zeros, '0', sizeof zeros);
    zeros[1] = '.';
    TRUE(dppair_parse_double_(&y, zeros, sizeof zeros) == 0);
  }
  j = dppair_json_reader_("{\"a b\":\n1}", 11);
  dppair_json_literal_(&j, "{ \"a b\" :\n");
  TRUE(!j.bad && dppair_json_next_(&j, '1'));
  j = dppair_json_writer_(text, sizeof text);
  y = 1e-290;
  dppair_json_number_(&j, &y);
  TRUE(!dppair_json_done_(&j));
  entry.step = drawn(dppair_sampling_without_replacement(100, 10, DPPAIR_REPLACE_ONE));
#define LARGE(field) (entry.step.sampling.field = SIZE_MAX, dppair_ledger_check_(&entry))
  entry.step.steps = SIZE_MAX;
  REFUSED(dppair_ledger_check_(&entry), OVERFLOW);
  entry.step.steps = 1;
  REFUSED(LARGE(n), OVERFLOW);
  entry.step = drawn(dppair_sampling_with_replacement(100, 5, DPPAIR_REPLACE_ONE));
  REFUSED(LARGE(m), OVERFLOW);
  entry.step = drawn(dppair_sampling_allocation(100, 4, 1, DPPAIR_ZERO_OUT));
  REFUSED(LARGE(batches), OVERFLOW);
  REFUSED(LARGE(group), OVERFLOW);
  entry.step = drawn(dppair_sampling_without_replacement(SIZE_MAX / 2, 10, DPPAIR_REPLACE_USER));
  entry.step.sampling.owned = SIZE_MAX / 4;
  REFUSED(dppair_ledger_check_(&entry), OVERFLOW);
}

static dppair_status nonsense(double *epsilon, double value, void *context) {
  *epsilon = value > 1.0 ? (double)NAN : 5.0;
  (void)context;
  return DPPAIR_OK;
}
static dppair_status refusal(double *epsilon, double value, void *context) {
  *epsilon = 0.0;
  (void)value;
  return *(const dppair_status *)context;
}
static void calibration_of_a_bad_function_is_refused(void) {
  dppair_status said = DPPAIR_ERR_SIGMA;
  REFUSED(dppair_calibrate_scale(&y, &z, 1.0, 1.0, 1e-9, nonsense, NULL), NOT_FINITE);
  REFUSED(dppair_calibrate_scale(&y, &z, 1.0, 1.0, 1e-9, refusal, &said), SIGMA);
  REFUSED(dppair_calibrate_count(&count, &z, 1.0, 100, refusal, &said), SIGMA);
  said = DPPAIR_ERR_OVERFLOW; /* no finite bound: no noise is enough */
  REFUSED(dppair_calibrate_scale(&y, &z, 1.0, 1.0, 1e-9, refusal, &said), NO_CONVERGENCE);
  said = DPPAIR_ERR_NO_CONVERGENCE;
  TRUE(dppair_calibrate_count(&count, &z, 1.0, 100, refusal, &said) == DPPAIR_OK && count == 0);
  REFUSED(dppair_objective_noise(&y, 1e-300, 1e-9, 0.0, 1e-290), EXHAUSTED);
}

/* An account whose table is full keeps fixed orders; what has no finite curve has no epsilon. */
static void full_accounts_and_failures_at_their_ends(void) {
  dppair_accountant full, a;
  dppair_step s = drawn(dppair_sampling_poisson(100, 10, DPPAIR_ZERO_OUT));
  size_t i;
  TRUE(dppair_accountant_init(&full) == DPPAIR_OK);
  for (i = 0; i < DPPAIR_STEP_CAPACITY + 1; i++) {
    s.noise_multiplier = 8.0 + 0.125 * (double)i;
    s.steps = 1;
    TRUE(dppair_accountant_step(&full, &s) == DPPAIR_OK);
  }
  TRUE(full.folded && answer_epsilon(&y, &full, 1e-5) == DPPAIR_OK && y > 0.0);
  a = full;
  s = plain_step();
  s.kind = DPPAIR_SKELLAM;
  s.sampling.adjacency = DPPAIR_ZERO_OUT;
  s.noise_multiplier = 1e-149; /* high orders overflow, low ones where there are many */
  TRUE(dppair_accountant_step(&a, &s) == DPPAIR_OK);
  TRUE(dppair_accountant_step(&a, &s) == DPPAIR_OK);
  TRUE(answer_epsilon(&z, &a, 1e-5) != DPPAIR_OK || z >= 1e290);
  s.steps = (size_t)1 << 50;
  TRUE(dppair_accountant_step(&a, &s) == DPPAIR_OK);
  REFUSED(answer_epsilon(&z, &a, 1e-5), OVERFLOW);
  TRUE(answer_delta(&z, &a, 1.0) != DPPAIR_OK || z == 1.0);
  TRUE(dppair_accountant_merge(&full, &a) == DPPAIR_OK);
  TRUE(dppair_accountant_merge(&full, &a) == DPPAIR_OK);
  REFUSED(answer_epsilon(&z, &full, 1e-5), OVERFLOW);
  s = drawn(dppair_sampling_poisson(100, 10, DPPAIR_ZERO_OUT));
  s.steps = SIZE_MAX - 1;
  TRUE(dppair_accountant_init(&full) == DPPAIR_OK);
  TRUE(dppair_accountant_step(&full, &s) == DPPAIR_OK);
  a = full;
  REFUSED(dppair_accountant_merge(&full, &a), OVERFLOW);
  TRUE(dppair_accountant_init(&a) == DPPAIR_OK);
  TRUE(dppair_accountant_gaussian(&a, 1e-200, 1e200, 1) == DPPAIR_OK && a.gaussian > 0.0);
  REFUSED(dppair_accountant_laplace(&a, 1e200, 1e-200, 1), SIGMA);
  TRUE(dppair_squared_up_(0.0, 1) == 0.0);
  TRUE(dppair_accountant_init(&a) == DPPAIR_OK);
  TRUE(dppair_accountant_pure(&a, 0.5, 1) == DPPAIR_OK);
  TRUE(dppair_accountant_failure(&a, 0.7) == DPPAIR_OK);
  REFUSED(answer_epsilon(&y, &a, 0.7), DELTA);
  REFUSED(answer_epsilon(&y, &a, dppair_up_(a.failure)), DELTA);
  TRUE(dppair_accountant_failure(&a, 0.7) == DPPAIR_OK);
  TRUE(answer_delta(&y, &a, 1.0) == DPPAIR_OK && y == 1.0);
  TRUE(dppair_accountant_gaussian(&a, 1.0, 1.0, 1) == DPPAIR_OK);
  TRUE(answer_delta(&y, &a, 1.0) == DPPAIR_OK && y == 1.0);
  TRUE(dppair_accountant_by_route(&interval, &a, DPPAIR_ROUTE_RENYI, DPPAIR_GIVEN_EPSILON, 1.0,
                                  NULL) == DPPAIR_OK &&
       interval.upper == 1.0);
  REFUSED(dppair_accountant_delta(&interval, &a, 1.0, NULL), WORKSPACE);
}

/* What is empty, and what lies at the end of a range. */
static void nothing_and_ends_have_answers(void) {
  const double a[4] = {2.0, 1.0, 1.0, 2.0};
  double values[2], vectors[4], w[2] = {3.0, 4.0};
  dppair_accountant empty;
  dppair_interval b;
  dppair_step s;
  dppair_queries queries;
  const dppair_pair_unit pair = {.levels = DPPAIR_LEVELS_GENERAL, .unit = 1.0};
  REFUSED(dppair_eigen_f64(NULL, vectors, a, 2, some, sizeof some), NULL);
  REFUSED(dppair_eigen_f64(values, NULL, a, 2, some, sizeof some), NULL);
  REFUSED(dppair_eigen_f64(values, vectors, NULL, 2, some, sizeof some), NULL);
  TRUE(dppair_eigen_f64(NULL, NULL, NULL, 0, NULL, 0) == DPPAIR_OK);
  TRUE(dppair_cholesky_f64(NULL, 0) == DPPAIR_OK);
  REFUSED(dppair_cholesky_f64(NULL, 2), NULL);
  REFUSED(dppair_project_box_f64(NULL, 0, 1.0, -1.0), DOMAIN);
  REFUSED(dppair_project_box_f64(w, 2, (double)NAN, 1.0), DOMAIN);
  TRUE(w[0] == 0.0 && w[1] == 0.0);
  REFUSED(dppair_project_simplex_f64(NULL, 0, 1.0, NULL, 0), DOMAIN);
  REFUSED(dppair_project_simplex_f64(w, 2, 1.0, NULL, 0), NULL);
  TRUE(dppair_accountant_init(&empty) == DPPAIR_OK);
  TRUE(dppair_accountant_renyi_(&b, &empty, 0, 1e-5) == DPPAIR_OK && b.upper == 0.0);
  REFUSED(dppair_accountant_renyi_(&b, &empty, 0, 0.0), DELTA);
  memset(&s, 0, sizeof s);
  s.kind = DPPAIR_GAUSSIAN;
  TRUE(dppair_steps_single_(&s, 1) == NULL);
  s.sampling.kind = DPPAIR_ALLOCATION;
  s.steps = 3;
  TRUE(dppair_step_runs_(&s) == 3);
  s.sampling.batches = 4;
  TRUE(dppair_step_runs_(&s) == 3);
  REFUSED(dppair_uas_hits_(&y, NULL, 1), NULL);
  REFUSED(dppair_binomial_quantile_(NULL, &y, 10, 0.5, 0.1), NULL);
  REFUSED(dppair_binomial_quantile_(&count, NULL, 10, 0.5, 0.1), NULL);
  REFUSED(dppair_binomial_quantile_(&count, &y, 10, -0.5, 0.1), DOMAIN);
  REFUSED(dppair_binomial_quantile_(&count, &y, 10, 1.5, 0.1), DOMAIN);
  TRUE(dppair_skellam_variance(&y, 9.9999e8) == DPPAIR_OK && y <= 1e18);
  /* a step that forgets all of the one before */
  TRUE(dppair_gaussian_mu_last_iterate(&y, 1.0, 2.0, 1.0, 1.0, 1.0, 9, HUGE_VAL) == DPPAIR_OK &&
       y >= 0.5 && y < 0.5000001);
  TRUE(dppair_gaussian_mu_last_iterate(&z, 1.0, 2.0, 1.0, 1.0, 1.0, 9, 2.0) == DPPAIR_OK && z <= y);
  memset(&queries, 0, sizeof queries);
  queries.count = 2;
  queries.clip = 100.0;
  TRUE(dppair_sensitivity_queries(&y, &pair, &queries, DPPAIR_REPLACE_QUERY) == DPPAIR_OK &&
       y > 0.1 && y < 2.0);
  reset();
  plan.noise = DPPAIR_PURE_OBJECTIVE;
  plan.ridge = plan.output_mu = 1.0;
  plan.delta = 0.0;
  TRUE(dppair_calibrate(&plan, &account, NULL) != DPPAIR_OK && plan.noise_multiplier == 0.0);
  plan.noise = DPPAIR_OBJECTIVE;
  plan.delta = 1e-5;
  plan.steps = 2;
  TRUE(dppair_calibrate(&plan, &account, NULL) != DPPAIR_OK && plan.noise_multiplier == 0.0);
}

/* Steps are epochs of one allocation where they are alike; without memory nothing better is said.
 */
static void epochs_of_one_allocation_are_alike(void) {
  const dppair_step one = drawn(dppair_sampling_allocation(100, 4, 1, DPPAIR_ZERO_OUT));
  dppair_step two[2];
  dppair_question_ q = {two, 2, 0, 1e-5, NULL, 0, 0};
  dppair_law_ law;
#define EPOCHS(change)                                                                             \
  (two[0] = two[1] = one, two[0].steps = two[1].steps = 4, (void)(change),                         \
   dppair_steps_epochs_(&law, &count, two, 2))
  REFUSED(EPOCHS(two[0].sampling.kind = DPPAIR_POISSON), NO_PROOF);
  REFUSED(EPOCHS(two[1].sampling = dppair_sampling_poisson(100, 10, DPPAIR_ZERO_OUT)), NO_PROOF);
  REFUSED(EPOCHS(two[1].sampling.adjacency = DPPAIR_REPLACE_ONE), NO_PROOF);
  REFUSED(EPOCHS(two[1].sampling.batches = 5), NO_PROOF);
  REFUSED(EPOCHS(two[1].noise_multiplier = 3.0), NO_PROOF);
  REFUSED(EPOCHS(two[1].steps = 0), STEPS);
  REFUSED(EPOCHS(two[1].steps = 100000), NO_PROOF);
  TRUE(count == 0);
  REFUSED(dppair_steps_epochs_(&law, &count, two, 0), NO_PROOF);
  TRUE(EPOCHS(0) == DPPAIR_OK && count == 2);
  REFUSED(dppair_bracket_fewer_(&interval, &q, &law, 2), NO_CONVERGENCE);
  TRUE(!(interval.upper <= DBL_MAX) && interval.lower == 0.0);
  interval.upper = 5.0;
  dppair_bracket_replaced_(&interval, &q, &law, 2);
  TRUE(interval.upper == 5.0);
}

/* What the losses' tables leave: names, outputs that are not asked for, moves and fits. */
static void moves_and_fits_refuse_what_has_no_bound(void) {
  const dppair_loss_facts *facts = dppair_loss_facts_of(DPPAIR_LOSS_logistic);
  const dppair_bounds bounds = {.radius = 1.0, .param_radius = 2.0, .label_bound = 1.0};
  const double x[4] = {1.0, 0.0, 0.0, 1.0};
  dppair_bounds bad;
  dppair_moves_ m;
  dppair_grouped_ groups;
  dppair_sampling draw;
  dppair_margin_problem p;
  dppair_margin_tolerance reach, least;
  double w[2], linear[2] = {0.0, 0.0};
  const char *formula;
  int k;
  for (k = 0; k < (int)DPPAIR_MARGIN_COUNT; k++)
    TRUE(dppair_margin_name_((dppair_margin)k, NULL) ==
             dppair_margin_name_((dppair_margin)k, &formula) &&
         formula != NULL);
  REFUSED(dppair_loss_eval(NULL, NULL, NULL, x, 2, DPPAIR_LOSS_COUNT, NULL), DOMAIN);
  REFUSED(dppair_loss_eval(some, some, some, x, 0, DPPAIR_LOSS_COUNT, NULL), DOMAIN);
  TRUE(dppair_loss_eval(some, some, some, NULL, 0, DPPAIR_LOSS_logistic, NULL) == DPPAIR_OK);
  TRUE(dppair_loss_at_(DPPAIR_LOSS_COUNT, DPPAIR_SLOPE_, 1.0, NULL) == 0.0);
#define MOVES(facts, bounds, clip, cap, slack)                                                     \
  dppair_moves_find_(&m, DPPAIR_MARGIN_diff, facts, NULL, bounds, clip, cap, slack, 0.0)
  TRUE(MOVES(facts, &bounds, 0.0, HUGE_VAL, 0.0) == DPPAIR_OK);
  REFUSED(MOVES(NULL, &bounds, 0.0, HUGE_VAL, 0.0), NULL);
  REFUSED(MOVES(facts, NULL, 0.0, HUGE_VAL, 0.0), NULL);
  REFUSED(MOVES(facts, &bounds, 0.0, HUGE_VAL, 0.5), SIZE);
  REFUSED(MOVES(facts, &bounds, -1.0, HUGE_VAL, 0.0), DOMAIN);
  REFUSED(MOVES(facts, &bounds, 0.0, 0.0, 0.0), DOMAIN);
  bad = bounds, bad.clip = 1.0;
  REFUSED(MOVES(facts, &bad, 0.0, HUGE_VAL, 0.0), DOMAIN);
  bad = bounds, bad.param_radius = -1.0;
  REFUSED(MOVES(facts, &bad, 0.0, HUGE_VAL, 0.0), DOMAIN);
  bad = bounds, bad.radius = 0.0;
  REFUSED(MOVES(facts, &bad, 0.0, HUGE_VAL, 0.0), NO_RADIUS);
  facts = dppair_loss_facts_of(DPPAIR_LOSS_square);
  bad = bounds, bad.param_radius = HUGE_VAL;
  REFUSED(MOVES(facts, &bad, 0.0, HUGE_VAL, 0.0), NO_PROOF);
  REFUSED(dppair_moves_count_(&count, NULL, NULL), NULL);
  draw = dppair_sampling_matching(99, 12, DPPAIR_REPLACE_ONE);
  draw.group = 3;
  REFUSED(dppair_moves_count_(&count, &draw, NULL), NO_PROOF);
  draw = dppair_sampling_with_replacement(100, 5, DPPAIR_REPLACE_ONE);
  draw.group = 3;
  REFUSED(dppair_moves_count_(&count, &draw, NULL), UNREAD);
  draw = dppair_sampling_without_replacement(100, 1, DPPAIR_REPLACE_ONE);
  REFUSED(dppair_moves_count_(&count, &draw, NULL), SIZE);
  memset(&groups, 0, sizeof groups);
  draw = dppair_sampling_all(100, DPPAIR_REPLACE_ONE);
  groups.count = 5;
  groups.rows = 99;
  groups.least = 1.0;
  REFUSED(dppair_moves_count_(&count, &draw, &groups), NO_PROOF);
  groups.least = 2.0;
  REFUSED(dppair_moves_count_(&count, &draw, &groups), SIZE);
  groups.rows = 100;
  TRUE(dppair_moves_count_(&count, &draw, &groups) == DPPAIR_OK && count == 100);
  draw = dppair_sampling_matching(100, 12, DPPAIR_REPLACE_ONE);
  REFUSED(dppair_moves_count_(&count, &draw, &groups), NO_PROOF);
  draw = dppair_sampling_poisson(100, 10, DPPAIR_REPLACE_QUERY);
  TRUE(dppair_moves_count_(&count, &draw, &groups) == DPPAIR_OK);
  groups.count = 101;
  REFUSED(dppair_moves_count_(&count, &draw, &groups), SIZE);
  memset(&p, 0, sizeof p);
  REFUSED(dppair_margin_reach(&reach, NULL, 0.0), NULL);
  REFUSED(dppair_margin_reach(&reach, &p, 0.0), NULL);
  p.loss = dppair_margin_logistic();
  p.n = p.d = 2;
  p.radius = p.ridge = 1.0;
  REFUSED(dppair_margin_reach(&reach, &p, (double)NAN), NOT_FINITE);
  TRUE(dppair_margin_reach(&least, &p, 1e-9) == DPPAIR_OK);
  TRUE(dppair_minimiser_workspace(&need, p.n, p.d) == DPPAIR_OK);
  REFUSED(dppair_minimiser_workspace(&count, p.n, SIZE_MAX - 1), OVERFLOW);
  work = malloc(need);
  assert_non_null(work);
#define SOLVED(problem, b, tolerance)                                                              \
  (w[0] = w[1] = 0.5,                                                                              \
   dppair_minimiser_not_private(w, x, 2, NULL, problem, b, tolerance, work, need))
  TRUE(SOLVED(&p, linear, &least) == DPPAIR_OK && w[0] > 0.1);
  REFUSED(SOLVED(NULL, linear, &least), NULL);
  REFUSED(SOLVED(&p, linear, NULL), NULL);
  TRUE(w[0] == 0.0 && w[1] == 0.0);
  reach = least, reach.floor = (double)NAN;
  REFUSED(SOLVED(&p, linear, &reach), NOT_FINITE);
  reach = least, reach.share = (double)INFINITY;
  REFUSED(SOLVED(&p, linear, &reach), NOT_FINITE);
  linear[1] = (double)NAN;
  REFUSED(SOLVED(&p, linear, &least), NOT_FINITE);
  TRUE(w[0] == 0.0 && w[1] == 0.0);
  free(work);
}

static void every_wrong_argument_is_refused(void **unused) {
  (void)unused;
  curve();
  accounts();
  plans_and_ledgers();
  sensitivities();
  losses();
  texts();
  steps_that_differ_in_one_field_are_others();
  counts_that_overflow_break_the_account();
  lattices_and_tables_are_checked();
  sensitivities_and_noise_refuse_what_has_no_bound();
  plans_papers_and_texts_at_their_ends();
  calibration_of_a_bad_function_is_refused();
  moves_and_fits_refuse_what_has_no_bound();
  full_accounts_and_failures_at_their_ends();
  nothing_and_ends_have_answers();
  epochs_of_one_allocation_are_alike();
  print_message("%zu calls\n", contract.calls);
  assert_true(contract.wrongs == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(every_wrong_argument_is_refused)};
  return RUN_TESTS(tests, NULL, NULL);
}
