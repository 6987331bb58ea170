/* SPDX-License-Identifier: MIT */
/* What every test program starts with: cmocka and what it relies on, random numbers, the names of
 * tests. With TEST=word in the environment only the tests run whose names contain the word. */
#ifndef DPPAIR_TESTS_H
#define DPPAIR_TESTS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"

/* Fewer rounds, where the compiler is what is tested or the sanitizers make each of them slow. */
#ifdef DPPAIR_TEST_BRIEF
enum { BRIEF = 1 };
#else
enum { BRIEF = 0 };
#endif

/* Rounds of a search: few here, all of them in `make frontier`. */
static inline int few_or_all(int few, int all) {
  return getenv("FRONTIER") != NULL ? all : few;
}

/* A batch of one's own, of no draw. */
#define BATCH_OF(index, count) (&(const dppair_batch){index, count, 0})

static inline int restart_random_(void **state) {
  (void)state;
  random_state = RANDOM_SEED;
  return 0;
}

/* A test that starts from the first random number. */
#define TEST(name) cmocka_unit_test_setup(name, restart_random_)

#define RUN_TESTS(tests, setup, teardown)                                                          \
  (tests_of_that_name_(tests, sizeof(tests) / sizeof *(tests))                                     \
       ? cmocka_run_group_tests(tests, setup, teardown)                                            \
       : 1)

static inline size_t tests_of_that_name_(const struct CMUnitTest *tests, size_t count) {
  static char pattern[256];
  const char *word = getenv("TEST");
  size_t i, found = 0;
  if (word == NULL || *word == 0) return count;
  for (i = 0; i < count; i++) found += strstr(tests[i].name, word) != NULL;
  if (found == 0) fprintf(stderr, "no test has a name that contains \"%s\"\n", word);
  snprintf(pattern, sizeof pattern, "*%s*", word);
  cmocka_set_test_filter(pattern);
  return found;
}

#endif
