/* ------------------------------------------------------------------------------------------------
 * Bodies of a row-wise loss: the chapters
 *
 * Compiled for each instance of one and each tier.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_ROWS_WHOLE_
#include "contrast/triplet_rows.h"
#include "contrast/triplet_kernels.h"
#else
#include "contrast/kernels.h"
#include "contrast/clip_kernels.h"
#endif
#include "contrast/map_kernels.h"
