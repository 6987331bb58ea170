/* SPDX-License-Identifier: MIT */
/* examples/data/pima.* compiled in, so that the programs run from any directory. make turns each
 * line of those files into one string. */
#include <stdlib.h>
#include <string.h>

#include "support/data.h"

static const char *const pima_csv[] = {
#include "pima.csv.inc"
};
static const char *const pima_ranges[] = {
#include "pima.ranges.inc"
};

static char *joined(const char *const *lines, size_t count, size_t *length) {
  size_t k, total = 0;
  char *text;
  for (k = 0; k < count; k++) total += strlen(lines[k]);
  text = malloc(total + 1);
  *length = total;
  if (text == NULL) return NULL;
  for (total = 0, k = 0; k < count; k++) {
    memcpy(text + total, lines[k], strlen(lines[k]));
    total += strlen(lines[k]);
  }
  text[total] = '\0';
  return text;
}

int data_embedded(dataset *out, char error[ERROR_SIZE]) {
  size_t length, ranges_length;
  char *text = joined(pima_csv, sizeof pima_csv / sizeof *pima_csv, &length);
  char *ranges = joined(pima_ranges, sizeof pima_ranges / sizeof *pima_ranges, &ranges_length);
  int ok = 0;
  memset(out, 0, sizeof *out);
  if (text == NULL || ranges == NULL)
    memcpy(error, "out of memory", sizeof "out of memory");
  else
    ok = data_parse(out, text, length, "pima.csv", NULL, error) &&
         data_ranges_parse(out, ranges, ranges_length, "pima.ranges", error);
  if (!ok) data_free(out);
  free(text);
  free(ranges);
  return ok;
}
