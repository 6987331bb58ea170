/* SPDX-License-Identifier: MIT */
/*
 * utility_bounds.h - what the papers' utility theorems come to in numbers: bounds on the excess
 * risk of private learning. Each theorem is a function of public numbers; beside it stands a form
 * that is proved, where the printed one is a shape, holds for less than it says, or is wrong.
 *
 * Words. Excess risk: the risk of the released parameters less the smallest risk. Population risk
 * L_P: the mean loss of fresh records, or of pairs of two; empirical risk L_D: that of the n
 * records. Losses are those of one record or ordered pair. A regulariser is part of L, of the
 * curvature and of both risks; G is of the data's part alone, since what is the same on every data
 * set moves nothing and cancels in L_P - L_D.
 *
 * A bound says nothing of privacy. Noise is an argument: what a paper prints may be too small for
 * its epsilon (dppair_paper_check), and a bound of a method is then true of a method that is not
 * private.
 */
#ifndef UTILITY_BOUNDS_H
#define UTILITY_BOUNDS_H

#include <stddef.h>

/* What a number may be. Not finite is never. */
typedef enum utility_domain {
  COUNT_OF_TWO, /* an integer of at least 2  */
  COUNT_OF_ONE,
  POSITIVE,
  NOT_NEGATIVE,
  INSIDE,   /* in (0, 1)      */
  BELOW_ONE /* in [0, 1)      */
} utility_domain;

/* The arguments: field, option, domain, what it is. */
#define UTILITY_FIELDS(X)                                                                          \
  X(n, "n", COUNT_OF_TWO, "records")                                                               \
  X(epsilon, "epsilon", POSITIVE, "privacy budget")                                                \
  X(delta, "delta", BELOW_ONE, "its delta; 0 asks for the pure variant")                           \
  X(dimension, "dimension", COUNT_OF_ONE, "numbers that are released (p, d, m)")                   \
  X(steps, "steps", COUNT_OF_ONE, "T")                                                             \
  X(eta, "eta", POSITIVE, "step size")                                                             \
  X(lipschitz, "lipschitz", POSITIVE, "G: norm of a gradient of the data's loss; C_L")             \
  X(smoothness, "smoothness", POSITIVE, "L: Lipschitz constant of the gradients")                  \
  X(curvature, "curvature", POSITIVE, "mu, alpha: PL constant, strong convexity")                  \
  X(diameter, "diameter", POSITIVE, "|C|, D: of the parameters' set, a ball about the start")      \
  X(move, "move", POSITIVE, "what one record moves in n times the mean gradient: 4 G or less")     \
  X(sigma, "sigma", NOT_NEGATIVE, "noise per coordinate, in each gradient or in the output")       \
  X(multiplier, "multiplier", NOT_NEGATIVE, "noise per unit of sensitivity, of outputs")           \
  X(gap, "gap", NOT_NEGATIVE, "empirical risk of the start less the smallest")                     \
  X(largest, "largest", NOT_NEGATIVE, "M: of the loss; for yang2021 of the loss at 0")             \
  X(stability, "stability", NOT_NEGATIVE, "sup over z of E beta(z; z', z'')")                      \
  X(xi, "xi", INSIDE, "probability that the bound fails (xi, gamma)")                              \
  X(rademacher, "rademacher", NOT_NEGATIVE, "r: complexity r B/sqrt(t) of the ball of radius B")   \
  X(norm, "norm", NOT_NEGATIVE, "|w*|, without a bounded set")                                     \
  X(kappa, "kappa", POSITIVE, "sup sqrt(K(x, x)), norm of a feature vector")                       \
  X(lambda, "lambda", POSITIVE, "weight of the regulariser Omega")                                 \
  X(strength, "strength", POSITIVE, "gamma: strong convexity of Omega")                            \
  X(exponent, "exponent", POSITIVE, "beta <= 1: approximating costs c_beta lambda^beta")           \
  X(approximation, "approximation", NOT_NEGATIVE, "its c_beta")                                    \
  X(at_zero, "at-zero", NOT_NEGATIVE, "B_0: mean loss of the function 0")                          \
  X(omega, "omega", NOT_NEGATIVE, "Omega(0)")                                                      \
  X(noised, "noised", NOT_NEGATIVE, "k: records whose steps get noise")                            \
  X(variance, "variance", NOT_NEGATIVE, "E |gradient of the drawn record - mean gradient|^2")      \
  X(excess, "excess", NOT_NEGATIVE, "mean excess empirical risk")                                  \
  X(minimum, "minimum", NOT_NEGATIVE, "mean smallest empirical risk")                              \
  X(interior, "interior", NOT_NEGATIVE, "1: the population's minimiser is inside of the set")      \
  X(c1, "c1", POSITIVE, "constants that the paper")                                                \
  X(c2, "c2", POSITIVE, "leaves open")                                                             \
  X(c3, "c3", POSITIVE, "")

typedef struct utility {
#define UTILITY_FIELD(name, option, domain, text) double name;
  UTILITY_FIELDS(UTILITY_FIELD)
#undef UTILITY_FIELD
} utility;

typedef struct utility_field {
  const char *option, *text;
  utility_domain domain;
  size_t offset;
} utility_field;
extern const utility_field utility_fields[]; /* ended by NULL */

/* Every number NaN, which no theorem takes. */
void utility_clear(utility *u);
double *utility_at(utility *u, const utility_field *field);

/* What is known of a bound. */
typedef enum utility_status {
  PROVED,      /* holds, by the proof beside the function                                     */
  CONVEX_ONLY, /* printed for more; proved for convex losses                                  */
  UNCHECKED,   /* printed constants, of which the proof was not checked                       */
  SHAPE,       /* constants are left open: a rate, no bound                                   */
  WRONG        /* does not follow, or fails: only under a name that ends in -paper            */
} utility_status;
extern const char *const utility_status_names[];

typedef struct utility_theorem {
  const char *name;   /* of --theorem */
  const char *source; /* paper, number, section */
  const char *bounds; /* what of */
  const char *rate;   /* what the theorem says of n and epsilon, logarithms left out */
  const char *note;   /* conditions, and what is wrong */
  const char *needs;  /* options, separated by blanks */
  utility_status status;
  int probable;                         /* 1: holds but for probability xi; 0: of the mean */
  int empirical;                        /* 1: of the empirical, 0: of the population risk */
  int constants;                        /* how many of c1 .. are left open */
  double (*evaluate)(const utility *u); /* NaN: a condition does not hold */
} utility_theorem;

extern const utility_theorem utility_theorems[]; /* ended by a NULL name */
const utility_theorem *utility_find(const char *name);

/* The first field that the theorem needs and that is missing or out of its domain, or NULL. Open
 * constants that are NaN count as 1: the caller says so. */
const utility_field *utility_missing(const utility_theorem *t, const utility *u);
/* 1 and the bound; or 0 and infinity, which is never wrong: a number is missing or out of its
 * domain, a condition of the theorem does not hold, or the bound is not finite. */
int utility_bound(double *bound, const utility_theorem *t, const utility *u);

/* Kang 2021's Theorem 2 and Kang 2023's Theorem 3 at one tau > 0; the theorems take the infimum. */
double kang2021_theorem2_at(const utility *u, double tau);
double kang2023_theorem3_at(const utility *u, double tau);

/* Sum over t = 1 .. T of 1/sqrt(t), to 1e-10 of it. */
double inverse_roots(double steps);

/* Step k = 0, 1, .. of Xue 2021's Algorithm 3 on n records: how many records, and the step size as
 * a share of the first; 0 records when there are no more. */
size_t dpegd_epoch(double *share, size_t n, size_t k);

#endif /* UTILITY_BOUNDS_H */
