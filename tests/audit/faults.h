/* SPDX-License-Identifier: MIT */
/*
 * faults.h - programs with one mistake each, which the audit must find; and the same programs
 * without it, which it must pass.
 *
 * A program is a function of a row of the table: `fault` says which mistake it makes, 0 none, and
 * `data` which records its two sides have. All are a few records and a few steps, but whole: what
 * is read, drawn, charged, released, published and stated.
 */
#ifndef AUDIT_FAULTS_H
#define AUDIT_FAULTS_H

#include "replay.h"

#define DPPAIR_WITH_SHARES
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_filters.h"
#include "dppair_pointwise.h"
#include "dppair_iterates.h"
#include "dppair_papers.h"
#include "dppair_selection.h"
#include "dppair_metric.h"
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#include "../support/questions.h"


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct audit_fault {
  audit_run run;
  const char *program;
  int fault, data;
  unsigned expected;  /* findings of which one is the mistake's; 0: nothing must be found */
  const char *source; /* who printed it; "" where nobody did */
  const char *wrong;  /* what the mistake is */
} audit_fault;

#define DISTANCE (1u << AUDIT_DISTANCE)
#define FLOW (1u << AUDIT_FLOW)
#define SCALE (1u << AUDIT_SCALE)
#define CHARGE (1u << AUDIT_CHARGE)
#define UNPAID (1u << AUDIT_UNPAID)
#define CLAIM (1u << AUDIT_CLAIM)
#define OUTPUT (1u << AUDIT_OUTPUT)
#define NOISE (1u << AUDIT_NOISE)

/* A program that cannot go on proves nothing: the table says so. */
static const char *faults_broken;
#define MUST(call)                                                                                 \
  do {                                                                                             \
    const dppair_status must_ = (call);                                                            \
    if (must_ != DPPAIR_OK) return faults_stop(#call, must_);                                      \
  } while (0)
static int faults_stop(const char *call, dppair_status status) {
  static char text[200];
  snprintf(text, sizeof text, "%.120s: %.60s", call, dppair_status_string(status));
  faults_broken = text;
  return 1;
}

/* --- records ---------------------------------------------------------------------------------- */

enum { N = 8, D = 2 };
static const double EPSILON = 1.0, DELTA = 1e-3;

/* Record 0 is another one on side 1. */
typedef struct records {
  double x[N][D];
  int positive[N];
} records;

enum {
  FAR,       /* the only positive is turned around, the rest is 0: the proofs are attained there */
  FLIPPED,   /* it becomes a negative, so that only negatives are left */
  ONE_CLASS, /* all are positives */
  EQUAL,     /* all rows are equal, and the one positive becomes a negative */
  TIES,      /* two values, each in both classes; one record goes from one to the other */
  ZEROS,     /* all rows are 0 but one */
  LONG,      /* it becomes 1e300 long */
  SHORT,     /* it becomes a tenth as long */
  GROUPS,    /* half are positives at e, the rest negatives at -e: it goes over to them */
  RELABELLED /* TIES, and it changes its label only */
};
enum { HARD = RELABELLED + 1 };

static records records_of(int data, int side) {
  records r;
  memset(&r, 0, sizeof r);
  r.positive[0] = 1;
  r.x[0][0] = side ? -1.0 : 1.0;
  switch (data) {
  case FLIPPED:
    r.x[0][0] = 1.0, r.positive[0] = !side;
    break;
  case EQUAL:
    r.positive[0] = !side;
    break;
  case RELABELLED:
    r.x[0][0] = 1.0, r.positive[0] = !side;
    break;
  case ZEROS:
    r.x[0][0] = side ? 1.0 : 0.0;
    break;
  case LONG:
    r.x[0][0] = side ? -1e300 : 1.0;
    break;
  case SHORT:
    r.x[0][0] = side ? 0.1 : 1.0;
    break;
  default:
    break;
  }
  for (int i = data == EQUAL ? 0 : 1; i < N; i++) {
    if (data == ONE_CLASS) r.positive[i] = 1;
    if (data == TIES || data == RELABELLED) r.positive[i] = i % 2;
    if (data == GROUPS) r.positive[i] = i < N / 2;
    if (data == EQUAL) r.x[i][0] = 0.6, r.x[i][1] = 0.8;
    if (data == TIES || data == RELABELLED) r.x[i][0] = i < N / 2 ? 1.0 : -1.0;
    if (data == GROUPS) r.x[i][0] = i < N / 2 ? 1.0 : -1.0;
  }
  return r;
}

/* A block of rows has its positives first. */
static size_t arrange(records *r) {
  records from = *r;
  size_t at = 0;
  for (int positive = 1; positive >= 0; positive--)
    for (int i = 0; i < N; i++)
      if (from.positive[i] == positive) {
        memcpy(r->x[at], from.x[i], sizeof r->x[at]);
        r->positive[at++] = positive;
      }
  for (at = 0; at < N && r->positive[at]; at++) continue;
  return at;
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1]; }
static double length(const double *a) { return sqrt(dot(a, a)); }
static double sigmoid(double u) { return 1.0 / (1.0 + exp(-u)); }

/* The share of pairs in order: a figure of the data. */
static double auc_of(const records *r, const double *w) {
  double right = 0.0, pairs = 0.0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (r->positive[i] && !r->positive[j]) {
        const double u = dot(w, r->x[i]) - dot(w, r->x[j]);
        right += u > 0.0 ? 1.0 : u < 0.0 ? 0.0 : 0.5;
        pairs += 1.0;
      }
  return pairs > 0.0 ? right / pairs : 0.5;
}

/* The rest of a correct program: it publishes w and states what its account certifies. */
static int finish(const dppair_accountant *account, const double *w, size_t size, double delta) {
  double epsilon;
  MUST(answer_epsilon(&epsilon, account, delta));
  audit_publish(w, size * sizeof *w);
  audit_claim(account, epsilon, delta, (int)account->adjacency);
  return 0;
}

#endif /* AUDIT_FAULTS_H */
