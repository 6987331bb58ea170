/* SPDX-License-Identifier: MIT */
/*
 * team.h - ranks of one MPI job that train one model together.
 *
 * What travels is sums without order (integers of 128 bits, which add up to the same bits however
 * they meet) and what rank 0 has decided. No record, score or pair leaves its rank.
 *
 * A failure of one rank ends all of them: MPI has no way on without it, and a release that is half
 * done must not be finished by others. What was released before is kept by rank 0's checkpoint.
 */
#ifndef TEAM_H
#define TEAM_H

#include <stddef.h>
#include <stdint.h>

typedef struct team {
  size_t rank, ranks;
  double waited;  /* seconds inside of the functions below, this rank's     */
  uint64_t moved; /* bytes that this rank handed to them                    */
} team;

/* Joins the job; 0 after a complaint. Options of MPI are taken out of the command line. */
int team_open(team *t, int *argc, char ***argv);
/* Leaves the job and returns the exit status of this rank, whose own is `code`. Where that is not 0
 * and other ranks go on, it ends all of them and does not return. */
int team_close(team *t, int code);

/* words: `count` integers of 128 bits (low, high). Afterwards every rank has their sum over the
 * ranks, modulo 2^128. 0 after a complaint. */
int team_add(void *t, uint64_t *words, size_t count);
/* The same on rank 0 only; on others words may hold anything afterwards. */
int team_gather(void *t, uint64_t *words, size_t count);
/* Rank 0's bytes, on every rank. 0 after a complaint. */
int team_share(void *t, void *bytes, size_t size);
/* 1 where all ranks have the same bytes; else 0, and rank 0 names a rank that differs, in `what`. */
int team_agree(void *t, const void *bytes, size_t size, const char *what);
/* Sends `size` bytes to the rank after this one and receives as many from the rank before it, in a
 * ring; the arrays do not overlap. 0 after a complaint. */
int team_turn(void *t, void *into, const void *from, size_t size);
/* Waits for all. */
int team_wait(void *t);

#endif /* TEAM_H */
