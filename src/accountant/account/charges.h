/* ------------------------------------------------------------------------------------------------
 * Charging an account, one function for each mechanism, and adding up two accounts
 *
 * A charge that is refused breaks the account, which then refuses every question. Errors of all:
 * NULL, DOMAIN (an account without dppair_accountant_init), what broke it before, ENVIRONMENT,
 * NOT_FINITE, OVERFLOW; of a step SENSITIVITY (not > 0), SIGMA (not > 0), EPSILON, STEPS (0); of
 * what it says of a draw RATE, SIZE, UNREAD, ADJACENCY, DOMAIN, NO_PROOF. Relies on account.h.
 * ---------------------------------------------------------------------------------------------- */

/*
 * Adds any step, described as in dppair_step. A step without a valid proof, or
 * whose adjacency contradicts an earlier one, breaks the account; the reason is returned. Plain
 * steps may leave out their adjacency.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_step(dppair_accountant *a,
                                                                  const dppair_step *step) {
  dppair_ledger_entry charge;
  const dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (step == NULL) return dppair_accountant_break_(a, DPPAIR_ERR_NULL);
  memset(&charge, 0, sizeof charge);
  charge.step = *step;
  return dppair_accountant_charge_(a, &charge);
}

DPPAIR_API dppair_step dppair_step_make_(dppair_mechanism_kind kind, double multiplier,
                                         size_t steps) {
  dppair_step step;
  memset(&step, 0, sizeof step);
  step.kind = kind;
  step.noise_multiplier = multiplier;
  step.steps = steps;
  return step;
}

/* Are these a sensitivity and a noise scale? If not, the account breaks. */
DPPAIR_API dppair_status dppair_accountant_scale_(dppair_accountant *a, double sensitivity,
                                                  double scale) {
  const dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(sensitivity) || !dppair_isfinite_f64(scale))
    return dppair_accountant_break_(a, DPPAIR_ERR_NOT_FINITE);
  if (!(sensitivity > 0.0)) return dppair_accountant_break_(a, DPPAIR_ERR_SENSITIVITY);
  return scale > 0.0 ? DPPAIR_OK : dppair_accountant_break_(a, DPPAIR_ERR_SIGMA);
}

/* Adds `steps` >= 1 releases with Gaussian noise sigma > 0 of statistics with this l2 sensitivity
 * > 0. A sensitivity of 0 is refused: constants need no noise, and 0 is what a function leaves
 * behind whose error nobody looked at. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_gaussian(dppair_accountant *a,
                                                                      double sensitivity,
                                                                      double sigma, size_t steps) {
  dppair_ledger_entry charge;
  double mu;
  dppair_status status = dppair_accountant_scale_(a, sensitivity, sigma);
  if (status != DPPAIR_OK) return status;
  if (steps == 0) return dppair_accountant_break_(a, DPPAIR_ERR_STEPS);
  memset(&charge, 0, sizeof charge);
  charge.step = dppair_step_make_(DPPAIR_GAUSSIAN, 0.0, steps);
  charge.sensitivity = sensitivity;
  charge.sigma = sigma;
  charge.step.sampling.adjacency = dppair_accountant_adjacency_(a, (dppair_adjacency)0);
  status = dppair_accountant_relate_(a, (dppair_adjacency)0, a->stated > 0 ? 0 : -1);
  if (status != DPPAIR_OK) return status;
  mu = dppair_up_(sensitivity / sigma);
  status = dppair_accountant_add_gaussian_(a, dppair_squared_up_(mu > 0.0 ? mu : 1e-150, steps));
  if (status == DPPAIR_OK) dppair_accountant_count_(a, &charge);
  return status;
}

/* Charges `steps` steps whose multiplier is scale / sensitivity, rounded down; one that is unusable
 * breaks the account. */
DPPAIR_API dppair_status dppair_accountant_scaled_(dppair_accountant *a, dppair_mechanism_kind kind,
                                                   const dppair_sampling *sampling,
                                                   double pair_rate, double sensitivity,
                                                   double scale, size_t steps) {
  dppair_ledger_entry charge;
  double z;
  const dppair_status status = dppair_accountant_scale_(a, sensitivity, scale);
  if (status != DPPAIR_OK) return status;
  z = dppair_down_(scale / sensitivity);
  if (!dppair_isfinite_f64(z)) z = 1e300;
  if (!(z > 0.0)) return dppair_accountant_break_(a, DPPAIR_ERR_SIGMA);
  memset(&charge, 0, sizeof charge);
  charge.step = dppair_step_make_(kind, z, steps);
  charge.step.sampling = *sampling;
  charge.step.pair_rate = pair_rate;
  charge.sensitivity = sensitivity;
  charge.sigma = scale;
  return dppair_accountant_charge_(a, &charge);
}

/* Adds `steps` releases with Laplace noise of this scale per coordinate; the sensitivity is in the
 * l1 norm. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_laplace(dppair_accountant *a,
                                                                     double l1_sensitivity,
                                                                     double scale, size_t steps) {
  dppair_sampling none;
  memset(&none, 0, sizeof none);
  return dppair_accountant_scaled_(a, DPPAIR_LAPLACE, &none, 0.0, l1_sensitivity, scale, steps);
}

/* Adds `steps` releases by any epsilon-private mechanism. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_pure(dppair_accountant *a,
                                                                  double epsilon, size_t steps) {
  const dppair_step step = dppair_step_make_(DPPAIR_PURE, epsilon, steps);
  return dppair_accountant_step(a, &step);
}

/* Adds `steps` Gaussian releases of a statistic of freshly sampled records. dppair_step says for
 * each kind of sampling which move `sensitivity` is. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_accountant_sampled_gaussian(dppair_accountant *a, dppair_sampling sampling,
                                   double sensitivity, double sigma, size_t steps) {
  return dppair_accountant_scaled_(a, DPPAIR_SAMPLED_GAUSSIAN, &sampling, 0.0, sensitivity, sigma,
                                   steps);
}

/* Adds `steps` Gaussian releases of a sum of the vectors of freshly sampled pairs, each of norm <=
 * pair_clip, n records. Poisson: every unordered pair is drawn with probability sampling.q and
 * gives one vector. With replacement: m independent uniform pairs. Matching: m records, so m/2
 * pairs. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_sampled_pairs(
    dppair_accountant *a, dppair_sampling sampling, double pair_clip, double sigma, size_t steps) {
  double pair_rate = 0.0;
  if (sampling.kind == DPPAIR_POISSON) {
    pair_rate = sampling.q;
    sampling.q = 0.0;
  }
  return dppair_accountant_scaled_(a, DPPAIR_SAMPLED_PAIRS, &sampling, pair_rate, pair_clip, sigma,
                                   steps);
}

/* Adds gamma in [0, 1] to delta: the probability, under both data sets, of an event in which the
 * account may be wrong (more hits than a cap, a bound that holds with high probability). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_failure(dppair_accountant *a,
                                                                     double gamma) {
  dppair_ledger_entry charge;
  const dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(gamma)) return dppair_accountant_break_(a, DPPAIR_ERR_NOT_FINITE);
  if (gamma < 0.0 || gamma > 1.0) return dppair_accountant_break_(a, DPPAIR_ERR_DOMAIN);
  if (!(gamma > 0.0)) return DPPAIR_OK; /* no charge */
  memset(&charge, 0, sizeof charge);
  charge.failure = gamma;
  a->failure = dppair_add_up_(a->failure, gamma);
  dppair_accountant_count_(a, &charge);
  return DPPAIR_OK;
}

/*
 * Sequential composition: adds everything in b to a. Relations that differ, or a relation that one
 * of the two was told (dppair_accountant_neighbours) beside steps of the other that state none,
 * break a. a then counts the charges of both, and its check covers both checks, but it is no longer
 * the chain of one ledger: to go on, charge the two accounts and merge copies of them.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_merge(dppair_accountant *a,
                                                                   const dppair_accountant *b) {
  dppair_status status = dppair_accountant_open_(a);
  size_t i;
  if (status != DPPAIR_OK) return status;
  status = dppair_accountant_usable_(b);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  status = dppair_accountant_relate_(a, b->named, b->stated);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < b->count; i++) {
    status = dppair_accountant_add_(a, &b->step[i]);
    if (status != DPPAIR_OK) return status;
  }
  a->zcdp = dppair_add_up_(a->zcdp, b->zcdp);
  a->failure = dppair_add_up_(a->failure, b->failure);
  if (b->folded) {
    for (i = 0; i < DPPAIR_ORDER_COUNT; i++) {
      const double total = dppair_add_up_(a->rdp[i], b->rdp[i]);
      a->rdp[i] = dppair_isfinite_f64(total) ? total : DBL_MAX;
    }
    a->folded = 1;
  }
  status = dppair_accountant_finite_(a, a->zcdp);
  if (status != DPPAIR_OK) return status;
  a->additions += b->additions;
  a->unattained |= b->unattained;
  if (b->gaussian > 0.0) status = dppair_accountant_add_gaussian_(a, b->gaussian);
  if (status == DPPAIR_OK && b->sequence > 0) {
    a->sequence += b->sequence;
    a->check = dppair_check_word_(a->check, 16, b->sequence);
    a->check = dppair_check_word_(a->check, 17, b->check);
    memset(a->recent, 0, sizeof a->recent);
    a->recent[a->sequence % DPPAIR_RECENT_CHARGES] = a->check;
  }
  return status;
}
