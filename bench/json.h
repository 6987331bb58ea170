/* SPDX-License-Identifier: MIT */
/* json.h - a row of a benchmark as one JSON object on one line, always with the same keys. README.md
 * says what each of them is; bench/compare reads them. Part of bench.h. */
#ifndef DPPAIR_BENCH_JSON_H
#define DPPAIR_BENCH_JSON_H

#include <math.h>
#include <stdio.h>

/* A string of JSON: quotes, backslashes and control characters escaped. What is not UTF-8 becomes '?',
 * since a processor may call itself anything. */
static inline void json_string(FILE *f, const char *text) {
  const unsigned char *s = (const unsigned char *)text;
  fputc('"', f);
  while (*s) {
    int more = *s < 0x80 ? 0 : *s >= 0xc2 && *s < 0xe0 ? 1 : *s >= 0xe0 && *s < 0xf0 ? 2
             : *s >= 0xf0 && *s < 0xf5 ? 3 : -1, k;
    for (k = 1; k <= more; k++) /* a 0 at the end stops it, as it continues nothing */
      if ((s[k] & 0xc0) != 0x80) more = -1;
    if (more > 0 && ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) ||
                     (*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] > 0x8f)))
      more = -1; /* longer than needed, a surrogate, beyond U+10FFFF */
    if (more < 0) fputc('?', f);
    else if (*s == '"' || *s == '\\') fprintf(f, "\\%c", *s);
    else if (*s < 0x20 || *s == 0x7f) fprintf(f, "\\u%04x", *s);
    else fwrite(s, 1, (size_t)more + 1, f);
    s += more < 0 ? 1 : more + 1;
  }
  fputc('"', f);
}

/* A number, or null: JSON has neither NaN nor infinity. */
static inline void json_number(FILE *f, double x) {
  if (x - x == 0.0) fprintf(f, "%.9g", x);
  else fputs("null", f);
}

static inline void json_key_string(FILE *f, const char *key, const char *text) {
  fprintf(f, "\"%s\": ", key);
  json_string(f, text);
  fputs(", ", f);
}

static inline void json_key_number(FILE *f, const char *key, double x) {
  fprintf(f, "\"%s\": ", key);
  json_number(f, x);
  fputs(", ", f);
}

static inline void json_key_numbers(FILE *f, const char *key, const double *x, int n) {
  int k;
  fprintf(f, "\"%s\": [", key);
  for (k = 0; k < n; k++) {
    if (k) fputs(", ", f);
    json_number(f, x[k]);
  }
  fputs("], ", f);
}

#endif
