/* SPDX-License-Identifier: MIT */
#define LINK sigmoid
#define LINK_SPELLED "sigmoid"
#define LINK_METRIC 0
#define LINK_GROUPS 0
#include "methods/link.h"
