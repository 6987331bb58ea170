/* SPDX-License-Identifier: MIT */
/* What a fit leaves on the stack, in vector registers and in the workspace: no key of its releases,
 * no key stream, no number before its noise, which the hook of audits tells, and no row of the
 * records. */
#include <stddef.h>

struct dppair_event;
static int watch(const struct dppair_event *event);
#define DPPAIR_AUDIT(event) watch(event)
#include "dppair_l2ball.h"
#include "dppair_auto.h"

#include "stack.h"

enum { N = 50, D = 6, MOST = 4096 };
static dppair_column columns[D];
static double x[N][D], y[N], work[1 << 17], unnoised[MOST];
static size_t noised, bytes;
static dppair_auto_map map[D];
static dppair_auto_model model;
static dppair_accountant account;
static dppair_plan plan;

static int watch(const dppair_event *e) {
  if ((e->kind != DPPAIR_EVENT_ADD && e->kind != DPPAIR_EVENT_RELEASE) || e->values == NULL)
    return 0;
  if (e->width == sizeof(double) && noised + e->n <= MOST) {
    memcpy(unnoised + noised, e->values, e->n * sizeof(double));
    noised += e->n;
  }
  return 0;
}

static int is_long(double v) { /* not a small fraction that a constant could be */
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  return isnormal(v) && (bits & 0xfffff) != 0;
}

static const uint8_t key[32] = {9, 8, 7}, run[16] = {5};
static const dppair_release_keys keys = {key, run};

static void fit(void) {
  status =
      dppair_auto_fit(&model, &account, &plan, &keys, x[0], y, N, D, columns, work, sizeof work);
}

/* The keys of both releases, which the same account and plan give once more, and what they make. */
static void want_keys(dppair_accountant before) {
  static char other[sizeof work];
  dppair_release release[2];
  dppair_plan plans[2];
  dppair_auto_room_ r;
  size_t k;
  (void)dppair_auto_take_(&r, dppair_align_(other), N, D, columns);
  r.n = N, r.d = D, r.columns = columns;
  assert_int_equal(dppair_auto_decide_(&r, plans, &plan, &before), DPPAIR_OK);
  assert_int_equal(dppair_auto_open_(release, &before, plans, &plan, &keys), DPPAIR_OK);
  for (k = 0; k < 2; k++) {
    release[k].noise.stream = release[k].step;
    release[k].noise.block = 0;
    want_generator(&release[k].noise, 64);
    want_key(&release[k].draw);
    dppair_release_close(&release[k]);
  }
  want(key, sizeof key);
}

static size_t secrets_left(double epsilon, double delta) {
  dppair_accountant fresh;
  dppair_auto_room_ r;
  size_t i, j, wanted = 0, left;
  memset(work, 0, sizeof work);
  memset(patterns, 0, sizeof patterns);
  noised = 0;
  plan.epsilon = epsilon;
  plan.delta = delta;
  assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
  fresh = account;
  stack_after(fit);
  want_keys(fresh);
  for (i = 0; i < noised; i++)
    if (is_long(unnoised[i])) {
      want(&unnoised[i], sizeof unnoised[i]);
      wanted++;
    }
  assert_true(wanted >= D);
  left = found() + found_in(registers, sizeof registers) +
         found_in((const unsigned char *)work, sizeof work);
  (void)dppair_auto_take_(&r, dppair_align_(work), N, D, columns);
  for (i = 0; i < N; i++)
    for (j = 0; j < 3 * D + 1; j++) left += r.rows[i * (3 * D + 1) + j] != 0;
  return left;
}

static void a_fit_leaves_no_secret(void **unused) {
  static const double epsilons[] = {.05, 1, 40}, deltas[] = {1e-3, 0};
  size_t i, j, k;
  (void)unused;
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
  skip(); /* a sanitizer's stack is not the processor's; the claim is for optimised code */
#endif
  for (j = 0; j < D; j++) {
    columns[j].kind = DPPAIR_COLUMN_NUMERIC;
    columns[j].low = -3, columns[j].high = 3;
  }
  for (i = 0; i < N; i++) {
    for (j = 0; j < D; j++) x[i][j] = normal();
    y[i] = x[i][0] + normal() > 0 ? 1 : -1;
  }
  plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  model.map = map;
  assert_int_equal(dppair_auto_workspace(&bytes, N, D, columns), DPPAIR_OK);
  assert_true(bytes <= sizeof work);
  for (k = 0; k < 6; k++) assert_int_equal(secrets_left(epsilons[k / 2], deltas[k % 2]), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(a_fit_leaves_no_secret)};
  return RUN_TESTS(tests, NULL, NULL);
}
