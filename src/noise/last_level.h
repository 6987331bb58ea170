/* ------------------------------------------------------------------------------------------------
 * The last level: noise by integers
 *
 * Encloses a noise variable with 32 `places` bits after the point and rounds a released number when
 * both ends of the enclosure agree on it. Uses fixed_point.h; all errors are counted in ulps.
 * ---------------------------------------------------------------------------------------------- */

/* The string U after its first `skip` (0 or 1) bits, normalised: U = 2^-m (1 + fraction). Reads
 * words until one has a 1 bit, then `places` more. EXHAUSTED after about 6000 zeros. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_string_normal_(unsigned *m, dppair_fix_ *fraction,
                                                                 const dppair_string_ *s,
                                                                 unsigned skip, unsigned places) {
  uint32_t word = dppair_string_word_(s, 0) & (0xffffffffu >> skip), next;
  unsigned level = 0, zeros = 0, j;
  while (word == 0) {
    if (++level >= DPPAIR_NOISE_LEVELS_ - places - 1) return DPPAIR_ERR_EXHAUSTED;
    word = dppair_string_word_(s, level);
  }
  while ((word >> (31 - zeros) & 1u) == 0) zeros++;
  *m = 32 * level + zeros + 1 - skip;
  memset(fraction, 0, sizeof *fraction);
  for (j = 0; j < places; j++) {
    next = dppair_string_word_(s, level + j + 1);
    fraction->w[places - 1 - j] = (uint32_t)((((uint64_t)word << 32 | next) << (zeros + 1)) >> 32);
    word = next;
  }
  return DPPAIR_OK;
}

/* sum = 2 artanh(top / bottom) for a quotient of at most 0.172, by the series r + r^3 / 3 + ... */
DPPAIR_OUT_OF_LINE_ void dppair_fix_artanh2_(dppair_fix_ *sum, const dppair_fix_ *top,
                                             const dppair_fix_ *bottom, unsigned places) {
  dppair_fix_ square, power, term;
  unsigned j;
  dppair_fix_div_(&power, top, bottom, places);
  dppair_fix_mul_(&square, &power, &power, places);
  memset(sum, 0, sizeof *sum);
  for (j = 1; !dppair_fix_shrink_(&term, &power, j, places); j += 2) {
    dppair_fix_add_(sum, sum, &term, places);
    dppair_fix_mul_(&power, &power, &square, places);
  }
  dppair_fix_add_(sum, sum, sum, places);
}

/*
 * Encloses e = m ln 2 - ln v, v = 1 + fraction in [1, 2), m >= 1: -ln U of U = 2^-m v.
 *
 * Above v = 1.414 the form (m-1) ln 2 + ln(2/v) is used instead, so that nothing cancels near
 * U = 1. The logarithm is 2 artanh(a/b) with a/b = (v-1)/(v+1) or (2-v)/(2+v), at most 0.172.
 * Errors in ulps: v less than 1; a/b 2; its square 2; each power at most 3; each of at most 80
 * terms 3/(2j+1) + 1; the cut-off tail 1. The sum is below 100, doubled below 200; m ln 2 is off by
 * less than m. So an enclosure of width 256 + m on both sides holds e.
 */
DPPAIR_OUT_OF_LINE_ void dppair_minus_log_(dppair_range_ *e, unsigned m,
                                           const dppair_fix_ *fraction, unsigned places) {
  dppair_fix_ one, top, bottom, sum, big;
  const int past = fraction->w[places - 1] >= 0x6a000000u; /* v is above 1.414 = 1 + 0x6a / 256 */
  memset(&one, 0, sizeof one);
  one.w[places] = 1;
  bottom = *fraction; /* v + 1 or v + 2 */
  bottom.w[places] = past ? 3 : 2;
  top = *fraction; /* v - 1 or 2 - v */
  if (past) (void)dppair_fix_sub_(&top, &one, fraction, places);
  dppair_fix_artanh2_(&sum, &top, &bottom, places);
  dppair_fix_constant_(&big, dppair_ln2_words_, places);
  dppair_fix_scale_(&big, &big, past ? m - 1 : m, places);
  if (past) {
    dppair_fix_add_(&sum, &big, &sum, places);
  } else {
    (void)dppair_fix_sub_(&sum, &big, &sum, places);
  }
  dppair_fix_down_(&e->lo, &sum, 256 + m, places);
  dppair_fix_up_(&e->hi, &sum, 256 + m, places);
}

/* Encloses e = -ln U, where U is the string after its first `skip` (0 or 1) bits. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status dppair_exponential_exact_(
    dppair_range_ *e, const dppair_string_ *s, unsigned skip, unsigned places) {
  dppair_fix_ fraction;
  unsigned m = 0; /* always set below, which gcc does not see at -O1 */
  const dppair_status status = dppair_string_normal_(&m, &fraction, s, skip, places);
  if (status == DPPAIR_OK) dppair_minus_log_(e, m, &fraction, places);
  return status;
}

/* t = the distance of T from the nearest quarter turn, |t| <= 1/8. Returns which function of 2 pi t
 * is the cosine (or, when `sine`, the sine) of 2 pi T: 0 cos, 1 -sin, 2 -cos, 3 sin. */
DPPAIR_API unsigned dppair_quarter_turn_(dppair_fix_ *t, const dppair_string_ *s, unsigned sine,
                                         unsigned places) {
  dppair_fix_ eighth;
  unsigned j, quadrant, function;
  memset(t, 0, sizeof *t);
  memset(&eighth, 0, sizeof eighth);
  for (j = 0; j < places; j++) t->w[places - 1 - j] = dppair_string_word_(s, j);
  eighth.w[places - 1] = 0x20000000u;
  dppair_fix_add_(t, t, &eighth, places);
  quadrant = t->w[places - 1] >> 30;
  t->w[places - 1] &= 0x3fffffffu;
  t->w[places] = 0;
  function = (quadrant + 3 * sine) & 3;
  if (dppair_fix_sub_(t, t, &eighth, places)) { /* t < 0: use |t|, a sine changes its sign */
    dppair_fix_ zero;
    memset(&zero, 0, sizeof zero);
    (void)dppair_fix_sub_(t, &zero, t, places);
    if (function & 1) function ^= 2;
  }
  return function;
}

/* sum = cos(theta) or sin(theta), 0 <= theta <= pi/4, by the Taylor series. In the loop
 * term = theta^(j-1) / (j-1)!; the signs alternate, and every partial sum is positive. */
DPPAIR_OUT_OF_LINE_ void dppair_fix_taylor_(dppair_fix_ *sum, const dppair_fix_ *theta, int of_sine,
                                            unsigned places) {
  dppair_fix_ term, square;
  unsigned j = of_sine ? 2 : 1;
  dppair_fix_mul_(&square, theta, theta, places);
  memset(sum, 0, sizeof *sum);
  memset(&term, 0, sizeof term);
  term.w[places] = 1;
  if (of_sine) term = *theta;
  for (;;) {
    dppair_fix_add_(sum, sum, &term, places);
    dppair_fix_mul_(&term, &term, &square, places);
    if (dppair_fix_shrink_(&term, &term, j * (j + 1), places)) break;
    j += 2;
    (void)dppair_fix_sub_(sum, sum, &term, places);
    dppair_fix_mul_(&term, &term, &square, places);
    if (dppair_fix_shrink_(&term, &term, j * (j + 1), places)) break;
    j += 2;
  }
}

/*
 * Encloses |cos(2 pi T)|, or |sin(2 pi T)| when `sine`, and returns 1 when it is negative.
 *
 * T = q/4 + t with |t| <= 1/8; the quadrant q chooses the function and its sign, and theta = 2 pi
 * |t| <= pi/4 goes into the Taylor series. Errors in ulps: t 1, theta 9 in all, theta^2 16, each
 * power below 20, each of at most 50 terms likewise. So 1024 ulps on both sides enclose it.
 */
DPPAIR_OUT_OF_LINE_ int dppair_cosine_exact_(dppair_range_ *c, const dppair_string_ *s,
                                             unsigned sine, unsigned places) {
  dppair_fix_ t, two_pi, sum;
  const unsigned function = dppair_quarter_turn_(&t, s, sine, places);
  dppair_fix_constant_(&two_pi, dppair_two_pi_words_, places);
  dppair_fix_mul_(&t, &t, &two_pi, places);
  dppair_fix_taylor_(&sum, &t, (int)(function & 1), places);
  dppair_fix_down_(&c->lo, &sum, 1024, places);
  dppair_fix_up_(&c->hi, &sum, 1024, places);
  return function == 1 || function == 2;
}

/* Encloses |z| of a standard Gaussian z = sqrt(-2 ln U) cos(2 pi T), or with the sine; *negative
 * says whether z is negative. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
dppair_gaussian_exact_(dppair_range_ *z, int *negative, const dppair_string_ *u,
                       const dppair_string_ *t, unsigned sine, unsigned places) {
  dppair_range_ c;
  dppair_status status = dppair_exponential_exact_(z, u, 0, places);
  if (status != DPPAIR_OK) return status;
  dppair_range_add_(z, z, z, places);
  dppair_range_sqrt_(z, z, places);
  *negative = dppair_cosine_exact_(&c, t, sine, places);
  dppair_range_mul_(z, z, &c, places);
  return DPPAIR_OK;
}

/* Encloses rest + 1/2 for |rest| <= 1/2. The bits of rest below the last place are cut off, which
 * moves it by less than one ulp. */
DPPAIR_OUT_OF_LINE_ void dppair_range_rest_(dppair_range_ *p, double rest, unsigned places) {
  const unsigned cut = (unsigned)dppair_fix_from_f64_(&p->lo, dppair_fabs_(rest), places);
  dppair_fix_ half;
  memset(&half, 0, sizeof half);
  half.w[places - 1] = 0x80000000u;
  if (rest < 0.0) {
    (void)dppair_fix_sub_(&p->lo, &half, &p->lo, places);
  } else {
    dppair_fix_add_(&p->lo, &half, &p->lo, places);
  }
  dppair_fix_up_(&p->hi, &p->lo, cut, places);
  dppair_fix_down_(&p->lo, &p->lo, cut, places);
}

/*
 * *out = round(rest +- s z) for |rest| <= 1/2 and an enclosed z >= 0. Returns 1 when both ends of
 * the enclosure agree, 0 when more bits are needed. round(y) = floor(y + 1/2); the words before the
 * point of a number are its floor modulo 2^64, in two's complement when it is negative. s >= 1 is
 * exact: its last bit lies above the last place.
 */
DPPAIR_OUT_OF_LINE_ int dppair_round_exact_(double *out, double rest, double s,
                                            const dppair_range_ *z, int negative, unsigned places) {
  dppair_range_ y, p;
  uint64_t lo, hi;
  (void)dppair_fix_from_f64_(&y.lo, s, places);
  y.hi = y.lo;
  dppair_range_mul_(&y, &y, z, places);
  dppair_range_rest_(&p, rest, places);
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
