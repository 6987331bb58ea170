/* ------------------------------------------------------------------------------------------------
 * From a step to its mechanism
 *
 * The functions of mechanisms/NAME.h by the kind of a step, made from the table:
 *   dppair_NAME_check_   are the parameters in range, is every field that is read given and no
 *                        other, and is there a proof for them?
 *   dppair_NAME_charge_  what one run adds to an account
 *   dppair_NAME_renyi_   the Renyi divergence of one run
 *   dppair_NAME_law_     the dominating pair of one run, or NO_PROOF
 * The last three are for steps that have been checked. A kind of a module that is not here is
 * MODULE.
 * ---------------------------------------------------------------------------------------------- */

/* Is this a step that can be charged? The relation may be left out where nothing is drawn. */
DPPAIR_API dppair_status dppair_step_check_(const dppair_step *step) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(step->kind);
  const dppair_sampling *s = &step->sampling;
  if (!dppair_isfinite_f64(step->noise_multiplier) || !dppair_isfinite_f64(s->q) ||
      !dppair_isfinite_f64(step->pair_rate) || !dppair_isfinite_f64(step->ridge))
    return DPPAIR_ERR_NOT_FINITE;
  if (row == NULL) return DPPAIR_ERR_DOMAIN;
  if (step->steps == 0) return DPPAIR_ERR_STEPS;
  if (!(row->reads & DPPAIR_READS_RIDGE_) && step->ridge != 0.0) return DPPAIR_ERR_UNREAD;
  if (s->adjacency != 0 && (dppair_adjacency_check_(s->adjacency) != DPPAIR_OK ||
                            !(row->relations & (int)dppair_adjacency_move_(s->adjacency))))
    return DPPAIR_ERR_ADJACENCY;
  switch ((int)step->kind) {
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations)                            \
  case kind:                                                                                       \
    return dppair_##name##_check_(step);
    DPPAIR_MECHANISMS_HERE_(DPPAIR_X_)
#undef DPPAIR_X_
  default:
    return DPPAIR_ERR_MODULE;
  }
}

/* What one run of a step that has been checked adds to an account; of a kind that is not here, more
 * than any account holds. */
DPPAIR_API dppair_charge_ dppair_step_charge_(const dppair_step *step) {
  dppair_charge_ charge = {0.0, 0.0, 0.0, DPPAIR_ATTAINED_ALWAYS_};
  switch ((int)step->kind) {
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations)                            \
  case kind:                                                                                       \
    dppair_##name##_charge_(&charge, step);                                                        \
    break;
    DPPAIR_MECHANISMS_HERE_(DPPAIR_X_)
#undef DPPAIR_X_
  default:
    charge.rho = HUGE_VAL;
    charge.attained = DPPAIR_ATTAINED_NEVER_;
  }
  return charge;
}

/* dppair_renyi for a step that has been checked. tail > 0: hits are capped where that is left. */
DPPAIR_API dppair_status dppair_renyi_step_(double *rdp, double *unpaid, const dppair_step *step,
                                            double order, size_t cap, double tail) {
  dppair_renyi_ r = {order, tail, cap, 0.0, 0.0};
  dppair_status status = DPPAIR_ERR_DOMAIN;
  *rdp = *unpaid = 0.0;
  switch ((int)step->kind) {
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations)                            \
  case kind:                                                                                       \
    status = dppair_##name##_renyi_(&r, step);                                                     \
    break;
    DPPAIR_MECHANISMS_HERE_(DPPAIR_X_)
#undef DPPAIR_X_
  default:
    break;
  }
  if (status != DPPAIR_OK) return status;
  r.rdp *= 1.0 + DPPAIR_RENYI_SLACK_;
  if (!dppair_isfinite_f64(r.rdp) || r.rdp < 0.0 || r.rdp >= 1e300) return DPPAIR_ERR_OVERFLOW;
  *unpaid = r.unpaid;
  *rdp = r.rdp > DBL_MIN ? r.rdp : DBL_MIN; /* underflow must not make a step free */
  return DPPAIR_OK;
}

/*
 * *rdp = the Renyi divergence of order a in (1, 1e12] that one execution of the step costs, rounded
 * up (within 1e-10 relative); of allocated records, one epoch of 1 of batches/group batches,
 * bounded by that of plain Gaussian noise. hit_cap is 0, or the largest number of hits on one
 * record that is counted; then *unpaid, the probability of more, must be added to delta once per
 * execution. With d0 = *unpaid, T executions and P_c the law of those in which no record has more,
 *
 *   P(E) <= T d0 + (1-d0)^T P_c(E),
 *
 * since the law of the hits is the same under both data sets. Errors: NULL, ENVIRONMENT,
 * NOT_FINITE, DOMAIN (order), OVERFLOW, and those of the step.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_renyi(double *rdp, double *unpaid,
                                                        const dppair_step *step, double order,
                                                        size_t hit_cap) {
  dppair_status status;
  if (rdp == NULL || unpaid == NULL) return DPPAIR_ERR_NULL;
  *rdp = 0.0;
  *unpaid = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (step == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(order)) return DPPAIR_ERR_NOT_FINITE;
  if (!(order > 1.0) || order > 1e12) return DPPAIR_ERR_DOMAIN;
  status = dppair_step_check_(step);
  return status == DPPAIR_OK ? dppair_renyi_step_(rdp, unpaid, step, order, hit_cap, 0.0) : status;
}

/* The dominating pair of a step; `tail` is what hits beyond the cap may cost in delta, per run. */
DPPAIR_API dppair_status dppair_law_of_(dppair_law_ *law, const dppair_step *step, double tail) {
  const dppair_status status = dppair_step_check_(step);
  const uint64_t runs = dppair_step_runs_(step);
  memset(law, 0, sizeof *law);
  law->steps = (double)runs;
  if (status != DPPAIR_OK) return status;
  if (runs > UINT64_C(1) << 53) return DPPAIR_ERR_OVERFLOW;
  switch ((int)step->kind) {
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations)                            \
  case kind:                                                                                       \
    return dppair_##name##_law_(law, step, tail);
    DPPAIR_MECHANISMS_HERE_(DPPAIR_X_)
#undef DPPAIR_X_
  default:
    return DPPAIR_ERR_MODULE;
  }
}
