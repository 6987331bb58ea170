/* SPDX-License-Identifier: MIT */
/*
 * The method auto: a run on real records replays, charges its budget and no more, and ranks. Its
 * scores are those of a user of dppair_auto.h.
 *
 * The sources are included, so that the test sees what noise is asked for.
 */
#include "method_stand_ins.h"

#include "tests.h"

#include "methods/auto.c"

static dppair_status not_called(model *m, const task *t) {
  (void)m;
  (void)t;
  return DPPAIR_ERR_NO_PROOF;
}
const method method_declared = {"declared", "", "", 1, 0, not_called};

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
  /* the plans keep to the closed form, of which composition says a little less: 0.99992 */
  assert_true(a.epsilon <= 1 && a.epsilon > 1 - 1e-4);
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

/* With the keys of the run, which the program draws. */
static void the_program_gives_users_scores(void **state) {
  char error[ERROR_SIZE];
  dataset data;
  split part;
  size_t order[768], j, bytes;
  simulation_rng rng;
  dppair_rng noise, indices;
  dppair_column columns[8];
  dppair_auto_map map[8];
  dppair_auto_model mine;
  dppair_accountant account;
  dppair_plan plan;
  dppair_release_keys keys;
  uint8_t key[48];
  double s[256], program[256];
  void *work;
  task t;
  model m;
  (void)state;
  assert_true(data_load(&data, "examples/data/pima.csv", NULL, error));
  assert_true(data_ranges(&data, "examples/data/pima.ranges", error));
  simulation_seed(&rng, 1);
  simulation_permutation(order, 768, &rng);
  assert_true(split_make(&part, &data, order, 512, 256, SCALE_RANGES));
  memset(&t, 0, sizeof t);
  t.train = part.train;
  t.features = data.features;
  t.epsilon = 1;
  t.delta = 1e-3;
  t.adjacency = DPPAIR_REPLACE_ONE;
  t.noise = &noise;
  t.indices = &indices;
  assert_int_equal(trial_keys(&noise, &indices, 1, 1), DPPAIR_OK);
  memset(&m, 0, sizeof m);
  assert_int_equal(method_auto.train(&m, &t), DPPAIR_OK);
  m.score(program, &m, &part.test);

  assert_int_equal(trial_keys(&noise, &indices, 1, 1), DPPAIR_OK);
  assert_int_equal(dppair_rng_bytes(key, sizeof key, &noise), DPPAIR_OK);
  keys.key = key;
  keys.nonce = key + 32;
  memset(columns, 0, sizeof columns);
  for (j = 0; j < 8; j++) {
    columns[j].kind = DPPAIR_COLUMN_NUMERIC;
    columns[j].low = data.features[j].low;
    columns[j].high = data.features[j].high;
  }
  memset(&plan, 0, sizeof plan);
  plan.epsilon = 1;
  plan.delta = 1e-3;
  plan.sampling = dppair_sampling_all(512, DPPAIR_REPLACE_ONE);
  mine.map = map;
  assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
  assert_int_equal(dppair_auto_workspace(&bytes, 512, 8, columns), DPPAIR_OK);
  assert_non_null(work = malloc(bytes));
  assert_int_equal(dppair_auto_fit(&mine, &account, &plan, &keys, part.train.raw, part.train.y, 512,
                                   8, columns, work, bytes),
                   DPPAIR_OK);
  assert_int_equal(dppair_auto_score(s, &mine, part.test.raw, 256), DPPAIR_OK);
  assert_memory_equal(s, program, sizeof s);
  free(work);
  free(m.theta);
  split_free(&part);
  data_free(&data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_run_on_real_records_replays_and_charges_its_budget),
      TEST(the_program_gives_users_scores),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
