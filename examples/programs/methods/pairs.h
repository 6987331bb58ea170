/* SPDX-License-Identifier: MIT */
/*
 * pairs.h - pairwise problems, as the papers state them, with every constant that their privacy
 * proofs need: the mean over ordered pairs of a convex or non-convex loss of one margin, ranking or
 * metric learning, on clipped rows and a ball of parameters.
 *
 *   RANK_DIFF    phi((y - y') w.(x - x'))                       y, y' = -1 or +1
 *   RANK_IND     phi(w.(x - x')) 1[y = 1, y' = -1]
 *   METRIC       phi(y y' (b - (x - x')^T W (x - x')))          W positive semidefinite; b = 1, or
 *                                                               0 for the hinge
 *
 * A metric's W is held as the d(d+1)/2 coordinates of an orthonormal basis of the symmetric
 * matrices (off-diagonals times sqrt 2), so that the l2 norm of w is the Frobenius norm of W, noise
 * needs no more coordinates than are released, and every algorithm is written once, for vectors.
 */
#ifndef PAIRS_H
#define PAIRS_H

#include "methods/links.h"
#include "methods/method.h"

typedef enum pair_kind { RANK_DIFF, RANK_IND, METRIC } pair_kind;

/* What the parameters are held in: a ball of radius `bound` of the l2 (Frobenius) norm, or for a
 * metric of the nuclear norm; and a metric always in the positive semidefinite cone. */
typedef enum pair_norm { NORM_L2, NORM_NUCLEAR } pair_norm;

typedef struct pairs {
  pair_kind kind;
  pair_norm norm;
  const pair_link *phi;
  size_t n, d, size;    /* records, features, coordinates of w                              */
  double *x, *y;        /* n clipped rows, labels; in a random order drawn from task.indices */
  double radius, bound; /* rows are in the ball R; w in the ball B, or 0: anywhere           */
  double lambda;        /* (lambda/2)|w|^2 is added to the risk                              */
  double offset;        /* b of a metric                                                     */

  /* Constants of one pair's loss without the regulariser (which is the same on both data sets). */
  double lipschitz;    /* G = sup |grad l(z, z')|                                           */
  double smoothness;   /* L: grad l is L-Lipschitz; HUGE_VAL when it jumps                  */
  double spread;       /* diameter of {grad l(z, z')} over one record, the other held       */
  double spread_both;  /* the same for the mean of both orders, (l(z, z') + l(z', z))/2     */
  double slope;        /* sup |phi'|                                                        */
  double *work, *room; /* what is allocated                                                 */
  size_t room_bytes;
  pair_sums sums; /* of ranking                                                        */
} pairs;

/* Sets up the training problem of a task. DOMAIN for an unknown loss; NO_PROOF when the loss has no
 * finite gradient bound (an unbounded slope needs a ball of parameters). */
dppair_status pairs_open(pairs *p, const task *t, pair_kind kind, pair_norm norm, double bound,
                         const pair_link *phi) DPPAIR_MUST_CHECK;
void pairs_close(pairs *p);

/* Ranking at parameters of norm up to `norm`, a public number; pairs_open does it for the bound. */
dppair_status pairs_reach(pairs *p, double norm) DPPAIR_MUST_CHECK;

/* Narrows the gradients' constants (not smoothness) to parameters of norm up to `norm`, a public
 * number; the ball stays as it is. */
dppair_status pairs_within(pairs *p, double norm) DPPAIR_MUST_CHECK;
/* The same for what `steps` projected steps of size eta along (regularised) gradients can reach
 * from parameters of norm `start`: that and eta G a step, where G shrinks with the reach. */
dppair_status pairs_travel(pairs *p, double start, double eta, size_t steps) DPPAIR_MUST_CHECK;

/* g = gradient at w of the mean over the ordered pairs among records first .. first+count-1, plus
 * lambda w. count >= 2. */
dppair_status pairs_gradient(double *g, const pairs *p, const double *w, size_t first,
                             size_t count) DPPAIR_MUST_CHECK;
/* A ranking gradient over the pairs with both ends active, still divided by n(n-1); no lambda. */
dppair_status pairs_active_gradient(double *g, const pairs *p, const double *w,
                                    const unsigned char *active) DPPAIR_MUST_CHECK;
/* How long the mean of a record's two gradients with any partner can be, logistic 'ind' loss,
 * rounded up: (|x| + R)/2 sigmoid(R |w| - y w.x), where margin = y w.x. */
double pairs_individual(const pairs *p, double x_norm, double w_norm, double margin);
/* The same sum's value, all records: reads the data, covered by no guarantee. */
dppair_status pairs_risk(double *risk, const pairs *p, const double *w) DPPAIR_MUST_CHECK;

/* One record against others: g += sum over j < count of weight[j] >= 0 times the subgradient of
 * l(w; z_i, z_(first+j)); s is room for count numbers. */
dppair_status pairs_online(double *g, const pairs *p, const double *w, size_t i, size_t first,
                           const double *weight, size_t count, double *s) DPPAIR_MUST_CHECK;

/* w onto the parameter set; nothing when there is none. */
dppair_status pairs_project(double *w, const pairs *p) DPPAIR_MUST_CHECK;

/*
 * How far the COMPUTED mean gradient over `count` records moves when one of them is replaced:
 * 2 spread_both/count for the exact one, and what computing it adds (links.h for ranking, the
 * certified error of the tiles for a metric: in both a pair of unchanged records has the same
 * computed slope on both data sets, so the exact proof holds for the computed slopes, and only sums
 * round).
 */
dppair_status pairs_move(double *move, const pairs *p, size_t count) DPPAIR_MUST_CHECK;
/* g = pairs_gradient over all records, released: the next of the plan that is open on s. Its
 * sensitivity is that at the RELEASED w, whose norm bounds the slopes; the regulariser is public. */
dppair_status pairs_gradient_release(double *g, pairs *p, const double *w,
                                     spending *s) DPPAIR_MUST_CHECK;
/* What computing can add to the distance of two runs in one projected step of size eta along the
 * gradient of `count` records, of a loss that is smooth. */
double pairs_rounding(const pairs *p, double eta, size_t count);
/* At most `wanted` steps over `count` records, fewer (at least one) where that would take long: a
 * function of sizes only. */
size_t pairs_affordable(const pairs *p, size_t count, size_t wanted);

/* Releases w into the model: noise is in, W is unpacked for a metric. */
dppair_status pairs_release(model *out, const pairs *p, const double *w) DPPAIR_MUST_CHECK;

/* Packed coordinates to a full d x d matrix and back (the symmetric part). */
void matrix_unpack(double *full, const double *packed, size_t d);
void matrix_pack(double *packed, const double *full, size_t d);

/* The method gd, spending mu of a budget; 0: all of it. Makes no claim. */
dppair_status gd_train(model *out, spending *s, const task *t, double mu) DPPAIR_MUST_CHECK;

#endif /* PAIRS_H */
