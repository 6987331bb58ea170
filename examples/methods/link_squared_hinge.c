/* SPDX-License-Identifier: MIT */
#define LINK squared_hinge
#define LINK_SPELLED "squared-hinge"
#define LINK_METRIC 1
#include "methods/link.h"
