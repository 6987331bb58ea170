/* SPDX-License-Identifier: MIT */
#define LINK hinge
#define LINK_SPELLED "hinge"
#define LINK_METRIC 1
#include "methods/link.h"
