/* ------------------------------------------------------------------------------------------------
 * ChaCha20, DPX_L blocks side by side: vector w holds word w of every block.
 * ---------------------------------------------------------------------------------------------- */

#define DPX_QUARTER(a, b, c, d)                                                                    \
  a = DPX_IADD(a, b), d = DPX_IXOR(d, a), d = DPX_IROL(d, 16);                                     \
  c = DPX_IADD(c, d), b = DPX_IXOR(b, c), b = DPX_IROL(b, 12);                                     \
  a = DPX_IADD(a, b), d = DPX_IXOR(d, a), d = DPX_IROL(d, 8);                                      \
  c = DPX_IADD(c, d), b = DPX_IXOR(b, c), b = DPX_IROL(b, 7)

/* Rows of words to blocks: first four words of four blocks each, inside 128-bit parts. */
#if DPX_L == 16
DPPAIR_FORCE_INLINE_ void DPX_(dppair_chacha20_store_)(uint32_t *out, const DPX_I x[16]) {
  __m512i v[4][4];
#define DPX_FOUR(i)                                                                                \
  do {                                                                                             \
    const DPX_I p_ = DPX_UNPACK_LO32(x[4 * i], x[4 * i + 1]);                                      \
    const DPX_I q_ = DPX_UNPACK_LO32(x[4 * i + 2], x[4 * i + 3]);                                  \
    const DPX_I r_ = DPX_UNPACK_HI32(x[4 * i], x[4 * i + 1]);                                      \
    const DPX_I s_ = DPX_UNPACK_HI32(x[4 * i + 2], x[4 * i + 3]);                                  \
    v[i][0] = DPX_UNPACK_LO64(p_, q_), v[i][1] = DPX_UNPACK_HI64(p_, q_);                          \
    v[i][2] = DPX_UNPACK_LO64(r_, s_), v[i][3] = DPX_UNPACK_HI64(r_, s_);                          \
  } while (0)
#define DPX_MIX(a, b, c) _mm512_maskz_shuffle_i32x4(0xffff, a, b, c)
  DPX_FOUR(0);
  DPX_FOUR(1);
  DPX_FOUR(2);
  DPX_FOUR(3);
#define DPX_OUT(i) /* parts l of v[0..3][i] are block 4 l + i */                                   \
  do {                                                                                             \
    const __m512i a_ = DPX_MIX(v[0][i], v[1][i], 0x88), b_ = DPX_MIX(v[2][i], v[3][i], 0x88);      \
    const __m512i c_ = DPX_MIX(v[0][i], v[1][i], 0xdd), d_ = DPX_MIX(v[2][i], v[3][i], 0xdd);      \
    _mm512_storeu_si512((void *)(out + 16 * i), DPX_MIX(a_, b_, 0x88));                            \
    _mm512_storeu_si512((void *)(out + 16 * i + 64), DPX_MIX(c_, d_, 0x88));                       \
    _mm512_storeu_si512((void *)(out + 16 * i + 128), DPX_MIX(a_, b_, 0xdd));                      \
    _mm512_storeu_si512((void *)(out + 16 * i + 192), DPX_MIX(c_, d_, 0xdd));                      \
  } while (0)
  DPX_OUT(0);
  DPX_OUT(1);
  DPX_OUT(2);
  DPX_OUT(3);
}
#else
DPPAIR_FORCE_INLINE_ void DPX_(dppair_chacha20_rows_)(uint32_t *out, DPX_I a, DPX_I b, DPX_I c,
                                                      DPX_I d) {
  const DPX_I ab = DPX_UNPACK_LO32(a, b), cd = DPX_UNPACK_LO32(c, d);
  const DPX_I AB = DPX_UNPACK_HI32(a, b), CD = DPX_UNPACK_HI32(c, d);
  DPX_STORE_PARTS(out, 64, DPX_UNPACK_LO64(ab, cd));
  DPX_STORE_PARTS(out + 16, 64, DPX_UNPACK_HI64(ab, cd));
  DPX_STORE_PARTS(out + 32, 64, DPX_UNPACK_LO64(AB, CD));
  DPX_STORE_PARTS(out + 48, 64, DPX_UNPACK_HI64(AB, CD));
}
DPPAIR_FORCE_INLINE_ void DPX_(dppair_chacha20_store_)(uint32_t *out, const DPX_I x[16]) {
  DPX_(dppair_chacha20_rows_)(out, x[0], x[1], x[2], x[3]);
  DPX_(dppair_chacha20_rows_)(out + 4, x[4], x[5], x[6], x[7]);
  DPX_(dppair_chacha20_rows_)(out + 8, x[8], x[9], x[10], x[11]);
  DPX_(dppair_chacha20_rows_)(out + 12, x[12], x[13], x[14], x[15]);
}
#endif

DPPAIR_API void DPX_(dppair_chacha20_)(uint32_t *out, const dppair_rng *rng, unsigned level,
                                       const uint64_t *blocks, size_t count) {
  uint32_t last[16 * DPX_L];
  size_t i;
  unsigned j;
  for (i = 0; i < count; i += DPX_L) {
    const size_t live = count - i < DPX_L ? count - i : DPX_L;
    uint32_t lo[DPX_L], hi[DPX_L], *to = live == DPX_L ? out + 16 * i : last;
    DPX_I x[16], c0, c1;
    const DPX_I s0 = DPX_ISET((uint32_t)rng->stream), s1 = DPX_ISET((uint32_t)(rng->stream >> 32));
    for (j = 0; j < DPX_L; j++) {
      const uint64_t at = dppair_address_(level, blocks[i + (j < live ? j : 0)]);
      lo[j] = (uint32_t)at;
      hi[j] = (uint32_t)(at >> 32);
    }
    x[0] = DPX_ISET(0x61707865u), x[1] = DPX_ISET(0x3320646eu), x[2] = DPX_ISET(0x79622d32u);
    x[3] = DPX_ISET(0x6b206574u), x[4] = DPX_ISET(rng->key[0]), x[5] = DPX_ISET(rng->key[1]);
    x[6] = DPX_ISET(rng->key[2]), x[7] = DPX_ISET(rng->key[3]), x[8] = DPX_ISET(rng->key[4]);
    x[9] = DPX_ISET(rng->key[5]), x[10] = DPX_ISET(rng->key[6]), x[11] = DPX_ISET(rng->key[7]);
    x[12] = c0 = DPX_ILOAD(lo), x[13] = c1 = DPX_ILOAD(hi), x[14] = s0, x[15] = s1;
    for (j = 0; j < 10; j++) {
      DPX_QUARTER(x[0], x[4], x[8], x[12]);
      DPX_QUARTER(x[1], x[5], x[9], x[13]);
      DPX_QUARTER(x[2], x[6], x[10], x[14]);
      DPX_QUARTER(x[3], x[7], x[11], x[15]);
      DPX_QUARTER(x[0], x[5], x[10], x[15]);
      DPX_QUARTER(x[1], x[6], x[11], x[12]);
      DPX_QUARTER(x[2], x[7], x[8], x[13]);
      DPX_QUARTER(x[3], x[4], x[9], x[14]);
    }
#define DPX_PLUS(w, v) x[w] = DPX_IADD(x[w], v)
    DPX_PLUS(0, DPX_ISET(0x61707865u)), DPX_PLUS(1, DPX_ISET(0x3320646eu));
    DPX_PLUS(2, DPX_ISET(0x79622d32u)), DPX_PLUS(3, DPX_ISET(0x6b206574u));
    DPX_PLUS(4, DPX_ISET(rng->key[0])), DPX_PLUS(5, DPX_ISET(rng->key[1]));
    DPX_PLUS(6, DPX_ISET(rng->key[2])), DPX_PLUS(7, DPX_ISET(rng->key[3]));
    DPX_PLUS(8, DPX_ISET(rng->key[4])), DPX_PLUS(9, DPX_ISET(rng->key[5]));
    DPX_PLUS(10, DPX_ISET(rng->key[6])), DPX_PLUS(11, DPX_ISET(rng->key[7]));
    DPX_PLUS(12, c0), DPX_PLUS(13, c1), DPX_PLUS(14, s0), DPX_PLUS(15, s1);
#undef DPX_PLUS
    DPX_(dppair_chacha20_store_)(to, x);
    if (live < DPX_L) {
      memcpy(out + 16 * i, last, 64 * live);
    }
  }
}
