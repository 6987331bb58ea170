/* ------------------------------------------------------------------------------------------------
 * Integers of 128 bits, as pairs of 64: the low word first, two's complement
 *
 * Sums of such integers have the same bits in any order, which sums of doubles have not.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* w += v, an integer of 64 bits with a sign (bit 63), modulo 2^128. */
DPPAIR_FORCE_INLINE_ void dppair_word_add_(uint64_t *w, uint64_t v) {
  w[0] += v;
  w[1] += (uint64_t)(w[0] < v) - (v >> 63);
}

/* to[k] += from[k] for `count` integers of 128 bits, that is 2 count words, modulo 2^128: all that
 * a process or a site has to do with the sums of another. NULL does nothing. */
DPPAIR_API void dppair_words_add(uint64_t *to, const uint64_t *from, size_t count) {
  size_t k;
  if (!to || !from) return;
  for (k = 0; k < count; k++) {
    const uint64_t low = from[2 * k], high = from[2 * k + 1];
    to[2 * k] += low;
    to[2 * k + 1] += high + (uint64_t)(to[2 * k] < low);
  }
}

/* The integer w times unit, a power of two for which no result leaves the normal numbers, rounded
 * once, ties to even: of the first 64 digits the last one is set where anything follows, so that
 * the sum of their halves, both exact, rounds as the whole would. */
DPPAIR_API double dppair_word_value_(const uint64_t *w, double unit) {
  const uint64_t sign = w[1] >> 63;
  const uint64_t low = sign ? ~w[0] + 1 : w[0], high = sign ? ~w[1] + (uint64_t)(w[0] == 0) : w[1];
  uint64_t top = low, rest;
  int64_t whole;
  double value;
  int shift = 0;
  if (high == 0 && low >> 63 == 0) { /* the sum of few records: conversion rounds once */
    memcpy(&whole, &w[0], sizeof whole);
    return (double)whole * unit;
  }
  while (shift < 64 && high >> shift) shift++;
  if (shift) {
    rest = shift < 64 ? low << (64 - shift) : low;
    top = (shift < 64 ? high << (64 - shift) | low >> shift : high) | (uint64_t)(rest != 0);
  }
  value = 4294967296.0 * (double)(uint32_t)(top >> 32) + (double)(uint32_t)top;
  value = dppair_ldexp_(value, shift) * unit;
  return sign ? -value : value;
}

DPPAIR_FP_END_
