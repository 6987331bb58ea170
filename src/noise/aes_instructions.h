/* ------------------------------------------------------------------------------------------------
 * AES-256 by instructions
 *
 * Units of 16 bytes by AES-NI on x86-64, rows of 64-byte blocks by VAES on AVX-512.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_HAVE_AESNI_
DPPAIR_TARGET_BEGIN_("aes,ssse3")

/* The counter of a 16-byte unit, in the byte order of AES (big-endian). */
DPPAIR_FORCE_INLINE_ __m128i dppair_aes_counter_(uint64_t stream, uint64_t low) {
  const __m128i reverse = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return _mm_shuffle_epi8(_mm_set_epi64x((long long)stream, (long long)low), reverse);
}

/* `count` units of 16 bytes at any positions. Eight at a time hide the latency of the rounds; the
 * last group is filled up with copies of its first unit. */
DPPAIR_API void dppair_aesni_units_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                    const uint64_t *units, size_t count) {
  const __m128i *keys = (const __m128i *)(const void *)rng->key;
  size_t i;
  unsigned j, round;
  for (i = 0; i < count; i += 8) {
    const unsigned live = count - i < 8 ? (unsigned)(count - i) : 8u;
    __m128i k = _mm_loadu_si128(keys), a, b, c, d, e, f, g, h, x[8];
#define DPPAIR_FIRST_(n)                                                                           \
  _mm_xor_si128(k, dppair_aes_counter_(rng->stream,                                                \
                                       dppair_address_(level, units[i + ((n) < live ? (n) : 0)])))
    a = DPPAIR_FIRST_(0), b = DPPAIR_FIRST_(1), c = DPPAIR_FIRST_(2), d = DPPAIR_FIRST_(3);
    e = DPPAIR_FIRST_(4), f = DPPAIR_FIRST_(5), g = DPPAIR_FIRST_(6), h = DPPAIR_FIRST_(7);
#undef DPPAIR_FIRST_
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
    for (j = 0; j < live; j++) _mm_storeu_si128((__m128i *)(void *)(out + 4 * (i + j)), x[j]);
  }
}

DPPAIR_TARGET_END_
#endif

#if DPPAIR_HAVE_AVX512
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX512_ ",aes,vaes")

/* `count` consecutive blocks: a register holds one block, eight registers hide the latency. */
DPPAIR_API void dppair_vaes_row_(void *out, const dppair_rng *rng, unsigned level, uint64_t block,
                                 size_t count) {
  const __m512i reverse = _mm512_maskz_broadcast_i32x4(
      0xffff, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  const __m512i four = _mm512_set_epi64(0, 4, 0, 4, 0, 4, 0, 4);
  const uint64_t low = dppair_address_(level, 4 * block), high = rng->stream;
  __m512i counter =
      _mm512_set_epi64((long long)high, (long long)(low + 3), (long long)high, (long long)(low + 2),
                       (long long)high, (long long)(low + 1), (long long)high, (long long)low);
  __m512i k[15];
  size_t i;
  unsigned j;
  for (j = 0; j < 15; j++)
    k[j] = _mm512_maskz_broadcast_i32x4(
        0xffff, _mm_loadu_si128((const __m128i *)(const void *)(rng->key + 4 * j)));
#define DPPAIR_NEXT_(x)                                                                            \
  x = _mm512_xor_si512(k[0], _mm512_shuffle_epi8(counter, reverse));                               \
  counter = _mm512_add_epi64(counter, four)
#define DPPAIR_ROUND_(r)                                                                           \
  a = _mm512_aesenc_epi128(a, k[r]), b = _mm512_aesenc_epi128(b, k[r]);                            \
  c = _mm512_aesenc_epi128(c, k[r]), d = _mm512_aesenc_epi128(d, k[r]);                            \
  e = _mm512_aesenc_epi128(e, k[r]), f = _mm512_aesenc_epi128(f, k[r]);                            \
  g = _mm512_aesenc_epi128(g, k[r]), h = _mm512_aesenc_epi128(h, k[r])
#define DPPAIR_LAST_(x, n)                                                                         \
  _mm512_storeu_si512((void *)((uint8_t *)out + 64 * (i + n)), _mm512_aesenclast_epi128(x, k[14]))
  for (i = 0; i + 8 <= count; i += 8) {
    __m512i a, b, c, d, e, f, g, h;
    DPPAIR_NEXT_(a);
    DPPAIR_NEXT_(b);
    DPPAIR_NEXT_(c);
    DPPAIR_NEXT_(d);
    DPPAIR_NEXT_(e);
    DPPAIR_NEXT_(f);
    DPPAIR_NEXT_(g);
    DPPAIR_NEXT_(h);
    DPPAIR_ROUND_(1), DPPAIR_ROUND_(2), DPPAIR_ROUND_(3), DPPAIR_ROUND_(4), DPPAIR_ROUND_(5);
    DPPAIR_ROUND_(6), DPPAIR_ROUND_(7), DPPAIR_ROUND_(8), DPPAIR_ROUND_(9), DPPAIR_ROUND_(10);
    DPPAIR_ROUND_(11), DPPAIR_ROUND_(12), DPPAIR_ROUND_(13);
    DPPAIR_LAST_(a, 0), DPPAIR_LAST_(b, 1), DPPAIR_LAST_(c, 2), DPPAIR_LAST_(d, 3);
    DPPAIR_LAST_(e, 4), DPPAIR_LAST_(f, 5), DPPAIR_LAST_(g, 6), DPPAIR_LAST_(h, 7);
  }
  for (; i < count; i++) {
    __m512i a;
    DPPAIR_NEXT_(a);
    for (j = 1; j < 14; j++) a = _mm512_aesenc_epi128(a, k[j]);
    DPPAIR_LAST_(a, 0);
  }
#undef DPPAIR_NEXT_
#undef DPPAIR_ROUND_
#undef DPPAIR_LAST_
}

DPPAIR_TARGET_END_
#endif
