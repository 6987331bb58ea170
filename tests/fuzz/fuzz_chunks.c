/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the readers of records in chunks. A text gives the rows of data_parse, or a sentence where
 * that has one too; its binary file gives them again. What follows a form feed are changes to this
 * file, three bytes each (where, where, what), after which all checksums are made right: then it is
 * refused with a sentence, or each of its numbers is finite.
 *
 * sources: examples/programs/support/binary.c examples/programs/support/checksum.c
 * sources: examples/programs/support/chunks.c examples/programs/support/data.c
 * sources: examples/programs/support/draft.c examples/programs/support/maps.c
 * sources: examples/programs/support/sha256.c examples/programs/support/text.c
 * brief: 200
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/chunks.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static char error[ERROR_SIZE], text_path[64], binary_path[64];

static void require(int truth, const char *what) {
  if (!truth) {
    fprintf(stderr, "broken: %s (%s)\n", what, error);
    abort();
  }
}

static void put(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  require(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0, "a file");
}

/* The blocks are the rows of memory. */
static void compare(chunks *c, const records *all) {
  chunk b;
  int got;
  require(c->n == all->n, "another number of records");
  while ((got = chunks_next(c, &b, error)) > 0) {
    size_t front = 0, back = b.n;
    for (size_t i = 0; i < b.n; i++) {
      const size_t from = (size_t)b.index * c->rows + i, at = all->y[from] > 0 ? front++ : --back;
      require(memcmp(b.f64 + at * c->d, all->x + from * c->d, c->d * sizeof(double)) == 0, "a row");
    }
    require(front == b.positives && back == front, "positives");
  }
  require(got == 0, "a second pass");
}

/* 0: two columns have one name, say, which the file would not tell apart. */
static int write_binary(chunks *c) {
  binary_writer *w;
  chunk b;
  unlink(binary_path);
  if (!binary_create(&w, binary_path, &c->columns, c->scale, 0, NULL, error)) {
    require(strstr(error, "does not go into a binary file") != NULL, "no file");
    return 0;
  }
  require(chunks_rewind(c, error), "no third pass");
  while (chunks_next(c, &b, error) > 0) require(binary_block(w, &b, error), "no block");
  require(binary_finish(w, error), "no end");
  return 1;
}

/* The bytes of the binary file with changes, and with right checksums wherever they can be. */
static void forge(const uint8_t *change, size_t count) {
  size_t size, k;
  uint8_t *bytes = (uint8_t *)file_read(binary_path, &size, error), digest[DIGEST_SIZE] = {0};
  uint64_t start, n, d, number = 0, sum;
  require(bytes != NULL, "the file is gone");
  for (k = 0; k + 3 <= count; k += 3)
    bytes[((size_t)change[k] << 8 | change[k + 1]) % size] = change[k + 2];
  memcpy(&start, bytes + 24, 8);
  memcpy(&n, bytes + 32, 8);
  memcpy(&d, bytes + 40, 8);
  memcpy(&number, bytes + 16, 4);
  if (start >= 128 && start < size && n < size && d < size && n * d * number <= size - start - 64) {
    block_mark mark = {0, n, d, number, 0, checksum(bytes + start + 64, (size_t)(n * d * number)),
                       0, 0};
    memcpy(&mark.positives, bytes + start + 16, 8);
    memcpy(bytes + start + 24, &mark.rows, 8);
    sum = checksum(bytes + start, 56);
    memcpy(bytes + start + 56, &sum, 8);
    digest_block(digest, &mark);
    memcpy(bytes + 64, digest, DIGEST_SIZE);
    memset(bytes + 96, 0, 8);
    sum = checksum(bytes, (size_t)start);
    memcpy(bytes + 96, &sum, 8);
  }
  put(binary_path, bytes, size);
  free(bytes);
}

static void read_forged(void) {
  chunks c;
  chunk b;
  error[0] = '\0';
  if (!chunks_open(&c, binary_path, NULL, error)) {
    require(error[0] != '\0' && strlen(error) < ERROR_SIZE, "a failure without a sentence");
    return;
  }
  if (chunks_check(&c, error)) {
    while (chunks_next(&c, &b, error) > 0)
      for (size_t i = 0; i < b.n * c.d; i++)
        require(isfinite(b.f64 != NULL ? b.f64[i] : (double)b.f32[i]), "a number");
  } else {
    require(error[0] != '\0' && strlen(error) < ERROR_SIZE, "a failure without a sentence");
  }
  chunks_close(&c);
}

/* The text as chunks and in memory: both fail or none does. 1 if there is a binary file of it. */
static int read_text(const char *text, size_t length, const layout *how) {
  row_plan plan;
  dataset data;
  chunks c;
  int ok = data_parse(&data, text, length, text_path, how, error), same;
  memset(&c, 0, sizeof c);
  same = row_plan_begin(&plan, text_path, how, error);
  plan.scale = SCALE_ROW;
  same = same && chunks_open(&c, text_path, &plan, error) && chunks_check(&c, error);
  require(same == ok, "read in one way only");
  if (ok) {
    size_t *order = malloc(data.n * sizeof *order);
    split all;
    for (size_t i = 0; i < data.n; i++) order[i] = i;
    require(split_make(&all, &data, order, data.n, 0, SCALE_ROW), "memory");
    compare(&c, &all.train);
    ok = write_binary(&c);
    if (ok) {
      chunks_close(&c);
      require(chunks_open(&c, binary_path, NULL, error) && chunks_check(&c, error), "read back");
      compare(&c, &all.train);
    }
    split_free(&all);
    free(order);
  }
  chunks_close(&c);
  row_plan_free(&plan);
  data_free(&data);
  return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const layout shapes[] = {{NULL, "1,-1", HEADER_YES, 0, '\0', NULL, 0},
                                  {"2", "1,-1", HEADER_NO, 2, ',', NULL, 0},
                                  {NULL, "1,-1", HEADER_GUESSED, 3, '\0', NULL, 0}};
  const char *text = (const char *)bytes, *end = size > 0 ? memchr(text, '\f', size) : NULL;
  const size_t head = end != NULL ? (size_t)(end - text) : size;
  /* in memory, where there is such a place: a converted file waits for the disk */
  const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  snprintf(text_path, sizeof text_path, "%s/fuzz_chunks_%ld.text", folder, (long)getpid());
  snprintf(binary_path, sizeof binary_path, "%s/fuzz_chunks_%ld.dpb", folder, (long)getpid());
  put(text_path, text, head);
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
    if (read_text(text, head, &shapes[k]) && end != NULL) {
      forge((const uint8_t *)end + 1, size - head - 1);
      read_forged();
    }
  unlink(text_path);
  unlink(binary_path);
  return 0;
}
