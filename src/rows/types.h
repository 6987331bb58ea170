/* ------------------------------------------------------------------------------------------------
 * The type of rows that DPPAIR_ROW names
 *
 * f32 and f64 are there always. bf16, f16, i16 and i8 are compiled where they are asked for, each
 * once per translation unit: dppair.h then compiles the kernels of all tiers, and the functions
 * that call them. The words are those of block.h.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_ROW_KIND_ == 2 && !defined(DPPAIR_ROWS_BF16_)
#define DPPAIR_ROWS_BF16_
#define DPPAIR_ROWS_NEW_
#elif DPPAIR_ROW_KIND_ == 3 && !defined(DPPAIR_ROWS_F16_)
#define DPPAIR_ROWS_F16_
#define DPPAIR_ROWS_NEW_
#elif DPPAIR_ROW_KIND_ == 4 && !defined(DPPAIR_ROWS_I16_)
#define DPPAIR_ROWS_I16_
#define DPPAIR_ROWS_NEW_
#elif DPPAIR_ROW_KIND_ == 5 && !defined(DPPAIR_ROWS_I8_)
#define DPPAIR_ROWS_I8_
#define DPPAIR_ROWS_NEW_
#endif

#ifdef DPPAIR_ROWS_NEW_
#ifndef DPPAIR_ROWS_NARROW_
#define DPPAIR_ROWS_NARROW_
#include "rows/narrow.h"
#endif
#undef DPPAIR_ROW_SUFFIX_
#define DPPAIR_ROW_SUFFIX_ DPPAIR_CAT(DPPAIR_CAT(DPPAIR_ROW, _), DPPAIR_SUFFIX_)
#define DPL_X dppair_element_ROW_
#endif
