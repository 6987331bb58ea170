/* SPDX-License-Identifier: MIT */
/* The base of dppair.h: status, checks, projection, AUC, and the template's contract. */
#include <fenv.h>
#include <limits.h>
#include "tests.h"

/* A machine that lacks a feature. */
static const char *lacked;
static int lacks_avx512;
static int is_there(int here, const char *feature) {
  return here && !(lacked && strcmp(lacked, feature) == 0) &&
         !(lacks_avx512 && strncmp(feature, "avx512", 6) == 0);
}
static int allowed_tier = 3;
#define DPPAIR_TIER_LIMIT allowed_tier
#define DPPAIR_RUNS_(feature) is_there(__builtin_cpu_supports(#feature), #feature)

#include "dppair_losses.h"
#include "dppair_metric.h"

#define DPPAIR_NAME ranking
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#define DPPAIR_NAME rankingf
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_squared_hinge
#include "dppair.h"

/* A user's own loss: Cauchy, ln(1 + (1-u)^2 / c^2), c = p[0]. */
#define cauchy_X(u, p) DPV_DIV(DPV_SUB(DPV_SET(1), u), DPV_SET((p)[0]))
#define cauchy_KIND dppair_pairs
#define cauchy_VALUE(u, p) DPV_LOG1P(DPV_MUL(cauchy_X(u, p), cauchy_X(u, p)))
#define cauchy_SLOPE(u, p)                                                                         \
  DPV_DIV(DPV_MUL(DPV_SET(-2 / (p)[0]), cauchy_X(u, p)),                                           \
          DPV_FMA(cauchy_X(u, p), cauchy_X(u, p), DPV_SET(1)))
#define DPPAIR_NAME own
#define DPPAIR_REAL double
#define DPPAIR_LOSS cauchy
#include "dppair.h"

/* The same loss from plain C functions. */
static double plain_value(double u) { return log1p((1.0 - u) * (1.0 - u) / 4.0); }
static double plain_slope(double u) {
  return -2.0 * (1.0 - u) / 4.0 / (1.0 + (1.0 - u) * (1.0 - u) / 4.0);
}
#define plain_KIND dppair_pairs
#define plain_VALUE(u, p) DPV_CALL(plain_value, u)
#define plain_SLOPE(u, p) DPV_CALL(plain_slope, u)
#define DPPAIR_NAME plain
#define DPPAIR_REAL double
#define DPPAIR_LOSS plain
#include "dppair.h"

#include "clips.h"

/* Numbers of all sizes, some with few digits, so that ties and cancellation occur. */
static double of_any_size(int spread) {
  const double digits = uniform() < 0.3 ? 1.0 + floor(8.0 * uniform()) / 8.0 : 1.0 + uniform();
  return ldexp(uniform() < 0.5 ? digits : -digits, (int)(spread * (uniform() - 0.5)));
}

static void a_fused_product_in_pieces_is_rounded_once(void **unused) {
  (void)unused;
  for (int t = 0; t < 2000000; t++) {
    const int spread = t % 3 == 0 ? 600 : t % 3 == 1 ? 60 : 4;
    const double a = of_any_size(spread), b = of_any_size(spread);
    double c = of_any_size(spread) * (t % 2 ? a * b : 1.0), own, right;
    float fa = (float)of_any_size(30), fb = (float)of_any_size(30), fc;
    if (t % 5 == 0) c = -a * b; /* the product's error alone */
    if (t % 7 == 0) c = a * b * ldexp(1.0, (int)(260.0 * (uniform() - 0.5)));
    if (fabs(c) < 1e-290) continue;
    own = dppair_fma_in_pieces_(a, b, c);
    right = fma(a, b, c);
    assert_memory_equal(&own, &right, sizeof own);
    fc = t % 5 == 0 ? -fa * fb : t % 2 ? fa * fb * (float)of_any_size(60) : (float)of_any_size(60);
    fa = dppair_fmaf_in_pieces_(fa, fb, fc) - fmaf(fa, fb, fc);
    assert_true(fa == 0.0f);
  }
  for (int t = 0; t < 2000000; t++) { /* results below the normal numbers, and what cancels there */
    const int high = (int)(1000.0 * (uniform() - 0.5)), below = (int)(60.0 * uniform());
    const double a = ldexp(of_any_size(20), high), b = ldexp(of_any_size(20), -1050 - high - below);
    const double c = t % 4 == 0   ? -a * b
                     : t % 4 == 1 ? ldexp(of_any_size(60), -1040)
                     : t % 4 == 2 ? -a * b * (1.0 + 2.220446049250313e-16 * floor(5.0 * uniform()))
                                  : 0.0;
    const double own = dppair_fma_in_pieces_(a, b, c), right = fma(a, b, c);
    assert_memory_equal(&own, &right, sizeof own);
  }
  { /* numbers that are none, zeros and the largest, in every place */
    static const double any[] = {
        0, -0.0, 1, -3, 1e308, (double)INFINITY, -(double)INFINITY, (double)NAN};
    for (int k = 0; k < 512; k++) {
      const double x = any[k % 8], y = any[k / 8 % 8], z = any[k / 64];
      const double own = dppair_fma_in_pieces_(x, y, z), right = fma(x, y, z);
      const float narrow = dppair_fmaf_in_pieces_((float)x, (float)y, (float)z);
      const float of_c = fmaf((float)x, (float)y, (float)z);
      assert_true(isnan(right) ? isnan(own) : own == right);
      assert_true(isnan(of_c) ? isnan(narrow) : narrow == of_c);
    }
  }
  assert_true(dppair_fma_in_pieces_(2.0, 3.0, 0.0) == 6.0);
  assert_true(dppair_fma_in_pieces_(0.0, 3.0, 5.0) == 5.0);
  assert_true(dppair_fma_in_pieces_(HUGE_VAL, 3.0, 5.0) == HUGE_VAL);
  /* the product is beyond the largest number, yet finite */
  assert_true(dppair_fma_in_pieces_(1e200, 1e200, -HUGE_VAL) == -HUGE_VAL);
  assert_true(dppair_fma_in_pieces_(-1e200, 1e200, HUGE_VAL) == HUGE_VAL);
  assert_true(dppair_fma_in_pieces_(1e200, 1e200, HUGE_VAL) == HUGE_VAL);
  assert_true(dppair_fma_in_pieces_(1e200, 1e200, -1.0) == HUGE_VAL);
  assert_true(dppair_fmaf_in_pieces_(1e30f, 1e30f, -HUGE_VALF) == -HUGE_VALF);
  assert_false(dppair_isfinite_f64(dppair_fma_in_pieces_(HUGE_VAL, 3.0, -HUGE_VAL)));
  assert_false(dppair_isfinite_f64(dppair_fma_in_pieces_(0.0, HUGE_VAL, 1.0)));
  assert_false(dppair_isfinite_f64(dppair_fma_in_pieces_(1e200, 1e200, nan(""))));
  assert_int_equal(dppair_fma_check_(), DPPAIR_OK);
}

static void every_status_has_a_sentence_of_its_own(void **unused) {
  (void)unused;
  for (int s = 0; s < DPPAIR_STATUS_COUNT_; s++) {
    assert_non_null(dppair_status_string((dppair_status)s));
    for (int t = 0; t < s; t++)
      assert_string_not_equal(dppair_status_string((dppair_status)s),
                              dppair_status_string((dppair_status)t));
  }
  assert_string_equal(dppair_status_string(DPPAIR_STATUS_COUNT_), "unknown status");
}

static void a_changed_rounding_mode_is_told(void **unused) {
  const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  (void)unused;
  assert_int_equal(dppair_environment_check(), DPPAIR_OK);
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    assert_int_equal(fesetround(modes[i]), 0);
    const dppair_status status = dppair_environment_check();
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    assert_int_equal(status, DPPAIR_ERR_ENVIRONMENT);
  }
  assert_int_equal(dppair_environment_check(), DPPAIR_OK);
}

/* Results and operands, each alone, as -ffast-math of the linker and as libraries set them.
 * Elsewhere than on x86 the mode is set by no portable call; the product that finds it there is
 * tested by what it says where nothing is flushed. */
static void flushing_to_zero_is_told(void **unused) {
  (void)unused;
  assert_int_equal(dppair_flushes_to_zero_(), 0);
#if DPPAIR_X86_
  const unsigned before = _mm_getcsr(), modes[] = {0x8000u, 0x40u, 0x8040u};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    double w[2] = {3.0, 4.0};
    _mm_setcsr(before | modes[i]);
    const dppair_status status = dppair_environment_check();
    const dppair_status projected = dppair_project_l2_f64(w, 2, 1.0);
    _mm_setcsr(before);
    assert_int_equal(status, DPPAIR_ERR_ENVIRONMENT);
    assert_int_equal(projected, DPPAIR_ERR_ENVIRONMENT);
    assert_true(w[0] == 0.0 && w[1] == 0.0);
  }
#elif defined(__aarch64__)
  uint64_t before;
  __asm__ __volatile__("mrs %0, fpcr" : "=r"(before));
  __asm__ __volatile__("msr fpcr, %0" : : "r"(before | (UINT64_C(1) << 24)));
  const dppair_status status = dppair_environment_check();
  __asm__ __volatile__("msr fpcr, %0" : : "r"(before));
  assert_int_equal(status, DPPAIR_ERR_ENVIRONMENT);
#endif
  assert_int_equal(dppair_environment_check(), DPPAIR_OK);
}

static void finiteness_and_size_overflow_are_told_exactly(void **unused) {
  const double zero = 0.0 * uniform(), infinite = strtod("inf", NULL), nan = strtod("nan", NULL);
  (void)unused;
  assert_true(dppair_isfinite_f64(DBL_MAX) && dppair_isfinite_f64(-DBL_MIN / 4) &&
              dppair_isfinite_f64(zero));
  assert_false(dppair_isfinite_f64(infinite));
  assert_false(dppair_isfinite_f64(nan));
  assert_false(dppair_isfinite_f32(strtof("inf", NULL)));
  assert_true(dppair_isfinite_f32(FLT_MIN / 8.0f));
  size_t product;
  assert_int_equal(dppair_size_mul_(&product, SIZE_MAX / 2, 2), 0);
  assert_true(product == SIZE_MAX / 2 * 2);
  assert_int_equal(dppair_size_mul_(&product, SIZE_MAX / 2 + 1, 2), 1);
  assert_true(product == 0);
}

static void the_auc_is_the_share_of_pairs_in_order_ties_count_half(void **unused) {
  double sp[9], sn[9], work[80], auc;
  (void)unused;
  for (int round = 0; round < 3000; round++) {
    const size_t np = 1 + (size_t)(uniform() * 9), nn = 1 + (size_t)(uniform() * 9);
    double wins = 0.0;
    for (size_t i = 0; i < np; i++) sp[i] = floor(uniform() * 5);
    for (size_t j = 0; j < nn; j++) sn[j] = floor(uniform() * 5);
    for (size_t i = 0; i < np; i++)
      for (size_t j = 0; j < nn; j++) wins += sp[i] > sn[j] ? 1.0 : sp[i] < sn[j] ? 0.0 : 0.5;
    assert_int_equal(dppair_auc_not_private_f64(&auc, sp, np, sn, nn, work, sizeof work),
                     DPPAIR_OK);
    assert_true(fabs(auc - wins / (double)(np * nn)) < 1e-15);
  }
  sp[0] = (double)NAN;
  auc = 1.0;
  assert_int_equal(dppair_auc_not_private_f64(&auc, sp, 1, sn, 1, work, sizeof work),
                   DPPAIR_ERR_NOT_FINITE);
  assert_true(auc == 0.0);
  assert_int_equal(dppair_auc_not_private_f64(&auc, sn, 0, sn, 1, work, sizeof work),
                   DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_auc_not_private_f64(&auc, sn, 1, sn, 1, NULL, 0), DPPAIR_ERR_NULL);
}

static void a_projected_vector_is_never_outside_its_ball_even_by_rounding(void **unused) {
  double w[7], v[7];
  (void)unused;
  for (int round = 0; round < 2000; round++) {
    const double radius = pow(10.0, uniform() * 20 - 10), size = pow(10.0, uniform() * 40 - 20);
    long double norm = 0.0L;
    for (int k = 0; k < 7; k++) v[k] = w[k] = (uniform() - 0.5) * size;
    assert_int_equal(dppair_project_l2_f64(w, 7, radius), DPPAIR_OK);
    for (int k = 0; k < 7; k++) norm += (long double)w[k] * (long double)w[k];
    assert_true(sqrtl(norm) <= (long double)radius); /* never outside, not even by rounding */
    if (dppair_norm_f64(v, 7) <= radius * (1 - 1e-14))
      assert_memory_equal(v, w, sizeof v);
    else
      assert_true((double)sqrtl(norm) >= radius * (1 - 1e-13) || size < radius * 10);
  }
  w[0] = 1e308;
  w[1] = 1e308;
  assert_int_equal(dppair_project_l2_f64(w, 2, 1.0), DPPAIR_OK);
  assert_true(fabs(w[0] - sqrt(0.5)) < 1e-12);
  w[1] = (double)INFINITY;
  assert_int_equal(dppair_project_l2_f64(w, 2, 1.0), DPPAIR_ERR_NOT_FINITE);
  assert_true(w[0] == 0.0 && w[1] == 0.0);
  w[0] = 1.0;
  assert_int_equal(dppair_project_l2_f64(w, 1, 0.0), DPPAIR_ERR_DOMAIN);
  assert_true(w[0] == 0.0);
}

/* Sums and coefficients against a double loop in long double; then the derivative of the risk. */
static void risk_and_coefficients_match_a_double_loop_in_long_double(void **unused) {
  double sp[41], sn[67], a[41], b[67], risk, up, down;
  (void)unused;
  for (size_t np = 1; np <= 41; np += 8)
    for (size_t nn = 1; nn <= 67; nn += 11) {
      long double total = 0.0L, slope[41] = {0};
      for (size_t i = 0; i < np; i++) sp[i] = uniform() * 12 - 6;
      for (size_t j = 0; j < nn; j++) sn[j] = uniform() * 12 - 6;
      for (size_t i = 0; i < np; i++)
        for (size_t j = 0; j < nn; j++) {
          const long double u = (long double)sp[i] - (long double)sn[j];
          total += log1pl(expl(-u));
          slope[i] -= 1.0L / (1.0L + expl(u));
        }
      assert_int_equal(ranking_risk_not_private(&risk, sp, np, sn, nn, NULL), DPPAIR_OK);
      assert_true(fabsl((long double)risk - total) <= 1e-14L * total);
      assert_int_equal(ranking_coeffs(a, b, sp, np, sn, nn, NULL), DPPAIR_OK);
      double sum = 0.0;
      for (size_t i = 0; i < np; i++) {
        assert_true(fabsl((long double)a[i] - slope[i]) <= 1e-14L * fabsl(slope[i]));
        sum += a[i];
      }
      for (size_t j = 0; j < nn; j++) sum += b[j];
      assert_true(fabs(sum) < 1e-11); /* shifting all scores changes nothing */
      const double h = 1e-5, keep = sn[nn / 2];
      sn[nn / 2] = keep + h;
      assert_int_equal(ranking_risk_not_private(&up, sp, np, sn, nn, NULL), DPPAIR_OK);
      sn[nn / 2] = keep - h;
      assert_int_equal(ranking_risk_not_private(&down, sp, np, sn, nn, NULL), DPPAIR_OK);
      sn[nn / 2] = keep;
      assert_true(fabs((up - down) / (2 * h) - b[nn / 2]) < 1e-6 * (1 + fabs(b[nn / 2])));
    }
}

static void a_users_loss_in_vector_code_and_in_plain_c_agree(void **unused) {
  double sp[5] = {0.0, 1.0, -2.0, 3.5, 0.25}, sn[3] = {0.5, -1.0, 2.0}, c[1] = {2.0};
  double r1, r2, a1[5], b1[3], a2[5], b2[3];
  (void)unused;
  assert_int_equal(own_risk_not_private(&r1, sp, 5, sn, 3, c), DPPAIR_OK);
  assert_int_equal(plain_risk_not_private(&r2, sp, 5, sn, 3, NULL), DPPAIR_OK);
  assert_true(fabs(r1 - r2) < 1e-13 * r2);
  assert_int_equal(own_coeffs(a1, b1, sp, 5, sn, 3, c), DPPAIR_OK);
  assert_int_equal(plain_coeffs(a2, b2, sp, 5, sn, 3, NULL), DPPAIR_OK);
  for (int i = 0; i < 5; i++) assert_true(fabs(a1[i] - a2[i]) < 1e-14);
  for (int j = 0; j < 3; j++) assert_true(fabs(b1[j] - b2[j]) < 1e-14);
}

static void sparse_rows_give_what_dense_rows_give(void **unused) {
  double x[5][7] = {{0}}, value[35], w[7], c[5], dense[7], sparse[7];
  size_t start[6] = {0}, many = 0;
  uint32_t column[35];
  dppair_rows_f64 rows;
  (void)unused;
  for (size_t i = 0; i < 5; i++) {
    for (uint32_t k = 0; k < 7; k++)
      if (i != 3 && uniform() < 0.5) {
        x[i][k] = uniform() - 0.5;
        column[many] = k;
        value[many++] = x[i][k];
      }
    start[i + 1] = many;
    c[i] = uniform() - 0.5;
  }
  for (int k = 0; k < 7; k++) w[k] = uniform() - 0.5;
  rows = dppair_rows_make_f64(x[0], 5, 7, 7);
  assert_int_equal(dppair_scores_f64(dense, &rows, w), DPPAIR_OK);
  assert_int_equal(dppair_scores_csr_f64(sparse, start, column, value, 5, 7, w), DPPAIR_OK);
  for (int i = 0; i < 5; i++) assert_true(fabs(dense[i] - sparse[i]) < 1e-15);
  assert_int_equal(dppair_combine_f64(dense, &rows, c), DPPAIR_OK);
  assert_int_equal(dppair_combine_csr_f64(sparse, start, column, value, 5, 7, c), DPPAIR_OK);
  for (int k = 0; k < 7; k++) assert_true(fabs(dense[k] - sparse[k]) < 1e-15);
  column[2] = 7;
  assert_int_equal(dppair_combine_csr_f64(sparse, start, column, value, 5, 7, c), DPPAIR_ERR_SIZE);
  for (int k = 0; k < 7; k++) assert_true(sparse[k] == 0.0);
  column[2] = 0;
  value[1] = strtod("nan", NULL);
  assert_int_equal(dppair_scores_csr_f64(sparse, start, column, value, 5, 7, w),
                   DPPAIR_ERR_NOT_FINITE);
  start[1] = start[2] + 1;
  assert_int_equal(dppair_scores_csr_f64(sparse, start, column, value, 5, 7, w), DPPAIR_ERR_SIZE);
  for (int i = 0; i < 5; i++) assert_true(sparse[i] == 0.0);
}

static void bad_scores_and_pointers_are_refused_and_outputs_zeroed(void **unused) {
  double sp[2] = {1.0, 2.0}, sn[2] = {0.0, (double)NAN}, a[2] = {7, 7}, b[2] = {7, 7}, risk = 7;
  float fp[1] = {INFINITY}, fn[1] = {0.0f};
  const volatile size_t most = SIZE_MAX;
  const dppair_rows_f64 overlapping = dppair_rows_make_f64(sp, 1, 2, 1);
  const dppair_rows_f64 too_many = dppair_rows_make_f64(sp, most / 2, 2, 3);
  (void)unused;
  assert_int_equal(ranking_coeffs(a, b, sp, 2, sn, 2, NULL), DPPAIR_ERR_NOT_FINITE);
  assert_true(a[0] == 0.0 && a[1] == 0.0 && b[0] == 0.0 && b[1] == 0.0);
  assert_int_equal(ranking_risk_not_private(&risk, sp, 2, sn, 2, NULL), DPPAIR_ERR_NOT_FINITE);
  assert_true(risk == 0.0);
  a[0] = b[0] = 7.0;
  assert_int_equal(rankingf_coeffs(a, b, fp, 1, fn, 1, NULL), DPPAIR_ERR_NOT_FINITE);
  assert_true(a[0] == 0.0 && b[0] == 0.0);
  assert_int_equal(ranking_coeffs(NULL, b, sp, 2, sn, 1, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(ranking_coeffs(a, b, NULL, 2, sn, 1, NULL), DPPAIR_ERR_NULL);
  a[0] = a[1] = 7.0;
  assert_int_equal(ranking_coeffs(a, b, sp, 2, sn, 0, NULL), DPPAIR_OK);
  assert_true(a[0] == 0.0 && a[1] == 0.0);
  assert_int_equal(dppair_scores_f64(a, &overlapping, sp), DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_scores_f64(a, &too_many, sp), DPPAIR_ERR_OVERFLOW);
}

/* An output of a size that no array can have is refused, not written to. */
static void sizes_that_no_array_can_have_are_refused_without_a_write(void **unused) {
  /* volatile: a compiler that sees these sizes warns, rightly */
  const volatile size_t sizes[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8 + 1};
  double a[2] = {7, 7}, b[2] = {7, 7}, x[4] = {1, 2, 3, 4}, w[2] = {1, 1};
  float s[2] = {7, 7}, xf[4] = {1, 2, 3, 4}, wf[2] = {1, 1};
  size_t start[3] = {0, 1, 2}, index[2] = {0, 1};
  uint32_t column[2] = {0, 1};
  const dppair_rows_f64 nothing = dppair_rows_make_f64(NULL, 0, 0, 0);
  const dppair_rows_f32 nothingf = dppair_rows_make_f32(NULL, 0, 0, 0);
  (void)unused;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const size_t n = sizes[k], none = n - sizes[k];
    const dppair_rows_f64 many = dppair_rows_make_f64(x, n, none, none);
    const dppair_rows_f64 apart = dppair_rows_make_f64(x, 2, 2, n);
    const dppair_rows_f64 wide = dppair_rows_make_f64(x, none, n, n);
    const dppair_rows_f64 two = dppair_rows_make_f64(x, 2, n, n);
    const dppair_rows_f64 column_of_many = dppair_rows_make_f64(x, n, 1, 1);
    const dppair_rows_f32 manyf = dppair_rows_make_f32(xf, n, none, none);
    const dppair_rows_f32 widef = dppair_rows_make_f32(xf, none, n, n);
    const dppair_options options = {NULL, 0, NULL, NULL, b, 16, NULL},
                      clipped = {NULL, clip_of(dppair_clip_init, 1), NULL, NULL, b, 16, NULL};
    dppair_rows_f64 batch, pair = dppair_rows_make_f64(x, 2, 1, 1);
    pair.y = w;
    assert_int_equal(dppair_scores_f64(a, &many, w), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_scores_f32(s, &manyf, wf), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_scores_f64(a, &apart, w), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_combine_f64(a, &wide, w), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_combine_f32(a, &widef, w), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_rows_clip_f64(&batch, b, x, n, none, none, 1), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_scores_csr_f64(a, start, column, x, n, 2, w), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_combine_csr_f64(a, start, column, x, 2, n, w), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_project_l2_f64(a, n, -1.0), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_project_l1_f64(a, n, -1.0, b, sizeof b), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_project_simplex_f64(a, n, -1.0, b, sizeof b), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_project_box_f64(a, n, 1.0, 0.0), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_project_psd_trace_f64(a, n, -1.0, b, sizeof b), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_eigen_f64(a, b, x, n, w, sizeof w), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(ranking_coeffs(a, b, x, 1, x, n, NULL), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(ranking_coeffs(a, b, x, n, x, 1, NULL), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(ranking_coeffs_part(a, b, x, 1, x, n, NULL, 1, 1), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(ranking_coeffs_fast(a, b, x, 1, x, n, NULL, NULL), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(ranking_pairs(a, b, x, n, x, 1, index, index, NULL, 1, NULL),
                     DPPAIR_ERR_OVERFLOW);
    assert_int_equal(ranking_gradient(a, &two, w, &options), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(ranking_gradient(a, &column_of_many, w, &options), DPPAIR_ERR_OVERFLOW);
    assert_true(a[0] == 0.0 && a[1] == 7.0); /* one number: a size to believe */
    a[0] = 7.0;
    assert_int_equal(ranking_pairs_gradient(a, &two, &two, w, index, index, NULL, 1, &clipped),
                     DPPAIR_ERR_OVERFLOW);
    assert_int_equal(ranking_form_gradient(a, DPPAIR_FORM_METRIC, &two, x, n, 1.0, &clipped),
                     DPPAIR_ERR_OVERFLOW);
    assert_int_equal(ranking_form_gradient(a, DPPAIR_FORM_FACTOR, &pair, x, n, 1.0, &clipped),
                     DPPAIR_ERR_OVERFLOW);
    assert_int_equal(ranking_form_pairs(a, &two, x, 1.0, index, index, NULL, 1, &clipped),
                     DPPAIR_ERR_OVERFLOW);
    assert_int_equal(ranking_clip_coeffs(a, b, x, x, &column_of_many, NULL, 0, &clipped),
                     DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_gather_f64(&batch, a, NULL, NULL, BATCH_OF(index, 2), &apart),
                     DPPAIR_ERR_OVERFLOW);
    assert_int_equal(dppair_gather_f64(&batch, a, NULL, NULL, BATCH_OF(index, 2), &two), DPPAIR_ERR_OVERFLOW);
    for (int i = 0; i < 2; i++) assert_true(a[i] == 7.0 && b[i] == 7.0 && s[i] == 7.0f);
  }
  {
    /* d and d x d are each addressable here, their bytes are not */
    const size_t most_columns = (size_t)1 << (sizeof(size_t) * 4 - 1);
    const dppair_rows_f64 wide = dppair_rows_make_f64(x, 2, most_columns, most_columns);
    const dppair_options options = {NULL, clip_of(dppair_clip_init, 1), NULL, NULL, b, sizeof b, NULL};
    assert_int_equal(
        ranking_form_gradient(a, DPPAIR_FORM_METRIC, &wide, x, most_columns, 1.0, &options),
        DPPAIR_ERR_OVERFLOW);
  }
  assert_true(a[0] == 7.0);
  /* nothing at all is no error, whatever the pointers */
  assert_int_equal(dppair_scores_f64(NULL, &nothing, NULL), DPPAIR_OK);
  assert_int_equal(dppair_combine_f32(NULL, &nothingf, NULL), DPPAIR_OK);
  assert_int_equal(ranking_coeffs(NULL, NULL, NULL, 0, NULL, 0, NULL), DPPAIR_OK);
  /* a missing output is an error that zeroes the other one */
  assert_int_equal(ranking_coeffs(NULL, b, x, 2, x, 2, NULL), DPPAIR_ERR_NULL);
  assert_true(b[0] == 0.0 && b[1] == 0.0);
  assert_int_equal(dppair_eigen_f64(a, NULL, x, 2, w, sizeof w), DPPAIR_ERR_NULL);
  assert_true(a[0] == 0.0 && a[1] == 0.0);
  a[0] = b[0] = 7.0;
  for (int i = 0; i < 4; i++) x[i] = DBL_MAX; /* the larger eigenvalue is twice that */
  {
    double vectors[4] = {7, 7, 7, 7}, work[18];
    assert_int_equal(dppair_eigen_f64(a, vectors, x, 2, work, sizeof work), DPPAIR_ERR_OVERFLOW);
    for (int i = 0; i < 4; i++) assert_true(vectors[i] == 0.0 && a[i / 2] == 0.0);
  }
}

/* One number that is not finite anywhere, and none. */
static void finite_arrays_are_told_from_others(void **state) {
  double x[37];
  float y[37];
  (void)state;
  assert_true(dppair_all_finite_f64(NULL, 0) && dppair_all_finite_f32(NULL, 0));
  for (size_t n = 1; n <= 37; n++) {
    for (size_t i = 0; i < n; i++) x[i] = DBL_MAX, y[i] = FLT_MAX;
    assert_true(dppair_all_finite_f64(x, n) && dppair_all_finite_f32(y, n));
    for (size_t i = 0; i < n; i++) {
      const double bad[3] = {HUGE_VAL, -HUGE_VAL, HUGE_VAL - HUGE_VAL};
      for (int k = 0; k < 3; k++) {
        x[i] = bad[k], y[i] = (float)bad[k];
        assert_true(!dppair_all_finite_f64(x, n) && !dppair_all_finite_f32(y, n));
        assert_true(dppair_all_finite_f64(x, i) && dppair_all_finite_f32(y, i));
      }
      x[i] = -DBL_MAX, y[i] = -FLT_MAX;
    }
  }
}

/* The tier is one that was compiled, and has a name of its own. */
static void the_tier_of_this_machine_has_a_name(void **state) {
  const int tier = dppair_tier();
  (void)state;
  assert_true(tier >= 0 && tier <= DPPAIR_MAX_TIER);
  assert_true(strlen(dppair_isa_name()) > 3);
  assert_int_equal(tier == 0, strcmp(dppair_isa_name(), "scalar") == 0);
}

/* AVX-512 needs four features and AVX2 two; without one of them the next tier is taken. */
static void a_machine_without_a_feature_takes_the_next_tier(void **state) {
#if DPPAIR_HAVE_AVX512
  static const char *const wide[] = {"avx512f", "avx512dq", "avx512bw", "avx512vl"};
  static const char *const half[] = {"avx2", "fma"};
  const int tier = dppair_tier();
  (void)state;
  for (size_t i = 0; i < 4 && tier == DPPAIR_TIER_AVX512; i++) {
    lacked = wide[i];
    assert_int_equal(dppair_tier(), DPPAIR_TIER_AVX2);
    assert_string_equal(dppair_isa_name(), "avx2+fma");
  }
  for (size_t i = 0; i < 2; i++) {
    lacks_avx512 = 1;
    lacked = half[i];
    assert_true(dppair_tier() < DPPAIR_TIER_AVX2);
    assert_string_equal(dppair_isa_name(), dppair_tier() ? "simd128" : "scalar");
  }
  lacks_avx512 = 0;
  lacked = NULL;
  assert_int_equal(dppair_tier(), tier);
#else
  (void)state;
#endif
}

/* A host may narrow the tier while it runs; the bits are those of the widest one, but for the 128-bit
 * tier's on x86. */
static void a_limit_narrows_the_tier_at_run_time(void **state) {
  double a[9], b[7], c[9], e[7], sp[9], sn[7];
  const int widest = dppair_tier();
  (void)state;
  for (size_t i = 0; i < 9; i++) sp[i] = uniform();
  for (size_t i = 0; i < 7; i++) sn[i] = uniform();
  assert_int_equal(ranking_coeffs(a, b, sp, 9, sn, 7, NULL), DPPAIR_OK);
  for (allowed_tier = widest; allowed_tier >= 0; allowed_tier--) {
    const int tier = dppair_tier();
    assert_true(tier == allowed_tier || (tier < 2 && allowed_tier < 2));
    assert_int_equal(ranking_coeffs(c, e, sp, 9, sn, 7, NULL), DPPAIR_OK);
    if (tier == DPPAIR_TIER_SIMD128) continue;
    assert_memory_equal(a, c, sizeof a);
    assert_memory_equal(b, e, sizeof b);
  }
  allowed_tier = 3;
  assert_int_equal(dppair_tier(), widest);
}

static void tick(void *context, size_t part) { ((size_t *)context)[part]++; }

static void the_serial_runner_calls_every_part_once(void **state) {
  (void)state;
  for (size_t parts = 0; parts <= 5; parts++) {
    size_t calls[6] = {0};
    dppair_run_serial(tick, calls, parts, NULL);
    for (size_t k = 0; k < 6; k++) assert_int_equal(calls[k], k < parts);
  }
}

static void a_heap_sorts_any_order(void **state) {
  (void)state;
  for (size_t n = 0; n < 60; n++)
    for (int kind = 0; kind < 6; kind++) {
      double x[64], sum = 0.0, sorted = 0.0;
      for (size_t i = 0; i < n; i++) {
        x[i] = kind == 0 ? (double)i : kind == 1 ? -(double)i : (double)below(kind < 4 ? 9 : 1000);
        sum += x[i];
      }
      for (size_t i = n; i < 64; i++) x[i] = i % 2 ? 1e9 : -1e9; /* none of its business */
      dppair_heap_sort_(x, n);
      for (size_t i = 0; i < n; i++) sorted += x[i];
      for (size_t i = 1; i < n; i++) assert_true(x[i - 1] <= x[i]);
      assert_true(sum == sorted);
    }
}

/* What a sampling's fields must not say, and what it is divided and multiplied by. */
static void fields_that_make_no_rate_are_refused(void **state) {
  dppair_sampling s = dppair_sampling_without_replacement(100, 20, DPPAIR_REPLACE_ONE);
  double divisor, each;
  (void)state;
  s.q = -0.5;
  assert_int_equal(dppair_sampling_rate_check_(&s, 1), DPPAIR_ERR_DOMAIN);
  s.n = s.m = 0;
  s.q = 1.5;
  assert_int_equal(dppair_sampling_rate_check_(&s, 1), DPPAIR_ERR_DOMAIN);
  s = dppair_sampling_without_replacement(100, 20, DPPAIR_REPLACE_ONE);
  s.group = 2;
  assert_int_equal(dppair_sampling_rare_(&s, 0), DPPAIR_ERR_UNREAD);
  s.group = 0;
  s.batches = 2;
  assert_int_equal(dppair_sampling_rare_(&s, 0), DPPAIR_ERR_UNREAD);
  s.batches = 0;
  s.owned = 4;
  each = dppair_sampling_each_(&s); /* (m - 1)/(m - 3j/4 - 1/(4j)) */
  assert_true(each * (20 - 3 - 1.0 / 16) >= 19 && each * (20 - 3 - 1.0 / 16) < 19 * (1 + 1e-14));
  assert_int_equal(dppair_sampling_owned_(&s), DPPAIR_OK);
  s.kind = DPPAIR_WITH_REPLACEMENT;
  assert_int_equal(dppair_sampling_owned_(&s), DPPAIR_ERR_NO_PROOF);
  s = dppair_sampling_without_replacement(100, 1, DPPAIR_REPLACE_ONE);
  assert_int_equal(dppair_normaliser(&divisor, &s, 1), DPPAIR_OK);
  assert_true(divisor == 1.0);
}

static void no_numbers_need_no_workspace(void **unused) {
  double some[16], *at = some;
  (void)unused;
  assert_int_equal(dppair_work_(&at, 0, NULL, 0), DPPAIR_OK);
  assert_null(at);
  assert_int_equal(dppair_work_(&at, 0, some, sizeof some), DPPAIR_OK);
  assert_null(at);
  assert_int_equal(dppair_work_(&at, 1, NULL, 0), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_work_(&at, 1, some, 71), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(dppair_work_(&at, 1, some, 72), DPPAIR_OK);
  assert_true(at >= some && at + 1 <= some + 9);
  assert_int_equal(dppair_work_(&at, SIZE_MAX / 8, some, sizeof some), DPPAIR_ERR_OVERFLOW);
  assert_null(at);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_heap_sorts_any_order),
      TEST(fields_that_make_no_rate_are_refused),
      TEST(every_status_has_a_sentence_of_its_own),
      TEST(a_fused_product_in_pieces_is_rounded_once),
      TEST(no_numbers_need_no_workspace),
      TEST(a_changed_rounding_mode_is_told),
      TEST(flushing_to_zero_is_told),
      TEST(finiteness_and_size_overflow_are_told_exactly),
      TEST(the_tier_of_this_machine_has_a_name),
      TEST(a_machine_without_a_feature_takes_the_next_tier),
      TEST(a_limit_narrows_the_tier_at_run_time),
      TEST(finite_arrays_are_told_from_others),
      TEST(the_serial_runner_calls_every_part_once),
      TEST(the_auc_is_the_share_of_pairs_in_order_ties_count_half),
      TEST(a_projected_vector_is_never_outside_its_ball_even_by_rounding),
      TEST(risk_and_coefficients_match_a_double_loop_in_long_double),
      TEST(a_users_loss_in_vector_code_and_in_plain_c_agree),
      TEST(sparse_rows_give_what_dense_rows_give),
      TEST(bad_scores_and_pointers_are_refused_and_outputs_zeroed),
      TEST(sizes_that_no_array_can_have_are_refused_without_a_write),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
