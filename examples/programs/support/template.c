/* SPDX-License-Identifier: MIT */
#include "support/template.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "support/draft.h"
#include "support/program.h"
#include "support/text.h"

/* Names are on the first line, and no line is longer. */
static const size_t most_head = (size_t)MAX_COLUMNS * 2 * NAME_SIZE;

/* Is this a line of names: no field a number, none missing? The label's and the users' are asked,
 * too: a record has a label. */
static int names_only(const char *text, size_t length, char separator) {
  char error[ERROR_SIZE];
  cursor c = cursor_at(text, length, "", error);
  double value;
  if (!next_record(&c)) return 0;
  for (;;) {
    const span s = csv_field(&c, separator);
    if (number_parse(&value, s) || infinity_sign(s) != 0 || is_missing(s)) return 0;
    if (c.at == c.end || *c.at != separator) return 1;
    c.at++;
  }
}

/* As a reader of CSV reads it back. */
static void put_name(FILE *file, const char *name) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  if (name[strspn(name, plain)] == '\0') {
    (void)fputs(name, file);
    return;
  }
  (void)fputc('"', file);
  for (; *name != '\0'; name++) {
    if (*name == '"') (void)fputc('"', file);
    (void)fputc(*name, file);
  }
  (void)fputc('"', file);
}

static int write_template(const char *path, const dataset *columns) {
  size_t j;
  draft d;
  FILE *file;
  draft_clear(&d);
  if (!draft_open(&d, path, DRAFT_NEW, 0666) || (file = draft_stream(&d)) == NULL) {
    (void)complain(1, "%s: %s%s", path, errno == EEXIST ? "exists; nothing is replaced" : "",
                   errno == EEXIST ? "" : strerror(errno));
    draft_drop(&d);
    return 1;
  }
  (void)fputs(
      "# Between low and high lie the values that are publicly known to be possible: never\n"
      "# the smallest or largest of the records. Values beyond them are clamped.\n"
      "# kind: numeric (also when empty), flag (0 or 1), or group:NAME (flags of which one\n"
      "# is 1).\n"
      "name,low,high,kind\n",
      file);
  for (j = 0; j < columns->d; j++) {
    put_name(file, columns->features[j].name);
    (void)fputs(",,,\n", file);
  }
  return draft_keep(&d) ? 0 : complain(1, "%s: %s", path, strerror(errno));
}

/* The names of the columns as they are declared; an exit status. */
static int declared_columns(dataset *columns, const run_options *o, const layout *how) {
  char error[ERROR_SIZE];
  size_t length;
  char *text = file_read_head(o->data, most_head, &length, error);
  int code = 0;
  memset(columns, 0, sizeof *columns);
  if (text == NULL) return complain(1, "%s", error);
  if (length >= most_head && memchr(text, '\n', length) == NULL)
    code = complain(1, "%s: its first line has more than %zu bytes", o->data, most_head);
  else if (!data_columns(columns, text, length, o->data, how, error))
    code = complain(columns->fault == FAULT_DECLARATION ? 2 : 1, "%s", error);
  else if (how->header == HEADER_YES && !names_only(text, length, columns->found.separator))
    code = complain(2,
                    "%s: a number, or nothing, stands for a name in its first line: is that a "
                    "record? Nothing of it is written",
                    o->data);
  free(text);
  return code;
}

int template_run(int argc, char **argv) {
  static const char *const known[] = {"--label",     "--header", "--columns",
                                      "--separator", "--person", NULL};
  const char *path = NULL;
  dataset columns;
  run_options o;
  layout how;
  int code;
  program_name = "private_auc";
  memset(&o, 0, sizeof o);
  memset(&columns, 0, sizeof columns);
  if (!parse_some(&o, argc, argv, "--write-ranges", &path, known)) return 2;
  if (o.data == NULL)
    return complain(2, "--write-ranges FILE needs DATA, whose columns are to be declared");
  if (o.header == NULL && o.columns == 0)
    return complain(2, "--write-ranges makes the names of the columns public: --header yes says "
                       "that the first line of DATA holds names, and is no record; --columns D "
                       "numbers the columns instead (with --header no, or LIBSVM)");
  code = layout_of(&how, &o);
  if (code == 0) code = declared_columns(&columns, &o, &how);
  if (code == 0) code = write_template(path, &columns);
  if (code == 0 && !o.quiet)
    (void)printf("%s: the names of %zu columns, which are public by this; no value of a record.\n"
                 "Fill in low and high; then  --ranges %s\n",
                 path, columns.d, path);
  data_free(&columns);
  return code;
}
