/* SPDX-License-Identifier: MIT */
/*
 * Epsilon and delta of random accounts are inverse to each other, as tightly as is said of each,
 * and no answer without a composer is looser than one with it: it is the same, or it is WORKSPACE
 * and says how many bytes are enough.
 *
 * What holds of the truth holds with certainty: with e = upper of epsilon(d) the truth at e is at
 * most d, so `lower` of delta(e) is; likewise the other way round. What is tight: e only helps as it
 * is rounded up, so delta(e) exceeds d by no more than its own bracket's width: 1e-3 of delta by
 * composition (compose.h), where two routes may stay apart by twice that, 1e-3 by the search where
 * zCDP steps are beside others, next to nothing by closed forms. Epsilon's bracket is wider than
 * 5e-5 of itself by no route here for delta from 1e-12 on (farther out atoms leave the lattice a
 * few per cent). A perturbed objective is asked for delta up to 0.01: what its losses leave out
 * shifts epsilon, and below the shift delta has a chord, of which epsilon makes no use. Renyi orders are found by a search, and conversions of the same
 * order are inverse to each other: 1e-6. Pure steps and failures are in delta with all their digits.
 */
#include "accountant_common.h"

#include "questions.h"
#include "random.h"

enum { ROUNDS = FEWER(200) / 20 + 1 };
enum { PLAIN, SAMPLED, PURE, LAPLACE, ZCDP, ZCDP_BESIDE, OBJECTIVE, SEVERAL, KINDS };

static void *room;
static size_t room_bytes;

static int open_room(void **state) {
  (void)state;
  if (dppair_composer_workspace(&room_bytes, NULL) != DPPAIR_OK) return 1;
  room = malloc(room_bytes);
  return room == NULL;
}
static int close_room(void **state) {
  (void)state;
  free(room);
  return 0;
}

static int chance(int of) { return (int)(random_bits() >> 33) % of == 0; }

static void charge(dppair_accountant *a, dppair_mechanism_kind kind, double z, size_t steps,
                   double ridge) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = kind, s.noise_multiplier = z, s.steps = steps, s.ridge = ridge;
  assert_ok(dppair_accountant_step(a, &s));
}

static void charge_sampled(dppair_accountant *a) {
  const size_t m = 1 + below(200), n = 1000 + below(100000);
  const double z = log_between(0.8, 8.0);
  const size_t steps = (size_t)log_between(20.0, 5000.0);
  assert_ok(dppair_accountant_sampled_gaussian(a, dppair_sampling_poisson(n, m, DPPAIR_ZERO_OUT),
                                               1.0, z, steps));
}

static dppair_accountant random_account(int kind) {
  dppair_accountant a;
  const size_t steps = 1 + below(8);
  assert_ok(dppair_accountant_init(&a));
  assert_ok(dppair_accountant_neighbours(&a, DPPAIR_ZERO_OUT));
  switch (kind) {
  case PLAIN:
    charge(&a, DPPAIR_GAUSSIAN, log_between(0.5, 100.0), steps, 0.0);
    break;
  case SAMPLED:
    charge_sampled(&a);
    if (chance(2)) charge_sampled(&a);
    if (chance(2)) charge(&a, DPPAIR_GAUSSIAN, log_between(2.0, 50.0), steps, 0.0);
    break;
  case PURE:
    charge(&a, DPPAIR_PURE, log_between(1e-3, 0.5), steps, 0.0);
    if (chance(2)) charge(&a, DPPAIR_RANDOMISED_RESPONSE, log_between(0.01, 1.0), steps, 0.0);
    break;
  case LAPLACE:
    charge(&a, DPPAIR_LAPLACE, log_between(2.0, 50.0), 1 + below(30), 0.0);
    if (chance(2)) charge(&a, DPPAIR_GAUSSIAN, log_between(2.0, 50.0), steps, 0.0);
    break;
  case ZCDP:
    charge(&a, DPPAIR_ZCDP, log_between(1e-4, 1.0), steps, 0.0);
    break;
  case ZCDP_BESIDE:
    charge(&a, DPPAIR_ZCDP, log_between(1e-4, 0.1), steps, 0.0);
    if (chance(2))
      charge_sampled(&a);
    else
      charge(&a, DPPAIR_GAUSSIAN, log_between(2.0, 50.0), steps, 0.0);
    break;
  case OBJECTIVE:
    charge(&a, DPPAIR_OBJECTIVE, log_between(1.0, 20.0), 1, log_between(0.1, 10.0));
    if (chance(2)) charge(&a, DPPAIR_GAUSSIAN, log_between(2.0, 50.0), steps, 0.0);
    break;
  default: /* of several kinds at once, and pure steps that are next to nothing */
    charge_sampled(&a);
    charge(&a, DPPAIR_PURE, chance(2) ? 1e-10 : 0.05, 2, 0.0);
  }
  return a;
}

/* The question with all memory there is. */
static dppair_status asked(dppair_interval *b, const dppair_accountant *a, int for_delta,
                           double given) {
  return for_delta ? certify_delta(b, a, given, room, room_bytes)
                   : certify(b, a, given, room, room_bytes);
}

/* The same without a composer: the same answer, or how many bytes it takes; 1: it took none. */
static int compare_without(const dppair_accountant *a, int for_delta, double given) {
  dppair_interval with, without, again;
  const dppair_status status = asked(&with, a, for_delta, given);
  const dppair_status light = for_delta ? dppair_accountant_delta(&without, a, given, NULL)
                                        : dppair_accountant_epsilon(&without, a, given, NULL);
  char *exact;
  if (light != DPPAIR_ERR_WORKSPACE) {
    assert_int_equal(light, status);
    assert_close(without.upper, with.upper, 1e-12);
    assert_close(without.lower, with.lower, 1e-12);
    assert_true(without.bytes == 0);
    return 1;
  }
  assert_true(without.upper == 0.0 && without.lower == 0.0 && without.estimate == 0.0);
  assert_true(without.bytes > 0 && without.bytes <= room_bytes);
  exact = (char *)malloc(without.bytes);
  assert_non_null(exact);
  assert_int_equal(for_delta ? certify_delta(&again, a, given, exact, without.bytes)
                             : certify(&again, a, given, exact, without.bytes),
                   status);
  assert_true(again.upper == with.upper && again.lower == with.lower && again.bytes == 0);
  free(exact);
  return 0;
}

/* How far an answer may lie above what it is the inverse of. */
static double tolerance(int kind, int of_delta) {
  switch (kind) {
  case PLAIN:
    return 1e-10;
  case ZCDP:
    return 1e-6;
  case ZCDP_BESIDE:
    return of_delta ? 2e-3 : 1e-3;
  default:
    return of_delta ? 2e-3 : 1e-4;
  }
}

static double worst[KINDS][2];

static void epsilon_and_delta_are_inverse_to_each_other(void **state) {
  int round, kind, answered[KINDS][2];
  (void)state;
  memset(answered, 0, sizeof answered);
  for (round = 0; round < ROUNDS; round++)
    for (kind = 0; kind < KINDS; kind++) {
      dppair_accountant a = random_account(kind);
      const double failure = chance(3) ? log_between(1e-12, 1e-4) : 0.0;
      const double d = failure + log_between(1e-10, 1e-3), largest = kind == OBJECTIVE ? 0.01 : 0.5;
      const double e = a.pure > 0.05 ? a.pure * between(0.2, 0.95) : log_between(0.02, 4.0);
      dppair_interval b, back;
      if (failure > 0.0) assert_ok(dppair_accountant_failure(&a, failure));
      (void)compare_without(&a, 0, d);
      (void)compare_without(&a, 1, e);
      /* delta(epsilon(d)) */
      assert_ok(asked(&b, &a, 0, d));
      assert_ok(asked(&back, &a, 1, b.upper));
      assert_at_most(back.lower, d);
      worst[kind][1] = fmax(worst[kind][1], back.upper / d - 1.0);
      answered[kind][1]++;
      /* epsilon(delta(e)), where delta is a number of its own, not that of failures */
      assert_ok(asked(&b, &a, 1, e));
      if (!(b.upper < largest && b.upper - a.failure > 1e-6 * a.failure + 1e-12)) continue;
      assert_ok(asked(&back, &a, 0, b.upper));
      assert_at_most(back.lower, e);
      worst[kind][0] = fmax(worst[kind][0], back.upper / e - 1.0);
      answered[kind][0]++;
    }
  for (kind = 0; kind < KINDS; kind++) {
    print_message("kind %d: %d of delta, up to 1 %+.1e; %d of epsilon, up to 1 %+.1e\n", kind,
                  answered[kind][1], worst[kind][1], answered[kind][0], worst[kind][0]);
    assert_true(answered[kind][0] > 0 || BRIEF);
    assert_at_most(worst[kind][1], tolerance(kind, 1));
    assert_at_most(worst[kind][0], tolerance(kind, 0));
  }
}

/* Which accounts need no composer, in the words of dppair_accountant_epsilon. */
static void closed_forms_need_no_composer(void **state) {
  static const int closed[KINDS] = {[PLAIN] = 1, [ZCDP] = 1};
  dppair_accountant a;
  int round, kind, i;
  (void)state;
  for (round = 0; round < 2; round++)
    for (kind = 0; kind < KINDS; kind++) {
      a = random_account(kind);
      assert_int_equal(compare_without(&a, 0, 1e-6), closed[kind]);
      assert_int_equal(compare_without(&a, 1, 0.5 * (a.pure > 0.0 ? a.pure : 1.0)), closed[kind]);
      assert_ok(dppair_accountant_failure(&a, 1e-8));
      assert_int_equal(compare_without(&a, 0, 1e-6), closed[kind]);
    }
  for (kind = PURE; kind <= LAPLACE; kind++) { /* pure steps: at delta 0, and from their sum on */
    do a = random_account(kind);
    while (a.gaussian > 0.0);
    assert_int_equal(compare_without(&a, 0, 0.0), 1);
    assert_int_equal(compare_without(&a, 1, a.pure), 1);
    assert_int_equal(compare_without(&a, 1, 2.0 * a.pure), 1);
  }
  assert_ok(dppair_accountant_init(&a)); /* nothing, and more steps than the table holds */
  assert_int_equal(compare_without(&a, 0, 1e-6), 1);
  for (i = 0; i <= DPPAIR_STEP_CAPACITY; i++)
    assert_ok(dppair_accountant_sampled_gaussian(
        &a, dppair_sampling_poisson(1000, 10, DPPAIR_ZERO_OUT), 1.0, 2.0 + 0.01 * i, 10));
  assert_int_equal(a.folded, 1);
  assert_int_equal(compare_without(&a, 0, 1e-6), 1);
  assert_int_equal(compare_without(&a, 1, 1.0), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(epsilon_and_delta_are_inverse_to_each_other),
      TEST(closed_forms_need_no_composer),
  };
  return RUN_TESTS(tests, open_room, close_room);
}
