/* ------------------------------------------------------------------------------------------------
 * Raw samples, for simulation
 *
 * NOT FOR RELEASES: their low bits reveal what they were added to. Use dppair_add_* to protect
 * data. They are declared only if DPPAIR_SIMULATION is defined before the first include, so that
 * a search for this word finds every program that can call them.
 *
 * A double is made of 64 random bits and is within 2^-44 scales of the ideal value, a float of 32
 * bits and within 2^-19 scales. Gaussians end at 9.4 scales (double) and 6.7 scales (float). AVX2
 * and AVX-512 give the same bits; the scalar tier, which has no fused multiply-add, and the 128-bit
 * tier, which makes vectors of doubles only, differ in last bits. Errors of all functions: NULL,
 * SIGMA or DOMAIN for their parameters, ENVIRONMENT, and the generator's; the output is then 0.
 * ---------------------------------------------------------------------------------------------- */

/* 16 samples of scale 1 from words, levels 0 and 1 of a block. A first word of 0, which the double
 * level cannot use, is replaced by 1. */
DPPAIR_API void dppair_fill_block_(double out[16], const uint32_t words[16],
                                   const uint32_t more[16], int law) {
  unsigned i;
  for (i = 0; i < 16; i++) {
    uint32_t w[3];
    double c, s;
    w[0] = words[i], w[1] = more[i] | 1u, w[2] = 0;
    switch (law) {
    case DPPAIR_FILL_GAUSSIAN_:
      if (i % 2 == 1) break;
      dppair_circle_f64_(&c, &s, (uint64_t)words[i + 1] << 32 | more[i + 1]);
      if (w[0] == 0) w[0] = 1;
      out[i / 2] = dppair_sqrt_(2.0 * dppair_fabs_(dppair_exponential_f64_(w)));
      out[i / 2 + 8] = out[i / 2] * s;
      out[i / 2] *= c;
      break;
    case DPPAIR_FILL_LAPLACE_:
      w[0] = words[i] << 1 | more[i] >> 31;
      w[1] = more[i] << 1 | 1u;
      if (w[0] == 0) w[0] = 1;
      c = dppair_fabs_(dppair_exponential_f64_(w));
      out[i] = words[i] >> 31 ? -c : c;
      break;
    case DPPAIR_FILL_EXPONENTIAL_:
      if (w[0] == 0) w[0] = 1;
      out[i] = dppair_fabs_(dppair_exponential_f64_(w));
      break;
    case DPPAIR_FILL_UNIFORM_:
      out[i] = (double)((((uint64_t)w[0] << 32 | w[1]) >> 12) * 2u + 1u) * DPPAIR_EXP2M_(53);
      break;
    default:
      out[i] = words[i] >> 31 ? -1.0 : 1.0;
    }
  }
}

/* The scalar tier makes no sample in vectors: dppair_fill_work_ makes all of them by blocks. */
DPPAIR_API size_t dppair_fill_scalar_(void *x, size_t n, int narrow, const uint32_t *words,
                                      const uint32_t *more, double scale, int law) {
  (void)x, (void)n, (void)narrow, (void)words, (void)more, (void)scale, (void)law;
  return 0;
}
#if !DPPAIR_NOISE_SIMD128_
#define dppair_fill_simd128_ dppair_fill_scalar_
#endif

/* n samples times a scale, at a tier. dppair_fill_TIER_ makes those in whole vectors and returns
 * their number; the rest comes from scalar code. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_fill_work_(void *x, size_t n, int narrow, double scale,
                                                    int law, int tier, dppair_rng *rng) {
  const size_t width = narrow ? sizeof(float) : sizeof(double);
  unsigned char *bytes = (unsigned char *)x;
  dppair_rng use;
  size_t i, live, j;
  dppair_status status = dppair_array_(x, n);
  if (status != DPPAIR_OK) return status;
  status = dppair_rng_take_(&use, dppair_blocks_(n), rng);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (!dppair_isfinite_f64(scale) || !(scale > 0.0)) status = DPPAIR_ERR_SIGMA;
  for (i = 0; i < n && status == DPPAIR_OK; i += live) {
    uint32_t words[DPPAIR_CHUNK_], more[DPPAIR_CHUNK_];
    double sixteen[16];
    live = n - i < DPPAIR_CHUNK_ ? n - i : DPPAIR_CHUNK_;
    dppair_keystream_row_(words, &use, 0, use.block + i / 16, (live + 15) / 16, tier);
    if (!narrow || tier < DPPAIR_TIER_AVX2)
      dppair_keystream_row_(more, &use, 1, use.block + i / 16, (live + 15) / 16, tier);
    DPPAIR_DISPATCH_AT_(tier, j = dppair_fill_,
                        (bytes + i * width, live, narrow, words, more, scale, law));
    for (; j < live; j++) { /* the scalar tier, and the last n mod 32 numbers */
      if (j % 16 == 0) {
        if (narrow)
          memset(more + j, 0x80, 16 * sizeof *more); /* 32 bits a sample: the rest is fixed */
        dppair_fill_block_(sixteen, words + j, more + j, law);
      }
      if (narrow)
        ((float *)x)[i + j] = (float)(sixteen[j % 16] * scale);
      else
        ((double *)x)[i + j] = sixteen[j % 16] * scale;
    }
  }
  if (status != DPPAIR_OK && n > 0) memset(x, 0, n * width);
  return status;
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_at_(void *x, size_t n, int narrow,
                                                           double scale, int law, int tier,
                                                           dppair_rng *rng) {
  const dppair_status status = dppair_fill_work_(x, n, narrow, scale, law, tier, rng);
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  return status;
}

/* Simulation only: independent Gaussians of mean 0 and standard deviation sigma > 0. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_gaussian_f64(double *x, size_t n,
                                                                    double sigma, dppair_rng *rng) {
  return dppair_fill_at_(x, n, 0, sigma, DPPAIR_FILL_GAUSSIAN_, dppair_noise_tier_(), rng);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_gaussian_f32(float *x, size_t n,
                                                                    double sigma, dppair_rng *rng) {
  return dppair_fill_at_(x, n, 1, sigma, DPPAIR_FILL_GAUSSIAN_, dppair_noise_tier_(), rng);
}

/* Simulation only: density exp(-|z| / scale) / (2 scale). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_laplace_f64(double *x, size_t n,
                                                                   double scale, dppair_rng *rng) {
  return dppair_fill_at_(x, n, 0, scale, DPPAIR_FILL_LAPLACE_, dppair_noise_tier_(), rng);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_laplace_f32(float *x, size_t n, double scale,
                                                                   dppair_rng *rng) {
  return dppair_fill_at_(x, n, 1, scale, DPPAIR_FILL_LAPLACE_, dppair_noise_tier_(), rng);
}

/* Simulation only: density exp(-z / scale) / scale, z > 0. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_exponential_f64(double *x, size_t n,
                                                                       double scale,
                                                                       dppair_rng *rng) {
  return dppair_fill_at_(x, n, 0, scale, DPPAIR_FILL_EXPONENTIAL_, dppair_noise_tier_(), rng);
}

/* Simulation only: uniform in (0, width). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_uniform_f64(double *x, size_t n,
                                                                   double width, dppair_rng *rng) {
  return dppair_fill_at_(x, n, 0, width, DPPAIR_FILL_UNIFORM_, dppair_noise_tier_(), rng);
}

/* Simulation only: scale or -scale, equally likely. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_rademacher_f64(double *x, size_t n,
                                                                      double scale,
                                                                      dppair_rng *rng) {
  return dppair_fill_at_(x, n, 0, scale, DPPAIR_FILL_RADEMACHER_, dppair_noise_tier_(), rng);
}

/* Simulation only: a uniform point on the sphere of the given radius in n >= 1 dimensions. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_sphere_f64(double *x, size_t n,
                                                                  double radius, dppair_rng *rng) {
  double square = 0.0;
  size_t i;
  dppair_status status = n == 0 ? DPPAIR_ERR_SIZE : dppair_fill_gaussian_f64(x, n, 1.0, rng);
  if (status != DPPAIR_OK) return status;
  if (!(dppair_isfinite_f64(radius) && radius > 0.0)) status = DPPAIR_ERR_DOMAIN;
  for (i = 0; i < n && status == DPPAIR_OK; i++) square += x[i] * x[i];
  if (status == DPPAIR_OK && !(square > 0.0)) status = DPPAIR_ERR_NO_CONVERGENCE;
  for (i = 0; i < n; i++) x[i] = status == DPPAIR_OK ? x[i] / dppair_sqrt_(square) * radius : 0.0;
  return status;
}

/* Simulation only: the Gamma law of shape in [2^-10, 2^40] and scale > 0, by Marsaglia and Tsang
 * 2000. Shapes a < 1: a variable of shape a + 1 times the power 1/a of a uniform one. The number of
 * tries depends on the values. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_gamma_f64(double *x, size_t n, double shape,
                                                                 double scale, dppair_rng *rng) {
  const double a = shape < 1.0 ? shape + 1.0 : shape, d = a - 1.0 / 3,
               c = 1.0 / dppair_sqrt_(9.0 * d);
  double z[32], u[32];
  dppair_status status = dppair_array_(x, n);
  size_t i = 0, at = 32;
  if (status != DPPAIR_OK) return status;
  if (!(shape >= DPPAIR_EXP2M_(10) && shape <= 1099511627776.0 && scale > 0.0) ||
      !dppair_isfinite_f64(scale))
    status = DPPAIR_ERR_DOMAIN;
  while (i < n && status == DPPAIR_OK) {
    double v;
    if (at == 32) {
      at = 0;
      status = dppair_fill_gaussian_f64(z, 32, 1.0, rng);
      if (status == DPPAIR_OK) status = dppair_fill_uniform_f64(u, 32, 1.0, rng);
      if (status != DPPAIR_OK) break;
    }
    v = 1.0 + c * z[at];
    v = v * v * v;
    if (v > 0.0 && dppair_log_(u[at]) < 0.5 * z[at] * z[at] + d - d * v + d * dppair_log_(v)) {
      double boost = 1.0;
      if (shape < 1.0) {
        status = dppair_rng_uniform_f64(&boost, rng);
        if (status != DPPAIR_OK) break;
        boost = dppair_pow_(boost, 1.0 / shape);
      }
      x[i++] = d * v * boost * scale;
    }
    at++;
  }
  if (status != DPPAIR_OK && n > 0) memset(x, 0, n * sizeof *x);
  return status;
}
