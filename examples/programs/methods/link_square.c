/* SPDX-License-Identifier: MIT */
#define LINK square
#define LINK_SPELLED "square"
#define LINK_METRIC 1
#define LINK_GROUPS 0
#include "methods/link.h"
