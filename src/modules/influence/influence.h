/* ------------------------------------------------------------------------------------------------
 * Influence: what a record does to the minimiser, and bounds of the error
 *
 * The problem that NAME_influence_not_private and its kin (leave_one_out.h, stability.h) solve, the
 * error bounds of Kang et al. 2021 and 2023, mended, and the linear algebra that they use.
 *
 * F(w) = (1/N) (sum of phi over pairs) + (ridge/2) |w|^2, N = n (n-1) (n for pointwise losses).
 * s_i is the gradient of the terms of record i in the first part, H the Hessian of F. At a
 * minimiser one Newton step of F without record i gives (Kang et al. 2021, eq. 4)
 *
 *     w_-i - w = H^-1 s_i                                        when N is kept
 *     w_-i - w = H^-1 (r s_i + (r - 1) ridge w), r = n/(n-2)     when N becomes (n-1)(n-2)
 *
 * since the ridge is not divided by N; pointwise r = n/(n-1). With H_-i, the Hessian without record
 * i, in place of H the step is exact for parabolas. As printed, (4) is for the first of the two;
 * used for the second it is wrong at first order.
 *
 * All of it reads records and adds no noise: not private.
 * ---------------------------------------------------------------------------------------------- */

/* What phi is applied to; s are scores <x, w>. Positives stand first in the rows, but for
 * RESIDUAL. Pairs of one class have no gradient. */
typedef enum dppair_influence_risk {
  DPPAIR_INFLUENCE_IND = 0,  /* phi(s - s') of a positive and a negative, one order */
  DPPAIR_INFLUENCE_DIFF = 1, /* phi((y - y')(s - s')), y = +-1, both orders */
  DPPAIR_INFLUENCE_SIGN = 2, /* phi(sign(y - y')(s - s')), both orders */
  DPPAIR_INFLUENCE_RESIDUAL =
      3, /* phi((y - y') - (s - s')) over all ordered pairs; y of the rows */
  DPPAIR_INFLUENCE_POINTWISE = 4 /* phi(y s) over records, y = +-1 (Kang et al. 2023) */
} dppair_influence_risk;

/* A problem, and how its records are left out. What is not given is 0 or NULL. */
typedef struct dppair_influence {
  dppair_influence_risk risk;
  double ridge;         /* > 0 */
  const double *params; /* of the loss */
  int renormalised;     /* 1: without a record the sum is divided by (n-1)(n-2) (pointwise: n-1), as
                         * retraining does; 0: by the N of all records */
  int own_hessian;      /* 1: H_-i; 0: H for all records */
  const dppair_curvature
      *slopes; /* states of order 1 and 2 from NAME_curvature_init, for near-linear */
  const dppair_curvature *curves; /* sums; NULL: loops. Their caps are of what phi's margins are
                                   * differences of: DIFF's are twice the scores */
} dppair_influence;

/* What NAME_stability_not_private finds. All are n times a beta_n. */
typedef struct dppair_stability {
  double
      elastic;   /* plug-in: the largest mean over pairs of n |(w_-i - w) . gradient of the pair| */
  size_t record; /* which record has it */
  double mean;   /* the mean of the same over the records */
  double moved;  /* plug-in of the uniform one: n G max |w_-i - w| */
  double rigorous; /* no removal from these data moves a pair's loss by more than this over n */
  double uniform;  /* nor one from any data of n records: dppair_stability_uniform */
} dppair_stability;

/* A problem opened: leave.h. Sides 0 and 1 have n0 and n1 records; side 1 begins at u[first]. */
typedef struct dppair_leave_ {
  const dppair_rows_f64 *rows;
  const dppair_influence *of;
  size_t n, d, n0, n1, first;
  double scale;    /* F is scale times the sum over pairs */
  double ratio;    /* r of the formulas above, 1 where N is kept */
  double longest;  /* |xi| at most */
  double farthest; /* |u| at most */
  int convex;      /* known to be */
  const double *t0, *t1;
  double *u, *t, *zero, *a, *b, *c; /* n + 1 numbers each */
  double *data, *h, *l;             /* d x d: the Hessian without and with the ridge, a factor */
  double *v;                        /* 8 d */
  double *first_moments, *second_moments;
} dppair_leave_;

DPPAIR_FP_BEGIN_

/*
 * *bound = how far (w_-i - w) is from H^-1 s_i at most, N kept: with M = n/2 for pairs, M = n for
 * pointwise losses,
 *
 *     (2 L G + C G^2/zeta)/(2 zeta^2 M^2)
 *
 *   lipschitz, smoothness, change   G, L, C: of the loss of a pair (or record), its gradient, its
 *                                   Hessian
 *   zeta   the least eigenvalue of the Hessian for ALL weights in [0, 1] of record i: the ridge if
 *          phi is convex, else dppair_influence_floor
 *
 * Proof: let w(e) minimise F less e times the terms of i. Then w' = H^-1 s_i there, |s_i| <= G/M,
 * |grad s_i| <= L/M, hence |w''| <= (2 (L/M) |w'| + C |w'|^2)/zeta, and Taylor's remainder is half
 * of it. Kang et al. 2023, Theorem 4, for pointwise losses has no 1/2, and asks for zeta at w only.
 * Errors zero it: NULL, SIZE (n < 2), DOMAIN (constants negative or not finite, zeta not positive),
 * OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_influence_bound(double *bound, size_t n,
                                                                  dppair_influence_risk risk,
                                                                  double lipschitz,
                                                                  double smoothness, double change,
                                                                  double zeta) {
  const double m = risk == DPPAIR_INFLUENCE_POINTWISE ? (double)n : 0.5 * (double)n;
  const double g = lipschitz, scale = zeta * m;
  if (!bound) return DPPAIR_ERR_NULL;
  *bound = 0.0;
  if (n < 2) return DPPAIR_ERR_SIZE;
  if (!(g >= 0.0) || !(smoothness >= 0.0) || !(change >= 0.0) || !(zeta > 0.0) ||
      !dppair_isfinite_f64(g) || !dppair_isfinite_f64(smoothness) || !dppair_isfinite_f64(change) ||
      !dppair_isfinite_f64(zeta))
    return DPPAIR_ERR_DOMAIN;
  *bound = (2.0 * smoothness * g + change * g * g / zeta) / (2.0 * scale * scale);
  *bound *= 1.0 + 16.0 * DBL_EPSILON;
  if (dppair_isfinite_f64(*bound)) return DPPAIR_OK;
  *bound = 0.0;
  return DPPAIR_ERR_OVERFLOW;
}

/* *zeta = a bound from below of the least eigenvalue of the Hessian along the whole path on which
 * record i is left out, when it is `least` at the minimiser: the larger root of
 * zeta = least - L/M - C G/(M zeta), M as above. Errors zero it: those of dppair_influence_bound,
 * NO_PROOF (there is none: n is too small). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_influence_floor(double *zeta, size_t n,
                                                                  dppair_influence_risk risk,
                                                                  double lipschitz,
                                                                  double smoothness, double change,
                                                                  double least) {
  const double m = risk == DPPAIR_INFLUENCE_POINTWISE ? (double)n : 0.5 * (double)n;
  const double left = least - smoothness / m, square = left * left - 4.0 * change * lipschitz / m;
  double unused;
  dppair_status status;
  if (!zeta) return DPPAIR_ERR_NULL;
  *zeta = 0.0;
  status = dppair_influence_bound(&unused, n, risk, lipschitz, smoothness, change, least);
  if (status != DPPAIR_OK) return status;
  if (!(left > 0.0) || !(square >= 0.0)) return DPPAIR_ERR_NO_PROOF;
  *zeta = 0.5 * (left + dppair_sqrt_(square)) * (1.0 - 16.0 * DBL_EPSILON);
  return DPPAIR_OK;
}

/* *beta = n beta_n^U: n times the most that leaving a record out of ANY n records moves the loss of
 * a pair, for convex phi: 2 G^2/ridge when N is kept; renormalised G (2 G + 2 ridge |w|) n/((n-2)
 * ridge), where `norm` bounds |w|. (Pointwise: half of G^2, of ridge |w|, and n - 1 for n - 2.)
 * Proof: F_-i is ridge-strongly convex, and at w its gradient is the right-hand side above, whose
 * s_i is at most 2 G/n long. Where phi is flat and nothing is added to it no such bound exists.
 * Errors zero it: NULL, SIZE (n < 3), DOMAIN, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_stability_uniform(double *beta, size_t n,
                                                                    dppair_influence_risk risk,
                                                                    double lipschitz, double ridge,
                                                                    int renormalised, double norm) {
  const double both = risk == DPPAIR_INFLUENCE_POINTWISE ? 1.0 : 2.0, g = lipschitz;
  double moved;
  if (!beta) return DPPAIR_ERR_NULL;
  *beta = 0.0;
  if (n < 3) return DPPAIR_ERR_SIZE;
  if (!(g >= 0.0) || !dppair_isfinite_f64(g) || !(ridge > 0.0) || !dppair_isfinite_f64(ridge) ||
      (renormalised && (!(norm >= 0.0) || !dppair_isfinite_f64(norm))))
    return DPPAIR_ERR_DOMAIN;
  moved = both * g / ridge;
  if (renormalised) moved = (moved + both * norm) * ((double)n / ((double)n - both));
  *beta = g * moved * (1.0 + 16.0 * DBL_EPSILON);
  if (dppair_isfinite_f64(*beta)) return DPPAIR_OK;
  *beta = 0.0;
  return DPPAIR_ERR_OVERFLOW;
}

/* l[d][d] = the Cholesky factor of h[d][d], in its lower triangle. 0 when h is not positive. */
DPPAIR_API int dppair_cholesky_(double *l, const double *h, size_t d) {
  size_t i, j, k;
  for (i = 0; i < d; i++)
    for (j = 0; j <= i; j++) {
      double sum = h[i * d + j];
      for (k = 0; k < j; k++) sum -= l[i * d + k] * l[j * d + k];
      if (i > j)
        l[i * d + j] = sum / l[j * d + j];
      else if (sum > 0.0 && dppair_isfinite_f64(sum))
        l[i * d + i] = dppair_sqrt_(sum);
      else
        return 0;
    }
  return 1;
}

/* x becomes the solution of L L^T x = x. */
DPPAIR_API void dppair_cholesky_solve_(double *x, const double *l, size_t d) {
  size_t i, k;
  for (i = 0; i < d; i++) {
    for (k = 0; k < i; k++) x[i] -= l[i * d + k] * x[k];
    x[i] /= l[i * d + i];
  }
  for (i = d; i-- > 0;) {
    for (k = i + 1; k < d; k++) x[i] -= l[k * d + i] * x[k];
    x[i] /= l[i * d + i];
  }
}

/* |b - h x| for the symmetric h[d][d]; not less, by its own rounding. */
DPPAIR_API double dppair_residual_(const double *h, const double *x, const double *b, size_t d) {
  double square = 0.0, rounding = 0.0;
  size_t i, k;
  for (i = 0; i < d; i++) {
    double sum = b[i], size = dppair_fabs_(b[i]);
    for (k = 0; k < d; k++) {
      sum -= h[i * d + k] * x[k];
      size += dppair_fabs_(h[i * d + k] * x[k]);
    }
    square += sum * sum;
    rounding += size;
  }
  return dppair_sqrt_(square) * (1.0 + 4.0 * ((double)d + 4.0) * DBL_EPSILON) +
         ((double)d + 4.0) * DBL_EPSILON * rounding;
}

/* A bound from below of the least eigenvalue of the symmetric h[d][d] with the Cholesky factor l, 0
 * if none: for X near h^-1 it is at least (1 - |I - h X|)/|X|, in Frobenius norms. x: d numbers,
 * unit: d numbers. */
DPPAIR_API double dppair_least_eigenvalue_(const double *l, const double *h, size_t d, double *x,
                                           double *unit) {
  double size = 0.0, off = 0.0;
  size_t k, i;
  for (k = 0; k < d; k++) {
    double residual;
    for (i = 0; i < d; i++) x[i] = unit[i] = i == k ? 1.0 : 0.0;
    dppair_cholesky_solve_(x, l, d);
    residual = dppair_residual_(h, x, unit, d);
    off += residual * residual;
    for (i = 0; i < d; i++) size += x[i] * x[i];
  }
  off = dppair_sqrt_(off) * (1.0 + 1e-10);
  return off < 1.0 && size > 0.0 ? (1.0 - off) / (dppair_sqrt_(size) * (1.0 + 1e-10)) : 0.0;
}

/* out = A v, as far as it could be computed. */
typedef dppair_status dppair_apply_(void *context, double *out, const double *v);

/* Conjugate gradients: x with A x = b for a positive A, and *residual = |b - A x|, computed anew.
 * room: 3 d numbers. NOT_FINITE (b), NO_PROOF where A is not positive along a direction,
 * NO_CONVERGENCE where 4 d + 100 steps leave more than 1e-6 |b|, errors of A. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_conjugate_(double *x, double *residual,
                                                             const double *b, size_t d,
                                                             dppair_apply_ *apply, void *context,
                                                             double *room) {
  const double size = dppair_norm_f64(b, d); /* for b/size, lest squares underflow */
  double *r = room, *p = room + d, *q = room + 2 * d, square = 0.0;
  size_t step, k;
  dppair_status status = DPPAIR_OK;
  *residual = 0.0;
  if (!dppair_isfinite_f64(size)) return DPPAIR_ERR_NOT_FINITE;
  for (k = 0; k < d; k++) {
    x[k] = 0.0;
    r[k] = p[k] = size > 0.0 ? b[k] / size : 0.0;
    square += r[k] * r[k];
  }
  for (step = 0; step < 4 * d + 100 && square > 1e-28; step++) {
    double curve = 0.0, next = 0.0, along;
    status = apply(context, q, p);
    if (status != DPPAIR_OK) return status;
    for (k = 0; k < d; k++) curve += p[k] * q[k];
    if (!(curve > 0.0)) return DPPAIR_ERR_NO_PROOF;
    along = square / curve;
    for (k = 0; k < d; k++) {
      x[k] += along * p[k];
      r[k] -= along * q[k];
      next += r[k] * r[k];
    }
    for (k = 0; k < d; k++) p[k] = r[k] + next / square * p[k];
    square = next;
  }
  for (k = 0; k < d; k++) x[k] *= size;
  status = apply(context, q, x);
  for (k = 0; k < d; k++) q[k] = b[k] - q[k];
  *residual = dppair_norm_f64(q, d);
  if (status == DPPAIR_OK && !(*residual <= 1e-6 * size)) status = DPPAIR_ERR_NO_CONVERGENCE;
  return status;
}

DPPAIR_FP_END_
