/* ------------------------------------------------------------------------------------------------
 * Dominating pairs
 *
 * A step is replaced by a pair of laws (P, Q) whose hockey-stick curve E_P (1 - t e^-L)_+,
 * L = log dP/dQ, t = e^epsilon, is at least that of the step for all neighbours; such pairs
 * compose (Zhu, Dong and Wang 2022). Let x ~ N(0,1) and r(x) = sum_k p_k exp(b_k x - b_k^2/2),
 * where p_k is the chance that the record is hit k times and b_k the shift that k hits cause in
 * units of the noise. All pairs are mixtures of an atom at loss 0 and of branches, on the line or
 * on a half line:
 *
 *   forward    mass r(x) phi(x), loss  log r(x)            P = mixture,  Q = N(0,1)
 *   backward   mass   phi(x),    loss -log r(x)            the same pair the other way round
 *   opposite   mass r(x) phi(x), loss  log r(x) - log r(-x)    mixture of +b_k against -b_k
 *
 * Zeroed record, Poisson sampling: forward and backward, each composed by itself; the larger of the
 *   two answers counts. Replaced record, Poisson sampling: opposite. Proof for both: condition on
 *   what the record does not touch (joint convexity) and centre it. The densities relative to
 *   N(0, I) are L = sum_v c_v exp(<v,x> - |v|^2/2) over the values v that the touched part takes:
 *   the law of the first data set minus t times that of the second, with coefficients c_v of either
 *   sign. Replace the Gaussian field <v,x> by one with covariance K* and interpolate (Kahane 1985):
 *       d/ds E (L_s)_+ = 1/2 sum c_v c_v' (K* - K)_vv' E[(L_s)''_+ e_v e_v'] >= 0
 *   as soon as K*_vv' >= K_vv' where c_v c_v' > 0 and K*_vv' <= K_vv' where c_v c_v' < 0. With
 *   |v| at most the shift of its number of hits, both pairs above have these covariances. (So any
 *   directions, any norms below the clip, any dependence between value and hits are covered.)
 *   For a zeroed record this needs hits that are independent of the rest of the batch.
 * Fixed-size samples, replaced record: advanced joint convexity (Balle, Barthe and Gaboardi 2018,
 *   theorem 10) gives the curve sum_k p_k delta_G(log(1 + (t-1)/gamma), b_k) for t >= 1 both ways,
 *   gamma = P(k >= 1): for each k forward with r = 1 - gamma + gamma exp(b_k x - b_k^2/2) on
 *   {r > 1} = {x > b_k/2}, backward on the same half line, and the rest of the mass at loss 0.
 * Laplace: with e = sensitivity/b the losses are e on x < 0, e - 2x/b between, and -e beyond. Pure
 *   privacy is dominated by randomised response (Kairouz, Oh and Viswanath 2015): atoms at
 *   +-epsilon.
 * Positive part of a Gaussian loss (mechanisms/objective.h): forward on {r > 1} = {x > mu/2}, and
 *   the rest of P's mass at loss 0. Q has less mass there, the rest of it where P has none.
 *
 * Hits beyond a cap are not cut off. Upper bounds exclude them by conditioning and add T P(K > cap)
 * to delta (the law of K is the same on both data sets, so P(S) <= P(any K > cap) + P_c(S) and
 * Q(S) >= (1 - P(any)) Q_c(S)). Lower bounds count them as no hit, which is a pair that the true
 * one dominates (both proofs above are monotone in the shifts). The tail is so small that the two
 * laws differ by less than the rounding of their weights, so one computation serves for both.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_PI_ 3.14159265358979323846

enum {
  DPPAIR_LAW_NONE_ = 0,
  DPPAIR_LAW_GAUSSIAN_,
  DPPAIR_LAW_MIXTURE_,
  DPPAIR_LAW_OPPOSITE_,
  DPPAIR_LAW_AMPLIFIED_,
  DPPAIR_LAW_LAPLACE_,
  DPPAIR_LAW_RESPONSE_,
  DPPAIR_LAW_POSITIVE_,
  DPPAIR_LAW_TABLE_ /* a module's (composition/tables.h): no branches */
};

/* One step's dominating pair. */
typedef struct dppair_law_ {
  int kind;
  double steps;
  double mu;      /* Gaussian, positive part: shift; Laplace, response: the largest loss */
  double gamma;   /* amplified: chance of at least one hit */
  double rest;    /* chance of no hit */
  double failure; /* per step, added to delta */
  double slip;    /* relative error of each p_k, of gamma and of rest */
  int merged;     /* the hits are those of a law above the true one: no lower bounds */
  size_t terms;
  double p[DPPAIR_HIT_CAPACITY_], shift[DPPAIR_HIT_CAPACITY_];
  double noise;   /* table: the multiplier */
  size_t batches; /* of a run */
  int replaces;   /* 1: a replaced record, whose lower bounds are another pair's; 0: a zeroed one */
} dppair_law_;

/* 2 when the pair the other way round is another one, and both are to be composed. */
DPPAIR_API int dppair_law_directions_(const dppair_law_ *law) {
  return law->kind == DPPAIR_LAW_MIXTURE_ || (law->kind == DPPAIR_LAW_TABLE_ && !law->replaces) ? 2
                                                                                                : 1;
}

enum { DPPAIR_FORWARD_ = 0, DPPAIR_BACKWARD_ = 1, DPPAIR_OPPOSITE_ = 2 };

/* One branch: r(x) = 1 + sum p[k] (exp(b[k] x - b[k]^2/2) - 1) = rest + sum p[k] exp(..), on x >
 * from when half is set. */
typedef struct dppair_branch_ {
  int shape, half;
  double from;
  double log_weight; /* of the whole branch */
  double reach;      /* largest b: 0 <= (log r)' <= reach */
  double rest;       /* no hit */
  double slip;       /* relative error of each p and of rest */
  size_t terms;
  double p[DPPAIR_HIT_CAPACITY_], b[DPPAIR_HIT_CAPACITY_];
} dppair_branch_;

/* Beyond these the exponentials of losses, or the squares of shifts, leave the doubles, and a
 * Laplace loss loses its digits: NO_CONVERGENCE, and other routes answer. */
#define DPPAIR_LAW_PURE_MOST_ 500.0
#define DPPAIR_LAW_NOISE_LEAST_ 1e-3
#define DPPAIR_LAW_NOISE_MOST_ 1e100
#define DPPAIR_LAW_LAPLACE_MOST_ 1e12

/* Is the noise multiplier of a step that is no epsilon within the range of the doubles? */
DPPAIR_API dppair_status dppair_law_scale_(double multiplier, double most) {
  return multiplier > DPPAIR_LAW_NOISE_LEAST_ && multiplier < most ? DPPAIR_OK
                                                                   : DPPAIR_ERR_NO_CONVERGENCE;
}

/* How many branches a law has: two per number of hits when amplified, else one, or none where there
 * are atoms only. */
DPPAIR_API size_t dppair_branches_(const dppair_law_ *law) {
  if (law->kind == DPPAIR_LAW_AMPLIFIED_) return 2 * law->terms;
  return law->kind == DPPAIR_LAW_MIXTURE_ || law->kind == DPPAIR_LAW_OPPOSITE_ ||
                 law->kind == DPPAIR_LAW_POSITIVE_
             ? 1
             : 0;
}

/* The i-th branch of a law; backward: the direction to compose. */
DPPAIR_API void dppair_branch_of_(dppair_branch_ *branch, const dppair_law_ *law, size_t i,
                                  int backward) {
  branch->half = 0;
  branch->from = branch->log_weight = 0.0;
  branch->slip = law->slip;
  branch->rest = law->rest;
  if (law->kind == DPPAIR_LAW_AMPLIFIED_) {
    const double shift = law->shift[i / 2];
    branch->shape = i % 2 == 0 ? DPPAIR_FORWARD_ : DPPAIR_BACKWARD_;
    branch->half = 1;
    branch->from = 0.5 * shift;
    branch->log_weight = dppair_log_(law->p[i / 2]);
    branch->terms = 1;
    branch->p[0] = law->gamma;
    branch->b[0] = shift;
  } else if (law->kind == DPPAIR_LAW_POSITIVE_) {
    branch->shape = DPPAIR_FORWARD_;
    branch->half = 1;
    branch->from = 0.5 * law->mu;
    branch->terms = 1;
    branch->p[0] = 1.0;
    branch->b[0] = law->mu;
  } else {
    branch->shape = law->kind == DPPAIR_LAW_OPPOSITE_ ? DPPAIR_OPPOSITE_
                    : backward                        ? DPPAIR_BACKWARD_
                                                      : DPPAIR_FORWARD_;
    branch->terms = law->terms;
    memcpy(branch->p, law->p, law->terms * sizeof *law->p);
    memcpy(branch->b, law->shift, law->terms * sizeof *law->shift);
  }
  branch->reach = branch->b[branch->terms - 1];
}

/* The mass of a law at loss 0 (amplified: (1 - gamma) P(|N| < shift/2); positive part:
 * P(N > mu/2)). */
DPPAIR_API double dppair_law_atom_(const dppair_law_ *law) {
  double sum = 0.0;
  size_t k;
  if (law->kind == DPPAIR_LAW_POSITIVE_)
    return 0.5 * dppair_erfc_(law->mu * (0.5 * 0.70710678118654752440));
  if (law->kind != DPPAIR_LAW_AMPLIFIED_) return 0.0;
  for (k = 0; k < law->terms; k++)
    sum += law->p[k] * dppair_erf_(law->shift[k] * (0.5 * 0.70710678118654752440));
  return law->rest * sum;
}

/* A bound of its relative error. The argument has 1.8 u, which counts |x erfc'(x)|/erfc(x) <= 2 x^2
 * + 1 = mu^2/4 + 1 times, and for erf once; sum and products u each. */
DPPAIR_API double dppair_law_atom_error_(const dppair_law_ *law) {
  return DPPAIR_UNIT_ * (law->kind == DPPAIR_LAW_POSITIVE_
                             ? DPPAIR_ERFC_ERROR_ + 2.0 + 0.5 * law->mu * law->mu
                             : DPPAIR_ERF_ERROR_ + 4.0 + (double)law->terms);
}

/* log r(x) and what belongs to it. Convex in x: r is a sum of exponentials. */
typedef struct dppair_log_ratio_ {
  double value, slope;
  double share;  /* sum p_k e^(t_k)/r, t_k = b_k x - b_k^2/2: how much of r is hits */
  double spread; /* sum p_k |e^(t_k) - 1|/r, at most 1 when r < 1/2 */
} dppair_log_ratio_;

/* log r where exponentials overflow or all of r underflows: relative to the largest term. */
DPPAIR_API void dppair_log_ratio_far_(dppair_log_ratio_ *g, const dppair_branch_ *branch,
                                      double x) {
  const double none = branch->rest > 0.0 ? dppair_log_(branch->rest) : -DBL_MAX;
  double top = none, share = 0.0, slope = 0.0, r;
  size_t k;
  for (k = 0; k < branch->terms; k++) {
    const double t = branch->b[k] * (x - 0.5 * branch->b[k]) + dppair_log_(branch->p[k]);
    if (t > top) top = t;
  }
  for (k = 0; k < branch->terms; k++) {
    const double e =
        dppair_exp_(branch->b[k] * (x - 0.5 * branch->b[k]) + dppair_log_(branch->p[k]) - top);
    share += e;
    slope += e * branch->b[k];
  }
  r = share + dppair_exp_(none - top);
  g->value = top + dppair_log_(r);
  g->slope = slope / r;
  g->share = share / r;
  g->spread = 1.0;
}

/* 1 when an exponential of r may overflow at x. b (x - b/2) <= x^2/2, so none does for x <= 34. */
DPPAIR_API int dppair_log_ratio_is_far_(const dppair_branch_ *branch, double x) {
  size_t k;
  if (!(x > 34.0)) return 0;
  for (k = 0; k < branch->terms; k++)
    if (branch->b[k] * (x - 0.5 * branch->b[k]) > 600.0) return 1;
  return 0;
}

/* log r(x), from r - 1 where r is above 1/2, so that a small log r keeps its digits. */
DPPAIR_API void dppair_log_ratio_of_(dppair_log_ratio_ *g, const dppair_branch_ *branch, double x) {
  double excess = 0.0, spread = 0.0, share = 0.0, slope = 0.0, r;
  size_t k;
  if (branch->terms == 1 && branch->p[0] >= 1.0) { /* plain Gaussian */
    g->value = branch->reach * (x - 0.5 * branch->reach);
    g->slope = branch->reach;
    g->share = 1.0;
    g->spread = 0.0;
    return;
  }
  if (dppair_log_ratio_is_far_(branch, x)) {
    dppair_log_ratio_far_(g, branch, x);
    return;
  }
  for (k = 0; k < branch->terms; k++) {
    const double b = branch->b[k], p = branch->p[k], t = b * (x - 0.5 * b);
    double e, less;
    if (t > 0.7 || t < -1.0) { /* e^t - 1 loses no digits here */
      e = dppair_exp_(t);
      less = e - 1.0;
    } else {
      less = dppair_expm1_(t);
      e = less + 1.0;
    }
    excess += p * less;
    spread += p * dppair_fabs_(less);
    share += p * e;
    slope += p * e * b;
  }
  if (excess > -0.5) {
    r = 1.0 + excess;
    g->value = excess > 0.5 ? dppair_log_(r) : dppair_log1p_(excess);
    g->spread = spread / r;
  } else { /* a sum of positive terms, each with its own relative error only */
    r = branch->rest + share;
    if (r < 1e-250) {
      dppair_log_ratio_far_(g, branch, x);
      return;
    }
    g->value = dppair_log_(r);
    g->spread = 1.0;
  }
  r = 1.0 / r;
  g->slope = slope * r;
  g->share = share * r;
}

/* A bound of the error of log r. exp, expm1, log, log1p, sin, cos and atan2 are within 2 ulp
 * (core/math_exp.h, math_log.h, math_circle.h). The arguments carry the rounding of products and of
 * 1/noise_multiplier.
 */
DPPAIR_API double dppair_log_ratio_error_(const dppair_log_ratio_ *g, const dppair_branch_ *branch,
                                          double x) {
  return DPPAIR_UNIT_ *
             (6.0 * (g->share * branch->reach * (dppair_fabs_(x) + branch->reach)) +
              ((double)branch->terms + 12.0) * g->spread + 6.0 * dppair_fabs_(g->value)) +
         branch->slip * g->spread;
}

/* A branch at one x. */
typedef struct dppair_place_ {
  double loss;
  double log_mass;   /* of the density of P in x */
  double g, slope;   /* log r(x) and its slope */
  double mirror;     /* slope of log r at -x (opposite) */
  double loss_error; /* a bound */
} dppair_place_;

DPPAIR_API void dppair_place_of_(dppair_place_ *place, const dppair_branch_ *branch, double x) {
  dppair_log_ratio_ g;
  dppair_log_ratio_of_(&g, branch, x);
  place->g = g.value;
  place->slope = g.slope;
  place->mirror = 0.0;
  place->log_mass = branch->log_weight - 0.5 * x * x - DPPAIR_LOG_SQRT_2PI_;
  place->loss = g.value;
  place->loss_error = dppair_log_ratio_error_(&g, branch, x);
  if (branch->shape == DPPAIR_BACKWARD_) {
    place->loss = -g.value;
  } else {
    place->log_mass += g.value;
    if (branch->shape == DPPAIR_OPPOSITE_) {
      dppair_log_ratio_of_(&g, branch, -x);
      place->loss -= g.value;
      place->mirror = g.slope;
      place->loss_error +=
          dppair_log_ratio_error_(&g, branch, x) + DPPAIR_UNIT_ * dppair_fabs_(place->loss);
    }
  }
}

/* The i-th node of the Gauss-Legendre rule with 16 nodes on [-1, 1], and its weight. */
DPPAIR_API double dppair_legendre_(double *weight, int i) {
  static const double node[8] = {0.09501250983763744018531, 0.28160355077925891323046,
                                 0.45801677765722738634241, 0.61787624440264374844667,
                                 0.75540440835500303389510, 0.86563120238783174388046,
                                 0.94457502307323257607798, 0.98940093499164993259615};
  static const double weights[8] = {0.18945061045506849628539, 0.18260341504492358886676,
                                    0.16915651939500253818931, 0.14959598881657673208150,
                                    0.12462897125553387205247, 0.09515851168249278480992,
                                    0.06225352393864789286284, 0.02715245941175409485178};
  *weight = weights[i < 8 ? 7 - i : i - 8];
  return i < 8 ? -node[7 - i] : node[i - 8];
}
