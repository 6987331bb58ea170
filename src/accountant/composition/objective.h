/* ------------------------------------------------------------------------------------------------
 * Objective perturbation beside plain Gaussian steps, in closed form
 *
 * With mu_before of all plain Gaussian steps together, before or after, L their loss, mu and eta
 * those of the perturbed objective (mechanisms/objective.h) and x = epsilon - eta >= 0,
 *
 *     delta <= E A(x - L),  L ~ N(mu_before^2/2, mu_before^2)
 *           <= delta_G(x; sqrt(mu_before^2 + mu^2))
 *              + e^x Phi(-x/mu_before - mu_before/2) (2 Phi(mu/2) - 1).
 *
 * Proof. The first is the composition of the two dominating pairs. For the second, A(y) exceeds the
 * Gaussian curve E(1 - e^(y - N))_+, N ~ N(mu^2/2, mu^2), by at most e^y E(e^-N - 1)_+ = e^y (2
 * Phi(mu/2) - 1) for y < 0, and not at all for y >= 0; E e^-L over L > x is the tail. It is tight
 * but for eta and, where delta is large, a few percent. QED Below eta a chord is above the curve,
 * which is convex in e^epsilon and 1 where that is 0:
 *
 *     delta(epsilon) <= 1 - e^x (1 - delta(eta)).
 *
 * Relies on gaussian_curve.h, account.h and mechanisms/objective.h.
 * ---------------------------------------------------------------------------------------------- */

/* e^x Phi(-x/mu - mu/2) = phi(t) R(t + mu), t = x/mu - mu/2, rounded up; x >= 0. */
DPPAIR_API double dppair_loss_tail_(double x, double mu) {
  const double ratio = x / mu, t = ratio - 0.5 * mu;
  if (mu <= 0.0 || dppair_fabs_(t) >= 1e100) return 0.0; /* no double is as small */
  return DPPAIR_INV_SQRT_2PI_ * dppair_gauss_kernel_(t, dppair_curve_lost_(x, mu, ratio, t)) *
         dppair_mills_(ratio + 0.5 * mu) * (1.0 + DPPAIR_CURVE_SLACK_);
}

/* A bound of delta at an epsilon that is `below` less than one where delta is at most `delta`. */
DPPAIR_API double dppair_delta_chord_(double delta, double below) {
  return dppair_up_(1.0 -
                    dppair_down_(dppair_down_(dppair_exp_(-below))) * dppair_down_(1.0 - delta));
}

/* The closed form, rounded up, at most 1. All arguments are finite, mu > 0, before >= 0. */
DPPAIR_API double dppair_objective_upper_(double epsilon, double before, double mu,
                                          double surplus) {
  const double over = epsilon - surplus, x = over > 0.0 ? dppair_down_(over) : 0.0;
  double delta;
  if (dppair_gaussian_delta(&delta, x, dppair_hypot_(before, mu) * (1.0 + 8.0 * DPPAIR_UNIT_)) !=
      DPPAIR_OK)
    return 1.0;
  delta += dppair_loss_tail_(x, before) * dppair_erf_(0.5 * 0.70710678118654752440 * mu);
  delta *= 1.0 + 1e-14; /* erf's 8 u, its argument's 1.8 u, which count once at most, and two u */
  if (!(over >= 0.0)) delta = dppair_delta_chord_(delta, dppair_up_(-over));
  return delta < 1.0 ? delta : 1.0; /* 1 for a NaN */
}

/* Is one run of a perturbed objective all that the account holds beside plain Gaussian steps? */
DPPAIR_API int dppair_accountant_is_objective_(const dppair_accountant *a) {
  return dppair_accountant_usable_(a) == DPPAIR_OK && a->count == 1 && !a->folded &&
         a->zcdp <= 0.0 && a->step[0].steps == 1 &&
         dppair_mechanism_is_objective_(a->step[0].kind) &&
         !dppair_mechanism_is_pure_(a->step[0].kind);
}

/* The closed form of such an account at epsilon, without failures. */
DPPAIR_API double dppair_objective_at_(const dppair_accountant *a, double epsilon) {
  return dppair_objective_upper_(epsilon, dppair_up_(dppair_sqrt_(a->gaussian)),
                                 dppair_objective_mu_(&a->step[0]),
                                 dppair_step_surplus_(&a->step[0]));
}

/* The smallest epsilon of such an account at which the closed form is at most delta, by bisection:
 * what is returned was asked. OVERFLOW: none up to 1e300. */
DPPAIR_API dppair_status dppair_objective_epsilon_(double *epsilon, const dppair_accountant *a,
                                                   double delta) {
  double low = 0.0, high = 1.0;
  int i;
  *epsilon = 0.0;
  if (dppair_objective_at_(a, 0.0) <= delta) return DPPAIR_OK;
  while (dppair_objective_at_(a, high) > delta) {
    low = high;
    high *= 2.0;
    if (!(high < 1e300)) return DPPAIR_ERR_OVERFLOW;
  }
  for (i = 0; i < 1100 && high - low > 4.0 * DPPAIR_UNIT_ * high; i++) {
    const double middle = low + 0.5 * (high - low);
    if (dppair_objective_at_(a, middle) > delta)
      low = middle;
    else
      high = middle;
  }
  *epsilon = high;
  return DPPAIR_OK;
}

/* What a perturbed objective may cost, and what is known of it but its noise. */
typedef struct dppair_objective_budget_ {
  double epsilon, delta, before; /* delta = 0: noise of density exp(-|b|/z) */
  double ridge, ratio;           /* the ridge is ridge + ratio z */
  dppair_adjacency adjacency;
} dppair_objective_budget_;

/* Does the noise multiplier z suffice? A trace of delta is left, so that the same question in
 * another order of rounding has the same answer. */
DPPAIR_API int dppair_objective_suffices_(const dppair_objective_budget_ *b, double z) {
  dppair_step step;
  memset(&step, 0, sizeof step);
  step.kind = b->delta > 0.0 ? DPPAIR_OBJECTIVE : DPPAIR_PURE_OBJECTIVE;
  step.noise_multiplier = z;
  step.sampling.adjacency = b->adjacency;
  step.ridge = b->ridge + b->ratio * z;
  if (!(step.ridge >= 1e-280)) return 0;
  if (!(b->delta > 0.0)) return dppair_step_pure_(&step) <= b->epsilon;
  return dppair_objective_upper_(b->epsilon, b->before, dppair_up_(dppair_step_moves_(&step) / z),
                                 dppair_step_surplus_(&step)) <= b->delta * (1.0 - 1e-12);
}

/* *z: the smallest noise multiplier that suffices, to 13 digits and not below 2e-3. EXHAUSTED: none
 * up to 1e30 does. */
DPPAIR_API dppair_status dppair_objective_find_(double *z, const dppair_objective_budget_ *b) {
  double low = 1e-3, high = 2e-3;
  *z = 0.0;
  while (!dppair_objective_suffices_(b, high)) {
    low = high;
    high *= 2.0;
    if (!(high < 1e30)) return DPPAIR_ERR_EXHAUSTED;
  }
  while (high - low > 1e-13 * high) {
    const double middle = low + 0.5 * (high - low);
    if (dppair_objective_suffices_(b, middle))
      high = middle;
    else
      low = middle;
  }
  *z = high;
  return DPPAIR_OK;
}

/*
 * *delta >= that of an objective perturbed with Gaussian noise (DPPAIR_OBJECTIVE) of this noise
 * multiplier and ridge, both > 0 as in dppair_step, where one record is replaced, beside releases
 * that are mu_before-Gaussian private, mu_before >= 0; at this epsilon >= 0, which should be above
 * log(1 + 1/ridge). An account that holds just that answers the same without memory. Errors:
 * NULL, ENVIRONMENT, NOT_FINITE, EPSILON, SIGMA, DOMAIN (mu_before, ridge).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_objective_delta_(double *delta, double epsilon,
                                                                   double mu_before,
                                                                   double noise_multiplier,
                                                                   double ridge) {
  dppair_step step;
  if (delta == NULL) return DPPAIR_ERR_NULL;
  *delta = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(mu_before) ||
      !dppair_isfinite_f64(noise_multiplier) || !dppair_isfinite_f64(ridge))
    return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (!(noise_multiplier > 0.0)) return DPPAIR_ERR_SIGMA;
  if (!(mu_before >= 0.0 && ridge >= 1e-280)) return DPPAIR_ERR_DOMAIN;
  memset(&step, 0, sizeof step);
  step.kind = DPPAIR_OBJECTIVE;
  step.noise_multiplier = noise_multiplier;
  step.ridge = ridge;
  *delta = dppair_objective_upper_(epsilon, mu_before, dppair_up_(2.0 / noise_multiplier),
                                   dppair_step_surplus_(&step));
  return DPPAIR_OK;
}

/*
 * *noise_multiplier: the smallest one with which an objective that is perturbed at the ridge `ratio
 * * noise_multiplier` stays within (epsilon, delta) beside releases that are mu_before-Gaussian
 * private: those of an account before the plan, and the plan's trace, are one by the root of the
 * sum of squares. One record is replaced. A plan with this noise_multiplier, ridge = ratio *
 * noise_multiplier and epsilon = delta = 0 then is charged as it is, and the account answers at
 * most epsilon. delta = 0: DPPAIR_PURE_OBJECTIVE at epsilon, mu_before = 0. Errors: NULL,
 * ENVIRONMENT, NOT_FINITE, EPSILON, DELTA, DOMAIN (mu_before, ratio); EXHAUSTED: no noise suffices.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_objective_noise(double *noise_multiplier,
                                                                  double epsilon, double delta,
                                                                  double mu_before, double ratio) {
  dppair_objective_budget_ b = {epsilon, delta, mu_before, 0.0, ratio, DPPAIR_REPLACE_ONE};
  if (noise_multiplier == NULL) return DPPAIR_ERR_NULL;
  *noise_multiplier = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(delta) ||
      !dppair_isfinite_f64(mu_before) || !dppair_isfinite_f64(ratio))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(epsilon > 0.0)) return DPPAIR_ERR_EPSILON;
  if (!(delta >= 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  if (!(mu_before >= 0.0 && ratio > 0.0) || (delta <= 0.0 && mu_before > 0.0))
    return DPPAIR_ERR_DOMAIN;
  b.before *= 1.0 + 1e-13; /* an account that sums squares has no less */
  return dppair_objective_find_(noise_multiplier, &b);
}
