/* SPDX-License-Identifier: MIT */
/* The draw of a release as places and their number, which most tests want; its batch is then
 * drawn_now. Include it after the headers. */
#ifndef DPPAIR_TESTS_DRAWS_H
#define DPPAIR_TESTS_DRAWS_H

static dppair_batch drawn_now;

static inline dppair_status draw_now(size_t *index, size_t *count, size_t capacity,
                                     dppair_release *release) {
  const dppair_status drawn = dppair_release_draw(&drawn_now, index, capacity, release);
  *count = drawn_now.count;
  return drawn;
}

#endif
