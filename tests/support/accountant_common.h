/* SPDX-License-Identifier: MIT */
/* What the accountant's tests share: an independent wide type (__float128 under gcc, long double
 * elsewhere), assertions on doubles. */
#ifndef ACCOUNTANT_COMMON_H
#define ACCOUNTANT_COMMON_H

#include "tests.h"

#include "dppair_accountant.h"

#if defined(__GNUC__) && !defined(__clang__) && defined(__SIZEOF_FLOAT128__)
#include <quadmath.h>
#define WIDE_IS_QUAD 1
__extension__ typedef __float128 wide;
#define wexp expq
#define wlog logq
#define wexpm1 expm1q
#define wlog1p log1pq
#define wsqrt sqrtq
#define werfc erfcq
#define wpow powq
#define WIDE_PI (__extension__ M_PIq)
#else
#define WIDE_IS_QUAD 0
typedef long double wide;
#define wexp expl
#define wlog logl
#define wexpm1 expm1l
#define wlog1p log1pl
#define wsqrt sqrtl
#define werfc erfcl
#define wpow powl
#define WIDE_PI 3.14159265358979323846264338327950288L
#endif

#define TEST_NAN ((double)NAN)
#define TEST_INF ((double)INFINITY)

#define FEWER(n) (BRIEF ? (n) / 20 : (n))

#define assert_ok(status) assert_int_equal((status), DPPAIR_OK)

/* |a - b| <= relative * |b|, and says which numbers. */
#define assert_close(a, b, relative)                                                               \
  do {                                                                                             \
    const double a_ = (double)(a), b_ = (double)(b);                                               \
    if (!(fabs(a_ - b_) <= (relative)*fabs(b_))) {                                                 \
      print_error("%s = %.17g, expected %.17g\n", #a, a_, b_);                                     \
      fail();                                                                                      \
    }                                                                                              \
  } while (0)

#define assert_at_most(a, b)                                                                       \
  do {                                                                                             \
    const double a_ = (double)(a), b_ = (double)(b);                                               \
    if (!(a_ <= b_)) {                                                                             \
      print_error("%s = %.17g exceeds %s = %.17g\n", #a, a_, #b, b_);                              \
      fail();                                                                                      \
    }                                                                                              \
  } while (0)

static inline dppair_sampling test_sampling(dppair_sampling_kind kind, dppair_adjacency adjacency,
                                            double q, size_t n, size_t m) {
  dppair_sampling s;
  memset(&s, 0, sizeof s);
  s.kind = kind;
  s.adjacency = adjacency;
  s.q = q;
  s.n = n;
  s.m = m;
  return s;
}

/* All hits of a sampled step. */
static inline dppair_status hits_of(dppair_hits_ *h, const dppair_step *step) {
  const dppair_status status = dppair_step_check_(step);
  dppair_hit_law_ law;
  if (status != DPPAIR_OK) return status;
  law = step->kind == DPPAIR_SAMPLED_PAIRS ? dppair_sampled_pairs_hits_(step)
                                           : dppair_sampled_gaussian_hits_(step);
  return dppair_hits_make_(h, &law, 0, 0.0, 0, DPPAIR_HIT_CAPACITY_);
}

/* `steps` releases by any rho-zCDP mechanism. */
static inline dppair_status charge_zcdp(dppair_accountant *a, double rho, size_t steps) {
  dppair_step step;
  memset(&step, 0, sizeof step);
  step.kind = DPPAIR_ZCDP;
  step.noise_multiplier = rho;
  step.steps = steps;
  return dppair_accountant_step(a, &step);
}

/* The sink of a ledger to which no line may come. */
static inline dppair_status no_line(const char *line, size_t length, void *context) {
  (void)context;
  print_error("stored: %.*s\n", (int)length, line);
  fail();
  return DPPAIR_OK;
}

#endif
