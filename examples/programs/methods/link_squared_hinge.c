/* SPDX-License-Identifier: MIT */
#define LINK squared_hinge
#define LINK_SPELLED "squared-hinge"
#define LINK_METRIC 1
#define LINK_GROUPS 0
#include "methods/link.h"
