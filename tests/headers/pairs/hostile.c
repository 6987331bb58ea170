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

#include "hostile.h"

#define DPPAIR_WEIGHTS 1
#define DPPAIR_TOP 1
#define DPPAIR_NAME wide
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#define DPPAIR_WEIGHTS 1
#define DPPAIR_TOP 1
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

int main(void) {
  const struct CMUnitTest tests[] = {TEST(wide_refuses), TEST(narrow_refuses)};
  return RUN_TESTS(tests, NULL, NULL);
}
