/* SPDX-License-Identifier: MIT */
/* Plans where the system gives no entropy: nothing is paid, written or opened. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include "tests.h"
#include <sys/random.h>
#include <unistd.h>

/* How many calls of getrandom succeed before all fail, or one; /dev/urandom does not open. */
static int calls, only_one_fails;
static ssize_t fake_getrandom(void *out, size_t n, unsigned flags) {
  (void)flags;
  if (only_one_fails ? calls-- == 0 : calls-- <= 0) {
    errno = EIO;
    return -1;
  }
  memset(out, 0x5a, n);
  return (ssize_t)n;
}
static int fake_open(const char *path, int flags) {
  (void)path;
  (void)flags;
  return -1;
}
#define getrandom fake_getrandom
#define open fake_open
#include "dppair_noise.h"
#undef getrandom
#undef open
#include "dppair_losses.h"
#include "dppair_accountant.h"
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

static size_t lines;
static dppair_status count_line(const char *line, size_t length, void *context) {
  (void)line;
  (void)length;
  (void)context;
  lines++;
  return DPPAIR_OK;
}

static void a_plan_without_keys_is_not_paid(void **unused) {
  static const dppair_release zero;
  dppair_accountant account, before;
  (void)unused;
  for (int turn = 0; turn < 4; turn++) { /* the key and the run, the run, neither; the key alone */
    const int enough = turn % 3;
    dppair_release release;
    dppair_plan plan;
    double value = 1.5;
    memset(&plan, 0, sizeof plan);
    plan.sampling = dppair_sampling_all(100, DPPAIR_REPLACE_ONE);
    plan.noise = DPPAIR_GAUSSIAN;
    plan.steps = 2;
    plan.epsilon = 1.0;
    plan.delta = 1e-6;
    plan.ledger = dppair_ledger_to(count_line, NULL);
    assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
    before = account;
    memset(&release, 1, sizeof release);
    calls = enough;
    only_one_fails = turn == 3;
    lines = 0;
    if (enough == 2) {
      assert_int_equal(dppair_release_open(&release, &account, &plan, NULL), DPPAIR_OK);
      assert_int_equal(lines, 1);
      dppair_release_close(&release);
      continue;
    }
    assert_int_equal(dppair_release_open(&release, &account, &plan, NULL), DPPAIR_ERR_ENTROPY);
    assert_int_equal(lines, 0);
    assert_memory_equal(&account, &before, sizeof account);
    assert_memory_equal(&release, &zero, sizeof release);
    /* and what did not open releases nothing */
    assert_true(dppair_release_vector(&value, 1, &release, 0.5) != DPPAIR_OK);
    assert_true(value == 0.0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(a_plan_without_keys_is_not_paid)};
  return RUN_TESTS(tests, NULL, NULL);
}
