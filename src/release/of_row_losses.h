/* ------------------------------------------------------------------------------------------------
 * Releases of a row-wise loss: the chapters
 *
 * Compiled for each instance of one, after its gradients.
 * ---------------------------------------------------------------------------------------------- */

#include "release/contrast.h"
#include "release/softmax.h"
