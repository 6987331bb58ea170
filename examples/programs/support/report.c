/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "support/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void summary_add(summary *s, double value) {
  double delta = value - s->mean;
  s->count++;
  s->mean += delta / (double)s->count;
  s->square += delta * (value - s->mean);
}

double summary_sd(const summary *s) {
  return s->count < 2 ? 0.0 : sqrt(s->square / (double)(s->count - 1));
}

double summary_error(const summary *s) {
  return s->count < 2 ? 0.0 : summary_sd(s) / sqrt((double)s->count);
}

double seconds_now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_begin(progress *p, const char *label, size_t total, int quiet) {
  memset(p, 0, sizeof *p);
  p->label = label;
  p->total = total;
  p->start = p->shown = seconds_now();
  p->active = !quiet && isatty(STDERR_FILENO) == 1;
}

void progress_step(progress *p) { progress_to(p, p->done + 1, NULL); }

/* Blanks wipe what the line before had more: escape sequences are not for every terminal. */
static void draw_line(progress *p, const char *line) {
  const int length = (int)strlen(line);
  (void)fprintf(stderr, "\r%s%*s", line, p->width > length ? p->width - length : 0, "");
  p->width = length;
  (void)fflush(stderr);
}

void progress_to(progress *p, size_t done, const char *more) {
  char line[256];
  double now, left;
  p->done = done;
  if (!p->active || done == 0) return;
  now = seconds_now();
  if (now - p->shown < 0.1) return;
  p->shown = now;
  left = (now - p->start) * (double)(p->total - p->done) / (double)p->done;
  (void)snprintf(line, sizeof line, "%s  %3.0f%%  %d:%02d left%s%s", p->label,
                 100.0 * (double)p->done / (double)p->total, (int)(left / 60.0), (int)left % 60,
                 more != NULL ? "  " : "", more != NULL ? more : "");
  draw_line(p, line);
}

int printed(int code, const char *program) {
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  (void)fprintf(stderr, "%s: the results cannot be written%s%s\n", program, errno != 0 ? ": " : "",
                errno != 0 ? strerror(errno) : "");
  return code != 0 ? code : 1;
}

void progress_end(progress *p) {
  if (p->active && p->width > 0) {
    draw_line(p, "");
    (void)fputc('\r', stderr);
  }
  p->active = 0;
}

void json_text(FILE *file, const char *text) {
  (void)fputc('"', file);
  for (; *text != '\0'; text++) {
    unsigned char ch = (unsigned char)*text;
    if (ch == '"' || ch == '\\')
      (void)fprintf(file, "\\%c", ch);
    else if (ch < 0x20)
      (void)fprintf(file, "\\u%04x", ch);
    else
      (void)fputc(ch, file);
  }
  (void)fputc('"', file);
}

void json_number(FILE *file, double value) {
  char text[40];
  int digits;
  if (isnan(value)) {
    (void)fputs("\"nan\"", file);
    return;
  }
  if (isinf(value)) {
    (void)fputs(value > 0 ? "\"inf\"" : "\"-inf\"", file);
    return;
  }
  for (digits = 6; digits <= 17; digits++) { /* the shortest that reads back */
    double back;
    (void)snprintf(text, sizeof text, "%.*g", digits, value);
    back = strtod(text, NULL);
    if (memcmp(&back, &value, sizeof back) == 0) break;
  }
  (void)fputs(text, file);
}

void json_member(FILE *file, const char *name, int *first) {
  if (!*first) (void)fputs(", ", file);
  *first = 0;
  json_text(file, name);
  (void)fputs(": ", file);
}

void json_member_number(FILE *file, const char *name, double value, int *first) {
  json_member(file, name, first);
  json_number(file, value);
}

void json_member_text(FILE *file, const char *name, const char *text, int *first) {
  json_member(file, name, first);
  json_text(file, text);
}

int text_number(double *value, const char *text) {
  char *end;
  if (*text == '\0' || *text == ' ') return 0;
  *value = strtod(text, &end);
  return *end == '\0' && isfinite(*value);
}

int text_numbers(double *values, size_t room, size_t *count, const char *text) {
  char one[64];
  *count = 0;
  for (;;) {
    size_t length = strcspn(text, ",");
    if (length == 0 || length >= sizeof one || *count == room) return 0;
    memcpy(one, text, length);
    one[length] = '\0';
    if (!text_number(&values[*count], one)) return 0;
    ++*count;
    if (text[length] == '\0') return 1;
    text += length + 1;
  }
}

int text_size(size_t *value, const char *text) {
  *value = 0;
  if (*text == '\0') return 0;
  for (; *text >= '0' && *text <= '9'; text++) {
    size_t digit = (size_t)(*text - '0');
    if (*value > ((size_t)-1 - digit) / 10) return 0;
    *value = *value * 10 + digit;
  }
  return *text == '\0';
}

double rounded_up(double x) {
  char text[64];
  double nudge = 0.0, value = x;
  int k;
  for (k = 0; k < 3; k++, nudge += 3e-6) {
    (void)snprintf(text, sizeof text, "%.5e", x * (1 + nudge));
    value = strtod(text, NULL);
    if (value >= x) return value;
  }
  return x;
}

double stated_epsilon(double spent, double budget) {
  return rounded_up(spent > budget && spent <= budget * (1 + 1e-9) ? budget : spent);
}
