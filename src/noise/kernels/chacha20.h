/* ------------------------------------------------------------------------------------------------
 * ChaCha20, DPR_LANES blocks side by side
 *
 * Vector w holds word w of every block. Relies on the address of cipher.h.
 * ---------------------------------------------------------------------------------------------- */

#define DPR_QUARTER(a, b, c, d)                                                                    \
  a = DPR_IADD(a, b), d = DPR_IXOR(d, a), d = DPR_IROL(d, 16);                                     \
  c = DPR_IADD(c, d), b = DPR_IXOR(b, c), b = DPR_IROL(b, 12);                                     \
  a = DPR_IADD(a, b), d = DPR_IXOR(d, a), d = DPR_IROL(d, 8);                                      \
  c = DPR_IADD(c, d), b = DPR_IXOR(b, c), b = DPR_IROL(b, 7)

/* Transposes vectors of words to blocks and stores them. Inside each 128-bit part, four vectors
 * give four words of a block; a 512-bit register then gathers the four parts of one block. */
#if DPR_LANES == 16
DPPAIR_FORCE_INLINE_ void dpr_chacha20_store(uint32_t *out, const DPR_I x[16]) {
  __m512i v[4][4];
#define DPR_FOUR(i)                                                                                \
  do {                                                                                             \
    const DPR_I p_ = DPR_UNPACK_LO32(x[4 * i], x[4 * i + 1]);                                      \
    const DPR_I q_ = DPR_UNPACK_LO32(x[4 * i + 2], x[4 * i + 3]);                                  \
    const DPR_I r_ = DPR_UNPACK_HI32(x[4 * i], x[4 * i + 1]);                                      \
    const DPR_I s_ = DPR_UNPACK_HI32(x[4 * i + 2], x[4 * i + 3]);                                  \
    v[i][0] = DPR_UNPACK_LO64(p_, q_), v[i][1] = DPR_UNPACK_HI64(p_, q_);                          \
    v[i][2] = DPR_UNPACK_LO64(r_, s_), v[i][3] = DPR_UNPACK_HI64(r_, s_);                          \
  } while (0)
#define DPR_MIX(a, b, c) _mm512_maskz_shuffle_i32x4(0xffff, a, b, c)
  DPR_FOUR(0);
  DPR_FOUR(1);
  DPR_FOUR(2);
  DPR_FOUR(3);
#define DPR_OUT(i) /* parts l of v[0..3][i] are block 4 l + i */                                   \
  do {                                                                                             \
    const __m512i a_ = DPR_MIX(v[0][i], v[1][i], 0x88), b_ = DPR_MIX(v[2][i], v[3][i], 0x88);      \
    const __m512i c_ = DPR_MIX(v[0][i], v[1][i], 0xdd), d_ = DPR_MIX(v[2][i], v[3][i], 0xdd);      \
    _mm512_storeu_si512((void *)(out + 16 * i), DPR_MIX(a_, b_, 0x88));                            \
    _mm512_storeu_si512((void *)(out + 16 * i + 64), DPR_MIX(c_, d_, 0x88));                       \
    _mm512_storeu_si512((void *)(out + 16 * i + 128), DPR_MIX(a_, b_, 0xdd));                      \
    _mm512_storeu_si512((void *)(out + 16 * i + 192), DPR_MIX(c_, d_, 0xdd));                      \
  } while (0)
  DPR_OUT(0);
  DPR_OUT(1);
  DPR_OUT(2);
  DPR_OUT(3);
}
#else
DPPAIR_FORCE_INLINE_ void dpr_chacha20_rows(uint32_t *out, DPR_I a, DPR_I b, DPR_I c, DPR_I d) {
  const DPR_I ab = DPR_UNPACK_LO32(a, b), cd = DPR_UNPACK_LO32(c, d);
  const DPR_I AB = DPR_UNPACK_HI32(a, b), CD = DPR_UNPACK_HI32(c, d);
  DPR_STORE_PARTS(out, 64, DPR_UNPACK_LO64(ab, cd));
  DPR_STORE_PARTS(out + 16, 64, DPR_UNPACK_HI64(ab, cd));
  DPR_STORE_PARTS(out + 32, 64, DPR_UNPACK_LO64(AB, CD));
  DPR_STORE_PARTS(out + 48, 64, DPR_UNPACK_HI64(AB, CD));
}
DPPAIR_FORCE_INLINE_ void dpr_chacha20_store(uint32_t *out, const DPR_I x[16]) {
  dpr_chacha20_rows(out, x[0], x[1], x[2], x[3]);
  dpr_chacha20_rows(out + 4, x[4], x[5], x[6], x[7]);
  dpr_chacha20_rows(out + 8, x[8], x[9], x[10], x[11]);
  dpr_chacha20_rows(out + 12, x[12], x[13], x[14], x[15]);
}
#endif

/* put(w, v) for each word w of the state before the rounds: constants, key, counter, stream.
 * Macros, because gcc keeps x in registers only when every index is a constant. */
#define DPR_STATE(put)                                                                             \
  put(0, DPR_ISET(DPPAIR_CHACHA_0_)), put(1, DPR_ISET(DPPAIR_CHACHA_1_));                          \
  put(2, DPR_ISET(DPPAIR_CHACHA_2_)), put(3, DPR_ISET(DPPAIR_CHACHA_3_));                          \
  put(4, DPR_ISET(rng->key[0])), put(5, DPR_ISET(rng->key[1])), put(6, DPR_ISET(rng->key[2]));     \
  put(7, DPR_ISET(rng->key[3])), put(8, DPR_ISET(rng->key[4])), put(9, DPR_ISET(rng->key[5]));     \
  put(10, DPR_ISET(rng->key[6])), put(11, DPR_ISET(rng->key[7]));                                  \
  put(12, low), put(13, high), put(14, stream_low), put(15, stream_high)
#define DPR_INIT(w, v) x[w] = v
#define DPR_PLUS(w, v) x[w] = DPR_IADD(x[w], v)

/* `count` blocks of a level at any positions. The last group of lanes is filled up with copies of
 * its first block, which are dropped. */
DPPAIR_API void dppair_chacha20_TIER_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                      const uint64_t *blocks, size_t count) {
  uint32_t last[16 * DPR_LANES];
  size_t i;
  unsigned j;
  for (i = 0; i < count; i += DPR_LANES) {
    const size_t live = count - i < DPR_LANES ? count - i : DPR_LANES;
    uint32_t lo[DPR_LANES], hi[DPR_LANES], *to = live == DPR_LANES ? out + 16 * i : last;
    DPR_I x[16], low, high;
    const DPR_I stream_low = DPR_ISET((uint32_t)rng->stream);
    const DPR_I stream_high = DPR_ISET((uint32_t)(rng->stream >> 32));
    for (j = 0; j < DPR_LANES; j++) {
      const uint64_t at = dppair_address_(level, blocks[i + (j < live ? j : 0)]);
      lo[j] = (uint32_t)at;
      hi[j] = (uint32_t)(at >> 32);
    }
    low = DPR_ILOAD(lo), high = DPR_ILOAD(hi);
    DPR_STATE(DPR_INIT);
    for (j = 0; j < 10; j++) {
      DPR_QUARTER(x[0], x[4], x[8], x[12]);
      DPR_QUARTER(x[1], x[5], x[9], x[13]);
      DPR_QUARTER(x[2], x[6], x[10], x[14]);
      DPR_QUARTER(x[3], x[7], x[11], x[15]);
      DPR_QUARTER(x[0], x[5], x[10], x[15]);
      DPR_QUARTER(x[1], x[6], x[11], x[12]);
      DPR_QUARTER(x[2], x[7], x[8], x[13]);
      DPR_QUARTER(x[3], x[4], x[9], x[14]);
    }
    DPR_STATE(DPR_PLUS);
    dpr_chacha20_store(to, x);
    if (live < DPR_LANES) memcpy(out + 16 * i, last, 64 * live);
  }
}
