/* SPDX-License-Identifier: MIT */
/*
 * canaries.h - a statistical audit: what is shown of epsilon by runs on two neighbouring data sets.
 *
 * A canary is a mechanism, two neighbours that it should tell apart as well as its claim allows,
 * and a number that is computed from what it releases: the logarithm of the ratio of its two
 * densities, or for a Gaussian the projection on the direction of its shift. What is shown is a
 * property of the events {number > t} and {number < t}, whatever the number is; a bad choice shows
 * less, never more.
 *
 *   events   the best event is chosen on the first half of the runs and counted on the other half:
 *            epsilon >= ln((p - delta)/q), p and q by Clopper-Pearson
 *   exact    where the number is Gaussian on both sides: mu by chi-square and normal bounds, then
 *            epsilon by the exact curve; where it is the ratio of known densities: the chance
 *            delta(epsilon) = E(1 - e^(epsilon - number))_+ by Clopper-Pearson
 *
 * The events assume nothing. The others take noise for what it is claimed to be but for its scale
 * (Gaussian), or altogether (densities), and see smaller deltas and fewer runs.
 *
 * Each bound is wrong with probability 1e-4 at most. Keys are fixed: a table is the same each time.
 */
#ifndef CANARIES_H
#define CANARIES_H

#include <stddef.h>
#include <stdint.h>

#include "replay.h"

enum { ANY_NUMBER, NORMAL_NUMBER, RATIO_NUMBER };

typedef struct canary canary;
struct canary {
  const char *name, *neighbours;
  double epsilon, delta; /* what is asked for */
  size_t quick, full;    /* runs on each side; quick = 0: not then */
  int number;            /* what is known of the number, beside its being one */
  double floor;          /* the least of audited/claimed; 0: as a paper prints it, more than 1 */
  /* Writes the numbers of runs first .. first + count - 1 on side 0 or 1, and what is claimed of
   * them; the same run has the same noise on both sides. 0, or an error. */
  int (*run)(double *out, size_t count, int side, uint64_t first, canary *c);
  const void *data;
  const char *remark; /* what the rest is lost to */
  double claimed;
};

/* Ended by one without a name. */
extern canary canaries_of_noise[], canaries_of_plans[], canaries_of_methods[], canaries_of_papers[];

/* The table of one run with many coins; 0 when a bound is above its claim or below its floor. */
int canaries_one_run(int quick);

/* 32 bytes that are a function of a name and a number: keys of simulated noise. */
void canary_key(uint8_t key[32], const char *name, uint64_t number);

/* log(e^a + e^b) */
double log_sum(double a, double b);

/* All of it: --canaries [WORD] [--runs N] [--quick]; WORD: the rows whose names contain it. */
int audit_canaries(int argc, char **argv);

#endif /* CANARIES_H */
