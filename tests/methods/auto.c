/* SPDX-License-Identifier: MIT */
/*
 * The method auto and its parts: the theorem of objective perturbation and its composed form
 * against quadrature over every geometry and against exact densities of neighbouring data sets,
 * noise scales, replay.
 *
 * The sources are included, so that the test sees what noise is asked for, and internal parts.
 */
#include "method_stand_ins.h"

#include "tests.h"

#include "methods/auto.c"
#include "methods/objective.c"
#include "methods/weights.c"
#include "support/solver.c"

enum { FINE = BRIEF ? 120 : 500, GEOMETRIES = BRIEF ? 6 : 24 };
static const double QUADRATURE = BRIEF ? 1.01 : 1.003; /* error of the midpoint rule at kinks */

static dppair_status not_called(model *m, const task *t) {
  (void)m;
  (void)t;
  return DPPAIR_ERR_NO_PROOF;
}
const method method_declared = {"declared", "", "", 1, 0, not_called};

static double normal_tail(double x) { return 0.5 * erfc(x / sqrt(2.0)); }

/* E (1 - e^(x - L) m)_+ with y = x + log m, L ~ N(mu^2/2, mu^2). */
static double curve(double y, double mu) {
  if (!(mu > 0)) return y < 0 ? -expm1(y) : 0;
  return normal_tail(y / mu - mu / 2) - exp(y) * normal_tail(y / mu + mu / 2);
}

/* E over b of the hockey-stick of the largest corner loss, for |u| = r, |u'| = q and cosine c
 * between -u and u'; b in the plane of both, midpoint rule. */
static double corner_delta(double x, double mu, double s, double r, double q, double c) {
  const double reach = 9, h = 2 * reach / FINE, side = sqrt(fmax(0, 1 - c * c));
  double total = 0, v[4][2];
  int i, j, k;
  for (k = 0; k < 4; k++) {
    double a = k & 1 ? 1 : 0, e = k & 2 ? 1 : 0;
    v[k][0] = (a * r + e * q * c) / s;
    v[k][1] = e * q * side / s;
  }
  for (i = 0; i < FINE; i++)
    for (j = 0; j < FINE; j++) {
      double b0 = -reach + (i + .5) * h, b1 = -reach + (j + .5) * h, worst = -HUGE_VAL;
      for (k = 0; k < 4; k++)
        worst =
            fmax(worst, b0 * v[k][0] + b1 * v[k][1] + (v[k][0] * v[k][0] + v[k][1] * v[k][1]) / 2);
      total += exp(-(b0 * b0 + b1 * b1) / 2) * curve(x - worst, mu);
    }
  return total * h * h / (2 * 3.14159265358979323846);
}

/* A(y), the value at r = r' = c = 1. */
static double aligned_value(double y, double s) {
  return y < 0 ? 1 - 2 * exp(y) * normal_tail(1 / s) : curve(y, 2 / s);
}

/* The theorem, for every y: D(y) <= A(y) whatever the two records and the angle between them are,
 * with equality at the aligned pair, and for y <= 0 at the opposite one. */
static void no_angle_does_worse_than_the_aligned_pair(void **state) {
  static const double scales[] = {.7, 1.5, 4, 12};
  static const double cosines[] = {-1, -.95, -.7, -.4, -.1, 0, .3, .7, .95, 1};
  static const double norms[][2] = {{1, 1}, {1, .5}, {.6, .9}, {1, 0}, {.3, .3}};
  size_t a, b, c;
  int k;
  double closest = 0;
  (void)state;
  for (a = 0; a<sizeof scales / sizeof *scales; a += GEOMETRIES> 6 ? 1 : 3)
    for (k = -4; k <= 6; k++) {
      double s = scales[a], y = k * .5 / s, bound = aligned_value(y, s);
      for (b = 0; b < sizeof norms / sizeof *norms; b++)
        for (c = 0; c < sizeof cosines / sizeof *cosines; c++) {
          double found = corner_delta(y, 0, s, norms[b][0], norms[b][1], cosines[c]);
          if (found > bound * QUADRATURE + 1e-6)
            fail_msg("s %g y %g r %g r' %g c %g: %.8g > %.8g", s, y, norms[b][0], norms[b][1],
                     cosines[c], found, bound);
          if (b == 0 && (cosines[c] >= 1 || (cosines[c] <= -1 && y <= 0)))
            assert_true(fabs(found - bound) <= (QUADRATURE - 1) * bound + 1e-6);
          else
            closest = larger(closest, found / bound);
        }
    }
  print_message("others reach %.4f of it\n", closest);
}

static const struct {
  double epsilon, mu, s, ratio;
} settings_table[] = {{0.5, 0.11, 10, 2}, {1, 0, 3, 2},     {1, 0.2, 4, 1},
                      {0.1, 0.03, 33, 4}, {4, 0.6, 1.5, 1}, {0.2, 0.3, 5, 6}};

/* No geometry exceeds the bound, and the aligned one comes close to it. */
static void no_geometry_exceeds_the_composed_bound_and_one_comes_close(void **state) {
  simulation_rng rng;
  size_t k;
  int g;
  (void)state;
  simulation_seed(&rng, 3);
  for (k = 0; k < sizeof settings_table / sizeof *settings_table; k++) {
    double epsilon = settings_table[k].epsilon, mu = settings_table[k].mu, claimed, aligned;
    double s = settings_table[k].s, ridge = settings_table[k].ratio * s;
    double x = epsilon - log1p(1 / ridge);
    assert_int_equal(objective_delta(&claimed, epsilon, mu, s, ridge), DPPAIR_OK);
    aligned = corner_delta(x, mu, s, 1, 1, 1);
    if (aligned > claimed * QUADRATURE + 1e-9)
      fail_msg("%zu: aligned %.6g > %.6g", k, aligned, claimed);
    if (claimed < .05 && aligned < claimed * .9)
      fail_msg("%zu: aligned %.6g far below %.6g", k, aligned, claimed);
    for (g = 0; g < GEOMETRIES; g++) {
      double c = (double)(simulation_u64(&rng) % 2001) / 1000 - 1, found;
      double r = g % 2 ? 1 : (double)(simulation_u64(&rng) % 1001) / 1000;
      double q = g % 3 ? 1 : (double)(simulation_u64(&rng) % 1001) / 1000;
      found = corner_delta(x, mu, s, r, q, g == 0 ? -1 : g == 1 ? 0 : c);
      if (found > claimed * QUADRATURE + 1e-9)
        fail_msg("%zu: r %g q %g c %g: %.6g > %.6g", k, r, q, c, found, claimed);
    }
  }
}

/* Log density of the exact minimiser w of a one-column problem: b(w) is explicit. */
static double log_density(double w, const double *u, size_t n, const objective_plan *plan) {
  double slope = 0, hessian = plan->ridge, b;
  size_t i;
  for (i = 0; i < n; i++) {
    double at[3];
    dppair_margin_soft_hinge_at_(at, w * u[i], 0);
    slope += at[1] * u[i];
    hessian += at[2] * u[i] * u[i];
  }
  b = -(slope + plan->ridge * w);
  if (plan->pure) return log(hessian / (2 * plan->noise)) - fabs(b) / plan->noise;
  return log(hessian / (plan->noise * sqrt(2 * 3.14159265358979323846))) -
         b * b / (2 * plan->noise * plan->noise);
}

/* Hockey-stick between the exact laws of w on u and on v, and the largest log-ratio where p counts.
 */
static double exact_delta(double *ratio, double epsilon, const double *u, const double *v, size_t n,
                          const objective_plan *plan) {
  const double reach = ((double)n * 2 + 40 * plan->noise) / plan->ridge;
  const int steps = 40000;
  double total = 0, h = 2 * reach / steps;
  int k;
  *ratio = 0;
  for (k = 0; k < steps; k++) {
    double w = -reach + (k + .5) * h, p = log_density(w, u, n, plan),
           q = log_density(w, v, n, plan);
    total += fmax(0, exp(p) - exp(epsilon + q)) * h;
    if (p > -700) *ratio = fmax(*ratio, p - q);
  }
  return total;
}

/* Worst-case neighbours in one dimension: one record among n is turned round, moved or shrunk. */
static void exact_neighbours_in_one_dimension_keep_the_privacy_claimed(void **state) {
  static const double from[] = {1, -1, 1, .5, 0, 1}, to[] = {-1, 1, 0, -1, 1, .2};
  static const double rest[] = {1, -1, .3, 0};
  enum { N = 12 };
  double u[N], v[N], ratio, biggest = 0;
  size_t a, b, i;
  int pure;
  (void)state;
  for (pure = 0; pure < 2; pure++)
    for (a = 0; a < sizeof from / sizeof *from; a++)
      for (b = 0; b < sizeof rest / sizeof *rest; b++) {
        objective_plan plan;
        double delta = pure ? 0 : 0.01, epsilon = 1, found;
        assert_int_equal(objective_calibrate(&plan, epsilon, delta, 0, b % 2 ? 1 : 4, N, 1),
                         DPPAIR_OK);
        for (i = 0; i < N; i++) u[i] = v[i] = b == 3 && i % 2 ? -.7 : rest[b];
        u[0] = from[a];
        v[0] = to[a];
        found = exact_delta(&ratio, epsilon, u, v, N, &plan);
        if (found > delta + 1e-9) fail_msg("pure %d, %zu %zu: delta %.6g", pure, a, b, found);
        if (pure && ratio > epsilon) fail_msg("%zu %zu: log ratio %.6g", a, b, ratio);
        if (pure) biggest = fmax(biggest, ratio);
      }
  print_message("largest log ratio %.4f\n", biggest);
  assert_true(biggest > .8 && biggest < 1); /* little is wasted */
}

static void calibration_keeps_the_budget_and_wastes_no_noise(void **state) {
  objective_plan plan;
  double reached, closer;
  (void)state;
  assert_int_equal(objective_calibrate(&plan, 0.5, 1.0 / 384, 0.11, 2, 384, 9), DPPAIR_OK);
  assert_int_equal(objective_delta(&reached, 0.5, 0.11, plan.noise, plan.ridge), DPPAIR_OK);
  assert_true(reached <= 1.0 / 384);
  assert_int_equal(objective_delta(&closer, 0.5, 0.11, plan.noise * .999, plan.ridge * .999),
                   DPPAIR_OK);
  assert_true(closer > 1.0 / 384 * .99); /* no noise is wasted */
  assert_int_equal(objective_delta(&reached, 0.001, 0, 1, 1), DPPAIR_OK);
  assert_true(reached >= 1); /* the determinant alone uses up epsilon */
  assert_int_equal(objective_calibrate(&plan, 1e-3, 0.01, 5, 2, 100, 3), DPPAIR_ERR_EXHAUSTED);
}

/* Far above every usual epsilon: the fit by itself is a Gaussian mechanism of mu = 2/s at least, so
 * its delta at epsilon is at least that curve's. */
static void a_large_epsilon_is_spent_and_not_lost_to_a_nan(void **state) {
  static const double epsilons[] = {600, 711, 720, 1000, 5000, 1e5};
  size_t k;
  int before;
  (void)state;
  for (k = 0; k < sizeof epsilons / sizeof *epsilons; k++)
    for (before = 0; before < 2; before++) {
      double mu = before ? 5 + .5 * sqrt(epsilons[k]) : 0, delta, least;
      objective_plan plan;
      assert_int_equal(objective_calibrate(&plan, epsilons[k], 1e-3, mu, 2, 100, 3), DPPAIR_OK);
      assert_int_equal(dppair_gaussian_delta(&delta, epsilons[k], hypot(mu, 2 / plan.noise)),
                       DPPAIR_OK);
      if (delta > 1e-3) fail_msg("epsilon %g: delta %g", epsilons[k], delta);
      assert_int_equal(objective_delta(&delta, epsilons[k], mu, plan.noise / 4, plan.ridge),
                       DPPAIR_OK);
      assert_int_equal(dppair_gaussian_delta(&least, epsilons[k], hypot(mu, 8 / plan.noise)),
                       DPPAIR_OK);
      assert_true(delta >= least && delta <= 1);
    }
  /* the last bound's second term, where a direct product would be infinite times 0 */
  assert_true(fabs(first_exceeds(30, 3) / (exp(30) * normal_tail(11.5)) - 1) < 1e-10);
  assert_true(first_exceeds(1e4, 140) > 1e-5 && first_exceeds(1e4, 140) < 1);
  /* continuous where the tail takes over from erfc */
  assert_true(fabs(first_exceeds(312.4, 25) / first_exceeds(312.6, 25) - 1) < 0.02);
}

/* Budgets whose delta exceeds 4 delta_G(x; mu of the first release). */
static void large_deltas_are_served(void **state) {
  static const double budgets[][2] = {{.1, .1}, {.05, .05}, {.3, .2}, {.02, .05}, {.1, .01}};
  size_t k;
  (void)state;
  for (k = 0; k < sizeof budgets / sizeof *budgets; k++) {
    double mu, reached;
    objective_plan plan;
    assert_int_equal(dppair_gaussian_mu(&mu, budgets[k][0], budgets[k][1]), DPPAIR_OK);
    assert_int_equal(objective_calibrate(&plan, budgets[k][0], budgets[k][1], .5 * mu, 4, 1000, 9),
                     DPPAIR_OK);
    assert_int_equal(objective_delta(&reached, budgets[k][0], .5 * mu, plan.noise, plan.ridge),
                     DPPAIR_OK);
    assert_true(reached <= budgets[k][1]);
  }
}

/* With more records the released weights may only become better: the output noise that covers the
 * solver stays a small part of what the noise of b leaves in the weights, or of the weights. */
static void noise_does_not_grow_with_the_number_of_records(void **state) {
  static const size_t sizes[] = {1000, 22611, 100000, 1000000, 4000000, 10000000};
  size_t k;
  (void)state;
  for (k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    double n = (double)sizes[k];
    objective_plan plan;
    assert_int_equal(objective_calibrate(&plan, 1, 1 / n, 0, 1, sizes[k], 9), DPPAIR_OK);
    assert_true(plan.output < 3e-4);
    assert_true(plan.output < plan.noise / (plan.ridge + n / 27) || n > 2e6);
    assert_int_equal(objective_calibrate(&plan, 1, 0, 0, 1, sizes[k], 9), DPPAIR_OK);
    assert_true(plan.output < 3e-4);
  }
}

/* Weights that are longer than the ball keep their direction, and the noise that covers the solver
 * is for the ball. */
static void long_weights_are_shortened(void **state) {
  enum { N = 400 };
  static double u[2 * N];
  double w[2];
  objective_plan plan;
  task t;
  size_t i;
  (void)state;
  for (i = 0; i < N; i++) {
    u[2 * i] = 6e-3;
    u[2 * i + 1] = -8e-3;
  }
  memset(&t, 0, sizeof t);
  t.with.noiseless = 1;
  assert_int_equal(objective_calibrate(&plan, 50, .01, 0, .02, N, 2), DPPAIR_OK);
  assert_int_equal(objective_release(w, &plan, u, N, 2, NULL, &t), DPPAIR_OK);
  assert_true(fabs(w[0] - 32 * .6) < 1e-6 && fabs(w[1] + 32 * .8) < 1e-6);
}

/* --- the whole method ------------------------------------------------------------------------- */

static dppair_status run(model *m, const split *s, const dataset *d, double epsilon, double delta,
                         int noiseless, uint8_t seed) {
  uint8_t key[32] = {0};
  dppair_rng noise;
  task t;
  key[0] = seed;
  memset(&t, 0, sizeof t);
  memset(m, 0, sizeof *m);
  assert_int_equal(dppair_rng_from_key(&noise, key, 0), DPPAIR_OK);
  t.train = s->train;
  t.features = d->features;
  t.epsilon = epsilon;
  t.delta = delta;
  t.noise = &noise;
  t.with.noiseless = noiseless;
  asks = 0;
  return method_auto.train(m, &t);
}

static double auc_of(const model *m, const records *rows) {
  double *s = malloc(rows->n * sizeof *s), *parts = malloc(2 * rows->n * sizeof *parts), auc = 0;
  size_t i, p = 0, q = rows->n, bytes;
  void *work;
  assert_int_equal(dppair_measures_workspace(&bytes, rows->n, 0), DPPAIR_OK);
  work = malloc(bytes);
  m->score(s, m, rows);
  for (i = 0; i < rows->n; i++)
    if (rows->y[i] > 0)
      parts[p++] = s[i];
    else
      parts[q++] = s[i];
  assert_int_equal(
      dppair_auc_not_private_f64(&auc, parts, p, parts + rows->n, q - rows->n, work, bytes),
      DPPAIR_OK);
  free(work);
  free(s);
  free(parts);
  return auc;
}

/* At the balance both classes pull equally, and the centre is where the ridge draws the minimiser.
 */
static void the_balance_and_the_centre_are_where_the_pulls_are_equal(void **state) {
  double rate, u[2] = {0, 0}, w[2], centre[2] = {.3, -1.5};
  objective_plan plan;
  task t;
  (void)state;
  for (rate = .02; rate < 1; rate += .06) {
    double p[3], q[3], a = objective_balance(rate);
    dppair_margin_soft_hinge_at_(p, a, 0);
    dppair_margin_soft_hinge_at_(q, -a, 0);
    assert_true(fabs(rate * p[1] - (1 - rate) * q[1]) < 1e-9);
  }
  assert_true(fabs(objective_balance(.5)) < 1e-9);
  memset(&t, 0, sizeof t);
  t.with.noiseless = 1;
  assert_int_equal(objective_calibrate(&plan, 1, .01, 0, 2, 1, 2), DPPAIR_OK);
  assert_int_equal(objective_release(w, &plan, u, 1, 2, centre, &t), DPPAIR_OK);
  assert_true(fabs(w[0] - .3) < 1e-9 && fabs(w[1] + 1.5) < 1e-9);
}

static void a_run_on_real_records_replays_and_charges_its_budget(void **state) {
  char error[ERROR_SIZE];
  dataset d;
  split s;
  size_t order[768];
  simulation_rng rng;
  model a, b;
  double mu;
  (void)state;
  assert_true(data_load(&d, "examples/data/pima.csv", NULL, error));
  assert_true(data_ranges(&d, "examples/data/pima.ranges", error));
  simulation_seed(&rng, 1);
  simulation_permutation(order, 768, &rng);
  assert_true(split_make(&s, &d, order, 512, 256, SCALE_RANGES));

  /* noise scales: the histograms are mu1-GDP with mu1^2 = 0.25 mu^2; q is 16 less what smoothing
   * saves, and 1 for the labels */
  assert_int_equal(run(&a, &s, &d, 1, 1.0 / 512, 0, 1), DPPAIR_OK);
  assert_int_equal(dppair_gaussian_mu(&mu, 1, 1.0 / 512), DPPAIR_OK);
  assert_true(fabs(asked[0] * mu * sqrt(.25 / 17) - 1) < 2e-3);
  assert_true(a.epsilon <= 1 && a.epsilon > 1 - 1e-6);
  assert_int_equal(asks, 3); /* the last two are the fit's: of its objective, of its output */

  /* replay: the same key gives the same bits, another key others */
  assert_int_equal(run(&b, &s, &d, 1, 1.0 / 512, 0, 1), DPPAIR_OK);
  assert_memory_equal(a.theta, b.theta, a.size * sizeof(double));
  free(b.theta);
  assert_int_equal(run(&b, &s, &d, 1, 1.0 / 512, 0, 2), DPPAIR_OK);
  assert_true(memcmp(a.theta, b.theta, a.size * sizeof(double)) != 0);
  free(a.theta);
  free(b.theta);

  /* without noise it ranks as well as the yardstick; a small budget falls back to one vector and
   * warns; pure privacy asks for Laplace counts and the l2 mechanism */
  assert_int_equal(run(&a, &s, &d, 8, 1.0 / 512, 1, 1), DPPAIR_OK);
  assert_true(auc_of(&a, &s.test) > 0.8 && a.epsilon > 1e300);
  free(a.theta);
  assert_int_equal(run(&a, &s, &d, 0.05, 1.0 / 512, 0, 1), DPPAIR_OK);
  assert_non_null(strstr(a.note, "WARNING"));
  assert_non_null(strstr(a.note, "one vector"));
  free(a.theta);
  assert_int_equal(run(&a, &s, &d, 4, 0, 0, 1), DPPAIR_OK);
  assert_int_equal(asks, 3);
  assert_true(auc_of(&a, &s.test) > 0.75);
  free(a.theta);
  split_free(&s);
  data_free(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(no_angle_does_worse_than_the_aligned_pair),
      TEST(no_geometry_exceeds_the_composed_bound_and_one_comes_close),
      TEST(exact_neighbours_in_one_dimension_keep_the_privacy_claimed),
      TEST(a_large_epsilon_is_spent_and_not_lost_to_a_nan),
      TEST(large_deltas_are_served),
      TEST(calibration_keeps_the_budget_and_wastes_no_noise),
      TEST(noise_does_not_grow_with_the_number_of_records),
      TEST(long_weights_are_shortened),
      TEST(the_balance_and_the_centre_are_where_the_pulls_are_equal),
      TEST(a_run_on_real_records_replays_and_charges_its_budget),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
