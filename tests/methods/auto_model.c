/* SPDX-License-Identifier: MIT */
/*
 * What a user of dppair_auto.h holds after a fit: scores of any value, warnings, and the text of a
 * model, which reads back to the same numbers and of which anything else is refused; and the fit as
 * users call it: its public arguments, its charges, the same scores as the program's.
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

enum { D = 3, LENGTH = 4096 };
static dppair_auto_map maps[D];

static dppair_auto_model example(void) {
  dppair_auto_model m;
  memset(&m, 0, sizeof m);
  memset(maps, 0, sizeof maps);
  m.map = maps;
  m.d = D;
  m.n = 100;
  m.epsilon = 1;
  m.delta = .001;
  m.rho = 3.25;
  m.rate = .4;
  m.marginals = .1;
  m.weights = .2;
  m.route = DPPAIR_AUTO_FIT;
  m.warnings = DPPAIR_AUTO_LOW | DPPAIR_AUTO_ABOVE;
  maps[0].knots = 2;
  maps[0].at[1] = 1;
  maps[0].value[0] = -.3;
  maps[0].value[1] = 1 / 3.0;
  maps[1].knots = 3;
  maps[1].warnings = DPPAIR_AUTO_ABOVE;
  maps[1].at[0] = -1e-30;
  maps[1].at[1] = 5;
  maps[1].at[2] = 1e30;
  maps[1].value[1] = 2;
  return m;
}

static int same_model(const dppair_auto_model *a, const dppair_auto_model *b) {
  return a->d == b->d && a->n == b->n && a->warnings == b->warnings && a->route == b->route &&
         memcmp(&a->epsilon, &b->epsilon, sizeof a->epsilon) == 0 &&
         memcmp(&a->delta, &b->delta, sizeof a->delta) == 0 &&
         memcmp(&a->rho, &b->rho, sizeof a->rho) == 0 &&
         memcmp(&a->rate, &b->rate, sizeof a->rate) == 0 &&
         memcmp(&a->marginals, &b->marginals, sizeof a->rate) == 0 &&
         memcmp(&a->weights, &b->weights, sizeof a->rate) == 0 &&
         memcmp(a->map, b->map, a->d * sizeof *a->map) == 0;
}

static dppair_status read_into(dppair_auto_map *to, size_t capacity, const char *text,
                               size_t length, dppair_auto_model *m) {
  m->map = to;
  return dppair_auto_read(m, capacity, text, length);
}

static void a_model_reads_back_and_so_does_the_file_around_it(void **state) {
  static const char *const names[D] = {"a", "b\"\\\n", "model"};
  char text[LENGTH], file[2 * LENGTH];
  dppair_auto_map back[D];
  dppair_auto_model m = example(), n;
  size_t length, needed;
  (void)state;
  assert_int_equal(dppair_auto_write(NULL, 0, &needed, &m, names), DPPAIR_ERR_WORKSPACE);
  memset(text, 1, sizeof text);
  assert_int_equal(dppair_auto_write(text, needed, &length, &m, names), DPPAIR_ERR_WORKSPACE);
  for (length = 0; length < needed; length++) assert_int_equal(text[length], 0);
  assert_int_equal(dppair_auto_write(text, needed + 1, &length, &m, names), DPPAIR_OK);
  assert_int_equal(length, needed);
  assert_int_equal(strlen(text), length);
  assert_int_equal(text[needed + 1], 1);
  assert_non_null(strstr(text, "{\"name\": \"b\\\"\\\\\\u000a\", \"warnings\": 2, \"at\": "
                               "[-1.0000000000000001e-30, 5, 1e30], \"value\": [0, 2, 0]}"));
  assert_int_equal(read_into(back, D, text, length, &n), DPPAIR_OK);
  assert_true(same_model(&m, &n));
  length = (size_t)snprintf(file, sizeof file,
                            "{\"format\": \"x\", \"columns\": [{\"name\": \"\\\"model\\\": {\"}],\n"
                            "\"model\": %s\n}\n",
                            text);
  assert_int_equal(read_into(back, D, file, length, &n), DPPAIR_OK);
  assert_true(same_model(&m, &n));
  assert_int_equal(read_into(back, D - 1, file, length, &n), DPPAIR_ERR_SIZE);
  assert_int_equal(n.d, D);
  assert_true(n.rho >= 0 && n.rho <= 0 && back[0].knots == 0);
  assert_int_equal(read_into(NULL, 0, file, length, &n), DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_auto_write(text, LENGTH, &length, &m, NULL), DPPAIR_OK);
  assert_int_equal(read_into(back, D, text, length, &n), DPPAIR_OK);
}

/* With any byte changed or taken away, a text is refused or is another model that holds what every
 * model does. It ends where its memory ends, for the sanitizers to see. */
static void changed_texts_are_refused_or_are_models(void **state) {
  static const char bytes[] = "\0 \"\\,:[]{}-+.019eE\x80\xff";
  char text[LENGTH], *exact;
  dppair_auto_map back[D];
  dppair_auto_model m = example(), n;
  size_t length, k, c, taken = 0;
  (void)state;
  assert_int_equal(dppair_auto_write(text, LENGTH, &length, &m, NULL), DPPAIR_OK);
  for (k = 0; k < length; k++) {
    assert_non_null(exact = malloc(k + 1));
    memcpy(exact, text, k);
    assert_int_equal(read_into(back, D, exact, k, &n), DPPAIR_ERR_FORMAT);
    free(exact);
  }
  assert_non_null(exact = malloc(length));
  for (k = 0; k < length; k++)
    for (c = 0; c < sizeof bytes; c++) {
      memcpy(exact, text, length);
      exact[k] = bytes[c];
      if (read_into(back, D, exact, length, &n) == DPPAIR_OK) {
        assert_int_equal(dppair_auto_model_check_(&n), DPPAIR_OK);
        taken++;
      } else {
        assert_int_equal(n.d + back[0].knots + back[1].knots, 0);
      }
    }
  free(exact);
  assert_true(taken > 0);
}

static dppair_status read_text(const char *text, dppair_auto_map *to) {
  dppair_auto_model n;
  return read_into(to, D, text, strlen(text), &n);
}

/* `from` replaced by `to` in the text of the example. */
static dppair_status with(const char *from, const char *to) {
  char text[LENGTH], other[2 * LENGTH];
  dppair_auto_map back[D];
  dppair_auto_model m = example();
  size_t length;
  const char *at;
  assert_int_equal(dppair_auto_write(text, LENGTH, &length, &m, NULL), DPPAIR_OK);
  assert_non_null(at = strstr(text, from));
  (void)snprintf(other, sizeof other, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  return read_text(other, back);
}

static void what_is_no_model_is_refused(void **state) {
  (void)state;
  assert_int_equal(with("auto 2", "auto 2"), DPPAIR_OK);
  assert_int_equal(with("auto 2", "auto 3"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"rho\": 3.25", "\n\t\"rho\" :3.25\r"), DPPAIR_OK);
  assert_int_equal(with("\"rho\": 3.25", "\"rho\": 3.25, \"rho\": 3.25"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"rho\": 3.25", "\"rho\": \"3.25\""), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"rho\": 3.25", "\"rho\": NaN"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"rho\": 3.25", "\"rho\": 1e300"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"rho\": 3.25", "\"rho\": 1e999999999999"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"rho\": 3.25", "\"RHO\": 3.25"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"epsilon\": 1", "\"epsilon\": 0"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"delta\": 0.001", "\"delta\": 1"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"n\": 100", "\"n\": 1.5"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"n\": 100", "\"n\": -1"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"warnings\": 10", "\"warnings\": 32"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"route\": 3", "\"route\": 4"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"route\": 3", "\"route\": 0"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"route\": 3", "\"route\": 2"), DPPAIR_OK);
  assert_int_equal(with("[0, 1]", "[1, 0]"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("[0, 1]", "[0, 0]"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("[0, 1]", "[0, 1, 2]"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("[0, 1]", "[0, 1,]"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("[0, 2, 0]", "[0, 2]"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("]}", "]}}"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\n    ]}", "\n    ]} x"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\n    ]}", "\n    ]} "), DPPAIR_OK);
}

static void numbers_read_back_to_the_same_bits(void **state) {
  const long rounds = BRIEF ? 3000 : 20000;
  char text[64];
  long k;
  (void)state;
  for (k = 0; k < rounds; k++) {
    const uint64_t bits = random_bits();
    dppair_json out = dppair_json_writer(text, sizeof text - 1), in;
    double x = (double)(bits % 200001) / 1000 - 100, mine, other;
    if (k % 3 == 0) memcpy(&x, &bits, sizeof x);
    if (!dppair_json_holds(x)) continue;
    dppair_json_number(&out, &x);
    text[out.out.used] = '\0';
    other = strtod(text, NULL);
    in = dppair_json_reader(text, out.out.used);
    dppair_json_number(&in, &mine);
    if (out.bad || in.bad || in.in != in.end || memcmp(&x, &mine, sizeof x) != 0 ||
        memcmp(&x, &other, sizeof x) != 0)
      fail_msg("%.17g: '%s' reads as %.17g and %.17g", x, text, mine, other);
  }
}

static void any_value_has_a_score(void **state) {
  dppair_auto_model m = example();
  const double x[][D] = {{0, 5, 1},
                         {.5, 5e29, 0},
                         {-7, -1e300, 0},
                         {7, 1e300, 0},
                         {(double)NAN, (double)NAN, 0},
                         {-HUGE_VAL, -1, (double)NAN},
                         {HUGE_VAL, 5, HUGE_VAL}};
  const double expected[] = {1.7, 1 / 60.0 + 1, -.3, 1 / 3.0, -.3, -.3, 7 / 3.0};
  double s[7];
  size_t i;
  (void)state;
  assert_int_equal(dppair_auto_score(s, &m, x[0], 7), DPPAIR_OK);
  for (i = 0; i < 7; i++) assert_true(fabs(s[i] - expected[i]) < 1e-14);
  assert_int_equal(dppair_auto_score(s, &m, x[0], 0), DPPAIR_OK);
  assert_int_equal(dppair_auto_score(NULL, &m, x[0], 1), DPPAIR_ERR_NULL);
  maps[0].value[1] = (double)NAN;
  assert_int_equal(dppair_auto_score(s, &m, x[0], 7), DPPAIR_ERR_DOMAIN);
  for (i = 0; i < 7; i++) assert_true(s[i] >= 0 && s[i] <= 0);
  m = example();
  maps[0].at[1] = 0;
  assert_int_equal(dppair_auto_score(s, &m, x[0], 7), DPPAIR_ERR_DOMAIN);
  m = example();
  maps[1].knots = DPPAIR_AUTO_KNOTS + 1;
  assert_int_equal(dppair_auto_score(s, &m, x[0], 7), DPPAIR_ERR_SIZE);
  m.map = NULL;
  assert_int_equal(dppair_auto_score(s, &m, x[0], 7), DPPAIR_ERR_NULL);
}

/* --- the fit ---------------------------------------------------------------------------------- */

enum { N = 60, COLUMNS = 4 };
typedef struct fit_case {
  double x[N][COLUMNS], y[N];
  dppair_column columns[COLUMNS];
  dppair_auto_map map[COLUMNS];
  dppair_auto_model m;
  dppair_accountant account;
  dppair_plan plan;
  dppair_release_keys keys;
  void *work;
  size_t bytes;
} fit_case;

static fit_case *case_make(void) {
  static fit_case c;
  static const dppair_column columns[COLUMNS] = {{DPPAIR_COLUMN_NUMERIC, -1, 1, 0, 0},
                                                 {DPPAIR_COLUMN_NUMERIC, 0, 10, 0, 0},
                                                 {DPPAIR_COLUMN_FLAG, 0, 0, 0, 0},
                                                 {DPPAIR_COLUMN_NUMERIC, 5, 5, 0, 0}};
  static const uint8_t key[48] = {1, 2, 3};
  size_t i;
  free(c.work);
  memset(&c, 0, sizeof c);
  memcpy(c.columns, columns, sizeof columns);
  for (i = 0; i < N; i++) {
    c.x[i][0] = between(-1, 1);
    c.x[i][1] = between(0, 10);
    c.x[i][2] = i % 3 == 0;
    c.x[i][3] = 5;
    c.y[i] = c.x[i][0] + between(-1, 1) > 0 ? 1 : -1;
  }
  c.m.map = c.map;
  c.plan.epsilon = 2;
  c.plan.delta = 1e-3;
  c.plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  c.keys.key = key;
  c.keys.run = key + 32;
  assert_int_equal(dppair_accountant_init(&c.account), DPPAIR_OK);
  assert_int_equal(dppair_auto_workspace(&c.bytes, N, COLUMNS, c.columns), DPPAIR_OK);
  assert_non_null(c.work = malloc(c.bytes));
  return &c;
}

static dppair_status case_fit(fit_case *c) {
  return dppair_auto_fit(&c->m, &c->account, &c->plan, &c->keys, c->x[0], c->y, N, COLUMNS,
                         c->columns, c->work, c->bytes);
}

/* A public argument is wrong: the status, no charge, and a model of zeros. */
static void refused(fit_case *c, dppair_status why) {
  dppair_interval spent;
  size_t j;
  c->m.rho = 1;
  for (j = 0; j < COLUMNS; j++) c->map[j].knots = c->map[j].warnings = 2; /* of an earlier fit */
  assert_int_equal(case_fit(c), why);
  assert_int_equal(dppair_accountant_certify(&spent, &c->account, 1e-3, NULL, 0), DPPAIR_OK);
  assert_true(spent.upper <= 0 && c->m.rho >= 0 && c->m.rho <= 0 && c->m.d == 0);
  for (j = 0; j < COLUMNS; j++) assert_int_equal(c->map[j].knots + c->map[j].warnings, 0);
}

static void wrong_arguments_cost_nothing(void **state) {
  fit_case *c;
  (void)state;
#define REFUSED(change, why) (c = case_make(), change, refused(c, why))
  REFUSED(c->plan.epsilon = 0, DPPAIR_ERR_EPSILON);
  REFUSED(c->plan.epsilon = (double)NAN, DPPAIR_ERR_EPSILON);
  REFUSED(c->plan.epsilon = 1001, DPPAIR_ERR_EPSILON);
  REFUSED(c->plan.delta = 1, DPPAIR_ERR_DELTA);
  REFUSED(c->plan.delta = -1e-9, DPPAIR_ERR_DELTA);
  REFUSED(c->plan.delta = 1e-260, DPPAIR_ERR_DELTA); /* the model's text cannot hold it */
  REFUSED(c->plan.steps = 1, DPPAIR_ERR_UNREAD);
  REFUSED(c->plan.noise_multiplier = 1, DPPAIR_ERR_UNREAD);
  REFUSED(c->plan.law = DPPAIR_GAUSSIAN, DPPAIR_ERR_UNREAD);
  REFUSED(c->plan.sampling.n--, DPPAIR_ERR_SIZE);
  REFUSED(c->plan.sampling = dppair_sampling_all(N, DPPAIR_ZERO_OUT), DPPAIR_ERR_ADJACENCY);
  REFUSED(c->plan.sampling = dppair_sampling_poisson(N, 5, DPPAIR_REPLACE_ONE), DPPAIR_ERR_UNREAD);
  REFUSED(c->columns[0].low = 2, DPPAIR_ERR_DOMAIN);
  REFUSED(c->columns[0].low = -1e260, DPPAIR_ERR_DOMAIN);
  REFUSED(c->columns[0].high = 1e-260, DPPAIR_ERR_DOMAIN);
  REFUSED(c->columns[0].high = (double)NAN, DPPAIR_ERR_NOT_FINITE);
  REFUSED(c->columns[2].high = 1, DPPAIR_ERR_UNREAD);
  REFUSED(c->columns[2].kind = (dppair_column_kind)7, DPPAIR_ERR_DOMAIN);
  REFUSED(c->bytes--, DPPAIR_ERR_WORKSPACE);
  c = case_make();
  c->m.map = NULL;
  assert_int_equal(case_fit(c), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_auto_workspace(&c->bytes, 3, COLUMNS, c->columns), DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_auto_workspace(&c->bytes, N, 0, c->columns), DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_auto_workspace(NULL, N, COLUMNS, c->columns), DPPAIR_ERR_NULL);
}

/* Beside what an account holds, however little that leaves: a fit within the plan, or a refusal
 * that costs nothing. */
static void what_is_left_of_an_account_is_enough_or_refused_free(void **state) {
  size_t k, fitted = 0;
  (void)state;
  for (k = 0; k < 30; k++) {
    fit_case *c = case_make();
    const int pure = k % 2;
    dppair_release other;
    dppair_plan held;
    double all = c->plan.epsilon = k % 3 ? .01 : 30, spent, before, after;
    dppair_status status;
    c->plan.delta = pure ? 0 : k % 4 ? .05 : 1e-9;
    memset(&held, 0, sizeof held);
    held.sampling = c->plan.sampling;
    held.steps = 1;
    held.law = pure ? DPPAIR_LAPLACE : DPPAIR_GAUSSIAN;
    if (!pure) assert_int_equal(dppair_gaussian_mu(&all, all, c->plan.delta), DPPAIR_OK);
    held.noise_multiplier = 1 / (all * (1 - pow(10, -.4 * (double)k)));
    if (k == 0) held.noise_multiplier = 10 / all;
    if (k == 1) held.failure = 1e-9;
    assert_int_equal(dppair_release_open(&other, &c->account, &held, NULL), DPPAIR_OK);
    before = c->account.gaussian + c->account.pure;
    status = case_fit(c);
    after = c->account.gaussian + c->account.pure;
    fitted += status == DPPAIR_OK;
    if (status != DPPAIR_OK) {
      assert_int_equal(status, k == 1 ? DPPAIR_ERR_NO_PROOF : DPPAIR_ERR_EXHAUSTED);
      assert_true(after <= before && k != 0 && (k == 1 || k > 20));
      continue;
    }
    assert_int_equal(dppair_accountant_epsilon(&spent, &c->account, c->plan.delta), DPPAIR_OK);
    assert_true(after > before && spent <= c->plan.epsilon);
  }
  assert_true(fitted > 20 && fitted < 29);
}

/* dppair_release_minimiser, which comes after all is paid, takes every centre. */
static void a_centre_is_never_refused(void **state) {
  const dppair_margin_loss loss = dppair_margin_soft_hinge();
  double rate, ratio;
  (void)state;
  for (ratio = .1; ratio < 1e6; ratio *= 3)
    for (rate = 0; rate <= 1; rate += .01)
      assert_true(fabs(dppair_auto_centre_(&loss, rate, ratio)) * ratio <= 511);
  assert_true(fabs(dppair_auto_centre_(&loss, .02, 1)) > 5 &&
              dppair_auto_centre_(&loss, .1, 1) + dppair_auto_centre_(&loss, .9, 1) < 1e-9);
}

/* At any budget, pure or not, all of it is charged and no more; no value of a record is an error;
 * the model can be written, and its warnings are those of its columns and its plan. */
static void a_fit_spends_its_plan_whatever_records_hold(void **state) {
  static const double budgets[][2] = {{1e-3, 1e-3}, {2, 1e-3}, {30, .05}, {2, 0}, {60, 0}};
  static const double odd[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 1e308, -1e308, 0};
  char text[1 << 14];
  size_t k, i, length;
  (void)state;
  for (k = 0; k < 5; k++) {
    fit_case *c = case_make();
    double spent, s[N];
    c->plan.epsilon = budgets[k][0];
    c->plan.delta = budgets[k][1];
    for (i = 0; i < 6; i++) c->x[i][i % COLUMNS] = odd[i];
    memset(c->map, 0xff, sizeof c->map); /* as the caller's memory may be */
    assert_int_equal(case_fit(c), DPPAIR_OK);
    assert_int_equal(c->map[2].warnings, 0); /* a flag */
    assert_int_equal(dppair_accountant_epsilon(&spent, &c->account, c->plan.delta), DPPAIR_OK);
    assert_true(spent <= c->plan.epsilon && spent > .98 * c->plan.epsilon);
    assert_true(c->m.d == COLUMNS && c->m.n == N);
    assert_true(c->m.epsilon <= c->plan.epsilon && c->m.epsilon >= c->plan.epsilon);
    assert_int_equal((c->m.warnings & DPPAIR_AUTO_LOW) != 0, c->m.rho < 10);
    assert_int_equal((c->m.warnings & DPPAIR_AUTO_DELTA) != 0, c->plan.delta * N >= 1);
    assert_int_equal(dppair_auto_write(text, sizeof text, &length, &c->m, NULL), DPPAIR_OK);
    assert_int_equal(dppair_auto_score(s, &c->m, c->x[0], N), DPPAIR_OK);
    assert_true(dppair_all_finite_f64(s, N));
    /* what is left is nothing: a second fit on this account is refused */
    assert_int_not_equal(case_fit(c), DPPAIR_OK);
  }
}

/* The warnings of column j, when it is declared to lie in [low, high]; all others have none.
 * Columns 0 and 1 are uniform, column 3 is constant; the records are so many that the noise is
 * small. */
static unsigned warnings_of(size_t j, double low, double high, double delta) {
  enum { MANY = 3000 };
  static double x[MANY][COLUMNS], y[MANY];
  fit_case *c = case_make();
  size_t i;
  unsigned found;
  for (i = 0; i < MANY; i++) {
    x[i][0] = between(-1, 1);
    x[i][1] = between(0, 10);
    x[i][2] = i % 3 == 0;
    x[i][3] = 5;
    y[i] = x[i][0] + between(-1, 1) > 0 ? 1 : -1;
  }
  c->columns[j].low = low;
  c->columns[j].high = high;
  c->plan.epsilon = 4;
  c->plan.delta = delta;
  c->plan.sampling = dppair_sampling_all(MANY, DPPAIR_REPLACE_ONE);
  free(c->work);
  assert_int_equal(dppair_auto_workspace(&c->bytes, MANY, COLUMNS, c->columns), DPPAIR_OK);
  assert_non_null(c->work = malloc(c->bytes));
  assert_int_equal(dppair_auto_fit(&c->m, &c->account, &c->plan, &c->keys, x[0], y, MANY, COLUMNS,
                                   c->columns, c->work, c->bytes),
                   DPPAIR_OK);
  found = c->map[j].warnings;
  c->map[j].warnings = 0;
  for (i = 0; i < 3; i++)
    assert_int_equal(c->map[i].warnings, 0); /* no other column but the constant */
  assert_int_equal(c->map[3].warnings | (j == 3 ? found : 0), DPPAIR_AUTO_FLAT);
  assert_int_equal(c->m.warnings & ~found, DPPAIR_AUTO_FLAT & ~found);
  return found;
}

static void a_range_that_excludes_many_records_is_told(void **state) {
  static const double deltas[] = {1e-4, 0};
  unsigned bit;
  int k;
  (void)state;
  for (k = 0; k < 2; k++) {
    assert_int_equal(warnings_of(0, -1, 1, deltas[k]), 0);
    assert_int_equal(warnings_of(0, -1, -.2, deltas[k]), DPPAIR_AUTO_ABOVE);
    assert_int_equal(warnings_of(0, .2, 1, deltas[k]), DPPAIR_AUTO_BELOW);
    assert_int_equal(warnings_of(1, 0, 4, deltas[k]), DPPAIR_AUTO_ABOVE);
    assert_int_equal(warnings_of(1, 9.9, 10, deltas[k]), DPPAIR_AUTO_BELOW | DPPAIR_AUTO_FLAT);
    assert_int_equal(warnings_of(3, 0, 100, deltas[k]), DPPAIR_AUTO_FLAT);
  }
  for (bit = 1; bit <= DPPAIR_AUTO_DELTA; bit *= 2)
    assert_non_null(dppair_auto_warning_string(bit));
  assert_null(dppair_auto_warning_string(3));
}

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
  keys.run = key + 32;
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

/* --- its parts, and fits at the edges ------------------------------------------------------------
 */

static double room[1 << 21];

/* Of any distribution; its polynomials are bounded. */
static void a_map_is_monotone_and_bounded(void **state) {
  static const double size[2] = {.6, .6};
  (void)state;
  for (size_t round = 0; round < 200; round++) {
    dppair_auto_column_ c;
    double h[DPPAIR_CELLS_MOST] = {0}, total = 0;
    memset(&c, 0, sizeof c);
    assert_int_equal(dppair_cells_make(&c.grid, round % 3 ? -1 : 5, round % 2 ? 100 : 5, 24),
                     DPPAIR_OK);
    for (size_t k = 0; k < c.grid.cells; k++) {
      h[k] = pow(uniform(), (double)(round % 7) * 3);
      if (round % 5 == 0) h[k] = k == round % c.grid.cells;
      total += h[k];
    }
    for (size_t k = 0; k < c.grid.cells; k++) h[k] /= total;
    dppair_auto_features_(&c, h, 3, size, NULL);
    assert_true(c.knots >= 1 && c.knots <= DPPAIR_AUTO_KNOTS);
    for (size_t k = 0; k < c.knots; k++) {
      if (k > 0) assert_true(c.at[k] > c.at[k - 1] && c.z[0][k] >= c.z[0][k - 1] - 1e-12);
      for (int p = 0; p < 3; p++) assert_true(fabs(c.z[p][k]) <= (p ? 2.5 * .6 : 1 + 1e-12));
    }
  }
}

/* Every status and every number is what public numbers allow, whatever the records: constant, out
 * of range, not finite, of one class; four of them or more; ranges that are points; by class. */
static void a_fit_of_any_records_can_be_scored(void **state) {
  enum { MANY = 24, WIDE = 4 };
  static dppair_column declared[WIDE] = {{DPPAIR_COLUMN_NUMERIC, -1, 5, 0, 0},
                                         {DPPAIR_COLUMN_NUMERIC, 2, 2, 0, 0},
                                         {DPPAIR_COLUMN_GROUP, 0, 0, 0, 0},
                                         {DPPAIR_COLUMN_FLAG, 0, 0, 0, 0}};
  static const double values[] = {0, 7, -1e300, (double)NAN, HUGE_VAL, .5};
  static const double epsilons[] = {1e-9, .1, 1000}, deltas[] = {0, .01};
  static const uint8_t key[32] = {1}, run[16] = {2};
  static const dppair_release_keys keys = {key, run};
  static dppair_auto_map at[WIDE];
  double x[MANY * WIDE], y[MANY], s[MANY], epsilon;
  size_t bytes;
  (void)state;
  for (int k = 0; k < 6 * 3 * 2 * 2; k++) {
    const size_t n = k % 2 ? 4 : MANY, d = k / 2 % 2 ? 1 : WIDE;
    dppair_auto_model m;
    dppair_accountant account;
    dppair_plan plan;
    memset(&m, 0, sizeof m);
    memset(&plan, 0, sizeof plan);
    for (size_t i = 0; i < n * d; i++) x[i] = i % 5 == 1 && k % 3 ? uniform() : values[k / 12];
    for (size_t i = 0; i < n; i++) y[i] = k % 5 == 0 ? values[k / 12] : i % 2 ? 1 : -1;
    plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
    plan.epsilon = epsilons[k % 3], plan.delta = deltas[(k / 3 + k / 12) % 2];
    declared[0].by_class = k / 12 % 2;
    m.map = at;
    assert_int_equal(dppair_auto_workspace(&bytes, n, d, declared), DPPAIR_OK);
    assert_true(bytes <= sizeof room);
    assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
    assert_int_equal(dppair_auto_fit(&m, &account, &plan, &keys, x, y, n, d, declared, room, bytes),
                     DPPAIR_OK);
    assert_int_equal(dppair_accountant_epsilon(&epsilon, &account, plan.delta), DPPAIR_OK);
    assert_true(epsilon <= plan.epsilon && m.rate >= 0 && m.rate <= 1);
    assert_int_equal(dppair_auto_score(s, &m, x, n), DPPAIR_OK);
    assert_true(dppair_all_finite_f64(s, n));
  }
}

/* Positives at both ends: neither is below the middle. */
static void a_column_counted_for_each_class_may_fall_and_rise(void **state) {
  enum { RECORDS = 600, COUNTED = 1 };
  static double x[RECORDS], y[RECORDS];
  dppair_column column = {DPPAIR_COLUMN_NUMERIC, -4, 4, 0, 1};
  dppair_accountant account;
  dppair_auto_model fitted;
  dppair_plan plan;
  double s[3];
  const double at[3] = {-2, 0, 2};
  void *work;
  size_t bytes, k;
  (void)state;
  for (k = 0; k < RECORDS; k++) {
    x[k] = 6 * ((double)k + .5) / RECORDS - 3;
    y[k] = fabs(x[k]) > 1.5 ? 1 : -1;
  }
  memset(&fitted, 0, sizeof fitted);
  memset(&plan, 0, sizeof plan);
  fitted.map = maps;
  plan.epsilon = 8;
  plan.delta = 1e-4;
  plan.sampling = dppair_sampling_all(RECORDS, DPPAIR_REPLACE_ONE);
  assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
  assert_int_equal(dppair_auto_workspace(&bytes, RECORDS, COUNTED, &column), DPPAIR_OK);
  work = malloc(bytes);
  assert_non_null(work);
  assert_int_equal(
      dppair_auto_fit(&fitted, &account, &plan, NULL, x, y, RECORDS, COUNTED, &column, work, bytes),
      DPPAIR_OK);
  assert_int_equal(dppair_auto_score(s, &fitted, at, 3), DPPAIR_OK);
  assert_true(s[0] > s[1] && s[2] > s[1]);
  free(work);
}

/* A class below a tenth of the records counts by the square of its share. */
static void a_rare_class_has_fewer_polynomials(void **state) {
  static const struct {
    double rate;
    size_t degrees;
  } at[] = {{.5, 3}, {.11, 3}, {.09, 3}, {.07, 2}, {.93, 2}, {.05, 2}, {.02, 1}, {.98, 1}, {0, 1}};
  static double raw[DPPAIR_CELLS_MOST + 1], deviation[DPPAIR_CELLS_MOST + 1];
  static dppair_auto_column_ column;
  static dppair_auto_map map;
  dppair_column declared;
  dppair_auto_room_ r;
  dppair_cells grid;
  size_t start[3] = {0, 0, 0}, i, k;
  double rate, curve[DPPAIR_CLASS_TERMS], v[DPPAIR_CELLS_MOST + 1] = {0};
  void *work;
  (void)state;
  memset(&declared, 0, sizeof declared);
  declared.kind = DPPAIR_COLUMN_NUMERIC;
  declared.low = -1;
  declared.high = 1;
  memset(&r, 0, sizeof r);
  r.n = 1000;
  r.d = 1;
  r.columns = &declared;
  r.map = &map;
  r.column = &column;
  r.start = start;
  r.raw = r.h = raw;
  r.deviation = deviation;
  r.v = v;
  r.curve = curve;
  r.query.columns = &declared;
  r.query.d = 1;
  r.query.side = 24;
  r.query.label = 1;
  assert_int_equal(dppair_marginals_estimate_workspace(&r.bytes, 1), DPPAIR_OK);
  assert_non_null(work = malloc(r.bytes));
  r.work = (double *)work;
  for (i = 0; i < sizeof at / sizeof *at; i++) {
    dppair_auto_choose_(&r.c, .5 / sqrt(.75), 0, 1000, 1, 1, 2); /* rho = 500 */
    assert_int_equal(r.c.features, 3);
    assert_int_equal(dppair_cells_make(&grid, -1, 1, r.c.side), DPPAIR_OK);
    start[1] = grid.cells;
    start[2] = grid.cells + 1;
    for (k = 0; k < grid.cells; k++) raw[k] = 1 / (double)grid.cells;
    raw[grid.cells] = at[i].rate;
    assert_int_equal(dppair_auto_columns_(&r, &rate), DPPAIR_OK);
    assert_true(fabs(rate - at[i].rate) < 1e-12);
    assert_int_equal(r.c.degrees, at[i].degrees);
    assert_int_equal(r.c.features, at[i].degrees);
    assert_true((column.square[1] > 0) == (at[i].degrees > 1));
    assert_true((column.square[2] > 0) == (at[i].degrees > 2));
  }
  free(work);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(a_model_reads_back_and_so_does_the_file_around_it),
                                     TEST(changed_texts_are_refused_or_are_models),
                                     TEST(what_is_no_model_is_refused),
                                     TEST(numbers_read_back_to_the_same_bits),
                                     TEST(any_value_has_a_score),
                                     TEST(a_column_counted_for_each_class_may_fall_and_rise),
                                     TEST(wrong_arguments_cost_nothing),
                                     TEST(what_is_left_of_an_account_is_enough_or_refused_free),
                                     TEST(a_centre_is_never_refused),
                                     TEST(a_fit_spends_its_plan_whatever_records_hold),
                                     TEST(a_range_that_excludes_many_records_is_told),
                                     TEST(the_program_gives_users_scores),
                                     TEST(a_rare_class_has_fewer_polynomials),
                                     TEST(a_map_is_monotone_and_bounded),
                                     TEST(a_fit_of_any_records_can_be_scored)};
  return RUN_TESTS(tests, NULL, NULL);
}
