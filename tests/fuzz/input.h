/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a fuzzer as arguments: each call takes what it needs from the front; behind the end
 * all bytes are 0. Numbers come from a palette of hostile ones, from raw bits, or from the range
 * where most calls succeed, so that both sides of each refusal are reached.
 */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define FUZZ_UNUSED __attribute__((unused))
#else
#define FUZZ_UNUSED
#endif

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

typedef struct input {
  const uint8_t *at;
  size_t left;
} input;

/* What a fuzzer stops at: a promise of the documentation that does not hold. */
#define REQUIRE(truth, what) require((truth), (what), __FILE__, __LINE__)
static FUZZ_UNUSED void require(int truth, const char *what, const char *file, int line) {
  if (truth) return;
  fprintf(stderr, "broken: %s (%s:%d)\n", what, file, line);
  abort();
}

static FUZZ_UNUSED unsigned in_byte(input *in) {
  if (in->left == 0) return 0;
  in->left--;
  return *in->at++;
}

static FUZZ_UNUSED void in_bytes(input *in, void *out, size_t size) {
  uint8_t *to = (uint8_t *)out;
  size_t i;
  for (i = 0; i < size; i++) to[i] = (uint8_t)in_byte(in);
}

static FUZZ_UNUSED uint64_t in_word(input *in) {
  uint64_t word;
  in_bytes(in, &word, sizeof word);
  return word;
}

/* 0 to n - 1. */
static FUZZ_UNUSED int in_choice(input *in, int n) { return (int)(in_byte(in) % (unsigned)n); }

/* Once in sixteen bytes. */
static FUZZ_UNUSED int in_rarely(input *in) { return in_byte(in) >= 240; }

/* Any double. */
static FUZZ_UNUSED double in_hostile(input *in) {
  static const double palette[] = {0.0,
                                   -0.0,
                                   1.0,
                                   -1.0,
                                   DBL_MIN,
                                   -DBL_MIN,
                                   4.9406564584124654e-324,
                                   DBL_MAX,
                                   -DBL_MAX,
                                   DBL_EPSILON,
                                   1.0 - DBL_EPSILON / 2.0,
                                   1.0 + DBL_EPSILON,
                                   0.5,
                                   2.0,
                                   1e-300,
                                   1e300,
                                   1e-150,
                                   1e150,
                                   1e-17,
                                   1e17,
                                   9007199254740992.0,
                                   18446744073709551616.0,
                                   700.0,
                                   -746.0,
                                   1e-9,
                                   1e9};
  const unsigned which = in_byte(in);
  uint64_t bits;
  double x;
  if (which == 255) return HUGE_VAL;
  if (which == 254) return -HUGE_VAL;
  if (which == 253) return (double)NAN;
  if (which < 128) return palette[which % (sizeof palette / sizeof *palette)];
  bits = in_word(in);
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* From `low` to `high` > low > 0, even in the logarithm; once in sixteen, any double. */
static FUZZ_UNUSED double in_scale(input *in, double low, double high) {
  const unsigned which = in_byte(in);
  unsigned part;
  if (which >= 240) return in_hostile(in);
  part = in_byte(in) | in_byte(in) << 8;
  return low * pow(high / low, part / 65535.0);
}

/* From `low` to `high`, evenly, with few digits at times; once in sixteen, any double. */
static FUZZ_UNUSED double in_between(input *in, double low, double high) {
  const unsigned which = in_byte(in);
  unsigned part;
  if (which >= 240) return in_hostile(in);
  if (which >= 160) return low + (high - low) * ((which - 160) / 79.0);
  part = in_byte(in) | in_byte(in) << 8;
  return low + (high - low) * (part / 65535.0);
}

/* A delta. */
static FUZZ_UNUSED double in_delta(input *in) { return in_scale(in, 1e-12, 0.5); }

/* 0 to `most`, few more often than many. */
static FUZZ_UNUSED size_t in_count(input *in, size_t most) {
  const unsigned which = in_byte(in);
  if (which < 192) return which % 24 <= most ? which % 24 : most;
  return (size_t)(((uint64_t)in_byte(in) << 8 | in_byte(in)) % ((uint64_t)most + 1));
}

/* The same; once in sixteen, any size. For what is no length of an array. */
static FUZZ_UNUSED size_t in_size(input *in, size_t most) {
  static const size_t palette[] = {0,
                                   1,
                                   2,
                                   3,
                                   SIZE_MAX,
                                   SIZE_MAX - 1,
                                   SIZE_MAX / 2,
                                   SIZE_MAX / 2 + 1,
                                   SIZE_MAX / 8,
                                   SIZE_MAX / 16,
                                   (size_t)1 << 31,
                                   ((size_t)1 << 31) - 1,
                                   UINT32_MAX,
                                   (size_t)1 << (sizeof(size_t) * 4)};
  const unsigned which = in_byte(in);
  if (which < 240) {
    const uint64_t scale = (uint64_t)in_byte(in) << 8 | in_byte(in);
    return which < 160 ? in_count(in, most) : (size_t)(scale * scale % ((uint64_t)most + 1));
  }
  if (which < 254) return palette[which - 240];
  return (size_t)in_word(in);
}

/* One of 0 to n - 1; once in sixteen what is none of them. */
static FUZZ_UNUSED int in_enum(input *in, int n) {
  if (in_rarely(in)) return in_choice(in, 2) ? -1 - in_choice(in, 3) : n + in_choice(in, 100);
  return in_choice(in, n);
}

/* All bytes are 0, of -0.0 too: what an error leaves. */
static FUZZ_UNUSED int all_zero(const void *p, size_t size) {
  const uint8_t *byte = (const uint8_t *)p;
  size_t i;
  for (i = 0; i < size; i++)
    if (byte[i] != 0) return 0;
  return 1;
}

/* Something that an error has to remove. */
static FUZZ_UNUSED void stain(double *x, size_t n) {
  size_t i;
  for (i = 0; i < n; i++) x[i] = 0x1.921fb54442d18p+1;
}

/* Bytes on the heap of exactly this size, at an odd address too, so that the sanitizer sees what is
 * beyond them. Freed by the caller from `whole`. */
static FUZZ_UNUSED void *in_room(input *in, void **whole, size_t bytes) {
  const size_t past = (size_t)in_choice(in, 9);
  *whole = malloc(bytes + past + 1);
  if (*whole == NULL) abort();
  memset(*whole, 0x5a, bytes + past);
  *whole = realloc(*whole, bytes + past > 0 ? bytes + past : 1);
  if (*whole == NULL) abort();
  return (char *)*whole + past;
}

#endif
