/* ------------------------------------------------------------------------------------------------
 * Sums over pairs that no loss enters, for one tier and type: the chapters
 * ---------------------------------------------------------------------------------------------- */

#include "pairs/box_kernels.h"
#include "pairs/sketch_kernels.h"
#include "pairs/sorted.h"
