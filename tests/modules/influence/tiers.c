/* SPDX-License-Identifier: MIT */
/* Sums of differences on every tier: loops and boxes, of slopes and of curvatures, have the same
 * bits wherever products are fused. Their values: curvature.c. */
#include "engine_support.h"

#include "dppair_influence.h"

#define DPPAIR_NAME f64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME f32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

enum { MOST = 300 };
static double sp[MOST], sn[MOST], tp[MOST], tn[MOST], a[MOST], b[MOST], a2[MOST], b2[MOST];
static float fp[MOST], fn[MOST], gp[MOST], gn[MOST];

typedef void loops_fn(double *, double *, const double *, const double *, size_t, const double *,
                      const double *, size_t, int, const double *);
typedef void floats_fn(double *, double *, const float *, const float *, size_t, const float *,
                       const float *, size_t, int, const double *);
typedef void sizes_fn(double *, double *, const double *, const double *, size_t, const double *,
                      const double *, size_t, const double *);
typedef void boxes_fn(dppair_status *, double *, double *, const void *, const void *, size_t,
                      const void *, const void *, size_t, const dppair_fast *, int);

/* The functions of every tier, scalar first; bits: they agree to the last bit. (128 bits on x86 has
 * no fused product and is only close.) */
static const struct tier {
  int level, bits;
  loops_fn *loops;
  floats_fn *floats;
  sizes_fn *sizes;
  boxes_fn *boxes;
} tiers[] = {
#define TIER_OF(tier)                                                                              \
  f64_curvature##tier, f32_curvature##tier, f64_sizes##tier, dppair_box_differences##tier
    {DPPAIR_TIER_SCALAR, 1, TIER_OF(_scalar)},
#if DPPAIR_HAVE_SIMD128
    {DPPAIR_TIER_SIMD128, 0, TIER_OF(_simd128)},
#endif
#if DPPAIR_HAVE_AVX2
    {DPPAIR_TIER_AVX2, 1, TIER_OF(_avx2)},
#endif
#if DPPAIR_HAVE_AVX512
    {DPPAIR_TIER_AVX512, 1, TIER_OF(_avx512)},
#endif
};

static void compare(const struct tier *t, size_t np, size_t nn, double slack) {
  size_t i;
  if (t->bits) {
    assert_memory_equal(a, a2, np * sizeof *a);
    assert_memory_equal(b, b2, nn * sizeof *b);
  }
  for (i = 0; i < np; i++) assert_true(fabs(a[i] - a2[i]) <= slack * (double)nn);
  for (i = 0; i < nn; i++) assert_true(fabs(b[i] - b2[i]) <= slack * (double)np);
}

static void sums_of_differences_agree_in_every_bit_on_fused_tiers(void **unused) {
  dppair_curvature c;
  int trial, order;
  size_t k, bytes;
  (void)unused;
  for (trial = 0; trial < (BRIEF ? 4 : PATTERNS); trial++)
    for (order = 1; order <= 2; order++) {
      const size_t np = 1 + below(100), nn = 1 + below(trial % 3 ? 40 : MOST);
      const dppair_accuracy accuracy = (dppair_accuracy)(trial % 3);
      const struct tier *t;
      dppair_status status = DPPAIR_OK;
      void *work;
      assert_int_equal(f64_curvature_workspace(&bytes, 1, order, accuracy, 100, NULL), DPPAIR_OK);
      work = room(bytes);
      assert_int_equal(f64_curvature_init(&c, 1, order, accuracy, 100, NULL, work, bytes),
                       DPPAIR_OK);
      fill_scores(sp, np, trial);
      fill_scores(sn, nn, trial);
      for (k = 0; k < np; k++) tp[k] = 7 + normal();
      for (k = 0; k < nn; k++) tn[k] = 7 + normal();
      to_float(fp, sp, np);
      to_float(fn, sn, nn);
      to_float(gp, tp, np);
      to_float(gn, tn, nn);
      for (k = 1; k < sizeof tiers / sizeof *tiers; k++) {
        t = &tiers[k];
        if (t->level > dppair_tier()) continue;
        tiers[0].loops(a, b, sp, tp, np, sn, tn, nn, order, NULL);
        t->loops(a2, b2, sp, tp, np, sn, tn, nn, order, NULL);
        compare(t, np, nn, 1e-13);
        tiers[0].sizes(a, b, sp, tp, np, sn, tn, nn, NULL);
        t->sizes(a2, b2, sp, tp, np, sn, tn, nn, NULL);
        compare(t, np, nn, 1e-13);
        tiers[0].floats(a, b, fp, gp, np, fn, gn, nn, order, NULL);
        t->floats(a2, b2, fp, gp, np, fn, gn, nn, order, NULL);
        compare(t, np, nn, 1e-4);
        tiers[0].boxes(&status, a, b, sp, tp, np, sn, tn, nn, &c.fast, 0);
        t->boxes(&status, a2, b2, sp, tp, np, sn, tn, nn, &c.fast, 0);
        compare(t, np, nn, 200 * c.fast.weight * DBL_EPSILON);
        t->boxes(&status, a2, b2, fp, gp, np, fn, gn, nn, &c.fast, 1);
        compare(t, np, nn, 200 * c.fast.weight * DBL_EPSILON);
      }
      assert_int_equal(status, DPPAIR_OK);
      free(work);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(sums_of_differences_agree_in_every_bit_on_fused_tiers)};
  return RUN_TESTS(tests, NULL, NULL);
}
