/* ------------------------------------------------------------------------------------------------
 * States of a row-wise loss: the chapters
 *
 * Compiled for each instance of one. A loss of whole rows, L_ROWS dppair_whole_rows, is one of
 * triplets: an anchor's positives and negatives are a ranking, for which it takes the pair loops.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_ROWS_WHOLE_ DPPAIR_WORD_(DPPAIR_CAT(DPPAIR_LOSS, _ROWS), 0)

#if DPPAIR_ROWS_WHOLE_
#define DPPAIR_LOOPS_
#include "modules/contrast/triplet_state.h"
#else
#include "modules/contrast/state.h"
#include "modules/contrast/angular.h"
#include "modules/contrast/clip_state.h"
#endif
