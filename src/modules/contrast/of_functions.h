/* ------------------------------------------------------------------------------------------------
 * Functions and releases of a row-wise loss: the chapters
 *
 * Compiled for each instance of one, after its kernels.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_ROWS_WHOLE_
#include "modules/contrast/triplet.h"
#else
#include "modules/contrast/template.h"
#endif
#include "modules/contrast/map.h"
#include "modules/contrast/groups.h"
#if !DPPAIR_ROWS_WHOLE_
#include "modules/contrast/clip.h"
#endif
#include "modules/contrast/release.h"
#if !DPPAIR_ROWS_WHOLE_
#include "modules/contrast/release_softmax.h"
#endif

#undef DPPAIR_ROWS_WHOLE_
#undef DPPAIR_LOOPS_
