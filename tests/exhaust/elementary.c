/* SPDX-License-Identifier: MIT */
/*
 * The elementary functions of src/core/math_*.h and src/accountant/curves/normal.h against 160 digits of
 * binary, on numbers of every size, on neighbours of all places where one changes its way, and on
 * those doubles of each exponent that come nearest to a multiple of pi/2. The largest error of each
 * as a share of the one that its proof states.
 *
 *   elementary [times]    1: seconds; 10: a minute
 */
#include "wide.h"

#include <float.h>
#include <math.h>

#include "dppair_accountant.h"

enum { PLACES = 160 };

typedef double own_function(double);
typedef int right_function(mpfr_t, const mpfr_t, mpfr_rnd_t);

static uint64_t times = 1;

typedef struct search {
  const char *name;
  own_function *own;
  right_function *right;
  double low, high, u,
      ulps;    /* where, and the errors that are stated: in 2^-53 and, or 0, in ulps */
  double turn; /* multiples of it are where the function changes its way, or 0 */
} search;

static mpfr_t argument, answer, off;

typedef struct worst {
  double u, ulps, at;
  uint64_t cases;
} worst;

static double uniform(void) { return (double)(random64() >> 11) * 0x1p-53; }

/* A result below the normal numbers may have half of the least one on top. */
static void look(worst *w, const search *s, double x) {
  mpfr_exp_t e;
  double u, ulps;
  if (!(x >= s->low && x <= s->high)) return;
  mpfr_set_d(argument, x, MPFR_RNDN);
  (void)s->right(answer, argument, MPFR_RNDN);
  if (mpfr_zero_p(answer)) return;
  e = mpfr_get_exp(answer);
  if (e > 1024) return;
  mpfr_sub_d(off, answer, s->own(x), MPFR_RNDN);
  mpfr_abs(off, off, MPFR_RNDN);
  w->cases++;
  if (e < -1021) {
    mpfr_set_ui_2exp(argument, 1, -1075, MPFR_RNDN);
    mpfr_sub(off, off, argument, MPFR_RNDN);
    if (mpfr_sgn(off) < 0) return;
  }
  mpfr_mul_2si(argument, off, 53 - (e < -1021 ? -1021 : e), MPFR_RNDN);
  ulps = mpfr_get_d(argument, MPFR_RNDU);
  mpfr_div(off, off, answer, MPFR_RNDN);
  u = fabs(mpfr_get_d(off, MPFR_RNDA)) * 0x1p53;
  if (!(u <= w->u)) w->u = u, w->at = x;
  if (!(ulps <= w->ulps)) w->ulps = ulps;
}

static void neighbours(worst *w, const search *s, double x, int each) {
  double up = x, down = x;
  int i;
  for (i = 0; i <= each; i++, up = nextafter(up, HUGE_VAL), down = nextafter(down, -HUGE_VAL))
    look(w, s, up), look(w, s, down), look(w, s, -up), look(w, s, -down);
}

/* The doubles m 2^e nearest to multiples of pi/2, relative to it: denominators of the continued
 * fraction of 2^e 2/pi, and their multiples with 53 digits. */
static void near_quarters(worst *w, const search *s, int e) {
  double before = 0.0, q = 1.0;
  mpfr_t x;
  mpfr_init2(x, 1400);
  mpfr_const_pi(x, MPFR_RNDN);
  mpfr_ui_div(x, 2, x, MPFR_RNDN);
  mpfr_mul_2si(x, x, e, MPFR_RNDN);
  while (mpfr_frac(x, x, MPFR_RNDN), !mpfr_zero_p(x)) {
    double next;
    mpfr_ui_div(x, 1, x, MPFR_RNDN);
    if (mpfr_cmp_d(x, 0x1p53) > 0) break;
    next = before + floor(mpfr_get_d(x, MPFR_RNDD)) * q;
    if (!(next < 0x1p53)) break;
    before = q, q = next;
    if (q < 0x1p40) continue;
    for (int i = 1; i < 4 && i * q < 0x1p53; i++) look(w, s, ldexp(i * q, e));
    look(w, s, -ldexp(floor(0x1p53 / q) * q, e));
  }
  mpfr_clear(x);
}

static void run(const search *s) {
  static const double places[] = {
      0.0,    0x1p-54, 0x1p-28,  0x1p-27,     0x1p20, 0x1p28,  0.7071067811865476,
      0.25,   0.1875,  0.6875,   1.375,       1.0,    2.0,     1.4142135623730951,
      28.0,   26.5,    38.0,     36.7368,     54.0,   200.0,   709.782712893384,
      745.15, 708.396, 710.476,  1.07150e301, 1024.0, 1074.99, 1.18305e-271,
      30.0,   0.03125, 0.015625, 0x1p-1022,   0x1p54, 22.18,   37.4299};
  worst w = {0.0, 0.0, 0.0, 0};
  const double sizes[] = {1.0, 4.0, 30.0, 750.0};
  for (int e = -1074; e < 1024; e++)
    for (uint64_t t = 0; t < 4 * times + 4; t++) {
      const double x = ldexp(t == 0 ? 1.0 : t == 1 ? 2.0 - 0x1p-52 : 1.0 + uniform(), e);
      look(&w, s, x), look(&w, s, -x);
    }
  for (uint64_t t = 0; t < 4000 * times; t++)
    for (int i = 0; i < 4; i++) look(&w, s, (2.0 * uniform() - 1.0) * sizes[i]);
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    neighbours(&w, s, places[i], (int)(4 * times));
  for (int k = 1; s->turn > 0.0 && k < 1000 + (int)(1000 * times); k++)
    neighbours(&w, s, k * s->turn, 2);
  if (s->right == mpfr_sin || s->right == mpfr_cos || s->right == mpfr_tan)
    for (int e = -60; e < 971; e++) near_quarters(&w, s, e);
  printf("elementary: %s, %g u (%.3f u at %.17g)\t%llu\t%.3f\t%s\n", s->name, s->u, w.u, w.at,
         (unsigned long long)w.cases, w.u / s->u, w.u <= s->u && w.u > 0.4 ? "holds" : "FAILS");
  bad |= !(w.u <= s->u && w.u > 0.4);
  if (s->ulps > 0.0) {
    printf("elementary: %s, %g ulp\t%llu\t%.3f\t%s\n", s->name, s->ulps,
           (unsigned long long)w.cases, w.ulps / s->ulps, w.ulps <= s->ulps ? "holds" : "FAILS");
    bad |= !(w.ulps <= s->ulps);
  }
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
static double own_erf(double x) { return dppair_erf_(x); }
static double own_erfc(double x) { return dppair_erfc_(x); }
static double own_mills(double x) { return dppair_mills_(x); }
static double own_slope(double x) { return dppair_mills_slope_(x); }
static double own_kernel(double x) { return dppair_gauss_kernel_(x, 0.0); }

/* Of two arguments: the other one is fixed for a search. */
static double other;
static double own_angle(double x) { return dppair_atan2_(x, other); }
static double own_angle_of(double x) { return dppair_atan2_(other, x); }
static double own_hypot(double x) { return dppair_hypot_(x, other); }

static int angle(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding) {
  mpfr_set_d(off, other, MPFR_RNDN);
  return mpfr_atan2(r, x, off, rounding);
}

static int angle_of(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding) {
  mpfr_set_d(off, other, MPFR_RNDN);
  return mpfr_atan2(r, off, x, rounding);
}

static int length(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding) {
  mpfr_set_d(off, other, MPFR_RNDN);
  return mpfr_hypot(r, x, off, rounding);
}

/* Mills' ratio by the definition: sqrt(pi/2) e^(x^2/2) erfc(x/sqrt 2). */
static int mills(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding) {
  mpfr_t a;
  mpfr_init2(a, 2 * PLACES);
  mpfr_sqrt_ui(a, 2, MPFR_RNDN);
  mpfr_div(a, x, a, MPFR_RNDN);
  mpfr_erfc(off, a, MPFR_RNDN);
  mpfr_sqr(a, a, MPFR_RNDN);
  mpfr_exp(a, a, MPFR_RNDN);
  mpfr_mul(off, off, a, MPFR_RNDN);
  mpfr_const_pi(a, MPFR_RNDN);
  mpfr_div_2ui(a, a, 1, MPFR_RNDN);
  mpfr_sqrt(a, a, MPFR_RNDN);
  mpfr_mul(r, off, a, rounding);
  mpfr_clear(a);
  return 0;
}

static int slope(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding) {
  (void)mills(r, x, MPFR_RNDN);
  mpfr_mul(r, r, x, MPFR_RNDN);
  return mpfr_ui_sub(r, 1, r, rounding);
}

static int kernel(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding) {
  mpfr_sqr(off, x, MPFR_RNDN);
  mpfr_div_2ui(off, off, 1, MPFR_RNDN);
  mpfr_neg(off, off, MPFR_RNDN);
  return mpfr_exp(r, off, rounding);
}

/* x^y, within (5.3 + 0.2 |y ln x|) u. */
static void powers(void) {
  double worst = 0.0;
  uint64_t cases = 0;
  for (uint64_t i = 0; i < 20000 * times; i++) {
    const double x = i % 2 ? exp(1400.0 * uniform() - 700.0) : 4.0 * uniform();
    const double y = 2.0 * (2.0 * uniform() - 1.0) * (i % 3 ? 1.0 : 300.0);
    double size;
    mpfr_set_d(argument, x, MPFR_RNDN);
    mpfr_set_d(off, y, MPFR_RNDN);
    mpfr_pow(answer, argument, off, MPFR_RNDN);
    size = mpfr_get_d(answer, MPFR_RNDN);
    if (!(size <= DBL_MAX && size >= DBL_MIN) || x == 0.0) continue;
    cases++;
    mpfr_sub_d(off, answer, dppair_pow_(x, y), MPFR_RNDN);
    mpfr_div(off, off, answer, MPFR_RNDN);
    raise_to(&worst, fabs(mpfr_get_d(off, MPFR_RNDA)) * 0x1p53 / (5.3 + 0.2 * fabs(y * log(x))));
  }
  line("elementary: pow, (5.3 + 0.2 |y ln x|) u", cases, worst, 0.2);
}

/* --- The Gaussian curve ----------------------------------------------------------------------- */

/* right = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu). */
static void curve(mpfr_t right, double epsilon, double mu) {
  mpfr_t a, b, c;
  mpfr_inits2(700, a, b, c, (mpfr_ptr)0);
  mpfr_set_d(c, mu, MPFR_RNDN);
  mpfr_d_div(a, epsilon, c, MPFR_RNDN); /* a = epsilon/mu, c = mu/2 */
  mpfr_div_2ui(c, c, 1, MPFR_RNDN);
  mpfr_add(b, a, c, MPFR_RNDN);
  mpfr_sub(a, a, c, MPFR_RNDN);
  mpfr_sqrt_ui(c, 2, MPFR_RNDN);
  mpfr_div(a, a, c, MPFR_RNDN);
  mpfr_div(b, b, c, MPFR_RNDN);
  mpfr_erfc(a, a, MPFR_RNDN);
  mpfr_erfc(b, b, MPFR_RNDN);
  mpfr_set_d(c, epsilon, MPFR_RNDN);
  mpfr_exp(c, c, MPFR_RNDN);
  mpfr_mul(b, b, c, MPFR_RNDN);
  mpfr_sub(a, a, b, MPFR_RNDN);
  mpfr_div_2ui(right, a, 1, MPFR_RNDN);
  mpfr_clears(a, b, c, (mpfr_ptr)0);
}

/* delta's error and that of what is said: the value without its slack within it, the bound not
 * below. t = epsilon/mu - mu/2 and mu are drawn; half of mu next to where the difference begins. */
static void curves(void) {
  double worst = 0.0, at[2] = {0.0, 0.0};
  uint64_t cases = 0, below = 0;
  for (uint64_t i = 0; i < 6000 * times; i++) {
    double t = i % 3 == 0   ? 8.0 * uniform() - 1.0
               : i % 3 == 1 ? 2.0 * uniform() - 1.0
                            : 40.0 * uniform() - 3.0;
    double mu = i % 4 < 2 ? 0.025 * (t + 2.0) * (1.0 + uniform() * uniform() * (i % 4 ? 1.0 : -0.9))
                          : exp(20.0 * uniform() - 14.0);
    double epsilon, delta, size;
    if (mu < -2.0 * t) mu = -2.0 * t * (1.0 + uniform());
    epsilon = mu * (t + 0.5 * mu);
    if (!(mu > 0.0 && epsilon >= 0.0 && epsilon < 1e4)) continue;
    curve(answer, epsilon, mu);
    size = mpfr_get_d(answer, MPFR_RNDN);
    if (size < 1e-280) continue;
    cases++;
    mpfr_sub_d(off, answer, dppair_curve_(epsilon, mu).delta, MPFR_RNDN);
    mpfr_div(off, off, answer, MPFR_RNDN);
    if (fabs(mpfr_get_d(off, MPFR_RNDA)) > worst)
      worst = fabs(mpfr_get_d(off, MPFR_RNDA)), at[0] = epsilon, at[1] = mu;
    below +=
        dppair_gaussian_delta(&delta, epsilon, mu) != DPPAIR_OK || mpfr_cmp_d(answer, delta) > 0;
  }
  printf("Gaussian curve: delta, %g (%.3g at %.17g, %.17g)\t%llu\t%.3f\t%s\n", DPPAIR_CURVE_SLACK_,
         worst, at[0], at[1], (unsigned long long)cases, worst / DPPAIR_CURVE_SLACK_,
         worst <= DPPAIR_CURVE_SLACK_ && worst > 1e-16 ? "holds" : "FAILS");
  bad |= !(worst <= DPPAIR_CURVE_SLACK_ && worst > 1e-16);
  equal_line("Gaussian curve: delta is not below the exact one", cases, below);
}

int main(int argc, char **argv) {
  static const search cases[] = {
      {"exp", own_exp, mpfr_exp, -746.0, 709.8, DPPAIR_EXP_ERROR_, 0.58, 0.01083042469624914545},
      {"expm1", own_expm1, mpfr_expm1, -DBL_MAX, 709.8, DPPAIR_EXPM1_ERROR_, 0.75,
       0.34657359027997264},
      {"log", own_log, mpfr_log, 0.0, DBL_MAX, DPPAIR_LOG_ERROR_, 0.55, 1.0 / 128},
      {"log1p", own_log1p, mpfr_log1p, -1.0, DBL_MAX, DPPAIR_LOG1P_ERROR_, 0.57, 1.0 / 128},
      {"sin", own_sin, mpfr_sin, -DBL_MAX, DBL_MAX, DPPAIR_SIN_ERROR_, 0.85, 0.78539816339744831},
      {"cos", own_cos, mpfr_cos, -DBL_MAX, DBL_MAX, DPPAIR_COS_ERROR_, 0.85, 0.78539816339744831},
      {"tan", own_tan, mpfr_tan, -DBL_MAX, DBL_MAX, 4.0, 0.0, 0.78539816339744831},
      {"exp2", own_exp2, mpfr_exp2, -1076.0, 1024.0, DPPAIR_EXP2_ERROR_, 0.0, 0.5},
      {"log2", own_log2, mpfr_log2, 0.0, DBL_MAX, DPPAIR_LOG2_ERROR_, 0.0, 1.0 / 128},
      {"log10", own_log10, mpfr_log10, 0.0, DBL_MAX, DPPAIR_LOG10_ERROR_, 0.0, 1.0 / 128},
      {"sinh", own_sinh, mpfr_sinh, -711.0, 711.0, DPPAIR_SINH_ERROR_, 0.0, 0.34657359027997264},
      {"tanh", own_tanh, mpfr_tanh, -DBL_MAX, DBL_MAX, DPPAIR_TANH_ERROR_, 0.0,
       0.34657359027997264},
      {"asinh", own_asinh, mpfr_asinh, -DBL_MAX, DBL_MAX, DPPAIR_ASINH_ERROR_, 0.0, 1.0 / 128},
      {"cbrt", own_cbrt, mpfr_cbrt, -DBL_MAX, DBL_MAX, DPPAIR_CBRT_ERROR_, 0.0, 1.0 / 128},
      {"acos", own_acos, mpfr_acos, -1.0, 1.0, 6.0, 0.0, 1.0 / 1024},
      {"erf", own_erf, mpfr_erf, -DBL_MAX, DBL_MAX, DPPAIR_ERF_ERROR_, 0.0, 1.0 / 128},
      {"erfc", own_erfc, mpfr_erfc, -DBL_MAX, 30.0, DPPAIR_ERFC_ERROR_, 0.0, 1.0 / 128},
      {"Mills' ratio", own_mills, mills, -1.0, 3e4, 7e-16 * 0x1p53, 0.0, 1.0 / 128},
      {"Mills' ratio, x >= 0", own_mills, mills, 0.0, 3e4, 6e-16 * 0x1p53, 0.0, 1.0 / 128},
      {"its slope", own_slope, slope, -1.0, 3e4, 2e-15 * 0x1p53, 0.0, 1.0 / 128},
      {"Gaussian kernel", own_kernel, kernel, -37.6, 37.6, 3.4, 0.0, 1.0 / 128},
  };
  static const double others[] = {1.0, -3.0, 1e-300, 0x1.9p-1070};
  search s = {"", NULL, NULL, -DBL_MAX, DBL_MAX, 0.0, 0.0, 1.0 / 128};
  (void)setvbuf(stdout, NULL, _IOLBF, 0);
  if (argc > 1) times = strtoull(argv[1], NULL, 10);
  mpfr_inits2(PLACES, argument, answer, off, (mpfr_ptr)0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) run(&cases[i]);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    other = others[i];
    s.name = "atan2(x, .)", s.own = own_angle, s.right = angle, s.u = 2 * DPPAIR_ATAN2_ERROR_ULPS_;
    s.ulps = DPPAIR_ATAN2_ERROR_ULPS_;
    run(&s);
    s.name = "atan2(., x)", s.own = own_angle_of, s.right = angle_of;
    run(&s);
    if (i == 3) break; /* a length beside it is exact */
    s.name = "hypot", s.own = own_hypot, s.right = length, s.u = 4.0, s.ulps = 0.0;
    run(&s);
  }
  powers();
  curves();
  return bad;
}
