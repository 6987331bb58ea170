/* SPDX-License-Identifier: MIT */
/* method_stand_ins.h - for tests that include the sources of methods: stands in for methods.c, and
 * records what noise is asked for, and on what. Included before any header of the library. */
#ifndef METHOD_STAND_INS_H
#define METHOD_STAND_INS_H

struct dppair_event;
static int asked_for(const struct dppair_event *event);
#define DPPAIR_AUDIT(event) asked_for(event)

#include "methods/mechanisms.c"

static double asked[16], before_noise[64]; /* scales, by the order of noise; the last vector */
static size_t asks, asked_size;

static int asked_for(const dppair_event *event) {
  if (event->kind != DPPAIR_EVENT_ADD) return 0;
  asked[asks++ % 16] = event->scale;
  asked_size = event->n;
  memcpy(before_noise, event->values, (event->n < 64 ? event->n : 64) * sizeof(double));
  return 0;
}

dppair_status model_allocate(model *m, size_t d, size_t size) {
  m->d = d;
  m->size = size;
  m->theta = calloc(size, sizeof *m->theta);
  return m->theta == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
}

#endif /* METHOD_STAND_INS_H */
