/* ------------------------------------------------------------------------------------------------
 * What all types of rows share, and sparse rows: once per translation unit
 * ---------------------------------------------------------------------------------------------- */

#include "rows/table.h"
#include "rows/block.h"
#include "rows/rounding.h"
#include "rows/sums.h"
#include "rows/sparse.h"
