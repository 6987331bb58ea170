/* SPDX-License-Identifier: MIT */
#define LINK square
#define LINK_SPELLED "square"
#define LINK_METRIC 1
#include "methods/link.h"
