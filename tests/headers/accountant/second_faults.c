/* SPDX-License-Identifier: MIT */
/* What cannot happen unless a machine errs: an elementary function says NaN once, a finite number
 * is taken for another, the rounding mode is wrong in the midst of a call. No answer may then claim
 * more privacy than there is: it is refused, with zeros or infinity, or it still holds. */
#include <float.h>

#include "tests.h"

#define DPPAIR_CORE_ONLY_
#include "dppair.h"
#undef DPPAIR_CORE_ONLY_
#include "dppair_noise.h" /* whose bits are tested elsewhere */
#include "second_faults.h"

#define DPPAIR_WITH_SHARES
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "dppair_accountant.h"
#include "dppair_attack.h"
#include "dppair_filters.h"
#include "dppair_iterates.h"
#include "dppair_papers.h"
#include "dppair_selection.h"
#include "dppair_streams.h"
#include "questions.h"

/* Sizes of rows are instructions there, which do not say NaN. */
#undef dppair_fabs_
#define dppair_fabs_(x) fabs(x)
#include "dppair.h"
#include "dppair_contrast.h"
#include "dppair_losses.h"

typedef char every_place_has_a_number[__COUNTER__ < FAULT_PLACES ? 1 : -1];

static double *work;
static size_t bytes;
static dppair_interval say; /* `upper` is what is claimed: more of it is less privacy */
static double known;        /* a lower bound from elsewhere, where the answer has none */
static dppair_step none;

/* --- steps --- */

static dppair_step sampled(dppair_mechanism_kind kind, dppair_sampling sampling, double z,
                           size_t steps) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = kind;
  s.sampling = sampling;
  s.noise_multiplier = z;
  s.steps = steps;
  return s;
}
static dppair_step plain(dppair_mechanism_kind kind, double z, size_t steps) {
  dppair_sampling all;
  memset(&all, 0, sizeof all);
  return sampled(kind, all, z, steps);
}
static dppair_step pairs_of(dppair_sampling sampling, double rate, double z) {
  dppair_step s = sampled(DPPAIR_SAMPLED_PAIRS, sampling, z, 3);
  s.pair_rate = rate;
  return s;
}
static dppair_step objective(double z) {
  dppair_step s = plain(DPPAIR_OBJECTIVE, z, 1);
  s.ridge = 1.0;
  return s;
}
#define GAUSSIANS plain(DPPAIR_GAUSSIAN, 5, 2)
#define POISSON(z, steps)                                                                          \
  sampled(DPPAIR_SAMPLED_GAUSSIAN, dppair_sampling_poisson(1000, 10, DPPAIR_ZERO_OUT), z, steps)
#define POISSON_ONE(z, steps)                                                                      \
  sampled(DPPAIR_SAMPLED_GAUSSIAN, dppair_sampling_poisson(1000, 10, DPPAIR_REPLACE_ONE), z, steps)
#define RARE                                                                                       \
  sampled(DPPAIR_SAMPLED_GAUSSIAN, dppair_sampling_poisson(100000, 1, DPPAIR_ZERO_OUT), 1, 1000)
#define FIXED(z, steps)                                                                            \
  sampled(DPPAIR_SAMPLED_GAUSSIAN,                                                                 \
          dppair_sampling_without_replacement(100, 10, DPPAIR_REPLACE_ONE), z, steps)
#define REPLACED(z, steps)                                                                         \
  sampled(DPPAIR_SAMPLED_GAUSSIAN, dppair_sampling_with_replacement(100, 5, DPPAIR_REPLACE_ONE),   \
          z, steps)
#define ALLOCATED(t, adjacency, steps)                                                             \
  sampled(DPPAIR_SAMPLED_GAUSSIAN, dppair_sampling_allocation(100, t, 1, adjacency), 2, steps)

/* --- scenes --- */

static dppair_status composed(dppair_step one, dppair_step two, int for_delta, double given,
                              dppair_route route) {
  const dppair_step steps[2] = {one, two};
  const size_t count = two.steps > 0 ? 2 : 1;
  return for_delta ? compose_delta(&say, steps, count, given, route, work, bytes)
                   : compose(&say, steps, count, given, route, work, bytes);
}
static dppair_status on_lattice(dppair_step one, dppair_step two, int for_delta, double given,
                                unsigned log2_size) {
  const dppair_step steps[2] = {one, two};
  const size_t count = two.steps > 0 ? 2 : 1;
  const dppair_question_ q = {steps, count, for_delta, given, work, bytes / sizeof(double), 0};
  dppair_pld_options_ options;
  memset(&options, 0, sizeof options);
  options.log2_size = log2_size; /* short enough to be asked often */
  return dppair_pld_bounds_(&say, &q, &options);
}
static dppair_status allocated(size_t t, size_t epochs, dppair_adjacency adjacency, int for_delta,
                               double given) {
  const size_t room = bytes / sizeof(double);
  return for_delta
             ? dppair_allocation_delta_(&say, 2, t, epochs, given, adjacency, 0, work, room)
             : dppair_allocation_epsilon_(&say, 2, t, epochs, given, adjacency, 0, work, room);
}

/* An account that is charged and asked while the fault is about. ask: 0 epsilon, 1 delta by Renyi
 * orders, 2 and 3 the tightest, 4 of the best of some runs, 5 an attack's accuracy, 6 its curve, 7
 * its fit. memory: there is a composer. */
enum { EPSILON, DELTA, CERTIFIED, CERTIFIED_DELTA, SELECTED, ACCURACY, CURVE, FIT };
static dppair_status account(dppair_step one, dppair_step two, int ask, double given, int memory) {
  static const double rates[2] = {0.01, 0.3};
  dppair_composer composer;
  const dppair_composer *const c = composer_of(&composer, memory ? work : NULL, bytes);
  dppair_interval both[2];
  dppair_accountant a;
  dppair_status status = dppair_accountant_init(&a);
  memset(both, 0, sizeof both);
  if (status == DPPAIR_OK) status = dppair_accountant_step(&a, &one);
  if (status == DPPAIR_OK && two.steps > 0) status = dppair_accountant_step(&a, &two);
  say.upper = say.lower = 0.0;
  if (status != DPPAIR_OK) return status;
  if (ask == EPSILON) return answer_epsilon(&say.upper, &a, given);
  if (ask == DELTA) return answer_delta(&say.upper, &a, given);
  if (ask == CERTIFIED) return dppair_accountant_epsilon(&say, &a, given, c);
  if (ask == CERTIFIED_DELTA) return dppair_accountant_delta(&say, &a, given, c);
  if (ask == SELECTED) return dppair_selection_epsilon(&say, &a, 1.0, 0.3, given, c);
  if (ask == ACCURACY) return dppair_attack_accuracy(&say, &a, given, c);
  if (ask == FIT) return dppair_attack_fit(&say, &a, given, c);
  status = dppair_attack_curve(both, rates, 2, &a, c);
  say = both[0];
  return status;
}
/* Noise that is found for a budget: less of it is the greater claim. */
static dppair_status planned(dppair_sampling sampling, dppair_mechanism_kind law, int memory) {
  dppair_composer composer;
  dppair_accountant a;
  dppair_plan plan;
  dppair_status status = dppair_accountant_init(&a);
  memset(&plan, 0, sizeof plan);
  plan.sampling = sampling;
  plan.epsilon = 1.0;
  plan.delta = law == DPPAIR_LAPLACE && !memory ? 0.0 : 1e-5; /* pure, or composed */
  plan.steps = 3;
  plan.noise = law;
  if (status == DPPAIR_OK) status = dppair_accountant_neighbours(&a, sampling.adjacency);
  if (status == DPPAIR_OK)
    status = dppair_calibrate(&plan, &a, composer_of(&composer, memory ? work : NULL, bytes));
  say.upper = plan.noise_multiplier;
  return status;
}
/* A figure of which less is claimed where more is written: of noise, or of privacy. */
static dppair_status inverted(dppair_status status, double figure) {
  say.upper = status == DPPAIR_OK ? 1.0 / figure : figure;
  return status;
}
static dppair_status uas(int ask) {
  static const size_t drawn[8] = {0, 1, 2, 3, 1, 5, 6, 7};
  size_t hits;
  double failure;
  dppair_uas u;
  memset(&u, 0, sizeof u);
  u.n = 100;
  u.steps = 8;
  u.loss = DPPAIR_UAS_CONVEX;
  u.eta = 0.1;
  u.lipschitz = 1.0;
  if (ask == 0) return dppair_sensitivity_uas_sequence(&say.upper, &u, drawn, 8, 1.5, work, bytes);
  if (ask == 1) return dppair_sensitivity_uas_quantile(&say.upper, &failure, &hits, &u, 1e-6);
  return dppair_uas_sigma(&say.upper, &u, 1.0, 1e-5);
}
static dppair_status paper(dppair_paper_result result) {
  dppair_paper p;
  dppair_paper_verdict verdict;
  dppair_status status;
  memset(&p, 0, sizeof p);
  p.result = result;
  p.n = 1000;
  p.steps = 100;
  p.lipschitz = p.epsilon = p.alpha = p.eta = p.lambda = p.kappa = 0.1;
  p.delta = 1e-5;
  status = dppair_paper_check(&verdict, &p);
  say.upper = verdict.noise_needed;
  return status;
}
static dppair_status unit(int ask) {
  static const size_t sizes[3] = {4, 3, 5};
  static const double weights[3] = {0.5, 0.25, 0.25};
  dppair_pair_unit pair;
  dppair_queries queries;
  dppair_stream stream;
  dppair_sampling batch = dppair_sampling_without_replacement(100, 10, DPPAIR_REPLACE_ONE);
  memset(&pair, 0, sizeof pair);
  memset(&queries, 0, sizeof queries);
  memset(&stream, 0, sizeof stream);
  pair.levels = DPPAIR_LEVELS_GENERAL;
  pair.unit = 1.0;
  pair.clip = 0.5;
  queries.count = 3;
  queries.size = sizes;
  queries.weight = weights;
  stream.steps = 8;
  stream.buffer = 2;
  stream.silent = 2;
  stream.noise = DPPAIR_PREFIX_TREE;
  stream.adjacency = DPPAIR_REPLACE_ONE;
  if (ask == 0) return dppair_sensitivity(&say.upper, &pair, &batch);
  if (ask == 1) return dppair_sensitivity_queries(&say.upper, &pair, &queries, DPPAIR_REPLACE_ONE);
  if (ask == 2) return dppair_sensitivity_prefix(&say.upper, &pair, &stream, work, bytes);
  batch.adjacency = DPPAIR_REPLACE_USER;
  batch.owned = 3;
  if (ask == 3) return dppair_sensitivity(&say.upper, &pair, &batch);
  batch = dppair_sampling_all(100, DPPAIR_REPLACE_USER);
  if (ask == 4) batch.owned = 3;
  if (ask <= 5) return dppair_sensitivity(&say.upper, &pair, &batch);
  batch = dppair_sampling_poisson(100, 10, DPPAIR_ZERO_OUT);
  if (ask == 6) pair.matched = 20.0;
  return dppair_sensitivity(&say.upper, &pair, &batch);
}
static dppair_status descended(dppair_descent_output output) {
  const int solver = output == DPPAIR_MINIMISER;
  dppair_descent d;
  memset(&d, 0, sizeof d);
  d.output = output;
  if (output != DPPAIR_MEAN_ITERATE) d.alpha = 0.1;
  if (solver) d.tolerance = 1e-3;
  if (!solver) d.smoothness = 1.0, d.eta = 0.5, d.steps = 9;
  return dppair_sensitivity_descent(&say.upper, 1.0, &d);
}

/* --- domains, losses and fits: what is released lies in its set, or is zeros --- */

/* What may not be released is 0 of 1. */
static dppair_status released(dppair_status status, const double *w, size_t n, int inside) {
  size_t i;
  say.upper = status == DPPAIR_OK ? (double)inside : 0.0;
  for (i = 0; status != DPPAIR_OK && i < n; i++)
    if (w[i] != 0.0) say.upper = 1.0;
  return status;
}
static dppair_status projected(int domain) {
  double w[9] = {3.0, -1.0, 2.0, 0.5, -4.0, 1.0, 2.0, 1.0, 1.5}, square = 0.0, sum = 0.0, trace;
  double values[3], vectors[9];
  dppair_status status;
  size_t i;
  int inside = 1;
  switch (domain) {
  case 0:
    status = dppair_project_l2_f64(w, 9, 1.0);
    break;
  case 1:
    status = dppair_project_box_f64(w, 9, -1.0, 1.0);
    break;
  case 2:
    status = dppair_project_simplex_f64(w, 9, 1.0, work, bytes);
    break;
  case 3:
    status = dppair_project_l1_f64(w, 9, 1.0, work, bytes);
    break;
  case 4:
    status = dppair_project_spectral_f64(w, 3, -1.0, 1.0, work, bytes);
    break;
  case 5:
    status = dppair_project_psd_frobenius_f64(w, 3, 1.0, work, bytes);
    break;
  case 6:
    status = dppair_project_psd_trace_f64(w, 3, 1.0, work, bytes);
    break;
  default: /* of the symmetric part: its trace and its norm are those of the values */
    status = dppair_eigen_f64(values, vectors, w, 3, work, bytes);
    trace = values[0] + values[1] + values[2] - 0.5;
    square = values[0] * values[0] + values[1] * values[1] + values[2] * values[2] - 37.375;
    inside = fabs(trace) < 1e-9 && fabs(square) < 1e-9;
    for (i = 0; i < 3; i++)
      inside &= values[i] == 0.0 ||
                fabs(vectors[3 * i] * vectors[3 * i] + vectors[3 * i + 1] * vectors[3 * i + 1] +
                     vectors[3 * i + 2] * vectors[3 * i + 2] - 1.0) < 1e-9;
    return released(status, vectors, 9, inside);
  }
  for (i = 0; i < 9; i++) {
    inside &= fabs(w[i]) <= 1.0 + 1e-9;
    square += w[i] * w[i];
    sum += fabs(w[i]);
  }
  trace = w[0] + w[4] + w[8];
  if (domain == 0 || domain == 5) inside &= square <= 1.0;
  if (domain == 2 || domain == 3) inside &= sum <= 1.0 + 1e-9;
  if (domain == 4) inside &= square <= 3.0 + 1e-9;
  if (domain == 6) inside &= trace <= 1.0 + 1e-9;
  return released(status, w, 9, inside);
}
static dppair_status minimised(int hinge, double ridge) {
  static const double x[8] = {1.0, 0.2, -0.3, 0.9, 0.5, -0.5, -1.0, 0.1}, y[4] = {1, 1, -1, -1};
  double w[2] = {0.1, 0.1}, g[2];
  dppair_margin_problem p;
  dppair_margin_tolerance reach;
  dppair_status status;
  size_t i;
  memset(&p, 0, sizeof p);
  p.loss = hinge ? dppair_margin_soft_hinge() : dppair_margin_logistic();
  p.n = 4;
  p.d = 2;
  p.radius = 2.0;
  p.ridge = ridge;
  status = dppair_margin_reach(&reach, &p, 1e-6);
  if (status == DPPAIR_OK)
    status = dppair_minimiser_not_private(w, x, 2, y, &p, NULL, &reach, work, bytes);
  else
    w[0] = w[1] = 0.0;
  g[0] = ridge * w[0];
  g[1] = ridge * w[1];
  for (i = 0; i < 4; i++) {
    const double t = y[i] * (w[0] * x[2 * i] + w[1] * x[2 * i + 1]);
    const double slope = -1.0 / (1.0 + exp(hinge ? 4.0 * (t - 0.75) : t));
    g[0] += slope * y[i] * x[2 * i];
    g[1] += slope * y[i] * x[2 * i + 1];
  }
  return released(status, w, 2, hypot(g[0], g[1]) <= 1.1e-6);
}
static dppair_status constants(dppair_margin margin, dppair_loss loss, int figure_of) {
  static const double params[2] = {0.5, 0.5};
  const dppair_loss_facts *facts = dppair_loss_facts_of(loss);
  const dppair_bounds bounds = {1.0, 2.0, 1.0, 0.5, 0.0};
  dppair_constants k;
  dppair_moves_ m;
  dppair_status status;
  if (figure_of == 2) {
    status = dppair_moves_find_(&m, margin, facts, params, &bounds, 0.0, 5.0, 1e-6, 1e-6);
    if (status == DPPAIR_OK) say.upper = m.replaced;
    return status;
  }
  status = dppair_constants_find(&k, margin, facts, params, &bounds);
  say.upper = figure_of == 0 ? k.lipschitz : k.replace_one;
  return status;
}

static double figure;
#define FIGURE(call) (figure = 0.0, inverted(call, figure))
#define SCENES(X)                                                                                  \
  X(composed(POISSON(1, 100), GAUSSIANS, 0, 1e-5, DPPAIR_ROUTE_CONTOUR))                           \
  X(composed(POISSON_ONE(1, 100), GAUSSIANS, 1, 1.0, DPPAIR_ROUTE_CONTOUR))                        \
  X(composed(FIXED(1, 100), none, 0, 1e-5, DPPAIR_ROUTE_BEST))                                     \
  X(composed(POISSON(1, 1), none, 0, 1e-5, DPPAIR_ROUTE_CLOSED))                                   \
  X(composed(FIXED(2, 1), none, 1, 1.0, DPPAIR_ROUTE_CLOSED))                                      \
  X(composed(plain(DPPAIR_LAPLACE, 5, 2), plain(DPPAIR_PURE, 0.1, 1), 1, 0.6, DPPAIR_ROUTE_PURE))  \
  X(composed(POISSON_ONE(2, 10), GAUSSIANS, 0, 1e-5, DPPAIR_ROUTE_RENYI))                          \
  X(on_lattice(POISSON(1, 100), plain(DPPAIR_LAPLACE, 5, 1), 0, 1e-5, 11))                         \
  X(on_lattice(FIXED(2, 10), plain(DPPAIR_RANDOMISED_RESPONSE, 0.1, 3), 1, 1.0, 11))               \
  X((known = 0.00148923, on_lattice(RARE, none, 0, 1e-7, 11)))                                     \
  X(on_lattice(POISSON_ONE(2, 10), GAUSSIANS, 1, 1.0, 11))                                         \
  X(on_lattice(ALLOCATED(4, DPPAIR_REPLACE_ONE, 4), plain(DPPAIR_LAPLACE, 5, 1), 0, 1e-5, 11))     \
  X(on_lattice(ALLOCATED(4, DPPAIR_ZERO_OUT, 4), none, 1, 1.0, 11))                                \
  X(allocated(2, 1, DPPAIR_ZERO_OUT, 0, 1e-5))                                                     \
  X(allocated(5, 3, DPPAIR_ZERO_OUT, 1, 1.0))                                                      \
  X(allocated(8, 2, DPPAIR_REPLACE_ONE, 0, 1e-5))                                                  \
  X(allocated(5, 1, DPPAIR_REPLACE_ONE, 1, 1.0))                                                   \
  X(account(GAUSSIANS, none, CERTIFIED, 1e-5, 0))                                                  \
  X(account(GAUSSIANS, none, CERTIFIED_DELTA, 1.0, 0))                                             \
  X(account(POISSON(2, 100), GAUSSIANS, CERTIFIED, 1e-5, 1))                                       \
  X(account(GAUSSIANS, plain(DPPAIR_ZCDP, 0.01, 2), CERTIFIED, 1e-5, 1))                           \
  X(account(GAUSSIANS, plain(DPPAIR_ZCDP, 0.01, 2), CERTIFIED_DELTA, 1.0, 1))                      \
  X(account(GAUSSIANS, plain(DPPAIR_PURE, 1e-10, 2), CERTIFIED, 1e-5, 1))                          \
  X(account(GAUSSIANS, plain(DPPAIR_PURE, 1e-10, 2), CERTIFIED_DELTA, 1.0, 1))                     \
  X(account(FIXED(2, 10), plain(DPPAIR_SKELLAM, 20, 10), EPSILON, 1e-5, 0))                        \
  X(account(REPLACED(4, 2), plain(DPPAIR_LAPLACE, 5, 1), EPSILON, 1e-5, 0))                        \
  X(account(pairs_of(dppair_sampling_poisson(40, 0, DPPAIR_REPLACE_ONE), 0.01, 2), none, EPSILON,  \
            1e-5, 0))                                                                              \
  X(account(objective(3), GAUSSIANS, EPSILON, 1e-5, 0))                                            \
  X(account(objective(3), none, DELTA, 2.0, 0))                                                    \
  X(account(plain(DPPAIR_L2BALL, 5, 1), plain(DPPAIR_RANDOMISED_RESPONSE, 0.1, 2), DELTA, 0.2, 0)) \
  X(account(GAUSSIANS, none, SELECTED, 1e-5, 0))                                                   \
  X(account(plain(DPPAIR_LAPLACE, 5, 1), GAUSSIANS, SELECTED, 1e-5, 1))                            \
  X(account(GAUSSIANS, none, ACCURACY, 0.5, 0))                                                    \
  X(account(GAUSSIANS, none, CURVE, 0.0, 0))                                                       \
  X(account(GAUSSIANS, none, FIT, 1e-9, 0))                                                        \
  X(planned(dppair_sampling_all(100, DPPAIR_REPLACE_ONE), DPPAIR_GAUSSIAN, 0))                     \
  X(planned(dppair_sampling_all(100, DPPAIR_REPLACE_ONE), DPPAIR_LAPLACE, 0))                      \
  X(planned(dppair_sampling_poisson(100, 10, DPPAIR_ZERO_OUT), DPPAIR_GAUSSIAN, 1))                \
  X(dppair_gaussian_delta(&say.upper, 1.0, 0.5))                                                   \
  X(dppair_gaussian_epsilon(&say.upper, 1e-5, 0.5))                                                \
  X(FIGURE(dppair_gaussian_mu(&figure, 1.0, 1e-5)))                                                \
  X(dppair_gaussian_sigma(&say.upper, 1.0, 1.0, 1e-5, 5))                                          \
  X(dppair_gaussian_mu_last_iterate(&say.upper, 1.0, 2.0, 1.0, 0.1, 0.5, 9, 2.0))                  \
  X(dppair_objective_noise(&say.upper, 1.0, 1e-5, 0.1, 0.5))                                       \
  X(dppair_objective_delta_(&say.upper, 1.0, 0.1, 5.0, 0.5))                                        \
  X(FIGURE(dppair_skellam_sigma(&figure, 100.0)))                                                  \
  X(dppair_skellam_variance(&say.upper, 10.0))                                                     \
  X(dppair_group_privacy(&say.upper, &figure, 0.1, 1e-9, 3))                                       \
  X(dppair_sensitivity_softmax(&say.upper, 1.0, 0.1, 100, DPPAIR_REPLACE_ONE))                     \
  X(descended(DPPAIR_LAST_ITERATE))                                                                \
  X(descended(DPPAIR_MEAN_ITERATE))                                                                \
  X(descended(DPPAIR_MINIMISER))                                                                   \
  X(dppair_sensitivity_quantised(&say.upper, DPPAIR_QUANTISED_ROUNDED, 1.0, 4.0, 7,                \
                                 DPPAIR_REPLACE_ONE))                                              \
  X(FIGURE(dppair_individual_budget(&figure, 1.0, 1e-5, DPPAIR_REPLACE_ONE, 0)))                   \
  X(uas(0))                                                                                        \
  X(uas(1))                                                                                        \
  X(uas(2))                                                                                        \
  X(paper(DPPAIR_KANG2021_THEOREM1))                                                               \
  X(paper(DPPAIR_XUE2021_ALG1))                                                                    \
  X(paper(DPPAIR_XUE2021_ALG3))                                                                    \
  X(paper(DPPAIR_YANG2021_THEOREM4))                                                               \
  X(unit(0))                                                                                       \
  X(unit(1))                                                                                       \
  X(unit(2))                                                                                       \
  X(unit(3))                                                                                       \
  X(unit(4))                                                                                       \
  X(unit(5))                                                                                       \
  X(unit(6))                                                                                       \
  X(unit(7))                                                                                       \
  X(projected(0))                                                                                  \
  X(projected(1))                                                                                  \
  X(projected(2))                                                                                  \
  X(projected(3))                                                                                  \
  X(projected(4))                                                                                  \
  X(projected(5))                                                                                  \
  X(projected(6))                                                                                  \
  X(projected(7))                                                                                  \
  X(minimised(0, 0.1))                                                                             \
  X(minimised(1, 1e-3))                                                                            \
  X(constants(DPPAIR_MARGIN_diff, DPPAIR_LOSS_logistic, 0))                                        \
  X(constants(DPPAIR_MARGIN_diff, DPPAIR_LOSS_logistic, 1))                                        \
  X(constants(DPPAIR_MARGIN_diff, DPPAIR_LOSS_logistic, 2))                                        \
  X(constants(DPPAIR_MARGIN_factor, DPPAIR_LOSS_square, 0))                                        \
  X(constants(DPPAIR_MARGIN_factor, DPPAIR_LOSS_square, 1))                                        \
  X(constants(DPPAIR_MARGIN_residual, DPPAIR_LOSS_logistic, 0))                                    \
  X(constants(DPPAIR_MARGIN_ind, DPPAIR_LOSS_ramp, 2))                                             \
  X(constants(DPPAIR_MARGIN_metric, DPPAIR_LOSS_huber, 1))

#define SCENE(call) #call,
static const char *const names[] = {SCENES(SCENE)};
#undef SCENE
static dppair_status play(int scene) {
  int k = 0;
  memset(&say, 0, sizeof say);
#define SCENE(call)                                                                                \
  if (scene == k++) return call;
  SCENES(SCENE)
  return DPPAIR_ERR_DOMAIN;
}

static void no_fault_claims_more_privacy(void **state) {
  static fault_count calls;
  /* thousands of numbers that a scene takes: every fault of short ones, fewer of long ones */
  const size_t budget = getenv("BUDGET") != NULL ? (size_t)atol(getenv("BUDGET")) : 100;
  size_t tried = 0, refused = 0, wrong = 0;
  int scene;
  (void)state;
  memset(&none, 0, sizeof none);
  assert_int_equal(dppair_composer_workspace(&bytes, NULL), DPPAIR_OK);
  work = (double *)malloc(bytes);
  assert_non_null(work);
  for (scene = 0; scene < (int)(sizeof names / sizeof *names); scene++) {
    const size_t before = tried;
    dppair_interval right;
    double least;
    int place, third;
    size_t skipped = 0, stride;
    known = 0.0;
    fault_none();
    if (play(scene) != DPPAIR_OK) fail_msg("%s is refused", names[scene]);
    memcpy(&calls, &fault.calls, sizeof calls);
    right = say;
    least = right.lower > 0.0 ? right.lower * (1.0 - 1e-12)
            : known > 0.0     ? known
                              : right.upper * (1.0 - 1e-6);
    stride = 1 + fault_work(&calls) / budget;
    for (place = 0; place < FAULT_PLACES; place++)
      for (third = 0; third < 3; third++) {
        dppair_status status;
        if (!fault_at(&calls, place, third, (double)NAN) || skipped++ % stride != 0) continue;
        status = play(scene);
        assert_true(fault.fired);
        tried++;
        refused += status != DPPAIR_OK;
        if (status != DPPAIR_OK ? say.upper == 0.0 || say.upper > DBL_MAX
                                : say.upper >= least && say.lower <= right.upper)
          continue;
        wrong++;
        print_error("%s, %s:%d, call %u: %s, [%.12g, %.12g] instead of [%.12g, %.12g]\n",
                    names[scene], fault.file, fault.line, fault.when, dppair_status_string(status),
                    say.lower, say.upper, right.lower, right.upper);
      }
    assert_true(tried > before);
  }
  free(work);
  print_message("%zu faults, %zu refused\n", tried, refused);
  assert_true(refused > tried / 8);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(no_fault_claims_more_privacy)};
  return RUN_TESTS(tests, NULL, NULL);
}
