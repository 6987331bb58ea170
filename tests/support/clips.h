/* SPDX-License-Identifier: MIT
 *
 * Clips of a pass, for tests: after dppair.h.
 */
#ifndef CLIPS_H
#define CLIPS_H

#include "tests.h"

/* A clip of this bound, made by dppair_clip_init or NAME_clip_init; 0: none. It lives until 256
 * more are made. */
static inline const dppair_clip *clip_of(dppair_status (*init)(dppair_clip *, double),
                                         double bound) {
  static dppair_clip clips[256];
  static unsigned next;
  dppair_clip *clip = &clips[next++ % 256];
  if (bound == 0.0) return NULL;
  assert_int_equal(init(clip, bound), DPPAIR_OK);
  return clip;
}

/* What is refused: memory that no function wrote a clip to, and a clip whose bound was changed. */
static inline const dppair_clip *clip_unmade(void) {
  static const dppair_clip zeros = {0, 0, 0, NULL, NULL, NULL};
  return &zeros;
}
static inline const dppair_clip *clip_changed(void) {
  static dppair_clip clip;
  clip = *clip_of(dppair_clip_init, 1.0);
  clip.bound = 0.5;
  return &clip;
}

#endif
