/* SPDX-License-Identifier: MIT */
/* methods.h - every method of examples/programs/methods/ on worst-case neighbours. */
#ifndef AUDIT_METHODS_H
#define AUDIT_METHODS_H

#include "replay.h"

/* How a method is run: within its budget, at delta = 0, or with the noise that its paper prints,
 * audited against what the paper claims for it. */
typedef enum audit_way { WAY_BUDGET, WAY_PURE, WAY_PRINTED, WAY_PRINTED_PURE, WAYS } audit_way;

typedef struct audit_case {
  char name[64]; /* as --method calls it, "metric " before those of metrics */
  audit_way way;
  const char *what; /* how it is run, in words */
  size_t n, steps;  /* records; 0 steps: the method's own choice */
  double epsilon, delta;
  int proof; /* a sum of PROOF_ values: whose claim is not about single releases of one account */
  int red;   /* it claims what is not so, which the audit must find */
  double floor; /* the least distance / sensitivity that must be reached */
} audit_case;

/* OF_: what is protected beside single records; two records then belong together. */
enum {
  PROOF_BY_TOTAL = 1,
  PROOF_IN_PARALLEL = 2,
  PROOF_BY_VOTES = 4,
  OF_PERSONS = 8,
  OF_QUERIES = 16,
  OF_RECORDS_IN_QUERIES = 32,
  PROOF_OF_RUNS = 64
};

/* The index-th case; 0 when there are no more. */
int audit_case_at(audit_case *out, size_t index);

/* The worst of the worst cases and of `search` changes to them: the largest distance, and all that
 * is found. *replays: how many pairs were run; 0 when the method cannot be run so. brief: few. */
void audit_case_run(audit_report *worst, size_t *replays, const audit_case *which, size_t search,
                    int brief);

#endif /* AUDIT_METHODS_H */
