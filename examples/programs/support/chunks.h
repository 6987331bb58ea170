/* SPDX-License-Identifier: MIT */
/*
 * chunks.h - the records of a file of any size, a block after the other, in constant memory.
 *
 * CSV, LIBSVM and the binary format (binary.h) give the same rows, to the bit, as the records of
 * data_load behind split_make: clamped, mapped and scaled by what is declared. Block k has the
 * records k r to (k + 1) r - 1 of the file, r = block_rows(): first the positives in their order,
 * then the negatives, the last one first.
 *
 * Where records have owners (users), a block has whole ones, as many as have r records together,
 * one at least; their negatives stand in the order of the file, too. A user's records stand
 * together in the file, users ascend: a text that is in another order is refused, and nothing but
 * one block and one user's records is ever held.
 *
 *   chunks_open      what is public: the columns; no record is read
 *   chunks_part      only some of the blocks, of a binary file or of memory
 *   chunks_check     the first pass: every record is read and checked, n and the digest are known
 *   chunks_next      a block; 0 behind the last one
 *   chunks_rewind    another pass
 *
 * What has passed chunks_check cannot fail later, unless the file is changed meanwhile: then the
 * pass ends in an error, at its end at the latest, because its digest is another. Nothing of such a
 * pass may be released. Functions return 0 (chunks_next: -1) and leave a sentence in `error`, which
 * may quote a record where c->fault is FAULT_RECORD: it is for whoever holds the data.
 */
#ifndef CHUNKS_H
#define CHUNKS_H

#include "support/binary.h"
#include "support/text.h"

/* How the records of a text become rows; all of it is public and declared. */
typedef struct row_plan {
  layout how;      /* shape and labels; its texts belong to the caller, and stay         */
  dataset columns; /* n = 0: as rows have them, ranges or maps attached, and the labels  */
  derived *maps;   /* NULL: the text's columns as they are                               */
  size_t raw;      /* columns of the text                                                */
  scale_kind scale;
  int f32; /* rows of float: the doubles, rounded                                */
} row_plan;
void row_plan_free(row_plan *plan);
/* The columns of a text with what is declared of its shape and labels: plan->columns and raw;
 * ranges or maps are for the caller to attach. 0: plan->columns.fault says what kind of error it
 * is. */
int row_plan_begin(row_plan *plan, const char *path, const layout *how, char error[ERROR_SIZE]);

/* Does a binary file stand behind this name? -1: errno. */
int chunks_binary(const char *path);

enum chunk_source { CHUNKS_CLOSED, CHUNKS_TEXT, CHUNKS_BINARY, CHUNKS_MEMORY };

/* Zeroed: closed. What is public comes first; a caller reads the rest as it likes, and changes
 * nothing. */
typedef struct chunks {
  dataset columns; /* n = 0: names, ranges or maps, labels */
  scale_kind scale;
  int f32;
  size_t d, rows;                /* numbers of a row, records of a block */
  uint64_t n, blocks;            /* of the part; of a text known once it is checked */
  uint64_t total;                /* records of the whole file; the same */
  uint64_t positives;            /* of the part, once it is checked. Private */
  int grouped;                   /* 1: records have owners, and n is as private as they are */
  char user[NAME_SIZE];        /* the column that says whose a record is */
  uint64_t users, all_persons; /* of the part and of the file, once they are checked */
  size_t largest;                /* records of the part's largest block, once it is checked */
  uint64_t bytes;                /* that were read from the file so far, in all passes */
  uint8_t digest[DIGEST_SIZE];   /* of the part's rows, once they are checked (checksum.h); those of
                                  * parts add up to that of the whole. It does not depend on the
                                  * format, on ranks, nor on which pass it was */
  data_fault fault;
  void (*tick)(void *context); /* a caller's, after each block of chunks_check; or NULL */
  void *context;

  enum chunk_source source;
  int fd, checked;
  char *path;
  uint64_t first, next, pass; /* the part's first block, blocks of this pass so far, passes */
  uint8_t seen[DIGEST_SIZE];  /* of this pass */
  uint64_t seen_n, seen_positives, seen_persons; /* of this pass */
  int64_t size, changed[2];                      /* of the file, when it was opened */
  void *room;                                    /* a block with its head */
  size_t room_rows, held, held_room, count_room; /* rows of room; of users: rows in `rows_held` */
  char *rows_held; /* in the order of the file, the block that is put together */
  uint8_t *marks;  /* of each: 1 a positive, 2 the first of a user */
  uint32_t *counts;
  size_t *order, taken; /* of memory: by users */
  last_owner whose;
  int ended;
  binary_head head;
  double *most;           /* what scaled numbers do not exceed, by column */
  const records *records; /* of memory */
  const row_plan *plan;   /* of a text */
  record_format format;
  cursor at;
  char *text; /* whole lines from `at` on */
  size_t text_room, text_used;
  uint64_t offset, begin; /* where the file is read next; its first record, and the line of that */
  size_t begin_line;
  double *raw, *derived, *row;
} chunks;

/* plan: of a text; it stays the caller's and is used until chunks_close. NULL for a binary file,
 * which says all of it by itself. Z-scores are refused. */
int chunks_open(chunks *c, const char *path, const row_plan *plan, char error[ERROR_SIZE]);
/* The same blocks of rows in memory; they and the columns stay the caller's. */
int chunks_open_records(chunks *c, const records *rows, const dataset *columns, scale_kind scale,
                        int f32, char error[ERROR_SIZE]);
/* From now on only `blocks` blocks from `first` on, as many as there are; none is allowed. */
int chunks_part(chunks *c, uint64_t first, uint64_t blocks, char error[ERROR_SIZE]);
int chunks_check(chunks *c, char error[ERROR_SIZE]);
/* For a single pass without a check before it: a block of the first pass, each record checked; as
 * chunks_next. Other passes begin with chunks_check. */
int chunks_read(chunks *c, chunk *out, char error[ERROR_SIZE]);
/* 1 and a block, which stays until the next call; 0 behind the last one, when the pass was one over
 * the same records as the first; -1 and a sentence. Binary blocks come in falling order in every
 * second pass: what a cache still holds of a file larger than it is read before it is lost. */
int chunks_next(chunks *c, chunk *out, char error[ERROR_SIZE]);
int chunks_rewind(chunks *c, char error[ERROR_SIZE]);
void chunks_close(chunks *c);

#endif /* CHUNKS_H */
