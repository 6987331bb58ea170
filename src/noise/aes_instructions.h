/* ------------------------------------------------------------------------------------------------
 * AES-256 by instructions
 *
 * Units of 16 bytes by AES-NI on x86-64 and by the instructions of ARMv8; kernels/vaes.h has rows
 * by VAES. Eight units at a time hide the latency of the rounds; the last group is filled up with
 * copies of its first unit.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_X86_ && DPPAIR_HAVE_AES_
DPPAIR_TARGET_BEGIN_("aes,ssse3")

/* The counter of a 16-byte unit, in the byte order of AES (big-endian). */
DPPAIR_FORCE_INLINE_ __m128i dppair_aes_counter_(uint64_t stream, uint64_t low) {
  const __m128i reverse = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return _mm_shuffle_epi8(_mm_set_epi64x((long long)stream, (long long)low), reverse);
}

/* Encrypts eight counters. */
DPPAIR_FORCE_INLINE_ void dppair_aes_eight_(__m128i x[8], const __m128i *keys) {
  __m128i k = _mm_loadu_si128(keys), a, b, c, d, e, f, g, h;
  unsigned round;
  a = _mm_xor_si128(x[0], k), b = _mm_xor_si128(x[1], k), c = _mm_xor_si128(x[2], k);
  d = _mm_xor_si128(x[3], k), e = _mm_xor_si128(x[4], k), f = _mm_xor_si128(x[5], k);
  g = _mm_xor_si128(x[6], k), h = _mm_xor_si128(x[7], k);
  for (round = 1; round < 14; round++) {
    k = _mm_loadu_si128(keys + round);
    a = _mm_aesenc_si128(a, k), b = _mm_aesenc_si128(b, k), c = _mm_aesenc_si128(c, k);
    d = _mm_aesenc_si128(d, k), e = _mm_aesenc_si128(e, k), f = _mm_aesenc_si128(f, k);
    g = _mm_aesenc_si128(g, k), h = _mm_aesenc_si128(h, k);
  }
  k = _mm_loadu_si128(keys + 14);
  x[0] = _mm_aesenclast_si128(a, k), x[1] = _mm_aesenclast_si128(b, k);
  x[2] = _mm_aesenclast_si128(c, k), x[3] = _mm_aesenclast_si128(d, k);
  x[4] = _mm_aesenclast_si128(e, k), x[5] = _mm_aesenclast_si128(f, k);
  x[6] = _mm_aesenclast_si128(g, k), x[7] = _mm_aesenclast_si128(h, k);
}

/* `count` units of 16 bytes at any positions. */
DPPAIR_API void dppair_aes_units_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                  const uint64_t *units, size_t count) {
  size_t i;
  unsigned j;
  for (i = 0; i < count; i += 8) {
    const unsigned live = count - i < 8 ? (unsigned)(count - i) : 8u;
    __m128i x[8];
    for (j = 0; j < 8; j++)
      x[j] = dppair_aes_counter_(rng->stream,
                                 dppair_address_(level, units[i + (j < live ? j : 0)]));
    dppair_aes_eight_(x, (const __m128i *)(const void *)rng->key);
    for (j = 0; j < live; j++) _mm_storeu_si128((__m128i *)(void *)(out + 4 * (i + j)), x[j]);
  }
}

/* `count` consecutive blocks, two at a time; an odd last one by its units. */
DPPAIR_API void dppair_aes_row_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                uint64_t block, size_t count) {
  uint64_t last[4];
  size_t i;
  unsigned j;
  for (i = 0; i + 2 <= count; i += 2) {
    const uint64_t low = dppair_address_(level, 4 * (block + i));
    __m128i x[8];
    DPPAIR_UNROLL_
    for (j = 0; j < 8; j++) x[j] = dppair_aes_counter_(rng->stream, low + j);
    dppair_aes_eight_(x, (const __m128i *)(const void *)rng->key);
    DPPAIR_UNROLL_
    for (j = 0; j < 8; j++)
      _mm_storeu_si128((__m128i *)(void *)(out + 16 * i + 4 * j), x[j]);
  }
  for (j = 0; j < 4; j++) last[j] = 4 * (block + i) + j;
  if (i < count) dppair_aes_units_(out + 16 * i, rng, level, last, 4);
}

DPPAIR_TARGET_END_
#endif

#if DPPAIR_ARM_AES_
DPPAIR_ARM_AES_BEGIN_

/* The instruction adds a round's key before it substitutes; the last key is added after the rounds.
 */
DPPAIR_API void dppair_aes_units_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                  const uint64_t *units, size_t count) {
  const uint8_t *keys = (const uint8_t *)(const void *)rng->key;
  size_t i;
  unsigned j, round;
  for (i = 0; i < count; i += 8) {
    const unsigned live = count - i < 8 ? (unsigned)(count - i) : 8u;
    uint8x16_t k, a, b, c, d, e, f, g, h, x[8];
    for (j = 0; j < 8; j++) { /* the counter in the byte order of AES (big-endian) */
      const uint64_t low = dppair_address_(level, units[i + (j < live ? j : 0)]);
      x[j] = vrev64q_u8(
          vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(rng->stream), vcreate_u64(low))));
    }
    a = x[0], b = x[1], c = x[2], d = x[3], e = x[4], f = x[5], g = x[6], h = x[7];
    for (round = 0; round < 13; round++) {
      k = vld1q_u8(keys + 16 * round);
      a = vaesmcq_u8(vaeseq_u8(a, k)), b = vaesmcq_u8(vaeseq_u8(b, k));
      c = vaesmcq_u8(vaeseq_u8(c, k)), d = vaesmcq_u8(vaeseq_u8(d, k));
      e = vaesmcq_u8(vaeseq_u8(e, k)), f = vaesmcq_u8(vaeseq_u8(f, k));
      g = vaesmcq_u8(vaeseq_u8(g, k)), h = vaesmcq_u8(vaeseq_u8(h, k));
    }
    k = vld1q_u8(keys + 16 * 13);
    x[0] = vaeseq_u8(a, k), x[1] = vaeseq_u8(b, k), x[2] = vaeseq_u8(c, k), x[3] = vaeseq_u8(d, k);
    x[4] = vaeseq_u8(e, k), x[5] = vaeseq_u8(f, k), x[6] = vaeseq_u8(g, k), x[7] = vaeseq_u8(h, k);
    k = vld1q_u8(keys + 16 * 14);
    for (j = 0; j < live; j++)
      vst1q_u8((uint8_t *)(void *)(out + 4 * (i + j)), veorq_u8(x[j], k));
  }
}

/* `count` consecutive blocks. */
DPPAIR_API void dppair_aes_row_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                uint64_t block, size_t count) {
  uint64_t units[8];
  size_t i;
  unsigned j;
  for (i = 0; i < count; i += 2) {
    for (j = 0; j < 8; j++) units[j] = 4 * (block + i) + j;
    dppair_aes_units_(out + 16 * i, rng, level, units, count - i < 2 ? 4 : 8);
  }
}

DPPAIR_ARM_AES_END_
#endif
