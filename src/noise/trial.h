/* ------------------------------------------------------------------------------------------------
 * Trials: each law and type against its known answers
 *
 * Releases with fixed keys on every tier of this machine. A law is tried once in a process, by the
 * first call that adds it: what a program does not name is neither compiled nor tried.
 * ---------------------------------------------------------------------------------------------- */

/* What dppair_trial_levels_ gives for each on every tier. */
#define DPPAIR_ANSWER_GAUSSIAN_F64_ UINT64_C(0xcdde8269fee184ec)
#define DPPAIR_ANSWER_GAUSSIAN_F32_ UINT64_C(0xb4d4e3d084dd3795)
#define DPPAIR_ANSWER_LAPLACE_F64_ UINT64_C(0xd7ebb6497cadea59)
#define DPPAIR_ANSWER_LAPLACE_F32_ UINT64_C(0xf95be63628bf8c4e)
enum { DPPAIR_TRIAL_ = 40 }; /* numbers of a trial: whole vectors and a rest */

/* Mixes a word into h (FNV-1a's multiplication, on words). */
DPPAIR_API uint64_t dppair_trial_word_(uint64_t h, uint64_t word) {
  h = (h ^ word) * UINT64_C(0x100000001b3);
  return h ^ h >> 29;
}

/* The same for the bits of n numbers. */
DPPAIR_API uint64_t dppair_trial_mix_(uint64_t h, const void *x, size_t n, int narrow) {
  size_t i;
  for (i = 0; i < n; i++) h = dppair_trial_word_(h, dppair_bits_f64_(dppair_get_(x, i, narrow)));
  return h;
}

/* n different numbers, of both signs, that lie on no grid. */
DPPAIR_API void dppair_trial_input_(void *x, size_t n, int narrow) {
  size_t i;
  for (i = 0; i < n; i++) {
    if (narrow)
      ((float *)x)[i] = (float)((double)i * 0.7310585786300049 - 11.0);
    else
      ((double *)x)[i] = (double)i * 0.7310585786300049 - 11.0;
  }
}

DPPAIR_API void dppair_trial_key_(dppair_rng *rng, uint32_t cipher) {
  uint32_t key[8], i;
  for (i = 0; i < 8; i++) key[i] = 0x9e3779b9u * (i + 1);
  dppair_rng_set_key_(rng, cipher, key, 1);
}

/* The second level for the first 32 numbers, although the first level may have decided them. The
 * scalar tier has one level, which takes the place of the second here. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_trial_second_(void *x, int narrow,
                                                                const dppair_rng *rng,
                                                                const dppair_plan_ *plan) {
#if DPPAIR_NOISE_VECTORS_
  uint32_t words[32], list[32], i;
  for (i = 0; i < 32; i++) list[i] = i;
  dppair_keystream_row_(words, rng, 0, rng->block, 2, plan->tier);
  if (plan->second != NULL)
    return dppair_second_level_(x, narrow, list, 32, 32, words, rng, rng->block, plan);
#endif
  return dppair_chunk_scalar_(x, 32, narrow, rng, rng->block, plan);
}

/* One law, type and grid: mixes a release into *h; the second level and, with `last` for two
 * numbers, the last level must give the same bits. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_trial_release_(uint64_t *h,
                                                                 dppair_noise_levels_ levels,
                                                                 int log2_ratio, int tier, int last,
                                                                 dppair_rng *rng) {
  double x[DPPAIR_TRIAL_], y[DPPAIR_TRIAL_];
  const dppair_rng before = *rng;
  dppair_plan_ plan;
  dppair_status status = dppair_plan_open_(&plan, 1.7, log2_ratio, levels, tier);
  const int narrow = plan.narrow;
  dppair_trial_input_(x, DPPAIR_TRIAL_, narrow);
  dppair_trial_input_(y, DPPAIR_TRIAL_, narrow);
  if (status == DPPAIR_OK) status = dppair_release_(x, DPPAIR_TRIAL_, narrow, &plan, rng);
  *h = dppair_trial_mix_(*h, x, DPPAIR_TRIAL_, narrow);
  if (status == DPPAIR_OK) status = dppair_trial_second_(y, narrow, &before, &plan);
  if (status == DPPAIR_OK && memcmp(x, y, 32 * (narrow ? sizeof(float) : sizeof(double))) != 0)
    status = DPPAIR_ERR_SELF_TEST;
  dppair_trial_input_(y, 16, narrow);
  if (status == DPPAIR_OK && last) {
    status = dppair_last_level_in_place_(y, 3, narrow, &before, before.block, &plan);
    if (status == DPPAIR_OK)
      status = dppair_last_level_in_place_(y, 12, narrow, &before, before.block, &plan);
    if (status == DPPAIR_OK && (dppair_get_(x, 3, narrow) != dppair_get_(y, 3, narrow) ||
                                dppair_get_(x, 12, narrow) != dppair_get_(y, 12, narrow)))
      status = DPPAIR_ERR_SELF_TEST;
  }
  return status;
}

/* A law and type at a tier: a coarse and a fine grid under ChaCha20, the default one under AES. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_trial_at_(uint64_t *h, dppair_noise_levels_ levels,
                                                   int tier, int last) {
  dppair_rng rng;
  dppair_status status;
  *h = 0;
  dppair_trial_key_(&rng, DPPAIR_CHACHA20);
  status = dppair_trial_release_(h, levels, 12, tier, 0, &rng);
  if (status == DPPAIR_OK) status = dppair_trial_release_(h, levels, 32, tier, last, &rng);
  dppair_trial_key_(&rng, DPPAIR_AES256);
  if (status == DPPAIR_OK)
    status = dppair_trial_release_(h, levels, DPPAIR_GRID_DEFAULT, tier, 0, &rng);
  return status;
}

/* The same on every tier of this machine, against the answer that all of them must give. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_trial_levels_(dppair_noise_levels_ levels,
                                                                uint64_t answer) {
  dppair_status status = dppair_streams_tried_();
  int tier;
  for (tier = DPPAIR_MIN_TIER; tier <= dppair_noise_tier_() && status == DPPAIR_OK; tier++) {
    uint64_t h;
    status = dppair_trial_at_(&h, levels, tier, tier == dppair_noise_tier_());
    if (status == DPPAIR_OK && h != answer) status = DPPAIR_ERR_SELF_TEST;
  }
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  return status;
}

/* --- What a process knows --------------------------------------------------------------------- */

/* Rounding to float hides small faults: floats are tried with doubles. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_f64_trial_(void) {
  return dppair_trial_levels_(dppair_gaussian_f64_, DPPAIR_ANSWER_GAUSSIAN_F64_);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_f32_trial_(void) {
  const dppair_status status = dppair_gaussian_f64_trial_();
  return status == DPPAIR_OK
             ? dppair_trial_levels_(dppair_gaussian_f32_, DPPAIR_ANSWER_GAUSSIAN_F32_)
             : status;
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_laplace_f64_trial_(void) {
  return dppair_trial_levels_(dppair_laplace_f64_, DPPAIR_ANSWER_LAPLACE_F64_);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_laplace_f32_trial_(void) {
  const dppair_status status = dppair_laplace_f64_trial_();
  return status == DPPAIR_OK ? dppair_trial_levels_(dppair_laplace_f32_, DPPAIR_ANSWER_LAPLACE_F32_)
                             : status;
}

/* The answers, each kept once it is known. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_f64_tried_(void) {
  static dppair_known_ known;
  return dppair_tried_once_(&known, dppair_gaussian_f64_trial_);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_f32_tried_(void) {
  static dppair_known_ known;
  return dppair_tried_once_(&known, dppair_gaussian_f32_trial_);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_laplace_f64_tried_(void) {
  static dppair_known_ known;
  return dppair_tried_once_(&known, dppair_laplace_f64_trial_);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_laplace_f32_tried_(void) {
  static dppair_known_ known;
  return dppair_tried_once_(&known, dppair_laplace_f32_trial_);
}

/* Which of them, as dppair_noise_levels_of_. */
DPPAIR_FORCE_INLINE_ dppair_trial_ dppair_tried_of_(int law, int narrow) {
  if (law == DPPAIR_NOISE_LAPLACE_)
    return narrow ? dppair_laplace_f32_tried_ : dppair_laplace_f64_tried_;
  return narrow ? dppair_gaussian_f32_tried_ : dppair_gaussian_f64_tried_;
}
