/* ------------------------------------------------------------------------------------------------
 * Floating-point environment: the check of rounding
 * ---------------------------------------------------------------------------------------------- */

/* 1.5 2^52. Adding a double smaller than 2^51 in magnitude rounds it to an integer, which is then
 * in the low digits of the sum. This is true only if dppair_environment_check returns OK. */
#define DPPAIR_MAGIC_F64_ 6755399441055744.0
#define DPPAIR_MAGIC_F32_ 12582912.0f /* 1.5 2^23, for floats smaller than 2^22 */

#if DPPAIR_X86_
#ifdef DPPAIR_FREESTANDING /* intrinsics of compilers bring a malloc, out of stdlib.h */
#pragma push_macro("_MM_MALLOC_H_INCLUDED")
#pragma push_macro("__MM_MALLOC_H")
#undef _MM_MALLOC_H_INCLUDED
#undef __MM_MALLOC_H
#define _MM_MALLOC_H_INCLUDED
#define __MM_MALLOC_H
#include <emmintrin.h>
#pragma pop_macro("__MM_MALLOC_H")
#pragma pop_macro("_MM_MALLOC_H_INCLUDED")
#else
#include <emmintrin.h>
#endif
#endif

DPPAIR_FP_BEGIN_

/* Are subnormal numbers read or written as zeros? On x86 the processor's control word says so: a
 * sum of subnormal numbers there takes longer than the whole check. Elsewhere a product tells. It
 * is a power of 2, so no flag but that of a subnormal operand is raised. */
DPPAIR_API int dppair_flushes_to_zero_(void) {
#if DPPAIR_X86_
  return (_mm_getcsr() & 0x8040u) != 0; /* results, 0x8000, or operands, 0x40 */
#else
  volatile double least = 2.2250738585072014e-308; /* DBL_MIN */
  volatile float least_f = 1.17549435e-38f;
  volatile double below = least * 0.5;
  volatile float below_f = least_f * 0.5f;
  return !(below > 0.0) || !(below_f > 0.0f);
#endif
}

#if DPPAIR_HAVE_AVX2 && defined(__clang__) /* fused where the processor can, and only there */
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX2_)
DPPAIR_OUT_OF_LINE_ int dppair_fuses_avx2_(volatile double *tenth, volatile double *square) {
  const double y = *tenth;
  return y * y - *square != 0.0;
}
DPPAIR_TARGET_END_
#endif

/* Has the compiler fused a product and a sum, made a product of a quotient, or dropped the sign of
 * zero? gcc's regions forbid it. clang's float_control does so on x86 and PowerPC only, and
 * -ffp-contract=fast overrides every pragma (its backend fuses); no macro tells of these flags. */
DPPAIR_API int dppair_flags_are_loose_(void) {
#if defined(__GNUC__) && !defined(__clang__)
  return 0;
#else
  volatile double tenth = 0.1, five = 5.0, minus_zero = -0.0;
  const double x = tenth, n = five, z = minus_zero;
  volatile double square = x * x, quotient = n / 3.0, zero = z + 0.0;
  const double y = tenth, rest = y * y - square; /* read again: a product used twice is not fused */
#if DPPAIR_HAVE_AVX2 && defined(__clang__)
  if (dppair_tier() >= DPPAIR_TIER_AVX2 && dppair_fuses_avx2_(&tenth, &square)) return 1;
#endif
  return rest != 0.0 || quotient != 1.6666666666666667 || dppair_bits_f64_(zero) != 0;
#endif
}

/*
 * DPPAIR_OK if sums are rounded to nearest, ties to even, one by one and in their own type, and
 * subnormal numbers are not zeros; else DPPAIR_ERR_ENVIRONMENT. So is a DPPAIR_TIER_LIMIT below the
 * narrowest tier of the build, where that is AVX2 or AVX-512. Every function whose proof assumes
 * this calls it first: it takes 8 to 19 ns (measured with -O2).
 *
 * Flushing to zero is a mode of the thread. gcc sets it at the start of every program, and up to
 * version 12 in every process that loads a library, that was linked with -ffast-math or -Ofast.
 * Noise keeps its bits under it; other functions do not, and their bounds count subnormal
 * differences. So it is refused: compile with these flags if need be, link without them.
 *
 * For m = 1.5 2^52 (float: 1.5 2^23), m + 1/2 and m - 1/2 are midway between m and a neighbour of
 * m, and m is the even one. So (m + 1/2) - m and (m - 1/2) - m are both 0 if sums are rounded to
 * nearest even. The first is not 0 if sums are rounded up or ties away from zero, the second if
 * they are rounded down or towards zero, and both if the type is wider or the compiler has merged
 * the two sums. Compilers may apply a flag to vectors but not to plain code, and to intrinsics,
 * which they define outside of every region, but not to operators; so both are tested, vectors by
 * intrinsics where kernels use these.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_environment_check(void) {
  volatile double half = 0.5;
  volatile float half_f = 0.5f;
  const double h = half, m = DPPAIR_MAGIC_F64_;
  const float f = half_f, m_f = DPPAIR_MAGIC_F32_;
  volatile double up = h + m - m, down = m - h - m;
  volatile float up_f = f + m_f - m_f, down_f = m_f - f - m_f;
  double pair[2] = {0.0, 0.0};
#if DPPAIR_X86_
  const __m128d m_v = _mm_set1_pd(m);
  _mm_storeu_pd(pair, _mm_sub_pd(_mm_add_pd(_mm_set_pd(h, -h), m_v), m_v));
#elif defined(__GNUC__) || defined(__clang__)
  typedef double vector __attribute__((vector_size(16)));
  const vector h_v = {-h, h}, m_v = {m, m}, back = (h_v + m_v) - m_v;
  memcpy(pair, &back, sizeof pair);
#endif
  if (DPPAIR_MIN_TIER > 1 && DPPAIR_TIER_LIMIT < DPPAIR_MIN_TIER) return DPPAIR_ERR_ENVIRONMENT;
  if (up != 0.0 || down != 0.0 || up_f != 0.0f || down_f != 0.0f || pair[0] != 0.0 ||
      pair[1] != 0.0 || dppair_flushes_to_zero_() || dppair_flags_are_loose_())
    return DPPAIR_ERR_ENVIRONMENT;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
