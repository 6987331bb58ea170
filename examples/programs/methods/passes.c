/* SPDX-License-Identifier: MIT */
#include "methods/passes.h"

#include <stdlib.h>
#include <string.h>

/* One gradient: what it adds up in, and where. */
typedef struct gradient {
  passes *p;
  const double *w;
  dppair_options options;
  dppair_groups users; /* those of the chunk */
  dppair_sketch moments;
  dppair_sum sum;
  void *memory;
} gradient;

dppair_status passes_open(passes *p, const course *rows, const pair_link *phi, size_t d,
                          double radius, const dppair_groups *groups) {
  memset(p, 0, sizeof *p);
  if (groups != NULL) p->groups = *groups;
  p->rows = rows;
  p->phi = phi;
  p->d = d;
  p->radius = radius;
  p->factor = malloc((rows->block + 1) * sizeof *p->factor);
  return p->factor == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
}

void passes_close(passes *p) {
  free(p->factor);
  memset(p, 0, sizeof *p);
}

/* A multiple of 64 bytes. */
static size_t rounded(size_t bytes) { return (bytes + 63) / 64 * 64; }

/* Room for moments, sum and the work on a chunk, in one block. */
static dppair_status gradient_open(gradient *g, passes *p, const double *w,
                                   const dppair_options *options) {
  const pair_chunks *chunks = &p->phi->chunks;
  size_t all[2] = {0, 0}, none[2] = {0, 0}; /* the largest chunk is one user's: places */
  size_t moments, sum, work;
  char *at;
  dppair_status status;
  memset(g, 0, sizeof *g);
  g->p = p;
  g->w = w;
  g->options = *options;
  if (options->fast == NULL || !options->fast->order_free) return DPPAIR_ERR_NO_PROOF;
  all[1] = p->rows->block;
  g->users = p->groups;
  g->users.count = 1;
  g->users.positive = all;
  g->users.negative = none;
  g->options.groups = p->groups.count > 0 ? &g->users : NULL;
  status = chunks->rooms(&moments, &work, p->d, &g->options);
  if (status == DPPAIR_OK) status = dppair_sum_workspace(&sum, p->d);
  if (status != DPPAIR_OK) return status;
  g->memory = at = malloc(rounded(moments) + rounded(sum) + work);
  if (at == NULL) return DPPAIR_ERR_OVERFLOW;
  g->options.work = at + rounded(moments) + rounded(sum);
  g->options.bytes = work;
  status = chunks->open(&g->moments, at, moments, options);
  return status == DPPAIR_OK
             ? chunks->sum_open(&g->sum, p->d, p->radius, &g->options, at + rounded(moments), sum)
             : status;
}

/* A chunk of rows, clipped, into the moments; once these are finished, into the sum. */
static dppair_status add_chunk(gradient *g, const dppair_rows_f64 *rows) {
  const passes *p = g->p;
  const pair_chunks *chunks = &p->phi->chunks;
  dppair_rows_f64 clipped;
  dppair_status status =
      dppair_rows_clip_f64(&clipped, p->factor, rows->x, rows->n, p->d, rows->ld, p->radius);
  if (status != DPPAIR_OK) return status;
  clipped.positives = rows->positives;
  return g->moments.finished ? chunks->sum(&g->sum, &clipped, g->w, &g->moments, &g->options)
                             : chunks->moments(&g->moments, &clipped, g->w, &g->options);
}

/* A chunk without rows, so that a process without any has the marks (which w, which state) of the
 * others; where users are declared who have no record, the process that releases adds them. */
static dppair_status add_none(gradient *g) {
  enum { AT_ONCE = 1024 };
  static const size_t zeros[AT_ONCE + 1] = {0};
  const course *c = g->p->rows;
  const dppair_rows_f64 rows = dppair_rows_make_f64(g->p->factor, 0, g->p->d, g->p->d);
  size_t left = g->p->groups.count > 0 && !c->follows ? g->p->groups.count - c->users : 0;
  dppair_status status = DPPAIR_OK;
  do {
    g->users.count = left < AT_ONCE ? left : AT_ONCE;
    g->users.positive = g->users.negative = zeros;
    left -= g->users.count;
    status = add_chunk(g, &rows);
  } while (status == DPPAIR_OK && left > 0);
  return status;
}

/* All rows of this process. */
static dppair_status one_pass(gradient *g) {
  const course *c = g->p->rows;
  dppair_rows_f64 rows;
  dppair_status status = c->rewind(c->context);
  if (status == DPPAIR_OK) status = add_none(g);
  while (status == DPPAIR_OK) {
    status = c->next(&rows, &g->users, c->context);
    if (status != DPPAIR_OK || rows.n == 0) break;
    status = add_chunk(g, &rows);
  }
  return status;
}

/* The sums and counts of all processes. */
static dppair_status everywhere(const course *c, uint64_t *words, size_t all, uint64_t *count,
                                size_t counts) {
  uint64_t wide[6] = {0};
  size_t k;
  dppair_status status = DPPAIR_OK;
  if (c->add == NULL) return status;
  for (k = 0; k < counts; k++) wide[2 * k] = count[k];
  status = c->add(words, all / 2, c->context);
  if (status == DPPAIR_OK) status = c->add(wide, counts, c->context);
  for (k = 0; k < counts; k++) count[k] = wide[2 * k];
  return status;
}

/* What the releasing process has is what all have: its status, then its numbers. */
static dppair_status shared(double *g, size_t d, dppair_status status, const course *c) {
  uint64_t told = (uint64_t)status;
  dppair_status heard = DPPAIR_OK;
  if (c->share == NULL) return status;
  heard = c->share(&told, sizeof told, c->context);
  if (heard == DPPAIR_OK) heard = (dppair_status)told;
  return heard == DPPAIR_OK ? c->share(g, d * sizeof *g, c->context) : heard;
}

static dppair_status sum_up(gradient *g) {
  const course *c = g->p->rows;
  dppair_sketch *m = &g->moments;
  uint64_t counts[3];
  dppair_status status = one_pass(g);
  counts[0] = m->count[0];
  counts[1] = m->count[1];
  counts[2] = m->users;
  if (status == DPPAIR_OK) status = everywhere(c, m->words, m->all, counts, 3);
  m->count[0] = counts[0];
  m->count[1] = counts[1];
  m->users = counts[2];
  if (status == DPPAIR_OK) status = g->p->phi->chunks.finish(m, &g->options);
  if (status == DPPAIR_OK) status = one_pass(g);
  return status == DPPAIR_OK ? everywhere(c, g->sum.words, 2 * g->sum.size, &g->sum.count, 1)
                             : status;
}

dppair_status passes_release(double *out, passes *p, dppair_release *release, const double *w,
                             const dppair_options *options) {
  gradient g;
  dppair_status status = gradient_open(&g, p, w, options);
  if (status == DPPAIR_OK) status = sum_up(&g);
  if (status == DPPAIR_OK) {
    if (release != NULL) status = p->phi->chunks.release(out, release, &g.sum, w, &g.options);
    status = shared(out, p->d, status, p->rows);
  }
  free(g.memory);
  return status;
}
