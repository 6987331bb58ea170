/* ------------------------------------------------------------------------------------------------
 * Calibration, over whatever composition the caller can evaluate
 *
 * The smallest noise and the largest count that meet a target epsilon, and the noise multiplier of
 * a plan beside what an account already holds. The safe end of the last bracket is returned, so
 * that no assumption on the caller's function but its direction matters.
 * ---------------------------------------------------------------------------------------------- */

/* Writes the epsilon (rounded up) of the caller's composition at this value of the parameter. */
typedef dppair_status (*dppair_epsilon_function)(double *epsilon, double value, void *context);

/* epsilon at `value`, with "no finite bound" reported as DBL_MAX. Any other error (a delta that
 * failures use up, a sigma) would occur at every value, and is returned. */
DPPAIR_API dppair_status dppair_calibrate_try_(double *epsilon, double value,
                                               dppair_epsilon_function function, void *context) {
  dppair_status status = function(epsilon, value, context);
  if (status == DPPAIR_ERR_OVERFLOW || status == DPPAIR_ERR_NO_CONVERGENCE) {
    *epsilon = DBL_MAX;
    return DPPAIR_OK;
  }
  if (status == DPPAIR_OK && !(*epsilon >= 0.0)) return DPPAIR_ERR_NOT_FINITE;
  return status;
}

/* The noise that is looked for lies in (low, high], where these are known (0: not yet). */
typedef struct dppair_noise_bracket_ {
  double low, high;     /* epsilon is above the target, and at most the target */
  double e_low, e_high; /* epsilon at them; DBL_MAX and 0: not known */
  double slope;         /* of log epsilon in log noise, by the last two ends */
} dppair_noise_bracket_;

/* The range of noises that are tried, and where the first one is taken from. */
#define DPPAIR_NOISE_MOST_ 1e30
#define DPPAIR_NOISE_LEAST_ 1e-30
#define DPPAIR_NOISE_FIRST_ 1e12
/* A step goes past the expected root by this part of the tolerance, so that the bracket closes. */
#define DPPAIR_NOISE_PAST_ 0.4
/* Without a bracket, no step is longer than this factor. */
#define DPPAIR_NOISE_STRIDE_ 16.0

/* The noise to try after x, where epsilon is e, by the slope: log epsilon is nearly linear in log
 * noise. */
DPPAIR_API double dppair_noise_secant_(dppair_noise_bracket_ *b, double x, double e, double target,
                                       double tolerance) {
  double next;
  if (b->low > 0.0 && b->high > 0.0 && b->e_low < DBL_MAX && b->e_high > 0.0) {
    const double fresh = dppair_log_(b->e_low / b->e_high) / dppair_log_(b->low / b->high);
    if (fresh < -1e-3) b->slope = fresh;
  }
  if (!(e > 0.0 && e < DBL_MAX)) return e > target ? 4.0 * x : 0.25 * x;
  next = x * dppair_exp_(dppair_log_(target / e) / b->slope);
  next *= e <= target ? 1.0 - DPPAIR_NOISE_PAST_ * tolerance : 1.0 + DPPAIR_NOISE_PAST_ * tolerance;
  if (next > DPPAIR_NOISE_STRIDE_ * x) next = DPPAIR_NOISE_STRIDE_ * x;
  if (next < x / DPPAIR_NOISE_STRIDE_) next = x / DPPAIR_NOISE_STRIDE_;
  return next;
}

/* Keeps the next noise inside the bracket. Where it fell outside, and at every fourth try, since
 * the secant may creep: just inside of an end that is close to it, else bisection. */
DPPAIR_API double dppair_noise_inside_(const dppair_noise_bracket_ *b, double next,
                                       double tolerance, int tries) {
  if (b->low > 0.0 && b->high > 0.0) {
    if (tries % 4 != 3 && next > b->low && next < b->high) return next;
    if (next >= b->high && next < b->high * (1.0 + tolerance))
      return b->high * (1.0 - DPPAIR_NOISE_PAST_ * tolerance);
    if (next <= b->low && next > b->low * (1.0 - tolerance))
      return b->low * (1.0 + DPPAIR_NOISE_PAST_ * tolerance);
    return dppair_sqrt_(b->low) * dppair_sqrt_(b->high);
  }
  if (b->high > 0.0 && next >= b->high) return 0.5 * b->high;
  if (b->low > 0.0 && b->high <= 0.0 && next <= b->low) return 2.0 * b->low;
  return next;
}

/*
 * The smallest noise whose epsilon is at most `target`: *noise is the safe end of a bracket of
 * relative width `tolerance` (1e-9, say), *epsilon what it gives. function must decrease in the
 * noise; guess > 0 starts the search. DPPAIR_ERR_NO_CONVERGENCE when no noise up to 1e30 suffices,
 * or the bracket does not close; DPPAIR_ERR_DOMAIN when any noise down to 1e-30 does, because
 * epsilon hardly depends on it. Errors of function are returned; ENVIRONMENT.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_calibrate_scale(double *noise, double *epsilon,
                                                                  double target, double guess,
                                                                  double tolerance,
                                                                  dppair_epsilon_function function,
                                                                  void *context) {
  dppair_noise_bracket_ b = {0.0, 0.0, DBL_MAX, 0.0, -1.0};
  double x, e;
  int i;
  if (noise == NULL || epsilon == NULL) return DPPAIR_ERR_NULL;
  *noise = *epsilon = 0.0;
  if (function == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(target) || !dppair_isfinite_f64(guess) ||
      !dppair_isfinite_f64(tolerance))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(target > 0.0)) return DPPAIR_ERR_EPSILON;
  if (!(guess > 0.0) || !(tolerance >= 1e-14 && tolerance < 1.0)) return DPPAIR_ERR_DOMAIN;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  x = guess > DPPAIR_NOISE_FIRST_         ? DPPAIR_NOISE_FIRST_
      : guess < 1.0 / DPPAIR_NOISE_FIRST_ ? 1.0 / DPPAIR_NOISE_FIRST_
                                          : guess;
  for (i = 0; i < 300; i++) {
    const dppair_status status = dppair_calibrate_try_(&e, x, function, context);
    if (status != DPPAIR_OK) return status;
    if (e <= target) {
      b.high = x;
      b.e_high = e;
    } else {
      b.low = x;
      b.e_low = e;
    }
    if (b.high > 0.0 && b.high <= b.low * (1.0 + tolerance)) {
      *noise = b.high;
      *epsilon = b.e_high;
      return DPPAIR_OK;
    }
    if (x > DPPAIR_NOISE_MOST_) return DPPAIR_ERR_NO_CONVERGENCE;
    if (b.high > 0.0 && b.high < DPPAIR_NOISE_LEAST_) return DPPAIR_ERR_DOMAIN;
    x = dppair_noise_inside_(&b, dppair_noise_secant_(&b, x, e, target, tolerance), tolerance, i);
  }
  return DPPAIR_ERR_NO_CONVERGENCE;
}

/* The largest count (of steps, of batch records, ...) up to `most` whose epsilon is at most
 * `target`; 0 when even 1 is too many. function must increase in the count. The search grows
 * fourfold until a count is too large, then bisects. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_calibrate_count(size_t *count, double *epsilon,
                                                                  double target, size_t most,
                                                                  dppair_epsilon_function function,
                                                                  void *context) {
  size_t low = 0, high, x = 1;
  double e, e_low = 0.0;
  dppair_status status;
  if (count == NULL || epsilon == NULL) return DPPAIR_ERR_NULL;
  *count = 0;
  *epsilon = 0.0;
  if (function == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(target)) return DPPAIR_ERR_NOT_FINITE;
  if (target < 0.0) return DPPAIR_ERR_EPSILON;
  if (most == 0 || most > SIZE_MAX / 4) return DPPAIR_ERR_SIZE;
  high = most + 1;
  while (low + 1 < high) {
    status = dppair_calibrate_try_(&e, (double)x, function, context);
    if (status != DPPAIR_OK) return status;
    if (e <= target) {
      low = x;
      e_low = e;
      x = high > most && 4 * x < high ? 4 * x : low + (high - low) / 2;
    } else {
      high = x;
      x = low + (high - low) / 2;
    }
    if (x <= low) x = low + 1;
  }
  *count = low;
  *epsilon = e_low;
  return DPPAIR_OK;
}

/* Less of a budget than this share of it is what rounding left: a plan that has the whole budget of
 * an account that is spent must not become one of nearly infinite noise. */
#define DPPAIR_LEFT_LEAST_ 1e-9

/*
 * *multiplier of a plan whose law is Gaussian and that draws nothing, beside an account that holds
 * plain Gaussian steps and failures only: from the exact curve, such that the account, charged with
 * the plan, answers at most plan->epsilon. Every other plan or account: NO_PROOF. EXHAUSTED: the
 * account holds that much already, to 9 digits.
 */
DPPAIR_API dppair_status dppair_calibrate_gaussian_(double *multiplier, const dppair_plan *plan,
                                                    const dppair_accountant *a) {
  dppair_accountant charged;
  dppair_step step;
  double rest, mu, left, epsilon, grow = 2.0 * DBL_EPSILON;
  dppair_status status = dppair_plan_step_(&step, plan);
  int i;
  *multiplier = 0.0;
  if (status != DPPAIR_OK) return status;
  if (!dppair_mechanism_is_gaussian_(step.kind) || !dppair_accountant_is_gaussian_(a))
    return DPPAIR_ERR_NO_PROOF;
  status = dppair_accountant_rest_(&rest, a, plan->delta);
  if (status == DPPAIR_OK) status = dppair_gaussian_mu(&mu, plan->epsilon, dppair_down_(rest));
  if (status != DPPAIR_OK) return status;
  left = mu * mu - a->gaussian;
  if (!(left > DPPAIR_LEFT_LEAST_ * mu * mu)) return DPPAIR_ERR_EXHAUSTED;
  step.noise_multiplier = dppair_sqrt_((double)plan->steps / left);
  for (i = 0; i < 60; i++, grow *= 2.0) {
    charged = *a;
    status = dppair_accountant_step(&charged, &step);
    (void)DPPAIR_AUDITED_(
        (DPPAIR_EVENT_TRIED, "trial", NULL, 0, 0, NULL, 0.0, 0.0, NULL, &charged, status));
    if (status == DPPAIR_OK) /* what the account will answer */
      status = dppair_gaussian_epsilon(&epsilon, dppair_down_(rest),
                                       dppair_up_(dppair_sqrt_(charged.gaussian)));
    if (status != DPPAIR_OK) return status;
    if (epsilon <= plan->epsilon) {
      *multiplier = step.noise_multiplier;
      return DPPAIR_OK;
    }
    step.noise_multiplier *= 1.0 + grow;
  }
  return DPPAIR_ERR_EXHAUSTED; /* what is left is less than a rounding error of what is spent */
}

/* The same of a plan of one perturbed objective, by its closed form. */
DPPAIR_API dppair_status dppair_calibrate_objective_(double *multiplier, const dppair_plan *plan,
                                                     const dppair_accountant *a) {
  dppair_objective_budget_ b = {plan->epsilon, 0.0, 0.0,
                                plan->ridge,   0.0, plan->sampling.adjacency};
  dppair_step step;
  double rest;
  dppair_status status = dppair_plan_step_(&step, plan);
  *multiplier = 0.0;
  if (status != DPPAIR_OK) return status;
  if (dppair_mechanism_is_pure_(step.kind) || step.steps != 1 || !dppair_accountant_is_gaussian_(a))
    return DPPAIR_ERR_NO_PROOF;
  status = dppair_accountant_rest_(&rest, a, plan->delta);
  if (status != DPPAIR_OK) return status;
  if (!(rest > 0.0)) return DPPAIR_ERR_DELTA;
  step.noise_multiplier = 1.0; /* all but this is checked */
  status = dppair_step_check_(&step);
  if (status != DPPAIR_OK) return status;
  b.delta = dppair_down_(rest);
  b.before = dppair_up_(dppair_sqrt_(a->gaussian));
  return dppair_objective_find_(multiplier, &b);
}

/* In closed form, whichever there is; NO_PROOF where there is none. */
DPPAIR_API dppair_status dppair_calibrate_closed_(double *multiplier, const dppair_plan *plan,
                                                  const dppair_accountant *a) {
  return dppair_mechanism_is_objective_(plan->noise)
             ? dppair_calibrate_objective_(multiplier, plan, a)
             : dppair_calibrate_gaussian_(multiplier, plan, a);
}

/* What dppair_calibrate leaves in plan->check: over the account as it stands and over all that the
 * plan asks for and gets. Never 0. A plan whose check is another one was changed, or the account
 * has moved on, or its noise multiplier is the caller's own. */
DPPAIR_API uint64_t dppair_plan_check_(const dppair_plan *plan, const dppair_accountant *a) {
  dppair_ledger_entry charge;
  uint64_t check;
  memset(&charge, 0, sizeof charge);
  if (dppair_plan_step_(&charge.step, plan) != DPPAIR_OK) return 1;
  charge.sequence = a->sequence;
  charge.failure = plan->failure;
  check = dppair_ledger_check_of_(a->check, &charge);
  check = dppair_check_word_(check, 16, (uint64_t)plan->sampling.n); /* also where none is drawn */
  check = dppair_check_number_(check, 17, plan->epsilon);
  check = dppair_check_number_(check, 22, plan->output_mu);
  return dppair_check_number_(check, 18, plan->delta) | 1;
}

/* Adds to `a`, a copy of an account, what the plan costs besides its steps: its failure and its
 * output noise. */
DPPAIR_API dppair_status dppair_plan_besides_(dppair_accountant *a, const dppair_plan *plan) {
  dppair_step trace;
  dppair_status status;
  if (!dppair_isfinite_f64(plan->failure)) return DPPAIR_ERR_NOT_FINITE;
  if (!(plan->failure >= 0.0 && plan->failure <= 1.0)) return DPPAIR_ERR_DELTA;
  a->failure = dppair_add_up_(a->failure, plan->failure);
  status = dppair_plan_trace_(&trace, plan);
  if (status != DPPAIR_OK || trace.kind == DPPAIR_NO_MECHANISM_) return status;
  status = dppair_step_check_(&trace);
  return status == DPPAIR_OK ? dppair_accountant_add_(a, &trace) : status;
}

/* A plan that is tried at one noise multiplier after the other. */
typedef struct dppair_plan_trial_ {
  const dppair_accountant *a;
  dppair_step step;
  double delta;
  const dppair_composer *composer;
} dppair_plan_trial_;

/* The epsilon of the account and of the plan's steps (value = 0: without them). */
DPPAIR_API dppair_status dppair_plan_epsilon_(double *epsilon, double value, void *context) {
  dppair_plan_trial_ *t = (dppair_plan_trial_ *)context;
  dppair_accountant charged = *t->a;
  dppair_certify_ q = {&charged, 0, t->delta, 0, NULL, 0, 0, DPPAIR_ROUTE_BEST};
  dppair_interval b;
  dppair_status status = DPPAIR_OK;
  t->step.noise_multiplier = value;
  *epsilon = 0.0;
  if (value > 0.0) status = dppair_accountant_step(&charged, &t->step);
  (void)DPPAIR_AUDITED_((DPPAIR_EVENT_TRIED, "trial", NULL, 0, 0, NULL, 0.0, 0.0, NULL, &charged,
                         value > 0.0 ? status : DPPAIR_ERR_UNREAD));
  if (status != DPPAIR_OK) return status;
  status = dppair_certify_by_(&b, &q, t->composer);
  *epsilon = b.upper;
  return status;
}

/*
 * plan->noise_multiplier: the smallest one, within 1e-9, with which the account `a` and plan->steps
 * releases of the plan stay within (plan->epsilon, plan->delta), by dppair_accountant_epsilon; from
 * the exact curve, to 13 digits, when all are plain Gaussian steps, and by a closed form, also to
 * 13 digits, when all are but one perturbed objective. The value that it had is overwritten, by 0
 * on an error; nothing is charged. delta = 0 is for laws and accounts with pure epsilons. composer:
 * NULL where dppair_accountant_epsilon needs none for the account with the plan's steps; else NULL is
 * WORKSPACE. Errors: those of the account and of the step that the plan describes (STEPS, RATE,
 * SIZE, ADJACENCY; LAW: no bound is known for this noise and this draw), EPSILON, DELTA, WORKSPACE; EXHAUSTED: what the account holds leaves
 * less than 1e-9 of the budget.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_calibrate(dppair_plan *plan,
                                                            const dppair_accountant *a,
                                                            const dppair_composer *composer) {
  dppair_plan_trial_ t;
  dppair_accountant held;
  dppair_status status;
  double multiplier, epsilon;
  if (plan == NULL) return DPPAIR_ERR_NULL;
  plan->noise_multiplier = 0.0;
  plan->check = 0;
  status = dppair_accountant_usable_(a);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(plan->epsilon) || !dppair_isfinite_f64(plan->delta))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(plan->epsilon > 0.0)) return DPPAIR_ERR_EPSILON;
  if (!(plan->delta >= 0.0 && plan->delta < 1.0)) return DPPAIR_ERR_DELTA;
  held = *a;
  status = dppair_plan_besides_(&held, plan);
  if (status == DPPAIR_OK) status = dppair_calibrate_closed_(&multiplier, plan, &held);
  if (status == DPPAIR_ERR_NO_PROOF) {
    t.a = &held;
    t.delta = plan->delta;
    t.composer = composer;
    status = dppair_plan_step_(&t.step, plan);
    if (status == DPPAIR_OK) status = dppair_plan_epsilon_(&epsilon, 0.0, &t);
    if (status != DPPAIR_OK) return status;
    if (!(epsilon < plan->epsilon * (1.0 - DPPAIR_LEFT_LEAST_))) return DPPAIR_ERR_EXHAUSTED;
    status = dppair_calibrate_scale(&multiplier, &epsilon, plan->epsilon, 1.0, 1e-9,
                                    dppair_plan_epsilon_, &t);
  }
  if (status != DPPAIR_OK) return status;
  plan->noise_multiplier = multiplier;
  plan->check = dppair_plan_check_(plan, a);
  return DPPAIR_OK;
}

/*
 * What the account leaves of (epsilon, delta), to be divided: *left is the mu of plain Gaussian
 * steps, for delta = 0 the sum of pure epsilons, that may be charged to it in as many steps as one
 * likes, but for what its sums may round; *held is the mu that it holds (0 for delta = 0). Squares
 * of mu add up. sampling: all records, and who the neighbours are (read for delta > 0).
 *
 * Errors zero both: NULL; those of the account; NOT_FINITE, EPSILON, DELTA; NO_PROOF, it holds
 * other steps than plain Gaussian ones, for delta = 0 than pure ones; EXHAUSTED, it leaves less
 * than 1e-9 of the budget; delta > 0: those of dppair_calibrate.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_left(double *left, double *held,
                                                                  const dppair_accountant *a,
                                                                  double epsilon, double delta,
                                                                  dppair_sampling sampling) {
  const int pure = !(delta > 0.0);
  dppair_plan whole;
  dppair_status status;
  if (left != NULL) *left = 0.0;
  if (held != NULL) *held = 0.0;
  if (left == NULL || held == NULL) return DPPAIR_ERR_NULL;
  status = dppair_accountant_usable_(a);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(delta)) return DPPAIR_ERR_NOT_FINITE;
  if (!(epsilon > 0.0)) return DPPAIR_ERR_EPSILON;
  if (!(delta >= 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  if (a->failure > 0.0 ||
      !(pure ? dppair_accountant_is_pure_(a) : dppair_accountant_is_gaussian_(a)))
    return DPPAIR_ERR_NO_PROOF;
  if (pure) {
    if (!(epsilon - a->pure > 1e-9 * epsilon)) return DPPAIR_ERR_EXHAUSTED;
    *left = epsilon - a->pure - 1e-12 * epsilon;
    return DPPAIR_OK;
  }
  memset(&whole, 0, sizeof whole);
  whole.epsilon = epsilon;
  whole.delta = delta;
  whole.sampling = sampling;
  whole.steps = 1;
  whole.noise = DPPAIR_GAUSSIAN;
  status = dppair_calibrate(&whole, a, NULL);
  if (status != DPPAIR_OK) return status;
  *held = dppair_sqrt_(a->gaussian);
  *left = 1.0 / (whole.noise_multiplier * whole.noise_multiplier);
  *left = dppair_sqrt_(*left - 2e-12 * (*left + a->gaussian));
  return DPPAIR_OK;
}
