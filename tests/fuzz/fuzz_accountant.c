/* SPDX-License-Identifier: MIT */
/*
 * Sequences of charges and questions with any numbers. No answer is a NaN, an error leaves zeros,
 * an account that was refused a charge refuses every question; what two routes certify about one
 * account overlaps, and so does what certify and the Renyi orders say; epsilon does not rise with
 * delta; the noise that calibration finds stays within the budget once it is charged.
 *
 * flags: -fno-sanitize=pointer-overflow,null,alignment,object-size
 *
 * brief: 30
 */
#define DPPAIR_WITH_SHARES
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "dppair_accountant.h"
#include "dppair_selection.h"
#include "dppair_attack.h"

#include "plan.h"
#include "../support/questions.h"

static double *work;
static size_t work_bytes;
static int heavy; /* how many slow questions this input may still ask */

static int sound(const dppair_interval *b, int for_delta) {
  return b->lower >= 0.0 && b->lower <= b->upper && b->estimate >= b->lower &&
         b->estimate <= b->upper && (!for_delta || b->upper <= 1.0) && b->order >= 0.0;
}

static const dppair_composer *with_memory(void) {
  static dppair_composer c;
  return composer_of(&c, work, work_bytes);
}

static void spoil(dppair_interval *b) {
  b->lower = b->upper = b->estimate = b->order = -1.0;
  b->route = DPPAIR_ROUTE_PURE;
}

static int cleared(const dppair_interval *b) {
  return all_zero(&b->lower, sizeof b->lower) && all_zero(&b->upper, sizeof b->upper) &&
         all_zero(&b->estimate, sizeof b->estimate) && all_zero(&b->order, sizeof b->order) &&
         (int)b->route == 0;
}

/* Is there time for a question that costs this much about an account of one step? */
static int afford(const dppair_accountant *a, int cost) {
  if (heavy <= 0) return 0;
  heavy -= a != NULL ? cost * (1 + (int)(a->count / 2)) : cost;
  return heavy > -12;
}

/* The answer at `given`, checked by itself. */
static dppair_status certified(dppair_interval *b, const dppair_accountant *a, int for_delta,
                               double given, int memory) {
  void *const w = memory ? work : NULL;
  const size_t bytes = memory ? work_bytes : 0;
  dppair_status status;
  spoil(b);
  status = for_delta ? certify_delta(b, a, given, w, bytes) : certify(b, a, given, w, bytes);
  if (status == DPPAIR_OK) {
    REQUIRE(a->broken == DPPAIR_OK, "a broken account answers");
    REQUIRE(sound(b, for_delta), "bounds in no order");
  } else {
    REQUIRE(cleared(b), "an error with bounds");
  }
  return status;
}

/* Two intervals of one number. */
static int overlap(const dppair_interval *x, const dppair_interval *y) {
  return x->lower <= y->upper && y->lower <= x->upper;
}

static void ask(input *in, const dppair_accountant *a) {
  const double delta = in_delta(in), wider = delta * (1.0 + in_choice(in, 8));
  const double epsilon = in_scale(in, 1e-3, 20.0);
  double e = -1.0, d = -1.0;
  dppair_interval first, second;
  dppair_status status = answer_epsilon(&e, a, delta);
  REQUIRE(status == DPPAIR_OK ? e >= 0.0 : all_zero(&e, sizeof e), "epsilon");
  status = answer_delta(&d, a, epsilon);
  REQUIRE(status == DPPAIR_OK ? d >= 0.0 && d <= 1.0 : all_zero(&d, sizeof d), "delta");
  if (!afford(a, 3)) return;
  if (certified(&first, a, 0, delta, in_choice(in, 8) > 0) == DPPAIR_OK) {
    if (answer_epsilon(&e, a, delta) == DPPAIR_OK)
      REQUIRE(first.lower <= e, "more than the Renyi orders allow");
    if (wider < 1.0 && certified(&second, a, 0, wider, 1) == DPPAIR_OK)
      REQUIRE(second.lower <= first.upper, "epsilon rises with delta");
    if (first.upper < 1e3 && certified(&second, a, 1, first.upper, 1) == DPPAIR_OK)
      REQUIRE(second.lower <= delta, "delta at epsilon at delta");
  }
  if (certified(&first, a, 1, epsilon, 1) == DPPAIR_OK && answer_delta(&d, a, epsilon) == DPPAIR_OK)
    REQUIRE(first.lower <= d, "more than the Renyi orders allow of delta");
}

/* Each route about the same steps. */
static void compare_routes(input *in) {
  static const dppair_route routes[] = {DPPAIR_ROUTE_BEST,    DPPAIR_ROUTE_CLOSED,
                                        DPPAIR_ROUTE_CONTOUR, DPPAIR_ROUTE_LATTICE,
                                        DPPAIR_ROUTE_RENYI,   DPPAIR_ROUTE_PURE};
  const size_t count = 1 + in_count(in, 3);
  const size_t room = in_choice(in, 16) ? work_bytes : in_size(in, 4096);
  const int for_delta = in_choice(in, 2);
  const double given = for_delta ? in_scale(in, 1e-3, 20.0) : in_delta(in);
  dppair_interval b[6];
  dppair_status status[6];
  dppair_step steps[4];
  size_t i, j;
  for (i = 0; i < count; i++) {
    steps[i] = in_step(in);
    if (in_choice(in, 4)) steps[i].sampling.adjacency = steps[0].sampling.adjacency;
  }
  if (!afford(NULL, 4 * (int)count)) return;
  for (i = 0; i < 6; i++) {
    spoil(&b[i]);
    status[i] = for_delta ? compose_delta(&b[i], steps, count, given, routes[i], work,
                                          room < work_bytes ? room : work_bytes)
                          : compose(&b[i], steps, count, given, routes[i], work,
                                    room < work_bytes ? room : work_bytes);
    REQUIRE(status[i] == DPPAIR_OK ? sound(&b[i], for_delta) : cleared(&b[i]), "a route's answer");
    for (j = 0; j < i; j++)
      REQUIRE(status[i] != DPPAIR_OK || status[j] != DPPAIR_OK || overlap(&b[i], &b[j]),
              "two routes certify what cannot both be");
  }
}

static dppair_plan in_plan(input *in) {
  static const dppair_mechanism_kind laws[] = {
      DPPAIR_NO_MECHANISM_, DPPAIR_GAUSSIAN, DPPAIR_LAPLACE,        DPPAIR_L2BALL,
      DPPAIR_OBJECTIVE,     DPPAIR_SKELLAM,  DPPAIR_PURE_OBJECTIVE, DPPAIR_PURE};
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.epsilon = in_scale(in, 0.05, 20.0);
  plan.delta = in_choice(in, 6) ? in_delta(in) : 0.0;
  plan.steps = in_size(in, 1000);
  plan.sampling = in_sampling(in, 4000);
  plan.noise = in_choice(in, 2) ? laws[0] : laws[in_choice(in, 8)];
  if (dppair_mechanism_is_objective_(plan.noise)) {
    plan.ridge = in_scale(in, 1e-3, 100.0);
    plan.output_mu = in_scale(in, 1e-3, 1.0);
  }
  if (in_rarely(in)) plan.failure = in_scale(in, 1e-9, 1.0);
  plan.noise_multiplier = in_hostile(in);
  return plan;
}

/* The noise that is found stays within the budget, by the same question as anybody asks. */
static void plan_for(input *in, const dppair_accountant *a) {
  const int memory = in_choice(in, 3);
  void *const w = memory ? work : NULL;
  const size_t bytes = memory ? work_bytes : 0;
  dppair_plan plan = in_plan(in);
  dppair_accountant after = *a;
  dppair_step step;
  dppair_interval b;
  double left = -1.0, held = -1.0;
  if (dppair_accountant_left(&left, &held, a, plan.epsilon, plan.delta, plan.sampling) != DPPAIR_OK)
    REQUIRE(all_zero(&left, sizeof left) && all_zero(&held, sizeof held), "an error leaves budget");
  else
    REQUIRE(left >= 0.0 && held >= 0.0 && left <= DBL_MAX && held <= DBL_MAX, "what is left");
  if (memory && !afford(a, 9)) return;
  if (calibrate(&plan, a, w, bytes) != DPPAIR_OK) {
    REQUIRE(all_zero(&plan.noise_multiplier, sizeof plan.noise_multiplier), "an error with noise");
    return;
  }
  REQUIRE(plan.noise_multiplier > 0.0 && plan.noise_multiplier <= DBL_MAX, "no noise");
  REQUIRE(dppair_plan_besides_(&after, &plan) == DPPAIR_OK, "what was found is refused");
  REQUIRE(dppair_plan_step_(&step, &plan) == DPPAIR_OK, "its step is refused");
  REQUIRE(dppair_accountant_step(&after, &step) == DPPAIR_OK, "its charge is refused");
  if (plan.delta > 0.0) {
    dppair_status status = certified(&b, &after, 0, plan.delta, memory);
    if (status == DPPAIR_ERR_WORKSPACE && !memory) { /* a closed form found it */
      REQUIRE(dppair_mechanism_is_objective_(step.kind), "a plan without memory");
      status = answer_epsilon(&b.upper, &after, plan.delta);
    }
    REQUIRE(status == DPPAIR_OK, "it cannot be asked for");
    REQUIRE(b.upper <= plan.epsilon, "the calibrated noise is too little");
  }
}

/* What an attack can do: rates between 0 and 1, more with more false alarms. */
static void attack(input *in, const dppair_accountant *a) {
  double rates[3], factor = -1.0, posterior = -1.0;
  dppair_interval b[3], fit;
  dppair_status status;
  size_t i;
  const double prior = in_between(in, 0.0, 1.0), slack = in_scale(in, 1e-6, 0.1);
  for (i = 0; i < 3; i++) rates[i] = in_between(in, 0.0, 1.0);
  status = dppair_attack_bayes(&factor, &posterior, rates[0], rates[1], prior);
  REQUIRE(status == DPPAIR_OK ? factor >= 0.0 && posterior >= 0.0 && posterior <= 1.0
                              : all_zero(&factor, 8) && all_zero(&posterior, 8),
          "Bayes");
  if (!afford(a, 12)) return;
  for (i = 0; i < 3; i++) spoil(&b[i]);
  status = dppair_attack_curve(b, rates, 1 + (size_t)in_choice(in, 3), a, with_memory());
  if (status == DPPAIR_OK)
    REQUIRE(sound(&b[0], 1) && b[0].upper >= rates[0], "a curve below the diagonal");
  else
    REQUIRE(cleared(&b[0]), "an error with a curve");
  spoil(&fit);
  if (in_choice(in, 2)) {
    status = dppair_attack_accuracy(&fit, a, prior, with_memory());
    REQUIRE(status == DPPAIR_OK ? sound(&fit, 1) : cleared(&fit), "accuracy");
  } else {
    status = dppair_attack_fit(&fit, a, slack, with_memory());
    REQUIRE(status == DPPAIR_OK ? fit.lower <= fit.upper && fit.lower >= 0.0 : cleared(&fit),
            "a fit");
  }
}

static void select_best(input *in, dppair_accountant *a) {
  const double eta = in_between(in, -1.0, 1.0), gamma = in_scale(in, 1e-5, 1.0);
  const double delta = in_delta(in);
  double mean = -1.0, back = -1.0, one = -1.0;
  dppair_accountant run = *a;
  dppair_interval b;
  dppair_status status = dppair_selection_mean(&mean, eta, gamma);
  REQUIRE(status == DPPAIR_OK ? mean >= 1.0 : all_zero(&mean, 8), "a mean of runs");
  if (status == DPPAIR_OK && dppair_selection_gamma(&back, eta, mean) == DPPAIR_OK)
    REQUIRE(back > 0.0 && back <= 1.0, "gamma");
  status = dppair_selection_gamma(&back, eta, in_scale(in, 0.5, 1e6));
  REQUIRE(status == DPPAIR_OK || all_zero(&back, 8), "an error with gamma");
  if (!afford(a, 12)) return;
  spoil(&b);
  status = dppair_selection_epsilon(&b, &run, eta, gamma, delta, with_memory());
  REQUIRE(status == DPPAIR_OK ? sound(&b, 0) : cleared(&b), "a selection");
  if (status == DPPAIR_OK && answer_epsilon(&one, &run, delta) == DPPAIR_OK) {
    dppair_interval single;
    if (certified(&single, &run, 0, delta, 1) == DPPAIR_OK)
      REQUIRE(b.upper >= single.lower, "the best of some costs less than one");
  }
  if (in_choice(in, 2)) {
    status = dppair_accountant_selection(a, &run, eta, gamma, delta, with_memory());
    if (status != DPPAIR_OK) REQUIRE(a->broken != DPPAIR_OK, "a refused selection is forgotten");
  }
}

/* Renyi orders by themselves. */
static void orders(input *in) {
  const dppair_step step = in_step(in);
  const double order = in_scale(in, 1.001, 2000.0);
  double rdp = -1.0, unpaid = -1.0;
  dppair_status status = dppair_renyi(&rdp, &unpaid, &step, order, in_size(in, 100));
  REQUIRE(status == DPPAIR_OK ? rdp >= 0.0 && unpaid >= 0.0 && unpaid <= 1.0
                              : all_zero(&rdp, 8) && all_zero(&unpaid, 8),
          "a Renyi order");
  if (step.sampling.kind != DPPAIR_ALLOCATION || !afford(NULL, 2)) return;
  rdp = -1.0;
  status = dppair_renyi_allocation(&rdp, &step, order, work, work_bytes);
  REQUIRE(status == DPPAIR_OK ? rdp >= 0.0 : all_zero(&rdp, 8), "a Renyi order of allocation");
}

static dppair_status sink(const char *line, size_t length, void *context) {
  char *text = (char *)context;
  REQUIRE(length > 0 && length <= DPPAIR_LEDGER_LINE && line[length - 1] == '}', "a line");
  memcpy(text, line, length);
  text[length] = '\0';
  return DPPAIR_OK;
}

/* A line that is charged is one that reads and replays. */
static void ledger(input *in, dppair_accountant *a) {
  char text[DPPAIR_LEDGER_LINE + 1] = "";
  dppair_accountant before = *a;
  dppair_ledger_entry entry;
  dppair_status status;
  size_t bad;
  memset(&entry, 0, sizeof entry);
  entry.step = in_step(in);
  if (in_choice(in, 4) == 0) entry.sensitivity = in_scale(in, 1e-3, 1e3);
  if (in_choice(in, 4) == 0) entry.sigma = in_scale(in, 1e-3, 1e3);
  if (entry.sensitivity > 0.0 && entry.sigma > 0.0 && in_choice(in, 4))
    entry.step.noise_multiplier = dppair_down_(entry.sigma / entry.sensitivity);
  if (in_choice(in, 4) == 0) entry.failure = in_scale(in, 1e-9, 1.0);
  if (in_choice(in, 2)) in_bytes(in, entry.nonce, sizeof entry.nonce);
  status = dppair_ledger_step(a, &entry, in_rarely(in) ? NULL : sink, text);
  if (status != DPPAIR_OK) {
    REQUIRE(a->sequence == before.sequence, "a refused line is counted");
    return;
  }
  if (text[0] == '\0') return;
  REQUIRE(a->sequence == before.sequence + 1, "a line that is not counted");
  status = dppair_ledger_replay(&before, &bad, text, strlen(text));
  REQUIRE(status == DPPAIR_OK, "a line that was just written does not replay");
  REQUIRE(before.check == a->check && before.count == a->count, "it replays to another account");
  REQUIRE(memcmp(&before.gaussian, &a->gaussian, 8) == 0 && memcmp(&before.pure, &a->pure, 8) == 0,
          "it replays to other sums");
}

static void charge(input *in, dppair_accountant *a) {
  const int was_broken = a->broken != DPPAIR_OK;
  const double sensitivity = in_scale(in, 1e-3, 10.0), sigma = in_scale(in, 1e-2, 100.0);
  const size_t steps = in_size(in, 2000);
  dppair_status status;
  dppair_step step;
  switch (in_choice(in, 9)) {
  case 0:
    status = dppair_accountant_gaussian(a, sensitivity, sigma, steps);
    break;
  case 1:
    status = dppair_accountant_laplace(a, sensitivity, sigma, steps);
    break;
  case 2:
    status = dppair_accountant_pure(a, sigma, steps);
    break;
  case 3:
    status =
        dppair_accountant_sampled_gaussian(a, in_sampling(in, 4000), sensitivity, sigma, steps);
    break;
  case 4:
    status = dppair_accountant_sampled_pairs(a, in_sampling(in, 4000), sensitivity, sigma, steps);
    break;
  case 5:
    status = dppair_accountant_failure(a, in_scale(in, 1e-9, 1.0));
    break;
  case 6:
    status = dppair_accountant_skellam(a, sensitivity, in_scale(in, 1.0, 1e9), steps);
    break;
  default:
    step = in_step(in);
    status = dppair_accountant_step(a, in_rarely(in) ? NULL : &step);
  }
  REQUIRE((status == DPPAIR_OK) == (a->broken == DPPAIR_OK), "a refused charge is forgotten");
  if (was_broken) REQUIRE(status != DPPAIR_OK, "a broken account takes a charge");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  input source = {bytes, size}, *in = &source;
  static dppair_accountant a, b;
  int turn;
  if (work == NULL) {
    if (dppair_composer_workspace(&work_bytes, NULL) != DPPAIR_OK) abort();
    work = (double *)malloc(work_bytes);
    if (work == NULL) abort();
  }
  heavy = 8;
  (void)dppair_accountant_init(&a);
  (void)dppair_accountant_init(&b);
  if (in_choice(in, 2)) {
    const dppair_status status = dppair_accountant_neighbours(&a, in_adjacency(in));
    REQUIRE((status == DPPAIR_OK) == (a.broken == DPPAIR_OK), "a refused statement is forgotten");
  }
  for (turn = 0; turn < 40 && in->left > 0; turn++) {
    switch (in_choice(in, 16)) {
    case 0:
    case 1:
    case 2:
    case 3:
      charge(in, &a);
      break;
    case 4:
      ledger(in, &a);
      break;
    case 5:
      b = a;
      (void)dppair_accountant_init(&a);
      break;
    case 6:
      if (dppair_accountant_merge(&a, &b) != DPPAIR_OK)
        REQUIRE(a.broken != DPPAIR_OK, "a refused merge is forgotten");
      break;
    case 7:
      plan_for(in, &a);
      break;
    case 8:
      compare_routes(in);
      break;
    case 9:
      attack(in, &a);
      break;
    case 10:
      select_best(in, &a);
      break;
    case 11:
      orders(in);
      break;
    case 12: { /* as many distinct steps as fold the table */
      dppair_step step = in_step(in);
      size_t k, more = in_count(in, 140);
      for (k = 0; k < more; k++) {
        step.noise_multiplier *= 1.0 + 1e-3;
        if (dppair_accountant_step(&a, &step) != DPPAIR_OK) break;
      }
      break;
    }
    default:
      ask(in, &a);
    }
  }
  ask(in, &a);
  return 0;
}
