/* ------------------------------------------------------------------------------------------------
 * Gaussian noise: sensitivity / sigma = 1 / multiplier
 *
 * An account sums mu^2, which composes on the exact curve (gaussian_curve.h).
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_API dppair_status dppair_gaussian_check_(const dppair_step *step) {
  return dppair_plain_check_(step, DPPAIR_ERR_SIGMA);
}

DPPAIR_API void dppair_gaussian_charge_(dppair_charge_ *charge, const dppair_step *step) {
  charge->mu = dppair_up_(1.0 / step->noise_multiplier);
}

DPPAIR_API dppair_status dppair_gaussian_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp = 0.5 * r->order / step->noise_multiplier / step->noise_multiplier;
  return DPPAIR_OK;
}

DPPAIR_API dppair_status dppair_gaussian_law_(dppair_law_ *law, const dppair_step *step,
                                              double tail) {
  (void)tail;
  law->kind = DPPAIR_LAW_GAUSSIAN_;
  law->mu = 1.0 / step->noise_multiplier;
  return dppair_law_scale_(step->noise_multiplier, DPPAIR_LAW_NOISE_MOST_);
}
