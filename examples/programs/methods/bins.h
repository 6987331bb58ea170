/* SPDX-License-Identifier: MIT */
/*
 * bins.h - declared columns as cells, their private marginals, and scores that are a sum of one
 * share a column.
 *
 * A TERM is a numeric column, a flag, or all columns of a group. Every record is in one of its
 * cells: a cell of the range, unset or set, the first column that is set or none.
 */
#ifndef BINS_H
#define BINS_H

#include "methods/method.h"

typedef struct bin_term {
  feature_kind kind;
  size_t cells, start; /* start: of its cells among all */
  size_t column;       /* a numeric column or a flag */
  dppair_cells grid;   /* of a numeric column */
} bin_term;

typedef struct bins {
  dppair_marginals query;
  dppair_column *column;    /* d, as in the query */
  size_t *begin;            /* d + 2: of dppair_marginals_layout */
  size_t d, n, terms, size; /* size: of all terms' cells */
  bin_term *term;           /* at most d */
  size_t *of, *cell;        /* d each: a column's term; the cell of a record that has it set */
  double *v;                /* the noisy marginals, */
  double sd;                /* the deviation of each, */
  double rate;              /* and the share of positives that they show */
} bins;

/* by_class: what the marginals count for positives and for negatives by themselves. */
dppair_status bins_make(bins *b, const task *t, int by_class) DPPAIR_MUST_CHECK;
void bins_free(bins *b);

/* Releases the marginals and the number of positives by a plan of its own, at mu or (delta = 0)
 * epsilon = budget of what s may spend. */
dppair_status bins_release(bins *b, spending *s, double budget) DPPAIR_MUST_CHECK;

/* at[terms]: the record's cells, each counted from the term's first. */
void bins_of(size_t *at, const bins *b, const double *row);

/* share[size]: of the records, in each cell; all positive, a term's add up to 1. */
dppair_status bins_shares(double *share, const bins *b) DPPAIR_MUST_CHECK;

/* contrast[size], of marginals by class: the share of positives that are in a cell less that of
 * negatives, as far as it stands out of the noise. */
dppair_status bins_contrasts(double *contrast, const double *share,
                             const bins *b) DPPAIR_MUST_CHECK;

/* The score that adds, for every term, value[start + cell]: linear between the middles of a numeric
 * column's cells, constant outside. All of it is theta, and released. */
dppair_status bins_model(model *out, const bins *b, const double *value) DPPAIR_MUST_CHECK;

#endif /* BINS_H */
