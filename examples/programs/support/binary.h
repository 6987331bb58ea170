/* SPDX-License-Identifier: MIT */
/*
 * binary.h - labelled records in a file of blocks, which are read as they stand.
 *
 * Version 1. All numbers are in the byte order of the machine that writes; another one refuses.
 *
 *   offset  bytes
 *   0       8      89 44 50 42 0d 0a 1a 0a
 *   8       4      0x01020304, the byte order
 *   12      4      the version, 1
 *   16      4      bytes of a number: 4 (float) or 8 (double)
 *   20      4      scaling: 0 declared ranges, 1 row norm, 3 declared maps
 *   24      8      H, where the first block begins: a multiple of 64
 *   32      8      n, records
 *   40      8      d, columns
 *   48      8      records of a block: block_rows()
 *   56      8      T, bytes of the declarations
 *   64      32     the digest of all blocks (checksum.h)
 *   96      8      the checksum of the bytes 0 to H - 1 with 0 in this place
 *   104     8      P, users; 0: records have no owners, and the next 16 bytes are 0
 *   112     8      blocks
 *   120     8      the checksum of the table of blocks
 *   128     T      declarations: see binary.c; then 0 up to H
 *
 * Each block begins at a multiple of 64; every one but the last has the same size.
 *
 *   0       8      its number, from 0 on
 *   8       8      its records
 *   16      8      how many of them are positives: they stand first
 *   24      8      the checksum of its rows
 *   32      8      its users
 *   40      8      the checksum of their counts
 *   48      8      0
 *   56      8      the checksum of the bytes 0 to 55
 *   64             the rows, scaled as a method sees them, one behind the other; then 0 up to a
 *                  multiple of 64; with users their counts: of each the positives, the
 *                  negatives, 4 bytes each, in the order in which their rows stand; then 0
 *
 * With users a block holds whole ones: as many as have block_rows() records together, and one at
 * least, however many records it has. So blocks differ in size, and a table behind the last one
 * says where each begins, and where the last one ends: 8 bytes each.
 *
 * A row of a method is what the file holds, so nothing is computed, or rounded again, when it is
 * read. The file is as secret as the records: its mode is 0600.
 */
#ifndef BINARY_H
#define BINARY_H

#include "support/checksum.h"
#include "support/data.h"

/* A block of rows: n of d numbers, ld = d, positives first. One of f64 and f32 is NULL; the other
 * is a multiple of 64. The number of positives is as private as the rows. */
typedef struct chunk {
  const double *f64;
  const float *f32;
  size_t n, positives;
  uint64_t index; /* its number in the file */
  size_t users; /* whose records are all in this block; 0 without */
  const uint32_t *counts; /* of each user the positives, the negatives; as private as the rows */
} chunk;

/* How many records a block has: the largest power of two up to 4096 with which its rows take 1 MiB
 * at most. So much stays in a processor's cache while it is checked and used. */
size_t block_rows(size_t d, int f32);
/* Bytes of a block of n rows, its head and zeros at its end included, and of the counts of users
 * behind it. */
uint64_t block_bytes(size_t n, size_t d, int f32);
uint64_t counts_bytes(size_t users);

/* What a file says before its blocks. */
typedef struct binary_head {
  dataset columns; /* n = 0: names, declared ranges or maps, labels */
  scale_kind scale;
  int f32;
  size_t d, rows;
  uint64_t n, blocks, start, stride; /* block k begins at start + k stride */
  uint64_t users, *table;          /* with users it begins at table[k]; NULL without */
  char user[NAME_SIZE];            /* the column that said whose a record is */
  uint64_t largest;                  /* bytes of the largest block */
  uint8_t digest[DIGEST_SIZE];
} binary_head;

/* Does the file behind fd begin like one of these? -1: errno. */
int binary_begins(int fd);
/* Reads and checks the head, and that the file is as long as it says. 0 with a sentence; then there
 * is nothing to free. */
int binary_open(binary_head *head, int fd, const char *path, char error[ERROR_SIZE]);
/* Where block `index` begins. */
uint64_t binary_place(const binary_head *head, uint64_t index);
/* Block `index` into room, head->largest bytes at a multiple of 64: its checksums are right, and
 * so are its numbers: `most`, one for each column or NULL, bounds their absolute values. */
int binary_read(chunk *out, block_mark *mark, void *room, const binary_head *head, int fd,
                uint64_t index, const double *most, const char *path, char error[ERROR_SIZE]);
void binary_close(binary_head *head);

/* Writing: under a name of its own, which becomes path at the end; what exists is not replaced. */
typedef struct binary_writer binary_writer;
int binary_create(binary_writer **out, const char *path, const dataset *columns, scale_kind scale,
                  int f32, const char *user, char error[ERROR_SIZE]); /* user: NULL without */
/* Blocks in their order, of block_rows() records but the last; or of whole users. */
int binary_block(binary_writer *w, const chunk *block, char error[ERROR_SIZE]);
/* The head, everything on the disk, the name. Frees w in any case. */
int binary_finish(binary_writer *w, char error[ERROR_SIZE]);
/* Nothing stays. */
void binary_drop(binary_writer *w);

#endif /* BINARY_H */
