/* SPDX-License-Identifier: MIT */
/* Numbers of 500 digits beside those of the last level; the lines of the table. Link with -lmpfr -lgmp. */
#ifndef EXHAUST_WIDE_H
#define EXHAUST_WIDE_H

#include <gmp.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dppair_noise.h"

enum { BITS = 1792 }; /* 539 digits */

static int bad;

/* A line of the table; a share below `least` says that nothing was tested. */
static void line(const char *what, uint64_t cases, double share, double least) {
  const int right = share <= 1.0 && share >= least && cases > 0;
  printf("%s\t%llu\t%.3f\t%s\n", what, (unsigned long long)cases, share, right ? "holds" : "FAILS");
  bad |= !right;
}

/* A line of yes or no. */
static void equal_line(const char *what, uint64_t cases, uint64_t wrong) {
  line(what, cases, wrong ? 9.0 : 1.0, 1.0);
}

static void raise_to(double *worst, double x) {
  if (!(x <= *worst)) *worst = x; /* a NaN stays: it is no share that holds */
}

/* Random words of its own, the edges among them: zeros, ones, single bits, runs. */
static uint64_t state = 88172645463325252u;
static uint64_t random64(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}
static uint32_t edge_word(void) {
  const uint32_t r = (uint32_t)(random64() >> 32), shape = (uint32_t)(random64() >> 40);
  switch (shape & 7u) {
  case 0: return 0;
  case 1: return 0xffffffffu;
  case 2: return 1u << (shape >> 3 & 31u);
  case 3: return r >> (shape >> 3 & 31u);
  case 4: return ~(r >> (shape >> 3 & 31u));
  default: return r;
  }
}

static dppair_rng keyed(uint64_t stream) {
  dppair_rng rng;
  uint8_t key[32] = {57, 1, 3};
  if (dppair_rng_from_key(&rng, key, stream) != DPPAIR_OK) exit(2);
  return rng;
}

/* r = the words of a number with `places` of them after the point. */
static void wide_fix(mpfr_t r, const dppair_fix_ *a, unsigned places) {
  mpz_t z;
  mpz_init(z);
  mpz_import(z, places + 2, -1, 4, 0, 0, a->w);
  mpfr_set_z_2exp(r, z, -(mpfr_exp_t)(32 * places), MPFR_RNDN);
  mpz_clear(z);
}

/* The infinite string, as far as BITS, after its first `skip` bits. */
static void wide_string(mpfr_t u, const dppair_string_ *s, unsigned skip) {
  mpz_t z;
  mpz_init(z);
  for (unsigned level = 0; level < BITS / 32; level++) {
    mpz_mul_2exp(z, z, 32);
    mpz_add_ui(z, z, dppair_string_word_(s, level));
  }
  mpz_fdiv_r_2exp(z, z, BITS - skip);
  mpfr_set_z_2exp(u, z, -(mpfr_exp_t)(BITS - skip), MPFR_RNDN);
  mpz_clear(z);
}

static void wide_minus_log(mpfr_t e, const mpfr_t u) {
  mpfr_log(e, u, MPFR_RNDN);
  mpfr_neg(e, e, MPFR_RNDN);
}

/* c = cos(2 pi t), or the sine. */
static void wide_circle(mpfr_t c, const mpfr_t t, int sine) {
  mpfr_t angle;
  mpfr_init2(angle, BITS);
  mpfr_const_pi(angle, MPFR_RNDN);
  mpfr_mul_2ui(angle, angle, 1, MPFR_RNDN);
  mpfr_mul(angle, angle, t, MPFR_RNDN);
  if (sine)
    mpfr_sin(c, angle, MPFR_RNDN);
  else
    mpfr_cos(c, angle, MPFR_RNDN);
  mpfr_clear(angle);
}

/* The ideal variable of sample i of a block: a Gaussian, or a Laplace one with its sign. */
static void wide_noise(mpfr_t z, const dppair_rng *rng, uint64_t block, unsigned i, int law) {
  dppair_string_ u, t;
  mpfr_t c;
  mpfr_init2(c, BITS);
  dppair_strings_(&u, &t, rng, block, i, law);
  wide_string(c, &u, law ? 1 : 0);
  wide_minus_log(z, c);
  if (law) {
    if (dppair_string_word_(&u, 0) >> 31) mpfr_neg(z, z, MPFR_RNDN);
  } else {
    mpfr_mul_2ui(z, z, 1, MPFR_RNDN);
    mpfr_sqrt(z, z, MPFR_RNDN);
    wide_string(c, &t, 0);
    wide_circle(c, c, i >= 8);
    mpfr_mul(z, z, c, MPFR_RNDN);
  }
  mpfr_clear(c);
}

/* round(rest + s z) of 500 digits. */
static double wide_round(const mpfr_t z, double s, double rest) {
  double k;
  mpfr_t y;
  mpfr_init2(y, BITS + 128);
  mpfr_mul_d(y, z, s, MPFR_RNDN);
  mpfr_add_d(y, y, rest, MPFR_RNDN);
  mpfr_rint(y, y, MPFR_RNDN);
  k = mpfr_get_d(y, MPFR_RNDN);
  mpfr_clear(y);
  return k;
}

/* Is lo <= x <= hi? */
static int encloses(const dppair_range_ *r, const mpfr_t x, unsigned places) {
  int inside;
  mpfr_t lo, hi;
  mpfr_inits2(BITS, lo, hi, (mpfr_ptr)0);
  wide_fix(lo, &r->lo, places);
  wide_fix(hi, &r->hi, places);
  inside = mpfr_cmp(lo, x) <= 0 && mpfr_cmp(x, hi) <= 0;
  mpfr_clears(lo, hi, (mpfr_ptr)0);
  return inside;
}

/* How far x is from the upper end less `ulps`, in ulps: what the enclosure's width was made for. */
static double ulps_off(const dppair_range_ *r, double ulps, const mpfr_t x, unsigned places) {
  double off;
  mpfr_t hi;
  mpfr_init2(hi, BITS);
  wide_fix(hi, &r->hi, places);
  mpfr_sub(hi, hi, x, MPFR_RNDN);
  mpfr_mul_2ui(hi, hi, 32 * places, MPFR_RNDN);
  off = mpfr_get_d(hi, MPFR_RNDA) - ulps;
  mpfr_clear(hi);
  return off < 0.0 ? -off : off;
}

/* |x - right|. */
static double distance(double x, const mpfr_t right) {
  double off;
  mpfr_t d;
  mpfr_init2(d, BITS);
  mpfr_sub_d(d, right, x, MPFR_RNDN);
  mpfr_abs(d, d, MPFR_RNDN);
  off = mpfr_get_d(d, MPFR_RNDU);
  mpfr_clear(d);
  return off;
}

#endif
