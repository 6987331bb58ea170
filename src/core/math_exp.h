/* ------------------------------------------------------------------------------------------------
 * Exponential functions in double, with proved errors
 *
 * u = 2^-53. They are made of +, -, * and bits alone, each rounded to nearest, never of a fused
 * product: the same bits on every processor and with every C library. "Within c u" is relative
 * where the result is normal; one below the normal numbers has half of the least number on top.
 * tests/headers/math.c measures what is proved here, against long double;
 * tests/exhaust/elementary.* proves it once more, from this text, and measures it against 160
 * digits.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_EXP_ERROR_ 1.1   /* of dppair_exp_, in u; 0.58 ulp */
#define DPPAIR_EXPM1_ERROR_ 1.5 /* of dppair_expm1_, in u; 0.75 ulp */

DPPAIR_FP_BEGIN_

/* x to 26 digits, towards zero: products of two such numbers are exact. */
DPPAIR_FORCE_INLINE_ double dppair_head_(double x) {
  return dppair_from_bits_f64_(dppair_bits_f64_(x) & UINT64_C(0xfffffffff8000000));
}

/* 2^n, a normal number: -1022 <= n <= 1023. */
DPPAIR_FORCE_INLINE_ double dppair_power_of_two_(int n) {
  return dppair_from_bits_f64_((uint64_t)(n + 1023) << 52);
}

/* y 2^n for y in [1/2, 2] and -1080 <= n <= 1024. */
DPPAIR_API double dppair_by_power_of_two_(double y, int n) {
  if (n >= -1022 && n <= 1023) return y * dppair_power_of_two_(n);
  if (n > 0) return y * 8.98846567431158e307 * 2.0;                 /* 2^1023 */
  return y * dppair_power_of_two_(n + 128) * 2.938735877055719e-39; /* 2^-128 */
}

/*
 * base + e^(r + c) - 1, where |r| <= 0.3467, |c| <= 2^-54, and base is 1, 0 or 1 - 2^-n for |n| <=
 * 54, so that the result is 0.17 at least, or base is 0; `extra` is added, |extra| <= 2^-54. e^r -
 * 1 = r + t^2/2 + ((r - t)(r + t)/2 + r^3 g), t the head of r. t^2/2 is exact. g = 1/6 + r/24 +
 * ... + r^11/14! in pairs; what follows is below r^15/15! < 2^-62 r. g has 3 u, r^3 g, which is
 * below |r|^3/5.5, 6 u of itself: 0.05 u. c (1 + r) stands for e^r (e^c - 1), 2^-54 r^2/1.8 < 0.04
 * u away from it. The two sums keep what they round off (|base + r| >= t^2/2 in every case), and
 * the small numbers' own sum, below 0.009 and of four terms, has 0.03 u. Together 0.12 u, for base
 * = 0 below 0.3 u of |r| (the terms are at least as r^2, c is 0), and the last sum's half ulp: of
 * a result in [0.7, 1.42] at most 1.2 u, of one of 0.17 at least 1.5 u. From n = -54 down base is
 * -2^-n, and so is the result.
 */
DPPAIR_API double dppair_exp_core_(double base, double r, double c, double extra) {
  const double t = dppair_head_(r), half = 0.5 * t * t, r2 = r * r;
  const double r4 = r2 * r2;
  const double third = (1.0 / 6 + r * (1.0 / 24)) + r2 * (1.0 / 120 + r * (1.0 / 720));
  const double seventh =
      (1.0 / 5040 + r * (1.0 / 40320)) + r2 * (1.0 / 362880 + r * (1.0 / 3628800));
  const double eleventh = (1.0 / 39916800 + r * (1.0 / 479001600)) +
                          r2 * (1.0 / 6227020800.0 + r * (1.0 / 87178291200.0));
  const double g = third + r4 * (seventh + r4 * eleventh);
  const double little = 0.5 * ((r - t) * (r + t)) + r2 * r * g;
  const double first = base + r, lost = base == 0.0 ? 0.0 : (base - first) + r;
  const double both = first + half, again = (first - both) + half;
  return both + (lost + again + (little + (c + c * r + extra)));
}

/* n and r + c = x - n ln 2 for |x| <= 746. ln 2's first part has 32 digits and n at most 11: the
 * product and the difference from x, whose last digit is no finer than 2^-54 when n is not 0, are
 * exact. The rest of ln 2, 2^-86 off, times n has 2^-73. */
DPPAIR_FORCE_INLINE_ int dppair_exp_reduce_(double x, double *r, double *c) {
  const double magic = 6755399441055744.0; /* 1.5 2^52 */
  const double n = (x * 1.4426950408889634 + magic) - magic;
  const double high = x - n * 0.6931471803691238, low = n * 1.9082149292705877e-10;
  const double back = high - low, taken = high - back;
  *r = back;
  *c = (high - (back + taken)) + (taken - low);
  return (int)n;
}

/*
 * e^x within DPPAIR_EXP_ERROR_ u. x = n ln(2)/32 + r, |r| <= 0.0109, and e^x = 2^(n/32) e^r. The
 * product with the first part of ln 2, of 32 digits, is exact for n of 16, and so is the
 * difference, below 2^-6 and no finer than 2^-59. r rounded has 0.01 u, the series to r^6 leaves
 * r^7/5040, 0.03 u, and has 0.01 u in its last sum, the product with the table and the sum with
 * its low part 0.01 u each. Then one sum rounds, by half an ulp.
 */
DPPAIR_API double dppair_exp_(double x) {
  static const double table[32][2] = {{1.0, 0.0},
                                      {1.0218971486541166, 5.109225028973444e-17},
                                      {1.0442737824274138, 8.551889705537965e-17},
                                      {1.0671404006768237, -7.899853966841582e-17},
                                      {1.0905077326652577, -3.046782079812471e-17},
                                      {1.1143867425958924, 1.0410278456845571e-16},
                                      {1.1387886347566916, 8.912812676025408e-17},
                                      {1.1637248587775775, 3.8292048369240935e-17},
                                      {1.189207115002721, 3.982015231465646e-17},
                                      {1.215247359980469, -7.712630692681488e-17},
                                      {1.241857812073484, 4.658027591836937e-17},
                                      {1.2690509571917332, 2.667932131342186e-18},
                                      {1.2968395546510096, 2.5382502794888315e-17},
                                      {1.3252366431597413, -2.8587312100388614e-17},
                                      {1.3542555469368927, 7.70094837980299e-17},
                                      {1.383909881963832, -6.770511658794786e-17},
                                      {1.4142135623730951, -9.667293313452913e-17},
                                      {1.4451808069770467, -3.0237581349939873e-17},
                                      {1.4768261459394993, -3.483994556892796e-17},
                                      {1.5091644275934228, -1.016455327754295e-16},
                                      {1.5422108254079407, 7.949834809697621e-17},
                                      {1.5759808451078865, -1.0136916471278304e-17},
                                      {1.6104903319492543, 2.4707192569797888e-17},
                                      {1.645755478153965, -1.0125679913674773e-16},
                                      {1.681792830507429, 8.199010020581497e-17},
                                      {1.718619298122478, -1.851380418263111e-17},
                                      {1.7562521603732995, 2.960140695448873e-17},
                                      {1.7947090750031072, 1.8227458427912087e-17},
                                      {1.8340080864093424, 3.283107224245627e-17},
                                      {1.8741676341103, -6.122763413004143e-17},
                                      {1.9152065613971474, -1.0619946056195963e-16},
                                      {1.9571441241754002, 8.960767791036668e-17}};
  const double magic = 6755399441055744.0; /* 1.5 2^52 */
  double n, r, r2, p;
  const double *power;
  uint32_t whole;
  int scale;
  if (!(x < 709.7827128933841)) return x > 0.0 ? x * 8.98846567431158e307 : x; /* inf, or NaN */
  if (x < -745.2) return 0.0;
  n = x * 46.16624130844683 + magic;
  whole = (uint32_t)dppair_bits_f64_(n) + 32 * 1080; /* the sum's last digits are n's */
  n -= magic;
  r = (x - n * (0.6931471803691238 / 32)) - n * (1.9082149292705877e-10 / 32);
  power = table[whole & 31];
  r2 = r * r;
  p = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720);
  p = r + (r2 * (0.5 + r * (1.0 / 6)) + r2 * r2 * p);
  scale = (int)(whole >> 5) - 1080;
  if (scale >= -900 &&
      scale < 1024) { /* first, which no rounding sees and hides a product's time */
    const double by = dppair_power_of_two_(scale), head = power[0] * by;
    return head + (power[1] * by + head * p);
  }
  return dppair_by_power_of_two_(power[0] + (power[1] + power[0] * p), scale);
}

/* e^x - 1 within DPPAIR_EXPM1_ERROR_ u. 2^n (e^r - 2^-n): from |n| = 54 on, 2^-n or 1 is among the
 * small numbers or alone. */
DPPAIR_API double dppair_expm1_(double x) {
  double r, c, y, little = 0.0, base = 1.0;
  int n;
  if (!(x < 709.7827128933841)) return x > 0.0 ? x * 8.98846567431158e307 : x;
  if (x < -38.0) return -1.0;
  if (x < 5.551115123125783e-17 && x > -5.551115123125783e-17) return x; /* 2^-54, keeps -0 */
  n = dppair_exp_reduce_(x, &r, &c);
  if (n < 54)
    base = 1.0 - dppair_power_of_two_(-n);
  else if (n < 200)
    little = -dppair_power_of_two_(-n);
  y = dppair_exp_core_(base, r, c, little);
  return n > 1023 ? y * 8.98846567431158e307 * 2.0 : y * dppair_power_of_two_(n);
}

DPPAIR_FP_END_
