/* ------------------------------------------------------------------------------------------------
 * Gaussian noise on a sum over drawn pairs
 *
 *   Poisson, zero-out      mixture, K ~ Bin(n-1, rate), shift k/z
 *   Poisson, replace-one   opposed, the same hits
 *   with replacement       amplified, K ~ Bin(m, 2/n), shift 2k/z (m counts pairs); of groups of g
 *                          different records, each any function of its records, Bin(m, g/n)
 *   matching               replace-one: amplified, one hit with q, shift 2/z; the same for groups
 *                          of more than two, whose vectors the multiplier then is about
 *
 * z is the multiplier (steps.h), and hits.h has the proofs. A combination that is not listed is
 * refused: pairs have no proof without replacement.
 * ---------------------------------------------------------------------------------------------- */

/* Every unordered pair is drawn with the pair rate: it and n are all that is read. A rate that was
 * lost must not make a step free. */
DPPAIR_API dppair_status dppair_sampled_pairs_poisson_check_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  if (s->q != 0.0 || s->m != 0 || s->batches != 0 || s->group != 0 || s->owned != 0)
    return DPPAIR_ERR_UNREAD;
  if (s->n < 2) return DPPAIR_ERR_SIZE;
  if (step->pair_rate < 0.0 || step->pair_rate > 1.0) return DPPAIR_ERR_DOMAIN;
  return step->pair_rate > 0.0 ? DPPAIR_OK : DPPAIR_ERR_RATE;
}

DPPAIR_API dppair_status dppair_sampled_pairs_check_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  dppair_status status = dppair_amplified_check_(step, s->kind == DPPAIR_POISSON ||
                                                           s->kind == DPPAIR_WITH_REPLACEMENT ||
                                                           s->kind == DPPAIR_MATCHING);
  if (status != DPPAIR_OK) return status;
  if (s->kind == DPPAIR_POISSON) return dppair_sampled_pairs_poisson_check_(step);
  if (step->pair_rate != 0.0) return DPPAIR_ERR_UNREAD;
  status = dppair_sampling_fields_(s);
  if (status != DPPAIR_OK) return status;
  if (s->kind == DPPAIR_WITH_REPLACEMENT && dppair_sampling_group_(s) > s->n)
    return DPPAIR_ERR_SIZE;
  /* the bound for draws with replacement counts a replacement, which covers zeroing */
  return s->kind == DPPAIR_WITH_REPLACEMENT ||
                 dppair_adjacency_move_(s->adjacency) == DPPAIR_REPLACE_ONE
             ? DPPAIR_OK
             : DPPAIR_ERR_ADJACENCY;
}

/* The law of the hits of a step that has been checked. */
DPPAIR_API dppair_hit_law_ dppair_sampled_pairs_hits_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  dppair_hit_law_ law;
  dppair_hit_law_once_(&law, s, 1.0 / step->noise_multiplier * 2.0);
  if (s->kind == DPPAIR_POISSON) {
    dppair_hit_law_poisson_(&law, s);
    law.hits = dppair_binomial_make_(s->n - 1, step->pair_rate, 1.0 - step->pair_rate);
    law.unit = 1.0 / step->noise_multiplier;
  }
  if (s->kind == DPPAIR_WITH_REPLACEMENT)
    dppair_hit_law_draws_(&law, s, law.unit, dppair_sampling_group_(s));
  return law;
}

DPPAIR_API void dppair_sampled_pairs_charge_(dppair_charge_ *charge, const dppair_step *step) {
  const dppair_hit_law_ hits = dppair_sampled_pairs_hits_(step);
  dppair_amplified_charge_(charge, &hits, &step->sampling);
}

DPPAIR_API dppair_status dppair_sampled_pairs_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  const dppair_hit_law_ hits = dppair_sampled_pairs_hits_(step);
  return dppair_amplified_renyi_(r, &hits);
}

DPPAIR_API dppair_status dppair_sampled_pairs_law_(dppair_law_ *law, const dppair_step *step,
                                                   double tail) {
  const dppair_hit_law_ hits = dppair_sampled_pairs_hits_(step);
  const dppair_status status = dppair_law_scale_(step->noise_multiplier, DPPAIR_LAW_NOISE_MOST_);
  return status == DPPAIR_OK ? dppair_amplified_law_(law, &hits, tail) : status;
}
