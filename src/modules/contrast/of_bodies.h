/* ------------------------------------------------------------------------------------------------
 * Bodies of a row-wise loss: the chapters
 *
 * Compiled for each instance of one and each tier.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_ROWS_WHOLE_
#include "modules/contrast/triplet_rows.h"
#include "modules/contrast/triplet_kernels.h"
#else
#include "modules/contrast/kernels.h"
#include "modules/contrast/clip_kernels.h"
#endif
#include "modules/contrast/map_kernels.h"
