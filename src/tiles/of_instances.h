/* ------------------------------------------------------------------------------------------------
 * Gradients of an instance: the chapters
 *
 * Forms, listed and clipped pairs read the numbers of dense rows; the gradient for linear scores
 * reads rows of any kind (rows/table.h).
 * ---------------------------------------------------------------------------------------------- */

#if DPT_DENSE
#include "tiles/template.h"
#endif
#include "tiles/gradient.h"
