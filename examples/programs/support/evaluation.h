/* SPDX-License-Identifier: MIT */
/*
 * evaluation.h - what the programs that evaluate privately share: one plan of one release, paid
 * before a record is read, its line in a ledger, and what is said about an answer.
 */
#ifndef EVALUATION_H
#define EVALUATION_H

#include "methods/method.h"

#include "dppair_evaluation.h"

/* An evaluation that is paid for. It stays where it is until evaluation_close. */
typedef struct evaluation {
  double epsilon, delta; /* of this evaluation; 0 where its noise needs no delta */
  size_t n;
  dppair_accountant account;
  dppair_release release;
  int gaussian;
  const char *ledger; /* its file, or NULL */
} evaluation;

/* Pays for one evaluation of n records, a line in the ledger first, where there is one: a file that
 * is made or that other evaluations and plans about one replaced record have written. failure: the
 * probability, below delta, that its test may pass wrongly (partial AUC), or 0. law 0: that of the
 * least noise, Laplace's, which needs no delta, or the Gaussian. Returns an exit status, after a
 * complaint when that is not 0. */
int evaluation_open(evaluation *e, size_t n, double epsilon, double delta, double failure,
                    dppair_mechanism_kind law, const char *ledger);
void evaluation_close(evaluation *e);

typedef enum measure { AUC, PAUC, ROC, KENDALL, RISK, MEASURES } measure;

/* What is asked for. Zeroed: the AUC. */
typedef struct question {
  measure what;
  dppair_evaluate_options with;
  double rate, cap; /* of PAUC; of RISK */
  dppair_evaluate_loss loss;
  const double *thresholds; /* of ROC */
  size_t count;
} question;

/* The paid answer about scores s[n] and labels y[n]; points[count] for ROC only. Returns an exit
 * status, after a complaint when that is not 0. */
int evaluation_answer(dppair_evaluation *v, dppair_roc_point *points, evaluation *e,
                      const question *q, const double *s, const double *y);

/* Scores the test records with a model that other records made, and prints their AUC, paid for by
 * epsilon of an account of their own. Returns an exit status. */
int evaluate_model(const model *fitted, const dataset *test, scale_kind scale, const char *name,
                   double epsilon, int quiet);

/* In words, on stdout: the figure, called so, with its interval; whether that is about the
 * population or about these records; the noise; what was spent. */
void print_interval(const char *name, const dppair_evaluation *v, double confidence);
void print_population(size_t n, double confidence);
void print_noise(const evaluation *e, const dppair_evaluation *v, int counted);
void print_spent(const evaluation *e, const char *also_public);

#endif /* EVALUATION_H */
