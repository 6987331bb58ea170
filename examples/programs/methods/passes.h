/* SPDX-License-Identifier: MIT */
/*
 * passes.h - the released gradient of gd over rows that are not held: each step reads them twice,
 * once for the moments of both classes' scores, once for the sum.
 *
 * Sums have no order, so chunks, their sizes and the processes that read them leave no trace in a
 * bit of it: it is that of NAME_release over all rows at once, with the same state.
 *
 * Users come whole, each in one chunk; those that are declared and have no record, too.
 */
#ifndef PASSES_H
#define PASSES_H

#include "methods/links.h"
#include "methods/method.h"

typedef struct passes {
  const course *rows;
  const pair_link *phi;
  size_t d;
  double radius;        /* rows are clipped to it */
  double *factor;       /* of a chunk's rows */
  dppair_groups groups; /* all users; count 0: records */
} passes;

/* groups: NULL, or all users, without places. */
dppair_status passes_open(passes *p, const course *rows, const pair_link *phi, size_t d,
                          double radius, const dppair_groups *groups) DPPAIR_MUST_CHECK;
void passes_close(passes *p);

/* g[d]: the gradient at w, released; pass holds the state of sums without order. release: NULL in a
 * process that follows, which is given the same g. */
dppair_status passes_release(double *g, passes *p, dppair_release *release, const double *w,
                             const dppair_options *options) DPPAIR_MUST_CHECK;

#endif /* PASSES_H */
