/* ------------------------------------------------------------------------------------------------
 * Releases of an instance: the chapters
 *
 * Compiled for each instance, after its gradients and its sensitivity.
 * ---------------------------------------------------------------------------------------------- */

#include "release/template.h"
#include "release/scores.h"
#include "release/explain.h"
