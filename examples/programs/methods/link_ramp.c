/* SPDX-License-Identifier: MIT */
#define LINK ramp
#define LINK_SPELLED "ramp"
#define LINK_METRIC 0
#define LINK_GROUPS 0
#include "methods/link.h"
