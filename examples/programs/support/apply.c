/* SPDX-License-Identifier: MIT */
#include "support/apply.h"

#include <math.h>
#include <stdio.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "methods/method.h"
#include "dppair_auto.h"
#include "support/program.h"
#include "support/text.h"

/* --- JSON ------------------------------------------------------------------------------------- */

/* JSON, read in place: what is not there sets `bad`, and then nothing more is. */
typedef struct reader {
  const char *at, *end;
  int bad;
} reader;

/* What is next, behind blanks; at the end, and once it is bad, '\0'. */
static char read_next(reader *j) {
  while (j->at < j->end && (*j->at == ' ' || *j->at == '\n' || *j->at == '\r' || *j->at == '\t'))
    j->at++;
  return !j->bad && j->at < j->end ? *j->at : '\0';
}

/* Is c next? If so it is taken. */
static int read_take(reader *j, char c) {
  const int there = read_next(j) == c;
  j->at += there;
  return there;
}

static void read_need(reader *j, char c) {
  if (!read_take(j, c)) j->bad = 1;
}

/* Is there another one in a list that `close` ends? *count: how many there were, 0 before it. */
static int read_more(reader *j, char close, size_t *count) {
  if (j->bad || read_take(j, close)) return 0;
  if (*count > 0) read_need(j, ',');
  ++*count;
  return !j->bad;
}

/* A string as it stands between its quotes: is it this word? (NULL: whatever it is.) */
static int read_string(reader *j, const char *word) {
  const char *from;
  size_t length;
  read_need(j, '"');
  for (from = j->at; !j->bad && j->at < j->end && *j->at != '"'; j->at++)
    if ((unsigned char)*j->at < 0x20 || (*j->at == '\\' && ++j->at == j->end)) j->bad = 1;
  if (j->bad || j->at == j->end) j->bad = 1;
  if (j->bad) return 0;
  length = (size_t)(j->at++ - from);
  return word == NULL || (strlen(word) == length && memcmp(from, word, length) == 0);
}

/* A number as models have them. */
static double read_number(reader *j) {
  const int negative = read_take(j, '-');
  double x = 0;
  const size_t used = j->bad ? 0 : dppair_parse_double_(&x, j->at, (size_t)(j->end - j->at));
  if (used == 0) j->bad = 1;
  if (j->bad) return 0;
  j->at += used;
  return negative ? -x : x;
}

/* Over one value, whatever it is: by its brackets and strings. */
static void read_skip(reader *j) {
  size_t depth = 0;
  do {
    const char next = read_next(j);
    const char *from = j->at;
    if (next == '"') {
      (void)read_string(j, NULL);
    } else if (next == '{' || next == '[') {
      depth++;
      j->at++;
    } else if (depth > 0 && (next == '}' || next == ']')) {
      depth--;
      j->at++;
    } else if (depth > 0 && (next == ',' || next == ':')) {
      j->at++;
    } else {
      while (j->at != j->end && *j->at > ' ' && strchr("{}[],:\"", *j->at) == NULL) j->at++;
      if (j->at == from) j->bad = 1;
    }
  } while (depth > 0 && !j->bad);
}

/* The value of a member of the object that comes next; bad, where there is not just one. */
static reader read_find(reader object, const char *name) {
  reader found = object;
  size_t count = 0, seen = 0;
  read_need(&object, '{');
  while (read_more(&object, '}', &count)) {
    const int here = read_string(&object, name);
    read_need(&object, ':');
    if (here && seen++ == 0) found = object;
    read_skip(&object);
  }
  found.bad = object.bad || seen != 1;
  return found;
}

/* A string with its escapes undone; those of other characters than ASCII are not written here. */
static void read_word(char *out, size_t size, reader *j) {
  const char *at = ((void)read_next(j), j->at);
  size_t used = 0;
  for (at += read_string(j, NULL); !j->bad && at + 1 < j->at && used + 1 < size; at++) {
    unsigned code = 0;
    if (*at == '\\' && *++at == 'u') {
      char digits[5] = "";
      if (j->at - at < 6 || sscanf(strncpy(digits, at + 1, 4), "%4x", &code) != 1 || code == 0 ||
          code > 127)
        j->bad = 1;
      at += 4;
    }
    out[used++] = code > 0 ? (char)code : *at;
  }
  out[used] = '\0';
  if (at + 1 < j->at) j->bad = 1;
}

/* --- the model's file ------------------------------------------------------------------------- */

/* A released model: the columns in its order, then the maps of auto or the weights of a linear
 * score. */
typedef struct applied {
  feature *columns;
  declared_map *maps; /* without terms: a column as it is */
  size_t d;
  scale_kind scale;
  int derived; /* some columns have terms, which the maps file must derive */
  dppair_auto_model automatic;
  double *weights; /* NULL: auto */
} applied;

static void applied_free(applied *a) {
  free(a->columns);
  free(a->maps);
  free(a->automatic.map);
  free(a->weights);
}

static void read_column(applied *a, reader *j) {
  char name[16];
  size_t count = 0;
  feature *f = &a->columns[a->d];
  declared_map *map = &a->maps[a->d];
  memset(f, 0, sizeof *f);
  memset(map, 0, sizeof *map);
  f->group = -1;
  map->scale = 1;
  read_need(j, '{');
  while (read_more(j, '}', &count)) {
    read_word(name, sizeof name, j);
    read_need(j, ':');
    if (strcmp(name, "name") == 0)
      read_word(f->name, sizeof f->name, j);
    else if (strcmp(name, "terms") == 0)
      read_word(map->terms, sizeof map->terms, j);
    else if (strcmp(name, "centre") == 0)
      map->centre = read_number(j);
    else if (strcmp(name, "scale") == 0)
      map->scale = read_number(j);
    else if (strcmp(name, "low") == 0)
      f->low = read_number(j);
    else if (strcmp(name, "high") == 0)
      f->high = read_number(j);
    else
      read_skip(j);
  }
  a->derived |= map->terms[0] != '\0';
  a->d++;
}

static int read_columns(applied *a, reader j) {
  size_t count = 0, room = 0;
  read_need(&j, '[');
  while (read_more(&j, ']', &count)) {
    if (a->d == room) {
      feature *columns = realloc(a->columns, (2 * room + 16) * sizeof *columns);
      declared_map *maps = realloc(a->maps, (2 * room + 16) * sizeof *maps);
      if (columns != NULL) a->columns = columns;
      if (maps != NULL) a->maps = maps;
      if (columns == NULL || maps == NULL || room > MAX_COLUMNS) return 0;
      room = 2 * room + 16;
    }
    read_column(a, &j);
  }
  return !j.bad && a->d > 0;
}

static int read_weights(applied *a, reader j) {
  size_t count = 0;
  a->weights = calloc(a->d, sizeof *a->weights);
  read_need(&j, '[');
  while (a->weights != NULL && read_more(&j, ']', &count)) {
    const double w = read_number(&j);
    if (count <= a->d) a->weights[count - 1] = w;
  }
  return a->weights != NULL && !j.bad && count == a->d;
}

/* The scaling that the file names; 0 for one that has no public constants. */
static int read_scale(applied *a, reader j) {
  char word[16];
  int k;
  read_word(word, sizeof word, &j);
  for (k = SCALE_RANGES; k <= SCALE_MAPS; k++)
    if (!j.bad && k != SCALE_ZSCORE && strcmp(word, scale_names[k]) == 0) {
      a->scale = (scale_kind)k;
      return 1;
    }
  return 0;
}

/* 0 after a complaint. */
static const char *memory_words(void) { return errno == ENOMEM ? ": out of memory" : ""; }

static int read_model(applied *a, const char *path, const char *text, size_t length) {
  const reader file = {text, text + length, 0};
  reader format = read_find(file, "format"), score = read_find(file, "score");
  char word[32] = "";
  errno = 0;
  read_word(word, sizeof word, &format);
  if (format.bad || strcmp(word, "dppair private_auc model 3") != 0)
    return complain(0, "%s: not a model of this version of private_auc", path);
  if (!read_columns(a, read_find(file, "columns")) || !read_scale(a, read_find(file, "scale")))
    return complain(0, "%s: its columns cannot be read%s", path, memory_words());
  if (!score.bad && read_string(&score, "linear"))
    return read_weights(a, read_find(file, "model")) ||
           complain(0, "%s: its weights cannot be read%s", path, memory_words());
  a->automatic.map = calloc(a->d, sizeof *a->automatic.map);
  if (a->automatic.map != NULL &&
      dppair_auto_read(&a->automatic, a->d, text, length) == DPPAIR_OK && a->automatic.d == a->d)
    return 1;
  score = read_find(file, "method");
  read_word(word, sizeof word, &score);
  return complain(0,
                  "%s: a model of method %s, which --apply cannot score: it knows linear scores "
                  "and those of auto",
                  path, score.bad ? "?" : word);
}

/* --- records without labels ------------------------------------------------------------------- */

#define NO_COLUMN SIZE_MAX

static int columns_allocate(dataset *data, size_t d) {
  data->d = d;
  data->shape_declared = 1;
  data->features = calloc(d, sizeof *data->features);
  return data->features != NULL;
}

static int values_allocate(dataset *data, cursor c) {
  for (data->n = 0; next_record(&c); next_line(&c)) data->n++;
  if (data->n == 0) return fail(&c, NULL, "no records");
  if (data->n <= max_cells / data->d) {
    data->x = calloc(data->n * data->d, sizeof *data->x);
    data->y = calloc(data->n, sizeof *data->y);
  }
  return (data->x != NULL && data->y != NULL) || fail(&c, NULL, "out of memory");
}

static int read_libsvm(dataset *data, cursor c) {
  size_t i, last;
  if (!values_allocate(data, c)) return 0;
  for (i = 0; next_record(&c); i++, next_line(&c)) {
    const char *at;
    while (c.at < c.end && is_blank(*c.at)) c.at++;
    for (at = c.at; at < c.end && !is_blank(*at) && *at != '\n' && *at != ':';) at++;
    if (at == c.end || *at != ':') c.at = at; /* a label, which is not looked at */
    if (!libsvm_row(data->x + i * data->d, &last, &c, data->d)) return 0;
  }
  return 1;
}

static char separator_of(cursor c, const char *declared) {
  int quoted = 0;
  if (declared != NULL) return *declared == 's' ? ';' : *declared == 't' ? '\t' : ',';
  for (; !at_line_end(&c); c.at++) {
    if (*c.at == '"') quoted = !quoted;
    if (!quoted && (*c.at == ',' || *c.at == ';' || *c.at == '\t')) return *c.at;
  }
  return ',';
}

/* column[f] of each field f of the header: of the wanted names, or, where data has no features yet,
 * of all but the label. 0 after a complaint. */
static int match_header(size_t *column, size_t width, dataset *data, cursor c, char separator,
                        const char *label) {
  static const char *const usual[] = {"label", "class", "target", "y"};
  const int all = data->features == NULL;
  size_t f, j, k, met = 0;
  if (all && !columns_allocate(data, width)) return fail(&c, NULL, "out of memory");
  for (f = 0; f < width; f++) {
    const char *where = c.at;
    const span s = csv_field(&c, separator);
    column[f] = NO_COLUMN;
    if (c.at < c.end && *c.at == separator) c.at++;
    for (j = 0; j < data->d && !all; j++)
      if (span_is(s, data->features[j].name)) column[f] = j;
    for (k = 0; k < f && column[f] != NO_COLUMN; k++)
      if (column[k] == column[f])
        return fail(&c, where, "two columns are called '%s'", data->features[column[f]].name);
    if (!all) continue;
    for (k = 0; label == NULL && k < 4; k++)
      if (span_is_nocase(s, usual[k])) label = usual[k];
    if (label != NULL && ((text_size(&k, label) && k == f + 1) || span_is_nocase(s, label)))
      continue;
    if (!name_need(data->features[met].name, &c, where, s)) return 0;
    column[f] = met++;
  }
  if (all) data->d = met;
  for (j = 0; j < data->d; j++) {
    for (f = 0; f < width && column[f] != j; f++) {
    }
    if (f == width)
      return fail(&c, NULL, "no column is called '%s', which the model reads",
                  data->features[j].name);
  }
  return data->d > 0 || fail(&c, NULL, "no columns");
}

/* Without a header: the model's columns in their order, and perhaps the label among them. */
static int match_order(size_t *column, size_t width, const dataset *data, const cursor *c,
                       const char *label) {
  size_t f, k = 0, skipped = 0;
  if (width != data->d && width != data->d + 1)
    return fail(c, NULL, "%zu fields: the model has %zu columns", width, data->d);
  if (width > data->d && label != NULL &&
      (!text_size(&skipped, label) || skipped < 1 || skipped > width))
    return fail(c, NULL, "--label says which of the %zu columns is the label", width);
  skipped = skipped > 0 ? skipped - 1 : 0;
  for (f = 0; f < width; f++) column[f] = width > data->d && f == skipped ? NO_COLUMN : k++;
  return 1;
}

static int read_csv_rows(dataset *data, cursor c, const size_t *column, size_t width,
                         char separator) {
  size_t i, f;
  if (!values_allocate(data, c)) return 0;
  for (i = 0; next_record(&c); i++, next_line(&c))
    for (f = 0; f < width; f++) {
      const char *where = c.at;
      const span s = csv_field(&c, separator);
      if (c.open_quote) return fail(&c, where, "a quote is not closed on its line");
      if (column[f] != NO_COLUMN && !value_need(&data->x[i * data->d + column[f]], &c, where, s))
        return 0;
      if (f + 1 < width ? c.at == c.end || *c.at != separator : !at_line_end(&c))
        return fail(&c, c.at, "this record has not %zu fields", width);
      c.at += f + 1 < width;
    }
  return 1;
}

static int read_csv(dataset *data, cursor c, const run_options *o, int header) {
  const char separator = separator_of(c, o->separator);
  cursor look = c;
  size_t width, *column;
  int ok;
  for (width = 1; (void)csv_field(&look, separator), look.at < look.end && *look.at == separator;
       width++)
    look.at++;
  column = malloc(width * sizeof *column);
  if (column == NULL) return fail(&c, NULL, "out of memory");
  ok = header ? match_header(column, width, data, c, separator, o->label)
              : match_order(column, width, data, &c, o->label);
  if (header) next_line(&c);
  ok = ok && read_csv_rows(data, c, column, width, separator);
  free(column);
  return ok;
}

/* Raw columns: the model's own, or where it has derived ones whatever the file has. */
static int read_records(dataset *data, const applied *a, const run_options *o, const char *text,
                        size_t length, char error[ERROR_SIZE]) {
  cursor c = cursor_at(text, length, o->data, error);
  const int header = o->header == NULL || *o->header == 'y';
  size_t j;
  int libsvm;
  if (!a->derived || o->columns > 0) {
    if (!columns_allocate(data, a->derived ? o->columns : a->d))
      return fail(&c, NULL, "out of memory");
    for (j = 0; j < data->d; j++) {
      data->features[j].group = -1;
      if (a->derived)
        (void)snprintf(data->features[j].name, NAME_SIZE, "%zu", j + 1);
      else
        data->features[j] = a->columns[j];
    }
  }
  libsvm = data->features != NULL && data_names_are_indices(data) && o->header == NULL;
  c.every_line = 1;
  if (c.at < c.end && memchr(c.at, '\0', (size_t)(c.end - c.at)) != NULL)
    return fail(&c, NULL,
                "a zero byte: this is a binary file, not LIBSVM or CSV (that of --convert is for "
                "private_auc --model, method gd)");
  if (!header && data->features == NULL)
    return fail(&c, NULL, "without a header --columns says how many columns there are");
  return libsvm ? read_libsvm(data, c) : read_csv(data, c, o, header);
}

/* The derived columns of a model whose maps are declared again. */
static int derive(dataset *data, const run_options *o, char error[ERROR_SIZE]) {
  char *beside = o->ranges == NULL ? data_ranges_beside(o->data) : NULL, *text;
  const char *ranges = o->ranges != NULL ? o->ranges : beside;
  size_t length;
  int ok = 0;
  if (o->maps == NULL) {
    (void)snprintf(error, ERROR_SIZE,
                   "the model has derived columns: --maps FILE says how (and "
                   "--ranges, where training had them)");
  } else if ((text = file_read(o->maps, &length, error)) != NULL) {
    ok = (!data_maps_need_ranges(text, length) || ranges == NULL ||
          data_ranges(data, ranges, error)) &&
         data_maps_parse(data, text, length, o->maps, error);
    free(text);
  }
  free(beside);
  return ok;
}

static int same_number(double a, double b) { return a >= b && a <= b; }

/* Is column j what column k of the model was? What maps derive has the constants of its map, and
 * the range that follows from those of its columns, to which these are clamped. */
static int same_column(const dataset *data, size_t j, const applied *a, size_t k) {
  const feature *f = &data->features[j], *was = &a->columns[k];
  const declared_map *map = data->maps != NULL ? &data->maps[j] : NULL;
  if (strcmp(map != NULL ? map->terms : "", a->maps[k].terms) != 0) return 0;
  return map == NULL || (same_number(f->low, was->low) && same_number(f->high, was->high) &&
                         same_number(map->centre, a->maps[k].centre) &&
                         same_number(map->scale, a->maps[k].scale));
}

/* The columns in the model's order, with its ranges. */
static int arrange(dataset *data, const applied *a, char error[ERROR_SIZE]) {
  double *x = malloc(data->n * a->d * sizeof *x);
  size_t i, j, k;
  for (k = 0; k < a->d && x != NULL; k++) {
    for (j = 0; j < data->d && strcmp(data->features[j].name, a->columns[k].name) != 0; j++) {
    }
    if (j == data->d || !same_column(data, j, a, k)) {
      (void)snprintf(error, ERROR_SIZE, "column '%s' is not what it was in training",
                     a->columns[k].name);
      free(x);
      return 0;
    }
    for (i = 0; i < data->n; i++) x[i * a->d + k] = data->x[i * data->d + j];
  }
  if (x == NULL) return (void)snprintf(error, ERROR_SIZE, "out of memory"), 0;
  free(data->x);
  free(data->features);
  data->x = x;
  data->d = a->d;
  data->features = malloc(a->d * sizeof *data->features);
  if (data->features == NULL) return (void)snprintf(error, ERROR_SIZE, "out of memory"), 0;
  memcpy(data->features, a->columns, a->d * sizeof *data->features);
  data->has_ranges = a->scale == SCALE_RANGES || a->scale == SCALE_MAPS;
  return 1;
}

/* --- scores ----------------------------------------------------------------------------------- */

static dppair_status score(double *s, const applied *a, const dataset *data) {
  size_t i, *order = malloc(data->n * sizeof *order);
  dppair_status status = order == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
  split rows;
  for (i = 0; i < data->n && status == DPPAIR_OK; i++) order[i] = i;
  if (status == DPPAIR_OK && !split_make(&rows, data, order, data->n, 0, a->scale))
    status = DPPAIR_ERR_OVERFLOW;
  free(order);
  if (status != DPPAIR_OK) return status;
  if (a->weights == NULL) {
    status = dppair_auto_score(s, &a->automatic, rows.train.raw, data->n);
  } else {
    const dppair_rows_f64 x = dppair_rows_make_f64(rows.train.x, data->n, a->d, a->d);
    status = dppair_scores_f64(s, &x, a->weights);
  }
  split_free(&rows);
  return status;
}

static int print_scores(const applied *a, const dataset *data) {
  double *s = malloc(data->n * sizeof *s);
  dppair_status status = s == NULL ? DPPAIR_ERR_OVERFLOW : score(s, a, data);
  size_t i;
  for (i = 0; i < data->n && status == DPPAIR_OK; i++) (void)printf("%.17g\n", s[i]);
  free(s);
  if (status != DPPAIR_OK) return complain(1, "%s", status_words(status));
  return 0;
}

static int apply(const applied *a, const run_options *o) {
  char error[ERROR_SIZE];
  dataset data;
  size_t length;
  int code;
  char *text = file_read(o->data, &length, error);
  memset(&data, 0, sizeof data);
  if (text == NULL) return complain(1, "%s", error);
  if (read_records(&data, a, o, text, length, error) && (!a->derived || derive(&data, o, error)) &&
      arrange(&data, a, error))
    code = print_scores(a, &data);
  else
    code = complain(1, "%s", error);
  free(text);
  data_free(&data);
  return code;
}

/* Options of the file alone: how it is laid out, and how derived columns are made. */
static int parse_apply(run_options *o, const char **path, int argc, char **argv) {
  static const char *const known[] = {"--label",  "--header", "--columns", "--separator",
                                      "--ranges", "--maps",   NULL};
  if (!parse_some(o, argc, argv, "--apply", path, known)) return 0;
  if (o->separator != NULL && strcmp(o->separator, "comma") != 0 &&
      strcmp(o->separator, "semicolon") != 0 && strcmp(o->separator, "tab") != 0)
    return complain(0, "--separator is comma, semicolon or tab, not '%s'", o->separator);
  return o->data != NULL || complain(0, "--apply MODEL needs DATA, the records to score");
}

int apply_run(int argc, char **argv) {
  char error[ERROR_SIZE], *text;
  const char *path = NULL;
  run_options o;
  applied a;
  size_t length;
  int code;
  program_name = "private_auc";
  memset(&o, 0, sizeof o);
  memset(&a, 0, sizeof a);
  if (!parse_apply(&o, &path, argc, argv)) return 2;
  if ((text = file_read(path, &length, error)) == NULL) return complain(1, "%s", error);
  code = read_model(&a, path, text, length) ? apply(&a, &o) : 1;
  free(text);
  applied_free(&a);
  return code;
}
