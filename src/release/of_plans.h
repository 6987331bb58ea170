/* ------------------------------------------------------------------------------------------------
 * Releases of vectors: the chapters
 *
 * Compiled once, as soon as noise and accountant are both there. Keys and plans come first.
 * ---------------------------------------------------------------------------------------------- */

#include "release/keys.h"
#include "release/open.h"
#include "release/vector.h"
#include "release/resume.h"
#include "release/parts.h"
