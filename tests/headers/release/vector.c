/* SPDX-License-Identifier: MIT */
/* Plans: what opening one charges and refuses; keys; permits; vectors, counts and draws. */
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_noise.h"
#include "dppair.h"

#include "dppair_accountant.h"

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests.h"
#include "questions.h"
#include "draws.h"

enum { N = 500, SIZE = 37 };
static const uint8_t KEY[32] = {1, 2, 3}, RUN[16] = {9, 8, 7};
static const dppair_release_keys FIXED = {KEY, RUN};

static dppair_accountant account;
static dppair_release release;
static double v[SIZE];

static dppair_plan plan_of(double epsilon, double delta, size_t steps) {
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  plan.epsilon = epsilon;
  plan.delta = delta;
  plan.steps = steps;
  return plan;
}

static dppair_plan plan_of_draws(dppair_sampling sampling, double multiplier, size_t steps) {
  dppair_plan plan = plan_of(0, 0, steps);
  plan.sampling = sampling;
  plan.noise_multiplier = multiplier;
  return plan;
}

/* Opens a plan on an empty account, with fixed keys. */
/* With a run of the system's, as a plan needs that is to go on after a stop. */
static void open_keyed(const dppair_plan *plan) {
  const dppair_release_keys keyed = {KEY, NULL};
  dppair_accountant_init(&account);
  assert_int_equal(dppair_release_open(&release, &account, plan, &keyed), DPPAIR_OK);
}

static void open_fresh(dppair_plan plan) {
  dppair_accountant_init(&account);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_OK);
}

/* Fills v with a number that is no noise, releases, and checks that an error leaves nothing. */
static dppair_status release_v(double sensitivity) {
  dppair_status status;
  int kept = 0; /* noise on a grid may be 0: one number in some thousands */
  for (int i = 0; i < SIZE; i++) v[i] = 777.25 + i;
  status = dppair_release_vector(v, SIZE, &release, sensitivity);
  for (int i = 0; i < SIZE; i++) {
    if (status != DPPAIR_OK) assert_true(v[i] == 0.0 && !signbit(v[i]));
    if (status == DPPAIR_OK) kept += v[i] == 777.25 + i;
  }
  assert_true(kept < 3);
  return status;
}

static int numbers_in_common(const double *x, const double *y) {
  int common = 0;
  for (int i = 0; i < SIZE; i++) common += x[i] == y[i];
  return common;
}

static double epsilon_of(double delta) {
  double epsilon;
  assert_int_equal(answer_epsilon(&epsilon, &account, delta), DPPAIR_OK);
  return epsilon;
}

/* --- opening ---------------------------------------------------------------------------------- */

static void the_account_ends_within_the_plan_to_twelve_digits(void **state) {
  static const double epsilons[] = {1e-3, 0.1, 1, 3.7, 20, 1000};
  static const double deltas[] = {1e-12, 1e-5, 0.01};
  static const size_t counts[] = {1, 2, 7, 100, 123456789};
  (void)state;
  for (size_t i = 0; i < 6; i++)
    for (size_t j = 0; j < 3; j++)
      for (size_t k = 0; k < 5; k++) {
        double epsilon;
        open_fresh(plan_of(epsilons[i], deltas[j], counts[k]));
        epsilon = epsilon_of(deltas[j]);
        assert_true(epsilon <= epsilons[i] && epsilon >= epsilons[i] * (1 - 1e-12));
        assert_true(release.step == 0 && release.steps == counts[k]);
      }
}

static void a_second_plan_gets_what_the_first_one_left(void **state) {
  dppair_release second;
  dppair_plan plan = plan_of(1.0, 1e-6, 10);
  (void)state;
  open_fresh(plan);
  for (int k = 0; k < 3; k++) { /* the whole budget again: rounding left next to nothing of it */
    plan.epsilon = 1.0 + (k == 1 ? 1e-12 : k == 2 ? 1e-10 : 0.0);
    assert_int_equal(dppair_release_open(&second, &account, &plan, &FIXED), DPPAIR_ERR_EXHAUSTED);
  }
  plan.epsilon = 1.5;
  assert_int_equal(dppair_accountant_failure(&account, 1e-9), DPPAIR_OK);
  assert_int_equal(dppair_release_open(&second, &account, &plan, &FIXED), DPPAIR_OK);
  assert_true(epsilon_of(1e-6) <= 1.5 && epsilon_of(1e-6) >= 1.5 * (1 - 1e-12));
  plan.epsilon = 1.4;
  assert_int_equal(dppair_release_open(&second, &account, &plan, &FIXED), DPPAIR_ERR_EXHAUSTED);
  assert_true(epsilon_of(1e-6) <= 1.5); /* what was refused cost nothing */
  assert_int_equal(dppair_release_vector(v, SIZE, &second, 1.0), DPPAIR_ERR_CLOSED);
  assert_int_equal(release_v(1.0), DPPAIR_OK); /* and the first plan goes on */
}

static void pure_laws_share_epsilon(void **state) {
  static const dppair_mechanism_kind laws[] = {DPPAIR_L2BALL, DPPAIR_LAPLACE};
  (void)state;
  for (size_t k = 0; k < 2; k++)
    for (size_t steps = 1; steps < 3000; steps = 3 * steps + 1)
      for (double epsilon = 0.01; epsilon < 20; epsilon *= 7) {
        dppair_plan plan = plan_of(epsilon, 0.0, steps), more;
        plan.noise = laws[k];
        open_fresh(plan);
        assert_true(epsilon_of(0) <= epsilon && epsilon_of(0) >= epsilon * (1 - 1e-12));
        more = plan;
        more.epsilon *= 2;
        assert_int_equal(dppair_release_open(&release, &account, &more, &FIXED), DPPAIR_OK);
        assert_true(epsilon_of(0) <= 2 * epsilon && epsilon_of(0) >= 2 * epsilon * (1 - 1e-12));
        more.noise = (dppair_mechanism_kind)0; /* a Gaussian plan has no pure epsilon */
        more.epsilon *= 2;
        assert_int_not_equal(dppair_release_open(&release, &account, &more, &FIXED), DPPAIR_OK);
        assert_true(epsilon_of(0) <= 2 * epsilon);
      }
  {
    dppair_plan plan =
        plan_of(1, 0, 1); /* that of an objective, besides its ridge and its output */
    plan.noise = DPPAIR_PURE_OBJECTIVE;
    plan.ridge = 10;
    plan.output_mu = 0.1;
    open_fresh(plan);
    assert_true(epsilon_of(0) <= 1 && epsilon_of(0) > 0.99);
  }
  for (size_t k = 0; k < 2; k++) { /* nor does it share one with other steps */
    dppair_plan plan = plan_of(1, 1e-5, 3);
    open_fresh(plan);
    plan.noise = laws[k];
    assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_ERR_NOT_CALIBRATED);
    plan.epsilon = 100;
    open_fresh(plan);
    plan.epsilon *= 1 + 1e-12; /* nothing that could be told is left */
    assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_ERR_EXHAUSTED);
  }
}

static void what_is_wrong_with_a_plan_costs_nothing(void **state) {
  struct {
    const char *what;
    dppair_status status;
    dppair_plan plan;
  } row[] = {
      {"no epsilon", DPPAIR_ERR_EPSILON, plan_of(0, 1e-5, 1)},
      {"a negative one", DPPAIR_ERR_EPSILON, plan_of(-1, 1e-5, 1)},
      {"an epsilon that is no number", DPPAIR_ERR_NOT_FINITE, plan_of((double)NAN, 1e-5, 1)},
      {"delta of no Gaussian", DPPAIR_ERR_DELTA, plan_of(1, 0, 1)},
      {"delta 1", DPPAIR_ERR_DELTA, plan_of(1, 1, 1)},
      {"delta NaN", DPPAIR_ERR_NOT_FINITE, plan_of(1, (double)NAN, 1)},
      {"no steps", DPPAIR_ERR_STEPS, plan_of(1, 1e-5, 0)},
      {"no neighbours", DPPAIR_ERR_ADJACENCY, plan_of(1, 1e-5, 1)},
      {"one record", DPPAIR_ERR_SIZE, plan_of(1, 1e-5, 1)},
      {"a law without noise", DPPAIR_ERR_LAW, plan_of(1, 1e-5, 1)},
      {"a draw, not calibrated", DPPAIR_ERR_NOT_CALIBRATED, plan_of(1, 1e-5, 1)},
      {"a multiplier that was not calibrated", DPPAIR_ERR_NOT_CALIBRATED, plan_of(1, 1e-5, 1)},
      {"a negative multiplier", DPPAIR_ERR_SIGMA, plan_of(0, 0, 1)},
      {"a multiplier and delta", DPPAIR_ERR_UNREAD, plan_of(0, 1e-5, 1)},
      {"a pure law with a draw", DPPAIR_ERR_LAW, plan_of(0, 0, 1)},
      {"a rate without records", DPPAIR_ERR_SIZE, plan_of(0, 0, 1)},
      {"a multiplier and a negative epsilon", DPPAIR_ERR_EPSILON, plan_of(-1, 0, 1)},
      {"delta of a pure law", DPPAIR_ERR_DELTA, plan_of(1, 2, 1)},
      {"a pure objective without a ridge", DPPAIR_ERR_EXHAUSTED, plan_of(1, 0, 1)},
      {"a failure above delta", DPPAIR_ERR_DELTA, plan_of(1, 1e-5, 1)},
      {"a trace that is no number", DPPAIR_ERR_NOT_FINITE, plan_of(0, 0, 1)},
      {"a trace that nothing reads", DPPAIR_ERR_UNREAD, plan_of(0, 0, 1)},
      {"more records than a matching has", DPPAIR_ERR_SIZE, plan_of(0, 0, 1)},
      {"a law of an earlier stack", DPPAIR_ERR_NOT_ZEROED, plan_of(1, 1e-5, 1)},
      {"a multiplier of an earlier stack", DPPAIR_ERR_NOT_ZEROED, plan_of(1, 1e-5, 1)},
      {"a huge one", DPPAIR_ERR_NOT_ZEROED, plan_of(1, 1e-5, 1)},
      {"another plan was calibrated", DPPAIR_ERR_PLAN_CHANGED, plan_of(1, 1e-5, 1)},
  };
  dppair_accountant before;
  (void)state;
  row[7].plan.sampling.adjacency = (dppair_adjacency)0;
  row[8].plan.sampling.n = 1;
  row[9].plan.noise = DPPAIR_RANDOMISED_RESPONSE;
  row[10].plan.sampling = dppair_sampling_poisson(N, 10, DPPAIR_REPLACE_ONE);
  row[11].plan.noise_multiplier = 1e-3;
  row[12].plan.noise_multiplier = -2;
  row[13].plan.noise_multiplier = 2;
  row[14].plan.sampling = dppair_sampling_poisson(N, 10, DPPAIR_REPLACE_ONE);
  row[14].plan.noise_multiplier = 2;
  row[14].plan.noise = DPPAIR_LAPLACE;
  row[15].plan.noise_multiplier = 2;
  row[15].plan.sampling = dppair_sampling_poisson(0, 0, DPPAIR_REPLACE_ONE);
  row[15].plan.sampling.q = 0.1;
  row[16].plan.noise_multiplier = 2;
  row[17].plan.noise = DPPAIR_LAPLACE;
  row[18].plan.noise = DPPAIR_PURE_OBJECTIVE;
  row[18].plan.output_mu = 0.1;
  row[19].plan.failure = 1e-4;
  row[20].plan.noise = DPPAIR_OBJECTIVE;
  row[20].plan.noise_multiplier = 2;
  row[20].plan.ridge = 1;
  row[20].plan.output_mu = (double)NAN;
  row[21].plan.noise_multiplier = 2;
  row[21].plan.output_mu = 0.5;
  row[22].plan.noise_multiplier = 2;
  row[22].plan.sampling = dppair_sampling_matching(N, N + 2, DPPAIR_REPLACE_ONE);
  row[23].plan.noise = (dppair_mechanism_kind)21845;
  row[24].plan.noise_multiplier = 6.9e-310; /* an address */
  row[25].plan.noise_multiplier = 1e300;
  dppair_accountant_init(&account);
  assert_int_equal(dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE), DPPAIR_OK);
  row[26].plan.sampling = dppair_sampling_poisson(N, 10, DPPAIR_REPLACE_ONE);
  assert_int_equal(calibrate_by_orders(&row[26].plan, &account), DPPAIR_OK);
  row[26].plan.steps = 2;
  before = account;
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    const dppair_status status = dppair_release_open(&release, &account, &row[i].plan, &FIXED);
    if (status != row[i].status) fail_msg("%s: %s", row[i].what, dppair_status_string(status));
    assert_memory_equal(&before, &account, sizeof account);
    assert_int_equal(release_v(1.0), DPPAIR_ERR_CLOSED);
  }
}

static void null_arguments_are_refused(void **state) {
  dppair_plan plan = plan_of(1, 1e-5, 1);
  const dppair_release_keys run_only = {NULL, RUN};
  (void)state;
  dppair_accountant_init(&account);
  assert_int_equal(dppair_release_open(NULL, &account, &plan, &FIXED), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_release_open(&release, NULL, &plan, &FIXED), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_release_open(&release, &account, NULL, &FIXED), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &run_only), DPPAIR_ERR_NULL);
  assert_true(epsilon_of(1e-5) == 0.0);
  memset(&account, 0, sizeof account); /* never initialised */
  assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_ERR_DOMAIN);
  open_fresh(plan);
  assert_int_equal(dppair_release_vector(NULL, 3, &release, 1.0), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_release_vector(v, 0, &release, 1.0), DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_release_vector(v, SIZE, NULL, 1.0), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_release_vector(v, SIZE_MAX / 4, &release, 1.0), DPPAIR_ERR_OVERFLOW);
  dppair_release_close(NULL);
}

static void an_account_of_other_neighbours_is_refused(void **state) {
  dppair_plan zero_out = plan_of(2, 1e-5, 1), plan = plan_of(1, 1e-5, 1);
  double epsilon;
  (void)state;
  zero_out.sampling.adjacency = DPPAIR_ZERO_OUT;
  open_fresh(plan);
  assert_int_equal(dppair_release_open(&release, &account, &zero_out, &FIXED),
                   DPPAIR_ERR_NEIGHBOURS);
  assert_int_equal(release_v(1.0), DPPAIR_ERR_CLOSED);
  assert_int_not_equal(answer_epsilon(&epsilon, &account, 1e-5), DPPAIR_OK);
  /* a step that states no neighbours */
  dppair_accountant_init(&account);
  assert_int_equal(dppair_accountant_gaussian(&account, 1.0, 100.0, 1), DPPAIR_OK);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_ERR_NEIGHBOURS);
  assert_int_equal(release_v(1.0), DPPAIR_ERR_CLOSED);
}

/* --- the ledger ------------------------------------------------------------------------------- */

static char ledger[4096];
static size_t ledger_length;
static double spent_when_written;

static dppair_status store(const char *line, size_t length, void *context) {
  if (context != NULL) return DPPAIR_ERR_FORMAT;
  spent_when_written = account.gaussian;
  memcpy(ledger + ledger_length, line, length);
  ledger_length += length;
  ledger[ledger_length++] = '\n';
  return DPPAIR_OK;
}

static void a_line_is_written_before_the_charge_and_replays(void **state) {
  dppair_plan plan = plan_of(1, 1e-5, 5);
  dppair_accountant replayed;
  size_t bad;
  double epsilon;
  (void)state;
  ledger_length = 0;
  plan.ledger = dppair_ledger_to(store, NULL);
  open_fresh(plan);
  assert_true(spent_when_written == 0.0 && account.gaussian > 0.0);
  plan.epsilon = 2;
  assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_OK);
  dppair_accountant_init(&replayed);
  assert_int_equal(dppair_ledger_replay(&replayed, &bad, ledger, ledger_length), DPPAIR_OK);
  assert_int_equal(answer_epsilon(&epsilon, &replayed, 1e-5), DPPAIR_OK);
  assert_true(epsilon == epsilon_of(1e-5));
  assert_true(replayed.sequence == account.sequence && replayed.check == account.check);
}

static void a_line_that_is_not_stored_breaks_the_account(void **state) {
  dppair_plan plan = plan_of(1, 1e-5, 5);
  double epsilon = 1;
  (void)state;
  plan.ledger = dppair_ledger_to(store, &plan);
  dppair_accountant_init(&account);
  assert_int_not_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_OK);
  assert_int_not_equal(answer_epsilon(&epsilon, &account, 1e-5), DPPAIR_OK);
  assert_true(epsilon == 0.0);
  assert_int_equal(release_v(1.0), DPPAIR_ERR_CLOSED);
}

/* A ledger that nobody made by dppair_ledger_to, or without a sink, would write no line. */
static void a_ledger_that_is_half_made_is_refused_before_it_is_paid(void **state) {
  dppair_accountant before;
  int half;
  (void)state;
  for (half = 0; half < 2; half++) {
    dppair_plan plan = plan_of(1, 1e-5, 5);
    if (half)
      plan.ledger.sink = store;
    else
      plan.ledger = dppair_ledger_to(NULL, NULL);
    dppair_accountant_init(&account);
    before = account;
    assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_ERR_NULL);
    assert_memory_equal(&account, &before, sizeof account);
    assert_int_equal(release_v(1.0), DPPAIR_ERR_CLOSED);
  }
}

/* The line of an objective's output noise comes first; whichever is refused, nothing is opened. */
static size_t lines_taken;
static dppair_status take_some(const char *line, size_t length, void *context) {
  (void)line;
  (void)length;
  return ++lines_taken > *(const size_t *)context ? DPPAIR_ERR_FORMAT : DPPAIR_OK;
}
static void each_line_of_a_plan_must_be_stored(void **state) {
  static const dppair_release zero;
  (void)state;
  for (size_t taken = 0; taken < 3; taken++) {
    dppair_plan plan = plan_of(0, 0, 1);
    plan.noise = DPPAIR_OBJECTIVE;
    plan.noise_multiplier = 3;
    plan.ridge = 4;
    plan.output_mu = 0.1;
    plan.ledger = dppair_ledger_to(take_some, &taken);
    lines_taken = 0;
    memset(&release, 1, sizeof release);
    dppair_accountant_init(&account);
    if (taken == 2) {
      assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_OK);
      assert_int_equal(lines_taken, 2);
      continue;
    }
    assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_ERR_FORMAT);
    assert_memory_equal(&release, &zero, sizeof release);
    assert_int_equal(account.broken, DPPAIR_ERR_FORMAT);
    assert_int_equal(lines_taken, taken + 1);
  }
}

/* --- going on --------------------------------------------------------------------------------- */

/* The releases of a plan in one piece, and with a stop after each number of steps. */
static void a_stopped_plan_goes_on_where_it_was(void **state) {
  enum { STEPS = 4 };
  double whole[STEPS * SIZE];
  dppair_plan plan = plan_of(1, 1e-5, STEPS);
  dppair_accountant replayed;
  size_t first, bad;
  (void)state;
  plan.ledger = dppair_ledger_to(store, NULL);
  ledger_length = 0;
  open_keyed(&plan);
  first = ledger_length - 1;
  plan.epsilon = 2; /* another plan beside it; what comes later does not matter */
  {
    const dppair_release_keys keyed = {KEY, NULL};
    assert_int_equal(dppair_release_open(&release, &account, &plan, &keyed), DPPAIR_OK);
  }
  memset(whole, 0, sizeof whole);
  for (int t = 0; t < STEPS; t++)
    assert_int_equal(dppair_release_vector(whole + t * SIZE, SIZE, &release, 1.0), DPPAIR_OK);
  for (size_t stop = 0; stop <= STEPS; stop++) {
    dppair_accountant_init(&replayed);
    assert_int_equal(dppair_ledger_replay(&replayed, &bad, ledger, ledger_length), DPPAIR_OK);
    account = replayed;
    assert_int_equal(dppair_release_resume(&release, &account, &plan, ledger + first + 1,
                                           ledger_length - first - 1, KEY, stop),
                     DPPAIR_OK);
    assert_memory_equal(&account, &replayed, sizeof account); /* nothing is charged again */
    for (size_t t = stop; t < STEPS; t++) {
      memset(v, 0, sizeof v);
      assert_int_equal(dppair_release_vector(v, SIZE, &release, 1.0), DPPAIR_OK);
      assert_memory_equal(v, whole + t * SIZE, sizeof v);
    }
    assert_int_equal(release_v(1.0), DPPAIR_ERR_EXHAUSTED);
  }
  /* the first plan, too; its noise is another one */
  assert_int_equal(dppair_release_resume(&release, &account, &plan, ledger, first, KEY, 0),
                   DPPAIR_OK);
  memset(v, 0, sizeof v);
  assert_int_equal(dppair_release_vector(v, SIZE, &release, 1.0), DPPAIR_OK);
  assert_true(numbers_in_common(v, whole) < 4);
}

/* A line leaves out the group of a matching of pairs, whoever gave it. */
static void a_stopped_plan_of_matched_groups_goes_on(void **state) {
  dppair_plan plan = plan_of(0, 0, 3), other;
  (void)state;
  plan.sampling = dppair_sampling_matching(100, 12, DPPAIR_REPLACE_ONE);
  plan.noise_multiplier = 2;
  plan.ledger = dppair_ledger_to(store, NULL);
  for (plan.sampling.group = 2; plan.sampling.group <= 4; plan.sampling.group += 2) {
    ledger_length = 0;
    open_keyed(&plan);
    assert_int_equal(
        dppair_release_resume(&release, &account, &plan, ledger, ledger_length - 1, KEY, 1),
        DPPAIR_OK);
    other = plan;
    other.sampling.group = 6; /* not what was paid for */
    assert_int_equal(
        dppair_release_resume(&release, &account, &other, ledger, ledger_length - 1, KEY, 1),
        DPPAIR_ERR_PLAN_CHANGED);
  }
}

static dppair_status resume(const dppair_plan *plan, const char *line, size_t length, size_t step) {
  const dppair_status status =
      dppair_release_resume(&release, &account, plan, line, length, KEY, step);
  assert_int_equal(release_v(1.0), status == DPPAIR_OK ? DPPAIR_OK : DPPAIR_ERR_CLOSED);
  return status;
}

static void only_a_line_that_was_charged_and_planned_is_resumed(void **state) {
  dppair_plan plan = plan_of(1, 1e-5, 4), other;
  char line[600], changed[600];
  size_t length;
  (void)state;
  plan.ledger = dppair_ledger_to(store, NULL);
  ledger_length = 0;
  open_keyed(&plan);
  length = ledger_length - 1;
  memcpy(line, ledger, length);
  assert_int_equal(resume(&plan, line, length, 3), DPPAIR_OK);
  for (size_t i = 0; i < 32; i++) { /* another key would give fresh noise that nobody paid for */
    uint8_t key[32];
    memcpy(key, KEY, sizeof key);
    key[i] ^= (uint8_t)(1 << i % 8);
    assert_int_equal(dppair_release_resume(&release, &account, &plan, line, length, key, 3),
                     DPPAIR_ERR_PLAN_CHANGED);
    assert_int_equal(release_v(1.0), DPPAIR_ERR_CLOSED);
  }
  assert_int_equal(resume(&plan, line, length, 5), DPPAIR_ERR_SIZE);
  other = plan;
  other.steps = 5; /* not what was paid for */
  assert_int_equal(resume(&other, line, length, 0), DPPAIR_ERR_PLAN_CHANGED);
  other = plan;
  other.noise = DPPAIR_L2BALL;
  assert_int_equal(resume(&other, line, length, 0), DPPAIR_ERR_PLAN_CHANGED);
  other = plan;
  other.sampling.adjacency = DPPAIR_ZERO_OUT;
  assert_int_equal(resume(&other, line, length, 0), DPPAIR_ERR_PLAN_CHANGED);
  other = plan;
  other.sampling = dppair_sampling_poisson(N, 10, DPPAIR_REPLACE_ONE);
  assert_int_equal(resume(&other, line, length, 0), DPPAIR_ERR_PLAN_CHANGED);
  other = plan;
  other.noise_multiplier = 1.0; /* less noise than was charged */
  assert_int_equal(resume(&other, line, length, 0), DPPAIR_ERR_PLAN_CHANGED);
  for (size_t i = 0; i < length; i++) { /* any other character */
    memcpy(changed, line, length);
    changed[i] = changed[i] == '1' ? '2' : '1';
    assert_int_not_equal(resume(&plan, changed, length, 0), DPPAIR_OK);
  }
  dppair_accountant_init(&account); /* an account that did not replay it */
  assert_int_equal(resume(&plan, line, length, 0), DPPAIR_ERR_NO_PROOF);
  dppair_accountant_init(&account); /* one that was charged the same plan by another run */
  assert_int_equal(dppair_release_open(&release, &account, &plan, NULL), DPPAIR_OK);
  assert_int_equal(resume(&plan, line, length, 0), DPPAIR_ERR_NO_PROOF);
  { /* a line that was charged, of no run */
    dppair_ledger_entry entry;
    memset(&entry, 0, sizeof entry);
    other = plan;
    other.noise_multiplier = 2.0;
    assert_int_equal(dppair_plan_step_(&entry.step, &other), DPPAIR_OK);
    dppair_accountant_init(&account);
    assert_int_equal(dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE), DPPAIR_OK);
    ledger_length = 0;
    assert_int_equal(dppair_ledger_step(&account, &entry, store, NULL), DPPAIR_OK);
    assert_int_equal(resume(&other, ledger, ledger_length - 1, 0), DPPAIR_ERR_PLAN_CHANGED);
  }
  other = plan; /* a failure that was paid for, and one that was not */
  other.failure = 1e-6;
  ledger_length = 0;
  open_keyed(&other);
  assert_int_equal(resume(&plan, ledger, ledger_length - 1, 0), DPPAIR_ERR_PLAN_CHANGED);
  assert_int_equal(resume(&other, ledger, ledger_length - 1, 0), DPPAIR_OK);
  ledger_length = 0;
  other = plan; /* plans that have no line, or another one */
  other.sampling.n = 1;
  open_keyed(&plan);
  memcpy(line, ledger + ledger_length - length - 1, length);
  assert_int_equal(resume(&other, line, length, 0), DPPAIR_ERR_SIZE);
  other = plan;
  other.failure = 1e-9;
  assert_int_equal(resume(&other, line, length, 0), DPPAIR_ERR_PLAN_CHANGED);
  other = plan;
  other.noise = DPPAIR_OBJECTIVE;
  assert_int_equal(resume(&other, line, length, 0), DPPAIR_ERR_NO_PROOF);
  other = plan;
  other.noise = (dppair_mechanism_kind)99;
  assert_int_not_equal(resume(&other, line, length, 0), DPPAIR_OK);
  assert_int_not_equal(resume(&plan, line, length - 1, 0), DPPAIR_OK);
  assert_int_equal(resume(&plan, line, length, 0), DPPAIR_OK);
  assert_int_equal(dppair_release_resume(NULL, &account, &plan, line, length, KEY, 0),
                   DPPAIR_ERR_NULL);
  assert_int_equal(dppair_release_resume(&release, NULL, &plan, line, length, KEY, 0),
                   DPPAIR_ERR_NULL);
  assert_int_equal(dppair_release_resume(&release, &account, NULL, line, length, KEY, 0),
                   DPPAIR_ERR_NULL);
  assert_int_equal(dppair_release_resume(&release, &account, &plan, NULL, length, KEY, 0),
                   DPPAIR_ERR_NULL);
  assert_int_equal(dppair_release_resume(&release, &account, &plan, line, length, NULL, 0),
                   DPPAIR_ERR_NULL);
}

/* A key of the caller's with eight bytes of a run: the same noise each time, and it can be gone on
 * with. */
static void a_run_that_was_completed_can_be_gone_on_with(void **state) {
  dppair_plan plan = plan_of(1, 1e-5, 3);
  uint8_t nonce[16] = {1, 2, 3, 4, 5, 6, 7, 8}, again[16], other[32];
  const dppair_release_keys keys = {KEY, nonce};
  double one[SIZE] = {0}, two[SIZE] = {0};
  (void)state;
  assert_int_equal(dppair_release_nonce(nonce, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_release_nonce(NULL, KEY), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_release_nonce(nonce, KEY), DPPAIR_OK);
  memcpy(again, nonce, sizeof nonce);
  memset(again + 8, 9, 8);
  assert_int_equal(dppair_release_nonce(again, KEY), DPPAIR_OK);
  assert_memory_equal(nonce, again, sizeof nonce);
  memcpy(other, KEY, sizeof other);
  other[31] ^= 1;
  assert_int_equal(dppair_release_nonce(again, other), DPPAIR_OK);
  assert_memory_equal(nonce, again, 8);
  assert_memory_not_equal(nonce + 8, again + 8, 8);
  plan.ledger = dppair_ledger_to(store, NULL);
  ledger_length = 0;
  dppair_accountant_init(&account);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &keys), DPPAIR_OK);
  assert_int_equal(dppair_release_vector(one, SIZE, &release, 1.0), DPPAIR_OK);
  assert_int_equal(resume(&plan, ledger, ledger_length - 1, 1), DPPAIR_OK);
  assert_int_equal(resume(&plan, ledger, ledger_length - 1, 0), DPPAIR_OK);
  assert_int_equal(
      dppair_release_resume(&release, &account, &plan, ledger, ledger_length - 1, KEY, 0),
      DPPAIR_OK);
  assert_int_equal(dppair_release_vector(two, SIZE, &release, 1.0), DPPAIR_OK);
  assert_memory_equal(one, two, sizeof one);
  nonce[15] ^= 1; /* a nonce that is not the key's */
  ledger_length = 0;
  dppair_accountant_init(&account);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &keys), DPPAIR_OK);
  assert_int_equal(resume(&plan, ledger, ledger_length - 1, 0), DPPAIR_ERR_PLAN_CHANGED);
}

/* --- permits ---------------------------------------------------------------------------------- */

static void so_many_releases_as_were_paid_for(void **state) {
  (void)state;
  open_fresh(plan_of(1, 1e-5, 3));
  for (int i = 0; i < 3; i++) {
    assert_int_equal(release_v(0.5), DPPAIR_OK);
    assert_true(release.sensitivity == 0.5 && release.sigma >= 0.5 * release.noise_multiplier &&
                release.sigma <= 0.5 * release.noise_multiplier * (1 + 1e-15));
  }
  for (int i = 0; i < 3; i++) assert_int_equal(release_v(0.5), DPPAIR_ERR_EXHAUSTED);
}

static void errors_of_public_arguments_use_no_permit(void **state) {
  (void)state;
  open_fresh(plan_of(1, 1e-5, 1));
  assert_int_equal(release_v(0.0), DPPAIR_ERR_SENSITIVITY);
  assert_int_equal(release_v(-1.0), DPPAIR_ERR_SENSITIVITY);
  assert_int_equal(release_v((double)NAN), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(release_v(HUGE_VAL), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(release_v(1e300), DPPAIR_ERR_SIGMA);
  v[0] = 5;
  assert_int_equal(dppair_release_vector_grid(v, 1, &release, 1.0, 41), DPPAIR_ERR_DOMAIN);
  assert_true(v[0] == 0.0);
  v[0] = 5;
  assert_int_equal(dppair_release_histogram(v, 1, &release, 1.0), DPPAIR_ERR_LAW); /* an l1 */
  assert_true(v[0] == 0.0 && release.step == 0);
  assert_int_equal(release_v(1.0), DPPAIR_OK);
}

static void counts_need_the_law_of_their_norm(void **state) {
  dppair_plan plan = plan_of(1, 0, 2);
  (void)state;
  plan.noise = DPPAIR_LAPLACE;
  open_fresh(plan);
  assert_int_equal(release_v(1.0), DPPAIR_ERR_LAW); /* an l2 sensitivity */
  memset(v, 0, sizeof v);
  assert_int_equal(dppair_release_histogram(v, SIZE, &release, 3.0), DPPAIR_OK);
  assert_true(release.step == 1 && release.sigma >= 6.0 && release.sigma < 6.0 * (1 + 1e-12));
}

static void a_number_beyond_the_reach_of_noise_is_no_error(void **state) {
  static const double far[] = {1e300, -1e300, HUGE_VAL};
  (void)state;
  for (int grid = 0; grid <= 40; grid += 10) {
    open_fresh(plan_of(1, 1e-5, 3));
    for (int i = 0; i < 3; i++) {
      double reach;
      v[0] = far[i];
      v[1] = 0.0;
      assert_int_equal(dppair_release_vector_grid(v, 2, &release, 1.0, grid), DPPAIR_OK);
      reach = ldexp(release.sigma, 50 - grid);
      assert_true(fabs(fabs(v[0]) - reach) < 20 * release.sigma + reach * 1e-12);
      assert_true((v[0] < 0) == (far[i] < 0));
      assert_true(fabs(v[1]) < 20 * release.sigma);
    }
  }
  open_fresh(plan_of(1, 1e-5, 1)); /* a NaN has no such place: it voids the caller's proof */
  v[0] = 1, v[1] = (double)NAN;
  assert_int_equal(dppair_release_vector(v, 2, &release, 1.0), DPPAIR_ERR_NOT_FINITE);
  assert_true(v[0] == 0.0 && v[1] == 0.0 && release.step == 1);
}

/* --- keys ------------------------------------------------------------------------------------- */

/* The noise of `steps` releases of zeros, SIZE numbers each, at a scale of 1, in the plan that is
 * opened after `charges` others. */
static void noise_of(double *out, const uint8_t *key, const uint8_t *run, int charges, int steps) {
  dppair_release_keys keys;
  dppair_plan plan = plan_of(0, 0, (size_t)steps);
  keys.key = key;
  keys.nonce = run;
  plan.noise_multiplier = 1.0;
  dppair_accountant_init(&account);
  for (int i = 0; i <= charges; i++)
    assert_int_equal(dppair_release_open(&release, &account, &plan, &keys), DPPAIR_OK);
  memset(out, 0, (size_t)(steps * SIZE) * sizeof *out);
  for (int t = 0; t < steps; t++)
    assert_int_equal(dppair_release_vector(out + t * SIZE, SIZE, &release, 1.0), DPPAIR_OK);
}

static void noise_is_a_function_of_key_run_sequence_and_step(void **state) {
  static double all[7][3 * SIZE], again[3 * SIZE];
  uint8_t key[32], run[16];
  (void)state;
  noise_of(all[0], KEY, RUN, 0, 3);
  memcpy(key, KEY, 32);
  key[31] ^= 128;
  noise_of(all[1], key, RUN, 0, 3);
  for (int i = 0; i < 2; i++) { /* either half of the run */
    memcpy(run, RUN, 16);
    run[15 * i] ^= 1;
    noise_of(all[2 + i], KEY, run, 0, 3);
  }
  noise_of(all[4], KEY, RUN, 1, 3); /* the second charge */
  noise_of(all[5], KEY, RUN, 2, 3);
  noise_of(all[6], KEY, NULL, 0, 3); /* a run of the system */
  for (int i = 0; i < 7 * 3; i++)
    for (int j = 0; j < i; j++)
      assert_true(numbers_in_common(all[i / 3] + i % 3 * SIZE, all[j / 3] + j % 3 * SIZE) < 4);
  noise_of(again, KEY, RUN, 0, 3);
  assert_memory_equal(again, all[0], sizeof again);
  noise_of(again, KEY, RUN, 2, 3);
  assert_memory_equal(again, all[5], sizeof again);
}

static void a_release_that_failed_does_not_move_the_noise_of_the_next(void **state) {
  double all[2 * SIZE];
  dppair_plan plan = plan_of(0, 0, 2);
  (void)state;
  noise_of(all, KEY, RUN, 0, 2);
  plan.noise_multiplier = 1.0;
  open_fresh(plan);
  v[0] = (double)NAN;
  assert_int_equal(dppair_release_vector(v, SIZE, &release, 1.0), DPPAIR_ERR_NOT_FINITE);
  memset(v, 0, sizeof v);
  assert_int_equal(dppair_release_vector(v, SIZE, &release, 1.0), DPPAIR_OK);
  assert_memory_equal(v, all + SIZE, sizeof v);
}

static void two_plans_of_the_system_share_no_number(void **state) {
  double other[SIZE] = {0};
  dppair_plan plan = plan_of(0, 0, 1);
  (void)state;
  plan.noise_multiplier = 1.0;
  for (int i = 0; i < 2; i++) {
    dppair_accountant_init(&account);
    assert_int_equal(dppair_release_open(&release, &account, &plan, NULL), DPPAIR_OK);
    memset(v, 0, sizeof v);
    assert_int_equal(dppair_release_vector(v, SIZE, &release, 1.0), DPPAIR_OK);
    if (i == 0) memcpy(other, v, sizeof v);
  }
  assert_true(numbers_in_common(other, v) < 4);
}

static void the_noise_of_a_plan_is_not_that_of_its_key(void **state) {
  double plain[SIZE];
  dppair_rng rng;
  dppair_plan plan = plan_of(0, 0, 3);
  (void)state;
  plan.noise_multiplier = 1.0;
  for (uint64_t stream = 0; stream < 8; stream++) {
    memset(plain, 0, sizeof plain);
    assert_int_equal(dppair_rng_from_key(&rng, KEY, stream), DPPAIR_OK);
    assert_int_equal(dppair_add_gaussian_f64(plain, SIZE, 1.0, &rng), DPPAIR_OK);
    open_fresh(plan);
    for (int t = 0; t < 3; t++) {
      memset(v, 0, sizeof v);
      assert_int_equal(dppair_release_vector(v, SIZE, &release, 1.0), DPPAIR_OK);
      assert_true(numbers_in_common(plain, v) < 4);
    }
  }
}

static void copies_and_children_are_refused(void **state) {
  dppair_release copy;
  int code;
  pid_t child;
  (void)state;
  open_fresh(plan_of(1, 1e-5, 9));
  copy = release;
  assert_int_equal(dppair_release_vector(v, SIZE, &copy, 1.0), DPPAIR_ERR_CLOSED);
  child = fork();
  if (child == 0) { /* a caller's key is refused there too */
    size_t index[N], count;
    code = dppair_release_vector(v, SIZE, &release, 1.0) != DPPAIR_ERR_FORK;
    code |= draw_now(index, &count, N, &release) != DPPAIR_ERR_FORK;
    _exit(code);
  }
  assert_int_equal(waitpid(child, &code, 0), child);
  assert_int_equal(code, 0);
  assert_int_equal(release_v(1.0), DPPAIR_OK);
  dppair_release_close(&release);
  for (size_t i = 0; i < sizeof release; i++) assert_int_equal(((uint8_t *)&release)[i], 0);
  assert_int_equal(release_v(1.0), DPPAIR_ERR_CLOSED);
}

/* Call number `at` of a job: a draw, a third of the permit of its step, the rest of it. */
enum { JOB = 9 };
static double done[JOB][SIZE];
static dppair_status job(int at) {
  static size_t index[N];
  size_t count;
  for (int i = 0; i < SIZE; i++) done[at][i] = at % 3 == 0 ? 0.0 : i + 0.25;
  if (at % 3 == 0) return draw_now(index, &count, N, &release);
  if (at % 3 == 1) {
    const dppair_status status = dppair_release_part(&release, 0.3);
    if (status != DPPAIR_OK) memset(done[at], 0, sizeof done[at]);
    if (status != DPPAIR_OK) return status;
  }
  return dppair_release_vector(done[at], SIZE, &release, 1.0);
}

/* Wherever a job forks, between two draws of a step or of noise, one process goes on: it writes
 * what it would have written, and the other one nothing. */
static void a_job_that_forks_goes_on_in_one_process(void **state) {
  static double whole[JOB][SIZE];
  const dppair_plan plan = plan_of_draws(dppair_sampling_poisson(N, 60, DPPAIR_ZERO_OUT), 2.0, 3);
  (void)state;
  open_fresh(plan);
  for (int at = 0; at < JOB; at++) assert_int_equal(job(at), DPPAIR_OK);
  memcpy(whole, done, sizeof whole);
  for (int forked = 0; forked < JOB; forked++) {
    int code = 0;
    pid_t child;
    open_fresh(plan);
    for (int at = 0; at < forked; at++) assert_int_equal(job(at), DPPAIR_OK);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
      for (int at = forked; at < JOB; at++) {
        code |= job(at) != DPPAIR_ERR_FORK;
        for (int i = 0; i < SIZE; i++) code |= done[at][i] != 0.0;
      }
      _exit(code);
    }
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
    for (int at = forked; at < JOB; at++) assert_int_equal(job(at), DPPAIR_OK);
    assert_memory_equal(done, whole, sizeof whole);
  }
}

static void an_account_that_forgot_the_plan_is_refused(void **state) {
  dppair_accountant before;
  dppair_plan plan = plan_of(1, 1e-5, 9);
  (void)state;
  dppair_accountant_init(&account);
  before = account;
  assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_OK);
  account = before;
  assert_int_equal(release_v(1.0), DPPAIR_ERR_CLOSED);
  open_fresh(plan);
  for (int charges = 0; charges < 5; charges++) { /* emptied, and charged otherwise since */
    dppair_accountant_init(&account);
    for (int k = 0; k < charges; k++)
      assert_int_equal(dppair_accountant_pure(&account, 0.1, 1), DPPAIR_OK);
    assert_int_equal(release_v(1.0), DPPAIR_ERR_CLOSED);
  }
  assert_int_equal(release.step, 0);
  open_fresh(plan); /* charges that follow, and those of another account, change nothing */
  for (int k = 0; k < 200; k++) {
    assert_int_equal(dppair_accountant_failure(&account, 1e-12), DPPAIR_OK);
    if (k % 50 == 0) assert_int_equal(release_v(1.0), DPPAIR_OK);
  }
  before = account;
  assert_int_equal(dppair_accountant_merge(&account, &before), DPPAIR_OK);
  assert_int_equal(release_v(1.0), DPPAIR_OK);
  open_fresh(plan);
  assert_int_not_equal(dppair_accountant_pure(&account, -1.0, 1), DPPAIR_OK); /* broken */
  assert_int_not_equal(release_v(1.0), DPPAIR_OK);
}

/* --- draws ------------------------------------------------------------------------------------ */

static dppair_sampling sampling_of(int kind) {
  switch (kind) {
  case DPPAIR_POISSON:
    return dppair_sampling_poisson(N, 60, DPPAIR_REPLACE_ONE);
  case DPPAIR_WITHOUT_REPLACEMENT:
    return dppair_sampling_without_replacement(N, 60, DPPAIR_REPLACE_ONE);
  case DPPAIR_WITH_REPLACEMENT:
    return dppair_sampling_with_replacement(N, 400, DPPAIR_REPLACE_ONE);
  case DPPAIR_MATCHING:
    return dppair_sampling_matching(N, 60, DPPAIR_REPLACE_ONE);
  case DPPAIR_ALLOCATION:
    return dppair_sampling_allocation(N, 8, 1, DPPAIR_REPLACE_ONE);
  default:
    return dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  }
}

static void every_draw_is_what_its_sampling_draws(void **state) {
  static const size_t least[] = {N, 20, 60, 400, 60, 25}, most[] = {N, 120, 60, 400, 60, 110};
  static size_t index[N], again[N];
  (void)state;
  for (int kind = DPPAIR_ALL; kind <= DPPAIR_ALLOCATION; kind++) {
    const dppair_sampling s = sampling_of(kind);
    size_t count, first, seen[N] = {0}, twice = 0;
    open_fresh(plan_of_draws(s, 2.0, 2));
    assert_int_equal(draw_now(index, &count, N, &release), DPPAIR_OK);
    first = count;
    assert_int_equal(release.drawn, count);
    assert_true(count >= least[kind] && count <= most[kind]);
    for (size_t i = 0; i < count; i++) {
      assert_true(index[i] < N);
      twice += seen[index[i]]++ > 0;
    }
    assert_true(kind == DPPAIR_WITH_REPLACEMENT ? twice > 20 : twice == 0);
    /* one draw a step */
    assert_int_equal(draw_now(again, &count, N, &release), DPPAIR_ERR_EXHAUSTED);
    assert_true(count == 0 && again[0] == 0 && release.drawn == first);
    assert_int_equal(release_v(1.0), DPPAIR_OK);
    if (kind != DPPAIR_ALL) assert_int_equal(release_v(1.0), DPPAIR_ERR_NOT_DRAWN);
    assert_int_equal(draw_now(again, &count, N, &release), DPPAIR_OK);
    if (kind != DPPAIR_ALL)
      assert_true(count != first || memcmp(index, again, count * sizeof *index) != 0);
    assert_int_equal(release_v(1.0), DPPAIR_OK);
    assert_int_equal(draw_now(again, &count, N, &release), DPPAIR_ERR_EXHAUSTED);
    /* the same again from the same keys */
    open_fresh(plan_of_draws(s, 2.0, 2));
    assert_int_equal(draw_now(again, &count, N, &release), DPPAIR_OK);
    assert_int_equal(count, first);
    assert_memory_equal(index, again, count * sizeof *index);
  }
}

/* A sum of vectors of drawn records: j of one user move it j times as far as one, which is more
 * than the T(m, j)/(m-1) times that an account counts. The noise is for j, whatever j is drawn. */
static void several_records_of_a_person_move_a_sum_as_often_as_they_are_drawn(void **state) {
  (void)state;
  for (size_t m = 2; m <= 40; m = m < 9 ? m + 1 : m + 31)
    for (size_t owned = 1; owned <= m + 1; owned++) {
      dppair_sampling s = dppair_sampling_without_replacement(N, m, DPPAIR_REPLACE_USER);
      size_t index[N], count;
      double most = 1.0;
      s.owned = owned;
      open_fresh(plan_of_draws(s, 2.0, 1));
      assert_int_equal(draw_now(index, &count, N, &release), DPPAIR_OK);
      assert_int_equal(release_v(0.5), DPPAIR_OK);
      for (size_t j = 1; j <= owned && j <= m; j++) {
        const size_t q = j < m / 2 ? j : m / 2;
        most = fmax(most, (double)j * (double)(m - 1) / (double)(q * (m - q) + j * j / 4));
      }
      assert_true(release.sensitivity >= 0.5 * most && release.sensitivity <= 1.0);
      assert_true(release.sigma >= most);
      if (owned == 1) assert_true(release.sensitivity <= 0.5);
      if (m == 40 && owned <= 20) assert_true(release.sensitivity < 0.5 * most * 1.004);
    }
}

/* In each epoch every record is drawn once, by whichever process makes its batches. */
static void the_batches_of_an_epoch_belong_together_also_after_a_stop(void **state) {
  enum { BATCHES = 5, STEPS = 2 * BATCHES };
  static size_t index[STEPS][N], again[N];
  uint64_t serial[STEPS];
  size_t count[STEPS], bad;
  dppair_plan plan =
      plan_of_draws(dppair_sampling_allocation(N, BATCHES, 1, DPPAIR_ZERO_OUT), 2.0, STEPS);
  (void)state;
  plan.ledger = dppair_ledger_to(store, NULL);
  ledger_length = 0;
  open_keyed(&plan);
  for (size_t t = 0; t < STEPS; t++) {
    assert_int_equal(draw_now(index[t], &count[t], N, &release), DPPAIR_OK);
    serial[t] = drawn_now.serial;
    assert_int_equal(release_v(1.0), DPPAIR_OK);
  }
  for (size_t epoch = 0; epoch < 2; epoch++) {
    size_t times[N] = {0};
    for (size_t t = BATCHES * epoch; t < BATCHES * (epoch + 1); t++)
      for (size_t i = 0; i < count[t]; i++) times[index[t][i]]++;
    for (size_t i = 0; i < N; i++) assert_int_equal(times[i], 1);
  }
  assert_true(count[0] != count[BATCHES] ||
              memcmp(index[0], index[BATCHES], count[0] * sizeof **index) != 0);
  for (size_t stop = 0; stop < STEPS; stop += 3) {
    dppair_accountant_init(&account);
    assert_int_equal(dppair_accountant_neighbours(&account, DPPAIR_ZERO_OUT), DPPAIR_OK);
    assert_int_equal(dppair_ledger_replay(&account, &bad, ledger, ledger_length), DPPAIR_OK);
    assert_int_equal(
        dppair_release_resume(&release, &account, &plan, ledger, ledger_length - 1, KEY, stop),
        DPPAIR_OK);
    for (size_t t = stop; t < STEPS; t++) {
      size_t n;
      assert_int_equal(draw_now(again, &n, N - 1, &release), DPPAIR_ERR_SIZE);
      assert_int_equal(draw_now(again, &n, N, &release), DPPAIR_OK);
      assert_int_equal(n, count[t]);
      assert_true(drawn_now.serial == serial[t]); /* of the draw, also after a stop */
      assert_memory_equal(again, index[t], n * sizeof *again);
      assert_int_equal(release_v(1.0), DPPAIR_OK);
    }
  }
}

static void a_poisson_draw_needs_room_for_every_record(void **state) {
  static size_t index[N];
  size_t count = 1;
  (void)state;
  open_fresh(plan_of_draws(dppair_sampling_poisson(N, 10, DPPAIR_ZERO_OUT), 2.0, 1));
  assert_int_equal(draw_now(index, &count, N - 1, &release), DPPAIR_ERR_SIZE);
  assert_int_equal(count, 0);
  assert_int_equal(dppair_release_draw(NULL, index, N, &release), DPPAIR_ERR_NULL);
  assert_int_equal(draw_now(NULL, &count, N, &release), DPPAIR_ERR_NULL);
  assert_int_equal(release_v(1.0), DPPAIR_ERR_NOT_DRAWN);
  assert_int_equal(draw_now(index, &count, N, &release), DPPAIR_OK);
  assert_int_equal(release_v(1.0), DPPAIR_OK);
}

/* --- the laws --------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double law_cdf(dppair_mechanism_kind law, double z) {
  if (law == DPPAIR_LAPLACE) return z < 0 ? 0.5 * exp(z) : 1 - 0.5 * exp(-z);
  if (law == DPPAIR_L2BALL) return 1 - exp(-z) * (1 + z); /* the length in two dimensions */
  return 0.5 * erfc(-z / sqrt(2.0));
}

/* Kolmogorov and Smirnov: sqrt(m) D exceeds 2.2 once in 10^4. The key is fixed. */
static void the_noise_has_the_law_and_the_scale_of_the_plan(void **state) {
  static const dppair_mechanism_kind laws[] = {DPPAIR_GAUSSIAN, DPPAIR_LAPLACE, DPPAIR_L2BALL};
  enum { STEPS = 5000 };
  static double z[4 * STEPS];
  (void)state;
  for (size_t k = 0; k < 3; k++) {
    dppair_plan plan = plan_of_draws(dppair_sampling_all(N, DPPAIR_ZERO_OUT), 3.0, STEPS);
    const size_t size = laws[k] == DPPAIR_L2BALL ? 2 : 4;
    size_t m = 0;
    double worst = 0;
    plan.noise = laws[k];
    open_fresh(plan);
    for (int t = 0; t < STEPS; t++) {
      double x[4] = {10, 20, 30, 40};
      if (laws[k] == DPPAIR_LAPLACE)
        assert_int_equal(dppair_release_histogram(x, size, &release, 0.5), DPPAIR_OK);
      else
        assert_int_equal(dppair_release_vector(x, size, &release, 0.5), DPPAIR_OK);
      for (size_t i = 0; i < size; i++) x[i] = (x[i] - 10.0 * (double)(i + 1)) / 1.5;
      if (size == 2)
        z[m++] = hypot(x[0], x[1]);
      else
        for (size_t i = 0; i < size; i++) z[m++] = x[i];
    }
    qsort(z, m, sizeof *z, ascending);
    for (size_t i = 0; i < m; i++) {
      const double f = law_cdf(laws[k], z[i]), at = (double)i / (double)m;
      worst = fmax(worst, fmax(f - at, at + 1.0 / (double)m - f));
    }
    assert_true(worst * sqrt((double)m) < 2.2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(the_account_ends_within_the_plan_to_twelve_digits),
      TEST(a_second_plan_gets_what_the_first_one_left),
      TEST(pure_laws_share_epsilon),
      TEST(what_is_wrong_with_a_plan_costs_nothing),
      TEST(null_arguments_are_refused),
      TEST(an_account_of_other_neighbours_is_refused),
      TEST(a_line_is_written_before_the_charge_and_replays),
      TEST(a_line_that_is_not_stored_breaks_the_account),
      TEST(a_ledger_that_is_half_made_is_refused_before_it_is_paid),
      TEST(each_line_of_a_plan_must_be_stored),
      TEST(a_stopped_plan_goes_on_where_it_was),
      TEST(a_stopped_plan_of_matched_groups_goes_on),
      TEST(only_a_line_that_was_charged_and_planned_is_resumed),
      TEST(a_run_that_was_completed_can_be_gone_on_with),
      TEST(so_many_releases_as_were_paid_for),
      TEST(errors_of_public_arguments_use_no_permit),
      TEST(counts_need_the_law_of_their_norm),
      TEST(a_number_beyond_the_reach_of_noise_is_no_error),
      TEST(noise_is_a_function_of_key_run_sequence_and_step),
      TEST(a_release_that_failed_does_not_move_the_noise_of_the_next),
      TEST(two_plans_of_the_system_share_no_number),
      TEST(the_noise_of_a_plan_is_not_that_of_its_key),
      TEST(copies_and_children_are_refused),
      TEST(a_job_that_forks_goes_on_in_one_process),
      TEST(an_account_that_forgot_the_plan_is_refused),
      TEST(every_draw_is_what_its_sampling_draws),
      TEST(several_records_of_a_person_move_a_sum_as_often_as_they_are_drawn),
      TEST(the_batches_of_an_epoch_belong_together_also_after_a_stop),
      TEST(a_poisson_draw_needs_room_for_every_record),
      TEST(the_noise_has_the_law_and_the_scale_of_the_plan),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
