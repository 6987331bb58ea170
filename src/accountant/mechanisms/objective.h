/* ------------------------------------------------------------------------------------------------
 * Objective perturbation: the minimiser of a regularised convex loss with a random linear term
 *
 *     w = argmin  sum_i psi(w.u_i) + ridge/2 |w - centre|^2 + b.w,   |u_i| <= radius, b random
 *
 * psi is convex and falls: 0 <= -psi' <= slope and 0 <= psi'' <= curvature. In units in which
 * radius, slope and curvature are 1 the noise of b has the scale z, the noise multiplier, and the
 * ridge is the field of that name, ridge / (curvature radius^2). What is released is the exact w
 * (or a function of it; output noise that hides how far a computed one is from it is a charge of
 * its own). The centre, and the map that makes u_i of record i, may depend on earlier releases.
 *
 * Write a_i(w) = -psi'(w.u_i), in [0, 1]. The objective is ridge-strongly convex and twice
 * differentiable, so b -> w is a bijection with inverse b(w) = sum_i a_i u_i - ridge (w - centre)
 * and Jacobian -H(w), H = sum_i psi'' u_i u_i^T + ridge I. Replace u by u'. The same w needs b' = b
 * + v, v = a' u' - a u. The log-ratio of the densities of w is
 *
 *     log p(b)/p(b + v)  +  log det H/det H'.
 *
 * Determinants. With H0 the part of H without the record, det H/det H0 = 1 + psi'' u.H0^-1 u lies
 * in [1, 1 + 1/ridge], and so does det H'/det H0: the second term is at most eta = log(1 +
 * 1/ridge), the surplus.
 *
 * Pure privacy. p ~ exp(-|b|/z): the first term is at most |v|/z <= 2/z.
 *
 * Gaussian b. The first term is l(a, a') = (2 b.v + |v|^2)/(2 z^2), convex in (a, a'), hence at
 * most its maximum over the four corners (11, 10, 01, 00) of the square, where v = v_k is a FIXED
 * vector and l = l_k is the loss of a Gaussian mechanism. (v depends on b through w, so a bound on
 * the largest |v| by itself would prove nothing.) Let r = |u|, r' = |u'|, p = -u, q = u', c the
 * cosine of the angle between p and q, t = 1/z, X_k = exp(-l_k), delta_G the curve of a Gaussian
 * mechanism.
 *
 * Theorem. For real y let D(y) = E(1 - e^(y - max_k l_k))_+. For all r, r' <= 1 and c in [-1, 1],
 * D(y) <= A(y), its value at r = r' = c = 1:
 *
 *     A(y) = delta_G(y; 2t) for y >= 0,    A(y) = 1 - 2 e^y Phi(-t) for y < 0.
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
 * phi(d(m)), and integrated over m in [0, t], delta_G(y; 2t) - delta_G(y; t) >= delta_G(y; t). QED
 *
 * A zeroed record has u' = 0, or u = 0. Then v_k is 0 or p (q), D grows with the length of that
 * vector by (1), and A is the same with t in the place of 2t: the law of mu = 1/z, not of 2/z.
 *
 * The dominating pair. A is the curve of max(0, N(mu^2/2, mu^2)), mu = 2/z: E_P(1 - e^(y - L))_+ of
 * P with that loss and Q = e^-L P where P lives, the rest of Q's mass, 2 Phi(t) - 1, being where P
 * is not. Every loss has eta more, so the hockey stick of the mechanism at ANY real epsilon, for
 * every ordered pair of neighbours, is at most A(epsilon - eta): a dominating pair, in both orders
 * at once, since the relation of replacement is symmetric (of a zeroed record both orders were
 * covered). Such pairs compose adaptively (dominating_pairs.h): that r, r' and c depend on earlier
 * outputs costs nothing, because the bound holds for all of them. The Renyi moment of order a > 1
 * is a(a-1) int t^(a-2) H_t dt over the hockey sticks H_t, t > 0, where Q's part without P adds
 * nothing:
 *
 *     E e^((a-1) L) = Phi(-mu/2) + e^(a(a-1) mu^2/2) Phi((2a-1) mu/2).
 *
 * objective.h has the closed form beside plain Gaussian steps.
 * ---------------------------------------------------------------------------------------------- */

/* Both kinds: z and ridge, of records. One user's or one query's rows are many, for which nothing
 * is proved. */
DPPAIR_API dppair_status dppair_objective_check_(const dppair_step *step) {
  const dppair_status status = dppair_plain_check_(step, DPPAIR_ERR_SIGMA);
  if (status != DPPAIR_OK) return status;
  if (dppair_adjacency_unit_(step->sampling.adjacency) != DPPAIR_OF_RECORDS_)
    return DPPAIR_ERR_ADJACENCY;
  return step->ridge >= 1e-280 ? DPPAIR_OK : DPPAIR_ERR_DOMAIN; /* 0: the ridge was forgotten */
}

/* mu of the loss whose positive part the law is, rounded up. */
DPPAIR_API double dppair_objective_mu_(const dppair_step *step) {
  return dppair_up_(dppair_step_moves_(step) / step->noise_multiplier);
}

DPPAIR_API void dppair_objective_charge_(dppair_charge_ *charge, const dppair_step *step) {
  (void)step;
  charge->attained = DPPAIR_ATTAINED_NEVER_;
}

/*
 * log E e^((a-1) L)/(a-1) without the surplus. With v = a(a-1) mu^2/2, s = (2a-1) mu/2 and t = mu/2
 * the moment is 1 + (e^v - 1) Phi(s) + Phi(s) - Phi(t), and the last difference is at most (s - t)
 * phi(t), which is near it where it would cancel. A margin for that difference alone, the rest
 * being relative: erfc has 15 u twice, and the arguments' 1.8 u and 3.8 u count
 *
 *   x |erfc'(x)|/erfc(x) <= 2 x^2 + 1
 *
 * times, x^2 = t^2/2 at least, (s^2 + 1) erfc(s/sqrt 2) falling with s: 36 u + 6 u t^2 of Phi(-t),
 * u = 1.2e-16.
 */
DPPAIR_API double dppair_positive_curve_(double mu, double a) {
  const double root = 0.70710678118654752440, t = 0.5 * mu, s = (a - 0.5) * mu;
  const double v = 0.5 * a * (a - 1.0) * mu * mu;
  double less, most;
  if (v > 30.0) return 0.5 * a * mu * mu + 1e-13 / (a - 1.0); /* log(1 + e^-v) is above the rest */
  most = 0.5 * dppair_erfc_(t * root);
  less = most - 0.5 * dppair_erfc_(s * root) + (5e-15 + 1e-15 * t * t) * most;
  most = (a - 1.0) * mu * DPPAIR_INV_SQRT_2PI_ * dppair_exp_(-0.5 * t * t);
  return dppair_log1p_(dppair_expm1_(v) * 0.5 * dppair_erfc_(-s * root) +
                       (less < most ? less : most)) /
         (a - 1.0);
}

DPPAIR_API dppair_status dppair_objective_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp =
      dppair_step_surplus_(step) + dppair_positive_curve_(dppair_objective_mu_(step), r->order);
  return DPPAIR_OK;
}

/* The law without the surplus, which whoever composes it adds: dppair_steps_surplus_. */
DPPAIR_API dppair_status dppair_objective_law_(dppair_law_ *law, const dppair_step *step,
                                               double tail) {
  (void)tail;
  law->kind = DPPAIR_LAW_POSITIVE_;
  law->mu = dppair_objective_mu_(step);
  return dppair_law_scale_(step->noise_multiplier, DPPAIR_LAW_NOISE_MOST_);
}
