/* SPDX-License-Identifier: MIT */
/* Compiled with every flag for this processor (Makefile). Products with 2^-35 are exact, so the
 * numbers are the same with and without fused multiply-add. */
#include "scale_rows.h"

enum { LANES = SCALE_WIDTH / 4, ROUNDS = 7 };

static float number(uint32_t bits) { return (float)(int32_t)bits * 0x1p-35f; }

/* Numbers of 32 bits in lanes of 64: their products need no halves. */
static void philox(float *restrict x, uint64_t row, const float *restrict middle) {
  uint64_t v[4][LANES];
  uint64_t key[2] = {0xA4093822, 0x299F31D0};
  int l, r;
  for (l = 0; l < LANES; l++) {
    v[0][l] = (uint64_t)l;
    v[1][l] = (uint32_t)row;
    v[2][l] = row >> 32;
    v[3][l] = 0;
  }
  for (r = 0; r < ROUNDS; r++) {
#pragma GCC unroll 1 /* else gcc writes all lanes out and finds no vectors in them */
    for (l = 0; l < LANES; l++) {
      const uint64_t p = v[0][l] * 0xD2511F53, q = v[2][l] * 0xCD9E8D57;
      v[0][l] = (q >> 32) ^ v[1][l] ^ key[0];
      v[1][l] = (uint32_t)q;
      v[2][l] = (p >> 32) ^ v[3][l] ^ key[1];
      v[3][l] = (uint32_t)p;
    }
    key[0] = (uint32_t)(key[0] + 0x9E3779B9);
    key[1] = (uint32_t)(key[1] + 0xBB67AE85);
  }
  for (r = 0; r < 4; r++)
    for (l = 0; l < LANES; l++)
      x[LANES * r + l] = number((uint32_t)v[r][l]) + middle[LANES * r + l];
}

static void hash(float *restrict x, uint64_t row, const float *restrict middle) {
  uint64_t z = row * UINT64_C(0x9E3779B97F4A7C15);
  uint32_t start, step, j;
  z = (z ^ z >> 32) * UINT64_C(0xD6E8FEB86659FD93);
  start = (uint32_t)(z >> 32);
  step = (uint32_t)z | 1;
  for (j = 0; j < SCALE_WIDTH; j++) {
    uint32_t h = start + j * step;
    h = (h ^ h >> 16) * UINT32_C(0x7FEB352D);
    h = (h ^ h >> 15) * UINT32_C(0x846CA68B);
    x[j] = number(h ^ h >> 16) + middle[j];
  }
}

void scale_rows(float *restrict x, uint64_t first, size_t n, const float *restrict middle,
                int quick) {
  size_t i;
  if (quick)
    for (i = 0; i < n; i++) hash(x + i * SCALE_WIDTH, first + i, middle);
  else
    for (i = 0; i < n; i++) philox(x + i * SCALE_WIDTH, first + i, middle);
}
