/* SPDX-License-Identifier: MIT */
/*
 * experiment.h - tables of trials: rows are data sets and budgets, columns are methods, and beside
 * each figure may stand the one that a paper prints. run_experiments.c runs them, tables.c lists
 * them.
 */
#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#include "methods/trial.h"

enum { MOST_COLUMNS = 24 };

/* In place of a method: levels of trial_levels, or the figures of an earlier version that
 * data_embedded_before has. */
typedef enum level { LEVEL_NONE, LEVEL_CEILING, LEVEL_ZERO, LEVEL_BEFORE } level;

typedef enum column_noise { MENDED, AS_PRINTED, NOISELESS } column_noise;

typedef struct experiment_column {
  const char *heading;
  const method *method; /* NULL for a level */
  level level;          /* of trial_levels  */
  scale_kind scale;     /* SCALE_RANGES becomes SCALE_ROW where nothing is declared */
  column_noise noise;   /* AS_PRINTED: the table then shows the true epsilon too            */
  const char *loss;
  const char *maps; /* SCALE_MAPS: the shipped file is the data's name, this, and .maps     */
} experiment_column;

typedef struct experiment_row {
  const char *data; /* file name without extension, as in NAME.csv or NAME.libsvm          */
  size_t n;         /* training records; 0: half of the data, of own splits two thirds         */
  int pure;         /* delta = 0, else 1/n                                                 */
  double epsilon;
  double printed[8]; /* what the paper prints for the first columns, in percent; 0: nothing */
} experiment_row;

typedef struct experiment {
  const char *id, *title, *text;
  const char *quantity;                              /* the y axis */
  double (*measure)(const model *m, const split *s); /* NULL: test AUC */
  const experiment_column *columns;
  size_t column_count;
  const experiment_row *rows;
  size_t row_count;
  size_t splits, large_splits, draws; /* large: from 5000 records on */
  int over_n;                         /* pictures over n in place of epsilon */
  /* 1: private_auc's own splits, and the first column against each of the others: split by split,
   * with a sentence for every method that is above it. No pictures. */
  int compare;
} experiment;

/* Ended by NULL. */
extern const experiment *const experiments[];

#endif /* EXPERIMENT_H */
