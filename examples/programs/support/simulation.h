/* SPDX-License-Identifier: MIT */
/*
 * simulation.h - what the two training programs are made of: a program simulates, over random
 * splits, or releases once; they differ in what they measure and print.
 */
#ifndef SIMULATION_H
#define SIMULATION_H

#include "methods/trial.h"
#include "support/release.h"

/* One run of a program, as it is settled before records are split. */
typedef struct simulation {
  const release_kind *kind;
  const run_options *o;
  const method *m;
  const dataset *data;
  scale_kind scale;
  size_t n_train, n_test, used; /* n_train: training records, or users or queries; n_test: test
                                 * records that are looked at, 0: all; used: splits that counted */
  double delta;
} simulation;

typedef struct program {
  const char *name, *training, *runs; /* the parts of --help that are its own */
  release_kind kind;
  const method *const *methods; /* the first is the default                              */
  int (*knows_loss)(const char *name); /* NULL: each method knows its own */
  int (*simulate)(simulation *s);      /* exit status */
} program;

/* The main function of such a program. */
int program_run(const program *p, int argc, char **argv);
/* The same as one of several processes that train one model (stream.h). */
int program_run_team(const program *p, int argc, char **argv, const stream_team *team);

/* Calls run for every split, with its number; counts where it says that the split was of use.
 * Returns an exit status, after a complaint when that is not 0. */
typedef dppair_status split_run(void *results, simulation *s, const split *part, size_t k);
int simulate_splits(simulation *s, split_run *run, void *results);

/* The members of a line of --json that both have, the brace before them too. */
void print_members(const simulation *s, const outcome *r, size_t budget, int *first);
/* What stands above a table and, notes first, below it. split_words: how records are split. */
void print_heading(const simulation *s, const char *split_words);
/* How often an attacker is right at most at each epsilon, by each run's own certified curve. */
void print_meaning(const simulation *s, const outcome *const notes[]);
void print_ending(const simulation *s, const outcome *const notes[]);

#endif /* SIMULATION_H */
