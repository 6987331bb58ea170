/* ------------------------------------------------------------------------------------------------
 * Gaussian noise on all pairs of a sample of records, where users are protected
 *
 * m of n records without replacement, their pairs over m (m-1); one user owns at most k = `owned`
 * of the n, a public number, and all of his records are replaced. J ~ hypergeometric(n, k, m) of
 * them are drawn. With gamma = P(J >= 1), t = e^epsilon and z the multiplier, which divides what
 * one record of the batch moves (dppair_sensitivity):
 *
 *   delta <= sum over j >= 1 of P(J = j) delta_G(log(1 + (t-1)/gamma), T(m, j)/((m-1) z))
 *
 * T: owners.h. One record (k = 1) is the law of records. Neither k times the epsilon of a record,
 * which is larger, nor the rate m/n for a user's, which is up to 1 - (1-m/n)^k: that is no bound.
 *
 * Proof. Both data sets have the same law of J and, given J = 0, of the batch: advanced joint
 * convexity (hits.h) leaves two comparisons. Given J = j, on both sides: couple the draws, and j of
 * the m records are replaced. Given J = j against J = 0: exchange the j records for j fresh ones of
 * others, of which there are enough when n - k >= m; a uniform subset again, and again j records
 * are replaced. Nothing but the number of the k records was used: those of a user who owns fewer
 * are among k that differ, if at all, on both sides. Relies on amplified.h.
 * ---------------------------------------------------------------------------------------------- */

/* The law of the hits of a step with owned > 0 that has been checked (dppair_sampling_owned_). */
DPPAIR_API void dppair_hit_law_users_(dppair_hit_law_ *law, const dppair_sampling *s) {
  law->hits = dppair_hypergeometric_make_(s->n, s->owned, s->m);
  law->batch = s->m;
}
