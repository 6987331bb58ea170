/* ------------------------------------------------------------------------------------------------
 * Randomised response with two answers; the multiplier is epsilon
 *
 * The worst epsilon-private mechanism, so that all of pure.h is exact for it.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_API dppair_status dppair_randomised_response_check_(const dppair_step *step) {
  return dppair_pure_check_(step);
}

DPPAIR_API void dppair_randomised_response_charge_(dppair_charge_ *charge,
                                                   const dppair_step *step) {
  dppair_pure_charge_(charge, step);
}

DPPAIR_API dppair_status dppair_randomised_response_renyi_(dppair_renyi_ *r,
                                                           const dppair_step *step) {
  return dppair_pure_renyi_(r, step);
}

DPPAIR_API dppair_status dppair_randomised_response_law_(dppair_law_ *law, const dppair_step *step,
                                                         double tail) {
  return dppair_pure_law_(law, step, tail);
}
