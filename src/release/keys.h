/* ------------------------------------------------------------------------------------------------
 * Keys of a release: noise and draws as functions of (key, nonce, sequence, step)
 *
 *   plan key   K = F(F(F(key, nonce's first half), nonce's second half), sequence)
 *   noise      key number 1 of K, stream = step        draws      key number 2 of K, stream = step
 *
 * Half of a nonce from the system is random, the other half is the first 8 bytes of key number 3 of
 * (key, first half): it tells, when a plan is gone on with, whether the key is the plan's.
 *
 * F(k, s): the first 32 bytes of block 0 of ChaCha20 with key k and stream s, at a level that
 * nothing else reads. So two plans of one account, two accounts and two runs of one program never
 * share a number, though they were opened from one key; and the key may serve a generator besides.
 * Relies on the generator of noise/.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_NONCE_SIZE 16 /* bytes of `nonce` */

/* What a caller may choose. All NULL, or no struct at all: both come from the system.
 *   key   32 secret bytes, of this purpose alone. NULL: from the system
 *   nonce   16 bytes that tell this run of the program from every other one; they are public. NULL:
 *         from the system, as in every production: a program that is started again with the same
 *         key and nonce repeats its noise, over data or weights that may have changed since. Given,
 *         together with a key, for replays and simulations only; the caller answers for it. What
 *         dppair_release_nonce completed can be gone on with */
typedef struct dppair_release_keys {
  const uint8_t *key;
  const uint8_t *nonce;
} dppair_release_keys;

/* key = F(key, stream); number `index` of those keys. */
DPPAIR_API void dppair_release_chain_(uint32_t key[8], uint64_t stream, uint64_t index) {
  dppair_rng rng;
  dppair_rng_set_key_(&rng, DPPAIR_CHACHA20, key, stream);
  dppair_rng_derive_(key, &rng, DPPAIR_LEVEL_RELEASE_, index);
  dppair_wipe(&rng, sizeof rng);
}

DPPAIR_API void dppair_release_words_(uint32_t words[8], const uint8_t key[32]) {
  unsigned i;
  for (i = 0; i < 8; i++) words[i] = dppair_load32_(key + 4 * i);
}

DPPAIR_API uint64_t dppair_load64_(const uint8_t *p) {
  return (uint64_t)dppair_load32_(p) | (uint64_t)dppair_load32_(p + 4) << 32;
}

DPPAIR_OUT_OF_LINE_ void dppair_release_key_work_(dppair_rng *noise, dppair_rng *draw,
                                                  uint32_t cipher, const uint8_t key[32],
                                                  const uint8_t nonce[DPPAIR_NONCE_SIZE],
                                                  uint64_t sequence) {
  uint32_t plan[8], part[8];
  dppair_release_words_(plan, key);
  dppair_release_chain_(plan, dppair_load64_(nonce), 0);
  dppair_release_chain_(plan, dppair_load64_(nonce + 8), 0);
  dppair_release_chain_(plan, sequence, 0);
  memcpy(part, plan, sizeof part);
  dppair_release_chain_(part, 0, 1);
  dppair_rng_set_key_(noise, cipher, part, 0);
  dppair_release_chain_(plan, 0, 2);
  dppair_rng_set_key_(draw, cipher, plan, 0);
  noise->owner = draw->owner = dppair_process_(); /* a caller's key too: no child repeats noise */
}

/* Sets the half of a nonce that says which key it is of. */
DPPAIR_OUT_OF_LINE_ void dppair_release_sign_work_(uint8_t nonce[DPPAIR_NONCE_SIZE],
                                                   const uint8_t key[32]) {
  uint32_t words[8];
  unsigned i;
  dppair_release_words_(words, key);
  dppair_release_chain_(words, dppair_load64_(nonce), 3);
  for (i = 0; i < 8; i++) nonce[8 + i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
}

DPPAIR_API void dppair_release_sign_(uint8_t nonce[DPPAIR_NONCE_SIZE], const uint8_t key[32]) {
  dppair_release_sign_work_(nonce, key);
  dppair_burn_stack_(DPPAIR_STACK_SMALL_);
}

/*
 * Completes a nonce of the caller's: nonce[8..16) becomes what tells that the key is its plan's, as in
 * a nonce of the system's. Then dppair_release_resume can go on with a plan that was opened with both
 * (dppair_release_keys). nonce[0..8) is the caller's and public; eight bytes of it tell nothing of
 * the key. Errors: NULL.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_nonce(uint8_t nonce[DPPAIR_NONCE_SIZE],
                                                                const uint8_t key[32]) {
  if (nonce == NULL || key == NULL) return DPPAIR_ERR_NULL;
  dppair_release_sign_(nonce, key);
  return DPPAIR_OK;
}

/* The generators of a plan; both belong to this process. */
DPPAIR_API void dppair_release_key_(dppair_rng *noise, dppair_rng *draw, uint32_t cipher,
                                    const uint8_t key[32], const uint8_t nonce[DPPAIR_NONCE_SIZE],
                                    uint64_t sequence) {
  dppair_release_key_work_(noise, draw, cipher, key, nonce, sequence);
  dppair_burn_stack_(DPPAIR_STACK_SMALL_);
}

/* A generator at the beginning of a step. */
DPPAIR_API void dppair_release_turn_(dppair_rng *rng, size_t step) {
  rng->stream = (uint64_t)step;
  rng->block = 0;
  dppair_rng_drop_buffer_(rng);
}
