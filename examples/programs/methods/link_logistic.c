/* SPDX-License-Identifier: MIT */
#define LINK logistic
#define LINK_SPELLED "logistic"
#define LINK_METRIC 1
#define LINK_GROUPS 1
#include "methods/link.h"
