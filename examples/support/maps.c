/* SPDX-License-Identifier: MIT */
/* Declared maps: derived columns by public constants, read from a small text file (data.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/text.h"

static const double usual_limit = 3;

typedef struct term {
  double factor;
  size_t column; /* the number of columns where an index beyond the data is meant: always 0 */
  int log;
} term;

/* Growing lists; the terms of map k are terms[first[k]] to terms[first[k + 1] - 1]. */
typedef struct maps {
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

/* One term behind its sign. */
static int term_parse(term *t, const dataset *data, int indexed, cursor *c, double sign) {
  const char *where = c->at;
  span s = word(c);
  t->factor = sign;
  t->log = 0;
  if (s.length > 0 && take(c, '*')) {
    if (!number_need(&t->factor, c, where, s)) return 0;
    t->factor *= sign;
    where = c->at;
    s = word(c);
  }
  if (span_is(s, "log1p") && take(c, '(')) {
    t->log = 1;
    where = c->at;
    s = word(c);
    if (!take(c, ')')) return fail(c, c->at, "expected ')' behind the column's name");
  }
  if (s.length == 0) return fail(c, where, "a column's name is missing here");
  return find_column(&t->column, data, indexed, c, s);
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
    return fail(c, c->at, "'%c' does not belong here: terms are a sum, like 0.5*a-log1p(b)",
                *c->at);
  if ((size_t)(c->at - start) >= sizeof map->terms)
    return fail(c, start, "the sum is longer than %d characters", (int)sizeof map->terms - 1);
  (void)span_copy(map->terms, sizeof map->terms, trimmed(start, c->at));
  return 1;
}

/* name,centre,scale,terms[,limit] */
static int map_parse(maps *m, const dataset *data, int indexed, cursor *c) {
  static const char expected[] = "expected name,centre,scale,terms[,limit]";
  const char *where = c->at;
  feature *f;
  double value[3];
  size_t j;
  int k;
  span s = csv_field(c, ',');
  if (s.length == 0) return fail(c, where, "the column's name is missing");
  if (!maps_grow(m)) return fail(c, NULL, "out of memory");
  if (m->count == MAX_COLUMNS) return fail(c, where, "more than %d columns", (int)MAX_COLUMNS);
  f = &m->features[m->count];
  memset(f, 0, sizeof *f);
  if (!name_need(f->name, c, where, s)) return 0;
  for (j = 0; j < m->count; j++)
    if (strcmp(m->features[j].name, f->name) == 0)
      return fail(c, where, "column '%s' is declared twice", f->name);
  for (k = 0; k < 2; k++) {
    if (c->at == c->end || *c->at != ',') return fail(c, c->at, expected);
    where = ++c->at;
    s = csv_field(c, ',');
    if (!number_need(&value[k], c, where, s)) return 0;
  }
  if (!(value[1] > 0)) return fail(c, where, "the scale is not above 0");
  if (c->at == c->end || *c->at != ',') return fail(c, c->at, expected);
  c->at++;
  m->first[m->count] = m->term_count;
  if (!sum_parse(m, data, indexed, c)) return 0;
  value[2] = usual_limit;
  if (!at_line_end(c)) {
    where = ++c->at;
    s = csv_field(c, ',');
    if (!number_need(&value[2], c, where, s)) return 0;
    if (!(value[2] > 0)) return fail(c, where, "the limit is not above 0");
    if (c->at < c->end && *c->at == ',') return fail(c, c->at, expected);
  }
  f = &m->features[m->count];
  f->low = -value[2];
  f->high = value[2];
  f->kind = KIND_NUMERIC;
  f->group = -1;
  if (!isfinite(f->high - f->low)) return fail(c, where, "the limit is too large");
  m->map[m->count].centre = value[0];
  m->map[m->count].scale = value[1];
  m->first[++m->count] = m->term_count;
  return 1;
}

static int maps_parse(maps *m, const dataset *data, cursor c) {
  int indexed = data_names_are_indices(data), first = 1;
  for (; next_record(&c); first = 0, next_line(&c)) {
    cursor peek = c;
    if (first && span_is(csv_field(&peek, ','), "name")) continue;
    if (!map_parse(m, data, indexed, &c)) return 0;
  }
  return m->count > 0 ? 1 : fail(&c, NULL, "no column is declared");
}

/* A function of one row and of constants that is defined whatever overflows: infinities go to the
 * limits, infinity less infinity to the lower one (it is not above it). */
static double map_value(const maps *m, size_t k, const double *row, size_t d) {
  double sum = 0;
  size_t i;
  for (i = m->first[k]; i < m->first[k + 1]; i++) {
    const term *t = &m->terms[i];
    double x = t->column < d ? row[t->column] : 0;
    sum += t->factor * (t->log ? copysign(log1p(fabs(x)), x) : x);
  }
  sum = (sum - m->map[k].centre) / m->map[k].scale;
  if (!(sum > m->features[k].low)) return m->features[k].low;
  return sum < m->features[k].high ? sum : m->features[k].high;
}

int data_maps_parse(dataset *data, const char *text, size_t length, const char *name,
                    char error[ERROR_SIZE]) {
  maps m;
  cursor c = cursor_at(text, length, name, error);
  double *x = NULL;
  size_t i, k;
  int ok;
  memset(&m, 0, sizeof m);
  if (length > 0 && memchr(text, '\0', length) != NULL)
    return fail(&c, NULL, "a zero byte: this is a binary file, not a maps file");
  ok = maps_parse(&m, data, c);
  if (ok && data->n > max_cells / m.count)
    ok = fail(&c, NULL, "%zu records of %zu columns do not fit into memory", data->n, m.count);
  if (ok && (x = malloc((data->n * m.count + 1) * sizeof *x)) == NULL)
    ok = fail(&c, NULL, "out of memory");
  if (!ok) {
    free(x);
    maps_free(&m);
    return 0;
  }
  for (i = 0; i < data->n; i++)
    for (k = 0; k < m.count; k++)
      x[i * m.count + k] = map_value(&m, k, data->x + i * data->d, data->d);
  free(data->x);
  free(data->features);
  free(data->maps);
  data->x = x;
  data->d = m.count;
  data->features = m.features;
  data->maps = m.map;
  data->has_ranges = 1;
  free(m.first);
  free(m.terms);
  return 1;
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
