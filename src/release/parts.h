/* ------------------------------------------------------------------------------------------------
 * Parts of a paid release
 *
 * A paid release is for one statistic of sensitivity S with noise of scale z S. It may be cut into
 * parts: number k of sensitivity S_k with noise of scale z S_k / sqrt(w_k), for pure laws z S_k /
 * w_k, where the shares w_k add up to at most 1 and each statistic may depend on the results before
 * it. Together they cost what was paid: dppair_evaluation.h has the proof for a plan of all
 * records. In a plan of Poisson samples the parts read the SAME batch, and are one sampled event.
 *   Zero-out. Let the others' coins be given, and X the log-ratio of all parts between the batch
 *   with the record and that without it, each part moving by mu_k <= sqrt(w_k)/z, which may depend
 *   on the results before it. The ratio of what is seen is 1 - q + q e^X. A further number that is
 *   the same for everybody but moves by sqrt(1/z^2 - sum mu_k^2) hides nothing; with it X is normal
 *   with variance 1/z^2, exactly: the sampled Gaussian of one statistic. Replace-one. Given the
 *   results of the earlier parts, E (A + B e^X - t (A + B' e^X'))+ with normal X and X' grows with
 *   either variance and falls with their covariance (Kahane's interpolation), so the last part's
 *   moves may be replaced by opposed ones of full length that depend on nothing; then those of the
 *   part before it. What remains is the opposed pair of one statistic.
 * Two paid releases are two draws. To charge two statistics of one batch as two sampled events
 * would be too little (rate 0.1, both with z = 1/1.5, epsilon 1: delta is 0.0242, two events say
 * 0.0109).
 *
 * Relies on vector.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/*
 * The next release uses this share of the paid release, 0 < share < 1; the release after it uses
 * what is left, or a share of it again. A paid release that was begun has to be used up before the
 * next draw.
 *
 * Errors, which change nothing: NULL, DOMAIN (the share is no such number, or not below what is
 * left), NOT_DRAWN, NO_PROOF (a plan that draws otherwise than Poisson samples), LAW (a law that is
 * neither Gaussian nor pure), those of dppair_release_vector about the release.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_part(dppair_release *release,
                                                               double share) {
  const dppair_status status = dppair_release_ready_(release);
  if (status != DPPAIR_OK) return status;
  if (release->mechanism != DPPAIR_GAUSSIAN && !dppair_mechanism_is_pure_(release->mechanism))
    return DPPAIR_ERR_LAW;
  if (release->sampling.kind != DPPAIR_ALL && release->sampling.kind != DPPAIR_POISSON)
    return DPPAIR_ERR_NO_PROOF;
  if (!(share > 0.0 && share < (release->left > 0.0 ? release->left : 1.0)))
    return DPPAIR_ERR_DOMAIN;
  release->part = share;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
