/* ------------------------------------------------------------------------------------------------
 * The last level: fixed-point numbers of 32 `places` fractional bits and 64 bits before the point,
 * held in 32-bit words, least significant first. All are non-negative; every operation rounds down
 * by less than one unit of the last place ("ulp", 2^-(32 places)). It runs about once in 2^20
 * samples.
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

/* ln 2 and 2 pi: the word before the point and twelve after it, rounded down. */
DPPAIR_UNUSED_ static const uint32_t dppair_ln2_words_[13] = {
    0u,          0xb17217f7u, 0xd1cf79abu, 0xc9e3b398u, 0x03f2f6afu, 0x40f34326u, 0x7298b62du,
    0x8a0d175bu, 0x8baafa2bu, 0xe7b87620u, 0x6debac98u, 0x559552fbu, 0x4afa1b10u};
DPPAIR_UNUSED_ static const uint32_t dppair_two_pi_words_[13] = {
    6u,          0x487ed511u, 0x0b4611a6u, 0x2633145cu, 0x06e0e689u, 0x48127044u, 0x533e63a0u,
    0x105df531u, 0xd89cd912u, 0x8a5043ccu, 0x71a026efu, 0x7ca8cd9eu, 0x69d218d9u};

/* A constant's word before the point and the first words after it, most significant first. */
DPPAIR_API void dppair_fix_constant_(dppair_fix_ *r, const uint32_t words[13], unsigned places) {
  unsigned i;
  memset(r, 0, sizeof *r);
  for (i = 0; i <= places; i++) r->w[places - i] = words[i];
}

DPPAIR_API void dppair_fix_add_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
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
DPPAIR_API int dppair_fix_sub_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
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
DPPAIR_API void dppair_fix_up_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t ulps,
                               unsigned places) {
  dppair_fix_ e;
  memset(&e, 0, sizeof e);
  e.w[0] = ulps;
  dppair_fix_add_(r, a, &e, places);
}

DPPAIR_API void dppair_fix_down_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t ulps,
                                 unsigned places) {
  dppair_fix_ e;
  memset(&e, 0, sizeof e);
  e.w[0] = ulps;
  if (dppair_fix_sub_(r, a, &e, places)) memset(r, 0, sizeof *r);
}

DPPAIR_API void dppair_fix_mul_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
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
DPPAIR_API void dppair_fix_scale_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t m,
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
DPPAIR_API int dppair_fix_shrink_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t m,
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

DPPAIR_API void dppair_fix_shift_in_(dppair_fix_ *a, unsigned bits, uint32_t in, unsigned places) {
  uint32_t carry = in;
  unsigned i;
  for (i = 0; i < places + 2; i++) {
    uint32_t next = a->w[i] >> (32 - bits);
    a->w[i] = a->w[i] << bits | carry;
    carry = next;
  }
}

/* r = a / b, digit by digit; b > 0 and the quotient below 2^64. */
DPPAIR_API void dppair_fix_div_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
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

/* r = sqrt(a), digit by digit. */
DPPAIR_API void dppair_fix_sqrt_(dppair_fix_ *r, const dppair_fix_ *a, unsigned places) {
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

/* r = x for a finite x >= 0 below 2^63, rounded down; returns 1 when digits were cut off. */
DPPAIR_API int dppair_fix_from_f64_(dppair_fix_ *r, double x, unsigned places) {
  int exponent, shift;
  uint64_t digits, rest;
  unsigned i;
  memset(r, 0, sizeof *r);
  if (!(x > 0.0)) return 0;
  digits = (uint64_t)ldexp(frexp(x, &exponent), 53);
  shift = exponent - 53 + (int)(32 * places); /* x = digits 2^(shift - 32 places) */
  if (shift <= -53) return 1;
  if (shift < 0) {
    rest = digits & ((UINT64_C(1) << -shift) - 1);
    digits >>= -shift;
    shift = 0;
  } else {
    rest = 0;
  }
  for (i = 0; i < 64; i++) /* bit by bit: this is the rarest of paths */
    if (digits >> i & 1)
      r->w[(unsigned)(shift + (int)i) / 32] |= 1u << (unsigned)(shift + (int)i) % 32;
  return rest != 0;
}

/* One infinite string of bits: word `lane` of block `block` at levels 0, 1, 2, ... */
typedef struct dppair_string_ {
  const dppair_rng *rng;
  uint64_t block;
  unsigned lane;
} dppair_string_;

DPPAIR_API uint32_t dppair_string_word_(const dppair_string_ *s, unsigned level) {
  uint32_t words[16];
  dppair_keystream_row_(words, s->rng, level, s->block, 1, dppair_tier());
  return words[s->lane];
}

/*
 * Encloses e = -ln U, where U is the string after its first `skip` (0 or 1) bits.
 *
 * With m the position of U's first 1 bit and v = 2^m U in [1, 2), e = m ln 2 - ln v; above
 * v = 1.414 the form (m-1) ln 2 + ln(2/v) is used, so that nothing cancels near U = 1. The
 * logarithm is 2 artanh(a/b) with a/b = (v-1)/(v+1) or (2-v)/(2+v), at most 0.172. Error in ulps: v
 * is known to less than one; a/b is off by 2, its square by 2, each power by at most 3, each of at
 * most 80 terms by 3/(2j+1) + 1, the cut-off tail by 1: in all below 100, doubled below 200; m ln 2
 * is off by less than m. So 256 + m encloses it.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_exponential_exact_(dppair_range_ *e,
                                                                     const dppair_string_ *s,
                                                                     unsigned skip,
                                                                     unsigned places) {
  dppair_fix_ fraction, one, top, bottom, square, power, term, sum, big;
  uint32_t word, next;
  unsigned level = 0, zeros = 0, m, j;
  int past;
  word = dppair_string_word_(s, 0) & (0xffffffffu >> skip);
  while (word == 0) {
    if (++level >= DPPAIR_NOISE_LEVELS_ - places - 1) return DPPAIR_ERR_EXHAUSTED;
    word = dppair_string_word_(s, level);
  }
  while ((word >> (31 - zeros) & 1u) == 0) zeros++;
  m = 32 * level + zeros + 1 - skip;
  memset(&fraction, 0, sizeof fraction);
  for (j = 0; j < places; j++) {
    next = dppair_string_word_(s, level + j + 1);
    fraction.w[places - 1 - j] = (uint32_t)((((uint64_t)word << 32 | next) << (zeros + 1)) >> 32);
    word = next;
  }
  past = fraction.w[places - 1] >= 0x6a000000u;
  memset(&one, 0, sizeof one);
  one.w[places] = 1;
  bottom = fraction;
  bottom.w[places] = past ? 3 : 2;
  top = fraction;
  if (past) (void)dppair_fix_sub_(&top, &one, &fraction, places);
  dppair_fix_div_(&power, &top, &bottom, places);
  dppair_fix_mul_(&square, &power, &power, places);
  memset(&sum, 0, sizeof sum);
  for (j = 1; !dppair_fix_shrink_(&term, &power, j, places); j += 2) {
    dppair_fix_add_(&sum, &sum, &term, places);
    dppair_fix_mul_(&power, &power, &square, places);
  }
  dppair_fix_add_(&sum, &sum, &sum, places);
  dppair_fix_constant_(&big, dppair_ln2_words_, places);
  dppair_fix_scale_(&big, &big, past ? m - 1 : m, places);
  if (past) {
    dppair_fix_add_(&sum, &big, &sum, places);
  } else {
    (void)dppair_fix_sub_(&sum, &big, &sum, places);
  }
  dppair_fix_down_(&e->lo, &sum, 256 + m, places);
  dppair_fix_up_(&e->hi, &sum, 256 + m, places);
  return DPPAIR_OK;
}

/*
 * Encloses |cos(2 pi T)|, or |sin(2 pi T)| when `sine`, and returns 1 when it is negative.
 *
 * T = q/4 + t with |t| <= 1/8; the quadrant q chooses the function and its sign, and theta = 2 pi
 * |t| <= pi/4 goes into the Taylor series. Error in ulps: t by 1, theta by 9 in all, theta^2 by 16,
 * each power by less than 20, each of at most 50 terms likewise: 1024 encloses it.
 */
DPPAIR_API int dppair_cosine_exact_(dppair_range_ *c, const dppair_string_ *s, unsigned sine,
                                    unsigned places) {
  dppair_fix_ t, eighth, square, term, sum;
  unsigned j, quadrant, function;
  memset(&t, 0, sizeof t);
  memset(&eighth, 0, sizeof eighth);
  for (j = 0; j < places; j++) t.w[places - 1 - j] = dppair_string_word_(s, j);
  eighth.w[places - 1] = 0x20000000u;
  dppair_fix_add_(&t, &t, &eighth, places);
  quadrant = t.w[places - 1] >> 30;
  t.w[places - 1] &= 0x3fffffffu;
  t.w[places] = 0;
  function = (quadrant + 3 * sine) & 3; /* cos, -sin, -cos, sin of the rest */
  if (dppair_fix_sub_(&t, &t, &eighth,
                      places)) { /* the rest is negative: take its absolute value */
    dppair_fix_ zero;
    memset(&zero, 0, sizeof zero);
    (void)dppair_fix_sub_(&t, &zero, &t, places);
    if (function & 1) function ^= 2;
  }
  dppair_fix_constant_(&sum, dppair_two_pi_words_, places);
  dppair_fix_mul_(&t, &t, &sum, places);
  dppair_fix_mul_(&square, &t, &t, places);
  memset(&sum, 0, sizeof sum);
  if (function & 1) {
    term = t;
    j = 2;
  } else {
    memset(&term, 0, sizeof term);
    term.w[places] = 1;
    j = 1;
  }
  for (;;) { /* term = theta^(j-1) / (j-1)!, signs alternate, partial sums stay positive */
    dppair_fix_add_(&sum, &sum, &term, places);
    dppair_fix_mul_(&term, &term, &square, places);
    if (dppair_fix_shrink_(&term, &term, j * (j + 1), places)) break;
    j += 2;
    (void)dppair_fix_sub_(&sum, &sum, &term, places);
    dppair_fix_mul_(&term, &term, &square, places);
    if (dppair_fix_shrink_(&term, &term, j * (j + 1), places)) break;
    j += 2;
  }
  dppair_fix_down_(&c->lo, &sum, 1024, places);
  dppair_fix_up_(&c->hi, &sum, 1024, places);
  return function == 1 || function == 2;
}

/* Encloses r = a b. */
DPPAIR_API void dppair_range_mul_(dppair_range_ *r, const dppair_range_ *a, const dppair_range_ *b,
                                  unsigned places) {
  dppair_fix_mul_(&r->lo, &a->lo, &b->lo, places);
  dppair_fix_mul_(&r->hi, &a->hi, &b->hi, places);
  dppair_fix_up_(&r->hi, &r->hi, 1, places);
}

/* Encloses r = a + b. */
DPPAIR_API void dppair_range_add_(dppair_range_ *r, const dppair_range_ *a, const dppair_range_ *b,
                                  unsigned places) {
  dppair_fix_add_(&r->lo, &a->lo, &b->lo, places);
  dppair_fix_add_(&r->hi, &a->hi, &b->hi, places);
}

/* Encloses r = a / b; b->lo > 0. */
DPPAIR_API void dppair_range_div_(dppair_range_ *r, const dppair_range_ *a, const dppair_range_ *b,
                                  unsigned places) {
  dppair_range_ q;
  dppair_fix_div_(&q.lo, &a->lo, &b->hi, places);
  dppair_fix_div_(&q.hi, &a->hi, &b->lo, places);
  dppair_fix_up_(&q.hi, &q.hi, 1, places);
  *r = q;
}

/* Encloses r = sqrt(a). */
DPPAIR_API void dppair_range_sqrt_(dppair_range_ *r, const dppair_range_ *a, unsigned places) {
  dppair_fix_sqrt_(&r->lo, &a->lo, places);
  dppair_fix_sqrt_(&r->hi, &a->hi, places);
  dppair_fix_up_(&r->hi, &r->hi, 1, places);
}

/* Encloses |z| of a standard Gaussian from its strings; returns its sign through *negative. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_exact_(dppair_range_ *z, int *negative,
                                                                  const dppair_string_ *u,
                                                                  const dppair_string_ *t,
                                                                  unsigned sine, unsigned places) {
  dppair_range_ c;
  dppair_status status = dppair_exponential_exact_(z, u, 0, places);
  if (status != DPPAIR_OK) return status;
  dppair_range_add_(z, z, z, places);
  dppair_range_sqrt_(z, z, places);
  *negative = dppair_cosine_exact_(&c, t, sine, places);
  dppair_range_mul_(z, z, &c, places);
  return DPPAIR_OK;
}

/*
 * round(rest +- s z) for |rest| <= 1/2 and an enclosed z >= 0: 1 and *out when both ends agree,
 * 0 when more bits are needed. round(y) = floor(y + 1/2), and a number's words before the point are
 * its floor modulo 2^64, which two's complement reads back.
 */
DPPAIR_API int dppair_round_exact_(double *out, double rest, double s, const dppair_range_ *z,
                                   int negative, unsigned places) {
  dppair_range_ y, p;
  dppair_fix_ half;
  uint64_t lo, hi;
  unsigned cut;
  (void)dppair_fix_from_f64_(&y.lo, s,
                             places); /* exact: the last place divides the last bit of s >= 1 */
  y.hi = y.lo;
  dppair_range_mul_(&y, &y, z, places);
  cut = (unsigned)dppair_fix_from_f64_(&p.lo, fabs(rest), places);
  memset(&half, 0, sizeof half);
  half.w[places - 1] = 0x80000000u;
  if (rest < 0.0) {
    (void)dppair_fix_sub_(&p.lo, &half, &p.lo, places);
  } else {
    dppair_fix_add_(&p.lo, &half, &p.lo, places);
  }
  dppair_fix_up_(&p.hi, &p.lo, cut, places);
  dppair_fix_down_(&p.lo, &p.lo, cut, places);
  if (negative) {
    (void)dppair_fix_sub_(&p.lo, &p.lo, &y.hi, places);
    (void)dppair_fix_sub_(&p.hi, &p.hi, &y.lo, places);
  } else {
    dppair_range_add_(&p, &p, &y, places);
  }
  lo = (uint64_t)p.lo.w[places + 1] << 32 | p.lo.w[places];
  hi = (uint64_t)p.hi.w[places + 1] << 32 | p.hi.w[places];
  *out = lo >> 63 ? -(double)(~lo + 1) : (double)lo;
  return lo == hi;
}
