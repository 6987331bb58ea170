/* SPDX-License-Identifier: MIT */
/* Skellam noise: its laws by exact probabilities, its decisions against arithmetic of 113 bits, and
 * what it adds up to; numbers made integers; the shares of sites. */
#include "tests.h"

#include <quadmath.h>

#include "dppair_shares.h"
#include "dppair_noise.h"
#include "dppair.h"

#include "dppair_accountant.h"
#include "questions.h"
#include "draws.h"

typedef __float128 quad;

static dppair_rng keyed(uint64_t stream) {
  dppair_rng rng;
  uint8_t key[32] = {77};
  assert_int_equal(dppair_rng_from_key(&rng, key, stream), DPPAIR_OK);
  return rng;
}

static quad quad_of(const dppair_fix_ *x, unsigned places) {
  quad sum = 0;
  for (unsigned i = 0; i < places + 2; i++)
    sum += scalbnq((quad)x->w[i], 32 * ((int)i - (int)places));
  return sum;
}

/* f(k) = -ln(p(k)/p(K)) of a Poisson law: by the sum of its factors where they are few. */
static quad depth(double mean, uint64_t k) {
  const uint64_t mode = (uint64_t)mean;
  quad sum = 0;
  if (k < mode + 300 && mode < k + 300) {
    for (uint64_t i = mode; i < k; i++) sum += logq(((quad)(i + 1)) / (quad)mean);
    for (uint64_t i = k; i < mode; i++) sum -= logq(((quad)(i + 1)) / (quad)mean);
    return sum;
  }
  return lgammaq((quad)k + 1) - lgammaq((quad)mode + 1) - ((quad)k - (quad)mode) * logq((quad)mean);
}

static const double MEANS[] = {5e-7,    0.05,    0.4999, 0.5,    1 - 0x1p-53, 1,     1.3,
                               2,       7.7,     15.99,  16,     31.5,        100,   255.5,
                               256,     1000.25, 4096,   65535,  65535.75,    65536, 65537.5,
                               1234567, 0x1p30,  3.7e9,  0x1p38, 0x1p49};
enum { MEANS_COUNT = sizeof MEANS / sizeof *MEANS };

/* Places worth looking at: around the mode, at the ends of candidates' blocks, far out. */
static uint64_t place(const dppair_poisson_ *p, unsigned i) {
  const uint64_t mode = (uint64_t)p->mode, W = p->width;
  const uint64_t far = i < 8 ? i : (i < 40 ? (i / 4 - 1) * W + i % 4 - 2 : (i - 30) * W + 1);
  if (i % 2 == 0) return mode + far;
  return far <= mode ? mode - far : mode + 2 * far;
}

static void candidates_cover_the_law(void **state) {
  (void)state;
  for (unsigned m = 0; m < MEANS_COUNT; m++) {
    dppair_poisson_ p;
    uint64_t b;
    dppair_poisson_make_(&p, MEANS[m]);
    assert_true((double)p.width >= 1.18 * sqrt(MEANS[m]) + 1.7);
    for (b = 0; b < 16; b++) { /* the block's end that is next to the mode; p falls from there on */
      const uint64_t mode = (uint64_t)p.mode, i = b * p.width;
      assert_true(depth(p.mean, mode + i) >= (quad)b * M_LN2q * (1 - 1e-25Q));
      if (i <= mode) assert_true(depth(p.mean, mode - i) >= (quad)b * M_LN2q * (1 - 1e-25Q));
    }
  }
  for (double mean = 1e-3; mean < 1e5; mean *= 1.017) { /* b = 1 is the worst: f is convex */
    dppair_poisson_ p;
    dppair_poisson_make_(&p, mean);
    assert_true(depth(mean, (uint64_t)p.mode + p.width) >= M_LN2q);
    if ((double)p.width <= p.mode) assert_true(depth(mean, (uint64_t)p.mode - p.width) >= M_LN2q);
  }
}

/* Candidates' probabilities times those of being kept are the law, from the code's own pieces. */
static void kept_candidates_have_the_law(void **state) {
  static const double means[] = {5e-7, 0.5, 1, 3.65, 50};
  (void)state;
  for (unsigned m = 0; m < 5; m++) {
    dppair_poisson_ p;
    double sum = 0, most = 0, kept[2] = {0, 0};
    dppair_poisson_make_(&p, means[m]);
    for (int round = 0; round < 2; round++)
      for (uint64_t i = 0; i < 25 * p.width; i++)
        for (int left = 0; left < 2; left++) {
          const uint64_t mode = (uint64_t)p.mode, k = left ? mode - 1 - i : mode + i,
                         b = i / p.width;
          const double proposed = ldexp(0.5 / (double)p.width, -(int)b - 1);
          double t, got, want;
          if (left && i >= mode) continue;
          if (!(dppair_poisson_f64_(&t, &p, (double)k, (double)b) < 1)) continue;
          assert_true(t > -1e-9);
          got = proposed * exp(-t);
          if (round == 0) sum += got;
          if (round == 0) continue;
          want = (double)expq((quad)k * logq((quad)p.mean) - (quad)p.mean - lgammaq((quad)k + 1));
          most = fmax(most, fabs(got / sum - want));
          kept[left] += got;
        }
    assert_true(most < 1e-11);
    assert_true(sum > 0.1 && sum < 0.7); /* how many are kept */
  }
}

/* The double level's bounds hold, and are not idle. */
static void bounds_in_double_hold(void **state) {
  double worst = 0;
  (void)state;
  for (unsigned m = 0; m < MEANS_COUNT; m++)
    for (unsigned i = 0; i < 100; i++) {
      dppair_poisson_ p;
      uint64_t k;
      double t, bound, off;
      dppair_poisson_make_(&p, MEANS[m]);
      k = place(&p, i);
      bound = dppair_poisson_f64_(&t, &p, (double)k, (double)(i % 7));
      if (!(bound < HUGE_VAL)) {
        assert_true(p.mode >= DPPAIR_POISSON_LARGE_ && i > 20);
        continue;
      }
      off = (double)fabsq((quad)t - (depth(MEANS[m], k) - (quad)(i % 7) * M_LN2q));
      worst = fmax(worst, off / bound);
    }
  assert_true(worst < 0.5 && worst > 0.01);
  for (unsigned x = 16; x < 40; x++) { /* of Stirling's series: every term of it counts at 16 */
    const quad large = ((quad)x + 0.5Q) * logq(x) - x + 0.5Q * logq(2 * M_PIq);
    assert_true(fabsq((quad)dppair_stirling_f64_(x) - (lgammaq(x + 1.0Q) - large)) < 0x1p-52Q);
  }
  for (unsigned i = 0; i < 1000; i++) { /* and of the logarithm */
    const double x = exp((double)(random_bits() >> 40) * 0x1p-19 - 16), got = dppair_log_f64_(x);
    assert_true(fabsq((quad)got - logq((quad)x)) <= 4 * 0x1p-53Q * (1 + fabsq(logq((quad)x))));
  }
}

/* The bounds themselves, where one of their parts is all there is: 10 u of each, three times. */
static void bounds_in_double_count_every_part(void **state) {
  dppair_poisson_ p;
  double t, size = 1.0;
  (void)state;
  assert_true(dppair_log_factorial_f64_(&size, 10) > 15.1 && size > 16.1 && size < 16.2);
  dppair_poisson_make_(&p, 3e9);
  for (int b = 0; b < 7; b++) { /* at the mode: b ln 2, and 8 for all that does not grow */
    const double bound = dppair_poisson_f64_(&t, &p, p.mode, b) * 0x1p48;
    assert_true(bound >= b + 8.0 && bound < b + 8.0 + 1e-6);
  }
}

/* The one of 256 bits is inside that of 128, at both ends. */
static void enclosures_of_stirlings_series_are_nested(void **state) {
  static const uint32_t xs[] = {256, 300, 1000, 65535, 4000000000u};
  (void)state;
  for (int i = 0; i < 5; i++) {
    dppair_range_ r[2];
    for (unsigned k = 0; k < 2; k++) {
      dppair_fix_ x;
      memset(&x, 0, sizeof x);
      x.w[4 + 4 * k] = xs[i];
      dppair_stirling_exact_(&r[k], &x, 4 + 4 * k);
    }
    for (int end = 0; end < 2; end++) {
      const uint32_t *wide = end ? r[0].hi.w : r[0].lo.w, *narrow = end ? r[1].hi.w : r[1].lo.w;
      int w = 5;
      while (w > 0 && wide[w] == narrow[w + 4]) w--;
      assert_true(end ? wide[w] > narrow[w + 4] : wide[w] < narrow[w + 4]);
    }
  }
}

static int inside(const dppair_range_ *r, quad value, quad off, unsigned places) {
  return quad_of(&r->lo, places) <= value + off && value - off <= quad_of(&r->hi, places);
}

static quad width_of(const dppair_range_ *r, unsigned places) {
  dppair_fix_ d;
  (void)dppair_fix_sub_(&d, &r->hi, &r->lo, places);
  return quad_of(&d, places);
}

static void enclosures_hold_and_are_narrow(void **state) {
  static const double xs[] = {5e-7, 0.5, 0.75, 1, 1.4, 2, 3, 255, 256, 1e6, 0x1p49, 0x1.8p49};
  static const uint64_t ks[] = {0,
                                1,
                                2,
                                15,
                                17,
                                100,
                                255,
                                256,
                                257,
                                1000,
                                65536,
                                1234567,
                                UINT64_C(1) << 38,
                                UINT64_C(1) << 50};
  (void)state;
  for (unsigned places = 4; places <= 12; places += 4) {
    dppair_range_ r;
    for (unsigned i = 0; i < sizeof xs / sizeof *xs; i++) {
      const quad want = fabsq(logq((quad)xs[i]));
      assert_int_equal(dppair_log_exact_(&r, xs[i], places), xs[i] < 1);
      assert_true(inside(&r, want, 1e-32Q * (1 + want), places));
      assert_true(width_of(&r, places) < scalbnq(1, 10 - 32 * (int)places));
    }
    for (unsigned i = 0; i < sizeof ks / sizeof *ks; i++) {
      const quad want = lgammaq((quad)ks[i] + 1) + 1 - logq(2 * M_PIq) / 2;
      dppair_log_factorial_exact_(&r, ks[i], places);
      assert_true(inside(&r, want, 1e-32Q * (10 + want), places));
      assert_true(width_of(&r, places) <
                  fmaxq(scalbnq((quad)(ks[i] + 256), 12 - 32 * (int)places), 0x1p-199Q));
      { /* ln (k + 1)! = ln k! + ln(k + 1), to the last place */
        dppair_range_ next, log;
        dppair_log_factorial_exact_(&next, ks[i] + 1, places);
        (void)dppair_log_exact_(&log, (double)(ks[i] + 1), places);
        dppair_range_add_(&r, &r, &log, places);
        assert_true(dppair_fix_sub_(&log.lo, &r.lo, &next.hi, places) == 1);
        assert_true(dppair_fix_sub_(&log.lo, &next.lo, &r.hi, places) == 1);
      }
    }
  }
}

/* A source whose first words are the digits of u. */
static dppair_source_ fed(quad u, dppair_rng *rng) {
  dppair_source_ s;
  dppair_source_open_(&s, rng);
  for (unsigned i = 0; i < 12; i++) {
    const quad digits = floorq(u * 0x1p32Q);
    s.words[i] = (uint32_t)digits;
    u = u * 0x1p32Q - digits;
  }
  s.end = 12;
  return s;
}

/* Below the caller all bits are set. */
__attribute__((noinline)) static void use_the_stack(void) {
  unsigned char used[8192];
  memset(used, 0xff, sizeof used);
  __asm__ __volatile__("" : : "r"(used) : "memory");
}

/* -ln U of a short string, whatever the stack holds: its other digits are zeros. */
static void strings_have_their_logarithms(void **state) {
  static const double us[] = {0.5, 0.625, 0.75, 0.9375, 0x1.4p-20, 0x1p-33};
  dppair_rng rng = keyed(1);
  (void)state;
  for (unsigned places = 4; places <= 12; places += 4)
    for (unsigned i = 0; i < sizeof us / sizeof *us; i++) {
      const quad want = -logq((quad)us[i]);
      dppair_source_ s = fed((quad)us[i], &rng);
      dppair_decision_ u;
      dppair_range_ r;
      u.count = 0;
      memset(s.words + 12, 0, sizeof s.words - 12 * sizeof *s.words);
      s.end = sizeof s.words / sizeof *s.words;
      use_the_stack();
      assert_int_equal(dppair_decision_exact_(&r, &u, &s, places), DPPAIR_OK);
      assert_true(inside(&r, want, 1e-32Q * (1 + want), places));
      assert_true(width_of(&r, places) < scalbnq(1, 10 - 32 * (int)places));
    }
}

/* U next to the probability of being kept, from far off to the 85th digit: the words that follow
 * are zeros, and only more precision can tell. */
static void near_ties_are_decided_as_wide_arithmetic_does(void **state) {
  dppair_rng rng = keyed(1);
  (void)state;
  for (unsigned m = 0; m < MEANS_COUNT; m++)
    for (unsigned i = 1; i < 60; i += MEANS[m] < 300 ? 23 : 5) {
      dppair_poisson_ p;
      uint64_t k;
      dppair_poisson_make_(&p, MEANS[m]);
      k = place(&p, i);
      for (int digits = 20; digits <= (MEANS[m] < 2000 ? 85 : 45); digits += 13)
        for (int side = -1; side <= 1; side += 2) {
          const quad t = depth(MEANS[m], k) - (quad)(i % 3) * M_LN2q;
          dppair_source_ s;
          if (t < 1e-6Q || t > 150) continue; /* U is below 1; what quad has digits for */
          s = fed(expq(-t) * (1 + side * scalbnq(1, -digits)), &rng);
          assert_int_equal(dppair_poisson_keeps_(&p, k, i % 3, &s), side < 0);
          assert_int_equal(s.status, DPPAIR_OK);
          dppair_wipe(&s, sizeof s);
        }
    }
}

/* The same for random laws, places and digits: FRONTIER of them. */
static void random_near_ties_are_decided_too(void **state) {
  const char *text = getenv("FRONTIER");
  const long tries = text != NULL ? atol(text) : 40;
  dppair_rng rng = keyed(7);
  (void)state;
  for (long i = 0; i < tries; i++) {
    const double mean = log_between(5e-7, i % 2 ? 3000 : 0x1p49), spread = sqrt(mean) + 1;
    const double at = floor(fmax(0, mean + 4 * spread * normal()));
    const int side = i % 4 < 2 ? 1 : -1, digits = 10 + (int)below(mean < 3000 ? 75 : 38);
    const quad t = depth(mean, (uint64_t)at);
    dppair_poisson_ p;
    dppair_source_ s;
    dppair_poisson_make_(&p, mean);
    if (t < 1e-3Q || t > 150) continue;
    s = fed(expq(-t) * (1 + side * scalbnq(1, -digits)), &rng);
    assert_int_equal(dppair_poisson_keeps_(&p, (uint64_t)at, 0, &s), side < 0);
    assert_int_equal(s.status, DPPAIR_OK);
  }
}

static void a_string_that_decides_nothing_is_an_error(void **state) {
  dppair_rng rng = keyed(2);
  dppair_poisson_ p;
  dppair_source_ s;
  (void)state;
  dppair_poisson_make_(&p, 10);
  s = fed(0, &rng); /* 0.000.. beyond 18 words */
  memset(s.words, 0, sizeof s.words);
  s.end = 400;
  assert_int_equal(dppair_poisson_keeps_(&p, 14, 0, &s), 0);
  assert_int_equal(s.status, DPPAIR_ERR_EXHAUSTED);
  s = fed(0, &rng);
  memset(s.words, 0, sizeof s.words);
  s.end = 400;
  assert_true(dppair_poisson_draw_(&p, &s) == 0); /* no block ends */
  assert_int_equal(s.status, DPPAIR_ERR_OVERFLOW);
  s = fed(0, &rng); /* K itself: 1 - U = 2^-128 is too little for the double level */
  memset(s.words, 0xff, 4 * sizeof *s.words);
  assert_int_equal(dppair_poisson_keeps_(&p, 10, 0, &s), 1);
  assert_true(s.at > 3 && s.status == DPPAIR_OK);
}

/* --- laws ------------------------------------------------------------------------------------- */

/* Pr[X = x] e^-m I_|x|(m) by the series of the Bessel function, in quad. */
static double pmf(double m, int64_t x) {
  const quad half = (quad)m / 2;
  const uint64_t k = (uint64_t)(x < 0 ? -x : x);
  quad term = expq((quad)k * logq(half) - lgammaq((quad)k + 1) - (quad)m), sum = 0;
  for (uint64_t j = 0; term > sum * 1e-30Q || (quad)(j * (j + k)) < half * half; j++) {
    sum += term;
    term *= half * half / ((quad)(j + 1) * (quad)(j + 1 + k));
  }
  return (double)sum;
}

/* An upper bound of the chi-square quantile at 1e-6 (Wilson and Hilferty, z = 4.75). */
static double chi_square_limit(double cells) {
  double f = cells - 1, a = 2 / (9 * f), root = 1 - a + 4.75 * sqrt(a);
  return f * root * root * root;
}

enum { DRAWS = 5000, SIDE = 64 };

/* Counts draws in cells of `step` integers around 0, the ends with all that is beyond. */
static void check_law(const int64_t *x, size_t n, double m, int64_t step) {
  double want[2 * SIDE + 1] = {0}, got[2 * SIDE + 1] = {0}, total = 0, square = 0, left = 0,
                         seen = 0;
  double cells = 0;
  for (int c = -SIDE; c <= SIDE; c++) {
    const double at = (double)c * (double)step;
    for (int64_t i = 0; i < step && m <= 2000; i++) want[c + SIDE] += pmf(m, c * step + i);
    if (m > 2000) /* the lattice does not show any more */
      want[c + SIDE] =
          0.5 * (erfc((at - 0.5) / sqrt(2 * m)) - erfc((at + (double)step - 0.5) / sqrt(2 * m)));
    total += want[c + SIDE];
  }
  assert_true(fabs(total - 1) < 1e-4);
  for (size_t i = 0; i < n; i++) {
    int64_t c = x[i] >= 0 ? x[i] / step : -((-x[i] + step - 1) / step);
    c = c > SIDE ? SIDE : c < -SIDE ? -SIDE : c;
    got[c + SIDE]++;
  }
  for (int c = 0; c <= 2 * SIDE; c++) { /* cells with less than 8 expected are put together */
    left += want[c] * (double)n;
    seen += got[c];
    if (left < 8 && c < 2 * SIDE) continue;
    if (left >= 1) square += (seen - left) * (seen - left) / left, cells++;
    left = seen = 0;
  }
  if (cells > 1) assert_true(square < chi_square_limit(cells + 1));
}

static void draws_have_the_law_of_bessel_functions(void **state) {
  static const struct {
    double m;
    int64_t step;
  } row[] = {{1e-6, 1}, {0.1, 1}, {1, 1}, {2.6, 1}, {30.5, 1}, {800, 4}, {1e6, 97}, {1e12, 99991}};
  static int64_t x[DRAWS];
  dppair_rng rng = keyed(3);
  (void)state;
  for (unsigned r = 0; r < sizeof row / sizeof *row; r++) {
    assert_int_equal(dppair_skellam(x, DRAWS, row[r].m, &rng), DPPAIR_OK);
    check_law(x, DRAWS, row[r].m, row[r].step);
  }
}

static void shares_add_up_to_the_whole(void **state) {
  static const struct {
    double m;
    size_t shares;
    int64_t step;
  } row[] = {{7.3, 3, 1}, {600, 4, 4}, {6e-6, 3, 1}};
  static int64_t x[DRAWS];
  dppair_rng rng = keyed(4);
  (void)state;
  for (unsigned r = 0; r < 3; r++) {
    memset(x, 0, sizeof x);
    for (size_t i = 0; i < row[r].shares; i++)
      assert_int_equal(dppair_add_skellam_share(x, DRAWS, row[r].m, row[r].shares, &rng),
                       DPPAIR_OK);
    check_law(x, DRAWS, row[r].m, row[r].step);
  }
}

/* A share of a quarter draws what a quarter of the variance does: rounding it up moves no draw. */
static void a_share_has_its_part_of_the_variance(void **state) {
  static int64_t x[DRAWS], y[DRAWS];
  dppair_rng rng = keyed(5), same = rng;
  (void)state;
  memset(x, 0, sizeof x);
  assert_int_equal(dppair_add_skellam_share(x, DRAWS, 80, 4, &rng), DPPAIR_OK);
  assert_int_equal(dppair_skellam(y, DRAWS, 20, &same), DPPAIR_OK);
  assert_memory_equal(x, y, sizeof x);
}

static void noise_is_a_function_of_the_key(void **state) {
  static const double m[] = {0.3, 12, 70000, 3e5, 1e12};
  static const int64_t known[5][4] = {{0, 0, 1, 0},
                                      {2, 0, 0, -2},
                                      {-9, 60, 111, -186},
                                      {407, 470, -296, 529},
                                      {-765122, 98694, 1305921, -1344200}};
  int64_t x[4], y[4];
  (void)state;
  for (unsigned r = 0; r < 5; r++) {
    dppair_rng rng = keyed(10 + r), same = rng;
    assert_int_equal(dppair_skellam(x, 4, m[r], &rng), DPPAIR_OK);
    for (unsigned i = 0; i < 4; i++) assert_true(x[i] == known[r][i]);
    for (unsigned i = 0; i < 4; i++) y[i] = INT64_MAX - 1; /* wraps around */
    assert_int_equal(dppair_add_skellam(y, 4, m[r], &same), DPPAIR_OK);
    for (unsigned i = 0; i < 4; i++)
      assert_true((uint64_t)y[i] == (uint64_t)INT64_MAX - 1 + (uint64_t)x[i]);
  }
}

static void noise_refuses_what_it_cannot_draw(void **state) {
  int64_t x[2] = {5, 5};
  dppair_rng rng = keyed(5), none;
  (void)state;
  memset(&none, 0, sizeof none);
  assert_int_equal(dppair_skellam(NULL, 2, 1, &rng), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_skellam(x, 2, (double)NAN, &rng), DPPAIR_ERR_NOT_FINITE);
  assert_true(x[0] == 0 && x[1] == 0);
  assert_int_equal(dppair_skellam(x, 2, 0.9e-6, &rng), DPPAIR_ERR_SIGMA);
  assert_int_equal(dppair_skellam(x, 2, 0x1.0001p50, &rng), DPPAIR_ERR_SIGMA);
  assert_int_equal(dppair_skellam(x, 2, -1, &rng), DPPAIR_ERR_SIGMA);
  assert_int_equal(dppair_skellam(x, 2, 0x1p50, &rng), DPPAIR_OK);
  x[0] = x[1] = 7;
  assert_int_equal(dppair_add_skellam(x, 2, 1, &none), DPPAIR_ERR_CIPHER);
  assert_true(x[0] == 0 && x[1] == 0);
  assert_int_equal(dppair_add_skellam(x, 2, 1, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_skellam(NULL, 0, 1, &rng), DPPAIR_OK);
  x[0] = 7;
  assert_int_equal(dppair_add_skellam_share(x, 2, 1, 0, &rng), DPPAIR_ERR_SIZE);
  assert_true(x[0] == 0);
  assert_int_equal(dppair_add_skellam_share(x, 2, 1, 2000000, &rng), DPPAIR_ERR_SIGMA);
  assert_int_equal(dppair_add_skellam_share(x, 2, HUGE_VAL, 2, &rng), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_add_skellam_share(NULL, 2, 1, 2, &rng), DPPAIR_ERR_NULL);
}

/* --- integers --------------------------------------------------------------------------------- */

enum { D = 5 };
static int64_t sum[D];
static dppair_integers q;

static void open_q(dppair_quantised how, double scale, double length, size_t nonzero) {
  assert_int_equal(dppair_integers_open(&q, sum, D, how, scale, length, nonzero), DPPAIR_OK);
}

static quad norm_of(const int64_t *x) {
  quad s = 0;
  for (int k = 0; k < D; k++) s += (quad)x[k] * (quad)x[k];
  return sqrtq(s);
}

static void random_vector(double *x, double length) {
  double norm = 0;
  for (int k = 0; k < D; k++) x[k] = normal(), norm += x[k] * x[k];
  for (int k = 0; k < D; k++) x[k] *= length / sqrt(norm);
}

static void truncated_records_stay_within_their_length(void **state) {
  static const double far[] = {0.1, 0.999999, 1, 1 + 1e-15, 1.5, 1e6, 1e200, 1e300};
  (void)state;
  for (int round = 0; round < 1500; round++) {
    const double scale = ldexp(1, (int)below(60) - 20), length = log_between(1e-3, 1e3);
    const double times = far[below(8)];
    double x[D];
    open_q(DPPAIR_QUANTISED_TRUNCATED, scale, length, 0);
    random_vector(x, 1);
    for (int k = 0; k < D; k++) x[k] *= length * times;
    assert_int_equal(dppair_quantise(&q, x, NULL), DPPAIR_OK);
    assert_true(norm_of(sum) <= (quad)scale * (quad)length);
    for (int k = 0; k < D && times <= 0.999999; k++)
      assert_true((quad)sum[k] == truncq((quad)scale * (quad)x[k]));
    if (times > 1.4 && scale * length > 1e4) /* shortened by no more than it takes */
      assert_true(norm_of(sum) >= (quad)(scale * length) * (1 - 1e-12Q) - sqrtq(D));
  }
}

static void no_number_is_an_error(void **state) {
  const double bad[] = {HUGE_VAL, -HUGE_VAL, (double)NAN};
  (void)state;
  for (int b = 0; b < 3; b++) {
    double x[D] = {1, 2, 3, 4, 5};
    x[2] = bad[b];
    open_q(DPPAIR_QUANTISED_TRUNCATED, 4, 100, 0);
    assert_int_equal(dppair_quantise(&q, x, NULL), DPPAIR_OK); /* the vector counts as 0 */
    for (int k = 0; k < D; k++) assert_true(sum[k] == 0);
    open_q(DPPAIR_QUANTISED_ROUNDED, 4, 100, D);
    assert_int_equal(dppair_quantise(&q, x, NULL), DPPAIR_OK);
    for (int k = 0; k < D; k++) assert_true(sum[k] == (k == 2 ? 0 : 4 * (k + 1)));
  }
  for (int how = 1; how < 3; how++) {
    const double x[D] = {DBL_MAX, -DBL_MAX, 4e-324, -4e-324, 0};
    open_q((dppair_quantised)how, 0x1p512, ldexp(1, -452), how == 1 ? 0 : D);
    assert_int_equal(dppair_quantise(&q, x, NULL), DPPAIR_OK);
    assert_true(norm_of(sum) <= (how == 1 ? 0x1p60Q : 0x1p63Q));
    assert_true(how == 1 || (sum[0] == INT64_C(1) << 62 && sum[1] == -sum[0]));
    assert_true(sum[2] == 0 && sum[3] == 0 && sum[4] == 0);
  }
}

/* Rounded down after u, exactly; and every two sums are as near as their sensitivity says. */
static void rounded_sums_move_as_far_as_they_may(void **state) {
  static const double y[] = {0,      -0.0, 0.5, -0.5, 1e-300, -1e-300, 0x1.fffffffffffffp-2,
                             0x1p52, -3.25};
  (void)state;
  for (unsigned i = 0; i < 2000; i++) {
    const double at = i < 9 * 9 ? y[i / 9] : between(-3, 3);
    const double u = i < 9 * 9 ? fabs(y[i % 9]) < 1 ? fabs(y[i % 9]) : 1 - 0x1p-53 : uniform();
    const double u53 = floor(u * 0x1p53) * 0x1p-53;
    assert_true((quad)dppair_integer_(at, DPPAIR_QUANTISED_ROUNDED, u53) == floorq((quad)at + u53));
    assert_true(fabsq((quad)dppair_integer_(at, DPPAIR_QUANTISED_ROUNDED, -1) - at) <= 0.5Q);
  }
  for (int round = 0; round < 2000; round++) {
    const dppair_quantised how = (dppair_quantised)(2 + round % 2);
    const double scale = ldexp(1, (int)below(12) - 6);
    const size_t moved = 1 + below(D);
    double x[D], z[D], length = 0, bound;
    dppair_rng one = keyed((uint64_t)round), other = round % 2 ? keyed(99999) : one;
    int64_t first[D];
    random_vector(x, 5);
    memcpy(z, x, sizeof z);
    for (size_t k = 0; k < moved; k++) z[k] += between(-2, 2), length = hypot(length, z[k] - x[k]);
    length *= 1 + 1e-12;
    open_q(how, scale, length, moved);
    assert_int_equal(dppair_quantise(&q, x, round % 4 ? &one : how == 2 ? NULL : &one), DPPAIR_OK);
    memcpy(first, sum, sizeof first);
    open_q(how, scale, length, moved);
    assert_int_equal(dppair_quantise(&q, z,
                                     round % 4  ? &other
                                     : how == 2 ? NULL
                                                : &other),
                     DPPAIR_OK);
    for (int k = 0; k < D; k++) first[k] -= (size_t)k < moved || how == 2 ? sum[k] : first[k];
    assert_int_equal(
        dppair_sensitivity_quantised(&bound, how, length, scale, moved, DPPAIR_ZERO_OUT),
        DPPAIR_OK);
    assert_true(norm_of(first) <= (quad)bound);
  }
}

static void integers_refuse_what_has_no_sensitivity(void **state) {
  const double x[D] = {1, 2, 3, 4, 5};
  dppair_rng rng = keyed(6);
  (void)state;
#define OPEN(how, scale, length, nonzero)                                                          \
  dppair_integers_open(&q, sum, D, (dppair_quantised)(how), scale, length, nonzero)
  assert_int_equal(OPEN(1, 3, 1, 0), DPPAIR_ERR_DOMAIN); /* no power of two */
  assert_int_equal(OPEN(1, -2, 1, 0), DPPAIR_ERR_DOMAIN);
  assert_int_equal(OPEN(1, 2, 0, 0), DPPAIR_ERR_DOMAIN);
  assert_int_equal(OPEN(1, 0x1p40, 0x1p22, 0), DPPAIR_ERR_DOMAIN); /* beyond 2^61 */
  assert_int_equal(OPEN(0, 2, 1, 0), DPPAIR_ERR_DOMAIN);
  assert_int_equal(OPEN(4, 2, 1, 1), DPPAIR_ERR_DOMAIN);
  assert_int_equal(OPEN(1, 2, 1, 1), DPPAIR_ERR_UNREAD);
  assert_int_equal(OPEN(2, 2, 1, 0), DPPAIR_ERR_SIZE);
  assert_int_equal(OPEN(2, (double)NAN, 1, 1), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(OPEN(2, 2, HUGE_VAL, 1), DPPAIR_ERR_NOT_FINITE);
  for (int power = -513; power <= 513; power++) /* scales from 2^-512 to 2^512 */
    assert_int_equal(OPEN(2, ldexp(1, power), 1, 1),
                     power < -512 || power > 512 ? DPPAIR_ERR_DOMAIN : DPPAIR_OK);
#undef OPEN
  assert_int_equal(dppair_quantise(&q, x, NULL), DPPAIR_ERR_DOMAIN); /* not open */
  assert_int_equal(dppair_integers_open(NULL, sum, D, DPPAIR_QUANTISED_TRUNCATED, 1, 1, 0),
                   DPPAIR_ERR_NULL);
  assert_int_equal(dppair_integers_open(&q, NULL, D, DPPAIR_QUANTISED_TRUNCATED, 1, 1, 0),
                   DPPAIR_ERR_NULL);
  assert_int_equal(dppair_integers_open(&q, sum, 0, DPPAIR_QUANTISED_TRUNCATED, 1, 1, 0),
                   DPPAIR_ERR_SIZE);
  open_q(DPPAIR_QUANTISED_TRUNCATED, 1, 100, 0);
  assert_int_equal(dppair_quantise(&q, x, &rng), DPPAIR_ERR_UNREAD);
  assert_true(q.sum == NULL && sum[0] == 0); /* closed: no release takes it */
  open_q(DPPAIR_QUANTISED_ROUNDED, 1, 100, D);
  assert_int_equal(dppair_quantise(&q, x, NULL), DPPAIR_OK);
  assert_int_equal(dppair_quantise(&q, x, NULL), DPPAIR_ERR_SIZE); /* sums that are rounded apart */
  assert_true(q.sum == NULL && sum[0] == 0);
  open_q(DPPAIR_QUANTISED_RANDOMLY, 1, 100, D);
  assert_int_equal(dppair_quantise(&q, x, NULL), DPPAIR_ERR_NULL);
  open_q(DPPAIR_QUANTISED_TRUNCATED, 1, 100, 0);
  assert_int_equal(dppair_quantise(&q, NULL, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_quantise(NULL, x, NULL), DPPAIR_ERR_NULL);
}

/* --- shares ----------------------------------------------------------------------------------- */

enum { N = 40, SITES = 3, STEPS = 60 };

static dppair_plan plan_of(double epsilon, dppair_adjacency adjacency) {
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(N, adjacency);
  plan.noise = DPPAIR_SKELLAM;
  plan.epsilon = epsilon, plan.delta = 1e-6, plan.steps = STEPS;
  return plan;
}

/* Three sites with the same plan and keys of their own; `honest` of them are counted on. The sum is
 * that of the records, and its noise has the variance that the account charges, times 3/honest. */
static void shares_of_sites_are_one_release(void **state) {
  (void)state;
  for (size_t honest = 1; honest <= SITES; honest++) {
    const unsigned bits = honest == 2 ? 32 : 64;
    double square = 0, variance = 0, moved, epsilon, count = 0, v[D];
    static dppair_accountant account[SITES];
    static dppair_release release[SITES];
    for (int site = 0; site < SITES; site++) {
      dppair_plan plan = plan_of(2, DPPAIR_REPLACE_ONE);
      const uint8_t key[32] = {(uint8_t)(1 + site)}, run[16] = {5};
      const dppair_release_keys keys = {key, run};
      dppair_accountant_init(&account[site]);
      assert_int_equal(calibrate(&plan, &account[site], NULL, 0), DPPAIR_OK);
      assert_int_equal(dppair_release_open(&release[site], &account[site], &plan, &keys),
                       DPPAIR_OK);
      assert_int_equal(answer_epsilon(&epsilon, &account[site], 1e-6), DPPAIR_OK);
      assert_true(epsilon <= 2 && epsilon > 1.999);
    }
    for (int step = 0; step < STEPS; step++) {
      uint64_t all[D] = {0}, share[D];
      int64_t truth[D] = {0};
      for (int site = 0; site < SITES; site++) {
        open_q(DPPAIR_QUANTISED_TRUNCATED, 0x1p10, 1, 0);
        for (int i = 0; i < N; i++) {
          double x[D];
          random_vector(x, 1);
          assert_int_equal(dppair_quantise(&q, x, NULL), DPPAIR_OK);
        }
        for (int k = 0; k < D; k++) truth[k] += sum[k];
        assert_int_equal(
            dppair_release_share_variance(&variance, &moved, &release[site], &q, honest),
            DPPAIR_OK);
        assert_true(moved >= 2048 && moved < 2048.1);
        assert_int_equal(dppair_release_share(share, &release[site], &q, honest, bits), DPPAIR_OK);
        assert_int_equal(dppair_shares_add(all, share, D, bits), DPPAIR_OK);
        assert_true(bits == 64 || share[0] >> 32 == 0);
      }
      assert_true(release[0].divisor == 1); /* the sum, not a mean */
      assert_int_equal(dppair_shares_value(v, all, D, bits, 0x1p10), DPPAIR_OK);
      for (int k = 0; k < D; k++) {
        const double noise = v[k] * 0x1p10 - (double)truth[k];
        square += noise * noise, count++;
      }
    }
    { /* what is counted on is enough, and no more is drawn */
      double sigma, z = release[0].noise_multiplier;
      assert_int_equal(dppair_skellam_sigma(&sigma, variance * (double)honest), DPPAIR_OK);
      assert_true(sigma >= z * 2048 && sigma < z * 2048 * (1 + 1e-6));
      assert_true(release[0].sigma >= z * 2048 && release[0].sigma <= sigma);
    }
    square /= count * SITES * variance;
    assert_true(fabs(square - 1) < 5.5 * sqrt(2 / count));
    open_q(DPPAIR_QUANTISED_TRUNCATED, 0x1p10, 1, 0);
    assert_int_equal(dppair_release_share((uint64_t *)sum, &release[0], &q, 1, 64),
                     DPPAIR_ERR_EXHAUSTED);
  }
}

static void shares_are_refused_where_nothing_is_proved(void **state) {
  static dppair_accountant account;
  static dppair_release release;
  dppair_plan plan = plan_of(1, DPPAIR_ZERO_OUT);
  uint64_t share[D] = {7};
  const double x[D] = {1, 2, 3, 4, 5};
  double v[D] = {1}, variance, moved;
  size_t count, index[N];
  (void)state;
  dppair_accountant_init(&account);
  assert_int_equal(dppair_release_open(&release, &account, &plan, NULL), DPPAIR_ERR_NOT_CALIBRATED);
  assert_int_equal(calibrate(&plan, &account, NULL, 0), DPPAIR_OK);
  assert_int_equal(dppair_release_open(&release, &account, &plan, NULL), DPPAIR_OK);
  assert_int_equal(dppair_release_vector(v, D, &release, 1), DPPAIR_ERR_LAW);
  assert_true(v[0] == 0.0);
  assert_int_equal(dppair_release_part(&release, 0.5), DPPAIR_ERR_LAW);
  open_q(DPPAIR_QUANTISED_TRUNCATED, 0x1p10, 10, 0);
#define REFUSED(r, s, honest, bits, status)                                                        \
  do {                                                                                             \
    share[0] = 7;                                                                                  \
    assert_int_equal(dppair_release_share(share, r, s, honest, bits), status);                     \
    assert_true((s) == NULL || (s)->size == 0 || share[0] == 0);                                   \
  } while (0)
  REFUSED(&release, &q, 0, 32, DPPAIR_ERR_SIZE);
  REFUSED(&release, &q, 1, 0, DPPAIR_ERR_DOMAIN);
  REFUSED(&release, &q, 1, 65, DPPAIR_ERR_DOMAIN);
  REFUSED(&release, (dppair_integers *)NULL, 1, 32, DPPAIR_ERR_NULL);
  REFUSED((dppair_release *)NULL, &q, 1, 32, DPPAIR_ERR_NULL);
  assert_int_equal(dppair_release_share(NULL, &release, &q, 1, 32), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_release_share_variance(NULL, &moved, &release, &q, 1), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_release_share_variance(&variance, NULL, &release, &q, 1), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_release_share_variance(&variance, &moved, &release, NULL, 1),
                   DPPAIR_ERR_NULL);
  for (int i = 0; i <= N; i++) assert_int_equal(dppair_quantise(&q, x, NULL), DPPAIR_OK);
  REFUSED(&release, &q, 1, 32, DPPAIR_ERR_SIZE); /* more vectors than records */
  open_q(DPPAIR_QUANTISED_TRUNCATED, 0x1p-30, 10, 0);
  REFUSED(&release, &q, 1000, 32, DPPAIR_ERR_SIGMA); /* less than can be drawn */
  open_q(DPPAIR_QUANTISED_TRUNCATED, 0x1p40, 10, 0);
  REFUSED(&release, &q, 1, 32, DPPAIR_ERR_SIGMA); /* and more */
  assert_int_equal(dppair_quantise(&q, NULL, NULL), DPPAIR_ERR_NULL);
  REFUSED(&release, &q, 1, 32, DPPAIR_ERR_DOMAIN); /* closed by an error */
  assert_int_equal(release.step, 0);               /* none of these used a permit */
  plan = plan_of(0, DPPAIR_ZERO_OUT);
  plan.noise = DPPAIR_GAUSSIAN, plan.delta = 0, plan.noise_multiplier = 1;
  dppair_accountant_init(&account);
  assert_int_equal(dppair_release_open(&release, &account, &plan, NULL), DPPAIR_OK);
  open_q(DPPAIR_QUANTISED_TRUNCATED, 0x1p10, 10, 0);
  REFUSED(&release, &q, 1, 32, DPPAIR_ERR_LAW);
  plan = plan_of(0, DPPAIR_ZERO_OUT); /* drawn records */
  plan.sampling = dppair_sampling_poisson(N, 10, DPPAIR_ZERO_OUT);
  plan.delta = 0, plan.noise_multiplier = 1;
  dppair_accountant_init(&account);
  assert_int_equal(dppair_release_open(&release, &account, &plan, NULL), DPPAIR_OK);
  REFUSED(&release, &q, 1, 32, DPPAIR_ERR_NOT_DRAWN);
  assert_int_equal(draw_now(index, &count, N, &release), DPPAIR_OK);
  assert_int_equal(dppair_release_share_variance(&variance, &moved, &release, &q, 1), DPPAIR_OK);
  assert_true(moved >= 10240 && moved < 10240.1 && variance > moved * moved);
  assert_int_equal(dppair_release_share(share, &release, &q, 1, 32), DPPAIR_OK);
  REFUSED(&release, &q, 1, 32, DPPAIR_ERR_NOT_DRAWN); /* the next step is not drawn */
#undef REFUSED
}

static void sums_modulo_a_power_of_two_have_a_sign(void **state) {
  const uint64_t from[3] = {UINT64_MAX, 5, UINT64_C(1) << 31};
  uint64_t to[3] = {0, UINT64_MAX - 2, 3};
  double v[3];
  (void)state;
  assert_int_equal(dppair_shares_add(to, from, 3, 32), DPPAIR_OK);
  assert_true(to[0] == UINT32_MAX && to[1] == 2 && to[2] == (UINT64_C(1) << 31) + 3);
  assert_int_equal(dppair_shares_value(v, to, 3, 32, 4), DPPAIR_OK);
  assert_true(v[0] == -0.25 && v[1] == 0.5 && v[2] == -(0x1p31 - 3) / 4);
  assert_int_equal(dppair_shares_value(v, from, 3, 64, 1), DPPAIR_OK);
  assert_true(v[0] == -1 && v[1] == 5 && v[2] == 0x1p31);
  assert_int_equal(dppair_shares_value(v, from, 3, 1, 1), DPPAIR_OK);
  assert_true(v[0] == -1 && v[1] == -1 && v[2] == 0);
  assert_int_equal(dppair_shares_value(v, from, 3, 0, 1), DPPAIR_ERR_DOMAIN);
  assert_true(v[0] == 0);
  assert_int_equal(dppair_shares_value(v, from, 3, 8, 0), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_shares_value(v, from, 3, 8, HUGE_VAL), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_shares_value(v, NULL, 3, 8, 1), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_shares_value(NULL, from, 3, 8, 1), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_shares_add(to, NULL, 3, 8), DPPAIR_ERR_NULL);
  assert_true(to[0] == 0);
  assert_int_equal(dppair_shares_add(to, from, 3, 65), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_shares_add(NULL, from, 3, 8), DPPAIR_ERR_NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(candidates_cover_the_law),
      TEST(kept_candidates_have_the_law),
      TEST(bounds_in_double_hold),
      TEST(bounds_in_double_count_every_part),
      TEST(enclosures_of_stirlings_series_are_nested),
      TEST(enclosures_hold_and_are_narrow),
      TEST(strings_have_their_logarithms),
      TEST(near_ties_are_decided_as_wide_arithmetic_does),
      TEST(random_near_ties_are_decided_too),
      TEST(a_string_that_decides_nothing_is_an_error),
      TEST(draws_have_the_law_of_bessel_functions),
      TEST(shares_add_up_to_the_whole),
      TEST(a_share_has_its_part_of_the_variance),
      TEST(noise_is_a_function_of_the_key),
      TEST(noise_refuses_what_it_cannot_draw),
      TEST(truncated_records_stay_within_their_length),
      TEST(no_number_is_an_error),
      TEST(rounded_sums_move_as_far_as_they_may),
      TEST(integers_refuse_what_has_no_sensitivity),
      TEST(shares_of_sites_are_one_release),
      TEST(shares_are_refused_where_nothing_is_proved),
      TEST(sums_modulo_a_power_of_two_have_a_sign),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
