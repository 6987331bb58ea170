/* SPDX-License-Identifier: MIT */
/* The tests of listed.c on the 128-bit tier, which only builds without AVX2 have. */
#define DPPAIR_MAX_TIER 1
#include "listed.c"
