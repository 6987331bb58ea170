/* SPDX-License-Identifier: MIT */
#include "support/calculator.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_KEYS = 256, MOST_RESULTS = 96, TEXT_SIZE = 512, PROSE_SIZE = 8192 };

typedef struct key_value {
  const char *key, *value;
  size_t group;
  int used;
} key_value;

typedef enum result_kind { NUMBER, COUNT, TEXT, ITEM, TABLE } result_kind;

typedef struct result {
  const char *name;
  result_kind kind;
  double value;
  char text[TEXT_SIZE];
  const table_column *columns;
  const double *cells;
  size_t count, rows;
} result;

static struct {
  const char *program, *command;
  key_value key[MOST_KEYS];
  size_t keys, groups, group;
  int json, explain, statement;
  result out[MOST_RESULTS];
  size_t results;
  char reason[PROSE_SIZE], said[PROSE_SIZE];
} run;

/* ---- Errors ---------------------------------------------------------------------------------- */

static void say_error(const char *format, va_list list) {
  fprintf(stderr, "%s: ", run.program);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
}

void die_usage(const char *format, ...) {
  va_list list;
  va_start(list, format);
  say_error(format, list);
  va_end(list);
  fprintf(stderr, "%s: see %s --help\n", run.program, run.program);
  exit(EXIT_USAGE);
}

void die(const char *format, ...) {
  va_list list;
  va_start(list, format);
  say_error(format, list);
  va_end(list);
  exit(EXIT_FAILED);
}

void need(dppair_status status) {
  switch (status) {
  case DPPAIR_OK:
    return;
  case DPPAIR_ERR_SIZE:
  case DPPAIR_ERR_NOT_FINITE:
  case DPPAIR_ERR_DOMAIN:
  case DPPAIR_ERR_EPSILON:
  case DPPAIR_ERR_DELTA:
  case DPPAIR_ERR_SIGMA:
  case DPPAIR_ERR_SENSITIVITY:
    die_usage("%s: %s", run.command, dppair_status_string(status));
  default:
    die("%s: %s", run.command, dppair_status_string(status));
  }
}

/* ---- Keys ------------------------------------------------------------------------------------ */

void calculator_open(const char *program, int argc, char **argv) {
  int i;
  run.program = program;
  run.command = argc > 1 ? argv[1] : "";
  run.groups = 1;
  for (i = 2; i < argc; i++) {
    const char *key = argv[i];
    size_t k;
    int *flag = strcmp(key, "--json") == 0        ? &run.json
                : strcmp(key, "--explain") == 0   ? &run.explain
                : strcmp(key, "--statement") == 0 ? &run.statement
                                                  : NULL;
    if (flag != NULL) {
      if (*flag) die_usage("%s is given twice", key);
      *flag = 1;
      continue;
    }
    if (strcmp(key, "--and") == 0) {
      run.groups++;
      continue;
    }
    if (strncmp(key, "--", 2) != 0 || key[2] == '\0') die_usage("not a key: %s", key);
    if (i + 1 >= argc) die_usage("%s has no value", key);
    for (k = 0; k < run.keys; k++)
      if (run.key[k].group == run.groups - 1 && strcmp(run.key[k].key, key + 2) == 0)
        die_usage("%s is given twice", key);
    if (run.keys == MOST_KEYS) die_usage("too many keys");
    run.key[run.keys].key = key + 2;
    run.key[run.keys].value = argv[++i];
    run.key[run.keys].group = run.groups - 1;
    run.key[run.keys++].used = 0;
  }
}

size_t groups(void) { return run.groups; }
void use_group(size_t group) { run.group = group; }
int wants_statement(void) { return run.statement; }

const char *optional(const char *key) {
  size_t i;
  for (i = 0; i < run.keys; i++) {
    if (run.key[i].group == run.group && strcmp(run.key[i].key, key) == 0) {
      run.key[i].used = 1;
      return run.key[i].value;
    }
  }
  return NULL;
}

const char *optional_anywhere(const char *key) {
  const char *value = NULL;
  size_t i;
  for (i = 0; i < run.keys; i++) {
    if (strcmp(run.key[i].key, key) != 0) continue;
    if (value != NULL) die_usage("--%s is given twice", key);
    run.key[i].used = 1;
    value = run.key[i].value;
  }
  return value;
}

static const char *there(const char *key, const char *value) {
  if (value == NULL) die_usage("%s: --%s is required", run.command, key);
  return value;
}
const char *required(const char *key) { return there(key, optional(key)); }
const char *required_anywhere(const char *key) { return there(key, optional_anywhere(key)); }

double to_number(const char *key, const char *text) {
  char *end;
  double value;
  errno = 0;
  value = strtod(text, &end);
  if (end == text || *end != '\0') die_usage("--%s: not a number: %s", key, text);
  if (!dppair_isfinite_f64(value)) die_usage("--%s: not finite: %s", key, text);
  /* A positive number that reads as 0 would turn into a claim about nothing. */
  if (errno == ERANGE && fabs(value) < DBL_MIN) die_usage("--%s: too small: %s", key, text);
  return value;
}

double number(const char *key) { return to_number(key, required(key)); }

double number_or(const char *key, double otherwise) {
  const char *text = optional(key);
  return text == NULL ? otherwise : to_number(key, text);
}

size_t to_count(const char *key, const char *text) {
  const double value = to_number(key, text);
  if (!(value >= 0.0 && value <= 9007199254740992.0) || value > floor(value) ||
      value > (double)SIZE_MAX)
    die_usage("--%s: not a whole number that fits: %s", key, text);
  return (size_t)value;
}

size_t count(const char *key) { return to_count(key, required(key)); }

size_t count_or(const char *key, size_t otherwise) {
  const char *text = optional(key);
  return text == NULL ? otherwise : to_count(key, text);
}

int word(const char *key, const char *const *words) {
  const char *text = required(key);
  int i;
  for (i = 0; words[i] != NULL; i++)
    if (strcmp(text, words[i]) == 0) return i;
  die_usage("--%s: unknown value: %s", key, text);
}

void no_other_keys(void) {
  size_t i;
  for (i = 0; i < run.keys; i++)
    if (!run.key[i].used) die_usage("%s: --%s has no effect here", run.command, run.key[i].key);
}

/* ---- Results --------------------------------------------------------------------------------- */

static result *next_result(const char *name, result_kind kind) {
  result *r;
  if (run.results == MOST_RESULTS) die("too many results");
  r = &run.out[run.results++];
  r->name = name;
  r->kind = kind;
  return r;
}

void put(const char *name, double value) { next_result(name, NUMBER)->value = value; }
void put_count(const char *name, double value) { next_result(name, COUNT)->value = value; }

static void put_words(const char *name, result_kind kind, const char *format, va_list list) {
  result *r = next_result(name, kind);
  const int used = vsnprintf(r->text, sizeof r->text, format, list);
  if (used < 0 || (size_t)used >= sizeof r->text) die("a result is too long: %s", name);
}

void put_text(const char *name, const char *format, ...) {
  va_list list;
  va_start(list, format);
  put_words(name, TEXT, format, list);
  va_end(list);
}

void put_item(const char *name, const char *format, ...) {
  va_list list;
  va_start(list, format);
  put_words(name, ITEM, format, list);
  va_end(list);
}

void put_table(const char *name, const table_column *columns, size_t count, const double *values,
               size_t rows) {
  result *r = next_result(name, TABLE);
  r->columns = columns;
  r->count = count;
  r->cells = values;
  r->rows = rows;
}

const char *rounded(char *text, size_t size, double x, int up) {
  const double sign = up > 0 ? 1.0 : -1.0;
  double nudge;
  snprintf(text, size, "%.6g", x);
  for (nudge = 0.0; up != 0 && sign * (x - strtod(text, NULL)) > 0.0 && nudge < 1e-5;) {
    nudge += 1e-6;
    snprintf(text, size, "%.6g", x * (1.0 + sign * nudge));
  }
  return text;
}

static void append(char *to, const char *format, va_list list) {
  const size_t used = strlen(to);
  const int gap = used > 0;
  int more;
  if (gap && used + 1 < PROSE_SIZE) strcpy(to + used, " ");
  more = vsnprintf(to + used + (size_t)gap, PROSE_SIZE - used - (size_t)gap, format, list);
  if (more < 0 || used + (size_t)gap + (size_t)more >= PROSE_SIZE) die("the prose is too long");
}

static void append_plain(char *to, const char *format, ...) {
  va_list list;
  va_start(list, format);
  append(to, format, list);
  va_end(list);
}
void explain(const char *text) { append_plain(run.reason, "%s", text); }

void state(const char *format, ...) {
  va_list list;
  va_start(list, format);
  append(run.said, format, list);
  va_end(list);
}

static void print_string(const char *text) {
  putchar('"');
  for (; *text != '\0'; text++) {
    if ((unsigned char)*text < 0x20)
      printf("\\u%04x", (unsigned)(unsigned char)*text);
    else
      printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
  }
  putchar('"');
}

static void print_number(double value, const char *format) {
  const char *quote = run.json ? "\"" : "";
  if (!dppair_isfinite_f64(value))
    printf("%s%s%s", quote, value < 0.0 ? "-inf" : "inf", quote);
  else
    printf(format, value);
}

static void print_table_json(const result *r) {
  size_t i, c;
  putchar('[');
  for (i = 0; i < r->rows; i++) {
    printf("%s{", i > 0 ? ", " : "");
    for (c = 0; c < r->count; c++) {
      printf("%s\"%s\": ", c > 0 ? ", " : "", r->columns[c].name);
      print_number(r->cells[i * r->count + c], "%.17g");
    }
    putchar('}');
  }
  putchar(']');
}

static void print_table(const result *r) {
  size_t i, c;
  char text[32];
  for (c = 0; c < r->count; c++) printf("%s%14s", c > 0 ? "  " : "", r->columns[c].name);
  for (i = 0; i < r->rows; i++) {
    putchar('\n');
    for (c = 0; c < r->count; c++)
      printf("%s%*s", c > 0 ? "  " : "", (int)fmax(14.0, (double)strlen(r->columns[c].name)),
             rounded(text, sizeof text, r->cells[i * r->count + c], r->columns[c].rounds));
  }
}

static void print_value(const result *r) {
  if (r->kind == TABLE && run.json)
    print_table_json(r);
  else if (r->kind == TABLE)
    print_table(r);
  else if (r->kind >= TEXT && run.json)
    print_string(r->text);
  else if (r->kind >= TEXT)
    fputs(r->text, stdout);
  else
    print_number(r->value, r->kind == COUNT ? "%.0f" : "%.17g");
}

static void print_json(void) {
  size_t i;
  putchar('{');
  for (i = 0; i < run.results; i++) {
    const result *r = &run.out[i], *before = i > 0 ? r - 1 : NULL;
    const int goes_on = before != NULL && r->kind == ITEM && before->kind == ITEM &&
                        strcmp(before->name, r->name) == 0;
    const int closes = before != NULL && before->kind == ITEM && !goes_on;
    printf("%s%s", closes ? "]" : "", i > 0 ? ", " : "");
    if (!goes_on) printf("\"%s\": %s", r->name, r->kind == ITEM ? "[" : "");
    print_value(r);
  }
  if (run.results > 0 && run.out[run.results - 1].kind == ITEM) putchar(']');
  if (run.statement) {
    printf(", \"statement\": ");
    print_string(run.said);
  }
  if (run.explain) {
    printf(", \"explain\": ");
    print_string(run.reason);
  }
  puts("}");
}

/* Lines of at most 96 columns. */
static void print_prose(const char *text, const char *prefix) {
  while (*text != '\0') {
    size_t length = strlen(text);
    if (length > 94) {
      for (length = 94; length > 1 && text[length] != ' ';) length--;
    }
    printf("%s%.*s\n", prefix, (int)length, text);
    text += length;
    while (*text == ' ') text++;
  }
}

void print_results(void) {
  size_t i;
  if (run.json) {
    print_json();
  } else {
    for (i = 0; i < run.results; i++) {
      if (run.out[i].kind != TABLE) printf("%s ", run.out[i].name);
      print_value(&run.out[i]);
      putchar('\n');
    }
    if (run.statement) print_prose(run.said, "");
    if (run.explain) print_prose(run.reason, "# ");
  }
  if (fflush(stdout) != 0 || ferror(stdout)) die("cannot write the results");
}
