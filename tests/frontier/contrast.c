/* SPDX-License-Identifier: MIT */
/* Neighbours of every row loss in groups, TRIALS=100000 of each: none moves a release farther than
 * its sensitivity. */
#define DPPAIR_NAME infonce64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"
#define DPPAIR_NAME infonce32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"
#define DPPAIR_NAME npairs64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_npairs
#include "dppair_contrast.h"
#define DPPAIR_NAME triplet64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_triplet
#include "dppair_contrast.h"
#define DPPAIR_NAME squared32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_triplet_squared
#include "dppair_contrast.h"
#define DPPAIR_NAME soft64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_triplet_soft
#include "dppair_contrast.h"
#define DPPAIR_NAME decoupled32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_decoupled
#include "dppair_contrast.h"

#include "groups_attack.h"

GROUPS_ATTACK(infonce64, double, f64)
GROUPS_ATTACK(infonce32, float, f32)
GROUPS_ATTACK(npairs64, double, f64)
GROUPS_ATTACK(decoupled32, float, f32)
GROUPS_ATTACK(triplet64, double, f64)
GROUPS_ATTACK(squared32, float, f32)
GROUPS_ATTACK(soft64, double, f64)

static int trials(void) {
  const char *given = getenv("TRIALS");
  return given != NULL ? atoi(given) : 100000;
}

#define ATTACK(name)                                                                               \
  static void name##_in_groups(void **state) {                                                     \
    const double most = name##_attack(trials());                                                   \
    (void)state;                                                                                   \
    print_message(#name ": at most %.6f of S in %d trials\n", most, trials());                     \
    assert_true(most > 0.9); /* the search finds what attains it */                                \
  }
ATTACK(infonce64)
ATTACK(infonce32)
ATTACK(npairs64)
ATTACK(decoupled32)
ATTACK(triplet64)
ATTACK(squared32)
ATTACK(soft64)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(infonce64_in_groups),
      TEST(infonce32_in_groups),
      TEST(npairs64_in_groups),
      TEST(decoupled32_in_groups),
      TEST(triplet64_in_groups),
      TEST(squared32_in_groups),
      TEST(soft64_in_groups),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
