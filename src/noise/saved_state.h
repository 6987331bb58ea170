/* ------------------------------------------------------------------------------------------------
 * Saving and restoring a generator
 *
 * 64 bytes: "dppair", version, cipher and erasure; the key; stream; block; a check. Numbers are
 * little-endian.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_RNG_SAVED_SIZE 64 /* bytes of a saved state */

/* The first 8 bytes of a saved state, and its check: 8 bytes of the key's own stream. */
DPPAIR_OUT_OF_LINE_ void dppair_rng_seal_work_(uint8_t head[8], uint8_t check[8],
                                               const dppair_rng *rng) {
  uint32_t words[16];
  memcpy(head, "dppair", 6);
  head[6] = 1; /* version */
  head[7] = (uint8_t)(rng->cipher | rng->erase << 4);
  dppair_keystream_(words, rng, DPPAIR_LEVEL_CHECK_, rng->block);
  dppair_store32_(check, words[0]);
  dppair_store32_(check + 4, words[1]);
}

DPPAIR_API void dppair_rng_seal_(uint8_t head[8], uint8_t check[8], const dppair_rng *rng) {
  dppair_rng_seal_work_(head, check, rng);
  dppair_burn_stack_(DPPAIR_STACK_SMALL_);
}

/*
 * Writes the state, key included, as 64 bytes that any machine can restore. Keep them secret:
 * whoever has them can undo the noise. The generator moves to its next whole block, where the
 * restored one begins. Errors: the generator's, NULL.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_save(uint8_t out[DPPAIR_RNG_SAVED_SIZE],
                                                           dppair_rng *rng) {
  dppair_status status = dppair_rng_check_(rng);
  unsigned i;
  if (out == NULL) return DPPAIR_ERR_NULL;
  memset(out, 0, DPPAIR_RNG_SAVED_SIZE);
  if (status != DPPAIR_OK) return status;
  dppair_rng_drop_buffer_(rng);
  for (i = 0; i < 8; i++) {
    dppair_store32_(out + 8 + 4 * i, rng->key[i]);
    out[40 + i] = (uint8_t)(rng->stream >> 8 * i);
    out[48 + i] = (uint8_t)(rng->block >> 8 * i);
  }
  dppair_rng_seal_(out, out + 56, rng);
  return DPPAIR_OK;
}

/* Restores a saved state. Returns DPPAIR_ERR_FORMAT when the bytes are no saved state or were
 * changed. The generator belongs to this process like one from the system: a child's copy is
 * refused. Restore a state only once, because every copy releases the same noise. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_rng_restore(dppair_rng *rng, const uint8_t saved[DPPAIR_RNG_SAVED_SIZE]) {
  uint8_t head[8], check[8];
  uint64_t stream = 0, block = 0;
  uint32_t cipher;
  dppair_status status = DPPAIR_OK;
  unsigned i;
  if (rng == NULL) return DPPAIR_ERR_NULL;
  dppair_wipe(rng, sizeof *rng);
  if (saved == NULL) return DPPAIR_ERR_NULL;
  cipher = saved[7] & 0x0fu;
  if (cipher != DPPAIR_CHACHA20 && cipher != DPPAIR_AES256) return DPPAIR_ERR_FORMAT;
  for (i = 0; i < 8; i++) {
    stream |= (uint64_t)saved[40 + i] << 8 * i;
    block |= (uint64_t)saved[48 + i] << 8 * i;
  }
  dppair_rng_key_work_(rng, cipher, saved + 8, stream);
  rng->owner = dppair_process_();
  rng->block = block;
  rng->erase = saved[7] >> 4 & 1u;
  dppair_rng_seal_(head, check, rng);
  if (block > DPPAIR_RNG_BLOCKS_ || memcmp(head, saved, 8) != 0 ||
      memcmp(check, saved + 56, 8) != 0) {
    dppair_wipe(rng, sizeof *rng);
    status = DPPAIR_ERR_FORMAT;
  }
  dppair_wipe(check, sizeof check);
  dppair_clear_registers_();
  return status;
}
