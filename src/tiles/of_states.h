/* ------------------------------------------------------------------------------------------------
 * States of the functions over tiles: the chapters
 * ---------------------------------------------------------------------------------------------- */

#if DPT_DENSE /* they read the numbers of dense rows */
#include "tiles/form_state.h"
#include "tiles/clip_state.h"
#include "tiles/listed_state.h"
#endif
