/* SPDX-License-Identifier: MIT */
#include "support/checksum.h"

#include <string.h>

static const uint64_t prime[] = {UINT64_C(0x9E3779B185EBCA87), UINT64_C(0xC2B2AE3D27D4EB4F),
                                 UINT64_C(0x165667B19E3779F9), UINT64_C(0x85EBCA77C2B2AE63),
                                 UINT64_C(0x27D4EB2F165667C5)};

static uint64_t rotated(uint64_t v, int k) { return (v << k) | (v >> (64 - k)); }

static uint64_t round_of(uint64_t lane, uint64_t word) {
  return rotated(lane + word * prime[1], 31) * prime[0];
}

static uint64_t merged(uint64_t hash, uint64_t lane) {
  return (hash ^ round_of(0, lane)) * prime[0] + prime[3];
}

/* The last bytes, fewer than 32, and the bits of all mixed. */
static uint64_t finished(uint64_t hash, const uint8_t *at, size_t size) {
  uint64_t word;
  uint32_t half;
  for (; size >= 8; size -= 8, at += 8) {
    memcpy(&word, at, 8);
    hash = rotated(hash ^ round_of(0, word), 27) * prime[0] + prime[3];
  }
  if (size >= 4) {
    memcpy(&half, at, 4);
    hash = rotated(hash ^ (half * prime[0]), 23) * prime[1] + prime[2];
    size -= 4;
    at += 4;
  }
  for (; size > 0; size--) hash = rotated(hash ^ (*at++ * prime[4]), 11) * prime[0];
  hash = (hash ^ (hash >> 33)) * prime[1];
  hash = (hash ^ (hash >> 29)) * prime[2];
  return hash ^ (hash >> 32);
}

uint64_t checksum(const void *bytes, size_t size) {
  const uint8_t *at = bytes;
  uint64_t a = prime[0] + prime[1], b = prime[1], c = 0, d = 0 - prime[0], hash = prime[4];
  size_t left = size;
  for (; left >= 32; left -= 32, at += 32) {
    uint64_t word[4];
    memcpy(word, at, 32);
    a = round_of(a, word[0]);
    b = round_of(b, word[1]);
    c = round_of(c, word[2]);
    d = round_of(d, word[3]);
  }
  if (size >= 32) {
    hash = rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18);
    hash = merged(merged(merged(merged(hash, a), b), c), d);
  }
  return finished(hash + size, at, left);
}

void digest_add(uint8_t to[DIGEST_SIZE], const uint8_t from[DIGEST_SIZE]) {
  unsigned carry = 0;
  size_t k;
  for (k = 0; k < DIGEST_SIZE; k++) {
    carry += (unsigned)to[k] + from[k];
    to[k] = (uint8_t)(carry & 255u);
    carry >>= 8;
  }
}

void digest_block(uint8_t digest[DIGEST_SIZE], const block_mark *mark) {
  uint8_t one[DIGEST_SIZE];
  sha256 h;
  sha256_begin(&h);
  sha256_add_u64(&h, mark->index);
  sha256_add_u64(&h, mark->n);
  sha256_add_u64(&h, mark->d);
  sha256_add_u64(&h, mark->size);
  sha256_add_u64(&h, mark->positives);
  sha256_add_u64(&h, mark->rows);
  if (mark->users > 0) {
    sha256_add_u64(&h, mark->users);
    sha256_add_u64(&h, mark->counts);
  }
  sha256_end(one, &h);
  digest_add(digest, one);
}
