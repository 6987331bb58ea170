/* SPDX-License-Identifier: MIT */
/*
 * A loss of one's own, for `make bench USER_LOSS=bench/example_loss.h`: copy and change it.
 *
 * The file defines NAME_KIND, NAME_VALUE and NAME_SLOPE as docs/guide.md has them; whichever NAME has a
 * slope here is timed (USER_LOSS_NAME=... where there are several). The same file then serves a program:
 * #define DPPAIR_LOSS cauchy. What has a parameter reads it as (p)[0] and gives a value for the benchmark:
 *
 *     #define USER_LOSS_PARAMETERS {0.5}
 *
 * A plain C function works as well, lane by lane: #define my_SLOPE(u, p) DPV_CALL(my_slope, u).
 */
#include "dppair_losses.h"

#define cauchy_KIND dppair_pairs /* summed over all pairs, one by one */
#define cauchy_VALUE(u, p) DPV_LOG1P(DPV_MUL(u, u))
#define cauchy_SLOPE(u, p) DPV_DIV(DPV_ADD(u, u), DPV_FMA(u, u, DPV_SET(1)))
