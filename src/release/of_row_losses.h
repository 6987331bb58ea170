/* ------------------------------------------------------------------------------------------------
 * Releases of a row-wise loss: the chapters
 *
 * Compiled for each instance of one, after its gradients.
 * ---------------------------------------------------------------------------------------------- */

#include "release/contrast.h"
#if !DPPAIR_ROWS_WHOLE_
#include "release/softmax.h"
#endif
