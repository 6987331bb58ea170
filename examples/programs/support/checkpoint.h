/* SPDX-License-Identifier: MIT */
/*
 * checkpoint.h - what a training run needs to go on after it was stopped at any moment.
 *
 * One file, which only its owner may read: with the key in it the noise of the release can be
 * undone. It is text: a head (version, digests of settings and data, the plan's key and its ledger
 * line), then two slots for w, of fixed size, written in turn, each with a checksum. Nothing grows
 * and nothing is renamed once the file is there. So a full disk can only show when it is made; a
 * step that was being written when the program died leaves the one before; and at the end the key's
 * own bytes are overwritten.
 *
 * The lock (flock) is the file's own. It ends with the process, however that ends.
 */
#ifndef CHECKPOINT_H
#define CHECKPOINT_H

#include <stddef.h>
#include <stdint.h>

#include "support/sha256.h"

enum { CHECKPOINT_KEY = 32, CHECKPOINT_LINE = 4096, CHECKPOINT_VERSION = 32 };

/* What a file is found to be; only FULL has anything in it. */
typedef enum checkpoint_state {
  CHECKPOINT_CLAIMED, /* begun, but nothing was paid: as good as new                     */
  CHECKPOINT_FULL,    /* a run that can be gone on with                                  */
  CHECKPOINT_ENDED    /* its run has ended and was about to remove it                    */
} checkpoint_state;

typedef struct checkpoint {
  int fd; /* -1: closed, as after memset by checkpoint_clear                             */
  const char *path;
  checkpoint_state state;
  char version[CHECKPOINT_VERSION]; /* of the program that wrote it                      */
  uint8_t settings[DIGEST_SIZE], data[DIGEST_SIZE];
  uint8_t key[CHECKPOINT_KEY];
  char line[CHECKPOINT_LINE]; /* of the ledger, without its end                          */
  size_t length, d, steps;    /* of the line; numbers; releases that are paid            */
  size_t step;                /* releases that were made                                 */
  double *w;                  /* d numbers after them; malloc'ed                         */
  size_t head;                /* bytes of the file before the slots                      */
  uint8_t check[DIGEST_SIZE]; /* of the head                                             */
} checkpoint;

/* Closed. */
void checkpoint_clear(checkpoint *c);

/* Makes path and locks it, or with `resume` opens what is there, locks and reads it. 0 after a
 * complaint: it exists, another run has it, it cannot be made or read, it is damaged. */
int checkpoint_open(checkpoint *c, const char *path, int resume);

/* Writes a claimed file: version, settings, data, key, line, length, d and steps are the caller's;
 * w is 0 after step 0. 1 once all of it is on the disk; else a complaint. */
int checkpoint_begin(checkpoint *c);

/* c->w as it is after `step` releases; 1 once it is on the disk. */
int checkpoint_keep(checkpoint *c, size_t step);

/* Overwrites the file and removes it; 0 after a complaint. */
int checkpoint_end(checkpoint *c);

/* Gives the lock back and wipes the key in memory. A file that was only claimed is removed. */
void checkpoint_close(checkpoint *c);

#endif /* CHECKPOINT_H */
