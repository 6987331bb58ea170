/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64 /* also where a long has 32 */
#include "support/chunks.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A text is read by so much at a time; a line has at most MOST_LINE bytes. */
enum { TEXT_ROOM = 1 << 20, MOST_LINE = 1 << 26, BLOCKS_AHEAD = 8, BLOCK_HEAD = 64 };

static int say(const chunks *c, char error[ERROR_SIZE], const char *what) {
  const cursor place = cursor_at("", 0, c->path != NULL ? c->path : "records", error);
  return fail(&place, NULL, "%s", what);
}

/* --- the file --------------------------------------------------------------------------------- */

static int file_open(chunks *c, const char *path, char error[ERROR_SIZE]) {
  struct stat who;
  memset(c, 0, sizeof *c);
  c->fault = FAULT_FILE;
  c->path = malloc(strlen(path) + 1);
  c->fd = -1;
  if (c->path == NULL) return say(c, error, "out of memory");
  (void)strcpy(c->path, path);
  c->fd = open(path, O_RDONLY | O_NONBLOCK); /* a pipe must not block: it is refused */
  if (c->fd < 0 || fstat(c->fd, &who) != 0) return say(c, error, strerror(errno));
  if (!S_ISREG(who.st_mode))
    return say(c, error, "not a regular file: its records are read several times");
  c->size = who.st_size;
  c->changed[0] = who.st_mtim.tv_sec;
  c->changed[1] = who.st_mtim.tv_nsec;
  return 1;
}

static int file_same(const chunks *c, char error[ERROR_SIZE]) {
  struct stat who;
  if (c->source == CHUNKS_MEMORY) return 1;
  if (fstat(c->fd, &who) != 0) return say(c, error, strerror(errno));
  return (who.st_size == c->size && who.st_mtim.tv_sec == c->changed[0] &&
          who.st_mtim.tv_nsec == c->changed[1]) ||
         say(c, error, "the file has been changed since it was opened");
}

int chunks_binary(const char *path) {
  const int fd = open(path, O_RDONLY | O_NONBLOCK);
  int begins, why;
  if (fd < 0) return -1;
  begins = binary_begins(fd);
  why = errno;
  (void)close(fd);
  errno = why;
  return begins;
}

/* --- a text ----------------------------------------------------------------------------------- */

/* Behind the last line feed of text[from..used - 1]; NULL without one. */
static const char *lines_end(const chunks *c, size_t from) {
  size_t k = c->text_used;
  while (k > from && c->text[k - 1] != '\n') k--;
  return k > from ? c->text + k : NULL;
}

static int text_grow(chunks *c, char error[ERROR_SIZE]) {
  const size_t room = c->text_room > 0      ? 2 * c->text_room
                      : c->size < TEXT_ROOM ? (size_t)c->size + 1 /* one read sees the end */
                                            : TEXT_ROOM;
  char *grown;
  if (room > MOST_LINE) return say(c, error, "a line is longer than 64 MiB");
  grown = realloc(c->text, room);
  if (grown == NULL) return say(c, error, "out of memory");
  c->text = grown;
  c->text_room = room;
  return 1;
}

/* The next whole lines, at least one unless the file ends: then the cursor is at its end. */
static int text_more(chunks *c, char error[ERROR_SIZE]) {
  const char *end = NULL;
  size_t kept = 0;
  if (c->text != NULL) {
    kept = c->text_used - (size_t)(c->at.end - c->text);
    memmove(c->text, c->at.end, kept);
  }
  c->text_used = kept;
  while (end == NULL) {
    ssize_t got;
    if (c->text_used == c->text_room && !text_grow(c, error)) return 0;
    got = pread(c->fd, c->text + c->text_used, c->text_room - c->text_used, (off_t)c->offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return say(c, error, strerror(errno)); /* a directory opens, and fails here */
    kept = c->text_used;
    c->text_used += (size_t)got;
    c->offset += (uint64_t)got;
    c->bytes += (uint64_t)got;
    end = got > 0 ? lines_end(c, kept) : c->text + c->text_used;
  }
  c->at.at = c->at.line_start = c->text;
  c->at.end = end;
  return 1;
}

/* The columns of the text and how its records are read; the cursor moves to the first of them. */
static int text_head(chunks *c, dataset *columns, const layout *how, char error[ERROR_SIZE]) {
  memset(columns, 0, sizeof *columns);
  columns->fault = FAULT_FILE;
  if (!text_more(c, error)) return 0;
  c->at = cursor_at(c->text, (size_t)(c->at.end - c->text), c->path, error);
  columns->fault = FAULT_DECLARATION;
  if ((how->header == HEADER_GUESSED && how->columns == 0) || how->labels == NULL)
    return say(c, error,
               "its shape and its labels have to be declared: --header yes or no for "
               "CSV, --columns D for LIBSVM; --labels NEG,POS");
  if (!records_begin(&c->format, columns, &c->at, how)) return 0;
  c->begin = (uint64_t)(c->at.at - c->text);
  c->begin_line = c->at.line;
  return 1;
}

void row_plan_free(row_plan *plan) {
  data_free(&plan->columns);
  data_maps_free(plan->maps);
  memset(plan, 0, sizeof *plan);
}

int row_plan_begin(row_plan *plan, const char *path, const layout *how, char error[ERROR_SIZE]) {
  chunks c;
  int ok;
  memset(plan, 0, sizeof *plan);
  ok = file_open(&c, path, error);
  plan->columns.fault = FAULT_FILE;
  ok = ok && text_head(&c, &plan->columns, how, error);
  plan->how = *how;
  plan->raw = plan->columns.d;
  chunks_close(&c);
  return ok;
}

static int text_open(chunks *c, const row_plan *plan, char error[ERROR_SIZE]) {
  dataset columns;
  const size_t raw = plan->raw;
  size_t j;
  int same;
  c->source = CHUNKS_TEXT;
  c->plan = plan;
  c->columns = plan->columns;
  c->scale = plan->scale;
  c->f32 = plan->f32 != 0;
  c->grouped = plan->how.group != NULL;
  if (c->grouped) (void)snprintf(c->user, sizeof c->user, "%s", plan->how.group);
  c->fault = FAULT_DECLARATION;
  if (plan->scale == SCALE_ZSCORE)
    return say(c, error, "z-scores are those of all records: they do not go into chunks");
  if (!text_head(c, &columns, &plan->how, error)) {
    c->fault = columns.fault;
    return 0;
  }
  c->fault = FAULT_FILE;
  same = columns.d == raw;
  for (j = 0; j < raw && same && plan->maps == NULL; j++)
    same = strcmp(columns.features[j].name, plan->columns.features[j].name) == 0;
  data_free(&columns);
  if (!same) return say(c, error, "the file has been changed since its columns were read");
  c->raw = calloc(raw, sizeof *c->raw);
  c->derived = calloc(plan->columns.d, sizeof *c->derived);
  c->row = calloc(plan->columns.d, sizeof *c->row);
  if (c->raw == NULL || c->derived == NULL || c->row == NULL) return say(c, error, "out of memory");
  (void)posix_fadvise(c->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  return 1;
}

static void text_rewind(chunks *c) {
  c->offset = c->begin;
  c->text_used = 0;
  c->at.at = c->at.end = c->at.line_start = c->text;
  c->at.line = c->begin_line;
}

/* The next record's scaled row: 1, 0 behind the last one, -1 after an error; 2: the first one of a
 * user. */
static int text_row(chunks *c, double *y, char error[ERROR_SIZE]) {
  double *raw = c->raw;
  int taken;
  c->at.error = error;
  c->fault = FAULT_FILE;
  if (c->at.at == c->at.end && !text_more(c, error)) return -1;
  if (c->at.at == c->at.end) return 0;
  if (c->format.libsvm) memset(raw, 0, c->plan->raw * sizeof *raw);
  c->fault = FAULT_RECORD;
  taken = records_read(raw, y, c->grouped ? &c->whose : NULL, &c->at, &c->format);
  if (taken == 0) return -1;
  if (c->plan->maps != NULL) data_maps_row(c->derived, c->plan->maps, raw), raw = c->derived;
  data_scale_row(c->row, raw, &c->columns, c->scale);
  return taken;
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* The same of record i in memory. */
static int memory_row(const double **row, const chunks *c, double *y, uint64_t i) {
  const records *all = c->records;
  const size_t k = i < all->n && c->order != NULL ? c->order[i] : (size_t)i;
  if (i >= all->n) return 0;
  *row = all->x + k * c->d;
  *y = all->y[k];
  return c->order != NULL && (i == 0 || all->group[k] != all->group[c->order[i - 1]]) ? 2 : 1;
}

/* A row into place `slot` of rows. */
static void row_put(const chunks *c, void *rows, size_t slot, const double *row) {
  double *f64 = (double *)rows + slot * c->d;
  float *f32 = (float *)rows + slot * c->d;
  size_t j;
  if (!c->f32) memcpy(f64, row, c->d * sizeof *row);
  for (j = 0; c->f32 && j < c->d; j++) f32[j] = (float)row[j];
}

/* What is said of a block that was put together from records. */
static int block_made(const chunks *c, chunk *out, block_mark *mark, uint64_t index) {
  const size_t size = c->f32 ? sizeof(float) : sizeof(double);
  const char *rows = (const char *)c->room + BLOCK_HEAD;
  out->f64 = c->f32 ? NULL : (const double *)(const void *)rows;
  out->f32 = c->f32 ? (const float *)(const void *)rows : NULL;
  out->index = mark->index = index;
  mark->n = out->n;
  mark->d = c->d;
  mark->size = size;
  mark->positives = out->positives;
  mark->rows = checksum(rows, out->n * c->d * size);
  mark->users = out->users;
  mark->counts = out->users > 0 ? checksum(out->counts, out->users * 8) : 0;
  return out->n > 0;
}

/* A block of records that are read one by one: 1, or -1 after an error; without any 0. */
static int block_gather(chunks *c, chunk *out, block_mark *mark, uint64_t index,
                        char error[ERROR_SIZE]) {
  const size_t size = c->f32 ? sizeof(float) : sizeof(double), row = c->d * size;
  char *rows = (char *)c->room + BLOCK_HEAD;
  size_t positives = 0, negatives = 0;
  while (positives + negatives < c->rows) {
    const double *x = c->row;
    double y;
    const int got = c->source == CHUNKS_TEXT
                        ? text_row(c, &y, error)
                        : memory_row(&x, c, &y, index * c->rows + positives + negatives);
    if (got < 0) return -1;
    if (got == 0) break;
    row_put(c, rows, y > 0 ? positives++ : c->rows - ++negatives, x);
  }
  memmove(rows + positives * row, rows + (c->rows - negatives) * row, negatives * row);
  out->n = positives + negatives;
  out->positives = positives;
  return block_made(c, out, mark, index);
}

/* --- blocks of users ------------------------------------------------------------------------ */

/* Room for one more row that is held. */
static int held_grow(chunks *c, char error[ERROR_SIZE]) {
  const size_t row = c->d * (c->f32 ? sizeof(float) : sizeof(double));
  const size_t room = c->held_room > 0 ? 2 * c->held_room : c->rows + 1;
  char *rows;
  uint8_t *marks;
  if (room > UINT32_MAX || room > SIZE_MAX / 2 / row) return say(c, error, "out of memory");
  rows = realloc(c->rows_held, room * row);
  if (rows != NULL) c->rows_held = rows;
  marks = realloc(c->marks, room);
  if (marks != NULL) c->marks = marks;
  if (rows == NULL || marks == NULL) return say(c, error, "out of memory");
  c->held_room = room;
  return 1;
}

/* Reads until a user begins that does not fit any more, or the records end: 1, -1 after an error.
 * *whole: the rows of the users before, those of one at least unless there are no more. */
static int persons_read(chunks *c, size_t *whole, char error[ERROR_SIZE]) {
  size_t begin = 0; /* where the last user begins: the first is held from the block before */
  while (!c->ended && (c->held <= c->rows || begin == 0)) {
    const double *x = c->row;
    double y;
    const int got =
        c->source == CHUNKS_TEXT ? text_row(c, &y, error) : memory_row(&x, c, &y, c->taken++);
    if (got < 0) return -1;
    c->ended = got == 0;
    if (c->ended) break;
    if (c->held == c->held_room && !held_grow(c, error)) return -1;
    if (got == 2) begin = c->held;
    c->marks[c->held] = (uint8_t)((y > 0) + (got == 2 ? 2 : 0));
    row_put(c, c->rows_held, c->held++, x);
  }
  *whole = c->ended ? c->held : begin;
  return 1;
}

/* Room for a block of so many rows and users. */
static int persons_room(chunks *c, size_t rows, size_t users, char error[ERROR_SIZE]) {
  if (rows > c->room_rows) {
    free(c->room);
    c->room_rows = 0;
    if (posix_memalign(&c->room, 64, (size_t)block_bytes(rows, c->d, c->f32)) != 0) {
      c->room = NULL;
      return say(c, error, "out of memory");
    }
    c->room_rows = rows;
  }
  if (users > c->count_room || c->counts == NULL) {
    free(c->counts);
    c->counts = malloc((users + 1) * 2 * sizeof *c->counts);
    c->count_room = c->counts != NULL ? users : 0;
    if (c->counts == NULL) return say(c, error, "out of memory");
  }
  return 1;
}

/* The same as block_gather of whole users, in the order of the file in both classes. */
static int persons_gather(chunks *c, chunk *out, block_mark *mark, uint64_t index,
                          char error[ERROR_SIZE]) {
  const size_t row = c->d * (c->f32 ? sizeof(float) : sizeof(double));
  size_t whole, i, at[2] = {0, 0};
  char *rows;
  if (persons_read(c, &whole, error) < 0) return -1;
  for (i = 0; i < whole; i++) {
    out->positives += c->marks[i] & 1u;
    out->users += c->marks[i] >> 1;
  }
  if (!persons_room(c, whole, out->users, error)) return -1;
  rows = (char *)c->room + BLOCK_HEAD;
  memset(c->counts, 0, (out->users + 1) * 2 * sizeof *c->counts);
  at[1] = out->positives;
  out->n = whole;
  out->users = 0;
  for (i = 0; i < whole; i++) {
    const size_t side = (c->marks[i] & 1u) != 0 ? 0 : 1;
    out->users += c->marks[i] >> 1;
    c->counts[2 * (out->users - 1) + side]++;
    memcpy(rows + at[side]++ * row, c->rows_held + i * row, row);
  }
  out->counts = c->counts;
  c->held -= whole;
  if (c->held > 0) {
    memmove(c->rows_held, c->rows_held + whole * row, c->held * row);
    memmove(c->marks, c->marks + whole, c->held);
  }
  return block_made(c, out, mark, index);
}

/* Is it known before the first pass how many blocks there are? */
static int counted(const chunks *c) {
  return c->source == CHUNKS_BINARY || (c->source == CHUNKS_MEMORY && !c->grouped);
}

/* Where block number k of this pass stands in the file. */
static uint64_t block_place(const chunks *c, uint64_t k) {
  return c->source == CHUNKS_BINARY && c->pass % 2 == 1 ? c->first + (c->blocks - 1 - k)
                                                        : c->first + k;
}

/* Asks for blocks [from, to) of this pass before they are needed. */
static void read_ahead(const chunks *c, uint64_t from, uint64_t to) {
  if (c->source != CHUNKS_BINARY) return;
  for (; from < to && from < c->blocks; from++)
    (void)posix_fadvise(c->fd, (off_t)binary_place(&c->head, block_place(c, from)),
                        (off_t)c->head.largest, POSIX_FADV_WILLNEED);
}

/* The next block of this pass, as chunks_next returns it. */
static int block_next(chunks *c, chunk *out, char error[ERROR_SIZE]) {
  const uint64_t index = !counted(c) || c->next < c->blocks ? block_place(c, c->next) : 0;
  block_mark mark;
  int got = 1;
  memset(out, 0, sizeof *out);
  if (counted(c) && c->next == c->blocks) return 0;
  if (c->source == CHUNKS_BINARY) {
    c->fault = FAULT_FILE;
    read_ahead(c, c->next > 0 ? c->next + BLOCKS_AHEAD : 1, c->next + BLOCKS_AHEAD + 1);
    if (!binary_read(out, &mark, c->room, &c->head, c->fd, index, c->checked ? NULL : c->most,
                     c->path, error))
      got = -1;
    else
      c->bytes += block_bytes(out->n, c->d, c->f32) + counts_bytes(out->users);
  } else {
    got = (c->grouped ? persons_gather : block_gather)(c, out, &mark, index, error);
  }
  if (got <= 0) return got;
  if (!c->checked && out->n > c->largest) c->largest = out->n;
  digest_block(c->seen, &mark);
  c->seen_n += out->n;
  c->seen_positives += out->positives;
  c->seen_persons += out->users;
  c->next++;
  return 1;
}

static void begin_pass(chunks *c) {
  memset(c->seen, 0, sizeof c->seen);
  c->seen_n = c->seen_positives = c->seen_persons = 0;
  c->next = 0;
  c->held = c->taken = 0;
  c->ended = c->whose.known = 0;
  if (c->source == CHUNKS_TEXT) text_rewind(c);
}

/* --- what callers use ------------------------------------------------------------------------- */

/* What the absolute value of a scaled number does not exceed, whatever rounded it. */
static int bounds_make(chunks *c, char error[ERROR_SIZE]) {
  size_t j;
  c->most = malloc(c->d * sizeof *c->most);
  if (c->most == NULL) return say(c, error, "out of memory");
  for (j = 0; j < c->d; j++) {
    const feature *f = &c->columns.features[j];
    c->most[j] = (c->scale == SCALE_MAPS ? fmax(fabs(f->low), fabs(f->high)) : 1) * (1 + 1e-6);
  }
  return 1;
}

/* What follows from the columns: the sizes of blocks and the room for one. */
static int sizes_make(chunks *c, char error[ERROR_SIZE]) {
  c->d = c->columns.d;
  c->rows = block_rows(c->d, c->f32);
  c->room_rows = c->rows;
  if (posix_memalign(&c->room, 64,
                     (size_t)(c->source == CHUNKS_BINARY ? c->head.largest
                                                         : block_bytes(c->rows, c->d, c->f32))) !=
      0) {
    c->room = NULL;
    return say(c, error, "out of memory");
  }
  return 1;
}

int chunks_open(chunks *c, const char *path, const row_plan *plan, char error[ERROR_SIZE]) {
  data_fault fault;
  int ok = file_open(c, path, error);
  if (ok && plan != NULL) ok = text_open(c, plan, error);
  if (ok && plan == NULL) {
    c->source = CHUNKS_BINARY;
    ok = binary_open(&c->head, c->fd, path, error);
    c->columns = c->head.columns;
    c->scale = c->head.scale;
    c->f32 = c->head.f32;
    c->n = c->total = c->head.n;
    c->blocks = c->head.blocks;
    c->grouped = c->head.users > 0;
    memcpy(c->user, c->head.user, sizeof c->user);
  }
  ok = ok && sizes_make(c, error) && (plan != NULL || bounds_make(c, error));
  if (ok) return 1;
  fault = c->fault;
  chunks_close(c);
  c->fault = fault;
  return 0;
}

/* The records of memory by users, those of each in their order. */
static int order_make(chunks *c, char error[ERROR_SIZE]) {
  const records *all = c->records;
  size_t i, *place = calloc(all->groups + 1, sizeof *place);
  c->order = malloc((all->n + 1) * sizeof *c->order);
  if (place == NULL || c->order == NULL) {
    free(place);
    return say(c, error, "out of memory");
  }
  for (i = 0; i < all->n; i++) place[all->group[i] + 1]++;
  for (i = 1; i <= all->groups; i++) place[i] += place[i - 1];
  for (i = 0; i < all->n; i++) c->order[place[all->group[i]]++] = i;
  free(place);
  return 1;
}

int chunks_open_records(chunks *c, const records *rows, const dataset *columns, scale_kind scale,
                        int f32, char error[ERROR_SIZE]) {
  memset(c, 0, sizeof *c);
  c->fd = -1;
  c->source = CHUNKS_MEMORY;
  c->records = rows;
  c->columns = *columns;
  c->scale = scale;
  c->f32 = f32 != 0;
  c->n = c->total = rows->n;
  c->grouped = rows->group != NULL;
  if (!sizes_make(c, error) || (c->grouped && !order_make(c, error))) {
    chunks_close(c);
    return 0;
  }
  c->blocks = c->n / c->rows + (c->n % c->rows > 0);
  return 1;
}

int chunks_part(chunks *c, uint64_t first, uint64_t blocks, char error[ERROR_SIZE]) {
  const uint64_t all = c->grouped ? c->head.blocks : c->total / c->rows + (c->total % c->rows > 0);
  if (!counted(c))
    return say(c, error, "a text is read as a whole: convert it to have parts of it");
  if (first > all || blocks > all - first) return say(c, error, "it does not have so many blocks");
  c->first = first;
  c->blocks = blocks;
  c->n = blocks > 0 && first + blocks == all ? c->total - first * c->rows : blocks * c->rows;
  if (c->grouped) c->n = 0; /* counted by chunks_check */
  c->largest = 0;
  c->checked = 0;
  c->pass = 0;
  return 1;
}

/* Behind the last block of the first pass. */
static int checked(chunks *c, char error[ERROR_SIZE]) {
  c->fault = FAULT_FILE;
  if (!file_same(c, error)) return 0;
  if (c->source == CHUNKS_TEXT && c->seen_n < MIN_RECORDS)
    return say(c, error, "too few records: at least 4 are needed");
  if (c->source == CHUNKS_BINARY && c->blocks == c->head.blocks &&
      memcmp(c->seen, c->head.digest, DIGEST_SIZE) != 0)
    return say(c, error, "the digest of all blocks is wrong: the file is damaged");
  if (c->source == CHUNKS_BINARY && c->grouped && c->blocks == c->head.blocks &&
      (c->seen_n != c->head.n || c->seen_persons != c->head.users))
    return say(c, error, "the header counts other records or persons than there are");
  if (!counted(c)) {
    c->total = c->seen_n;
    c->blocks = c->next;
  }
  c->n = c->seen_n;
  c->users = c->seen_persons;
  c->all_persons = c->source == CHUNKS_BINARY ? c->head.users : c->users;
  memcpy(c->digest, c->seen, DIGEST_SIZE);
  c->positives = c->seen_positives;
  return 1;
}

int chunks_read(chunks *c, chunk *out, char error[ERROR_SIZE]) {
  const int got = block_next(c, out, error);
  return got == 0 && !checked(c, error) ? -1 : got;
}

int chunks_check(chunks *c, char error[ERROR_SIZE]) {
  chunk any;
  int got;
  c->checked = 0;
  c->pass = 0;
  begin_pass(c);
  while ((got = chunks_read(c, &any, error)) > 0)
    if (c->tick != NULL) c->tick(c->context);
  c->checked = got == 0;
  return c->checked && chunks_rewind(c, error);
}

int chunks_next(chunks *c, chunk *out, char error[ERROR_SIZE]) {
  int got;
  if (!c->checked) {
    memset(out, 0, sizeof *out);
    (void)say(c, error, "chunks_check comes first");
    return -1;
  }
  got = block_next(c, out, error);
  if (got != 0) return got;
  c->fault = FAULT_FILE;
  if (!file_same(c, error)) return -1;
  if (memcmp(c->seen, c->digest, DIGEST_SIZE) == 0) return 0;
  (void)say(c, error, "the records have been changed since they were read first");
  return -1;
}

int chunks_rewind(chunks *c, char error[ERROR_SIZE]) {
  c->fault = FAULT_FILE;
  if (!file_same(c, error)) return 0;
  c->pass++;
  begin_pass(c);
  return 1;
}

void chunks_close(chunks *c) {
  if (c->fd >= 0 && c->path != NULL) (void)close(c->fd);
  binary_close(&c->head);
  free(c->path);
  free(c->room);
  free(c->most);
  free(c->text);
  free(c->raw);
  free(c->derived);
  free(c->row);
  free(c->rows_held);
  free(c->marks);
  free(c->counts);
  free(c->order);
  free(c->whose.text);
  memset(c, 0, sizeof *c);
}
