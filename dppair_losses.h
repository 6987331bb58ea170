/* SPDX-License-Identifier: MIT */
/*
 * dppair_losses.h - link functions phi of pairwise losses: value and slope.     version 0.1.0
 *
 * A loss named L is two macros in the vocabulary of dppair.h, L_VALUE(u, p) and L_SLOPE(u, p), where
 * u is a DPV_T of margins and p points to the loss's own parameters (NULL if it has none).
 */
#ifndef DPPAIR_LOSSES_H
#define DPPAIR_LOSSES_H

#ifdef DPPAIR_NAME
#error "Include dppair_losses.h before defining DPPAIR_NAME; then include dppair.h for the template."
#endif
#include "dppair.h"

/* ln(1 + e^-u): convex, decreasing, slope in (-1, 0). */
#define dppair_logistic_VALUE(u, p) DPV_SOFTPLUS(DPV_NEG(u))
#define dppair_logistic_SLOPE(u, p) DPV_NEG(DPV_SIGMOID(DPV_NEG(u)))

/* max(0, 1 - u); the subgradient at the kink u = 1 is 0. */
#define dppair_hinge_VALUE(u, p) DPV_MAX(DPV_SUB(DPV_SET(1), u), DPV_SET(0))
#define dppair_hinge_SLOPE(u, p) DPV_SEL(DPV_LT(u, DPV_SET(1)), DPV_SET(-1), DPV_SET(0))

/* max(0, 1 - u)^2. */
#define dppair_squared_hinge_VALUE(u, p)                                                           \
  DPV_MUL(dppair_hinge_VALUE(u, p), dppair_hinge_VALUE(u, p))
#define dppair_squared_hinge_SLOPE(u, p) DPV_MUL(DPV_SET(-2), dppair_hinge_VALUE(u, p))

/* (1 - u)^2. */
#define dppair_square_VALUE(u, p) DPV_MUL(DPV_SUB(DPV_SET(1), u), DPV_SUB(DPV_SET(1), u))
#define dppair_square_SLOPE(u, p) DPV_MUL(DPV_SET(-2), DPV_SUB(DPV_SET(1), u))

#endif /* DPPAIR_LOSSES_H */
