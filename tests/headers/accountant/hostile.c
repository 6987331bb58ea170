/* SPDX-License-Identifier: MIT */
/* The accountant's functions with one word out of its domain, of their arguments or of an account:
 * refused, with zeros or infinity, or answered; never a crash, never a number that stays. */
#include "tests.h"

#define DPPAIR_WITH_SHARES
#include "dppair_allocation.h"
#include "dppair_shares.h"
#include "dppair_accountant.h"
#include "dppair_attack.h"
#include "dppair_contrast.h"
#include "dppair_filters.h"
#include "dppair_iterates.h"
#include "dppair_papers.h"
#include "dppair_selection.h"
#include "dppair_streams.h"

#include "hostile.h"
#include "questions.h"

enum { ROOM = 4000000, PLACES = 4 };
static double room[ROOM];
static size_t needed;
static const size_t slots[6] = {0, 0, 1, 1, 2, 2}, owner[6] = {0, 1, 1, 2, 2, 0},
                    first[PLACES] = {0, 2, 4, 6};
static const double rates[2] = {0.01, 0.3}, weights[3] = {0.5, 0.25, 0.25},
                    norms[3] = {1, 0.5, 0.25};
static const size_t indices[6] = {0, 1, 2, 3, 4, 5}, sizes[3] = {4, 3, 5};

static dppair_status halves(double *epsilon, double value, void *context) {
  (void)context;
  *epsilon = 2 / value;
  return DPPAIR_OK;
}
static dppair_status keep(const char *line, size_t length, void *context) {
  (void)context;
  return line == NULL || length == 0 ? DPPAIR_ERR_NULL : DPPAIR_OK;
}

static struct everything {
  dppair_accountant a, b, run, parts[2], gaussians, drawn, empty;
  dppair_step step, steps_of[2], allocated, integer_step, objective;
  dppair_sampling sampling, batch, whole, owners_of, users, matching, grouped;
  dppair_pair_unit pair, blocked, exchanged;
  dppair_descent last, mean_of, minimum;
  dppair_queries queries;
  dppair_stream stream, reservoir;
  dppair_uas uas;
  dppair_paper paper;
  dppair_paper_verdict verdict;
  dppair_filter filter;
  dppair_ledger_entry entry, read_back;
  dppair_plan plan;
  dppair_interval interval[2];
  dppair_adjacency adjacency, user, query;
  dppair_route route, one_route;
  dppair_given given;
  dppair_composer composer, made;
  dppair_owner_list list;
  dppair_quantised how;
  double epsilon, delta, mu, mu_before, sensitivity, sigma, scale, order, spend, budget, prior,
      slack, rate, alpha, eta, smoothness, tolerance, move, target, guess, clip, temperature,
      variance, length, largest, diameter, multiplier, ridge, ratio, load, gamma, mean, radius,
      slope, divisor, guess_rate, slope_other, pair_clip, two_sided, own_sum[3], spent[3];
  size_t steps, n, count, k, most, size, m, hit_cap, group, persons_of, items, places, capacity,
      line_length, *line_at;
  int ranking, dropped;
  unsigned bits;
  unsigned char active[8];
  const double *false_positive, *g, *weight;
  const size_t *owner, *first, *index;
  dppair_epsilon_function function;
  dppair_ledger_sink sink;
  void *work;
  size_t bytes, *bytes_at, hits;
  char line[1024];
  double out[4];
} A, kept[2];

#define CALL(name, ...)                                                                            \
  static dppair_status name(void) { return __VA_ARGS__; }
CALL(attack_curve,
     dppair_attack_curve(A.interval, A.false_positive, A.count, &A.gaussians, &A.composer))
CALL(attack_accuracy, dppair_attack_accuracy(A.interval, &A.gaussians, A.prior, &A.composer))
CALL(attack_bayes, dppair_attack_bayes(A.out, A.out + 1, A.rate, A.guess_rate, A.prior))
CALL(attack_fit, dppair_attack_fit(A.interval, &A.gaussians, A.slack, &A.composer))
CALL(batch_move, dppair_sensitivity(A.out, &A.pair, &A.batch))
CALL(all_move, dppair_sensitivity(A.out, &A.pair, &A.whole))
CALL(calibrate_scale,
     dppair_calibrate_scale(A.out, A.out + 1, A.target, A.guess, A.tolerance, A.function, NULL))
CALL(calibrate_count, dppair_calibrate_count(&A.hits, A.out, A.target, A.most, A.function, NULL))
CALL(calibrate_plan, dppair_calibrate(&A.plan, &A.gaussians, &A.composer))
CALL(accountant_left,
     dppair_accountant_left(A.out, A.out + 1, &A.gaussians, A.epsilon, A.delta, A.whole))
CALL(composer_bytes, dppair_composer_workspace(A.bytes_at, &A.drawn))
CALL(composer_init, dppair_composer_init(&A.made, A.work, A.bytes))
CALL(epsilon_of, dppair_accountant_epsilon(A.interval, &A.gaussians, A.delta, NULL))
CALL(delta_of, dppair_accountant_delta(A.interval, &A.gaussians, A.epsilon, NULL))
CALL(composed, dppair_accountant_epsilon(A.interval, &A.drawn, A.delta, &A.composer))
CALL(composed_delta, dppair_accountant_delta(A.interval, &A.drawn, A.epsilon, &A.composer))
CALL(by_route,
     dppair_accountant_by_route(A.interval, &A.drawn, A.one_route, A.given, A.delta, &A.composer))
CALL(epsilon_by_orders, answer_epsilon(A.out, &A.a, A.delta))
CALL(delta_by_orders, answer_delta(A.out, &A.a, A.epsilon))
CALL(charge_step, dppair_accountant_step(&A.a, &A.step))
CALL(charge_allocated, dppair_accountant_step(&A.a, &A.allocated))
CALL(charge_integers, dppair_accountant_step(&A.a, &A.integer_step))
CALL(charge_objective, dppair_accountant_step(&A.a, &A.objective))
CALL(charge_gaussian, dppair_accountant_gaussian(&A.a, A.sensitivity, A.sigma, A.steps))
CALL(charge_laplace, dppair_accountant_laplace(&A.a, A.sensitivity, A.sigma, A.steps))
CALL(charge_pure, dppair_accountant_pure(&A.a, A.epsilon, A.steps))
CALL(charge_sampled,
     dppair_accountant_sampled_gaussian(&A.a, A.sampling, A.sensitivity, A.sigma, A.steps))
CALL(charge_failure, dppair_accountant_failure(&A.a, A.gamma))
CALL(charge_skellam, dppair_accountant_skellam(&A.a, A.sensitivity, A.variance, A.steps))
CALL(neighbours, dppair_accountant_neighbours(&A.empty, A.adjacency))
CALL(merge, dppair_accountant_merge(&A.a, &A.b))
CALL(compose_epsilon, compose(A.interval, A.steps_of, A.count, A.delta, A.route, A.work, A.bytes))
CALL(compose_for_delta,
     compose_delta(A.interval, A.steps_of, A.count, A.epsilon, A.route, A.work, A.bytes))
CALL(parallel, dppair_parallel_epsilon(A.interval, A.parts, A.count, A.delta, &A.composer))
CALL(group_privacy, dppair_group_privacy(A.out, A.out + 1, A.epsilon, A.delta, A.k))
CALL(last_move, dppair_sensitivity_descent(A.out, A.move, &A.last))
CALL(mean_move, dppair_sensitivity_descent(A.out, A.move, &A.mean_of))
CALL(minimum_move, dppair_sensitivity_descent(A.out, A.move, &A.minimum))
CALL(filter_init, dppair_filter_init(&A.filter, A.epsilon, A.delta, A.order))
CALL(filter_step, dppair_filter_step(&A.filter, A.spend))
CALL(own_budget, dppair_individual_budget(A.out, A.epsilon, A.delta, A.adjacency, A.ranking))
CALL(own_step, dppair_individual_step(A.spent, A.active, A.g, A.n, A.sigma, A.budget))
CALL(own_sum_step, dppair_individual_sum_step(A.spent, A.active, A.g, A.n, A.sigma, A.budget))
CALL(gaussian_delta, dppair_gaussian_delta(A.out, A.epsilon, A.mu))
CALL(gaussian_log_delta, dppair_gaussian_log_delta(A.own_sum, A.epsilon, A.mu))
CALL(gaussian_epsilon, dppair_gaussian_epsilon(A.out, A.delta, A.mu))
CALL(gaussian_mu, dppair_gaussian_mu(A.out, A.epsilon, A.delta))
CALL(gaussian_sigma, dppair_gaussian_sigma(A.out, A.sensitivity, A.epsilon, A.delta, A.steps))
CALL(queries_move, dppair_sensitivity_queries(A.out, &A.pair, &A.queries, A.query))
CALL(groups_move, dppair_sensitivity_groups(A.out, A.clip, &A.grouped, A.dropped))
CALL(softmax_move, dppair_sensitivity_softmax(A.out, A.clip, A.temperature, A.m, A.adjacency))
CALL(skellam_sigma, dppair_skellam_sigma(A.out, A.variance))
CALL(skellam_variance, dppair_skellam_variance(A.out, A.sigma))
CALL(quantised_move,
     dppair_sensitivity_quantised(A.out, A.how, A.length, A.scale, A.k, A.adjacency))
CALL(wrap, dppair_skellam_wrap(A.out, A.variance, A.bits, A.largest, A.size))
CALL(last_iterate, dppair_gaussian_mu_last_iterate(A.out, A.sensitivity, A.sigma, A.smoothness,
                                                   A.alpha, A.eta, A.steps, A.diameter))
CALL(ledger_write, dppair_ledger_write(A.line, A.capacity, A.line_at, &A.entry))
CALL(ledger_write_read, dppair_ledger_write(A.line, A.capacity, &A.hits, &A.entry)
                            ? DPPAIR_ERR_DOMAIN
                            : dppair_ledger_read(&A.read_back, A.line, A.hits))
CALL(ledger_step, dppair_ledger_step(&A.empty, &A.entry, A.sink, NULL))
CALL(objective_delta, dppair_objective_delta_(A.out, A.epsilon, A.mu_before, A.multiplier, A.ridge))
CALL(objective_noise, dppair_objective_noise(A.out, A.epsilon, A.delta, A.mu_before, A.ridge))
CALL(users, dppair_sensitivity(A.out, &A.pair, &A.owners_of))
CALL(users_batch, dppair_sensitivity(A.out, &A.pair, &A.users))
CALL(user_weighted, dppair_sensitivity(A.out, &A.blocked, &A.matching))
CALL(exchanged_move, dppair_sensitivity(A.out, &A.exchanged, &A.sampling))
CALL(owners, dppair_sensitivity_owners(A.out, A.clip, A.load, A.list, A.user))
CALL(owner_load,
     dppair_owner_load(A.out, A.own_sum, A.persons_of, A.owner, A.first, A.weight, A.items))
CALL(paper, dppair_paper_check(&A.verdict, &A.paper))
CALL(selection_mean, dppair_selection_mean(A.out, A.eta, A.gamma))
CALL(selection_gamma, dppair_selection_gamma(A.out, A.eta, A.mean))
CALL(selection_epsilon,
     dppair_selection_epsilon(A.interval, &A.run, A.eta, A.gamma, A.delta, &A.composer))
CALL(charge_selection,
     dppair_accountant_selection(&A.a, &A.run, A.eta, A.gamma, A.delta, &A.composer))
CALL(metric_move,
     dppair_sensitivity_metric(A.out, A.radius, A.slope, A.slope_other, A.m, A.adjacency))
CALL(record_clip, dppair_sensitivity_record_clip(A.out, A.clip, A.pair_clip, A.m, A.adjacency))
CALL(uas_quantile, dppair_sensitivity_uas_quantile(A.out, A.out + 1, &A.hits, &A.uas, A.gamma))
CALL(uas_sigma, dppair_uas_sigma(A.out, &A.uas, A.epsilon, A.delta))
CALL(uas_bytes, dppair_uas_workspace(A.bytes_at, &A.uas, A.ratio))
CALL(uas_sequence,
     dppair_sensitivity_uas_sequence(A.out, &A.uas, A.index, A.places, A.ratio, A.work, A.bytes))
CALL(prefix_bytes, dppair_sensitivity_prefix_workspace(A.bytes_at, &A.stream))
CALL(prefix_move, dppair_sensitivity_prefix(A.out, &A.pair, &A.stream, A.work, A.bytes))
CALL(reservoir_move, dppair_sensitivity_prefix(A.out, &A.pair, &A.reservoir, NULL, 0))
CALL(renyi_allocation, dppair_renyi_allocation(A.out, &A.allocated, A.order, A.work, A.bytes))
CALL(renyi, dppair_renyi(A.out, A.out + 1, &A.step, A.order, A.hit_cap))
CALL(renyi_integers, dppair_renyi(A.out, A.out + 1, &A.integer_step, A.order, A.hit_cap))

#define MUST(call) assert_int_equal(call, DPPAIR_OK)

static void prepare(void) {
  memset(&A, 0, sizeof A);
  MUST(dppair_accountant_init(&A.a));
  MUST(dppair_accountant_init(&A.b));
  MUST(dppair_accountant_init(&A.empty));
  MUST(dppair_accountant_init(&A.run));
  MUST(dppair_accountant_init(&A.gaussians));
  MUST(dppair_accountant_init(&A.drawn));
  A.sampling = dppair_sampling_poisson(100, 10, DPPAIR_ZERO_OUT);
  A.batch = dppair_sampling_without_replacement(100, 10, DPPAIR_REPLACE_ONE);
  A.users = A.batch, A.users.adjacency = DPPAIR_REPLACE_USER, A.users.owned = 2;
  A.grouped = dppair_sampling_groups(40, 8, 4, DPPAIR_REPLACE_ONE);
  A.matching = dppair_sampling_all(20, DPPAIR_REPLACE_USER);
  A.whole = dppair_sampling_all(10, DPPAIR_REPLACE_ONE);
  A.owners_of = dppair_sampling_all(10, DPPAIR_REPLACE_USER), A.owners_of.owned = 2;
  MUST(dppair_accountant_gaussian(&A.a, 1, 2, 3));
  MUST(dppair_accountant_gaussian(&A.b, 1, 3, 2));
  MUST(dppair_accountant_gaussian(&A.gaussians, 1, 20, 3));
  MUST(dppair_accountant_gaussian(&A.run, 1, 2, 1));
  A.parts[0] = A.parts[1] = A.gaussians;
  MUST(dppair_accountant_gaussian(&A.drawn, 1, 9, 1));
  MUST(dppair_accountant_sampled_gaussian(&A.drawn, A.sampling, 1, 2, 400));
  A.step.kind = DPPAIR_SAMPLED_GAUSSIAN, A.step.sampling = A.sampling, A.step.noise_multiplier = 2,
  A.step.steps = 3;
  A.steps_of[0] = A.step;
  A.steps_of[1].kind = DPPAIR_GAUSSIAN, A.steps_of[1].noise_multiplier = 3, A.steps_of[1].steps = 1;
  A.allocated = A.step,
  A.allocated.sampling = dppair_sampling_allocation(100, 4, 1, DPPAIR_ZERO_OUT);
  A.allocated.steps = 4;
  A.integer_step.kind = DPPAIR_SKELLAM, A.integer_step.noise_multiplier = 30,
  A.integer_step.steps = 1;
  A.objective.kind = DPPAIR_OBJECTIVE, A.objective.noise_multiplier = 2, A.objective.ridge = 1,
  A.objective.steps = 1;
  A.pair.unit = 1, A.pair.levels = DPPAIR_LEVELS_ANY;
  A.blocked = A.exchanged = A.pair;
  A.blocked.levels = DPPAIR_LEVELS_TWO, A.blocked.block = 0.5, A.blocked.classes = 1;
  A.exchanged.matched = 20;
  A.last.output = DPPAIR_LAST_ITERATE, A.mean_of.output = DPPAIR_MEAN_ITERATE,
  A.minimum.output = DPPAIR_MINIMISER, A.last.alpha = A.minimum.alpha = 0.1,
  A.last.smoothness = A.mean_of.smoothness = 1, A.last.eta = A.mean_of.eta = 0.1,
  A.last.steps = A.mean_of.steps = 3, A.minimum.tolerance = 1e-6;
  A.queries.count = 3, A.queries.size = sizes, A.queries.weight = weights;
  A.stream.steps = 6, A.stream.buffer = 3, A.stream.silent = 1,
  A.stream.noise = DPPAIR_PREFIX_INDEPENDENT, A.stream.adjacency = DPPAIR_REPLACE_ONE;
  A.reservoir = A.stream, A.reservoir.buffer = 1, A.reservoir.slot = slots;
  A.uas.n = 100, A.uas.steps = 6, A.uas.loss = (dppair_uas_loss)1, A.uas.eta = 0.1,
  A.uas.lipschitz = 1;
  A.paper.n = 100, A.paper.steps = 2, A.paper.lipschitz = 1, A.paper.epsilon = 0.5,
  A.paper.delta = 1e-5, A.paper.alpha = 0.1, A.paper.eta = 0.01, A.paper.lambda = 0.1,
  A.paper.kappa = 1;
  MUST(dppair_filter_init(&A.filter, 2, 1e-6, 32));
  A.entry.step = A.step, A.entry.sensitivity = 1, A.entry.sigma = 2, A.entry.sequence = 1;
  A.plan.sampling = dppair_sampling_all(100, DPPAIR_REPLACE_ONE), A.plan.epsilon = 5,
  A.plan.delta = 1e-6, A.plan.steps = 2;
  A.adjacency = DPPAIR_REPLACE_ONE, A.user = DPPAIR_REPLACE_USER,
  A.query = DPPAIR_REPLACE_QUERY;
  A.given = DPPAIR_GIVEN_DELTA, A.one_route = DPPAIR_ROUTE_CONTOUR, A.list = DPPAIR_LIST_PUBLIC,
  A.how = DPPAIR_QUANTISED_ROUNDED;
  A.epsilon = 1, A.delta = 1e-6, A.mu = 0.5, A.mu_before = 0.1, A.sensitivity = 1, A.sigma = 2,
  A.scale = 0.01, A.order = 32, A.spend = 0.1, A.budget = 1;
  A.prior = 0.5, A.slack = 1e-9, A.rate = 0.1, A.guess_rate = 0.5, A.alpha = 0.1, A.eta = 0.1,
  A.smoothness = 1, A.tolerance = 1e-6, A.move = 0.01, A.target = 1, A.guess = 1;
  A.clip = 1, A.temperature = 1, A.variance = 900, A.length = 1, A.largest = 1000, A.diameter = 2,
  A.multiplier = 2, A.ridge = 1, A.ratio = 1, A.load = 1;
  A.gamma = 0.5, A.mean = 4, A.radius = 1, A.slope = 1, A.slope_other = 1, A.divisor = 45,
  A.pair_clip = 1;
  A.steps = 3, A.n = 3, A.count = 2, A.k = 2, A.most = 100, A.size = 10, A.m = 10, A.hit_cap = 64,
  A.persons_of = 3, A.items = 3, A.places = 6, A.capacity = sizeof A.line;
  A.bits = 32, A.false_positive = rates, A.g = norms, A.weight = weights, A.owner = owner,
  A.first = first, A.index = indices;
  A.function = halves, A.sink = keep, A.work = room, A.bytes = sizeof room, A.bytes_at = &needed,
  A.line_at = &A.line_length;
  MUST(dppair_composer_init(&A.composer, room, sizeof room));
}

#define OF_SAMPLING(s)                                                                             \
  HOSTILE_INT(s.kind), HOSTILE_INT(s.adjacency), HOSTILE_REAL(s.q), HOSTILE_SIZE(s.n),             \
      HOSTILE_SIZE(s.m), HOSTILE_SIZE(s.batches), HOSTILE_SIZE(s.group), HOSTILE_SIZE(s.owned)
#define OF_STEP(s)                                                                                 \
  HOSTILE_INT(s.kind), HOSTILE_REAL(s.noise_multiplier), HOSTILE_REAL(s.pair_rate),                \
      HOSTILE_SIZE(s.steps), HOSTILE_REAL(s.ridge), OF_SAMPLING(s.sampling)
#define OF_ACCOUNT(x)                                                                              \
  HOSTILE_INT(x.ready), HOSTILE_INT(x.broken), HOSTILE_INT(x.adjacency), HOSTILE_INT(x.named),     \
      HOSTILE_INT(x.stated), HOSTILE_INT(x.unattained), HOSTILE_INT(x.folded),                     \
      HOSTILE_REAL(x.gaussian), HOSTILE_REAL(x.additions), HOSTILE_REAL(x.zcdp),                   \
      HOSTILE_REAL(x.pure), HOSTILE_REAL(x.failure), HOSTILE_COUNT(x.count),                       \
      HOSTILE_SIZE(x.sequence), HOSTILE_SIZE(x.check)
#define OF_PAIR(p)                                                                                 \
  HOSTILE_INT(p.levels), HOSTILE_REAL(p.unit), HOSTILE_REAL(p.clip), HOSTILE_REAL(p.block),        \
      HOSTILE_REAL(p.matched), HOSTILE_INT(p.classes)
#define OF_DESCENT(x)                                                                              \
  HOSTILE_INT(x.output), HOSTILE_REAL(x.alpha), HOSTILE_REAL(x.smoothness), HOSTILE_REAL(x.eta),   \
      HOSTILE_REAL(x.tolerance), HOSTILE_SIZE(x.steps)
#define OF_STREAM(x)                                                                               \
  HOSTILE_COUNT(x.steps), HOSTILE_SIZE(x.buffer), HOSTILE_SIZE(x.silent), HOSTILE_INT(x.noise),    \
      HOSTILE_INT(x.adjacency), HOSTILE_POINTER(x.slot)
static const hostile_word words[] = {OF_ACCOUNT(A.a),
                                     OF_ACCOUNT(A.b),
                                     OF_ACCOUNT(A.empty),
                                     OF_ACCOUNT(A.run),
                                     OF_ACCOUNT(A.gaussians),
                                     OF_ACCOUNT(A.parts[1]),
                                     OF_ACCOUNT(A.drawn),
                                     OF_STEP(A.step),
                                     OF_STEP(A.allocated),
                                     OF_STEP(A.integer_step),
                                     OF_STEP(A.objective),
                                     OF_STEP(A.steps_of[0]),
                                     OF_STEP(A.steps_of[1]),
                                     OF_STEP(A.entry.step),
                                     OF_SAMPLING(A.sampling),
                                     OF_SAMPLING(A.batch),
                                     OF_SAMPLING(A.users),
                                     OF_SAMPLING(A.whole),
                                     OF_SAMPLING(A.owners_of),
                                     OF_SAMPLING(A.matching),
                                     OF_SAMPLING(A.grouped),
                                     OF_SAMPLING(A.plan.sampling),
                                     OF_PAIR(A.pair),
                                     OF_PAIR(A.blocked),
                                     OF_PAIR(A.exchanged),
                                     OF_DESCENT(A.last),
                                     OF_DESCENT(A.mean_of),
                                     OF_DESCENT(A.minimum),
                                     HOSTILE_COUNT(A.queries.count),
                                     HOSTILE_POINTER(A.queries.size),
                                     HOSTILE_POINTER(A.queries.weight),
                                     {"A.queries.records", &A.queries.records, 'w'},
                                     HOSTILE_REAL(A.queries.clip),
                                     HOSTILE_INT(A.queries.moving),
                                     OF_STREAM(A.stream),
                                     OF_STREAM(A.reservoir),
                                     HOSTILE_POINTER(A.composer.work),
                                     HOSTILE_COUNT(A.composer.bytes),
                                     HOSTILE_POINTER(A.composer.answer),
                                     HOSTILE_INT(A.given),
                                     HOSTILE_SIZE(A.uas.n),
                                     HOSTILE_COUNT(A.uas.steps),
                                     HOSTILE_INT(A.uas.loss),
                                     HOSTILE_REAL(A.uas.eta),
                                     HOSTILE_REAL(A.uas.lipschitz),
                                     HOSTILE_REAL(A.uas.diameter),
                                     HOSTILE_REAL(A.uas.strong_convexity),
                                     HOSTILE_REAL(A.uas.smoothness),
                                     HOSTILE_REAL(A.uas.pair_clip),
                                     HOSTILE_INT(A.uas.last_iterate),
                                     HOSTILE_INT(A.paper.result),
                                     HOSTILE_SIZE(A.paper.n),
                                     HOSTILE_SIZE(A.paper.steps),
                                     HOSTILE_REAL(A.paper.lipschitz),
                                     HOSTILE_REAL(A.paper.epsilon),
                                     HOSTILE_REAL(A.paper.delta),
                                     HOSTILE_REAL(A.paper.alpha),
                                     HOSTILE_REAL(A.paper.eta),
                                     HOSTILE_REAL(A.paper.lambda),
                                     HOSTILE_REAL(A.paper.kappa),
                                     HOSTILE_INT(A.paper.pure),
                                     HOSTILE_REAL(A.filter.order),
                                     HOSTILE_REAL(A.filter.budget),
                                     HOSTILE_REAL(A.filter.spent),
                                     HOSTILE_REAL(A.entry.sensitivity),
                                     HOSTILE_REAL(A.entry.sigma),
                                     HOSTILE_REAL(A.entry.failure),
                                     HOSTILE_SIZE(A.entry.sequence),
                                     HOSTILE_SIZE(A.entry.check),
                                     HOSTILE_REAL(A.plan.epsilon),
                                     HOSTILE_REAL(A.plan.delta),
                                     HOSTILE_SIZE(A.plan.steps),
                                     HOSTILE_INT(A.plan.noise),
                                     HOSTILE_REAL(A.plan.ridge),
                                     HOSTILE_REAL(A.plan.output_mu),
                                     HOSTILE_REAL(A.plan.failure),
                                     HOSTILE_REAL(A.plan.noise_multiplier),
                                     HOSTILE_INT(A.adjacency),
                                     HOSTILE_INT(A.user),
                                     HOSTILE_INT(A.query),
                                     HOSTILE_INT(A.route),
                                     HOSTILE_INT(A.one_route),
                                     HOSTILE_INT(A.list),
                                     HOSTILE_INT(A.how),
                                     HOSTILE_REAL(A.epsilon),
                                     HOSTILE_REAL(A.delta),
                                     HOSTILE_REAL(A.mu),
                                     HOSTILE_REAL(A.mu_before),
                                     HOSTILE_REAL(A.sensitivity),
                                     HOSTILE_REAL(A.sigma),
                                     HOSTILE_REAL(A.scale),
                                     HOSTILE_REAL(A.order),
                                     HOSTILE_REAL(A.spend),
                                     HOSTILE_REAL(A.budget),
                                     HOSTILE_REAL(A.prior),
                                     HOSTILE_REAL(A.slack),
                                     HOSTILE_REAL(A.rate),
                                     HOSTILE_REAL(A.guess_rate),
                                     HOSTILE_REAL(A.alpha),
                                     HOSTILE_REAL(A.eta),
                                     HOSTILE_REAL(A.smoothness),
                                     HOSTILE_REAL(A.tolerance),
                                     HOSTILE_REAL(A.move),
                                     HOSTILE_REAL(A.target),
                                     HOSTILE_REAL(A.guess),
                                     HOSTILE_REAL(A.clip),
                                     HOSTILE_REAL(A.temperature),
                                     HOSTILE_REAL(A.variance),
                                     HOSTILE_REAL(A.length),
                                     HOSTILE_REAL(A.largest),
                                     HOSTILE_REAL(A.diameter),
                                     HOSTILE_REAL(A.multiplier),
                                     HOSTILE_REAL(A.ridge),
                                     HOSTILE_REAL(A.ratio),
                                     HOSTILE_REAL(A.load),
                                     HOSTILE_REAL(A.gamma),
                                     HOSTILE_REAL(A.mean),
                                     HOSTILE_REAL(A.radius),
                                     HOSTILE_REAL(A.slope),
                                     HOSTILE_REAL(A.slope_other),
                                     HOSTILE_REAL(A.divisor),
                                     HOSTILE_REAL(A.pair_clip),
                                     HOSTILE_COUNT(A.steps),
                                     HOSTILE_COUNT(A.n),
                                     HOSTILE_COUNT(A.count),
                                     HOSTILE_SIZE(A.k),
                                     HOSTILE_SIZE(A.most),
                                     HOSTILE_SIZE(A.size),
                                     HOSTILE_SIZE(A.m),
                                     HOSTILE_COUNT(A.hit_cap),
                                     HOSTILE_COUNT(A.persons_of),
                                     HOSTILE_COUNT(A.items),
                                     HOSTILE_COUNT(A.places),
                                     HOSTILE_COUNT(A.capacity),
                                     HOSTILE_INT(A.bits),
                                     HOSTILE_INT(A.ranking),
                                     HOSTILE_INT(A.dropped),
                                     HOSTILE_POINTER(A.false_positive),
                                     HOSTILE_POINTER(A.g),
                                     HOSTILE_POINTER(A.weight),
                                     HOSTILE_POINTER(A.owner),
                                     HOSTILE_POINTER(A.first),
                                     HOSTILE_POINTER(A.index),
                                     HOSTILE_POINTER(A.function),
                                     HOSTILE_POINTER(A.sink),
                                     HOSTILE_POINTER(A.work),
                                     HOSTILE_COUNT(A.bytes),
                                     HOSTILE_POINTER(A.bytes_at),
                                     HOSTILE_POINTER(A.line_at),
                                     HOSTILE_REAL(A.spent[1]),
                                     HOSTILE_MODE};

#define SAYS(name, numbers)                                                                        \
  { #name, name, A.out, numbers }
#define ENDS(name)                                                                                 \
  { #name, name, &A.interval[0].upper, 1 }
static const hostile_call charges[] = {SAYS(charge_step, 0),     SAYS(charge_allocated, 0),
                                       SAYS(charge_integers, 0), SAYS(charge_objective, 0),
                                       SAYS(charge_gaussian, 0), SAYS(charge_laplace, 0),
                                       SAYS(charge_pure, 0),     SAYS(charge_sampled, 0),
                                       SAYS(charge_failure, 0),  SAYS(charge_skellam, 0),
                                       SAYS(neighbours, 0),      SAYS(merge, 0),
                                       SAYS(ledger_write, 0),    SAYS(ledger_write_read, 0),
                                       SAYS(ledger_step, 0),     SAYS(renyi, 1),
                                       SAYS(renyi_integers, 1)};
static const hostile_call formulas[] = {SAYS(attack_bayes, 2),
                                        SAYS(batch_move, 1),
                                        SAYS(all_move, 1),
                                        SAYS(exchanged_move, 1),
                                        SAYS(calibrate_scale, 2),
                                        SAYS(calibrate_count, 1),
                                        SAYS(group_privacy, 2),
                                        SAYS(last_move, 1),
                                        SAYS(mean_move, 1),
                                        SAYS(minimum_move, 1),
                                        SAYS(filter_init, 0),
                                        SAYS(filter_step, 0),
                                        SAYS(own_budget, 1),
                                        SAYS(own_step, 0),
                                        SAYS(own_sum_step, 0),
                                        SAYS(gaussian_delta, 1),
                                        SAYS(gaussian_log_delta, 0),
                                        SAYS(gaussian_epsilon, 1),
                                        SAYS(gaussian_mu, 1),
                                        SAYS(gaussian_sigma, 1),
                                        SAYS(queries_move, 1),
                                        SAYS(groups_move, 1),
                                        SAYS(softmax_move, 1),
                                        SAYS(skellam_sigma, 1),
                                        SAYS(skellam_variance, 1),
                                        SAYS(quantised_move, 1),
                                        SAYS(wrap, 0),
                                        SAYS(last_iterate, 1),
                                        SAYS(objective_delta, 1),
                                        SAYS(objective_noise, 1),
                                        SAYS(users, 1),

                                        SAYS(users_batch, 1),
                                        SAYS(user_weighted, 1),
                                        SAYS(owners, 1),
                                        SAYS(owner_load, 1),
                                        SAYS(paper, 0),
                                        SAYS(selection_mean, 1),
                                        SAYS(selection_gamma, 1),

                                        SAYS(metric_move, 1),
                                        SAYS(record_clip, 1),

                                        SAYS(uas_quantile, 1),
                                        SAYS(uas_sigma, 1),
                                        SAYS(uas_bytes, 0),
                                        SAYS(uas_sequence, 1),
                                        SAYS(prefix_bytes, 0),
                                        SAYS(prefix_move, 1),
                                        SAYS(reservoir_move, 1),
                                        SAYS(composer_bytes, 0),
                                        SAYS(composer_init, 0)};
static const hostile_call answers[] = {ENDS(attack_curve),
                                       ENDS(attack_accuracy),
                                       ENDS(attack_fit),
                                       SAYS(calibrate_plan, 0),
                                       SAYS(accountant_left, 2),
                                       ENDS(composed),
                                       ENDS(by_route),
                                       ENDS(composed_delta),
                                       ENDS(selection_epsilon),
                                       SAYS(charge_selection, 0),
                                       ENDS(epsilon_of),
                                       ENDS(delta_of),
                                       SAYS(epsilon_by_orders, 1),
                                       SAYS(delta_by_orders, 1),
                                       ENDS(parallel),
                                       ENDS(compose_epsilon),
                                       ENDS(compose_for_delta),
                                       SAYS(renyi_allocation, 1)};

#define REFUSE(calls)                                                                              \
  prepare();                                                                                       \
  (void)state;                                                                                     \
  assert_true(hostile_calls(&A, kept, sizeof A, calls, sizeof calls / sizeof *calls, words,        \
                            sizeof words / sizeof *words) > 50)
static void charges_refuse(void **state) { REFUSE(charges); }
static void formulas_refuse(void **state) { REFUSE(formulas); }
static void answers_refuse(void **state) { REFUSE(answers); }

int main(void) {
  const struct CMUnitTest tests[] = {TEST(charges_refuse), TEST(formulas_refuse),
                                     TEST(answers_refuse)};
  return RUN_TESTS(tests, NULL, NULL);
}
