/* ------------------------------------------------------------------------------------------------
 * Fixed-point numbers and enclosures, for the last level
 *
 * A number has 64 bits before the point and 32 `places` bits after it, in 32-bit words, least
 * significant first. All numbers are non-negative. Every operation rounds down by less than one
 * unit of the last place ("ulp", 2^-(32 places)); additions are exact. An enclosure is a pair
 * lo <= value <= hi. Speed does not matter here: the last level runs about once in 2^20 samples.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_FIX_MAX_ 12u /* largest `places` */
#define DPPAIR_FIX_WORDS_ (DPPAIR_FIX_MAX_ + 2u)

typedef struct dppair_fix_ {
  uint32_t w[DPPAIR_FIX_WORDS_];
} dppair_fix_;

/* An enclosure: lo <= value <= hi. */
typedef struct dppair_range_ {
  dppair_fix_ lo, hi;
} dppair_range_;

/* ln 2 and 2 pi, rounded down: the word before the point, then the twelve words after it. */
DPPAIR_UNUSED_ static const uint32_t dppair_ln2_words_[13] = {
    0u,          0xb17217f7u, 0xd1cf79abu, 0xc9e3b398u, 0x03f2f6afu, 0x40f34326u, 0x7298b62du,
    0x8a0d175bu, 0x8baafa2bu, 0xe7b87620u, 0x6debac98u, 0x559552fbu, 0x4afa1b10u};
DPPAIR_UNUSED_ static const uint32_t dppair_two_pi_words_[13] = {
    6u,          0x487ed511u, 0x0b4611a6u, 0x2633145cu, 0x06e0e689u, 0x48127044u, 0x533e63a0u,
    0x105df531u, 0xd89cd912u, 0x8a5043ccu, 0x71a026efu, 0x7ca8cd9eu, 0x69d218d9u};

/* A constant with its first `places` words after the point. */
DPPAIR_OUT_OF_LINE_ void dppair_fix_constant_(dppair_fix_ *r, const uint32_t words[13],
                                              unsigned places) {
  unsigned i;
  memset(r, 0, sizeof *r);
  for (i = 0; i <= places; i++) r->w[places - i] = words[i];
}

DPPAIR_OUT_OF_LINE_ void dppair_fix_add_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
                                         unsigned places) {
  uint64_t carry = 0;
  unsigned i;
  for (i = 0; i < places + 2; i++) {
    carry += (uint64_t)a->w[i] + b->w[i];
    r->w[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

/* r = a - b modulo 2^64; returns 1 when a < b. */
DPPAIR_OUT_OF_LINE_ int dppair_fix_sub_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
                                        unsigned places) {
  uint64_t borrow = 0;
  unsigned i;
  for (i = 0; i < places + 2; i++) {
    uint64_t d = (uint64_t)a->w[i] - b->w[i] - borrow;
    r->w[i] = (uint32_t)d;
    borrow = (d >> 32) & 1;
  }
  return (int)borrow;
}

/* r = a + ulps, and r = max(a - ulps, 0). */
DPPAIR_OUT_OF_LINE_ void dppair_fix_up_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t ulps,
                                        unsigned places) {
  dppair_fix_ e;
  memset(&e, 0, sizeof e);
  e.w[0] = ulps;
  dppair_fix_add_(r, a, &e, places);
}

DPPAIR_OUT_OF_LINE_ void dppair_fix_down_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t ulps,
                                          unsigned places) {
  dppair_fix_ e;
  memset(&e, 0, sizeof e);
  e.w[0] = ulps;
  if (dppair_fix_sub_(r, a, &e, places)) memset(r, 0, sizeof *r);
}

/* r = a b. */
DPPAIR_OUT_OF_LINE_ void dppair_fix_mul_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
                                         unsigned places) {
  uint32_t p[2 * DPPAIR_FIX_WORDS_];
  unsigned i, j;
  memset(p, 0, sizeof p);
  for (i = 0; i < places + 2; i++) {
    uint64_t carry = 0;
    for (j = 0; j < places + 2; j++) {
      carry += (uint64_t)a->w[i] * b->w[j] + p[i + j];
      p[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
    p[i + places + 2] = (uint32_t)carry;
  }
  for (i = 0; i < places + 2; i++) r->w[i] = p[i + places];
}

/* r = a m for a small integer; exact. */
DPPAIR_OUT_OF_LINE_ void dppair_fix_scale_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t m,
                                           unsigned places) {
  uint64_t carry = 0;
  unsigned i;
  for (i = 0; i < places + 2; i++) {
    carry += (uint64_t)a->w[i] * m;
    r->w[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

/* r = a / m for a small integer, rounded down; returns 1 when r is 0. */
DPPAIR_OUT_OF_LINE_ int dppair_fix_shrink_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t m,
                                           unsigned places) {
  uint64_t rest = 0;
  uint32_t any = 0;
  unsigned i;
  for (i = places + 2; i-- > 0;) {
    rest = rest << 32 | a->w[i];
    r->w[i] = (uint32_t)(rest / m);
    any |= r->w[i];
    rest %= m;
  }
  return any == 0;
}

/* a = a 2^bits + in, 0 < bits < 32. */
DPPAIR_OUT_OF_LINE_ void dppair_fix_shift_in_(dppair_fix_ *a, unsigned bits, uint32_t in,
                                              unsigned places) {
  uint32_t carry = in;
  unsigned i;
  for (i = 0; i < places + 2; i++) {
    uint32_t next = a->w[i] >> (32 - bits);
    a->w[i] = a->w[i] << bits | carry;
    carry = next;
  }
}

/* r = a / b for b > 0 and a quotient below 2^64: long division, bit by bit. */
DPPAIR_OUT_OF_LINE_ void dppair_fix_div_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
                                         unsigned places) {
  dppair_fix_ rest, quotient, trial;
  unsigned bit;
  memset(&rest, 0, sizeof rest);
  memset(&quotient, 0, sizeof quotient);
  for (bit = 32 * (2 * places + 2); bit-- > 0;) {
    uint32_t in = bit >= 32 * places ? a->w[bit / 32 - places] >> (bit % 32) & 1u : 0u;
    dppair_fix_shift_in_(&rest, 1, in, places);
    if (dppair_fix_sub_(&trial, &rest, b, places)) {
      dppair_fix_shift_in_(&quotient, 1, 0, places);
    } else {
      rest = trial;
      dppair_fix_shift_in_(&quotient, 1, 1, places);
    }
  }
  *r = quotient;
}

/* r = sqrt(a), bit by bit: each step takes in two bits of a and finds one bit of the root. */
DPPAIR_OUT_OF_LINE_ void dppair_fix_sqrt_(dppair_fix_ *r, const dppair_fix_ *a, unsigned places) {
  dppair_fix_ rest, root, trial;
  unsigned bit;
  memset(&rest, 0, sizeof rest);
  memset(&root, 0, sizeof root);
  for (bit = 32 * (2 * places + 2); bit > 0; bit -= 2) {
    unsigned at = bit - 2;
    uint32_t in = at >= 32 * places ? a->w[at / 32 - places] >> (at % 32) & 3u : 0u;
    dppair_fix_shift_in_(&rest, 2, in, places);
    trial = root;
    dppair_fix_shift_in_(&trial, 2, 1, places);
    if (dppair_fix_sub_(&trial, &rest, &trial, places)) {
      dppair_fix_shift_in_(&root, 1, 0, places);
    } else {
      rest = trial;
      dppair_fix_shift_in_(&root, 1, 1, places);
    }
  }
  *r = root;
}

/* r = x for a finite x >= 0 below 2^63, rounded down. Returns 1 when digits were cut off. */
DPPAIR_OUT_OF_LINE_ int dppair_fix_from_f64_(dppair_fix_ *r, double x, unsigned places) {
  int exponent, shift;
  uint64_t digits, rest;
  unsigned i;
  memset(r, 0, sizeof *r);
  if (!(x > 0.0)) return 0;
  digits = (uint64_t)dppair_ldexp_(dppair_frexp_(x, &exponent), 53);
  shift = exponent - 53 + (int)(32 * places); /* x = digits 2^(shift - 32 places) */
  if (shift <= -53) return 1;
  if (shift < 0) {
    rest = digits & ((UINT64_C(1) << -shift) - 1);
    digits >>= -shift;
    shift = 0;
  } else {
    rest = 0;
  }
  for (i = 0; i < 64; i++)
    if (digits >> i & 1)
      r->w[(unsigned)(shift + (int)i) / 32] |= 1u << (unsigned)(shift + (int)i) % 32;
  return rest != 0;
}

/* Encloses r = a b. */
DPPAIR_OUT_OF_LINE_ void dppair_range_mul_(dppair_range_ *r, const dppair_range_ *a,
                                           const dppair_range_ *b, unsigned places) {
  dppair_fix_mul_(&r->lo, &a->lo, &b->lo, places);
  dppair_fix_mul_(&r->hi, &a->hi, &b->hi, places);
  dppair_fix_up_(&r->hi, &r->hi, 1, places);
}

/* Encloses r = a + b. */
DPPAIR_OUT_OF_LINE_ void dppair_range_add_(dppair_range_ *r, const dppair_range_ *a,
                                           const dppair_range_ *b, unsigned places) {
  dppair_fix_add_(&r->lo, &a->lo, &b->lo, places);
  dppair_fix_add_(&r->hi, &a->hi, &b->hi, places);
}

/* Encloses r = sqrt(a). */
DPPAIR_OUT_OF_LINE_ void dppair_range_sqrt_(dppair_range_ *r, const dppair_range_ *a,
                                            unsigned places) {
  dppair_fix_sqrt_(&r->lo, &a->lo, places);
  dppair_fix_sqrt_(&r->hi, &a->hi, places);
  dppair_fix_up_(&r->hi, &r->hi, 1, places);
}
