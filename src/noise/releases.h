/* ------------------------------------------------------------------------------------------------
 * A release: its plan, and an array in chunks, at the tier of the machine
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

/* The grid, in a plan whose law, type and tier are set. The float level leaves a number undecided
 * with probability 2 E(tau), at most 31 s 2^-24 for doubles and 40 s 2^-24 for floats, and in the
 * tails, where it does not decide: 2^-12 (Gaussian) or 2^-10 (Laplace). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_plan_grid_(dppair_plan_ *plan, double scale,
                                                             int log2_ratio) {
  dppair_status status = dppair_grid_exponent_(
      &plan->exponent, scale, plan->narrow ? DPPAIR_SCALE_MAX_F32_ : DPPAIR_SCALE_MAX_F64_,
      log2_ratio);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  plan->g = dppair_ldexp_(1.0, plan->exponent);
  plan->inverse = dppair_ldexp_(1.0, -plan->exponent);
  plan->s = scale * plan->inverse;
  plan->coarse = plan->s < DPPAIR_COARSE_MAX_;
  plan->open_rate = (plan->narrow ? 40.0 : 31.0) * DPPAIR_EXP2M_(24) * plan->s +
                    (plan->law == DPPAIR_NOISE_LAPLACE_ ? DPPAIR_EXP2M_(10) : DPPAIR_EXP2M_(12));
  return DPPAIR_OK;
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_plan_open_(dppair_plan_ *plan, double scale,
                                                             int log2_ratio,
                                                             dppair_noise_levels_ levels,
                                                             int tier) {
  memset(plan, 0, sizeof *plan);
  plan->tier = tier;
  levels(plan);
  return dppair_plan_grid_(plan, scale, log2_ratio);
}

/* The levels of a law and type. Where both are constants of the caller, these alone are compiled.
 * */
DPPAIR_FORCE_INLINE_ dppair_noise_levels_ dppair_noise_levels_of_(int law, int narrow) {
  if (law == DPPAIR_NOISE_LAPLACE_) return narrow ? dppair_laplace_f32_ : dppair_laplace_f64_;
  return narrow ? dppair_gaussian_f32_ : dppair_gaussian_f64_;
}

DPPAIR_FORCE_INLINE_ dppair_status dppair_plan_make_(dppair_plan_ *plan, double scale, int narrow,
                                                     int log2_ratio, int law, int tier) {
  return dppair_plan_open_(plan, scale, log2_ratio, dppair_noise_levels_of_(law, narrow), tier);
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
