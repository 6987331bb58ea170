/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "support/draft.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char middle[] = ".dppair-", end[] = ".part";

void draft_clear(draft *d) {
  memset(d, 0, sizeof *d);
  d->fd = -1;
}

/* --- folders ---------------------------------------------------------------------------------- */

/* The folder of a path, which open takes; malloc'ed. */
static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  const size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
  char *folder = malloc(length + 2);
  if (folder == NULL) return NULL;
  memcpy(folder, path, length);
  (void)strcpy(folder + length, ".");
  return folder;
}

int draft_settle_folder(const char *path) {
  char *folder = folder_of(path);
  int fd, ok, why;
  if (folder == NULL) return 0;
  fd = open(folder, O_RDONLY | O_CLOEXEC);
  free(folder);
  ok = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL); /* some file systems have no such thing */
  why = errno;
  if (fd >= 0) (void)close(fd);
  errno = why;
  return ok;
}

/* NAME.dppair-NUMBER.part */
static int is_draft(const char *entry, const char *name) {
  const size_t length = strlen(name);
  if (strncmp(entry, name, length) != 0 || strncmp(entry + length, middle, sizeof middle - 1) != 0)
    return 0;
  entry += length + sizeof middle - 1;
  if (strspn(entry, "0123456789") == 0) return 0;
  return strcmp(entry + strspn(entry, "0123456789"), end) == 0;
}

/* Removes a draft that no run has locked. */
static void remove_stale(int folder, const char *entry) {
  struct stat mine;
  const int fd = openat(folder, entry, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return;
  if (fstat(fd, &mine) == 0 && S_ISREG(mine.st_mode) && mine.st_uid == geteuid() &&
      flock(fd, LOCK_EX | LOCK_NB) == 0)
    (void)unlinkat(folder, entry, 0);
  (void)close(fd);
}

/* What killed runs have left. That this fails is no reason not to write. */
static void clean(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
  char *folder = folder_of(path);
  DIR *entries = folder != NULL ? opendir(folder) : NULL;
  const struct dirent *e;
  free(folder);
  if (entries == NULL) return;
  while ((e = readdir(entries)) != NULL)
    if (is_draft(e->d_name, name)) remove_stale(dirfd(entries), e->d_name);
  (void)closedir(entries);
}

static int exists(const char *path) {
  struct stat any;
  return lstat(path, &any) == 0;
}

/* --- a draft ---------------------------------------------------------------------------------- */

/* Another run that begins may take the new file for a stale one before it is locked. */
static int open_locked(const char *temporary, unsigned mode) {
  struct stat mine;
  int tries;
  for (tries = 0; tries < 16; tries++) {
    const int fd = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)mode);
    if (fd < 0) return -1;
    (void)flock(fd, LOCK_EX); /* where there are no locks, nobody finds it unlocked either */
    if (fstat(fd, &mine) != 0 || mine.st_nlink > 0) return fd;
    (void)close(fd);
  }
  errno = EAGAIN;
  return -1;
}

int draft_open(draft *d, const char *path, draft_rule rule, unsigned mode) {
  struct stat there;
  char *target = NULL;
  size_t size;
  int why;
  draft_clear(d);
  d->rule = rule;
  if (rule == DRAFT_NEW && exists(path)) {
    errno = EEXIST;
    return 0;
  }
  if (rule == DRAFT_REPLACE && stat(path, &there) == 0) {
    if (!S_ISREG(there.st_mode) || strncmp(path, "/dev/", 5) == 0) {
      /* a device or a pipe is written to as it is */
      d->fd = open(path, O_WRONLY | O_CLOEXEC);
      return d->fd >= 0;
    }
    if (access(path, W_OK) != 0) return 0;
    mode = there.st_mode & 0777;
    target = realpath(path, NULL);
    if (target == NULL) return 0;
    path = target;
  }
  size = strlen(path) + 64;
  d->path = malloc(size);
  d->temporary = malloc(size);
  if (d->path != NULL && d->temporary != NULL) {
    (void)strcpy(d->path, path);
    (void)snprintf(d->temporary, size, "%s%s%ld%s", path, middle, (long)getpid(), end);
    clean(path);
    d->fd = open_locked(d->temporary, mode);
  }
  why = errno;
  free(target);
  if (d->fd >= 0) return 1;
  draft_drop(d);
  errno = why;
  return 0;
}

FILE *draft_stream(draft *d) {
  if (d->file == NULL && d->fd >= 0) d->file = fdopen(d->fd, "w");
  return d->file;
}

static int same_content(const char *a, const char *b) {
  FILE *one = fopen(a, "rb"), *two = fopen(b, "rb");
  int same = one != NULL && two != NULL;
  while (same) {
    const int c = getc(one);
    same = c == getc(two);
    if (c == EOF) break;
  }
  if (same) same = !ferror(one) && !ferror(two);
  if (one != NULL) (void)fclose(one);
  if (two != NULL) (void)fclose(two);
  return same;
}

/* link() never replaces a file; rename() stands in where a file system has no links. */
static int take_name(const draft *d) {
  if (d->rule == DRAFT_REPLACE) return rename(d->temporary, d->path) == 0;
  if (link(d->temporary, d->path) == 0) return 1;
  if (errno != EEXIST && !exists(d->path)) return rename(d->temporary, d->path) == 0;
  if (d->rule == DRAFT_AGAIN && same_content(d->temporary, d->path)) return 1;
  errno = EEXIST;
  return 0;
}

/* Closes the file; 0 with the first error. */
static int close_all(draft *d, int ok) {
  int why = errno;
  if (d->file != NULL ? fclose(d->file) != 0 : close(d->fd) != 0) {
    if (ok) why = errno;
    ok = 0;
  }
  d->file = NULL;
  d->fd = -1;
  errno = why;
  return ok;
}

int draft_keep(draft *d) {
  int ok = 1, why;
  errno = 0;
  if (d->file != NULL) ok = fflush(d->file) == 0 && !ferror(d->file);
  if (!ok && errno == 0) errno = EIO; /* of an earlier write, whose reason is forgotten */
  if (d->temporary == NULL) return close_all(d, ok);
  /* the lock ends with the file: the name is taken before */
  ok = ok && fsync(d->fd) == 0 && take_name(d);
  why = errno;
  (void)unlink(d->temporary);
  errno = why;
  if (ok) ok = draft_settle_folder(d->path);
  ok = close_all(d, ok);
  why = errno;
  draft_drop(d);
  errno = why;
  return ok;
}

void draft_drop(draft *d) {
  if (d->fd >= 0) {
    (void)close_all(d, 0);
    if (d->temporary != NULL) (void)unlink(d->temporary);
  }
  free(d->path);
  free(d->temporary);
  draft_clear(d);
}
