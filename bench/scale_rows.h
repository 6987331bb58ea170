/* SPDX-License-Identifier: MIT */
/*
 * scale_rows.h - rows made from their number, for measurements over more records than memory holds.
 *
 * Any rank makes any row as often as it likes, with the same bits. Two generators:
 *
 *   philox   Philox4x32 with 7 rounds, the fewest that pass BigCrush (Salmon, Moraes, Dror, Shaw,
 *            "Parallel random numbers: as easy as 1, 2, 3", 2011), 16 blocks for a row of 64
 *            floats: 16 ns where vectors have 512 bits, about what reading it from memory takes
 *   quick    the 32-bit hash "lowbias32" (C. Wellons) of start + step * column, which come from a
 *            product of 64 bits for each row: 5 ns, several times faster than memory, so that
 *            nothing of what is measured disappears behind it. It passes for random here only
 */
#ifndef SCALE_ROWS_H
#define SCALE_ROWS_H

#include <stddef.h>
#include <stdint.h>

enum { SCALE_WIDTH = 64 }; /* numbers of a row */

/* Rows first, first + 1, ..: x_ij = u_ij + middle_j, u uniform in [-1/16, 1/16]. With |middle_j| <=
 * 1/16 no number is above 1/8, so no row is longer than 1. */
void scale_rows(float *x, uint64_t first, size_t n, const float *middle, int quick);

#endif /* SCALE_ROWS_H */
