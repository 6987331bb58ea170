/* ------------------------------------------------------------------------------------------------
 * Sums over pairs of an instance: the chapters
 *
 * Compiled for each instance: functions that check their arguments and call the loops of a tier.
 * ---------------------------------------------------------------------------------------------- */

#include "pairs/template.h"
#include "pairs/moments_template.h"
#include "pairs/grid_template.h"
#include "pairs/nodes.h"
#include "pairs/weighted.h"
#include "pairs/top_cut.h"
#include "pairs/top_values.h"
#include "pairs/top.h"
#include "pairs/top_ranks.h"
#include "pairs/curvature.h"
#include "pairs/chunk_blocks.h"
#include "pairs/chunks.h"
#include "pairs/sensitivity.h"
#include "pairs/top_sensitivity.h"
