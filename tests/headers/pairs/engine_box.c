/* SPDX-License-Identifier: MIT */
/* Analytic losses: the box method against a double loop in long double, its certified bound, its
 * refusals, and the same bits on every tier. */
#include "engine_support.h"
#include "dppair_scale.h"

#define DPPAIR_NAME f64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#define DPPAIR_NAME f32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#define DPPAIR_NAME flat
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_sigmoid
#include "dppair.h"

enum { MOST = 700 };
static double sp[MOST], sn[MOST], a[MOST], b[MOST], a2[MOST], b2[MOST];
static float fp[MOST], fn[MOST];
static long double ra[MOST], rb[MOST];
static uint64_t words[2][1 << 10];

typedef dppair_status size_fn(size_t *, size_t, dppair_accuracy, double, const double *);
typedef dppair_status init_fn(dppair_fast *, size_t, dppair_accuracy, double, const double *,
                              void *, size_t);
typedef dppair_status coeffs_fn(double *, double *, const double *, size_t, const double *, size_t,
                                const double *, const dppair_fast *);

static const struct analytic {
  size_fn *size;
  init_fn *init;
  coeffs_fn *coeffs;
  reference_slope *slope;
} losses[2] = {{f64_fast_workspace, f64_fast_init, f64_coeffs_fast, exact_logistic},
               {flat_fast_workspace, flat_fast_init, flat_coeffs_fast, exact_sigmoid}};

static dppair_fast prepared[2][3];
static double *memory[2][3];

static int prepare(void **unused) {
  int loss, e;
  (void)unused;
  for (loss = 0; loss < 2; loss++)
    for (e = 0; e < 3; e++) {
      size_t bytes;
      assert_int_equal(losses[loss].size(&bytes, 40000, (dppair_accuracy)e, 100, NULL), DPPAIR_OK);
      memory[loss][e] = (double *)room(bytes);
      assert_int_equal(losses[loss].init(&prepared[loss][e], 40000, (dppair_accuracy)e, 100, NULL,
                                         memory[loss][e], bytes),
                       DPPAIR_OK);
    }
  return 0;
}
static int release(void **unused) {
  int loss, e;
  (void)unused;
  for (loss = 0; loss < 2; loss++)
    for (e = 0; e < 3; e++) free(memory[loss][e]);
  return 0;
}

/* What f64_allowance says of rounding, per partner: sums of at most MOST terms. */
static double rounding(const dppair_fast *f) {
  return f->weight * (double)(MOST + 64 + (2 * f->reach + 1) * f->terms / 4 + 2 * f->terms) * 0.5 *
         DBL_EPSILON;
}

/* The published values of the bound, which tests of the proof attain to within a factor 2.2. */
/* Both halves of the table's cosines, as far as long double tells. */
static void cosines_of_nodes_have_more_digits_than_a_double(void **unused) {
  (void)unused;
  if (LDBL_MANT_DIG < 64) skip();
  for (int terms = 8; terms <= 16; terms += 4)
    for (int j = 0; j < 12 * terms; j++) {
      double low, high = dppair_box_cosine_(j, terms, &low);
      const long double exact = cosl((long double)j * acosl(-1.0L) / (2.0L * terms));
      const long double room = 1.1e-19L * (0.8L + (long double)j / terms); /* of the angle */
      assert_true(fabsl((long double)high + (long double)low - exact) < room);
    }
}

/* A state is made of the arguments, and not of what its memory held. */
static void a_state_remembers_nothing(void **unused) {
  static double work[40000];
  dppair_fast f[2];
  (void)unused;
  /* both names make the same state */
  for (int i = 0; i < 2; i++) {
    memset(&f[i], i ? 0x11 : 0xEE, sizeof f[i]);
    assert_int_equal(i ? f64_sums_init(&f[i], 100, DPPAIR_ACCURACY_1E6, 6, NULL, work, sizeof work)
                       : f64_fast_init(&f[i], 100, DPPAIR_ACCURACY_1E6, 6, NULL, work, sizeof work),
                     DPPAIR_OK);
  }
  assert_memory_equal(&f[0], &f[1], sizeof f[0]);
}

static void the_bound_has_its_published_values_and_only_a_ratio_matters(void **unused) {
  const dppair_poles logistic = {3.14159265358979323846, 1, 1};
  const dppair_poles none = {0, 1, 1}, half = {1.57079632679489661923, 1, 1};
  static const struct {
    double h;
    int p;
    double e;
  } table[] = {{2, 8, 1.43e-6},   {2, 10, 3.60e-8},  {2, 12, 8.99e-10}, {2, 14, 2.23e-11},
               {2, 16, 5.50e-13}, {1, 10, 4.22e-11}, {1, 12, 2.73e-13}, {2.5, 16, 1.59e-11}};
  size_t k;
  (void)unused;
  for (k = 0; k < sizeof table / sizeof *table; k++)
    assert_true(fabs(dppair_box_bound_(table[k].h, table[k].p, logistic) / table[k].e - 1) < 6e-3);
  /* only the ratio of width and distance matters */
  assert_true(fabs(dppair_box_bound_(1, 8, half) / dppair_box_bound_(2, 8, logistic) - 1) < 1e-12);
  assert_true(dppair_box_bound_(2, 8, none) == HUGE_VAL);
  assert_true(dppair_box_bound_(2, 1, logistic) == HUGE_VAL);
  assert_true(prepared[0][0].kernel_error < 2e-6);
  assert_true(prepared[0][1].kernel_error < 1e-9);
  assert_true(prepared[0][2].kernel_error < 1e-12);
}

static void every_pattern_of_scores_is_within_the_certified_bound(void **unused) {
  static const size_t sizes[][2] = {{1, 1}, {1, 9}, {8, 1}, {17, 64}, {MOST, 333}, {127, MOST}};
  size_t k;
  int pattern, e, loss;
  (void)unused;
  for (k = 0; k < sizeof sizes / sizeof *sizes; k++)
    for (pattern = 0; pattern < PATTERNS; pattern++)
      for (loss = 0; loss < 2; loss++) {
        const size_t np = sizes[k][0], nn = sizes[k][1];
        if (BRIEF && np * nn > 10000 && pattern > EDGES) continue;
        fill_scores(sp, np, pattern);
        fill_scores(sn, nn, pattern);
        reference(ra, rb, sp, np, sn, nn, losses[loss].slope, NULL);
        for (e = 0; e < 3; e++) {
          const dppair_fast *f = &prepared[loss][e];
          const double most = f->kernel_error + rounding(f);
          assert_int_equal(losses[loss].coeffs(a, b, sp, np, sn, nn, NULL, f), DPPAIR_OK);
          assert_true(farthest(a, ra, np) <= most * (double)nn);
          assert_true(farthest(b, rb, nn) <= most * (double)np);
        }
        if (loss == 1) continue;
        to_float(fp, sp, np);
        to_float(fn, sn, nn);
        reference(ra, rb, sp, np, sn, nn, exact_logistic, NULL);
        for (e = 0; e < 3; e++) {
          const dppair_fast *f = &prepared[0][e];
          const double most = f->kernel_error + rounding(f);
          assert_int_equal(f32_coeffs_fast(a, b, fp, np, fn, nn, NULL, f), DPPAIR_OK);
          assert_true(farthest(a, ra, np) <= most * (double)nn);
          assert_true(farthest(b, rb, nn) <= most * (double)np);
        }
      }
}

/* One pair at a time shows the kernel itself: the bound is never exceeded, and 40 % of it is
 * reached, so it says something. */
static void one_pair_at_a_time_never_exceeds_the_bound_and_comes_close(void **unused) {
  const size_t steps = BRIEF ? 60 : 300;
  int loss, e, offset;
  size_t i, j;
  (void)unused;
  for (loss = 0; loss < 2; loss++)
    for (e = 0; e < 3; e++) {
      const dppair_fast *f = &prepared[loss][e];
      double worst = 0;
      for (offset = -1; offset <= f->reach + 1; offset++)
        for (j = 0; j < (offset < 3 ? 41 : 5); j++) {
          const double other = f->width * ((double)j / (offset < 3 ? 40 : 4) - 0.5);
          for (i = 0; i < steps; i++)
            sp[i] = f->width * (offset - 0.5 + ((double)i + 0.5) / (double)steps);
          assert_int_equal(losses[loss].coeffs(a, b, sp, steps, &other, 1, NULL, f), DPPAIR_OK);
          for (i = 0; i < steps; i++) {
            const long double exact =
                losses[loss].slope((long double)sp[i] - (long double)other, NULL);
            const double error = (double)fabsl((long double)a[i] - exact);
            worst = fmax(worst, error);
            assert_true(a[i] >= -1 - f->kernel_error && a[i] <= f->kernel_error);
          }
        }
      assert_true(worst <= f->kernel_error + rounding(f));
      assert_true(worst >= 0.4 * f->kernel_error);
    }
}

static void random_small_cases_are_within_the_certified_bound(void **unused) {
  const long cases = BRIEF ? 3000 : 100000;
  long k;
  double closest = 0;
  (void)unused;
  for (k = 0; k < cases; k++) {
    const size_t np = 1 + below(6), nn = 1 + below(6);
    const int loss = (int)below(2), e = (int)below(3), single = loss == 0 && below(2) == 0;
    const dppair_fast *f = &prepared[loss][e];
    const double most = f->kernel_error + rounding(f);
    double error;
    fill_scores(sp, np, (int)below(PATTERNS));
    fill_scores(sn, nn, (int)below(PATTERNS));
    if (single) {
      to_float(fp, sp, np);
      to_float(fn, sn, nn);
      assert_int_equal(f32_coeffs_fast(a, b, fp, np, fn, nn, NULL, f), DPPAIR_OK);
    } else {
      assert_int_equal(losses[loss].coeffs(a, b, sp, np, sn, nn, NULL, f), DPPAIR_OK);
    }
    reference(ra, rb, sp, np, sn, nn, losses[loss].slope, NULL);
    error = fmax(farthest(a, ra, np) / (double)nn, farthest(b, rb, nn) / (double)np);
    assert_true(error <= most);
    closest = fmax(closest, error / most);
  }
  assert_true(closest > 0.1);
}

/* The result is a sum over pairs of one function of two scores, whoever else is there. */
static void the_result_is_a_sum_over_pairs_whoever_else_is_there(void **unused) {
  const dppair_fast *f = &prepared[0][0];
  size_t i, j;
  (void)unused;
  for (i = 0; i < 40; i++) sp[i] = 6 * normal();
  for (j = 0; j < 30; j++) sn[j] = 6 * normal();
  sp[0] = 95;
  sn[3] = -99;
  assert_int_equal(f64_coeffs_fast(a, b, sp, 40, sn, 30, NULL, f), DPPAIR_OK);
  for (i = 0; i < 40; i++) a2[i] = 0;
  for (j = 0; j < 30; j++) b2[j] = 0;
  for (i = 0; i < 40; i++)
    for (j = 0; j < 30; j++) {
      double x, y;
      assert_int_equal(f64_coeffs_fast(&x, &y, sp + i, 1, sn + j, 1, NULL, f), DPPAIR_OK);
      assert_true(fabs(x + y) < 1e-14);
      a2[i] += x;
      b2[j] += y;
    }
  for (i = 0; i < 40; i++) assert_true(fabs(a[i] - a2[i]) < 1e-12);
  for (j = 0; j < 30; j++) assert_true(fabs(b[j] - b2[j]) < 1e-12);
}

typedef void close_fn(dppair_sketch *, const dppair_fast *);
typedef void f64_fn(double *, double *, const double *, size_t, const double *, size_t,
                    const double *);
typedef void f32_fn(double *, double *, const float *, size_t, const float *, size_t,
                    const double *);

/* The functions of every tier, scalar first; bits: they agree to the last bit. (128 bits on x86 has
 * no fused product and is only close.) */
static const struct tier {
  int level, bits;
  f64_fn *f64;
  f32_fn *f32;
  dppair_sketch_count_ *count;
  close_fn *close;
  dppair_sketch_read_ *read;
} tiers[] = {
#define TIER_OF(tier)                                                                              \
  f64_coeffs##tier, f32_coeffs##tier, dppair_sketch_count##tier, dppair_sketch_close##tier,      \
      dppair_sketch_read##tier
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

static void fused_tiers_agree_in_every_bit_and_others_within_rounding(void **unused) {
  int trial;
  size_t k;
  (void)unused;
  for (trial = 0; trial < (BRIEF ? 10 : 60); trial++) {
    const size_t np = 1 + below(trial % 5 ? 60 : 300), nn = 1 + below(trial % 5 ? 60 : 300);
    const int pattern = trial % PATTERNS;
    fill_scores(sp, np, pattern);
    fill_scores(sn, nn, pattern);
    to_float(fp, sp, np);
    to_float(fn, sn, nn);
    for (k = 1; k < sizeof tiers / sizeof *tiers; k++) {
      if (tiers[k].level > dppair_tier()) continue;
      tiers[0].f64(a, b, sp, np, sn, nn, NULL);
      tiers[k].f64(a2, b2, sp, np, sn, nn, NULL);
      compare(&tiers[k], np, nn, 1e-14);
      tiers[0].f32(a, b, fp, np, fn, nn, NULL);
      tiers[k].f32(a2, b2, fp, np, fn, nn, NULL);
      compare(&tiers[k], np, nn, 4e-6);
    }
  }
}

/* Moments without order: their words, and the coefficients read from them, in a and b. Blocks of
 * `chunk` records begin anywhere. */
static void by_moments(const struct tier *t, dppair_sketch *m, size_t np, size_t nn, size_t chunk,
                       const dppair_fast *f, int is_f32, const double *const *weight) {
  size_t i, n;
  dppair_sketch_clear_(m, f, m->words);
  for (i = 0; i < np; i += chunk) {
    n = np - i < chunk ? np - i : chunk;
    t->count(m, is_f32 ? (const void *)(fp + i) : sp + i, n, n, weight ? weight[0] + i : NULL, f,
             is_f32);
  }
  t->count(m, is_f32 ? (const void *)fn : sn, nn, 0, weight ? weight[1] : NULL, f, is_f32);
  dppair_sketch_settle_(m, f);
  memcpy(words[t != tiers], m->words, m->all * sizeof *m->words);
  t->close(m, f);
  t->read(t == tiers ? a : a2, is_f32 ? (const void *)fp : sp, np, np, weight ? weight[0] : NULL, m,
          f, is_f32);
  t->read(t == tiers ? b : b2, is_f32 ? (const void *)fn : sn, nn, 0, weight ? weight[1] : NULL, m,
          f, is_f32);
}

static void moments_have_the_same_words_on_fused_tiers_whatever_the_blocks(void **unused) {
  static const size_t chunks[] = {1, 7, 64, 65, 300};
  int trial;
  (void)unused;
  for (trial = 0; trial < (BRIEF ? 10 : 40); trial++) {
    const size_t np = 1 + below(trial % 5 ? 60 : 300), nn = 1 + below(trial % 5 ? 60 : 300);
    const int e = trial % 3;
    double weight[2][300], room_of_state[1 << 14];
    const double *const both[2] = {weight[0], weight[1]}, *const *given = trial % 2 ? both : NULL;
    dppair_fast f;
    dppair_sketch m;
    size_t k, bytes;
    assert_int_equal(
        f64_sums_init(&f, 1000, (dppair_accuracy)e, 6, NULL, room_of_state, sizeof room_of_state),
        DPPAIR_OK);
    assert_int_equal(f64_sketch_workspace(&bytes, &f), DPPAIR_OK);
    m.words = (uint64_t *)room(bytes);
    assert_true(f.words <= sizeof words[0] / sizeof *words[0]);
    for (k = 0; k < 600; k++) weight[k / 300][k % 300] = between(-0.2, 1.2);
    fill_scores(sp, np, trial % PATTERNS);
    fill_scores(sn, nn, trial % PATTERNS);
    to_float(fp, sp, np);
    to_float(fn, sn, nn);
    by_moments(tiers, &m, np, nn, 300, &f, 0, given);
    for (k = 1; k < sizeof tiers / sizeof *tiers; k++) {
      if (tiers[k].level > dppair_tier()) continue;
      by_moments(&tiers[k], &m, np, nn, chunks[trial % 5], &f, trial / 2 % 2, given);
      if (tiers[k].bits) assert_memory_equal(words[0], words[1], f.words * sizeof *words[0]);
      compare(&tiers[k], np, nn, 4 * rounding(&f));
    }
    free(m.words);
  }
}

/* The exact loops, with scores that the split form takes and with some that it does not. */
static void the_exact_loops_match_all_pairs_whether_scores_split_or_not(void **unused) {
  static const size_t sizes[][2] = {{1, 1}, {3, 5}, {64, 16}, {65, 17}, {130, 400}};
  size_t k, i;
  int pattern;
  (void)unused;
  for (k = 0; k < sizeof sizes / sizeof *sizes; k++)
    for (pattern = 0; pattern < PATTERNS; pattern++) {
      const size_t np = sizes[k][0], nn = sizes[k][1];
      double risk = 0, risk32;
      long double expected = 0;
      size_t j;
      fill_scores(sp, np, pattern);
      fill_scores(sn, nn, pattern);
      to_float(fp, sp, np);
      to_float(fn, sn, nn);
      reference(ra, rb, sp, np, sn, nn, exact_logistic, NULL);
      assert_int_equal(f64_coeffs(a, b, sp, np, sn, nn, NULL), DPPAIR_OK);
      assert_true(farthest(a, ra, np) <= 1e-14 * (double)nn);
      assert_true(farthest(b, rb, nn) <= 1e-14 * (double)np);
      assert_int_equal(f32_coeffs(a, b, fp, np, fn, nn, NULL), DPPAIR_OK);
      assert_true(farthest(a, ra, np) <= 4e-6 * (double)nn);
      assert_true(farthest(b, rb, nn) <= 4e-6 * (double)np);
      for (i = 0; i < np; i++)
        for (j = 0; j < nn; j++) {
          const long double u = (long double)sp[i] - (long double)sn[j];
          expected += fmaxl(-u, 0) + log1pl(expl(-fabsl(u)));
        }
      assert_int_equal(f64_risk_not_private(&risk, sp, np, sn, nn, NULL), DPPAIR_OK);
      assert_true(fabs(risk - (double)expected) <= 1e-13 * (double)expected);
      assert_int_equal(f32_risk_not_private(&risk32, fp, np, fn, nn, NULL), DPPAIR_OK);
      /* a margin of 180 as a float may be off by 2^-17, and so its exponential, or underflow */
      assert_true(fabs(risk32 - (double)expected) <= 2e-5 * (double)expected + 1e-36);
    }
}

#define REFUSED(expected, call)                                                                    \
  do {                                                                                             \
    memset(a, 1, sizeof a);                                                                        \
    memset(b, 1, sizeof b);                                                                        \
    assert_int_equal(call, expected);                                                              \
    assert_true(all_zero(a, 20) && all_zero(b, 30));                                               \
  } while (0)

static void what_was_not_prepared_is_refused_and_outputs_zeroed(void **unused) {
  const dppair_fast *f = &prepared[0][0];
  static const dppair_fast blank; /* all 0 */
  const double bad[] = {nan(""), HUGE_VAL, -HUGE_VAL};
  volatile size_t vast = SIZE_MAX / 4; /* volatile: or the compiler warns of the loop it would be */
  dppair_fast g;
  double work[4], factor = 1, extra = 1;
  size_t bytes, k;
  (void)unused;
  fill_scores(sp, 20, SPREAD);
  fill_scores(sn, 30, SPREAD);
  for (k = 0; k < 3; k++) {
    sp[19] = bad[k];
    REFUSED(DPPAIR_ERR_NOT_FINITE, f64_coeffs_fast(a, b, sp, 20, sn, 30, NULL, f));
    REFUSED(DPPAIR_ERR_NOT_FINITE, f64_coeffs(a, b, sp, 20, sn, 30, NULL));
    to_float(fp, sp, 20);
    to_float(fn, sn, 30);
    REFUSED(DPPAIR_ERR_NOT_FINITE, f32_coeffs_fast(a, b, fp, 20, fn, 30, NULL, f));
    sp[19] = 0;
    sn[0] = bad[k];
    REFUSED(DPPAIR_ERR_NOT_FINITE, f64_coeffs_fast(a, b, sp, 20, sn, 30, NULL, f));
    sn[0] = 0;
  }
  sp[3] = 100;
  assert_int_equal(f64_coeffs_fast(a, b, sp, 20, sn, 30, NULL, f), DPPAIR_OK);
  REFUSED(DPPAIR_ERR_WORKSPACE, f64_coeffs_fast(a, b, sp, 20, sn, 30, NULL, &blank));
  REFUSED(DPPAIR_ERR_NULL, f64_coeffs_fast(a, b, sp, 20, sn, 30, NULL, NULL));
  REFUSED(DPPAIR_ERR_NULL, f64_coeffs_fast(a, b, NULL, 20, sn, 30, NULL, f));
  assert_int_equal(f64_coeffs_fast(NULL, b, sp, 20, sn, 30, NULL, f), DPPAIR_ERR_NULL);
  assert_int_equal(f64_coeffs_fast(a, b, sp, vast, sn, 30, NULL, f), DPPAIR_ERR_OVERFLOW);
  /* no positives, no negatives, nobody */
  memset(b, 1, sizeof b);
  assert_int_equal(f64_coeffs_fast(NULL, b, NULL, 0, sn, 30, NULL, f), DPPAIR_OK);
  assert_true(all_zero(b, 30));
  assert_int_equal(f64_coeffs_fast(a, NULL, sp, 20, NULL, 0, NULL, f), DPPAIR_OK);
  assert_true(all_zero(a, 20));
  assert_int_equal(f64_coeffs_fast(NULL, NULL, NULL, 0, NULL, 0, NULL, f), DPPAIR_OK);
  sn[2] = nan("");
  assert_int_equal(f64_coeffs_fast(NULL, b, NULL, 0, sn, 30, NULL, f), DPPAIR_ERR_NOT_FINITE);
  /* preparation */
  assert_int_equal(f64_fast_workspace(NULL, 10, DPPAIR_ACCURACY_1E6, 10, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(f64_fast_workspace(&bytes, 10, (dppair_accuracy)3, 10, NULL), DPPAIR_ERR_DOMAIN);
  assert_int_equal(f64_fast_workspace(&bytes, 10, DPPAIR_ACCURACY_1E6, 0, NULL), DPPAIR_ERR_DOMAIN);
  assert_int_equal(f64_fast_workspace(&bytes, 10, DPPAIR_ACCURACY_1E6, nan(""), NULL),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(f64_fast_workspace(&bytes, 10, DPPAIR_ACCURACY_1E6, 1e300, NULL),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(f64_fast_init(&g, 10, DPPAIR_ACCURACY_1E6, 10, NULL, work, sizeof work),
                   DPPAIR_ERR_WORKSPACE);
  assert_int_equal(g.kind, 0);
  assert_int_equal(f64_fast_init(&g, 10, DPPAIR_ACCURACY_1E6, 10, NULL, NULL, 1 << 20),
                   DPPAIR_ERR_NULL);
  /* the rounding allowance */
  assert_int_equal(f64_allowance(&factor, &extra, f, 1000, 1, 1), DPPAIR_OK);
  assert_true(factor > 1 + 2 * f->kernel_error && factor < 1 + 1e-5);
  assert_true(extra > 0 && extra < 1e-9 * 2000);
  assert_int_equal(f64_allowance(&factor, &extra, &blank, 1000, 1, 1), DPPAIR_ERR_DOMAIN);
  assert_true(factor == 0 && extra == 0);
  assert_int_equal(f64_allowance(&factor, &extra, f, 1000, nan(""), 1), DPPAIR_ERR_DOMAIN);
  assert_int_equal(f64_allowance(&factor, &extra, f, 1000, 1, -1), DPPAIR_ERR_DOMAIN);
}

/* What floating point did to the coefficients stays below what the rounding allowance charges for it. */
static void rounding_stays_below_the_surcharge_bound(void **unused) {
  const size_t n = BRIEF ? 2000 : 20000;
  double *s = (double *)room(2 * n * sizeof *s), *c = (double *)room(2 * n * sizeof *c);
  int pattern;
  (void)unused;
  for (pattern = 0; pattern < PATTERNS; pattern++) {
    const dppair_fast *f = &prepared[0][2];
    double factor, extra, sum = 0;
    size_t i;
    fill_scores(s, n, pattern);
    for (i = 0; i < n; i++) s[n + i] = s[i]; /* both classes alike: the exact a and b cancel */
    assert_int_equal(f64_coeffs_fast(c, c + n, s, n, s + n, n, NULL, f), DPPAIR_OK);
    for (i = 0; i < n; i++) {
      /* slope(t) + slope(-t) = -1: a[i] - b[i] = -n for the exact slope, to E for ours */
      const double error = fabs(c[i] - c[n + i] + (double)n);
      sum = fmax(sum, error);
    }
    assert_int_equal(f64_allowance(&factor, &extra, f, 2 * n, 1, 1), DPPAIR_OK);
    assert_true(sum <= 2 * f->kernel_error * (double)n + extra / (double)n);
  }
  free(s);
  free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_state_remembers_nothing),
      TEST(cosines_of_nodes_have_more_digits_than_a_double),
      TEST(the_bound_has_its_published_values_and_only_a_ratio_matters),
      TEST(every_pattern_of_scores_is_within_the_certified_bound),
      TEST(one_pair_at_a_time_never_exceeds_the_bound_and_comes_close),
      TEST(random_small_cases_are_within_the_certified_bound),
      TEST(the_result_is_a_sum_over_pairs_whoever_else_is_there),
      TEST(fused_tiers_agree_in_every_bit_and_others_within_rounding),
      TEST(moments_have_the_same_words_on_fused_tiers_whatever_the_blocks),
      TEST(the_exact_loops_match_all_pairs_whether_scores_split_or_not),
      TEST(what_was_not_prepared_is_refused_and_outputs_zeroed),
      TEST(rounding_stays_below_the_surcharge_bound),
  };
  return RUN_TESTS(tests, prepare, release);
}
