/* ------------------------------------------------------------------------------------------------
 * States of a row-wise loss: the chapters
 *
 * Compiled for each instance of one.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_ROWS_WHOLE_
#include "contrast/triplet_state.h"
#else
#include "contrast/state.h"
#include "contrast/angular.h"
#include "contrast/clip_state.h"
#endif
