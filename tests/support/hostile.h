/* SPDX-License-Identifier: MIT */
/* Calls with one word out of its domain: an argument, a field of a struct, a word of a state. A
 * test keeps everything that a call reads and writes in one object, which is put back before each
 * call. */
#ifndef DPPAIR_HOSTILE_H
#define DPPAIR_HOSTILE_H

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What a word is: a double; a size whose array is as long as it says, so that it is never raised
 * but beyond all memory ('N': not even that); an int, an enumerator; a pointer; a state's own word.
 * The arithmetic is one more: three rounding modes, and zeros for subnormal numbers. */
typedef struct {
  const char *name;
  void *at;
  char kind;
} hostile_word;

#define HOSTILE_REAL(x)                                                                            \
  { #x, &(x), 'd' }
#define HOSTILE_SIZE(x)                                                                            \
  { #x, &(x), 'n' }
#define HOSTILE_COUNT(x)                                                                           \
  { #x, &(x), 'N' }
#define HOSTILE_INT(x)                                                                             \
  { #x, &(x), sizeof(x) == sizeof(int) ? 'i' : 'x' }
#define HOSTILE_POINTER(x)                                                                         \
  { #x, &(x), 'p' }

#define HOSTILE_MODE                                                                               \
  { "rounding mode", NULL, 'm' }

typedef struct {
  const char *name;
  dppair_status (*call)(void);
  double *out; /* what an error leaves as zeros, or infinity */
  size_t numbers;
} hostile_call;

static const double hostile_reals[] = {(double)NAN,
                                       (double)INFINITY,
                                       -(double)INFINITY,
                                       -1,
                                       0,
                                       -0.0,
                                       1e-320,
                                       1e-12,
                                       0.5,
                                       1,
                                       1.5,
                                       2,
                                       3,
                                       30,
                                       1e10,
                                       1e300,
                                       DBL_MAX};

/* What is put where nothing is given: zeros, numbers or places, as many as any array has. */
static const double hostile_spare[64];

/* Subnormal numbers are flushed to zero from here on, or are not; 0 where that is not known. */
static inline int hostile_flush(int on) {
#if DPPAIR_X86_
  _mm_setcsr(on ? _mm_getcsr() | 0x8040u : _mm_getcsr() & ~0x8040u);
  return 1;
#else
  return !on;
#endif
}

/* Puts the k-th hostile value; 0 after the last. */
static inline int hostile_put(const hostile_word *word, int k) {
  static const size_t small[] = {0, 1, 2, 3, 4};
  static const int ints[] = {-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 99};
  const void *null = NULL;
  size_t n;
  switch (word->kind) {
  case 'd':
    if (k >= (int)(sizeof hostile_reals / sizeof *hostile_reals)) return 0;
    memcpy(word->at, &hostile_reals[k], sizeof(double));
    return 1;
  case 'n':
  case 'N':
    memcpy(&n, word->at, sizeof n);
    if (k < 5)
      n = small[k] < n ? small[k] : n;
    else if (k == 5)
      n -= n > 0;
    else if (word->kind == 'N' || k > 8)
      return 0;
    else
      n = k == 6 ? SIZE_MAX : k == 7 ? SIZE_MAX / 8 : SIZE_MAX / 1024;
    memcpy(word->at, &n, sizeof n);
    return 1;
  case 'i':
    if (k >= (int)(sizeof ints / sizeof *ints)) return 0;
    memcpy(word->at, &ints[k], sizeof(int));
    return 1;
  case 'p':
    if (k > 0) return 0;
    memcpy(word->at, &null, sizeof null);
    return 1;
  case 'm': {
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    if (k < 3) return fesetround(modes[k]) == 0;
    return k == 3 && hostile_flush(1);
  }
  default:
    return 0;
  }
}

/* A word that two hostile values of it do not let show: the call does not read it. */
enum { HOSTILE_UNREAD = 2 };

/* Every call with every word made hostile, one at a time. `all`, of `size` bytes, is what the calls
 * read and write, valid as it stands; `kept` has room for two of it. Fails where a valid call is
 * refused, where an error leaves a number, where another arithmetic changes a bit, and unless each
 * call refuses something. Returns how many calls were refused. */
static inline size_t hostile_calls(void *all, void *kept, size_t size, const hostile_call *calls,
                                   size_t count, const hostile_word *words, size_t many) {
  unsigned char *after = (unsigned char *)kept + size;
  size_t refused = 0, before, c, w, i;
  int k, untold, shows, bad = 0;
  memcpy(kept, all, size);
  for (c = 0; c < count; c++) {
    double *out = calls[c].out;
    dppair_status status;
    for (i = 0; i < calls[c].numbers; i++) out[i] = 777.25;
    status = calls[c].call();
    memcpy(after, all, size);
    if (status != DPPAIR_OK) {
      fprintf(stderr, "%s: refused as it stands: %s\n", calls[c].name,
              dppair_status_string(status));
      bad++;
    }
    before = refused;
    for (w = 0; w < many; w++) {
      shows = 0;
      for (k = 0; shows || k < HOSTILE_UNREAD || words[w].kind == 'm'; k++) {
        memcpy(all, kept, size);
        for (i = 0; i < calls[c].numbers; i++) out[i] = 777.25;
        if (!hostile_put(words + w, k)) break;
        if (getenv("HOSTILE"))
          fprintf(stderr, "%s: %s, value %d\n", calls[c].name, words[w].name, k);
        status = calls[c].call();
        fesetround(FE_TONEAREST);
        (void)hostile_flush(0);
        if (words[w].kind == 'm' && status == DPPAIR_OK && memcmp(all, after, size) != 0) {
          fprintf(stderr, "%s: arithmetic %d changes bits\n", calls[c].name, k);
          bad++;
        }
        if (words[w].at) { /* as it was, so that only what the call wrote can differ */
          const size_t at = (size_t)((unsigned char *)words[w].at - (unsigned char *)all);
          memcpy(words[w].at, after + at, sizeof(int));
          if (!strchr("i", words[w].kind)) memcpy(words[w].at, after + at, sizeof(double));
        }
        shows |= memcmp(all, after, size) != 0 || status != DPPAIR_OK;
        if (status == DPPAIR_OK) continue;
        refused++;
        untold = strchr("nNp", words[w].kind) != NULL; /* how much is to be zeroed, or where */
        for (i = 0; i < calls[c].numbers; i++)
          if (!(out[i] == 0.0 || out[i] > DBL_MAX || (untold && out[i] == 777.25))) {
            fprintf(stderr, "%s: %s, value %d: %s leaves %g\n", calls[c].name, words[w].name, k,
                    dppair_status_string(status), out[i]);
            bad++;
            break;
          }
      }
    }
    memcpy(all, kept, size);
    if (refused == before) {
      fprintf(stderr, "%s: refuses nothing\n", calls[c].name);
      bad++;
    }
  }
  assert_int_equal(bad, 0);
  return refused;
}

#ifdef DPPAIR_SECOND_FAULTS_H
/* Does the call say how far something moves, or errs? Then a fault may raise its numbers, or make
 * them NaN, which nothing takes. */
static inline int hostile_is_bound(const char *name) {
  return strstr(name, "sensitivity") || strstr(name, "allowance") || strstr(name, "_error") ||
         strstr(name, "moves");
}

/* Every call of which each place is wrong once (second_faults.h): what is refused leaves zeros, and
 * no bound is less. Fails where that is not so; returns how many faults were refused. */
static inline size_t hostile_faults(void *all, void *kept, size_t size, const hostile_call *calls,
                                    size_t count) {
  static fault_count places;
  const size_t budget = getenv("BUDGET") != NULL ? (size_t)atol(getenv("BUDGET")) : 100;
  size_t refused = 0, c, i;
  int bad = 0;
  memcpy(kept, all, size);
  for (c = 0; c < count; c++) {
    double *out = calls[c].out, right[64];
    size_t skipped = 0, stride;
    int place, third;
    fault_none();
    assert_int_equal(calls[c].call(), DPPAIR_OK);
    memcpy(right, out, calls[c].numbers * sizeof *out);
    places = fault.calls;
    stride = 1 + fault_work(&places) / budget;
    for (place = 0; place < FAULT_PLACES; place++)
      for (third = 0; third < 3; third++) {
        dppair_status status;
        if (!fault_at(&places, place, third, (double)NAN) || skipped++ % stride != 0) continue;
        memcpy(all, kept, size);
        for (i = 0; i < calls[c].numbers; i++) out[i] = 777.25;
        status = calls[c].call();
        refused += status != DPPAIR_OK;
        for (i = 0; i < calls[c].numbers; i++)
          if (status != DPPAIR_OK
                  ? !(out[i] == 0.0 || out[i] > DBL_MAX)
                  : hostile_is_bound(calls[c].name) && out[i] < right[i] * (1.0 - 1e-12)) {
            fprintf(stderr, "%s, %s:%d, call %u: %s and %g, not %g\n", calls[c].name, fault.file,
                    fault.line, fault.when, dppair_status_string(status), out[i], right[i]);
            bad++;
            break;
          }
      }
    fault_none();
    memcpy(all, kept, size);
  }
  assert_int_equal(bad, 0);
  return refused;
}
#endif

#endif
