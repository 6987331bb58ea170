/* ------------------------------------------------------------------------------------------------
 * Gaussian noise on a statistic of drawn records
 *
 *   Poisson, zero-out      mixture, one hit with q, shift 1/z (added or zeroed)
 *   Poisson, replace-one   opposed, the same hit
 *   without replacement    replace-one: amplified, one hit with q, shift 1/z
 *   matching               the same
 *   with replacement       replace-one: amplified, K ~ Bin(m, 1/n), shift k/z
 *
 *   draws of modules       draws.h
 *
 * The same for users and for queries, where they are what is drawn. Where records are and users
 * are protected (`owned`): users.h.
 *
 * z is the multiplier (steps.h), and hits.h has the proofs. A combination that is not listed is
 * refused.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_API dppair_status dppair_sampled_gaussian_check_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  dppair_status status;
  switch ((int)s->kind) {
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  case kind:                                                                                       \
    return dppair_##name##_check_(step);
    DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  default:
    break;
  }
  if (dppair_draw_known_(s->kind) != DPPAIR_OK) return DPPAIR_ERR_MODULE;
  status = dppair_amplified_check_(
      step, s->kind == DPPAIR_POISSON || s->kind == DPPAIR_WITHOUT_REPLACEMENT ||
                s->kind == DPPAIR_WITH_REPLACEMENT || s->kind == DPPAIR_MATCHING);
  if (status != DPPAIR_OK) return status;
  if (step->pair_rate != 0.0) return DPPAIR_ERR_UNREAD;
  status = dppair_sampling_fields_(s);
  if (status != DPPAIR_OK) return status;
  if (s->kind == DPPAIR_WITH_REPLACEMENT && s->group > 0) return DPPAIR_ERR_UNREAD; /* records */
  if (s->owned > 0) return dppair_sampling_owned_(s);
  return s->kind == DPPAIR_POISSON || dppair_adjacency_move_(s->adjacency) == DPPAIR_REPLACE_ONE
             ? DPPAIR_OK
             : DPPAIR_ERR_ADJACENCY;
}

/* The law of the hits of a step that has been checked. */
DPPAIR_API dppair_hit_law_ dppair_sampled_gaussian_hits_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  dppair_hit_law_ law;
  dppair_hit_law_once_(&law, s, 1.0 / step->noise_multiplier);
  if (s->kind == DPPAIR_POISSON) dppair_hit_law_poisson_(&law, s);
  if (s->kind == DPPAIR_WITH_REPLACEMENT) dppair_hit_law_draws_(&law, s, law.unit, 1);
  if (s->owned > 0) dppair_hit_law_users_(&law, s);
  return law;
}

DPPAIR_API void dppair_sampled_gaussian_charge_(dppair_charge_ *charge, const dppair_step *step) {
  dppair_hit_law_ hits;
  switch ((int)step->sampling.kind) {
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  case kind:                                                                                       \
    dppair_##name##_charge_(charge, step);                                                         \
    return;
    DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  default:
    hits = dppair_sampled_gaussian_hits_(step);
    dppair_amplified_charge_(charge, &hits, &step->sampling);
  }
}

DPPAIR_API dppair_status dppair_sampled_gaussian_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  dppair_hit_law_ hits;
  switch ((int)step->sampling.kind) {
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  case kind:                                                                                       \
    return dppair_##name##_renyi_(r, step);
    DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  default:
    hits = dppair_sampled_gaussian_hits_(step);
    return dppair_amplified_renyi_(r, &hits);
  }
}

DPPAIR_API dppair_status dppair_sampled_gaussian_law_(dppair_law_ *law, const dppair_step *step,
                                                      double tail) {
  dppair_hit_law_ hits;
  dppair_status status;
  switch ((int)step->sampling.kind) {
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  case kind:                                                                                       \
    return dppair_##name##_law_(law, step, tail);
    DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  default:
    hits = dppair_sampled_gaussian_hits_(step);
  }
  status = dppair_law_scale_(step->noise_multiplier, DPPAIR_LAW_NOISE_MOST_);
  return status == DPPAIR_OK ? dppair_amplified_law_(law, &hits, tail) : status;
}
