/* SPDX-License-Identifier: MIT */
/* What lies in examples/data, compiled in, so that the programs run from any directory. make turns
 * each line of those files into one string. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/data.h"

static const char *const pima_csv[] = {
#include "pima.csv.inc"
};
static const char *const pima_ranges[] = {
#include "pima.ranges.inc"
};
static const char *const pima_maps[] = {
#include "pima.maps.inc"
};
static const char *const retinopathy_maps[] = {
#include "retinopathy.maps.inc"
};
static const char *const retinopathy_ladders_maps[] = {
#include "retinopathy-ladders.maps.inc"
};

static const char *const auto_before[] = {
#include "auto-before.tsv.inc"
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
  static const layout declared = {"label", "-1,1", HEADER_YES, 0, '\0', NULL, 0};
  int ok = 0;
  memset(out, 0, sizeof *out);
  if (text == NULL || ranges == NULL)
    memcpy(error, "out of memory", sizeof "out of memory");
  else
    ok = data_parse(out, text, length, "pima.csv", &declared, error) &&
         data_ranges_parse(out, ranges, ranges_length, "pima.ranges", error);
  if (!ok) data_free(out);
  free(text);
  free(ranges);
  return ok;
}

#define LINES(a) a, sizeof a / sizeof *a
static const struct {
  const char *name;
  const char *const *lines;
  size_t count;
} shipped[] = {{"pima", LINES(pima_maps)},
               {"retinopathy", LINES(retinopathy_maps)},
               {"retinopathy-ladders", LINES(retinopathy_ladders_maps)}};

int data_embedded_maps(dataset *data, const char *name, char error[ERROR_SIZE]) {
  size_t k, length;
  char *text;
  int ok;
  for (k = 0; k < sizeof shipped / sizeof *shipped && strcmp(shipped[k].name, name) != 0; k++) {
  }
  if (k == sizeof shipped / sizeof *shipped) {
    memcpy(error, "no such maps", sizeof "no such maps");
    return 0;
  }
  text = joined(shipped[k].lines, shipped[k].count, &length);
  if (text == NULL) {
    memcpy(error, "out of memory", sizeof "out of memory");
    return 0;
  }
  ok = data_maps_parse(data, text, length, name, error);
  free(text);
  return ok;
}

size_t data_embedded_before(double *auc, size_t room, const char *name, double epsilon, int pure) {
  char start[128];
  const char *at;
  char *end;
  size_t k, count = 0;
  (void)snprintf(start, sizeof start, "%s\t%g\t%s\t", name, epsilon, pure ? "0" : "1/n");
  for (k = 0; k < sizeof auto_before / sizeof *auto_before; k++)
    if (strncmp(auto_before[k], start, strlen(start)) == 0)
      for (at = auto_before[k] + strlen(start); count < room; at = end + 1) {
        auc[count++] = strtod(at, &end);
        if (*end != '\t') break;
      }
  return count;
}
