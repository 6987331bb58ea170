/* ------------------------------------------------------------------------------------------------
 * Any epsilon-private mechanism; the multiplier is epsilon
 *
 * Dominated by randomised response (Kairouz, Oh and Viswanath 2015), whose Renyi curve is the
 * largest one. The other pure mechanisms are charged by these functions too.
 * ---------------------------------------------------------------------------------------------- */

/* The Renyi curve of randomised response, the largest among all epsilon-private mechanisms:
 * log( tanh(e/2) sinh(y) + 2 sinh(y/2)^2 + 1 )/(a - 1), y = (a-1) e. From y = 30 on the sum is
 * e^y/(1 + e^-e) but for a relative e^-2y < 1e-25. */
DPPAIR_API double dppair_pure_curve_(double epsilon, double a) {
  const double y = (a - 1.0) * epsilon;
  double value;
  if (y < 30.0) {
    const double half = dppair_sinh_(0.5 * y);
    value = dppair_tanh_(0.5 * epsilon) * dppair_sinh_(y) + 2.0 * half * half;
    value = dppair_log1p_(value) / (a - 1.0);
  } else {
    value = epsilon - (dppair_log1p_(dppair_exp_(-epsilon)) - 1e-25) / (a - 1.0);
  }
  return value < epsilon ? value : epsilon;
}

/* The law of randomised response: atoms at +-epsilon. */
DPPAIR_API dppair_status dppair_pure_atoms_(dppair_law_ *law, double epsilon) {
  law->kind = DPPAIR_LAW_RESPONSE_;
  law->mu = epsilon;
  return epsilon > DPPAIR_LAW_PURE_MOST_ ? DPPAIR_ERR_NO_CONVERGENCE : DPPAIR_OK;
}

DPPAIR_API dppair_status dppair_pure_check_(const dppair_step *step) {
  return dppair_plain_check_(step, DPPAIR_ERR_EPSILON);
}

DPPAIR_API void dppair_pure_charge_(dppair_charge_ *charge, const dppair_step *step) {
  charge->pure = step->noise_multiplier;
}

DPPAIR_API dppair_status dppair_pure_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp = dppair_pure_curve_(step->noise_multiplier, r->order);
  return DPPAIR_OK;
}

DPPAIR_API dppair_status dppair_pure_law_(dppair_law_ *law, const dppair_step *step, double tail) {
  (void)tail;
  return dppair_pure_atoms_(law, step->noise_multiplier);
}
