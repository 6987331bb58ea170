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
