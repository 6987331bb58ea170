/* ------------------------------------------------------------------------------------------------
 * Skellam noise on integers, exactly
 *
 * Sk(m) is the difference of two independent Poisson variables of mean mu = m/2; its variance is m,
 * and sums of independent ones are Skellam of the sum of the variances. Relies on discrete.h,
 * double_level.h and last_level.h.
 *
 * Poisson(mu), p(k) ~ mu^k/k!, by rejection. K = floor(mu), W >= 1.18 sqrt(mu) + 1.7, both whole. A
 * candidate is a fair side, b with probability 2^-(b+1), r uniform below W, i = b W + r; it is
 * k = K + i or K - 1 - i, and is kept with probability 2^b p(k)/p(K), so that P(k) ~ p(k). That is
 * at most 1: put f(k) = -ln(p(k)/p(K)). On the right f(K + W) is the sum of ln((K+i)/mu), i = 1 ..
 * W; with ln(1+x) >= 2x/(2+x) and (K+i)/mu >= 1 + (i-1)/mu it is >= W(W-1)/(2mu + W) >= ln 2. On
 * the left f(K - W) >= W(W-1)/(2mu). f is convex with f(K) = 0 and grows on both sides, so that
 * f(K +- i) >= f(K +- bW) >= b ln 2. A candidate is kept about every second time; the time does
 * not grow with m.
 *
 * Kept or not: E > t = f(k) - b ln 2, where E = -ln U of an infinite string U of random bits. First
 * in double, with a bound of the error; what that leaves open (one in 2^26 or fewer) by enclosures
 * of E and of ln k! (Stirling's series: the error is below the first term that is left out, and has
 * its sign) in integers of 128, 256 and 384 bits, from more bits of the same string. So the law is
 * exact: no total variation distance. Two errors are possible: OVERFLOW, a candidate beyond 4096 W
 * (probability 2^-4096), and EXHAUSTED, 384 bits and 13 terms do not decide (below 2^-190 a draw).
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_SKELLAM_VARIANCE_MAX_ 1125899906842624.0 /* 2^50 */
#define DPPAIR_SKELLAM_VARIANCE_MIN_ 1e-6
#define DPPAIR_POISSON_BLOCKS_ 4096u  /* W's on one side */
#define DPPAIR_POISSON_LARGE_ 65536.0 /* modes from here on are computed by their differences */
#define DPPAIR_STIRLING_FROM_ 256u    /* where 13 terms leave less than 2^-200 */
#define DPPAIR_DECISION_WORDS_ 32u    /* of a string that is decided on */

/* A Poisson law, and what the double level needs of it. */
typedef struct dppair_poisson_ {
  double mean, log_mean; /* mu, ln mu */
  double mode;           /* K */
  double at_mode;        /* ln K!, for K < DPPAIR_POISSON_LARGE_ */
  double lag;            /* ln(K/mu), for larger ones */
  uint64_t width;        /* W */
} dppair_poisson_;

/* A string of random bits, as far as it was read. */
typedef struct dppair_decision_ {
  uint32_t w[DPPAIR_DECISION_WORDS_];
  unsigned count;
} dppair_decision_;

DPPAIR_API uint32_t dppair_decision_word_(dppair_decision_ *u, unsigned i, dppair_source_ *s) {
  while (u->count <= i) u->w[u->count++] = dppair_next32_(s);
  return u->w[i];
}

/* --- In double -------------------------------------------------------------------------------- */

/* ln x of x > 0; error: relative 4u for x in [0.707, 1.414], else absolute 4u (1 + |ln x|). */
DPPAIR_API double dppair_log_f64_(double x) {
  int k;
  double v = dppair_frexp_(x, &k);
  if (v < 0.70710678118654752) {
    v *= 2.0;
    k--;
  }
  return dppair_log_parts_(v - 1.0, k);
}

/* The sum of Stirling's series for x >= 16: ln x! without it is (x + 1/2) ln x - x + ln(2 pi)/2. */
DPPAIR_API double dppair_stirling_f64_(double x) {
  const double y = 1.0 / x, y2 = y * y;
  return y * (1.0 / 12 - y2 * (1.0 / 360 - y2 * (1.0 / 1260 - y2 * (1.0 / 1680 - y2 / 1188))));
}

/* ln x! of a whole x below 2^53, within 16u (1 + (x + 1/2) ln x). *size grows by (x + 1/2) ln x. */
DPPAIR_API double dppair_log_factorial_f64_(double *size, double x) {
  double product = 1.0, large;
  if (x < 16.0) {
    for (; x > 1.0; x -= 1.0) product *= x; /* at most 15!, exact */
    product = dppair_log_f64_(product);
    *size += product;
    return product;
  }
  large = (x + 0.5) * dppair_log_f64_(x);
  *size += large;
  return large - x + 0.91893853320467274 + dppair_stirling_f64_(x);
}

/* *t = f(k) - b ln 2 of a whole k in [0, 2^52). Returns a bound of its error; HUGE_VAL where it was
 * not computed. With u = 2^-53 the parts below are each within 10u of their sizes, which are added
 * up in `size`, and adding them rounds at most four times. */
DPPAIR_API double dppair_poisson_f64_(double *t, const dppair_poisson_ *p, double k, double b) {
  const double j = k - p->mode;
  double size = dppair_fabs_(j) + b + 8.0, f;
  *t = 0.0;
  if (p->mode < DPPAIR_POISSON_LARGE_) {
    f = dppair_log_factorial_f64_(&size, k) - p->at_mode;
    f -= j * p->log_mean;
    size += p->at_mode + p->mode + dppair_fabs_(j * p->log_mean) + dppair_fabs_(f);
  } else { /* (k + 1/2) ln(k/K) - j + j ln(K/mu), and the two series */
    const double r = j / (p->mode + k);
    if (!(dppair_fabs_(r) <= 0.125)) return HUGE_VAL;
    f = (k + 0.5) * dppair_artanh2_f64_(r) - j;
    f += j * p->lag + (dppair_stirling_f64_(k) - dppair_stirling_f64_(p->mode));
    size += dppair_fabs_(f);
  }
  *t = f - b * 0.69314718055994531;
  return 32.0 * DPPAIR_EXP2M_(53) * size;
}

/* ENVIRONMENT where mode or width are not what they must be: draws would never end. */
DPPAIR_API dppair_status dppair_poisson_make_(dppair_poisson_ *p, double mean) {
  const double width = dppair_ceil_(1.18 * dppair_sqrt_(mean) + 1.7);
  double size = 0.0, rest;
  memset(p, 0, sizeof *p);
  p->mean = mean;
  p->log_mean = dppair_log_f64_(mean);
  p->mode = dppair_floor_(mean);
  if (!(p->mode <= mean && p->mode > mean - 1.0 && width > 1.0 && width < 4294967296.0))
    return DPPAIR_ERR_ENVIRONMENT;
  p->width = (uint64_t)width;
  rest = mean - p->mode; /* exact */
  if (p->mode < DPPAIR_POISSON_LARGE_)
    p->at_mode = dppair_log_factorial_f64_(&size, p->mode);
  else
    p->lag = -dppair_artanh2_f64_(rest / (2.0 * mean - rest));
  return DPPAIR_OK;
}

/* --- By enclosures ---------------------------------------------------------------------------- */

/* Encloses |ln x| of a positive double from 2^-60 to 2^60; returns 1 where x < 1. x = v 2^e, v in
 * [1/2, 1), so that ln x = e ln 2 - (-ln v); ulps: 257 for -ln v, 60 for e ln 2. */
DPPAIR_OUT_OF_LINE_ int dppair_log_exact_(dppair_range_ *r, double x, unsigned places) {
  dppair_range_ big;
  dppair_fix_ fraction;
  int e;
  const double v = dppair_frexp_(x, &e);
  (void)dppair_fix_from_f64_(&fraction, 2.0 * v - 1.0, places);
  dppair_minus_log_(r, 1, &fraction, places);
  dppair_fix_constant_(&big.lo, dppair_ln2_words_, places);
  dppair_fix_scale_(&big.lo, &big.lo, (uint32_t)(e < 0 ? -e : e), places);
  dppair_fix_up_(&big.hi, &big.lo, 60, places);
  if (e <= 0) {
    dppair_range_add_(r, r, &big, places);
    return 1;
  }
  if (dppair_fix_sub_(&big.lo, &big.lo, &r->hi, places)) memset(&big.lo, 0, sizeof big.lo);
  (void)dppair_fix_sub_(&big.hi, &big.hi, &r->lo, places);
  *r = big;
  return 0;
}

/* Encloses Stirling's series at x >= DPPAIR_STIRLING_FROM_: 13 terms, and those with the 14th. The
 * powers are off by 4 ulps, and all terms together by less than 4096. */
DPPAIR_OUT_OF_LINE_ void dppair_stirling_exact_(dppair_range_ *r, const dppair_fix_ *x,
                                                unsigned places) {
  static const uint32_t term[14][2] = {{1, 12},         {1, 360},
                                       {1, 1260},       {1, 1680},
                                       {1, 1188},       {691, 360360},
                                       {1, 156},        {3617, 122400},
                                       {43867, 244188}, {174611, 125400},
                                       {77683, 5796},   {236364091, 1506960},
                                       {657931, 300},   {3392780147u, 93960}};
  dppair_fix_ power, square, one, part;
  unsigned n;
  memset(&one, 0, sizeof one);
  one.w[places] = 1;
  dppair_fix_div_(&power, &one, x, places);
  dppair_fix_mul_(&square, &power, &power, places);
  memset(r, 0, sizeof *r);
  for (n = 0; n < 14; n++) {
    r->hi = r->lo;
    dppair_fix_scale_(&part, &power, term[n][0], places);
    (void)dppair_fix_shrink_(&part, &part, term[n][1], places);
    if (n % 2 == 0)
      dppair_fix_add_(&r->lo, &r->lo, &part, places);
    else
      (void)dppair_fix_sub_(&r->lo, &r->lo, &part, places);
    dppair_fix_mul_(&power, &power, &square, places);
  }
  dppair_fix_down_(&r->lo, &r->lo, 4096, places);
  dppair_fix_up_(&r->hi, &r->hi, 4096, places);
}

/* Encloses ln k! + 1 - ln(2 pi)/2 of a whole k < 2^52: by Stirling's series from 256 on, (x + 1/2)
 * ln x - (x - 1) + ..; below, from that of 256 without the logarithms of the numbers between, whose
 * products are exact below 2^52. */
DPPAIR_OUT_OF_LINE_ void dppair_log_factorial_exact_(dppair_range_ *r, uint64_t k,
                                                     unsigned places) {
  const uint64_t x = k < DPPAIR_STIRLING_FROM_ ? DPPAIR_STIRLING_FROM_ : k;
  dppair_range_ log, series;
  dppair_fix_ whole;
  uint64_t i = k;
  (void)dppair_log_exact_(&log, (double)x, places);
  memset(&whole, 0, sizeof whole);
  whole.w[places] = (uint32_t)x;
  whole.w[places + 1] = (uint32_t)(x >> 32);
  dppair_stirling_exact_(&series, &whole, places);
  whole.w[places - 1] = 0x80000000u;
  r->lo = r->hi = whole;
  dppair_range_mul_(r, r, &log, places);
  dppair_range_add_(r, r, &series, places);
  whole.w[places - 1] = 0;
  whole.w[places] = (uint32_t)(x - 1);
  whole.w[places + 1] = (uint32_t)((x - 1) >> 32);
  (void)dppair_fix_sub_(&r->lo, &r->lo, &whole, places);
  (void)dppair_fix_sub_(&r->hi, &r->hi, &whole, places);
  while (i < x) {
    double product = 1.0;
    while (i < x && product < 17592186044416.0) product *= (double)++i;
    (void)dppair_log_exact_(&log, product, places);
    (void)dppair_fix_sub_(&r->lo, &r->lo, &log.hi, places);
    (void)dppair_fix_sub_(&r->hi, &r->hi, &log.lo, places);
  }
}

/* Encloses E = -ln U: U = 2^-m (1 + fraction), from as many words as that takes. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_decision_exact_(dppair_range_ *e, dppair_decision_ *u,
                                                         dppair_source_ *s, unsigned places) {
  dppair_fix_ fraction;
  unsigned level = 0, zeros = 0, j;
  while (dppair_decision_word_(u, level, s) == 0)
    if (++level >= DPPAIR_DECISION_WORDS_ - DPPAIR_FIX_MAX_ - 1) return DPPAIR_ERR_EXHAUSTED;
  while ((u->w[level] >> (31 - zeros) & 1u) == 0) zeros++;
  memset(&fraction, 0, sizeof fraction);
  for (j = 0; j < places; j++) {
    const uint32_t next = dppair_decision_word_(u, level + j + 1, s), word = u->w[level + j];
    fraction.w[places - 1 - j] = (uint32_t)((((uint64_t)word << 32 | next) << (zeros + 1)) >> 32);
  }
  dppair_minus_log_(e, 32 * level + zeros + 1, &fraction, places);
  return DPPAIR_OK;
}

/* E > f(k) - b ln 2, that is E + ln K! + b ln 2 + j ln mu > ln k!: j ln mu goes to the side where
 * it is not negative. Returns 1, 0, or -1 when more places are needed. Where mu < 1, K = 0 and j >=
 * 0. */
DPPAIR_OUT_OF_LINE_ int dppair_poisson_exact_(const dppair_poisson_ *p, uint64_t k, uint32_t b,
                                              const dppair_range_ *e, unsigned places) {
  const uint64_t mode = (uint64_t)p->mode, j = k > mode ? k - mode : mode - k;
  dppair_range_ left, right, part, times;
  dppair_fix_ trial;
  int below;
  dppair_log_factorial_exact_(&left, mode, places);
  dppair_range_add_(&left, &left, e, places);
  dppair_fix_constant_(&part.lo, dppair_ln2_words_, places);
  dppair_fix_scale_(&part.lo, &part.lo, b, places);
  dppair_fix_up_(&part.hi, &part.lo, b, places);
  dppair_range_add_(&left, &left, &part, places);
  dppair_log_factorial_exact_(&right, k, places);
  below = dppair_log_exact_(&part, p->mean, places);
  memset(&times, 0, sizeof times);
  times.lo.w[places] = (uint32_t)j;
  times.lo.w[places + 1] = (uint32_t)(j >> 32);
  times.hi = times.lo;
  dppair_range_mul_(&part, &part, &times, places);
  if ((k >= mode) == !below)
    dppair_range_add_(&left, &left, &part, places);
  else
    dppair_range_add_(&right, &right, &part, places);
  if (dppair_fix_sub_(&trial, &right.hi, &left.lo, places)) return 1;
  return dppair_fix_sub_(&trial, &left.hi, &right.lo, places) ? 0 : -1;
}

/* The same decision with as many places as it takes. */
DPPAIR_OUT_OF_LINE_ int dppair_poisson_decide_(const dppair_poisson_ *p, uint64_t k, uint32_t b,
                                               dppair_decision_ *u, dppair_source_ *s) {
  unsigned places;
  for (places = 4; places <= DPPAIR_FIX_MAX_ && s->status == DPPAIR_OK; places += 4) {
    dppair_range_ e;
    const dppair_status status = dppair_decision_exact_(&e, u, s, places);
    int kept = -1;
    if (status == DPPAIR_OK) kept = dppair_poisson_exact_(p, k, b, &e, places);
    if (kept >= 0) return kept;
  }
  if (s->status == DPPAIR_OK) s->status = DPPAIR_ERR_EXHAUSTED;
  return 0;
}

/* --- Draws ------------------------------------------------------------------------------------ */

/* Is the candidate kept? The bound of E's error: 4u (1 + E) and 2^-46 for the bits not read. */
DPPAIR_API int dppair_poisson_keeps_(const dppair_poisson_ *p, uint64_t k, uint32_t b,
                                     dppair_source_ *s) {
  dppair_decision_ u;
  double e, t, off;
  u.count = 0;
  (void)dppair_decision_word_(&u, 2, s);
  e = dppair_exponential_f64_(u.w);
  off = dppair_poisson_f64_(&t, p, (double)k, (double)b) + DPPAIR_EXP2M_(45);
  if (e >= 0.0 && e - t > off) return 1;
  if (e >= 0.0 && t - e > off) return 0;
  return dppair_poisson_decide_(p, k, b, &u, s);
}

/* A draw of Poisson(mu); 0 once the source has failed. The first word of a candidate is its side
 * and the zeros that b counts; further words where it has only zeros. */
DPPAIR_API uint64_t dppair_poisson_draw_(const dppair_poisson_ *p, dppair_source_ *s) {
  const uint64_t mode = (uint64_t)p->mode;
  while (s->status == DPPAIR_OK) {
    uint32_t word = dppair_next32_(s), b = 0, bit = 0x40000000u;
    const int left = (int)(word >> 31);
    uint64_t i;
    while ((word & bit) == 0 && s->status == DPPAIR_OK) {
      if (++b >= DPPAIR_POISSON_BLOCKS_) s->status = DPPAIR_ERR_OVERFLOW;
      bit >>= 1;
      if (bit == 0) {
        word = dppair_next32_(s);
        bit = 0x80000000u;
      }
    }
    i = b * p->width + dppair_below_(s, p->width);
    if (left && i >= mode) continue; /* below 0 */
    if (dppair_poisson_keeps_(p, left ? mode - 1 - i : mode + i, b, s))
      return left ? mode - 1 - i : mode + i;
  }
  return 0;
}

DPPAIR_OUT_OF_LINE_ dppair_status dppair_skellam_work_(int64_t *x, size_t n, int add,
                                                       double variance, dppair_rng *rng) {
  dppair_source_ s;
  dppair_poisson_ p;
  dppair_status status;
  size_t i;
  dppair_source_open_(&s, rng);
  status = dppair_poisson_make_(&p, 0.5 * variance);
  if (s.status == DPPAIR_OK) s.status = status;
  for (i = 0; i < n && s.status == DPPAIR_OK; i++) {
    const uint64_t plus = dppair_poisson_draw_(&p, &s), minus = dppair_poisson_draw_(&p, &s);
    const uint64_t sum = (add ? (uint64_t)x[i] : 0u) + plus - minus;
    x[i] = sum >> 63 ? -(int64_t)(~sum) - 1 : (int64_t)sum;
  }
  status = dppair_source_close_(&s);
  dppair_wipe(&p, sizeof p);
  return status;
}
