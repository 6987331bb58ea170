/* SPDX-License-Identifier: MIT */
/* Declared maps: derived columns by public constants, read from a small text file (data.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/text.h"

static const double usual_limit = 3;

/* factor times the product of count columns, each as it stands or inside of log1p. */
enum { MOST_FACTORS = 4 };
typedef struct term {
  double factor;
  size_t count;
  size_t column[MOST_FACTORS]; /* the number of columns for an index beyond the data: always 0 */
  int log[MOST_FACTORS];
} term;

/* Growing lists; the terms of map k are terms[first[k]] to terms[first[k + 1] - 1]. */
typedef struct maps {
  int ranged; /* lines are name,terms: no centre, no scale; ranges follow from those of the columns
               */
  size_t count, term_count, room, term_room;
  feature *features;
  declared_map *map;
  size_t *first;
  term *terms;
} maps;

static void maps_free(maps *m) {
  free(m->features);
  free(m->map);
  free(m->first);
  free(m->terms);
}

static int maps_grow(maps *m) {
  if (m->count + 1 >= m->room) {
    size_t room = m->room > 0 ? 2 * m->room : 32;
    feature *features = realloc(m->features, room * sizeof *features);
    declared_map *map = realloc(m->map, room * sizeof *map);
    size_t *first = realloc(m->first, room * sizeof *first);
    if (features != NULL) m->features = features;
    if (map != NULL) m->map = map;
    if (first != NULL) m->first = first;
    if (features == NULL || map == NULL || first == NULL) return 0;
    m->room = room;
  }
  if (m->term_count == m->term_room) {
    size_t room = m->term_room > 0 ? 2 * m->term_room : 64;
    term *terms = realloc(m->terms, room * sizeof *terms);
    if (terms == NULL) return 0;
    m->terms = terms;
    m->term_room = room;
  }
  return 1;
}

static int find_column(size_t *column, const dataset *data, int indexed, const cursor *c, span s) {
  char shown[NAME_SIZE];
  double number;
  if (!name_need(shown, c, s.at, s)) return 0;
  for (*column = 0; *column < data->d; ++*column)
    if (strcmp(shown, data->features[*column].name) == 0) return 1;
  /* an index beyond the data is a column that no record uses */
  if (indexed && !data->shape_declared && number_parse(&number, s) && number >= 1 &&
      number <= (double)MAX_COLUMNS && !(number > floor(number)))
    return 1;
  return fail(c, s.at, "the data have no column '%s'", shown);
}

static int is_operator(char ch) { return ch != '\0' && strchr("+-*()[] \t,\n\r", ch) != NULL; }

/* A word up to an operator, or what stands in brackets; the cursor moves behind it. */
static span word(cursor *c) {
  const char *start = c->at;
  if (c->at < c->end && *c->at == '[') {
    while (c->at < c->end && *c->at != ']' && *c->at != '\n') c->at++;
    if (c->at < c->end && *c->at == ']') return trimmed(start + 1, c->at++);
    c->at = start;
  }
  while (c->at < c->end && !is_operator(*c->at)) {
    /* the sign of an exponent, as in 1e-3*x, belongs to the number */
    if ((*c->at == 'e' || *c->at == 'E') && c->at > start && c->at + 1 < c->end &&
        (c->at[1] == '-' || c->at[1] == '+')) {
      cursor look = *c;
      double value;
      span s;
      look.at += 2;
      while (look.at < c->end && *look.at >= '0' && *look.at <= '9') look.at++;
      s = trimmed(start, look.at);
      if (look.at < c->end && *look.at == '*' && number_parse(&value, s)) {
        c->at = look.at;
        return s;
      }
    }
    c->at++;
  }
  return trimmed(start, c->at);
}

static void skip(cursor *c) {
  while (c->at < c->end && is_blank(*c->at)) c->at++;
}

static int take(cursor *c, char ch) {
  skip(c);
  if (c->at == c->end || *c->at != ch) return 0;
  c->at++;
  skip(c);
  return 1;
}

/* A column, or log1p of one. */
static int factor_parse(term *t, const dataset *data, int indexed, cursor *c, const char *where,
                        span s) {
  int log = span_is(s, "log1p") && take(c, '(');
  if (t->count == MOST_FACTORS)
    return fail(c, where, "a product has at most %d columns", (int)MOST_FACTORS);
  if (log) {
    where = c->at;
    s = word(c);
    if (!take(c, ')')) return fail(c, c->at, "expected ')' behind the column's name");
  }
  if (s.length == 0) return fail(c, where, "a column's name is missing here");
  t->log[t->count] = log;
  return find_column(&t->column[t->count++], data, indexed, c, s);
}

/* One term behind its sign. */
static int term_parse(term *t, const dataset *data, int indexed, cursor *c, double sign) {
  const char *where = c->at;
  span s = word(c);
  t->factor = sign;
  t->count = 0;
  if (s.length > 0 && *where != '[' && (*s.at == '.' || (*s.at >= '0' && *s.at <= '9')) &&
      take(c, '*')) {
    if (!number_need(&t->factor, c, where, s)) return 0;
    t->factor *= sign;
    where = c->at;
    s = word(c);
  }
  while (factor_parse(t, data, indexed, c, where, s)) {
    if (!take(c, '*')) return 1;
    where = c->at;
    s = word(c);
  }
  return 0;
}

/* The sum of terms up to the next comma or the end of the line. */
static int sum_parse(maps *m, const dataset *data, int indexed, cursor *c) {
  const char *start;
  declared_map *map = &m->map[m->count];
  double sign = 1;
  skip(c);
  start = c->at;
  if (take(c, '-'))
    sign = -1;
  else
    (void)take(c, '+');
  for (;;) {
    if (!maps_grow(m)) return fail(c, NULL, "out of memory");
    if (!term_parse(&m->terms[m->term_count], data, indexed, c, sign)) return 0;
    m->term_count++;
    if (take(c, '+'))
      sign = 1;
    else if (take(c, '-'))
      sign = -1;
    else
      break;
  }
  map = &m->map[m->count]; /* growing may have moved it */
  if (!at_line_end(c) && *c->at != ',')
    return fail(c, c->at, "'%c' does not belong here: terms are a sum, like 0.5*a-log1p(b)*c",
                *c->at);
  if ((size_t)(c->at - start) >= sizeof map->terms)
    return fail(c, start, "the sum is longer than %d characters", (int)sizeof map->terms - 1);
  (void)span_copy(map->terms, sizeof map->terms, trimmed(start, c->at));
  return 1;
}

/* --- values and their ranges ------------------------------------------------------------------ */

static double signed_log(double x) { return copysign(log1p(fabs(x)), x); }

/* What a term reaches when its columns lie in their declared ranges, each on its own. */
static void term_range(double range[2], const term *t, const dataset *data) {
  size_t j;
  int k;
  range[0] = range[1] = t->factor;
  for (j = 0; j < t->count; j++) {
    const feature *f = &data->features[t->column[j]];
    double low = t->log[j] ? signed_log(f->low) : f->low;
    double high = t->log[j] ? signed_log(f->high) : f->high, least = HUGE_VAL, most = -HUGE_VAL;
    for (k = 0; k < 4; k++) {
      double product = range[k & 1] * (k & 2 ? high : low);
      least = product < least ? product : least;
      most = product > most ? product : most;
    }
    range[0] = least;
    range[1] = most;
  }
}

/* The range of column k, and its kind: a column alone keeps it, a product of flags is a flag. */
static int range_derive(maps *m, size_t k, const dataset *data, const cursor *c) {
  feature *f = &m->features[k];
  const term *t = &m->terms[m->first[k]];
  size_t i, flags = 0;
  f->low = f->high = 0;
  for (i = m->first[k]; i < m->first[k + 1]; i++) {
    double range[2];
    term_range(range, &m->terms[i], data);
    f->low += range[0];
    f->high += range[1];
  }
  if (!isfinite(f->high - f->low)) return fail(c, NULL, "the range of '%s' is too wide", f->name);
  if (!(f->low < f->high)) return fail(c, NULL, "column '%s' is always the same", f->name);
  if (m->first[k] + 1 < m->first[k + 1] || t->factor < 1 || t->factor > 1) return 1;
  for (i = 0; i < t->count; i++)
    flags += !t->log[i] && data->features[t->column[i]].kind != KIND_NUMERIC;
  if (flags == t->count) f->kind = KIND_FLAG;
  if (flags == 1 && t->count == 1) {
    f->kind = data->features[t->column[0]].kind;
    f->group = data->features[t->column[0]].group;
  }
  return 1;
}

/* A function of one row and of constants that is defined whatever overflows: infinities go to the
 * limits, what is no number to the lower one (it is not above it). With declared ranges the columns
 * are clamped to them first, and nothing overflows. */
static double map_value(const maps *m, size_t k, const double *row, const feature *raw, size_t d) {
  double sum = 0;
  size_t i, j;
  for (i = m->first[k]; i < m->first[k + 1]; i++) {
    const term *t = &m->terms[i];
    double product = t->factor;
    for (j = 0; j < t->count; j++) {
      double x = t->column[j] < d ? row[t->column[j]] : 0;
      if (m->ranged) x = fmin(fmax(x, raw[t->column[j]].low), raw[t->column[j]].high);
      product *= t->log[j] ? signed_log(x) : x;
    }
    sum += product;
  }
  sum = (sum - m->map[k].centre) / m->map[k].scale;
  if (!(sum > m->features[k].low)) return m->features[k].low;
  return sum < m->features[k].high ? sum : m->features[k].high;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Room for one column more, of which nothing but the name is known; column: NULL after a complaint.
 */
static feature *column_begin(maps *m, cursor *c, const char *where, span name) {
  feature *f;
  size_t j;
  if (!maps_grow(m)) return fail(c, NULL, "out of memory"), NULL;
  if (m->count == MAX_COLUMNS)
    return fail(c, where, "more than %d columns", (int)MAX_COLUMNS), NULL;
  f = &m->features[m->count];
  memset(f, 0, sizeof *f);
  memset(&m->map[m->count], 0, sizeof *m->map);
  m->map[m->count].scale = 1;
  m->first[m->count] = m->term_count;
  f->kind = KIND_NUMERIC;
  f->group = -1;
  if (!name_need(f->name, c, where, name)) return NULL;
  for (j = 0; j < m->count; j++)
    if (strcmp(m->features[j].name, f->name) == 0)
      return fail(c, where, "column '%s' is declared twice", f->name), NULL;
  return f;
}

/* name,centre,scale,terms[,limit], or name,terms */
static int map_parse(maps *m, const dataset *data, int indexed, cursor *c) {
  const char *expected =
      m->ranged ? "expected name,terms" : "expected name,centre,scale,terms[,limit]";
  const char *where = c->at;
  feature *f;
  double value[3] = {0, 1, usual_limit};
  int k;
  span s = csv_field(c, ',');
  if (s.length == 0) return fail(c, where, "the column's name is missing");
  if ((f = column_begin(m, c, where, s)) == NULL) return 0;
  for (k = 0; k < 2 && !m->ranged; k++) {
    if (c->at == c->end || *c->at != ',') return fail(c, c->at, expected);
    where = ++c->at;
    s = csv_field(c, ',');
    if (!number_need(&value[k], c, where, s)) return 0;
  }
  if (!(value[1] > 0)) return fail(c, where, "the scale is not above 0");
  if (c->at == c->end || *c->at != ',') return fail(c, c->at, expected);
  c->at++;
  if (!sum_parse(m, data, indexed, c)) return 0;
  if (!at_line_end(c)) {
    where = ++c->at;
    if (m->ranged) return fail(c, where - 1, expected);
    s = csv_field(c, ',');
    if (!number_need(&value[2], c, where, s)) return 0;
    if (!(value[2] > 0)) return fail(c, where, "the limit is not above 0");
    if (c->at < c->end && *c->at == ',') return fail(c, c->at, expected);
  }
  f = &m->features[m->count]; /* growing may have moved it */
  f->low = -value[2];
  f->high = value[2];
  if (!isfinite(f->high - f->low)) return fail(c, where, "the limit is too large");
  m->map[m->count].centre = value[0];
  m->map[m->count].scale = value[1];
  m->first[++m->count] = m->term_count;
  return !m->ranged || range_derive(m, m->count - 1, data, c);
}

/* A column that no line names stays as it is: one term, without words. */
static int keep_the_rest(maps *m, const dataset *data, cursor *c) {
  const size_t written = m->term_count;
  size_t i, j, k;
  for (j = 0; j < data->d; j++) {
    int used = 0;
    for (i = 0; i < written && !used; i++)
      for (k = 0; k < m->terms[i].count; k++) used |= m->terms[i].column[k] == j;
    if (used) continue;
    if (column_begin(m, c, NULL, span_of(data->features[j].name)) == NULL) return 0;
    memset(&m->terms[m->term_count], 0, sizeof *m->terms);
    m->terms[m->term_count].factor = 1;
    m->terms[m->term_count].count = 1;
    m->terms[m->term_count++].column[0] = j;
    m->features[m->count] = data->features[j];
    m->first[++m->count] = m->term_count;
  }
  return 1;
}

/* The first line, a header or not, tells by its fields which of the two kinds a file is. */
static int has_two_fields(cursor c) {
  int fields;
  if (!next_record(&c)) return 0;
  for (fields = 1, (void)csv_field(&c, ','); c.at < c.end && *c.at == ','; fields++) {
    c.at++;
    (void)csv_field(&c, ',');
  }
  return fields == 2;
}

static int maps_parse(maps *m, const dataset *data, cursor c) {
  int indexed = data_names_are_indices(data) && !m->ranged, first = 1;
  if (m->ranged && (!data->has_ranges || data->maps != NULL))
    return fail(&c, NULL, "lines of name,terms derive ranges: those of the columns are missing");
  for (; next_record(&c); first = 0, next_line(&c)) {
    cursor peek = c;
    if (first && span_is(csv_field(&peek, ','), "name")) continue;
    if (!map_parse(m, data, indexed, &c)) return 0;
  }
  if (m->count == 0) return fail(&c, NULL, "no column is declared");
  return !m->ranged || keep_the_rest(m, data, &c);
}

/* Groups count from 0 again: there may be fewer columns now than there were groups. */
static int groups_renumber(maps *m, size_t d, const cursor *c) {
  int *number = calloc(d + 1, sizeof *number), groups = 0; /* of what a group was: 0, not met */
  size_t k;
  if (number == NULL) return fail(c, NULL, "out of memory");
  for (k = 0; k < m->count; k++) {
    feature *f = &m->features[k];
    if (f->kind != KIND_GROUP) continue;
    if (number[f->group] == 0) number[f->group] = ++groups;
    f->group = number[f->group] - 1;
  }
  free(number);
  return 1;
}

/* Compiled: the columns that there were, and what is made of them. */
struct derived {
  maps made;
  feature *raw;
  size_t d;
};

static int derived_make(derived **out, const dataset *data, cursor c) {
  derived *m = calloc(1, sizeof *m);
  *out = NULL;
  if (m == NULL) return fail(&c, NULL, "out of memory");
  m->made.ranged = has_two_fields(c);
  m->d = data->d;
  m->raw = malloc((data->d + 1) * sizeof *m->raw);
  if (m->raw == NULL) (void)fail(&c, NULL, "out of memory");
  if (m->raw == NULL || !maps_parse(&m->made, data, c) || !groups_renumber(&m->made, data->d, &c)) {
    data_maps_free(m);
    return 0;
  }
  memcpy(m->raw, data->features, data->d * sizeof *m->raw);
  *out = m;
  return 1;
}

/* data gets the derived columns, and x, which holds them. */
static int derived_take(dataset *data, const derived *m, double *x, const cursor *c) {
  const size_t d = m->made.count;
  feature *features = malloc(d * sizeof *features);
  declared_map *map = malloc(d * sizeof *map);
  if (features == NULL || map == NULL) {
    free(features);
    free(map);
    return fail(c, NULL, "out of memory");
  }
  memcpy(features, m->made.features, d * sizeof *features);
  memcpy(map, m->made.map, d * sizeof *map);
  free(data->x);
  free(data->features);
  free(data->maps);
  data->x = x;
  data->d = d;
  data->features = features;
  data->maps = map;
  data->has_ranges = 1;
  data->centred = !m->made.ranged;
  return 1;
}

void data_maps_row(double *row, const derived *m, const double *raw) {
  size_t k;
  for (k = 0; k < m->made.count; k++) row[k] = map_value(&m->made, k, raw, m->raw, m->d);
}

void data_maps_free(derived *m) {
  if (m == NULL) return;
  maps_free(&m->made);
  free(m->raw);
  free(m);
}

int data_maps_compile(derived **out, dataset *data, const char *text, size_t length,
                      const char *name, char error[ERROR_SIZE]) {
  cursor c = cursor_at(text, length, name, error);
  *out = NULL;
  if (length > 0 && memchr(text, '\0', length) != NULL)
    return fail(&c, NULL, "a zero byte: this is a binary file, not a maps file");
  if (!derived_make(out, data, c)) return 0;
  if (derived_take(data, *out, NULL, &c)) return 1;
  data_maps_free(*out);
  *out = NULL;
  return 0;
}

int data_maps_parse(dataset *data, const char *text, size_t length, const char *name,
                    char error[ERROR_SIZE]) {
  cursor c = cursor_at(text, length, name, error);
  derived *m;
  double *x = NULL;
  size_t i, d = 0;
  int ok;
  if (length > 0 && memchr(text, '\0', length) != NULL)
    return fail(&c, NULL, "a zero byte: this is a binary file, not a maps file");
  ok = derived_make(&m, data, c);
  if (ok) d = m->made.count;
  if (ok && data->n > max_cells / d)
    ok = fail(&c, NULL, "%zu records of %zu columns do not fit into memory", data->n, d);
  if (ok && (x = malloc((data->n * d + 1) * sizeof *x)) == NULL)
    ok = fail(&c, NULL, "out of memory");
  for (i = 0; ok && i < data->n; i++) data_maps_row(x + i * d, m, data->x + i * data->d);
  ok = ok && derived_take(data, m, x, &c);
  if (!ok) free(x);
  data_maps_free(m);
  return ok;
}

int data_maps_need_ranges(const char *text, size_t length) {
  char error[ERROR_SIZE];
  return has_two_fields(cursor_at(text, length, "", error));
}

int data_maps(dataset *data, const char *path, char error[ERROR_SIZE]) {
  size_t length;
  char *text = file_read(path, &length, error);
  int ok;
  if (text == NULL) return 0;
  ok = data_maps_parse(data, text, length, path, error);
  free(text);
  return ok;
}
