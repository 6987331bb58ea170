/* ------------------------------------------------------------------------------------------------
 * Regularised fits of a margin loss: how well they can be solved
 *
 *     F(w) = sum_i psi(w.u_i) + (ridge/2) |w|^2 + b.w,      u_i = y_i x_i, |u_i| <= radius
 *
 * A computed minimiser is a point where the gradient of F is within a tolerance that public numbers
 * give, and that is reached whatever the records are: a solver that gave up on some would tell of
 * them. Since F is ridge-strongly convex, the minimiser itself is within tolerance/ridge.
 *
 * WHY IT IS REACHED
 *
 * Write L = n top radius^2 + ridge for the smoothness of F, u = 2^-53. Where w is, the computed
 * gradient is off by at most e(w) = e0 + e1 |w|:
 *
 *   - scores are off by (d + 2) u |w| radius, which moves slopes by top times that;
 *   - slopes are off by 16 u of their bound S; for a loss whose slope grows, S <= |psi'(0)| + top
 *     radius |w|;
 *   - sums over rows are made in tiles and added in pairs: n S radius (TILE/4 + 4 + log2 n) u;
 *   - adding b and ridge w: 4 u (ridge |w| + n S radius), and a part of the gradient itself.
 *
 * A step w - g/L is rounded by u |w|, worth L u |w| of gradient. e0 and e1 below are more than a
 * tenth larger than the sum of all that.
 *
 * Theorem. Plain steps w <- w - g/L reach |computed gradient| + e(w) <= 4 e(w) within
 * (4 L/(3 ridge)) log(L G^2/(4 ridge e0^2)) of them, G the norm of the gradient at their start.
 * Proof. While |grad F| >= 2 e(w), a step with a gradient that is off by e lowers F by at least
 * (|grad F|^2 - e^2)/(2L) >= 3 |grad F|^2/(8L) >= (3 ridge/(4L)) (F - min F), because F - min F <=
 * |grad F|^2/(2 ridge). Hence |grad F|^2 <= 2L (F - min F) <= (L/ridge) G^2 (1 - 3 ridge/(4L))^k,
 * which is below 4 e0^2 by then. And |grad F| < 2 e(w) makes the computed one less than 3 e(w). QED
 *
 * Nothing in this depends on how the start was found: Newton's steps and momentum (newton.h) need
 * no proof.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* What is public about a fit: n records of d numbers. */
typedef struct dppair_margin_problem {
  dppair_margin_loss loss;
  size_t n, d;
  double radius, ridge; /* both > 0; radius within 1e-75 and 1e75 */
} dppair_margin_problem;

/* A gradient of norm at most floor + share |w|. */
typedef struct dppair_margin_tolerance {
  double floor, share;
} dppair_margin_tolerance;

/* Rows that are read, scored and summed together, and the levels of the sum over all of them. */
#define DPPAIR_FIT_TILE_ 64
#define DPPAIR_FIT_LEVELS_ 64

/* L, rounded up. */
DPPAIR_API double dppair_fit_smoothness_(const dppair_margin_problem *p) {
  return ((double)p->n * p->loss.top * p->radius * p->radius + p->ridge) * (1.0 + 1e-9);
}

/* e0 and e1. */
DPPAIR_API dppair_margin_tolerance dppair_fit_error_(const dppair_margin_problem *p) {
  const double unit = DBL_EPSILON / 2.0, sums = 128.0 * unit, all = (double)p->n * p->radius;
  dppair_margin_tolerance e;
  double at[3];
  e.share = dppair_fit_smoothness_(p) * (1.25 * (double)p->d + 16.0) * unit;
  if (dppair_isfinite_f64(p->loss.steepest)) {
    e.floor = all * p->loss.steepest * sums;
  } else {
    p->loss.at(at, 0.0, p->loss.parameter);
    e.floor = all * dppair_fabs_(at[1]) * sums;
    e.share += dppair_fit_smoothness_(p) * sums;
  }
  return e;
}

/* OK for a problem that has its facts. */
DPPAIR_API dppair_status dppair_fit_check_(const dppair_margin_problem *p) {
  if (p == NULL || p->loss.at == NULL) return DPPAIR_ERR_NULL;
  if (p->n == 0 || p->d == 0) return DPPAIR_ERR_SIZE;
  if (!dppair_isfinite_f64(p->radius) || !dppair_isfinite_f64(p->ridge) ||
      !dppair_isfinite_f64(p->loss.top) || !dppair_isfinite_f64(p->loss.parameter))
    return DPPAIR_ERR_NOT_FINITE;
  return p->radius >= 1e-75 && p->radius <= 1e75 && p->ridge > 0.0 && p->loss.top > 0.0 &&
                 p->loss.steepest > 0.0 && p->loss.parameter >= 0.0
             ? DPPAIR_OK
             : DPPAIR_ERR_DOMAIN;
}

/*
 * *tolerance = what dppair_minimiser_not_private reaches whatever the records are: `wanted`, or
 * where that is more four times what computing a gradient may be off. A function of public numbers.
 *
 * Errors zero it: NULL; SIZE (n or d is 0); NOT_FINITE; DOMAIN (a radius beyond 1e75 or below
 * 1e-75, a ridge, top curvature or steepest slope that is not positive); NO_PROOF where share
 * exceeds ridge/8, so that it would say next to nothing about w, and where n top radius^2 exceeds
 * 1e11 ridge: then the steps that the theorem counts might have to be taken, and would take years.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_margin_reach(dppair_margin_tolerance *tolerance,
                                                               const dppair_margin_problem *p,
                                                               double wanted) {
  dppair_margin_tolerance e;
  dppair_status status;
  if (tolerance == NULL) return DPPAIR_ERR_NULL;
  tolerance->floor = tolerance->share = 0.0;
  status = dppair_fit_check_(p);
  if (status == DPPAIR_OK && !dppair_isfinite_f64(wanted)) status = DPPAIR_ERR_NOT_FINITE;
  if (status != DPPAIR_OK) return status;
  e = dppair_fit_error_(p);
  if (!(e.floor > 0.0 && 4.0 * e.share <= p->ridge / 8.0 &&
        dppair_fit_smoothness_(p) <= 1e11 * p->ridge))
    return DPPAIR_ERR_NO_PROOF;
  tolerance->floor = wanted > 4.0 * e.floor ? wanted : 4.0 * e.floor;
  tolerance->share = 4.0 * e.share;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
