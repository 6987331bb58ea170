/* SPDX-License-Identifier: MIT */
#include "support/scores.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/text.h"

/* --- the header ------------------------------------------------------------------------------- */

/* The field of this name; how many have it is returned, 3 standing for more than 2. */
static int column_find(size_t *column, cursor c, char separator, const char *name) {
  size_t k;
  int found = 0;
  for (k = 0;; k++) {
    if (span_is(csv_field(&c, separator), name) && found < 3 && found++ == 0) *column = k;
    if (c.at == c.end || *c.at != separator) return found;
    c.at++;
  }
}

static int header_read(scores_file *file, const char *score, const char *label, cursor c) {
  static const char separators[] = {',', ';', '\t'};
  const char *const name[2] = {score, label};
  int found[2] = {0, 0}, k;
  size_t s;
  for (s = 0; s < sizeof separators && (found[0] == 0 || found[1] == 0); s++) {
    file->separator = separators[s];
    for (k = 0; k < 2; k++) found[k] = column_find(&file->column[k], c, file->separator, name[k]);
  }
  for (k = 0; k < 2; k++) {
    if (found[k] == 0)
      return fail(&c, NULL,
                  "the first line does not name the columns '%s' and '%s', separated by comma, "
                  "semicolon or tab (--score, --label)",
                  score, label);
    if (found[k] > 1) return fail(&c, NULL, "two columns are called '%s'", name[k]);
  }
  return 1;
}

int scores_parse(scores_file *file, const char *text, size_t length, const char *name,
                 const char *score, const char *label, char error[ERROR_SIZE]) {
  cursor c = cursor_at(text, length, name, error);
  memset(file, 0, sizeof *file);
  if (!header_read(file, score, label, c)) return 0;
  next_line(&c);
  file->first = c.at;
  file->end = c.end;
  for (; c.at < c.end; next_line(&c)) file->n++;
  return 1;
}

int scores_open(scores_file *file, const char *path, const char *score, const char *label,
                char error[ERROR_SIZE]) {
  size_t length;
  char *text = file_read(path, &length, error);
  memset(file, 0, sizeof *file);
  if (text == NULL) return -1;
  if (!scores_parse(file, text, length, path, score, label, error)) {
    free(text);
    return 0;
  }
  file->text = text;
  return 1;
}

void scores_close(scores_file *file) {
  free(file->text);
  memset(file, 0, sizeof *file);
}

/* --- records ---------------------------------------------------------------------------------- */

static cursor first_record(const scores_file *file) {
  cursor c;
  memset(&c, 0, sizeof c);
  c.at = c.line_start = file->first;
  c.end = file->end;
  return c;
}

/* The two fields of the record at the cursor, empty where it has fewer fields. */
static void record_fields(span field[2], cursor c, const scores_file *file) {
  const size_t last = file->column[0] > file->column[1] ? file->column[0] : file->column[1];
  size_t k;
  field[0] = field[1] = span_of("");
  for (k = 0; k <= last; k++) {
    const span s = csv_field(&c, file->separator);
    if (k == file->column[0]) field[0] = s;
    if (k == file->column[1]) field[1] = s;
    if (c.at == c.end || *c.at != file->separator) return;
    c.at++;
  }
}

static double score_of(span s) {
  double value;
  if (!number_parse(&value, s)) value = infinity_sign(s) > 0 ? HUGE_VAL : -HUGE_VAL;
  return value;
}

/* A span without its trailing zero bytes would be another label: those are never the same. */
static int label_make(declared_label *label, span s) {
  if (s.length == 0 || is_missing(s) || memchr(s.at, '\0', s.length) != NULL ||
      !span_copy(label->text, sizeof label->text, s))
    return 0;
  label->numeric = number_parse(&label->number, span_of(label->text));
  return 1;
}

int label_declare(declared_label *label, const char *text, size_t length) {
  return label_make(label, trimmed(text, text + length));
}

int label_same(const declared_label *a, const declared_label *b) {
  if (a->numeric && b->numeric) return a->number >= b->number && a->number <= b->number;
  return !a->numeric && !b->numeric && strcmp(a->text, b->text) == 0;
}

size_t scores_read(double *s, const scores_file *file, const declared_label *positive) {
  size_t p = 0, q = file->n;
  cursor c = first_record(file);
  for (; p < q; next_line(&c)) {
    declared_label met;
    span field[2];
    record_fields(field, c, file);
    s[label_make(&met, field[1]) && label_same(&met, positive) ? p++ : --q] = score_of(field[0]);
  }
  return p;
}

void scores_read_pairs(double *s, double *t, const scores_file *file) {
  size_t i;
  cursor c = first_record(file);
  for (i = 0; i < file->n; i++, next_line(&c)) {
    span field[2];
    record_fields(field, c, file);
    s[i] = score_of(field[0]);
    t[i] = score_of(field[1]);
  }
}
