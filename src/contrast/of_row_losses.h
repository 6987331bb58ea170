/* ------------------------------------------------------------------------------------------------
 * Functions of a row-wise loss: the chapters
 *
 * Compiled for each instance of one, after its kernels.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_ROWS_WHOLE_
#include "contrast/triplet.h"
#else
#include "contrast/template.h"
#endif
#include "contrast/map.h"
#include "contrast/groups.h"
#if !DPPAIR_ROWS_WHOLE_
#include "contrast/clip.h"
#endif
