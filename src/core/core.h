/* ------------------------------------------------------------------------------------------------
 * The core: what each of the four headers begins with
 *
 * Each header stands alone, so each has this text; the first that is included compiles it. The
 * generator writes a checksum of the text for the 0, and freestanding.h, which every header and
 * module begins with, compares it: headers of two versions in one file are refused.
 * ---------------------------------------------------------------------------------------------- */
#ifndef DPPAIR_CORE_H
#define DPPAIR_CORE_H
#define DPPAIR_CORE_TEXT_ 0

#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L)
#error "dppair needs C99 or C++11 at least: compile with -std=c99 or a later standard."
#include "dppair stops here: one sentence says more than the thousands of errors after it"
#endif

#include <float.h>
#include <stddef.h>
#include <stdint.h>

#define DPPAIR_VERSION_MAJOR 0
#define DPPAIR_VERSION_MINOR 1
#define DPPAIR_VERSION_PATCH 0
#define DPPAIR_VERSION_STRING "0.1.0"

#include "core/compiler.h"
#include "core/memory.h"
#include "core/bits.h"
#include "core/math.h"
#include "core/math_exact.h"
#include "core/math_exp.h"
#include "core/math_log.h"
#include "core/math_circle.h"
#include "core/math_more.h"
#include "core/status.h"
#include "core/checks.h"
#include "core/workspace.h"
#include "core/words.h"
#include "core/processor.h"
#include "core/dispatch.h"
#include "core/environment.h"
#include "core/sampling.h"
#include "core/batch.h"
#include "core/sort.h"
#include "core/audit.h"

#endif /* DPPAIR_CORE_H */
