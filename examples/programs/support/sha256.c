/* SPDX-License-Identifier: MIT */
#include "support/sha256.h"

#include <string.h>

static uint32_t turned(uint32_t v, int k) { return (v >> k) | (v << (32 - k)); }

static void compress(sha256 *h) {
  static const uint32_t constants[64] = {
      0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u,
      0xab1c5ed5u, 0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu,
      0x9bdc06a7u, 0xc19bf174u, 0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu,
      0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau, 0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u,
      0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u, 0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu,
      0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u, 0xa2bfe8a1u, 0xa81a664bu,
      0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u, 0x19a4c116u,
      0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
      0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u,
      0xc67178f2u};
  uint32_t w[64], v[8];
  int t;
  for (t = 0; t < 16; t++)
    w[t] = (uint32_t)h->block[4 * t] << 24 | (uint32_t)h->block[4 * t + 1] << 16 |
           (uint32_t)h->block[4 * t + 2] << 8 | h->block[4 * t + 3];
  for (; t < 64; t++)
    w[t] = w[t - 16] + w[t - 7] +
           (turned(w[t - 15], 7) ^ turned(w[t - 15], 18) ^ (w[t - 15] >> 3)) +
           (turned(w[t - 2], 17) ^ turned(w[t - 2], 19) ^ (w[t - 2] >> 10));
  memcpy(v, h->state, sizeof v);
  for (t = 0; t < 64; t++) {
    uint32_t a = v[0], e = v[4];
    uint32_t one = v[7] + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) +
                   ((e & v[5]) ^ (~e & v[6])) + constants[t] + w[t];
    uint32_t two =
        (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += one;
    v[0] = one + two;
  }
  for (t = 0; t < 8; t++) h->state[t] += v[t];
}

void sha256_begin(sha256 *h) {
  static const uint32_t start[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                                    0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  memcpy(h->state, start, sizeof start);
  h->length = 0;
}

void sha256_add(sha256 *h, const void *bytes, size_t size) {
  const uint8_t *p = bytes;
  while (size-- > 0) {
    h->block[h->length++ % 64] = *p++;
    if (h->length % 64 == 0) compress(h);
  }
}

void sha256_end(uint8_t digest[DIGEST_SIZE], sha256 *h) {
  static const uint8_t one = 0x80, zero = 0;
  uint64_t bits = 8 * h->length;
  int k;
  sha256_add(h, &one, 1);
  while (h->length % 64 != 56) sha256_add(h, &zero, 1);
  for (k = 56; k >= 0; k -= 8) {
    uint8_t byte = (uint8_t)(bits >> k & 255);
    sha256_add(h, &byte, 1);
  }
  for (k = 0; k < DIGEST_SIZE; k++)
    digest[k] = (uint8_t)(h->state[k / 4] >> (24 - k % 4 * 8) & 255);
}

void sha256_add_u64(sha256 *h, uint64_t value) {
  uint8_t bytes[8];
  int k;
  for (k = 0; k < 8; k++) bytes[k] = (uint8_t)(value >> (8 * k) & 255);
  sha256_add(h, bytes, sizeof bytes);
}

void sha256_add_number(sha256 *h, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  sha256_add_u64(h, bits);
}

void sha256_add_text(sha256 *h, const char *text) {
  sha256_add_u64(h, text != NULL ? (uint64_t)strlen(text) : UINT64_MAX);
  if (text != NULL) sha256_add(h, text, strlen(text));
}
