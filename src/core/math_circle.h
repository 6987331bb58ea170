/* ------------------------------------------------------------------------------------------------
 * Circular functions in double, with proved errors
 *
 * As in math_exp.h: u = 2^-53, sums, products and quotients alone, each rounded to nearest. A
 * number is not better than its argument: sin x is that of the double x, however large it is.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_SIN_ERROR_ 1.5 /* of dppair_sin_, in u; 0.85 ulp */
#define DPPAIR_COS_ERROR_ 1.5 /* of dppair_cos_, in u; 0.85 ulp */
#define DPPAIR_ATAN2_ERROR_ULPS_ 1.6

DPPAIR_FP_BEGIN_

/*
 * The quarter turn nearest to x >= 2^20, modulo 4, and r + c = x minus it. x = m 2^e; of the digits
 * of 2/pi those above 2^(2-e) only add multiples of 4 to x 2/pi. Of the 256 digits from there on,
 * 223 at least come after the point of the product, and what follows is below 2^-169. No double is
 * nearer to a multiple of pi/2 than 2^-62 of it: the fraction is kept to 2^-100 of itself.
 */
DPPAIR_RARE_ int dppair_circle_far_(double x, double *r, double *c) {
  static const uint32_t digits[38] = {
      0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
      0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
      0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu,
      0xbdf9283bu, 0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u,
      0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u,
      0x1f8d5d08u, 0x56033046u, 0xfc7b6babu};
  const uint64_t bits = dppair_bits_f64_(x);
  const uint64_t m = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x0010000000000000);
  const int e = (int)(bits >> 52) - 1075, first = e < 34 ? 0 : (e - 2) / 32;
  const int point = 32 * (first + 8) - e; /* digits of the product after its point: 223 to 288 */
  uint32_t p[10] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}; /* the lowest first */
  uint64_t carry = 0, word[2];
  double high, low, head;
  int i, half, quarter, negative;
  for (half = 0; half < 2; half++) {
    const uint64_t factor = half ? m >> 32 : m & 0xffffffffu;
    for (carry = 0, i = 0; i < 8; i++) {
      carry += factor * digits[first + 7 - i] + p[i + half];
      p[i + half] = (uint32_t)carry;
      carry >>= 32;
    }
    p[8 + half] = (uint32_t)carry;
  }
  /* the two digits before the point, and the fraction from the point on to the top of p */
  for (i = 0; i < 2; i++) {
    const int at = point + 1 - i;
    carry = carry << 1 | (at < 320 ? p[at / 32] >> (at % 32) & 1 : 0);
  }
  quarter = (int)(carry & 3);
  for (i = 9; i >= 0; i--) { /* what is before the point goes */
    if (32 * i >= point)
      p[i] = 0;
    else if (32 * (i + 1) > point)
      p[i] &= (uint32_t)((UINT64_C(1) << (point - 32 * i)) - 1);
  }
  negative = (int)(p[(point - 1) / 32] >> ((point - 1) % 32) & 1);
  if (negative) { /* nearer to the next one: 1 - fraction */
    quarter = (quarter + 1) & 3;
    for (carry = 1, i = 0; i < 10 && 32 * i < point; i++) {
      carry += (uint32_t)~p[i];
      p[i] = (uint32_t)carry;
      carry >>= 32;
      if (32 * (i + 1) > point) p[i] &= (uint32_t)((UINT64_C(1) << (point - 32 * i)) - 1);
    }
  }
  for (i = 9; i > 3 && p[i] == 0;) i--; /* 128 digits from the first that is not 0 */
  word[0] = (uint64_t)p[i] << 32 | p[i - 1];
  word[1] = (uint64_t)p[i - 2] << 32 | p[i - 3];
  /* in three exact pieces; 32 (i + 1) - point is the exponent of word[0]'s top */
  head = dppair_power_of_two_(32 * (i - 1) - point);
  high = (double)(word[0] >> 12 << 12) * head;
  low = ((double)(word[0] & 0xfff) + (double)word[1] * 5.421010862427522e-20) * head;
  /* times pi/2, in two parts */
  {
    const double a = dppair_head_(high), b = high - a, whole = high * 1.5707963267948966;
    const double rest =
        ((a * 1.5707963109016418 - whole) + b * 1.5707963109016418 + a * 1.5893254712295857e-08) +
        b * 1.5893254712295857e-08;
    low = rest + (high * 6.123233995736766e-17 + low * 1.5707963267948966);
    *r = whole + low;
    *c = (whole - *r) + low;
  }
  if (negative) {
    *r = -*r;
    *c = -*c;
  }
  return quarter;
}

/*
 * The same for every x that is a number: returns n mod 4, n near x 2/pi. Below 2^20, n has 20
 * digits, and pi/2 is the sum of three parts of 33 digits and a rest, 2^-152 off: the products are
 * exact, and so is the first difference (the two are within a factor of 2 of each other).
 */
DPPAIR_API int dppair_circle_reduce_(double x, double *r, double *c) {
  const double magic = 6755399441055744.0, size = x < 0.0 ? -x : x;
  double n, high, low, next, lost;
  int quarter, i;
  *r = x;
  *c = 0.0;
  if (size <= 0.7853981633974483) return 0;
  if (size < 1048576.0) {
    static const double part[2] = {6.077100506303966e-11, 2.0222662487111665e-21};
    n = (size * 0.6366197723675814 + magic) - magic;
    high = size - n * 1.5707963267341256;
    low = 0.0;
    for (i = 0; i < 2; i++) {
      const double take = n * part[i];
      next = high - take;
      lost = next - high;
      low += (high - (next - lost)) - (take + lost);
      high = next;
    }
    low -= n * 8.4784276603689e-32;
    *r = high + low;
    *c = (high - *r) + low;
    quarter = (int)n & 3;
  } else {
    quarter = dppair_circle_far_(size, r, c);
  }
  if (x < 0.0) {
    *r = -*r;
    *c = -*c;
    quarter = -quarter & 3;
  }
  return quarter;
}

/* sin(r + c), |r| <= 0.7854: r + (c (1 - r^2/2) + r^3 S), Taylor's series to r^17 (the next term is
 * below 2^-62 r). r^3 S, below 0.0784 (and 0.111 of the result), has 4 u: 0.45 u at most, of a
 * number with half an ulp below 0.71 u; at smaller r, where that is 1 u, it has 0.2 u. */
DPPAIR_FORCE_INLINE_ double dppair_sin_core_(double r, double c) {
  const double z = r * r, z2 = z * z, z4 = z2 * z2;
  const double low = (-1.0 / 6 + z * (1.0 / 120)) + z2 * (-1.0 / 5040 + z * (1.0 / 362880));
  const double high = (-1.0 / 39916800 + z * (1.0 / 6227020800.0)) +
                      z2 * (-1.0 / 1307674368000.0 + z * (1.0 / 355687428096000.0));
  return r + (c * (1.0 - 0.5 * z) + z * r * (low + z4 * high));
}

/* cos(r + c): 1 - t^2/2, t the head of r, in two exact parts, the rest of r^2/2, r^4 C below 0.0156
 * with 4 u, to r^18, and -r c. Together 0.09 u / 0.707 and half an ulp, 0.71 u below 1. */
DPPAIR_FORCE_INLINE_ double dppair_cos_core_(double r, double c) {
  const double z = r * r, t = dppair_head_(r), half = 0.5 * t * t, w = 1.0 - half;
  const double z2 = z * z, z4 = z2 * z2;
  const double low = (1.0 / 24 - z * (1.0 / 720)) + z2 * (1.0 / 40320 - z * (1.0 / 3628800));
  const double high = (1.0 / 479001600 - z * (1.0 / 87178291200.0)) +
                      z2 * (1.0 / 20922789888000.0 - z * (1.0 / 6402373705728000.0));
  return w + (((1.0 - w) - half) - 0.5 * ((r - t) * (r + t)) + (z2 * (low + z4 * high) - r * c));
}

DPPAIR_API double dppair_sin_(double x) {
  double r, c, y;
  int n;
  if (!(x - x == 0.0)) return x - x;                                     /* NaN */
  if (x < 7.450580596923828e-09 && x > -7.450580596923828e-09) return x; /* 2^-27, keeps -0 */
  n = dppair_circle_reduce_(x, &r, &c);
  y = n & 1 ? dppair_cos_core_(r, c) : dppair_sin_core_(r, c);
  return n & 2 ? -y : y;
}

DPPAIR_API double dppair_cos_(double x) {
  double r, c, y;
  int n;
  if (!(x - x == 0.0)) return x - x;
  n = dppair_circle_reduce_(x, &r, &c);
  y = n & 1 ? dppair_sin_core_(r, c) : dppair_cos_core_(r, c);
  return n == 1 || n == 2 ? -y : y;
}

/* Both for one reduction, with the same bits. */
DPPAIR_API void dppair_sin_cos_(double *sine, double *cosine, double x) {
  double r, c, s, y;
  int n;
  *sine = *cosine = x - x;
  if (!(x - x == 0.0)) return;
  n = dppair_circle_reduce_(x, &r, &c);
  s = dppair_sin_core_(r, c);
  y = dppair_cos_core_(r, c);
  *sine = n & 1 ? y : s;
  *cosine = n & 1 ? s : y;
  if (n & 2) *sine = -*sine;
  if (n == 1 || n == 2) *cosine = -*cosine;
  if (x < 7.450580596923828e-09 && x > -7.450580596923828e-09) *sine = x; /* keeps -0 */
}

/* Within 4 u: quotient of two. */
DPPAIR_API double dppair_tan_(double x) { return dppair_sin_(x) / dppair_cos_(x); }

/*
 * arctan(y/x) in two parts, 0 <= y <= x, x normal: atan(k/8) + atan s, s = (y - k x/8) / (x + k
 * y/8), |s| <= 1/16 for k >= 2, and s = y/x <= 3/16 for k = 0, where the quotient's remainder is
 * added. The products with the heads of x are exact, the numerator within u. s has 3.5 u: 0.22 u
 * for k >= 2, which is 0.9 of an ulp next to 3/16, the least result. atan s = s - s^3 A, s^3 A <
 * 0.0022, 4 u of it 0.009 u. Taylor's series to s^25 leaves 2^-66.
 */
DPPAIR_API double dppair_atan_core_(double y, double x, double *low) {
  static const double table[7][2] = {
      {0.24497866312686414, 1.0698755618734451e-17}, {0.35877067027057225, -2.4623815582638635e-17},
      {0.4636476090008061, 2.2698777452961687e-17},  {0.5585993153435624, -5.4556305485916264e-18},
      {0.6435011087932844, 1.5834785051444286e-17},  {0.7188299996216245, -2.1478388444456983e-17},
      {0.7853981633974483, 3.061616997868383e-17}};
  const double q = y / x, head = dppair_head_(x);
  const int k = q < 0.1875 ? 0 : (int)(8.0 * q + 0.5);
  const double place = 0.125 * k;
  double s = q, more, z, z2, first_four, others;
  if (k == 0) {
    const double t = dppair_head_(q);
    more = (((y - t * head) - t * (x - head)) - (q - t) * x) / x;
    if (!(q > 7.450580596923828e-09)) more = 0.0; /* s^2 is nothing; below, digits would be lost */
  } else {
    s = ((y - place * head) - place * (x - head)) / (x + place * y);
    more = 0.0;
  }
  z = s * s;
  z2 = z * z;
  first_four = (1.0 / 3 - z * (1.0 / 5)) + z2 * (1.0 / 7 - z * (1.0 / 9));
  others = (1.0 / 11 - z * (1.0 / 13)) + z2 * (1.0 / 15 - z * (1.0 / 17));
  others += z2 * z2 * ((1.0 / 19 - z * (1.0 / 21)) + z2 * (1.0 / 23 - z * (1.0 / 25)));
  more -= s * z * (first_four + z2 * z2 * others);
  if (k == 0) {
    *low = more;
    return s;
  }
  z = table[k - 2][0] + s;
  *low = (table[k - 2][0] - z) + s + (more + table[k - 2][1]);
  return z;
}

/* a - (*low + high), where a + a_low is a multiple of pi/2 in two parts and the larger. */
DPPAIR_FORCE_INLINE_ double dppair_angle_from_(double a, double a_low, double high, double *low) {
  const double rest = a - high;
  *low = ((a - rest) - high) + (a_low - *low);
  return rest;
}

/* The angle of (x, y) from the first axis, in (-pi, pi], within DPPAIR_ATAN2_ERROR_ULPS_ ulp. Signs
 * of zeros count, as in C. */
DPPAIR_API double dppair_atan2_(double y, double x) {
  const uint64_t sign = UINT64_C(0x8000000000000000), sign_y = dppair_bits_f64_(y) & sign;
  double a = dppair_from_bits_f64_(dppair_bits_f64_(y) & ~sign);
  double b = dppair_from_bits_f64_(dppair_bits_f64_(x) & ~sign), high = 0.0, low = 0.0;
  const int swap = a > b;
  if (x != x || y != y) return x + y;
  if (a > DBL_MAX || b > DBL_MAX) {
    a = a > DBL_MAX ? 1.0 : 0.0;
    b = b > DBL_MAX ? 1.0 : 0.0;
  }
  if (swap) {
    const double other = a;
    a = b;
    b = other;
  }
  if (b > 1.0715086071862673e+301) { /* 2^1000: x + k y/8 is to be finite */
    a *= 7.888609052210118e-31;      /* 2^-100 */
    b *= 7.888609052210118e-31;
  } else if (b < 1.1830521861667747e-271) { /* 2^-900 */
    a *= 1.329227995784916e+36;             /* 2^120 */
    b *= 1.329227995784916e+36;
  }
  if (a > 0.0) high = dppair_atan_core_(a, b, &low);
  if (swap) high = dppair_angle_from_(1.5707963267948966, 6.123233995736766e-17, high, &low);
  if (dppair_bits_f64_(x) & sign)
    high = dppair_angle_from_(3.141592653589793, 1.2246467991473532e-16, high, &low);
  return dppair_from_bits_f64_(dppair_bits_f64_(high + low) | sign_y);
}

/* arccos x, |x| <= 1: the root has 2 u, and the angle no more than that of it and of atan2. */
DPPAIR_API double dppair_acos_(double x) {
  return dppair_atan2_(dppair_sqrt_((1.0 - x) * (1.0 + x)), x);
}

DPPAIR_FP_END_
