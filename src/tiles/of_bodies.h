/* ------------------------------------------------------------------------------------------------
 * Loops over tiles and lists of pairs, for one tier: the chapters
 *
 * They read the numbers of dense rows; instances of other kinds (rows/table.h) have none.
 * ---------------------------------------------------------------------------------------------- */

#if DPT_DENSE
#include "tiles/packed_kernels.h"
#include "tiles/clip_kernels.h"
#endif
