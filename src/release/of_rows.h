/* ------------------------------------------------------------------------------------------------
 * Releases of rows and columns: the chapters
 *
 * Compiled once, as soon as both the functions of rows and the releases are there.
 * ---------------------------------------------------------------------------------------------- */

#include "release/groups.h"
#include "release/smoothing.h"
#include "release/marginals.h"
#include "release/estimate.h"
#include "release/classes.h"
#include "release/shrinkage.h"
#include "release/minimiser.h"
