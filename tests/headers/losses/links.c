/* SPDX-License-Identifier: MIT */
/* Links and the elementary functions under them: errors in ulp on every tier, equality of tiers,
 * derivatives by differences, shape (convex, monotone) as the table says, extreme margins, NaN, a
 * loss of one's own. */
#include "tests.h"

#include "dppair_losses.h"
#include "dppair.h"

enum { MAP_EXP, MAP_LOG, MAP_LOG1P, MAP_SIGMOID, MAP_SOFTPLUS, MAP_LINKS };
#define MAP_COUNT (MAP_LINKS + 3 * (int)DPPAIR_LOSS_COUNT)

#define DPV_R double
#define DPV_LANES 8
#define MAP_BITS
DPPAIR_FP_BEGIN_
#define DPPAIR_SUFFIX_ f64_scalar
#include "losses_map.h"
#undef DPPAIR_SUFFIX_
#if DPPAIR_HAVE_SIMD128
#define DPPAIR_SUFFIX_ f64_simd128
#include "losses_map.h"
#undef DPPAIR_SUFFIX_
#endif
DPPAIR_FP_END_
#if DPPAIR_HAVE_AVX2
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX2_)
#define DPPAIR_SUFFIX_ f64_avx2
#include "losses_map.h"
#undef DPPAIR_SUFFIX_
DPPAIR_TARGET_END_
#endif
#if DPPAIR_HAVE_AVX512
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX512_)
#define DPPAIR_SUFFIX_ f64_avx512
#include "losses_map.h"
#undef DPPAIR_SUFFIX_
DPPAIR_TARGET_END_
#endif
#undef DPV_R
#undef DPV_LANES
#undef MAP_BITS

#define DPV_R float
#define DPV_LANES 16
DPPAIR_FP_BEGIN_
#define DPPAIR_SUFFIX_ f32_scalar
#include "losses_map.h"
#undef DPPAIR_SUFFIX_
#if DPPAIR_HAVE_SIMD128
#define DPPAIR_SUFFIX_ f32_simd128
#include "losses_map.h"
#undef DPPAIR_SUFFIX_
#endif
DPPAIR_FP_END_
#if DPPAIR_HAVE_AVX2
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX2_)
#define DPPAIR_SUFFIX_ f32_avx2
#include "losses_map.h"
#undef DPPAIR_SUFFIX_
DPPAIR_TARGET_END_
#endif
#if DPPAIR_HAVE_AVX512
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX512_)
#define DPPAIR_SUFFIX_ f32_avx512
#include "losses_map.h"
#undef DPPAIR_SUFFIX_
DPPAIR_TARGET_END_
#endif
#undef DPV_R
#undef DPV_LANES

typedef void (*map_f64)(int, double *, const double *, size_t, const double *);
typedef void (*map_f32)(int, float *, const float *, size_t, const double *);

#if DPPAIR_HAVE_SIMD128
#define TIER_SIMD128(map) map##_simd128
#else
#define TIER_SIMD128(map) NULL
#endif
#if DPPAIR_HAVE_AVX2
#define TIER_AVX2(map) map##_avx2
#else
#define TIER_AVX2(map) NULL
#endif
#if DPPAIR_HAVE_AVX512
#define TIER_AVX512(map) map##_avx512
#else
#define TIER_AVX512(map) NULL
#endif
#define TIERS(map)                                                                                 \
  { map##_scalar, TIER_SIMD128(map), TIER_AVX2(map), TIER_AVX512(map) }

/* The map of a tier, or NULL when it is not compiled in or this processor lacks it. */
static map_f64 tier_f64(int tier) {
  static const map_f64 map[] = TIERS(map_f64);
  return tier <= DPPAIR_TIER_SIMD128 || tier <= dppair_tier() ? map[tier] : NULL;
}
static map_f32 tier_f32(int tier) {
  static const map_f32 map[] = TIERS(map_f32);
  return tier <= DPPAIR_TIER_SIMD128 || tier <= dppair_tier() ? map[tier] : NULL;
}

typedef void (*bits_f64)(uint64_t *, const double *, size_t, double);
static bits_f64 bits_tier(int tier) {
  static const bits_f64 bits[] = TIERS(bits_f64);
  return tier <= DPPAIR_TIER_SIMD128 || tier <= dppair_tier() ? bits[tier] : NULL;
}

enum { SAMPLES = BRIEF ? 4096 : 65536 };
static double in64[SAMPLES], out64[SAMPLES], ref64[SAMPLES];
static float in32[SAMPLES], out32[SAMPLES], ref32[SAMPLES];

static long double exact(int what, long double x) {
  switch (what) {
  case MAP_EXP:
    return expl(x);
  case MAP_LOG:
    return logl(x);
  case MAP_LOG1P:
    return log1pl(x);
  case MAP_SIGMOID:
    return x < 0 ? expl(x) / (1 + expl(x)) : 1 / (1 + expl(-x));
  default:
    return (x > 0 ? x : 0) + log1pl(expl(-fabsl(x)));
  }
}

/* The distance in units of the last place of the exact result (of the type's smallest normal number
 * at least, so subnormal results count in units of that). */
static double ulps(long double got, long double want, int digits, int least) {
  int e;
  if (want == 0) return got == 0 ? 0.0 : 1e9;
  if (got == want) return 0.0;
  frexpl(want, &e);
  if (e < least) e = least;
  return (double)fabsl(ldexpl(got - want, digits - e));
}

/* Numbers that matter to the functions: everywhere in range, near 0, near powers of two, edges. */
static double sample(int what, size_t i, double top) {
  const double x = i % 4 == 0   ? between(-top, top)
                   : i % 4 == 1 ? between(-1.0, 1.0)
                   : i % 4 == 2 ? exp2(between(-60.0, log2(top))) * (random_bits() & 1 ? 1 : -1)
                                : between(0.5, 2.0) * (random_bits() & 1 ? 1 : -1);
  return what == MAP_LOG || what == MAP_LOG1P ? fabs(x) : x;
}

/* Stated in dppair.h, for every tier. */
static const double allowed[] = {1.1, 1, 2, 4, 4};
static const char *const names[5] = {"exp", "log", "log1p", "sigmoid", "softplus"};

static void elementary_functions_keep_their_bound_in_ulp_on_every_tier(void **unused) {
  (void)unused;
  for (int what = MAP_EXP; what < MAP_LINKS; what++) {
    const double top64 = what == MAP_LOG ? 1e300 : what == MAP_EXP ? 709.0 : 745.0;
    const double top32 = what == MAP_LOG ? 1e38 : what == MAP_EXP ? 88.7 : 103.0;
    for (size_t i = 0; i < SAMPLES; i++) {
      in64[i] = sample(what, i, top64);
      in32[i] = (float)sample(what, i, top32);
    }
    for (int tier = 0; tier <= DPPAIR_TIER_AVX512; tier++) {
      const double limit = allowed[what];
      double worst64 = 0.0, worst32 = 0.0, at64 = 0, at32 = 0;
      if (!tier_f64(tier)) continue;
      tier_f64(tier)(what, out64, in64, SAMPLES, NULL);
      tier_f32(tier)(what, out32, in32, SAMPLES, NULL);
      for (size_t i = 0; i < SAMPLES; i++) {
        const double e64 =
            ulps((long double)out64[i], exact(what, (long double)in64[i]), 53, -1021);
        const double e32 = ulps((long double)out32[i], exact(what, (long double)in32[i]), 24, -125);
        if (e64 > worst64) worst64 = e64, at64 = in64[i];
        if (e32 > worst32) worst32 = e32, at32 = (double)in32[i];
      }
      printf("%-8s tier %d: %.3f ulp (f64, at %.17g), %.3f ulp (f32, at %.9g)\n", names[what], tier,
             worst64, at64, worst32, at32);
      assert_true(worst64 <= limit);
      assert_true(worst32 <= limit);
    }
  }
}

static const double no_params[2] = {0.3, 0.7};

/* Every function, every kind of number: the fused tiers agree in all bits. */
static void the_fused_tiers_agree_in_every_bit(void **unused) {
  (void)unused;
  for (int what = 0; what < MAP_COUNT; what++) {
    for (size_t i = 0; i < SAMPLES; i++) {
      in64[i] = sample(MAP_EXP, i, i % 3 ? 4.0 : 1e6);
      in32[i] = (float)in64[i];
    }
    in64[0] = 0.0, in64[1] = -0.0, in64[2] = 1.0, in64[3] = (double)INFINITY,
    in64[4] = -(double)INFINITY;
    in64[5] = 1e308, in64[6] = -1e308, in64[7] = 0.3, in64[8] = 0.7, in64[9] = 5e-324;
    for (int i = 0; i < 10; i++) in32[i] = (float)in64[i];
    tier_f64(0)(what, ref64, in64, SAMPLES, no_params);
    tier_f32(0)(what, ref32, in32, SAMPLES, no_params);
    for (int tier = 1; tier <= DPPAIR_TIER_AVX512; tier++) {
      if (!tier_f64(tier) || (tier == DPPAIR_TIER_SIMD128 && DPPAIR_X86_)) continue;
      tier_f64(tier)(what, out64, in64, SAMPLES, no_params);
      tier_f32(tier)(what, out32, in32, SAMPLES, no_params);
      for (size_t i = 0; i < SAMPLES; i++) {
        if (!isnan(ref64[i]) || !isnan(out64[i])) assert_memory_equal(&ref64[i], &out64[i], 8);
        if (!isnan(ref32[i]) || !isnan(out32[i])) assert_memory_equal(&ref32[i], &out32[i], 4);
      }
    }
  }
}

/* The links again, from their formulas, in long double. */
static long double link_value(dppair_loss loss, long double u, const double *params) {
  const long double h = u < 1 ? 1 - u : 0, a = fabsl(u);
  const long double p = (long double)params[0], w = (long double)params[1];
  const long double s = u > p * w ? p : u < (p - 1) * w ? p - 1 : u / w;
  switch (loss) {
  case DPPAIR_LOSS_logistic:
    return exact(MAP_SOFTPLUS, -u);
  case DPPAIR_LOSS_hinge:
    return h;
  case DPPAIR_LOSS_squared_hinge:
    return h * h;
  case DPPAIR_LOSS_smoothed_hinge:
    return u >= 1 - p ? h * h / (2 * p) : h - p / 2;
  case DPPAIR_LOSS_square:
    return (1 - u) * (1 - u);
  case DPPAIR_LOSS_exponential:
    return expl(-u);
  case DPPAIR_LOSS_sigmoid:
    return exact(MAP_SIGMOID, -u);
  case DPPAIR_LOSS_ramp:
    return h < 1 ? h : 1;
  case DPPAIR_LOSS_least_squares:
    return u * u;
  case DPPAIR_LOSS_absolute:
    return a;
  case DPPAIR_LOSS_pinball:
    return u > 0 ? p * u : (p - 1) * u;
  case DPPAIR_LOSS_huber:
    return a <= p ? u * u / 2 : p * (a - p / 2);
  case DPPAIR_LOSS_moreau_absolute:
    return a <= p ? u * u / (2 * p) : a - p / 2;
  case DPPAIR_LOSS_moreau_pinball:
    return s * u - s * s * w / 2;
  case DPPAIR_LOSS_welsch:
    return -p * p * expm1l(-u * u / (2 * p * p));
  default:
    return -1;
  }
}

static int near_kink(double u, const double *p) {
  const double kinks[] = {0.0, 1.0, 1.0 - p[0], p[0], -p[0], p[0] * p[1], (p[0] - 1.0) * p[1]};
  for (int k = 0; k < 7; k++)
    if (fabs(u - kinks[k]) < 1e-3) return 1;
  return 0;
}

/* Values against the formulas, slopes and curvatures against differences of them in long double. */
static void bits_of_lanes_are_added_as_integers_on_every_tier(void **unused) {
  (void)unused;
  for (int tier = 0; tier < 4; tier++) {
    uint64_t room[17], *sum = room + 1, want[16]; /* not aligned to a vector */
    double v[16];
    if (!bits_tier(tier)) continue;
    for (int i = 0; i < 16; i++) {
      v[i] = i % 2 ? (double)i * 3.0 : -(double)i;
      /* small integers, those whose bits are a NaN that signals, and those that overflow */
      sum[i] = want[i] = i % 4 == 0   ? (uint64_t)i
                         : i % 4 == 1 ? UINT64_C(0xfff0000000000001)
                         : i % 4 == 2 ? UINT64_C(0x7ff0000000000001)
                                      : UINT64_MAX;
    }
    for (int turn = 0; turn < 5; turn++) {
      bits_tier(tier)(sum, v, 16, DPPAIR_MAGIC_F64_);
      for (int i = 0; i < 16; i++) {
        want[i] += dppair_bits_f64_(DPPAIR_MAGIC_F64_) + (uint64_t)(int64_t)v[i];
        assert_int_equal(sum[i], want[i]);
      }
    }
  }
}

static void slopes_and_curvatures_are_the_derivatives_of_the_values(void **unused) {
  static const double params[3][2] = {{0.3, 0.7}, {0.9, 2.5}, {0.5, 0.01}};
  const long double h = 1e-5L;
  (void)unused;
  for (int l = 0; l < (int)DPPAIR_LOSS_COUNT; l++)
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < (SAMPLES > 5000 ? 4000 : 400); i++) {
        const dppair_loss loss = (dppair_loss)l;
        const double *p = params[k], at = between(-6.0, 6.0);
        const long double u = (long double)at, q = (long double)p[0];
        double v, s, c;
        long double f0, f1, f2, f3, f4, s1, c1, scale;
        if (near_kink(at, p)) continue;
        assert_int_equal(dppair_loss_eval(&v, &s, &c, &at, 1, loss, p), DPPAIR_OK);
        f0 = link_value(loss, u, p);
        f1 = link_value(loss, u - h, p), f2 = link_value(loss, u + h, p);
        f3 = link_value(loss, u - 2 * h, p), f4 = link_value(loss, u + 2 * h, p);
        s1 = (8 * (f2 - f1) - (f4 - f3)) / (12 * h);
        c1 = (16 * (f2 + f1) - (f4 + f3) - 30 * f0) / (12 * h * h);
        scale = 1 + fabsl(f0) + (loss == DPPAIR_LOSS_welsch ? 1 / (q * q) : 0);
        if (fabsl((long double)v - f0) > 4e-15L * scale ||
            fabsl((long double)s - s1) > 1e-11L * scale ||
            fabsl((long double)c - c1) > 1e-6L * scale * (1 + 1 / q))
          fail_msg("%s at %.17g: %g %g %g for %Lg %Lg %Lg", dppair_loss_describe(loss)->name, at, v,
                   s, c, f0, s1, c1);
      }
}

/* Convex, monotone and differentiable exactly as the table says. */
static void links_are_convex_monotone_and_smooth_as_the_table_says(void **unused) {
  const double p[2] = {0.3, 0.7};
  (void)unused;
  for (int l = 0; l < (int)DPPAIR_LOSS_COUNT; l++) {
    const dppair_loss_info *info = dppair_loss_describe((dppair_loss)l);
    int convex = 1, monotone = 1, differentiable = 1;
    double before = 0.0;
    for (int i = -4000; i <= 4000; i++) {
      const double at[2] = {i * 0.00125, i * 0.00125 + 1e-9};
      double s[2], v[2];
      assert_int_equal(dppair_loss_eval(v, s, NULL, at, 2, (dppair_loss)l, p), DPPAIR_OK);
      if (i > -4000 && s[0] < before - 1e-12) convex = 0;
      if (s[0] > 0.0) monotone = 0;
      if (fabs(s[1] - s[0]) > 1e-3) differentiable = 0;
      before = s[0];
    }
    /* kinks that no grid point meets: just beside the places where pieces join */
    for (int k = 0; k < 4; k++) {
      const double joints[4] = {0.0, 1.0, p[0], 1.0 - p[0]};
      const double at[2] = {joints[k] - 1e-9, joints[k] + 1e-9};
      double s[2];
      assert_int_equal(dppair_loss_eval(NULL, s, NULL, at, 2, (dppair_loss)l, p), DPPAIR_OK);
      if (fabs(s[1] - s[0]) > 1e-3) differentiable = 0;
    }
    assert_int_equal(info->convex, convex);
    assert_int_equal(info->monotone, monotone);
    assert_int_equal(info->differentiable, differentiable);
  }
}

/* The envelopes are what Moreau's definition says: the minimum, found by search. */
static void envelopes_are_the_minimum_that_moreau_defines(void **unused) {
  const double p[2] = {0.3, 0.7};
  (void)unused;
  for (int i = -300; i <= 300; i++) {
    const double u = i * 0.01;
    double hinge = 1e9, absolute = 1e9, pinball = 1e9, got;
    for (int j = -5000; j <= 5000; j++) {
      const double v = j * 0.001, q = (u - v) * (u - v) / 2;
      hinge = fmin(hinge, fmax(0.0, 1.0 - v) + q / p[0]);
      absolute = fmin(absolute, fabs(v) + q / p[0]);
      pinball = fmin(pinball, fmax(p[0] * v, (p[0] - 1.0) * v) + q / p[1]);
    }
    assert_int_equal(dppair_loss_eval(&got, NULL, NULL, &u, 1, DPPAIR_LOSS_smoothed_hinge, p), 0);
    assert_true(fabs(got - hinge) < 2e-6);
    assert_int_equal(dppair_loss_eval(&got, NULL, NULL, &u, 1, DPPAIR_LOSS_moreau_absolute, p), 0);
    assert_true(fabs(got - absolute) < 2e-6);
    assert_int_equal(dppair_loss_eval(&got, NULL, NULL, &u, 1, DPPAIR_LOSS_moreau_pinball, p), 0);
    assert_true(fabs(got - pinball) < 2e-6);
  }
}

static void extreme_margins_have_their_limits_and_a_nan_stays_a_nan(void **unused) {
  const double far[4] = {1e6, -1e6, 1e300, -1e300};
  double v[4], s[4], c[4], margin[8], out[8];
  (void)unused;
  for (int i = 0; i < 8; i++) margin[i] = (double)NAN;
  assert_int_equal(dppair_loss_eval(v, s, c, far, 4, DPPAIR_LOSS_logistic, NULL), DPPAIR_OK);
  assert_true(v[0] == 0.0 && v[1] == 1e6 && v[2] == 0.0 && v[3] == 1e300);
  assert_true(s[0] == 0.0 && s[1] == -1.0 && s[2] == 0.0 && s[3] == -1.0);
  for (int i = 0; i < 4; i++) assert_true(c[i] == 0.0);
  for (int l = 0; l < (int)DPPAIR_LOSS_COUNT; l++)
    for (int tier = 0; tier <= DPPAIR_TIER_AVX512; tier++) {
      double bounds[8];
      if (!tier_f64(tier)) continue;
      tier_f64(tier)(MAP_LINKS + 3 * l, out, margin, 8, no_params);
      assert_true(isnan(out[0]) && isnan(out[7]));
      /* a NaN margin never gives a slope that no margin gives */
      tier_f64(tier)(MAP_LINKS + 3 * l + 1, bounds, margin, 8, no_params);
      if (!isnan(bounds[0])) assert_true(fabs(bounds[0]) <= 1.0);
    }
}

/* What a range says of an interval holds between its marks too, on a grid of 1/400 of it. */
static void a_range_covers_its_interval(void **unused) {
  static const double params[3][2] = {{0.3, 0.7}, {0.9, 2.5}, {0.5, 0.01}};
  (void)unused;
  for (int l = 0; l < (int)DPPAIR_LOSS_COUNT; l++)
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < 16; i++) {
        const dppair_loss loss = (dppair_loss)l;
        const dppair_loss_facts *facts = dppair_loss_facts_of(loss);
        const double *p = params[k], one = between(-4.0, 4.0), two = between(-4.0, 4.0);
        const double low = one < two ? one : two, high = one < two ? two : one;
        const dppair_margins m = {low, high, low, high, facts->value};
        dppair_range r = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
        double most[4] = {0.0, 0.0, 0.0, 0.0};
        if (!facts->range) continue;
        facts->range(&r, &m, p);
        for (int at = 0; at <= 400; at++) {
          const double u = low + at / 400.0 * (high - low);
          double v, s, c;
          assert_int_equal(dppair_loss_eval(&v, &s, &c, &u, 1, loss, p), DPPAIR_OK);
          most[0] = fmax(most[0], fabs(v)), most[1] = fmax(most[1], s);
          most[2] = fmax(most[2], -s), most[3] = fmax(most[3], fabs(c));
        }
        if (most[0] > r.value * (1 + 1e-15) || most[1] > r.up * (1 + 1e-15) ||
            most[2] > r.down * (1 + 1e-15) || most[3] > r.curvature * (1 + 1e-12))
          fail_msg("%s in [%.17g, %.17g]: %g %g %g %g", dppair_loss_describe(loss)->name, low, high,
                   most[0] / r.value, most[1] / r.up, most[2] / r.down, most[3] / r.curvature);
      }
}

static void links_are_found_by_name_and_bad_parameters_are_refused(void **unused) {
  double out = 7.0, p[2] = {0.5, 1.0}, u = 0.5;
  dppair_loss loss;
  (void)unused;
  for (int l = 0; l < (int)DPPAIR_LOSS_COUNT; l++) {
    const dppair_loss_info *info = dppair_loss_describe((dppair_loss)l);
    assert_int_equal(dppair_loss_find(&loss, info->name), DPPAIR_OK);
    assert_int_equal(loss, l);
    assert_true((dppair_loss_describe(loss)->params > 0) == (info->parameters[0] != 0));
    assert_true(info->formula[0] && info->source[0]);
    assert_int_equal(dppair_loss_eval(NULL, NULL, NULL, NULL, 0, loss, p), DPPAIR_OK);
    if (dppair_loss_describe(loss)->params == 0) continue;
    assert_int_equal(dppair_loss_eval(NULL, NULL, NULL, NULL, 0, loss, NULL), DPPAIR_ERR_NULL);
    for (size_t k = 0; k < dppair_loss_describe(loss)->params; k++) {
      static const double bad[] = {0.0, -1.0, 1e200, 1e-200};
      double q[2] = {0.5, 1.0};
      for (int b = 0; b < 6; b++) {
        q[k] = b == 4 ? (double)NAN : b == 5 ? (double)INFINITY : bad[b < 4 ? b : 0];
        if (b == 3 && k == 0 && (loss == DPPAIR_LOSS_pinball || loss == DPPAIR_LOSS_moreau_pinball))
          continue; /* a tiny tau is a tau */
        double slope = 7.0, curvature = 7.0;
        out = 7.0;
        assert_int_equal(dppair_loss_eval(&out, &slope, &curvature, &u, 1, loss, q),
                         DPPAIR_ERR_DOMAIN);
        assert_true(out == 0.0 && slope == 0.0 && curvature == 0.0);
      }
    }
  }
  assert_int_equal(dppair_loss_find(&loss, "nothing"), DPPAIR_ERR_DOMAIN);
  assert_int_equal(loss, DPPAIR_LOSS_COUNT);
  assert_int_equal(dppair_loss_find(&loss, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_loss_find(NULL, "hinge"), DPPAIR_ERR_NULL);
  assert_null(dppair_loss_describe(DPPAIR_LOSS_COUNT));
  assert_null(dppair_loss_facts_of(DPPAIR_LOSS_COUNT));
  assert_int_equal(dppair_loss_eval(&out, NULL, NULL, &u, 1, DPPAIR_LOSS_COUNT, p),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_loss_eval(&out, NULL, NULL, NULL, 1, DPPAIR_LOSS_hinge, p),
                   DPPAIR_ERR_NULL);
}

/* A loss of one's own, as the manual shows it: it runs on every tier, in both types. */
#define cauchy_KIND dppair_pairs
#define cauchy_VALUE(u, p) DPV_LOG1P(DPV_MUL(u, u))
#define cauchy_SLOPE(u, p) DPV_DIV(DPV_ADD(u, u), DPV_FMA(u, u, DPV_SET(1)))
#define DPPAIR_NAME robust
#define DPPAIR_REAL double
#define DPPAIR_LOSS cauchy
#include "dppair.h"
#define DPPAIR_NAME robustf
#define DPPAIR_REAL float
#define DPPAIR_LOSS cauchy
#include "dppair.h"

static void a_loss_of_ones_own_works_in_both_types(void **unused) {
  double sp[37], sn[53], a[37], b[53], risk, want = 0.0;
  float fp[37], fn[53];
  (void)unused;
  for (int i = 0; i < 37; i++) fp[i] = (float)(sp[i] = between(-2.0, 2.0));
  for (int j = 0; j < 53; j++) fn[j] = (float)(sn[j] = between(-2.0, 2.0));
  for (int i = 0; i < 37; i++)
    for (int j = 0; j < 53; j++) want += log1p((sp[i] - sn[j]) * (sp[i] - sn[j]));
  assert_int_equal(robust_risk_not_private(&risk, sp, 37, sn, 53, NULL), DPPAIR_OK);
  assert_true(fabs(risk - want) < 1e-12 * want);
  assert_int_equal(robustf_risk_not_private(&risk, fp, 37, fn, 53, NULL), DPPAIR_OK);
  assert_true(fabs(risk - want) < 1e-5 * want);
  assert_int_equal(robust_coeffs(a, b, sp, 37, sn, 53, NULL), DPPAIR_OK);
  for (int i = 0; i < 37; i++) {
    double slope = 0.0;
    for (int j = 0; j < 53; j++) {
      const double u = sp[i] - sn[j];
      slope += 2 * u / (1 + u * u);
    }
    assert_true(fabs(a[i] - slope) < 1e-12 * 53);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(elementary_functions_keep_their_bound_in_ulp_on_every_tier),
      TEST(the_fused_tiers_agree_in_every_bit),
      TEST(bits_of_lanes_are_added_as_integers_on_every_tier),
      TEST(slopes_and_curvatures_are_the_derivatives_of_the_values),
      TEST(links_are_convex_monotone_and_smooth_as_the_table_says),
      TEST(envelopes_are_the_minimum_that_moreau_defines),
      TEST(extreme_margins_have_their_limits_and_a_nan_stays_a_nan),
      TEST(a_range_covers_its_interval),
      TEST(links_are_found_by_name_and_bad_parameters_are_refused),
      TEST(a_loss_of_ones_own_works_in_both_types),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
