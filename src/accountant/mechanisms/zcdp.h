/* ------------------------------------------------------------------------------------------------
 * Any rho-zCDP mechanism; the multiplier is rho
 *
 * Only its Renyi curve a rho is known: no pair of laws that dominates it. An account sums rho.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_API dppair_status dppair_zcdp_check_(const dppair_step *step) {
  return dppair_plain_check_(step, DPPAIR_ERR_EPSILON);
}

DPPAIR_API void dppair_zcdp_charge_(dppair_charge_ *charge, const dppair_step *step) {
  charge->rho = step->noise_multiplier;
}

DPPAIR_API dppair_status dppair_zcdp_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp = r->order * step->noise_multiplier;
  return DPPAIR_OK;
}

DPPAIR_API dppair_status dppair_zcdp_law_(dppair_law_ *law, const dppair_step *step, double tail) {
  (void)law;
  (void)step;
  (void)tail;
  return DPPAIR_ERR_NO_PROOF;
}
