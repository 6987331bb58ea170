/* ------------------------------------------------------------------------------------------------
 * Private evaluation: the chapters
 *
 * Compiled once, after the releases that they rely on.
 * ---------------------------------------------------------------------------------------------- */

#include "evaluation/permit.h"
#include "evaluation/interval.h"
#include "evaluation/placements.h"
#include "evaluation/auc.h"
#include "evaluation/partial.h"
#include "evaluation/statistic.h"
#include "evaluation/roc.h"
