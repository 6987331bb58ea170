/* ------------------------------------------------------------------------------------------------
 * Releases of vectors, histograms and shares: the chapters
 *
 * Compiled once, as soon as noise and accountant are both there. Keys and plans come first.
 * ---------------------------------------------------------------------------------------------- */

#include "release/keys.h"
#include "release/open.h"
#include "release/vector.h"
#include "release/resume.h"
#include "release/histogram.h"
#include "release/share.h"
