/* ------------------------------------------------------------------------------------------------
 * The vocabulary on one double
 *
 * The macros of a loss are expanded once more, over one double instead of a vector, with the bits
 * of the scalar tier. What a loss's own chapter says of its slopes is computed with it, losses
 * chosen at run time are, and the table of the box method.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

typedef double dpv_t_f64_one;
typedef int dpv_m_f64_one;
DPPAIR_FORCE_INLINE_ double dpv_set_f64_one(double x) { return x; }
DPPAIR_FORCE_INLINE_ double dpv_add_f64_one(double a, double b) { return a + b; }
DPPAIR_FORCE_INLINE_ double dpv_sub_f64_one(double a, double b) { return a - b; }
DPPAIR_FORCE_INLINE_ double dpv_mul_f64_one(double a, double b) { return a * b; }
DPPAIR_FORCE_INLINE_ double dpv_div_f64_one(double a, double b) { return a / b; }
DPPAIR_FORCE_INLINE_ double dpv_neg_f64_one(double a) { return -a; }
DPPAIR_FORCE_INLINE_ double dpv_abs_f64_one(double a) { return dppair_fabs_(a); }
DPPAIR_FORCE_INLINE_ double dpv_sqrt_f64_one(double a) { return dppair_sqrt_(a); }
DPPAIR_FORCE_INLINE_ double dpv_max_f64_one(double a, double b) { return a > b ? a : b; }
DPPAIR_FORCE_INLINE_ double dpv_min_f64_one(double a, double b) { return a < b ? a : b; }
DPPAIR_FORCE_INLINE_ double dpv_fma_f64_one(double a, double b, double c) {
  return dppair_fma_f64_(a, b, c);
}
DPPAIR_FORCE_INLINE_ int dpv_lt_f64_one(double a, double b) { return a < b; }
DPPAIR_FORCE_INLINE_ int dpv_le_f64_one(double a, double b) { return a <= b; }
DPPAIR_FORCE_INLINE_ int dpv_eq_f64_one(double a, double b) { return a == b; }
DPPAIR_FORCE_INLINE_ int dpv_both_f64_one(int m, int n) { return m & n; }
DPPAIR_FORCE_INLINE_ int dpv_either_f64_one(int m, int n) { return m | n; }
DPPAIR_FORCE_INLINE_ double dpv_sel_f64_one(int m, double a, double b) { return m ? a : b; }
DPPAIR_FORCE_INLINE_ double dpv_bit_and_f64_one(double a, double b) {
  return dppair_from_bits_f64_(dppair_bits_f64_(a) & dppair_bits_f64_(b));
}
DPPAIR_FORCE_INLINE_ double dpv_bit_or_f64_one(double a, double b) {
  return dppair_from_bits_f64_(dppair_bits_f64_(a) | dppair_bits_f64_(b));
}
DPPAIR_FORCE_INLINE_ double dpv_shr_mantissa_f64_one(double a) {
  return dppair_from_bits_f64_(dppair_bits_f64_(a) >> 52);
}
DPPAIR_FORCE_INLINE_ double dpv_pow2_f64_one(double n) {
  return dppair_from_bits_f64_(dppair_bits_f64_(n + (DPPAIR_MAGIC_F64_ + 1023.0)) << 52);
}
/* As dpv_round of simd/operations.h. */
DPPAIR_FORCE_INLINE_ double dpv_round_f64_one(double a) {
  const double size = dppair_fabs_(a), r = (size + 4503599627370496.0) - 4503599627370496.0;
  return size < 4503599627370496.0 ? (a < 0.0 || (a == 0.0 && 1.0 / a < 0.0) ? -r : r) : a;
}
DPPAIR_FORCE_INLINE_ double dpv_call_f64_one(double (*f)(double), double a) { return f(a); }
/* As dpv_scale of simd/operations.h. */
DPPAIR_FORCE_INLINE_ double dpv_scale_f64_one(double p, double n) {
  const double half = dppair_fma_f64_(n, 0.5, DPPAIR_MAGIC_F64_) - DPPAIR_MAGIC_F64_;
  return p * dpv_pow2_f64_one(half) * dpv_pow2_f64_one(n - half);
}

#define DPPAIR_SUFFIX_ f64_one
#define DPV_R double
#define DPPAIR_F64_ 1
#define DPV_INLINE_ static inline DPPAIR_UNUSED_
#include "simd/constants.h"
#include "simd/elementary.h"
#include "simd/constants_end.h"
#undef DPPAIR_F64_
#undef DPV_INLINE_
#undef DPPAIR_SUFFIX_
#undef DPV_R

DPPAIR_FP_END_
