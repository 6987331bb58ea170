/* ------------------------------------------------------------------------------------------------
 * The template's parameters
 *
 * DPPAIR_NAME, DPPAIR_REAL and DPPAIR_LOSS are checked here; DPPAIR_WEIGHTS 1 asks for what
 * computes with weights and groups as well, DPPAIR_TOP 1 for top-weighted ranking too, DPPAIR_ROW
 * for rows of another type. A mistake is answered by one sentence; the include of a file that
 * cannot exist then stops the compiler, which would otherwise print thousands of errors about the
 * code below.
 * ---------------------------------------------------------------------------------------------- */

/* double 1, float 0, any other word 9; the same for L_KIND (fast_state.h has its words) */
#define DPPAIR_TEMPLATE_F64_ DPPAIR_WORD_(DPPAIR_REAL, 9)
#define DPPAIR_KIND_ DPPAIR_WORD_(DPPAIR_CAT(DPPAIR_LOSS, _KIND), 9)
#define DPPAIR_SPLIT_ DPPAIR_WORD_(DPPAIR_CAT(DPPAIR_LOSS, _SPLIT), 0)
#define DPPAIR_CURVE_ DPPAIR_WORD_(DPPAIR_CAT(DPPAIR_LOSS, _CURVE), 0)
#define DPPAIR_ROWS_WHOLE_ DPPAIR_WORD_(DPPAIR_CAT(DPPAIR_LOSS, _ROWS), 0)
#define DPPAIR_RANGE_ DPPAIR_ITEMS_(DPPAIR_CAT(DPPAIR_LOSS, _RANGE))

#ifndef DPPAIR_ROW /* rows of the type of scores */
#define DPPAIR_ROW DPPAIR_CAT(DPPAIR_ROW_OF_A_, DPPAIR_REAL)
#endif
#define DPPAIR_ROW_KIND_ DPPAIR_WORD_(DPPAIR_ROW, 9)

#define DPPAIR_STOP_
#if !defined(DPPAIR_NAME)
#error "Define DPPAIR_NAME, the prefix of what is generated, before dppair.h with DPPAIR_REAL."
#elif !defined(DPPAIR_REAL)
#error "Define DPPAIR_REAL as float or double before including dppair.h for the template."
#elif !defined(DPPAIR_LOSS)
#error "Define DPPAIR_LOSS as the name of a loss before including dppair.h for the template."
#elif 1 || DPPAIR_NAME /* DPPAIR_NAME must be one identifier, without quotes */
#if DPPAIR_TEMPLATE_F64_ == 1 || DPPAIR_TEMPLATE_F64_ == 0
#if DPPAIR_ROW_KIND_ == 9 || (DPPAIR_ROW_KIND_ != DPPAIR_TEMPLATE_F64_ &&                         \
                              (DPPAIR_ROW_KIND_ < 2 || DPPAIR_TEMPLATE_F64_))
#error "DPPAIR_ROW must be f32, bf16, f16, i16 or i8 with DPPAIR_REAL float, f64 with double."
#elif DPPAIR_ROW_KIND_ > 1 && DPPAIR_KIND_ == DPPAIR_KIND_ROWWISE_
#error "DPPAIR_ROW: row-wise losses compare embeddings of float or double, not narrow rows."
#elif DPPAIR_KIND_ == DPPAIR_KIND_ROWWISE_ && defined(DPPAIR_TOP) && DPPAIR_TOP
#error "DPPAIR_TOP: top-weighted ranking takes a pairwise loss, not a row-wise one."
#elif DPPAIR_RANGE_ == 9
#error "DPPAIR_LOSS: its L_RANGE must be a function and flags in brackets: (my_range, 0)."
#elif DPPAIR_KIND_ >= 0 && DPPAIR_KIND_ <= 3
#undef DPPAIR_STOP_
#elif defined(DPPAIR_LOSSES_H)
#error "DPPAIR_LOSS: no such loss, or its L_KIND is not _pairs, _piecewise, _analytic or _rowwise."
#else
#error "DPPAIR_LOSS: include dppair_losses.h first; a loss L of your own needs L_KIND dppair_pairs."
#endif
#else
#error "DPPAIR_REAL must be the word float or the word double: no typedef, no other type."
#endif
#else
#include "dppair stops here: DPPAIR_NAME must be one identifier, without quotes"
#endif

#ifdef DPPAIR_STOP_
#undef DPPAIR_STOP_
#undef DPPAIR_TEMPLATE_F64_
#undef DPPAIR_KIND_
#undef DPPAIR_SPLIT_
#undef DPPAIR_CURVE_
#undef DPPAIR_ROWS_WHOLE_
#undef DPPAIR_RANGE_
#undef DPPAIR_NAME
#undef DPPAIR_REAL
#undef DPPAIR_ROW
#undef DPPAIR_ROW_KIND_
#undef DPPAIR_LOSS
#undef DPPAIR_WEIGHTS
#undef DPPAIR_TOP
#include "dppair stops here: one sentence says more than the thousands of errors after it"
#else
/* The error "redeclaration of enumerator NAME_is_..." means that two templates have one NAME. */
enum { DPPAIR_CAT(DPPAIR_NAME, _is_the_DPPAIR_NAME_of_two_templates_) };
#ifdef DPPAIR_IMPLEMENTATION /* declarations for rows of another type do not link */
#ifdef __cplusplus
extern "C" {
#endif
extern const char DPPAIR_CAT(DPPAIR_CAT(DPPAIR_NAME, _reads_), DPPAIR_ROW);
const char DPPAIR_CAT(DPPAIR_CAT(DPPAIR_NAME, _reads_), DPPAIR_ROW) = 1;
#ifdef __cplusplus
}
#endif
#endif
#define DPPAIR_INSTANCE_
#ifndef DPPAIR_TOP
#define DPPAIR_TOP 0
#endif
#if DPPAIR_TOP
#undef DPPAIR_WEIGHTS
#define DPPAIR_WEIGHTS 1
#elif !defined(DPPAIR_WEIGHTS)
#define DPPAIR_WEIGHTS 0
#endif
#if DPPAIR_TEMPLATE_F64_
#define DPT_FINITE dppair_all_finite_f64
#define DPT_SCALE dppair_linear_scale_f64_
#else
#define DPT_FINITE dppair_all_finite_f32
#define DPT_SCALE dppair_linear_scale_f32_
#endif
#define DPPAIR_ROWS_ DPPAIR_ROW_OF_(dppair_rows)
#define DPT_SCORES DPPAIR_ROW_OF_(dppair_scores) /* or of a tier, by DPPAIR_DISPATCH_ */
#define DPT_COMBINE DPPAIR_ROW_OF_(dppair_combine)
#define DPT_LINEAR_SCORES dppair_linear_scores_ROW_
#define DPT_LINEAR_COMBINE dppair_linear_combine_ROW_
#define DPT_SUM_ROWS dppair_sum_rows_ROW_
#define DPT_REACH dppair_reach_ROW_         /* (w, d, radius): whether no score can overflow */
#define DPT_STORED dppair_element_ROW_      /* the type of a number in a row, */
#define DPT_NUMBER dppair_number_ROW_       /* and that number as a DPPAIR_REAL, exactly */
#define DPT_NARROW (DPPAIR_ROW_KIND_ > 1)   /* rows are not of DPPAIR_REAL: tiles copy them */
#endif
