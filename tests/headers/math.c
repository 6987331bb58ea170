/* SPDX-License-Identifier: MIT */
/* The headers' own elementary functions: the errors that their proofs state, measured; the exact
 * ones bit for bit; edges. */
#define DPPAIR_OWN_EXACT_
#include <float.h>
#include <limits.h>
#include "tests.h"

#include "dppair_accountant.h"

#if LDBL_MANT_DIG >= 64
typedef double function(double);
typedef long double wide(long double);

/* The error of got in u = 2^-53 relative to right, half of the least number left out below the
 * normal ones; and the same in ulps of right. */
static double error_in_u(double got, long double right, double *ulps) {
  const long double wrong = fabsl((long double)got - right), size = fabsl(right);
  long double beyond = wrong;
  int e;
  if (wrong == 0.0L) return *ulps = 0.0;
  frexpl(right, &e);
  if (size < (long double)DBL_MIN) beyond = fmaxl(0.0L, wrong - ldexpl(1.0L, -1075));
  *ulps = (double)(beyond / ldexpl(1.0L, (e < -1021 ? -1021 : e) - 53));
  return (double)(beyond / size * 9007199254740992.0L);
}

typedef struct worst {
  double u, ulps, at;
} worst;

static void look(worst *w, function *own, wide *right, double x) {
  const long double y = right((long double)x);
  double u, ulps;
  if (fabsl(y) > (long double)DBL_MAX) return;
  u = error_in_u(own(x), y, &ulps);
  if (!(u <= w->u)) w->u = u, w->at = x;
  if (!(ulps <= w->ulps)) w->ulps = ulps;
}

/* Every exponent, with first, last and random digits; where the work is, evenly; neighbours of the
 * numbers at which a function changes its way. */
static worst search(function *own, wide *right, double low, double high, double most) {
  static const double turns[] = {0.34657359027997264,
                                 0.6931471805599453,
                                 1.0397207708399179,
                                 0.70710678118654752,
                                 1.4142135623730951,
                                 0.4142135623730950,
                                 0.2928932188134524,
                                 1.0,
                                 2.0,
                                 37.42994775023705,
                                 36.7368005696771,
                                 709.782712893384,
                                 745.1332191019411,
                                 708.3964185322641,
                                 0.75,
                                 0.7853981633974483,
                                 1.5707963267948966,
                                 3.141592653589793,
                                 0.5,
                                 6.283185307179586,
                                 26.5};
  const int rounds = BRIEF ? 20000 : 150000;
  worst w = {0.0, 0.0, 0.0};
  for (int e = -1074; e < 1024; e++)
    for (int t = 0; t < (BRIEF ? 4 : 24); t++) {
      const double digits = t == 0 ? 1.0 : t == 1 ? 2.0 - DBL_EPSILON : 1.0 + uniform();
      const double x = ldexp(digits, e);
      if (x >= low && x <= high) look(&w, own, right, x);
      if (-x >= low && -x <= high) look(&w, own, right, -x);
    }
  for (int t = 0; t < rounds; t++) {
    const double a = fmax(low, -most), b = fmin(high, most);
    look(&w, own, right, a + (b - a) * uniform());
    look(&w, own, right, fmax(low, fmin(high, 2.0 * uniform() - 0.5)));
    look(&w, own, right, fmax(low, fmin(high, 4.0 * uniform() - 2.0)));
  }
  for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
    for (int sign = -1; sign < 2; sign += 2) {
      double x = sign * turns[i];
      for (int t = 0; t < 40; t++) x = nextafter(x, -HUGE_VAL);
      for (int t = 0; t < 80; t++, x = nextafter(x, HUGE_VAL))
        if (x >= low && x <= high) look(&w, own, right, x);
    }
  return w;
}

static double own_exp(double x) { return dppair_exp_(x); }
static double own_expm1(double x) { return dppair_expm1_(x); }
static double own_log(double x) { return dppair_log_(x); }
static double own_log1p(double x) { return dppair_log1p_(x); }

static double own_sin(double x) { return dppair_sin_(x); }
static double own_cos(double x) { return dppair_cos_(x); }
static double own_tan(double x) { return dppair_tan_(x); }
static double own_exp2(double x) { return dppair_exp2_(x); }
static double own_log2(double x) { return dppair_log2_(x); }
static double own_log10(double x) { return dppair_log10_(x); }
static double own_sinh(double x) { return dppair_sinh_(x); }
static double own_tanh(double x) { return dppair_tanh_(x); }
static double own_asinh(double x) { return dppair_asinh_(x); }
static double own_cbrt(double x) { return dppair_cbrt_(x); }
static double own_acos(double x) { return dppair_acos_(x); }
static double own_atan(double x) { return dppair_atan2_(x, 1.0); }
static double own_atan_back(double x) { return dppair_atan2_(x, -3.0); }
static double own_atan_of(double x) { return dppair_atan2_(1.75, x); }
static long double atan_back(long double x) { return atan2l(x, -3.0L); }
static long double atan_of(long double x) { return atan2l(1.75L, x); }
static double own_erf(double x) { return dppair_erf_(x); }
static double own_erfc(double x) { return dppair_erfc_(x); }
static double own_root(double x) { return dppair_pow_(x, -0.37); }
static double own_power(double x) { return dppair_pow_(1.7, x); }
static long double power_right(long double x) { return powl((long double)1.7, x); }
static long double root_right(long double x) { return powl(x, (long double)-0.37); }

static void errors_are_what_the_proofs_say(void **unused) {
  static const struct {
    const char *name;
    function *own;
    wide *right;
    double low, high, most, u, ulps;
  } cases[] = {
      {"exp", own_exp, expl, -745.2, 710.0, 745.2, DPPAIR_EXP_ERROR_, 0.58},
      {"expm1", own_expm1, expm1l, -DBL_MAX, 710.0, 60.0, DPPAIR_EXPM1_ERROR_, 0.75},
      {"log", own_log, logl, 4.9406564584124654e-324, DBL_MAX, 10.0, DPPAIR_LOG_ERROR_, 0.56},
      {"log1p", own_log1p, log1pl, -1.0 + DBL_EPSILON / 2, DBL_MAX, 10.0, DPPAIR_LOG1P_ERROR_,
       0.57},
      {"sin", own_sin, sinl, -DBL_MAX, DBL_MAX, 20.0, DPPAIR_SIN_ERROR_, 0.85},
      {"cos", own_cos, cosl, -DBL_MAX, DBL_MAX, 20.0, DPPAIR_COS_ERROR_, 0.85},
      {"tan", own_tan, tanl, -DBL_MAX, DBL_MAX, 20.0, 4.0, 4.0},
      {"exp2", own_exp2, exp2l, -1075.0, 1024.0, 60.0, DPPAIR_EXP2_ERROR_, 2.0},
      {"log2", own_log2, log2l, 4.9406564584124654e-324, DBL_MAX, 10.0, DPPAIR_LOG2_ERROR_, 3.8},
      {"log10", own_log10, log10l, 4.9406564584124654e-324, DBL_MAX, 10.0, DPPAIR_LOG10_ERROR_,
       2.8},
      {"sinh", own_sinh, sinhl, -711.0, 711.0, 20.0, DPPAIR_SINH_ERROR_, 5.0},
      {"tanh", own_tanh, tanhl, -DBL_MAX, DBL_MAX, 20.0, DPPAIR_TANH_ERROR_, 4.0},
      {"asinh", own_asinh, asinhl, -DBL_MAX, DBL_MAX, 20.0, DPPAIR_ASINH_ERROR_, 5.0},
      {"cbrt", own_cbrt, cbrtl, -DBL_MAX, DBL_MAX, 20.0, DPPAIR_CBRT_ERROR_, 3.0},
      {"acos", own_acos, acosl, -1.0, 1.0, 1.0, 6.0, 6.0},
      {"atan2", own_atan, atanl, -DBL_MAX, DBL_MAX, 20.0, 3.2, DPPAIR_ATAN2_ERROR_ULPS_},
      {"atan2", own_atan_back, atan_back, -DBL_MAX, DBL_MAX, 20.0, 3.2, DPPAIR_ATAN2_ERROR_ULPS_},
      {"atan2", own_atan_of, atan_of, -DBL_MAX, DBL_MAX, 20.0, 3.2, DPPAIR_ATAN2_ERROR_ULPS_},
      {"erf", own_erf, erfl, -DBL_MAX, DBL_MAX, 7.0, DPPAIR_ERF_ERROR_, 8.0},
      {"erfc", own_erfc, erfcl, -DBL_MAX, DBL_MAX, 27.0, DPPAIR_ERFC_ERROR_, 15.0},
      {"pow", own_root, root_right, DBL_MIN, DBL_MAX, 20.0, 55.0, 55.0},
      {"pow", own_power, power_right, -1300.0, 1300.0, 4.0, 150.0, 150.0},
  };
  (void)unused;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const worst w =
        search(cases[i].own, cases[i].right, cases[i].low, cases[i].high, cases[i].most);
    print_message("%-6s %.4f u (proved %.2f), %.4f ulp (%.2f), at %.17g\n", cases[i].name, w.u,
                  cases[i].u, w.ulps, cases[i].ulps, w.at);
    assert_true(w.u <= cases[i].u && w.ulps <= cases[i].ulps);
    assert_true(w.ulps > 0.49); /* the search sees errors */
  }
}
#endif

static int same(double a, double b) {
  return dppair_bits_f64_(a) == dppair_bits_f64_(b) || (a != a && b != b);
}

static double any_double(void) {
  const uint64_t bits =
      (uint64_t)(uniform() * 4294967296.0) << 32 | (uint64_t)(uniform() * 4294967296.0);
  const double x = dppair_from_bits_f64_(bits);
  return x == x ? x : 1.0; /* a NaN that signals has rules of its own */
}

static const double edges[] = {0.0,
                               -0.0,
                               0.5,
                               -0.5,
                               1.0,
                               -1.0,
                               1.5,
                               -1.5,
                               2.5,
                               0.49999999999999994,
                               -0.49999999999999994,
                               4503599627370495.5,
                               -4503599627370495.5,
                               4503599627370496.0,
                               4503599627370497.0,
                               9007199254740991.0,
                               2.0,
                               4.0,
                               4.9406564584124654e-324,
                               -4.9406564584124654e-324,
                               2.2250738585072009e-308,
                               2.2250738585072014e-308,
                               1.7976931348623157e308,
                               -1.7976931348623157e308};

static void compare_exact(double x, double y) {
  int e, own;
  const double m = frexp(x, &e), mine = dppair_own_frexp_(x, &own);
  assert_true(same(m, mine));
  if (x - x == 0.0) assert_int_equal(e, own);
  assert_true(same(dppair_own_rint_(x), rint(x)));
  assert_true(same(dppair_own_floor_(x), floor(x)));
  assert_true(same(dppair_own_ceil_(x), ceil(x)));
  assert_true(same(dppair_own_copysign_(x, y), copysign(x, y)) || x != x || y != y);
  if (x != y) { /* of 0 and -0 either may be the larger */
    assert_true(same(dppair_own_fmax_(x, y), fmax(x, y)));
    assert_true(same(dppair_own_fmin_(x, y), fmin(x, y)));
  }
  assert_true(same(dppair_sqrt_by_digits_(x), sqrt(x)));
  assert_true(same(dppair_own_sqrt_(x), sqrt(x)));
}

static void exact_functions_are_those_of_the_library(void **unused) {
  static const int powers[] = {0,       1,    -1,    1023,  1024, -1022, -1023, -1074,
                               -1075,   -969, -2098, -3000, 2046, 2047,  3000,  INT_MAX,
                               INT_MIN, 54,   -54,   -1021, 2098, -2099, -1991, -1992};
  const double odd[] = {HUGE_VAL, -HUGE_VAL, (double)NAN};
  (void)unused;
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
    for (size_t j = 0; j < sizeof edges / sizeof *edges; j++) compare_exact(edges[i], edges[j]);
    for (size_t j = 0; j < 3; j++) compare_exact(edges[i], odd[j]), compare_exact(odd[j], edges[i]);
    for (size_t j = 0; j < sizeof powers / sizeof *powers; j++)
      assert_true(same(dppair_own_ldexp_(edges[i], powers[j]), ldexp(edges[i], powers[j])));
  }
  for (int t = 0; t < (BRIEF ? 20000 : 400000); t++) {
    const double x = any_double(), y = (uniform() - 0.5) * ldexp(1.0, (int)(60.0 * uniform()));
    const int n = (int)(4400.0 * (uniform() - 0.5));
    double root = dppair_from_bits_f64_(dppair_bits_f64_(fabs(y)) & UINT64_C(0xfffffffff8000000));
    compare_exact(x, y);
    compare_exact(y, x);
    assert_true(same(dppair_own_ldexp_(x, n), ldexp(x, n)));
    root *= root; /* squares and their neighbours */
    compare_exact(root, 1.0);
    compare_exact(nextafter(root, 0.0), 1.0);
    compare_exact(nextafter(root, HUGE_VAL), 1.0);
  }
}

/* Halves below the normal numbers: rounded once. */
static void powers_of_two_round_once(void **unused) {
  (void)unused;
  for (int t = 0; t < 200000; t++) {
    const double x = ldexp(floor(9007199254740992.0 * uniform()), (int)(8.0 * uniform()) - 53);
    const int n = -1022 - (int)(60.0 * uniform());
    assert_true(same(dppair_own_ldexp_(x, n), ldexp(x, n)));
  }
}

static void edges_are_those_of_the_standard(void **unused) {
  const double inf = HUGE_VAL, nan = (double)NAN, least = 4.9406564584124654e-324;
  (void)unused;
  assert_true(same(dppair_exp_(0.0), 1.0) && same(dppair_exp_(-0.0), 1.0));
  assert_true(same(dppair_exp_(inf), inf) && same(dppair_exp_(-inf), 0.0));
  assert_true(same(dppair_exp_(nan), nan) && same(dppair_exp_(least), 1.0));
  assert_true(same(dppair_exp_(709.78271289338409), inf) && dppair_exp_(709.78271289338397) < inf);
  assert_true(same(dppair_exp_(-745.1), least));
  assert_true(same(dppair_exp_(-745.2), 0.0) && same(dppair_exp_(-DBL_MAX), 0.0));
  assert_true(same(dppair_exp_(-745.14), 0.0) && same(dppair_exp_(DBL_MAX), inf));
  assert_true(same(dppair_expm1_(0.0), 0.0) && same(dppair_expm1_(-0.0), -0.0));
  assert_true(same(dppair_expm1_(inf), inf) && same(dppair_expm1_(-inf), -1.0));
  assert_true(same(dppair_expm1_(nan), nan) && same(dppair_expm1_(-least), -least));
  assert_true(same(dppair_expm1_(710.0), inf) && same(dppair_expm1_(-40.0), -1.0));
  assert_true(same(dppair_expm1_(DBL_MIN), DBL_MIN) && dppair_expm1_(709.78271289338397) < inf);
  assert_true(same(dppair_log_(0.0), -inf) && same(dppair_log_(-0.0), -inf));
  assert_true(same(dppair_log_(1.0), 0.0) && same(dppair_log_(inf), inf));
  assert_true(same(dppair_log_(-1.0), nan) && same(dppair_log_(nan), nan));
  assert_true(same(dppair_log_(-inf), nan) && same(dppair_log_(-least), nan));
  assert_true(same(dppair_log_(least), -744.44007192138122));
  assert_true(same(dppair_log_(DBL_MAX), 709.78271289338397));
  assert_true(same(dppair_log1p_(0.0), 0.0) && same(dppair_log1p_(-0.0), -0.0));
  assert_true(same(dppair_log1p_(-1.0), -inf) && same(dppair_log1p_(inf), inf));
  assert_true(same(dppair_log1p_(-1.5), nan) && same(dppair_log1p_(nan), nan));
  assert_true(same(dppair_log1p_(-inf), nan) && same(dppair_log1p_(-least), -least));
  assert_true(same(dppair_log1p_(DBL_MAX), 709.78271289338397));
}

static void sine_and_cosine_together_are_each(void **unused) {
  const double odd[] = {0.0, -0.0, HUGE_VAL, -HUGE_VAL, (double)NAN, 1e-9, -1e-9, DBL_MAX};
  (void)unused;
  for (int t = 0; t < 40000; t++) {
    const double x = t < 8 ? odd[t] : t % 2 ? any_double() : 40.0 * (uniform() - 0.5);
    double s, c;
    dppair_sin_cos_(&s, &c, x);
    assert_true(same(s, dppair_sin_(x)) && same(c, dppair_cos_(x)));
  }
}

static void edges_of_the_others(void **unused) {
  const double inf = HUGE_VAL, nan = (double)NAN, pi = 3.1415926535897931;
  const double odd[] = {0.0, -0.0, inf, -inf, 1.0, -1.0, nan};
  (void)unused;
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
    for (size_t j = 0; j < sizeof odd / sizeof *odd; j++)
      assert_true(same(dppair_atan2_(odd[i], odd[j]), atan2(odd[i], odd[j])));
  assert_true(same(dppair_atan2_(DBL_MAX, DBL_MAX), 0.25 * pi));
  assert_true(same(dppair_atan2_(DBL_MIN, DBL_MIN), 0.25 * pi));
  assert_true(same(dppair_atan2_(1e-320, 1.0), 1e-320) && same(dppair_atan2_(1e-320, -1.0), pi));
  assert_true(same(dppair_atan2_(DBL_MIN, DBL_MAX), 0.0));
  assert_true(same(dppair_acos_(1.0), 0.0) && same(dppair_acos_(-1.0), pi));
  assert_true(same(dppair_sin_(-0.0), -0.0) && same(dppair_cos_(-0.0), 1.0));
  assert_true(same(dppair_sin_(inf), nan) && same(dppair_cos_(-inf), nan));
  assert_true(same(dppair_sin_(nan), nan) && same(dppair_cos_(nan), nan));
  for (int k = -1074; k < 1024; k++) {
    assert_true(dppair_log2_(ldexp(1.0, k)) == k);
    assert_true(same(dppair_exp2_(k), ldexp(1.0, k)));
  }
  assert_true(same(dppair_exp2_(1024.0), inf) && same(dppair_exp2_(-1080.0), 0.0));
  assert_true(same(dppair_exp2_(inf), inf) && same(dppair_exp2_(-inf), 0.0));
  assert_true(same(dppair_exp2_(nan), nan) && same(dppair_log2_(-1.0), nan));
  assert_true(same(dppair_log2_(0.0), -inf) && same(dppair_log2_(inf), inf));
  assert_true(same(dppair_hypot_(nan, 1.0), nan) && same(dppair_hypot_(1.0, nan), nan));
  assert_true(same(dppair_hypot_(0.0, -0.0), 0.0) && same(dppair_hypot_(-3.0, 4.0), 5.0));
  assert_true(same(dppair_pow_(2.0, nan), nan) && same(dppair_pow_(0x1p-1060, 0.5), 0x1p-530));
  assert_true(same(dppair_pow_(nan, 0.0), 1.0) && same(dppair_pow_(1.0, nan), 1.0));
  assert_true(same(dppair_pow_(0.0, 2.0), 0.0) && same(dppair_pow_(0.0, -2.0), inf));
  assert_true(same(dppair_pow_(inf, 2.0), inf) && same(dppair_pow_(inf, -2.0), 0.0));
  assert_true(same(dppair_pow_(2.0, inf), inf) && same(dppair_pow_(2.0, -inf), 0.0));
  assert_true(same(dppair_pow_(0.5, inf), 0.0) && same(dppair_pow_(-2.0, 0.5), nan));
  assert_true(same(dppair_cbrt_(-0.0), -0.0) && same(dppair_cbrt_(-inf), -inf));
  assert_true(same(dppair_cbrt_(nan), nan) && same(dppair_cbrt_(inf), inf));
  assert_true(same(dppair_tanh_(-inf), -1.0) && same(dppair_tanh_(-0.0), -0.0));
  assert_true(same(dppair_sinh_(-inf), -inf) && same(dppair_sinh_(-0.0), -0.0));
  assert_true(same(dppair_asinh_(-inf), -inf) && same(dppair_asinh_(-0.0), -0.0));
  assert_true(same(dppair_erfc_(inf), 0.0) && same(dppair_erfc_(-inf), 2.0));
  assert_true(same(dppair_erf_(-0.0), -0.0) && same(dppair_erf_(-inf), -1.0));
  assert_true(same(dppair_erf_(nan), nan) && same(dppair_erfc_(nan), nan));
  assert_true(same(dppair_tanh_(nan), nan) && same(dppair_sinh_(nan), nan));
}

/* Numbers that depend on no library, processor or compiler. */
#define ANSWER UINT64_C(0xe921c94b527d129b)
static uint64_t mix(uint64_t h, double x) {
  h = (h ^ dppair_bits_f64_(x)) * UINT64_C(0x100000001b3);
  return h ^ h >> 29;
}

static void bits_are_the_same_everywhere(void **unused) {
  uint64_t h = 0;
  (void)unused;
  for (int i = -20000; i <= 20000; i++) {
    const double x = i * 0.0366210937501, y = (i + 20000.5) * 0.00011;
    h = mix(mix(h, dppair_exp_(x)), dppair_expm1_(0.01 * x));
    h = mix(mix(h, dppair_log_(y)), dppair_log1p_(y - 0.99));
    h = mix(mix(h, dppair_sqrt_by_digits_(y)), dppair_sin_(x * 9.7));
    h = mix(mix(h, dppair_cos_(x * 1e9)), dppair_atan2_(x, y - 1.0));
    h = mix(mix(h, dppair_pow_(y, x * 0.01)), dppair_tanh_(y));
  }
  if (h != ANSWER) print_error("%016llx\n", (unsigned long long)h);
  assert_true(h == ANSWER);
}

int main(void) {
  const struct CMUnitTest tests[] = {
#if LDBL_MANT_DIG >= 64
    TEST(errors_are_what_the_proofs_say),
#endif
    TEST(exact_functions_are_those_of_the_library),
    TEST(powers_of_two_round_once),
    TEST(edges_are_those_of_the_standard),
    TEST(sine_and_cosine_together_are_each),
    TEST(edges_of_the_others),
    TEST(bits_are_the_same_everywhere),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
