/* SPDX-License-Identifier: MIT */
/* Accounts: whose neighbours they are about, what they count and chain. */
#include "accountant_common.h"

static const dppair_adjacency unstated = (dppair_adjacency)0, replace = DPPAIR_REPLACE_ONE,
                              zero = DPPAIR_ZERO_OUT;

static dppair_accountant fresh(void) {
  dppair_accountant a;
  assert_ok(dppair_accountant_init(&a));
  return a;
}

static dppair_step plain(dppair_mechanism_kind kind, double z, size_t steps,
                         dppair_adjacency adjacency) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = kind;
  s.noise_multiplier = z;
  s.steps = steps;
  s.sampling.adjacency = adjacency;
  return s;
}

static dppair_status sampled(dppair_accountant *a, dppair_adjacency adjacency) {
  return dppair_accountant_sampled_gaussian(a, test_sampling(DPPAIR_POISSON, adjacency, 0.01, 0, 0),
                                            1.0, 2.0, 10);
}

static void assert_broken(dppair_accountant *a, dppair_status want) {
  double e;
  assert_int_equal(dppair_accountant_epsilon(&e, a, 1e-5), want);
  assert_true(e == 0.0);
  assert_int_equal(dppair_accountant_neighbours(a, replace), want);
  assert_int_equal(dppair_accountant_gaussian(a, 1, 1, 1), want);
}

/* ---- Whose neighbours ------------------------------------------------------------------------ */

static void stated_neighbours_are_those_of_every_step(void **state) {
  dppair_accountant a = fresh(), b;
  dppair_step s;
  (void)state;
  assert_true(a.adjacency == unstated);
  assert_ok(dppair_accountant_neighbours(&a, zero));
  assert_ok(dppair_accountant_neighbours(&a, zero));
  assert_ok(dppair_accountant_gaussian(&a, 1, 1, 1));
  assert_ok(dppair_accountant_laplace(&a, 1, 1, 1));
  assert_ok(dppair_accountant_pure(&a, 1, 1));
  assert_ok(sampled(&a, zero));
  assert_true(a.adjacency == zero);
  assert_true(a.step[0].sampling.adjacency == zero && a.step[1].sampling.adjacency == zero);
  b = a;
  assert_int_equal(dppair_accountant_neighbours(&b, replace), DPPAIR_ERR_ADJACENCY);
  assert_broken(&b, DPPAIR_ERR_ADJACENCY);
  b = a;
  assert_int_equal(dppair_accountant_neighbours(&b, (dppair_adjacency)17), DPPAIR_ERR_ADJACENCY);
  assert_broken(&b, DPPAIR_ERR_ADJACENCY);
  b = a;
  assert_int_equal(sampled(&b, replace), DPPAIR_ERR_ADJACENCY);
  assert_broken(&b, DPPAIR_ERR_ADJACENCY);
  s = plain(DPPAIR_GAUSSIAN, 1, 1, replace);
  assert_int_equal(dppair_accountant_step(&a, &s), DPPAIR_ERR_ADJACENCY);
  assert_broken(&a, DPPAIR_ERR_ADJACENCY);
  assert_int_equal(dppair_accountant_neighbours(NULL, replace), DPPAIR_ERR_NULL);
}

/* What every step states need not be stated besides. */
static void steps_that_all_state_their_neighbours_state_them(void **state) {
  dppair_accountant a = fresh();
  const dppair_step s = plain(DPPAIR_LAPLACE, 1, 1, replace);
  (void)state;
  assert_ok(sampled(&a, replace));
  assert_ok(dppair_accountant_step(&a, &s));
  assert_true(a.adjacency == replace);
  assert_ok(dppair_accountant_failure(&a, 1e-9)); /* of any neighbours */
  assert_true(a.adjacency == replace);
  assert_ok(dppair_accountant_neighbours(&a, replace));
  assert_ok(dppair_accountant_pure(&a, 1, 1));
  assert_true(a.adjacency == replace);
}

/* An account that holds a step which states nothing is unstated for good: what others say must not
 * be taken for what that one meant. */
static void an_unstated_step_leaves_the_account_unstated(void **state) {
  int i;
  (void)state;
  for (i = 0; i < 5; i++) {
    dppair_accountant a = fresh(), b;
    const dppair_step s = plain(DPPAIR_RANDOMISED_RESPONSE, 1, 1, unstated);
    double e;
    if (i == 4) assert_ok(sampled(&a, zero));
    if (i == 0) assert_ok(dppair_accountant_gaussian(&a, 1, 1, 1));
    if (i == 1) assert_ok(dppair_accountant_laplace(&a, 1, 1, 1));
    if (i == 2) assert_ok(dppair_accountant_pure(&a, 1, 1));
    if (i >= 3) assert_ok(dppair_accountant_step(&a, &s));
    assert_true(a.adjacency == unstated);
    assert_ok(sampled(&a, zero));
    assert_true(a.adjacency == unstated);
    assert_ok(dppair_accountant_epsilon(&e, &a, 1e-5));
    assert_true(e > 0.0);
    b = a;
    assert_int_equal(dppair_accountant_neighbours(&b, zero), DPPAIR_ERR_ADJACENCY);
    assert_broken(&b, DPPAIR_ERR_ADJACENCY);
    assert_int_equal(sampled(&a, replace), DPPAIR_ERR_ADJACENCY);
    assert_broken(&a, DPPAIR_ERR_ADJACENCY);
  }
}

/* ---- What is counted and chained ------------------------------------------------------------- */

/* The check of a charge that stands first. */
static uint64_t check_of(const dppair_ledger_entry *e) { return dppair_ledger_check_of_(0, e); }

static void every_charge_has_a_number_and_changes_the_check(void **state) {
  dppair_accountant a = fresh(), b;
  uint64_t seen[9];
  int i, j;
  (void)state;
  assert_true(a.sequence == 0 && a.check == 0);
  seen[0] = 0;
  assert_ok(dppair_accountant_neighbours(&a, replace)); /* no charge */
  assert_ok(dppair_accountant_failure(&a, 0));          /* nor this */
  for (i = 1; i < 9; i++) {
    const dppair_step s = plain(DPPAIR_ZCDP, 0.1, 1, unstated);
    assert_true(a.sequence == (uint64_t)i - 1);
    assert_int_equal(
        i == 1   ? dppair_accountant_gaussian(&a, 1, 1, 1)
        : i == 2 ? dppair_accountant_gaussian(&a, 1, 1, 1) /* the same again counts again */
        : i == 3 ? dppair_accountant_laplace(&a, 1, 1, 1)
        : i == 4 ? dppair_accountant_pure(&a, 1, 1)
        : i == 5 ? sampled(&a, replace)
        : i == 6 ? dppair_accountant_sampled_pairs(
                       &a, test_sampling(DPPAIR_POISSON, replace, 1e-4, 100, 0), 1, 1, 1)
        : i == 7 ? dppair_accountant_step(&a, &s)
                 : dppair_accountant_failure(&a, 1e-9),
        DPPAIR_OK);
    seen[i] = a.check;
    for (j = 0; j < i; j++) assert_true(seen[j] != seen[i]);
    assert_true(a.recent[i % DPPAIR_RECENT_CHARGES] == a.check);
  }
  /* what is refused is not counted */
  b = a;
  assert_int_equal(dppair_accountant_gaussian(&b, 0, 1, 1), DPPAIR_ERR_SENSITIVITY);
  assert_true(b.sequence == a.sequence && b.check == a.check);
}

/* Every bit of every value of a charge changes its check, and so does its place. */
static void the_check_sees_every_bit_of_a_charge(void **state) {
  dppair_ledger_entry e;
  uint64_t *count[1], bits;
  size_t *size[3];
  double *number[6];
  uint64_t first;
  int i, b;
  (void)state;
  memset(&e, 0, sizeof e);
  e.sequence = 5;
  for (i = 0; i < 16; i++) e.run[i] = (uint8_t)(i + 1);
  e.step = plain(DPPAIR_SAMPLED_PAIRS, 3, 7, zero);
  e.step.sampling = test_sampling(DPPAIR_POISSON, zero, 0.25, 100, 10);
  e.step.pair_rate = 1.0 / 3.0;
  e.failure = 1e-9;
  e.sensitivity = 0.1;
  e.sigma = 0.3;
  number[0] = &e.step.sampling.q;
  number[1] = &e.step.pair_rate;
  number[2] = &e.step.noise_multiplier;
  number[3] = &e.failure;
  number[4] = &e.sensitivity;
  number[5] = &e.sigma;
  size[0] = &e.step.sampling.n;
  size[1] = &e.step.sampling.m;
  size[2] = &e.step.steps;
  count[0] = &e.sequence;
  first = check_of(&e);
  /* the same on every machine and compiler, and in later versions */
  assert_true(first == UINT64_C(0xbf7873157e5db4c3));
  e.check = 1; /* no part of itself */
  assert_true(check_of(&e) == first);
  assert_true(dppair_ledger_check_of_(1, &e) != first);
  for (i = 0; i < 16 * 8; i++) {
    e.run[i / 8] ^= (uint8_t)(1 << i % 8);
    assert_true(check_of(&e) != first);
    e.run[i / 8] ^= (uint8_t)(1 << i % 8);
  }
  for (b = 0; b < 64; b++) {
    const uint64_t bit = UINT64_C(1) << b;
    for (i = 0; i < 6; i++) {
      const double kept = *number[i];
      memcpy(&bits, &kept, sizeof bits);
      bits ^= bit;
      memcpy(number[i], &bits, sizeof bits);
      assert_true(check_of(&e) != first);
      *number[i] = kept;
    }
    *count[0] ^= bit;
    assert_true(check_of(&e) != first);
    *count[0] ^= bit;
    for (i = 0; i < 3 && bit <= SIZE_MAX; i++) {
      *size[i] ^= (size_t)bit;
      assert_true(check_of(&e) != first);
      *size[i] ^= (size_t)bit;
    }
  }
  e.step.kind = DPPAIR_SAMPLED_GAUSSIAN;
  assert_true(check_of(&e) != first);
  e.step.kind = DPPAIR_SAMPLED_PAIRS;
  e.step.sampling.kind = DPPAIR_MATCHING;
  assert_true(check_of(&e) != first);
  e.step.sampling.kind = DPPAIR_POISSON;
  e.step.sampling.adjacency = replace;
  assert_true(check_of(&e) != first);
  e.step.sampling.adjacency = zero;
  assert_true(check_of(&e) == first);
  /* a value at the place of another */
  e.step.sampling.n = 10;
  e.step.sampling.m = 100;
  assert_true(check_of(&e) != first);
  /* -0 is written as 0 */
  e.step.sampling.q = 0.0;
  first = check_of(&e);
  e.step.sampling.q = -0.0;
  assert_true(check_of(&e) == first);
}

/* ---- Adding up ------------------------------------------------------------------------------- */

static void a_merged_account_counts_both_and_is_no_chain(void **state) {
  dppair_accountant a = fresh(), b = fresh(), c, d;
  double x, y;
  (void)state;
  assert_ok(dppair_accountant_gaussian(&a, 1, 5, 3));
  assert_ok(dppair_accountant_gaussian(&b, 1, 7, 2));
  assert_ok(dppair_accountant_laplace(&b, 1, 20, 2));
  assert_ok(dppair_accountant_failure(&b, 1e-9));
  c = a;
  assert_ok(dppair_accountant_merge(&c, &b));
  assert_true(c.sequence == 4 && c.check != a.check && c.check != b.check);
  d = b;
  assert_ok(dppair_accountant_merge(&d, &a));
  assert_true(d.sequence == 4 && d.check != c.check);
  assert_ok(dppair_accountant_epsilon(&x, &c, 1e-5));
  assert_ok(dppair_accountant_epsilon(&y, &d, 1e-5));
  assert_close(x, y, 1e-12);
  d = a; /* charged as b was, the chain is another */
  assert_ok(dppair_accountant_gaussian(&d, 1, 7, 2));
  assert_ok(dppair_accountant_laplace(&d, 1, 20, 2));
  assert_ok(dppair_accountant_failure(&d, 1e-9));
  assert_true(d.sequence == 4 && d.check != c.check);
  assert_ok(dppair_accountant_epsilon(&y, &d, 1e-5));
  assert_close(x, y, 1e-12);
  /* nothing adds nothing */
  d = fresh();
  c = a;
  assert_ok(dppair_accountant_merge(&c, &d));
  assert_memory_equal(&c, &a, sizeof a);
}

static void merged_accounts_are_about_the_same_neighbours(void **state) {
  dppair_accountant told = fresh(), all = fresh(), other = fresh(), silent = fresh(), c;
  (void)state;
  assert_ok(dppair_accountant_neighbours(&told, zero));
  assert_ok(dppair_accountant_gaussian(&told, 1, 5, 1));
  assert_ok(sampled(&all, zero));
  assert_ok(sampled(&other, replace));
  assert_ok(dppair_accountant_gaussian(&silent, 1, 5, 1));
  c = all;
  assert_ok(dppair_accountant_merge(&c, &told));
  assert_true(c.adjacency == zero && c.stated == 1);
  c = told;
  assert_ok(dppair_accountant_merge(&c, &all));
  assert_true(c.adjacency == zero && c.stated == 1);
  c = all;
  assert_ok(dppair_accountant_merge(&c, &silent));
  assert_true(c.adjacency == unstated);
  assert_int_equal(dppair_accountant_merge(&c, &other), DPPAIR_ERR_ADJACENCY);
  assert_broken(&c, DPPAIR_ERR_ADJACENCY);
  c = silent;
  assert_ok(dppair_accountant_merge(&c, &all));
  assert_true(c.adjacency == unstated);
  assert_int_equal(dppair_accountant_neighbours(&c, zero), DPPAIR_ERR_ADJACENCY);
  c = silent;
  assert_int_equal(dppair_accountant_merge(&c, &told), DPPAIR_ERR_ADJACENCY);
  assert_broken(&c, DPPAIR_ERR_ADJACENCY);
  c = told;
  assert_int_equal(dppair_accountant_merge(&c, &silent), DPPAIR_ERR_ADJACENCY);
  assert_broken(&c, DPPAIR_ERR_ADJACENCY);
  c = all;
  assert_int_equal(dppair_accountant_merge(&c, &other), DPPAIR_ERR_ADJACENCY);
  assert_broken(&c, DPPAIR_ERR_ADJACENCY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(stated_neighbours_are_those_of_every_step),
      TEST(steps_that_all_state_their_neighbours_state_them),
      TEST(an_unstated_step_leaves_the_account_unstated),
      TEST(every_charge_has_a_number_and_changes_the_check),
      TEST(the_check_sees_every_bit_of_a_charge),
      TEST(a_merged_account_counts_both_and_is_no_chain),
      TEST(merged_accounts_are_about_the_same_neighbours),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
