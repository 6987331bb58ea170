/* SPDX-License-Identifier: MIT */
/*
 * Records in chunks: the same rows as in memory, to the bit, from CSV, LIBSVM, binary files and
 * memory; files that are cut off, damaged, forged, changed between two passes, or too large for the
 * disk are refused with a sentence.
 */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/chunks.h"

#include "tests.h"

static char error[ERROR_SIZE];
/* In memory, where there is such a place: a converted file waits for the disk. */
static char places[2][40] = {"/dev/shm/dppair_chunks_XXXXXX", "/tmp/dppair_chunks_XXXXXX"}, *folder;

/* A name in the folder of this run; it stays. */
static const char *in_folder(const char *name) {
  static char path[16][64];
  char asked[64];
  size_t k;
  snprintf(asked, sizeof asked, "%s/%s", folder, name);
  for (k = 0; k < 16 && path[k][0] != '\0' && strcmp(path[k], asked) != 0; k++) {
  }
  assert_true(k < 16);
  return strcpy(path[k], asked);
}

static void write_file(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static uint8_t *read_back(const char *path, size_t *size) {
  char *bytes = file_read(path, size, error);
  assert_non_null(bytes);
  return (uint8_t *)bytes;
}

/* --- declarations and records in memory ------------------------------------------------------- */

static const layout csv_layout = {"label", "0,1", HEADER_YES, 0, '\0', NULL, 0};

/* plan and data: the same declarations, attached before the records are read, and after. */
static void declare_both(row_plan *plan, dataset *data, const char *path, const layout *how,
                         const char *ranges, const char *maps) {
  assert_true(row_plan_begin(plan, path, how, error));
  if (!data_load(data, path, how, error)) fail_msg("%s", error);
  if (ranges != NULL) {
    assert_true(data_ranges_parse(&plan->columns, ranges, strlen(ranges), "ranges", error));
    assert_true(data_ranges_parse(data, ranges, strlen(ranges), "ranges", error));
  }
  if (maps != NULL) {
    assert_true(data_maps_compile(&plan->maps, &plan->columns, maps, strlen(maps), "maps", error));
    assert_true(data_maps_parse(data, maps, strlen(maps), "maps", error));
  }
  plan->scale = data->centred ? SCALE_MAPS : data->has_ranges ? SCALE_RANGES : SCALE_ROW;
}

static void split_all(split *all, const dataset *data, scale_kind scale) {
  size_t *order = malloc(data->n * sizeof *order), i;
  for (i = 0; i < data->n; i++) order[i] = i;
  assert_true(split_make(all, data, order, data->n, 0, scale));
  free(order);
}

/* A record of a block, by its place in the file, is the row of memory. */
static void require_block(const chunk *b, const records *all, size_t rows, int f32) {
  const size_t d = all->d, begin = (size_t)b->index * rows;
  size_t i, j, front = 0, back = b->n;
  for (i = 0; i < b->n; i++) {
    const double *x = all->x + (begin + i) * d;
    const size_t at = all->y[begin + i] > 0 ? front++ : --back;
    for (j = 0; j < d; j++) {
      if (f32 && b->f32[at * d + j] != (float)x[j]) fail_msg("record %zu", begin + i);
      if (!f32 && memcmp(&b->f64[at * d + j], &x[j], sizeof x[j]) != 0)
        fail_msg("record %zu column %zu", begin + i, j);
    }
  }
  assert_int_equal(front, b->positives);
  assert_int_equal(back, b->positives);
  assert_true((f32 ? b->f64 == NULL : b->f32 == NULL));
  assert_int_equal((uintptr_t)(f32 ? (const void *)b->f32 : (const void *)b->f64) % 64, 0);
}

/* Two passes give every block once. */
static void require_records(chunks *c, const records *all) {
  int options;
  if (!chunks_check(c, error)) fail_msg("%s", error);
  assert_int_equal(c->n, all->n);
  assert_int_equal(c->total, all->n);
  for (options = 0; options < 3; options++) {
    uint64_t blocks = 0, sum = 0;
    size_t n = 0;
    chunk b;
    int got;
    while ((got = chunks_next(c, &b, error)) > 0) {
      require_block(&b, all, c->rows, c->f32);
      blocks++;
      sum += b.index;
      n += b.n;
    }
    assert_int_equal(got, 0);
    assert_int_equal(blocks, c->blocks);
    assert_int_equal(sum, blocks * (blocks - 1) / 2);
    assert_int_equal(n, all->n);
    assert_true(chunks_rewind(c, error));
  }
}

static void convert(const row_plan *plan, const char *from, const char *to) {
  binary_writer *w;
  chunks c;
  chunk b;
  int got;
  assert_true(chunks_open(&c, from, plan, error));
  if (!binary_create(&w, to, &c.columns, c.scale, c.f32, c.grouped ? c.user : NULL, error))
    fail_msg("%s", error);
  while ((got = chunks_read(&c, &b, error)) > 0) assert_true(binary_block(w, &b, error));
  assert_int_equal(got, 0);
  assert_true(binary_finish(w, error));
  chunks_close(&c);
}

/* A text, its binary file and memory: the same blocks, the same digest. */
static void require_everywhere(const char *path, const layout *how, const char *ranges,
                               const char *maps, int f32) {
  row_plan plan;
  dataset data;
  split all;
  chunks text, binary, memory;
  size_t j;
  declare_both(&plan, &data, path, how, ranges, maps);
  plan.f32 = f32;
  split_all(&all, &data, plan.scale);
  assert_true(chunks_open(&text, path, &plan, error));
  require_records(&text, &all.train);
  convert(&plan, path, in_folder("all.dpb"));
  assert_int_equal(chunks_binary(in_folder("all.dpb")), 1);
  assert_int_equal(chunks_binary(path), 0);
  assert_true(chunks_open(&binary, in_folder("all.dpb"), NULL, error));
  require_records(&binary, &all.train);
  assert_true(chunks_open_records(&memory, &all.train, &data, plan.scale, f32, error));
  require_records(&memory, &all.train);
  assert_memory_equal(text.digest, binary.digest, DIGEST_SIZE);
  assert_memory_equal(text.digest, memory.digest, DIGEST_SIZE);
  assert_int_equal(text.positives, binary.positives);
  assert_int_equal(binary.scale, plan.scale);
  assert_int_equal(binary.columns.has_ranges, data.has_ranges);
  assert_int_equal(binary.columns.centred, data.centred);
  for (j = 0; j < data.d; j++) {
    const feature *f = &binary.columns.features[j], *g = &data.features[j];
    assert_string_equal(f->name, g->name);
    assert_true(f->low == g->low && f->high == g->high);
    assert_true(f->kind == g->kind && f->group == g->group);
    assert_int_equal(binary.columns.maps != NULL, data.maps != NULL);
    if (data.maps == NULL) continue;
    assert_true(binary.columns.maps[j].scale == data.maps[j].scale);
    assert_string_equal(binary.columns.maps[j].terms, data.maps[j].terms);
  }
  for (j = 0; j < 2; j++) assert_string_equal(binary.columns.label[j], data.label[j]);
  chunks_close(&text);
  chunks_close(&binary);
  chunks_close(&memory);
  unlink(in_folder("all.dpb"));
  split_free(&all);
  data_free(&data);
  row_plan_free(&plan);
}

/* n records of d columns in path; spellings of all kinds. */
static void write_records(const char *path, size_t n, size_t d, int libsvm) {
  static const char *const odd[] = {"1e400", "-inf",  "\"3.5\"", "-0",     "12345678901234567890",
                                    ".5",    "5.",    "1.5e1",   "+2",     "-Infinity",
                                    "0.0",   "-.25 ", "1e-320",  "000017", "9007199254740993"};
  FILE *file = fopen(path, "w");
  size_t i, j;
  assert_non_null(file);
  for (j = 0; j < d && !libsvm; j++)
    fprintf(file, "c%zu%s", j, j == 0 ? ",label," : j + 1 < d ? "," : "\r\n");
  for (i = 0; i < n; i++) {
    const char *label = random_bits() % 3 == 0 ? "1" : random_bits() % 7 == 0 ? "1.0" : "0";
    if (libsvm) fprintf(file, "%s", label);
    for (j = 0; j < d; j++) {
      const uint64_t dice = random_bits();
      char value[32];
      snprintf(value, sizeof value, "%.*g", (int)(1 + dice % 17),
               ((double)(dice >> 11) * 0x1p-53 - 0.5) * 12);
      if (!libsvm)
        fprintf(file, "%s%s%s%s", dice % 97 == 0 ? odd[dice / 97 % 15] : value, j == 0 ? "," : "",
                j == 0 ? label : "",
                j + 1 < d       ? ","
                : dice % 5 == 0 ? "\r\n"
                : i + 1 < n     ? "\n"
                                : "");
      else if (dice % 3 != 0)
        fprintf(file, " %zu:%s", j + 1, value);
    }
    if (libsvm) fprintf(file, "\n");
  }
  assert_int_equal(fclose(file), 0);
}

static void blocks_are_the_rows_of_memory_from_every_source(void **state) {
  static const char *const maps =
      "name,centre,scale,terms\nz,0.5,2,c1-0.5*log1p(c2)*c3\nw,0,1,c0,2.7\n";
  const char *path = in_folder("records.csv");
  char ranges[600] = "name,low,high,kind\n";
  layout libsvm = {NULL, "0,1", HEADER_GUESSED, 20, '\0', NULL, 0};
  size_t j;
  (void)state;
  for (j = 0; j < 30; j++)
    sprintf(ranges + strlen(ranges), "c%zu,-5,%g\n", j, 5.1 - 0.01 * (double)j);
  write_records(path, BRIEF ? 4200 : 11000, 30,
                0); /* several blocks, and more text than is read at a time */
  require_everywhere(path, &csv_layout, ranges, NULL, 0);
  require_everywhere(path, &csv_layout, ranges, "name,terms\nboth,c1*c2\nstep,c3-c4\n", 1);
  write_records(path, 300, 30, 0);
  require_everywhere(path, &csv_layout, NULL, maps, 0);
  require_everywhere(path, &csv_layout, NULL, maps, 1);
  require_everywhere(path, &csv_layout, NULL, NULL, 0);
  write_records(path, BRIEF ? 500 : 5000, 20, 1);
  require_everywhere(path, &libsvm, NULL, NULL, 0);
}

/* --- faults ----------------------------------------------------------------------------------- */

/* A small file with ranges; its bytes, which the caller frees. */
static uint8_t *small_file(size_t *size, int f32) {
  static const char *const ranges = "name,low,high,kind\na,0,10\nb,-1,1\nc,0,1,group:g\n";
  const char *text = in_folder("small.csv"), *path = in_folder("small.dpb");
  FILE *file = fopen(text, "w");
  row_plan plan;
  uint8_t *bytes;
  int i;
  fputs("a,b,c,label\n", file);
  for (i = 0; i < 41; i++) fprintf(file, "%d,0.%d,%d,%d\n", i % 11, i, i % 2, i % 3 == 0);
  fclose(file);
  assert_true(row_plan_begin(&plan, text, &csv_layout, error));
  assert_true(data_ranges_parse(&plan.columns, ranges, strlen(ranges), "ranges", error));
  plan.scale = SCALE_RANGES;
  plan.f32 = f32;
  convert(&plan, text, path);
  row_plan_free(&plan);
  bytes = read_back(path, size);
  unlink(path);
  return bytes;
}

/* Is it taken, and every record of it? A refusal has a sentence. */
static int taken(const uint8_t *bytes, size_t size) {
  const char *path = in_folder("tried.dpb");
  chunks c;
  int ok;
  write_file(path, bytes, size);
  error[0] = '\0';
  ok = chunks_open(&c, path, NULL, error) && chunks_check(&c, error);
  if (!ok) assert_true(strlen(error) > strlen(path) + 10 && strlen(error) < ERROR_SIZE);
  chunks_close(&c);
  return ok;
}

static void files_cut_off_or_damaged_anywhere_are_refused(void **state) {
  size_t size, k;
  int f32;
  (void)state;
  for (f32 = 0; f32 < 2; f32++) {
    uint8_t *bytes = small_file(&size, f32), *longer = calloc(1, size + 64);
    assert_true(taken(bytes, size));
    for (k = 0; k < size; k += 97) assert_false(taken(bytes, k));
    assert_false(taken(bytes, size - 1));
    for (k = 0; k < size; k += k < 128 && !BRIEF ? 1 : 53) {
      bytes[k] ^= (uint8_t)(1u << k % 8);
      assert_false(taken(bytes, size));
      bytes[k] ^= (uint8_t)(1u << k % 8);
    }
    memcpy(longer, bytes, size);
    assert_false(taken(longer, size + 1));
    assert_false(taken(longer, size + 64));
    assert_true(taken(bytes, size));
    free(longer);
    free(bytes);
  }
}

/* value into `width` bytes, and all checksums made right, as somebody who forges a file would. */
static int forged(const uint8_t *from, size_t size, size_t at, uint64_t value, size_t width) {
  uint8_t *bytes = malloc(size), digest[DIGEST_SIZE] = {0};
  uint64_t start, n, d, number = 0, sum;
  block_mark mark;
  int ok;
  memset(&mark, 0, sizeof mark);
  memcpy(bytes, from, size);
  memcpy(&start, bytes + 24, 8);
  memcpy(&n, bytes + 32, 8);
  memcpy(&d, bytes + 40, 8);
  memcpy(&number, bytes + 16, 4);
  memcpy(bytes + at, &value, width);
  sum = checksum(bytes + start + 64, (size_t)(n * d * number));
  memcpy(bytes + start + 24, &sum, 8);
  sum = checksum(bytes + start, 56);
  memcpy(bytes + start + 56, &sum, 8);
  mark.index = 0, mark.n = n, mark.d = d, mark.size = number;
  memcpy(&mark.positives, bytes + start + 16, 8);
  mark.rows = checksum(bytes + start + 64, (size_t)(n * d * number));
  digest_block(digest, &mark);
  memcpy(bytes + 64, digest, DIGEST_SIZE);
  memset(bytes + 96, 0, 8);
  sum = checksum(bytes, (size_t)start);
  memcpy(bytes + 96, &sum, 8);
  ok = taken(bytes, size);
  free(bytes);
  return ok;
}

static uint64_t bits_of(double v) {
  uint64_t bits;
  memcpy(&bits, &v, 8);
  return bits;
}

static void forged_files_are_refused(void **state) {
  size_t size;
  uint8_t *bytes = small_file(&size, 0);
  const size_t text = 128, column = text + 4 + 1 + 4 + 1 + 12, start = size - 64 - 41 * 24 - 40;
  (void)state;
  assert_true(forged(bytes, size, 0, bytes[0], 1)); /* unchanged */
  assert_true(forged(bytes, size, start + 64, bits_of(0.5), 8));
  assert_true(forged(bytes, size, start + 16, 13, 8)); /* a label more or less may be true */
  assert_false(forged(bytes, size, 8, 0x04030201, 4));
  assert_non_null(strstr(error, "byte order"));
  assert_false(forged(bytes, size, 12, 2, 4));
  assert_non_null(strstr(error, "version 2"));
  assert_false(forged(bytes, size, 16, 4, 4));
  assert_false(forged(bytes, size, 16, 2, 4));
  assert_false(forged(bytes, size, 20, SCALE_ZSCORE, 4));
  assert_false(forged(bytes, size, 20, SCALE_MAPS, 4));
  assert_false(forged(bytes, size, 20, 77, 4));
  assert_true(forged(bytes, size, 20, SCALE_ROW, 4));
  assert_false(forged(bytes, size, start + 64, bits_of(NAN), 8));
  assert_false(forged(bytes, size, start + 64, bits_of(-HUGE_VAL), 8));
  assert_false(forged(bytes, size, start + 64, bits_of(-1.01), 8));
  assert_non_null(strstr(error, "number that no record has"));
  assert_false(forged(bytes, size, start, 1, 8));
  assert_false(forged(bytes, size, start + 8, 40, 8));
  assert_false(forged(bytes, size, start + 16, 42, 8));
  assert_false(forged(bytes, size, start + 40, 1, 8));
  assert_false(forged(bytes, size, size - 1, 1, 1));
  assert_false(forged(bytes, size, text, UINT32_MAX, 4)); /* a label's length */
  assert_false(forged(bytes, size, text, 64, 4));
  assert_false(forged(bytes, size, text, 0, 4));
  assert_false(forged(bytes, size, text + 4, '1', 1)); /* twice the same label */
  assert_false(forged(bytes, size, text + 4, '\0', 1));
  assert_false(forged(bytes, size, column + 4, 'b', 1)); /* twice the same column */
  assert_false(forged(bytes, size, column, 1000, 4));
  assert_false(forged(bytes, size, column + 5, bits_of(NAN), 8));
  assert_false(forged(bytes, size, column + 5, bits_of(10), 8)); /* low = high */
  assert_false(forged(bytes, size, column + 21, 3, 4));          /* kind */
  assert_false(forged(bytes, size, column + 25, 1, 4));          /* a group of what is in none */
  free(bytes);
}

/* Sizes that say more than the file holds; also where their product leaves 64 bits. */
static void sizes_that_are_not_those_of_the_file_are_refused(void **state) {
  static const uint64_t large[] = {0,
                                   1,
                                   3,
                                   40,
                                   42,
                                   UINT64_C(1) << 32,
                                   UINT64_C(1) << 61,
                                   UINT64_MAX / 24,
                                   UINT64_MAX / 8 + 1,
                                   UINT64_MAX};
  size_t size, k, at;
  uint8_t *bytes = small_file(&size, 0);
  (void)state;
  for (k = 0; k < sizeof large / sizeof *large; k++)
    for (at = 24; at < 64; at += 8) {
      uint64_t kept, sum;
      memcpy(&kept, bytes + at, 8);
      memcpy(bytes + at, &large[k], 8);
      memset(bytes + 96, 0, 8);
      sum = checksum(bytes, size - 64 - 41 * 24 - 40);
      memcpy(bytes + 96, &sum, 8);
      assert_int_equal(taken(bytes, size), large[k] == kept);
      memcpy(bytes + at, &kept, 8);
    }
  free(bytes);
}

/* A file with a hole: more than 2^32 records, of which the last five are there. */
static void records_beyond_2_to_32_are_found(void **state) {
  const uint64_t n = (UINT64_C(1) << 32) + 5, last = UINT64_C(1) << 20;
  const uint64_t stride = block_bytes(4096, 3, 0), size = block_bytes(5, 3, 0);
  const char *path = in_folder("hole.dpb");
  const double rows[15] = {0, 0.5, -1, 1};
  uint8_t block[256] = {0};
  size_t start;
  uint8_t *bytes = small_file(&start, 0);
  uint64_t sum;
  chunks c;
  chunk b;
  int fd;
  (void)state;
  start -= 64 + 41 * 24 + 40;
  memcpy(bytes + 32, &n, 8);
  memset(bytes + 96, 0, 8);
  sum = checksum(bytes, start);
  memcpy(bytes + 96, &sum, 8);
  write_file(path, bytes, start);
  memcpy(block, &last, 8);
  block[8] = 5;
  block[16] = 2;
  memcpy(block + 64, rows, sizeof rows);
  sum = checksum(rows, sizeof rows);
  memcpy(block + 24, &sum, 8);
  sum = checksum(block, 56);
  memcpy(block + 56, &sum, 8);
  fd = open(path, O_WRONLY);
  assert_int_equal(pwrite(fd, block, size, (off_t)(start + last * stride)), size);
  close(fd);
  assert_true(chunks_open(&c, path, NULL, error));
  assert_true(c.n == n && c.total == n && c.blocks == last + 1);
  assert_true(chunks_part(&c, last, 1, error) && chunks_check(&c, error));
  assert_true(c.n == 5 && c.positives == 2);
  assert_int_equal(chunks_next(&c, &b, error), 1);
  assert_true(b.n == 5 && b.index == last && b.f64[1] == 0.5);
  assert_int_equal(chunks_next(&c, &b, error), 0);
  assert_true(chunks_part(&c, last - 1, 2, error));
  assert_true(c.n == 4096 + 5);
  assert_false(chunks_check(&c, error)); /* the hole is no block */
  assert_non_null(strstr(error, "block 1048575"));
  chunks_close(&c);
  unlink(path);
  free(bytes);
}

static int passes(chunks *c) {
  chunk b;
  int got;
  while ((got = chunks_next(c, &b, error)) > 0) {
  }
  return got == 0;
}

/* The same size and, where it is put back, the same time: then the digest tells. */
static void files_that_are_changed_between_two_passes_are_noticed(void **state) {
  const char *path = in_folder("changed");
  int binary, touched;
  (void)state;
  for (binary = 0; binary < 2; binary++)
    for (touched = 0; touched < 2; touched++) {
      static const char text[] = "a,label\n1,0\n2,1\n3,0\n4,1\n";
      size_t size = sizeof text - 1;
      uint8_t *bytes = binary ? small_file(&size, 0) : NULL;
      struct stat before;
      struct timespec times[2];
      row_plan plan;
      chunks c;
      int fd;
      write_file(path, binary ? bytes : (const uint8_t *)text, size);
      if (!binary) assert_true(row_plan_begin(&plan, path, &csv_layout, error));
      if (!binary) plan.scale = SCALE_MAPS; /* the columns as they are */
      assert_true(chunks_open(&c, path, binary ? NULL : &plan, error));
      assert_true(chunks_check(&c, error));
      assert_true(passes(&c));
      assert_true(chunks_rewind(&c, error));
      assert_int_equal(stat(path, &before), 0);
      fd = open(path, O_WRONLY);
      assert_int_equal(pwrite(fd, "7", 1, (off_t)(binary ? size - 100 : 8)), 1);
      times[0] = before.st_atim;
      times[1] = before.st_mtim;
      times[1].tv_sec += touched;
      assert_int_equal(futimens(fd, times), 0);
      close(fd);
      assert_false(passes(&c));
      if (touched) assert_false(chunks_rewind(&c, error));
      if (touched) assert_non_null(strstr(error, "changed"));
      chunks_close(&c);
      if (!binary) row_plan_free(&plan);
      free(bytes);
    }
}

static int text_taken(const char *text, const layout *how, data_fault fault) {
  const char *path = in_folder("text.csv");
  row_plan plan;
  chunks c;
  int ok;
  write_file(path, text, strlen(text));
  memset(&c, 0, sizeof c);
  error[0] = '\0';
  ok = row_plan_begin(&plan, path, how, error);
  plan.scale = SCALE_ROW;
  if (!ok) assert_int_equal(plan.columns.fault, fault);
  if (ok) {
    ok = chunks_open(&c, path, &plan, error) && chunks_check(&c, error);
    if (!ok) assert_int_equal(c.fault, fault);
  }
  assert_int_equal(ok, error[0] == '\0');
  chunks_close(&c);
  row_plan_free(&plan);
  return ok;
}

static void texts_outside_of_what_is_declared_are_refused(void **state) {
  static const layout undeclared = {NULL, NULL, HEADER_YES, 0, '\0', NULL, 0};
  static const layout shapeless = {NULL, "0,1", HEADER_GUESSED, 0, '\0', NULL, 0};
  static const layout owned = {NULL, "0,1", HEADER_YES, 0, '\0', "label", 0};
  static const layout bare = {"2", "0,1", HEADER_NO, 1, ',', NULL, 0};
  static const char good[] = "a,label\n1,0\n2,1\n3,0\n4,1\n";
  (void)state;
  assert_true(text_taken(good, &csv_layout, FAULT_NONE));
  assert_true(text_taken("1,0\n2,1\r\n3,0\n4,1", &bare, FAULT_NONE));
  assert_false(text_taken(good, &undeclared, FAULT_DECLARATION));
  assert_false(text_taken(good, &shapeless, FAULT_DECLARATION));
  assert_false(text_taken(good, &owned, FAULT_DECLARATION));
  assert_false(text_taken("a,c\n1,0\n2,1\n3,0\n4,1\n", &csv_layout, FAULT_DECLARATION));
  assert_false(text_taken("", &csv_layout, FAULT_FILE));
  assert_false(text_taken("a,label\n1,0\n2,1\n3,0\n", &csv_layout, FAULT_FILE));
  assert_false(text_taken("a,label\n1,0\n2,1\n3,2\n4,1\n", &csv_layout, FAULT_RECORD));
  assert_non_null(strstr(error, ":4:3:"));
  assert_false(text_taken("\n# x\na,label\n1,0\n2,1\n3,2\n4,1\n", &csv_layout, FAULT_RECORD));
  assert_non_null(strstr(error, ":6:3:"));
  assert_false(text_taken("a,label\n1,0\n2,1\n3,0\n\n4,1\n", &csv_layout, FAULT_RECORD));
  assert_false(text_taken("a,label\n1,0\n2,1\n3,0\nNA,1\n", &csv_layout, FAULT_RECORD));
  assert_false(text_taken("a,label\n1,0\n2,1\n3,0\n1,1,1\n", &csv_layout, FAULT_RECORD));
  assert_false(text_taken("1,0\n2,1\n#3,0\n1,1\n", &bare, FAULT_RECORD));
  assert_non_null(strstr(error, ":3:1:"));
}

static void what_is_no_file_is_refused(void **state) {
  static const layout *const how = &csv_layout;
  const char *pipe_path = in_folder("pipe");
  row_plan plan;
  chunks c;
  (void)state;
  assert_int_equal(mkfifo(pipe_path, 0600), 0);
  assert_false(row_plan_begin(&plan, pipe_path, how, error));
  assert_non_null(strstr(error, "regular"));
  assert_false(row_plan_begin(&plan, folder, how, error));
  assert_false(chunks_open(&c, in_folder("nothing"), NULL, error));
  assert_non_null(strstr(error, "No such file"));
  assert_false(chunks_open(&c, folder, NULL, error));
  errno = 0;
  assert_int_equal(chunks_binary(in_folder("nothing")), -1);
  assert_int_equal(errno, ENOENT);
  unlink(pipe_path);
}

/* Nothing of a file that could not be written whole is left; what exists is not replaced. */
static void a_full_disk_leaves_no_file(void **state) {
  const struct rlimit small = {2000, RLIM_INFINITY};
  struct rlimit kept;
  double x[4096] = {0};
  chunk b = {x, NULL, 4096, 7, 0, 0, NULL};
  const char *path = in_folder("full.dpb");
  dataset data;
  binary_writer *w;
  char part[128];
  (void)state;
  assert_true(data_parse(&data, "a,label\n1,0\n2,1\n3,0\n4,1\n", 24, "text", &csv_layout, error));
  assert_true(binary_create(&w, path, &data, SCALE_ROW, 0, NULL, error));
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &kept), 0);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  assert_false(binary_block(w, &b, error));
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &kept), 0);
  assert_non_null(strstr(error, "full.dpb: File too large"));
  binary_drop(w);
  snprintf(part, sizeof part, "%s.%ld.part", path, (long)getpid());
  assert_int_not_equal(access(part, F_OK), 0);
  assert_int_not_equal(access(path, F_OK), 0);
  write_file(path, "here", 4);
  assert_false(binary_create(&w, path, &data, SCALE_ROW, 0, NULL, error));
  unlink(path);
  assert_true(binary_create(&w, path, &data, SCALE_ROW, 0, NULL, error));
  b.n = 100;
  assert_true(binary_block(w, &b, error));
  assert_false(binary_block(w, &b, error)); /* only the last one is shorter */
  write_file(path, "here", 4);
  assert_false(binary_finish(w, error));
  assert_non_null(strstr(error, "exists"));
  assert_int_not_equal(access(part, F_OK), 0);
  data_free(&data);
}

static void parts_of_a_file_add_up_to_it(void **state) {
  const char *text = in_folder("parts.csv"), *path = in_folder("parts.dpb");
  layout how = {NULL, "0,1", HEADER_GUESSED, 500, '\0', NULL, 0};
  row_plan plan;
  chunks all, part;
  uint64_t first, blocks;
  (void)state;
  write_records(text, 2100, 500, 1);
  assert_true(row_plan_begin(&plan, text, &how, error));
  plan.scale = SCALE_ROW;
  convert(&plan, text, path);
  assert_true(chunks_open(&all, path, NULL, error));
  assert_int_equal(all.rows, 256);
  assert_int_equal(all.blocks, 9);
  assert_true(chunks_check(&all, error));
  assert_true(chunks_open(&part, path, NULL, error));
  assert_false(chunks_part(&part, 9, 1, error));
  assert_false(chunks_part(&part, 2, UINT64_MAX, error));
  for (blocks = 1; blocks <= 9; blocks += BRIEF ? 4 : 1) {
    uint8_t digest[DIGEST_SIZE] = {0};
    uint64_t n = 0, positives = 0;
    for (first = 0; first <= 9; first += blocks) {
      assert_true(chunks_part(&part, first, blocks < 9 - first ? blocks : 9 - first, error));
      assert_true(chunks_check(&part, error) && passes(&part));
      assert_true(chunks_rewind(&part, error) && passes(&part));
      assert_int_equal(part.total, 2100);
      digest_add(digest, part.digest);
      n += part.n;
      positives += part.positives;
    }
    assert_int_equal(n, 2100);
    assert_int_equal(positives, all.positives);
    assert_memory_equal(digest, all.digest, DIGEST_SIZE);
  }
  chunks_close(&part);
  assert_true(chunks_open(&part, text, &plan, error));
  assert_false(chunks_part(&part, 0, 1, error));
  chunks_close(&part);
  chunks_close(&all);
  row_plan_free(&plan);
}

/* --- users ---------------------------------------------------------------------------------- */

static const layout owned_layout = {"label", "0,1", HEADER_YES, 0, '\0', "who", 0};

/* Users by number, then by name, with a few records each; the second one has `large`. */
static void write_persons(const char *path, size_t users, size_t large) {
  FILE *file = fopen(path, "w");
  size_t k, i;
  assert_non_null(file);
  fputs("a,who,label,b\n", file);
  for (k = 0; k < users; k++)
    for (i = 0; i < (k == 1 ? large : 1 + below(9)); i++)
      fprintf(file, "%zu,%s%zu,%d,%d\n", 1 + below(99), k < 40 ? "" : "p", k < 40 ? k : 1000 + k,
              (int)below(2), (int)below(7));
  assert_int_equal(fclose(file), 0);
}

/* Blocks of whole users are the records of memory in their order, in every pass. */
static void require_persons(chunks *c, const records *all) {
  const size_t d = all->d;
  int options;
  if (!chunks_check(c, error)) fail_msg("%s", error);
  assert_true(c->grouped && c->n == all->n && c->users == all->groups);
  for (options = 0; options < 2; options++) {
    uint64_t blocks = 0, users = 0;
    size_t n = 0;
    chunk b;
    int got;
    assert_true(chunks_rewind(c, error));
    if (c->source == CHUNKS_BINARY && options == 1) assert_true(chunks_rewind(c, error));
    while ((got = chunks_next(c, &b, error)) > 0) {
      size_t up = 0, down = b.positives, i = n, k;
      assert_int_equal(b.index, blocks++);
      assert_true(b.n <= c->largest && (b.n <= c->rows || b.users == 1));
      for (k = 0; k < b.users; k++) {
        size_t left[2];
        left[0] = b.counts[2 * k];
        left[1] = b.counts[2 * k + 1];
        for (; left[0] + left[1] > 0; i++) {
          const int down_side = all->y[i] < 0;
          assert_int_equal(all->group[i], users + k);
          assert_true(left[down_side]-- > 0);
          assert_memory_equal(b.f64 + (down_side ? down++ : up++) * d, all->x + i * d,
                              d * sizeof *all->x);
        }
      }
      users += b.users;
      n += b.n;
      assert_true(i == n && up == b.positives && down == b.n);
    }
    assert_int_equal(got, 0);
    assert_true(n == all->n && users == all->groups && blocks == c->blocks);
  }
}

static void blocks_hold_whole_persons_from_every_source(void **state) {
  static const size_t large[] = {3, 4090, 4096, 4097, 9001};
  const char *path = in_folder("records.csv"), *binary_path = in_folder("parts.dpb");
  size_t k, size, at;
  (void)state;
  for (k = 0; k < 5; k++) {
    chunks text, binary, memory;
    row_plan plan;
    dataset data;
    split all;
    unlink(binary_path);
    write_persons(path, 60, large[k]);
    declare_both(&plan, &data, path, &owned_layout, NULL, NULL);
    split_all(&all, &data, plan.scale);
    assert_true(chunks_open(&text, path, &plan, error));
    require_persons(&text, &all.train);
    convert(&plan, path, binary_path);
    if (!chunks_open(&binary, binary_path, NULL, error)) fail_msg("%s", error);
    assert_string_equal(binary.user, "who");
    require_persons(&binary, &all.train);
    assert_true(chunks_open_records(&memory, &all.train, &data, plan.scale, 0, error));
    require_persons(&memory, &all.train);
    assert_memory_equal(text.digest, binary.digest, DIGEST_SIZE);
    assert_memory_equal(text.digest, memory.digest, DIGEST_SIZE);
    chunks_close(&text);
    chunks_close(&memory);
    if (binary.blocks > 1) { /* parts add up */
      uint8_t digest[DIGEST_SIZE] = {0}, whole[DIGEST_SIZE];
      const uint64_t blocks = binary.blocks;
      uint64_t first, n = 0, users = 0;
      memcpy(whole, binary.digest, sizeof whole);
      for (first = 0; first < blocks; first++) {
        assert_true(chunks_part(&binary, first, 1, error));
        if (!chunks_check(&binary, error)) fail_msg("%s", error);
        digest_add(digest, binary.digest);
        n += binary.n;
        users += binary.users;
      }
      assert_true(n == all.train.n && users == all.train.groups);
      assert_memory_equal(digest, whole, DIGEST_SIZE);
    }
    chunks_close(&binary);
    split_free(&all);
    data_free(&data);
    row_plan_free(&plan);
    if (k == 0) { /* a changed or lost byte */
      uint8_t *bytes = read_back(binary_path, &size);
      for (at = 0; at < size; at += at < 300 || at + 700 > size ? 1 : 13) {
        bytes[at] ^= 4;
        if (taken(bytes, size)) fail_msg("byte %zu", at);
        bytes[at] ^= 4;
      }
      for (at = 1; at < size; at += 97)
        if (taken(bytes, size - at)) fail_msg("%zu bytes less", at);
      assert_true(taken(bytes, size));
      free(bytes);
    }
    unlink(binary_path);
  }
}

static void persons_in_another_order_are_refused(void **state) {
  static const char *const texts[] = {"a,who,label\n1,1,0\n1,2,1\n1,1.0,1\n2,3,1\n5,4,0\n",
                                      "a,who,label\n1,10,0\n1,9,1\n1,11,1\n2,12,1\n5,13,0\n",
                                      "a,who,label\n1,b,0\n1,a,1\n1,c,1\n2,d,1\n5,e,0\n",
                                      "a,who,label\n1,b,0\n1,b,1\n1,c,1\n2,1,1\n5,e,0\n",
                                      "a,who,label\n1,1,0\n1,,1\n1,2,1\n2,3,1\n5,4,0\n"};
  static const char *const fine = "a,who,label\n1,9,0\n1,9.0,1\n1,10,1\n2,10a,1\n5,b,0\n";
  size_t k;
  (void)state;
  for (k = 0; k < 5; k++) assert_true(text_taken(texts[k], &owned_layout, FAULT_RECORD) == 0);
  assert_true(text_taken(fine, &owned_layout, FAULT_NONE));
}

/* What is read at once is what strtod reads; all that is short is read at once. */
static void plain_numbers_are_read_as_by_strtod(void **state) {
  static const char *const ends[] = {",", "\n", "\r\n", ""};
  int round;
  (void)state;
  for (round = 0; round < 20000; round++) {
    const size_t digits = below(21), point = below(40);
    const char *end = ends[below(4)];
    char text[48];
    size_t used = 0, k;
    double value = -7;
    cursor c;
    if (below(2) > 0) text[used++] = '-';
    for (k = 0; k < digits; k++) {
      if (k == point) text[used++] = '.';
      text[used++] = (char)('0' + below(k == 0 && digits > 12 ? 2 : 10));
    }
    if (point == digits) text[used++] = '.';
    text[used] = '\0';
    strcat(text, end);
    c = cursor_at(text, strlen(text), "text", error);
    if (value_plain(&value, &c, ',')) {
      const double expected = strtod(text, NULL);
      assert_true(digits > 0 && memcmp(&value, &expected, sizeof value) == 0);
      assert_ptr_equal(c.at, text + used + (*end == '\r'));
    } else {
      assert_true(digits == 0 || digits > 15);
      assert_true(c.at == text && value == -7);
    }
  }
}

/* Known answers of XXH64. */
static void the_checksum_is_xxh64(void **state) {
  static const char *const text = "Nobody inspects the spammish repetition";
  (void)state;
  assert_true(checksum("", 0) == UINT64_C(0xEF46DB3751D8E999));
  assert_true(checksum("abc", 3) == UINT64_C(0x44BC2CF5AD770999));
  assert_true(checksum(text, strlen(text)) == UINT64_C(0xFBCEA83C8A378BF1));
}

static int folder_make(void **state) {
  (void)state;
  folder = mkdtemp(places[0]);
  if (folder == NULL) folder = mkdtemp(places[1]);
  return folder == NULL;
}

static int folder_remove(void **state) {
  static const char *const names[] = {"records.csv", "small.csv", "tried.dpb", "changed",
                                      "text.csv",    "full.dpb",  "parts.csv", "parts.dpb"};
  size_t k;
  (void)state;
  for (k = 0; k < sizeof names / sizeof *names; k++) unlink(in_folder(names[k]));
  return rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(blocks_are_the_rows_of_memory_from_every_source),
      TEST(files_cut_off_or_damaged_anywhere_are_refused),
      TEST(forged_files_are_refused),
      TEST(sizes_that_are_not_those_of_the_file_are_refused),
      TEST(records_beyond_2_to_32_are_found),
      TEST(files_that_are_changed_between_two_passes_are_noticed),
      TEST(texts_outside_of_what_is_declared_are_refused),
      TEST(what_is_no_file_is_refused),
      TEST(a_full_disk_leaves_no_file),
      TEST(parts_of_a_file_add_up_to_it),
      TEST(blocks_hold_whole_persons_from_every_source),
      TEST(persons_in_another_order_are_refused),
      TEST(plain_numbers_are_read_as_by_strtod),
      TEST(the_checksum_is_xxh64),
  };
  return RUN_TESTS(tests, folder_make, folder_remove);
}
