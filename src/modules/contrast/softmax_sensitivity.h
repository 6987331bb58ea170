/* ------------------------------------------------------------------------------------------------
 * The sensitivity of a softmax over a batch
 *
 * Conventions, ranges and errors are those of accountant/sensitivity/sensitivity.h.
 * ---------------------------------------------------------------------------------------------- */

/*
 * The SUM over b anchors i of the gradient of -S_ii + log sum_j e^{S_ij}, similarities S_ij in
 * [-1/temperature, 1/temperature], the gradient of each S_ij of norm <= clip = B. One record is
 * anchor i and its partner, row i and column i. With t = e^{2/temperature}:
 *   REPLACE_ONE  B (4 (1 - low) + 2 (b-1) high), low = 1/(1 + (b-1) t), high = 1/(1 + (b-1)/t)
 *   ZERO_OUT     B (2 (1 - low) + 2 (b-1) high): row and column leave a batch of b
 * batch = 0: for batches of any size, B (4 + 2t) and B (2 + 2t). It grows with b, so that a batch
 * of at most `batch` is covered. Useful for temperatures of order 1; else clip groups.
 * Proof. Row a has coefficients P_aj - [j = a], of absolute sum 2 (1 - P_aa) <= 2 (1 - low), before
 * and after. In another row i the vector is p G_ia + (1-p) M - G_ii, p = P_ia <= high, M the mean
 * over j != a, which does not depend on record a: it moves by p B + p' B + |p - p'| B <= 2 high B,
 * or by 2 p B when column a leaves. Attained.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_softmax(double *sensitivity,
                                                                      double clip,
                                                                      double temperature,
                                                                      size_t batch,
                                                                      dppair_adjacency adjacency) {
  dppair_status status = dppair_sensitivity_args_(sensitivity, 2, clip, temperature, 0.0);
  const double others = batch > 0 ? (double)(batch - 1) : HUGE_VAL;
  double least, own, column;
  if (status == DPPAIR_OK) status = dppair_adjacency_of_(adjacency, DPPAIR_OF_RECORDS_);
  if (status != DPPAIR_OK) return status;
  if (!(temperature > 0.0)) return DPPAIR_ERR_DOMAIN;
  if (batch == 1) return DPPAIR_ERR_SIZE; /* nothing to tell apart: the gradient is 0 */
  /* rounded down: exp is within 2 ulp, of an argument within one ulp of its own */
  least = temperature > 2.7e-3 ? dppair_exp_(-2.0 / temperature) : 0.0;
  least *= 1.0 - (2.0 / temperature < 750.0 ? 2.0 / temperature + 4.0 : 0.0) * 2.3e-16;
  own = batch > 0 ? others / (others + least) : 1.0;
  column = batch > 0 ? others / (1.0 + others * least) : (least > 0.0 ? 1.0 / least : HUGE_VAL);
  if (dppair_adjacency_move_(adjacency) == DPPAIR_REPLACE_ONE) own *= 2.0;
  return dppair_sensitivity_store_(sensitivity, 2.0 * clip * (own + column));
}
