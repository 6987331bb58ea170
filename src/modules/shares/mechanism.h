/* ------------------------------------------------------------------------------------------------
 * Skellam noise on integers
 *
 * Sk(m), the difference of two Poisson variables of mean m/2, on every coordinate of an integer
 * vector that a record moves by D at most in l2 norm. The multiplier is z = 1/(D sqrt kappa), kappa
 * = 2 ln(I_0(m)/I_1(m)) (dppair_skellam_sigma over D). Then with c = 1/z^2, f the fraction of a,
 *
 *   Renyi(a) <= c (a/2 + f (1 - f)/(2 (a - 1))),
 *
 * the Gaussian's curve a c/2 at every whole order.
 *
 * Proof. The law's pmf is e^-m I_|x|(m); put V = -ln of it. I_{x-1} I_{x+1}/I_x^2 is E cos 2t for t
 * in [0, pi/2] of density proportional to I_{2x}(2m cos t) (Neumann), which is more concentrated
 * near 0 the larger x >= 0 is, since I_{2x+2}/I_{2x} grows with its argument. So the second
 * difference of V is largest at 0, where it is kappa. For a move by k let L(x) = V(x+k) - V(x);
 * then L(x-k) >= L(x) - kappa k^2. M(b) = E e^(-b L(X)) has M(0) = M(1) = 1 and M(b+1) = sum p(x)
 * e^(-b L(x-k)) <= e^(b kappa k^2) M(b), hence M(a) <= e^(kappa k^2 a(a-1)/2) at whole a, and
 * e^((a-1) Renyi(a)) = M(a). ln M is convex: between whole orders it is below the chord.
 * Coordinates add up.
 *
 * Poisson samples, zero-out (sampled_skellam): at whole orders the curve of the sampled Gaussian of
 * this multiplier, in both directions. The mixture first: expand (1 - q + q r)^a and use the above
 * for each power of r = P_1/P_0. The other direction is smaller, as it is for every pair that an
 * involution (here x -> k - x) exchanges: with x = 1 - q + q r, y = 1 - q + q/r and h(t) = t^a -
 * t^(1-a) the difference is E_0[h(x) + r h(y)]/2, and for r >= 1 x >= 1/y and sqrt(x) sinh((a -
 * 1/2) ln x) >= r sqrt(y) sinh((a - 1/2) ln(1/y)), an equality at a = 1 whose sides' ratio grows
 * with a. Between whole orders by convexity again.
 *
 * No pair of laws is known to dominate: accounts answer by the Renyi orders. It is not the Gaussian
 * mechanism, and not z-CDP at orders between whole ones. Samples without replacement have no proof.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_API dppair_status dppair_skellam_check_(const dppair_step *step) {
  return dppair_plain_check_(step, DPPAIR_ERR_SIGMA);
}

DPPAIR_API void dppair_skellam_charge_(dppair_charge_ *charge, const dppair_step *step) {
  (void)step;
  charge->attained = DPPAIR_ATTAINED_NEVER_;
}

DPPAIR_API dppair_status dppair_skellam_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  const double z = step->noise_multiplier, part = r->order - dppair_floor_(r->order);
  r->rdp = (0.5 * r->order + 0.5 * part * (1.0 - part) / (r->order - 1.0)) / z / z;
  return DPPAIR_OK;
}

DPPAIR_API dppair_status dppair_skellam_law_(dppair_law_ *law, const dppair_step *step,
                                             double tail) {
  (void)law;
  (void)step;
  (void)tail;
  return DPPAIR_ERR_NO_PROOF;
}

/* --- Poisson samples -------------------------------------------------------------------------- */

DPPAIR_API dppair_status dppair_sampled_skellam_check_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  const dppair_status status = dppair_amplified_check_(step, s->kind == DPPAIR_POISSON);
  if (status != DPPAIR_OK) return status;
  if (step->pair_rate != 0.0) return DPPAIR_ERR_UNREAD;
  return dppair_sampling_fields_(s);
}

DPPAIR_API void dppair_sampled_skellam_charge_(dppair_charge_ *charge, const dppair_step *step) {
  dppair_skellam_charge_(charge, step);
}

/* The logarithm of the moment, (a - 1) times the curve, on the chord of the whole orders around a.
 */
DPPAIR_API dppair_status dppair_sampled_skellam_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  const double low = dppair_floor_(r->order), part = r->order - low;
  dppair_hit_law_ law;
  dppair_hits_ hits;
  double log_moment = 0.0;
  dppair_status status;
  dppair_hit_law_once_(&law, &step->sampling, 1.0 / step->noise_multiplier);
  dppair_hit_law_poisson_(&law, &step->sampling);
  status = dppair_hits_make_(&hits, &law, 0, 0.0, 0, DPPAIR_HIT_CAPACITY_);
  if (status != DPPAIR_OK) return status;
  dppair_hits_raise_(&hits);
  if (low > 1.0) log_moment = (1.0 - part) * (low - 1.0) * dppair_renyi_hits_(&hits, low);
  if (part > 0.0) log_moment += part * low * dppair_renyi_hits_(&hits, low + 1.0);
  r->rdp = log_moment / (r->order - 1.0);
  return DPPAIR_OK;
}

DPPAIR_API dppair_status dppair_sampled_skellam_law_(dppair_law_ *law, const dppair_step *step,
                                                     double tail) {
  return dppair_skellam_law_(law, step, tail);
}
