/* ------------------------------------------------------------------------------------------------
 * The template's parameters
 *
 * DPPAIR_NAME, DPPAIR_REAL and DPPAIR_LOSS are checked here; DPPAIR_WEIGHTS 1 asks for what
 * computes with weights and groups as well, which a module may need (DPPAIR_NEED_WEIGHTS_);
 * DPPAIR_ROW asks for rows of another type or kind (rows/table.h). A mistake is answered by one
 * sentence; the include of a file that cannot exist then stops the compiler, which would otherwise
 * print thousands of errors about the code below.
 * ---------------------------------------------------------------------------------------------- */

/* double 1, float 0, any other word 9; the same for L_KIND (fast_state.h has its words) */
#define DPPAIR_TEMPLATE_F64_ DPPAIR_WORD_(DPPAIR_REAL, 9)
#define DPPAIR_KIND_ DPPAIR_WORD_(DPPAIR_CAT(DPPAIR_LOSS, _KIND), 9)
#define DPPAIR_SPLIT_ DPPAIR_WORD_(DPPAIR_CAT(DPPAIR_LOSS, _SPLIT), 0)
#define DPPAIR_RANGE_ DPPAIR_ITEMS_(DPPAIR_CAT(DPPAIR_LOSS, _RANGE))

#ifndef DPPAIR_ROW /* rows of the type of scores */
#define DPPAIR_ROW DPPAIR_CAT(DPPAIR_ROW_OF_A_, DPPAIR_REAL)
#endif

#define DPPAIR_STOP_
#if !defined(DPPAIR_NAME)
#error "Define DPPAIR_NAME, the prefix of what is generated, before dppair.h with DPPAIR_REAL."
#elif !defined(DPPAIR_REAL)
#error "Define DPPAIR_REAL as float or double before including dppair.h for the template."
#elif !defined(DPPAIR_LOSS)
#error "Define DPPAIR_LOSS as the name of a loss before including dppair.h for the template."
#elif 1 || DPPAIR_NAME /* DPPAIR_NAME must be one identifier, without quotes */
#if DPPAIR_TEMPLATE_F64_ == 1 || DPPAIR_TEMPLATE_F64_ == 0
#if DPPAIR_ROW_KIND_ == 9 ||                                                                       \
    (DPPAIR_ROW_KIND_ != DPPAIR_TEMPLATE_F64_ &&                                                   \
     (DPPAIR_TEMPLATE_F64_ ? DPPAIR_ROW_KIND_ != 7                                                 \
                           : DPPAIR_ROW_KIND_ < 2 || DPPAIR_ROW_KIND_ > 6))
#error "DPPAIR_ROW must be f32, bf16, f16, i16 or i8 with DPPAIR_REAL float, f64 with double."
#elif DPPAIR_ROW_KIND_ > 1 && DPPAIR_KIND_ == DPPAIR_KIND_ROWWISE_
#error "DPPAIR_ROW: row-wise losses compare embeddings of float or double, not narrow rows."
#elif DPPAIR_KIND_ == DPPAIR_KIND_ROWWISE_ && !defined(DPPAIR_CONTRAST_H)
#error "DPPAIR_LOSS is a row-wise loss: include dppair_contrast.h before the instance."
#elif DPPAIR_RANGE_ == 9
#error "DPPAIR_LOSS: its L_RANGE must be a function and flags in brackets: (my_range, 0)."
#elif DPPAIR_KIND_ >= 0 && DPPAIR_KIND_ <= 3
#undef DPPAIR_STOP_
#elif defined(DPPAIR_LOSSES_H)
#error "DPPAIR_LOSS: no such loss, or its L_KIND is not _pairs, _piecewise, _analytic or _rowwise; \
contrastive losses and triplets are those of dppair_contrast.h, which comes before the instance."
#else
#error "DPPAIR_LOSS: include dppair_losses.h first, or dppair_contrast.h for a contrastive loss or \
triplets; a loss L of your own needs L_KIND dppair_pairs."
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
#undef DPPAIR_RANGE_
#undef DPPAIR_NAME
#undef DPPAIR_REAL
#undef DPPAIR_ROW
#undef DPPAIR_LOSS
#undef DPPAIR_WEIGHTS
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
#define DPPAIR_HAS_INSTANCES_ /* a module that adds functions to them comes too late */
#ifndef DPPAIR_WEIGHTS
#if defined(DPPAIR_NEED_WEIGHTS_) && DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_
#define DPPAIR_WEIGHTS 1
#else
#define DPPAIR_WEIGHTS 0
#endif
#endif
/* DPT_LABEL: labels that are not finite, NaN too, are one class, which differs from every other. */
#if DPPAIR_TEMPLATE_F64_
#define DPT_FINITE dppair_all_finite_f64
#define DPT_LABEL(y) (dppair_isfinite_f64(y) ? (y) : HUGE_VAL)
#else
#define DPT_FINITE dppair_all_finite_f32
#define DPT_LABEL(y) (dppair_isfinite_f32(y) ? (y) : (float)HUGE_VAL)
#endif
#endif
