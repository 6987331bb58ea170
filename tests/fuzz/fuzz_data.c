/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the readers of data sets, of declared ranges, of maps and of scores: any bytes give either
 * a consistent data set or a sentence, never anything else, and what is declared of a shape is what
 * comes out. What follows a form feed goes to the ranges reader and to the maps reader. libFuzzer
 * calls LLVMFuzzerTestOneInput; without it
 * (-DFUZZ_REPLAY) the files named on the command line are run once.
 *
 * sources: examples/programs/support/data.c examples/programs/support/maps.c
 * sources: examples/programs/support/scores.c examples/programs/support/text.c
 * sources: examples/programs/support/embedded.c
 * brief: 300
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "support/scores.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int truth, const char *what) {
  if (!truth) {
    fprintf(stderr, "broken: %s\n", what);
    abort();
  }
}

/* Under a declared shape: as many columns as declared, as many records as lines, and a failure
 * whose cause is stated. */
static void read_declared(const char *text, size_t head, const layout *how) {
  char error[ERROR_SIZE] = "";
  dataset data, columns;
  const int ok = data_parse(&data, text, head, "input", how, error);
  require(ok == (data.fault == FAULT_NONE), "a failure without a cause");
  require(ok || (error[0] != '\0' && strlen(error) < ERROR_SIZE), "a failure without a sentence");
  if (!ok) return;
  require(how->columns == 0 || data.d == how->columns - (how->group != NULL),
          "another width than declared");
  require((data.group != NULL) == (how->group != NULL), "owners");
  for (size_t i = 0; i < data.n && data.group; i++)
    require(data.group[i] < data.groups, "an owner beyond the last");
  require(strcmp(data.label[0], "0") == 0 && strcmp(data.label[1], "1") == 0, "other labels");
  for (size_t i = 0; i < data.n; i++) require(fabs(data.y[i]) == 1.0, "a label that is not +-1");
  for (size_t i = 0; i < data.n * data.d; i++) require(isfinite(data.x[i]), "a value not finite");
  if (how->header != HEADER_YES) {
    size_t lines = head > 0 && text[head - 1] != '\n';
    for (size_t i = head > 2 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; i < head; i++)
      lines += text[i] == '\n';
    require(data.n == lines, "a line that is no record");
  }
  require(data_columns(&columns, text, head, "input", how, error), "columns without records fail");
  require(columns.d == data.d, "the records decide the width");
  for (size_t j = 0; j < data.d; j++)
    require(strcmp(columns.features[j].name, data.features[j].name) == 0, "another name");
  data_free(&columns);
  data_free(&data);
}

/* Behind a header every line is a record, and every score a number. */
static void read_scores(const char *text, size_t length) {
  char error[ERROR_SIZE] = "";
  scores_file file;
  declared_label one;
  double *s;
  size_t p;
  if (!scores_parse(&file, text, length, "input", "score", "label", error)) {
    require(error[0] != '\0' && strlen(error) < ERROR_SIZE, "a failure without a sentence");
    return;
  }
  require(label_declare(&one, "1", 1), "a label that cannot be declared");
  s = malloc((2 * file.n + 1) * sizeof *s);
  if (s == NULL) abort();
  p = scores_read(s, &file, &one);
  require(p <= file.n, "more positives than records");
  for (size_t i = 0; i < file.n; i++) require(s[i] <= HUGE_VAL, "a score that is no number");
  scores_read_pairs(s, s + file.n, &file);
  for (size_t i = 0; i < 2 * file.n; i++) require(s[i] <= HUGE_VAL, "a number that is none");
  free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const layout shapes[] = {{NULL, "0,1", HEADER_YES, 0, '\0', NULL, 0},
                                  {"2", "0,1", HEADER_NO, 2, ',', NULL, 0},
                                  {NULL, "0,1", HEADER_GUESSED, 3, '\0', NULL, 0},
                                  {"2", "0,1", HEADER_NO, 3, ',', "1", 0}};
  const char *text = (const char *)bytes;
  const char *end = size ? memchr(text, '\f', size) : NULL;
  const size_t head = end ? (size_t)(end - text) : size;
  char error[ERROR_SIZE] = "";
  dataset data;
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) read_declared(text, head, &shapes[k]);
  read_scores(text, head);
  if (!data_parse(&data, text, head, "input", NULL, error)) {
    require(error[0] != '\0' && strlen(error) < ERROR_SIZE, "a failure without a sentence");
    return 0;
  }
  require(data.n >= 4 && data.d >= 1, "too small");
  for (size_t i = 0; i < data.n; i++) require(fabs(data.y[i]) == 1.0, "a label that is not +-1");
  for (size_t i = 0; i < data.n * data.d; i++) require(isfinite(data.x[i]), "a value not finite");
  if (end) (void)data_ranges_parse(&data, end + 1, size - head - 1, "ranges", error);
  if (data.has_ranges)
    for (size_t j = 0; j < data.d; j++)
      require(data.features[j].low < data.features[j].high, "an empty range");
  if (end && data_maps_parse(&data, end + 1, size - head - 1, "maps", error))
    for (size_t i = 0; i < data.n * data.d; i++)
      require(fabs(data.x[i]) <= data.features[i % data.d].high, "a value beyond its limit");
  data_free(&data);
  return 0;
}

#ifdef FUZZ_REPLAY
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    FILE *file = fopen(argv[i], "rb");
    uint8_t *bytes = malloc(1 << 20);
    if (!file || !bytes) return 1;
    const size_t size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    (void)LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
  }
  return 0;
}
#endif
