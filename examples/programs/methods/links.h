/* SPDX-License-Identifier: MIT */
/*
 * links.h - the link functions that the pairwise methods offer by name, each with its pair sums and
 * a bound on what computing the sums costs. What a proof needs to know of a link (its steepest
 * slope, its curvature, whether it is convex) comes from dppair_losses.h.
 */
#ifndef LINKS_H
#define LINKS_H

#include <stddef.h>

#define DPPAIR_WITH_SHARES
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_pointwise.h"
#include "dppair_shares.h"
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair.h"

/* Sums without order of rows, from rows that may come in chunks: NAME_sums_.., _moments_.., _chunk_..,
 * _sum_open, _release_sum. `size` says NO_PROOF where a link has none. */
typedef struct pair_chunks {
  dppair_status (*size)(size_t *bytes, size_t n, double cap); /* of the state, and the state */
  dppair_status (*init)(dppair_fast *f, size_t n, double cap, void *room, size_t bytes);
  dppair_status (*rooms)(size_t *moments, size_t *work, size_t d, const dppair_options *options);
  dppair_status (*open)(dppair_sketch *m, void *room, size_t bytes, const dppair_options *options);
  dppair_status (*moments)(dppair_sketch *m, const dppair_rows_f64 *rows, const double *w,
                           const dppair_options *options);
  dppair_status (*finish)(dppair_sketch *m, const dppair_options *options);
  dppair_status (*sum_open)(dppair_sum *sum, size_t d, double radius, const dppair_options *options,
                            void *room, size_t bytes);
  dppair_status (*sum)(dppair_sum *sum, const dppair_rows_f64 *rows, const double *w,
                       const dppair_sketch *m, const dppair_options *options);
  dppair_status (*release)(double *g, dppair_release *release, const dppair_sum *sum,
                           const double *w, const dppair_options *options);
} pair_chunks;

typedef struct pair_link {
  const char *name;
  dppair_loss loss;
  /* pair sums by the loops over all pairs, and in near-linear time; the workspace of the latter */
  dppair_status (*coeffs)(double *a, double *b, const double *sp, size_t np, const double *sn,
                          size_t nn);
  dppair_status (*fast)(double *a, double *b, const double *sp, size_t np, const double *sn,
                        size_t nn, const dppair_fast *f);
  dppair_status (*fast_size)(size_t *bytes, size_t n, double cap);
  dppair_status (*fast_init)(dppair_fast *f, size_t n, double cap, double *room, size_t bytes);
  /* what computing them adds to a sensitivity; f NULL: the loops */
  dppair_status (*allowance)(double *factor, double *rounding, const dppair_fast *f, size_t n,
                             double radius, double slope);
  /* the mean gradient of a linear score, released, and its workspace: NAME_release, NAME_workspace
   */
  dppair_status (*release)(double *g, dppair_release *release, const dppair_rows_f64 *rows,
                           const double *w, const dppair_options *options);
  dppair_status (*workspace)(size_t *bytes, size_t n, size_t d, const dppair_options *options);
  /* what that release's noise is made of: NAME_release_explain */
  dppair_status (*explain)(dppair_explained *e, const dppair_release *release,
                           const dppair_rows_f64 *rows, const double *w, const dppair_options *options);
  dppair_status (*pointwise)(double *g, dppair_release *release, const dppair_rows_f64 *rows,
                             const double *w, const dppair_histogram *h, double clip,
                             const dppair_options *options); /* NAME_release_pointwise */
  pair_chunks chunks;
  /* the pair sum of a metric, the risk, their workspace, and what the computed sum may be off; NULL
   * where metrics are not offered */
  dppair_status (*metric)(double *g, const double *x, const double *y, size_t n, size_t d,
                          const double *w, double offset, void *room, size_t bytes);
  dppair_status (*metric_risk)(double *risk, const double *x, const double *y, size_t n, size_t d,
                               const double *w, double offset, void *room, size_t bytes);
  dppair_status (*metric_room)(size_t *bytes, size_t n, size_t d);
  dppair_status (*metric_error)(double *error, size_t n, size_t d, double radius, double slope);
} pair_link;

/* The link called name (NULL: fallback), or NULL. */
const pair_link *pair_link_find(const char *name, const char *fallback);

/* 1 if some ranking method has a loss of this name: those above, or pinball (niewang2017). */
int ranking_loss_known(const char *name);

/* sup |phi''| anywhere, rounded up; HUGE_VAL: phi' jumps. */
double pair_link_curvature(const pair_link *phi);
/* The constants of the 'ind' loss of rows of norm at most `radius` at weights of norm at most
 * `norm`; HUGE_VAL: any. */
dppair_status pair_link_constants(dppair_constants *k, const pair_link *phi, double radius,
                                  double norm) DPPAIR_MUST_CHECK;
/* Is the loss of this name convex, and phi' without a jump? Then a step of descent that is short
 * enough brings two iterates no further apart. */
int pair_link_is_smooth(const char *name);

/*
 * A link's coefficients over at most n records with scores in [-cap, cap]: by the pair loops, or
 * from 1024 records on in near-linear time. Both limits are public numbers. Zeroed, it is loops.
 *
 * Why a proof of sensitivity covers what is computed. A score is a function of w and of its own
 * row, so a pair of unchanged records has the same two scores on both data sets, and hence the same
 * slope K(s, s'): K is what a route adds up, a fixed function of the two scores. The loops and the
 * sorted sums of piecewise linear slopes have phi' itself, to a few units in the last place. The
 * box method has |K - phi'| <= E, its interpolation error on a grid that stands in score
 * coordinates, not on the data. A proof that knows of the slope only the interval it lies in, of
 * length r, therefore holds for the exact sum of K with r + 2E in place of r. What is left is how
 * far the computed sum is from the exact sum of K, on each of the two data sets.
 *
 * Proofs that compare runs at different w (a convex, smooth risk contracts) are about the exact
 * gradient. There the computed one is, on each side, within E times the sum of |x_i - x_j| plus the
 * same rounding.
 */
enum { FAST_FROM = 1024 };
typedef struct pair_sums {
  const pair_link *phi;
  dppair_fast fast; /* kind 0: loops */
  double *room;     /* of fast       */
  int order_free;   /* 1: sums without order of rows, where the link has them */
} pair_sums;

/* Makes room for scores up to cap; cheap when there is room already. Caps beyond 10^5 are left to
 * the loops. The link, n and order_free stay the same from call to call. */
dppair_status pair_sums_reach(pair_sums *s, const pair_link *phi, size_t n,
                              double cap) DPPAIR_MUST_CHECK;
void pair_sums_free(pair_sums *s);

/* dSUM/dsp_i and dSUM/dsn_j. */
dppair_status pair_sums_coeffs(double *a, double *b, const double *sp, size_t np, const double *sn,
                               size_t nn, const pair_sums *s) DPPAIR_MUST_CHECK;

/* *range = 2E; *rounding = twice the largest distance of the computed gradient X^T c of the SUM
 * over n records of norm at most radius from that of the exact sum of K. slope: sup |phi'|. */
dppair_status pair_sums_allowance(double *range, double *rounding, const pair_sums *s, size_t n,
                                  double radius, double slope) DPPAIR_MUST_CHECK;

#endif /* LINKS_H */
