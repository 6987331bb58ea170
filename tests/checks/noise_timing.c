/* SPDX-License-Identifier: MIT */
/*
 * Run under valgrind by check_noise_timing.sh. Key and data are marked as uninitialised memory, so
 * valgrind reports every branch and every address that depends on them. Excepted is what the header
 * itself declares to be visible (DPPAIR_DECLASSIFY_): which numbers a level left open, and whether
 * a number was out of range. With the argument "leak" a naive rejection is run instead, which must
 * be caught.
 */
#include <valgrind/memcheck.h>

#define DPPAIR_DECLASSIFY_(p, n) VALGRIND_MAKE_MEM_DEFINED(p, n)
#include "dppair_noise.h"

#include <stdio.h>

int main(int argc, char **argv) {
  static double x[1000];
  static float f[1000];
  uint8_t key[32] = {1, 2, 3};
  int aes, law, ratio, i;
  (void)argv;
  for (aes = 0; aes < 2; aes++)
    for (law = 0; law < 2; law++)
      for (ratio = 10; ratio <= 24; ratio += 14) {
        dppair_rng rng;
        dppair_status status =
            aes ? dppair_rng_from_key_aes256(&rng, key, 0) : dppair_rng_from_key(&rng, key, 0);
        if (status != DPPAIR_OK) return 1;
        for (i = 0; i < 1000; i++) f[i] = (float)(x[i] = 0.1 * i);
        VALGRIND_MAKE_MEM_UNDEFINED(rng.key, sizeof rng.key);
        VALGRIND_MAKE_MEM_UNDEFINED(x, sizeof x);
        VALGRIND_MAKE_MEM_UNDEFINED(f, sizeof f);
        status = dppair_release_at_(x, 1000, 0, 1.3, ratio, law, dppair_tier(), &rng);
        if (status == DPPAIR_OK)
          status = dppair_release_at_(f, 1000, 1, 1.3, ratio, law, dppair_tier(), &rng);
        if (status != DPPAIR_OK) return 1;
        if (argc > 1 && x[0] > 1.0) puts("a branch on a secret");
      }
  return dppair_tier() >= DPPAIR_TIER_AVX2 || DPPAIR_NOISE_SIMD128_ ? 0 : 77;
}
