/* ------------------------------------------------------------------------------------------------
 * Without a C library: roots, powers of two and whole numbers, all exactly as IEEE 754 has them
 *
 * A C library's own are exact too, and instructions in most places, so that they serve where there
 * is one. These have the same bits and call nothing. tests/headers/math.c sets DPPAIR_OWN_EXACT_ to
 * compare the two.
 * ---------------------------------------------------------------------------------------------- */

#if defined(DPPAIR_FREESTANDING) || defined(DPPAIR_OWN_EXACT_)

DPPAIR_FP_BEGIN_

/* x 2^n rounded once. Each factor is a power of two within the normal numbers. On the way up only
 * what overflows is rounded. On the way down a first product by 2^-969 that is not exact is below
 * 2^-1022, and at least 54 powers are left: the result is below half of the least number, 0. */
DPPAIR_API double dppair_own_ldexp_(double x, int n) {
  int turn;
  for (turn = 0; turn < 2 && n > 1023; turn++, n -= 1023) x *= 8.98846567431158e307; /* 2^1023 */
  for (turn = 0; turn < 2 && n < -1022; turn++, n += 969) x *= 2.00416836000897278e-292;
  n = n > 1023 ? 1023 : n < -1022 ? -1022 : n;
  return x * dppair_from_bits_f64_((uint64_t)(n + 1023) << 52);
}

/* x = m 2^e with 1/2 <= |m| < 1; e = 0 for 0, infinities and NaN, which m then is. */
DPPAIR_API double dppair_own_frexp_(double x, int *e) {
  uint64_t bits = dppair_bits_f64_(x);
  int up = 0;
  *e = 0;
  if (x == 0.0 || (bits << 1) >= UINT64_C(0xffe0000000000000)) return x;
  if ((bits << 1) < UINT64_C(0x0020000000000000)) { /* below the normal numbers */
    bits = dppair_bits_f64_(x * 18014398509481984.0);
    up = 54;
  }
  *e = (int)(bits >> 52 & 0x7ff) - 1022 - up;
  return dppair_from_bits_f64_((bits & UINT64_C(0x800fffffffffffff)) |
                               UINT64_C(0x3fe0000000000000));
}

/* The nearest whole number, ties to even, with the sign of x. Below 2^52 the sum has no digits
 * after the point. */
DPPAIR_API double dppair_own_rint_(double x) {
  const uint64_t sign = dppair_bits_f64_(x) & UINT64_C(0x8000000000000000);
  const double size = dppair_fabs_(x);
  if (!(size < 4503599627370496.0)) return x;
  return dppair_from_bits_f64_(dppair_bits_f64_((size + 4503599627370496.0) - 4503599627370496.0) |
                               sign);
}

DPPAIR_API double dppair_own_floor_(double x) {
  const double r = dppair_own_rint_(x);
  return r > x ? r - 1.0 : r; /* r > x only where r > -2^52 */
}

DPPAIR_API double dppair_own_ceil_(double x) { return -dppair_own_floor_(-x); }

DPPAIR_API double dppair_own_fmax_(double x, double y) { return x >= y || y != y ? x : y; }
DPPAIR_API double dppair_own_fmin_(double x, double y) { return x <= y || y != y ? x : y; }

/*
 * The square root in integers. x = f 2^e with e even and f = M 2^-54 in [1/4, 1). The 54 digits of
 * root = floor(sqrt(M 2^54)), in [2^53, 2^54), are found one by one from the 54 pairs of digits of
 * M 2^54; `rest`, what is left above the square, is at most 2 root. The last digit is the first
 * that sqrt(x) rounds away. No tie: sqrt(f) would have 54 digits, and its square a digit at
 * 2^-108.
 */
DPPAIR_API double dppair_sqrt_by_digits_(double x) {
  uint64_t m, root = 0, rest = 0;
  int e, i;
  if (!(x > 0.0)) return x == 0.0 ? x : (x - x) / (x - x);
  if (x > DBL_MAX) return x;
  m = (uint64_t)(dppair_own_frexp_(x, &e) * 9007199254740992.0);
  if ((e & 1) != 0)
    e++;
  else
    m <<= 1;
  for (i = 53; i >= 0; i--) {
    const uint64_t trial = root << 2 | 1;
    rest = rest << 2 | (i >= 27 ? m >> (2 * (i - 27)) & 3 : 0);
    root <<= 1;
    if (rest >= trial) {
      rest -= trial;
      root |= 1;
    }
  }
  return dppair_own_ldexp_((double)((root + 1) >> 1), e / 2 - 53);
}

/* The instruction where there surely is one: the compiler's sqrt also calls the library's for
 * errno. asm is bound to no mode of -ffast-math. */
DPPAIR_API double dppair_own_sqrt_(double x) {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__)) && defined(__AVX__)
  __asm__("vsqrtsd %1, %1, %0" : "=x"(x) : "x"(x));
  return x;
#elif defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__)) && defined(__SSE2__)
  __asm__("sqrtsd %1, %0" : "=x"(x) : "x"(x));
  return x;
#elif defined(__GNUC__) && defined(__aarch64__)
  __asm__("fsqrt %d0, %d1" : "=w"(x) : "w"(x));
  return x;
#elif defined(__GNUC__) && defined(__riscv_flen) && __riscv_flen >= 64
  __asm__("fsqrt.d %0, %1" : "=f"(x) : "f"(x));
  return x;
#else
  return dppair_sqrt_by_digits_(x);
#endif
}

DPPAIR_API double dppair_own_copysign_(double x, double y) {
  const uint64_t sign = UINT64_C(0x8000000000000000);
  return dppair_from_bits_f64_((dppair_bits_f64_(x) & ~sign) | (dppair_bits_f64_(y) & sign));
}

DPPAIR_FP_END_

#endif

DPPAIR_FP_BEGIN_

/* sqrt(a^2 + b^2) of finite numbers without overflow, NaN of a NaN; within 4 u of it (u =
 * 2^-53): 1.5 u in ratio^2, u in the sum, halved by the root, and u each for root and product. */
DPPAIR_API double dppair_hypot_(double a, double b) {
  const double x = dppair_fabs_(a), y = dppair_fabs_(b), big = x > y ? x : y,
               ratio = (x > y ? y : x) / big;
  if (x != x || y != y) return x + y;
  return big > 0.0 ? big * dppair_sqrt_(1.0 + ratio * ratio) : 0.0;
}

DPPAIR_FP_END_
