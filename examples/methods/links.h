/* SPDX-License-Identifier: MIT */
/*
 * links.h - the link functions that the pairwise methods offer by name, each with its pair sums and
 * with the constants that sensitivities need.
 */
#ifndef LINKS_H
#define LINKS_H

#include "dppair_losses.h"

typedef struct pair_link {
  const char *name;
  dppair_loss loss;
  dppair_status (*coeffs)(double *a, double *b, const double *sp, size_t np, const double *sn,
                          size_t nn, const double *params);
  /* the pair sum of a metric; NULL where that is not offered */
  dppair_status (*metric)(double *g, const double *x, const double *y, size_t n, size_t d,
                          const double *w, double offset, void *room, size_t bytes);
  double (*steepest)(double size);  /* sup |phi'| over |u| <= size, which may be HUGE_VAL */
  double curvature;                 /* sup |phi''|; HUGE_VAL: phi' jumps                  */
  int monotone, convex;             /* monotone: phi' <= 0 everywhere                     */
} pair_link;

/* The link called name (NULL: fallback), or NULL. */
const pair_link *pair_link_find(const char *name, const char *fallback);

/* Bytes of room for the metric's pair sum over at most n records of d features. */
dppair_status pair_metric_room(size_t *bytes, size_t n, size_t d) DPPAIR_MUST_CHECK;

#endif /* LINKS_H */
