/* SPDX-License-Identifier: MIT */
/* Functions of an instance with one word of their arguments out of its domain: refused, with zeros,
 * or computed; never a crash, never a number that stays. The same on a machine that errs once. */
#include "tests.h"

#define DPPAIR_CORE_ONLY_
#include "dppair.h"
#undef DPPAIR_CORE_ONLY_
#include "second_faults.h"
#undef dppair_fabs_ /* sizes are instructions, which do not say NaN */
#define dppair_fabs_(x) fabs(x)

#include "dppair_losses.h"
#include "dppair_pointwise.h"
#include "dppair_scale.h"
#include "dppair_metric.h"
#include "dppair_influence.h"
#include "dppair_top.h"

#include "hostile.h"

#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME wide
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME narrow
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_squared_hinge
#include "dppair.h"

#define INSTANCE wide
#define REAL double
#define TYPE f64
#include "hostile_instance.h"
#undef INSTANCE
#undef REAL
#undef TYPE

#define INSTANCE narrow
#define REAL float
#define TYPE f32
#include "hostile_instance.h"

typedef char every_place_has_a_number[__COUNTER__ < FAULT_PLACES ? 1 : -1];

/* Moments of a state that is another loss's. */
static void states_of_another_kind_are_refused(void **unused) {
  dppair_sketch m;
  double c[8] = {1};
  (void)unused;
  assert_int_equal(narrow_sketch_open(&m, &narrow_all.sums, narrow_room[6], sizeof narrow_room[6]),
                   DPPAIR_OK);
  assert_int_equal(wide_sketch(&m, wide_s, 8, 4, NULL, &narrow_all.sums), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(wide_sketch(&m, wide_s, 8, 9, NULL, &narrow_all.sums), DPPAIR_ERR_SIZE);
  assert_int_equal(narrow_sketch(&m, narrow_s, 8, 4, NULL, &narrow_all.sums), DPPAIR_OK);
  assert_int_equal(narrow_sketch_finish(&m, NULL, &narrow_all.sums), DPPAIR_OK);
  assert_int_equal(wide_coeffs_from_sketch(c, wide_s, 8, 4, NULL, &m, &narrow_all.sums),
                   DPPAIR_ERR_WORKSPACE);
  assert_true(c[0] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(wide_refuses), TEST(narrow_refuses), TEST(wide_ends),
                                     TEST(narrow_ends), TEST(states_of_another_kind_are_refused)};
  return RUN_TESTS(tests, NULL, NULL);
}
