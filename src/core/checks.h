/* ------------------------------------------------------------------------------------------------
 * Checks of numbers and sizes
 *
 * Bits are tested as integers, because -ffast-math removes comparisons with NaN and infinity.
 * ---------------------------------------------------------------------------------------------- */

/* 1 for a number, 0 for NaN and the infinities. */
DPPAIR_API int dppair_isfinite_f64(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & UINT64_C(0x7ff0000000000000)) != UINT64_C(0x7ff0000000000000);
}

DPPAIR_API int dppair_is_nan_(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & UINT64_C(0x7fffffffffffffff)) > UINT64_C(0x7ff0000000000000);
}

DPPAIR_API int dppair_isfinite_f32(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & UINT32_C(0x7f800000)) != UINT32_C(0x7f800000);
}

/* 1 when all n numbers of x are finite. Adding 1 to an exponent whose bits are all set carries into
 * the sign's place; the carries are collected without a branch. */
DPPAIR_API int dppair_all_finite_f64(const double *x, size_t n) {
  const uint64_t mask = UINT64_C(0x7ff0000000000000), one = UINT64_C(0x0010000000000000);
  uint64_t u[4], bad[4] = {0, 0, 0, 0};
  for (; n >= 4; n -= 4, x += 4) {
    memcpy(u, x, sizeof u);
    bad[0] |= (u[0] & mask) + one;
    bad[1] |= (u[1] & mask) + one;
    bad[2] |= (u[2] & mask) + one;
    bad[3] |= (u[3] & mask) + one;
  }
  for (; n > 0; n--, x++) {
    memcpy(u, x, sizeof u[0]);
    bad[0] |= (u[0] & mask) + one;
  }
  return ((bad[0] | bad[1] | bad[2] | bad[3]) >> 63) == 0;
}

DPPAIR_API int dppair_all_finite_f32(const float *x, size_t n) {
  const uint64_t mask = UINT64_C(0x7f8000007f800000), one = UINT64_C(0x0080000000800000);
  uint64_t u[2], bad[2] = {0, 0};
  for (; n >= 4; n -= 4, x += 4) {
    memcpy(u, x, sizeof u);
    bad[0] |= (u[0] & mask) + one;
    bad[1] |= (u[1] & mask) + one;
  }
  for (; n > 0; n--, x++) {
    u[0] = 0;
    memcpy(u, x, sizeof *x);
    bad[0] |= (u[0] & mask) + one;
  }
  return ((bad[0] | bad[1]) & UINT64_C(0x8000000080000000)) == 0;
}

/* *out = a * b, return 0; when the product overflows size_t: *out = 0, return 1. */
DPPAIR_API int dppair_size_mul_(size_t *out, size_t a, size_t b) {
  *out = 0;
  if (b != 0 && a > SIZE_MAX / b) return 1;
  *out = a * b;
  return 0;
}

/* a b, or SIZE_MAX where that overflows; products with more factors > 0 then are SIZE_MAX too. */
DPPAIR_API size_t dppair_area_(size_t a, size_t b) {
  size_t product;
  return dppair_size_mul_(&product, a, b) ? SIZE_MAX : product;
}

/* The status of an array of n elements of at most 8 bytes: OVERFLOW when no memory is that large
 * (it must then not be touched, not even zeroed), NULL when it is missing. */
DPPAIR_API dppair_status dppair_array_(const void *x, size_t n) {
  if (n > SIZE_MAX / 8) return DPPAIR_ERR_OVERFLOW;
  return !x && n ? DPPAIR_ERR_NULL : DPPAIR_OK;
}

/* OVERLAP where out[0..n), numbers of 8 bytes, shares memory with `bytes` bytes of an input or a
 * workspace. */
DPPAIR_API dppair_status dppair_apart_(const void *out, size_t n, const void *other, size_t bytes) {
  const uintptr_t p = (uintptr_t)out, q = (uintptr_t)other;
  const size_t reach = dppair_area_(n, 8);
  if (n == 0 || bytes == 0 || !other || (p <= q ? q - p >= reach : p - q >= bytes))
    return DPPAIR_OK;
  return DPPAIR_ERR_OVERLAP;
}
