/* SPDX-License-Identifier: MIT */
/*
 * checksum.h - the checksum XXH64 of bytes, and a digest of records that stand in blocks.
 *
 * XXH64 (Yann Collet, xxHash, specification 0.1.1) finds damage at the speed of memory. It keeps
 * off nobody who wants a collision: what is read is checked by itself, too.
 */
#ifndef CHECKSUM_H
#define CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#include "support/sha256.h"

/* Words are taken as this machine holds them; where the lowest byte comes first, that is XXH64 with
 * the seed 0. */
uint64_t checksum(const void *bytes, size_t size);

/* Adds SHA-256 of a block's number, shape, positives and the checksum of its rows to a digest: 32
 * bytes as an integer, the lowest first, modulo 2^256. So the digest of all records depends neither
 * on the order in which blocks are read, nor on who read them, nor on the file that they are in. */
typedef struct block_mark {
  uint64_t index, n, d, size, positives,
      rows; /* size: bytes of a number; rows: checksum() of all */
  uint64_t users, counts; /* 0 without; counts: checksum() of what each has in both classes */
} block_mark;
void digest_block(uint8_t digest[DIGEST_SIZE], const block_mark *mark);
/* The digests of two sets of blocks to that of both. */
void digest_add(uint8_t to[DIGEST_SIZE], const uint8_t from[DIGEST_SIZE]);

#endif /* CHECKSUM_H */
