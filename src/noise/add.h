/* ------------------------------------------------------------------------------------------------
 * Gaussian and Laplace noise, added and rounded exactly
 *
 * The guarantee is derived at the head of dppair_noise.h. A law is compared with its known answers
 * at the first call that adds it.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_OUT_OF_LINE_ dppair_status dppair_release_work_(void *x, size_t n, int narrow, double scale,
                                                       int log2_ratio, dppair_noise_levels_ levels,
                                                       dppair_trial_ tried, int tier,
                                                       dppair_rng *rng) {
  dppair_plan_ plan;
  dppair_status status;
  status = dppair_array_(x, n);
  if (status != DPPAIR_OK) return status;
  status = tried();
  if (status == DPPAIR_OK) status = dppair_plan_open_(&plan, scale, log2_ratio, levels, tier);
  if (status == DPPAIR_OK) return dppair_release_(x, n, narrow, &plan, rng);
  if (n > 0) memset(x, 0, n * (narrow ? sizeof(float) : sizeof(double)));
  return status;
}

DPPAIR_FORCE_INLINE_ dppair_status dppair_release_by_(void *x, size_t n, int narrow, double scale,
                                                      int log2_ratio, int law,
                                                      dppair_noise_levels_ levels,
                                                      dppair_trial_ tried, int tier,
                                                      dppair_rng *rng) {
  dppair_status status;
  (void)law; /* of the audit */
  if (DPPAIR_AUDITED_((DPPAIR_EVENT_ADD, law == DPPAIR_NOISE_LAPLACE_ ? "laplace" : "gaussian", x,
                       n, narrow ? sizeof(float) : sizeof(double), NULL, scale, 0.0, NULL, rng,
                       DPPAIR_OK)))
    return DPPAIR_OK;
  status = dppair_release_work_(x, n, narrow, scale, log2_ratio, levels, tried, tier, rng);
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  (void)DPPAIR_AUDITED_((DPPAIR_EVENT_ADDED, law == DPPAIR_NOISE_LAPLACE_ ? "laplace" : "gaussian",
                         x, n, narrow ? sizeof(float) : sizeof(double), NULL, scale, 0.0, NULL, rng,
                         status));
  return status;
}

DPPAIR_FORCE_INLINE_ dppair_status dppair_release_at_(void *x, size_t n, int narrow, double scale,
                                                      int log2_ratio, int law, int tier,
                                                      dppair_rng *rng) {
  return dppair_release_by_(x, n, narrow, scale, log2_ratio, law,
                            dppair_noise_levels_of_(law, narrow), dppair_tried_of_(law, narrow),
                            tier, rng);
}

/*
 * Adds Gaussian noise of standard deviation sigma to each x[i] and rounds to the grid g = 2^j with
 * g <= sigma / 2^log2_ratio < 2g. This is the Gaussian mechanism exactly (see the head of this
 * file). Errors: NULL; SIGMA, DOMAIN for a sigma or log2_ratio outside the limits; NOT_FINITE,
 * OVERFLOW for an x that is not finite or beyond 2^51 g; ENVIRONMENT; the generator's. On any error
 * all of x is 0.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_gaussian_f64_grid(double *x, size_t n,
                                                                        double sigma,
                                                                        int log2_ratio,
                                                                        dppair_rng *rng) {
  return dppair_release_at_(x, n, 0, sigma, log2_ratio, DPPAIR_NOISE_GAUSSIAN_,
                            dppair_noise_tier_(), rng);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_gaussian_f64(double *x, size_t n,
                                                                   double sigma, dppair_rng *rng) {
  return dppair_add_gaussian_f64_grid(x, n, sigma, DPPAIR_GRID_DEFAULT, rng);
}

/* The same for float: the released number is rounded once more, to float. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_gaussian_f32_grid(float *x, size_t n,
                                                                        double sigma,
                                                                        int log2_ratio,
                                                                        dppair_rng *rng) {
  return dppair_release_at_(x, n, 1, sigma, log2_ratio, DPPAIR_NOISE_GAUSSIAN_,
                            dppair_noise_tier_(), rng);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_gaussian_f32(float *x, size_t n, double sigma,
                                                                   dppair_rng *rng) {
  return dppair_add_gaussian_f32_grid(x, n, sigma, DPPAIR_GRID_DEFAULT, rng);
}

/* Adds Laplace noise of density exp(-|z| / scale) / (2 scale) (standard deviation 1.414 scale) and
 * rounds to the grid of `scale`. This is the Laplace mechanism exactly: epsilon = (l1 sensitivity)
 * / scale. Errors as above. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f64_grid(double *x, size_t n,
                                                                       double scale, int log2_ratio,
                                                                       dppair_rng *rng) {
  return dppair_release_at_(x, n, 0, scale, log2_ratio, DPPAIR_NOISE_LAPLACE_, dppair_noise_tier_(),
                            rng);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f64(double *x, size_t n, double scale,
                                                                  dppair_rng *rng) {
  return dppair_add_laplace_f64_grid(x, n, scale, DPPAIR_GRID_DEFAULT, rng);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f32_grid(float *x, size_t n,
                                                                       double scale, int log2_ratio,
                                                                       dppair_rng *rng) {
  return dppair_release_at_(x, n, 1, scale, log2_ratio, DPPAIR_NOISE_LAPLACE_, dppair_noise_tier_(),
                            rng);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f32(float *x, size_t n, double scale,
                                                                  dppair_rng *rng) {
  return dppair_add_laplace_f32_grid(x, n, scale, DPPAIR_GRID_DEFAULT, rng);
}

/* --- Laplace noise by the scalar level of any law --------------------------------------------- */

/* The bits of dppair_add_laplace_f64_grid without the kernels of its law: a program of gradients,
 * which may get this noise too, holds those of Gaussian noise alone. */
DPPAIR_API void dppair_laplace_plain_(dppair_plan_ *plan) {
  plan->law = DPPAIR_NOISE_LAPLACE_;
  plan->narrow = 0;
  plan->first = NULL;
  plan->second = NULL;
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_laplace_plain_trial_(void) {
  return dppair_trial_levels_(dppair_laplace_plain_, DPPAIR_ANSWER_LAPLACE_F64_);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_laplace_plain_tried_(void) {
  static dppair_known_ known;
  return dppair_tried_once_(&known, dppair_laplace_plain_trial_);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_plain_(double *x, size_t n,
                                                                     double scale, int log2_ratio,
                                                                     dppair_rng *rng) {
  return dppair_release_by_(x, n, 0, scale, log2_ratio, DPPAIR_NOISE_LAPLACE_,
                            dppair_laplace_plain_, dppair_laplace_plain_tried_,
                            dppair_noise_tier_(), rng);
}
