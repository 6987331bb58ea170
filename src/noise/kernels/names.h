/* ------------------------------------------------------------------------------------------------
 * Names of the kernels
 *
 * The kernels are compiled once for each vector tier. They are written under the names on the left,
 * so that a search or an index finds them; the compiler sees dppair_chacha20_avx2_ and so on.
 *
 *   dppair_chacha20_TIER_   called from outside the kernels, through DPPAIR_DISPATCH_AT_
 *   dpr_round_f32           used by kernels only: functions on registers
 *   DPR_FADD                an operation on registers: simd128.h, avx2.h, avx512.h
 *
 * "f32" is the float level, "wide" the double level.
 * ---------------------------------------------------------------------------------------------- */

#define dppair_chacha20_TIER_ DPR_FN(dppair_chacha20_)
#define dppair_vaes_row_TIER_ DPR_FN(dppair_vaes_row_)
#define dppair_gaussian_f64_TIER_ DPR_FN(dppair_gaussian_f64_)
#define dppair_gaussian_f32_TIER_ DPR_FN(dppair_gaussian_f32_)
#define dppair_laplace_f64_TIER_ DPR_FN(dppair_laplace_f64_)
#define dppair_laplace_f32_TIER_ DPR_FN(dppair_laplace_f32_)
#define dppair_second_gaussian_TIER_ DPR_FN(dppair_second_gaussian_)
#define dppair_second_laplace_TIER_ DPR_FN(dppair_second_laplace_)
#define dppair_fill_TIER_ DPR_FN(dppair_fill_)

#define dpr_chacha20_rows DPR_FN(dppair_chacha20_rows_)
#define dpr_chacha20_store DPR_FN(dppair_chacha20_store_)
#define dpr_exponential_f32 DPR_FN(dppair_exponential_f32_)
#define dpr_circle_f32 DPR_FN(dppair_circle_f32_)
#define dpr_exponential_wide DPR_FN(dppair_exponential_wide_)
#define dpr_circle_wide DPR_FN(dppair_circle_wide_)
#define dpr_radius_wide DPR_FN(dppair_radius_wide_)
#define dpr_tail_wide DPR_FN(dppair_tail_wide_)
#define dpr_laplace_wide DPR_FN(dppair_laplace_wide_)
#define dpr_constants DPR_FN(dppair_constants_)
#define dpr_constants_make DPR_FN(dppair_constants_make_)
#define dpr_unfit DPR_FN(dppair_unfit_)
#define dpr_take DPR_FN(dppair_take_)
#define dpr_put DPR_FN(dppair_put_)
#define dpr_off DPR_FN(dppair_off_)
#define dpr_round_f64 DPR_FN(dppair_round_f64_)
#define dpr_round_f32 DPR_FN(dppair_round_f32_)
#define dpr_round_wide DPR_FN(dppair_round_wide_)
#define dpr_note DPR_FN(dppair_note_)
#define dpr_store_pairs DPR_FN(dppair_store_pairs_)
#define dpr_reach_gaussian DPR_FN(dppair_reach_gaussian_)
#define dpr_reach_laplace DPR_FN(dppair_reach_laplace_)
#define dpr_first_f32 DPR_FN(dppair_first_f32_)
#define dpr_first_wide DPR_FN(dppair_first_wide_)
#define dpr_first_laplace DPR_FN(dppair_first_laplace_)
#define dpr_first_gaussian DPR_FN(dppair_first_gaussian_)
#define dpr_strings DPR_FN(dppair_strings_)
#define dpr_string_pairs DPR_FN(dppair_string_pairs_)
#define dpr_batch_round DPR_FN(dppair_batch_round_)
#define dpr_fill_gaussian_f32 DPR_FN(dppair_fill_gaussian_f32_)
#define dpr_fill_laplace_f32 DPR_FN(dppair_fill_laplace_f32_)
#define dpr_fill_gaussian DPR_FN(dppair_fill_gaussian_)
#define dpr_fill_one DPR_FN(dppair_fill_one_)
