/* ------------------------------------------------------------------------------------------------
 * What an account means: the Gaussian mechanism that it is as good as
 *
 * In s = e^epsilon delta is convex, so that it lies under its chord between two points of an
 * account's curve, and the Gaussian curve over its tangents, of slope -P(N(0,1) > epsilon/mu +
 * mu/2). A mu whose tangent lies over the chord in every cell is thereby proved for all epsilon.
 * Relies on curve.h and gaussian_curve.h.
 * ---------------------------------------------------------------------------------------------- */

/* P(N(0,1) > epsilon/mu + mu/2), the rate of false positives where the Gaussian curve has the slope
 * e^epsilon, to 12 digits. */
DPPAIR_API double dppair_attack_tail_(double epsilon, double mu) {
  const double z = epsilon / mu + 0.5 * mu;
  return DPPAIR_INV_SQRT_2PI_ * dppair_exp_(-0.5 * z * z) * dppair_mills_(z);
}

/* 1 when the Gaussian curve of mu, plus `slack`, surely lies above D between nodes i and i + 1: D
 * is below its chord there, and the curve above its tangent where that is parallel to the chord. */
DPPAIR_API int dppair_attack_covers_(const dppair_attack_ *k, size_t i, double mu, double slack) {
  const double s0 = dppair_exp_(k->epsilon[i]), s1 = dppair_exp_(k->epsilon[i + 1]);
  const double v0 = k->upper[i] - slack, v1 = k->upper[i + 1] - slack, fall = (v0 - v1) / (s1 - s0);
  double left = k->epsilon[i], right = k->epsilon[i + 1], delta, tail, middle;
  int round;
  for (round = 0; round < 50; round++) {
    middle = 0.5 * (left + right);
    if (dppair_attack_tail_(middle, mu) > fall)
      left = middle;
    else
      right = middle;
  }
  tail = dppair_attack_tail_(left, mu);
  if (!(tail > 1e-290)) return 0; /* a tangent whose slope has lost its digits */
  delta = dppair_gaussian_delta_below_(left, mu) - 4e-15;
  middle = dppair_exp_(left);
  return delta + tail * (1.0 - 1e-11) * (middle - s0) >= v0 &&
         delta - tail * (1.0 + 1e-11) * (s1 - middle) >= v1;
}

/* The largest |Gaussian curve of mu - delta| over the points. */
DPPAIR_API double dppair_attack_distance_(const dppair_attack_ *k, double mu) {
  double most = 0.0;
  size_t i;
  for (i = 0; i < k->count; i++) {
    double delta = 1.0, gap;
    if (dppair_gaussian_delta(&delta, k->epsilon[i], mu) != DPPAIR_OK) return HUGE_VAL;
    gap = dppair_fabs_(delta - k->upper[i]);
    if (gap > most) most = gap;
  }
  return most;
}

/* mu->estimate: where that distance is smallest, by golden section (it falls, then rises). */
DPPAIR_API double dppair_attack_nearest_(const dppair_attack_ *k, double high) {
  const double golden = 0.61803398874989484820;
  double low = 0.0;
  int round;
  for (round = 0; round < 80; round++) {
    const double x1 = high - golden * (high - low), x2 = low + golden * (high - low);
    if (dppair_attack_distance_(k, x1) <= dppair_attack_distance_(k, x2))
      high = x2;
    else
      low = x1;
  }
  return 0.5 * (low + high);
}

/* Adds points where `slack` begins to cover delta, which is *last then, and evenly below. 0: slack
 * never does. */
DPPAIR_API int dppair_attack_spread_(double *last, dppair_attack_ *k, double slack) {
  double low = 0.0, high = HUGE_VAL;
  size_t i;
  for (i = 0; i < k->count && !(high <= DPPAIR_ATTACK_FAR_); i++) {
    if (k->upper[i] <= slack)
      high = k->epsilon[i];
    else
      low = k->epsilon[i];
  }
  if (!(high <= DPPAIR_ATTACK_FAR_)) return 0;
  for (i = 0; i < 12 && high > 0.0 && k->count + 36 < DPPAIR_ATTACK_NODES_; i++) {
    const double middle = 0.5 * (low + high);
    if (dppair_attack_add_(k, middle) != DPPAIR_OK) break;
    if (k->latest <= slack)
      high = middle;
    else
      low = middle;
  }
  for (i = 1; i < 32 && high > 0.0; i++)
    if (dppair_attack_add_(k, high * (double)i / 32.0) != DPPAIR_OK) break;
  *last = high;
  return 1;
}

/*
 * The account as one Gaussian mechanism: *mu encloses the smallest mu such that at every epsilon
 * delta <= delta of N(mu, 1) against N(0, 1) + slack, so that T(f) <= Phi(Phi^-1(f) + mu) + slack
 * for all f: `upper` is surely one such mu, and infinite where none is known; smaller than `lower`
 * is none, where neighbours are known that attain the account. `estimate` bounds nothing: it is the
 * mu whose curve is nearest, by the largest difference of delta. With slack = 0 only plain Gaussian
 * steps and pure ones have a finite mu that is worth something: a rare large loss, such as that of
 * the step that drew the record, is what slack covers. slack in [0, 1), at least the failure
 * probability for a finite `upper`. composer and errors: those of dppair_accountant_delta;
 * NULL, NOT_FINITE, DELTA (slack).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_attack_fit(dppair_interval *mu,
                                                             const dppair_accountant *a,
                                                             double slack,
                                                             const dppair_composer *composer) {
  dppair_attack_ k;
  dppair_status status;
  double value, mu0, low = 0.0, last = 0.0, top = 1.0;
  size_t i;
  int covered, round;
  if (mu == NULL) return DPPAIR_ERR_NULL;
  memset(mu, 0, sizeof *mu);
  if (!dppair_isfinite_f64(slack)) return DPPAIR_ERR_NOT_FINITE;
  if (!(slack >= 0.0 && slack < 1.0)) return DPPAIR_ERR_DELTA;
  status = dppair_attack_begin_(&k, a, composer);
  if (status != DPPAIR_OK) return status;
  mu->route = k.route[0];
  mu0 = dppair_up_(dppair_sqrt_(a->gaussian));
  covered = dppair_attack_spread_(&last, &k, slack);
  for (i = 0; covered && i + 1 < k.count && k.epsilon[i] < last; i++) {
    double high = low > 1e-9 ? low : 1e-9;
    if (low > 0.0 && dppair_attack_covers_(&k, i, low, slack)) continue;
    while (high < 1e6 && !dppair_attack_covers_(&k, i, high, slack)) high *= 2.0;
    for (round = 0; round < 60; round++) {
      value = 0.5 * (low + high);
      if (dppair_attack_covers_(&k, i, value, slack))
        high = value;
      else
        low = value;
    }
    low = high;
  }
  mu->upper = covered && low < 1e6 ? low : HUGE_VAL;
  if (dppair_accountant_is_gaussian_(a) && a->failure <= slack && mu0 < mu->upper) mu->upper = mu0;
  for (i = 0; i < k.count; i++) {
    const double below = (k.below[0][i] > k.below[1][i] ? k.below[0][i] : k.below[1][i]) - slack;
    if (below > 0.0 && below < 1.0 &&
        dppair_gaussian_mu(&value, k.epsilon[i], dppair_down_(below)) == DPPAIR_OK &&
        value > mu->lower)
      mu->lower = value;
  }
  if (mu->lower > mu->upper) mu->lower = mu->upper;
  while (top < 1e6 && dppair_attack_distance_(&k, 2.0 * top) < dppair_attack_distance_(&k, top))
    top *= 2.0;
  if (dppair_accountant_is_gaussian_(a))
    mu->estimate = mu0;
  else if (k.upper[0] > 0.0)
    mu->estimate = k.upper[0] < 1.0 ? dppair_attack_nearest_(&k, 2.0 * top) : HUGE_VAL;
  return DPPAIR_OK;
}
