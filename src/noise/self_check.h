/* ------------------------------------------------------------------------------------------------
 * The self-test
 *
 * Releases with a fixed key on every tier of this machine, compared with known answers.
 * ---------------------------------------------------------------------------------------------- */

/* What dppair_trial_chacha20_ and _aes256_ give on every tier. */
#define DPPAIR_ANSWER_CHACHA20_ UINT64_C(0x1842f83a2471c2a3)
#define DPPAIR_ANSWER_AES256_ UINT64_C(0xa8e7e24c53d00232)
#define DPPAIR_ANSWER_SKELLAM_ UINT64_C(0x31d050497ef8bbb7) /* what dppair_trial_skellam_ gives */
enum { DPPAIR_TRIAL_ = 40 }; /* numbers of a trial: whole vectors and a rest */

/* Mixes the bits of n numbers into h (FNV-1a's multiplication, on words). */
DPPAIR_API uint64_t dppair_trial_mix_(uint64_t h, const void *x, size_t n, int narrow) {
  size_t i;
  for (i = 0; i < n; i++) {
    h = (h ^ dppair_bits_f64_(dppair_get_(x, i, narrow))) * UINT64_C(0x100000001b3);
    h ^= h >> 29;
  }
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

/* The scalar tier has no second level; its only level takes the place of it here. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_second_scalar_(
    void *x, int narrow, const uint32_t *list, size_t live, size_t slots, const uint32_t *words,
    const dppair_rng *rng, uint64_t block, const dppair_plan_ *plan) {
  (void)list, (void)slots, (void)words;
  return dppair_chunk_scalar_(x, live, narrow, rng, block, plan);
}
#if !DPPAIR_NOISE_SIMD128_
#define dppair_second_simd128_ dppair_second_scalar_
#endif

/* The second level for the first 32 numbers, although the first level may have decided them. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_trial_second_(void *x, int narrow,
                                                                const dppair_rng *rng,
                                                                const dppair_plan_ *plan) {
  uint32_t words[32], list[32], i;
  dppair_status status;
  for (i = 0; i < 32; i++) list[i] = i;
  dppair_keystream_row_(words, rng, 0, rng->block, 2, plan->tier);
  DPPAIR_DISPATCH_AT_(plan->tier, status = dppair_second_,
                      (x, narrow, list, 32, 32, words, rng, rng->block, plan));
  return status;
}

/* One law, type and grid: mixes a release into *h; the second level and, with `last` for two
 * numbers, the last level must give the same bits. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_trial_release_(uint64_t *h, int law, int narrow,
                                                                 int log2_ratio, int tier, int last,
                                                                 dppair_rng *rng) {
  double x[DPPAIR_TRIAL_], y[DPPAIR_TRIAL_];
  const size_t width = narrow ? sizeof(float) : sizeof(double);
  const dppair_rng before = *rng;
  dppair_plan_ plan;
  dppair_status status;
  dppair_trial_input_(x, DPPAIR_TRIAL_, narrow);
  dppair_trial_input_(y, DPPAIR_TRIAL_, narrow);
  status = dppair_plan_make_(&plan, 1.7, narrow, log2_ratio, law, tier);
  if (status == DPPAIR_OK) status = dppair_release_(x, DPPAIR_TRIAL_, narrow, &plan, rng);
  *h = dppair_trial_mix_(*h, x, DPPAIR_TRIAL_, narrow);
  if (status == DPPAIR_OK) status = dppair_trial_second_(y, narrow, &before, &plan);
  if (status == DPPAIR_OK && memcmp(x, y, 32 * width) != 0) status = DPPAIR_ERR_SELF_TEST;
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

DPPAIR_API void dppair_trial_key_(dppair_rng *rng, uint32_t cipher) {
  uint32_t key[8], i;
  for (i = 0; i < 8; i++) key[i] = 0x9e3779b9u * (i + 1);
  dppair_rng_set_key_(rng, cipher, key, 1);
}

/* Mixes releases at a tier under ChaCha20: both laws and types, a coarse and a fine grid (bits 0,
 * 1, 2 of `round`), then the l2 mechanism. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_trial_chacha20_(uint64_t *h, int tier, int last) {
  dppair_rng rng;
  double x[DPPAIR_TRIAL_];
  int round;
  dppair_status status = DPPAIR_OK;
  *h = 0;
  dppair_trial_key_(&rng, DPPAIR_CHACHA20);
  for (round = 0; round < 8 && status == DPPAIR_OK; round++)
    status = dppair_trial_release_(h, round & 1, round >> 1 & 1, round & 4 ? 32 : 12, tier,
                                   last && (round == 4 || round == 5), &rng);
  dppair_trial_input_(x, 5, 0);
  if (status == DPPAIR_OK) status = dppair_l2ball_work_(x, 5, 1.7, DPPAIR_GRID_DEFAULT, tier, &rng);
  *h = dppair_trial_mix_(*h, x, 5, 0);
  return status;
}

/* The same for one release under AES by instructions. With `last` the software must give the same
 * stream, over as many blocks as the longest loops take, and one more. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_trial_aes256_(uint64_t *h, int tier, int last) {
  dppair_rng rng;
  uint32_t a[16], row[9 * 16];
  unsigned i;
  dppair_status status = DPPAIR_OK;
  *h = 0;
  dppair_trial_key_(&rng, DPPAIR_AES256);
  if (last) {
    dppair_keystream_row_(row, &rng, 0, rng.block, 9, tier);
    for (i = 0; i < 9; i++) {
      dppair_keystream_(a, &rng, 0, rng.block + i);
      if (memcmp(a, row + 16 * i, sizeof a) != 0) status = DPPAIR_ERR_SELF_TEST;
    }
  }
  if (status == DPPAIR_OK)
    status =
        dppair_trial_release_(h, DPPAIR_NOISE_GAUSSIAN_, 0, DPPAIR_GRID_DEFAULT, tier, 0, &rng);
  return status;
}

/* Draws of Skellam noise from means that the double level computes in both of its ways, and four
 * decisions by enclosures, which the double level would not leave to them. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_trial_skellam_(uint64_t *h) {
  dppair_rng rng;
  dppair_source_ s;
  dppair_poisson_ p;
  dppair_decision_ u;
  int64_t x[24];
  unsigned i;
  dppair_status status;
  dppair_trial_key_(&rng, DPPAIR_CHACHA20);
  status = dppair_skellam_work_(x, 12, 0, 5.5, &rng);
  if (status == DPPAIR_OK) status = dppair_skellam_work_(x + 12, 12, 0, 3e9, &rng);
  dppair_source_open_(&s, &rng);
  dppair_poisson_make_(&p, 1.5e9);
  for (*h = i = 0; i < 24 && status == DPPAIR_OK; i++)
    *h = (*h ^ (uint64_t)x[i]) * UINT64_C(0x100000001b3), *h ^= *h >> 29;
  for (i = 0; i < 4 && status == DPPAIR_OK; i++) {
    u.count = 0;
    *h = 2 * *h + (uint64_t)dppair_poisson_decide_(&p, 1500030000u - 20000u * i, 0, &u, &s);
    status = s.status;
  }
  return status;
}

/*
 * Returns DPPAIR_OK when this build on this machine gives the known bits: on each of its tiers,
 * Gaussian and Laplace noise in both types and on both kinds of grid, by the first, second and last
 * level, the l2 mechanism, and both ciphers; Skellam noise, with decisions by enclosures. Otherwise
 * it returns DPPAIR_ERR_SELF_TEST (or ENVIRONMENT); do not release anything with such a build. The
 * reason for the test: compilers have been seen to give the noise of one level the wrong sign. It
 * takes 0.3 to 0.9 ms with -O2 and some ms without optimisation. dppair_rng_from_os calls it once.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_noise_check(void) {
  dppair_status status = dppair_environment_check();
  int tier;
  for (tier = 0; tier <= dppair_noise_tier_() && status == DPPAIR_OK; tier++) {
    const int last = tier == dppair_noise_tier_();
    uint64_t h;
    status = dppair_trial_chacha20_(&h, tier, last);
    if (status == DPPAIR_OK && h != DPPAIR_ANSWER_CHACHA20_) status = DPPAIR_ERR_SELF_TEST;
    if (status != DPPAIR_OK || dppair_aes_kind_(tier) == 0) continue;
    status = dppair_trial_aes256_(&h, tier, last);
    if (status == DPPAIR_OK && h != DPPAIR_ANSWER_AES256_) status = DPPAIR_ERR_SELF_TEST;
  }
  if (status == DPPAIR_OK) {
    uint64_t h;
    status = dppair_trial_skellam_(&h);
    if (status == DPPAIR_OK && h != DPPAIR_ANSWER_SKELLAM_) status = DPPAIR_ERR_SELF_TEST;
  }
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  return status;
}
