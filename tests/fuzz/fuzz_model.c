/* SPDX-License-Identifier: MIT */
/*
 * The text of a model of auto may come from anywhere. What is read can be scored and written, and
 * what is written reads back to the same model; what is refused leaves nothing behind.
 *
 * brief: 1000
 */
#include "dppair_auto.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "%s\n", what);
  abort();
}

enum { COLUMNS = 8, ROOM = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static dppair_auto_map maps[COLUMNS], again[COLUMNS];
  static char text[ROOM];
  const double x[COLUMNS] = {0, 1, -1, 1e300, -1e300, HUGE_VAL, .5, 3};
  dppair_auto_model m, n;
  double s;
  size_t length, j;
  dppair_status status;
  m.map = maps;
  n.map = again;
  status = dppair_auto_read(&m, COLUMNS, (const char *)bytes, size);
  if (status != DPPAIR_OK) {
    must(status == DPPAIR_ERR_FORMAT || (status == DPPAIR_ERR_SIZE && m.d > COLUMNS), "a status");
    for (j = 0; j < COLUMNS; j++) must(maps[j].knots == 0, "a map is left");
    return 0;
  }
  must(dppair_auto_score(&s, &m, x, 1) == DPPAIR_OK && dppair_isfinite_f64(s), "no score");
  must(dppair_auto_write(text, ROOM, &length, &m, NULL) == DPPAIR_OK, "read, but not written");
  must(dppair_auto_read(&n, COLUMNS, text, length) == DPPAIR_OK, "written, but not read");
  must(n.d == m.d && memcmp(maps, again, m.d * sizeof *maps) == 0, "another model");
  return 0;
}
