/* SPDX-License-Identifier: MIT */
/*
 * Known answers: with fixed keys a fit has the same bits on every host, whatever the compiler. Each
 * case is the digest of all numbers of a model, and of its text.
 */
#include "dppair_l2ball.h"
#include "dppair_auto.h"

#include <inttypes.h>

#include "tests.h"

enum { MOST = 600, WIDE = 30 };
static double x[MOST * WIDE], y[MOST];
static dppair_column columns[WIDE];
static dppair_auto_map map[WIDE];
static char text[1 << 17];

static uint64_t digest(const void *p, size_t size, uint64_t hash) { /* FNV-1a */
  const unsigned char *byte = (const unsigned char *)p;
  size_t i;
  for (i = 0; i < size; i++) hash = (hash ^ byte[i]) * UINT64_C(1099511628211);
  return hash;
}

/* Columns of every kind and shape, cyclically: around zero, mostly zero, far from it, one value; a
 * flag; two of a group. The label follows the first few of them. */
static void table_make(size_t n, size_t d, int by_class) {
  size_t i, j;
  memset(columns, 0, sizeof columns);
  for (j = 0; j < d; j++) {
    const size_t kind = j % 7;
    columns[j].kind = kind < 4    ? DPPAIR_COLUMN_NUMERIC
                      : kind == 4 ? DPPAIR_COLUMN_FLAG
                                  : DPPAIR_COLUMN_GROUP;
    if (kind == 0) columns[j].low = -2, columns[j].high = 3;
    if (kind == 1) columns[j].high = 100;
    if (kind == 2) columns[j].low = 40, columns[j].high = 250;
    if (kind == 3) columns[j].low = columns[j].high = 7;
    if (kind > 4) columns[j].group = 1;
    columns[j].by_class = kind == 0 && by_class;
  }
  for (i = 0; i < n; i++) {
    const double a = between(-2, 3), share = uniform();
    const double b = share < .6 ? 0 : 250 * (share - .6);
    for (j = 0; j < d; j++) {
      const size_t kind = j % 7;
      const double own = j < 7 ? 0 : between(-1, 1);
      x[i * d + j] = kind == 0   ? a + own
                     : kind == 1 ? b
                     : kind == 2 ? between(40, 250)
                     : kind == 3 ? 7
                     : kind == 4 ? uniform() < .3
                                 : (kind == 5) == (a + own > 1);
    }
    y[i] = (by_class ? a * a - 2 : a) + b / 40 + x[i * d + 2] / 100 + between(-2, 2) > 2 ? 1 : -1;
  }
}

static void fits_have_their_bits(void **state) {
  static const struct {
    size_t n, d;
    int by_class;
    double epsilon, delta, held; /* held: mu, pure: epsilon, that the account has paid before */
    uint64_t expected;
  } cases[] = {{600, 7, 0, 1, 1e-3, 0, UINT64_C(0x12760febd56755fd)},
               {600, 7, 0, .05, 1e-3, 0, UINT64_C(0x80fc0038c9437e1a)},
               {600, 7, 0, 8, 1e-5, .5, UINT64_C(0xcab57ae2a4a98d96)},
               {600, 7, 1, 4, 1e-3, 0, UINT64_C(0x91934c6186f57c9c)},
               {600, 7, 1, .1, 1e-3, .01, UINT64_C(0x373edbbf2b5cb87e)},
               {600, 30, 0, 20, 1e-3, 0, UINT64_C(0x1d2154b01fbc015b)},
               {600, 30, 0, .3, 1e-3, 0, UINT64_C(0x1fae8f7f48733955)},
               {600, 7, 0, 2, 0, 0, UINT64_C(0x87fd248027c61f50)},
               {600, 7, 0, 60, 0, 1, UINT64_C(0xe8a4950f36c0897c)},
               {600, 7, 1, .1, 0, 0, UINT64_C(0x9eecd9c754e53d5c)},
               {50, 3, 0, 1, 1e-2, 0, UINT64_C(0x0b3bf5ef6f309785)},
               {600, 1, 0, 30, 1e-3, 0, UINT64_C(0xa2b06547ae47d164)}};
  size_t k, bytes, length, j;
  (void)state;
  for (k = 0; k < sizeof cases / sizeof *cases; k++) {
    const size_t n = cases[k].n, d = cases[k].d;
    const uint8_t key[32] = {(uint8_t)(k + 1)}, run[16] = {7};
    const dppair_release_keys keys = {key, run};
    dppair_accountant account;
    dppair_auto_model m;
    dppair_plan plan;
    uint64_t found = UINT64_C(14695981039346656037);
    void *work;
    table_make(n, d, cases[k].by_class);
    memset(&plan, 0, sizeof plan);
    plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
    assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
    if (cases[k].held > 0) {
      dppair_plan before = plan;
      dppair_release other;
      before.steps = 1;
      before.noise = cases[k].delta > 0 ? DPPAIR_GAUSSIAN : DPPAIR_LAPLACE;
      before.noise_multiplier = 1 / cases[k].held;
      assert_int_equal(dppair_release_open(&other, &account, &before, &keys), DPPAIR_OK);
      dppair_release_close(&other);
    }
    plan.epsilon = cases[k].epsilon;
    plan.delta = cases[k].delta;
    m.map = map;
    assert_int_equal(dppair_auto_workspace(&bytes, n, d, columns), DPPAIR_OK);
    assert_non_null(work = malloc(bytes));
    assert_int_equal(dppair_auto_fit(&m, &account, &plan, &keys, x, y, n, d, columns, work, bytes),
                     DPPAIR_OK);
    free(work);
    for (j = 0; j < d; j++) {
      found = digest(map[j].at, map[j].knots * sizeof *map[j].at, found);
      found = digest(map[j].value, map[j].knots * sizeof *map[j].value, found);
    }
    assert_int_equal(dppair_auto_write(text, sizeof text, &length, &m, NULL), DPPAIR_OK);
    found = digest(text, length, found);
    if (found != cases[k].expected) fail_msg("case %zu: 0x%016" PRIx64, k, found);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(fits_have_their_bits)};
  return RUN_TESTS(tests, NULL, NULL);
}
