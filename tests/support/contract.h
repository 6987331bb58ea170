/* SPDX-License-Identifier: MIT */
/* A function with each of its arguments wrong, one at a time:
 *
 *   TRY(dppair_gaussian_delta, OUT(&x, sizeof x), POSITIVE(1.0), POSITIVE(0.5));
 *
 * calls it once as it stands, which must succeed, then with each value that a mark stands for,
 * which must be refused. Before each call `reset` of the file makes the inputs new. What OUT and
 * CHANGED mark must be zero after an error; OUT is painted before the call. NULL, numbers that are
 * not finite and workspaces that are too small have an error of their own. Marks may stand in the
 * fields of a compound literal, whose struct then has a wrong field. SAYS is for what has no
 * status. contract.sh reads both, and fails when a public function is in neither. */
#ifndef DPPAIR_CONTRACT_H
#define DPPAIR_CONTRACT_H

#include <fenv.h>
#include "tests.h"

#include "arithmetic.h"

/* Is this function called under other arithmetics, where it must keep its bits or refuse? */
#ifndef CONTRACT_ARITHMETIC
#define CONTRACT_ARITHMETIC(name) 0
#endif

static void reset(void);

enum { CONTRACT_OUTPUTS = 16 };
static struct {
  const char *name;
  size_t marks;    /* of this call, so far */
  size_t argument; /* the mark that is wrong, from 1 on; 0 in the first call */
  size_t value;    /* which of its wrong values */
  int told;        /* that mark was met and has such a value */
  size_t values;   /* how many it has */
  int expected;    /* the status that must come, or -1 for any error */
  int unsized;     /* how large the outputs are is what is wrong: they must not be touched */
  char what[80];
  struct {
    const unsigned char *p;
    size_t size;
    const unsigned char *as_it_was; /* NULL: it must be zero */
  } out[CONTRACT_OUTPUTS];
  unsigned char copies[8192];
  size_t copied;
  size_t outs, calls, wrongs;
  int arithmetic;               /* 1 + which other one this call is made under; 0: the usual one */
  unsigned char right[1 << 16]; /* the outputs of the first call, one after the other */
} contract;

/* The value of a mark: is it this one's turn? Then 1 + the number of the wrong value. */
static inline size_t contract_turn_(size_t values) {
  contract.marks++;
  if (contract.marks != contract.argument) return 0;
  contract.values = values;
  contract.told = 1;
  return 1 + contract.value;
}

static inline void contract_says_(int expected, const char *what, double x) {
  contract.expected = expected;
  snprintf(contract.what, sizeof contract.what, "mark %zu from the end %s %g", contract.argument,
           what, x);
}

static inline double contract_real_(double good, int status, const double *bad, size_t count) {
  static const double never[3] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
  const size_t turn = contract_turn_(3 + count);
  double x;
  if (turn == 0) return good;
  x = turn <= 3 ? never[turn - 1] : bad[turn - 4];
  contract_says_(status > 0 ? status : turn <= 3 ? (int)DPPAIR_ERR_NOT_FINITE : -1, "is", x);
  return x;
}

static inline double contract_some_(double good, const double *bad, size_t count) {
  const size_t turn = contract_turn_(count);
  if (turn == 0) return good;
  contract_says_(-1, "is", bad[turn - 1]);
  return bad[turn - 1];
}

static inline size_t contract_size_(size_t good, int status, size_t bad) {
  if (contract_turn_(1) == 0) return good;
  contract_says_(status, "is", (double)bad);
  contract.unsized = 1;
  return bad;
}

static inline size_t contract_count_(size_t good, const size_t *bad, size_t count) {
  const size_t turn = contract_turn_(count);
  if (turn == 0) return good;
  contract_says_(-1, "is", (double)bad[turn - 1]);
  return bad[turn - 1];
}

static inline int contract_choice_(int good, const int *bad, size_t count) {
  const size_t turn = contract_turn_(count);
  if (turn == 0) return good;
  contract_says_(-1, "is", bad[turn - 1]);
  return bad[turn - 1];
}

static inline size_t contract_bytes_(size_t good) {
  const size_t turn = contract_turn_(2);
  if (turn == 0) return good;
  contract_says_((int)DPPAIR_ERR_WORKSPACE, "is a workspace of", turn == 1 ? 0 : (double)good - 1);
  return turn == 1 ? 0 : good - 1;
}

static inline void *contract_pointer_(const void *good) {
  if (contract_turn_(1) == 0) return (void *)(uintptr_t)good;
  contract_says_((int)DPPAIR_ERR_NULL, "is NULL", 0.0);
  return NULL;
}

/* Numbers: none; or one of them is not finite, written into the file's own array. */
static inline double *contract_data_(double *good, size_t at) {
  const size_t turn = contract_turn_(4);
  if (turn == 0) return good;
  contract_says_((int)(turn == 1 ? DPPAIR_ERR_NULL : DPPAIR_ERR_NOT_FINITE),
                 turn == 1 ? "is NULL" : "has a number that is",
                 turn == 2 ? (double)NAN : (double)INFINITY);
  if (turn == 1) {
    if (contract.outs > 0 && contract.out[contract.outs - 1].p == (const unsigned char *)good)
      contract.outs--;
    return NULL;
  }
  good[at] = turn == 2 ? (double)NAN : turn == 3 ? (double)INFINITY : -(double)INFINITY;
  return good;
}
static inline float *contract_data_f32_(float *good, size_t at) {
  double x = 0.0;
  if (contract_data_(&x, 0) == NULL) {
    if (contract.outs > 0 && contract.out[contract.outs - 1].p == (const unsigned char *)good)
      contract.outs--;
    return NULL;
  }
  if (x != 0.0) good[at] = (float)x;
  return good;
}

/* A struct that nothing was written to yet, or NULL. */
static inline void *contract_struct_(const void *good, size_t size) {
  static uint64_t blank[4096];
  const size_t turn = contract_turn_(2);
  if (turn == 0) return (void *)(uintptr_t)good;
  if (turn == 1) {
    contract_says_((int)DPPAIR_ERR_NULL, "is NULL", 0.0);
    return NULL;
  }
  memset(blank, 0, sizeof blank);
  assert_true(size <= sizeof blank);
  contract_says_(-1, "is zeros", 0.0);
  return blank;
}

static inline void *contract_kept_(void *p, size_t size) {
  assert_true(contract.outs < CONTRACT_OUTPUTS);
  contract.out[contract.outs].p = (const unsigned char *)p;
  contract.out[contract.outs].as_it_was = NULL;
  contract.out[contract.outs++].size = size;
  return p;
}

static inline void *contract_stays_(void *p, size_t size) {
  assert_true(contract.copied + size <= sizeof contract.copies);
  memcpy(contract.copies + contract.copied, p, size);
  contract_kept_(p, size);
  contract.out[contract.outs - 1].as_it_was = contract.copies + contract.copied;
  contract.copied += size;
  return p;
}

static inline void *contract_out_(void *good, size_t size, int paint) {
  void *p = contract_pointer_(good);
  if (p == NULL) contract.unsized = 1; /* said before anything is written */
  if (paint) memset(good, 0xA5, size);
  if (p != NULL) contract_kept_(p, size);
  return p;
}

static inline void contract_untouched_(void) {
  contract.unsized |= contract.marks + 1 == contract.argument;
}

#define CONTRACT_LIST_(type, ...)                                                                  \
  (const type[]){__VA_ARGS__}, sizeof(const type[]){__VA_ARGS__} / sizeof(type)
/* Of numbers: what is not finite, and these. REAL_AS: all of them with this status. */
#define REAL(x, ...) contract_real_(x, -1, CONTRACT_LIST_(double, __VA_ARGS__))
#define REAL_AS(status, x, ...)                                                                    \
  contract_real_(x, (int)(status), CONTRACT_LIST_(double, __VA_ARGS__))
#define FINITE(x) contract_real_(x, -1, NULL, 0)
#define POSITIVE(x) REAL(x, 0.0, -0.0, -1.0, -1e300)
#define NOT_NEGATIVE(x) REAL(x, -1.0, -1e-300)
#define NUMBER(x, ...) contract_some_(x, CONTRACT_LIST_(double, __VA_ARGS__)) /* these only */
#define COUNT(n, ...) contract_count_(n, CONTRACT_LIST_(size_t, __VA_ARGS__))
/* so many numbers of an output: no memory has them; fewer than are needed */
#define MANY(n) contract_size_(n, (int)DPPAIR_ERR_OVERFLOW, SIZE_MAX)
#define ROOM(n) contract_size_(n, (int)DPPAIR_ERR_SIZE, (n)-1)
#define SOME(n) COUNT(n, 0, SIZE_MAX)
#define CHOICE(type, k, ...) ((type)contract_choice_((int)(k), CONTRACT_LIST_(int, __VA_ARGS__)))
#define BYTES(n) contract_bytes_(n)
#define IN(...) contract_pointer_(__VA_ARGS__)
#define DATA(p, at) contract_data_(p, at)
#define DATA_F32(p, at) contract_data_f32_(p, at)
/* the same, which must be zeros after an error */
#define DATA_CHANGED(p, size, at) contract_data_(contract_kept_(p, size), at)
#define DATA_F32_CHANGED(p, size, at) contract_data_f32_(contract_kept_(p, size), at)
#define OPENED(p) contract_struct_(p, sizeof *(p))
/* the same of what tells how large the outputs are */
#define SIZING(p) UNTOUCHED(contract_struct_(p, sizeof *(p)))
/* What an error leaves as it was; a mark whose error may leave outputs as they were. */
#define STAYS(p, size) contract_stays_(p, size)
#define UNTOUCHED(mark) (contract_untouched_(), mark)
#define OUT(p, size) contract_out_(p, size, 1)
#define PAINTED(p, size) (memset(p, 0xA5, size), contract_kept_(p, size)) /* which may be NULL */
#define CHANGED(p, size) contract_out_(p, size, 0)

#define TRY(function, ...)                                                                         \
  for (contract_begin_(#function); contract_next_();) contract_end_((int)function(__VA_ARGS__))
#define SAYS(function, truth) contract_truth_(#function, #truth, truth)

static inline void contract_truth_(const char *name, const char *what, int truth) {
  contract.calls++;
  if (truth) return;
  print_error("%s: not %s\n", name, what);
  contract.wrongs++;
}

static inline void contract_begin_(const char *name) {
  if (getenv("CONTRACT") != NULL) print_message("%s\n", name); /* which one it was that crashed */
  memset(contract.what, 0, sizeof contract.what);
  contract.name = name;
  contract.argument = SIZE_MAX; /* not begun */
  contract.value = contract.values = 0;
}

static inline int contract_next_(void) {
  if (contract.argument == SIZE_MAX)
    contract.argument = 0;
  else if (contract.arithmetic > 0) {
    if (++contract.arithmetic > ARITHMETICS) return contract.arithmetic = 0;
  } else if (contract.argument == 0 || ++contract.value == contract.values) {
    if (contract.argument == contract.marks) {
      if (!CONTRACT_ARITHMETIC(contract.name)) return 0;
      contract.arithmetic = 1;
      contract.argument = SIZE_MAX - 1;
    } else {
      contract.argument++;
    }
    contract.value = 0;
  }
  contract.marks = contract.outs = contract.copied = 0;
  contract.told = 0;
  contract.expected = contract.unsized = 0;
  reset();
  if (contract.arithmetic > 0) arithmetic_set(contract.arithmetic - 1);
  return 1;
}

/* The outputs of the first call are kept, those of later ones compared; 1 where they differ. */
static inline int contract_differs_(int keep) {
  size_t at = 0;
  int differs = 0;
  for (size_t k = 0; k < contract.outs; k++) {
    if (at + contract.out[k].size > sizeof contract.right) return 0;
    if (keep)
      memcpy(contract.right + at, contract.out[k].p, contract.out[k].size);
    else
      differs |= memcmp(contract.right + at, contract.out[k].p, contract.out[k].size) != 0;
    at += contract.out[k].size;
  }
  return differs;
}

static inline void contract_end_(int status) {
  contract.calls++;
  if (contract.arithmetic > 0) {
    arithmetic_set(-1);
    if (status == 0 && contract_differs_(0)) {
      print_error("%s: arithmetic %d changes bits\n", contract.name, contract.arithmetic - 1);
      contract.wrongs++;
    }
    if (status == 0) return;
    contract_says_(-1, "and arithmetic", contract.arithmetic - 1);
  }
  if (contract.argument == 0) {
    (void)contract_differs_(1);
    if (status == 0) return;
    print_error("%s, as it stands: %s\n", contract.name,
                dppair_status_string((dppair_status)status));
    contract.wrongs++;
    return;
  }
  assert_true(contract.told || contract.arithmetic > 0);
  if (status == 0 || (contract.expected > 0 && status != contract.expected)) {
    print_error("%s, %s: %s\n", contract.name, contract.what,
                dppair_status_string((dppair_status)status));
    contract.wrongs++;
  }
  for (size_t k = 0; k < contract.outs && status != 0; k++)
    for (size_t i = 0; i < contract.out[k].size; i++) {
      const unsigned char *as_it_was = contract.out[k].as_it_was;
      if (contract.out[k].p[i] != (as_it_was ? as_it_was[i] : 0) &&
          (as_it_was || !contract.unsized)) {
        print_error("%s, %s: output %zu is not %s at byte %zu\n", contract.name, contract.what, k,
                    as_it_was ? "as it was" : "zero", i);
        contract.wrongs++;
        break;
      }
    }
}

#endif
