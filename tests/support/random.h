/* SPDX-License-Identifier: MIT */
/* Random numbers for tests, the same in every run and on every machine: SplitMix64. Each test
 * starts anew from RANDOM_SEED (tests.h): it sees the same numbers whether it runs alone or not. */
#ifndef DPPAIR_TEST_RANDOM_H
#define DPPAIR_TEST_RANDOM_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#ifndef RANDOM_SEED
#define RANDOM_SEED 1
#endif

static uint64_t random_state = RANDOM_SEED;

static inline uint64_t random_bits(void) {
  uint64_t z = (random_state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

/* In [0, 1), by integers and one exact product. */
static inline double uniform(void) {
  return (double)(random_bits() >> 11) * (1.0 / 9007199254740992.0);
}

static inline double between(double low, double high) { return low + (high - low) * uniform(); }

/* Uniform in the logarithm. */
static inline double log_between(double low, double high) {
  return low * exp(log(high / low) * uniform());
}

static inline size_t below(size_t n) { return (size_t)(uniform() * (double)n); }

static inline double normal(void) {
  const double length = sqrt(-2.0 * log(1.0 - uniform()));
  return length * cos(6.283185307179586 * uniform());
}

#endif
