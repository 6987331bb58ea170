/* SPDX-License-Identifier: MIT */
/*
 * draft.h - a file that is there as a whole or not at all: it is written under a name of its own
 * beside the one that it gets at the end, when it is on the disk. Who reads the name finds the old
 * file or the new one, whenever the run is stopped and whatever fails.
 *
 * A run that is killed leaves its draft, PATH.dppair-PID.part. The next one that writes PATH
 * removes it: a draft is locked for as long as its run lives.
 */
#ifndef DRAFT_H
#define DRAFT_H

#include <stdio.h>

typedef enum draft_rule {
  DRAFT_NEW,     /* nothing is replaced: EEXIST */
  DRAFT_AGAIN,   /* the same, but what is there may be what is written, to the last byte */
  DRAFT_REPLACE, /* an old file goes when the new one is complete; through a link its target */
  DRAFT_RULES
} draft_rule;

typedef struct draft {
  int fd;
  FILE *file; /* what draft_stream made of fd, or NULL */
  draft_rule rule;
  char *path, *temporary;
} draft;

/* No file; what draft_drop may be given before draft_open. */
void draft_clear(draft *d);

/* Begins a file of this name, with these permissions where it is new. 0 with errno. */
int draft_open(draft *d, const char *path, draft_rule rule, unsigned mode);

/* To be written to with stdio, in place of d->fd. NULL with errno. */
FILE *draft_stream(draft *d);

/* Gives the file its name, once all of it is on the disk, and ends the draft. 0 with errno: then
 * what was there before is there, or, where the folder alone could not be put on the disk, the new
 * file. */
int draft_keep(draft *d);

/* Forgets the file, if it has not been kept. */
void draft_drop(draft *d);

/* Puts the names in the folder of this path on the disk. 0 with errno. */
int draft_settle_folder(const char *path);

#endif /* DRAFT_H */
