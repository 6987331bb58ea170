/* ------------------------------------------------------------------------------------------------
 * Skellam noise: its self-test, and what adds it
 *
 * The self-test runs once in a process, by the first call that draws such noise. Relies on
 * skellam.h and noise/trial.h.
 * ---------------------------------------------------------------------------------------------- */

/* What dppair_trial_skellam_ gives. */
#define DPPAIR_ANSWER_SKELLAM_ UINT64_C(0xf3a0ec60858f5af7)

/* The bits of the double level, and four decisions by enclosures, which it would not leave to them:
 * mixed into *h. A fault of few digits moves no draw. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_trial_decisions_(uint64_t *h, dppair_rng *rng) {
  dppair_source_ s;
  dppair_poisson_ p;
  dppair_decision_ u;
  unsigned i;
  dppair_status status = dppair_poisson_make_(&p, 1.5e9);
  dppair_source_open_(&s, rng);
  for (i = 0; i < 24 && status == DPPAIR_OK; i++) {
    const uint32_t w[3] = {0x9e3779b9u * (i + 1), 0x85ebca6bu * (i + 1), 0};
    double t;
    (void)dppair_poisson_f64_(&t, &p, p.mode + 7919.0 * i, 1.0);
    *h = dppair_trial_word_(*h, dppair_bits_f64_(t));
    *h = dppair_trial_word_(*h, dppair_bits_f64_(dppair_exponential_f64_(w)));
  }
  for (i = 0; i < 4 && status == DPPAIR_OK; i++) {
    u.count = 0;
    *h = 2 * *h + (uint64_t)dppair_poisson_decide_(&p, 1500030000u - 20000u * i, 0, &u, &s);
    status = s.status;
  }
  return status;
}

/* Draws of Skellam noise from means that the double level computes in both of its ways, and these
 * decisions. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_trial_skellam_(uint64_t *h) {
  dppair_rng rng;
  int64_t x[24];
  unsigned i;
  dppair_status status;
  dppair_trial_key_(&rng, DPPAIR_CHACHA20);
  status = dppair_skellam_work_(x, 12, 0, 5.5, &rng);
  if (status == DPPAIR_OK) status = dppair_skellam_work_(x + 12, 12, 0, 3e9, &rng);
  for (*h = i = 0; i < 24 && status == DPPAIR_OK; i++) *h = dppair_trial_word_(*h, (uint64_t)x[i]);
  return status == DPPAIR_OK ? dppair_trial_decisions_(h, &rng) : status;
}

/* What dppair_noise_check is for the other laws: DPPAIR_OK when this build on this machine draws
 * the known Skellam noise, with decisions by enclosures; else SELF_TEST (or ENVIRONMENT). The first
 * call that draws such noise runs it. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_shares_check(void) {
  uint64_t h;
  dppair_status status = dppair_streams_tried_();
  if (status == DPPAIR_OK) status = dppair_trial_skellam_(&h);
  if (status == DPPAIR_OK && h != DPPAIR_ANSWER_SKELLAM_) status = DPPAIR_ERR_SELF_TEST;
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  return status;
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_skellam_tried_(void) {
  static dppair_known_ known;
  return dppair_tried_once_(&known, dppair_shares_check);
}

/* x = draws, or x += draws without a word to an audit: dppair_release_share tells its own. */
DPPAIR_API dppair_status dppair_skellam_(int64_t *x, size_t n, int add, double variance,
                                         dppair_rng *rng) {
  dppair_status status = dppair_array_(x, n);
  if (status != DPPAIR_OK) return status;
  status = dppair_environment_check();
  if (status == DPPAIR_OK) status = dppair_skellam_tried_();
  if (status == DPPAIR_OK && !dppair_isfinite_f64(variance)) status = DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK &&
      !(variance >= DPPAIR_SKELLAM_VARIANCE_MIN_ && variance <= DPPAIR_SKELLAM_VARIANCE_MAX_))
    status = DPPAIR_ERR_SIGMA;
  if (status == DPPAIR_OK) {
    status = dppair_skellam_work_(x, n, add, variance, rng);
    dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  }
  if (status != DPPAIR_OK && n > 0) memset(x, 0, n * sizeof *x);
  return status;
}

/*
 * Draws each x[i] exactly from Sk(variance), the difference of two Poisson variables of mean
 * variance/2, which is taken as the exact value of the double, from 1e-6 to 2^50. It does not add
 * to x. What it protects: dppair_skellam_sigma and dppair_accountant_skellam. Errors zero x: NULL,
 * NOT_FINITE, SIGMA (the variance), ENVIRONMENT, the generator's, OVERFLOW and EXHAUSTED (the head
 * says how rarely). The time depends on the values drawn.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_skellam(int64_t *x, size_t n, double variance,
                                                          dppair_rng *rng) {
  return dppair_skellam_(x, n, 0, variance, rng);
}

/* Adds such a draw to each x[i], modulo 2^64: integers that wrap around are no error, because that
 * would depend on records. Errors as above. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_skellam(int64_t *x, size_t n, double variance,
                                                              dppair_rng *rng) {
  dppair_status status;
  if (DPPAIR_AUDITED_((DPPAIR_EVENT_ADD, "skellam", x, n, sizeof *x, NULL, variance, 0.0, NULL, rng,
                       DPPAIR_OK)))
    return DPPAIR_OK;
  status = dppair_skellam_(x, n, 1, variance, rng);
  (void)DPPAIR_AUDITED_(
      (DPPAIR_EVENT_ADDED, "skellam", x, n, sizeof *x, NULL, variance, 0.0, NULL, rng, status));
  return status;
}

/*
 * The same with one of `shares` shares of the variance, variance/shares rounded up: what `shares`
 * sites add, each with a generator of its own, has Sk of at least `variance` in sum, and what h of
 * them add of at least h variance/shares. One share alone protects as its own variance does. Errors
 * besides: SIZE (shares = 0); SIGMA also for a share below 1e-6.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_skellam_share(int64_t *x, size_t n,
                                                                    double variance, size_t shares,
                                                                    dppair_rng *rng) {
  const dppair_status status = dppair_array_(x, n);
  if (status != DPPAIR_OK) return status;
  if (shares == 0) {
    if (n > 0) memset(x, 0, n * sizeof *x);
    return DPPAIR_ERR_SIZE;
  }
  if (shares > 1) /* the divisor, the quotient and this product are rounded */
    variance = variance / (double)shares * (1.0 + 4.0 * DBL_EPSILON);
  return dppair_add_skellam(x, n, variance, rng);
}
