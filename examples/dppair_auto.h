/* SPDX-License-Identifier: MIT */
/*
 * dppair_auto.h - a private ranking score that needs only what is declared about the columns.
 *
 *   score(x) = sum_j f_j(x_j),      f_j linear between knots and constant outside of them
 *
 * Two releases and no choice that looks at data: (1) smoothed histograms of all columns, from which
 * maps, their polynomials and a radius follow; (2) weights, by one noisy vector when the budget is
 * small against the number of columns, by a perturbed fit otherwise. All of it is charged to the
 * caller's account before a record is read. Neighbours differ in one replaced record.
 */
#ifndef DPPAIR_AUTO_H
#define DPPAIR_AUTO_H

#include "dppair.h"
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"

enum { DPPAIR_AUTO_KNOTS = 52 };

/* Bits of `warnings`; the first three are about a column. */
enum {
  DPPAIR_AUTO_BELOW = 1, /* its first cell holds more records than noise explains: so may the
                            range exclude some                                                */
  DPPAIR_AUTO_ABOVE = 2, /* its last cell does                                                */
  DPPAIR_AUTO_FLAT = 4,  /* it has no spread                                                  */
  DPPAIR_AUTO_LOW = 8,   /* rho is below 10: the budget is too small to learn much            */
  DPPAIR_AUTO_DELTA = 16 /* delta >= 1/n: a record may be published with that probability     */
};

/* One column's share of the score: linear between the knots, constant outside. */
typedef struct dppair_auto_map {
  size_t knots;      /* 0: the column adds nothing                */
  unsigned warnings; /* a sum of DPPAIR_AUTO_BELOW, _ABOVE, _FLAT */
  double at[DPPAIR_AUTO_KNOTS], value[DPPAIR_AUTO_KNOTS]; /* at increases */
} dppair_auto_map;

/* How the weights were found: a public rule of n, the columns and the budget decides. */
typedef enum dppair_auto_route {
  DPPAIR_AUTO_DECLARED = 1, /* one noisy vector on the declared ranges, all of the budget */
  DPPAIR_AUTO_VECTOR = 2,   /* release 1, then one noisy vector                           */
  DPPAIR_AUTO_FIT = 3       /* release 1, then a perturbed fit                            */
} dppair_auto_route;

/* All of it is released or public, and may be published. */
typedef struct dppair_auto_model {
  dppair_auto_map *map;  /* the caller's array of d                                         */
  size_t d, n;           /* n: of the records it was fitted to                              */
  double epsilon, delta; /* of the plan                                                     */
  double rho;  /* how far the signal can stand out: n mu_2/sqrt(d), for delta = 0 n epsilon_2/d */
  double rate; /* an estimate of the share of positives; .5 where there is none             */
  double marginals, weights; /* what the two releases cost: mu, for delta = 0 epsilon       */
  dppair_auto_route route;
  unsigned warnings; /* of all columns and of the plan */
} dppair_auto_model;

/* ---- columns and cells ----------------------------------------------------------------------- */

/* ---- release 1: smoothed histograms ---------------------------------------------------------- */

/* ---- denoising ------------------------------------------------------------------------------- */

/* ---- maps ------------------------------------------------------------------------------------ */

/* ---- polynomials ----------------------------------------------------------------------------- */

/* ---- the plan: what public numbers decide ---------------------------------------------------- */

/* ---- release 2: weights ---------------------------------------------------------------------- */

/* ---- shrinkage ------------------------------------------------------------------------------- */

/* ---- fit: all is charged, then records are read ---------------------------------------------- */

/* ---- model: scores and warnings -------------------------------------------------------------- */

/* ---- text ------------------------------------------------------------------------------------ */

#endif /* DPPAIR_AUTO_H */
