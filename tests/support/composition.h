/* SPDX-License-Identifier: MIT */
/* The two routes of composition by themselves: what they say about the dominating pairs of steps,
 * whether or not two data sets attain those. */
#ifndef COMPOSITION_H
#define COMPOSITION_H

#include "tests.h"

#include "dppair_accountant.h"

/* Epsilon at delta `given`, or delta at epsilon `given` (for_delta). */
static inline dppair_question_ question_of(const dppair_step *steps, size_t count, int for_delta,
                                           double given, void *work, size_t bytes) {
  dppair_question_ q;
  memset(&q, 0, sizeof q);
  q.steps = steps;
  q.count = count;
  q.for_delta = for_delta;
  q.given = given;
  q.work = dppair_doubles_(&q.doubles, work, bytes);
  return q;
}

static inline dppair_status contour_alone(dppair_interval *b, const dppair_step *steps,
                                          size_t count, int for_delta, double given, void *work,
                                          size_t bytes) {
  const dppair_question_ q = question_of(steps, count, for_delta, given, work, bytes);
  return dppair_contour_answer_(b, &q);
}

static inline dppair_status lattice_alone(dppair_interval *b, const dppair_step *steps,
                                          size_t count, int for_delta, double given,
                                          const dppair_pld_options_ *options, void *work,
                                          size_t bytes) {
  const dppair_question_ q = question_of(steps, count, for_delta, given, work, bytes);
  return dppair_pld_bounds_(b, &q, options);
}

#endif
