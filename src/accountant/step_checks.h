/* ------------------------------------------------------------------------------------------------
 * Which steps are accepted
 * ---------------------------------------------------------------------------------------------- */

/* Are all numbers of `sampling` that a mechanism without sampling could be mistaken for 0? */
DPPAIR_API dppair_status dppair_unsampled_check_(const dppair_sampling *s, double pair_rate) {
  return s->kind == DPPAIR_NO_SAMPLING && s->q == 0.0 && s->n == 0 && s->m == 0 && pair_rate == 0.0
             ? DPPAIR_OK
             : DPPAIR_ERR_UNREAD;
}

/* The rate of a sampled step has exactly one source, and it is not 0: a rate that was lost (to an
 * integer division, to a field that is not read) must not make a step free. */
DPPAIR_API dppair_status dppair_rate_check_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  const int pairs = step->kind == DPPAIR_SAMPLED_PAIRS, matching = s->kind == DPPAIR_MATCHING;
  if (pairs && s->kind == DPPAIR_POISSON) {
    if (s->q != 0.0 || s->m != 0) return DPPAIR_ERR_UNREAD;
    if (s->n < 2) return DPPAIR_ERR_SIZE;
    if (step->pair_rate < 0.0 || step->pair_rate > 1.0) return DPPAIR_ERR_DOMAIN;
    return step->pair_rate > 0.0 ? DPPAIR_OK : DPPAIR_ERR_RATE;
  }
  if (step->pair_rate != 0.0) return DPPAIR_ERR_UNREAD;
  if (s->kind == DPPAIR_WITH_REPLACEMENT) {
    if (s->n < 2) return DPPAIR_ERR_SIZE;
    if (s->q != 0.0) return DPPAIR_ERR_UNREAD;
    return s->m > 0 ? DPPAIR_OK : DPPAIR_ERR_RATE;
  }
  if (s->q < 0.0 || s->q > 1.0) return DPPAIR_ERR_DOMAIN;
  if (s->n == 0 && s->m == 0) return s->q > 0.0 ? DPPAIR_OK : DPPAIR_ERR_RATE;
  if (s->m == 0) return s->q > 0.0 ? DPPAIR_ERR_UNREAD : DPPAIR_ERR_RATE;
  if (s->n < 2 || s->m > s->n) return DPPAIR_ERR_SIZE;
  if (matching && s->m % 2 != 0) return DPPAIR_ERR_RATE;
  /* 4 ulp: q was computed from these sizes, or it is another number */
  return s->q == 0.0 || fabs(s->q * (double)s->n - (double)s->m) <= 1e-15 * (double)s->m
             ? DPPAIR_OK
             : DPPAIR_ERR_RATE;
}

/* Are the parameters of a step in range, is every field that it reads given and no other one? */
DPPAIR_API dppair_status dppair_step_check_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  if (!dppair_isfinite_f64(step->noise_multiplier) || !dppair_isfinite_f64(s->q) ||
      !dppair_isfinite_f64(step->pair_rate))
    return DPPAIR_ERR_NOT_FINITE;
  if (step->kind < DPPAIR_GAUSSIAN || step->kind > DPPAIR_RANDOMISED_RESPONSE)
    return DPPAIR_ERR_DOMAIN;
  if (step->steps == 0) return DPPAIR_ERR_STEPS;
  if (s->adjacency != 0 && dppair_adjacency_check_(s->adjacency) != DPPAIR_OK)
    return DPPAIR_ERR_ADJACENCY;
  switch (step->kind) {
  case DPPAIR_GAUSSIAN:
  case DPPAIR_LAPLACE:
    if (!(step->noise_multiplier > 0.0)) return DPPAIR_ERR_SIGMA;
    return dppair_unsampled_check_(s, step->pair_rate);
  case DPPAIR_PURE:
  case DPPAIR_ZCDP:
  case DPPAIR_RANDOMISED_RESPONSE: /* a cost of 0 was forgotten */
    if (!(step->noise_multiplier > 0.0)) return DPPAIR_ERR_EPSILON;
    return dppair_unsampled_check_(s, step->pair_rate);
  default:
    break;
  }
  if (!(step->noise_multiplier > 1e-6)) return DPPAIR_ERR_SIGMA;
  if (s->kind != DPPAIR_POISSON && s->kind != DPPAIR_WITH_REPLACEMENT &&
      s->kind != DPPAIR_MATCHING &&
      (s->kind != DPPAIR_WITHOUT_REPLACEMENT || step->kind == DPPAIR_SAMPLED_PAIRS))
    return DPPAIR_ERR_NO_PROOF;
  if (s->adjacency != DPPAIR_REPLACE_ONE && s->adjacency != DPPAIR_ZERO_OUT)
    return DPPAIR_ERR_ADJACENCY;
  return dppair_rate_check_(step);
}
