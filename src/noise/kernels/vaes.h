/* ------------------------------------------------------------------------------------------------
 * AES-256 by VAES: rows of consecutive blocks
 *
 * A register holds DPR_LANES / 4 units of 16 bytes; eight registers hide the latency of the rounds.
 * ---------------------------------------------------------------------------------------------- */

/* `count` consecutive blocks of a level. */
DPPAIR_API void dppair_vaes_row_TIER_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                      uint64_t block, size_t count) {
  const size_t registers = 16 * count / DPR_LANES;
  uint64_t first[DPR_LANES / 2], step[DPR_LANES / 2];
  DPR_I counter, more, k[15];
  size_t i;
  unsigned j;
  for (j = 0; j < DPR_LANES / 4; j++) {
    first[2 * j] = dppair_address_(level, 4 * block) + j;
    first[2 * j + 1] = rng->stream;
    step[2 * j] = DPR_LANES / 4;
    step[2 * j + 1] = 0;
  }
  counter = DPR_ILOAD(first), more = DPR_ILOAD(step);
  for (j = 0; j < 15; j++) k[j] = DPR_AES_KEY(rng->key + 4 * j);
#define DPR_NEXT(x) x = DPR_IXOR(k[0], DPR_AES_REVERSE(counter)), counter = DPR_QADD(counter, more)
#define DPR_ROUND(k)                                                                               \
  a = DPR_AES(a, k), b = DPR_AES(b, k), c = DPR_AES(c, k), d = DPR_AES(d, k);                      \
  e = DPR_AES(e, k), f = DPR_AES(f, k), g = DPR_AES(g, k), h = DPR_AES(h, k)
#define DPR_LAST(x, n) DPR_ISTORE(out + DPR_LANES * (i + n), DPR_AES_LAST(x, k[14]))
  for (i = 0; i + 8 <= registers; i += 8) {
    DPR_I a, b, c, d, e, f, g, h;
    DPR_NEXT(a), DPR_NEXT(b), DPR_NEXT(c), DPR_NEXT(d);
    DPR_NEXT(e), DPR_NEXT(f), DPR_NEXT(g), DPR_NEXT(h);
    for (j = 1; j < 14; j++) {
      DPR_ROUND(k[j]);
    }
    DPR_LAST(a, 0), DPR_LAST(b, 1), DPR_LAST(c, 2), DPR_LAST(d, 3);
    DPR_LAST(e, 4), DPR_LAST(f, 5), DPR_LAST(g, 6), DPR_LAST(h, 7);
  }
  for (; i < registers; i++) {
    DPR_I a;
    DPR_NEXT(a);
    for (j = 1; j < 14; j++) a = DPR_AES(a, k[j]);
    DPR_LAST(a, 0);
  }
}
