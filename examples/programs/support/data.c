/* SPDX-License-Identifier: MIT */
#include "support/data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/text.h"

/* --- labels: two levels, declared or met in any order ----------------------------------------- */

/* Numbers in one spelling: "+1", "1.00" and "1e0" are 1, -0 is 0. */
static int level_make(label_word *l, const cursor *c, const char *where, span s) {
  span text;
  if (is_missing(s)) return fail(c, where, "the label is missing");
  if (!name_need(l->text, c, where, s)) return 0;
  text = span_of(l->text);
  l->numeric = number_parse(&l->number, text);
  if (infinity_sign(text) != 0 || (l->numeric && !isfinite(l->number)))
    return fail(c, where, "the label is not a finite number");
  if (l->numeric) {
    int digits, same = 0;
    if (fabs(l->number) <= 0) l->number = 0;
    for (digits = 15; digits <= 17 && !same; digits++) {
      double back;
      (void)snprintf(l->text, sizeof l->text, "%.*g", digits, l->number);
      back = strtod(l->text, NULL);
      same = back >= l->number && back <= l->number;
    }
  }
  return 1;
}

static int label_index(double *out, labels *l, const cursor *c, const char *where, span s) {
  label_word met;
  int i;
  for (i = 0; i < l->count && !s.quoted; i++) /* as it is spelled already: the usual case */
    if (strlen(l->of[i].text) == s.length && memcmp(l->of[i].text, s.at, s.length) == 0) {
      *out = i;
      return 1;
    }
  if (!level_make(&met, c, where, s)) return 0;
  for (i = 0; i < l->count; i++)
    if (strcmp(met.text, l->of[i].text) == 0) {
      *out = i;
      return 1;
    }
  if (l->declared)
    return fail(c, where, "the label '%s' is neither '%s' nor '%s', the declared ones", met.text,
                l->of[0].text, l->of[1].text);
  if (l->count == l->most && l->most > 2)
    return fail(c, where, "more than %d labels; is this the label column? (--label)", l->most);
  if (l->count == l->most)
    return fail(c, where,
                "a third label '%s' after '%s' and '%s'; is this the label column? (--label)",
                met.text, l->of[0].text, l->of[1].text);
  l->of[l->count] = met;
  *out = l->count++;
  return 1;
}

/* "NEG,POS" */
static int labels_declare(labels *l, const char *text, const cursor *c) {
  const char *comma = strchr(text, ','), *end = text + strlen(text);
  memset(l, 0, sizeof *l);
  l->declared = 1;
  l->count = l->most = 2;
  if (comma == NULL || strchr(comma + 1, ',') != NULL)
    return fail(c, NULL, "--labels takes two labels, NEG,POS, not '%.60s'", text);
  if (!level_make(&l->of[0], c, NULL, trimmed(text, comma)) ||
      !level_make(&l->of[1], c, NULL, trimmed(comma + 1, end)))
    return 0;
  if (strcmp(l->of[0].text, l->of[1].text) == 0)
    return fail(c, NULL, "--labels takes two different labels, not '%s' twice", l->of[0].text);
  return 1;
}

static int before(const label_word *a, const label_word *b) {
  if (a->numeric != b->numeric) return a->numeric;
  return a->numeric ? a->number < b->number : strcmp(a->text, b->text) < 0;
}

/* Level indices of classes in their order: numbers by value, then words. What number a class gets
 * does not depend on where its records stand. */
static void labels_number(dataset *data, const labels *l) {
  int place[MOST_CLASSES] = {0}, i, j;
  size_t k;
  for (i = 0; i < l->count; i++) {
    for (j = 0; j < l->count; j++) place[i] += before(&l->of[j], &l->of[i]);
    memcpy(data->label[place[i]], l->of[i].text, NAME_SIZE);
  }
  for (k = 0; k < data->n; k++) data->y[k] = place[(int)data->y[k]];
}

/* Turns level indices into -1/+1, or into the numbers of classes. */
static int labels_finish(dataset *data, const labels *l, const cursor *c) {
  int positive = 1, i;
  size_t k;
  if (l->count < 2)
    return fail(c, NULL, "only one class: every label is '%s'%s",
                l->count == 1 ? l->of[0].text : "",
                l->most > 2 ? "" : " (--labels NEG,POS names both)");
  data->classes = (size_t)l->count;
  if (l->most > 2) {
    labels_number(data, l);
    return 1;
  }
  if (!l->declared)
    positive = l->of[0].numeric && l->of[1].numeric ? l->of[1].number > l->of[0].number
                                                    : strcmp(l->of[0].text, l->of[1].text) < 0;
  for (k = 0; k < data->n; k++) data->y[k] = ((int)data->y[k] == positive) ? 1.0 : -1.0;
  for (i = 0; i < 2; i++)
    memcpy(data->label[i], l->of[i == 1 ? positive : 1 - positive].text, NAME_SIZE);
  return 1;
}

/* --- memory ----------------------------------------------------------------------------------- */

static int columns_allocate(dataset *data, size_t d, const cursor *c) {
  size_t j;
  if (d > MAX_COLUMNS)
    return fail(c, NULL, "%zu columns; at most %d are supported", d, MAX_COLUMNS);
  if (d == 0) return fail(c, NULL, "no feature columns");
  data->d = d;
  data->features = calloc(d, sizeof *data->features);
  if (data->features == NULL) return fail(c, NULL, "out of memory");
  for (j = 0; j < d; j++) {
    data->features[j].group = -1;
    (void)snprintf(data->features[j].name, sizeof data->features[j].name, "%zu", j + 1);
  }
  return 1;
}

static int records_allocate(dataset *data, size_t n, const cursor *c) {
  if (n < MIN_RECORDS)
    return fail(c, NULL, "%zu record%s; at least %d are needed", n, n == 1 ? "" : "s", MIN_RECORDS);
  if (n > max_cells / data->d)
    return fail(c, NULL, "%zu records of %zu columns do not fit into memory", n, data->d);
  data->n = n;
  data->x = calloc(n * data->d, sizeof *data->x);
  data->y = calloc(n, sizeof *data->y);
  return data->x != NULL && data->y != NULL ? 1 : fail(c, NULL, "out of memory");
}

void data_free(dataset *data) {
  free(data->x);
  free(data->y);
  free(data->features);
  free(data->maps);
  free(data->group);
  memset(data, 0, sizeof *data);
}

/* --- LIBSVM ----------------------------------------------------------------------------------- */

/* The token that ends at a blank or at the end of the line. */
static span token(cursor *c) {
  span s;
  s.at = c->at;
  while (!at_line_end(c) && !is_blank(*c->at)) c->at++;
  s.length = (size_t)(c->at - s.at);
  s.quoted = 0;
  return s;
}

/* "index:" at the cursor, which moves behind the colon. Indices too large to be held are all one.
 */
static int libsvm_index(size_t *index, cursor *c) {
  const char *start = c->at;
  size_t value = 0;
  while (c->at < c->end && *c->at >= '0' && *c->at <= '9') {
    if (value <= MAX_COLUMNS) value = value * 10 + (size_t)(*c->at - '0');
    c->at++;
  }
  if (c->at == start || c->at == c->end || *c->at != ':') {
    char shown[40];
    c->at = start;
    (void)span_copy(shown, sizeof shown, token(c));
    return fail(c, start, "'%s' is not index:value", shown);
  }
  if (value == 0) return fail(c, start, "indices start at 1");
  c->at++;
  *index = value;
  return 1;
}

int libsvm_row(double *x, size_t *last, cursor *c, size_t width) {
  *last = 0;
  for (;;) {
    size_t index = 0;
    const char *where;
    span s;
    while (c->at < c->end && is_blank(*c->at)) c->at++;
    if (at_line_end(c) || *c->at == '#') return 1;
    where = c->at;
    if (!libsvm_index(&index, c)) return 0;
    if (index > width) {
      (void)token(c);
      continue;
    }
    if (index > MAX_COLUMNS)
      return fail(c, where, "column %.*s; at most %d columns are supported",
                  (int)(c->at - where < 30 ? c->at - where - 1 : 30), where, MAX_COLUMNS);
    if (index <= *last)
      return fail(c, where, "index %zu after %zu: indices must increase", index, *last);
    *last = index;
    if (x != NULL && value_plain(&x[index - 1], c, ' ')) continue;
    where = c->at;
    s = token(c);
    if (x != NULL && !value_need(&x[index - 1], c, where, s)) return 0;
  }
}

/* The record at the cursor; x = NULL only measures, and with a declared width not even that. */
static int libsvm_record(double *x, double *y, size_t *last, cursor *c, labels *l, size_t width) {
  const char *where;
  span s;
  while (c->at < c->end && is_blank(*c->at)) c->at++;
  where = c->at;
  s = token(c);
  if (x != NULL) {
    if (memchr(s.at, ':', s.length) != NULL) return fail(c, where, "the label is missing");
    if (!label_index(y, l, c, where, s)) return 0;
  }
  return (x == NULL && width != SIZE_MAX) || libsvm_row(x, last, c, width);
}

/* One pass over the records; with x == NULL in data it only measures n and d. */
static int libsvm_pass(cursor c, dataset *data, labels *l, size_t *n, size_t *d, size_t width) {
  *n = 0;
  *d = 0;
  while (next_record(&c)) {
    double *x = data->x != NULL ? data->x + *n * data->d : NULL;
    size_t last = 0;
    if (!libsvm_record(x, x != NULL ? &data->y[*n] : NULL, &last, &c, l, width)) return 0;
    if (width == SIZE_MAX && last > *d) *d = last;
    ++*n;
    next_line(&c);
  }
  return 1;
}

static int libsvm_parse(dataset *data, cursor c, labels *l) {
  size_t width = data->found.columns > 0 ? data->found.columns : SIZE_MAX, n, d;
  if (width == SIZE_MAX) data->fault = FAULT_RECORD;
  if (!libsvm_pass(c, data, NULL, &n, &d, width)) return 0;
  data->fault = FAULT_FILE;
  if (width == SIZE_MAX && !columns_allocate(data, d, &c)) return 0;
  data->found.columns = data->d;
  if (!records_allocate(data, n, &c)) return 0;
  data->fault = FAULT_RECORD;
  return libsvm_pass(c, data, l, &n, &d, width == SIZE_MAX ? data->d : width) &&
         labels_finish(data, l, &c);
}

/* LIBSVM when the first record has a "digits:" token after a blank and no separator before it. */
static int looks_like_libsvm(cursor c) {
  while (next_record(&c)) {
    const char *p = c.at;
    for (; p < c.end && *p != '\n'; p++) {
      const char *q = p + 1;
      if (*p == ',' || *p == ';') return 0;
      if (!is_blank(*p)) continue;
      while (q < c.end && *q >= '0' && *q <= '9') q++;
      if (q > p + 1 && q < c.end && *q == ':') return 1;
    }
    next_line(&c); /* a record without any feature: ask the next one */
  }
  return 0;
}

/* --- CSV -------------------------------------------------------------------------------------- */

static char csv_separator(const cursor *c) {
  const char *p;
  int quoted = 0;
  for (p = c->at; p < c->end && *p != '\n'; p++) {
    if (*p == '"') quoted = !quoted;
    if (!quoted && (*p == ',' || *p == ';' || *p == '\t')) return *p;
  }
  return ',';
}

/* The number of fields of the record at the cursor; 0 when a quote is not closed. */
static size_t csv_width(cursor c, char separator) {
  size_t width = 1;
  for (;;) {
    (void)csv_field(&c, separator);
    if (c.open_quote) return 0;
    if (c.at == c.end || *c.at != separator) return width;
    c.at++;
    width++;
  }
}

static span csv_nth(cursor c, char separator, size_t k) {
  span s = csv_field(&c, separator);
  while (k-- > 0) {
    if (c.at < c.end && *c.at == separator) c.at++;
    s = csv_field(&c, separator);
  }
  return s;
}

/* In a header no field is a number or missing: a record has numbers, unless all of its values are
 * missing. */
static int csv_has_header(cursor c, char separator, size_t width) {
  size_t j;
  double value;
  for (j = 0; j < width; j++) {
    span s = csv_field(&c, separator);
    if (number_parse(&value, s) || infinity_sign(s) != 0 || is_missing(s)) return 0;
    if (c.at < c.end && *c.at == separator) c.at++;
  }
  return 1;
}

#define NO_FIELD SIZE_MAX

/* The field of a name, or of a number from 1 on. */
static int csv_field_called(size_t *column, const cursor *c, char separator, size_t width,
                            int header, const char *name) {
  size_t j;
  double number;
  for (j = 0; header && j < width; j++)
    if (span_is(csv_nth(*c, separator, j), name)) {
      *column = j;
      return 1;
    }
  if (!number_parse(&number, span_of(name)))
    return fail(c, NULL,
                header ? "no column is called '%s'" : "no header, so no column is called '%s'",
                name);
  if (!(number >= 1 && number <= (double)width) || number > floor(number))
    return fail(c, NULL, "there is no column %s among %zu", name, width);
  *column = (size_t)number - 1;
  return 1;
}

static int csv_special_fields(size_t column[SPECIAL_FIELDS], const cursor *c, char separator,
                              size_t width, int header, const layout *how) {
  static const char *const usual[] = {"label", "class", "target", "y"};
  size_t j, k;
  column[LABEL_FIELD] = 0;
  column[GROUP_FIELD] = NO_FIELD;
  if (how->label != NULL &&
      !csv_field_called(&column[LABEL_FIELD], c, separator, width, header, how->label))
    return 0;
  for (k = 0; how->label == NULL && header && k < sizeof usual / sizeof *usual; k++)
    for (j = 0; j < width; j++)
      if (span_is_nocase(csv_nth(*c, separator, j), usual[k])) {
        column[LABEL_FIELD] = j;
        k = sizeof usual / sizeof *usual - 1;
        break;
      }
  if (how->group == NULL) return 1;
  if (!csv_field_called(&column[GROUP_FIELD], c, separator, width, header, how->group)) return 0;
  if (column[GROUP_FIELD] == column[LABEL_FIELD])
    return fail(c, NULL, "column '%s' cannot be the label, too", how->group);
  return 1;
}

static size_t csv_count(cursor c) {
  size_t n = 0;
  while (next_record(&c)) {
    n++;
    next_line(&c);
  }
  return n;
}

static int not_closed(const cursor *c) {
  return fail(c, c->line_start,
              "a quote is not closed on its line: line breaks inside quotes are not supported");
}

/* Who or what a record belongs to: a number, or a text. */
typedef struct owner {
  span text;
  double number;
  int numeric;
  size_t record;
} owner;

static int compare_owners(const void *a, const void *b) {
  const owner *one = a, *two = b;
  int order;
  if (one->numeric != two->numeric) return one->numeric ? -1 : 1;
  if (one->numeric) return (one->number > two->number) - (one->number < two->number);
  order = memcmp(one->text.at, two->text.at,
                 one->text.length < two->text.length ? one->text.length : two->text.length);
  if (order != 0) return order;
  return (one->text.length > two->text.length) - (one->text.length < two->text.length);
}

/* Equal owners get one number, from 0 on. Numbers are equal by their value: two names that are
 * taken for one are protected together. */
static int groups_number(dataset *data, owner *owners, const cursor *c) {
  size_t i;
  data->group = malloc(data->n * sizeof *data->group);
  if (data->group == NULL) return fail(c, NULL, "out of memory");
  qsort(owners, data->n, sizeof *owners, compare_owners);
  for (i = 0; i < data->n; i++) {
    if (i == 0 || compare_owners(&owners[i - 1], &owners[i]) != 0) data->groups++;
    data->group[owners[i].record] = data->groups - 1;
  }
  return 1;
}

static int owner_need(owner *out, size_t i, const cursor *c, const char *where, span s) {
  if (is_missing(s)) return fail(c, where, "whose record it is, is missing");
  out->text = s;
  out->record = i;
  out->numeric = number_parse(&out->number, s);
  return 1;
}

/* The field at the cursor: *y is the label's index, owners[i] whose record it is, *x the next value
 * of a feature otherwise. */
static int csv_value(double **x, double *y, owner *owners, size_t i, cursor *c, size_t j,
                     record_format *f) {
  const char *where = c->at;
  const int feature_field = j != f->field[LABEL_FIELD] && j != f->field[GROUP_FIELD];
  span s;
  if (feature_field && value_plain(*x, c, f->separator)) return ++*x, 1;
  s = csv_field(c, f->separator);
  if (c->open_quote) return not_closed(c);
  if (feature_field) return value_need((*x)++, c, where, s);
  if (j == f->field[LABEL_FIELD]) return label_index(y, &f->words, c, where, s);
  return owner_need(&owners[i], i, c, where, s);
}

/* Record i; owners: NULL, or of all records. */
static int csv_row(double *x, double *y, owner *owners, size_t i, cursor *c, record_format *f) {
  const char separator = f->separator;
  size_t width = f->columns + 1, j;
  for (j = 0; j < width; j++) {
    if (!csv_value(&x, y, owners, i, c, j, f)) return 0;
    if (j + 1 < width) {
      if (c->at == c->end || *c->at != separator)
        return fail(c, c->at, "this record has %zu field%s, not %zu", j + 1, j > 0 ? "s" : "",
                    width);
      c->at++;
    }
  }
  if (c->at < c->end && *c->at == separator)
    return fail(c, c->at, "this record has more than %zu fields", width);
  return 1;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of a header; no two columns, the label's included, have the same. */
static int csv_names(dataset *data, cursor c, char separator, const size_t column[SPECIAL_FIELDS]) {
  size_t width = data->found.columns + 1, j, k = 0;
  char special[SPECIAL_FIELDS][NAME_SIZE];
  const char **sorted = malloc(width * sizeof *sorted), *twice = NULL;
  int ok = sorted != NULL || fail(&c, NULL, "out of memory");
  for (j = 0; j < width && ok; j++) {
    char *name = j == column[LABEL_FIELD]   ? special[LABEL_FIELD]
                 : j == column[GROUP_FIELD] ? special[GROUP_FIELD]
                                            : data->features[k++].name;
    const char *where = c.at;
    ok = name_need(name, &c, where, csv_field(&c, separator));
    if (c.at < c.end && *c.at == separator) c.at++;
    sorted[j] = name;
  }
  if (ok) qsort(sorted, width, sizeof *sorted, compare_names);
  for (j = 1; j < width && ok; j++)
    if (strcmp(sorted[j - 1], sorted[j]) == 0) twice = sorted[j];
  if (twice != NULL) ok = fail(&c, NULL, "two columns are called '%s'", twice);
  free(sorted);
  return ok;
}

/* The columns, by what is declared or learnt; the cursor moves to the first record. */
static int csv_columns(dataset *data, cursor *c, size_t column[SPECIAL_FIELDS], const layout *how) {
  layout *found = &data->found;
  int guessed = found->header == HEADER_GUESSED, header = found->header == HEADER_YES;
  size_t width = found->columns + 1;
  cursor first;
  data->fault = FAULT_FILE;
  c->every_line = found->header == HEADER_NO;
  if (!next_record(c)) return fail(c, NULL, "the file is empty");
  first = *c;
  if (found->separator == '\0')
    found->separator = found->header == HEADER_NO ? ',' : csv_separator(c);
  if (found->header != HEADER_NO) {
    width = csv_width(first, found->separator);
    if (width == 0) return not_closed(c);
    if (width == 1) return fail(c, c->at, "one column only: neither CSV nor LIBSVM");
  }
  if (guessed) header = csv_has_header(first, found->separator, width);
  data->fault = FAULT_DECLARATION;
  if (width == 1)
    return fail(c, NULL, "without a header --columns says how many columns there are");
  if (found->columns > 0 && width != found->columns + 1)
    return fail(c, c->at, "the header has %zu columns beside the label, --columns says %zu",
                width - 1, found->columns);
  if (!csv_special_fields(column, &first, found->separator, width, header, how)) return 0;
  data->fault = FAULT_FILE;
  if (!columns_allocate(data, width - 1 - (how->group != NULL), c)) return 0;
  found->columns = width - 1;
  if (header && !csv_names(data, first, found->separator, column)) return 0;
  if (header) next_line(c);
  found->header = header ? HEADER_YES : HEADER_NO;
  c->every_line = !guessed;
  return 1;
}

static int csv_rows(dataset *data, cursor *c, record_format *f, owner *owners) {
  size_t i;
  for (i = 0; i < data->n && next_record(c); i++) {
    if (!csv_row(data->x + i * data->d, data->y + i, owners, i, c, f)) {
      static const char hint[] = " (if this line is the header: --header yes)";
      if (i == 0 && !data->shape_declared && data->found.header == HEADER_NO &&
          strlen(c->error) + sizeof hint <= ERROR_SIZE)
        memcpy(c->error + strlen(c->error), hint, sizeof hint);
      return 0;
    }
    next_line(c);
  }
  return labels_finish(data, &f->words, c);
}

/* How many records there are may be what is protected where they have owners. */
static int csv_parse(dataset *data, cursor c, record_format *f) {
  const int owned = f->field[GROUP_FIELD] != NO_FIELD;
  size_t n = csv_count(c);
  owner *owners = NULL;
  int ok;
  if (owned) data->fault = FAULT_RECORD;
  if (!records_allocate(data, n, &c)) return 0;
  data->fault = FAULT_RECORD;
  if (owned && (owners = malloc(n * sizeof *owners)) == NULL)
    return fail(&c, NULL, "out of memory");
  ok = csv_rows(data, &c, f, owners) && (!owned || groups_number(data, owners, &c));
  free(owners);
  return ok;
}

/* Is this text in lines? Of a declared shape only the header is asked: a record may be anything. */
static int text_check(cursor c, const layout *how, int declared) {
  const char *zero = c.at < c.end ? memchr(c.at, '\0', (size_t)(c.end - c.at)) : NULL;
  const char *feed = c.at < c.end ? memchr(c.at, '\n', (size_t)(c.end - c.at)) : NULL;
  const char *back = c.at < c.end ? memchr(c.at, '\r', (size_t)(c.end - c.at)) : NULL;
  if (feed == NULL && back != NULL && back + 1 < c.end && (!declared || how->header == HEADER_YES))
    return fail(&c, NULL, "the line ends are carriage returns alone: turn them into line feeds");
  if (zero == NULL) return 1;
  if (declared && (how->header != HEADER_YES || (feed != NULL && feed < zero))) return 1;
  while (c.at < zero)
    if (*c.at++ == '\n') {
      c.line++;
      c.line_start = c.at;
    }
  return fail(&c, zero,
              "a zero byte: this is a binary file, not LIBSVM or CSV (that of --convert is for "
              "private_auc --model, method gd)");
}

/* The columns if they do not depend on records, and how records are read; the cursor moves to the
 * first of them. */
static int read_head(dataset *out, cursor *c, const layout *how, record_format *f) {
  cursor look = *c;
  memset(f, 0, sizeof *f);
  f->field[GROUP_FIELD] = NO_FIELD;
  out->found = *how;
  out->found.label = out->found.labels = out->found.group = NULL;
  out->shape_declared = how->header != HEADER_GUESSED || how->columns > 0;
  out->labels_declared = how->labels != NULL;
  f->words.most = how->classes ? MOST_CLASSES : 2;
  out->fault = FAULT_FILE;
  look.every_line = out->shape_declared && how->header != HEADER_YES;
  if (!next_record(&look)) return fail(c, NULL, "the file is empty");
  if (!text_check(*c, how, out->shape_declared)) return 0;
  out->fault = FAULT_DECLARATION;
  if (how->labels != NULL && !labels_declare(&f->words, how->labels, c)) return 0;
  f->libsvm = how->header == HEADER_GUESSED && (how->columns > 0 || looks_like_libsvm(*c));
  if (f->libsvm && (how->label != NULL || how->separator != '\0'))
    return fail(c, NULL, "LIBSVM has its label first and blanks between: %s is not for it",
                how->label != NULL ? "--label" : "--separator");
  if (f->libsvm && how->group != NULL)
    return fail(c, NULL, "LIBSVM has no column of persons or queries: give a CSV");
  if (!f->libsvm && !csv_columns(out, c, f->field, how)) return 0;
  if (f->libsvm && how->columns > 0 && !columns_allocate(out, how->columns, c)) return 0;
  if (f->libsvm) c->every_line = out->shape_declared;
  f->separator = out->found.separator;
  f->columns = out->found.columns;
  return 1;
}

/* The columns, and with `all` the records too. */
static int read_text(dataset *out, cursor c, const layout *how, int all) {
  record_format f;
  if (!read_head(out, &c, how, &f)) return 0;
  out->fault = FAULT_FILE;
  if (!all) return 1;
  return f.libsvm ? libsvm_parse(out, c, &f.words) : csv_parse(out, c, &f);
}

int records_begin(record_format *f, dataset *columns, cursor *c, const layout *how) {
  int i;
  memset(columns, 0, sizeof *columns);
  if (!read_head(columns, c, how, f)) {
    const data_fault fault = columns->fault;
    data_free(columns);
    columns->fault = fault;
    return 0;
  }
  for (i = 0; i < 2; i++) memcpy(columns->label[i], f->words.of[i].text, NAME_SIZE);
  columns->fault = FAULT_NONE;
  return 1;
}

static int owner_keep(last_owner *whose, const owner *from, const cursor *c) {
  if (from->text.length > whose->room || whose->text == NULL) {
    char *grown = realloc(whose->text, 2 * from->text.length + 64);
    if (grown == NULL) return fail(c, NULL, "out of memory");
    whose->text = grown;
    whose->room = 2 * from->text.length + 64;
  }
  memcpy(whose->text, from->text.at, from->text.length);
  whose->length = from->text.length;
  whose->number = from->number;
  whose->numeric = from->numeric;
  whose->known = 1;
  return 1;
}

/* 1: the same owner as before, 2: the next one; 0 for one that stands too late. */
static int owner_next(last_owner *whose, const owner *one, const cursor *c) {
  owner last;
  int order = 1;
  memset(&last, 0, sizeof last);
  if (whose->known) {
    last.text.at = whose->text;
    last.text.length = whose->length;
    last.number = whose->number;
    last.numeric = whose->numeric;
    order = compare_owners(one, &last);
  }
  if (order < 0)
    return fail(c, one->text.at,
                "the records are not in the order of their owners: sort them by this column, "
                "numbers by their value (sort -g), then texts by their bytes (LC_ALL=C sort)");
  if (order == 0) return 1;
  return owner_keep(whose, one, c) ? 2 : 0;
}

int records_read(double *x, double *y, last_owner *whose, cursor *c, record_format *f) {
  size_t last;
  int taken = 1;
  owner one;
  memset(&one, 0, sizeof one);
  if (f->libsvm ? !libsvm_record(x, y, &last, c, &f->words, f->columns)
                : !csv_row(x, y, whose != NULL ? &one : NULL, 0, c, f))
    return 0;
  if (whose != NULL && (taken = owner_next(whose, &one, c)) == 0) return 0;
  *y = *y > 0 ? 1.0 : -1.0;
  next_line(c);
  return taken;
}

static int read_or_clear(dataset *out, const char *text, size_t length, const char *name,
                         const layout *how, int all, char error[ERROR_SIZE]) {
  static const layout nothing = {NULL, NULL, HEADER_GUESSED, 0, '\0', NULL, 0};
  data_fault fault;
  memset(out, 0, sizeof *out);
  if (read_text(out, cursor_at(text, length, name, error), how != NULL ? how : &nothing, all)) {
    out->fault = FAULT_NONE;
    return 1;
  }
  fault = out->fault;
  data_free(out);
  out->fault = fault;
  return 0;
}

int data_parse(dataset *out, const char *text, size_t length, const char *name, const layout *how,
               char error[ERROR_SIZE]) {
  return read_or_clear(out, text, length, name, how, 1, error);
}

int data_columns(dataset *out, const char *text, size_t length, const char *name, const layout *how,
                 char error[ERROR_SIZE]) {
  return read_or_clear(out, text, length, name, how, 0, error);
}

/* --- files ------------------------------------------------------------------------------------ */

int data_load(dataset *out, const char *path, const layout *how, char error[ERROR_SIZE]) {
  size_t length;
  char *text = file_read(path, &length, error);
  int ok;
  memset(out, 0, sizeof *out);
  out->fault = FAULT_FILE;
  if (text == NULL) return 0;
  ok = data_parse(out, text, length, path, how, error);
  free(text);
  return ok;
}

/* --- declared ranges -------------------------------------------------------------------------- */

/* Group names become numbers in the order in which they are met. */
typedef struct group_names {
  char (*name)[NAME_SIZE];
  int count;
} group_names;

static int group_number(group_names *g, const char *name) {
  int i;
  char(*grown)[NAME_SIZE];
  for (i = 0; i < g->count; i++)
    if (strcmp(g->name[i], name) == 0) return i;
  grown = realloc(g->name, (size_t)(g->count + 1) * sizeof *grown);
  if (grown == NULL) return -1;
  g->name = grown;
  memcpy(g->name[g->count], name, NAME_SIZE);
  return g->count++;
}

/* The kind in the fourth field: numeric (also when it is absent), flag, group:NAME. */
static int range_kind(feature *f, group_names *groups, const cursor *c, const char *where, span s) {
  char name[NAME_SIZE] = "";
  f->group = -1;
  if (s.length == 0 || span_is(s, "numeric")) {
    f->kind = KIND_NUMERIC;
  } else if (span_is(s, "flag")) {
    f->kind = KIND_FLAG;
  } else if (s.length > 6 && memcmp(s.at, "group:", 6) == 0) {
    f->kind = KIND_GROUP;
    s.at += 6;
    s.length -= 6;
    if (!name_need(name, c, where, s)) return 0;
    f->group = group_number(groups, name);
    if (f->group < 0) return fail(c, NULL, "out of memory");
  } else {
    char shown[40];
    (void)span_copy(shown, sizeof shown, s);
    return fail(c, where, "unknown kind '%s': numeric, flag or group:NAME", shown);
  }
  if (f->kind != KIND_NUMERIC && (f->low < 0 || f->low > 0 || f->high < 1 || f->high > 1))
    return fail(c, where, "a flag or group column has the range 0 to 1");
  return 1;
}

/* One line of a ranges file. */
static int range_line(feature *f, group_names *groups, cursor *c) {
  double value[2];
  const char *where = c->at;
  int k;
  span s = csv_field(c, ',');
  if (s.length == 0) return fail(c, where, "the column's name is missing");
  memset(f, 0, sizeof *f);
  if (!name_need(f->name, c, where, s)) return 0;
  for (k = 0; k < 2; k++) {
    if (c->at == c->end || *c->at != ',') return fail(c, c->at, "expected name,low,high[,kind]");
    where = ++c->at;
    s = csv_field(c, ',');
    if (s.length == 0)
      return fail(c, where,
                  "column '%s': its %s end is not filled in; it is what is publicly known to be "
                  "possible, not a value of the records",
                  f->name, k == 0 ? "low" : "high");
    if (!number_need(&value[k], c, where, s)) return 0;
  }
  if (!(value[0] < value[1])) return fail(c, where, "the high end is not above the low end");
  if (!isfinite(value[1] - value[0])) return fail(c, where, "the range is too wide");
  f->low = value[0];
  f->high = value[1];
  s.length = 0;
  if (c->at < c->end && *c->at == ',') {
    where = ++c->at;
    s = csv_field(c, ',');
  }
  if (c->at < c->end && *c->at == ',') return fail(c, c->at, "expected name,low,high[,kind]");
  return range_kind(f, groups, c, where, s);
}

/* Widens the data to d columns; the new ones are zero. */
static int data_widen(dataset *data, size_t d) {
  size_t i, j;
  double *x;
  feature *f;
  if (d <= data->d) return 1;
  if (d > MAX_COLUMNS || data->n > max_cells / d) return 0;
  x = calloc(data->n * d, sizeof *x);
  f = realloc(data->features, d * sizeof *f);
  if (f != NULL) data->features = f;
  if (x == NULL || f == NULL) {
    free(x);
    return 0;
  }
  for (i = 0; i < data->n; i++) memcpy(x + i * d, data->x + i * data->d, data->d * sizeof *x);
  for (j = data->d; j < d; j++) {
    memset(&f[j], 0, sizeof f[j]);
    (void)snprintf(f[j].name, sizeof f[j].name, "%zu", j + 1);
    f[j].group = -1;
  }
  free(data->x);
  data->x = x;
  data->d = d;
  return 1;
}

/* The column that a declared name means; data->d when there is none. Names of LIBSVM columns are
 * their indices, so a declared index beyond the last widens the data, unless the width is declared.
 */
static size_t column_of(dataset *data, const char *name, int by_index) {
  size_t j;
  double number;
  if (by_index && !data->shape_declared && number_parse(&number, span_of(name)) && number >= 1 &&
      number <= (double)MAX_COLUMNS && !(number > floor(number))) {
    if (!data_widen(data, (size_t)number)) return data->d;
    return (size_t)number - 1;
  }
  for (j = 0; j < data->d; j++)
    if (strcmp(data->features[j].name, name) == 0) return j;
  return data->d;
}

int data_names_are_indices(const dataset *data) {
  size_t j;
  for (j = 0; j < data->d; j++) {
    char number[32];
    (void)snprintf(number, sizeof number, "%zu", j + 1);
    if (strcmp(number, data->features[j].name) != 0) return 0;
  }
  return 1;
}

static int ranges_attach(dataset *data, cursor c, group_names *groups) {
  int by_index = data_names_are_indices(data), first = 1;
  size_t j;
  while (next_record(&c)) {
    feature f;
    const char *where = c.at;
    cursor peek = c;
    if (first && span_is(csv_field(&peek, ','), "name")) {
      first = 0;
      next_line(&c);
      continue;
    }
    first = 0;
    if (!range_line(&f, groups, &c)) return 0;
    j = column_of(data, f.name, by_index);
    if (j == data->d) return fail(&c, where, "the data have no column '%s'", f.name);
    if (data->features[j].low < data->features[j].high)
      return fail(&c, where, "column '%s' is declared twice", f.name);
    memcpy(f.name, data->features[j].name, sizeof f.name);
    data->features[j] = f;
    next_line(&c);
  }
  for (j = 0; j < data->d; j++)
    if (!(data->features[j].low < data->features[j].high))
      return fail(&c, NULL, "column '%s' has no declared range", data->features[j].name);
  return 1;
}

int data_ranges_parse(dataset *data, const char *text, size_t length, const char *name,
                      char error[ERROR_SIZE]) {
  group_names groups = {NULL, 0};
  cursor c = cursor_at(text, length, name, error);
  int ok;
  if (length > 0 && memchr(text, '\0', length) != NULL)
    return fail(&c, NULL, "a zero byte: this is a binary file, not a ranges file");
  ok = ranges_attach(data, c, &groups);
  free(groups.name);
  data->has_ranges = ok;
  return ok;
}

int data_ranges(dataset *data, const char *path, char error[ERROR_SIZE]) {
  size_t length;
  char *text = file_read(path, &length, error);
  int ok;
  if (text == NULL) return 0;
  ok = data_ranges_parse(data, text, length, path, error);
  free(text);
  return ok;
}

char *data_ranges_beside(const char *path) {
  static const char extension[] = ".ranges";
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  size_t stem = strlen(path);
  char *beside;
  FILE *file;
  if (dot != NULL && dot > path && (slash == NULL || dot > slash + 1)) stem = (size_t)(dot - path);
  beside = malloc(stem + sizeof extension);
  if (beside == NULL) return NULL;
  memcpy(beside, path, stem);
  memcpy(beside + stem, extension, sizeof extension);
  file = fopen(beside, "rb");
  if (file == NULL) {
    free(beside);
    return NULL;
  }
  (void)fclose(file);
  return beside;
}

/* --- splits and scaling ----------------------------------------------------------------------- */

void simulation_seed(simulation_rng *rng, uint64_t seed) {
  int k;
  for (k = 0; k < 4; k++) { /* splitmix64 */
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    rng->s[k] = z ^ (z >> 31);
  }
}

static uint64_t rotated(uint64_t v, int k) { return (v << k) | (v >> (64 - k)); }

uint64_t simulation_u64(simulation_rng *rng) { /* xoshiro256** */
  uint64_t *s = rng->s, result = rotated(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotated(s[3], 45);
  return result;
}

void simulation_permutation(size_t *order, size_t n, simulation_rng *rng) {
  size_t i;
  for (i = 0; i < n; i++) order[i] = i;
  for (i = n; i > 1; i--) {
    uint64_t bound = (uint64_t)i, limit = UINT64_MAX - UINT64_MAX % bound, v;
    size_t j, swap;
    do v = simulation_u64(rng);
    while (v >= limit);
    j = (size_t)(v % bound);
    swap = order[i - 1];
    order[i - 1] = order[j];
    order[j] = swap;
  }
}

static void scale_ranges(double *x, const double *raw, const feature *f, size_t d) {
  size_t j;
  for (j = 0; j < d; j++)
    x[j] = ((raw[j] - f[j].low) - (f[j].high - raw[j])) / (f[j].high - f[j].low);
}

static void scale_row(double *x, const double *raw, size_t d) {
  double largest = 0, sum = 0;
  size_t j;
  for (j = 0; j < d; j++) largest = fmax(largest, fabs(raw[j]));
  for (j = 0; j < d && largest > 0; j++) sum += (raw[j] / largest) * (raw[j] / largest);
  for (j = 0; j < d; j++) x[j] = largest > 0 ? raw[j] / largest / sqrt(sum) : 0.0;
}

/* Columns to mean 0 and deviation 1 over the first n rows, applied to all n_all. */
static void scale_zscore(double *x, const double *raw, size_t n, size_t n_all, size_t d) {
  size_t i, j;
  for (j = 0; j < d; j++) {
    double mean = 0, square = 0;
    for (i = 0; i < n; i++) mean += raw[i * d + j];
    mean /= (double)n;
    for (i = 0; i < n; i++) square += (raw[i * d + j] - mean) * (raw[i * d + j] - mean);
    square = sqrt(square / (double)n);
    for (i = 0; i < n_all; i++)
      x[i * d + j] = square > 0 && isfinite(square) ? (raw[i * d + j] - mean) / square : 0.0;
  }
}

void data_scale_row(double *x, double *raw, const dataset *data, scale_kind scale) {
  const feature *f = data->features;
  size_t d = data->d, j;
  for (j = 0; j < d && data->has_ranges; j++) {
    if (raw[j] < f[j].low) raw[j] = f[j].low;
    if (raw[j] > f[j].high) raw[j] = f[j].high;
  }
  if (scale == SCALE_RANGES) scale_ranges(x, raw, f, d);
  if (scale == SCALE_ROW) scale_row(x, raw, d);
  if (scale == SCALE_MAPS) memcpy(x, raw, d * sizeof *x);
}

int split_make(split *out, const dataset *data, const size_t *order, size_t n_train, size_t n_test,
               scale_kind scale) {
  size_t n = n_train + n_test, d = data->d, i;
  double *raw, *x, *y;
  memset(out, 0, sizeof *out);
  out->memory = malloc((2 * n * d + n) * sizeof *out->memory);
  if (data->group != NULL) out->group = malloc(n * sizeof *out->group);
  if (out->memory == NULL || (data->group != NULL && out->group == NULL)) {
    split_free(out);
    return 0;
  }
  raw = out->memory;
  x = raw + n * d;
  y = x + n * d;
  for (i = 0; i < n; i++) {
    memcpy(raw + i * d, data->x + order[i] * d, d * sizeof *raw);
    data_scale_row(x + i * d, raw + i * d, data, scale);
    y[i] = data->y[order[i]];
    if (out->group != NULL) out->group[i] = data->group[order[i]];
  }
  if (scale == SCALE_ZSCORE) scale_zscore(x, raw, n_train, n, d);
  out->train.n = n_train;
  out->test.n = n_test;
  out->train.d = out->test.d = d;
  out->train.raw = raw;
  out->train.x = x;
  out->train.y = y;
  out->test.raw = raw + n_train * d;
  out->test.x = x + n_train * d;
  out->test.y = y + n_train;
  if (out->group == NULL) return 1;
  out->train.group = out->group;
  out->test.group = out->group + n_train;
  out->train.groups = out->test.groups = data->groups;
  return 1;
}

void split_free(split *s) {
  free(s->memory);
  free(s->group);
  memset(s, 0, sizeof *s);
}
