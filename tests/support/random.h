/* SPDX-License-Identifier: MIT */
/* Random numbers for tests, the same in every run: xorshift from the includer's RANDOM_SEED. */
#ifndef DPPAIR_TEST_RANDOM_H
#define DPPAIR_TEST_RANDOM_H

#include <stdint.h>

static uint64_t random_state = RANDOM_SEED;
static inline uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}
static inline double uniform(void) { return (double)(random_bits() >> 11) / 9007199254740992.0; }
static inline double between(double low, double high) { return low + (high - low) * uniform(); }
static inline double normalish(void) {
  double s = -6.0;
  for (int i = 0; i < 12; i++) s += uniform();
  return s;
}

#endif
