/* SPDX-License-Identifier: MIT */
/*
 * The fit as users call it: its public arguments, its charges, what it warns of, and records of any
 * values. An error leaves nothing.
 */
#include "dppair_l2ball.h"
#include "dppair_auto.h"

#include <fenv.h>

#include "tests.h"
#include "questions.h"

static double room[1 << 21];

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
  c.keys.nonce = key + 32;
  assert_int_equal(dppair_accountant_init(&c.account), DPPAIR_OK);
  assert_int_equal(dppair_auto_workspace(&c.bytes, N, COLUMNS, c.columns), DPPAIR_OK);
  assert_non_null(c.work = malloc(c.bytes));
  return &c;
}

static dppair_status case_fit(fit_case *c) {
  return dppair_auto_fit(&c->m, &c->account, &c->plan, &c->keys, c->x[0], c->y, N, COLUMNS,
                         c->columns, c->work, c->bytes);
}

/* What a fit of before has left. */
static void paint(fit_case *c) {
  dppair_auto_map *const map = c->m.map;
  memset(&c->m, 0xA5, sizeof c->m);
  memset(c->map, 0xA5, sizeof c->map);
  c->m.map = map;
}

static void all_zero(const void *p, size_t size) {
  const unsigned char *byte = p;
  size_t i;
  for (i = 0; i < size; i++) assert_int_equal(byte[i], 0);
}

/* The model is zero, but for the address of its maps. */
static void no_model(const fit_case *c) {
  dppair_auto_model m = c->m;
  m.map = NULL;
  all_zero(&m.d, sizeof m - offsetof(dppair_auto_model, d));
}

/* Nothing was charged. */
static void not_charged(const fit_case *c) {
  dppair_accountant fresh;
  assert_int_equal(dppair_accountant_init(&fresh), DPPAIR_OK);
  assert_memory_equal(&c->account, &fresh, sizeof fresh);
}

/* A public argument is wrong: the status, no charge, and a model of zeros. */
static void refused(fit_case *c, dppair_status why) {
  paint(c);
  assert_int_equal(case_fit(c), why);
  not_charged(c);
  no_model(c);
  all_zero(c->map, sizeof c->map);
}

/* The same, of what tells how large the maps are: these are not touched. */
static void unsized(fit_case *c, dppair_status status, dppair_status why) {
  size_t i;
  assert_int_equal(status, why);
  not_charged(c);
  no_model(c);
  for (i = 0; i < sizeof c->map; i++) assert_int_equal(((unsigned char *)c->map)[i], 0xA5);
}

static void wrong_arguments_cost_nothing(void **state) {
  fit_case *c;
  (void)state;
#define REFUSED(change, why) (c = case_make(), change, refused(c, why))
  REFUSED(c->plan.epsilon = 0, DPPAIR_ERR_EPSILON);
  REFUSED(c->plan.epsilon = (double)NAN, DPPAIR_ERR_EPSILON);
  REFUSED(c->plan.epsilon = 1001, DPPAIR_ERR_EPSILON);
  REFUSED(c->plan.epsilon = 1e-10, DPPAIR_ERR_EPSILON);
  REFUSED(c->plan.epsilon = HUGE_VAL, DPPAIR_ERR_EPSILON);
  REFUSED(c->plan.delta = (double)NAN, DPPAIR_ERR_DELTA);
  REFUSED(c->plan.delta = 1, DPPAIR_ERR_DELTA);
  REFUSED(c->plan.delta = -1e-9, DPPAIR_ERR_DELTA);
  REFUSED(c->plan.delta = 1e-260, DPPAIR_ERR_DELTA); /* the model's text cannot hold it */
  REFUSED(c->plan.steps = 1, DPPAIR_ERR_UNREAD);
  REFUSED(c->plan.noise_multiplier = 1, DPPAIR_ERR_UNREAD);
  REFUSED(c->plan.noise = DPPAIR_GAUSSIAN, DPPAIR_ERR_UNREAD);
  REFUSED(c->plan.ridge = 1, DPPAIR_ERR_UNREAD);
  REFUSED(c->plan.output_mu = (double)NAN, DPPAIR_ERR_UNREAD);
  REFUSED(c->plan.failure = 1e-9, DPPAIR_ERR_UNREAD);
  REFUSED(c->plan.check = 1, DPPAIR_ERR_UNREAD);
  REFUSED(c->plan.sampling.q = .5, DPPAIR_ERR_UNREAD);
  REFUSED(c->plan.sampling.kind = DPPAIR_POISSON, DPPAIR_ERR_UNREAD);
  REFUSED(c->plan.sampling.m = 1, DPPAIR_ERR_UNREAD);
  REFUSED(c->plan.sampling.batches = 1, DPPAIR_ERR_UNREAD);
  REFUSED(c->plan.sampling.group = 1, DPPAIR_ERR_UNREAD);
  REFUSED(c->plan.sampling.owned = 1, DPPAIR_ERR_UNREAD);
  REFUSED(c->plan.sampling.n--, DPPAIR_ERR_SIZE);
  REFUSED(c->plan.sampling = dppair_sampling_all(N, DPPAIR_ZERO_OUT), DPPAIR_ERR_ADJACENCY);
  REFUSED(c->plan.sampling = dppair_sampling_poisson(N, 5, DPPAIR_REPLACE_ONE), DPPAIR_ERR_UNREAD);
  REFUSED(c->columns[0].low = 2, DPPAIR_ERR_DOMAIN);
  REFUSED(c->columns[0].low = -1e260, DPPAIR_ERR_DOMAIN);
  REFUSED(c->columns[0].high = 1e-260, DPPAIR_ERR_DOMAIN);
  REFUSED(c->columns[1].low = 1e-260, DPPAIR_ERR_DOMAIN);
  REFUSED(c->columns[1].high = 1e260, DPPAIR_ERR_DOMAIN);
  REFUSED(c->columns[0].high = (double)NAN, DPPAIR_ERR_NOT_FINITE);
  REFUSED(c->columns[0].low = (double)NAN, DPPAIR_ERR_NOT_FINITE);
  REFUSED(c->columns[0].low = -HUGE_VAL, DPPAIR_ERR_NOT_FINITE);
  REFUSED(c->columns[3].high = HUGE_VAL, DPPAIR_ERR_NOT_FINITE);
  REFUSED(c->columns[2].low = (double)NAN, DPPAIR_ERR_NOT_FINITE);
  REFUSED(c->columns[0].group = 1, DPPAIR_ERR_UNREAD);
  REFUSED(c->columns[2].high = 1, DPPAIR_ERR_UNREAD);
  REFUSED(c->columns[2].kind = (dppair_column_kind)7, DPPAIR_ERR_DOMAIN);
  REFUSED((c->columns[2].kind = DPPAIR_COLUMN_GROUP, c->columns[2].group = COLUMNS + 1),
          DPPAIR_ERR_SIZE);
  REFUSED(c->bytes--, DPPAIR_ERR_WORKSPACE);
  REFUSED(c->bytes = 0, DPPAIR_ERR_WORKSPACE);
  c = case_make();
  fesetround(FE_UPWARD); /* proofs want the usual arithmetic */
  paint(c);
  assert_int_equal(case_fit(c), DPPAIR_ERR_ENVIRONMENT);
  fesetround(FE_TONEAREST);
  not_charged(c);
  no_model(c);
  all_zero(c->map, sizeof c->map);
}

/* The ends of what is taken. */
static void the_widest_and_the_narrowest_ranges_are_taken(void **state) {
  static const double ends[][2] = {{-1e250, 1e250}, {1e-250, 1}, {-1e-250, 0}, {0, 1e-250}, {3, 3}};
  char text[1 << 14];
  size_t k, length;
  (void)state;
  for (k = 0; k < 5; k++) {
    fit_case *c = case_make();
    c->columns[0].low = ends[k][0], c->columns[0].high = ends[k][1];
    c->plan.delta = k == 0 ? 1e-250 : 1e-3;
    c->plan.epsilon = k == 1 ? 1000 : k == 2 ? 1e-9 : 2;
    assert_int_equal(case_fit(c), DPPAIR_OK);
    assert_int_equal(dppair_auto_write(text, sizeof text, &length, &c->m, NULL), DPPAIR_OK);
  }
}

static void missing_arguments_and_impossible_sizes_touch_no_map(void **state) {
  static const size_t records[] = {0, 1, 2, 3, 1000000001, SIZE_MAX};
  static const size_t wide[] = {0, 100001, SIZE_MAX};
  fit_case *c = case_make();
  const size_t n = N, d = COLUMNS;
  size_t k, bytes;
  (void)state;
  paint(c);
#define CALL(account, plan, x, y, n, d, columns, work)                                             \
  dppair_auto_fit(&c->m, account, plan, &c->keys, x, y, n, d, columns, work, c->bytes)
#define MISSING(...) unsized(c, CALL(__VA_ARGS__), DPPAIR_ERR_NULL)
  MISSING(NULL, &c->plan, c->x[0], c->y, n, d, c->columns, c->work);
  MISSING(&c->account, NULL, c->x[0], c->y, n, d, c->columns, c->work);
  MISSING(&c->account, &c->plan, NULL, c->y, n, d, c->columns, c->work);
  MISSING(&c->account, &c->plan, c->x[0], NULL, n, d, c->columns, c->work);
  MISSING(&c->account, &c->plan, c->x[0], c->y, n, d, NULL, c->work);
  MISSING(&c->account, &c->plan, c->x[0], c->y, n, d, c->columns, NULL);
  assert_int_equal(dppair_auto_fit(NULL, &c->account, &c->plan, &c->keys, c->x[0], c->y, n, d,
                                   c->columns, c->work, c->bytes),
                   DPPAIR_ERR_NULL);
  c->m.map = NULL;
  assert_int_equal(case_fit(c), DPPAIR_ERR_NULL);
  c->m.map = c->map;
  for (k = 0; k < sizeof records / sizeof *records; k++) {
    c->plan.sampling.n = records[k];
    unsized(c, CALL(&c->account, &c->plan, c->x[0], c->y, records[k], d, c->columns, c->work),
            DPPAIR_ERR_SIZE);
    bytes = 1;
    assert_int_equal(dppair_auto_workspace(&bytes, records[k], d, c->columns), DPPAIR_ERR_SIZE);
    assert_int_equal(bytes, 0);
  }
  c->plan.sampling.n = N;
  for (k = 0; k < sizeof wide / sizeof *wide; k++) {
    unsized(c, CALL(&c->account, &c->plan, c->x[0], c->y, n, wide[k], c->columns, c->work),
            DPPAIR_ERR_SIZE);
    bytes = 1;
    assert_int_equal(dppair_auto_workspace(&bytes, n, wide[k], c->columns), DPPAIR_ERR_SIZE);
    assert_int_equal(bytes, 0);
  }
  assert_int_equal(dppair_auto_workspace(NULL, n, d, c->columns), DPPAIR_ERR_NULL);
  bytes = 1;
  assert_int_equal(dppair_auto_workspace(&bytes, n, d, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(bytes, 0);
  /* the most records: where addresses have 32 bits they do not reach */
  if (SIZE_MAX / 8 / d / 3 > 1000000000) {
    assert_int_equal(dppair_auto_workspace(&bytes, 1000000000, d, c->columns), DPPAIR_OK);
    assert_true(bytes / 8 / d >= 1000000000);
  } else {
    assert_int_equal(dppair_auto_workspace(&bytes, 1000000000, d, c->columns), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(bytes, 0);
  }
}

/* Maps in the memory of what is read or of the workspace would hold what has no noise. */
static void maps_in(fit_case *c, const double *x, const double *y, void *at) {
  c->m.map = (dppair_auto_map *)at;
  assert_int_equal(dppair_auto_fit(&c->m, &c->account, &c->plan, &c->keys, x, y, N, COLUMNS,
                                   c->columns, c->work, c->bytes),
                   DPPAIR_ERR_OVERLAP);
  not_charged(c);
  no_model(c);
  all_zero(at, sizeof c->map);
}

static void a_model_that_shares_memory_is_refused(void **state) {
  static double shared[4096];
  fit_case *c;
  char *work;
  dppair_auto_model *inside;
  (void)state;
  c = case_make();
  memcpy(shared + 100, c->x[0], sizeof c->x);
  maps_in(c, shared + 100, c->y, shared);
  c = case_make();
  memcpy(shared + 100, c->y, sizeof c->y);
  maps_in(c, c->x[0], shared + 100, shared);
  c = case_make();
  maps_in(c, c->x[0], c->y, c->work);
  c = case_make();
  inside = (dppair_auto_model *)c->work;
  inside->map = c->map;
  assert_int_equal(dppair_auto_fit(inside, &c->account, &c->plan, &c->keys, c->x[0], c->y, N,
                                   COLUMNS, c->columns, c->work, c->bytes),
                   DPPAIR_ERR_OVERLAP);
  not_charged(c);
  c = case_make(); /* the last bytes of the workspace, and those behind it, which are not used */
  assert_non_null(work = realloc(c->work, c->bytes + 2 * sizeof c->map));
  c->work = work;
  maps_in(c, c->x[0], c->y, work + (c->bytes - 8));
  c->m.map = (dppair_auto_map *)(void *)(work + c->bytes);
  c->bytes += sizeof c->map;
  assert_int_equal(case_fit(c), DPPAIR_OK);
}

/* A ledger that cannot be written: the lines of both plans are asked for before a record is read. */
static dppair_status lines_until(const char *text, size_t size, void *left) {
  (void)text;
  (void)size;
  return (*(int *)left)-- > 0 ? DPPAIR_OK : DPPAIR_ERR_LEDGER;
}
static void a_ledger_that_fails_leaves_no_model(void **state) {
  static const double deltas[] = {1e-3, 0}, epsilons[] = {.01, 2};
  int k, lines, needed;
  (void)state;
  for (k = 0; k < 4; k++)
    for (needed = lines = 0; lines <= needed; lines++) {
      fit_case *c = case_make();
      int left = lines;
      dppair_status status;
      c->plan.delta = deltas[k % 2];
      c->plan.epsilon = epsilons[k / 2];
      c->plan.ledger = dppair_ledger_to(lines_until, &left);
      paint(c);
      status = case_fit(c);
      if (status == DPPAIR_OK) {
        assert_true(lines == (c->m.route == DPPAIR_AUTO_FIT ? 3 : 2)); /* and one for its trace */
        break;
      }
      assert_int_equal(status, DPPAIR_ERR_LEDGER);
      no_model(c);
      all_zero(c->map, sizeof c->map);
      needed = lines + 1;
      assert_true(needed < 4);
    }
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
    held.noise = pure ? DPPAIR_LAPLACE : DPPAIR_GAUSSIAN;
    if (!pure) assert_int_equal(dppair_gaussian_mu(&all, all, c->plan.delta), DPPAIR_OK);
    held.noise_multiplier = 1 / (all * (1 - pow(10, -.4 * (double)k)));
    if (k == 0) held.noise_multiplier = 10 / all;
    if (k == 1) held.failure = 1e-9;
    assert_int_equal(dppair_release_open(&other, &c->account, &held, NULL), DPPAIR_OK);
    before = c->account.gaussian + c->account.pure;
    paint(c);
    status = case_fit(c);
    after = c->account.gaussian + c->account.pure;
    fitted += status == DPPAIR_OK;
    if (status != DPPAIR_OK) {
      assert_int_equal(status, k == 1 ? DPPAIR_ERR_NO_PROOF : DPPAIR_ERR_EXHAUSTED);
      no_model(c);
      all_zero(c->map, sizeof c->map);
      assert_true(after <= before && k != 0 && (k == 1 || k > 20));
      continue;
    }
    assert_int_equal(answer_epsilon(&spent, &c->account, c->plan.delta), DPPAIR_OK);
    assert_true(after > before && spent <= c->plan.epsilon);
  }
  assert_true(fitted > 20 && fitted < 29);
}

/* At any budget, pure or not, all of it is charged and no more; no value of a record is an error;
 * the model can be written, and its warnings are those of its columns and its plan. */
static void a_fit_spends_its_plan_whatever_records_hold(void **state) {
  static const double budgets[][2] = {{1e-3, 1e-3}, {2, 1e-3},     {30, .05},
                                      {2, 0},       {2, .995 / N}, {60, 0}};
  static const double odd[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 1e308, -1e308, 0};
  char text[1 << 14];
  size_t k, i, length;
  (void)state;
  for (k = 0; k < 6; k++) {
    fit_case *c = case_make();
    double spent, s[N];
    c->plan.epsilon = budgets[k][0];
    c->plan.delta = budgets[k][1];
    for (i = 0; i < 6; i++) c->x[i][i % COLUMNS] = odd[i];
    memset(c->map, 0xff, sizeof c->map); /* as the caller's memory may be */
    assert_int_equal(case_fit(c), DPPAIR_OK);
    assert_int_equal(c->map[2].warnings, 0); /* a flag */
    assert_int_equal(answer_epsilon(&spent, &c->account, c->plan.delta), DPPAIR_OK);
    assert_true(spent <= c->plan.epsilon && spent > .98 * c->plan.epsilon);
    assert_true(c->m.d == COLUMNS && c->m.n == N);
    assert_true(c->m.epsilon <= c->plan.epsilon && c->m.epsilon >= c->plan.epsilon);
    assert_int_equal((c->m.warnings & DPPAIR_AUTO_LOW) != 0, c->m.rho < 10);
    assert_int_equal((c->m.warnings & DPPAIR_AUTO_DELTA) != 0, c->plan.delta * N >= 1);
    assert_int_equal(dppair_auto_write(text, sizeof text, &length, &c->m, NULL), DPPAIR_OK);
    assert_int_equal(dppair_auto_score(s, &c->m, c->x[0], N), DPPAIR_OK);
    assert_true(dppair_all_finite_f64(s, N));
    /* what is left is nothing: a second fit on this account is refused */
    paint(c);
    assert_int_not_equal(case_fit(c), DPPAIR_OK);
    no_model(c);
    all_zero(c->map, sizeof c->map);
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
    assert_int_equal(warnings_of(0, 0, 1, deltas[k]), 0); /* an end of 0 is never named */
    assert_int_equal(warnings_of(1, -10, 0, deltas[k]), DPPAIR_AUTO_FLAT);
  }
  for (bit = 1; bit <= DPPAIR_AUTO_DELTA; bit *= 2)
    assert_non_null(dppair_auto_warning_string(bit));
  assert_null(dppair_auto_warning_string(3));
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
    assert_int_equal(answer_epsilon(&epsilon, &account, plan.delta), DPPAIR_OK);
    assert_true(epsilon <= plan.epsilon && m.rate >= 0 && m.rate <= 1);
    assert_int_equal(dppair_auto_score(s, &m, x, n), DPPAIR_OK);
    assert_true(dppair_all_finite_f64(s, n));
  }
}

/* So many columns that weights are told together, or that no matrix is factored; flags alone. The
 * first column says most of the label. */
static void tables_of_many_columns_and_of_flags_alone_are_fitted(void **state) {
  enum { MOST = 4001 };
  static const struct {
    size_t n, d;
    dppair_column_kind kind;
    dppair_auto_route route;
  } cases[] = {{3000, 30, DPPAIR_COLUMN_NUMERIC, DPPAIR_AUTO_FIT},
               {3000, 3, DPPAIR_COLUMN_FLAG, DPPAIR_AUTO_FIT},
               {400, MOST, DPPAIR_COLUMN_FLAG, DPPAIR_AUTO_VECTOR}};
  static dppair_column columns[MOST];
  static dppair_auto_map map[MOST];
  size_t i, j, k, bytes;
  (void)state;
  for (k = 0; k < sizeof cases / sizeof *cases; k++) {
    const size_t n = cases[k].n, d = cases[k].d;
    const int numeric = cases[k].kind == DPPAIR_COLUMN_NUMERIC;
    double *x = malloc(n * d * sizeof *x), *y = malloc(n * sizeof *y), s[2];
    dppair_auto_model m;
    dppair_accountant account;
    dppair_plan plan;
    void *work;
    assert_non_null(x);
    assert_non_null(y);
    memset(columns, 0, sizeof columns);
    for (j = 0; j < d; j++) {
      columns[j].kind = cases[k].kind;
      if (numeric) columns[j].low = -1, columns[j].high = 1;
    }
    for (i = 0; i < n; i++) {
      for (j = 0; j < d; j++) x[i * d + j] = numeric ? between(-1, 1) : uniform() < .5;
      y[i] = x[i * d] > (numeric ? between(-.5, .5) : uniform()) ? 1 : -1;
    }
    memset(&plan, 0, sizeof plan);
    plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
    plan.epsilon = 20, plan.delta = 1e-4;
    m.map = map;
    assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
    assert_int_equal(dppair_auto_workspace(&bytes, n, d, columns), DPPAIR_OK);
    assert_non_null(work = malloc(bytes));
    assert_int_equal(dppair_auto_fit(&m, &account, &plan, NULL, x, y, n, d, columns, work, bytes),
                     DPPAIR_OK);
    assert_int_equal(m.route, cases[k].route);
    for (j = 0; j < d; j++) x[j] = numeric ? -1 : 0, x[d + j] = x[j];
    x[d] = 1; /* the first column alone differs */
    assert_int_equal(dppair_auto_score(s, &m, x, 2), DPPAIR_OK);
    if (m.route == DPPAIR_AUTO_FIT) assert_true(s[1] > s[0]);
    free(work);
    free(x);
    free(y);
  }
}

/* Positives at both ends: neither is below the middle. */
static void a_column_counted_for_each_class_may_fall_and_rise(void **state) {
  enum { RECORDS = 600, COUNTED = 1 };
  static double x[RECORDS], y[RECORDS];
  dppair_column column = {DPPAIR_COLUMN_NUMERIC, -4, 4, 0, 1};
  dppair_accountant account;
  dppair_auto_map map;
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
  fitted.map = &map;
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

int main(void) {
  const struct CMUnitTest tests[] = {TEST(wrong_arguments_cost_nothing),
                                     TEST(the_widest_and_the_narrowest_ranges_are_taken),
                                     TEST(missing_arguments_and_impossible_sizes_touch_no_map),
                                     TEST(a_model_that_shares_memory_is_refused),
                                     TEST(a_ledger_that_fails_leaves_no_model),
                                     TEST(what_is_left_of_an_account_is_enough_or_refused_free),
                                     TEST(a_fit_spends_its_plan_whatever_records_hold),
                                     TEST(a_range_that_excludes_many_records_is_told),
                                     TEST(a_fit_of_any_records_can_be_scored),
                                     TEST(tables_of_many_columns_and_of_flags_alone_are_fitted),
                                     TEST(a_column_counted_for_each_class_may_fall_and_rise)};
  return RUN_TESTS(tests, NULL, NULL);
}
