/* SPDX-License-Identifier: MIT */
/*
 * PRIVACY OF OBJECTIVE PERTURBATION, for one replaced record.
 *
 * Write a_i(w) = -psi'(w.u_i), in [0, 1], and 0 <= psi'' <= 1. The objective is ridge-strongly
 * convex and twice differentiable, so b -> w is a bijection with inverse b(w) = sum_i a_i u_i -
 * ridge (w - centre) and Jacobian -H(w), H = sum_i psi'' u_i u_i^T + ridge I. Replace u by u'. The
 * same w needs b' = b + v, v = a' u' - a u. The log-ratio of the densities of w is
 *
 *     log p(b)/p(b + v)  +  log det H/det H'.
 *
 * Determinants. With H0 the part of H without the record, det H/det H0 = 1 + psi'' u.H0^-1 u lies
 * in [1, 1 + 1/ridge], and so does det H'/det H0: the second term is at most eta = log(1 +
 * 1/ridge).
 *
 * Pure privacy. p ~ exp(-|b|/beta): the first term is at most |v|/beta <= 2/beta.
 *
 * Gaussian b. The first term is l(a, a') = (2 b.v + |v|^2)/(2 s^2), convex in (a, a'), hence at
 * most its maximum over the four corners (11, 10, 01, 00) of the square, where v = v_k is a FIXED
 * vector and l = l_k is the loss of a Gaussian mechanism. (v depends on b through w, so a bound on
 * the largest |v| by itself would prove nothing.) Let r = |u|, r' = |u'|, p = -u, q = u', c the
 * cosine of the angle between p and q, t = 1/s, X_k = exp(-l_k), delta_G the curve of a Gaussian
 * mechanism. An earlier mu-GDP release may choose the rows' maps, so r, r' and c may depend on its
 * output.
 *
 * Theorem. For real y let D(y) = E(1 - e^(y - max_k l_k))_+. For all r, r' <= 1 and c in [-1, 1],
 * D(y) <= A(y), its value at r = r' = c = 1:
 *
 *     A(y) = delta_G(y; 2t) for y >= 0,    A(y) = 1 - 2 e^y Phi(-t) for y < 0.
 *
 * Hence, with x = epsilon - eta, both releases together have, however c depends on the first,
 *
 *     delta <= E A(x - L),  L ~ N(mu^2/2, mu^2)
 *           <= delta_G(x; sqrt(mu^2 + 4/s^2)) + e^x Phi(-x/mu - mu/2) (2 Phi(1/s) - 1).
 *
 * Proof. D depends on the Gram matrix of p and q only. Put k = c r r' t^2: l_11 = l_10 + l_01 + k
 * and l_00 = 0. With G(m) = (1 - e^y m)_+, decreasing and convex, and K_kl = v_k.v_l t^2, Gaussian
 * integration by parts (Kahane 1986) says along any path
 *
 *     d/dt E G(min X) = (1/2) sum_kl K'_kl E[X_k X_l d_k d_l G(min X)]:
 *
 * a part with G'', of the sign of the change of |v_k|^2, k the smallest; and one that lives where
 * two corners tie for the minimum of X, of the sign of the change of |v_k - v_l|^2.
 *
 * (1) c >= 0. Let r, r', c grow to 1. Every |v_k|^2 grows, and so does
 *
 *     |v_k - v_l|^2 = (r da)^2 + (r' da')^2 + 2 c r r' da da',
 *
 * but for the pair (10, 01), which never ties for the maximum of l because l_11 + l_00 >= l_10 +
 * l_01. So D grows.
 *
 * (2) c < 0, with r, r' fixed. By the same formula (for c inside; D is continuous at the ends)
 *
 *     dD/dc = r r' t^2 { f_11(y) Pr[11 is the maximum | l_11 = y] - T },
 *
 * f_11 the density of l_11 and T the part of the tie l_10 = l_01 = l, that pair being the maximum
 * and l > y; 11 and 00 never tie at the maximum, since k < 0. The first term: l_11 = y is the
 * maximum only if l_10, l_01 >= -k, while l_10 + l_01 = y - k: it needs y >= -k. T: l >= l_11 =
 * 2l + k gives y < l <= -k: it needs y < -k. So D falls in c while -k > y and grows once -k <= y:
 * it is largest at an end of [-1, 0]. c = 0 is in (1).
 *
 * (3) c = -1. All v_k lie on one line, 0 and p + q between p and q; a loss is convex along the
 * line, so max l_k = max(l_10, l_01). |p|, |q|, |p - q| grow with r and r': worst at r = r' = 1,
 * where
 *
 *     D(y) = E(1 - e^(y - t|g| - t^2/2))_+ = 1 - 2 e^y Phi(-t)  for y <= t^2/2,
 *                                            2 delta_G(y; t)    for y >= t^2/2.
 *
 * y <= 0: equal to A. 0 < y <= t^2/2: with theta = e^y, A = E(1 - theta m)_+ is convex in theta and
 * equals 1 - 2 theta Phi(-t) for theta <= 1, hence lies above that line. y >= t^2/2: the derivative
 * of delta_G(y; m) in m is phi(d(m)), d(m) = m/2 - y/m, and d(2y/m) = -d(m). For m <= t the mirror
 * point 2t - m is >= m and <= 2y/m, because m (2t - m) <= t^2 <= 2y; so phi(d(2t - m)) >=
 * phi(d(m)), and integrated over m in [0, t], delta_G(y; 2t) - delta_G(y; t) >= delta_G(y; t).
 *
 * (4) Given the first output the excess at x - L is at most A(x - L). As a function of the
 * likelihood ratio R = e^-L that is E_m(1 - e^x R m)_+, convex, so the mu-GDP release is worst when
 * it is Gaussian. And A(y) - E(1 - e^y X_11)_+ <= e^y E(X_11 - 1)_+ = e^y (2 Phi(t) - 1) for y < 0,
 * 0 otherwise: the last bound. It is tight but for eta and a trace. QED
 *
 * Inexact minimiser. At the computed w~ the gradient of the objective with the IDEAL real-valued b
 * has norm at most floor + share |w~|: what the solver reaches on every data set (solver.h), and in
 * `floor` the rounding of b to its grid (a b on a grid would make the support of w itself a
 * fingerprint of the data). So |w~ - w| <= (floor + share |w~|)/ridge. Both are projected on the
 * ball B, which no ranking notices; z, z~ are the projections. Then
 *
 *     |z~ - z| <= (4/3) (floor + share B)/ridge,    if (floor/B + share)/ridge <= 1/4.
 *
 * Proof. If |w~| <= B, projections do not expand. Else |w~ - w| <= |w~|/4 and floor + share |w~| <=
 * (floor + share B)|w~|/B. If |w| < B then |w~| < 4B/3, and again projections do not expand. If
 * both are outside, |z~ - z| <= 2B |w~ - w|/(|w~| + |w|) (Dunkl and Williams 1964), |w| >= 3|w~|/4.
 * QED
 *
 * Noise for twice that, charged as a third release with a share of the budget's mu (or epsilon) of
 * 1e-3 to 3e-2, makes the output a mechanism on z plus that, and z is a function of w.
 */
#include "methods/objective.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FINE_GRID = 40 }; /* b is rounded to noise/2^40 */
static const double ball = 32; /* B: margins of 1 at rows of norm 1/32 */

/* e^x Phi(-x/mu - mu/2) = phi(x/mu - mu/2) M(x/mu + mu/2), M(z) = Phi(-z)/phi(z); above, M is at
 * most 4/(3z + sqrt(z^2 + 8)) (Sampford 1953), which neither overflows nor underflows. */
static double first_exceeds(double x, double mu) {
  double low = x / mu - mu / 2, z = x / mu + mu / 2;
  double mills = z < 25 ? 1.2533141373155003 * erfc(z / sqrt(2.0)) * exp(z * z / 2)
                        : 4 / (3 * z + sqrt(z * z + 8));
  return 0.3989422804014327 * exp(-low * low / 2) * mills;
}

dppair_status objective_delta(double *delta, double epsilon, double mu_before, double s,
                              double ridge) {
  double x = epsilon - log1p(1 / ridge) * (1 + 8 * DBL_EPSILON), found;
  dppair_status status = DPPAIR_OK;
  *delta = 1;
  if (!(x > 0)) return DPPAIR_OK;
  status = dppair_gaussian_delta(&found, x, hypot(mu_before, 2 / s) * (1 + 8 * DBL_EPSILON));
  if (status != DPPAIR_OK) return status;
  if (mu_before > 0) found += first_exceeds(x, mu_before) * erf(1 / s / sqrt(2.0));
  found *= 1 + 1e-12;
  if (found < 1) *delta = found; /* so a NaN is 1 */
  return DPPAIR_OK;
}

/* The smallest s: bisection between a scale that is too small and one that suffices. */
static dppair_status find_gaussian(double *s, double epsilon, double delta, double mu_before,
                                   double ratio) {
  double low = 1e-3, high = 1, reached;
  int k;
  dppair_status status = objective_delta(&reached, epsilon, mu_before, high, ratio * high);
  while (status == DPPAIR_OK && reached > delta && high < 1e12) {
    low = high;
    high *= 2;
    status = objective_delta(&reached, epsilon, mu_before, high, ratio * high);
  }
  if (status == DPPAIR_OK && reached > delta) return DPPAIR_ERR_EXHAUSTED;
  for (k = 0; k < 60 && status == DPPAIR_OK && high - low > 1e-12 * high; k++) {
    double middle = low + (high - low) / 2;
    status = objective_delta(&reached, epsilon, mu_before, middle, ratio * middle);
    if (reached > delta)
      low = middle;
    else
      high = middle;
  }
  *s = high;
  return status;
}

/* The smallest beta with 2/beta + log(1 + 1/(ratio beta)) <= epsilon. */
static double find_pure(double epsilon, double ratio) {
  double low = 0, high = 1;
  int k;
  while (2 / high + log1p(1 / (ratio * high)) > epsilon) high *= 2;
  for (k = 0; k < 200 && high - low > 1e-13 * high; k++) {
    double middle = low + (high - low) / 2;
    if (middle > 0 && 2 / middle + log1p(1 / (ratio * middle)) <= epsilon)
      high = middle;
    else
      low = middle;
  }
  return high * (1 + 1e-12);
}

/* Share of mu or epsilon that the output noise takes: more where sums over many records round more
 * and the noise of b matters less. */
static double trace_share(size_t n) { return fmin(3e-2, fmax(1e-3, 1e-8 * (double)n)); }

/* The problem that is solved: rows of norm at most 1. */
static dppair_margin_problem problem_of(const objective_plan *plan, size_t n, size_t d) {
  dppair_margin_problem p;
  p.loss = dppair_margin_soft_hinge();
  p.n = n;
  p.d = d;
  p.radius = 1 + 1e-12;
  p.ridge = plan->ridge;
  return p;
}

/* Output noise that hides by `budget` (mu, or epsilon) what the solver and b's grid may be off. */
static dppair_status hide_trace(objective_plan *plan, double budget, double grid, size_t n,
                                size_t d) {
  dppair_margin_problem p = problem_of(plan, n, d);
  double floor;
  dppair_status status = dppair_margin_reach(&plan->tolerance, &p, 0);
  floor = plan->tolerance.floor + grid;
  if (!((floor / ball + plan->tolerance.share) / plan->ridge <= 0.25)) status = DPPAIR_ERR_NO_PROOF;
  plan->output = 8.0 / 3 * (floor + plan->tolerance.share * ball) / (plan->ridge * budget);
  plan->output *= 1 + 1e-12;
  /* whatever the records, the ball fits on the noise's grid */
  if (plan->output < 2 * ball * 0x1p-40) plan->output = 2 * ball * 0x1p-40;
  return status;
}

dppair_status objective_calibrate(objective_plan *plan, double epsilon, double delta,
                                  double mu_before, double ratio, size_t n, size_t d) {
  double width = sqrt((double)d), grid = width * ldexp(1.0, 2 - FINE_GRID), trace = trace_share(n),
         mu;
  dppair_status status;
  memset(plan, 0, sizeof *plan);
  plan->pure = !(delta > 0);
  if (plan->pure) {
    plan->noise = find_pure(epsilon * (1 - trace), ratio * width);
    plan->ridge = ratio * width * plan->noise;
    return hide_trace(plan, trace * epsilon, plan->noise * grid * width, n, d);
  }
  status = dppair_gaussian_mu(&mu, epsilon, delta);
  if (status != DPPAIR_OK) return status;
  status = find_gaussian(&plan->noise, epsilon, delta, hypot(mu_before, trace * mu), ratio);
  if (status != DPPAIR_OK) return status;
  plan->ridge = ratio * plan->noise;
  return hide_trace(plan, trace * mu, plan->noise * grid, n, d);
}

double objective_balance(double rate) {
  const dppair_margin_loss loss = dppair_margin_soft_hinge();
  return dppair_margin_balance(&loss, rate);
}

/* The two noises of one mechanism, calibrated together above: that of b, on a fine grid, and that of
 * the output, which hides what the solver leaves. */
static dppair_status perturb(double *v, size_t d, double scale, int pure, int grid, const task *t) {
  if (t->with.noiseless) return DPPAIR_OK;
  return pure ? dppair_add_l2ball_f64_grid(v, d, scale, grid, t->noise)
              : dppair_add_gaussian_f64_grid(v, d, scale, grid, t->noise);
}

dppair_status objective_release(double *w, const objective_plan *plan, const double *u, size_t n,
                                size_t d, const double *centre, const task *t) {
  dppair_margin_problem p = problem_of(plan, n, d);
  double *b = calloc(d, sizeof *b);
  size_t k;
  dppair_status status = b == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
  memset(w, 0, d * sizeof *w);
  /* the centre enters as a public shift of b, before b is rounded */
  for (k = 0; k < d && b != NULL && centre != NULL; k++) b[k] = -plan->ridge * centre[k];
  if (status == DPPAIR_OK) status = perturb(b, d, plan->noise, plan->pure, FINE_GRID, t);
  if (status == DPPAIR_OK) status = fit_minimise(w, u, &p, b, &plan->tolerance);
  if (status == DPPAIR_OK) status = dppair_project_l2_f64(w, d, ball);
  if (status == DPPAIR_OK)
    status = perturb(w, d, plan->output, plan->pure, DPPAIR_GRID_DEFAULT, t);
  free(b);
  return status;
}
