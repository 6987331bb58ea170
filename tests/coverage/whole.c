/* SPDX-License-Identifier: MIT */
/* Everything that the four headers define, compiled and never run: with -fkeep-inline-functions
 * gcov sees the functions that no test calls, which it otherwise would not count. */
#define DPPAIR_SIMULATION
#define DPPAIR_WITH_SHARES
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_accountant.h"
#include "dppair_auto.h"
#include "dppair_influence.h"
#include "dppair_top.h"

#define DPPAIR_NAME boxes /* analytic, in double, with everything that an instance may ask for */
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#define DPPAIR_WEIGHTS 1
#include "dppair.h"

#define DPPAIR_NAME sorted /* piecewise linear, in float */
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_hinge
#define DPPAIR_WEIGHTS 1
#include "dppair.h"

#define DPPAIR_NAME narrow
#define DPPAIR_REAL float
#define DPPAIR_ROW i8
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#define DPPAIR_NAME contrast
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"

#define DPPAIR_NAME triplet
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_triplet
#include "dppair_contrast.h"

int main(void) { return 0; }
