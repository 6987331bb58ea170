/* ------------------------------------------------------------------------------------------------
 * Releases of rows: the chapters
 *
 * Compiled once, as soon as both the functions of rows and the releases are there.
 * ---------------------------------------------------------------------------------------------- */

#include "release/minimiser.h"
