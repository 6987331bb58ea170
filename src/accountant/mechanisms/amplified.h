/* ------------------------------------------------------------------------------------------------
 * What the mechanisms that draw records share: charge, curve and law from the hits
 *
 * Relies on hits.h, renyi.h and dominating_pairs.h.
 * ---------------------------------------------------------------------------------------------- */

/* The noise and the relation of a step that draws. */
DPPAIR_API dppair_status dppair_amplified_check_(const dppair_step *step, int proved) {
  if (!(step->noise_multiplier > 1e-6)) return DPPAIR_ERR_SIGMA;
  if (!proved) return DPPAIR_ERR_NO_PROOF;
  return dppair_adjacency_check_(step->sampling.adjacency);
}

/* If every record is certain to be drawn, it is a plain Gaussian step. */
DPPAIR_API void dppair_amplified_charge_(dppair_charge_ *charge, const dppair_hit_law_ *law,
                                         const dppair_sampling *s) {
  charge->attained = dppair_hits_attained_(law, s);
  if (law->hits.rate < 1.0) return;
  charge->mu = dppair_up_(dppair_up_((double)law->hits.trials * law->unit));
  if (law->comparison == DPPAIR_OPPOSED_) charge->mu *= 2.0;
}

DPPAIR_API dppair_status dppair_amplified_renyi_(dppair_renyi_ *r, const dppair_hit_law_ *law) {
  dppair_hits_ hits;
  const dppair_status status =
      dppair_hits_make_(&hits, law, r->cap, r->tail, 0, DPPAIR_HIT_CAPACITY_);
  if (status != DPPAIR_OK) return status;
  dppair_hits_raise_(&hits);
  r->unpaid = hits.tail;
  r->rdp = dppair_renyi_hits_(&hits, r->order);
  return DPPAIR_OK;
}

DPPAIR_API dppair_status dppair_amplified_law_(dppair_law_ *law, const dppair_hit_law_ *hit_law,
                                               double tail) {
  dppair_hits_ hits;
  /* amplified laws bound from above only */
  const int both = hit_law->comparison != DPPAIR_AMPLIFIED_;
  const dppair_status status =
      dppair_hits_make_(&hits, hit_law, 0, tail > DPPAIR_TAIL_LEAST_ ? tail : DPPAIR_TAIL_LEAST_,
                        both, both ? DPPAIR_HIT_CAPACITY_ : DPPAIR_AMPLIFIED_HITS_);
  size_t k;
  if (status != DPPAIR_OK) return status;
  if (hits.count == 1 && hits.gamma >= 1.0) {
    law->kind = DPPAIR_LAW_GAUSSIAN_;
    law->mu = hits.shift[0] * (hits.comparison == DPPAIR_OPPOSED_ ? 2.0 : 1.0);
    return DPPAIR_OK;
  }
  law->terms = hits.count;
  law->gamma = hits.gamma;
  law->rest = hits.miss;
  law->failure = hits.tail;
  law->merged = hits.merged;
  law->slip = hits.slip + 2.0 * hits.tail;
  memcpy(law->p, hits.probability, hits.count * sizeof *law->p);
  memcpy(law->shift, hits.shift, hits.count * sizeof *law->shift);
  if (hits.comparison != DPPAIR_AMPLIFIED_) {
    law->kind = hits.comparison == DPPAIR_OPPOSED_ ? DPPAIR_LAW_OPPOSITE_ : DPPAIR_LAW_MIXTURE_;
    return DPPAIR_OK;
  }
  law->kind = DPPAIR_LAW_AMPLIFIED_;
  for (k = 0; k < law->terms; k++) law->p[k] /= law->gamma;
  law->slip = 2.0 * law->slip + 2.0 * hits.tail / law->gamma + 4.0 * DPPAIR_UNIT_;
  return DPPAIR_OK;
}
