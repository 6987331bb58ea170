/* ------------------------------------------------------------------------------------------------
 * The double level, in scalar code
 *
 * -ln U, cosine and sine from a few words of their strings, with bounds on their errors. u = 2^-53
 * is the unit roundoff. The scalar tier, the l2 mechanism and the raw samples use these functions.
 * ---------------------------------------------------------------------------------------------- */

/* f = v - 1 and k of U = v 2^k, v in [0.707, 1.414], from the first 96 bits of U's string. Returns
 * 0 when those do not suffice: U < 2^-32 or U >= 1 - 2^-96. f is exact apart from one conversion;
 * near U = 1 it comes from the distance 1 - U itself, so that it keeps its leading digits. */
DPPAIR_FORCE_INLINE_ int dppair_normal_f64_(double *f, int *k, const uint32_t w[3]) {
  const uint64_t root_half = UINT64_C(0xb504f333f9de6485); /* sqrt(1/2) 2^64 */
  uint64_t high = (uint64_t)w[0] << 32 | w[1], low = (uint64_t)w[1] << 32 | w[2];
  double v;
  int i;
  *k = 0;
  if (high >= root_half) {
    if (w[0] != 0xffffffffu) {
      *f = (double)(0 - high) * -DPPAIR_EXP2M_(32) * DPPAIR_EXP2M_(32);
    } else { /* 32 ones: the words 1 and 2 have the leading digits of 1 - U */
      if (low == UINT64_MAX) return 0;
      *f = (double)(0 - low) * -DPPAIR_EXP2M_(48) * DPPAIR_EXP2M_(48);
    }
    return 1;
  }
  if (w[0] == 0) return 0;
  while (high < UINT64_C(1) << 48) { /* a long run of zeros: fill up from the third word */
    high = high << 16 | low << 32 >> 48;
    low <<= 16;
    *k -= 16;
  }
  v = dppair_frexp_((double)high, &i);
  *k += i - 64;
  if (v < 0.70710678118654752) {
    v *= 2.0;
    *k -= 1;
  }
  *f = v - 1.0;
  return 1;
}

/* 2 artanh r for |r| <= 0.172, by its series to the 25th power (tail 2^-64): within 2u of it. */
DPPAIR_FORCE_INLINE_ double dppair_artanh2_f64_(double r) {
  static const double c[12] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13,
                               2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23, 2.0 / 25};
  const double r2 = r * r;
  double p = c[11];
  int i;
  for (i = 11; i-- > 0;) p = p * r2 + c[i];
  return 2.0 * r + r * r2 * p;
}

/* ln(v 2^k) of v = 1 + f in [0.707, 1.414], ln v = 2 artanh(f / (2 + f)). Error: relative 4u when
 * k = 0, else absolute 4u (1 + |ln(v 2^k)|). */
DPPAIR_FORCE_INLINE_ double dppair_log_parts_(double f, int k) {
  const double ln2_hi = 0.6931471805598903, ln2_lo = 5.497923018708371e-14; /* ln 2, in two parts */
  const double p = dppair_artanh2_f64_(f / (2.0 + f));
  return k == 0 ? p : (double)k * ln2_hi + ((double)k * ln2_lo + p);
}

/*
 * -ln U from the first 96 bits of its string (at least 95 of them read), or -1 when those do not
 * suffice.
 *
 * With U = v 2^k; the error without the unread bits is that of dppair_log_parts_. The unread bits
 * move U by at most 2^-63 and v by a factor of at most 1 + 2^-46.
 */
DPPAIR_API double dppair_exponential_f64_(const uint32_t w[3]) {
  double f;
  int k;
  if (!dppair_normal_f64_(&f, &k, w)) return -1.0;
  return -dppair_log_parts_(f, k);
}

/* cos and sin of 2 pi T from 64 bits of T, each within 3u. T = q/4 + t with |t| <= 1/8; theta =
 * 2 pi t, |theta| <= 0.7854, goes into the Taylor series to theta^18 and theta^17 (tails below
 * 2^-60), and the quadrant q exchanges the two or changes their signs. */
DPPAIR_API void dppair_circle_f64_(double *cosine, double *sine, uint64_t bits) {
  static const double c[9] = {-1.0 / 2,
                              1.0 / 24,
                              -1.0 / 720,
                              1.0 / 40320,
                              -1.0 / 3628800,
                              1.0 / 479001600,
                              -1.0 / 87178291200.0,
                              1.0 / 20922789888000.0,
                              -1.0 / 6402373705728000.0};
  static const double s[8] = {-1.0 / 6,
                              1.0 / 120,
                              -1.0 / 5040,
                              1.0 / 362880,
                              -1.0 / 39916800,
                              1.0 / 6227020800.0,
                              -1.0 / 1307674368000.0,
                              1.0 / 355687428096000.0};
  uint64_t moved = bits + (UINT64_C(1) << 61);
  unsigned quadrant = (unsigned)(moved >> 62);
  double theta, t2, a = c[8], b = s[7];
  int i;
  theta = (double)((int64_t)(moved & (UINT64_MAX >> 2)) - (INT64_C(1) << 61)) *
          3.4061215800865545e-19; /* 2 pi 2^-64 */
  t2 = theta * theta;
  for (i = 8; i-- > 0;) a = a * t2 + c[i];
  for (i = 7; i-- > 0;) b = b * t2 + s[i];
  a = 1.0 + t2 * a;
  b = theta + theta * t2 * b;
  *cosine = quadrant == 0 ? a : quadrant == 1 ? -b : quadrant == 2 ? -a : b;
  *sine = quadrant == 0 ? b : quadrant == 1 ? a : quadrant == 2 ? -b : -a;
}

/* *out = round(y). Returns 1 when every number within tau of y rounds to it. */
DPPAIR_API int dppair_round_certain_(double *out, double y, double tau) {
  double k = dppair_rint_(y);
  *out = k;
  return dppair_fabs_(y - k) < 0.5 - tau;
}
