/* ------------------------------------------------------------------------------------------------
 * What fits are made of, once per translation unit
 * ---------------------------------------------------------------------------------------------- */

#include "fits/loss.h"
#include "fits/problem.h"
#include "fits/evaluate.h"
#include "fits/minimise.h"
