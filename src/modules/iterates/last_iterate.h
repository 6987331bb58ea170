/* ------------------------------------------------------------------------------------------------
 * The last iterate of noisy descent
 *
 *     w_{t+1} = Proj( w_t - eta (g_D(w_t) + N(0, sigma^2 I)) ),  t = 0 .. T-1,
 *
 * released once, at t = T, costs less than T releases where each step forgets the one before: by
 * shifted interpolation (Bok, Su and Altschuler 2024). Relies on sensitivity.h and descents.h.
 * ---------------------------------------------------------------------------------------------- */

/*
 * With c = 1 - gap a Lipschitz constant of a step, in units of sensitivity/sigma, T = `steps`:
 * without a diameter the square root of (1 - c^T)/(1 + c^T) (1 + c)/(1 - c), which is
 * (sum of c^k)^2 / sum of c^2k over k < T, grows with c and is T at c = 1.
 */
DPPAIR_API double dppair_last_free_(double gap, double steps) {
  double a, x;
  if (!(gap > 0.0)) return dppair_sqrt_(steps);
  a = gap < 1.0 ? -dppair_log1p_(-gap) : HUGE_VAL;
  x = dppair_exp_(-a * steps);
  x = -dppair_expm1_(-a * steps) / (1.0 + x) * ((2.0 - gap) / gap);
  return x < steps ? dppair_sqrt_(x) : dppair_sqrt_(steps);
}

/* With the last k steps alone, from two points that are `width` steps of eta sensitivity apart:
 * what these steps spend by themselves, and what they spend on the width. Both grow with c. */
DPPAIR_API double dppair_last_within_(double gap, double width, double k) {
  double a;
  if (!(gap > 0.0))
    return dppair_sqrt_(k) +
           width / dppair_sqrt_(k) * dppair_exp_(-gap * k); /* the width grows by c^k */
  a = gap < 1.0 ? -dppair_log1p_(-gap) : HUGE_VAL;
  return dppair_last_free_(gap, k) +
         width * dppair_sqrt_(gap * (2.0 - gap) / dppair_expm1_(2.0 * a * k));
}

/*
 * *mu >= the mu with which the LAST of T = `steps` iterates, alone, is a Gaussian mechanism.
 *
 *   sensitivity   of the gradient g: |g_D(w) - g_D'(w)| at every w of the set, with all that
 *                 computing a step can add (below)
 *   sigma         of the noise in each coordinate of the gradient; that of w is eta sigma
 *   smoothness    L: g_D is the gradient of an L-smooth function, regulariser included, for D and
 *                 D' alike; HUGE_VAL (hinge: none) is NO_PROOF
 *   alpha         that function's strong convexity, regulariser included; 0 needs a diameter, else
 *                 NO_PROOF: a step then forgets nothing
 *   eta           the step size, at most 2/L (STEP_SIZE)
 *   diameter      of the closed convex set that each iterate is projected on; HUGE_VAL: no set
 *
 *     c = max(|1 - eta alpha|, |1 - eta L|),  D = sensitivity/sigma,  s = eta sensitivity
 *     mu = D sqrt((1 - c^T)/(1 + c^T) (1 + c)/(1 - c)) <= D sqrt(T); never above
 *     mu = (c^k diameter + s (1 - c^k)/(1 - c)) sqrt((1 - c^2)/(1 - c^2k)) / (eta sigma)
 *
 * for every integer k in 1 .. T. The second is least at 1 - c^k = (1 - c) diameter/s, and falls or
 * grows to both sides of it: the two integers around it are compared.
 *
 * Proof. Let X be the run on D and Y_{t+1} = Proj(l phi_D(X_t) + (1 - l) phi_D'(Y_t) + Z_t) with
 * X's noise, l = l_{t+1}, l_T = 1, so that Y_T = X_T. With d_t >= |X_t - Y_t| a step gives
 * d_{t+1} = (1 - l)(c d_t + s), and Y_{t+1} is D's neighbour's step from Y_t but for a shift of
 * norm a_{t+1} <= l (c d_t + s). The shift depends on the past; mixtures of shifted Gaussians are
 * no worse than the largest shift, so Y_T against the run on D' has mu^2 = sum of a_t^2/(eta
 * sigma)^2. a_t + d_t = c d_{t-1} + s, d_0 = 0 = d_T, hence sum of c^(T-t) a_t = s (1 - c^T)/
 * (1 - c), least for a_t in proportion to c^(T-t), which keeps d_t >= 0. Started k steps before the
 * end from d = diameter: the second form. For c > 1 by rounding equal a_t will do. Attained by a
 * linear function with the regulariser alone, L = alpha.
 *
 * Rounding. What is computed before the noise may be off by e in each run: add 2 e/eta to the
 * sensitivity. What rounds afterwards (the grid of the noise, the projection), by r in all, enters
 * the next step: add 2 c r/eta. NAME_sensitivity is about one point, and covers no such thing.
 *
 * What is needed besides. Nothing else of the run leaves it: no iterate, no loss or norm of a
 * gradient, no stop that depends on them. The start and T are public. Clipping only where it leaves
 * the gradient of a smooth and strongly convex function (slopes of linear margins), not of records'
 * norms or of networks. Averages of iterates, momentum, adaptive steps and batches have no proof.
 * Charge dppair_accountant_gaussian(account, mu, 1.0, 1) before the first step.
 *
 * Smoothness of the mean over n(n-1) ordered pairs, rows |x| <= R, logistic slope: 'ind'
 * R^2 n/(4 (n-1)), 'diff' 2 R^2 n/(n-1), since at most n^2/4 pairs have two labels; else one
 * pair's. Then alpha is added.
 * Errors: NULL, ENVIRONMENT, NOT_FINITE, DOMAIN, NO_PROOF, STEP_SIZE, SIZE (no steps), SIGMA,
 * OVERFLOW. An eta that is 2/smoothness rounded up is accepted.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_gaussian_mu_last_iterate(double *mu, double sensitivity, double sigma, double smoothness,
                                double alpha, double eta, size_t steps, double diameter) {
  const double total = (double)steps;
  dppair_status status = dppair_sensitivity_args_(mu, 2, sensitivity, alpha, eta);
  double gap, best, other, width, k;
  if (status != DPPAIR_OK) return status;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (smoothness != smoothness || diameter != diameter) return DPPAIR_ERR_NOT_FINITE;
  if (!dppair_isfinite_f64(sigma) || !(sigma > 0.0) || !dppair_ordinary_(sigma))
    return DPPAIR_ERR_SIGMA;
  if (!(smoothness > 0.0) || !(diameter > 0.0) || !(eta > 0.0) || alpha > smoothness)
    return DPPAIR_ERR_DOMAIN;
  if (smoothness >= HUGE_VAL) return DPPAIR_ERR_NO_PROOF;
  if (!(alpha > 0.0) && diameter >= HUGE_VAL) return DPPAIR_ERR_NO_PROOF;
  if (!dppair_ordinary_(smoothness) || (diameter < HUGE_VAL && !dppair_ordinary_(diameter)))
    return DPPAIR_ERR_DOMAIN;
  if (steps < 1) return DPPAIR_ERR_SIZE;
  if (eta * smoothness > 2.0) return DPPAIR_ERR_STEP_SIZE;
  if (!(sensitivity > 0.0)) return DPPAIR_OK;
  /* 1 - c, rounded down: the nearer of both ends of the spectrum */
  gap = dppair_step_gap_(eta, smoothness, 0.0);
  other = eta * alpha * (1.0 - 2.0 * DBL_EPSILON);
  if (other < gap) gap = other;
  best = dppair_last_free_(gap, total);
  width = diameter < HUGE_VAL ? diameter / (eta * sensitivity) : HUGE_VAL;
  if (width * gap < 1.0) { /* else the set is wider than the iterates ever are apart */
    k = gap > 0.0 ? dppair_floor_(dppair_log1p_(-width * gap) / dppair_log1p_(-gap))
                  : dppair_floor_(width);
    if (!(k >= 1.0)) k = 1.0;
    if (k > total) k = total;
    other = dppair_last_within_(gap, width, k);
    if (other < best) best = other;
    if (k < total) other = dppair_last_within_(gap, width, k + 1.0);
    if (other < best) best = other;
  }
  return dppair_sensitivity_store_(mu, sensitivity / sigma * best * (1.0 + 1e-14));
}
