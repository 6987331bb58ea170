/* ------------------------------------------------------------------------------------------------
 * What a release consists of
 *
 * The plan (grid, law, tier), the exact split of x / g into an integer and a rest, the last level
 * for one number, and the scalar code for one block. The vector tiers use the same plan and last
 * level; levels.h and releases.h put the parts together.
 * ---------------------------------------------------------------------------------------------- */

typedef struct dppair_plan_ dppair_plan_;

/* A batch of the second level: positions, x / g = whole + rest, the integers k to which rest +
 * noise is rounded, and whether they are undecided (1.0) or not; 64 bits of the strings U and T,
 * and 1.0 for a sine. */
typedef struct dppair_batch_ {
  uint32_t at[DPPAIR_ROW_MAX_];
  double whole[DPPAIR_ROW_MAX_], rest[DPPAIR_ROW_MAX_], k[DPPAIR_ROW_MAX_];
  double undecided[DPPAIR_ROW_MAX_], sine[DPPAIR_ROW_MAX_];
  uint64_t u[DPPAIR_ROW_MAX_], t[DPPAIR_ROW_MAX_];
} dppair_batch_;

/* The levels of one law, type and vector tier, whose code no other law has: kernels/. */
typedef int (*dppair_first_)(void *x, size_t n, const uint32_t *words, const uint32_t *more,
                             uint32_t *marks, const dppair_plan_ *plan);
typedef void (*dppair_second_)(dppair_batch_ *b, size_t slots, const dppair_plan_ *plan);

/* A law and type: sets `law` and `narrow`, and the levels that make it at plan->tier. */
typedef void (*dppair_noise_levels_)(dppair_plan_ *plan);

struct dppair_plan_ {
  double g, inverse;   /* the grid 2^exponent and 1 / g */
  double s;            /* scale / g, exact */
  double open_rate;    /* expected share of numbers that the float level leaves undecided */
  dppair_first_ first; /* NULL at the scalar tier, whose code is for all laws */
  dppair_second_ second;
  int exponent, law, tier;
  int narrow; /* 1: the numbers are float, 0: double */
  int coarse; /* 1: the float level comes first */
};

/* The integer in the bits of y + 1.5 2^52, |y| < 2^51: the nearest to y. No branch, as rint can
 * have. */
DPPAIR_FORCE_INLINE_ double dppair_whole_(uint64_t moved) {
  return (double)((int64_t)moved - INT64_C(0x4338000000000000));
}

/*
 * x / g = whole + rest with |rest| <= 1/2, both exact. (If x / g underflows, it loses less than
 * 2^-1074, which every tau covers.) `whole` is read as an integer from the bits of x / g + 1.5
 * 2^52. Subtracting 1.5 2^52 again would be shorter, but a compiler that is allowed to reassociate
 * could simplify the sum to x / g, and the release would reveal the digits of x.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_split_(double *whole, double *rest, double x,
                                                         const dppair_plan_ *plan) {
  const double y = x * plan->inverse;
  const uint64_t moved = dppair_bits_f64_(y + DPPAIR_MAGIC_F64_);
  *whole = *rest = 0.0;
  if (!dppair_isfinite_f64(x)) return DPPAIR_ERR_NOT_FINITE;
  if (moved >> 52 != 0x433) return DPPAIR_ERR_OVERFLOW; /* the exponent left that of 2^52 */
  *whole = dppair_whole_(moved);
  *rest = y - *whole;
  return DPPAIR_OK;
}

DPPAIR_API double dppair_get_(const void *x, size_t i, int narrow) {
  return narrow ? (double)((const float *)x)[i] : ((const double *)x)[i];
}

/* x[i] = y, but never -0. */
DPPAIR_API void dppair_put_one_(void *x, size_t i, int narrow, double y) {
  if (narrow)
    ((float *)x)[i] = (float)(y + 0.0);
  else
    ((double *)x)[i] = y + 0.0;
}

/*
 * The last check before numbers are released: returns 0 when one of them is no multiple of g. Its
 * digits below the grid would then reveal the un-noised number. The test works on bits: of x =
 * m 2^unit, the digits below the grid are shifted to the top of a word and must be 0. A compiler
 * that breaks the rounding breaks it everywhere alike, so it suffices to test the first 128 numbers
 * and every 127th after them: that covers every lane and every chunk.
 */
DPPAIR_API int dppair_on_grid_(const void *x, size_t n, int narrow, int exponent) {
  uint64_t off = 0;
  size_t i;
  for (i = 0; i < n; i += i < 128 ? 1 : 127) {
    uint64_t m, bits = dppair_bits_f64_(dppair_get_(x, i, narrow));
    int below;
    DPPAIR_DECLASSIFY_(&bits, sizeof bits); /* the number is released: time may depend on it */
    m = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x0010000000000000);
    below = exponent - ((int)(bits >> 52 & 0x7ff) - 1075);
    if (below > 0 && bits << 1 != 0) off |= below > 52 ? 1 : m << (64 - below);
  }
  return off == 0;
}

/* The error for n numbers of which at least one was out of range. A number that is not finite is
 * never decided, and an undecided number is unchanged, so NOT_FINITE can still be told. */
DPPAIR_API dppair_status dppair_unfit_status_(const void *x, size_t n, int narrow) {
  size_t i;
  for (i = 0; i < n; i++)
    if (!dppair_isfinite_f64(dppair_get_(x, i, narrow))) return DPPAIR_ERR_NOT_FINITE;
  return DPPAIR_ERR_OVERFLOW;
}

/* *k = round(rest + s z_i) by integers of 128, 256, then 384 bits after the point. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_last_level_(double *k, double rest,
                                                              const dppair_rng *rng, uint64_t block,
                                                              unsigned i,
                                                              const dppair_plan_ *plan) {
  dppair_string_ u, t;
  dppair_range_ size;
  dppair_status status;
  unsigned places;
  dppair_strings_(&u, &t, rng, block, i, plan->law);
  *k = 0.0;
  for (places = 4; places <= DPPAIR_FIX_MAX_; places += 4) {
    int negative = 0; /* always set below, which gcc does not see at -O1 */
    if (plan->law == DPPAIR_NOISE_LAPLACE_) {
      negative = (int)(dppair_string_word_(&u, 0) >> 31);
      status = dppair_exponential_exact_(&size, &u, 1, places);
    } else {
      status = dppair_gaussian_exact_(&size, &negative, &u, &t, i / 8, places);
    }
    if (status != DPPAIR_OK) return status;
    if (dppair_round_exact_(k, rest, plan->s, &size, negative, places)) return DPPAIR_OK;
  }
  return DPPAIR_ERR_EXHAUSTED;
}

/* The last level for number p of an array whose key stream begins at block `block`. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_last_level_in_place_(void *x, size_t p,
                                                                       int narrow,
                                                                       const dppair_rng *rng,
                                                                       uint64_t block,
                                                                       const dppair_plan_ *plan) {
  double whole, rest, k;
  dppair_status status = dppair_split_(&whole, &rest, dppair_get_(x, p, narrow), plan);
  if (status == DPPAIR_OK)
    status = dppair_last_level_(&k, rest, rng, block + p / 16, (unsigned)(p % 16), plan);
  if (status == DPPAIR_OK) dppair_put_one_(x, p, narrow, (whole + k) * plan->g);
  return status;
}

/*
 * Noise for n <= 16 numbers from one block by scalar code; words and more are its levels 0 and 1.
 * u = 2^-53.
 *
 * Gaussian: tau = 2^-46 s + 2^-52 |y|. With R = sqrt(-2 ln U) the error of R cos is at most
 * - 8uR + 4u/R from the logarithm, 4u(1 + R^2/2) / R, and the root, uR; the second term occurs only
 *   where R > 0.83, since at larger U the logarithm has a relative error of 4u;
 * - 3uR from the cosine and uR from the product.
 * R < 6.7 because the first word of U is not 0, so the sum is below 2^-46.2. The unread bits move R
 * by at most 2^-63 / (U R), below 2^-48, and R cos by 2 pi R 2^-64. The addition of rest rounds by
 * u|y|, the product by us|z|.
 * Laplace: tau = 2^-45 s + 2^-52 |y|: 4u(1 + 22.2) from the logarithm, u 22.2 from the product,
 * less than 2^-46 from the unread bits.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_block_scalar_(
    void *x, unsigned n, int narrow, const uint32_t words[16], const uint32_t more[16],
    const dppair_rng *rng, uint64_t block, const dppair_plan_ *plan) {
  const int laplace = plan->law == DPPAIR_NOISE_LAPLACE_;
  double c[16], s[8];
  unsigned i;
  if (!laplace)
    for (i = 0; i < 8; i++) {
      dppair_circle_f64_(&c[i], &s[i], (uint64_t)words[2 * i + 1] << 32 | more[2 * i + 1]);
      c[i + 8] = s[i];
    }
  for (i = 0; i < n; i++) {
    dppair_string_ u, t;
    uint32_t w[3];
    double whole, rest, k, e, y, tau;
    dppair_status status = dppair_split_(&whole, &rest, dppair_get_(x, i, narrow), plan);
    if (status != DPPAIR_OK) return status;
    dppair_strings_(&u, &t, rng, block, i, plan->law);
    dppair_string_read_(w, &u, words[u.lane], more[u.lane], laplace ? 1 : 0);
    e = dppair_exponential_f64_(w);
    if (laplace) {
      y = rest + (words[i] >> 31 ? -plan->s : plan->s) * e;
      tau = DPPAIR_EXP2M_(45);
    } else {
      y = rest + plan->s * (dppair_sqrt_(2.0 * dppair_fabs_(e)) * c[i]);
      tau = DPPAIR_EXP2M_(46);
    }
    tau = tau * plan->s + DPPAIR_EXP2M_(52) * dppair_fabs_(y);
    if (!(e > 0.0) || !dppair_round_certain_(&k, y, tau))
      status = dppair_last_level_(&k, rest, rng, block, i, plan);
    if (status != DPPAIR_OK) return status;
    dppair_put_one_(x, i, narrow, (whole + k) * plan->g);
  }
  return DPPAIR_OK;
}

/* How many blocks n numbers take: one for 16. */
DPPAIR_API uint64_t dppair_blocks_(size_t n) { return (uint64_t)(n / 16) + (n % 16 != 0); }

/* Slots of a batch of the second level, for n numbers of which m = n open_rate are expected to be
 * undecided: m + 7.5 sqrt(m) + 9, rounded up to a multiple of 8. Their number is nearly Poisson, so
 * more are undecided with probability below 1e-15; those take a second batch. */
DPPAIR_API size_t dppair_slots_(size_t n, const dppair_plan_ *plan) {
  const double expected = (double)n * plan->open_rate;
  return ((size_t)(expected + 7.5 * dppair_sqrt_(expected) + 9.0) + 8) / 8 * 8;
}

/* A place in a list of marks (kernels/rounding.h), and the marks of the vector there that are left;
 * `now` is 0 at the end. */
typedef struct dppair_marks_ {
  const uint32_t *next;
  uint32_t now;
} dppair_marks_;

DPPAIR_FORCE_INLINE_ void dppair_marks_open_(dppair_marks_ *m, const uint32_t *marks) {
  m->next = marks + (*marks != 0);
  m->now = *marks;
}

/* The position of the next mark; returns 0 at the end. The work is the same there. */
DPPAIR_FORCE_INLINE_ unsigned dppair_marks_next_(uint32_t *at, dppair_marks_ *m) {
  const unsigned found = m->now != 0;
  const uint32_t rest = m->now & (m->now - 1), after = *m->next;
  const float lowest = (float)(int32_t)(m->now & (0u - m->now)); /* 2^i for the first lane i */
  const unsigned done = found & ((rest & 0xffffu) == 0);
  *at = (m->now >> 16) + (dppair_bits_f32_(lowest) >> 23) - 127u;
  m->now = done ? after : rest;
  m->next += done & (after != 0);
  return found;
}

/* Laws of raw samples, see simulation.h. */
enum {
  DPPAIR_FILL_GAUSSIAN_ = 0,
  DPPAIR_FILL_LAPLACE_ = 1,
  DPPAIR_FILL_EXPONENTIAL_ = 2,
  DPPAIR_FILL_UNIFORM_ = 3,
  DPPAIR_FILL_RADEMACHER_ = 4
};

#ifdef DPPAIR_SMALL
#define DPPAIR_CHUNK_ 64 /* numbers that go through the levels together; no number knows it */
#else
#define DPPAIR_CHUNK_ 4096
#endif
#define DPPAIR_STEP_ 512 /* numbers whose noise the float level makes before it rounds them */
