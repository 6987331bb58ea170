/* SPDX-License-Identifier: MIT */
/* dppair_accountant.h and dppair_losses.h: every public function with each argument out of its
 * domain. */
#include "dppair_accountant.h"
#include "dppair_losses.h"

#include "contract.h"

static double y, z, some[8], *work;
static size_t count, need, bad_line;
static dppair_accountant account, other, blank;
static dppair_interval interval;
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
    .levels = CHOICE(dppair_levels, DPPAIR_LEVELS_GENERAL, 0, -1, 4),                              \
    .unit = NUMBER(1.0, (double)NAN, -1.0), .clip = NUMBER(0.5, (double)NAN, -1.0, 1e-300, 1e300), \
    .block = 0.0, .classes = 0                                                                     \
  }
#define PERSONS CHOICE(dppair_adjacency, DPPAIR_REPLACE_PERSON, 0, -1, 3, 99)
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
  TRY(dppair_objective_delta, DOUBLE(&y), NOT_NEGATIVE(3.0), NOT_NEGATIVE(0.1), POSITIVE(5.0),
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
  TRY(dppair_accountant_epsilon, DOUBLE(&y), OPENED(&account), REAL(1e-5, -1.0, 0.0, 1.0, 1.5));
  TRY(dppair_accountant_delta, DOUBLE(&y), OPENED(&account), NOT_NEGATIVE(1.0));
  TRY(dppair_accountant_left, DOUBLE(&y), DOUBLE(&z), OPENED(&account), POSITIVE(3.0),
      REAL(1e-5, -1.0, 1.0), dppair_sampling_all(COUNT(100, 0), RELATION));
  TRY(dppair_accountant_workspace, SIZE(&count));
  TRY(dppair_accountant_certify, OUT(&interval, sizeof interval), OPENED(&account),
      REAL(1e-5, -1.0, 1.0, 1.5), NULL, 0);
  TRY(dppair_accountant_certify_delta, OUT(&interval, sizeof interval), OPENED(&account),
      NOT_NEGATIVE(1.0), NULL, 0);
  TRY(dppair_accountant_selection, OPENED(&account), OPENED(&other), REAL(1.0, -1.0, 1.5),
      REAL(0.3, 0.0, 1.5), REAL(1e-6, 0.0, 1.0, -1.0), NULL, 0);
  TRY(dppair_selection_epsilon, OUT(&interval, sizeof interval), OPENED(&account),
      REAL(1.0, -1.0, 1.5), REAL(0.3, 0.0, 1.5), REAL(1e-6, 0.0, 1.0, -1.0), NULL, 0);
  TRY(dppair_parallel_epsilon, DOUBLE(&y), OPENED(&account), COUNT(1, 0), REAL(1e-5, -1.0, 1.0));
  TRY(dppair_attack_accuracy, OUT(&interval, sizeof interval), OPENED(&account),
      REAL(0.5, 0.0, 1.0, -1.0), NULL, 0);
  TRY(dppair_attack_curve, OUT(&interval, sizeof interval), DATA(some, 0), 1, OPENED(&account),
      NULL, 0);
  TRY(dppair_attack_curve, OUT(&interval, sizeof interval),
      (some[0] = NUMBER(0.25, -0.1, 1.1), some), 1, &account, NULL, 0);
  TRY(dppair_attack_fit, OUT(&interval, sizeof interval), OPENED(&account), REAL(1e-6, -1e-9, 1.0),
      NULL, 0);
  TRY(dppair_compose_workspace, SIZE(&count), COUNT(1, SIZE_MAX));
  assert_int_equal(dppair_compose_workspace(&need, 1), DPPAIR_OK);
  work = malloc(need);
  assert_non_null(work);
#define ROUTE CHOICE(dppair_route, DPPAIR_ROUTE_BEST, -1, 99)
  TRY(dppair_compose, OUT(&interval, sizeof interval), OPENED(&step), 1, REAL(1e-5, 0.0, -1.0, 1.0),
      ROUTE, work, need);
  TRY(dppair_compose, OUT(&interval, sizeof interval), STEP(), 1, 1e-5, DPPAIR_ROUTE_BEST, work,
      need);
  TRY(dppair_compose_delta, OUT(&interval, sizeof interval), OPENED(&step), 1, NOT_NEGATIVE(1.0),
      ROUTE, work, need);
  TRY(dppair_renyi, DOUBLE(&y), DOUBLE(&z), OPENED(&step), REAL(3.0, 1.0, 0.0, -1.0), 0);
  TRY(dppair_renyi, DOUBLE(&y), DOUBLE(&z), STEP(), 3.0, 0);
  TRY(dppair_renyi_allocation, DOUBLE(&y),
      (step.kind = DPPAIR_SAMPLED_GAUSSIAN,
       step.sampling = dppair_sampling_allocation(100, 4, 1, DPPAIR_ZERO_OUT), step.steps = 4,
       (dppair_step *)OPENED(&step)),
      REAL(3.0, 1.0, 0.0, -1.0), work, COUNT(need, 0));
  free(work);
  SAYS(dppair_renyi_order, dppair_renyi_order(0) > 1.0 && dppair_renyi_order(SIZE_MAX) > 1.0);
}

static void plans_and_ledgers(void) {
  TRY(dppair_calibrate, CHANGED(&plan, 0), OPENED(&account), NULL, 0);
#define PLANNED(field, mark) TRY(dppair_calibrate, (plan.field = (mark), &plan), &account, NULL, 0)
  PLANNED(epsilon, POSITIVE(3.0));
  PLANNED(delta, REAL(1e-5, -1.0, 0.0, 1.0));
  PLANNED(steps, COUNT(5, 0));
  PLANNED(law, CHOICE(dppair_mechanism_kind, 0, -1, 99));
  PLANNED(ridge, NUMBER(0.0, 1.0, -1.0, (double)NAN));
  PLANNED(trace, NUMBER(0.0, 1.0, -1.0, (double)NAN));
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
  size_t owned[3] = {2, 3, 4}, sizes[2] = {5, 6};
#define S DOUBLE(&y)
  TRY(dppair_sensitivity_pair_mean, S, REAL(1.0, -1.0, 1e91, 1e-91), COUNT(100, 0, 1), RELATION);
  TRY(dppair_sensitivity_rank_ind, S, NUMBER(1.0, (double)NAN, (double)INFINITY, -1.0, 1e91),
      NUMBER(1.0, (double)NAN, -1.0, 1e-91), COUNT(100, 0, 1));
  TRY(dppair_sensitivity_rank_diff, S, NUMBER(1.0, (double)NAN, (double)INFINITY, -1.0, 1e91),
      NOT_NEGATIVE(1.0), NUMBER(1.0, (double)NAN, (double)INFINITY, -1.0), COUNT(100, 0, 1));
  TRY(dppair_sensitivity_metric, S, NOT_NEGATIVE(1.0), NOT_NEGATIVE(1.0), NOT_NEGATIVE(1.0),
      COUNT(100, 0, 1), RELATION);
  TRY(dppair_sensitivity_record_clip, S, NOT_NEGATIVE(1.0), NOT_NEGATIVE(1.0), COUNT(100, 0, 1),
      RELATION);
  TRY(dppair_sensitivity_minibatch, S,
      CHOICE(dppair_sampling_kind, DPPAIR_POISSON, DPPAIR_ALL, -1, 99), NOT_NEGATIVE(1.0),
      COUNT(10, 0));
  TRY(dppair_sensitivity_softmax, S, NOT_NEGATIVE(1.0), POSITIVE(0.1), COUNT(100, 1),
      RELATION);
  TRY(dppair_sensitivity_pgd, S, NOT_NEGATIVE(1.0), NOT_NEGATIVE(0.1),
      NUMBER(1.0, 0.0, -1.0, (double)NAN, (double)INFINITY), REAL(0.5, -1.0, 3.0), 9);
  TRY(dppair_sensitivity_pgd_average, S, NOT_NEGATIVE(1.0),
      NUMBER(1.0, 0.0, -1.0, (double)NAN, (double)INFINITY), REAL(0.5, -1.0, 3.0), 9);
  TRY(dppair_sensitivity_erm, S, NOT_NEGATIVE(1.0), POSITIVE(0.1), NOT_NEGATIVE(1e-3));
  TRY(dppair_sensitivity_batch, S, PAIR, OPENED(&records));
  TRY(dppair_sensitivity_user_weighted, S, PAIR,
      (records = dppair_sampling_all(100, DPPAIR_REPLACE_PERSON),
       (dppair_sampling *)OPENED(&records)));
  TRY(dppair_sensitivity_matched, S, PAIR,
      CHOICE(dppair_sampling_kind, DPPAIR_POISSON, DPPAIR_ALL, -1, 99), POSITIVE(20.0));
  TRY(dppair_sensitivity_users, S, PAIR, COUNT(100, 0, 1), COUNT(3, 0, 101), PERSONS);
  TRY(dppair_sensitivity_users_apart, S, PAIR, IN(owned), COUNT(3, 0, 1), PERSONS);
  TRY(dppair_sensitivity_users_batch, S, PAIR,
      (records.adjacency = DPPAIR_REPLACE_PERSON, records.owned = COUNT(3, 0, 100, 101),
       (dppair_sampling *)OPENED(&records)));
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
  TRY(dppair_sensitivity_buffer, S, PAIR,
      (alone = stream, alone.noise = DPPAIR_PREFIX_INDEPENDENT, (dppair_stream *)OPENED(&alone)),
      NULL);
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
  TRY(dppair_constants_regularise, DOUBLE(&y), OUT(&constants, sizeof constants),
      (memset(&data, 0, sizeof data),
       data.slope = data.lipschitz = data.smoothness = data.bound = 1.0, data.convex = 1,
       (dppair_constants *)IN(&data)),
      CHOICE(dppair_regulariser, DPPAIR_REGULARISER_HALF, 0, -1, 9),
      REAL_AS(DPPAIR_ERR_DOMAIN, 0.1, 0.0, -1.0, 1e101), NUMBER(2.0, -1.0, (double)NAN));
  SAYS(dppair_loss_facts_of, dppair_loss_facts_of((dppair_loss)-1) == NULL &&
                                 dppair_loss_facts_of(DPPAIR_LOSS_COUNT) == NULL);
  SAYS(dppair_loss_describe, dppair_loss_describe((dppair_loss)-1) == NULL &&
                                 dppair_loss_describe(DPPAIR_LOSS_COUNT) == NULL);
  SAYS(dppair_margin_name, dppair_margin_name((dppair_margin)-1, &formula) == NULL &&
                               dppair_margin_name((dppair_margin)99, NULL) == NULL);
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
  j = dppair_json_writer(text, sizeof text);
  dppair_json_numbers(&j, v, &n, 3);
  SAYS(dppair_json_writer, dppair_json_done(&j));
  SAYS(dppair_json_numbers, memcmp(text, "[1.5", 4) == 0);
  j = dppair_json_writer(text, sizeof text);
  v[1] = (double)NAN;
  dppair_json_number(&j, v + 1);
  SAYS(dppair_json_number, !dppair_json_done(&j));
  SAYS(dppair_json_holds, !dppair_json_holds((double)NAN) && !dppair_json_holds((double)INFINITY) &&
                              dppair_json_holds(1.5));
  j = dppair_json_reader("[1, 2, 3, 4]", 12);
  n = 0;
  dppair_json_numbers(&j, got, &n, 3);
  SAYS(dppair_json_reader, !dppair_json_done(&j) && n <= 3);
  j = dppair_json_reader("99", 2);
  n = 0;
  dppair_json_size(&j, &n, 9);
  SAYS(dppair_json_size, !dppair_json_done(&j) && n == 0);
  j = dppair_json_reader("abc", 3);
  SAYS(dppair_json_next, !dppair_json_next(&j, 'b') && dppair_json_next(&j, 'a'));
  dppair_json_literal(&j, "abd");
  SAYS(dppair_json_literal, !dppair_json_done(&j));
  j = dppair_json_reader("\"a", 2);
  dppair_json_string(&j, "a");
  SAYS(dppair_json_string, !dppair_json_done(&j));
  SAYS(dppair_json_done, !dppair_json_done(&j));
}

static void every_wrong_argument_is_refused(void **unused) {
  (void)unused;
  curve();
  accounts();
  plans_and_ledgers();
  sensitivities();
  losses();
  texts();
  print_message("%zu calls\n", contract.calls);
  assert_true(contract.wrongs == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(every_wrong_argument_is_refused)};
  return RUN_TESTS(tests, NULL, NULL);
}
