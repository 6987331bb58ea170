/* ------------------------------------------------------------------------------------------------
 * Functions of a row-wise loss: the chapters
 *
 * Compiled for each instance of one, after its kernels.
 * ---------------------------------------------------------------------------------------------- */

#include "contrast/template.h"
#include "contrast/groups.h"
#include "contrast/clip.h"
