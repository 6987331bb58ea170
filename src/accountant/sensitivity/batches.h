/* ------------------------------------------------------------------------------------------------
 * Sensitivities of the pairs of a batch, from what is known of one pair
 *
 * What NAME_sensitivity says of a gradient as it is computed, for sums of one's own: ranking losses
 * move a batch by less than the clip of a pair alone says. Relies on owners.h, whose errors these
 * functions have.
 * ---------------------------------------------------------------------------------------------- */

/*
 * All pairs of the records of a step, divided by dppair_normaliser (a matching: its pairs). With c
 * the norm of a pair's total and D its move (dppair_pair_unit):
 *
 *   ALL                        D/n replaced, c/n zeroed
 *   WITHOUT, WITH_REPLACEMENT  D/m, REPLACE_ONE only
 *   MATCHING                   2 D/m, pairs only
 *   POISSON, ALLOCATION        c/mbar for two levels, min(u, 3C/2)/mbar for a linear margin, else
 *                              3c/(2 mbar), under both relations: when a record joins
 *
 * mbar records are expected, m or n group/batches. It is what the noise multiplier of the step
 * divides. Records are persons who own one: dppair_sensitivity_user_weighted has the proof. A
 * matched record has one partner, and m/2 pairs are averaged. `sampling` is one of records, n and
 * m given (not q alone).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_batch(
    double *sensitivity, const dppair_pair_unit *pair, const dppair_sampling *sampling) {
  dppair_sampling s;
  dppair_status status = dppair_pair_check_(sensitivity, pair, 0);
  if (status != DPPAIR_OK) return status;
  if (sampling == NULL) return DPPAIR_ERR_NULL;
  s = *sampling;
  status = dppair_sampling_check_(&s);
  if (status == DPPAIR_OK) status = dppair_adjacency_records_(s.adjacency);
  if (status != DPPAIR_OK) return status;
  if (s.n < 2) return DPPAIR_ERR_SIZE;
  if (s.kind == DPPAIR_MATCHING) {
    if (dppair_sampling_group_(&s) != 2) return DPPAIR_ERR_NO_PROOF;
    if (s.adjacency != DPPAIR_REPLACE_ONE) return DPPAIR_ERR_ADJACENCY;
    return dppair_sensitivity_store_(sensitivity, 2.0 * dppair_pair_move_(pair) / (double)s.m);
  }
  s.adjacency = (dppair_adjacency)((int)s.adjacency | DPPAIR_OF_PERSONS_);
  return dppair_sensitivity_user_weighted(sensitivity, pair, &s);
}

/*
 * A batch of a size that is random (POISSON, ALLOCATION), its records put into pairs at random, one
 * that is over left single: the sum of the pairs' totals over `divisor` > 0, a public constant,
 * moves by D/divisor when a record joins. Not by c: in a batch of even size the new record's
 * partner has left another one single, so that one pair is exchanged. (Couple the uniform matchings
 * of both batches that way; of odd size the new record joins the single one, which adds a pair.) It
 * is what the noise multiplier of a step of DPPAIR_SAMPLED_GAUSSIAN divides, under both relations.
 * A plain sum over all pairs of such a batch has no bound: it moves by more the larger the batch
 * is.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_matched(double *sensitivity,
                                                                      const dppair_pair_unit *pair,
                                                                      dppair_sampling_kind kind,
                                                                      double divisor) {
  const dppair_status status = dppair_pair_check_(sensitivity, pair, 0);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(divisor)) return DPPAIR_ERR_NOT_FINITE;
  if (!(divisor > 0.0) || !dppair_ordinary_(divisor)) return DPPAIR_ERR_DOMAIN;
  if (!dppair_sampling_is_random_(kind)) return DPPAIR_ERR_NO_PROOF;
  return dppair_sensitivity_store_(sensitivity, dppair_pair_move_(pair) / divisor);
}
