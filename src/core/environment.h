/* ------------------------------------------------------------------------------------------------
 * Floating-point environment
 * ---------------------------------------------------------------------------------------------- */

/* 1.5 2^52: a double below 2^51 in size that is added to it is rounded to an integer, which then
 * stands in the low digits. Right only where dppair_environment_check says OK. */
#define DPPAIR_MAGIC_F64_ 6755399441055744.0
#define DPPAIR_MAGIC_F32_ 12582912.0f /* 1.5 2^23, for float below 2^22 */

DPPAIR_FP_BEGIN_
/*
 * DPPAIR_OK when sums are rounded to nearest, ties to even, one by one and in their own type, else
 * DPPAIR_ERR_ENVIRONMENT. To be called at the entry of everything whose proof needs that: it takes
 * some ns (8 to 19 were measured with -O2).
 *
 * h = +-1/2 lies midway between two neighbours of m = 1.5 2^52 (float: 1.5 2^23), the even one
 * being m itself; so (h + m) - m is 0 to nearest even and not 0 when rounded up (h > 0), down or
 * towards zero (h < 0), ties away (h > 0), in a wider type, or with the two sums made one.
 * Compilers apply such flags to functions of vectors where they spare plain code: both are tried.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_environment_check(void) {
  volatile double half = 0.5;
  volatile float half_f = 0.5f;
  const double h = half, m = DPPAIR_MAGIC_F64_;
  const float f = half_f, m_f = DPPAIR_MAGIC_F32_;
  volatile double up = h + m - m, down = m - h - m;
  volatile float up_f = f + m_f - m_f, down_f = m_f - f - m_f;
  double pair[2] = {0.0, 0.0};
#if defined(__GNUC__) || defined(__clang__)
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
