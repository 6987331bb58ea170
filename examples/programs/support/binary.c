/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64 /* also where a long has 32 */
#include "support/binary.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/draft.h"
#include "support/text.h"

enum { HEAD_SIZE = 128, BLOCK_HEAD = 64, VERSION = 1, BYTE_ORDER_MARK = 0x01020304 };
enum { AT_DIGEST = 64, AT_CHECKSUM = 96, AT_PERSONS = 104, AT_BLOCK_CHECKSUM = 56 };
static const uint8_t magic[8] = {0x89, 'D', 'P', 'B', '\r', '\n', 0x1a, '\n'};

size_t block_rows(size_t d, int f32) {
  const size_t row = d * (f32 ? sizeof(float) : sizeof(double));
  size_t rows = 4096;
  while (rows > 1 && rows * row > (size_t)1 << 20) rows /= 2;
  return rows;
}

static uint64_t padded(uint64_t size) { return (size + 63) / 64 * 64; }

uint64_t block_bytes(size_t n, size_t d, int f32) {
  return BLOCK_HEAD + padded((uint64_t)n * d * (f32 ? sizeof(float) : sizeof(double)));
}

uint64_t counts_bytes(size_t users) { return padded((uint64_t)users * 8); }

static uint64_t u64_at(const void *bytes, size_t offset) {
  uint64_t value;
  memcpy(&value, (const uint8_t *)bytes + offset, 8);
  return value;
}

static uint32_t u32_at(const void *bytes, size_t offset) {
  uint32_t value;
  memcpy(&value, (const uint8_t *)bytes + offset, 4);
  return value;
}

static void u64_put(void *bytes, size_t offset, uint64_t value) {
  memcpy((uint8_t *)bytes + offset, &value, 8);
}

static void u32_put(void *bytes, size_t offset, uint32_t value) {
  memcpy((uint8_t *)bytes + offset, &value, 4);
}

/* Is |x| <= most, which is a number? Not for NaN. By bits, which -ffast-math leaves as they are. */
static int at_most(double x, double most) {
  uint64_t a, b;
  memcpy(&a, &x, 8);
  memcpy(&b, &most, 8);
  return (a & UINT64_C(0x7fffffffffffffff)) <= b;
}

static int all_zero(const uint8_t *at, uint64_t size) {
  while (size > 0 && *at == 0) at++, size--;
  return size == 0;
}

/* Exactly size bytes; 0 where the file ends before them. -1: errno. */
static int read_at(int fd, void *to, uint64_t size, uint64_t offset) {
  uint8_t *at = to;
  while (size > 0) {
    const ssize_t got = pread(fd, at, (size_t)size, (off_t)offset);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got < 0 ? -1 : 0;
    at += got;
    size -= (uint64_t)got;
    offset += (uint64_t)got;
  }
  return 1;
}

static int read_need(const cursor *place, int fd, void *to, uint64_t size, uint64_t offset) {
  const int got = read_at(fd, to, size, offset);
  if (got < 0) return fail(place, NULL, "%s", strerror(errno));
  return got > 0 || fail(place, NULL, "the file ends before its %llu. byte: it is cut off",
                         (unsigned long long)(offset + size));
}

/* --- declarations ------------------------------------------------------------------------------
 * texts: their length in 4 bytes, then they; numbers: 8 bytes. The labels of -1 and +1, whether
 * there are ranges, whether they are centred, whether there are maps (4 bytes each); for each
 * column its name, low, high, kind, group + 1 (4 bytes each); with maps centre, scale, terms. Where
 * there are users, last the name of their column.
 */

/* The same walk writes (to != NULL), reads, or neither and only measures. */
typedef struct walk {
  uint8_t *to;
  const uint8_t *from;
  size_t at, size; /* size: of what is read */
  int bad;
} walk;

static void walk_bytes(walk *w, void *value, size_t size) {
  if (w->from != NULL && size > w->size - w->at) w->bad = 1;
  if (w->bad) return;
  if (w->from != NULL) memcpy(value, w->from + w->at, size);
  if (w->to != NULL) memcpy(w->to + w->at, value, size);
  w->at += size;
}

static void walk_int(walk *w, int *value) {
  uint32_t word = (uint32_t)*value;
  walk_bytes(w, &word, sizeof word);
  if (word > INT32_MAX) w->bad = 1;
  if (!w->bad) *value = (int)word;
}

static void walk_number(walk *w, double *value) {
  walk_bytes(w, value, sizeof *value);
  if (!at_most(*value, DBL_MAX)) w->bad = 1;
}

/* room: of the text with its zero */
static void walk_text(walk *w, char *text, size_t room) {
  uint32_t length = (uint32_t)strlen(text);
  walk_bytes(w, &length, sizeof length);
  if (length >= room) w->bad = 1;
  if (w->bad) return;
  if (w->from != NULL) memset(text, 0, room);
  walk_bytes(w, text, length);
  if (!w->bad && strlen(text) != length) w->bad = 1;
}

static void walk_column(walk *w, feature *f, declared_map *map, size_t d, int ranges) {
  int kind = (int)f->kind, group = f->group + 1;
  walk_text(w, f->name, sizeof f->name);
  walk_number(w, &f->low);
  walk_number(w, &f->high);
  walk_int(w, &kind);
  walk_int(w, &group);
  if (map != NULL) {
    walk_number(w, &map->centre);
    walk_number(w, &map->scale);
    walk_text(w, map->terms, sizeof map->terms);
    if (!(map->scale > 0)) w->bad = 1;
  }
  if (f->name[0] == '\0' || kind > KIND_GROUP || (kind == KIND_GROUP) != (group > 0) ||
      (size_t)group > d || (ranges && !(f->low < f->high && at_most(f->high - f->low, DBL_MAX))))
    w->bad = 1;
  if (w->bad || w->from == NULL) return;
  f->kind = (feature_kind)kind;
  f->group = group - 1;
}

/* data has room for d columns, and for maps. user: NULL without. */
static void walk_columns(walk *w, dataset *data, char *user) {
  int maps = data->maps != NULL, i;
  size_t j;
  for (i = 0; i < 2; i++) walk_text(w, data->label[i], NAME_SIZE);
  walk_int(w, &data->has_ranges);
  walk_int(w, &data->centred);
  walk_int(w, &maps);
  if (data->label[0][0] == '\0' || data->label[1][0] == '\0' ||
      strcmp(data->label[0], data->label[1]) == 0 || maps > 1 || data->has_ranges > 1 ||
      data->centred > maps || maps > data->has_ranges)
    w->bad = 1;
  if (w->from != NULL && !maps) {
    free(data->maps);
    data->maps = NULL;
  }
  for (j = 0; j < data->d && !w->bad; j++)
    walk_column(w, &data->features[j], data->maps != NULL ? &data->maps[j] : NULL, data->d,
                data->has_ranges);
  if (user != NULL) walk_text(w, user, NAME_SIZE);
  if (user != NULL && user[0] == '\0') w->bad = 1;
}

static int compare_names(const void *a, const void *b) {
  return strcmp((*(const feature *const *)a)->name, (*(const feature *const *)b)->name);
}

/* No two columns have one name. 0 also without memory. */
static int names_differ(const dataset *data) {
  const feature **sorted = malloc((data->d + 1) * sizeof *sorted);
  size_t j;
  int ok = 1;
  if (sorted == NULL) return -1;
  for (j = 0; j < data->d; j++) sorted[j] = &data->features[j];
  qsort(sorted, data->d, sizeof *sorted, compare_names);
  for (j = 1; j < data->d && ok; j++) ok = strcmp(sorted[j - 1]->name, sorted[j]->name) != 0;
  free(sorted);
  return ok;
}

/* The scaling is one that a row, and these declarations, have. */
static int scale_fits(const dataset *data, uint32_t scale) {
  return data->centred ? scale == SCALE_MAPS
                       : scale == SCALE_ROW || (scale == SCALE_RANGES && data->has_ranges);
}

/* --- reading ---------------------------------------------------------------------------------- */

int binary_begins(int fd) {
  uint8_t bytes[sizeof magic];
  const int got = read_at(fd, bytes, sizeof bytes, 0);
  if (got < 0 && errno != ESPIPE && errno != EISDIR) return -1;
  return got == 1 && memcmp(bytes, magic, sizeof magic) == 0;
}

/* Blocks of one size, the last one excepted, fill size bytes. */
static int head_even(binary_head *head, uint64_t size, const cursor *c) {
  const uint64_t rest = head->n % head->rows;
  head->largest = head->stride = block_bytes(head->rows, head->d, head->f32);
  head->blocks = head->n / head->rows;
  if (head->blocks > size / head->stride ||
      size - head->blocks * head->stride !=
          (rest > 0 ? block_bytes((size_t)rest, head->d, head->f32) : 0))
    return fail(c, NULL,
                "the file is not as long as its %llu records of %zu columns: it is cut "
                "off, or damaged",
                (unsigned long long)head->n, head->d);
  head->blocks += rest > 0;
  return 1;
}

/* The fixed part, and that the file's length is what it says. */
static int head_fixed(binary_head *head, const uint8_t *bytes, uint64_t size, const cursor *c) {
  const uint32_t version = u32_at(bytes, 12), number = u32_at(bytes, 16);
  const uint64_t d = u64_at(bytes, 40), text = u64_at(bytes, 56);
  if (memcmp(bytes, magic, sizeof magic) != 0)
    return fail(c, NULL, "not a binary file of records, or one that was copied as text");
  if (u32_at(bytes, 8) != BYTE_ORDER_MARK)
    return fail(c, NULL,
                "written on a machine with another byte order, or damaged: convert the "
                "records here");
  if (version != VERSION)
    return fail(c, NULL, "version %lu of the format, or damaged; this program reads version %d",
                (unsigned long)version, (int)VERSION);
  head->f32 = number == 4;
  head->start = u64_at(bytes, 24);
  head->n = u64_at(bytes, 32);
  if ((number != 4 && number != 8) || d == 0 || d > MAX_COLUMNS || head->n < MIN_RECORDS ||
      text > head->start || head->start != padded(HEAD_SIZE + text) || head->start > size ||
      u64_at(bytes, 48) != block_rows((size_t)d, head->f32))
    return fail(c, NULL, "the header is damaged");
  head->d = (size_t)d;
  head->rows = block_rows(head->d, head->f32);
  memcpy(head->digest, bytes + AT_DIGEST, DIGEST_SIZE);
  head->users = u64_at(bytes, AT_PERSONS);
  head->blocks = u64_at(bytes, AT_PERSONS + 8);
  size -= head->start;
  if (head->users == 0) return head_even(head, size, c);
  if (head->users > head->n || head->blocks > head->users || head->blocks == 0 ||
      head->blocks > size / (2 * BLOCK_HEAD))
    return fail(c, NULL, "the file is not as long as its %llu records: it is cut off, or damaged",
                (unsigned long long)head->n);
  return 1;
}

/* The table of blocks with users, at the end of a file of `size` bytes. */
static int head_table(binary_head *head, const uint8_t *bytes, int fd, uint64_t size,
                      const cursor *c) {
  const uint64_t used = (head->blocks + 1) * 8, end = size - used;
  uint64_t k;
  int ok;
  if (used > SIZE_MAX || (head->table = malloc((size_t)used)) == NULL)
    return fail(c, NULL, "out of memory");
  if (!read_need(c, fd, head->table, used, end)) return 0;
  ok = checksum(head->table, (size_t)used) == u64_at(bytes, AT_PERSONS + 16) &&
       head->table[0] == head->start && head->table[head->blocks] == end;
  for (k = 0; k < head->blocks && ok; k++) {
    const uint64_t from = head->table[k], to = head->table[k + 1];
    ok = from < to && to - from >= 2 * BLOCK_HEAD && to % 64 == 0;
    if (ok && to - from > head->largest) head->largest = to - from;
  }
  if (ok && head->largest > SIZE_MAX / 2) return fail(c, NULL, "out of memory");
  return ok || fail(c, NULL, "the table of blocks is damaged, or the file is cut off");
}

static int head_columns(binary_head *head, const uint8_t *bytes, const cursor *c) {
  const uint64_t text = u64_at(bytes, 56);
  dataset *data = &head->columns;
  walk w = {NULL, bytes + HEAD_SIZE, 0, (size_t)text, 0};
  data->d = head->d;
  data->features = calloc(head->d, sizeof *data->features);
  data->maps = calloc(head->d, sizeof *data->maps);
  if (data->features == NULL || data->maps == NULL) return fail(c, NULL, "out of memory");
  walk_columns(&w, data, head->users > 0 ? head->user : NULL);
  if (names_differ(data) < 0) return fail(c, NULL, "out of memory");
  if (w.bad || w.at != w.size || !names_differ(data) || !scale_fits(data, u32_at(bytes, 20)) ||
      (head->users == 0 && !all_zero(bytes + AT_PERSONS, HEAD_SIZE - AT_PERSONS)) ||
      !all_zero(bytes + HEAD_SIZE + text, head->start - HEAD_SIZE - text))
    return fail(c, NULL, "the declarations in the header contradict each other");
  head->scale = (scale_kind)u32_at(bytes, 20);
  data->shape_declared = data->labels_declared = 1;
  data->found.columns = data->d;
  return 1;
}

int binary_open(binary_head *head, int fd, const char *path, char error[ERROR_SIZE]) {
  const cursor c = cursor_at("", 0, path, error);
  uint8_t fixed[HEAD_SIZE], *all = NULL;
  uint64_t kept;
  struct stat who;
  int ok;
  memset(head, 0, sizeof *head);
  if (fstat(fd, &who) != 0) return fail(&c, NULL, "%s", strerror(errno));
  if (!S_ISREG(who.st_mode)) return fail(&c, NULL, "not a regular file");
  if (!read_need(&c, fd, fixed, sizeof fixed, 0) ||
      !head_fixed(head, fixed, (uint64_t)who.st_size, &c))
    return 0;
  all = malloc((size_t)head->start);
  ok = all != NULL || fail(&c, NULL, "out of memory");
  ok = ok && read_need(&c, fd, all, head->start, 0);
  if (ok) {
    kept = u64_at(all, AT_CHECKSUM);
    u64_put(all, AT_CHECKSUM, 0);
    ok = memcmp(all, fixed, AT_CHECKSUM) == 0 && checksum(all, (size_t)head->start) == kept;
    if (!ok) (void)fail(&c, NULL, "the header's checksum is wrong: the file is damaged");
  }
  ok = ok && head_columns(head, all, &c);
  if (ok && head->users > 0) ok = head_table(head, all, fd, (uint64_t)who.st_size, &c);
  free(all);
  if (!ok) binary_close(head);
  return ok;
}

void binary_close(binary_head *head) {
  data_free(&head->columns);
  free(head->table);
  memset(head, 0, sizeof *head);
}

uint64_t binary_place(const binary_head *head, uint64_t index) {
  return head->users > 0 ? head->table[index] : head->start + index * head->stride;
}

/* Is every number of column j at most most[j] in absolute value? */
static int numbers_within(const chunk *rows, size_t d, const double *most) {
  size_t i, j;
  int bad = 0;
  for (i = 0; i < rows->n && rows->f64 != NULL; i++)
    for (j = 0; j < d; j++) bad |= !at_most(rows->f64[i * d + j], most[j]);
  for (i = 0; i < rows->n && rows->f32 != NULL; i++)
    for (j = 0; j < d; j++) bad |= !at_most((double)rows->f32[i * d + j], most[j]);
  return !bad;
}

/* The records and users of the block in bytes, which is `size` long; 0: they do not fit. */
static int block_sizes(block_mark *mark, const binary_head *head, const uint8_t *bytes,
                       uint64_t index, uint64_t size) {
  const uint64_t left = head->n - index * head->rows;
  mark->index = index;
  mark->d = head->d;
  mark->size = head->f32 ? sizeof(float) : sizeof(double);
  mark->n = u64_at(bytes, 8);
  mark->positives = u64_at(bytes, 16);
  mark->users = u64_at(bytes, 32);
  if (u64_at(bytes, AT_BLOCK_CHECKSUM) != checksum(bytes, AT_BLOCK_CHECKSUM) ||
      u64_at(bytes, 0) != index || mark->positives > mark->n)
    return 0;
  if (head->users == 0)
    return mark->n == (left < head->rows ? left : head->rows) && all_zero(bytes + 32, 24);
  return mark->n > 0 && mark->users > 0 && mark->users <= mark->n && mark->n <= UINT32_MAX &&
         mark->n <= size / (mark->d * mark->size) && mark->users <= size / 8 &&
         block_bytes((size_t)mark->n, head->d, head->f32) + counts_bytes((size_t)mark->users) ==
             size &&
         all_zero(bytes + 48, 8);
}

/* Each of the users has a record, and together they have those of the block. */
static int counts_fit(const chunk *b) {
  uint64_t up = 0, down = 0;
  size_t k;
  for (k = 0; k < b->users; k++) {
    if (b->counts[2 * k] == 0 && b->counts[2 * k + 1] == 0) return 0;
    up += b->counts[2 * k];
    down += b->counts[2 * k + 1];
  }
  return b->users == 0 || (up == b->positives && down == b->n - b->positives);
}

int binary_read(chunk *out, block_mark *mark, void *room, const binary_head *head, int fd,
                uint64_t index, const double *most, const char *path, char error[ERROR_SIZE]) {
  const cursor c = cursor_at("", 0, path, error);
  const uint64_t left = head->n - index * head->rows;
  const uint64_t place = binary_place(head, index);
  const uint64_t size =
      head->users > 0
          ? head->table[index + 1] - place
          : block_bytes(left < head->rows ? (size_t)left : head->rows, head->d, head->f32);
  const uint8_t *bytes = room, *counts;
  uint64_t used = 0, rows = 0, owned = 0;
  int ok;
  if (!read_need(&c, fd, room, size, place)) return 0;
  ok = block_sizes(mark, head, bytes, index, size);
  if (ok) {
    used = mark->n * mark->d * mark->size;
    rows = padded(used);
    owned = mark->users * 8;
    mark->rows = checksum(bytes + BLOCK_HEAD, (size_t)used);
  }
  counts = bytes + BLOCK_HEAD + rows;
  if (ok) mark->counts = mark->users > 0 ? checksum(counts, (size_t)owned) : 0;
  if (!ok || u64_at(bytes, 24) != mark->rows || u64_at(bytes, 40) != mark->counts ||
      !all_zero(bytes + BLOCK_HEAD + used, rows - used) ||
      !all_zero(counts + owned, size - BLOCK_HEAD - rows - owned))
    return fail(&c, NULL, "the checksum of block %llu is wrong: the file is damaged",
                (unsigned long long)index);
  out->f64 = head->f32 ? NULL : (const double *)(const void *)(bytes + BLOCK_HEAD);
  out->f32 = head->f32 ? (const float *)(const void *)(bytes + BLOCK_HEAD) : NULL;
  out->n = (size_t)mark->n;
  out->positives = (size_t)mark->positives;
  out->index = index;
  out->users = (size_t)mark->users;
  out->counts = mark->users > 0 ? (const uint32_t *)(const void *)counts : NULL;
  if (!counts_fit(out))
    return fail(&c, NULL, "block %llu: its persons are not those of its records",
                (unsigned long long)index);
  if (most != NULL && !numbers_within(out, head->d, most))
    return fail(&c, NULL, "block %llu holds a number that no record has",
                (unsigned long long)index);
  return 1;
}

/* --- writing ---------------------------------------------------------------------------------- */

struct binary_writer {
  binary_head head; /* columns: without memory of its own */
  uint8_t *bytes;   /* the header, head.start of them */
  char *path;
  draft to;
  int ended;
  uint64_t end, room; /* of what is written; of head.table, which users have */
};

static int write_all(int fd, const void *from, uint64_t size) {
  const uint8_t *at = from;
  while (size > 0) {
    const ssize_t done = write(fd, at, (size_t)size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return 0;
    at += done;
    size -= (uint64_t)done;
  }
  return 1;
}

static int writer_fail(const binary_writer *w, char error[ERROR_SIZE], const char *what) {
  const cursor c = cursor_at("", 0, w->path, error);
  return fail(&c, NULL, "%s", what);
}

void binary_drop(binary_writer *w) {
  if (w == NULL) return;
  draft_drop(&w->to);
  free(w->bytes);
  free(w->head.table);
  free(w->path);
  free(w);
}

/* The header, but for n, the digest and the checksum. */
static int head_make(binary_writer *w, const dataset *columns, char error[ERROR_SIZE]) {
  dataset copy = *columns; /* only read: both walks write from it */
  walk measure = {NULL, NULL, 0, 0, 0}, put = {NULL, NULL, 0, 0, 0};
  char *user = w->head.user[0] != '\0' ? w->head.user : NULL;
  walk_columns(&measure, &copy, user);
  if (names_differ(columns) < 0) return writer_fail(w, error, "out of memory");
  if (measure.bad || !names_differ(columns) || !scale_fits(columns, (uint32_t)w->head.scale))
    return writer_fail(w, error, "what is declared of the columns does not go into a binary file");
  w->head.start = padded(HEAD_SIZE + measure.at);
  w->bytes = calloc(1, (size_t)w->head.start);
  if (w->bytes == NULL) return writer_fail(w, error, "out of memory");
  memcpy(w->bytes, magic, sizeof magic);
  u32_put(w->bytes, 8, BYTE_ORDER_MARK);
  u32_put(w->bytes, 12, VERSION);
  u32_put(w->bytes, 16, w->head.f32 ? 4 : 8);
  u32_put(w->bytes, 20, (uint32_t)w->head.scale);
  u64_put(w->bytes, 24, w->head.start);
  u64_put(w->bytes, 40, w->head.d);
  u64_put(w->bytes, 48, w->head.rows);
  u64_put(w->bytes, 56, measure.at);
  put.to = w->bytes + HEAD_SIZE;
  walk_columns(&put, &copy, user);
  return 1;
}

int binary_create(binary_writer **out, const char *path, const dataset *columns, scale_kind scale,
                  int f32, const char *user, char error[ERROR_SIZE]) {
  const cursor c = cursor_at("", 0, path, error);
  binary_writer *w = calloc(1, sizeof *w);
  *out = NULL;
  if (w == NULL) return fail(&c, NULL, "out of memory");
  draft_clear(&w->to);
  w->head.f32 = f32 != 0;
  w->head.scale = scale;
  w->head.d = columns->d;
  w->head.rows = block_rows(columns->d, f32);
  w->head.stride = block_bytes(w->head.rows, columns->d, f32);
  if (user != NULL) (void)snprintf(w->head.user, NAME_SIZE, "%s", user);
  w->path = malloc(strlen(path) + 1);
  if (w->path == NULL) {
    (void)fail(&c, NULL, "out of memory");
  } else {
    (void)strcpy(w->path, path);
    if (head_make(w, columns, error)) {
      /* zeros in the header's place: a file that is cut off here is none */
      if (draft_open(&w->to, path, DRAFT_NEW, 0600) &&
          lseek(w->to.fd, (off_t)w->head.start, SEEK_SET) >= 0) {
        w->end = w->head.start;
        *out = w;
        return 1;
      }
      (void)fail(&c, NULL, "%s", errno == EEXIST ? "exists; nothing is replaced" : strerror(errno));
    }
  }
  binary_drop(w);
  return 0;
}

/* One block more, of `size` bytes: where it begins. With users only. */
static int table_add(binary_writer *w, uint64_t size) {
  if (w->head.blocks + 1 >= w->room) {
    const uint64_t room = 2 * w->room + 64;
    uint64_t *grown = realloc(w->head.table, (size_t)room * sizeof *grown);
    if (grown == NULL) return 0;
    w->head.table = grown;
    w->room = room;
  }
  w->head.table[w->head.blocks] = w->end;
  w->end += size;
  w->head.table[w->head.blocks + 1] = w->end;
  return 1;
}

int binary_block(binary_writer *w, const chunk *block, char error[ERROR_SIZE]) {
  static const uint8_t zeros[64] = {0};
  const size_t size = w->head.f32 ? sizeof(float) : sizeof(double);
  const uint64_t used = (uint64_t)block->n * w->head.d * size;
  const uint64_t owned = (uint64_t)block->users * 8;
  const int users = w->head.user[0] != '\0';
  const void *rows = w->head.f32 ? (const void *)block->f32 : (const void *)block->f64;
  uint8_t head[BLOCK_HEAD] = {0};
  block_mark mark;
  if (w->ended || block->n == 0 || (!users && block->n > w->head.rows) ||
      block->positives > block->n || rows == NULL || users != (block->users > 0) ||
      block->n > UINT32_MAX || !counts_fit(block))
    return writer_fail(w, error, "a block that does not belong here");
  w->ended = !users && block->n < w->head.rows;
  if (users &&
      !table_add(w, block_bytes(block->n, w->head.d, w->head.f32) + counts_bytes(block->users)))
    return writer_fail(w, error, "out of memory");
  mark.index = w->head.blocks++;
  mark.n = block->n;
  mark.d = w->head.d;
  mark.size = size;
  mark.positives = block->positives;
  mark.rows = checksum(rows, (size_t)used);
  mark.users = block->users;
  mark.counts = users ? checksum(block->counts, (size_t)owned) : 0;
  digest_block(w->head.digest, &mark);
  w->head.n += block->n;
  w->head.users += block->users;
  u64_put(head, 0, mark.index);
  u64_put(head, 8, mark.n);
  u64_put(head, 16, mark.positives);
  u64_put(head, 24, mark.rows);
  u64_put(head, 32, mark.users);
  u64_put(head, 40, mark.counts);
  u64_put(head, AT_BLOCK_CHECKSUM, checksum(head, AT_BLOCK_CHECKSUM));
  return (write_all(w->to.fd, head, sizeof head) && write_all(w->to.fd, rows, used) &&
          write_all(w->to.fd, zeros, padded(used) - used) &&
          write_all(w->to.fd, block->counts, owned) &&
          write_all(w->to.fd, zeros, padded(owned) - owned)) ||
         writer_fail(w, error, strerror(errno));
}

int binary_finish(binary_writer *w, char error[ERROR_SIZE]) {
  int ok = 1;
  if (w->head.n < MIN_RECORDS) ok = writer_fail(w, error, "too few records for a file: 4 at least");
  if (ok && w->head.users > 0) {
    const uint64_t table = (w->head.blocks + 1) * 8;
    u64_put(w->bytes, AT_PERSONS, w->head.users);
    u64_put(w->bytes, AT_PERSONS + 8, w->head.blocks);
    u64_put(w->bytes, AT_PERSONS + 16, checksum(w->head.table, (size_t)table));
    if (!write_all(w->to.fd, w->head.table, table)) ok = writer_fail(w, error, strerror(errno));
  }
  u64_put(w->bytes, 32, w->head.n);
  memcpy(w->bytes + AT_DIGEST, w->head.digest, DIGEST_SIZE);
  u64_put(w->bytes, AT_CHECKSUM, checksum(w->bytes, (size_t)w->head.start));
  /* the header last: before it is there, what is behind it is on the disk */
  if (ok && !(fsync(w->to.fd) == 0 && lseek(w->to.fd, 0, SEEK_SET) == 0 &&
              write_all(w->to.fd, w->bytes, w->head.start) && draft_keep(&w->to)))
    ok = writer_fail(w, error, strerror(errno));
  binary_drop(w);
  return ok;
}
