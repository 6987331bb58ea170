/* ------------------------------------------------------------------------------------------------
 * A site's share of a release: integers whose sum over the sites is private
 *
 *   plan.noise = DPPAIR_SKELLAM, plan.sampling = dppair_sampling_all(n, DPPAIR_ZERO_OUT);   its own n
 *   s = dppair_calibrate(&plan, &account, NULL);
 *   if (!s) s = dppair_release_open(&release, &account, &plan, NULL);    keys of the site's own
 *   ... dppair_integers_open, dppair_quantise: the sum of this site's records
 *   if (!s) s = dppair_release_share(share, &release, &q, honest, 32);     to be added, not seen
 *   ... secure aggregation adds the shares modulo 2^32
 *   if (!s) s = dppair_shares_value(v, sum, d, 32, scale);               v may be published
 *
 * Each site adds Skellam noise of 1/honest of the variance that the sum needs. The noise of
 * `honest` shares is Skellam of all of it, and whatever others add beside it, noise or integers of
 * their choice, is independent of it: post-processing. So the sum over the sites protects each of
 * their records as the plan says, provided that at least `honest` sites, that of the record
 * counted, add the noise that they drew here, do not tell it, and are in the sum; more sites make
 * the sum noisier, fewer void the proof: who adds the shares up must refuse a sum of fewer. Sites
 * that do not arrive take their noise with them: count only those that surely do. A site knows its
 * own share: to protect each site's records from the other sites too, `honest` is one less.
 *
 * These shares must all have one variance. It is another one where a site's noise multiplier is,
 * since its account held something before, or its scale or length: the records of the site that
 * needs most would then have less than was charged. dppair_release_share_variance is public: let
 * sites compare it, and plan for the largest noise_multiplier (epsilon and delta 0).
 *
 * A share alone is NOT private at the plan's price. It has a part of the noise, and only the sum
 * over the sites may be seen by anybody: additive masks (each pair of sites adds and subtracts the
 * same key stream) or any other secure aggregation modulo 2^bits must hide it.
 *
 * The modulus is post-processing. It costs no delta, only accuracy: dppair_skellam_wrap with sites
 * times dppair_release_share_variance says how much. The account's curve of D and this variance is
 * mechanism.h, D is dppair_sensitivity_quantised. Relies on release/vector.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/*
 * *variance = that of the noise which dppair_release_share adds to each coordinate of such a sum,
 * and *sensitivity = how far a record moves its integers: from public numbers alone.
 * Errors zero both: NULL; DOMAIN (*sum was not opened); SIZE (honest = 0; more vectors than the
 * plan has records or users, or than it drew); LAW (the law is not DPPAIR_SKELLAM); NOT_DRAWN (a
 * plan that draws, and no draw for this step); SIGMA (a share beyond what dppair_skellam draws);
 * those of dppair_release_vector about the release.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_release_share_variance(double *variance, double *sensitivity, const dppair_release *release,
                              const dppair_integers *sum, size_t honest) {
  const dppair_sampling *from;
  double moved, scale, whole;
  dppair_status status = DPPAIR_OK;
  if (variance != NULL) *variance = 0.0;
  if (sensitivity != NULL) *sensitivity = 0.0;
  if (variance == NULL || sensitivity == NULL || sum == NULL) return DPPAIR_ERR_NULL;
  status = dppair_release_begun_(release);
  if (status != DPPAIR_OK) return status;
  from = &release->sampling;
  if (release->mechanism != DPPAIR_SKELLAM) return DPPAIR_ERR_LAW;
  if (sum->sum == NULL || sum->size == 0) return DPPAIR_ERR_DOMAIN;
  if (honest == 0 || sum->vectors > (from->kind == DPPAIR_ALL ? from->n : release->drawn))
    return DPPAIR_ERR_SIZE;
  status =
      dppair_sensitivity_quantised(&moved, sum->how, sum->length, sum->scale, sum->nonzero,
                                   from->kind == DPPAIR_ALL ? from->adjacency : DPPAIR_ZERO_OUT);
  if (status == DPPAIR_OK) status = dppair_release_scale_(&scale, release, moved);
  if (status == DPPAIR_OK) status = dppair_skellam_variance(&whole, scale);
  if (status != DPPAIR_OK) return status;
  whole /= (double)honest;
  if (!(whole >= DPPAIR_SKELLAM_VARIANCE_MIN_ && whole < 0.999 * DPPAIR_SKELLAM_VARIANCE_MAX_))
    return DPPAIR_ERR_SIGMA;
  *variance = honest > 1 ? whole * (1.0 + 4.0 * DBL_EPSILON) : whole;
  *sensitivity = moved;
  return DPPAIR_OK;
}

/* The noise of a share, told to an audit as that of the sum. */
DPPAIR_API dppair_status dppair_release_share_noise_(uint64_t *share, size_t size, double variance,
                                                     dppair_release *release) {
  dppair_status status;
  if (DPPAIR_AUDITED_((DPPAIR_EVENT_ADD, "skellam", share, size, sizeof *share, NULL,
                       release->sigma, 0.0, NULL, &release->noise, DPPAIR_OK)))
    return DPPAIR_OK;
  status = dppair_skellam_((int64_t *)share, size, 1, variance, &release->noise);
  (void)DPPAIR_AUDITED_((DPPAIR_EVENT_ADDED, "skellam", share, size, sizeof *share, NULL,
                         release->sigma, 0.0, NULL, &release->noise, status));
  return status;
}

/*
 * share[0..sum->size): the site's integers with its part of the noise, modulo 2^bits, 0 .. 2^bits -
 * 1. STILL PRIVATE: only the sum over the sites may be seen (see the head). Uses a paid release;
 * the sum stays as it is, and may be released by this step only: the same sum in another step is
 * another release, which the plan has paid for.
 *   honest   shares of `whole` noise that surely are in the sum and hidden, >= 1: those of sites
 *            that arrive and tell nobody what they drew; one less where a site, which knows its own,
 *            is not trusted with the others' records. A public number, the same at every site
 *   bits     1 to 64
 * release->sensitivity and ->sigma are those of the sum over the sites: how far a record moves it,
 * and the standard deviation of Gaussian noise that protects alike.
 *
 * Errors zero share. They use no paid release: those of dppair_release_share_variance; NULL
 * (share); DOMAIN (bits); OVERLAP (share, and the sum); ENVIRONMENT. OVERFLOW and EXHAUSTED of
 * dppair_skellam use it.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_share(uint64_t *share,
                                                                dppair_release *release,
                                                                const dppair_integers *sum,
                                                                size_t honest, unsigned bits) {
  const uint64_t mask = bits < 64 ? (UINT64_C(1) << bits % 64) - 1 : UINT64_MAX;
  dppair_release_terms_ terms;
  double variance;
  size_t k;
  dppair_status status;
  if (share == NULL || sum == NULL) return DPPAIR_ERR_NULL;
  status = dppair_array_(share, sum->size);
  if (status != DPPAIR_OK) return status;
  memset(share, 0, sum->size * sizeof *share);
  status = dppair_release_share_variance(&variance, &terms.sensitivity, release, sum, honest);
  if (status == DPPAIR_OK && (bits < 1 || bits > 64)) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK)
    status = dppair_apart_(share, sum->size, sum->sum, sum->size * sizeof *sum->sum);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK) status = dppair_release_scale_(&terms.scale, release, terms.sensitivity);
  if (status != DPPAIR_OK) return status;
  terms.divisor = 1.0;
  dppair_release_permit_(release, &terms);
  memcpy(share, sum->sum, sum->size * sizeof *share);
  (void)DPPAIR_AUDITED_((DPPAIR_EVENT_RELEASE, dppair_mechanism_name(release->mechanism), share,
                         sum->size, sizeof *share, NULL, release->sigma, release->sensitivity,
                         &release->sampling, release, DPPAIR_OK));
  status = dppair_release_share_noise_(share, sum->size, variance, release);
  for (k = 0; k < sum->size; k++) share[k] &= mask;
  return status;
}

/* to += from modulo 2^bits, for size integers; those of shares, of masks, and of sums of them.
 * Errors zero `to`: NULL, OVERFLOW, DOMAIN (bits). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_shares_add(uint64_t *to, const uint64_t *from,
                                                             size_t size, unsigned bits) {
  const uint64_t mask = bits < 64 ? (UINT64_C(1) << bits % 64) - 1 : UINT64_MAX;
  dppair_status status = dppair_array_(to, size);
  size_t k;
  if (status != DPPAIR_OK) return status;
  if (from == NULL && size > 0) status = DPPAIR_ERR_NULL;
  if (bits < 1 || bits > 64) status = DPPAIR_ERR_DOMAIN;
  for (k = 0; k < size; k++) to[k] = status == DPPAIR_OK ? (to[k] + from[k]) & mask : 0u;
  return status;
}

/* v[k] = the sum of the shares as a number from -2^(bits-1) on, divided by the scale. Errors zero
 * v: NULL, OVERFLOW, NOT_FINITE, DOMAIN (bits; a scale that is not positive). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_shares_value(double *v, const uint64_t *sum,
                                                               size_t size, unsigned bits,
                                                               double scale) {
  dppair_status status = dppair_array_(v, size);
  size_t k;
  if (status != DPPAIR_OK) return status;
  if (sum == NULL && size > 0) status = DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(scale)) status = DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK && (bits < 1 || bits > 64 || !(scale > 0.0))) status = DPPAIR_ERR_DOMAIN;
  for (k = 0; k < size; k++) {
    const uint64_t at = status == DPPAIR_OK ? sum[k] << (64 - bits) : 0u; /* the sign comes first */
    const double size_of = (double)((at >> 63 ? 0u - at : at) >> (64 - bits) % 64);
    v[k] = status == DPPAIR_OK ? (at >> 63 ? -size_of : size_of) / scale : 0.0;
  }
  return status;
}

DPPAIR_FP_END_
