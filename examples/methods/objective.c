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
 * the largest |v| by itself would prove nothing.) X_k = exp(-l_k) = exp(g_k - Var(g_k)/2) with g
 * Gaussian, covariances K_kl = v_k.v_l/s^2. With an earlier mu-GDP release in front, for
 * x = epsilon - eta,
 *
 *     delta <= E G(min_k X_k),   G(m) = E_L (1 - e^(x - L) m)_+,   L ~ N(mu^2/2, mu^2),
 *
 * G decreasing and convex. Let r = |u|, r' = |u'|, c = cosine of the angle between -u and u'.
 *
 * (1) c >= 0. Let r, r', c grow to 1 along a path. By Gaussian integration by parts (Kahane 1986)
 *
 *     d/dt E G(min X) = (1/2) sum_kl K'_kl E[X_k X_l d_k d_l G(min X)].
 *
 * The part with G'' is sum_k K'_kk E[G'' X_k^2; k smallest]: not negative, because |v_k|^2 grows.
 * The rest lives where two corners tie for the minimum: there it is |G'| X^2 times the change of
 *
 *     |v_k - v_l|^2 = (r da)^2 + (r' da')^2 + 2 c r r' da da',
 *
 * which grows unless da da' < 0, that is for the pair (10, 01). But l_11 + l_00 - l_10 - l_01 =
 * c r r'/s^2 >= 0, so those two never tie for the maximum of l by themselves.
 *
 * Hence the worst case is r = r' = c = 1: all v_k on one line, of lengths 2, 1, 1, 0, with
 * l_k = (2 B |v_k| + |v_k|^2)/(2 s^2), B ~ N(0, s^2). The largest l is that of length 2, except for
 * B < -1, where it is 0 and that of length 2 is negative. The excess matters only when L > x, and
 * is at most
 *
 *     E[e^(x - L); L > x] E[X_2 - 1; B < -1] = e^x Phi(-x/mu - mu/2) (2 Phi(1/s) - 1).
 *
 * So, delta_G being the curve of a Gaussian mechanism,
 *
 *     delta <= delta_G(x; sqrt(mu^2 + 4/s^2)) + e^x Phi(-x/mu - mu/2) (2 Phi(1/s) - 1).
 *
 * (2) c <= 0. |v_k|^2 <= a^2 + a'^2, and E max <= sum E over the corners:
 *
 *     delta <= sum_k delta_G(x; sqrt(mu^2 + m_k^2/s^2)),   m_k = sqrt2, 1, 1, 0.
 *
 * The larger of the two is the bound. Case (1) is tight but for eta and a trace.
 *
 * Inexact minimiser. At the returned w~ the gradient of the objective with the IDEAL real-valued b
 * has norm at most g = the solver's certificate + the rounding of b to its grid (a b on a grid
 * would make the support of w itself a fingerprint of the data). Hence |w~ - w| <= g/ridge on
 * either data set, and noise for sensitivity 2 g/ridge, charged as a third release with 1e-3 of the
 * budget's mu (or epsilon), makes the output a mechanism on the exact w plus that.
 */
#include "methods/objective.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/solver.h"

static const double trace = 1e-3; /* share of mu or epsilon that the output noise takes */
enum { FINE_GRID = 40 };          /* b is rounded to noise/2^40 */

/* Sum over corner lengths of the Gaussian curve; delta 1 when epsilon is used up. */
static dppair_status add_curve(double *sum, double x, double mu_before, double length, double s) {
  double mu = sqrt(mu_before * mu_before + length / s * (length / s)) * (1 + 8 * DBL_EPSILON),
         delta;
  dppair_status status = dppair_gaussian_delta(&delta, x, mu);
  *sum += delta;
  return status;
}

dppair_status objective_delta(double *delta, double epsilon, double mu_before, double s,
                              double ridge) {
  double x = epsilon - log1p(1 / ridge) * (1 + 8 * DBL_EPSILON), aligned = 0, turned = 0;
  double root = sqrt(2.0);
  dppair_status status;
  *delta = 1;
  if (!(x > 0)) return DPPAIR_OK;
  status = add_curve(&aligned, x, mu_before, 2, s);
  if (status == DPPAIR_OK) status = add_curve(&turned, x, mu_before, root, s);
  if (status == DPPAIR_OK) status = add_curve(&turned, x, mu_before, 1, s);
  if (status == DPPAIR_OK) status = add_curve(&turned, x, mu_before, 1, s);
  if (status == DPPAIR_OK && mu_before > 0) { /* the corner of length 0 has the first one's loss */
    double first;
    status = dppair_gaussian_delta(&first, x, mu_before);
    turned += first;
    aligned += exp(x) * 0.5 * erfc((x / mu_before + mu_before / 2) / root) * erf(1 / s / root);
  }
  if (status == DPPAIR_OK) *delta = fmin(1, fmax(aligned, turned) * (1 + 1e-12));
  return status;
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

dppair_status objective_calibrate(objective_plan *plan, double epsilon, double delta,
                                  double mu_before, double ratio, size_t n, size_t d) {
  double certificate = 1e-10 * (double)n, width = sqrt((double)d);
  dppair_status status = DPPAIR_OK;
  memset(plan, 0, sizeof *plan);
  plan->pure = !(delta > 0);
  if (plan->pure) {
    plan->noise = find_pure(epsilon * (1 - trace), ratio * width);
    plan->ridge = ratio * width * plan->noise;
    plan->tolerance = certificate + plan->noise * width * ldexp(1.0, 2 - FINE_GRID) * width;
    plan->output = 2 * plan->tolerance / (plan->ridge * trace * epsilon) * (1 + 1e-12);
    return status;
  }
  {
    double mu, mu_trace;
    status = dppair_gaussian_mu(&mu, epsilon, delta);
    if (status != DPPAIR_OK) return status;
    mu_trace = trace * mu;
    status = find_gaussian(&plan->noise, epsilon, delta, hypot(mu_before, mu_trace), ratio);
    plan->ridge = ratio * plan->noise;
    plan->tolerance = certificate + plan->noise * width * ldexp(1.0, 2 - FINE_GRID);
    plan->output = 2 * plan->tolerance / (plan->ridge * mu_trace) * (1 + 1e-12);
  }
  return status;
}

enum { WIDTH = 2 }; /* the slope's fall is tanh(WIDTH (t - offset)) */
static const double offset = 0.75;

static void soft_hinge_at(double out[3], double t, double parameter) {
  double a = WIDTH * (t - offset), size = fabs(a), h = tanh(a), e = exp(-2 * size);
  (void)parameter;
  /* log cosh a = |a| - ln 2 + log(1 + e^-2|a|) */
  out[0] = (-t + (size + log1p(e) - log(2.0)) / WIDTH) / 2;
  out[1] = (h - 1) / 2;
  out[2] = (1 - h) * (1 + h) * WIDTH / 2;
}

double objective_balance(double rate) {
  double low = -4, high = 4;
  int k;
  for (k = 0; k < 60; k++) {
    double a = low + (high - low) / 2, positive[3], negative[3];
    soft_hinge_at(positive, a, 0);
    soft_hinge_at(negative, -a, 0);
    if (rate * positive[1] < (1 - rate) * negative[1]) /* slopes are negative */
      low = a;
    else
      high = a;
  }
  return low;
}

dppair_status objective_release(double *w, const objective_plan *plan, const double *u, size_t n,
                                size_t d, const double *centre, const task *t) {
  margin_loss loss = {soft_hinge_at, 0, WIDTH / 2.0};
  double residual, *b = calloc(d, sizeof *b);
  size_t k;
  dppair_status status = b == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
  memset(w, 0, d * sizeof *w);
  /* the centre enters as a public shift of b, before b is rounded */
  for (k = 0; k < d && b != NULL && centre != NULL; k++) b[k] = -plan->ridge * centre[k];
  if (status == DPPAIR_OK && !t->with.noiseless)
    status = plan->pure ? dppair_add_l2ball_f64_grid(b, d, plan->noise, FINE_GRID, t->noise)
                        : dppair_add_gaussian_f64_grid(b, d, plan->noise, FINE_GRID, t->noise);
  if (status == DPPAIR_OK)
    status = margin_minimise(w, &residual, u, n, d, &loss, plan->ridge, b, 1e-10 * (double)n);
  if (status == DPPAIR_OK)
    status = plan->pure ? task_l2ball(w, d, plan->output, t) : task_gaussian(w, d, plan->output, t);
  free(b);
  return status;
}
