/* ------------------------------------------------------------------------------------------------
 * Laplace noise: l1 sensitivity / scale = 1 / multiplier
 *
 * With e = sensitivity / scale the losses are e on one side, -e on the other, and linear between;
 * none exceeds e. One coordinate that moves by all of the sensitivity is the worst case.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_API dppair_status dppair_laplace_check_(const dppair_step *step) {
  return dppair_plain_check_(step, DPPAIR_ERR_SIGMA);
}

DPPAIR_API void dppair_laplace_charge_(dppair_charge_ *charge, const dppair_step *step) {
  charge->pure = dppair_up_(1.0 / step->noise_multiplier);
}

/* e^y - 1 - y >= 0. */
DPPAIR_API double dppair_exp_excess_(double y) {
  double part, sum, k;
  if (dppair_fabs_(y) > 0.3) return dppair_expm1_(y) - y;
  sum = part = 0.5 * y * y;
  for (k = 3.0; k < 30.0; k += 1.0) {
    part *= y / k;
    sum += part;
    if (dppair_fabs_(part) <= 1e-17 * sum) break;
  }
  return sum;
}

/* The Renyi curve of the Laplace mechanism (Mironov 2017), e = sensitivity / scale. Where the first
 * of its two exponentials is above e^30, the other is below e^-60 of it; 1e-13 covers it and the
 * rounding. */
DPPAIR_API double dppair_laplace_curve_(double e, double a) {
  const double up = (a - 1.0) * e, c = 2.0 * a - 1.0;
  double value;
  if (up < 30.0)
    value =
        dppair_log1p_((a * dppair_exp_excess_(up) + (a - 1.0) * dppair_exp_excess_(-a * e)) / c) /
        (a - 1.0);
  else
    value = e + (dppair_log_(a / c) + 1e-13) / (a - 1.0);
  return value < e ? value : e;
}

DPPAIR_API dppair_status dppair_laplace_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp = dppair_laplace_curve_(1.0 / step->noise_multiplier, r->order);
  return DPPAIR_OK;
}

DPPAIR_API dppair_status dppair_laplace_law_(dppair_law_ *law, const dppair_step *step,
                                             double tail) {
  (void)tail;
  law->kind = DPPAIR_LAW_LAPLACE_;
  law->mu = 1.0 / step->noise_multiplier;
  return dppair_law_scale_(step->noise_multiplier, DPPAIR_LAW_LAPLACE_MOST_);
}
