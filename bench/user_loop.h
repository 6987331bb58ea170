/* SPDX-License-Identifier: MIT */
/* A user's loss as plain C: the gradient over all pairs as a double loop, and the same with care. */
#ifndef DPPAIR_BENCH_USER_LOOP_H
#define DPPAIR_BENCH_USER_LOOP_H

#include <stddef.h>

/* g = X+^T a + X-^T b by a double loop; room: n numbers for scores, n for coefficients. Compiled with
 * every flag that loops.c gets. */
void user_loop(double *g, const double *x, size_t np, size_t nn, size_t d, const double *w,
               const double *params, double *room);

/* a and b of scores s, positives first, summed in long double, without any of these flags; returns the
 * largest |slope|, NaN where a slope is not a number, and *where: the margin that has it. */
double user_reference(double *a, double *b, double *where, const double *s, size_t np, size_t nn,
                      const double *params);

#endif
