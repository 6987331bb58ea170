/* SPDX-License-Identifier: MIT */
/*
 * stream.h - how one release is trained: from rows in memory or from a file that is read again in
 * each pass; alone or by several processes; with a checkpoint or without.
 *
 * A pass that was not over the very records that were checked first ends the run before its
 * gradient is released. What a checkpoint has paid for is never paid again: a step that is repeated
 * has the same rows, the same w and the same noise, so its outcome is the same.
 */
#ifndef STREAM_H
#define STREAM_H

#include "support/program.h"

#include "support/checkpoint.h"
#include "support/chunks.h"

/* Processes that train together, each with blocks of its own of one binary file. Rank 0 alone holds
 * the keys, the account and the checkpoint, prints, and writes the model. Each function is called
 * by all of them in the same order, and returns 0 after a complaint. */
struct stream_team {
  void *context;
  size_t rank, ranks;
  /* words: count integers of 128 bits, low word first; their sums modulo 2^128, on every rank */
  int (*add)(void *context, uint64_t *words, size_t count);
  int (*share)(void *context, void *bytes, size_t size); /* rank 0's bytes on every rank */
  int (*agree)(void *context, const uint8_t *digest, size_t size); /* the same on every rank? */
};

typedef struct stream {
  const run_options *o;
  course course;
  checkpoint kept;
  uint8_t settings[DIGEST_SIZE]; /* what a checkpoint has to agree with; set by stream_agrees */
  uint8_t data[DIGEST_SIZE];     /* of the rows; set by stream_load or stream_digest */
  row_plan plan;
  chunks rows;
  double *wide;   /* a block of floats as doubles */
  size_t *places; /* of a block's users, in both classes */
  size_t place_room;
  records held;   /* so few that they are held */
  double *memory; /* of these */
  size_t *owners; /* the same */
  progress bar;
  uint64_t each;            /* bytes of a pass */
  size_t pass, step, steps; /* passes and steps so far; of how many */
  double start;
  int told; /* the reason of an error */
} stream;

/* Claims o->checkpoint or, to be gone on with, reads it. 0 after a complaint. */
int stream_begin(stream *s, const run_options *o);
/* Opens o->data and checks every record of it; data is then without records, but for their number.
 * An exit status. */
int stream_load(stream *s, dataset *data, scale_kind *scale);
/* The digest of rows in memory: that of the same rows in a file. */
int stream_digest(stream *s, const records *rows, const dataset *data, scale_kind scale);
/* Are settings and data, of d columns, those of the checkpoint, and of the other processes? 0 after
 * a complaint. */
int stream_agrees(stream *s, const uint8_t asked[DIGEST_SIZE], size_t d);
/* Sets t->course, and t->train where the rows are in the file. */
void stream_task(task *t, stream *s, const dataset *data);
/* Does this process release, print and write? */
int stream_leads(const run_options *o);
/* The model is written: the checkpoint is erased. 0 after a complaint. */
int stream_finish(stream *s);
/* What an interrupted run leaves, in a line on stderr. */
void stream_explain(const stream *s);
/* One line on how fast it was. */
void stream_print_rates(const stream *s);
void stream_close(stream *s);

#endif /* STREAM_H */
