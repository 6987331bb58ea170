/* SPDX-License-Identifier: MIT */
/*
 * hook.c - what a traced program is loaded with. Its allocations are counted, and the one that the
 * variable FAULTS_ALLOCATION numbers fails; the rest is said by system calls that do not exist,
 * which only the tracer sees.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hook.h"
#include "dppair_noise.h"
#include "trace.h"

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static long allocations, fails;

static int fail_now(void) {
  if (++allocations != fails) return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) { return fail_now() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fail_now() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fail_now() ? NULL : __libc_realloc(old, size); }

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("FAULTS_ALLOCATION");
  const int before = errno;
  allocations = 0; /* the loader's own are not the program's */
  fails = text != NULL ? strtol(text, NULL, 10) : 0;
  (void)syscall(TOLD_BEGIN, &allocations);
  errno = before;
}

int faults_event(const struct dppair_event *event) {
  const int before = errno;
  if (event->kind == DPPAIR_EVENT_ADD)
    (void)syscall(TOLD_SECRET, event->values, event->n, event->width);
  errno = before;
  return 0;
}
