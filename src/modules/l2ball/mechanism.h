/* ------------------------------------------------------------------------------------------------
 * Noise of density exp(-|z|_2 / scale): l2 sensitivity / scale = 1 / multiplier
 *
 * Two outputs' densities differ by the factor exp((|z - s|_2 - |z|_2)/scale), which is at most
 * exp(|s|_2/scale) by the triangle inequality, in any number of columns. So the release is
 * epsilon-private with epsilon = sensitivity / scale at delta = 0, and is charged like the worst
 * such mechanism, which it does not attain.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_API dppair_status dppair_l2ball_check_(const dppair_step *step) {
  return dppair_plain_check_(step, DPPAIR_ERR_SIGMA);
}

DPPAIR_API void dppair_l2ball_charge_(dppair_charge_ *charge, const dppair_step *step) {
  charge->pure = dppair_step_pure_(step);
  charge->attained = DPPAIR_ATTAINED_NEVER_;
}

DPPAIR_API dppair_status dppair_l2ball_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp = dppair_pure_curve_(dppair_step_pure_(step), r->order);
  return DPPAIR_OK;
}

DPPAIR_API dppair_status dppair_l2ball_law_(dppair_law_ *law, const dppair_step *step,
                                            double tail) {
  (void)tail;
  return dppair_pure_atoms_(law, dppair_step_pure_(step));
}

/* --- A perturbed objective with such noise: proof in accountant/mechanisms/objective.h ---------- */

DPPAIR_API dppair_status dppair_pure_objective_check_(const dppair_step *step) {
  return dppair_objective_check_(step);
}

DPPAIR_API void dppair_pure_objective_charge_(dppair_charge_ *charge, const dppair_step *step) {
  charge->pure = dppair_step_pure_(step);
  charge->attained = DPPAIR_ATTAINED_NEVER_;
}

DPPAIR_API dppair_status dppair_pure_objective_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp = dppair_pure_curve_(dppair_step_pure_(step), r->order);
  return DPPAIR_OK;
}

DPPAIR_API dppair_status dppair_pure_objective_law_(dppair_law_ *law, const dppair_step *step,
                                                    double tail) {
  (void)tail;
  return dppair_pure_atoms_(law, dppair_step_pure_(step));
}
