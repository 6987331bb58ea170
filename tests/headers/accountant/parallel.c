/* SPDX-License-Identifier: MIT */
/* Parallel composition: parts of one relation only, answered as tightly as one account is; against
 * the privacy of all outputs of small mechanisms, enumerated. */
#include "accountant_common.h"
#include "questions.h"

static void *room;
static size_t bytes;

static int open_room(void **state) {
  (void)state;
  if (dppair_composer_workspace(&bytes, NULL) != DPPAIR_OK) return 1;
  room = malloc(bytes);
  return room == NULL;
}
static int close_room(void **state) {
  (void)state;
  free(room);
  return 0;
}

static dppair_accountant empty(void) {
  dppair_accountant a;
  assert_ok(dppair_accountant_init(&a));
  return a;
}
static dppair_accountant sampled(dppair_adjacency adjacency, double q, double z, size_t steps) {
  dppair_accountant a = empty();
  const dppair_sampling s = {DPPAIR_POISSON, adjacency, q, 0, 0, 0, 0, 0};
  assert_ok(dppair_accountant_sampled_gaussian(&a, s, 1.0, z, steps));
  return a;
}
static dppair_accountant plain(double z) {
  dppair_accountant a = empty();
  assert_ok(dppair_accountant_gaussian(&a, 1.0, z, 1));
  return a;
}
static dppair_accountant told(dppair_accountant a, dppair_adjacency adjacency) {
  assert_ok(dppair_accountant_neighbours(&a, adjacency));
  return a;
}

static void parallel_parts_cost_the_worst(void **state) {
  dppair_accountant part[4]; /* the last one is for a turn of the others */
  dppair_interval e;
  double d;
  int i;
  (void)state;
  for (i = 0; i < 3; i++) part[i] = plain(3.0 - i);
  for (i = 0; i < 3; i++) {
    assert_ok(parallel_epsilon(&e, part, 3, 1e-5, i == 1 ? room : NULL, i == 1 ? bytes : 0));
    assert_ok(dppair_gaussian_epsilon(&d, 1e-5, 1.0));
    assert_close(e.upper, d, 1e-12);
    assert_close(e.lower, d, 1e-12);
    assert_true(e.route == DPPAIR_ROUTE_CLOSED && e.lower <= e.upper);
    part[3] = part[0], part[0] = part[1], part[1] = part[2], part[2] = part[3];
  }
}

/* A replaced record of the first part costs 10.88, not the 6.71 of one that is zeroed. */
static void parts_of_different_neighbours_are_refused(void **state) {
  static const dppair_interval nothing;
  const dppair_adjacency zero = DPPAIR_ZERO_OUT, replace = DPPAIR_REPLACE_ONE;
  dppair_accountant part[3];
  dppair_interval e;
  int with;
  (void)state;
  part[0] = sampled(zero, 0.01, 1.0, 10000);
  part[1] = sampled(replace, 1.0, 50.0, 1);
  part[2] = sampled(replace, 0.01, 1.0, 10000);
  for (with = 0; with < 2; with++) {
    memset(&e, 1, sizeof e);
    assert_int_equal(parallel_epsilon(&e, part, 2, 1e-5, with ? room : NULL, with ? bytes : 0),
                     DPPAIR_ERR_ADJACENCY);
    assert_memory_equal(&e, &nothing, sizeof e);
  }
  assert_ok(parallel_epsilon(&e, part, 1, 1e-5, room, bytes));
  assert_close(e.upper, 6.1877, 1e-4);
  assert_ok(parallel_epsilon(&e, part + 1, 2, 1e-5, room, bytes));
  assert_close(e.upper, 10.8808, 1e-4);
  /* Users and records, a statement beside steps without one. */
  part[1] = told(empty(), DPPAIR_ZERO_USER);
  assert_ok(dppair_accountant_gaussian(&part[1], 1.0, 50.0, 1));
  assert_int_equal(parallel_epsilon(&e, part, 2, 1e-5, NULL, 0), DPPAIR_ERR_ADJACENCY);
  part[1] = plain(50.0);
  assert_ok(parallel_epsilon(&e, part, 2, 1e-5, room, bytes)); /* as in one account */
  part[0] = told(part[0], zero);
  assert_int_equal(parallel_epsilon(&e, part, 2, 1e-5, NULL, 0), DPPAIR_ERR_ADJACENCY);
}

static void an_empty_part_fits_any_neighbours(void **state) {
  dppair_accountant part[3];
  dppair_interval alone, e;
  (void)state;
  part[0] = told(empty(), DPPAIR_REPLACE_ONE);
  part[1] = sampled(DPPAIR_ZERO_OUT, 0.01, 1.0, 100);
  part[2] = empty();
  assert_ok(certify(&alone, &part[1], 1e-5, room, bytes));
  assert_ok(parallel_epsilon(&e, part, 3, 1e-5, room, bytes));
  assert_memory_equal(&e, &alone, sizeof e);
  assert_ok(parallel_epsilon(&e, part + 2, 1, 1e-5, room, bytes));
  assert_true(e.upper == 0.0 && e.lower == 0.0);
}

static void parallel_answers_are_those_of_one_account(void **state) {
  dppair_accountant part[2], turned[2];
  dppair_interval e, own[2], renyi;
  size_t i, most = 0;
  (void)state;
  part[0] = sampled(DPPAIR_REPLACE_ONE, 0.01, 1.0, 100);
  part[1] = sampled(DPPAIR_REPLACE_ONE, 0.02, 2.0, 100);
  for (i = 0; i < 2; i++) assert_ok(certify(&own[i], &part[i], 1e-5, room, bytes));
  assert_true(own[0].upper > own[1].upper);
  assert_ok(parallel_epsilon(&e, part, 2, 1e-5, room, bytes));
  assert_memory_equal(&e, &own[0], sizeof e);
  turned[0] = part[1], turned[1] = part[0];
  assert_ok(parallel_epsilon(&e, turned, 2, 1e-5, room, bytes));
  assert_memory_equal(&e, &own[0], sizeof e);
  assert_close(e.upper, 0.895, 1e-3);
  assert_true(e.lower > 0.999 * e.upper && e.route != DPPAIR_ROUTE_RENYI);
  assert_ok(renyi_epsilon(&renyi, &part[0], 1e-5));
  assert_close(renyi.upper, 1.336, 1e-3);
  assert_true(renyi.route == DPPAIR_ROUTE_RENYI && renyi.order > 1.0 && renyi.lower == 0.0);
  /* Without memory nothing looser is said: what the part that needs most of it needs. */
  assert_ok(dppair_accountant_sampled_gaussian(
      &part[1], dppair_sampling_poisson(100, 3, DPPAIR_REPLACE_ONE), 1.0, 20.0, 1));
  for (i = 0; i < 2; i++) {
    assert_int_equal(certify(&own[i], &part[i], 1e-5, NULL, 0), DPPAIR_ERR_WORKSPACE);
    if (own[i].bytes > most) most = own[i].bytes;
  }
  assert_true(own[1].bytes > own[0].bytes);
  for (i = 0; i < 2; i++) {
    const dppair_accountant three[3] = {part[i], plain(9.0), part[1 - i]};
    memset(&e, 1, sizeof e);
    assert_int_equal(parallel_epsilon(&e, three, 3, 1e-5, NULL, 0), DPPAIR_ERR_WORKSPACE);
    assert_true(e.bytes == most && e.upper == 0.0 && e.lower == 0.0 && e.estimate == 0.0);
    assert_ok(parallel_epsilon(&e, three, 3, 1e-5, room, most));
    assert_true(e.bytes == 0 && e.upper > 0.5);
  }
  /* Another error says nothing of memory. */
  assert_ok(dppair_accountant_failure(&part[1], 1e-4));
  assert_int_equal(parallel_epsilon(&e, part, 2, 1e-5, NULL, 0), DPPAIR_ERR_DELTA);
  assert_true(e.bytes == 0);
}

/* The larger lower end may be that of another part than the larger upper end. */
static void parallel_bounds_are_the_largest_of_each(void **state) {
  dppair_accountant part[2];
  dppair_interval e, own[2];
  dppair_step step;
  (void)state;
  memset(&step, 0, sizeof step);
  step.kind = DPPAIR_ZCDP, step.noise_multiplier = 0.4, step.steps = 1;
  part[0] = empty(), part[1] = plain(1.2);
  assert_ok(dppair_accountant_step(&part[0], &step));
  assert_ok(certify(&own[0], &part[0], 1e-5, room, bytes));
  assert_ok(certify(&own[1], &part[1], 1e-5, room, bytes));
  assert_true(own[0].lower == 0.0 && own[1].lower > 0.0 && own[0].upper > own[1].upper);
  assert_ok(parallel_epsilon(&e, part, 2, 1e-5, room, bytes));
  assert_true(e.upper == own[0].upper && e.lower == own[1].lower && e.order == own[0].order);
  assert_true(e.route == own[0].route && e.estimate == e.upper);
}

static void parallel_refuses_what_one_account_refuses(void **state) {
  dppair_accountant part[2];
  dppair_interval e;
  (void)state;
  part[0] = part[1] = plain(1.0);
  assert_int_equal(parallel_epsilon(NULL, part, 2, 1e-5, NULL, 0), DPPAIR_ERR_NULL);
  assert_int_equal(parallel_epsilon(&e, NULL, 2, 1e-5, NULL, 0), DPPAIR_ERR_NULL);
  assert_int_equal(parallel_epsilon(&e, part, 0, 1e-5, NULL, 0), DPPAIR_ERR_SIZE);
  {
    dppair_composer none;
    memset(&none, 0, sizeof none);                                /* never dppair_composer_init */
    assert_ok(dppair_parallel_epsilon(&e, part, 2, 1e-5, &none)); /* closed forms do not read it */
    assert_int_equal(dppair_composer_init(&none, NULL, 8), DPPAIR_ERR_NULL);
    part[0] = sampled(DPPAIR_ZERO_OUT, 0.01, 1.0, 100);
    assert_int_equal(dppair_parallel_epsilon(&e, part, 2, 1e-5, &none), DPPAIR_ERR_NULL);
    part[0] = part[1];
  }
  assert_int_equal(parallel_epsilon(&e, part, 2, 0.0, NULL, 0), DPPAIR_ERR_DELTA);
  assert_int_equal(parallel_epsilon(&e, part, 2, 1.0, NULL, 0), DPPAIR_ERR_DELTA);
  assert_int_equal(parallel_epsilon(&e, part, 2, TEST_NAN, NULL, 0), DPPAIR_ERR_NOT_FINITE);
  part[0] = sampled(DPPAIR_ZERO_OUT, 0.01, 1.0, 100);
  assert_int_equal(parallel_epsilon(&e, part, 1, 1e-5, room, 64), DPPAIR_ERR_WORKSPACE);
  part[1].broken = DPPAIR_ERR_SIGMA;
  assert_int_equal(parallel_epsilon(&e, part, 2, 1e-5, room, bytes), DPPAIR_ERR_SIGMA);
}

/* ---- Enumerated ------------------------------------------------------------------------------ */

/* Each of RECORDS bits is told by a coin that is right with probability r, `runs` times; the first
 * two records are one part, the third is the other. The probability of `output`, a word with a bit
 * for each run of each record: */
enum { RECORDS = 3, LEFT = 2, LEFT_RUNS = 2, BITS = LEFT * LEFT_RUNS + 1 };
static wide probability(unsigned data, unsigned output, double left, double right) {
  wide p = 1;
  int bit;
  for (bit = 0; bit < BITS; bit++) {
    const int record = bit < LEFT * LEFT_RUNS ? bit / LEFT_RUNS : LEFT;
    const wide odds = wexp((wide)(record < LEFT ? left : right));
    const int same = ((output >> bit) & 1) == ((data >> record) & 1);
    p *= (same ? odds : 1) / (1 + odds);
  }
  return p;
}

/* The largest delta of all neighbours, one bit replaced. */
static double enumerated_delta(double epsilon, double left, double right) {
  wide worst = 0;
  unsigned data, record, output;
  for (data = 0; data < 1u << RECORDS; data++)
    for (record = 0; record < RECORDS; record++) {
      wide delta = 0;
      for (output = 0; output < 1u << BITS; output++) {
        const wide more =
            probability(data, output, left, right) -
            wexp((wide)epsilon) * probability(data ^ (1u << record), output, left, right);
        if (more > 0) delta += more;
      }
      if (delta > worst) worst = delta;
    }
  return (double)worst;
}

static void enumerated_outputs_keep_to_the_bounds(void **state) {
  static const double rates[][2] = {{0.3, 0.5}, {0.2, 0.5}, {0.1, 1.0}, {1.0, 1.9}};
  size_t k, i;
  (void)state;
  for (k = 0; k < sizeof rates / sizeof *rates; k++) {
    const double left = rates[k][0], right = rates[k][1];
    const double most = LEFT_RUNS * left > right ? LEFT_RUNS * left : right;
    dppair_accountant part[2];
    dppair_interval e;
    dppair_step step;
    part[0] = empty(), part[1] = empty();
    memset(&step, 0, sizeof step);
    step.kind = DPPAIR_RANDOMISED_RESPONSE;
    step.noise_multiplier = left, step.steps = LEFT_RUNS;
    assert_ok(dppair_accountant_step(&part[0], &step));
    step.noise_multiplier = right, step.steps = 1;
    assert_ok(dppair_accountant_step(&part[1], &step));
    assert_ok(parallel_epsilon(&e, part, 2, 0.0, NULL, 0));
    assert_close(e.upper, most, 1e-15);
    assert_true(e.route == DPPAIR_ROUTE_PURE);
    for (i = 0; i < 9; i++) {
      const double epsilon = most * (double)i / 9.0 + 1e-3;
      const double delta = enumerated_delta(epsilon, left, right);
      assert_true(delta > 1e-6);
      assert_ok(parallel_epsilon(&e, part, 2, delta, room, bytes));
      assert_at_most(epsilon, e.upper * (1.0 + 1e-9));
      assert_at_most(e.lower, epsilon * (1.0 + 1e-9));
      assert_close(e.upper, epsilon, 1e-3); /* no looser than the truth: both ends are attained */
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(parallel_parts_cost_the_worst),
      TEST(parts_of_different_neighbours_are_refused),
      TEST(an_empty_part_fits_any_neighbours),
      TEST(parallel_answers_are_those_of_one_account),
      TEST(parallel_bounds_are_the_largest_of_each),
      TEST(parallel_refuses_what_one_account_refuses),
      TEST(enumerated_outputs_keep_to_the_bounds),
  };
  return RUN_TESTS(tests, open_room, close_room);
}
