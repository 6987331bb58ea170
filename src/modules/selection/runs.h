/* ------------------------------------------------------------------------------------------------
 * How often a selection by random stopping runs, exactly
 *
 * The law of selection.h, by coins of exact bias. Relies on discrete.h.
 * ---------------------------------------------------------------------------------------------- */

/* 1 with probability exactly p, a double in [0, 1]: as dppair_coin_, on the binary digits of p. */
DPPAIR_API int dppair_coin_of_double_(dppair_source_ *s, double p) {
  if (p >= 1.0) return 1;
  while (p > 0.0 && s->status == DPPAIR_OK) {
    const uint32_t r = dppair_next32_(s);
    const uint32_t digits = (uint32_t)(p *= 4294967296.0); /* exact, as is what is left of p */
    if (r != digits) return r < digits;
    p -= (double)digits;
  }
  return 0;
}

/* One coin of bias (k + eta)/(k + 1) = 1 - (1 - eta)/(k + 1): a uniform number of 0 .. k is below
 * k - 1, or is k - 1 or k and a coin of eta decides. -1 < eta <= 1. */
DPPAIR_API int dppair_coin_again_(dppair_source_ *s, uint64_t k, double eta) {
  const uint64_t j = dppair_below_(s, k + 1);
  if (j + 1 < k) return 1;
  if (j + 1 == k) return eta >= 0.0 || !dppair_coin_of_double_(s, -eta);
  return eta > 0.0 && dppair_coin_of_double_(s, eta);
}

/*
 * Draws *runs = K, how often dppair_selection_epsilon says that a candidate is trained: with
 * probability ~ (1 - gamma)^k (1 + eta/1) .. (1 + eta/(k - 1))/k, k >= 1, exactly. eta in (-1, 1],
 * gamma in [1e-6, 1], the doubles as they are. K must be drawn before the first run and stay
 * secret, with the time that the runs take.
 *
 * Rejection: from k = 1 on, a coin of bias gamma ends with K = k; else one of bias (k + eta)/(k +
 * 1) goes on to k + 1, or begins again. So one attempt ends with K = k with probability gamma times
 * (1 - gamma)^(k - 1) (1 + eta)(2 + eta) .. (k - 1 + eta)/k!, which is the law times a constant.
 * About 1/gamma coins at most, and their number depends on what is drawn.
 *
 * Errors: NULL, NOT_FINITE, DOMAIN, the generator's; *runs is then 0.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_draw_runs(uint64_t *runs, double eta,
                                                            double gamma, dppair_rng *rng) {
  dppair_source_ s;
  dppair_status status;
  uint64_t k = 1;
  if (runs == NULL) return DPPAIR_ERR_NULL;
  *runs = 0;
  if (!dppair_isfinite_f64(eta) || !dppair_isfinite_f64(gamma)) return DPPAIR_ERR_NOT_FINITE;
  if (!(eta > -1.0 && eta <= 1.0 && gamma >= 1e-6 && gamma <= 1.0)) return DPPAIR_ERR_DOMAIN;
  dppair_source_open_(&s, rng);
  while (s.status == DPPAIR_OK && !dppair_coin_of_double_(&s, gamma))
    k = dppair_coin_again_(&s, k, eta) ? k + 1 : 1;
  status = dppair_source_close_(&s);
  if (status == DPPAIR_OK) *runs = k;
  if (DPPAIR_AUDITED_(
          (DPPAIR_EVENT_DRAWN, "runs", runs, 1, sizeof *runs, NULL, eta, gamma, NULL, rng, status)))
    return DPPAIR_OK;
  return status;
}
