/* SPDX-License-Identifier: MIT */
/*
 * trial.h - one cell of an experiment: a method at one budget, over random splits and noise draws.
 *
 * Everything is a function of the seed, so a cell can be computed anywhere, any time, in any order.
 * Noise is simulated (keyed by the seed): nothing here is a release.
 */
#ifndef TRIAL_H
#define TRIAL_H

#include "methods/method.h"
#include "support/report.h"

typedef struct trial {
  const dataset *data;
  scale_kind scale;
  size_t n_train, n_test; /* records of a split; n_test = 0: all the others, at most 10000 */
  const method *method;
  settings with;
  double epsilon, delta;
  size_t splits, draws; /* draws: of noise, per split; 0 counts as 1                     */
  uint64_t seed;
  int one_stream; /* the splits of the programs: one generator for all; else each has its own   */
  double *each;   /* room for splits * draws figures of trial_run in their order, or NULL       */
  double (*measure)(const model *m, const split *s); /* NULL: AUC on the test part             */
} trial;

typedef struct outcome {
  summary measured;
  double sigma, epsilon, seconds; /* of the last run; epsilon is what it is proved to satisfy */
  double right;                   /* as the last run's model claims it                        */
  size_t steps;
  char note[640];
} outcome;

/* Runs the cell. The progress bar (or NULL) moves one step per split. */
dppair_status trial_run(outcome *out, const trial *t, progress *bar) DPPAIR_MUST_CHECK;

/* The levels to compare with, over the same splits: a non-private logistic regression on the scaled
 * features, and their plain sum, which uses no labels and no budget. */
dppair_status trial_levels(summary *ceiling, summary *zero_budget,
                           const trial *t) DPPAIR_MUST_CHECK;

/* Trains m on a task without keys, with noise and indices of the run's own, simulated; writes what
 * the run says of itself and adds its time. The caller frees the model, and measures it. */
dppair_status outcome_train(outcome *out, model *fitted, const method *m, const task *t,
                            uint64_t seed, uint64_t run) DPPAIR_MUST_CHECK;

/* AUC of the plain sum of rows->x; s has rows->n numbers. */
double zero_budget_auc(double *s, const records *rows);

int has_both_labels(const records *rows);

#endif /* TRIAL_H */
