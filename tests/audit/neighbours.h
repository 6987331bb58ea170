/* SPDX-License-Identifier: MIT */
/* neighbours.h - pairs of small data sets that differ in one record: those at which sensitivities
 * are attained, and a search around them. */
#ifndef AUDIT_NEIGHBOURS_H
#define AUDIT_NEIGHBOURS_H

#include <stddef.h>
#include <stdint.h>

enum { NEIGHBOURS_RECORDS = 256, NEIGHBOURS_COLUMNS = 4, NEIGHBOURS_WORST = 168 };

/* n records of d columns, each number in [-1, 1], labels -1 or +1. On the neighbour the record `at`
 * is (other, other_y). */
typedef struct neighbours {
  size_t n, d, at;
  double x[NEIGHBOURS_RECORDS * NEIGHBOURS_COLUMNS], y[NEIGHBOURS_RECORDS];
  double other[NEIGHBOURS_COLUMNS], other_y;
} neighbours;

/* Number `which` < NEIGHBOURS_WORST of the worst cases: everybody at one edge, at both, at the
 * origin, of one class or of two, and a record that goes from one edge to the other, turns its
 * label, or both, at the first, the middle or the last place. */
void neighbours_worst(neighbours *out, size_t which, size_t n, size_t d);

/* Changes a number, a label or the place, or makes many alike. */
void neighbours_change(neighbours *pair, uint64_t *random);

/* The data of a side: x has n * d numbers, y has n. */
void neighbours_side(double *x, double *y, const neighbours *pair, int side);

#endif /* AUDIT_NEIGHBOURS_H */
