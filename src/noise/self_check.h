/* ------------------------------------------------------------------------------------------------
 * The self-test of the key streams, and of all
 * ---------------------------------------------------------------------------------------------- */

/* What a row of each cipher's key stream gives, mixed, on every tier. */
#define DPPAIR_ANSWER_CHACHA20_ UINT64_C(0xdffc404ed180732e)
#define DPPAIR_ANSWER_AES256_ UINT64_C(0x0b2413a5ff9f7fe9)
enum { DPPAIR_TRIAL_BLOCKS_ = 17 }; /* as many blocks as the longest loops take, and one more */

/* The key stream of a cipher at a tier, by whole rows and by one block. */
DPPAIR_OUT_OF_LINE_ uint64_t dppair_trial_stream_(uint32_t cipher, int tier) {
  dppair_rng rng;
  uint32_t row[16 * DPPAIR_TRIAL_BLOCKS_];
  uint64_t h = 0;
  size_t i;
  dppair_trial_key_(&rng, cipher);
  dppair_keystream_row_(row, &rng, 0, rng.block, DPPAIR_TRIAL_BLOCKS_, tier);
  for (i = 0; i < 16 * DPPAIR_TRIAL_BLOCKS_; i++) h = dppair_trial_word_(h, row[i]);
  dppair_keystream_row_(row, &rng, 1, rng.block, 1, tier);
  for (i = 0; i < 16; i++) h = dppair_trial_word_(h, row[i]);
  return h;
}

/* OK when both ciphers give their known bits on every tier of this machine. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_streams_trial_(void) {
  dppair_status status = dppair_environment_check();
  int tier;
  for (tier = DPPAIR_MIN_TIER; tier <= dppair_noise_tier_() && status == DPPAIR_OK; tier++)
    if (dppair_trial_stream_(DPPAIR_CHACHA20, tier) != DPPAIR_ANSWER_CHACHA20_ ||
        dppair_trial_stream_(DPPAIR_AES256, tier) != DPPAIR_ANSWER_AES256_)
      status = DPPAIR_ERR_SELF_TEST;
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  return status;
}

/*
 * Returns DPPAIR_OK when this build on this machine gives the known bits: on each of its tiers,
 * both ciphers, Gaussian and Laplace noise in both types and on both kinds of grid, by the first,
 * second and last level; the exact discrete laws. Otherwise it returns
 * DPPAIR_ERR_SELF_TEST (or ENVIRONMENT); do not release anything with such a build. The reason for
 * the test: compilers have been seen to give the noise of one level the wrong sign. It takes 0.3 to
 * 0.9 ms with -O2 and some ms without optimisation. You need not call it: dppair_rng_from_os tests
 * the ciphers, and each law is tested by the first call that adds it. Each module
 * with a law has a check of its own (dppair_shares_check).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_noise_check(void) {
  dppair_status status = dppair_streams_trial_();
  if (status == DPPAIR_OK) status = dppair_gaussian_f32_trial_();
  if (status == DPPAIR_OK) status = dppair_laplace_f32_trial_();
  if (status == DPPAIR_OK) status = dppair_discrete_laplace_trial_();
  return status == DPPAIR_OK ? dppair_discrete_gaussian_trial_() : status;
}
