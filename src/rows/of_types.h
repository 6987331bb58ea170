/* ------------------------------------------------------------------------------------------------
 * Rows times a vector, for one tier and type: the chapters
 *
 * Numbers of rows of double, of float, or of the type that DPPAIR_ROW names, and the kernels that
 * all types share: scores in float, sums in double.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#include "rows/narrow_loads.h"
#elif DPPAIR_F64_
#include "rows/kernels_f64.h"
#else
#include "rows/kernels_f32.h"
#endif

#if DPPAIR_F64_
#include "rows/combine_kernels.h"
#include "rows/sums_kernels.h"
#else
#include "rows/dots_kernels.h"
#endif
