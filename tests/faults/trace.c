/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const fault_names[FAULT_KINDS] = {"none",
                                              "allocation fails",
                                              "entropy fails",
                                              "entropy short",
                                              "entropy interrupted",
                                              "open fails",
                                              "read fails",
                                              "read short",
                                              "read interrupted",
                                              "write fails",
                                              "disk full",
                                              "write short",
                                              "write interrupted",
                                              "fsync fails",
                                              "link or unlink fails",
                                              "close fails",
                                              "stat, lock, truncate",
                                              "SIGKILL",
                                              "SIGTERM",
                                              "SIGINT"};

fault_group fault_group_of(fault_kind kind) {
  static const fault_group of[FAULT_KINDS] = {
      GROUPS,      GROUP_ALLOCATION, GROUP_ENTROPY, GROUP_ENTROPY, GROUP_ENTROPY,
      GROUP_OPEN,  GROUP_READ,       GROUP_READ,    GROUP_READ,    GROUP_WRITE,
      GROUP_WRITE, GROUP_WRITE,      GROUP_WRITE,   GROUP_SYNC,    GROUP_NAME,
      GROUP_CLOSE, GROUP_OTHER,      GROUP_CHANGE,  GROUP_CHANGE,  GROUP_CHANGE};
  return of[kind];
}

/* --- which call it is ------------------------------------------------------------------------- */

/* fd 2 is left alone: what is said there is what is tested. */
static fault_group group_of(const struct user_regs_struct *r) {
  switch ((long)r->orig_rax) {
  case SYS_getrandom:
    return GROUP_ENTROPY;
  case SYS_open:
  case SYS_openat:
    return GROUP_OPEN;
  case SYS_read:
  case SYS_pread64:
    return GROUP_READ;
  case SYS_write:
  case SYS_pwrite64:
  case SYS_writev:
    return r->rdi == 2 ? GROUPS : GROUP_WRITE;
  case SYS_fsync:
  case SYS_fdatasync:
    return GROUP_SYNC;
  case SYS_link:
  case SYS_linkat:
  case SYS_rename:
  case SYS_renameat:
  case SYS_unlink:
  case SYS_unlinkat:
    return GROUP_NAME;
  case SYS_close:
    return r->rdi == 2 ? GROUPS : GROUP_CLOSE;
  case SYS_newfstatat:
  case SYS_fstat:
  case SYS_stat:
  case SYS_lstat:
  case SYS_lseek:
  case SYS_ftruncate:
  case SYS_flock:
  case SYS_fcntl:
    return GROUP_OTHER;
  default:
    return GROUPS;
  }
}

static int changes(fault_group g, const struct user_regs_struct *r) {
  if (g == GROUP_OPEN) {
    const unsigned long long flags = r->orig_rax == SYS_open ? r->rsi : r->rdx;
    return (flags & O_ACCMODE) != O_RDONLY;
  }
  return g == GROUP_WRITE || g == GROUP_SYNC || g == GROUP_NAME ||
         (long)r->orig_rax == SYS_ftruncate;
}

static void text_at(char *to, size_t size, pid_t child, unsigned long long address) {
  size_t k = 0;
  for (; k + 1 < size; k++) { /* byte by byte: a string may end before a page that is not there */
    struct iovec mine = {to + k, 1}, its = {(void *)(uintptr_t)(address + k), 1};
    if (process_vm_readv(child, &mine, 1, &its, 1, 0) != 1 || to[k] == '\0') break;
  }
  to[k] = '\0';
}

static void path_of(char path[256], pid_t child, fault_group g, const struct user_regs_struct *r) {
  char name[64];
  ssize_t got;
  path[0] = '\0';
  if (g == GROUP_ENTROPY) return;
  if (g == GROUP_NAME || g == GROUP_OPEN || r->orig_rax == SYS_newfstatat ||
      r->orig_rax == SYS_stat || r->orig_rax == SYS_lstat) {
    const int at = r->orig_rax == SYS_openat || r->orig_rax == SYS_newfstatat ||
                   r->orig_rax == SYS_linkat || r->orig_rax == SYS_unlinkat ||
                   r->orig_rax == SYS_renameat;
    text_at(path, 256, child, at ? r->rsi : r->rdi);
    if (path[0] != '\0') return;
  }
  (void)snprintf(name, sizeof name, "/proc/%ld/fd/%lld", (long)child, (long long)r->rdi);
  got = readlink(name, path, 255);
  path[got > 0 ? got : 0] = '\0';
}

/* --- what must not be found ------------------------------------------------------------------- */

static int word_order(const void *a, const void *b) {
  const unsigned long long x = *(const unsigned long long *)a, y = *(const unsigned long long *)b;
  return (x > y) - (x < y);
}

/* The norm that rows of a few columns are clipped to, 0.4 sqrt(d), which models state. */
static int is_radius(unsigned long long word) {
  double value;
  int d;
  memcpy(&value, &word, sizeof value);
  for (d = 1; d <= 4; d++)
    if (value * value > 0.16 * d * (1 - 4e-15) && value * value < 0.16 * d * (1 + 4e-15)) return 1;
  return 0;
}

/* Round numbers and public ones are anywhere; the others have low bits. */
static int telling(unsigned long long word, int narrow) {
  if (!narrow && is_radius(word)) return 0;
  return narrow ? (word & 0xfff) != 0 && (word >> 32 & 0xfff) != 0 : (word & 0xffffff) != 0;
}

static void secrets_add(secrets *s, pid_t child, const struct user_regs_struct *r) {
  const size_t width = (size_t)r->rdx, bytes = (size_t)r->rsi * width;
  char *copy = malloc(bytes + 8);
  struct iovec mine = {copy, bytes}, its = {(void *)(uintptr_t)r->rdi, bytes};
  size_t at, step = width;
  if (width == 4) s->narrow = 1;
  if (copy != NULL && process_vm_readv(child, &mine, 1, &its, 1, 0) == (ssize_t)bytes)
    for (at = 0; at + 8 <= bytes; at += step) {
      unsigned long long word;
      memcpy(&word, copy + at, 8);
      if (!telling(word, width == 4)) continue;
      if (s->count == s->room) {
        s->room = 2 * s->room + 64;
        s->word = realloc(s->word, s->room * sizeof *s->word);
        if (s->word == NULL) abort();
      }
      s->word[s->count++] = word;
    }
  free(copy);
}

static size_t search(const secrets *s, const char *bytes, size_t size, const uint8_t *sieve) {
  const size_t step = s->narrow ? 4 : 8;
  size_t at, found = 0;
  for (at = 0; at + 8 <= size; at += step) {
    unsigned long long word;
    memcpy(&word, bytes + at, 8);
    if (sieve[word & 0xffff] &&
        bsearch(&word, s->word, s->count, sizeof word, word_order) != NULL) {
      if (getenv("FAULTS_WHERE") != NULL) {
        double value;
        memcpy(&value, &word, sizeof value);
        (void)fprintf(stderr, "found %.17g at offset %zx\n", value, at);
      }
      found++;
    }
  }
  return found;
}

/* All that the process may write to. */
static size_t memory_search(secrets *s, pid_t child) {
  static uint8_t sieve[65536];
  char line[512], *bytes;
  size_t found = 0, k;
  FILE *maps;
  if (s->count == 0) return 0;
  qsort(s->word, s->count, sizeof *s->word, word_order);
  memset(sieve, 0, sizeof sieve);
  for (k = 0; k < s->count; k++) sieve[s->word[k] & 0xffff] = 1;
  (void)snprintf(line, sizeof line, "/proc/%ld/maps", (long)child);
  maps = fopen(line, "r");
  if (maps == NULL) abort();
  while (fgets(line, sizeof line, maps) != NULL) {
    unsigned long long from, to;
    char mode[8];
    if (sscanf(line, "%llx-%llx %7s", &from, &to, mode) != 3 || mode[1] != 'w') continue;
    bytes = malloc((size_t)(to - from));
    if (bytes == NULL) abort();
    {
      struct iovec mine = {bytes, (size_t)(to - from)};
      struct iovec its = {(void *)(uintptr_t)from, (size_t)(to - from)};
      const ssize_t got = process_vm_readv(child, &mine, 1, &its, 1, 0);
      if (got > 0) {
        const size_t here = search(s, bytes, (size_t)got, sieve);
        if (here > 0 && getenv("FAULTS_WHERE") != NULL) (void)fprintf(stderr, "in %s", line);
        found += here;
      }
    }
    free(bytes);
  }
  (void)fclose(maps);
  return found;
}

/* --- a run ------------------------------------------------------------------------------------ */

static void child_begin(char *const *argv, const char *library, fault_kind kind, long site) {
  char number[32];
  int out, err, none;
  struct rlimit no_core = {0, 0};
  (void)setrlimit(RLIMIT_CORE, &no_core);
  none = open("/dev/null", O_RDONLY);
  out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (none < 0 || out < 0 || err < 0 || dup2(none, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
    _exit(120);
  (void)close(none);
  (void)close(out);
  (void)close(err);
  (void)snprintf(number, sizeof number, "%ld", kind == FAULT_ALLOCATION ? site : 0);
  (void)setenv("FAULTS_ALLOCATION", number, 1);
  (void)setenv("LD_PRELOAD", library, 1);
  if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(121);
  (void)raise(SIGSTOP);
  (void)execv(argv[0], argv);
  _exit(122);
}

/* What a call is to return in place of its result; 0: it is let through. *r may be changed. */
static long fault_at(struct user_regs_struct *r, fault_kind kind, fault_group g, int first) {
  const int last = r->orig_rax == SYS_getrandom;
  unsigned long long *size = last ? &r->rsi : &r->rdx;
  switch (kind) {
  case ENTROPY_FAILS:
  case OPEN_FAILS:
  case READ_FAILS:
  case WRITE_FAILS:
  case SYNC_FAILS:
  case NAME_FAILS:
  case CLOSE_FAILS:
  case OTHER_FAILS:
    return EIO;
  case ENTROPY_INTERRUPTED:
  case READ_INTERRUPTED:
  case WRITE_INTERRUPTED:
    return EINTR;
  case DISK_FULL:
    if (!first || *size < 2 || r->orig_rax == SYS_writev) return ENOSPC;
    *size /= 2;
    return 0;
  case ENTROPY_SHORT:
  case READ_SHORT:
  case WRITE_SHORT:
    if (g == GROUP_WRITE && r->orig_rax == SYS_writev) return EINTR;
    if (*size > 1) *size = 1;
    return 0;
  default:
    return 0;
  }
}

/* At the entry of a call: the error that it is to have, 0 for none, -1 if a signal was sent. */
static long entered(outcome *o, pid_t child, fault_kind kind, long site, int *begun,
                    unsigned long long *counter) {
  struct user_regs_struct r, before;
  fault_group g;
  long error = 0;
  int hit, again;
  if (ptrace(PTRACE_GETREGS, child, NULL, &r) != 0) return 0;
  if ((long)r.orig_rax == TOLD_BEGIN) {
    *begun = 1;
    *counter = r.rdi;
  } else if ((long)r.orig_rax == TOLD_SECRET) {
    secrets_add(&o->known, child, &r);
  }
  g = *begun ? group_of(&r) : GROUPS;
  if (g == GROUPS && !(*begun && changes(g, &r))) return 0;
  o->sites[g]++;
  if (changes(g, &r)) o->sites[GROUP_CHANGE]++;
  if (kind == FAULT_NONE || kind == FAULT_ALLOCATION) return 0;
  if (kind >= KILLED) {
    if (!changes(g, &r) || o->sites[GROUP_CHANGE] != site) return 0;
    path_of(o->path, child, g, &r);
    if (kind == KILLED) {
      (void)kill(child, SIGKILL);
      return -1;
    }
    /* the call does not happen: the signal comes before it */
    r.orig_rax = (unsigned long long)-1;
    (void)ptrace(PTRACE_SETREGS, child, NULL, &r);
    (void)kill(child, kind == TERMINATED ? SIGTERM : SIGINT);
    return EINTR;
  }
  hit = g == fault_group_of(kind) && o->sites[g] == site;
  again = (kind == DISK_FULL || kind == ENTROPY_FAILS) && g == fault_group_of(kind) &&
          o->sites[g] > site;
  if (kind == ENTROPY_FAILS && g == GROUP_OPEN) { /* what stands in for getrandom */
    char path[256];
    path_of(path, child, g, &r);
    hit = again = strcmp(path, "/dev/urandom") == 0;
  }
  if (!hit && !again) return 0;
  if (hit) path_of(o->path, child, g, &r);
  before = r;
  error = fault_at(&r, kind, g, hit);
  if (error > 0) r.orig_rax = (unsigned long long)-1;
  if (error > 0 || memcmp(&r, &before, sizeof r) != 0)
    (void)ptrace(PTRACE_SETREGS, child, NULL, &r);
  return error;
}

void trace_run(outcome *o, char *const *argv, const char *library, fault_kind kind, long site) {
  unsigned long long counter = 0;
  int status, begun = 0, inside = 0;
  long error = 0;
  pid_t child;
  memset(o, 0, sizeof *o);
  child = fork();
  if (child < 0) abort();
  if (child == 0) child_begin(argv, library, kind, site);
  if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) {
    o->code = -2; /* no ptrace here */
    return;
  }
  (void)ptrace(PTRACE_SETOPTIONS, child, NULL,
               PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL);
  (void)ptrace(PTRACE_SYSCALL, child, NULL, NULL);
  while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
    int deliver = 0;
    if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
      inside = !inside;
      if (inside) {
        error = entered(o, child, kind, site, &begun, &counter);
      } else if (error > 0) {
        struct user_regs_struct r;
        (void)ptrace(PTRACE_GETREGS, child, NULL, &r);
        r.rax = (unsigned long long)-error;
        (void)ptrace(PTRACE_SETREGS, child, NULL, &r);
        error = 0;
      }
    } else if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8)) {
      unsigned long how = 0;
      (void)ptrace(PTRACE_GETEVENTMSG, child, NULL, &how);
      if (counter != 0) {
        struct iovec mine = {&o->sites[GROUP_ALLOCATION], sizeof(long)};
        struct iovec its = {(void *)(uintptr_t)counter, sizeof(long)};
        (void)process_vm_readv(child, &mine, 1, &its, 1, 0);
      }
      if ((how & 0x7f) == 0) o->in_memory = memory_search(&o->known, child);
    } else if (WSTOPSIG(status) != SIGTRAP) {
      deliver = WSTOPSIG(status);
    }
    (void)ptrace(PTRACE_SYSCALL, child, NULL, (void *)(intptr_t)deliver);
  }
  o->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  o->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

void outcome_free(outcome *o) {
  free(o->known.word);
  memset(o, 0, sizeof *o);
}
