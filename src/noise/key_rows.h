/* ------------------------------------------------------------------------------------------------
 * Rows of key stream
 *
 * Many blocks or units of one level at once, by the widest instructions that a tier has for the
 * cipher. The bytes are the same on every tier.
 * ---------------------------------------------------------------------------------------------- */

/* `count` ChaCha20 blocks at any positions. */
DPPAIR_API void dppair_chacha20_scalar_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                        const uint64_t *blocks, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) dppair_keystream_(out + 16 * i, rng, level, blocks[i]);
}
DPPAIR_API void dppair_chacha20_blocks_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                        const uint64_t *blocks, size_t count, int tier) {
  DPPAIR_DISPATCH_AT_(tier, dppair_chacha20_, (out, rng, level, blocks, count));
}

/* `count` <= DPPAIR_ROW_MAX_ consecutive blocks of a level. One block by ChaCha20, and AES without
 * instructions, run in portable code, because vectors gain nothing there. */
DPPAIR_OUT_OF_LINE_ void dppair_keystream_row_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                               uint64_t block, size_t count, int tier) {
  uint64_t at[16];
  size_t i, j, live;
  int aes = dppair_aes_kind_(tier);
  if (count == 1 ? rng->cipher == DPPAIR_CHACHA20 || aes == 0
                 : rng->cipher == DPPAIR_AES256 && aes == 0) {
    for (i = 0; i < count; i++) dppair_keystream_(out + 16 * i, rng, level, block + i);
    return;
  }
#if DPPAIR_HAVE_AES_
  if (rng->cipher == DPPAIR_AES256) {
#if DPPAIR_HAVE_AVX512
    if (aes == 2 && tier == DPPAIR_TIER_AVX512) {
      dppair_vaes_row_avx512_(out, rng, level, block, count);
      return;
    }
#endif
#if DPPAIR_HAVE_AVX2 && DPPAIR_MIN_TIER < 3
    if (aes == 2) {
      dppair_vaes_row_avx2_(out, rng, level, block, count);
      return;
    }
#endif
    dppair_aes_row_(out, rng, level, block, count);
    return;
  }
#endif
  for (i = 0; i < count; i += live) {
    live = count - i < 16 ? count - i : 16;
    for (j = 0; j < live; j++) at[j] = block + i + j;
    dppair_chacha20_blocks_(out + 16 * i, rng, level, at, live, tier);
  }
}

/* `count` <= DPPAIR_ROW_MAX_ units of 16 bytes at any positions, unit = 4 block + quarter. The time
 * depends on the count alone, not on which units are read. */
DPPAIR_OUT_OF_LINE_ void dppair_keystream_units_(uint32_t *out, const dppair_rng *rng,
                                                 unsigned level, const uint64_t *units,
                                                 size_t count, int tier) {
  uint32_t words[16 * 16];
  uint64_t blocks[16];
  size_t i, j;
#if DPPAIR_HAVE_AES_
  if (rng->cipher == DPPAIR_AES256 && dppair_aes_kind_(tier) > 0) {
    dppair_aes_units_(out, rng, level, units, count);
    return;
  }
#endif
  for (i = 0; i < count; i += 16) {
    size_t live = count - i < 16 ? count - i : 16;
    for (j = 0; j < live; j++) blocks[j] = units[i + j] / 4;
    if (rng->cipher == DPPAIR_CHACHA20) {
      dppair_chacha20_blocks_(words, rng, level, blocks, live, tier);
    } else {
      for (j = 0; j < live; j++) dppair_keystream_(words + 16 * j, rng, level, blocks[j]);
    }
    for (j = 0; j < live; j++)
      memcpy(out + 4 * (i + j), words + 16 * j + 4 * (units[i + j] % 4), 16);
  }
}
