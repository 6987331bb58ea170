/* SPDX-License-Identifier: MIT */
/*
 * trace.h - one run of a program in which one thing goes wrong (Linux on x86-64, by ptrace).
 */
#ifndef FAULTS_TRACE_H
#define FAULTS_TRACE_H

#include <stddef.h>

/* System calls that no kernel has. */
enum { TOLD_BEGIN = 0x5fa0001, TOLD_SECRET = 0x5fa0002 };

/* What goes wrong; the site is the K-th call of its group. */
typedef enum fault_kind {
  FAULT_NONE,
  FAULT_ALLOCATION,
  ENTROPY_FAILS, /* from there on: EIO, also of /dev/urandom, which does not open */
  ENTROPY_SHORT, /* one byte */
  ENTROPY_INTERRUPTED,
  OPEN_FAILS,
  READ_FAILS,
  READ_SHORT, /* one byte */
  READ_INTERRUPTED,
  WRITE_FAILS, /* EIO, once */
  DISK_FULL,   /* half of it is written, then ENOSPC, for ever */
  WRITE_SHORT, /* one byte */
  WRITE_INTERRUPTED,
  SYNC_FAILS,
  NAME_FAILS, /* link, rename, unlink */
  CLOSE_FAILS,
  OTHER_FAILS, /* stat, lseek, truncate, locks */
  KILLED,      /* SIGKILL before a call that changes something outside */
  TERMINATED,  /* SIGTERM there */
  INTERRUPTED, /* SIGINT there */
  FAULT_KINDS
} fault_kind;

typedef enum fault_group {
  GROUP_ALLOCATION,
  GROUP_ENTROPY,
  GROUP_OPEN,
  GROUP_READ,
  GROUP_WRITE,
  GROUP_SYNC,
  GROUP_NAME,
  GROUP_CLOSE,
  GROUP_OTHER,
  GROUP_CHANGE,
  GROUPS
} fault_group;

extern const char *const fault_names[FAULT_KINDS];
fault_group fault_group_of(fault_kind kind);

/* Numbers that were in a vector before its noise: 8 bytes each, one double or two floats. */
typedef struct secrets {
  unsigned long long *word;
  size_t count, room;
  int narrow; /* floats: they may stand at any multiple of 4 */
} secrets;

typedef struct outcome {
  int code;           /* exit status, or -1: ended by `signal` */
  int signal, slow;   /* slow: it was stopped after a minute */
  long sites[GROUPS]; /* calls of each group */
  char path[256];     /* the file of the call that failed, where it has one */
  size_t in_memory;   /* secrets that were found in its memory when it ended by itself */
  secrets known;
} outcome;

/* Runs argv with stdout and stderr into the files out and err of this folder. library: hook.c. */
void trace_run(outcome *o, char *const *argv, const char *library, fault_kind kind, long site);
void outcome_free(outcome *o);

#endif /* FAULTS_TRACE_H */
