/* SPDX-License-Identifier: MIT */
/*
 * sha256.h - the hash function SHA-256 (FIPS 180-4).
 *
 * It tells apart what two releases were made of. No key is involved: whoever holds a release key
 * holds everything that a keyed tag could be keyed with, so only collision resistance helps.
 */
#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { DIGEST_SIZE = 32 };

typedef struct sha256 {
  uint32_t state[8];
  uint64_t length; /* bytes so far */
  uint8_t block[64];
} sha256;

void sha256_begin(sha256 *h);
void sha256_add(sha256 *h, const void *bytes, size_t size);
void sha256_end(uint8_t digest[DIGEST_SIZE], sha256 *h);

/* Values in one form on every machine: eight bytes, the lowest first; text with its length before
 * it, NULL unlike "". */
void sha256_add_u64(sha256 *h, uint64_t value);
void sha256_add_number(sha256 *h, double value);
void sha256_add_text(sha256 *h, const char *text);

#endif /* SHA256_H */
