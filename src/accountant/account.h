/* ------------------------------------------------------------------------------------------------
 * The accountant: what has been released so far
 *
 * An account keeps plain Gaussian steps as one number, which composes on the exact curve, zCDP
 * steps as a sum of rho, and all other steps in a table of distinct mechanisms with their counts.
 * Every route evaluates the same table: Renyi orders (conversion.h) or numerical composition. When
 * the table is full, further distinct steps are added to Renyi curves at a fixed list of orders
 * (`folded`); from then on the account answers from those orders only. Relies on steps.h,
 * step_checks.h, hits.h and renyi.h.
 *
 * What is released may depend on earlier outputs. The parameters of a step and the number of steps
 * must not, because an epsilon that is itself a function of the outputs is no guarantee. If noise,
 * rates or the end of a run are chosen from outputs, use dppair_filter or dppair_odometer.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_STEP_CAPACITY 128
#define DPPAIR_ORDER_COUNT 150

typedef struct dppair_accountant {
  uint32_t ready;             /* set by dppair_accountant_init */
  dppair_status broken;       /* why the first refused step was refused; OK: none was */
  dppair_adjacency adjacency; /* of the steps that state one; 0: none does yet */
  int unattained;             /* some step is charged more than any two data sets attain */
  int folded;                 /* the table was full: answers come from the fixed orders */
  double gaussian;            /* sum of (sensitivity / sigma)^2 over plain Gaussian steps */
  double additions;           /* how often that sum was rounded up */
  double zcdp;                /* sum of rho */
  double pure;                /* sum of epsilon over the steps that have one */
  double failure;             /* probability that is added to delta */
  size_t count;               /* distinct steps in the table */
  dppair_step step[DPPAIR_STEP_CAPACITY];
  double rdp[DPPAIR_ORDER_COUNT]; /* folded steps: their divergences at the fixed orders */
} dppair_accountant;

#define DPPAIR_ACCOUNTANT_READY_ UINT32_C(0x64707061)

/* The index-th fixed order, index < DPPAIR_ORDER_COUNT: 1.01 to 10001, geometric in order - 1. */
DPPAIR_API double dppair_order(size_t index) {
  const double log_million = 13.815510557964274;
  return 1.0 + 0.01 * exp((double)index * (log_million / (DPPAIR_ORDER_COUNT - 1)));
}

/* Empties an account: nothing has been released. */
DPPAIR_API dppair_status dppair_accountant_init(dppair_accountant *a) {
  if (a == NULL) return DPPAIR_ERR_NULL;
  memset(a, 0, sizeof *a);
  a->ready = DPPAIR_ACCOUNTANT_READY_;
  a->broken = DPPAIR_OK;
  return DPPAIR_OK;
}

/* May the account be asked? */
DPPAIR_API dppair_status dppair_accountant_usable_(const dppair_accountant *a) {
  if (a == NULL) return DPPAIR_ERR_NULL;
  if (a->ready != DPPAIR_ACCOUNTANT_READY_) return DPPAIR_ERR_DOMAIN;
  return a->broken != DPPAIR_OK ? a->broken : dppair_environment_check();
}

/* Breaks the account, which then refuses every question: a status that nobody looked at must not
 * become an epsilon that is too small. */
DPPAIR_API dppair_status dppair_accountant_break_(dppair_accountant *a, dppair_status status) {
  if (a->broken == DPPAIR_OK) a->broken = status;
  return status;
}

/* May the account be charged? In another rounding mode sums would not be rounded up, so that breaks
 * the account too. */
DPPAIR_API dppair_status dppair_accountant_open_(dppair_accountant *a) {
  const dppair_status status = dppair_accountant_usable_(a);
  return status == DPPAIR_ERR_ENVIRONMENT ? dppair_accountant_break_(a, status) : status;
}

/* x + y, rounded up, exact when one of them is 0. */
DPPAIR_API double dppair_add_up_(double x, double y) {
  return x > 0.0 && y > 0.0 ? dppair_up_(x + y) : x + y;
}

/* Has a sum of charges stayed finite? Otherwise the account breaks. */
DPPAIR_API dppair_status dppair_accountant_finite_(dppair_accountant *a, double x) {
  return dppair_isfinite_f64(x) ? DPPAIR_OK : dppair_accountant_break_(a, DPPAIR_ERR_OVERFLOW);
}

/* All steps of an account that state an adjacency state the same one; 0 states none. */
DPPAIR_API dppair_status dppair_accountant_relate_(dppair_accountant *a,
                                                   dppair_adjacency adjacency) {
  if (adjacency == 0) return DPPAIR_OK;
  if (a->adjacency != 0 && a->adjacency != adjacency)
    return dppair_accountant_break_(a, DPPAIR_ERR_ADJACENCY);
  a->adjacency = adjacency;
  return DPPAIR_OK;
}

DPPAIR_API dppair_status dppair_accountant_add_gaussian_(dppair_accountant *a, double mu2) {
  if (dppair_isfinite_f64(mu2)) a->gaussian = dppair_add_up_(a->gaussian, mu2);
  a->additions += 1.0;
  if (!dppair_isfinite_f64(mu2) || !dppair_isfinite_f64(a->gaussian))
    return dppair_accountant_break_(a, DPPAIR_ERR_OVERFLOW);
  return DPPAIR_OK;
}

/* mu^2 steps, rounded up; 1e-150 is the smallest mu whose square is a normal number. */
DPPAIR_API double dppair_squared_up_(double mu, size_t steps) {
  if (mu > 0.0 && mu < 1e-150) mu = 1e-150;
  return dppair_up_(dppair_up_(mu * mu * dppair_up_((double)steps)));
}

/* The same mechanism, whatever the counts. Doubles are compared by their bits. */
DPPAIR_API int dppair_same_step_(const dppair_step *x, const dppair_step *y) {
  return x->kind == y->kind && x->sampling.kind == y->sampling.kind &&
         x->sampling.adjacency == y->sampling.adjacency &&
         memcmp(&x->sampling.q, &y->sampling.q, sizeof(double)) == 0 &&
         x->sampling.n == y->sampling.n && x->sampling.m == y->sampling.m &&
         memcmp(&x->noise_multiplier, &y->noise_multiplier, sizeof(double)) == 0 &&
         memcmp(&x->pair_rate, &y->pair_rate, sizeof(double)) == 0;
}

/* Adds `step` to the curves at the fixed orders. Its hits are capped where 1e-13 in all is left,
 * and what is left is added to the failure probability. */
DPPAIR_API dppair_status dppair_accountant_fold_(dppair_accountant *a, const dppair_step *step) {
  const double tail = 1e-13 / (double)step->steps;
  size_t i;
  double unpaid = 0.0;
  for (i = 0; i < DPPAIR_ORDER_COUNT; i++) {
    double rdp, paid;
    const dppair_status status = dppair_renyi_step_(&rdp, &paid, step, dppair_order(i), 0, tail);
    if (paid > unpaid) unpaid = paid;
    if (status == DPPAIR_ERR_OVERFLOW) {
      a->rdp[i] = DBL_MAX;
    } else if (status != DPPAIR_OK) {
      return status;
    } else if (a->rdp[i] < DBL_MAX) {
      const double total = dppair_add_up_(a->rdp[i], dppair_up_(rdp * (double)step->steps));
      a->rdp[i] = dppair_isfinite_f64(total) ? total : DBL_MAX;
    }
  }
  a->failure = dppair_add_up_(a->failure, dppair_up_(unpaid * (double)step->steps));
  a->folded = 1;
  return DPPAIR_OK;
}

/* Adds the step to the table, or to the fixed orders when the table is full. */
DPPAIR_API dppair_status dppair_accountant_record_(dppair_accountant *a, const dppair_step *step) {
  dppair_status status;
  size_t i;
  for (i = 0; i < a->count; i++) {
    if (dppair_same_step_(&a->step[i], step)) {
      if (a->step[i].steps > SIZE_MAX - step->steps)
        return dppair_accountant_break_(a, DPPAIR_ERR_OVERFLOW);
      a->step[i].steps += step->steps;
      return DPPAIR_OK;
    }
  }
  if (a->count < DPPAIR_STEP_CAPACITY) {
    a->step[a->count++] = *step;
    return DPPAIR_OK;
  }
  status = dppair_accountant_fold_(a, step);
  return status == DPPAIR_OK ? DPPAIR_OK : dppair_accountant_break_(a, status);
}

/* A sampled step. If every record is certain to be drawn, it is a plain Gaussian step. */
DPPAIR_API dppair_status dppair_accountant_sampled_(dppair_accountant *a, const dppair_step *step) {
  dppair_hit_law_ law;
  const dppair_status status = dppair_hit_law_of_(&law, step);
  double mu;
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  if (!dppair_step_attained_(step, &law)) a->unattained = 1;
  if (law.rate < 1.0) return dppair_accountant_record_(a, step);
  mu = dppair_up_(dppair_up_((double)law.trials * law.unit));
  if (law.comparison == DPPAIR_OPPOSED_) mu *= 2.0;
  return dppair_accountant_add_gaussian_(a, dppair_squared_up_(mu, step->steps));
}

/*
 * Adds any step, described as in dppair_step. A step without a valid proof (dppair_hits_of), or
 * whose adjacency contradicts an earlier one, breaks the account; the reason is returned. Plain
 * steps may leave out their adjacency.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_step(dppair_accountant *a,
                                                                  const dppair_step *step) {
  dppair_status status = dppair_accountant_open_(a);
  double z, times;
  if (status != DPPAIR_OK) return status;
  if (step == NULL) return dppair_accountant_break_(a, DPPAIR_ERR_NULL);
  status = dppair_step_check_(step);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  status = dppair_accountant_relate_(a, step->sampling.adjacency);
  if (status != DPPAIR_OK) return status;
  z = step->noise_multiplier;
  times = dppair_up_((double)step->steps);
  switch (step->kind) {
  case DPPAIR_GAUSSIAN:
    return dppair_accountant_add_gaussian_(a, dppair_squared_up_(dppair_up_(1.0 / z), step->steps));
  case DPPAIR_ZCDP:
    a->zcdp = dppair_add_up_(a->zcdp, dppair_up_(z * times));
    return dppair_accountant_finite_(a, a->zcdp);
  case DPPAIR_SAMPLED_GAUSSIAN:
  case DPPAIR_SAMPLED_PAIRS:
    return dppair_accountant_sampled_(a, step);
  default: /* Laplace, pure, randomised response: a largest loss, and a place in the table */
    if (step->kind == DPPAIR_LAPLACE) z = dppair_up_(1.0 / z);
    a->pure = dppair_add_up_(a->pure, dppair_up_(z * times));
    status = dppair_accountant_finite_(a, a->pure);
    return status == DPPAIR_OK ? dppair_accountant_record_(a, step) : status;
  }
}

/* Adds `steps` >= 1 releases with Gaussian noise sigma > 0 of statistics with this l2 sensitivity
 * > 0. A sensitivity of 0 is refused: constants need no noise, and 0 is what a function leaves
 * behind whose error nobody looked at. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_gaussian(dppair_accountant *a,
                                                                      double sensitivity,
                                                                      double sigma, size_t steps) {
  const dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(sensitivity) || !dppair_isfinite_f64(sigma))
    return dppair_accountant_break_(a, DPPAIR_ERR_NOT_FINITE);
  if (!(sensitivity > 0.0)) return dppair_accountant_break_(a, DPPAIR_ERR_SENSITIVITY);
  if (!(sigma > 0.0)) return dppair_accountant_break_(a, DPPAIR_ERR_SIGMA);
  if (steps == 0) return dppair_accountant_break_(a, DPPAIR_ERR_STEPS);
  {
    const double mu = dppair_up_(sensitivity / sigma);
    return dppair_accountant_add_gaussian_(a, dppair_squared_up_(mu > 0.0 ? mu : 1e-150, steps));
  }
}

/* *multiplier = scale / sensitivity, rounded down; an unusable one breaks the account. */
DPPAIR_API dppair_status dppair_accountant_multiplier_(double *multiplier, dppair_accountant *a,
                                                       double sensitivity, double scale) {
  const dppair_status status = dppair_accountant_open_(a);
  *multiplier = 0.0;
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(sensitivity) || !dppair_isfinite_f64(scale))
    return dppair_accountant_break_(a, DPPAIR_ERR_NOT_FINITE);
  if (!(sensitivity > 0.0)) return dppair_accountant_break_(a, DPPAIR_ERR_SENSITIVITY);
  if (!(scale > 0.0)) return dppair_accountant_break_(a, DPPAIR_ERR_SIGMA);
  *multiplier = dppair_down_(scale / sensitivity);
  if (!dppair_isfinite_f64(*multiplier)) *multiplier = 1e300;
  return *multiplier > 0.0 ? DPPAIR_OK : dppair_accountant_break_(a, DPPAIR_ERR_SIGMA);
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

/* Adds `steps` releases with Laplace noise of this scale per coordinate; the sensitivity is in the
 * l1 norm. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_laplace(dppair_accountant *a,
                                                                     double l1_sensitivity,
                                                                     double scale, size_t steps) {
  double z;
  dppair_step step;
  const dppair_status status = dppair_accountant_multiplier_(&z, a, l1_sensitivity, scale);
  if (status != DPPAIR_OK) return status;
  step = dppair_step_make_(DPPAIR_LAPLACE, z, steps);
  return dppair_accountant_step(a, &step);
}

/* Adds `steps` releases by any epsilon-private mechanism. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_pure(dppair_accountant *a,
                                                                  double epsilon, size_t steps) {
  const dppair_step step = dppair_step_make_(DPPAIR_PURE, epsilon, steps);
  return dppair_accountant_step(a, &step);
}

/* Adds `steps` releases by any rho-zCDP mechanism. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_zcdp(dppair_accountant *a, double rho,
                                                                  size_t steps) {
  const dppair_step step = dppair_step_make_(DPPAIR_ZCDP, rho, steps);
  return dppair_accountant_step(a, &step);
}

/* Adds `steps` Gaussian releases of a statistic of freshly sampled records. dppair_step says for
 * each kind of sampling which move `sensitivity` is. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_accountant_sampled_gaussian(dppair_accountant *a, dppair_sampling sampling,
                                   double sensitivity, double sigma, size_t steps) {
  double z;
  dppair_step step;
  const dppair_status status = dppair_accountant_multiplier_(&z, a, sensitivity, sigma);
  if (status != DPPAIR_OK) return status;
  step = dppair_step_make_(DPPAIR_SAMPLED_GAUSSIAN, z, steps);
  step.sampling = sampling;
  return dppair_accountant_step(a, &step);
}

/* Adds `steps` Gaussian releases of a sum of the vectors of freshly sampled pairs, each of norm <=
 * pair_clip, n records. Poisson: every unordered pair is drawn with probability sampling.q and
 * gives one vector. With replacement: m independent uniform pairs. Matching: m records, so m/2
 * pairs. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_sampled_pairs(
    dppair_accountant *a, dppair_sampling sampling, double pair_clip, double sigma, size_t steps) {
  double z;
  dppair_step step;
  const dppair_status status = dppair_accountant_multiplier_(&z, a, pair_clip, sigma);
  if (status != DPPAIR_OK) return status;
  step = dppair_step_make_(DPPAIR_SAMPLED_PAIRS, z, steps);
  step.sampling = sampling;
  if (sampling.kind == DPPAIR_POISSON) {
    step.pair_rate = sampling.q;
    step.sampling.q = 0.0;
  }
  return dppair_accountant_step(a, &step);
}

/* Adds gamma in [0, 1] to delta: the probability, under both data sets, of an event in which the
 * account may be wrong (more hits than a cap, a bound that holds with high probability). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_failure(dppair_accountant *a,
                                                                     double gamma) {
  const dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(gamma)) return dppair_accountant_break_(a, DPPAIR_ERR_NOT_FINITE);
  if (gamma < 0.0 || gamma > 1.0) return dppair_accountant_break_(a, DPPAIR_ERR_DOMAIN);
  a->failure = dppair_add_up_(a->failure, gamma);
  return DPPAIR_OK;
}

/* Sequential composition: adds everything in b to a. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_merge(dppair_accountant *a,
                                                                   const dppair_accountant *b) {
  dppair_status status = dppair_accountant_open_(a);
  size_t i;
  if (status != DPPAIR_OK) return status;
  status = dppair_accountant_usable_(b);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  for (i = 0; i < b->count; i++) {
    status = dppair_accountant_step(a, &b->step[i]);
    if (status != DPPAIR_OK) return status;
  }
  status = dppair_accountant_relate_(a, b->adjacency);
  if (status != DPPAIR_OK) return status;
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
  return b->gaussian > 0.0 ? dppair_accountant_add_gaussian_(a, b->gaussian) : DPPAIR_OK;
}
