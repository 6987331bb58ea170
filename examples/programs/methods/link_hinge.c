/* SPDX-License-Identifier: MIT */
#define LINK hinge
#define LINK_SPELLED "hinge"
#define LINK_METRIC 1
#define LINK_GROUPS 0
#include "methods/link.h"
