/* ------------------------------------------------------------------------------------------------
 * States of the functions over tiles: the chapters
 * ---------------------------------------------------------------------------------------------- */

#include "tiles/form_state.h"
#include "tiles/clip_state.h"
#include "tiles/listed_state.h"
