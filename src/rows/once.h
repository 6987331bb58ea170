/* ------------------------------------------------------------------------------------------------
 * What reads rows of double and float, once per translation unit
 * ---------------------------------------------------------------------------------------------- */

#include "rows/block.h"
#include "rows/linear.h"
#include "rows/sums.h"
#include "rows/sparse.h"
