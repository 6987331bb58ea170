/* ------------------------------------------------------------------------------------------------
 * Infinite strings of random bits
 *
 * A noise variable is a function of one or two infinite strings of bits. String number `lane` of a
 * block consists of word `lane` of that block at levels 0, 1, 2, ...; more precision reads more
 * levels of the same string.
 * ---------------------------------------------------------------------------------------------- */

enum { DPPAIR_NOISE_GAUSSIAN_ = 0, DPPAIR_NOISE_LAPLACE_ = 1 };

typedef struct dppair_string_ {
  const dppair_rng *rng;
  uint64_t block;
  unsigned lane;
} dppair_string_;

DPPAIR_API uint32_t dppair_string_word_(const dppair_string_ *s, unsigned level) {
  uint32_t words[16];
  dppair_keystream_row_(words, s->rng, level, s->block, 1, dppair_noise_tier_());
  return words[s->lane];
}

/* The first 96 bits of a string after its first `skip` (0 or 1) bits. The caller has the words of
 * levels 0 and 1. Level 2 is read only when the first word begins with 16 zeros or 31 ones, where
 * the double level needs it; otherwise its bits are taken as 0. */
DPPAIR_API void dppair_string_read_(uint32_t w[3], const dppair_string_ *s, uint32_t w0,
                                    uint32_t w1, unsigned skip) {
  w[0] = w0;
  w[1] = w1;
  w[2] = 0;
  if ((w0 & (0xffffffffu >> skip)) < 0x10000u || w0 << skip >= 0xfffffffeu)
    w[2] = dppair_string_word_(s, 2);
  if (skip != 0) {
    w[0] = w[0] << 1 | w[1] >> 31;
    w[1] = w[1] << 1 | w[2] >> 31;
    w[2] <<= 1;
  }
}

/* The strings of sample i < 16 of a block. Laplace: string i. Gaussian: strings 2j and 2j + 1 are U
 * and T of pair j = i mod 8; samples 0 to 7 are the cosines, 8 to 15 the sines. */
DPPAIR_API void dppair_strings_(dppair_string_ *u, dppair_string_ *t, const dppair_rng *rng,
                                uint64_t block, unsigned i, int law) {
  u->rng = t->rng = rng;
  u->block = t->block = block;
  u->lane = law == DPPAIR_NOISE_LAPLACE_ ? i : 2 * (i % 8);
  t->lane = u->lane | 1u;
}
