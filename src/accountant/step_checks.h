/* ------------------------------------------------------------------------------------------------
 * Which steps are accepted
 *
 * A step is refused when a parameter is out of range, but also when a field that it reads is
 * missing or one that it does not read is set: both are signs of a mistake that would make the step
 * look cheaper than it is. Relies on steps.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_API int dppair_step_is_sampled_(const dppair_step *step) {
  return step->kind == DPPAIR_SAMPLED_GAUSSIAN || step->kind == DPPAIR_SAMPLED_PAIRS;
}

/* Nothing but the adjacency may be set in `sampling` of a step without sampling. */
DPPAIR_API dppair_status dppair_unsampled_check_(const dppair_sampling *s, double pair_rate) {
  return s->kind == DPPAIR_ALL && s->q == 0.0 && s->n == 0 && s->m == 0 && pair_rate == 0.0
             ? DPPAIR_OK
             : DPPAIR_ERR_UNREAD;
}

/* A sampled step has one rate, from one source, and it is not 0: a rate that was lost, to an
 * integer division or to a field that is not read, must not make a step free. */
DPPAIR_API dppair_status dppair_rate_check_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  if (step->kind == DPPAIR_SAMPLED_PAIRS && s->kind == DPPAIR_POISSON) {
    if (s->q != 0.0 || s->m != 0) return DPPAIR_ERR_UNREAD;
    if (s->n < 2) return DPPAIR_ERR_SIZE;
    if (step->pair_rate < 0.0 || step->pair_rate > 1.0) return DPPAIR_ERR_DOMAIN;
    return step->pair_rate > 0.0 ? DPPAIR_OK : DPPAIR_ERR_RATE;
  }
  if (step->pair_rate != 0.0) return DPPAIR_ERR_UNREAD;
  return dppair_sampling_fields_(s);
}

/* A sampled Gaussian step or sampled pairs: pairs have no proof without replacement. */
DPPAIR_API dppair_status dppair_sampled_check_(const dppair_step *step) {
  const dppair_sampling_kind kind = step->sampling.kind;
  if (!(step->noise_multiplier > 1e-6)) return DPPAIR_ERR_SIGMA;
  if (kind != DPPAIR_POISSON && kind != DPPAIR_WITH_REPLACEMENT && kind != DPPAIR_MATCHING &&
      (kind != DPPAIR_WITHOUT_REPLACEMENT || step->kind == DPPAIR_SAMPLED_PAIRS))
    return DPPAIR_ERR_NO_PROOF;
  if (dppair_adjacency_check_(step->sampling.adjacency) != DPPAIR_OK) return DPPAIR_ERR_ADJACENCY;
  return dppair_rate_check_(step);
}

/* Are the parameters of a step in range, and is every field that it reads given and no other? */
DPPAIR_API dppair_status dppair_step_check_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  const int scaled = step->kind == DPPAIR_GAUSSIAN || step->kind == DPPAIR_LAPLACE;
  if (!dppair_isfinite_f64(step->noise_multiplier) || !dppair_isfinite_f64(s->q) ||
      !dppair_isfinite_f64(step->pair_rate))
    return DPPAIR_ERR_NOT_FINITE;
  if (step->kind < DPPAIR_GAUSSIAN || step->kind > DPPAIR_RANDOMISED_RESPONSE)
    return DPPAIR_ERR_DOMAIN;
  if (step->steps == 0) return DPPAIR_ERR_STEPS;
  if (s->adjacency != 0 && dppair_adjacency_check_(s->adjacency) != DPPAIR_OK)
    return DPPAIR_ERR_ADJACENCY;
  if (dppair_step_is_sampled_(step)) return dppair_sampled_check_(step);
  /* a pure or zCDP step that costs 0 is one whose cost was forgotten */
  if (!(step->noise_multiplier > 0.0)) return scaled ? DPPAIR_ERR_SIGMA : DPPAIR_ERR_EPSILON;
  return dppair_unsampled_check_(s, step->pair_rate);
}
