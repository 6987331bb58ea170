/* ------------------------------------------------------------------------------------------------
 * Sums over pairs of an instance: the chapters
 *
 * Compiled for each instance: functions that check their arguments and call the loops of a tier.
 * ---------------------------------------------------------------------------------------------- */

#include "pairs/template.h"
#include "pairs/sketch_template.h"
#include "pairs/weighted.h"
#include "pairs/parts.h"
#include "pairs/chunk_blocks.h"
#include "pairs/chunked.h"
#include "core/quick.h"
#include "pairs/probe.h"
#include "core/quick_end.h"
#include "pairs/prepare.h"
#include "core/quick.h"
#include "pairs/sensitivity.h"
#include "core/quick_end.h"
