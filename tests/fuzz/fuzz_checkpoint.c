/* SPDX-License-Identifier: MIT */
/*
 * A checkpoint that somebody may have edited, whose checks are right wherever they can be. It is
 * refused with a sentence, or holds finite numbers after no more steps than were paid for; a step
 * that is kept is there when the file is opened again, also when what was written before it is
 * damaged; at its end nothing of it is left.
 *
 * sources: examples/programs/support/data.c examples/programs/support/draft.c
 * sources: examples/programs/support/maps.c examples/programs/support/sha256.c
 * sources: examples/programs/support/text.c examples/programs/support/report.c
 * brief: 150
 */
#include "input.h"

#include <stdarg.h>

#include "support/checkpoint.c"
#include "support/text.h"

enum { MOST = 9 };

static char path[64], said[512];

int complain(int code, const char *format, ...) {
  va_list list;
  va_start(list, format);
  (void)vsnprintf(said, sizeof said, format, list);
  va_end(list);
  return code;
}

static void put(const char *text, size_t size) {
  FILE *file = fopen(path, "wb");
  REQUIRE(file != NULL && fwrite(text, 1, size, file) == size && fclose(file) == 0, "a file");
  REQUIRE(chmod(path, 0600) == 0, "a mode");
}

static char *get(size_t *size) {
  char error[ERROR_SIZE], *text = file_read(path, size, error);
  REQUIRE(text != NULL, error);
  return text;
}

static void fill(checkpoint *c, input *in) {
  size_t k;
  in_bytes(in, c->settings, sizeof c->settings);
  in_bytes(in, c->key, sizeof c->key);
  (void)strcpy(c->version, "1.2.3");
  c->length = in_count(in, 300);
  for (k = 0; k < c->length; k++) c->line[k] = (char)(' ' + in_choice(in, 90));
  c->d = 1 + (size_t)in_choice(in, MOST);
  c->steps = in_size(in, 1000);
}

static void steps(checkpoint *c, input *in, size_t most) {
  size_t t, k;
  for (t = c->step + 1; t <= c->steps && most-- > 0; t++) {
    for (k = 0; k < c->d; k++) {
      c->w[k] = in_hostile(in);
      if (!dppair_isfinite_f64(c->w[k])) c->w[k] = 1;
    }
    REQUIRE(checkpoint_keep(c, t), "a step is not kept");
  }
}

static void is(const checkpoint *c, const checkpoint *other) {
  REQUIRE(c->state == CHECKPOINT_FULL && c->d == other->d && c->steps == other->steps &&
              c->step == other->step && memcmp(c->key, other->key, sizeof c->key) == 0 &&
              c->length == other->length && memcmp(c->line, other->line, c->length) == 0 &&
              memcmp(c->w, other->w, c->d * sizeof *c->w) == 0,
          "another checkpoint");
}

/* The check of the head, and those of slots where the head says that they are. */
static void check_again(char *text, size_t size) {
  checkpoint c;
  char *copy, hex[HEX + 1], *at;
  uint8_t check[DIGEST_SIZE];
  size_t k;
  for (at = text; at != NULL && strncmp(at, "check ", 6) != 0; at = at != NULL ? at + 1 : NULL)
    at = strchr(at, '\n');
  if (at == NULL || (size_t)(at - text) + 6 + HEX > size) return;
  digest_of(check, "", 0, text, (size_t)(at - text));
  hex_put(hex, check);
  memcpy(at + 6, hex, HEX);
  copy = (char *)malloc(size + 1);
  REQUIRE(copy != NULL, "memory");
  memcpy(copy, text, size + 1);
  checkpoint_clear(&c);
  if (head_read(&c, copy) && c.d <= size / NUMBER && c.head + 2 * slot_size(c.d) <= size)
    for (k = 0; k < 2; k++) {
      char *slot = text + c.head + k * slot_size(c.d);
      const size_t room = slot_size(c.d) - (6 + HEX + 1);
      digest_of(check, c.check, sizeof c.check, slot, room);
      hex_put(hex, check);
      memcpy(slot + room, "check ", 6);
      memcpy(slot + room + 6, hex, HEX);
    }
  free(copy);
}

/* Anywhere, or behind the words that a number follows. */
static size_t place_of(input *in, const char *text, size_t size) {
  static const char *const words[] = {"numbers ", "steps ", "step ", "line ", "key "};
  const char *at = strstr(text, words[in_choice(in, 5)]);
  if (in_choice(in, 2) || at == NULL) return (in_byte(in) | in_byte(in) << 8) % size;
  return ((size_t)(at - text) + 5 + (size_t)in_choice(in, 24)) % size;
}

static void forged(input *in) {
  checkpoint c;
  size_t size, k;
  char *text = get(&size);
  const int changes = in_choice(in, 5), checked = in_choice(in, 3);
  for (k = 0; k < (size_t)changes && size > 0; k++) {
    const size_t at = place_of(in, text, size);
    text[at] = in_choice(in, 2) ? (char)('0' + in_choice(in, 10)) : (char)in_byte(in);
  }
  if (in_rarely(in)) size = in_count(in, size);
  text = (char *)realloc(text, size + 1);
  REQUIRE(text != NULL, "memory");
  text[size] = '\0';
  if (checked) check_again(text, size);
  put(text, size);
  free(text);
  said[0] = '\0';
  if (!checkpoint_open(&c, path, 1)) {
    REQUIRE(said[0] != '\0' && all_zero(c.key, sizeof c.key), "refused without a sentence");
    return;
  }
  if (c.state == CHECKPOINT_FULL) {
    REQUIRE(c.step <= c.steps && c.d > 0 && dppair_all_finite_f64(c.w, c.d), "no such step");
    steps(&c, in, 2);
  }
  checkpoint_close(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  input source = {bytes, size}, *in = &source;
  const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  checkpoint c, again;
  struct stat about;
  (void)snprintf(path, sizeof path, "%s/fuzz_checkpoint_%ld", folder, (long)getpid());
  (void)unlink(path);
  REQUIRE(checkpoint_open(&c, path, 0), "it is not made");
  fill(&c, in);
  REQUIRE(checkpoint_begin(&c), "it does not begin");
  steps(&c, in, (size_t)in_choice(in, 4));
  again = c; /* its lock is another's now */
  again.w = (double *)malloc(c.d * sizeof *c.w);
  REQUIRE(again.w != NULL, "memory");
  memcpy(again.w, c.w, c.d * sizeof *c.w);
  checkpoint_close(&c);
  REQUIRE(checkpoint_open(&c, path, 1), "it is not read back");
  is(&c, &again);
  free(again.w);
  if (in_choice(in, 4) == 0) {
    REQUIRE(checkpoint_end(&c), "it does not end");
    checkpoint_close(&c);
    REQUIRE(stat(path, &about) != 0, "it is still there");
    return 0;
  }
  checkpoint_close(&c);
  forged(in);
  (void)unlink(path);
  return 0;
}
