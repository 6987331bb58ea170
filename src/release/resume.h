/* ------------------------------------------------------------------------------------------------
 * Going on with a plan after the program was stopped
 *
 * A program that may have to go on keeps the key of its plan, the ledger, and a checkpoint: how
 * many releases were made, the w of that step, and a digest of the data and of everything else that
 * the next query depends on. Noise is a function of the step, so a step that was released before
 * the stop and is repeated afterwards must repeat the same query: the same w and the same data. If
 * either could have changed, begin at a later step, or open a new plan.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Would `plan` write this line, but for a noise multiplier that it leaves open? */
DPPAIR_API dppair_status dppair_release_is_planned_(const dppair_plan *plan,
                                                    const dppair_ledger_entry *entry) {
  static const uint8_t none[DPPAIR_NONCE_SIZE] = {0};
  dppair_plan priced = *plan;
  dppair_step step;
  double divisor;
  dppair_status status = dppair_normaliser(&divisor, &plan->sampling, 0);
  if (!(plan->noise_multiplier > 0.0)) priced.noise_multiplier = entry->step.noise_multiplier;
  if (status == DPPAIR_OK && dppair_mechanism_is_objective_(plan->noise))
    status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK) status = dppair_plan_step_(&step, &priced);
  if (status != DPPAIR_OK) return status;
  step.sampling.group = dppair_ledger_group_(&step.sampling);
  step.sampling.q += 0.0; /* a line has no -0 */
  return dppair_same_step_(&step, &entry->step) && step.steps == entry->step.steps &&
                 entry->failure <= plan->failure && entry->failure >= plan->failure &&
                 memcmp(entry->nonce, none, sizeof none) != 0
             ? DPPAIR_OK
             : DPPAIR_ERR_PLAN_CHANGED;
}

/*
 * Opens a plan again that was paid before the program was stopped, at the release after the first
 * `step` ones. Nothing is charged: account is one that replayed the ledger, and line[0..length) the
 * plan's line in it, one of the latest 63 charges. key: the 32 bytes that dppair_release_open was
 * given; another key would repeat the steps with fresh noise, which nobody paid for, and is refused
 * by the line's nonce. (A nonce of the caller's own says nothing about the key, unless
 * dppair_release_nonce completed it: such a plan cannot be gone on with.) plan: as it was when it was
 * opened (its epsilon, delta, ledger and check are not read).
 *
 * Errors leave *release zero: NULL; PLAN_CHANGED (`plan` would not write this line, or the key is
 * another one); NO_PROOF (the account does not hold the line; a perturbed objective, whose output
 * noise has a line of its own: repeat it whole, as a new plan); SIZE (step beyond the plan's);
 * those of dppair_ledger_read, of the account and of the plan's sampling; SELF_TEST, ENVIRONMENT.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_release_resume(dppair_release *release, dppair_accountant *account, const dppair_plan *plan,
                      const char *line, size_t length, const uint8_t key[32], size_t step) {
  dppair_ledger_entry entry;
  uint8_t nonce[DPPAIR_NONCE_SIZE];
  dppair_status status;
  if (release == NULL) return DPPAIR_ERR_NULL;
  dppair_wipe(release, sizeof *release);
  if (account == NULL || plan == NULL || line == NULL || key == NULL) return DPPAIR_ERR_NULL;
  status = dppair_accountant_usable_(account);
  if (status == DPPAIR_OK) status = dppair_streams_tried_();
  if (status == DPPAIR_OK) status = dppair_ledger_read(&entry, line, length);
  if (status == DPPAIR_OK) status = dppair_ledger_counted_(account, &entry);
  if (status == DPPAIR_OK) status = dppair_release_is_planned_(plan, &entry);
  if (status != DPPAIR_OK) return status;
  memcpy(nonce, entry.nonce, sizeof nonce);
  dppair_release_sign_(nonce, key);
  if (memcmp(nonce, entry.nonce, sizeof nonce) != 0) return DPPAIR_ERR_PLAN_CHANGED;
  if (step > plan->steps) return DPPAIR_ERR_SIZE;
  dppair_release_key_(&release->noise, &release->draw, DPPAIR_CHACHA20, key, entry.nonce,
                      entry.sequence);
  release->sequence = entry.sequence;
  release->check = entry.check;
  release->nonce = dppair_load64_(entry.nonce);
  dppair_release_bind_(release, account, plan, entry.step.noise_multiplier);
  release->step = step;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
