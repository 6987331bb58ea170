/* SPDX-License-Identifier: MIT */
/*
 * Certified numerical composition. Every number is reached by two routes: known answers, closed
 * forms (one step, plain Gaussian, randomised response), quadrature over two steps, and the contour
 * against the lattice: contour lower <= truth <= contour upper <= lattice upper.
 */
#include "tests.h"

#include "composition.h"
#include "questions.h"

enum { RANDOM_CASES = BRIEF ? 150 : 1500, RANDOM_LATTICES = BRIEF ? 12 : 150 };

static void *workspace;
static size_t workspace_bytes;

static int setup(void **state) {
  (void)state;
  if (compose_workspace(&workspace_bytes, 4) != DPPAIR_OK) return 1;
  workspace = malloc(workspace_bytes);
  return workspace == NULL;
}

static int teardown(void **state) {
  (void)state;
  free(workspace);
  return 0;
}

/* --- steps ------------------------------------------------------------------------------------ */

static dppair_step make(dppair_mechanism_kind kind, double z, size_t steps) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = kind;
  s.noise_multiplier = z;
  s.steps = steps;
  return s;
}

static dppair_step records(dppair_sampling_kind kind, dppair_adjacency adjacency, double q,
                           double z, size_t steps) {
  dppair_step s = make(DPPAIR_SAMPLED_GAUSSIAN, z, steps);
  s.sampling.kind = kind;
  s.sampling.adjacency = adjacency;
  s.sampling.q = q;
  return s;
}

static dppair_step poisson(dppair_adjacency adjacency, double q, double z, size_t steps) {
  return records(DPPAIR_POISSON, adjacency, q, z, steps);
}

static dppair_step pairs(dppair_sampling_kind kind, dppair_adjacency adjacency, size_t n, double b,
                         double z, size_t steps) {
  dppair_step s = make(DPPAIR_SAMPLED_PAIRS, z, steps);
  s.sampling.kind = kind;
  s.sampling.adjacency = adjacency;
  s.sampling.n = n;
  if (kind == DPPAIR_POISSON) s.pair_rate = 2.0 * b / ((double)n * (double)(n - 1));
  if (kind == DPPAIR_WITH_REPLACEMENT) s.sampling.m = (size_t)b;
  if (kind == DPPAIR_MATCHING) s.sampling.m = 2 * (size_t)b;
  return s;
}

/* --- bounds ----------------------------------------------------------------------------------- */

typedef dppair_interval bounds;

static bounds contour(const dppair_step *steps, size_t count, double delta) {
  bounds b;
  assert_int_equal(contour_alone(&b, steps, count, 0, delta, workspace, workspace_bytes),
                   DPPAIR_OK);
  assert_true(b.lower <= b.estimate && b.estimate <= b.upper);
  return b;
}

static bounds lattice(const dppair_step *steps, size_t count, double delta, double h,
                      unsigned log2_size) {
  bounds b;
  dppair_pld_options_ options;
  memset(&options, 0, sizeof options);
  options.grid_step = h;
  options.log2_size = log2_size;
  assert_int_equal(lattice_alone(&b, steps, count, 0, delta, &options, workspace, workspace_bytes),
                   DPPAIR_OK);
  assert_true(b.lower <= b.estimate && b.estimate <= b.upper);
  return b;
}

static bounds lattice_delta(const dppair_step *steps, size_t count, double epsilon,
                            unsigned log2_size) {
  bounds b;
  dppair_pld_options_ options;
  memset(&options, 0, sizeof options);
  options.log2_size = log2_size;
  assert_int_equal(
      lattice_alone(&b, steps, count, 1, epsilon, &options, workspace, workspace_bytes), DPPAIR_OK);
  assert_true(b.lower <= b.estimate && b.estimate <= b.upper);
  return b;
}

static void assert_inside(bounds b, double truth, double slack, double width) {
  if (!(b.lower <= truth + slack && b.upper >= truth - slack && b.upper - b.lower <= width))
    fail_msg("[%.15g, %.15g] should hold %.15g within width %g", b.lower, b.upper, truth, width);
}

/* --- known answers ---------------------------------------------------------------------------- */

/* The records' rows come from an independent evaluation in another language, with other parameters,
 * and agree with each other to the digits printed. */
static void both_routes_enclose_an_independent_evaluation(void **state) {
  static const struct {
    dppair_adjacency adjacency;
    double q, z, delta, truth, digits, width;
    size_t steps;
  } row[] = {
      {DPPAIR_ZERO_OUT, .01, 1, 1e-5, 6.187712390, 1e-9, 1e-8, 10000},
      {DPPAIR_ZERO_OUT, .01, 1, 1e-12, 10.3466898377, 1e-10, 1e-8, 10000},
      {DPPAIR_ZERO_OUT, .01, 1, 1e-15, 11.7599785022, 1e-10, 1e-8, 10000},
      {DPPAIR_REPLACE_ONE, .01, 1, 1e-5, 10.8807815336, 1e-10, 1e-8, 10000},
      {DPPAIR_REPLACE_ONE, .25, 10, 1e-12, 30.5369955077, 1e-10, 1e-8, 5000},
      {DPPAIR_REPLACE_ONE, .25, 10, 1e-15, 33.7663015480, 1e-10, 1e-8, 5000},
      {DPPAIR_ZERO_OUT, .001, 1, 1e-6, 1.8610474590, 1e-10, 1e-6, 100000},
      {DPPAIR_ZERO_OUT, .001, 1, 1e-12, 2.8941100607, 1e-9, 1e-6, 100000},
      {DPPAIR_ZERO_OUT, .1, 2, 1e-9, 3.5618904015, 2e-10, 1e-6, 100},
      {DPPAIR_ZERO_OUT, .01, .6, 1e-6, 8.7114435747, 1e-10, 1e-8, 1000},
  };
  size_t i;
  (void)state;
  for (i = 0; i < sizeof row / sizeof *row; i++) {
    const dppair_step s = poisson(row[i].adjacency, row[i].q, row[i].z, row[i].steps);
    assert_inside(contour(&s, 1, row[i].delta), row[i].truth, row[i].digits, row[i].width);
  }
}

/* Pairs; n = 10^4, 1000 steps, delta 1e-5, each law by both routes. */
static void both_routes_enclose_the_known_epsilons_of_pairs(void **state) {
  static const struct {
    double b, z, iid, poisson, replaced, matching;
  } row[] = {
      {64, 4, 0.975193625, 0.356376594, 0.735042713, 0.940626140},
      {256, 8, 1.815317042, 0.743853181, 1.574962361, 1.760954056},
      {256, 16, 0.791014683, 0.346720391, 0.734918189, 0.775272614},
      {256, 32, 0.360157599, 0.162448611, 0.345089301, 0.354265214},
  };
  size_t i;
  (void)state;
  for (i = 0; i < sizeof row / sizeof *row; i++) {
    const dppair_step iid =
        pairs(DPPAIR_WITH_REPLACEMENT, DPPAIR_REPLACE_ONE, 10000, row[i].b, row[i].z, 1000);
    const dppair_step coins =
        pairs(DPPAIR_POISSON, DPPAIR_ZERO_OUT, 10000, row[i].b, row[i].z, 1000);
    const dppair_step replaced =
        pairs(DPPAIR_POISSON, DPPAIR_REPLACE_ONE, 10000, row[i].b, row[i].z, 1000);
    const dppair_step matching =
        pairs(DPPAIR_MATCHING, DPPAIR_REPLACE_ONE, 10000, row[i].b, row[i].z, 1000);
    assert_inside(contour(&iid, 1, 1e-5), row[i].iid, 2e-9, 1e-6);
    assert_inside(contour(&coins, 1, 1e-5), row[i].poisson, 2e-9, 1e-8);
    assert_inside(contour(&replaced, 1, 1e-5), row[i].replaced, 2e-9, 1e-8);
    assert_inside(contour(&matching, 1, 1e-5), row[i].matching, 2e-9, 1e-8);
  }
}

/* Plain Gaussian steps have a closed form, also in parts and mixed with certain samples. */
static void both_routes_enclose_the_closed_form_of_gaussian_steps(void **state) {
  dppair_interval in;
  static const double deltas[] = {1e-3, 1e-5, 1e-10, 1e-12, 1e-15};
  static const double printed[] = {0, 0, 21.4700085683, 23.3953830687, 25.9861257258};
  dppair_step s[3];
  double truth;
  size_t i;
  (void)state;
  for (i = 0; i < sizeof deltas / sizeof *deltas; i++) {
    s[0] = make(DPPAIR_GAUSSIAN, 25, 5000);
    assert_int_equal(dppair_gaussian_epsilon(&truth, deltas[i], sqrt(5000.0) / 25), DPPAIR_OK);
    if (printed[i] > 0.0) assert_true(fabs(truth - printed[i]) < 1e-10);
    assert_inside(contour(s, 1, deltas[i]), truth, 1e-12 * truth, 1e-10);
    assert_inside(lattice(s, 1, deltas[i], 0, 16), truth, 1e-12 * truth, 2e-5);
    assert_int_equal(compose(&in, s, 1, deltas[i], DPPAIR_ROUTE_BEST, workspace, workspace_bytes),
                     DPPAIR_OK);
    assert_int_equal(in.route, DPPAIR_ROUTE_CLOSED);
    assert_true(fabs(in.upper - truth) <= 1e-12 * truth && in.lower <= in.upper &&
                in.upper - in.lower < 1e-10);
    s[0] = make(DPPAIR_GAUSSIAN, 7, 40);
    s[1] = make(DPPAIR_GAUSSIAN, 3, 9);
    s[2] = poisson(DPPAIR_REPLACE_ONE, 1.0, 10, 25); /* always drawn: moves by 2/10 */
    assert_int_equal(dppair_gaussian_epsilon(&truth, deltas[i], sqrt(40.0 / 49 + 2.0)), DPPAIR_OK);
    assert_inside(contour(s, 3, deltas[i]), truth, 1e-12 * truth, 1e-8);
  }
}

/* --- one and two steps ------------------------------------------------------------------------ */

/* delta of N(mu, 1) against N(0, 1) at any real epsilon. */
static double gauss_delta(double epsilon, double mu) {
  double value;
  if (epsilon < 0.0) return -expm1(epsilon) + exp(epsilon) * gauss_delta(-epsilon, mu);
  assert_int_equal(dppair_gaussian_delta(&value, epsilon, mu), DPPAIR_OK);
  return value;
}

/* One Poisson step, zero-out: (1-q) N(0) + q N(mu) against N(0), at any real epsilon. Above t = 1
 * the forward curve is q delta_G(log(1 + (t-1)/q)); the backward curve is (1 - t(1-q))
 * delta_G(log(tq/(1 - t(1-q)))) where that is positive, else 0. Below t = 1 each is the other one
 * reflected. */
static double poisson_delta(double epsilon, double q, double mu, int backward) {
  const double t = exp(epsilon), keep = 1.0 - t * (1.0 - q);
  if (epsilon < 0.0) return -expm1(epsilon) + t * poisson_delta(-epsilon, q, mu, !backward);
  if (!backward) return q * gauss_delta(log1p((t - 1.0) / q), mu);
  return keep > 0.0 ? keep * gauss_delta(log(t * q / keep), mu) : 0.0;
}

static void one_step_is_enclosed_by_the_lattice(void **state) {
  static const double qs[] = {.02, .3}, zs[] = {.7, 2.5}, epsilons[] = {.05, .4, 1.5};
  int a, b, c;
  (void)state;
  for (a = 0; a < 2; a++)
    for (b = 0; b < 2; b++)
      for (c = 0; c < 3; c++) {
        const double q = qs[a], mu = 1.0 / zs[b], e = epsilons[c];
        const dppair_step added = poisson(DPPAIR_ZERO_OUT, q, zs[b], 1);
        const dppair_step subset =
            records(DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_REPLACE_ONE, q, zs[b], 1);
        const double forward = poisson_delta(e, q, mu, 0), back = poisson_delta(e, q, mu, 1);
        const double worse = forward > back ? forward : back;
        if (worse > 1e-12)
          assert_inside(lattice_delta(&added, 1, e, 16), worse, 1e-13, 1e-4 * worse + 1e-9);
        if (forward > 1e-12)
          assert_inside(lattice_delta(&subset, 1, e, 16), forward, 1e-13, 1e-4 * forward + 1e-9);
      }
}

/* E over the first step's x of the second step's curve at epsilon - L(x): trapezoid. */
static double two_steps(double epsilon, double q, double mu, int backward) {
  const double h = 1.0 / 512;
  double sum = 0.0, x;
  for (x = -9.0; x <= 9.0 + mu; x += h) {
    const double r = 1.0 - q + q * exp(mu * x - 0.5 * mu * mu);
    const double density = exp(-0.5 * x * x) * 0.3989422804014327 * (backward ? 1.0 : r);
    sum += density * poisson_delta(epsilon - (backward ? -log(r) : log(r)), q, mu, backward);
  }
  return sum * h;
}

static void two_steps_are_enclosed_as_quadrature_has_them(void **state) {
  static const double qs[] = {.05, .5}, epsilons[] = {.1, .8};
  int a, c;
  (void)state;
  for (a = 0; a < 2; a++)
    for (c = 0; c < 2; c++) {
      const dppair_step s = poisson(DPPAIR_ZERO_OUT, qs[a], 1.25, 2);
      const double forward = two_steps(epsilons[c], qs[a], 0.8, 0);
      const double back = two_steps(epsilons[c], qs[a], 0.8, 1);
      const double worse = forward > back ? forward : back;
      const bounds b = lattice_delta(&s, 1, epsilons[c], 16);
      assert_inside(b, worse, 1e-10, 1e-5 * worse);
      assert_true(fabs(b.estimate - worse) < 1e-7 * worse + 1e-11);
    }
}

/* --- losses with atoms ------------------------------------------------------------------------ */

static double response_delta(double epsilon, double e, int steps) {
  double sum = 0.0;
  int k;
  for (k = 0; k <= steps; k++) {
    const double loss = (2.0 * k - steps) * e;
    const double mass = exp(lgamma(steps + 1.0) - lgamma(k + 1.0) - lgamma(steps - k + 1.0) +
                            k * e - steps * log1p(exp(e)));
    if (loss > epsilon) sum += mass * -expm1(epsilon - loss);
  }
  return sum;
}

static void losses_with_atoms_are_enclosed_by_the_lattice(void **state) {
  dppair_interval in;
  dppair_step s = make(DPPAIR_LAPLACE, 10, 100), two[2];
  double low = 0.0, high = 10.0;
  int i;
  (void)state;
  assert_inside(lattice(&s, 1, 1e-5, 1e-4, 0), 4.22034732508, 2e-11, 5e-7);
  assert_inside(lattice(&s, 1, 1e-5, 0, 16), 4.22034732508, 2e-11, 2e-6);
  /* one Laplace step: delta = 1 - e^((epsilon - e)/2) */
  s = make(DPPAIR_LAPLACE, 2, 1);
  assert_inside(lattice_delta(&s, 1, 0.2, 15), -expm1(-0.15), 1e-13, 1e-6);
  assert_inside(lattice(&s, 1, 1e-3, 0, 15), 0.5 + 2.0 * log1p(-1e-3), 1e-13, 1e-6);
  /* randomised response: a binomial law; pure privacy is dominated by it */
  for (i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    if (response_delta(middle, 0.1, 100) > 1e-5)
      low = middle;
    else
      high = middle;
  }
  s = make(DPPAIR_RANDOMISED_RESPONSE, 0.1, 100);
  assert_inside(lattice(&s, 1, 1e-5, 1e-3, 0), low, 1e-10, 1e-8);
  s = make(DPPAIR_PURE, 0.1, 100);
  assert_inside(lattice(&s, 1, 1e-5, 1e-3, 0), low, 1e-10, 1e-8);
  assert_int_equal(contour_alone(&in, &s, 1, 0, 1e-5, workspace, workspace_bytes),
                   DPPAIR_ERR_NO_PROOF);
  assert_true(in.upper == 0.0 && in.lower == 0.0 && in.estimate == 0.0);
  assert_int_equal(compose(&in, &s, 1, 1e-5, DPPAIR_ROUTE_BEST, workspace, workspace_bytes),
                   DPPAIR_OK);
  assert_int_equal(in.route, DPPAIR_ROUTE_LATTICE);
  assert_true(in.lower <= low + 1e-10 && in.upper >= low - 1e-10 && in.upper - in.lower < 1e-7);
  /* two different laws with atoms: the second off the lattice, so the lower bound is O(h) */
  two[0] = make(DPPAIR_RANDOMISED_RESPONSE, 0.1, 50);
  two[1] = make(DPPAIR_RANDOMISED_RESPONSE, 0.1 + 1e-5, 50);
  assert_inside(lattice(two, 2, 1e-5, 0, 18), low, 1e-3, 2e-2);
}

/* A table that says what a step says gives what the step gives. */
static void a_table_that_says_what_a_step_says_gives_what_it_gives(void **state) {
  dppair_interval in;
  static const double forward[] = {0.1, 0.2, 0.0, 0.3, 0.4};
  double back[5], response[21], sum = 0.0, direct;
  dppair_loss_table_ t;
  dppair_pld_options_ options;
  int i, j, k;
  (void)state;
  memset(&t, 0, sizeof t);
  memset(&options, 0, sizeof options);
  memset(response, 0, sizeof response);
  response[20] = 1.0 / (1.0 + exp(-0.1));
  response[0] = 1.0 - response[20];
  t.forward = response;
  t.forward_size = 21;
  t.forward_first = -10;
  t.steps = 100;
  options.grid_step = 0.01;
  options.tables = &t;
  options.table_count = 1;
  assert_int_equal(lattice_alone(&in, NULL, 0, 0, 1e-5, &options, workspace, workspace_bytes),
                   DPPAIR_OK);
  assert_true(in.lower <= 4.306791373 + 1e-8 && in.upper >= 4.306791373 - 1e-8 &&
              in.upper - in.lower < 1e-6);
  /* three folds of a lopsided law against the sum over all outcomes, both directions, with some
   * mass at infinity */
  for (i = 0; i < 5; i++) {
    back[4 - i] = forward[i] * exp(-(i - 2) * 0.25) * 0.9;
    sum += back[4 - i];
  }
  t.forward = forward;
  t.forward_size = 5;
  t.forward_first = -2;
  t.backward = back;
  t.backward_size = 5;
  t.backward_first = -2;
  t.backward_infinity = 1.0 - sum;
  t.steps = 3;
  options.grid_step = 0.0; /* tables need a step */
  assert_int_equal(lattice_alone(&in, NULL, 0, 1, 0.3, &options, workspace, workspace_bytes),
                   DPPAIR_ERR_DOMAIN);
  options.grid_step = 0.1;
  t.forward_first = -2;
  {
    double a = 0.0, b = 0.0;
    for (i = 0; i < 5; i++)
      for (j = 0; j < 5; j++)
        for (k = 0; k < 5; k++) {
          const double loss = 0.1 * (i + j + k - 6);
          if (loss > 0.33) {
            a += forward[i] * forward[j] * forward[k] * -expm1(0.33 - loss);
            b += back[i] * back[j] * back[k] * -expm1(0.33 - loss);
          }
        }
    b += 1.0 - sum * sum * sum;
    direct = a > b ? a : b;
  }
  assert_int_equal(lattice_alone(&in, NULL, 0, 1, 0.33, &options, workspace, workspace_bytes),
                   DPPAIR_OK);
  /* between lattice points delta is linear in e^epsilon: the bound is exact there too */
  assert_true(in.upper >= direct - 1e-12);
  assert_true(in.lower <= direct + 1e-12);
  assert_true(in.upper < 1.5 * direct);
  t.backward_infinity = -0.1;
  assert_int_equal(lattice_alone(&in, NULL, 0, 1, 0.3, &options, workspace, workspace_bytes),
                   DPPAIR_ERR_DOMAIN);
}

/* --- the routes against each other ------------------------------------------------------------ */

static void assert_routes_agree(const dppair_step *steps, size_t count, double delta,
                                unsigned log2_size, double width) {
  const bounds c = contour(steps, count, delta), l = lattice(steps, count, delta, 0, log2_size);
  assert_true(c.upper <= l.upper);
  assert_true(c.lower >= l.lower);
  assert_true(c.lower <= c.upper && c.upper - c.lower <= 1e-6);
  assert_true(l.upper - c.upper <= width);
}

static void the_lattice_encloses_what_the_contour_certifies(void **state) {
  const dppair_adjacency zero = DPPAIR_ZERO_OUT, replace = DPPAIR_REPLACE_ONE;
  dppair_step s[3];
  (void)state;
  s[0] = poisson(zero, .01, 1, 10000);
  assert_routes_agree(s, 1, 1e-5, 16, 1e-3);
  assert_routes_agree(s, 1, 1e-12, 16, 1e-3);
  s[0] = poisson(zero, .1, 2, 100);
  assert_routes_agree(s, 1, 1e-9, 16, 1e-5);
  s[0] = poisson(zero, .5, 4, 10);
  assert_routes_agree(s, 1, 1e-5, 15, 1e-5);
  s[0] = poisson(replace, .25, 10, 5000);
  assert_routes_agree(s, 1, 1e-15, 16, 1e-3);
  s[0] = poisson(replace, .05, .8, 300);
  assert_routes_agree(s, 1, 1e-8, 16, 1e-3);
  s[0] = records(DPPAIR_WITHOUT_REPLACEMENT, replace, .01, 1, 10000);
  assert_routes_agree(s, 1, 1e-5, 16, 1e-3);
  s[0] = records(DPPAIR_WITHOUT_REPLACEMENT, replace, .5, 4, 100);
  assert_routes_agree(s, 1, 1e-6, 16, 1e-4);
  s[0] = make(DPPAIR_SAMPLED_GAUSSIAN, 2, 300);
  s[0].sampling.kind = DPPAIR_WITH_REPLACEMENT;
  s[0].sampling.adjacency = replace;
  s[0].sampling.n = 1000;
  s[0].sampling.m = 50;
  assert_routes_agree(s, 1, 1e-6, 16, 1e-3);
  s[0] = pairs(DPPAIR_POISSON, zero, 1000, 50, 4, 100);
  assert_routes_agree(s, 1, 1e-5, 16, 1e-4);
  s[0] = pairs(DPPAIR_POISSON, replace, 1000, 50, 4, 100);
  assert_routes_agree(s, 1, 1e-5, 16, 1e-4);
  s[0] = pairs(DPPAIR_WITH_REPLACEMENT, replace, 1000, 50, 8, 200);
  assert_routes_agree(s, 1, 1e-5, 16, 1e-4);
  s[0] = pairs(DPPAIR_MATCHING, replace, 1000, 50, 8, 200);
  assert_routes_agree(s, 1, 1e-5, 16, 1e-4);
  /* different steps in one composition */
  s[0] = poisson(zero, .02, 1, 500);
  s[1] = make(DPPAIR_GAUSSIAN, 30, 200);
  s[2] = pairs(DPPAIR_POISSON, zero, 1000, 20, 4, 300);
  assert_routes_agree(s, 3, 1e-6, 17, 1e-3);
}

/* epsilon to delta and back; the routes' deltas enclose each other too. */
static void epsilon_and_delta_are_inverse_within_their_bounds(void **state) {
  dppair_interval in;
  dppair_step s[2];
  int i;
  (void)state;
  s[0] = poisson(DPPAIR_ZERO_OUT, .02, 1.2, 800);
  s[1] = make(DPPAIR_GAUSSIAN, 40, 100);
  for (i = 0; i < 6; i++) {
    const double epsilon = 0.5 + 0.7 * i;
    assert_int_equal(contour_alone(&in, s, 2, 1, epsilon, workspace, workspace_bytes), DPPAIR_OK);
    assert_true(in.lower <= in.estimate && in.estimate <= in.upper &&
                in.upper - in.lower <= 1e-7 * in.upper);
    assert_inside(contour(s, 2, in.estimate), epsilon, 1e-8, 1e-7);
    {
      const bounds l = lattice_delta(s, 2, epsilon, 16);
      assert_true(l.upper >= in.upper && l.lower <= in.lower &&
                  l.upper - l.lower <= 1e-2 * in.upper);
    }
  }
}

static void more_rate_steps_or_certainty_and_less_noise_cost_more(void **state) {
  static const double base[4] = {.02, 1.1, 600, 1e-6};
  int what, i;
  (void)state;
  for (what = 0; what < 4; what++) {
    double last = 0.0;
    for (i = 0; i < 8; i++) {
      double p[4];
      bounds b;
      dppair_step s;
      memcpy(p, base, sizeof p);
      if (what == 0) p[0] *= pow(1.3, i);
      if (what == 1) p[1] *= pow(0.93, i);
      if (what == 2) p[2] *= pow(1.5, i);
      if (what == 3) p[3] *= pow(0.03, i);
      s = poisson(DPPAIR_ZERO_OUT, p[0], p[1], (size_t)p[2]);
      b = contour(&s, 1, p[3]);
      assert_true(b.upper > last);
      last = b.upper;
    }
  }
  {
    dppair_step s[2];
    bounds a;
    s[0] = poisson(DPPAIR_ZERO_OUT, .02, 1.1, 600);
    a = contour(s, 1, 1e-6);
    /* 600 = 250 + 350 */
    s[1] = s[0];
    s[0].steps = 250;
    s[1].steps = 350;
    assert_inside(contour(s, 2, 1e-6), a.estimate, 1e-9, 1e-7);
  }
}

/* Long compositions keep their digits: in one piece and in two. */
static void a_million_steps_keep_their_digits_in_one_piece_and_in_two(void **state) {
  dppair_step s[2];
  bounds whole, parts;
  (void)state;
  s[0] = poisson(DPPAIR_ZERO_OUT, .001, 1, 1000000);
  whole = contour(s, 1, 1e-6);
  s[1] = s[0] = poisson(DPPAIR_ZERO_OUT, .001, 1, 500000);
  parts = contour(s, 2, 1e-6);
  assert_true(whole.upper - whole.lower <= 1e-8 && parts.upper - parts.lower <= 1e-8);
  assert_inside(parts, whole.estimate, 1e-9, 1e-8);
  /* between the same with 1 % fewer and 1 % more steps */
  s[0].steps = 990000;
  assert_true(contour(s, 1, 1e-6).upper < whole.lower);
  s[0].steps = 1010000;
  assert_true(contour(s, 1, 1e-6).lower > whole.upper);
}

/* --- the parts -------------------------------------------------------------------------------- */

/* The layers' bound on |M(c+iy)|/M(c) against the integral itself. */
static void the_layers_bound_on_the_transform_holds(void **state) {
  static double mass[2 * DPPAIR_LAYERS_], cell[5 * 200];
  int i;
  (void)state;
  for (i = 0; i < RANDOM_CASES / 30; i++) {
    const double q = exp(-7.0 * uniform()), z = exp(2.5 * uniform() - 1.0),
                 c = exp(3 * uniform() - 1);
    const dppair_step s = poisson(i % 2 ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE, 0.9 * q, z, 1);
    dppair_law_ law;
    dppair_branch_ branch;
    dppair_place_ place;
    double low, high, x, m = 0.0, y;
    const int n = 4000;
    int j, k;
    size_t used;
    assert_int_equal(dppair_law_of_(&law, &s, 1e-20), DPPAIR_OK);
    dppair_branch_of_(&branch, &law, 0, (i / 2) % 2);
    dppair_branch_span_(&low, &high, &branch, c, 9.0);
    for (j = 0; j <= n; j++) {
      x = low + (high - low) * j / n;
      dppair_place_of_(&place, &branch, x);
      m += exp(place.log_mass + c * place.loss);
    }
    used = dppair_contour_slice_(mass, mass + DPPAIR_LAYERS_, &branch, c, log(m * (high - low) / n),
                                 150, cell);
    mass[used] = -1.0;
    for (k = 0, y = 0.01; k < 20; k++, y *= 1.7) {
      double re = 0.0, im = 0.0, bound;
      for (j = 0; j <= n; j++) {
        double w;
        x = low + (high - low) * j / n;
        dppair_place_of_(&place, &branch, x);
        w = exp(place.log_mass + c * place.loss);
        re += w * cos(y * place.loss);
        im += w * sin(y * place.loss);
      }
      bound = exp(dppair_contour_decay_(mass, y, 1.0));
      assert_true(sqrt(re * re + im * im) / m <= bound * (1.0 + 1e-9) + 1e-9);
    }
  }
}

/* The transform against the sum, and the lower and upper laws against masses and means. */
static void the_transform_matches_the_sum_that_defines_it(void **state) {
  enum { N = 512 };
  static double x[2][N], y[2][N], w[2][N], c[N / 4], s[N / 4];
  double worst = 0.0, norm = 0.0;
  int in_y, n, j, k;
  (void)state;
  for (n = 8; n <= N; n *= 2) {
    norm = worst = 0.0;
    dppair_fft_table_(c, s, (size_t)n);
    for (j = 0; j < n; j++) {
      w[0][j] = x[0][j] = uniform() - 0.5;
      w[1][j] = x[1][j] = uniform() - 0.5;
      norm += fabs(x[0][j]) + fabs(x[1][j]);
    }
    dppair_fft_(&in_y, x[0], x[1], y[0], y[1], c, s, (size_t)n);
    for (k = 0; k < n; k++) {
      double re = 0.0, im = 0.0;
      for (j = 0; j < n; j++) {
        const double angle = -2.0 * DPPAIR_PI_ * ((j * k) % n) / n;
        re += w[0][j] * cos(angle) - w[1][j] * sin(angle);
        im += w[0][j] * sin(angle) + w[1][j] * cos(angle);
      }
      re -= in_y ? y[0][k] : x[0][k];
      im -= in_y ? y[1][k] : x[1][k];
      if (fabs(re) + fabs(im) > worst) worst = fabs(re) + fabs(im);
    }
    assert_true(worst <= 34.0 * 6.0 * DPPAIR_UNIT_ * norm);
  }
}

static void cells_keep_their_mass_and_their_means(void **state) {
  enum { N = 16384 };
  static double right[N], left[N], rise[N];
  int i;
  (void)state;
  for (i = 0; i < 8; i++) {
    const double q = .03 + .1 * i, z = .6 + .3 * i;
    dppair_step s = poisson(i % 2 ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE, q, z, 1);
    dppair_law_ law;
    dppair_cells_ cells;
    double p = 0.0, other = 0.0, rounded = 0.0, h, low, high;
    size_t j;
    if (i >= 6) s = records(DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_REPLACE_ONE, .2, z, 1);
    assert_int_equal(dppair_law_of_(&law, &s, 1e-20), DPPAIR_OK);
    dppair_cells_range_(&low, &high, &law, i % 4 == 3, -40.0);
    h = (high - low) / (N - 20);
    memset(&cells, 0, sizeof cells);
    cells.h = h;
    cells.growth = exp(h);
    cells.right = right;
    cells.left = left;
    cells.size = N;
    assert_int_equal(dppair_cells_fill_(&cells, &law, i % 4 == 3, -40.0), DPPAIR_OK);
    dppair_cells_rise_(rise, &cells);
    for (j = 0; j < N; j++) {
      const double at = h * ((double)cells.first + (double)j);
      p += right[j] + left[j];
      other += left[j] * exp(-at) + right[j] * exp(-at - h);
      assert_true(right[j] >= 0.0 && left[j] >= 0.0 && rise[j] >= 0.0 && rise[j] <= 1.0);
      if (j > 0) {
        /* what merges at a point has at least the point's ratio, and no cell is used twice */
        const double above = (1.0 - rise[j]) * right[j];
        const double below = rise[j - 1] * left[j - 1] * cells.growth;
        assert_true(below <= above * (1.0 + 1e-14));
        rounded += above - below;
      }
    }
    /* P and Q both sum to 1: the split keeps both measures */
    assert_true(fabs(p - 1.0) < 1e-12 && fabs(other - 1.0) < 1e-12);
    assert_true(rounded < 1e-3); /* hardly anything is rounded down */
  }
}

/* --- routes ----------------------------------------------------------------------------------- */

static dppair_interval by(dppair_route route, const dppair_step *s, int for_delta, double given) {
  dppair_interval in = {5.0, 5.0, 5.0, 5.0, DPPAIR_ROUTE_BOTH, 0};
  const dppair_status status =
      for_delta ? compose_delta(&in, s, 1, given, route, workspace, workspace_bytes)
                : compose(&in, s, 1, given, route, workspace, workspace_bytes);
  assert_int_equal(status, DPPAIR_OK);
  assert_true(in.lower <= in.estimate && in.estimate <= in.upper);
  assert_true((in.order > 1.0) == (in.route == DPPAIR_ROUTE_RENYI));
  if (route != DPPAIR_ROUTE_BEST) assert_int_equal(in.route, route);
  return in;
}

static void expect_no_proof(dppair_route route, const dppair_step *s) {
  dppair_interval in;
  assert_int_equal(compose(&in, s, 1, 1e-5, route, workspace, workspace_bytes),
                   DPPAIR_ERR_NO_PROOF);
}

static void every_route_answers_what_it_covers_and_says_so(void **state) {
  dppair_step s = poisson(DPPAIR_ZERO_OUT, .01, 1, 10000);
  dppair_interval best, other;
  int d;
  (void)state;
  for (d = 0; d < 2; d++) {
    const double given = d ? 6.0 : 1e-5;
    best = by(DPPAIR_ROUTE_BEST, &s, d, given);
    assert_int_equal(best.route, DPPAIR_ROUTE_CONTOUR);
    other = by(DPPAIR_ROUTE_CONTOUR, &s, d, given);
    assert_true(other.upper == best.upper && other.lower == best.lower);
    other = by(DPPAIR_ROUTE_LATTICE, &s, d, given);
    assert_true(other.lower <= best.lower && other.upper >= best.upper);
    assert_true(other.upper < 1.01 * best.upper);
    other = by(DPPAIR_ROUTE_RENYI, &s, d, given);
    assert_true(other.lower == 0.0 && other.upper > 1.01 * best.upper);
  }
  expect_no_proof(DPPAIR_ROUTE_CLOSED, &s);
  expect_no_proof(DPPAIR_ROUTE_PURE, &s);
  s = make(DPPAIR_GAUSSIAN, 10, 100); /* mu = 1 */
  best = by(DPPAIR_ROUTE_CLOSED, &s, 0, 1e-5);
  assert_true(fabs(best.upper - 4.377178095681) < 1e-11 && best.lower > 4.377178);
  other = by(DPPAIR_ROUTE_RENYI, &s, 0, 1e-5);
  assert_true(fabs(other.upper - 4.72838698) < 1e-7);
  s = make(DPPAIR_LAPLACE, 4, 8);
  best = by(DPPAIR_ROUTE_PURE, &s, 0, 1e-5);
  assert_true(best.upper >= 2.0 && best.upper < 2.0 + 1e-14 && best.lower == 0.0);
  best = by(DPPAIR_ROUTE_PURE, &s, 1, best.upper);
  assert_true(best.upper == 0.0);
  assert_int_equal(
      compose_delta(&other, &s, 1, 1.99, DPPAIR_ROUTE_PURE, workspace, workspace_bytes),
      DPPAIR_ERR_NO_PROOF);
  assert_true(by(DPPAIR_ROUTE_BEST, &s, 0, 1e-5).upper < 2.0);
  expect_no_proof(DPPAIR_ROUTE_CONTOUR, &s);
  s = make(DPPAIR_ZCDP, .1, 3); /* Renyi orders alone, and without a workspace */
  expect_no_proof(DPPAIR_ROUTE_BEST, &s);
  best = by(DPPAIR_ROUTE_RENYI, &s, 0, 1e-5);
  assert_int_equal(compose(&other, &s, 1, 1e-5, DPPAIR_ROUTE_RENYI, NULL, 0), DPPAIR_OK);
  assert_true(other.upper == best.upper && other.order == best.order);
  /* several runs with samples of a fixed size: no two data sets attain their pair */
  s = records(DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_REPLACE_ONE, .01, 1, 1000);
  assert_true(by(DPPAIR_ROUTE_CONTOUR, &s, 0, 1e-5).lower == 0.0);
  assert_true(by(DPPAIR_ROUTE_LATTICE, &s, 0, 1e-5).lower == 0.0);
  assert_true(contour(&s, 1, 1e-5).lower > 0.0);
}

/* --- misuse ----------------------------------------------------------------------------------- */

static const dppair_interval nothing = {0.0, 0.0, 0.0, 0.0, DPPAIR_ROUTE_BEST, 0};
static const dppair_interval five = {5.0, 5.0, 5.0, 5.0, DPPAIR_ROUTE_BOTH, 0};

/* Is an interval all 0? Fields are compared one by one, since a struct has padding. */
static int is_nothing(const dppair_interval *in) {
  return in->upper == 0.0 && in->lower == 0.0 && in->estimate == 0.0 && in->order == 0.0 &&
         in->route == nothing.route;
}

static void expect_error(dppair_status want, const dppair_step *steps, size_t count, double delta) {
  static const dppair_route route[] = {DPPAIR_ROUTE_BEST, DPPAIR_ROUTE_CLOSED, DPPAIR_ROUTE_CONTOUR,
                                       DPPAIR_ROUTE_LATTICE};
  size_t i;
  for (i = 0; i < sizeof route / sizeof *route; i++) {
    dppair_interval in = five;
    assert_int_equal(compose(&in, steps, count, delta, route[i], workspace, workspace_bytes), want);
    assert_true(is_nothing(&in));
  }
}

static void bad_steps_deltas_and_workspaces_are_refused_and_outputs_zeroed(void **state) {
  dppair_interval in;
  dppair_step s[2];
  size_t need, most;
  dppair_pld_options_ options;
  int i;
  (void)state;
  s[0] = poisson(DPPAIR_ZERO_OUT, .01, 1, 100);
  expect_error(DPPAIR_ERR_DELTA, s, 1, 0.0);
  expect_error(DPPAIR_ERR_DELTA, s, 1, 1.0);
  expect_error(DPPAIR_ERR_DELTA, s, 1, -1e-5);
  expect_error(DPPAIR_ERR_NOT_FINITE, s, 1, (double)NAN);
  expect_error(DPPAIR_ERR_NULL, NULL, 1, 1e-5);
  s[1] = poisson(DPPAIR_REPLACE_ONE, .01, 1, 100);
  expect_error(DPPAIR_ERR_ADJACENCY, s, 2, 1e-5);
  s[1] = records(DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_ZERO_OUT, .01, 1, 100);
  expect_error(DPPAIR_ERR_ADJACENCY, s, 2, 1e-5);
  s[1] = make(DPPAIR_ZCDP, .1, 3);
  expect_error(DPPAIR_ERR_NO_PROOF, s, 2, 1e-5);
  s[1] = make(DPPAIR_GAUSSIAN, 0, 3);
  expect_error(DPPAIR_ERR_SIGMA, s, 2, 1e-5);
  s[1] = make(DPPAIR_GAUSSIAN, (double)NAN, 3);
  expect_error(DPPAIR_ERR_NOT_FINITE, s, 2, 1e-5);
  s[1] = poisson(DPPAIR_ZERO_OUT, 1.5, 1, 100);
  expect_error(DPPAIR_ERR_DOMAIN, s, 2, 1e-5);
  expect_error(DPPAIR_ERR_OVERFLOW, s, SIZE_MAX / 16, 1e-5);
  assert_int_equal(dppair_composer_workspace(NULL, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(compose_workspace(&need, SIZE_MAX / 16), DPPAIR_ERR_OVERFLOW);
  assert_true(need == 0);
  assert_int_equal(compose_workspace(&most, 1), DPPAIR_OK);
  assert_int_equal(dppair_compose_doubles_(&need, 1, 0), DPPAIR_OK); /* no allocated records */
  assert_int_equal(dppair_doubles_bytes_(&need, need), DPPAIR_OK);
  assert_true(need <= most);
  for (i = 0; i < 4; i++) { /* at any alignment, and not a byte less than that takes */
    char *at = (char *)workspace + i;
    in = five;
    assert_int_equal(compose(&in, s, 1, 1e-5, DPPAIR_ROUTE_BEST, at, need), DPPAIR_OK);
    in = five;
    assert_int_equal(compose(&in, s, 1, 1e-5, DPPAIR_ROUTE_BEST, at, need - 16),
                     DPPAIR_ERR_WORKSPACE);
    assert_true(is_nothing(&in));
  }
  assert_int_equal(compose(&in, s, 1, 1e-5, DPPAIR_ROUTE_BEST, NULL, need), DPPAIR_ERR_NULL);
  in = five;
  assert_int_equal(compose(&in, s, 1, 1e-5, DPPAIR_ROUTE_BOTH, workspace, need), DPPAIR_ERR_DOMAIN);
  assert_true(is_nothing(&in));
  in = five;
  assert_int_equal(compose_delta(&in, s, 1, -1.0, DPPAIR_ROUTE_RENYI, workspace, need),
                   DPPAIR_ERR_EPSILON);
  assert_true(is_nothing(&in));
  assert_int_equal(dppair_contour_workspace_(&need, SIZE_MAX / 16), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(dppair_pld_workspace_(&need, SIZE_MAX / 16, NULL), DPPAIR_ERR_OVERFLOW);
  memset(&options, 0, sizeof options);
  options.grid_step = 1.0;
  assert_int_equal(dppair_pld_workspace_(&need, 1, &options), DPPAIR_ERR_DOMAIN);
  options.grid_step = 1e-3;
  options.log2_size = 30;
  assert_int_equal(dppair_pld_workspace_(&need, 1, &options), DPPAIR_ERR_SIZE);
  /* a loss that is longer than the transform is refused, not folded */
  options.log2_size = 10;
  s[0] = make(DPPAIR_GAUSSIAN, .2, 1);
  assert_int_equal(lattice_alone(&in, s, 1, 0, 1e-5, &options, workspace, workspace_bytes),
                   DPPAIR_ERR_NO_CONVERGENCE);
  assert_true(in.upper == 0.0);
  /* nothing at all costs nothing */
  assert_int_equal(contour_alone(&in, NULL, 0, 0, 1e-5, workspace, workspace_bytes), DPPAIR_OK);
  assert_true(in.upper == 0.0);
  assert_int_equal(lattice_alone(&in, NULL, 0, 0, 1e-5, NULL, workspace, workspace_bytes),
                   DPPAIR_OK);
  assert_true(in.upper == 0.0);
}

/* --- random arguments ------------------------------------------------------------------------- */

static dppair_step random_step(dppair_adjacency adjacency) {
  const double z = exp(4.0 * uniform() - 1.0), q = exp(-9.0 * uniform());
  const size_t steps = (size_t)exp(12.0 * uniform()) + 1;
  switch ((int)(6.0 * uniform())) {
  case 0:
    return make(DPPAIR_GAUSSIAN, z * 10, steps);
  case 1:
    if (adjacency == DPPAIR_REPLACE_ONE)
      return records(DPPAIR_WITHOUT_REPLACEMENT, adjacency, q, z, steps);
    return poisson(adjacency, q, z, steps);
  case 2:
    return pairs(DPPAIR_POISSON, adjacency, 1000, 500 * q, z, steps);
  case 3:
    return adjacency == DPPAIR_REPLACE_ONE
               ? pairs(DPPAIR_WITH_REPLACEMENT, adjacency, 1000, 1 + 300 * q, z, steps)
               : poisson(adjacency, q, z, steps);
  default:
    return poisson(adjacency, q, z, steps);
  }
}

/* No NaN, no crossing; what the moments say (an upper bound by another road) is never beaten from
 * below; the lattice never contradicts. */
static void random_accounts_give_ordered_bounds_below_the_renyi_orders(void **state) {
  dppair_interval in;
  int i, certified = 0, compared = 0;
  (void)state;
  for (i = 0; i < RANDOM_CASES; i++) {
    const dppair_adjacency adjacency = uniform() < 0.5 ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE;
    const double delta = exp(-3.0 - 30.0 * uniform());
    dppair_step s[2];
    const size_t count = uniform() < 0.7 ? 1 : 2;

    dppair_status status;
    s[0] = random_step(adjacency);
    s[1] = random_step(adjacency);
    status = contour_alone(&in, s, count, 0, delta, workspace, workspace_bytes);
    if (status != DPPAIR_OK) {
      assert_int_equal(status, DPPAIR_ERR_NO_CONVERGENCE);
      assert_true(in.upper == 0.0 && in.lower == 0.0 && in.estimate == 0.0);
      continue;
    }
    certified++;
    assert_true(dppair_isfinite_f64(in.upper) && in.lower >= 0.0 && in.lower <= in.estimate &&
                in.estimate <= in.upper);
    if (compared < RANDOM_LATTICES && in.upper < 40.0) {

      dppair_pld_options_ options;
      memset(&options, 0, sizeof options);
      options.log2_size = 13;
      status = lattice_alone(&in, s, count, 0, delta, &options, workspace, workspace_bytes);
      if (status == DPPAIR_OK) {
        compared++;
        if (!(in.lower <= in.upper && in.upper >= in.lower &&
              (in.upper <= in.upper || in.upper - in.lower > 1e-4)))
          fail_msg("case %d: contour [%.12g, %.12g], lattice [%.12g, %.12g]", i, in.lower, in.upper,
                   in.lower, in.upper);
      }
    }
  }
  assert_true(certified > RANDOM_CASES / 2);
  assert_true(compared == RANDOM_LATTICES);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(both_routes_enclose_an_independent_evaluation),
      TEST(both_routes_enclose_the_known_epsilons_of_pairs),
      TEST(both_routes_enclose_the_closed_form_of_gaussian_steps),
      TEST(one_step_is_enclosed_by_the_lattice),
      TEST(two_steps_are_enclosed_as_quadrature_has_them),
      TEST(losses_with_atoms_are_enclosed_by_the_lattice),
      TEST(a_table_that_says_what_a_step_says_gives_what_it_gives),
      TEST(the_lattice_encloses_what_the_contour_certifies),
      TEST(epsilon_and_delta_are_inverse_within_their_bounds),
      TEST(more_rate_steps_or_certainty_and_less_noise_cost_more),
      TEST(a_million_steps_keep_their_digits_in_one_piece_and_in_two),
      TEST(the_layers_bound_on_the_transform_holds),
      TEST(the_transform_matches_the_sum_that_defines_it),
      TEST(cells_keep_their_mass_and_their_means),
      TEST(every_route_answers_what_it_covers_and_says_so),
      TEST(bad_steps_deltas_and_workspaces_are_refused_and_outputs_zeroed),
      TEST(random_accounts_give_ordered_bounds_below_the_renyi_orders),
  };
  return RUN_TESTS(tests, setup, teardown);
}
