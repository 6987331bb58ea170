/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "support/checkpoint.h"
#include "support/draft.h"
#include "support/program.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The first 8 bytes say what the file is. They are zero until everything behind them is on the disk
 * (CLAIMED: the ledger's line is not yet stored, so nothing was paid), and they are the first that
 * is overwritten at the end.
 */
enum { MARK = 8, NUMBER = 24, STEP = 20, HEX = 2 * DIGEST_SIZE };
static const char full[] = "dppair checkpoint 1\n", ended[] = "ended...";

static int trouble(const checkpoint *c) { return complain(0, "%s: %s", c->path, strerror(errno)); }

/* --- bytes ------------------------------------------------------------------------------------ */

static int put_at(const checkpoint *c, const void *bytes, size_t size, size_t at) {
  const char *from = bytes;
  while (size > 0) {
    const ssize_t done = pwrite(c->fd, from, size, (off_t)at);
    if (done < 0 && errno == EINTR) continue;
    if (done == 0) errno = ENOSPC;
    if (done <= 0) return trouble(c);
    from += done;
    at += (size_t)done;
    size -= (size_t)done;
  }
  return 1;
}

static int settle(const checkpoint *c) { return fsync(c->fd) == 0 || trouble(c); }

/* A new name, or one that is gone, is on the disk when its folder is. */
static int settle_folder(const checkpoint *c) { return draft_settle_folder(c->path) || trouble(c); }

static void hex_put(char out[HEX + 1], const uint8_t bytes[DIGEST_SIZE]) {
  size_t k;
  for (k = 0; k < DIGEST_SIZE; k++) (void)sprintf(out + 2 * k, "%02x", bytes[k]);
}

static int hex_get(uint8_t bytes[DIGEST_SIZE], const char *text) {
  size_t k;
  for (k = 0; k < HEX; k++) {
    const char *at = strchr("0123456789abcdef", text[k]);
    if (text[k] == '\0' || at == NULL) return 0;
    bytes[k / 2] = (uint8_t)(k % 2 == 0 ? (at - "0123456789abcdef") << 4
                                        : bytes[k / 2] + (at - "0123456789abcdef"));
  }
  return 1;
}

static void digest_of(uint8_t out[DIGEST_SIZE], const void *before, size_t size, const char *text,
                      size_t length) {
  sha256 h;
  sha256_begin(&h);
  sha256_add(&h, before, size);
  sha256_add(&h, text, length);
  sha256_end(out, &h);
}

/* --- head and slots --------------------------------------------------------------------------- */

enum { HEAD_MOST = CHECKPOINT_LINE + 1024 };

static size_t slot_size(size_t d) { return 5 + STEP + 1 + d * (NUMBER + 1) + 6 + HEX + 1; }

/* head[HEAD_MOST]; sets c->head and c->check. */
static void head_write(char *head, checkpoint *c) {
  char set[HEX + 1], data[HEX + 1], key[HEX + 1], check[HEX + 1];
  int used;
  hex_put(set, c->settings);
  hex_put(data, c->data);
  hex_put(key, c->key);
  used = snprintf(head, HEAD_MOST,
                  "%sversion %s\nsettings %s\ndata %s\nkey %s\nnumbers %zu\nsteps %zu\nline %.*s\n",
                  full, c->version, set, data, key, c->d, c->steps, (int)c->length, c->line);
  digest_of(c->check, "", 0, head, (size_t)used);
  hex_put(check, c->check);
  c->head = (size_t)(used + sprintf(head + used, "check %s\n", check));
  dppair_wipe(key, sizeof key);
}

/* The value behind "name " at *at, which moves behind its line; NULL when that is not there. */
static char *head_value(char **at, const char *name) {
  const size_t length = strlen(name);
  char *value = *at + length + 1, *end;
  if (strncmp(*at, name, length) != 0 || (*at)[length] != ' ') return NULL;
  end = strchr(value, '\n');
  if (end == NULL) return NULL;
  *end = '\0';
  *at = end + 1;
  return value;
}

/* text is changed. */
static int head_read(checkpoint *c, char *text) {
  static const char *const names[] = {"version", "settings", "data", "key",
                                      "numbers", "steps",    "line", "check"};
  char *at = text + strlen(full), *value[8];
  uint8_t check[DIGEST_SIZE];
  sha256 h;
  int k;
  if (strncmp(text, full, strlen(full)) != 0) return 0;
  sha256_begin(&h);
  sha256_add(&h, full, strlen(full));
  for (k = 0; k < 8; k++) {
    char *line = at;
    value[k] = head_value(&at, names[k]);
    if (value[k] == NULL) return 0;
    if (k == 7) break;
    sha256_add(&h, line, (size_t)(at - 1 - line));
    sha256_add(&h, "\n", 1);
  }
  sha256_end(c->check, &h);
  c->head = (size_t)(at - text);
  if (strlen(value[7]) != HEX || !hex_get(check, value[7]) ||
      memcmp(check, c->check, sizeof check) != 0)
    return 0;
  c->length = strlen(value[6]);
  if (strlen(value[0]) >= sizeof c->version || c->length >= sizeof c->line) return 0;
  (void)strcpy(c->version, value[0]);
  (void)strcpy(c->line, value[6]);
  return strlen(value[1]) == HEX && hex_get(c->settings, value[1]) && strlen(value[2]) == HEX &&
         hex_get(c->data, value[2]) && strlen(value[3]) == HEX && hex_get(c->key, value[3]) &&
         text_size(&c->d, value[4]) && text_size(&c->steps, value[5]);
}

/* Numbers in hexadecimal, exact, each of the same width. */
static void slot_write(char *slot, const checkpoint *c, size_t step) {
  uint8_t check[DIGEST_SIZE];
  char hex[HEX + 1], *at = slot + sprintf(slot, "step %*zu\n", STEP, step);
  size_t k;
  for (k = 0; k < c->d; k++) at += sprintf(at, "%-*a\n", NUMBER, c->w[k]);
  digest_of(check, c->check, sizeof c->check, slot, (size_t)(at - slot));
  hex_put(hex, check);
  (void)sprintf(at, "check %s\n", hex);
}

/* The slot's step and numbers, if it is whole. */
static int slot_read(double *w, size_t *step, const checkpoint *c, const char *slot) {
  const size_t size = slot_size(c->d) - (6 + HEX + 1);
  const char *at = slot + 5 + STEP + 1;
  uint8_t check[DIGEST_SIZE], kept[DIGEST_SIZE];
  size_t k;
  digest_of(check, c->check, sizeof c->check, slot, size);
  if (strncmp(slot + size, "check ", 6) != 0 || !hex_get(kept, slot + size + 6) ||
      memcmp(check, kept, sizeof check) != 0)
    return 0;
  *step = (size_t)strtoull(slot + 5, NULL, 10);
  for (k = 0; k < c->d; k++, at += NUMBER + 1) w[k] = strtod(at, NULL);
  return *step <= c->steps && dppair_all_finite_f64(w, c->d);
}

/* --- a file that is there --------------------------------------------------------------------- */

static int damaged(const checkpoint *c) {
  return complain(0,
                  "%s: no checkpoint, or damaged, so nothing is done. What it held was paid for: a "
                  "run that begins anew spends its epsilon again",
                  c->path);
}

/* Both slots; the later one that is whole. */
static int slots_read(checkpoint *c, const char *slots) {
  double *w = malloc(2 * c->d * sizeof *w);
  int k, found = 0;
  if (w == NULL) return complain(0, "out of memory");
  c->w = w;
  for (k = 0; k < 2; k++) {
    size_t step;
    if (!slot_read(w + c->d, &step, c, slots + (size_t)k * slot_size(c->d))) continue;
    if (found && step < c->step) continue;
    memcpy(w, w + c->d, c->d * sizeof *w);
    c->step = step;
    found = 1;
  }
  return found || damaged(c);
}

static int text_read(checkpoint *c, char *text, size_t size) {
  const size_t mark = size < MARK ? size : MARK;
  size_t k, j;
  for (k = 0; k < mark && text[k] == full[k]; k++) {
  }
  for (j = k; j < mark && text[j] == '\0'; j++) {
  }
  c->state = CHECKPOINT_CLAIMED;
  if (j == mark && (k == 0 || k < size) && k < MARK) return 1; /* the mark is written last */
  for (k = 0; k < mark && text[k] == ended[k]; k++) {
  }
  for (j = k; j < mark && text[j] == full[j]; j++) {
  }
  c->state = CHECKPOINT_ENDED;
  if (k > 1 && j == MARK) return 1; /* and overwritten first; either may be cut off */
  c->state = CHECKPOINT_FULL;
  if (!head_read(c, text) || c->d == 0 || c->d > (size - c->head) / (2 * NUMBER) ||
      size != c->head + 2 * slot_size(c->d))
    return damaged(c);
  return slots_read(c, text + c->head);
}

enum { SIZE_MOST = 1 << 28 };

static int content_read(checkpoint *c) {
  struct stat about;
  size_t size, have = 0;
  char *text;
  int ok;
  if (fstat(c->fd, &about) != 0) return trouble(c);
  if (!S_ISREG(about.st_mode) || about.st_size > SIZE_MOST) return damaged(c);
  if ((about.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    (void)complain(0, "warning: others may read %s, which undoes the noise of its release",
                   c->path);
  size = (size_t)about.st_size;
  text = malloc(size + 1);
  if (text == NULL) return complain(0, "out of memory");
  while (have < size) {
    const ssize_t got = pread(c->fd, text + have, size - have, (off_t)have);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += (size_t)got;
  }
  text[have] = '\0';
  ok = have == size ? text_read(c, text, size) : damaged(c);
  dppair_wipe(text, size);
  free(text);
  return ok;
}

/* --- the life of a file ----------------------------------------------------------------------- */

void checkpoint_clear(checkpoint *c) {
  dppair_wipe(c, sizeof *c);
  c->fd = -1;
}

int checkpoint_open(checkpoint *c, const char *path, int resume) {
  struct stat mine, there;
  checkpoint_clear(c);
  c->path = path;
  c->fd = open(path, resume ? O_RDWR : O_RDWR | O_CREAT | O_EXCL, 0600);
  if (c->fd < 0 && errno == EEXIST)
    return complain(0, "%s: exists; --resume goes on with the run that it is of", path);
  if (c->fd < 0) return trouble(c);
  if (flock(c->fd, LOCK_EX | LOCK_NB) != 0) {
    const int busy = errno == EWOULDBLOCK;
    if (busy)
      (void)complain(0, "%s: another run is going on with it", path);
    else
      (void)trouble(c);
  } else if (fstat(c->fd, &mine) != 0 || stat(path, &there) != 0 || mine.st_ino != there.st_ino ||
             mine.st_dev != there.st_dev) { /* removed between open and flock: it has ended */
    (void)complain(0, "%s: another run has just ended with it", path);
  } else if (!resume || content_read(c)) {
    return 1;
  }
  (void)close(c->fd); /* what another run has stays */
  free(c->w);
  checkpoint_clear(c);
  return 0;
}

int checkpoint_begin(checkpoint *c) {
  const size_t slot = slot_size(c->d);
  char head[HEAD_MOST], *all;
  int ok;
  head_write(head, c);
  c->step = 0;
  c->w = calloc(2 * c->d, sizeof *c->w);
  all = malloc(c->head + 2 * slot + 1);
  if (c->w == NULL || all == NULL) {
    free(all);
    return complain(0, "out of memory");
  }
  memcpy(all, head, c->head);
  memset(all, 0, MARK);
  slot_write(all + c->head, c, 0);
  slot_write(all + c->head + slot, c, 0);
  ok = (ftruncate(c->fd, 0) == 0 || trouble(c)) && put_at(c, all, c->head + 2 * slot, 0) &&
       settle(c) && put_at(c, head, MARK, 0) && settle(c) && settle_folder(c);
  if (ok) c->state = CHECKPOINT_FULL;
  dppair_wipe(all, c->head);
  dppair_wipe(head, sizeof head);
  free(all);
  return ok;
}

int checkpoint_keep(checkpoint *c, size_t step) {
  const size_t slot = slot_size(c->d);
  char *text = malloc(slot + 1);
  int ok;
  if (text == NULL) return complain(0, "out of memory");
  slot_write(text, c, step);
  ok = put_at(c, text, slot, c->head + step % 2 * slot) && settle(c);
  free(text);
  if (ok) c->step = step;
  return ok;
}

int checkpoint_end(checkpoint *c) {
  static const char none[4096] = {0};
  struct stat about;
  size_t at, size;
  int ok;
  if (fstat(c->fd, &about) != 0) return trouble(c);
  size = (size_t)about.st_size;
  ok = put_at(c, ended, MARK, 0) && settle(c);
  for (at = MARK; ok && at < size; at += sizeof none)
    ok = put_at(c, none, size - at < sizeof none ? size - at : sizeof none, at);
  ok = ok && settle(c);
  if (ok && unlink(c->path) != 0) ok = trouble(c);
  ok = ok && settle_folder(c);
  if (ok) c->state = CHECKPOINT_ENDED;
  if (!ok)
    (void)complain(0, "%s: not erased; it undoes the noise of this release: remove it", c->path);
  return ok;
}

void checkpoint_close(checkpoint *c) {
  if (c->fd >= 0) {
    if (c->state == CHECKPOINT_CLAIMED) (void)unlink(c->path);
    (void)close(c->fd);
  }
  free(c->w);
  checkpoint_clear(c);
}
