/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "support/text.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int fail(const cursor *c, const char *where, const char *format, ...) {
  va_list list;
  int used;
  if (where != NULL)
    used = snprintf(c->error, ERROR_SIZE, "%s:%zu:%zu: ", c->name, c->line,
                    (size_t)(where - c->line_start) + 1);
  else
    used = snprintf(c->error, ERROR_SIZE, "%s: ", c->name);
  if (used < 0 || used >= ERROR_SIZE) return 0;
  va_start(list, format);
  (void)vsnprintf(c->error + used, (size_t)(ERROR_SIZE - used), format, list);
  va_end(list);
  return 0;
}

cursor cursor_at(const char *text, size_t length, const char *name, char *error) {
  cursor c;
  c.at = text;
  c.end = text + length;
  c.line = 1;
  c.name = name;
  c.error = error;
  c.every_line = 0;
  c.open_quote = 0;
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) c.at += 3; /* UTF-8 byte order mark */
  c.line_start = c.at;
  return c;
}

int at_line_end(const cursor *c) {
  const char *p = c->at;
  if (p < c->end && *p == '\r') p++;
  return p == c->end || *p == '\n';
}

void next_line(cursor *c) {
  while (c->at < c->end && *c->at != '\n') c->at++;
  if (c->at < c->end) c->at++;
  c->line++;
  c->line_start = c->at;
}

int next_record(cursor *c) {
  if (c->every_line) return c->at < c->end;
  for (;;) {
    const char *p = c->at;
    while (p < c->end && (*p == ' ' || *p == '\t' || *p == '\r')) p++;
    if (p == c->end) {
      c->at = p;
      return 0;
    }
    if (*p != '\n' && *p != '#') return 1;
    next_line(c);
  }
}

int is_blank(char ch) { return ch == ' ' || ch == '\t'; }

span span_of(const char *text) {
  span s;
  s.at = text;
  s.length = strlen(text);
  s.quoted = 0;
  return s;
}

span trimmed(const char *at, const char *end) {
  span s;
  while (at < end && is_blank(*at)) at++;
  while (end > at && is_blank(end[-1])) end--;
  s.quoted = end - at >= 2 && *at == '"' && end[-1] == '"';
  s.at = at + s.quoted;
  s.length = (size_t)(end - at) - 2 * (size_t)s.quoted;
  return s;
}

int span_copy(char *out, size_t size, span s) {
  size_t i, used = 0;
  for (i = 0; i < s.length; i++) {
    if (used + 1 == size) break;
    out[used++] = s.at[i];
    if (s.quoted && s.at[i] == '"' && i + 1 < s.length && s.at[i + 1] == '"') i++;
  }
  out[used] = '\0';
  return i == s.length;
}

int name_need(char out[NAME_SIZE], const cursor *c, const char *where, span s) {
  if (memchr(s.at, '\0', s.length) != NULL) return fail(c, where, "a zero byte inside a name");
  if (span_copy(out, NAME_SIZE, s)) return 1;
  return fail(c, where, "'%.20s...' is longer than %d bytes", out, NAME_SIZE - 1);
}

int span_is(span s, const char *word) {
  char text[NAME_SIZE];
  return span_copy(text, sizeof text, s) && strcmp(text, word) == 0;
}

int span_is_nocase(span s, const char *word) {
  size_t i;
  for (i = 0; i < s.length; i++) {
    char ch = s.at[i];
    if (ch >= 'A' && ch <= 'Z') ch = (char)(ch - 'A' + 'a');
    if (word[i] == '\0' || ch != word[i]) return 0;
  }
  return word[i] == '\0';
}

static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* The slow road: strtod on a copy, for long mantissas and large exponents. */
static int number_slow(double *value, const char *at, const char *end) {
  char room[512], *stop, *copy = room;
  size_t length = (size_t)(end - at);
  int whole;
  if (length >= sizeof room && (copy = malloc(length + 1)) == NULL) return 0;
  memcpy(copy, at, length);
  copy[length] = '\0';
  *value = strtod(copy, &stop);
  whole = stop == copy + length;
  if (copy != room) free(copy);
  return whole;
}

int number_parse(double *value, span s) {
  const char *p = s.at, *end = s.at + s.length;
  uint64_t mantissa = 0;
  int digits = 0, significant = 0, exponent = 0, negative = 0;
  if (p < end && (*p == '-' || *p == '+')) negative = *p++ == '-';
  for (; p < end && *p >= '0' && *p <= '9'; p++, digits++) {
    if (significant < 19 && (significant > 0 || *p != '0')) {
      mantissa = mantissa * 10 + (uint64_t)(*p - '0');
      significant++;
    } else if (significant > 0) {
      significant = 20;
      exponent++;
    }
  }
  if (p < end && *p == '.') {
    for (p++; p < end && *p >= '0' && *p <= '9'; p++, digits++) {
      if (significant < 19) {
        mantissa = mantissa * 10 + (uint64_t)(*p - '0');
        if (mantissa > 0) significant++;
        exponent--;
      } else {
        significant = 20;
      }
    }
  }
  if (digits == 0) return 0;
  if (p < end && (*p == 'e' || *p == 'E')) {
    int sign = 1, written = 0, read = 0;
    p++;
    if (p < end && (*p == '-' || *p == '+')) sign = *p++ == '-' ? -1 : 1;
    for (; p < end && *p >= '0' && *p <= '9'; p++, read++)
      if (written < 100000) written = written * 10 + (*p - '0');
    if (read == 0) return 0;
    exponent += sign * written;
  }
  if (p != end) return 0;
  if (mantissa == 0 && significant < 20) {
    *value = negative ? -0.0 : 0.0;
    return 1;
  }
  if (significant >= 20 || mantissa > (UINT64_C(1) << 53) || exponent > 22 || exponent < -22)
    return number_slow(value, s.at, end);
  *value = exponent < 0 ? (double)mantissa / powers_of_ten[-exponent]
                        : (double)mantissa * powers_of_ten[exponent];
  if (negative) *value = -*value;
  return 1;
}

int infinity_sign(span s) {
  int sign = 1;
  if (s.length > 0 && (*s.at == '-' || *s.at == '+')) {
    sign = *s.at == '-' ? -1 : 1;
    s.at++;
    s.length--;
  }
  return span_is_nocase(s, "inf") || span_is_nocase(s, "infinity") ? sign : 0;
}

int is_missing(span s) {
  return s.length == 0 || span_is_nocase(s, "?") || span_is_nocase(s, "na") ||
         span_is_nocase(s, "nan") || span_is_nocase(s, "-nan") || span_is_nocase(s, "null");
}

static int not_a_number(const cursor *c, const char *where, span s) {
  char shown[40];
  if (s.length == 0) return fail(c, where, "a value is missing here");
  (void)span_copy(shown, sizeof shown, s);
  return fail(c, where,
              is_missing(s)      ? "'%s': a value is missing here"
              : infinity_sign(s) ? "'%s' is not a finite number"
                                 : "'%s' is not a number",
              shown);
}

int number_need(double *value, const cursor *c, const char *where, span s) {
  char shown[40];
  if (!number_parse(value, s)) return not_a_number(c, where, s);
  if (isfinite(*value)) return 1;
  (void)span_copy(shown, sizeof shown, s);
  return fail(c, where, "the number '%s' is too large", shown);
}

int value_need(double *value, const cursor *c, const char *where, span s) {
  if (!number_parse(value, s)) {
    *value = infinity_sign(s);
    if (infinity_sign(s) == 0) return not_a_number(c, where, s);
    *value *= DBL_MAX;
  }
  if (*value > DBL_MAX) *value = DBL_MAX;
  if (*value < -DBL_MAX) *value = -DBL_MAX;
  return 1;
}

int value_plain(double *value, cursor *c, char separator) {
  const char *p = c->at, *end = c->end, *point = NULL, *first;
  uint64_t mantissa = 0;
  int negative = 0, places;
  if (p < end && *p == '-') negative = 1, p++;
  if (end - p > 18) end = p + 18; /* 17 digits and a point: no overflow */
  for (first = p; p < end; p++) {
    const unsigned digit = (unsigned)*p - '0';
    if (digit <= 9)
      mantissa = mantissa * 10 + digit;
    else if (*p == '.' && point == NULL)
      point = p;
    else
      break;
  }
  places = point != NULL ? (int)(p - point) - 1 : 0;
  if (p - first == (point != NULL) || mantissa > (UINT64_C(1) << 53)) return 0;
  if (p + 1 < c->end && *p == '\r' && p[1] == '\n') p++;
  if (p < c->end && *p != separator && *p != '\n') return 0;
  *value = (double)mantissa;
  if (places > 0) *value /= powers_of_ten[places];
  if (negative) *value = -*value;
  c->at = p;
  c->open_quote = 0;
  return 1;
}

span csv_field(cursor *c, char separator) {
  const char *start = c->at;
  int quoted = 0;
  while (c->at < c->end && *c->at != '\n') {
    if (*c->at == '"') quoted = !quoted;
    if (*c->at == separator && !quoted) break;
    c->at++;
  }
  c->open_quote = quoted;
  if (c->at > start && c->at[-1] == '\r' && (c->at == c->end || *c->at == '\n'))
    return trimmed(start, c->at - 1);
  return trimmed(start, c->at);
}

char *file_read(const char *path, size_t *length, char error[ERROR_SIZE]) {
  return file_read_head(path, SIZE_MAX, length, error);
}

char *file_read_head(const char *path, size_t most, size_t *length, char error[ERROR_SIZE]) {
  size_t room = 1 << 16, used = 0;
  char *text = NULL;
  struct stat about;
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    (void)snprintf(error, ERROR_SIZE, "%s: %s", path, strerror(errno));
    return NULL;
  }
  if (fstat(fileno(file), &about) == 0 && S_ISCHR(about.st_mode) &&
      !isatty(fileno(file))) { /* it may never end */
    (void)snprintf(error, ERROR_SIZE, "%s: a device, not a file", path);
    (void)fclose(file);
    return NULL;
  }
  for (;;) {
    size_t got;
    char *grown = realloc(text, room);
    if (grown == NULL) {
      (void)snprintf(error, ERROR_SIZE, "%s: out of memory", path);
      break;
    }
    text = grown;
    got = fread(text + used, 1, room - used, file);
    used += got;
    if (used < room || used >= most) {
      if (ferror(file)) { /* a directory opens, and fails here */
        (void)snprintf(error, ERROR_SIZE, "%s: %s", path, strerror(errno));
        break;
      }
      (void)fclose(file);
      *length = used;
      return text;
    }
    room *= 2;
  }
  free(text);
  (void)fclose(file);
  return NULL;
}
