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

/*
 * Methods whose proof is another than "each release moves by at most what its plan says" tell which
 * it is; everything else is checked as ever.
 *
 *   parallel   each record is seen by the releases of one account alone: a claim is about each
 *              account, not about their sum
 *   total      what single releases may move by, and which charges pay for them, says nothing; the
 *              claim is about what distances and scales of the run come to, of which `largest` is
 *              then the share
 *   runs       the best of a random number of runs leaves, one account each, and one that is
 *              charged for all of them comes last (dppair_selection_epsilon): the claim is about
 *              that one, and what it must be is computed once more
 *   largest    of the index-th noise only the place of the largest number is published: no number
 *              moves by more than half of the sensitivity (report noisy max)
 */
void audit_in_parallel(void);
void audit_by_total(void);
void audit_of_runs(void);
void audit_of_largest(size_t index);

/* A release with a proof of its own: what is told between begin and end is covered by it. It tells
 * the n numbers that stand for it: on the neighbour, those that give the RECORDED output. They may
 * move by `allowed`, and their noise has this scale; pure: that of the l2 mechanism, or a bound of
 * the loss itself where the scale is 1. What else the proof asks for it checks and tells. */
void audit_proof_begin(void);
void audit_proof_moves(const double *v, size_t n, double scale, double allowed, int pure);
void audit_proof_end(void);
void audit_tell(audit_finding finding, const char *format, ...);
/* The minimiser of a perturbed fit: fits.c does all that for it when the library tells of one.
 * What it tells is held against the charge. */
typedef struct audit_fit {
  double slope, curvature; /* the most that one record has of the gradient and of the Hessian */
  double ridge, scale;     /* of the objective, and of the noise of b */
  double hidden, output;   /* what the solver may be off by, twice, and the noise that hides it */
  double pure;             /* 0 or 1 */
} audit_fit;
struct dppair_event;
struct dppair_release;
void audit_fitted_event(const struct dppair_event *event);
void audit_fit_tell(const audit_fit *fit, const struct dppair_release *release);
double audit_scale(size_t back); /* of the noise that audit_added tells of */
/* Between 1 and 0: noise that nobody sees, which both sides have alike; its output is not put in
 * place. Only within a proof of its own. */
void audit_unseen(int unseen);
/* The n numbers to which the `back`-th last noise was added on D (0: the last), or what came out.
 * 0 where there are none. */
int audit_added(double *v, size_t n, size_t back, int after);

/* Where it is set, it is told each event in place of the recorder. */
struct dppair_event;
extern int (*audit_listener)(struct dppair_event *event);

/* The name of a finding, as tables print it. */
const char *audit_finding_name(audit_finding finding);

/*
 * Programs run as processes. AUDIT_RECORD names the file to which their events are written, and
 * AUDIT_REPLAY, on the neighbour, the file whose outputs are put in place; AUDIT_KEYS says that
 * keys are given, AUDIT_SIDE which side it is, for audit_side() of hook.h. audit_compare compares
 * the two files; with a stated epsilon > 0, for all charges of the run. 0 when one cannot be read.
 */
int audit_compare(audit_report *report, const char *record, const char *neighbour, double epsilon,
                  double delta, int adjacency);
/* Afterwards: does a text that the program on D writes tell keys or draws that are secret? */
void audit_text(audit_report *report, const char *text, size_t size);
/* Adds a finding of the caller's own. */
void audit_found(audit_report *report, audit_finding finding, const char *format, ...);

#endif /* AUDIT_REPLAY_H */
