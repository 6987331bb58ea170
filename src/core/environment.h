/* ------------------------------------------------------------------------------------------------
 * Floating-point environment: the check of rounding
 * ---------------------------------------------------------------------------------------------- */

/* 1.5 2^52. Adding a double smaller than 2^51 in magnitude rounds it to an integer, which is then
 * in the low digits of the sum. This is true only if dppair_environment_check returns OK. */
#define DPPAIR_MAGIC_F64_ 6755399441055744.0
#define DPPAIR_MAGIC_F32_ 12582912.0f /* 1.5 2^23, for floats smaller than 2^22 */

#if DPPAIR_X86_
#include <emmintrin.h>
#endif

DPPAIR_FP_BEGIN_

/*
 * DPPAIR_OK if sums are rounded to nearest, ties to even, one by one and in their own type; else
 * DPPAIR_ERR_ENVIRONMENT. Every function whose proof assumes this calls it first: it takes 8 to 19
 * ns (measured with -O2).
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
  if (up != 0.0 || down != 0.0 || up_f != 0.0f || down_f != 0.0f || pair[0] != 0.0 ||
      pair[1] != 0.0)
    return DPPAIR_ERR_ENVIRONMENT;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
