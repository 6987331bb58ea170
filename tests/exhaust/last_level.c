/* SPDX-License-Identifier: MIT */
/*
 * The last level, forced: what reaches it once in 2^20 numbers or less is called for every number, at
 * each of its precisions, and compared with 500 digits. Its arithmetic of 128, 256 and 384 bits
 * against integers of any size, on words that are edges; enclosures against their stated widths.
 *
 *   last_level [times]    1: the least; 20: a minute
 */
#define DPPAIR_WITH_SHARES
#include "dppair_l2ball.h"
#include "dppair_shares.h"

#include "wide.h"

static uint64_t times = 1;

/* --- Constants -------------------------------------------------------------------------------- */

static uint64_t wrong_words(const uint32_t words[13], const mpfr_t right) {
  uint64_t wrong = 0;
  mpfr_t rest;
  mpfr_init2(rest, BITS);
  mpfr_set(rest, right, MPFR_RNDN);
  for (int i = 0; i < 13; i++) {
    const uint32_t word = (uint32_t)mpfr_get_ui(rest, MPFR_RNDZ);
    wrong += word != words[i] ? 1u : 0u;
    mpfr_sub_ui(rest, rest, word, MPFR_RNDN);
    mpfr_mul_2ui(rest, rest, 32, MPFR_RNDN);
  }
  mpfr_clear(rest);
  return wrong;
}

static void constants(void) {
  uint64_t wrong;
  mpfr_t x;
  mpfr_init2(x, BITS);
  mpfr_const_log2(x, MPFR_RNDN);
  wrong = wrong_words(dppair_ln2_words_, x);
  mpfr_const_pi(x, MPFR_RNDN);
  mpfr_mul_2ui(x, x, 1, MPFR_RNDN);
  wrong += wrong_words(dppair_two_pi_words_, x);
  equal_line("last level: ln 2 and 2 pi, all words", 26, wrong);
  mpfr_clear(x);
}

/* --- Arithmetic ------------------------------------------------------------------------------- */

static void edge_fix(dppair_fix_ *a, mpz_t z, unsigned places) {
  memset(a, 0, sizeof *a);
  for (unsigned i = 0; i < places + 2; i++) a->w[i] = edge_word();
  if (random64() % 4 == 0) a->w[places + 1] = a->w[places] = 0;
  mpz_import(z, places + 2, -1, 4, 0, 0, a->w);
}

static int is(const dppair_fix_ *a, mpz_t right, unsigned places) {
  int same;
  mpz_t z;
  mpz_init(z);
  mpz_fdiv_r_2exp(right, right, 32 * (places + 2));
  mpz_import(z, places + 2, -1, 4, 0, 0, a->w);
  same = mpz_cmp(z, right) == 0;
  mpz_clear(z);
  return same;
}

static void arithmetic(void) {
  enum { SUMS, PRODUCTS, SMALL, QUOTIENTS, ROOTS, SHIFTS, OPERATIONS };
  static const char *name[OPERATIONS] = {
      "last level: sums, differences, ulps up and down", "last level: products, rounded down",
      "last level: by small integers",                   "last level: quotients",
      "last level: roots",                               "last level: shifts"};
  uint64_t cases[OPERATIONS] = {0}, wrong[OPERATIONS] = {0};
  mpz_t x, y, r, one;
  mpz_inits(x, y, r, one, (mpz_ptr)0);
  for (uint64_t n = 0; n < 6000 * times; n++) {
    const unsigned places = 4 + 4 * (unsigned)(n % 3), bits = 1 + (unsigned)(random64() % 31);
    const uint32_t m = edge_word() | 1u, in = edge_word() >> (32 - bits);
    dppair_fix_ a, b, c;
    int flag;
#define CHECK(what, right) (cases[what]++, wrong[what] += (right) ? 0u : 1u)
    edge_fix(&a, x, places);
    edge_fix(&b, y, places);
    dppair_fix_add_(&c, &a, &b, places);
    mpz_add(r, x, y);
    CHECK(SUMS, is(&c, r, places));
    flag = dppair_fix_sub_(&c, &a, &b, places);
    mpz_sub(r, x, y);
    CHECK(SUMS, flag == (mpz_cmp(x, y) < 0) && is(&c, r, places));
    dppair_fix_up_(&c, &a, m, places);
    mpz_add_ui(r, x, m);
    CHECK(SUMS, is(&c, r, places));
    dppair_fix_down_(&c, &a, m, places);
    mpz_sub_ui(r, x, m);
    if (mpz_sgn(r) < 0) mpz_set_ui(r, 0);
    CHECK(SUMS, is(&c, r, places));
    mpz_mul(r, x, y);
    mpz_fdiv_q_2exp(r, r, 32 * places);
    dppair_fix_mul_(&c, &a, &b, places);
    CHECK(PRODUCTS, is(&c, r, places));
    dppair_fix_scale_(&c, &a, m, places);
    mpz_mul_ui(r, x, m);
    CHECK(SMALL, is(&c, r, places));
    flag = dppair_fix_shrink_(&c, &a, m, places);
    mpz_fdiv_q_ui(r, x, m);
    CHECK(SMALL, flag == (mpz_sgn(r) == 0) && is(&c, r, places));
    c = a;
    dppair_fix_shift_in_(&c, bits, in, places);
    mpz_mul_2exp(r, x, bits);
    mpz_add_ui(r, r, in);
    CHECK(SHIFTS, is(&c, r, places));
    if (mpz_sgn(y) > 0 && n % 8 == 0) {
      a.w[places + 1] = 0; /* the long division works on remainders below 2^63 */
      b.w[places + 1] &= 0x7fffffffu;
      mpz_import(x, places + 2, -1, 4, 0, 0, a.w);
      mpz_import(y, places + 2, -1, 4, 0, 0, b.w);
      if (mpz_sgn(y) == 0) continue;
      mpz_mul_2exp(r, x, 32 * places);
      mpz_fdiv_q(r, r, y);
      if (mpz_sizeinbase(r, 2) <= 32 * (places + 2)) { /* a quotient below 2^64 */
        dppair_fix_div_(&c, &a, &b, places);
        CHECK(QUOTIENTS, is(&c, r, places));
      }
    }
    if (n % 8 == 1) {
      mpz_mul_2exp(r, x, 32 * places);
      mpz_sqrt(r, r);
      dppair_fix_sqrt_(&c, &a, places);
      CHECK(ROOTS, is(&c, r, places));
    }
#undef CHECK
  }
  for (int i = 0; i < OPERATIONS; i++) equal_line(name[i], cases[i], wrong[i]);
  mpz_clears(x, y, r, one, (mpz_ptr)0);
}

/* Doubles as fixed numbers, with what is cut off. */
static void doubles(void) {
  uint64_t cases = 0, wrong = 0;
  mpfr_t x;
  mpz_t z;
  mpz_init(z);
  mpfr_init2(x, BITS);
  for (uint64_t n = 0; n < 6000 * times; n++) {
    const unsigned places = 4 + 4 * (unsigned)(n % 3);
    const int exponent = (int)(random64() % 500) - 440;
    const uint64_t digits = (random64() | UINT64_C(1) << 63) >> 11 >> (n % 5 == 0 ? random64() % 52 : 0);
    const double value = ldexp((double)digits, exponent < 10 ? exponent : 10);
    dppair_fix_ a;
    const int cut = dppair_fix_from_f64_(&a, value, places);
    int inexact;
    mpfr_set_d(x, value, MPFR_RNDN);
    mpfr_mul_2ui(x, x, 32 * places, MPFR_RNDN);
    inexact = !mpfr_integer_p(x);
    mpfr_get_z(z, x, MPFR_RNDD);
    cases++;
    wrong += is(&a, z, places) && cut == inexact ? 0u : 1u;
  }
  equal_line("last level: doubles as fixed numbers", cases, wrong);
  mpfr_clear(x);
  mpz_clear(z);
}

/* --- Enclosures ------------------------------------------------------------------------------- */

static void minus_logs(void) {
  static const unsigned zeros[8] = {1, 2, 3, 31, 32, 33, 64, 6000};
  double worst = 0.0;
  uint64_t cases = 0, outside = 0;
  mpfr_t v, e;
  mpfr_inits2(BITS, v, e, (mpfr_ptr)0);
  for (uint64_t n = 0; n < 600 * times; n++) {
    const unsigned places = 4 + 4 * (unsigned)(n % 3), m = zeros[random64() % 8];
    dppair_fix_ fraction;
    dppair_range_ r;
    memset(&fraction, 0, sizeof fraction);
    for (unsigned i = 0; i < places; i++) fraction.w[i] = edge_word();
    if (n % 5 == 0) fraction.w[places - 1] = 0x6a000000u - (uint32_t)(n % 2);
    if (n % 7 == 0)
      for (unsigned i = 1; i < places; i++) fraction.w[i] = n % 2 ? 0xffffffffu : 0u;
    dppair_minus_log_(&r, m, &fraction, places);
    for (int last = 0; last < 2; last++) { /* the string goes on with zeros, or with ones */
      wide_fix(v, &fraction, places);
      if (last) {
        mpfr_set_ui_2exp(e, 1, -(mpfr_exp_t)(32 * places), MPFR_RNDN);
        mpfr_add(v, v, e, MPFR_RNDN);
      }
      mpfr_add_ui(v, v, 1, MPFR_RNDN);
      mpfr_div_2ui(v, v, m, MPFR_RNDN);
      wide_minus_log(e, v);
      outside += encloses(&r, e, places) ? 0u : 1u;
      raise_to(&worst, ulps_off(&r, 256.0 + m, e, places) / (256.0 + m));
      cases++;
    }
  }
  line("last level: -ln U, within 256 + m ulps", cases, outside ? 9.0 : worst, 0.02);
  mpfr_clears(v, e, (mpfr_ptr)0);
}

static void circles(void) {
  double worst = 0.0;
  uint64_t cases = 0, outside = 0;
  mpfr_t t, c;
  mpfr_inits2(BITS, t, c, (mpfr_ptr)0);
  for (uint64_t n = 0; n < 200 * times; n++) {
    const dppair_rng rng = keyed(n / 8);
    dppair_string_ s;
    s.rng = &rng;
    s.block = n / 16;
    s.lane = (unsigned)(n % 16);
    if (n % 2) { /* every other T next to an eighth of a turn, from either side */
      uint32_t word;
      do {
        s.block++;
        word = dppair_string_word_(&s, 0) + 0x00100000u;
      } while ((word & 0x1fffffffu) >= 0x00200000u);
    }
    wide_string(t, &s, 0);
    for (unsigned places = 4; places <= 12; places += 4)
      for (unsigned sine = 0; sine < 2; sine++) {
        dppair_range_ r;
        const int negative = dppair_cosine_exact_(&r, &s, sine, places);
        wide_circle(c, t, (int)sine);
        outside += negative != (mpfr_sgn(c) < 0) ? 1u : 0u;
        mpfr_abs(c, c, MPFR_RNDN);
        outside += encloses(&r, c, places) ? 0u : 1u;
        raise_to(&worst, ulps_off(&r, 1024.0, c, places) / 1024.0);
        cases++;
      }
  }
  line("last level: cosines and sines, 1024 ulps", cases, outside ? 9.0 : worst, 0.001);
  mpfr_clears(t, c, (mpfr_ptr)0);
}

/* --- Rounding --------------------------------------------------------------------------------- */

/* Enclosures of a few ulps at a rounding boundary and beside it: decided exactly when both ends
 * round alike, and then rightly. */
static void rounding(void) {
  uint64_t cases = 0, wrong = 0;
  mpz_t lo, hi, y, half;
  mpfr_t z, x;
  mpz_inits(lo, hi, y, half, (mpz_ptr)0);
  mpfr_inits2(BITS, z, x, (mpfr_ptr)0);
  for (uint64_t n = 0; n < 3000 * times; n++) {
    const unsigned places = 4 + 4 * (unsigned)(n % 3);
    const double s = ldexp(1.0 + (double)(random64() >> 12) * 0x1p-52, (int)(random64() % 41));
    const double rest = (double)(int64_t)random64() * 0x1p-64, boundary = (double)(random64() % 3) + 0.5;
    const int negative = (int)(n & 1u);
    const uint32_t below = (uint32_t)(random64() % 4), above = (uint32_t)(random64() % 4);
    dppair_range_ r;
    double k, k_lo, k_hi;
    mpz_t size;
    size_t count = 0;
    mpfr_set_d(z, negative ? rest : -rest, MPFR_RNDN); /* s z = boundary -+ rest */
    mpfr_add_d(z, z, boundary, MPFR_RNDN);
    mpfr_div_d(z, z, s, MPFR_RNDN);
    mpfr_mul_2ui(z, z, 32 * places, MPFR_RNDN);
    mpz_init(size);
    mpfr_get_z(size, z, MPFR_RNDD);
    memset(&r, 0, sizeof r);
    mpz_export(r.lo.w, &count, -1, 4, 0, 0, size);
    r.hi = r.lo;
    dppair_fix_down_(&r.lo, &r.lo, below, places);
    dppair_fix_up_(&r.hi, &r.hi, above, places);
    wide_fix(z, &r.lo, places);
    if (negative) mpfr_neg(z, z, MPFR_RNDN);
    k_lo = wide_round(z, s, rest);
    wide_fix(z, &r.hi, places);
    if (negative) mpfr_neg(z, z, MPFR_RNDN);
    k_hi = wide_round(z, s, rest);
    if (dppair_round_exact_(&k, rest, s, &r, negative, places))
      wrong += k_lo != k_hi || k != k_lo ? 1u : 0u;
    cases++;
    /* far from the boundary it must decide */
    dppair_fix_up_(&r.lo, &r.hi, 1u << 31, places);
    dppair_fix_up_(&r.lo, &r.lo, 1u << 31, places);
    r.hi = r.lo;
    wide_fix(z, &r.lo, places);
    if (negative) mpfr_neg(z, z, MPFR_RNDN);
    wrong += !dppair_round_exact_(&k, rest, s, &r, negative, places) || k != wide_round(z, s, rest) ? 1u : 0u;
    mpz_clear(size);
  }
  equal_line("last level: enclosures at rounding boundaries", cases, wrong);
  mpz_clears(lo, hi, y, half, (mpz_ptr)0);
  mpfr_clears(z, x, (mpfr_ptr)0);
}

/* Every number by the last level, at 128, 256 and 384 bits; what a release says; 500 digits. */
static void forced(void) {
  enum { N = 96 };
  static const int grids[4] = {0, 10, 24, 40};
  uint64_t cases = 0, wrong = 0, narrowly = 0, outside = 0;
  mpfr_t z;
  mpfr_init2(z, BITS);
  for (uint64_t run = 0; run < 8 * times; run++) {
    const int law = (int)(run & 1u), grid = grids[run / 2 % 4];
    const dppair_rng start = keyed(1000 + run);
    dppair_rng rng = start;
    dppair_plan_ plan;
    double x[N], y[N], k;
    if (dppair_plan_make_(&plan, 1.7, 0, grid, law, dppair_tier()) != DPPAIR_OK) exit(2);
    for (unsigned i = 0; i < N; i++) y[i] = x[i] = (double)(int64_t)random64() * 0x1p-62;
    if (dppair_release_(y, N, 0, &plan, &rng) != DPPAIR_OK) exit(2);
    for (unsigned i = 0; i < N; i++) {
      double whole, rest, right;
      dppair_string_ u, t;
      wide_noise(z, &start, i / 16, i % 16, law);
      if (i % 3 == 0) { /* as near to a boundary as a double comes */
        mpfr_t at;
        mpfr_init2(at, BITS);
        mpfr_mul_d(at, z, plan.s, MPFR_RNDN);
        right = mpfr_get_d(at, MPFR_RNDN);
        mpfr_d_sub(at, floor(right) + 0.5, at, MPFR_RNDN);
        mpfr_mul_d(at, at, plan.g, MPFR_RNDN);
        y[i] = x[i] = mpfr_get_d(at, MPFR_RNDN);
        mpfr_clear(at);
        narrowly++;
      }
      if (dppair_split_(&whole, &rest, x[i], &plan) != DPPAIR_OK) exit(2);
      right = (whole + wide_round(z, plan.s, rest)) * plan.g;
      if (i % 3 == 0) { /* the levels before must pass it on, or be right */
        double again[N];
        memcpy(again, x, sizeof again);
        rng = start;
        if (dppair_release_(again, N, 0, &plan, &rng) != DPPAIR_OK) exit(2);
        y[i] = again[i];
      }
      wrong += y[i] != right ? 1u : 0u;
      if (dppair_last_level_in_place_(x, i, 0, &start, 0, &plan) != DPPAIR_OK) exit(2);
      wrong += x[i] != right ? 1u : 0u;
      dppair_strings_(&u, &t, &start, i / 16, i % 16, law);
      for (unsigned places = 4; places <= 12; places += 4) {
        dppair_range_ r;
        int negative = (int)(dppair_string_word_(&u, 0) >> 31);
        const dppair_status status =
            law ? dppair_exponential_exact_(&r, &u, 1, places)
                : dppair_gaussian_exact_(&r, &negative, &u, &t, i % 16 / 8, places);
        if (status != DPPAIR_OK) exit(2);
        wrong += negative != (mpfr_sgn(z) < 0) ? 1u : 0u;
        wrong += dppair_round_exact_(&k, rest, plan.s, &r, negative, places) &&
                         (whole + k) * plan.g == right
                     ? 0u
                     : 1u;
        mpfr_abs(z, z, MPFR_RNDN);
        outside += encloses(&r, z, places) ? 0u : 1u;
        if (negative) mpfr_neg(z, z, MPFR_RNDN);
        cases++;
      }
    }
  }
  equal_line("last level forced on every number, against 500 digits", cases, wrong + outside);
  equal_line("releases a double away from a boundary", narrowly, wrong);
  mpfr_clear(z);
}

/* --- Double level in scalar code -------------------------------------------------------------- */

static void scalar_functions(void) {
  double artanh = 0.0, near = 0.0, far = 0.0, circle = 0.0, bound = 0.0;
  uint64_t cases = 0;
  const double u = 0x1p-53;
  mpfr_t x, y;
  mpfr_inits2(400, x, y, (mpfr_ptr)0);
  for (uint64_t n = 0; n < 20000 * times; n++) {
    const double r = ((double)(int64_t)random64() * 0x1p-63) * 0.172 * (n % 3 ? 1.0 : 0x1p-20);
    const int k = -(int)(random64() % 33);
    double v = 0.70710678118654752 * (1.0 + (double)(random64() >> 11) * 0x1p-53), c, s, e, error;
    const uint64_t t = (uint64_t)edge_word() << 32 | edge_word();
    uint32_t w[3];
    cases++;
    mpfr_set_d(x, r, MPFR_RNDN);
    mpfr_atanh(y, x, MPFR_RNDN);
    mpfr_mul_2ui(y, y, 1, MPFR_RNDN);
    if (r != 0.0) raise_to(&artanh, distance(dppair_artanh2_f64_(r), y) / (2.0 * u * fabs(mpfr_get_d(y, MPFR_RNDN))));
    if (n % 3 == 0) v = 1.0 + (v - 1.0) * 0x1p-20;
    mpfr_set_d(x, v, MPFR_RNDN);
    mpfr_log(y, x, MPFR_RNDN);
    if (v != 1.0)
      raise_to(&near, distance(dppair_log_parts_(v - 1.0, 0), y) / (4.0 * u * fabs(mpfr_get_d(y, MPFR_RNDN))));
    mpfr_mul_2si(x, x, k, MPFR_RNDN);
    mpfr_log(y, x, MPFR_RNDN);
    if (k) raise_to(&far, distance(dppair_log_parts_(v - 1.0, k), y) / (4.0 * u * (1.0 - mpfr_get_d(y, MPFR_RNDN))));
    dppair_circle_f64_(&c, &s, t);
    mpfr_set_ui_2exp(x, t, -63, MPFR_RNDN);
    mpfr_const_pi(y, MPFR_RNDN);
    mpfr_mul(x, x, y, MPFR_RNDN);
    mpfr_sin_cos(y, x, x, MPFR_RNDN);
    raise_to(&circle, distance(s, y) / (3.0 * u));
    raise_to(&circle, distance(c, x) / (3.0 * u));
    /* the bound of the l2 mechanism, whatever the unread bits are */
    for (int i = 0; i < 3; i++) w[i] = edge_word();
    if (n % 4 == 0) w[0] = 0xffffffffu;
    if (n % 4 == 1) w[0] >>= random64() % 32;
    if (w[0] != 0 && (uint64_t)w[0] + w[1] + w[2] < UINT64_C(3) * UINT32_MAX) {
      mpz_t z;
      e = dppair_exponential_f64_(w);
      if (e > 0.0) { /* two words are read, unless it begins with 16 zeros or 31 ones */
        const int third = w[0] < 0x10000u || w[0] >= 0xfffffffeu;
        if (!third) w[2] = 0, e = dppair_exponential_f64_(w);
        error = DPPAIR_EXP2M_(49) * e + DPPAIR_EXP2M_(30) / (double)w[0];
        mpz_init_set_ui(z, w[0]);
        mpz_mul_2exp(z, z, 32);
        mpz_add_ui(z, z, w[1]);
        mpz_mul_2exp(z, z, 32);
        mpz_add_ui(z, z, w[2]);
        for (int ones = 0; ones < 2; ones++) {
          if (ones && third) mpz_add_ui(z, z, 1);
          if (ones && !third) mpz_add_ui(z, z, UINT64_C(0xffffffff));
          mpfr_set_z_2exp(x, z, -96, MPFR_RNDN);
          wide_minus_log(y, x);
          raise_to(&bound, distance(e, y) / error);
        }
        mpz_clear(z);
      }
    }
  }
  line("scalar double level: 2 artanh, 2u", cases, artanh, 0.3);
  line("scalar double level: ln near 1, 4u", cases, near, 0.3);
  line("scalar double level: ln, 4u (1 + |ln|)", cases, far, 0.1);
  line("scalar double level: circle, 3u", cases, circle, 0.3);
  line("l2: the bound of -ln U", cases, bound, 0.1);
  mpfr_clears(x, y, (mpfr_ptr)0);
}

/* --- The l2 mechanism ------------------------------------------------------------------------- */

static void l2ball(void) {
  double relative_worst = 0.0, least = 1.0;
  uint64_t factors = 0, outside = 0, cases = 0, wrong = 0, open = 0;
  mpfr_t q, square, length, z;
  mpfr_inits2(BITS, q, square, length, z, (mpfr_ptr)0);
  for (uint64_t run = 0; run < 60 * times; run++) {
    static const size_t sizes[6] = {1, 2, 5, 9, 16, 18};
    const size_t n = sizes[run % 6];
    const dppair_rng rng = keyed(5000 + run);
    dppair_l2_ l2;
    double x[18], y[18], share;
    dppair_plan_ plan;
    memset(&l2, 0, sizeof l2);
    mpfr_set_ui(square, 0, MPFR_RNDN);
    mpfr_set_ui(length, 0, MPFR_RNDN);
    for (unsigned i = 0; i < n; i++) {
      dppair_string_ s;
      wide_noise(z, &rng, i / 16, i % 16, 0);
      mpfr_sqr(z, z, MPFR_RNDN);
      mpfr_add(square, square, z, MPFR_RNDN);
      s.rng = &rng;
      s.block = dppair_blocks_(n) + i / 16;
      s.lane = i % 16;
      wide_string(z, &s, 0);
      wide_minus_log(z, z);
      mpfr_add(length, length, z, MPFR_RNDN);
    }
    mpfr_sqrt(square, square, MPFR_RNDN);
    mpfr_div(q, length, square, MPFR_RNDN);
    dppair_l2_factor_f64_(&l2.q, &l2.relative, n, &rng);
    if (l2.relative < 1.0) {
      share = distance(l2.q, q) / (l2.relative * mpfr_get_d(q, MPFR_RNDN));
      raise_to(&relative_worst, share);
      if (share < least) least = share;
      factors++;
    }
    for (unsigned places = 4; places <= 12; places += 4) {
      dppair_range_ r;
      int known = 0;
      if (dppair_l2_factor_exact_(&r, &known, n, &rng, places) != DPPAIR_OK || !known) exit(2);
      outside += encloses(&r, q, places) ? 0u : 1u;
    }
    if (dppair_plan_make_(&plan, 1.7, 0, 24, DPPAIR_NOISE_GAUSSIAN_, dppair_tier()) != DPPAIR_OK) exit(2);
    for (unsigned i = 0; i < n; i++) { /* a double away from a boundary */
      mpfr_t at;
      double rough;
      mpfr_init2(at, BITS);
      wide_noise(z, &rng, i / 16, i % 16, 0);
      mpfr_mul(z, z, q, MPFR_RNDN);
      mpfr_mul_d(at, z, plan.s, MPFR_RNDN);
      rough = mpfr_get_d(at, MPFR_RNDN);
      mpfr_d_sub(at, floor(rough) + 0.5, at, MPFR_RNDN);
      mpfr_mul_d(at, at, plan.g, MPFR_RNDN);
      x[i] = y[i] = mpfr_get_d(at, MPFR_RNDN) + (run % 2 ? ldexp(plan.g * plan.s, run % 4 == 1 ? -49 : -46) : 0.0);
      mpfr_clear(at);
    }
    for (size_t b = 0; b < dppair_blocks_(n); b++)
      if (dppair_l2_block_(y, b, &plan, &l2, n, &rng) != DPPAIR_OK) exit(2);
    for (unsigned i = 0; i < n; i++) {
      double whole, rest, k = 0.0, right;
      if (dppair_split_(&whole, &rest, x[i], &plan) != DPPAIR_OK) exit(2);
      wide_noise(z, &rng, i / 16, i % 16, 0);
      mpfr_mul(z, z, q, MPFR_RNDN);
      right = (whole + wide_round(z, plan.s, rest)) * plan.g;
      if (dppair_l2_exact_(&k, rest, plan.s, i, &l2, n, &rng) != DPPAIR_OK) exit(2);
      wrong += y[i] != right ? 1u : 0u;
      wrong += (whole + k) * plan.g != right ? 1u : 0u;
      cases++;
    }
    open += l2.tried[0] ? 1u : 0u;
  }
  line("l2: the factor's relative error", factors, relative_worst, 0.005);
  equal_line("l2: the factor enclosed at each precision", 180 * times, outside);
  equal_line("l2: numbers a double away from a boundary, and forced", cases, wrong);
  mpfr_clears(q, square, length, z, (mpfr_ptr)0);
}

/* --- Poisson ---------------------------------------------------------------------------------- */

static void factorial(mpfr_t r, uint64_t k) { /* ln k! */
  mpfr_set_ui(r, k, MPFR_RNDN);
  mpfr_add_ui(r, r, 1, MPFR_RNDN);
  mpfr_lngamma(r, r, MPFR_RNDN);
}

static void poisson(void) {
  double worst = 0.0;
  uint64_t outside = 0, cases = 0, doubles_seen = 0, wrong = 0, decided = 0;
  mpfr_t x, y, t;
  mpfr_inits2(900, x, y, t, (mpfr_ptr)0);
  for (uint64_t n = 0; n < 150 * times; n++) {
    const unsigned places = 4 + 4 * (unsigned)(n % 3);
    const uint64_t k = n % 2 ? random64() % 600 : random64() >> (12 + random64() % 50);
    const double positive = ldexp(1.0 + (double)(random64() >> 12) * 0x1p-52, (int)(random64() % 119) - 59);
    dppair_range_ r;
    int below;
    dppair_log_factorial_exact_(&r, k, places); /* + 1 - ln(2 pi)/2 */
    factorial(x, k);
    mpfr_const_pi(y, MPFR_RNDN);
    mpfr_mul_2ui(y, y, 1, MPFR_RNDN);
    mpfr_log(y, y, MPFR_RNDN);
    mpfr_div_2ui(y, y, 1, MPFR_RNDN);
    mpfr_sub(x, x, y, MPFR_RNDN);
    mpfr_add_ui(x, x, 1, MPFR_RNDN);
    outside += encloses(&r, x, places) ? 0u : 1u;
    below = dppair_log_exact_(&r, positive, places);
    mpfr_set_d(x, positive, MPFR_RNDN);
    mpfr_log(x, x, MPFR_RNDN);
    outside += below != (mpfr_sgn(x) < 0) ? 1u : 0u;
    mpfr_abs(x, x, MPFR_RNDN);
    outside += encloses(&r, x, places) ? 0u : 1u;
    cases += 2;
  }
  equal_line("Skellam: logarithms and factorials enclosed", cases, outside);
  for (uint64_t n = 0; n < 300 * times; n++) {
    const double mean = ldexp(1.0 + (double)(random64() >> 12) * 0x1p-52, (int)(random64() % 69) - 20);
    dppair_poisson_ p;
    uint64_t k;
    uint32_t b;
    double got, bound;
    dppair_poisson_make_(&p, mean);
    b = (uint32_t)(random64() % 6);
    k = b * p.width + random64() % p.width;
    k = n % 2 && k < (uint64_t)p.mode ? (uint64_t)p.mode - 1 - k : (uint64_t)p.mode + k;
    bound = dppair_poisson_f64_(&got, &p, (double)k, (double)b);
    factorial(x, k); /* ln k! - ln K! - (k - K) ln mu - b ln 2 */
    factorial(y, (uint64_t)p.mode);
    mpfr_sub(t, x, y, MPFR_RNDN);
    mpfr_set_d(x, mean, MPFR_RNDN);
    mpfr_log(x, x, MPFR_RNDN);
    mpfr_mul_d(x, x, (double)k - p.mode, MPFR_RNDN);
    mpfr_sub(t, t, x, MPFR_RNDN);
    mpfr_const_log2(x, MPFR_RNDN);
    mpfr_mul_ui(x, x, b, MPFR_RNDN);
    mpfr_sub(t, t, x, MPFR_RNDN);
    wrong += mpfr_cmp_d(t, -1e-9) < 0 ? 1u : 0u; /* f(k) >= b ln 2: the probability is at most 1 */
    if (bound < 1e300) {
      raise_to(&worst, distance(got, t) / bound);
      doubles_seen++;
    }
    for (int side = -1; side < 2; side += 2) { /* E just above t, and just below */
      dppair_range_ e;
      size_t count = 0;
      mpz_t z;
      const unsigned places = 4 + 4 * (unsigned)(n % 3);
      if (mpfr_cmp_d(t, 1e-6) < 0) continue;
      mpz_init(z);
      mpfr_mul_2ui(x, t, 32 * places, MPFR_RNDN);
      mpfr_get_z(z, x, MPFR_RNDN);
      mpfr_set_z(x, z, MPFR_RNDN);
      memset(&e, 0, sizeof e);
      mpz_export(e.lo.w, &count, -1, 4, 0, 0, z);
      e.hi = e.lo;
      if (dppair_poisson_exact_(&p, k, b, &e, places) != -1) wrong++; /* too near to tell */
      mpz_set_ui(z, 1); /* 2^-40 away it must tell */
      mpz_mul_2exp(z, z, 32 * places - 40);
      mpfr_mul_2ui(x, t, 32 * places, MPFR_RNDN);
      if (side > 0)
        mpfr_add_z(x, x, z, MPFR_RNDN);
      else
        mpfr_sub_z(x, x, z, MPFR_RNDN);
      if (mpfr_sgn(x) > 0) {
        mpfr_get_z(z, x, MPFR_RNDN);
        memset(&e, 0, sizeof e);
        mpz_export(e.lo.w, &count, -1, 4, 0, 0, z);
        e.hi = e.lo;
        wrong += dppair_poisson_exact_(&p, k, b, &e, places) != (side > 0) ? 1u : 0u;
        decided++;
      }
      mpz_clear(z);
    }
  }
  line("Skellam: f(k) in double, its bound", doubles_seen, worst, 0.002);
  equal_line("Skellam: decisions by enclosures; probabilities up to 1", decided, wrong);
  mpfr_clears(x, y, t, (mpfr_ptr)0);
}

int main(int argc, char **argv) {
  if (argc > 1) times = strtoull(argv[1], NULL, 10);
  if (times == 0) return 2;
  constants();
  arithmetic();
  doubles();
  minus_logs();
  circles();
  rounding();
  forced();
  scalar_functions();
  l2ball();
  poisson();
  return bad;
}
