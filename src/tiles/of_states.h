/* ------------------------------------------------------------------------------------------------
 * States of the functions over tiles: the chapters
 * ---------------------------------------------------------------------------------------------- */

#if DPT_DENSE /* they read the numbers of dense rows */
#include "tiles/packed.h"
#include "tiles/clip_state.h"
#endif
