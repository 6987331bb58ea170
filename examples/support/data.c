/* SPDX-License-Identifier: MIT */
#include "support/data.h"

#include "support/text.h"

/* --- labels: two levels, met in any order ----------------------------------------------------- */

typedef struct labels {
  span level[2];
  int count;
} labels;

static int label_index(double *out, labels *l, const cursor *c, const char *where, span s) {
  char shown[3][40];
  int i;
  if (s.length == 0) return fail(c, where, "the label is missing");
  for (i = 0; i < l->count; i++)
    if (s.length == l->level[i].length && memcmp(s.at, l->level[i].at, s.length) == 0) {
      *out = i;
      return 1;
    }
  for (i = 0; i < l->count; i++) { /* "+1" and "1.0" are the same label as "1" */
    double a, b;
    if (number_parse(&a, s) && number_parse(&b, l->level[i]) && !(a < b) && !(a > b)) {
      *out = i;
      return 1;
    }
  }
  if (l->count == 2) {
    span_copy(shown[0], sizeof shown[0], s);
    span_copy(shown[1], sizeof shown[1], l->level[0]);
    span_copy(shown[2], sizeof shown[2], l->level[1]);
    return fail(c, where,
                "a third label '%s' after '%s' and '%s'; is this the label column? (--label)",
                shown[0], shown[1], shown[2]);
  }
  if (span_is_nocase(s, "nan") || span_is_nocase(s, "inf"))
    return fail(c, where, "the label is not a finite number");
  l->level[l->count] = s;
  *out = l->count++;
  return 1;
}

/* Turns level indices into -1/+1. */
static int labels_finish(dataset *data, const labels *l, const cursor *c) {
  double a, b;
  int positive, i;
  size_t k;
  if (l->count < 2) {
    char shown[40] = "";
    if (l->count == 1) span_copy(shown, sizeof shown, l->level[0]);
    return fail(c, NULL, "only one class: every label is '%s'", shown);
  }
  if (number_parse(&a, l->level[0]) && number_parse(&b, l->level[1])) {
    positive = b > a;
  } else {
    span p = l->level[0], q = l->level[1];
    size_t shorter = p.length < q.length ? p.length : q.length;
    int order = memcmp(p.at, q.at, shorter);
    positive = order < 0 || (order == 0 && p.length < q.length);
  }
  for (k = 0; k < data->n; k++) data->y[k] = ((int)data->y[k] == positive) ? 1.0 : -1.0;
  for (i = 0; i < 2; i++)
    span_copy(data->label[i], sizeof data->label[i], l->level[i == 1 ? positive : 1 - positive]);
  return 1;
}

/* --- memory ----------------------------------------------------------------------------------- */

static int dataset_allocate(dataset *data, size_t n, size_t d, const cursor *c) {
  size_t j;
  if (d > MAX_COLUMNS)
    return fail(c, NULL, "%zu columns; at most %d are supported", d, MAX_COLUMNS);
  if (d == 0) return fail(c, NULL, "no feature columns");
  if (n < MIN_RECORDS)
    return fail(c, NULL, "%zu record%s; at least %d are needed", n, n == 1 ? "" : "s", MIN_RECORDS);
  if (n > max_cells / d)
    return fail(c, NULL, "%zu records of %zu columns do not fit into memory", n, d);
  data->n = n;
  data->d = d;
  data->x = calloc(n * d, sizeof *data->x);
  data->y = calloc(n, sizeof *data->y);
  data->features = calloc(d, sizeof *data->features);
  if (data->x == NULL || data->y == NULL || data->features == NULL)
    return fail(c, NULL, "out of memory");
  for (j = 0; j < d; j++) {
    data->features[j].group = -1;
    (void)snprintf(data->features[j].name, sizeof data->features[j].name, "%zu", j + 1);
  }
  return 1;
}

void data_free(dataset *data) {
  free(data->x);
  free(data->y);
  free(data->features);
  free(data->maps);
  memset(data, 0, sizeof *data);
}

/* --- LIBSVM ----------------------------------------------------------------------------------- */

/* The token that ends at a blank or at the end of the line. */
static span token(cursor *c) {
  span s;
  s.at = c->at;
  while (c->at < c->end && *c->at != ' ' && *c->at != '\t' && *c->at != '\n' && *c->at != '\r')
    c->at++;
  s.length = (size_t)(c->at - s.at);
  return s;
}

static void skip_blanks(cursor *c) {
  while (c->at < c->end && is_blank(*c->at)) c->at++;
}

/* "index:" at the cursor, which moves behind the colon. */
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
    span_copy(shown, sizeof shown, token(c));
    return fail(c, start, "'%s' is not index:value", shown);
  }
  if (value == 0) return fail(c, start, "indices start at 1");
  if (value > MAX_COLUMNS) {
    char shown[40];
    span s;
    s.at = start;
    s.length = (size_t)(c->at - start);
    span_copy(shown, sizeof shown, s);
    return fail(c, start, "column %s; at most %d columns are supported", shown, MAX_COLUMNS);
  }
  c->at++;
  *index = value;
  return 1;
}

/* One pass over the records; with data == NULL it only measures n and d. */
static int libsvm_pass(cursor c, dataset *data, labels *l, size_t *n, size_t *d) {
  *n = 0;
  *d = 0;
  while (next_record(&c)) {
    double label;
    size_t last = 0;
    const char *where;
    span s;
    skip_blanks(&c);
    where = c.at;
    s = token(&c);
    if (data != NULL) {
      if (memchr(s.at, ':', s.length) != NULL) return fail(&c, where, "the label is missing");
      if (!label_index(&label, l, &c, where, s)) return 0;
      data->y[*n] = label;
    }
    for (;;) {
      size_t index = 0;
      double value;
      skip_blanks(&c);
      if (at_line_end(&c) || *c.at == '#') break;
      where = c.at;
      if (!libsvm_index(&index, &c)) return 0;
      if (index <= last)
        return fail(&c, where, "index %zu after %zu: indices must increase", index, last);
      last = index;
      where = c.at;
      s = token(&c);
      if (data != NULL) {
        if (!number_need(&value, &c, where, s)) return 0;
        data->x[*n * data->d + index - 1] = value;
      }
    }
    if (last > *d) *d = last;
    ++*n;
    next_line(&c);
  }
  return 1;
}

static int libsvm_parse(dataset *data, cursor c) {
  labels l = {{{NULL, 0}, {NULL, 0}}, 0};
  size_t n, d, n_again, d_again;
  if (!libsvm_pass(c, NULL, NULL, &n, &d)) return 0;
  if (!dataset_allocate(data, n, d, &c)) return 0;
  if (!libsvm_pass(c, data, &l, &n_again, &d_again)) return 0;
  return labels_finish(data, &l, &c);
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

/* The number of fields of the record at the cursor. */
static size_t csv_width(cursor c, char separator) {
  size_t width = 1;
  for (;;) {
    (void)csv_field(&c, separator);
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

/* A header's fields are words where the next line has numbers. */
static int csv_has_header(cursor c, char separator, size_t width) {
  cursor next = c;
  size_t j, words = 0, words_next = 0;
  double value;
  next_line(&next);
  if (!next_record(&next)) return 0;
  for (j = 0; j < width; j++) {
    span s = csv_field(&c, separator), t = csv_field(&next, separator);
    words += !number_parse(&value, s) && !span_is_nocase(s, "nan") && !span_is_nocase(s, "inf");
    words_next += !number_parse(&value, t);
    if (c.at < c.end && *c.at == separator) c.at++;
    if (next.at < next.end && *next.at == separator) next.at++;
  }
  return words == width || (words > words_next && words > 1);
}

/* Which field holds the label. */
static int csv_label_column(size_t *column, const cursor *c, char separator, size_t width,
                            int header, const char *label) {
  static const char *const usual[] = {"label", "class", "target", "y"};
  size_t j, k;
  double number;
  span wanted;
  *column = 0;
  if (label == NULL) {
    for (k = 0; header && k < sizeof usual / sizeof *usual; k++)
      for (j = 0; j < width; j++)
        if (span_is_nocase(csv_nth(*c, separator, j), usual[k])) {
          *column = j;
          return 1;
        }
    return 1;
  }
  for (j = 0; header && j < width; j++)
    if (span_is(csv_nth(*c, separator, j), label)) {
      *column = j;
      return 1;
    }
  wanted.at = label;
  wanted.length = strlen(label);
  if (!number_parse(&number, wanted))
    return fail(c, NULL,
                header ? "no column is called '%s'" : "no header, so no column is called '%s'",
                label);
  if (!(number >= 1 && number <= (double)width) || number > floor(number))
    return fail(c, NULL, "there is no column %s among %zu", label, width);
  *column = (size_t)number - 1;
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

static int csv_row(dataset *data, size_t i, cursor *c, char separator, size_t column, labels *l) {
  size_t width = data->d + 1, j, k = 0;
  for (j = 0; j < width; j++) {
    const char *where = c->at;
    span s = csv_field(c, separator);
    if (j == column) {
      if (!label_index(&data->y[i], l, c, where, s)) return 0;
    } else if (!number_need(&data->x[i * data->d + k++], c, where, s)) {
      return 0;
    }
    if (j + 1 < width) {
      if (c->at == c->end || *c->at != separator)
        return fail(c, c->at, "this record has %zu fields, the first has %zu", j + 1, width);
      c->at++;
    }
  }
  if (c->at < c->end && *c->at == separator)
    return fail(c, c->at, "this record has more than the %zu fields of the first", width);
  return 1;
}

static int csv_parse(dataset *data, cursor c, const char *label) {
  labels l = {{{NULL, 0}, {NULL, 0}}, 0};
  char separator;
  size_t width, column, i, j, k = 0, n;
  int header;
  cursor first;
  if (!next_record(&c)) return fail(&c, NULL, "the file is empty");
  first = c;
  separator = csv_separator(&c);
  width = csv_width(c, separator);
  if (width < 2) return fail(&c, c.at, "one column only: neither CSV nor LIBSVM");
  header = csv_has_header(c, separator, width);
  if (!csv_label_column(&column, &c, separator, width, header, label)) return 0;
  n = csv_count(c) - (size_t)header;
  if (!dataset_allocate(data, n, width - 1, &c)) return 0;
  for (j = 0; header && j < width; j++)
    if (j != column)
      span_copy(data->features[k++].name, sizeof data->features[0].name,
                csv_nth(first, separator, j));
  if (header) next_line(&c);
  for (i = 0; i < n && next_record(&c); i++) {
    if (!csv_row(data, i, &c, separator, column, &l)) return 0;
    next_line(&c);
  }
  return labels_finish(data, &l, &c);
}

int data_parse(dataset *out, const char *text, size_t length, const char *name, const char *label,
               char error[ERROR_SIZE]) {
  cursor c = cursor_at(text, length, name, error), look = c;
  const char *zero = length > 0 ? memchr(text, '\0', length) : NULL;
  int ok;
  memset(out, 0, sizeof *out);
  if (!next_record(&look)) return fail(&c, NULL, "the file is empty");
  if (zero != NULL) {
    while (c.at < zero)
      if (*c.at++ == '\n') {
        c.line++;
        c.line_start = c.at;
      }
    return fail(&c, zero, "a zero byte: this is a binary file, not LIBSVM or CSV");
  }
  ok = looks_like_libsvm(c) ? libsvm_parse(out, c) : csv_parse(out, c, label);
  if (!ok) data_free(out);
  return ok;
}

/* --- files ------------------------------------------------------------------------------------ */

int data_load(dataset *out, const char *path, const char *label, char error[ERROR_SIZE]) {
  size_t length;
  char *text = file_read(path, &length, error);
  int ok;
  memset(out, 0, sizeof *out);
  if (text == NULL) return 0;
  ok = data_parse(out, text, length, path, label, error);
  free(text);
  return ok;
}

/* --- declared ranges -------------------------------------------------------------------------- */

/* Group names become numbers in the order in which they are met. */
typedef struct group_names {
  char (*name)[64];
  int count;
} group_names;

static int group_number(group_names *g, span s) {
  char name[64];
  int i;
  char(*grown)[64];
  span_copy(name, sizeof name, s);
  for (i = 0; i < g->count; i++)
    if (strcmp(g->name[i], name) == 0) return i;
  grown = realloc(g->name, (size_t)(g->count + 1) * sizeof *grown);
  if (grown == NULL) return -1;
  g->name = grown;
  memcpy(g->name[g->count], name, sizeof name);
  return g->count++;
}

/* The kind in the fourth field: numeric (also when it is absent), flag, group:NAME. */
static int range_kind(feature *f, group_names *groups, const cursor *c, const char *where, span s) {
  f->group = -1;
  if (s.length == 0 || span_is(s, "numeric")) {
    f->kind = KIND_NUMERIC;
  } else if (span_is(s, "flag")) {
    f->kind = KIND_FLAG;
  } else if (s.length > 6 && memcmp(s.at, "group:", 6) == 0) {
    f->kind = KIND_GROUP;
    s.at += 6;
    s.length -= 6;
    f->group = group_number(groups, s);
    if (f->group < 0) return fail(c, NULL, "out of memory");
  } else {
    char shown[40];
    span_copy(shown, sizeof shown, s);
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
  span_copy(f->name, sizeof f->name, s);
  for (k = 0; k < 2; k++) {
    if (c->at == c->end || *c->at != ',') return fail(c, c->at, "expected name,low,high[,kind]");
    where = ++c->at;
    s = csv_field(c, ',');
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
 * their indices, so a declared index beyond the last widens the data. */
static size_t column_of(dataset *data, const char *name, int by_index) {
  size_t j;
  double number;
  span s;
  s.at = name;
  s.length = strlen(name);
  if (by_index && number_parse(&number, s) && number >= 1 && number <= (double)MAX_COLUMNS &&
      !(number > floor(number))) {
    if (!data_widen(data, (size_t)number)) return data->d;
    return (size_t)number - 1;
  }
  for (j = 0; j < data->d; j++)
    if (strcmp(data->features[j].name, name) == 0) return j;
  return data->d;
}

static int names_are_indices(const dataset *data) {
  size_t j;
  for (j = 0; j < data->d; j++) {
    char number[32];
    (void)snprintf(number, sizeof number, "%zu", j + 1);
    if (strcmp(number, data->features[j].name) != 0) return 0;
  }
  return 1;
}

static int ranges_attach(dataset *data, cursor c, group_names *groups) {
  int by_index = names_are_indices(data), first = 1;
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
  double largest = 0, sum = 0, norm;
  size_t j;
  for (j = 0; j < d; j++) largest = fmax(largest, fabs(raw[j]));
  for (j = 0; j < d && largest > 0; j++) sum += (raw[j] / largest) * (raw[j] / largest);
  norm = largest * sqrt(sum);
  for (j = 0; j < d; j++) x[j] = norm > 0 ? raw[j] / norm : 0.0;
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

int split_make(split *out, const dataset *data, const size_t *order, size_t n_train, size_t n_test,
               scale_kind scale) {
  size_t n = n_train + n_test, d = data->d, i, j;
  double *raw, *x, *y;
  memset(out, 0, sizeof *out);
  out->memory = malloc((2 * n * d + n) * sizeof *out->memory);
  if (out->memory == NULL) return 0;
  raw = out->memory;
  x = raw + n * d;
  y = x + n * d;
  for (i = 0; i < n; i++) {
    const double *from = data->x + order[i] * d;
    double *row = raw + i * d;
    for (j = 0; j < d; j++) {
      row[j] = from[j];
      if (!data->has_ranges) continue;
      if (row[j] < data->features[j].low) row[j] = data->features[j].low;
      if (row[j] > data->features[j].high) row[j] = data->features[j].high;
    }
    y[i] = data->y[order[i]];
    if (scale == SCALE_RANGES) scale_ranges(x + i * d, row, data->features, d);
    if (scale == SCALE_ROW) scale_row(x + i * d, row, d);
    if (scale == SCALE_MAPS) memcpy(x + i * d, row, d * sizeof *x);
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
  return 1;
}

void split_free(split *s) {
  free(s->memory);
  memset(s, 0, sizeof *s);
}
