/* ------------------------------------------------------------------------------------------------
 * Exact discrete laws
 *
 * Random words one by one, uniform integers, coins of rational and of exponential bias, and from
 * these the discrete Laplace and Gaussian laws of Canonne, Kamath and Steinke 2020. Integer
 * arithmetic only.
 * ---------------------------------------------------------------------------------------------- */

/* Words of key stream for a call that does not know beforehand how many it needs. The first row has
 * one block, so that small calls are cheap; each further row doubles, up to 32 blocks. Unused words
 * are thrown away. Where the stack is small, a row is made in pieces. */
#ifdef DPPAIR_SMALL
#define DPPAIR_SOURCE_ 4u
#else
#define DPPAIR_SOURCE_ 32u
#endif
typedef struct dppair_source_ {
  uint32_t words[16 * DPPAIR_SOURCE_];
  unsigned at, end, row, left; /* `left` blocks of the row that was taken are still to be made */
  dppair_rng *rng, use;        /* from `use` */
  dppair_status status;
} dppair_source_;

DPPAIR_API void dppair_source_open_(dppair_source_ *s, dppair_rng *rng) {
  memset(s, 0, sizeof *s);
  s->rng = rng;
  s->row = 1;
  s->status = dppair_rng_check_(rng);
}

DPPAIR_FORCE_INLINE_ dppair_status dppair_source_close_(dppair_source_ *s) {
  const dppair_status status = s->status;
  dppair_wipe(s, sizeof *s);
  dppair_burn_stack_(DPPAIR_STACK_SMALL_);
  return status;
}

DPPAIR_OUT_OF_LINE_ void dppair_source_fill_(dppair_source_ *s) {
  unsigned made;
  s->at = s->end = 0;
  if (s->status == DPPAIR_OK && s->left == 0) {
    s->status = dppair_rng_take_(&s->use, s->row, s->rng);
    s->left = s->row;
    if (s->row < 32) s->row *= 2;
  }
  if (s->status == DPPAIR_OK) {
    made = s->left < DPPAIR_SOURCE_ ? s->left : DPPAIR_SOURCE_;
    dppair_keystream_row_(s->words, &s->use, 0, s->use.block, made, dppair_noise_tier_());
    s->use.block += made;
    s->left -= made;
    s->end = 16 * made;
  }
}

/* The next 32 bits, or 0 once the source has failed; the caller reads s->status at the end. */
DPPAIR_FORCE_INLINE_ uint32_t dppair_next32_(dppair_source_ *s) {
  if (s->at == s->end) dppair_source_fill_(s);
  return s->status == DPPAIR_OK ? s->words[s->at++] : 0u;
}

/* The rest of dppair_below_: bounds of 2^32 and more, by draws below the next power of two until
 * one is small enough; and a product m of a smaller one that may have to be drawn again. */
DPPAIR_OUT_OF_LINE_ uint64_t dppair_below_again_(dppair_source_ *s, uint64_t bound, uint64_t m) {
  uint64_t mask = bound - 1, r;
  if (bound <= UINT32_MAX) {
    const uint32_t biased = (0u - (uint32_t)bound) % (uint32_t)bound;
    while ((uint32_t)m < biased && s->status == DPPAIR_OK) m = (uint64_t)dppair_next32_(s) * bound;
    return m >> 32;
  }
  mask |= mask >> 1, mask |= mask >> 2, mask |= mask >> 4;
  mask |= mask >> 8, mask |= mask >> 16, mask |= mask >> 32;
  do {
    r = dppair_next32_(s);
    r = (r << 32 | dppair_next32_(s)) & mask;
  } while (r >= bound && s->status == DPPAIR_OK);
  return r;
}

/* Exactly uniform on 0 .. bound - 1, bound > 0. Bounds below 2^32: Lemire's multiplication, which
 * draws again where the result would be biased. */
DPPAIR_FORCE_INLINE_ uint64_t dppair_below_(dppair_source_ *s, uint64_t bound) {
  const uint64_t m = bound <= UINT32_MAX ? (uint64_t)dppair_next32_(s) * bound : 0;
  return (uint32_t)m < bound ? dppair_below_again_(s, bound, m) : m >> 32;
}

/* The next 32 binary digits of a / b, 0 <= a < b < 2^63: a / b = (digits + *rest / b) 2^-32. */
DPPAIR_FORCE_INLINE_ uint32_t dppair_digits_(uint64_t *rest, uint64_t a, uint64_t b) {
  uint32_t digits = 0;
  unsigned i;
  if (b <= UINT32_MAX) {
    *rest = (a << 32) % b;
    return (uint32_t)((a << 32) / b);
  }
  for (i = 0; i < 32; i++) {
    const int one = (a <<= 1) >= b;
    digits = digits << 1 | (one ? 1u : 0u);
    if (one) a -= b;
  }
  *rest = a;
  return digits;
}

/* 1 with probability exactly a / b, 0 <= a <= b < 2^63: compares a random binary fraction with a /
 * b, 32 digits at a time, until they differ. */
DPPAIR_API int dppair_coin_(dppair_source_ *s, uint64_t a, uint64_t b) {
  if (a >= b) return 1;
  while (a > 0 && s->status == DPPAIR_OK) {
    const uint32_t r = dppair_next32_(s), digits = dppair_digits_(&a, a, b);
    if (r != digits) return r < digits;
  }
  return 0;
}

/* The same coin when dppair_digits_ of a / b < 1 are known: a / b = (digits + rest / b) 2^-32. */
DPPAIR_FORCE_INLINE_ int dppair_coin_known_(dppair_source_ *s, uint32_t digits, uint64_t rest,
                                            uint64_t b) {
  const uint32_t r = dppair_next32_(s);
  return r != digits ? r < digits : dppair_coin_(s, rest, b);
}

/* 1 with probability exactly 1 / k, with the first 32 digits of 1 / k from a table for small k. */
DPPAIR_FORCE_INLINE_ int dppair_coin_reciprocal_(dppair_source_ *s, uint32_t k) {
  static const uint32_t digits[8] = {0u,          0xffffffffu, 0x80000000u, 0x55555555u,
                                     0x40000000u, 0x33333333u, 0x2aaaaaaau, 0x24924924u};
  if (k == 1) return 1;
  if (k >= 8) return dppair_coin_(s, 1, k);
  return dppair_coin_known_(s, digits[k], (UINT64_C(1) << 32) % k, k);
}

/* 1 with probability exactly exp(-f), where f is the product of `count` fractions a / b <= 1. Coins
 * of bias f/1, f/2, f/3, ... are thrown until one fails; the number of that coin is odd with
 * probability exp(-f) (von Neumann; Canonne, Kamath, Steinke 2020, algorithm 1). A coin of bias f
 * is a coin for each fraction, all of which must show heads. */
DPPAIR_API int dppair_coin_exp_(dppair_source_ *s, const uint64_t *fractions, unsigned count) {
  uint32_t k;
  unsigned i;
  for (k = 1; s->status == DPPAIR_OK; k++) {
    int heads = dppair_coin_reciprocal_(s, k);
    for (i = 0; i < count && heads; i++)
      heads = dppair_coin_(s, fractions[2 * i], fractions[2 * i + 1]);
    if (!heads) return (int)(k & 1u);
  }
  return 0;
}

/* |X| and sign of the discrete Laplace law P(X = k) ~ exp(-|k| den / num): Canonne, Kamath and
 * Steinke 2020, algorithm 2. A value above 2^62 makes the source fail with OVERFLOW. */
DPPAIR_API uint64_t dppair_two_sided_(dppair_source_ *s, int *negative, uint64_t num,
                                      uint64_t den) {
  while (s->status == DPPAIR_OK) {
    uint64_t fraction[2], whole = 0, x;
    fraction[0] = dppair_below_(s, num);
    fraction[1] = num;
    if (!dppair_coin_exp_(s, fraction, 1)) continue;
    while (dppair_coin_exp_(s, fraction, 0)) whole++; /* no fractions: probability e^-1 each */
    if (whole > ((UINT64_C(1) << 62) - fraction[0]) / num) {
      s->status = DPPAIR_ERR_OVERFLOW;
      break;
    }
    x = (fraction[0] + num * whole) / den;
    *negative = (int)(dppair_next32_(s) >> 31);
    if (x != 0 || !*negative) return x;
  }
  *negative = 0;
  return 0;
}

#define DPPAIR_RATIONAL_MAX_ (UINT64_C(1) << 54) /* largest num and den */

/* The largest t with t^2 b <= a. */
DPPAIR_API uint64_t dppair_root_(uint64_t a, uint64_t b) {
  const uint64_t q = a / b;
  uint64_t t = 0, bit;
  for (bit = UINT64_C(1) << 31; bit > 0; bit >>= 1)
    if ((t | bit) * (t | bit) <= q) t |= bit;
  return t;
}

/*
 * Decides whether a candidate y = |Y| of the discrete Gaussian is kept. The probability is exp(-f),
 *   f = (y - sigma^2 / t)^2 / (2 sigma^2) = off^2 / (2 a b t^2), off = |y b t - a|, sigma^2 = a/b.
 * With m = ceil(off / (b t)), c = floor(off / 2a) + 1, e = floor(m / t) + 1, f is c e times
 *   off / (b t m)  *  off / (2 a c)  *  m / (t e),   fractions of at most 1 and of 63 bits,
 * so c e coins of bias exp(-product) must all show heads. The source fails with OVERFLOW when
 * y b t would pass 2^62. Of 63 bits, because b t m < off + b t, 2 a c <= off + 2 a and t e <= m +
 * t, where off <= 2^62, a and b <= 2^54, t <= 2^27 + 1 and b t <= sqrt(a b) + b.
 */
DPPAIR_API int dppair_keep_gaussian_(dppair_source_ *s, uint64_t y, uint64_t a, uint64_t b,
                                     uint64_t t) {
  uint64_t fractions[6], off, m, c, e, rounds;
  if (y > (UINT64_C(1) << 62) / (b * t)) {
    s->status = DPPAIR_ERR_OVERFLOW;
    return 0;
  }
  off = y * b * t > a ? y * b * t - a : a - y * b * t;
  if (off == 0) return 1;
  if (off < UINT64_C(1) << 31 && a < UINT64_C(1) << 29 && b * t < (UINT64_C(1) << 31) / t) {
    fractions[1] =
        2 * a * (b * t * t); /* f itself is a fraction of 63 bits: e^-floor(f), then rest */
    for (rounds = off * off / fractions[1]; rounds > 0; rounds--)
      if (!dppair_coin_exp_(s, fractions, 0)) return 0;
    fractions[0] = off * off % fractions[1];
    return dppair_coin_exp_(s, fractions, 1);
  }
  m = (off - 1) / (b * t) + 1;
  c = off / (2 * a) + 1;
  e = m / t + 1;
  fractions[0] = off, fractions[1] = b * t * m;
  fractions[2] = off, fractions[3] = 2 * a * c;
  fractions[4] = m, fractions[5] = t * e;
  for (; c > 0; c--) /* c e itself can pass 2^64 */
    for (rounds = e; rounds > 0; rounds--)
      if (!dppair_coin_exp_(s, fractions, 3)) return 0;
  return 1;
}

/* |X| and sign of the discrete Gaussian law with sigma^2 = num / den: Canonne, Kamath and Steinke
 * 2020, algorithm 3. */
DPPAIR_API uint64_t dppair_two_sided_gaussian_(dppair_source_ *s, int *negative, uint64_t num,
                                               uint64_t den) {
  const uint64_t t = dppair_root_(num, den) + 1;
  uint64_t y;
  do {
    y = dppair_two_sided_(s, negative, t, 1);
  } while (s->status == DPPAIR_OK && !dppair_keep_gaussian_(s, y, num, den, t));
  return y;
}

typedef uint64_t (*dppair_two_sided_law_)(dppair_source_ *s, int *negative, uint64_t num,
                                          uint64_t den);

/* n draws of a law whose answers may not be known yet. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_discrete_draw_(int64_t *x, size_t n, uint64_t num,
                                                                 uint64_t den,
                                                                 dppair_two_sided_law_ law,
                                                                 dppair_rng *rng) {
  dppair_source_ s;
  dppair_status status;
  size_t i;
  dppair_source_open_(&s, rng);
  if (num < 1 || den < 1 || num > DPPAIR_RATIONAL_MAX_ || den > DPPAIR_RATIONAL_MAX_)
    s.status = DPPAIR_ERR_SIGMA;
  for (i = 0; i < n && s.status == DPPAIR_OK; i++) {
    int negative;
    const int64_t y = (int64_t)law(&s, &negative, num, den);
    x[i] = negative ? -y : y;
  }
  status = dppair_source_close_(&s);
  if (status != DPPAIR_OK && n > 0) memset(x, 0, n * sizeof *x);
  return status;
}

/* The trial of both: draws of small parameters, and of some for which a coin has many factors. */
#define DPPAIR_ANSWER_DISCRETE_LAPLACE_ UINT64_C(0xb5d2ea32951c7a0a)
#define DPPAIR_ANSWER_DISCRETE_GAUSSIAN_ UINT64_C(0x98539b510debedde)
DPPAIR_OUT_OF_LINE_ dppair_status dppair_discrete_answer_(dppair_two_sided_law_ law,
                                                          uint64_t answer) {
  dppair_rng rng;
  int64_t x[24];
  uint64_t h = 0;
  unsigned i;
  dppair_status status = dppair_streams_tried_();
  dppair_trial_key_(&rng, DPPAIR_CHACHA20);
  if (status == DPPAIR_OK) status = dppair_discrete_draw_(x, 12, 50, 3, law, &rng);
  if (status == DPPAIR_OK)
    status = dppair_discrete_draw_(x + 12, 12, (UINT64_C(1) << 50) + 1, 7, law, &rng);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < 24; i++) h = dppair_trial_word_(h, (uint64_t)x[i]);
  return h == answer ? DPPAIR_OK : DPPAIR_ERR_SELF_TEST;
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_discrete_laplace_trial_(void) {
  return dppair_discrete_answer_(dppair_two_sided_, DPPAIR_ANSWER_DISCRETE_LAPLACE_);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_discrete_gaussian_trial_(void) {
  return dppair_discrete_answer_(dppair_two_sided_gaussian_, DPPAIR_ANSWER_DISCRETE_GAUSSIAN_);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_discrete_laplace_tried_(void) {
  static dppair_known_ known;
  return dppair_tried_once_(&known, dppair_discrete_laplace_trial_);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_discrete_gaussian_tried_(void) {
  static dppair_known_ known;
  return dppair_tried_once_(&known, dppair_discrete_gaussian_trial_);
}

/* Draws of a law that `tried` answers for. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_discrete_work_(int64_t *x, size_t n, uint64_t num,
                                                                 uint64_t den, dppair_trial_ tried,
                                                                 dppair_two_sided_law_ law,
                                                                 dppair_rng *rng) {
  dppair_status status = dppair_array_(x, n);
  if (status != DPPAIR_OK) return status;
  status = tried();
  if (status == DPPAIR_OK) return dppair_discrete_draw_(x, n, num, den, law, rng);
  if (n > 0) memset(x, 0, n * sizeof *x);
  return status;
}

/*
 * Draws each x[i] exactly from the discrete Laplace law P(k) ~ exp(-|k| / t) on all integers, with
 * t = num / den, both from 1 to 2^54. It does not add to x. |x[i]| beyond 2^62 (probability below
 * 2^-300) is the error OVERFLOW, the only inexact event. Other errors: NULL, SIGMA, the
 * generator's; x is then 0. The time depends on the values drawn.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_discrete_laplace(int64_t *x, size_t n,
                                                                   uint64_t num, uint64_t den,
                                                                   dppair_rng *rng) {
  return dppair_discrete_work_(x, n, num, den, dppair_discrete_laplace_tried_, dppair_two_sided_,
                               rng);
}

/*
 * Draws each x[i] exactly from the discrete Gaussian law P(k) ~ exp(-k^2 / (2 sigma^2)) on all
 * integers, with sigma^2 = num / den, both from 1 to 2^54 (Canonne, Kamath, Steinke 2020, algorithm
 * 3). It does not add to x. Added to integers of l2 sensitivity D, it is (D^2 / (2 sigma^2))-zCDP
 * like the continuous law. The only inexact event is the error OVERFLOW: a candidate of Laplace(t)
 * beyond 2^62 / (den t). Since den t^2 <= 4 max(num, den), its probability is at most
 * exp(-2^60 / max(num, den)): below 2^-92 for the largest parameters, and below 2^-1000 when both
 * are below 2^50. Other errors: NULL, SIGMA, the generator's; x is then 0. The time depends on the
 * values drawn.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_discrete_gaussian(int64_t *x, size_t n,
                                                                    uint64_t num, uint64_t den,
                                                                    dppair_rng *rng) {
  return dppair_discrete_work_(x, n, num, den, dppair_discrete_gaussian_tried_,
                               dppair_two_sided_gaussian_, rng);
}
