/* SPDX-License-Identifier: MIT */
/*
 * histogram-bayes: naive Bayes on private histograms of both classes.
 *
 *   score(x) = sum over terms of log(p+(cell)/p-(cell))
 *
 * One release: the marginals of every column by class, and the number of positives (bins.h,
 * dppair_release_marginals). A replaced record, label and all, leaves one cell of one class in each
 * term and enters one: at most 2 in l1 and in squared l2, and the weight of the label's count.
 *
 * Everything else is post-processing. With r the share of positives and p the share of all records
 * in a cell, p+ = p + (1 - r) e and p- = p - r e, where e = p+ - p-: of p and e the release's own
 * noise says how much to believe.
 */
#include <math.h>
#include <stdlib.h>

#include "methods/bins.h"

static const double rarest = .05; /* of the share of all: that of a class in a cell, at least */

static dppair_status log_ratios(double *value, const bins *b) {
  double *share = malloc(b->size * sizeof *share);
  size_t k;
  dppair_status status = share == NULL ? DPPAIR_ERR_OVERFLOW : bins_shares(share, b);
  if (status == DPPAIR_OK) status = bins_contrasts(value, share, b);
  for (k = 0; k < b->size && status == DPPAIR_OK; k++)
    value[k] = log(fmax(share[k] + (1 - b->rate) * value[k], rarest * share[k]) /
                   fmax(share[k] - b->rate * value[k], rarest * share[k]));
  free(share);
  return status;
}

static dppair_status train(model *out, const task *t) {
  double budget = t->epsilon, *value = NULL;
  bins b;
  spending s;
  dppair_status status = bins_make(&b, t, 1);
  if (status == DPPAIR_OK) status = spending_begin(&s, t);
  if (status == DPPAIR_OK && t->delta > 0) status = task_mu(&budget, t);
  if (status == DPPAIR_OK && (value = malloc(b.size * sizeof *value)) == NULL)
    status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) status = bins_release(&b, &s, budget);
  if (status == DPPAIR_OK) status = log_ratios(value, &b);
  if (status == DPPAIR_OK) status = bins_model(out, &b, value);
  if (status == DPPAIR_OK) status = spend_claim(out, &s);
  out->steps = 1;
  spending_end(&s);
  bins_free(&b);
  free(value);
  return status;
}

const method method_histogram_bayes = {"histogram-bayes",
                                       "naive Bayes on private histograms of both classes",
                                       "a share of the score for every cell of every column",
                                       OFFERS_PURE,
                                       1,
                                       train};
