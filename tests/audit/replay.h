/* SPDX-License-Identifier: MIT */
/*
 * replay.h - an audit of a program's privacy without statistics.
 *
 * A run on data D is recorded. The run on a neighbour of D is then made with the same keys and with
 * every recorded output and draw in place, so that all that differs is what noise would have been
 * added to. Subtracted, that is the exact distance by which each release moved. Whatever else
 * differs has left the program without noise.
 *
 * A subject is a function that is called for side 0, D, and for side 1, the neighbour. It is
 * compiled with hook.h, so that the library tells replay.c what it does; what it publishes beside
 * releases and what it states it tells itself. One audit runs at a time, in one thread.
 */
#ifndef AUDIT_REPLAY_H
#define AUDIT_REPLAY_H

#include <stddef.h>

typedef enum audit_finding {
  AUDIT_DISTANCE, /* a release moves further than it declares, or than was charged for it */
  AUDIT_FLOW,     /* other events, laws, sizes, order or draws on the neighbour */
  AUDIT_SCALE,    /* noise below multiplier x sensitivity, or of a scale that depends on data */
  AUDIT_CHARGE,   /* charges differ between neighbours, or are about another draw */
  AUDIT_UNPAID,   /* noise without a charge, or more releases than were paid for */
  AUDIT_CLAIM,    /* it states less than its account certifies, or than distances come to */
  AUDIT_OUTPUT,   /* what it publishes beside its releases differs on the neighbour */
  AUDIT_NOISE,    /* noise twice, none, of keys that are not the system's; a draw that is none */
  AUDIT_FINDINGS
} audit_finding;

typedef struct audit_report {
  unsigned found;                     /* a bit, 1 << finding, for each */
  char sentence[AUDIT_FINDINGS][240]; /* the first of each finding, with numbers */
  size_t events, releases, draws, charges;
  double largest; /* distance / what was charged for it, over all releases */
  size_t at;      /* which of them has it, from 0 */
  double mu;      /* what the Gaussian releases come to at these distances and scales; 0 where one
                   * is of drawn records */
  double pure;    /* the same, of Laplace and l2 noise: epsilon */
} audit_report;

/* Runs both sides and compares. */
typedef int (*audit_run)(void *context, int side);
void audit_replay(audit_report *report, audit_run run, void *context);

/* What a subject calls, on both sides alike. Published: bytes that leave the program beside its
 * releases (its return value counts too). A claim: (epsilon, delta) for the charges of `account`,
 * or NULL for all charges of the run; adjacency: a dppair_adjacency, or 0. Keys that the subject is
 * given are then nobody's finding: only for subjects whose keys are not what is audited. */
void audit_publish(const void *bytes, size_t size);
void audit_claim(const void *account, double epsilon, double delta, int adjacency);
void audit_differs(size_t index); /* which record differs: batches without it may not move */
void audit_keys_are_given(void);

/* The name of a finding, as tables print it. */
const char *audit_finding_name(audit_finding finding);

/*
 * Programs run as processes. AUDIT_RECORD names the file to which their events are written, and
 * AUDIT_REPLAY, on the neighbour, the file whose outputs are put in place. audit_compare compares
 * the two files; with a stated epsilon > 0, for all charges of the run. 0 when one cannot be read.
 */
int audit_compare(audit_report *report, const char *record, const char *neighbour, double epsilon,
                  double delta, int adjacency);
/* Adds a finding of the caller's own. */
void audit_found(audit_report *report, audit_finding finding, const char *format, ...);

#endif /* AUDIT_REPLAY_H */
