/* ------------------------------------------------------------------------------------------------
 * Opening a plan: what it costs is paid at once
 *
 *   dppair_plan plan = {0};                                          what is not asked for is 0
 *   plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
 *   plan.epsilon = 1.0, plan.delta = 1e-5, plan.steps = 100;         the account ends within these
 *   s = dppair_rows_clip_f64(&rows, factor, x, n, d, d, 1.0);        from here on |x_i| <= 1
 *   rows.positives = np;                                             positives stand first
 *   if (!s) s = dppair_accountant_init(&account);
 *   if (!s) s = dppair_release_open(&release, &account, &plan, NULL);    pays; keys of the system
 *   for (t = 0; t < 100 && !s; t++) {
 *     s = rank_release(g, &release, &rows, w, &options);                g may be published
 *     for (k = 0; k < d; k++) w[k] -= 20.0 * g[k];                   after an error g is 0
 *   }
 *   dppair_release_close(&release);                                  wipes the keys
 *   if (!s) s = dppair_accountant_epsilon(&epsilon, &account, 1e-5, NULL); epsilon.upper is 1
 *
 * A program types no sensitivity, no divisor and no sigma. The plan's sampling says who the
 * neighbours are, how records are drawn, what the sum is divided by and which event is charged. The
 * sensitivity is that of the gradient as it is computed, at the loss, the bound of the rows, the
 * norm of w, the clip and the kernels in use. What was paid for is `steps` releases: a release that
 * fails after its public checks has used up its paid release, and nothing is charged twice or paid
 * back.
 *
 * Every release follows one order: checks of public arguments, whose errors cost nothing; the
 * paid release; only then records are read; noise; the result. On any error the result is zero.
 *
 * An open release points to its account. The two serve one thread at a time, and the account stays
 * where it is. A release is known by its address and its process: a copy, one that was moved and
 * one in a forked child are refused, because they would repeat noise. (What no check can see is a
 * saved copy put back to the same place. It repeats noise: never do that.)
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* What a program may print about a plan that was opened: bits of release->warnings. */
typedef enum dppair_warning {
  DPPAIR_WARNS_DELTA = 1,  /* delta is at least 1/n, n the plan's records, users or queries: a delta
                            * of 1/n lets a program publish one of them as it is */
  DPPAIR_WARNS_EPSILON = 2 /* epsilon is above 20: who knows all other records may tell nearly
                            * always which one was used */
} dppair_warning;

/* An open plan; the caller's memory. The first four may be read, and warnings. */
typedef struct dppair_release {
  double sensitivity, sigma; /* of the last release: S, and the scale of its noise */
  double divisor;            /* of the last gradient; private where `drawn` is */
  size_t drawn;              /* records of the last draw. Private for Poisson samples and
                              * allocations, as are the indices */
  size_t step, steps;        /* paid releases used, and paid for */
  double part, left;         /* dppair_release_part's share; of the paid release in use, what is left */
  size_t drawn_for;          /* the step that `drawn` is for, counted from 1; 0: no draw yet */
  double noise_multiplier;   /* as in dppair_step */
  double ridge, output_mu;   /* as in dppair_plan */
  double failure;            /* paid for the tests of all steps */
  dppair_mechanism_kind mechanism; /* of a step as it is charged */
  dppair_sampling sampling;
  dppair_accountant *account;
  uint64_t sequence; /* of the charge in the account, */
  uint64_t check;    /* and the account's check after it */
  uint64_t nonce;    /* the first half of the nonce under which it was opened: public */
  const void *home;  /* the address at which it was opened */
  unsigned warnings; /* dppair_warning: none refuses anything */
  dppair_rng noise, draw;
} dppair_release;

/* *multiplier of a plan whose law has a pure epsilon, beside an account of such steps only: what
 * the account holds is taken from plan->epsilon, and the steps share the rest. */
DPPAIR_RARE_ dppair_status dppair_release_share_(double *multiplier, const dppair_plan *plan,
                                                 const dppair_accountant *account) {
  dppair_accountant charged;
  dppair_step step;
  double rest, grow = 2.0 * DBL_EPSILON, z;
  dppair_status status = dppair_accountant_rest_(&rest, account, plan->delta);
  const double left = plan->epsilon - account->pure, each = left / (double)plan->steps;
  int i;
  if (status != DPPAIR_OK) return status;
  if (!dppair_accountant_is_pure_(account)) return DPPAIR_ERR_NOT_CALIBRATED;
  if (!(left > DPPAIR_LEFT_LEAST_ * plan->epsilon)) return DPPAIR_ERR_EXHAUSTED;
  z = 1.0 / each;
  if (dppair_mechanism_is_objective_(plan->noise)) {
    const dppair_objective_budget_ b = {each, 0.0, 0.0, plan->ridge, 0.0, plan->sampling.adjacency};
    status = dppair_objective_find_(&z, &b);
    if (status != DPPAIR_OK) return status;
  }
  for (i = 0; i < 60; i++, grow *= 2.0) {
    dppair_plan priced = *plan;
    priced.noise_multiplier = z;
    charged = *account;
    status = dppair_plan_step_(&step, &priced);
    if (status == DPPAIR_OK) status = dppair_accountant_step(&charged, &step);
    (void)DPPAIR_AUDITED_(
        (DPPAIR_EVENT_TRIED, "trial", NULL, 0, 0, NULL, 0.0, 0.0, NULL, &charged, status));
    if (status != DPPAIR_OK) return status;
    if (charged.pure <= plan->epsilon) {
      *multiplier = z;
      return DPPAIR_OK;
    }
    z *= 1.0 + grow;
  }
  return DPPAIR_ERR_EXHAUSTED; /* what is left is less than a rounding error of what is spent */
}

/* Was a noise multiplier beside an epsilon found by dppair_calibrate, for the account as it stands?
 * NOT_ZEROED: no calibration leaves such a number. NOT_CALIBRATED: it is the caller's own. */
DPPAIR_API dppair_status dppair_release_calibrated_(const dppair_plan *plan,
                                                    const dppair_accountant *account) {
  if (plan->check == dppair_plan_check_(plan, account)) return DPPAIR_OK;
  if (!(plan->noise_multiplier >= DPPAIR_NOISE_LEAST_ / 4.0 &&
        plan->noise_multiplier <= 4.0 * DPPAIR_NOISE_STRIDE_ * DPPAIR_NOISE_MOST_))
    return DPPAIR_ERR_NOT_ZEROED;
  return plan->check == 0 ? DPPAIR_ERR_NOT_CALIBRATED : DPPAIR_ERR_PLAN_CHANGED;
}

/* The noise multiplier of a plan: found in closed form, or checked. */
DPPAIR_API dppair_status dppair_release_multiplier_(double *multiplier, const dppair_plan *plan,
                                                    const dppair_accountant *account) {
  const int pure = dppair_mechanism_is_pure_(plan->noise);
  dppair_status status;
  *multiplier = plan->noise_multiplier;
  if (!dppair_isfinite_f64(plan->epsilon) || !dppair_isfinite_f64(plan->delta) ||
      !dppair_isfinite_f64(plan->noise_multiplier))
    return DPPAIR_ERR_NOT_FINITE;
  if (plan->noise_multiplier < 0.0) return DPPAIR_ERR_SIGMA;
  if (plan->noise_multiplier > 0.0) {
    if (plan->epsilon > 0.0) /* found by dppair_calibrate, for the account as it stands */
      return dppair_release_calibrated_(plan, account);
    if (plan->epsilon < 0.0) return DPPAIR_ERR_EPSILON;
    return plan->delta == 0.0 ? DPPAIR_OK : DPPAIR_ERR_UNREAD; /* the account says what it costs */
  }
  if (!(plan->epsilon > 0.0)) return DPPAIR_ERR_EPSILON;
  if (pure) return dppair_release_share_(multiplier, plan, account);
  status = dppair_calibrate_closed_(multiplier, plan, account);
  return status == DPPAIR_ERR_NO_PROOF ? DPPAIR_ERR_NOT_CALIBRATED : status;
}

/* OK for a law whose noise a release adds; NOT_ZEROED for a number that is no law. */
DPPAIR_API dppair_status dppair_release_law_(dppair_mechanism_kind law) {
  if (law != 0 && dppair_mechanism_row_of_(law) == NULL) return DPPAIR_ERR_NOT_ZEROED;
  return law == 0 || law == DPPAIR_GAUSSIAN || law == DPPAIR_LAPLACE || law == DPPAIR_L2BALL ||
                 law == DPPAIR_SKELLAM || dppair_mechanism_is_objective_(law)
             ? DPPAIR_OK
             : DPPAIR_ERR_LAW;
}

/* The step that a plan is charged as, its noise multiplier found. Nothing is changed, but for an
 * account that is about other neighbours, or states none: that is broken. */
DPPAIR_API dppair_status dppair_release_price_(dppair_step *step, double *multiplier,
                                               dppair_accountant *account,
                                               const dppair_plan *plan) {
  const dppair_adjacency neighbours = plan->sampling.adjacency;
  dppair_plan priced = *plan;
  dppair_accountant held;
  double divisor;
  dppair_status status = dppair_normaliser(&divisor, &plan->sampling, 0);
  if (status == DPPAIR_OK) status = dppair_release_law_(plan->noise);
  if (status == DPPAIR_OK) status = dppair_mechanism_known_(plan->noise);
  if (status == DPPAIR_OK) status = dppair_draw_known_(plan->sampling.kind);
  if (status != DPPAIR_OK) return status;
  if (plan->steps == 0) return DPPAIR_ERR_STEPS;
  if ((plan->ledger.step == NULL) != (plan->ledger.sink == NULL)) return DPPAIR_ERR_NULL;
  if (account->stated < 0 || (account->named != 0 && account->named != neighbours))
    return dppair_accountant_break_(account, DPPAIR_ERR_NEIGHBOURS);
  held = *account;
  status = dppair_plan_besides_(&held, plan);
  if (status == DPPAIR_OK) status = dppair_release_multiplier_(multiplier, plan, &held);
  priced.noise_multiplier = *multiplier;
  if (status == DPPAIR_OK) status = dppair_plan_step_(step, &priced);
  if (status == DPPAIR_OK) status = dppair_step_check_(step);
  return status;
}

/* Writes an entry of the plan to its ledger, if it has one, and charges it. */
DPPAIR_RARE_ dppair_status dppair_release_write_(dppair_accountant *account,
                                                 const dppair_ledger_entry *entry,
                                                 const dppair_plan *plan) {
  const dppair_ledger *to = &plan->ledger;
  return to->step != NULL ? to->step(account, entry, to->sink, to->context)
                          : dppair_accountant_charge_(account, entry);
}

/* Charges the plan's output noise, if it has any, and then its steps. */
DPPAIR_API dppair_status dppair_release_pay_(dppair_accountant *account,
                                             const dppair_ledger_entry *entry,
                                             const dppair_plan *plan) {
  dppair_ledger_entry trace;
  dppair_status status;
  memset(&trace, 0, sizeof trace);
  memcpy(trace.nonce, entry->nonce, sizeof trace.nonce);
  status = dppair_plan_trace_(&trace.step, plan);
  if (status == DPPAIR_OK && trace.step.kind != DPPAIR_NO_MECHANISM_)
    status = dppair_release_write_(account, &trace, plan);
  return status == DPPAIR_OK ? dppair_release_write_(account, entry, plan) : status;
}

/* Fills an open release; see dppair_release_open. */
DPPAIR_API void dppair_release_bind_(dppair_release *release, dppair_accountant *account,
                                     const dppair_plan *plan, double multiplier) {
  release->steps = plan->steps;
  release->noise_multiplier = multiplier;
  release->ridge = plan->ridge;
  release->output_mu = plan->output_mu;
  release->failure = plan->failure;
  release->mechanism = plan->noise == 0 ? DPPAIR_GAUSSIAN : plan->noise;
  release->sampling = plan->sampling;
  release->account = account;
  release->home = release;
  if (plan->delta * (double)plan->sampling.n >= 1.0) release->warnings |= DPPAIR_WARNS_DELTA;
  if (plan->epsilon > 20.0) release->warnings |= DPPAIR_WARNS_EPSILON;
}

/* *key and *nonce, from the caller or from the system, and the cipher: a caller's key gives the
 * same noise on every machine. */
DPPAIR_API dppair_status dppair_release_source_(uint8_t key[32], uint8_t nonce[DPPAIR_NONCE_SIZE],
                                                uint32_t *cipher, const dppair_release_keys *keys) {
  const uint8_t *given = keys != NULL ? keys->key : NULL, *once = keys != NULL ? keys->nonce : NULL;
  dppair_status status = dppair_streams_tried_();
  *cipher = DPPAIR_CHACHA20;
  if (given == NULL && once != NULL) return DPPAIR_ERR_NULL;
  if (given != NULL) memcpy(key, given, 32);
  if (once != NULL) memcpy(nonce, once, DPPAIR_NONCE_SIZE);
  if (status == DPPAIR_OK && given == NULL) {
    status = dppair_entropy_(key, 32);
    if (dppair_aes_kind_(dppair_tier()) > 0) *cipher = DPPAIR_AES256;
  }
  if (status == DPPAIR_OK && once == NULL) {
    status = dppair_entropy_(nonce, DPPAIR_NONCE_SIZE / 2);
    dppair_release_sign_(nonce, key);
  }
  return status;
}

/* dppair_release_open, but for what it leaves of the key below its caller. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_release_open_work_(dppair_release *release,
                                                            dppair_accountant *account,
                                                            const dppair_plan *plan,
                                                            const dppair_release_keys *keys) {
  uint8_t key[32] = {0};
  dppair_ledger_entry entry;
  uint32_t cipher;
  double multiplier;
  dppair_status status;
  memset(&entry, 0, sizeof entry);
  entry.failure = plan->failure;
  status = dppair_accountant_usable_(account);
  if (status == DPPAIR_OK) status = dppair_release_price_(&entry.step, &multiplier, account, plan);
  if (status == DPPAIR_OK) status = dppair_release_source_(key, entry.nonce, &cipher, keys);
  if (status == DPPAIR_OK) status = dppair_accountant_neighbours(account, plan->sampling.adjacency);
  if (status == DPPAIR_OK) status = dppair_release_pay_(account, &entry, plan);
  if (status == DPPAIR_OK) {
    release->sequence = account->sequence;
    release->check = account->check;
    release->nonce = dppair_load64_(entry.nonce);
    dppair_release_key_(&release->noise, &release->draw, cipher, key, entry.nonce,
                        account->sequence);
    dppair_release_bind_(release, account, plan, multiplier);
  }
  dppair_wipe(key, sizeof key);
  return status;
}

/*
 * Opens a plan: finds its noise multiplier, writes its line to plan->ledger, charges all its steps
 * to the account, and makes the keys of noise and draws. plan->ledger = dppair_ledger_to(sink,
 * context).
 *
 * The noise multiplier. With plan->epsilon > 0 the account, charged with the plan, answers at most
 * plan->epsilon at plan->delta (dppair_accountant_epsilon; the Renyi orders alone may say more).
 * Where all is plain Gaussian (every record, an account of plain Gaussian steps) it comes from the
 * exact curve, to 12 digits; for one perturbed objective beside such steps from its closed form
 * (accountant/composition/objective.h), the ridge being given; for laws with a pure epsilon beside
 * an account of such steps, the steps share what is left of epsilon. Any other plan or account
 * needs dppair_calibrate, which writes plan->noise_multiplier for the account as it then stands.
 * With plan->epsilon and delta 0, a noise_multiplier of the caller's is charged as it is.
 *
 * Of a plan of allocation whole epochs are paid, ceil(steps/batches) of them (k of t: k times as
 * many of floor(t/k) batches), since the batches of an epoch belong together; bought are `steps`
 * releases.
 *
 * A perturbed objective (DPPAIR_OBJECTIVE, DPPAIR_PURE_OBJECTIVE) has plan->ridge and
 * plan->output_mu: the output noise is a line of plain noise before the plan's own. Such a plan is
 * for dppair_release_minimiser; every other release refuses it. One of DPPAIR_SKELLAM is for
 * dppair_release_share alone, and needs dppair_calibrate.
 *
 * With plan->failure > 0 that probability is charged too, on the plan's line, and what it leaves of
 * delta is what the noise is found for: failure < delta.
 *
 * The account states the plan's neighbours from here on (dppair_accountant_neighbours). keys: NULL
 * for keys of the system; see dppair_release_keys.
 *
 * Errors leave *release zero; every call refuses it with CLOSED. Nothing is charged after: NULL,
 * ENVIRONMENT, SELF_TEST, ENTROPY; NOT_CALIBRATED (no closed form); PLAN_CHANGED (a multiplier that
 * is not of this plan and account); NOT_ZEROED (a number that nothing sets); LAW (no release adds
 * this noise, or it has no proof with this draw); EXHAUSTED (the account leaves nothing);
 * NOT_FINITE, EPSILON, DELTA, SIGMA, STEPS, UNREAD, and dppair_normaliser's. NEIGHBOURS: the
 * account is about other neighbours, or holds steps that state none; it is broken by that. An error
 * of plan->ledger, whose line may or may not have been stored, and one of the charge leave the
 * account broken: it answers no question again, and nothing was released.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_open(dppair_release *release,
                                                               dppair_accountant *account,
                                                               const dppair_plan *plan,
                                                               const dppair_release_keys *keys) {
  dppair_status status;
  if (release == NULL) return DPPAIR_ERR_NULL;
  dppair_wipe(release, sizeof *release);
  if (account == NULL || plan == NULL) return DPPAIR_ERR_NULL;
  status = dppair_release_open_work_(release, account, plan, keys);
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  return status;
}

/* Wipes the keys. What was paid for and not used is lost. NULL is allowed. */
DPPAIR_API void dppair_release_close(dppair_release *release) {
  if (release != NULL) dppair_wipe(release, sizeof *release);
}

DPPAIR_FP_END_
