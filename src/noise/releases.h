/* ------------------------------------------------------------------------------------------------
 * Releases
 *
 * Gaussian and Laplace noise, added and rounded exactly: the guarantee is derived at the head of
 * dppair_noise.h. An array goes through the levels in chunks, at the tier of the machine.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_SCALE_MAX_F64_ 8.452712498170644e+270    /* 2^900 */
#define DPPAIR_SCALE_MAX_F32_ 75557863725914323419136.0 /* 2^76: 2^51 g stays below 2^127 */
#define DPPAIR_GRID_DEFAULT                                                                        \
  10 /* log2_ratio of the functions without _grid: g <= scale / 2^10 < 2 g */

/* The grid of a scale in [1 / limit, limit]: g = 2^exponent <= scale / 2^log2_ratio < 2 g. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_grid_exponent_(int *exponent, double scale,
                                                                 double limit, int log2_ratio) {
  *exponent = 0;
  if (!dppair_isfinite_f64(scale) || !(scale >= 1.0 / limit) || !(scale <= limit))
    return DPPAIR_ERR_SIGMA;
  if (log2_ratio < 0 || log2_ratio > 40) return DPPAIR_ERR_DOMAIN;
  (void)dppair_frexp_(scale, exponent);
  *exponent -= 1 + log2_ratio;
  return DPPAIR_OK;
}

/* s = scale / g up to which a release begins in float. That is faster only while few numbers must
 * be redone in double. */
#define DPPAIR_COARSE_MAX_ 8192.0

/* The float level leaves a number undecided with probability 2 E(tau), at most 31 s 2^-24 for
 * doubles and 40 s 2^-24 for floats, and in the tails, where it does not decide: 2^-12 (Gaussian)
 * or 2^-10 (Laplace). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_plan_make_(dppair_plan_ *plan, double scale,
                                                             int narrow, int log2_ratio, int law,
                                                             int tier) {
  dppair_status status;
  memset(plan, 0, sizeof *plan);
  status = dppair_grid_exponent_(
      &plan->exponent, scale, narrow ? DPPAIR_SCALE_MAX_F32_ : DPPAIR_SCALE_MAX_F64_, log2_ratio);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  plan->law = law;
  plan->narrow = narrow;
  plan->tier = tier;
  plan->g = dppair_ldexp_(1.0, plan->exponent);
  plan->inverse = dppair_ldexp_(1.0, -plan->exponent);
  plan->s = scale * plan->inverse;
  plan->coarse = plan->s < DPPAIR_COARSE_MAX_;
  plan->open_rate = (narrow ? 40.0 : 31.0) * DPPAIR_EXP2M_(24) * plan->s +
                    (law == DPPAIR_NOISE_LAPLACE_ ? DPPAIR_EXP2M_(10) : DPPAIR_EXP2M_(12));
  return DPPAIR_OK;
}

/* Noise for n <= DPPAIR_CHUNK_ numbers by scalar code, from key stream by the plan's tier. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_chunk_scalar_(void *x, size_t n, int narrow,
                                                                const dppair_rng *rng,
                                                                uint64_t block,
                                                                const dppair_plan_ *plan) {
  uint32_t words[DPPAIR_CHUNK_], more[DPPAIR_CHUNK_];
  const size_t blocks = (size_t)dppair_blocks_(n);
  dppair_status status = DPPAIR_OK;
  size_t i;
  dppair_keystream_row_(words, rng, 0, block, blocks, plan->tier);
  dppair_keystream_row_(more, rng, 1, block, blocks, plan->tier);
  for (i = 0; i < n && status == DPPAIR_OK; i += 16)
    status = dppair_block_scalar_(narrow ? (void *)((float *)x + i) : (void *)((double *)x + i),
                                  n - i < 16 ? (unsigned)(n - i) : 16u, narrow, words + i, more + i,
                                  rng, block + i / 16, plan);
  /* numbers of both kinds in one chunk: the same error as of the vector tiers */
  return status == DPPAIR_ERR_OVERFLOW ? dppair_unfit_status_(x, n, narrow) : status;
}

#if !DPPAIR_NOISE_SIMD128_
#define dppair_chunk_simd128_ dppair_chunk_scalar_
#endif

/* One chunk at the plan's tier. The vector tiers need a multiple of 32 numbers. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_chunk_any_(void *x, size_t n, int narrow,
                                                             const dppair_rng *rng, uint64_t block,
                                                             const dppair_plan_ *plan) {
  dppair_status status;
  DPPAIR_DISPATCH_AT_(plan->tier, status = dppair_chunk_, (x, n, narrow, rng, block, plan));
  return status;
}

/* Adds noise to n numbers and rounds them. The last n mod 32 are copied into a block of zeros,
 * which fills their vectors. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_(void *x, size_t n, int narrow,
                                                           const dppair_plan_ *plan,
                                                           dppair_rng *rng) {
  const size_t width = narrow ? sizeof(float) : sizeof(double), whole = n / 32 * 32;
  unsigned char *bytes = (unsigned char *)x;
  dppair_rng use;
  size_t i, live;
  dppair_status status = dppair_rng_take_(&use, dppair_blocks_(n), rng);
  for (i = 0; i < whole && status == DPPAIR_OK; i += live) {
    live = whole - i < DPPAIR_CHUNK_ ? whole - i : DPPAIR_CHUNK_;
    status = dppair_chunk_any_(bytes + i * width, live, narrow, &use, use.block + i / 16, plan);
  }
  if (whole < n && status == DPPAIR_OK) {
    double rest[32];
    memset(rest, 0, sizeof rest);
    memcpy(rest, bytes + whole * width, (n - whole) * width);
    status = dppair_chunk_any_(rest, 32, narrow, &use, use.block + whole / 16, plan);
    memcpy(bytes + whole * width, rest, (n - whole) * width);
  }
  if (status == DPPAIR_OK && !dppair_on_grid_(x, n, narrow, plan->exponent))
    status = DPPAIR_ERR_ENVIRONMENT;
  if (status != DPPAIR_OK && n > 0) memset(x, 0, n * width);
  return status;
}

DPPAIR_OUT_OF_LINE_ dppair_status dppair_release_work_(void *x, size_t n, int narrow, double scale,
                                                       int log2_ratio, int law, int tier,
                                                       dppair_rng *rng) {
  dppair_plan_ plan;
  dppair_status status;
  status = dppair_array_(x, n);
  if (status != DPPAIR_OK) return status;
  status = dppair_plan_make_(&plan, scale, narrow, log2_ratio, law, tier);
  if (status == DPPAIR_OK) return dppair_release_(x, n, narrow, &plan, rng);
  if (n > 0) memset(x, 0, n * (narrow ? sizeof(float) : sizeof(double)));
  return status;
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_at_(void *x, size_t n, int narrow,
                                                              double scale, int log2_ratio, int law,
                                                              int tier, dppair_rng *rng) {
  dppair_status status;
  if (DPPAIR_AUDITED_((DPPAIR_EVENT_ADD, law == DPPAIR_NOISE_LAPLACE_ ? "laplace" : "gaussian", x,
                       n, narrow ? sizeof(float) : sizeof(double), NULL, scale, 0.0, NULL, rng,
                       DPPAIR_OK)))
    return DPPAIR_OK;
  status = dppair_release_work_(x, n, narrow, scale, log2_ratio, law, tier, rng);
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  (void)DPPAIR_AUDITED_((DPPAIR_EVENT_ADDED, law == DPPAIR_NOISE_LAPLACE_ ? "laplace" : "gaussian",
                         x, n, narrow ? sizeof(float) : sizeof(double), NULL, scale, 0.0, NULL, rng,
                         status));
  return status;
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
