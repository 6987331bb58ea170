/* ------------------------------------------------------------------------------------------------
 * Random bytes and numbers
 *
 * Uniform bytes, 64-bit integers and doubles from a generator. Small requests are served from the
 * generator's buffer of one block.
 * ---------------------------------------------------------------------------------------------- */

/* `count` words as little-endian bytes. */
DPPAIR_API void dppair_words_to_bytes_(uint8_t *out, const uint32_t *words, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) dppair_store32_(out + 4 * i, words[i]);
}

/* Whole blocks of key stream as bytes. */
#ifdef DPPAIR_SMALL
#define DPPAIR_BYTES_ 4
#else
#define DPPAIR_BYTES_ 16
#endif
DPPAIR_OUT_OF_LINE_ dppair_status dppair_rng_blocks_work_(uint8_t *out, size_t count,
                                                          dppair_rng *rng) {
  const int tier = dppair_noise_tier_();
  dppair_rng use;
  size_t i, live;
  dppair_status status = dppair_rng_take_(&use, count, rng);
  for (i = 0; i < count && status == DPPAIR_OK; i += live) {
    uint32_t words[16 * DPPAIR_BYTES_];
    live = count - i < DPPAIR_ROW_MAX_ ? count - i : DPPAIR_ROW_MAX_;
    if (tier >= DPPAIR_TIER_AVX2 && live > 1) { /* x86 is little-endian; its stores are unaligned */
      dppair_keystream_row_((uint32_t *)(void *)(out + 64 * i), &use, 0, use.block + i, live, tier);
      continue;
    }
    if (live > DPPAIR_BYTES_) live = DPPAIR_BYTES_;
    dppair_keystream_row_(words, &use, 0, use.block + i, live, tier);
    dppair_words_to_bytes_(out + 64 * i, words, 16 * live);
  }
  return status;
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_blocks_(uint8_t *out, size_t count,
                                                              dppair_rng *rng) {
  const dppair_status status = dppair_rng_blocks_work_(out, count, rng);
  dppair_burn_stack_(DPPAIR_STACK_SMALL_);
  return status;
}

/* n uniform bytes. Errors: NULL, the generator's; `out` is then zero. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_bytes(void *out, size_t n, dppair_rng *rng) {
  uint8_t *p = (uint8_t *)out;
  size_t left = n;
  int fetched = 0;
  dppair_status status = dppair_rng_check_(rng);
  if (out == NULL && n > 0) return DPPAIR_ERR_NULL;
  while (left > 0 && status == DPPAIR_OK) {
    const size_t room = sizeof rng->buffer - rng->used, some = left < room ? left : room;
    if (some > 0) {
      memcpy(p, rng->buffer + rng->used, some);
      dppair_wipe(rng->buffer + rng->used, some);
      rng->used += (uint32_t)some;
    } else if (left >= 64) {
      const size_t blocks = left / 64;
      status = dppair_rng_blocks_(p, blocks, rng);
      p += 64 * blocks;
      left -= 64 * blocks;
      fetched = 1;
      continue;
    } else {
      status = dppair_rng_blocks_(rng->buffer, 1, rng);
      if (status == DPPAIR_OK) rng->used = 0;
      fetched = 1;
    }
    p += some;
    left -= some;
  }
  if (status != DPPAIR_OK && out != NULL) dppair_wipe(out, n);
  if (fetched) dppair_clear_registers_(); /* else they hold nothing but the caller's bytes */
  if (DPPAIR_AUDITED_((DPPAIR_EVENT_DRAWN, "bytes", out, n, 1, NULL, 0.0, 0.0, NULL, rng, status)))
    return DPPAIR_OK;
  return status;
}

/* A uniform 64-bit integer. Errors as above. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_u64(uint64_t *out, dppair_rng *rng) {
  uint8_t bytes[8];
  dppair_status status;
  if (out == NULL) return DPPAIR_ERR_NULL;
  status = dppair_rng_bytes(bytes, sizeof bytes, rng);
  *out = (uint64_t)dppair_load32_(bytes) | (uint64_t)dppair_load32_(bytes + 4) << 32;
  dppair_wipe(bytes, sizeof bytes);
  return status;
}

/* A number in the OPEN interval (0, 1): odd multiples of 2^-53, equally likely. 0 on error. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_uniform_f64(double *out, dppair_rng *rng) {
  uint64_t bits;
  dppair_status status;
  if (out == NULL) return DPPAIR_ERR_NULL;
  status = dppair_rng_u64(&bits, rng);
  *out = status == DPPAIR_OK ? (double)((bits >> 12) * 2u + 1u) * DPPAIR_EXP2M_(53) : 0.0;
  dppair_wipe(&bits, sizeof bits);
  return status;
}
