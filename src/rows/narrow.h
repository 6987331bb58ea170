/* ------------------------------------------------------------------------------------------------
 * Rows of 16 and 8 bits: their numbers
 *
 * Sums over all pairs of many records read each row twice and compute little: bytes are what they
 * cost. A row of a type T is factor[i] times d numbers of T, which all are floats exactly:
 *
 *   T      elements   numbers                                            DPPAIR_ROW
 *   bf16   uint16_t   the upper half of a float                          bf16
 *   f16    uint16_t   IEEE 754 half precision, at most 65504             f16
 *   i16    int16_t    the integers themselves                            i16
 *   i8     int8_t     the integers themselves                            i8
 *
 *     #define DPPAIR_NAME rank
 *     #define DPPAIR_REAL float                  of scores, w and labels; sums run in double
 *     #define DPPAIR_ROW i8                      rows are a dppair_rows_i8
 *     #define DPPAIR_LOSS dppair_logistic
 *     #include "dppair.h"
 *
 *     if (dppair_rows_clip_f32(&rows, factor, x, n, d, d, 1.0) != DPPAIR_OK) return 1;
 *     rows.positives = np;
 *     if (dppair_rows_quantise_i8_f32(&small, x8, factor8, &rows) != DPPAIR_OK) return 1;
 *     if (rank_gradient(g, &small, w, &options) != DPPAIR_OK) return 1;      small.radius is 1 too
 *
 * All functions of an instance take such rows; instances of row-wise losses refuse them (#error).
 * DPPAIR_ROW i8 and #include "dppair.h" without DPPAIR_NAME compile the type alone.
 *
 * Functions, for each T: dppair_rows_make_T, _clip_T, _quantise_T_f32, _quantise_T_f64,
 * dppair_gather_T, _gather_weighted_T, dppair_rows_by_hand_T, dppair_scores_T, dppair_combine_T,
 * dppair_sum_combine_T. As those for float (rows/template.h); rows/quantise.h has what makes such
 * rows.
 *
 * Arithmetic. A number becomes a float, or a double, without rounding; from there on everything is
 * what rows of float with the same factors would give, bit for bit, on every tier. The instructions
 * that multiply 8- or 16-bit numbers (VNNI, BF16) need w in as few bits and are not used: what is
 * saved is the traffic with memory.
 *
 * Privacy. Sensitivities are those of rows of float of the same radius: bounds of rounding assume
 * numbers that are floats and factors that are doubles, and NAME_scaled_row_ rounds products with
 * factors towards 0 as it does there. Of integers no product with w underflows: they are multiples
 * of the last digit of w.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

typedef uint16_t dppair_element_bf16_;
typedef uint16_t dppair_element_f16_;
typedef int16_t dppair_element_i16_;
typedef int8_t dppair_element_i8_;

/* The number of an element. */
DPPAIR_FORCE_INLINE_ float dppair_number_i8_(int8_t v) { return (float)v; }
DPPAIR_FORCE_INLINE_ float dppair_number_i16_(int16_t v) { return (float)v; }
DPPAIR_FORCE_INLINE_ float dppair_number_bf16_(uint16_t v) {
  return dppair_from_bits_f32_((uint32_t)v << 16);
}

/* Of f16: the exponent is moved by 112 places. Below 2^-14 there is no leading 1: it is put there
 * and subtracted, exactly, in normal numbers only, so flushing to zero does no harm. Infinity and
 * NaN stay what they are: scores are then refused. */
DPPAIR_FORCE_INLINE_ float dppair_number_f16_(uint16_t v) {
  const uint32_t size = (uint32_t)(v & 0x7fff) << 13, sign = (uint32_t)(v & 0x8000) << 16;
  const float tiny = dppair_from_bits_f32_(size + UINT32_C(0x38800000)) - 6.103515625e-05f;
  uint32_t bits = size + UINT32_C(0x38000000);
  if (size >= UINT32_C(0x0f800000)) bits += UINT32_C(0x38000000);
  if (size < UINT32_C(0x00800000)) bits = dppair_bits_f32_(tiny);
  return dppair_from_bits_f32_(bits | sign);
}

/* The largest element of each type, of which rows have none that is larger; 0: as large as a float.
 */
#define DPPAIR_LARGEST_bf16 0.0
#define DPPAIR_LARGEST_f16 65504.0
#define DPPAIR_LARGEST_i16 32768.0
#define DPPAIR_LARGEST_i8 128.0

/* The element next to the finite number v that is not longer: towards 0. Signs stay, also of 0. */
DPPAIR_API uint16_t dppair_cut_bf16_(double v) {
  const float nearby = (float)v; /* infinity for what is too large: the bits below it are FLT_MAX */
  uint32_t bits = dppair_bits_f32_(nearby);
  if (dppair_fabs_((double)nearby) > dppair_fabs_(v)) bits--;
  return (uint16_t)(bits >> 16);
}
DPPAIR_API uint16_t dppair_cut_f16_(double v) {
  const uint64_t all = dppair_bits_f64_(v), size = all << 1 >> 1;
  const uint16_t sign = (uint16_t)(all >> 48 & 0x8000);
  if (dppair_fabs_(v) >= 65504.0) return (uint16_t)(sign | 0x7bff);
  if (dppair_fabs_(v) < 6.103515625e-05) /* 2^-14: multiples of 2^-24 */
    return (uint16_t)(sign | (uint16_t)(dppair_fabs_(v) * 16777216.0));
  return (uint16_t)(sign | (uint16_t)((size >> 42) - (UINT64_C(1008) << 10)));
}

/* A number of a row of double, or of float, cut to 24 digits, which changes no float, times 2^-e.
 */
DPPAIR_API double dppair_cut_number_(const void *x, size_t k, int e, int is_f32) {
  const double v = is_f32 ? (double)((const float *)x)[k] : ((const double *)x)[k];
  const double cut = dppair_from_bits_f64_(dppair_bits_f64_(v) >> 29 << 29);
  return e ? dppair_ldexp_(cut, -e) : cut;
}

/*
 * *scale for the integers q_k of a row f x of d finite numbers: the largest |q_k| is `most`, and
 * |*scale q_k| <= |f x_k| for all k in exact arithmetic. *top and *e are for dppair_steps_ below:
 * t 2^e, the largest |x_k| cut to 24 digits. A row of zeros, and one whose scale would be below
 * 2^-512, has the scale 0 and *top 0. Returns 0 when the scale is not finite.
 *
 * Proof. Let t be the largest |x_k| as cut, and q_k = floor(most |x_k|/t) of numbers as cut, with
 * the sign of x_k. Then |q_k| t/most <= |x_k|. The scale is f t/most in three rounded operations
 * on numbers between 1/4 and 1, times 1 - 2^-51: (1 + 2^-53)^3 (1 - 2^-51) < 1, so it is less than
 * f t/most. The powers of 2 come last and are exact, since the scale is at least 2^-512.
 */
DPPAIR_API int dppair_whole_scale_(double *scale, double *top, int *e, const void *x, size_t d,
                                   double f, double most, int is_f32) {
  double t = 0.0, fraction;
  int of_t, of_f;
  size_t k;
  *scale = *top = 0.0;
  *e = 0;
  for (k = 0; k < d; k++) {
    const double v = dppair_fabs_(dppair_cut_number_(x, k, 0, is_f32));
    t = v > t ? v : t;
  }
  if (!(t > 0.0) || !(dppair_fabs_(f) > 0.0)) return 1;
  fraction = dppair_frexp_(f, &of_f) * dppair_frexp_(t, &of_t) / most * (1.0 - 2.0 * DBL_EPSILON);
  fraction = dppair_ldexp_(fraction, of_f + of_t);
  if (!dppair_isfinite_f64(fraction)) return 0;
  if (dppair_fabs_(fraction) < DPPAIR_LEAST_FACTOR_F64_) return 1;
  *scale = fraction;
  *e = of_t > 900 || of_t < -900 ? of_t : 0; /* else products of t and integers are in range */
  *top = dppair_ldexp_(t, -*e);
  return 1;
}

/* floor(most |v|/top) with the sign of v, for 0 < top, |v| <= top, both cut to 24 digits, and most
 * < 2^15. Rounding is monotone, so a rounded quotient can only be too large, by one; the products
 * that decide are exact, with at most 39 digits. (What ldexp rounded is below top/2^100.) */
DPPAIR_API int dppair_steps_(double v, double top, double most) {
  const double size = most * dppair_fabs_(v);
  int q = (int)(size / top);
  if ((double)q * top > size) q--;
  return v < 0.0 ? -q : q;
}

DPPAIR_FP_END_
