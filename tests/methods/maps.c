/* SPDX-License-Identifier: MIT */
/*
 * The methods for declared maps: weights with the whole budget, and the metrics near the identity.
 * Noise against the accountant by a second route, sensitivities attained and never exceeded on
 * small data sets, replay, what they reach without noise.
 *
 * The sources are included, so that the test sees what noise is added to, and internal parts.
 */
#include "method_stand_ins.h"

#include "tests.h"

#include "methods/declared.c"
#include "methods/near_identity.c"
#include "methods/weights.c"
#include "support/solver.c"
#include "questions.h"

/* --- stand-ins for methods.c and pairs.c ------------------------------------------------------ */

double task_radius(const task *t) {
  return t->with.radius > 0 ? t->with.radius : 0.4 * sqrt((double)t->train.d);
}
dppair_status rows_clip(double *out, const records *rows, const size_t *order, double radius) {
  size_t i, d = rows->d;
  assert_null(order);
  memcpy(out, rows->x, rows->n * d * sizeof *out);
  for (i = 0; i < rows->n; i++)
    if (dppair_project_l2_f64(out + i * d, d, radius) != DPPAIR_OK) return DPPAIR_ERR_NOT_FINITE;
  return DPPAIR_OK;
}
void matrix_unpack(double *full, const double *packed, size_t d) {
  dppair_symmetric_unpack_f64(full, packed, d);
}
void matrix_pack(double *packed, const double *full, size_t d) {
  dppair_symmetric_pack_f64(packed, full, d);
}

/* --- data and runs ---------------------------------------------------------------------------- */

static simulation_rng dice;
static double coordinate(void) { return (double)(simulation_u64(&dice) >> 11) * 0x1p-52 - 1; }

static dppair_status run(model *m, const method *how, const double *x, const double *y, size_t n,
                         size_t d, double epsilon, double delta, int noiseless, uint8_t seed) {
  uint8_t key[32] = {0};
  dppair_rng noise;
  task t;
  key[0] = seed;
  memset(&t, 0, sizeof t);
  memset(m, 0, sizeof *m);
  assert_int_equal(dppair_rng_from_key(&noise, key, 0), DPPAIR_OK);
  t.train.n = n;
  t.train.d = d;
  t.train.raw = t.train.x = x;
  t.train.y = y;
  t.scale = SCALE_MAPS;
  t.epsilon = epsilon;
  t.delta = delta;
  t.noise = &noise;
  t.with.noiseless = noiseless;
  t.with.radius = 1;
  asks = 0;
  return how->train(m, &t);
}

static void fill(double *x, double *y, size_t n, size_t d) {
  size_t i, j;
  for (i = 0; i < n; i++) {
    y[i] = i % 3 ? 1 : -1;
    for (j = 0; j < d; j++) x[i * d + j] = coordinate() + (j == 0 ? y[i] : 0);
  }
}

/* direction-metric as if its budget always carried the direction. */
static dppair_status stretch_always(model *out, const task *t) {
  weights_plan p;
  dppair_status status = weights_make_plan(&p, 0, t);
  return status == DPPAIR_OK ? stretch(out, &p, t) : status;
}
static const method always_stretched = {"always", "", "", OFFERS_PURE, 0, stretch_always};

/* --- noise ------------------------------------------------------------------------------------ */

/* What the accountant says of a mechanism that moves by `move` under noise of this scale. */
static double spent(double move, double scale, double delta) {
  dppair_accountant a;
  double epsilon = HUGE_VAL;
  if (!(delta > 0)) return move / scale;
  assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
  assert_int_equal(dppair_accountant_gaussian(&a, move, scale, 1), DPPAIR_OK);
  assert_int_equal(answer_epsilon(&epsilon, &a, delta), DPPAIR_OK);
  return epsilon;
}

static void noise_is_what_the_accountant_asks_for_by_a_second_route(void **state) {
  enum { N = 24, D = 3 };
  double x[N * D], y[N];
  int pure;
  (void)state;
  simulation_seed(&dice, 4);
  fill(x, y, N, D);
  for (pure = 0; pure < 2; pure++) {
    double delta = pure ? 0 : 1.0 / N;
    model m;
    double used;
    /* few records: one vector, 2R/n */
    assert_int_equal(run(&m, &method_declared, x, y, N, D, 1, delta, 0, 1), DPPAIR_OK);
    used = spent(2.0 / N, asked[0], delta);
    assert_true(asks == 1 && asked_size == D && used <= 1 && used > 1 - 1e-8);
    assert_true(m.epsilon <= 1 && m.epsilon > 1 - 1e-8 && fabs(m.sigma - asked[0]) <= 0);
    free(m.theta);
    assert_int_equal(run(&m, &always_stretched, x, y, N, D, 1, delta, 0, 1), DPPAIR_OK);
    used = spent(2.0 / N, asked[0], delta);
    assert_true(asks == 1 && asked_size == D && used <= 1 && used > 1 - 1e-8);
    free(m.theta);
    assert_int_equal(run(&m, &method_moments_metric, x, y, N, D, 1, delta, 0, 1), DPPAIR_OK);
    used = spent(16.0 / N, asked[0], delta);
    assert_true(asks == 1 && asked_size == D * (D + 1) / 2 && used <= 1 && used > 1 - 1e-8);
    free(m.theta);
  }
}

/* With records enough the fit takes over, with the whole budget: no earlier release is charged. */
static void with_records_enough_the_fit_has_the_whole_budget(void **state) {
  enum { N = 600, D = 2 };
  static double x[N * D], y[N];
  double delta;
  model m;
  weights_plan p;
  task t;
  (void)state;
  simulation_seed(&dice, 5);
  fill(x, y, N, D);
  memset(&t, 0, sizeof t);
  t.train.n = N;
  t.train.d = D;
  t.epsilon = 1;
  t.delta = 1.0 / N;
  assert_int_equal(weights_make_plan(&p, 0, &t), DPPAIR_OK);
  assert_int_equal(run(&m, &method_declared, x, y, N, D, 1, t.delta, 0, 1), DPPAIR_OK);
  assert_int_equal(dppair_objective_delta_(&delta, 1, 0, m.sigma, p.ratio * m.sigma), DPPAIR_OK);
  assert_true(delta <= t.delta && delta > 0.99 * t.delta && m.epsilon <= 1 && m.epsilon > 0.99);
  assert_non_null(strstr(m.note, "objective perturbation"));
  free(m.theta);
  t.epsilon = 2;
  t.delta = 0;
  assert_int_equal(weights_make_plan(&p, 0, &t), DPPAIR_OK);
  assert_int_equal(run(&m, &method_declared, x, y, N, D, 2, 0, 0, 1), DPPAIR_OK);
  delta = 2 / m.sigma + log1p(1 / (p.ratio * sqrt(3.0) * m.sigma)); /* and a trace */
  assert_true(delta <= 2 * 0.999 && delta > 2 * 0.9989 && m.epsilon <= 2 && m.epsilon > 1.999);
  free(m.theta);

  /* an earlier release takes its share: mu^2 adds up, epsilon adds up */
  t.epsilon = 1;
  t.delta = 1e-3;
  assert_int_equal(weights_make_plan(&p, 0.2, &t), DPPAIR_OK);
  {
    double mu;
    assert_int_equal(task_mu(&mu, &t), DPPAIR_OK);
    assert_true(hypot(p.mine, 0.2) <= mu && hypot(p.mine, 0.2) > mu * (1 - 1e-12));
  }
  t.delta = 0;
  assert_int_equal(weights_make_plan(&p, 0.25, &t), DPPAIR_OK);
  assert_true(p.mine + 0.25 <= 1 && p.mine > 0.75 - 1e-12);
  assert_int_equal(weights_make_plan(&p, 1, &t), DPPAIR_ERR_EXHAUSTED);
}

/* --- attacks ---------------------------------------------------------------------------------- */

/* What a method adds noise to, without the noise. */
static size_t statistic(double *out, const method *how, const double *x, const double *y, size_t n,
                        size_t d) {
  model m;
  assert_int_equal(run(&m, how, x, y, n, d, 1, 1.0 / 16, 1, 1), DPPAIR_OK);
  assert_int_equal(asks, 1);
  memcpy(out, before_noise, asked_size * sizeof *out);
  free(m.theta);
  return asked_size;
}

/* The largest move found over replacements of the first record: corners and random rows. */
static double attack(const method *how, size_t n, size_t d, int tries) {
  double x[16], y[8], s[16], s2[16], worst = 0;
  int k;
  for (k = 0; k < tries; k++) {
    size_t i, j, size;
    double move = 0;
    for (i = 0; i < n; i++) {
      y[i] = k % 2 && i > 0 ? 1 : coordinate() < 0 ? -1 : 1;
      for (j = 0; j < d; j++) x[i * d + j] = k % 3 ? (j > 0 ? 0 : i == 0 ? 1 : -1) : coordinate();
    }
    size = statistic(s, how, x, y, n, d);
    y[0] = -y[0];
    for (j = 0; j < d && k % 4; j++) x[j] = k % 3 == 1 ? x[j] : 1.5 * coordinate();
    if (k % 5 == 0) y[0] = -y[0];
    assert_int_equal(statistic(s2, how, x, y, n, d), size);
    for (j = 0; j < size; j++) move += (s[j] - s2[j]) * (s[j] - s2[j]);
    worst = fmax(worst, sqrt(move));
  }
  return worst;
}

static void metric_sensitivities_are_attained_and_never_exceeded(void **state) {
  static const size_t sizes[] = {4, 5, 8};
  size_t k;
  (void)state;
  simulation_seed(&dice, 6);
  for (k = 0; k < 3; k++) {
    double n = (double)sizes[k], found = attack(&always_stretched, sizes[k], 2, BRIEF ? 40 : 600);
    assert_true(found <= 2 / n * (1 + 1e-12) && found > 2 / n * (1 - 1e-12)); /* attained */
    found = attack(&method_moments_metric, sizes[k], 2, BRIEF ? 40 : 600);
    assert_true(found <= 16 / n * (1 + 1e-12) && found > 16 / n * (1 - 1e-12));
  }
}

/* The closed form of the pair moments is the double loop. */
static void the_closed_form_of_the_pair_moments_is_the_double_loop(void **state) {
  enum { N = 17, D = 4 };
  double x[N * D], y[N], m[D * D], slow[D * D] = {0};
  size_t i, j, a, b;
  (void)state;
  simulation_seed(&dice, 7);
  fill(x, y, N, D);
  assert_int_equal(pair_moments(m, x, y, N, D), DPPAIR_OK);
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      for (a = 0; a < D; a++)
        for (b = 0; b < D; b++)
          slow[a * D + b] -= y[i] * y[j] * (x[i * D + a] - x[j * D + a]) *
                             (x[i * D + b] - x[j * D + b]) / (N * (N - 1));
  for (a = 0; a < D * D; a++) assert_true(fabs(m[a] - slow[a]) < 1e-14);
}

/* --- what comes out --------------------------------------------------------------------------- */

static void released_metrics_replay_and_stretch_the_column_that_separates(void **state) {
  enum { N = 300, D = 3 };
  static double x[N * D], y[N], zero[N * D];
  const method *const both[] = {&method_direction_metric, &method_moments_metric};
  model a, b;
  size_t k;
  (void)state;
  simulation_seed(&dice, 8);
  fill(x, y, N, D);
  for (k = 0; k < 2; k++) {
    double diagonal;
    /* replay, and a metric: symmetric, trace d/R^2, stretched along the column that separates */
    assert_int_equal(run(&a, both[k], x, y, N, D, 1, 1.0 / N, 0, 1), DPPAIR_OK);
    assert_int_equal(run(&b, both[k], x, y, N, D, 1, 1.0 / N, 0, 1), DPPAIR_OK);
    assert_memory_equal(a.theta, b.theta, D * D * sizeof(double));
    diagonal = a.theta[0] + a.theta[4] + a.theta[8];
    assert_true(fabs(diagonal - 3) < 1e-12 && fabs(a.theta[1] - a.theta[3]) < 1e-12);
    free(a.theta);
    free(b.theta);
    assert_int_equal(run(&a, both[k], x, y, N, D, 1, 1.0 / N, 1, 1), DPPAIR_OK);
    assert_true(a.theta[0] > 1.3 * a.theta[4] && a.theta[0] > 1.3 * a.theta[8]);
    assert_true(a.radius >= 1 && a.radius <= 1);
    free(a.theta);
    /* nothing to learn and no noise: the identity over R^2 */
    assert_int_equal(run(&a, both[k], zero, y, N, D, 1, 1.0 / N, 1, 1), DPPAIR_OK);
    assert_true(fabs(a.theta[0] - 1) < 1e-12 && fabs(a.theta[8] - 1) < 1e-12);
    assert_true(fabs(a.theta[1]) < 1e-12);
    free(a.theta);
  }
  assert_int_equal(run(&a, &method_declared, x, y, N, D, 1, 1.0 / N, 1, 1), DPPAIR_OK);
  assert_true(a.theta[0] > 4 * fabs(a.theta[1]) && a.theta[0] > 4 * fabs(a.theta[2]));
  free(a.theta);
  assert_int_equal(run(&a, &method_declared, x, y, N, D, 0.01, 1.0 / N, 0, 1), DPPAIR_OK);
  assert_non_null(strstr(a.note, "WARNING"));
  free(a.theta);
}

/* From rho = 20 on there is a direction; below, nothing is drawn, asked for or spent. */
static void a_budget_too_small_for_a_direction_gives_the_identity_and_is_not_spent(void **state) {
  enum { N = 60, D = 4 };
  static double x[N * D], y[N];
  double epsilon;
  int pure, released = 0;
  (void)state;
  simulation_seed(&dice, 9);
  fill(x, y, N, D);
  for (pure = 0; pure < 2; pure++)
    for (epsilon = 1e-3; epsilon < 8; epsilon *= 1.3) {
      weights_plan p;
      model m;
      task t;
      size_t j;
      memset(&t, 0, sizeof t);
      t.train.n = N;
      t.train.d = D;
      t.epsilon = epsilon;
      t.delta = pure ? 0 : 1e-3;
      assert_int_equal(weights_make_plan(&p, 0, &t), DPPAIR_OK);
      assert_int_equal(run(&m, &method_direction_metric, x, y, N, D, epsilon, t.delta, 0, 1),
                       DPPAIR_OK);
      if (p.rho < 20) {
        assert_true(asks == 0 && m.epsilon <= 0 && m.sigma <= 0 && m.steps == 0 && m.radius >= 1);
        for (j = 0; j < D * D; j++) assert_true(fabs(m.theta[j] - (j % (D + 1) == 0)) <= 0);
        assert_non_null(strstr(m.note, "Nothing is released"));
      } else {
        assert_true(m.epsilon > 0 && m.epsilon <= epsilon && fabs(m.theta[1]) > 0);
        released++;
      }
      free(m.theta);
    }
  assert_true(released > 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_budget_too_small_for_a_direction_gives_the_identity_and_is_not_spent),
      TEST(noise_is_what_the_accountant_asks_for_by_a_second_route),
      TEST(with_records_enough_the_fit_has_the_whole_budget),
      TEST(metric_sensitivities_are_attained_and_never_exceeded),
      TEST(the_closed_form_of_the_pair_moments_is_the_double_loop),
      TEST(released_metrics_replay_and_stretch_the_column_that_separates),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
