/* SPDX-License-Identifier: MIT */
/*
 * release.h - one release: what is promised of it, its keys, training on all records, its file.
 *
 * The model file is all that is released. It is written beside its name and takes the name only
 * when it is complete; nothing that exists is ever replaced.
 */
#ifndef RELEASE_H
#define RELEASE_H

#include "support/program.h"
#include "support/sha256.h"

/* What differs between the programs. */
typedef struct release_kind {
  const char *format;    /* the file's first member                                             */
  const char *member;    /* the name of the released numbers                                    */
  int matrix;            /* 1: d rows of d numbers                                              */
  const char *uncovered; /* what the guarantee does not cover besides, with "; " behind, or ""  */
} release_kind;

/* Trains m on all records and writes o->model; returns an exit status. */
int release(const release_kind *kind, const run_options *o, const method *m);

/* The guarantee in words; for an infinite epsilon, and of a repeated release, that there is none.
 * right: as a model claims it; n: units() of the data; most: most_records(). */
enum { GUARANTEE_SIZE = 4096 };
void guarantee(char out[GUARANTEE_SIZE], const release_kind *kind, const run_options *o,
               const method *m, double epsilon, double delta, double right, size_t n, size_t most);
/* How often whoever knows all other records is right at most, in percent, rounded up. right: as a
 * model claims it, or 0: what (epsilon, delta) say. */
double right_percent(double epsilon, double delta, double right);
/* What one has to tell, for what an attacker knows: "all other records", "records was". */
void attack_words(const char **others, const char **which, const run_options *o);
/* What a release under these options would guarantee, after a simulation that spent `spent` for the
 * first epsilon: its account is not that of a release, so nothing but (epsilon, delta) is read. */
void print_promise(const release_kind *kind, const run_options *o, const method *m, const dataset *data,
                   double spent);

#endif /* RELEASE_H */
