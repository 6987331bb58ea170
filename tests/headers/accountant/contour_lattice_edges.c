/* SPDX-License-Identifier: MIT */
/*
 * Certified numerical composition where its bounds are thin: rates below the cells of the lattice,
 * accounts of very different steps, noise next to none. Each test is named after what must not
 * happen.
 */
#include "tests.h"

#include "composition.h"
#include "questions.h"

enum { LOG2_MORE = BRIEF ? 0 : 2, KINDS = BRIEF ? 1 : 3 };

static void *workspace;
static size_t workspace_bytes;

static int setup(void **state) {
  (void)state;
  if (dppair_composer_workspace(&workspace_bytes, NULL) != DPPAIR_OK) return 1;
  workspace = malloc(workspace_bytes);
  return workspace == NULL;
}

static int teardown(void **state) {
  (void)state;
  free(workspace);
  return 0;
}

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

typedef dppair_interval answer;

static answer composed(const dppair_step *steps, size_t count, double delta) {
  answer b;
  assert_int_equal(compose(&b, steps, count, delta, DPPAIR_ROUTE_BEST, workspace, workspace_bytes),
                   DPPAIR_OK);
  assert_true(b.lower >= 0.0 && b.lower <= b.estimate && b.estimate <= b.upper);
  return b;
}

/* --- the cells of the lattice ----------------------------------------------------------------- */

/* Rates below the width of a cell: the loss is nearly flat, boundaries lie far apart in x. */
static void cells_of_small_rates_lose_no_mass(void **state) {
  static const struct {
    double q, z, h, log_spend;
  } row[] = {{1e-6, .7, 2e-5, -60},  {1e-6, 1, 2e-5, -75},  {1e-6, 2, 2e-5, -75},
             {1e-6, 10, 2e-5, -150}, {1e-6, 2, 2e-4, -600}, {1.8e-6, 2.1, 7.4e-6, -69},
             {3e-4, 1.5, 6e-4, -50}, {1e-12, 1, 1e-5, -70}, {1e-5, .35, 2e-3, -500}};
  const size_t size = (size_t)1 << (15 + LOG2_MORE);
  double *right = (double *)malloc(2 * size * sizeof *right), *left = right + size;
  size_t i, j;
  int kind;
  (void)state;
  assert_non_null(right);
  for (i = 0; i < sizeof row / sizeof *row; i++)
    for (kind = 0; kind < 4; kind++) {
      const dppair_step s =
          kind < 3
              ? poisson(kind == 2 ? DPPAIR_REPLACE_ONE : DPPAIR_ZERO_OUT, row[i].q, row[i].z, 1)
              : records(DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_REPLACE_ONE, row[i].q, row[i].z, 1);
      double low, high, p = 0.0;
      dppair_law_ law;
      dppair_cells_ cells;
      assert_int_equal(dppair_law_of_(&law, &s, 1e-30), DPPAIR_OK);
      dppair_cells_range_(&low, &high, &law, kind == 1, row[i].log_spend);
      memset(&cells, 0, sizeof cells);
      cells.h = row[i].h;
      if ((high - low) / cells.h > (double)size - 20.0)
        cells.h = (high - low) / ((double)size - 20.0);
      cells.growth = exp(cells.h);
      cells.right = right;
      cells.left = left;
      cells.size = size;
      assert_int_equal(dppair_cells_fill_(&cells, &law, kind == 1, row[i].log_spend), DPPAIR_OK);
      for (j = 0; j < size;) {
        double part = 0.0;
        const size_t stop = j + 256;
        for (; j < stop; j++) part += right[j] + left[j];
        p += part;
      }
      if (!(fabs(p - 1.0) <= cells.mass_error + 1e-13 + cells.infinity))
        fail_msg("q %g, z %g, kind %d: mass - 1 = %g, stated error %g", row[i].q, row[i].z, kind,
                 p - 1.0, cells.mass_error);
    }
  free(right);
}

/* Both measures are checked while they are composed: cells that lost some are refused. */
static void cells_that_lost_mass_do_not_pass(void **state) {
  enum { N = 4096 };
  static double right[N], left[N];
  const dppair_step s = poisson(DPPAIR_ZERO_OUT, .02, 1.0, 1);
  double low, high, saved;
  dppair_law_ law;
  dppair_cells_ cells;
  int backward;
  (void)state;
  assert_int_equal(dppair_law_of_(&law, &s, 1e-30), DPPAIR_OK);
  for (backward = 0; backward < 2; backward++) {
    size_t at;
    dppair_cells_range_(&low, &high, &law, backward, -45.0);
    memset(&cells, 0, sizeof cells);
    cells.h = (high - low) / (N - 20);
    cells.growth = exp(cells.h);
    cells.right = right;
    cells.left = left;
    cells.size = N;
    assert_int_equal(dppair_cells_fill_(&cells, &law, backward, -45.0), DPPAIR_OK);
    assert_int_equal(dppair_cells_check_(&cells, 0, N), DPPAIR_OK);
    for (at = 0; right[at] < 1e-4; at++) assert_true(at + 1 < N);
    saved = right[at];
    right[at] = saved * (1.0 - 1e-6); /* lost */
    assert_int_equal(dppair_cells_check_(&cells, 0, N), DPPAIR_ERR_NO_CONVERGENCE);
    right[at] = saved * (1.0 - 1e-3); /* P keeps it, Q does not */
    left[at] += saved * 1e-3;
    assert_int_equal(dppair_cells_check_(&cells, 0, N), DPPAIR_ERR_NO_CONVERGENCE);
    left[at] = (double)NAN;
    assert_int_equal(dppair_cells_check_(&cells, 0, N), DPPAIR_ERR_NO_CONVERGENCE);
  }
}

/* Laplace alone is 4.22034732508 at 1e-5 (exact convolution). */
static void more_steps_do_not_lower_epsilon(void **state) {
  static const struct {
    double q, z;
    size_t steps;
  } row[] = {{1e-6, 4, 1000000}, {1e-7, 3, 100000000}, {1e-6, 4, 200000000}};
  dppair_step s[2];
  size_t i;
  int kind;
  (void)state;
  s[0] = make(DPPAIR_LAPLACE, 10, 100);
  for (i = 0; i < sizeof row / sizeof *row; i++)
    for (kind = 0; kind < KINDS; kind++) {
      answer b;
      s[1] = kind < 2 ? poisson(kind == 1 ? DPPAIR_REPLACE_ONE : DPPAIR_ZERO_OUT, row[i].q,
                                row[i].z, row[i].steps)
                      : records(DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_REPLACE_ONE, row[i].q, row[i].z,
                                row[i].steps);
      b = composed(s, 2, 1e-5);
      if (!(b.upper >= 4.22034732508))
        fail_msg("%g steps of rate %g after Laplace: epsilon %.10g", (double)row[i].steps, row[i].q,
                 b.upper);
    }
}

/* A Gaussian of mu = 1 and steps that cost next to nothing: [4.37717, 4.37718] by the curve. */
static void small_steps_do_not_raise_the_lower_bound(void **state) {
  dppair_interval in;
  dppair_step s[2];
  dppair_pld_options_ options;
  (void)state;
  memset(&options, 0, sizeof options);
  options.log2_size = 18;
  s[0] = make(DPPAIR_GAUSSIAN, 1, 1);
  s[1] = poisson(DPPAIR_ZERO_OUT, 1e-6, 1, 1000000);
  assert_int_equal(lattice_alone(&in, s, 2, 0, 1e-5, &options, workspace, workspace_bytes),
                   DPPAIR_OK);
  assert_true(in.lower <= 4.3772 && in.upper >= 4.3771);
  s[1] = poisson(DPPAIR_ZERO_OUT, 1e-7, 1, 100000000);
  assert_int_equal(lattice_alone(&in, s, 2, 0, 1e-5, &options, workspace, workspace_bytes),
                   DPPAIR_OK);
  assert_true(in.lower <= 4.3773 && in.upper >= 4.3771);
}

/* --- noise next to none ------------------------------------------------------------------------
 */

/* Shifts of tens of standard deviations: exponentials of the middle hits overflow first, slopes of
 * the loss vanish. An answer or a refusal, never an endless walk. */
static void huge_shifts_end_in_an_answer_or_a_refusal(void **state) {
  static const double zs[] = {0.0702939944080343, .0757};
  static const double rates[] = {0.9952563979226065, .999999};
  static const double deltas[] = {1e-12, 2e-3};
  dppair_branch_ branch;
  dppair_law_ law;
  dppair_step s = make(DPPAIR_SAMPLED_PAIRS, 1, 1);
  double x, last;
  int i, j, k;
  (void)state;
  s.sampling.kind = DPPAIR_POISSON;
  s.sampling.adjacency = DPPAIR_REPLACE_ONE;
  s.sampling.n = 692;
  s.pair_rate = .010584;
  s.noise_multiplier = .545418;
  assert_int_equal(dppair_law_of_(&law, &s, 1e-25), DPPAIR_OK);
  dppair_branch_of_(&branch, &law, 0, 0);
  for (x = -12.0, last = -HUGE_VAL; x < 110.0; x += 0.5) {
    dppair_place_ place;
    dppair_place_of_(&place, &branch, x);
    assert_true(place.loss > last && place.loss < 1e5 && place.slope > 0.0);
    assert_true(place.slope <= branch.reach * (1 + 1e-12));
    last = place.loss;
  }
  s.sampling.n = 5;
  for (i = 0; i < 2; i++)
    for (j = 0; j < 2; j++)
      for (k = 0; k < 2; k++) {
        answer b;
        dppair_status status;
        s.noise_multiplier = zs[i];
        s.pair_rate = rates[j];
        status = compose(&b, &s, 1, deltas[k], DPPAIR_ROUTE_BEST, workspace, workspace_bytes);
        assert_true(status == DPPAIR_OK || status == DPPAIR_ERR_NO_CONVERGENCE);
        if (status == DPPAIR_OK) assert_true(b.upper > 1000.0 && b.lower <= b.upper);
      }
}

/* --- what is proved is never passed ------------------------------------------------------------
 */

static dppair_step with_replacement(int of_pairs, size_t n, size_t m, double z, size_t steps) {
  dppair_step s = records(DPPAIR_WITH_REPLACEMENT, DPPAIR_REPLACE_ONE, 0.0, z, steps);
  if (of_pairs) s.kind = DPPAIR_SAMPLED_PAIRS;
  s.sampling.n = n;
  s.sampling.m = m;
  return s;
}

/* Where composition stays wide, the best Renyi order and the sum of pure epsilons answer. */
static void composition_is_no_looser_than_renyi_or_pure_sums(void **state) {
  dppair_interval in;
  static const double deltas[] = {1e-100, 1e-30, 1e-30, 1e-10, 1e-5};
  dppair_step s[6];
  size_t i;
  answer b;

  (void)state;
  s[0] = poisson(DPPAIR_REPLACE_ONE, 1.05e-6, 16.5, 3509);
  s[1] = with_replacement(1, 2563, 10, 75.6, 8708);
  s[2] = poisson(DPPAIR_ZERO_OUT, 5.27e-4, 17.4, 355);
  s[3] = with_replacement(1, 30944, 226, .378, 24);
  s[4] = with_replacement(1, 1000, 2000, 30, 100);
  for (i = 0; i < 5; i++) {
    dppair_accountant a;
    double renyi;
    dppair_accountant_init(&a);
    assert_int_equal(dppair_accountant_step(&a, &s[i]), DPPAIR_OK);
    assert_int_equal(answer_epsilon(&renyi, &a, deltas[i]), DPPAIR_OK);
    b = composed(&s[i], 1, deltas[i]);
    assert_true(b.upper <= renyi * (1.0 + 1e-12));
    assert_int_equal(certify(&in, &a, deltas[i], workspace, workspace_bytes), DPPAIR_OK);
    assert_true(in.upper <= renyi * (1.0 + 1e-12));
  }
  s[0] = make(DPPAIR_RANDOMISED_RESPONSE, 1.94, 1);
  assert_true(composed(s, 1, 1e-100).upper <= 1.94);
  s[0] = make(DPPAIR_PURE, 1, 1);
  assert_true(composed(s, 1, 1e-20).upper <= 1.0);
  s[0] = make(DPPAIR_PURE, 1, 2);
  assert_true(composed(s, 1, 1e-14).upper <= 2.0 * (1.0 + 1e-15));
  s[0] = make(DPPAIR_LAPLACE, 1, 1);
  assert_int_equal(compose_delta(&b, s, 1, 1.0, DPPAIR_ROUTE_BEST, workspace, workspace_bytes),
                   DPPAIR_OK);
  assert_true(b.upper == 0.0 && b.route == DPPAIR_ROUTE_PURE);
}

/* Dozens of hits a step: twice as many branches. The contour has 17.0056313 (many more nodes). */
static void many_draws_with_replacement_have_a_tight_answer(void **state) {
  const dppair_step s = with_replacement(1, 1000, 2000, 30, 100);
  const answer b = composed(&s, 1, 1e-5);
  (void)state;
  assert_true(b.upper > 17.0056312 && b.upper < 17.005632);
}

/* A wide answer has no better guess than its upper end. */
static void estimates_are_not_below_what_is_proved(void **state) {
  dppair_interval in;
  static const double masses[] = {0.3, 0.5};
  dppair_step s[1];
  dppair_loss_table_ t;
  dppair_pld_options_ options;

  (void)state;
  s[0] = make(DPPAIR_RANDOMISED_RESPONSE, 1.94, 1);
  assert_true(composed(s, 1, 1e-100).estimate >= 1.94 * (1.0 - 1e-12));
  s[0] = poisson(DPPAIR_ZERO_OUT, 1e-5, 1, 1000);
  {
    const answer b = composed(s, 1, 1e-9);
    assert_true(b.estimate >= .0023355);
    if (b.lower < 0.99 * b.upper) assert_true(b.estimate == b.upper);
  }
  /* mass .2 at infinity, five times: 1 - .8^5 = .67232 of delta at a large epsilon, both ways */
  memset(&t, 0, sizeof t);
  memset(&options, 0, sizeof options);
  t.forward = masses;
  t.forward_size = 2;
  t.forward_infinity = 0.2;
  t.steps = 5;
  options.grid_step = 0.01;
  options.log2_size = 12;
  options.tables = &t;
  options.table_count = 1;
  assert_int_equal(lattice_alone(&in, NULL, 0, 1, 1.0, &options, workspace, workspace_bytes),
                   DPPAIR_OK);
  assert_true(in.upper >= .67232 && in.upper < .67232 + 1e-9);
  assert_true(in.lower <= .67232 && in.lower > .67232 - 1e-9);
  assert_true(in.estimate >= .67232 - 1e-9);
  t.forward_infinity = 0.1; /* masses that do not sum to 1 */
  assert_int_equal(lattice_alone(&in, NULL, 0, 1, 1.0, &options, workspace, workspace_bytes),
                   DPPAIR_ERR_DOMAIN);
}

/* Fixed-size samples: the best attack known on .01, 1, 1000 reaches 1.82824 where the dominating
 * pair has 2.19891. A single run is attained, as are Poisson samples. */
static void lower_bounds_that_nothing_attains_are_zero(void **state) {
  dppair_step s[2];
  answer b;
  (void)state;
  s[0] = records(DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_REPLACE_ONE, .01, 1, 1000);
  b = composed(s, 1, 1e-5);
  assert_true(b.lower <= 1.82825 && b.upper >= 2.19890 && b.upper < 2.19892);
  s[0] = with_replacement(1, 10000, 64, 4, 1000);
  assert_true(composed(s, 1, 1e-5).lower <= 0.0);
  s[0] = with_replacement(0, 10000, 64, 4, 1);
  s[1] = make(DPPAIR_GAUSSIAN, 2, 1);
  assert_true(composed(s, 2, 1e-5).lower <= 0.0);
  s[0] = records(DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_REPLACE_ONE, .01, 1, 1);
  b = composed(s, 1, 1e-5);
  assert_true(b.lower > 0.99 * b.upper);
  /* zeroed, a pair moves half as far as it is charged; several draws have no test in common */
  s[0] = with_replacement(1, 2, 1, 1, 1);
  s[0].sampling.adjacency = DPPAIR_ZERO_OUT;
  assert_true(composed(s, 1, 1e-5).lower <= 0.0);
  s[0] = with_replacement(0, 7, 12, 185.23, 1);
  assert_true(composed(s, 1, 1.27e-21).lower <= 0.0);
  s[0] = poisson(DPPAIR_REPLACE_ONE, .01, 1, 1000);
  b = composed(s, 1, 1e-5);
  assert_true(b.lower > 0.99 * b.upper);
  {
    dppair_accountant a;
    dppair_accountant_init(&a);
    s[0] = records(DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_REPLACE_ONE, .01, 1, 1000);
    assert_int_equal(dppair_accountant_step(&a, s), DPPAIR_OK);
    assert_int_equal(certify(&b, &a, 1e-5, workspace, workspace_bytes), DPPAIR_OK);
    assert_true(b.lower <= 1.82825);
  }
}

/* One Gaussian step at a time, each addition rounded up: the lower bound is that of exact mu. */
static void steps_one_by_one_do_not_lift_the_lower_bound(void **state) {
  dppair_interval in;
  dppair_accountant a;
  double truth;
  int i;
  (void)state;
  dppair_accountant_init(&a);
  for (i = 0; i < 1000000; i++)
    if (dppair_accountant_gaussian(&a, 1.0, 1000.0, 1) != DPPAIR_OK) fail();
  assert_int_equal(dppair_gaussian_epsilon(&truth, 1e-5, 1.0), DPPAIR_OK);
  assert_int_equal(certify(&in, &a, 1e-5, workspace, workspace_bytes), DPPAIR_OK);
  assert_true(in.lower <= truth && in.lower > truth * (1.0 - 1e-8) &&
              in.upper >= truth * (1.0 - 1e-15));
}

/* --- one run -----------------------------------------------------------------------------------
 */

/* The hockey stick of one run by brute force: the densities on a fine grid, long double. */
static long double stick(const long double *p, const long double *b, int terms, int shape,
                         long double t) {
  const long double h = 1.0L / 4096;
  long double sum = 0.0L, x;
  int k;
  for (x = -14.0L; x <= 18.0L; x += h) {
    long double right = 1.0L, left = 1.0L, mass, other;
    for (k = 0; k < terms; k++) {
      right += p[k] * expm1l(b[k] * x - 0.5L * b[k] * b[k]);
      left += p[k] * expm1l(-b[k] * x - 0.5L * b[k] * b[k]);
    }
    mass = shape == 1 ? 1.0L : right;
    other = shape == 0 ? 1.0L : (shape == 1 ? right : left);
    if (mass > t * other) sum += (mass - t * other) * expl(-0.5L * x * x);
  }
  return sum * h * 0.39894228040143267793994605993438L;
}

static void one_run_is_the_closed_form(void **state) {
  static const double epsilons[] = {1e-4, .05, .7, 2.0};
  int i, kind;
  (void)state;
  for (i = 0; i < 4; i++)
    for (kind = 0; kind < 4; kind++) {
      dppair_step s = kind < 2 ? poisson(kind ? DPPAIR_REPLACE_ONE : DPPAIR_ZERO_OUT, .03, 0.8, 1)
                               : make(DPPAIR_SAMPLED_PAIRS, 1.5, 1);
      long double p[40], b[40], t = expl((long double)epsilons[i]), truth, other;
      int terms = 1, k;
      answer got, back;
      p[0] = .03L;
      b[0] = 1.0L / 0.8L;
      if (kind >= 2) { /* Bin(40, .02) hits: a record is in 40 of the pairs of 41 */
        long double odds = 1.0L;
        s.sampling.kind = DPPAIR_POISSON;
        s.sampling.adjacency = kind == 3 ? DPPAIR_REPLACE_ONE : DPPAIR_ZERO_OUT;
        s.sampling.n = 41;
        s.pair_rate = .02;
        terms = 20;
        for (k = 0; k < 40; k++) odds *= 0.98L;
        for (k = 0; k < terms; k++) {
          odds *= (40.0L - k) / (k + 1.0L) * (.02L / .98L);
          p[k] = odds;
          b[k] = (k + 1) / 1.5L;
        }
      }
      if (kind % 2) {
        truth = stick(p, b, terms, 2, t);
      } else {
        truth = stick(p, b, terms, 0, t);
        other = stick(p, b, terms, 1, t);
        if (other > truth) truth = other;
      }
      assert_int_equal(
          compose_delta(&got, &s, 1, epsilons[i], DPPAIR_ROUTE_BEST, workspace, workspace_bytes),
          DPPAIR_OK);
      assert_int_equal(got.route, DPPAIR_ROUTE_CLOSED);
      /* the sum over the grid is good to h^2 of the kink's slope */
      if (fabs(got.upper - (double)truth) > 1e-7 * (double)truth + 1e-12)
        fail_msg("kind %d, epsilon %g: %.12g, grid %.12Lg", kind, epsilons[i], got.upper, truth);
      assert_true(got.upper - got.lower <= 1e-9 * got.upper);
      /* and back */
      back = composed(&s, 1, got.upper);
      assert_true(back.lower <= epsilons[i] * (1.0 + 1e-12) &&
                  back.upper >= epsilons[i] * (1.0 - 1e-6) &&
                  back.upper - back.lower <= 1e-7 * back.upper);
    }
}

/* Known answers at rates where composition had nothing to say (closed forms, 60 digits). */
static void one_run_at_small_rates_is_tight(void **state) {
  dppair_step s = poisson(DPPAIR_ZERO_OUT, 1e-6, 1, 1);
  answer b = composed(&s, 1, 1e-8);
  (void)state;
  assert_true(b.lower > 9.14e-6 && b.upper < 9.16e-6);
  s = poisson(DPPAIR_ZERO_OUT, 1.54e-6, 1.43, 1);
  b = composed(&s, 1, 1e-10);
  assert_true(b.lower > 1.879e-5 && b.upper < 1.881e-5);
  s = poisson(DPPAIR_REPLACE_ONE, 3.5e-6, 3.73, 1);
  b = composed(&s, 1, 1e-15);
  assert_true(b.lower > 1.597e-5 && b.upper < 1.599e-5);
}

/* --- the smallest numbers -----------------------------------------------------------------------
 */

static void subnormal_deltas_are_refused_and_never_told(void **state) {
  static const double tiny[] = {1e-320, 2e-308, 4.9e-324};
  dppair_step s = poisson(DPPAIR_ZERO_OUT, .01, 1, 10000);
  answer b;
  dppair_accountant a;
  double epsilon;
  int i;
  (void)state;
  dppair_accountant_init(&a);
  assert_int_equal(dppair_accountant_step(&a, &s), DPPAIR_OK);
  for (i = 0; i < 3; i++) {
    assert_int_equal(compose(&b, &s, 1, tiny[i], DPPAIR_ROUTE_BEST, workspace, workspace_bytes),
                     DPPAIR_ERR_DELTA);
    assert_int_equal(compose(&b, &s, 1, tiny[i], DPPAIR_ROUTE_CONTOUR, workspace, workspace_bytes),
                     DPPAIR_ERR_DELTA);
    assert_int_equal(compose(&b, &s, 1, tiny[i], DPPAIR_ROUTE_LATTICE, workspace, workspace_bytes),
                     DPPAIR_ERR_DELTA);
    assert_int_equal(certify(&b, &a, tiny[i], workspace, workspace_bytes), DPPAIR_ERR_DELTA);
  }
  for (epsilon = 100.0; epsilon <= 110.0; epsilon += 1.0) {
    if (compose_delta(&b, &s, 1, epsilon, DPPAIR_ROUTE_BEST, workspace, workspace_bytes) !=
        DPPAIR_OK)
      continue;
    assert_true(b.upper >= DBL_MIN && b.upper < 1e-290);
    assert_true(b.lower == 0.0 || b.lower >= DBL_MIN);
    assert_true(b.estimate <= b.upper);
  }
}

/* Hits beyond the cap may cost next to nothing of the answer, however small that is. */
static void deltas_of_pairs_have_no_floor(void **state) {
  dppair_step s = make(DPPAIR_SAMPLED_PAIRS, 3, 100);
  answer b;
  (void)state;
  s.sampling.kind = DPPAIR_POISSON;
  s.sampling.adjacency = DPPAIR_ZERO_OUT;
  s.sampling.n = 100;
  s.pair_rate = .01;
  assert_int_equal(compose_delta(&b, &s, 1, 60.0, DPPAIR_ROUTE_BEST, workspace, workspace_bytes),
                   DPPAIR_OK);
  assert_true(b.upper < 1e-34 && b.lower > 4e-35);
}

/* --- calibration ---------------------------------------------------------------------------------
 */

typedef struct {
  dppair_step step;
  double delta, failure;
} question;

/* The epsilon of the step with its multiplier scaled by `value`, by Renyi orders. */
static dppair_status scaled(double *epsilon, double value, void *context) {
  const question *q = (const question *)context;
  dppair_accountant a;
  dppair_step step = q->step;
  dppair_status status = dppair_accountant_init(&a);
  step.noise_multiplier *= value;
  if (status == DPPAIR_OK) status = dppair_accountant_step(&a, &step);
  if (status == DPPAIR_OK) status = dppair_accountant_failure(&a, q->failure);
  return status == DPPAIR_OK ? answer_epsilon(epsilon, &a, q->delta) : status;
}

static void calibration_tells_its_reasons(void **state) {
  question q;
  double noise, epsilon, known;
  (void)state;
  memset(&q, 0, sizeof q);
  q.step = make(DPPAIR_GAUSSIAN, 1, 10);
  q.delta = 1e-5;
  assert_int_equal(dppair_calibrate_scale(&known, &epsilon, 3.0, 1.0, 1e-9, scaled, &q), DPPAIR_OK);
  /* any guess will do */
  assert_int_equal(dppair_calibrate_scale(&noise, &epsilon, 3.0, 1e100, 1e-9, scaled, &q),
                   DPPAIR_OK);
  assert_true(fabs(noise / known - 1.0) < 1e-8);
  assert_int_equal(dppair_calibrate_scale(&noise, &epsilon, 3.0, 1e-250, 1e-9, scaled, &q),
                   DPPAIR_OK);
  assert_true(fabs(noise / known - 1.0) < 1e-8);
  /* the reason, not "no noise suffices" */
  q.delta = 0.0;
  assert_int_equal(dppair_calibrate_scale(&noise, &epsilon, 3.0, 1.0, 1e-9, scaled, &q),
                   DPPAIR_ERR_DELTA);
  q.delta = 1e-5;
  q.failure = 1e-4;
  assert_int_equal(dppair_calibrate_scale(&noise, &epsilon, 3.0, 1.0, 1e-9, scaled, &q),
                   DPPAIR_ERR_DELTA);
  assert_true(noise == 0.0 && epsilon == 0.0);
}

/* Every noise suffices: then the smallest that was tried is no answer to rely on. */
static dppair_status content(double *epsilon, double value, void *context) {
  (void)value;
  (void)context;
  *epsilon = 1.0;
  return DPPAIR_OK;
}

static void an_open_bracket_is_no_answer(void **state) {
  double noise = 1.0, epsilon = 1.0;
  (void)state;
  assert_int_equal(dppair_calibrate_scale(&noise, &epsilon, 3.0, 1.0, 1e-9, content, NULL),
                   DPPAIR_ERR_DOMAIN);
  assert_true(noise == 0.0 && epsilon == 0.0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(cells_of_small_rates_lose_no_mass),
      TEST(cells_that_lost_mass_do_not_pass),
      TEST(more_steps_do_not_lower_epsilon),
      TEST(small_steps_do_not_raise_the_lower_bound),
      TEST(huge_shifts_end_in_an_answer_or_a_refusal),
      TEST(composition_is_no_looser_than_renyi_or_pure_sums),
      TEST(many_draws_with_replacement_have_a_tight_answer),
      TEST(estimates_are_not_below_what_is_proved),
      TEST(lower_bounds_that_nothing_attains_are_zero),
      TEST(steps_one_by_one_do_not_lift_the_lower_bound),
      TEST(one_run_is_the_closed_form),
      TEST(one_run_at_small_rates_is_tight),
      TEST(subnormal_deltas_are_refused_and_never_told),
      TEST(deltas_of_pairs_have_no_floor),
      TEST(calibration_tells_its_reasons),
      TEST(an_open_bracket_is_no_answer),
  };
  return RUN_TESTS(tests, setup, teardown);
}
