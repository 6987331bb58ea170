/* SPDX-License-Identifier: MIT */
/* Ideal noise to 113 bits from the first 128 bits of its strings. Link with -lquadmath. */
#ifndef NOISE_QUAD_H
#define NOISE_QUAD_H

#ifdef __SIZEOF_INT128__
__extension__ typedef __float128 quad;
quad logq(quad), sqrtq(quad), cosq(quad), sinq(quad), rintq(quad), fabsq(quad), ldexpq(quad, int);

/* The string in (0, 1) from word `lane` of a block's first four levels, after its first bits. */
static quad ideal_uniform(const dppair_rng *rng, uint64_t block, unsigned lane, unsigned skip) {
  quad u = 0;
  for (unsigned level = 4; level-- > 0;) {
    uint32_t words[16];
    dppair_keystream_(words, rng, level, block);
    u = (u + words[lane]) * (1.0 / 4294967296.0);
  }
  if (skip) {
    u *= 2;
    if (u >= 1) u -= 1;
  }
  return u;
}

static quad ideal_normal(const dppair_rng *rng, uint64_t block, unsigned i) {
  const quad two_pi = 6.283185307179586476925286766559005768394338798750Q;
  const quad r = sqrtq(-2 * logq(ideal_uniform(rng, block, 2 * (i % 8), 0)));
  const quad t = two_pi * ideal_uniform(rng, block, 2 * (i % 8) + 1, 0);
  return r * (i < 8 ? cosq(t) : sinq(t));
}

static inline quad ideal_laplace(const dppair_rng *rng, uint64_t block, unsigned i) {
  uint32_t words[16];
  const quad e = -logq(ideal_uniform(rng, block, i, 1));
  dppair_keystream_(words, rng, 0, block);
  return words[i] >> 31 ? -e : e;
}
#endif

#endif
